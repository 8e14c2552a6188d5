//! Expressions to IR expressions.

use ir::{BinaryOp, BoundVar, ExprId, ExprNode, QuantKind, Type, UnaryOp};
use num_bigint::BigInt;
use source::Span;

use crate::ast::{self, Binder, Body, Expr, ExprKind, Name, StmtKind, Variable};
use crate::lower::{Bound, Lowered, Lowering};

impl<'a> Lowering<'a> {
    pub(super) fn expr(&mut self, expr: &'a Expr) -> Lowered<ExprId> {
        let node = match &expr.kind {
            ExprKind::Bool(value) => ExprNode::Bool(*value),
            ExprKind::Int(value) => ExprNode::Int(value.clone().into()),
            ExprKind::Bv { value, width } if *width > 0 => ExprNode::Bv(*width, value.clone().into()),
            ExprKind::Bv { .. } => return Err(self.unsupported(expr.span, "bit vectors of width 0")),
            ExprKind::Real | ExprKind::Convert { .. } => {
                return Err(self.unsupported(expr.span, "real numbers"));
            }
            ExprKind::Float(..) => return Err(self.unsupported(expr.span, "floats")),
            ExprKind::Name(name) => return self.name(name, expr.span),
            ExprKind::Apply { function, args } => return self.apply(expr, function, args),
            ExprKind::Old(operand) => {
                let before = std::mem::replace(&mut self.env.in_old, true);
                let value = self.expr(operand);
                self.env.in_old = before;
                return value;
            }
            ExprKind::Unary(op, operand) => {
                if let (ast::UnaryOp::Neg, ExprKind::Int(value)) = (op, &operand.kind) {
                    return Ok(self.program.exprs.int(-BigInt::from(value.clone())));
                }
                let operand = self.expr(operand)?;
                let op = match op {
                    ast::UnaryOp::Not => UnaryOp::Not,
                    ast::UnaryOp::Neg => UnaryOp::Neg,
                };
                ExprNode::Unary(op, operand)
            }
            ExprKind::Chain { first, rest } => {
                let mut left = self.expr(first)?;
                for link in rest {
                    let right = self.expr(&link.operand)?;
                    left = self.binary(link.op, link.op_span, left, right)?;
                }
                return Ok(left);
            }
            ExprKind::Implies(operands) => {
                let mut parts = Vec::new();
                for operand in operands {
                    parts.push(self.expr(operand)?);
                }
                let last = parts.pop().unwrap_or_else(|| self.program.exprs.bool(true));
                return Ok(parts
                    .into_iter()
                    .rfold(last, |right, left| self.program.exprs.binary(BinaryOp::Implies, left, right)));
            }
            ExprKind::If { arms, otherwise } => {
                let mut parts = Vec::new();
                for arm in arms {
                    parts.push((self.expr(&arm.condition)?, self.expr(&arm.value)?));
                }
                let last = self.expr(otherwise)?;
                return Ok(parts
                    .into_iter()
                    .rfold(last, |rest, (condition, value)| self.program.exprs.ite(condition, value, rest)));
            }
            ExprKind::Select { map, indices } => {
                let map_value = self.map_value(map)?;
                ExprNode::Select(map_value, self.exprs(indices)?)
            }
            ExprKind::Store { map, indices, value } => {
                let map_value = self.map_value(map)?;
                ExprNode::Store(map_value, self.exprs(indices)?, self.expr(value)?)
            }
            ExprKind::Extract { operand, hi, lo } => {
                if hi == lo {
                    return Err(self.unsupported(expr.span, "bit vectors of width 0"));
                }
                ExprNode::Unary(UnaryOp::Extract { hi: *hi, lo: *lo }, self.expr(operand)?)
            }
            ExprKind::Bind { binder, params, vars, triggers, body } => {
                if !params.is_empty() {
                    return Err(self.unsupported(expr.span, "quantifiers over types"));
                }
                return self.bind(*binder, vars, triggers, body);
            }
            ExprKind::Let { bindings, body } => {
                let before = self.env.bound.len();
                for (ident, value) in bindings {
                    self.push_value(&ident.name, value, before);
                }
                let value = self.expr(body);
                self.env.bound.truncate(before);
                return value;
            }
            ExprKind::Coerce(operand, _) => return self.expr(operand),
            ExprKind::Code(body) => return self.code(body, expr.span),
        };
        Ok(self.program.exprs.add(node))
    }

