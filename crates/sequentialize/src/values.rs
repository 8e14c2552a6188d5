//! Which values variables can have, before anything is run.
//!
//! A sequential program guesses what its variables are at the beginnings of rounds and lassos. A guess that the program
//! cannot come to fits nowhere. So guesses are better made among the values that the program can come to, if these are
//! few; and of a map only the cells that somebody looks at need to be guessed. The analysis is a plain one: what globals
//! hold is the same everywhere, what locals hold is followed through each procedure, with conditions that it passes.
//!
//! Variables that nobody has assigned are arbitrary ([`assigned`] finds where that does not matter any more). One that is
//! copied at the most, and that no operator, condition or index looks at before it is assigned, may as well have one of
//! the values that it or its copies are assigned elsewhere ([`classes`]): no step of a run depends on it. What is looked at
//! is arbitrary indeed.

mod assigned;
mod classes;
mod eval;
mod flow;
mod glance;
mod refine;
mod set;

use std::collections::BTreeSet;

use engine::Domain;
use ir::{GlobalId, LocalId, ProcId, Program, Response, Type};
use rustc_hash::{FxHashMap, FxHashSet};

use self::assigned::Assigned;
use self::classes::Classes;
pub(crate) use self::set::{MOST, Origin, Set};

/// What is known of the variables of a program whose synchronization is expanded.
pub(crate) struct Values<'p> {
    program: &'p Program,
    /// The most tasks that there can be, if they are few.
    tasks: Option<i64>,
    /// Constants that an axiom gives a number.
    consts: FxHashMap<ir::ConstId, i64>,
    /// The values of globals; of a map, those of its cells.
    globals: Vec<Set>,
    /// The cells of maps that are looked at or changed.
    indices: Vec<Set>,
    /// Maps that are used as a whole.
    whole: FxHashSet<GlobalId>,
    /// What procedures are entered and left with.
    entries: FxHashMap<ProcId, Boundary>,
    returns: FxHashMap<ProcId, Boundary>,
    /// The procedures that are started as tasks, and what their results are, by position.
    task_results: Vec<Set>,
    /// The locals where a task can be switched, where a call is made, and at the end.
    locals: FxHashMap<(ProcId, LocalId), Set>,
    /// What was looked at before it was assigned.
    inspected: BTreeSet<Origin>,
    /// Which variables share what nobody has assigned.
    classes: Classes,
    changed: bool,
}

/// What a procedure is entered or left with: parameters or results, and what is assigned by then.
#[derive(Clone, Debug)]
struct Boundary {
    sets: Vec<Set>,
    assigned: Assigned,
}

impl<'p> Values<'p> {
    /// Looks at a program of which these procedures can run.
    pub(crate) fn new(program: &'p Program, reachable: &[ProcId], response: Option<Response>) -> Self {
        let mut values = Values {
            program,
            tasks: glance::tasks(program).filter(|tasks| *tasks < MOST),
            consts: eval::constants(program),
            globals: vec![Set::default(); program.globals.len()],
            indices: vec![Set::default(); program.globals.len()],
            whole: glance::used_as_a_whole(program, response),
            entries: FxHashMap::default(),
            returns: FxHashMap::default(),
            task_results: Vec::new(),
            locals: FxHashMap::default(),
            inspected: BTreeSet::new(),
            classes: Classes::default(),
            changed: true,
        };
        values.run(reachable, response);
        values.classify();
        values
    }

    /// The domain of a global.
    pub(crate) fn global(&self, id: GlobalId) -> Domain {
        let global = &self.program.globals[id];
        let numbers = self.classes.of(Origin::Global(id));
        let Type::Map(map) = &global.ty else { return scalar(&global.ty, numbers) };
        match (self.is_vector(id), &self.indices[id.as_u32() as usize].numbers) {
            (true, Some(indices)) if !indices.is_empty() => {
                let cell = Box::new(scalar(&map.result, numbers));
                Domain::Cells { indices: indices.iter().copied().collect(), cell }
            }
            _ => Domain::Any,
        }
    }

    /// The domain of a local of a procedure before it is assigned.
    pub(crate) fn unassigned(&self, proc: ProcId, id: LocalId) -> Domain {
        if self.inspected.contains(&Origin::Local(proc, id)) { Domain::Any } else { self.local(proc, id) }
    }

    /// The domain of a local of a procedure, where it can be seen from outside: where its task can be switched.
    pub(crate) fn local(&self, proc: ProcId, id: LocalId) -> Domain {
        let ty = &self.program.procs[proc].locals[id].ty;
        scalar(ty, self.classes.of(Origin::Local(proc, id)))
    }

    /// The domain of the results of tasks at a position.
    pub(crate) fn task_result(&self, position: usize, ty: &Type) -> Domain {
        scalar(ty, self.classes.of(Origin::Result(position)))
    }

    /// The numbers of tasks, nil included, if there are few.
    pub(crate) fn tasks(&self) -> Option<Vec<i64>> {
        self.tasks.map(|tasks| (0..=tasks).collect())
    }

    /// Whether a global is a map whose cells are followed.
    fn is_vector(&self, id: GlobalId) -> bool {
        let one = |ty: &Type| {
            ty.as_map().is_some_and(|map| {
                matches!(map.args[..], [Type::Int | Type::Task]) && map.result.as_map().is_none()
            })
        };
        one(&self.program.globals[id].ty) && !self.whole.contains(&id)
    }

    /// Finds the variables that share what nobody has assigned.
    fn classify(&mut self) {
        let mut classes = Classes::default();
        for (id, set) in self.program.globals.keys().zip(&self.globals) {
            classes.add(Origin::Global(id), set);
        }
        for (&(proc, id), set) in &self.locals {
            classes.add(Origin::Local(proc, id), set);
        }
        for (position, set) in self.task_results.iter().enumerate() {
            classes.add(Origin::Result(position), set);
        }
        // Nothing is known of those that are never seen.
        for origin in classes.members() {
            if let Origin::Local(proc, id) = origin
                && !self.locals.contains_key(&(proc, id))
            {
                classes.add(origin, &Set::any());
            }
        }
        self.classes = classes;
    }
}

fn scalar(ty: &Type, set: Option<&Set>) -> Domain {
    match (ty, set.and_then(|set| set.numbers.as_ref())) {
        // Nobody ever assigns it, or looks at it.
        (Type::Int | Type::Task, Some(numbers)) if numbers.is_empty() => Domain::Numbers(vec![0]),
        (Type::Int | Type::Task, Some(numbers)) => Domain::Numbers(numbers.iter().copied().collect()),
        _ => Domain::Any,
    }
}
