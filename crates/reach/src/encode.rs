//! From units to formulas: passive form and block reachability.
//!
//! A unit is run symbolically from its start to its exits, each block once, in topological order. Variables hold terms,
//! so that constants fold and branches that they decide vanish. Where ways join, a variable that differs gets a new
//! constant. Small callees are run on the spot; any other call, and each entry of a loop, is left as a site to be
//! inlined when somebody needs it (Lal, Qadeer and Lahiri, "A Solver for Reachability Modulo Theories", CAV 2012).

mod calls;
mod join;
mod ops;

use std::rc::Rc;

use cranelift_entity::PrimaryMap;
use engine::Variable;
use ir::{GlobalId, LocalId, Op, OpRef, Place, PlaceBase, ProcId, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{BinaryOp, Term, TermId};

use crate::effects::Effects;
use crate::graph::{Event, Graph, Incoming, Instance, InstanceId, Node, NodeId, SiteId, Source};
use crate::liveness::Liveness;
use crate::split::{Split, Summaries, copying_locals};
use crate::state::State;
use crate::units::{self, Exit, Target, UnitId, Units};
use crate::{Literal, Options, Unsupported};
use formula::{Translator, Values};

/// A callee with at most so many ops, those of its callees included, is inlined at once.
const SMALL: usize = 2000;
/// And if calls nest at most so deep.
const SHALLOW: usize = 40;
/// As long as the instance has not run more ops than this. So long, loops are gone round at once, too.
const MOST_AT_ONCE: usize = 200_000;

/// After so many stretches of ops it is asked whether to stop.
const TICKS: u32 = 256;

/// Builds the graph and the formulas.
pub(crate) struct Encoder<'p> {
    /// Asked from time to time, and what it said: then what was made is worth nothing.
    stop: &'p dyn Fn() -> bool,
    pub(crate) stopped: bool,
    ticks: u32,
    pub(crate) program: &'p Program,
    effects: Effects,
    pub(crate) units: Units,
    liveness: Liveness,
    /// What keeps ways apart, the locals that hold copies of it, and what is known of units in this respect.
    pub(crate) split: Vec<Split>,
    pub(crate) copying: FxHashSet<(ProcId, LocalId)>,
    pub(crate) summaries: Summaries,
    pub(crate) translator: Translator<'p>,
    pub(crate) graph: Graph,
    /// What is to be asserted, since it was last taken.
    formulas: Vec<TermId>,
    /// How often a loop may jump back, or a procedure call itself, and where one would have to do so more often.
    bound: u32,
    cuts: Vec<TermId>,
    /// The instance that is being built, the units around the current place, and the ops run in the instance.
    current: Option<InstanceId>,
    around: Vec<UnitId>,
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
    /// An encoder that goes round loops as often as the bound says without being asked.
    pub(crate) fn new(mut translator: Translator<'p>, options: &Options<'p>, bound: u32) -> Self {
        let program = translator.program;
        let effects = Effects::new(program);
        let units = Units::new(program, &effects);
        let truth = translator.pool.bool(true);
        let pool = &mut translator.pool;
        let mut literal = |value: &Literal| match *value {
            Literal::Bool(value) => pool.bool(value),
            Literal::Int(value) => pool.int(value),
        };
        let split: Vec<Split> = options
            .split
            .iter()
            .map(|(global, domain)| Split {
                global: *global,
                domain: domain.iter().map(&mut literal).collect(),
            })
            .collect();
        let copying = copying_locals(program, &split);
        let observed: Vec<GlobalId> =
            options.observed.iter().copied().chain(split.iter().map(|split| split.global)).collect();
        Encoder {
            stop: options.stop,
            stopped: false,
            ticks: 0,
            program,
            units,
            effects,
            liveness: Liveness::new(program, &observed),
            split,
            copying,
            summaries: Summaries::default(),
            translator,
            graph: Graph::default(),
            formulas: Vec::new(),
            bound,
            cuts: Vec::new(),
            current: None,
            around: Vec::new(),
            ops: 0,
            truth,
        }
    }

    pub(crate) fn units(&self) -> &PrimaryMap<UnitId, units::Unit> {
        &self.units.units
    }

    /// A literal that says that a run comes to where the bound does not allow to go on; nothing if none can.
    pub(crate) fn beyond_bound(&mut self) -> Option<TermId> {
        if self.cuts.is_empty() {
            return None;
        }
        let beyond = self.translator.fresh_bool("beyond");
        let any = self.translator.pool.or(self.cuts.iter().copied());
        self.imply(beyond, any);
        Some(beyond)
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
        let (instance, arrivals) = self.instantiate(unit, None, &state)?;
        let mut goal = None;
        for (exit, arrivals) in self.units.units[unit].exits.clone().into_iter().zip(arrivals) {
            let cursor =
                if exit == Exit::Fail { self.join_all(entry, arrivals, Target::Exit(exit))? } else { None };
            self.graph.instances[instance].exits.push(cursor.as_ref().map(|cursor| cursor.node));
            goal = goal.or(cursor.map(|cursor| cursor.on));
        }
        Ok((instance, goal))
    }

    /// Inlines a site.
    pub(crate) fn expand(&mut self, id: SiteId) -> Result<(), Unsupported> {
        let site = &self.graph.sites[id];
        let (unit, entry, leaves) = (site.unit, site.entry.clone(), Rc::clone(&site.leaves));
        self.around = site.around.to_vec();
        let (instance, arrivals) = self.instantiate(unit, Some(id), &entry)?;
        self.graph.sites[id].instance = Some(instance);
        let goals = self.graph.sites[id].goals.clone();
        let outputs = self.graph.sites[id].outputs.clone();
        let exits = self.units.units[unit].exits.clone();
        let proc = self.units.units[unit].proc;
        let mut nodes = vec![None; goals.len()];
        for (exit, arrivals) in exits.into_iter().zip(arrivals) {
            for (key, arrivals) in self.by_key(arrivals, Target::Exit(exit)) {
                let Some(cursor) = self.join_all(proc, arrivals, Target::Exit(exit))? else { continue };
                let Some(at) = leaves.iter().position(|leave| *leave == (exit, Rc::clone(&key))) else {
                    return Err(Unsupported::new("a loop that is left with values that are not foreseen"));
                };
                nodes[at] = Some(cursor.node);
                self.imply(goals[at], cursor.on);
                if exit == Exit::Fail {
                    continue;
                }
                for (variable, output) in &outputs {
                    if let Some(value) = cursor.state.get(*variable) {
                        let equal = self.translator.pool.eq(*output, value);
                        self.imply(goals[at], equal);
                    }
                }
            }
        }
        for (goal, _) in goals.iter().zip(&nodes).filter(|(_, node)| node.is_none()) {
            let never = self.translator.pool.not(*goal);
            self.formulas.push(never);
        }
        self.graph.instances[instance].exits = nodes;
        Ok(())
    }

    /// Runs a unit as a new instance: for each exit, how control comes there.
    fn instantiate(
        &mut self,
        unit: UnitId,
        site: Option<SiteId>,
        state: &State,
    ) -> Result<(InstanceId, Vec<Vec<Arrival>>), Unsupported> {
        let instance = self.graph.instances.push(Instance { unit, site, exits: Vec::new() });
        self.current = Some(instance);
        self.ops = 0;
        self.around.push(unit);
        let start = Incoming { source: Source::Start, on: self.truth };
        let arrivals = self.region(unit, (start, state.clone()))?;
        self.around.pop();
        Ok((instance, arrivals))
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
            for cursor in self.join(proc, coming, reading)? {
                match node {
                    units::Node::Block(block) => self.block(id, block, cursor, &mut arrivals)?,
                    units::Node::Loop(inner) => self.enter_loop(id, inner, cursor, &mut arrivals)?,
                }
            }
        }
        let exits = self.units.units[id].exits.clone();
        Ok(exits.into_iter().map(|exit| arrivals.remove(&Target::Exit(exit)).unwrap_or_default()).collect())
    }

    /// Whether to stop, which is asked now and then.
    pub(crate) fn is_stopped(&mut self) -> bool {
        self.ticks = self.ticks.wrapping_add(1);
        self.stopped |= self.ticks.is_multiple_of(TICKS) && (self.stop)();
        self.stopped
    }

    /// Runs the ops of a block and hands over to where it leads.
    fn block(
        &mut self,
        unit: UnitId,
        block: ir::BlockId,
        cursor: Cursor,
        arrivals: &mut FxHashMap<Target, Vec<Arrival>>,
    ) -> Result<(), Unsupported> {
        // Ways that a call, or the value of a split variable, keeps apart go on one after the other.
        let mut ways = vec![(0, cursor)];
        while let Some((first, cursor)) = ways.pop() {
            if self.is_stopped() {
                return Ok(());
            }
            self.ops_from(unit, block, first, cursor, &mut ways, arrivals)?;
        }
        Ok(())
    }

    /// Runs the ops of a block from one of them on, until it ends or the way parts.
    fn ops_from(
        &mut self,
        unit: UnitId,
        block: ir::BlockId,
        first: usize,
        mut cursor: Cursor,
        ways: &mut Vec<(usize, Cursor)>,
        arrivals: &mut FxHashMap<Target, Vec<Arrival>>,
    ) -> Result<(), Unsupported> {
        let program = self.program;
        let proc = self.units.units[unit].proc;
        for (index, stmt) in program.procs[proc].blocks[block].stmts.iter().enumerate().skip(first) {
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
                    for (mut next, values) in after.into_iter().rev() {
                        let results: Vec<_> = results.iter().zip(values).collect();
                        self.assign(&mut next.state, &results).map_err(|error| error.at(stmt.span))?;
                        // The results are there when the ops of the caller go on.
                        self.graph.nodes[next.node].start = next.state.clone();
                        ways.extend(self.part(next).into_iter().map(|cursor| (index + 1, cursor)));
                    }
                    return Ok(());
                }
                simple => {
                    if !self.simple(&mut cursor, at, simple).map_err(|error| error.at(stmt.span))? {
                        return Ok(());
                    }
                    if !self.is_split(&cursor.state) {
                        ways.extend(self.part(cursor).into_iter().map(|cursor| (index + 1, cursor)));
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }

    fn node(&mut self, incoming: Vec<Incoming>, state: State, on: TermId) -> Cursor {
        let node = self.graph.nodes.push(Node { incoming, start: state.clone(), events: Vec::new() });
        Cursor { node, state, on, conditions: Vec::new() }
    }

    fn event(&mut self, cursor: &Cursor, at: OpRef, writes: Vec<(Variable, TermId)>) {
        self.graph.nodes[cursor.node].events.push(Event { at, writes });
    }

    /// Whether all split variables are plain values.
    fn is_split(&self, state: &State) -> bool {
        let pool = &self.translator.pool;
        self.split.iter().all(|split| pool.term(state.global(split.global)).is_literal_value())
    }

    /// Keeps apart what a split variable can be, if that is not known.
    fn part(&mut self, cursor: Cursor) -> Vec<Cursor> {
        let pool = &self.translator.pool;
        let value = |split: &Split| cursor.state.global(split.global);
        let open = self.split.iter().find(|split| !pool.term(value(split)).is_literal_value());
        let Some(Split { global, domain }) = open.cloned() else { return vec![cursor] };
        let mut cursor = cursor;
        let value = cursor.state.global(global);
        let cases = self.translator.cases.of(&mut self.translator.pool, value);
        let cases = cases.map(|cases| cases.to_vec());
        let cases = cases.unwrap_or_else(|| {
            domain.into_iter().map(|number| (number, self.translator.pool.eq(value, number))).collect()
        });
        let from = self.graph.end(cursor.node);
        let mut parts = Vec::new();
        for (number, when) in cases {
            let Some(on) = self.edge(&mut cursor, Some(when)) else { continue };
            let mut state = cursor.state.clone();
            self.learn(&mut state, when);
            state.set(Variable::Global(global), number);
            let incoming = Incoming { source: Source::Edge { from, target: None }, on };
            let part = self.node(vec![incoming], state, on);
            parts.extend(self.part(part));
        }
        parts
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
            state.learn(old, new);
            let cases = &self.translator.cases;
            state.learn_all(|value| cases.number_if(value, part));
        }
    }

    pub(crate) fn imply(&mut self, a: TermId, b: TermId) {
        let formula = self.translator.pool.implies(a, b);
        if formula != self.truth {
            self.formulas.push(formula);
        }
    }
}

/// The variable of a place.
pub(crate) fn variable(place: &Place) -> Variable {
    match place.base {
        PlaceBase::Global(id) => Variable::Global(id),
        PlaceBase::Local(id) => Variable::Local(id),
    }
}
