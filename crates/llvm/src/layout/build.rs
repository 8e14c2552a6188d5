//! From a type, and how an object of it is used, to the tree of its parts.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use super::{ELEMENT, MOST_ELEMENTS, Node, Path};
use crate::module::{Module, TypeId, TypeKind};

/// How an object is used, as far as it has to do with its parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Uses {
    /// Arrays that are indexed by computed numbers.
    pub(crate) folded: FxHashSet<Path>,
    /// Bytes that are room for something else, by their offsets, and what they are room for. That is how C++ makes objects inside of
    /// others that are made before.
    pub(crate) overlays: BTreeMap<u64, TypeId>,
}

/// The tree of a type at a canonical offset; without one if it is in an array that is not folded.
pub(super) fn build(module: &Module, ty: TypeId, uses: &Uses, at: Option<u64>, path: &mut Path) -> Node {
    let room = module.types[ty].size;
    let overlay = at.and_then(|at| uses.overlays.get(&at));
    if let Some(&overlay) = overlay.filter(|overlay| module.types[**overlay].size <= room)
        && is_room(module, ty)
    {
        return overlaid(module, overlay, room, uses, at, path);
    }
    match &module.types[ty].kind {
        TypeKind::Array { element, count } | TypeKind::Vector { element, count } => {
            let fold = *count > MOST_ELEMENTS || uses.folded.contains(path);
            let own = path.clone();
            path.push(ELEMENT);
            // Canonical offsets are those in the first element.
            let inner = build(module, *element, uses, at.filter(|_| fold), path);
            path.pop();
            Node::Array {
                element: Box::new(inner),
                stride: module.types[*element].size.max(1),
                count: Some(*count),
                folded: fold,
                path: own,
            }
        }
        TypeKind::Struct { fields, .. } => {
            let mut parts = Vec::new();
            let count = fields.len() - usize::from(module.padded.contains(&ty));
            for (number, &(offset, ty)) in fields[..count].iter().enumerate() {
                path.push(u32::try_from(number).unwrap_or(ELEMENT - 1));
                let at = at.map(|at| at + offset);
                parts.push((offset, module.types[ty].size, build(module, ty, uses, at, path)));
                path.pop();
            }
            Node::Struct(parts)
        }
        _ => Node::Scalar,
    }
}

/// Room of so many bytes for something, and what is left of it.
fn overlaid(module: &Module, ty: TypeId, count: u64, uses: &Uses, at: Option<u64>, path: &mut Path) -> Node {
    let size = module.types[ty].size;
    path.push(0);
    let mut parts = vec![(0, size, build(module, ty, uses, at, path))];
    path.pop();
    if count > size {
        path.push(1);
        parts.push((size, count - size, bytes(module, count - size, uses, at.map(|at| at + size), path)));
        path.pop();
    }
    Node::Struct(parts)
}

/// So many bytes, or what they are room for.
fn bytes(module: &Module, count: u64, uses: &Uses, at: Option<u64>, path: &mut Path) -> Node {
    let overlay = at.and_then(|at| uses.overlays.get(&at));
    if let Some(&overlay) = overlay.filter(|overlay| (1..=count).contains(&module.types[**overlay].size)) {
        return overlaid(module, overlay, count, uses, at, path);
    }
    let folded = count > MOST_ELEMENTS || uses.folded.contains(path);
    Node::Array { element: Box::new(Node::Scalar), stride: 1, count: Some(count), folded, path: path.clone() }
}

/// Some elements of a type and bytes after them, which are fewer than an element has: a header, and what it is the header of.
pub(super) fn with_rest(module: &Module, ty: TypeId, count: u64, rest: u64, uses: &Uses) -> Node {
    let size = module.types[ty].size;
    let mut path = vec![0];
    let elements = if count == 1 && !uses.folded.contains(&path) {
        build(module, ty, uses, Some(0), &mut path)
    } else {
        let folded = count > MOST_ELEMENTS || uses.folded.contains(&path);
        path.push(ELEMENT);
        let element = Box::new(build(module, ty, uses, folded.then_some(0), &mut path));
        path.pop();
        Node::Array { element, stride: size, count: Some(count), folded, path }
    };
    let after = count * size;
    let rest_of_it = bytes(module, rest, uses, Some(after), &mut vec![1]);
    Node::Struct(vec![(0, after, elements), (after, rest, rest_of_it)])
}

/// Whether a type is nothing but bytes. Of what is aligned, clang makes several arrays of bytes.
fn is_room(module: &Module, ty: TypeId) -> bool {
    match &module.types[ty].kind {
        TypeKind::Array { element, .. } => module.types[*element].size == 1,
        TypeKind::Struct { fields, .. } => {
            !fields.is_empty() && fields.iter().all(|(_, ty)| is_room(module, *ty))
        }
        _ => module.types[ty].size == 1,
    }
}

/// Whether bytes may be room for a type: a struct that does not begin with bytes itself.
pub(crate) fn can_overlay(module: &Module, ty: TypeId) -> bool {
    let mut ty = ty;
    let mut is_struct = false;
    while let TypeKind::Struct { fields, .. } = &module.types[ty].kind {
        let Some((_, first)) = fields.iter().find(|(_, ty)| module.types[*ty].size > 0) else {
            return false;
        };
        if is_room(module, ty) {
            return false;
        }
        is_struct = true;
        ty = *first;
    }
    is_struct && !matches!(module.types[ty].kind, TypeKind::Array { .. } | TypeKind::Vector { .. })
}

/// A struct whose last field is an array of no elements, and what follows it in memory as its elements. Older programs declare an
/// array of a few: then it is one if the memory is not for a number of such structs.
pub(super) fn with_flexible_end(
    module: &Module,
    ty: TypeId,
    bytes: Option<u64>,
    uses: &Uses,
) -> Option<Node> {
    let TypeKind::Struct { fields, .. } = &module.types[ty].kind else { return None };
    let &(offset, last) = fields.last()?;
    let TypeKind::Array { element, count } = module.types[last].kind else { return None };
    if count > 0 && bytes.is_none_or(|bytes| bytes % module.types[ty].size.max(1) == 0) {
        return None;
    }
    let Node::Struct(mut parts) = build(module, ty, uses, Some(0), &mut Vec::new()) else { return None };
    parts.pop();
    let stride = module.types[element].size.max(1);
    let mut path = vec![u32::try_from(fields.len() - 1).ok()?, ELEMENT];
    let inner = build(module, element, uses, None, &mut path);
    path.pop();
    let count = bytes.map(|bytes| bytes.saturating_sub(offset) / stride);
    let array = Node::Array { element: Box::new(inner), stride, count, folded: true, path };
    parts.push((offset, count.map_or(u64::MAX / 2, |count| count * stride), array));
    Some(Node::Struct(parts))
}
