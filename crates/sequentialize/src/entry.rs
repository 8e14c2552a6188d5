//! The first procedure of the sequential program: `main` of Figure 6.
//!
//! The tasks that are there from the start are the children of a task that does nothing, in their order. So each starts
//! from what the one before leaves behind. At the end what is left in a round must be what was guessed for the
//! beginning of the next one.

use ir::{AssertKind, BinaryOp, LocalId, Op, Place, ProcId, Type};

use crate::code::Code;
use crate::context::Context;
use crate::erase::{erased, nil};

pub(crate) fn make(cx: &mut Context<'_>, id: ProcId) {
    let old = cx.old;
    let mut code = Code::new(cx, id);
    code.first_request();
    let init = code.initial();
    for &thread in &old.threads {
        let body = code.cx.body(thread, false);
        let mut args = Vec::new();
        for &param in &old.procs[thread].params {
            let local = &old.procs[thread].locals[param];
            let arg = code.local(&local.name, erased(&local.ty));
            let value = nil(&mut code.cx.new.exprs, &local.ty);
            args.push(value.unwrap_or_else(|| code.read(arg)));
        }
        let zero = code.int(0);
        code.assign(vec![(Place::global(code.cx.state.round), zero)]);
        code.begin(None);
        code.run(thread, body, args);
    }
    code.connect(&init);
    code.verdict();
    code.lasso_verdict();
    code.push(Op::Return);
    code.finish(None);
}

impl Code<'_, '_> {
    /// The first round starts with the initial values, the others with arbitrary ones, which are remembered: for each
    /// shared variable the locals `Init`, from the second round on.
    fn initial(&mut self) -> Vec<Vec<LocalId>> {
        let mut all = Vec::new();
        if self.cx.bound == 0 {
            return all;
        }
        let mut pairs = Vec::new();
        for shared in self.cx.state.shared.clone() {
            pairs.push((Place::global(shared.g[0]), self.global(shared.current)));
            let mut init = Vec::new();
            for (at, &g) in (0..).zip(&shared.g).skip(1) {
                let name = format!("Init.{}.{at}", shared.name);
                let local = self.guess_of(shared.current, &name, shared.ty.clone());
                pairs.push((Place::global(g), self.read(local)));
                init.push(local);
            }
            all.push(init);
        }
        self.assign(pairs);
        all
    }

    /// `assume Init[1..K+1] = Next[0..K]`; the values of the last round are those at the end. A
    /// lasso comes back to its first round.
    fn connect(&mut self, init: &[Vec<LocalId>]) {
        let (mut right, mut last) = (Vec::new(), Vec::new());
        for (shared, init) in self.cx.state.shared.clone().iter().zip(init) {
            for (&local, &g) in init.iter().zip(&shared.g) {
                let (init, left) = (self.read(local), self.global(g));
                right.push(self.binary(BinaryOp::Eq, init, left));
            }
            let value = self.global(shared.g[shared.g.len() - 1]);
            if let Some(first) = self.cx.lasso_stem.checked_sub(1)
                && !self.is_request(shared.current)
                && let Some(&local) = init.get(first as usize)
            {
                let init = self.read(local);
                let ty = self.cx.old.globals.get(shared.current).map_or(Type::Bool, |g| g.ty.clone());
                right.push(self.same_in_lasso(&ty, init, value));
            }
            last.push((Place::global(shared.current), value));
        }
        if !right.is_empty() {
            let right = self.all(right);
            self.push(Op::Assume(right));
        }
        self.assign(last);
        // Tasks that never complete are there only if the program ends before they would have to.
        if let (Some(unfinished), Some(ended)) = (self.cx.state.unfinished, self.cx.state.ended) {
            let (unfinished, ended) = (self.global(unfinished), self.global(ended));
            let right = self.binary(BinaryOp::Implies, unfinished, ended);
            self.push(Op::Assume(right));
        }
    }

    /// Fails if an assertion did, with its own words.
    fn verdict(&mut self) {
        let Some(failed) = self.cx.state.failed else { return };
        let failed = self.global(failed);
        for (number, (at, op, span)) in (1..).zip(self.cx.asserts.clone()) {
            let Op::Assert { kind, message, .. } = op else { continue };
            let kind: AssertKind = kind;
            let number = self.int(number);
            let cond = self.binary(BinaryOp::Ne, failed, number);
            (self.origin, self.span) = (Some(at), span);
            self.push(Op::Assert { cond, kind, message });
        }
        (self.origin, self.span) = (None, source::Span::NONE);
    }
}
