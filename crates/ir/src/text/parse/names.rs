//! What names stand for.

use rustc_hash::FxHashMap;
use source::{Diagnostic, Span};

use super::cursor::Cursor;
use crate::{ConstId, ExprId, FuncId, GlobalId, LocalId, ProcId, SortId, Type};

/// The names of one kind, with where they were declared.
pub(super) struct Table<Id> {
    known: FxHashMap<String, (Id, Span)>,
}

impl<Id> Default for Table<Id> {
    fn default() -> Self {
        Table { known: FxHashMap::default() }
    }
}

impl<Id: Copy> Table<Id> {
    /// Notes a name; a second one of the kind is an error.
    pub(super) fn declare(&mut self, cursor: &mut Cursor<'_>, kind: &str, name: &str, id: Id, span: Span) {
        match self.known.get(name) {
            Some((_, first)) => cursor.note(
                Diagnostic::error(span, format!("there are two {kind}s named `{name}`"))
                    .with(*first, "the first"),
            ),
            None => {
                self.known.insert(name.to_owned(), (id, span));
            }
        }
    }

    pub(super) fn get(&self, name: &str) -> Option<Id> {
        self.known.get(name).map(|(id, _)| *id)
    }
}

/// What is bound around an expression.
#[derive(Clone)]
pub(super) enum Binding {
    /// A parameter of a function or variable of a quantifier, by its level.
    Variable(u32, Type),
    /// A part with a name.
    Part(Part),
}

/// A part of an expression that has a name.
#[derive(Clone, Copy)]
pub(super) struct Part {
    pub(super) expr: ExprId,
    /// How many variables are bound around its definition.
    pub(super) depth: u32,
    /// Whether it binds variables: they have levels, so it cannot be moved to another depth.
    pub(super) binds: bool,
}

/// All names that are known at a place.
#[derive(Default)]
pub(super) struct Names {
    pub(super) sorts: Table<SortId>,
    pub(super) consts: Table<ConstId>,
    pub(super) funcs: Table<FuncId>,
    pub(super) globals: Table<GlobalId>,
    pub(super) procs: Table<ProcId>,
    /// Those of the procedure that is being read.
    pub(super) locals: Table<LocalId>,
    /// Types of the locals of that procedure.
    pub(super) local_types: Vec<Type>,
    bindings: FxHashMap<String, Vec<Binding>>,
    order: Vec<String>,
    levels: Vec<Type>,
    /// How often a quantifier was read, or a part with one was used.
    pub(super) binders: usize,
}

impl Names {
    /// Binds a variable at the next level.
    pub(super) fn bind(&mut self, name: String, ty: Type) {
        let level = u32::try_from(self.levels.len()).unwrap_or(u32::MAX);
        self.levels.push(ty.clone());
        self.push(name, Binding::Variable(level, ty));
    }

    /// Names a part.
    pub(super) fn give(&mut self, name: String, part: Part) {
        self.push(name, Binding::Part(part));
    }

    fn push(&mut self, name: String, binding: Binding) {
        self.bindings.entry(name.clone()).or_default().push(binding);
        self.order.push(name);
    }

    /// How many names are bound, to return to with [`Names::unbind`].
    pub(super) fn bound(&self) -> usize {
        self.order.len()
    }

    /// Forgets what was bound since there were `count`.
    pub(super) fn unbind(&mut self, count: usize) {
        while self.order.len() > count {
            let name = self.order.pop().unwrap_or_default();
            if let Some(Binding::Variable(..)) = self.bindings.get_mut(&name).and_then(Vec::pop) {
                self.levels.pop();
            }
        }
    }

    pub(super) fn binding(&self, name: &str) -> Option<&Binding> {
        self.bindings.get(name)?.last()
    }

    /// The next level.
    pub(super) fn depth(&self) -> u32 {
        u32::try_from(self.levels.len()).unwrap_or(u32::MAX)
    }

    pub(super) fn level(&self, level: u32) -> Option<&Type> {
        self.levels.get(level as usize)
    }

    pub(super) fn forget_locals(&mut self) {
        self.locals = Table::default();
        self.local_types.clear();
    }
}
