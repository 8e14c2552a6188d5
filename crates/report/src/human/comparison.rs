//! Two schedulers side by side, as in Figure 8 of the async paper: how many delays each needs to find the violation, the
//! time over all bounds from 0, and the time for the smallest bound that suffices.

use std::time::Duration;

use engine::{Attempt, Found, Scheduler};

use crate::words::seconds;

/// The table, if there are attempts under both schedulers.
pub(super) fn table(attempts: &[Attempt]) -> Option<String> {
    let of = |dfw: bool| -> Vec<Attempt> {
        let is =
            |scheduler| matches!((scheduler, dfw), (Scheduler::Df(_), false) | (Scheduler::Dfw(_), true));
        attempts.iter().filter(|attempt| is(attempt.scheduler)).copied().collect()
    };
    let (df, dfw) = (of(false), of(true));
    if df.is_empty() || dfw.is_empty() {
        return None;
    }
    let mut text = format!("  {:<9} {:>6} {:>10} {:>10}\n", "scheduler", "delays", "total", "last bound");
    for (name, attempts) in [("DF", df), ("DFW", dfw)] {
        let total: Duration = attempts.iter().map(|attempt| attempt.time).sum();
        let found = attempts.iter().find(|attempt| attempt.found == Found::Violation);
        let last = attempts.last().map(|attempt| attempt.time).unwrap_or_default();
        let delays = match (found.map(|attempt| attempt.scheduler), attempts.last().map(|a| a.scheduler)) {
            (Some(Scheduler::Df(k) | Scheduler::Dfw(k)), _) => k.to_string(),
            (_, Some(Scheduler::Df(k) | Scheduler::Dfw(k))) => format!("> {k}"),
            _ => String::new(),
        };
        text.push_str(&format!("  {name:<9} {delays:>6} {:>10} {:>10}\n", seconds(total), seconds(last)));
    }
    Some(text)
}
