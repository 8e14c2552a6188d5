//! `raddle explore`.

use std::path::Path;
use std::time::Duration;

use engine::{
    Budget, Checks, Config, Fairness, Input, Limits, Observer, Outcome, Scheduler, SearchOrder, SwitchAt,
    Verdict, Witness,
};
use report::{Cost, Report};

use crate::args::{ExploreOptions, FairnessName, Kind, SchedulerName, SearchName, SwitchName};
use crate::failure::{Failure, NOTHING_WRONG, UNDECIDED, VIOLATION};
use crate::interrupt::on_interrupt;
use crate::load::{Loaded, load};
use crate::outside::{Outside, machine_memory, peak_memory};
use crate::{output, witness_file};

/// The memory budget unless the user says otherwise or the machine is small.
const DEFAULT_MEMORY: u64 = 4_000_000_000;

/// Explores a program and tells what came out.
pub(crate) fn run(options: &ExploreOptions, mut outside: Outside) -> Result<u8, Failure> {
    let config = config(options)?;
    if let Some(witness) = &options.witness
        && !witness_file::folder(witness).is_dir()
    {
        let folder = witness_file::folder(witness).display();
        return Err(Failure::Input(format!("error: there is no folder `{folder}` to write the witness to")));
    }
    let cancel = on_interrupt();
    let loaded = load(&options.file, options.entry.as_deref(), options.output.color, options.output.quiet)?;
    let load_time = outside.now();
    if !options.output.quiet {
        outside.show_progress();
    }
    let outcome = engine::explore(&loaded.program, &config, &budget(options), &cancel, &mut outside);
    outside.hide_progress();
    let outcome = outcome.map_err(|disagreement| Failure::Internal(disagreement.to_string()))?;
    let witnesses = write_witnesses(options, &config, &loaded, &outcome);
    let input = options.file.display().to_string();
    let report = Report {
        command: "explore",
        input: &input,
        program: &loaded.program,
        map: &loaded.map,
        verdict: &outcome.verdict,
        bounds: &outcome.bounds,
        checks: config.checks,
        incomplete: outcome.incomplete.as_ref(),
        valuations: outcome.valuations.as_deref(),
        figures: Some(outcome.figures),
        attempts: &[],
        cost: Cost { total: outside.now(), load: load_time, peak_memory: peak_memory() },
        witnesses: &witnesses,
    };
    output::write(&report, options.output)?;
    Ok(match outcome.verdict {
        Verdict::Safe(_) | Verdict::SafeWithin(..) => NOTHING_WRONG,
        Verdict::Unsafe(_) => VIOLATION,
        Verdict::Unknown(_) => UNDECIDED,
    })
}

fn config(options: &ExploreOptions) -> Result<Config, Failure> {
    let scheduler = match (options.scheduler, options.delays) {
        (SchedulerName::All, None) => Scheduler::All,
        (SchedulerName::All, Some(_)) => {
            let text = "error: --delays needs a delay-bounding scheduler\nhelp: add --scheduler df or dfw";
            return Err(Failure::Input(text.to_owned()));
        }
        (SchedulerName::Df, delays) => Scheduler::Df(delays.unwrap_or(2)),
        (SchedulerName::Dfw, delays) => Scheduler::Dfw(delays.unwrap_or(2)),
    };
    let small = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
    Ok(Config {
        scheduler,
        switch_at: match options.switch_at {
            SwitchName::Visible => SwitchAt::Visible,
            SwitchName::Yield => SwitchAt::Yield,
        },
        int_range: options.int_range,
        checks: checks(options, scheduler)?,
        order: match options.search {
            SearchName::Bfs => SearchOrder::BreadthFirst,
            SearchName::Dfs => SearchOrder::DepthFirst,
        },
        reduction: !options.no_reduction,
        limits: Limits { threads: small(options.max_threads), frames: small(options.max_frames) },
        valuations: options.values,
        most_violations: small(options.violations),
    })
}

/// A delay-bounding scheduler leaves schedules out on purpose: what no schedule does says nothing there, so only
/// failing steps can be looked for.
fn checks(options: &ExploreOptions, scheduler: Scheduler) -> Result<Checks, Failure> {
    let asked = |kind: Kind| options.check.contains(&kind);
    let default = options.check.is_empty();
    let fairness = options.fairness.map(|fairness| match fairness {
        FairnessName::Strong => Fairness::Strong,
        FairnessName::Weak => Fairness::Weak,
        FairnessName::None => Fairness::None,
    });
    let delaying = scheduler != Scheduler::All;
    let impossible = [
        (asked(Kind::Deadlock), "deadlocks"),
        (asked(Kind::Race), "races"),
        (asked(Kind::NonTermination) || fairness.is_some(), "non-termination"),
    ];
    if let Some((_, what)) = impossible.iter().find(|(asked, _)| delaying && *asked) {
        return Err(Failure::Input(format!(
            "error: {what} cannot be looked for under a delay-bounding scheduler\nhelp: use --scheduler all"
        )));
    }
    Ok(Checks {
        assertions: default || asked(Kind::Assertion),
        memory: asked(Kind::Memory),
        deadlocks: (default && !delaying) || asked(Kind::Deadlock),
        races: asked(Kind::Race),
        non_termination: fairness.or(asked(Kind::NonTermination).then_some(Fairness::Strong)),
    })
}

fn budget(options: &ExploreOptions) -> Budget {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "positive and below 2^60")]
    let asked = options.memory.map(|gigabytes| (gigabytes * 1e9) as u64);
    let default = machine_memory().map_or(DEFAULT_MEMORY, |all| DEFAULT_MEMORY.min(all / 2));
    Budget { time: options.timeout.map(Duration::from_secs_f64), memory: Some(asked.unwrap_or(default)) }
}

/// Writes a witness per violation. One that cannot be written does not take away the answer.
fn write_witnesses(
    options: &ExploreOptions,
    config: &Config,
    loaded: &Loaded,
    outcome: &Outcome,
) -> Vec<String> {
    let Some(path) = &options.witness else { return Vec::new() };
    let mut written = Vec::new();
    for (at, finding) in outcome.verdict.findings().iter().enumerate() {
        let path = witness_file::numbered(path, at);
        let file = witness_file::name_of_program(&path, Path::new(&options.file));
        let input = Input { file, sha256: loaded.sha256.clone() };
        let producer = format!("raddle {}", env!("CARGO_PKG_VERSION"));
        let witness = Witness::new(producer, input, options.entry.clone(), config, finding, &loaded.map);
        if let Err(error) = witness_file::write(&path, &witness) {
            output::error(&format!("error: cannot write the witness `{}`: {error}", path.display()));
            break;
        }
        written.push(path.display().to_string());
    }
    written
}
