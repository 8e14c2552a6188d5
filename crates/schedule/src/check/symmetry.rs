//! Coverings in which threads change places.
//!
//! To rename threads in a state is to give each the place, the locals and the results of another one, and to change all handles
//! accordingly. If a program only compares handles, copies them and waits for them, renamed states have the same steps, with
//! the threads renamed, and what can go wrong in one goes wrong in the other. So a node is covered if each of its states,
//! renamed, is one of the covering node. (Ip and Dill, "Better verification through symmetry", 1996; with partial orders,
//! Emerson, Jha and Peled, 1997: nothing that is left out for ever depends on who is who.) Threads that are started later have
//! numbers that nobody has yet, and keep them.

use ir::{BinaryOp, ExprNode, Program, Type};
use rustc_hash::FxHashMap;
use smt::TermId;

use super::{Checker, Claim, Defect, Refusal};
use crate::symbolic::Facts;
use crate::{Node, NodeId, Variable};

impl Checker<'_> {
    /// That a node is rightly covered by another once its threads are renamed.
    pub(super) fn check_renamed_cover(
        &mut self,
        node: &Node,
        facts: &Facts,
        by: NodeId,
    ) -> Result<(), Refusal> {
        if self.question.claim != Claim::Safe {
            return self.defect(Defect::Renamed(by, "a schedule tells threads apart"));
        }
        if !*self.symmetric.get_or_insert_with(|| treats_threads_alike(self.program)) {
            return self.defect(Defect::Renamed(by, "the program may tell threads apart"));
        }
        let covering = &self.art.nodes[by];
        let threads = &node.location.threads;
        let Some(renaming) = Renaming::new(&node.renaming, threads.len()) else {
            return self.defect(Defect::Renamed(by, "that is no permutation of them"));
        };
        let places = renaming.back.iter().map(|from| threads.get(*from as usize));
        if !covering.location.threads.iter().map(Some).eq(places) {
            return self.defect(Defect::CoverLocation(by));
        }
        for &part in &*self.symbolic.parts(covering.label) {
            let renamed = self.renamed(part, &renaming)?;
            if !facts.parts.contains(&renamed) && !self.follows(facts, renamed)? {
                return self.defect(Defect::CoverLabel(by, self.show_term(part)));
            }
        }
        Ok(())
    }

    /// That a formula holds of a state once its threads are renamed.
    fn renamed(&mut self, formula: TermId, renaming: &Renaming) -> Result<TermId, Refusal> {
        let mut with = FxHashMap::default();
        for &constant in &*self.symbolic.mentions(formula) {
            if let Some(variable) = self.symbolic.variables.labelled(constant)
                && let Some(value) = self.renamed_value(constant, variable, renaming)?
            {
                with.insert(constant, value);
            }
        }
        Ok(self.symbolic.substitute(formula, &with))
    }

    /// The value of a variable once the threads are renamed, in terms of the state before; nothing if it is the same.
    fn renamed_value(
        &mut self,
        constant: TermId,
        variable: Variable,
        renaming: &Renaming,
    ) -> Result<Option<TermId>, Refusal> {
        let Some(ty) = self.type_of(variable) else {
            return self.defect(Defect::Malformed(format!("{variable:?} is no variable")));
        };
        // A constant of another sort stands for nothing in the state.
        if self.constant_of(variable)? != constant {
            return Ok(None);
        }
        let source = self.constant_of(renaming.source(variable))?;
        let value = if ty == Type::Task { self.renamed_handle(source, renaming) } else { source };
        Ok((value != constant).then_some(value))
    }

    fn type_of(&self, variable: Variable) -> Option<Type> {
        Some(match variable {
            Variable::Global(id) => self.program.globals.get(id)?.ty.clone(),
            Variable::Local { proc, local, .. } => {
                self.program.procs.get(proc)?.locals.get(local)?.ty.clone()
            }
            Variable::Result { proc, index, .. } => {
                let proc = self.program.procs.get(proc)?;
                proc.locals[*proc.results.get(index as usize)?].ty.clone()
            }
        })
    }

    /// The constant that stands for a variable of the program.
    fn constant_of(&mut self, variable: Variable) -> Result<TermId, Refusal> {
        self.symbolic.constant_of(variable).map_err(|what| self.unsupported(what))
    }

    /// The handle of the thread in whose place that of another handle is.
    fn renamed_handle(&mut self, handle: TermId, renaming: &Renaming) -> TermId {
        let pool = &mut self.symbolic.formulas.pool;
        let mut value = handle;
        for (to, &from) in (0u32..).zip(&renaming.back) {
            if to != from {
                let (old, new) = (pool.int(from + 1), pool.int(to + 1));
                let is = pool.eq(handle, old);
                value = pool.ite(is, new, value);
            }
        }
        value
    }
}

