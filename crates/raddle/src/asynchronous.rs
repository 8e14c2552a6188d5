//! `raddle async`.

use engine::{Attempt, Cancel, Checks, Config, Limits, Observer};
use search::{Effort, Options, Outcome, Scheduler};

use crate::answer::{Answer, Reading};
use crate::args::{AsyncOptions, DelayingName};
use crate::failure::Failure;
use crate::interrupt::on_interrupt;
use crate::load::search_failed;
use crate::output;
use crate::outside::{Outside, budget};
use crate::witness_file::{self, Told};

/// Searches a program with more and more delays and tells what came out.
pub(crate) fn run(options: &AsyncOptions, outside: Outside) -> Result<u8, Failure> {
    answer(options, outside, &on_interrupt())?.tell(&options.output)
}

/// Searches a program with more and more delays.
pub(crate) fn answer(
    options: &AsyncOptions,
    mut outside: Outside,
    cancel: &Cancel,
) -> Result<Answer, Failure> {
    witness_file::check_folder(options.witness.as_deref(), &options.program.files)?;
    output::check_folder(&options.output)?;
    let solvers = options.solver.prepare()?;
    let flags = options.program.flags();
    let sources = options.program.sources(&flags, None);
    let budget = budget(options.budget);
    let checks = Checks { deadlocks: false, ..Checks::default() };
    let reading = Reading { command: "async", checks, output: &options.output, budget: &budget, cancel };
    let loaded = match reading.of(sources, false, &mut outside)? {
        Ok(loaded) => loaded,
        Err(unread) => return Ok(*unread),
    };
    let load_time = outside.now();
    let small = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
    let limits =
        Limits { threads: small(options.max_threads.unwrap_or(100_000)), frames: small(options.max_frames) };
    let config = Config { limits, ..Config::default() };
    let search = |scheduler, outside: &mut Outside| {
        let name = match scheduler {
            Scheduler::Df => "df",
            Scheduler::Dfw => "dfw",
        };
        let mut solver = |delays| solvers.make(&format!("{name}{delays}-"));
        let mut what = Options {
            scheduler,
            delays: options.delays,
            switch_at: options.switch_at.into(),
            unroll: options.unroll,
            states: small(options.states),
            // Large formulas are often easy here.
            easy: Effort { formulas: u32::MAX, ..Effort::default() },
            config,
            solver: &mut solver,
        };
        search::delay_bounded(&loaded.program, &mut what, &budget, cancel, outside)
    };
    let outcome = match (options.compare, options.scheduler) {
        (true, _) => search(Scheduler::Df, &mut outside)
            .and_then(|df| search(Scheduler::Dfw, &mut outside).map(|dfw| compared(df, dfw))),
        (false, DelayingName::Df) => search(Scheduler::Df, &mut outside),
        (false, DelayingName::Dfw) => search(Scheduler::Dfw, &mut outside),
    };
    outside.hide_progress();
    solvers.agree(options.output.quiet)?;
    let outcome = outcome.map_err(|failure| {
        search_failed(
            &loaded,
            options.output.color,
            "cannot be searched with a delay-bounding scheduler",
            failure,
        )
    })?;
    let told = Told { witness: options.witness.as_deref(), sources };
    let witnesses = witness_file::write_all(told, &outcome.config, &loaded, outcome.verdict.findings());
    let (verdict, bounds) = (outcome.verdict, outcome.bounds);
    let mut answer = Answer::new("async", sources.shown(), loaded, checks, verdict, bounds);
    answer.attempts = outcome.attempts;
    answer.witnesses = witnesses;
    Ok(answer.took(&outside, load_time))
}

/// The better answer of two, with the attempts of both: a violation with fewer delays, else one at all, else the
/// one of DFW.
fn compared(df: Outcome, dfw: Outcome) -> Outcome {
    let attempts: Vec<Attempt> = df.attempts.iter().chain(&dfw.attempts).copied().collect();
    let found = |outcome: &Outcome| !outcome.verdict.findings().is_empty();
    let delays = |outcome: &Outcome| match outcome.config.scheduler {
        engine::Scheduler::Df(delays) | engine::Scheduler::Dfw(delays) => delays,
        engine::Scheduler::All => u32::MAX,
    };
    let better = if found(&df) && (!found(&dfw) || delays(&df) < delays(&dfw)) { df } else { dfw };
    Outcome { attempts, ..better }
}
