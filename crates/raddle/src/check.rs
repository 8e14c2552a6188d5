//! `raddle check`: every analysis that applies, within one budget, told on one page.
//!
//! Each analysis is a command line, the one that the user would give for it alone. Those that are cheap come first; those that
//! could only repeat what is known by then are left out.

mod facts;
mod merge;
mod plan;

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use engine::{Budget, Cancel, Observer, Verdict};
use indicatif::MultiProgress;
use llvm::Patience;
use report::{CheckVerdict, Checked, Cost, Outcome, Problem, Refuge};

use crate::answer::Answer;
use crate::args::{Arguments, CheckOptions, Command, Format};
use crate::check::facts::Facts;
use crate::check::merge::{Merged, merge};
use crate::check::plan::{Plan, Step};
use crate::executable::UNLINKED;
use crate::failure::{Failure, NOTHING_WRONG, UNDECIDED, VIOLATION};
use crate::forced::{Force, Forced};
use crate::interrupt::on_interrupt;
use crate::load::load;
use crate::output::Formats;
use crate::outside::{Outside, peak_memory};
use crate::{STACK, asynchronous, explore, live, output, predict, verify, witness_file};

/// How many seconds all of it may take, unless the user says so.
const TIMEOUT: f64 = 60.0;
/// How long a compiled program may take that a violation is forced on.
const PATIENCE: Duration = Duration::from_secs(10);
/// The part of the time that is kept for that.
const FOR_FORCING: f64 = 0.1;
/// So many violations are tried on the compiled program.
const MOST_FORCED: usize = 10;
/// In less time than this nothing is worth beginning.
const TOO_LATE: Duration = Duration::from_millis(300);

/// Runs what applies and tells what came out.
pub(crate) fn run(options: &CheckOptions, outside: &Outside) -> Result<u8, Failure> {
    output::check_folder(&options.output)?;
    if let Some(folder) = &options.keep {
        std::fs::create_dir_all(folder).map_err(|error| {
            Failure::Input(format!("error: cannot make the folder `{}`: {error}", folder.display()))
        })?;
    }
    let cancel = on_interrupt();
    let flags = options.program.flags();
    let total = Duration::from_secs_f64(options.budget.timeout.unwrap_or(TIMEOUT));
    let budget = Budget { time: Some(total), ..Budget::default() };
    let is_over = outside.is_over(budget, &cancel);
    let mut sources = options.program.sources(&flags, None);
    sources.building.patience = Patience::until(&is_over);
    let loaded = load(sources, options.output.color, options.output.quiet)?;
    let input = sources.shown();
    let plan = Plan { options, flags: &flags, facts: Facts::of(&loaded.program) };
    // The analyses read what clang has made by now.
    let _built = loaded.compiled.map(|compiled| compiled.built);
    let forces = options.program.is_c() && !options.no_run;
    let work = Work {
        plan: &plan,
        cancel: &cancel,
        clock: outside,
        limit: if forces { total.mul_f64(1.0 - FOR_FORCING) } else { total },
        workers: workers(options),
        bars: (output::has_terminal() && !options.output.quiet).then(MultiProgress::new),
        board: Mutex::new(Board { waiting: Step::ALL.to_vec(), done: BTreeMap::new() }),
        changed: Condvar::new(),
    };
    work.run();
    let done = work.board.into_inner().unwrap_or_else(PoisonError::into_inner).done;
    let answered: Vec<(Step, &Answer)> = done
        .iter()
        .filter_map(|(step, done)| done.outcome.as_ref().ok().map(|answer| (*step, answer)))
        .collect();
    let answers: Vec<&Answer> = answered.iter().map(|(_, answer)| *answer).collect();
    let merged = merge(&answers);
    let force = Force {
        names: &options.program.files,
        flags: &flags,
        arguments: &options.program.arguments,
        rounds: 10,
        patience: PATIENCE,
        deadline: outside.deadline(Some(total)),
        gdb: false,
        silent: true,
        progress: false,
        cancel: Some(&cancel),
    };
    let mut forcing = Outside::start();
    if forces && !merged.is_empty() && !options.output.quiet {
        forcing.show_progress();
        forcing.doing("trying it on the compiled program");
    }
    let forced = force_all(&force, forces, &answers, &merged);
    forcing.hide_progress();
    let forced = forced?;
    let witnesses = keep(options, &answers, &merged);
    let found: Vec<Found<'_>> = merged
        .iter()
        .zip(&forced)
        .zip(&witnesses)
        .map(|((merged, forced), witness)| Found {
            merged,
            forced: forced.as_ref(),
            witness: witness.as_deref(),
            command: merged.shown_by(&plan, &answered),
        })
        .collect();
    let (suspicions, problems): (Vec<&Found<'_>>, Vec<&Found<'_>>) =
        found.iter().partition(|found| found.merged.is_suspicion);
    let refuge_command = refuge_command(options, &flags);
    let verdict = verdict(&done, !problems.is_empty());
    let checked = Checked {
        input: &input,
        verdict,
        problems: problems.iter().map(|found| found.problem(&answered)).collect(),
        suspicions: suspicions.iter().map(|found| found.problem(&answered)).collect(),
        refuge: refuge(&done, &refuge_command, problems.is_empty()),
        analyses: done
            .iter()
            .map(|(step, done)| report::Analysis {
                asks: step.asks(),
                command: &done.command,
                outcome: match &done.outcome {
                    Ok(answer) => Outcome::Answered(Box::new(answer.report())),
                    Err(Without::Skipped(why)) => Outcome::Skipped(why),
                    Err(Without::Refused(why)) => Outcome::Refused(why),
                },
            })
            .collect(),
        cost: Cost { total: outside.now(), load: Duration::ZERO, frontend: None, peak_memory: peak_memory() },
    };
    output::write_as(
        &options.output,
        &Formats {
            human: &|style| report::human_check(&checked, style),
            json: &|| report::json_check(&checked),
            sarif: &|| report::sarif_check(&checked),
            junit: &|| report::junit_check(&checked),
            short: &|| report::short_check(&checked),
        },
    )?;
    Ok(match verdict {
        CheckVerdict::Violations => VIOLATION,
        CheckVerdict::None => NOTHING_WRONG,
        CheckVerdict::Unknown => UNDECIDED,
    })
}

