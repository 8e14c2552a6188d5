//! `raddle run`: a program on a safe schedule.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, ExitStatus};

use engine::{Checks, Config, Observer, SwitchAt};
use impact::{Event, Options, Pace, Until};
use rustc_hash::FxHashSet;
use schedule::{Level, Origin, ProgramSchedule};
use source::SourceMap;
use trace::table::{Goal, Table};

use crate::args::{OnDivergence, RunOptions};
use crate::executable::{self, Executable, Gates};
use crate::failure::Failure;
use crate::interrupt::{leave_to, on_interrupt};
use crate::load::{Compiled, Loaded, load, rendered};
use crate::outside::{Outside, budget, solver_limits, while_doing};
use crate::{output, verify};

/// Builds a program, and runs it under a schedule. The exit code is that of the program.
pub(crate) fn run(options: &RunOptions, outside: &Outside) -> Result<u8, Failure> {
    let flags = options.program.flags();
    let sources = options.program.sources(&flags, None);
    if !options.program.is_c() {
        let text = "error: only programs in C and C++ can be run\nhelp: `raddle verify` finds the schedules of others";
        return Err(Failure::Input(text.to_owned()));
    }
    if options.on_divergence == OnDivergence::Continue && options.opt.is_some_and(|level| level > 0) {
        let text = "error: a program can only go on without its schedule if it has taken all of its locks, and above level 0 it may leave \
                    some out\nhelp: use `--opt 0`, or leave out --opt";
        return Err(Failure::Input(text.to_owned()));
    }
    let loaded = load(sources, options.color, options.quiet)?;
    let Some(compiled) = &loaded.compiled else {
        return Err(Failure::Internal("a program in C has no modules".to_owned()));
    };
    let schedule = match &options.schedule {
        Some(path) => read(path, &loaded, options)?,
        None => find(options, &loaded, outside)?,
    };
    let mut table =
        schedule::enforcement(&loaded.program, &schedule, &origins(compiled)).map_err(|what| {
            Failure::Input(format!("error: the schedule cannot be enforced on the compiled program: {what}"))
        })?;
    table.goal = match options.on_divergence {
        OnDivergence::Abort => Goal::Enforce,
        OnDivergence::Continue => Goal::EnforceOrContinue,
    };
    if table.goal == Goal::EnforceOrContinue && !table.omitted.is_empty() {
        let text = "error: the schedule leaves out locks or barriers, so the program could not go on without it\nhelp: make one that does \
                    not with `raddle verify --opt 0 --schedules DIR`";
        return Err(Failure::Input(text.to_owned()));
    }
    let removed = match schedule.level {
        Level::Sequential | Level::Relaxed => BTreeSet::new(),
        Level::Replicated => schedule::remove_unordered(&loaded.program, &origins(compiled), &mut table),
    };
    let none = FxHashSet::default();
    let build = || gated(&loaded, compiled, sources.files, &flags, &mut table, &removed, &none);
    let executable = while_doing("building the program", options.quiet, build)?;
    let file = compiled.scratch.path().join("schedule.table");
    std::fs::write(&file, table.encode())?;
    if let Some(kept) = &options.keep {
        let cannot = |error| Failure::Input(format!("error: cannot write `{}`: {error}", kept.display()));
        std::fs::copy(&executable.path, kept).map_err(cannot)?;
        let mut name = kept.clone().into_os_string();
        name.push(".schedule");
        std::fs::copy(&file, name).map_err(cannot)?;
    }
    let mut command = Command::new(&executable.path);
    command.args(&options.program.arguments).env("RADDLE_SCHEDULE", &file);
    command.env("RADDLE_PARENT", std::process::id().to_string());
    if let Some(progress) = options.progress {
        command.env("RADDLE_PROGRESS", progress.to_string());
    }
    let mut child = command
        .spawn()
        .map_err(|error| Failure::Input(format!("error: the program cannot be started: {error}")))?;
    leave_to(&child);
    Ok(exit_code(child.wait()?))
}

/// Where ops of a compiled program come from.
pub(crate) fn origins(compiled: &Compiled) -> impl Fn(ir::OpRef) -> Option<Origin> {
    |op| compiled.origins.get(&op).map(|origin| Origin { site: origin.site, fresh: origin.fresh })
}

/// Builds a program whose threads wait at all that others can see, but for what was removed, and that is told what calls at some sites
/// give. Completes the table with what it needs to know.
pub(crate) fn gated(
    loaded: &Loaded,
    compiled: &Compiled,
    names: &[std::path::PathBuf],
    flags: &[String],
    table: &mut Table,
    removed: &BTreeSet<u32>,
    given: &FxHashSet<u32>,
) -> Result<Executable, Failure> {
    let mut sites = schedule::visible_sites(&loaded.program, &origins(compiled), table);
    sites.retain(|site, _| !removed.contains(site));
    let executable = executable::build(
        compiled.scratch.path(),
        &compiled.modules,
        names,
        flags,
        Some(Gates { waits: &sites.keys().copied().collect(), given }),
    )?;
    table.modules.clone_from(&executable.modules);
    table.places = sites
        .into_iter()
        .map(|(site, span)| match engine::location_of(&loaded.map, span) {
            Some(place) => (site, format!("{}:{}:{}", place.file, place.line, place.column)),
            None => (site, format!("site {site}")),
        })
        .collect();
    Ok(executable)
}

