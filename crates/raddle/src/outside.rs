//! The clock, the memory of the process and of the machine, and the progress on a terminal.

use std::time::{Duration, Instant};

use engine::{Attempt, Budget, Cancel, Exhausted, Observer, Phase};
use indicatif::{HumanBytes, HumanCount, MultiProgress, ProgressBar, ProgressStyle};

use crate::args::BudgetOptions;
use crate::output;

/// What engines see of the outside.
pub(crate) struct Outside {
    start: Instant,
    bar: Option<ProgressBar>,
}

impl Outside {
    /// Starts the clock.
    pub(crate) fn start() -> Self {
        Outside { start: Instant::now(), bar: None }
    }

    /// The moment at which so much time has passed since the start, if it is limited.
    pub(crate) fn deadline(&self, limit: Option<Duration>) -> Option<Instant> {
        limit.and_then(|limit| self.start.checked_add(limit))
    }

    /// Starts a clock for one of several analyses, whose progress is shown among that of others.
    pub(crate) fn among(bars: Option<&MultiProgress>, name: &'static str) -> Self {
        let bar = bars.map(|bars| {
            let bar = bars.add(ProgressBar::new_spinner());
            bar.set_prefix(name);
            moving(bar, "{spinner} {prefix}: {msg}, {elapsed}")
        });
        Outside { start: Instant::now(), bar }
    }

    /// Says when the budget is used up, to those who read a program meanwhile.
    pub(crate) fn is_over(&self, budget: Budget, cancel: &Cancel) -> impl Fn() -> bool + use<> {
        let (start, cancel) = (self.start, cancel.clone());
        move || budget.check(start.elapsed(), 0, &cancel).is_some()
    }

    /// Why nothing was found out: the budget is used up.
    pub(crate) fn exhausted(&self, budget: &Budget, cancel: &Cancel) -> Exhausted {
        budget.check(self.now(), 0, cancel).unwrap_or(Exhausted::Cancelled)
    }

    /// Shows progress from now on, if there is a terminal.
    pub(crate) fn show_progress(&mut self) {
        if output::has_terminal() {
            self.bar = Some(moving(ProgressBar::new_spinner(), "{spinner} {msg}, {elapsed}"));
        }
    }

    /// Shows what is being done.
    pub(crate) fn doing(&self, what: &'static str) {
        if let Some(bar) = &self.bar {
            bar.set_message(what);
        }
    }

    /// Shows how far a search for schedules is.
    pub(crate) fn verifying(&mut self, nodes: u64, queries: u64) {
        if let Some(bar) = &self.bar {
            bar.set_message(format!(
                "verifying: {} nodes, {} queries",
                HumanCount(nodes),
                HumanCount(queries)
            ));
        }
    }

    /// Shows how far a prediction is.
    pub(crate) fn predicting(&mut self, window: usize, windows: usize, queries: u64) {
        if let Some(bar) = &self.bar {
            let window = window + 1;
            bar.set_message(format!(
                "predicting: window {window} of {windows}, {} queries",
                HumanCount(queries)
            ));
        }
    }

    /// Tells at once what was found, if there is a terminal; the report will tell it again.
    pub(crate) fn tell(&self, line: &str) {
        if let Some(bar) = &self.bar {
            bar.println(line);
        }
    }

    /// Removes the progress from the terminal.
    pub(crate) fn hide_progress(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

/// Progress that moves, also while there is nothing new to say.
fn moving(bar: ProgressBar, template: &str) -> ProgressBar {
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.set_message("starting");
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// Does something and shows meanwhile what that is, unless it is to be `quiet`.
pub(crate) fn while_doing<T>(what: &'static str, quiet: bool, work: impl FnOnce() -> T) -> T {
    let mut outside = Outside::start();
    if !quiet {
        outside.show_progress();
        outside.doing(what);
    }
    let done = work();
    outside.hide_progress();
    done
}

impl Observer for Outside {
    fn now(&self) -> Duration {
        self.start.elapsed()
    }

    fn memory(&self) -> Option<u64> {
        proc_field("/proc/self/status", "VmRSS:")
    }

    fn progress(&mut self, phase: Phase) {
        let Some(bar) = &self.bar else { return };
        bar.set_message(match phase {
            Phase::Explore(progress) => format!(
                "exploring: {} states, {} to expand, {}",
                HumanCount(progress.states as u64),
                HumanCount(progress.pending as u64),
                HumanBytes(progress.memory as u64)
            ),
            Phase::Solve(solving) => format!(
                "{}: {} queries, {} calls inlined",
                solving.rounds.map_or_else(|| solving.scheduler.to_string(), |rounds| rounds.to_string()),
                HumanCount(solving.queries),
                HumanCount(solving.inlined)
            ),
            Phase::Replay => "replaying what was found".to_owned(),
        });
    }

    fn attempted(&mut self, attempt: &Attempt) {
        if let Some(bar) = &self.bar {
            bar.println(report::attempt_line(attempt));
        }
    }
}

/// The most bytes of memory that this process had at once.
pub(crate) fn peak_memory() -> Option<u64> {
    proc_field("/proc/self/status", "VmHWM:")
}

/// The memory budget unless the user says otherwise or the machine is small.
const DEFAULT_MEMORY: u64 = 4_000_000_000;

/// What a command may use.
pub(crate) fn budget(options: BudgetOptions) -> Budget {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "positive and below 2^60")]
    let asked = options.memory.map(|gigabytes| (gigabytes * 1e9) as u64);
    let default = machine_memory().map_or(DEFAULT_MEMORY, |all| DEFAULT_MEMORY.min(all / 2));
    Budget { time: options.timeout.map(Duration::from_secs_f64), memory: Some(asked.unwrap_or(default)) }
}

/// What the next question to a solver may use.
///
/// # Errors
/// When the budget is used up.
pub(crate) fn solver_limits(
    budget: &Budget,
    now: Duration,
    memory: u64,
    cancel: &Cancel,
) -> Result<smt::Limits, Exhausted> {
    if let Some(reason) = budget.check(now, memory, cancel) {
        return Err(reason);
    }
    let time = budget.time.map(|limit| limit.saturating_sub(now).max(Duration::from_millis(1)));
    Ok(smt::Limits { time, memory: budget.memory, effort: None, cancel: Some(cancel.flag().clone()) })
}

/// The bytes of memory that the machine has.
fn machine_memory() -> Option<u64> {
    proc_field("/proc/meminfo", "MemTotal:")
}

/// A field in kB of a file of the kernel; nothing where there is no such file.
fn proc_field(file: &str, name: &str) -> Option<u64> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    kilobytes.checked_mul(1024)
}
