//! Instructions that only compute.

use ir::{BinaryOp, ExprId, Op, Place, Type, UnaryOp};

use super::address::{Address, Base, POINTER_BITS};
use super::bits::Bits;
use super::context::leaves;
use super::function::FunctionLowering;
use crate::activations::Instances;
use crate::gep;
use crate::module::{
    self, Binary, Cast, ConstId, ConstKind, Instr, Operand, Ordering, TypeId, TypeKind, ValueId,
};
use crate::objects::{ObjectId, ObjectKind};

impl FunctionLowering<'_, '_> {
    pub(super) fn lower_instr(&mut self, instr: &Instr) {
        use module::Op as L;
        let result = instr.result;
        self.note_order(&instr.op);
        match &instr.op {
            L::Phi(_) | L::Fence(_) => {}
            L::Br(to) => self.goto(*to),
            L::CondBr(cond, then, otherwise) => self.conditional(*cond, *then, *otherwise),
            L::Switch { on, default, cases } => self.switch(*on, *default, cases),
            L::Ret(value) => self.ret(*value),
            L::Unreachable => {
                self.unsupported("code that the compiler takes for unreachable");
                self.push(Op::Exit);
            }
            L::Alloca { count, .. } => {
                if let Some(result) = result {
                    self.alloca(result, *count);
                }
            }
            L::Load { ptr, ty, atomic, .. } => self.lower_load(result, *ptr, *ty, atomic.is_some()),
            L::Store { value, ptr, atomic, .. } => self.lower_store(*value, *ptr, atomic.is_some()),
            L::AtomicRmw { op, ptr, value, .. } => self.lower_rmw(result, *op, *ptr, *value),
            L::CmpXchg { ptr, expected, new, .. } => self.lower_cmpxchg(result, *ptr, *expected, *new),
            L::Gep { base, indices, .. } => {
                let body = &self.cx.module.funcs[self.func];
                if let Some(adjustment) = gep::member_adjustment(body, indices) {
                    let adjustment = self.scalar(adjustment);
                    let zero = self.cx.program.exprs.bv(POINTER_BITS, 0);
                    let none = self.cx.program.exprs.equal(adjustment, zero);
                    self.only_if(none, "a pointer to a member of a base class that does not come first");
                    if let Some(result) = result {
                        let parts = self.parts(*base);
                        self.define(result, parts);
                    }
                } else if let Some(result) = result {
                    match self.gep(&instr.op) {
                        Some(address) => {
                            self.check_index(result, &instr.op);
                            self.addresses.insert(result, address);
                        }
                        None => self.refuse(result, "this computation of an address"),
                    }
                }
            }
            L::Call { callee, args } => self.call(result, callee, args),
            L::Invoke { callee, args, normal, .. } => {
                self.call(result, callee, args);
                self.goto(*normal);
            }
            L::LandingPad(_) => {
                if let Some(result) = result {
                    self.refuse(result, "catching an exception");
                }
            }
            L::Other { name, .. } => {
                // What we put there ourselves is a text.
                let what =
                    if name.contains(' ') { name.clone() } else { format!("the instruction `{name}`") };
                self.refuse_call(result, &what);
                if !instr.op.successors().is_empty() || matches!(name.as_str(), "resume" | "indirectbr") {
                    self.push(Op::Exit);
                }
            }
            op => {
                if let Some(result) = result {
                    let ty = self.cx.module.funcs[self.func].values[result].ty;
                    match self.computed(op, ty) {
                        Some(parts) => self.define(result, parts),
                        None => self.refuse(result, "this operation on floating point numbers"),
                    }
                }
            }
        }
    }

    /// Warns about a memory order that is not followed.
    fn note_order(&mut self, op: &module::Op) {
        use module::Op as L;
        let order = match op {
            L::Load { atomic, .. } | L::Store { atomic, .. } => *atomic,
            L::AtomicRmw { order, .. } | L::CmpXchg { order, .. } => Some(*order),
            _ => None,
        };
        if order.is_some_and(|order| order != Ordering::SeqCst) {
            self.cx.warn(self.span, "this memory order is taken as sequentially consistent");
        }
    }

