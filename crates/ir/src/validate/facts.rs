//! What each expression of a pool mentions, computed once, in pool order: operands precede their users.

use crate::{ExprId, ExprNode, ExprPool};

/// What an expression mentions, itself included.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fact {
    pub(super) global: bool,
    pub(super) local: bool,
    pub(super) self_task: bool,
    /// A bound variable or a quantifier.
    pub(super) binder: bool,
    /// An operand that is not an earlier expression: nothing below can be trusted.
    pub(super) astray: bool,
}

pub(super) fn facts(pool: &ExprPool) -> Vec<Fact> {
    let mut facts: Vec<Fact> = Vec::with_capacity(pool.len());
    for id in pool.ids() {
        let node = pool.node(id);
        let mut fact = match node {
            ExprNode::Global(..) => Fact { global: true, ..Fact::default() },
            ExprNode::Local(..) => Fact { local: true, ..Fact::default() },
            ExprNode::SelfTask => Fact { self_task: true, ..Fact::default() },
            ExprNode::Bound(..) | ExprNode::Quant { .. } => Fact { binder: true, ..Fact::default() },
            _ => Fact::default(),
        };
        node.for_each_operand(|operand: ExprId| match facts.get(operand.index()) {
            Some(of) => {
                fact.global |= of.global;
                fact.local |= of.local;
                fact.self_task |= of.self_task;
                fact.binder |= of.binder;
                fact.astray |= of.astray;
            }
            None => fact.astray = true,
        });
        facts.push(fact);
    }
    facts
}
