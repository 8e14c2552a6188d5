//! Data races: two conflicting plain accesses that are enabled at once.

use crate::code::Pc;
use crate::machine::{Machine, Touch};
use crate::step::Outcome;

/// The plain accesses that a thread can make in its next step.
pub(crate) struct NextAccess {
    pub(crate) thread: usize,
    pub(crate) pc: Pc,
    pub(crate) touches: Vec<Touch>,
}

impl Machine<'_> {
    /// What a thread can access plainly in its next step from `base`, whatever is chosen. The machine's state and
    /// choices are spoilt.
    pub(crate) fn next_access(&mut self, base: &[u64], thread: usize) -> Option<NextAccess> {
        self.load(base);
        let pc = self.pc_of(thread);
        if !self.code.instr(pc).plain {
            return None;
        }
        let mut touches: Vec<Touch> = Vec::new();
        self.recording = true;
        self.oracle.reset();
        loop {
            self.load(base);
            let outcome = self.step(thread);
            // What blocks has only looked.
            if !matches!(outcome, Outcome::Blocked) {
                for touch in self.effects.touches.drain(..self.effects.first_touches) {
                    if !touches.contains(&touch) {
                        touches.push(touch);
                    }
                }
            }
            if !self.oracle.advance() {
                break;
            }
        }
        self.recording = false;
        Some(NextAccess { thread, pc, touches })
    }

    /// The first pair of accesses of two threads that race, if any.
    pub(crate) fn race(
        &mut self,
        base: &[u64],
        threads: &[usize],
    ) -> Option<(NextAccess, NextAccess, Touch)> {
        let mut accesses: Vec<NextAccess> = Vec::new();
        for &thread in threads {
            let Some(new) = self.next_access(base, thread) else { continue };
            let conflict = accesses
                .iter()
                .enumerate()
                .find_map(|(at, old)| conflict(&old.touches, &new.touches).map(|touch| (at, touch)));
            if let Some((at, touch)) = conflict {
                return Some((accesses.swap_remove(at), new, touch));
            }
            accesses.push(new);
        }
        None
    }
}

/// What both access at the same place, one of them writing.
fn conflict(a: &[Touch], b: &[Touch]) -> Option<Touch> {
    let overlap = |x: &Touch, y: &Touch| {
        let common = x.key.len().min(y.key.len());
        x.global == y.global && x.key[..common] == y.key[..common]
    };
    a.iter().find(|x| b.iter().any(|y| (x.write || y.write) && overlap(x, y))).cloned()
}
