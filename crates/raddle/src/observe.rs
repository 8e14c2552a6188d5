//! From a recorded run of a compiled program to a run of the analysed one.
//!
//! The interpreter runs the program again, and a guide lets threads step in the order of the trace: for each event that others can
//! see, the thread steps until it has executed the instruction of the event. Results of what the analysis does not know
//! are those that were recorded. What comes out is a run of the interpreter like any other: if it is not the one that was recorded,
//! since something could not be followed, it is a run of the program nevertheless.

mod once;
mod wakes;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io::{Read, Seek};
use std::path::{Path, PathBuf};

use interp::{Config, Guide, Turn, Unknown};
use ir::{AssertKind, Op, OpRef, Program, SyncKind, Type};
use schedule::{Follower, InstructionKind, Origins, Within};
use trace::{Event, Reader, Record};

use self::once::Once;
use self::wakes::Wakes;
use crate::failure::Failure;
use crate::record::MODULE;

/// The modules that a trace carries, written to a folder, with their fingerprints and how many sites come before; nothing if the
/// file is no trace.
pub(crate) fn carried(file: &Path, folder: &Path) -> Result<Option<Carried>, Failure> {
    let Ok(mut reader) = Reader::open(file) else { return Ok(None) };
    let arguments = reader.header().command.iter().skip(1).cloned().collect();
    let mut carried = Carried { arguments, ..Carried::default() };
    let mut base = 0;
    let mut found = Vec::new();
    for record in reader.by_ref() {
        match record {
            Ok(Record { event: Event::Module(module), .. }) => found.push(module),
            Ok(_) => {}
            // What is there is used.
            Err(_) => break,
        }
    }
    for module in found {
        let hash: String = module.hash.iter().map(|byte| format!("{byte:02x}")).collect();
        let section = reader.section(&format!("{MODULE}{hash}")).ok().flatten();
        let Some(section) = section else {
            return Err(Failure::Input(format!(
                "error: `{}` does not have the module of `{}`\nhelp: record the run with `raddle record`, and build with `raddle cc`",
                file.display(),
                module.name
            )));
        };
        let path = folder.join(format!("carried{}.bc", carried.files.len()));
        std::fs::write(&path, &section.bytes)?;
        carried.files.push(path);
        carried.bases.insert(module.hash, base);
        base += module.sites;
    }
    Ok(Some(carried))
}

/// The modules of a trace.
#[derive(Debug, Default)]
pub(crate) struct Carried {
    pub(crate) files: Vec<PathBuf>,
    pub(crate) bases: BTreeMap<[u8; 32], u32>,
    /// What the program was called with, besides its name.
    pub(crate) arguments: Vec<String>,
}

/// What is said about a run that is longer than asked for.
pub(crate) const TOO_LONG: &str =
    "the run is longer than --max-steps allows: only its beginning was looked at";

/// What a thread did, as far as others can see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Seen {
    thread: u32,
    what: What,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    /// It executed an instruction; with what it read, if that is known.
    At(u32, Option<u64>),
    /// It wrote memory: perhaps an object of synchronization, which is no memory here.
    Write(u32),
    /// It may have: the end of a function that is called once is only there if it was called.
    Perhaps(u32),
    /// It called something that may have no step in the analysed program, such as a copy of nothing.
    Call(u32),
    /// It ended.
    End,
}

/// What came of a call, or an arbitrary value.
#[derive(Clone, Copy, Debug, Default)]
struct Returned {
    value: u64,
    /// Which of all that library functions wrote it wrote.
    wrote: Option<usize>,
}

impl From<u64> for Returned {
    fn from(value: u64) -> Self {
        Returned { value, wrote: None }
    }
}

