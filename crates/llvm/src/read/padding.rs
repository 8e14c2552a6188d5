//! Which structs end with bytes that are nobody's.
//!
//! Where a struct of C++ ends in the middle of a word, clang gives its LLVM type an array of bytes for the rest. Nobody sets these bytes, but copies of
//! the struct copy them. Debug information tells them from an array that the user wrote: no member is there.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::module::{DebugType, Member, Module, TypeId, TypeKind};

/// Finds structs whose last field is padding.
pub(super) fn padded(module: &Module) -> FxHashSet<TypeId> {
    let mut ends: FxHashMap<&str, Vec<u64>> = FxHashMap::default();
    for debug in module.debug_types.values() {
        if let DebugType::Struct { name, members, .. } = debug
            && let Some(end) = end(module, members)
        {
            ends.entry(stem(name)).or_default().push(end.div_ceil(8));
        }
    }
    let is_padded = |ty: &TypeId| {
        let TypeKind::Struct { name: Some(name), fields } = &module.types[*ty].kind else { return false };
        let Some(&(at, last)) = fields.last().filter(|(at, _)| *at > 0) else { return false };
        let TypeKind::Array { element, count: 1..8 } = module.types[last].kind else { return false };
        let plain = name.split_once('.').map_or(name.as_str(), |(_, plain)| plain);
        module.types[element].size == 1
            && ends.get(stem(plain)).is_some_and(|ends| ends.iter().max() == Some(&at))
    };
    module.types.keys().filter(is_padded).collect()
}

/// Where the last member ends, in bits. A member may end with padding itself, in which the next one may begin.
fn end(module: &Module, members: &[Member]) -> Option<u64> {
    let end_of = |member: &Member| {
        let inner = match &module.debug_types[member.ty] {
            DebugType::Struct { members, .. } => end(module, members),
            _ => None,
        };
        member.offset + inner.unwrap_or(member.size)
    };
    members.iter().map(end_of).max()
}

/// The name of a struct without its scope, the arguments of a template, and the number that tells it from others.
fn stem(name: &str) -> &str {
    let name = name.split_once('<').map_or(name, |(name, _)| name);
    let name = name.rsplit_once("::").map_or(name, |(_, name)| name);
    name.split_once('.').map_or(name, |(name, _)| name)
}
