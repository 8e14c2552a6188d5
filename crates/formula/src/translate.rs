//! From types and expressions of the IR to sorts and terms.

use std::rc::Rc;

use ir::{BinaryOp, ExprId, ExprNode, FuncId, QuantKind, Type, UnaryOp};
use ir::{ConstId, Program};
use rustc_hash::FxHashMap;
use smt::{BoundVar, Quantifier, SortId, TermId, TermPool};
use source::Span;

use crate::cases::Cases;
use crate::definitions::Definitions;
use crate::{Nothing, Unsupported, Values};

/// How deep functions may call each other.
const MOST_NESTED: usize = 200;

/// Translates the expressions of one program.
pub struct Translator<'p> {
    /// The program.
    pub program: &'p Program,
    /// The terms.
    pub pool: TermPool,
    /// The integers that are one of a few numbers.
    pub cases: Cases,
    /// The axioms that define.
    definitions: Definitions,
    sorts: FxHashMap<Type, SortId>,
    consts: FxHashMap<ConstId, TermId>,
    /// The expressions that one is made of, operands first.
    parts: FxHashMap<ExprId, Rc<[ExprId]>>,
    /// Functions with a body, applied.
    applied: FxHashMap<(FuncId, Vec<TermId>), TermId>,
    /// The next number for variables of quantifiers inside functions, so that they capture nothing.
    next_level: u32,
    fresh: u32,
    /// What has to hold of constants that were made.
    pub facts: Vec<TermId>,
    /// For sorts of arrays, the one that vectors are written over; see `vector`.
    pub(crate) bases: FxHashMap<SortId, TermId>,
    /// The cells that were read at indices with cases.
    selected: FxHashMap<(TermId, TermId), TermId>,
    /// The applications of functions without a body that are no part of a quantified formula.
    applications: indexmap::IndexMap<(FuncId, Vec<TermId>), TermId>,
}

/// What the variables in an expression stand for.
#[derive(Clone, Copy)]
struct Env<'a> {
    values: &'a dyn Values,
    params: &'a [TermId],
    /// Added to the level of a variable that a quantifier binds.
    shift: u32,
    nested: usize,
}

impl<'p> Translator<'p> {
    /// Starts with no terms.
    #[must_use]
    pub fn new(program: &'p Program) -> Self {
        Self::with_pool(program, TermPool::default())
    }

    /// Goes on with terms that there are; those of constants and functions are found by their names.
    #[must_use]
    pub fn with_pool(program: &'p Program, pool: TermPool) -> Self {
        let known = u32::try_from(pool.len()).unwrap_or(u32::MAX);
        Translator {
            program,
            pool,
            cases: Cases::default(),
            definitions: Definitions::new(program),
            sorts: FxHashMap::default(),
            consts: FxHashMap::default(),
            parts: FxHashMap::default(),
            applied: FxHashMap::default(),
            next_level: 1 << 16,
            fresh: known,
            facts: Vec::new(),
            bases: FxHashMap::default(),
            selected: FxHashMap::default(),
            applications: indexmap::IndexMap::new(),
        }
    }

    /// The sort of a type.
    pub fn sort(&mut self, ty: &Type) -> Result<SortId, Unsupported> {
        if let Some(&sort) = self.sorts.get(ty) {
            return Ok(sort);
        }
        let sort = match ty {
            Type::Bool => SortId::BOOL,
            // A handle is the number of its task; nil is 0.
            Type::Int | Type::Task => SortId::INT,
            Type::Bv(width) => self.pool.bv_sort(*width),
            Type::Sort(id) => self.pool.uninterpreted_sort(&self.program.sorts[*id].name),
            Type::Map(map) => {
                let args = map.args.iter().map(|arg| self.sort(arg)).collect::<Result<Vec<_>, _>>()?;
                let result = self.sort(&map.result)?;
                self.pool.array_sort(&args, result)
            }
            Type::Sync(_) => {
                return Err(Unsupported::new("a synchronization object in a sequential program"));
            }
        };
        self.sorts.insert(ty.clone(), sort);
        Ok(sort)
    }

    /// A new constant.
    pub fn fresh(&mut self, name: &str, sort: SortId) -> TermId {
        self.fresh += 1;
        let name = format!("{name}!{}", self.fresh);
        self.pool.constant(&name, sort)
    }

