//! From a checked program to the IR.
//!
//! Only what the entry reaches is lowered ([`reach`]), so that what the IR cannot express (reals, polymorphic
//! maps) matters only where it is used. One simple statement becomes one op: a context switch is possible between
//! statements and nowhere else.

mod builtin;
mod concurrency;
mod control;
mod defining;
mod entry;
mod expr;
mod function;
mod in_use;
mod layout;
mod primitive;
mod procedure;
mod reach;
mod response;
mod specification;
mod stmt;
mod thread;
mod transaction;
mod types;

use ir::{ConstId, FuncId, GlobalId, LocalId, ProcId, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use source::{Diagnostic, SourceMap, Span};

use crate::ast::{Expr, Name, Program};
use crate::check::Checked;
use crate::problems::Problems;
use crate::types::Ty;
use reach::Reached;

/// A program ready for the engines.
#[derive(Debug)]
pub struct Loaded {
    /// The program.
    pub program: ir::Program,
    /// The response property that came with it.
    pub response: Option<ir::Response>,
    /// What the user should know of it.
    pub warnings: Vec<Diagnostic>,
}

/// Lowers a checked program. `file_span` is where problems of the whole file are reported.
///
/// # Errors
/// When there is no entry, or something it reaches cannot be expressed.
pub fn lower(
    map: &SourceMap,
    checked: Checked<'_>,
    entry: Option<&str>,
    file_span: Span,
) -> Result<Loaded, Vec<Diagnostic>> {
    let threads = entry::find(&checked, entry, file_span).map_err(|problem| vec![problem])?;
    let reached = reach::from_threads(&checked, &threads);
    let mut lowering = Lowering {
        map,
        ast: checked.program,
        checked,
        reached,
        program: ir::Program::default(),
        types: FxHashMap::default(),
        sizes: FxHashMap::default(),
        consts: FxHashMap::default(),
        globals: FxHashMap::default(),
        procs: FxHashMap::default(),
        functions: FxHashMap::default(),
        function_names: FxHashSet::default(),
        function_queue: Vec::new(),
        fork_maps: FxHashMap::default(),
        forks: concurrency::Forks::default(),
        thread_local: FxHashMap::default(),
        numbers: Vec::new(),
        env: Env::default(),
        problems: Problems::default(),
        warnings: Vec::new(),
    };
    lowering.declare();
    lowering.declare_numbers();
    lowering.lower_procedures(&threads);
    lowering.guard_forks();
    let response = lowering.lower_response();
    lowering.lower_functions();
    lowering.lower_axioms();
    lowering.adopt_definitions();
    lowering.untangle_recursion();
    let Lowering { program, warnings, problems, .. } = lowering;
    let loaded = problems.into_result(Loaded { program, response, warnings })?;
    // A program that breaks the IR's rules is our mistake, but better refused than analysed.
    match ir::validate(&loaded.program) {
        Ok(()) => Ok(loaded),
        Err(broken) => Err(broken.iter().map(Diagnostic::from).take(20).collect()),
    }
}

/// A diagnostic was recorded; what was being lowered is left out.
#[derive(Clone, Copy, Debug)]
struct Refused;

type Lowered<T> = Result<T, Refused>;

/// What a name bound inside an expression stands for.
#[derive(Debug)]
enum Bound<'a> {
    Variable(ir::ExprId),
    /// A `let`. A quantifier's variables have levels, so its value under one more quantifier is another
    /// expression: it is lowered once per level at which it is used.
    Value {
        value: &'a Expr,
        outside: usize,
        in_old: bool,
        known: Vec<(u32, ir::ExprId)>,
    },
}

/// What names stand for where an expression is lowered.
#[derive(Debug, Default)]
struct Env<'a> {
    locals: FxHashMap<Name, (LocalId, Type)>,
    /// Globals' values on entry to the procedure.
    snapshots: FxHashMap<Name, LocalId>,
    in_old: bool,
    /// Bound variables and `let`s, innermost last.
    bound: Vec<(Name, Bound<'a>)>,
    /// How many variables are bound: the next one's level.
    level: u32,
    /// What the type variables of a polymorphic function stand for.
    type_params: Vec<Ty>,
    type_args: Vec<Ty>,
}

struct Lowering<'a> {
    map: &'a SourceMap,
    ast: &'a Program,
    checked: Checked<'a>,
    reached: Reached,
    program: ir::Program,
    types: FxHashMap<Ty, Type>,
    sizes: FxHashMap<Ty, (usize, usize)>,
    consts: FxHashMap<Name, (ConstId, Type)>,
    globals: FxHashMap<Name, (GlobalId, Type)>,
    procs: FxHashMap<Name, ProcId>,
    functions: FxHashMap<(Name, Vec<Ty>), (FuncId, Type)>,
    function_names: FxHashSet<String>,
    /// Instances of functions whose bodies are to be lowered.
    function_queue: Vec<(Name, Vec<Ty>, FuncId)>,
    /// Handles of forked threads, by the types of their ids and which results of those in `forks` they have.
    fork_maps: FxHashMap<(Vec<Ty>, usize), (GlobalId, Type)>,
    forks: concurrency::Forks,
    /// Globals that are maps from threads to their own values, with the expression for the running thread.
    thread_local: FxHashMap<GlobalId, ir::ExprId>,
    numbers: Vec<thread::Numbers>,
    env: Env<'a>,
    problems: Problems,
    warnings: Vec<Diagnostic>,
}

impl<'a> Lowering<'a> {
    fn unsupported(&mut self, span: Span, what: &str) -> Refused {
        self.problems.push(Diagnostic::error(span, format!("not supported yet: {what}")));
        Refused
    }

    /// Declares the constants and globals that are reached, in the order of the source.
    fn declare(&mut self) {
        let ast = self.ast;
        for (index, decl) in ast.consts.iter().enumerate() {
            let Some(symbol) = self.checked.symbols.consts.get(&decl.ident.name).copied() else { continue };
            if symbol.index != index || !self.reached.consts.contains(&decl.ident.name) {
                continue;
            }
            if let Ok(ty) = self.ty(symbol.ty, decl.ident.span) {
                let id = self.program.consts.push(ir::Const {
                    name: decl.ident.name.to_string(),
                    ty: ty.clone(),
                    unique: decl.unique,
                    span: decl.ident.span,
                });
                self.consts.insert(decl.ident.name.clone(), (id, ty));
            }
        }
        for (index, decl) in ast.globals.iter().enumerate() {
            let Some(symbol) = self.checked.symbols.globals.get(&decl.ident.name).copied() else { continue };
            if symbol.index != index || !self.reached.globals.contains(&decl.ident.name) {
                continue;
            }
            if let Ok(ty) = self.ty(symbol.ty, decl.ident.span) {
                let global = self.global_type(decl, &ty);
                let is_own = global != ty;
                let id = self.program.globals.push(ir::Global {
                    name: decl.ident.name.to_string(),
                    ty: global,
                    init: None,
                    span: decl.ident.span,
                });
                if is_own {
                    let this = self.program.exprs.add(ir::ExprNode::SelfTask);
                    self.thread_local.insert(id, this);
                }
                self.globals.insert(decl.ident.name.clone(), (id, ty));
            }
        }
    }

    /// Source text for a message: one line, not too long.
    fn quote(&self, span: Span) -> String {
        const LONGEST: usize = 100;
        let words: Vec<&str> = self.map.text(span).split_whitespace().collect();
        let line = words.join(" ");
        match line.char_indices().nth(LONGEST) {
            Some((cut, _)) => format!("{}...", &line[..cut]),
            None => line,
        }
    }
}
