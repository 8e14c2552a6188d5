//! Each rule, broken in as few words as possible. What a text cannot break is tested beside the validator.

use std::collections::BTreeSet;

use ir::{Program, Rule, validate};

use super::{program, valid};

const DECLARATIONS: &str = "sort ref;
const N: int;
func f(x: int): int;
var g: int;
var a: [int]int;
var aa: [int][int, bool]int;
var m: mutex;
var ms: [int]mutex;
var c: condvar;
var b: barrier;
var bs: [int]barrier;
var rw: rwlock;
var k: key(bool);
proc q(i: int) returns (j: bool, k: int) { entry: return; }
";

fn broken(p: &Program) -> Vec<&'static str> {
    let all = validate(p).err().unwrap_or_default();
    all.iter().map(|broken| broken.rule.name()).collect()
}

/// Which rules a program with some more declarations breaks.
fn with_declarations(text: &str) -> Vec<&'static str> {
    let main = if text.contains("thread") { "" } else { "thread q;" };
    broken(&program(&format!("program; {DECLARATIONS} {main} {text}")))
}

/// Which rules a procedure body breaks.
fn with_body(text: &str) -> Vec<&'static str> {
    broken(&program(&format!(
        "program; {DECLARATIONS} thread main;
        proc main(x: int) returns (y: bool) {{ local t: task; local v: bv8; local r: ref; entry: {text} }}"
    )))
}

const IN_DECLARATIONS: [(&str, &str); 28] = [
    ("var x: bv0;", "type-formed"),
    ("var x: bv65537;", "type-formed"),
    ("var x: bv65536;", ""),
    ("const x: mutex;", "sync-placement"),
    ("var x: [mutex]int;", "sync-placement"),
    ("var x: key(mutex);", "sync-placement"),
    ("func h(x: condvar): int;", "sync-placement"),
    ("func h(): [int]barrier;", "sync-placement"),
    ("proc p(x: mutex) { entry: return; }", "sync-placement"),
    ("proc p() { local x: [int]mutex; entry: return; }", "sync-placement"),
    ("var x: mutex = 0;", "sync-init"),
    ("var x: int = true;", "init-type"),
    ("var x: int = g;", "closed"),
    ("var x: task = self;", "closed"),
    ("var x: int = N + 1;", ""),
    ("axiom g == 0;", "closed"),
    ("axiom N;", "condition-bool"),
    ("axiom forall x: int :: f(x) > N;", ""),
    ("func h(x: int): int = g;", "closed"),
    ("func h(x: int): bool = x;", "function-body"),
    ("func h(x: int): int = h(x);", "function-recursive"),
    (
        "func h(x: int): int = i(x); func i(x: int): int = j(x); func j(x: int): int = h(x);",
        "function-recursive",
    ),
    ("func h(x: int): int = i(x) + i(x); func i(x: int): int = j(x); func j(x: int): int;", ""),
    ("func h(x: int, x: int): int;", "name-unique"),
    ("axiom forall x: mutex :: true;", "sync-placement"),
    ("axiom forall x: int :: x;", "operand-type"),
    ("axiom (lambda x: int :: x)[true] == 0;", "operand-type"),
    ("axiom const([int]mutex, 0) == const([int]mutex, 0);", "sync-placement operand-type"),
];

