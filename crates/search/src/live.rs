//! Search for fair infinite executions, with more and more rounds.

use engine::{
    Attempt, Bounds, Budget, Cancel, Checks, Claim, Config, Fairness, Finding, Found, Observer, Outcome,
    Phase, Proof, Reason, Rounds, Solving, Verdict, ViolationKind, confirm,
};
use ir::Program;
use sequentialize::{Gap, Lasso};
use smt::Solver;

use crate::Failure;
use crate::question::{Answer, Effort, Question, Within};

/// What to search.
pub struct LiveOptions<'a> {
    /// The most rounds.
    pub rounds: Rounds,
    /// Which infinite executions count.
    pub fairness: Fairness,
    /// How often a run may go round a loop, or call a procedure inside itself, in the stem and in one round of the
    /// lasso together.
    pub unroll: u32,
    /// Where formulas are hard, at most so many states are looked at first.
    pub states: usize,
    /// Formulas that take more are hard.
    pub easy: Effort,
    /// The limits under which what is found is replayed; and the response property, if not all infinite executions count.
    pub config: Config,
    /// Makes a solver; each search has its own.
    pub solver: &'a mut dyn FnMut() -> Box<dyn Solver>,
}

/// What came out.
#[derive(Clone, Debug)]
pub struct LiveOutcome {
    /// The answer: an infinite execution, or none within the bounds.
    pub verdict: Verdict,
    /// The bounds it was sought in.
    pub bounds: Bounds,
    /// How the found run replays.
    pub config: Config,
    /// One search per pair of bounds; and one of all states if that decided it.
    pub attempts: Vec<Attempt>,
    /// Where executions may have been missed.
    pub gaps: Vec<Gap>,
}

/// The pairs of bounds up to the given ones, short executions first. A search within larger bounds finds all that one
/// within smaller bounds does, so of each length only those that can find something new and short are tried: first those
/// with the shortest lasso.
fn growing(most: Rounds) -> Vec<Rounds> {
    let (most_stem, most_lasso) = (most.stem.max(1), most.lasso.max(1));
    let mut pairs = Vec::new();
    for stem in 1..=most_stem {
        for lasso in 1..=most_lasso {
            pairs.push(Rounds { stem, lasso });
        }
    }
    pairs.sort_by_key(|rounds| (rounds.stem + rounds.lasso, rounds.lasso));
    pairs
}

/// Searches a valid program for an infinite execution that is as fair as asked and passes no progress mark, or breaks a
/// response property, with more and more rounds, and replays what is found.
///
/// # Errors
/// When the program cannot be searched this way, or something that must not happen does.
pub fn live(
    program: &Program,
    options: &mut LiveOptions<'_>,
    budget: &Budget,
    cancel: &Cancel,
    observer: &mut dyn Observer,
) -> Result<LiveOutcome, Failure> {
    let within = Within { budget, cancel, observer, asked: false };
    let exploring = options.config;
    let mut search = Search { program, within, explored: false, exploring, attempts: Vec::new() };
    let (mut queries, mut unrolled) = (0, false);
    let mut gaps = Vec::new();
    let mut config = options.config;
    let mut undecided = None;
    let mut tried = Rounds { stem: 1, lasso: 1 };
    for rounds in growing(options.rounds) {
        let response = options.config.checks.response;
        let sequential = sequentialize::lasso(program, rounds.stem, rounds.lasso, options.fairness, response)
            .map_err(|error| Failure::Unsupported { what: error.what, span: Some(error.span) })?;
        config = sequential.config(&options.config);
        tried = Rounds { stem: tried.stem.max(rounds.stem), lasso: tried.lasso.max(rounds.lasso) };
        gaps.clone_from(&sequential.gaps);
        let (result, attempt) = search.attempt(&sequential, rounds, options)?;
        queries += attempt.queries;
        unrolled |= attempt.found == Found::NothingWithinUnroll;
        let result = match result {
            Answered::Formulas(result) => result,
            Answered::States(outcome) => {
                let (Outcome { verdict, bounds, .. }, attempts) = (outcome, search.attempts);
                let config = search.exploring;
                return Ok(LiveOutcome { verdict, bounds, config, attempts, gaps: Vec::new() });
            }
        };
        match result {
            Ok(None) => {}
            Ok(Some(finding)) => {
                let bounds = Bounds::of_lassos(tried, options.unroll, unrolled);
                let verdict = Verdict::Unsafe(vec![finding]);
                return Ok(LiveOutcome { verdict, bounds, config, attempts: search.attempts, gaps });
            }
            // Other rounds may have one that can be run.
            Err(reason @ Reason::Unconfirmed(_)) => undecided = undecided.or(Some(reason)),
            Err(reason) => {
                undecided = Some(reason);
                break;
            }
        }
    }
    let bounds = Bounds::of_lassos(tried, options.unroll, unrolled);
    let verdict = match undecided {
        Some(reason) => Verdict::Unknown(reason),
        None => Verdict::SafeWithin(bounds.clone(), Proof::Unsatisfiable { queries }),
    };
    Ok(LiveOutcome { verdict, bounds, config, attempts: search.attempts, gaps })
}

