//! What a run knows of its variables: a term for each.

use std::rc::Rc;

use cranelift_entity::EntityRef;
use engine::Variable;
use ir::{GlobalId, LocalId};
use smt::TermId;

/// The values of all globals, and of the locals of the running procedure. Copies share what they do not change.
#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    globals: Rc<Vec<TermId>>,
    /// Nothing for a local that is not read any more.
    locals: Rc<Vec<Option<TermId>>>,
}

impl State {
    /// A state without locals.
    pub(crate) fn new(globals: Vec<TermId>) -> Self {
        State { globals: Rc::new(globals), locals: Rc::default() }
    }

    /// The same globals with other locals.
    pub(crate) fn with_locals(&self, locals: Vec<Option<TermId>>) -> Self {
        State { globals: Rc::clone(&self.globals), locals: Rc::new(locals) }
    }

    /// The globals of this state with the locals of another.
    pub(crate) fn with_locals_of(&self, other: &State) -> Self {
        State { globals: Rc::clone(&self.globals), locals: Rc::clone(&other.locals) }
    }

    pub(crate) fn global(&self, id: GlobalId) -> TermId {
        self.globals[id.index()]
    }

    pub(crate) fn local(&self, id: LocalId) -> Option<TermId> {
        self.locals[id.index()]
    }

    pub(crate) fn get(&self, variable: Variable) -> Option<TermId> {
        match variable {
            Variable::Global(id) => Some(self.global(id)),
            Variable::Local(id) => self.local(id),
        }
    }

    pub(crate) fn set(&mut self, variable: Variable, value: TermId) {
        match variable {
            Variable::Global(id) => Rc::make_mut(&mut self.globals)[id.index()] = value,
            Variable::Local(id) => Rc::make_mut(&mut self.locals)[id.index()] = Some(value),
        }
    }

    /// Forgets a local that is not read any more.
    pub(crate) fn forget(&mut self, id: LocalId) {
        if self.locals[id.index()].is_some() {
            Rc::make_mut(&mut self.locals)[id.index()] = None;
        }
    }

    /// Whether two states are the very same, which is cheap to see.
    pub(crate) fn shares_globals(&self, other: &State) -> bool {
        Rc::ptr_eq(&self.globals, &other.globals)
    }

    /// Replaces a value wherever a variable has it.
    pub(crate) fn replace(&mut self, old: TermId, new: TermId) {
        if self.globals.contains(&old) {
            Rc::make_mut(&mut self.globals).iter_mut().filter(|v| **v == old).for_each(|v| *v = new);
        }
        if self.locals.contains(&Some(old)) {
            let locals = Rc::make_mut(&mut self.locals);
            locals.iter_mut().filter(|v| **v == Some(old)).for_each(|v| *v = Some(new));
        }
    }

    /// Replaces the values for which there is another.
    pub(crate) fn change(&mut self, new: impl Fn(TermId) -> Option<TermId>) {
        if self.globals.iter().any(|value| new(*value).is_some()) {
            let globals = Rc::make_mut(&mut self.globals);
            globals.iter_mut().for_each(|value| *value = new(*value).unwrap_or(*value));
        }
        if self.locals.iter().flatten().any(|value| new(*value).is_some()) {
            let locals = Rc::make_mut(&mut self.locals);
            locals.iter_mut().flatten().for_each(|value| *value = new(*value).unwrap_or(*value));
        }
    }
}
