//! From a program and a run to what other orders of its events violate.

use std::collections::BTreeSet;
use std::ops::Range;

use engine::{Claim, CutAt, Reason, ViolationKind, confirm};
use interp::{Config, Cut, Ending, Fairness, Outline, Run};
use ir::{GlobalId, MutexKind, Op, OpRef, PlaceBase, ProcId, Program, SyncKind, SyncType};
use rustc_hash::FxHashSet;
use smt::{Limits, Solver};

use crate::atomicity::kind_of;
use crate::ctp::{Block, Ctp};
use crate::deadlock::may_deadlock;
use crate::encode::{Encoding, Undecided};
use crate::enumerate::{GivenUp, enumerate, size_of_formula};
use crate::execute::{Executor, Stuck, Subject};
use crate::lockset::Locksets;
use crate::outcome::{Figures, Found, Outcome, Potential};
use crate::pattern::{Triple, triples};
use crate::pins::Pins;
use crate::race::racing_pairs;
use crate::range;
use crate::record::{Recording, record};
use crate::search::Search;
use crate::transaction::{is_explicit, transactions};
use crate::window::{Window, build, prepare, read_for_indices, skeleton};

/// How many states may be listed, as a multiple of how large formulas would be, and at least.
const STATES_PER_SIZE: usize = 40;
const LEAST_STATES: usize = 4000;

/// How much work a question may be, when it is asked first, and when again.
const EFFORTS: &[Option<u32>] = &[Some(300_000), Some(3_000_000), Some(30_000_000), None];

/// With larger formulas than this, indices depend on nothing that can change.
const TOO_LARGE: usize = 200_000;

/// How potential violations of atomicity are decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// By the formula: exactly.
    Symbolic,
    /// By what must happen before what, and by locks: some of them may not be real.
    Lockset,
}

/// How to predict.
#[derive(Clone, Debug)]
pub struct Options {
    /// How potential violations are decided.
    pub method: Method,
    /// Procedures whose bodies are transactions.
    pub atomic: Vec<ProcId>,
    /// How many steps are looked at together; half of them again in the next window.
    pub window: usize,
    /// How large formulas have to be for the states of a window to be listed first: what none of them shows is not asked.
    pub list_from: usize,
    /// No more states than this are listed.
    pub most_states: usize,
    /// Whether the program is run on where a thread can take another way than in the run.
    pub goes_on: bool,
    /// The ops whose results are known from a recorded run only: the program is not run on beyond them.
    pub recorded: BTreeSet<OpRef>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            method: Method::Symbolic,
            atomic: Vec::new(),
            window: 1000,
            list_from: 100,
            most_states: 50_000,
            goes_on: true,
            recorded: BTreeSet::new(),
        }
    }
}

/// Why there is no answer at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The program has no such run.
    Run(String),
    /// Formulas cannot express the program's initial state.
    Unsupported(String),
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Error::Run(why) => f.write_str(why),
            Error::Unsupported(why) => write!(f, "formulas cannot express this program: {why}"),
        }
    }
}

impl std::error::Error for Error {}

/// The program in which what is known only from a recorded run has arbitrary results, with the ops of which that is so: the choices of
/// the run have the observed ones. Ops keep their places.
#[must_use]
pub fn observed(program: &Program) -> (Program, BTreeSet<OpRef>) {
    let mut program = program.clone();
    let mut recorded = BTreeSet::new();
    for (proc, body) in &mut program.procs {
        for (block, body) in &mut body.blocks {
            for (index, stmt) in body.stmts.iter_mut().enumerate() {
                if let Op::Opaque { targets, .. } = &mut stmt.op {
                    stmt.op = Op::Havoc { targets: std::mem::take(targets) };
                    recorded.insert(OpRef { proc, block, index });
                }
            }
        }
    }
    (program, recorded)
}

