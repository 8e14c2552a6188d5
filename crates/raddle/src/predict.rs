//! `raddle predict`.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use engine::{
    Bounds, Cancel, Checks, Config, CutAt, Exhausted, Limits, Observer, Proof, Reason, Run, Scheduler,
    SwitchAt, Verdict, ViolationKind,
};
use interp::{End, Schedule, Simulation};
use ir::ProcId;
use predict::{Method, Options, Origin, Outcome};
use report::{Predicted, Transaction};
use wait_timeout::ChildExt;

use crate::answer::{Answer, Reading};
use crate::args::{MethodName, PredictKind, PredictOptions};
use crate::executable;
use crate::failure::Failure;
use crate::forced::{Force, Forced, says};
use crate::interrupt::on_interrupt;
use crate::load::{Compiled, Loaded};
use crate::observe::{self, Observed};
use crate::output;
use crate::outside::{Outside, budget, solver_limits};
use crate::run::origins;
use crate::witness_file::{self, Told};

/// How often the memory is looked at: every so many questions.
const MEMORY_EVERY: u64 = 16;
/// How long the compiled program may run, unless the user limits the time for all of it.
const LONGEST_RUN: Duration = Duration::from_secs(60);
/// How often it is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// No step needs more bytes in a trace than this, on the average.
const BYTES_PER_STEP: u64 = 256;
/// A trace that is smaller is never too long.
const LEAST_BYTES: u64 = 64 << 20;
/// So many violations are tried on the compiled program.
const MOST_FORCED: usize = 10;

/// Makes a run and tells what other orders of its events violate.
pub(crate) fn run(options: &PredictOptions, outside: Outside) -> Result<u8, Failure> {
    answer(options, outside, &on_interrupt())?.tell(&options.output)
}

