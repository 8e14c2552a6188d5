//! Expansion: what happens at a node when a thread runs there, and what is wrong.

use std::rc::Rc;

use interp::{Checks, ViolationKind};
use ir::{AssertKind, OpRef};
use schedule::ThreadAt;
use smt::TermId;

use crate::model::LocId;
use crate::step::{End, Path};
use crate::tree::{Chosen, NodeId, Standing, Stop, Tree, Way};

/// A step on the way to a violation.
#[derive(Clone)]
pub(crate) struct Played {
    pub(crate) thread: u32,
    pub(crate) path: Rc<Path>,
    pub(crate) inputs: Rc<[TermId]>,
}

/// A violation that really happens.
#[derive(Clone)]
pub(crate) struct Counterexample {
    pub(crate) kind: ViolationKind,
    /// The op that fails, of the expanded program.
    pub(crate) at: Option<OpRef>,
    /// The node that it happens at, and the step from there in which it does. There may be one at every node of a long tree, so
    /// the way to it is asked for only if it is told.
    node: NodeId,
    last: Option<Played>,
    /// What has to hold of the values on the way.
    pub(crate) conds: Vec<TermId>,
}

/// What came of running a thread at a node.
pub(crate) enum Expanded {
    /// All that it can do leads to these nodes.
    Children(Vec<NodeId>),
    /// Something goes wrong.
    Fails(Option<Counterexample>),
}

/// What a node is like.
pub(crate) enum Situation {
    /// The program is over, or this is no run of it.
    End,
    /// In some state nobody can step, and somebody is blocked.
    Deadlock(Counterexample),
    /// Somebody can step in every state.
    Live,
}

/// What cannot be followed: where, and why.
pub(crate) type Cuts = Vec<(OpRef, interp::Cut)>;

impl Tree<'_, '_> {
    /// What all threads can do at a node.
    pub(crate) fn standings(&mut self, node: NodeId) -> Result<Vec<Standing>, Stop> {
        let info = self.info(node);
        let mut all = Vec::new();
        for (thread, at) in (0u32..).zip(&info.location.threads) {
            if matches!(at, ThreadAt::Running(_)) {
                all.push(self.standing(node, thread)?);
            }
        }
        Ok(all)
    }

    /// Whether a node can be left, and whether it should be possible to.
    pub(crate) fn situation(&mut self, node: NodeId, standings: &[Standing]) -> Result<Situation, Stop> {
        if standings.is_empty() {
            return Ok(Situation::End);
        }
        if standings.iter().any(|standing| standing.surely) {
            return Ok(Situation::Live);
        }
        let at_assume = standings.iter().any(|standing| standing.at_assume);
        let guards: Vec<TermId> = standings.iter().map(|standing| standing.guard).collect();
        let guard = self.model.translator.pool.or(guards);
        let stuck = self.model.translator.pool.not(guard);
        let nobody = standings.iter().all(|standing| standing.ways.is_empty());
        if at_assume {
            return Ok(if nobody { Situation::End } else { Situation::Live });
        }
        if let Some(conds) = self.really(node, stuck)? {
            let kind = ViolationKind::Deadlock;
            let counterexample = Counterexample { kind, at: None, node, last: None, conds };
            return Ok(Situation::Deadlock(counterexample));
        }
        self.strengthen(node, guard)?;
        Ok(if nobody { Situation::End } else { Situation::Live })
    }

    /// Whether a formula over variables can hold on the very way that led to a node: what has to hold of the values then.
    fn really(&mut self, node: NodeId, formula: TermId) -> Result<Option<Vec<TermId>>, Stop> {
        let info = self.info(node);
        let exact = self.nodes[node].exact.clone();
        let formula = self.by_values(&info, &exact.store, formula);
        let possible = self.really_possible(&exact.conds, formula)?;
        Ok(possible.then(|| exact.conds.iter().copied().chain([formula]).collect()))
    }

    /// The steps that lead to a node.
    pub(crate) fn steps_to(&self, node: NodeId) -> Vec<Played> {
        let mut steps = Vec::new();
        let mut at = node;
        while let Some(parent) = &self.nodes[at].parent {
            let (path, inputs) = (Rc::clone(&parent.path), Rc::clone(&parent.inputs));
            steps.push(Played { thread: parent.thread, path, inputs });
            at = parent.node;
        }
        steps.reverse();
        steps
    }

    /// The steps that lead to a violation, with the one in which it happens.
    pub(crate) fn steps_of(&self, counterexample: &Counterexample) -> Vec<Played> {
        let mut steps = self.steps_to(counterexample.node);
        steps.extend(counterexample.last.clone());
        steps
    }