/// Looks for violations in other orders of the events of a run. `watch` is asked before each question to the solver what
/// that may use, with how many windows are done and how many there are; nothing means to stop.
///
/// # Errors
/// When the program has no such run, or formulas cannot express it at all.
pub fn predict(
    program: &Program,
    config: &Config,
    run: &Run,
    options: &Options,
    solver: &mut dyn Solver,
    watch: &mut dyn FnMut(usize, usize) -> Option<Limits>,
) -> Result<Outcome, Error> {
    // All that it says of the steps of a long run is large, and is not kept.
    let ends = interp::replay(program, config, run).map_err(|error| Error::Run(error.to_string()))?.ending;
    let expanded = ir::expand(program);
    let failed = matches!(ends, Ending::Failed { .. });
    let steps = run.steps.len() - usize::from(failed);
    let recording = record(program, &expanded.program, config, run, steps)
        .map_err(|error| Error::Run(error.to_string()))?;
    let mut found = Found::default();
    let beyond = match &ends {
        Ending::Failed { kind: ViolationKind::Memory, message, at, span } if !config.checks.memory => {
            let cut = Cut::Undefined(message.clone());
            Some(Reason::Cut(vec![CutAt { cut, at: Some(*at), span: *span }]))
        }
        _ => None,
    };
    let own = match &ends {
        Ending::Failed { kind, .. } => {
            let asked = match kind {
                ViolationKind::Memory => config.checks.memory,
                _ => config.checks.assertions,
            };
            asked.then_some(*kind)
        }
        Ending::Deadlock(_) => config.checks.deadlocks.then_some(ViolationKind::Deadlock),
        _ => None,
    };
    if let Some(kind) = own
        && let Ok(finding) = confirm(program, config, run, Claim { kind, fairness: Fairness::None, at: None })
    {
        found.failing.extend(
            matches!(kind, ViolationKind::Assertion | ViolationKind::Memory).then_some(finding.access().at),
        );
        found.add(finding);
        found.is_own = true;
    }
    let mut facts = Facts::new(program, &expanded, options);
    loop {
        let mut session = Session {
            program,
            config,
            options,
            recording: &recording,
            outline: Outline::new(&expanded.program, config.switch_at),
            explicit: is_explicit(program, &facts.named),
            found: Found {
                findings: found.findings.clone(),
                is_own: found.is_own,
                failing: found.failing.clone(),
                ..Found::default()
            },
            figures: Figures { threads: recording.threads, ..Figures::default() },
            potential: Vec::new(),
            blocks: Vec::new(),
            notes: own.map(ending).into_iter().collect(),
            stuck: beyond.clone(),
            several: recording.steps.len() > options.window,
            lists: true,
        };
        session.figures.ops = recording.steps.iter().map(|step| step.ops.len()).sum();
        session.figures.events = recording.steps.len();
        match session.run(&expanded, &facts, solver, watch) {
            Ok(()) => return Ok(session.outcome()),
            Err(Ended::Error(error)) => return Err(error),
            // Some mutexes are not what they seemed: once more without that.
            Err(Ended::Again(symbolic)) => facts.owners.retain(|owner| !symbolic.contains(owner)),
        }
    }
}

/// How a run ends that goes wrong itself, for people.
fn ending(kind: ViolationKind) -> String {
    match kind {
        ViolationKind::Deadlock => "the run itself ends in a deadlock",
        _ => "the run itself ends where a check fails",
    }
    .to_owned()
}

/// What the passes need to know of a program.
struct Facts {
    whole: FxHashSet<GlobalId>,
    components: FxHashSet<GlobalId>,
    owners: FxHashSet<GlobalId>,
    named: FxHashSet<ProcId>,
}

impl Facts {
    fn new(program: &Program, expanded: &ir::Expanded, options: &Options) -> Self {
        let mut owners: FxHashSet<GlobalId> = program
            .globals
            .iter()
            .filter_map(|(id, global)| {
                (global.ty.sync_inside() == Some(&SyncType::Mutex(MutexKind::Plain))).then_some(id)
            })
            .collect();
        for proc in program.procs.values() {
            for (_, _, stmt) in proc.stmts() {
                if let Op::Sync(sync) = &stmt.op
                    && let PlaceBase::Global(object) = sync.object.base
                    && sync.kind == SyncKind::TryAcquire
                {
                    owners.remove(&object);
                }
            }
        }
        let mut components: FxHashSet<GlobalId> = expanded.components.values().flatten().copied().collect();
        // What frontends need for themselves is nobody's business.
        components.extend(
            expanded
                .program
                .globals
                .iter()
                .filter(|(_, global)| global.name.starts_with('$'))
                .map(|(id, _)| id),
        );
        Facts {
            whole: crate::shape::whole_maps(&expanded.program),
            components,
            owners,
            named: options.atomic.iter().copied().collect(),
        }
    }
}

