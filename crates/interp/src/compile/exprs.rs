//! Expressions, and the constants and functions in them.
//!
//! A constant whose value an axiom gives outright is that value. Other constants, and uninterpreted functions,
//! are globals that nobody assigns: their values are chosen when they are first read, like any arbitrary value,
//! and the axioms are checked in the initial state.

use cranelift_entity::{EntityRef, SecondaryMap};
use ir::{Axiom, BinaryOp, ConstId, ExprId, ExprNode, FuncId, Program, QuantKind, SortId, Type, UnaryOp};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::ex;
use crate::code::{Base, BvExpr, Cell, Code, Ex, Expr, GlobalCode, QuantExpr, StoreExpr};
use crate::word::{UNSET, Word, fits_word};

/// What stands for each constant and function.
pub(super) struct Symbols {
    /// The value of a constant, if it is known.
    pinned: SecondaryMap<ConstId, Option<Word>>,
    /// The global that stands for a constant otherwise.
    consts: SecondaryMap<ConstId, u32>,
    /// The global that stands for a function without a body.
    funcs: SecondaryMap<FuncId, u32>,
    pub(super) sort_sizes: Vec<u32>,
    /// The axioms that say more than a pinned value.
    pub(super) axioms: Vec<Axiom>,
}

impl Symbols {
    pub(super) fn new(program: &Program) -> Self {
        let mut symbols = Symbols {
            pinned: SecondaryMap::new(),
            consts: SecondaryMap::new(),
            funcs: SecondaryMap::new(),
            sort_sizes: vec![0; program.sorts.len()],
            axioms: Vec::new(),
        };
        for axiom in &program.axioms {
            symbols.read_axiom(program, axiom);
        }
        symbols.number_unique_elements(program);
        let mut next = u32::try_from(program.globals.len()).unwrap_or(u32::MAX);
        for id in program.consts.keys() {
            symbols.consts[id] = next;
            next += 1;
        }
        for id in program.funcs.keys() {
            symbols.funcs[id] = next;
            next += 1;
        }
        symbols
    }

    /// Pins `c` for each conjunct `c == value`.
    fn read_axiom(&mut self, program: &Program, axiom: &Axiom) {
        let mut parts = vec![axiom.formula];
        while let Some(part) = parts.pop() {
            let pinned = match program.exprs.node(part) {
                ExprNode::Binary(BinaryOp::And, a, b) => {
                    parts.extend([*a, *b]);
                    continue;
                }
                ExprNode::Binary(BinaryOp::Eq | BinaryOp::Iff, a, b) => {
                    self.pin(program, *a, *b) || self.pin(program, *b, *a)
                }
                ExprNode::Bool(true) => true,
                _ => false,
            };
            if !pinned {
                self.axioms.push(Axiom { formula: part, span: axiom.span });
            }
        }
    }

    fn pin(&mut self, program: &Program, constant: ExprId, value: ExprId) -> bool {
        let ExprNode::Const(id, _) = program.exprs.node(constant) else { return false };
        let literal = match program.exprs.node(value) {
            ExprNode::Unary(UnaryOp::Neg, inner) => match program.exprs.node(*inner) {
                ExprNode::Int(n) => int_word(&-n),
                _ => None,
            },
            node => literal(node),
        };
        match (literal, self.pinned[*id]) {
            (Some(word), None) => {
                self.pinned[*id] = Some(word);
                true
            }
            (Some(word), Some(known)) => word == known,
            (None, _) => false,
        }
    }

    /// The unique constants of a sort are its elements 0, 1, ...: which ones they are is a matter of naming.
    /// There is at least one more element, and at least two.
    fn number_unique_elements(&mut self, program: &Program) {
        for (id, constant) in &program.consts {
            if let (Type::Sort(sort), true) = (&constant.ty, constant.unique) {
                self.pinned[id] = Some(Word::from(self.sort_sizes[sort.index()]));
                self.sort_sizes[sort.index()] += 1;
            }
        }
        for size in &mut self.sort_sizes {
            *size = (*size + 1).max(2);
        }
    }