    /// Lets a thread run at a node.
    pub(crate) fn expand(
        &mut self,
        node: NodeId,
        standing: &Standing,
        checks: &Checks,
        cuts: &mut Cuts,
    ) -> Result<Expanded, Stop> {
        let mut children = Vec::new();
        let mut wrong: Option<Option<Counterexample>> = None;
        for way in &standing.ways {
            match &way.path.end {
                End::Moved { .. } => children.push(self.child(node, standing.thread, way)?),
                End::Failed { at, kind } => {
                    let checked = match kind {
                        AssertKind::Assertion => checks.assertions,
                        AssertKind::Memory => checks.memory,
                    };
                    if !checked {
                        // An assertion that fails ends the run; after an access that is not valid anything can happen.
                        if *kind == AssertKind::Memory && self.is_real(node, way)? {
                            cuts.push((*at, self.undefined(*at)));
                            wrong = Some(wrong.flatten());
                        }
                        continue;
                    }
                    if let Some(counterexample) = self.failure(node, standing.thread, way, *at, *kind)? {
                        wrong = Some(wrong.flatten().or(Some(counterexample)));
                    }
                }
                End::Cut { at, cut } => {
                    if self.is_real(node, way)? {
                        cuts.push((*at, cut.clone()));
                        wrong = Some(wrong.flatten());
                    }
                }
            }
        }
        let chosen = Chosen {
            thread: standing.thread,
            children: children.clone(),
            fails: wrong.is_some(),
            surely: standing.surely,
            guard: standing.guard,
            depends: standing.depends.clone(),
        };
        self.nodes[node].choices.push(chosen);
        Ok(match wrong {
            Some(counterexample) => Expanded::Fails(counterexample),
            None => Expanded::Children(children),
        })
    }

    /// Whether a way can be taken on the very way that led to a node. If not, the label learns it.
    fn is_real(&mut self, node: NodeId, way: &Way) -> Result<bool, Stop> {
        let conds = std::rc::Rc::clone(&self.nodes[node].exact.conds);
        let guard = self.exact_guard(node, way);
        if self.really_possible(&conds, guard)? {
            return Ok(true);
        }
        let possible = self.exists_inputs(&way.path, way.path.guard);
        let never = self.model.translator.pool.not(possible);
        self.strengthen(node, never)?;
        Ok(false)
    }

    fn failure(
        &mut self,
        node: NodeId,
        thread: u32,
        way: &Way,
        at: OpRef,
        kind: AssertKind,
    ) -> Result<Option<Counterexample>, Stop> {
        if !self.is_real(node, way)? {
            return Ok(None);
        }
        let mut conds = self.nodes[node].exact.conds.to_vec();
        conds.push(self.exact_guard(node, way));
        let last = Some(Played { thread, path: Rc::clone(&way.path), inputs: Rc::clone(&way.inputs) });
        let kind = match kind {
            AssertKind::Assertion => ViolationKind::Assertion,
            AssertKind::Memory => ViolationKind::Memory,
        };
        Ok(Some(Counterexample { kind, at: Some(at), node, last, conds }))
    }

    /// Why nothing is known of runs after a check of a memory access that fails.
    fn undefined(&self, at: OpRef) -> interp::Cut {
        let message = match self.model.op(at) {
            ir::Op::Assert { message, .. } => message.clone(),
            _ => String::new(),
        };
        interp::Cut::Undefined(message)
    }

    /// Whether what a thread does next at a node touches nothing that others may ever touch.
    pub(crate) fn stands_alone(&self, node: NodeId, standing: &Standing) -> bool {
        self.is_independent(self.nodes[node].loc, standing.thread, standing.ways.iter().map(|way| &*way.path))
    }

    /// Whether what a thread does next touches nothing that others may ever touch.
    pub(crate) fn is_independent<'w>(
        &self,
        loc: LocId,
        thread: u32,
        mut ways: impl Iterator<Item = &'w Path>,
    ) -> bool {
        let info = self.model.info(loc);
        let ThreadAt::Running(frames) = &info.location.threads[thread as usize] else {
            return false;
        };
        let Some(first) = frames.last() else { return false };
        let mut step = self.model.outline.of(*first).step;
        // A return assigns the results of the call.
        if let (ir::Op::Return, Some(caller)) = (self.model.op(*first), frames.len().checked_sub(2)) {
            step = step.union(self.model.outline.of(frames[caller]).own);
        }
        let others = (0u32..).zip(&info.location.threads).filter(|(other, _)| *other != thread);
        let independent = |at: &ThreadAt| match at {
            ThreadAt::Running(frames) => {
                frames.iter().all(|op| !step.conflicts(self.model.outline.of(*op).future))
            }
            ThreadAt::Completed(_) => true,
        };
        others.into_iter().all(|(_, at)| independent(at))
            && ways.all(|path| {
                let ends = match &path.end {
                    // To complete is to let others go on who wait for it.
                    End::Moved { me, exit, started } => {
                        *exit || !started.is_empty() || matches!(me, ThreadAt::Completed(_))
                    }
                    End::Failed { .. } | End::Cut { .. } => true,
                };
                !ends && !path.back
            })
    }

    /// Takes a node and all below it out of the tree.
    pub(crate) fn remove(&mut self, node: NodeId) {
        let mut work = vec![node];
        while let Some(node) = work.pop() {
            if self.nodes[node].removed {
                continue;
            }
            self.nodes[node].removed = true;
            if let Some(by) = self.nodes[node].cover.take() {
                self.nodes[node].renaming = None;
                self.nodes[by].covers.retain(|covered| *covered != node);
            }
            for covered in self.nodes[node].covers.clone() {
                self.uncover(covered);
            }
            let loc = self.nodes[node].loc;
            let facts = Rc::clone(&self.nodes[node].facts);
            if let Some(same) = self.index.get_mut(&loc).and_then(|here| here.get_mut(&facts)) {
                same.retain(|other| *other != node);
            }
            for choice in &self.nodes[node].choices {
                work.extend(&choice.children);
            }
        }
    }
}
