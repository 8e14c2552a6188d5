//! Which parts of an expression get a name of their own with `let`.
//!
//! Expressions share parts: written out, a small one can be exponentially large. A large expression therefore
//! names each part that occurs more than once, and one that nests deeply names parts on the way down. Small
//! expressions, which are nearly all, are written out.

use rustc_hash::{FxHashMap, FxHashSet};

use super::measure::{Measures, height};
use crate::{ExprId, ExprNode, ExprPool};

/// Up to this many nodes, an expression is written out.
const SMALL: u32 = 200;
/// A shared part of this size or less is written out each time.
const TINY: u32 = 8;
/// No text nests deeper than this before a part is named, except by quantifiers.
const FLAT: u32 = 24;

/// The parts of `root` to name around it, each after those it uses. A part that needs a variable bound at `level`
/// or above can only be named further inside; parts in `named` have their names already.
pub(super) fn parts_to_name(
    pool: &ExprPool,
    measures: &Measures,
    root: ExprId,
    level: u32,
    named: &FxHashMap<ExprId, String>,
) -> Vec<ExprId> {
    if measures.size[root.index()] <= SMALL && measures.height[root.index()] <= FLAT {
        return Vec::new();
    }
    let share = measures.size[root.index()] > SMALL;
    let (order, uses) = operands_first(pool, root, named);
    let mut heights: FxHashMap<ExprId, u32> = FxHashMap::default();
    let mut parts = Vec::new();
    for id in order {
        let flat = matches!(pool.node(id), ExprNode::Quant { .. });
        // The body of a quantifier names its own parts.
        let own = if flat { 1 } else { height(pool, id, |e| heights.get(&e).copied().unwrap_or(0)) };
        let shared =
            share && uses.get(&id).is_some_and(|&count| count > 1) && measures.size[id.index()] > TINY;
        if id != root && measures.free[id.index()] <= level && (shared || own >= FLAT) {
            parts.push(id);
        } else {
            heights.insert(id, own);
        }
    }
    parts
}

/// Everything below `root` with operands first, and how often each is used as an operand.
fn operands_first(
    pool: &ExprPool,
    root: ExprId,
    named: &FxHashMap<ExprId, String>,
) -> (Vec<ExprId>, FxHashMap<ExprId, u32>) {
    let mut uses: FxHashMap<ExprId, u32> = FxHashMap::default();
    let mut entered: FxHashSet<ExprId> = FxHashSet::default();
    let mut order = Vec::new();
    let mut work = vec![(root, false)];
    while let Some((id, done)) = work.pop() {
        if done {
            order.push(id);
            continue;
        }
        if !entered.insert(id) {
            continue;
        }
        work.push((id, true));
        let below = work.len();
        pool.node(id).for_each_operand(|e| {
            if e.index() < id.index() && !named.contains_key(&e) {
                *uses.entry(e).or_insert(0) += 1;
                work.push((e, false));
            }
        });
        // The leftmost operand is on top, so that the order depends on the expression alone.
        work[below..].reverse();
    }
    (order, uses)
}
