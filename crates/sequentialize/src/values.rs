//! Which values variables can have, before anything is run.
//!
//! A sequential program guesses what its variables are at the beginnings of rounds and lassos. A guess that the program
//! cannot come to fits nowhere. So guesses are better made among the values that the program can come to, if these are
//! few; and of a map only the cells that somebody looks at need to be guessed. The analysis is a plain one: what globals
//! hold is the same everywhere, what locals hold is followed through each procedure, with conditions that it passes.
//!
//! Variables that nobody has assigned are arbitrary ([`assigned`] finds where that does not matter any more). One that is
//! copied at the most, and that no operator, condition or index looks at before it is assigned, may as well have one of
//! the values that it is assigned later: no step of a run depends on it. What is looked at is arbitrary indeed.

mod assigned;
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
            changed: true,
        };
        values.run(reachable, response);
        values
    }

    /// The domain of a global.
    pub(crate) fn global(&self, id: GlobalId) -> Domain {
        let global = &self.program.globals[id];
        let Type::Map(map) = &global.ty else {
            return self.scalar(&global.ty, &self.globals[id.as_u32() as usize]);
        };
        let indices = &self.indices[id.as_u32() as usize];
        match (self.is_vector(id), self.closed(indices).numbers) {
            (true, Some(indices)) if !indices.is_empty() => {
                let cell = Box::new(self.scalar(&map.result, &self.globals[id.as_u32() as usize]));
                Domain::Cells { indices: indices.into_iter().collect(), cell }
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
        self.locals.get(&(proc, id)).map_or(Domain::Any, |set| self.scalar(ty, set))
    }

    /// The domain of the results of tasks at a position.
    pub(crate) fn task_result(&self, position: usize, ty: &Type) -> Domain {
        self.task_results.get(position).map_or(Domain::Any, |set| self.scalar(ty, set))
    }

    /// The numbers of tasks, nil included, if there are few.
    pub(crate) fn tasks(&self) -> Option<Vec<i64>> {
        self.tasks.map(|tasks| (0..=tasks).collect())
    }

    fn scalar(&self, ty: &Type, set: &Set) -> Domain {
        if !matches!(ty, Type::Int | Type::Task) {
            return Domain::Any;
        }
        match self.closed(set).numbers {
            Some(numbers) if !numbers.is_empty() => Domain::Numbers(numbers.into_iter().collect()),
            // Nobody ever assigns it, or looks at it.
            Some(_) => Domain::Numbers(vec![0]),
            None => Domain::Any,
        }
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

    /// The numbers of a set, with those that unassigned variables in it may be taken to have.
    fn closed(&self, set: &Set) -> Set {
        let mut closed = Set { numbers: set.numbers.clone(), origins: BTreeSet::new() };
        let (mut work, mut seen) = (set.origins.iter().copied().collect::<Vec<_>>(), BTreeSet::new());
        while let Some(origin) = work.pop() {
            if !seen.insert(origin) {
                continue;
            }
            let own = match origin {
                Origin::Global(id) => Some(&self.globals[id.as_u32() as usize]),
                Origin::Local(proc, id) => self.locals.get(&(proc, id)),
            };
            if let Some(own) = own {
                closed.add_numbers(own);
                work.extend(&own.origins);
            }
        }
        if closed.numbers.as_ref().is_some_and(BTreeSet::is_empty) && !seen.is_empty() {
            closed.numbers = Some(BTreeSet::from([0]));
        }
        closed
    }
}
