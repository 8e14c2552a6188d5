//! The tree under construction: nodes, what is known at each, and how it grows.
//!
//! A node knows its values symbolically, as what led to it has made them (the strongest postcondition), and has a label,
//! which is all that covering and the proof may use: *facts*, a constant value for each variable that has one, and
//! *predicates*, found by weakest preconditions when something has to be ruled out (see [`crate::refine`]). Variables can be
//! *loose*: they have no facts, and their values are forgotten whenever they are assigned. Exact values are kept beside,
//! to tell real errors from those that only the abstraction has.

use std::rc::Rc;

use cranelift_entity::PrimaryMap;
use formula::Unsupported;
use indexmap::IndexSet;
use rustc_hash::{FxHashMap, FxHashSet};
use schedule::{Location, ThreadAt, Variable};
use smt::{BinaryOp, Term, TermId};

use crate::invariants::Invariants;
use crate::model::{LocId, LocInfo, Model, VarId};
use crate::query::Solving;
use crate::step::{End, Path};
use crate::symmetry::Symmetry;

ir::ids! {
    /// A node of the tree.
    NodeId = "n";
}

/// How many nodes are freed before it is asked whether there is time to go on.
const FREED_AT_ONCE: usize = 1_000;

/// How a node came to be.
#[derive(Clone)]
pub(crate) struct Parent {
    pub(crate) node: NodeId,
    pub(crate) thread: u32,
    pub(crate) path: Rc<Path>,
    /// What stands for the inputs of the path here.
    pub(crate) inputs: Rc<[TermId]>,
}

/// A thread that was expanded at a node.
pub(crate) struct Chosen {
    pub(crate) thread: u32,
    pub(crate) children: Vec<NodeId>,
    /// Whether something goes wrong if it runs here.
    pub(crate) fails: bool,
    /// Whether it can run in every state of the node.
    pub(crate) surely: bool,
    /// When it can run, over variables.
    pub(crate) guard: TermId,
    /// The variables that decide which of its ways are possible, as far as the facts leave that open.
    pub(crate) depends: Vec<VarId>,
}

/// Values of variables, and conditions on what they are made of.
#[derive(Clone)]
pub(crate) struct Values {
    pub(crate) store: Rc<[TermId]>,
    pub(crate) conds: Rc<[TermId]>,
}

/// A node.
pub(crate) struct Node {
    pub(crate) loc: LocId,
    pub(crate) values: Values,
    /// The same without forgetting anything; the very same if no variable is loose.
    pub(crate) exact: Values,
    /// For each variable of the location, a term that it equals: a constant, itself with some cells written, or itself.
    pub(crate) facts: Rc<[TermId]>,
    pub(crate) preds: Vec<TermId>,
    pub(crate) parent: Option<Parent>,
    pub(crate) choices: Vec<Chosen>,
    pub(crate) cover: Option<NodeId>,
    /// For each thread, the one in whose place it is at the node that covers this one, unless that is the same for all.
    pub(crate) renaming: Option<Rc<[u32]>>,
    /// The nodes that this one covers.
    pub(crate) covers: Vec<NodeId>,
    pub(crate) removed: bool,
    /// Whether only one thread was expanded since it is independent of all others.
    pub(crate) reduced: bool,
}

/// A way that a thread can step at a node.
#[derive(Clone)]
pub(crate) struct Way {
    pub(crate) path: Rc<Path>,
    pub(crate) inputs: Rc<[TermId]>,
}

/// What a thread can do at a node.
#[derive(Clone)]
pub(crate) struct Standing {
    pub(crate) thread: u32,
    /// The ways that it may be able to take.
    pub(crate) ways: Vec<Way>,
    /// Whether it can step in every state of the node.
    pub(crate) surely: bool,
    /// When it can step, over variables.
    pub(crate) guard: TermId,
    /// The variables that decide which of its ways are possible, as far as the facts leave that open.
    pub(crate) depends: Vec<VarId>,
    /// Whether it stands at an assume.
    pub(crate) at_assume: bool,
}

/// Why a tree cannot be continued.
#[derive(Clone, Debug)]
pub(crate) enum Stop {
    Exhausted,
    Solver(smt::Reason),
    SolverFailed(smt::Error),
    Unsupported(Unsupported),
}

impl From<Unsupported> for Stop {
    fn from(unsupported: Unsupported) -> Self {
        Stop::Unsupported(unsupported)
    }
}

