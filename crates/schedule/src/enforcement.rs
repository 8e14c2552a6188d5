//! From a program schedule to the table that the run-time library goes by.
//!
//! A schedule is in ops, and the run-time library sees instructions of the compiled program, by their sites. Most instructions
//! that others see are one event each. Some are several, as the start of a thread, which also stores the handle: those become one
//! event, which waits for all that its parts wait for. Events that nobody can see, as the first step of a thread up to
//! its first access, vanish; what they wait for goes to the next event of their thread, and to those of others that wait for them. Of synchronization in two steps
//! (condition variables and barriers) both are events, with the same site.

use std::collections::{BTreeMap, BTreeSet};

use ir::{AssertKind, Op, OpRef, Program, SyncKind};
use trace::table::{self, Inputs, Table};

use crate::handover::{Task, gather};
use crate::instruction::{Follower, InstructionKind, Origins, Within};
use crate::order::{Clock, closure, merge, reduce};
use crate::program_schedule::{Event, EventEnd, Point, PointId, ProgramSchedule, Section};

/// Where each thread is.
type Carry = BTreeMap<u32, Place>;

/// Where a thread is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Place {
    within: Within,
    /// Whether nobody else has done anything since the instruction began that it is in.
    alone: bool,
}

/// The table of a schedule, without modules, inputs and goal. It has a place for the inputs of each thread that is started.
///
/// # Errors
/// When the schedule asks for more than can be done with instructions; with what.
pub fn enforcement(
    program: &Program,
    schedule: &ProgramSchedule,
    origins: &Origins<'_>,
) -> Result<Table, String> {
    let converter = Converter { program, origins, follower: Follower::new(program, origins) };
    let omitted: BTreeSet<u32> =
        schedule.omitted.iter().filter_map(|op| origins(*op)).map(|origin| origin.site).collect();
    let count = schedule.points.len();
    let mut points: Vec<table::Point> = vec![table::Point::default(); count];
    // Of each point, whether the first events of its sections are events of the table.
    let mut firsts: Vec<Vec<bool>> = vec![Vec::new(); count];
    let mut carried: Vec<Option<Carry>> = vec![None; count];
    let Some(first) = carried.first_mut() else { return Ok(Table::default()) };
    *first = Some(Carry::new());
    let mut open = vec![0_usize];
    while let Some(at) = open.pop() {
        let carry = carried[at].clone().unwrap_or_default();
        let point = &schedule.points[PointId::from_u32(u32::try_from(at).unwrap_or(u32::MAX))];
        for section in converter.choices(point) {
            let mut carry = carry.clone();
            let (converted, first) = converter.section(section, &mut carry)?;
            points[at].sections.push(converted);
            firsts[at].push(first);
            let next = section.next.as_u32() as usize;
            match &carried[next] {
                None => {
                    carried[next] = Some(carry);
                    open.push(next);
                }
                Some(known) if *known == carry => {}
                Some(_) => {
                    return Err("a thread comes to the same place within and between instructions".to_owned());
                }
            }
        }
    }
    let inputs = vec![Inputs::default(); converter.started(schedule)];
    let mut table = Table { omitted: omitted.into_iter().collect(), points, inputs, ..Table::default() };
    if let Some(site) = table
        .points
        .iter()
        .flat_map(|point| &point.sections)
        .flat_map(|section| &section.events)
        .map(|event| event.site)
        .find(|site| table.omitted.binary_search(site).is_ok())
    {
        return Err(format!("site {site} is performed in one place and omitted in another"));
    }
    converter.ways(schedule, &firsts, &mut table)?;
    end_silent_loops(&mut table);
    Ok(table)
}

/// The sites at which threads have to wait for their turns, each with a place in the source.
#[must_use]
pub fn visible_sites(program: &Program, origins: &Origins<'_>, table: &Table) -> BTreeMap<u32, source::Span> {
    let follower = Follower::new(program, origins);
    let scheduled = !table.points.is_empty();
    let mut sites = BTreeMap::new();
    // Calls of functions that have sites of their own, and where a run ends only if it comes to what the analysis does not know, or does what
    // is not valid; and what is a step besides some way of calling and failing.
    let (mut perhaps, mut steps) = (BTreeSet::new(), BTreeSet::new());
    for (proc, body) in &program.procs {
        for (block, index, stmt) in body.stmts() {
            let origin = origins(OpRef { proc, block, index }).filter(|origin| origin.site != 0);
            // What has no site of its own belongs to who calls it.
            let visible = match &stmt.op {
                Op::Call { proc, .. } if follower.is_quiet(*proc) => continue,
                Op::Call { proc, .. } => follower.belongs_to_caller(*proc),
                op => follower.is_visible(op),
            };
            let Some(origin) = origin else { continue };
            if visible {
                sites.entry(origin.site).or_insert(stmt.span);
                let before = index.checked_sub(1).map(|before| &body.blocks[block].stmts[before].op);
                if !matches!(stmt.op, Op::Exit | Op::Call { .. }) {
                    steps.insert(origin.site);
                } else if matches!(stmt.op, Op::Exit)
                    && before.is_some_and(|before| is_unknown(before) || is_check(before) && scheduled)
                {
                    perhaps.insert(origin.site);
                }
            } else if matches!(stmt.op, Op::Call { .. }) {
                perhaps.insert(origin.site);
            }
        }
    }
    // A call through a pointer may be one of a library function, or fail. It is a step only if the schedule knows it as one.
    let sections = table.points.iter().flat_map(|point| &point.sections);
    let known: BTreeSet<u32> = sections.flat_map(|section| &section.events).map(|event| event.site).collect();
    sites.retain(|site, _| steps.contains(site) || known.contains(site) || !perhaps.contains(site));
    sites
}

