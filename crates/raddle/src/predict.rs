//! `raddle predict`.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use engine::{
    Bounds, Checks, Config, CutAt, Exhausted, Limits, Observer, Proof, Reason, Scheduler, SwitchAt, Verdict,
};
use interp::{End, Schedule, Simulation};
use ir::ProcId;
use predict::{Method, Options, Origin, Outcome};
use report::{Cost, Predicted, Report, Transaction};

use crate::args::{MethodName, PredictKind, PredictOptions};
use crate::failure::{Failure, exit_code};
use crate::interrupt::on_interrupt;
use crate::load::{Loaded, load};
use crate::output;
use crate::outside::{Outside, budget, peak_memory};
use crate::witness_file::{self, Told};

/// How often the memory is looked at: every so many questions.
const MEMORY_EVERY: u64 = 16;

/// Makes a run and tells what other orders of its events violate.
pub(crate) fn run(options: &PredictOptions, mut outside: Outside) -> Result<u8, Failure> {
    witness_file::check_folder(options.witness.as_deref())?;
    options.solver.prepare()?;
    let cancel = on_interrupt();
    let flags = options.program.flags();
    let mut sources = options.program.sources(&flags, None);
    sources.building.transactions = true;
    let loaded = load(sources, options.output.color, options.output.quiet)?;
    let load_time = outside.now();
    if !options.output.quiet {
        outside.show_progress();
    }
    let config = config(options);
    let atomic = procedures(&loaded, &options.atomic)?;
    let simulation = simulate(options, &loaded, &config);
    let budget = budget(options.budget);
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
        let now = outside.now();
        if let Some(reason) = budget.check(now, memory, &cancel) {
            exhausted.set(Some(reason));
            return None;
        }
        let time = budget.time.map(|limit| limit.saturating_sub(now).max(Duration::from_millis(1)));
        Some(smt::Limits { time, memory: budget.memory, cancel: Some(cancel.flag().clone()) })
    };
    let mut solver = options.solver.make("predict-");
    let how = Options {
        method: match options.method {
            MethodName::Symbolic => Method::Symbolic,
            MethodName::Lockset => Method::Lockset,
        },
        atomic,
        window: small(options.window),
    };
    let outcome = predict::predict(&loaded.program, &config, &simulation.run, &how, &mut *solver, &mut watch);
    let mut outside = outside.into_inner();
    outside.hide_progress();
    let mut outcome = outcome.map_err(|error| Failure::Internal(error.to_string()))?;
    outcome.notes.extend(ending(&simulation));
    let verdict = verdict(&outcome, &simulation, how.method, exhausted.get());
    let told = Told { witness: options.witness.as_deref(), sources };
    let witnesses = witness_file::write_all(told, &config, &loaded, verdict.findings());
    let input = sources.shown();
    let bounds = Bounds {
        int_range: None,
        limits: Some(config.limits),
        unroll: None,
        scheduler: Scheduler::All,
        rounds: None,
        switch_at: SwitchAt::Visible,
        touched: Vec::new(),
    };
    let predicted = predicted(options, &simulation, &outcome, how.method);
    let incomplete = outcome.incomplete.as_ref().filter(|_| matches!(verdict, Verdict::Unsafe(_)));
    let report = Report {
        command: "predict",
        input: &input,
        program: &loaded.program,
        map: &loaded.map,
        verdict: &verdict,
        bounds: &bounds,
        checks: config.checks,
        incomplete,
        valuations: None,
        figures: None,
        attempts: &[],
        schedules: &[],
        tree: None,
        predicted: Some(&predicted),
        cost: Cost { total: outside.now(), load: load_time, peak_memory: peak_memory() },
        witnesses: &witnesses,
        compiled: None,
    };
    output::write(&report, options.output)?;
    Ok(exit_code(&verdict))
}

fn small(n: u64) -> usize {
    usize::try_from(n).unwrap_or(usize::MAX)
}

fn config(options: &PredictOptions) -> Config {
    let asked = |kind: PredictKind| options.check.contains(&kind);
    let default = options.check.is_empty();
    let is_c = options.program.is_c();
    let checks = Checks {
        atomicity: default || asked(PredictKind::Atomicity),
        assertions: default || asked(PredictKind::Assertion),
        memory: (default && is_c) || asked(PredictKind::Memory),
        deadlocks: default || asked(PredictKind::Deadlock),
        // In Boogie every global is shared on purpose.
        races: (default && is_c) || asked(PredictKind::Race),
        non_termination: None,
        response: None,
    };
    let threads = small(options.max_threads.unwrap_or(63));
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

fn simulate(options: &PredictOptions, loaded: &Loaded, config: &Config) -> Simulation {
    let schedule = options.seed.map_or(Schedule::Oldest, Schedule::Random);
    interp::simulate(&loaded.program, config, schedule, small(options.max_steps))
}

/// What there is to say of how the run ended.
fn ending(simulation: &Simulation) -> Option<String> {
    match &simulation.end {
        End::Completed | End::Violation(..) => None,
        End::Discarded(_) => Some("the run ends where an assume does not hold".to_owned()),
        End::Cut(cut, _) => Some(format!("the run ends early: {cut}")),
        End::TooLong => Some("the run is longer than --max-steps allows, and was ended".to_owned()),
    }
}

fn predicted(
    options: &PredictOptions,
    simulation: &Simulation,
    outcome: &Outcome,
    method: Method,
) -> Predicted {
    let how = match options.seed {
        Some(seed) => format!("a random scheduler with seed {seed}"),
        None => "a scheduler that lets each thread run until it is blocked".to_owned(),
    };
    let figures = outcome.figures;
    Predicted {
        run: format!("a run of {} steps, made by the interpreter under {how}", simulation.run.steps.len()),
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

fn verdict(
    outcome: &Outcome,
    simulation: &Simulation,
    method: Method,
    exhausted: Option<Exhausted>,
) -> Verdict {
    if !outcome.findings.is_empty() {
        return Verdict::Unsafe(outcome.findings.clone());
    }
    if let Some(reason) = &outcome.incomplete {
        return Verdict::Unknown(match (reason, exhausted) {
            (Reason::Exhausted(_), Some(exhausted)) => Reason::Exhausted(exhausted),
            (reason, _) => reason.clone(),
        });
    }
    if let End::Cut(cut, span) = &simulation.end {
        return Verdict::Unknown(Reason::Cut(vec![CutAt { cut: cut.clone(), at: None, span: *span }]));
    }
    if method == Method::Lockset && outcome.figures.after_locksets > 0 {
        let what =
            format!("{} potential violations that locks do not rule out", outcome.figures.after_locksets);
        return Verdict::Unknown(Reason::Unconfirmed(what));
    }
    Verdict::Safe(Proof::Unsatisfiable { queries: outcome.figures.queries })
}