/// A tree.
pub(crate) struct Tree<'a, 'p> {
    pub(crate) model: &'a mut Model<'p>,
    pub(crate) solving: &'a mut Solving<'p>,
    pub(crate) nodes: PrimaryMap<NodeId, Node>,
    /// Variables without facts.
    pub(crate) loose: FxHashSet<VarId>,
    /// Nodes by location and facts.
    pub(crate) index: FxHashMap<LocId, FxHashMap<Rc<[TermId]>, Vec<NodeId>>>,
    /// For each location, of which variables nothing is known at some node: their positions.
    pub(crate) unknown: FxHashMap<LocId, IndexSet<Vec<usize>>>,
    /// Nodes that were covered and are not any more.
    pub(crate) reopened: Vec<NodeId>,
    /// What is offered to new nodes.
    pub(crate) invariants: Invariants,
    /// If threads may change places.
    pub(crate) symmetry: Option<Symmetry>,
}

impl<'a, 'p> Tree<'a, 'p> {
    /// A tree of only a root: the initial states.
    pub(crate) fn new(
        model: &'a mut Model<'p>,
        solving: &'a mut Solving<'p>,
        loose: FxHashSet<VarId>,
    ) -> Result<Self, Stop> {
        let program = model.program;
        let mut threads = Vec::new();
        for proc in &program.threads {
            let entry = ir::OpRef { proc: *proc, block: program.procs[*proc].entry, index: 0 };
            threads.push(ThreadAt::Running(vec![entry]));
        }
        let loc = model.location(Location { threads })?;
        let info = Rc::clone(model.info(loc));
        let mut store = Vec::new();
        for var in &info.vars {
            let variable = model.variable(*var);
            let init = match variable {
                Variable::Global(id) => program.globals[id].init,
                Variable::Local { .. } | Variable::Result { .. } => None,
            };
            let sort = model.translator.pool.sort_of(model.term_of(*var));
            store.push(match init {
                Some(init) => model.translator.eval(init, &formula::Nothing)?,
                None if model.is_handle(variable) => model.translator.pool.int(0),
                None => model.translator.fresh("initial", sort),
            });
        }
        let exact = Values { store: store.into(), conds: Rc::new([]) };
        let mut values = exact.clone();
        if !loose.is_empty() {
            let known = info.vars.iter().zip(exact.store.iter());
            let forgotten = known.map(|(var, value)| {
                let sort = model.translator.pool.sort_of(*value);
                if loose.contains(var) { model.translator.fresh("any", sort) } else { *value }
            });
            values.store = forgotten.collect();
        }
        let mut tree = Tree {
            model,
            solving,
            nodes: PrimaryMap::new(),
            loose,
            index: FxHashMap::default(),
            unknown: FxHashMap::default(),
            reopened: Vec::new(),
            invariants: Invariants::default(),
            symmetry: None,
        };
        let facts = tree.facts(&info, &exact.store);
        tree.push_node(loc, values, exact, facts, None);
        Ok(tree)
    }

    /// Frees a tree. That takes nearly as long as to make it; what is left when time runs out is never freed.
    pub(crate) fn free(self) {
        let Tree { solving, nodes, index, symmetry, .. } = self;
        let (mut nodes, mut index) = (nodes.into_iter(), index.into_iter());
        let mut time_left = true;
        while time_left && nodes.by_ref().take(FREED_AT_ONCE).count() > 0 {
            time_left = solving.may_go_on().is_ok();
        }
        while time_left && index.next().is_some() {
            time_left = solving.may_go_on().is_ok();
        }
        if !time_left {
            std::mem::forget((nodes, index, symmetry));
        }
    }

    pub(crate) fn info(&self, node: NodeId) -> Rc<LocInfo> {
        Rc::clone(self.model.info(self.nodes[node].loc))
    }

    /// What is known for certain of the variables of a location, given their values.
    fn facts(&mut self, info: &LocInfo, values: &[TermId]) -> Rc<[TermId]> {
        let known = |(var, value): (&VarId, &TermId)| {
            let own = self.model.term_of(*var);
            if self.loose.contains(var) { own } else { fact(self.model, own, *value) }
        };
        info.vars.iter().zip(values).map(known).collect()
    }

