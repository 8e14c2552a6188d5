//! The explorer within a budget, and its answer as a [`Verdict`].

use std::time::Duration;

use interp::{Config, Exploration, Fairness, Flow, Progress, Valuation};
use ir::Program;

use crate::{
    Bounds, Budget, Cancel, Claim, CutAt, Disagreement, Exhausted, Finding, Observer, Phase, Proof, Reason,
    Verdict, confirm,
};

/// What an exploration took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figures {
    /// States stored.
    pub states: usize,
    /// Steps taken.
    pub transitions: u64,
    /// Bytes per state, the hash table included.
    pub bytes_per_state: f64,
    /// Whether interleavings that differ only in the order of independent steps were left out.
    pub reduced: bool,
    /// Time spent exploring.
    pub explore: Duration,
    /// Time spent replaying what was found.
    pub replay: Duration,
}

/// What came out of an exploration.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The answer.
    pub verdict: Verdict,
    /// The bounds it was sought in.
    pub bounds: Bounds,
    /// Why not everything was explored although violations were found, if so. An unknown verdict has its own reason.
    pub incomplete: Option<Reason>,
    /// Final valuations of the globals, sorted, if asked for.
    pub valuations: Option<Vec<Valuation>>,
    /// What it took.
    pub figures: Figures,
}

/// Explores a valid program and replays every violation.
///
/// # Errors
/// When a violation does not come out on replay: an internal error, not a bug of the program.
pub fn explore(
    program: &Program,
    config: &Config,
    budget: &Budget,
    cancel: &Cancel,
    observer: &mut dyn Observer,
) -> Result<Outcome, Disagreement> {
    let started = observer.now();
    let mut exhausted = None;
    let exploration = interp::explore(program, config, &mut |progress: &Progress| {
        observer.progress(Phase::Explore(*progress));
        let memory = observer.memory().unwrap_or(0).max(progress.memory as u64);
        exhausted = budget.check(observer.now(), memory, cancel);
        if exhausted.is_some() { Flow::Stop } else { Flow::Continue }
    });
    let explored = observer.now();
    let figures = Figures {
        states: exploration.statistics.states,
        transitions: exploration.statistics.transitions,
        bytes_per_state: exploration.statistics.bytes_per_state,
        reduced: exploration.reduced,
        explore: explored.saturating_sub(started),
        replay: Duration::ZERO,
    };
    observer.progress(Phase::Replay);
    let fairness = config.checks.non_termination.unwrap_or(Fairness::None);
    let findings: Vec<Finding> = exploration
        .violations
        .iter()
        .map(|violation| confirm(program, config, &violation.run, Claim::of(violation, fairness)))
        .collect::<Result<_, _>>()?;
    let figures = Figures { replay: observer.now().saturating_sub(explored), ..figures };
    Ok(conclude(config, exploration, findings, exhausted, figures))
}

fn conclude(
    config: &Config,
    exploration: Exploration,
    findings: Vec<Finding>,
    exhausted: Option<Exhausted>,
    figures: Figures,
) -> Outcome {
    let cuts: Vec<_> = exploration.cuts.iter().map(|(cut, ..)| cut.clone()).collect();
    let bounds = Bounds::of(config, exploration.limited, &cuts);
    let reason = incompleteness(&exploration, exhausted);
    let proof = Proof::Exhaustive { states: figures.states, reduced: figures.reduced };
    let (verdict, incomplete) = match reason {
        reason if !findings.is_empty() => (Verdict::Unsafe(findings), reason),
        Some(reason) => (Verdict::Unknown(reason), None),
        None if bounds.touched.is_empty() => (Verdict::Safe(proof), None),
        None => (Verdict::SafeWithin(bounds.clone(), proof), None),
    };
    let valuations = config.valuations.then(|| {
        let mut valuations = exploration.valuations;
        valuations.sort();
        valuations
    });
    Outcome { verdict, bounds, incomplete, valuations, figures }
}

/// Why not everything was explored, if so.
fn incompleteness(exploration: &Exploration, exhausted: Option<Exhausted>) -> Option<Reason> {
    if !exploration.finished {
        // The explorer stops for no other reason than that it was told to.
        return Some(Reason::Exhausted(exhausted.unwrap_or(Exhausted::Cancelled)));
    }
    let cuts = exploration.cuts.iter();
    let cuts: Vec<CutAt> =
        cuts.map(|(cut, at, span)| CutAt { cut: cut.clone(), at: *at, span: *span }).collect();
    (!cuts.is_empty()).then_some(Reason::Cut(cuts))
}
