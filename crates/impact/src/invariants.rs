//! Bounds and equalities that hold wherever the program comes, offered as predicates.
//!
//! Weakest preconditions say of a counter what has to hold one round ago, then two rounds ago, and so on. A plain
//! abstract interpretation finds what holds in every round: for each location, with the facts there, the bounds of the
//! numbers that have no facts and of their differences ([`Zone`]). What it finds proves nothing. A node gets it as
//! predicates as far as it follows from the label of its parent, by the judgement of the solver.

mod formulas;
mod offer;

use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};
use schedule::{Location, ThreadAt};
use smt::TermId;

use crate::linear::{Scope, literal, range};
use crate::model::{LocId, LocInfo, VarId};
use crate::step::{End, Path};
use crate::tree::{NodeId, Stop, Tree, Values};
use crate::zone::{NONE, Value, Zone};

/// How many numbers are looked at in one place, and how many of them are constants of the program.
const MOST_NUMBERS: usize = 24;
const MOST_CONSTANTS: usize = 4;
/// How often bounds grow as they like, and how often at all.
const FREE_VISITS: u32 = 3;
const MOST_VISITS: u32 = 60;
/// How often what was found is made more precise at the end.
const NARROWINGS: usize = 2;

/// What is offered at a location with its facts.
pub(crate) type Invariants = FxHashMap<Place, Rc<[TermId]>>;

/// A location and the facts there.
pub(crate) type Place = (LocId, Rc<[TermId]>);

/// What is known of a place.
struct Known {
    /// Of the numbers that have no facts; nothing is known to lead there if it is missing.
    zone: Option<Zone>,
    /// The variables that are numbers, after the constants.
    vars: Vec<TermId>,
    edges: Option<Rc<[Edge]>>,
    visits: u32,
    waiting: bool,
}

/// A step from one place to another.
struct Edge {
    guard: TermId,
    inputs: Vec<TermId>,
    target: usize,
    /// The variables of the target, in terms of those of the source and the inputs.
    values: Vec<TermId>,
}

/// The analysis.
struct Inference<'t, 'a, 'p> {
    tree: &'t mut Tree<'a, 'p>,
    constants: Vec<TermId>,
    places: IndexMap<Place, Known>,
    /// The numbers that the program mentions, and those next to them: where bounds stop when they grow.
    stops: BTreeSet<i128>,
}

impl Tree<'_, '_> {
    /// Looks for invariants, for all places. If there are too many, the variables that have very many values at one location.
    pub(crate) fn infer(&mut self, most_places: usize) -> Result<Option<Vec<VarId>>, Stop> {
        let mut constants: Vec<TermId> =
            self.model.translator.constants().iter().map(|(_, term)| *term).collect();
        let pool = &self.model.translator.pool;
        constants.retain(|term| range(pool, *term).is_some() && literal(pool, *term).is_none());
        constants.truncate(MOST_CONSTANTS);
        let mut inference =
            Inference { tree: self, constants, places: IndexMap::new(), stops: BTreeSet::from([-1, 0, 1]) };
        if !inference.run(most_places)? {
            let mut facts: FxHashMap<LocId, FxHashSet<Rc<[TermId]>>> = FxHashMap::default();
            for (loc, known) in std::mem::take(&mut inference.places).into_keys() {
                facts.entry(loc).or_default().insert(known);
            }
            return Ok(Some(self.varied(facts.iter().map(|(loc, here)| (*loc, here.iter())))));
        }
        self.invariants = inference.finish()?;
        self.offer(NodeId::from_u32(0))?;
        Ok(None)
    }
}

