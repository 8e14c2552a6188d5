//! Consecution: where the steps of the threads that may run lead.

use std::collections::VecDeque;

use ir::AssertKind;
use rustc_hash::FxHashMap;
use smt::TermId;

use super::{Checker, Defect, Refusal, Seen};
use crate::symbolic::Facts;
use crate::symbolic::{End, Path, leads_to};
use crate::{Choice, Node, NodeId};

impl Checker<'_> {
    /// Compares the steps of all threads that may run with their edges.
    pub(super) fn check_choices(
        &mut self,
        node: &Node,
        facts: &Facts,
        seen: &mut Seen,
        work: &mut VecDeque<NodeId>,
    ) -> Result<(), Refusal> {
        for (at, choice) in node.choices.iter().enumerate() {
            if node.choices[..at].iter().any(|other| other.thread == choice.thread) {
                return self.defect(Defect::ChosenTwice(choice.thread));
            }
            for edge in &choice.edges {
                self.check_label(edge.target)?;
            }
            self.check_choice(node, facts, choice, seen)?;
            work.extend(choice.edges.iter().map(|edge| edge.target));
        }
        Ok(())
    }

    fn check_choice(
        &mut self,
        node: &Node,
        facts: &Facts,
        choice: &Choice,
        seen: &mut Seen,
    ) -> Result<(), Refusal> {
        let art = self.art;
        let Some(steps) = self.steps_at(node, choice.thread)? else {
            return self.defect(Defect::NotRunning(choice.thread));
        };
        let mut used = vec![false; choice.edges.len()];
        for path in &steps.paths {
            self.checked.steps += 1;
            let mut edges = choice.edges.iter().enumerate().filter(|(_, edge)| {
                edge.ops == path.ops
                    && edge.handles == path.handles
                    && leads_to(&node.location, choice.thread, &path.end, &art.nodes[edge.target].location)
            });
            let edge = edges.next();
            if edges.next().is_some() {
                return self.defect(Defect::SameEdges(choice.thread));
            }
            if let Some((at, _)) = edge {
                used[at] = true;
            }
            let guard = self.symbolic.substitute(path.guard, &facts.values);
            if facts.impossible || self.symbolic.formulas.pool.as_bool(guard) == Some(false) {
                continue;
            }
            match &path.end {
                End::Blocked { .. } => {}
                End::Unsupported(what) => {
                    if !self.is_impossible(facts, &[guard])? {
                        return Err(self.unsupported(what.clone()));
                    }
                }
                End::Failed { op, kind } => {
                    let counts = match kind {
                        AssertKind::Assertion => self.question.checks.assertions,
                        // Whether looked for or not: nothing can be said of what comes after it.
                        AssertKind::Memory => true,
                    };
                    if counts && !self.is_impossible(facts, &[guard])? {
                        let (thread, kind, op) = (choice.thread, *kind, self.show(*op));
                        return self.defect(Defect::Fails { thread, kind, op });
                    }
                }
                End::Moved { .. } | End::Exited => match edge {
                    Some((_, edge)) => {
                        self.check_target(facts, path, guard, choice.thread, edge.target)?;
                        let step = (choice.thread, art.resolve(edge.target));
                        if !seen.steps.contains(&step) {
                            seen.steps.push(step);
                        }
                    }
                    None => {
                        if !self.is_impossible(facts, &[guard])? {
                            let last = path.ops.last().map_or_else(String::new, |op| self.show(*op));
                            return self.defect(Defect::MissingEdge(choice.thread, last));
                        }
                    }
                },
            }
        }
        match used.iter().position(|used| !used) {
            Some(at) => self.defect(Defect::StrayEdge(choice.thread, choice.edges[at].target)),
            None => Ok(()),
        }
    }

    /// That the label of a target follows from a step.
    fn check_target(
        &mut self,
        facts: &Facts,
        path: &Path,
        guard: TermId,
        thread: u32,
        target: NodeId,
    ) -> Result<(), Refusal> {
        let mut open = Vec::new();
        // What is in the variables after the step, in terms of what the label leaves open before it.
        let mut after: Option<FxHashMap<TermId, TermId>> = None;
        for &part in &*self.symbolic.parts(self.art.nodes[target].label) {
            let changed =
                self.symbolic.mentions(part).iter().any(|constant| path.changes.contains_key(constant));
            if !changed && facts.parts.contains(&part) {
                continue;
            }
            if after.is_none() {
                after = Some(self.after(facts, path));
            }
            let holds = match &after {
                Some(after) => self.symbolic.substitute(part, after),
                None => part,
            };
            if self.symbolic.formulas.pool.as_bool(holds) == Some(true) || facts.rest.contains(&holds) {
                continue;
            }
            open.push((part, self.symbolic.formulas.pool.not(holds)));
        }
        if open.is_empty() {
            return Ok(());
        }
        let some_fails = self.symbolic.formulas.pool.or(open.iter().map(|(_, fails)| *fails));
        if self.is_impossible(facts, &[guard, some_fails])? {
            return Ok(());
        }
        for (part, fails) in open {
            if !self.is_impossible(facts, &[guard, fails])? {
                return self.defect(Defect::Label { thread, target, part: self.show_term(part) });
            }
        }
        Ok(())
    }

    fn after(&mut self, facts: &Facts, path: &Path) -> FxHashMap<TermId, TermId> {
        let mut after = facts.values.clone();
        for (&constant, &value) in &path.changes {
            let value = self.symbolic.substitute(value, &facts.values);
            after.insert(constant, value);
        }
        after
    }
}
