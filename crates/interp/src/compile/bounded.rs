//! Assumes that leave an arbitrary integer few values.
//!
//! `havoc x; assume 0 < x && x < 3;` chooses from two values, however many integers there are. So where an assume looks at
//! one variable only, and says between which numbers it is, nothing is left out if all of these are tried.

use ir::{BinaryOp, ExprId, ExprNode, Program, Type, UnaryOp};
use num_traits::ToPrimitive;

/// How deep functions are looked into.
const MOST_NESTED: usize = 8;

/// The least and the most that the only variable in a condition can be where the condition holds.
pub(super) fn bounds(program: &Program, condition: ExprId) -> Option<(i64, i64)> {
    let variable = only_variable(program, condition)?;
    let (mut low, mut high): (Option<i64>, Option<i64>) = (None, None);
    let mut parts = vec![condition];
    while let Some(part) = parts.pop() {
        let ExprNode::Binary(op, a, b) = *program.exprs.node(part) else { continue };
        if op == BinaryOp::And {
            parts.extend([a, b]);
            continue;
        }
        let (number, turned) = match (a == variable, b == variable) {
            (true, false) => (number(program, b), false),
            (false, true) => (number(program, a), true),
            _ => continue,
        };
        let Some(number) = number else { continue };
        let (least, most) = match (op, turned) {
            (BinaryOp::Eq, _) => (Some(number), Some(number)),
            (BinaryOp::Lt, false) | (BinaryOp::Gt, true) => (None, number.checked_sub(1)),
            (BinaryOp::Le, false) | (BinaryOp::Ge, true) => (None, Some(number)),
            (BinaryOp::Gt, false) | (BinaryOp::Lt, true) => (number.checked_add(1), None),
            (BinaryOp::Ge, false) | (BinaryOp::Le, true) => (Some(number), None),
            _ => continue,
        };
        low = low.max(least);
        high = [high, most].into_iter().flatten().min();
    }
    low.zip(high)
}

/// The variable that a condition reads, if it is one, an integer, and nothing else is read.
fn only_variable(program: &Program, condition: ExprId) -> Option<ExprId> {
    let (mut variable, mut plain) = (None, true);
    program.exprs.for_each_in(condition, |id, node| match node {
        ExprNode::Local(_, Type::Int) | ExprNode::Global(_, Type::Int) => {
            plain &= variable.is_none_or(|known| known == id);
            variable = Some(id);
        }
        ExprNode::Bool(_) | ExprNode::Int(_) | ExprNode::Unary(..) | ExprNode::Binary(..) => {}
        ExprNode::Apply(..) => plain &= number(program, id).is_some(),
        _ => plain = false,
    });
    variable.filter(|_| plain)
}

/// The number that an expression is, if it is one, or a function that stands for one.
fn number(program: &Program, root: ExprId) -> Option<i64> {
    let mut root = root;
    for _ in 0..MOST_NESTED {
        match program.exprs.node(root) {
            ExprNode::Int(value) => return value.to_i64(),
            ExprNode::Unary(UnaryOp::Neg, inner) => return number(program, *inner)?.checked_neg(),
            ExprNode::Apply(func, args, _) if args.is_empty() => root = program.funcs[*func].body?,
            _ => return None,
        }
    }
    None
}
