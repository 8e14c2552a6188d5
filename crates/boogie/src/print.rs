//! Sequential programs of the IR as plain Boogie.
//!
//! The text is Boogie 2 as its own verifier reads it, and this crate's frontend reads it too. Three things are not as in
//! the IR:
//!
//! - Initial values are assigned at the start of the entry procedure.
//! - Where the entry procedure returns, and where the program exits, the text has `assume false`. For assertions this
//!   makes no difference, and Boogie's stratified inlining counts a run that comes to the end as a violation.
//! - A large expression is computed in parts, by assignments to new local variables. So a text is never much larger than
//!   the program, although the program shares equal expressions.
//!
//! Stratified inlining looks at the assertions of the entry procedure only. The programs of `sequentialize` have no
//! others.

mod expr;
mod name;
mod op;
mod operator;
mod procedure;
mod size;

use std::fmt::Write;

use ir::{ExprId, Global, OpRef, Program, Type};
use rustc_hash::FxHashMap;
use source::Span;

use expr::ExprWriter;
use name::Names;
use operator::Operators;
use size::Sizes;

/// What Boogie cannot express.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unprintable {
    /// In words.
    pub what: String,
    /// Where.
    pub span: Span,
}

impl std::fmt::Display for Unprintable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for Unprintable {}

/// The text of a sequential program. `note` gives what to say of an op, in a comment at the end of its line.
///
/// # Errors
/// When the program is not sequential, or has an expression that is too large where it cannot be split: in an axiom, in
/// the body of a function, or under a quantifier. When it is not valid.
pub fn print(program: &Program, note: &dyn Fn(OpRef) -> Option<String>) -> Result<String, Unprintable> {
    if let Err(broken) = ir::validate(program) {
        let what = broken.first().map(ToString::to_string).unwrap_or_default();
        return Err(Unprintable { what: format!("the program is not valid: {what}"), span: Span::NONE });
    }
    let [entry] = program.threads[..] else {
        let what = "the program is not sequential: it has several threads".to_owned();
        return Err(Unprintable { what, span: Span::NONE });
    };
    let names = Names::new(program);
    let mut printer = Printer {
        program,
        note,
        operators: Operators::new(names.callable.clone()),
        names,
        sizes: Sizes::new(&program.exprs),
        no_parts: FxHashMap::default(),
        out: String::new(),
    };
    printer.declarations()?;
    printer.procedures(entry)?;
    let mut text = printer.operators.declarations();
    text.push_str(&printer.out);
    Ok(text)
}

struct Printer<'a> {
    program: &'a Program,
    note: &'a dyn Fn(OpRef) -> Option<String>,
    names: Names,
    sizes: Sizes,
    operators: Operators,
    no_parts: FxHashMap<ExprId, String>,
    out: String,
}

type Printed<T> = Result<T, Unprintable>;

impl Printer<'_> {
    fn declarations(&mut self) -> Printed<()> {
        let program = self.program;
        for id in program.sorts.keys() {
            let _ = writeln!(self.out, "type {};", self.names.sorts[id]);
        }
        for (id, constant) in &program.consts {
            let unique = if constant.unique { "unique " } else { "" };
            let ty = self.ty(&constant.ty, constant.span)?;
            let _ = writeln!(self.out, "const {unique}{}: {ty};", self.names.consts[id]);
        }
        self.functions()?;
        for axiom in &program.axioms {
            self.sizes.check_whole(axiom.formula, axiom.span)?;
            let formula = self.exprs(axiom.span).write(axiom.formula)?;
            let _ = writeln!(self.out, "axiom {formula};");
        }
        for (id, Global { ty, span, .. }) in &program.globals {
            let ty = self.ty(ty, *span)?;
            let _ = writeln!(self.out, "var {}: {ty};", self.names.globals[id]);
        }
        Ok(())
    }

    /// A function with a body is expanded before it goes to the solver: it is its body, and no axiom.
    fn functions(&mut self) -> Printed<()> {
        let program = self.program;
        for (id, func) in &program.funcs {
            if let Some(body) = func.body {
                self.sizes.check_whole(body, func.span)?;
            }
            let mut exprs = self.exprs(func.span);
            let names = exprs.bind(func.params.iter().map(|(name, _)| name.as_str()));
            let body = func.body.map(|body| exprs.write(body)).transpose()?;
            let mut params = Vec::new();
            for (name, (_, ty)) in names.iter().zip(&func.params) {
                params.push(format!("{name}: {}", self.ty(ty, func.span)?));
            }
            let (name, params) = (&self.names.funcs[id], params.join(", "));
            let result = self.ty(&func.result, func.span)?;
            let _ = match body {
                Some(body) => {
                    writeln!(
                        self.out,
                        "function {{:inline}} {name}({params}) returns ({result}) {{ {body} }}"
                    )
                }
                None => writeln!(self.out, "function {name}({params}) returns ({result});"),
            };
        }
        Ok(())
    }

    /// Writes expressions outside procedures.
    fn exprs(&mut self, span: Span) -> ExprWriter<'_> {
        ExprWriter {
            program: self.program,
            names: &self.names,
            operators: &mut self.operators,
            proc: None,
            scope: &self.names.outer,
            parts: &self.no_parts,
            span,
            bound: Vec::new(),
            indices: Vec::new(),
        }
    }

    fn ty(&self, ty: &Type, span: Span) -> Printed<String> {
        type_text(&self.names, ty, span)
    }
}

fn type_text(names: &Names, ty: &Type, span: Span) -> Printed<String> {
    Ok(match ty {
        Type::Bool => "bool".to_owned(),
        Type::Int => "int".to_owned(),
        Type::Bv(width) => format!("bv{width}"),
        Type::Sort(id) => names.sorts[*id].clone(),
        Type::Map(map) => {
            let args = map.args.iter().map(|ty| type_text(names, ty, span)).collect::<Printed<Vec<_>>>()?;
            format!("[{}]{}", args.join(", "), type_text(names, &map.result, span)?)
        }
        Type::Task => return Err(Unprintable { what: "a task handle".to_owned(), span }),
        Type::Sync(_) => return Err(Unprintable { what: "a synchronization object".to_owned(), span }),
    })
}
