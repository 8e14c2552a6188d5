//! Exceptions. If nobody catches any, throwing one ends the program. Otherwise those that the program itself throws are followed
//! ([`unwinding`]), if it is known which handlers take them; a run in which the library throws one is not
//! followed further. Blocks that are never run then are dropped here: nothing has to be known of what they call.

mod handlers;
mod unwinding;

use cranelift_entity::{EntityRef, EntitySet};

pub(crate) use handlers::{base_at, global_in};

use crate::module::{BlockId, Callee, Func, Instr, Module, Op};

/// What a handler calls first.
const BEGINS: &str = "__cxa_begin_catch";

/// What clang makes for functions that must not throw: a handler that ends the program.
const TERMINATES: &str = "__clang_call_terminate";

/// What is done with what a thread has thrown.
pub(crate) fn unwinds(name: &str) -> bool {
    unwinding::THROWERS.contains(&name)
        || name.starts_with("__raddle_exception_")
        || matches!(name, BEGINS | "__cxa_end_catch" | "__cxa_get_exception_ptr")
}

/// Follows exceptions as far as possible, drops what only others lead to, and notes whether there are handlers.
pub(crate) fn settle(module: &mut Module) {
    module.catches = module.funcs.values().any(|func| func.name != TERMINATES && catches(module, func));
    unwinding::follow(module);
    for func in module.funcs.values_mut().filter(|func| !func.is_declaration()) {
        end_with_calls(func);
        let normal = reached(func);
        for (block, body) in &mut func.blocks {
            if !normal.contains(block) {
                body.instrs.clear();
            }
        }
    }
}

/// Calls that do not return end their blocks themselves, rather than lead to blocks that nobody comes to.
fn end_with_calls(func: &mut Func) {
    let blocks: Vec<BlockId> = func.blocks.keys().collect();
    for block in blocks {
        let Some(Instr { op: Op::Invoke { normal, .. }, .. }) = func.blocks[block].instrs.last() else {
            continue;
        };
        let Some(end @ Instr { op: Op::Unreachable, .. }) = func.blocks[*normal].instrs.first().cloned()
        else {
            continue;
        };
        let instrs = &mut func.blocks[block].instrs;
        if let Some(Instr { op: Op::Invoke { callee, args, .. }, result, span, origin }) = instrs.pop() {
            instrs.extend([Instr { op: Op::Call { callee, args }, result, span, origin }, end]);
        }
    }
}

fn catches(module: &Module, func: &Func) -> bool {
    func.blocks.values().flat_map(|block| &block.instrs).any(|instr| match &instr.op {
        Op::Call { callee: Callee::Func(callee), .. } => module.funcs[*callee].name == BEGINS,
        _ => false,
    })
}

/// The blocks that are reached without exceptions.
fn reached(func: &Func) -> EntitySet<BlockId> {
    let mut found = EntitySet::new();
    let mut open = vec![BlockId::new(0)];
    while let Some(block) = open.pop() {
        if !found.insert(block) {
            continue;
        }
        match func.blocks[block].instrs.last().map(|last| &last.op) {
            Some(Op::Invoke { normal, .. }) => open.push(*normal),
            Some(op) => open.extend(op.successors()),
            None => {}
        }
    }
    found
}