    /// A run that comes here is not followed; the value is needed all the same. One that was recorded tells it.
    pub(super) fn refuse(&mut self, result: ValueId, what: &str) {
        let locals = self.declare(result);
        let known = if self.cx.options.transactions { locals } else { Vec::new() };
        self.push(Op::Opaque {
            targets: known.into_iter().map(Place::local).collect(),
            what: what.to_owned(),
        });
    }

    fn alloca(&mut self, result: ValueId, count: Operand) {
        let Some(object) = self.cx.points_to.objects.of(ObjectKind::Stack(self.func, result)) else { return };
        let size = self.cx.size(object).map(|global| {
            let count = self.scalar(count);
            let each =
                match &self.cx.module.funcs[self.func].blocks[self.site.0].instrs[self.site.1 as usize].op {
                    module::Op::Alloca { ty, .. } => self.cx.module.types[*ty].size,
                    _ => 1,
                };
            let exprs = &mut self.cx.program.exprs;
            let wide = exprs.zero_extend(count, 64);
            let each = exprs.bv(64, each);
            (global, exprs.operate(BinaryOp::BvMul, wide, each))
        });
        self.enter(result, object, size);
    }

    /// Brings a variable on the stack to life; a value is its address from here on.
    pub(super) fn enter(&mut self, value: ValueId, object: ObjectId, size: Option<(ir::GlobalId, ExprId)>) {
        let instance = match self.cx.instances(object) {
            Instances::One => None,
            Instances::Thread => Some(self.thread()),
            Instances::Counted => Some(self.next_instance(object)),
        };
        self.bring_to_life(object, instance, size);
        if let Some(alive) = self.cx.alive(object) {
            self.dying.push((alive, instance));
        }
        let base = Base::Object(object, instance);
        self.addresses.insert(value, Address { base, bytes: 0, terms: smallvec::SmallVec::new() });
    }

    pub(super) fn constant_expression(&mut self, id: ConstId, op: &module::Op) -> Vec<ExprId> {
        let ty = self.cx.module.consts[id].ty;
        let parts = match op {
            module::Op::Gep { .. } => {
                let address = self.gep(op);
                address.map(|address| vec![self.number(&address)])
            }
            _ => self.computed(op, ty),
        };
        parts.unwrap_or_else(|| {
            self.unsupported("this constant");
            self.arbitrary(ty)
        })
    }

