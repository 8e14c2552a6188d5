//! The variables of the sequential program.

use ir::{ExprId, ExprNode, Global, GlobalId, Op, PlaceBase, ProcId, Program, Type};
use rustc_hash::FxHashSet;
use source::Span;

use crate::erase::{erased, nil};
use crate::{Scheduler, SwitchAt};

/// A variable that tasks share: its value in the running task's round is in the variable itself.
#[derive(Clone, Debug)]
pub(crate) struct Shared {
    /// The variable.
    pub(crate) current: GlobalId,
    /// Its name and type.
    pub(crate) name: String,
    pub(crate) ty: Type,
    /// Its values per round, as the running task and those before it leave them. The cell of the running task's round
    /// is not kept up to date; with a single round there is just the variable.
    pub(crate) g: Vec<GlobalId>,
    /// What the running task is guessed to leave behind at its next wait, or at its end.
    pub(crate) guess: Vec<GlobalId>,
    /// What the tasks it started since its last wait leave behind.
    pub(crate) next: Vec<GlobalId>,
}

/// All variables that the program did not have.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) shared: Vec<Shared>,
    pub(crate) round: GlobalId,
    pub(crate) delays: GlobalId,
    /// The running task.
    pub(crate) task: GlobalId,
    /// The number of the newest task.
    pub(crate) newest: GlobalId,
    /// Whether the running task has guessed: it has started a task since its last wait.
    pub(crate) guessed: GlobalId,
    /// The number of the newest task when the running task last waited: all tasks up to it come before.
    pub(crate) waited: Option<GlobalId>,
    /// Whether the program has ended before all tasks did; a shared variable. When a lasso is sought: whether the running
    /// task does nothing new any more.
    pub(crate) ended: Option<GlobalId>,
    /// Under DFW: whether the running task has come to a wait that is never over, and whether some task has.
    pub(crate) stuck: Option<GlobalId>,
    pub(crate) unfinished: Option<GlobalId>,
    /// Which assertion failed, counted from 1.
    pub(crate) failed: Option<GlobalId>,
    /// The round in which each task completes, and its results by position and type, if anybody waits.
    pub(crate) completed: Option<GlobalId>,
    pub(crate) results: Vec<(usize, Type, GlobalId)>,
    /// Whether completion and results are guessed and checked, not recorded: some wait can come first. Only under DF.
    pub(crate) prophetic: bool,
    /// Whether a wait can come first under DFW. Then the round in which a task that is not done completes is -1.
    pub(crate) partial: bool,
}

/// Which schedules the sequential program has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Schedules {
    pub(crate) scheduler: Scheduler,
    pub(crate) delays: u32,
    pub(crate) switch_at: SwitchAt,
    /// Whether it is a stem and a lasso that are sought.
    pub(crate) lasso: bool,
}

/// What a program needs.
pub(crate) struct Needs {
    pub(crate) reachable: Vec<ProcId>,
    asserts: bool,
    exits: bool,
    atomic: bool,
    waits: bool,
    results: Vec<(usize, Type)>,
    written: FxHashSet<GlobalId>,
}

impl Needs {
    /// Looks at all that can run.
    pub(crate) fn of(program: &Program) -> Needs {
        let mut needs = Needs {
            reachable: Vec::new(),
            asserts: false,
            exits: false,
            atomic: false,
            waits: false,
            results: Vec::new(),
            written: FxHashSet::default(),
        };
        let mut work: Vec<ProcId> = program.threads.iter().rev().copied().collect();
        while let Some(id) = work.pop() {
            if needs.reachable.contains(&id) {
                continue;
            }
            needs.reachable.push(id);
            for (.., stmt) in program.procs[id].stmts() {
                match &stmt.op {
                    Op::Call { proc, .. } | Op::Spawn { proc, .. } => work.push(*proc),
                    Op::Assert { .. } => needs.asserts = true,
                    Op::Exit => needs.exits = true,
                    Op::AtomicBegin => needs.atomic = true,
                    Op::Wait { results, .. } => {
                        needs.waits = true;
                        for (at, place) in results.iter().enumerate() {
                            let result = (at, erased(&place_type(program, id, place)));
                            if !needs.results.contains(&result) {
                                needs.results.push(result);
                            }
                        }
                    }
                    _ => {}
                }
                stmt.op.for_each_target(|place| {
                    if let PlaceBase::Global(global) = place.base {
                        needs.written.insert(global);
                    }
                });
            }
        }
        needs
    }
}