/// Makes a run and looks for what other orders of its events violate.
pub(crate) fn answer(
    options: &PredictOptions,
    mut outside: Outside,
    cancel: &Cancel,
) -> Result<Answer, Failure> {
    witness_file::check_folder(options.witness.as_deref(), &options.program.files)?;
    output::check_folder(&options.output)?;
    let solvers = options.solver.prepare()?;
    if options.method == MethodName::Lockset
        && options.check.iter().any(|kind| *kind != PredictKind::Atomicity)
    {
        let text = "error: --method lockset looks for violations of atomicity alone\nhelp: leave out --check, or --method";
        return Err(Failure::Input(text.to_owned()));
    }
    let flags = options.program.flags();
    let mut sources = options.program.sources(&flags, None);
    sources.building.transactions = true;
    let input = sources.shown();
    // A trace carries its program.
    let carrier = tempfile::tempdir()?;
    let carried = match options.program.files.as_slice() {
        [file] if !options.program.is_c() => observe::carried(file, carrier.path())?,
        _ => None,
    };
    if let (Some(_), Some(_)) = (&carried, &options.witness) {
        let text = "error: a witness names the files of a program, and a trace has none\nhelp: predict from the program";
        return Err(Failure::Input(text.to_owned()));
    }
    if let Some(carried) = &carried {
        if !options.program.arguments.is_empty() {
            let text = "error: a trace has the arguments that its program was run with\nhelp: leave out what follows `--`";
            return Err(Failure::Input(text.to_owned()));
        }
        sources.files = &carried.files;
        sources.building.arguments = &carried.arguments;
    }
    let budget = budget(options.budget);
    let checks = config(options, true).checks;
    let reading = Reading { command: "predict", checks, output: &options.output, budget: &budget, cancel };
    let mut loaded = match reading.of(sources, false, &mut outside)? {
        Ok(loaded) => loaded,
        Err(unread) => return Ok(Answer { input, ..*unread }),
    };
    let records = loaded.compiled.is_some() && !options.simulate && options.seed.is_none();
    let opaque = opaque(&loaded);
    let mut recorded_ops = BTreeSet::new();
    if records {
        // What the analysis does not know has the results that it had in the run.
        (loaded.program, recorded_ops) = predict::observed(&loaded.program);
    }
    let load_time = outside.now();
    let config = config(options, loaded.compiled.is_some());
    let atomic = procedures(&loaded, &options.atomic)?;
    outside.doing("making a run of the program");
    let mut made = match &loaded.compiled {
        Some(compiled) if records => {
            let recorded = match &carried {
                Some(carried) => Recorded {
                    trace: options.program.files[0].clone(),
                    bases: carried.bases.clone(),
                    notes: Vec::new(),
                    signal: None,
                    spurious: false,
                },
                None => record(options, compiled, &flags, cancel)?,
            };
            let recorded = Recorded { spurious: sources.building.spurious_wakeups, ..recorded };
            observed(recorded, &recorded_ops, &loaded, compiled, &config, small(options.max_steps))?
        }
        _ => simulate(options, &loaded, &config),
    };
    let unfinished = made.stopped.is_none() && finished(&mut made, &loaded, &config, &recorded_ops);
    if unfinished {
        let text = "the program ends while threads are still running: here the interpreter lets them run to their ends before";
        made.notes.push(text.to_owned());
    }
    let exhausted: Cell<Option<Exhausted>> = Cell::new(None);
    let outside = RefCell::new(outside);
    let (mut asked, mut memory) = (0, 0);
    let mut watch = |window: usize, windows: usize| {
        let mut outside = outside.borrow_mut();
        if asked % MEMORY_EVERY == 0 {
            memory = outside.memory().unwrap_or(0);
            outside.predicting(window, windows, asked);
        }
        asked += 1;
        let limits = solver_limits(&budget, outside.now(), memory, cancel);
        limits.map_err(|reason| exhausted.set(Some(reason))).ok()
    };
    let mut solver = solvers.make("predict-");
    let how = Options {
        method: match options.method {
            MethodName::Symbolic => Method::Symbolic,
            MethodName::Lockset => Method::Lockset,
        },
        atomic,
        window: small(options.window),
        recorded: recorded_ops,
        ..Options::default()
    };
    let outcome = predict::predict(&loaded.program, &config, &made.run, &how, &mut *solver, &mut watch);
    let mut outside = outside.into_inner();
    outside.hide_progress();
    solvers.agree(options.output.quiet)?;
    let mut outcome = outcome.map_err(|error| Failure::Internal(error.to_string()))?;
    outcome.notes.extend(made.notes.iter().cloned());
    if how.method == Method::Lockset {
        let potential = potential(&loaded, &outcome);
        outcome.notes.extend(potential);
    }
    let mut forced = Vec::new();
    if let Some(compiled) = &loaded.compiled {
        let force = Force {
            names: sources.files,
            flags: &flags,
            arguments: sources.building.arguments,
            rounds: 1,
            patience: Duration::from_secs(10),
            deadline: outside.deadline(budget.time),
            gdb: false,
            silent: true,
            progress: false,
            cancel: Some(cancel),
        };
        let unknown = first_opaque(&loaded, &config, &made.run, &opaque);
        let tried = if options.no_run { 0 } else { MOST_FORCED };
        forced = try_out(&force, tried, unknown.is_none(), &loaded, compiled, &mut outcome)?;
        // What the rest of the run did is not known for sure then.
        made.stopped = match (made.stopped, unknown) {
            (Some(stopped), Some(unknown)) => {
                Some(format!("{stopped}, after {}", unknown.trim_end_matches(',')))
            }
            (stopped, unknown) => stopped.or(unknown),
        };
    }
    for (at, span) in &outcome.beyond {
        let place = engine::location_of(&loaded.map, *span);
        let place = place.map(|place| format!(" at {}:{}:{}", place.file, place.line, place.column));
        outcome.notes.push(format!(
            "violation {} has events that the run does not have: a thread takes another way{}, and the interpreter went on from there",
            at + 1,
            place.unwrap_or_default()
        ));
    }
    // A question that was given up in the middle does not say why.
    let exhausted = exhausted.get().or_else(|| budget.check(outside.now(), 0, cancel));
    let verdict = verdict(&outcome, &made, how.method, exhausted);
    let told = Told { witness: options.witness.as_deref(), sources };
    let witnesses = witness_file::write_all(told, &config, &loaded, verdict.findings());
    let bounds = Bounds {
        int_range: None,
        limits: Some(config.limits),
        unroll: None,
        scheduler: Scheduler::All,
        rounds: None,
        switch_at: SwitchAt::Visible,
        touched: Vec::new(),
    };
    let predicted = predicted(&made, &outcome, how.method);
    let incomplete = outcome.incomplete.filter(|_| matches!(verdict, Verdict::Unsafe(_)));
    let mut answer = Answer::new("predict", input, loaded, config.checks, verdict, bounds);
    answer.incomplete = incomplete;
    answer.predicted = Some(predicted);
    answer.witnesses = witnesses;
    answer.forced = forced;
    Ok(answer.took(&outside, load_time))
}

