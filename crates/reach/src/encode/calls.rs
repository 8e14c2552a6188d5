//! Calls and entries of loops: run on the spot, or left as sites.

use formula::Values;
use std::rc::Rc;

use engine::Variable;
use ir::{GlobalId, ProcId, Type};
use rustc_hash::FxHashMap;
use smt::TermId;

use super::{Arrival, Cursor, Encoder, MOST_AT_ONCE, SHALLOW, SMALL};
use crate::Unsupported;
use crate::graph::{Incoming, Site, SiteId, Source};
use crate::state::State;
use crate::units::{Exit, Target, UnitId};

impl Encoder<'_> {
    /// Lets a loop be entered where the cursor is: at once if the bound allows it and it is not too much, and else as a
    /// site.
    pub(super) fn enter_loop(
        &mut self,
        outer: UnitId,
        inner: UnitId,
        mut cursor: Cursor,
        arrivals: &mut FxHashMap<Target, Vec<Arrival>>,
    ) -> Result<(), Unsupported> {
        if self.depth(inner) > self.bound {
            self.cut(&mut cursor);
            return Ok(());
        }
        if self.ops < MOST_AT_ONCE {
            let on = self.literal(&mut cursor);
            let source = Source::Edge { from: self.graph.end(cursor.node), target: None };
            self.around.push(inner);
            let inside = self.region(inner, (Incoming { source, on }, cursor.state))?;
            self.around.pop();
            for (exit, inside) in self.units.units[inner].exits.clone().into_iter().zip(inside) {
                let target = self.beyond(outer, exit);
                arrivals.entry(target).or_default().extend(inside);
            }
            return Ok(());
        }
        let unit = &self.units.units[inner];
        let (globals, locals) = self.effects.of_blocks(self.program, unit.proc, &unit.blocks);
        let proc = unit.proc;
        let mut outputs = Vec::new();
        let exits = unit.exits.clone();
        for global in globals.into_iter().filter(|id| !self.is_split_variable(*id)).collect::<Vec<_>>() {
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
        let site = self.site(inner, &mut cursor, entry, outputs.clone())?;
        let mut after = cursor.state;
        for (variable, value) in outputs {
            after.set(variable, value);
        }
        for (at, (exit, key)) in Rc::clone(&self.graph.sites[site].leaves).iter().enumerate() {
            let on = self.graph.sites[site].goals[at];
            let target = self.beyond(outer, *exit);
            let mut after = after.clone();
            self.set_key(&mut after, key);
            let incoming = Incoming { source: Source::Site { site, leave: at }, on };
            arrivals.entry(target).or_default().push((incoming, after));
        }
        Ok(())
    }

    /// The bound does not allow to go on.
    fn cut(&mut self, cursor: &mut Cursor) {
        let on = self.literal(cursor);
        self.cuts.push(on);
    }

    /// Where a loop inside a unit leads.
    fn beyond(&self, outer: UnitId, exit: Exit) -> Target {
        match exit {
            Exit::To(block) => self.units.units[outer].target(block),
            Exit::Return | Exit::Fail => Target::Exit(exit),
        }
    }

    /// How many units around the current place are this one.
    fn depth(&self, unit: UnitId) -> u32 {
        u32::try_from(self.around.iter().filter(|around| **around == unit).count()).unwrap_or(u32::MAX)
    }

    fn is_split_variable(&self, global: GlobalId) -> bool {
        self.split.iter().any(|split| split.global == global)
    }

    /// Makes a site where the cursor is.
    pub(super) fn site(
        &mut self,
        unit: UnitId,
        cursor: &mut Cursor,
        entry: State,
        outputs: Vec<(Variable, TermId)>,
    ) -> Result<SiteId, Unsupported> {
        let leaves = self.leaves(unit, &entry)?;
        let on = self.literal(cursor);
        let mut goals = Vec::new();
        for _ in leaves.iter() {
            let goal = self.translator.fresh_bool("goal");
            self.imply(goal, on);
            goals.push(goal);
        }
        let origin = self.graph.end(cursor.node);
        let parent = self.current;
        let around = self.around.as_slice().into();
        let site = Site { unit, origin, parent, entry, leaves, goals, outputs, around, instance: None };
        Ok(self.graph.sites.push(site))
    }

    /// Runs a call on the spot, or leaves it as a site. What comes back are the cursors behind it, with the callers'
    /// locals, and the results; none if the callee never returns.
    pub(super) fn call(
        &mut self,
        callee: ProcId,
        args: &[Option<TermId>],
        mut cursor: Cursor,
        fails: &mut Vec<Arrival>,
    ) -> Result<Vec<(Cursor, Vec<TermId>)>, Unsupported> {
        let unit = self.units.of_proc(callee);
        let entry = self.enter(callee, args, &cursor.state)?;
        let exits = self.units.units[unit].exits.clone();
        if self.effects.is_inlined(callee, SMALL, SHALLOW) && self.ops < MOST_AT_ONCE {
            let on = self.literal(&mut cursor);
            let source = Source::Edge { from: self.graph.end(cursor.node), target: None };
            let arrivals = self.region(unit, (Incoming { source, on }, entry))?;
            let mut returned = Vec::new();
            for (exit, arrivals) in exits.into_iter().zip(arrivals) {
                if exit == Exit::Return {
                    returned = self.join(callee, arrivals, Target::Exit(exit))?;
                } else {
                    fails.extend(arrivals);
                }
            }
            let results = self.program.procs[callee].results.clone();
            let mut after = Vec::new();
            for mut returned in returned {
                let values = results.iter().map(|local| returned.state.local(*local));
                let values = values.collect::<Option<Vec<_>>>();
                let values = values.ok_or_else(|| Unsupported::new("a result that is not live"))?;
                returned.state = returned.state.with_locals_of(&cursor.state);
                after.push((returned, values));
            }
            return Ok(after);
        }
        if self.depth(unit) > self.bound {
            self.cut(&mut cursor);
            return Ok(Vec::new());
        }
        let mut outputs = Vec::new();
        for global in self.effects.globals(callee).to_vec() {
            let declared = &self.program.globals[global];
            if !self.liveness.after_return(callee, global) || self.is_split_variable(global) {
                continue;
            }
            outputs
                .push((Variable::Global(global), self.translator.arbitrary(&declared.name, &declared.ty)?));
        }
        for local in self.program.procs[callee].results.clone() {
            let declared = &self.program.procs[callee].locals[local];
            outputs.push((Variable::Local(local), self.translator.arbitrary(&declared.name, &declared.ty)?));
        }
        let site = self.site(unit, &mut cursor, entry, outputs.clone())?;
        let mut after = Vec::new();
        for (at, (exit, key)) in Rc::clone(&self.graph.sites[site].leaves).iter().enumerate() {
            let incoming =
                Incoming { source: Source::Site { site, leave: at }, on: self.graph.sites[site].goals[at] };
            if *exit == Exit::Fail {
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
            self.set_key(&mut state, key);
            after.push((self.node(vec![incoming], state, incoming.on), values));
        }
        Ok(after)
    }

    /// The state in which a procedure starts.
    pub(super) fn enter(
        &mut self,
        proc: ProcId,
        args: &[Option<TermId>],
        state: &State,
    ) -> Result<State, Unsupported> {
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
    pub(super) fn initial(&mut self, name: &str, ty: &Type) -> Result<TermId, Unsupported> {
        if *ty == Type::Task {
            return Ok(self.translator.pool.int(0));
        }
        self.translator.arbitrary(name, ty)
    }
}
