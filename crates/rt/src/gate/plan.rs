//! A table, arranged so that each question of the gate is one look.

use std::vec::Vec;

use trace::table::Table;

use super::alarm::{Alarm, Chains, Habit, MOST_AWAKE};

/// An event of a thread.
pub(super) struct Event {
    pub(super) site: u32,
    pub(super) after: Vec<(u32, u32)>,
    /// Whether anybody waits for it: another event, or the next section.
    pub(super) awaited: bool,
    /// Whether the next section does not.
    late: bool,
    /// When to be awake for it.
    pub(super) alarm: Alarm,
    pub(super) habit: Habit,
}

/// What a thread does in a section.
#[derive(Default)]
pub(super) struct Part {
    pub(super) events: Vec<Event>,
    /// For each event its site, or 0 if it waits or is waited for; and a 0 at the end.
    pub(super) sites: Vec<u32>,
    /// How it waits for the end of the section.
    pub(super) habit: Habit,
}

struct Section {
    /// What each thread does.
    parts: Vec<Part>,
    /// How many events of threads have to be done before the next section; who is the last to be done comes first.
    totals: Vec<(u32, u32)>,
    /// What is done last in it: an event, what that one waited for, and so on.
    tail: Vec<(u32, u32)>,
    next: u32,
    /// Whether it comes again after itself.
    repeats: bool,
}

/// A schedule.
pub(super) struct Plan {
    pub(super) table: Table,
    threads: u32,
    /// How many hand-overs before their turns threads are awake.
    left: usize,
    sections: Vec<Section>,
    /// The sections of each point.
    points: Vec<Vec<u32>>,
    /// The sites of synchronization that is not performed, a bit each.
    omitted: Vec<u64>,
}

impl Plan {
    /// Arranges a table, for so many processors.
    pub(super) fn new(mut table: Table, processors: usize) -> Plan {
        let left = processors.clamp(1, MOST_AWAKE) - 1;
        table.places.sort_unstable();
        let all = || table.points.iter().flat_map(|point| &point.sections);
        let stepping = all().flat_map(|s| &s.events).map(|event| event.thread + 1).max().unwrap_or(1);
        // In a run that is repeated there may be threads that do nothing in it.
        let threads = stepping.max(table.inputs.len() as u32);
        let mut sections: Vec<Section> = Vec::new();
        let mut points = Vec::new();
        for point in &table.points {
            let mut ids = Vec::new();
            for section in &point.sections {
                ids.push(sections.len() as u32);
                sections.push(arrange(section, threads, left));
            }
            points.push(ids);
        }
        for at in 0..points.len() {
            for section in points[at].clone() {
                let next = sections[section as usize].next;
                sections[section as usize].repeats = reaches(&sections, &points, next, at as u32);
            }
        }
        let mut omitted = Vec::new();
        for &site in &table.omitted {
            let word = site as usize / 64;
            if omitted.len() <= word {
                omitted.resize(word + 1, 0);
            }
            omitted[word] |= 1 << (site % 64);
        }
        Plan { table, threads, left, sections, points, omitted }
    }

    /// Whether synchronization at a site is left out.
    pub(super) fn omits(&self, site: u32) -> bool {
        self.omitted.get(site as usize / 64).is_some_and(|word| word >> (site % 64) & 1 == 1)
    }

    pub(super) fn threads(&self) -> u32 {
        self.threads
    }

    pub(super) fn part(&self, section: u32, thread: u32) -> &Part {
        &self.sections[section as usize].parts[thread as usize]
    }

    pub(super) fn totals(&self, section: u32) -> &[(u32, u32)] {
        &self.sections[section as usize].totals
    }

    /// How many hand-overs before their turns threads are awake.
    pub(super) fn left(&self) -> usize {
        self.left
    }

    /// What is done before the end of a section, with so many hand-overs left.
    pub(super) fn tail(&self, section: u32, left: usize) -> Option<(u32, u32)> {
        self.sections.get(section as usize)?.tail.get(left).copied()
    }

    /// The point where the program is after a section; before the first one it is at the first.
    pub(super) fn point_after(&self, epoch: u64, section: u32) -> u32 {
        if epoch == 0 { 0 } else { self.sections[section as usize].next }
    }

    pub(super) fn sections(&self, point: u32) -> &[u32] {
        &self.points[point as usize]
    }

    pub(super) fn leader(&self, point: u32) -> u32 {
        self.table.points[point as usize].leader
    }

