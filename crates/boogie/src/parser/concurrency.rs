//! Statements of the concurrency dialect.
//!
//! Their keywords are ordinary names everywhere else, so each is recognised by what follows it: no other
//! statement starts with two names in a row, a name and a number, or a name and a brace.

use crate::ast::{StmtKind, Target};
use crate::lexer::Token;
use crate::parser::{Parsed, Parser};

impl Parser<'_> {
    /// The statement here if it is one of the concurrency dialect.
    pub(super) fn concurrency_stmt(&mut self) -> Option<Parsed<StmtKind>> {
        let next_is_name = self.is_name_nth(1);
        let next_is_operand = next_is_name
            || matches!(
                self.peek_nth(1),
                Token::Int | Token::Bv | Token::OpenParen | Token::Minus | Token::Not
            )
            || ["true", "false", "if", "old"].iter().any(|word| self.is_word_nth(1, word));
        match self.text_nth(0) {
            "async" if self.is_word_nth(1, "call") => {
                self.bump();
                self.bump();
                Some(self.call_stmt(true))
            }
            "par" if self.is_word_nth(1, "call") || next_is_name => {
                self.bump();
                self.eat_word("call");
                Some(self.call_stmt(false))
            }
            "yield" if self.peek_nth(1) == Token::Semicolon => {
                self.bump();
                self.bump();
                Some(Ok(StmtKind::Yield))
            }
            "atomic" if self.peek_nth(1) == Token::OpenBrace => {
                self.bump();
                Some(self.block().map(StmtKind::Atomic))
            }
            "wait" if next_is_name || self.peek_nth(1) == Token::OpenParen => Some(self.wait(Vec::new())),
            "acquire" if next_is_name => {
                self.bump();
                Some(self.lock_place().map(StmtKind::Acquire))
            }
            "release" if next_is_name => {
                self.bump();
                Some(self.lock_place().map(StmtKind::Release))
            }
            "fork" if next_is_operand => Some(self.fork()),
            "join" if next_is_operand => Some(self.join()),
            _ => None,
        }
    }

    /// What follows `:=` if it is `wait t` or `tryacquire m`.
    pub(super) fn concurrency_value(&mut self, targets: &[Target]) -> Option<Parsed<StmtKind>> {
        if !self.is_name_nth(1) {
            return None;
        }
        if self.is_word("wait") {
            return Some(self.wait(targets.to_vec()));
        }
        if self.is_word("tryacquire")
            && let [result] = targets
        {
            self.bump();
            let result = result.clone();
            return Some(self.lock_place().map(|lock| StmtKind::TryAcquire { result, lock }));
        }
        None
    }

    fn wait(&mut self, results: Vec<Target>) -> Parsed<StmtKind> {
        self.bump();
        let task = self.expr()?;
        self.expect_semicolon()?;
        Ok(StmtKind::Wait { results, task })
    }

    fn lock_place(&mut self) -> Parsed<Target> {
        let place = self.target()?;
        self.expect_semicolon()?;
        Ok(place)
    }

    fn fork(&mut self) -> Parsed<StmtKind> {
        self.bump();
        let ids = self.exprs()?;
        let procedure = self.ident("the procedure to fork")?;
        self.expect(Token::OpenParen)?;
        let args = if self.peek() == Token::CloseParen { Vec::new() } else { self.exprs()? };
        self.expect(Token::CloseParen)?;
        self.expect_semicolon()?;
        Ok(StmtKind::Fork { ids, procedure, args })
    }

    fn join(&mut self) -> Parsed<StmtKind> {
        self.bump();
        let ids = self.exprs()?;
        let results = if self.eat_word("assign") { self.targets()? } else { Vec::new() };
        self.expect_semicolon()?;
        Ok(StmtKind::Join { ids, results })
    }
}
