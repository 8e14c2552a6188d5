//! Unfair runs of the product: cycles on which a thread can step and does not.

use std::collections::{BTreeSet, VecDeque};

use rustc_hash::FxHashMap;

use super::{Edge, Move, Problem, Product, number};
use crate::scc::components;

impl Product<'_> {
    /// A run in which a thread is enabled infinitely often and scheduled finitely often, if there is one.
    pub(super) fn unfair(&mut self) -> Option<(Problem, Vec<Move>)> {
        let all: Vec<u32> = (0..number(self.places.len())).collect();
        for component in self.parts(&all, None) {
            let mut candidates = BTreeSet::new();
            for &place in &component {
                candidates.extend(self.enabled(place));
            }
            for thread in candidates {
                for part in self.parts(&component, Some(thread)) {
                    let ignored = part.iter().copied().find(|&place| self.enabled(place).contains(&thread));
                    if let Some(place) = ignored {
                        return Some(self.lasso(place, &part, thread));
                    }
                }
            }
        }
        None
    }

    fn edges_of(&self, place: u32) -> impl Iterator<Item = (u32, Edge)> + '_ {
        let range = self.starts[place as usize]..self.starts[place as usize + 1];
        range.map(|at| (number(at), self.edges[at]))
    }

    /// The strongly connected components of some places that have an edge, without the steps of a thread.
    fn parts(&self, places: &[u32], without: Option<u32>) -> Vec<Vec<u32>> {
        let kept = |place: u32| {
            self.edges_of(place).map(|(_, edge)| edge).filter(|edge| without != Some(edge.thread))
        };
        let mut found =
            components(places, self.places.len(), |place, out| out.extend(kept(place).map(|edge| edge.to)));
        found.retain(|part| part.len() > 1 || kept(part[0]).any(|edge| edge.to == part[0]));
        found
    }

    /// The run to a place and round a cycle of a component, without the steps of a thread.
    fn lasso(&mut self, place: u32, part: &[u32], thread: u32) -> (Problem, Vec<Move>) {
        let mut moves = self.path_to(place);
        let lasso_start = moves.len();
        let mut came_by: FxHashMap<u32, (u32, u32)> = FxHashMap::default();
        let mut queue = VecDeque::from([place]);
        while let Some(at) = queue.pop_front() {
            for (index, edge) in self.edges_of(at) {
                let inside = edge.thread != thread && part.binary_search(&edge.to).is_ok();
                if inside && !came_by.contains_key(&edge.to) {
                    came_by.insert(edge.to, (at, index));
                    queue.push_back(edge.to);
                }
            }
        }
        let mut at = place;
        let mut cycle = Vec::new();
        while let Some(&(before, edge)) = came_by.get(&at) {
            cycle.push(self.described(before, edge));
            at = before;
            if at == place {
                break;
            }
        }
        moves.extend(cycle.into_iter().rev());
        (Problem::Unfair { thread, lasso_start }, moves)
    }
}
