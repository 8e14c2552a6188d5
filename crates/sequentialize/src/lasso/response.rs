//! Response properties: a lasso in which a request is never answered.
//!
//! A shared variable tells whether a request waits for its answer: `waits := !Q && (waits || P)`, in the initial state and
//! after each step that may change P or Q. In the lasso Q never holds, and at its end a request waits. It may have come in
//! the lasso: so the variable need not be at the end what it was at the beginning. That Q does not hold is assumed of the
//! runs of the sequential program and is part of no guard: who could answer and is never let run is enabled all the same.

use ir::{BinaryOp, ExprId, ExprNode, GlobalId, Op, Place, Response};
use rustc_hash::FxHashSet;

use crate::code::Code;
use crate::context::Context;

/// The property, and what is known of it.
#[derive(Clone, Debug)]
pub(crate) struct Requests {
    /// Whether a request waits; a shared variable.
    pub(crate) waits: GlobalId,
    request: ExprId,
    answer: ExprId,
    /// The globals that decide.
    pub(crate) reads: FxHashSet<GlobalId>,
}

/// Makes the property part of the lasso, with the shared variable declared for it.
pub(crate) fn respond(cx: &mut Context<'_>, response: Response, waits: GlobalId) {
    let (request, answer) = (cx.expr(response.request), cx.expr(response.answer));
    let mut reads = FxHashSet::default();
    for side in [request, answer] {
        cx.new.exprs.for_each_in(side, |_, node| {
            if let ExprNode::Global(global, _) = node {
                reads.insert(*global);
            }
        });
    }
    if let Some(form) = &mut cx.lasso {
        form.requests = Some(Requests { waits, request, answer, reads });
    }
}

impl Code<'_, '_> {
    fn requests(&self) -> Option<Requests> {
        self.cx.lasso.as_ref().and_then(|form| form.requests.clone())
    }

    /// Whether a request waits in the initial state.
    pub(crate) fn first_request(&mut self) {
        if let Some(requests) = self.requests() {
            let no = self.not(requests.answer);
            let waits = self.binary(BinaryOp::And, no, requests.request);
            self.assign(vec![(Place::global(requests.waits), waits)]);
        }
    }

    /// Looks at the property after a step that assigned some globals, or any. `lasso` says whether it is one of the lasso.
    pub(super) fn note_request(&mut self, assigned: Option<&FxHashSet<GlobalId>>, lasso: ExprId) {
        let Some(requests) = self.requests() else { return };
        if assigned.is_some_and(|assigned| requests.reads.is_disjoint(assigned)) {
            return;
        }
        let no = self.not(requests.answer);
        let unanswered = self.binary(BinaryOp::Implies, lasso, no);
        self.push(Op::Assume(unanswered));
        let before = self.global(requests.waits);
        let waits = self.binary(BinaryOp::Or, before, requests.request);
        let waits = self.binary(BinaryOp::And, no, waits);
        self.assign(vec![(Place::global(requests.waits), waits)]);
    }

    /// Whether a request waits at the end of the lasso, and is not answered where it begins.
    pub(super) fn is_unanswered(&mut self) -> Vec<ExprId> {
        let Some(requests) = self.requests() else { return Vec::new() };
        vec![self.global(requests.waits), self.not(requests.answer)]
    }

    /// Whether a shared variable is the one of the property.
    pub(crate) fn is_request(&self, global: GlobalId) -> bool {
        self.cx.lasso.as_ref().and_then(|form| form.requests.as_ref()).is_some_and(|r| r.waits == global)
    }
}
