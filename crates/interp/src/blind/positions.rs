//! The game of beliefs, position by position.

use std::collections::BTreeMap;

use indexmap::IndexSet;
use ir::OpRef;
use rustc_hash::FxBuildHasher;

use crate::code::Code;
use crate::explore::{Flow, Progress};
use crate::follow::Standing;
use crate::game::arena::{Builder, Player, Set};
use crate::pack::StateId;
use crate::run::Config;
use crate::steps::{End, Slot, Steps, number_of};

/// A state, and which threads there are.
type Member = (StateId, u32);

/// A step as the scheduler sees it.
struct Sight {
    ops: Vec<OpRef>,
    location: Vec<Standing>,
    /// The states that fit, by the threads that can step there.
    enabled: Vec<u64>,
    /// The states to which it leads.
    members: Vec<Member>,
}

/// What a position stands for.
pub(super) enum Meaning {
    /// A belief; the scheduler moves.
    Belief(usize),
    /// These threads may run.
    Permitted(u64),
    /// A thread runs.
    Picked(u32),
    /// It has run these ops.
    Seen(Vec<OpRef>),
    /// The end of all plays that end well.
    End,
}

/// The positions at which a thread may have been enabled, certainly was, and was scheduled.
#[derive(Default)]
pub(super) struct Asking {
    pub(super) sometimes: Vec<u32>,
    pub(super) always: Vec<u32>,
    pub(super) granted: Vec<u32>,
}

/// What can happen next in a belief.
#[derive(Default)]
struct Outlook {
    /// The threads that can step in each state that is no end.
    enabled: Vec<u64>,
    /// The threads of which some step is a violation.
    failing: u64,
    /// Whether some state is a deadlock.
    deadlock: bool,
    /// What can be seen of the steps of each thread.
    seen: BTreeMap<u32, Vec<Sight>>,
}

/// More threads than this at a belief are too many to try all sets of them.
const MOST_CHOICES: usize = 8;

/// Builds the game. The scheduler moves at beliefs and picks a set of threads. The adversary picks a thread of the set,
/// then what happens.
pub(super) struct Positions<'p> {
    steps: Steps<'p>,
    deadlocks: bool,
    pub(super) arena: Builder,
    /// The positions that are lost at once.
    pub(super) lost: Set,
    /// What each position stands for.
    pub(super) meanings: Vec<Meaning>,
    pub(super) pairs: BTreeMap<u32, Asking>,
    slots: IndexSet<Vec<Slot>, FxBuildHasher>,
    beliefs: IndexSet<Vec<Member>, FxBuildHasher>,
    /// The positions of the beliefs.
    numbers: Vec<u32>,
    /// The end of all plays that end well.
    end: u32,
}

impl<'p> Positions<'p> {
    pub(super) fn new(code: &'p Code, config: &Config) -> Self {
        Positions {
            steps: Steps::new(code, config),
            deadlocks: config.checks.deadlocks,
            arena: Builder::default(),
            lost: Vec::new(),
            meanings: Vec::new(),
            pairs: BTreeMap::new(),
            slots: IndexSet::default(),
            beliefs: IndexSet::default(),
            numbers: Vec::new(),
            end: 0,
        }
    }

    /// How many beliefs there are.
    pub(super) fn beliefs(&self) -> usize {
        self.beliefs.len()
    }

    /// The position of the first belief.
    pub(super) fn root(&self) -> u32 {
        self.numbers[0]
    }

    /// Where threads are in a belief.
    pub(super) fn location(&mut self, belief: usize) -> Vec<Standing> {
        let Some(&(state, slots)) = self.beliefs[belief].first() else { return Vec::new() };
        self.steps.location(state, &self.slots[slots as usize])
    }

    /// Builds all of it, or gives up.
    pub(super) fn build(&mut self, control: &mut dyn FnMut(&Progress) -> Flow) -> Option<()> {
        let mut first = Vec::new();
        for (state, slots) in self.steps.initial().ok()? {
            first.push((state, self.slots(slots)));
        }
        self.belief(first);
        self.end = self.position(Player::Scheduler, Meaning::End);
        self.arena.edge(self.end, self.end);
        let mut next = 0;
        while next < self.beliefs.len() {
            let progress = Progress {
                states: self.beliefs.len(),
                pending: self.beliefs.len() - next,
                transitions: 0,
                memory: self.steps.memory(),
            };
            if control(&progress) == Flow::Stop {
                return None;
            }
            self.expand(next)?;
            next += 1;
        }
        Some(())
    }

    fn slots(&mut self, slots: Vec<Slot>) -> u32 {
        number(self.slots.insert_full(slots).0)
    }

    fn position(&mut self, owner: Player, meaning: Meaning) -> u32 {
        self.lost.push(false);
        self.meanings.push(meaning);
        self.arena.position(owner)
    }

    /// The position of a belief.
    fn belief(&mut self, mut members: Vec<Member>) -> u32 {
        members.sort_unstable();
        members.dedup();
        let (at, new) = self.beliefs.insert_full(members);
        if new {
            let position = self.position(Player::Scheduler, Meaning::Belief(at));
            self.numbers.push(position);
        }
        self.numbers[at]
    }

