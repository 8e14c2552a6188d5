//! Handles of tasks as integers: `nil` is 0, `self` is a variable.

use ir::{ExprId, ExprNode, ExprPool, GlobalId, Program, QuantKind, Type};
use source::Span;

use crate::Unsupported;

/// Whether values of the type are or hold handles.
pub(crate) fn holds_task(ty: &Type) -> bool {
    match ty {
        Type::Task => true,
        Type::Map(map) => map.args.iter().any(holds_task) || holds_task(&map.result),
        Type::Bool | Type::Int | Type::Bv(_) | Type::Sort(_) | Type::Sync(_) => false,
    }
}

/// The type with `int` for `task`.
pub(crate) fn erased(ty: &Type) -> Type {
    match ty {
        Type::Task => Type::Int,
        Type::Map(map) => Type::map(map.args.iter().map(erased).collect(), erased(&map.result)),
        Type::Bool | Type::Int | Type::Bv(_) | Type::Sort(_) | Type::Sync(_) => ty.clone(),
    }
}

/// What a variable of the type starts with if nobody says so: nil, or a map of nil. Other types start arbitrary.
pub(crate) fn nil(exprs: &mut ExprPool, ty: &Type) -> Option<ExprId> {
    match ty {
        Type::Task => Some(exprs.int(0)),
        Type::Map(map) => {
            let cell = nil(exprs, &map.result)?;
            Some(exprs.add(ExprNode::ConstMap(erased(ty), cell)))
        }
        Type::Bool | Type::Int | Type::Bv(_) | Type::Sort(_) | Type::Sync(_) => None,
    }
}

/// All expressions of a program, in a new pool: where each one is there. `this` is the variable for `self`.
pub(crate) fn expressions(old: &ExprPool, new: &mut ExprPool, this: GlobalId) -> Vec<ExprId> {
    let mut map: Vec<ExprId> = Vec::with_capacity(old.len());
    for id in old.ids() {
        let node = match old.node(id).map_operands(|operand| map[operand.index()]) {
            ExprNode::Nil => ExprNode::Int(0.into()),
            ExprNode::SelfTask => ExprNode::Global(this, Type::Int),
            ExprNode::Global(id, ty) => ExprNode::Global(id, erased(&ty)),
            ExprNode::Local(id, ty) => ExprNode::Local(id, erased(&ty)),
            ExprNode::Const(id, ty) => ExprNode::Const(id, erased(&ty)),
            ExprNode::Bound(level, ty) => ExprNode::Bound(level, erased(&ty)),
            ExprNode::ConstMap(ty, value) => ExprNode::ConstMap(erased(&ty), value),
            ExprNode::Apply(func, args, ty) => ExprNode::Apply(func, args, erased(&ty)),
            ExprNode::Quant { kind, mut vars, first, body, triggers } => {
                vars.iter_mut().for_each(|var| var.ty = erased(&var.ty));
                ExprNode::Quant { kind, vars, first, body, triggers }
            }
            node => node,
        };
        map.push(new.add(node));
    }
    map
}

/// Refuses what would mean something else with integers: constants, functions and quantifiers know only the tasks
/// that there are.
pub(crate) fn check(program: &Program) -> Result<(), Unsupported> {
    let refuse = |what: String, span| Err(Unsupported { what, span });
    if let Some(symbol) = program.consts.values().find(|c| holds_task(&c.ty)) {
        return refuse(format!("`{}` is a constant that holds task handles", symbol.name), symbol.span);
    }
    if let Some(func) = program.funcs.values().find(|f| f.body.is_none() && holds_task(&f.result)) {
        return refuse(format!("`{}` is a function that gives task handles", func.name), func.span);
    }
    for id in program.exprs.ids() {
        if let ExprNode::Quant { kind: QuantKind::Forall | QuantKind::Exists, vars, .. } =
            program.exprs.node(id)
            && let Some(var) = vars.iter().find(|var| holds_task(&var.ty))
        {
            return refuse(format!("a quantifier over task handles (`{}`)", var.name), Span::NONE);
        }
    }
    Ok(())
}
