//! The type rules of each expression node, given the types of its operands.

use super::{Checker, Rule, Site};
use crate::text::operator::{binary_name, unary_name};
use crate::{BinaryOp, ExprId, ExprNode, QuantKind, Type, UnaryOp};

impl<'a> Checker<'a> {
    /// Checks one node; its operands are checked on their own.
    pub(super) fn node(&mut self, id: ExprId, site: Site) {
        let program = self.program;
        let pool = &program.exprs;
        match pool.node(id) {
            ExprNode::Bool(_) | ExprNode::Int(_) | ExprNode::Nil | ExprNode::SelfTask => {}
            ExprNode::Bv(width, value) => {
                self.formed(&Type::Bv(*width), false, site);
                if value.sign() == num_bigint::Sign::Minus || value.bits() > u64::from(*width) {
                    let detail = format!("{value} does not fit into {width} bits");
                    self.report(Rule::LiteralRange, site, detail);
                }
            }
            ExprNode::Global(id, noted) => match program.globals.get(*id) {
                None => self.report(Rule::IdInRange, site, format!("there is no {id}")),
                Some(global) => {
                    self.agrees(&global.name, noted, &global.ty, site);
                    if global.ty.sync_inside().is_some() {
                        let detail = format!("`{}` is a synchronization object, not a value", global.name);
                        self.report(Rule::SyncValue, site, detail);
                    }
                }
            },
            // That it exists and agrees is checked per procedure and scope.
            ExprNode::Local(_, noted) | ExprNode::Bound(_, noted) => self.formed(noted, false, site),
            ExprNode::Const(id, noted) => match program.consts.get(*id) {
                None => self.report(Rule::IdInRange, site, format!("there is no {id}")),
                Some(constant) => self.agrees(&constant.name, noted, &constant.ty, site),
            },
            ExprNode::Unary(op, a) => self.unary(*op, pool.ty(*a), site),
            ExprNode::Binary(op, a, b) => self.binary(*op, pool.ty(*a), pool.ty(*b), site),
            ExprNode::Ite(cond, a, b) => {
                self.operand("the condition of `if`", pool.ty(*cond), &Type::Bool, site);
                self.operand("the second case of `if`", pool.ty(*b), pool.ty(*a), site);
            }
            ExprNode::Select(map, indices) => {
                self.indices(pool.ty(*map), indices, Rule::OperandType, site);
            }
            ExprNode::Store(map, indices, value) => {
                if let Some(cell) = self.indices(pool.ty(*map), indices, Rule::OperandType, site) {
                    self.operand("a stored value", pool.ty(*value), cell, site);
                }
            }
            ExprNode::ConstMap(ty, value) => {
                self.formed(ty, false, site);
                match ty.as_map() {
                    Some(map) => {
                        self.operand("the value of a constant map", pool.ty(*value), &map.result, site);
                    }
                    None => {
                        let detail = format!("a constant map has type {}, expected a map", self.show(ty));
                        self.report(Rule::OperandType, site, detail);
                    }
                }
            }
            ExprNode::Apply(id, args, noted) => match program.funcs.get(*id) {
                None => self.report(Rule::IdInRange, site, format!("there is no {id}")),
                Some(func) => {
                    self.agrees(&func.name, noted, &func.result, site);
                    if args.len() != func.params.len() {
                        let (is, should) = (args.len(), func.params.len());
                        let detail = format!("`{}` has {should} parameters but {is} arguments", func.name);
                        self.report(Rule::ApplyArity, site, detail);
                    }
                    for (arg, (name, ty)) in args.iter().zip(&func.params) {
                        self.operand(&format!("argument `{name}`"), pool.ty(*arg), ty, site);
                    }
                }
            },
            ExprNode::Quant { kind, vars, body, .. } => {
                if vars.is_empty() {
                    self.report(Rule::BoundScope, site, "a quantifier binds no variable".to_owned());
                }
                for var in vars {
                    if var.name.is_empty() {
                        self.report(Rule::NameEmpty, site, "a bound variable has no name".to_owned());
                    }
                    self.formed(&var.ty, false, site);
                }
                if *kind != QuantKind::Lambda {
                    self.operand("the body of a quantifier", pool.ty(*body), &Type::Bool, site);
                } else {
                    self.formed(pool.ty(id), false, site);
                }
            }
        }
    }

    fn operand(&mut self, what: &str, is: &Type, should: &Type, site: Site) {
        if is != should {
            let (is, should) = (self.show(is), self.show(should));
            self.report(Rule::OperandType, site, format!("{what} is of type {is}, expected {should}"));
        }
    }

