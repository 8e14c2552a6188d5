//! Random valid programs: every kind of op and expression, names that collide or need quotes, and shared parts.

use std::collections::HashSet;

use ir::{
    AccessOrder, AssertKind, Axiom, BinaryOp, BlockId, BoundVar, Const, ExprId, ExprNode, Func, Global,
    LocalId, MutexKind, Op, Place, Proc, ProcBuilder, ProcId, Program, QuantKind, Sort, SyncKind, SyncOp,
    SyncType, Type, UnaryOp,
};
use source::Span;

/// Xorshift: small, and the same everywhere.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from((self.0 >> 16) % u64::try_from(bound.max(1)).unwrap()).unwrap()
    }

    pub(super) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }
}

const NAMES: [&str; 18] = [
    "x", "y", "$1", "$2", "if", "value", "wait", "a b", "é|\\", "m.owner", "$woken", "int", "bv8", "const",
    "global", "local", "bvadd", "entry",
];

/// What expressions may use.
#[derive(Clone, Copy, PartialEq)]
enum Usage {
    Closed,
    Procedure,
}

struct Generator {
    random: Random,
    program: Program,
    locals: Vec<(LocalId, Type)>,
    bound: Vec<Type>,
    /// Expressions of the procedure that use no bound variable, to be used again.
    known: Vec<ExprId>,
    /// Functions from this one on may not be used: they could be recursive.
    funcs: usize,
}

pub(super) fn generate(seed: u64) -> Program {
    let mut g = Generator {
        random: Random::new(seed),
        program: Program::default(),
        locals: Vec::new(),
        bound: Vec::new(),
        known: Vec::new(),
        funcs: 0,
    };
    g.declarations();
    let heads: Vec<(Proc, Vec<(LocalId, Type)>)> = (0..3).map(|n| g.head(n)).collect();
    for (proc, _) in &heads {
        g.program.procs.push(proc.clone());
    }
    for (id, (proc, locals)) in heads.into_iter().enumerate() {
        g.locals = locals;
        g.known.clear();
        let proc = g.body(proc);
        g.program.procs[ProcId::from_u32(u32::try_from(id).unwrap())] = proc;
    }
    g.program.threads =
        (0..=g.random.below(2)).map(|n| ProcId::from_u32(u32::try_from(n).unwrap())).collect();
    g.program
}

fn unique(random: &mut Random, taken: &mut HashSet<String>) -> String {
    let mut name = (*random.pick(&NAMES)).to_owned();
    while !taken.insert(name.clone()) {
        name.push(*random.pick(&['\'', '1', ' ']));
    }
    name
}

impl Generator {
    fn declarations(&mut self) {
        let mut taken = HashSet::new();
        for _ in 0..2 {
            let name = unique(&mut self.random, &mut taken);
            self.program.sorts.push(Sort { name, span: Span::NONE });
        }
        taken.clear();
        let sorts: Vec<Type> = self.program.sorts.keys().map(Type::Sort).collect();
        for n in 0..5 {
            let ty = sorts.get(n).cloned().unwrap_or_else(|| self.ty(1));
            let (name, unique) = (unique(&mut self.random, &mut taken), self.random.chance(2));
            self.program.consts.push(Const { name, ty, unique, span: Span::NONE });
        }
        taken.clear();
        for n in 0..3 {
            self.function(n, &mut taken);
        }
        for _ in 0..2 {
            let formula = self.expr(&Type::Bool, 3, Usage::Closed);
            self.program.axioms.push(Axiom { formula, span: Span::NONE });
        }
        taken.clear();
        for n in 0..8 {
            let ty = self.ty(2);
            let init = if self.random.chance(2) { Some(self.expr(&ty, 2, Usage::Closed)) } else { None };
            let name = unique(&mut self.random, &mut taken);
            self.program.globals.push(Global { name, ty, init, span: Span::NONE });
            let object = Type::Sync(all_sync_types(n));
            let ty = if self.random.chance(2) { Type::map(vec![Type::Int], object) } else { object };
            let name = unique(&mut self.random, &mut taken);
            self.program.globals.push(Global { name, ty, init: None, span: Span::NONE });
        }
    }

