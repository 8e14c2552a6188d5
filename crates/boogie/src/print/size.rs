//! How large expressions are as text, and where to split those that are too large.
//!
//! Equal expressions are one in the pool, so that a small program can have an expression that is huge when it is written
//! out. A part that uses no bound variable can get a name of its own. All is decided from the inside out, once for the
//! whole program.

use ir::{BinaryOp, ExprId, ExprNode, ExprPool};
use rustc_hash::FxHashSet;
use source::Span;

use super::Unprintable;

/// A part that is larger than this gets a name.
const LARGE: u32 = 1_000;
/// So does one in which more brackets nest.
const DEEP: u32 = 60;
/// What cannot be split must not be larger, or deeper, than this.
const TOO_LARGE: u32 = 100_000;
const TOO_DEEP: u32 = 300;

#[derive(Clone, Copy, Debug)]
struct Size {
    /// How many nodes are written, names for parts that have one.
    split: Extent,
    /// The same without names.
    whole: Extent,
    /// The outermost bound variable that is free in it, or the highest number.
    free: u32,
}

#[derive(Clone, Copy, Debug)]
struct Extent {
    nodes: u32,
    depth: u32,
}

/// The sizes of all expressions of a program.
#[derive(Clone, Debug)]
pub(super) struct Sizes(Vec<Size>);

impl Sizes {
    pub(super) fn new(pool: &ExprPool) -> Sizes {
        let mut sizes = Sizes(Vec::new());
        for id in pool.ids() {
            let size = sizes.measure(pool, id);
            sizes.0.push(size);
        }
        sizes
    }

    fn measure(&self, pool: &ExprPool, id: ExprId) -> Size {
        let leaf = Extent { nodes: 1, depth: 1 };
        let node = pool.node(id);
        let mut size = Size { split: leaf, whole: leaf, free: u32::MAX };
        if let ExprNode::Bound(level, _) = node {
            size.free = *level;
        }
        // A chain such as `a + b + c` needs no brackets.
        let flat = match node {
            ExprNode::Binary(op, a, _) => {
                (matches!(pool.node(*a), ExprNode::Binary(inner, ..) if inner == op) && is_chain(*op))
                    .then_some(*a)
            }
            _ => None,
        };
        let mut first = true;
        node.for_each_operand(|operand| {
            let inside = self.0[operand.index()];
            let above = u32::from(!(first && flat == Some(operand)));
            let named = Extent { nodes: 1, depth: 1 };
            let split = if self.is_part(operand) { named } else { inside.split };
            size.split.add(split, above);
            size.whole.add(inside.whole, above);
            size.free = size.free.min(inside.free);
            first = false;
        });
        if let ExprNode::Quant { first, .. } = node
            && size.free >= *first
        {
            size.free = u32::MAX;
        }
        size
    }

    /// Whether an expression has a name of its own where it is used.
    fn is_part(&self, id: ExprId) -> bool {
        let size = self.0[id.index()];
        size.free == u32::MAX && (size.split.nodes > LARGE || size.split.depth > DEEP)
    }

    /// The parts of an expression that get a name, in the order in which they can be computed.
    pub(super) fn parts(&self, pool: &ExprPool, root: ExprId) -> Vec<ExprId> {
        let mut parts = Vec::new();
        if self.0[root.index()].whole.is_small() {
            return parts;
        }
        let mut seen = FxHashSet::default();
        let mut work = vec![root];
        while let Some(id) = work.pop() {
            if !seen.insert(id) {
                continue;
            }
            if id != root && self.is_part(id) {
                parts.push(id);
            }
            pool.node(id).for_each_operand(|e| work.push(e));
        }
        parts.sort_unstable();
        parts
    }

    /// Refuses an expression that is too large although its parts have names.
    pub(super) fn check_split(&self, id: ExprId, span: Span) -> Result<(), Unprintable> {
        self.0[id.index()].split.check(span)
    }

    /// Refuses an expression that is too large where no part can have a name.
    pub(super) fn check_whole(&self, id: ExprId, span: Span) -> Result<(), Unprintable> {
        self.0[id.index()].whole.check(span)
    }
}

impl Extent {
    fn add(&mut self, operand: Extent, above: u32) {
        self.nodes = self.nodes.saturating_add(operand.nodes);
        self.depth = self.depth.max(operand.depth.saturating_add(above));
    }

    fn is_small(self) -> bool {
        self.nodes <= LARGE && self.depth <= DEEP
    }

    fn check(self, span: Span) -> Result<(), Unprintable> {
        if self.nodes <= TOO_LARGE && self.depth <= TOO_DEEP {
            return Ok(());
        }
        let what = "an expression that is too large to be written as Boogie".to_owned();
        Err(Unprintable { what, span })
    }
}

fn is_chain(op: BinaryOp) -> bool {
    use BinaryOp::{Add, And, Concat, Mul, Or, Sub};
    matches!(op, And | Or | Add | Sub | Mul | Concat)
}
