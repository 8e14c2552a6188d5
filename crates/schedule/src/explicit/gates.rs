//! What the run-time library does with a table, on the interpreter: threads that wait at gates, and who need not wait goes in a random
//! order.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use interp::{Guide, Turn, Unknown};
use ir::{Op, OpRef, Program};
use trace::table::{Event, Section, THREAD_END, Table};

use crate::{Follower, Level, Origin};

/// After so many sections a run has been followed long enough.
pub(super) const MOST_SECTIONS: u64 = 5;
/// A run of so many steps does not come to an end: a thread goes round by itself.
pub(super) const MOST_STEPS: usize = 600;

/// The instructions of a compiled program: one for each op, or for some that follow each other.
pub(super) struct Compiled {
    pub(super) origins: BTreeMap<OpRef, Origin>,
}

impl Compiled {
    /// With `grouped`, an assignment can be in the same instruction as the one before it.
    pub(super) fn new(program: &Program, grouped: bool, random: &mut fastrand::Rng) -> Self {
        let mut origins = BTreeMap::new();
        let mut site = 0;
        for (proc, body) in &program.procs {
            let mut follows = false;
            for (block, index, stmt) in body.stmts() {
                let simple = matches!(stmt.op, Op::Assign { .. });
                let fresh = !(grouped && simple && follows && index > 0 && random.bool());
                site += u32::from(fresh);
                origins.insert(OpRef { proc, block, index }, Origin { site, fresh });
                follows = simple;
            }
        }
        Compiled { origins }
    }

    pub(super) fn origin(&self, op: OpRef) -> Option<Origin> {
        self.origins.get(&op).copied()
    }
}

/// Where a thread is in the schedule.
#[derive(Default)]
pub(super) struct Here {
    /// Where it stands, unless it has completed.
    pub(super) at: Option<OpRef>,
    /// The instruction that it is in, if that has a turn of its own which is not over.
    pub(super) within: Option<u32>,
    /// Whether it has come to another instruction since.
    pub(super) past: bool,
    /// How many sections have begun with the one that it was in last; how many of its events there are done.
    pub(super) epoch: u64,
    pub(super) done: usize,
    /// The point at which it is to decide.
    pub(super) decides: Option<usize>,
}

/// What a thread may do that comes to an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gate {
    Open,
    Closed,
}

/// A program whose threads wait at their gates; in what order those go who need not wait is left to chance.
pub(super) struct Gates<'a> {
    pub(super) program: &'a Program,
    pub(super) table: &'a Table,
    pub(super) compiled: &'a Compiled,
    pub(super) expanded: &'a ir::Expanded,
    pub(super) follower: Follower<'a>,
    /// The sites of instructions with gates.
    pub(super) gated: BTreeSet<u32>,
    pub(super) threads: Vec<Here>,
    /// Which thread has a number in the interpreter.
    pub(super) numbers: BTreeMap<usize, usize>,
    /// The sections that have begun: their points, and which of the sections there they are.
    pub(super) taken: Vec<(usize, usize)>,
    pub(super) random: fastrand::Rng,
    pub(super) steps: usize,
    /// The threads that run one after the other, if nobody is to wait for gates.
    pub(super) listed: Option<std::vec::IntoIter<u32>>,
    /// What was arbitrary, for each thread in order, and the op that runs.
    pub(super) chosen: BTreeMap<usize, VecDeque<i64>>,
    pub(super) running: Option<OpRef>,
    /// Something is arbitrary, and nobody knows its value.
    pub(super) unknown: bool,
    /// Nobody can go on.
    pub(super) over: bool,
    /// The program has ended itself.
    pub(super) ended: bool,
}