/// Whether an op stands for what the analysis does not know. In a program that a recorded run is followed on, it is a `havoc`.
fn is_unknown(op: &Op) -> bool {
    match op {
        Op::Opaque { .. } => true,
        Op::Havoc { targets } => targets.is_empty(),
        _ => false,
    }
}

/// Whether an op says that what the program does is not valid.
fn is_check(op: &Op) -> bool {
    matches!(op, Op::Assert { kind: AssertKind::Memory, .. })
}

struct Converter<'a> {
    program: &'a Program,
    origins: &'a Origins<'a>,
    follower: Follower<'a>,
}

/// What it means in events of the table that an event of the schedule has happened.
struct Means {
    /// So many of its thread have.
    count: u32,
    /// And so have those of others, for which its thread has not waited since nothing of it is in the table that could.
    others: Clock,
}

/// A section while it is converted.
#[derive(Default)]
struct Converted {
    events: Vec<table::Event>,
    /// Of each event how many ops it has, with all that its thread does on its own after it.
    ops: Vec<u64>,
    /// Of each thread: for each of its events of the schedule that counts, what has to have happened when it has.
    means: BTreeMap<u32, Vec<Means>>,
    /// Of each thread: how many events it has in the table, and which was the last.
    made: BTreeMap<u32, (u32, usize)>,
    /// What the next event of a thread waits for besides, since a silent one did.
    inherited: BTreeMap<u32, Clock>,
}

