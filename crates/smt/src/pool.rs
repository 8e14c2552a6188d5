//! The pool that owns sorts, functions and terms.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::name::Names;
use crate::{BinaryOp, BoundVar, FunctionId, Quantifier, Sort, SortId, Term, TermId, UnaryOp};

/// An uninterpreted function; a constant has no parameters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Function {
    /// The name it was given.
    pub name: String,
    /// The sorts of its parameters.
    pub params: Vec<SortId>,
    /// The sort of its result.
    pub result: SortId,
}

/// All terms of one problem. Ids of one pool mean nothing in another.
///
/// The constructors check sorts: an ill-sorted term is a mistake of the caller, so they panic. They simplify; the rules
/// are in the modules below `simplify`.
#[derive(Clone, Debug)]
pub struct TermPool {
    sorts: IndexSet<Sort, FxBuildHasher>,
    sort_symbols: Vec<String>,
    sort_names: Names,
    functions: IndexSet<Function, FxBuildHasher>,
    function_symbols: Vec<String>,
    function_names: Names,
    terms: IndexSet<Term, FxBuildHasher>,
    term_sorts: Vec<SortId>,
    /// Whether the term mentions a variable that no quantifier inside it binds.
    open: Vec<bool>,
}

impl Default for TermPool {
    fn default() -> Self {
        let mut pool = TermPool {
            sorts: IndexSet::default(),
            sort_symbols: Vec::new(),
            sort_names: Names::default(),
            functions: IndexSet::default(),
            function_symbols: Vec::new(),
            function_names: Names::default(),
            terms: IndexSet::default(),
            term_sorts: Vec::new(),
            open: Vec::new(),
        };
        assert_eq!(pool.sort_id(Sort::Bool), SortId::BOOL);
        assert_eq!(pool.sort_id(Sort::Int), SortId::INT);
        pool
    }
}

fn index(position: usize) -> u32 {
    u32::try_from(position).expect("fewer than 2^32 entries in a pool")
}

/// Sorts and functions.
impl TermPool {
    /// The id of a sort, new or known.
    pub fn sort_id(&mut self, sort: Sort) -> SortId {
        assert!(!matches!(sort, Sort::Bv(0)), "a bit vector has at least one bit");
        if let Some(position) = self.sorts.get_index_of(&sort) {
            return SortId(index(position));
        }
        let symbol = match &sort {
            Sort::Uninterpreted(name) => self.sort_names.claim(name),
            Sort::Bool | Sort::Int | Sort::Bv(_) | Sort::Array(..) => String::new(),
        };
        self.sort_symbols.push(symbol);
        SortId(index(self.sorts.insert_full(sort).0))
    }

    /// The bit vectors of a width.
    pub fn bv_sort(&mut self, width: u32) -> SortId {
        self.sort_id(Sort::Bv(width))
    }

    /// The maps from some indices to elements, curried.
    pub fn array_sort(&mut self, indices: &[SortId], element: SortId) -> SortId {
        indices.iter().rev().fold(element, |element, at| self.sort_id(Sort::Array(*at, element)))
    }

    /// The uninterpreted sort of a name.
    pub fn uninterpreted_sort(&mut self, name: &str) -> SortId {
        self.sort_id(Sort::Uninterpreted(name.to_owned()))
    }

    /// The sort behind an id.
    #[must_use]
    pub fn sort(&self, id: SortId) -> &Sort {
        &self.sorts[id.index()]
    }

    /// How the sort is called in SMT-LIB; only for uninterpreted sorts.
    pub(crate) fn sort_symbol(&self, id: SortId) -> &str {
        &self.sort_symbols[id.index()]
    }

    /// The function of that name and signature, new or known. Functions of one name but different signatures differ.
    pub fn function(&mut self, name: &str, params: &[SortId], result: SortId) -> FunctionId {
        let function = Function { name: name.to_owned(), params: params.to_vec(), result };
        if let Some(position) = self.functions.get_index_of(&function) {
            return FunctionId(index(position));
        }
        self.function_symbols.push(self.function_names.claim(name));
        FunctionId(index(self.functions.insert_full(function).0))
    }

    /// What was declared under an id.
    #[must_use]
    pub fn signature(&self, id: FunctionId) -> &Function {
        &self.functions[id.index()]
    }

