//! From the IR to [`Code`].

mod bounded;
mod exprs;

use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};
use ir::{
    AccessOrder, AssertKind, BlockId, Expanded, Op, OpRef, Place, PlaceBase, Proc, ProcId, Program, Stmt,
    Type, expand,
};
use rustc_hash::FxHashMap;

use crate::access::{self, Access};
use crate::code::{Action, Base, Cell, Code, Ex, Instr, Pc, ProcCode};
use crate::guard::{self, Guard};
use crate::points::{self, SwitchAt};

/// Compiles a valid program.
pub(crate) fn compile(program: &Program, switch_at: SwitchAt) -> Code {
    let Expanded { program, back, .. } = expand(program);
    let symbols = exprs::Symbols::new(&program);
    let mut code = Code {
        instrs: Vec::new(),
        exprs: Vec::new(),
        cells: Vec::new(),
        procs: PrimaryMap::new(),
        handles: Vec::new(),
        globals: symbols.globals(&program),
        axioms: Vec::new(),
        distinct: symbols.distinct(&program),
        threads: program.threads.clone(),
        presentation: program.presentation.clone(),
        switch_at,
        sort_sizes: symbols.sort_sizes.clone(),
        most_elements: symbols.most_elements(&program),
        bounded: FxHashMap::default(),
        guarded: false,
        guard_maps: None,
    };
    exprs::compile(&program, &symbols, &mut code);
    code.axioms = symbols.axioms.iter().map(|axiom| (ex(axiom.formula), axiom.span)).collect();
    code.handles = with_handles(code.globals.iter().map(|g| &g.ty));
    for (id, proc) in &program.procs {
        let info = compile_proc(&mut code, id, proc, |at| back.get(at).unwrap_or(at));
        code.procs.push(info);
    }
    for (.., stmt) in program.procs.values().flat_map(Proc::stmts) {
        if let Op::Assume(cond) = stmt.op
            && let Some(bounds) = bounded::bounds(&program, cond)
        {
            code.bounded.insert(ex(cond), bounds);
        }
    }
    access::analyse(&mut code);
    guard::analyse(&mut code);
    points::mark(&mut code);
    code
}

/// Expressions keep their numbers.
pub(crate) fn ex(id: ir::ExprId) -> Ex {
    Ex::try_from(id.index()).unwrap_or(Ex::MAX)
}

/// Whether values of a type are, or have in them, handles of tasks.
pub(crate) fn holds_task(ty: &Type) -> bool {
    match ty {
        Type::Task => true,
        Type::Map(map) => map.args.iter().any(holds_task) || holds_task(&map.result),
        Type::Bool | Type::Int | Type::Bv(_) | Type::Sort(_) | Type::Sync(_) => false,
    }
}

fn with_handles<'a>(types: impl Iterator<Item = &'a Type>) -> Vec<u32> {
    (0..).zip(types).filter(|(_, ty)| holds_task(ty)).map(|(at, _)| at).collect()
}

fn compile_proc(code: &mut Code, id: ProcId, proc: &Proc, origin: impl Fn(OpRef) -> OpRef) -> ProcCode {
    let mut starts: SecondaryMap<BlockId, Pc> = SecondaryMap::new();
    let mut next = Pc::try_from(code.instrs.len()).unwrap_or(Pc::MAX);
    for (block, body) in &proc.blocks {
        starts[block] = next;
        next += Pc::try_from(body.stmts.len()).unwrap_or(0);
    }
    let lower = Lower { code, proc, starts: &starts };
    let mut instrs = Vec::new();
    for (block, index, stmt) in proc.stmts() {
        instrs.push(Instr {
            action: lower.action(&stmt.op),
            point: false,
            plain: is_plain(&stmt.op) || is_checked_access(&proc.blocks[block].stmts[index..]),
            own: Access::default(),
            step: Access::default(),
            future: Access::default(),
            guard: Guard::default(),
            proc: id,
            origin: origin(OpRef { proc: id, block, index }),
            span: stmt.span,
        });
    }
    code.instrs.extend(instrs);
    let local = |id: ir::LocalId| u32::try_from(id.index()).unwrap_or(u32::MAX);
    ProcCode {
        name: proc.name.clone(),
        entry: starts[proc.entry],
        locals: proc.locals.values().map(|l| (l.name.clone(), l.ty.clone())).collect(),
        params: proc.params.iter().map(|&p| local(p)).collect(),
        results: proc.results.iter().map(|&r| local(r)).collect(),
        handles: with_handles(proc.locals.values().map(|l| &l.ty)),
    }
}

