//! Small pieces of English and numbers that several formats share.

use std::collections::BTreeSet;
use std::time::Duration;

use engine::{
    Attempt, Bounds, Checks, Exhausted, Fairness, Found, Reason, Scheduler, Touched, Verdict, ViolationKind,
};

/// The word of a command's verdict in results.
pub(crate) fn verdict_name(command: &str, verdict: &Verdict) -> &'static str {
    match (command, verdict) {
        ("predict", Verdict::Unsafe(_) | Verdict::PartiallySafe(_) | Verdict::Violated(..)) => "violations",
        ("predict", Verdict::Safe(_) | Verdict::SafeWithin(..)) => "none",
        ("async", Verdict::Unsafe(_)) => "violation",
        ("async" | "live", Verdict::Safe(_) | Verdict::SafeWithin(..)) => "none-within-bounds",
        ("live", Verdict::Unsafe(_)) => "non-terminating",
        (_, Verdict::Safe(_) | Verdict::SafeWithin(..)) => "safe",
        (_, Verdict::Unsafe(_)) => "unsafe",
        (_, Verdict::PartiallySafe(_)) => "partially-safe",
        (_, Verdict::Violated(..) | Verdict::Unknown(_)) => "unknown",
    }
}

/// One of several searches, in a line.
#[must_use]
pub fn attempt_line(attempt: &Attempt) -> String {
    let found = match attempt.found {
        Found::Violation => "violation found".to_owned(),
        Found::Nothing => "nothing found".to_owned(),
        Found::NothingWithinUnroll => format!("nothing found with --unroll {}", attempt.unroll),
        Found::Undecided => "undecided".to_owned(),
    };
    let queries = count(attempt.queries, "query").replace("querys", "queries");
    let what = match (attempt.rounds, attempt.scheduler) {
        (Some(rounds), _) => rounds.to_string(),
        (None, Scheduler::All) => "all runs".to_owned(),
        (None, scheduler) => scheduler.to_string(),
    };
    let work = attempt.states.map_or(queries, |states| count(states as u64, "state"));
    format!("{what:<8} {found}, {} ({work})", seconds(attempt.time))
}

pub(crate) fn fairness_name(fairness: Fairness) -> &'static str {
    match fairness {
        Fairness::Strong => "strong",
        Fairness::Weak => "weak",
        Fairness::None => "none",
    }
}

pub(crate) fn scheduler_name(scheduler: Scheduler) -> (&'static str, Option<u32>) {
    match scheduler {
        Scheduler::All => ("all", None),
        Scheduler::Df(delays) => ("df", Some(delays)),
        Scheduler::Dfw(delays) => ("dfw", Some(delays)),
    }
}

/// The kinds that were looked for, as `--check` names them.
pub(crate) fn check_names(checks: Checks) -> Vec<&'static str> {
    let name = |kind: ViolationKind| match kind {
        ViolationKind::DataRace => "race",
        other => other.name(),
    };
    checked_kinds(checks).map(name).collect()
}

/// The kinds that were looked for.
pub(crate) fn checked_kinds(checks: Checks) -> impl Iterator<Item = ViolationKind> {
    let all = [
        (checks.atomicity, ViolationKind::Atomicity),
        (checks.assertions, ViolationKind::Assertion),
        (checks.memory, ViolationKind::Memory),
        (checks.deadlocks, ViolationKind::Deadlock),
        (checks.races, ViolationKind::DataRace),
        (checks.non_termination.is_some(), ViolationKind::NonTermination),
    ];
    all.into_iter().filter_map(|(is, kind)| is.then_some(kind))
}

/// The bounds that mattered, one sentence each.
pub(crate) fn bound_sentences(bounds: &Bounds) -> Vec<String> {
    let sentence = |touched: &Touched| match touched {
        Touched::IntRange => {
            let range = bounds.int_range.unwrap_or_default();
            format!(
                "nondeterministic integers were limited to {}..{} (--int-range)",
                range.low(),
                range.high()
            )
        }
        Touched::Scheduler => match scheduler_name(bounds.scheduler) {
            (name, Some(1)) => format!("only the schedules of {name} with at most 1 delay were explored"),
            (name, delays) => format!(
                "only the schedules of {name} with at most {} delays were explored (--delays)",
                delays.unwrap_or(0)
            ),
        },
        Touched::SwitchAt => "threads were switched only at yields (--switch-at)".to_owned(),
        Touched::Threads => {
            format!(
                "runs with more than {} threads were not followed (--max-threads)",
                bounds.limits.unwrap_or_default().threads
            )
        }
        Touched::Frames => format!(
            "runs with more than {} nested calls were not followed (--max-frames)",
            bounds.limits.unwrap_or_default().frames
        ),
        Touched::Unroll => format!(
            "runs that go round a loop, or call a procedure inside itself, more than {} times were not looked at \
             (--unroll)",
            bounds.unroll.unwrap_or_default()
        ),
        Touched::Rounds => {
            let rounds = bounds.rounds.map(|rounds| rounds.to_string()).unwrap_or_default();
            format!("infinite executions with more rounds than {rounds} were not looked at (--stem, --lasso)")
        }
    };
    bounds.touched.iter().map(sentence).collect()
}

