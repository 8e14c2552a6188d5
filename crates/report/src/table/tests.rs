use super::*;

fn row(step: usize, thread: usize, line: usize, text: &str, values: &[&str]) -> Row {
    Row {
        step: Some(step),
        thread,
        location: Some(engine::Location { file: "a.c".to_owned(), line, column: 1 }),
        text: text.to_owned(),
        values: values.iter().map(|&v| v.to_owned()).collect(),
        mark: None,
    }
}

fn rows() -> Vec<Row> {
    vec![row(1, 0, 9, "x := 0;", &["x = 0"]), row(2, 2, 10, "seen := x;", &["seen = 0", "other = 1"])]
}

#[test]
fn each_thread_that_does_something_has_a_column() {
    let threads = ["main".to_owned(), "idle".to_owned(), "worker".to_owned()];
    let table = Table { threads: &threads, rows: rows() };
    let wide = "
   │ main                │ worker
   │ ─────────────────── │ ────────────────────────────────────
 1 │  9 x := 0;  → x = 0 │
 2 │                     │ 10 seen := x;  → seen = 0, other = 1
";
    assert_eq!(format!("\n{}", table.render(100, false)), wide);
    let narrow = "
   │ main                │ worker
   │ ─────────────────── │ ────────────────────────
 1 │  9 x := 0;  → x = 0 │
 2 │                     │ 10 seen := x;
   │                     │    → seen = 0, other = 1
";
    assert_eq!(format!("\n{}", table.render(52, false)), narrow);
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    let threads: Vec<String> = (0..8).map(|n| format!("thread number {n}")).collect();
    let long = "a := b + ".repeat(30);
    let mut rows: Vec<Row> =
        (0..8).map(|n| row(n, n, n * 100, &long, &["some_long_name = 1234567", "ä = \"日本\""])).collect();
    rows[3].mark =
        Some("does not hold, and that is a very long story that nobody reads to its end".to_owned());
    for count in 1..8 {
        for width in [60, 80, 100, 200] {
            let rows = rows[..count].to_vec();
            let text = Table { threads: &threads, rows }.render(width, false);
            for line in text.lines() {
                assert!(line.width() <= width, "{} > {width}:\n{text}", line.width());
            }
        }
    }
}

#[test]
fn many_threads_share_one_column() {
    let threads: Vec<String> = (0..8).map(|n| format!("t{n}")).collect();
    let rows = (0..16).map(|n| row(n + 1, n / 2, 7, "x := x + 1;", &[])).collect();
    let text = Table { threads: &threads, rows }.render(80, false);
    assert!(text.starts_with(" 1 │ t0 │ 7 x := x + 1;\n 2 │    │ 7 x := x + 1;\n 3 │ t1"), "{text}");
}

#[test]
fn a_paragraph_is_broken_between_words() {
    assert_eq!(paragraph("one two three", "- ", "  ", 9), "- one two\n  three\n");
    assert_eq!(paragraph("averyverylongword b", "", " ", 5), "averyverylongword\n b\n");
    assert_eq!(paragraph("short", "   ", "     ", 100), "   short\n");
}
