//! The state of a running program, as one vector of words.
//!
//! ```text
//! globals ... | delays | threads | segment of thread 0 | segment of thread 1 | ...
//! segment:  length | status | top | parent | label | round | frames (oldest first) or results
//! frame:    pc | locals ...
//! ```
//! `top` is where the newest frame starts, counted from the segment; of a completed thread it is the procedure it
//! ran, and its results follow. A freed segment has no more than its header. Parent, label and round are those of
//! the task tree (see [`crate::delay`]); without a delay-bounding scheduler segments do not have them.

use ir::ProcId;

use crate::code::{Code, Pc};
use crate::guided::Guided;
use crate::map_store::MapStore;
use crate::oracle::Oracle;
use crate::response::Watched;
use crate::word::{UNSET, Word};
use crate::{Cut, IntRange, Limits};

pub(crate) const LENGTH: usize = 0;
pub(crate) const STATUS: usize = 1;
pub(crate) const TOP: usize = 2;
pub(crate) const PARENT: usize = 3;
pub(crate) const LABEL: usize = 4;
pub(crate) const ROUND: usize = 5;
/// How many of these a segment has with a delay-bounding scheduler, and without.
const TREE_HEADER: usize = 6;
const PLAIN_HEADER: usize = 3;

/// The thread has frames.
pub(crate) const LIVE: Word = 0;
/// The thread has completed and somebody may still ask for its results.
pub(crate) const DONE: Word = 1;
/// Nobody refers to the thread any more; its number can be used again.
pub(crate) const FREE: Word = 2;

/// A global access of the instruction that was run, recorded for race detection and reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Touch {
    pub(crate) global: u32,
    pub(crate) key: Vec<Word>,
    pub(crate) write: bool,
}

/// Something about an arbitrary value of a local variable, if that is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arbitrary {
    /// The variable became arbitrary, at this instruction.
    Became(Pc),
    /// It was looked at for the first time, and has this value.
    Is(Word),
}

/// What a step did beyond changing the state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Effects {
    /// Whether it passed a progress mark.
    pub(crate) progress: bool,
    /// The fair choices it made: where, and whether it took the one that may not be refused for ever.
    pub(crate) fair: Vec<(Pc, bool)>,
    /// The instructions it ran, if that is recorded.
    pub(crate) trace: Vec<Pc>,
    /// The globals it touched, if that is recorded.
    pub(crate) touches: Vec<Touch>,
    /// How many of these are of its first instruction.
    pub(crate) first_touches: usize,
    /// What it had to do with arbitrary local variables, by where those are in the thread's segment, if that is recorded.
    pub(crate) arbitrary: Vec<(usize, Arbitrary)>,
    /// Whether it chose the value of an arbitrary map cell.
    pub(crate) chose_cell: bool,
    /// Whether it is blocked by an assume outside of atomic sections: then there is no such run, and no deadlock.
    pub(crate) at_assume: bool,
    /// The threads it started, if that is recorded.
    pub(crate) started: Vec<usize>,
    /// The lowest frame that it returned to, counted in words from the beginning of its thread's segment; 0 if the
    /// thread completed, and larger than any if it returned to none.
    pub(crate) lowest: usize,
}

/// A state and the means to change it.
pub(crate) struct Machine<'c> {
    pub(crate) code: &'c Code,
    pub(crate) words: Vec<Word>,
    /// Where each thread's segment starts.
    segments: smallvec::SmallVec<[usize; 16]>,
    pub(crate) maps: MapStore,
    pub(crate) oracle: Oracle,
    pub(crate) limits: Limits,
    /// The running thread.
    pub(crate) me: usize,
    /// Where its newest frame's locals start.
    pub(crate) frame: usize,
    /// Values of bound variables; those of the function being evaluated start at `env_base`.
    pub(crate) env: Vec<Word>,
    pub(crate) env_base: usize,
    /// Functions applied and values of quantified variables tried in this step.
    pub(crate) effort: u32,
    pub(crate) effects: Effects,
    /// Whether to record instructions and accesses.
    pub(crate) recording: bool,
    /// The axioms that were taken for granted since they cannot be evaluated. Only if recording.
    pub(crate) assumed: Vec<source::Span>,
    /// Whether there is a task tree, in which completed threads stay.
    has_tree: bool,
    /// Whether some thread is completed and not yet freed.
    some_done: bool,
    /// What to call the threads, if anybody has named them.
    pub(crate) names: Vec<String>,
    /// Who knows the run; then instructions are recorded, too.
    pub(crate) guided: Option<Guided<'c>>,
    /// The response property that is looked at, if there is one. Then progress marks mean nothing.
    pub(crate) watched: Option<Watched>,
}

