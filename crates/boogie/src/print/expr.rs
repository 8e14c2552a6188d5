//! Expressions. What is still to be written is kept in a list, so that depth costs no stack.

use std::fmt::Write;

use ir::{BinaryOp, BoundVar, ExprId, ExprNode, ProcId, Program, QuantKind, Type, UnaryOp};
use num_bigint::Sign;
use rustc_hash::FxHashMap;
use source::Span;

use super::name::{Names, Taken};
use super::operator::{Operators, infix, strength};
use super::{Printed, Unprintable, type_text};

/// Writes expressions of one procedure, or of none.
pub(super) struct ExprWriter<'a> {
    pub(super) program: &'a Program,
    pub(super) names: &'a Names,
    pub(super) operators: &'a mut Operators,
    pub(super) proc: Option<ProcId>,
    /// Names that a bound variable must not have.
    pub(super) scope: &'a Taken,
    /// Parts that have a name.
    pub(super) parts: &'a FxHashMap<ExprId, String>,
    /// Where problems are reported.
    pub(super) span: Span,
    /// Names of bound variables by level.
    pub(super) bound: Vec<String>,
    /// Names of indices around, which have no level: those of constant maps.
    pub(super) indices: Vec<String>,
}

/// What is still to be written; the last is next.
enum Piece<'a> {
    Text(&'static str),
    /// An expression in a place that needs a strength.
    Part(ExprId, u8),
    Extract(u32, u32),
    Bind(&'a [BoundVar]),
    Unbind(usize),
    /// The end of a constant map of so many indices.
    Leave(usize),
}

impl<'a> ExprWriter<'a> {
    /// Gives the next bound variables names.
    pub(super) fn bind<'n>(&mut self, wanted: impl Iterator<Item = &'n str>) -> Vec<String> {
        let mut given = Vec::new();
        for wanted in wanted {
            let name = self.scope.like(wanted, &[&self.bound, &self.indices]);
            self.bound.push(name.clone());
            given.push(name);
        }
        given
    }

    /// The text of an expression; as an operand it may need brackets.
    pub(super) fn write(&mut self, root: ExprId) -> Printed<String> {
        let mut out = String::new();
        // The expression itself may be a part that is just being given its name.
        let mut work = Vec::new();
        self.node(&mut out, &mut work, root)?;
        while let Some(piece) = work.pop() {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Part(id, needed) => self.part(&mut out, &mut work, id, needed)?,
                Piece::Extract(hi, lo) => {
                    let _ = write!(out, "[{hi}:{lo}]");
                }
                Piece::Bind(vars) => {
                    let names = self.bind(vars.iter().map(|var| var.name.as_str()));
                    for (at, (name, var)) in names.iter().zip(vars).enumerate() {
                        let comma = if at > 0 { ", " } else { "" };
                        let ty = type_text(self.names, &var.ty, self.span)?;
                        let _ = write!(out, "{comma}{name}: {ty}");
                    }
                    out.push_str(" :: ");
                }
                Piece::Unbind(count) => self.bound.truncate(self.bound.len().saturating_sub(count)),
                Piece::Leave(count) => self.indices.truncate(self.indices.len().saturating_sub(count)),
            }
        }
        Ok(out)
    }

    fn part(&mut self, out: &mut String, work: &mut Vec<Piece<'a>>, id: ExprId, needed: u8) -> Printed<()> {
        if let Some(name) = self.parts.get(&id) {
            out.push_str(name);
            return Ok(());
        }
        if strength_of(self.program.exprs.node(id)) < needed {
            out.push('(');
            work.push(Piece::Text(")"));
        }
        self.node(out, work, id)
    }

    /// Writes the beginning of an expression, and notes the rest.
    fn node(&mut self, out: &mut String, work: &mut Vec<Piece<'a>>, id: ExprId) -> Printed<()> {
        let program = self.program;
        let mut pieces: Vec<Piece<'a>> = Vec::new();
        match program.exprs.node(id) {
            ExprNode::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            ExprNode::Int(value) => {
                let _ = write!(out, "{value}");
            }
            ExprNode::Bv(width, value) => {
                let _ = write!(out, "{value}bv{width}");
            }
            ExprNode::Nil | ExprNode::SelfTask => return Err(self.refuse("a task handle")),
            ExprNode::Global(id, _) => out.push_str(&self.names.globals[*id]),
            ExprNode::Const(id, _) => out.push_str(&self.names.consts[*id]),
            ExprNode::Local(id, _) => match self.proc {
                Some(proc) => out.push_str(&self.names.locals[proc][*id]),
                None => return Err(self.refuse("a local variable outside a procedure")),
            },
            ExprNode::Bound(level, _) => match self.bound.get(*level as usize) {
                Some(name) => out.push_str(name),
                None => return Err(self.refuse("a bound variable that nothing binds")),
            },
            ExprNode::Unary(op, a) => self.unary(out, &mut pieces, *op, *a),
            ExprNode::Binary(op, a, b) => self.binary(out, &mut pieces, *op, *a, *b),
            ExprNode::Ite(cond, a, b) => {
                for (word, e) in [("if ", cond), (" then ", a), (" else ", b)] {
                    pieces.push(Piece::Text(word));
                    pieces.push(Piece::Part(*e, strength::OPEN));
                }
            }
            ExprNode::Select(map, indices) => {
                pieces.push(Piece::Part(*map, strength::CLOSED));
                list(&mut pieces, "[", indices, "]");
            }
            ExprNode::Store(map, indices, value) => {
                pieces.push(Piece::Part(*map, strength::CLOSED));
                list(&mut pieces, "[", indices, " := ");
                pieces.push(Piece::Part(*value, strength::OPEN));
                pieces.push(Piece::Text("]"));
            }
            ExprNode::ConstMap(ty, value) => self.const_map(out, &mut pieces, ty, *value)?,
            ExprNode::Apply(func, args, _) => {
                out.push_str(&self.names.funcs[*func]);
                list(&mut pieces, "(", args, ")");
            }
            ExprNode::Quant { kind, vars, body, triggers, first } => {
                out.push_str(match kind {
                    QuantKind::Forall => "(forall ",
                    QuantKind::Exists => "(exists ",
                    QuantKind::Lambda => "(lambda ",
                });
                pieces.push(Piece::Bind(vars));
                let last = first.saturating_add(u32::try_from(vars.len()).unwrap_or(u32::MAX));
                if *kind != QuantKind::Lambda {
                    for trigger in triggers.iter().filter(|trigger| self.is_trigger(trigger, *first..last)) {
                        list(&mut pieces, "{", trigger, "} ");
                    }
                }
                pieces.push(Piece::Part(*body, strength::OPEN));
                pieces.push(Piece::Unbind(vars.len()));
                pieces.push(Piece::Text(")"));
            }
        }
        work.extend(pieces.into_iter().rev());
        Ok(())
    }

    fn unary(&mut self, out: &mut String, pieces: &mut Vec<Piece<'a>>, op: UnaryOp, a: ExprId) {
        let width = self.width(a);
        match (op, self.operators.unary(op, width)) {
            (UnaryOp::Extract { hi, lo }, _) => {
                pieces.push(Piece::Part(a, strength::CLOSED));
                pieces.push(Piece::Extract(hi, lo));
            }
            (_, Some(function)) => {
                out.push_str(&function);
                list(pieces, "(", &[a], ")");
            }
            (_, None) => {
                out.push_str(if op == UnaryOp::Not { "!" } else { "-" });
                // Not `--x`, and `-(5)` is not the literal.
                let needed = if op == UnaryOp::Not { strength::PREFIX } else { strength::CLOSED };
                pieces.push(Piece::Part(a, needed));
            }
        }
    }

    fn binary(&mut self, out: &mut String, pieces: &mut Vec<Piece<'a>>, op: BinaryOp, a: ExprId, b: ExprId) {
        let Some((symbol, own)) = infix(op) else {
            if let Some(function) = self.operators.binary(op, self.width(a)) {
                out.push_str(&function);
            }
            return list(pieces, "(", &[a, b], ")");
        };
        let same = matches!(self.program.exprs.node(a), ExprNode::Binary(left, ..) if *left == op);
        let groups_left = match op {
            BinaryOp::And | BinaryOp::Or => same,
            _ => matches!(own, strength::CONCAT | strength::SUM | strength::PRODUCT),
        };
        let groups_right = op == BinaryOp::Implies;
        pieces.push(Piece::Part(a, own + u8::from(!groups_left)));
        pieces.push(Piece::Text(" "));
        pieces.push(Piece::Text(symbol));
        pieces.push(Piece::Text(" "));
        pieces.push(Piece::Part(b, own + u8::from(!groups_right)));
    }

    /// Boogie has no constant maps without its array theory, but it has lambda.
    fn const_map(
        &mut self,
        out: &mut String,
        pieces: &mut Vec<Piece<'a>>,
        ty: &Type,
        value: ExprId,
    ) -> Printed<()> {
        let Some(map) = ty.as_map() else { return Err(self.refuse("a constant map that is no map")) };
        out.push_str("(lambda ");
        for (at, ty) in map.args.iter().enumerate() {
            let name = self.scope.like("i", &[&self.bound, &self.indices]);
            let comma = if at > 0 { ", " } else { "" };
            let _ = write!(out, "{comma}{name}: {}", type_text(self.names, ty, self.span)?);
            self.indices.push(name);
        }
        out.push_str(" :: ");
        pieces.push(Piece::Part(value, strength::OPEN));
        pieces.push(Piece::Leave(map.args.len()));
        pieces.push(Piece::Text(")"));
        Ok(())
    }

    /// Whether Boogie takes these terms for a trigger: functions and cells of maps, and all variables in them. It is a
    /// hint, so that it can be left out.
    fn is_trigger(&self, terms: &[ExprId], levels: std::ops::Range<u32>) -> bool {
        let pool = &self.program.exprs;
        let mut fits = true;
        let mut found = rustc_hash::FxHashSet::default();
        for &term in terms {
            fits &= matches!(pool.node(term), ExprNode::Apply(..) | ExprNode::Select(..));
            pool.for_each_in(term, |_, node| match node {
                ExprNode::Bound(level, _) => drop(found.insert(*level)),
                ExprNode::Quant { .. } | ExprNode::ConstMap(..) | ExprNode::Ite(..) => fits = false,
                ExprNode::Unary(op, _) => fits &= *op != UnaryOp::Not,
                ExprNode::Binary(op, ..) => {
                    fits &= infix(*op).is_none_or(|(_, own)| own > strength::RELATION);
                }
                // A function that is expanded may become anything.
                ExprNode::Apply(func, ..) => {
                    fits &= self.program.funcs.get(*func).is_some_and(|func| func.body.is_none());
                }
                _ => {}
            });
        }
        fits && levels.into_iter().all(|level| found.contains(&level))
    }

    fn width(&self, id: ExprId) -> u32 {
        match self.program.exprs.ty(id) {
            Type::Bv(width) => *width,
            _ => 0,
        }
    }

    fn refuse(&self, what: &str) -> Unprintable {
        Unprintable { what: what.to_owned(), span: self.span }
    }
}

fn strength_of(node: &ExprNode) -> u8 {
    match node {
        ExprNode::Ite(..) => strength::OPEN,
        ExprNode::Binary(op, ..) => infix(*op).map_or(strength::CLOSED, |(_, own)| own),
        ExprNode::Unary(UnaryOp::Not | UnaryOp::Neg, _) => strength::PREFIX,
        ExprNode::Int(value) if value.sign() == Sign::Minus => strength::PREFIX,
        _ => strength::CLOSED,
    }
}

fn list(pieces: &mut Vec<Piece<'_>>, open: &'static str, items: &[ExprId], close: &'static str) {
    pieces.push(Piece::Text(open));
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            pieces.push(Piece::Text(", "));
        }
        pieces.push(Piece::Part(*item, strength::OPEN));
    }
    pieces.push(Piece::Text(close));
}