/// A recorded run, as far as the analysis wants to know it.
#[derive(Debug, Default)]
pub(crate) struct Observed {
    order: Vec<Seen>,
    /// For each thread and site, the results of calls and arbitrary values, in order.
    results: BTreeMap<(u32, u32), VecDeque<Returned>>,
    /// What library functions wrote, call by call.
    written: Vec<VecDeque<u8>>,
    /// Which signals woke whom.
    wakes: Wakes,
    /// The thread whose assertion failed, or that crashed, if one did.
    failed: Option<u32>,
    /// The signal that ended the run.
    pub(crate) signal: Option<u32>,
    /// Whether the program ended itself by `abort`.
    aborted: bool,
    /// How many events there were in all.
    pub(crate) events: u64,
    /// What cannot be told of the run.
    pub(crate) notes: Vec<String>,
}

impl Observed {
    /// Reads a trace, up to the event that is one too many of those that others can see.
    pub(crate) fn read<R: Read + Seek>(
        reader: &mut Reader<R>,
        bases: &BTreeMap<[u8; 32], u32>,
        is_visible: &dyn Fn(u32) -> bool,
        most: usize,
    ) -> Observed {
        let mut observed = Observed::default();
        if let trace::Ending::Signal(number) = reader.header().ending {
            observed.signal = Some(number);
        }
        let mut modules: Vec<(u32, u32, Option<u32>)> = Vec::new();
        // Of each thread, the sections that it is in: whether they are indivisible, or only marked.
        let mut sections: BTreeMap<u32, Vec<bool>> = BTreeMap::new();
        let mut once = Once::default();
        for record in reader.by_ref() {
            let record = match record {
                Ok(record) => record,
                Err(error) => {
                    observed.notes.push(format!("the trace ends early: {error}"));
                    break;
                }
            };
            observed.events += 1;
            let thread = record.thread;
            if let Event::Module(module) = &record.event {
                modules.push((module.base, module.sites, bases.get(&module.hash).copied()));
                continue;
            }
            let number = |site: u32| {
                let known = modules.iter().find(|(base, sites, _)| site > *base && site <= base + sites);
                known.and_then(|(base, _, own)| own.map(|own| site - base + own)).unwrap_or(0)
            };
            match record.event {
                Event::Nondet { site, value } | Event::Back { site, result: value } => {
                    observed.results.entry((thread, number(site))).or_default().push_back(value.into());
                }
                Event::Sync { site, result, .. } => {
                    let results = observed.results.entry((thread, number(site))).or_default();
                    results.push_back(result.cast_unsigned().into());
                }
                Event::Input { site, ref bytes, .. } => {
                    let results = observed.results.get_mut(&(thread, number(site)));
                    if let Some(returned) = results.and_then(VecDeque::back_mut) {
                        let at = *returned.wrote.get_or_insert(observed.written.len());
                        if at == observed.written.len() {
                            observed.written.push(VecDeque::new());
                        }
                        observed.written[at].extend(bytes);
                    }
                }
                Event::Lost { events } => observed.notes.push(format!("{events} events were not recorded")),
                Event::Failed { .. } => observed.failed = Some(thread),
                Event::Abort { .. } => observed.aborted = true,
                Event::Signal { number } if CRASHES.contains(&number) && !observed.aborted => {
                    observed.failed.get_or_insert(thread);
                }
                _ => {}
            }
            let inside = sections.get(&thread).is_some_and(|sections| sections.contains(&true));
            let wanted = |what: &What| match *what {
                What::At(site, _) | What::Write(site) | What::Perhaps(site) | What::Call(site) => {
                    site != 0 && is_visible(site)
                }
                What::End => true,
            };
            let before = once.before(thread, &record.event).into_iter().filter(|(_, what)| wanted(what));
            observed.order.extend(before.map(|(thread, what)| Seen { thread, what }));
            let what = once.own(thread, &record.event, what(&record.event, &number));
            if let Some(what) = what.filter(|what| !inside && wanted(what)) {
                if observed.order.len() >= most {
                    observed.notes.push(TOO_LONG.to_owned());
                    break;
                }
                observed.wakes.note(thread, &record.event, observed.order.len());
                observed.order.push(Seen { thread, what });
            }
            match record.event {
                Event::AtomicBegin { site } => {
                    sections.entry(thread).or_default().push(is_visible(number(site)));
                }
                Event::AtomicEnd { .. } => {
                    sections.entry(thread).or_default().pop();
                }
                _ => {}
            }
        }
        observed.wakes.end();
        observed
    }

