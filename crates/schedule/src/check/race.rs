//! Data races: two threads that can both run and access the same variable, one of them writing, neither atomically.
//!
//! Under a schedule only threads that may run count: the others wait for the scheduler.

use std::rc::Rc;

use smt::TermId;

use super::{Checker, Claim, Defect, Refusal, next_op};
use crate::Node;
use crate::symbolic::{End, Facts, Path, Steps, Touch, Touched};

impl Checker<'_> {
    /// That no two threads race at a node.
    pub(super) fn check_races(&mut self, node: &Node, facts: &Facts) -> Result<(), Refusal> {
        let mut running = self.running(node)?;
        // Only the first op of a step touches globals, or the section that it begins.
        running.retain(|(thread, _)| {
            next_op(node, *thread).is_some_and(|op| self.symbolic.outline.of(op).plain)
                && (self.question.claim == Claim::Safe
                    || node.choices.iter().any(|choice| choice.thread == *thread))
        });
        for (at, (thread, mine)) in running.iter().enumerate() {
            for (other, theirs) in &running[..at] {
                self.check_pair(facts, (*other, theirs), (*thread, mine))?;
            }
        }
        Ok(())
    }

    fn check_pair(
        &mut self,
        facts: &Facts,
        (a, of_a): (u32, &Rc<Steps>),
        (b, of_b): (u32, &Rc<Steps>),
    ) -> Result<(), Refusal> {
        let moves = |path: &&Path| !matches!(path.end, End::Blocked { .. });
        for mine in of_a.paths.iter().filter(moves) {
            for theirs in of_b.paths.iter().filter(moves) {
                for (x, y) in mine.touches.iter().flat_map(|x| theirs.touches.iter().map(move |y| (x, y))) {
                    let Touched::Global(global) = x.what else { continue };
                    if x.what != y.what || !(x.write || y.write) {
                        continue;
                    }
                    let race = self.same_place(&[mine.guard, theirs.guard], x, y);
                    if self.is_possible(facts, race)? {
                        let name = self.program.globals[global].name.clone();
                        return self.defect(Defect::Race(a, b, name));
                    }
                }
            }
        }
        Ok(())
    }

    fn same_place(&mut self, guards: &[TermId], x: &Touch, y: &Touch) -> TermId {
        let mut together = guards.to_vec();
        for (&i, &j) in x.indices.iter().zip(&y.indices) {
            together.push(self.symbolic.formulas.pool.eq(i, j));
        }
        self.symbolic.formulas.pool.and(together)
    }
}
