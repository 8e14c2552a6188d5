//! Response properties: the search against the explorer, with random conditions on random programs.

use std::time::Duration;

use engine::{Checks, Config, Fairness, IntRange};
use interp::Flow;
use ir::{ExprId, ExprNode, Program, Response, Type};
use random::{Cond, Expr, Stmt, Style};

use super::{Comparison, check_by, compare_search, explored};

/// Programs of which most threads never end have many runs to look at; those that take longer are left out.
pub(crate) const MOST_TIME: Duration = Duration::from_secs(3);

/// `global == constant`, at random.
fn condition(program: &mut Program, pick: &mut fastrand::Rng) -> Option<ExprId> {
    let plain = program.globals.iter().filter(|(_, global)| matches!(global.ty, Type::Bool | Type::Int));
    let plain: Vec<_> = plain.map(|(id, global)| (id, global.ty.clone())).collect();
    let (global, ty) = pick.choice(&plain)?.clone();
    let constant = match ty {
        Type::Bool => program.exprs.bool(pick.bool()),
        _ => program.exprs.int(pick.u8(0..3)),
    };
    let read = program.exprs.add(ExprNode::Global(global, ty));
    Some(program.exprs.eq(read, constant))
}

fn compare(program: &Program, fairness: Fairness) -> Comparison {
    let mut program = program.clone();
    // The same program always gets the same property, so that a smaller one can be sought that shows the same.
    let mut pick = fastrand::Rng::with_seed(program.exprs.len() as u64);
    let request = condition(&mut program, &mut pick);
    let answer = condition(&mut program, &mut pick);
    let (Some(request), Some(answer)) = (request, answer) else { return Comparison::Skipped };
    let response = Some(Response { request, answer });
    let Some(expected) = explored(&program, fairness, response) else { return Comparison::Skipped };
    let (comparison, outcome) = compare_search(&program, fairness, response, expected);
    let gaps = outcome.is_some_and(|outcome| !outcome.gaps.is_empty());
    let why = match comparison {
        // The search says itself that it may have missed something.
        Comparison::More if gaps => return Comparison::Skipped,
        Comparison::More => "it needs more rounds".to_owned(),
        Comparison::Differ(why) => why,
        other => return other,
    };
    let text = ir::text::Printer::new(&program);
    let (request, answer) = (text.expr(None, request), text.expr(None, answer));
    Comparison::Differ(format!("{request} ~> {answer}: {why}"))
}

/// A small program of which most threads never end. Large ones have so many runs that most searches are given up.
fn endless(seed: u64, style: Style) -> random::Program {
    const MOST_STATES: usize = 60;
    let is_small = |program: &random::Program| {
        let int_range = IntRange::new(0, 2).unwrap_or_default();
        let checks = Checks { assertions: false, deadlocks: false, ..Checks::default() };
        let config = Config { int_range, checks, reduction: false, ..Config::default() };
        let explored = interp::explore(&random::to_ir(program), &config, &mut |_| Flow::Stop);
        explored.statistics.states <= MOST_STATES
    };
    let candidates = || (0..64).map(|at| with_loops(seed * 64 + at, style));
    candidates().find(is_small).unwrap_or_else(|| with_loops(seed, style))
}

fn with_loops(seed: u64, style: Style) -> random::Program {
    let mut program = random::program(seed, style);
    let mut pick = fastrand::Rng::with_seed(seed);
    let threads = program.entry.threads();
    for proc in program.procs.iter_mut().take(threads).filter(|_| pick.u8(0..4) > 0) {
        let body = std::mem::take(&mut proc.body);
        proc.body = vec![Stmt::While(Cond::Holds(Expr::Bool(true)), body)];
    }
    program
}

fn check(style: Style, fairness: Fairness, programs: u64) {
    // A task that a loop starts need not complete in the lasso, which the search asks for.
    let generate = if style == Style::Threads { endless } else { random::program };
    check_by(generate, style, fairness, programs, &mut |program| compare(program, fairness));
}

#[test]
fn responses_of_threads_under_strong_fairness() {
    check(Style::Threads, Fairness::Strong, 6);
}

#[test]
fn responses_of_threads_under_weak_fairness() {
    check(Style::Threads, Fairness::Weak, 6);
}

#[test]
fn responses_of_threads_under_no_fairness() {
    check(Style::Threads, Fairness::None, 6);
}

#[test]
fn responses_of_everything_under_weak_fairness() {
    check(Style::Mixed, Fairness::Weak, 20);
}

#[test]
fn responses_of_tasks_under_strong_fairness() {
    check(Style::Tasks, Fairness::Strong, 15);
}
