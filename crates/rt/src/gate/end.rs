//! How a run under a schedule ends, and how that is told.
//!
//! What a replay came to is written to the file that `RADDLE_STATUS` names, a line each, for who started the program: `parked THREAD
//! SITE` (a thread has nothing left to do and waits there), `done` (all that was to be repeated has happened), `failed SITE` (an assertion failed, or the program gave up), `blocked`
//! (nobody can go on), `went-on THREAD SITE` (somebody can), `lasso ROUNDS`, `left THREAD SITE EXPECTED`.

use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use core::time::Duration;
use std::io::Write;

use trace::table::Goal;

use super::{Gate, LEFT, gate, number};
use crate::{local, message};

/// How long nobody may go on for a deadlock to be believed, if all sleep.
const PATIENCE: Duration = Duration::from_millis(300);
/// How many times as long if somebody does not.
const MOST_PATIENCE: u32 = 20;

#[derive(Default)]
pub(super) struct End {
    /// Threads that have nothing left to do in the run that is repeated.
    parked: AtomicU32,
    rounds: AtomicU32,
    told: AtomicBool,
    watched: AtomicBool,
}

impl End {
    /// Counts a round; whether there were enough.
    pub(super) fn round(&self, wanted: u32) -> bool {
        self.rounds.fetch_add(1, Ordering::SeqCst) >= wanted
    }

    pub(super) fn thread_ended(&self, gate: &Gate) {
        if gate.plan.table.goal == Goal::Replay && gate.is_over() {
            tell("done");
        }
        if self.parked.load(Ordering::SeqCst) > 0 {
            settle(gate);
        }
    }
}

/// Called when a replay has come to its end: a debugger can stop here.
#[unsafe(no_mangle)]
#[inline(never)]
pub(crate) extern "C" fn __raddle_reached() {
    core::hint::black_box(());
}

/// Says something to who started the program.
fn tell(line: &str) {
    if let Some(path) = std::env::var_os("RADDLE_STATUS")
        && let Ok(mut file) = std::fs::OpenOptions::new().append(true).create(true).open(path)
    {
        // All at once, since others tell something, too. If it cannot be told, the run counts as not reproduced.
        let _ = file.write_all(format!("{line}\n").as_bytes());
    }
}

fn stop(code: i32) -> ! {
    __raddle_reached();
    // SAFETY: ends the process.
    unsafe { libc::_exit(code) }
}

/// A thread is at the end of its schedule.
pub(super) fn reached(gate: &Gate, site: u32) {
    match gate.plan.table.goal {
        Goal::Enforce | Goal::EnforceOrContinue | Goal::Lasso(_) => {
            gate.set_free();
        }
        Goal::Replay => {
            // Who comes here has waited until all events of the last section happened.
            tell("done");
            tell(&format!("parked {} {site}", number()));
            gate.end.parked.fetch_add(1, Ordering::SeqCst);
            settle(gate);
            loop {
                // SAFETY: sleeps until a signal comes.
                unsafe { libc::pause() };
            }
        }
        Goal::Deadlock => {
            tell(&format!("parked {} {site}", number()));
            gate.end.parked.fetch_add(1, Ordering::SeqCst);
            // Now it does what it waits for, and somebody watches whether it comes back.
            if !gate.end.watched.swap(true, Ordering::SeqCst) {
                local::here(|here| here.own.set(true));
                let watcher = std::thread::Builder::new().spawn(watch);
                local::here(|here| here.own.set(false));
                // Without it, whoever waits for the program gives up after a while.
                drop(watcher);
            }
        }
    }
}

/// Ends a replay in which nobody has anything left to do.
fn settle(gate: &Gate) {
    let alive = super::wrap::alive();
    if gate.end.parked.load(Ordering::SeqCst) >= alive && !gate.end.told.swap(true, Ordering::SeqCst) {
        stop(0);
    }
}

