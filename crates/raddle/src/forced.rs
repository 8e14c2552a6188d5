//! A run forced on the compiled program: the threads do what the witness says, in its order.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use engine::{Cancel, Ending, Finding, Replay, ViolationKind};
use ir::{Op, OpRef};
use report::Left;
use schedule::{
    After, Event, EventEnd, Follower, InstructionKind, Level, Point, ProgramSchedule, Section, Within,
};
use trace::table::{Goal, Inputs, THREAD_END};
use wait_timeout::ChildExt;

use crate::debugger::{crash, debug, debugger};
use crate::failure::Failure;
use crate::load::{Compiled, Loaded};
use crate::observe::CRASHES;
use crate::outside::while_doing;
use crate::run::{exit_code, gated, origins};

/// What came out.
#[derive(Clone, Debug)]
pub(crate) struct Forced {
    /// Whether the compiled program did what the witness says.
    pub(crate) reproduced: bool,
    /// What it did, for people.
    pub(crate) what: String,
    /// Where it left the run, if it did.
    left: Option<Left>,
}

impl Forced {
    pub(crate) fn not(what: impl Into<String>) -> Self {
        Forced { reproduced: false, what: what.into(), left: None }
    }

    pub(crate) fn told(&self) -> report::Compiled<'_> {
        report::Compiled { reproduced: self.reproduced, what: &self.what, left: self.left.as_ref() }
    }
}

/// How a run is forced.
pub(crate) struct Force<'a> {
    /// The files of the program, for messages.
    pub(crate) names: &'a [PathBuf],
    /// What clang is told.
    pub(crate) flags: &'a [String],
    /// What the program is called with, besides its name.
    pub(crate) arguments: &'a [String],
    /// How often a lasso is gone round.
    pub(crate) rounds: u32,
    /// How long the program may take.
    pub(crate) patience: Duration,
    /// When there is no time left for anything, if that is known.
    pub(crate) deadline: Option<Instant>,
    /// Whether it runs under gdb and stops at the end.
    pub(crate) gdb: bool,
    /// Whether nobody wants to hear what the program says.
    pub(crate) silent: bool,
    /// Whether it is shown that the program is being built.
    pub(crate) progress: bool,
    /// What says that it is to be stopped, if something may.
    pub(crate) cancel: Option<&'a Cancel>,
}

/// How often a running program is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(50);

const INTERRUPTED: &str = "it was interrupted";

impl Force<'_> {
    /// Why nothing is to be begun any more, if so.
    pub(crate) fn is_over(&self) -> Option<&'static str> {
        if self.cancel.is_some_and(Cancel::is_cancelled) {
            Some(INTERRUPTED)
        } else if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            Some("no time was left to try it")
        } else {
            None
        }
    }

    /// Builds the program and runs it.
    pub(crate) fn run(
        &self,
        loaded: &Loaded,
        compiled: &Compiled,
        finding: &Finding,
    ) -> Result<Forced, Failure> {
        let replay = finding.replay();
        let origins = origins(compiled);
        let unfinished = unfinished(replay, &Follower::new(&loaded.program, &origins));
        let schedule = schedule(replay, &unfinished, finding.run().lasso_start, &loaded.fingerprint());
        let mut table = match schedule::enforcement(&loaded.program, &schedule, &origins) {
            Ok(table) => table,
            Err(what) => {
                return Ok(Forced::not(format!("it cannot be forced on the compiled program: {what}")));
            }
        };
        table.goal = match finding.kind() {
            ViolationKind::Deadlock => Goal::Deadlock,
            ViolationKind::NonTermination => Goal::Lasso(self.rounds),
            _ => Goal::Replay,
        };
        table.inputs = inputs(loaded, compiled, replay, finding.run().lasso_start);
        let none = BTreeSet::new();
        let build = || gated(loaded, compiled, self.names, self.flags, &mut table, &none, &compiled.inputs);
        let executable = match while_doing("building the program", !self.progress, build) {
            Ok(executable) => executable,
            Err(Failure::Interrupted) => return Ok(Forced::not(INTERRUPTED)),
            Err(Failure::Input(text)) => {
                let first = text.lines().next().unwrap_or_default();
                return Ok(Forced::not(first.trim_start_matches("error: ")));
            }
            Err(failure) => return Err(failure),
        };
        let file = compiled.scratch.path().join("replay.table");
        std::fs::write(&file, table.encode())?;
        let status = compiled.scratch.path().join("status");
        let told = |came| Told {
            loaded,
            compiled,
            finding,
            lines: std::fs::read_to_string(&status).unwrap_or_default(),
            came,
        };
        let mut command = match self.gdb {
            true => debugger(&executable.path, "run < /dev/null", compiled.scratch.path())?,
            false => Command::new(&executable.path),
        };
        command.args(self.arguments).env("RADDLE_SCHEDULE", &file).env("RADDLE_STATUS", &status);
        if self.gdb {
            debug(command)?;
            return Ok(told(Came::Watched).judged());
        }
        command.env("RADDLE_PARENT", std::process::id().to_string());
        says(&mut command, self.silent);
        command.stdin(Stdio::null());
        let mut child = command
            .spawn()
            .map_err(|error| Failure::Input(format!("error: the program cannot be started: {error}")))?;
        let start = Instant::now();
        let mut ended = None;
        while ended.is_none() && start.elapsed() < self.patience && self.is_over().is_none() {
            ended = child.wait_timeout(LOOK_EVERY)?;
        }
        if ended.is_none() {
            child.kill()?;
            child.wait()?;
        }
        // On a terminal, Ctrl-C ends the program, too; that says nothing about it.
        if self.is_over() == Some(INTERRUPTED) {
            return Ok(Forced::not(INTERRUPTED));
        }
        let took = start.elapsed().min(self.patience);
        Ok(told(ended.map_or(Came::Stopped(took), |ended| Came::Ended(exit_code(ended)))).judged())
    }
}

