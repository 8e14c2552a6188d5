//! Names that are in scope inside a declaration.

use rustc_hash::FxHashMap;

use crate::ast::Name;
use crate::types::Ty;

/// What a local name may be used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LocalKind {
    /// A parameter: it is read only.
    Param,
    /// A result or local variable.
    Variable,
    /// Bound by a quantifier, lambda, `let` or function.
    Bound,
}

/// A local name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Local {
    pub(super) ty: Ty,
    pub(super) kind: LocalKind,
}

/// Local names and type variables, inner ones hiding outer ones.
#[derive(Debug, Default)]
pub(super) struct Scope {
    locals: FxHashMap<Name, Vec<Local>>,
    types: FxHashMap<Name, Vec<Ty>>,
    added: Vec<Name>,
    added_types: Vec<Name>,
}

/// A point to go back to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark(usize, usize);

impl Scope {
    pub(super) fn mark(&self) -> Mark {
        Mark(self.added.len(), self.added_types.len())
    }

    /// Forgets everything added since the mark.
    pub(super) fn reset(&mut self, mark: Mark) {
        for name in self.added.drain(mark.0..) {
            if let Some(stack) = self.locals.get_mut(&name) {
                stack.pop();
            }
        }
        for name in self.added_types.drain(mark.1..) {
            if let Some(stack) = self.types.get_mut(&name) {
                stack.pop();
            }
        }
    }

    pub(super) fn add(&mut self, name: &Name, ty: Ty, kind: LocalKind) {
        self.locals.entry(name.clone()).or_default().push(Local { ty, kind });
        self.added.push(name.clone());
    }

    pub(super) fn add_type(&mut self, name: &Name, ty: Ty) {
        self.types.entry(name.clone()).or_default().push(ty);
        self.added_types.push(name.clone());
    }

    pub(super) fn get(&self, name: &Name) -> Option<Local> {
        self.locals.get(name).and_then(|stack| stack.last().copied())
    }

    pub(super) fn get_type(&self, name: &Name) -> Option<Ty> {
        self.types.get(name).and_then(|stack| stack.last().copied())
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.added.iter().map(|name| &**name)
    }
}
