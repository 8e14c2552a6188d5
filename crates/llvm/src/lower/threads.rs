//! Threads: starting, joining, ending them, and what each has for itself.
//!
//! Threads have numbers; a `pthread_t` is one. The handle of a thread is in `$handle`, by its number.

use ir::{AccessOrder, BinaryOp, ExprId, ExprNode, Op, Place, Type};

use super::address::{INSTANCE_BITS, POINTER_BITS, Pointer};
use super::bits::Bits;
use super::function::FunctionLowering;
use crate::module::{ConstKind, FuncId, Operand, ValueId};

impl FunctionLowering<'_, '_> {
    /// Lowers a call that has to do with threads; returns whether it is one.
    pub(super) fn thread_call(&mut self, result: Option<ValueId>, name: &str, args: &[Operand]) -> bool {
        match name {
            "pthread_create" => self.start_thread(args, 0, 2, 3),
            "thrd_create" => self.start_thread(args, 0, 1, 2),
            "pthread_join" | "thrd_join" => self.join(args, name == "thrd_join"),
            "pthread_exit" | "thrd_exit" => {
                let value = args.first().map(|&arg| self.scalar(arg));
                let value = self.fitted(value, &Type::Bv(POINTER_BITS));
                self.end_thread(value);
                return true;
            }
            "pthread_self" | "thrd_current" | "gettid" => {
                if let Some(result) = result {
                    let thread = self.thread();
                    let ty = super::context::leaves(
                        self.cx.module,
                        self.cx.module.funcs[self.func].values[result].ty,
                    );
                    let value = self.fitted(Some(thread), ty.first().unwrap_or(&Type::Bv(POINTER_BITS)));
                    self.define(result, vec![value]);
                }
                return true;
            }
            "pthread_equal" | "thrd_equal" => {
                if let (Some(result), [a, b]) = (result, args) {
                    let (a, b) = (self.scalar(*a), self.scalar(*b));
                    let same = self.cx.program.exprs.equal(a, b);
                    let value = self.cx.program.exprs.bit(same, 32);
                    self.define(result, vec![value]);
                }
                return true;
            }
            "pthread_detach"
            | "thrd_detach"
            | "pthread_setname_np"
            | "pthread_setconcurrency"
            | "pthread_attr_init"
            | "pthread_attr_destroy"
            | "pthread_attr_setdetachstate"
            | "pthread_attr_setstacksize"
            | "pthread_attr_setscope"
            | "pthread_attr_setschedpolicy"
            | "pthread_mutexattr_init"
            | "pthread_mutexattr_destroy"
            | "pthread_mutexattr_settype"
            | "pthread_mutexattr_setpshared"
            // Priorities do not matter: threads run in any order.
            | "pthread_mutexattr_setprotocol"
            | "pthread_condattr_init"
            | "pthread_condattr_destroy"
            | "pthread_condattr_setclock"
            | "pthread_rwlockattr_init"
            | "pthread_rwlockattr_destroy"
            | "pthread_barrierattr_init"
            | "pthread_barrierattr_destroy"
            | "pthread_setaffinity_np"
            | "pthread_key_delete"
            | "tss_delete" => {}
            "pthread_key_create" | "tss_create" => self.create_key(args),
            "pthread_setspecific" | "tss_set" => {
                if let [key, value] = args {
                    let place = self.key_place(*key);
                    let value = self.scalar(*value);
                    self.push(Op::Assign {
                        targets: vec![place],
                        values: vec![value],
                        order: AccessOrder::Atomic,
                    });
                }
            }
            "pthread_getspecific" | "tss_get" => {
                if let (Some(result), [key]) = (result, args) {
                    let place = self.key_place(*key);
                    let value = self.cx.read_place(&place);
                    let locals = self.declare(result);
                    self.push(Op::Assign {
                        targets: vec![Place::local(locals[0])],
                        values: vec![value],
                        order: AccessOrder::Atomic,
                    });
                }
                return true;
            }
            _ => return false,
        }
        self.returned_number(result, 0);
        true
    }

    /// The cell of `$handle` for a thread.
    fn handle(&mut self, number: ExprId) -> Place {
        let handles = self.cx.special("$handle");
        Place::global(handles).at(vec![number])
    }

    fn start_thread(&mut self, args: &[Operand], id: usize, function: usize, argument: usize) {
        let (Some(&id), Some(&function), Some(&argument)) =
            (args.get(id), args.get(function), args.get(argument))
        else {
            return;
        };
        let number = match self.cx.thread_numbers.get(&(self.func, self.site)) {
            Some(&number) => self.cx.program.exprs.bv(INSTANCE_BITS, number),
            None => self.next_thread(),
        };
        let wide = self.cx.program.exprs.zero_extend(number, POINTER_BITS);
        self.store(Pointer::from(id), wide, 8, false);
        let funcs = self.functions(function);
        let (pointer, argument) = (self.scalar(function), self.scalar(argument));
        self.dispatch(pointer, &funcs, &mut |lowering, func| {
            let started = &lowering.cx.module.funcs[func];
            if started.is_declaration() {
                let what = format!(
                    "a thread that runs `{}`, of which only the declaration is known,",
                    started.source_name
                );
                lowering.unsupported(&what);
                return;
            }
            let (proc, takes_thread) = lowering.starter(func);
            let mut args = Vec::new();
            if takes_thread {
                args.push(number);
            }
            args.push(argument);
            let handle = Some(lowering.handle(number));
            lowering.push(Op::Spawn { proc, args, handle });
        });
    }