    /// How the function is called in SMT-LIB.
    #[must_use]
    pub fn symbol(&self, id: FunctionId) -> &str {
        &self.function_symbols[id.index()]
    }
}

/// Terms.
impl TermPool {
    /// The term behind an id.
    #[must_use]
    pub fn term(&self, id: TermId) -> &Term {
        &self.terms[id.index()]
    }

    /// The sort of a term.
    #[must_use]
    pub fn sort_of(&self, id: TermId) -> SortId {
        self.term_sorts[id.index()]
    }

    /// The width of a bit vector.
    ///
    /// # Panics
    /// If the term is something else.
    #[must_use]
    pub fn width(&self, id: TermId) -> u32 {
        match self.sort(self.sort_of(id)) {
            Sort::Bv(width) => *width,
            other => panic!("a bit vector was expected, not {other:?}"),
        }
    }

    /// How many terms there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Whether the term mentions a variable that no quantifier inside it binds.
    #[must_use]
    pub fn is_open(&self, id: TermId) -> bool {
        self.open[id.index()]
    }

    /// Only a closed formula can be true or false by itself; anything else handed to a solver is a caller's mistake.
    pub(crate) fn expect_closed_formula(&self, id: TermId) {
        self.expect(id, SortId::BOOL);
        assert!(!self.is_open(id), "a formula with a variable that nothing binds");
    }

    /// The id of a term as it is, without simplification.
    pub(crate) fn intern(&mut self, term: Term) -> TermId {
        if let Some(position) = self.terms.get_index_of(&term) {
            return TermId(index(position));
        }
        let sort = self.compute_sort(&term);
        let open = self.compute_open(&term);
        self.term_sorts.push(sort);
        self.open.push(open);
        TermId(index(self.terms.insert_full(term).0))
    }

    fn compute_open(&self, term: &Term) -> bool {
        match term {
            Term::Bound(_) => true,
            Term::Quant(quant) => {
                self.is_open(quant.body) && {
                    let mut free = self.free_variables(quant.body);
                    for var in &quant.vars {
                        free.remove(var);
                    }
                    !free.is_empty()
                }
            }
            _ => {
                let mut open = false;
                term.for_each_operand(|operand| open |= self.is_open(operand));
                open
            }
        }
    }

    /// The variables that the term mentions and that no quantifier inside it binds.
    #[must_use]
    pub fn free_variables(&self, root: TermId) -> FxHashSet<BoundVar> {
        // Operands first; the sets of quantifiers are computed from those of their bodies.
        let mut sets: FxHashMap<TermId, FxHashSet<BoundVar>> = FxHashMap::default();
        let mut scopes = vec![root];
        while let Some(&scope) = scopes.last() {
            if sets.contains_key(&scope) {
                scopes.pop();
                continue;
            }
            let mut free = FxHashSet::default();
            let mut seen = FxHashSet::default();
            let mut work = vec![scope];
            let mut pending = Vec::new();
            while let Some(id) = work.pop() {
                if !self.is_open(id) || !seen.insert(id) {
                    continue;
                }
                match self.term(id) {
                    Term::Bound(var) => {
                        free.insert(*var);
                    }
                    Term::Quant(quant) => match sets.get(&quant.body) {
                        Some(inner) => free.extend(inner.iter().filter(|var| !quant.vars.contains(var))),
                        None => pending.push(quant.body),
                    },
                    other => other.for_each_operand(|operand| work.push(operand)),
                }
            }
            if pending.is_empty() {
                sets.insert(scope, free);
            } else {
                scopes.extend(pending);
            }
        }
        sets.remove(&root).unwrap_or_default()
    }

    /// Calls `visit` once with each term that the roots are made of, themselves included, operands first.
    pub fn for_each_in(&self, roots: &[TermId], mut visit: impl FnMut(TermId, &Term)) {
        let mut done = FxHashSet::default();
        let mut work: Vec<(TermId, bool)> = Vec::new();
        for root in roots {
            work.push((*root, false));
            while let Some((id, operands_done)) = work.pop() {
                if operands_done {
                    visit(id, self.term(id));
                } else if done.insert(id) {
                    work.push((id, true));
                    let first = work.len();
                    self.term(id).for_each_operand(|operand| {
                        if !done.contains(&operand) {
                            work.push((operand, false));
                        }
                    });
                    work[first..].reverse();
                }
            }
        }
    }

