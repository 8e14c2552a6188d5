//! Ops that go on to the next, and what they evaluate and assign.

use engine::{Domain, Variable};
use ir::{ExprId, Op, OpRef, Place, PlaceBase, ProcId, Type};
use smt::TermId;

use super::{Cursor, Encoder, variable};
use crate::Unsupported;
use crate::state::State;

impl Encoder<'_> {
    /// Runs an op that goes on to the next; whether it can.
    pub(super) fn simple(&mut self, cursor: &mut Cursor, at: OpRef, op: &Op) -> Result<bool, Unsupported> {
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
                        let domain = match place.base {
                            PlaceBase::Global(id) if place.path.is_empty() => self.domains.global(id),
                            // What is known of a local is what it is before it is assigned.
                            PlaceBase::Global(_) | PlaceBase::Local(_) => &Domain::Any,
                        };
                        values.push((place, self.translator.within(&name, &ty, domain)?));
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
            Op::AtomicBegin
            | Op::AtomicEnd
            | Op::Yield
            | Op::Progress
            | Op::TransactionBegin
            | Op::TransactionEnd => true,
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

    pub(super) fn eval(
        &mut self,
        expr: ExprId,
        state: &State,
        stmt: &ir::Stmt,
    ) -> Result<TermId, Unsupported> {
        self.translator.eval(expr, state).map_err(|error| error.at(stmt.span))
    }

    pub(super) fn eval_all(&mut self, exprs: &[ExprId], state: &State) -> Result<Vec<TermId>, Unsupported> {
        exprs.iter().map(|expr| self.translator.eval(*expr, state)).collect()
    }

    /// The values of an assignment to the targets that matter.
    pub(super) fn values<'a>(
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
    pub(super) fn arguments(
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
    pub(super) fn assign(
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
    pub(super) fn declared(&self, proc: ProcId, place: &Place) -> (String, Type) {
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