    fn function(&mut self, n: usize, taken: &mut HashSet<String>) {
        let mut names = HashSet::new();
        let params: Vec<(String, Type)> =
            (0..self.random.below(3)).map(|_| (unique(&mut self.random, &mut names), self.ty(1))).collect();
        let result = self.ty(1);
        self.bound = params.iter().map(|(_, ty)| ty.clone()).collect();
        self.funcs = n;
        let body = if self.random.chance(2) { Some(self.expr(&result, 3, Usage::Closed)) } else { None };
        self.bound.clear();
        let name = unique(&mut self.random, taken);
        self.program.funcs.push(Func { name, params, result, body, span: Span::NONE });
        self.funcs = n + 1;
    }

    fn head(&mut self, n: usize) -> (Proc, Vec<(LocalId, Type)>) {
        let mut builder = ProcBuilder::new(NAMES[n], Span::NONE);
        let mut taken = HashSet::new();
        let mut locals = Vec::new();
        for index in 0..8 {
            let (name, ty) = (unique(&mut self.random, &mut taken), self.ty(2));
            let id = match index {
                0 | 2 => builder.result(name, ty.clone(), Span::NONE),
                1 | 3 => builder.param(name, ty.clone(), Span::NONE),
                _ => builder.local(name, ty.clone(), Span::NONE),
            };
            locals.push((id, ty));
        }
        (builder.finish(), locals)
    }

    fn body(&mut self, mut proc: Proc) -> Proc {
        let mut taken = HashSet::new();
        let count = 1 + self.random.below(4);
        proc.blocks.clear();
        for _ in 0..count {
            let name = unique(&mut self.random, &mut taken);
            proc.blocks.push(ir::Block { name, stmts: Vec::new() });
        }
        let blocks: Vec<BlockId> = proc.blocks.keys().collect();
        proc.entry = *self.random.pick(&blocks);
        for &block in &blocks {
            let mut ops = Vec::new();
            for _ in 0..self.random.below(6) {
                let op = self.op();
                if self.random.chance(5) {
                    ops.extend([Op::AtomicBegin, op, Op::AtomicEnd]);
                } else {
                    ops.push(op);
                }
            }
            ops.push(self.terminator(&blocks));
            proc.blocks[block].stmts = ops.into_iter().map(|op| ir::Stmt { op, span: Span::NONE }).collect();
        }
        proc
    }

    fn terminator(&mut self, blocks: &[BlockId]) -> Op {
        let (a, b) = (*self.random.pick(blocks), *self.random.pick(blocks));
        match self.random.below(5) {
            0 => Op::Goto(a),
            1 => Op::Branch { cond: self.value(&Type::Bool), then: a, otherwise: b },
            2 => Op::Choose { targets: vec![a, b], fair: if a == b { None } else { Some(1) } },
            3 => Op::Return,
            _ => Op::Exit,
        }
    }

    fn value(&mut self, ty: &Type) -> ExprId {
        let depth = if self.random.chance(6) { 7 } else { 3 };
        self.expr(ty, depth, Usage::Procedure)
    }

    fn op(&mut self) -> Op {
        let text = || "a \"message\"\n\\".to_owned();
        match self.random.below(13) {
            0 | 1 => {
                let (targets, values) = self.assignment();
                let order = *self.random.pick(&[AccessOrder::Plain, AccessOrder::Atomic]);
                Op::Assign { targets, values, order }
            }
            2 => Op::Havoc { targets: self.assignment().0 },
            3 => Op::Assume(self.value(&Type::Bool)),
            4 => {
                let (targets, values) = self.assignment();
                Op::Await { guard: self.value(&Type::Bool), targets, values }
            }
            5 => {
                let kind = *self.random.pick(&[AssertKind::Assertion, AssertKind::Memory]);
                let message = if self.random.chance(2) { text() } else { String::new() };
                Op::Assert { cond: self.value(&Type::Bool), kind, message }
            }
            6 => self.call(),
            7 => Op::Wait { task: self.value(&Type::Task), results: self.assignment().0 },
            8 => Op::Yield,
            9 => Op::Progress,
            11 => Op::TransactionBegin,
            12 => Op::TransactionEnd,
            10 => Op::Opaque { targets: self.assignment().0, what: text() },
            _ => self.sync(),
        }
    }

    fn call(&mut self) -> Op {
        let id = ProcId::from_u32(u32::try_from(self.random.below(3)).unwrap());
        let callee = self.program.procs[id].clone();
        let types =
            |ids: &[LocalId]| -> Vec<Type> { ids.iter().map(|l| callee.locals[*l].ty.clone()).collect() };
        let args = types(&callee.params).iter().map(|ty| self.value(ty)).collect();
        if self.random.chance(2) {
            let handle =
                self.locals.iter().find(|(_, ty)| *ty == Type::Task).map(|(id, _)| Place::local(*id));
            return Op::Spawn { proc: id, args, handle };
        }
        let mut free = self.locals.clone();
        let mut results = Vec::new();
        for ty in types(&callee.results) {
            match free.iter().position(|(_, other)| *other == ty) {
                Some(at) => results.push(Place::local(free.swap_remove(at).0)),
                None => return Op::Call { proc: id, args, results: Vec::new() },
            }
        }
        Op::Call { proc: id, args, results }
    }