const IN_BODIES: [(&str, &str); 83] = [
    ("return;", ""),
    ("", "block-end"),
    ("skip;", "block-end"),
    ("return; return;", "block-end"),
    ("exit; skip; return;", "block-end"),
    ("x := 5bv8; return;", "assign-type"),
    ("v := 256bv8; return;", "literal-range"),
    ("v := 255bv8; return;", ""),
    ("x, y := 1; return;", "assign-count"),
    ("x := 1, 2; return;", "assign-count"),
    ("x, x := 1, 2; return;", "assign-twice"),
    ("a, a[0] := a, 2; return;", "assign-twice"),
    ("a[x], a[x] := 1, 2; return;", "assign-twice"),
    ("a[x], a[x + 0] := 1, 2; return;", ""),
    ("aa[1], aa[1][2, y] := aa[1], 2; return;", "assign-twice"),
    ("havoc x, x; return;", "assign-twice"),
    ("x := y; return;", "assign-type"),
    ("x[0] := 1; return;", "operand-type"),
    ("a[0, 1] := 1; return;", "map-arity"),
    ("a[y] := 1; return;", "operand-type"),
    ("a[0][0] := 1; return;", "operand-type"),
    ("m := m; return;", "sync-value sync-value"),
    ("havoc ms[0]; return;", "sync-value"),
    ("havoc ms; return;", "sync-value"),
    ("assume m == m; return;", "sync-value"),
    ("assume ms[0] == ms[1]; return;", "sync-value"),
    ("assume x; return;", "condition-bool"),
    ("assert x; return;", "condition-bool"),
    ("await x; return;", "condition-bool"),
    ("await y then x := true; return;", "assign-type"),
    ("branch x then entry else entry;", "condition-bool"),
    ("choose;", "choose-targets"),
    ("assume x + y == 0; return;", "operand-type"),
    ("assume x == y; return;", "operand-type"),
    ("assume !x; return;", "operand-type"),
    ("assume -y == x; return;", "operand-type"),
    ("assume y && x; return;", "operand-type"),
    ("assume x < v; return;", "operand-type"),
    ("assume (if x then y else y); return;", "operand-type"),
    ("assume (if y then y else x); return;", "operand-type"),
    ("assume bvadd(v, x) == v; return;", "operand-type"),
    ("assume bvadd(x, x) == x; return;", "operand-type"),
    ("assume bvult(v, 1bv9); return;", "operand-type"),
    ("assume bvneg(x) == x; return;", "operand-type"),
    ("assume extract(v, 9, 0) == 0bv9; return;", "bit-range"),
    ("assume extract(v, 3, 3) == v; return;", "bit-range operand-type"),
    ("assume extract(v, 8, 7) == 0bv1; return;", ""),
    ("assume zext(v, 7) == 0bv7; return;", "bit-range"),
    ("assume sext(x, 7) == 0bv7; return;", "operand-type"),
    ("assume int_to_bv(v, 8) == v; return;", "operand-type"),
    ("assume int_to_bv(x, 0) == 0bv0; return;", "type-formed type-formed"),
    ("assume ubv_to_int(x) == x; return;", "operand-type"),
    ("assume concat(v, x) == v; return;", "operand-type"),
    ("assume concat(v, 1bv65535) == v; return;", "operand-type type-formed"),
    ("assume a[x := y] == a; return;", "operand-type"),
    ("assume a[x, x] == 0; return;", "map-arity"),
    ("assume const(int, x) == x; return;", "operand-type"),
    ("assume const([int]int, y) == a; return;", "operand-type"),
    ("assume f(y) == 0; return;", "operand-type"),
    ("assume f() == f(1, 2); return;", "apply-arity apply-arity"),
    ("call q(); return;", "call-arity"),
    ("call q(y); return;", "call-type"),
    ("call y := q(1); return;", "call-arity"),
    ("call x, y := q(1); return;", "call-type call-type"),
    ("call y, x := q(1); return;", ""),
    ("call y, y := q(1); return;", "assign-twice call-type"),
    ("x := spawn q(1); return;", "wait-task"),
    ("t := spawn q(y); return;", "call-type"),
    ("wait x; return;", "wait-task"),
    ("x, x := wait t; return;", "assign-twice"),
    ("acquire c; return;", "sync-type"),
    ("acquire x; return;", "sync-type"),
    ("acquire ms; return;", "sync-type"),
    ("x := acquire m; return;", "sync-operands"),
    ("acquire m 1; init b; init m 1; return;", "sync-operands sync-operands sync-operands"),
    (
        "condwait c; condwait c rw; y := signal c; key.set k x; return;",
        "sync-operands sync-operands sync-operands sync-operands",
    ),
    ("condwait c ms[x]; condwait c ms[N]; return;", ""),
    ("condwait c ms[g]; return;", "sync-stable"),
    ("y := barrierwait bs[if y then 0 else 1]; y := barrierwait bs[x]; return;", "sync-stable"),
    ("begin atomic; return;", "atomic-return"),
    ("begin atomic; exit;", ""),
    ("end atomic; return;", "atomic-balance"),
    ("begin atomic; goto entry;", "atomic-balance"),
];