    /// Whether a wait for a condition variable ended though nobody had signalled it.
    pub(crate) fn has_spurious_wakeups(&self) -> bool {
        self.wakes.has_spurious()
    }

    /// Lets the interpreter run the program in the order of the trace, as far as that works; with what did not, and where the thread was
    /// that ran last. Ops that are `guessed` may have done more than is known.
    pub(crate) fn follow(
        self,
        program: &Program,
        config: &Config,
        origins: &Origins<'_>,
        guessed: &BTreeSet<OpRef>,
    ) -> (interp::Run, Option<(String, Option<OpRef>)>) {
        let expanded = ir::expand(program);
        let back = |op: OpRef| expanded.back.get(op);
        let mut ahead = BTreeMap::new();
        for Seen { thread, what } in &self.order {
            if let What::At(site, _) | What::Write(site) | What::Perhaps(site) | What::Call(site) = what {
                *ahead.entry((*thread, *site)).or_default() += 1;
            }
        }
        // Not always is it known which thread crashed. To call `abort` is no crash.
        let has_crashed = self.signal.is_some_and(|signal| CRASHES.contains(&signal)) && !self.aborted;
        let has_failed = has_crashed || self.failed.is_some();
        let mut guide = Following {
            ahead,
            passed: 0,
            program,
            back: &back,
            origins,
            follower: Follower::new(program, origins),
            order: self.order,
            next: 0,
            results: self.results,
            written: self.written,
            inputs: BTreeMap::new(),
            wakes: self.wakes,
            failed: self.failed,
            guessed,
            is_guessed: false,
            turns: 0,
            alone_since: None,
            fails: false,
            expanded: &expanded.program,
            slots: Vec::new(),
            threads: Vec::new(),
            running: None,
            read: None,
            arbitrary: BTreeMap::new(),
            patience: 0,
            begun: None,
            stopped: None,
        };
        let (mut run, error) = interp::guided_as_far_as_possible(program, config, &mut guide);
        let mut stopped = guide.stopped.take().or_else(|| error.map(|error| error.to_string()));
        if has_failed && !guide.fails {
            // Nobody knows what the thread did that was alone in the end.
            run.steps.truncate(guide.alone_since.unwrap_or(usize::MAX));
            stopped = stopped.or_else(|| {
                Some(match self.signal {
                    Some(signal) => format!(
                        "signal {signal} ended the program, and nothing is wrong there in the analysis"
                    ),
                    None => {
                        "an assertion failed in the program, and does not fail in the analysis".to_owned()
                    }
                })
            });
        }
        let at = guide.running.and_then(|running| guide.threads[running].next).map(|(_, op)| op);
        (run, stopped.map(|why| (why, at)))
    }
}

/// What an event means for the order of visible steps.
fn what(event: &Event, number: &dyn Fn(u32) -> u32) -> Option<What> {
    use trace::Op as Sync;
    Some(match *event {
        Event::Read { site, value, .. } | Event::Update { site, old: value, .. } => {
            What::At(number(site), Some(value))
        }
        Event::Sync { site, op: Sync::Once, .. } => What::Perhaps(number(site)),
        // How often a future looks until it goes on may differ.
        Event::Sync { site, op: Sync::FutexWait, .. } => What::Call(number(site)),
        // Waits for these take two steps. Of others, waiting is nothing that others see.
        Event::Waits {
            site,
            op: Sync::CondWait | Sync::CondTimedWait | Sync::BarrierWait | Sync::Once,
            ..
        }
        | Event::Sync { site, .. }
        | Event::Create { site, result: 0, .. }
        | Event::Alloc { site, .. }
        | Event::Free { site, .. }
        | Event::AtomicBegin { site } => What::At(number(site), None),
        Event::Write { site, .. } => What::Write(number(site)),
        Event::Copy { site, .. } | Event::Fill { site, .. } | Event::Back { site, .. } => {
            What::Call(number(site))
        }
        Event::End => What::End,
        _ => return None,
    })
}

