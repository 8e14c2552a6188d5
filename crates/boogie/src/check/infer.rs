//! Type inference: unification over interned types.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ast::ExprId;
use crate::check::Checker;
use crate::types::{Ty, TyKind};

/// What is known of the inference variables of the expression at hand.
#[derive(Debug, Default)]
pub(super) struct Inference {
    found: Vec<Option<Ty>>,
    /// Pairs that were unified already; shared parts are walked once.
    equal: FxHashSet<(Ty, Ty)>,
    /// Expressions whose types were open when they were checked.
    open_exprs: Vec<ExprId>,
    open_instances: Vec<ExprId>,
}

impl Checker<'_> {
    pub(super) fn fresh(&mut self) -> Ty {
        let number = u32::try_from(self.inference.found.len()).unwrap_or(u32::MAX);
        self.inference.found.push(None);
        self.types.intern(TyKind::Infer(number))
    }

    pub(super) fn fresh_many(&mut self, count: usize) -> Vec<Ty> {
        (0..count).map(|_| self.fresh()).collect()
    }

    /// The type with its outermost part known, if it is.
    pub(super) fn shallow(&self, mut ty: Ty) -> Ty {
        while let TyKind::Infer(number) = self.types.kind(ty)
            && let Some(Some(found)) = self.inference.found.get(*number as usize)
        {
            ty = *found;
        }
        ty
    }

    /// The type with everything filled in that is known.
    pub(super) fn resolved(&mut self, ty: Ty) -> Ty {
        self.resolve_into(ty, &mut FxHashMap::default())
    }

    fn resolve_into(&mut self, ty: Ty, done: &mut FxHashMap<Ty, Ty>) -> Ty {
        let ty = self.shallow(ty);
        if !self.types.is_open(ty) {
            return ty;
        }
        if let Some(&known) = done.get(&ty) {
            return known;
        }
        let new = match self.types.kind(ty).clone() {
            TyKind::Map { params, domain, range } => {
                let domain = domain.into_iter().map(|t| self.resolve_into(t, done)).collect();
                let range = self.resolve_into(range, done);
                self.types.intern(TyKind::Map { params, domain, range })
            }
            TyKind::Declared(name, args) => {
                let args = args.into_iter().map(|t| self.resolve_into(t, done)).collect();
                self.types.intern(TyKind::Declared(name, args))
            }
            _ => ty,
        };
        done.insert(ty, new);
        new
    }

    /// Makes two types equal if they can be.
    pub(super) fn unify(&mut self, a: Ty, b: Ty) -> bool {
        let (a, b) = (self.shallow(a), self.shallow(b));
        if a == b || a == Ty::ERROR || b == Ty::ERROR || self.inference.equal.contains(&(a, b)) {
            return true;
        }
        if !self.types.is_open(a) && !self.types.is_open(b) && !self.may_hold_error(a, b) {
            return false;
        }
        let equal = match (self.types.kind(a).clone(), self.types.kind(b).clone()) {
            (TyKind::Infer(number), _) => self.bind(number, a, b),
            (_, TyKind::Infer(number)) => self.bind(number, b, a),
            (
                TyKind::Map { params: p, domain: d, range: r },
                TyKind::Map { params: q, domain: e, range: s },
            ) => {
                p == q
                    && d.len() == e.len()
                    && d.into_iter().zip(e).all(|(x, y)| self.unify(x, y))
                    && self.unify(r, s)
            }
            (TyKind::Declared(n, x), TyKind::Declared(m, y)) => {
                n == m && x.len() == y.len() && x.into_iter().zip(y).all(|(x, y)| self.unify(x, y))
            }
            _ => false,
        };
        if equal {
            self.inference.equal.insert((a, b));
        }
        equal
    }

    /// Compound types may hide an error inside that fits everything.
    fn may_hold_error(&self, a: Ty, b: Ty) -> bool {
        let compound = |t| matches!(self.types.kind(t), TyKind::Map { .. } | TyKind::Declared(..));
        self.problems.has_errors() && compound(a) && compound(b)
    }

    fn bind(&mut self, number: u32, var: Ty, to: Ty) -> bool {
        let to = self.resolved(to);
        if to == var {
            return true;
        }
        let mut occurs = false;
        if self.types.is_open(to) {
            self.types.rebuild(to, &mut |kind, _| {
                occurs |= *kind == TyKind::Infer(number);
                None
            });
        }
        if !occurs && let Some(slot) = self.inference.found.get_mut(number as usize) {
            *slot = Some(to);
        }
        !occurs
    }

    pub(super) fn record(&mut self, expr: ExprId, ty: Ty) -> Ty {
        if self.types.is_open(ty) {
            self.inference.open_exprs.push(expr);
        }
        if let Some(slot) = self.expr_types.get_mut(expr.index()) {
            *slot = ty;
        }
        ty
    }

    pub(super) fn record_instance(&mut self, apply: ExprId, args: Vec<Ty>) {
        if !args.is_empty() {
            self.inference.open_instances.push(apply);
            self.instances.insert(apply, args);
        }
    }

    /// Fills in the types found for a whole expression. A variable that nothing decides becomes `int`, as in
    /// Boogie.
    pub(super) fn settle(&mut self) {
        for expr in std::mem::take(&mut self.inference.open_exprs) {
            let ty = self.expr_types[expr.index()];
            self.expr_types[expr.index()] = self.closed(ty);
        }
        for apply in std::mem::take(&mut self.inference.open_instances) {
            let args = self.instances.remove(&apply).unwrap_or_default();
            let args = args.into_iter().map(|t| self.closed(t)).collect();
            self.instances.insert(apply, args);
        }
        self.inference.found.clear();
        self.inference.equal.clear();
    }

    fn closed(&mut self, ty: Ty) -> Ty {
        let ty = self.resolved(ty);
        if !self.types.is_open(ty) {
            return ty;
        }
        self.types.rebuild(ty, &mut |kind, _| matches!(kind, TyKind::Infer(_)).then_some(Ty::INT))
    }
}
