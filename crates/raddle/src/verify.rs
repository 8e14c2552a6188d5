//! `raddle verify`.

use std::cell::{Cell, RefCell};
use std::path::Path;
use std::time::Duration;

use engine::{
    Bounds, Cancel, Checks, Config, Exhausted, Limits, Observer, Proof, Reason, Scheduler, SwitchAt, Verdict,
};
use impact::{Event, Options, Pace, Schedule, Until};
use report::{Scheduled, TreeFigures};
use schedule::{Level, ProgramSchedule};
use source::Diagnostic;

use crate::answer::{Answer, Reading};
use crate::args::{ColorName, Kind, UntilName, VerifyOptions};
use crate::failure::{Failure, exit_code};
use crate::interrupt::on_interrupt;
use crate::load::{Loaded, Sources, rendered};
use crate::outside::{Outside, budget, solver_limits};
use crate::solver::Solvers;
use crate::witness_file::{self, Told};
use crate::{drawing, output, wakeups, whole_file};

/// How often the memory is looked at: every so many questions and nodes.
pub(crate) const MEMORY_EVERY: u64 = 512;

/// Looks for safe schedules and tells what came out.
pub(crate) fn run(options: &VerifyOptions, outside: Outside) -> Result<u8, Failure> {
    let answer = answer(options, outside, &on_interrupt())?;
    output::write(&answer.report(), &options.output)?;
    // Who asked for a schedule and has one is content.
    let first = options.until == UntilName::FirstSchedule && !answer.schedules.is_empty();
    Ok(if first && matches!(answer.verdict, Verdict::Unknown(_)) { 0 } else { exit_code(&answer.verdict) })
}

/// Looks for safe schedules.
pub(crate) fn answer(
    options: &VerifyOptions,
    mut outside: Outside,
    cancel: &Cancel,
) -> Result<Answer, Failure> {
    let checks = checks(options)?;
    witness_file::check_folder(options.witness.as_deref(), &options.program.files)?;
    output::check_folder(&options.output)?;
    let solvers = options.solver.prepare()?;
    for folder in [&options.schedules, &options.dot].into_iter().flatten() {
        std::fs::create_dir_all(folder).map_err(|error| {
            Failure::Input(format!("error: cannot make the folder `{}`: {error}", folder.display()))
        })?;
    }
    let flags = options.program.flags();
    let sources = options.program.sources(&flags, None);
    let small = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
    let limits =
        Limits { threads: small(options.max_threads.unwrap_or(32)), frames: small(options.max_frames) };
    let config = Config { limits, checks, ..Config::default() };
    wakeups::answer(&options.program, sources, config, |sources, config, again| {
        verified(options, &solvers, &mut outside, cancel, sources, &config, again)
    })
}

