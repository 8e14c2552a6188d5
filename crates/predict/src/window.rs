//! A part of a run as a concurrent trace program. What is outside of the part keeps the order that it had: what comes before
//! has left the state that the window begins with, and what comes after is not looked at.

use std::ops::Range;

use formula::Translator;
use ir::GlobalId;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::TermId;

use crate::ctp::{Block, Ctp, Origin};
use crate::execute::{Cells, Elements, Executor, Plan, StepFacts, Stuck, Subject};
use crate::happens_before::Clocks;
use crate::pins::{Pins, Sources};
use crate::record::Recording;
use crate::state::State;

/// A run that was executed with all values known.
pub(crate) struct Prepared<'p> {
    pub(crate) translator: Translator<'p>,
    pub(crate) pins: Pins,
    pub(crate) elements: Elements,
    pub(crate) facts: Vec<StepFacts>,
    /// The state at the beginning of each window.
    pub(crate) states: FxHashMap<usize, State>,
    /// Where the run cannot be followed any further, and why.
    pub(crate) stuck: Option<Stuck>,
}

/// Somebody is asked every so many steps whether to go on.
const WATCH_EVERY: usize = 1000;

/// Executes the run twice: see [`crate::execute`]. Nothing if that is not to go on.
pub(crate) fn prepare<'p>(
    subject: Subject<'p>,
    recording: &Recording,
    starts: &[usize],
    goes_on: &mut dyn FnMut() -> bool,
) -> Result<Option<Prepared<'p>>, Stuck> {
    let mut first = Executor::new(subject, Translator::new(subject.expanded), recording, Pins::default());
    first.sources = Some(Sources::default());
    first.begin()?;
    let mut stuck = None;
    let mut steps = recording.steps.len();
    for step in 0..recording.steps.len() {
        if step % WATCH_EVERY == 0 && !goes_on() {
            return Ok(None);
        }
        if let Err(reason) = first.step(step) {
            stuck = Some(reason);
            steps = step;
            break;
        }
    }
    let mut second = Executor::new(subject, first.translator, recording, first.pins);
    second.begin()?;
    let mut states = FxHashMap::default();
    let starts: FxHashSet<usize> = starts.iter().copied().collect();
    for step in 0..steps {
        if step % WATCH_EVERY == 0 && !goes_on() {
            return Ok(None);
        }
        if starts.contains(&step) {
            states.insert(step, second.state.clone());
        }
        second.step(step)?;
    }
    if steps == 0 {
        states.insert(0, second.state.clone());
    }
    Ok(Some(Prepared {
        translator: second.translator,
        pins: second.pins,
        elements: second.elements,
        facts: second.facts,
        states,
        stuck,
    }))
}

/// A window, and the terms of it.
pub(crate) struct Window<'p, 'a> {
    pub(crate) ctp: Ctp,
    pub(crate) executor: Executor<'p, 'a>,
    /// The owners of mutexes that could not be taken for sections.
    pub(crate) symbolic: FxHashSet<GlobalId>,
}

/// Who starts, completes and waits for whom in a window.
pub(crate) struct Skeleton {
    threads: Vec<Vec<usize>>,
    started_by: Vec<Option<usize>>,
    completed_by: Vec<Option<usize>>,
    clocks: Clocks,
}

/// Looks at who starts, completes and waits for whom.
pub(crate) fn skeleton(facts: &[StepFacts], threads: usize) -> Skeleton {
    let mut skeleton = Skeleton {
        threads: vec![Vec::new(); threads],
        started_by: vec![None; threads],
        completed_by: vec![None; threads],
        clocks: Clocks::new(threads),
    };
    for (event, fact) in facts.iter().enumerate() {
        let mut before: Vec<usize> = skeleton.threads[fact.thread].last().copied().into_iter().collect();
        before.extend(skeleton.started_by[fact.thread].filter(|_| before.is_empty()));
        before.extend(fact.waits.iter().filter_map(|waited| skeleton.completed_by[*waited]));
        let pos = skeleton.threads[fact.thread].len();
        skeleton.clocks.push(&before, fact.thread, pos);
        skeleton.threads[fact.thread].push(event);
        for &started in &fact.spawns {
            skeleton.started_by[started] = Some(event);
        }
        if fact.completes {
            skeleton.completed_by[fact.thread] = Some(event);
        }
    }
    skeleton
}

