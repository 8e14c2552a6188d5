//! The whole of it: schedules one after the other, then all of them.

use std::rc::Rc;

use cranelift_entity::EntityRef;
use engine::{Claim, Finding, Reason};
use interp::{Config, Flow, ViolationKind};
use ir::Program;
use rustc_hash::FxHashSet;
use schedule::{Art, Variable};
use smt::{Limits, TermId};

use crate::expand::{Counterexample, Cuts};
use crate::export::Fair;
use crate::iteration::{Iterated, Iterations};
use crate::model::{LocId, Model, VarId};
use crate::pace::{FEWEST_ROUNDS, Long, MOST_ROUNDS, Pace};
use crate::query::Solving;
use crate::symmetry::{self, Symmetry};
use crate::tree::{Stop, Tree};
use crate::{Added, Error, Event, Options, Outcome, Schedule, Statistics, Until, Verdict, witness};

/// The most nodes of the tree of iterations; past that, all schedules are tried.
const MOST_ITERATED: usize = 3_000;
/// The same at a long pace, first with as many rounds as there is room for, and then with fewer.
const MOST_LONG: [(u32, usize); 2] = [(MOST_ROUNDS, 50_000), (FEWEST_ROUNDS, 12_000)];
/// How many nodes the first attempt at all schedules may take.
const FIRST_ATTEMPT: usize = 4_000;
/// How many states the explorer may look at for each node.
const STATES_PER_NODE: usize = 10;
/// In longer attempts the explorer does not help.
const MOST_HUNTED: usize = 64_000;
/// By how much attempts grow.
const GROWTH: usize = 4;
/// How much work a question may be when values are not known, as the solver counts it, and how many there may be.
const MOST_EFFORT: u32 = 500_000;
const QUESTION_PER_NODES: u64 = 16;
/// How many questions the iterations may ask.
const QUESTIONS_OF_ITERATIONS: u64 = 1_000;
/// A variable that has more values than this at one location is better not known.
const MOST_VALUES: usize = 12;

/// What is known so far.
struct Knowledge {
    schedules: Vec<Schedule>,
    findings: Vec<Finding>,
    cuts: Cuts,
    unconfirmed: Option<String>,
}

/// Verifies a program.
pub(crate) fn verify(
    program: &Program,
    config: &Config,
    options: &Options,
    solver: &mut dyn smt::Solver,
    watch: &mut dyn FnMut(&Statistics) -> Option<Limits>,
    checker: &mut dyn FnMut() -> Box<dyn smt::Solver>,
    events: &mut dyn FnMut(Event<'_>),
) -> Result<Outcome, Error> {
    let expanded = ir::expand(program);
    let mut model = Model::new(&expanded.program, config.limits);
    let mut knowledge =
        Knowledge { schedules: Vec::new(), findings: Vec::new(), cuts: Vec::new(), unconfirmed: None };
    let mut solving = Solving::new(solver, watch);
    let axioms = model.translator.axioms()?;
    for axiom in axioms {
        solving.assert(&model.translator.pool, axiom);
    }
    let mut verifier = Verifier { program, config, options, expanded: &expanded, checker, events };
    let result = verifier.run(&mut model, &mut solving, &mut knowledge);
    let statistics = solving.statistics;
    let out_of_time = matches!(result, Err(Failure::Stop(Stop::Exhausted)));
    let verdict = match result {
        Ok(verdict) => verdict,
        Err(Failure::Error(error)) => return Err(error),
        Err(Failure::Stop(stop)) => match stop {
            Stop::Unsupported(unsupported) => return Err(Error::Unsupported(unsupported)),
            Stop::SolverFailed(error) => return Err(Error::Solver(error)),
            _ if knowledge.is_partially_safe() => Verdict::PartiallySafe,
            Stop::Solver(reason) => Verdict::Unknown(Reason::Solver(reason.to_string())),
            Stop::Exhausted => Verdict::Unknown(Reason::Exhausted(engine::Exhausted::Cancelled)),
        },
    };
    if out_of_time {
        // The terms of a large tree, too, take long to free.
        std::mem::forget(model);
    }
    let Knowledge { schedules, findings, .. } = knowledge;
    Ok(Outcome { verdict, schedules, findings, statistics })
}

/// Why it ends early.
enum Failure {
    Stop(Stop),
    Error(Error),
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Self {
        Failure::Stop(stop)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Error(error)
    }
}

impl Knowledge {
    fn is_partially_safe(&self) -> bool {
        !self.schedules.is_empty() && !self.findings.is_empty()
    }

    /// Why nothing can be said although everything was tried.
    fn doubt(&self, expanded: &ir::Expanded) -> Option<Reason> {
        if let Some(why) = &self.unconfirmed {
            return Some(Reason::Unconfirmed(why.clone()));
        }
        let mut cuts: Vec<engine::CutAt> = Vec::new();
        for (at, cut) in &self.cuts {
            let span = expanded.program.procs[at.proc].blocks[at.block].stmts[at.index].span;
            let cut = engine::CutAt { cut: cut.clone(), at: expanded.back.get(*at), span };
            if !cuts.contains(&cut) {
                cuts.push(cut);
            }
        }
        (!cuts.is_empty()).then_some(Reason::Cut(cuts))
    }
}

/// What the labels of a tree are made of.
#[derive(Default)]
struct Labels {
    /// The variables that have no facts.
    loose: FxHashSet<VarId>,
    /// Whether invariants are inferred and offered.
    inferred: bool,
}

/// A verdict if there is one, and variables that have very many values.
type Attempted = (Option<Verdict>, Vec<VarId>);

struct Verifier<'v> {
    program: &'v Program,
    config: &'v Config,
    options: &'v Options,
    expanded: &'v ir::Expanded,
    /// Makes a solver for each check: the terms of one tree mean nothing in another.
    checker: &'v mut dyn FnMut() -> Box<dyn smt::Solver>,
    events: &'v mut dyn FnMut(Event<'_>),
}

