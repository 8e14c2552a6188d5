//! Who wins from where: the recursion of Zielonka ("Infinite games on finitely coloured graphs with applications to
//! automata on infinite trees", TCS 1998) for Streett conditions, as in Horn, "Streett games on finite graphs" (2005).
//!
//! In a part of the game without any position that grants a pair, the adversary wins if it can visit the positions that
//! ask for it again and again, or wins by the other pairs where it cannot. Where the adversary wins in no such part,
//! whichever the pair, the scheduler wins: it goes for one pair after the other.

use super::arena::{Arena, Player, Set, is_empty, members, without};

impl Arena {
    /// The positions from which the scheduler wins; some are lost at once. A position without moves must be one of those.
    pub(crate) fn won(&self, lost: &Set) -> Set {
        let part = self.not_forced(lost);
        // Most plays come to an end, where nobody asks for anything: from there the scheduler need not be clever.
        let ended = self.attractor(&part, members(&self.quiet(&part)), Player::Scheduler);
        let pairs: Vec<usize> = (0..self.pairs.len()).collect();
        let mut won = self.scheduler_wins(without(&part, &ended), &pairs);
        for (won, ended) in won.iter_mut().zip(ended) {
            *won |= ended;
        }
        won
    }

    /// The positions from which the adversary cannot force what is lost at once.
    fn not_forced(&self, lost: &Set) -> Set {
        let all = vec![true; self.len()];
        without(&all, &self.attractor(&all, members(lost), Player::Adversary))
    }

    /// The positions of a part at which the scheduler can stay where nobody asks for anything.
    pub(super) fn quiet(&self, part: &Set) -> Set {
        let asking = self.pairs.iter().flat_map(|pair| &pair.asked).copied();
        without(part, &self.attractor(part, asking, Player::Adversary))
    }

    /// The positions of a part from which the scheduler wins by some of the pairs.
    pub(super) fn scheduler_wins(&self, mut part: Set, pairs: &[usize]) -> Set {
        'smaller: loop {
            let asks = |&&pair: &&usize| self.pairs[pair].asked.iter().any(|&at| part[at as usize]);
            let pairs: Vec<usize> = pairs.iter().filter(asks).copied().collect();
            for &pair in &pairs {
                let granted = self.pairs[pair].granted.iter().copied();
                let rest = without(&part, &self.attractor(&part, granted, Player::Scheduler));
                let others: Vec<usize> = pairs.iter().copied().filter(|&other| other != pair).collect();
                let lost = self.adversary_wins(rest, pair, &others);
                if !is_empty(&lost) {
                    part = without(&part, &self.attractor(&part, members(&lost), Player::Adversary));
                    continue 'smaller;
                }
            }
            return part;
        }
    }

    /// The positions from which the adversary wins in a part in which nothing grants a pair.
    fn adversary_wins(&self, mut part: Set, pair: usize, others: &[usize]) -> Set {
        while !is_empty(&part) {
            let asked = self.pairs[pair].asked.iter().copied();
            let quiet = without(&part, &self.attractor(&part, asked, Player::Adversary));
            let won = self.scheduler_wins(quiet, others);
            if is_empty(&won) {
                break;
            }
            part = without(&part, &self.attractor(&part, members(&won), Player::Scheduler));
        }
        part
    }
}