fn small(n: u64) -> usize {
    usize::try_from(n).unwrap_or(usize::MAX)
}

fn config(options: &PredictOptions, is_c: bool) -> Config {
    let asked = |kind: PredictKind| options.check.contains(&kind);
    // Locks say something about atomicity, and nothing about the rest.
    let default = options.check.is_empty() && options.method == MethodName::Symbolic;
    let checks = Checks {
        atomicity: options.check.is_empty() || asked(PredictKind::Atomicity),
        assertions: default || asked(PredictKind::Assertion),
        memory: (default && is_c) || asked(PredictKind::Memory),
        deadlocks: default || asked(PredictKind::Deadlock),
        // In Boogie every global is shared on purpose.
        races: (default && is_c) || asked(PredictKind::Race),
        non_termination: None,
        response: None,
    };
    let threads = small(options.max_threads.unwrap_or(1000));
    Config { limits: Limits { threads, frames: small(options.max_frames) }, checks, ..Config::default() }
}

/// The procedures of some names.
fn procedures(loaded: &Loaded, names: &[String]) -> Result<Vec<ProcId>, Failure> {
    let find = |name: &String| {
        let mut procs = loaded.program.procs.iter();
        let found = procs.find(|(_, proc)| proc.name == *name || ir::shown_name(&proc.name) == *name);
        found
            .map(|(id, _)| id)
            .ok_or_else(|| Failure::Input(format!("error: --atomic: the program has no procedure `{name}`")))
    };
    names.iter().map(find).collect()
}

/// The ops that the analysis knows nothing about, not even from a run, and what they are.
fn opaque(loaded: &Loaded) -> BTreeMap<ir::OpRef, String> {
    let mut found = BTreeMap::new();
    let recorded =
        |op: &ir::OpRef| loaded.compiled.as_ref().is_some_and(|compiled| compiled.recorded.contains(op));
    for (proc, body) in &loaded.program.procs {
        for (block, index, stmt) in body.stmts() {
            let op = ir::OpRef { proc, block, index };
            if let ir::Op::Opaque { what, .. } = &stmt.op
                && !recorded(&op)
            {
                found.insert(op, what.clone());
            }
        }
    }
    found
}

/// What a run executes of these ops first.
fn first_opaque(
    loaded: &Loaded,
    config: &Config,
    run: &Run,
    ops: &BTreeMap<ir::OpRef, String>,
) -> Option<String> {
    if ops.is_empty() {
        return None;
    }
    let replay = interp::replay(&loaded.program, config, run).ok()?;
    let mut ran = replay.events.iter().flat_map(|event| &event.ops);
    ran.find_map(|(op, _)| ops.get(op).cloned())
}

