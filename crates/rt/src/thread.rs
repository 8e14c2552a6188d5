//! What each thread has: where its next event goes, and whether it has the turn.
//!
//! `busy`, `cursor` and `limit` are all that the usual event looks at. A thread that is not busy, and whose cursor is below the
//! limit, has the turn and room for an event. A thread without the turn has limit 0, so that all special cases but one need no test
//! of their own; they are for [`Thread::prepare`].
//!
//! A thread is busy while it is in here; that is noted before anything else is looked at, so that a signal handler in between has
//! either come and gone, or leaves all as it is and counts its events as lost. Noted is the stack pointer. If the stack is less deep
//! later, or not deep enough for the frame of a signal, whoever was busy was left by `longjmp` or by cancellation and will never
//! finish: its chunk is given up. A program that goes on deeper in the stack after such a jump looks like a signal handler, until
//! it comes back.

use core::cell::{Cell, UnsafeCell};
use core::sync::atomic::{AtomicUsize, Ordering, compiler_fence};

use trace::encode::{self, Context, Room};
use trace::layout::{CHUNK, EVENT, tag};
use trace::repeat::Step;

use crate::{errno, file, registry, replay, signals, start, turn};

/// The kernel puts more than this on the stack before a signal handler runs; our own functions need less.
const FRAME: usize = 1024;

/// How many calls from a place where one has blocked are taken for calls that block.
const BLOCKS: u8 = 32;

/// Where a thread stands in its life.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Life {
    /// It has no number yet.
    Unknown = 0,
    /// It has its number, and no event yet.
    Named,
    Known,
    /// Its last event is written. What it does now is lost.
    Over,
}

/// Begins as zeros, at a multiple of 64.
#[repr(align(64))]
pub(crate) struct Thread {
    busy: AtomicUsize,
    cursor: Cell<usize>,
    limit: Cell<usize>,
    context: UnsafeCell<Context>,
    chunk: Cell<usize>,
    sequence: Cell<u32>,
    pub(crate) number: Cell<u32>,
    pub(crate) life: Cell<Life>,
    pub(crate) has_turn: Cell<bool>,
    /// How many atomic sections the thread is in: then nobody else may go on, however long they wait.
    pub(crate) atomic: Cell<u32>,
    /// The turn that was taken last.
    pub(crate) turn: Cell<u64>,
    lost: Cell<u64>,
    /// Where it is in a run that is repeated.
    pub(crate) position: Cell<replay::Position>,
    /// Whether it gives the turn away after the next event.
    pub(crate) parting: Cell<bool>,
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
    /// Records an event that `encode` writes, if there is nothing special about it; else [`Thread::record`] has to be asked.
    #[inline(always)]
    pub(crate) fn record_as_usual(&self, encode: impl FnOnce(&mut Room, &mut Context) -> usize) -> bool {
        if self.busy.load(Ordering::Relaxed) != 0 {
            return false;
        }
        self.busy.store(stack_pointer(), Ordering::Relaxed);
        compiler_fence(Ordering::SeqCst);
        let cursor = self.cursor.get();
        let usual = cursor < self.limit.get();
        if usual {
            // SAFETY: a cursor that is below the limit has room for an event in a mapped chunk, which is only this thread's. The
            // thread is busy, so nobody else uses the context.
            let length = unsafe { encode(&mut *(cursor as *mut Room), &mut *self.context.get()) };
            self.cursor.set(cursor + length);
        }
        compiler_fence(Ordering::SeqCst);
        self.busy.store(0, Ordering::Relaxed);
        // Only now: what the event tells was done before it, in this turn.
        if usual && turn::wanted() {
            self.pass();
        }
        usual
    }

    /// Records an event that `encode` writes.
    #[inline(always)]
    pub(crate) fn record(&self, encode: impl Fn(&mut Room, &mut Context) -> usize) {
        if self.record_as_usual(&encode) {
            return;
        }
        if start::replaying() {
            replay::encoded(self, encode);
        } else if self.prepare() {
            self.record_as_usual(&encode);
        }
    }

    /// Lets somebody else have the turn, while this thread does what is not recorded.
    pub(crate) fn away(&self) {
        if self.has_turn.get() && self.atomic.get() == 0 {
            self.give();
        }
    }

