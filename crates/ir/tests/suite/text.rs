//! What the text format looks like, what it keeps, and what it says about mistakes.

use ir::text::{parse, print};
use ir::{BinaryOp, ExprNode, Op, ProcBuilder, Program, Type};
use source::{SourceMap, Span, render_all};

use super::{program, valid};

/// A text that is printed exactly as it is written.
fn check(text: &str) {
    assert_eq!(print(&valid(text)), text);
}

/// Puts statements into a program with variables of many types.
fn body(statements: &str) -> String {
    let mut text = "program;
sort ref;
const unique N: int;
func f(x: int): int = x + 1;
func p(x: int): bool;
func bits(): bv8;
var g: int = 0;
var h: int;
var a: [int]int;
var aa: [int, bool][ref]int;
var m: mutex;
var ms: [int]mutex.recursive;
var c: condvar;
var b: barrier;
var s: semaphore;
var rw: rwlock;
var o: once;
var k: key(int);
thread main;

proc main(x: int, y: bool, v: bv8) returns (r: bool) {
  local t: task;
  local i: int;
  local z: ref;
entry:
"
    .to_owned();
    for line in statements.lines() {
        let indent = if line.ends_with(':') { "" } else { "  " };
        text.push_str(&format!("{indent}{}\n", line.trim()));
    }
    text.push_str("}\n");
    text
}

fn check_body(statements: &str) {
    check(&body(statements));
}

/// The messages about a text, with line and column.
fn errors(text: &str) -> Vec<String> {
    let mut map = SourceMap::default();
    let file = map.add("test.ir", text);
    let errors = parse(&map, file).map(|p| print(&p)).expect_err("a text with errors");
    assert!(!render_all(&map, &errors, false).is_empty());
    errors
        .iter()
        .map(|e| {
            let at = map.position(e.primary.span).expect("a place in the text");
            format!("{}:{} {}", at.line, at.column, e.message)
        })
        .collect()
}

#[test]
fn ops() {
    check_body(
        "skip;
        i := g;
        g, a[x], aa[x, y][z] := x + 1, 0, -1;
        atomic g := x;
        atomic skip;
        havoc i, a[0];
        havoc;
        assume x > 0;
        await g == 0;
        await g == 0 then g, i := 1, 2;
        assert x != 1 \"it is \\\"one\\\"\\n\";
        assert.memory y;
        call main(1, true, 5bv8);
        call r := main(f(1), y, bits());
        t := spawn main(x, y, v);
        spawn main(x, y, v);
        r := wait t;
        wait if y then t else nil;
        begin atomic;
        end atomic;
        yield;
        progress;
        opaque i \"getpid()\";
        opaque \"syscall\";
        exit;",
    );
}

#[test]
fn synchronization() {
    check_body(
        "init m;
        acquire m;
        r := acquire ms[x + 1];
        release m;
        r := release rw;
        r := tryacquire m;
        acquire.read rw;
        acquire.write rw;
        r := tryacquire.read rw;
        r := tryacquire.write rw;
        condwait c m;
        condwait c ms[-1];
        signal c;
        broadcast c;
        init b 3;
        r := barrierwait b;
        init s -x;
        down s;
        r := trydown s;
        up s;
        i := value s;
        r := once.begin o;
        once.end o;
        i := key.get k;
        key.set k x + 1;
        return;",
    );
}

#[test]
fn control_flow() {
    check_body(
        "goto l1;
l1:
branch x > 0 then l1 else l2;
l2:
choose l1, l2, l3 fair l2;
l3:
choose l1;
l4:
return;",
    );
}

#[test]
fn expressions() {
    for text in [
        "x + 1 - 2 == x + (1 - 2)",
        "x * (g + 1) div 2 mod 3 < -x",
        "-(5) == -5",
        "-(-5) == --x",
        "!(x == g) && (y || !y) || y",
        "y ==> y ==> y",
        "(y ==> y) ==> y",
        "y <==> y <==> (y <==> y)",
        "(x == g) == (x < g)",
        "bvadd(v, 5bv8) == bvneg(concat(extract(v, 4, 0), 0bv4))",
        "zext(v, 9) == sext(bvnot(v), 9)",
        "int_to_bv(x, 8) == v",
        "ubv_to_int(v) == sbv_to_int(v)",
        "bvslt(v, v)",
        "aa[x, y][z] == a[x := 1][2 := 3][x]",
        "const([int]int, 0) == a",
        "(if y then a else a[0 := 1])[x] == (if y then 1 else 2) + 1",
        "if y then y else if r then y else r",
        "self != nil && t == nil",
        "forall q: int, w: bool :: {p(q)} {f(q), p(q)} p(q) || w",
        "(exists q: int :: p(q)) && y",
        "(lambda q: int, w: bool :: q)[1, y] == N",
        "forall x: int :: p(x) && (exists x: int :: p(x) && p(bound::0))",
        "forall g: int, x: int :: g == global::g && x == local::x",
        "p(f(x))",
    ] {
        check_body(&format!("assume {text};\nreturn;"));
    }
}

#[test]
fn names_of_any_kind_survive() {
    check(
        "program;
sort |int|;
sort $ref.a;
const |a b|: int;
const unique unique: |int|;
const |\\u{1}\\t'|: $ref.a;
thread $p~'#^?`\\;

proc $p~'#^?`\\() {
|1|:
  exit;
}
",
    );
}

