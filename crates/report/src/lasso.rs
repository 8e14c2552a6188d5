//! What the threads of a lasso have to do with each other, in a sentence: whether each goes round on its own, whether somebody
//! looks for something that nobody changes any more, or whether they look at what the others change.
//!
//! A program that is meant to run for ever has the first kind of lasso wherever it does its work; the last kind is what keeps
//! threads from finishing although each of them does something.

use std::collections::BTreeSet;

use engine::{Accessed, Event, Replay};
use ir::{Op, Program};

/// How many variables are named; the rest is counted.
const NAMED: usize = 4;

/// A sentence for each way in which the threads that run for ever depend on each other. `lasso` are their steps.
pub(crate) fn dependence(
    program: &Program,
    replay: &Replay,
    moving: &[usize],
    lasso: &[Event],
) -> Vec<String> {
    let objects = SyncNames::of(program);
    let names = |accesses: &mut dyn Iterator<Item = &Accessed>| names(&objects, accesses);
    let reads_of = |thread: usize| accesses(lasso, move |t| t == thread, false);
    let mut together = Vec::new();
    let mut changed = BTreeSet::new();
    let mut lines = Vec::new();
    for &thread in moving {
        let by_others: Vec<&Accessed> = accesses(lasso, |t| t != thread, true).collect();
        let seen =
            names(&mut reads_of(thread).filter(|read| by_others.iter().any(|write| read.overlaps(write))));
        if let Some(seen) = seen {
            together.push(thread);
            changed.extend(seen);
            continue;
        }
        let by_anybody: Vec<&Accessed> = accesses(lasso, |_| true, true).collect();
        let mut left = reads_of(thread).filter(|read| !by_anybody.iter().any(|write| read.overlaps(write)));
        let name = &replay.threads[thread];
        match names(&mut left) {
            Some(left) if left.is_empty() => {}
            Some(left) => lines.push(format!(
                "{name} looks again and again at {}, which nobody changes any more.",
                listed(&left)
            )),
            // To wait for another thread is no access to a variable.
            None if waits(program, lasso, thread) => {}
            None => lines.push(format!(
                "{name} goes round a loop on its own and waits for nobody. If it is meant to, put a\n  progress mark where it does something useful."
            )),
        }
    }
    if !together.is_empty() {
        let what = if changed.is_empty() { String::new() } else { format!(": {}", listed(&changed)) };
        let line = match together.as_slice() {
            [one] => format!("{} looks at what others change{what}.", replay.threads[*one]),
            [_, _] if moving.len() == 2 => {
                format!("They keep each other busy: each looks at what the other changes{what}.")
            }
            _ => format!("They keep each other busy: each looks at what others change{what}."),
        };
        lines.insert(0, line);
    }
    lines
}

/// Whether a thread waits for others to complete.
fn waits(program: &Program, lasso: &[Event], thread: usize) -> bool {
    let mut ops = lasso.iter().filter(|event| event.thread == thread).flat_map(|event| &event.ops);
    ops.any(|(at, _)| {
        let stmt = program.procs[at.proc].blocks[at.block].stmts.get(at.index);
        stmt.is_some_and(|stmt| matches!(stmt.op, Op::Wait { .. }))
    })
}

/// The accesses of some threads, reads or writes.
fn accesses(lasso: &[Event], of: impl Fn(usize) -> bool, write: bool) -> impl Iterator<Item = &Accessed> {
    lasso
        .iter()
        .filter(move |event| of(event.thread))
        .flat_map(|event| &event.accesses)
        .filter(move |a| a.write == write)
}

/// What the user calls these, as far as it is the user's; nothing if there are none at all.
fn names(objects: &SyncNames, accesses: &mut dyn Iterator<Item = &Accessed>) -> Option<BTreeSet<String>> {
    let mut accesses = accesses.peekable();
    accesses.peek()?;
    Some(accesses.filter_map(|access| access.name.as_deref()).map(|name| objects.whole(name)).collect())
}

/// The synchronization objects of a program by name, and whether they are cells of a map. Accesses are to the variables
/// that an object is made of: the owner of a lock, how many wait at a barrier. The user knows the object.
struct SyncNames(Vec<(String, bool)>);

impl SyncNames {
    fn of(program: &Program) -> Self {
        let objects = program.globals.iter().filter(|(_, global)| global.ty.sync_inside().is_some());
        let named = objects.map(|(id, global)| {
            let look = program.presentation.globals.get(&id);
            let name = look.map_or_else(|| ir::shown_name(&global.name).to_owned(), |look| look.named(&[]));
            (name, global.ty.as_map().is_some())
        });
        SyncNames(named.collect())
    }

    /// The object that this is a part of: `forks[2]` of `forks.owner[2]`.
    fn whole(&self, name: &str) -> String {
        for (object, is_map) in &self.0 {
            let Some(part) = name.strip_prefix(object.as_str()).filter(|part| part.starts_with(['.', '[']))
            else {
                continue;
            };
            let cell = part.find('[').zip(part.find(']')).filter(|_| *is_map);
            return format!("{object}{}", cell.map_or("", |(from, to)| &part[from..=to]));
        }
        name.to_owned()
    }
}

fn listed(names: &BTreeSet<String>) -> String {
    let mut texts: Vec<String> = names.iter().take(NAMED).map(|name| format!("`{name}`")).collect();
    if names.len() > NAMED {
        texts.push(format!("{} more", names.len() - NAMED));
    }
    match texts.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => texts.concat(),
    }
}