    /// What `of` says of a term, given what it said of the operands. `known` keeps the answers, so that each part is looked at
    /// once, whatever it is a part of.
    pub fn remembered<T: Copy>(
        &self,
        root: TermId,
        known: &mut FxHashMap<TermId, T>,
        of: impl Fn(&Term, &FxHashMap<TermId, T>) -> T,
    ) -> T {
        let mut work = vec![(root, false)];
        while let Some((id, operands_done)) = work.pop() {
            if known.contains_key(&id) {
                continue;
            }
            let term = self.term(id);
            if operands_done {
                let answer = of(term, known);
                known.insert(id, answer);
            } else {
                work.push((id, true));
                term.for_each_operand(|operand| work.push((operand, false)));
            }
        }
        known[&root]
    }

    /// Rebuilds `root` with `leaf` deciding on each term without operands (and free to return any term of the same
    /// sort for it). Shared parts are rebuilt once. Under a quantifier, what `leaf` returns must not mention variables
    /// that the quantifier binds, unless that is meant.
    pub fn rewrite(&mut self, root: TermId, mut leaf: impl FnMut(&mut TermPool, TermId) -> TermId) -> TermId {
        let mut order = Vec::new();
        self.for_each_in(&[root], |id, _| order.push(id));
        let mut new: FxHashMap<TermId, TermId> = FxHashMap::default();
        for id in order {
            let mut has_operands = false;
            let mut changed = false;
            self.term(id).for_each_operand(|operand| {
                has_operands = true;
                changed |= new[&operand] != operand;
            });
            let result = if !has_operands {
                leaf(self, id)
            } else if changed {
                let term = self.term(id).clone();
                self.rebuild(term, |operand| new[&operand])
            } else {
                id
            };
            new.insert(id, result);
        }
        new[&root]
    }

    /// The term with its operands changed, simplified anew.
    fn rebuild(&mut self, term: Term, change: impl Fn(TermId) -> TermId) -> TermId {
        let all = |args: &[TermId]| args.iter().map(|a| change(*a)).collect::<Vec<_>>();
        match term {
            Term::Bool(_) | Term::Int(_) | Term::Bv(..) | Term::Bound(_) => self.intern(term),
            Term::Apply(function, args) => self.apply(function, &all(&args)),
            Term::Not(a) => self.not(change(a)),
            Term::And(args) => self.and(all(&args)),
            Term::Or(args) => self.or(all(&args)),
            Term::Distinct(args) => self.distinct(&all(&args)),
            Term::Unary(op, a) => self.unary(op, change(a)),
            Term::Binary(op, a, b) => self.binary(op, change(a), change(b)),
            Term::Ite(c, a, b) => self.ite(change(c), change(a), change(b)),
            Term::Select(array, at) => self.select(change(array), change(at)),
            Term::Store(array, at, value) => self.store(change(array), change(at), change(value)),
            Term::ConstArray(sort, value) => self.const_array(sort, change(value)),
            Term::Quant(quant) => {
                let triggers = quant.triggers.iter().map(|trigger| all(trigger)).collect();
                self.quantified(quant.kind, quant.vars, change(quant.body), triggers)
            }
        }
    }

