//! Hostile input: no panic, no hang, no stack overflow, whatever the bytes.

use source::{Diagnostic, SourceMap};

fn run(text: impl Into<String>) -> Result<(), Vec<Diagnostic>> {
    let mut map = SourceMap::default();
    let file = map.add("t.bpl", text);
    let result = boogie::parse(&map, file).and_then(|program| boogie::check(&program).map(|_| ()));
    // Whatever comes of it, it comes.
    let entry = if map.file(file).text().contains("main") { None } else { Some("p") };
    let lowered = boogie::load(&map, file, entry);
    for problems in [result.as_ref().err(), lowered.as_ref().err()].into_iter().flatten() {
        assert!((1..=20).contains(&problems.len()));
        assert!(!source::render_all(&map, problems, false).is_empty());
    }
    result
}

fn expression(e: &str) -> String {
    format!("const a: int; const b: bool; const m: [int]int; axiom ({e}) == 0 || true;")
}

#[test]
fn empty_and_odd_files() {
    run("").expect("nothing is wrong with nothing");
    run("\u{feff}// only a comment").expect("a comment");
    for text in
        ["\0", "/*", "\"", "{", "}", "(", "é", "\\", "procedure", "var", "type a b c", "axiom -", "0x", "1bv"]
    {
        let _ = run(text);
    }
}

#[test]
fn long_chains_are_fine() {
    run(expression(&vec!["a"; 100_000].join(" + "))).expect("a long sum");
    run(format!("const b: bool; axiom {};", vec!["b"; 100_000].join(" ==> "))).expect("a long implication");
    run(format!("const b: bool; axiom {};", vec!["b"; 100_000].join(" && "))).expect("a long conjunction");
    run(expression(&format!("{} 0", "if b then 1 else ".repeat(100_000)))).expect("a long conditional");
    let arms = "else if (b) { x := 1; } ".repeat(50_000);
    run(format!("const b: bool; procedure p() {{ var x: int; if (b) {{ }} {arms} }}")).expect("a long if");
    run(expression(&format!("m{}[0]", "[1 := 2]".repeat(900)))).expect("stores");
    let sum = vec!["x"; 100_000].join(" + ");
    run(format!("var x: int; procedure p() {{ x := {sum}; }}")).expect("a long sum in a statement");
    let body = "atomic { x := x + 1; } if (x > 1) { x := 2; } ".repeat(5_000);
    run(format!("var x: int; procedure p() {{ {body} }}")).expect("a long body");
}

#[test]
fn deep_nesting_is_refused() {
    const DEEP: usize = 100_000;
    let nested =
        |open: &str, core: &str, close: &str| format!("{}{core}{}", open.repeat(DEEP), close.repeat(DEEP));
    for e in [
        nested("(", "a", ")"),
        nested("m[", "a", "]"),
        nested("-", "a", ""),
        nested("f(", "a", ")"),
        nested("(forall i: int :: ", "b", ")"),
        nested("if ", "b", " then 1 else 2"),
        format!("m{}", "[1 := 2]".repeat(DEEP)),
        format!("m{}", "[1]".repeat(DEEP)),
        vec!["a"; DEEP].join(" ** "),
        nested("1 + (2 * (b ==> (", "a", ")))"),
    ] {
        let problems = run(expression(&e)).expect_err("too deep");
        let message = &problems[problems.len() - 1].message;
        assert!(message.contains("levels"), "{message}");
    }
    for body in
        [nested("{", "", "}"), nested("if (*) {", "", "}"), nested("atomic {", "", "}"), "{".repeat(DEEP)]
    {
        run(format!("procedure p() {{ {body} }}")).expect_err("too deep");
    }
    run(format!("var x: {}int;", "[int]".repeat(DEEP))).expect_err("too deep");
    run(format!("var x: {}", "(".repeat(DEEP))).expect_err("too deep");
    run(nested("/*", "", "*/")).expect("comments nest without the stack");
}

