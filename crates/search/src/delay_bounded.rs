//! Delay-bounded search: 0, 1, 2, ... delays until something is found.

use std::time::Duration;

use engine::{
    Attempt, Bounds, Budget, Cancel, Claim, Config, Cut, CutAt, Disagreement, Fairness, Finding, Found,
    Observer, Phase, Proof, Reason, Solving, Verdict, ViolationKind, confirm,
};
use ir::{AssertKind, Op, Program};
use reach::Statistics;
use sequentialize::{Scheduler, Sequential, SwitchAt};
use smt::Solver;

use crate::Failure;
use crate::question::{Answer, Question, Within};

/// What to search.
pub struct Options<'a> {
    /// Which scheduler.
    pub scheduler: Scheduler,
    /// The most delays.
    pub delays: u32,
    /// Where tasks are switched.
    pub switch_at: SwitchAt,
    /// How often a run may go round a loop, or call a procedure inside itself.
    pub unroll: u32,
    /// The limits under which what is found is replayed.
    pub config: Config,
    /// Makes a solver; each number of delays has its own.
    pub solver: &'a mut dyn FnMut() -> Box<dyn Solver>,
}

/// What came out.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The answer.
    pub verdict: Verdict,
    /// The bounds it was sought in; the scheduler is the one with the most delays that were tried.
    pub bounds: Bounds,
    /// How the found run replays.
    pub config: Config,
    /// One search per number of delays.
    pub attempts: Vec<Attempt>,
}

/// Searches a valid program for a failing assertion, with more and more delays, and replays what is found.
///
/// # Errors
/// When the program cannot be searched this way, or something that must not happen does.
pub fn delay_bounded(
    program: &Program,
    options: &mut Options<'_>,
    budget: &Budget,
    cancel: &Cancel,
    observer: &mut dyn Observer,
) -> Result<Outcome, Failure> {
    let mut search = Search { program, budget, cancel, observer, attempts: Vec::new() };
    let mut queries = 0;
    let mut unrolled = false;
    for delays in 0..=options.delays {
        let started = search.observer.now();
        let sequential = match options.scheduler {
            Scheduler::Df => sequentialize::df(program, delays, options.switch_at),
            Scheduler::Dfw => sequentialize::dfw(program, delays, options.switch_at),
        };
        let sequential =
            sequential.map_err(|error| Failure::Unsupported { what: error.what, span: Some(error.span) })?;
        let config = sequential.config(&options.config);
        let (result, taken) = search.attempt(&sequential, options)?;
        queries += taken.reach.queries;
        let found = match &result {
            Ok(Some(_)) => Found::Violation,
            Ok(None) if taken.unroll_mattered => Found::NothingWithinUnroll,
            Ok(None) => Found::Nothing,
            Err(_) => Found::Undecided,
        };
        unrolled |= found == Found::NothingWithinUnroll;
        search.finish(&sequential, found, started, &taken.reach);
        let bounds = Bounds::of_formulas(config.scheduler, config.switch_at, options.unroll, unrolled);
        let verdict = match result {
            Ok(Some(finding)) => Verdict::Unsafe(vec![finding]),
            Err(reason) => Verdict::Unknown(reason),
            Ok(None) if delays < options.delays => continue,
            Ok(None) if sequential.partial.is_some() => Verdict::Unknown(left_out(&sequential)),
            Ok(None) => Verdict::SafeWithin(bounds.clone(), Proof::Unsatisfiable { queries }),
        };
        return Ok(Outcome { verdict, bounds, config, attempts: search.attempts });
    }
    unreachable!("the last number of delays ends the search")
}

/// Why nothing that was found does not mean that there is nothing.
fn left_out(sequential: &Sequential) -> Reason {
    let what = "under DFW, a wait for a task that came through a global or `self`; try --scheduler df";
    let span = sequential.partial.unwrap_or(source::Span::NONE);
    Reason::Cut(vec![CutAt { cut: Cut::LeftOut(what.to_owned()), at: None, span }])
}

struct Search<'a> {
    program: &'a Program,
    budget: &'a Budget,
    cancel: &'a Cancel,
    observer: &'a mut dyn Observer,
    attempts: Vec<Attempt>,
}

/// What one search took, and whether the bound on loops mattered.
struct Taken {
    reach: Statistics,
    unroll_mattered: bool,
}

impl Search<'_> {
    /// One search: a violation, none, or why that is not known.
    fn attempt(
        &mut self,
        sequential: &Sequential,
        options: &mut Options<'_>,
    ) -> Result<(Result<Option<Finding>, Reason>, Taken), Failure> {
        let mut solver = (options.solver)();
        let values = |at| sequential.back.get(at).is_some() || sequential.marks.contains_key(&at);
        let observed = [sequential.variables.task];
        let solving = Solving {
            scheduler: sequential.scheduler(),
            rounds: None,
            unroll: options.unroll,
            queries: 0,
            inlined: 0,
        };
        let question = Question {
            program: &sequential.program,
            values: &values,
            observed: &observed,
            controls: &sequential.controls,
            domains: &sequential.domains,
            solving,
            most: None,
        };
        let mut within = Within { budget: self.budget, cancel: self.cancel, observer: self.observer };
        let (outcome, reach) = within.ask(&question, &mut *solver)?;
        let unroll_mattered = matches!(outcome, Answer::SafeWithin);
        let taken = Taken { reach, unroll_mattered };
        let result = match outcome {
            Answer::Violated(trace) => self.confirm(sequential, &options.config, &trace)?.map(Some),
            Answer::Safe | Answer::SafeWithin => Ok(None),
            Answer::Hard => Err(Reason::Solver(smt::Reason::Effort.to_string())),
            Answer::Unknown(reason) => Err(reason),
        };
        Ok((result, taken))
    }

    /// Replays what was found on the interpreter.
    fn confirm(
        &mut self,
        sequential: &Sequential,
        config: &Config,
        trace: &engine::Trace,
    ) -> Result<Result<Finding, Reason>, Failure> {
        self.observer.progress(Phase::Replay);
        let disagree =
            |message: String| Failure::Disagreement(Disagreement { kind: ViolationKind::Assertion, message });
        let failure =
            sequential.failure(trace).ok_or_else(|| disagree("it ends with no assertion".to_owned()))?;
        let run = match sequential.run(self.program, config, trace) {
            Ok(run) => run,
            Err(error) => return Ok(Err(Reason::Unconfirmed(error.to_string()))),
        };
        let stmt = &self.program.procs[failure.proc].blocks[failure.block].stmts[failure.index];
        let kind = match &stmt.op {
            Op::Assert { kind: AssertKind::Memory, .. } => ViolationKind::Memory,
            _ => ViolationKind::Assertion,
        };
        let claim = Claim { kind, fairness: Fairness::None, at: Some((failure, None)) };
        let config = sequential.config(config);
        confirm(self.program, &config, &run, claim).map(Ok).map_err(Failure::Disagreement)
    }

    fn finish(&mut self, sequential: &Sequential, found: Found, started: Duration, statistics: &Statistics) {
        let attempt = Attempt {
            scheduler: sequential.scheduler(),
            rounds: None,
            found,
            time: self.observer.now().saturating_sub(started),
            queries: statistics.queries,
            inlined: statistics.inlined,
            unroll: statistics.unroll,
            states: None,
        };
        self.observer.attempted(&attempt);
        self.attempts.push(attempt);
    }
}
