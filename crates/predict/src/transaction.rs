//! Which code is meant to be indivisible: what is marked or named; or, if nothing is, the bodies of procedures that threads
//! call, and updates, from the use of a variable to the definition of it that depends on what was used, by its
//! value or by the branches that lead to it.

use ir::{Op, OpRef, Program, SyncKind, SyncOp};
use rustc_hash::FxHashSet;

use crate::control_dependence::Dependence;
use crate::ctp::{Block, Ctp, Ev, Event, Origin};
use crate::execute::{Executor, Subject};
use crate::pattern::decides_by_old;

/// No more branches than this are looked at before an event.
const MOST_BRANCHES: usize = 64;
/// Larger terms are not searched for uses.
const LARGEST_TERM: usize = 2000;

/// The transactions of a window.
pub(crate) fn transactions(ctp: &Ctp, executor: &Executor<'_, '_>, explicit: bool) -> Vec<Block> {
    let mut blocks: Vec<Block> = if explicit {
        let given = ctp.blocks.iter().filter(|block| matches!(block.origin, Origin::Marked | Origin::Named));
        given.cloned().collect()
    } else {
        let bodies = ctp.blocks.iter().filter(|block| block.origin == Origin::Body && is_body(ctp, block));
        let mut blocks: Vec<Block> = bodies.flat_map(|block| parts(ctp, executor, block)).collect();
        blocks.extend(updates(ctp, executor).into_iter().filter(|block| {
            let whole = parts(ctp, executor, block);
            whole.first() == Some(block)
        }));
        blocks
    };
    blocks.sort_by_key(|block| (block.origin, block.thread, block.start, block.end));
    blocks.dedup_by_key(|block| (block.origin, block.thread, block.start, block.end));
    blocks
}

/// Whether the program says itself, or its user does, what is indivisible.
pub(crate) fn is_explicit(program: &Program, named: &FxHashSet<ir::ProcId>) -> bool {
    let marked = |proc: &ir::Proc| {
        proc.stmts().any(|(_, _, stmt)| matches!(stmt.op, ir::Op::TransactionBegin | ir::Op::TransactionEnd))
    };
    !named.is_empty() || program.procs.values().any(marked)
}

/// Who starts threads or waits for them does not mean to be alone.
fn is_body(ctp: &Ctp, block: &Block) -> bool {
    let events = &ctp.threads[block.thread][block.start..=block.end];
    events.iter().all(|&event| ctp.events[event].spawns.is_empty() && ctp.events[event].waits.is_empty())
}

/// The parts of a block between which it waits for others to do something, and so means them to; of a body also those between which it
/// goes round a loop: who locks or accesses something atomically in each round does something new in each.
fn parts(ctp: &Ctp, executor: &Executor<'_, '_>, block: &Block) -> Vec<Block> {
    let mut cuts = vec![(block.start, block.start)];
    let mut in_round = FxHashSet::default();
    for pos in block.start..=block.end {
        let number = ctp.threads[block.thread][pos];
        let event = &ctp.events[number];
        if waits_for_others(ctp, executor, number) {
            cuts.push((pos, pos + 1));
            in_round.clear();
        } else if block.origin == Origin::Body && !event.plain && !in_round.insert((event.op, &event.calls)) {
            cuts.push((pos, pos));
            in_round.clear();
            in_round.insert((event.op, &event.calls));
        }
    }
    cuts.push((block.end + 1, block.end + 1));
    let between = cuts.windows(2).filter_map(|cut| Some((cut[0].1, cut[1].0.checked_sub(1)?)));
    between
        .filter(|(start, end)| start < end)
        .map(|(start, end)| Block { start, end, ..block.clone() })
        .collect()
}

/// Whether an event is a wait for a condition variable, a barrier or a semaphore.
fn waits_for_others(ctp: &Ctp, executor: &Executor<'_, '_>, event: Ev) -> bool {
    let subject = executor.subject;
    let at = subject.back.get(ctp.events[event].op);
    let op = at.and_then(|at| subject.original.procs[at.proc].blocks[at.block].stmts.get(at.index));
    matches!(
        op.map(|stmt| &stmt.op),
        Some(Op::Sync(SyncOp {
            kind: SyncKind::CondWait | SyncKind::CondTimedWait | SyncKind::BarrierWait | SyncKind::Down,
            ..
        }))
    )
}

/// From the use of a variable to a definition of it that depends on what was used: its value does, or whether it is made.
fn updates(ctp: &Ctp, executor: &Executor<'_, '_>) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut dependence = Dependence::default();
    for (number, event) in ctp.events.iter().enumerate() {
        for definition in &event.definitions {
            let global = definition.global;
            if executor.subject.components.contains(&global) || decides_by_old(ctp, executor, number, global)
            {
                continue;
            }
            let mut uses = uses_in(executor, definition.value);
            uses.extend(deciding(executor, &mut dependence, event, number));
            for of in uses {
                let of = &executor.uses[of];
                let user = &ctp.events[of.event];
                if of.global == definition.global
                    && user.thread == event.thread
                    && user.pos < event.pos
                    && !is_of_library(executor, user, event)
                {
                    let variable = &executor.subject.expanded.globals[definition.global].name;
                    let name = format!("the update of `{}`", ir::shown_name(variable));
                    let (thread, start, end) = (event.thread, user.pos, event.pos);
                    blocks.push(Block { thread, start, end, origin: Origin::Update, name });
                }
            }
        }
    }
    blocks
}

/// Whether an update is a library's own, within one call of it, with an atomic access: the library knows why others may come in
/// between.
fn is_of_library(executor: &Executor<'_, '_>, first: &Event, last: &Event) -> bool {
    if first.plain && last.plain {
        return false;
    }
    let Subject { original, back, .. } = executor.subject;
    let is_own = |at: &OpRef| {
        let stmt = original.procs[at.proc].blocks[at.block].stmts.get(at.index);
        stmt.is_some_and(|stmt| !original.presentation.is_library(stmt.span))
    };
    let is_library = |event: &Event| back.get(event.op).is_some_and(|at| !is_own(&at));
    // Where the program itself calls the library.
    let call = |event: &Event| event.calls.iter().rev().filter_map(|op| back.get(*op)).find(is_own);
    is_library(first) && is_library(last) && call(first).is_some() && call(first) == call(last)
}

/// The uses that have decided whether an event happens, or a call in which it does: those in the conditions of branches before it,
/// the last time that each was executed.
fn deciding(
    executor: &Executor<'_, '_>,
    dependence: &mut Dependence,
    event: &Event,
    number: usize,
) -> Vec<usize> {
    let branches = &executor.branches[event.thread];
    let before = branches.partition_point(|(at, _, _)| *at < number);
    let mut seen = FxHashSet::default();
    let mut uses = Vec::new();
    for (_, branch, condition) in branches[..before].iter().rev().take(MOST_BRANCHES) {
        let mut led_to = event.calls.iter().chain([&event.op]);
        if seen.insert(*branch) && led_to.any(|op| dependence.is_on(executor.subject.expanded, *branch, *op))
        {
            uses.extend(uses_in(executor, *condition));
        }
    }
    uses
}

/// The uses that a value depends on.
fn uses_in(executor: &Executor<'_, '_>, root: smt::TermId) -> Vec<usize> {
    let mut seen = FxHashSet::default();
    let mut work = vec![root];
    let mut found = Vec::new();
    while let Some(term) = work.pop() {
        if !seen.insert(term) || seen.len() > LARGEST_TERM {
            continue;
        }
        found.extend(executor.use_terms.get(&term));
        executor.translator.pool.term(term).for_each_operand(|operand| work.push(operand));
    }
    found
}
