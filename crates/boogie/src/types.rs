//! Types as the checker sees them, interned: equal types have equal ids.
//!
//! Interning keeps `type T1 = [T0]T0; type T2 = [T1]T1; ...` linear where trees would double at every step.
//! Variables bound by a polymorphic map type are de Bruijn indices, so that two such types are equal whatever
//! their variables are called.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::ast::Name;

/// An interned type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ty(u32);

/// What a type is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TyKind {
    /// Stands for what has been reported already; fits everywhere.
    Error,
    /// `bool`
    Bool,
    /// `int`
    Int,
    /// `real`
    Real,
    /// Rounding modes of floats.
    RoundingMode,
    /// A handle of a task.
    Task,
    /// A lock.
    Mutex,
    /// `bvN`
    Bv(u32),
    /// `floatNeM`
    Float(u32, u32),
    /// A map type; `params` variables are bound in it.
    Map {
        /// How many variables it binds.
        params: u32,
        /// Types of the indices.
        domain: Vec<Ty>,
        /// Type of the cells.
        range: Ty,
    },
    /// A declared type with its arguments.
    Declared(Name, Vec<Ty>),
    /// A type variable of a declaration or quantifier; each has its own number.
    Param(u32),
    /// A variable of a map type: how many map types outwards, and which one there.
    Bound(u32, u32),
    /// To be found by inference.
    Infer(u32),
}

/// All types of a program.
#[derive(Debug)]
pub struct TypeTable {
    kinds: IndexSet<TyKind, FxBuildHasher>,
    /// Whether a type holds an [`TyKind::Infer`].
    open: Vec<bool>,
    /// How high the type is as a tree.
    heights: Vec<u16>,
    params: u32,
    too_high: bool,
}

/// How high a type may be: other code recurses over types.
const MAX_HEIGHT: u16 = 500;

impl Ty {
    /// See [`TyKind::Error`].
    pub const ERROR: Ty = Ty(0);
    /// `bool`
    pub const BOOL: Ty = Ty(1);
    /// `int`
    pub const INT: Ty = Ty(2);
    /// `real`
    pub const REAL: Ty = Ty(3);
    /// `rmode`
    pub const ROUNDING_MODE: Ty = Ty(4);
    /// `task`
    pub const TASK: Ty = Ty(5);
    /// `mutex`
    pub const MUTEX: Ty = Ty(6);
}

impl Default for TypeTable {
    fn default() -> Self {
        let mut table = TypeTable {
            kinds: IndexSet::default(),
            open: Vec::new(),
            heights: Vec::new(),
            params: 0,
            too_high: false,
        };
        // The order is that of the constants above.
        for kind in [
            TyKind::Error,
            TyKind::Bool,
            TyKind::Int,
            TyKind::Real,
            TyKind::RoundingMode,
            TyKind::Task,
            TyKind::Mutex,
        ] {
            table.intern(kind);
        }
        table
    }
}

impl TypeTable {
    /// The type of a kind; [`Ty::ERROR`] if it nests too deeply, which [`TypeTable::took_too_high`] then tells.
    pub fn intern(&mut self, kind: TyKind) -> Ty {
        if let Some(index) = self.kinds.get_index_of(&kind) {
            return Ty(u32::try_from(index).unwrap_or(0));
        }
        let (mut open, mut height) = (matches!(kind, TyKind::Infer(_)), 0);
        let mut part = |ty: Ty| {
            open |= self.open[ty.0 as usize];
            height = height.max(self.heights[ty.0 as usize] + 1);
        };
        match &kind {
            TyKind::Map { domain, range, .. } => {
                domain.iter().copied().for_each(&mut part);
                part(*range);
            }
            TyKind::Declared(_, args) => args.iter().copied().for_each(part),
            _ => {}
        }
        if height > MAX_HEIGHT {
            self.too_high = true;
            return Ty::ERROR;
        }
        let (index, _) = self.kinds.insert_full(kind);
        self.open.push(open);
        self.heights.push(height);
        // A table of 2^32 types needs more memory than the largest accepted file can ask for.
        Ty(u32::try_from(index).unwrap_or(0))
    }

    /// Whether a type nested too deeply since the last time this was asked.
    pub fn took_too_high(&mut self) -> bool {
        std::mem::take(&mut self.too_high)
    }

    /// What a type is.
    #[must_use]
    pub fn kind(&self, ty: Ty) -> &TyKind {
        &self.kinds[ty.0 as usize]
    }

    /// Whether inference has still to find a part of it.
    #[must_use]
    pub fn is_open(&self, ty: Ty) -> bool {
        self.open[ty.0 as usize]
    }

    /// A new type variable of a declaration.
    pub fn fresh_param(&mut self) -> Ty {
        self.params += 1;
        self.intern(TyKind::Param(self.params))
    }

    /// A type rebuilt, each leaf (a kind without parts) replaced by what `leaf` returns for it and its depth in map
    /// types; `None` keeps it.
    pub fn rebuild(&mut self, ty: Ty, leaf: &mut dyn FnMut(&TyKind, u32) -> Option<Ty>) -> Ty {
        self.rebuild_at(ty, 0, leaf, &mut FxHashMap::default())
    }

