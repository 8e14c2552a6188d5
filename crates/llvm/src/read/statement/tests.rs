use super::*;

/// What is quoted for the first place of `|` in a text, which is taken out.
fn quote(marked: &str) -> String {
    let point = marked.find('|').expect("the text marks a place");
    let text = marked.replacen('|', "", 1);
    let start = text[..point].rfind('\n').map_or(0, |at| at + 1);
    let end = text[point..].find('\n').map_or(text.len(), |at| point + at);
    let line = &text[start..end];
    let range = start + line.len() - line.trim_start().len()..start + line.trim_end().len();
    let quoted = Statements::of(&text).around(&text, point, range);
    text[quoted].to_string()
}

#[test]
fn a_statement_goes_to_its_semicolon() {
    assert_eq!(quote("void f(void) {\n  a = 1; count = |count + 1; b = 2;\n}"), "count = count + 1");
    assert_eq!(quote("void f(void) {\n  |x++; // comment\n}"), "x++");
    assert_eq!(quote("void f(void) {\n  /* ; */ x|++ /* { */;\n}"), "x++");
}

#[test]
fn heads_are_quoted_without_bodies() {
    assert_eq!(quote("f() { if (x| == 1) y = 2; }"), "if (x == 1)");
    assert_eq!(quote("f() { if (x == 1) |y = 2; }"), "y = 2");
    assert_eq!(quote("f() { if (a) b; else if (|c) d; }"), "if (c)");
    assert_eq!(quote("f() { while (!(|flag)) ; }"), "while (!(flag))");
    assert_eq!(quote("f() { switch (|n) { case 1: a(); } }"), "switch (n)");
    assert_eq!(quote("f() { do x(); while (|y); }"), "while (y)");
    assert_eq!(quote("f() { do |x(); while (y); }"), "x()");
    assert_eq!(quote("int |main(void)\n{\n}"), "int main(void)");
    assert_eq!(quote("f() { if constexpr (|N) g(); }"), "if constexpr (N)");
}

#[test]
fn the_pieces_of_a_for_are_apart() {
    let text = "f() { for (int i = 0; i < n; i++) g(i); }";
    let at = |place: &str| quote(&text.replacen(place, &format!("|{place}"), 1));
    assert_eq!(at("i = 0"), "int i = 0");
    assert_eq!(at("i < n"), "i < n");
    assert_eq!(at("i++"), "i++");
    assert_eq!(at("for"), "for (int i = 0; i < n; i++)");
    assert_eq!(at("g(i)"), "g(i)");
    assert_eq!(quote("f() { for (;;|) g(); }"), "for (;;)");
    assert_eq!(quote("f() { for (auto x : |list) g(x); }"), "for (auto x : list)");
}

#[test]
fn labels_do_not_belong_to_their_statements() {
    assert_eq!(quote("f() { switch (n) { case 1: |a(); break; default: b(); } }"), "a()");
    assert_eq!(quote("f() { switch (n) { case 1: a(); break; default: |b(); } }"), "b()");
    assert_eq!(quote("f() { again: |x = y ? a : b; }"), "x = y ? a : b");
    assert_eq!(quote("f() { std::|sort(v); }"), "std::sort(v)");
}

#[test]
fn literals_hide_punctuation() {
    assert_eq!(quote("f() { puts(\"; { \\\" ;\"|); b; }"), "puts(\"; { \\\" ;\")");
    assert_eq!(quote("f() { a = ';'; b = |'{'; c; }"), "b = '{'");
    assert_eq!(quote("f() { a = R\"x(;)\";)x\"|; c; }"), ";");
    assert_eq!(quote("f() { a =| R\"x(;)\";)x\"; c; }"), "a = R\"x(;)\";)x\"");
    assert_eq!(quote("f() { a = 1'000; |b = 2; }"), "b = 2");
    assert_eq!(quote("f() { a = 'ä'; |größe = '\\\u{e4}'; }"), "größe = '\\\u{e4}'");
}

#[test]
fn braces_of_values_do_not_end_statements() {
    assert_eq!(quote("f() { int a[] = {1, |2, 3}; }"), "int a[] = {1, 2, 3}");
    assert_eq!(quote("f() { g((struct p){|1, 2}); }"), "g((struct p){1, 2})");
    assert_eq!(quote("f() { struct p x = {}; |y = 1; }"), "y = 1");
    assert_eq!(quote("f() {} int |g() {}"), "int g()");
}

#[test]
fn a_lambda_has_its_own_statements() {
    let text = "f() { std::thread t([&] { x++; y++; }); t.join(); }";
    let at = |place: &str| quote(&text.replacen(place, &format!("|{place}"), 1));
    assert_eq!(at("y++"), "y++");
    assert_eq!(at("t([&]"), "std::thread t([&] { x++; y++; })");
    assert_eq!(at("t.join"), "t.join()");
}

#[test]
fn the_quote_starts_in_the_line_of_the_place() {
    assert_eq!(quote("f() {\n  g(a,\n    |b);\n}"), "b)");
    assert_eq!(quote("f() {\n  |g(a,\n    b);\n}"), "g(a,\n    b)");
    assert_eq!(quote("f() {\n  |g(1,\n2,\n3,\n4,\n5,\n6);\n}"), "g(1,");
}

#[test]
fn where_there_is_no_statement_a_brace_or_line_is_quoted() {
    assert_eq!(quote("f() {\n  x;\n|}"), "}");
    assert_eq!(quote("#define F(x) x; |y\nf() {}"), "#define F(x) x; y");
}

#[test]
fn preprocessor_lines_do_not_count() {
    assert_eq!(quote("f() {\n#if 0 /* { */ \\\n  {\n#endif\n  |x = 1;\n}"), "x = 1");
}

#[test]
fn any_text_can_be_cut() {
    let text = "f() { if ((a { b; } ) ] for (;{ 'x \" \\ R\"( /* é : :: ? ;} } } else do #\n #x\\";
    for start in (0..text.len()).filter(|&at| text.is_char_boundary(at)) {
        for end in (start..=text.len()).filter(|&at| text.is_char_boundary(at)) {
            let part = &text[start..end];
            let statements = Statements::of(part);
            for point in 0..=part.len() {
                let quoted = statements.around(part, point, 0..part.len());
                assert!(part.get(quoted).is_some());
            }
        }
    }
}
