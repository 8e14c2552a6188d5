//! Expressions as text. Depth is handled by a list of pieces still to be written, not by recursion.

use std::fmt::Write;

use rustc_hash::{FxHashMap, FxHashSet};

use super::measure::{Measures, strength_of};
use super::sharing::parts_to_name;
use crate::text::name::write_name;
use crate::text::operator::{Side, binary_name, infix, is_function_name, strength, unary_name};
use crate::text::types::write_type;
use crate::{BoundVar, ExprId, ExprNode, Place, PlaceBase, Proc, Program, QuantKind, UnaryOp};

/// Names that a local or bound variable can hide.
pub(super) struct Outer<'a> {
    globals: FxHashSet<&'a str>,
    consts: FxHashSet<&'a str>,
}

impl<'a> Outer<'a> {
    pub(super) fn new(program: &'a Program) -> Self {
        Outer {
            globals: program.globals.values().map(|global| global.name.as_str()).collect(),
            consts: program.consts.values().map(|constant| constant.name.as_str()).collect(),
        }
    }
}

/// Writes expressions of one procedure, or of none.
pub(super) struct ExprWriter<'a> {
    program: &'a Program,
    measures: &'a Measures,
    proc: Option<&'a Proc>,
    locals: FxHashSet<&'a str>,
    outer: &'a Outer<'a>,
    /// Names of bound variables by level.
    bound: Vec<&'a str>,
    /// Levels of bound variables by name, innermost last.
    levels: FxHashMap<&'a str, Vec<usize>>,
    /// Parts that have a name.
    named: FxHashMap<ExprId, String>,
    /// How many names were given in the expression that is being written.
    given: usize,
    /// Names of all variables that are bound in it.
    inside: FxHashSet<&'a str>,
}

