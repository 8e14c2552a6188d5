//! Follows exceptions: what a program does when it throws becomes plain control flow.
//!
//! `models/exception.c` keeps what a thread has thrown. After each call that may throw, the caller looks whether something is thrown, and goes on at the
//! landing pad of the call, or leaves. A landing pad takes what is thrown, and tells by its type which of its handlers is meant. Functions that a
//! thread starts with end the program if something is still thrown when they leave.
//!
//! An exception that nobody catches unwinds all the same, and then ends the program; the standard leaves that open.

use num_bigint::BigUint;
use rustc_hash::{FxHashMap, FxHashSet};

use super::handlers;
use crate::module::{
    Binary, Block, BlockId, Callee, Const, ConstId, ConstKind, FuncId, Instr, IntPredicate, Module, Op,
    Operand, TypeId, TypeKind, Value, ValueId,
};

/// What throws, and does not return.
pub(super) const THROWERS: &[&str] =
    &["__cxa_throw", "__cxa_rethrow", "_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE"];

/// What a landing pad says if it takes anything.
const ANYTHING: u64 = 0x7fff_ffff;

/// What is needed to rewrite functions.
struct Unwinding {
    /// Functions that always throw.
    throwers: FxHashSet<FuncId>,
    /// Functions that may throw.
    may_throw: FxHashSet<FuncId>,
    /// Whether a call through a pointer may throw.
    pointers_may_throw: bool,
    /// Functions that threads start with, or that run before `main`.
    started: FxHashSet<FuncId>,
    /// The descriptions of types that are thrown, as constants.
    thrown: Vec<(String, ConstId)>,
    /// Which number stands for which description in the results of landing pads.
    numbers: FxHashMap<String, u64>,
    pending: FuncId,
    land: FuncId,
    type_of: FuncId,
    resume: FuncId,
    uncaught: FuncId,
    pointer: TypeId,
    truth: TypeId,
    int: TypeId,
}

/// Makes what the program throws plain control flow. If that cannot be done, or nobody catches anything, the functions that throw have no
/// bodies any more.
pub(super) fn follow(module: &mut Module) {
    let unwinding = if module.catches { Unwinding::new(module) } else { None };
    let Some(unwinding) = unwinding else {
        for func in module.funcs.values_mut().filter(|func| THROWERS.contains(&func.name.as_str())) {
            func.blocks.clear();
        }
        return;
    };
    let funcs: Vec<FuncId> = module.funcs.keys().collect();
    for func in funcs {
        if !module.funcs[func].is_declaration() && !is_of_model(&module.funcs[func].name) {
            unwinding.rewrite(module, func);
        }
    }
}

/// Whether a function belongs to `models/exception.c`. None of those lets pass what others throw.
fn is_of_model(name: &str) -> bool {
    name.starts_with("__cxa_") || name.starts_with("__raddle_") || THROWERS.contains(&name)
}

/// Whether a library function calls functions of the program, and what happens to an exception of these is not known.
fn calls_back(name: &str) -> bool {
    matches!(name, "pthread_once" | "call_once")
}

fn named(module: &Module, name: &str) -> Option<FuncId> {
    module.funcs.iter().find(|(_, func)| func.name == name && !func.is_declaration()).map(|(id, _)| id)
}

