//! What runs when a program ends: the destructors of its static variables, the last made first.
//!
//! The compiler registers them with `__cxa_atexit`, one call for each variable. Those of global variables are called before `main`, in an order that is
//! known. A variable of a function has a guard that tells whether it was made. So destructors become plain calls, in a function of our own that `main` and
//! `exit` call in the end. What does not fit is left as it is, and refused where a run comes to it.

use cranelift_entity::{PrimaryMap, SecondaryMap};
use num_bigint::BigUint;
use rustc_hash::FxHashSet;
use source::Span;

use crate::module::{
    Binary, Block, BlockId, Callee, ConstKind, Func, FuncId, GlobalId, Instr, IntPredicate, Module, Op,
    Operand, Ordering, Origin, TypeId, TypeKind, Value, ValueId,
};

/// The function of our own.
pub(crate) const NAME: &str = "__raddle_at_exit";

/// A call that registers a destructor.
struct Registration {
    func: FuncId,
    block: BlockId,
    at: usize,
    destructor: FuncId,
    argument: Operand,
    span: Span,
}

/// Makes calls of destructors.
pub(crate) fn settle(module: &mut Module) {
    let before_main = before_main(module);
    let mut globals = Vec::new();
    for &func in &before_main {
        globals.extend(registrations(module, func));
    }
    let reached = reached(module);
    let mut locals: Vec<(Registration, GlobalId)> = Vec::new();
    for func in module.funcs.keys().filter(|func| !reached.contains(func)) {
        locals.extend(
            registrations(module, func)
                .into_iter()
                .filter_map(|made| guard(module, &made).map(|guard| (made, guard))),
        );
    }
    if globals.is_empty() && locals.is_empty() {
        return;
    }
    for made in globals.iter().chain(locals.iter().map(|(made, _)| made)) {
        let zero = zero(module);
        let instr = &mut module.funcs[made.func].blocks[made.block].instrs[made.at];
        instr.op = Op::Binary(Binary::Add, zero, zero);
    }
    let function = Builder::default().build(module, &globals, &locals);
    let function = module.funcs.push(function);
    module.at_exit = Some(function);
    call_in_the_end(module, function);
}

fn zero(module: &mut Module) -> Operand {
    let int = module.type_of_kind(TypeKind::Int(32), 4);
    module.constant(int, ConstKind::Int(BigUint::ZERO))
}

/// The functions that make global variables, in order.
fn before_main(module: &Module) -> Vec<FuncId> {
    let mut found = Vec::new();
    for &constructor in &module.constructors {
        for func in std::iter::once(constructor).chain(called(module, constructor)) {
            let makes = func == constructor || module.funcs[func].name.starts_with("__cxx_global_var_init");
            if makes && !found.contains(&func) {
                found.push(func);
            }
        }
    }
    found
}

/// The functions that a function calls by name.
fn called(module: &Module, func: FuncId) -> impl Iterator<Item = FuncId> {
    let instrs = module.funcs[func].blocks.values().flat_map(|block| &block.instrs);
    instrs.filter_map(|instr| match &instr.op {
        Op::Call { callee: Callee::Func(callee), .. } | Op::Invoke { callee: Callee::Func(callee), .. } => {
            Some(*callee)
        }
        _ => None,
    })
}

/// All that is called before `main`. A variable of a function that is made there may be older than a global one.
fn reached(module: &Module) -> FxHashSet<FuncId> {
    let mut found: FxHashSet<FuncId> = FxHashSet::default();
    let mut open = module.constructors.clone();
    while let Some(func) = open.pop() {
        if found.insert(func) {
            open.extend(called(module, func));
        }
    }
    found
}

fn registrations(module: &Module, func: FuncId) -> Vec<Registration> {
    let mut found = Vec::new();
    for (block, body) in &module.funcs[func].blocks {
        for (at, instr) in body.instrs.iter().enumerate() {
            let Op::Call { callee: Callee::Func(callee), args } = &instr.op else { continue };
            if module.funcs[*callee].name == "__cxa_atexit"
                && let [Operand::Const(destructor), argument @ Operand::Const(_), ..] = args[..]
                && let ConstKind::Func(destructor) = module.consts[destructor].kind
            {
                found.push(Registration { func, block, at, destructor, argument, span: instr.span });
            }
        }
    }
    found
}

/// The guard of a variable of a function: the compiler names it after the variable.
fn guard(module: &Module, made: &Registration) -> Option<GlobalId> {
    let Operand::Const(argument) = made.argument else { return None };
    let ConstKind::Global(variable) = module.consts[argument].kind else { return None };
    let name = format!("_ZGV{}", module.globals[variable].name.strip_prefix("_Z")?);
    module.globals.iter().find(|(_, global)| global.name == name).map(|(id, _)| id)
}