    /// Lets others go on who wait.
    #[cold]
    #[inline(never)]
    fn pass(&self) {
        if self.has_turn.get() && self.atomic.get() == 0 {
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
            if start::replaying() {
                let site = numbers.first().map_or(0, |site| *site as u32);
                return replay::event(thread, Step { tag, site, ..Step::default() });
            }
            if !thread.ready() {
                return;
            }
            let room = encode::texts_room(texts);
            if thread.chunk.get() + CHUNK - thread.cursor.get() < room && !thread.next_chunk() {
                return;
            }
            let left = thread.chunk.get() + CHUNK - thread.cursor.get();
            // SAFETY: from the position to its end, the chunk is mapped and only this thread's.
            let out = unsafe { core::slice::from_raw_parts_mut(thread.cursor.get() as *mut u8, left) };
            thread.cursor.set(thread.cursor.get() + encode::texts(out, tag, numbers, texts));
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
        if !turn::take(self) || !room(self.cursor.get()) && !self.next_chunk() {
            return false;
        }
        let lost = self.lost.replace(0);
        if lost != 0 {
            self.put(tag::LOST, &[lost]);
        }
        room(self.cursor.get()) || self.next_chunk()
    }

    /// Does something that signal handlers must not see half done; nothing if this is such a handler, or recording is over.
    pub(crate) fn busily<T>(&self, f: impl FnOnce(&Thread) -> T) -> Option<T> {
        let errno = errno::get();
        let busy = self.busy.load(Ordering::Relaxed);
        if busy != 0 && (stack_pointer() + FRAME <= busy || on_signal_stack()) {
            // The function that was interrupted is still there, so this thread must leave the chunk alone.
            self.lost.set(self.lost.get() + 1);
            errno::set(errno);
            return None;
        }
        self.busy.store(stack_pointer(), Ordering::Relaxed);
        compiler_fence(Ordering::SeqCst);
        if busy != 0 {
            self.recover();
        }
        let result = (start::recording() && self.life.get() != Life::Over).then(|| f(self));
        // Whoever has the turn at this point may record without further ado.
        let has_turn = self.has_turn.get() && start::recording() && self.chunk.get() != 0;
        self.limit.set(if has_turn { self.chunk.get() + CHUNK - EVENT + 1 } else { 0 });
        compiler_fence(Ordering::SeqCst);
        self.busy.store(0, Ordering::Relaxed);
        errno::set(errno);
        result
    }

    /// After something that was interrupted and will never be finished: finds out who has the turn. Only while busy.
    fn recover(&self) {
        self.cursor.set(0);
        self.has_turn.set(false);
        if turn::is_mine(self) {
            turn::take(self);
        }
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
        let position = self.cursor.get();
        if (position == 0 || position > self.chunk.get() + CHUNK - EVENT) && !self.next_chunk() {
            return;
        }
        // SAFETY: there is room for an event in a mapped chunk, which is only this thread's, and it is busy.
        let room = unsafe { &mut *(self.cursor.get() as *mut Room) };
        self.cursor.set(self.cursor.get() + encode::numbers(room, tag, numbers));
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
        self.cursor.set(chunk + trace::layout::chunk::EVENTS);
        // SAFETY: the thread is busy, so nobody else uses the context.
        unsafe { *self.context.get() = Context::default() };
        true
    }

    /// Gives back the memory of the chunk. What is in it is in the file.
    fn drop_chunk(&self) {
        if self.chunk.get() != 0 {
            file::release(self.chunk.get());
            self.chunk.set(0);
            self.cursor.set(0);
        }
    }

    /// In a new process, whose memory of the chunk belongs to the parent as well: nothing may be written there.
    pub(crate) fn forget(&self) {
        self.limit.set(0);
        self.has_turn.set(false);
        self.life.set(Life::Over);
    }

    /// The thread has ended: its last event is written and the turn goes on. Whatever was interrupted before does not matter.
    pub(crate) fn end(&self) {
        if self.busy.load(Ordering::Relaxed) != 0 {
            // As if it had begun at the end of the stack: then it is over.
            self.busy.store(1, Ordering::Relaxed);
        }
        self.busily(|thread| {
            if start::replaying() {
                replay::thread_ends(thread);
            } else if thread.ready() {
                thread.put(tag::END, &[]);
                registry::ended(thread);
                turn::give(thread);
            }
            thread.drop_chunk();
            thread.life.set(Life::Over);
        });
    }
}