    /// The sort of a term, whose operands are checked.
    fn compute_sort(&mut self, term: &Term) -> SortId {
        match term {
            Term::Bool(_) => SortId::BOOL,
            Term::Int(_) => SortId::INT,
            Term::Bv(width, _) => self.bv_sort(*width),
            Term::Bound(var) => var.sort,
            Term::Apply(function, args) => {
                let function = self.signature(*function);
                assert_eq!(function.params.len(), args.len(), "operands of `{}`", function.name);
                for (arg, param) in args.iter().zip(&function.params) {
                    assert_eq!(self.sort_of(*arg), *param, "sort of an operand of `{}`", function.name);
                }
                function.result
            }
            Term::Not(a) => {
                self.expect(*a, SortId::BOOL);
                SortId::BOOL
            }
            Term::And(args) | Term::Or(args) => {
                args.iter().for_each(|arg| self.expect(*arg, SortId::BOOL));
                SortId::BOOL
            }
            Term::Distinct(args) => {
                args.iter().for_each(|arg| self.expect(*arg, self.sort_of(args[0])));
                SortId::BOOL
            }
            Term::Unary(op, a) => self.unary_sort(*op, *a),
            Term::Binary(op, a, b) => self.binary_sort(*op, *a, *b),
            Term::Ite(condition, a, b) => {
                self.expect(*condition, SortId::BOOL);
                self.expect(*b, self.sort_of(*a));
                self.sort_of(*a)
            }
            Term::Select(array, at) => {
                let (index, element) = self.array_parts(self.sort_of(*array));
                self.expect(*at, index);
                element
            }
            Term::Store(array, at, value) => {
                let (index, element) = self.array_parts(self.sort_of(*array));
                self.expect(*at, index);
                self.expect(*value, element);
                self.sort_of(*array)
            }
            Term::ConstArray(sort, value) => {
                self.expect(*value, self.array_parts(*sort).1);
                *sort
            }
            Term::Quant(quant) => match quant.kind {
                Quantifier::Forall | Quantifier::Exists => {
                    self.expect(quant.body, SortId::BOOL);
                    SortId::BOOL
                }
                Quantifier::Lambda => {
                    let indices: Vec<SortId> = quant.vars.iter().map(|var| var.sort).collect();
                    let element = self.sort_of(quant.body);
                    self.array_sort(&indices, element)
                }
            },
        }
    }

    fn unary_sort(&mut self, op: UnaryOp, a: TermId) -> SortId {
        match op {
            UnaryOp::Neg => {
                self.expect(a, SortId::INT);
                SortId::INT
            }
            UnaryOp::BvNeg | UnaryOp::BvNot => {
                let width = self.width(a);
                self.bv_sort(width)
            }
            UnaryOp::Extract { hi, lo } => {
                assert!(lo < hi && hi <= self.width(a), "bits {hi}:{lo} of {} bits", self.width(a));
                self.bv_sort(hi - lo)
            }
            UnaryOp::ZeroExtend(width) | UnaryOp::SignExtend(width) => {
                assert!(self.width(a) <= width, "an extension does not shorten");
                self.bv_sort(width)
            }
            UnaryOp::IntToBv(width) => {
                self.expect(a, SortId::INT);
                self.bv_sort(width)
            }
            UnaryOp::BvToInt => {
                let _ = self.width(a);
                SortId::INT
            }
        }
    }

    fn binary_sort(&mut self, op: BinaryOp, a: TermId, b: TermId) -> SortId {
        use BinaryOp::{
            Add, BvAdd, BvAnd, BvAshr, BvLshr, BvMul, BvOr, BvSdiv, BvShl, BvSle, BvSlt, BvSmod, BvSrem,
            BvSub, BvUdiv, BvUle, BvUlt, BvUrem, BvXor, Concat, Div, Eq, Le, Lt, Mod, Mul, Sub,
        };
        if op == Concat {
            let width = self.width(a).checked_add(self.width(b)).expect("a width fits 32 bits");
            return self.bv_sort(width);
        }
        self.expect(b, self.sort_of(a));
        match op {
            Eq | Concat => SortId::BOOL,
            Add | Sub | Mul | Div | Mod => {
                self.expect(a, SortId::INT);
                SortId::INT
            }
            Lt | Le => {
                self.expect(a, SortId::INT);
                SortId::BOOL
            }
            BvUlt | BvUle | BvSlt | BvSle => {
                let _ = self.width(a);
                SortId::BOOL
            }
            BvAdd | BvSub | BvMul | BvUdiv | BvSdiv | BvUrem | BvSrem | BvSmod | BvShl | BvLshr | BvAshr
            | BvAnd | BvOr | BvXor => {
                let _ = self.width(a);
                self.sort_of(a)
            }
        }
    }

    fn expect(&self, id: TermId, sort: SortId) {
        let actual = self.sort_of(id);
        assert!(actual == sort, "sort {:?} where {:?} was expected", self.sort(actual), self.sort(sort));
    }

    /// Index and element of an array sort.
    pub(crate) fn array_parts(&self, sort: SortId) -> (SortId, SortId) {
        match self.sort(sort) {
            Sort::Array(index, element) => (*index, *element),
            other => panic!("an array was expected, not {other:?}"),
        }
    }
}
