//! From terms to Z3's own.

use ::z3::ast::{Array, Ast, BV, Bool, Dynamic, Int, exists_const, forall_const, lambda_const};
use ::z3::{FuncDecl, Pattern, Sort as Z3Sort, Symbol};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;

use crate::print::variable;
use crate::{BinaryOp, FunctionId, Quantified, Quantifier, Sort, SortId, Term, TermId, TermPool, UnaryOp};

/// What has been translated.
#[derive(Default)]
pub(super) struct Translator {
    sorts: FxHashMap<SortId, Z3Sort>,
    functions: FxHashMap<FunctionId, FuncDecl>,
    terms: FxHashMap<TermId, Dynamic>,
    instances: bool,
}

impl Translator {
    /// Whether something has been translated of which the solver makes instances: a quantifier, or an operator that it
    /// knows by axioms.
    pub(super) fn has_instances(&self) -> bool {
        self.instances
    }

    pub(super) fn bool(&mut self, pool: &TermPool, term: TermId) -> Bool {
        as_bool(&self.term(pool, term))
    }

    pub(super) fn term(&mut self, pool: &TermPool, root: TermId) -> Dynamic {
        let mut work = vec![root];
        while let Some(&id) = work.last() {
            if self.terms.contains_key(&id) {
                work.pop();
                continue;
            }
            let before = work.len();
            pool.term(id).for_each_operand(|operand| {
                if !self.terms.contains_key(&operand) {
                    work.push(operand);
                }
            });
            if work.len() == before {
                work.pop();
                let ast = self.node(pool, id);
                self.terms.insert(id, ast);
            }
        }
        self.terms[&root].clone()
    }

    /// The sort; recurses with its nesting only.
    fn sort(&mut self, pool: &TermPool, id: SortId) -> Z3Sort {
        if let Some(sort) = self.sorts.get(&id) {
            return sort.clone();
        }
        let sort = match pool.sort(id) {
            Sort::Bool => Z3Sort::bool(),
            Sort::Int => Z3Sort::int(),
            Sort::Bv(width) => Z3Sort::bitvector(*width),
            Sort::Array(index, element) => {
                let (index, element) = (self.sort(pool, *index), self.sort(pool, *element));
                Z3Sort::array(&index, &element)
            }
            Sort::Uninterpreted(_) => Z3Sort::uninterpreted(symbol(pool.sort_symbol(id))),
        };
        self.sorts.insert(id, sort.clone());
        sort
    }

    fn function(&mut self, pool: &TermPool, id: FunctionId) -> &FuncDecl {
        if !self.functions.contains_key(&id) {
            let signature = pool.signature(id);
            let params: Vec<Z3Sort> = signature.params.iter().map(|sort| self.sort(pool, *sort)).collect();
            let result = self.sort(pool, signature.result);
            let decl = FuncDecl::new(symbol(pool.symbol(id)), &params.iter().collect::<Vec<_>>(), &result);
            self.functions.insert(id, decl);
        }
        &self.functions[&id]
    }

    /// One term whose operands are translated.
    fn node(&mut self, pool: &TermPool, id: TermId) -> Dynamic {
        match pool.term(id) {
            Term::Bool(value) => Bool::from_bool(*value).into(),
            Term::Int(value) => int(value).into(),
            Term::Bv(width, value) => bv(*width, value).into(),
            Term::Bound(var) => {
                let sort = self.sort(pool, var.sort);
                Dynamic::new_const(variable(*var), &sort)
            }
            Term::Apply(function, args) => {
                self.function(pool, *function);
                let args: Vec<&dyn Ast> = args.iter().map(|arg| &self.terms[arg] as &dyn Ast).collect();
                self.functions[function].apply(&args)
            }
            Term::Not(a) => self.bool_of(*a).not().into(),
            Term::And(args) => Bool::and(&self.bools(args)).into(),
            Term::Or(args) => Bool::or(&self.bools(args)).into(),
            Term::Distinct(args) => {
                let args: Vec<&Dynamic> = args.iter().map(|arg| &self.terms[arg]).collect();
                Dynamic::distinct(&args).into()
            }
            Term::Unary(op, a) => self.unary(pool, *op, *a),
            Term::Binary(op, a, b) => {
                self.instances |= matches!(op, BinaryOp::Mul | BinaryOp::Div | BinaryOp::Mod);
                self.binary(*op, *a, *b)
            }
            Term::Ite(c, a, b) => self.bool_of(*c).ite(&self.terms[a], &self.terms[b]),
            Term::Select(array, at) => self.array_of(*array).select(&self.terms[at]),
            Term::Store(array, at, value) => {
                self.array_of(*array).store(&self.terms[at], &self.terms[value]).into()
            }
            Term::ConstArray(sort, value) => {
                let index = self.sort(pool, pool.array_parts(*sort).0);
                Array::const_array(&index, &self.terms[value]).into()
            }
            Term::Quant(quant) => self.quantified(pool, quant),
        }
    }

