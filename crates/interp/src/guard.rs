//! Variables that decide whether a thread can step.
//!
//! An arbitrary value is chosen when it is first read. That must not be by a guard: a thread that waits for `b`
//! after `b` was given an arbitrary value is blocked for ever if that value was false, and a guard that chose the
//! value itself would always choose true. So as soon as a thread stands at a guard, the arbitrary variables that
//! the guard reads get their values; what is chosen inside an atomic section is still the section's choice.
//!
//! Which cells of a map a guard reads is known only when it is evaluated, so a guard that reads cells is evaluated
//! for the sake of these choices. Of an atomic section that is done for the guard at its beginning; one that blocks
//! after it has chosen the value of another arbitrary cell is cut (see [`crate::step`]).

use std::collections::BTreeSet;
use std::collections::hash_map::Entry;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::Cut;
use crate::access::successors;
use crate::code::{Action, Base, Cell, Code, Ex, Expr, Pc};
use crate::guided::Unset;
use crate::machine::Machine;
use crate::word::UNSET;

/// The variables that a guard reads and that may be arbitrary: globals, and locals of the thread's newest frame.
#[derive(Clone, Debug, Default)]
pub(crate) struct Guard {
    globals: Box<[u32]>,
    locals: Box<[u32]>,
    /// The map cells it reads, and the guard itself.
    cells: Option<(Box<[u32]>, Ex)>,
}

impl Guard {
    fn is_empty(&self) -> bool {
        self.globals.is_empty() && self.locals.is_empty() && self.cells.is_none()
    }
}

/// Finds the guards.
pub(crate) fn analyse(code: &mut Code) {
    let arbitrary = arbitrary_globals(code);
    for pc in 0..code.instrs.len() {
        let mut reads = Reads {
            code,
            globals: FxHashSet::default(),
            locals: FxHashSet::default(),
            cells: FxHashSet::default(),
        };
        let condition = match &code.instrs[pc].action {
            Action::Assume(condition) | Action::Await { guard: condition, .. } => {
                reads.expr(*condition);
                Some(*condition)
            }
            Action::AtomicBegin => {
                reads.section(Pc::try_from(pc).unwrap_or(Pc::MAX));
                reads.cells.clear();
                // A section that starts with its guard is a guard.
                match &code.instrs[pc + 1].action {
                    Action::Assume(condition) | Action::Await { guard: condition, .. } => {
                        reads.expr(*condition);
                        Some(*condition)
                    }
                    _ => None,
                }
            }
            _ => None,
        };
        let sorted = |set: FxHashSet<u32>| {
            let mut all: Vec<u32> = set.into_iter().collect();
            all.sort_unstable();
            all.into_boxed_slice()
        };
        reads.globals.retain(|&global| arbitrary[global as usize]);
        let cells = sorted(reads.cells);
        let cells = condition.filter(|_| !cells.is_empty()).map(|condition| (cells, condition));
        let guard = Guard { globals: sorted(reads.globals), locals: sorted(reads.locals), cells };
        code.guarded |= !guard.is_empty();
        code.instrs[pc].guard = guard;
    }
    let read = code.instrs.iter().filter_map(|instr| instr.guard.cells.as_ref()).flat_map(|(cells, _)| cells);
    let bases: Vec<Base> = read.map(|&cell| code.cells[cell as usize].base).collect();
    let global = |base: &Base| if let Base::Global(global) = base { Some(*global) } else { None };
    let maps: BTreeSet<u32> = bases.iter().filter_map(global).collect();
    let has_local_maps = bases.iter().any(|base| matches!(base, Base::Local(_)));
    code.guard_maps = (!has_local_maps).then(|| maps.into_iter().collect());
}

/// The globals that may hold an arbitrary value at some time: those without an initial value, and those that are
/// given one, or the result of a procedure, which may have been left arbitrary.
fn arbitrary_globals(code: &Code) -> Vec<bool> {
    let mut arbitrary: Vec<bool> =
        code.globals.iter().map(|g| g.init.is_none() && g.ty != ir::Type::Task).collect();
    for instr in &code.instrs {
        if let Action::Havoc(cells) | Action::Call { results: cells, .. } = &instr.action {
            for cell in cells {
                if let (Base::Global(global), true) = (cell.base, cell.ty != ir::Type::Task) {
                    arbitrary[global as usize] = true;
                }
            }
        }
    }
    arbitrary
}

struct Reads<'c> {
    code: &'c Code,
    globals: FxHashSet<u32>,
    locals: FxHashSet<u32>,
    cells: FxHashSet<u32>,
}

