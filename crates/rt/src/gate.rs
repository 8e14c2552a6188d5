//! Enforcing schedules: threads wait where the schedule says, and nowhere else.
//!
//! After section 4 of Metzler, Suri and Weissenbacher, "Extracting safe thread schedules from incomplete model checking results",
//! STTT 2020. The program is always in a section of its schedule, which has an *epoch*: sections are numbered as they are entered.
//! Each thread says how many of its events of the section it has done ([`Slot`]); an event waits until others have done
//! theirs. All events of a section come before those of the next, which is entered by whoever comes to need it; except for those that
//! are *late*, which only their own thread has to do before it goes on. Where
//! several sections can come next, one thread decides by the way it goes: at its next event it is known where it went.
//!
//! Waiting is spinning for a short time, and then sleeping. What nobody waits for is not said to anybody.

mod alarm;
mod end;
mod place;
mod plan;
mod slot;
mod two_steps;
mod wrap;

use core::cell::Cell;
use core::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering};
use std::boxed::Box;
use std::os::unix::ffi::OsStrExt;
use std::sync::OnceLock;
use std::vec::Vec;

use trace::table::{Goal, MOST_EVENTS, MOST_THREADS, THREAD_END, Table};

use crate::farewell::Farewell;
use crate::{local, message};
use alarm::{Alarm, FAR, Habit, PATIENCE};
use place::Place;
use plan::{Event, Part, Plan};
use slot::{LOW, Slot, word};

pub(crate) use end::__raddle_reached;
pub(crate) use wrap::create;

/// What a thread knows of the schedule. Begins as zeros; instrumented code looks at the first two fields.
#[repr(C)]
pub(crate) struct Here {
    /// Where the sites of its next events are (see [`plan::Part`]). If the next one neither waits nor is waited for, instrumented
    /// code steps over it by itself. Within an event, and before the first section, it is nowhere.
    next: Cell<*const u32>,
    /// How deep it is in an event: what happens inside one is a part of it.
    inside: Cell<u32>,
    /// The section that it was in last, and its epoch; 0 before the first.
    section: Cell<u32>,
    epoch: Cell<u64>,
    /// The section before that one, and one more; 0 if it does not know.
    before: Cell<u32>,
    /// What it does in it.
    part: Cell<Option<&'static Part>>,
    /// Where it is meanwhile, within an event.
    stash: Cell<*const u32>,
    /// The point at which it is to decide, and one more; 0 if there is none.
    decides: Cell<u32>,
    /// Whether a thread that it creates is none of the program's.
    own: Cell<bool>,
    /// How many of its arbitrary values it has got.
    inputs: Cell<usize>,
    /// How many progress marks it may pass that are counted already.
    marks: Cell<u32>,
    place: Place,
}

impl Here {
    /// How many events of its section are done.
    fn done(&self) -> usize {
        let Some(part) = self.part.get() else { return 0 };
        let at = if self.inside.get() == 0 { self.next.get() } else { self.stash.get() };
        (at as usize).wrapping_sub(part.sites.as_ptr() as usize) / size_of::<u32>()
    }

    /// Its next event, if it has one in its section.
    fn event(&self) -> Option<&'static Event> {
        self.part.get()?.events.get(self.done())
    }

    /// Steps over the next event if it neither waits nor is waited for; whether it does. Instrumented code does the same.
    fn steps_over(&self, site: u32) -> bool {
        let next = self.next.get();
        // SAFETY: it points into the sites of a section, or to the 0 at their end.
        let quiet = !next.is_null() && unsafe { *next } == site;
        if quiet {
            // SAFETY: there is a 0 after the last event.
            self.next.set(unsafe { next.add(1) });
        }
        quiet
    }

    /// An event begins, which has to wait or is waited for, or has others in it.
    fn begin(&self) -> bool {
        let inside = self.inside.get();
        self.inside.set(inside + 1);
        if inside == 0 {
            self.stash.set(self.next.replace(core::ptr::null()));
        }
        inside == 0
    }

    /// An event ends; whether it was not in another.
    fn end(&self) -> bool {
        let inside = self.inside.get().saturating_sub(1);
        self.inside.set(inside);
        if inside == 0 {
            self.next.set(self.stash.replace(core::ptr::null()));
        }
        inside == 0
    }
}

