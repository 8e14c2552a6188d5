//! What `getelementptr` computes: a constant number of bytes, and multiples of computed numbers.

use crate::module::{Func, Module, Operand, TypeId, TypeKind};
use crate::objects::{constant, signed_constant};

/// The displacement of a pointer: `bytes` plus each index times its stride.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Displacement {
    pub(crate) bytes: i64,
    pub(crate) terms: Vec<Term>,
    /// Whether it moves the pointer to another element before it selects parts of that.
    pub(crate) walks: bool,
}

/// A computed number times a constant one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Term {
    pub(crate) index: Operand,
    /// Bytes from one element to the next.
    pub(crate) stride: u64,
    /// The bytes of the array that the index selects from; none if it moves a pointer, of which nobody knows what it is in.
    pub(crate) array: Option<u64>,
}

/// The displacement that a GEP means; none if it is not understood.
pub(crate) fn displacement(module: &Module, element: TypeId, indices: &[Operand]) -> Option<Displacement> {
    let mut result = Displacement::default();
    let mut ty = element;
    for (at, &index) in indices.iter().enumerate() {
        let array = (at > 0).then_some(module.types[ty].size);
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
        result.walks |= at == 0 && stride > 0 && signed_constant(module, index) != Some(0);
        match signed_constant(module, index) {
            Some(index) => {
                let bytes = index.checked_mul(i64::try_from(stride).ok()?)?;
                result.bytes = result.bytes.checked_add(bytes)?;
            }
            None if stride == 0 => {}
            None => result.terms.push(Term { index, stride, array }),
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
