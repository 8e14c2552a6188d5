//! Waits in two steps, on condition variables and at barriers: they let go in one turn and go on in another. Who is woken is up to the
//! schedule.
//!
//! # Safety
//! Each wrapper asks of its caller what the original does.

use core::ffi::{c_int, c_uint};
use core::time::Duration;
use std::sync::{Mutex, PoisonError};
use std::vec::Vec;

use super::wrap::turn;
use super::{after, before, is_omitted, is_over};
use crate::real::{self, Object, Time};

/// How often condition variables were signalled, and barriers: those that somebody used.
struct Known {
    at: usize,
    signals: u32,
    threshold: u32,
    arrived: u32,
    generation: u32,
}

static KNOWN: Mutex<Vec<Known>> = Mutex::new(Vec::new());

fn known<T>(at: Object, f: impl FnOnce(&mut Known) -> T) -> T {
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let at = at as usize;
    let index = known.iter().position(|entry| entry.at == at).unwrap_or_else(|| {
        known.push(Known { at, signals: 0, threshold: 0, arrived: 0, generation: 0 });
        known.len() - 1
    });
    f(&mut known[index])
}

/// What is told if nobody signalled, and what was waited for, by which clock.
struct Limit {
    late: c_int,
    clock: c_int,
    until: Time,
}

/// The longest time that is let pass on a schedule.
const MOST_SECONDS: i64 = 5;

impl Limit {
    /// Lets the time pass. A program that was told that it is late may look at its clock.
    unsafe fn pass(&self) {
        let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: the caller has it from who promises that it is a time; the other one is here.
        unsafe {
            let Some(until) = self.until.as_ref() else { return };
            if libc::clock_gettime(self.clock, &raw mut now) != 0 {
                return;
            }
            now.tv_sec += MOST_SECONDS;
            let at = if until.tv_sec < now.tv_sec { until } else { &now };
            while libc::clock_nanosleep(self.clock, libc::TIMER_ABSTIME, at, core::ptr::null_mut())
                == libc::EINTR
            {}
        }
    }
}

/// Goes on with a wait that began on a schedule which is over now: the signal may have come already, or come before this thread is
/// back at the condition variable.
unsafe fn wait_on(cond: Object, mutex: Object, signals: u32) -> c_int {
    const LOOK_EVERY: i64 = 10_000_000;
    const SECOND: i64 = 1_000_000_000;
    while known(cond, |known| known.signals) == signals {
        let mut until = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: the time is here; the caller holds the mutex.
        let result = unsafe {
            libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut until);
            let parts = until.tv_nsec + LOOK_EVERY;
            until = libc::timespec { tv_sec: until.tv_sec + parts / SECOND, tv_nsec: parts % SECOND };
            real::pthread_cond_clockwait(cond, mutex, libc::CLOCK_MONOTONIC, &raw const until)
        };
        if result != libc::ETIMEDOUT {
            return result;
        }
    }
    0
}