    /// A new truth value.
    pub fn fresh_bool(&mut self, name: &str) -> TermId {
        self.fresh(name, SortId::BOOL)
    }

    /// An arbitrary value of a type.
    pub fn arbitrary(&mut self, name: &str, ty: &Type) -> Result<TermId, Unsupported> {
        let sort = self.sort(ty)?;
        Ok(self.fresh(name, sort))
    }

    /// The axioms of the program that are no definitions, and where each is.
    pub fn stated(&mut self) -> Result<Vec<(TermId, Span)>, Unsupported> {
        let mut axioms = Vec::new();
        for axiom in &self.program.axioms {
            if self.definitions.used_up.contains(&axiom.formula) {
                continue;
            }
            let term = self.eval(axiom.formula, &Nothing).map_err(|error| error.at(axiom.span))?;
            axioms.push((term, axiom.span));
        }
        Ok(axioms)
    }

    /// The axioms of the program, and that unique constants differ.
    pub fn axioms(&mut self) -> Result<Vec<TermId>, Unsupported> {
        let mut axioms: Vec<TermId> = self.stated()?.into_iter().map(|(term, _)| term).collect();
        let mut unique: Vec<(SortId, Vec<TermId>)> = Vec::new();
        for (id, _) in self.program.consts.iter().filter(|(_, constant)| constant.unique) {
            let term = self.constant(id)?;
            let sort = self.pool.sort_of(term);
            match unique.iter_mut().find(|(of, _)| *of == sort) {
                Some((_, terms)) => terms.push(term),
                None => unique.push((sort, vec![term])),
            }
        }
        axioms.extend(unique.iter().map(|(_, terms)| self.pool.distinct(terms)));
        Ok(axioms)
    }

    fn constant(&mut self, id: ConstId) -> Result<TermId, Unsupported> {
        if let Some(&term) = self.consts.get(&id) {
            return Ok(term);
        }
        let constant = &self.program.consts[id];
        let sort = self.sort(&constant.ty).map_err(|error| error.at(constant.span))?;
        let term = match self.definitions.consts.get(&id) {
            Some(&value) => self.eval(value, &Nothing)?,
            None => self.pool.constant(&constant.name, sort),
        };
        self.consts.insert(id, term);
        Ok(term)
    }

    /// The constants that the formulas mention.
    pub fn constants(&self) -> Vec<(ConstId, TermId)> {
        let mut constants: Vec<_> = self.consts.iter().map(|(id, term)| (*id, *term)).collect();
        constants.sort_unstable();
        constants
    }

    /// The applications of functions without a body that the formulas mention.
    pub fn applications(&self) -> impl Iterator<Item = (FuncId, &[TermId], TermId)> {
        self.applications.iter().map(|((func, args), term)| (*func, args.as_slice(), *term))
    }

    /// The value of an expression in a state.
    pub fn eval(&mut self, root: ExprId, values: &dyn Values) -> Result<TermId, Unsupported> {
        self.eval_in(root, Env { values, params: &[], shift: 0, nested: 0 })
    }

    fn eval_in(&mut self, root: ExprId, env: Env<'_>) -> Result<TermId, Unsupported> {
        let parts = self.parts_of(root);
        let mut done: FxHashMap<ExprId, TermId> = FxHashMap::default();
        for &part in &*parts {
            let term = self.node(part, env, &done)?;
            done.insert(part, term);
        }
        Ok(done[&root])
    }

    /// The value of one expression, given those of its operands, for who evaluates variables by itself.
    pub fn combine(
        &mut self,
        id: ExprId,
        operands: &FxHashMap<ExprId, TermId>,
    ) -> Result<TermId, Unsupported> {
        self.node(id, Env { values: &Nothing, params: &[], shift: 0, nested: 0 }, operands)
    }

    /// The expressions that one is made of, itself included: operands first.
    pub fn parts_of(&mut self, root: ExprId) -> Rc<[ExprId]> {
        let program = self.program;
        let collect = || {
            let mut parts = Vec::new();
            program.exprs.for_each_in(root, |id, _| parts.push(id));
            // Operands have smaller numbers.
            parts.sort_unstable();
            parts.into()
        };
        Rc::clone(self.parts.entry(root).or_insert_with(collect))
    }

