//! Types, with their sizes in memory.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::module::{Module, Type, TypeId, TypeKind};
use crate::raw::{self, Source};

/// The types of a module that were met so far.
pub(super) struct Types<'m> {
    source: Source<'m>,
    known: FxHashMap<raw::Type<'m>, TypeId>,
}

impl<'m> Types<'m> {
    pub(super) fn new(source: Source<'m>) -> Self {
        Types { source, known: FxHashMap::default() }
    }

    /// The id of a type. Those it is made of come first.
    pub(super) fn id(&mut self, module: &mut Module, ty: raw::Type<'m>) -> TypeId {
        if let Some(&id) = self.known.get(&ty) {
            return id;
        }
        let mut open = vec![ty];
        // What was begun is not begun again: text may declare a struct that contains itself.
        let mut begun = FxHashSet::default();
        while let Some(&top) = open.last() {
            if begun.insert(top) {
                let parts = top.element().into_iter().chain(top.fields());
                open.extend(parts.filter(|part| !self.known.contains_key(part) && !begun.contains(part)));
                continue;
            }
            open.pop();
            if !self.known.contains_key(&top) {
                let made = self.make(top);
                let id = module.types.push(made);
                self.known.insert(top, id);
            }
        }
        self.known[&ty]
    }

    /// The type, of parts that are known.
    fn make(&self, ty: raw::Type<'m>) -> Type {
        let kind = match ty.kind() {
            raw::TypeKind::LLVMVoidTypeKind => Some(TypeKind::Void),
            raw::TypeKind::LLVMIntegerTypeKind => Some(TypeKind::Int(ty.int_width())),
            raw::TypeKind::LLVMHalfTypeKind => Some(TypeKind::Float(16)),
            raw::TypeKind::LLVMFloatTypeKind => Some(TypeKind::Float(32)),
            raw::TypeKind::LLVMDoubleTypeKind => Some(TypeKind::Float(64)),
            raw::TypeKind::LLVMX86_FP80TypeKind => Some(TypeKind::Float(80)),
            raw::TypeKind::LLVMFP128TypeKind => Some(TypeKind::Float(128)),
            raw::TypeKind::LLVMPointerTypeKind => Some(TypeKind::Ptr),
            raw::TypeKind::LLVMFunctionTypeKind => Some(TypeKind::Function),
            raw::TypeKind::LLVMArrayTypeKind => {
                self.element(ty).map(|element| TypeKind::Array { element, count: ty.count() })
            }
            raw::TypeKind::LLVMVectorTypeKind => {
                self.element(ty).map(|element| TypeKind::Vector { element, count: ty.count() })
            }
            raw::TypeKind::LLVMStructTypeKind => self.structure(ty),
            _ => None,
        };
        let kind = kind.unwrap_or_else(|| TypeKind::Other(ty.print()));
        Type { kind, size: self.source.alloc_size(ty) }
    }

    fn element(&self, ty: raw::Type<'m>) -> Option<TypeId> {
        self.known.get(&ty.element()?).copied()
    }

    fn structure(&self, ty: raw::Type<'m>) -> Option<TypeKind> {
        let offsets = self.source.field_offsets(ty)?;
        let fields = offsets.into_iter().zip(ty.fields());
        let fields: Option<_> = fields.map(|(at, field)| Some((at, *self.known.get(&field)?))).collect();
        Some(TypeKind::Struct { name: ty.struct_name(), fields: fields? })
    }
}

/// The id of a type of a kind; it is added if there is none.
pub(super) fn type_id(module: &mut Module, kind: TypeKind, size: u64) -> TypeId {
    let known = module.types.iter().find(|(_, ty)| ty.kind == kind).map(|(id, _)| id);
    known.unwrap_or_else(|| module.types.push(Type { kind, size }))
}

/// The array that a global variable was declared as. Clang splits one whose end is all zero: `int a[9] = {1, 2}` is a struct
/// of two numbers and an array of seven.
pub(super) fn declared(module: &mut Module, ty: TypeId) -> TypeId {
    let TypeKind::Struct { name: None, fields } = &module.types[ty].kind else { return ty };
    let fields = fields.clone();
    let Some(&(_, last)) = fields.last() else { return ty };
    let TypeKind::Array { element, .. } = module.types[last].kind else { return ty };
    let size = module.types[element].size;
    let mut end = 0;
    for (at, field) in fields {
        let field = declared(module, field);
        let fits = field == element
            || matches!(module.types[field].kind, TypeKind::Array { element: own, .. } if own == element);
        if at != end || !fits {
            return ty;
        }
        end += module.types[field].size;
    }
    if size == 0 || end != module.types[ty].size {
        return ty;
    }
    let array = Type { kind: TypeKind::Array { element, count: end / size }, size: end };
    let known = module.types.iter().find(|(_, known)| **known == array).map(|(id, _)| id);
    known.unwrap_or_else(|| module.types.push(array))
}