    /// Different variables, or cells of them.
    fn assignment(&mut self) -> (Vec<Place>, Vec<ExprId>) {
        let mut all: Vec<(Place, Type)> = self
            .program
            .globals
            .iter()
            .filter(|(_, g)| g.ty.sync_inside().is_none())
            .map(|(id, g)| (Place::global(id), g.ty.clone()))
            .collect();
        all.extend(self.locals.iter().map(|(id, ty)| (Place::local(*id), ty.clone())));
        let (mut targets, mut values) = (Vec::new(), Vec::new());
        for _ in 0..self.random.below(4) {
            let (mut place, mut ty) = all.swap_remove(self.random.below(all.len()));
            while let Type::Map(map) = &ty
                && self.random.chance(2)
            {
                let indices = map.args.iter().map(|arg| self.value(arg)).collect();
                place = place.at(indices);
                ty = map.result.clone();
            }
            values.push(self.value(&ty));
            targets.push(place);
        }
        (targets, values)
    }

    fn sync(&mut self) -> Op {
        let objects: Vec<(Place, Type)> = self
            .program
            .globals
            .iter()
            .filter(|(_, g)| g.ty.sync_inside().is_some())
            .map(|(id, g)| (Place::global(id), g.ty.clone()))
            .collect();
        let (place, ty) = self.random.pick(&objects).clone();
        let sync = ty.sync_inside().unwrap().clone();
        let kinds: Vec<SyncKind> = SyncKind::ALL.into_iter().filter(|kind| kind.applies_to(&sync)).collect();
        let kind = *self.random.pick(&kinds);
        // Ops of two steps must find the same object in both.
        let stable = kind.takes_mutex() || kind == SyncKind::BarrierWait;
        let cell = |g: &mut Self, place: &Place, ty: &Type| match ty {
            Type::Map(_) => {
                let index = if stable { g.program.exprs.int(-1) } else { g.value(&Type::Int) };
                place.clone().at(vec![index])
            }
            _ => place.clone(),
        };
        let (object, ty) = (cell(self, &place, &ty), sync);
        let mutexes: Vec<_> =
            objects.iter().filter(|(_, ty)| matches!(ty.sync_inside(), Some(SyncType::Mutex(_)))).collect();
        let mutex = kind.takes_mutex().then(|| cell(self, &mutexes[0].0, &mutexes[0].1));
        let value = kind.value_type(&ty).map(|ty| self.value(&ty));
        let result = kind
            .result_type(&ty)
            .and_then(|ty| self.locals.iter().find(|(_, other)| *other == ty))
            .map(|(id, _)| Place::local(*id));
        Op::Sync(SyncOp { kind, object, mutex, value, result })
    }

    fn ty(&mut self, depth: usize) -> Type {
        let sorts: Vec<Type> = self.program.sorts.keys().map(Type::Sort).collect();
        match self.random.below(if depth == 0 { 6 } else { 8 }) {
            0 => Type::Bool,
            1 | 2 => Type::Int,
            3 => Type::Bv(*self.random.pick(&[1, 8, 16])),
            4 => Type::Task,
            5 => self.random.pick(&sorts).clone(),
            _ => {
                let args = (0..=self.random.below(2)).map(|_| self.ty(0)).collect();
                Type::map(args, self.ty(depth - 1))
            }
        }
    }

    fn expr(&mut self, ty: &Type, depth: usize, usage: Usage) -> ExprId {
        if self.bound.is_empty() && usage == Usage::Procedure && !self.known.is_empty() {
            let again = *self.random.pick(&self.known);
            if self.program.exprs.ty(again) == ty {
                return again;
            }
        }
        let id = if depth == 0 || self.random.chance(6) {
            self.leaf(ty, usage)
        } else {
            self.inner(ty, depth - 1, usage)
        };
        assert_eq!(self.program.exprs.ty(id), ty);
        if self.bound.is_empty() && usage == Usage::Procedure {
            self.known.push(id);
        }
        id
    }

