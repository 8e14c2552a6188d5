//! Violations that were replayed.
//!
//! A [`Finding`] can only be made by [`confirm`]: it replays the run on the interpreter, takes everything it says
//! from what comes out there, and compares that with what was claimed. So no engine can show a bug that the
//! reference semantics does not have.

use interp::{Blocked, Config, Ending, Fairness, Replay, Run, Violation, ViolationKind};
use ir::text::Printer;
use ir::{Op, OpRef, Program, Response};
use source::Span;

use crate::Atomicity;

/// An op that a violation is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// The op.
    pub at: OpRef,
    /// Its source.
    pub span: Span,
}

/// What a run is said to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// What is wrong.
    pub kind: ViolationKind,
    /// The least fairness that an infinite execution must have.
    pub fairness: Fairness,
    /// The op it is about, and the other one of a race; nothing if that was not recorded.
    pub at: Option<(OpRef, Option<OpRef>)>,
}

impl Claim {
    /// What the explorer says.
    #[must_use]
    pub fn of(violation: &Violation, fairness: Fairness) -> Self {
        Claim {
            kind: violation.kind,
            fairness,
            at: Some((violation.at, violation.other.map(|(other, _)| other))),
        }
    }
}

/// A violation that was replayed.
#[derive(Clone, Debug)]
pub struct Finding {
    kind: ViolationKind,
    message: String,
    access: Access,
    other: Option<Access>,
    last: Option<Access>,
    atomicity: Option<Atomicity>,
    count: usize,
    run: Run,
    replay: Replay,
}

impl Finding {
    /// What is wrong.
    #[must_use]
    pub fn kind(&self) -> ViolationKind {
        self.kind
    }

    /// In words.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What it is about.
    #[must_use]
    pub fn access(&self) -> Access {
        self.access
    }

    /// The other access of a data race, or the one of the other thread in a violation of atomicity.
    #[must_use]
    pub fn other(&self) -> Option<Access> {
        self.other
    }

    /// The third access of a violation of atomicity.
    #[must_use]
    pub fn last(&self) -> Option<Access> {
        self.last
    }

    /// What a violation of atomicity is about.
    #[must_use]
    pub fn atomicity(&self) -> Option<&Atomicity> {
        self.atomicity.as_ref()
    }

    /// How many violations were found that differ from this one only in which instances of the same lines they are about.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// Counts another violation that is about the same lines.
    pub fn count_another(&mut self) {
        self.count += 1;
    }

    pub(crate) fn of_atomicity(
        message: String,
        [first, other, last]: [Access; 3],
        run: Run,
        replay: Replay,
        atomicity: Atomicity,
    ) -> Self {
        Finding {
            kind: ViolationKind::Atomicity,
            message,
            access: first,
            other: Some(other),
            last: Some(last),
            atomicity: Some(atomicity),
            count: 1,
            run,
            replay,
        }
    }

    /// The run that shows it.
    #[must_use]
    pub fn run(&self) -> &Run {
        &self.run
    }

    /// What happens in that run.
    #[must_use]
    pub fn replay(&self) -> &Replay {
        &self.replay
    }
}

/// A run that does not show what it is said to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// What was claimed.
    pub kind: ViolationKind,
    /// What came out.
    pub message: String,
}

impl std::fmt::Display for Disagreement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the run is said to show a violation of kind `{}`, but {}", self.kind.name(), self.message)
    }
}

impl std::error::Error for Disagreement {}

/// Replays a run and checks that it shows what is claimed.
///
/// # Errors
/// When the program has no such run, or when it ends otherwise.
pub fn confirm(program: &Program, config: &Config, run: &Run, claim: Claim) -> Result<Finding, Disagreement> {
    let disagree = |message: String| Disagreement { kind: claim.kind, message };
    let replay = interp::replay(program, config, run).map_err(|error| disagree(error.to_string()))?;
    let (kind, message, access, other) =
        judge(program, config, &replay, run, claim.fairness).map_err(disagree)?;
    if kind != claim.kind {
        return Err(disagree(format!("it shows one of kind `{}`", kind.name())));
    }
    // An infinite execution is about all of its ops, and a deadlock about all that are blocked; which one is named is a
    // matter of taste.
    if let Some(claimed) = claim.at
        && !matches!(kind, ViolationKind::NonTermination | ViolationKind::Deadlock)
        && claimed != (access.at, other.map(|other| other.at))
    {
        return Err(disagree("the violation is at another op".to_owned()));
    }
    let (last, atomicity, count) = (None, None, 1);
    Ok(Finding { kind, message, access, other, last, atomicity, count, run: run.clone(), replay })
}