/// A schedule that is being enforced.
struct Gate {
    plan: Plan,
    slots: Box<[Slot]>,
    /// The section that the program is in, with its epoch (see [`word`]).
    now: AtomicU64,
    /// Who waits for that to change.
    change: Slot,
    /// Nobody waits any more.
    free: AtomicBool,
    /// Who sleeps until then.
    over: Slot,
    /// For each thread, once it asks: the points after which it has nothing to do, and those after which it has to decide.
    idle: Box<[OnceLock<Vec<bool>>]>,
    deciding: Box<[OnceLock<Vec<bool>>]>,
    end: end::End,
}

static GATE: AtomicPtr<Gate> = AtomicPtr::new(core::ptr::null_mut());

fn gate() -> Option<&'static Gate> {
    // SAFETY: it is set once, to something that is never freed.
    unsafe { GATE.load(Ordering::Acquire).as_ref() }
}

/// Reads the schedule in `path` and gets ready to enforce it; whether that worked.
pub(crate) fn start(path: &[u8]) -> bool {
    let name = std::ffi::OsStr::from_bytes(path);
    let table = std::fs::read(name).ok().and_then(|bytes| Table::decode(&bytes));
    let Some(table) = table else {
        message::line(&[b"cannot read the schedule `", path, b"`; the program is not run"]);
        // SAFETY: ends the process.
        unsafe { libc::_exit(LEFT) }
    };
    let processors = std::thread::available_parallelism().map_or(1, core::num::NonZero::get);
    let plan = Plan::new(table, processors);
    let slots = (0..plan.threads()).map(|_| Slot::default()).collect();
    let for_each = || (0..plan.threads()).map(|_| OnceLock::new()).collect();
    let (idle, deciding) = (for_each(), for_each());
    let gate = Gate {
        plan,
        slots,
        now: AtomicU64::new(0),
        change: Slot::default(),
        free: AtomicBool::new(false),
        over: Slot::default(),
        idle,
        deciding,
        end: end::End::default(),
    };
    GATE.store(Box::into_raw(Box::new(gate)), Ordering::Release);
    if let Some(marks) = std::env::var("RADDLE_PROGRESS").ok().and_then(|text| text.parse().ok()) {
        wrap::stop_after(marks);
    }
    end_with_parent();
    // SAFETY: the function is there for ever.
    unsafe { libc::pthread_atfork(None, None, Some(forked)) };
    if is_repeated() {
        GONE.start();
        // SAFETY: the function is there for ever.
        unsafe { libc::atexit(process_ends) };
    }
    true
}

/// In the child of a fork: the schedule is the parent's.
extern "C" fn forked() {
    if let Some(gate) = gate() {
        gate.free.store(true, Ordering::SeqCst);
    }
}

/// Who starts a program on a schedule waits for it. If it is killed, nobody else would ever end the program.
fn end_with_parent() {
    let parent = std::env::var("RADDLE_PARENT").ok().and_then(|text| text.parse().ok());
    // SAFETY: asks for a signal; asks for numbers; ends the process.
    unsafe {
        if let Some(parent) = parent
            && libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) == 0
            && libc::getppid() != parent
        {
            libc::_exit(LEFT);
        }
    }
}

/// The exit code of a program that was stopped because it left its schedule.
pub(crate) const LEFT: i32 = 112;

/// The number before that of the first site of a module, if the schedule knows the module.
pub(crate) fn base_of(hash: &[u8; 32]) -> Option<u32> {
    gate()?.plan.table.modules.iter().find(|(known, _)| known == hash).map(|(_, base)| *base)
}

/// Whether synchronization at a site is left out. It stays so at the end of a schedule, where nothing is left that needs it.
/// Of a program that may go on without its schedule nothing is left out: its locks have to be as they always are.
pub(crate) fn is_omitted(site: u32) -> bool {
    gate().is_some_and(|gate| gate.plan.omits(site))
}

/// Whether nobody waits for turns any more.
pub(super) fn is_over() -> bool {
    gate().is_none_or(Gate::is_free)
}

/// Whether a site is one at which threads wait for their turns.
pub(crate) fn is_known(site: u32) -> bool {
    gate().is_some_and(|gate| gate.plan.place(site).is_some())
}

