//! When to be awake for one's turn.
//!
//! To hand over to a thread that looks takes a fraction of a microsecond. To wake one that sleeps takes several, and tens of them
//! where a processor has nothing to do and sleeps, too. But not everybody can stay awake: with more threads than processors, those
//! that look take the place of those that have something to do.
//!
//! So a thread sleeps until as many hand-overs are left to its turn as there are other processors, and looks from then on: whoever is woken
//! gets ready while the one before it works, on the processor of the one before that, which now goes to sleep. What hand-overs there are is in the schedule:
//! an event waits for another one, whose thread waited before that for a third. This is the *chain* of an event. All in it
//! have happened when the event may, so to wait for one of them keeps nobody from anything.
//!
//! Who has to sleep all the same, since what it waits for takes longer than it can look, does without for a while.

use core::sync::atomic::{AtomicU32, Ordering};
use std::vec::Vec;

use super::slot::Patience;

/// The most threads that should be awake.
pub(super) const MOST_AWAKE: usize = 8;

/// Up to which event of its chain a thread sleeps that waits for its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Alarm {
    /// It does not wait.
    None,
    /// An event of this section: so many of a thread.
    Here(u32, u32),
    /// One of the section before: that with so many hand-overs left.
    Before(usize),
}

/// The chains of a section.
pub(super) struct Chains<'a> {
    section: &'a trace::table::Section,
    /// How many events of a chain an alarm leaves out.
    left: usize,
    /// Where the events of each thread are.
    of_thread: Vec<Vec<usize>>,
    /// For each event, the last one that it waits for, or that an earlier event of its thread does.
    link: Vec<Option<(u32, u32)>>,
}

impl<'a> Chains<'a> {
    /// Finds them, for alarms that leave out so many events.
    pub(super) fn of(section: &'a trace::table::Section, left: usize) -> Self {
        let threads = section.events.iter().map(|event| event.thread as usize + 1).max().unwrap_or(0);
        let mut of_thread: Vec<Vec<usize>> = vec![Vec::new(); threads];
        let mut link: Vec<Option<(u32, u32)>> = Vec::with_capacity(section.events.len());
        for (at, event) in section.events.iter().enumerate() {
            let own = &of_thread[event.thread as usize];
            let latest = event.after.iter().copied().max_by_key(|awaited| position(&of_thread, *awaited));
            link.push(latest.or_else(|| own.last().and_then(|before| link[*before])));
            of_thread[event.thread as usize].push(at);
        }
        Chains { section, left, of_thread, link }
    }

    /// The alarm of an event.
    pub(super) fn alarm(&self, at: usize) -> Alarm {
        if self.section.events[at].after.is_empty() {
            return Alarm::None;
        }
        let mut at = at;
        let mut awaited = None;
        for left in (0..=self.left).rev() {
            // Where nobody waits any more, it is for the end of the section before.
            let Some((thread, count)) = self.link[at] else { return Alarm::Before(left) };
            awaited = Some((thread, count));
            match position(&self.of_thread, (thread, count)) {
                Some(before) if before < at => at = before,
                // Such an event waits for one that comes later in the list, which has no chain.
                _ => break,
            }
        }
        awaited.map_or(Alarm::None, |(thread, count)| Alarm::Here(thread, count))
    }

    /// An event and its chain, as far as alarms need it.
    pub(super) fn ending_with(&self, last: (u32, u32)) -> Vec<(u32, u32)> {
        let mut chain = vec![last];
        while chain.len() <= self.left
            && let Some(link) = chain.last().and_then(|at| self.link[position(&self.of_thread, *at)?])
        {
            chain.push(link);
        }
        chain
    }
}

/// Where the event is with which a thread has done so many.
fn position(of_thread: &[Vec<usize>], (thread, count): (u32, u32)) -> Option<usize> {
    of_thread.get(thread as usize)?.get((count as usize).checked_sub(1)?).copied()
}

/// How a thread waits at some place, by what happened there before. Only that thread looks at it.
#[derive(Default)]
pub(super) struct Habit {
    /// How often it is to do without an alarm, and how often it did the last time.
    without: AtomicU32,
    last: AtomicU32,
}

/// How long to wait awake. Whoever is waited for may need this processor, even if there are enough of them: others run, too.
pub(super) const PATIENCE: Patience = Patience { looks: 250, yields: 20, gives_way: false };
/// The same where that was too short.
pub(super) const FAR: Patience = Patience { looks: 100, yields: 0, gives_way: false };
/// The most times to do without an alarm.
const MOST_WITHOUT: u32 = 63;

impl Habit {
    /// Whether to use the alarm and much patience.
    pub(super) fn is_patient(&self) -> bool {
        self.without.load(Ordering::Relaxed) == 0
    }

    /// The thread has waited, and whether it took longer than it could look.
    pub(super) fn waited(&self, long: bool) {
        let without = self.without.load(Ordering::Relaxed);
        let (without, last) = match (without, long) {
            (0, true) => {
                let longer = (2 * self.last.load(Ordering::Relaxed) + 1).min(MOST_WITHOUT);
                (longer, longer)
            }
            (_, false) => (0, 0),
            (_, true) => return self.without.store(without - 1, Ordering::Relaxed),
        };
        self.without.store(without, Ordering::Relaxed);
        self.last.store(last, Ordering::Relaxed);
    }
}