/// What a program says is not what we say.
pub(crate) fn says(command: &mut Command, silent: bool) {
    if silent {
        command.stdout(Stdio::null()).stderr(Stdio::null());
    } else {
        command.stdout(Stdio::from(std::io::stderr()));
    }
}

/// The events of a run with which threads have begun instructions that they are in the middle of when it ends: an access to a lock is
/// checked before the lock is waited for. The compiled program does such an instruction as a whole, so it is not begun there.
fn unfinished(replay: &Replay, follower: &Follower<'_>) -> BTreeSet<usize> {
    let ends: Vec<(usize, OpRef)> = match &replay.ending {
        Ending::Deadlock(blocked) => blocked.iter().map(|blocked| (blocked.thread, blocked.at)).collect(),
        Ending::Race { accesses, .. } => accesses.iter().map(|(thread, at, ..)| (*thread, *at)).collect(),
        _ => Vec::new(),
    };
    let mut unfinished = BTreeSet::new();
    for (thread, end) in ends {
        let mut within = Within::default();
        let mut since: Vec<usize> = Vec::new();
        for (at, event) in replay.events.iter().enumerate().filter(|(_, event)| event.thread == thread) {
            let Some(((first, _), rest)) = event.ops.split_first() else { continue };
            if follower.kind(*first, within) != InstructionKind::Part {
                since.clear();
            }
            since.push(at);
            follower.follow(*first, &mut within);
            follower.executed(*first, &mut within);
            for (op, _) in rest {
                follower.follow(*op, &mut within);
            }
        }
        if follower.kind(end, within) == InstructionKind::Part {
            unfinished.extend(since);
        }
    }
    unfinished
}

/// A run as a schedule: one event after the other, without some.
fn schedule(
    replay: &Replay,
    without: &BTreeSet<usize>,
    lasso_start: Option<usize>,
    fingerprint: &str,
) -> ProgramSchedule {
    let all: Vec<&engine::Event> = replay
        .events
        .iter()
        .enumerate()
        .filter(|(at, _)| !without.contains(at))
        .map(|(_, event)| event)
        .collect();
    let cut = lasso_start.unwrap_or(all.len()).min(all.len());
    let section = |from: usize, to: usize, next: u32| {
        let mut counts: BTreeMap<u32, u32> = BTreeMap::new();
        let mut last: Option<u32> = None;
        let mut events = Vec::new();
        for at in from..to {
            let event = all[at];
            if event.delay {
                continue;
            }
            let thread = u32::try_from(event.thread).unwrap_or(u32::MAX);
            let after = last
                .filter(|last| *last != thread)
                .map(|last| After { thread: last, count: counts.get(&last).copied().unwrap_or(0) });
            // Where it goes next; in a lasso, that may be at its beginning.
            let later = all[at + 1..].iter().chain(&all[cut..]);
            let next = later.clone().find(|other| other.thread == event.thread && !other.delay);
            let end = next
                .and_then(|next| next.ops.first())
                .map_or(EventEnd::Exited, |(op, _)| EventEnd::Before(*op));
            events.push(Event {
                thread,
                ops: event.ops.iter().map(|(op, _)| *op).collect(),
                end,
                after: after.into_iter().collect(),
                omitted: false,
                late: false,
            });
            *counts.entry(thread).or_default() += 1;
            last = Some(thread);
        }
        Point { sections: vec![Section { guard: None, events, next: schedule::PointId::from_u32(next) }] }
    };
    let mut points = vec![section(0, cut, 1)];
    points.push(match lasso_start {
        Some(_) => section(cut, all.len(), 1),
        None => Point::default(),
    });
    ProgramSchedule {
        fingerprint: fingerprint.to_owned(),
        level: Level::Sequential,
        omitted: Vec::new(),
        points: points.into_iter().collect(),
    }
}

