//! The events of a run.

use crate::op::Op;

/// One event, and who did it when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The turn: events with the same number come from one thread without interruption.
    pub turn: u64,
    /// The thread; the main thread is 0, others are numbered in the order in which they are created.
    pub thread: u32,
    pub event: Event,
}

/// A piece of the program, as it was compiled and registered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// Its sites are `base + 1 ..= base + sites`.
    pub base: u32,
    pub sites: u32,
    /// The SHA-256 of its bitcode.
    pub hash: [u8; 32],
    /// The source file.
    pub name: String,
}

/// What happened. Sites are instructions of modules, 0 is none; addresses are those of the recorded process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The thread took the turn.
    Turn,
    Read {
        site: u32,
        at: u64,
        size: u32,
        value: u64,
    },
    Write {
        site: u32,
        at: u64,
        size: u32,
        value: u64,
    },
    /// An atomic read-modify-write; a failed compare-exchange leaves the old value.
    Update {
        site: u32,
        at: u64,
        size: u32,
        old: u64,
        new: u64,
    },
    Copy {
        site: u32,
        to: u64,
        from: u64,
        bytes: u64,
    },
    Fill {
        site: u32,
        to: u64,
        byte: u8,
        bytes: u64,
    },
    /// Which successor of a branch was taken.
    Branch {
        site: u32,
        successor: u32,
    },
    /// A function is entered.
    Enter {
        site: u32,
    },
    Leave {
        site: u32,
    },
    /// A function is called that is not instrumented.
    Call {
        site: u32,
    },
    /// That function came back.
    Back {
        site: u32,
        result: u64,
    },
    /// What a library function that came back has written, from `at` on. Long pieces are several events.
    Input {
        site: u32,
        at: u64,
        bytes: Vec<u8>,
    },
    /// The thread begins to wait for an operation that cannot be done at once. Waiting for a condition variable releases the
    /// mutex here.
    Waits {
        site: u32,
        op: Op,
        object: u64,
        other: u64,
    },
    /// The operation is done. `other` is the mutex of a condition variable, the number of a thread, a count.
    Sync {
        site: u32,
        op: Op,
        object: u64,
        other: u64,
        result: i64,
    },
    /// First event of a thread.
    Start,
    /// Last event of a thread.
    End,
    /// A thread was created: its number and handle; result 0 if it worked.
    Create {
        site: u32,
        thread: u32,
        handle: u64,
        result: i64,
    },
    /// Memory was allocated; `at` is 0 if that failed.
    Alloc {
        site: u32,
        at: u64,
        size: u64,
    },
    Free {
        site: u32,
        at: u64,
    },
    /// An assertion failed, or an error function was reached.
    Failed {
        site: u32,
        line: u32,
        text: String,
        file: String,
        function: String,
    },
    Abort {
        site: u32,
    },
    Exit {
        site: u32,
        status: i32,
    },
    AtomicBegin {
        site: u32,
    },
    AtomicEnd {
        site: u32,
    },
    Progress {
        site: u32,
    },
    /// An arbitrary value was asked for.
    Nondet {
        site: u32,
        value: u64,
    },
    Assume {
        site: u32,
        holds: bool,
    },
    /// So many events of this thread before this one could not be recorded.
    Lost {
        events: u64,
    },
    /// An event was begun and never finished: nothing is known of what memory holds, as far as the format is concerned.
    Forget,
    Module(Module),
    /// The process forked; the child is not recorded.
    Fork {
        site: u32,
        result: i64,
    },
    /// The process is about to become another program.
    Exec {
        site: u32,
    },
    /// A signal arrived that ends the process.
    Signal {
        number: u32,
    },
    /// Recording stopped here, with this error number of the system; the program went on.
    Stopped {
        error: u32,
    },
}

impl Event {
    /// How listings and summaries call this kind of event.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Event::Turn => "turn",
            Event::Read { .. } => "read",
            Event::Write { .. } => "write",
            Event::Update { .. } => "update",
            Event::Copy { .. } => "copy",
            Event::Fill { .. } => "fill",
            Event::Branch { .. } => "branch",
            Event::Enter { .. } => "enter",
            Event::Leave { .. } => "leave",
            Event::Call { .. } => "call",
            Event::Back { .. } => "back",
            Event::Input { .. } => "input",
            Event::Waits { .. } => "waits",
            Event::Sync { .. } => "sync",
            Event::Start => "start",
            Event::End => "end",
            Event::Create { .. } => "create",
            Event::Alloc { .. } => "alloc",
            Event::Free { .. } => "free",
            Event::Failed { .. } => "failed",
            Event::Abort { .. } => "abort",
            Event::Exit { .. } => "exit",
            Event::AtomicBegin { .. } => "atomic-begin",
            Event::AtomicEnd { .. } => "atomic-end",
            Event::Progress { .. } => "progress",
            Event::Nondet { .. } => "nondet",
            Event::Assume { .. } => "assume",
            Event::Lost { .. } => "lost",
            Event::Forget => "forget",
            Event::Module(_) => "module",
            Event::Fork { .. } => "fork",
            Event::Exec { .. } => "exec",
            Event::Signal { .. } => "signal",
            Event::Stopped { .. } => "stopped",
        }
    }
}
