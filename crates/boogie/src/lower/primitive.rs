//! Procedures without a body that tools give a meaning by their name.

use ir::{AssertKind, Block, BlockId, Op, Proc, Stmt};
use rustc_hash::{FxHashMap, FxHashSet};
use source::{Diagnostic, Span};

use crate::ast::Call;
use crate::check::BodyRef;
use crate::lower::procedure::Frame;
use crate::lower::{Lowering, layout};

impl<'a> Lowering<'a> {
    /// Lowers a call of such a procedure; says whether it was one.
    pub(super) fn primitive(&mut self, frame: &mut Frame<'a>, call: &'a Call, span: Span) -> bool {
        let name = &*call.procedure.name;
        let symbol = self.checked.symbols.procedures.get(name);
        if !call.results.is_empty() || symbol.is_none_or(|s| s.body != BodyRef::None) {
            return false;
        }
        match name {
            "corral_atomic_begin" | "__VERIFIER_atomic_begin" => {
                frame.marks.insert(span);
                frame.push(Op::AtomicBegin, span);
            }
            "corral_atomic_end" | "__VERIFIER_atomic_end" => {
                frame.marks.insert(span);
                frame.push(Op::AtomicEnd, span);
            }
            "corral_assert_not_reachable" => {
                let cond = self.program.exprs.bool(false);
                let message = "a call that must not be reached is reached".to_owned();
                frame.push(Op::Assert { cond, kind: AssertKind::Assertion, message }, span);
            }
            _ => return false,
        }
        true
    }

    /// Where threads have no numbers of the wanted type, any number may come.
    pub(super) fn warn_of_numbers(&mut self, call: &Call) {
        let name = &call.procedure.name;
        let bodiless = self.checked.symbols.procedures.get(name).is_some_and(|s| s.body == BodyRef::None);
        if bodiless && Self::is_number(name) {
            let warning = Diagnostic::warning(call.span, format!("`{name}` gives any number here"))
                .help("pass each task its number as an argument");
            self.warnings.push(warning);
        }
    }
}

/// Gives the calls that begin and end atomic sections, which are at `marks`, the meaning that they have in Corral: there is one
/// flag, which the one sets and the other clears. So sections do not nest, to end none does nothing, and where ways meet, the
/// flag may be set on one of them only. A block that is reached with the flag set and without is there twice.
pub(super) fn by_flag(proc: &mut Proc, marks: &FxHashSet<Span>) {
    if marks.is_empty() {
        return;
    }
    let old = std::mem::take(&mut proc.blocks);
    let mut new: FxHashMap<(BlockId, bool), BlockId> = FxHashMap::default();
    let mut names: FxHashSet<String> = old.values().map(|block| block.name.clone()).collect();
    let mut work = vec![(proc.entry, false)];
    let mut seen: FxHashSet<(BlockId, bool)> = work.iter().copied().collect();
    let mut at = 0;
    while let Some(&(id, flag)) = work.get(at) {
        at += 1;
        let mut name = old[id].name.clone();
        if new.contains_key(&(id, !flag)) {
            while !names.insert(name.clone()) {
                name.push('\'');
            }
        }
        new.insert((id, flag), proc.blocks.push(Block { name, stmts: Vec::new() }));
        let end = after(&old[id], flag, marks);
        for next in old[id].stmts.last().map(|last| last.op.successors()).unwrap_or_default() {
            if seen.insert((next, end)) {
                work.push((next, end));
            }
        }
    }
    for ((id, flag), copy) in &new {
        let (mut open, mut stmts) = (*flag, Vec::new());
        for stmt in &old[*id].stmts {
            let mut stmt = stmt.clone();
            if marks.contains(&stmt.span) && matches!(stmt.op, Op::AtomicBegin | Op::AtomicEnd) {
                if open != (stmt.op == Op::AtomicEnd) {
                    continue;
                }
                open = !open;
            }
            // Every successor is there with the flag that a block ends with.
            layout::retarget(&mut stmt.op, |next| new.get(&(next, open)).copied().unwrap_or(next));
            stmts.push(stmt);
        }
        proc.blocks[*copy].stmts = stmts;
    }
    proc.entry = new.get(&(proc.entry, false)).copied().unwrap_or(proc.entry);
}

/// The flag behind a block.
fn after(block: &Block, before: bool, marks: &FxHashSet<Span>) -> bool {
    let marked = block.stmts.iter().filter(|stmt| marks.contains(&stmt.span));
    marked.fold(before, |flag, stmt| match stmt.op {
        Op::AtomicBegin => true,
        Op::AtomicEnd => false,
        _ => flag,
    })
}

/// Ends the atomic sections in which a task is when it completes: in Corral they end with it.
pub(super) fn end_with_task(proc: &mut Proc) {
    let mut seen: FxHashSet<BlockId> = FxHashSet::default();
    let mut work = vec![(proc.entry, 0usize)];
    while let Some((id, mut open)) = work.pop() {
        if !seen.insert(id) {
            continue;
        }
        let block = &mut proc.blocks[id];
        for stmt in &block.stmts {
            match stmt.op {
                Op::AtomicBegin => open += 1,
                Op::AtomicEnd => open = open.saturating_sub(1),
                _ => {}
            }
        }
        let Some(last) = block.stmts.last().cloned() else { continue };
        work.extend(last.op.successors().into_iter().map(|next| (next, open)));
        if last.op == Op::Return && open > 0 {
            let end = Stmt { op: Op::AtomicEnd, span: last.span };
            let at = block.stmts.len() - 1;
            block.stmts.splice(at..at, std::iter::repeat_n(end, open));
        }
    }
}
