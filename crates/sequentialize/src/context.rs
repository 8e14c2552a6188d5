//! The whole translation.

use std::collections::{BTreeMap, BTreeSet};

use cranelift_entity::PrimaryMap;
use ir::{
    BackMap, Block, Expanded, ExprId, Global, GlobalId, LocalId, Op, OpRef, Proc, ProcId, Program, Type,
};
use rustc_hash::{FxHashMap, FxHashSet};
use source::Span;

use crate::erase::{self, erased, holds_task};
use crate::lasso::{Form, Gap, Wanted};
use crate::later::Later;
use crate::rounds::Helpers;
use crate::state::{Declare, Needs, Schedules, State, copy_globals, place_type};
use crate::{Control, Mark, Scheduler, Sequential, SwitchAt, Unsupported, Variables, handles};

/// What all parts of the translation need.
pub(crate) struct Context<'p> {
    /// The original, synchronization expanded.
    pub(crate) old: &'p Program,
    /// From there to the program as it was.
    pub(crate) origins: BackMap,
    pub(crate) scheduler: Scheduler,
    /// The bound K.
    pub(crate) bound: u32,
    pub(crate) switch_at: SwitchAt,
    pub(crate) state: State,
    /// What there is besides when a lasso is sought, and the rounds before it.
    pub(crate) lasso: Option<Form>,
    pub(crate) lasso_stem: u32,
    /// What whoever starts a task of a procedure may assign after that.
    after_start: FxHashMap<ProcId, Later>,
    /// The synchronization ops of the program as it was, when a lasso is sought.
    pub(crate) synchronizes: FxHashSet<OpRef>,
    pub(crate) helpers: Helpers,
    /// The new program and what is known of its ops.
    pub(crate) new: Program,
    pub(crate) back: BackMap,
    pub(crate) starts: BackMap,
    pub(crate) marks: FxHashMap<OpRef, Mark>,
    /// Old expressions in the new pool.
    exprs: Vec<ExprId>,
    /// The assertions, in the order of their numbers.
    pub(crate) asserts: Vec<(OpRef, Op, Span)>,
    names: FxHashSet<String>,
    /// The variables that hold guesses of places, and the places that they are compared with.
    pub(crate) places: BTreeMap<GlobalId, BTreeSet<i64>>,
    /// The locals that hold guesses, and the shared variables that they are guesses of.
    pub(crate) guesses: Vec<((ProcId, LocalId), GlobalId)>,
    /// Procedures, as they run in atomic sections and elsewhere.
    pub(crate) bodies: FxHashMap<(ProcId, bool), ProcId>,
    /// Procedures that run a task from its start to its completion.
    tasks: FxHashMap<ProcId, ProcId>,
    pending: Vec<Pending>,
}

enum Pending {
    Body(ProcId, bool),
    Task(ProcId),
}

/// The sequential program of a delay-bounding scheduler.
pub(crate) fn sequentialize(
    program: &Program,
    scheduler: Scheduler,
    bound: u32,
    switch_at: SwitchAt,
) -> Result<Sequential, Unsupported> {
    translate(program, scheduler, bound, switch_at, None).map(|(sequential, _)| sequential)
}

/// The sequential program of a stem and a lasso: the rounds are those of DF.
pub(crate) fn lasso(
    program: &Program,
    wanted: Wanted,
    lasso: u32,
) -> Result<(Sequential, Vec<Gap>), Unsupported> {
    let bound = wanted.stem.saturating_add(lasso) - 1;
    translate(program, Scheduler::Df, bound, SwitchAt::Visible, Some(wanted))
}