/// Atomic accesses, guarded assignments and whole atomic sections never race.
fn is_plain(op: &Op) -> bool {
    !matches!(
        op,
        Op::Assign { order: AccessOrder::Atomic, .. } | Op::Await { .. } | Op::AtomicBegin | Op::Sync(_)
    )
}

/// Whether a section is no more than one plain access with checks that memory is there.
fn is_checked_access(stmts: &[Stmt]) -> bool {
    let [Stmt { op: Op::AtomicBegin, .. }, rest @ ..] = stmts else { return false };
    let check = |stmt: &&Stmt| matches!(stmt.op, Op::Assert { kind: AssertKind::Memory, .. });
    let checks = rest.iter().take_while(check).count();
    let plain =
        matches!(rest.get(checks).map(|stmt| &stmt.op), Some(Op::Assign { order: AccessOrder::Plain, .. }));
    let end = matches!(rest.get(checks + 1).map(|stmt| &stmt.op), Some(Op::AtomicEnd));
    checks > 0 && plain && end
}

struct Lower<'a> {
    code: &'a Code,
    proc: &'a Proc,
    starts: &'a SecondaryMap<BlockId, Pc>,
}

impl Lower<'_> {
    fn action(&self, op: &Op) -> Action {
        let exs = |ids: &[ir::ExprId]| ids.iter().map(|&e| ex(e)).collect::<Box<[Ex]>>();
        match op {
            Op::Assign { targets, values, .. } => match (targets.as_slice(), values.as_slice()) {
                ([target], [value]) if target.path.is_empty() => {
                    Action::Set { target: base(target.base), value: ex(*value) }
                }
                _ => Action::Assign { targets: self.cells(targets), values: exs(values) },
            },
            Op::Havoc { targets } => Action::Havoc(self.cells(targets)),
            Op::Assume(cond) => Action::Assume(ex(*cond)),
            Op::Await { guard, targets, values } => {
                Action::Await { guard: ex(*guard), targets: self.cells(targets), values: exs(values) }
            }
            Op::Assert { cond, kind, message } => {
                Action::Assert { cond: ex(*cond), kind: *kind, message: message.as_str().into() }
            }
            Op::Call { proc, args, results } => {
                Action::Call { proc: *proc, args: exs(args), results: self.cells(results) }
            }
            Op::Spawn { proc, args, handle } => {
                let handle = handle.as_ref().map(|place| self.cell(place));
                Action::Spawn { proc: *proc, args: exs(args), handle }
            }
            Op::Wait { task, results } => Action::Wait { task: ex(*task), results: self.cells(results) },
            Op::AtomicBegin => Action::AtomicBegin,
            Op::AtomicEnd => Action::AtomicEnd,
            Op::Yield => Action::Yield,
            Op::Progress => Action::Progress,
            Op::TransactionBegin | Op::TransactionEnd => Action::Nothing,
            Op::Sync(_) => Action::Opaque("a synchronization op that was not expanded".into()),
            Op::Opaque { what, .. } => Action::Opaque(what.as_str().into()),
            Op::Goto(block) => Action::Goto(self.starts[*block]),
            Op::Branch { cond, then, otherwise } => Action::Branch {
                cond: ex(*cond),
                then: self.starts[*then],
                otherwise: self.starts[*otherwise],
            },
            Op::Choose { targets, fair } => Action::Choose {
                targets: targets.iter().map(|&b| self.starts[b]).collect(),
                fair: fair.and_then(|at| u32::try_from(at).ok()),
            },
            Op::Return => Action::Return,
            Op::Exit => Action::Exit,
        }
    }

    fn cells(&self, places: &[Place]) -> Box<[Cell]> {
        places.iter().map(|place| self.cell(place)).collect()
    }

    fn cell(&self, place: &Place) -> Cell {
        let whole = match place.base {
            PlaceBase::Global(id) => &self.code.globals[id.index()].ty,
            PlaceBase::Local(id) => &self.proc.locals[id].ty,
        };
        let mut ty = whole.clone();
        for _ in &place.path {
            if let Type::Map(map) = &ty {
                ty = map.result.clone();
            }
        }
        let path = place.path.iter().map(|indices| indices.iter().map(|&e| ex(e)).collect()).collect();
        Cell { base: base(place.base), path, ty }
    }
}

fn base(base: PlaceBase) -> Base {
    match base {
        PlaceBase::Global(id) => Base::Global(u32::try_from(id.index()).unwrap_or(u32::MAX)),
        PlaceBase::Local(id) => Base::Local(u32::try_from(id.index()).unwrap_or(u32::MAX)),
    }
}
