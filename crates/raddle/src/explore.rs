//! `raddle explore`.

use engine::{
    Cancel, Checks, Config, Fairness, Limits, Observer, Reason, Scheduler, SearchOrder, Touched, Verdict,
};

use crate::answer::{Answer, Reading};
use crate::args::{ExploreOptions, Kind, SchedulerName, SearchName};
use crate::failure::Failure;
use crate::interrupt::on_interrupt;
use crate::load::Sources;
use crate::outside::{Outside, budget};
use crate::witness_file::{self, Told};
use crate::{output, wakeups};

/// Explores a program and tells what came out.
pub(crate) fn run(options: &ExploreOptions, outside: Outside) -> Result<u8, Failure> {
    answer(options, outside, &on_interrupt())?.tell(&options.output)
}

/// Explores a program.
pub(crate) fn answer(
    options: &ExploreOptions,
    mut outside: Outside,
    cancel: &Cancel,
) -> Result<Answer, Failure> {
    let config = config(options)?;
    witness_file::check_folder(options.witness.as_deref(), &options.program.files)?;
    output::check_folder(&options.output)?;
    let flags = options.program.flags();
    let sources = options.program.sources(&flags, options.responds.as_deref());
    wakeups::answer(&options.program, sources, config, |sources, config, again| {
        explored(options, &mut outside, cancel, sources, config, again)
    })
}

/// Explores a program that is read in one way.
fn explored(
    options: &ExploreOptions,
    outside: &mut Outside,
    cancel: &Cancel,
    sources: Sources<'_>,
    mut config: Config,
    again: bool,
) -> Result<Answer, Failure> {
    let budget = budget(options.budget);
    let checks = config.checks;
    let reading = Reading { command: "explore", checks, output: &options.output, budget: &budget, cancel };
    let loaded = match reading.of(sources, again, outside)? {
        Ok(loaded) => loaded,
        Err(unread) => return Ok(*unread),
    };
    config.checks.response = loaded.response;
    let load_time = outside.now();
    let outcome = engine::explore(&loaded.program, &config, &budget, cancel, outside);
    outside.hide_progress();
    let mut outcome = outcome.map_err(|disagreement| Failure::Internal(disagreement.to_string()))?;
    // An `int` of C has all its values; that a few of them are enough is for the user to say.
    if options.program.is_c()
        && options.int_range.is_none()
        && outcome.bounds.touched.contains(&Touched::IntRange)
        && matches!(outcome.verdict, Verdict::SafeWithin(..))
    {
        outcome.verdict = Verdict::Unknown(Reason::Sampled(config.int_range));
    }
    let told = Told { witness: options.witness.as_deref(), sources };
    let witnesses = witness_file::write_all(told, &config, &loaded, outcome.verdict.findings());
    let mut answer =
        Answer::new("explore", sources.shown(), loaded, config.checks, outcome.verdict, outcome.bounds);
    answer.incomplete = outcome.incomplete;
    answer.valuations = outcome.valuations;
    answer.figures = Some(outcome.figures);
    answer.witnesses = witnesses;
    Ok(answer.took(outside, load_time))
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
        switch_at: options.switch_at.into(),
        int_range: options.int_range.unwrap_or_default(),
        checks: checks(options, scheduler)?,
        order: match options.search {
            SearchName::Bfs => SearchOrder::BreadthFirst,
            SearchName::Dfs => SearchOrder::DepthFirst,
        },
        reduction: !options.no_reduction,
        limits: Limits {
            threads: small(options.max_threads.unwrap_or(32)),
            frames: small(options.max_frames),
        },
        valuations: options.values,
        most_violations: small(options.violations),
    })
}

/// A delay-bounding scheduler leaves schedules out on purpose: what no schedule does says nothing there, so only
/// failing steps can be looked for.
fn checks(options: &ExploreOptions, scheduler: Scheduler) -> Result<Checks, Failure> {
    let asked = |kind: Kind| options.check.contains(&kind);
    let default = options.check.is_empty();
    let fairness = options.fairness.map(Fairness::from);
    let delaying = scheduler != Scheduler::All;
    let infinite = asked(Kind::NonTermination) || options.responds.is_some();
    let impossible = [
        (asked(Kind::Deadlock), "deadlocks"),
        (asked(Kind::Race), "races"),
        (infinite || fairness.is_some(), "non-termination"),
    ];
    if let Some((_, what)) = impossible.iter().find(|(asked, _)| delaying && *asked) {
        return Err(Failure::Input(format!(
            "error: {what} cannot be looked for under a delay-bounding scheduler\nhelp: use --scheduler all"
        )));
    }
    Ok(Checks {
        assertions: default || asked(Kind::Assertion),
        memory: (default && options.program.is_c()) || asked(Kind::Memory),
        deadlocks: (default && !delaying) || asked(Kind::Deadlock),
        races: asked(Kind::Race),
        non_termination: fairness.or(infinite.then_some(Fairness::Strong)),
        response: None,
        atomicity: false,
    })
}