impl<'c> Machine<'c> {
    pub(crate) fn new(code: &'c Code, range: IntRange, limits: Limits, has_tree: bool) -> Self {
        Machine {
            code,
            words: Vec::new(),
            segments: smallvec::SmallVec::new(),
            maps: MapStore::default(),
            oracle: Oracle::new(range),
            limits,
            me: 0,
            frame: 0,
            env: Vec::new(),
            env_base: 0,
            effort: 0,
            effects: Effects::default(),
            recording: false,
            assumed: Vec::new(),
            has_tree,
            some_done: false,
            names: Vec::new(),
            guided: None,
            watched: None,
        }
    }

    /// How many words of a segment come before its frames or results.
    pub(crate) fn header_size(&self) -> usize {
        if self.has_tree { TREE_HEADER } else { PLAIN_HEADER }
    }

    /// Whether segments have a place in a task tree.
    pub(crate) fn has_tree(&self) -> bool {
        self.has_tree
    }

    /// Where a thread's segment starts.
    pub(crate) fn segment(&self, thread: usize) -> usize {
        self.segments[thread]
    }

    fn delays_at(&self) -> usize {
        self.code.globals.len()
    }

    /// Where the first segment starts.
    pub(crate) fn first_segment(&self) -> usize {
        self.code.globals.len() + 2
    }

    /// Makes `words` the state.
    pub(crate) fn load(&mut self, words: &[Word]) {
        self.words.clear();
        self.words.extend_from_slice(words);
        self.index_segments();
    }

    /// Finds the segments of the state.
    pub(crate) fn index_segments(&mut self) {
        self.segments.clear();
        self.some_done = false;
        let mut at = self.first_segment();
        while at < self.words.len() {
            self.segments.push(at);
            self.some_done |= self.words[at + STATUS] == DONE;
            at += as_index(self.words[at + LENGTH]);
        }
    }

    /// The state in which every global is unset and no thread exists.
    pub(crate) fn clear(&mut self) {
        self.words.clear();
        let globals = self.code.globals.iter();
        self.words.extend(globals.map(|g| if g.ty == ir::Type::Task { 0 } else { UNSET }));
        self.words.extend([0, 0]);
        self.segments.clear();
        self.me = 0;
        self.effort = 0;
    }

    pub(crate) fn threads(&self) -> usize {
        self.segments.len()
    }

    pub(crate) fn delays(&self) -> Word {
        self.words[self.delays_at()]
    }

    pub(crate) fn set_delays(&mut self, delays: Word) {
        let at = self.delays_at();
        self.words[at] = delays;
    }

    /// A word of a thread's header.
    pub(crate) fn header(&self, thread: usize, field: usize) -> Word {
        self.words[self.segments[thread] + field]
    }

    pub(crate) fn set_header(&mut self, thread: usize, field: usize, value: Word) {
        let at = self.segments[thread] + field;
        self.words[at] = value;
    }

    pub(crate) fn is_live(&self, thread: usize) -> bool {
        self.header(thread, STATUS) == LIVE
    }

    /// Makes a live thread the running one.
    pub(crate) fn enter(&mut self, thread: usize) {
        self.me = thread;
        self.frame = self.newest_locals(thread);
    }

    /// The pc of a live thread's newest frame.
    pub(crate) fn pc_of(&self, thread: usize) -> Pc {
        let segment = self.segments[thread];
        as_pc(self.words[segment + as_index(self.words[segment + TOP])])
    }

    /// Where the locals of a live thread's newest frame start.
    pub(crate) fn newest_locals(&self, thread: usize) -> usize {
        let segment = self.segments[thread];
        segment + as_index(self.words[segment + TOP]) + 1
    }

    pub(crate) fn pc(&self) -> Pc {
        as_pc(self.words[self.frame - 1])
    }

    pub(crate) fn set_pc(&mut self, pc: Pc) {
        self.words[self.frame - 1] = Word::from(pc);
    }

