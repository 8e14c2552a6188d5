//! The printed sequential programs against the schedulers, by the real Boogie: it accepts each, and an assertion fails
//! exactly if one does under the scheduler. Our own frontend reads the text, too, and finds the same failures.
//!
//! Boogie runs loops to a bound, all combinations of them. So programs with loops that do not end take it minutes, and
//! there are few of them here.

use std::collections::BTreeSet;

use filetest::verifier::{Answer, verify};
use interp::Scheduler;
use ir::{AccessOrder, BinaryOp, ExprNode, Op, Place, ProcId, Stmt, Type};
use random::{Style, program, to_ir};
use source::Span;

use crate::harness::{MOST_OPS, concurrent, sequentialized};
use crate::narrow::{self, Ranges};

/// Arbitrary integers are from 0 to this.
const HIGH: i64 = 2;
/// Recursion and loops of the programs here end earlier, or never.
const BOUND: u32 = 6;
/// Programs for which Boogie takes long, up to minutes, with so many delays or more.
const SLOW: &[(Style, u64, u32)] = &[(Style::Tasks, 22, 2), (Style::Mixed, 19, 0)];
/// Programs on which it takes minutes as soon as there are delays.
const LARGE: &[&str] = &["collection_load", "missing_await", "state_reset"];

/// A printed sequential program, and the messages of the assertions that fail under its scheduler.
struct Case {
    name: String,
    printed: String,
    failures: BTreeSet<String>,
    /// No loop is left, or what it does is known.
    ends: bool,
}

/// The case of a program, if it is small enough to be explored.
fn case(name: &str, program: &ir::Program, scheduler: Scheduler) -> Option<Case> {
    let expected = concurrent(program, scheduler, HIGH)?;
    let sequential = sequentialized(program, scheduler).expect("is supported");
    let printed = boogie::print(&sequential.program, &|_| None).expect("can be printed");
    let name = format!("{name}, {scheduler:?}");
    if let Some(read) = read_back(program, scheduler, &printed) {
        assert_eq!(read, expected.failures, "{name}, read back from\n{printed}");
    }
    Some(Case { name, printed, failures: expected.failures, ends: !has_loop(program) })
}

/// The failures of a program that is read from its text, if it is small enough.
fn read_back(original: &ir::Program, scheduler: Scheduler, printed: &str) -> Option<BTreeSet<String>> {
    let mut map = source::SourceMap::default();
    let file = map.add("printed.bpl", printed);
    let program = boogie::load(&map, file, None).unwrap_or_else(|problems| panic!("{problems:?}\n{printed}"));
    assert_eq!(program.warnings, Vec::new());
    if !program.program.consts.is_empty() {
        // The runs of these tests know numbers and truth values only.
        return None;
    }
    let globals = ir::expand(original).program.globals;
    let handles = globals.values().filter(|global| {
        global.ty == Type::Task || global.ty.as_map().is_some_and(|map| map.result == Type::Task)
    });
    let handles = handles.map(|global| global.name.clone()).collect();
    let (Scheduler::Df(delays) | Scheduler::Dfw(delays)) = scheduler else { return None };
    let ranges = Ranges { high: HIGH, delays: delays.into(), handles, handles_as_keys: false };
    Some(narrow::reached(&program.program, &[], ranges, MOST_OPS, &mut |_| {})?.failures)
}

/// Whether some procedure has a loop.
fn has_loop(program: &ir::Program) -> bool {
    program.procs.values().any(|proc| {
        proc.stmts().any(|(block, _, stmt)| {
            let mut seen = BTreeSet::new();
            let mut work = stmt.op.successors();
            while let Some(next) = work.pop() {
                if seen.insert(next) {
                    work.extend(proc.blocks[next].stmts.iter().flat_map(|stmt| stmt.op.successors()));
                }
            }
            seen.contains(&block)
        })
    })
}

