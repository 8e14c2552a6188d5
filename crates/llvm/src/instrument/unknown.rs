//! Which values do not follow from what a trace has.
//!
//! Reads are recorded with their values, and so are the results of calls of what is not instrumented. What a function computes from
//! these, from constants and from its arguments can be computed again, and so can the ways that it takes: such branches are not
//! recorded. Everything else is unknown, and so is what is computed from it: results of inline assembler, of exceptions, of library
//! functions that the run-time library knows, what is larger than a word, what was copied into a variable that nobody else sees,
//! arguments that the C library makes up, and addresses of variables, where they are used as numbers. Ways that depend directly on
//! inputs are recorded, too.
//!
//! The analysis is of one module. If another one passes something unknown to a function, that is not seen here.

use rustc_hash::FxHashMap;

use super::escape::{self, Private};
use crate::raw::{Block, Opcode, TypeKind, Value, ValueKind};

/// The address of a variable, which is another one in each run; or a number that was made of it.
const ADDRESS: u8 = 1;
/// Not known from the trace.
const UNKNOWN: u8 = 2;
/// Known, but from outside: the result of a library function, or what it left in a variable. Ways that depend on it in the same
/// function are recorded, so that a run that is repeated with other inputs is told where it goes another way.
const INPUT: u8 = 4;

/// Intrinsics whose results follow from their arguments.
const PURE: &[&str] = &[
    "abs",
    "bitreverse",
    "bswap",
    "ceil",
    "copysign",
    "ctlz",
    "ctpop",
    "cttz",
    "expect",
    "fabs",
    "floor",
    "fma",
    "fmuladd",
    "fshl",
    "fshr",
    "is.constant",
    "is.fpclass",
    "launder",
    "lrint",
    "maxnum",
    "minnum",
    "ptrmask",
    "rint",
    "round",
    "sadd",
    "scmp",
    "smax",
    "smin",
    "smul",
    "sqrt",
    "ssub",
    "strip",
    "trunc",
    "uadd",
    "ucmp",
    "umax",
    "umin",
    "umul",
    "usub",
];

/// The values of a module that do not follow from a trace.
pub(super) struct Unknown<'m> {
    marks: FxHashMap<Value<'m>, u8>,
}

impl<'m> Unknown<'m> {
    pub(super) fn new(functions: &[Value<'m>], private: &Private<'m>, wrapped: &[&str]) -> Self {
        let mut search = Search {
            private,
            wrapped,
            marks: FxHashMap::default(),
            loads: FxHashMap::default(),
            open: Vec::new(),
        };
        let all = || functions.iter().flat_map(|function| function.blocks()).flat_map(Block::instructions);
        let mut filled: FxHashMap<Value<'m>, Vec<Value<'m>>> = FxHashMap::default();
        for load in all().filter(|at| at.opcode() == Some(Opcode::LLVMLoad)) {
            let Some(variable) = load.operands().first().map(|pointer| escape::base(*pointer)) else {
                continue;
            };
            let loads = if private.is(variable) { &mut search.loads } else { &mut filled };
            loads.entry(variable).or_default().push(load);
        }
        for instruction in all() {
            search.begin(instruction);
            for argument in search.outside_arguments(instruction) {
                let variable = escape::base(argument);
                if variable.opcode() == Some(Opcode::LLVMAlloca) {
                    for load in filled.remove(&variable).unwrap_or_default() {
                        search.mark(load, INPUT);
                    }
                }
            }
        }
        while let Some(value) = search.open.pop() {
            let bits = search.marks.get(&value).copied().unwrap_or(0);
            for user in value.users() {
                search.flow(value, bits, user);
            }
        }
        Unknown { marks: search.marks }
    }

    pub(super) fn is(&self, value: Value<'m>) -> bool {
        value.opcode().is_some_and(|_| value.kind() == ValueKind::LLVMConstantExprValueKind)
            || self.marks.get(&value).is_some_and(|bits| bits & (UNKNOWN | INPUT) != 0)
    }
}

struct Search<'m, 'a> {
    private: &'a Private<'m>,
    wrapped: &'a [&'a str],
    /// What values are; of a variable that nobody else sees, what is in it.
    marks: FxHashMap<Value<'m>, u8>,
    /// The loads of each of these variables.
    loads: FxHashMap<Value<'m>, Vec<Value<'m>>>,
    open: Vec<Value<'m>>,
}

