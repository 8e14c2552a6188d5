//! Trees made by brute force, for tests: a node for each location and valuation that is met.
//!
//! Where a value is no literal nothing is said of the variable, so that labels may be weaker than what is reached. The steps
//! are those of the checker: what is tested with these trees is that they agree with the reference semantics.

mod agree;
mod enforced;
mod gates;
mod replay;

use std::collections::BTreeMap;

use cranelift_entity::PrimaryMap;
use indexmap::IndexMap;
use interp::SwitchAt;
use ir::Program;
use rustc_hash::FxHashMap;
use smt::{Term, TermId, TermPool};

use crate::symbolic::{End, Symbolic, leads_to};
use crate::{Art, Choice, Edge, Location, Node, NodeId, ThreadAt};

/// The ops of a step, and the threads whose handles it picked.
type Ran = (Vec<ir::OpRef>, Vec<u32>);

/// Who gets a choice at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Policy {
    /// Everybody who may be able to run.
    All,
    /// One who can run, in turn.
    RoundRobin,
    /// One who can run, by chance.
    Chance(u64),
    /// Sometimes one who touches nothing that others may touch, by chance; otherwise everybody.
    Reduced(u64),
}

/// A tree, and whether its labels say all that there is to say.
pub(crate) struct Unfolded {
    pub(crate) art: Art,
    pub(crate) exact: bool,
}

type Values = BTreeMap<TermId, TermId>;

struct Unfolder<'a> {
    symbolic: Symbolic<'a>,
    nodes: PrimaryMap<NodeId, Node>,
    states: Vec<(Values, u32)>,
    known: FxHashMap<(Location, Values, u32), NodeId>,
    exact: bool,
    policy: Policy,
    random: fastrand::Rng,
}

/// The tree of a program whose synchronization is expanded, unless it is too large or cannot be expressed.
pub(crate) fn unfold(
    program: &Program,
    policy: Policy,
    switch_at: SwitchAt,
    most: usize,
) -> Option<Unfolded> {
    let empty = Art { pool: TermPool::default(), variables: IndexMap::new(), nodes: PrimaryMap::new() };
    let mut symbolic = Symbolic::new(program, &empty, switch_at).ok()?;
    symbolic.declare().ok()?;
    let (location, values) = symbolic.initial().ok()?;
    let mut unfolder = Unfolder {
        symbolic,
        nodes: PrimaryMap::new(),
        states: Vec::new(),
        known: FxHashMap::default(),
        exact: true,
        policy,
        random: fastrand::Rng::with_seed(match policy {
            Policy::All | Policy::RoundRobin => 0,
            Policy::Chance(seed) | Policy::Reduced(seed) => seed,
        }),
    };
    let values = unfolder.literals(&location, &values.into_iter().collect());
    unfolder.node(location, values, u32::MAX);
    let mut next = 0;
    while next < unfolder.nodes.len() {
        if next > most {
            return None;
        }
        unfolder.expand(NodeId::from_u32(u32::try_from(next).ok()?))?;
        next += 1;
    }
    let Unfolder { symbolic, nodes, exact, .. } = unfolder;
    let variables = symbolic.variables.all();
    Some(Unfolded { art: Art { pool: symbolic.formulas.pool, variables, nodes }, exact })
}

