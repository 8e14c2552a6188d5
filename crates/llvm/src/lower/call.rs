//! Calls: of functions with a body, through pointers, and of threads.

use ir::{ExprId, Op, Place, ProcBuilder, ProcId, Type};

use super::address::{INSTANCE_BITS, POINTER_BITS};
use super::bits::Bits;
use super::context::leaves;
use super::function::FunctionLowering;
use crate::models::known_name;
use crate::module::{Callee, FuncId, Operand, ValueId};
use crate::objects::ObjectKind;

impl FunctionLowering<'_, '_> {
    pub(super) fn call(&mut self, result: Option<ValueId>, callee: &Callee, args: &[Operand]) {
        match callee {
            // A barrier for the compiler.
            Callee::Asm(text) if text.trim().is_empty() && result.is_none() => {}
            Callee::Asm(_) => self.refuse_call(result, "assembler code"),
            Callee::Func(func) => self.call_known(result, *func, args),
            Callee::Ptr(pointer) => self.call_through(result, *pointer, args),
        }
    }

    pub(super) fn refuse_call(&mut self, result: Option<ValueId>, what: &str) {
        match result {
            Some(result) => self.refuse(result, what),
            None => self.unsupported(what),
        }
    }

    fn call_known(&mut self, result: Option<ValueId>, func: FuncId, args: &[Operand]) {
        let name = self.cx.module.funcs[func].name.clone();
        if self.cx.module.funcs[func].is_declaration() {
            self.library_call(result, known_name(&name), args);
            return;
        }
        // The name says it: whatever the function does, that it is called is the error.
        if matches!(name.as_str(), "reach_error" | "__VERIFIER_error") {
            self.library_call(result, known_name(&name), args);
            return;
        }
        // A prediction is about the events of a run, and leaves out those after `main`.
        if self.cx.module.at_exit == Some(func) && self.cx.options.transactions {
            return;
        }
        if backs_off(&self.cx.module.funcs[self.func].name, &name) {
            self.push(Op::Progress);
        }
        // By convention a function of such a name is one step.
        let atomic = name.starts_with("__VERIFIER_atomic_");
        if atomic {
            self.push(Op::AtomicBegin);
        }
        let locals = result.map(|result| self.declare(result)).unwrap_or_default();
        let values = args.iter().map(|arg| self.parts(*arg)).collect::<Vec<_>>();
        self.call_body(
            func,
            values,
            &locals.iter().map(|&local| Place::local(local)).collect::<Vec<_>>(),
            atomic,
        );
        if atomic {
            self.push(Op::AtomicEnd);
        }
    }

    /// Calls a function that has a body; `results` are as many as the caller wants.
    pub(super) fn call_body(
        &mut self,
        func: FuncId,
        args: Vec<Vec<ExprId>>,
        results: &[Place],
        atomic: bool,
    ) {
        let Some(signature) = self.cx.signatures.get(&func).cloned() else {
            self.unsupported("a call that the analysis of pointers did not find");
            return;
        };
        let body = &self.cx.module.funcs[func];
        let mut values = Vec::new();
        if signature.takes_thread {
            values.push(self.thread());
        }
        let mut given = args.into_iter();
        for &param in &body.params {
            let types = leaves(self.cx.module, body.values[param].ty);
            let arg = given.next().unwrap_or_default();
            // A caller that knows another type of the function: numbers are made to fit, what is missing is zero.
            for (at, ty) in types.iter().enumerate() {
                let value = arg.get(at).copied();
                values.push(self.fitted(value, ty));
            }
        }
        let types = leaves(self.cx.module, body.result);
        let wanted = !results.is_empty();
        let mut targets = Vec::new();
        let mut converted = Vec::new();
        if wanted || signature.can_exit {
            for (at, ty) in types.iter().enumerate() {
                match results.get(at) {
                    Some(place) if self.place_type(place) == *ty => targets.push(place.clone()),
                    other => {
                        let local = self.temporary("$returned", ty.clone());
                        targets.push(Place::local(local));
                        if let Some(place) = other {
                            converted.push((place.clone(), local));
                        }
                    }
                }
            }
        }
        let exits = (signature.can_exit && !self.cx.roots.contains(&func)).then(|| {
            let value = self.temporary("$exit.value", Type::Bv(POINTER_BITS));
            let exits = self.temporary("$exits", Type::Bool);
            targets.extend([Place::local(value), Place::local(exits)]);
            (value, exits)
        });
        self.push(Op::Call { proc: signature.proc, args: values, results: targets });
        for (place, local) in converted {
            let value = self.local_expr(local);
            let ty = self.place_type(&place);
            let value = self.fitted(Some(value), &ty);
            self.push(Op::Assign {
                targets: vec![place],
                values: vec![value],
                order: ir::AccessOrder::Plain,
            });
        }
        if let Some((value, exits)) = exits {
            if atomic {
                self.push(Op::AtomicEnd);
            }
            let (value, exits) = (self.local_expr(value), self.local_expr(exits));
            let next = self.branch(exits);
            self.end_thread(value);
            self.builder.switch_to(next);
            if atomic {
                self.push(Op::AtomicBegin);
            }
        }
    }