/// Whether a run is repeated.
pub(crate) fn is_repeated() -> bool {
    gate().is_some_and(Gate::repeats)
}

/// The next arbitrary value of this thread at a site, if the schedule has one for it.
pub(crate) fn input(site: u32) -> Option<u64> {
    let gate = gate()?;
    let inputs = gate.plan.table.inputs.get(number() as usize)?;
    local::here(|here| {
        let (got, value) = inputs.next(here.inputs.get(), site)?;
        here.inputs.set(got);
        Some(value)
    })
}

fn number() -> u32 {
    local::with(|thread| thread.number.get())
}

/// Waits until the schedule lets this thread do what is at `site`. Whether it does: otherwise the schedule is over, or has nothing more
/// for this thread. What is done until [`after`] must not have other events in it that the schedule knows: see [`begin`].
pub(crate) fn before(site: u32) -> bool {
    let Some(gate) = gate() else { return false };
    // Mostly there is nothing to wait for.
    local::here(|here| here.steps_over(site) || gate.begin(here, site))
}

/// The same, and whatever happens until [`after`] is a part of it.
pub(crate) fn begin(site: u32) {
    if let Some(gate) = gate() {
        local::here(|here| {
            gate.begin(here, site);
        });
    }
}

/// What is at `site` has been done.
pub(crate) fn after(site: u32) {
    let Some(gate) = gate() else { return };
    local::here(|here| {
        if here.inside.get() > 0 && here.end() && !gate.is_free() {
            gate.leave(here, site);
        }
    });
}

/// The thread comes to its end.
pub(crate) fn thread_ends() {
    let Some(gate) = gate() else { return };
    local::here(|here| {
        // Decisions that are open are made by this. There may be more of them than one, and some that others have not come to yet.
        if !gate.is_free() {
            gate.enter(here, THREAD_END);
        }
    });
    gate.end.thread_ended(gate);
}

/// Notices the end of threads in a run that is repeated.
static GONE: Farewell = Farewell::new(comes_to_end);

/// A thread begins.
pub(crate) fn thread_begins() {
    if is_repeated() {
        GONE.attach();
    }
}

/// A thread, or the process, comes to its end.
fn comes_to_end() {
    if let Some(gate) = gate() {
        local::here(|here| gate.comes_to_end(here));
    }
}

extern "C" fn process_ends() {
    comes_to_end();
}

impl Gate {
    fn now(&self) -> (u64, u32) {
        let now = self.now.load(Ordering::Acquire);
        (now >> LOW, (now & ((1 << LOW) - 1)) as u32)
    }

    #[cold]
    #[inline(never)]
    fn begin(&'static self, here: &Here, site: u32) -> bool {
        let first = here.begin();
        if self.is_free() {
            return false;
        }
        if !first {
            return true;
        }
        let errno = crate::errno::get();
        let has = self.enter(here, site);
        crate::errno::set(errno);
        has
    }

    /// Waits for the turn of an event; whether the schedule has it. At the end of a thread, waits until nothing depends on where it goes.
    fn enter(&'static self, here: &Here, site: u32) -> bool {
        let me = number();
        if me >= self.plan.threads() {
            return site != THREAD_END && self.left(site, None);
        }
        loop {
            if here.decides.get() != 0 {
                self.decide(here, site);
            }
            if site == THREAD_END && !self.is_to_decide(me) {
                return false;
            }
            if let Some(event) = here.event() {
                if event.site != site {
                    return self.left(site, Some(event.site));
                }
                if !event.after.is_empty() {
                    let alarm = self.alarm(here, event);
                    self.wait_for(&event.after, here.epoch.get(), alarm, &event.habit, &here.place);
                }
                return !self.is_free();
            }
            let (epoch, section) = self.now();
            if epoch > here.epoch.get() {
                self.take_part(here, me, epoch, section, 0);
                continue;
            }
            // All that this thread has to do in the section is done.
            let point = self.plan.point_after(epoch, section);
            if self.is_idle(me, point) {
                self.over.sleep(0, || self.is_free());
                return false;
            }
            let sections = self.plan.sections(point);
            match sections {
                [] => {
                    self.finish_section(here, epoch, section, me);
                    end::reached(self, site);
                    return false;
                }
                // What is waited for there comes after the beginning of that section.
                [only] if self.waits_at_first(*only, me) => self.take_part(here, me, epoch + 1, *only, 0),
                [only] => {
                    self.finish_section(here, epoch, section, me);
                    self.go_on(epoch, section, *only);
                }
                _ if self.plan.leader(point) == me => {
                    self.finish_section(here, epoch, section, me);
                    here.decides.set(point + 1);
                    if let Some(first) = self.plan.first_site(point) {
                        if first != site {
                            return self.left(site, Some(first));
                        }
                        return true;
                    }
                }
                _ => {
                    self.change.wait(0, PATIENCE, || self.now().0 != epoch || self.is_free());
                }
            }
            if self.is_free() {
                return false;
            }
        }
    }

