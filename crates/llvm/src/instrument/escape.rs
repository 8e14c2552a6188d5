//! Which variables on the stack nobody else can see.

use rustc_hash::FxHashSet;

use crate::raw::{Block, Opcode, Value};

/// The variables on the stacks of functions whose addresses stay there.
pub(super) struct Private<'m> {
    variables: FxHashSet<Value<'m>>,
}

impl<'m> Private<'m> {
    pub(super) fn new(functions: &[Value<'m>]) -> Self {
        let instructions =
            functions.iter().flat_map(|function| function.blocks()).flat_map(Block::instructions);
        let variables = instructions.filter(|at| at.opcode() == Some(Opcode::LLVMAlloca));
        Private { variables: variables.filter(|variable| stays(*variable)).collect() }
    }

    /// Whether a pointer points into one of them.
    pub(super) fn is(&self, pointer: Value<'m>) -> bool {
        self.variables.contains(&base(pointer))
    }
}

/// What a pointer is computed from.
pub(super) fn base(pointer: Value<'_>) -> Value<'_> {
    let mut at = pointer;
    while matches!(
        at.opcode(),
        Some(Opcode::LLVMGetElementPtr | Opcode::LLVMBitCast | Opcode::LLVMAddrSpaceCast)
    ) {
        match at.operands().first() {
            Some(&from) => at = from,
            None => break,
        }
    }
    at
}

/// Whether a variable is only read and written where its address is computed.
fn stays(variable: Value<'_>) -> bool {
    let mut seen = FxHashSet::default();
    let mut open = vec![variable];
    while let Some(pointer) = open.pop() {
        for user in pointer.users() {
            let stays = match user.opcode() {
                Some(Opcode::LLVMLoad | Opcode::LLVMICmp) => true,
                // To be written is not to be known.
                Some(Opcode::LLVMStore) => user.operands().first() != Some(&pointer),
                Some(Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg) => {
                    user.operands().iter().skip(1).all(|operand| *operand != pointer)
                }
                Some(Opcode::LLVMGetElementPtr | Opcode::LLVMBitCast) => {
                    if seen.insert(user) {
                        open.push(user);
                    }
                    true
                }
                Some(Opcode::LLVMCall) => user.callee().is_some_and(|callee| {
                    let name = callee.name();
                    ["llvm.mem", "llvm.lifetime.", "llvm.dbg."].iter().any(|start| name.starts_with(start))
                }),
                _ => false,
            };
            if !stays {
                return false;
            }
        }
    }
    true
}
