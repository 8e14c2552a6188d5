//! Delay-bounded search: 0, 1, 2, ... delays until something is found.

use std::time::Duration;

use engine::{
    Attempt, Bounds, Budget, Cancel, Checks, Claim, Config, Cut, CutAt, Disagreement, Fairness, Finding,
    Found, IntRange, Limits, Observer, Phase, Proof, Reason, SearchOrder, Solving, Verdict, ViolationKind,
    confirm,
};
use ir::{AssertKind, Op, Program};
use reach::Statistics;
use sequentialize::{Scheduler, Sequential, SwitchAt};
use smt::Solver;

use crate::Failure;
use crate::question::{Answer, Effort, Question, Within};

/// States are looked at with so many threads and frames at most.
const MOST_EXPLORED: Limits = Limits { threads: Limits::MOST_EXPLORED, frames: 1000 };

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
    /// Where formulas are hard, at most so many states are looked at first, for all numbers of delays together, and as
    /// many again depth-first.
    pub states: usize,
    /// Formulas that take more are hard.
    pub easy: Effort,
    /// The limits under which what is found is replayed, and what arbitrary integers can be where states are looked at.
    pub config: Config,
    /// Makes a solver for a number of delays.
    pub solver: &'a mut dyn FnMut(u32) -> Box<dyn Solver>,
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
    let within = Within { budget, cancel, observer, asked: false };
    let mut search = Search { program, within, explored: false, attempts: Vec::new() };
    let mut queries = 0;
    let mut unrolled = false;
    for delays in 0..=options.delays {
        let sequential = match options.scheduler {
            Scheduler::Df => sequentialize::df(program, delays, options.switch_at),
            Scheduler::Dfw => sequentialize::dfw(program, delays, options.switch_at),
        };
        let sequential =
            sequential.map_err(|error| Failure::Unsupported { what: error.what, span: Some(error.span) })?;
        let config = sequential.config(&options.config);
        let (answered, attempt) = search.attempt(&sequential, delays, options)?;
        let result = match answered {
            Answered::Formulas(result) => result,
            Answered::States(outcome) => return Ok(Outcome { attempts: search.attempts, ..outcome }),
        };
        queries += attempt.queries;
        unrolled |= attempt.found == Found::NothingWithinUnroll;
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

/// Who gave the answer.
enum Answered {
    /// The solver: a violation, none, or why that is not known.
    Formulas(Result<Option<Finding>, Reason>),
    /// The explorer, for these delays or more.
    States(Outcome),
}

struct Search<'a> {
    program: &'a Program,
    within: Within<'a>,
    /// Whether the states were looked at.
    explored: bool,
    attempts: Vec<Attempt>,
}

