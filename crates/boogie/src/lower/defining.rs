//! Axioms that define functions.
//!
//! Programs that were made by other tools say what a function is by an axiom: `(forall x: int :: f(x) == x + 1)`. That is
//! its body, and leaves nothing to be said by the axiom. Who cannot evaluate a quantifier can evaluate the body.

use ir::{BinaryOp, ExprId, ExprNode, FuncId, Program, QuantKind};
use rustc_hash::FxHashMap;

use crate::lower::Lowering;

impl Lowering<'_> {
    /// Gives functions that an axiom defines a body. Of several such axioms the first counts, and the others stay.
    pub(super) fn adopt_definitions(&mut self) {
        let in_triggers = in_triggers(&self.program);
        let axioms = std::mem::take(&mut self.program.axioms);
        for axiom in axioms {
            match self.definition(axiom.formula, &in_triggers) {
                Some((function, body)) => self.program.funcs[function].body = Some(body),
                None => self.program.axioms.push(axiom),
            }
        }
    }

    /// The function that a formula defines, with its body.
    fn definition(
        &self,
        formula: ExprId,
        in_triggers: &FxHashMap<FuncId, usize>,
    ) -> Option<(FuncId, ExprId)> {
        let program = &self.program;
        let ExprNode::Quant { kind: QuantKind::Forall, vars, first: 0, body, triggers } =
            program.exprs.node(formula)
        else {
            return None;
        };
        let ExprNode::Binary(BinaryOp::Eq | BinaryOp::Iff, a, b) = *program.exprs.node(*body) else {
            return None;
        };
        let own = functions_of(program, triggers.iter().flatten().copied());
        [(a, b), (b, a)].into_iter().find_map(|(name, value)| {
            let ExprNode::Apply(function, args, _) = program.exprs.node(name) else { return None };
            let in_order = args.len() == vars.len()
                && (0..).zip(args).all(
                    |(level, arg)| matches!(program.exprs.node(*arg), ExprNode::Bound(at, _) if *at == level),
                );
            // The trigger of another formula has to stay a term with functions.
            let here = usize::from(own.contains(function));
            let elsewhere = in_triggers.get(function).copied().unwrap_or(0) > here;
            let fits = in_order && !elsewhere && program.funcs[*function].body.is_none();
            (fits && !self.reaches(value, *function)).then_some((*function, value))
        })
    }
}

/// In how many quantified formulas a function is in a trigger.
fn in_triggers(program: &Program) -> FxHashMap<FuncId, usize> {
    let mut count: FxHashMap<FuncId, usize> = FxHashMap::default();
    for id in program.exprs.ids() {
        if let ExprNode::Quant { triggers, .. } = program.exprs.node(id) {
            let here = functions_of(program, triggers.iter().flatten().copied());
            here.into_iter().for_each(|function| *count.entry(function).or_default() += 1);
        }
    }
    count
}

/// The functions that are applied in expressions, each once.
fn functions_of(program: &Program, exprs: impl Iterator<Item = ExprId>) -> Vec<FuncId> {
    let mut functions = Vec::new();
    for expr in exprs {
        program.exprs.for_each_in(expr, |_, node| {
            if let ExprNode::Apply(function, ..) = node
                && !functions.contains(function)
            {
                functions.push(*function);
            }
        });
    }
    functions
}