    /// What a pure instruction computes; none for floating point numbers.
    fn computed(&mut self, op: &module::Op, ty: TypeId) -> Option<Vec<ExprId>> {
        use module::Op as L;
        Some(match op {
            L::Binary(op, a, b) => {
                let (a, b) = (self.parts(*a), self.parts(*b));
                let mut parts = Vec::new();
                for (a, b) in a.into_iter().zip(b) {
                    parts.push(self.arithmetic(*op, a, b)?);
                }
                parts
            }
            L::ICmp(predicate, a, b) => {
                let (a, b) = (self.parts(*a), self.parts(*b));
                let exprs = &mut self.cx.program.exprs;
                let pairs = a.into_iter().zip(b);
                pairs
                    .map(|(a, b)| {
                        if *exprs.ty(a) == Type::Bool {
                            let (a, b) = (exprs.bit(a, 1), exprs.bit(b, 1));
                            return exprs.compare(*predicate, a, b);
                        }
                        exprs.compare(*predicate, a, b)
                    })
                    .collect()
            }
            L::Cast(cast, from) => {
                let parts = self.parts(*from);
                if parts.len() > 1 && matches!(cast, Cast::BitCast) {
                    return self.reinterpreted(&parts, ty);
                }
                let to = leaves(self.cx.module, ty);
                if to.len() != parts.len() {
                    return self.reinterpreted(&parts, ty);
                }
                let mut cast_parts = Vec::new();
                for (part, to) in parts.into_iter().zip(to) {
                    cast_parts.push(self.cast(*cast, part, &to)?);
                }
                cast_parts
            }
            L::Select(cond, a, b) => {
                let cond = self.parts(*cond);
                let (a, b) = (self.parts(*a), self.parts(*b));
                let exprs = &mut self.cx.program.exprs;
                let one = cond.len() == 1;
                a.into_iter()
                    .zip(b)
                    .enumerate()
                    .map(|(at, (a, b))| exprs.choose(cond[if one { 0 } else { at }], a, b))
                    .collect()
            }
            L::Freeze(from) => self.parts(*from),
            L::ExtractValue(from, path) => {
                let parts = self.parts(*from);
                let (at, inner) = self.leaf_range(self.type_of(*from), path)?;
                parts.get(at..at + leaves(self.cx.module, inner).len())?.to_vec()
            }
            L::InsertValue(into, value, path) => {
                let mut parts = self.aggregate(*into);
                let value = self.parts(*value);
                let (at, _) = self.leaf_range(ty, path)?;
                parts.splice(at..(at + value.len()).min(parts.len()), value);
                parts
            }
            L::ExtractElement(from, index) => {
                let parts = self.parts(*from);
                let index = crate::objects::constant(self.cx.module, *index)?;
                vec![*parts.get(usize::try_from(index).ok()?)?]
            }
            L::InsertElement(into, value, index) => {
                let mut parts = self.aggregate(*into);
                let value = self.scalar(*value);
                let index = crate::objects::constant(self.cx.module, *index)?;
                *parts.get_mut(usize::try_from(index).ok()?)? = value;
                parts
            }
            L::ShuffleVector(a, b, mask) => {
                let (mut all, b) = (self.aggregate(*a), self.aggregate(*b));
                all.extend(b);
                let mut parts = Vec::new();
                for lane in mask {
                    parts.push(*all.get(lane.unwrap_or(0) as usize)?);
                }
                parts
            }
            _ => return None,
        })
    }

    /// The scalars of an aggregate of which parts are set one by one: undefined ones need no value.
    fn aggregate(&mut self, operand: Operand) -> Vec<ExprId> {
        if let Operand::Const(id) = operand
            && matches!(self.cx.module.consts[id].kind, ConstKind::Undef)
        {
            let ty = self.cx.module.consts[id].ty;
            let types = leaves(self.cx.module, ty);
            let exprs = &mut self.cx.program.exprs;
            return types
                .iter()
                .map(|leaf| match leaf {
                    Type::Bv(bits) => exprs.bv(*bits, 0),
                    _ => exprs.bool(false),
                })
                .collect();
        }
        self.parts(operand)
    }

    /// Where the scalars of a part of an aggregate start, and its type.
    fn leaf_range(&self, ty: TypeId, path: &[u32]) -> Option<(usize, TypeId)> {
        let module = self.cx.module;
        let (mut at, mut ty) = (0, ty);
        for &index in path {
            match &module.types[ty].kind {
                TypeKind::Struct { fields, .. } => {
                    for (_, field) in fields.get(..index as usize)? {
                        at += leaves(module, *field).len();
                    }
                    ty = fields.get(index as usize)?.1;
                }
                TypeKind::Array { element, .. } | TypeKind::Vector { element, .. } => {
                    at += leaves(module, *element).len() * index as usize;
                    ty = *element;
                }
                _ => return None,
            }
        }
        Some((at, ty))
    }

