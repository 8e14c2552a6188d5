//! From units to formulas: passive form and block reachability.
//!
//! A unit is run symbolically from its start to its exits, each block once, in topological order. Variables hold terms,
//! so that constants fold and branches that they decide vanish. Where ways join, a variable that differs gets a new
//! constant. Small callees are run on the spot; any other call, and each entry of a loop, is left as a site to be
//! inlined when somebody needs it (Lal, Qadeer and Lahiri, "A Solver for Reachability Modulo Theories", CAV 2012).

use cranelift_entity::PrimaryMap;
use engine::Variable;
use ir::{ExprId, GlobalId, Op, OpRef, Place, PlaceBase, ProcId, Program, Type};
use rustc_hash::FxHashMap;
use smt::{BinaryOp, Term, TermId};

use crate::Unsupported;
use crate::effects::Effects;
use crate::graph::{Event, Graph, Incoming, Instance, InstanceId, Node, NodeId, Site, SiteId, Source};
use crate::liveness::Liveness;
use crate::state::State;
use crate::translate::Translator;
use crate::units::{self, Exit, Target, UnitId, Units};

/// A callee with at most so many ops, those of its callees included, is inlined at once.
const SMALL: usize = 2000;
/// And if calls nest at most so deep.
const SHALLOW: usize = 40;
/// As long as the instance has not run more ops than this.
const MOST_AT_ONCE: usize = 200_000;

/// Builds the graph and the formulas.
pub(crate) struct Encoder<'p> {
    program: &'p Program,
    effects: Effects,
    units: Units,
    liveness: Liveness,
    pub(crate) translator: Translator<'p>,
    pub(crate) graph: Graph,
    /// What is to be asserted, since it was last taken.
    formulas: Vec<TermId>,
    /// The instance that is being built, and the ops run in it.
    current: Option<InstanceId>,
    ops: usize,
    truth: TermId,
}

/// A way into a node with the state on it.
type Arrival = (Incoming, State);

/// Where the symbolic run is.
struct Cursor {
    node: NodeId,
    state: State,
    on: TermId,
    /// What must hold besides `on`.
    conditions: Vec<TermId>,
}

impl<'p> Encoder<'p> {
    pub(crate) fn new(program: &'p Program, observed: &[GlobalId]) -> Self {
        let effects = Effects::new(program);
        let units = Units::new(program, &effects);
        let mut translator = Translator::new(program);
        let truth = translator.pool.bool(true);
        Encoder {
            program,
            units,
            effects,
            liveness: Liveness::new(program, observed),
            translator,
            graph: Graph::default(),
            formulas: Vec::new(),
            current: None,
            ops: 0,
            truth,
        }
    }

    pub(crate) fn units(&self) -> &PrimaryMap<UnitId, units::Unit> {
        &self.units.units
    }

    /// Takes the formulas that were made since the last time.
    pub(crate) fn take_formulas(&mut self) -> Vec<TermId> {
        std::mem::take(&mut self.formulas)
    }

    /// Inlines the program's entry. The literal says that an assertion fails; nothing if none can.
    pub(crate) fn start(&mut self) -> Result<(InstanceId, Option<TermId>), Unsupported> {
        let axioms = self.translator.axioms()?;
        self.formulas.extend(axioms);
        let [entry] = self.program.threads[..] else {
            return Err(Unsupported::new("a program with several threads is not sequential"));
        };
        let mut globals = Vec::new();
        let none = State::default();
        for global in self.program.globals.values() {
            let value = match global.init {
                Some(init) => self.translator.eval(init, &none),
                None => self.initial(&global.name, &global.ty),
            };
            globals.push(value.map_err(|error| error.at(global.span))?);
        }
        let state = State::new(globals);
        let params = self.program.procs[entry].params.clone();
        let mut args = Vec::new();
        for param in params {
            let local = &self.program.procs[entry].locals[param];
            args.push(Some(self.initial(&local.name, &local.ty)?));
        }
        let state = self.enter(entry, &args, &state)?;
        let unit = self.units.of_proc(entry);
        let (instance, goals) = self.instantiate(unit, None, &state)?;
        let fail = self.units.units[unit].exits.iter().position(|exit| *exit == Exit::Fail);
        let goal = fail.and_then(|at| goals[at].as_ref().map(|(on, _)| *on));
        Ok((instance, goal))
    }

