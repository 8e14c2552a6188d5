//! What runs when a thread ends: the destructors of its values of thread-specific keys.

use ir::{AccessOrder, BinaryOp, ExprId, ExprNode, LocalId, Op, Place, ProcBuilder, Type};
use source::Span;

use super::address::{INSTANCE_BITS, POINTER_BITS};
use super::bits::Bits;
use super::function::FunctionLowering;
use crate::module::IntPredicate;
use crate::objects::ObjectKind;

/// How often a thread goes through its keys, since destructors may set values again: as POSIX asks for at least.
const PASSES: u64 = 4;

impl FunctionLowering<'_, '_> {
    /// Adds to the end of a procedure that runs a thread, whose first parameter is the number of the thread: for each key
    /// that has a value and a destructor, the value is cleared and the destructor called, until there are none left.
    pub(super) fn run_destructors(&mut self, builder: &mut ProcBuilder, span: Span) {
        let Some(&thread) = builder.proc().params.first() else { return };
        let thread = self.cx.program.exprs.add(ExprNode::Local(thread, Type::Bv(INSTANCE_BITS)));
        let (pass, key) =
            (builder.local("$pass", Type::Bv(32), span), builder.local("$key", Type::Bv(32), span));
        let any = builder.local("$any", Type::Bool, span);
        let (value, destructor) = (
            builder.local("$value", Type::Bv(POINTER_BITS), span),
            builder.local("$destructor", Type::Bv(POINTER_BITS), span),
        );
        let (keys, specific, destructors) =
            (self.cx.special("$keys"), self.cx.special("$specific"), self.cx.special("$destructors"));
        let exprs = &mut self.cx.program.exprs;
        let mut local = |id: LocalId, ty: Type| exprs.add(ExprNode::Local(id, ty));
        let (at_pass, at_key) = (local(pass, Type::Bv(32)), local(key, Type::Bv(32)));
        let ran = local(any, Type::Bool);
        let (held, called) =
            (local(value, Type::Bv(POINTER_BITS)), local(destructor, Type::Bv(POINTER_BITS)));
        let (zero, one, passes) = (exprs.bv(32, 0), exprs.bv(32, 1), exprs.bv(32, PASSES));
        let null = exprs.bv(POINTER_BITS, 0);
        let (yes, no) = (exprs.bool(true), exprs.bool(false));
        let count = exprs.add(ExprNode::Global(keys, Type::Bv(32)));
        let more_keys = exprs.compare(IntPredicate::Ult, at_key, count);
        let more_passes = exprs.compare(IntPredicate::Ult, at_pass, passes);
        let set = exprs.compare(IntPredicate::Ne, held, null);
        let has = exprs.compare(IntPredicate::Ne, called, null);
        let (next_key, next_pass) =
            (exprs.operate(BinaryOp::BvAdd, at_key, one), exprs.operate(BinaryOp::BvAdd, at_pass, one));
        let place = Place::global(specific).at(vec![thread, at_key]);
        let assign = |builder: &mut ProcBuilder, target: Place, value: ExprId| {
            let op = Op::Assign { targets: vec![target], values: vec![value], order: AccessOrder::Atomic };
            builder.push(op, span);
        };
        let names = ["passes", "pass", "keys", "key", "found", "run", "next", "again", "done"];
        let [passes, start, keys, read, found, run, next, again, done] =
            names.map(|name| builder.block(name));
        assign(builder, Place::local(pass), zero);
        builder.push(Op::Goto(passes), span);
        builder.switch_to(passes);
        builder.push(Op::Branch { cond: more_passes, then: start, otherwise: done }, span);
        builder.switch_to(start);
        assign(builder, Place::local(key), zero);
        assign(builder, Place::local(any), no);
        builder.push(Op::Goto(keys), span);
        builder.switch_to(keys);
        builder.push(Op::Branch { cond: more_keys, then: read, otherwise: again }, span);
        builder.switch_to(read);
        let current = self.cx.read_place(&place);
        assign(builder, Place::local(value), current);
        builder.push(Op::Branch { cond: set, then: found, otherwise: next }, span);
        builder.switch_to(found);
        let current = self.cx.read_place(&Place::global(destructors).at(vec![at_key]));
        assign(builder, Place::local(destructor), current);
        builder.push(Op::Branch { cond: has, then: run, otherwise: next }, span);
        builder.switch_to(run);
        assign(builder, Place::local(any), yes);
        assign(builder, place, null);
        for &func in &self.cx.points_to.destructors {
            let Some(object) = self.cx.points_to.objects.of(ObjectKind::Func(func)) else { continue };
            let signature = self.cx.signatures[&func].clone();
            let body = &self.cx.module.funcs[func];
            let exprs = &mut self.cx.program.exprs;
            let address = exprs.bv(POINTER_BITS, self.cx.placements.of(object).start);
            let same = exprs.equal(called, address);
            let mut args: Vec<ExprId> = if signature.takes_thread { vec![thread] } else { Vec::new() };
            for (at, &param) in body.params.iter().enumerate() {
                for ty in super::context::leaves(self.cx.module, body.values[param].ty) {
                    args.push(self.fitted((at == 0).then_some(held), &ty));
                }
            }
            let (then, otherwise) = (
                builder.block(format!("call{}", func.as_u32())),
                builder.block(format!("not{}", func.as_u32())),
            );
            builder.push(Op::Branch { cond: same, then, otherwise }, span);
            builder.switch_to(then);
            if signature.can_exit {
                let what = "a destructor of a thread-specific key that ends the thread";
                builder.push(Op::Opaque { targets: Vec::new(), what: what.to_owned() }, span);
            }
            builder.push(Op::Call { proc: signature.proc, args, results: Vec::new() }, span);
            builder.push(Op::Goto(next), span);
            builder.switch_to(otherwise);
        }
        builder.push(Op::Goto(next), span);
        builder.switch_to(next);
        assign(builder, Place::local(key), next_key);
        builder.push(Op::Goto(keys), span);
        builder.switch_to(again);
        assign(builder, Place::local(pass), next_pass);
        builder.push(Op::Branch { cond: ran, then: passes, otherwise: done }, span);
        builder.switch_to(done);
    }
}
