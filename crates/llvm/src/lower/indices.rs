//! Indices of arrays that are a part of something larger.
//!
//! Who leaves an array comes to the next field of its struct, or the next row: that is inside of the object, so the check of
//! the access itself sees nothing wrong. C forbids already to compute such an address, except the one right behind the array, which
//! must not be followed. As compilers do, the last array of a struct is taken to have no certain length.

use rustc_hash::FxHashSet;

use super::address::POINTER_BITS;
use super::bits::Bits;
use super::function::FunctionLowering;
use super::memory::OUT_OF_BOUNDS;
use crate::module::{Block, ConstKind, IntPredicate, Module, Op, Operand, TypeKind, ValueId};
use crate::objects::{constant, signed_constant};
use crate::points_to::Target;

impl FunctionLowering<'_, '_> {
    /// Checks the index with which a GEP goes into an array.
    pub(super) fn check_index(&mut self, result: ValueId, op: &Op) {
        let Op::Gep { base, element, indices } = op else { return };
        let module = self.cx.module;
        let (TypeKind::Array { count, .. }, &[first, index, ..]) =
            (&module.types[*element].kind, indices.as_slice())
        else {
            return;
        };
        // What is declared with one element often stands for many.
        let is_certain = *count > 1 && constant(module, first) == Some(0) && !self.is_last_field(*base);
        if !is_certain || signed_constant(module, index).is_some() {
            return;
        }
        let bytes = module.types[*element].size;
        let objects = &self.cx.points_to.objects.all;
        let targets = self.cx.points_to.targets(self.func, *base);
        let is_whole = |target: &Target| objects[target.object].layout.size.is_none_or(|size| size == bytes);
        if targets.iter().all(is_whole) {
            return;
        }
        let index = self.scalar(index);
        let exprs = &mut self.cx.program.exprs;
        let index = exprs.sign_extend(index, POINTER_BITS);
        let count = exprs.bv(POINTER_BITS, *count);
        let predicate = if self.followed.contains(&result) { IntPredicate::Ult } else { IntPredicate::Ule };
        let holds = exprs.compare(predicate, index, count);
        self.require(holds, OUT_OF_BOUNDS);
    }

    /// Whether a pointer is to the last field of a struct.
    fn is_last_field(&self, pointer: Operand) -> bool {
        let module = self.cx.module;
        match pointer {
            Operand::Value(value) => self.last_fields.contains(&value),
            Operand::Const(id) => {
                matches!(&module.consts[id].kind, ConstKind::Expr(op) if leads_to_last(module, op))
            }
        }
    }
}

/// Whether this is a GEP that leads to the last field of a struct.
pub(super) fn leads_to_last(module: &Module, op: &Op) -> bool {
    let Op::Gep { element, indices, .. } = op else { return false };
    let (mut ty, mut last) = (*element, false);
    for &index in indices.iter().skip(1) {
        match &module.types[ty].kind {
            TypeKind::Struct { fields, .. } => {
                let field = constant(module, index).and_then(|field| usize::try_from(field).ok());
                let Some((at, &(_, inner))) = field.and_then(|at| Some((at, fields.get(at)?))) else {
                    return false;
                };
                (ty, last) = (inner, at + 1 == fields.len());
            }
            TypeKind::Array { element, .. } | TypeKind::Vector { element, .. } => {
                (ty, last) = (*element, false);
            }
            _ => return false,
        }
    }
    last
}

/// The pointers of a block that are followed in it, once they are there.
pub(super) fn followed(block: &Block, found: &mut FxHashSet<ValueId>) {
    let own: FxHashSet<ValueId> = block.instrs.iter().filter_map(|instr| instr.result).collect();
    for instr in block.instrs.iter().rev() {
        let pointer = match &instr.op {
            Op::Load { ptr, .. }
            | Op::Store { ptr, .. }
            | Op::AtomicRmw { ptr, .. }
            | Op::CmpXchg { ptr, .. } => *ptr,
            Op::Gep { base, .. } if instr.result.is_some_and(|result| found.contains(&result)) => *base,
            _ => continue,
        };
        if let Operand::Value(value) = pointer
            && own.contains(&value)
        {
            found.insert(value);
        }
    }
}