impl Gates<'_> {
    pub(super) fn section(&self, epoch: u64) -> Option<&Section> {
        let (point, index) = *self.taken.get(usize::try_from(epoch).ok()?.checked_sub(1)?)?;
        Some(&self.table.points[point].sections[index])
    }

    /// The point where the program is after the last section that has begun.
    pub(super) fn point(&self) -> usize {
        self.section(self.now()).map_or(0, |section| section.next as usize)
    }

    /// How many sections have begun.
    pub(super) fn now(&self) -> u64 {
        self.taken.len() as u64
    }

    /// The next event of a thread in a section that it takes part in.
    fn event<'s>(&self, section: &'s Section, thread: usize) -> Option<&'s Event> {
        let mut events = section.events.iter().filter(|event| event.thread as usize == thread);
        events.nth(self.threads[thread].done)
    }

    /// Whether a thread has done so many events of a section.
    fn has(&self, thread: u32, epoch: u64, count: usize) -> bool {
        count == 0
            || self.threads.get(thread as usize).is_some_and(|here| (here.epoch, here.done) >= (epoch, count))
    }

    fn has_all(&self, after: &[(u32, u32)], epoch: u64) -> bool {
        after.iter().all(|&(thread, count)| self.has(thread, epoch, count as usize))
    }

    /// Whether all events of the last section are done, but for those that can be late.
    pub(super) fn is_finished(&self, late: bool) -> bool {
        let Some(section) = self.section(self.now()) else { return true };
        (0..).take(self.threads.len().max(64)).all(|thread| {
            let events = section.events.iter().filter(|event| event.thread == thread);
            self.has(thread, self.now(), events.filter(|event| late || !event.late).count())
        })
    }

    /// What the run-time library does with a thread that comes to an instruction.
    fn enter(&mut self, thread: usize, site: u32) -> Result<Gate, String> {
        loop {
            if let Some(point) = self.threads[thread].decides.take() {
                self.decide(thread, point, site)?;
            }
            if site == THREAD_END && !self.is_to_decide(thread) {
                return Ok(Gate::Closed);
            }
            let epoch = self.threads[thread].epoch;
            if let Some(section) = self.section(epoch)
                && let Some(event) = self.event(section, thread)
            {
                if event.site != site {
                    return Err(format!("thread {thread} is at {site} and not at {}", event.site));
                }
                return Ok(if self.has_all(&event.after, epoch) { Gate::Open } else { Gate::Closed });
            }
            if self.now() > epoch {
                let here = &mut self.threads[thread];
                (here.epoch, here.done) = (self.taken.len() as u64, 0);
                continue;
            }
            let point = self.point();
            let sections = self.table.points[point].sections.len();
            if !self.is_finished(false) || sections == 0 || self.now() == MOST_SECTIONS {
                return Ok(Gate::Closed);
            }
            if sections == 1 {
                // Whoever has to wait for others there does not begin it.
                let first = self.table.points[point].sections[0].events.iter();
                if first.clone().find(|e| e.thread as usize == thread).is_some_and(|e| !e.after.is_empty()) {
                    return Ok(Gate::Closed);
                }
                self.taken.push((point, 0));
            } else if self.table.points[point].leader as usize == thread {
                self.threads[thread].decides = Some(point);
                let first = &self.table.points[point].sections[0].events;
                if self.table.points[point].late {
                    return match first.first() {
                        Some(event) if event.site == site => Ok(Gate::Open),
                        _ => Err(format!("thread {thread} is at {site} when it has to decide")),
                    };
                }
            } else {
                return Ok(Gate::Closed);
            }
        }
    }

    /// Takes a section, now that it is known where a thread went.
    fn decide(&mut self, thread: usize, point: usize, site: u32) -> Result<(), String> {
        let sections = &self.table.points[point].sections;
        let index = sections.iter().position(|section| section.ways.contains(&site));
        let index = index.ok_or_else(|| format!("thread {thread} goes to {site}, where no section leads"))?;
        self.taken.push((point, index));
        let here = &mut self.threads[thread];
        here.epoch = self.taken.len() as u64;
        here.done = usize::from(self.table.points[point].late);
        Ok(())
    }

    /// Whether a thread may have to decide after the section that the program is in.
    fn is_to_decide(&self, thread: usize) -> bool {
        let (mut seen, mut open) = (BTreeSet::new(), vec![self.point()]);
        while let Some(at) = open.pop() {
            let point = &self.table.points[at];
            if point.sections.len() > 1 && point.leader as usize == thread {
                return true;
            }
            if seen.insert(at) {
                open.extend(point.sections.iter().map(|section| section.next as usize));
            }
        }
        false
    }

    /// Whether a thread may go on.
    fn may(&mut self, thread: usize) -> Result<Gate, String> {
        let Some(at) = self.threads[thread].at else { return self.enter(thread, THREAD_END) };
        if self.threads[thread].within.is_some() {
            return Ok(Gate::Open);
        }
        match self.site(at) {
            Some(site) => self.enter(thread, site),
            None => Ok(Gate::Open),
        }
    }

    /// Whether a thread may wait for another to complete. For that it needs more than its turn, since nobody has a gate at its end.
    fn joins(&self, thread: usize) -> bool {
        let at = self.threads[thread].at.map(|at| self.original(at));
        at.is_some_and(|at| matches!(op(self.program, at), Op::Wait { .. } | Op::AtomicBegin))
    }

    /// The gate at which a thread stands.
    fn site(&self, at: OpRef) -> Option<u32> {
        let at = self.original(at);
        let site = self.compiled.origin(at)?.site;
        (self.follower.is_visible(op(self.program, at)) && self.gated.contains(&site)).then_some(site)
    }

    /// The op of the program before expansion.
    fn original(&self, at: OpRef) -> OpRef {
        self.expanded.back.get(at).unwrap_or(at)
    }
}

