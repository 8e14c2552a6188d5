//! Declarations.

use source::Diagnostic;

use crate::ast::{
    Attribute, AttributeArg, Axiom, Condition, ConstDecl, Function, FunctionParam, Ident, Implementation,
    Procedure, Program, Signature, Specification, TypeDecl, TypeKind,
};
use crate::lexer::Token;
use crate::parser::{Parsed, Parser};

const DECLARATIONS: &[&str] = &["axiom", "const", "function", "implementation", "procedure", "type", "var"];

impl Parser<'_> {
    /// All declarations of a file.
    pub(super) fn declarations(&mut self, program: &mut Program) {
        while self.peek() != Token::End {
            let before = self.at;
            if self.declaration(program).is_err() {
                self.recover_outside(before);
            }
            if self.problems.is_full() {
                return;
            }
        }
    }

    fn recover_outside(&mut self, before: usize) {
        if self.at == before {
            self.bump();
        }
        let mut open = 0usize;
        while self.peek() != Token::End {
            match self.peek() {
                Token::OpenBrace => open += 1,
                Token::CloseBrace => open = open.saturating_sub(1),
                _ if open == 0 && DECLARATIONS.iter().any(|w| self.is_word(w)) => return,
                _ => {}
            }
            self.bump();
        }
    }

    fn declaration(&mut self, program: &mut Program) -> Parsed<()> {
        if self.peek() != (Token::Ident { escaped: false }) {
            return if self.eat(Token::Semicolon) { Ok(()) } else { Err(self.unexpected("a declaration")) };
        }
        match self.text_nth(0) {
            "type" => self.type_decl(program),
            "const" => self.const_decl(program),
            "function" => self.function(program),
            "axiom" => {
                let start = self.span();
                self.bump();
                let attributes = self.attributes()?;
                let formula = self.expr()?;
                self.expect_semicolon()?;
                program.axioms.push(Axiom { attributes, formula, span: self.span_since(start) });
                Ok(())
            }
            "var" => {
                self.bump();
                self.variables(&mut program.globals)?;
                self.expect_semicolon()
            }
            "procedure" => self.procedure(program),
            "implementation" => self.implementation(program),
            "datatype" => {
                let problem = Diagnostic::error(self.span(), "not supported yet: datatypes");
                Err(self.fail(problem))
            }
            _ => Err(self.unexpected("a declaration")),
        }
    }

    /// `{:a} {:b "text", e}`, as many as there are.
    pub(super) fn attributes(&mut self) -> Parsed<Vec<Attribute>> {
        let mut attributes = Vec::new();
        while self.peek() == Token::OpenBrace && self.peek_nth(1) == Token::Colon {
            self.bump();
            self.bump();
            // Any word will do here, keywords included.
            let Token::Ident { .. } = self.peek() else {
                return Err(self.unexpected("the attribute's name"));
            };
            let name = Ident { name: self.text_nth(0).into(), span: self.span() };
            self.bump();
            let mut args = Vec::new();
            while self.peek() != Token::CloseBrace {
                if self.peek() == Token::String {
                    let quoted = self.text_nth(0);
                    let text = quoted.strip_prefix('"').unwrap_or(quoted);
                    args.push(AttributeArg::String(text.strip_suffix('"').unwrap_or(text).to_owned()));
                    self.bump();
                } else {
                    args.push(AttributeArg::Expr(self.expr()?));
                }
                if !self.eat(Token::Comma) {
                    break;
                }
            }
            self.expect(Token::CloseBrace)?;
            attributes.push(Attribute { name, args });
        }
        Ok(attributes)
    }

    fn type_decl(&mut self, program: &mut Program) -> Parsed<()> {
        self.bump();
        let attributes = self.attributes()?;
        self.eat_finite();
        loop {
            let ident = self.ident("the type's name")?;
            let mut params = Vec::new();
            while self.is_name() {
                params.push(self.ident("a type variable")?);
            }
            let synonym = if self.eat(Token::Equals) { Some(self.ty()?) } else { None };
            program.types.push(TypeDecl { ident, attributes: attributes.clone(), params, synonym });
            if !self.eat(Token::Comma) {
                break;
            }
        }
        self.expect_semicolon()
    }

    /// `type finite T;` of old Boogie, unless the type is called `finite`.
    fn eat_finite(&mut self) {
        if self.is_word("finite") && self.is_name_nth(1) && self.peek_nth(2) == Token::Semicolon {
            self.bump();
        }
    }

    fn const_decl(&mut self, program: &mut Program) -> Parsed<()> {
        self.bump();
        let attributes = self.attributes()?;
        let unique = self.is_word("unique") && self.is_name_nth(1);
        if unique {
            self.bump();
        }
        let idents = self.idents("a constant")?;
        self.expect(Token::Colon)?;
        let ty = self.ty()?;
        let mut parents = Vec::new();
        if self.eat_word("extends") || self.eat(Token::Below) {
            while self.is_name() && !self.is_word("complete") {
                if self.is_word("unique") && self.is_name_nth(1) {
                    self.bump();
                }
                parents.push(self.ident("a constant")?);
                if !self.eat(Token::Comma) {
                    break;
                }
            }
        }
        self.eat_word("complete");
        self.expect_semicolon()?;
        program.consts.extend(idents.into_iter().map(|ident| ConstDecl {
            ident,
            attributes: attributes.clone(),
            unique,
            ty: ty.clone(),
            parents: parents.clone(),
        }));
        Ok(())
    }

    fn function(&mut self, program: &mut Program) -> Parsed<()> {
        self.bump();
        let attributes = self.attributes()?;
        let ident = self.ident("the function's name")?;
        let type_params = self.type_params()?;
        self.expect(Token::OpenParen)?;
        let mut params = Vec::new();
        if self.peek() != Token::CloseParen {
            loop {
                params.push(self.function_param()?);
                if !self.eat(Token::Comma) {
                    break;
                }
            }
        }
        self.expect(Token::CloseParen)?;
        share_types(&mut params);
        let result = if self.eat_word("returns") {
            self.expect(Token::OpenParen)?;
            let result = self.function_param()?.ty;
            self.expect(Token::CloseParen)?;
            result
        } else if self.eat(Token::Colon) {
            self.ty()?
        } else {
            return Err(self.unexpected("`returns` or `:` and the type of the result"));
        };
        let body = if self.eat(Token::OpenBrace) {
            let body = self.expr()?;
            self.expect(Token::CloseBrace)?;
            Some(body)
        } else {
            self.expect_semicolon()?;
            None
        };
        program.functions.push(Function { ident, attributes, type_params, params, result, body });
        Ok(())
    }

    /// `T` or `x: T`.
    fn function_param(&mut self) -> Parsed<FunctionParam> {
        self.attributes()?;
        let first = self.ty()?;
        if !self.eat(Token::Colon) {
            return Ok(FunctionParam { ident: None, ty: first });
        }
        let ident = match first.kind {
            TypeKind::Named(ident, args) if args.is_empty() => ident,
            _ => {
                let problem = Diagnostic::error(first.span, "expected a parameter's name, found a type");
                return Err(self.fail(problem));
            }
        };
        Ok(FunctionParam { ident: Some(ident), ty: self.ty()? })
    }

    fn signature(&mut self) -> Parsed<Signature> {
        let type_params = self.type_params()?;
        let mut params = Vec::new();
        self.expect(Token::OpenParen)?;
        if self.peek() != Token::CloseParen {
            self.variables(&mut params)?;
        }
        self.expect(Token::CloseParen)?;
        let mut results = Vec::new();
        if self.eat_word("returns") {
            self.expect(Token::OpenParen)?;
            if self.peek() != Token::CloseParen {
                self.variables(&mut results)?;
            }
            self.expect(Token::CloseParen)?;
        }
        Ok(Signature { type_params, params, results })
    }

    fn procedure(&mut self, program: &mut Program) -> Parsed<()> {
        self.bump();
        let attributes = self.attributes()?;
        let ident = self.ident("the procedure's name")?;
        let signature = self.signature()?;
        let without_body = self.eat(Token::Semicolon);
        let mut spec = Specification::default();
        while self.spec_clause(&mut spec)? {}
        let body = if without_body { None } else { Some(self.body()?) };
        program.procedures.push(Procedure { ident, attributes, signature, spec, body });
        Ok(())
    }

    /// Reads one clause if there is one.
    fn spec_clause(&mut self, spec: &mut Specification) -> Parsed<bool> {
        let start = self.span();
        let free = self.eat_word("free");
        if self.is_word("requires") || self.is_word("ensures") {
            let clauses = if self.is_word("requires") { &mut spec.requires } else { &mut spec.ensures };
            self.bump();
            let attributes = self.attributes()?;
            let formula = self.expr()?;
            self.expect_semicolon()?;
            clauses.push(Condition { free, attributes, formula, span: self.span_since(start) });
        } else if self.eat_word("modifies") {
            if self.is_name() {
                spec.modifies.extend(self.idents("a global variable")?);
            }
            self.expect_semicolon()?;
        } else if self.is_word("posts") && !free {
            // c2s: which procedures are started asynchronously. The body says so itself.
            self.bump();
            if self.is_name() {
                self.idents("a procedure")?;
            }
            self.expect_semicolon()?;
        } else if free {
            return Err(self.unexpected("`requires` or `ensures`"));
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    fn implementation(&mut self, program: &mut Program) -> Parsed<()> {
        self.bump();
        let attributes = self.attributes()?;
        let ident = self.ident("the procedure's name")?;
        let signature = self.signature()?;
        let body = self.body()?;
        program.implementations.push(Implementation { ident, attributes, signature, body });
        Ok(())
    }
}

/// `i, j: int` reads as a parameter of type `i` and then `j: int`. Boogie wants all parameters named or none, so
/// where one has a name, those before it that look like types are names too, as c2s writes them.
fn share_types(params: &mut [FunctionParam]) {
    let mut shared = None;
    for param in params.iter_mut().rev() {
        match (&param.ident, &param.ty.kind, &shared) {
            (Some(_), ..) => shared = Some(param.ty.clone()),
            (None, TypeKind::Named(name, args), Some(ty)) if args.is_empty() => {
                param.ident = Some(name.clone());
                param.ty = ty.clone();
            }
            _ => shared = None,
        }
    }
}