/// Who gave the answer.
enum Answered {
    /// The solver: an infinite execution, none, or why that is not known.
    Formulas(Result<Option<Finding>, Reason>),
    /// The explorer.
    States(Outcome),
}

struct Search<'a> {
    program: &'a Program,
    within: Within<'a>,
    /// Whether the states were looked at, and how.
    explored: bool,
    exploring: Config,
    attempts: Vec<Attempt>,
}

impl Search<'_> {
    /// One search.
    fn attempt(
        &mut self,
        lasso: &Lasso,
        rounds: Rounds,
        options: &mut LiveOptions<'_>,
    ) -> Result<(Answered, Attempt), Failure> {
        let started = self.within.observer.now();
        let mut solver = (options.solver)();
        let values = |at| lasso.back().get(at).is_some() || lasso.marks().contains_key(&at);
        let observed = [lasso.task()];
        let solving = Solving {
            scheduler: engine::Scheduler::All,
            rounds: Some(rounds),
            unroll: options.unroll,
            queries: 0,
            inlined: 0,
        };
        let mut question = Question {
            program: lasso.program(),
            values: &values,
            observed: &observed,
            controls: lasso.controls(),
            domains: lasso.domains(),
            solving,
            most: (!self.explored && options.states > 0).then_some(options.easy),
        };
        let (mut answer, mut statistics) = self.within.ask(&question, &mut *solver)?;
        if matches!(answer, Answer::Hard) {
            self.explored = true;
            if let Some(explored) = self.explore(lasso, options)? {
                return Ok(explored);
            }
            question.most = None;
            let mut solver = (options.solver)();
            (answer, statistics) = self.within.ask(&question, &mut *solver)?;
        }
        let nothing =
            if matches!(answer, Answer::Safe) { Found::Nothing } else { Found::NothingWithinUnroll };
        let result = match answer {
            Answer::Violated(trace) => self.confirm(lasso, options, &trace)?.map(Some),
            Answer::Safe | Answer::SafeWithin => Ok(None),
            Answer::Hard => Err(Reason::Solver(smt::Reason::Effort.to_string())),
            Answer::Unknown(reason) => Err(reason),
        };
        let found = match &result {
            Ok(Some(_)) => Found::Violation,
            Ok(None) => nothing,
            Err(_) => Found::Undecided,
        };
        let attempt = Attempt {
            scheduler: engine::Scheduler::All,
            rounds: Some(rounds),
            found,
            time: self.within.observer.now().saturating_sub(started),
            queries: statistics.queries,
            inlined: statistics.inlined,
            unroll: statistics.unroll,
            states: None,
        };
        self.within.observer.attempted(&attempt);
        self.attempts.push(attempt);
        Ok((Answered::Formulas(result), attempt))
    }

    /// Looks at the states of the program; nothing if that does not decide it.
    fn explore(
        &mut self,
        lasso: &Lasso,
        options: &LiveOptions<'_>,
    ) -> Result<Option<(Answered, Attempt)>, Failure> {
        let started = self.within.observer.now();
        let checks = Checks {
            assertions: false,
            memory: false,
            deadlocks: false,
            races: false,
            non_termination: Some(options.fairness),
            response: options.config.checks.response,
            atomicity: false,
        };
        self.exploring = Config { checks, ..lasso.config(&options.config) };
        let explored = self.within.explored(self.program, &self.exploring, options.states)?;
        let Some(outcome) = explored.decided else { return Ok(None) };
        let attempt = Attempt {
            scheduler: engine::Scheduler::All,
            rounds: None,
            found: if outcome.verdict.findings().is_empty() { Found::Nothing } else { Found::Violation },
            time: self.within.observer.now().saturating_sub(started),
            queries: 0,
            inlined: 0,
            unroll: 0,
            states: Some(outcome.figures.states),
        };
        self.within.observer.attempted(&attempt);
        self.attempts.push(attempt);
        Ok(Some((Answered::States(outcome), attempt)))
    }

    /// Replays what was found on the interpreter, which judges by itself whether it is fair.
    fn confirm(
        &mut self,
        lasso: &Lasso,
        options: &LiveOptions<'_>,
        trace: &engine::Trace,
    ) -> Result<Result<Finding, Reason>, Failure> {
        self.within.observer.progress(Phase::Replay);
        let run = match lasso.run(self.program, &options.config, trace) {
            Ok(run) => run,
            Err(error) => return Ok(Err(Reason::Unconfirmed(error.to_string()))),
        };
        let claim = Claim { kind: ViolationKind::NonTermination, fairness: options.fairness, at: None };
        let config = lasso.config(&options.config);
        confirm(self.program, &config, &run, claim).map(Ok).map_err(Failure::Disagreement)
    }
}
