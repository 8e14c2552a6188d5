//! From a model to the way it takes through the graph, and to a trace.

use formula::Values;
use std::collections::BTreeMap;

use engine::{MapValue, Trace, TraceStep, Value, Variable};
use ir::{ExprNode, FuncId, Op, Program};
use rustc_hash::FxHashMap;
use smt::{Solver, TermId, TermPool};

use crate::encode::{Encoder, variable};
use crate::graph::{InstanceId, NodeId, SiteId, Source};
use crate::liveness::for_each_variable_read;
use crate::units::Exit;
use crate::{Error, Options};

/// The values of terms in the solver's last model, each asked for once.
pub(crate) struct Model<'a> {
    solver: &'a mut dyn Solver,
    pool: &'a TermPool,
    known: FxHashMap<TermId, Value>,
}

impl<'a> Model<'a> {
    pub(crate) fn new(solver: &'a mut dyn Solver, pool: &'a TermPool) -> Self {
        Model { solver, pool, known: FxHashMap::default() }
    }

    fn value(&mut self, term: TermId) -> Result<Value, Error> {
        if let Some(value) = self.known.get(&term) {
            return Ok(value.clone());
        }
        let value = match self.pool.term(term) {
            smt::Term::Bool(value) => Value::Bool(*value),
            smt::Term::Int(value) => Value::Int(value.clone()),
            smt::Term::Bv(width, value) => Value::Bv(*width, value.clone()),
            _ => convert(&self.solver.value(self.pool, term)?),
        };
        self.known.insert(term, value.clone());
        Ok(value)
    }

    fn holds(&mut self, term: TermId) -> Result<bool, Error> {
        Ok(self.value(term)? == Value::Bool(true))
    }
}

/// Arrays nest as deep as their sorts.
fn convert(value: &smt::Value) -> Value {
    match value {
        smt::Value::Bool(value) => Value::Bool(*value),
        smt::Value::Int(value) => Value::Int(value.clone()),
        smt::Value::Bv(width, value) => Value::Bv(*width, value.clone()),
        smt::Value::Element(name) => Value::Element(name.clone()),
        smt::Value::Array(array) => {
            let entries: BTreeMap<Value, Value> =
                array.entries.iter().map(|(at, value)| (convert(at), convert(value))).collect();
            Value::Map(Box::new(MapValue { default: convert(&array.default), entries }))
        }
    }
}

/// A part of a way: how many ops of a node run, and which target the last of them takes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stretch {
    node: NodeId,
    events: usize,
    target: Option<usize>,
}

/// The way to the failing assertion.
#[derive(Debug, Default)]
pub(crate) struct Way {
    /// From the start.
    stretches: Vec<Stretch>,
    /// The sites passed that are not inlined.
    pub(crate) open: Vec<SiteId>,
}

/// Follows the model back from the failing assertion to the start.
pub(crate) fn way(encoder: &Encoder<'_>, root: InstanceId, model: &mut Model<'_>) -> Result<Way, Error> {
    let graph = &encoder.graph;
    let mut way = Way::default();
    let exits = &encoder.units()[graph.instances[root].unit].exits;
    let fail = exits.iter().position(|exit| *exit == Exit::Fail);
    let mut next = fail.and_then(|at| graph.instances[root].exits[at]);
    let mut instance = root;
    while let Some(node) = next {
        let mut taken = None;
        for incoming in &graph.nodes[node].incoming {
            if model.holds(incoming.on)? {
                taken = Some(*incoming);
                break;
            }
        }
        let Some(taken) = taken else {
            return Err(Error::Solver(smt::Error::NoValue("a model without a way to the start".to_owned())));
        };
        let origin = match taken.source {
            Source::Edge { from, target } => {
                way.stretches.push(Stretch { node: from.node, events: from.events, target });
                next = Some(from.node);
                continue;
            }
            Source::Site { site, leave } => match graph.sites[site].instance {
                Some(inside) => {
                    instance = inside;
                    next = graph.instances[inside].exits[leave];
                    continue;
                }
                None => {
                    way.open.push(site);
                    graph.sites[site].origin
                }
            },
            Source::Start => {
                let Some(site) = graph.instances[instance].site else { break };
                instance = match graph.sites[site].parent {
                    Some(parent) => parent,
                    None => break,
                };
                graph.sites[site].origin
            }
        };
        way.stretches.push(Stretch { node: origin.node, events: origin.events, target: None });
        next = Some(origin.node);
    }
    way.stretches.reverse();
    Ok(way)
}

