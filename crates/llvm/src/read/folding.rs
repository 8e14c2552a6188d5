//! Constant expressions whose values follow from the layout of types alone: `offsetof` as programs write it themselves,
//! with a null pointer, and `container_of`, which subtracts that.

use num_bigint::BigUint;
use num_traits::ToPrimitive as _;

use crate::gep;
use crate::module::{Binary, Cast, Const, ConstKind, Module, Op, Operand, TypeId, TypeKind};
use crate::objects::signed_constant;

/// The number that an expression of type `ty` stands for; none if it depends on where something is in memory.
pub(super) fn fold(module: &Module, ty: TypeId, op: &Op) -> Option<BigUint> {
    let TypeKind::Int(bits @ 1..=64) = module.types[ty].kind else { return None };
    let number = match op {
        Op::Cast(Cast::PtrToInt, from) => address(module, *from)?,
        Op::Cast(Cast::Trunc | Cast::SExt, from) => signed(module, *from)?,
        Op::Cast(Cast::ZExt, from) => unsigned(module, *from)?.cast_signed(),
        Op::Binary(binary, a, b) => {
            let (a, b) = (signed(module, *a)?, signed(module, *b)?);
            match binary {
                Binary::Add => a.wrapping_add(b),
                Binary::Sub => a.wrapping_sub(b),
                Binary::Mul => a.wrapping_mul(b),
                Binary::Xor => a ^ b,
                _ => return None,
            }
        }
        _ => return None,
    };
    Some(BigUint::from(number.cast_unsigned() & (u64::MAX >> (64 - bits))))
}

fn constant(module: &Module, operand: Operand) -> Option<&Const> {
    match operand {
        Operand::Const(id) => Some(&module.consts[id]),
        Operand::Value(_) => None,
    }
}

fn signed(module: &Module, operand: Operand) -> Option<i64> {
    matches!(constant(module, operand)?.kind, ConstKind::Int(_))
        .then(|| signed_constant(module, operand))
        .flatten()
}

fn unsigned(module: &Module, operand: Operand) -> Option<u64> {
    match &constant(module, operand)?.kind {
        ConstKind::Int(value) => value.to_u64(),
        _ => None,
    }
}

/// The number of a pointer that is so far from null.
fn address(module: &Module, operand: Operand) -> Option<i64> {
    let mut far = 0_i64;
    let mut pointer = operand;
    loop {
        match &constant(module, pointer)?.kind {
            ConstKind::Null => return Some(far),
            ConstKind::Expr(op) => match &**op {
                Op::Gep { base, element, indices } => {
                    let displacement = gep::displacement(module, *element, indices)?;
                    if !displacement.terms.is_empty() {
                        return None;
                    }
                    far = far.wrapping_add(displacement.bytes);
                    pointer = *base;
                }
                Op::Cast(Cast::IntToPtr, from) => return Some(far.wrapping_add(signed(module, *from)?)),
                Op::Cast(Cast::BitCast, from) => pointer = *from,
                _ => return None,
            },
            _ => return None,
        }
    }
}
