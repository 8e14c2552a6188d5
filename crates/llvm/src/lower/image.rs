//! The bytes that a global variable starts with.

use num_traits::ToPrimitive;

use super::placement::Placements;
use crate::gep;
use crate::module::{Cast, Const, ConstId, ConstKind, Module, Op, Operand, TypeKind};

/// A constant as bytes. What is not known (undefined, or a constant that is not understood) is zero.
pub(super) fn image(module: &Module, placements: &Placements, constant: ConstId) -> Vec<u8> {
    let size = usize::try_from(module.types[module.consts[constant].ty].size).unwrap_or(0);
    let mut bytes = vec![0; size];
    fill(module, placements, constant, &mut bytes);
    bytes
}

fn fill(module: &Module, placements: &Placements, id: ConstId, bytes: &mut [u8]) {
    let Const { ty, kind } = &module.consts[id];
    match kind {
        ConstKind::Int(value) => {
            for (to, from) in bytes.iter_mut().zip(value.to_bytes_le()) {
                *to = from;
            }
        }
        ConstKind::Float(bits) => {
            let narrow;
            let wide;
            let from: &[u8] = if matches!(module.types[*ty].kind, TypeKind::Float(32)) {
                #[expect(clippy::cast_possible_truncation, reason = "a float constant is exact as a double")]
                let value = f64::from_bits(*bits) as f32;
                narrow = value.to_le_bytes();
                &narrow
            } else {
                wide = bits.to_le_bytes();
                &wide
            };
            for (to, from) in bytes.iter_mut().zip(from) {
                *to = *from;
            }
        }
        ConstKind::Bytes(text) => {
            for (to, from) in bytes.iter_mut().zip(text) {
                *to = *from;
            }
        }
        ConstKind::Aggregate(parts) => {
            for (number, &part) in parts.iter().enumerate() {
                let at = match &module.types[*ty].kind {
                    TypeKind::Struct { fields, .. } => fields.get(number).map(|(at, _)| *at),
                    TypeKind::Array { element, .. } | TypeKind::Vector { element, .. } => {
                        Some(module.types[*element].size * number as u64)
                    }
                    _ => None,
                };
                let size = module.types[module.consts[part].ty].size;
                let range = at.and_then(|at| Some(at.to_usize()?..(at + size).to_usize()?));
                if let Some(inner) = range.and_then(|range| bytes.get_mut(range)) {
                    fill(module, placements, part, inner);
                }
            }
        }
        ConstKind::Global(_) | ConstKind::Func(_) | ConstKind::Expr(_) => {
            let value = address(module, placements, id).unwrap_or(0);
            for (to, from) in bytes.iter_mut().zip(value.to_le_bytes()) {
                *to = from;
            }
        }
        ConstKind::Null | ConstKind::Zero | ConstKind::Undef | ConstKind::Other(_) => {}
    }
}

/// The number that a constant is, addresses included; none if it is not understood.
pub(super) fn address(module: &Module, placements: &Placements, id: ConstId) -> Option<u64> {
    let operand = |operand: Operand| match operand {
        Operand::Const(id) => address(module, placements, id),
        Operand::Value(_) => None,
    };
    match &module.consts[id].kind {
        ConstKind::Int(value) => value.to_u64(),
        ConstKind::Null | ConstKind::Zero => Some(0),
        ConstKind::Global(global) => Some(placements.global(*global)),
        ConstKind::Func(func) => Some(placements.func(*func)),
        ConstKind::Expr(op) => match op.as_ref() {
            Op::Gep { base, element, indices } => {
                let displacement = gep::displacement(module, *element, indices)?;
                if !displacement.terms.is_empty() {
                    return None;
                }
                Some(operand(*base)?.wrapping_add_signed(displacement.bytes))
            }
            Op::Cast(
                Cast::PtrToInt | Cast::IntToPtr | Cast::BitCast | Cast::AddrSpaceCast | Cast::ZExt,
                from,
            ) => operand(*from),
            Op::Cast(Cast::Trunc, from) => {
                let size = module.types[module.consts[id].ty].size.min(8);
                let value = operand(*from)?;
                Some(if size == 8 { value } else { value & ((1 << (8 * size)) - 1) })
            }
            Op::Binary(binary, a, b) => {
                let (a, b) = (operand(*a)?, operand(*b)?);
                match binary {
                    crate::module::Binary::Add => Some(a.wrapping_add(b)),
                    crate::module::Binary::Sub => Some(a.wrapping_sub(b)),
                    _ => None,
                }
            }
            _ => None,
        },
        _ => None,
    }
}
