//! Violations of atomicity, judged by what the interpreter says that a run accesses.
//!
//! Two accesses of a thread in a block that is meant to be indivisible, and one of another thread in between: of the
//! eight combinations of reads and writes, five have no serial order (Lu, Tucek, Qin and Zhou, ASPLOS 2006). They
//! count only if the accesses depend on each other: writing what is already there, or what the other one writes,
//! changes nothing (the guarded independence of Wang, Limaye, Ganai and Gupta, TACAS 2010, Definition 2).

use interp::{Accessed, Config, Event, Replay, Run, ViolationKind};
use ir::Program;

use crate::finding::{Access, Disagreement, Finding};

/// What a violation of atomicity is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atomicity {
    /// The steps of the three accesses, counted from 0, in order. The run ends with the last one.
    pub steps: [usize; 3],
    /// The block that the first and the last one are in, in words.
    pub block: String,
}

/// Whether three accesses, by whether they write, have no serial order. The second one is of another thread.
#[must_use]
pub fn is_unserializable(writes: [bool; 3]) -> bool {
    match writes {
        // Whatever is accessed before and after it, a write in between shows.
        [_, true, _] => true,
        // A read in between sees what is never there outside of the block.
        [first, false, last] => first && last,
    }
}

/// Whether what is read, written by another thread, and then written: what was read is out of date, whatever is written. Two
/// threads that both count to one have lost an update, although they write the same.
#[must_use]
pub fn is_stale(writes: [bool; 3]) -> bool {
    writes == [false, true, true]
}

/// The first place that three steps access in an order that no serial one has, if there is one: what each of them does.
#[must_use]
pub fn unserializable(events: [&Event; 3]) -> Option<[&Accessed; 3]> {
    let [first, middle, last] = events;
    if first.thread != last.thread || first.thread == middle.thread {
        return None;
    }
    for a in &first.accesses {
        for b in middle.accesses.iter().filter(|b| a.overlaps(b)) {
            for c in last.accesses.iter().filter(|c| a.overlaps(c) && b.overlaps(c)) {
                if is_unserializable([a.write, b.write, c.write])
                    && depend(a, b)
                    && (depend(b, c) || is_stale([a.write, b.write, c.write]))
                {
                    return Some([a, b, c]);
                }
            }
        }
    }
    None
}

/// Whether the order of two accesses, the first of which comes first, makes a difference.
fn depend(first: &Accessed, second: &Accessed) -> bool {
    match (first.write, second.write) {
        (false, false) => false,
        // The other one is part of it: their values cannot be compared.
        _ if first.key.len() != second.key.len() => true,
        (true, true) => differ(first.after, second.after),
        (true, false) => differ(first.before, first.after),
        (false, true) => differ(first.before, second.after),
    }
}

/// What is arbitrary, and nobody had looked before, can be different.
fn differ(one: Option<u64>, other: Option<u64>) -> bool {
    one.is_none() || other.is_none() || one != other
}

/// Replays a run and checks that its accesses violate atomicity as claimed.
///
/// # Errors
/// When the program has no such run, or the accesses are others.
pub fn confirm_atomicity(
    program: &Program,
    config: &Config,
    run: &Run,
    claim: &Atomicity,
) -> Result<Finding, Disagreement> {
    let disagree = |message: String| Disagreement { kind: ViolationKind::Atomicity, message };
    let replay = interp::replay(program, config, run).map_err(|error| disagree(error.to_string()))?;
    let (message, accesses) = judge(&replay, claim).map_err(disagree)?;
    Ok(Finding::of_atomicity(message, accesses, run.clone(), replay, claim.clone()))
}

fn judge(replay: &Replay, claim: &Atomicity) -> Result<(String, [Access; 3]), String> {
    let [first, middle, last] = claim.steps;
    if !(first < middle && middle < last && last + 1 == replay.events.len()) {
        return Err("its accesses are not in that order at the end".to_owned());
    }
    let events = claim.steps.map(|step| &replay.events[step]);
    let Some([a, b, c]) = unserializable(events) else {
        return Err("its accesses have a serial order".to_owned());
    };
    let verb = |access: &Accessed| if access.write { "writes" } else { "reads" };
    let name = a.name.clone().unwrap_or_else(|| "a variable".to_owned());
    let thread = |event: &Event| replay.threads.get(event.thread).map_or("a thread", String::as_str);
    let (local, remote) = (thread(events[0]), thread(events[1]));
    let message = format!(
        "{local} {} `{name}` (1) and {} it (3) in {}, but {remote} {} it in between (2)",
        verb(a),
        verb(c),
        claim.block,
        verb(b)
    );
    let access = |event: &Event| {
        let first = event.ops.first().ok_or("a step without ops")?;
        Ok::<_, String>(Access { at: first.0, span: first.1 })
    };
    Ok((message, [access(events[0])?, access(events[1])?, access(events[2])?]))
}