impl<'m> Search<'m, '_> {
    fn mark(&mut self, value: Value<'m>, bits: u8) {
        let known = self.marks.entry(value).or_default();
        if *known | bits != *known {
            *known |= bits;
            self.open.push(value);
        }
    }

    /// What an instruction is of its own.
    fn begin(&mut self, instruction: Value<'m>) {
        let operands = instruction.operands();
        match instruction.opcode() {
            Some(Opcode::LLVMLandingPad | Opcode::LLVMVAArg | Opcode::LLVMCallBr) => {
                self.mark(instruction, UNKNOWN);
            }
            Some(Opcode::LLVMLoad) if !is_word(instruction) => self.mark(instruction, UNKNOWN),
            Some(Opcode::LLVMInvoke) => self.mark(instruction, UNKNOWN),
            Some(Opcode::LLVMCall) => self.begin_call(instruction),
            _ => {}
        }
        for operand in operands {
            match operand.kind() {
                ValueKind::LLVMUndefValueValueKind | ValueKind::LLVMPoisonValueKind
                    if !is_built(instruction) =>
                {
                    self.flow(operand, UNKNOWN, instruction);
                }
                ValueKind::LLVMGlobalVariableValueKind
                | ValueKind::LLVMGlobalAliasValueKind
                | ValueKind::LLVMFunctionValueKind
                | ValueKind::LLVMConstantExprValueKind => self.flow(operand, ADDRESS, instruction),
                ValueKind::LLVMInstructionValueKind if operand.opcode() == Some(Opcode::LLVMAlloca) => {
                    self.flow(operand, ADDRESS, instruction);
                }
                _ => {}
            }
        }
    }

    /// What is passed to a function that is neither instrumented nor known to the run-time library.
    fn outside_arguments(&self, call: Value<'m>) -> Vec<Value<'m>> {
        let Some(callee) = call.callee().filter(|callee| callee.blocks().next().is_none()) else {
            return Vec::new();
        };
        let name =
            if callee.kind() == ValueKind::LLVMFunctionValueKind { callee.name() } else { String::new() };
        if name.starts_with("llvm.") || self.wrapped.contains(&name.as_str()) {
            return Vec::new();
        }
        call.operands().into_iter().take(call.argument_count()).collect()
    }

    fn begin_call(&mut self, call: Value<'m>) {
        let Some(callee) = call.callee() else { return self.mark(call, UNKNOWN) };
        let operands = call.operands();
        let arguments = &operands[..call.argument_count().min(operands.len())];
        let name =
            if callee.kind() == ValueKind::LLVMFunctionValueKind { callee.name() } else { String::new() };
        if let Some(intrinsic) = name.strip_prefix("llvm.") {
            let copies = intrinsic.starts_with("memcpy.") || intrinsic.starts_with("memmove.");
            if let (true, Some(&to)) = (copies, arguments.first())
                && self.private.is(to)
            {
                self.fill(escape::base(to), UNKNOWN);
            } else if !PURE.iter().any(|start| intrinsic.starts_with(start)) {
                self.mark(call, UNKNOWN);
            }
        } else if callee.blocks().next().is_none() {
            let is_wrapped = self.wrapped.contains(&name.as_str());
            if is_wrapped || callee.asm().is_some() || call.must_be_tail() || !is_word(call) {
                self.mark(call, UNKNOWN);
            } else {
                self.mark(call, INPUT);
            }
            // What it calls back gets arguments that nobody wrote down. The functions of threads get what they were given.
            self.called_back(&self.outside_arguments(call));
        }
    }

    fn called_back(&mut self, functions: &[Value<'m>]) {
        for function in functions.iter().filter(|value| value.kind() == ValueKind::LLVMFunctionValueKind) {
            for parameter in function.params() {
                self.mark(parameter, UNKNOWN);
            }
        }
    }

    /// Something is in a variable that nobody else sees.
    fn fill(&mut self, variable: Value<'m>, bits: u8) {
        for load in self.loads.get(&variable).cloned().unwrap_or_default() {
            self.mark(load, bits);
        }
    }

    /// A value is used.
    fn flow(&mut self, value: Value<'m>, bits: u8, user: Value<'m>) {
        // An address that has become a number says nothing any more, unless it is compared with another one.
        let bits = if bits & ADDRESS != 0 && value.opcode() == Some(Opcode::LLVMPtrToInt) {
            if is_distance(user) { bits & !ADDRESS } else { UNKNOWN }
        } else {
            bits
        };
        if bits == 0 {
            return;
        }
        let operands = user.operands();
        match user.opcode() {
            Some(Opcode::LLVMStore) => {
                let [stored, to] = *operands.as_slice() else { return };
                if stored == value && self.private.is(to) {
                    self.fill(escape::base(to), bits);
                }
                if stored == value && bits & ADDRESS != 0 {
                    self.called_back(&[stored]);
                }
            }
            Some(Opcode::LLVMLoad | Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg) => {
                // What others may see is recorded.
                let known = operands
                    .first()
                    .is_none_or(|pointer| !self.private.is(*pointer) && !super::is_fixed(*pointer));
                if !known {
                    self.mark(user, bits & !ADDRESS);
                }
            }
            Some(Opcode::LLVMICmp) => self.mark(user, bits & !ADDRESS),
            Some(Opcode::LLVMCall | Opcode::LLVMInvoke) => self.flow_into(value, bits, user, &operands),
            Some(Opcode::LLVMRet) => {
                if let Some(function) = user.function() {
                    for call in function.users().filter(|call| call.callee() == Some(function)) {
                        self.mark(call, bits & !INPUT);
                    }
                }
            }
            Some(Opcode::LLVMBr | Opcode::LLVMSwitch) | None => {}
            Some(_) => self.mark(user, bits),
        }
    }

    fn flow_into(&mut self, value: Value<'m>, bits: u8, call: Value<'m>, operands: &[Value<'m>]) {
        let Some(callee) = call.callee() else { return };
        if callee.kind() == ValueKind::LLVMFunctionValueKind && callee.name().starts_with("llvm.") {
            return self.mark(call, bits);
        }
        for (argument, parameter) in operands.iter().take(call.argument_count()).zip(callee.params()) {
            if *argument == value {
                self.mark(parameter, bits & !INPUT);
            }
        }
    }
}

/// Whether an instruction makes a struct or a vector, which begins as nothing and gets its parts one by one.
fn is_built(instruction: Value<'_>) -> bool {
    matches!(
        instruction.opcode(),
        Some(Opcode::LLVMInsertValue | Opcode::LLVMInsertElement | Opcode::LLVMShuffleVector)
    )
}

/// Whether a value is one that is recorded as it is.
fn is_word(value: Value<'_>) -> bool {
    let ty = value.ty();
    match ty.kind() {
        TypeKind::LLVMIntegerTypeKind => ty.int_width() <= 64,
        kind => matches!(
            kind,
            TypeKind::LLVMPointerTypeKind
                | TypeKind::LLVMDoubleTypeKind
                | TypeKind::LLVMFloatTypeKind
                | TypeKind::LLVMVoidTypeKind
        ),
    }
}

/// Whether an instruction computes how far two addresses are apart.
fn is_distance(instruction: Value<'_>) -> bool {
    instruction.opcode() == Some(Opcode::LLVMSub)
        && instruction.operands().iter().all(|operand| operand.opcode() == Some(Opcode::LLVMPtrToInt))
}