struct Session<'s> {
    program: &'s Program,
    config: &'s Config,
    options: &'s Options,
    recording: &'s Recording,
    outline: Outline,
    explicit: bool,
    found: Found,
    figures: Figures,
    potential: Vec<Potential>,
    blocks: Vec<(crate::Origin, String, usize)>,
    notes: Vec<String>,
    /// Why the run was not followed to its end, if so.
    stuck: Option<Reason>,
    /// Whether there are several windows.
    several: bool,
    /// Whether it is worth the while to list states.
    lists: bool,
}

/// Why a session ended before its time.
enum Ended {
    Again(FxHashSet<GlobalId>),
    Error(Error),
}

impl Session<'_> {
    fn run(
        &mut self,
        expanded: &ir::Expanded,
        facts: &Facts,
        solver: &mut dyn Solver,
        watch: &mut dyn FnMut(usize, usize) -> Option<Limits>,
    ) -> Result<(), Ended> {
        let windows = windows(self.recording.steps.len(), self.options.window);
        let starts: Vec<usize> = windows.iter().map(|window| window.start).collect();
        let subject = Subject {
            original: self.program,
            expanded: &expanded.program,
            back: &expanded.back,
            whole: &facts.whole,
            components: &facts.components,
            owners: &facts.owners,
            named: &facts.named,
        };
        let refused = |stuck: Stuck| Ended::Error(Error::Unsupported(stuck.what));
        let count = windows.len();
        let prepared = prepare(subject, self.recording, &starts, &mut || watch(0, count).is_some());
        let Some(mut prepared) = prepared.map_err(refused)? else {
            self.found.undecided = Some(Undecided::Stopped);
            return Ok(());
        };
        if let Some(stuck) = &prepared.stuck {
            let cut = engine::Cut::Unsupported(stuck.what.clone());
            self.stuck = Some(Reason::Cut(vec![engine::CutAt { cut, at: None, span: stuck.span }]));
        }
        let steps = prepared.facts.len();
        if windows.len() > 1 {
            self.notes.push(format!(
                "the run is looked at in {} windows of {} steps, each of which begins in the middle of the one before: orders in \
                 which events move further than that are not looked at (--window)",
                windows.len(),
                self.options.window
            ));
        }
        let mut pinned = 0;
        for (number, window) in windows.into_iter().enumerate() {
            let range = window.start..window.end.min(steps);
            if range.is_empty() {
                break;
            }
            let skeleton = skeleton(&prepared.facts[range.clone()], self.recording.threads);
            let again = |prepared: &mut _, pinned: &FxHashSet<(usize, GlobalId)>| {
                build(subject, self.recording, prepared, range.clone(), &skeleton, pinned).map_err(refused)
            };
            let mut built = again(&mut prepared, &FxHashSet::default())?;
            if size_of_formula(&built.ctp, &built.executor) > TOO_LARGE {
                let read = read_for_indices(&built);
                prepared.translator = built.executor.translator;
                built = again(&mut prepared, &read)?;
                pinned += usize::from(!read.is_empty());
            }
            if !built.symbolic.is_empty() {
                return Err(Ended::Again(built.symbolic));
            }
            let mut ask = || watch(number, count);
            solver.push();
            let ended = self.window(&mut built, &prepared.pins, range.start, number, solver, &mut ask);
            solver.pop(1);
            prepared.translator = built.executor.translator;
            self.figures.windows += 1;
            if let Err(why) = ended {
                self.found.undecided = Some(why);
                break;
            }
        }
        if pinned > 0 {
            self.notes.push(format!(
                "in {pinned} of {count} {}, what indices depend on has the values that it had in the run: orders in which it has others are not \
                 looked at, since there are too many",
                if count == 1 { "window" } else { "windows" }
            ));
        }
        Ok(())
    }

    fn window(
        &mut self,
        built: &mut Window<'_, '_>,
        pins: &Pins,
        start: usize,
        number: usize,
        solver: &mut dyn Solver,
        watch: &mut dyn FnMut() -> Option<Limits>,
    ) -> Result<(), Undecided> {
        for event in &mut built.ctp.events {
            event.plain = self.outline.of(event.op).plain;
        }
        let ctp = &built.ctp;
        let executor = &mut built.executor;
        let blocks = transactions(ctp, executor, self.explicit);
        let locksets = Locksets::new(ctp);
        self.figures.shared = self.figures.shared.max(ctp.shared);
        let checks = self.config.checks;
        let mut candidates = Vec::new();
        if checks.atomicity {
            self.note_blocks(&blocks);
            candidates = self.candidates(ctp, executor, &blocks, &locksets);
        }
        let first = self.potential.len();
        let step = |event: usize| ctp.events[event].step;
        self.potential.extend(candidates.iter().map(|triple| Potential {
            steps: [step(triple.first), step(triple.middle), step(triple.last)],
            spans:
                [triple.first, triple.middle, triple.last].map(|event| executor.span(ctp.events[event].op)),
            global: triple.global,
            real: None,
        }));
        if self.options.method == Method::Lockset {
            return Ok(());
        }
        // In a long run, one of each kind is enough.
        if self.several {
            let kinds = &self.found.kinds;
            candidates.retain(|triple| !kinds.contains_key(&kind_of(ctp, triple)));
        }
        let mut pairs = if checks.races { racing_pairs(ctp, &locksets) } else { Vec::new() };
        let asserts = |ctp: &Ctp| {
            (checks.assertions || checks.memory)
                && ctp.events.iter().any(|event| !event.assertions.is_empty())
        };
        let mut may_deadlock = checks.deadlocks && may_deadlock(ctp, &executor.translator.pool, &locksets);
        let turns = |ctp: &Ctp| {
            let wanted = checks.assertions || checks.memory || checks.deadlocks;
            self.options.goes_on && wanted && ctp.events.iter().any(|event| !event.ways.is_empty())
        };
        let nothing = candidates.is_empty() && pairs.is_empty() && !may_deadlock;
        if nothing && !asserts(ctp) && !turns(ctp) {
            return Ok(());
        }
        let open = candidates.clone();
        let (mut stuck, mut looked_at) = (None, 0);
        let size = size_of_formula(ctp, executor);
        if size >= self.options.list_from {
            range::simplify(&mut built.ctp, executor, watch)?;
        }
        let ctp = &built.ctp;
        if self.lists && size >= self.options.list_from {
            // What is easily asked is not worth long lists.
            let most = size.saturating_mul(STATES_PER_SIZE).max(LEAST_STATES).min(self.options.most_states);
            let asked = (candidates.as_slice(), pairs.as_slice());
            match enumerate(ctp, executor, &locksets, asked, most, watch) {
                Ok(shown) => {
                    candidates.retain(|triple| shown.orders(ctp, triple));
                    pairs.retain(|pair| shown.meeting.contains(pair));
                    shown.simplify(&mut built.ctp);
                    may_deadlock &= !shown.stuck.is_empty();
                    looked_at = shown.events;
                    stuck = Some(shown.stuck);
                }
                Err(GivenUp::Stopped) => return Err(Undecided::Stopped),
                // In a long run the next window is much like this one.
                Err(GivenUp::TooMany | GivenUp::Unclear) => self.lists = !self.several,
            }
        }
        let ctp = &built.ctp;
        let step = |event: usize| ctp.events[event].step;
        let key = |triple: &Triple| ([triple.first, triple.middle, triple.last].map(step), triple.global);
        let (open, asked) = (keys(&open, &key), keys(&candidates, &key));
        for potential in &mut self.potential[first..] {
            let key = (potential.steps, potential.global);
            potential.real = (open.contains(&key) && !asked.contains(&key)).then_some(false);
        }
        if candidates.is_empty() && pairs.is_empty() && !may_deadlock && !asserts(ctp) && !turns(ctp) {
            self.figures.simplified += looked_at;
            return Ok(());
        }
        let encoding = Encoding::new(ctp, executor, solver, watch, format!("w{number}!"));
        let mut search = Search {
            encoding,
            program: self.program,
            config: self.config,
            recording: self.recording,
            pins,
            start,
            found: &mut self.found,
        };
        let mut real = FxHashSet::default();
        let mut work = || {
            search.encoding.facts(pins).map_err(|stuck| Undecided::Solver(stuck.what))?;
            let mut open = (0..candidates.len()).collect();
            let mut asserted = search.asserted(&checks);
            let mut deadlock = None;
            // One hard question must not keep easy ones from being asked.
            for (round, effort) in EFFORTS.iter().enumerate() {
                search.encoding.effort = *effort;
                open = search.atomicity(&candidates, open, &blocks, self.several, &mut real)?;
                asserted = search.assertions(asserted)?;
                if round == 0 && may_deadlock {
                    match stuck.take() {
                        Some(models) => search.show_deadlocks(models),
                        None => deadlock = search.stuck(),
                    }
                }
                if let Some(question) = deadlock.take() {
                    deadlock = search.deadlocks(&question)?.then_some(question);
                }
                pairs = search.races(std::mem::take(&mut pairs))?;
            }
            if turns(ctp) {
                search.other_ways(&self.options.recorded)?;
            }
            Ok(())
        };
        let ended = work();
        let decided = ended.is_ok() && search.found.undecided.is_none();
        self.figures.queries += search.encoding.queries;
        self.figures.simplified += search.encoding.size();
        let shown = keys(real.iter().map(|at| &candidates[*at]), &key);
        for potential in &mut self.potential[first..] {
            let key = (potential.steps, potential.global);
            if asked.contains(&key) && (decided || shown.contains(&key)) {
                potential.real = Some(shown.contains(&key));
            }
        }
        self.figures.real += real.len();
        ended
    }

    /// The potential violations that are not ruled out without looking at data.
    fn candidates(
        &mut self,
        ctp: &Ctp,
        executor: &mut Executor<'_, '_>,
        blocks: &[Block],
        locksets: &Locksets,
    ) -> Vec<Triple> {
        let mut candidates = triples(ctp, executor, blocks);
        self.figures.potential += candidates.len();
        candidates.retain(|triple| {
            !ctp.must_precede(triple.middle, triple.first) && !ctp.must_precede(triple.last, triple.middle)
        });
        self.figures.after_happens_before += candidates.len();
        candidates.retain(|triple| locksets.may_interleave(ctp, triple.first, triple.middle, triple.last));
        self.figures.after_locksets += candidates.len();
        candidates
    }

    fn note_blocks(&mut self, blocks: &[Block]) {
        self.figures.regions += blocks.len();
        for block in blocks {
            let known = self.blocks.iter_mut();
            match known.into_iter().find(|(origin, name, _)| *origin == block.origin && *name == block.name) {
                Some((_, _, count)) => *count += 1,
                None => self.blocks.push((block.origin, block.name.clone(), 1)),
            }
        }
    }

    fn outcome(self) -> Outcome {
        let mut notes = self.notes;
        let unconfirmed = self.found.unconfirmed.first();
        if self.found.skipped > 0 {
            notes.push(format!(
                "{} potential violations were not looked at, since one like them was found: with the same lines or, where there are \
                 hundreds, in the same procedures",
                self.found.skipped
            ));
        }
        if self.found.dropped > 0 {
            notes.push(format!(
                "{} ways beyond the events of the run were not followed, since the interpreter cannot replay their beginning",
                self.found.dropped
            ));
        }
        let incomplete = match (&self.found.undecided, unconfirmed) {
            (Some(why), _) => Some(why.reason()),
            (None, Some(why)) => Some(Reason::Unconfirmed(why.clone())),
            (None, None) => self.stuck,
        };
        Outcome {
            findings: self.found.findings,
            is_own: self.found.is_own,
            beyond: self.found.beyond,
            incomplete,
            notes,
            blocks: self.blocks,
            potential: self.potential,
            figures: self.figures,
        }
    }
}

/// What tells potential violations from each other.
type Key = ([usize; 3], GlobalId);

fn keys<'t>(
    triples: impl IntoIterator<Item = &'t Triple>,
    key: &impl Fn(&'t Triple) -> Key,
) -> FxHashSet<Key> {
    triples.into_iter().map(key).collect()
}

/// Windows that overlap by half.
fn windows(steps: usize, size: usize) -> Vec<Range<usize>> {
    let size = size.max(2);
    let mut windows = Vec::new();
    let mut start = 0;
    loop {
        let end = (start + size).min(steps);
        windows.push(start..end);
        if end == steps {
            return windows;
        }
        start += size / 2;
    }
}
