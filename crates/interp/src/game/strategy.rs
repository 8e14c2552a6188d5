//! How the scheduler wins: what to do at each position, with some memory.
//!
//! This follows the proof of Zielonka's theorem. The scheduler goes for one pair after the other. Where it can force that the
//! pair is granted, it does. Elsewhere there are layers: in the core of each it wins by the other pairs while nobody asks
//! for this one, and it can force its way to the core; the adversary can only leave to lower layers, or to where the pair
//! can be granted.

use super::arena::{Arena, Player, Set, is_empty, members, without};

/// What the scheduler does where it wins.
pub(crate) struct Strategy {
    /// Where it can stay where nobody asks for anything.
    quiet: Set,
    /// Where it can force its way there, and how.
    ended: Set,
    toward: Vec<u32>,
    /// What it does elsewhere.
    plan: Plan,
}

/// What to do in a part of the game that is won by some pairs.
struct Plan {
    part: Set,
    goals: Vec<Goal>,
}

/// How to go for one pair.
struct Goal {
    granted: Set,
    /// Where that can be forced.
    forced: Set,
    /// How to move there. Moves are positions; those that are not used are 0.
    toward: Vec<u32>,
    layers: Vec<Layer>,
}

struct Layer {
    all: Set,
    toward: Vec<u32>,
    core: Set,
    plan: Plan,
}

/// What the scheduler remembers: for each level of nesting the pair that it goes for, and the layer in whose core it is.
pub(crate) type Memory = Vec<(usize, usize)>;

impl Arena {
    /// How the scheduler wins from the positions that it wins from.
    pub(crate) fn strategy(&self, won: &Set) -> Strategy {
        let quiet = self.quiet(won);
        let (ended, toward) = self.forced(won, &quiet);
        let pairs: Vec<usize> = (0..self.pairs.len()).collect();
        let plan = self.plan_by(without(won, &ended), &pairs);
        Strategy { quiet, ended, toward, plan }
    }

    fn plan_by(&self, part: Set, pairs: &[usize]) -> Plan {
        let asks = |&&pair: &&usize| self.pairs[pair].asked.iter().any(|&at| part[at as usize]);
        let pairs: Vec<usize> = pairs.iter().filter(asks).copied().collect();
        let goals = pairs.iter().map(|&pair| self.goal(&part, pair, &pairs)).collect();
        Plan { part, goals }
    }

    fn goal(&self, part: &Set, pair: usize, pairs: &[usize]) -> Goal {
        let others: Vec<usize> = pairs.iter().copied().filter(|&other| other != pair).collect();
        let mut granted = vec![false; self.len()];
        for &position in &self.pairs[pair].granted {
            granted[position as usize] = part[position as usize];
        }
        let (forced, toward) = self.forced(part, &granted);
        let mut rest = without(part, &forced);
        let mut layers = Vec::new();
        while !is_empty(&rest) {
            let asked = self.pairs[pair].asked.iter().copied();
            let quiet = without(&rest, &self.attractor(&rest, asked, Player::Adversary));
            let core = self.scheduler_wins(quiet, &others);
            debug_assert!(!is_empty(&core), "the part is won");
            if is_empty(&core) {
                break;
            }
            let (all, toward) = self.forced(&rest, &core);
            rest = without(&rest, &all);
            layers.push(Layer { all, toward, plan: self.plan_by(core.clone(), &others), core });
        }
        Goal { granted, forced, toward, layers }
    }

    fn forced(&self, part: &Set, goal: &Set) -> (Set, Vec<u32>) {
        let mut toward = vec![0; self.len()];
        let note = |from: usize, to: usize| toward[from] = u32::try_from(to).unwrap_or(u32::MAX);
        let forced = self.attract(part, members(goal), Player::Scheduler, note);
        (forced, toward)
    }
}

impl Strategy {
    /// What to remember when a position is entered.
    pub(crate) fn remember(&self, position: usize, before: &[(usize, usize)]) -> Memory {
        let mut memory = Memory::new();
        if !self.ended[position] {
            self.plan.remember(position, before, &mut memory);
        }
        memory
    }

    /// How the scheduler moves at a position of its own, with what it remembers since it is there.
    pub(crate) fn choice(&self, arena: &Arena, position: usize, memory: &[(usize, usize)]) -> u32 {
        if self.quiet[position] {
            stay(arena, position, &self.quiet)
        } else if self.ended[position] {
            self.toward[position]
        } else {
            self.plan.choice(arena, position, memory)
        }
    }
}

/// A move that does not leave a part.
fn stay(arena: &Arena, position: usize, part: &Set) -> u32 {
    arena.moves(position).iter().find(|&&to| part[to as usize]).copied().unwrap_or(0)
}

impl Plan {
    fn remember(&self, position: usize, before: &[(usize, usize)], memory: &mut Memory) {
        if self.goals.is_empty() {
            return;
        }
        let (mut at, mut layer_before) = before.first().copied().unwrap_or((0, usize::MAX));
        if self.goals[at].granted[position] {
            at = (at + 1) % self.goals.len();
            layer_before = usize::MAX;
        }
        let layer = self.goals[at].layers.iter().position(|layer| layer.core[position]);
        memory.push((at, layer.unwrap_or(usize::MAX)));
        if let Some(layer) = layer {
            let before = if layer == layer_before { before.get(1..).unwrap_or_default() } else { &[] };
            self.goals[at].layers[layer].plan.remember(position, before, memory);
        }
    }

    fn choice(&self, arena: &Arena, position: usize, memory: &[(usize, usize)]) -> u32 {
        let Some(&(at, layer)) = memory.first() else { return stay(arena, position, &self.part) };
        let goal = &self.goals[at];
        if goal.forced[position] {
            let granted = goal.granted[position];
            return if granted { stay(arena, position, &self.part) } else { goal.toward[position] };
        }
        if let Some(layer) = goal.layers.get(layer) {
            return layer.plan.choice(arena, position, &memory[1..]);
        }
        let layer = goal.layers.iter().find(|layer| layer.all[position]);
        layer.map_or(0, |layer| layer.toward[position])
    }
}
