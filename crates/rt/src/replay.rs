//! Repeating a recorded run: the turn goes from thread to thread as the trace says, and what threads do is compared with it.
//!
//! The file that `RADDLE_REPLAY` names ([`trace::repeat`]) has the run in *segments*: what one thread does between two switches.
//! One number says which segment the run is in; its thread has the turn. A thread that has done the last event of its segment counts
//! the number up. It then waits for its next segment right there, as it waited for the turn while it was recorded, unless it
//! gave the turn away there to do something else: a call, an operation that blocks. What it does then is in [`sync`].
//!
//! If the program leaves the run, the process ends with [`LEFT`], since nothing that comes after means anything.

mod status;
mod step;
pub(crate) mod sync;

use core::cell::UnsafeCell;
use core::ffi::CStr;
use core::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use core::time::Duration;

use trace::encode::Usual;
use trace::layout::{ending, tag};
use trace::repeat::{End, NONE, Repeat, Segment, Step};

use crate::gate::__raddle_reached;
use crate::thread::{Life, Thread};
use crate::{futex, local, message, registry};
pub(crate) use status::tell_in;

/// The exit code of a program that has left the run.
const LEFT: i32 = 112;
/// How often one looks before going to sleep, and for how long.
const SPINS: u32 = 200;
const SLEEP: Duration = Duration::from_secs(1);
/// After how many times of that it is told for whom all wait.
const PATIENCE: u32 = 3;

/// The run, from when the program starts.
struct Run(UnsafeCell<Option<Repeat<'static>>>);

// SAFETY: it is written before there are threads, and only read then.
unsafe impl Sync for Run {}

static RUN: Run = Run(UnsafeCell::new(None));
/// The segment that the run is in.
static SEGMENT: AtomicU32 = AtomicU32::new(0);
/// How many events were repeated. Only who has the turn counts.
static EVENTS: AtomicU64 = AtomicU64::new(0);
/// How many threads there are, and how many of them wait for the turn.
static ALIVE: AtomicU32 = AtomicU32::new(1);
static WAITING: AtomicU32 = AtomicU32::new(0);
/// Whether it was told how the run ended.
static TOLD: AtomicBool = AtomicBool::new(false);
/// Whether it was told that the run stands still.
static STILL: AtomicBool = AtomicBool::new(false);

/// Where a thread is in the run; a part of the thread that begins as zeros.
#[derive(Clone, Copy)]
pub(crate) struct Position {
    /// One more than the segment that it took last.
    taken: u32,
    /// How many of its events are left, and where the next one is.
    left: u32,
    word: u64,
    /// The next segment of this thread.
    next: u32,
}

/// Maps the file; whether that worked. Called once, before there are threads.
pub(crate) fn start(path: &CStr) -> bool {
    let mapped = map(path).and_then(Repeat::read);
    if mapped.is_none() {
        message::line(&[b"cannot read `", path.to_bytes(), b"`; no run is repeated"]);
    }
    // SAFETY: nobody else is there to look at it.
    unsafe { *RUN.0.get() = mapped };
    mapped.is_some()
}

/// The bytes of a file, for as long as the process runs.
fn map(path: &CStr) -> Option<&'static [u8]> {
    // SAFETY: the path ends with a zero byte; a new mapping, which is never taken back, nor written to.
    unsafe {
        let file = libc::open(path.as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC);
        let length = libc::lseek(file, 0, libc::SEEK_END);
        if length <= 0 {
            return None;
        }
        let null = core::ptr::null_mut();
        let at = libc::mmap(null, length as usize, libc::PROT_READ, libc::MAP_PRIVATE, file, 0);
        libc::close(file);
        (at != libc::MAP_FAILED).then(|| core::slice::from_raw_parts(at.cast::<u8>(), length as usize))
    }
}

fn run() -> Option<&'static Repeat<'static>> {
    // SAFETY: it is not written any more.
    unsafe { &*RUN.0.get() }.as_ref()
}

fn segment(index: u32) -> Option<Segment> {
    run()?.segment(index)
}

/// A thread is about to be created. Counted before it can wait: who waits must never be more than there are.
pub(crate) fn born() {
    ALIVE.fetch_add(1, Ordering::Relaxed);
}

