//! Potential violations of atomicity: two accesses of a thread in a transaction and one of another thread, in one of the five
//! patterns that have no serial order.
//!
//! A write of another thread comes between two accesses of the block that follow each other, so only such pairs are looked
//! at. A read of another thread matters between two writes, so for these it is writes that follow each other.
//!
//! More is known of blocks that are inferred, and were not meant by anybody. Who changes in one step what it reads in it goes on from
//! what it wrote, so that only the write counts as the first access. If it also decides by what it read, as who takes a lock made of an
//! exchange, others are meant to see what it wrote. And such a step finds out itself that others were faster (as
//! who compares and exchanges does), so that it does not count as the last access.

use engine::is_unserializable;
use ir::GlobalId;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ctp::{Access, Block, Ctp, Ev, Origin};
use crate::execute::Executor;

/// Three events that may violate atomicity, by their accesses to one global.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Triple {
    pub(crate) first: Ev,
    pub(crate) middle: Ev,
    pub(crate) last: Ev,
    pub(crate) global: GlobalId,
    /// The block, by its position among the transactions.
    pub(crate) block: usize,
    /// Whether only what the first event writes counts.
    pub(crate) from_write: bool,
    /// Whether others are meant to see what the first event writes: only what they write counts.
    pub(crate) announces: bool,
}

impl Triple {
    /// Whether an access of the first event counts.
    pub(crate) fn counts_as_first(&self, write: bool) -> bool {
        write || !self.from_write
    }

    /// Whether an access of the event in between counts.
    pub(crate) fn counts_as_middle(&self, write: bool) -> bool {
        write || !self.announces
    }
}

/// Whether an event reads and assigns a global in one step, and its thread then decides by what was read.
pub(crate) fn decides_by_old(ctp: &Ctp, executor: &Executor<'_, '_>, event: Ev, global: GlobalId) -> bool {
    let of = &ctp.events[event];
    if of.definitions.iter().all(|definition| definition.global != global) {
        return false;
    }
    let mut decides = false;
    executor.translator.pool.for_each_in(&of.tail, |term, _| {
        let used = executor.use_terms.get(&term).map(|of| &executor.uses[*of]);
        decides |= used.is_some_and(|used| used.event == event && used.global == global);
    });
    decides
}

/// The accesses of an event to a global, by position.
pub(crate) fn accesses_to(ctp: &Ctp, event: Ev, global: GlobalId) -> impl Iterator<Item = &Access> {
    ctp.events[event].accesses.iter().filter(move |access| access.global == global)
}

/// All potential violations.
pub(crate) fn triples(ctp: &Ctp, executor: &mut Executor<'_, '_>, blocks: &[Block]) -> Vec<Triple> {
    let mut by_global: FxHashMap<GlobalId, Vec<Ev>> = FxHashMap::default();
    for (event, of) in ctp.events.iter().enumerate() {
        let globals: FxHashSet<GlobalId> = of.accesses.iter().map(|access| access.global).collect();
        for global in globals {
            by_global.entry(global).or_default().push(event);
        }
    }
    let mut triples = Vec::new();
    let mut seen: FxHashSet<(Ev, Ev, Ev, GlobalId)> = FxHashSet::default();
    for (number, block) in blocks.iter().enumerate() {
        let mut local: indexmap::IndexMap<GlobalId, Vec<Ev>> = indexmap::IndexMap::new();
        for &event in &ctp.threads[block.thread][block.start..=block.end] {
            for access in &ctp.events[event].accesses {
                let events = local.entry(access.global).or_default();
                if events.last() != Some(&event) {
                    events.push(event);
                }
            }
        }
        for (global, events) in local {
            let remote = by_global[&global].iter().copied();
            let remote: Vec<Ev> = remote.filter(|event| ctp.events[*event].thread != block.thread).collect();
            if remote.is_empty() {
                continue;
            }
            let inferred = matches!(block.origin, Origin::Body | Origin::Update);
            for (first, last, between) in pairs(ctp, executor, &events, global) {
                if inferred && decides_by_old(ctp, executor, last, global) {
                    continue;
                }
                let announces = inferred && decides_by_old(ctp, executor, first, global);
                let writes = accesses_to(ctp, first, global).any(|access| access.write);
                let from_write = inferred && writes && surely_same(ctp, executor, first, first, global);
                for &middle in &remote {
                    let writes = accesses_to(ctp, middle, global).any(|access| access.write);
                    let wanted = match between {
                        Between::Anything => true,
                        Between::Writes => writes,
                        Between::Reads => accesses_to(ctp, middle, global).any(|access| !access.write),
                    };
                    let triple = Triple { first, middle, last, global, block: number, from_write, announces };
                    if wanted
                        && can_violate(ctp, executor, &triple)
                        && seen.insert((first, middle, last, global))
                    {
                        triples.push(triple);
                    }
                }
            }
        }
    }
    triples
}

/// What of another thread is looked for between two accesses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Between {
    Anything,
    Writes,
    Reads,
}

/// The pairs of accesses that follow each other, or are writes that do.
fn pairs(
    ctp: &Ctp,
    executor: &mut Executor<'_, '_>,
    events: &[Ev],
    global: GlobalId,
) -> Vec<(Ev, Ev, Between)> {
    let writes = |event: Ev| accesses_to(ctp, event, global).any(|access| access.write);
    let mut pairs = Vec::new();
    for (at, &first) in events.iter().enumerate() {
        let (mut near, mut near_write) = (true, writes(first));
        for &last in &events[at + 1..] {
            let both_write = near_write && writes(last);
            match (near, both_write) {
                (true, true) => pairs.push((first, last, Between::Anything)),
                (true, false) => pairs.push((first, last, Between::Writes)),
                (false, true) => pairs.push((first, last, Between::Reads)),
                (false, false) => {}
            }
            if surely_same(ctp, executor, first, last, global) {
                near = false;
                near_write &= !writes(last);
            }
            if !near && !near_write {
                break;
            }
        }
    }
    pairs
}

/// Whether all accesses of two events to a global are to the same cell, whatever happens.
fn surely_same(ctp: &Ctp, executor: &mut Executor<'_, '_>, one: Ev, other: Ev, global: GlobalId) -> bool {
    accesses_to(ctp, one, global).all(|a| {
        accesses_to(ctp, other, global).all(|b| {
            let same = executor.same_index(&a.index, &b.index);
            let pool = &executor.translator.pool;
            a.index.len() == b.index.len()
                && pool.as_bool(same) == Some(true)
                && pool.as_bool(b.when) == Some(true)
        })
    })
}

/// Whether some accesses of the events are in an unserializable pattern, as far as is known without values.
fn can_violate(ctp: &Ctp, executor: &mut Executor<'_, '_>, triple: &Triple) -> bool {
    let Triple { first, middle, last, global, .. } = *triple;
    accesses_to(ctp, first, global).filter(|a| triple.counts_as_first(a.write)).any(|a| {
        accesses_to(ctp, middle, global).filter(|b| triple.counts_as_middle(b.write)).any(|b| {
            let ab = executor.same_index(&a.index, &b.index);
            executor.translator.pool.as_bool(ab) != Some(false)
                && accesses_to(ctp, last, global).any(|c| {
                    let bc = executor.same_index(&b.index, &c.index);
                    executor.translator.pool.as_bool(bc) != Some(false)
                        && is_unserializable([a.write, b.write, c.write])
                })
        })
    })
}