    fn next_thread(&mut self) -> ExprId {
        let started = self.cx.special("$started");
        let ty = Type::Bv(INSTANCE_BITS);
        let local = self.temporary("$number", ty.clone());
        let exprs = &mut self.cx.program.exprs;
        let last = exprs.add(ExprNode::Global(started, ty));
        let one = exprs.bv(INSTANCE_BITS, 1);
        let next = exprs.operate(BinaryOp::BvAdd, last, one);
        self.push(Op::Assign {
            targets: vec![Place::local(local), Place::global(started)],
            values: vec![next, next],
            order: AccessOrder::Atomic,
        });
        self.local_expr(local)
    }

    fn join(&mut self, args: &[Operand], c11: bool) {
        let Some(&thread) = args.first() else { return };
        let number = self.scalar(thread);
        let number = self.cx.program.exprs.extract(number, INSTANCE_BITS, 0);
        let handle = self.handle(number);
        let task = self.cx.read_place(&handle);
        let to = args.get(1).copied().filter(|&to| !self.is_null(to));
        let Some(to) = to else {
            self.push(Op::Wait { task, results: Vec::new() });
            return;
        };
        let local = self.temporary("$result", Type::Bv(POINTER_BITS));
        self.push(Op::Wait { task, results: vec![Place::local(local)] });
        let value = self.local_expr(local);
        // Where the result goes may be null, for all that is known.
        let pointer = self.scalar(to);
        let exprs = &mut self.cx.program.exprs;
        let null = exprs.bv(POINTER_BITS, 0);
        let given = exprs.compare(crate::module::IntPredicate::Ne, pointer, null);
        let certain = exprs.literal_bool(given).is_some() || self.is_known(to);
        let next = if certain { None } else { Some(self.branch(given)) };
        let (value, bytes) = if c11 { (self.cx.program.exprs.extract(value, 32, 0), 4) } else { (value, 8) };
        self.store(Pointer::from(to), value, bytes, false);
        if let Some(next) = next {
            self.push(Op::Goto(next));
            self.builder.switch_to(next);
        }
    }

    fn is_null(&self, operand: Operand) -> bool {
        match operand {
            Operand::Const(id) => {
                matches!(self.cx.module.consts[id].kind, ConstKind::Null | ConstKind::Zero)
            }
            Operand::Value(_) => false,
        }
    }

    fn is_known(&mut self, operand: Operand) -> bool {
        matches!(self.address(operand).base, super::address::Base::Object(..))
    }

    fn create_key(&mut self, args: &[Operand]) {
        let Some(&key) = args.first() else { return };
        // To free a value that nobody can use any more changes nothing; a destructor with a body is run.
        let known = |func: FuncId| {
            let func = &self.cx.module.funcs[func];
            func.name == "free" || !func.is_declaration()
        };
        if let Some(&destructor) = args.get(1)
            && !self.is_null(destructor)
            && !self.functions(destructor).into_iter().all(known)
        {
            self.unsupported("a destructor of a thread-specific key that has no body");
        }
        let keys = self.cx.special("$keys");
        let local = self.temporary("$key", Type::Bv(32));
        let exprs = &mut self.cx.program.exprs;
        let last = exprs.add(ExprNode::Global(keys, Type::Bv(32)));
        let one = exprs.bv(32, 1);
        let next = exprs.operate(BinaryOp::BvAdd, last, one);
        self.push(Op::Assign {
            targets: vec![Place::local(local), Place::global(keys)],
            values: vec![last, next],
            order: AccessOrder::Atomic,
        });
        let value = self.local_expr(local);
        if let Some(&destructor) = args.get(1).filter(|&&destructor| !self.is_null(destructor)) {
            let destructors = self.cx.special("$destructors");
            let destructor = self.scalar(destructor);
            self.push(Op::Assign {
                targets: vec![Place::global(destructors).at(vec![value])],
                values: vec![destructor],
                order: AccessOrder::Atomic,
            });
        }
        self.store(Pointer::from(key), value, 4, false);
    }

    fn key_place(&mut self, key: Operand) -> Place {
        let specific = self.cx.special("$specific");
        let (thread, key) = (self.thread(), self.scalar(key));
        let key = self.cx.program.exprs.zero_extend(key, 32);
        Place::global(specific).at(vec![thread, key])
    }
}
