//! Program schedules: what a scheduler needs to keep a program on the safe schedules of a tree.
//!
//! After section 4 of the paper. A program is always at a point or in a section between two points. All events of a section
//! happen before the first one of the next, except for those that are late. Where several sections start, the thread of their first events decides, by the way
//! its step takes. Within a section an event waits only for those that its clock asks for.

mod build;

use cranelift_entity::PrimaryMap;
use ir::OpRef;

pub use build::BuildError;

ir::ids! {
    /// Names a point of a program schedule.
    PointId = "p";
}

/// How much a schedule is optimised (section 5.6 of the paper).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// As found: strictly one event after the other.
    Sequential,
    /// Only dependent events are ordered. Lock operations that the order makes superfluous are left out.
    Relaxed,
    /// Further, sections that repeat are replicated, accesses to different cells are independent, and constraints that others
    /// imply are left out.
    Replicated,
}

impl Level {
    /// All levels, by their numbers.
    pub const ALL: [Level; 3] = [Level::Sequential, Level::Relaxed, Level::Replicated];

    /// Its number.
    #[must_use]
    pub fn number(self) -> usize {
        match self {
            Level::Sequential => 0,
            Level::Relaxed => 1,
            Level::Replicated => 2,
        }
    }
}

/// A program schedule. Ops are those of the program as the frontend made it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramSchedule {
    /// The SHA-256 fingerprint of the program's source, in hexadecimal.
    pub fingerprint: String,
    /// How much it is optimised.
    pub level: Level,
    /// The synchronization ops that are not performed.
    pub omitted: Vec<OpRef>,
    /// The points; the program starts at the first.
    pub points: PrimaryMap<PointId, Point>,
}

/// Where sections start. If there are none, the program ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Point {
    /// The sections. If there are several, their first events are of the same thread and differ in what they run.
    pub sections: Vec<Section>,
}

/// A part of a schedule without branches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// When it is taken, for people; only if several start at the same point.
    pub guard: Option<String>,
    /// What happens; one order in which it can.
    pub events: Vec<Event>,
    /// Where it leads.
    pub next: PointId,
}

/// One step of a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Who steps; threads have the numbers in which they were started, from 0.
    pub thread: u32,
    /// The ops that it runs. An op of two steps is in both.
    pub ops: Vec<OpRef>,
    /// Where the step ends.
    pub end: EventEnd,
    /// What has to happen before. An event that waits for nothing may happen as soon as its thread comes to it.
    pub after: Vec<After>,
    /// Whether it consists of synchronization that is not performed; then it is not counted.
    pub omitted: bool,
    /// Whether events of the next section need not wait for it: it touches nothing that other threads touch. Such events are the last
    /// ones of their thread in a section, and not all.
    pub late: bool,
}

/// Where a step ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EventEnd {
    /// Before an op.
    Before(OpRef),
    /// The thread has completed.
    Completed,
    /// The program has ended.
    Exited,
}

/// That another thread has executed some of its events of the section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct After {
    /// Which thread.
    pub thread: u32,
    /// How many.
    pub count: u32,
}

impl Section {
    /// The events that may happen next, given how many events of the section each thread has executed. Those that are
    /// omitted count here as well: they wait for nothing but their thread.
    #[must_use]
    pub fn enabled(&self, executed: &dyn Fn(u32) -> usize) -> Vec<usize> {
        let mut seen: Vec<(u32, usize)> = Vec::new();
        let mut enabled = Vec::new();
        for (at, event) in self.events.iter().enumerate() {
            let position = match seen.iter_mut().find(|(thread, _)| *thread == event.thread) {
                Some((_, count)) => {
                    *count += 1;
                    *count
                }
                None => {
                    seen.push((event.thread, 0));
                    0
                }
            };
            let happened = |after: &After| self.counted(after.thread, executed(after.thread)) >= after.count;
            if position == executed(event.thread) && event.after.iter().all(happened) {
                enabled.push(at);
            }
        }
        enabled
    }

    /// How many of the first events of a thread are counted.
    fn counted(&self, thread: u32, executed: usize) -> u32 {
        let events = self.events.iter().filter(|event| event.thread == thread).take(executed);
        u32::try_from(events.filter(|event| !event.omitted).count()).unwrap_or(u32::MAX)
    }
}