/// The type of what is at a place.
pub(crate) fn place_type(program: &Program, proc: ProcId, place: &ir::Place) -> Type {
    let mut ty = match place.base {
        PlaceBase::Global(id) => program.globals[id].ty.clone(),
        PlaceBase::Local(id) => program.procs[proc].locals[id].ty.clone(),
    };
    for _ in &place.path {
        if let Type::Map(map) = &ty {
            ty = map.result.clone();
        }
    }
    ty
}

/// Declares the variables in the new program, after those of the old one.
pub(crate) struct Declare<'a> {
    pub(crate) new: &'a mut Program,
    pub(crate) names: FxHashSet<String>,
}

impl Declare<'_> {
    /// A new global; its name gets primes if it is taken.
    pub(crate) fn global(&mut self, name: &str, ty: Type, init: Option<ExprId>) -> GlobalId {
        let mut name = name.to_owned();
        while !self.names.insert(name.clone()) {
            name.push('\'');
        }
        self.new.globals.push(Global { name, ty, init, span: Span::NONE })
    }

    pub(crate) fn zero(&mut self, name: &str) -> GlobalId {
        let zero = self.new.exprs.int(0);
        self.global(name, Type::Int, Some(zero))
    }

    pub(crate) fn no(&mut self, name: &str) -> GlobalId {
        let no = self.new.exprs.bool(false);
        self.global(name, Type::Bool, Some(no))
    }

    fn rounds(&mut self, of: &str, name: &str, ty: &Type, delays: u32) -> Vec<GlobalId> {
        (0..=delays).map(|round| self.global(&format!("{of}.{name}.{round}"), ty.clone(), None)).collect()
    }

    /// Declares everything. `task` is there already, since expressions need it.
    pub(crate) fn state(
        &mut self,
        old: &Program,
        needs: &Needs,
        task: GlobalId,
        schedules: Schedules,
        any: bool,
    ) -> State {
        let Schedules { scheduler, delays, switch_at, lasso } = schedules;
        let ended = (lasso || needs.asserts || needs.exits).then(|| self.no("ended"));
        let written = old.globals.keys().filter(|id| needs.written.contains(id));
        let shared = written.chain(ended.filter(|_| !lasso)).map(|id| self.shared(id, delays)).collect();
        let per_task = |ty: Type| Type::map(vec![Type::Int], ty);
        let results = needs.results.iter().map(|(at, ty)| {
            (*at, ty.clone(), self.global(&format!("result.{at}"), per_task(ty.clone()), None))
        });
        let results = results.collect();
        let partial = any && scheduler == Scheduler::Dfw;
        let unknown = partial.then(|| {
            let never = self.new.exprs.int(-1);
            self.new.exprs.add(ExprNode::ConstMap(per_task(Type::Int), never))
        });
        let lasting = ended.is_some() && needs.waits && scheduler == Scheduler::Dfw;
        // Whether a wait looks if it would block.
        let tests = needs.atomic || switch_at == SwitchAt::Yield;
        State {
            shared,
            round: self.zero("round"),
            delays: self.zero("delays"),
            task,
            newest: self.zero("newest"),
            guessed: self.no("guessed"),
            waited: (needs.waits && tests && scheduler == Scheduler::Dfw).then(|| self.zero("waited")),
            ended,
            stuck: lasting.then(|| self.no("stuck")),
            unfinished: lasting.then(|| self.no("unfinished")),
            failed: (needs.asserts && !lasso).then(|| self.zero("failed")),
            completed: needs.waits.then(|| self.global("completed", per_task(Type::Int), unknown)),
            results,
            prophetic: lasso || (any && scheduler == Scheduler::Df),
            partial,
        }
    }

    pub(crate) fn shared(&mut self, current: GlobalId, delays: u32) -> Shared {
        let Global { name, ty, .. } = self.new.globals[current].clone();
        Shared {
            current,
            g: if delays == 0 { vec![current] } else { self.rounds("G", &name, &ty, delays) },
            guess: self.rounds("Guess", &name, &ty, delays),
            next: self.rounds("Next", &name, &ty, delays),
            name,
            ty,
        }
    }
}

/// The globals of the old program, with their ids.
pub(crate) fn copy_globals(old: &Program, new: &mut Program, map: impl Fn(ExprId) -> ExprId) {
    for (id, global) in &old.globals {
        let init = global.init.map(&map).or_else(|| nil(&mut new.exprs, &global.ty));
        new.globals[id].init = init;
    }
}

/// An expression that reads a variable.
pub(crate) fn read(program: &mut Program, global: GlobalId) -> ExprId {
    let ty = program.globals[global].ty.clone();
    program.exprs.add(ExprNode::Global(global, ty))
}