#[derive(Default)]
struct Builder {
    values: PrimaryMap<ValueId, Value>,
    blocks: PrimaryMap<BlockId, Block>,
}

impl Builder {
    /// Variables of functions are younger than global ones. If there are several, who is younger is not known.
    fn build(
        mut self,
        module: &mut Module,
        globals: &[Registration],
        locals: &[(Registration, GlobalId)],
    ) -> Func {
        // None of the variables of functions so far was made; one was.
        let mut none = self.block();
        let mut one: Option<BlockId> = None;
        let refused = self.block();
        for (made, guard) in locals {
            let (destroy, next) = (self.block(), self.block());
            let next_after = self.block();
            self.branch_if_made(module, none, *guard, destroy, next, made.span);
            self.call(destroy, made);
            self.push(destroy, Op::Br(next_after), made.span);
            if let Some(one) = one {
                self.branch_if_made(module, one, *guard, refused, next_after, made.span);
            }
            (none, one) = (next, Some(next_after));
        }
        let last = self.block();
        for block in std::iter::once(none).chain(one) {
            self.push(block, Op::Br(last), Span::NONE);
        }
        for made in globals.iter().rev() {
            self.call(last, made);
        }
        self.push(last, Op::Ret(None), Span::NONE);
        let name = "destroying static variables of several functions in the right order".to_owned();
        let other = Op::Other { name, operands: Vec::new(), successors: Vec::new() };
        let span = locals.last().map_or(Span::NONE, |(made, _)| made.span);
        self.push(refused, other, span);
        self.push(refused, Op::Unreachable, span);
        Func {
            name: NAME.to_owned(),
            source_name: "exit".to_owned(),
            params: Vec::new(),
            by_value: Vec::new(),
            result: module.type_of_kind(TypeKind::Void, 0),
            variadic: false,
            annotations: Vec::new(),
            values: self.values,
            blocks: self.blocks,
            variables: SecondaryMap::new(),
            span: Span::NONE,
        }
    }

    fn block(&mut self) -> BlockId {
        self.blocks.push(Block { name: String::new(), instrs: Vec::new() })
    }

    fn push(&mut self, block: BlockId, op: Op, span: Span) {
        self.blocks[block].instrs.push(Instr { op, result: None, span, origin: Origin::default() });
    }

    fn call(&mut self, block: BlockId, made: &Registration) {
        let op = Op::Call { callee: Callee::Func(made.destructor), args: vec![made.argument] };
        self.push(block, op, made.span);
    }

    /// Ends a block: whether the variable of a guard was made. The lowest byte of the guard tells.
    fn branch_if_made(
        &mut self,
        module: &mut Module,
        block: BlockId,
        guard: GlobalId,
        then: BlockId,
        otherwise: BlockId,
        span: Span,
    ) {
        let (pointer, byte) =
            (module.type_of_kind(TypeKind::Ptr, 8), module.type_of_kind(TypeKind::Int(8), 1));
        let truth = module.type_of_kind(TypeKind::Int(1), 1);
        let ptr = module.constant(pointer, ConstKind::Global(guard));
        let zero = module.constant(byte, ConstKind::Int(BigUint::ZERO));
        let load = Op::Load { ptr, ty: byte, atomic: Some(Ordering::SeqCst), volatile: false };
        let held = self.value(block, load, byte, span);
        let made = self.value(block, Op::ICmp(IntPredicate::Ne, held, zero), truth, span);
        self.push(block, Op::CondBr(made, then, otherwise), span);
    }

    fn value(&mut self, block: BlockId, op: Op, ty: TypeId, span: Span) -> Operand {
        let result = self.values.push(Value { name: String::new(), ty });
        let instr = Instr { op, result: Some(result), span, origin: Origin::default() };
        self.blocks[block].instrs.push(instr);
        Operand::Value(result)
    }
}

/// Calls the function where `main` returns, and where `exit` is called.
fn call_in_the_end(module: &mut Module, function: FuncId) {
    let exit = module.funcs.iter().find(|(_, func)| func.name == "exit" && func.is_declaration());
    let exit = exit.map(|(id, _)| id);
    for (id, func) in &mut module.funcs {
        let is_main = func.name == "main";
        for body in func.blocks.values_mut().filter(|_| id != function) {
            let ends = body.instrs.iter().position(|instr| match &instr.op {
                Op::Ret(_) => is_main,
                Op::Call { callee: Callee::Func(callee), .. }
                | Op::Invoke { callee: Callee::Func(callee), .. } => Some(*callee) == exit,
                _ => false,
            });
            if let Some(at) = ends {
                let (span, origin) = (body.instrs[at].span, body.instrs[at].origin);
                let op = Op::Call { callee: Callee::Func(function), args: Vec::new() };
                let origin = Origin { fresh: false, ..origin };
                body.instrs.insert(at, Instr { op, result: None, span, origin });
            }
        }
    }
}
