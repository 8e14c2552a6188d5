//! Expressions, by precedence climbing: operators to the left of each other are taken in a loop, everything else
//! that nests is counted.

use num_bigint::BigInt;

use super::names::{Binding, Part};
use super::{Failed, Parsed, Parser};
use crate::text::lex::Kind;
use crate::text::operator::{BINARY, Side, infix, strength, unary_function, unary_numbers};
use crate::{BinaryOp, BoundVar, ExprId, ExprNode, QuantKind, Type, UnaryOp};

/// Reading a longer number would not be linear in its length.
const MOST_DIGITS: usize = 20_000;

/// How deep the types of lambdas may nest; `let` could otherwise build them without nesting the text.
const DEEPEST_TYPE: usize = 64;

impl Parser<'_> {
    pub(super) fn exprs(&mut self) -> Parsed<Vec<ExprId>> {
        let mut all = vec![self.expr()?];
        while self.cursor.take(",") {
            all.push(self.expr()?);
        }
        Ok(all)
    }

    pub(super) fn expr(&mut self) -> Parsed<ExprId> {
        self.operand(strength::OPEN)
    }

    /// An expression whose infix operators all have at least a strength.
    fn operand(&mut self, needed: u8) -> Parsed<ExprId> {
        self.cursor.nest()?;
        let result = self.climb(needed);
        self.cursor.leave();
        result
    }

    fn climb(&mut self, needed: u8) -> Parsed<ExprId> {
        let mut left = self.prefix()?;
        // After `a == b`, a further operator of that strength needs parentheses.
        let mut ceiling = u8::MAX;
        while let Some(op) = self.infix_operator() {
            let Some((own, side)) = infix(op) else { break };
            if own < needed {
                break;
            }
            if own >= ceiling {
                return Err(self.cursor.expected("parentheses around one of the comparisons"));
            }
            self.cursor.skip();
            let right = self.operand(own + u8::from(side != Side::Right))?;
            left = self.program.exprs.binary(op, left, right);
            ceiling = if side == Side::Neither { own } else { u8::MAX };
        }
        Ok(left)
    }

    fn infix_operator(&self) -> Option<BinaryOp> {
        let word = match self.cursor.kind() {
            Kind::Symbol(symbol) => *symbol,
            Kind::Word(word @ ("div" | "mod")) => *word,
            _ => return None,
        };
        BINARY.iter().find(|(_, name)| *name == word).map(|(op, _)| *op)
    }

    fn prefix(&mut self) -> Parsed<ExprId> {
        if self.cursor.take("!") {
            let a = self.operand(strength::PREFIX)?;
            return Ok(self.program.exprs.not(a));
        }
        if self.cursor.take("-") {
            if let Kind::Number(digits) = self.cursor.kind() {
                let value = self.number(digits)?;
                return Ok(self.program.exprs.int(-value));
            }
            let a = self.operand(strength::PREFIX)?;
            return Ok(self.program.exprs.add(ExprNode::Unary(UnaryOp::Neg, a)));
        }
        match self.cursor.kind() {
            Kind::Word("if") => self.if_then_else(),
            Kind::Word("let") => self.let_in(),
            Kind::Word("forall") => self.quantifier(QuantKind::Forall),
            Kind::Word("exists") => self.quantifier(QuantKind::Exists),
            Kind::Word("lambda") => self.quantifier(QuantKind::Lambda),
            _ => self.postfix(),
        }
    }

    fn postfix(&mut self) -> Parsed<ExprId> {
        let mut map = self.primary()?;
        while self.cursor.take("[") {
            let indices = self.exprs()?;
            if self.cursor.take(":=") {
                let value = self.expr()?;
                map = self.program.exprs.add(ExprNode::Store(map, indices, value));
            } else {
                map = self.program.exprs.select(map, indices);
            }
            self.cursor.expect("]")?;
        }
        Ok(map)
    }

    fn primary(&mut self) -> Parsed<ExprId> {
        let span = self.cursor.span();
        let literal = match self.cursor.kind() {
            Kind::Number(digits) => ExprNode::Int(self.number(digits)?),
            Kind::Bits(digits, width) => {
                let value = self.number(digits)?;
                let too_wide = |_| self.cursor.error(span, format!("{width} bits are too many"));
                ExprNode::Bv(width.parse().map_err(too_wide)?, value)
            }
            Kind::Symbol("(") => {
                self.cursor.skip();
                let inner = self.expr()?;
                self.cursor.expect(")")?;
                return Ok(inner);
            }
            Kind::Word(word) => {
                let node = match *word {
                    "true" => ExprNode::Bool(true),
                    "false" => ExprNode::Bool(false),
                    "nil" => ExprNode::Nil,
                    "self" => ExprNode::SelfTask,
                    _ => return self.named(),
                };
                self.cursor.skip();
                node
            }
            _ => return self.named(),
        };
        Ok(self.program.exprs.add(literal))
    }

    fn number(&mut self, digits: &str) -> Parsed<BigInt> {
        let value = if digits.len() <= MOST_DIGITS { digits.parse().ok() } else { None };
        let span = self.cursor.span();
        self.cursor.skip();
        value.ok_or_else(|| self.cursor.error(span, format!("a number has more than {MOST_DIGITS} digits")))
    }

    /// Something that starts with a name.
    fn named(&mut self) -> Parsed<ExprId> {
        match (self.cursor.kind(), self.cursor.peek(1)) {
            (Kind::Word(word), Kind::Symbol("::")) => self.qualified(word),
            (Kind::Word(word), Kind::Symbol("(")) => self.built_in(word),
            (Kind::Quoted(_), Kind::Symbol("(")) => self.application(),
            _ => {
                let span = self.cursor.span();
                let name = self.cursor.name("an expression")?;
                match self.names.binding(&name) {
                    Some(Binding::Part(part)) => {
                        let part = *part;
                        return self.part(part, span);
                    }
                    Some(Binding::Variable(level, ty)) => {
                        let node = ExprNode::Bound(*level, ty.clone());
                        return Ok(self.program.exprs.add(node));
                    }
                    None => {}
                }
                let node = ["local", "global", "const"].iter().find_map(|kind| self.variable(kind, &name));
                match node {
                    Some(node) => Ok(self.program.exprs.add(node)),
                    None => Err(self.cursor.error(span, format!("unknown variable `{name}`"))),
                }
            }
        }
    }

    fn part(&mut self, part: Part, span: source::Span) -> Parsed<ExprId> {
        if part.binds {
            self.names.binders += 1;
            if part.depth != self.names.depth() {
                let message = "a part with a quantifier is used inside another quantifier".to_owned();
                return Err(self.cursor.error(span, message));
            }
        }
        Ok(part.expr)
    }

    fn qualified(&mut self, kind: &str) -> Parsed<ExprId> {
        let span = self.cursor.span();
        if !["bound", "local", "global", "const"].contains(&kind) {
            return Err(self.cursor.expected("`bound`, `local`, `global` or `const` before `::`"));
        }
        self.cursor.skip();
        self.cursor.skip();
        if kind == "bound" {
            let level = self.small_number()?;
            return match self.names.level(level).cloned() {
                Some(ty) => Ok(self.program.exprs.add(ExprNode::Bound(level, ty))),
                None => Err(self.cursor.error(span, format!("no variable is bound at level {level}"))),
            };
        }
        let name = self.cursor.name("a name")?;
        match self.variable(kind, &name) {
            Some(node) => Ok(self.program.exprs.add(node)),
            None => Err(self.cursor.error(span, format!("unknown {kind} `{name}`"))),
        }
    }

    fn variable(&self, kind: &str, name: &str) -> Option<ExprNode> {
        Some(match kind {
            "local" => {
                let id = self.names.locals.get(name)?;
                ExprNode::Local(id, self.names.local_types.get(id.as_u32() as usize)?.clone())
            }
            "global" => {
                let id = self.names.globals.get(name)?;
                ExprNode::Global(id, self.program.globals[id].ty.clone())
            }
            _ => {
                let id = self.names.consts.get(name)?;
                ExprNode::Const(id, self.program.consts[id].ty.clone())
            }
        })
    }

    /// An operator that is written as a function, or else a function of the program.
    fn built_in(&mut self, word: &str) -> Parsed<ExprId> {
        if word == "const" {
            self.cursor.skip();
            self.cursor.skip();
            let ty = self.ty()?;
            self.cursor.expect(",")?;
            let value = self.expr()?;
            self.cursor.expect(")")?;
            return Ok(self.program.exprs.add(ExprNode::ConstMap(ty, value)));
        }
        if let Some(count) = unary_numbers(word) {
            self.cursor.skip();
            self.cursor.skip();
            let a = self.expr()?;
            let mut numbers = Vec::new();
            for _ in 0..count {
                self.cursor.expect(",")?;
                numbers.push(self.small_number()?);
            }
            self.cursor.expect(")")?;
            let op = unary_function(word, &numbers).ok_or(Failed)?;
            return Ok(self.program.exprs.add(ExprNode::Unary(op, a)));
        }
        match BINARY.iter().find(|(op, name)| *name == word && infix(*op).is_none()) {
            Some((op, _)) => {
                self.cursor.skip();
                self.cursor.skip();
                let a = self.expr()?;
                self.cursor.expect(",")?;
                let b = self.expr()?;
                self.cursor.expect(")")?;
                Ok(self.program.exprs.binary(*op, a, b))
            }
            None => self.application(),
        }
    }

    fn application(&mut self) -> Parsed<ExprId> {
        let span = self.cursor.span();
        let name = self.cursor.name("an expression")?;
        let Some(func) = self.names.funcs.get(&name) else {
            return Err(self.cursor.error(span, format!("unknown function `{name}`")));
        };
        self.cursor.expect("(")?;
        let mut args = Vec::new();
        if !self.cursor.take(")") {
            args = self.exprs()?;
            self.cursor.expect(")")?;
        }
        let result = self.program.funcs[func].result.clone();
        Ok(self.program.exprs.add(ExprNode::Apply(func, args, result)))
    }

    fn small_number(&mut self) -> Parsed<u32> {
        let value = match self.cursor.kind() {
            Kind::Number(digits) => digits.parse().ok(),
            _ => None,
        };
        match value {
            Some(value) => {
                self.cursor.skip();
                Ok(value)
            }
            None => Err(self.cursor.expected("a small number")),
        }
    }

    fn if_then_else(&mut self) -> Parsed<ExprId> {
        self.cursor.skip();
        let cond = self.expr()?;
        self.cursor.expect_word("then")?;
        let then = self.expr()?;
        self.cursor.expect_word("else")?;
        let otherwise = self.expr()?;
        Ok(self.program.exprs.ite(cond, then, otherwise))
    }

    fn let_in(&mut self) -> Parsed<ExprId> {
        self.cursor.skip();
        let before = self.names.bound();
        loop {
            let name = self.cursor.name("a name")?;
            self.cursor.expect("=")?;
            let (binders, depth) = (self.names.binders, self.names.depth());
            let expr = self.expr()?;
            let binds = self.names.binders > binders;
            self.names.give(name, Part { expr, depth, binds });
            if !self.cursor.take(",") {
                break;
            }
        }
        self.cursor.expect_word("in")?;
        let body = self.expr()?;
        self.names.unbind(before);
        Ok(body)
    }

    fn quantifier(&mut self, kind: QuantKind) -> Parsed<ExprId> {
        let span = self.cursor.span();
        self.cursor.skip();
        let before = self.names.bound();
        let first = self.names.depth();
        self.names.binders += 1;
        let mut vars = Vec::new();
        loop {
            let (name, ty, _) = self.typed_name("a bound variable")?;
            vars.push(BoundVar { name, ty });
            if !self.cursor.take(",") {
                break;
            }
        }
        self.cursor.expect("::")?;
        for var in &vars {
            self.names.bind(var.name.clone(), var.ty.clone());
        }
        let mut triggers = Vec::new();
        while self.cursor.take("{") {
            let terms = if self.cursor.is("}") { Vec::new() } else { self.exprs()? };
            self.cursor.expect("}")?;
            triggers.push(terms);
        }
        let body = self.expr()?;
        self.names.unbind(before);
        if kind == QuantKind::Lambda && nests_deeply(self.program.exprs.ty(body)) {
            return Err(self.cursor.error(span, format!("its type nests more than {DEEPEST_TYPE} deep")));
        }
        Ok(self.program.exprs.add(ExprNode::Quant { kind, vars, first, body, triggers }))
    }
}

fn nests_deeply(mut ty: &Type) -> bool {
    for _ in 0..DEEPEST_TYPE {
        match ty.as_map() {
            Some(map) => ty = &map.result,
            None => return false,
        }
    }
    true
}
