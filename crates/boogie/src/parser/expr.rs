//! Expressions.

use std::sync::Arc;

use num_bigint::BigUint;
use source::Diagnostic;

use crate::ast::{Arm, Attribute, BinaryOp, Binder, Expr, ExprKind, Link, UnaryOp, Variable};
use crate::lexer::Token;
use crate::parser::{Parsed, Parser};

/// Numbers with more digits than this are refused: reading them takes quadratic time.
const MAX_DIGITS: usize = 10_000;
/// The widest bit vector.
pub(super) const MAX_BV_WIDTH: u32 = 1 << 16;

/// How tightly operators bind, from loosest to tightest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Iff,
    Implies,
    Logic,
    Relation,
    Concat,
    Sum,
    Product,
    Power,
    Unary,
}

impl Level {
    fn tighter(self) -> Level {
        match self {
            Level::Iff => Level::Implies,
            Level::Implies => Level::Logic,
            Level::Logic => Level::Relation,
            Level::Relation => Level::Concat,
            Level::Concat => Level::Sum,
            Level::Sum => Level::Product,
            Level::Product => Level::Power,
            Level::Power | Level::Unary => Level::Unary,
        }
    }
}

impl Parser<'_> {
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        self.nested(|p| p.climb(Level::Iff))
    }

    /// Expressions separated by commas; at least one.
    pub(super) fn exprs(&mut self) -> Parsed<Vec<Expr>> {
        let mut exprs = vec![self.expr()?];
        while self.eat(Token::Comma) {
            exprs.push(self.expr()?);
        }
        Ok(exprs)
    }

    fn operator(&self) -> Option<(BinaryOp, Level)> {
        Some(match self.peek() {
            Token::Iff => (BinaryOp::Iff, Level::Iff),
            Token::Implies => (BinaryOp::Implies, Level::Implies),
            Token::Explies => (BinaryOp::Explies, Level::Implies),
            Token::And => (BinaryOp::And, Level::Logic),
            Token::Or => (BinaryOp::Or, Level::Logic),
            Token::Eq => (BinaryOp::Eq, Level::Relation),
            Token::Ne => (BinaryOp::Ne, Level::Relation),
            Token::Lt => (BinaryOp::Lt, Level::Relation),
            Token::Le => (BinaryOp::Le, Level::Relation),
            Token::Gt => (BinaryOp::Gt, Level::Relation),
            Token::Ge => (BinaryOp::Ge, Level::Relation),
            Token::Below => (BinaryOp::Below, Level::Relation),
            Token::Concat => (BinaryOp::Concat, Level::Concat),
            Token::Plus => (BinaryOp::Add, Level::Sum),
            Token::Minus => (BinaryOp::Sub, Level::Sum),
            Token::Star => (BinaryOp::Mul, Level::Product),
            Token::Slash => (BinaryOp::Slash, Level::Product),
            Token::Percent => (BinaryOp::Mod, Level::Product),
            Token::StarStar => (BinaryOp::Pow, Level::Power),
            Token::Ident { escaped: false } => match self.text_nth(0) {
                "div" => (BinaryOp::Div, Level::Product),
                "mod" => (BinaryOp::Mod, Level::Product),
                _ => return None,
            },
            _ => return None,
        })
    }

    /// An expression of operators that bind at least as tightly as `loosest`.
    fn climb(&mut self, loosest: Level) -> Parsed<Expr> {
        let mut left = self.prefix()?;
        while let Some((op, level)) = self.operator() {
            if level < loosest {
                break;
            }
            left =
                if op == BinaryOp::Implies { self.implication(left)? } else { self.chain(left, op, level)? };
        }
        Ok(left)
    }

    fn implication(&mut self, first: Expr) -> Parsed<Expr> {
        let start = first.span;
        let mut operands = vec![first];
        while self.eat(Token::Implies) {
            operands.push(self.climb(Level::Logic)?);
        }
        if self.peek() == Token::Explies {
            return Err(self.mixed("`==>` and `<==`"));
        }
        self.expr_node(self.span_since(start), ExprKind::Implies(operands))
    }

    /// Operands joined by operators of one level, from the left.
    fn chain(&mut self, first: Expr, first_op: BinaryOp, level: Level) -> Parsed<Expr> {
        let start = first.span;
        let mut rest: Vec<Link> = Vec::new();
        while let Some((op, here)) = self.operator()
            && here == level
        {
            match level {
                Level::Logic if op != first_op => return Err(self.mixed("`&&` and `||`")),
                Level::Implies if op != first_op => return Err(self.mixed("`==>` and `<==`")),
                Level::Relation if !rest.is_empty() => {
                    let problem = Diagnostic::error(self.span(), "comparisons do not chain")
                        .help("write `a < b && b < c` instead of `a < b < c`");
                    return Err(self.fail(problem));
                }
                _ => {}
            }
            let op_span = self.span();
            self.bump();
            // `**` groups to the right; all others to the left.
            let tighter = if level == Level::Power { Level::Power } else { level.tighter() };
            let operand = if level == Level::Power {
                self.nested(|p| p.climb(tighter))?
            } else if tighter == Level::Unary {
                self.prefix()?
            } else {
                self.climb(tighter)?
            };
            let height = self.heights.get(operand.id.index()).copied().unwrap_or(0);
            let id = self.expr_id(height)?;
            rest.push(Link { op, op_span, id, operand });
        }
        self.expr_node(self.span_since(start), ExprKind::Chain { first: Box::new(first), rest })
    }

    fn mixed(&mut self, which: &str) -> super::Failed {
        let problem = Diagnostic::error(self.span(), format!("{which} are mixed without brackets"))
            .label("which one comes first?")
            .help("put brackets around one of the sides");
        self.fail(problem)
    }

    /// `!` and `-` before an operand.
    fn prefix(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let op = match self.peek() {
            Token::Not => UnaryOp::Not,
            Token::Minus => UnaryOp::Neg,
            _ => return self.postfix(),
        };
        self.bump();
        let operand = self.nested(Self::prefix)?;
        self.expr_node(self.span_since(start), ExprKind::Unary(op, Box::new(operand)))
    }

    /// An operand with any number of `[...]` and `: T` behind it.
    fn postfix(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let mut expr = self.atom()?;
        loop {
            if self.eat(Token::Colon) {
                let ty = self.ty()?;
                expr = self.expr_node(self.span_since(start), ExprKind::Coerce(Box::new(expr), ty))?;
                continue;
            }
            if !self.eat(Token::OpenBracket) {
                return Ok(expr);
            }
            let base = Box::new(expr);
            let kind = if self.peek() == Token::CloseBracket {
                ExprKind::Select { map: base, indices: Vec::new() }
            } else if self.peek() == Token::Assign {
                self.bump();
                let value = Box::new(self.expr()?);
                ExprKind::Store { map: base, indices: Vec::new(), value }
            } else if self.peek() == Token::Int && self.peek_nth(1) == Token::Colon {
                let hi = self.small_number()?;
                self.expect(Token::Colon)?;
                let lo = self.small_number()?;
                ExprKind::Extract { operand: base, hi, lo }
            } else {
                let indices = self.exprs()?;
                if self.eat(Token::Assign) {
                    let value = Box::new(self.expr()?);
                    ExprKind::Store { map: base, indices, value }
                } else {
                    ExprKind::Select { map: base, indices }
                }
            };
            self.expect(Token::CloseBracket)?;
            expr = self.expr_node(self.span_since(start), kind)?;
        }
    }

    fn small_number(&mut self) -> Parsed<u32> {
        let number = self.text_nth(0).parse().ok().filter(|&n: &u32| n <= MAX_BV_WIDTH);
        match (self.peek(), number) {
            (Token::Int, Some(number)) => {
                self.bump();
                Ok(number)
            }
            (Token::Int, None) => {
                let problem = Diagnostic::error(self.span(), format!("bit position above {MAX_BV_WIDTH}"));
                Err(self.fail(problem))
            }
            _ => Err(self.unexpected("a bit position")),
        }
    }

    fn atom(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let kind = match self.peek() {
            Token::Int => {
                let value = self.digits(self.text_nth(0))?;
                self.bump();
                ExprKind::Int(value)
            }
            Token::Bv => self.bv_literal()?,
            Token::Real => {
                self.bump();
                ExprKind::Real
            }
            Token::Float => self.float_literal()?,
            Token::OpenParen => return self.bracketed(),
            Token::Bar if self.peek_nth(1) == Token::OpenBrace => {
                self.bump();
                let body = self.nested(Self::body)?;
                self.expect(Token::Bar)?;
                ExprKind::Code(Box::new(body))
            }
            Token::Forall | Token::Exists | Token::Lambda => {
                let problem = Diagnostic::error(start, "quantifiers stand in brackets")
                    .help("write `(forall x: int :: ...)`");
                return Err(self.fail(problem));
            }
            Token::Ident { escaped: false } => match self.text_nth(0) {
                "true" | "false" => {
                    let value = self.is_word("true");
                    self.bump();
                    ExprKind::Bool(value)
                }
                "old" => {
                    self.bump();
                    ExprKind::Old(self.operand_in_brackets()?)
                }
                "int" => {
                    self.bump();
                    ExprKind::Convert { to_real: false, operand: self.operand_in_brackets()? }
                }
                "real" if self.peek_nth(1) == Token::OpenParen => {
                    self.bump();
                    ExprKind::Convert { to_real: true, operand: self.operand_in_brackets()? }
                }
                "if" => self.conditional()?,
                _ => self.name_or_application()?,
            },
            Token::Ident { escaped: true } => self.name_or_application()?,
            _ => return Err(self.unexpected("an expression")),
        };
        self.expr_node(self.span_since(start), kind)
    }

    fn operand_in_brackets(&mut self) -> Parsed<Box<Expr>> {
        self.expect(Token::OpenParen)?;
        let operand = self.expr()?;
        self.expect(Token::CloseParen)?;
        Ok(Box::new(operand))
    }

    fn name_or_application(&mut self) -> Parsed<ExprKind> {
        let ident = self.ident("an expression")?;
        if !self.eat(Token::OpenParen) {
            return Ok(ExprKind::Name(ident.name));
        }
        let args = if self.peek() == Token::CloseParen { Vec::new() } else { self.exprs()? };
        self.expect(Token::CloseParen)?;
        Ok(ExprKind::Apply { function: ident, args })
    }

    fn conditional(&mut self) -> Parsed<ExprKind> {
        let mut arms = Vec::new();
        while self.eat_word("if") {
            let condition = self.expr()?;
            self.expect_word("then")?;
            let value = self.expr()?;
            self.expect_word("else")?;
            arms.push(Arm { condition, value });
        }
        let otherwise = Box::new(self.expr()?);
        Ok(ExprKind::If { arms, otherwise })
    }

    /// `(e)`, `(forall ...)`, `(var x := e; ...)`.
    fn bracketed(&mut self) -> Parsed<Expr> {
        let start = self.span();
        self.bump();
        let mut expr = if let Some(binder) = self.binder() {
            self.bump();
            let kind = self.nested(|p| p.bind(binder))?;
            self.expr_node(self.span_since(start), kind)?
        } else if self.eat_word("var") {
            let kind = self.nested(Self::let_expr)?;
            self.expr_node(self.span_since(start), kind)?
        } else {
            self.expr()?
        };
        self.expect(Token::CloseParen)?;
        expr.span = self.span_since(start);
        Ok(expr)
    }

    fn binder(&self) -> Option<Binder> {
        match self.peek() {
            Token::Forall => Some(Binder::Forall),
            Token::Exists => Some(Binder::Exists),
            Token::Lambda => Some(Binder::Lambda),
            Token::Ident { escaped: false } => match self.text_nth(0) {
                "forall" => Some(Binder::Forall),
                "exists" => Some(Binder::Exists),
                "lambda" => Some(Binder::Lambda),
                _ => None,
            },
            _ => None,
        }
    }

    fn bind(&mut self, binder: Binder) -> Parsed<ExprKind> {
        let params = self.type_params()?;
        let mut vars = Vec::new();
        if self.peek() != Token::ColonColon {
            self.variables(&mut vars)?;
        }
        self.expect(Token::ColonColon)?;
        let mut triggers = Vec::new();
        while self.peek() == Token::OpenBrace {
            if self.peek_nth(1) == Token::Colon {
                // `{:nopats e}`, `{:qid q}`: hints for a solver that we do not need.
                self.attributes()?;
            } else {
                self.bump();
                triggers.push(self.exprs()?);
                self.expect(Token::CloseBrace)?;
            }
        }
        let body = Box::new(self.expr()?);
        Ok(ExprKind::Bind { binder, params, vars, triggers, body })
    }

    fn let_expr(&mut self) -> Parsed<ExprKind> {
        let names = self.idents("a variable")?;
        self.expect(Token::Assign)?;
        let values = self.exprs()?;
        if names.len() != values.len() {
            let problem = Diagnostic::error(self.span(), "as many values as variables are needed")
                .label(format!("{} variables, {} values", names.len(), values.len()));
            return Err(self.fail(problem));
        }
        self.expect_semicolon()?;
        let body = Box::new(self.expr()?);
        Ok(ExprKind::Let { bindings: names.into_iter().zip(values).collect(), body })
    }

    /// `x, y: T where e, z: U`, with attributes before each group.
    pub(super) fn variables(&mut self, into: &mut Vec<Variable>) -> Parsed<()> {
        loop {
            let attributes: Vec<Attribute> = self.attributes()?;
            let mut idents = vec![self.ident("a variable")?];
            while self.eat(Token::Comma) {
                idents.push(self.ident("a variable")?);
            }
            self.expect(Token::Colon)?;
            let ty = self.ty()?;
            let condition = if self.eat_word("where") { Some(Arc::new(self.expr()?)) } else { None };
            into.extend(idents.into_iter().map(|ident| Variable {
                ident,
                ty: ty.clone(),
                condition: condition.clone(),
                attributes: attributes.clone(),
            }));
            if !self.eat(Token::Comma) {
                return Ok(());
            }
        }
    }

    pub(super) fn digits(&mut self, text: &str) -> Parsed<BigUint> {
        if text.len() > MAX_DIGITS {
            let problem = Diagnostic::error(self.span(), format!("number has more than {MAX_DIGITS} digits"));
            return Err(self.fail(problem));
        }
        match text.parse() {
            Ok(number) => Ok(number),
            Err(_) => Err(self.unexpected("a number")),
        }
    }

    fn bv_literal(&mut self) -> Parsed<ExprKind> {
        let Some((digits, width)) = self.text_nth(0).split_once("bv") else {
            return Err(self.unexpected("a bit vector"));
        };
        let value = self.digits(digits)?;
        let Some(width) = width.parse().ok().filter(|&w: &u32| w <= MAX_BV_WIDTH) else {
            let message = format!("bit vectors of more than {MAX_BV_WIDTH} bits are not supported");
            return Err(self.fail(Diagnostic::error(self.span(), message)));
        };
        if value.bits() > u64::from(width) {
            let problem = Diagnostic::error(self.span(), format!("the value does not fit into {width} bits"))
                .help(format!("it needs {} bits", value.bits()));
            return Err(self.fail(problem));
        }
        self.bump();
        Ok(ExprKind::Bv { value, width })
    }

    /// `0x1.8e2f24e8`: what follows `f` are the widths of significand and exponent.
    fn float_literal(&mut self) -> Parsed<ExprKind> {
        let widths = self.text_nth(0).rsplit_once('f').and_then(|(_, widths)| {
            let (significand, exponent) = widths.split_once('e')?;
            Some((significand.parse().ok()?, exponent.parse().ok()?))
        });
        let Some((significand, exponent)) = widths else { return Err(self.unexpected("a number")) };
        self.bump();
        Ok(ExprKind::Float(significand, exponent))
    }
}