fn translate(
    program: &Program,
    scheduler: Scheduler,
    bound: u32,
    switch_at: SwitchAt,
    lasso: Option<Wanted>,
) -> Result<(Sequential, Vec<Gap>), Unsupported> {
    erase::check(program)?;
    let Expanded { program: old, back: origins, .. } = ir::expand(program);
    let needs = Needs::of(&old);
    check_ops(program, &needs.reachable)?;
    let any = handles::wait_for_any(&old);
    let mut new = Program { sorts: old.sorts.clone(), ..Program::default() };
    for global in old.globals.values() {
        new.globals.push(Global { ty: erased(&global.ty), init: None, ..global.clone() });
    }
    let names = new.globals.values().map(|g| g.name.clone()).collect();
    let mut declare = Declare { new: &mut new, names };
    let zero = declare.new.exprs.int(0);
    let task = declare.global("task", Type::Int, Some(zero));
    let schedules = Schedules { scheduler, delays: bound, switch_at, lasso: lasso.is_some() };
    let mut state = declare.state(&old, &needs, task, schedules, any.is_some());
    let form = lasso.map(|wanted| crate::lasso::declare(&mut declare, &old, &needs, wanted));
    let response = lasso.and_then(|wanted| wanted.response).map(|response| (response, declare.no("waits")));
    state.shared.extend(response.map(|(_, waits)| declare.shared(waits, bound)));
    let exprs = erase::expressions(&old.exprs, &mut new.exprs, task);
    copy_globals(&old, &mut new, |e| exprs[e.index()]);
    copy_symbols(&old, &mut new, &exprs);
    let mut cx = Context {
        old: &old,
        origins,
        scheduler,
        bound,
        switch_at,
        state,
        lasso: form,
        lasso_stem: lasso.map_or(0, |wanted| wanted.stem),
        after_start: crate::later::after_start(&old, &needs.reachable),
        synchronizes: synchronizes(program),
        helpers: Helpers::none(),
        new,
        back: BackMap::default(),
        starts: BackMap::default(),
        marks: FxHashMap::default(),
        exprs,
        asserts: Vec::new(),
        names: FxHashSet::default(),
        places: BTreeMap::new(),
        guesses: Vec::new(),
        bodies: FxHashMap::default(),
        tasks: FxHashMap::default(),
        pending: Vec::new(),
    };
    let gaps = crate::lasso::watch(&mut cx, &needs);
    if let Some((response, waits)) = response {
        crate::lasso::respond(&mut cx, response, waits);
    }
    cx.run();
    let variables = Variables { round: cx.state.round, delays: cx.state.delays, task };
    let controls = controls(&cx);
    let response = response.map(|(response, _)| response);
    let domains = crate::domains::domains(&cx, &needs.reachable, response);
    let sequential = Sequential {
        program: cx.new,
        controls,
        domains,
        back: cx.back,
        marks: cx.marks,
        variables,
        scheduler,
        bound,
        switch_at,
        starts: cx.starts,
        results: cx.state.results,
        partial: any.filter(|_| scheduler == Scheduler::Dfw),
    };
    debug_assert_eq!(ir::validate(&sequential.program), Ok(()), "the sequential program is valid");
    Ok((sequential, gaps))
}

fn controls(cx: &Context<'_>) -> Vec<Control> {
    // With many rounds there are too many ways for each to be followed by itself. A lasso has few.
    let Some(form) = &cx.lasso else { return Vec::new() };
    let mut controls = vec![
        Control { global: cx.state.round, most: Some(cx.bound) },
        Control { global: form.phase, most: Some(crate::lasso::LAST_PHASE) },
    ];
    controls.extend(cx.state.ended.map(|global| Control { global, most: None }));
    controls
}

fn synchronizes(program: &Program) -> FxHashSet<OpRef> {
    let mut ops = FxHashSet::default();
    for (id, proc) in &program.procs {
        for (block, index, stmt) in proc.stmts() {
            if matches!(stmt.op, Op::Sync(_)) {
                ops.insert(OpRef { proc: id, block, index });
            }
        }
    }
    ops
}

fn check_ops(program: &Program, reachable: &[ProcId]) -> Result<(), Unsupported> {
    for &id in reachable {
        for (.., stmt) in program.procs[id].stmts() {
            let refuse = |what: String| Err(Unsupported { what, span: stmt.span });
            match &stmt.op {
                Op::Opaque { what, .. } => {
                    return refuse(format!("{what} is not supported"));
                }
                Op::Havoc { targets }
                    if targets.iter().any(|place| holds_task(&place_type(program, id, place))) =>
                {
                    return refuse("an arbitrary task handle".to_owned());
                }
                _ => {}
            }
        }
    }
    Ok(())
}

