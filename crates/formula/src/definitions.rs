//! Axioms that define.
//!
//! Programs that were made by other tools give constants their values, and functions their meaning, by axioms: `c == 4`, and
//! `(forall x: int :: f(x) == x + 1)`. Such an axiom is used as a definition. Then constants fold, and the solver has no
//! quantifier to instantiate.

use ir::{BinaryOp, ConstId, ExprId, ExprNode, FuncId, Program, QuantKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// What a function is by an axiom.
#[derive(Clone, Debug)]
pub(crate) struct Macro {
    /// For each variable that the axiom binds, which argument it is.
    pub(crate) arguments: Vec<usize>,
    pub(crate) body: ExprId,
}

/// What is defined.
#[derive(Debug, Default)]
pub(crate) struct Definitions {
    pub(crate) consts: FxHashMap<ConstId, ExprId>,
    pub(crate) functions: FxHashMap<FuncId, Macro>,
    /// The axioms that say what functions are; nothing is left to say of these.
    pub(crate) used_up: FxHashSet<ExprId>,
}

impl Definitions {
    /// Finds them. Of several definitions the first counts, and the others are statements.
    pub(crate) fn new(program: &Program) -> Self {
        let mut definitions = Definitions::default();
        let in_triggers = in_triggers(program);
        for axiom in &program.axioms {
            match program.exprs.node(axiom.formula) {
                ExprNode::Binary(BinaryOp::Eq | BinaryOp::Iff, a, b) => {
                    for (name, value) in [(*a, *b), (*b, *a)] {
                        if let ExprNode::Const(constant, _) = program.exprs.node(name)
                            && is_number(program, value)
                        {
                            definitions.consts.entry(*constant).or_insert(value);
                        }
                    }
                }
                ExprNode::Quant { kind: QuantKind::Forall, vars, first: 0, body, .. } => {
                    if let ExprNode::Binary(BinaryOp::Eq | BinaryOp::Iff, a, b) = program.exprs.node(*body) {
                        for (name, value) in [(*a, *b), (*b, *a)] {
                            if definitions.function(program, vars.len(), name, value, &in_triggers) {
                                definitions.used_up.insert(axiom.formula);
                                break;
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        definitions
    }

    /// Takes an equation for the definition of a function, if it is one.
    fn function(
        &mut self,
        program: &Program,
        vars: usize,
        name: ExprId,
        body: ExprId,
        in_triggers: &FxHashMap<FuncId, usize>,
    ) -> bool {
        let ExprNode::Apply(func, args, _) = program.exprs.node(name) else { return false };
        // A trigger has to stay a term with functions; that of the definition itself goes.
        let elsewhere = in_triggers.get(func).copied().unwrap_or(0) > 1;
        if program.funcs[*func].body.is_some() || self.functions.contains_key(func) || elsewhere {
            return false;
        }
        let mut arguments = vec![None; vars];
        for (at, arg) in args.iter().enumerate() {
            let ExprNode::Bound(level, _) = program.exprs.node(*arg) else { return false };
            match arguments.get_mut(*level as usize) {
                Some(slot @ None) => *slot = Some(at),
                _ => return false,
            }
        }
        let Some(arguments) = arguments.into_iter().collect::<Option<Vec<_>>>() else { return false };
        if self.uses(program, body, *func) {
            return false;
        }
        self.functions.insert(*func, Macro { arguments, body });
        true
    }

    /// Whether a function is applied in an expression, or in what the functions in it stand for.
    fn uses(&self, program: &Program, root: ExprId, wanted: FuncId) -> bool {
        let (mut work, mut seen) = (vec![root], FxHashSet::default());
        while let Some(root) = work.pop() {
            let mut applied = Vec::new();
            program.exprs.for_each_in(root, |_, node| {
                if let ExprNode::Apply(func, ..) = node {
                    applied.push(*func);
                }
            });
            for func in applied {
                if func == wanted {
                    return true;
                }
                if seen.insert(func) {
                    work.extend(program.funcs[func].body);
                    work.extend(self.functions.get(&func).map(|known| known.body));
                }
            }
        }
        false
    }
}

/// Whether an expression has one value, and that is plain to see.
fn is_number(program: &Program, root: ExprId) -> bool {
    let mut plain = true;
    program.exprs.for_each_in(root, |_, node| {
        plain &= matches!(
            node,
            ExprNode::Bool(_)
                | ExprNode::Int(_)
                | ExprNode::Bv(..)
                | ExprNode::Unary(..)
                | ExprNode::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, ..)
        );
    });
    plain
}

/// In how many quantified formulas a function is in a trigger.
fn in_triggers(program: &Program) -> FxHashMap<FuncId, usize> {
    let mut count: FxHashMap<FuncId, usize> = FxHashMap::default();
    for id in program.exprs.ids() {
        let ExprNode::Quant { triggers, .. } = program.exprs.node(id) else { continue };
        let mut here = FxHashSet::default();
        for &trigger in triggers.iter().flatten() {
            program.exprs.for_each_in(trigger, |_, node| {
                if let ExprNode::Apply(func, ..) = node {
                    here.insert(*func);
                }
            });
        }
        here.into_iter().for_each(|func| *count.entry(func).or_default() += 1);
    }
    count
}
