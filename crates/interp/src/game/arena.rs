//! Positions and moves of a game of two players, and who can force a visit to where.

/// Who moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Player {
    /// Picks threads.
    Scheduler,
    /// Picks values.
    Adversary,
}

/// A Streett pair: if one of the first positions is visited infinitely often, one of the others has to be, too.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pair {
    pub(crate) asked: Vec<u32>,
    pub(crate) granted: Vec<u32>,
}

/// A set of positions.
pub(crate) type Set = Vec<bool>;

/// Collects positions and moves.
#[derive(Default)]
pub(crate) struct Builder {
    owners: Vec<Player>,
    moves: Vec<(u32, u32)>,
}

impl Builder {
    /// A new position, in which somebody moves.
    pub(crate) fn position(&mut self, owner: Player) -> u32 {
        self.owners.push(owner);
        number(self.owners.len() - 1)
    }

    /// A new move.
    pub(crate) fn edge(&mut self, from: u32, to: u32) {
        self.moves.push((from, to));
    }

    pub(crate) fn finish(self, pairs: Vec<Pair>) -> Arena {
        let count = self.owners.len();
        let forward = Adjacency::new(count, &self.moves);
        let backward: Vec<(u32, u32)> = self.moves.into_iter().map(|(from, to)| (to, from)).collect();
        Arena { owners: self.owners, forward, backward: Adjacency::new(count, &backward), pairs }
    }
}

fn number(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// For each position, others.
struct Adjacency {
    starts: Vec<u32>,
    others: Vec<u32>,
}

impl Adjacency {
    fn new(count: usize, moves: &[(u32, u32)]) -> Self {
        let mut starts = vec![0u32; count + 1];
        for &(from, _) in moves {
            starts[from as usize + 1] += 1;
        }
        for at in 0..count {
            starts[at + 1] += starts[at];
        }
        let mut next = starts.clone();
        let mut others = vec![0; moves.len()];
        for &(from, to) in moves {
            others[next[from as usize] as usize] = to;
            next[from as usize] += 1;
        }
        Adjacency { starts, others }
    }

    fn of(&self, position: usize) -> &[u32] {
        &self.others[self.starts[position] as usize..self.starts[position + 1] as usize]
    }
}

/// A game: every position has a move, unless it is lost at once.
pub(crate) struct Arena {
    owners: Vec<Player>,
    forward: Adjacency,
    backward: Adjacency,
    /// What the scheduler has to do for ever.
    pub(crate) pairs: Vec<Pair>,
}

impl Arena {
    pub(crate) fn len(&self) -> usize {
        self.owners.len()
    }

    #[cfg(test)]
    pub(crate) fn owner(&self, position: usize) -> Player {
        self.owners[position]
    }

    pub(crate) fn moves(&self, position: usize) -> &[u32] {
        self.forward.of(position)
    }

    /// The positions of a part of the game from which a player can force a visit to some of them. The rest is a part in
    /// which the player cannot leave and the other one need not.
    pub(crate) fn attractor(&self, part: &Set, goal: impl IntoIterator<Item = u32>, player: Player) -> Set {
        self.attract(part, goal, player, |_, _| {})
    }

    /// The same; `toward` is told how the player moves, from where to where.
    pub(crate) fn attract(
        &self,
        part: &Set,
        goal: impl IntoIterator<Item = u32>,
        player: Player,
        mut toward: impl FnMut(usize, usize),
    ) -> Set {
        const UNKNOWN: u32 = u32::MAX;
        let mut forced = vec![false; self.len()];
        // How many moves of the other player do not lead there.
        let mut ways_out = vec![UNKNOWN; self.len()];
        let mut work = Vec::new();
        for position in goal {
            let at = position as usize;
            if part[at] && !forced[at] {
                forced[at] = true;
                work.push(at);
            }
        }
        while let Some(at) = work.pop() {
            for &before in self.backward.of(at) {
                let before = before as usize;
                if !part[before] || forced[before] {
                    continue;
                }
                if self.owners[before] != player {
                    if ways_out[before] == UNKNOWN {
                        let moves = self.forward.of(before).iter();
                        ways_out[before] = number(moves.filter(|&&to| part[to as usize]).count());
                    }
                    ways_out[before] -= 1;
                    if ways_out[before] > 0 {
                        continue;
                    }
                } else {
                    toward(before, at);
                }
                forced[before] = true;
                work.push(before);
            }
        }
        forced
    }
}

/// The positions of a set that are not in another one.
pub(crate) fn without(set: &Set, other: &Set) -> Set {
    set.iter().zip(other).map(|(&is, &not)| is && !not).collect()
}

/// Whether a set has no position.
pub(crate) fn is_empty(set: &Set) -> bool {
    !set.contains(&true)
}

/// The positions of a set.
pub(crate) fn members(set: &Set) -> impl Iterator<Item = u32> + '_ {
    set.iter().enumerate().filter(|(_, is)| **is).map(|(at, _)| number(at))
}