fn copy_symbols(old: &Program, new: &mut Program, exprs: &[ExprId]) {
    new.consts = old.consts.clone();
    new.consts.values_mut().for_each(|c| c.ty = erased(&c.ty));
    new.funcs = old.funcs.clone();
    for func in new.funcs.values_mut() {
        func.params.iter_mut().for_each(|(_, ty)| *ty = erased(ty));
        func.result = erased(&func.result);
        func.body = func.body.map(|e| exprs[e.index()]);
    }
    new.axioms = old.axioms.clone();
    new.axioms.iter_mut().for_each(|axiom| axiom.formula = exprs[axiom.formula.index()]);
}

impl Context<'_> {
    fn run(&mut self) {
        let entry = self.reserve("sequential", Span::NONE);
        self.new.threads = vec![entry];
        self.helpers = Helpers::make(self);
        for &thread in &self.old.threads {
            self.body(thread, false);
        }
        while let Some(pending) = self.pending.pop() {
            match pending {
                Pending::Body(proc, atomic) => crate::body::translate(self, proc, atomic),
                Pending::Task(proc) => crate::rounds::task(self, proc),
            }
        }
        crate::entry::make(self, entry);
    }

    /// Whether a task that starts one of a procedure may change a shared variable after that.
    pub(crate) fn may_change(&self, started: ProcId, shared: GlobalId) -> bool {
        let Some(later) = self.after_start.get(&started) else { return true };
        // One that waits for ever is taken to have ended the program, until it has run.
        let flag = self.state.ended == Some(shared) && (later.ends || self.state.stuck.is_some());
        let requests = self.lasso.as_ref().and_then(|form| form.requests.as_ref());
        let request = requests.is_some_and(|r| r.waits == shared && !r.reads.is_disjoint(&later.globals));
        flag || request || later.globals.contains(&shared)
    }

    /// The new expression for an old one.
    pub(crate) fn expr(&self, old: ExprId) -> ExprId {
        self.exprs[old.index()]
    }

    /// A new global; its name gets primes if it is taken.
    pub(crate) fn declare(&mut self, name: &str, ty: Type, init: Option<ExprId>) -> GlobalId {
        let names = self.new.globals.values().map(|g| g.name.clone()).collect();
        crate::state::Declare { new: &mut self.new, names }.global(name, ty, init)
    }

    /// A procedure without a body.
    pub(crate) fn reserve(&mut self, name: &str, span: Span) -> ProcId {
        let mut name = name.to_owned();
        while !self.names.insert(name.clone()) {
            name.push('\'');
        }
        let mut blocks = PrimaryMap::new();
        let entry = blocks.push(Block { name: "start".to_owned(), stmts: Vec::new() });
        let (params, results, locals) = (Vec::new(), Vec::new(), PrimaryMap::new());
        self.new.procs.push(Proc { name, params, results, locals, blocks, entry, span })
    }

    /// The procedure that does what an old one does, inside or outside atomic sections.
    pub(crate) fn body(&mut self, proc: ProcId, atomic: bool) -> ProcId {
        if let Some(&body) = self.bodies.get(&(proc, atomic)) {
            return body;
        }
        let old = &self.old.procs[proc];
        let name = if atomic { format!("{}.atomic", old.name) } else { old.name.clone() };
        let body = self.reserve(&name, old.span);
        self.bodies.insert((proc, atomic), body);
        self.pending.push(Pending::Body(proc, atomic));
        body
    }

    /// The procedure that runs a task of an old procedure.
    pub(crate) fn task(&mut self, proc: ProcId) -> ProcId {
        if let Some(&task) = self.tasks.get(&proc) {
            return task;
        }
        let old = &self.old.procs[proc];
        let task = self.reserve(&format!("{}.task", old.name), old.span);
        self.tasks.insert(proc, task);
        self.pending.push(Pending::Task(proc));
        task
    }
}
