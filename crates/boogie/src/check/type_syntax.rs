//! From written types to interned ones: built-in names, declared types, synonyms, type variables.

use source::{Diagnostic, Span};

use crate::ast::{Ident, Name, Type, TypeKind};
use crate::check::Checker;
use crate::types::{Ty, TyKind};

/// How deep synonyms may refer to synonyms.
const MAX_SYNONYM_DEPTH: usize = 200;
/// The widest bit vector.
const MAX_BV_WIDTH: u32 = 1 << 16;

/// What a type synonym stands for.
#[derive(Clone, Debug, Default)]
pub(super) enum Synonym {
    /// Not looked at yet.
    #[default]
    Unresolved,
    /// Being looked at: to need it now is a cycle.
    InProgress,
    /// A type over these type variables.
    Done(Vec<Ty>, Ty),
}

impl<'a> Checker<'a> {
    pub(super) fn resolve_type(&mut self, ty: &'a Type) -> Ty {
        let resolved = self.resolve_at(ty, &mut Vec::new(), 0);
        self.check_type_height(ty.span);
        resolved
    }

    pub(super) fn check_type_height(&mut self, span: Span) {
        if self.types.took_too_high() {
            self.error(span, "type nests too deeply");
        }
    }

    /// `bound` are the variables of the map types around, from the outside in.
    fn resolve_at(&mut self, ty: &'a Type, bound: &mut Vec<&'a [Ident]>, depth: usize) -> Ty {
        match &ty.kind {
            TypeKind::Map { params, domain, range } => {
                if !params.is_empty() {
                    bound.push(params);
                }
                let domain = domain.iter().map(|t| self.resolve_at(t, bound, depth)).collect();
                let range = self.resolve_at(range, bound, depth);
                if !params.is_empty() {
                    bound.pop();
                }
                let params = u32::try_from(params.len()).unwrap_or(u32::MAX);
                self.types.intern(TyKind::Map { params, domain, range })
            }
            TypeKind::Named(ident, args) => {
                let args: Vec<Ty> = args.iter().map(|t| self.resolve_at(t, bound, depth)).collect();
                for (level, params) in bound.iter().rev().enumerate() {
                    if let Some(index) = params.iter().position(|p| p.name == ident.name) {
                        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
                        return self.types.intern(TyKind::Bound(number(level), number(index)));
                    }
                }
                self.resolve_named(ident, args, ty.span, depth)
            }
        }
    }

    fn resolve_named(&mut self, ident: &'a Ident, args: Vec<Ty>, span: Span, depth: usize) -> Ty {
        if let Some(var) = self.scope.get_type(&ident.name) {
            return var;
        }
        if let Some(&index) = self.symbols.types.get(&ident.name) {
            let decl = &self.program.types[index];
            if decl.params.len() != args.len() {
                let problem = Diagnostic::error(
                    span,
                    format!(
                        "type `{}` takes {} arguments, found {}",
                        ident.name,
                        decl.params.len(),
                        args.len()
                    ),
                )
                .with(decl.ident.span, "declared here");
                self.problems.push(problem);
                return Ty::ERROR;
            }
            if decl.synonym.is_none() {
                return self.types.intern(TyKind::Declared(ident.name.clone(), args));
            }
            let Some((params, ty)) = self.synonym(index, depth) else { return Ty::ERROR };
            return self.types.substitute(ty, &params, &args);
        }
        let Some(ty) = self.built_in(&ident.name) else {
            let mut known: Vec<Name> = self.symbols.types.keys().cloned().collect();
            known.extend(["int", "bool", "real", "task", "mutex"].map(Name::from));
            self.unknown_name("type", &ident.name, ident.span, known.iter().map(|n| &**n));
            return Ty::ERROR;
        };
        if !args.is_empty() {
            self.error(span, format!("type `{}` takes no arguments", ident.name));
        }
        ty
    }

    fn built_in(&mut self, name: &str) -> Option<Ty> {
        Some(match name {
            "int" => Ty::INT,
            "bool" => Ty::BOOL,
            "real" => Ty::REAL,
            "rmode" => Ty::ROUNDING_MODE,
            "task" => Ty::TASK,
            "mutex" => Ty::MUTEX,
            _ => {
                if let Some(width) = name.strip_prefix("bv") {
                    let width = decimal(width).filter(|&w| w <= MAX_BV_WIDTH)?;
                    return Some(self.types.intern(TyKind::Bv(width)));
                }
                let (significand, exponent) = name.strip_prefix("float")?.split_once('e')?;
                self.types.intern(TyKind::Float(decimal(significand)?, decimal(exponent)?))
            }
        })
    }

    pub(super) fn resolve_synonym(&mut self, index: usize) {
        self.synonym(index, 0);
    }

    fn synonym(&mut self, index: usize, depth: usize) -> Option<(Vec<Ty>, Ty)> {
        let decl = &self.program.types[index];
        let written = decl.synonym.as_ref()?;
        match &self.symbols.synonyms[index] {
            Synonym::Done(params, ty) => return Some((params.clone(), *ty)),
            Synonym::InProgress => {
                self.error(decl.ident.span, format!("type `{}` stands for itself", decl.ident.name));
                return None;
            }
            Synonym::Unresolved if depth > MAX_SYNONYM_DEPTH => {
                self.error(decl.ident.span, "type synonyms refer to each other too deeply");
                return None;
            }
            Synonym::Unresolved => {}
        }
        self.symbols.synonyms[index] = Synonym::InProgress;
        // Only the synonym's own variables are in scope in what it stands for.
        let scope = std::mem::take(&mut self.scope);
        let params = self.enter_type_params(&decl.params);
        let ty = self.resolve_at(written, &mut Vec::new(), depth + 1);
        self.scope = scope;
        self.check_type_height(written.span);
        self.symbols.synonyms[index] = Synonym::Done(params.clone(), ty);
        Some((params, ty))
    }
}

/// Digits only: `bv+8` is no type.
fn decimal(text: &str) -> Option<u32> {
    if text.bytes().all(|b| b.is_ascii_digit()) { text.parse().ok() } else { None }
}
