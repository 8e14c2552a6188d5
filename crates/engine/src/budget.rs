//! How much an engine may use, and how it is told to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What an engine may use. What is not given is not limited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Time since the command was started.
    pub time: Option<Duration>,
    /// Bytes of memory.
    pub memory: Option<u64>,
}

/// Asks an engine to stop; all clones are the same request.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Asks.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// The flag that says so, for those who look at it from another thread.
    #[must_use]
    pub fn flag(&self) -> &Arc<AtomicBool> {
        &self.0
    }

    /// Whether somebody has asked.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Why an engine has to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exhausted {
    /// The given time is over.
    Time(Duration),
    /// The given bytes are used.
    Memory(u64),
    /// Somebody asked.
    Cancelled,
}

impl Budget {
    /// Whether it is used up.
    #[must_use]
    pub fn check(&self, time: Duration, memory: u64, cancel: &Cancel) -> Option<Exhausted> {
        if cancel.is_cancelled() {
            return Some(Exhausted::Cancelled);
        }
        if let Some(limit) = self.time.filter(|&limit| time >= limit) {
            return Some(Exhausted::Time(limit));
        }
        self.memory.filter(|&limit| memory >= limit).map(Exhausted::Memory)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_reason_to_stop_is_told() {
        let budget = Budget { time: Some(Duration::from_secs(2)), memory: Some(10) };
        let cancel = Cancel::default();
        let second = Duration::from_secs(1);
        assert_eq!(budget.check(second, 9, &cancel), None);
        assert_eq!(budget.check(second, 10, &cancel), Some(Exhausted::Memory(10)));
        assert_eq!(budget.check(2 * second, 10, &cancel), Some(Exhausted::Time(2 * second)));
        cancel.clone().cancel();
        assert_eq!(budget.check(second, 0, &cancel), Some(Exhausted::Cancelled));
        assert_eq!(Budget::default().check(second, u64::MAX, &Cancel::default()), None);
    }
}