    pub(super) fn exprs(&mut self, exprs: &'a [Expr]) -> Lowered<Vec<ExprId>> {
        exprs.iter().map(|e| self.expr(e)).collect()
    }

    /// A map that is indexed: its type must be one that the IR has.
    fn map_value(&mut self, map: &'a Expr) -> Lowered<ExprId> {
        let ty = self.checked.ty(map.id);
        self.ty(ty, map.span)?;
        self.expr(map)
    }

    fn name(&mut self, name: &Name, span: Span) -> Lowered<ExprId> {
        if let Some(at) = self.env.bound.iter().rposition(|(bound, _)| bound == name) {
            return self.bound(at);
        }
        let node = if let Some((id, ty)) = self.env.locals.get(name) {
            ExprNode::Local(*id, ty.clone())
        } else if let Some((id, ty)) = self.globals.get(name) {
            match self.env.snapshots.get(name) {
                Some(&snapshot) if self.env.in_old => ExprNode::Local(snapshot, ty.clone()),
                _ => return Ok(self.global_value(*id)),
            }
        } else if let Some((id, ty)) = self.consts.get(name) {
            ExprNode::Const(*id, ty.clone())
        } else {
            // Its declaration was refused, which was reported there.
            return Err(self.unsupported(span, &format!("the type of `{name}`")));
        };
        Ok(self.program.exprs.add(node))
    }

    fn binary(&mut self, op: ast::BinaryOp, span: Span, left: ExprId, right: ExprId) -> Lowered<ExprId> {
        let op = match op {
            ast::BinaryOp::Iff => BinaryOp::Iff,
            ast::BinaryOp::Implies => BinaryOp::Implies,
            ast::BinaryOp::Explies => return Ok(self.program.exprs.binary(BinaryOp::Implies, right, left)),
            ast::BinaryOp::And => BinaryOp::And,
            ast::BinaryOp::Or => BinaryOp::Or,
            ast::BinaryOp::Eq => BinaryOp::Eq,
            ast::BinaryOp::Ne => BinaryOp::Ne,
            ast::BinaryOp::Lt => BinaryOp::Lt,
            ast::BinaryOp::Le => BinaryOp::Le,
            ast::BinaryOp::Gt => BinaryOp::Gt,
            ast::BinaryOp::Ge => BinaryOp::Ge,
            ast::BinaryOp::Concat => BinaryOp::Concat,
            ast::BinaryOp::Add => BinaryOp::Add,
            ast::BinaryOp::Sub => BinaryOp::Sub,
            ast::BinaryOp::Mul => BinaryOp::Mul,
            ast::BinaryOp::Div | ast::BinaryOp::Slash => BinaryOp::Div,
            ast::BinaryOp::Mod => BinaryOp::Mod,
            ast::BinaryOp::Pow => return Err(self.unsupported(span, "real numbers")),
            ast::BinaryOp::Below => return Err(self.unsupported(span, "the order `<:` on constants")),
        };
        Ok(self.program.exprs.binary(op, left, right))
    }

    fn bind(
        &mut self,
        binder: Binder,
        vars: &'a [Variable],
        triggers: &'a [Vec<Expr>],
        body: &'a Expr,
    ) -> Lowered<ExprId> {
        let first = self.env.level;
        let before = self.env.bound.len();
        let lowered = self.bind_inside(vars, triggers, body);
        self.env.bound.truncate(before);
        self.env.level = first;
        let (vars, triggers, body) = lowered?;
        if vars.is_empty() {
            return Ok(body);
        }
        if binder == Binder::Lambda && self.is_outside(body, first) {
            let args = vars.into_iter().map(|var| var.ty).collect();
            let ty = Type::map(args, self.program.exprs.ty(body).clone());
            return Ok(self.program.exprs.add(ExprNode::ConstMap(ty, body)));
        }
        let kind = match binder {
            Binder::Forall => QuantKind::Forall,
            Binder::Exists => QuantKind::Exists,
            Binder::Lambda => QuantKind::Lambda,
        };
        Ok(self.program.exprs.add(ExprNode::Quant { kind, vars, first, body, triggers }))
    }