    fn unary(&mut self, op: UnaryOp, a: &Type, site: Site) {
        let what = format!("the operand of `{}`", unary_name(op));
        match op {
            UnaryOp::Not => self.operand(&what, a, &Type::Bool, site),
            UnaryOp::Neg => self.operand(&what, a, &Type::Int, site),
            UnaryOp::IntToBv(width) => {
                self.formed(&Type::Bv(width), false, site);
                self.operand(&what, a, &Type::Int, site);
            }
            UnaryOp::BvNeg | UnaryOp::BvNot | UnaryOp::BvToInt | UnaryOp::BvToSignedInt => {
                self.bits(&what, a, site);
            }
            UnaryOp::Extract { hi, lo } => {
                if let Some(width) = self.bits(&what, a, site)
                    && (lo >= hi || hi > width)
                {
                    let detail = format!("bits {hi} down to {lo} of a bv{width} are no bits");
                    self.report(Rule::BitRange, site, detail);
                }
            }
            UnaryOp::ZeroExtend(to) | UnaryOp::SignExtend(to) => {
                self.formed(&Type::Bv(to), false, site);
                if let Some(width) = self.bits(&what, a, site)
                    && to < width
                {
                    let detail = format!("a bv{width} is extended to {to} bits, which are fewer");
                    self.report(Rule::BitRange, site, detail);
                }
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, a: &Type, b: &Type, site: Site) {
        let name = binary_name(op);
        let (left, right) =
            (format!("the left operand of `{name}`"), format!("the right operand of `{name}`"));
        match op {
            BinaryOp::And | BinaryOp::Or | BinaryOp::Implies | BinaryOp::Iff => {
                self.operand(&left, a, &Type::Bool, site);
                self.operand(&right, b, &Type::Bool, site);
            }
            BinaryOp::Eq | BinaryOp::Ne => self.operand(&right, b, a, site),
            BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::Div
            | BinaryOp::Mod
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge => {
                self.operand(&left, a, &Type::Int, site);
                self.operand(&right, b, &Type::Int, site);
            }
            BinaryOp::Concat => {
                if let (Some(high), Some(low)) = (self.bits(&left, a, site), self.bits(&right, b, site)) {
                    self.formed(&Type::Bv(high.saturating_add(low)), false, site);
                }
            }
            BinaryOp::BvAdd
            | BinaryOp::BvSub
            | BinaryOp::BvMul
            | BinaryOp::BvUdiv
            | BinaryOp::BvSdiv
            | BinaryOp::BvUrem
            | BinaryOp::BvSrem
            | BinaryOp::BvSmod
            | BinaryOp::BvShl
            | BinaryOp::BvLshr
            | BinaryOp::BvAshr
            | BinaryOp::BvAnd
            | BinaryOp::BvOr
            | BinaryOp::BvXor
            | BinaryOp::BvUlt
            | BinaryOp::BvUle
            | BinaryOp::BvUgt
            | BinaryOp::BvUge
            | BinaryOp::BvSlt
            | BinaryOp::BvSle
            | BinaryOp::BvSgt
            | BinaryOp::BvSge => {
                if self.bits(&left, a, site).is_some() {
                    self.operand(&right, b, a, site);
                }
            }
        }
    }

    fn bits(&mut self, what: &str, ty: &Type, site: Site) -> Option<u32> {
        if let Type::Bv(width) = ty {
            return Some(*width);
        }
        let detail = format!("{what} is of type {}, expected a bit vector", self.show(ty));
        self.report(Rule::OperandType, site, detail);
        None
    }

    /// Checks the indices into a map; the type of the cell.
    pub(super) fn indices<'t>(
        &mut self,
        map: &'t Type,
        indices: &[ExprId],
        rule: Rule,
        site: Site,
    ) -> Option<&'t Type> {
        let Some(map) = map.as_map() else {
            let detail = format!("a value of type {} is indexed, expected a map", self.show(map));
            self.report(rule, site, detail);
            return None;
        };
        if indices.len() != map.args.len() {
            let detail = format!("a map with {} indices has {} here", map.args.len(), indices.len());
            self.report(Rule::MapArity, site, detail);
        }
        let program = self.program;
        for (index, ty) in indices.iter().zip(&map.args) {
            if index.index() < program.exprs.len() {
                self.operand("an index", program.exprs.ty(*index), ty, site);
            }
        }
        Some(&map.result)
    }
}