impl Verifier<'_> {
    fn run<'p>(
        &mut self,
        model: &mut Model<'p>,
        solving: &mut Solving<'p>,
        knowledge: &mut Knowledge,
    ) -> Result<Verdict, Failure> {
        solving.patience = Some((QUESTIONS_OF_ITERATIONS, MOST_EFFORT));
        let iterated = self.iterate(model, solving, knowledge);
        solving.patience = None;
        match iterated {
            // Too hard this way: all schedules at once may be easier.
            Ok(()) | Err(Failure::Stop(Stop::Solver(_))) => {}
            Err(failure) => return Err(failure),
        }
        let first = self.options.until == Until::FirstSchedule && !knowledge.schedules.is_empty();
        if knowledge.is_partially_safe() && self.options.until != Until::Exhausted {
            return Ok(Verdict::PartiallySafe);
        }
        if first {
            return Ok(Verdict::Unknown(Reason::Enough));
        }
        let mut limit = FIRST_ATTEMPT;
        let mut loose: FxHashSet<VarId> = FxHashSet::default();
        // How many variables were loose when what was inferred did not help.
        let mut astray = 0;
        loop {
            if knowledge.findings.is_empty() && limit <= MOST_HUNTED {
                self.hunt(limit * STATES_PER_NODE, solving, knowledge)?;
                if knowledge.is_partially_safe() && self.options.until != Until::Exhausted {
                    return Ok(Verdict::PartiallySafe);
                }
            }
            let (verdict, varied) = self.exhaust(model, solving, knowledge, &Labels::default(), limit)?;
            if let Some(verdict) = verdict {
                return Ok(verdict);
            }
            loose.extend(varied);
            // What bounds say may lead astray where something else is needed.
            for inferred in [true, false] {
                while !(loose.is_empty() || inferred && loose.len() == astray) {
                    let labels = Labels { loose: loose.clone(), inferred };
                    solving.patience = Some((limit as u64 / QUESTION_PER_NODES, MOST_EFFORT));
                    let attempt = self.exhaust(model, solving, knowledge, &labels, limit);
                    solving.patience = None;
                    match attempt {
                        Ok((Some(verdict), _)) => return Ok(verdict),
                        Ok((None, varied)) => loose.extend(varied),
                        // A question that is too hard does not come up when values are known.
                        Err(Failure::Stop(Stop::Solver(_))) if inferred => astray = labels.loose.len(),
                        Err(Failure::Stop(Stop::Solver(_))) => {}
                        Err(failure) => return Err(failure),
                    }
                    if !inferred || loose.len() == labels.loose.len() {
                        break;
                    }
                }
            }
            limit *= GROWTH;
        }
    }

    /// Looks for a violation with the explorer, which is fast at what it can do: few values of what is arbitrary. What it finds
    /// counts, what it does not find means nothing.
    fn hunt(
        &mut self,
        states: usize,
        solving: &mut Solving<'_>,
        knowledge: &mut Knowledge,
    ) -> Result<(), Failure> {
        let config = Config { most_violations: 1, reduction: true, ..*self.config };
        let mut stopped = None;
        let exploration = interp::explore(self.program, &config, &mut |progress| {
            stopped = solving.may_go_on().err();
            if stopped.is_some() || progress.states > states { Flow::Stop } else { Flow::Continue }
        });
        for violation in &exploration.violations {
            let claim = Claim::of(violation, interp::Fairness::None);
            let confirmed = engine::confirm(self.program, self.config, &violation.run, claim);
            let finding = confirmed.map_err(Error::Disagreement)?;
            (self.events)(Event::Violation(&finding));
            knowledge.findings.push(finding);
        }
        stopped.map_or(Ok(()), |stop| Err(Failure::Stop(stop)))
    }

    /// The iterations: each may permit more than the one before.
    fn iterate<'p>(
        &mut self,
        model: &mut Model<'p>,
        solving: &mut Solving<'p>,
        knowledge: &mut Knowledge,
    ) -> Result<(), Failure> {
        let attempts: &[_] = if self.options.pace == Pace::Long { &MOST_LONG } else { &[] };
        for &(rounds, most_nodes) in attempts {
            let components = self.expanded.components.values().flatten().copied();
            let long = Long::new(components.collect(), rounds);
            match self.iterate_at(model, solving, knowledge, Some(long), most_nodes) {
                // Too hard at that pace.
                Err(Failure::Stop(Stop::Solver(_))) => {}
                other => other?,
            }
            if !knowledge.schedules.is_empty() {
                return Ok(());
            }
        }
        self.iterate_at(model, solving, knowledge, None, MOST_ITERATED)
    }

    /// The iterations at some pace, within so many nodes.
    fn iterate_at<'p>(
        &mut self,
        model: &mut Model<'p>,
        solving: &mut Solving<'p>,
        knowledge: &mut Knowledge,
        long: Option<Long>,
        most_nodes: usize,
    ) -> Result<(), Failure> {
        let mut tree = Tree::new(model, solving, FxHashSet::default())?;
        let mut found = Vec::new();
        let checks = self.config.checks;
        let mut iterations = Iterations::new(&mut tree, &checks, most_nodes, long);
        loop {
            let iterated = iterations.next()?;
            found.append(&mut iterations.counterexamples);
            for counterexample in found.drain(..) {
                self.report(iterations.tree, &counterexample, knowledge)?;
            }
            match iterated {
                Iterated::NoProgress | Iterated::TooLarge => break,
                Iterated::Failed if knowledge.schedules.is_empty() => break,
                Iterated::Failed => {}
                Iterated::Progress => {
                    let art = iterations.tree.export();
                    let added = iterations.added();
                    self.offer(art, added, iterations.tree.solving, knowledge)?;
                }
            }
            let enough = knowledge.schedules.len() >= self.options.max_schedules;
            let first = self.options.until == Until::FirstSchedule && !knowledge.schedules.is_empty();
            let decided = knowledge.is_partially_safe() && self.options.until == Until::Complete;
            if enough || first || decided {
                break;
            }
        }
        knowledge.cuts.append(&mut iterations.cuts);
        Ok(())
    }

    /// Whether a tree proves what it is said to, by the judgement of code that did not make it.
    fn check(
        &mut self,
        art: &Art,
        claim: schedule::Claim,
        solving: &mut Solving<'_>,
    ) -> Result<bool, Failure> {
        let question =
            schedule::Question { claim, checks: self.config.checks, switch_at: interp::SwitchAt::Visible };
        let solving = std::cell::RefCell::new(solving);
        let watch = || solving.borrow_mut().limits().ok();
        let mut solver = (self.checker)();
        match schedule::check(self.program, art, &question, &mut *solver, &watch) {
            Ok(_) => Ok(true),
            Err(schedule::Refusal::Stopped) => Err(Failure::Stop(Stop::Exhausted)),
            Err(schedule::Refusal::Solver(error)) => Err(Failure::Error(Error::Solver(error))),
            Err(
                schedule::Refusal::Undecided { .. }
                | schedule::Refusal::Unsupported { .. }
                // The tree knows nothing of races; that there are none is for the checker to say.
                | schedule::Refusal::Defect { defect: schedule::Defect::Race(..), .. },
            ) => Ok(false),
            Err(refusal) => Err(Failure::Error(Error::Refused(refusal.to_string()))),
        }
    }

    /// A schedule counts once it was checked.
    fn offer(
        &mut self,
        art: Art,
        added: Option<Added>,
        solving: &mut Solving<'_>,
        knowledge: &mut Knowledge,
    ) -> Result<bool, Failure> {
        if !self.check(&art, schedule::Claim::Schedule, solving)? {
            return Ok(false);
        }
        let schedule = Schedule { number: knowledge.schedules.len() + 1, art, added };
        (self.events)(Event::Schedule(&schedule));
        knowledge.schedules.push(schedule);
        Ok(true)
    }

    /// A violation counts once it was replayed.
    fn report(
        &mut self,
        tree: &mut Tree<'_, '_>,
        counterexample: &Counterexample,
        knowledge: &mut Knowledge,
    ) -> Result<(), Failure> {
        let at = counterexample.at.and_then(|at| self.expanded.back.get(at));
        let known = knowledge.findings.iter().any(|finding| {
            finding.kind() == counterexample.kind
                && (counterexample.kind == ViolationKind::Deadlock || Some(finding.access().at) == at)
        });
        if known {
            return Ok(());
        }
        let run = match witness::run(tree, self.program, self.config, counterexample)? {
            Ok(run) => run,
            Err(error) => {
                knowledge.unconfirmed.get_or_insert(error.to_string());
                return Ok(());
            }
        };
        let claim = Claim { kind: counterexample.kind, fairness: interp::Fairness::None, at: None };
        let finding = engine::confirm(self.program, self.config, &run, claim).map_err(Error::Disagreement)?;
        (self.events)(Event::Violation(&finding));
        knowledge.findings.push(finding);
        Ok(())
    }

    /// All schedules, within so many nodes; and the variables that have very many values.
    fn exhaust<'p>(
        &mut self,
        model: &mut Model<'p>,
        solving: &mut Solving<'p>,
        knowledge: &mut Knowledge,
        labels: &Labels,
        limit: usize,
    ) -> Result<Attempted, Failure> {
        // A step that races may be one whose order does not matter otherwise.
        let all_orders = self.config.checks.races;
        // Threads change places only in proofs that all schedules are safe.
        let symmetric = knowledge.findings.is_empty() && symmetry::is_symmetric(&self.expanded.program);
        let reductions = [true, false].into_iter().filter(|reduce| !(all_orders && *reduce));
        let first = symmetric.then_some((!all_orders, true));
        let attempts = first.into_iter().chain(reductions.map(|reduce| (reduce, false)));
        for (reduce, renames) in attempts {
            let mut tree = Tree::new(model, solving, labels.loose.clone())?;
            tree.symmetry = renames.then(Symmetry::default);
            let attempt = self.attempt(&mut tree, knowledge, labels, limit, reduce);
            tree.free();
            if let Some(known) = attempt? {
                return Ok(known);
            }
        }
        Ok((None, Vec::new()))
    }

    /// One attempt at all schedules; nothing if another one may do better.
    fn attempt(
        &mut self,
        tree: &mut Tree<'_, '_>,
        knowledge: &mut Knowledge,
        labels: &Labels,
        limit: usize,
        reduce: bool,
    ) -> Result<Option<Attempted>, Failure> {
        if labels.inferred
            && let Some(varied) = tree.infer(limit)?
        {
            return Ok(Some((None, varied)));
        }
        let stops = !knowledge.schedules.is_empty() && self.options.until != Until::Exhausted;
        let checks = self.config.checks;
        let found = tree.exhaust(&checks, reduce, limit, stops)?;
        for counterexample in &found.counterexamples {
            self.report(tree, counterexample, knowledge)?;
        }
        if knowledge.is_partially_safe() && self.options.until != Until::Exhausted {
            return Ok(Some((Some(Verdict::PartiallySafe), Vec::new())));
        }
        if !found.finished {
            let facts = tree.index.iter().map(|(loc, here)| (*loc, here.keys()));
            return Ok(Some((None, tree.varied(facts))));
        }
        knowledge.cuts = found.cuts;
        if found.counterexamples.is_empty() {
            if let Some(reason) = knowledge.doubt(self.expanded) {
                return Ok(Some((Some(Verdict::Unknown(reason)), Vec::new())));
            }
            let art = tree.export();
            let proven = self.check(&art, schedule::Claim::Safe, tree.solving)?;
            if !proven && labels.inferred {
                return Ok(Some((None, Vec::new())));
            }
            let unchecked = || {
                let what = if checks.races {
                    "data races could not be ruled out"
                } else {
                    "the proof could not be checked"
                };
                Reason::Solver(what.to_owned())
            };
            let verdict = if proven { Verdict::Safe(Box::new(art)) } else { Verdict::Unknown(unchecked()) };
            return Ok(Some((Some(verdict), Vec::new())));
        }
        if tree.symmetry.is_some() {
            // Whether a schedule is fair depends on who is who.
            return Ok(None);
        }
        let checked = match tree.fair_schedule(&found.dead)? {
            Fair::Lost => true,
            Fair::Unproven => false,
            Fair::Schedule(art) => self.offer(*art, None, tree.solving, knowledge)?,
        };
        if knowledge.is_partially_safe() {
            return Ok(Some((Some(Verdict::PartiallySafe), Vec::new())));
        }
        if labels.inferred {
            // It follows ways that no run takes, and may have lost the game on these.
            return Ok(Some((None, Vec::new())));
        }
        if !checked {
            let reason = Reason::Solver("a schedule was found that could not be checked".to_owned());
            return Ok(Some((Some(Verdict::Unknown(reason)), Vec::new())));
        }
        if let Some(reason) = knowledge.doubt(self.expanded) {
            return Ok(Some((Some(Verdict::Unknown(reason)), Vec::new())));
        }
        let reduced = tree.nodes.values().any(|node| node.reduced);
        if !reduced {
            let verdict =
                if tree.is_exact() { Verdict::Unsafe } else { Verdict::Unknown(Reason::Undecidable) };
            return Ok(Some((Some(verdict), Vec::new())));
        }
        Ok(None)
    }
}

