//! What the names declared at the top of a file stand for.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use source::{Diagnostic, Span};

use crate::ast::{Attribute, Ident, Name, Signature, Variable, attribute};
use crate::check::Checker;
use crate::types::Ty;

type Map<V> = IndexMap<Name, V, FxBuildHasher>;

/// A function.
#[derive(Clone, Debug)]
pub struct FunctionSymbol {
    /// Which declaration of the program.
    pub index: usize,
    /// Its type variables.
    pub type_params: Vec<Ty>,
    /// Types of its parameters.
    pub params: Vec<Ty>,
    /// Type of its result.
    pub result: Ty,
}

/// Where a procedure's body is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyRef {
    /// It has none.
    None,
    /// With the procedure.
    Own,
    /// In an implementation.
    Implementation(usize),
}

/// A procedure.
#[derive(Clone, Debug)]
pub struct ProcedureSymbol {
    /// Which declaration of the program.
    pub index: usize,
    /// Its type variables.
    pub type_params: Vec<Ty>,
    /// Types of its parameters.
    pub params: Vec<Ty>,
    /// Types of its results.
    pub results: Vec<Ty>,
    /// Its body.
    pub body: BodyRef,
}

/// A constant or global variable.
#[derive(Clone, Copy, Debug)]
pub struct ValueSymbol {
    /// Which declaration of the program.
    pub index: usize,
    /// Its type.
    pub ty: Ty,
}

/// What the names at the top stand for; variables and constants share one name space.
#[derive(Debug, Default)]
pub struct Symbols {
    /// Types: which declaration.
    pub types: Map<usize>,
    /// What each synonym stands for, once asked.
    pub(super) synonyms: Vec<super::type_syntax::Synonym>,
    /// Constants.
    pub consts: Map<ValueSymbol>,
    /// Global variables.
    pub globals: Map<ValueSymbol>,
    /// Functions.
    pub functions: Map<FunctionSymbol>,
    /// Procedures.
    pub procedures: Map<ProcedureSymbol>,
}

impl<'a> Checker<'a> {
    /// Enters all names of the program.
    pub(super) fn declare_all(&mut self) {
        let program = self.program;
        self.declare_types();
        for (index, decl) in program.consts.iter().enumerate() {
            let ty = self.resolve_type(&decl.ty);
            if self.is_new_value(&decl.ident, &decl.attributes) {
                self.symbols.consts.insert(decl.ident.name.clone(), ValueSymbol { index, ty });
            }
        }
        for (index, decl) in program.globals.iter().enumerate() {
            let ty = self.resolve_type(&decl.ty);
            if self.is_new_value(&decl.ident, &decl.attributes) {
                self.symbols.globals.insert(decl.ident.name.clone(), ValueSymbol { index, ty });
            }
        }
        for index in 0..program.functions.len() {
            self.declare_function(index);
        }
        for index in 0..program.procedures.len() {
            self.declare_procedure(index);
        }
        for (index, implementation) in program.implementations.iter().enumerate() {
            self.attach_implementation(index, &implementation.ident);
        }
    }

    fn declare_types(&mut self) {
        let program = self.program;
        self.symbols.synonyms.resize_with(program.types.len(), Default::default);
        for (index, decl) in program.types.iter().enumerate() {
            let known = self.symbols.types.get(&decl.ident.name).map(|&first| &program.types[first]);
            if let Some(first) = known {
                if attribute(&decl.attributes, "extern").is_none() {
                    self.duplicate("type", &decl.ident, first.ident.span);
                }
                continue;
            }
            self.symbols.types.insert(decl.ident.name.clone(), index);
        }
        for index in 0..program.types.len() {
            self.resolve_synonym(index);
        }
    }

    fn duplicate(&mut self, what: &str, ident: &Ident, first: Span) {
        let problem = Diagnostic::error(ident.span, format!("{what} `{}` is declared twice", ident.name))
            .label("again")
            .with(first, "first declared here");
        self.problems.push(problem);
    }

    fn is_new_value(&mut self, ident: &Ident, attributes: &[Attribute]) -> bool {
        let program = self.program;
        let first = match (self.symbols.consts.get(&ident.name), self.symbols.globals.get(&ident.name)) {
            (Some(symbol), _) => program.consts[symbol.index].ident.span,
            (None, Some(symbol)) => program.globals[symbol.index].ident.span,
            (None, None) => return true,
        };
        // Boogie lets an external declaration repeat another one.
        if attribute(attributes, "extern").is_none() {
            self.duplicate("variable or constant", ident, first);
        }
        false
    }

    fn declare_function(&mut self, index: usize) {
        let decl = &self.program.functions[index];
        let mark = self.scope.mark();
        let type_params = self.enter_type_params(&decl.type_params);
        let params = decl.params.iter().map(|p| self.resolve_type(&p.ty)).collect();
        let result = self.resolve_type(&decl.result);
        self.scope.reset(mark);
        if let Some(first) = self.symbols.functions.get(&decl.ident.name) {
            let first = self.program.functions[first.index].ident.span;
            if attribute(&decl.attributes, "extern").is_none() {
                self.duplicate("function", &decl.ident, first);
            }
            return;
        }
        let symbol = FunctionSymbol { index, type_params, params, result };
        self.symbols.functions.insert(decl.ident.name.clone(), symbol);
    }

    fn declare_procedure(&mut self, index: usize) {
        let decl = &self.program.procedures[index];
        let mark = self.scope.mark();
        let (type_params, params, results) = self.resolve_signature(&decl.signature);
        self.scope.reset(mark);
        if let Some(first) = self.symbols.procedures.get(&decl.ident.name) {
            let first = self.program.procedures[first.index].ident.span;
            if attribute(&decl.attributes, "extern").is_none() {
                self.duplicate("procedure", &decl.ident, first);
            }
            return;
        }
        let body = if decl.body.is_some() { BodyRef::Own } else { BodyRef::None };
        let symbol = ProcedureSymbol { index, type_params, params, results, body };
        self.symbols.procedures.insert(decl.ident.name.clone(), symbol);
    }

    /// Types of a signature; its type variables stay in scope.
    pub(super) fn resolve_signature(&mut self, signature: &'a Signature) -> (Vec<Ty>, Vec<Ty>, Vec<Ty>) {
        let type_params = self.enter_type_params(&signature.type_params);
        let mut types = |vars: &'a [Variable]| vars.iter().map(|v| self.resolve_type(&v.ty)).collect();
        let params = types(&signature.params);
        let results = types(&signature.results);
        (type_params, params, results)
    }

    pub(super) fn enter_type_params(&mut self, params: &[Ident]) -> Vec<Ty> {
        params
            .iter()
            .map(|ident| {
                let ty = self.types.fresh_param();
                self.scope.add_type(&ident.name, ty);
                ty
            })
            .collect()
    }

    fn attach_implementation(&mut self, index: usize, ident: &Ident) {
        let program = self.program;
        let Some(symbol) = self.symbols.procedures.get_mut(&ident.name) else {
            let known: Vec<Name> = self.symbols.procedures.keys().cloned().collect();
            self.unknown_name("procedure", &ident.name, ident.span, known.iter().map(|n| &**n));
            return;
        };
        match symbol.body {
            BodyRef::None => symbol.body = BodyRef::Implementation(index),
            BodyRef::Own => {
                let first = program.procedures[symbol.index].ident.span;
                self.duplicate("body of", ident, first);
            }
            BodyRef::Implementation(first) => {
                let first = program.implementations[first].ident.span;
                self.duplicate("implementation of", ident, first);
            }
        }
    }
}
