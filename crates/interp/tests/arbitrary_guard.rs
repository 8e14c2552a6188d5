//! A guard does not choose the arbitrary value that it waits for.

use interp::{Config, Exploration, Flow, ViolationKind, explore};
use ir::{ExprNode, Global, Op, Place, ProcBuilder, Program, Type};
use source::Span;

/// One thread: `havoc b` or nothing, then `atomic { assume b; }` or `assume b`.
fn program(havoc: bool, atomic: bool) -> Program {
    let mut program = Program::default();
    let init = havoc.then(|| program.exprs.bool(true));
    let b = program.globals.push(Global { name: "b".to_owned(), ty: Type::Bool, init, span: Span::NONE });
    let read = program.exprs.add(ExprNode::Global(b, Type::Bool));
    let mut main = ProcBuilder::new("main", Span::NONE);
    if havoc {
        main.push(Op::Havoc { targets: vec![Place::global(b)] }, Span::NONE);
    }
    let ops = [Op::AtomicBegin, Op::Assume(read), Op::AtomicEnd];
    for op in ops.into_iter().filter(|op| atomic || matches!(op, Op::Assume(_))) {
        main.push(op, Span::NONE);
    }
    let main = program.procs.push(main.finish());
    program.threads.push(main);
    program
}

fn explored(program: &Program) -> Exploration {
    explore(program, &Config { valuations: true, ..Config::default() }, &mut |_| Flow::Continue)
}

#[test]
fn an_atomic_block_may_wait_for_ever_for_an_arbitrary_value() {
    for havoc in [false, true] {
        let exploration = explored(&program(havoc, true));
        let kinds: Vec<ViolationKind> = exploration.violations.iter().map(|v| v.kind).collect();
        assert_eq!(kinds, [ViolationKind::Deadlock], "havoc: {havoc}");
    }
}

#[test]
fn an_assume_filters_arbitrary_values() {
    for havoc in [false, true] {
        let exploration = explored(&program(havoc, false));
        assert!(exploration.violations.is_empty(), "havoc: {havoc}");
        assert_eq!(exploration.valuations, [[("b".to_owned(), "true".to_owned())]], "havoc: {havoc}");
    }
}
