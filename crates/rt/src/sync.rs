//! How operations run that may block: all wrappers of such functions go through here.

use core::ffi::c_int;

use trace::Op;
use trace::layout::tag;

use crate::thread::Thread;
use crate::{gate, local, replay, start};

/// An operation: where, what, and on which objects.
#[derive(Clone, Copy)]
pub(crate) struct Operation {
    pub(crate) site: u32,
    pub(crate) op: Op,
    pub(crate) object: usize,
    /// Another object or a number that belongs to it.
    pub(crate) other: u64,
}

impl Operation {
    pub(crate) fn new<T>(site: u32, op: Op, object: *const T) -> Self {
        Operation { site, op, object: object as usize, other: 0 }
    }

    /// Runs the operation. `attempt` does it if that works at once, and says nothing if it would block; `block` does it in any
    /// case. Nobody blocks while having the turn.
    pub(crate) fn run(self, attempt: impl Fn() -> Option<c_int>, block: impl Fn() -> c_int) -> c_int {
        if start::gating() {
            gate::before(self.site);
        }
        let result = if start::recording() {
            local::with(|thread| self.record(thread, attempt, block))
        } else {
            block()
        };
        if start::gating() {
            gate::after(self.site);
        }
        result
    }

    /// Runs an operation that never blocks.
    pub(crate) fn at_once(self, real: impl Fn() -> c_int) -> c_int {
        self.run(|| Some(real()), &real)
    }

    /// Runs an operation that cannot be tried.
    pub(crate) fn blocking(self, real: impl Fn() -> c_int) -> c_int {
        self.run(|| None, real)
    }

    fn record(
        self,
        thread: &Thread,
        attempt: impl Fn() -> Option<c_int>,
        block: impl Fn() -> c_int,
    ) -> c_int {
        let took = thread.enter();
        if start::replaying() {
            let result = replay::sync::run(self, thread, attempt, block);
            thread.parting.set(took);
            self.done(thread, result);
            thread.parting.set(false);
            thread.leave(took);
            return result;
        }
        let result = attempt().unwrap_or_else(|| {
            self.waits(thread);
            thread.give();
            let waiting = Waiting { operation: self, thread };
            let result = block();
            core::mem::forget(waiting);
            thread.enter();
            result
        });
        self.done(thread, result);
        thread.leave(took);
        result
    }

    /// Notes that the operation cannot be done at once.
    pub(crate) fn waits(self, thread: &Thread) {
        let Operation { site, op, object, other } = self;
        thread.numbers(tag::WAITS, &[u64::from(site), op as u64, object as u64, other]);
    }

    fn done(self, thread: &Thread, result: c_int) {
        let Operation { site, op, object, other } = self;
        let numbers = [u64::from(site), op as u64, object as u64, other, i64::from(result) as u64];
        thread.numbers(tag::SYNC, &numbers);
    }
}

/// An operation that waits. It is dropped if it never comes back, since the thread was cancelled: then that is its result. Who
/// waited for a condition variable has the mutex again.
pub(crate) struct Waiting<'thread> {
    pub(crate) operation: Operation,
    pub(crate) thread: &'thread Thread,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.thread.enter();
        self.operation.done(self.thread, libc::ECANCELED);
        self.thread.give();
    }
}

/// Records something that is no synchronization, with the turn.
pub(crate) fn note(record: impl FnOnce(&Thread)) {
    if start::recording() {
        local::with(|thread| {
            let took = thread.enter();
            thread.parting.set(took);
            record(thread);
            thread.parting.set(false);
            thread.leave(took);
        });
    }
}