    fn place_type(&self, place: &Place) -> Type {
        match place.base {
            ir::PlaceBase::Local(local) => self.builder.proc().locals[local].ty.clone(),
            ir::PlaceBase::Global(global) => self.cx.program.globals[global].ty.clone(),
        }
    }

    /// A value as one of a type, as the machine would pass it.
    pub(super) fn fitted(&mut self, value: Option<ExprId>, ty: &Type) -> ExprId {
        let exprs = &mut self.cx.program.exprs;
        match (value, ty) {
            (Some(value), ty) if exprs.ty(value) == ty => value,
            (Some(value), Type::Bv(width)) => {
                if *exprs.ty(value) == Type::Bool {
                    return exprs.bit(value, *width);
                }
                exprs.zero_extend(value, *width)
            }
            (Some(value), _) => {
                let width = exprs.width(value);
                let zero = exprs.bv(width, 0);
                exprs.compare(crate::module::IntPredicate::Ne, value, zero)
            }
            (None, Type::Bv(width)) => exprs.bv(*width, 0),
            (None, _) => exprs.bool(false),
        }
    }

    fn call_through(&mut self, result: Option<ValueId>, pointer: Operand, args: &[Operand]) {
        let targets = self.functions(pointer);
        let locals = result.map(|result| self.declare(result)).unwrap_or_default();
        let places: Vec<Place> = locals.iter().map(|&local| Place::local(local)).collect();
        let values: Vec<Vec<ExprId>> = args.iter().map(|arg| self.parts(*arg)).collect();
        let number = self.scalar(pointer);
        self.dispatch(number, &targets, &mut |lowering, func| {
            if lowering.cx.module.funcs[func].is_declaration() {
                let name = lowering.cx.module.funcs[func].name.clone();
                if places.is_empty() {
                    lowering.library_call(None, &name, args);
                } else {
                    lowering.unsupported(&format!("a call of `{name}` through a pointer"));
                }
            } else if lowering.cx.module.funcs[func].variadic {
                // Where its arguments are is for the caller to say, who does not know that there are any.
                lowering.unsupported(
                    "a call of a function with a variable number of arguments through a pointer",
                );
            } else {
                lowering.call_body(func, values.clone(), &places, false);
            }
        });
    }

    /// The functions that a pointer can point to.
    pub(super) fn functions(&self, pointer: Operand) -> Vec<FuncId> {
        let mut found = Vec::new();
        for target in self.cx.points_to.targets(self.func, pointer) {
            if let ObjectKind::Func(func) = self.cx.points_to.objects.all[target.object].kind
                && !found.contains(&func)
            {
                found.push(func);
            }
        }
        found
    }

    /// Tells apart which function a number is the address of.
    pub(super) fn dispatch(
        &mut self,
        number: ExprId,
        funcs: &[FuncId],
        each: &mut dyn FnMut(&mut FunctionLowering<'_, '_>, FuncId),
    ) {
        let after = self.block("after");
        for &func in funcs {
            let Some(object) = self.cx.points_to.objects.of(ObjectKind::Func(func)) else { continue };
            let start = self.cx.placements.of(object).start;
            let exprs = &mut self.cx.program.exprs;
            let expected = exprs.bv(POINTER_BITS, start);
            let same = exprs.equal(number, expected);
            match exprs.literal_bool(same) {
                Some(false) => {}
                Some(true) => {
                    each(self, func);
                    self.push(Op::Goto(after));
                    self.builder.switch_to(after);
                    return;
                }
                None => {
                    let next = self.branch(same);
                    each(self, func);
                    self.push(Op::Goto(after));
                    self.builder.switch_to(next);
                }
            }
        }
        let never = self.cx.program.exprs.bool(false);
        self.require(never, "call through a pointer that points to no function");
        self.push(Op::Exit);
        self.builder.switch_to(after);
    }