fn workers(options: &CheckOptions) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    options.jobs.map_or_else(cores, |jobs| usize::try_from(jobs).unwrap_or(1))
}

/// An analysis that has ended.
pub(crate) struct Done {
    /// The command that does the same.
    command: String,
    outcome: Result<Answer, Without>,
}

/// Why there is no answer.
enum Without {
    /// It was not asked.
    Skipped(String),
    /// It cannot be given.
    Refused(String),
}

/// What is to be done, and what was.
struct Board {
    waiting: Vec<Step>,
    done: BTreeMap<Step, Done>,
}

/// The analyses at work.
struct Work<'a> {
    plan: &'a Plan<'a>,
    cancel: &'a Cancel,
    /// The clock of all of it, which also counts what it took to read the program.
    clock: &'a Outside,
    /// What it may show when they have to be done.
    limit: Duration,
    workers: usize,
    bars: Option<MultiProgress>,
    board: Mutex<Board>,
    changed: Condvar,
}

impl Work<'_> {
    fn run(&self) {
        std::thread::scope(|scope| {
            for _ in 0..self.workers {
                let worker =
                    std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || self.work());
                if let Err(error) = worker {
                    output::error(&format!("warning: a thread could not be started: {error}"));
                }
            }
        });
    }

    /// A panic does not leave the board in disorder: it is changed in one go.
    fn board(&self) -> MutexGuard<'_, Board> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does what is to be done, until there is no more.
    fn work(&self) {
        let mut board = self.board();
        while !board.waiting.is_empty() {
            let ready = |step: &Step| step.after().is_none_or(|before| board.done.contains_key(&before));
            let Some(at) = board.waiting.iter().position(ready) else {
                board = self.changed.wait(board).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            let step = board.waiting.remove(at);
            let left = self.limit.saturating_sub(self.clock.now());
            let mut command = self.plan.command(step, &board.done);
            let without = if let Some(why) = self.plan.skips(step, &board.done) {
                Some(Without::Skipped(why))
            } else if self.cancel.is_cancelled() {
                Some(Without::Refused("it was interrupted before".to_owned()))
            } else if left < TOO_LATE {
                Some(Without::Refused("no time was left".to_owned()))
            } else {
                None
            };
            let outcome = match without {
                Some(without) => Err(without),
                None => {
                    // What comes later gets its share.
                    let share = u32::try_from(board.waiting.len() + 1).unwrap_or(u32::MAX);
                    let workers = u32::try_from(self.workers).unwrap_or(u32::MAX);
                    let most = if step.is_patient() { left.min(self.limit / 3) } else { left };
                    let slice = (left * workers.min(share) / share).min(most);
                    drop(board);
                    let mut outcome = self.answer(step, &command, slice);
                    if step == Step::Predict
                        && matches!(&outcome, Err(Without::Refused(why)) if why.starts_with(UNLINKED))
                    {
                        // The interpreter can still make a run of it.
                        command.splice(2..2, ["--simulate", "--no-run"].map(std::ffi::OsString::from));
                        outcome = self.answer(step, &command, slice);
                    }
                    board = self.board();
                    outcome
                }
            };
            board.done.insert(step, Done { command: plan::shown(&command), outcome });
            self.changed.notify_all();
        }
    }

    /// Runs one analysis, in a thread of its own: what goes wrong there does not take the others along.
    fn answer(&self, step: Step, command: &[std::ffi::OsString], slice: Duration) -> Result<Answer, Without> {
        let work = || -> Result<Answer, Failure> {
            let outside = Outside::among(self.bars.as_ref(), step.name());
            let arguments = self.plan.limited(step, command, slice);
            match Arguments::of(arguments)?.command {
                Command::Explore(options) => explore::answer(&options, outside, self.cancel),
                Command::Predict(options) => predict::answer(&options, outside, self.cancel),
                Command::Async(options) => asynchronous::answer(&options, outside, self.cancel),
                Command::Verify(mut options) => {
                    if output::wants_json(&self.plan.options.output) {
                        // Then schedules are drawn.
                        options.output.format = Format::Json;
                    }
                    verify::answer(&options, outside, self.cancel)
                }
                Command::Live(options) => live::answer(&options, outside, self.cancel),
                _ => Err(Failure::Internal("no analysis".to_owned())),
            }
        };
        std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
            match thread.map(std::thread::ScopedJoinHandle::join) {
                Ok(Ok(Ok(answer))) => Ok(answer),
                Ok(Ok(Err(failure))) => Err(Without::Refused(in_a_line(&failure.to_string()))),
                // The hook has told about it.
                Ok(Err(_)) => Err(Without::Refused("raddle failed; this is a bug in it".to_owned())),
                Err(error) => Err(Without::Refused(format!("a thread could not be started: {error}"))),
            }
        })
    }
}