/// What a shell would say.
pub(crate) fn exit_code(status: ExitStatus) -> u8 {
    use std::os::unix::process::ExitStatusExt;
    let code = status.code().or_else(|| status.signal().map(|signal| 128 + signal)).unwrap_or(255);
    u8::try_from(code & 0xff).unwrap_or(255)
}

fn read(path: &Path, loaded: &Loaded, options: &RunOptions) -> Result<ProgramSchedule, Failure> {
    let mut map = SourceMap::default();
    let shown = path.display();
    let file =
        map.read(path).map_err(|error| Failure::Input(format!("error: cannot read `{shown}`: {error}")))?;
    // Of a schedule of another program, that is all there is to say.
    let mut words = map.file(file).text().lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let made_for = words.find_map(|words| match words.as_slice() {
        ["program", "sha256", fingerprint, ..] => Some((*fingerprint).to_owned()),
        _ => None,
    });
    if made_for.is_some_and(|made_for| made_for != loaded.fingerprint()) {
        return Err(Failure::Input(format!(
            "error: `{shown}` is a schedule of another program, or of this one before it was changed or with other arguments\nhelp: \
             make a new one with `raddle verify --schedules DIR`"
        )));
    }
    schedule::text::parse(&map, file, &loaded.program)
        .map_err(|errors| Failure::Input(rendered(&map, &errors, options.color)))
}

/// Finds the first safe schedule.
fn find(options: &RunOptions, loaded: &Loaded, outside: &Outside) -> Result<ProgramSchedule, Failure> {
    let solvers = options.solver.prepare()?;
    let cancel = on_interrupt();
    let checks = Checks {
        assertions: true,
        memory: true,
        deadlocks: true,
        races: false,
        atomicity: false,
        non_termination: None,
        response: None,
    };
    let config = Config { checks, ..Config::default() };
    let budget = budget(options.budget);
    let exhausted = Cell::new(None);
    let (mut asked, mut memory) = (0, 0);
    let mut watch = |_: &impact::Statistics| {
        if asked % verify::MEMORY_EVERY == 0 {
            memory = outside.memory().unwrap_or(0);
        }
        asked += 1;
        let limits = solver_limits(&budget, outside.now(), memory, &cancel);
        limits.map_err(|reason| exhausted.set(Some(reason))).ok()
    };
    let mut solver = solvers.remembering("run-");
    let mut made = 0;
    let mut checker = || {
        made += 1;
        solvers.make(&format!("check{made}-"))
    };
    let mut found = None;
    let mut events = |event: Event<'_>| {
        if let Event::Schedule(schedule) = event
            && found.is_none()
        {
            let level = verify::level(options.opt.unwrap_or(match options.on_divergence {
                OnDivergence::Abort => 2,
                OnDivergence::Continue => 0,
            }));
            let fingerprint = loaded.fingerprint();
            found = Some(
                ProgramSchedule::new(&loaded.program, &schedule.art, SwitchAt::Visible, level, &fingerprint)
                    .map(|made| (made, schedule::summary(&loaded.program, &schedule.art))),
            );
        }
    };
    let what = Options { until: Until::FirstSchedule, max_schedules: 1, pace: Pace::Long };
    let outcome = while_doing("looking for a safe schedule", options.quiet, || {
        impact::verify(&loaded.program, &config, &what, &mut *solver, &mut watch, &mut checker, &mut events)
    });
    solvers.agree(options.quiet)?;
    let outcome = outcome.map_err(|error| verify::failed(loaded, options.color, error))?;
    match found {
        Some(Ok((schedule, summary))) => {
            if !options.quiet {
                output::error(&format!("raddle: safe schedule: {summary}"));
            }
            Ok(schedule)
        }
        Some(Err(error)) => {
            Err(Failure::Input(format!("error: the schedule cannot be used: {}", error.what)))
        }
        None => {
            if matches!(outcome.verdict, impact::Verdict::Safe(_)) {
                let text = "error: no schedule to keep the program on was found, but all of its schedules are proven safe\nhelp: run \
                            the program as it is";
                return Err(Failure::Input(text.to_owned()));
            }
            let why = match (&outcome.verdict, exhausted.get()) {
                (_, Some(exhausted)) => report::reason_sentence(&engine::Reason::Exhausted(exhausted)),
                (impact::Verdict::Unsafe, _) => "every schedule goes wrong".to_owned(),
                (impact::Verdict::Unknown(reason), _) => report::reason_sentence(reason),
                _ => "none was found".to_owned(),
            };
            Err(Failure::Input(format!(
                "error: there is no safe schedule to run the program on: {why}\nhelp: `raddle verify` tells more"
            )))
        }
    }
}
