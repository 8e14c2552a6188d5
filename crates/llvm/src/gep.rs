//! What `getelementptr` computes: a constant number of bytes, and multiples of computed numbers.

use crate::module::{Func, Module, Operand, TypeId, TypeKind};
use crate::objects::{constant, signed_constant};

/// The displacement of a pointer: `bytes` plus each index times its stride.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Displacement {
    pub(crate) bytes: i64,
    pub(crate) terms: Vec<(Operand, u64)>,
}

/// The displacement that a GEP means; none if it is not understood.
pub(crate) fn displacement(module: &Module, element: TypeId, indices: &[Operand]) -> Option<Displacement> {
    let mut result = Displacement::default();
    let mut ty = element;
    for (at, &index) in indices.iter().enumerate() {
        if at > 0 {
            match &module.types[ty].kind {
                TypeKind::Struct { fields, .. } => {
                    let field = usize::try_from(constant(module, index)?).ok()?;
                    let &(offset, inner) = fields.get(field)?;
                    result.bytes = result.bytes.checked_add(i64::try_from(offset).ok()?)?;
                    ty = inner;
                    continue;
                }
                TypeKind::Array { element, .. } | TypeKind::Vector { element, .. } => ty = *element,
                _ => return None,
            }
        }
        let stride = module.types[ty].size;
        match signed_constant(module, index) {
            Some(index) => {
                let bytes = index.checked_mul(i64::try_from(stride).ok()?)?;
                result.bytes = result.bytes.checked_add(bytes)?;
            }
            None if stride == 0 => {}
            None => result.terms.push((index, stride)),
        }
    }
    Some(result)
}

/// The number that a GEP adds to an object if it is the call of a pointer to a member function: the second part of that pointer, by the name that
/// clang gives it. It is zero but for members of base classes that do not come first.
pub(crate) fn member_adjustment(body: &Func, indices: &[Operand]) -> Option<Operand> {
    let &[Operand::Value(index)] = indices else { return None };
    body.values[index].name.starts_with("memptr.adj").then_some(indices[0])
}
