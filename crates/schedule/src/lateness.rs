//! Events that the next section need not wait for.
//!
//! All events of a section come before those of the next, so that the states between sections are those of the tree. But what
//! touches nothing that any other thread touches can as well happen later: whatever others do meanwhile commutes with it, and so
//! what happens is equivalent to an execution in which nothing is late. Only its own thread has to do it before it goes on, and
//! everybody before the program ends. So a thread that does some work of its own after it has told the others what they wait for
//! does not hold them up.
//!
//! A thread is late in at most one section, since it does something in each of its sections that is not: otherwise, a section could
//! be over before the thread knows of it.

use indexmap::IndexSet;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::order::{Independence, KnownTouch, Step};
use crate::symbolic::Touched;

/// What matters of a section: what happens in it, with the events that count, and the point where it leads.
pub(crate) struct Outline<'a> {
    pub(crate) steps: Vec<&'a Step>,
    pub(crate) next: usize,
}

/// What threads have to themselves, in a schedule.
pub(crate) struct Lateness {
    /// The accesses that conflict with none of another thread.
    own: FxHashSet<(u32, KnownTouch)>,
    /// For each point, what comes next: who does something in a section before the program ends in it, whether it ends, and where
    /// the section leads.
    sections: Vec<Vec<(FxHashSet<u32>, bool, usize)>>,
}

impl Lateness {
    /// Looks at all sections, by the point at which they start.
    pub(crate) fn of(points: &[Vec<Outline<'_>>], independence: Independence) -> Self {
        let mut touched: FxHashMap<Touched, IndexSet<(u32, &KnownTouch)>> = FxHashMap::default();
        for step in points.iter().flatten().flat_map(|section| &section.steps) {
            for touch in &step.touches {
                touched.entry(touch.touch.what).or_default().insert((step.thread, touch));
            }
        }
        let mut own = FxHashSet::default();
        for (what, touches) in &touched {
            for &(thread, touch) in touches {
                let mut others = touches.iter().filter(|(other, _)| *other != thread);
                if matches!(what, Touched::Global(_))
                    && !others.any(|(_, other)| independence.conflict(touch, other))
                {
                    own.insert((thread, touch.clone()));
                }
            }
        }
        let outline = |section: &Outline<'_>| {
            let ends = section.steps.iter().position(|step| ends_all(step));
            let before = &section.steps[..ends.map_or(section.steps.len(), |at| at + 1)];
            (before.iter().map(|step| step.thread).collect(), ends.is_some(), section.next)
        };
        let sections = points.iter().map(|sections| sections.iter().map(outline).collect()).collect();
        Lateness { own, sections }
    }

    /// Which events of a section can be late, given those that count.
    pub(crate) fn late(&self, section: &Outline<'_>) -> Vec<bool> {
        let mut late = vec![false; section.steps.len()];
        let mut known: FxHashMap<u32, bool> = FxHashMap::default();
        for (at, step) in section.steps.iter().enumerate().rev() {
            let so_far =
                *known.entry(step.thread).or_insert_with(|| !self.ends_without(step.thread, section.next));
            late[at] = so_far && self.is_private(step);
            known.insert(step.thread, late[at]);
        }
        // Of a thread that is nothing but late, nothing is.
        for (at, step) in section.steps.iter().enumerate() {
            late[at] &= !known[&step.thread];
        }
        late
    }

    fn is_private(&self, step: &Step) -> bool {
        let own = |touch: &KnownTouch| self.own.contains(&(step.thread, touch.clone()));
        step.starts.is_empty() && step.touches.iter().all(own)
    }

    /// Whether the program can end after a point before a thread does anything more.
    fn ends_without(&self, thread: u32, point: usize) -> bool {
        let mut seen = FxHashSet::default();
        let mut open = vec![point];
        while let Some(point) = open.pop() {
            if !seen.insert(point) {
                continue;
            }
            let sections = &self.sections[point];
            if sections.is_empty() {
                return true;
            }
            for (_, ends, next) in sections.iter().filter(|(threads, ..)| !threads.contains(&thread)) {
                if *ends {
                    return true;
                }
                open.push(*next);
            }
        }
        false
    }
}

fn ends_all(step: &Step) -> bool {
    step.touches.iter().any(|touch| touch.touch.what == Touched::Everything)
}