/// A thread that does not come to its event within so many steps will not.
const PATIENCE: u32 = 100_000;

/// Signals by which a program says itself that something is wrong. Others come from outside.
pub(crate) const CRASHES: [u32; 6] = [4, 5, 6, 7, 8, 11];

/// No more entries in a row than this can be no steps here.
const MOST_PASSED: usize = 16;

/// A thread of the interpreter.
#[derive(Clone, Copy, Default)]
struct Thread {
    /// Which of the trace it is.
    number: u32,
    /// The instruction that it is in.
    within: Within,
    /// What it does next, and with which op.
    next: Option<(InstructionKind, OpRef)>,
}

struct Following<'a> {
    program: &'a Program,
    expanded: &'a Program,
    back: &'a dyn Fn(OpRef) -> Option<OpRef>,
    origins: &'a Origins<'a>,
    follower: Follower<'a>,
    order: Vec<Seen>,
    next: usize,
    /// How many entries in a row were no steps here.
    passed: usize,
    /// How often each thread is still going to execute what.
    ahead: BTreeMap<(u32, u32), usize>,
    results: BTreeMap<(u32, u32), VecDeque<Returned>>,
    written: Vec<VecDeque<u8>>,
    /// For each thread of the interpreter, what a library function wrote in the run and the thread has not stored yet.
    inputs: BTreeMap<usize, VecDeque<u8>>,
    wakes: Wakes,
    /// The thread that goes wrong in the end.
    failed: Option<u32>,
    guessed: &'a BTreeSet<OpRef>,
    /// Whether such an op was executed.
    is_guessed: bool,
    /// How often somebody had the turn.
    turns: usize,
    /// When all that others see had happened, and only the thread that goes wrong went on.
    alone_since: Option<usize>,
    /// Whether an assertion failed, which ended the run.
    fails: bool,
    /// For each thread of the trace, where it is in the interpreter; threads that completed have none.
    slots: Vec<Option<usize>>,
    /// The threads of the interpreter.
    threads: Vec<Thread>,
    /// Who ran last.
    running: Option<usize>,
    /// What the instruction that is being executed read.
    read: Option<u64>,
    /// Values of local variables that nobody has looked at yet.
    arbitrary: BTreeMap<(usize, ir::ProcId, ir::LocalId), u64>,
    patience: u32,
    /// The op that was begun last in the present step.
    begun: Option<(usize, OpRef)>,
    stopped: Option<String>,
}

