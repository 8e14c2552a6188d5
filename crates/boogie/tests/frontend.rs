//! Parser and checker on small programs: each construct, each contextual keyword as a plain name, several errors
//! per run.

use source::{Diagnostic, SourceMap};

/// Everything wrong with a program, as `line:column message`.
fn problems(text: &str) -> Vec<String> {
    let mut map = SourceMap::default();
    let file = map.add("t.bpl", text);
    let result = boogie::parse(&map, file).and_then(|program| boogie::check(&program).map(|_| ()));
    let show = |d: &Diagnostic| {
        let at = map.position(d.primary.span).expect("every problem has a place");
        format!("{}:{} {}", at.line, at.column, d.message)
    };
    result.err().unwrap_or_default().iter().map(show).collect()
}

#[track_caller]
fn accepts(text: &str) {
    assert_eq!(problems(text), Vec::<String>::new());
}

#[track_caller]
fn refuses(text: &str, expected: &[&str]) {
    assert_eq!(problems(text), expected);
}

#[test]
fn types_constants_functions_axioms() {
    accepts(
        r#"
        type {:attr} Ref; type Field a; type Pair a b; type finite Color;
        type Heap = <a>[Ref, Field a]a; type Two t = Pair t t;
        const unique null: Ref; const a, b: int; const c: Ref extends null, unique null complete; const d: Ref extends;
        function {:inline true} add(x: int, y: int) returns (z: int) { x + y }
        function id<a>(x: a): a;
        function unnamed(int, bool) returns (int);
        function shared(i, j: int) returns (bool);
        function {:bvbuiltin "bvadd"} add8(bv8, bv8) returns (bv8);
        axiom (forall x: int :: {add(x, 0)} {:weight 3} add(x, 0) == x);
        axiom (forall<t> x: t :: id(x) == x);
        axiom (exists x, y: int :: x < y && y > x) || false;
        axiom (forall h: Heap, r: Ref, f: Field int :: h[r, f := 3][r, f] == 3);
        axiom (forall p: Two int :: p == p);
        axiom c <: null;
        "#,
    );
}

#[test]
fn expressions() {
    accepts(
        r"
        function f(x: int): int;
        procedure p(m: [int]int, v: bv8, r: real) {
          var x: int; var b: bool; var w: bv16; var l: [int]bool; var y: real;
          x := -x + 2 * 3 - 4 div 5 mod 6 % 7 / 8;
          b := x < 1 <==> x <= 1 <==> !(x != 2);
          b := b ==> b ==> (b <== b);
          b := (b && b && true) || (x == 1 && f(x) >= 2);
          w := v ++ 255bv8; w := 0bv8 ++ w[12:4];
          x := if b then 1 else if !b then 2 else 3;
          l := (lambda i: int :: m[i] > 0);
          x := m[1 := 2][3 := 4][1];
          x := (var t, u := 1, 2; t + u);
          y := r ** 2.0 + 1.5e-3 / real(x); x := int(y);
          x := (x : int);
          b := |{ var t: bool; A: t := x == 1; goto B; B: return t; }|;
          b := (∀ i: int • i ≤ i ∧ ¬(i ≠ i) ⇒ true);
        }",
    );
}

#[test]
fn procedures_and_control_flow() {
    accepts(
        r#"
        var {:shared} g, h: int where g >= 0; var m: [int][int, bool]int;
        procedure {:entrypoint} main<t>({:in} x: int where x > 0, y: t) returns (r: int where r > 0);
          free requires x > 1; requires {:msg "m"} true; modifies g, h; modifies ;
          ensures g == old(g) + 1; free ensures r == x; 
        implementation main<t>(a: int, b: t) returns (s: int) {
          var i, j: int; var k: bool where k;
          start: i, j := 1, 2; m[i][j, true] := 3; havoc i, g;
          outer: while (i < 10) invariant i >= 0; free invariant true; {
            if (*) { break; } else if (j == 2) { break outer; } else { goto end; }
          }
          if {:attr 1} (k) { return; }
          call i := q(i, 1); call q2(); call i := q(*, j); call forall q2(); call q2() | q2();
          assert {:msg "x"} true; assume {:partition} k; assert old(g) == g;
          goto start, end;
          end: return;
        }
        procedure q(x: int, y: int) returns (z: int) { z := x + y; }
        procedure q2() returns () {}
        "#,
    );
}

#[test]
fn concurrency() {
    accepts(
        r"
        var m: mutex; var ms: [int]mutex; var g: int; var t: task; var ts: [int]task;
        procedure {:thread} P() {
          var b: bool; var x, y: int; var u: task;
          async call w(1); call {:async} w(2); async call t := w(3); call {:async} x := w(4); async call x := w(5);
          x := wait t; wait ts[x]; wait (u);
          fork 1 w(1); fork 2, x w(1); fork true w(2); fork -x w(3); fork (x) w(4);
          join 1; join 2, x assign x; join x assign y; join true;
          atomic { g := 1; atomic { assume g == 1; } }
          acquire m; release m; b := tryacquire ms[x]; acquire ms[x + 1]; release ms[x];
          assume {:progress} true; yield; assume {:yield} true;
          if {:fair} (*) { g := 2; }
          while {:fair} (*) { g := 3; }
        }
        procedure w(x: int) returns (r: int) { r := x; }
        ",
    );
}