/// It was not created after all.
pub(crate) fn unborn() {
    ALIVE.fetch_sub(1, Ordering::Relaxed);
}

/// Waits until it is this thread's turn. Only while busy.
pub(crate) fn take(thread: &Thread) -> bool {
    let unknown = thread.life.get() == Life::Unknown;
    registry::enroll(thread);
    let number = thread.number.get();
    if unknown && number != 0 {
        // Created behind our back.
        born();
    }
    let mut waits = false;
    let (mut before, mut slept) = (NONE, 0);
    loop {
        let current = SEGMENT.load(Ordering::Acquire);
        if current != before {
            (before, slept) = (current, 0);
        }
        match segment(current) {
            Some(now) if now.thread == number => {
                let mut position = thread.position.get();
                if position.taken != current + 1 {
                    position =
                        Position { taken: current + 1, left: now.events, word: now.word, next: now.next };
                    thread.position.set(position);
                }
                if waits {
                    WAITING.fetch_sub(1, Ordering::Relaxed);
                }
                thread.has_turn.set(true);
                return true;
            }
            _ => {}
        }
        for _ in 0..SPINS {
            if SEGMENT.load(Ordering::Relaxed) != current {
                break;
            }
            core::hint::spin_loop();
        }
        if !waits {
            waits = true;
            WAITING.fetch_add(1, Ordering::Relaxed);
        }
        // A signal handler ends the sleep, and is no sign that the run stands still.
        slept += u32::from(futex::wait_for(&SEGMENT, current, SLEEP, 1 << (number % 32)));
        let nobody = WAITING.load(Ordering::Relaxed) >= ALIVE.load(Ordering::Relaxed);
        if nobody && SEGMENT.load(Ordering::Acquire) == current {
            match segment(current) {
                Some(now) if now.thread == number => {}
                Some(now) => left(now.thread, 0, now_expected(&now)),
                // The recorded run ended while all of them waited, or would have gone on.
                None => left(number, 0, 0),
            }
        }
        if slept == PATIENCE && !STILL.swap(true, Ordering::Relaxed) {
            still(current);
        }
    }
}

/// Nobody goes on: the one whose turn it is computes for long, or waits for something from outside.
fn still(current: u32) {
    let Some((run, now)) = run().and_then(|run| Some((run, run.segment(current)?))) else { return };
    let before: u64 = (0..current).filter_map(segment).map(|done| u64::from(done.events)).sum();
    let done = EVENTS.load(Ordering::Relaxed).saturating_sub(before).min(u64::from(now.events));
    let behind = |at: u64| run.step(at).map_or(at, |(_, next)| next);
    let next = Segment { word: (0..done).fold(now.word, |at, _| behind(at)), ..now };
    let site = if done < u64::from(now.events) { now_expected(&next) } else { 0 };
    status::tell(b"still", &[u64::from(now.thread), u64::from(site)]);
}

fn now_expected(now: &Segment) -> u32 {
    run().and_then(|run| run.step(now.word)).map_or(0, |(step, _)| step.site)
}

/// The thread does something else now. If its segment is over, the next one begins. Only while busy.
pub(crate) fn give(thread: &Thread) {
    if thread.has_turn.replace(false) && thread.position.get().left == 0 {
        advance();
    }
}

/// The next segment begins. Only with the turn, which is gone then.
fn advance() {
    let next = SEGMENT.load(Ordering::Relaxed) + 1;
    let Some(run) = run() else { return };
    if next >= run.segments() && run.end == End::Stop {
        finish(ending::UNKNOWN, 0);
        // SAFETY: ends the process.
        unsafe { libc::_exit(0) }
    }
    SEGMENT.store(next, Ordering::Release);
    if let Some(now) = run.segment(next) {
        futex::wake_for(&SEGMENT, 1 << (now.thread % 32));
    }
}

/// What this thread has to do next, which it can do now. Only while busy.
pub(crate) fn expected(thread: &Thread) -> Option<Step> {
    next(thread).map(|(step, _)| step)
}

/// The same, and where what comes then is.
fn next(thread: &Thread) -> Option<(Step, u64)> {
    loop {
        if thread.position.get().left == 0 && is_over(thread) {
            return None;
        }
        if !thread.has_turn.get() {
            take(thread);
        }
        let position = thread.position.get();
        if position.left > 0 {
            return run()?.step(position.word);
        }
        // It took the turn while it was recorded and did nothing with it.
        thread.has_turn.set(false);
        advance();
    }
}