    fn arithmetic(&mut self, op: Binary, a: ExprId, b: ExprId) -> Option<ExprId> {
        let exprs = &mut self.cx.program.exprs;
        if *exprs.ty(a) == Type::Bool {
            return Some(match op {
                Binary::And | Binary::Mul => exprs.both(a, b),
                Binary::Or => exprs.pool().binary(BinaryOp::Or, a, b),
                Binary::Xor | Binary::Add | Binary::Sub => {
                    match (exprs.literal_bool(a), exprs.literal_bool(b)) {
                        (_, Some(true)) => exprs.negate(a),
                        (Some(true), _) => exprs.negate(b),
                        (_, Some(false)) => a,
                        (Some(false), _) => b,
                        _ => exprs.pool().binary(BinaryOp::Ne, a, b),
                    }
                }
                _ => return None,
            });
        }
        let op = match op {
            Binary::Add => BinaryOp::BvAdd,
            Binary::Sub => BinaryOp::BvSub,
            Binary::Mul => BinaryOp::BvMul,
            Binary::UDiv => BinaryOp::BvUdiv,
            Binary::SDiv => BinaryOp::BvSdiv,
            Binary::URem => BinaryOp::BvUrem,
            Binary::SRem => BinaryOp::BvSrem,
            Binary::Shl => BinaryOp::BvShl,
            Binary::LShr => BinaryOp::BvLshr,
            Binary::AShr => BinaryOp::BvAshr,
            Binary::And => BinaryOp::BvAnd,
            Binary::Or => BinaryOp::BvOr,
            Binary::Xor => BinaryOp::BvXor,
            Binary::FAdd | Binary::FSub | Binary::FMul | Binary::FDiv | Binary::FRem => return None,
        };
        if matches!(op, BinaryOp::BvUdiv | BinaryOp::BvSdiv | BinaryOp::BvUrem | BinaryOp::BvSrem) {
            let zero = {
                let width = exprs.width(b);
                exprs.bv(width, 0)
            };
            let fine = exprs.compare(module::IntPredicate::Ne, b, zero);
            self.require(fine, "division by zero");
        }
        Some(self.cx.program.exprs.operate(op, a, b))
    }

    fn cast(&mut self, cast: Cast, e: ExprId, to: &Type) -> Option<ExprId> {
        let exprs = &mut self.cx.program.exprs;
        let bool = *exprs.ty(e) == Type::Bool;
        Some(match (cast, to) {
            (Cast::Trunc, Type::Bool) => {
                if bool {
                    return Some(e);
                }
                let low = exprs.extract(e, 1, 0);
                let one = exprs.bv(1, 1);
                exprs.equal(low, one)
            }
            (Cast::ZExt, Type::Bv(width)) if bool => exprs.bit(e, *width),
            (Cast::SExt, Type::Bv(width)) if bool => {
                let bit = exprs.bit(e, *width);
                exprs.add_neg(bit, *width)
            }
            (Cast::Trunc | Cast::ZExt | Cast::PtrToInt | Cast::IntToPtr, Type::Bv(width)) => {
                exprs.zero_extend(e, *width)
            }
            (Cast::SExt, Type::Bv(width)) => exprs.sign_extend(e, *width),
            (Cast::BitCast | Cast::AddrSpaceCast, to) if exprs.ty(e) == to => e,
            _ => return None,
        })
    }

    /// The same bits as scalars of another type.
    fn reinterpreted(&mut self, parts: &[ExprId], ty: TypeId) -> Option<Vec<ExprId>> {
        let exprs = &mut self.cx.program.exprs;
        let mut whole: Option<ExprId> = None;
        for &part in parts {
            if *exprs.ty(part) == Type::Bool {
                return None;
            }
            whole = Some(whole.map_or(part, |low| exprs.concat(part, low)));
        }
        let whole = whole?;
        let mut at = 0;
        let mut result = Vec::new();
        for leaf in leaves(self.cx.module, ty) {
            let Type::Bv(bits) = leaf else { return None };
            result.push(self.cx.program.exprs.extract(whole, at + bits, at));
            at += bits;
        }
        Some(result)
    }

    /// Checks something that must hold of memory; not a step of its own.
    pub(super) fn require(&mut self, holds: ExprId, message: &str) {
        if self.cx.program.exprs.literal_bool(holds) != Some(true) {
            self.push(Op::Assert { cond: holds, kind: ir::AssertKind::Memory, message: message.to_owned() });
        }
    }
}

/// Negation, for sign extension of truth values.
trait Negated: Bits {
    fn add_neg(&mut self, e: ExprId, width: u32) -> ExprId {
        if let ir::ExprNode::Ite(cond, ..) = *self.pool().node(e) {
            let (ones, zero) = (self.big(width, &(-1).into()), self.bv(width, 0));
            return self.choose(cond, ones, zero);
        }
        self.pool().add(ir::ExprNode::Unary(UnaryOp::BvNeg, e))
    }
}

impl Negated for ir::ExprPool {}
