//! Scopes of bound variables.
//!
//! A level counts the variables bound around a place, parameters of the function first. Scopes are hash-consed:
//! two places under the same types at the same levels are in the same scope, so that a shared expression is
//! looked at once per scope.

use rustc_hash::FxHashMap;

use crate::Type;

/// Names a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct ScopeId(usize);

/// All scopes seen so far.
#[derive(Debug)]
pub(super) struct Scopes {
    known: FxHashMap<(ScopeId, Vec<Type>), ScopeId>,
    scopes: Vec<Scope>,
}

#[derive(Debug)]
struct Scope {
    outer: ScopeId,
    first: u32,
    types: Vec<Type>,
}

impl Scopes {
    /// The scope in which nothing is bound.
    pub(super) const OUTERMOST: ScopeId = ScopeId(0);

    pub(super) fn new() -> Self {
        let outermost = Scope { outer: Self::OUTERMOST, first: 0, types: Vec::new() };
        Scopes { known: FxHashMap::default(), scopes: vec![outermost] }
    }

    /// The scope inside `outer` with further variables.
    pub(super) fn enter(&mut self, outer: ScopeId, types: Vec<Type>) -> ScopeId {
        let first = self.depth(outer);
        let scopes = &mut self.scopes;
        *self.known.entry((outer, types)).or_insert_with_key(|(_, types)| {
            scopes.push(Scope { outer, first, types: types.clone() });
            ScopeId(scopes.len() - 1)
        })
    }

    /// How many variables are bound.
    pub(super) fn depth(&self, scope: ScopeId) -> u32 {
        let scope = &self.scopes[scope.0];
        scope.first.saturating_add(u32::try_from(scope.types.len()).unwrap_or(u32::MAX))
    }

    /// The type of the variable at a level.
    pub(super) fn get(&self, mut scope: ScopeId, level: u32) -> Option<&Type> {
        loop {
            let here = &self.scopes[scope.0];
            if level >= here.first {
                return here.types.get((level - here.first) as usize);
            }
            scope = here.outer;
        }
    }
}