/// Forces what was found on the compiled program. If the run has parts that the analysis knows nothing about (a library function that
/// may have changed memory), it may be wrong about what would happen: then only what is reproduced is reported. Gives what came of
/// each that is left, as far as it was tried.
fn try_out(
    force: &Force<'_>,
    most: usize,
    exact: bool,
    loaded: &Loaded,
    compiled: &Compiled,
    outcome: &mut Outcome,
) -> Result<Vec<Option<Forced>>, Failure> {
    let (mut kept, mut tries, mut beyond) = (Vec::new(), Vec::new(), Vec::new());
    let mut dropped = 0;
    let mut kept_own = true;
    let mut keeps = |at: usize, as_number: usize| {
        let known = outcome.beyond.iter().filter(|(of, _)| *of == at);
        beyond.extend(known.map(|(_, span)| (as_number, *span)));
    };
    for (at, finding) in std::mem::take(&mut outcome.findings).into_iter().enumerate() {
        if at >= most || force.is_over().is_some() {
            if exact {
                keeps(at, kept.len());
                kept.push(finding);
                tries.push(None);
            } else {
                kept_own &= at > 0;
                dropped += 1;
            }
            continue;
        }
        let forced = force.run(loaded, compiled, &finding)?;
        if !exact && !forced.reproduced {
            kept_own &= at > 0;
            dropped += 1;
            continue;
        }
        keeps(at, kept.len());
        kept.push(finding);
        let word = if forced.reproduced { "reproduced" } else { "not reproduced" };
        let number = kept.len();
        outcome.notes.push(format!("violation {number}, on the compiled program: {word}: {}", forced.what));
        tries.push(Some(forced));
    }
    outcome.is_own = outcome.is_own && kept_own;
    outcome.findings = kept;
    outcome.beyond = beyond;
    if dropped > 0 {
        outcome.notes.push(format!(
            "{dropped} more were predicted, but not reproduced on the compiled program: the run calls what the analysis does not know, so \
             they are not reported"
        ));
    }
    Ok(tries)
}

/// So many potential violations are listed.
const MOST_LISTED: usize = 10;

/// The potential violations, for people: those with the same lines are one.
fn potential(loaded: &Loaded, outcome: &Outcome) -> Vec<String> {
    let place = |span| match engine::location_of(&loaded.map, span) {
        Some(place) => format!("{}:{}:{}", place.file, place.line, place.column),
        None => "a place that has no line".to_owned(),
    };
    let mut counts: BTreeMap<[String; 3], usize> = BTreeMap::new();
    for potential in &outcome.potential {
        *counts.entry(potential.spans.map(place)).or_default() += 1;
    }
    let more = counts.len().saturating_sub(MOST_LISTED);
    let told = |(places, count): (&[String; 3], &usize)| {
        let [first, middle, last] = places;
        let times = if *count == 1 { String::new() } else { format!(", {count} times") };
        format!("potential: {middle} between {first} and {last}{times}")
    };
    let mut notes: Vec<String> = counts.iter().take(MOST_LISTED).map(told).collect();
    notes.extend((more > 0).then(|| format!("and {more} more potential violations about other lines")));
    notes
}

/// A run to predict from.
struct Made {
    run: Run,
    /// How it was made, in words.
    how: String,
    notes: Vec<String>,
    /// Why it ends where it does, if that is not the end of the program.
    cut: Option<CutAt>,
    /// Why a recorded run could not be followed to its end.
    stopped: Option<String>,
    is_recorded: bool,
}

fn simulate(options: &PredictOptions, loaded: &Loaded, config: &Config) -> Made {
    let schedule = options.seed.map_or(Schedule::Oldest, Schedule::Random);
    let Simulation { mut run, failing, end, .. } =
        interp::simulate(&loaded.program, config, schedule, small(options.max_steps));
    run.steps.extend(failing);
    let how = match options.seed {
        Some(seed) => format!("a random scheduler with seed {seed}"),
        None => "a scheduler that lets each thread run until it is blocked".to_owned(),
    };
    let how = format!("a run of {} steps, made by the interpreter under {how}", run.steps.len());
    let (note, cut) = match end {
        End::Completed | End::Violation(..) => (None, None),
        End::Discarded(_) => (Some("the run ends where an assume does not hold".to_owned()), None),
        End::Cut(cut, span) => {
            (Some(format!("the run ends early: {cut}")), Some(CutAt { cut, at: None, span }))
        }
        End::TooLong | End::Stopped => {
            (Some("the run is longer than --max-steps allows, and was ended".to_owned()), None)
        }
    };
    Made { run, how, notes: note.into_iter().collect(), cut, stopped: None, is_recorded: false }
}

/// Steps that threads may take that were still running when the program ended.
const MOST_FINISHING: usize = 10_000;

