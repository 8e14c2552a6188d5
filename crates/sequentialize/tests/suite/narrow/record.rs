//! What happens in a run, as the trace of a program without unknown values.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use engine::{MapValue, Trace, TraceStep, Variable};
use ir::{ExprNode, Op, OpRef, Place, PlaceBase, Type};

use super::{Map, Rest, Runner, Value};

/// An op that ran, with values that may be known only later.
pub(super) struct Step {
    at: OpRef,
    frame: usize,
    reads: Vec<(Variable, Type, Value)>,
    writes: Vec<(Variable, Type, Value)>,
    target: Option<usize>,
}

impl Runner<'_> {
    fn recorded(&self, variable: Variable) -> (Variable, Type, Value) {
        let (ty, value) = match variable {
            Variable::Global(id) => (&self.program.globals[id].ty, &self.globals[id.as_u32() as usize]),
            Variable::Local(id) => {
                let frame = self.frames.last().expect("is in a procedure");
                (&self.program.procs[frame.proc].locals[id].ty, &frame.locals[id.as_u32() as usize])
            }
        };
        (variable, ty.clone(), value.clone())
    }

    pub(super) fn record_reads(&mut self, op: &Op, at: OpRef) {
        if self.steps.is_none() {
            return;
        }
        let mut read = BTreeSet::new();
        op.for_each_operand(|e| {
            self.program.exprs.for_each_in(e, |_, node| match node {
                ExprNode::Global(id, _) => drop(read.insert(Variable::Global(*id))),
                ExprNode::Local(id, _) => drop(read.insert(Variable::Local(*id))),
                _ => {}
            });
        });
        let reads = read.into_iter().map(|variable| self.recorded(variable)).collect();
        let frame = self.frames.last().expect("is in a procedure").activation;
        if let Some(steps) = &mut self.steps {
            steps.push(Step { at, frame, reads, writes: Vec::new(), target: None });
        }
    }

    pub(super) fn record_writes(&mut self, targets: &[Place]) {
        if self.steps.is_none() {
            return;
        }
        let variable = |place: &Place| match place.base {
            PlaceBase::Global(id) => Variable::Global(id),
            PlaceBase::Local(id) => Variable::Local(id),
        };
        let written: BTreeSet<Variable> = targets.iter().map(variable).collect();
        let writes = written.into_iter().map(|variable| self.recorded(variable)).collect();
        if let Some(step) = self.steps.as_mut().and_then(|steps| steps.last_mut()) {
            step.writes = writes;
        }
    }

    pub(super) fn record_target(&mut self, target: usize) {
        if let Some(step) = self.steps.as_mut().and_then(|steps| steps.last_mut()) {
            step.target = Some(target);
        }
    }

    /// The run with values for all that is still unknown.
    pub(super) fn trace(&self) -> Trace {
        let known = |values: &[(Variable, Type, Value)]| {
            values.iter().map(|(variable, ty, value)| (*variable, self.completed(value, ty))).collect()
        };
        let globals = self.program.globals.iter().zip(&self.initial);
        let initial = globals.map(|((id, global), value)| (id, self.completed(value, &global.ty))).collect();
        let steps = self.steps.iter().flatten().map(|step| TraceStep {
            at: step.at,
            frame: step.frame,
            reads: known(&step.reads),
            writes: known(&step.writes),
            target: step.target,
        });
        let element = |number: &i64| engine::Value::Element(format!("element!{number}"));
        let constants = self.constants.iter().map(|(id, number)| (*id, element(number))).collect();
        Trace { constants, initial, steps: steps.collect(), ..Trace::default() }
    }

    fn completed(&self, value: &Value, ty: &Type) -> engine::Value {
        match (self.resolve(value), ty) {
            (Value::Map(map), Type::Map(of)) => {
                let default = match &map.rest {
                    Rest::All(value) => value.clone(),
                    Rest::Unknown(_) => self.anything(&of.result),
                };
                let mut cells = BTreeMap::new();
                if let Rest::Unknown(id) = map.rest {
                    let looked_at = self.unknown_cells.iter().filter(|((of, _), _)| *of == id);
                    cells.extend(looked_at.map(|((_, key), value)| (key.clone(), value.clone())));
                }
                cells.extend(map.cells.clone());
                let default = self.completed(&default, &of.result);
                let complete = |(key, cell)| (key, self.completed(&cell, &of.result));
                let cells: Vec<(Vec<i64>, engine::Value)> = cells.into_iter().map(complete).collect();
                self.nested(&of.args, &default, &cells)
            }
            (Value::Known(known), Type::Bool) => engine::Value::Bool(known != 0),
            (Value::Known(known), Type::Bv(width)) => engine::Value::Bv(*width, known.into()),
            (Value::Known(known), Type::Sort(_)) => engine::Value::Element(format!("element!{known}")),
            (Value::Known(known), _) => engine::Value::Int(known.into()),
            (Value::Unknown(_), ty) => self.completed(&Value::Known(0), ty),
            (Value::Map(_), _) => panic!("a map where a scalar is needed"),
        }
    }

    /// A map with several indices, as a map of maps.
    fn nested(
        &self,
        args: &[Type],
        default: &engine::Value,
        cells: &[(Vec<i64>, engine::Value)],
    ) -> engine::Value {
        let Some((first, rest)) = args.split_first() else {
            return cells.first().map_or(default, |(_, value)| value).clone();
        };
        let mut parts: BTreeMap<i64, Vec<(Vec<i64>, engine::Value)>> = BTreeMap::new();
        for (key, value) in cells {
            parts.entry(key[0]).or_default().push((key[1..].to_vec(), value.clone()));
        }
        let entry = |(index, cells): (i64, Vec<_>)| {
            (self.completed(&Value::Known(index), first), self.nested(rest, default, &cells))
        };
        let entries = parts.into_iter().map(entry).collect();
        engine::Value::Map(Box::new(MapValue { default: self.nested(rest, default, &[]), entries }))
    }

    fn anything(&self, ty: &Type) -> Value {
        match ty {
            Type::Map(map) => {
                let rest = Rest::All(self.anything(&map.result));
                Value::Map(Rc::new(Map { cells: BTreeMap::new(), rest }))
            }
            _ => Value::Known(0),
        }
    }
}
