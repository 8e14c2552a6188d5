//! Sequential programs as text, with what is reachable in them.

use engine::Domains;
use reach::{Options, Outcome, Statistics, reach};

fn load(text: &str) -> ir::Program {
    let mut map = source::SourceMap::default();
    let file = map.add("text.bpl", text);
    boogie::load(&map, file, None).expect("is a program").program
}

/// Searches a program for as long as `goes_on` says.
fn searched(
    program: &ir::Program,
    unroll: u32,
    mut goes_on: impl FnMut() -> bool,
) -> Result<(Outcome, Statistics), reach::Error> {
    let options = Options {
        unroll,
        values: &|_| true,
        observed: &[],
        split: &[],
        doubt_axioms: true,
        domains: &Domains::default(),
        stop: &|| false,
    };
    reach(program, &mut smt::Z3::new(), &options, &mut |_| goes_on().then(smt::Limits::default))
}

fn search(program: &ir::Program, unroll: u32) -> (Outcome, Statistics) {
    searched(program, unroll, || true).expect("is sequential")
}

fn is_violated(text: &str, unroll: u32) -> bool {
    match search(&load(text), unroll).0 {
        Outcome::Violated(trace) => {
            let program = load(text);
            let last = trace.steps.last().expect("has steps").at;
            let op = &program.procs[last.proc].blocks[last.block].stmts[last.index].op;
            assert!(matches!(op, ir::Op::Assert { .. }), "{op:?}");
            true
        }
        Outcome::Safe | Outcome::SafeWithin { .. } => false,
        Outcome::Unknown(reason) => panic!("{reason}"),
    }
}

/// Whether what is asserted of values in a program can fail; each text is the body of `main`.
fn body_fails(body: &str) -> bool {
    let text = format!(
        "type S; const unique c, d: S; function f(int): int; axiom f(0) == 1;
         function g(x: int) returns (int) {{ x * 2 }}
         var x: int; var m: [int]int; var n: [int][bool]int; var v: bv8; var s: S; var b: bool;
         procedure twice(p: int) returns (q: int) {{ q := p + p; }}
         procedure main() modifies x, m, n, v, s, b; {{ var y: int; {body} }}"
    );
    is_violated(&text, 4)
}

#[test]
fn values_of_every_type() {
    for fails in [
        "assert x != 7;",
        "assert m[1] == m[2];",
        "m[1] := 5; assert m[x] != 5;",
        "n[1][true] := 3; assert n[x][b] != 3;",
        "v := 255bv8; s := c; assert v[8:4] == 0bv4;",
        "s := d; assert s == c;",
        "havoc s; assert s == c || s == d;",
        "assert f(x) == x + 1;",
        "call y := twice(x); assert y != 6;",
        "havoc y; assume y > 3; assert y > 4;",
        "if (x > 0) { y := 1; } else { y := 2; } assert y == 1;",
    ] {
        assert!(body_fails(fails), "{fails}");
    }
    for holds in [
        "assert x == 0 ==> f(x) == 1;",
        "assert g(x) == x + x;",
        "m[1] := 5; m[2] := 6; assert m[1] == 5;",
        "n[1][true] := 3; n[1][false] := 4; assert n[1][true] == 3;",
        "v := 255bv8; assert v[8:4] == 15bv4;",
        "assert c != d;",
        "call y := twice(3); assert y == 6;",
        "assume x > 3; assert x > 2;",
        "if (b) { y := 1; m[1] := 1; } else { y := 2; m[2] := 2; } assert m[y] == y;",
        "if (b) { y := 1; } else { y := 2; } m[y] := 9; assert (b ==> m[1] == 9) && (!b ==> m[2] == 9);",
        "if (*) { y := 1; } else { y := 2; } y := y + y; assert y == 2 || y == 4; assert y > 1 && y - 1 < 4;",
    ] {
        assert!(!body_fails(holds), "{holds}");
    }
}

const COUNTS: &str = "
procedure main()
{
  var i: int;
  i := 0;
  while (i < 5) { i := i + 1; }
  assert i != 5;
}";

#[test]
fn a_bound_on_loops_is_told_only_if_it_matters() {
    let program = load(COUNTS);
    assert_eq!(search(&program, 4).0, Outcome::SafeWithin { unroll: 4 });
    assert!(is_violated(COUNTS, 5));
    let harmless = COUNTS.replace("i != 5", "i >= 5");
    assert_eq!(search(&load(&harmless), 10).0, Outcome::Safe);
}