    /// Whether an expression means the same outside the quantifier of a level: it does not use its variables, and has
    /// no variables of its own, whose levels count from there.
    fn is_outside(&self, body: ExprId, first: u32) -> bool {
        let mut outside = true;
        self.program.exprs.for_each_in(body, |_, node| match node {
            ExprNode::Bound(level, _) => outside &= *level < first,
            ExprNode::Quant { .. } => outside = false,
            _ => {}
        });
        outside
    }

    fn bind_inside(
        &mut self,
        vars: &'a [Variable],
        triggers: &'a [Vec<Expr>],
        body: &'a Expr,
    ) -> Lowered<(Vec<BoundVar>, Vec<Vec<ExprId>>, ExprId)> {
        let mut bound = Vec::new();
        for var in vars {
            let ty = self.variable_type(var)?;
            self.push_bound(&var.ident.name, ty.clone());
            bound.push(BoundVar { name: var.ident.name.to_string(), ty });
        }
        let mut lowered_triggers = Vec::new();
        for trigger in triggers {
            lowered_triggers.push(self.exprs(trigger)?);
        }
        Ok((bound, lowered_triggers, self.expr(body)?))
    }

    /// Binds a variable at the next level.
    pub(super) fn push_bound(&mut self, name: &Name, ty: Type) {
        let value = self.program.exprs.add(ExprNode::Bound(self.env.level, ty));
        self.env.level += 1;
        self.env.bound.push((name.clone(), Bound::Variable(value)));
    }

    /// Lets a name stand for a value whose own names are the first `outside` bound ones.
    fn push_value(&mut self, name: &Name, value: &'a Expr, outside: usize) {
        let bound = Bound::Value { value, outside, in_old: self.env.in_old, known: Vec::new() };
        self.env.bound.push((name.clone(), bound));
    }

    /// The bound name at a position.
    fn bound(&mut self, at: usize) -> Lowered<ExprId> {
        let level = self.env.level;
        let (value, outside, in_old) = match &self.env.bound[at].1 {
            Bound::Variable(variable) => return Ok(*variable),
            Bound::Value { value, outside, in_old, known } => {
                if let Some((_, known)) = known.iter().find(|(other, _)| *other == level) {
                    return Ok(*known);
                }
                (*value, *outside, *in_old)
            }
        };
        let inside = self.env.bound.split_off(outside);
        let in_old = std::mem::replace(&mut self.env.in_old, in_old);
        let lowered = self.expr(value);
        self.env.in_old = in_old;
        self.env.bound.truncate(outside);
        self.env.bound.extend(inside);
        let lowered = lowered?;
        if let Bound::Value { known, .. } = &mut self.env.bound[at].1 {
            known.push((level, lowered));
        }
        Ok(lowered)
    }

    /// A code expression without branches and effects is a value.
    fn code(&mut self, body: &'a Body, span: Span) -> Lowered<ExprId> {
        let before = self.env.bound.len();
        let value = self.straight_line(body, span);
        self.env.bound.truncate(before);
        value
    }

    fn straight_line(&mut self, body: &'a Body, span: Span) -> Lowered<ExprId> {
        for stmt in &body.block.stmts {
            match &stmt.kind {
                StmtKind::Label(_) => {}
                StmtKind::Assign(targets, values) if targets.iter().all(|t| t.path.is_empty()) => {
                    let outside = self.env.bound.len();
                    for (target, value) in targets.iter().zip(values) {
                        if !body.locals.iter().any(|l| l.ident.name == target.ident.name) {
                            return Err(self.unsupported(
                                stmt.span,
                                "assignments to outer variables in code expressions",
                            ));
                        }
                        self.push_value(&target.ident.name, value, outside);
                    }
                }
                StmtKind::ReturnValue(value) => return self.expr(value),
                _ => {
                    return Err(
                        self.unsupported(stmt.span, "code expressions with calls, branches or effects")
                    );
                }
            }
        }
        Err(self.unsupported(span, "code expressions that do not return"))
    }
}
