//! The library functions that are wrapped; `trace::WRAPPED` has their names. Each takes the site and then what the original takes.
//!
//! # Safety
//! Each wrapper asks of its caller what the original does.

mod barrier;
mod c11;
mod condition;
pub(crate) mod create;
mod future;
mod join;
mod memory;
mod mutex;
mod process;
mod rwlock;
mod semaphore;
mod time;
pub(crate) mod verifier;

use core::ffi::c_int;

/// Nothing if the result says that the operation would have to wait.
fn unless(result: c_int, busy: c_int) -> Option<c_int> {
    (result != busy).then_some(result)
}

/// Defines wrappers of functions that never block: the name, what is recorded, and the parameters; the first is the object.
macro_rules! at_once {
    ($($wrapper:ident = $real:path, $op:ident, ($object:ident $(, $name:ident: $type:ty)*);)*) => {$(
        #[unsafe(no_mangle)]
        pub(crate) unsafe extern "C-unwind" fn $wrapper(
            site: u32, $object: $crate::real::Object $(, $name: $type)*
        ) -> core::ffi::c_int {
            $crate::sync::Operation::new(site, trace::Op::$op, $object).at_once(|| {
                // SAFETY: the caller promises what the original asks for.
                unsafe { $real($object $(, $name)*) }
            })
        }
    )*};
}

/// Defines wrappers of functions that may block and can be tried: also how, and which result means that they would block.
macro_rules! tried {
    ($($wrapper:ident = $real:path, $op:ident, $attempt:path, $busy:expr, ($object:ident $(, $name:ident: $type:ty)*);)*) => {$(
        #[unsafe(no_mangle)]
        pub(crate) unsafe extern "C-unwind" fn $wrapper(
            site: u32, $object: $crate::real::Object $(, $name: $type)*
        ) -> core::ffi::c_int {
            $crate::sync::Operation::new(site, trace::Op::$op, $object).run(
                || {
                    // SAFETY: the caller promises what the original asks for.
                    unsafe { $crate::wrap::unless($attempt($object), $busy) }
                },
                || {
                    // SAFETY: the caller promises what the original asks for.
                    unsafe { $real($object $(, $name)*) }
                },
            )
        }
    )*};
}

use {at_once, tried};
