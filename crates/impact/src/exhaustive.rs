//! All schedules: every thread is expanded at every node, except where the order cannot matter.

use std::collections::VecDeque;

use interp::Checks;

use crate::expand::{Counterexample, Cuts, Expanded, Situation};
use crate::tree::{NodeId, Stop, Tree};

/// What came of it.
pub(crate) struct Exhausted {
    /// Whether everything was explored.
    pub(crate) finished: bool,
    /// One of each sort: there may be one at every node.
    pub(crate) counterexamples: Vec<Counterexample>,
    pub(crate) cuts: Cuts,
    /// The nodes with a state in which nobody can step.
    pub(crate) dead: Vec<NodeId>,
}

impl Exhausted {
    fn remember(&mut self, new: Counterexample) {
        if !self.counterexamples.iter().any(|known| known.kind == new.kind && known.at == new.at) {
            self.counterexamples.push(new);
        }
    }
}

impl Tree<'_, '_> {
    /// Explores until there is nothing left, there are too many nodes, or, if one is enough, there is a violation.
    pub(crate) fn exhaust(
        &mut self,
        checks: &Checks,
        reduce: bool,
        most_nodes: usize,
        one_is_enough: bool,
    ) -> Result<Exhausted, Stop> {
        let mut found =
            Exhausted { finished: false, counterexamples: Vec::new(), cuts: Vec::new(), dead: Vec::new() };
        let mut work = VecDeque::from([NodeId::from_u32(0)]);
        loop {
            work.extend(std::mem::take(&mut self.reopened));
            let Some(node) = work.pop_front() else { break };
            self.solving.may_go_on()?;
            let known = &self.nodes[node];
            if known.removed || known.cover.is_some() || !known.choices.is_empty() {
                continue;
            }
            if self.nodes.len() > most_nodes {
                return Ok(found);
            }
            if self.close(node, &|_| true, &mut |_, _| true)? {
                continue;
            }
            let mut standings = self.standings(node)?;
            if let Situation::Deadlock(counterexample) = self.situation(node, &standings)? {
                found.dead.push(node);
                if checks.deadlocks {
                    found.remember(counterexample);
                    if one_is_enough {
                        return Ok(found);
                    }
                }
            }
            if reduce
                && let Some(at) =
                    standings.iter().position(|standing| standing.surely && self.stands_alone(node, standing))
            {
                self.nodes[node].reduced = standings.len() > 1;
                standings = vec![standings.swap_remove(at)];
                if self.nodes[node].reduced {
                    self.strengthen(node, standings[0].guard)?;
                }
            }
            for standing in standings.iter().filter(|standing| !standing.ways.is_empty()) {
                match self.expand(node, standing, checks, &mut found.cuts)? {
                    Expanded::Children(children) => work.extend(children),
                    Expanded::Fails(counterexample) => {
                        let stops = one_is_enough && counterexample.is_some();
                        counterexample.into_iter().for_each(|counterexample| found.remember(counterexample));
                        if let Some(chosen) = self.nodes[node].choices.last() {
                            work.extend(&chosen.children);
                        }
                        if stops {
                            return Ok(found);
                        }
                    }
                }
            }
        }
        found.finished = true;
        Ok(found)
    }
}
