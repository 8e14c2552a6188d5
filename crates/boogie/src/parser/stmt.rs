//! Statements and bodies.

use source::Diagnostic;

use crate::ast::{Block, Body, Call, Expr, Guard, IfArm, Invariant, Stmt, StmtKind, Target, attribute};
use crate::lexer::Token;
use crate::parser::{Parsed, Parser};

impl Parser<'_> {
    /// `{ var ...; statements }`
    pub(super) fn body(&mut self) -> Parsed<Body> {
        let start = self.span();
        self.expect(Token::OpenBrace)?;
        let mut locals = Vec::new();
        while self.eat_word("var") {
            let declared = self.variables(&mut locals).and_then(|()| self.expect_semicolon());
            if declared.is_err() {
                self.recover_in_block();
            }
        }
        let stmts = self.stmts();
        self.expect(Token::CloseBrace)?;
        Ok(Body { locals, block: Block { stmts, span: self.span_since(start) } })
    }

    pub(super) fn block(&mut self) -> Parsed<Block> {
        self.nested(|p| {
            let start = p.span();
            p.expect(Token::OpenBrace)?;
            let stmts = p.stmts();
            p.expect(Token::CloseBrace)?;
            Ok(Block { stmts, span: p.span_since(start) })
        })
    }

    /// Statements up to a closing brace or something that cannot be in a body.
    fn stmts(&mut self) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        while !self.at_block_end() {
            let before = self.at;
            match self.stmt() {
                Ok(stmt) => stmts.push(stmt),
                Err(_) => {
                    self.recover_in_block();
                    if self.at == before {
                        self.bump();
                    }
                }
            }
        }
        stmts
    }

    fn at_block_end(&self) -> bool {
        matches!(self.peek(), Token::CloseBrace | Token::End)
            || ["procedure", "implementation", "function", "axiom", "type", "const"]
                .iter()
                .any(|w| self.is_word(w))
    }

    /// Skips the rest of a broken statement.
    fn recover_in_block(&mut self) {
        let mut open = 0usize;
        loop {
            match self.peek() {
                Token::OpenBrace => open += 1,
                Token::CloseBrace if open > 0 => open -= 1,
                Token::Semicolon if open == 0 => return self.bump(),
                _ if open == 0 && self.at_block_end() => return,
                Token::End => return,
                _ => {}
            }
            self.bump();
        }
    }

    fn stmt(&mut self) -> Parsed<Stmt> {
        let start = self.span();
        let kind = self.stmt_kind()?;
        Ok(Stmt { span: self.span_since(start), kind })
    }

    fn stmt_kind(&mut self) -> Parsed<StmtKind> {
        if self.is_name() && self.peek_nth(1) == Token::Colon {
            let label = self.ident("a label")?;
            self.bump();
            return Ok(StmtKind::Label(label));
        }
        if self.peek() != (Token::Ident { escaped: false }) {
            return if self.is_name() { self.assignment() } else { Err(self.unexpected("a statement")) };
        }
        if let Some(stmt) = self.concurrency_stmt() {
            return stmt;
        }
        match self.text_nth(0) {
            "if" => return self.if_stmt(),
            "while" => return self.while_stmt(),
            "call" => {
                self.bump();
                return self.call_stmt(false);
            }
            "var" => {
                let problem =
                    Diagnostic::error(self.span(), "a local variable is declared between statements")
                        .label("too late")
                        .help("move the declaration to the start of the body");
                return Err(self.fail(problem));
            }
            _ => {}
        }
        let kind = match self.text_nth(0) {
            "assert" => {
                self.bump();
                StmtKind::Assert(self.attributes()?, self.expr()?)
            }
            "assume" => {
                self.bump();
                StmtKind::Assume(self.attributes()?, self.expr()?)
            }
            "havoc" => {
                self.bump();
                StmtKind::Havoc(self.idents("a variable")?)
            }
            "goto" => {
                self.bump();
                StmtKind::Goto(self.idents("a label")?)
            }
            "break" => {
                self.bump();
                StmtKind::Break(if self.is_name() { Some(self.ident("a label")?) } else { None })
            }
            "return" => {
                self.bump();
                if self.peek() == Token::Semicolon {
                    StmtKind::Return
                } else {
                    StmtKind::ReturnValue(self.expr()?)
                }
            }
            _ if self.is_name() => return self.assignment(),
            _ => return Err(self.unexpected("a statement")),
        };
        self.expect_semicolon()?;
        Ok(kind)
    }

    pub(super) fn target(&mut self) -> Parsed<Target> {
        let start = self.span();
        let ident = self.ident("a variable")?;
        let mut path = Vec::new();
        while self.eat(Token::OpenBracket) {
            path.push(if self.peek() == Token::CloseBracket { Vec::new() } else { self.exprs()? });
            self.expect(Token::CloseBracket)?;
        }
        Ok(Target { ident, path, span: self.span_since(start) })
    }

    pub(super) fn targets(&mut self) -> Parsed<Vec<Target>> {
        let mut targets = vec![self.target()?];
        while self.eat(Token::Comma) {
            targets.push(self.target()?);
        }
        Ok(targets)
    }

    fn assignment(&mut self) -> Parsed<StmtKind> {
        let targets = self.targets()?;
        if self.peek() != Token::Assign {
            let name = &targets[0].ident.name;
            let help = match self.peek() {
                Token::Equals | Token::Eq => "an assignment is written `x := e;`".to_owned(),
                Token::OpenParen => format!("to call a procedure, write `call {name}(...);`"),
                _ => "a statement is an assignment `x := e;` or starts with a keyword".to_owned(),
            };
            let message = format!("expected `:=`, found {}", self.here());
            let problem = Diagnostic::error(self.span(), message).label("expected `:=`").help(help);
            return Err(self.fail(problem));
        }
        self.bump();
        if let Some(stmt) = self.concurrency_value(&targets) {
            return stmt;
        }
        let values = self.exprs()?;
        self.expect_semicolon()?;
        Ok(StmtKind::Assign(targets, values))
    }

    fn guard(&mut self) -> Parsed<Guard> {
        let attributes = self.attributes()?;
        self.expect(Token::OpenParen)?;
        let guard = if self.peek() == Token::Star && self.peek_nth(1) == Token::CloseParen {
            self.bump();
            Guard::Any { fair: attribute(&attributes, "fair").is_some() }
        } else {
            Guard::Expr(self.expr()?)
        };
        self.expect(Token::CloseParen)?;
        Ok(guard)
    }

    fn if_stmt(&mut self) -> Parsed<StmtKind> {
        let mut arms = Vec::new();
        let mut otherwise = None;
        loop {
            let start = self.span();
            self.expect_word("if")?;
            let guard = self.guard()?;
            let span = self.span_since(start);
            arms.push(IfArm { guard, body: self.block()?, span });
            if !self.eat_word("else") {
                break;
            }
            if !self.is_word("if") {
                otherwise = Some(self.block()?);
                break;
            }
        }
        Ok(StmtKind::If { arms, otherwise })
    }

    fn while_stmt(&mut self) -> Parsed<StmtKind> {
        let start = self.span();
        self.bump();
        let guard = self.guard()?;
        let head = self.span_since(start);
        let mut invariants = Vec::new();
        while self.is_word("invariant") || (self.is_word("free") && self.is_word_nth(1, "invariant")) {
            let free = self.eat_word("free");
            self.expect_word("invariant")?;
            let attributes = self.attributes()?;
            let condition = self.expr()?;
            self.expect_semicolon()?;
            invariants.push(Invariant { free, attributes, condition });
        }
        let body = self.block()?;
        Ok(StmtKind::While { guard, invariants, body, head })
    }

    /// What follows the word `call`.
    pub(super) fn call_stmt(&mut self, is_async: bool) -> Parsed<StmtKind> {
        let mut calls = Vec::new();
        let attributes = self.attributes()?;
        if self.eat_word("forall") {
            let start = self.span();
            let procedure = self.ident("a procedure")?;
            let args = self.call_args()?;
            self.expect_semicolon()?;
            let span = self.span_since(start);
            return Ok(StmtKind::CallForall(Call {
                span,
                attributes,
                is_async: false,
                results: Vec::new(),
                procedure,
                args,
            }));
        }
        let is_async = is_async || attribute(&attributes, "async").is_some();
        loop {
            let start = self.span();
            let mut results = self.idents("a procedure")?;
            let procedure = if self.eat(Token::Assign) {
                self.ident("a procedure")?
            } else if results.len() == 1 {
                results.remove(0)
            } else {
                return Err(self.unexpected("`:=`"));
            };
            let args = self.call_args()?;
            let span = self.span_since(start);
            let attributes = attributes.clone();
            calls.push(Call { span, attributes, is_async, results, procedure, args });
            if !self.eat(Token::Bar) {
                break;
            }
        }
        self.expect_semicolon()?;
        match calls.pop() {
            Some(call) if calls.is_empty() => Ok(StmtKind::Call(call)),
            last => {
                calls.extend(last);
                Ok(StmtKind::ParallelCall(calls))
            }
        }
    }

    fn call_args(&mut self) -> Parsed<Vec<Option<Expr>>> {
        self.expect(Token::OpenParen)?;
        let mut args = Vec::new();
        if self.peek() != Token::CloseParen {
            loop {
                let wildcard = self.peek() == Token::Star
                    && matches!(self.peek_nth(1), Token::Comma | Token::CloseParen);
                if wildcard {
                    self.bump();
                    args.push(None);
                } else {
                    args.push(Some(self.expr()?));
                }
                if !self.eat(Token::Comma) {
                    break;
                }
            }
        }
        self.expect(Token::CloseParen)?;
        Ok(args)
    }
}