/// The ops on a way with their values.
pub(crate) fn trace(
    program: &Program,
    encoder: &Encoder<'_>,
    way: &Way,
    options: &Options<'_>,
    model: &mut Model<'_>,
) -> Result<Trace, Error> {
    let mut trace = Trace::default();
    let Some(first) = way.stretches.first() else { return Ok(trace) };
    let start = &encoder.graph.nodes[first.node].start;
    for (id, term) in encoder.translator.constants() {
        trace.constants.push((id, model.value(term)?));
    }
    trace.functions = functions(program, encoder, model)?;
    for id in program.globals.keys() {
        trace.initial.push((id, model.value(start.global(id))?));
    }
    let (mut frames, mut newest, mut entering) = (vec![0], 0, false);
    for stretch in &way.stretches {
        let node = &encoder.graph.nodes[stretch.node];
        let mut state = node.start.clone();
        for (at, event) in node.events[..stretch.events].iter().enumerate() {
            if std::mem::take(&mut entering) {
                newest += 1;
                frames.push(newest);
            }
            let op = &program.procs[event.at.proc].blocks[event.at.block].stmts[event.at.index].op;
            let (mut reads, mut writes) = (Vec::new(), Vec::new());
            let mut assigned = event.writes.iter().map(|(variable, _)| *variable);
            let is_observed =
                |of: Variable| matches!(of, Variable::Global(id) if options.observed.contains(&id));
            if (options.values)(event.at) || assigned.any(is_observed) {
                for variable in variables_read(program, op) {
                    if let Some(term) = state.get(variable) {
                        reads.push((variable, model.value(term)?));
                    }
                }
                for (variable, term) in &event.writes {
                    writes.push((*variable, model.value(*term)?));
                }
            }
            for (variable, term) in &event.writes {
                state.set(*variable, *term);
            }
            let is_last = at + 1 == stretch.events;
            let frame = frames.last().copied().unwrap_or_default();
            trace.steps.push(TraceStep {
                at: event.at,
                frame,
                reads,
                writes,
                target: stretch.target.filter(|_| is_last),
            });
            match op {
                Op::Call { .. } => entering = true,
                Op::Return => {
                    frames.pop();
                }
                _ => {}
            }
        }
    }
    Ok(trace)
}

/// The functions without a body, as far as the formulas apply them; elsewhere they have any value.
fn functions(
    program: &Program,
    encoder: &Encoder<'_>,
    model: &mut Model<'_>,
) -> Result<Vec<(FuncId, Value)>, Error> {
    let mut functions: Vec<(FuncId, Value)> = Vec::new();
    for (func, args, term) in encoder.translator.applications() {
        let args = args.iter().map(|arg| model.value(*arg)).collect::<Result<Vec<_>, _>>()?;
        let result = model.value(term)?;
        if functions.last().is_none_or(|(last, _)| *last != func) {
            let known = functions.iter().position(|(known, _)| *known == func);
            let entry = match known {
                Some(at) => functions.remove(at),
                None => (func, nested(program.funcs[func].params.len(), &result)),
            };
            functions.push(entry);
        }
        if let Some((_, map)) = functions.last_mut() {
            set(map, &args, &result);
        }
    }
    Ok(functions)
}

/// The map of some number of indices with one value everywhere.
fn nested(indices: usize, value: &Value) -> Value {
    (0..indices).fold(value.clone(), |default, _| {
        Value::Map(Box::new(MapValue { default, entries: BTreeMap::new() }))
    })
}

/// Changes a cell.
fn set(map: &mut Value, indices: &[Value], value: &Value) {
    match (map, indices) {
        (Value::Map(map), [first, rest @ ..]) => {
            let MapValue { default, entries } = &mut **map;
            set(entries.entry(first.clone()).or_insert_with(|| default.clone()), rest, value);
        }
        (cell, _) => *cell = value.clone(),
    }
}

/// The variables that an op reads, each once, in order.
fn variables_read(program: &Program, op: &Op) -> Vec<Variable> {
    let mut variables = Vec::new();
    for_each_variable_read(program, op, |node| match node {
        ExprNode::Global(id, _) => variables.push(Variable::Global(*id)),
        ExprNode::Local(id, _) => variables.push(Variable::Local(*id)),
        _ => {}
    });
    op.for_each_target(|place| {
        if !place.path.is_empty() {
            variables.push(variable(place));
        }
    });
    variables.sort_unstable();
    variables.dedup();
    variables
}