impl Unwinding {
    /// None if something is thrown or caught in a way that is not known.
    fn new(module: &mut Module) -> Option<Self> {
        let throwers: FxHashSet<FuncId> = THROWERS.iter().filter_map(|name| named(module, name)).collect();
        let first = named(module, "__cxa_throw")?;
        let (pending, land) =
            (named(module, "__raddle_exception_pending")?, named(module, "__raddle_exception_land")?);
        let (type_of, resume) =
            (named(module, "__raddle_exception_type")?, named(module, "__raddle_exception_resume")?);
        let uncaught = named(module, "__raddle_exception_uncaught")?;
        let mut thrown: Vec<(String, ConstId)> = Vec::new();
        let mut caught: Vec<String> = Vec::new();
        let mut started: FxHashSet<FuncId> = module.constructors.iter().copied().collect();
        for instr in
            module.funcs.values().flat_map(|func| func.blocks.values()).flat_map(|block| &block.instrs)
        {
            match &instr.op {
                Op::Call { callee: Callee::Func(callee), args }
                | Op::Invoke { callee: Callee::Func(callee), args, .. } => {
                    let name = module.funcs[*callee].name.as_str();
                    if *callee == first || name == "__cxa_init_primary_exception" {
                        let &Operand::Const(described) = args.get(1)? else { return None };
                        let ConstKind::Global(global) = module.consts[described].kind else { return None };
                        let name = module.globals[global].name.clone();
                        if thrown.iter().all(|(known, _)| *known != name) {
                            thrown.push((name, described));
                        }
                    }
                    let function = match name {
                        "pthread_create" => args.get(2),
                        "thrd_create" => args.get(1),
                        _ => None,
                    };
                    if let Some(&Operand::Const(function)) = function
                        && let ConstKind::Func(function) = module.consts[function].kind
                    {
                        started.insert(function);
                    }
                }
                Op::LandingPad(clauses) => {
                    for described in clauses.iter().flatten() {
                        let name = &module.globals[handlers::global_in(module, *described)?].name;
                        if !caught.contains(name) {
                            caught.push(name.clone());
                        }
                    }
                }
                // Lists of what a function may throw.
                Op::Other { name, .. } if name == "landingpad" => return None,
                _ => {}
            }
        }
        for (thrown, _) in &thrown {
            for caught in &caught {
                handlers::takes(module, thrown, caught)?;
            }
        }
        let numbers = caught.into_iter().zip(1..).collect();
        let pointer = module.type_of_kind(TypeKind::Ptr, 8);
        let truth = module.type_of_kind(TypeKind::Int(1), 1);
        let int = module.type_of_kind(TypeKind::Int(32), 4);
        let mut unwinding = Unwinding {
            may_throw: throwers.clone(),
            throwers,
            pointers_may_throw: false,
            started,
            thrown,
            numbers,
            pending,
            land,
            type_of,
            resume,
            uncaught,
            pointer,
            truth,
            int,
        };
        unwinding.spread(module);
        Some(unwinding)
    }

    /// Finds the functions that may throw: calls let pass what is thrown, and landing pads may throw it again.
    fn spread(&mut self, module: &Module) {
        let func_of = |constant: &Const| match constant.kind {
            ConstKind::Func(func) => Some(func),
            _ => None,
        };
        let addressed: FxHashSet<FuncId> = module.consts.values().filter_map(func_of).collect();
        loop {
            let before = (self.may_throw.len(), self.pointers_may_throw);
            self.pointers_may_throw |= addressed.iter().any(|func| self.may_throw.contains(func));
            for (id, func) in &module.funcs {
                let mut calls = false;
                let mut guarded = false;
                let mut resumes = false;
                for instr in func.blocks.values().flat_map(|block| &block.instrs) {
                    match &instr.op {
                        Op::Call { callee, .. } => calls |= self.throws(callee),
                        Op::Invoke { callee, .. } => guarded |= self.throws(callee),
                        Op::Other { name, .. } => resumes |= name == "resume",
                        _ => {}
                    }
                }
                let lets_pass = calls || (guarded && resumes);
                if lets_pass && !self.started.contains(&id) && !is_of_model(&func.name) {
                    self.may_throw.insert(id);
                }
            }
            if before == (self.may_throw.len(), self.pointers_may_throw) {
                return;
            }
        }
    }

    fn throws(&self, callee: &Callee) -> bool {
        match callee {
            Callee::Func(func) => self.may_throw.contains(func),
            Callee::Ptr(_) => self.pointers_may_throw,
            Callee::Asm(_) => false,
        }
    }

    fn always_throws(&self, callee: &Callee) -> bool {
        matches!(callee, Callee::Func(func) if self.throwers.contains(func))
    }

