//! Accesses that are known to be outside of a local variable.
//!
//! `sroa` divides local variables into scalars. An access outside of one means nothing to it, so it drops it or makes it
//! shorter, and the mistake would be gone. Functions with such an access stay as they are, and the lowering finds it.

use rustc_hash::FxHashSet;

use crate::raw::{Opcode, Source, Type, TypeKind, Value};

/// Keeps passes away from functions that access memory outside of their local variables.
pub(super) fn keep_functions(module: &inkwell::module::Module<'_>) {
    let source = Source::of(module);
    for function in source.functions() {
        let instructions = function.blocks().flat_map(crate::raw::Block::instructions);
        let mut variables = instructions.filter(|at| at.allocated_type().is_some());
        if variables.any(|variable| is_left(source, variable)) {
            function.forbid_passes(module);
        }
    }
}

/// Whether some access that starts from a local variable is outside of it.
fn is_left(source: Source<'_>, variable: Value<'_>) -> bool {
    let Some(size) = size_of(source, variable) else { return false };
    let outside = |at: i64, bytes: u64| at < 0 || at.unsigned_abs().saturating_add(bytes) > size;
    let mut seen = FxHashSet::default();
    let mut open = vec![(variable, 0_i64)];
    while let Some((pointer, at)) = open.pop() {
        for user in pointer.users() {
            let bytes = match user.opcode() {
                Some(Opcode::LLVMGetElementPtr) => {
                    if let Some(by) = displacement(source, user)
                        && seen.insert(user)
                    {
                        open.push((user, at.saturating_add(by)));
                    }
                    None
                }
                Some(Opcode::LLVMBitCast | Opcode::LLVMAddrSpaceCast) => {
                    if seen.insert(user) {
                        open.push((user, at));
                    }
                    None
                }
                Some(Opcode::LLVMLoad) => Some(source.alloc_size(user.ty())),
                Some(Opcode::LLVMStore) => match user.operands().as_slice() {
                    [value, to] if *to == pointer => Some(source.alloc_size(value.ty())),
                    _ => None,
                },
                Some(Opcode::LLVMCall) => block_size(user),
                _ => None,
            };
            if bytes.is_some_and(|bytes| outside(at, bytes)) {
                return true;
            }
        }
    }
    false
}

/// The size of a local variable, if it is known.
fn size_of(source: Source<'_>, variable: Value<'_>) -> Option<u64> {
    let count = variable.operands().first()?.small_int()?;
    source.alloc_size(variable.allocated_type()?).checked_mul(count)
}

/// How many bytes a call copies or fills, if it is such a call.
fn block_size(call: Value<'_>) -> Option<u64> {
    let name = call.callee()?.name();
    let block = ["llvm.memcpy.", "llvm.memmove.", "llvm.memset."].iter().any(|start| name.starts_with(start));
    if block { call.operands().get(2)?.small_int() } else { None }
}

/// How many bytes a GEP with constant indices adds.
fn displacement(source: Source<'_>, gep: Value<'_>) -> Option<i64> {
    let mut ty: Type<'_> = gep.gep_element()?;
    let mut sum = 0_i64;
    for (at, index) in gep.operands().into_iter().skip(1).enumerate() {
        let number = index.small_signed()?;
        if at > 0 && ty.kind() == TypeKind::LLVMStructTypeKind {
            let field = usize::try_from(number).ok()?;
            sum = sum.checked_add_unsigned(*source.field_offsets(ty)?.get(field)?)?;
            ty = *ty.fields().get(field)?;
            continue;
        }
        if at > 0 {
            ty = ty.element()?;
        }
        sum = sum.checked_add(number.checked_mul(i64::try_from(source.alloc_size(ty)).ok()?)?)?;
    }
    Some(sum)
}