    fn expand(&mut self, belief: usize) -> Option<()> {
        let here = self.numbers[belief];
        let outlook = self.outlook(&self.beliefs[belief].clone())?;
        if outlook.deadlock {
            self.lost[here as usize] = true;
            return Some(());
        }
        if outlook.enabled.is_empty() {
            self.arena.edge(here, self.end);
            return Some(());
        }
        let sets = permissible(&outlook)?;
        if sets.is_empty() {
            self.lost[here as usize] = true;
            return Some(());
        }
        let used = sets.iter().fold(0, |all, set| all | set);
        let mut picked: BTreeMap<u32, u32> = BTreeMap::new();
        for thread in bits(used) {
            let position = self.position(Player::Adversary, Meaning::Picked(thread));
            picked.insert(thread, position);
            self.pairs.entry(thread).or_default().granted.push(position);
            let seen = outlook.seen.get(&thread).map(Vec::as_slice).unwrap_or_default();
            for sight in seen {
                let seen = self.position(Player::Adversary, Meaning::Seen(sight.ops.clone()));
                self.arena.edge(position, seen);
                self.observe(seen, sight);
            }
            if seen.is_empty() {
                // A failure that is no violation ends the play.
                self.arena.edge(position, self.end);
            }
        }
        for set in sets {
            let permitted = self.position(Player::Adversary, Meaning::Permitted(set));
            self.arena.edge(here, permitted);
            bits(set).for_each(|thread| self.arena.edge(permitted, picked[&thread]));
        }
        Some(())
    }

    /// A step was seen.
    fn observe(&mut self, seen: u32, sight: &Sight) {
        let enabled = &sight.enabled;
        for thread in bits(enabled.iter().fold(0, |all, set| all | set)) {
            self.pairs.entry(thread).or_default().sometimes.push(seen);
        }
        for thread in bits(enabled.iter().fold(u64::MAX, |all, set| all & set)) {
            self.pairs.entry(thread).or_default().always.push(seen);
        }
        let to = self.belief(sight.members.clone());
        self.arena.edge(seen, to);
    }

    /// What can happen in a belief, or nothing if that cannot be told.
    fn outlook(&mut self, members: &[Member]) -> Option<Outlook> {
        let mut outlook = Outlook::default();
        for &(state, slots) in members {
            let slots = self.slots[slots as usize].clone();
            let expansion = self.steps.of(state);
            if expansion.enabled == 0 {
                outlook.deadlock |= self.deadlocks && expansion.live != 0 && expansion.assuming == 0;
                continue;
            }
            let mut enabled = 0u64;
            for (thread, slot) in (0..).zip(&slots) {
                if matches!(slot, Slot::At(at) if expansion.enabled & (1 << at) != 0) {
                    enabled |= 1u64.checked_shl(thread)?;
                }
            }
            outlook.enabled.push(enabled);
            for step in &expansion.steps {
                let thread = number_of(&slots, step.thread);
                let target = match &step.end {
                    End::Moved(target) => *target,
                    End::Failed(Some(_), _) => {
                        outlook.failing |= 1 << thread;
                        continue;
                    }
                    End::Failed(None, _) => continue,
                    End::Cut(_) => return None,
                };
                let after = self.steps.slots_after(&expansion, step, target, &slots);
                let location = self.steps.location(target, &after);
                let member = (target, self.slots(after));
                let seen = outlook.seen.entry(thread).or_default();
                let fits = |sight: &&mut Sight| sight.ops == step.ops && sight.location == location;
                if let Some(sight) = seen.iter_mut().find(fits) {
                    sight.enabled.push(enabled);
                    sight.members.push(member);
                } else {
                    let ops = step.ops.clone();
                    seen.push(Sight { ops, location, enabled: vec![enabled], members: vec![member] });
                }
            }
        }
        Some(outlook)
    }
}

/// The smallest sets of threads of which in every state some can step, and none can fail.
fn permissible(outlook: &Outlook) -> Option<Vec<u64>> {
    let some = outlook.enabled.iter().fold(0, |all, set| all | set) & !outlook.failing;
    let threads: Vec<u32> = bits(some).collect();
    if threads.len() > MOST_CHOICES {
        return None;
    }
    let mut sets: Vec<u64> = (1u64..1 << threads.len())
        .map(|chosen| bits(chosen).fold(0, |set, at| set | 1 << threads[at as usize]))
        .filter(|set| outlook.enabled.iter().all(|enabled| enabled & set != 0))
        .collect();
    sets.sort_by_key(|set| set.count_ones());
    let mut smallest: Vec<u64> = Vec::new();
    for set in sets {
        if !smallest.iter().any(|smaller| smaller & set == *smaller) {
            smallest.push(set);
        }
    }
    Some(smallest)
}

pub(super) fn bits(set: u64) -> impl Iterator<Item = u32> {
    (0..u64::BITS).filter(move |at| set & (1 << at) != 0)
}

fn number(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