/// Waits until it is clear that nobody goes on.
fn watch() {
    let Some(gate) = gate() else { return };
    let mut still = 0;
    loop {
        let parked = gate.end.parked.load(Ordering::SeqCst);
        std::thread::sleep(PATIENCE);
        if gate.end.told.load(Ordering::SeqCst) {
            return;
        }
        let stays = parked == gate.end.parked.load(Ordering::SeqCst) && parked >= super::wrap::alive();
        still = if stays { still + 1 } else { 0 };
        // On a busy machine a thread may not have come to what it waits for. Who waits for a lock that spins never sleeps.
        if stays && (others_sleep() || still >= MOST_PATIENCE) {
            if !gate.end.told.swap(true, Ordering::SeqCst) {
                tell("blocked");
                message::line(&[b"deadlock: nobody can go on"]);
                stop(0);
            }
            return;
        }
    }
}

/// Whether all threads but this one sleep, as far as that can be told.
fn others_sleep() -> bool {
    // SAFETY: asks for a number.
    let me = unsafe { libc::gettid() };
    let Ok(threads) = std::fs::read_dir("/proc/self/task") else { return false };
    threads.flatten().filter(|thread| thread.file_name().to_str() != Some(&me.to_string())).all(|thread| {
        let stat = std::fs::read_to_string(thread.path().join("stat"));
        // After the name, which may have anything in it. Who is gone does not go on, either: a main thread that has ended stays in the list.
        let rests = |rest: &str| [" S", " Z", " X"].iter().any(|state| rest.starts_with(state));
        stat.map_or(true, |stat| stat.rsplit(')').next().is_some_and(rests))
    })
}

/// A thread that waited in a deadlock has come back.
pub(super) fn finished(gate: &Gate, site: u32) {
    if gate.plan.table.goal == Goal::Deadlock
        && gate.end.parked.load(Ordering::SeqCst) > 0
        && !gate.end.told.swap(true, Ordering::SeqCst)
    {
        tell(&format!("went-on {} {site}", number()));
        stop(0);
    }
}

/// An assertion fails, or the program gives up.
pub(super) fn failed(site: u32) {
    if let Some(gate) = gate()
        && !gate.end.told.swap(true, Ordering::SeqCst)
    {
        tell(&format!("failed {} {site}", number()));
        __raddle_reached();
    }
}

pub(super) fn lasso_repeated(gate: &Gate) {
    if !gate.end.told.swap(true, Ordering::SeqCst) {
        let rounds = gate.end.rounds.load(Ordering::SeqCst).saturating_sub(1);
        tell(&format!("lasso {rounds}"));
        stop(0);
    }
    loop {
        // SAFETY: sleeps until a signal comes; somebody else ends the process.
        unsafe { libc::pause() };
    }
}

/// The program has left its schedule.
pub(super) fn left(gate: &Gate, thread: u32, site: u32, expected: Option<u32>) {
    let name = |site: u32| match gate.plan.place(site) {
        Some(place) => place.to_owned(),
        None if site == trace::table::THREAD_END => "its end".to_owned(),
        None => format!("site {site}"),
    };
    let first = !gate.end.told.swap(true, Ordering::SeqCst);
    let goes_on = gate.plan.table.goal == Goal::EnforceOrContinue;
    if first {
        tell(&format!("left {thread} {site} {}", expected.unwrap_or(0)));
        let what = match expected {
            Some(expected) if site == trace::table::THREAD_END => {
                format!("thread {thread} came to its end, and not to {}", name(expected))
            }
            Some(expected) => format!("thread {thread} is at {}, and not at {}", name(site), name(expected)),
            None => format!("thread {thread} is at {}, where the schedule does not have it", name(site)),
        };
        let then = if goes_on { "; it goes on without" } else { "" };
        message::line(&[b"the program left its schedule: ", what.as_bytes(), then.as_bytes()]);
    }
    if goes_on {
        gate.set_free();
        for slot in &gate.slots {
            slot.wake();
        }
        return;
    }
    if first {
        stop(LEFT);
    }
    // Whoever was first says so, and ends the program.
    loop {
        // SAFETY: sleeps until a signal comes.
        unsafe { libc::pause() };
    }
}