    /// The points from which a thread has nothing to do any more, whichever way the program goes, and the schedule has no end.
    pub(super) fn idle_points(&self, thread: u32) -> Vec<bool> {
        let mut idle = vec![true; self.points.len()];
        let mut changed = true;
        while changed {
            changed = false;
            // Mostly what comes next is further down.
            for (at, sections) in self.points.iter().enumerate().rev() {
                let decides = sections.len() > 1 && self.leader(at as u32) == thread;
                let does = |section: &u32| {
                    !self.part(*section, thread).events.is_empty()
                        || !idle[self.sections[*section as usize].next as usize]
                };
                if idle[at] && (sections.is_empty() || decides || sections.iter().any(does)) {
                    idle[at] = false;
                    changed = true;
                }
            }
        }
        idle
    }

    /// The points from which a thread may come to one where it decides.
    pub(super) fn deciding_points(&self, thread: u32) -> Vec<bool> {
        let mut deciding = vec![false; self.points.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for (at, sections) in self.points.iter().enumerate().rev() {
                let decides = sections.len() > 1 && self.leader(at as u32) == thread;
                let leads = |section: &u32| deciding[self.sections[*section as usize].next as usize];
                if !deciding[at] && (decides || sections.iter().any(leads)) {
                    deciding[at] = true;
                    changed = true;
                }
            }
        }
        deciding
    }

    /// Where a thread is next from a point on, if there are no decisions.
    pub(super) fn next_of(&self, thread: u32, mut point: u32) -> Option<u32> {
        for _ in 0..self.points.len() {
            let [only] = self.sections(point) else { return None };
            if let Some(first) = self.part(*only, thread).events.first() {
                return Some(first.site);
            }
            point = self.sections[*only as usize].next;
        }
        None
    }

    /// The event that comes before the decision, if one does.
    pub(super) fn first_site(&self, point: u32) -> Option<u32> {
        let point = &self.table.points[point as usize];
        let first = point.sections.first().and_then(|section| section.events.first());
        first.filter(|_| point.late).map(|event| event.site)
    }

    /// The section that is taken if the thread that decides is at a site.
    pub(super) fn way(&self, point: u32, site: u32) -> Option<u32> {
        let sections = &self.table.points[point as usize].sections;
        let at = sections.iter().position(|section| section.ways.contains(&site))?;
        Some(self.points[point as usize][at])
    }

    /// Whether a section is a part of what is repeated for ever, and is the one at which a round begins.
    pub(super) fn is_loop(&self, section: u32) -> bool {
        let first = self.sections.iter().position(|section| section.repeats);
        first == Some(section as usize)
    }

    /// How a site is called.
    pub(super) fn place(&self, site: u32) -> Option<&str> {
        let at = self.table.places.binary_search_by_key(&site, |(known, _)| *known).ok()?;
        Some(self.table.places[at].1.as_str())
    }
}

fn arrange(section: &trace::table::Section, threads: u32, left: usize) -> Section {
    let chains = Chains::of(section, left);
    let mut parts: Vec<Part> = (0..threads).map(|_| Part::default()).collect();
    // Where in the section the last event of each thread is so far.
    let mut last: Vec<Option<usize>> = vec![None; threads as usize];
    for (at, event) in section.events.iter().enumerate() {
        last[event.thread as usize] = Some(at);
        parts[event.thread as usize].events.push(Event {
            site: event.site,
            after: event.after.clone(),
            awaited: false,
            late: event.late,
            alarm: chains.alarm(at),
            habit: Habit::default(),
        });
    }
    for event in &section.events {
        for &(thread, count) in &event.after {
            if let Some(awaited) = parts
                .get_mut(thread as usize)
                .and_then(|part| part.events.get_mut((count as usize).wrapping_sub(1)))
            {
                awaited.awaited = true;
            }
        }
    }
    let mut totals = Vec::new();
    for (thread, part) in parts.iter_mut().enumerate() {
        // What is late comes at the end.
        let count = part.events.iter().take_while(|event| !event.late).count();
        if let Some(last) = part.events[..count].last_mut() {
            last.awaited = true;
            totals.push((thread as u32, count as u32));
        }
        let quiet = |event: &Event| if event.after.is_empty() && !event.awaited { event.site } else { 0 };
        part.sites = part.events.iter().map(quiet).chain([0]).collect();
    }
    totals.sort_by_key(|(thread, _)| core::cmp::Reverse(last[*thread as usize]));
    let tail = totals.first().map_or_else(Vec::new, |last| chains.ending_with(*last));
    Section { parts, totals, tail, next: section.next, repeats: false }
}

fn reaches(sections: &[Section], points: &[Vec<u32>], from: u32, to: u32) -> bool {
    let mut seen = vec![false; points.len()];
    let mut open = vec![from];
    while let Some(at) = open.pop() {
        if at == to {
            return true;
        }
        if !core::mem::replace(&mut seen[at as usize], true) {
            open.extend(points[at as usize].iter().map(|section| sections[*section as usize].next));
        }
    }
    false
}