impl Converter<'_> {
    /// A section, and whether its first event is one of the table.
    fn section(&self, section: &Section, carry: &mut Carry) -> Result<(table::Section, bool), String> {
        let mut converted = Converted::default();
        let mut first = None;
        for event in &section.events {
            let thread = event.thread;
            let alone = carry.get(&thread).is_some_and(|place| place.alone);
            let kind = self.kind(event, carry);
            first.get_or_insert(!event.omitted && matches!(kind, InstructionKind::Instruction(_)));
            let mut after = converted.translated(event);
            if kind != InstructionKind::Silent && !event.omitted {
                for (_, place) in carry.iter_mut().filter(|(other, _)| **other != thread) {
                    place.alone = false;
                }
            }
            converted.takes(
                thread,
                self.ops(event),
                !event.omitted && matches!(kind, InstructionKind::Instruction(_)),
            );
            match kind {
                _ if event.omitted => continue,
                InstructionKind::Instruction(site) => {
                    merge(&mut after, &converted.inherited.remove(&thread).unwrap_or_default());
                    converted.events.push(table::Event { thread, site, after, late: event.late });
                    let made = converted.made.entry(thread).or_default();
                    *made = (made.0 + 1, converted.events.len() - 1);
                }
                InstructionKind::Part => match converted.made.get(&thread) {
                    Some(&(_, at)) => {
                        merge(&mut after, &converted.inherited.remove(&thread).unwrap_or_default());
                        merge(&mut converted.events[at].after, &after);
                        converted.events[at].late &= event.late;
                    }
                    // It has happened with the rest of the instruction, in the section before.
                    None if alone => converted.inherits(thread, &after),
                    None => {
                        return Err(format!(
                            "{} is divided: other threads would have to run in the middle of it",
                            self.shown(event)
                        ));
                    }
                },
                InstructionKind::Silent => converted.inherits(thread, &after),
            }
            converted.happened(thread);
        }
        let mut events = converted.events;
        if events.len() > table::MOST_EVENTS as usize {
            return Err(format!("a part without branches has more than {} events", table::MOST_EVENTS));
        }
        simplify(&mut events, &converted.ops);
        keep_up(&mut events);
        if !is_possible(&events) {
            return Err("threads would have to run in the middle of each other's instructions".to_owned());
        }
        Ok((table::Section { ways: Vec::new(), events, next: section.next.as_u32() }, first.unwrap_or(false)))
    }

    /// The sections of a point. Whom a signal wakes is up to who keeps the program on its schedule: the first is as good as any.
    fn choices<'s>(&self, point: &'s Point) -> Vec<&'s Section> {
        let mut kept: Vec<&Section> = Vec::new();
        for section in &point.sections {
            let same = |other: &&Section| match (section.events.first(), other.events.first()) {
                (Some(one), Some(other)) => {
                    self.signals(one)
                        && (one.thread, &one.ops, one.end) == (other.thread, &other.ops, other.end)
                }
                _ => false,
            };
            if !kept.iter().any(same) {
                kept.push(section);
            }
        }
        kept
    }

    /// How many threads there are at most: some that are started may have nothing to do in the schedule.
    fn started(&self, schedule: &ProgramSchedule) -> usize {
        let sections = schedule.points.values().flat_map(|point| &point.sections);
        let ops = sections.flat_map(|section| &section.events).flat_map(|event| &event.ops);
        let started = ops.filter(|at| matches!(self.op(**at), Op::Spawn { .. })).count();
        (1 + started).min(table::MOST_THREADS as usize)
    }

    fn signals(&self, event: &Event) -> bool {
        let op = event.ops.first().map(|at| self.op(*at));
        matches!(op, Some(Op::Sync(sync)) if sync.kind == SyncKind::Signal)
    }

    fn op(&self, at: OpRef) -> &Op {
        &self.program.procs[at.proc].blocks[at.block].stmts[at.index].op
    }

    /// How many ops an event has. One that sleeps, or does what is not looked at, takes long.
    fn ops(&self, event: &Event) -> u64 {
        let long = event.ops.iter().any(|at| matches!(self.op(*at), Op::Yield | Op::Opaque { .. }));
        event.ops.len() as u64 + if long { Task::LONG } else { 0 }
    }

    fn shown(&self, event: &Event) -> String {
        event.ops.first().map_or_else(String::new, |op| {
            let proc = &self.program.procs[op.proc];
            format!("an instruction of `{}`", proc.name)
        })
    }

    /// What an event is; `carry` follows where its thread is within an instruction.
    fn kind(&self, event: &Event, carry: &mut Carry) -> InstructionKind {
        let Some(&first) = event.ops.first() else { return InstructionKind::Silent };
        let place = carry.entry(event.thread).or_default();
        let within = &mut place.within;
        let kind = match event.end {
            EventEnd::Completed => InstructionKind::Silent,
            EventEnd::Before(_) | EventEnd::Exited => self.follower.kind(first, *within),
        };
        if matches!(kind, InstructionKind::Instruction(_)) {
            place.alone = true;
        }
        self.follower.follow(first, within);
        if event.end != EventEnd::Completed {
            self.follower.executed(first, within);
        }
        for op in &event.ops[1..] {
            self.follower.follow(*op, within);
        }
        // Where an instruction begins it does not matter what was before.
        let begins = match event.end {
            EventEnd::Before(next) => (self.origins)(next).is_some_and(|origin| origin.fresh),
            EventEnd::Completed | EventEnd::Exited => true,
        };
        if begins {
            *place = Place::default();
        }
        kind
    }

    /// Where several sections start: at which sites the thread that decides may be next, for each of them.
    fn ways(
        &self,
        schedule: &ProgramSchedule,
        firsts: &[Vec<bool>],
        table: &mut Table,
    ) -> Result<(), String> {
        for (at, point) in &schedule.points {
            let sections = self.choices(point);
            if sections.len() < 2 {
                continue;
            }
            let at = at.as_u32() as usize;
            let mut known: BTreeMap<u32, usize> = BTreeMap::new();
            for (index, section) in sections.into_iter().enumerate() {
                let Some(first) = section.events.first() else { continue };
                // The first event itself happens before it is known which section it is.
                let skipped = firsts[at].get(index).copied().unwrap_or(false);
                table.points[at].leader = first.thread;
                table.points[at].late = skipped;
                let ways = next_sites(table, at, index, first.thread, usize::from(skipped), first.end);
                for &way in &ways {
                    if let Some(other) = known.insert(way, index)
                        && other != index
                    {
                        return Err(format!(
                            "{} goes different ways to the same place, and they cannot be told apart",
                            self.shown(first)
                        ));
                    }
                }
                table.points[at].sections[index].ways = ways.into_iter().collect();
            }
        }
        Ok(())
    }
}

/// A part of a schedule in which nothing happens any more that anybody sees is the end.
fn end_silent_loops(table: &mut Table) {
    for start in 0..table.points.len() {
        let mut at = start;
        for _ in 0..=table.points.len() {
            match table.points[at].sections.as_slice() {
                [section] if section.events.is_empty() => at = section.next as usize,
                _ => break,
            }
            if at == start {
                table.points[start].sections.clear();
                break;
            }
        }
    }
}