/// If a run ends with the end of the program while threads are still running, lets these run to their ends before. Not beyond what is
/// known from the recorded run only. Returns whether there were any.
///
/// A run of the interpreter ends with the step that ends the program. A recorded one ends before it, with the last thing that others see;
/// if the program was stopped since it did not end, it may be that all its threads are blocked after steps that nobody sees.
fn finished(made: &mut Made, loaded: &Loaded, config: &Config, recorded: &BTreeSet<ir::OpRef>) -> bool {
    let Some((last, before)) = made.run.steps.split_last() else { return false };
    let ends = |op: &ir::OpRef| {
        let stmt = &loaded.program.procs[op.proc].blocks[op.block].stmts[op.index];
        matches!(stmt.op, ir::Op::Exit)
    };
    let replay = interp::replay(&loaded.program, config, &made.run).ok();
    let events = replay.as_ref().and_then(|replay| replay.events.last());
    let (begun, ending) = if events.is_some_and(|event| event.ops.iter().any(|(op, _)| ends(op))) {
        (Run { steps: before.to_vec(), ..made.run.clone() }, last.thread)
    } else if made.is_recorded {
        (made.run.clone(), 0)
    } else {
        return false;
    };
    let stops = |op: ir::OpRef| recorded.contains(&op);
    let schedule = Schedule::Last(ending);
    let went = interp::go_on(&loaded.program, config, &begun, schedule, MOST_FINISHING, &stops);
    let Ok(Simulation { run, failing, end, .. }) = went else { return false };
    // What was stopped, or is too long, goes on in ways that are nothing special.
    let was_stopped = made.is_recorded && !made.notes.is_empty();
    if was_stopped {
        if matches!(end, End::Violation(ViolationKind::Deadlock, ..)) {
            made.run = run;
        }
        return false;
    }
    let others = run.steps[begun.steps.len()..].iter().any(|step| step.thread != ending);
    if others {
        made.run = run;
        made.run.steps.extend(failing);
    }
    others
}

/// A recorded run.
struct Recorded {
    trace: PathBuf,
    /// The fingerprints of its modules, and how many sites come before theirs.
    bases: BTreeMap<[u8; 32], u32>,
    notes: Vec<String>,
    /// The signal that ended the program, if it was one and raddle saw it.
    signal: Option<u32>,
    /// Whether waits for condition variables may end without a signal in the analysed program.
    spurious: bool,
}

/// Runs the compiled program, and records that.
fn record(
    options: &PredictOptions,
    compiled: &Compiled,
    flags: &[String],
    cancel: &Cancel,
) -> Result<Recorded, Failure> {
    let scratch = compiled.scratch.path();
    let built = executable::build(scratch, &compiled.modules, &options.program.files, flags, None)?;
    let trace = scratch.join("run.trace");
    let mut command = Command::new(&built.path);
    command.args(&options.program.arguments).env("RADDLE_RECORD", &trace);
    says(&mut command, options.output.quiet);
    let mut child = command
        .spawn()
        .map_err(|error| Failure::Input(format!("error: the program cannot be started: {error}")))?;
    // There has to be time to look at it, too.
    let limit = options.budget.timeout.map_or(LONGEST_RUN, |all| Duration::from_secs_f64(all / 4.0));
    let most_bytes = options.max_steps.saturating_mul(BYTES_PER_STEP).max(LEAST_BYTES);
    let mut notes = Vec::new();
    let start = Instant::now();
    let mut signal = None;
    loop {
        if let Some(status) = child.wait_timeout(LOOK_EVERY)? {
            signal = status.signal().and_then(|signal| u32::try_from(signal).ok());
            break;
        }
        let is_long = std::fs::metadata(&trace).is_ok_and(|trace| trace.len() > most_bytes);
        if is_long || cancel.is_cancelled() || start.elapsed() >= limit {
            child.kill()?;
            child.wait()?;
            notes.push(if cancel.is_cancelled() {
                "the program was stopped, since it was interrupted".to_owned()
            } else if is_long {
                "the program was stopped: its run is longer than --max-steps allows".to_owned()
            } else {
                format!("the program was stopped after {} s", limit.as_secs())
            });
            break;
        }
    }
    Ok(Recorded { trace, bases: built.modules.into_iter().collect(), notes, signal, spurious: false })
}