type Judged = (ViolationKind, String, Access, Option<Access>);

/// What a replayed run shows.
fn judge(
    program: &Program,
    config: &Config,
    replay: &Replay,
    run: &Run,
    asked: Fairness,
) -> Result<Judged, String> {
    let name = |thread: usize| replay.threads[thread].as_str();
    match &replay.ending {
        Ending::Failed { kind, message, at, span } => {
            Ok((*kind, message.clone(), Access { at: *at, span: *span }, None))
        }
        Ending::Deadlock(blocked) => {
            // Who only waits for another one to complete is not the cause.
            let joins = |b: &&Blocked| {
                let block = program.procs.get(b.at.proc).and_then(|proc| proc.blocks.get(b.at.block));
                let stmt = block.and_then(|block| block.stmts.get(b.at.index));
                matches!(stmt.map(|stmt| &stmt.op), Some(Op::Wait { .. })) && b.waits_for.is_some()
            };
            let cause = blocked.iter().find(|b| !joins(b)).or(blocked.first());
            let Some(first) = cause else { return Err("nobody is blocked".to_owned()) };
            let names: Vec<&str> = blocked.iter().map(|b| name(b.thread)).collect();
            let verb = if names.len() == 1 { "is" } else { "are" };
            let message = format!("{} {verb} blocked for ever", list(&names));
            Ok((ViolationKind::Deadlock, message, Access { at: first.at, span: first.span }, None))
        }
        Ending::Race { variable, accesses: [first, second] } => {
            let verb = |writes: bool| if writes { "write to" } else { "read of" };
            let message = format!(
                "{} `{variable}` by {} (1) races with {} it by {} (2)",
                verb(first.3),
                name(first.0),
                verb(second.3),
                name(second.0)
            );
            let access = |a: &(usize, OpRef, Span, bool)| Access { at: a.1, span: a.2 };
            Ok((ViolationKind::DataRace, message, access(first), Some(access(second))))
        }
        Ending::Lasso { fairness, moving, progress, unanswered, .. } => {
            if rank(*fairness) < rank(asked) {
                return Err("the infinite execution is not as fair as it should be".to_owned());
            }
            if *progress {
                return Err("the infinite execution passes a progress mark".to_owned());
            }
            let first = run.lasso_start.and_then(|start| replay.events.get(start..));
            let first = first.unwrap_or_default().iter().find_map(|event| event.ops.first());
            let Some(&(at, span)) = first else { return Err("the lasso has no steps".to_owned()) };
            let message = match (config.checks.response, unanswered) {
                (None, _) => {
                    let names: Vec<&str> = moving.iter().map(|&t| name(t)).collect();
                    let verb = if names.len() == 1 { "runs" } else { "run" };
                    format!("{} {verb} for ever", list(&names))
                }
                (Some(response), Some(since)) => unanswered_message(program, response, *since),
                (Some(_), None) => {
                    return Err("in the infinite execution every request is answered".to_owned());
                }
            };
            Ok((ViolationKind::NonTermination, message, Access { at, span }, None))
        }
        Ending::Completed => Err("all threads complete".to_owned()),
        Ending::Open => Err("nothing is wrong at its end".to_owned()),
    }
}

/// What never happens, and since when.
fn unanswered_message(program: &Program, response: Response, since: usize) -> String {
    let printer = Printer::new(program);
    let (request, answer) = (printer.expr(None, response.request), printer.expr(None, response.answer));
    let since = if since == 0 { "the start".to_owned() } else { format!("step {since}") };
    format!("from {since} on, `{request}` held and `{answer}` never does")
}

fn rank(fairness: Fairness) -> u8 {
    match fairness {
        Fairness::None => 0,
        Fairness::Weak => 1,
        Fairness::Strong => 2,
    }
}

/// `a`, `a and b`, `a, b and c`.
fn list(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}