/// What the program is told when it asks for arbitrary values, for each thread in order. Those of a lasso come again.
fn inputs(loaded: &Loaded, compiled: &Compiled, replay: &Replay, lasso_start: Option<usize>) -> Vec<Inputs> {
    let mut inputs: Vec<Inputs> = vec![Inputs::default(); replay.threads.len()];
    let mut havocs = replay.inputs.iter();
    let asks = |op: &ir::OpRef| {
        let site = compiled.origins.get(op).map(|origin| origin.site);
        site.filter(|site| compiled.inputs.contains(site))
    };
    let cut = |inputs: &mut Vec<Inputs>| {
        for of in inputs {
            of.again = u32::try_from(of.values.len()).unwrap_or(u32::MAX);
        }
    };
    for (at, event) in replay.events.iter().enumerate() {
        if lasso_start == Some(at) {
            cut(&mut inputs);
        }
        let values = &mut inputs[event.thread].values;
        let mut chosen = None;
        for (at, _) in &event.ops {
            let op = &loaded.program.procs[at.proc].blocks[at.block].stmts[at.index].op;
            match op {
                Op::Havoc { targets } => {
                    for _ in targets.iter().filter(|place| matches!(place.base, ir::PlaceBase::Local(_))) {
                        let input = havocs.next();
                        if let Some(site) = asks(at) {
                            let value = input.and_then(|input| input.value).unwrap_or(0);
                            values.push((site, value.cast_unsigned()));
                        }
                    }
                }
                // One of a few that stand for all: the number is what is assigned next.
                Op::Choose { .. } => chosen = asks(at).or(chosen),
                Op::Assign { values: assigned, .. } => {
                    if let Some(site) = chosen.take() {
                        let number = assigned.first().and_then(|value| literal(&loaded.program, *value));
                        values.push((site, number.unwrap_or(0)));
                    }
                }
                _ => {}
            }
        }
    }
    if lasso_start.is_none() {
        cut(&mut inputs);
    }
    inputs
}

/// The number that an expression is, if it is one.
fn literal(program: &ir::Program, expr: ir::ExprId) -> Option<u64> {
    match program.exprs.node(expr) {
        ir::ExprNode::Bv(_, value) => u64::try_from(value).ok(),
        ir::ExprNode::Bool(value) => Some(u64::from(*value)),
        _ => None,
    }
}

/// What the program said about its run.
struct Told<'a> {
    loaded: &'a Loaded,
    compiled: &'a Compiled,
    finding: &'a Finding,
    lines: String,
    came: Came,
}

/// How a forced program came to its end.
enum Came {
    /// With this exit code.
    Ended(u8),
    /// It was stopped after so long.
    Stopped(Duration),
    /// Under gdb; the user has seen enough.
    Watched,
}

