//! A program as IR, built directly.

use ir::{
    AccessOrder, AssertKind, BinaryOp, BlockId, ExprId, ExprNode, GlobalId, LocalId, MutexKind, Op,
    Place as IrPlace, ProcBuilder, ProcId, SyncKind, SyncOp, SyncType,
};
use source::Span;

use crate::ast::{Cond, Expr, Global, GlobalKind, Lock, Place, Program, Stmt, Type, Var};

/// The IR of a program.
#[must_use]
pub fn to_ir(program: &Program) -> ir::Program {
    let mut ir = ir::Program::default();
    for (at, global) in program.globals.iter().enumerate() {
        let init = global.init.and_then(|value| initial(&mut ir, global.kind, value));
        let ty = global_type(global);
        ir.globals.push(ir::Global { name: program.global_name(at), ty, init, span: Span::NONE });
    }
    for at in 0..program.procs.len() {
        let proc = lower_proc(program, at, &mut ir);
        ir.procs.push(proc);
    }
    ir.threads = (0..program.entry.threads()).map(proc_id).collect();
    ir
}

fn proc_id(at: usize) -> ProcId {
    ProcId::from_u32(small(at))
}

fn small(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

fn global_type(global: &Global) -> ir::Type {
    let mutex = ir::Type::Sync(SyncType::Mutex(MutexKind::Plain));
    match global.kind {
        GlobalKind::Bool => ir::Type::Bool,
        GlobalKind::Int => ir::Type::Int,
        GlobalKind::Map => ir::Type::map(vec![ir::Type::Int], ir::Type::Int),
        GlobalKind::Mutex => mutex,
        GlobalKind::Mutexes => ir::Type::map(vec![ir::Type::Int], mutex),
    }
}

fn initial(ir: &mut ir::Program, kind: GlobalKind, value: u8) -> Option<ExprId> {
    let number = ir.exprs.int(value);
    match kind {
        GlobalKind::Bool => Some(ir.exprs.bool(value == 1)),
        GlobalKind::Int => Some(number),
        GlobalKind::Map => {
            let map = ir::Type::map(vec![ir::Type::Int], ir::Type::Int);
            Some(ir.exprs.add(ExprNode::ConstMap(map, number)))
        }
        GlobalKind::Mutex | GlobalKind::Mutexes => None,
    }
}

fn ty(ty: Type) -> ir::Type {
    match ty {
        Type::Bool => ir::Type::Bool,
        Type::Int => ir::Type::Int,
        Type::Task(_) => ir::Type::Task,
    }
}

fn lower_proc(program: &Program, at: usize, ir: &mut ir::Program) -> ir::Proc {
    let proc = &program.procs[at];
    let mut builder = ProcBuilder::new(program.proc_name(at), Span::NONE);
    for (local, declared) in proc.locals.iter().enumerate() {
        let (name, ty) = (proc.local_name(local), ty(declared.ty));
        if local < proc.params {
            builder.param(name, ty, Span::NONE);
        } else if proc.result == Some(local) {
            builder.result(name, ty, Span::NONE);
        } else {
            builder.local(name, ty, Span::NONE);
        }
    }
    let mut lowering = Lowering { program, proc: at, ir, builder, blocks: 0 };
    lowering.block(&proc.body);
    lowering.builder.finish()
}

struct Lowering<'a> {
    program: &'a Program,
    proc: usize,
    ir: &'a mut ir::Program,
    builder: ProcBuilder,
    blocks: usize,
}