/// Whether the thread ends the process, and has done all that is in the trace.
fn is_over(thread: &Thread) -> bool {
    let position = thread.position.get();
    position.taken != 0
        && position.left == 0
        && position.next == NONE
        && run().is_none_or(|run| run.ender == thread.number.get())
}

/// The thread does something. Only while busy.
pub(crate) fn event(thread: &Thread, step: Step) {
    let Some((wanted, word)) = next(thread) else { left(thread.number.get(), step.site, 0) };
    if wanted != step {
        left(thread.number.get(), step.site, wanted.site);
    }
    let mut position = thread.position.get();
    position.left -= 1;
    position.word = word;
    thread.position.set(position);
    let mut done = 1_u64;
    // Whoever becomes another program ends all threads, some of which may have something left to do: it waits for them. Behind this there is
    // only the call.
    let becomes_another = step.tag == tag::EXEC
        && position.next == NONE
        && position.left <= 1
        && run().is_some_and(|run| run.end == End::Stop);
    if becomes_another {
        done += u64::from(position.left);
        position.left = 0;
        thread.position.set(position);
    }
    EVENTS.store(EVENTS.load(Ordering::Relaxed) + done, Ordering::Relaxed);
    if position.left > 0 {
        return;
    }
    // Where the turn is given away, nothing may be done before. If it was taken again at once, and given away then, the thread waited.
    let parts = thread.parting.get() || matches!(step.tag, tag::CALL | tag::WAITS | tag::END);
    let waited = segment(position.next).is_some_and(|next| next.events == 0);
    thread.has_turn.set(false);
    advance();
    if !is_over(thread) && (!parts || waited) {
        take(thread);
    }
}

/// Does what would be recorded as a usual event.
pub(crate) fn usual(thread: &Thread, what: Usual) {
    thread.busily(|thread| event(thread, step::usual(what)));
}

/// Does what would be recorded as a sequence of numbers.
pub(crate) fn numbers(thread: &Thread, tag: u8, numbers: &[u64]) {
    thread.busily(|thread| event(thread, step::numbers(tag, numbers)));
}

/// The thread ends. Only while busy.
pub(crate) fn thread_ends(thread: &Thread) {
    event(thread, Step { tag: tag::END, site: 0, what: 0, result: 0 });
    registry::ended(thread);
    ALIVE.fetch_sub(1, Ordering::Relaxed);
}

/// The process ends.
pub(crate) fn ended(how: u32, status: u32) {
    local::with(|thread| {
        let position = thread.position.get();
        // Of a crash the trace says only who crashed.
        if how == ending::EXIT && (position.left > 0 || position.next != NONE) {
            let next =
                if position.left > 0 { position.word } else { segment(position.next).map_or(0, |s| s.word) };
            let site = run().and_then(|run| run.step(next)).map_or(0, |(step, _)| step.site);
            left(thread.number.get(), 0, site);
        }
    });
    finish(how, status);
}

/// The run was repeated to its end.
fn finish(how: u32, status: u32) {
    if !TOLD.swap(true, Ordering::Relaxed) {
        let switches = SEGMENT.load(Ordering::Relaxed).min(run().map_or(0, |run| run.segments().max(1) - 1));
        status::tell(
            b"repeated",
            &[EVENTS.load(Ordering::Relaxed), u64::from(switches), u64::from(how), u64::from(status)],
        );
        __raddle_reached();
    }
}

/// The thread is at `site`, and should be at `expected`; 0 is no place.
fn left(thread: u32, site: u32, expected: u32) -> ! {
    if TOLD.swap(true, Ordering::Relaxed) {
        // Somebody else ends the process.
        loop {
            // SAFETY: sleeps until a signal comes.
            unsafe { libc::pause() };
        }
    }
    let told = status::tell(b"left", &[u64::from(thread), u64::from(site), u64::from(expected)]);
    if !told {
        message::line(&[b"the program left the recorded run"]);
    }
    __raddle_reached();
    // SAFETY: ends the process.
    unsafe { libc::_exit(LEFT) }
}