impl Inference<'_, '_, '_> {
    /// Goes on until nothing changes. Whether there were few enough places.
    fn run(&mut self, most_places: usize) -> Result<bool, Stop> {
        let root = &self.tree.nodes[NodeId::from_u32(0)];
        let (place, exact) = ((root.loc, Rc::clone(&root.facts)), root.exact.clone());
        let start = self.place(place);
        let zone = self.initial(start, &exact)?;
        self.places[start].zone = Some(zone);
        let mut work = VecDeque::from([start]);
        while let Some(at) = work.pop_front() {
            self.tree.solving.may_go_on()?;
            self.places[at].waiting = false;
            if self.places.len() > most_places {
                return Ok(false);
            }
            let edges = self.edges(at)?;
            for edge in edges.iter() {
                let Some(zone) = self.after(at, edge) else { continue };
                if self.arrive(edge.target, zone) && !self.places[edge.target].waiting {
                    self.places[edge.target].waiting = true;
                    work.push_back(edge.target);
                }
            }
        }
        for _ in 0..NARROWINGS {
            self.narrow(start, &exact)?;
        }
        Ok(true)
    }

    /// The number of a place.
    fn place(&mut self, place: Place) -> usize {
        if let Some(at) = self.places.get_index_of(&place) {
            return at;
        }
        let model = &self.tree.model;
        let pool = &model.translator.pool;
        let info = model.info(place.0);
        let own = info.vars.iter().map(|var| model.term_of(*var)).zip(place.1.iter());
        let unknown =
            own.filter(|(own, fact)| own == *fact && range(pool, *own).is_some()).map(|(own, _)| own);
        let vars = unknown.take(MOST_NUMBERS).collect();
        let known = Known { zone: None, vars, edges: None, visits: 0, waiting: false };
        self.places.insert_full(place, known).0
    }

    /// What is known at the start.
    fn initial(&mut self, start: usize, exact: &Values) -> Result<Zone, Stop> {
        let axioms = self.tree.model.translator.axioms()?;
        let info = self.info(start);
        let values: Vec<TermId> = self.places[start].vars.clone();
        let values: Vec<TermId> =
            values.into_iter().map(|var| self.tree.by_values(&info, &exact.store, var)).collect();
        let (mut zone, numbers) = self.numbers(&Zone::new(1), &[], &[]);
        let scope = Scope::new(&self.tree.model.translator.pool, &numbers);
        for axiom in axioms {
            scope.assume(&mut zone, axiom, true);
        }
        Ok(self.values(&scope, &zone, &values))
    }

    fn info(&self, at: usize) -> Rc<LocInfo> {
        let (loc, _) =
            self.places.get_index(at).map_or_else(|| unreachable!("it is a place"), |(place, _)| place);
        Rc::clone(self.tree.model.info(*loc))
    }

    /// A zone with more numbers: the constants if it has none yet, and arbitrary ones. Which terms are which.
    fn numbers(&self, zone: &Zone, vars: &[TermId], inputs: &[TermId]) -> (Zone, FxHashMap<TermId, usize>) {
        let pool = &self.tree.model.translator.pool;
        let terms: Vec<TermId> = self.constants.iter().chain(vars).chain(inputs).copied().collect();
        let mut values: Vec<Value> = (0..zone.size()).map(|at| Value::Sum(at, 0)).collect();
        for term in &terms[zone.size() - 1..] {
            let (negated, most) = range(pool, *term).unwrap_or((NONE, NONE));
            values.push(Value::Between(negated, most));
        }
        (zone.of_values(&values), (1..).zip(terms).map(|(at, term)| (term, at)).collect())
    }

    /// What is known of some values, with the constants.
    fn values(&self, scope: &Scope<'_>, zone: &Zone, values: &[TermId]) -> Zone {
        let constants = (0..=self.constants.len()).map(|at| Value::Sum(at, 0));
        let values: Vec<Value> =
            constants.chain(values.iter().map(|term| scope.value(zone, *term))).collect();
        zone.of_values(&values)
    }

    /// What an edge makes of what is known of its source; nothing if it cannot be taken.
    fn after(&self, at: usize, edge: &Edge) -> Option<Zone> {
        let (zone, numbers) =
            self.numbers(self.places[at].zone.as_ref()?, &self.places[at].vars, &edge.inputs);
        let mut zone = zone;
        let scope = Scope::new(&self.tree.model.translator.pool, &numbers);
        // What is different from a bound is known to be so only once the bound is.
        let possible = scope.assume(&mut zone, edge.guard, true) && scope.assume(&mut zone, edge.guard, true);
        possible.then(|| self.values(&scope, &zone, &edge.values))
    }

    /// Adds states to a place. Whether it did not have them.
    fn arrive(&mut self, at: usize, zone: Zone) -> bool {
        let known = &mut self.places[at];
        let Some(old) = &mut known.zone else {
            known.zone = Some(zone);
            return true;
        };
        if known.visits >= MOST_VISITS {
            let none = BTreeSet::new();
            return old.join(&zone, Some(&none));
        }
        let grows = known.visits >= FREE_VISITS;
        let changed = old.join(&zone, grows.then_some(&self.stops));
        if changed {
            known.visits += 1;
            if grows {
                old.close();
            }
        }
        changed
    }

    /// Computes all places once more from what was found.
    fn narrow(&mut self, start: usize, exact: &Values) -> Result<(), Stop> {
        let mut zones: Vec<Option<Zone>> = vec![None; self.places.len()];
        zones[start] = Some(self.initial(start, exact)?);
        for at in 0..self.places.len() {
            self.tree.solving.may_go_on()?;
            let Some(edges) = self.places[at].edges.clone() else { continue };
            for edge in edges.iter() {
                let Some(zone) = self.after(at, edge) else { continue };
                match &mut zones[edge.target] {
                    Some(known) => _ = known.join(&zone, None),
                    none => *none = Some(zone),
                }
            }
        }
        for (known, zone) in self.places.values_mut().zip(zones) {
            known.zone = zone;
        }
        Ok(())
    }

    /// The steps that can be taken at a place.
    fn edges(&mut self, at: usize) -> Result<Rc<[Edge]>, Stop> {
        if let Some(edges) = &self.places[at].edges {
            return Ok(Rc::clone(edges));
        }
        let info = self.info(at);
        let (loc, facts) = self
            .places
            .get_index(at)
            .map_or_else(|| unreachable!("it is a place"), |(place, _)| place.clone());
        let mut all = Vec::new();
        for (thread, _) in (0u32..).zip(&info.location.threads) {
            let mut ways = Vec::new();
            for path in self.tree.model.ways(thread, &info.location.threads).iter() {
                let guard = self.tree.by_values(&info, &facts, path.guard);
                if self.tree.model.translator.pool.as_bool(guard) != Some(false) {
                    ways.push((Rc::clone(path), guard));
                }
            }
            let some = self.tree.model.translator.pool.or(ways.iter().map(|(_, guard)| *guard));
            let surely = self.tree.model.translator.pool.as_bool(some) == Some(true);
            let alone = surely && self.tree.is_independent(loc, thread, ways.iter().map(|(path, _)| &**path));
            if alone {
                all.clear();
            }
            all.extend(ways.into_iter().map(|(path, guard)| (thread, path, guard)));
            if alone {
                break;
            }
        }
        let mut edges = Vec::new();
        for (thread, path, guard) in all {
            edges.extend(self.edge(&info, &facts, thread, &path, guard)?);
        }
        let edges: Rc<[Edge]> = edges.into();
        self.places[at].edges = Some(Rc::clone(&edges));
        Ok(edges)
    }

    fn edge(
        &mut self,
        info: &LocInfo,
        facts: &Rc<[TermId]>,
        thread: u32,
        path: &Rc<Path>,
        guard: TermId,
    ) -> Result<Option<Edge>, Stop> {
        let Some(location) = after_step(&info.location, thread, &path.end) else { return Ok(None) };
        let loc = self.tree.model.location(location)?;
        let after = self.tree.facts_after(info, facts, loc, path);
        let target = self.place((loc, after));
        let mut values = Vec::new();
        for term in self.places[target].vars.clone() {
            let before = self.tree.precondition(path, term);
            values.push(self.tree.by_values(info, facts, before));
        }
        let pool = &self.tree.model.translator.pool;
        let inputs = path.inputs.iter().copied().filter(|input| range(pool, *input).is_some()).collect();
        let stops = &mut self.stops;
        pool.for_each_in(&[guard], |id, _| {
            if let Some(number) = literal(pool, id) {
                stops.extend([number - 1, number, number + 1, -number - 1, -number, -number + 1]);
            }
        });
        Ok(Some(Edge { guard, inputs, target, values }))
    }

    /// What was found, as formulas.
    fn finish(self) -> Result<Invariants, Stop> {
        let mut invariants = Invariants::default();
        for (place, known) in self.places {
            self.tree.solving.may_go_on()?;
            let Some(zone) = known.zone else { continue };
            let terms: Vec<TermId> = self.constants.iter().chain(&known.vars).copied().collect();
            let parts =
                formulas::formulas(&mut self.tree.model.translator.pool, &zone, &terms, self.constants.len());
            if !parts.is_empty() {
                invariants.insert(place, parts.into());
            }
        }
        Ok(invariants)
    }
}

/// Where threads are after a step.
fn after_step(before: &Location, thread: u32, end: &End) -> Option<Location> {
    let End::Moved { me, started, exit: false } = end else { return None };
    let mut threads: Vec<ThreadAt> = before.threads.clone();
    threads[thread as usize] = me.clone();
    threads.extend(started.iter().cloned());
    Some(Location { threads })
}