/// Looks for safe schedules of a program that is read in one way. If it is read `again`, schedules were told before.
fn verified(
    options: &VerifyOptions,
    solvers: &Solvers<'_>,
    clock: &mut Outside,
    cancel: &Cancel,
    sources: Sources<'_>,
    config: &Config,
    again: bool,
) -> Result<Answer, Failure> {
    let budget = budget(options.budget);
    let checks = config.checks;
    let reading = Reading { command: "verify", checks, output: &options.output, budget: &budget, cancel };
    let loaded = match reading.of(sources, again, clock)? {
        Ok(loaded) => loaded,
        Err(unread) => return Ok(*unread),
    };
    let load_time = clock.now();
    let exhausted: Cell<Option<Exhausted>> = Cell::new(None);
    let outside = RefCell::new(clock);
    let mut asked = 0;
    let mut memory = 0;
    let mut watch = |statistics: &impact::Statistics| {
        let mut outside = outside.borrow_mut();
        if asked % MEMORY_EVERY == 0 {
            memory = outside.memory().unwrap_or(0);
            outside.verifying(statistics.nodes, statistics.queries);
        }
        asked += 1;
        let limits = solver_limits(&budget, outside.now(), memory, cancel);
        limits.map_err(|reason| exhausted.set(Some(reason))).ok()
    };
    let mut solver = solvers.remembering("verify-");
    let mut made = 0;
    let mut checker = || {
        made += 1;
        solvers.make(&format!("check{made}-"))
    };
    let mut schedules = Vec::new();
    let mut events = |event: Event<'_>| {
        let outside = outside.borrow_mut();
        match event {
            Event::Schedule(_) if again => {}
            Event::Schedule(found) => {
                let told = told(options, &loaded, found, outside.now());
                outside.tell(&format!("safe schedule {}: {}", told.number, told.order));
                schedules.push(told);
            }
            Event::Violation(finding) => {
                outside.tell(&format!("{}: {}", finding.kind().name(), finding.message()));
            }
        }
    };
    let what = Options {
        until: match options.until {
            UntilName::Complete => Until::Complete,
            UntilName::FirstSchedule => Until::FirstSchedule,
            UntilName::Exhausted => Until::Exhausted,
        },
        max_schedules: usize::try_from(options.max_schedules).unwrap_or(usize::MAX),
        pace: Pace::Even,
    };
    let outcome =
        impact::verify(&loaded.program, config, &what, &mut *solver, &mut watch, &mut checker, &mut events);
    let outside = outside.into_inner();
    outside.hide_progress();
    solvers.agree(options.output.quiet)?;
    let outcome = outcome.map_err(|error| failed(&loaded, options.output.color, error))?;
    let verdict = verdict(&outcome, exhausted.get());
    // Counterexamples are schedules, too.
    let beside = options.schedules.as_ref().map(|folder| folder.join("violation.json"));
    let mut witnesses = Vec::new();
    for witness in [options.witness.as_deref(), beside.as_deref()].into_iter().flatten() {
        let told = Told { witness: Some(witness), sources };
        witnesses.extend(witness_file::write_all(told, config, &loaded, verdict.findings()));
    }
    let bounds = Bounds {
        int_range: None,
        limits: Some(config.limits),
        unroll: None,
        scheduler: Scheduler::All,
        rounds: None,
        switch_at: SwitchAt::Visible,
        touched: Vec::new(),
    };
    let proof = match &outcome.verdict {
        impact::Verdict::Safe(art) if output::wants_json(&options.output) => {
            Some(drawing::tree(&loaded.program, &loaded.map, art))
        }
        _ => None,
    };
    let mut answer = Answer::new("verify", sources.shown(), loaded, config.checks, verdict, bounds);
    answer.schedules = schedules;
    answer.proof = proof;
    answer.tree = Some(TreeFigures { nodes: outcome.statistics.nodes, queries: outcome.statistics.queries });
    answer.witnesses = witnesses;
    Ok(answer.took(outside, load_time))
}

fn checks(options: &VerifyOptions) -> Result<Checks, Failure> {
    let asked = |kind: Kind| options.check.contains(&kind);
    let default = options.check.is_empty();
    if asked(Kind::NonTermination) {
        let text = "error: `verify` does not look for infinite executions\nhelp: use `raddle live`";
        return Err(Failure::Input(text.to_owned()));
    }
    Ok(Checks {
        assertions: default || asked(Kind::Assertion),
        memory: (default && options.program.is_c()) || asked(Kind::Memory),
        deadlocks: default || asked(Kind::Deadlock),
        races: asked(Kind::Race),
        non_termination: None,
        response: None,
        atomicity: false,
    })
}

fn verdict(outcome: &impact::Outcome, exhausted: Option<Exhausted>) -> Verdict {
    let findings = outcome.findings.clone();
    match &outcome.verdict {
        impact::Verdict::Safe(art) => Verdict::Safe(Proof::Tree { nodes: art.nodes.len() }),
        impact::Verdict::PartiallySafe => Verdict::PartiallySafe(findings),
        impact::Verdict::Unsafe => Verdict::Unsafe(findings),
        impact::Verdict::Unknown(reason) => {
            let reason = match (reason, exhausted) {
                (Reason::Exhausted(_) | Reason::Solver(_), Some(exhausted)) => Reason::Exhausted(exhausted),
                (reason, _) => reason.clone(),
            };
            if findings.is_empty() { Verdict::Unknown(reason) } else { Verdict::Violated(findings, reason) }
        }
    }
}