    fn is_free(&self) -> bool {
        self.free.load(Ordering::Relaxed)
    }

    /// From now on nobody waits for anybody.
    fn set_free(&self) {
        self.free.store(true, Ordering::SeqCst);
        self.change.wake();
        self.over.wake();
    }

    /// Whether a thread has nothing to do from a point on, for ever: as the main thread, which waits for threads that never end. It
    /// need not look at what others do. Where rounds are counted, or a run is repeated, all take part.
    fn is_idle(&self, thread: u32, point: u32) -> bool {
        matches!(self.plan.table.goal, Goal::Enforce | Goal::EnforceOrContinue)
            && self.idle[thread as usize].get_or_init(|| self.plan.idle_points(thread))[point as usize]
    }

    /// Whether a thread may have to decide after the section that the program is in.
    fn is_to_decide(&self, thread: u32) -> bool {
        let (epoch, section) = self.now();
        let deciding = self.deciding[thread as usize].get_or_init(|| self.plan.deciding_points(thread));
        deciding[self.plan.point_after(epoch, section) as usize]
    }

    /// This thread is in a section from now on.
    fn take_part(&'static self, here: &Here, me: u32, epoch: u64, section: u32, done: usize) {
        let part = self.plan.part(section, me);
        here.before.set(if epoch == here.epoch.get() + 1 { here.section.get() + 1 } else { 0 });
        here.epoch.set(epoch);
        here.section.set(section);
        here.part.set(Some(part));
        // Within the event that asks.
        here.stash.set(&raw const part.sites[done]);
    }

    /// Whether the first thing that a thread does in a section is to wait for others. If somebody counts rounds, all take part in it.
    fn waits_at_first(&self, section: u32, thread: u32) -> bool {
        let first = self.plan.part(section, thread).events.first();
        first.is_some_and(|event| !event.after.is_empty()) && !matches!(self.plan.table.goal, Goal::Lasso(_))
    }

    /// Decides which section is taken, now that it is known where the thread went.
    fn decide(&'static self, here: &Here, site: u32) {
        let point = here.decides.replace(0) - 1;
        let Some(section) = self.plan.way(point, site) else {
            self.left(site, None);
            return;
        };
        let (epoch, _) = self.now();
        let done = usize::from(self.plan.first_site(point).is_some());
        let me = number();
        self.take_part(here, me, epoch + 1, section, done);
        if done > 0 {
            self.slots[me as usize].say(word(epoch + 1, done as u32));
        }
        self.now.store(word(epoch + 1, section), Ordering::Release);
        self.change.wake();
    }

    /// An event of this thread is done.
    fn leave(&self, here: &Here, site: u32) {
        if here.decides.get() != 0 {
            return;
        }
        match here.event() {
            Some(event) => {
                let next = here.next.get();
                // SAFETY: there is a 0 after the last event.
                here.next.set(unsafe { next.add(1) });
                if event.awaited {
                    let done = word(here.epoch.get(), here.done() as u32);
                    self.slots[number() as usize].say(done);
                }
            }
            // It waited for something after the end, and got it.
            None => end::finished(self, site),
        }
    }

    /// What a thread can sleep for that waits for an event: a thread and what it has to have done.
    fn alarm(&self, here: &Here, event: &Event) -> Option<(u32, u64)> {
        match event.alarm {
            Alarm::None => None,
            Alarm::Here(thread, count) => Some((thread, word(here.epoch.get(), count))),
            Alarm::Before(left) => {
                self.tail(here.epoch.get().checked_sub(1)?, here.before.get().checked_sub(1)?, left)
            }
        }
    }

