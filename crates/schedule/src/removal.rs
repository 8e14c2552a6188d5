//! Events that nobody has to know of.
//!
//! The paper removes events to have fewer constraints (section 5.6), as that of reading a variable once more that has just been
//! read. Here an event can be removed that neither waits nor is waited for, wherever it happens: what is before and after it in its thread keeps it in
//! its place. The compiled program then has nothing but the access itself there, and the compiler may do with it what it does with others.
//!
//! The first event of a thread in a section stays, since it waits for the section to begin, and so does the last one for which the
//! next section waits; and those by which it is known where a thread went.

use std::collections::BTreeSet;

use ir::{Op, OpRef, Program};
use trace::table::{Section, Table};

use crate::instruction::Origins;

/// Removes events from a table, at all sites where none is needed; returns these sites.
pub fn remove_unordered(program: &Program, origins: &Origins<'_>, table: &mut Table) -> BTreeSet<u32> {
    let accesses = accesses(program, origins);
    let kept = needed(table);
    let sections = table.points.iter().flat_map(|point| &point.sections);
    let sites: BTreeSet<u32> = sections.flat_map(|section| &section.events).map(|event| event.site).collect();
    let removed: BTreeSet<u32> =
        sites.into_iter().filter(|site| accesses.contains(site) && !kept.contains(site)).collect();
    for section in table.points.iter_mut().flat_map(|point| &mut point.sections) {
        remove(section, &removed);
    }
    removed
}

/// The sites of instructions that only read and write. All else has a turn in the run-time library.
fn accesses(program: &Program, origins: &Origins<'_>) -> BTreeSet<u32> {
    let (mut all, mut others) = (BTreeSet::new(), BTreeSet::new());
    for (proc, body) in &program.procs {
        for (block, index, stmt) in body.stmts() {
            let Some(origin) = origins(OpRef { proc, block, index }) else { continue };
            all.insert(origin.site);
            if !matches!(
                stmt.op,
                Op::Assign { .. } | Op::Havoc { .. } | Op::Assert { .. } | Op::Branch { .. } | Op::Goto(_)
            ) {
                others.insert(origin.site);
            }
        }
    }
    all.retain(|site| !others.contains(site));
    all
}

/// The sites of events that have to stay.
fn needed(table: &Table) -> BTreeSet<u32> {
    let mut needed = BTreeSet::new();
    for point in &table.points {
        for section in &point.sections {
            needed.extend(&section.ways);
            if point.late {
                needed.extend(section.events.first().map(|event| event.site));
            }
            let mut of_thread: Vec<Vec<usize>> = Vec::new();
            for (at, event) in section.events.iter().enumerate() {
                let thread = event.thread as usize;
                if of_thread.len() <= thread {
                    of_thread.resize_with(thread + 1, Vec::new);
                }
                of_thread[thread].push(at);
                if !event.after.is_empty() {
                    needed.insert(event.site);
                }
            }
            let waited = section.events.iter().flat_map(|event| &event.after);
            let waited = waited.filter_map(|(thread, count)| {
                of_thread.get(*thread as usize)?.get((*count as usize).checked_sub(1)?)
            });
            let firsts = of_thread.iter().filter_map(|events| events.first());
            let lasts = of_thread
                .iter()
                .filter_map(|events| events.iter().rev().find(|at| !section.events[**at].late));
            needed.extend(waited.chain(firsts).chain(lasts).map(|at| section.events[*at].site));
        }
    }
    needed
}

/// Removes events, and counts the others anew.
fn remove(section: &mut Section, removed: &BTreeSet<u32>) {
    // Of each thread, how many of its first events stay.
    let mut stay: Vec<Vec<u32>> = Vec::new();
    for event in &section.events {
        let thread = event.thread as usize;
        if stay.len() <= thread {
            stay.resize_with(thread + 1, || vec![0]);
        }
        let so_far = stay[thread].last().copied().unwrap_or(0);
        stay[thread].push(so_far + u32::from(!removed.contains(&event.site)));
    }
    section.events.retain(|event| !removed.contains(&event.site));
    for (thread, count) in section.events.iter_mut().flat_map(|event| &mut event.after) {
        if let Some(stays) = stay.get(*thread as usize).and_then(|counts| counts.get(*count as usize)) {
            *count = *stays;
        }
    }
}

#[cfg(test)]
mod tests {
    use trace::table::{Event, Point};

    use super::*;

    fn event(thread: u32, site: u32, after: &[(u32, u32)]) -> Event {
        Event { thread, site, after: after.to_vec(), late: false }
    }

    #[test]
    fn what_neither_waits_nor_is_waited_for_is_not_needed() {
        let events = vec![
            event(0, 1, &[]),
            event(0, 2, &[]),
            event(0, 3, &[]),
            event(0, 4, &[]),
            event(1, 5, &[]),
            event(1, 6, &[(0, 3)]),
            event(1, 7, &[]),
            event(1, 8, &[]),
        ];
        let section = Section { ways: Vec::new(), events, next: 0 };
        let mut table =
            Table { points: vec![Point { sections: vec![section], ..Point::default() }], ..Table::default() };
        assert_eq!(needed(&table), BTreeSet::from([1, 3, 4, 5, 6, 8]));
        let section = &mut table.points[0].sections[0];
        remove(section, &BTreeSet::from([2, 7]));
        let sites: Vec<u32> = section.events.iter().map(|event| event.site).collect();
        assert_eq!(sites, [1, 3, 4, 5, 6, 8]);
        assert_eq!(section.events[4].after, [(0, 2)]);
    }

    #[test]
    fn what_is_late_is_not_needed_but_what_decides_is() {
        let mut events = vec![event(0, 1, &[]), event(0, 2, &[]), event(0, 3, &[]), event(0, 4, &[])];
        events[3].late = true;
        let section = Section { ways: vec![2], events, next: 0 };
        let table =
            Table { points: vec![Point { sections: vec![section], ..Point::default() }], ..Table::default() };
        assert_eq!(needed(&table), BTreeSet::from([1, 2, 3]));
    }
}