    fn push_node(
        &mut self,
        loc: LocId,
        mut values: Values,
        exact: Values,
        facts: Rc<[TermId]>,
        parent: Option<Parent>,
    ) -> NodeId {
        // Of equal maps, one is enough.
        let store = facts.iter().zip(values.store.iter());
        values.store =
            store.map(|(fact, value)| if self.model.is_ground(*fact) { *fact } else { *value }).collect();
        self.solving.statistics.nodes += 1;
        let id = self.nodes.push(Node {
            loc,
            values,
            exact,
            facts: Rc::clone(&facts),
            preds: Vec::new(),
            parent,
            choices: Vec::new(),
            cover: None,
            renaming: None,
            covers: Vec::new(),
            removed: false,
            reduced: false,
        });
        let info = self.model.info(loc);
        let unknown =
            (0..facts.len()).filter(|at| facts[*at] == self.model.term_of(info.vars[*at])).collect();
        self.unknown.entry(loc).or_default().insert(unknown);
        self.index.entry(loc).or_default().entry(facts).or_default().push(id);
        id
    }

    /// A term over variables in terms of what the values of a node are made of.
    pub(crate) fn by_values(&mut self, info: &LocInfo, store: &[TermId], term: TermId) -> TermId {
        let vars = &self.model.vars;
        self.model.translator.pool.rewrite(term, |_, leaf| match vars.of_term(leaf) {
            Some(var) => info.vars.binary_search(&var).map_or(leaf, |at| store[at]),
            None => leaf,
        })
    }

    /// A term over variables, with what the facts of a node say of them.
    pub(crate) fn by_facts(&mut self, node: NodeId, term: TermId) -> TermId {
        if self.model.translator.pool.term(term).is_literal_value() {
            return term;
        }
        let info = self.info(node);
        let facts = Rc::clone(&self.nodes[node].facts);
        self.by_values(&info, &facts, term)
    }

    /// A term of a path, over the values of a node and its own inputs.
    fn instance(
        &mut self,
        info: &LocInfo,
        store: &[TermId],
        path: &Path,
        inputs: &[TermId],
        term: TermId,
    ) -> TermId {
        if self.model.translator.pool.term(term).is_literal_value() {
            return term;
        }
        let vars = &self.model.vars;
        self.model.translator.pool.rewrite(term, |_, leaf| match vars.of_term(leaf) {
            Some(var) => info.vars.binary_search(&var).map_or(leaf, |at| store[at]),
            None => path.inputs.iter().position(|input| *input == leaf).map_or(leaf, |at| inputs[at]),
        })
    }

    /// The guard of a way over the exact values of a node.
    pub(crate) fn exact_guard(&mut self, node: NodeId, way: &Way) -> TermId {
        let info = self.info(node);
        let store = Rc::clone(&self.nodes[node].exact.store);
        self.instance(&info, &store, &way.path, &way.inputs, way.path.guard)
    }

    /// What has to hold at a node besides its facts: its conditions, and its predicates in terms of its values.
    pub(crate) fn context(&mut self, node: NodeId) -> Vec<TermId> {
        let info = self.info(node);
        let values = self.nodes[node].values.clone();
        let mut context = values.conds.to_vec();
        for pred in self.nodes[node].preds.clone() {
            let pred = self.by_values(&info, &values.store, pred);
            if self.model.translator.pool.as_bool(pred) != Some(true) {
                context.push(pred);
            }
        }
        context
    }

    /// What a thread can do at a node. Ways that the facts do not rule out but the values do are ruled out by new predicates.
    pub(crate) fn standing(&mut self, node: NodeId, thread: u32) -> Result<Standing, Stop> {
        let info = self.info(node);
        let paths = self.model.ways(thread, &info.location.threads);
        let at_assume = match &info.location.threads[thread as usize] {
            ThreadAt::Running(frames) => {
                frames.last().is_some_and(|at| matches!(self.model.op(*at), ir::Op::Assume(_)))
            }
            ThreadAt::Completed(_) => false,
        };
        let mut ways = Vec::new();
        let mut guards = Vec::new();
        let mut surely = false;
        let mut depends = Vec::new();
        let no = self.model.translator.pool.bool(false);
        for path in paths.iter() {
            let by_facts = self.by_facts(node, path.guard);
            match self.model.translator.pool.as_bool(by_facts) {
                Some(false) => continue,
                Some(true) => surely = true,
                None => {}
            }
            let sorts: Vec<_> =
                path.inputs.iter().map(|input| self.model.translator.pool.sort_of(*input)).collect();
            let inputs: Rc<[TermId]> =
                sorts.iter().map(|sort| self.model.translator.fresh("in", *sort)).collect();
            let store = Rc::clone(&self.nodes[node].values.store);
            let guard = self.instance(&info, &store, path, &inputs, by_facts);
            let possible = match self.model.translator.pool.as_bool(guard) {
                Some(known) => known,
                // What only the values on this way rule out is followed until it leads to an error: to say why it is
                // impossible would tie the label to this way.
                None if !self.invariants.is_empty() => {
                    if self.follows_by_step(node, path, no)? {
                        continue;
                    }
                    true
                }
                None => {
                    let context = self.context(node);
                    self.solving.possible_with(&self.model.translator.pool, &context, guard)?
                }
            };
            let over_variables = self.exists_inputs(path, path.guard);
            if !possible {
                let never = self.model.translator.pool.not(over_variables);
                self.strengthen(node, never)?;
                continue;
            }
            self.model.translator.pool.for_each_in(&[by_facts], |id, _| {
                depends.extend(self.model.vars.of_term(id));
            });
            guards.push(over_variables);
            ways.push(Way { path: Rc::clone(path), inputs });
        }
        let guard = self.model.translator.pool.or(guards);
        if !surely && !ways.is_empty() {
            let info = self.info(node);
            let values = self.nodes[node].values.clone();
            let known = self.by_values(&info, &values.store, guard);
            surely = match self.model.translator.pool.as_bool(known) {
                Some(known) => known,
                None => {
                    let context = self.context(node);
                    let fails = self.model.translator.pool.not(known);
                    !self.solving.possible_with(&self.model.translator.pool, &context, fails)?
                }
            };
        }
        depends.sort_unstable();
        depends.dedup();
        Ok(Standing { thread, ways, surely, guard, depends, at_assume })
    }