    fn quantified(&mut self, pool: &TermPool, quant: &Quantified) -> Dynamic {
        self.instances = true;
        let mut vars = Vec::new();
        for var in &quant.vars {
            let sort = self.sort(pool, var.sort);
            vars.push(Dynamic::new_const(variable(*var), &sort));
        }
        let bounds: Vec<&dyn Ast> = vars.iter().map(|var| var as &dyn Ast).collect();
        let patterns: Vec<Pattern> = quant
            .triggers
            .iter()
            .map(|trigger| {
                Pattern::new(&trigger.iter().map(|term| &self.terms[term] as &dyn Ast).collect::<Vec<_>>())
            })
            .collect();
        let patterns: Vec<&Pattern> = patterns.iter().collect();
        match quant.kind {
            Quantifier::Forall => forall_const(&bounds, &patterns, &self.bool_of(quant.body)).into(),
            Quantifier::Exists => exists_const(&bounds, &patterns, &self.bool_of(quant.body)).into(),
            Quantifier::Lambda => {
                let body = self.terms[&quant.body].clone();
                bounds.iter().rev().fold(body, |body, var| lambda_const(&[*var], &body).into())
            }
        }
    }

    fn unary(&self, pool: &TermPool, op: UnaryOp, a: TermId) -> Dynamic {
        match op {
            UnaryOp::Neg => self.int_of(a).unary_minus().into(),
            UnaryOp::BvNeg => self.bv_of(a).bvneg().into(),
            UnaryOp::BvNot => self.bv_of(a).bvnot().into(),
            UnaryOp::Extract { hi, lo } => self.bv_of(a).extract(hi - 1, lo).into(),
            UnaryOp::ZeroExtend(width) => self.bv_of(a).zero_ext(width - pool.width(a)).into(),
            UnaryOp::SignExtend(width) => self.bv_of(a).sign_ext(width - pool.width(a)).into(),
            UnaryOp::IntToBv(width) => BV::from_int(&self.int_of(a), width).into(),
            UnaryOp::BvToInt => self.bv_of(a).to_int(false).into(),
        }
    }

    fn binary(&self, op: BinaryOp, a: TermId, b: TermId) -> Dynamic {
        let ints = || (self.int_of(a), self.int_of(b));
        let bvs = || (self.bv_of(a), self.bv_of(b));
        macro_rules! of {
            ($pair:ident, $method:ident) => {{
                let (a, b) = $pair();
                a.$method(&b).into()
            }};
        }
        match op {
            BinaryOp::Eq => self.terms[&a].eq(&self.terms[&b]).into(),
            BinaryOp::Add => Int::add(&[self.int_of(a), self.int_of(b)]).into(),
            BinaryOp::Sub => Int::sub(&[self.int_of(a), self.int_of(b)]).into(),
            BinaryOp::Mul => Int::mul(&[self.int_of(a), self.int_of(b)]).into(),
            BinaryOp::Div => of!(ints, div),
            BinaryOp::Mod => of!(ints, modulo),
            BinaryOp::Lt => of!(ints, lt),
            BinaryOp::Le => of!(ints, le),
            BinaryOp::BvAdd => of!(bvs, bvadd),
            BinaryOp::BvSub => of!(bvs, bvsub),
            BinaryOp::BvMul => of!(bvs, bvmul),
            BinaryOp::BvUdiv => of!(bvs, bvudiv),
            BinaryOp::BvSdiv => of!(bvs, bvsdiv),
            BinaryOp::BvUrem => of!(bvs, bvurem),
            BinaryOp::BvSrem => of!(bvs, bvsrem),
            BinaryOp::BvSmod => of!(bvs, bvsmod),
            BinaryOp::BvShl => of!(bvs, bvshl),
            BinaryOp::BvLshr => of!(bvs, bvlshr),
            BinaryOp::BvAshr => of!(bvs, bvashr),
            BinaryOp::BvAnd => of!(bvs, bvand),
            BinaryOp::BvOr => of!(bvs, bvor),
            BinaryOp::BvXor => of!(bvs, bvxor),
            BinaryOp::BvUlt => of!(bvs, bvult),
            BinaryOp::BvUle => of!(bvs, bvule),
            BinaryOp::BvSlt => of!(bvs, bvslt),
            BinaryOp::BvSle => of!(bvs, bvsle),
            BinaryOp::Concat => of!(bvs, concat),
        }
    }

    fn bools(&self, ids: &[TermId]) -> Vec<Bool> {
        ids.iter().map(|id| self.bool_of(*id)).collect()
    }

    fn bool_of(&self, id: TermId) -> Bool {
        as_bool(&self.terms[&id])
    }

    fn int_of(&self, id: TermId) -> Int {
        self.terms[&id].as_int().expect("the pool checks sorts: an integer")
    }

    fn bv_of(&self, id: TermId) -> BV {
        self.terms[&id].as_bv().expect("the pool checks sorts: a bit vector")
    }

    fn array_of(&self, id: TermId) -> Array {
        self.terms[&id].as_array().expect("the pool checks sorts: an array")
    }
}

fn as_bool(ast: &Dynamic) -> Bool {
    ast.as_bool().expect("the pool checks sorts: a truth value")
}

/// The symbol without the bars that only the text needs.
fn symbol(text: &str) -> Symbol {
    Symbol::from(text.trim_matches('|'))
}

fn int(value: &BigInt) -> Int {
    match value.to_i64() {
        Some(value) => Int::from_i64(value),
        None => value.to_string().parse().expect("digits are an integer"),
    }
}

fn bv(width: u32, value: &BigInt) -> BV {
    match value.to_u64() {
        Some(value) => BV::from_u64(value, width),
        None => BV::from_str(width, &value.to_string()).expect("digits are a bit vector"),
    }
}