impl Tree<'_, '_> {
    /// The variables that have very many values at one location, given the facts that there are at each.
    pub(crate) fn varied<'f, F>(&self, facts: impl Iterator<Item = (LocId, F)>) -> Vec<VarId>
    where
        F: ExactSizeIterator<Item = &'f Rc<[TermId]>> + Clone,
    {
        let mut varied = FxHashSet::default();
        for (loc, here) in facts.filter(|(_, here)| here.len() > MOST_VALUES) {
            for (at, var) in self.model.info(loc).vars.iter().enumerate() {
                let values: FxHashSet<_> = here.clone().map(|facts| facts[at]).collect();
                if values.len() > MOST_VALUES {
                    varied.insert(*var);
                }
            }
        }
        // What is so for one thread is so for others that run the same.
        let alike = |variable: Variable| match variable {
            Variable::Local { frame, proc, local, .. } => Some((frame, proc, local)),
            Variable::Global(_) | Variable::Result { .. } => None,
        };
        let locals: FxHashSet<_> =
            varied.iter().filter_map(|var: &VarId| alike(self.model.variable(*var))).collect();
        let all = self.model.variables().keys().enumerate();
        let others = all.filter(|(_, variable)| alike(**variable).is_some_and(|like| locals.contains(&like)));
        varied.extend(others.map(|(at, _)| VarId::new(at)));
        let mut varied: Vec<VarId> = varied.into_iter().collect();
        varied.sort_unstable();
        varied
    }
}