    /// The program's globals, then those that stand for constants, then those that stand for functions.
    pub(super) fn globals(&self, program: &Program) -> Vec<GlobalCode> {
        let variables = program.globals.values().map(|g| GlobalCode {
            name: g.name.clone(),
            ty: g.ty.clone(),
            init: g.init.map(ex),
            is_variable: true,
        });
        let fixed =
            |name: &str, ty: Type| GlobalCode { name: name.to_owned(), ty, init: None, is_variable: false };
        let consts = program.consts.values().map(|c| fixed(&c.name, c.ty.clone()));
        let funcs = program.funcs.values().map(|f| {
            let args: Vec<Type> = f.params.iter().map(|(_, ty)| ty.clone()).collect();
            fixed(&f.name, if args.is_empty() { f.result.clone() } else { Type::map(args, f.result.clone()) })
        });
        variables.chain(consts).chain(funcs).collect()
    }

    /// The pairs of unique constants of one type whose values are not both pinned.
    pub(super) fn distinct(&self, program: &Program) -> Vec<(u32, u32)> {
        let unique: Vec<ConstId> =
            program.consts.iter().filter(|(_, c)| c.unique).map(|(id, _)| id).collect();
        let mut pairs = Vec::new();
        for (at, &a) in unique.iter().enumerate() {
            for &b in &unique[at + 1..] {
                let same_type = program.consts[a].ty == program.consts[b].ty;
                if same_type && (self.pinned[a].is_none() || self.pinned[b].is_none()) {
                    pairs.push((self.consts[a], self.consts[b]));
                }
            }
        }
        pairs
    }

    /// The value a global that stands for a constant starts with, if pinned.
    fn constant(&self, id: ConstId) -> Expr {
        match self.pinned[id] {
            Some(word) => Expr::Const(word),
            None => Expr::Global(self.consts[id]),
        }
    }

    /// How many elements of each sort a run can tell apart.
    pub(super) fn most_elements(&self, program: &Program) -> Vec<u32> {
        let mut most = vec![u32::MAX; self.sort_sizes.len()];
        for id in program.exprs.ids() {
            if let ExprNode::Quant { vars, .. } = program.exprs.node(id) {
                for var in vars {
                    if let Type::Sort(sort) = var.ty {
                        most[sort.index()] = self.sort_sizes[sort.index()];
                    }
                }
            }
        }
        most
    }

    fn sort_size(&self, sort: SortId) -> u64 {
        u64::from(self.sort_sizes[sort.index()])
    }
}

fn int_word(n: &BigInt) -> Option<Word> {
    n.to_i64().map(i64::cast_unsigned).filter(|&word| word != UNSET)
}

fn literal(node: &ExprNode) -> Option<Word> {
    match node {
        ExprNode::Bool(value) => Some(Word::from(*value)),
        ExprNode::Int(n) => int_word(n),
        ExprNode::Bv(width, value) if *width <= 64 => value.to_u64().filter(|&word| word != UNSET),
        ExprNode::Nil => Some(0),
        _ => None,
    }
}

/// Compiles every expression of the program, in order, so that each keeps its number.
pub(super) fn compile(program: &Program, symbols: &Symbols, code: &mut Code) {
    for id in program.exprs.ids() {
        let expr = if fits_word(program.exprs.ty(id)) {
            compile_node(program, symbols, code, id)
        } else {
            Expr::Unsupported("bit vectors of more than 64 bits".into())
        };
        code.exprs.push(expr);
    }
    for id in program.consts.keys() {
        if let Some(word) = symbols.pinned[id] {
            code.globals[symbols.consts[id] as usize].init =
                Some(Ex::try_from(code.exprs.len()).unwrap_or(Ex::MAX));
            code.exprs.push(Expr::Const(word));
        }
    }
    refuse_high_expressions(code);
}

/// Evaluation recurses, so expressions that are too high for the stack are refused. No program that a person or tool
/// wrote for its meaning comes near the limit.
const HIGHEST: u32 = 4000;

fn refuse_high_expressions(code: &mut Code) {
    let mut heights = vec![0u32; code.exprs.len()];
    // Operands come before what uses them, except for the bodies of functions; repeat until nothing changes.
    loop {
        let mut changed = false;
        for at in 0..code.exprs.len() {
            let mut height = 0;
            code.exprs[at].for_each_operand(&code.cells, |e| height = heights[e as usize].max(height));
            let height = height.saturating_add(levels(&code.exprs[at])).min(HIGHEST + 1);
            changed |= height != heights[at];
            heights[at] = height;
        }
        if !changed {
            break;
        }
    }
    for (expr, height) in code.exprs.iter_mut().zip(heights) {
        if height > HIGHEST {
            *expr = Expr::Unsupported(format!("an expression of more than {HIGHEST} levels").into());
        }
    }
}

