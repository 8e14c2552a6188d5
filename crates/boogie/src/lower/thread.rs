//! What belongs to each thread, as Corral has it: its number, and its copies of `{:thread_local}` variables.
//!
//! Both are hidden maps from handles. A thread-local variable is arbitrary when its thread starts. The number of the
//! first thread is 1, and each thread that is started takes the next one; `corral_getThreadID` gives a thread its own
//! number, and `corral_getChildThreadID` that of the thread which the procedure started last. Both may be used at
//! several types, and each type has its own numbers.

use ir::{AccessOrder, BinaryOp, ExprId, ExprNode, GlobalId, LocalId, Op, Place, Type};
use source::Span;

use crate::ast::{Call, Name, Variable, attribute};
use crate::check::BodyRef;
use crate::lower::procedure::Frame;
use crate::lower::types::mangle;
use crate::lower::{Lowered, Lowering};

const OWN_NUMBER: &str = "corral_getThreadID";
const CHILD_NUMBER: &str = "corral_getChildThreadID";

/// The numbers of threads at one type.
#[derive(Debug)]
pub(super) struct Numbers {
    ty: Type,
    /// From handles to numbers.
    of: GlobalId,
    /// The last one given.
    last: GlobalId,
}

impl<'a> Lowering<'a> {
    /// The type of the global that holds a variable: a thread-local one is a map.
    pub(super) fn global_type(&mut self, decl: &'a Variable, ty: &Type) -> Type {
        if attribute(&decl.attributes, "thread_local").is_none() {
            return ty.clone();
        }
        if let Some(condition) = &decl.condition {
            self.unsupported(condition.span, "`where` on a thread-local variable");
        }
        Type::map(vec![Type::Task], ty.clone())
    }

    /// A global as the running thread sees it.
    pub(super) fn global_place(&self, id: GlobalId) -> Place {
        match self.thread_local.get(&id) {
            Some(&this) => Place::global(id).at(vec![this]),
            None => Place::global(id),
        }
    }

    /// The value of a global as the running thread sees it.
    pub(super) fn global_value(&mut self, id: GlobalId) -> ExprId {
        let ty = self.program.globals[id].ty.clone();
        let whole = self.program.exprs.add(ExprNode::Global(id, ty));
        match self.thread_local.get(&id) {
            Some(&this) => self.program.exprs.select(whole, vec![this]),
            None => whole,
        }
    }

    /// Declares the numbers of threads, if the program asks for them.
    pub(super) fn declare_numbers(&mut self) {
        // Several first threads would all have the number 1.
        if self.reached.threads > 1 {
            return;
        }
        for name in [OWN_NUMBER, CHILD_NUMBER] {
            let Some((name, symbol)) = self.checked.symbols.procedures.get_key_value(name) else { continue };
            let (&[result], BodyRef::None, []) = (symbol.results.as_slice(), symbol.body, &*symbol.params)
            else {
                continue;
            };
            if !self.reached.procedures.contains(name) {
                continue;
            }
            let (shown, span) =
                (self.checked.types.show(result), self.ast.procedures[symbol.index].ident.span);
            let Ok(ty) = self.ty(result, span) else { continue };
            if self.numbers.iter().all(|numbers| numbers.ty != ty)
                && let Some(one) = self.one(&ty)
            {
                let of_type = Type::map(vec![Type::Task], ty.clone());
                let ones = self.program.exprs.add(ExprNode::ConstMap(of_type.clone(), one));
                let suffix = mangle(&shown);
                let of = self.hidden(format!("$thread.{suffix}"), of_type, ones, span);
                let last = self.hidden(format!("$threads.{suffix}"), ty.clone(), one, span);
                self.numbers.push(Numbers { ty, of, last });
            }
        }
    }

    fn one(&mut self, ty: &Type) -> Option<ExprId> {
        match ty {
            Type::Int => Some(self.program.exprs.int(1)),
            Type::Bv(width) => Some(self.program.exprs.add(ExprNode::Bv(*width, 1.into()))),
            _ => None,
        }
    }

    fn hidden(&mut self, mut name: String, ty: Type, init: ExprId, span: Span) -> GlobalId {
        while self.program.global_named(&name).is_some() {
            name.push('\'');
        }
        self.program.globals.push(ir::Global { name, ty, init: Some(init), span })
    }

    /// Starts a thread, and gives it its number in the same step.
    pub(super) fn start(
        &mut self,
        frame: &mut Frame<'a>,
        proc: ir::ProcId,
        args: Vec<ExprId>,
        handle: Option<Place>,
        span: Span,
    ) {
        if self.numbers.is_empty() {
            frame.push(Op::Spawn { proc, args, handle }, span);
            return;
        }
        let child = child_of(frame, span);
        let task = self.program.exprs.add(ExprNode::Local(child, Type::Task));
        frame.push(Op::AtomicBegin, span);
        frame.push(Op::Spawn { proc, args, handle: Some(Place::local(child)) }, span);
        let (mut targets, mut values) = (Vec::new(), Vec::new());
        for at in 0..self.numbers.len() {
            let Numbers { ref ty, of, last } = self.numbers[at];
            let (ty, op) = match ty {
                Type::Bv(_) => (ty.clone(), BinaryOp::BvAdd),
                _ => (ty.clone(), BinaryOp::Add),
            };
            let Some(one) = self.one(&ty) else { continue };
            let before = self.program.exprs.add(ExprNode::Global(last, ty));
            let next = self.program.exprs.binary(op, before, one);
            targets.extend([Place::global(last), Place::global(of).at(vec![task])]);
            values.extend([next, next]);
        }
        if let Some(handle) = handle {
            targets.push(handle);
            values.push(task);
        }
        frame.push(Op::Assign { targets, values, order: AccessOrder::Plain }, span);
        frame.push(Op::AtomicEnd, span);
    }

    /// Lowers a call that asks for a number; says whether it was one.
    pub(super) fn number(&mut self, frame: &mut Frame<'a>, call: &'a Call, span: Span) -> Lowered<bool> {
        let [result] = call.results.as_slice() else { return Ok(false) };
        let symbol = self.checked.symbols.procedures.get(&call.procedure.name);
        if symbol.is_none_or(|symbol| symbol.body != BodyRef::None) {
            return Ok(false);
        }
        let task = match &*call.procedure.name {
            OWN_NUMBER => ExprNode::SelfTask,
            CHILD_NUMBER => ExprNode::Local(child_of(frame, span), Type::Task),
            _ => return Ok(false),
        };
        let place = self.place_of(result)?;
        let ty = self.place_type(frame, &place);
        let Some(of) = self.numbers.iter().find(|numbers| numbers.ty == ty).map(|numbers| numbers.of) else {
            return Ok(false);
        };
        let task = self.program.exprs.add(task);
        let numbers = self.program.exprs.add(ExprNode::Global(of, Type::map(vec![Type::Task], ty)));
        let values = vec![self.program.exprs.select(numbers, vec![task])];
        frame.push(Op::Assign { targets: vec![place], values, order: AccessOrder::Plain }, span);
        Ok(true)
    }

    /// Whether a procedure gives threads their numbers.
    pub(super) fn is_number(name: &Name) -> bool {
        matches!(&**name, OWN_NUMBER | CHILD_NUMBER)
    }
}

/// The variable that holds the thread which a procedure started last.
fn child_of(frame: &mut Frame<'_>, span: Span) -> LocalId {
    if let Some(child) = frame.child {
        return child;
    }
    let child = frame.fresh_local("child", Type::Task, span);
    frame.child = Some(child);
    child
}
