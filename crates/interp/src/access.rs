//! Which globals instructions touch, for the partial-order reduction.

use cranelift_entity::SecondaryMap;
use ir::ProcId;

use crate::code::{Action, Base, Cell, Code, Ex, Expr, Pc};

/// Sets of globals read and written, as bits. Globals beyond the 62nd share bits with others: two accesses that
/// conflict are always seen to conflict, the converse need not hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Access {
    pub(crate) reads: u64,
    pub(crate) writes: u64,
}

impl Access {
    /// Everything: for steps that must not be reordered with anything.
    const ALL: Access = Access { reads: u64::MAX, writes: u64::MAX };
    /// Starting a task decides the number it gets, so two starts do not commute.
    const SPAWN: Access = Access { reads: 0, writes: 1 << 63 };

    /// Whether one writes what the other reads or writes.
    #[must_use]
    pub fn conflicts(self, other: Access) -> bool {
        self.writes & (other.reads | other.writes) != 0 || self.reads & other.writes != 0
    }

    /// Both together.
    #[must_use]
    pub fn union(self, other: Access) -> Access {
        Access { reads: self.reads | other.reads, writes: self.writes | other.writes }
    }

    /// Whether it must not be reordered with anything, not even with what others do on their own: it can end the run.
    #[must_use]
    pub fn is_everything(self) -> bool {
        self == Self::ALL
    }

    /// Whether nothing is touched.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self == Access::default()
    }

    fn bit(global: u32) -> u64 {
        1 << (global % 63)
    }
}

/// Fills in what each instruction touches itself, in its step, and from there on.
pub(crate) fn analyse(code: &mut Code) {
    let reads = reads_of_exprs(code);
    for pc in 0..code.instrs.len() {
        code.instrs[pc].own = own(code, &reads, pc);
    }
    let totals = futures(code);
    steps(code, &totals);
}

/// What evaluating each expression reads.
fn reads_of_exprs(code: &Code) -> Vec<u64> {
    let mut reads = vec![0u64; code.exprs.len()];
    // Operands come before what uses them, except for the bodies of functions; repeat until nothing changes.
    loop {
        let mut changed = false;
        for at in 0..code.exprs.len() {
            let new = reads_of(code, &reads, &code.exprs[at]);
            changed |= new != reads[at];
            reads[at] = new;
        }
        if !changed {
            return reads;
        }
    }
}

fn reads_of(code: &Code, reads: &[u64], expr: &Expr) -> u64 {
    let mut all = match expr {
        Expr::Global(global) => global_read(code, *global),
        Expr::Cell(cell) => match code.cells[*cell as usize].base {
            Base::Global(global) => global_read(code, global),
            Base::Local(_) | Base::Value(_) => 0,
        },
        _ => 0,
    };
    expr.for_each_operand(&code.cells, |operand| all |= reads[operand as usize]);
    all
}

/// Constants never change: reading one is no access.
fn global_read(code: &Code, global: u32) -> u64 {
    if code.globals[global as usize].is_variable { Access::bit(global) } else { 0 }
}

fn reads_of_path(reads: &[u64], cell: &Cell) -> u64 {
    cell.path.iter().flatten().map(|&e| reads[e as usize]).fold(0, |a, b| a | b)
}

