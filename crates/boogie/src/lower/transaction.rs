//! Procedures whose bodies are meant to be indivisible: `procedure {:transaction} P()`. They are marked from their entry to
//! each return.

use ir::{Block, Op, Proc, Stmt};

/// Marks a whole procedure.
pub(super) fn mark(proc: &mut Proc) {
    let span = proc.span;
    for block in proc.blocks.values_mut() {
        if let Some(last) = block.stmts.pop_if(|last| last.op == Op::Return) {
            block.stmts.push(Stmt { op: Op::TransactionEnd, span: last.span });
            block.stmts.push(last);
        }
    }
    // A block of its own: loops may lead back to the first one.
    let stmts = vec![Stmt { op: Op::TransactionBegin, span }, Stmt { op: Op::Goto(proc.entry), span }];
    let mut name = "transaction".to_owned();
    while proc.blocks.values().any(|block| block.name == name) {
        name.push('\'');
    }
    proc.entry = proc.blocks.push(Block { name, stmts });
}
