//! The caller of the explorer is asked again and again whether to go on, also where nothing is chosen.

use interp::{Config, Flow, explore};
use ir::{AccessOrder, BinaryOp, ExprNode, Global, Op, Place, ProcBuilder, Program, Type};
use source::Span;

/// One thread that counts for ever.
fn counter() -> Program {
    let mut program = Program::default();
    let zero = program.exprs.int(0);
    let span = Span::NONE;
    let x = program.globals.push(Global { name: "x".to_owned(), ty: Type::Int, init: Some(zero), span });
    let (read, one) = (program.exprs.add(ExprNode::Global(x, Type::Int)), program.exprs.int(1));
    let more = program.exprs.binary(BinaryOp::Add, read, one);
    let mut main = ProcBuilder::new("main", span);
    let head = main.block("head");
    main.push(Op::Goto(head), span);
    main.switch_to(head);
    let targets = vec![Place::global(x)];
    main.push(Op::Assign { targets, values: vec![more], order: AccessOrder::Plain }, span);
    main.push(Op::Goto(head), span);
    let main = program.procs.push(main.finish());
    program.threads.push(main);
    program
}

#[test]
fn an_exploration_without_choices_can_be_stopped() {
    let mut asked = 0;
    let exploration = explore(&counter(), &Config::default(), &mut |_| {
        asked += 1;
        if asked == 3 { Flow::Stop } else { Flow::Continue }
    });
    assert!(!exploration.finished);
    assert_eq!(asked, 3);
}