    /// What is done before the end of a section, with so many hand-overs left.
    fn tail(&self, epoch: u64, section: u32, left: usize) -> Option<(u32, u64)> {
        let (thread, count) = self.plan.tail(section, left)?;
        (epoch > 0).then(|| (thread, word(epoch, count)))
    }

    /// Waits for events of other threads. If there is an alarm, that has happened when they have.
    fn wait_for(
        &self,
        after: &[(u32, u32)],
        epoch: u64,
        alarm: Option<(u32, u64)>,
        habit: &Habit,
        place: &Place,
    ) {
        let done = |&(thread, count): &(u32, u32)| self.slots[thread as usize].has(word(epoch, count));
        if after.iter().all(done) {
            return habit.waited(false);
        }
        let mut patience = if habit.is_patient() { PATIENCE } else { FAR };
        if let Some((thread, wanted)) = alarm
            && habit.is_patient()
        {
            let slot = &self.slots[thread as usize];
            if !slot.has(wanted) {
                slot.sleep(wanted, || slot.has(wanted) || self.is_free());
                patience.gives_way = true;
                if let Some((thread, _)) = after.iter().find(|event| !done(event)) {
                    place.away_from(self.slots[*thread as usize].place());
                }
            }
        }
        let mut long = false;
        for &(thread, count) in after {
            let slot = &self.slots[thread as usize];
            let wanted = word(epoch, count);
            if !slot.has(wanted) {
                long |= slot.wait(wanted, patience, || slot.has(wanted) || self.is_free());
            }
        }
        habit.waited(long);
    }

    /// Whether all events of the last section are done.
    fn is_over(&self) -> bool {
        let (epoch, section) = self.now();
        epoch != 0
            && self.plan.sections(self.plan.point_after(epoch, section)).is_empty()
            && self
                .plan
                .totals(section)
                .iter()
                .all(|&(thread, count)| self.slots[thread as usize].has(word(epoch, count)))
    }

    /// Waits until all events of a section are done.
    fn finish_section(&self, here: &Here, epoch: u64, section: u32, me: u32) {
        if epoch == 0 {
            return;
        }
        let alarm = self.tail(epoch, section, self.plan.left());
        let habit = &self.plan.part(section, me).habit;
        self.wait_for(self.plan.totals(section), epoch, alarm, habit, &here.place);
    }

    /// Enters the only section that can come next, unless somebody else did.
    fn go_on(&self, epoch: u64, section: u32, next: u32) {
        let old = if epoch == 0 { 0 } else { word(epoch, section) };
        let new = word(epoch + 1, next);
        if self.now.compare_exchange(old, new, Ordering::AcqRel, Ordering::Acquire).is_err() {
            return;
        }
        if let Goal::Lasso(rounds) = self.plan.table.goal
            && self.plan.is_loop(next)
            && self.end.round(rounds)
        {
            return end::lasso_repeated(self);
        }
        self.change.wake();
    }

    /// The program does what the schedule does not have.
    fn left(&self, site: u32, expected: Option<u32>) -> bool {
        end::left(self, number(), site, expected);
        false
    }

    fn repeats(&self) -> bool {
        matches!(self.plan.table.goal, Goal::Replay | Goal::Deadlock | Goal::Lasso(_))
    }

    /// A thread, or the process, comes to its end. In a run that is repeated, it has nothing more to do then.
    fn comes_to_end(&self, here: &Here) {
        let me = number();
        let inside = here.inside.get() > 0;
        if !self.repeats() || self.is_free() || inside || me >= self.plan.threads() {
            return;
        }
        let next = match here.event() {
            Some(event) => Some(event.site),
            None => self.plan.next_of(me, self.plan.point_after(here.epoch.get(), here.section.get())),
        };
        if next.is_some() {
            self.left(THREAD_END, next);
        }
    }
}

const _: () = assert!(MOST_THREADS < 1 << 16, "slots are made for each thread");
const _: () = assert!(MOST_EVENTS < 1 << LOW, "sections and their events are counted in the lower bits");
