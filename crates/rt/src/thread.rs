//! What each thread has: where its next event goes, and whether it has the turn.
//!
//! `busy` and the context are all that an event looks at if it is as expected: it is only counted, and instrumented code does that by
//! itself. A thread that may not record has a closed context. For an event that has to be written there are `cursor` and
//! `limit`. A thread that is not busy, and whose cursor is below the limit, has the turn and room for an event. A thread without the
//! turn has limit 0, so that all special cases but one need no test of their own; they are for [`Thread::prepare`].
//!
//! A thread is busy while it is in here; that is noted before anything else is looked at, so that a signal handler in between has
//! either come and gone, or leaves all as it is and counts its events as lost. Noted is the stack pointer. If the stack is less deep
//! later, or not deep enough for the frame of a signal, whoever was busy was left by `longjmp` or by cancellation and will never
//! finish: its chunk is given up, and so is what is known of memory, which may be more or less than the trace tells. A program that goes on deeper in the stack after such a jump looks like a signal handler, until
//! it comes back.

use core::cell::{Cell, UnsafeCell};
use core::mem::offset_of;
use core::sync::atomic::{AtomicUsize, Ordering, compiler_fence};

use trace::encode::{self, Context, Room, Usual};
use trace::layout::{CHUNK, EVENT, tag};
use trace::memory::Memory;
use trace::repeat::Step;
use trace::rounds::{self, AT_ONCE, RepeatedRead};

use crate::{errno, file, known, registry, replay, signals, start, turn};

/// The kernel puts more than this on the stack before a signal handler runs; our own functions need less.
const FRAME: usize = 1024;

/// What instrumented code keeps while it tells several events: that the thread is busy because of that.
const MINE: u64 = 1 << 63;

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

/// Begins as zeros, at a multiple of 64. Instrumented code knows the first fields.
#[repr(C, align(64))]
pub(crate) struct Thread {
    busy: AtomicUsize,
    /// Where the last usual event counts those that follow.
    count: Cell<*mut u8>,
    context: UnsafeCell<Context>,
    cursor: Cell<usize>,
    limit: Cell<usize>,
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
    /// Whether it is in a loop that does nothing but read, and is busy because of that.
    reading: Cell<bool>,
    /// For calls at sites with this remainder: how often the turn is to be given away at once.
    blocks: [Cell<u8>; 64],
}