    /// Inlines a site.
    pub(crate) fn expand(&mut self, id: SiteId) -> Result<(), Unsupported> {
        let site = &self.graph.sites[id];
        let (unit, entry) = (site.unit, site.entry.clone());
        let (instance, exits) = self.instantiate(unit, Some(id), &entry)?;
        self.graph.sites[id].instance = Some(instance);
        let goals = self.graph.sites[id].goals.clone();
        let outputs = self.graph.sites[id].outputs.clone();
        let kinds = self.units.units[unit].exits.clone();
        for ((goal, exit), kind) in goals.into_iter().zip(exits).zip(kinds) {
            let Some((on, state)) = exit else {
                let never = self.translator.pool.not(goal);
                self.formulas.push(never);
                continue;
            };
            self.imply(goal, on);
            if kind == Exit::Fail {
                continue;
            }
            for (variable, output) in &outputs {
                if let Some(value) = state.get(*variable) {
                    let equal = self.translator.pool.eq(*output, value);
                    self.imply(goal, equal);
                }
            }
        }
        Ok(())
    }

    /// Runs a unit as a new instance: for each exit, the literal that it is reached and the state there.
    #[expect(clippy::type_complexity, reason = "a list of pairs that may be missing")]
    fn instantiate(
        &mut self,
        unit: UnitId,
        site: Option<SiteId>,
        state: &State,
    ) -> Result<(InstanceId, Vec<Option<(TermId, State)>>), Unsupported> {
        let instance = self.graph.instances.push(Instance { unit, site, exits: Vec::new() });
        let outer = self.current.replace(instance);
        self.ops = 0;
        let start = Incoming { source: Source::Start, on: self.truth };
        let arrivals = self.region(unit, (start, state.clone()))?;
        let proc = self.units.units[unit].proc;
        let mut exits = Vec::new();
        for (at, arrivals) in arrivals.into_iter().enumerate() {
            let exit = self.units.units[unit].exits[at];
            let cursor = self.join(proc, arrivals, Target::Exit(exit))?;
            self.graph.instances[instance].exits.push(cursor.as_ref().map(|cursor| cursor.node));
            exits.push(cursor.map(|cursor| (cursor.on, cursor.state)));
        }
        self.current = outer;
        Ok((instance, exits))
    }

    /// Runs a unit: the arrivals at each exit.
    fn region(&mut self, id: UnitId, start: Arrival) -> Result<Vec<Vec<Arrival>>, Unsupported> {
        let (proc, entry) = (self.units.units[id].proc, self.units.units[id].entry);
        let mut arrivals: FxHashMap<Target, Vec<Arrival>> = FxHashMap::default();
        arrivals.insert(Target::Block(entry), vec![start]);
        let order = self.units.units[id].order.clone();
        for (target, node) in order {
            let Some(coming) = arrivals.remove(&target) else { continue };
            // At the head of the loop that this is, the same locals are read as the first time.
            let reading = if target == Target::Again { Target::Block(entry) } else { target };
            let Some(cursor) = self.join(proc, coming, reading)? else { continue };
            match node {
                units::Node::Block(block) => self.block(id, block, cursor, &mut arrivals)?,
                units::Node::Loop(inner) => self.enter_loop(id, inner, cursor, &mut arrivals)?,
            }
        }
        let exits = self.units.units[id].exits.clone();
        Ok(exits.into_iter().map(|exit| arrivals.remove(&Target::Exit(exit)).unwrap_or_default()).collect())
    }