    fn node(
        &mut self,
        id: ExprId,
        env: Env<'_>,
        done: &FxHashMap<ExprId, TermId>,
    ) -> Result<TermId, Unsupported> {
        let program = self.program;
        let all = |operands: &[ExprId]| operands.iter().map(|e| done[e]).collect::<Vec<_>>();
        Ok(match program.exprs.node(id) {
            ExprNode::Bool(value) => self.pool.bool(*value),
            ExprNode::Int(value) => self.pool.int(value.clone()),
            ExprNode::Bv(width, value) => self.pool.bv(*width, value.clone()),
            ExprNode::Nil => self.pool.int(0),
            ExprNode::SelfTask => self.pool.int(env.values.task()),
            ExprNode::Global(global, _) => env.values.global(*global),
            ExprNode::Local(local, _) => env
                .values
                .local(*local)
                .ok_or_else(|| Unsupported::new("a local that is read though it is not live"))?,
            ExprNode::Const(constant, _) => self.constant(*constant)?,
            ExprNode::Bound(level, ty) => match env.params.get(*level as usize) {
                Some(&param) => param,
                None => {
                    let sort = self.sort(ty)?;
                    self.pool.bound(level + env.shift, sort)
                }
            },
            ExprNode::Unary(op, a) => self.unary(*op, done[a]),
            ExprNode::Binary(op, a, b) => self.binary(*op, done[a], done[b]),
            ExprNode::Ite(c, a, b) => self.ite(done[c], done[a], done[b]),
            ExprNode::Select(map, indices) => self.select(done[map], &all(indices)),
            ExprNode::Store(map, indices, value) => self.store(done[map], &all(indices), done[value]),
            ExprNode::ConstMap(ty, value) => self.const_map(ty, done[value])?,
            ExprNode::Apply(func, args, _) => self.apply(*func, &all(args), env)?,
            ExprNode::Quant { kind, vars, first, body, triggers } => {
                let kind = match kind {
                    QuantKind::Forall => Quantifier::Forall,
                    QuantKind::Exists => Quantifier::Exists,
                    QuantKind::Lambda => Quantifier::Lambda,
                };
                let mut bound = Vec::new();
                for (at, var) in vars.iter().enumerate() {
                    let level = first + u32::try_from(at).unwrap_or(u32::MAX) + env.shift;
                    bound.push(BoundVar { level, sort: self.sort(&var.ty)? });
                }
                let triggers = triggers.iter().map(|trigger| all(trigger)).collect();
                self.pool.quantified(kind, bound, done[body], triggers)
            }
        })
    }

    /// The map whose cells all have one value: one constant array per index.
    fn const_map(&mut self, ty: &Type, value: TermId) -> Result<TermId, Unsupported> {
        let Some(map) = ty.as_map() else { return Err(Unsupported::new("a map that is none")) };
        let args = map.args.iter().map(|arg| self.sort(arg)).collect::<Result<Vec<_>, _>>()?;
        let mut term = value;
        for arg in args.iter().rev() {
            let element = self.pool.sort_of(term);
            let sort = self.pool.array_sort(&[*arg], element);
            term = self.pool.const_array(sort, term);
        }
        Ok(term)
    }

    fn apply(&mut self, func: FuncId, given: &[TermId], env: Env<'_>) -> Result<TermId, Unsupported> {
        let function = &self.program.funcs[func];
        let defined = self.definitions.functions.get(&func).cloned();
        let is_defined = defined.is_some();
        let (body, args) = match &defined {
            Some(known) => (Some(known.body), known.arguments.iter().map(|at| given[*at]).collect()),
            None => (function.body, given.to_vec()),
        };
        let args = args.as_slice();
        let Some(body) = body else {
            let params =
                function.params.iter().map(|(_, ty)| self.sort(ty)).collect::<Result<Vec<_>, _>>()?;
            let result = self.sort(&function.result)?;
            // Constants and functions have names of their own, but solvers do not tell them apart.
            let declared = self.pool.function(&format!("{}()", function.name), &params, result);
            let term = self.pool.apply(declared, args);
            if !self.pool.is_open(term) {
                self.applications.insert((func, args.to_vec()), term);
            }
            return Ok(term);
        };
        let key = (func, args.to_vec());
        if let Some(&term) = self.applied.get(&key) {
            return Ok(term);
        }
        if env.nested >= MOST_NESTED {
            let what = format!("functions that call each other more than {MOST_NESTED} deep");
            return Err(Unsupported::new(&what).at(function.span));
        }
        let shift = self.next_level;
        self.next_level += 1 << 8;
        let env = Env { params: args, shift, nested: env.nested + 1, ..env };
        let term = self.eval_in(body, env)?;
        // Who runs the program needs the values of functions that have no body.
        if is_defined && !self.pool.is_open(term) && key.1.iter().all(|arg| !self.pool.is_open(*arg)) {
            self.applications.insert((func, given.to_vec()), term);
        }
        self.applied.insert(key, term);
        Ok(term)
    }

