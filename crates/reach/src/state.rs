//! What a run knows of its variables: a term for each.

use std::rc::Rc;

use cranelift_entity::EntityRef;
use engine::Variable;
use formula::Values;
use ir::{GlobalId, LocalId};
use smt::TermId;

/// The values of all globals, and of the locals of the running procedure. Copies share what they do not change.
#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    globals: Rc<Vec<TermId>>,
    /// Nothing for a local that is not read any more.
    locals: Rc<Vec<Option<TermId>>>,
    /// The terms that were replaced since they are known to be others here.
    learned: Rc<Vec<(TermId, TermId)>>,
}

impl State {
    /// A state without locals.
    pub(crate) fn new(globals: Vec<TermId>) -> Self {
        State { globals: Rc::new(globals), ..State::default() }
    }

    /// The same globals with other locals.
    pub(crate) fn with_locals(&self, locals: Vec<Option<TermId>>) -> Self {
        State { locals: Rc::new(locals), ..self.clone() }
    }

    /// The globals of this state with the locals of another.
    pub(crate) fn with_locals_of(&self, other: &State) -> Self {
        State { locals: Rc::clone(&other.locals), ..self.clone() }
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

    /// Replaces a value wherever a variable has it, since the two are the same here.
    pub(crate) fn learn(&mut self, old: TermId, new: TermId) {
        self.learn_all(|value| (value == old).then_some(new));
    }

    /// Replaces the values for which there is another that is the same here.
    pub(crate) fn learn_all(&mut self, new: impl Fn(TermId) -> Option<TermId>) {
        let mut learned = Vec::new();
        let mut change = |value: &mut TermId| {
            if let Some(new) = new(*value).filter(|new| new != value) {
                learned.push((*value, new));
                *value = new;
            }
        };
        if self.globals.iter().any(|value| new(*value).is_some()) {
            Rc::make_mut(&mut self.globals).iter_mut().for_each(&mut change);
        }
        if self.locals.iter().flatten().any(|value| new(*value).is_some()) {
            Rc::make_mut(&mut self.locals).iter_mut().flatten().for_each(&mut change);
        }
        learned.retain(|pair| !self.learned.contains(pair));
        learned.dedup();
        if !learned.is_empty() {
            Rc::make_mut(&mut self.learned).extend(learned);
        }
    }

    /// Whether a term is known to be another here.
    pub(crate) fn has_learned(&self, old: TermId, new: TermId) -> bool {
        self.learned.contains(&(old, new))
    }

    /// Forgets what another state does not know.
    pub(crate) fn keep_learned_of(&mut self, other: &State) {
        if !Rc::ptr_eq(&self.learned, &other.learned)
            && self.learned.iter().any(|pair| !other.learned.contains(pair))
        {
            Rc::make_mut(&mut self.learned).retain(|pair| other.learned.contains(pair));
        }
    }
}

impl Values for State {
    fn global(&self, id: GlobalId) -> TermId {
        self.globals[id.index()]
    }

    fn local(&self, id: LocalId) -> Option<TermId> {
        self.locals[id.index()]
    }

    /// There is one task.
    fn task(&self) -> u32 {
        1
    }
}