/// What is told of a schedule. It is written at once: whatever comes later, it is safe.
fn told(options: &VerifyOptions, loaded: &Loaded, found: &Schedule, time: Duration) -> Scheduled {
    let order = schedule::summary(&loaded.program, &found.art);
    let drawn = output::wants_json(&options.output);
    let schedule = match &options.schedules {
        Some(_) => program_schedule(options, loaded, found),
        // Not every schedule has a file; who did not ask for one is not told.
        None => drawn.then(|| build(options, loaded, found).ok()).flatten(),
    };
    let file = options.schedules.as_deref().zip(schedule.as_ref()).and_then(|(folder, schedule)| {
        let path = folder.join(format!("schedule-{}.txt", found.number));
        keep(&path, &schedule::text::write(&loaded.program, schedule))
    });
    if let Some(folder) = &options.dot {
        draw(options, loaded, found, folder);
    }
    let names = schedule::thread_names(&loaded.program, &found.art);
    let added = found.added.as_ref().map(|added| {
        let name = names.get(added.thread as usize).map_or("another thread", String::as_str);
        match added.after {
            0 => format!("the same, and {name} may run at the start, too"),
            steps => format!("the same, and {name} may run after {steps} steps, too"),
        }
    });
    let graph = schedule.filter(|_| drawn);
    let graph = graph.map(|schedule| drawing::schedule(&loaded.program, &loaded.map, names, &schedule));
    let tree = drawn.then(|| drawing::tree(&loaded.program, &loaded.map, &found.art));
    Scheduled { number: found.number, order, added, nodes: found.art.nodes.len(), time, file, graph, tree }
}

/// A level by its number.
pub(crate) fn level(number: u8) -> Level {
    match number {
        0 => Level::Sequential,
        1 => Level::Relaxed,
        _ => Level::Replicated,
    }
}

fn build(
    options: &VerifyOptions,
    loaded: &Loaded,
    found: &Schedule,
) -> Result<ProgramSchedule, schedule::BuildError> {
    let level = level(options.opt);
    let fingerprint = loaded.fingerprint();
    ProgramSchedule::new(&loaded.program, &found.art, SwitchAt::Visible, level, &fingerprint)
}

fn program_schedule(options: &VerifyOptions, loaded: &Loaded, found: &Schedule) -> Option<ProgramSchedule> {
    match build(options, loaded, found) {
        Ok(schedule) => Some(schedule),
        Err(error) => {
            output::error(&format!("error: schedule {} cannot be written: {}", found.number, error.what));
            None
        }
    }
}

fn keep(path: &Path, text: &str) -> Option<String> {
    match whole_file::write(path, text) {
        Ok(()) => Some(path.display().to_string()),
        Err(error) => {
            output::error(&format!("error: cannot write `{}`: {error}", path.display()));
            None
        }
    }
}

/// Draws a schedule and its tree: as text for graphviz, and as a picture if graphviz is there.
fn draw(options: &VerifyOptions, loaded: &Loaded, found: &Schedule, folder: &Path) {
    let mut drawings = vec![("tree", schedule::dot::art(&loaded.program, &found.art))];
    if let Some(schedule) = program_schedule(options, loaded, found) {
        drawings.push(("schedule", schedule::dot::schedule(&loaded.program, &schedule)));
    }
    for (what, text) in drawings {
        let path = folder.join(format!("{what}-{}.dot", found.number));
        if keep(&path, &text).is_none() {
            return;
        }
        let picture = path.with_extension("svg");
        let drawn =
            std::process::Command::new("dot").arg("-Tsvg").arg("-o").arg(&picture).arg(&path).status();
        if drawn.is_err() && found.number == 1 {
            output::error("warning: there is no `dot` to draw with\nhelp: install graphviz");
        }
    }
}

pub(crate) fn failed(loaded: &Loaded, color: ColorName, error: impact::Error) -> Failure {
    match error {
        impact::Error::Unsupported(unsupported) => {
            let message = format!("this program cannot be verified: {}", unsupported.what);
            match unsupported.span {
                Some(span) => {
                    Failure::Input(rendered(&loaded.map, &[Diagnostic::error(span, message)], color))
                }
                None => Failure::Input(format!("error: {message}")),
            }
        }
        other => Failure::Internal(other.to_string()),
    }
}
