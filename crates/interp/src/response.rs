//! Response properties, `P ~> Q`: whenever P holds, Q does then or later.
//!
//! They speak of the states between steps: the initial state, and the one after each step. Values that are still arbitrary
//! there are chosen as soon as P or Q reads them, at the end of the step, and belong to its choices: a value that was
//! chosen later, or once for each state, could be another one each time.
//!
//! A request stays unanswered in an infinite execution if, from some state with P on, Q does not hold in any. Who is kept
//! from running is judged as always: a thread that could answer and is never let run makes the execution unfair.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use crate::Cut;
use crate::code::Ex;
use crate::compile::ex;
use crate::graph::Graph;
use crate::machine::Machine;
use crate::pack::StateId;

/// Both sides of the property, as code.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watched {
    request: Ex,
    answer: Ex,
}

impl Watched {
    pub(crate) fn new(response: ir::Response) -> Self {
        Watched { request: ex(response.request), answer: ex(response.answer) }
    }
}

/// What holds in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moment {
    pub(crate) request: bool,
    pub(crate) answer: bool,
}

impl Machine<'_> {
    /// What holds now, if there is a property. Arbitrary values that matter are chosen.
    pub(crate) fn moment(&mut self) -> Result<Option<Moment>, Box<Cut>> {
        let Some(watched) = self.watched else { return Ok(None) };
        let touches = self.effects.touches.len();
        let request = self.eval(watched.request)? != 0;
        let answer = self.eval(watched.answer)? != 0;
        // No thread of the program has read anything.
        self.effects.touches.truncate(touches);
        Ok(Some(Moment { request, answer }))
    }
}

/// What is known of a run so far.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Requests {
    /// The state in which the first request held that was not answered since: 0 is the initial one, 1 the one after the
    /// first step.
    since: Option<usize>,
    /// The last state in which the answer held.
    answered: Option<usize>,
}

impl Requests {
    pub(crate) fn visit(&mut self, at: usize, moment: Moment) {
        if moment.answer {
            (self.since, self.answered) = (None, Some(at));
        } else if moment.request {
            self.since = self.since.or(Some(at));
        }
    }

    /// Since when a request is not answered, if the run comes back for ever to the state `start`.
    pub(crate) fn unanswered(&self, start: usize) -> Option<usize> {
        self.since.filter(|_| self.answered.is_none_or(|at| at < start))
    }
}

/// The states in which a request may be waiting for its answer.
pub(crate) struct Waiting {
    /// For each state the one before it, or itself if the request holds there.
    parents: FxHashMap<StateId, StateId>,
}

impl Waiting {
    /// Finds them, with what holds in each state.
    pub(crate) fn new(graph: &Graph, moments: &[Moment]) -> Self {
        let open = |state: StateId| moments.get(state as usize).is_some_and(|moment| !moment.answer);
        let mut parents = FxHashMap::default();
        let mut queue = VecDeque::new();
        for (state, moment) in (0..).zip(moments) {
            if moment.request && !moment.answer {
                parents.insert(state, state);
                queue.push_back(state);
            }
        }
        while let Some(state) = queue.pop_front() {
            for next in graph.successors(state) {
                if open(next) && !parents.contains_key(&next) {
                    parents.insert(next, state);
                    queue.push_back(next);
                }
            }
        }
        Waiting { parents }
    }

    /// All of them, in order.
    pub(crate) fn states(&self) -> Vec<StateId> {
        let mut states: Vec<StateId> = self.parents.keys().copied().collect();
        states.sort_unstable();
        states
    }

    /// The way to one of them from one in which the request holds.
    pub(crate) fn path(&self, to: StateId) -> Vec<StateId> {
        let mut path = vec![to];
        let mut at = to;
        while let Some(&before) = self.parents.get(&at).filter(|&&before| before != at) {
            path.push(before);
            at = before;
        }
        path.reverse();
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unanswered(moments: &str, start: usize) -> Option<usize> {
        let mut requests = Requests::default();
        for (at, moment) in moments.chars().enumerate() {
            let (request, answer) = ("pb".contains(moment), "qb".contains(moment));
            requests.visit(at, Moment { request, answer });
        }
        requests.unanswered(start)
    }

    #[test]
    fn a_request_is_answered_by_what_comes_then_or_later() {
        // `p`: the request holds, `q`: the answer does, `b`: both do, `-`: none does.
        assert_eq!(unanswered("-p--", 2), Some(1));
        assert_eq!(unanswered("p---", 2), Some(0));
        assert_eq!(unanswered("-pp-", 2), Some(1));
        assert_eq!(unanswered("-pq-", 2), None);
        assert_eq!(unanswered("-b--", 2), None);
        assert_eq!(unanswered("----", 2), None);
        assert_eq!(unanswered("pqp-", 3), Some(2));
    }

    #[test]
    fn an_answer_in_the_lasso_comes_again() {
        assert_eq!(unanswered("-qp-", 1), None);
        assert_eq!(unanswered("-qp-", 2), Some(2));
        assert_eq!(unanswered("---p-", 1), Some(3));
    }
}