/// The short name of a reason.
pub(crate) fn reason_name(reason: &Reason) -> &'static str {
    match reason {
        Reason::Exhausted(Exhausted::Time(_)) => "time",
        Reason::Exhausted(Exhausted::Memory(_)) => "memory",
        Reason::Exhausted(Exhausted::Cancelled) => "cancelled",
        Reason::Cut(_) => "cut",
        Reason::Sampled(_) => "sampled",
        Reason::Solver(_) => "solver",
        Reason::Enough => "enough",
        Reason::Undecidable => "undecidable",
        Reason::Unconfirmed(_) => "unconfirmed",
        Reason::Potential(_) => "potential",
        Reason::Unfollowed(_) => "unfollowed",
    }
}

/// A reason as a sentence without its full stop.
#[must_use]
pub fn reason_sentence(reason: &Reason) -> String {
    match reason {
        Reason::Exhausted(Exhausted::Time(limit)) => {
            format!("the time limit of {} was reached", seconds(*limit))
        }
        Reason::Exhausted(Exhausted::Memory(limit)) => {
            format!("the memory limit of {} was reached", bytes(*limit))
        }
        Reason::Exhausted(Exhausted::Cancelled) => "it was interrupted".to_owned(),
        Reason::Cut(cuts) => {
            let why: BTreeSet<String> = cuts.iter().map(|stop| stop.cut.to_string()).collect();
            match why.first() {
                Some(first) if why.len() == 1 => format!("some runs could not be followed: {first}"),
                Some(first) => {
                    format!("some runs could not be followed: {first}, and {} more", why.len() - 1)
                }
                None => "some runs could not be followed".to_owned(),
            }
        }
        Reason::Sampled(range) => format!(
            "nothing wrong was found, but of the arbitrary values only {}..{} were tried",
            range.low(),
            range.high()
        ),
        Reason::Solver(why) => why.clone(),
        Reason::Enough => "it stopped at the first safe schedule".to_owned(),
        Reason::Undecidable => {
            "whether some schedule is safe depends on values that the schedule cannot see".to_owned()
        }
        Reason::Unconfirmed(why) => {
            format!("a violation was found, but the interpreter cannot run it: {why}")
        }
        Reason::Potential(1) => {
            "1 potential violation of atomicity, which need not be real: order and locks do not rule it out, and data was not looked at"
                .to_owned()
        }
        Reason::Potential(count) => format!(
            "{count} potential violations of atomicity, which need not be real: order and locks do not rule them out, and data was not looked at"
        ),
        Reason::Unfollowed(why) => format!("the recorded run could not be followed to its end: {why}"),
    }
}

/// `12,345`.
pub(crate) fn number(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `12,345 states`, `1 state`.
pub(crate) fn count(n: u64, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{} {what}s", number(n)) }
}

/// `1.23 s`, `45 ms`.
pub(crate) fn seconds(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 0.1 {
        format!("{:.0} ms", (seconds * 1000.0).ceil())
    } else if seconds >= 10.0 || time.subsec_nanos() == 0 {
        format!("{seconds:.0} s")
    } else {
        format!("{seconds:.2} s")
    }
}

/// `12.5 MB`.
pub(crate) fn bytes(n: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "a figure for people")]
    let n = n as f64;
    if n >= 1e9 { format!("{:.1} GB", n / 1e9) } else { format!("{:.1} MB", n / 1e6) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(number(0), "0");
        assert_eq!(number(1234), "1,234");
        assert_eq!(number(12_345_678), "12,345,678");
        assert_eq!(count(1, "step"), "1 step");
        assert_eq!(seconds(Duration::from_millis(1234)), "1.23 s");
        assert_eq!(seconds(Duration::from_secs(1)), "1 s");
        assert_eq!(seconds(Duration::from_micros(1234)), "2 ms");
        assert_eq!(bytes(4_000_000_000), "4.0 GB");
    }
}