/// The sites at which a thread can be next after some events of a section.
fn next_sites(
    table: &Table,
    point: usize,
    index: usize,
    thread: u32,
    skipped: usize,
    end: EventEnd,
) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    if end == EventEnd::Completed {
        found.insert(table::THREAD_END);
        return found;
    }
    let mut seen = BTreeSet::new();
    let mut open = vec![(point, index, skipped)];
    while let Some((point, index, skip)) = open.pop() {
        let section = &table.points[point].sections[index];
        match section.events.iter().filter(|event| event.thread == thread).nth(skip) {
            Some(event) => {
                found.insert(event.site);
            }
            None => {
                let next = section.next as usize;
                if table.points[next].sections.is_empty() {
                    found.insert(table::THREAD_END);
                }
                if seen.insert(next) {
                    open.extend((0..table.points[next].sections.len()).map(|index| (next, index, 0)));
                }
            }
        }
    }
    if found.is_empty() {
        // It does nothing any more that anybody sees.
        found.insert(table::THREAD_END);
    }
    found
}

impl Converted {
    /// A thread spends time: with an event of the table that comes next, or after the last one.
    fn takes(&mut self, thread: u32, ops: u64, is_event: bool) {
        match self.made.get(&thread) {
            _ if is_event => self.ops.push(ops),
            Some(&(_, at)) => self.ops[at] += ops,
            None => {}
        }
    }

    /// What an event waits for, in events of the table.
    fn translated(&self, event: &Event) -> Clock {
        let mut clock = Clock::new();
        for after in &event.after {
            let means = self.means.get(&after.thread);
            let at = usize::try_from(after.count).unwrap_or(usize::MAX);
            let means = means.and_then(|means| means.get(at.checked_sub(1)?));
            let Some(Means { count, others }) = means else { continue };
            if *count > 0 {
                merge(&mut clock, &[(after.thread, *count)]);
            }
            merge(&mut clock, others);
        }
        clock
    }

    /// An event of a thread that counts is in the table now, as far as it can be.
    fn happened(&mut self, thread: u32) {
        let count = self.made.get(&thread).map_or(0, |made| made.0);
        let others = self.inherited.get(&thread).cloned().unwrap_or_default();
        self.means.entry(thread).or_default().push(Means { count, others });
    }

    /// What a thread has not waited for yet.
    fn inherits(&mut self, thread: u32, after: &Clock) {
        merge(self.inherited.entry(thread).or_default(), after);
    }
}

/// Leaves out what need not be waited for: what is of the same thread, or follows from the rest; and what is waited for in a short time anyway is waited for at once.
fn simplify(events: &mut [table::Event], ops: &[u64]) {
    for event in &mut *events {
        let own = event.thread;
        event.after.retain(|(thread, _)| *thread != own);
    }
    let threads: Vec<u32> = events.iter().map(|event| event.thread).collect();
    let mut constraints: Vec<Clock> = events.iter().map(|event| event.after.clone()).collect();
    let minimal = |constraints: &[Clock]| closure(&threads, constraints).map(|full| reduce(&threads, &full));
    if let Some(fewer) = minimal(&constraints) {
        constraints = fewer;
        let tasks = threads.iter().zip(ops).map(|(&thread, &ops)| Task { thread, ops });
        gather(&tasks.collect::<Vec<_>>(), &mut constraints);
        for (event, after) in events.iter_mut().zip(minimal(&constraints).unwrap_or(constraints)) {
            event.after = after;
        }
    }
}

/// Of a thread that would be nothing but late, since what it does besides is no event of the table, nothing is late; and what comes
/// before something that is not late is not, either.
fn keep_up(events: &mut [table::Event]) {
    let punctual: BTreeSet<u32> =
        events.iter().filter(|event| !event.late).map(|event| event.thread).collect();
    let mut ended = BTreeSet::new();
    for event in events.iter_mut().rev() {
        event.late &= punctual.contains(&event.thread) && !ended.contains(&event.thread);
        if !event.late {
            ended.insert(event.thread);
        }
    }
}

/// Whether there is an order in which the events can happen.
fn is_possible(events: &[table::Event]) -> bool {
    let mut done: BTreeMap<u32, u32> = BTreeMap::new();
    let mut left: Vec<&table::Event> = events.iter().collect();
    while !left.is_empty() {
        let mut stuck: BTreeSet<u32> = BTreeSet::new();
        let before = left.len();
        left.retain(|event| {
            let can = !stuck.contains(&event.thread)
                && event.after.iter().all(|(thread, count)| done.get(thread).copied().unwrap_or(0) >= *count);
            if can {
                *done.entry(event.thread).or_default() += 1;
            } else {
                stuck.insert(event.thread);
            }
            !can
        });
        if left.len() == before {
            return false;
        }
    }
    true
}