/// What is still to be written; the top of the stack is next.
enum Piece<'a> {
    Text(&'static str),
    /// An expression with names for its parts.
    Whole(ExprId),
    /// An expression in a place that needs a strength.
    Part(ExprId, u8),
    /// The same, written out although it has a name.
    Definition(ExprId),
    /// The name of a part, known from here on.
    Give(ExprId, String),
    Forget(Vec<ExprId>),
    Bind(&'a [BoundVar]),
    Unbind(usize),
    /// The bits or width of an operator, and the end of its operands.
    Numbers(UnaryOp),
}

impl<'a> ExprWriter<'a> {
    pub(super) fn new(
        program: &'a Program,
        measures: &'a Measures,
        outer: &'a Outer<'a>,
        proc: Option<&'a Proc>,
    ) -> Self {
        let locals = proc.iter().flat_map(|p| p.locals.values()).map(|local| local.name.as_str());
        ExprWriter {
            program,
            measures,
            proc,
            locals: locals.collect(),
            outer,
            bound: Vec::new(),
            levels: FxHashMap::default(),
            named: FxHashMap::default(),
            given: 0,
            inside: FxHashSet::default(),
        }
    }

    /// Binds the parameters of a function.
    pub(super) fn bind(&mut self, names: impl Iterator<Item = &'a str>) {
        for name in names {
            self.levels.entry(name).or_default().push(self.bound.len());
            self.bound.push(name);
        }
    }

    pub(super) fn write_place(&mut self, out: &mut String, place: &Place) {
        match place.base {
            PlaceBase::Local(id) => {
                let name = self.proc.and_then(|p| p.locals.get(id)).map(|local| local.name.as_str());
                self.variable(out, "local", name, id, &[]);
            }
            PlaceBase::Global(id) => {
                let name = self.program.globals.get(id).map(|global| global.name.as_str());
                let hidden = name.is_some_and(|name| self.locals.contains(name));
                self.variable(out, "global", name, id, &[hidden]);
            }
        }
        for indices in &place.path {
            out.push('[');
            for (index, e) in indices.iter().enumerate() {
                out.push_str(if index > 0 { ", " } else { "" });
                self.write(out, *e);
            }
            out.push(']');
        }
    }

    pub(super) fn write(&mut self, out: &mut String, root: ExprId) {
        if !self.measures.knows(root) {
            let _ = write!(out, "?expr{}", root.index());
            return;
        }
        self.given = 0;
        self.inside.clear();
        let mut work = vec![Piece::Whole(root)];
        while let Some(piece) = work.pop() {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Whole(id) => self.whole(&mut work, root, id),
                Piece::Part(id, needed) => self.part(out, &mut work, id, needed),
                Piece::Definition(id) => self.node(out, &mut work, id),
                Piece::Give(id, name) => {
                    out.push_str(&name);
                    out.push_str(" = ");
                    self.named.insert(id, name);
                }
                Piece::Forget(ids) => ids.iter().for_each(|id| {
                    self.named.remove(id);
                }),
                Piece::Numbers(op) => match op {
                    UnaryOp::Extract { hi, lo } => {
                        let _ = write!(out, "{hi}, {lo})");
                    }
                    UnaryOp::ZeroExtend(width) | UnaryOp::SignExtend(width) | UnaryOp::IntToBv(width) => {
                        let _ = write!(out, "{width})");
                    }
                    _ => out.push(')'),
                },
                Piece::Bind(vars) => self.bind(vars.iter().map(|var| var.name.as_str())),
                Piece::Unbind(count) => {
                    for _ in 0..count {
                        let name = self.bound.pop().unwrap_or_default();
                        self.levels.entry(name).or_default().pop();
                    }
                }
            }
        }
    }

    /// The whole of an expression or of a quantifier's body, with the names that its parts need.
    fn whole(&mut self, work: &mut Vec<Piece<'a>>, root: ExprId, id: ExprId) {
        let level = u32::try_from(self.bound.len()).unwrap_or(u32::MAX);
        let parts = parts_to_name(&self.program.exprs, self.measures, id, level, &self.named);
        if parts.is_empty() {
            work.push(Piece::Part(id, strength::OPEN));
            return;
        }
        if self.given == 0 {
            self.collect_bound_names(root);
        }
        let mut pieces = Vec::new();
        for (index, &part) in parts.iter().enumerate() {
            let name = self.new_name();
            pieces.push(Piece::Text(if index > 0 { ", " } else { "let " }));
            pieces.push(Piece::Give(part, name));
            pieces.push(Piece::Definition(part));
        }
        pieces.push(Piece::Text(" in "));
        pieces.push(Piece::Part(id, strength::OPEN));
        pieces.push(Piece::Forget(parts));
        work.extend(pieces.into_iter().rev());
    }

    fn collect_bound_names(&mut self, root: ExprId) {
        let (pool, inside) = (&self.program.exprs, &mut self.inside);
        let mut seen = FxHashSet::default();
        let mut work = vec![root];
        while let Some(id) = work.pop() {
            if seen.insert(id) {
                if let ExprNode::Quant { vars, .. } = pool.node(id) {
                    inside.extend(vars.iter().map(|var| var.name.as_str()));
                }
                pool.node(id).for_each_operand(|e| {
                    if e.index() < id.index() {
                        work.push(e);
                    }
                });
            }
        }
    }

    /// A name that hides nothing and that nothing hides.
    fn new_name(&mut self) -> String {
        loop {
            self.given += 1;
            let name = format!("${}", self.given);
            let word = name.as_str();
            let taken = [&self.locals, &self.outer.globals, &self.outer.consts, &self.inside];
            if !taken.iter().any(|names| names.contains(word)) && !self.bound.contains(&word) {
                return name;
            }
        }
    }

    fn part(&mut self, out: &mut String, work: &mut Vec<Piece<'a>>, id: ExprId, needed: u8) {
        if let Some(name) = self.named.get(&id) {
            out.push_str(name);
        } else if strength_of(self.program.exprs.node(id)) < needed {
            out.push('(');
            work.push(Piece::Text(")"));
            self.node(out, work, id);
        } else {
            self.node(out, work, id);
        }
    }

    fn node(&mut self, out: &mut String, work: &mut Vec<Piece<'a>>, id: ExprId) {
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
            ExprNode::Nil => out.push_str("nil"),
            ExprNode::SelfTask => out.push_str("self"),
            ExprNode::Global(..) | ExprNode::Local(..) | ExprNode::Const(..) | ExprNode::Bound(..) => {
                self.named_value(out, program.exprs.node(id));
            }
            ExprNode::Unary(op, a) => {
                let literal = a.index() < id.index()
                    && matches!(program.exprs.node(*a), ExprNode::Int(_) | ExprNode::Bv(..));
                out.push_str(unary_name(*op));
                unary(&mut pieces, *op, *a, literal);
            }
            ExprNode::Binary(op, a, b) => match infix(*op) {
                Some((own, side)) => {
                    pieces.push(Piece::Part(*a, own + u8::from(side != Side::Left)));
                    pieces.push(Piece::Text(" "));
                    pieces.push(Piece::Text(binary_name(*op)));
                    pieces.push(Piece::Text(" "));
                    pieces.push(Piece::Part(*b, own + u8::from(side != Side::Right)));
                }
                None => {
                    pieces.push(Piece::Text(binary_name(*op)));
                    list(&mut pieces, "(", &[*a, *b], ")");
                }
            },
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
            ExprNode::ConstMap(ty, value) => {
                out.push_str("const(");
                write_type(out, program, ty);
                list(&mut pieces, ", ", &[*value], ")");
            }
            ExprNode::Apply(func, args, _) => {
                match program.funcs.get(*func) {
                    Some(func) => write_name(out, &func.name, is_function_name),
                    None => {
                        let _ = write!(out, "?{func}");
                    }
                }
                list(&mut pieces, "(", args, ")");
            }
            ExprNode::Quant { kind, vars, body, triggers, .. } => {
                self.quantifier(out, *kind, vars);
                pieces.push(Piece::Bind(vars));
                for trigger in triggers {
                    pieces.push(Piece::Text("{"));
                    for (index, term) in trigger.iter().enumerate() {
                        pieces.push(Piece::Text(if index > 0 { ", " } else { "" }));
                        pieces.push(Piece::Whole(*term));
                    }
                    pieces.push(Piece::Text("} "));
                }
                pieces.push(Piece::Whole(*body));
                pieces.push(Piece::Unbind(vars.len()));
            }
        }
        for piece in &mut pieces {
            // Only in an invalid program is an operand no earlier expression.
            if let Piece::Part(e, _) | Piece::Whole(e) = piece
                && e.index() >= id.index()
            {
                *piece = Piece::Text("?expr");
            }
        }
        work.extend(pieces.into_iter().rev());
    }

    fn quantifier(&self, out: &mut String, kind: QuantKind, vars: &[BoundVar]) {
        out.push_str(match kind {
            QuantKind::Forall => "forall ",
            QuantKind::Exists => "exists ",
            QuantKind::Lambda => "lambda ",
        });
        for (index, var) in vars.iter().enumerate() {
            out.push_str(if index > 0 { ", " } else { "" });
            write_name(out, &var.name, |_| false);
            out.push_str(": ");
            write_type(out, self.program, &var.ty);
        }
        out.push_str(" :: ");
    }

    fn named_value(&self, out: &mut String, node: &ExprNode) {
        let hides = |names: &FxHashSet<&str>, name: Option<&str>| name.is_some_and(|n| names.contains(n));
        let bound = |name: Option<&str>| {
            name.is_some_and(|n| self.levels.get(n).is_some_and(|levels| !levels.is_empty()))
        };
        match node {
            ExprNode::Local(id, _) => {
                let name = self.proc.and_then(|p| p.locals.get(*id)).map(|local| local.name.as_str());
                self.variable(out, "local", name, *id, &[bound(name)]);
            }
            ExprNode::Global(id, _) => {
                let name = self.program.globals.get(*id).map(|global| global.name.as_str());
                self.variable(out, "global", name, *id, &[bound(name), hides(&self.locals, name)]);
            }
            ExprNode::Const(id, _) => {
                let name = self.program.consts.get(*id).map(|constant| constant.name.as_str());
                let hidden = [bound(name), hides(&self.locals, name), hides(&self.outer.globals, name)];
                self.variable(out, "const", name, *id, &hidden);
            }
            ExprNode::Bound(level, _) => {
                let level = *level as usize;
                let name = self.bound.get(level).copied();
                let innermost = name.and_then(|n| self.levels.get(n)?.last());
                match name {
                    Some(name) if innermost == Some(&level) => write_name(out, name, |_| false),
                    _ => {
                        let _ = write!(out, "bound::{level}");
                    }
                }
            }
            _ => {}
        }
    }

    fn variable(
        &self,
        out: &mut String,
        kind: &str,
        name: Option<&str>,
        id: impl std::fmt::Display,
        hidden: &[bool],
    ) {
        if hidden.contains(&true) {
            out.push_str(kind);
            out.push_str("::");
        }
        match name {
            Some(name) => write_name(out, name, |_| false),
            None => {
                let _ = write!(out, "?{id}");
            }
        }
    }
}

fn list(pieces: &mut Vec<Piece<'_>>, open: &'static str, items: &[ExprId], close: &'static str) {
    pieces.push(Piece::Text(open));
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            pieces.push(Piece::Text(", "));
        }
        pieces.push(Piece::Part(*item, strength::OPEN));
    }
    pieces.push(Piece::Text(close));
}

fn unary(pieces: &mut Vec<Piece<'_>>, op: UnaryOp, a: ExprId, literal: bool) {
    match op {
        // `-5` is a literal; the negation of 5 is `-(5)`.
        UnaryOp::Neg if literal => list(pieces, "(", &[a], ")"),
        UnaryOp::Not | UnaryOp::Neg => pieces.push(Piece::Part(a, strength::PREFIX)),
        UnaryOp::BvNeg | UnaryOp::BvNot | UnaryOp::BvToInt | UnaryOp::BvToSignedInt => {
            list(pieces, "(", &[a], ")");
        }
        UnaryOp::Extract { .. } | UnaryOp::ZeroExtend(_) | UnaryOp::SignExtend(_) | UnaryOp::IntToBv(_) => {
            list(pieces, "(", &[a], ", ");
            pieces.push(Piece::Numbers(op));
        }
    }
}
