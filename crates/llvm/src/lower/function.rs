//! One function: its blocks, its values, and how control goes.

use cranelift_entity::{EntityRef, SecondaryMap};
use ir::{ExprId, ExprNode, LocalId, Op, Place, ProcBuilder, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use source::Span;

use super::address::{Address, INSTANCE_BITS, POINTER_BITS};
use super::bits::Bits;
use super::context::{Context, leaves};
use super::image;
use super::indices::{followed, leads_to_last};
use crate::module::{self, BlockId, ConstKind, FuncId, Operand, Origin, TypeId, TypeKind, ValueId};

/// A function that is being lowered.
pub(super) struct FunctionLowering<'c, 'a> {
    pub(super) cx: &'c mut Context<'a>,
    pub(super) func: FuncId,
    pub(super) builder: ProcBuilder,
    /// The scalars of each value.
    pub(super) values: FxHashMap<ValueId, Vec<ExprId>>,
    /// Pointers whose object is known.
    pub(super) addresses: FxHashMap<ValueId, Address>,
    pub(super) blocks: SecondaryMap<BlockId, Option<ir::BlockId>>,
    uses: FxHashMap<ValueId, u32>,
    /// Pointers that are followed right where they are computed.
    pub(super) followed: FxHashSet<ValueId>,
    /// Pointers to last fields of structs.
    pub(super) last_fields: FxHashSet<ValueId>,
    names: FxHashMap<String, u32>,
    labels: FxHashMap<String, u32>,
    /// The statement that is being lowered, and where it stands in the function.
    pub(super) span: Span,
    pub(super) site: (BlockId, u32),
    /// The instruction that is being lowered; fresh until it has an op.
    pub(super) origin: Origin,
    /// Whether undefined operands are padding.
    pads: bool,
    /// The number of the thread.
    thread: Option<ExprId>,
    /// Where results go, with those that say whether the thread is to end.
    pub(super) results: Vec<LocalId>,
    pub(super) exited: Option<(LocalId, LocalId)>,
    /// Stack objects that die when the function returns: what says so, for which instance.
    pub(super) dying: Vec<(ir::GlobalId, Option<ExprId>)>,
}

/// What a function is annotated with whose body is a transaction.
const TRANSACTION: &str = "raddle.atomic";

/// A value with more operations than this, and more than one use, is computed once.
const CHEAP: usize = 6;

impl<'c, 'a> FunctionLowering<'c, 'a> {
    pub(super) fn new(cx: &'c mut Context<'a>, func: FuncId) -> Self {
        let body = &cx.module.funcs[func];
        let name = cx.program.procs[cx.signatures[&func].proc].name.clone();
        let builder = ProcBuilder::new(name, body.span);
        FunctionLowering {
            cx,
            func,
            builder,
            values: FxHashMap::default(),
            addresses: FxHashMap::default(),
            blocks: SecondaryMap::new(),
            uses: FxHashMap::default(),
            followed: FxHashSet::default(),
            last_fields: FxHashSet::default(),
            names: FxHashMap::default(),
            labels: FxHashMap::from_iter([("entry".to_owned(), 1)]),
            span: body.span,
            site: (BlockId::new(0), 0),
            origin: Origin::default(),
            pads: false,
            thread: None,
            results: Vec::new(),
            exited: None,
            dying: Vec::new(),
        }
    }

    /// Lowers the body and puts it in its place.
    pub(super) fn run(mut self) {
        let body = &self.cx.module.funcs[self.func];
        let signature = self.cx.signatures[&self.func].clone();
        let span = body.span;
        if signature.takes_thread {
            let local = self.builder.param("$thread", Type::Bv(INSTANCE_BITS), span);
            self.thread = Some(self.local_expr(local));
        }
        let arguments = self.cx.module.arguments.filter(|arguments| {
            // Who calls `main` gives it arguments.
            let mut called = self.cx.points_to.callees.values().flatten();
            arguments.func == self.func && self.is_entry() && !called.any(|callee| *callee == self.func)
        });
        for (at, &param) in body.params.iter().enumerate() {
            if let Some(arguments) = arguments {
                self.take_argument(param, at, arguments);
                continue;
            }
            let ty = body.values[param].ty;
            let name = self.value_name(param);
            let mut parts = Vec::new();
            for leaf in leaves(self.cx.module, ty) {
                let unique = self.unique(&name);
                let local = self.builder.param(unique, leaf, span);
                self.dress(local, param);
                parts.push(self.local_expr(local));
            }
            self.values.insert(param, parts);
        }
        for leaf in leaves(self.cx.module, body.result) {
            let name = self.unique("$result");
            let local = self.builder.result(name, leaf, span);
            self.results.push(local);
        }
        if signature.can_exit && !self.is_root() {
            let (value, exits) = (self.unique("$exit.value"), self.unique("$exits"));
            let value = self.builder.result(value, Type::Bv(POINTER_BITS), span);
            let exits = self.builder.result(exits, Type::Bool, span);
            self.exited = Some((value, exits));
        }
        self.look_at_uses();
        if arguments.is_some_and(|arguments| arguments.count == 1)
            && body.params.iter().any(|param| self.uses(*param) > 0)
        {
            self.cx.warn(span, "the program is run without arguments; give it some after `--`");
        }
        let order = self.order();
        for &block in &order {
            let name = body.blocks[block].name.as_str();
            let name = if name.is_empty() { "block" } else { name };
            let id = if block.index() == 0 { self.builder.current() } else { self.block(name) };
            self.blocks[block] = Some(id);
            self.declare_phis(block);
        }
        if self.is_entry() {
            for &constructor in &self.cx.roots[..self.cx.roots.len() - 1] {
                let proc = self.cx.signatures[&constructor].proc;
                self.push(Op::Call { proc, args: Vec::new(), results: Vec::new() });
            }
        }
        if self.is_transaction() {
            // There is no line that says so.
            self.span = Span::NONE;
            self.push(Op::TransactionBegin);
            self.span = span;
        }
        for (&param, ty) in body.params.iter().zip(&body.by_value) {
            if ty.is_some() {
                self.take_by_value(param);
            }
        }
        for &block in &order {
            if let Some(id) = self.blocks[block] {
                if block.index() > 0 {
                    self.builder.switch_to(id);
                }
                self.lower_block(block);
            }
        }
        let proc = self.builder.finish();
        self.cx.program.procs[signature.proc] = proc;
    }

    /// Gives a parameter of `main` its value: the number of arguments, those, and the environment.
    fn take_argument(&mut self, param: ValueId, at: usize, arguments: crate::module::Arguments) {
        let count = u64::from(arguments.count);
        let start = self.cx.placements.global(arguments.vector);
        let exprs = &mut self.cx.program.exprs;
        let value = match at {
            0 => exprs.bv(32, count),
            1 => exprs.bv(POINTER_BITS, start),
            // The environment is empty, and so is what follows the arguments.
            _ => exprs.bv(POINTER_BITS, start + count * 8),
        };
        self.values.insert(param, vec![value]);
    }

    /// Whether the program starts with this function, or it runs before.
    fn is_root(&self) -> bool {
        self.cx.roots.contains(&self.func)
    }

    /// Whether the program ends when this function returns.
    pub(super) fn is_entry(&self) -> bool {
        self.cx.roots.last() == Some(&self.func)
    }

    /// Whether the user says that the body is meant to be indivisible, and somebody wants to know.
    pub(super) fn is_transaction(&self) -> bool {
        let annotations = &self.cx.module.funcs[self.func].annotations;
        self.cx.options.transactions && annotations.iter().any(|text| text == TRANSACTION)
    }

    /// How often a value is used.
    pub(super) fn uses(&self, value: ValueId) -> u32 {
        self.uses.get(&value).copied().unwrap_or(0)
    }

    /// Looks at what is done with values.
    fn look_at_uses(&mut self) {
        for block in self.cx.module.funcs[self.func].blocks.values() {
            followed(block, &mut self.followed);
            for instr in &block.instrs {
                if leads_to_last(self.cx.module, &instr.op) {
                    self.last_fields.extend(instr.result);
                }
                instr.op.for_each_operand(|operand| {
                    if let Operand::Value(value) = operand {
                        *self.uses.entry(value).or_default() += 1;
                    }
                });
            }
        }
    }

    fn declare_phis(&mut self, block: BlockId) {
        let body = &self.cx.module.funcs[self.func];
        for instr in &body.blocks[block].instrs {
            if let (module::Op::Phi(_), Some(result)) = (&instr.op, instr.result) {
                self.declare(result);
            }
        }
    }

    /// Makes locals for a value.
    pub(super) fn declare(&mut self, value: ValueId) -> Vec<LocalId> {
        let name = self.value_name(value);
        let ty = self.cx.module.funcs[self.func].values[value].ty;
        let mut locals = Vec::new();
        for leaf in leaves(self.cx.module, ty) {
            let local = self.temporary(&name, leaf);
            self.dress(local, value);
            locals.push(local);
        }
        let parts = locals.iter().map(|&local| self.local_expr(local)).collect();
        self.values.insert(value, parts);
        locals
    }

    /// A new local variable.
    pub(super) fn temporary(&mut self, name: &str, ty: Type) -> LocalId {
        let unique = self.unique(name);
        self.builder.local(unique, ty, self.span)
    }

    /// Says how a local of a value is shown.
    fn dress(&mut self, local: LocalId, value: ValueId) {
        let body = &self.cx.module.funcs[self.func];
        let Some(variable) = &body.variables[value] else { return };
        let pointer = matches!(self.cx.module.types[body.values[value].ty].kind, TypeKind::Ptr);
        let value = match variable.ty {
            _ if pointer => ir::Shown::Address,
            Some(ty) => self.cx.shown(ty),
            None => ir::Shown::Signed,
        };
        let proc = self.cx.signatures[&self.func].proc;
        let look = ir::Look { name: variable.name.clone(), value };
        self.cx.program.presentation.locals.insert((proc, local), look);
    }

    fn unique(&mut self, name: &str) -> String {
        let count = self.names.entry(name.to_owned()).or_default();
        *count += 1;
        if *count == 1 { name.to_owned() } else { format!("{name}#{count}") }
    }

    /// The name of a value: of its variable, or one that only the machine needs.
    fn value_name(&self, value: ValueId) -> String {
        let body = &self.cx.module.funcs[self.func];
        let name = match &body.variables[value] {
            Some(variable) => variable.name.as_str(),
            None if body.params.contains(&value) => body.values[value].name.as_str(),
            None => "",
        };
        // Parameters need no name.
        if name.is_empty() { "$value".to_owned() } else { name.to_owned() }
    }

    /// A new block of the procedure.
    pub(super) fn block(&mut self, name: &str) -> ir::BlockId {
        let count = self.labels.entry(name.to_owned()).or_default();
        *count += 1;
        let unique = if *count == 1 { name.to_owned() } else { format!("{name}#{count}") };
        self.builder.block(unique)
    }

    pub(super) fn local_expr(&mut self, local: LocalId) -> ExprId {
        let ty = self.builder.proc().locals[local].ty.clone();
        self.cx.program.exprs.add(ExprNode::Local(local, ty))
    }

    pub(super) fn push(&mut self, op: Op) {
        if !self.builder.is_terminated() {
            let block = self.builder.current();
            let index = self.builder.proc().blocks[block].stmts.len();
            let proc = self.cx.signatures[&self.func].proc;
            let origin = std::mem::replace(&mut self.origin.fresh, false);
            let origin = Origin { site: self.origin.site, fresh: origin };
            self.cx.origins.insert(ir::OpRef { proc, block, index }, origin);
        }
        self.builder.push(op, self.span);
    }

    /// Assigns a local.
    pub(super) fn assign(&mut self, local: LocalId, value: ExprId) {
        self.push(Op::Assign {
            targets: vec![Place::local(local)],
            values: vec![value],
            order: ir::AccessOrder::Plain,
        });
    }

    /// The number of the thread that runs.
    pub(super) fn thread(&mut self) -> ExprId {
        match self.thread {
            Some(thread) => thread,
            None => self.cx.program.exprs.bv(INSTANCE_BITS, 0),
        }
    }

    /// The type of an operand.
    pub(super) fn type_of(&self, operand: Operand) -> TypeId {
        crate::objects::type_of(self.cx.module, &self.cx.module.funcs[self.func], operand)
    }

    /// The scalars of an operand.
    pub(super) fn parts(&mut self, operand: Operand) -> Vec<ExprId> {
        match operand {
            Operand::Value(value) => {
                if let Some(parts) = self.values.get(&value) {
                    return parts.clone();
                }
                if let Some(address) = self.addresses.get(&value).cloned() {
                    return vec![self.number(&address)];
                }
                // Used before it is computed: only in code that cannot be reached.
                self.arbitrary(self.type_of(operand))
            }
            Operand::Const(id) => self.constant(id),
        }
    }

    /// The only scalar of an operand.
    pub(super) fn scalar(&mut self, operand: Operand) -> ExprId {
        match self.parts(operand).first() {
            Some(&part) => part,
            None => self.cx.program.exprs.bv(1, 0),
        }
    }

    /// Zero in each scalar of a type.
    fn padding(&mut self, ty: TypeId) -> Vec<ExprId> {
        let types = leaves(self.cx.module, ty);
        types.iter().map(|leaf| self.fitted(None, leaf)).collect()
    }

    /// Arbitrary values of a type.
    pub(super) fn arbitrary(&mut self, ty: TypeId) -> Vec<ExprId> {
        let mut parts = Vec::new();
        for leaf in leaves(self.cx.module, ty) {
            let local = self.temporary("$arbitrary", leaf);
            self.push(Op::Havoc { targets: vec![Place::local(local)] });
            parts.push(self.local_expr(local));
        }
        parts
    }

    fn constant(&mut self, id: module::ConstId) -> Vec<ExprId> {
        let module = self.cx.module;
        let constant = &module.consts[id];
        let kind = &module.types[constant.ty].kind;
        match &constant.kind {
            ConstKind::Undef if self.pads => return self.padding(constant.ty),
            ConstKind::Undef => return self.arbitrary(constant.ty),
            ConstKind::Aggregate(parts) => {
                return parts.iter().flat_map(|&part| self.constant(part)).collect();
            }
            ConstKind::Int(value) => {
                return vec![match kind {
                    TypeKind::Int(1) => self.cx.program.exprs.bool(*value != num_bigint::BigUint::ZERO),
                    TypeKind::Int(bits) => self.cx.program.exprs.unsigned(*bits, value),
                    _ => self.cx.program.exprs.unsigned(POINTER_BITS, value),
                }];
            }
            ConstKind::Expr(op) if image::address(module, &self.cx.placements, id).is_none() => {
                return self.constant_expression(id, op);
            }
            ConstKind::Other(what) => {
                self.unsupported(&format!("the constant `{what}`"));
                return self.arbitrary(constant.ty);
            }
            _ => {}
        }
        // Everything else is bytes.
        let bytes = image::image(module, &self.cx.placements, id);
        let mut at = 0;
        leaves(module, constant.ty)
            .iter()
            .map(|leaf| {
                let exprs = &mut self.cx.program.exprs;
                let Type::Bv(bits) = leaf else {
                    let set = bytes.get(at).is_some_and(|byte| byte & 1 == 1);
                    at += 1;
                    return exprs.bool(set);
                };
                let size = bits.div_ceil(8) as usize;
                let part = bytes.get(at..at + size).unwrap_or_default();
                at += size;
                exprs.unsigned(*bits, &num_bigint::BigUint::from_bytes_le(part))
            })
            .collect()
    }

    /// The scalars of a value, set.
    pub(super) fn define(&mut self, value: ValueId, parts: Vec<ExprId>) {
        let named = self.cx.module.funcs[self.func].variables[value].is_some();
        let uses = self.uses.get(&value).copied().unwrap_or(0);
        let costly = |cx: &Context<'_>, part: ExprId| {
            let mut size = 0;
            cx.program.exprs.for_each_in(part, |_, _| size += 1);
            size > CHEAP
        };
        let keep = parts.iter().any(|&part| {
            let is_leaf = matches!(
                self.cx.program.exprs.node(part),
                ExprNode::Bv(..) | ExprNode::Bool(_) | ExprNode::Local(..)
            );
            !is_leaf && (named || (uses > 1 && costly(self.cx, part)))
        });
        if !keep {
            self.values.insert(value, parts);
            return;
        }
        let locals = self.declare(value);
        self.push(Op::Assign {
            targets: locals.into_iter().map(Place::local).collect(),
            values: parts,
            order: ir::AccessOrder::Plain,
        });
    }

    fn lower_block(&mut self, block: BlockId) {
        let body = &self.cx.module.funcs[self.func];
        for (at, instr) in body.blocks[block].instrs.iter().enumerate() {
            if instr.span != Span::NONE {
                self.span = instr.span;
            }
            self.site = (block, u32::try_from(at).unwrap_or(u32::MAX));
            // An instruction that begins and has no op is none that anything happens at.
            let continues = !instr.origin.fresh && self.origin.site == instr.origin.site;
            self.origin =
                Origin { fresh: instr.origin.fresh || (continues && self.origin.fresh), ..instr.origin };
            // What the division of structs into scalars leaves undefined is padding, or is overwritten.
            self.pads = instr.result.is_some_and(|result| body.values[result].name.contains(".sroa."));
            self.lower_instr(instr);
            if self.builder.is_terminated() {
                return;
            }
        }
    }

    /// Something that cannot be expressed: a run that comes here is not followed.
    pub(super) fn unsupported(&mut self, what: &str) {
        self.push(Op::Opaque { targets: Vec::new(), what: what.to_owned() });
    }
}
