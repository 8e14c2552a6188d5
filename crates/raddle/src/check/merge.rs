//! Violations that are the same, by whoever found them.

use std::collections::{BTreeMap, BTreeSet};

use engine::{Ending, Finding, ViolationKind, location_of};

use crate::answer::Answer;

/// One violation, and who found it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Merged {
    /// The answer and the violation in it with the shortest run.
    pub(super) best: (usize, usize),
    /// The answers that have it.
    pub(super) found_by: BTreeSet<usize>,
    /// Whether it is wrong only if code is indivisible of which nobody has said so.
    pub(super) is_suspicion: bool,
    /// Of a race: at how many more pairs of lines there is one on this variable.
    pub(super) more: usize,
    /// The lines that it is about, for each violation that is the same.
    places: BTreeSet<Lines>,
}

type Lines = BTreeSet<(String, usize)>;

/// What makes violations the same: what is wrong, who takes part, and where.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    kind: &'static str,
    who: Vec<String>,
    lines: Lines,
}

/// Puts together what is the same. What is wrong comes first; what is simpler to follow comes before what is not.
pub(super) fn merge(answers: &[&Answer]) -> Vec<Merged> {
    let mut found: BTreeMap<Key, Merged> = BTreeMap::new();
    for (at, answer) in answers.iter().enumerate() {
        for (nth, finding) in answer.verdict.findings().iter().enumerate() {
            let (key, lines) = key(answer, finding);
            let merged = found.entry(key).or_insert_with(|| Merged {
                best: (at, nth),
                found_by: BTreeSet::new(),
                is_suspicion: is_inferred(answer, finding),
                more: 0,
                places: BTreeSet::new(),
            });
            merged.found_by.insert(at);
            merged.places.insert(lines);
            merged.more = merged.places.len() - 1;
            if steps(answers, (at, nth)) < steps(answers, merged.best) {
                merged.best = (at, nth);
            }
        }
    }
    let mut all: Vec<Merged> = found.into_values().collect();
    // An update that is torn apart where there is a race is that race.
    let raced: Vec<Lines> = all
        .iter()
        .filter(|merged| kind(answers, merged.best) == ViolationKind::DataRace)
        .map(|merged| merged.places.iter().flatten().cloned().collect())
        .collect();
    let is_race =
        |merged: &Merged| raced.iter().any(|race| merged.places.iter().all(|lines| lines.is_subset(race)));
    all.retain(|merged| !merged.is_suspicion || !is_race(merged));
    all.sort_by_key(|merged| {
        let weight = weight(kind(answers, merged.best));
        (merged.is_suspicion, weight, steps(answers, merged.best), merged.best)
    });
    all
}

/// What fails comes before what only might.
fn weight(kind: ViolationKind) -> u8 {
    match kind {
        ViolationKind::Memory => 0,
        ViolationKind::Assertion => 1,
        ViolationKind::Deadlock => 2,
        ViolationKind::NonTermination => 3,
        ViolationKind::DataRace => 4,
        ViolationKind::Atomicity => 5,
    }
}

fn kind(answers: &[&Answer], (at, nth): (usize, usize)) -> ViolationKind {
    answers[at].verdict.findings()[nth].kind()
}

fn steps(answers: &[&Answer], (at, nth): (usize, usize)) -> usize {
    answers[at].verdict.findings()[nth].replay().events.len()
}

/// What makes a violation the same as another, and the lines that it is about.
fn key(answer: &Answer, finding: &Finding) -> (Key, Lines) {
    let replay = finding.replay();
    let line = |span| location_of(&answer.loaded.map, span).map(|place| (place.file, place.line));
    let accesses = [Some(finding.access()), finding.other(), finding.last()];
    let lines: Lines = accesses.iter().flatten().filter_map(|access| line(access.span)).collect();
    let (who, places) = match &replay.ending {
        Ending::Deadlock(blocked) => {
            (Vec::new(), blocked.iter().filter_map(|blocked| line(blocked.span)).collect())
        }
        // Where a loop is entered is a matter of taste.
        Ending::Lasso { moving, .. } => {
            (moving.iter().map(|thread| replay.threads[*thread].clone()).collect(), BTreeSet::new())
        }
        // All races on a variable have the same cause: nothing guards it.
        Ending::Race { variable, .. } => (vec![variable.clone()], BTreeSet::new()),
        _ => (Vec::new(), lines.clone()),
    };
    (Key { kind: finding.kind().name(), who, lines: places }, lines)
}

/// Whether a violation is one of the atomicity of code that nobody has said to be indivisible.
fn is_inferred(answer: &Answer, finding: &Finding) -> bool {
    let block = finding.atomicity().map(|atomicity| &atomicity.block);
    let mut transactions = answer.predicted.iter().flat_map(|predicted| &predicted.transactions);
    block.is_some_and(|block| !transactions.any(|known| known.block == *block && !known.inferred))
}