/// How many levels of evaluation an expression is besides its operands.
fn levels(expr: &Expr) -> u32 {
    match expr {
        // The values of its variables are tried one inside the other.
        Expr::Quant(quant) => u32::try_from(quant.sizes.len()).unwrap_or(u32::MAX).saturating_add(1),
        _ => 1,
    }
}

fn compile_node(program: &Program, symbols: &Symbols, code: &mut Code, id: ExprId) -> Expr {
    let ty = program.exprs.ty(id);
    match program.exprs.node(id) {
        node @ (ExprNode::Bool(_) | ExprNode::Int(_) | ExprNode::Bv(..) | ExprNode::Nil) => literal(node)
            .map_or_else(|| Expr::Unsupported("a number of more than 64 bits".into()), Expr::Const),
        ExprNode::SelfTask => Expr::SelfTask,
        ExprNode::Global(global, _) => {
            variable(code, Base::Global(u32::try_from(global.index()).unwrap_or(u32::MAX)), ty)
        }
        ExprNode::Local(local, _) => {
            variable(code, Base::Local(u32::try_from(local.index()).unwrap_or(u32::MAX)), ty)
        }
        ExprNode::Const(constant, _) => match symbols.constant(*constant) {
            Expr::Global(global) => variable(code, Base::Global(global), ty),
            known => known,
        },
        ExprNode::Bound(level, _) => Expr::Bound(*level),
        ExprNode::Unary(op, a) => unary(*op, ex(*a), program.exprs.ty(*a)),
        ExprNode::Binary(op, a, b) => binary(program, *op, *a, *b),
        ExprNode::Ite(c, a, b) => Expr::Ite(ex(*c), ex(*a), ex(*b)),
        ExprNode::Select(map, indices) => select(code, ex(*map), indices, ty),
        ExprNode::Store(map, indices, value) => Expr::Store(Box::new(StoreExpr {
            map: ex(*map),
            key: indices.iter().map(|&e| ex(e)).collect(),
            value: ex(*value),
            nested: program.exprs.ty(*value).as_map().is_some(),
        })),
        ExprNode::ConstMap(map, value) => match map.as_map() {
            Some(map) => Expr::ConstMap {
                value: ex(*value),
                arity: u32::try_from(map.args.len()).unwrap_or(u32::MAX),
                nested: map.result.as_map().is_some(),
            },
            None => Expr::Unsupported("a constant map of a type that is no map".into()),
        },
        ExprNode::Apply(func, args, _) => match program.funcs[*func].body {
            Some(body) => Expr::Apply { body: ex(body), args: args.iter().map(|&e| ex(e)).collect() },
            None if args.is_empty() => variable(code, Base::Global(symbols.funcs[*func]), ty),
            None => {
                let path = Box::new([args.iter().map(|&e| ex(e)).collect()]);
                cell(code, Cell { base: Base::Global(symbols.funcs[*func]), path, ty: ty.clone() })
            }
        },
        ExprNode::Quant { kind, vars, first, body, .. } => {
            let sizes: Option<Box<[_]>> = vars
                .iter()
                .map(|v| if v.ty == Type::Int { Some(None) } else { finite_size(symbols, &v.ty).map(Some) })
                .collect();
            match (kind, sizes) {
                (QuantKind::Lambda, _) => Expr::Unsupported("lambda expressions".into()),
                (_, None) => Expr::Unsupported("quantifiers over large types".into()),
                (kind, Some(sizes)) => Expr::Quant(Box::new(QuantExpr {
                    forall: *kind == QuantKind::Forall,
                    sizes,
                    first: *first,
                    body: ex(*body),
                })),
            }
        }
    }
}

/// How many values a type has, if they can be enumerated.
fn finite_size(symbols: &Symbols, ty: &Type) -> Option<u64> {
    match ty {
        Type::Bool => Some(2),
        Type::Bv(width) if *width <= 8 => Some(1 << width),
        Type::Sort(sort) => Some(symbols.sort_size(*sort)),
        Type::Int | Type::Bv(_) | Type::Map(_) | Type::Task | Type::Sync(_) => None,
    }
}