    /// The frames of a live thread, oldest first: the pc and where the locals start.
    pub(crate) fn frames(&self, thread: usize) -> impl Iterator<Item = (Pc, usize)> + '_ {
        let segment = self.segments[thread];
        let end = segment + as_index(self.words[segment + LENGTH]);
        let mut at = segment + self.header_size();
        std::iter::from_fn(move || {
            if at >= end {
                return None;
            }
            let pc = as_pc(self.words[at]);
            let locals = at + 1;
            at = locals + self.frame_size(pc);
            Some((pc, locals))
        })
    }

    /// The results of a completed thread, and the procedure it ran.
    pub(crate) fn results(&self, thread: usize) -> (ProcId, &[Word]) {
        let segment = self.segments[thread];
        let end = segment + as_index(self.words[segment + LENGTH]);
        (ProcId::from_u32(as_pc(self.words[segment + TOP])), &self.words[segment + self.header_size()..end])
    }

    fn frame_size(&self, pc: Pc) -> usize {
        self.code.procs[self.code.instr(pc).proc].locals.len()
    }

    /// Whether the running thread is in its first procedure.
    pub(crate) fn in_first_frame(&self) -> bool {
        self.frame == self.segments[self.me] + self.header_size() + 1
    }

    /// Where the locals of the caller of the newest frame start.
    pub(crate) fn caller_frame(&self) -> usize {
        let mut before = self.frame;
        for (_, locals) in self.frames(self.me) {
            if locals == self.frame {
                break;
            }
            before = locals;
        }
        before
    }

    /// Starts a frame of a procedure on the running thread.
    pub(crate) fn push_frame(&mut self, proc: ProcId, args: &[Word]) -> Result<(), Box<Cut>> {
        if self.frames(self.me).count() >= self.limits.frames {
            return Err(Box::new(Cut::Frames(self.limits.frames)));
        }
        let segment = self.segments[self.me];
        let length = as_index(self.words[segment + LENGTH]);
        let frame = self.new_frame(proc, args);
        let size = frame.len();
        let at = segment + length;
        self.words.splice(at..at, frame);
        self.words[segment + LENGTH] += size as Word;
        self.words[segment + TOP] = length as Word;
        for start in &mut self.segments[self.me + 1..] {
            *start += size;
        }
        self.frame = at + 1;
        Ok(())
    }

    /// Drops the newest frame of the running thread; its caller's becomes the newest.
    pub(crate) fn pop_frame(&mut self) {
        let caller = self.caller_frame();
        let segment = self.segments[self.me];
        let start = self.frame - 1;
        let end = segment + as_index(self.words[segment + LENGTH]);
        self.words.drain(start..end);
        self.words[segment + LENGTH] -= (end - start) as Word;
        let top = caller - 1 - segment;
        self.words[segment + TOP] = top as Word;
        self.effects.lowest = self.effects.lowest.min(top);
        for later in &mut self.segments[self.me + 1..] {
            *later -= end - start;
        }
        self.frame = caller;
    }

    fn new_frame(&self, proc: ProcId, args: &[Word]) -> smallvec::SmallVec<[Word; 16]> {
        let info = &self.code.procs[proc];
        let mut frame = smallvec::SmallVec::new();
        frame.push(Word::from(info.entry));
        frame.extend(info.locals.iter().map(|(_, ty)| if *ty == ir::Type::Task { 0 } else { UNSET }));
        for (&param, &arg) in info.params.iter().zip(args) {
            frame[param as usize + 1] = arg;
        }
        frame
    }

    /// Starts a thread and gives its number.
    pub(crate) fn spawn(&mut self, proc: ProcId, args: &[Word], parent: Word) -> Result<usize, Box<Cut>> {
        let free = (0..self.threads()).find(|&t| self.header(t, STATUS) == FREE);
        if free.is_none() && self.threads() >= self.limits.threads {
            return Err(Box::new(Cut::Threads(self.limits.threads)));
        }
        let frame = self.new_frame(proc, args);
        let mut segment: smallvec::SmallVec<[Word; 24]> = smallvec::SmallVec::new();
        let header = self.header_size();
        segment.extend([(header + frame.len()) as Word, LIVE, header as Word, parent, 0, 0]);
        segment.truncate(header);
        segment.extend(frame);
        let thread = if let Some(thread) = free {
            self.replace_segment(thread, &segment);
            thread
        } else {
            self.segments.push(self.words.len());
            self.words.extend_from_slice(&segment);
            let at = self.delays_at() + 1;
            self.words[at] += 1;
            self.segments.len() - 1
        };
        if thread < self.me {
            let me = self.me;
            self.enter(me);
        }
        if self.recording {
            self.note_started(thread, parent)?;
        }
        Ok(thread)
    }

    /// Notes something about a local variable of the newest frame.
    pub(crate) fn note_arbitrary(&mut self, local: u32, what: Arbitrary) {
        if self.recording {
            let at = self.frame + local as usize - self.segments[self.me];
            self.effects.arbitrary.push((at, what));
        }
    }

    fn replace_segment(&mut self, thread: usize, new: &[Word]) {
        let start = self.segments[thread];
        let length = as_index(self.words[start + LENGTH]);
        self.words.splice(start..start + length, new.iter().copied());
        for later in &mut self.segments[thread + 1..] {
            *later = *later + new.len() - length;
        }
    }

    /// Ends the running thread's last frame; its results are kept.
    pub(crate) fn complete(&mut self) {
        let segment = self.segments[self.me];
        let proc = self.code.instr(self.pc()).proc;
        let mut new: smallvec::SmallVec<[Word; 16]> =
            self.words[segment..segment + self.header_size()].into();
        new.extend(self.code.procs[proc].results.iter().map(|&r| self.words[self.frame + r as usize]));
        new[LENGTH] = new.len() as Word;
        new[STATUS] = DONE;
        new[TOP] = Word::from(proc.as_u32());
        self.replace_segment(self.me, &new);
        self.some_done = true;
        self.effects.lowest = 0;
    }

    /// Ends all threads.
    pub(crate) fn exit(&mut self) {
        let first = self.first_segment();
        self.words.truncate(first);
        self.words[first - 1] = 0;
        self.segments.clear();
    }

    /// Frees completed threads that no handle refers to, so that a program that keeps starting and waiting for
    /// tasks comes back to the same state.
    pub(crate) fn collect(&mut self) {
        if self.has_tree || !self.some_done {
            return;
        }
        let used = self.referenced();
        for thread in 0..self.threads() {
            if self.header(thread, STATUS) == DONE && !used.has(thread) {
                self.replace_segment(thread, &[PLAIN_HEADER as Word, FREE, 0]);
            }
        }
        while let Some(&last) = self.segments.last() {
            if self.words[last + STATUS] != FREE {
                break;
            }
            self.words.truncate(last);
            self.segments.pop();
            let at = self.delays_at() + 1;
            self.words[at] -= 1;
        }
    }

    /// The threads that some variable or result refers to.
    fn referenced(&self) -> ThreadSet {
        let mut used = ThreadSet(smallvec::smallvec![0; self.threads().div_ceil(ThreadSet::BITS)]);
        for &global in &self.code.handles {
            self.mark(self.words[global as usize], &self.code.globals[global as usize].ty, &mut used);
        }
        for thread in 0..self.threads() {
            match self.header(thread, STATUS) {
                LIVE => {
                    for (pc, locals) in self.frames(thread) {
                        let info = &self.code.procs[self.code.instr(pc).proc];
                        for &local in &info.handles {
                            let ty = &info.locals[local as usize].1;
                            self.mark(self.words[locals + local as usize], ty, &mut used);
                        }
                    }
                }
                DONE => {
                    let (proc, results) = self.results(thread);
                    let info = &self.code.procs[proc];
                    for (&local, &word) in info.results.iter().zip(results) {
                        self.mark(word, &info.locals[local as usize].1, &mut used);
                    }
                }
                _ => {}
            }
        }
        used
    }

    fn mark(&self, word: Word, ty: &ir::Type, used: &mut ThreadSet) {
        match ty {
            ir::Type::Task if word != UNSET && word > 0 => used.insert(as_index(word - 1)),
            ir::Type::Map(map) => {
                let (default, cells) = self.maps.contents(word);
                self.mark(default, &map.result, used);
                for (key, value) in cells {
                    for (&part, ty) in key.iter().zip(&map.args) {
                        self.mark(part, ty, used);
                    }
                    self.mark(value, &map.result, used);
                }
            }
            _ => {}
        }
    }
}

/// A set of threads. A run may have any number of them; searches have no more than a word has bits.
struct ThreadSet(smallvec::SmallVec<[u64; 1]>);

impl ThreadSet {
    const BITS: usize = u64::BITS as usize;

    fn has(&self, thread: usize) -> bool {
        self.0.get(thread / Self::BITS).is_some_and(|word| word & (1 << (thread % Self::BITS)) != 0)
    }

    /// A handle of a thread that is gone refers to none.
    fn insert(&mut self, thread: usize) {
        if let Some(word) = self.0.get_mut(thread / Self::BITS) {
            *word |= 1 << (thread % Self::BITS);
        }
    }
}

/// A word that counts words.
pub(crate) fn as_index(word: Word) -> usize {
    usize::try_from(word).unwrap_or(usize::MAX)
}

/// A word that is a pc or another small number.
pub(crate) fn as_pc(word: Word) -> u32 {
    u32::try_from(word).unwrap_or(u32::MAX)
}