/// Waits for a condition variable, perhaps for a limited time.
unsafe fn wait(
    site: u32,
    cond: Object,
    mutex: Object,
    limit: Option<&Limit>,
    real: impl FnOnce() -> c_int,
) -> c_int {
    if !before(site) && is_over() {
        // Between two steps somebody could signal, and nobody would hear it.
        let result = real();
        after(site);
        return result;
    }
    let signals = known(cond, |known| known.signals);
    // SAFETY: the caller holds the mutex.
    unsafe { real::pthread_mutex_unlock(mutex) };
    after(site);
    let in_schedule = before(site);
    let late = limit.filter(|_| in_schedule && known(cond, |known| known.signals) == signals);
    if let Some(limit) = late {
        // SAFETY: as the caller says.
        unsafe { limit.pass() };
    }
    // SAFETY: as before.
    unsafe { real::pthread_mutex_lock(mutex) };
    let result = match limit {
        _ if in_schedule => late.map_or(0, |limit| limit.late),
        // SAFETY: as before.
        None if is_over() => unsafe { wait_on(cond, mutex, signals) },
        _ => real(),
    };
    after(site);
    result
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_gate_pthread_cond_wait(
    site: u32,
    cond: Object,
    mutex: Object,
) -> c_int {
    // SAFETY: the caller promises what the original asks for.
    unsafe { wait(site, cond, mutex, None, || real::pthread_cond_wait(cond, mutex)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_gate_cnd_wait(
    site: u32,
    cond: Object,
    mutex: Object,
) -> c_int {
    // SAFETY: the caller promises what the original asks for; in glibc, the objects are those of POSIX.
    unsafe { wait(site, cond, mutex, None, || real::cnd_wait(cond, mutex)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_gate_pthread_cond_timedwait(
    site: u32,
    cond: Object,
    mutex: Object,
    until: Time,
) -> c_int {
    let limit = Limit { late: libc::ETIMEDOUT, clock: libc::CLOCK_REALTIME, until };
    // SAFETY: the caller promises what the original asks for.
    unsafe { wait(site, cond, mutex, Some(&limit), || real::pthread_cond_timedwait(cond, mutex, until)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_gate_pthread_cond_clockwait(
    site: u32,
    cond: Object,
    mutex: Object,
    clock: c_int,
    until: Time,
) -> c_int {
    let limit = Limit { late: libc::ETIMEDOUT, clock, until };
    // SAFETY: the caller promises what the original asks for.
    unsafe {
        wait(site, cond, mutex, Some(&limit), || real::pthread_cond_clockwait(cond, mutex, clock, until))
    }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_gate_cnd_timedwait(
    site: u32,
    cond: Object,
    mutex: Object,
    until: Time,
) -> c_int {
    /// `thrd_timedout`
    const LATE: c_int = 4;
    let limit = Limit { late: LATE, clock: libc::CLOCK_REALTIME, until };
    // SAFETY: the caller promises what the original asks for.
    unsafe { wait(site, cond, mutex, Some(&limit), || real::cnd_timedwait(cond, mutex, until)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_gate_pthread_cond_signal(site: u32, cond: Object) -> c_int {
    turn(site, || {
        known(cond, |known| known.signals = known.signals.wrapping_add(1));
        // SAFETY: the caller promises what the original asks for.
        unsafe { real::pthread_cond_signal(cond) }
    })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_gate_pthread_cond_broadcast(
    site: u32,
    cond: Object,
) -> c_int {
    turn(site, || {
        known(cond, |known| known.signals = known.signals.wrapping_add(1));
        // SAFETY: the caller promises what the original asks for.
        unsafe { real::pthread_cond_broadcast(cond) }
    })
}

/// `std::condition_variable::wait`: see [`crate::wrap`].
#[unsafe(export_name = "__raddle_gate__ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE")]
pub(crate) unsafe extern "C-unwind" fn cpp_wait(site: u32, cond: Object, lock: *const Object) {
    // SAFETY: the caller promises what the original asks for.
    unsafe { __raddle_gate_pthread_cond_wait(site, cond, *lock) };
}

/// `std::condition_variable::notify_one`
#[unsafe(export_name = "__raddle_gate__ZNSt18condition_variable10notify_oneEv")]
pub(crate) unsafe extern "C-unwind" fn cpp_notify_one(site: u32, cond: Object) {
    // SAFETY: the caller promises what the original asks for.
    unsafe { __raddle_gate_pthread_cond_signal(site, cond) };
}

/// `std::condition_variable::notify_all`
#[unsafe(export_name = "__raddle_gate__ZNSt18condition_variable10notify_allEv")]
pub(crate) unsafe extern "C-unwind" fn cpp_notify_all(site: u32, cond: Object) {
    // SAFETY: the caller promises what the original asks for.
    unsafe { __raddle_gate_pthread_cond_broadcast(site, cond) };
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_gate_pthread_barrier_init(
    site: u32,
    barrier: Object,
    attributes: Object,
    count: c_uint,
) -> c_int {
    known(barrier, |known| {
        known.threshold = count;
        known.arrived = 0;
    });
    // SAFETY: the caller promises what the original asks for.
    turn(site, || unsafe { real::pthread_barrier_init(barrier, attributes, count) })
}

/// The barrier itself is not used: it could not be entered in one turn and left in another.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn __raddle_gate_pthread_barrier_wait(
    site: u32,
    barrier: Object,
) -> c_int {
    if is_omitted(site) {
        return 0;
    }
    before(site);
    let (last, generation) = known(barrier, |known| {
        known.arrived += 1;
        let last = known.arrived >= known.threshold;
        if last {
            known.arrived = 0;
            known.generation = known.generation.wrapping_add(1);
        }
        (last, known.generation)
    });
    after(site);
    if !before(site) && !last {
        while known(barrier, |known| known.generation) == generation {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
    after(site);
    if last { libc::PTHREAD_BARRIER_SERIAL_THREAD } else { 0 }
}