/// The globals that two threads access, one of them writing, and who assigns them.
fn shared(facts: &[StepFacts]) -> (FxHashSet<GlobalId>, FxHashMap<GlobalId, Vec<usize>>) {
    let mut by: FxHashMap<GlobalId, (usize, bool)> = FxHashMap::default();
    let mut writers: FxHashMap<GlobalId, Vec<usize>> = FxHashMap::default();
    for (event, fact) in facts.iter().enumerate() {
        for &(global, write) in &fact.accesses {
            let (thread, several) = by.entry(global).or_insert((fact.thread, false));
            *several |= *thread != fact.thread;
            if write {
                let writers = writers.entry(global).or_default();
                if writers.last() != Some(&event) {
                    writers.push(event);
                }
            }
        }
    }
    let shared = by.into_iter().filter(|(global, (_, several))| *several && writers.contains_key(global));
    (shared.map(|(global, _)| global).collect(), writers)
}

/// How often a window is built anew since more is known of which cells are assigned.
const MOST_BUILDS: usize = 4;

/// Makes a concurrent trace program of a part of a run. The translator is handed on from window to window.
///
/// What an event reads may be certain once it is known that nobody else assigns that cell, and then the index of another cell may be
/// certain, so the window is built until nothing new is known.
pub(crate) fn build<'p, 'a>(
    subject: Subject<'p>,
    recording: &'a Recording,
    prepared: &mut Prepared<'p>,
    range: Range<usize>,
    skeleton: &'a Skeleton,
    pinned: &FxHashSet<(usize, GlobalId)>,
) -> Result<Window<'p, 'a>, Stuck> {
    let mut cells = FxHashMap::default();
    let mut builds = 1;
    loop {
        let part = (range.clone(), skeleton);
        let built = build_once(subject, recording, prepared, part, &cells, pinned)?;
        let known = assigned_cells(&built, &cells);
        if known == cells || builds == MOST_BUILDS || !helps(&built, skeleton, &known) {
            return Ok(built);
        }
        prepared.translator = built.executor.translator;
        cells = known;
        builds += 1;
    }
}

fn is_known(built: &Window<'_, '_>, index: &[TermId]) -> bool {
    let pool = &built.executor.translator.pool;
    !index.is_empty() && index.iter().all(|part| pool.term(*part).is_literal_value())
}

/// What events read that indices depend on.
pub(crate) fn read_for_indices(built: &Window<'_, '_>) -> FxHashSet<(usize, GlobalId)> {
    let executor = &built.executor;
    let mut indices: Vec<TermId> = executor.symbolic_locks.clone();
    indices.extend(executor.uses.iter().flat_map(|used| &used.index));
    for event in &built.ctp.events {
        indices.extend(event.definitions.iter().flat_map(|definition| &definition.index));
        indices.extend(event.accesses.iter().flat_map(|access| &access.index));
    }
    let mut read = FxHashSet::default();
    executor.translator.pool.for_each_in(&indices, |term, _| {
        if let Some(&of) = executor.use_terms.get(&term) {
            read.insert((executor.uses[of].event, executor.uses[of].global));
        }
    });
    read
}

/// Whether what is known of cells makes something certain that an event reads: all that assign the cell are before or after it.
fn helps(built: &Window<'_, '_>, skeleton: &Skeleton, cells: &FxHashMap<GlobalId, Cells>) -> bool {
    let precedes = |first: usize, second: usize| {
        let of = &built.ctp.events[first];
        skeleton.clocks.of(second)[of.thread] > u32::try_from(of.pos).unwrap_or(u32::MAX)
    };
    let uses = built.executor.uses.iter().filter(|used| is_known(built, &used.index));
    uses.filter_map(|used| Some((used, cells.get(&used.global)?))).any(|(used, cells)| {
        let known = cells.known.get(&used.index).map(Vec::as_slice).unwrap_or_default();
        let mut writers = known.iter().chain(&cells.any);
        writers.all(|writer| precedes(*writer, used.event) || precedes(used.event, *writer))
    })
}

/// Which events assign which cells, of the globals in which others read cells with known indices.
fn assigned_cells(built: &Window<'_, '_>, before: &FxHashMap<GlobalId, Cells>) -> FxHashMap<GlobalId, Cells> {
    let is_known = |index: &[TermId]| is_known(built, index);
    let mut cells: FxHashMap<GlobalId, Cells> =
        before.keys().map(|global| (*global, Cells::default())).collect();
    for used in built.executor.uses.iter().filter(|used| is_known(&used.index)) {
        cells.entry(used.global).or_default();
    }
    for (event, of) in built.ctp.events.iter().enumerate() {
        for definition in &of.definitions {
            let Some(cells) = cells.get_mut(&definition.global) else { continue };
            if is_known(&definition.index) {
                cells.known.entry(definition.index.clone()).or_default().push(event);
            } else {
                cells.any.push(event);
            }
        }
    }
    cells
}