impl Unfolder<'_> {
    /// The node of a state, new or known.
    fn node(&mut self, location: Location, values: Values, last: u32) -> NodeId {
        let key = (location, values, last);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let pool = &mut self.symbolic.formulas.pool;
        let parts: Vec<TermId> = key.1.iter().map(|(&variable, &value)| pool.eq(variable, value)).collect();
        let label = pool.and(parts);
        let node =
            Node { location: key.0.clone(), label, choices: Vec::new(), cover: None, renaming: Vec::new() };
        let id = self.nodes.push(node);
        self.states.push((key.1.clone(), last));
        self.known.insert(key, id);
        id
    }

    fn expand(&mut self, id: NodeId) -> Option<()> {
        let location = self.nodes[id].location.clone();
        let (values, last) = self.states[id.as_u32() as usize].clone();
        let map: FxHashMap<TermId, TermId> = values.iter().map(|(a, b)| (*a, *b)).collect();
        let count = u32::try_from(location.threads.len()).ok()?;
        let first = match self.policy {
            Policy::Chance(_) => self.random.u32(0..count.max(1)),
            _ if last == u32::MAX => 0,
            _ => last + 1,
        };
        let alone = self.alone(&location);
        for turn in 0..count {
            let thread = (first + turn) % count;
            if alone.is_some_and(|alone| alone != thread) {
                continue;
            }
            let Some(steps) = self.symbolic.steps(&location, thread).ok()? else { continue };
            let enabled = self.symbolic.substitute(steps.enabled, &map);
            match (self.policy, self.symbolic.formulas.pool.as_bool(enabled)) {
                (_, Some(false)) | (Policy::RoundRobin | Policy::Chance(_), None) => continue,
                _ => {}
            }
            let mut edges: Vec<Edge> = Vec::new();
            let mut targets: Vec<(Ran, Location, Values)> = Vec::new();
            for path in &steps.paths {
                let guard = self.symbolic.substitute(path.guard, &map);
                match self.symbolic.formulas.pool.as_bool(guard) {
                    Some(false) => continue,
                    Some(true) => {}
                    None => self.exact = false,
                }
                let to = match &path.end {
                    End::Moved { thread: at, started } => {
                        let mut to = location.clone();
                        to.threads[thread as usize] = at.clone();
                        to.threads.extend(started.iter().cloned());
                        to
                    }
                    End::Exited => Location::default(),
                    End::Unsupported(_) => return None,
                    End::Blocked { .. } | End::Failed { .. } => continue,
                };
                assert!(leads_to(&location, thread, &path.end, &to));
                let mut after = values.clone();
                for (&variable, &value) in &path.changes {
                    let value = self.symbolic.substitute(value, &map);
                    after.insert(variable, value);
                }
                let after = self.literals(&to, &after);
                // Ways that differ only in values have one edge: what they agree on holds after it.
                match targets
                    .iter_mut()
                    .find(|(of, at, _)| *of == (path.ops.clone(), path.handles.clone()) && *at == to)
                {
                    Some((_, _, known)) => {
                        let before = known.len().max(after.len());
                        known.retain(|variable, value| after.get(variable) == Some(value));
                        self.exact &= known.len() == before;
                    }
                    None => targets.push(((path.ops.clone(), path.handles.clone()), to, after)),
                }
            }
            let last = if self.policy == Policy::RoundRobin { thread } else { 0 };
            for ((ops, handles), to, after) in targets {
                let target = self.node(to, after, last);
                edges.push(Edge { ops, handles, target });
            }
            self.nodes[id].choices.push(Choice { thread, edges });
            if matches!(self.policy, Policy::RoundRobin | Policy::Chance(_)) {
                break;
            }
        }
        Some(())
    }

    /// A thread whose next step touches nothing that others may touch, sometimes.
    fn alone(&mut self, location: &Location) -> Option<u32> {
        let Policy::Reduced(_) = self.policy else { return None };
        let outline = &self.symbolic.outline;
        let future = |at: &ThreadAt| match at {
            ThreadAt::Running(frames) => frames.iter().map(|op| outline.of(*op).future).collect(),
            ThreadAt::Completed(_) => Vec::new(),
        };
        let independent = |which: usize| {
            let ThreadAt::Running(frames) = &location.threads[which] else { return false };
            let step = frames.last().map(|op| outline.of(*op).step).unwrap_or_default();
            let mut others = location.threads.iter().enumerate().filter(|(other, _)| *other != which);
            !others.any(|(_, at)| future(at).into_iter().any(|future| step.conflicts(future)))
        };
        let found: Vec<usize> = (0..location.threads.len()).filter(|which| independent(*which)).collect();
        if found.is_empty() || self.random.u32(0..4) == 0 {
            return None;
        }
        u32::try_from(found[self.random.usize(0..found.len())]).ok()
    }

    /// The variables that there are at a location and whose values are known.
    fn literals(&mut self, location: &Location, values: &Values) -> Values {
        let mut there: Vec<TermId> = self.symbolic.variables.globals.values().copied().collect();
        for (thread, at) in (0..).zip(&location.threads) {
            let Symbolic { variables, formulas, program, .. } = &mut self.symbolic;
            match at {
                ThreadAt::Running(frames) => {
                    for (frame, op) in (0..).zip(frames) {
                        there.extend(
                            variables.frame(formulas, thread, frame, op.proc).iter().flat_map(|f| f.iter()),
                        );
                    }
                }
                ThreadAt::Completed(proc) => {
                    for index in 0..program.procs[*proc].results.len() {
                        there.extend(variables.result(formulas, thread, *proc, index));
                    }
                }
            }
        }
        let mut literals = Values::new();
        for variable in there {
            match values.get(&variable).and_then(|value| canonical(&mut self.symbolic.formulas.pool, *value))
            {
                Some(value) => {
                    literals.insert(variable, value);
                }
                None => self.exact = false,
            }
        }
        literals
    }
}

/// A value in one form: the cells of a map in order.
fn canonical(pool: &mut TermPool, value: TermId) -> Option<TermId> {
    let mut cells: BTreeMap<TermId, TermId> = BTreeMap::new();
    let mut at = value;
    while let Term::Store(inner, index, cell) = *pool.term(at) {
        if !pool.term(index).is_literal_value() {
            return None;
        }
        cells.entry(index).or_insert(cell);
        at = inner;
    }
    let default = match *pool.term(at) {
        Term::ConstArray(_, default) => default,
        _ if cells.is_empty() && pool.term(at).is_literal_value() => return Some(at),
        _ => return None,
    };
    let default = canonical(pool, default)?;
    let sort = pool.sort_of(at);
    let mut map = pool.const_array(sort, default);
    for (index, cell) in cells {
        let cell = canonical(pool, cell)?;
        if cell != default {
            map = pool.store(map, index, cell);
        }
    }
    Some(map)
}
