//! What a condition that was passed says of locals.

use ir::{BinaryOp, ExprId, ExprNode, LocalId, UnaryOp};

use super::assigned::Assigned;
use super::eval::Env;
use super::{MOST, Set, Values};

/// Larger conditions are not looked into.
const MOST_PARTS: usize = 200;

impl Values<'_> {
    /// Whether a condition can be as it should, and what the locals are then.
    pub(super) fn passes(
        &mut self,
        condition: ExprId,
        holds: bool,
        locals: &mut [Set],
        assigned: &Assigned,
    ) -> bool {
        if !self.value(condition, Env::new(locals, assigned)).contains(i64::from(holds)) {
            return false;
        }
        let (mut parts, mut read) = (0, Vec::new());
        self.program.exprs.for_each_in(condition, |_, node| {
            parts += 1;
            if let ExprNode::Local(id, _) = node {
                read.push(*id);
            }
        });
        if parts > MOST_PARTS {
            return true;
        }
        for local in read {
            let env = Env::new(locals, assigned);
            let Some(candidates) = self.candidates(condition, holds, local, env) else { continue };
            let mut kept = Vec::new();
            for value in candidates {
                if self.value(condition, env.with(local, value)).contains(i64::from(holds)) {
                    kept.push(value);
                }
            }
            locals[local.as_u32() as usize] = Set::of(kept);
        }
        true
    }

    /// The values of a local, of which some may not fit.
    fn candidates(
        &mut self,
        condition: ExprId,
        holds: bool,
        local: LocalId,
        env: Env<'_>,
    ) -> Option<Vec<i64>> {
        let set = env.local(local);
        if !set.origins.is_empty() {
            // It was looked at, and then it is arbitrary.
            return None;
        }
        if let Some(numbers) = set.numbers {
            return Some(numbers.into_iter().collect());
        }
        let (low, high) = self.bounds(condition, holds, local, env);
        let (low, high) = (low?, high?);
        (high.checked_sub(low)? < MOST).then(|| (low..=high).collect())
    }

    /// Between which numbers a local must be. Of a disjunction, each part gives both.
    fn bounds(
        &mut self,
        condition: ExprId,
        holds: bool,
        local: LocalId,
        env: Env<'_>,
    ) -> (Option<i64>, Option<i64>) {
        let program = self.program;
        let (mut low, mut high): (Option<i64>, Option<i64>) = (None, None);
        let mut work = vec![(condition, holds)];
        while let Some((part, holds)) = work.pop() {
            let ExprNode::Binary(op, a, b) = *program.exprs.node(part) else {
                if let ExprNode::Unary(UnaryOp::Not, inner) = *program.exprs.node(part) {
                    work.push((inner, !holds));
                }
                continue;
            };
            let found = match (op, holds) {
                (BinaryOp::And, true) | (BinaryOp::Or, false) => {
                    work.extend([(a, holds), (b, holds)]);
                    continue;
                }
                (BinaryOp::Or, true) => self.either(a, b, local, env),
                _ => self.comparison(op, holds, a, b, local, env),
            };
            low = [low, found.0].into_iter().flatten().max();
            high = [high, found.1].into_iter().flatten().min();
        }
        (low, high)
    }

    /// The bounds that one of several equations gives.
    fn either(&mut self, a: ExprId, b: ExprId, local: LocalId, env: Env<'_>) -> (Option<i64>, Option<i64>) {
        let program = self.program;
        let (mut low, mut high) = (i64::MAX, i64::MIN);
        let mut work = vec![a, b];
        while let Some(part) = work.pop() {
            let ExprNode::Binary(op, a, b) = *program.exprs.node(part) else { return (None, None) };
            if op == BinaryOp::Or {
                work.extend([a, b]);
                continue;
            }
            let (Some(from), Some(to)) = self.comparison(op, true, a, b, local, env) else {
                return (None, None);
            };
            (low, high) = (low.min(from), high.max(to));
        }
        (Some(low), Some(high))
    }

    fn comparison(
        &mut self,
        op: BinaryOp,
        holds: bool,
        a: ExprId,
        b: ExprId,
        local: LocalId,
        env: Env<'_>,
    ) -> (Option<i64>, Option<i64>) {
        let is_local =
            |values: &Self, e| matches!(values.program.exprs.node(e), ExprNode::Local(id, _) if *id == local);
        let (op, other) = if is_local(self, a) {
            (op, b)
        } else if is_local(self, b) {
            let turned = match op {
                BinaryOp::Lt => BinaryOp::Gt,
                BinaryOp::Le => BinaryOp::Ge,
                BinaryOp::Gt => BinaryOp::Lt,
                BinaryOp::Ge => BinaryOp::Le,
                op => op,
            };
            (turned, a)
        } else {
            return (None, None);
        };
        let op = match (op, holds) {
            (op, true) => op,
            (BinaryOp::Lt, false) => BinaryOp::Ge,
            (BinaryOp::Le, false) => BinaryOp::Gt,
            (BinaryOp::Gt, false) => BinaryOp::Le,
            (BinaryOp::Ge, false) => BinaryOp::Lt,
            (BinaryOp::Ne, false) => BinaryOp::Eq,
            _ => return (None, None),
        };
        let other = self.value(other, env).numbers.unwrap_or_default();
        let (Some(&least), Some(&most)) = (other.first(), other.last()) else { return (None, None) };
        match op {
            BinaryOp::Eq => (Some(least), Some(most)),
            BinaryOp::Lt => (None, most.checked_sub(1)),
            BinaryOp::Le => (None, Some(most)),
            BinaryOp::Gt => (least.checked_add(1), None),
            BinaryOp::Ge => (Some(least), None),
            _ => (None, None),
        }
    }
}
