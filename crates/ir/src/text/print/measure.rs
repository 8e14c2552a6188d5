//! Sizes of expressions, each computed once from those of its operands.

use crate::text::operator::{Side, infix, strength};
use crate::{ExprId, ExprNode, ExprPool, UnaryOp};

/// Measures of each expression of a pool, by position.
pub(super) struct Measures {
    /// How many nodes it has when shared parts count each time; saturates.
    pub(super) size: Vec<u32>,
    /// How deep its text nests when nothing is shared; saturates.
    pub(super) height: Vec<u32>,
    /// How many variables must be bound around it: those it uses, and those that the levels of its own count on.
    pub(super) free: Vec<u32>,
}

impl Measures {
    pub(super) fn new(pool: &ExprPool) -> Self {
        let count = pool.len();
        let mut measures = Measures {
            size: Vec::with_capacity(count),
            height: Vec::with_capacity(count),
            free: Vec::with_capacity(count),
        };
        for id in pool.ids() {
            let node = pool.node(id);
            let (mut size, mut free) = (1u32, 0u32);
            // An operand that is no earlier expression (an invalid program) counts as nothing.
            node.for_each_operand(|e| {
                size = size.saturating_add(measures.size.get(e.index()).copied().unwrap_or(0));
                free = free.max(measures.free.get(e.index()).copied().unwrap_or(0));
            });
            match node {
                ExprNode::Bound(level, _) => free = level.saturating_add(1),
                ExprNode::Quant { first, .. } => free = *first,
                _ => {}
            }
            let height = height(pool, id, |e| measures.height.get(e.index()).copied().unwrap_or(0));
            measures.size.push(size);
            measures.height.push(height);
            measures.free.push(free);
        }
        measures
    }

    /// Whether an expression and all below it can be written.
    pub(super) fn knows(&self, id: ExprId) -> bool {
        id.index() < self.size.len()
    }
}

/// How deep the text of an expression nests, from how deep its operands do. What stands to the left without
/// parentheses does not nest: the parser takes it in a loop.
pub(super) fn height(pool: &ExprPool, id: ExprId, of: impl Fn(ExprId) -> u32) -> u32 {
    let node = pool.node(id);
    let left = match node {
        ExprNode::Binary(op, a, _) => infix(*op).map(|(own, side)| (*a, own + u8::from(side != Side::Left))),
        ExprNode::Select(map, _) | ExprNode::Store(map, ..) => Some((*map, strength::CLOSED)),
        _ => None,
    };
    let mut height = 0;
    let mut first = true;
    node.for_each_operand(|e| {
        let loose = match left {
            Some((operand, needed)) if first && e == operand && e.index() < id.index() => {
                strength_of(pool.node(e)) >= needed
            }
            _ => false,
        };
        first = false;
        height = height.max(of(e).saturating_add(u32::from(!loose)));
    });
    height
}

/// How tightly the text of a node holds together.
pub(super) fn strength_of(node: &ExprNode) -> u8 {
    match node {
        ExprNode::Binary(op, ..) => infix(*op).map_or(strength::CLOSED, |(own, _)| own),
        ExprNode::Unary(UnaryOp::Not | UnaryOp::Neg, _) => strength::PREFIX,
        ExprNode::Int(value) if value.sign() == num_bigint::Sign::Minus => strength::PREFIX,
        ExprNode::Bv(_, value) if value.sign() == num_bigint::Sign::Minus => strength::PREFIX,
        ExprNode::Ite(..) | ExprNode::Quant { .. } => strength::OPEN,
        _ => strength::CLOSED,
    }
}