    fn rewrite(&self, module: &mut Module, func: FuncId) {
        let mut leave: Option<BlockId> = None;
        let blocks: Vec<BlockId> = module.funcs[func].blocks.keys().collect();
        for block in blocks {
            let instrs = std::mem::take(&mut module.funcs[func].blocks[block].instrs);
            let mut here = block;
            for instr in instrs {
                let Instr { op, result, span, origin } = instr;
                let made = Instr { op: Op::Unreachable, result: None, span, origin: later(origin) };
                match op {
                    Op::Call { callee: Callee::Func(callee), args }
                        if self.pointers_may_throw && calls_back(&module.funcs[callee].name) =>
                    {
                        let op = Op::Call { callee: Callee::Func(callee), args };
                        self.push(module, func, here, Instr { op, result, span, origin });
                        let refused = self.refusal(module, func, &made);
                        here = self.go_on_unless_thrown(module, func, here, refused, &made);
                    }
                    Op::Call { ref callee, .. } | Op::Invoke { ref callee, .. } if self.throws(callee) => {
                        let always = self.always_throws(callee);
                        let (op, ways) = match op {
                            Op::Invoke { callee, args, normal, unwind } => {
                                (Op::Call { callee, args }, Some((normal, unwind)))
                            }
                            op => (op, None),
                        };
                        let op = self.thrown_as_pointer(module, op);
                        self.push(module, func, here, Instr { op, result, span, origin });
                        let out = ways.map(|(_, unwind)| unwind);
                        let out = out
                            .unwrap_or_else(|| *leave.get_or_insert_with(|| self.leave(module, func, &made)));
                        if always {
                            self.push(module, func, here, Instr { op: Op::Br(out), ..made });
                            break;
                        }
                        match ways {
                            Some((normal, _)) => {
                                self.branch_if_thrown(module, func, here, out, normal, &made);
                            }
                            None => here = self.go_on_unless_thrown(module, func, here, out, &made),
                        }
                    }
                    Op::LandingPad(clauses) => {
                        if let Some(result) = result {
                            self.landing(module, func, here, &clauses, result, &made);
                        }
                    }
                    Op::Call { callee: Callee::Func(callee), args }
                        if module.funcs[callee].name.starts_with("llvm.eh.typeid.for") =>
                    {
                        let number = self.number(module, args.first());
                        let zero = self.int(module, 0);
                        let number = self.int(module, number);
                        let op = Op::Binary(Binary::Add, number, zero);
                        self.push(module, func, here, Instr { op, result, ..made });
                    }
                    Op::Other { name, operands, .. } if name == "resume" => {
                        if let Some(&record) = operands.first() {
                            let op = Op::ExtractValue(record, vec![0]);
                            let record = self.value(module, func, here, op, self.pointer, &made);
                            let op = Op::Call { callee: Callee::Func(self.resume), args: vec![record] };
                            self.push(module, func, here, Instr { op, ..made.clone() });
                        }
                        let out = *leave.get_or_insert_with(|| self.leave(module, func, &made));
                        self.push(module, func, here, Instr { op: Op::Br(out), ..made });
                    }
                    op => self.push(module, func, here, Instr { op, result, span, origin }),
                }
            }
            if here != block {
                rename(module, func, block, here);
            }
        }
    }

    fn push(&self, module: &mut Module, func: FuncId, block: BlockId, instr: Instr) {
        module.funcs[func].blocks[block].instrs.push(instr);
    }

    /// Adds an instruction that has a value.
    fn value(
        &self,
        module: &mut Module,
        func: FuncId,
        block: BlockId,
        op: Op,
        ty: TypeId,
        like: &Instr,
    ) -> Operand {
        let result = module.funcs[func].values.push(Value { name: String::new(), ty });
        self.push(module, func, block, Instr { op, result: Some(result), ..like.clone() });
        Operand::Value(result)
    }

    fn int(&self, module: &mut Module, number: u64) -> Operand {
        module.constant(self.int, ConstKind::Int(BigUint::from(number)))
    }

    fn null(&self, module: &mut Module) -> Operand {
        module.constant(self.pointer, ConstKind::Null)
    }

    /// Ends a block: if something is thrown it goes one way, else another.
    fn branch_if_thrown(
        &self,
        module: &mut Module,
        func: FuncId,
        block: BlockId,
        thrown: BlockId,
        otherwise: BlockId,
        like: &Instr,
    ) {
        let call = Op::Call { callee: Callee::Func(self.pending), args: Vec::new() };
        let pending = self.value(module, func, block, call, self.pointer, like);
        let null = self.null(module);
        let is_thrown =
            self.value(module, func, block, Op::ICmp(IntPredicate::Ne, pending, null), self.truth, like);
        self.push(
            module,
            func,
            block,
            Instr { op: Op::CondBr(is_thrown, thrown, otherwise), ..like.clone() },
        );
    }

    /// Ends a block: if something is thrown it goes one way, else on with a new block.
    fn go_on_unless_thrown(
        &self,
        module: &mut Module,
        func: FuncId,
        block: BlockId,
        thrown: BlockId,
        like: &Instr,
    ) -> BlockId {
        let next = module.funcs[func].blocks.push(Block { name: "returned".to_owned(), instrs: Vec::new() });
        self.branch_if_thrown(module, func, block, thrown, next, like);
        next
    }

    /// A block that returns from the function, with any result; or ends the program, if nobody called it.
    fn leave(&self, module: &mut Module, func: FuncId, like: &Instr) -> BlockId {
        let block = module.funcs[func].blocks.push(Block { name: "thrown".to_owned(), instrs: Vec::new() });
        if self.started.contains(&func) {
            let op = Op::Call { callee: Callee::Func(self.uncaught), args: Vec::new() };
            self.push(module, func, block, Instr { op, ..like.clone() });
        }
        let ty = module.funcs[func].result;
        let kind = match module.types[ty].kind {
            TypeKind::Void => None,
            TypeKind::Int(_) => Some(ConstKind::Int(BigUint::ZERO)),
            TypeKind::Ptr => Some(ConstKind::Null),
            _ => Some(ConstKind::Zero),
        };
        let result = kind.map(|kind| module.constant(ty, kind));
        self.push(module, func, block, Instr { op: Op::Ret(result), ..like.clone() });
        block
    }