/// Boogie's integers have no range. So what is arbitrary is limited where it appears.
fn limited(mut program: ir::Program) -> ir::Program {
    let zero = program.exprs.int(0);
    for global in program.globals.values_mut() {
        if global.ty == Type::Int && global.init.is_none() {
            global.init = Some(zero);
        }
    }
    let ids: Vec<ProcId> = program.procs.keys().collect();
    for id in ids {
        let proc = &program.procs[id];
        let ints =
            proc.locals.iter().filter(|(id, local)| local.ty == Type::Int && !proc.params.contains(id));
        let ints: Vec<ir::LocalId> = ints.map(|(id, _)| id).collect();
        let mut start: Vec<Stmt> =
            ints.into_iter().map(|local| assume_limit(&mut program.exprs, local)).collect();
        let entry = program.procs[id].entry;
        let blocks: Vec<_> = program.procs[id].blocks.keys().collect();
        for block in blocks {
            let old = std::mem::take(&mut program.procs[id].blocks[block].stmts);
            let mut new = if block == entry { std::mem::take(&mut start) } else { Vec::new() };
            for stmt in old {
                let Op::Havoc { targets } = &stmt.op else {
                    new.push(stmt);
                    continue;
                };
                // What is chosen goes through a new local, so that nobody sees it before it is limited.
                for place in targets {
                    let ty = type_at(&program, id, place);
                    let span = Span::NONE;
                    let local = ir::Local { name: format!("any.{}", new.len()), ty: ty.clone(), span };
                    let local = fresh(&mut program, id, local);
                    new.push(Stmt { op: Op::Havoc { targets: vec![Place::local(local)] }, span });
                    if ty == Type::Int {
                        new.push(assume_limit(&mut program.exprs, local));
                    }
                    let value = program.exprs.add(ExprNode::Local(local, ty));
                    let (targets, values) = (vec![place.clone()], vec![value]);
                    new.push(Stmt { op: Op::Assign { targets, values, order: AccessOrder::Plain }, span });
                }
            }
            program.procs[id].blocks[block].stmts = new;
        }
    }
    assert_eq!(ir::validate(&program), Ok(()));
    program
}

fn fresh(program: &mut ir::Program, proc: ProcId, mut local: ir::Local) -> ir::LocalId {
    let locals = &mut program.procs[proc].locals;
    while locals.values().any(|known| known.name == local.name) {
        local.name.push('\'');
    }
    locals.push(local)
}

fn assume_limit(exprs: &mut ir::ExprPool, local: ir::LocalId) -> Stmt {
    let value = exprs.add(ExprNode::Local(local, Type::Int));
    let (low, high) = (exprs.int(0), exprs.int(HIGH));
    let (low, high) = (exprs.binary(BinaryOp::Le, low, value), exprs.binary(BinaryOp::Le, value, high));
    let cond = exprs.and(low, high);
    Stmt { op: Op::Assume(cond), span: Span::NONE }
}

fn type_at(program: &ir::Program, proc: ProcId, place: &Place) -> Type {
    let ty = match place.base {
        ir::PlaceBase::Global(id) => &program.globals[id].ty,
        ir::PlaceBase::Local(id) => &program.procs[proc].locals[id].ty,
    };
    match (ty, place.path.len()) {
        (Type::Map(map), 1) => map.result.clone(),
        (ty, _) => ty.clone(),
    }
}

/// Compares Boogie's answers with what is expected.
fn check(cases: &[Case]) {
    let texts: Vec<String> = cases.iter().map(|case| case.printed.clone()).collect();
    let answers = verify(&texts, BOUND).unwrap_or_else(|error| panic!("{error}"));
    for (case, answer) in cases.iter().zip(answers) {
        let agrees = match &answer {
            Answer::Fails(message) => case.failures.contains(message),
            Answer::Verified { bound_reached } => case.failures.is_empty() && !(case.ends && *bound_reached),
        };
        let (name, expected, printed) = (&case.name, &case.failures, &case.printed);
        assert!(agrees, "{name}: expected {expected:?}, Boogie says {answer:?} of\n{printed}");
    }
    println!("{} programs", cases.len());
}

/// Adds an assertion about a global at each return of a procedure; programs of tasks have none of their own.
fn asserting(mut program: ir::Program, seed: u64) -> ir::Program {
    let plain = |global: &ir::Global| matches!(global.ty, Type::Int | Type::Bool);
    let globals: Vec<_> = program.globals.keys().filter(|&id| plain(&program.globals[id])).collect();
    let number = |of: usize| usize::try_from(seed).expect("is small") % of;
    let id = globals[number(globals.len())];
    let ty = program.globals[id].ty.clone();
    let value = match ty {
        Type::Bool => program.exprs.bool(seed.is_multiple_of(2)),
        _ => program.exprs.int(seed % 3),
    };
    let global = program.exprs.add(ExprNode::Global(id, ty));
    let cond = program.exprs.binary(BinaryOp::Ne, global, value);
    let proc = program.procs.keys().nth(number(program.procs.len())).expect("is a procedure");
    for block in program.procs[proc].blocks.values_mut() {
        if block.stmts.last().is_some_and(|last| last.op == Op::Return) {
            let message = format!("at the end of {}", block.name);
            let op = Op::Assert { cond, kind: ir::AssertKind::Assertion, message };
            block.stmts.insert(block.stmts.len() - 1, Stmt { op, span: Span::NONE });
        }
    }
    program
}

