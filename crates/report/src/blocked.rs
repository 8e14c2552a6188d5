//! Why a thread cannot step, in words.

use engine::{Blocked, Ending, Fairness, Replay};
use ir::{Op, Place, ProcId, SyncKind};

use crate::story::Teller;

/// A thread that another one waits for.
#[derive(Clone, Copy)]
enum Other<'r> {
    /// The waiting thread itself.
    Itself,
    /// It does not run again, and has not completed.
    Stands(&'r str),
    /// It runs for ever, and the waiting thread can never run.
    Runs(&'r str),
    /// It runs for ever, and the waiting thread may be able to run now and then: what is told is so when the lasso ends.
    RunsNow(&'r str),
    /// It has completed.
    Completed(&'r str),
}

/// What a blocked thread waits for, as a clause: `m` is held by left.
pub(crate) fn why(teller: &Teller<'_>, replay: &Replay, blocked: &Blocked, all: &[Blocked]) -> String {
    let other = blocked.waits_for.map(|thread| {
        let name = replay.threads[thread].as_str();
        match &replay.ending {
            _ if thread == blocked.thread => Other::Itself,
            _ if all.iter().any(|b| b.thread == thread) => Other::Stands(name),
            Ending::Lasso { moving, fairness, .. } if moving.contains(&thread) => match fairness {
                Fairness::Strong => Other::Runs(name),
                Fairness::Weak | Fairness::None => Other::RunsNow(name),
            },
            _ => Other::Completed(name),
        }
    });
    match teller.op(blocked.at) {
        Some(Op::Wait { .. }) => match other {
            Some(Other::Itself) => "waits for itself to complete".to_owned(),
            Some(Other::Stands(name) | Other::Runs(name) | Other::RunsNow(name) | Other::Completed(name)) => {
                format!("waits for {name} to complete")
            }
            None => "waits for a task that was never started".to_owned(),
        },
        Some(Op::Sync(sync)) => {
            let place = || place_text(teller, blocked.at.proc, &sync.object);
            why_sync(sync.kind, &blocked.object.clone().unwrap_or_else(place), other)
        }
        Some(Op::Await { .. }) => "waits until its condition holds".to_owned(),
        Some(Op::AtomicBegin) => "no way through the atomic block is open".to_owned(),
        Some(Op::Assume(_)) => "its assumption does not hold".to_owned(),
        _ => "cannot step".to_owned(),
    }
}

fn why_sync(kind: SyncKind, object: &str, other: Option<Other<'_>>) -> String {
    match kind {
        SyncKind::Acquire | SyncKind::AcquireRead | SyncKind::AcquireWrite => match other {
            Some(Other::Itself) => format!("holds `{object}` itself already"),
            Some(Other::Stands(name)) => format!("`{object}` is held by {name}"),
            Some(Other::Runs(name)) => format!("`{object}` is held by {name}, which runs for ever"),
            Some(Other::RunsNow(name)) => format!("`{object}` is held by {name} when the lasso ends"),
            Some(Other::Completed(name)) => format!("`{object}` is held by {name}, which has completed"),
            None => format!("`{object}` is held"),
        },
        SyncKind::CondWait | SyncKind::CondTimedWait => match other {
            Some(Other::Stands(name) | Other::Runs(name) | Other::RunsNow(name) | Other::Completed(name)) => {
                format!("waits for a signal on `{object}`, and its mutex is held by {name}")
            }
            Some(Other::Itself) | None => format!("waits for a signal on `{object}`"),
        },
        SyncKind::BarrierWait => format!("waits for others at barrier `{object}`"),
        // How library functions of our own wait.
        SyncKind::Down if object.starts_with("__raddle_") => "waits to be woken".to_owned(),
        SyncKind::Down => format!("semaphore `{object}` is zero"),
        SyncKind::OnceBegin => format!("another thread is inside `{object}`"),
        _ => format!("cannot {} `{object}`", kind.keyword()),
    }
}

fn place_text(teller: &Teller<'_>, proc: ProcId, place: &Place) -> String {
    let mut text = teller.base_name(proc, place);
    for indices in &place.path {
        let indices: Vec<String> =
            indices.iter().map(|&index| teller.printer().expr(Some(proc), index)).collect();
        text.push_str(&format!("[{}]", indices.join(", ")));
    }
    text
}

/// The circle of waiting, if the blocked threads wait for each other: the names, the first again at the end.
pub(crate) fn circle<'r>(replay: &'r Replay, all: &[Blocked]) -> Option<Vec<&'r str>> {
    let next = |thread: usize| all.iter().find(|b| b.thread == thread)?.waits_for;
    for first in all {
        let mut names = vec![replay.threads[first.thread].as_str()];
        let mut at = first.thread;
        for _ in 0..all.len() {
            let Some(thread) = next(at) else { break };
            names.push(&replay.threads[thread]);
            at = thread;
            if at == first.thread {
                return Some(names);
            }
        }
    }
    None
}
