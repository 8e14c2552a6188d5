//! Whether a lasso can be gone round again: key frames.
//!
//! Atig, Bouajjani, Emmi and Lal, "Detecting Fair Non-Termination in Multithreaded Programs", CAV 2012, section 3.3. A
//! thread does in a lasso only what the globals and the frames allow that it comes back to; those below it never looks
//! at. The lowest frame that is the newest one at some time in the lasso is the thread's *key frame*: it is never
//! returned from. If the frames from the newest one down to the key frame are, counted from the top, the same at the
//! lasso's end as at its beginning, then the thread can do the same again, whatever is below. If the stack is as high as
//! before, or higher, then it is so after each time round, and the thread goes on for ever. A stack that gets lower does
//! end one day, even if its frames are all alike.
//!
//! What frames below the key frames refer to does not matter either: of tasks that have completed only those count that
//! a program can still name, and their numbers do not.

use ir::{ProcId, Type};
use rustc_hash::FxHashMap;

use crate::code::{Code, Pc};
use crate::compile::holds_task;
use crate::machine::{DONE, LIVE, Machine, STATUS, as_index};
use crate::map_store::MapStore;
use crate::word::{UNSET, Word};

/// A frame: how far it is from the beginning of its thread's part of the state, where it is, and its locals.
#[derive(Clone, Debug)]
struct Frame {
    offset: usize,
    pc: Pc,
    locals: Vec<Word>,
}

#[derive(Clone, Debug)]
enum Segment {
    /// Its frames, the oldest first.
    Live(Vec<Frame>),
    Done(ProcId, Vec<Word>),
    Free,
}

/// The state at the beginning of a lasso, and how far down its threads have come back since.
#[derive(Clone, Debug)]
pub(crate) struct Beginning {
    words: Vec<Word>,
    segments: Vec<Segment>,
    /// Where each thread's key frame is; 0 if the thread has completed.
    keys: Vec<usize>,
}

/// A thread whose stack is higher at the end of a lasso than at its beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Growth {
    /// Which.
    pub thread: usize,
    /// By how many calls that have not returned.
    pub calls: usize,
}

fn segments(machine: &Machine<'_>) -> Vec<Segment> {
    let code = machine.code;
    let segment = |thread: usize| match machine.header(thread, STATUS) {
        LIVE => {
            let start = machine.segment(thread);
            let frame = |(pc, locals): (Pc, usize)| {
                let count = code.procs[code.instr(pc).proc].locals.len();
                let offset = locals - 1 - start;
                Frame { offset, pc, locals: machine.words[locals..locals + count].to_vec() }
            };
            Segment::Live(machine.frames(thread).map(frame).collect())
        }
        DONE => {
            let (proc, results) = machine.results(thread);
            Segment::Done(proc, results.to_vec())
        }
        _ => Segment::Free,
    };
    (0..machine.threads()).map(segment).collect()
}

impl Beginning {
    /// The state that the machine is in.
    pub(crate) fn new(machine: &Machine<'_>) -> Self {
        let segments = segments(machine);
        let key = |segment: &Segment| match segment {
            Segment::Live(frames) => frames.last().map_or(0, |frame| frame.offset),
            Segment::Done(..) | Segment::Free => 0,
        };
        let keys = segments.iter().map(key).collect();
        Beginning { words: machine.words.clone(), segments, keys }
    }

    /// Notes what a thread has just done.
    pub(crate) fn step(&mut self, machine: &Machine<'_>, thread: usize) {
        if let Some(key) = self.keys.get_mut(thread) {
            *key = (*key).min(machine.effects.lowest);
        }
    }

    /// Whether what was done since can be done again from the state that the machine is in, and so on for ever. Then
    /// these stacks grow.
    pub(crate) fn repeats(&self, machine: &Machine<'_>) -> Option<Vec<Growth>> {
        if self.words == machine.words {
            return Some(Vec::new());
        }
        // The order of tasks in the tree of a delay-bounding scheduler is not looked at here.
        if machine.has_tree() {
            return None;
        }
        let now = segments(machine);
        let (code, maps, then) = (machine.code, &machine.maps, &self.segments);
        let mut same = Same { code, maps, then, now: &now, tasks: FxHashMap::default() };
        let growing = same.threads(&self.keys)?;
        same.globals(&self.words, &machine.words).then_some(growing)
    }
}

