//! Rules that a text cannot break, and the limits. The others are tested in `tests/validate.rs`, as text.

use super::*;
use crate::{BinaryOp, BlockId, ExprNode, GlobalId, LocalId, Op, ProcBuilder, ProcId, SortId, Type};

fn with_ops(program: &mut Program, ops: Vec<Op>) {
    let mut builder = ProcBuilder::new("main", Span::NONE);
    for op in ops {
        builder.push(op, Span::NONE);
    }
    let main = program.procs.push(builder.finish());
    program.threads.push(main);
}

fn rules(program: &Program) -> Vec<Rule> {
    validate(program).err().unwrap_or_default().into_iter().map(|broken| broken.rule).collect()
}

#[test]
fn the_header_lists_every_rule() {
    let header = include_str!("../validate.rs");
    let listed = header.lines().filter(|line| line.starts_with("//! - `")).count();
    assert_eq!(listed, Rule::ALL.len());
    for rule in Rule::ALL {
        assert!(header.contains(&format!("//! - `{rule}`:")), "{rule}");
    }
}

#[test]
fn a_deep_expression_is_checked_without_recursion() {
    let mut program = Program::default();
    let (mut sum, one) = (program.exprs.int(0), program.exprs.int(1));
    for _ in 0..200_000 {
        sum = program.exprs.binary(BinaryOp::Add, one, sum);
    }
    let zero = program.exprs.int(0);
    let cond = program.exprs.eq(sum, zero);
    with_ops(&mut program, vec![Op::Assume(cond)]);
    assert_eq!(validate(&program), Ok(()));
    let wrong = program.exprs.eq(sum, cond);
    with_ops(&mut program, vec![Op::Assume(wrong)]);
    program.procs[ProcId::from_u32(1)].name = "other".to_owned();
    assert_eq!(rules(&program), [Rule::OperandType]);
}

#[test]
fn ids_must_be_in_range() {
    let mut program = Program::default();
    let global = program.exprs.add(ExprNode::Global(GlobalId::from_u32(7), Type::Bool));
    let local = program.exprs.add(ExprNode::Local(LocalId::from_u32(7), Type::Sort(SortId::from_u32(3))));
    let same = program.exprs.eq(local, local);
    let ops = vec![
        Op::Assume(global),
        Op::Assume(same),
        Op::Call { proc: ProcId::from_u32(9), args: Vec::new(), results: Vec::new() },
        Op::Goto(BlockId::from_u32(4)),
    ];
    with_ops(&mut program, ops);
    program.threads.push(ProcId::from_u32(5));
    assert_eq!(
        rules(&program),
        [
            Rule::IdInRange,
            Rule::IdInRange,
            Rule::IdInRange,
            Rule::LocalScope,
            Rule::IdInRange,
            Rule::IdInRange
        ]
    );
}

#[test]
fn expressions_of_another_pool_are_found() {
    let mut other = crate::ExprPool::default();
    let far = (0..10).map(|n| other.int(n)).last().unwrap();
    let mut program = Program::default();
    let body = program.exprs.add(ExprNode::Quant {
        kind: crate::QuantKind::Forall,
        vars: vec![crate::BoundVar { name: "x".to_owned(), ty: Type::Int }],
        first: 0,
        body: far,
        triggers: Vec::new(),
    });
    with_ops(&mut program, vec![Op::Assume(body), Op::Assume(far)]);
    assert_eq!(rules(&program), [Rule::IdInRange, Rule::IdInRange]);
}

#[test]
fn types_shared_many_times_over_are_quick_to_check() {
    let mut ty = Type::Int;
    for _ in 0..60 {
        ty = Type::map(vec![ty.clone()], ty);
    }
    let mut program = Program::default();
    let global = crate::Global { name: "g".to_owned(), ty: ty.clone(), init: None, span: Span::NONE };
    program.globals.push(global);
    with_ops(&mut program, Vec::new());
    assert_eq!(validate(&program), Ok(()));
    for _ in 0..5 {
        ty = Type::map(vec![Type::Int], ty);
    }
    program.globals[GlobalId::from_u32(0)].ty = ty;
    assert_eq!(rules(&program), [Rule::TypeFormed]);
}
