//! From concurrent to sequential programs: the delay-bounding schedulers DF(K) and DFW(K), and lassos ([`lasso()`]).
//!
//! Emmi, Kulahcioglu Ozkan and Tasiran, "Exploiting Synchronization in the Analysis of Shared-Memory Asynchronous
//! Programs", SPIN 2014, sections 4 and 5. The sequential program runs each task to its end at the place where the
//! task is started. There is one copy of the shared variables per round; what a task finds at the beginning of a
//! round is guessed when the task that started it has yet to run there, and checked when it has. A run of the
//! sequential program that passes all checks is a run of the original one under the scheduler, and the other way
//! round (Theorem 2); both have the same values of the globals at the end.
//!
//! Names are those of Figure 6: `G`, `Guess`, `Next`, `Init`, `Save`. It differs from the figure in this:
//!
//! - The current round's values stay in the variables themselves, and a task that changes its round stores and loads
//!   them. So only a few procedures know of rounds, and the ops of the program are what they were.
//! - `Guess` is guessed when a task starts its first child since its last wait, not when it starts itself. What is
//!   past by then, or out of reach with the delays that are left, is not guessed.
//! - The number of a task leads to the round in which it completed, and to its results. Numbers are given in
//!   depth-first order. So DF(K) needs no map of results among the shared variables (Figure 7): a task that waits is
//!   before its own descendants and after all tasks with smaller numbers.
//! - A failing assertion and `exit` set the shared flag `ended`, and every task that sees it stops (as section 2
//!   suggests). So a violation is found even if other tasks never finish.
//!
//! Where tasks are switched only at `yield`, a task can be delayed there, before it starts, before it completes, and at
//! an `await` or a `wait` that blocks it. So these two are tested before they are passed. Under DFW(K) a task that waits
//! for one that has completed goes on, and does not let others run: it does not block.
//!
//! `interp` has the schedulers themselves; they decide what is right.

mod body;
mod code;
mod concurrent;
mod context;
mod domains;
mod entry;
mod erase;
mod handles;
mod lasso;
mod later;
mod points;
mod rounds;
mod script;
mod state;
mod turns;
mod values;

use engine::Domains;
pub use interp::SwitchAt;
use ir::{BackMap, GlobalId, OpRef, ProcId, Program, Type};
use rustc_hash::FxHashMap;
use source::Span;

pub use lasso::{Gap, Lasso, lasso};

/// Which scheduler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheduler {
    /// The depth-first scheduler: a task that waits for another blocks.
    Df,
    /// The synchronization-exploiting depth-first scheduler: it lets the tasks started before run first.
    Dfw,
}

/// A sequential program, and how to read its runs as runs of the concurrent one.
#[derive(Clone, Debug)]
pub struct Sequential {
    /// The program: one thread, without spawn, wait, synchronization, atomic sections and await. Handles are integers,
    /// 0 is nil. The globals of the original keep their names and, synchronization objects expanded, their ids; in a
    /// state in which the program has completed they have the values that they have at the end of the concurrent run.
    pub program: Program,
    /// From its ops to those of the original. What is not in it moves between tasks and rounds.
    pub back: BackMap,
    /// The ops that tell how the tasks were scheduled.
    pub marks: FxHashMap<OpRef, Mark>,
    /// The variables that tell where a run is.
    pub variables: Variables,
    /// What the running task's next steps depend on, if runs that differ in it are better kept apart: in a lasso, its
    /// round and where it is.
    pub controls: Vec<Control>,
    /// Under DFW, a wait for a handle that came through a global or `self`. If it is one of a task that comes later in
    /// depth-first order, or that has started the waiting one, the program does not have the run: what it finds is
    /// right, but it does not find everything.
    pub partial: Option<Span>,
    /// What its variables can be where they are arbitrary; nothing is missed that way.
    pub domains: Domains,
    scheduler: Scheduler,
    bound: u32,
    switch_at: SwitchAt,
    /// The ops at which one of the original begins, its synchronization expanded, and that one.
    starts: BackMap,
    /// The variables that have the results of tasks, by position and type.
    results: Vec<(usize, Type, GlobalId)>,
}

/// What an op of the sequential program means for the schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// The running task is delayed before its next step, this many times.
    Delay(u32),
    /// A call that runs the started task, of this procedure of the original, from its start to its completion.
    Task(ProcId),
    /// The running task completes.
    Complete,
    /// The running task comes to a wait, lets the tasks that it started before run, and goes on in the round in which
    /// the call ends.
    Arrive,
    /// The assertion of the op it stands for fails.
    Failure,
    /// The running task goes on in this round of the stem or the lasso.
    Round(u32),
    /// The running task stands still at this op of the original, its synchronization expanded, for ever.
    Idle(OpRef),
}

/// The variables that tell where a run of the sequential program is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variables {
    /// The round of the running task.
    pub round: GlobalId,
    /// The delays spent so far.
    pub delays: GlobalId,
    /// The handle of the running task: tasks are numbered from 1 in depth-first order.
    pub task: GlobalId,
}

/// A variable of the sequential program that most of its conditions are about. It always has one of a few values, at first
/// the least.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Control {
    /// The variable.
    pub global: GlobalId,
    /// Its greatest value, from 0; nothing for a truth value.
    pub most: Option<u32>,
}

/// What cannot be sequentialized.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// In words.
    pub what: String,
    /// Where.
    pub span: Span,
}

impl std::fmt::Display for Unsupported {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for Unsupported {}

/// The sequential program whose runs are those of a valid program under DF(K).
///
/// # Errors
/// When the program has something that cannot be expressed; see [`Unsupported`].
pub fn df(program: &Program, delays: u32, switch_at: SwitchAt) -> Result<Sequential, Unsupported> {
    context::sequentialize(program, Scheduler::Df, delays, switch_at)
}

/// The sequential program whose runs are those of a valid program under DFW(K), or some of them: see
/// [`Sequential::partial`].
///
/// # Errors
/// When the program has something that cannot be expressed; see [`Unsupported`].
pub fn dfw(program: &Program, delays: u32, switch_at: SwitchAt) -> Result<Sequential, Unsupported> {
    context::sequentialize(program, Scheduler::Dfw, delays, switch_at)
}
