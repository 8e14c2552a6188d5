//! Types.

use crate::ast::{Ident, Type, TypeKind};
use crate::lexer::Token;
use crate::parser::{Parsed, Parser};

impl Parser<'_> {
    pub(super) fn ty(&mut self) -> Parsed<Type> {
        self.nested(|p| p.ty_here(true))
    }

    /// A type; `with_args` unless it is itself an argument without brackets around it.
    fn ty_here(&mut self, with_args: bool) -> Parsed<Type> {
        let start = self.span();
        match self.peek() {
            Token::OpenParen => {
                self.bump();
                let inner = self.ty()?;
                self.expect(Token::CloseParen)?;
                Ok(Type { span: self.span_since(start), kind: inner.kind })
            }
            Token::OpenBracket | Token::Lt => self.map_type(),
            _ if self.is_word("int") || self.is_word("bool") => {
                let ident = Ident { name: self.text_nth(0).into(), span: start };
                self.bump();
                Ok(Type { span: start, kind: TypeKind::Named(ident, Vec::new()) })
            }
            Token::Ident { .. } => {
                let ident = self.ident("a type")?;
                let mut args = Vec::new();
                while with_args && self.starts_type_arg() {
                    args.push(self.nested(|p| p.ty_here(false))?);
                }
                Ok(Type { span: self.span_since(start), kind: TypeKind::Named(ident, args) })
            }
            _ => Err(self.unexpected("a type")),
        }
    }

    fn starts_type_arg(&self) -> bool {
        match self.peek() {
            Token::OpenParen | Token::OpenBracket => true,
            Token::Ident { .. } => {
                self.is_word("int")
                    || self.is_word("bool")
                    // A constant's parents may follow its type.
                    || (self.is_name() && !self.is_word("extends") && !self.is_word("complete"))
            }
            _ => false,
        }
    }

    fn map_type(&mut self) -> Parsed<Type> {
        let start = self.span();
        let params = self.type_params()?;
        self.expect(Token::OpenBracket)?;
        let mut domain = Vec::new();
        if self.peek() != Token::CloseBracket {
            domain.push(self.ty()?);
            while self.eat(Token::Comma) {
                domain.push(self.ty()?);
            }
        }
        self.expect(Token::CloseBracket)?;
        let range = Box::new(self.ty()?);
        Ok(Type { span: self.span_since(start), kind: TypeKind::Map { params, domain, range } })
    }

    /// `<a, b>`, if there.
    pub(super) fn type_params(&mut self) -> Parsed<Vec<Ident>> {
        if !self.eat(Token::Lt) {
            return Ok(Vec::new());
        }
        let params = self.idents("a type variable")?;
        self.expect(Token::Gt)?;
        Ok(params)
    }
}