    fn rebuild_at(
        &mut self,
        ty: Ty,
        depth: u32,
        leaf: &mut dyn FnMut(&TyKind, u32) -> Option<Ty>,
        done: &mut FxHashMap<(Ty, u32), Ty>,
    ) -> Ty {
        if let Some(&known) = done.get(&(ty, depth)) {
            return known;
        }
        let new = match self.kind(ty).clone() {
            TyKind::Map { params, domain, range } => {
                let inside = depth + u32::from(params > 0);
                let domain = domain.into_iter().map(|t| self.rebuild_at(t, inside, leaf, done)).collect();
                let range = self.rebuild_at(range, inside, leaf, done);
                self.intern(TyKind::Map { params, domain, range })
            }
            TyKind::Declared(name, args) if !args.is_empty() => {
                let args = args.into_iter().map(|t| self.rebuild_at(t, depth, leaf, done)).collect();
                self.intern(TyKind::Declared(name, args))
            }
            kind => leaf(&kind, depth).unwrap_or(ty),
        };
        done.insert((ty, depth), new);
        new
    }

    /// Replaces the type variables `from` by the types `to`.
    pub fn substitute(&mut self, ty: Ty, from: &[Ty], to: &[Ty]) -> Ty {
        if from.is_empty() {
            return ty;
        }
        let numbers: FxHashMap<u32, Ty> = from
            .iter()
            .zip(to)
            .filter_map(|(&f, &t)| match self.kind(f) {
                TyKind::Param(number) => Some((*number, t)),
                _ => None,
            })
            .collect();
        self.rebuild(ty, &mut |kind, _| match kind {
            TyKind::Param(number) => numbers.get(number).copied(),
            _ => None,
        })
    }

    /// A part of a polymorphic map type with the map's variables replaced by the types `to`.
    pub fn open_map(&mut self, part: Ty, to: &[Ty]) -> Ty {
        self.rebuild(part, &mut |kind, depth| match kind {
            TyKind::Bound(level, index) if *level == depth => to.get(*index as usize).copied(),
            _ => None,
        })
    }

    /// Whether values of this type are locks or maps to locks.
    #[must_use]
    pub fn holds_mutex(&self, mut ty: Ty) -> bool {
        loop {
            match self.kind(ty) {
                TyKind::Mutex => return true,
                TyKind::Map { range, .. } => ty = *range,
                _ => return false,
            }
        }
    }

    /// The type as a person writes it; long ones are cut.
    #[must_use]
    pub fn show(&self, ty: Ty) -> String {
        let mut text = String::new();
        self.show_into(ty, false, &mut text);
        text
    }

    fn show_into(&self, ty: Ty, bracket: bool, out: &mut String) {
        const LONGEST: usize = 120;
        if out.len() > LONGEST {
            if !out.ends_with("...") {
                out.push_str("...");
            }
            return;
        }
        match self.kind(ty) {
            TyKind::Error | TyKind::Infer(_) => out.push('_'),
            TyKind::Bool => out.push_str("bool"),
            TyKind::Int => out.push_str("int"),
            TyKind::Real => out.push_str("real"),
            TyKind::RoundingMode => out.push_str("rmode"),
            TyKind::Task => out.push_str("task"),
            TyKind::Mutex => out.push_str("mutex"),
            TyKind::Bv(width) => out.push_str(&format!("bv{width}")),
            TyKind::Float(significand, exponent) => out.push_str(&format!("float{significand}e{exponent}")),
            TyKind::Param(number) => out.push_str(&format!("'{number}")),
            TyKind::Bound(level, index) => out.push_str(&format!("'{level}.{index}")),
            TyKind::Declared(name, args) => {
                let bracket = bracket && !args.is_empty();
                if bracket {
                    out.push('(');
                }
                out.push_str(name);
                for &arg in args {
                    out.push(' ');
                    self.show_into(arg, true, out);
                }
                if bracket {
                    out.push(')');
                }
            }
            TyKind::Map { domain, range, .. } => {
                out.push('[');
                for (at, &index) in domain.iter().enumerate() {
                    if at > 0 {
                        out.push_str(", ");
                    }
                    self.show_into(index, false, out);
                }
                out.push(']');
                self.show_into(*range, false, out);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_types_are_one_and_print_as_written() {
        let mut table = TypeTable::default();
        let byte = table.intern(TyKind::Bv(8));
        let map = TyKind::Map { params: 0, domain: vec![Ty::INT, Ty::BOOL], range: byte };
        let a = table.intern(map.clone());
        assert_eq!(a, table.intern(map));
        assert_eq!(table.show(a), "[int, bool]bv8");
        assert_eq!(table.kind(Ty::MUTEX), &TyKind::Mutex);
    }

    #[test]
    fn substitution_reaches_every_part() {
        let mut table = TypeTable::default();
        let param = table.fresh_param();
        let list = table.intern(TyKind::Declared("List".into(), vec![param]));
        let map = table.intern(TyKind::Map { params: 0, domain: vec![param], range: list });
        let done = table.substitute(map, &[param], &[Ty::INT]);
        assert_eq!(table.show(done), "[int]List int");
    }
}
