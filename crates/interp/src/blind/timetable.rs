//! Schedules as tables.

use indexmap::IndexMap;
use ir::OpRef;

use super::positions::{Meaning, Positions, bits};
use crate::follow::{Constraints, Standing, StepTaken};
use crate::game::arena::Arena;
use crate::game::strategy::{Memory, Strategy};

/// A schedule. The program starts at the first row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timetable {
    /// The rows.
    pub rows: Vec<Row>,
}

/// What may happen at one point of a schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Where the threads are.
    pub location: Vec<Standing>,
    /// Those that may run; none at the end.
    pub permitted: Vec<u32>,
    /// All ways in which they can step.
    pub ways: Vec<Way>,
}

/// One way in which a thread can step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// The thread.
    pub thread: u32,
    /// The ops that it runs.
    pub ops: Vec<OpRef>,
    /// The row to which that leads.
    pub target: u32,
}

impl Constraints for Timetable {
    fn root(&mut self) -> u32 {
        0
    }

    fn permitted(&mut self, node: u32) -> Vec<u32> {
        self.rows[node as usize].permitted.clone()
    }

    fn next(&mut self, node: u32, step: &StepTaken<'_>) -> Option<u32> {
        let fits = |way: &&Way| {
            let there = &self.rows[way.target as usize].location;
            way.thread == step.thread && way.ops == step.ops && there == step.location
        };
        self.rows[node as usize].ways.iter().find(fits).map(|way| way.target)
    }
}

impl Positions<'_> {
    /// The schedule of a strategy by which the scheduler wins from the first belief. A row is a belief together with what the
    /// scheduler remembers there.
    pub(super) fn timetable(&mut self, arena: &Arena, strategy: &Strategy) -> Timetable {
        let root = self.root() as usize;
        let mut places: IndexMap<(usize, Memory), ()> = IndexMap::new();
        places.insert((root, strategy.remember(root, &[])), ());
        let mut table = Timetable::default();
        while let Some(((position, memory), ())) = places.get_index(table.rows.len()) {
            let (position, memory) = (*position, memory.clone());
            let Meaning::Belief(belief) = self.meanings[position] else { break };
            let location = self.location(belief);
            let mut row = Row { location, permitted: Vec::new(), ways: Vec::new() };
            let choice = strategy.choice(arena, position, &memory) as usize;
            if let Meaning::Permitted(set) = self.meanings[choice] {
                row.permitted.extend(bits(set));
                let memory = strategy.remember(choice, &memory);
                self.add_ways(arena, strategy, (choice, &memory), &mut places, &mut row.ways);
            }
            table.rows.push(row);
        }
        table
    }

    fn add_ways(
        &self,
        arena: &Arena,
        strategy: &Strategy,
        (permitted, memory): (usize, &Memory),
        places: &mut IndexMap<(usize, Memory), ()>,
        ways: &mut Vec<Way>,
    ) {
        let enter = |position: u32, memory: &Memory| strategy.remember(position as usize, memory);
        for &picked in arena.moves(permitted) {
            let memory = enter(picked, memory);
            let Meaning::Picked(thread) = self.meanings[picked as usize] else { continue };
            for &seen in arena.moves(picked as usize) {
                let memory = enter(seen, &memory);
                let Meaning::Seen(ops) = &self.meanings[seen as usize] else { continue };
                for &belief in arena.moves(seen as usize) {
                    let (target, _) = places.insert_full((belief as usize, enter(belief, &memory)), ());
                    let target = u32::try_from(target).unwrap_or(u32::MAX);
                    ways.push(Way { thread, ops: ops.clone(), target });
                }
            }
        }
    }
}