    /// Lets a loop be entered where the cursor is.
    fn enter_loop(
        &mut self,
        outer: UnitId,
        inner: UnitId,
        mut cursor: Cursor,
        arrivals: &mut FxHashMap<Target, Vec<Arrival>>,
    ) -> Result<(), Unsupported> {
        let unit = &self.units.units[inner];
        let (globals, locals) = self.effects.of_blocks(self.program, unit.proc, &unit.blocks);
        let proc = unit.proc;
        let mut outputs = Vec::new();
        let exits = unit.exits.clone();
        for global in globals {
            let declared = &self.program.globals[global];
            if exits.iter().any(|exit| self.matters(proc, Target::Exit(*exit), Variable::Global(global))) {
                outputs.push((
                    Variable::Global(global),
                    self.translator.arbitrary(&declared.name, &declared.ty)?,
                ));
            }
        }
        for local in locals {
            if !exits.iter().any(|exit| self.matters(proc, Target::Exit(*exit), Variable::Local(local))) {
                continue;
            }
            let declared = &self.program.procs[proc].locals[local];
            outputs.push((Variable::Local(local), self.translator.arbitrary(&declared.name, &declared.ty)?));
        }
        let entry = cursor.state.clone();
        let site = self.site(inner, &mut cursor, entry, outputs.clone());
        let mut after = cursor.state;
        for (variable, value) in outputs {
            after.set(variable, value);
        }
        for (at, exit) in self.units.units[inner].exits.clone().into_iter().enumerate() {
            let on = self.graph.sites[site].goals[at];
            let target = match exit {
                Exit::To(block) => self.units.units[outer].target(block),
                Exit::Return | Exit::Fail => Target::Exit(exit),
            };
            let incoming = Incoming { source: Source::Site { site, exit: at }, on };
            arrivals.entry(target).or_default().push((incoming, after.clone()));
        }
        Ok(())
    }

    /// Makes a site where the cursor is.
    fn site(
        &mut self,
        unit: UnitId,
        cursor: &mut Cursor,
        entry: State,
        outputs: Vec<(Variable, TermId)>,
    ) -> SiteId {
        let on = self.literal(cursor);
        let mut goals = Vec::new();
        for _ in 0..self.units.units[unit].exits.len() {
            let goal = self.translator.fresh_bool("goal");
            self.imply(goal, on);
            goals.push(goal);
        }
        let origin = self.graph.end(cursor.node);
        let parent = self.current;
        let depth = self.graph.depth(unit, parent);
        self.graph.sites.push(Site { unit, origin, parent, entry, goals, outputs, depth, instance: None })
    }