    /// A block where runs end that are not followed.
    fn refusal(&self, module: &mut Module, func: FuncId, like: &Instr) -> BlockId {
        let name = "an exception that leaves a function which the library calls".to_owned();
        let other = Op::Other { name, operands: Vec::new(), successors: Vec::new() };
        let instrs = [other, Op::Unreachable].map(|op| Instr { op, ..like.clone() }).to_vec();
        module.funcs[func].blocks.push(Block { name: "refused".to_owned(), instrs })
    }

    /// Of a pointer that is thrown, handlers get the pointer.
    fn thrown_as_pointer(&self, module: &mut Module, mut call: Op) -> Op {
        if let Op::Call { callee: Callee::Func(callee), args } = &mut call
            && module.funcs[*callee].name == "__cxa_throw"
            && let [_, Operand::Const(described), destroy] = args.as_mut_slice()
            && let Some(global) = handlers::global_in(module, *described)
            && handlers::is_pointer(&module.globals[global].name)
        {
            let wide = module.type_of_kind(TypeKind::Int(64), 8);
            let one = module.constant(wide, ConstKind::Int(BigUint::from(1u32)));
            let cast = Op::Cast(crate::module::Cast::IntToPtr, one);
            *destroy = module.constant(self.pointer, ConstKind::Expr(Box::new(cast)));
        }
        call
    }

    /// The number of the description of a type.
    fn number(&self, module: &Module, described: Option<&Operand>) -> u64 {
        let Some(&Operand::Const(described)) = described else { return ANYTHING };
        let name = handlers::global_in(module, described).map(|global| &module.globals[global].name);
        name.and_then(|name| self.numbers.get(name)).copied().unwrap_or(ANYTHING)
    }

    /// What a landing pad gives: what is thrown, and the number of the first handler that takes it.
    fn landing(
        &self,
        module: &mut Module,
        func: FuncId,
        block: BlockId,
        clauses: &[Option<ConstId>],
        result: ValueId,
        like: &Instr,
    ) {
        let call = Op::Call { callee: Callee::Func(self.land), args: Vec::new() };
        let record = self.value(module, func, block, call, self.pointer, like);
        let call = Op::Call { callee: Callee::Func(self.type_of), args: vec![record] };
        let described = self.value(module, func, block, call, self.pointer, like);
        let mut chosen = self.int(module, 0);
        for clause in clauses.iter().rev() {
            let Some(clause) = clause else {
                chosen = self.int(module, ANYTHING);
                continue;
            };
            let number = self.number(module, Some(&Operand::Const(*clause)));
            let Some(global) = handlers::global_in(module, *clause) else { continue };
            let handler = module.globals[global].name.clone();
            for (name, thrown) in &self.thrown {
                if handlers::takes(module, name, &handler) != Some(true) {
                    continue;
                }
                let op = Op::ICmp(IntPredicate::Eq, described, Operand::Const(*thrown));
                let same = self.value(module, func, block, op, self.truth, like);
                let number = self.int(module, number);
                chosen = self.value(module, func, block, Op::Select(same, number, chosen), self.int, like);
            }
        }
        let ty = module.funcs[func].values[result].ty;
        let nothing = module.constant(ty, ConstKind::Undef);
        let first = self.value(module, func, block, Op::InsertValue(nothing, record, vec![0]), ty, like);
        let op = Op::InsertValue(first, chosen, vec![1]);
        self.push(module, func, block, Instr { op, result: Some(result), ..like.clone() });
    }
}

/// What is added comes after the instruction that it is added for.
fn later(origin: crate::module::Origin) -> crate::module::Origin {
    crate::module::Origin { fresh: false, ..origin }
}

/// A block ends elsewhere: where it led to, values come from there.
fn rename(module: &mut Module, func: FuncId, from: BlockId, to: BlockId) {
    let blocks = &mut module.funcs[func].blocks;
    let successors = blocks[to].instrs.last().map(|last| last.op.successors()).unwrap_or_default();
    for successor in successors {
        for instr in &mut blocks[successor].instrs {
            let Op::Phi(incoming) = &mut instr.op else { break };
            for (block, _) in incoming.iter_mut().filter(|(block, _)| *block == from) {
                *block = to;
            }
        }
    }
}