impl Reads<'_> {
    fn expr(&mut self, root: Ex) {
        let code = self.code;
        let mut work = vec![root];
        let mut seen = FxHashSet::default();
        while let Some(e) = work.pop() {
            if !seen.insert(e) {
                continue;
            }
            match &code.exprs[e as usize] {
                Expr::Global(global) => {
                    self.globals.insert(*global);
                }
                Expr::Local(local) => {
                    self.locals.insert(*local);
                }
                expr => {
                    if let Expr::Cell(cell) = expr {
                        self.cells.insert(*cell);
                    }
                    expr.for_each_operand(&code.cells, |e| work.push(e));
                }
            }
        }
    }

    fn cells(&mut self, cells: &[Cell]) {
        cells.iter().flat_map(|cell| cell.path.iter().flatten()).for_each(|&e| self.expr(e));
    }

    fn action(&mut self, action: &Action) {
        match action {
            Action::Assign { targets, values } => {
                self.cells(targets);
                values.iter().for_each(|&e| self.expr(e));
            }
            Action::Set { value, .. } => self.expr(*value),
            Action::Havoc(targets) => self.cells(targets),
            Action::Assume(cond) | Action::Assert { cond, .. } | Action::Branch { cond, .. } => {
                self.expr(*cond);
            }
            Action::Await { guard, targets, values } => {
                self.expr(*guard);
                self.cells(targets);
                values.iter().for_each(|&e| self.expr(e));
            }
            Action::Call { args, results, .. } => {
                args.iter().for_each(|&e| self.expr(e));
                self.cells(results);
            }
            Action::Spawn { args, handle, .. } => {
                args.iter().for_each(|&e| self.expr(e));
                self.cells(handle.as_slice());
            }
            Action::Wait { task, results } => {
                self.expr(*task);
                self.cells(results);
            }
            Action::AtomicBegin
            | Action::AtomicEnd
            | Action::Yield
            | Action::Progress
            | Action::Nothing
            | Action::Opaque(_)
            | Action::Goto(_)
            | Action::Choose { .. }
            | Action::Return
            | Action::Exit => {}
        }
    }

    /// All that a section reads, if it can block: what it blocks on may be computed from anything. Locals that it has
    /// assigned itself are not arbitrary any more, or by its own choice.
    fn section(&mut self, begin: Pc) {
        let code = self.code;
        let mut blocks = false;
        // The locals that are assigned on all ways to an instruction.
        let mut seen: FxHashMap<(Pc, u32, bool), BTreeSet<u32>> = FxHashMap::default();
        let mut work = vec![(begin, 0u32, false, BTreeSet::new())];
        let mut called = FxHashSet::default();
        while let Some((pc, depth, in_callee, mut assigned)) = work.pop() {
            match seen.entry((pc, depth, in_callee)) {
                Entry::Occupied(mut known) => {
                    if known.get().is_subset(&assigned) {
                        continue;
                    }
                    assigned.retain(|local| known.get().contains(local));
                    known.insert(assigned.clone());
                }
                Entry::Vacant(new) => {
                    new.insert(assigned.clone());
                }
            }
            let action = &code.instr(pc).action;
            blocks |= matches!(action, Action::Assume(_) | Action::Await { .. } | Action::Wait { .. });
            let before = std::mem::take(&mut self.locals);
            self.action(action);
            let read = std::mem::replace(&mut self.locals, before);
            // Those of a callee are new.
            if !in_callee {
                self.locals.extend(read.difference(&assigned.iter().copied().collect()));
                assigned.extend(assigned_locals(action));
            }
            let depth = match action {
                Action::AtomicBegin => depth + 1,
                Action::AtomicEnd => depth.saturating_sub(1),
                _ => depth,
            };
            if let Action::Call { proc, .. } = action
                && called.insert(*proc)
            {
                // The section does not end before the callee returns.
                work.push((code.procs[*proc].entry, depth + 1, true, BTreeSet::new()));
            }
            if depth > 0 {
                let next = successors(action, pc).into_iter();
                work.extend(next.map(|next| (next, depth, in_callee, assigned.clone())));
            }
        }
        if !blocks {
            self.globals.clear();
            self.locals.clear();
        }
    }
}

/// The locals that are assigned as a whole. The result of a call may have been left arbitrary.
fn assigned_locals(action: &Action) -> Vec<u32> {
    let targets: &[Cell] = match action {
        Action::Set { target: Base::Local(local), .. } => return vec![*local],
        Action::Assign { targets, .. } | Action::Await { targets, .. } | Action::Havoc(targets) => targets,
        _ => &[],
    };
    let whole = targets.iter().filter(|cell| cell.path.is_empty());
    whole.filter_map(|cell| if let Base::Local(local) = cell.base { Some(local) } else { None }).collect()
}

impl Machine<'_> {
    /// Chooses the values that the guards at which threads stand depend on.
    pub(crate) fn settle(&mut self) -> Result<(), Box<Cut>> {
        if !self.code.guarded {
            return Ok(());
        }
        let code = self.code;
        // Most states have nothing to settle, and that is quickly seen.
        let total = |&map: &u32| self.maps.is_total(self.words[map as usize]);
        if code.guard_maps.as_ref().is_some_and(|maps| maps.iter().all(total)) && !self.words.contains(&UNSET)
        {
            return Ok(());
        }
        for thread in 0..self.threads() {
            if !self.is_live(thread) {
                continue;
            }
            let instr = code.instr(self.pc_of(thread));
            if instr.guard.is_empty() {
                continue;
            }
            for &global in &instr.guard.globals {
                if self.words[global as usize] == UNSET {
                    let ty = &code.globals[global as usize].ty;
                    self.words[global as usize] = self.choose_value(ty, Unset::Global(global))?;
                }
            }
            let locals = self.newest_locals(thread);
            for &local in &instr.guard.locals {
                let at = locals + local as usize;
                if self.words[at] == UNSET {
                    let ty = &code.procs[instr.proc].locals[local as usize].1;
                    self.words[at] = self.choose_value(ty, Unset::Local(thread, local))?;
                }
            }
            if let Some((cells, condition)) = &instr.guard.cells {
                let may_be_unset = |cell: &u32| match code.cells[*cell as usize].base {
                    Base::Global(global) => !self.maps.is_total(self.words[global as usize]),
                    Base::Local(local) => !self.maps.is_total(self.words[locals + local as usize]),
                    Base::Value(_) => false,
                };
                if cells.iter().any(may_be_unset) {
                    self.enter(thread);
                    self.eval(*condition)?;
                }
            }
        }
        Ok(())
    }
}