#[test]
fn keywords_can_be_names() {
    check(
        "program;
const x: int;
func |bvadd|(|if|: int): int = |if|;
func |const|(x: int): int = x + const::x;
var value: int;
var acquire: mutex;
var x: int;
var havoc: [int]int;
var |wait|: int;
var |an ö \\| \\\\ name|: bool;
thread |then|;

proc |then|() {
  local x: int;
  local goto: int;
entry:
  acquire acquire;
  goto := value;
  goto := value div 2;
  goto, havoc[1], value := |bvadd|(1), |const|(2), |wait|;
  havoc havoc;
  global::x := x + const::x + global::x;
  |an ö \\| \\\\ name| := false;
  goto goto;
goto:
  choose fair, entry fair fair;
fair:
  goto |in|;
|in|:
  return;
}
",
    );
}

#[test]
fn a_later_block_can_be_the_entry() {
    check(
        "program;
thread main;

proc main() {
  entry second;
first:
  return;
second:
  goto first;
}
",
    );
}

#[test]
fn order_and_layout_do_not_matter() {
    let text = "program; // a comment
        proc main() { entry: call q(); x := f(1) + N; return; }
        thread main; proc q() { entry: return; }
        var x: int = N; axiom f(2) > N; func f(y: int): int = g(y) + N; func g(y: int): int; const N: int;";
    let program = valid(text);
    assert_eq!(print(&super::valid(&print(&program))), print(&program));
    assert_eq!(program.axioms.len(), 1);
}

fn with_condition(program: &mut Program, cond: ir::ExprId) {
    let mut builder = ProcBuilder::new("main", Span::NONE);
    builder.push(Op::Assume(cond), Span::NONE);
    let main = program.procs.push(builder.finish());
    program.threads.push(main);
    super::assert_valid(program);
}

#[test]
fn shared_parts_are_named_not_repeated() {
    let mut p = Program::default();
    let ty = Type::Bool;
    let constant = ir::Const { name: "$2".to_owned(), ty: ty.clone(), unique: false, span: Span::NONE };
    let id = p.consts.push(constant);
    let mut e = p.exprs.add(ExprNode::Const(id, ty));
    for _ in 0..1000 {
        e = p.exprs.binary(BinaryOp::Iff, e, e);
    }
    with_condition(&mut p, e);
    let text = print(&p);
    assert!(text.len() < 100_000, "{}", text.len());
    assert!(text.contains("let $1 = "));
    assert!(!text.contains("let $1 = $2 <==> $2, $2"));
    check(&text);
}

#[test]
fn deep_expressions_are_written_flat_and_read_back() {
    for right in [false, true] {
        let mut p = Program::default();
        let (mut e, one) = (p.exprs.int(0), p.exprs.int(1));
        for _ in 0..100_000 {
            e = if right {
                p.exprs.binary(BinaryOp::Sub, one, e)
            } else {
                p.exprs.binary(BinaryOp::Sub, e, one)
            };
        }
        let cond = p.exprs.eq(e, one);
        with_condition(&mut p, cond);
        check(&print(&p));
    }
}

#[test]
fn parts_with_bound_variables_are_named_inside() {
    let mut p = Program::default();
    let x = p.exprs.add(ExprNode::Bound(0, Type::Int));
    let mut e = x;
    for _ in 0..20 {
        e = p.exprs.binary(BinaryOp::Add, e, e);
    }
    let cond = p.exprs.eq(e, x);
    let all = p.exprs.add(ExprNode::Quant {
        kind: ir::QuantKind::Forall,
        vars: vec![ir::BoundVar { name: "$1".to_owned(), ty: Type::Int }],
        first: 0,
        body: cond,
        triggers: Vec::new(),
    });
    with_condition(&mut p, all);
    let text = print(&p);
    assert!(text.contains("forall $1: int :: let $2 = "), "{text}");
    check(&text);
}

