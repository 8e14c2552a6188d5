//! Types to IR types. Instances of type constructors become sorts with mangled names.

use ir::{MutexKind, SyncType, Type};
use source::Span;

use crate::ast::Variable;
use crate::lower::{Lowered, Lowering};
use crate::types::{Ty, TyKind};

/// Types with more parts than this are refused: IR types are trees, and synonyms can double them.
const MAX_SIZE: usize = 1000;
/// How deep the IR lets types nest.
const MAX_DEPTH: usize = 64;

impl Lowering<'_> {
    /// The IR type; type variables of the function at hand are replaced first.
    pub(super) fn ty(&mut self, ty: Ty, span: Span) -> Lowered<Type> {
        let ty = self.instantiated(ty);
        if let Some(known) = self.types.get(&ty) {
            return Ok(known.clone());
        }
        let (size, depth) = self.size(ty);
        if size > MAX_SIZE || depth >= MAX_DEPTH {
            return Err(self.unsupported(span, "types this large"));
        }
        let lowered = match self.checked.types.kind(ty).clone() {
            TyKind::Bool => Type::Bool,
            TyKind::Int => Type::Int,
            TyKind::Task => Type::Task,
            TyKind::Mutex => Type::Sync(SyncType::Mutex(MutexKind::Plain)),
            TyKind::Bv(0) => return Err(self.unsupported(span, "bit vectors of width 0")),
            TyKind::Bv(width) => Type::Bv(width),
            TyKind::Map { params, domain, range } => {
                if params > 0 {
                    return Err(self.unsupported(span, "polymorphic maps"));
                }
                if domain.is_empty() {
                    return Err(self.unsupported(span, "maps without indices"));
                }
                let mut args = Vec::new();
                for index in domain {
                    args.push(self.ty(index, span)?);
                }
                Type::map(args, self.ty(range, span)?)
            }
            TyKind::Declared(name, args) => {
                let mut mangled = name.to_string();
                for arg in args {
                    mangled.push('.');
                    mangled.push_str(&mangle(&self.checked.types.show(arg)));
                }
                let declared = self.checked.symbols.types.get(&name).map(|&i| self.ast.types[i].ident.span);
                while self.program.sorts.values().any(|sort| sort.name == mangled) {
                    mangled.push('\'');
                }
                let sort = ir::Sort { name: mangled, span: declared.unwrap_or(span) };
                Type::Sort(self.program.sorts.push(sort))
            }
            TyKind::Real => return Err(self.unsupported(span, "real numbers")),
            TyKind::Float(..) | TyKind::RoundingMode => return Err(self.unsupported(span, "floats")),
            TyKind::Param(_) | TyKind::Bound(..) | TyKind::Infer(_) => {
                return Err(self.unsupported(span, "values of a variable type"));
            }
            TyKind::Error => return Err(self.unsupported(span, "this type")),
        };
        self.types.insert(ty, lowered.clone());
        Ok(lowered)
    }

    /// The IR type of a declared variable.
    pub(super) fn variable_type(&mut self, var: &Variable) -> Lowered<Type> {
        let ty = self.checked.variable(var);
        self.ty(ty, var.ident.span)
    }

    /// The type with the type variables of the function at hand replaced.
    pub(super) fn instantiated(&mut self, ty: Ty) -> Ty {
        if self.env.type_params.is_empty() {
            return ty;
        }
        self.checked.types.substitute(ty, &self.env.type_params, &self.env.type_args)
    }

    /// How many parts a type has, and how deep it nests.
    fn size(&mut self, ty: Ty) -> (usize, usize) {
        if let Some(&known) = self.sizes.get(&ty) {
            return known;
        }
        let parts: Vec<Ty> = match self.checked.types.kind(ty) {
            TyKind::Map { domain, range, .. } => domain.iter().copied().chain([*range]).collect(),
            TyKind::Declared(_, args) => args.clone(),
            _ => Vec::new(),
        };
        let size = parts.into_iter().fold((1usize, 0), |(size, depth), part| {
            let (more, deep) = self.size(part);
            (size.saturating_add(more), depth.max(deep + 1))
        });
        self.sizes.insert(ty, size);
        size
    }
}

/// A type's text as part of a name.
pub(super) fn mangle(shown: &str) -> String {
    let mut name = String::new();
    for c in shown.chars() {
        match c {
            '[' => name.push_str("map."),
            ']' => name.push_str(".to."),
            ' ' => name.push('.'),
            ',' | '(' | ')' => {}
            _ => name.push(c),
        }
    }
    name
}