impl Guide for Gates<'_> {
    fn started(&mut self, thread: usize, _: Option<usize>) -> Result<(), String> {
        self.numbers.insert(thread, self.threads.len());
        self.threads.push(Here::default());
        Ok(())
    }

    fn turn(&mut self) -> Result<Turn, String> {
        self.running = None;
        if self.steps == MOST_STEPS {
            return Ok(Turn::End);
        }
        self.steps += 1;
        if let Some(listed) = &mut self.listed {
            let Some(thread) = listed.next() else { return Ok(Turn::End) };
            let slot = self.numbers.iter().find(|(_, number)| **number == thread as usize);
            return slot
                .map(|(slot, _)| Turn::Run(*slot))
                .ok_or_else(|| format!("there is no thread {thread}"));
        }
        if self.ended {
            self.over = true;
            return Ok(Turn::End);
        }
        let mut order: Vec<(usize, usize)> =
            self.numbers.iter().map(|(slot, thread)| (*slot, *thread)).collect();
        self.random.shuffle(&mut order);
        let walks = order
            .iter()
            .any(|(_, thread)| self.threads[*thread].at.is_some_and(|at| self.site(at).is_none()));
        // Who comes to a gate may begin a section, and then others can go on.
        let mut begun = usize::MAX;
        while begun != self.taken.len() {
            begun = self.taken.len();
            for &(slot, thread) in &order {
                if walks && self.joins(thread) {
                    continue;
                }
                if self.may(thread)? == Gate::Open {
                    let at = self.threads[thread].at.and_then(|at| self.site(at));
                    let here = &mut self.threads[thread];
                    here.within = here.within.or(at);
                    return Ok(Turn::Run(slot));
                }
            }
        }
        self.over = true;
        Ok(Turn::End)
    }

    fn stands(&mut self, slot: usize, at: Option<OpRef>) {
        let thread = self.numbers[&slot];
        let origin = at.and_then(|at| self.compiled.origin(self.original(at)));
        let here = &mut self.threads[thread];
        here.at = at;
        here.past &= here.within.is_some();
        if let Some(within) = here.within
            && (here.past || origin.is_none_or(|origin| origin.fresh || origin.site != within))
        {
            (here.within, here.past) = (None, false);
            // Of a thread that has to decide, the event is counted when it is known where it went.
            if here.decides.is_none() {
                here.done += 1;
            }
        }
    }

    fn delays(&mut self, _: usize, _: bool) -> Result<bool, String> {
        Ok(false)
    }

    fn begins(&mut self, slot: usize, at: OpRef) -> Result<(), String> {
        let at = self.original(at);
        let here = &mut self.threads[self.numbers[&slot]];
        // The first op of a step is one at which it stood.
        here.past |= self.running.is_some() && self.follower.begins(at, here.within.unwrap_or(0));
        self.running = Some(at);
        self.ended |= matches!(op(self.program, at), Op::Exit);
        Ok(())
    }

    fn stops(&mut self, _: usize, _: bool) {}

    fn choose(&mut self, slot: usize, what: Unknown<'_>) -> Result<i64, String> {
        let chosen = self.chosen.entry(self.numbers[&slot]).or_default();
        if self.listed.is_some()
            && let Some(value) = chosen.pop_front()
        {
            return Ok(value);
        }
        let count = match (what, self.running.map(|at| op(self.program, at))) {
            (Unknown::Target, Some(Op::Choose { targets, .. })) => targets.len(),
            (Unknown::Local(_, []), _) => 2,
            _ => {
                self.unknown = true;
                return Err(format!("nobody knows {what:?}"));
            }
        };
        let value = self.random.i64(0..i64::try_from(count).unwrap_or(1));
        chosen.push_back(value);
        Ok(value)
    }
}

impl Gates<'_> {
    /// Whether somebody is at what may make this no run of the program.
    pub(super) fn is_at_assume(&self) -> bool {
        let stand = self.threads.iter().filter_map(|here| here.at).map(|at| self.original(at));
        stand.chain(self.running).any(|at| matches!(op(self.program, at), Op::Assume(_)))
    }

    /// Nobody can go on: that is right after all that the sections have, and nowhere else.
    pub(super) fn assert_over(&self, level: Level) {
        let mut point = &self.table.points[self.point()];
        while let [section] = point.sections.as_slice()
            && section.events.is_empty()
        {
            point = &self.table.points[section.next as usize];
        }
        let ends = point.sections.is_empty();
        assert!(ends || self.ended || self.now() == MOST_SECTIONS, "nobody goes on at {level:?}");
        assert!(self.is_finished(true), "somebody is stuck in a section at {level:?}");
    }
}

pub(super) fn op(program: &Program, at: OpRef) -> &Op {
    &program.procs[at.proc].blocks[at.block].stmts[at.index].op
}