#[test]
fn several_errors_in_one_run() {
    let text = body("i := j;\ni := ;\ngoto nowhere;\ncall nobody();\nx := x == x == x;\nfoo i;\nreturn;");
    assert_eq!(
        errors(&text),
        [
            "26:8 unknown variable `j`",
            "27:8 expected an expression, found `;`",
            "28:8 unknown label `nowhere`",
            "29:8 unknown procedure `nobody`",
            "30:15 expected parentheses around one of the comparisons, found `==`",
            "31:3 unknown statement `foo`",
        ]
    );
    let text =
        "program; var x: imt; sort a; sort a; sort; var y int; nonsense; proc p() { return; } thread q;";
    assert_eq!(
        errors(text),
        [
            "1:17 unknown type `imt`",
            "1:35 there are two sorts named `a`",
            "1:42 expected the name of a sort, found `;`",
            "1:50 expected `:`, found `int`",
            "1:55 expected a declaration, found `nonsense`",
            "1:76 expected a label such as `entry:`, found `return`",
            "1:93 unknown procedure `q`",
        ]
    );
}

#[test]
fn a_part_that_binds_variables_stays_at_its_depth() {
    let text = body("assume let q = forall i: int :: p(i) in q && (forall j: int :: q);\nreturn;");
    assert_eq!(errors(&text), ["26:66 a part with a quantifier is used inside another quantifier"]);
    let text =
        body("assume let q = forall i: int :: p(i), w = x + 1 in q && (forall j: int :: p(w));\nreturn;");
    let text = print(&valid(&text));
    assert!(text.contains("assume (forall i: int :: p(i)) && (forall j: int :: p(x + 1));"), "{text}");
}

#[test]
fn unfinished_texts() {
    for text in
        ["", "program", "program;proc", "program;proc p() { a:", "program;var x: [", "program;axiom (", "|"]
    {
        assert!(!errors(text).is_empty());
    }
}

#[test]
fn errors_are_capped() {
    let text = format!("program;\n{}", "x;".repeat(100_000));
    assert_eq!(errors(&text).len(), 20);
    assert_eq!(errors(&"§".repeat(100_000)).len(), 20);
}

#[test]
fn nesting_is_limited_with_advice() {
    let deep = [
        format!("assume {};", "(".repeat(100_000)),
        format!("assume {}y;", "!".repeat(100_000)),
        format!("assume {}y;", "-".repeat(100_000)),
        format!("assume {}", "if y then y else ".repeat(100_000)),
        format!("assume y{};", " ==> y".repeat(100_000)),
        format!("assume {}y;", "forall q: int :: ".repeat(100_000)),
        format!("i := {};", "a[".repeat(100_000)),
        format!("i := {};", "f(".repeat(100_000)),
        format!("assume {};", "let q = ".repeat(100_000)),
        format!("assume const({};", "[int]".repeat(100_000)),
    ];
    for text in deep {
        let all = errors(&body(&text));
        assert_eq!(all.len(), 1, "{all:?}");
        assert!(all[0].ends_with("this nests more than 200 deep"), "{all:?}");
    }
    let all = errors(&body(&format!("assume {}0 == 0;", "lambda q: int :: ".repeat(70))));
    assert!(all[0].ends_with("its type nests more than 64 deep"), "{all:?}");
}

#[test]
fn what_is_as_deep_as_allowed_is_read() {
    let depth = 195;
    let texts = [
        format!("assume {}y{};", "(".repeat(depth), ")".repeat(depth)),
        format!("assume {}y;", "if y then y else ".repeat(depth)),
        format!("assume {}y;", "forall q: int :: ".repeat(depth)),
        format!("i := {}0{};", "a[".repeat(depth), "]".repeat(depth)),
    ];
    for text in texts {
        let program = program(&body(&format!("{text}\nreturn;")));
        assert_eq!(print(&super::program(&print(&program))), print(&program));
    }
}

#[test]
fn long_numbers_are_refused_in_time() {
    let all = errors(&body(&format!("i := {};", "9".repeat(1_000_000))));
    assert!(all[0].ends_with("a number has more than 20000 digits"), "{all:?}");
    assert_eq!(errors(&body("assume v == 5bv99999999999;")).len(), 1);
}
