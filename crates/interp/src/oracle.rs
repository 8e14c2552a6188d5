//! Where nondeterministic choices come from: enumerated by the explorer, or read from a recorded run.

use std::collections::VecDeque;

use crate::step::Halfway;
use crate::word::{Domain, UNSET, Word, truncate};
use crate::{Cut, IntRange};

/// A step is kept at so many of its last choices. There can be a million of them.
const MOST_KEPT: usize = 64;

/// One choice: the value, and which of how many alternatives it was.
#[derive(Clone, Copy, Debug)]
struct Choice {
    value: Word,
    index: u64,
    size: u64,
}

/// Supplies the choices of one step. The explorer runs a step again and again, each time with the next sequence
/// of choices, until [`Oracle::advance`] says that there is no other. What the step does before the choices begin to differ
/// need not be done again: it is kept here, and so belongs to these choices wherever they are taken.
#[derive(Clone, Debug)]
pub(crate) struct Oracle {
    range: IntRange,
    choices: Vec<Choice>,
    cursor: usize,
    /// The step at some of its choices, with how many choices came before.
    kept: VecDeque<(usize, Halfway)>,
    /// Whether the step is to be run with the next sequence of choices, and not for the first time.
    again: bool,
    /// Choices to take, in order, instead of enumerating.
    script: Option<Vec<Word>>,
    /// Between which numbers an integer that is chosen now is bound to be, if that is known.
    pub(crate) bounds: Option<(i64, i64)>,
    /// Whether any choice was from a part of its type only.
    pub(crate) limited: bool,
}

impl Oracle {
    pub(crate) fn new(range: IntRange) -> Self {
        Oracle {
            range,
            choices: Vec::new(),
            cursor: 0,
            kept: VecDeque::new(),
            again: false,
            script: None,
            bounds: None,
            limited: false,
        }
    }

    /// Starts over with the first sequence of choices.
    pub(crate) fn reset(&mut self) {
        self.choices.clear();
        self.cursor = 0;
        self.kept.clear();
        self.again = false;
        self.script = None;
    }

    /// Starts over with given choices.
    pub(crate) fn follow(&mut self, script: Vec<Word>) {
        self.reset();
        self.script = Some(script);
    }

    /// Moves on to the next sequence of choices, if there is one.
    pub(crate) fn advance(&mut self) -> bool {
        self.cursor = 0;
        while let Some(mut choice) = self.choices.pop() {
            if choice.index + 1 < choice.size {
                choice.index += 1;
                choice.value = UNSET;
                self.kept.retain(|(before, _)| *before <= self.choices.len());
                self.again = true;
                self.choices.push(choice);
                return true;
            }
        }
        false
    }

    /// Keeps the step as it is before an instruction that makes a choice, if that choice is a new one.
    pub(crate) fn keep(&mut self, halfway: impl FnOnce() -> Halfway) {
        if self.script.is_none() && self.cursor == self.choices.len() {
            if self.kept.len() == MOST_KEPT {
                self.kept.pop_front();
            }
            self.kept.push_back((self.cursor, halfway()));
        }
    }

    /// The latest kept point of the step that the present sequence of choices leads to, too. Choices are made from there on.
    pub(crate) fn resume(&mut self) -> Option<&Halfway> {
        if !std::mem::take(&mut self.again) {
            self.kept.clear();
        }
        let (before, halfway) = self.kept.back()?;
        self.cursor = *before;
        Some(halfway)
    }

    /// The choices made since the step began.
    pub(crate) fn made(&self) -> impl Iterator<Item = Word> + '_ {
        self.choices[..self.cursor].iter().map(|c| c.value)
    }

    /// Whether the choices are those of a recorded run.
    pub(crate) fn is_scripted(&self) -> bool {
        self.script.is_some()
    }

    /// Whether every choice of the script was used.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.script.as_ref().is_none_or(|script| script.len() == self.cursor)
    }

    /// Makes a choice.
    pub(crate) fn choose(&mut self, domain: Domain) -> Result<Word, Box<Cut>> {
        if self.script.is_some() {
            return self.scripted(domain);
        }
        if self.cursor == self.choices.len() {
            let size = self.size(domain);
            self.choices.push(Choice { value: UNSET, index: 0, size });
        }
        let choice = self.choices[self.cursor];
        let value = self.value(domain, choice.index);
        self.choices[self.cursor].value = value;
        self.cursor += 1;
        Ok(value)
    }

    fn scripted(&mut self, domain: Domain) -> Result<Word, Box<Cut>> {
        let script = self.script.as_deref().unwrap_or_default();
        let Some(&value) = script.get(self.cursor) else {
            return Err(Box::new(Cut::Script("it has too few choices for this step".to_owned())));
        };
        self.take(domain, value)
    }

    /// Makes the choice that somebody else knows.
    pub(crate) fn take(&mut self, domain: Domain, value: Word) -> Result<Word, Box<Cut>> {
        let fits = match domain {
            Domain::Branch(n) | Domain::Sort(n) => value < Word::from(n),
            Domain::Bool => value < 2,
            Domain::Int => value != UNSET,
            Domain::Bv(width) => value != UNSET && truncate(value, width) == value,
            Domain::Task(n) => (1..=Word::from(n)).contains(&value),
        };
        if !fits {
            let text = format!("its choice {} is not possible here", value.cast_signed());
            return Err(Box::new(Cut::Script(text)));
        }
        self.choices.push(Choice { value, index: 0, size: 1 });
        self.cursor += 1;
        Ok(value)
    }

    /// What integers are chosen from: those of the range that are not ruled out anyway.
    fn ints(&self) -> IntRange {
        let within =
            |(low, high): (i64, i64)| IntRange::new(low.max(self.range.low()), high.min(self.range.high()));
        self.bounds.and_then(within).unwrap_or(self.range)
    }

    fn size(&mut self, domain: Domain) -> u64 {
        match domain {
            Domain::Branch(n) | Domain::Task(n) => u64::from(n),
            Domain::Bool => 2,
            Domain::Sort(n) => {
                self.limited = true;
                u64::from(n)
            }
            Domain::Bv(width) if width < 63 && (1 << width) <= self.range.size() => 1 << width,
            Domain::Int => {
                let range = self.ints();
                self.limited |= self.bounds != Some((range.low(), range.high()));
                range.size()
            }
            Domain::Bv(_) => {
                self.limited = true;
                self.range.size()
            }
        }
    }

    fn value(&self, domain: Domain, index: u64) -> Word {
        match domain {
            Domain::Branch(_) | Domain::Bool | Domain::Sort(_) => index,
            Domain::Task(_) => index + 1,
            Domain::Int => self.ints().nth(index).cast_unsigned(),
            Domain::Bv(width) if width < 63 && (1 << width) <= self.range.size() => index,
            Domain::Bv(width) => truncate(self.range.nth(index).cast_unsigned(), width),
        }
    }
}