/// Maps are read as cells, because a map with unchosen cells cannot be copied.
fn variable(code: &mut Code, base: Base, ty: &Type) -> Expr {
    match base {
        _ if ty.as_map().is_some() => cell(code, Cell { base, path: Box::new([]), ty: ty.clone() }),
        Base::Global(global) => Expr::Global(global),
        Base::Local(local) => Expr::Local(local),
        Base::Value(e) => cell(code, Cell { base: Base::Value(e), path: Box::new([]), ty: ty.clone() }),
    }
}

fn cell(code: &mut Code, cell: Cell) -> Expr {
    code.cells.push(cell);
    Expr::Cell(u32::try_from(code.cells.len() - 1).unwrap_or(u32::MAX))
}

fn select(code: &mut Code, map: Ex, indices: &[ExprId], ty: &Type) -> Expr {
    let key: Box<[Ex]> = indices.iter().map(|&e| ex(e)).collect();
    let (base, mut path) = match &code.exprs[map as usize] {
        Expr::Cell(inner) => {
            let inner = &code.cells[*inner as usize];
            (inner.base, inner.path.to_vec())
        }
        _ => (Base::Value(map), Vec::new()),
    };
    path.push(key);
    cell(code, Cell { base, path: path.into(), ty: ty.clone() })
}

fn unary(op: UnaryOp, a: Ex, operand: &Type) -> Expr {
    let width = if let Type::Bv(width) = operand { *width } else { 64 };
    if width > 64 {
        return Expr::Unsupported("bit vectors of more than 64 bits".into());
    }
    Expr::Bv(match op {
        UnaryOp::Not => return Expr::Not(a),
        UnaryOp::Neg => return Expr::Neg(a),
        UnaryOp::BvNeg => BvExpr::Neg { a, width },
        UnaryOp::BvNot => BvExpr::Not { a, width },
        UnaryOp::Extract { hi, lo } => BvExpr::Extract { a, lo, width: hi - lo },
        UnaryOp::ZeroExtend(_) => BvExpr::ZeroExtend(a),
        UnaryOp::SignExtend(to) => BvExpr::SignExtend { a, from: width, to },
        UnaryOp::IntToBv(width) => BvExpr::FromInt { a, width },
        UnaryOp::BvToInt => BvExpr::ToInt(a),
        UnaryOp::BvToSignedInt => BvExpr::ToSignedInt { a, width },
    })
}

fn binary(program: &Program, op: BinaryOp, a: ExprId, b: ExprId) -> Expr {
    let operand = program.exprs.ty(a);
    let (x, y) = (ex(a), ex(b));
    match op {
        BinaryOp::And => Expr::And(x, y),
        BinaryOp::Or => Expr::Or(x, y),
        BinaryOp::Implies => Expr::Implies(x, y),
        BinaryOp::Eq | BinaryOp::Iff | BinaryOp::Ne => {
            // Over a finite index type one map has several representations.
            let finite = |ty: &Type| !matches!(ty, Type::Int);
            match operand.as_map() {
                Some(map) if map.args.iter().any(finite) => {
                    Expr::Unsupported("comparisons of maps whose indices are not integers".into())
                }
                _ => Expr::Equal(x, y, op == BinaryOp::Ne),
            }
        }
        BinaryOp::Add => Expr::Add(x, y),
        BinaryOp::Sub => Expr::Sub(x, y),
        BinaryOp::Mul => Expr::Mul(x, y),
        BinaryOp::Div => Expr::Div(x, y),
        BinaryOp::Mod => Expr::Mod(x, y),
        BinaryOp::Lt => Expr::Less(x, y),
        BinaryOp::Le => Expr::LessEq(x, y),
        BinaryOp::Gt => Expr::Less(y, x),
        BinaryOp::Ge => Expr::LessEq(y, x),
        BinaryOp::Concat => match program.exprs.ty(b) {
            Type::Bv(low_width) => Expr::Bv(BvExpr::Concat { a: x, b: y, low_width: *low_width }),
            _ => Expr::Unsupported("a concatenation of what are no bit vectors".into()),
        },
        _ => match operand {
            Type::Bv(width) if *width <= 64 => Expr::Bv(BvExpr::Binary { op, a: x, b: y, width: *width }),
            _ => Expr::Unsupported("bit vectors of more than 64 bits".into()),
        },
    }
}