const RECURSION: &str = "
var depth: int;
procedure down(n: int) modifies depth;
{
  depth := depth + 1;
  if (n > 0) { call down(n - 1); } else { assert depth != 4; }
}
procedure main() modifies depth; { depth := 0; call down(3); }";

#[test]
fn assertions_in_recursive_callees_are_found() {
    assert!(!is_violated(RECURSION, 1));
    assert!(is_violated(RECURSION, 3));
    assert_eq!(search(&load(&RECURSION.replace("depth != 4", "depth == 4")), 8).0, Outcome::Safe);
}

/// The loop is entered at two places.
const TWO_ENTRIES: &str = "
var x: int;
procedure main() modifies x;
{
  x := 0;
  goto first, second;
  first:
  x := x + 1;
  goto second, out;
  second:
  x := x + 10;
  goto first, out;
  out:
  assert x != 32;
}";

#[test]
fn loops_with_two_entries_are_followed() {
    // 10, 1, 10, 1, 10
    assert!(is_violated(TWO_ENTRIES, 4));
    let never = TWO_ENTRIES.replace("x != 32", "x != 30");
    assert!(!is_violated(&never, 4));
}

#[test]
fn traces_have_the_values_of_the_run() {
    let program =
        load("var x: int; procedure main() modifies x; { var y: int; y := x + 1; x := y; assert x < 10; }");
    let (Outcome::Violated(trace), _) = search(&program, 0) else { panic!("it can fail") };
    let start = &trace.initial[0].1;
    let written =
        trace.steps.iter().flat_map(|step| &step.writes).map(|(_, value)| value).collect::<Vec<_>>();
    let (engine::Value::Int(start), [engine::Value::Int(y), engine::Value::Int(x)]) = (start, &written[..])
    else {
        panic!("{trace:?}")
    };
    assert_eq!((start + 1i32, x), (y.clone(), y));
    assert!(*x >= 10.into());
}

#[test]
fn what_is_not_sequential_is_refused() {
    let program = load("procedure p() {} procedure main() { async call p(); assert false; }");
    let refused = searched(&program, 1, || true);
    assert!(refused.expect_err("starts a task").to_string().contains("a task is started"));
}

#[test]
fn whoever_watches_can_stop_it() {
    let mut asked = 0;
    let twice = || {
        asked += 1;
        asked < 3
    };
    let (outcome, statistics) = searched(&load(COUNTS), 9, twice).expect("is sequential");
    assert_eq!((outcome, statistics.queries), (Outcome::Unknown(smt::Reason::Cancelled), 2));
}

#[test]
fn axioms_that_contradict_each_other_leave_no_runs() {
    let asked = |axiom: &str| {
        let text = format!(
            "function q(a: int, b: int) returns (int); {axiom} procedure main() {{ assert q(7, 2) == 3; }}"
        );
        searched(&load(&text), 1, || true)
    };
    let zero = "axiom (forall a, b: int :: {q(a, b)} q(a, b) * b <= a && a < (q(a, b) + 1) * b);";
    let error = asked(zero).expect_err("no quotient for 0");
    assert!(matches!(error, reach::Error::Contradiction(_)), "{error}");
    let two = "axiom (forall a: int :: {q(a, 2)} 2 * q(a, 2) <= a && a < 2 * q(a, 2) + 2);";
    let (outcome, _) = asked(two).expect("has runs");
    assert_eq!(outcome, Outcome::Safe);
}

#[test]
fn axioms_that_define_mean_what_they_say() {
    let program = |cond: &str| {
        format!(
            "const c: int; axiom c == -4; function f(int, int): int; function g(int): bool;
             axiom (forall x, y: int :: {{f(y, x)}} f(y, x) == y - x * c); axiom (forall x: int :: g(x) <==> x != 0);
             axiom f(7, 0) == 7; procedure main() {{ var z: int; assert {cond}; }}"
        )
    };
    for holds in ["c == -4", "f(1, 2) == 9", "f(z, 0) == z", "g(z) <==> z != 0"] {
        assert!(!is_violated(&program(holds), 1), "{holds}");
    }
    for fails in ["f(1, 2) == 6", "f(z, 1) != 5", "g(z)", "z != c"] {
        assert!(is_violated(&program(fails), 1), "{fails}");
    }
}

#[test]
fn a_value_is_one_of_few_only_where_conditions_say_so() {
    let text = "var g: int;
        procedure main() modifies g;
        {
            var x, z: int;
            z := if x == 1 then 1 else 2;
            if (*) { assume 1 <= x && x <= 2; g := x; assume g < 0; }
            assume x > 6;
            assert z == 1;
        }";
    assert!(is_violated(text, 1));
}