/// What a message says, without the source that it shows.
fn in_a_line(message: &str) -> String {
    let line = message.lines().next().unwrap_or_default();
    line.strip_prefix("error: ").unwrap_or(line).to_owned()
}

/// A violation with all that is known of it.
struct Found<'a> {
    merged: &'a Merged,
    forced: Option<&'a Forced>,
    witness: Option<&'a str>,
    /// The command that shows it.
    command: String,
}

impl Merged {
    fn shown_by(&self, plan: &Plan<'_>, answered: &[(Step, &Answer)]) -> String {
        let (at, nth) = self.best;
        let (step, answer) = answered[at];
        let findings = answer.verdict.findings();
        let kind = findings[nth].kind();
        let several = findings.iter().filter(|finding| finding.kind() == kind).count() > 1;
        plan.showing(step, kind, several)
    }
}

impl Found<'_> {
    fn problem<'a>(&'a self, answered: &[(Step, &'a Answer)]) -> Problem<'a> {
        let (at, nth) = self.merged.best;
        let (_, answer) = answered[at];
        Problem {
            report: answer.report(),
            finding: &answer.verdict.findings()[nth],
            found_by: {
                let mut names: Vec<&str> =
                    self.merged.found_by.iter().map(|at| answered[*at].1.command).collect();
                names.dedup();
                names
            },
            compiled: self.forced.map(Forced::told),
            more: self.merged.more,
            witness: self.witness,
            command: &self.command,
        }
    }
}

/// Tries what was found on the compiled program, as far as that was not done.
fn force_all(
    force: &Force<'_>,
    forces: bool,
    answers: &[&Answer],
    merged: &[Merged],
) -> Result<Vec<Option<Forced>>, Failure> {
    let mut tried = 0;
    merged
        .iter()
        .map(|merged| {
            let (at, nth) = merged.best;
            let answer = answers[at];
            if let Some(Some(forced)) = answer.forced.get(nth) {
                return Ok(Some(forced.clone()));
            }
            let Some(compiled) = answer.loaded.compiled.as_ref().filter(|_| forces) else {
                return Ok(None);
            };
            if merged.is_suspicion || tried == MOST_FORCED {
                return Ok(None);
            }
            tried += 1;
            if let Some(why) = force.is_over() {
                return Ok(Some(Forced::not(why)));
            }
            force.run(&answer.loaded, compiled, &answer.verdict.findings()[nth]).map(Some)
        })
        .collect()
}

/// Gives the witnesses of what was found names of their own, and removes those of what is the same.
fn keep(options: &CheckOptions, answers: &[&Answer], merged: &[Merged]) -> Vec<Option<String>> {
    let Some(folder) = &options.keep else { return vec![None; merged.len()] };
    let kept: Vec<Option<String>> = merged
        .iter()
        .enumerate()
        .map(|(number, merged)| {
            let (at, nth) = merged.best;
            let old = answers[at].witnesses.get(nth)?;
            let new = folder.join(format!("finding-{}.json", number + 1));
            match std::fs::rename(old, &new) {
                Ok(()) => Some(new.display().to_string()),
                Err(_) => Some(old.clone()),
            }
        })
        .collect();
    for witness in answers.iter().flat_map(|answer| &answer.witnesses) {
        if !kept.iter().flatten().any(|kept| kept == witness) {
            witness_file::remove(witness);
        }
    }
    kept
}

/// Nothing wrong was found: was everything looked at?
fn verdict(done: &BTreeMap<Step, Done>, problems: bool) -> CheckVerdict {
    if problems {
        return CheckVerdict::Violations;
    }
    let fine = |step: Step| {
        let outcome = done.get(&step).map(|done| &done.outcome);
        matches!(outcome, Some(Ok(Answer { verdict: Verdict::Safe(_) | Verdict::SafeWithin(..), .. })))
    };
    let asked = |step: Step| {
        !matches!(done.get(&step).map(|done| &done.outcome), Some(Err(Without::Skipped(_))) | None)
    };
    let safety = !asked(Step::Explore) || fine(Step::Explore) || fine(Step::Verify);
    let termination = !asked(Step::Repeats) || fine(Step::Repeats) || fine(Step::Live);
    if safety && termination { CheckVerdict::None } else { CheckVerdict::Unknown }
}

/// The command that keeps a program on a safe schedule.
fn refuge_command(options: &CheckOptions, flags: &[String]) -> Option<String> {
    options.program.is_c().then(|| plan::run_command(options, flags))
}

fn refuge<'a>(
    done: &'a BTreeMap<Step, Done>,
    command: &'a Option<String>,
    nothing_wrong: bool,
) -> Option<Refuge<'a>> {
    let Ok(answer) = &done.get(&Step::Verify)?.outcome else { return None };
    let schedule = answer.schedules.first().filter(|_| !nothing_wrong)?;
    Some(Refuge { schedule, command: command.as_deref() })
}