    fn leaf(&mut self, ty: &Type, usage: Usage) -> ExprId {
        let mut nodes: Vec<ExprNode> = Vec::new();
        let consts = self.program.consts.iter().filter(|(_, c)| c.ty == *ty);
        nodes.extend(consts.map(|(id, _)| ExprNode::Const(id, ty.clone())));
        let bound = self.bound.iter().zip(0..).filter(|(other, _)| *other == ty);
        nodes.extend(bound.map(|(_, level)| ExprNode::Bound(level, ty.clone())));
        if usage == Usage::Procedure {
            let globals = self.program.globals.iter().filter(|(_, g)| g.ty == *ty);
            nodes.extend(globals.map(|(id, _)| ExprNode::Global(id, ty.clone())));
            let locals = self.locals.iter().filter(|(_, other)| other == ty);
            nodes.extend(locals.map(|(id, _)| ExprNode::Local(*id, ty.clone())));
            if *ty == Type::Task {
                nodes.push(ExprNode::SelfTask);
            }
        }
        match ty {
            Type::Bool => nodes.push(ExprNode::Bool(self.random.chance(2))),
            Type::Int => nodes.push(ExprNode::Int((*self.random.pick(&[0, 5, -5])).into())),
            Type::Bv(width) => nodes.push(ExprNode::Bv(*width, 1.into())),
            Type::Task => nodes.push(ExprNode::Nil),
            Type::Map(map) => {
                let value = self.leaf(&map.result, usage);
                nodes.push(ExprNode::ConstMap(ty.clone(), value));
            }
            Type::Sort(_) | Type::Sync(_) => {}
        }
        let node = self.random.pick(&nodes).clone();
        self.program.exprs.add(node)
    }

    fn inner(&mut self, ty: &Type, depth: usize, usage: Usage) -> ExprId {
        match self.random.below(8) {
            0 => {
                let cond = self.expr(&Type::Bool, depth, usage);
                let (a, b) = (self.expr(ty, depth, usage), self.expr(ty, depth, usage));
                return self.program.exprs.ite(cond, a, b);
            }
            1 => {
                let args: Vec<Type> = (0..=self.random.below(2)).map(|_| self.ty(0)).collect();
                let map = self.expr(&Type::map(args.clone(), ty.clone()), depth, usage);
                let indices = args.iter().map(|arg| self.expr(arg, depth, usage)).collect();
                return self.program.exprs.select(map, indices);
            }
            2 => {
                let funcs: Vec<_> = self.program.funcs.iter().take(self.funcs).collect();
                let fits = funcs.iter().find(|(_, f)| f.result == *ty).map(|(id, f)| (*id, f.params.clone()));
                if let Some((id, params)) = fits {
                    let args = params.iter().map(|(_, ty)| self.expr(ty, depth, usage)).collect();
                    return self.program.exprs.add(ExprNode::Apply(id, args, ty.clone()));
                }
            }
            _ => {}
        }
        match ty {
            Type::Bool => self.formula(depth, usage),
            Type::Int => self.integer(depth, usage),
            Type::Bv(width) => self.bits(*width, depth, usage),
            Type::Map(map) => {
                if self.random.chance(2) {
                    let (args, result) = (map.args.clone(), map.result.clone());
                    return self.quantifier(QuantKind::Lambda, args, &result, depth, usage);
                }
                let base = self.expr(ty, depth, usage);
                let indices = map.args.iter().map(|arg| self.expr(arg, depth, usage)).collect();
                let value = self.expr(&map.result, depth, usage);
                self.program.exprs.add(ExprNode::Store(base, indices, value))
            }
            Type::Task | Type::Sort(_) | Type::Sync(_) => self.leaf(ty, usage),
        }
    }

    fn quantifier(
        &mut self,
        kind: QuantKind,
        types: Vec<Type>,
        body: &Type,
        depth: usize,
        usage: Usage,
    ) -> ExprId {
        let first = u32::try_from(self.bound.len()).unwrap();
        let vars: Vec<BoundVar> = types
            .iter()
            .map(|ty| BoundVar { name: (*self.random.pick(&NAMES)).to_owned(), ty: ty.clone() })
            .collect();
        self.bound.extend(types);
        let body = self.expr(body, depth, usage);
        let mut triggers = Vec::new();
        if self.random.chance(3) {
            triggers.push(vec![self.expr(&Type::Int, 1, usage), body]);
        }
        self.bound.truncate(first as usize);
        self.program.exprs.add(ExprNode::Quant { kind, vars, first, body, triggers })
    }