/// Follows a recorded run on the analysed program.
fn observed(
    recorded: Recorded,
    guessed: &BTreeSet<ir::OpRef>,
    loaded: &Loaded,
    compiled: &Compiled,
    config: &Config,
    most: usize,
) -> Result<Made, Failure> {
    let unreadable = |error| Failure::Input(format!("error: the run cannot be read: {error}"));
    let mut reader = trace::Reader::open(&recorded.trace).map_err(unreadable)?;
    let origins = origins(compiled);
    let visible = schedule::visible_sites(&loaded.program, &origins, &trace::table::Table::default());
    let mut observed =
        Observed::read(&mut reader, &recorded.bases, &|site| visible.contains_key(&site), most);
    observed.signal = observed.signal.or(recorded.signal);
    let mut how = format!("a run of the compiled program with {} events", observed.events);
    if let Some(signal) = observed.signal {
        how.push_str(&format!(", which signal {signal} ended"));
    }
    let spurious = observed.has_spurious_wakeups() && !recorded.spurious;
    let mut notes = recorded.notes;
    notes.extend(observed.notes.iter().cloned());
    let (run, stopped) = observed.follow(&loaded.program, config, &origins, guessed);
    let stopped = stopped.map(|(why, at)| {
        let why = match spurious {
            true => format!("{why}; a wait for a condition variable ended without a signal, which --spurious-wakeups allows"),
            false => why,
        };
        let stmt = at.map(|at| &loaded.program.procs[at.proc].blocks[at.block].stmts[at.index]);
        match stmt.and_then(|stmt| engine::location_of(&loaded.map, stmt.span)) {
            Some(place) => format!("{why} ({}:{}:{})", place.file, place.line, place.column),
            None => why,
        }
    });
    if let Some(stopped) = &stopped {
        notes.push(format!("the run was followed for {} steps: {stopped}", run.steps.len()));
    }
    Ok(Made { run, how, notes, cut: None, stopped, is_recorded: true })
}

fn predicted(made: &Made, outcome: &Outcome, method: Method) -> Predicted {
    let figures = outcome.figures;
    Predicted {
        run: made.how.clone(),
        threads: figures.threads,
        shared: figures.shared,
        ops: figures.ops,
        events: figures.events,
        simplified: figures.simplified,
        regions: figures.regions,
        potential: figures.potential,
        after_happens_before: figures.after_happens_before,
        after_locksets: figures.after_locksets,
        real: (method == Method::Symbolic).then_some(figures.real),
        queries: figures.queries,
        windows: figures.windows,
        is_own: outcome.is_own,
        transactions: outcome
            .blocks
            .iter()
            .map(|(origin, block, count)| Transaction {
                block: block.clone(),
                inferred: matches!(origin, Origin::Body | Origin::Update),
                count: *count,
            })
            .collect(),
        notes: outcome.notes.clone(),
    }
}

fn verdict(outcome: &Outcome, made: &Made, method: Method, exhausted: Option<Exhausted>) -> Verdict {
    if !outcome.findings.is_empty() {
        return Verdict::Unsafe(outcome.findings.clone());
    }
    if let Some(reason) = &outcome.incomplete {
        return Verdict::Unknown(match (reason, exhausted) {
            (Reason::Exhausted(_), Some(exhausted)) => Reason::Exhausted(exhausted),
            (reason, _) => reason.clone(),
        });
    }
    if method == Method::Lockset && outcome.figures.after_locksets > 0 {
        return Verdict::Unknown(Reason::Potential(outcome.figures.after_locksets));
    }
    if let Some(stopped) = &made.stopped {
        return Verdict::Unknown(Reason::Unfollowed(stopped.clone()));
    }
    if let Some(cut) = &made.cut {
        return Verdict::Unknown(Reason::Cut(vec![cut.clone()]));
    }
    Verdict::Safe(Proof::Unsatisfiable { queries: outcome.figures.queries })
}
