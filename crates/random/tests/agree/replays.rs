//! Every violation that the explorer finds replays, and is then the same violation.

use interp::{Checks, Config, Ending, Fairness, Scheduler, ViolationKind, replay};
use random::{Program, Style, to_ir};

use crate::harness::{Finding, check_all, config, explored, scaled};

fn ending_fits(kind: ViolationKind, at: ir::OpRef, ending: &Ending) -> bool {
    match (kind, ending) {
        (ViolationKind::Assertion, Ending::Failed { kind, at: failed, .. }) => {
            *kind == ViolationKind::Assertion && *failed == at
        }
        (ViolationKind::Deadlock, Ending::Deadlock(blocked)) => blocked.iter().any(|b| b.at == at),
        (ViolationKind::DataRace, Ending::Race { accesses, .. }) => {
            accesses.iter().any(|access| access.1 == at)
        }
        (ViolationKind::NonTermination, Ending::Lasso { fairness, progress, .. }) => {
            !progress && *fairness == Fairness::Strong
        }
        _ => false,
    }
}

fn replays(program: &Program) -> Finding {
    let ir = to_ir(program);
    let races = Checks { races: true, ..Checks::default() };
    let cycles = Checks { non_termination: Some(Fairness::Strong), ..Checks::default() };
    let configs = [
        config(),
        Config { reduction: true, ..config() },
        Config { checks: races, ..config() },
        Config { checks: cycles, ..config() },
        Config { scheduler: Scheduler::Df(2), ..config() },
        Config { scheduler: Scheduler::Dfw(1), ..config() },
    ];
    for config in configs {
        let Some(exploration) = explored(&ir, &config) else { return Finding::Skipped };
        for violation in &exploration.violations {
            let kind = violation.kind;
            match replay(&ir, &config, &violation.run) {
                Ok(replay) if ending_fits(kind, violation.at, &replay.ending) => {}
                Ok(replay) => {
                    return Finding::Differs(format!("{config:?}: {kind:?} ends {:?}", replay.ending));
                }
                Err(error) => return Finding::Differs(format!("{config:?}: {kind:?}: {error}")),
            }
        }
    }
    Finding::Agrees
}

#[test]
fn violations_of_threads_replay() {
    println!("{} programs", check_all(Style::Threads, scaled(300), replays));
}

#[test]
fn violations_of_tasks_replay() {
    println!("{} programs", check_all(Style::Tasks, scaled(300), replays));
}

#[test]
fn violations_of_mixed_programs_replay() {
    println!("{} programs", check_all(Style::Mixed, scaled(300), replays));
}