    fn unary(&mut self, op: UnaryOp, a: TermId) -> TermId {
        let op = match op {
            UnaryOp::Not => return self.pool.not(a),
            UnaryOp::BvToSignedInt => return self.pool.bv_to_signed_int(a),
            UnaryOp::Neg => smt::UnaryOp::Neg,
            UnaryOp::BvNeg => smt::UnaryOp::BvNeg,
            UnaryOp::BvNot => smt::UnaryOp::BvNot,
            UnaryOp::Extract { hi, lo } => smt::UnaryOp::Extract { hi, lo },
            UnaryOp::ZeroExtend(width) => smt::UnaryOp::ZeroExtend(width),
            UnaryOp::SignExtend(width) => smt::UnaryOp::SignExtend(width),
            UnaryOp::IntToBv(width) => smt::UnaryOp::IntToBv(width),
            UnaryOp::BvToInt => smt::UnaryOp::BvToInt,
        };
        self.pool.unary(op, a)
    }

    fn binary(&mut self, op: BinaryOp, a: TermId, b: TermId) -> TermId {
        use smt::BinaryOp as To;
        let pool = &mut self.pool;
        let (op, a, b) = match op {
            BinaryOp::And => return pool.and([a, b]),
            BinaryOp::Or => return pool.or([a, b]),
            BinaryOp::Implies => return pool.implies(a, b),
            BinaryOp::Iff | BinaryOp::Eq => (To::Eq, a, b),
            BinaryOp::Ne => {
                let equal = self.operate(To::Eq, a, b);
                return self.pool.not(equal);
            }
            BinaryOp::Gt => (To::Lt, b, a),
            BinaryOp::Ge => (To::Le, b, a),
            BinaryOp::Add => (To::Add, a, b),
            BinaryOp::Sub => (To::Sub, a, b),
            BinaryOp::Mul => (To::Mul, a, b),
            BinaryOp::Div => (To::Div, a, b),
            BinaryOp::Mod => (To::Mod, a, b),
            BinaryOp::Lt => (To::Lt, a, b),
            BinaryOp::Le => (To::Le, a, b),
            BinaryOp::BvAdd => (To::BvAdd, a, b),
            BinaryOp::BvSub => (To::BvSub, a, b),
            BinaryOp::BvMul => (To::BvMul, a, b),
            BinaryOp::BvUdiv => (To::BvUdiv, a, b),
            BinaryOp::BvSdiv => (To::BvSdiv, a, b),
            BinaryOp::BvUrem => (To::BvUrem, a, b),
            BinaryOp::BvSrem => (To::BvSrem, a, b),
            BinaryOp::BvSmod => (To::BvSmod, a, b),
            BinaryOp::BvShl => (To::BvShl, a, b),
            BinaryOp::BvLshr => (To::BvLshr, a, b),
            BinaryOp::BvAshr => (To::BvAshr, a, b),
            BinaryOp::BvAnd => (To::BvAnd, a, b),
            BinaryOp::BvOr => (To::BvOr, a, b),
            BinaryOp::BvXor => (To::BvXor, a, b),
            BinaryOp::BvUlt => (To::BvUlt, a, b),
            BinaryOp::BvUle => (To::BvUle, a, b),
            BinaryOp::BvUgt => (To::BvUlt, b, a),
            BinaryOp::BvUge => (To::BvUle, b, a),
            BinaryOp::BvSlt => (To::BvSlt, a, b),
            BinaryOp::BvSle => (To::BvSle, a, b),
            BinaryOp::BvSgt => (To::BvSlt, b, a),
            BinaryOp::BvSge => (To::BvSle, b, a),
            BinaryOp::Concat => (To::Concat, a, b),
        };
        self.operate(op, a, b)
    }