fn build_once<'p, 'a>(
    subject: Subject<'p>,
    recording: &'a Recording,
    prepared: &mut Prepared<'p>,
    (range, skeleton): (Range<usize>, &'a Skeleton),
    cells: &FxHashMap<GlobalId, Cells>,
    pinned: &FxHashSet<(usize, GlobalId)>,
) -> Result<Window<'p, 'a>, Stuck> {
    let facts = &prepared.facts[range.clone()];
    let (shared, writers) = shared(facts);
    let state = prepared.states.get(&range.start).cloned().unwrap_or_default();
    let translator = std::mem::replace(&mut prepared.translator, Translator::new(subject.expanded));
    let mut executor = Executor::new(subject, translator, recording, prepared.pins.clone());
    let count = shared.iter().filter(|global| !subject.components.contains(*global)).count();
    executor.plan = Some(Plan {
        shared,
        writers,
        cells: cells.clone(),
        pinned: pinned.clone(),
        clocks: &skeleton.clocks,
    });
    executor.beginning = state.globals.clone();
    executor.elements.clone_from(&prepared.elements);
    let mut held = Vec::new();
    let mut known: Vec<_> = state.held.iter().collect();
    known.sort_unstable();
    for (key, (thread, _)) in known {
        let lock = executor.locks.len();
        executor.locks.insert(key.clone(), lock);
        held.push((lock, *thread));
    }
    executor.state = state;
    for frame in executor.state.frames.iter_mut().flatten() {
        frame.from = 0;
    }
    for marks in &mut executor.state.marks {
        marks.iter_mut().for_each(|start| *start = 0);
    }
    let absent = (0..recording.threads)
        .map(|thread| {
            skeleton.started_by[thread].is_none()
                && (!executor.state.started[thread] || executor.state.done[thread])
        })
        .collect();
    for step in range {
        executor.step(step)?;
    }
    open_blocks(&mut executor, &skeleton.threads);
    let symbolic = symbolic_owners(&executor, skeleton);
    let ctp = Ctp {
        events: std::mem::take(&mut executor.events),
        threads: skeleton.threads.clone(),
        started_by: skeleton.started_by.clone(),
        completed_by: skeleton.completed_by.clone(),
        absent,
        clocks: skeleton.clocks.clone(),
        blocks: std::mem::take(&mut executor.blocks),
        locks: lock_owners(&executor),
        held,
        shared: count,
    };
    Ok(Window { ctp, executor, symbolic })
}

fn lock_owners(executor: &Executor<'_, '_>) -> Vec<GlobalId> {
    let mut locks: Vec<_> = executor.locks.iter().map(|((owner, _), lock)| (*lock, *owner)).collect();
    locks.sort_unstable();
    locks.into_iter().map(|(_, owner)| owner).collect()
}

/// Transactions that have not ended when the window does.
fn open_blocks(executor: &mut Executor<'_, '_>, threads: &[Vec<usize>]) {
    for (thread, events) in threads.iter().enumerate() {
        let Some(end) = events.len().checked_sub(1) else { continue };
        let subject = executor.subject;
        let name = |proc: ir::ProcId| ir::shown_name(&subject.original.procs[proc].name).to_owned();
        let frames = executor.state.frames[thread].clone();
        for (depth, frame) in frames.iter().enumerate().skip(1) {
            let named = subject.named.contains(&frame.proc);
            if (named || subject.is_called_by_thread(&frames[..=depth])) && frame.from < end {
                let origin = if named { Origin::Named } else { Origin::Body };
                let name = format!("the body of `{}`", name(frame.proc));
                executor.blocks.push(Block { thread, start: frame.from, end, origin, name });
            }
        }
        let proc = frames.last().map(|frame| name(frame.proc)).unwrap_or_default();
        for &start in executor.state.marks[thread].iter().filter(|start| **start < end) {
            let name = format!("the block that is marked in `{proc}`");
            executor.blocks.push(Block { thread, start, end, origin: Origin::Marked, name });
        }
    }
}

/// Mutexes with symbolic indices, or that somebody initialises while others may use them.
fn symbolic_owners(executor: &Executor<'_, '_>, skeleton: &Skeleton) -> FxHashSet<GlobalId> {
    let subject = executor.subject;
    let mut symbolic: FxHashSet<GlobalId> =
        executor.symbolic_owners.iter().filter(|owner| subject.owners.contains(*owner)).copied().collect();
    let owners = lock_owners(executor);
    for &(initialised, owner) in &executor.initialised {
        let ordered = |first: usize, second: usize| {
            let of = &executor.events[first];
            skeleton.clocks.of(second)[of.thread] > u32::try_from(of.pos).unwrap_or(u32::MAX)
        };
        let mut uses = executor
            .events
            .iter()
            .enumerate()
            .filter(|(_, event)| event.locks.iter().any(|op| owners.get(op.lock) == Some(&owner)));
        if uses.any(|(event, _)| !ordered(initialised, event) && !ordered(event, initialised)) {
            symbolic.insert(owner);
        }
    }
    symbolic
}
