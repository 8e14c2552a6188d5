//! `raddle live`.

use engine::{Cancel, Checks, Config, Fairness, Limits, Observer, Rounds, Verdict};
use source::Diagnostic;

use crate::answer::{Answer, Reading};
use crate::args::LiveOptions;
use crate::failure::Failure;
use crate::interrupt::on_interrupt;
use crate::load::{rendered, search_failed};
use crate::output;
use crate::outside::{Outside, budget};
use crate::witness_file::{self, Told};

/// Searches a program for fair infinite executions, with more and more rounds, and tells what came out.
pub(crate) fn run(options: &LiveOptions, outside: Outside) -> Result<u8, Failure> {
    answer(options, outside, &on_interrupt())?.tell(&options.output)
}

/// Searches a program for fair infinite executions.
pub(crate) fn answer(
    options: &LiveOptions,
    mut outside: Outside,
    cancel: &Cancel,
) -> Result<Answer, Failure> {
    witness_file::check_folder(options.witness.as_deref(), &options.program.files)?;
    output::check_folder(&options.output)?;
    let solvers = options.solver.prepare()?;
    let flags = options.program.flags();
    let mut sources = options.program.sources(&flags, options.responds.as_deref());
    // Otherwise no state comes again after an allocation.
    sources.building.reuse = true;
    let sources = sources;
    let budget = budget(options.budget);
    let fairness = Fairness::from(options.fairness);
    let checks = Checks {
        assertions: false,
        memory: false,
        deadlocks: false,
        races: false,
        non_termination: Some(fairness),
        response: None,
        atomicity: false,
    };
    let reading = Reading { command: "live", checks, output: &options.output, budget: &budget, cancel };
    let loaded = match reading.of(sources, false, &mut outside)? {
        Ok(loaded) => loaded,
        Err(unread) => return Ok(*unread),
    };
    let checks = Checks { response: loaded.response, ..checks };
    let load_time = outside.now();
    let small = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
    let limits =
        Limits { threads: small(options.max_threads.unwrap_or(63)), frames: small(options.max_frames) };
    let mut made = 0;
    let mut solver = || {
        made += 1;
        solvers.make(&format!("live{}-", made - 1))
    };
    let mut what = search::LiveOptions {
        rounds: Rounds { stem: options.stem, lasso: options.lasso },
        fairness,
        unroll: options.unroll,
        states: small(options.states),
        easy: search::Effort::default(),
        config: Config { limits, checks, ..Config::default() },
        solver: &mut solver,
    };
    let outcome = search::live(&loaded.program, &mut what, &budget, cancel, &mut outside);
    outside.hide_progress();
    solvers.agree(options.output.quiet)?;
    let outcome = outcome.map_err(|failure| {
        search_failed(&loaded, options.output.color, "cannot be searched for infinite executions", failure)
    })?;
    if matches!(outcome.verdict, Verdict::SafeWithin(..)) && !options.output.quiet {
        let warn = |gap: &search::Gap| Diagnostic::warning(gap.span, gap.what.clone());
        let warnings: Vec<Diagnostic> = outcome.gaps.iter().map(warn).collect();
        if !warnings.is_empty() {
            output::error(&rendered(&loaded.map, &warnings, options.output.color));
        }
    }
    let told = Told { witness: options.witness.as_deref(), sources };
    let witnesses = witness_file::write_all(told, &outcome.config, &loaded, outcome.verdict.findings());
    let (verdict, bounds) = (outcome.verdict, outcome.bounds);
    let mut answer = Answer::new("live", sources.shown(), loaded, checks, verdict, bounds);
    answer.attempts = outcome.attempts;
    answer.witnesses = witnesses;
    Ok(answer.took(&outside, load_time))
}