fn own(code: &Code, reads: &[u64], pc: usize) -> Access {
    let of = |e: Ex| reads[e as usize];
    let all = |es: &[Ex]| es.iter().map(|&e| of(e)).fold(0, |a, b| a | b);
    let write = |cells: &[Cell]| {
        let mut access = Access::default();
        for cell in cells {
            access.reads |= reads_of_path(reads, cell);
            if let Base::Global(global) = cell.base {
                access.writes |= Access::bit(global);
            }
        }
        access
    };
    let read = |reads: u64| Access { reads, writes: 0 };
    match &code.instrs[pc].action {
        Action::Assign { targets, values } => write(targets).union(read(all(values))),
        Action::Set { target, value } => {
            let writes = if let Base::Global(global) = target { Access::bit(*global) } else { 0 };
            Access { reads: of(*value), writes }
        }
        Action::Havoc(targets) => write(targets),
        Action::Assume(cond) | Action::Assert { cond, .. } | Action::Branch { cond, .. } => read(of(*cond)),
        Action::Await { guard, targets, values } => {
            write(targets).union(read(all(values))).union(read(of(*guard)))
        }
        // The results are assigned on return, but the callee's future must count them.
        Action::Call { args, results, .. } => write(results).union(read(all(args))),
        Action::Spawn { args, handle, .. } => {
            write(handle.as_slice()).union(read(all(args))).union(Access::SPAWN)
        }
        Action::Wait { task, results } => write(results).union(read(of(*task))),
        Action::Exit | Action::Opaque(_) => Access::ALL,
        Action::AtomicBegin
        | Action::AtomicEnd
        | Action::Yield
        | Action::Progress
        | Action::Nothing
        | Action::Goto(_)
        | Action::Choose { .. }
        | Action::Return => Access::default(),
    }
}

/// Where control may go within the procedure.
pub(crate) fn successors(action: &Action, pc: Pc) -> smallvec::SmallVec<[Pc; 2]> {
    match action {
        Action::Goto(target) => smallvec::smallvec![*target],
        Action::Branch { then, otherwise, .. } => smallvec::smallvec![*then, *otherwise],
        Action::Choose { targets, .. } => targets.iter().copied().collect(),
        Action::Return | Action::Exit => smallvec::SmallVec::new(),
        _ => smallvec::smallvec![pc + 1],
    }
}

/// What each procedure touches from its entry on, and the same from each instruction on.
fn futures(code: &mut Code) -> SecondaryMap<ProcId, Access> {
    let mut totals: SecondaryMap<ProcId, Access> = SecondaryMap::new();
    loop {
        let mut changed = false;
        for pc in (0..code.instrs.len()).rev() {
            let instr = &code.instrs[pc];
            let mut future = instr.own;
            if let Action::Call { proc, .. } | Action::Spawn { proc, .. } = &instr.action {
                future = future.union(totals[*proc]);
            }
            for next in successors(&instr.action, Pc::try_from(pc).unwrap_or(Pc::MAX)) {
                future = future.union(code.instr(next).future);
            }
            changed |= future != instr.future;
            code.instrs[pc].future = future;
        }
        for (proc, info) in &code.procs {
            let total = code.instr(info.entry).future;
            changed |= totals[proc] != total;
            totals[proc] = total;
        }
        if !changed {
            return totals;
        }
    }
}

/// What the step that starts at each instruction touches: the instruction itself, or for an atomic section all
/// that it may reach before its end. What follows up to the next scheduling point touches no global.
fn steps(code: &mut Code, totals: &SecondaryMap<ProcId, Access>) {
    for pc in 0..code.instrs.len() {
        code.instrs[pc].step = match &code.instrs[pc].action {
            Action::AtomicBegin => section(code, totals, pc),
            _ => code.instrs[pc].own,
        };
    }
}

fn section(code: &Code, totals: &SecondaryMap<ProcId, Access>, begin: usize) -> Access {
    let begin = Pc::try_from(begin).unwrap_or(Pc::MAX);
    let mut access = Access::default();
    let mut seen = rustc_hash::FxHashSet::default();
    let mut work = vec![(begin, 0u32)];
    while let Some((pc, depth)) = work.pop() {
        if !seen.insert((pc, depth)) {
            continue;
        }
        let instr = code.instr(pc);
        access = access.union(instr.own);
        let depth = match &instr.action {
            Action::AtomicBegin => depth + 1,
            Action::AtomicEnd => depth - 1,
            Action::Call { proc, .. } => {
                access = access.union(totals[*proc]);
                depth
            }
            _ => depth,
        };
        if depth > 0 {
            work.extend(successors(&instr.action, pc).into_iter().map(|next| (next, depth)));
        }
    }
    access
}