impl Following<'_> {
    fn stop(&mut self, why: String) -> Turn {
        self.stopped = Some(why);
        Turn::End
    }

    /// All that others see has happened. If an assertion failed after that, its thread comes to it on its own.
    fn failure(&mut self) -> Turn {
        self.alone_since.get_or_insert(self.turns);
        let failed = self.failed.and_then(|thread| self.slots.get(thread as usize).copied().flatten());
        match failed {
            Some(slot) if self.patience < PATIENCE => Turn::Run(slot),
            _ => Turn::End,
        }
    }

    /// The next entry is done with.
    fn pass(&mut self) {
        if let Some(Seen { thread, what }) = self.order.get(self.next)
            && let What::At(site, _) | What::Write(site) | What::Perhaps(site) | What::Call(site) = what
            && let Some(left) = self.ahead.get_mut(&(*thread, *site))
        {
            *left -= 1;
            if *left == 0 {
                self.ahead.remove(&(*thread, *site));
            }
        }
        self.next += 1;
    }

    /// Whether a thread that goes wrong has done all that others see: it does so in the step from there, or in one that nobody sees.
    fn is_at_failure(&self, thread: u32) -> bool {
        self.failed == Some(thread)
            && self.order[self.next..].iter().all(|seen| seen.thread != thread || seen.what == What::End)
    }

    fn next_turn(&mut self) -> Turn {
        self.patience += 1;
        // An instruction that was begun is finished first.
        if let Some(running) = self.running
            && self.threads[running].next.is_some_and(|(kind, _)| kind == InstructionKind::Part)
        {
            return Turn::Run(running);
        }
        loop {
            let Some(&Seen { thread, what }) = self.order.get(self.next) else { return self.failure() };
            let slot = self.slots.get(thread as usize).copied();
            let Some(slot) = slot else {
                return self.stop(format!("thread {thread} was not started"));
            };
            let (Some(slot), true) = (slot, self.patience < PATIENCE) else {
                // What runs after `main` has returned, such as destructors of globals, is not in the analysed program.
                let is_after_main = thread == 0 && slot.is_none();
                if matches!(what, What::End | What::Perhaps(_) | What::Call(_)) || is_after_main {
                    self.pass();
                    self.patience = 0;
                    continue;
                }
                return self.stop(format!("thread {thread} did not come to its next event"));
            };
            let kind = self.threads[slot].next.map(|(kind, _)| kind);
            let here = match what {
                What::At(site, _) | What::Write(site) | What::Perhaps(site) | What::Call(site) => {
                    kind == Some(InstructionKind::Instruction(site))
                }
                What::End => false,
            };
            // Who comes to something that it did later has passed this. A call may have no step here, and what is written into an object of
            // synchronization; everything else has one.
            let is_later = matches!(kind, Some(InstructionKind::Instruction(site)) if self.ahead.contains_key(&(thread, site)));
            match what {
                What::Perhaps(_) if !here => {
                    self.pass();
                    continue;
                }
                What::Call(_) | What::Write(_) if !here && is_later && self.passed < MOST_PASSED => {
                    self.passed += 1;
                    self.pass();
                    continue;
                }
                What::At(..) | What::Call(_) | What::Write(_) if !here && is_later => {
                    return self.stop(format!("thread {thread} does something else than in the run"));
                }
                _ => {}
            }
            self.running = Some(slot);
            if !here {
                return Turn::Run(slot);
            }
            self.read = if let What::At(_, read) = what { read } else { None };
            self.pass();
            self.patience = 0;
            self.passed = 0;
            return Turn::Run(slot);
        }
    }
}