#[test]
fn contextual_keywords_are_plain_names_elsewhere() {
    let words = [
        "wait",
        "task",
        "atomic",
        "mutex",
        "acquire",
        "release",
        "fork",
        "join",
        "async",
        "yield",
        "tryacquire",
        "par",
        "assign",
        "posts",
        "unique",
        "complete",
        "extends",
        "real",
        "finite",
        "rmode",
        "float",
        "pure",
        "let",
    ];
    for word in words {
        accepts(&format!(
            "var {word}: int; var x: int;
             function f(n: int): int;
             procedure p() {{ {word} := 3; x := {word} + 1; {word}, x := 1, {word}; goto {word}; {word}: x := ({word}); }}"
        ));
        accepts(&format!("var {word}: [int]int; procedure p() {{ {word}[1] := {word}[2]; havoc {word}; }}"));
        accepts(&format!(
            "procedure {word}(x: int) {{ call {word}(x); async call {word}(1); fork 1 {word}(x); }}"
        ));
        if word != "real" {
            accepts(&format!("function {word}(x: int): bool; procedure p() {{ assume {word}(1); }}"));
        }
        accepts(&format!("type {word}; var x: {word}; procedure p(y: {word}, z: [{word}]int) {{ x := y; }}"));
    }
}

#[test]
fn a_users_mutex_is_no_lock() {
    refuses(
        "type mutex; var m: mutex; procedure p() { acquire m; }",
        &["1:51 expected a mutex, found `mutex`"],
    );
    accepts("type mutex; var m, n: mutex; procedure p() { m := n; }");
}

#[test]
fn c2s_dispatch_specifications() {
    accepts(
        "axiom {:dispatch} pending(P) <= 1; var b: bool;
         procedure P() posts P; ensures pending(P) <= old(pending(P)) + 1; { call {:async} {:node p1} P(); }",
    );
}

#[test]
fn several_errors_per_run() {
    refuses(
        "var x int;\nprocedure p() { x := ; y := 1 +; }\nprocedure q( {}\nvar z: int;\nprocedure r() { z = 1; }",
        &[
            "1:7 expected `:`, found `int`",
            "2:22 expected an expression, found `;`",
            "2:32 expected an expression, found `;`",
            "3:14 expected a variable, found `{`",
            "5:19 expected `:=`, found `=`",
        ],
    );
    refuses(
        "var count: int;\nconst c: int;\nfunction f(x: int): bool;\n\
         procedure p(a: int) returns (r: bool) {\n  cuont := 1;\n  c := 2;\n  a := 3;\n  r := 1;\n  count := f(true, 1);\n\
         call r := p();\n  call s();\n  goto nowhere;\n  break;\n  count[1] := 2;\n}",
        &[
            "5:3 unknown variable `cuont`",
            "6:3 constant `c` cannot be assigned",
            "7:3 parameter `a` cannot be assigned",
            "8:8 expected `bool`, found `int`",
            "9:12 function `f` takes 1 argument, found 2",
            "10:11 procedure `p` takes 1 argument, found 0",
            "11:8 unknown procedure `s`",
            "12:8 unknown label `nowhere`",
            "13:3 `break` outside a loop",
            "14:3 this is not a map",
        ],
    );
}

#[test]
fn declarations_that_clash() {
    refuses("var x: int; var x: bool;", &["1:17 variable or constant `x` is declared twice"]);
    refuses("procedure p(x: int, x: int);", &["1:21 `x` is declared twice"]);
    refuses("type A = B; type B = A;", &["1:6 type `A` stands for itself"]);
    refuses("implementation p() {}", &["1:16 unknown procedure `p`"]);
    refuses(
        "procedure p(x: int); implementation p(x: bool) {}",
        &["1:37 implementation of `p` does not fit its procedure"],
    );
    refuses("procedure p() { a: a: return; }", &["1:20 label `a` is used twice"]);
    accepts(
        "procedure {:extern} p(); procedure {:extern} p(); const {:extern} c: int; const {:extern} c: int;",
    );
}

#[test]
fn types_that_do_not_fit() {
    refuses("axiom 1;", &["1:7 expected `bool`, found `int`"]);
    refuses("axiom 1 == true;", &["1:9 the operands have different types: `int` and `bool`"]);
    refuses("axiom 1bv8[9:0] == 1bv9;", &["1:7 bits 9:0 are not in a vector of 8 bits"]);
    refuses("const a: bv8; axiom a + a == a;", &["1:25 expected a number, found `bv8`"]);
    refuses("axiom a && b || c;", &["1:14 `&&` and `||` are mixed without brackets"]);
    refuses("axiom 1 < 2 < 3;", &["1:13 comparisons do not chain"]);
    refuses("var g: int; axiom g == 1;", &["1:19 global variable `g` cannot be used here"]);
    refuses("axiom 256bv8 == 0bv8;", &["1:7 the value does not fit into 8 bits"]);
    refuses(
        "var m: mutex; procedure p() { assume m == m; }",
        &["1:38 mutex `m` is used as a value", "1:43 mutex `m` is used as a value"],
    );
    refuses("procedure p() { var m: mutex; }", &["1:21 mutex `m` is not global"]);
    refuses("var x: imt;", &["1:8 unknown type `imt`"]);
}

#[test]
fn suggestions() {
    let mut map = SourceMap::default();
    let file = map.add("t.bpl", "var counter: int; procedure p() { conuter := 1; }");
    let program = boogie::parse(&map, file).expect("parses");
    let found = boogie::check(&program).expect_err("a name is wrong");
    assert_eq!(found[0].help.as_deref(), Some("did you mean `counter`?"));
}
