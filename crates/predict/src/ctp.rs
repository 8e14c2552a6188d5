//! The concurrent trace program of a run (Wang, Limaye, Ganai and Gupta, TACAS 2010, Definition 1): its events as guarded
//! assignments in symbolic form, ordered within threads only.
//!
//! An event is a step of the interpreter: one visible op, or one atomic section, and what the thread then does on its own.
//! Whether the visible part can be executed at all is its *guard*. What the thread computes and decides on its own after that is
//! its *tail*: if it comes out otherwise, the event happened all the same, but the thread's next one does not.

use engine::ViolationKind;
use ir::{GlobalId, OpRef};
use smt::TermId;

use crate::happens_before::Clocks;

/// Names an event: its position in the window.
pub(crate) type Ev = usize;

/// An access to a shared variable.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    pub(crate) global: GlobalId,
    /// The indices of all maps on the way; none for a variable as a whole.
    pub(crate) index: Vec<TermId>,
    pub(crate) write: bool,
    /// When it is made: operands that are not needed are not evaluated.
    pub(crate) when: TermId,
}

/// An assignment to a shared variable, or to a cell of one.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    pub(crate) global: GlobalId,
    pub(crate) index: Vec<TermId>,
    pub(crate) value: TermId,
}

/// The use of a shared variable in an event: the constant stands for what it holds when the event begins.
#[derive(Clone, Debug)]
pub(crate) struct Use {
    pub(crate) event: Ev,
    pub(crate) global: GlobalId,
    pub(crate) index: Vec<TermId>,
    pub(crate) term: TermId,
}

/// Whether other threads can keep an event from being executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Blocking {
    /// It can always be executed.
    Never,
    /// It waits for this.
    Until(TermId),
    /// It filters runs: being stuck there is no deadlock.
    Filter,
    /// It has other ways than the one that was taken.
    Unknown,
}

/// An assertion that held in the run.
#[derive(Clone, Debug)]
pub(crate) struct Assertion {
    pub(crate) op: OpRef,
    pub(crate) kind: ViolationKind,
    pub(crate) holds: TermId,
    /// What must hold for the thread to get there, besides all that let the event be executed if it is in its tail.
    pub(crate) before: Vec<TermId>,
    pub(crate) in_tail: bool,
}

/// A branch that went one way in the run.
#[derive(Clone, Debug)]
pub(crate) struct Way {
    pub(crate) op: OpRef,
    /// What lets it go the way that it went.
    pub(crate) condition: TermId,
    /// What must hold for the thread to get there, besides all that let the event be executed if it is in its tail.
    pub(crate) before: Vec<TermId>,
    pub(crate) in_tail: bool,
}

/// Something that was chosen and may be chosen otherwise: it says nothing about the program's input.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Free {
    /// The thread that a signal wakes: a handle.
    Woken(TermId),
    /// Whether a timed wait ends without a signal.
    Late(TermId),
}

/// A lock and whether it is taken or given back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LockOp {
    pub(crate) lock: usize,
    pub(crate) acquire: bool,
}

/// An event.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) thread: usize,
    /// Its position among the thread's events in the window.
    pub(crate) pos: usize,
    /// The step of the run that it was.
    pub(crate) step: usize,
    /// Its first op, in the expanded program.
    pub(crate) op: OpRef,
    /// The calls that its thread is in.
    pub(crate) calls: Vec<OpRef>,
    pub(crate) guard: Vec<TermId>,
    pub(crate) tail: Vec<TermId>,
    /// The accesses of its visible part, and how many of them are of its first op.
    pub(crate) accesses: Vec<Access>,
    pub(crate) first_accesses: usize,
    /// Whether the interpreter takes its first accesses for part of a race.
    pub(crate) plain: bool,
    pub(crate) definitions: Vec<Definition>,
    pub(crate) assertions: Vec<Assertion>,
    /// The branches that may go another way, where that does not fail at once.
    pub(crate) ways: Vec<Way>,
    pub(crate) blocking: Blocking,
    pub(crate) free: Vec<Free>,
    pub(crate) locks: Vec<LockOp>,
    pub(crate) spawns: Vec<usize>,
    pub(crate) waits: Vec<usize>,
    pub(crate) completes: bool,
    /// It ends the program: nothing comes after it.
    pub(crate) exits: bool,
}

/// Why code is taken for a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// It is marked in the source.
    Marked,
    /// It is the body of a procedure that was named.
    Named,
    /// It is the body of a procedure that a thread calls.
    Body,
    /// It reads a variable and assigns it something that depends on that.
    Update,
}

/// A transactional block: events of one thread, by position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) thread: usize,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) origin: Origin,
    pub(crate) name: String,
}

/// A window of a run as a concurrent trace program.
pub(crate) struct Ctp {
    pub(crate) events: Vec<Event>,
    /// The events of each thread, in order.
    pub(crate) threads: Vec<Vec<Ev>>,
    /// The event that starts each thread; none if it is there when the window begins.
    pub(crate) started_by: Vec<Option<Ev>>,
    /// The event that completes each thread.
    pub(crate) completed_by: Vec<Option<Ev>>,
    /// Threads that have completed when the window begins, or are not started in it.
    pub(crate) absent: Vec<bool>,
    pub(crate) clocks: Clocks,
    pub(crate) blocks: Vec<Block>,
    /// The locks by the globals of their owners, and those that are held when the window begins, with the threads.
    pub(crate) locks: Vec<GlobalId>,
    pub(crate) held: Vec<(usize, usize)>,
    /// How many variables are shared.
    pub(crate) shared: usize,
}

impl Ctp {
    /// Leaves out the conditions that hold in all orders, the assertions that do, and the branches that always go the same way.
    pub(crate) fn retain_conditions(
        &mut self,
        may_break: impl Fn(Ev, TermId) -> bool,
        may_fail: impl Fn(Ev, usize, &Assertion) -> bool,
    ) {
        for (number, event) in self.events.iter_mut().enumerate() {
            let may_break = |condition: &TermId| may_break(number, *condition);
            event.guard.retain(may_break);
            event.tail.retain(may_break);
            event.ways.retain_mut(|way| {
                way.before.retain(may_break);
                may_break(&way.condition)
            });
            let mut at = 0;
            event.assertions.retain_mut(|assertion| {
                assertion.before.retain(may_break);
                at += 1;
                may_fail(number, at - 1, assertion)
            });
        }
    }

    /// The event of the same thread before.
    pub(crate) fn previous(&self, event: Ev) -> Option<Ev> {
        let Event { thread, pos, .. } = self.events[event];
        pos.checked_sub(1).map(|pos| self.threads[thread][pos])
    }

    /// Whether the first must be executed before the second: program order, and the start and completion of threads.
    pub(crate) fn must_precede(&self, first: Ev, second: Ev) -> bool {
        let event = &self.events[first];
        self.clocks.of(second)[event.thread] > u32::try_from(event.pos).unwrap_or(u32::MAX) && first != second
    }
}
