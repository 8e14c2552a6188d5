//! The end of a thread, as late as it can be noticed: the program's own destructors of thread-specific data belong to the run.

use core::ffi::c_void;
use std::sync::OnceLock;

/// How often such destructors are called at most. It has to fit into what is left of an address.
const ROUNDS: usize = 4;

/// What is done when a thread ends.
#[repr(align(8))]
pub(crate) struct Farewell {
    key: OnceLock<libc::pthread_key_t>,
    ended: fn(),
}

impl Farewell {
    pub(crate) const fn new(ended: fn()) -> Self {
        Farewell { key: OnceLock::new(), ended }
    }

    /// Called once, before there are threads.
    pub(crate) fn start(&self) {
        let mut key = 0;
        // SAFETY: the place for the key is ours, and the function is there for ever.
        if unsafe { libc::pthread_key_create(&raw mut key, Some(leave)) } == 0 {
            let _ = self.key.set(key);
        }
    }

    /// Sees to it that the end of this thread is noticed.
    pub(crate) fn attach(&'static self) {
        self.attach_in(1);
    }

    /// Wants to be called in a round; whether that will be.
    fn attach_in(&'static self, round: usize) -> bool {
        let value = core::ptr::from_ref(self).cast::<c_void>().wrapping_byte_add(round);
        // SAFETY: the key exists.
        self.key.get().is_some_and(|key| unsafe { libc::pthread_setspecific(*key, value) == 0 })
    }
}

/// Wants to be called again until it is the last round.
unsafe extern "C" fn leave(value: *mut c_void) {
    let round = value.addr() % align_of::<Farewell>();
    // SAFETY: made of a reference that lives for ever, and the round.
    let farewell: &'static Farewell = unsafe { &*value.wrapping_byte_sub(round).cast::<Farewell>() };
    if round >= ROUNDS || !farewell.attach_in(round + 1) {
        (farewell.ended)();
    }
}

const _: () = assert!(ROUNDS < align_of::<Farewell>(), "a round has to fit into what is left of an address");