    /// A formula over variables: that some choice of a path makes another one true.
    pub(crate) fn exists_inputs(&mut self, path: &Path, formula: TermId) -> TermId {
        self.quantify(path, formula, smt::Quantifier::Exists)
    }

    pub(crate) fn quantify(&mut self, path: &Path, formula: TermId, kind: smt::Quantifier) -> TermId {
        let pool = &mut self.model.translator.pool;
        let mut used = Vec::new();
        pool.for_each_in(&[formula], |id, _| {
            if path.inputs.contains(&id) {
                used.push(id);
            }
        });
        if used.is_empty() {
            return formula;
        }
        let mut vars = Vec::new();
        let mut terms = FxHashMap::default();
        for (level, input) in (1u32 << 20..).zip(&used) {
            let sort = pool.sort_of(*input);
            vars.push(smt::BoundVar { level, sort });
            terms.insert(*input, pool.bound(level, sort));
        }
        let body = pool.rewrite(formula, |_, leaf| terms.get(&leaf).copied().unwrap_or(leaf));
        pool.quantified(kind, vars, body, Vec::new())
    }

    /// The node to which a way leads.
    pub(crate) fn child(&mut self, node: NodeId, thread: u32, way: &Way) -> Result<NodeId, Stop> {
        let End::Moved { me, started, exit } = &way.path.end else {
            unreachable!("only ways that go on have children")
        };
        let info = self.info(node);
        let threads = if *exit {
            Vec::new()
        } else {
            let mut threads = info.location.threads.clone();
            threads[thread as usize] = me.clone();
            threads.extend(started.iter().cloned());
            threads
        };
        let loc = self.model.location(Location { threads })?;
        let (values, exact) = (self.nodes[node].values.clone(), self.nodes[node].exact.clone());
        let same = Rc::ptr_eq(&values.store, &exact.store);
        let next = self.values_after(&info, &values, loc, way, true);
        let exact = if same && self.loose.is_empty() {
            next.clone()
        } else {
            self.values_after(&info, &exact, loc, way, false)
        };
        let before = Rc::clone(&self.nodes[node].facts);
        let facts = self.facts_after(&info, &before, loc, &way.path);
        let parent = Parent { node, thread, path: Rc::clone(&way.path), inputs: Rc::clone(&way.inputs) };
        let child = self.push_node(loc, next, exact, facts, Some(parent));
        self.offer(child)?;
        Ok(child)
    }

    /// The facts after a step. They follow from the facts before: what only the values know is no part of the label.
    pub(crate) fn facts_after(
        &mut self,
        info: &LocInfo,
        facts: &Rc<[TermId]>,
        loc: LocId,
        path: &Rc<Path>,
    ) -> Rc<[TermId]> {
        let before = Values { store: Rc::clone(facts), conds: Rc::new([]) };
        let general = Way { path: Rc::clone(path), inputs: path.inputs.as_slice().into() };
        let after = self.values_after(info, &before, loc, &general, false);
        let after_info = Rc::clone(self.model.info(loc));
        self.facts(&after_info, &after.store)
    }

