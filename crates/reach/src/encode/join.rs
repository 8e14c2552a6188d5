//! Where ways join.

use std::rc::Rc;

use engine::Variable;
use ir::{ProcId, Type};
use smt::TermId;

use super::{Arrival, Cursor, Encoder};
use crate::Unsupported;
use crate::split::Key;
use crate::state::State;
use crate::units::{Exit, Target};

impl Encoder<'_> {
    /// New nodes where ways join, one for each value of the split variables.
    pub(super) fn join(
        &mut self,
        proc: ProcId,
        arrivals: Vec<Arrival>,
        target: Target,
    ) -> Result<Vec<Cursor>, Unsupported> {
        let mut cursors = Vec::new();
        for (_, arrivals) in self.by_key(arrivals, target) {
            cursors.extend(self.join_all(proc, arrivals, target)?);
        }
        Ok(cursors)
    }

    /// The ways by the values of the split variables. Nobody looks at these after a failure.
    pub(super) fn by_key(&self, arrivals: Vec<Arrival>, target: Target) -> Vec<(Key, Vec<Arrival>)> {
        let mut groups: Vec<(Key, Vec<Arrival>)> = Vec::new();
        for arrival in arrivals {
            let key = if target == Target::Exit(Exit::Fail) { Rc::new([]) } else { self.key(&arrival.1) };
            match groups.iter_mut().find(|(known, _)| *known == key) {
                Some((_, group)) => group.push(arrival),
                None => groups.push((key, vec![arrival])),
            }
        }
        groups
    }

    /// A new node where ways join; nothing if there are none.
    pub(super) fn join_all(
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

    pub(super) fn join_several(
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
        arrivals.iter().for_each(|(_, other)| state.keep_learned_of(other));
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
    pub(super) fn phi(
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
        // A term that was only replaced by what it is known to be on some ways is what it was.
        for (_, from) in arrivals {
            let Some(origin) = from.get(variable) else { continue };
            let same = |other: &State| {
                other.get(variable).is_none_or(|value| value == origin || other.has_learned(origin, value))
            };
            if arrivals.iter().all(|(_, other)| same(other)) {
                state.set(variable, origin);
                return Ok(());
            }
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
    pub(super) fn matters(&self, proc: ProcId, target: Target, variable: Variable) -> bool {
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

    pub(super) fn forget_dead(&self, proc: ProcId, target: Target, state: &mut State) {
        for id in self.program.procs[proc].locals.keys() {
            if !self.matters(proc, target, Variable::Local(id)) {
                state.forget(id);
            }
        }
    }
}