impl Guide for Following<'_> {
    fn started(&mut self, thread: usize, _: Option<usize>) -> Result<(), String> {
        if self.threads.len() <= thread {
            self.threads.resize(thread + 1, Thread::default());
        }
        let number = u32::try_from(self.slots.len()).unwrap_or(u32::MAX);
        self.slots.push(Some(thread));
        self.threads[thread] = Thread { number, ..Thread::default() };
        Ok(())
    }

    fn turn(&mut self) -> Result<Turn, String> {
        let turn = self.next_turn();
        self.turns += 1;
        Ok(turn)
    }

    fn fails(&mut self, thread: usize, kind: AssertKind) -> bool {
        // Accesses that are not valid need not be noticed in the run.
        let is_silent = kind == AssertKind::Memory && !self.is_guessed;
        self.fails = is_silent || self.is_at_failure(self.threads[thread].number);
        self.fails
    }

    fn delays(&mut self, _: usize, _: bool) -> Result<bool, String> {
        Ok(false)
    }

    fn begins(&mut self, thread: usize, op: OpRef) -> Result<(), String> {
        let Some(op) = (self.back)(op) else { return Ok(()) };
        self.is_guessed |= self.guessed.contains(&op);
        let number = self.threads[thread].number;
        let within = &mut self.threads[thread].within;
        let again = self.begun == Some((thread, op));
        // What one op has become is begun one after the other.
        if !again {
            self.follower.follow(op, within);
            self.follower.executed(op, within);
        }
        self.begun = Some((thread, op));
        // What is arbitrary in the program had a value in the run.
        if let Op::Havoc { targets } | Op::Opaque { targets, .. } =
            &self.program.procs[op.proc].blocks[op.block].stmts[op.index].op
            && let Some(site) = (self.origins)(op).map(|origin| origin.site)
        {
            let locals = || {
                targets.iter().filter_map(|target| match target.base {
                    ir::PlaceBase::Local(local) => Some(local),
                    ir::PlaceBase::Global(_) => None,
                })
            };
            let declared = &self.program.procs[op.proc].locals;
            if let Some(local) = locals().next()
                && declared[local].name.starts_with(llvm::INPUT)
            {
                let value = self.input(thread, &declared[local].ty)?;
                self.arbitrary.insert((thread, op.proc, local), value);
                return Ok(());
            }
            let Returned { value, wrote } =
                self.results.get_mut(&(number, site)).and_then(VecDeque::pop_front).unwrap_or_default();
            self.inputs
                .insert(thread, wrote.map(|at| std::mem::take(&mut self.written[at])).unwrap_or_default());
            for local in locals() {
                self.arbitrary.insert((thread, op.proc, local), value);
            }
        }
        Ok(())
    }

    fn stops(&mut self, _: usize, _: bool) {
        self.begun = None;
    }

    fn stands(&mut self, thread: usize, at: Option<OpRef>) {
        let Thread { number, within, .. } = self.threads[thread];
        if at.is_none()
            && let Some(slot) = self.slots.get_mut(number as usize)
        {
            *slot = None;
        }
        let op = at.and_then(|op| (self.back)(op));
        self.threads[thread].next = op.map(|op| (self.follower.kind(op, within), op));
    }

    fn choose(&mut self, thread: usize, what: Unknown<'_>) -> Result<i64, String> {
        let is_timed_wait = self.begun.is_some_and(|(of, at)| {
            let stmt = &self.program.procs[at.proc].blocks[at.block].stmts[at.index];
            of == thread && matches!(&stmt.op, Op::Sync(sync) if sync.kind == SyncKind::CondTimedWait)
        });
        let (value, ty) = match what {
            // Whether the wait is over without a signal.
            Unknown::Local(..) if is_timed_wait => {
                let end = self.next.checked_sub(1);
                return Ok(i64::from(end.is_some_and(|end| self.wakes.is_unsignalled(end))));
            }
            Unknown::Local(local, _) => {
                let mut known = self.arbitrary.keys().filter(|(slot, _, id)| *slot == thread && *id == local);
                let key = known.next_back().copied();
                let value = key.and_then(|key| self.arbitrary.remove(&key));
                let proc =
                    key.map_or_else(|| self.threads[thread].next.map(|(_, op)| op.proc), |key| Some(key.1));
                let ty =
                    proc.and_then(|proc| self.program.procs[proc].locals.get(local)).map(|local| &local.ty);
                (value, ty)
            }
            Unknown::Global(global, _) => (self.read, Some(&self.expanded.globals[global].ty)),
            Unknown::Handle(_) => return Ok(self.woken(thread)),
            _ => (None, None),
        };
        Ok(fitted(value.unwrap_or(0), ty))
    }
}

impl Following<'_> {
    /// The next bytes that a library function wrote in the run, as many as a value of the type has.
    fn input(&mut self, thread: usize, ty: &Type) -> Result<u64, String> {
        let bytes = if let Type::Bv(width) = ty { *width as usize / 8 } else { 1 };
        let left = self.inputs.entry(thread).or_default();
        if left.len() < bytes {
            return Err("what a library function wrote is not in the trace".to_owned());
        }
        Ok(left.drain(..bytes).take(8).enumerate().map(|(at, byte)| u64::from(byte) << (8 * at)).sum())
    }

    /// The handle of the thread that a signal wakes: the one that it woke in the trace. If it woke nobody, that is anybody.
    fn woken(&self, thread: usize) -> i64 {
        let woken = self.next.checked_sub(1).and_then(|signal| self.wakes.by(signal));
        let slot = woken.and_then(|woken| self.slots.get(woken as usize).copied().flatten());
        i64::try_from(slot.unwrap_or(thread) + 1).unwrap_or(1)
    }
}

/// A recorded value as one of a type.
fn fitted(value: u64, ty: Option<&Type>) -> i64 {
    let mut ty = ty;
    while let Some(map) = ty.and_then(Type::as_map) {
        ty = Some(&map.result);
    }
    let value = match ty {
        Some(Type::Bool) => value & 1,
        Some(Type::Bv(width)) if *width < 64 => value & ((1 << width) - 1),
        _ => value,
    };
    value.cast_signed()
}
