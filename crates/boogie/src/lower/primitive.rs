//! Procedures without a body that tools give a meaning by their name.

use ir::{AssertKind, BlockId, Op, Proc, Stmt};
use rustc_hash::FxHashSet;
use source::{Diagnostic, Span};

use crate::ast::Call;
use crate::check::BodyRef;
use crate::lower::Lowering;
use crate::lower::procedure::Frame;

impl<'a> Lowering<'a> {
    /// Lowers a call of such a procedure; says whether it was one.
    pub(super) fn primitive(&mut self, frame: &mut Frame<'a>, call: &'a Call, span: Span) -> bool {
        let name = &*call.procedure.name;
        let symbol = self.checked.symbols.procedures.get(name);
        if !call.results.is_empty() || symbol.is_none_or(|s| s.body != BodyRef::None) {
            return false;
        }
        match name {
            "corral_atomic_begin" | "__VERIFIER_atomic_begin" => frame.push(Op::AtomicBegin, span),
            "corral_atomic_end" | "__VERIFIER_atomic_end" => frame.push(Op::AtomicEnd, span),
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