    fn values_after(
        &mut self,
        info: &LocInfo,
        values: &Values,
        loc: LocId,
        way: &Way,
        forget: bool,
    ) -> Values {
        let after = Rc::clone(self.model.info(loc));
        let path = &way.path;
        let mut store = Vec::with_capacity(after.vars.len());
        for var in &after.vars {
            let updated = path.updates.binary_search_by_key(var, |(var, _)| *var).ok();
            let value = match updated {
                Some(_) if forget && self.loose.contains(var) => None,
                Some(at) => Some(self.instance(info, &values.store, path, &way.inputs, path.updates[at].1)),
                None => info.vars.binary_search(var).ok().map(|at| values.store[at]),
            };
            store.push(value.unwrap_or_else(|| {
                let sort = self.model.translator.pool.sort_of(self.model.term_of(*var));
                self.model.translator.fresh("any", sort)
            }));
        }
        let guard = self.instance(info, &values.store, path, &way.inputs, path.guard);
        let mut values = Values { store: store.into(), conds: Rc::clone(&values.conds) };
        self.learn(&mut values, guard);
        values
    }

    /// Adds a condition to values. One that says what a constant is changes the values.
    fn learn(&mut self, values: &mut Values, condition: TermId) {
        let mut parts = vec![condition];
        let mut conds = values.conds.to_vec();
        let mut known: FxHashMap<TermId, TermId> = FxHashMap::default();
        while let Some(part) = parts.pop() {
            let pool = &mut self.model.translator.pool;
            match pool.term(part).clone() {
                Term::Bool(true) => continue,
                Term::And(args) => {
                    parts.extend(args.iter().copied());
                    continue;
                }
                Term::Apply(_, args) if args.is_empty() => {
                    let yes = pool.bool(true);
                    known.insert(part, yes);
                }
                Term::Not(inner) if is_symbol(pool, inner) => {
                    let no = pool.bool(false);
                    known.insert(inner, no);
                }
                Term::Binary(BinaryOp::Eq, a, b) if is_symbol(pool, a) && pool.term(b).is_literal_value() => {
                    known.insert(a, b);
                }
                Term::Binary(BinaryOp::Eq, a, b) if is_symbol(pool, b) && pool.term(a).is_literal_value() => {
                    known.insert(b, a);
                }
                _ => {}
            }
            conds.push(part);
        }
        if !known.is_empty() {
            // The constants of the program are the same everywhere, and no part of a state.
            known.retain(|symbol, _| self.model.is_own_symbol(*symbol));
        }
        if !known.is_empty() {
            let store: Vec<TermId> = values.store.to_vec();
            let pool = &mut self.model.translator.pool;
            let store: Vec<TermId> = store
                .into_iter()
                .map(|value| pool.rewrite(value, |_, leaf| known.get(&leaf).copied().unwrap_or(leaf)))
                .collect();
            values.store = store.into();
        }
        if conds.len() != values.conds.len() {
            values.conds = conds.into();
        }
    }
}

fn is_symbol(pool: &smt::TermPool, term: TermId) -> bool {
    matches!(pool.term(term), Term::Apply(_, args) if args.is_empty())
}

/// What is known of a variable for certain, given its value.
fn fact(model: &mut Model<'_>, own: TermId, value: TermId) -> TermId {
    let pool = &model.translator.pool;
    if pool.term(value).is_literal_value() {
        return value;
    }
    if !matches!(pool.sort(pool.sort_of(value)), smt::Sort::Array(..)) {
        return if model.is_ground(value) { value } else { own };
    }
    if let Some(&known) = model.facts.get(&(own, value)) {
        return known;
    }
    // The cells written on top of something else, the newest of each first.
    let mut cells: Vec<(TermId, TermId)> = Vec::new();
    let mut written = FxHashSet::default();
    let mut base = value;
    while let Term::Store(inner, at, cell) = *model.translator.pool.term(base) {
        if !model.translator.pool.term(at).is_literal_value() {
            break;
        }
        if written.insert(at) {
            cells.push((at, cell));
        }
        base = inner;
    }
    let base = if model.is_ground(base) { base } else { own };
    let mut known = Vec::new();
    for (at, cell) in cells {
        if model.is_ground(cell) {
            known.push((at, cell));
        } else if base != own {
            // A cell of which nothing is known.
            let own_cell = model.translator.pool.select(own, at);
            known.push((at, own_cell));
        }
    }
    known.sort_unstable();
    let pool = &mut model.translator.pool;
    let fact = known.into_iter().fold(base, |map, (at, cell)| pool.store(map, at, cell));
    model.facts.insert((own, value), fact);
    fact
}