/// Compares two states.
struct Same<'a> {
    code: &'a Code,
    maps: &'a MapStore,
    then: &'a [Segment],
    now: &'a [Segment],
    /// Which completed thread of the second state plays the part of one of the first.
    tasks: FxHashMap<usize, usize>,
}

impl Same<'_> {
    fn threads(&mut self, keys: &[usize]) -> Option<Vec<Growth>> {
        let mut growing = Vec::new();
        for thread in 0..self.then.len().max(self.now.len()) {
            let (then, now) = match (self.then.get(thread), self.now.get(thread)) {
                (Some(Segment::Live(then)), Some(Segment::Live(now))) => (then, now),
                (Some(Segment::Live(_)), _) | (_, Some(Segment::Live(_))) => return None,
                _ => continue,
            };
            let calls = now.len().checked_sub(then.len())?;
            let key = keys.get(thread).copied().unwrap_or(0);
            // Another task has its number now.
            if key == 0 && calls > 0 {
                return None;
            }
            let inspected = then.iter().filter(|frame| frame.offset >= key).count();
            for (then, now) in then.iter().rev().zip(now.iter().rev()).take(inspected) {
                if !self.frames(then, now) {
                    return None;
                }
            }
            if calls > 0 {
                growing.push(Growth { thread, calls });
            }
        }
        Some(growing)
    }

    fn globals(&mut self, then: &[Word], now: &[Word]) -> bool {
        let words = then.iter().zip(now);
        self.code.globals.iter().zip(words).all(|(global, (&then, &now))| self.values(&global.ty, then, now))
    }

    fn frames(&mut self, then: &Frame, now: &Frame) -> bool {
        let code = self.code;
        let types = code.procs[code.instr(then.pc).proc].locals.iter();
        let words = then.locals.iter().zip(&now.locals);
        then.pc == now.pc && types.zip(words).all(|((_, ty), (&then, &now))| self.values(ty, then, now))
    }

    fn values(&mut self, ty: &Type, then: Word, now: Word) -> bool {
        match ty {
            Type::Task => self.handles(then, now),
            Type::Map(map) if holds_task(ty) => {
                let maps = self.maps;
                let ((default, cells), (other_default, other_cells)) =
                    (maps.contents(then), maps.contents(now));
                // Cells stand in the order of their keys, which the numbers of tasks may change; then the maps count as
                // different.
                cells.len() == other_cells.len()
                    && self.values(&map.result, default, other_default)
                    && cells.iter().zip(&other_cells).all(|((key, then), (other, now))| {
                        let keys = map.args.iter().zip(key.iter().zip(*other));
                        keys.into_iter().all(|(ty, (&then, &now))| self.values(ty, then, now))
                            && self.values(&map.result, *then, *now)
                    })
            }
            _ => then == now,
        }
    }

    /// Whether two handles are of the same live thread, or of two that have completed with the same results and have
    /// not been taken for others before.
    fn handles(&mut self, then: Word, now: Word) -> bool {
        let number = |word: Word| match word {
            0 | UNSET => None,
            word => Some(as_index(word - 1)),
        };
        let (Some(then), Some(now)) = (number(then), number(now)) else { return then == now };
        match (self.then.get(then), self.now.get(now)) {
            (Some(Segment::Done(proc, results)), Some(Segment::Done(other, others))) => {
                if let Some(&known) = self.tasks.get(&then) {
                    return known == now;
                }
                if proc != other || self.tasks.values().any(|&taken| taken == now) {
                    return false;
                }
                self.tasks.insert(then, now);
                let info = &self.code.procs[*proc];
                let types = info.results.iter().map(|&local| &info.locals[local as usize].1);
                types.zip(results.iter().zip(others)).all(|(ty, (&then, &now))| self.values(ty, then, now))
            }
            (Some(Segment::Live(_)), Some(Segment::Live(_))) => then == now,
            _ => false,
        }
    }
}