    /// Equality.
    pub fn same(&mut self, a: TermId, b: TermId) -> TermId {
        self.operate(smt::BinaryOp::Eq, a, b)
    }

    fn operate(&mut self, op: smt::BinaryOp, a: TermId, b: TermId) -> TermId {
        if op == smt::BinaryOp::Eq
            && let Some(equal) = self.equal_vectors(a, b)
        {
            return equal;
        }
        let with_cases = self.cases.binary(&mut self.pool, op, a, b);
        with_cases.unwrap_or_else(|| self.pool.binary(op, a, b))
    }

    /// A new term that is one of the numbers of some others, if these are of few numbers.
    pub fn merged(&mut self, values: &[TermId]) -> Option<TermId> {
        let fresh = &mut self.fresh;
        self.cases.merged(&mut self.pool, values, |pool| {
            *fresh += 1;
            pool.constant(&format!("is!{fresh}"), SortId::BOOL)
        })
    }

    /// A new term that is one of some numbers, if these are few.
    pub(crate) fn one_of(&mut self, numbers: &[TermId]) -> Option<TermId> {
        let fresh = &mut self.fresh;
        let (term, facts) = self.cases.arbitrary(&mut self.pool, numbers, |pool| {
            *fresh += 1;
            pool.constant(&format!("is!{fresh}"), SortId::BOOL)
        })?;
        self.facts.extend(facts);
        Some(term)
    }

    /// If-then-else.
    pub(crate) fn ite(&mut self, condition: TermId, then: TermId, otherwise: TermId) -> TermId {
        if let Some(vector) = self.ite_of_vectors(condition, then, otherwise) {
            return vector;
        }
        let with_cases = self.cases.ite(&mut self.pool, condition, then, otherwise);
        with_cases.unwrap_or_else(|| self.pool.ite(condition, then, otherwise))
    }

    /// The cell of a map. An index that is one of a few numbers is looked at case by case.
    fn select(&mut self, map: TermId, indices: &[TermId]) -> TermId {
        match indices {
            [index] if self.cases.has_several(*index) => {
                if let Some(&known) = self.selected.get(&(map, *index)) {
                    return known;
                }
                let cases = self.cases.of(&mut self.pool, *index).unwrap_or_default();
                let mut cells = Vec::new();
                for &(number, when) in &*cases {
                    cells.push((when, self.pool.select(map, number)));
                }
                let result = self.one_that_applies(&cells);
                self.selected.insert((map, *index), result);
                result
            }
            [index] => self.cell(map, *index),
            _ => self.pool.select_at(map, indices),
        }
    }

    /// The value whose condition holds; the conditions exclude each other, and one of them does.
    fn one_that_applies(&mut self, values: &[(TermId, TermId)]) -> TermId {
        let all: Vec<TermId> = values.iter().map(|(_, value)| *value).collect();
        if all.iter().all(|value| *value == all[0]) {
            return all[0];
        }
        if self.pool.sort_of(all[0]) == SortId::BOOL {
            let mut holds = Vec::new();
            for &(when, value) in values {
                holds.push(self.pool.and([when, value]));
            }
            return self.pool.or(holds);
        }
        if let Some(merged) = self.cases.one_that_applies(&mut self.pool, values) {
            return merged;
        }
        let (last, rest) = (all[all.len() - 1], &values[..values.len() - 1]);
        rest.iter().rev().fold(last, |others, (when, value)| self.ite(*when, *value, others))
    }

    /// The map with one cell changed.
    pub fn store(&mut self, map: TermId, indices: &[TermId], value: TermId) -> TermId {
        match indices {
            [index] if self.cases.has_several(*index) => {
                let cases = self.cases.of(&mut self.pool, *index).unwrap_or_default();
                let mut result = map;
                for &(number, when) in &*cases {
                    let cell = self.pool.select(map, number);
                    let cell = self.ite(when, value, cell);
                    result = self.set_cell(result, number, cell);
                }
                result
            }
            [index] => self.set_cell(map, *index, value),
            _ => self.pool.store_at(map, indices, value),
        }
    }
}