impl Lowering<'_> {
    fn push(&mut self, op: Op) {
        self.builder.push(op, Span::NONE);
    }

    fn new_block(&mut self, name: &str) -> BlockId {
        self.blocks += 1;
        self.builder.block(format!("{name}{}", self.blocks))
    }

    fn block(&mut self, block: &[Stmt]) {
        for stmt in block {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let op = match stmt {
            Stmt::If(cond, then, otherwise) => return self.branch(cond, then, otherwise),
            Stmt::While(cond, body) => return self.repeat(cond, body),
            Stmt::Atomic(body) => {
                self.push(Op::AtomicBegin);
                self.block(body);
                Op::AtomicEnd
            }
            Stmt::Assign(pairs) => Op::Assign {
                targets: pairs.iter().map(|(place, _)| self.place(place)).collect(),
                values: pairs.iter().map(|(_, value)| self.expr(value)).collect(),
                order: AccessOrder::Plain,
            },
            Stmt::Havoc(var) => Op::Havoc { targets: vec![var_place(*var)] },
            Stmt::Call { proc, args, result } => Op::Call {
                proc: proc_id(*proc),
                args: self.exprs(args),
                results: result.map(var_place).into_iter().collect(),
            },
            Stmt::Async { proc, args, handle } => Op::Spawn {
                proc: proc_id(*proc),
                args: self.exprs(args),
                handle: handle.map(|local| var_place(Var::Local(local))),
            },
            Stmt::Wait { handle, result } => Op::Wait {
                task: self.expr(&Expr::var(Var::Local(*handle))),
                results: result.map(var_place).into_iter().collect(),
            },
            Stmt::Acquire(lock) => self.sync(SyncKind::Acquire, lock, None),
            Stmt::Release(lock) => self.sync(SyncKind::Release, lock, None),
            Stmt::TryAcquire(var, lock) => self.sync(SyncKind::TryAcquire, lock, Some(var_place(*var))),
            Stmt::Assume(cond) => Op::Assume(self.expr(cond)),
            Stmt::Assert(cond, number) => Op::Assert {
                cond: self.expr(cond),
                kind: AssertKind::Assertion,
                message: format!("assertion {number}"),
            },
            Stmt::Yield => Op::Yield,
            Stmt::Progress => Op::Progress,
            Stmt::Return => Op::Return,
        };
        self.push(op);
    }

    /// To enter the branch is what a fair choice may not refuse for ever.
    fn branch(&mut self, cond: &Cond, then: &[Stmt], otherwise: &[Stmt]) {
        let (yes, no, done) = (self.new_block("then"), self.new_block("else"), self.new_block("join"));
        self.jump(cond, yes, no, 0);
        for (block, body) in [(yes, then), (no, otherwise)] {
            self.builder.switch_to(block);
            self.block(body);
            self.push(Op::Goto(done));
        }
        self.builder.switch_to(done);
    }

    /// To leave the loop is what a fair choice may not refuse for ever.
    fn repeat(&mut self, cond: &Cond, body: &[Stmt]) {
        let (head, inside, done) = (self.new_block("head"), self.new_block("body"), self.new_block("done"));
        self.push(Op::Goto(head));
        self.builder.switch_to(head);
        self.jump(cond, inside, done, 1);
        self.builder.switch_to(inside);
        self.block(body);
        self.push(Op::Goto(head));
        self.builder.switch_to(done);
    }

    fn jump(&mut self, cond: &Cond, then: BlockId, otherwise: BlockId, fair_target: usize) {
        let op = match cond {
            Cond::Any { fair } => {
                Op::Choose { targets: vec![then, otherwise], fair: fair.then_some(fair_target) }
            }
            Cond::Holds(cond) => Op::Branch { cond: self.expr(cond), then, otherwise },
        };
        self.push(op);
    }

    fn sync(&mut self, kind: SyncKind, lock: &Lock, result: Option<IrPlace>) -> Op {
        let mut object = IrPlace::global(global_id(lock.global));
        if let Some(index) = &lock.index {
            object = object.at(vec![self.expr(index)]);
        }
        Op::Sync(SyncOp { kind, object, mutex: None, value: None, result })
    }

    fn place(&mut self, place: &Place) -> IrPlace {
        match place {
            Place::Var(var) => var_place(*var),
            Place::Cell(map, index) => IrPlace::global(global_id(*map)).at(vec![self.expr(index)]),
        }
    }

    fn exprs(&mut self, exprs: &[Expr]) -> Vec<ExprId> {
        exprs.iter().map(|e| self.expr(e)).collect()
    }

    fn expr(&mut self, expr: &Expr) -> ExprId {
        let (op, a, b) = match expr {
            Expr::Bool(value) => return self.ir.exprs.bool(*value),
            Expr::Int(value) => return self.ir.exprs.int(*value),
            Expr::Read(place) => return self.read(place),
            Expr::Not(a) => {
                let a = self.expr(a);
                return self.ir.exprs.not(a);
            }
            Expr::Add(a, b) => (BinaryOp::Add, a, b),
            Expr::Equal(a, b) => (BinaryOp::Eq, a, b),
            Expr::Less(a, b) => (BinaryOp::Lt, a, b),
            Expr::And(a, b) => (BinaryOp::And, a, b),
            Expr::Or(a, b) => (BinaryOp::Or, a, b),
        };
        let (a, b) = (self.expr(a), self.expr(b));
        let result = self.ir.exprs.binary(op, a, b);
        if op == BinaryOp::Add {
            let three = self.ir.exprs.int(3);
            return self.ir.exprs.binary(BinaryOp::Mod, result, three);
        }
        result
    }

    fn read(&mut self, place: &Place) -> ExprId {
        match place {
            Place::Var(Var::Global(global)) => self.global(*global),
            Place::Var(Var::Local(local)) => {
                let declared = self.program.procs[self.proc].locals[*local].ty;
                self.ir.exprs.add(ExprNode::Local(LocalId::from_u32(small(*local)), ty(declared)))
            }
            Place::Cell(map, index) => {
                let (map, index) = (self.global(*map), self.expr(index));
                self.ir.exprs.select(map, vec![index])
            }
        }
    }

    fn global(&mut self, at: usize) -> ExprId {
        let ty = global_type(&self.program.globals[at]);
        self.ir.exprs.add(ExprNode::Global(global_id(at), ty))
    }
}

fn global_id(at: usize) -> GlobalId {
    GlobalId::from_u32(small(at))
}

fn var_place(var: Var) -> IrPlace {
    match var {
        Var::Global(global) => IrPlace::global(global_id(global)),
        Var::Local(local) => IrPlace::local(LocalId::from_u32(small(local))),
    }
}