impl Search<'_> {
    /// One search.
    fn attempt(
        &mut self,
        sequential: &Sequential,
        delays: u32,
        options: &mut Options<'_>,
    ) -> Result<(Answered, Attempt), Failure> {
        let started = self.within.observer.now();
        let mut solver = (options.solver)(delays);
        let values = |at| sequential.back.get(at).is_some() || sequential.marks.contains_key(&at);
        let observed = [sequential.variables.task];
        let solving = Solving {
            scheduler: sequential.scheduler(),
            rounds: None,
            unroll: options.unroll,
            queries: 0,
            inlined: 0,
        };
        let mut question = Question {
            program: &sequential.program,
            values: &values,
            observed: &observed,
            controls: &sequential.controls,
            domains: &sequential.domains,
            solving,
            most: (!self.explored && options.states > 0).then_some(options.easy),
        };
        let (mut answer, mut statistics) = self.within.ask(&question, &mut *solver)?;
        if matches!(answer, Answer::Hard) {
            self.explored = true;
            let given_up = self.made(sequential, Found::Undecided, started, &statistics);
            if let Some(outcome) = self.explore(delays, given_up, options)? {
                return Ok((Answered::States(outcome), given_up));
            }
            question.most = None;
            let mut solver = (options.solver)(delays);
            (answer, statistics) = self.within.ask(&question, &mut *solver)?;
        }
        let nothing =
            if matches!(answer, Answer::Safe) { Found::Nothing } else { Found::NothingWithinUnroll };
        let result = match answer {
            Answer::Violated(trace) => self.confirm(sequential, &options.config, &trace)?.map(Some),
            Answer::Safe | Answer::SafeWithin => Ok(None),
            Answer::Hard => Err(Reason::Solver(smt::Reason::Effort.to_string())),
            Answer::Unknown(reason) => Err(reason),
        };
        let found = match &result {
            Ok(Some(_)) => Found::Violation,
            Ok(None) => nothing,
            Err(_) => Found::Undecided,
        };
        let attempt = self.made(sequential, found, started, &statistics);
        self.tell(attempt);
        Ok((Answered::Formulas(result), attempt))
    }

    /// Looks at the states of the program, with these delays and more: first with few values for what is arbitrary, since
    /// those often do to show what is wrong, and then with all that the explorer would try. With few values and the most
    /// delays it goes into the depth: there are too many states to come to the end of long runs otherwise. Nothing
    /// if that does not decide it.
    fn explore(
        &mut self,
        first: u32,
        given_up: Attempt,
        options: &Options<'_>,
    ) -> Result<Option<Outcome>, Failure> {
        let few = IntRange::new(0, 1).unwrap_or(options.config.int_range);
        let (most, wide) = (options.delays, options.config.int_range);
        let narrow = (first..=most).map(|delays| (few, delays, SearchOrder::BreadthFirst));
        let last = [(few, most, SearchOrder::DepthFirst), (wide, most, SearchOrder::BreadthFirst)];
        let (mut left, mut ended) = (options.states, false);
        for (int_range, delays, order) in narrow.chain(last) {
            let is_deep = order == SearchOrder::DepthFirst;
            if is_deep && ended {
                continue;
            }
            let started = self.within.observer.now();
            let limits = options.config.limits;
            let limits = Limits {
                threads: limits.threads.min(MOST_EXPLORED.threads),
                frames: limits.frames.min(MOST_EXPLORED.frames),
            };
            let config = Config {
                scheduler: match options.scheduler {
                    Scheduler::Df => engine::Scheduler::Df(delays),
                    Scheduler::Dfw => engine::Scheduler::Dfw(delays),
                },
                switch_at: options.switch_at,
                int_range,
                order,
                limits,
                checks: Checks { deadlocks: false, ..Checks::default() },
                ..options.config
            };
            let states = if is_deep { options.states } else { left };
            let explored = self.within.explored(self.program, &config, states)?;
            if !is_deep {
                left = left.saturating_sub(explored.states);
                ended = explored.ended;
            }
            let Some(explored) = explored.decided else { continue };
            let is_violation = !explored.verdict.findings().is_empty();
            if !is_violation && delays < options.delays {
                continue;
            }
            if delays > first {
                self.tell(given_up);
            }
            self.tell(Attempt {
                scheduler: config.scheduler,
                found: if is_violation { Found::Violation } else { Found::Nothing },
                time: self.within.observer.now().saturating_sub(started),
                queries: 0,
                inlined: 0,
                unroll: 0,
                states: Some(explored.figures.states),
                ..given_up
            });
            let (verdict, bounds, attempts) = (explored.verdict, explored.bounds, Vec::new());
            return Ok(Some(Outcome { verdict, bounds, config, attempts }));
        }
        Ok(None)
    }

    /// Replays what was found on the interpreter.
    fn confirm(
        &mut self,
        sequential: &Sequential,
        config: &Config,
        trace: &engine::Trace,
    ) -> Result<Result<Finding, Reason>, Failure> {
        self.within.observer.progress(Phase::Replay);
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

    fn made(
        &self,
        sequential: &Sequential,
        found: Found,
        started: Duration,
        statistics: &Statistics,
    ) -> Attempt {
        Attempt {
            scheduler: sequential.scheduler(),
            rounds: None,
            found,
            time: self.within.observer.now().saturating_sub(started),
            queries: statistics.queries,
            inlined: statistics.inlined,
            unroll: statistics.unroll,
            states: None,
        }
    }

    fn tell(&mut self, attempt: Attempt) {
        self.within.observer.attempted(&attempt);
        self.attempts.push(attempt);
    }
}