/// Programs of the first seeds for each number of delays: as many that fail, and as many that do not, as wanted.
fn random_cases(style: Style, make: fn(u32) -> Scheduler, wanted: usize, most_delays: u32) -> Vec<Case> {
    let mut cases = Vec::new();
    for delays in 0..=most_delays {
        let (mut fail, mut hold) = (0, 0);
        for seed in 0..1000 {
            let original = limited(to_ir(&program(seed, style)));
            let program = if style == Style::Tasks { asserting(original, seed) } else { original };
            let asserts =
                |proc: &ir::Proc| proc.stmts().any(|(.., stmt)| matches!(stmt.op, Op::Assert { .. }));
            let slow = (delays > 0 && has_loop(&program))
                || SLOW.iter().any(|&(of, at, least)| of == style && at == seed && delays >= least);
            if slow || !program.procs.values().any(asserts) {
                continue;
            }
            let Some(case) = case(&format!("{style:?}, seed {seed}"), &program, make(delays)) else {
                continue;
            };
            let count = if case.failures.is_empty() { &mut hold } else { &mut fail };
            *count += 1;
            if *count <= wanted {
                cases.push(case);
            }
            if fail >= wanted && hold >= wanted {
                break;
            }
        }
        assert!(fail >= wanted && hold >= wanted, "{style:?}, {:?}: {fail} and {hold}", make(delays));
    }
    cases
}

#[test]
fn random_programs_under_df() {
    let mut cases = random_cases(Style::Tasks, Scheduler::Df, 4, 2);
    cases.extend(random_cases(Style::Mixed, Scheduler::Df, 3, 1));
    check(&cases);
}

#[test]
fn random_programs_under_dfw() {
    let mut cases = random_cases(Style::Tasks, Scheduler::Dfw, 4, 2);
    cases.extend(random_cases(Style::Mixed, Scheduler::Dfw, 3, 1));
    check(&cases);
}

#[test]
fn the_programs_of_this_project() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let mut cases = Vec::new();
    for folder in ["tests/boogie/async", "examples"] {
        let mut files: Vec<_> = std::fs::read_dir(format!("{root}/{folder}"))
            .expect("is a folder")
            .map(|entry| entry.expect("is readable").path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "bpl"))
            .collect();
        files.sort();
        for path in files {
            let mut map = source::SourceMap::default();
            let file = map.read(&path).expect("is readable");
            let program = boogie::load(&map, file, None).expect("is a program").program;
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let large = LARGE.iter().any(|large| name.starts_with(large));
            for delays in 0..=if large { 0 } else { 2 } {
                for scheduler in [Scheduler::Df(delays), Scheduler::Dfw(delays)] {
                    cases.extend(case(&name, &program, scheduler));
                }
            }
        }
    }
    check(&cases);
    let fail = cases.iter().filter(|case| !case.failures.is_empty()).count();
    assert!(fail >= 5 && cases.len() >= fail + 5, "{fail} of {}", cases.len());
}

/// The programs of stems and lassos: Boogie finds an infinite execution where there is one of few rounds.
#[test]
fn infinite_executions() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/boogie/nontermination");
    let (mut printed, mut expected) = (Vec::new(), Vec::new());
    for (name, fairness, found) in [
        ("fig1a_repaired", interp::Fairness::Strong, false),
        ("fig1a_repaired", interp::Fairness::None, true),
        ("fig1b", interp::Fairness::Strong, true),
        ("fig1b", interp::Fairness::Weak, true),
        ("progress", interp::Fairness::Strong, false),
    ] {
        let mut map = source::SourceMap::default();
        let file = map.read(format!("{folder}/{name}.bpl").as_ref()).expect("is readable");
        let program = boogie::load(&map, file, None).expect("is a program").program;
        let lasso = sequentialize::lasso(&program, 1, 1, fairness, None).expect("is supported");
        printed.push(boogie::print(lasso.program(), &|_| None).expect("can be printed"));
        expected.push((name, fairness, found));
    }
    let answers = verify(&printed, 2).expect("Boogie accepts the programs");
    for (answer, (name, fairness, found)) in answers.iter().zip(expected) {
        assert_eq!(matches!(answer, Answer::Fails(_)), found, "{name}, {fairness:?}: {answer:?}");
    }
}
