//! What each thread has: where its next event goes, and whether it has the turn.
//!
//! `cursor` and `limit` are all that the usual event looks at: while the cursor is below the limit, there is room, the thread has
//! the turn, and nobody is in the middle of an event. A thread without the turn has limit 0, and a busy one a cursor beyond all
//! addresses, so that one comparison leads all special cases to [`Thread::prepare`].
//!
//! The cursor of a busy thread is the stack pointer of who made it so, with the highest bit set. If the stack is less deep later,
//! that function was left by `longjmp` or by cancellation and will never finish: its chunk is given up.

use core::cell::{Cell, UnsafeCell};
use core::sync::atomic::{AtomicUsize, Ordering, compiler_fence};

use trace::encode::{self, Context, Room};
use trace::layout::{CHUNK, EVENT, tag};

use crate::{errno, file, registry, signals, start, turn};

/// The cursor of a busy thread has this bit; no address does.
const BUSY: usize = 1 << 63;

/// How many calls from a place where one has blocked are taken for calls that block.
const BLOCKS: u8 = 32;

/// Where a thread stands in its life.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Life {
    /// It has no number yet.
    Unknown = 0,
    Known,
    /// Its last event is written. What it does now is lost.
    Over,
}

/// Begins as zeros, at a multiple of 64.
#[repr(align(64))]
pub(crate) struct Thread {
    cursor: AtomicUsize,
    limit: AtomicUsize,
    context: UnsafeCell<Context>,
    /// The chunk, and the cursor while the thread is busy.
    chunk: Cell<usize>,
    position: Cell<usize>,
    sequence: Cell<u32>,
    pub(crate) number: Cell<u32>,
    pub(crate) life: Cell<Life>,
    pub(crate) has_turn: Cell<bool>,
    /// The turn that was taken last.
    pub(crate) turn: Cell<u64>,
    lost: Cell<u64>,
    pub(crate) waiter: turn::Waiter,
    /// For calls at sites with this remainder: how often the turn is to be given away at once.
    blocks: [Cell<u8>; 64],
}