    fn binary(&mut self, ops: &[BinaryOp], ty: &Type, depth: usize, usage: Usage) -> ExprId {
        let op = *self.random.pick(ops);
        let (a, b) = (self.expr(ty, depth, usage), self.expr(ty, depth, usage));
        self.program.exprs.binary(op, a, b)
    }

    fn formula(&mut self, depth: usize, usage: Usage) -> ExprId {
        use BinaryOp::{
            And, BvSge, BvSgt, BvSle, BvSlt, BvUge, BvUgt, BvUle, BvUlt, Eq, Ge, Gt, Iff, Implies, Le, Lt,
            Ne, Or,
        };
        match self.random.below(6) {
            0 | 1 => self.binary(&[And, Or, Implies, Iff], &Type::Bool, depth, usage),
            2 => {
                let ty = self.ty(1);
                self.binary(&[Eq, Ne], &ty, depth, usage)
            }
            3 => self.binary(&[Lt, Le, Gt, Ge], &Type::Int, depth, usage),
            4 => {
                let ops = [BvUlt, BvUle, BvUgt, BvUge, BvSlt, BvSle, BvSgt, BvSge];
                self.binary(&ops, &Type::Bv(8), depth, usage)
            }
            _ if self.random.chance(2) => {
                let types = (0..=self.random.below(2)).map(|_| self.ty(1)).collect();
                let kind = *self.random.pick(&[QuantKind::Forall, QuantKind::Exists]);
                self.quantifier(kind, types, &Type::Bool, depth, usage)
            }
            _ => {
                let a = self.expr(&Type::Bool, depth, usage);
                self.program.exprs.not(a)
            }
        }
    }

    fn integer(&mut self, depth: usize, usage: Usage) -> ExprId {
        use BinaryOp::{Add, Div, Mod, Mul, Sub};
        let (op, ty) = match self.random.below(5) {
            0 => (UnaryOp::Neg, Type::Int),
            1 => (UnaryOp::BvToInt, Type::Bv(8)),
            2 => (UnaryOp::BvToSignedInt, Type::Bv(8)),
            _ => return self.binary(&[Add, Sub, Mul, Div, Mod], &Type::Int, depth, usage),
        };
        let a = self.expr(&ty, depth, usage);
        self.program.exprs.add(ExprNode::Unary(op, a))
    }

    fn bits(&mut self, width: u32, depth: usize, usage: Usage) -> ExprId {
        use BinaryOp::{
            BvAdd, BvAnd, BvAshr, BvLshr, BvMul, BvOr, BvSdiv, BvShl, BvSmod, BvSrem, BvSub, BvUdiv, BvUrem,
            BvXor,
        };
        let (op, ty) = match self.random.below(9) {
            0 => (UnaryOp::BvNeg, Type::Bv(width)),
            1 => (UnaryOp::BvNot, Type::Bv(width)),
            2 => (UnaryOp::Extract { hi: width + 1, lo: 1 }, Type::Bv(width + 3)),
            3 => (UnaryOp::ZeroExtend(width), Type::Bv(1)),
            4 => (UnaryOp::SignExtend(width), Type::Bv(1)),
            5 => (UnaryOp::IntToBv(width), Type::Int),
            6 if width > 1 => {
                let (a, b) =
                    (self.expr(&Type::Bv(1), depth, usage), self.expr(&Type::Bv(width - 1), depth, usage));
                return self.program.exprs.binary(BinaryOp::Concat, a, b);
            }
            _ => {
                let ops = [
                    BvAdd, BvSub, BvMul, BvUdiv, BvSdiv, BvUrem, BvSrem, BvSmod, BvShl, BvLshr, BvAshr,
                    BvAnd, BvOr, BvXor,
                ];
                return self.binary(&ops, &Type::Bv(width), depth, usage);
            }
        };
        let a = self.expr(&ty, depth, usage);
        self.program.exprs.add(ExprNode::Unary(op, a))
    }
}

/// The synchronization types, in turn.
pub(super) fn all_sync_types(n: usize) -> SyncType {
    let all = [
        SyncType::Mutex(MutexKind::Plain),
        SyncType::Condvar,
        SyncType::RwLock,
        SyncType::Mutex(MutexKind::Recursive),
        SyncType::Barrier,
        SyncType::Semaphore,
        SyncType::Once,
        SyncType::Key(Box::new(Type::Int)),
        SyncType::Mutex(MutexKind::ErrorChecking),
    ];
    all[n % all.len()].clone()
}