// What instrumented code counts on.
const _: () = assert!(
    offset_of!(Thread, count) == 8
        && offset_of!(Thread, context) == 16
        && offset_of!(Thread, cursor) == 16 + size_of::<Context>()
        && offset_of!(Thread, limit) == offset_of!(Thread, cursor) + 8
);

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
    /// Makes the thread busy, unless it is.
    #[inline(always)]
    fn begin(&self) -> bool {
        if self.busy.load(Ordering::Relaxed) != 0 {
            return false;
        }
        self.busy.store(stack_pointer(), Ordering::Relaxed);
        compiler_fence(Ordering::SeqCst);
        true
    }

    /// The thread is not busy any more.
    #[inline(always)]
    fn finish(&self) {
        compiler_fence(Ordering::SeqCst);
        self.busy.store(0, Ordering::Relaxed);
    }

    /// What the last event tells was done before it, in this turn: so others may go on now who have waited too long.
    #[inline(always)]
    fn pass_if_wanted(&self) {
        if turn::wanted() {
            self.pass();
        }
    }

    /// The end of an event that may have been recorded.
    #[inline(always)]
    fn end_event(&self, recorded: bool) {
        self.finish();
        if recorded {
            self.pass_if_wanted();
        }
    }

    /// The context. Only while busy, and never twice at a time.
    #[expect(clippy::mut_from_ref, reason = "the cell is only this thread's")]
    fn context(&self) -> &mut Context {
        // SAFETY: the thread is busy, so nobody else uses it.
        unsafe { &mut *self.context.get() }
    }

    /// Room for an event in the chunk, if there is. Only while busy.
    #[inline(always)]
    #[expect(clippy::mut_from_ref, reason = "what is behind the cursor is nobody's yet")]
    fn room(&self) -> Option<&mut Room> {
        let cursor = self.cursor.get();
        // SAFETY: a cursor that is below the limit has room for an event in a mapped chunk, which is only this thread's.
        (cursor < self.limit.get()).then(|| unsafe { &mut *(cursor as *mut Room) })
    }

    /// Records a usual event: counts it if it is as expected, and else writes it.
    #[inline(always)]
    pub(crate) fn usual(&self, event: Usual) {
        if self.tell(event) {
            self.pass_if_wanted();
        }
    }

    /// The same without letting others go on; whether it was recorded.
    #[inline(always)]
    fn tell(&self, event: Usual) -> bool {
        self.tell_at_once(event) || self.tell_slowly(event)
    }

    /// The same if there is nothing special about it.
    #[inline(always)]
    fn tell_at_once(&self, event: Usual) -> bool {
        if !self.begin() {
            return false;
        }
        // SAFETY: `count` is set with each usual event, and the context closed whenever that is not the last one any more.
        let counted = unsafe { event.count(self.context(), known::memory(), self.count.get()) };
        let recorded = counted || self.write(event);
        self.finish();
        recorded
    }

    #[cold]
    #[inline(never)]
    fn tell_slowly(&self, event: Usual) -> bool {
        if start::replaying() {
            replay::usual(self, event);
            return false;
        }
        self.prepare() && self.tell_at_once(event)
    }

    /// Records one of several events that instrumented code tells together, one that is not as expected. What that keeps meanwhile, and
    /// gets back, is a number: the last slot, how many events are to be counted, and in the highest bit whether the thread is busy
    /// because of that. Others do not go on before all is told.
    #[inline(always)]
    pub(crate) fn told(&self, event: Usual, state: u64) -> u64 {
        let mine = state & MINE != 0;
        if mine {
            // SAFETY: instrumented code has looked at the same as `tell_at_once`.
            unsafe { self.context().settle(state as u32, (state >> 32) as u8, self.count.get()) };
            if self.write(event) {
                return MINE | u64::from(self.context().last_slot());
            }
        }
        self.told_slowly(event, mine)
    }

    #[cold]
    #[inline(never)]
    fn told_slowly(&self, event: Usual, mine: bool) -> u64 {
        if mine {
            self.finish();
        }
        self.tell(event);
        if self.begin() { MINE | u64::from(self.context().last_slot()) } else { u64::from(Context::NOWHERE) }
    }

    /// Writes a usual event, if there is room. Only while busy.
    #[inline(always)]
    fn write(&self, event: Usual) -> bool {
        let Some(room) = self.room() else { return false };
        let length = event.write(room, self.context(), known::memory());
        self.count.set((self.cursor.get() + encode::COUNT) as *mut u8);
        self.cursor.set(self.cursor.get() + length);
        true
    }

    /// A loop begins that does nothing but read, and what it reads is told when it is through; whether it may. The thread is busy up to
    /// then: what a signal handler does in between is lost, since it would have to come in the middle.
    pub(crate) fn begin_reading(&self) -> bool {
        if start::replaying() || self.cursor.get() >= self.limit.get() && !self.prepare() {
            return false;
        }
        let begun = self.begin();
        self.reading.set(self.reading.get() || begun);
        begun
    }

    /// The loop is through: so many rounds, and the first `again` reads once more.
    ///
    /// # Safety
    /// It has read what `reads` say.
    pub(crate) unsafe fn end_reading(&self, reads: &[RepeatedRead], again: usize, rounds: u64) {
        self.reading.set(false);
        // SAFETY: as the caller says.
        let recorded = unsafe { self.record_rounds(reads, again, rounds) };
        self.end_event(recorded);
    }

    /// # Safety
    /// As above.
    unsafe fn record_rounds(&self, reads: &[RepeatedRead], again: usize, rounds: u64) -> bool {
        let mut round = 0;
        while round < rounds {
            let end = rounds.min(round + AT_ONCE);
            // SAFETY: as the caller says.
            let known = unsafe { rounds::are_as_known(reads, round, end - round, known::memory()) };
            while round < end {
                let (context, memory) = (self.context(), known::memory());
                // SAFETY: as the caller says; `count` is set with each usual event.
                let counted = unsafe {
                    rounds::count(reads, round, end - round, known, context, memory, self.count.get())
                };
                // SAFETY: as the caller says.
                if counted == 0 && !reads.iter().all(|read| self.record(unsafe { read.event(round) })) {
                    return false;
                }
                round += counted.max(1);
            }
        }
        // SAFETY: as the caller says.
        reads[..again].iter().all(|read| self.record(unsafe { read.event(rounds) }))
    }

    /// Records a usual event while busy, whatever that takes.
    fn record(&self, event: Usual) -> bool {
        // SAFETY: as in `usual_at_once`.
        let counted = unsafe { event.count(self.context(), known::memory(), self.count.get()) };
        counted
            || self.write(event)
            || self.ready() && {
                self.allow();
                self.write(event)
            }
    }

    /// The thread crashes, or was left by a jump, in a loop whose reads are told when it is through: then nobody will.
    pub(crate) fn give_reading_up(&self) -> bool {
        let reading = self.reading.replace(false);
        if reading {
            self.lost.set(self.lost.get() + 1);
        }
        reading
    }

    /// The same for a thread that crashes: it can tell that it does.
    pub(crate) fn crash(&self) {
        if self.give_reading_up() {
            self.busy.store(0, Ordering::Relaxed);
            self.prepare();
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
    pub(crate) fn pass(&self) {
        if self.has_turn.get() && self.atomic.get() == 0 {
            self.busily(turn::pass);
        }
    }

    /// Records an event that is a sequence of numbers.
    pub(crate) fn numbers(&self, tag: u8, numbers: &[u64]) {
        self.number_and(tag, numbers, |_| ());
    }

    /// The same for an event that changes memory, and with what it changes.
    pub(crate) fn changed(&self, tag: u8, numbers: [u64; 4], change: impl Fn(&mut Memory)) {
        self.number_and(tag, &numbers, change);
    }

    fn number_and(&self, tag: u8, numbers: &[u64], change: impl Fn(&mut Memory)) {
        if self.numbers_at_once(tag, numbers, &change) {
            return;
        }
        if start::replaying() {
            replay::numbers(self, tag, numbers);
        } else if self.prepare() {
            self.numbers_at_once(tag, numbers, &change);
        }
    }

    fn numbers_at_once(&self, tag: u8, numbers: &[u64], change: &impl Fn(&mut Memory)) -> bool {
        if !self.begin() {
            return false;
        }
        let mut recorded = false;
        if let Some(room) = self.room() {
            let length = encode::numbers(room, tag, numbers);
            self.cursor.set(self.cursor.get() + length);
            self.context().close();
            change(known::memory());
            recorded = true;
        }
        self.end_event(recorded);
        recorded
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
            thread.context().close();
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
        self.allow();
        compiler_fence(Ordering::SeqCst);
        self.busy.store(0, Ordering::Relaxed);
        errno::set(errno);
        result
    }

    /// Whoever has the turn at this point may record without further ado. Only while busy.
    fn allow(&self) {
        let has_turn = self.has_turn.get() && start::recording() && self.cursor.get() != 0;
        self.limit.set(if has_turn { self.chunk.get() + CHUNK - EVENT + 1 } else { 0 });
        if !has_turn {
            self.context().close();
        }
    }

    /// After something that was interrupted and will never be finished: finds out who has the turn. Only while busy.
    fn recover(&self) {
        self.give_reading_up();
        self.cursor.set(0);
        self.context().close();
        self.has_turn.set(false);
        if turn::is_mine(self) && turn::take(self) {
            // The event that was interrupted may be in the trace and not in what is known of memory, or the other way round.
            self.put(tag::FORGET, &[]);
            known::forget();
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
        self.context().close();
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
        *self.context() = Context::default();
        true
    }

    /// Gives back the memory of the chunk. What is in it is in the file.
    fn drop_chunk(&self) {
        if self.chunk.get() != 0 {
            file::release(self.chunk.get());
            self.chunk.set(0);
            self.cursor.set(0);
            self.context().close();
        }
    }

    /// In a new process, whose memory of the chunk belongs to the parent as well: nothing may be written there.
    pub(crate) fn forget(&self) {
        self.limit.set(0);
        self.context().close();
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