fn sorted(mut rules: Vec<&str>) -> String {
    rules.sort_unstable();
    rules.join(" ")
}

fn expected(rules: &str) -> String {
    sorted(rules.split(' ').collect())
}

#[test]
fn broken_declarations() {
    for (text, rules) in IN_DECLARATIONS {
        assert_eq!(sorted(with_declarations(text)), expected(rules), "{text}");
    }
}

#[test]
fn broken_bodies() {
    for (text, rules) in IN_BODIES {
        assert_eq!(sorted(with_body(text)), expected(rules), "{text}");
    }
}

#[test]
fn sections_may_span_blocks() {
    let text = "begin atomic; choose l1, l2; l1: end atomic; goto l3; l2: end atomic; goto l3; l3: return;";
    assert_eq!(with_body(text), [""; 0]);
    let text = "begin atomic; choose l1, l2; l1: end atomic; goto l3; l2: goto l3; l3: exit;";
    assert_eq!(with_body(text), ["atomic-balance"]);
}

fn change(text: &str, change: impl FnOnce(&mut Program)) -> Vec<&'static str> {
    let mut p = valid(&format!("program; {DECLARATIONS} thread q; {text}"));
    change(&mut p);
    broken(&p)
}

#[test]
fn what_only_data_can_break() {
    let entity = ir::GlobalId::from_u32;
    assert_eq!(change("", |p| p.globals[entity(0)].name.clear()), ["name-empty"]);
    assert_eq!(change("", |p| p.globals[entity(0)].name = "a".to_owned()), ["name-unique"]);
    assert_eq!(change("", |p| p.threads.clear()), ["threads"]);
    assert_eq!(change("axiom f(N) == 0;", |p| p.consts.clear()), ["id-in-range"]);
    assert_eq!(
        change("proc p() { entry: assume g == 0; return; }", |p| p.globals[entity(0)].ty = ir::Type::Bool),
        ["declared-type"]
    );
    let q = ir::ProcId::from_u32(0);
    assert_eq!(change("", |p| p.procs[q].results = p.procs[q].params.clone()), ["parameters"]);
    let quantifier = |first, level| {
        move |p: &mut Program| {
            let x = p.exprs.add(ir::ExprNode::Bound(level, ir::Type::Bool));
            let vars = vec![ir::BoundVar { name: "x".to_owned(), ty: ir::Type::Bool }];
            let formula =
                ir::ExprNode::Quant { kind: ir::QuantKind::Forall, vars, first, body: x, triggers: vec![] };
            let formula = p.exprs.add(formula);
            p.axioms.push(ir::Axiom { formula, span: source::Span::NONE });
        }
    };
    assert_eq!(change("", quantifier(0, 0)), [""; 0]);
    assert_eq!(change("", quantifier(0, 1)), ["bound-scope"]);
    assert_eq!(change("", quantifier(1, 0)), ["bound-scope"]);
    let local = |p: &mut Program| {
        let x = p.exprs.add(ir::ExprNode::Local(ir::LocalId::from_u32(9), ir::Type::Bool));
        p.procs[q].blocks[ir::BlockId::from_u32(0)]
            .stmts
            .insert(0, ir::Stmt { op: ir::Op::Assume(x), span: source::Span::NONE });
    };
    assert_eq!(change("", local), ["local-scope"]);
}

#[test]
fn every_rule_is_tested() {
    let here = include_str!("validator.rs");
    let tested: BTreeSet<&str> = here.split(['"', ' ']).collect();
    for rule in Rule::ALL {
        assert!(tested.contains(rule.name()), "{rule}");
    }
}

#[test]
fn a_report_says_where() {
    let p = program("program; thread main; proc main() { entry: skip; assume 1; return; }");
    let broken = validate(&p).unwrap_err();
    assert_eq!(
        broken[0].to_string(),
        "proc main, block entry, op 2: the condition is of type int, expected bool (condition-bool)"
    );
    assert_eq!(broken[0].span.end() - broken[0].span.start(), "assume 1".len());
}