/// Who is in whose place.
struct Renaming {
    /// For each place, the thread that is there.
    back: Vec<u32>,
}

impl Renaming {
    /// From the place of each thread; nothing if two have the same.
    fn new(places: &[u32], count: usize) -> Option<Self> {
        if places.len() != count {
            return None;
        }
        let mut back = vec![u32::MAX; count];
        for (thread, &place) in (0u32..).zip(places) {
            let at = back.get_mut(place as usize)?;
            if *at != u32::MAX {
                return None;
            }
            *at = thread;
        }
        Some(Renaming { back })
    }

    /// The variable whose value a variable gets.
    fn source(&self, variable: Variable) -> Variable {
        let from = |place: u32| self.back.get(place as usize).copied().unwrap_or(place);
        match variable {
            Variable::Global(id) => Variable::Global(id),
            Variable::Local { thread, frame, proc, local } => {
                Variable::Local { thread: from(thread), frame, proc, local }
            }
            Variable::Result { thread, proc, index } => {
                Variable::Result { thread: from(thread), proc, index }
            }
        }
    }
}

/// Whether a program, with its synchronization expanded, does nothing with handles but compare, copy, choose and wait for them,
/// and has them in plain variables only.
fn treats_threads_alike(program: &Program) -> bool {
    let plain = |ty: &Type| *ty == Type::Task || !mentions_tasks(ty);
    let variables = program.globals.values().all(|global| plain(&global.ty))
        && program.procs.values().all(|proc| proc.locals.values().all(|local| plain(&local.ty)));
    let constants = program.consts.values().all(|constant| !mentions_tasks(&constant.ty));
    let of_task = |id: ir::ExprId| *program.exprs.ty(id) == Type::Task;
    let expressions = program.exprs.ids().all(|id| {
        let node = program.exprs.node(id);
        let mut on_tasks = false;
        node.for_each_operand(|operand| on_tasks |= of_task(operand));
        let right = match node {
            ExprNode::Nil
            | ExprNode::SelfTask
            | ExprNode::Global(..)
            | ExprNode::Local(..)
            | ExprNode::Binary(BinaryOp::Eq | BinaryOp::Ne, ..)
            | ExprNode::Ite(..) => true,
            ExprNode::Quant { vars, .. } => !on_tasks && vars.iter().all(|var| !mentions_tasks(&var.ty)),
            ExprNode::Bool(_)
            | ExprNode::Int(_)
            | ExprNode::Bv(..)
            | ExprNode::Const(..)
            | ExprNode::Bound(..)
            | ExprNode::Unary(..)
            | ExprNode::Binary(..)
            | ExprNode::Select(..)
            | ExprNode::Store(..)
            | ExprNode::ConstMap(..)
            | ExprNode::Apply(..) => !on_tasks && !of_task(id),
        };
        right && plain(program.exprs.ty(id))
    });
    variables && constants && expressions
}

fn mentions_tasks(ty: &Type) -> bool {
    match ty {
        Type::Task | Type::Sync(_) => true,
        Type::Map(map) => map.args.iter().any(mentions_tasks) || mentions_tasks(&map.result),
        Type::Bool | Type::Int | Type::Bv(_) | Type::Sort(_) => false,
    }
}