    /// Runs the ops of a block and hands over to where it leads.
    fn block(
        &mut self,
        unit: UnitId,
        block: ir::BlockId,
        mut cursor: Cursor,
        arrivals: &mut FxHashMap<Target, Vec<Arrival>>,
    ) -> Result<(), Unsupported> {
        let program = self.program;
        let proc = self.units.units[unit].proc;
        for (index, stmt) in program.procs[proc].blocks[block].stmts.iter().enumerate() {
            let at = OpRef { proc, block, index };
            self.ops += 1;
            let mut go = |encoder: &Self, to: ir::BlockId, target, from, on, state: &State| {
                let incoming = Incoming { source: Source::Edge { from, target: Some(target) }, on };
                let to = encoder.units.units[unit].target(to);
                arrivals.entry(to).or_default().push((incoming, state.clone()));
            };
            match &stmt.op {
                Op::Goto(to) => {
                    self.event(&cursor, at, Vec::new());
                    let on = self.literal(&mut cursor);
                    go(self, *to, 0, self.graph.end(cursor.node), on, &cursor.state);
                }
                Op::Branch { cond, then, otherwise } => {
                    let cond = self.eval(*cond, &cursor.state, stmt)?;
                    self.event(&cursor, at, Vec::new());
                    let from = self.graph.end(cursor.node);
                    let not = self.translator.pool.not(cond);
                    for (target, to, cond) in [(0, then, cond), (1, otherwise, not)] {
                        if let Some(on) = self.edge(&mut cursor, Some(cond)) {
                            go(self, *to, target, from, on, &cursor.state);
                        }
                    }
                }
                Op::Choose { targets, .. } => {
                    self.event(&cursor, at, Vec::new());
                    let from = self.graph.end(cursor.node);
                    for (target, to) in targets.iter().enumerate() {
                        if let Some(on) = self.edge(&mut cursor, None) {
                            go(self, *to, target, from, on, &cursor.state);
                        }
                    }
                }
                Op::Return => {
                    self.event(&cursor, at, Vec::new());
                    let on = self.literal(&mut cursor);
                    let source = Source::Edge { from: self.graph.end(cursor.node), target: None };
                    let arrival = (Incoming { source, on }, cursor.state.clone());
                    arrivals.entry(Target::Exit(Exit::Return)).or_default().push(arrival);
                }
                Op::Exit => {}
                Op::Assert { cond, .. } => {
                    let cond = self.eval(*cond, &cursor.state, stmt)?;
                    self.event(&cursor, at, Vec::new());
                    let from = self.graph.end(cursor.node);
                    let not = self.translator.pool.not(cond);
                    if let Some(on) = self.edge(&mut cursor, Some(not)) {
                        let incoming = Incoming { source: Source::Edge { from, target: None }, on };
                        let fail = arrivals.entry(Target::Exit(Exit::Fail)).or_default();
                        fail.push((incoming, cursor.state.clone()));
                    }
                    if !self.assume(&mut cursor, cond) {
                        return Ok(());
                    }
                }
                Op::Call { proc: callee, args, results } => {
                    let args = self.arguments(*callee, args, &cursor.state).map_err(|e| e.at(stmt.span))?;
                    self.event(&cursor, at, Vec::new());
                    let fails = arrivals.entry(Target::Exit(Exit::Fail)).or_default();
                    let after = self.call(*callee, &args, cursor, fails).map_err(|e| e.at(stmt.span))?;
                    let Some((next, values)) = after else { return Ok(()) };
                    cursor = next;
                    let results: Vec<_> = results.iter().zip(values).collect();
                    self.assign(&mut cursor.state, &results).map_err(|error| error.at(stmt.span))?;
                    // The results are there when the ops of the caller go on.
                    self.graph.nodes[cursor.node].start = cursor.state.clone();
                }
                simple => {
                    if !self.simple(&mut cursor, at, simple).map_err(|error| error.at(stmt.span))? {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }

    /// Runs an op that goes on to the next; whether it can.
    fn simple(&mut self, cursor: &mut Cursor, at: OpRef, op: &Op) -> Result<bool, Unsupported> {
        let mut writes = Vec::new();
        let goes_on = match op {
            Op::Assign { targets, values, .. } => {
                let values = self.values(at, targets, values, &cursor.state)?;
                writes = self.assign(&mut cursor.state, &values)?;
                true
            }
            Op::Havoc { targets } => {
                let mut values = Vec::new();
                for (position, place) in targets.iter().enumerate() {
                    let (name, ty) = self.declared(at.proc, place);
                    if ty == Type::Task {
                        return Err(Unsupported::new("an arbitrary task handle"));
                    }
                    if self.liveness.target(at, position) {
                        values.push((place, self.translator.arbitrary(&name, &ty)?));
                    }
                }
                writes = self.assign(&mut cursor.state, &values)?;
                true
            }
            Op::Assume(cond) => {
                let cond = self.translator.eval(*cond, &cursor.state)?;
                self.assume(cursor, cond)
            }
            Op::Await { guard, targets, values } => {
                let guard = self.translator.eval(*guard, &cursor.state)?;
                let values = self.values(at, targets, values, &cursor.state)?;
                let goes_on = self.assume(cursor, guard);
                writes = self.assign(&mut cursor.state, &values)?;
                goes_on
            }
            // With one task there is nobody to switch to.
            Op::AtomicBegin | Op::AtomicEnd | Op::Yield | Op::Progress => true,
            Op::Spawn { .. } => return Err(Unsupported::new("a task is started in a sequential program")),
            Op::Wait { .. } => return Err(Unsupported::new("a wait for a task in a sequential program")),
            Op::Sync(_) => return Err(Unsupported::new("synchronization in a sequential program")),
            Op::Opaque { what, .. } => return Err(Unsupported::new(what)),
            Op::Assert { .. }
            | Op::Call { .. }
            | Op::Goto(_)
            | Op::Branch { .. }
            | Op::Choose { .. }
            | Op::Return
            | Op::Exit => unreachable!("these are run by the caller"),
        };
        self.event(cursor, at, writes);
        Ok(goes_on)
    }

    /// Runs a call on the spot, or leaves it as a site. What comes back are the cursor behind it, with the callers'
    /// locals, and the results; nothing if the callee never returns.
    #[expect(clippy::type_complexity, reason = "a cursor and a list, if any")]
    fn call(
        &mut self,
        callee: ProcId,
        args: &[Option<TermId>],
        mut cursor: Cursor,
        fails: &mut Vec<Arrival>,
    ) -> Result<Option<(Cursor, Vec<TermId>)>, Unsupported> {
        let unit = self.units.of_proc(callee);
        let entry = self.enter(callee, args, &cursor.state)?;
        let exits = self.units.units[unit].exits.clone();
        if self.effects.is_inlined(callee, SMALL, SHALLOW) && self.ops < MOST_AT_ONCE {
            let on = self.literal(&mut cursor);
            let source = Source::Edge { from: self.graph.end(cursor.node), target: None };
            let arrivals = self.region(unit, (Incoming { source, on }, entry))?;
            let mut returned = None;
            for (exit, arrivals) in exits.into_iter().zip(arrivals) {
                if exit == Exit::Return {
                    returned = self.join(callee, arrivals, Target::Exit(exit))?;
                } else {
                    fails.extend(arrivals);
                }
            }
            let Some(mut returned) = returned else { return Ok(None) };
            let results = self.program.procs[callee].results.clone();
            let values = results.iter().map(|local| returned.state.local(*local)).collect::<Option<Vec<_>>>();
            let values = values.ok_or_else(|| Unsupported::new("a result that is not live"))?;
            returned.state = returned.state.with_locals_of(&cursor.state);
            return Ok(Some((returned, values)));
        }
        let mut outputs = Vec::new();
        for global in self.effects.globals(callee).to_vec() {
            let declared = &self.program.globals[global];
            if !self.liveness.after_return(callee, global) {
                continue;
            }
            outputs
                .push((Variable::Global(global), self.translator.arbitrary(&declared.name, &declared.ty)?));
        }
        for local in self.program.procs[callee].results.clone() {
            let declared = &self.program.procs[callee].locals[local];
            outputs.push((Variable::Local(local), self.translator.arbitrary(&declared.name, &declared.ty)?));
        }
        let site = self.site(unit, &mut cursor, entry, outputs.clone());
        let mut after = None;
        for (at, exit) in exits.into_iter().enumerate() {
            let incoming =
                Incoming { source: Source::Site { site, exit: at }, on: self.graph.sites[site].goals[at] };
            if exit == Exit::Fail {
                fails.push((incoming, cursor.state.clone()));
                continue;
            }
            let mut state = cursor.state.clone();
            let mut values = Vec::new();
            for (variable, value) in &outputs {
                match variable {
                    Variable::Global(_) => state.set(*variable, *value),
                    Variable::Local(_) => values.push(*value),
                }
            }
            after = Some((self.node(vec![incoming], state, incoming.on), values));
        }
        Ok(after)
    }

    /// The state in which a procedure starts.
    fn enter(&mut self, proc: ProcId, args: &[Option<TermId>], state: &State) -> Result<State, Unsupported> {
        let declared = &self.program.procs[proc];
        let mut locals = vec![None; declared.locals.len()];
        for (id, local) in &declared.locals {
            if self.liveness.local(proc, declared.entry, id) {
                let at = declared.params.iter().position(|param| *param == id);
                locals[id.as_u32() as usize] = match at {
                    Some(at) => args[at],
                    None => Some(self.initial(&local.name, &local.ty)?),
                };
            }
        }
        Ok(state.with_locals(locals))
    }

    /// What a variable holds before anybody assigns it.
    fn initial(&mut self, name: &str, ty: &Type) -> Result<TermId, Unsupported> {
        if *ty == Type::Task {
            return Ok(self.translator.pool.int(0));
        }
        self.translator.arbitrary(name, ty)
    }

    /// A new node where ways join; nothing if there are none.
    fn join(
        &mut self,
        proc: ProcId,
        arrivals: Vec<Arrival>,
        target: Target,
    ) -> Result<Option<Cursor>, Unsupported> {
        let mut arrivals = arrivals;
        let (incoming, mut state) = match arrivals.len() {
            0 => return Ok(None),
            1 => arrivals.remove(0),
            _ => return self.join_several(proc, &arrivals, target).map(Some),
        };
        self.forget_dead(proc, target, &mut state);
        Ok(Some(self.node(vec![incoming], state, incoming.on)))
    }

    fn join_several(
        &mut self,
        proc: ProcId,
        arrivals: &[Arrival],
        target: Target,
    ) -> Result<Cursor, Unsupported> {
        let program = self.program;
        let on = self.translator.fresh_bool("at");
        let any = self.translator.pool.or(arrivals.iter().map(|(incoming, _)| incoming.on));
        self.imply(on, any);
        let mut state = arrivals[0].1.clone();
        // Nobody looks at the state after a failure.
        if target != Target::Exit(Exit::Fail) {
            if !arrivals.iter().all(|(_, other)| other.shares_globals(&state)) {
                for (id, global) in &program.globals {
                    if self.matters(proc, target, Variable::Global(id)) {
                        self.phi(Variable::Global(id), &global.name, &global.ty, arrivals, &mut state)?;
                    }
                }
            }
            for (id, local) in &program.procs[proc].locals {
                if self.matters(proc, target, Variable::Local(id)) {
                    self.phi(Variable::Local(id), &local.name, &local.ty, arrivals, &mut state)?;
                }
            }
        }
        self.forget_dead(proc, target, &mut state);
        let incoming = arrivals.iter().map(|(incoming, _)| *incoming).collect();
        Ok(self.node(incoming, state, on))
    }

    /// Merges the values of one variable.
    fn phi(
        &mut self,
        variable: Variable,
        name: &str,
        ty: &Type,
        arrivals: &[Arrival],
        state: &mut State,
    ) -> Result<(), Unsupported> {
        let first = state.get(variable);
        if arrivals.iter().all(|(_, other)| other.get(variable) == first) {
            return Ok(());
        }
        // One that has no value was never assigned on this way, so that any will do.
        let values: Vec<(TermId, TermId)> = arrivals
            .iter()
            .filter_map(|(incoming, other)| other.get(variable).map(|value| (incoming.on, value)))
            .collect();
        let merged = self.merge(name, ty, &values)?;
        state.set(variable, merged);
        Ok(())
    }

    /// Whether a variable matters after arriving somewhere.
    fn matters(&self, proc: ProcId, target: Target, variable: Variable) -> bool {
        match (target, variable) {
            (Target::Block(block) | Target::Exit(Exit::To(block)), Variable::Local(id)) => {
                self.liveness.local(proc, block, id)
            }
            (Target::Block(block) | Target::Exit(Exit::To(block)), Variable::Global(id)) => {
                self.liveness.global(proc, block, id)
            }
            (Target::Exit(Exit::Return), Variable::Local(id)) => {
                self.program.procs[proc].results.contains(&id)
            }
            (Target::Exit(Exit::Return), Variable::Global(id)) => self.liveness.after_return(proc, id),
            (Target::Exit(Exit::Fail) | Target::Again, _) => false,
        }
    }

    fn forget_dead(&self, proc: ProcId, target: Target, state: &mut State) {
        for id in self.program.procs[proc].locals.keys() {
            if !self.matters(proc, target, Variable::Local(id)) {
                state.forget(id);
            }
        }
    }

    fn node(&mut self, incoming: Vec<Incoming>, state: State, on: TermId) -> Cursor {
        let node = self.graph.nodes.push(Node { incoming, start: state.clone(), events: Vec::new() });
        Cursor { node, state, on, conditions: Vec::new() }
    }

    fn event(&mut self, cursor: &Cursor, at: OpRef, writes: Vec<(Variable, TermId)>) {
        self.graph.nodes[cursor.node].events.push(Event { at, writes });
    }

    /// The literal that says that a run is where the cursor is.
    fn literal(&mut self, cursor: &mut Cursor) -> TermId {
        if !cursor.conditions.is_empty() {
            let on = self.translator.fresh_bool("on");
            self.imply(on, cursor.on);
            for condition in std::mem::take(&mut cursor.conditions) {
                self.imply(on, condition);
            }
            cursor.on = on;
        }
        cursor.on
    }

    /// A way on from where the cursor is, under a condition or by choice; nothing if it cannot be taken.
    fn edge(&mut self, cursor: &mut Cursor, condition: Option<TermId>) -> Option<TermId> {
        match condition.map(|condition| self.translator.pool.as_bool(condition)) {
            Some(Some(true)) => return Some(self.literal(cursor)),
            Some(Some(false)) => return None,
            Some(None) | None => {}
        }
        let from = self.literal(cursor);
        let on = self.translator.fresh_bool("edge");
        self.imply(on, from);
        if let Some(condition) = condition {
            self.imply(on, condition);
        }
        Some(on)
    }

    /// Goes on only where a condition holds; whether that is possible.
    fn assume(&mut self, cursor: &mut Cursor, condition: TermId) -> bool {
        match self.translator.pool.as_bool(condition) {
            Some(holds) => holds,
            None => {
                cursor.conditions.push(condition);
                self.learn(&mut cursor.state, condition);
                true
            }
        }
    }

    /// Puts values for constants that a condition pins down.
    fn learn(&mut self, state: &mut State, condition: TermId) {
        let pool = &mut self.translator.pool;
        let parts = match pool.term(condition) {
            Term::And(parts) => parts.to_vec(),
            _ => vec![condition],
        };
        for part in parts {
            let (old, new) = match *pool.term(part) {
                Term::Binary(BinaryOp::Eq, a, b) if pool.term(a).is_literal_value() => (b, a),
                Term::Binary(BinaryOp::Eq, a, b) if pool.term(b).is_literal_value() => (a, b),
                Term::Not(a) => (a, pool.bool(false)),
                _ => (part, pool.bool(true)),
            };
            state.replace(old, new);
            let cases = &self.translator.cases;
            state.change(|value| cases.number_if(value, part));
        }
    }

    pub(crate) fn imply(&mut self, a: TermId, b: TermId) {
        let formula = self.translator.pool.implies(a, b);
        if formula != self.truth {
            self.formulas.push(formula);
        }
    }

    fn eval(&mut self, expr: ExprId, state: &State, stmt: &ir::Stmt) -> Result<TermId, Unsupported> {
        self.translator.eval(expr, state).map_err(|error| error.at(stmt.span))
    }

    fn eval_all(&mut self, exprs: &[ExprId], state: &State) -> Result<Vec<TermId>, Unsupported> {
        exprs.iter().map(|expr| self.translator.eval(*expr, state)).collect()
    }

    /// The values of an assignment to the targets that matter.
    fn values<'a>(
        &mut self,
        at: OpRef,
        targets: &'a [Place],
        values: &[ExprId],
        state: &State,
    ) -> Result<Vec<(&'a Place, TermId)>, Unsupported> {
        let mut assigned = Vec::new();
        for (position, (place, value)) in targets.iter().zip(values).enumerate() {
            if self.liveness.target(at, position) {
                assigned.push((place, self.translator.eval(*value, state)?));
            }
        }
        Ok(assigned)
    }

    /// The arguments of a call; nothing for parameters that do not matter.
    fn arguments(
        &mut self,
        callee: ProcId,
        args: &[ExprId],
        state: &State,
    ) -> Result<Vec<Option<TermId>>, Unsupported> {
        let program = self.program;
        let declared = &program.procs[callee];
        let mut values = Vec::new();
        for (param, arg) in declared.params.iter().zip(args) {
            let matters = self.liveness.local(callee, declared.entry, *param);
            values.push(if matters { Some(self.translator.eval(*arg, state)?) } else { None });
        }
        Ok(values)
    }

    /// Assigns values to places, whose indices are evaluated first.
    fn assign(
        &mut self,
        state: &mut State,
        targets: &[(&Place, TermId)],
    ) -> Result<Vec<(Variable, TermId)>, Unsupported> {
        let mut evaluated = Vec::new();
        for (place, value) in targets {
            evaluated.push((variable(place), self.eval_all(&place.path.concat(), state)?, *value));
        }
        let mut writes: Vec<(Variable, TermId)> = Vec::new();
        for (variable, indices, value) in evaluated {
            let value = match state.get(variable) {
                _ if indices.is_empty() => value,
                Some(old) => self.translator.store(old, &indices, value),
                // The other cells do not matter, and neither does this one.
                None => continue,
            };
            state.set(variable, value);
            writes.retain(|(known, _)| *known != variable);
            writes.push((variable, value));
        }
        Ok(writes)
    }

    /// Name and type of what a place holds.
    fn declared(&self, proc: ProcId, place: &Place) -> (String, Type) {
        let (name, ty) = match place.base {
            PlaceBase::Global(id) => (&self.program.globals[id].name, &self.program.globals[id].ty),
            PlaceBase::Local(id) => {
                let local = &self.program.procs[proc].locals[id];
                (&local.name, &local.ty)
            }
        };
        let mut ty = ty.clone();
        for _ in &place.path {
            if let Some(map) = ty.as_map() {
                ty = map.result.clone();
            }
        }
        (name.clone(), ty)
    }
}

/// The variable of a place.
pub(crate) fn variable(place: &Place) -> Variable {
    match place.base {
        PlaceBase::Global(id) => Variable::Global(id),
        PlaceBase::Local(id) => Variable::Local(id),
    }
}