    /// The procedure that runs a function as a thread: with one parameter and one result, and the number of the thread
    /// first if the function needs it.
    pub(super) fn starter(&mut self, func: FuncId) -> (ProcId, bool) {
        let signature = self.cx.signatures[&func].clone();
        let body = &self.cx.module.funcs[func];
        let pointer = Type::Bv(POINTER_BITS);
        let params: Vec<Type> =
            body.params.iter().flat_map(|&param| leaves(self.cx.module, body.values[param].ty)).collect();
        let plain = params == [pointer.clone()]
            && leaves(self.cx.module, body.result) == [pointer.clone()]
            && self.cx.points_to.destructors.is_empty()
            && !signature.can_exit;
        if plain {
            return (signature.proc, signature.takes_thread);
        }
        if let Some(&proc) = self.cx.starters.get(&func) {
            return (proc, signature.takes_thread);
        }
        let inner = self.cx.program.procs[signature.proc].name.clone();
        // The thread has the name of the function; the function itself is told apart from it.
        let mut builder = ProcBuilder::new(format!("{inner}#thread"), body.span);
        let mut args = Vec::new();
        if signature.takes_thread {
            let local = builder.param("$thread", Type::Bv(INSTANCE_BITS), body.span);
            args.push(self.cx.program.exprs.add(ir::ExprNode::Local(local, Type::Bv(INSTANCE_BITS))));
        }
        let argument = builder.param("$argument", pointer.clone(), body.span);
        let argument = self.cx.program.exprs.add(ir::ExprNode::Local(argument, pointer.clone()));
        let result = builder.result("$result", pointer.clone(), body.span);
        for (at, ty) in params.iter().enumerate() {
            let value = (at == 0).then_some(argument);
            args.push(self.fitted(value, ty));
        }
        let mut targets = Vec::new();
        let mut returned = None;
        for ty in leaves(self.cx.module, body.result) {
            let local = builder.local(format!("$returned{}", targets.len()), ty.clone(), body.span);
            returned = returned.or(Some(self.cx.program.exprs.add(ir::ExprNode::Local(local, ty))));
            targets.push(Place::local(local));
        }
        let exits = signature.can_exit.then(|| {
            let value = builder.local("$exit.value", pointer.clone(), body.span);
            let exits = builder.local("$exits", Type::Bool, body.span);
            targets.extend([Place::local(value), Place::local(exits)]);
            let exprs = &mut self.cx.program.exprs;
            let value = exprs.add(ir::ExprNode::Local(value, pointer.clone()));
            (value, exprs.add(ir::ExprNode::Local(exits, Type::Bool)))
        });
        builder.push(Op::Call { proc: signature.proc, args, results: targets }, body.span);
        let mut value = self.fitted(returned, &pointer);
        if let Some((exit, exits)) = exits {
            value = self.cx.program.exprs.choose(exits, exit, value);
        }
        builder.push(
            Op::Assign {
                targets: vec![Place::local(result)],
                values: vec![value],
                order: ir::AccessOrder::Plain,
            },
            body.span,
        );
        if !self.cx.points_to.destructors.is_empty() {
            self.run_destructors(&mut builder, body.span);
        }
        let proc = self.cx.program.procs.push(builder.finish());
        self.cx.starters.insert(func, proc);
        (proc, signature.takes_thread)
    }
}

/// Whether a function with this name gives back locks that it tried to take all at once and did not get, to try again: `std::lock`, and with it
/// `std::scoped_lock`. The standard promises that callers get their locks, however the library goes about it, so that is no livelock.
fn backs_off(function: &str, callee: &str) -> bool {
    function.starts_with("_ZSt4lockI")
        && callee.starts_with("_ZNSt11unique_lockI")
        && callee.ends_with("E6unlockEv")
}
