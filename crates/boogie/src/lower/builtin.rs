//! Functions that stand for operators of the solver: `{:bvbuiltin "bvadd"}`, `{:builtin "MapConst"}`.

use ir::{BinaryOp, BoundVar, ExprId, ExprNode, QuantKind, Type, UnaryOp};
use source::Span;

use crate::ast::{Attribute, AttributeArg, attribute};
use crate::lower::{Lowered, Lowering};

/// The operator that a function's attributes name.
pub(super) fn operator(attributes: &[Attribute]) -> Option<&str> {
    let found = attribute(attributes, "bvbuiltin").or_else(|| attribute(attributes, "builtin"))?;
    match found.args.first() {
        Some(AttributeArg::String(text)) => Some(text.trim()),
        _ => None,
    }
}

/// Whether an operator works on maps cell by cell.
pub(super) fn is_pointwise(operator: &str) -> bool {
    operator.starts_with("Map") && operator != "MapConst"
}

impl Lowering<'_> {
    /// The operator `name` applied; `result` is the declared type of the result.
    pub(super) fn builtin(
        &mut self,
        name: &str,
        args: &[ExprId],
        result: &Type,
        span: Span,
    ) -> Lowered<ExprId> {
        let lowered = match args {
            [a] => self.unary_builtin(name, *a, result),
            [a, b] => self.binary_builtin(name, *a, *b),
            _ => None,
        };
        match lowered.or_else(|| self.map_builtin(name, args, result)) {
            Some(value) if self.program.exprs.ty(value) == result => Ok(value),
            Some(_) => Err(self.unsupported(span, &format!("the operator `{name}` with these types"))),
            None => Err(self.unsupported(span, &format!("the operator `{name}`"))),
        }
    }

    fn unary_builtin(&mut self, name: &str, a: ExprId, result: &Type) -> Option<ExprId> {
        let width = |ty: &Type| if let Type::Bv(width) = ty { Some(*width) } else { None };
        // `(_ zero_extend 8)`: how many bits is told by the types too.
        let indexed = name.strip_prefix("(_ ").and_then(|n| n.strip_suffix(')'));
        let word = indexed.unwrap_or(name).split_whitespace().next()?;
        let op = match word {
            "bvnot" => UnaryOp::BvNot,
            "bvneg" => UnaryOp::BvNeg,
            "zero_extend" => UnaryOp::ZeroExtend(width(result)?),
            "sign_extend" => UnaryOp::SignExtend(width(result)?),
            "int2bv" | "nat2bv" | "int_to_bv" => UnaryOp::IntToBv(width(result)?),
            "bv2int" | "bv2nat" | "ubv_to_int" => UnaryOp::BvToInt,
            "sbv_to_int" => UnaryOp::BvToSignedInt,
            "extract" => {
                let mut numbers = indexed?.split_whitespace().skip(1).map(|n| n.parse::<u32>().ok());
                let (hi, lo) = (numbers.next()??, numbers.next()??);
                if hi < lo || hi >= width(self.program.exprs.ty(a))? {
                    return None;
                }
                UnaryOp::Extract { hi: hi + 1, lo }
            }
            "not" => UnaryOp::Not,
            "-" => UnaryOp::Neg,
            _ => return None,
        };
        Some(self.program.exprs.add(ExprNode::Unary(op, a)))
    }

    fn binary_builtin(&mut self, name: &str, a: ExprId, b: ExprId) -> Option<ExprId> {
        let exprs = &mut self.program.exprs;
        let negated = match name {
            "bvnand" => Some(BinaryOp::BvAnd),
            "bvnor" => Some(BinaryOp::BvOr),
            "bvxnor" => Some(BinaryOp::BvXor),
            _ => None,
        };
        if let Some(op) = negated {
            let inner = exprs.binary(op, a, b);
            return Some(exprs.add(ExprNode::Unary(UnaryOp::BvNot, inner)));
        }
        if name == "rem" {
            // The sign of the divisor decides, as in Z3.
            let zero = exprs.int(0);
            let positive = exprs.binary(BinaryOp::Ge, b, zero);
            let modulo = exprs.binary(BinaryOp::Mod, a, b);
            let negative = exprs.add(ExprNode::Unary(UnaryOp::Neg, modulo));
            return Some(exprs.ite(positive, modulo, negative));
        }
        let op = match name {
            "bvadd" => BinaryOp::BvAdd,
            "bvsub" => BinaryOp::BvSub,
            "bvmul" => BinaryOp::BvMul,
            "bvudiv" => BinaryOp::BvUdiv,
            "bvsdiv" => BinaryOp::BvSdiv,
            "bvurem" => BinaryOp::BvUrem,
            "bvsrem" => BinaryOp::BvSrem,
            "bvsmod" => BinaryOp::BvSmod,
            "bvshl" => BinaryOp::BvShl,
            "bvlshr" => BinaryOp::BvLshr,
            "bvashr" => BinaryOp::BvAshr,
            "bvand" => BinaryOp::BvAnd,
            "bvor" => BinaryOp::BvOr,
            "bvxor" => BinaryOp::BvXor,
            "bvult" => BinaryOp::BvUlt,
            "bvule" => BinaryOp::BvUle,
            "bvugt" => BinaryOp::BvUgt,
            "bvuge" => BinaryOp::BvUge,
            "bvslt" => BinaryOp::BvSlt,
            "bvsle" => BinaryOp::BvSle,
            "bvsgt" => BinaryOp::BvSgt,
            "bvsge" => BinaryOp::BvSge,
            "concat" => BinaryOp::Concat,
            "div" => BinaryOp::Div,
            "mod" => BinaryOp::Mod,
            "+" => BinaryOp::Add,
            "-" => BinaryOp::Sub,
            "*" => BinaryOp::Mul,
            "<" => BinaryOp::Lt,
            "<=" => BinaryOp::Le,
            ">" => BinaryOp::Gt,
            ">=" => BinaryOp::Ge,
            "=" => BinaryOp::Eq,
            "and" => BinaryOp::And,
            "or" => BinaryOp::Or,
            "=>" => BinaryOp::Implies,
            _ => return None,
        };
        Some(exprs.binary(op, a, b))
    }

    /// Boogie's operators on whole maps: cell by cell. The arguments were lowered under the indices bound here.
    fn map_builtin(&mut self, name: &str, args: &[ExprId], result: &Type) -> Option<ExprId> {
        let map = result.as_map()?.clone();
        if name == "MapConst" {
            let [value] = args else { return None };
            return Some(self.program.exprs.add(ExprNode::ConstMap(result.clone(), *value)));
        }
        if args.iter().any(|&a| self.program.exprs.ty(a).as_map().is_none_or(|m| m.args != map.args)) {
            return None;
        }
        let first = self.env.level;
        let exprs = &mut self.program.exprs;
        let indices: Vec<ExprId> = (first..)
            .zip(&map.args)
            .map(|(level, ty)| exprs.add(ExprNode::Bound(level, ty.clone())))
            .collect();
        let cells: Vec<ExprId> = args.iter().map(|&a| exprs.select(a, indices.clone())).collect();
        let body = match (name, cells.as_slice()) {
            ("MapNot", [a]) => exprs.not(*a),
            ("MapIte", [c, a, b]) => exprs.ite(*c, *a, *b),
            (_, [a, b]) => {
                let op = match name {
                    "MapAdd" => BinaryOp::Add,
                    "MapSub" => BinaryOp::Sub,
                    "MapMul" => BinaryOp::Mul,
                    "MapDiv" => BinaryOp::Div,
                    "MapMod" => BinaryOp::Mod,
                    "MapAnd" => BinaryOp::And,
                    "MapOr" => BinaryOp::Or,
                    "MapImp" => BinaryOp::Implies,
                    "MapIff" => BinaryOp::Iff,
                    "MapEq" => BinaryOp::Eq,
                    "MapGt" => BinaryOp::Gt,
                    "MapGe" => BinaryOp::Ge,
                    "MapLt" => BinaryOp::Lt,
                    "MapLe" => BinaryOp::Le,
                    _ => return None,
                };
                exprs.binary(op, *a, *b)
            }
            _ => return None,
        };
        let vars = map.args.iter().map(|ty| BoundVar { name: "i".to_owned(), ty: ty.clone() }).collect();
        let lambda = ExprNode::Quant { kind: QuantKind::Lambda, vars, first, body, triggers: Vec::new() };
        Some(exprs.add(lambda))
    }
}
