//! Variables that keep ways apart.
//!
//! Nearly everything that a sequentialized program does depends on the round of the running task. So runs in different
//! rounds are not merged where ways join: for each value of the *split* variables there is a node of its own, in which
//! they are plain numbers. What is then in the formulas is the program's own data.
//!
//! A loop, or a call that is not inlined, is left in several ways too: by an exit, with values of the split variables. Which
//! of them there are is found out by running the unit on these variables alone, with everything else arbitrary.

use formula::Values;
use std::rc::Rc;

use engine::Variable;
use ir::{GlobalId, LocalId, Op, Place, PlaceBase, ProcId, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::TermId;

use crate::Unsupported;
use crate::encode::{Encoder, variable};
use crate::state::State;
use crate::units::{Exit, Node, Target, UnitId};

/// The values of the split variables, in their order.
pub(crate) type Key = Rc<[TermId]>;

/// A way out of a unit.
pub(crate) type Leave = (Exit, Key);

/// A variable that keeps ways apart, and the values that it can have.
#[derive(Clone, Debug)]
pub(crate) struct Split {
    pub(crate) global: GlobalId,
    pub(crate) domain: Vec<TermId>,
}

/// How units are left, as far as it is known.
#[derive(Debug, Default)]
pub(crate) struct Summaries {
    /// For each unit and the values with which it is entered.
    known: FxHashMap<(UnitId, Key), Rc<[Leave]>>,
    /// Of each procedure, a state in which nothing is known.
    blank: FxHashMap<ProcId, State>,
}

impl Encoder<'_> {
    /// The values of the split variables.
    pub(crate) fn key(&self, state: &State) -> Key {
        self.split.iter().map(|split| state.global(split.global)).collect()
    }

    /// The ways out of a unit that is entered in a state.
    pub(crate) fn leaves(&mut self, unit: UnitId, state: &State) -> Result<Rc<[Leave]>, Unsupported> {
        if self.split.is_empty() {
            let none: Key = Rc::new([]);
            let exits = self.units()[unit].exits.iter();
            return Ok(exits.map(|exit| (*exit, Rc::clone(&none))).collect());
        }
        let wanted = (unit, self.key(state));
        if let Some(known) = self.summaries.known.get(&wanted) {
            return Ok(Rc::clone(known));
        }
        // Units that need each other are run again until none is left in a new way.
        let mut pending = vec![wanted.clone()];
        let mut found: FxHashMap<(UnitId, Key), Vec<Leave>> = FxHashMap::default();
        found.insert(wanted.clone(), Vec::new());
        loop {
            let mut changed = false;
            let mut at = 0;
            while let Some(entered) = pending.get(at).cloned() {
                at += 1;
                let mut run = Run { found: &mut found, pending: &mut pending, changed: false };
                let leaves = self.run_unit(&entered, &mut run)?;
                changed |= run.changed;
                let before = found.insert(entered, leaves.clone());
                changed |= before.is_none_or(|before| before != leaves);
            }
            if !changed {
                break;
            }
        }
        for (entered, leaves) in found {
            self.summaries.known.insert(entered, leaves.into());
        }
        Ok(Rc::clone(&self.summaries.known[&wanted]))
    }

    /// A state of a procedure in which nothing is known.
    fn blank(&mut self, proc: ProcId) -> Result<State, Unsupported> {
        if let Some(blank) = self.summaries.blank.get(&proc) {
            return Ok(blank.clone());
        }
        let program = self.program;
        let (mut globals, mut locals) = (Vec::new(), Vec::new());
        for global in program.globals.values() {
            globals.push(self.translator.arbitrary("any", &global.ty)?);
        }
        for local in program.procs[proc].locals.values() {
            locals.push(Some(self.translator.arbitrary("any", &local.ty)?));
        }
        let blank = State::new(globals).with_locals(locals);
        self.summaries.blank.insert(proc, blank.clone());
        Ok(blank)
    }

    /// The ways out of a unit that others need, as far as they are known yet.
    fn leaves_yet(&self, run: &mut Run<'_>, unit: UnitId, key: Key) -> Vec<Leave> {
        let entered = (unit, key);
        if let Some(leaves) = self.summaries.known.get(&entered) {
            return leaves.to_vec();
        }
        if let Some(leaves) = run.found.get(&entered) {
            return leaves.clone();
        }
        run.found.insert(entered.clone(), Vec::new());
        run.pending.push(entered);
        run.changed = true;
        Vec::new()
    }

    /// Runs a unit on the split variables, and on the locals that hold copies of them.
    fn run_unit(
        &mut self,
        (unit, key): &(UnitId, Key),
        run: &mut Run<'_>,
    ) -> Result<Vec<Leave>, Unsupported> {
        let (proc, entry) = (self.units()[*unit].proc, self.units()[*unit].entry);
        let unknown = self.blank(proc)?;
        let mut start = unknown.clone();
        self.set_key(&mut start, key);
        let mut at: FxHashMap<Target, Vec<Copies>> = FxHashMap::default();
        at.insert(Target::Block(entry), vec![self.copies(proc, &start, &unknown)]);
        let order = self.units()[*unit].order.clone();
        let mut leaves: Vec<Leave> = Vec::new();
        for (target, node) in order {
            for copies in at.remove(&target).unwrap_or_default() {
                if self.is_stopped() {
                    return Ok(leaves);
                }
                let state = copies.state(self, &unknown);
                let mut next = Vec::new();
                match node {
                    Node::Block(block) => self.run_block(*unit, block, state, &unknown, run, &mut next)?,
                    Node::Loop(inner) => {
                        for (exit, key) in self.leaves_yet(run, inner, self.key(&state)) {
                            let mut after = unknown.clone();
                            self.set_key(&mut after, &key);
                            let target = match exit {
                                Exit::To(block) => self.units()[*unit].target(block),
                                Exit::Return | Exit::Fail => Target::Exit(exit),
                            };
                            next.push((target, after));
                        }
                    }
                }
                for (target, state) in next {
                    if let Target::Exit(exit) = target {
                        let leave = (exit, if exit == Exit::Fail { Rc::new([]) } else { self.key(&state) });
                        if !leaves.contains(&leave) {
                            leaves.push(leave);
                        }
                        continue;
                    }
                    let copies = self.copies(proc, &state, &unknown);
                    let there = at.entry(target).or_default();
                    if !there.contains(&copies) {
                        there.push(copies);
                    }
                }
            }
        }
        leaves.sort();
        Ok(leaves)
    }

    fn run_block(
        &mut self,
        unit: UnitId,
        block: ir::BlockId,
        state: State,
        unknown: &State,
        run: &mut Run<'_>,
        next: &mut Vec<(Target, State)>,
    ) -> Result<(), Unsupported> {
        let program = self.program;
        let proc = self.units()[unit].proc;
        let mut work = vec![(0, state)];
        'work: while let Some((first, state)) = work.pop() {
            for (index, stmt) in program.procs[proc].blocks[block].stmts.iter().enumerate().skip(first) {
                let goes = |encoder: &Self, to: ir::BlockId| encoder.units()[unit].target(to);
                match &stmt.op {
                    Op::Goto(to) => next.push((goes(self, *to), state.clone())),
                    Op::Choose { targets, .. } => {
                        next.extend(targets.iter().map(|to| (goes(self, *to), state.clone())));
                    }
                    Op::Branch { cond, then, otherwise } => {
                        let known = self.known_bool(*cond, &state)?;
                        for (to, value) in [(then, true), (otherwise, false)] {
                            if known.is_none_or(|known| known == value) {
                                next.push((goes(self, *to), state.clone()));
                            }
                        }
                    }
                    Op::Return => next.push((Target::Exit(Exit::Return), state.clone())),
                    Op::Exit => continue 'work,
                    Op::Assert { cond, .. } => {
                        let known = self.known_bool(*cond, &state)?;
                        if known != Some(true) {
                            next.push((Target::Exit(Exit::Fail), state.clone()));
                        }
                        if known == Some(false) {
                            continue 'work;
                        }
                    }
                    Op::Assume(cond) => {
                        if self.known_bool(*cond, &state)? == Some(false) {
                            continue 'work;
                        }
                    }
                    Op::Assign { targets, values, .. } => {
                        let assigned = targets.iter().zip(values).map(|(place, value)| (place, Some(*value)));
                        let states = self.run_assign(proc, &state, unknown, assigned.collect())?;
                        work.extend(states.into_iter().map(|state| (index + 1, state)));
                        continue 'work;
                    }
                    Op::Call { proc: callee, results, .. } => {
                        let callee = self.units.of_proc(*callee);
                        for (exit, key) in self.leaves_yet(run, callee, self.key(&state)) {
                            if exit == Exit::Fail {
                                next.push((Target::Exit(exit), state.clone()));
                                continue;
                            }
                            let mut after = state.clone();
                            self.set_key(&mut after, &key);
                            let assigned = results.iter().map(|place| (place, None)).collect();
                            let states = self.run_assign(proc, &after, unknown, assigned)?;
                            work.extend(states.into_iter().map(|state| (index + 1, state)));
                        }
                        continue 'work;
                    }
                    other => {
                        let mut places = Vec::new();
                        other.for_each_target(|place| places.push(place.clone()));
                        if !places.is_empty() {
                            let assigned = places.iter().map(|place| (place, None)).collect();
                            let states = self.run_assign(proc, &state, unknown, assigned)?;
                            work.extend(states.into_iter().map(|state| (index + 1, state)));
                            continue 'work;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn known_bool(&mut self, cond: ir::ExprId, state: &State) -> Result<Option<bool>, Unsupported> {
        let cond = self.translator.eval(cond, state)?;
        Ok(self.translator.pool.as_bool(cond))
    }

    pub(crate) fn set_key(&self, state: &mut State, key: &Key) {
        for (split, value) in self.split.iter().zip(key.iter()) {
            state.set(Variable::Global(split.global), *value);
        }
    }

    /// Assigns what is known; a split variable that gets an unknown value gets each that it can have.
    fn run_assign(
        &mut self,
        proc: ProcId,
        state: &State,
        unknown: &State,
        assigned: Vec<(&Place, Option<ir::ExprId>)>,
    ) -> Result<Vec<State>, Unsupported> {
        let mut after = state.clone();
        let mut open = Vec::new();
        for (place, value) in assigned {
            let split = match place.base {
                PlaceBase::Global(id) => match self.split.iter().find(|split| split.global == id) {
                    Some(split) => Some(split.clone()),
                    None => continue,
                },
                PlaceBase::Local(id) if self.copying.contains(&(proc, id)) => None,
                PlaceBase::Local(_) => continue,
            };
            let value = match value {
                Some(value) if place.path.is_empty() => Some(self.translator.eval(value, state)?),
                _ => None,
            };
            let known = value.filter(|value| self.translator.pool.term(*value).is_literal_value());
            match (known, split) {
                (Some(known), _) => after.set(variable(place), known),
                (None, Some(split)) => open.push(split),
                (None, None) => {
                    if let Some(value) = unknown.get(variable(place)) {
                        after.set(variable(place), value);
                    }
                }
            }
        }
        let mut states = vec![after];
        for split in open {
            let each = |state: &State| {
                split
                    .domain
                    .iter()
                    .map(|value| {
                        let mut state = state.clone();
                        state.set(Variable::Global(split.global), *value);
                        state
                    })
                    .collect::<Vec<_>>()
            };
            states = states.iter().flat_map(each).collect();
        }
        Ok(states)
    }

    fn copies(&self, proc: ProcId, state: &State, unknown: &State) -> Copies {
        let copying = self.program.procs[proc].locals.keys().filter(|id| self.copying.contains(&(proc, *id)));
        let known = |id| state.local(id).filter(|value| unknown.local(id) != Some(*value));
        let locals = copying.filter_map(|id| known(id).map(|value| (id, value))).collect();
        Copies { key: self.key(state), locals }
    }
}

/// What is known of a state: the split variables, and locals.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Copies {
    key: Key,
    locals: Vec<(LocalId, TermId)>,
}

impl Copies {
    fn state(&self, encoder: &Encoder<'_>, unknown: &State) -> State {
        let mut state = unknown.clone();
        encoder.set_key(&mut state, &self.key);
        for (local, value) in &self.locals {
            state.set(Variable::Local(*local), *value);
        }
        state
    }
}

/// The units that are being run.
struct Run<'a> {
    found: &'a mut FxHashMap<(UnitId, Key), Vec<Leave>>,
    pending: &'a mut Vec<(UnitId, Key)>,
    changed: bool,
}

/// The locals that hold copies of split variables: those that are assigned one somewhere. Others are not followed.
pub(crate) fn copying_locals(program: &Program, split: &[Split]) -> FxHashSet<(ProcId, LocalId)> {
    let mut copying = FxHashSet::default();
    for (id, proc) in &program.procs {
        for (.., stmt) in proc.stmts() {
            let Op::Assign { targets, values, .. } = &stmt.op else { continue };
            for (place, value) in targets.iter().zip(values) {
                let ir::ExprNode::Global(global, _) = program.exprs.node(*value) else { continue };
                if let PlaceBase::Local(local) = place.base
                    && split.iter().any(|split| split.global == *global)
                {
                    copying.insert((id, local));
                }
            }
        }
    }
    copying
}
