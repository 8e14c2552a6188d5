//! How `std::future` waits: for a number in memory to change, in a library that is not instrumented. Whether time was up first is what
//! the trace has to know. Who changes the number does so in instrumented code, and may wake others from anywhere.

use core::ffi::c_int;
use core::ptr;

use trace::Op;

use crate::errno;
use crate::sync::Operation;

/// Waits while the number is `expected`, until a time by a clock that flags of the operation tell; like the C++ library, whose
/// own function may be anywhere in a program.
fn wait(site: u32, at: *mut u32, expected: u32, clock: c_int, until: Option<libc::timespec>) -> bool {
    let operation = libc::FUTEX_WAIT_BITSET | clock;
    let result = Operation::new(site, Op::FutexWait, at).blocking(|| {
        if until.is_some_and(|until| until.tv_sec < 0) {
            return libc::ETIMEDOUT;
        }
        let limit = until.as_ref().map_or(ptr::null(), ptr::from_ref);
        // SAFETY: the caller promises that the number is there; the time is here.
        let result = unsafe {
            libc::syscall(libc::SYS_futex, at, operation, expected, limit, ptr::null::<u32>(), u32::MAX)
        };
        if result == -1 && errno::get() == libc::ETIMEDOUT { libc::ETIMEDOUT } else { 0 }
    });
    result == 0
}

fn time(limited: bool, seconds: i64, nanoseconds: i64) -> Option<libc::timespec> {
    limited.then_some(libc::timespec { tv_sec: seconds, tv_nsec: nanoseconds })
}

/// `std::__atomic_futex_unsigned_base::_M_futex_wait_until`
#[unsafe(export_name = "__raddle__ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_untilEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE")]
pub(crate) unsafe extern "C-unwind" fn wait_until(
    site: u32,
    _: *const u8,
    at: *mut u32,
    expected: u32,
    limited: bool,
    seconds: i64,
    nanoseconds: i64,
) -> bool {
    wait(site, at, expected, libc::FUTEX_CLOCK_REALTIME, time(limited, seconds, nanoseconds))
}

/// `std::__atomic_futex_unsigned_base::_M_futex_wait_until_steady`
#[unsafe(export_name = "__raddle__ZNSt28__atomic_futex_unsigned_base26_M_futex_wait_until_steadyEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE")]
pub(crate) unsafe extern "C-unwind" fn wait_until_steady(
    site: u32,
    _: *const u8,
    at: *mut u32,
    expected: u32,
    limited: bool,
    seconds: i64,
    nanoseconds: i64,
) -> bool {
    wait(site, at, expected, 0, time(limited, seconds, nanoseconds))
}
