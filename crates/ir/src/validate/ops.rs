//! Procedures, op by op.

use super::expressions::Usage;
use super::{Checker, Rule, Site};
use crate::{ExprId, ExprNode, Op, Place, PlaceBase, ProcId, SyncKind, SyncOp, Type};

impl Checker<'_> {
    pub(super) fn procedure(&mut self, id: ProcId) {
        self.signature(id);
        for (block, body) in &self.program.procs[id].blocks {
            if !body.stmts.last().is_some_and(|stmt| stmt.op.is_terminator()) {
                self.report(Rule::BlockEnd, Site::Block(id, block), "the block has no end".to_owned());
            }
            for (index, stmt) in body.stmts.iter().enumerate() {
                let site = Site::Op(id, block, index);
                if stmt.op.is_terminator() && index + 1 < body.stmts.len() {
                    self.report(Rule::BlockEnd, site, "the block goes on after its end".to_owned());
                }
                self.op(&stmt.op, id, site);
            }
        }
        self.atomic_sections(id);
    }

    fn op(&mut self, op: &Op, id: ProcId, site: Site) {
        let usage = Usage::Procedure(id);
        match op {
            Op::Assign { targets, values, order: _ } => self.assignment(targets, values, id, site),
            Op::Havoc { targets } | Op::Opaque { targets, what: _ } => {
                self.targets(targets, id, site);
            }
            Op::Assume(cond) | Op::Assert { cond, .. } | Op::Branch { cond, .. } => {
                self.condition(*cond, usage, site);
            }
            Op::Await { guard, targets, values } => {
                self.condition(*guard, usage, site);
                self.assignment(targets, values, id, site);
            }
            Op::Call { proc, args, results } => {
                self.arguments(*proc, args, id, site);
                self.results(*proc, results, id, site);
            }
            Op::Spawn { proc, args, handle } => {
                self.arguments(*proc, args, id, site);
                if let Some(handle) = handle
                    && let Some(ty) = self.target(handle, id, site)
                    && *ty != Type::Task
                {
                    let detail = format!("the handle goes to a {}, expected a task", self.show(ty));
                    self.report(Rule::WaitTask, site, detail);
                }
            }
            Op::Wait { task, results } => {
                if let Some(ty) = self.expr(*task, usage, site)
                    && *ty != Type::Task
                {
                    let detail = format!("a wait for a {}, expected a task", self.show(ty));
                    self.report(Rule::WaitTask, site, detail);
                }
                self.targets(results, id, site);
            }
            Op::Sync(sync) => self.sync(sync, id, site),
            Op::Choose { targets, fair } => {
                if targets.is_empty() {
                    self.report(Rule::ChooseTargets, site, "nothing to choose from".to_owned());
                }
                if fair.is_some_and(|fair| fair >= targets.len()) {
                    self.report(Rule::ChooseTargets, site, "the fair target is no target".to_owned());
                }
            }
            Op::AtomicBegin
            | Op::AtomicEnd
            | Op::Yield
            | Op::Progress
            | Op::TransactionBegin
            | Op::TransactionEnd
            | Op::Goto(_)
            | Op::Return
            | Op::Exit => {}
        }
        for next in op.successors() {
            if !self.program.procs[id].blocks.is_valid(next) {
                self.report(Rule::IdInRange, site, format!("there is no {next} to go to"));
            }
        }
    }

    fn assignment(&mut self, targets: &[Place], values: &[ExprId], id: ProcId, site: Site) {
        if targets.len() != values.len() {
            let detail = format!("{} targets but {} values", targets.len(), values.len());
            self.report(Rule::AssignCount, site, detail);
        }
        let types = self.targets(targets, id, site);
        for (index, value) in values.iter().enumerate() {
            let is = self.expr(*value, Usage::Procedure(id), site);
            let should = types.get(index).copied().flatten();
            if let (Some(is), Some(should)) = (is, should) {
                self.matches(Rule::AssignType, "a value", is, should, site);
            }
        }
    }

    fn arguments(&mut self, callee: ProcId, args: &[ExprId], id: ProcId, site: Site) {
        let types: Vec<_> = args.iter().map(|arg| self.expr(*arg, Usage::Procedure(id), site)).collect();
        let program = self.program;
        let Some(proc) = program.procs.get(callee) else {
            self.report(Rule::IdInRange, site, format!("there is no {callee} to run"));
            return;
        };
        if args.len() != proc.params.len() {
            let (is, should) = (args.len(), proc.params.len());
            let detail = format!("`{}` has {should} parameters but {is} arguments", proc.name);
            self.report(Rule::CallArity, site, detail);
        }
        for (is, param) in types.into_iter().zip(&proc.params) {
            if let (Some(is), Some(param)) = (is, proc.locals.get(*param)) {
                let what = format!("argument `{}`", param.name);
                self.matches(Rule::CallType, &what, is, &param.ty, site);
            }
        }
    }

    fn results(&mut self, callee: ProcId, results: &[Place], id: ProcId, site: Site) {
        let types = self.targets(results, id, site);
        let program = self.program;
        let Some(proc) = program.procs.get(callee) else { return };
        if !results.is_empty() && results.len() != proc.results.len() {
            let (is, should) = (results.len(), proc.results.len());
            let detail = format!("`{}` has {should} results, but {is} are taken", proc.name);
            self.report(Rule::CallArity, site, detail);
        }
        for (should, result) in types.into_iter().zip(&proc.results) {
            if let (Some(should), Some(result)) = (should, proc.locals.get(*result)) {
                let what = format!("result `{}`", result.name);
                self.matches(Rule::CallType, &what, &result.ty, should, site);
            }
        }
    }

    fn sync(&mut self, sync: &SyncOp, id: ProcId, site: Site) {
        let keyword = sync.kind.keyword();
        let object = self.place(&sync.object, id, site);
        let mutex = sync.mutex.as_ref().and_then(|mutex| self.place(mutex, id, site));
        let value = sync.value.and_then(|value| self.expr(value, Usage::Procedure(id), site));
        let result = sync.result.as_ref().and_then(|result| self.target(result, id, site));
        let object = match object {
            Some(Type::Sync(object)) if sync.kind.applies_to(object) => object,
            Some(other) => {
                let detail = format!("`{keyword}` on an object of type {}", self.show(other));
                self.report(Rule::SyncType, site, detail);
                return;
            }
            None => return,
        };
        if sync.kind.takes_mutex() != sync.mutex.is_some() {
            self.report(
                Rule::SyncOperands,
                site,
                "a condition wait, and no other op, has a mutex".to_owned(),
            );
        }
        if let Some(ty) = mutex
            && !matches!(ty, Type::Sync(crate::SyncType::Mutex(_)))
        {
            let detail = format!("a condition wait gives back a {}, expected a mutex", self.show(ty));
            self.report(Rule::SyncOperands, site, detail);
        }
        if sync.kind.takes_mutex() || sync.kind == SyncKind::BarrierWait {
            self.stable(sync, site);
        }
        match (sync.kind.value_type(object), sync.value.is_some()) {
            (Some(should), true) => {
                if let Some(is) = value {
                    self.matches(Rule::SyncOperands, "the value", is, &should, site);
                }
            }
            (Some(_), false) => {
                self.report(Rule::SyncOperands, site, format!("`{keyword}` needs a value here"));
            }
            (None, true) => {
                self.report(Rule::SyncOperands, site, format!("`{keyword}` takes no value here"));
            }
            (None, false) => {}
        }
        match (sync.kind.result_type(object), sync.result.is_some()) {
            (Some(is), true) => {
                if let Some(should) = result {
                    self.matches(Rule::SyncOperands, "the result", &is, should, site);
                }
            }
            (None, true) => self.report(Rule::SyncOperands, site, format!("`{keyword}` gives no result")),
            (_, false) => {}
        }
    }

    fn stable(&mut self, sync: &SyncOp, site: Site) {
        let pool = &self.program.exprs;
        let result = sync.result.as_ref().map(|place| place.base);
        let places = std::iter::once(&sync.object).chain(&sync.mutex);
        let unstable = places.flat_map(|place| place.path.iter().flatten()).any(|&index| {
            let mut read = self.expressions.reads_global(index);
            if let Some(PlaceBase::Local(local)) = result
                && self.expressions.is_sound(index)
            {
                pool.for_each_in(index, |_, node| {
                    read |= matches!(node, ExprNode::Local(id, _) if *id == local);
                });
            }
            read
        });
        if unstable {
            let detail = "an index of the object may change before the second step".to_owned();
            self.report(Rule::SyncStable, site, detail);
        }
    }

    fn matches(&mut self, rule: Rule, what: &str, is: &Type, should: &Type, site: Site) {
        if is != should {
            let (is, should) = (self.show(is), self.show(should));
            self.report(rule, site, format!("{what} is of type {is}, expected {should}"));
        }
    }
}