#[test]
fn what_is_allowed_does_not_overflow() {
    let nested =
        |open: &str, core: &str, close: &str| format!("{}{core}{}", open.repeat(120), close.repeat(120));
    run(expression(&nested("(1 + 2 * (", "a", "))"))).expect("deep enough for people");
    run(format!("procedure p() {{ {} }}", nested("if (*) { while (*) {", "", "} }")))
        .expect("deep statements");
}

#[test]
fn synonyms_do_not_blow_up() {
    let mut text = "type T0 = int;".to_owned();
    for n in 1..100 {
        text += &format!("type T{n} = [T{}]T{};", n - 1, n - 1);
    }
    text += "var x, y: T99; procedure p() { x := y; }";
    run(text.clone()).expect("linear");
    run(text + "axiom (forall x: T99 :: x);").expect_err("and the message is short");
    let mut chain = String::new();
    for n in 0..50_000 {
        chain += &format!("type U{n} = U{};", n + 1);
    }
    run(chain + "type U50000;").expect_err("too deep");
    let mut tower = "type V0;".to_owned();
    for n in 1..50_000 {
        tower += &format!("type V{n} = [int]V{};", n - 1);
    }
    run(tower).expect_err("too high");
}

#[test]
fn many_lines_and_long_lines_take_linear_time() {
    let text = "procedure p() { var x: int; x := 1; x := x + 1; assume x > 0; }\n";
    let many: String = (0..20_000).map(|n| text.replace("p()", &format!("p{n}()"))).collect();
    run(many).expect("many procedures");
    let _ = run("@ ".repeat(2_000_000));
    let _ = run("x".repeat(10_000_000));
    let _ = run("9".repeat(10_000_000));
    let _ = run(";{".repeat(2_000_000));
    let _ = run("procedure p() { x := ".repeat(300_000));
}

const SEED: &str = r#"
type T a; const unique c: int; var m: mutex; var g: [int]int; var x: int; var t: task;
function {:bvbuiltin "bvadd"} f(a: bv8, b: bv8): bv8; axiom (forall i: int :: {g2(i)} i < c ==> i != c + 1);
function g2(i: int): int { if i > 0 then i else -i }
procedure {:entrypoint} main(p: int) returns (r: int) requires p > 0; modifies x; ensures x == old(x);
{ var b: bool; L: while {:fair} (*) invariant b; { atomic { assume b; g[1] := 2; } if (b) { break L; } else { goto L; } }
  async call t := main(1); r := wait t; fork 1, 2 main(3); join 1, 2 assign r; acquire m; b := tryacquire m; release m;
  call r := main(x) | r := main(2); havoc x, r; assert |{ A: return b; }|; r := (var y := 1; y); yield; return; }
"#;

/// xorshift: the same noise on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % bound.max(1) as u64).unwrap_or(0)
    }
}

#[test]
fn mutated_programs_never_panic() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let pieces: Vec<&str> = SEED.split_inclusive([' ', ';', '(', ')', '{', '}', ',']).collect();
    for _ in 0..4_000 {
        let mut text: Vec<&str> = pieces.clone();
        for _ in 0..=random.below(6) {
            let at = random.below(text.len());
            match random.below(4) {
                0 => drop(text.remove(at)),
                1 => text.insert(at, pieces[random.below(pieces.len())]),
                2 => text[at] = pieces[random.below(pieces.len())],
                _ => {
                    text[at] = ["{:", "::", "\"", "\u{3bb}", "|{", "1bv", "<a>", "old", "\0", "/*"]
                        [random.below(10)];
                }
            }
        }
        let _ = run(text.concat());
    }
}

#[test]
fn random_bytes_never_panic() {
    let mut random = Random(42);
    for _ in 0..500 {
        let bytes: Vec<u8> =
            (0..random.below(300)).map(|_| u8::try_from(random.below(256)).unwrap_or(0)).collect();
        let _ = run(String::from_utf8_lossy(&bytes).into_owned());
    }
}
