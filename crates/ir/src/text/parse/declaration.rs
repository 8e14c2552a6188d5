//! Declarations: found first, then read kind by kind.

use source::Span;

use super::procedure::Head;
use super::{Failed, Parsed, Parser};
use crate::text::lex::Kind;
use crate::{Axiom, Const, Func, FuncId, Global, GlobalId, Sort, Type};

/// A declaration and its tokens, without the keyword.
struct Item {
    kind: &'static str,
    from: usize,
    to: usize,
}

const KINDS: [&str; 7] = ["sort", "const", "func", "axiom", "var", "thread", "proc"];

/// What is read once all names are known.
#[derive(Clone, Copy)]
enum Rest {
    Body(FuncId, usize, usize),
    Init(GlobalId, usize, usize),
    Axiom(usize, usize),
    Thread(usize, usize),
    Proc(Head),
}

impl Parser<'_> {
    pub(super) fn file(&mut self) {
        if self.cursor.expect_word("program").and_then(|()| self.cursor.expect(";")).is_err() {
            return;
        }
        let items = self.items();
        let mut rests = Vec::new();
        // Types come first: everything else needs them.
        let (sorts, others): (Vec<Item>, Vec<Item>) = items.into_iter().partition(|item| item.kind == "sort");
        for item in sorts.into_iter().chain(others) {
            if self.cursor.gave_up() {
                return;
            }
            self.cursor.enter(item.from, item.to);
            if let Ok(Some(rest)) = self.head(&item) {
                rests.push(rest);
            }
        }
        for rest in rests {
            if self.cursor.gave_up() {
                return;
            }
            // The error has been noted; the next declaration is read all the same.
            let _ = self.rest(rest);
        }
    }

    fn items(&mut self) -> Vec<Item> {
        let mut items = Vec::new();
        while *self.cursor.kind() != Kind::End && !self.cursor.gave_up() {
            let found = match self.cursor.kind() {
                Kind::Word(word) => KINDS.iter().find(|kind| *kind == word),
                _ => None,
            };
            let Some(kind) = found else {
                let _ = self.cursor.expected("a declaration");
                self.skip_declaration();
                continue;
            };
            self.cursor.skip();
            let from = self.cursor.at();
            self.skip_declaration();
            items.push(Item { kind, from, to: self.cursor.at() });
        }
        items
    }

    /// Goes behind the semicolon or, if a brace comes first and is no trigger, behind the matching brace.
    fn skip_declaration(&mut self) {
        let mut depth = 0usize;
        while let Kind::Symbol(_)
        | Kind::Word(_)
        | Kind::Quoted(_)
        | Kind::Number(_)
        | Kind::Bits(..)
        | Kind::Text(_) = self.cursor.kind()
        {
            let trigger = depth == 0
                && matches!(self.cursor.kind_at(self.cursor.at().wrapping_sub(1)), Kind::Symbol("::" | "}"));
            let closed = if self.cursor.is("{") {
                depth += if trigger { 0 } else { 1 };
                false
            } else if self.cursor.is("}") && depth > 0 {
                depth -= 1;
                depth == 0
            } else {
                depth == 0 && self.cursor.is(";")
            };
            self.cursor.skip();
            if closed {
                return;
            }
        }
    }

    fn head(&mut self, item: &Item) -> Parsed<Option<Rest>> {
        let rest = match item.kind {
            "sort" => {
                let (name, span) = self.declared_name("a sort")?;
                self.cursor.expect(";")?;
                let id = self.program.sorts.push(Sort { name: name.clone(), span });
                self.names.sorts.declare(&mut self.cursor, "sort", &name, id, span);
                None
            }
            "const" => {
                self.constant()?;
                None
            }
            "func" => self.function()?,
            "axiom" => Some(Rest::Axiom(item.from, item.to)),
            "var" => self.global()?,
            "thread" => Some(Rest::Thread(item.from, item.to)),
            _ => Some(Rest::Proc(self.procedure_head()?)),
        };
        Ok(rest)
    }

    fn rest(&mut self, rest: Rest) -> Parsed<()> {
        match rest {
            Rest::Body(id, from, to) => {
                self.cursor.enter(from, to);
                for (name, ty) in self.program.funcs[id].params.clone() {
                    self.names.bind(name, ty);
                }
                let body = self.expr();
                self.names.unbind(0);
                self.program.funcs[id].body = Some(body?);
                self.cursor.expect(";")
            }
            Rest::Init(id, from, to) => {
                self.cursor.enter(from, to);
                let init = self.whole_expr()?;
                self.program.globals[id].init = Some(init);
                self.cursor.expect(";")
            }
            Rest::Axiom(from, to) => {
                self.cursor.enter(from, to);
                let formula = self.whole_expr()?;
                let span = self.cursor.span_from(from);
                self.program.axioms.push(Axiom { formula, span });
                self.cursor.expect(";")
            }
            Rest::Thread(from, to) => {
                self.cursor.enter(from, to);
                let id = self.proc_name()?;
                self.program.threads.push(id);
                self.cursor.expect(";")
            }
            Rest::Proc(head) => {
                self.procedure_body(head);
                Ok(())
            }
        }
    }

    /// An expression outside of procedures, with nothing bound around it.
    fn whole_expr(&mut self) -> Parsed<crate::ExprId> {
        let result = self.expr();
        self.names.unbind(0);
        result
    }

    fn constant(&mut self) -> Parsed<()> {
        let unique = self.cursor.is_word("unique") && *self.cursor.peek(1) != Kind::Symbol(":");
        if unique {
            self.cursor.skip();
        }
        let (name, ty, span) = self.typed_name("a constant")?;
        self.cursor.expect(";")?;
        let id = self.program.consts.push(Const { name: name.clone(), ty, unique, span });
        self.names.consts.declare(&mut self.cursor, "constant", &name, id, span);
        Ok(())
    }

    fn function(&mut self) -> Parsed<Option<Rest>> {
        let (name, span) = self.declared_name("a function")?;
        self.cursor.expect("(")?;
        let params = self.typed_names("a parameter")?;
        self.cursor.expect(":")?;
        let result = self.ty()?;
        let params = params.into_iter().map(|(name, ty, _)| (name, ty)).collect();
        let func = Func { name: name.clone(), params, result, body: None, span };
        let id = self.program.funcs.push(func);
        self.names.funcs.declare(&mut self.cursor, "function", &name, id, span);
        self.rest_after_equals(|from, to| Rest::Body(id, from, to))
    }

    fn global(&mut self) -> Parsed<Option<Rest>> {
        let (name, ty, span) = self.typed_name("a variable")?;
        let id = self.program.globals.push(Global { name: name.clone(), ty, init: None, span });
        self.names.globals.declare(&mut self.cursor, "variable", &name, id, span);
        self.rest_after_equals(|from, to| Rest::Init(id, from, to))
    }

    fn rest_after_equals(&mut self, rest: impl FnOnce(usize, usize) -> Rest) -> Parsed<Option<Rest>> {
        if self.cursor.take("=") {
            return Ok(Some(rest(self.cursor.at(), self.cursor.end())));
        }
        if self.cursor.take(";") { Ok(None) } else { Err(self.cursor.expected("`=` or `;`")) }
    }

    pub(super) fn declared_name(&mut self, what: &str) -> Parsed<(String, Span)> {
        let span = self.cursor.span();
        Ok((self.cursor.name(&format!("the name of {what}"))?, span))
    }

    /// `name: type`.
    pub(super) fn typed_name(&mut self, what: &str) -> Parsed<(String, Type, Span)> {
        let (name, span) = self.declared_name(what)?;
        self.cursor.expect(":")?;
        Ok((name, self.ty()?, span))
    }

    /// What stands between parentheses, after the first; takes the second.
    pub(super) fn typed_names(&mut self, what: &str) -> Result<Vec<(String, Type, Span)>, Failed> {
        let mut all = Vec::new();
        if self.cursor.take(")") {
            return Ok(all);
        }
        loop {
            all.push(self.typed_name(what)?);
            if self.cursor.take(")") {
                return Ok(all);
            }
            self.cursor.expect(",")?;
        }
    }
}
