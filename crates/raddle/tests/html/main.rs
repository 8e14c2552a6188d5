//! The page of a result, in a real browser.

mod browser;

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use browser::{Browser, Screen};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Pages in a folder of their own.
struct Pages(tempfile::TempDir);

impl Pages {
    fn new() -> Self {
        Pages(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Runs the binary at the root of the project; what it prints.
    fn raddle(&self, arguments: &str, code: i32) -> String {
        let folder = self.0.path().display().to_string();
        let arguments = arguments.split_whitespace().map(|word| word.replace("PAGES", &folder));
        let output =
            Command::new(env!("CARGO_BIN_EXE_raddle")).current_dir(ROOT).args(arguments).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{said}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// The page that a command makes.
    fn page(&self, command: &str) -> PathBuf {
        self.raddle(&format!("{command} --html PAGES/page.html -q"), 1);
        self.path("page.html")
    }

    /// The page of a result that was made up.
    fn page_of(&self, result: &Value) -> PathBuf {
        std::fs::write(self.path("made-up.json"), result.to_string()).unwrap();
        self.raddle("report PAGES/made-up.json -o PAGES/made-up.html", 0);
        self.path("made-up.html")
    }
}

fn open(page: &Path, screen: Screen) -> Browser {
    Browser::open(page, screen)
}

/// Where the page is, and what it tells those who do not see it.
fn step(browser: &mut Browser) -> (String, String) {
    (
        browser.text("document.querySelector('.where-now').textContent"),
        browser.text("document.querySelector('[role=status]').textContent"),
    )
}

fn value_of(browser: &mut Browser, variable: &str) -> Value {
    browser.value(&format!(
        "[...document.querySelectorAll('.values tr')].find(r => r.querySelector('th').textContent === '{variable}')\
         ?.querySelector('.now').textContent ?? null"
    ))
}

#[track_caller]
fn assert_content(browser: &mut Browser) {
    assert_eq!(browser.complaints(), [] as [String; 0]);
    let wide = browser.value("[document.documentElement.scrollWidth, innerWidth]");
    assert!(wide[0].as_u64() <= wide[1].as_u64(), "it is wider than the window: {wide}");
    for (role, name) in browser.focusable() {
        assert!(!name.is_empty() || role == "RootWebArea", "something of role `{role}` has no name");
    }
}

#[test]
fn a_run_can_be_gone_through_forwards_and_backwards() {
    let pages = Pages::new();
    let mut browser = open(&pages.page("explore examples/lost_update.c"), Screen::DESKTOP);
    assert_eq!(
        browser.text("document.querySelector('h2').textContent"),
        "assertion does not hold: counter == 2"
    );
    assert_eq!(browser.text("document.querySelector('header .badge').textContent"), "unsafe");
    assert_eq!(step(&mut browser).0, "The start");
    assert_eq!(value_of(&mut browser, "counter"), "0");
    // By key.
    for _ in 0..5 {
        browser.press("ArrowRight");
    }
    let (place, told) = step(&mut browser);
    assert_eq!(place, "Step 8 of 16");
    assert!(told.contains("count, line 8: counter++, counter = 1"), "{told}");
    assert_eq!(value_of(&mut browser, "counter"), "1");
    assert_eq!(browser.text("document.querySelector('.changed .old').textContent"), "was 0");
    assert!(browser.text("document.querySelector('.line.runs code').textContent").contains("counter++;"));
    assert_eq!(browser.text("document.querySelector('.row.current code').textContent"), "counter++");
    browser.keep_picture("assertion-light");
    browser.press("ArrowLeft");
    assert_eq!(step(&mut browser).0, "Step 7 of 16");
    assert_eq!(value_of(&mut browser, "counter"), "0");
    // By button.
    browser.click("[aria-label='One step forwards']");
    assert_eq!(step(&mut browser).0, "Step 8 of 16");
    assert_eq!(value_of(&mut browser, "counter"), "1");
    browser.click("[aria-label='One step back']");
    browser.click("[aria-label='One step back']");
    assert_eq!(step(&mut browser).0, "Step 6 of 16");
    browser.click("[aria-label='To the end']");
    let (place, told) = step(&mut browser);
    assert_eq!(place, "Step 15 of 16");
    assert!(told.contains("✗ fails here"), "{told}");
    assert!(browser.text("document.querySelector('.line.fails code').textContent").contains("assert"));
    let seen = browser.value(
        "(() => { const line = document.querySelector('.line.fails').getBoundingClientRect(); \
         const box = document.querySelector('.source-text').getBoundingClientRect(); \
         return line.top >= box.top && line.bottom <= box.bottom; })()",
    );
    assert_eq!(seen, true, "the line that fails is in view");
    browser.press("ArrowRight");
    assert_eq!(step(&mut browser).0, "Step 15 of 16");
    browser.click("[aria-label='To the start']");
    assert_eq!(step(&mut browser).0, "The start");
    // By slider, and by a click on a row.
    browser.value(
        "(() => { const s = document.querySelector('[type=range]'); s.value = 3; s.dispatchEvent(new Event('input')); })()",
    );
    assert_eq!(step(&mut browser).0, "Step 6 of 16");
    browser.click("#row-0");
    assert_eq!(step(&mut browser).0, "Step 1 of 16");
    assert_eq!(value_of(&mut browser, "first"), "1");
    // Every step.
    browser.press("a");
    browser.press("End");
    assert_eq!(step(&mut browser).0, "Step 16 of 16");
    assert_content(&mut browser);
}

#[test]
fn a_page_is_light_or_dark() {
    let pages = Pages::new();
    let page = pages.page("explore examples/two_locks.bpl");
    let mut browser = open(&page, Screen::DESKTOP);
    const COLOR: &str = "getComputedStyle(document.body).backgroundColor";
    let light = browser.text(COLOR);
    browser.click("[aria-label='Light or dark']");
    let dark = browser.text(COLOR);
    assert_ne!(light, dark);
    browser.press("t");
    assert_eq!(browser.text(COLOR), light);
    let mut browser = open(&page, Screen::DARK);
    assert_eq!(browser.text(COLOR), dark);
    browser.press("End");
    let (place, told) = step(&mut browser);
    assert_eq!(place, "The end");
    assert!(told.contains("left, line 9: acquire b;, ✗ blocked here"), "{told}");
    assert_eq!(value_of(&mut browser, "a.owner"), "left");
    browser.keep_picture("deadlock-dark");
    assert_content(&mut browser);
}

#[test]
fn a_lasso_goes_round_and_a_phone_is_wide_enough() {
    let pages = Pages::new();
    let mut browser = open(&pages.page("live examples/giving_way.bpl"), Screen::PHONE);
    browser.press("End");
    assert_eq!(step(&mut browser).0, "Step 9 of 9");
    browser.press("ArrowRight");
    let (place, told) = step(&mut browser);
    assert_eq!(place, "Step 4 of 9");
    assert!(told.starts_with("Round again: "), "{told}");
    assert_eq!(browser.value("document.querySelectorAll('.loop').length > 0"), true);
    assert_eq!(browser.value("document.querySelectorAll('.row.in-lasso').length"), 6);
    browser.press("ArrowRight");
    browser.keep_picture("lasso-phone");
    // Where lines are short, statements go on in the next one.
    let cut = "[...document.querySelectorAll('.what code, .value')].filter(e => e.scrollWidth > e.clientWidth + 1).length";
    assert_eq!(browser.value(cut), 0);
    assert_content(&mut browser);
    browser.resize(Screen { width: 320, ..Screen::PHONE });
    assert_content(&mut browser);
    browser.resize(Screen::DESKTOP);
    browser.keep_picture("lasso-light");
}

#[test]
fn the_accesses_of_a_violation_have_numbers() {
    let pages = Pages::new();
    let mut browser = open(
        &pages.page("predict tests/c/atomicity/lost_update.c --simulate --check atomicity,race"),
        Screen::DARK,
    );
    let numbers = "[...document.querySelectorAll('.row .access-number')].map(e => e.textContent).join()";
    assert_eq!(browser.text("document.querySelector('.title .badge').textContent"), "atomicity violation");
    browser.press("End");
    assert_eq!(browser.text(numbers), "1,2,3");
    let code = "[...document.querySelectorAll('.row.access code')].map(e => e.textContent).join()";
    assert_eq!(browser.text(code), "counter++,counter++,counter++");
    assert_eq!(browser.value("document.querySelectorAll('.chip').length"), 3);
    assert_eq!(browser.value("document.querySelectorAll('.block').length"), 1);
    browser.keep_picture("atomicity-dark");
    browser.click(".chip");
    let (_, told) = step(&mut browser);
    assert!(told.contains("line 12: counter++"), "{told}");
    // The next finding is a race: where both accesses could happen.
    browser.press("]");
    assert_eq!(browser.text("document.querySelector('.title .badge').textContent"), "data race");
    assert_eq!(browser.text("document.querySelector('[aria-current]').textContent"), "data race, line 12");
    browser.press("End");
    assert_eq!(browser.text(numbers), "1,2");
    assert_content(&mut browser);
    browser.resize(Screen::PHONE);
    browser.keep_picture("race-phone");
    assert_content(&mut browser);
}

#[test]
fn schedules_and_trees_are_drawn() {
    let pages = Pages::new();
    let mut browser = open(&pages.page("verify examples/transfers.bpl"), Screen::DESKTOP);
    browser.press("]");
    assert_eq!(browser.text("document.querySelector('.title .badge').textContent"), "safe schedule 1");
    assert_eq!(browser.value("document.querySelectorAll('.graph').length"), 2);
    assert_eq!(browser.value("document.querySelectorAll('.graph')[1].querySelectorAll('.node').length"), 21);
    browser.keep_picture("schedule-light");
    const VIEW: &str = "document.querySelector('.graph-canvas > g').getAttribute('transform')";
    let before = browser.text(VIEW);
    browser.click("[aria-label='Larger']");
    let larger = browser.text(VIEW);
    assert_ne!(before, larger);
    browser.value("document.querySelector('.graph-box').focus()");
    browser.press("ArrowDown");
    assert_ne!(larger, browser.text(VIEW));
    browser.press("0");
    browser.click(".graph-box .node.event");
    let details = browser.text("document.querySelector('.graph-details').textContent");
    assert!(details.contains("Deposit: while (true)"), "{details}");
    browser.value("document.querySelectorAll('.graph')[1].scrollIntoView()");
    browser.click(".graph:nth-of-type(2) .node.state");
    let details = browser.text("document.querySelectorAll('.graph-details')[1].textContent");
    assert!(details.contains("account1.owner == nil"), "{details}");
    browser.keep_picture("tree-light");
    browser.value("document.querySelectorAll('.graph > details')[1].open = true");
    browser.wait_until("document.querySelectorAll('.graph-text li').length === 21");
    assert_content(&mut browser);
    browser.resize(Screen { dark: true, ..Screen::PHONE });
    browser.keep_picture("tree-phone-dark");
    assert_content(&mut browser);
}

#[test]
fn all_analyses_are_one_page() {
    let pages = Pages::new();
    let mut browser = open(&pages.page("check examples/lost_update.c --no-run"), Screen::DESKTOP);
    let tabs =
        browser.text("[...document.querySelectorAll('nav button')].map(e => e.textContent).join('; ')");
    assert_eq!(tabs, "assertion violation, line 18; data race, line 8; safe schedule 1");
    let known = browser.text("document.querySelector('.title').textContent");
    assert!(known.contains("Found by explore"), "{known}");
    assert!(known.contains("See it again: raddle explore"), "{known}");
    browser.press("[");
    assert_eq!(browser.value("document.querySelectorAll('.graph').length"), 2);
    let about = browser.text("document.querySelector('.about').textContent");
    assert!(about.contains("which schedules are proven safe?"), "{about}");
    browser.keep_picture("check-light");
    assert_content(&mut browser);
}

#[test]
fn help_tells_the_keys() {
    let pages = Pages::new();
    let mut browser = open(&pages.page("explore examples/two_locks.bpl"), Screen::PHONE);
    browser.press("?");
    assert_eq!(browser.value("document.querySelector('dialog').open"), true);
    browser.press("ArrowRight");
    assert_eq!(step(&mut browser).0, "The start");
    assert_content(&mut browser);
    browser.keep_picture("help-phone");
    browser.press("Escape");
    browser.wait_until("!document.querySelector('dialog').open");
}

#[test]
fn report_and_html_make_the_same_page() {
    let pages = Pages::new();
    for command in ["explore examples/lost_update.c", "verify examples/transfers.bpl"] {
        let json = pages.raddle(&format!("{command} --html PAGES/direct.html --format json"), 1);
        std::fs::write(pages.path("result.json"), json).unwrap();
        pages.raddle("report PAGES/result.json -o PAGES/later.html", 0);
        let read = |name: &str| std::fs::read_to_string(pages.path(name)).unwrap();
        assert_eq!(read("direct.html"), read("later.html"));
    }
}

#[test]
fn several_results_are_one_page() {
    let pages = Pages::new();
    for (at, example) in ["explore examples/two_locks.bpl", "live examples/giving_way.bpl"].iter().enumerate()
    {
        let json = pages.raddle(&format!("{example} --format json"), 1);
        std::fs::write(pages.path(&format!("{at}.json")), json).unwrap();
    }
    pages.raddle("report PAGES/0.json PAGES/1.json -o PAGES/both.html", 0);
    let mut browser = open(&pages.path("both.html"), Screen::DESKTOP);
    let tabs =
        browser.text("[...document.querySelectorAll('nav button')].map(e => e.textContent).join('; ')");
    assert_eq!(tabs, "deadlock, line 9; non-termination, line 11");
    browser.click("nav button:nth-of-type(1)");
    browser.press("[");
    assert_eq!(browser.text("document.querySelector('h1').textContent"), "examples/giving_way.bpl");
    assert_content(&mut browser);
    browser.keep_picture("several-light");
}

#[test]
fn whatever_a_program_says_stays_text() {
    const NASTY: &str = "</script><img src=x onerror=alert(1)><script>throw 1</script>\u{202e}\u{0}'\"&";
    let location = json!({"file": NASTY, "line": 1, "column": 1});
    let told = json!([{"location": location, "text": NASTY, "values": [NASTY], "mark": NASTY}]);
    let result = json!({
        "schema": "raddle-result/1", "producer": NASTY, "command": NASTY, "input": NASTY, "verdict": NASTY, "summary": NASTY,
        "next": [NASTY], "checks": [NASTY],
        "violations": [{
            "kind": NASTY, "message": NASTY, "location": location, "threads": [NASTY], "initial": {"__proto__": "1", NASTY: NASTY},
            "steps": [{"thread": NASTY, "location": location, "source": NASTY, "values": {NASTY: "2", "constructor": "3"},
                       "locals": [NASTY], "told": told}],
            "lasso_start": 0, "explanation": {"title": NASTY, "lines": [NASTY]},
        }],
        "sources": [{"file": NASTY, "lines": 1, "parts": [{"first_line": 1, "text": NASTY}]}],
    });
    let pages = Pages::new();
    let mut browser = open(&pages.page_of(&result), Screen::DESKTOP);
    browser.press("ArrowRight");
    assert_eq!(browser.value("document.querySelectorAll('img').length"), 0);
    assert_eq!(browser.value("document.scripts.length"), 2);
    assert!(browser.text("document.querySelector('h2').textContent").starts_with("</script><img"));
    assert_content(&mut browser);
}

#[test]
fn a_result_with_nothing_in_it_is_a_page() {
    let pages = Pages::new();
    let page = pages.page_of(&json!({"schema": "raddle-result/1"}));
    assert_content(&mut open(&page, Screen::PHONE));
    let page = pages.page_of(
        &json!({"schema": "raddle-result/1", "verdict": "safe", "violations": [{}], "schedules": [{}, {"graph": {"kind": "tree"}}]}),
    );
    let mut browser = open(&page, Screen::PHONE);
    browser.press("ArrowRight");
    browser.press("]");
    browser.press("]");
    assert_content(&mut browser);
}

#[test]
fn a_very_long_run_is_cut_and_only_what_is_in_view_is_drawn() {
    let step = |n: usize| {
        let location = json!({"file": "a.c", "line": n % 10 + 1, "column": 1});
        let text = format!("step {}", n + 1);
        let thread = ["a", "b", "c"][n % 3];
        json!({
            "thread": thread, "location": location, "source": text,
            "values": {"x": n.to_string(), "i": n.to_string()}, "locals": ["i"],
            "told": [{"location": location, "text": text, "values": [format!("x = {n}")]}],
        })
    };
    let steps: Vec<Value> = (0..100_000).map(step).collect();
    let result = json!({
        "schema": "raddle-result/1", "command": "explore", "input": "a.c", "verdict": "unsafe",
        "violations": [{"kind": "assertion", "message": "long", "threads": ["a", "b", "c"], "steps": steps}],
        "sources": [{"file": "a.c", "lines": 10, "parts": [{"first_line": 1, "text": "x\n".repeat(9) + "y"}]}],
    });
    let pages = Pages::new();
    let mut browser = open(&pages.page_of(&result), Screen::DESKTOP);
    browser.press("End");
    assert_eq!(step_number(&mut browser), "Step 100,000 of 100,000");
    assert_eq!(value_of(&mut browser, "x"), "99999");
    browser.press("ArrowLeft");
    assert_eq!(value_of(&mut browser, "x"), "99998");
    assert_eq!(browser.value("document.querySelectorAll('.row').length < 200"), true);
    browser.value(
        "(() => { const s = document.querySelector('[type=range]'); s.value = 10001; s.dispatchEvent(new Event('input')); })()",
    );
    let (_, told) = self::step(&mut browser);
    assert!(told.contains("50,000 steps left out"), "{told}");
    assert_eq!(value_of(&mut browser, "x"), "59999");
    browser.keep_picture("long-light");
    assert_content(&mut browser);
}

/// Twenty threads on a phone: what they do can still be read.
#[test]
fn many_threads_leave_room_for_what_they_do() {
    let threads: Vec<String> = (1..=20).map(|n| format!("worker#{n}")).collect();
    let location = json!({"file": "a.c", "line": 1, "column": 1});
    let step = |thread: &String| json!({"thread": thread, "location": location, "told": [{"location": location, "text": "counter = counter + 1"}]});
    let steps: Vec<Value> = threads.iter().map(step).collect();
    let result = json!({
        "schema": "raddle-result/1", "command": "explore", "input": "a.c", "verdict": "unsafe",
        "violations": [{"kind": "assertion", "message": "many", "threads": threads, "steps": steps}],
        "sources": [{"file": "a.c", "lines": 1, "parts": [{"first_line": 1, "text": "x"}]}],
    });
    let pages = Pages::new();
    let mut browser = open(&pages.page_of(&result), Screen::PHONE);
    browser.press("End");
    let narrowest = "Math.min(...[...document.querySelectorAll('.card')].map(e => e.clientWidth)) / document.querySelector('.lane-list').clientWidth";
    assert!(browser.value(narrowest).as_f64().unwrap() > 0.5);
    let cut =
        "[...document.querySelectorAll('.what')].filter(e => e.scrollHeight > e.clientHeight + 4).length";
    assert_eq!(browser.value(cut), 0);
    assert_eq!(browser.value("document.querySelector('.lane-names').clientHeight < 90"), true);
    browser.keep_picture("many-phone");
    assert_content(&mut browser);
}

fn step_number(browser: &mut Browser) -> String {
    step(browser).0
}