#[inline(always)]
fn stack_pointer() -> usize {
    let pointer: usize;
    #[cfg(target_arch = "x86_64")]
    // SAFETY: reads a register.
    unsafe {
        core::arch::asm!("mov {}, rsp", out(reg) pointer, options(nomem, nostack, preserves_flags));
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: reads a register.
    unsafe {
        core::arch::asm!("mov {}, sp", out(reg) pointer, options(nomem, nostack, preserves_flags));
    }
    pointer
}

/// Whether a signal handler runs on a stack of its own. Then depths of stacks cannot be compared.
fn on_signal_stack() -> bool {
    // SAFETY: all zeros is a value of this type; the call only writes to it.
    unsafe {
        let mut stack: libc::stack_t = core::mem::zeroed();
        libc::sigaltstack(core::ptr::null(), &raw mut stack) != 0 || stack.ss_flags & libc::SS_ONSTACK != 0
    }
}

impl Thread {
    /// Where the next event goes, unless there is something special about it: then [`Thread::record`] has to be asked.
    #[inline(always)]
    pub(crate) fn usual(&self) -> Option<usize> {
        let cursor = self.cursor.load(Ordering::Relaxed);
        (cursor < self.limit.load(Ordering::Relaxed)).then_some(cursor)
    }

    /// Records an event that `encode` writes.
    #[inline(always)]
    pub(crate) fn record(&self, encode: impl FnOnce(&mut Room, &mut Context) -> usize) {
        if self.usual().is_some() || self.prepare() {
            self.write(self.cursor.load(Ordering::Relaxed), encode);
        }
    }

    /// Writes an event at the cursor, as [`Thread::usual`] gives it.
    #[inline(always)]
    pub(crate) fn write(&self, cursor: usize, encode: impl FnOnce(&mut Room, &mut Context) -> usize) {
        self.cursor.store(stack_pointer() | BUSY, Ordering::Relaxed);
        compiler_fence(Ordering::SeqCst);
        // SAFETY: a cursor that is below the limit has room for an event in a mapped chunk, which is only this thread's. The
        // thread is busy, so nobody else uses the context.
        let length = unsafe { encode(&mut *(cursor as *mut Room), &mut *self.context.get()) };
        compiler_fence(Ordering::SeqCst);
        self.cursor.store(cursor + length, Ordering::Relaxed);
        // Only now: what the event tells was done before it, in this turn.
        if turn::wanted() {
            self.pass();
        }
    }

    #[cold]
    #[inline(never)]
    fn pass(&self) {
        if self.has_turn.get() {
            self.busily(turn::pass);
        }
    }

    /// Records an event that is a sequence of numbers.
    pub(crate) fn numbers(&self, tag: u8, numbers: &[u64]) {
        self.record(|room, _| encode::numbers(room, tag, numbers));
    }

    /// Records an event with texts.
    pub(crate) fn texts(&self, tag: u8, numbers: &[u64], texts: &[&[u8]]) {
        self.busily(|thread| {
            if !thread.ready() {
                return;
            }
            let room = encode::texts_room(texts);
            if thread.chunk.get() + CHUNK - thread.position.get() < room && !thread.next_chunk() {
                return;
            }
            let left = thread.chunk.get() + CHUNK - thread.position.get();
            // SAFETY: from the position to its end, the chunk is mapped and only this thread's.
            let out = unsafe { core::slice::from_raw_parts_mut(thread.position.get() as *mut u8, left) };
            thread.position.set(thread.position.get() + encode::texts(out, tag, numbers, texts));
        });
    }

    /// Makes all ready for an event; whether it may be recorded.
    #[cold]
    #[inline(never)]
    fn prepare(&self) -> bool {
        self.busily(Thread::ready).unwrap_or(false)
    }

    /// Sees to it that this thread has the turn and room for an event. Only while busy.
    fn ready(&self) -> bool {
        let room = |position| position != 0 && position <= self.chunk.get() + CHUNK - EVENT;
        if !turn::take(self) || !room(self.position.get()) && !self.next_chunk() {
            return false;
        }
        let lost = self.lost.replace(0);
        if lost != 0 {
            self.put(tag::LOST, &[lost]);
        }
        room(self.position.get()) || self.next_chunk()
    }

    /// Does something that signal handlers must not see half done; nothing if this is such a handler, or recording is over. In
    /// `f`, `position` is the cursor.
    pub(crate) fn busily<T>(&self, f: impl FnOnce(&Thread) -> T) -> Option<T> {
        let errno = errno::get();
        let cursor = self.cursor.load(Ordering::Relaxed);
        if cursor & BUSY != 0 {
            // The function that was interrupted is still there, so this thread must leave the chunk alone.
            if stack_pointer() <= cursor & !BUSY || on_signal_stack() {
                self.lost.set(self.lost.get() + 1);
                errno::set(errno);
                return None;
            }
            self.position.set(0);
            self.has_turn.set(turn::is_mine(self));
        }
        self.cursor.store(stack_pointer() | BUSY, Ordering::Relaxed);
        compiler_fence(Ordering::SeqCst);
        if cursor & BUSY == 0 {
            self.position.set(cursor);
        }
        let result = (start::recording() && self.life.get() != Life::Over).then(|| f(self));
        // Whoever has the turn at this point may record without further ado.
        let has_turn = self.has_turn.get() && start::recording() && self.chunk.get() != 0;
        self.limit.store(if has_turn { self.chunk.get() + CHUNK - EVENT + 1 } else { 0 }, Ordering::Relaxed);
        compiler_fence(Ordering::SeqCst);
        self.cursor.store(self.position.get(), Ordering::Relaxed);
        errno::set(errno);
        result
    }

    /// Sees to it that the thread has the turn; whether it had to take it.
    pub(crate) fn enter(&self) -> bool {
        !self.has_turn.get() && self.busily(turn::take) == Some(true)
    }

    /// Gives the turn away.
    pub(crate) fn give(&self) {
        self.busily(turn::give);
    }

    /// Gives the turn away for a call at `site`, and comes back, as it were: see [`Thread::back`].
    pub(crate) fn call(&self, site: u32) {
        let blocks = self.blocks(site);
        let lends = blocks.get() == 0;
        blocks.set(blocks.get().saturating_sub(1));
        self.busily(|thread| if lends { turn::lend(thread) } else { turn::give(thread) });
    }

    /// Has the turn again after a call at `site`.
    pub(crate) fn back(&self, site: u32) {
        let turn = self.turn.get();
        if self.enter() && self.turn.get() != turn {
            // Others had to take it: the call may well block next time.
            self.blocks(site).set(BLOCKS);
        }
    }

    fn blocks(&self, site: u32) -> &Cell<u8> {
        &self.blocks[site as usize % self.blocks.len()]
    }

    /// Gives the turn away if [`Thread::enter`] took it.
    pub(crate) fn leave(&self, took: bool) {
        if took {
            self.give();
        }
    }

    /// Writes an event while busy. Only with the turn.
    pub(crate) fn put(&self, tag: u8, numbers: &[u64]) {
        let position = self.position.get();
        if (position == 0 || position > self.chunk.get() + CHUNK - EVENT) && !self.next_chunk() {
            return;
        }
        // SAFETY: there is room for an event in a mapped chunk, which is only this thread's, and it is busy.
        let room = unsafe { &mut *(self.position.get() as *mut Room) };
        self.position.set(self.position.get() + encode::numbers(room, tag, numbers));
    }

    /// Goes on in a new chunk. Only while busy and with the turn.
    fn next_chunk(&self) -> bool {
        if !start::recording() {
            return false;
        }
        signals::blocked(|| self.change_chunk())
    }

    fn change_chunk(&self) -> bool {
        let (number, turn) = (self.number.get(), self.turn.get());
        let chunk = match self.chunk.get() {
            0 => file::chunk(number, turn),
            chunk => file::turn_over(chunk, number, self.sequence.get(), turn).then_some(chunk),
        };
        let Some(chunk) = chunk else {
            turn::stop();
            self.has_turn.set(false);
            return false;
        };
        self.sequence.set(self.sequence.get() + 1);
        self.chunk.set(chunk);
        self.position.set(chunk + trace::layout::chunk::EVENTS);
        // SAFETY: the thread is busy, so nobody else uses the context.
        unsafe { *self.context.get() = Context::default() };
        true
    }

    /// Gives back the memory of the chunk. What is in it is in the file.
    fn drop_chunk(&self) {
        if self.chunk.get() != 0 {
            file::release(self.chunk.get());
            self.chunk.set(0);
            self.position.set(0);
        }
    }

    /// The thread has ended: its last event is written and the turn goes on. Whatever was interrupted before does not matter.
    pub(crate) fn end(&self) {
        if self.cursor.load(Ordering::Relaxed) & BUSY != 0 {
            self.position.set(0);
            self.has_turn.set(turn::is_mine(self));
            self.cursor.store(0, Ordering::Relaxed);
        }
        self.busily(|thread| {
            if thread.ready() {
                thread.put(tag::END, &[]);
                registry::ended(thread);
                turn::give(thread);
            }
            thread.drop_chunk();
            thread.life.set(Life::Over);
        });
    }
}