impl Told<'_> {
    /// The numbers after the first line that starts with a word.
    fn numbers(&self, word: &str) -> Option<Vec<u32>> {
        let mut lines = self.lines.lines().map(|line| line.split(' ').collect::<Vec<_>>());
        let words = lines.find(|words| words.first() == Some(&word))?;
        Some(words[1..].iter().filter_map(|word| word.parse().ok()).collect())
    }

    fn judged(&self) -> Forced {
        if let Some(numbers) = self.numbers("left") {
            let number = |at: usize| numbers.get(at).copied().unwrap_or(0);
            return self.left(number(0), number(1), number(2));
        }
        match self.finding.kind() {
            ViolationKind::Deadlock => match self.numbers("blocked") {
                Some(_) => self.reproduced("nobody can go on"),
                None => self.otherwise("somebody could go on"),
            },
            ViolationKind::NonTermination => match self.numbers("lasso") {
                Some(numbers) => {
                    let rounds = numbers.first().copied().unwrap_or(0);
                    self.reproduced(&format!("what is repeated was gone round {rounds} times"))
                }
                None => self.otherwise("it did not go round"),
            },
            ViolationKind::DataRace => self.race(),
            ViolationKind::Atomicity => match self.numbers("done") {
                Some(_) => self.reproduced("the three accesses were made in this order"),
                None => self.otherwise("the accesses were not made"),
            },
            ViolationKind::Assertion if self.numbers("failed").is_some() => {
                self.reproduced("the assertion failed")
            }
            // What only the analysis checks shows in no other way than that the run came to its end.
            ViolationKind::Assertion | ViolationKind::Memory => {
                let last = self.finding.replay().events.last().map_or(0, |event| event.thread);
                let signal = match self.came {
                    Came::Ended(code) => code.checked_sub(128).map(u32::from),
                    Came::Stopped(_) => None,
                    Came::Watched => crash(&self.lines),
                };
                let crashed = signal.is_some_and(|signal| CRASHES.contains(&signal));
                let parked = self.parked().iter().any(|(thread, _)| *thread as usize == last);
                // Who has ended after its last step has made it, too.
                let came = parked || self.numbers("done").is_some();
                match (self.finding.kind(), crashed, came) {
                    (_, true, _) => self.reproduced("the program crashed"),
                    (ViolationKind::Memory, false, true) => {
                        self.reproduced("the accesses were made in this order; the program did not crash")
                    }
                    (ViolationKind::Memory, ..) => self.otherwise("the access was not made"),
                    (_, false, true) if self.is_misuse() => self.reproduced(
                        "the run came to this, and the library of C does not say that it is wrong",
                    ),
                    _ => self.otherwise("the assertion did not fail"),
                }
            }
        }
    }

    /// Whether what failed is an operation on a lock or the like that may not be done in its state.
    fn is_misuse(&self) -> bool {
        let Ending::Failed { at, .. } = &self.finding.replay().ending else { return false };
        let op = &self.loaded.program.procs[at.proc].blocks[at.block].stmts[at.index].op;
        matches!(op, Op::Sync(_))
    }

    /// Threads that wait at the end, and where.
    fn parked(&self) -> Vec<(u32, u32)> {
        let lines = self.lines.lines().filter_map(|line| line.strip_prefix("parked "));
        lines
            .filter_map(|line| {
                let (thread, site) = line.split_once(' ')?;
                Some((thread.parse().ok()?, site.parse().ok()?))
            })
            .collect()
    }

    fn race(&self) -> Forced {
        let Ending::Race { accesses, .. } = &self.finding.replay().ending else {
            return self.otherwise("the accesses are not known");
        };
        let parked = self.parked();
        let both = accesses.iter().all(|(thread, op, _, _)| {
            let site = self.compiled.origins.get(op).map(|origin| origin.site);
            parked.iter().any(|(other, at)| *other as usize == *thread && Some(*at) == site)
        });
        if both {
            self.reproduced("both threads are at their accesses at the same time")
        } else {
            self.otherwise("the threads did not come to their accesses")
        }
    }

    fn reproduced(&self, what: &str) -> Forced {
        Forced { reproduced: true, what: what.to_owned(), left: None }
    }

    fn otherwise(&self, what: &str) -> Forced {
        Forced::not(match self.came {
            Came::Stopped(took) => format!("the program was stopped after {} s", took.as_secs()),
            Came::Ended(code) => format!("{what}; the program ended with exit code {code}"),
            Came::Watched => format!("{what} before gdb was left"),
        })
    }

    /// A thread is at a site, and the run has it at another one; 0 is none.
    fn left(&self, thread: u32, site: u32, expected: u32) -> Forced {
        let names = &self.finding.replay().threads;
        let name = names.get(thread as usize).cloned();
        let left = Left {
            thread: name.unwrap_or_else(|| format!("thread {thread}")),
            at: (site != THREAD_END).then(|| self.place(site)),
            expected: (expected != 0).then(|| self.place(expected)),
        };
        let at = left.at.as_deref().unwrap_or("its end");
        let instead = match &left.expected {
            Some(expected) if expected == at => "in the witness it does something else there".to_owned(),
            Some(expected) => format!("in the witness it is at {expected} then"),
            None => "the witness does not have it there".to_owned(),
        };
        let what = format!("`{}` left the run at {at}: {instead}", left.thread);
        Forced { reproduced: false, what, left: Some(left) }
    }

    fn place(&self, site: u32) -> String {
        let op =
            self.compiled.origins.iter().filter(|(_, origin)| origin.site == site).map(|(op, _)| *op).min();
        let span = op.map(|op| self.loaded.program.procs[op.proc].blocks[op.block].stmts[op.index].span);
        match span.and_then(|span| engine::location_of(&self.loaded.map, span)) {
            Some(place) => format!("{}:{}:{}", place.file, place.line, place.column),
            None => "a place that is not known".to_owned(),
        }
    }
}
