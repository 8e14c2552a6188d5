//! Programs of the paper and others, with what comes of them.

use impact::{Options, Outcome, Pace, Until, Verdict, verify};

fn load(text: &str) -> ir::Program {
    let mut map = source::SourceMap::default();
    let file = map.add("text.bpl", text);
    boogie::load(&map, file, None).expect("is a program").program
}

fn run(text: &str, until: Until) -> Outcome {
    run_within(text, until, u64::MAX)
}

/// Stops when it was asked that often whether to go on.
fn run_within(text: &str, until: Until, most: u64) -> Outcome {
    run_at(text, until, most, Pace::Even)
}

fn run_at(text: &str, until: Until, most: u64, pace: Pace) -> Outcome {
    let program = load(text);
    let mut asked = 0;
    let config = engine::Config::default();
    let options = Options { until, max_schedules: 4, pace };
    let mut solver = smt::Z3::new();
    let outcome = verify(
        &program,
        &config,
        &options,
        &mut solver,
        &mut |_| {
            asked += 1;
            (asked <= most).then(smt::Limits::default)
        },
        &mut || Box::new(smt::Z3::new()),
        &mut |_| {},
    )
    .expect("can be verified");
    eprintln!(
        "{:?} nodes {} queries {} schedules {:?} findings {:?}",
        name(&outcome.verdict),
        outcome.statistics.nodes,
        outcome.statistics.queries,
        outcome.schedules.iter().map(|s| s.art.nodes.len()).collect::<Vec<_>>(),
        outcome.findings.iter().map(|f| f.message().to_owned()).collect::<Vec<_>>()
    );
    outcome
}

fn name(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Safe(_) => "safe".to_owned(),
        Verdict::PartiallySafe => "partially-safe".to_owned(),
        Verdict::Unsafe => "unsafe".to_owned(),
        Verdict::Unknown(reason) => format!("unknown: {reason:?}"),
    }
}

fn verdict(text: &str) -> String {
    name(&run(text, Until::Complete).verdict)
}

const DOUBLE_LOCK: &str = "
var a, b: mutex;
procedure {:thread} T1() { while (true) { acquire a; acquire b; release b; release a; } }
procedure {:thread} T2() { while (true) { acquire b; acquire a; release a; release b; } }
";

const FIGURE_1: &str = "
var m: mutex; var count: int;
const N: int; axiom N > 0;
procedure {:thread} T1() { count := 0; while (true) { acquire m; if (count < N) { count := count + 1; } else { assert false; } release m; } }
procedure {:thread} T2() { while (true) { acquire m; if (count > 0) { count := count - 1; } else { assert false; } release m; } }
";

#[test]
fn a_deadlock_that_a_schedule_avoids() {
    assert_eq!(verdict(DOUBLE_LOCK), "partially-safe");
    assert_eq!(
        verdict(&DOUBLE_LOCK.replace(
            "acquire b; acquire a; release a; release b;",
            "acquire a; acquire b; release b; release a;"
        )),
        "safe"
    );
}

#[test]
fn figure_1() {
    assert_eq!(verdict(FIGURE_1), "partially-safe");
}

#[test]
fn figure_13() {
    for size in [5, 1000] {
        for pairs in [1, 2, 4] {
            let mut text = format!("var m: mutex; var count: int;
procedure main() {{ var i: int; count := 0; {} }}
procedure P() {{ while (true) {{ acquire m; if (count != {size}) {{ assert count < {size}; count := count + 1; }} release m; }} }}
procedure C() {{ while (true) {{ acquire m; if (count > 0) {{ count := count - 1; assert count >= 0; }} release m; }} }}
", "async call P(); ".repeat(pairs) + &"async call C(); ".repeat(pairs));
            text.push('\n');
            let started = std::time::Instant::now();
            let outcome = run(&text, Until::FirstSchedule);
            eprintln!("{pairs}p{pairs}c{size}b first {:?}", started.elapsed());
            assert_eq!(outcome.schedules.len(), 1);
            if pairs <= 2 {
                let started = std::time::Instant::now();
                let outcome = run(&text, Until::Complete);
                eprintln!("{pairs}p{pairs}c{size}b complete {:?}", started.elapsed());
                assert_eq!(name(&outcome.verdict), "safe");
            }
        }
    }
}

/// The threads that run one after the other in what is repeated for ever, each once for all that it does in a row.
fn turns(art: &schedule::Art) -> Vec<u32> {
    let mut seen = Vec::new();
    let mut at = art.resolve(schedule::Art::ROOT);
    while !seen.iter().any(|(node, _)| *node == at) {
        let choice = &art.nodes[at].choices[0];
        seen.push((at, choice.thread));
        at = art.resolve(choice.edges[0].target);
    }
    let start = seen.iter().position(|(node, _)| *node == at).unwrap_or(0);
    let mut turns: Vec<u32> = seen[start..].iter().map(|(_, thread)| *thread).collect();
    turns.dedup();
    turns
}

/// Producers fill the buffer and consumers empty it, a pair of them after the other.
#[test]
fn at_a_long_pace_threads_change_rarely() {
    let text = "var m: mutex; var count: int;
procedure main() { count := 0; async call P(); async call P(); async call C(); async call C(); }
procedure P() { while (true) { acquire m; if (count < 5) { count := count + 1; } release m; } }
procedure C() { while (true) { acquire m; if (count > 0) { count := count - 1; } release m; } }
";
    let even = run(text, Until::FirstSchedule);
    let long = run_at(text, Until::FirstSchedule, u64::MAX, Pace::Long);
    let (even, long) = (&even.schedules[0].art, &long.schedules[0].art);
    assert_eq!(turns(even).len(), 4, "one round each");
    let turns = turns(long);
    let pairs: std::collections::BTreeSet<Vec<u32>> = turns.chunks(2).map(<[u32]>::to_vec).collect();
    assert!(turns.len() < long.nodes.len() / 10, "{} changes in {} steps", turns.len(), long.nodes.len());
    assert!(pairs.len() < turns.len() / 4, "the same pairs take turns: {turns:?}");
}

/// Wherever it is stopped it ends, and says nothing that it does not know.
#[test]
fn it_can_be_stopped_anywhere() {
    let apart = DOUBLE_LOCK.replace("acquire b; acquire a;", "acquire a; acquire b;");
    for (text, answer) in [(apart.as_str(), "safe"), (DOUBLE_LOCK, "partially-safe")] {
        let mut decided = 0;
        for most in 0..200 {
            let verdict = name(&run_within(text, Until::Exhausted, most).verdict);
            assert!(verdict == answer || verdict.starts_with("unknown"), "{verdict} after {most}");
            decided += u32::from(verdict == answer);
        }
        assert!((1..200).contains(&decided), "{answer} {decided} times");
    }
}

/// Counters with large bounds, which nobody can follow value by value.
#[test]
fn bounds_are_inferred() {
    let counters = "
var m: mutex; var n, i, x, y: int;
procedure main() modifies m, n, i, x, y;
{ havoc n; assume n >= 0; i := 0; x := 0; y := 0; async call Work(); async call Work(); async call Look(); }
procedure Work() modifies m, i, x, y;
{ while (true) { acquire m; if (i < n && x < 1000000) { i := i + 1; x := x + 1; y := y + 1; } release m; } }
procedure Look() modifies m;
{ while (true) { acquire m; assert i <= n; assert x == y; assert 0 <= x && x <= 1000000; release m; } }
";
    assert_eq!(verdict(counters), "safe");
    assert_ne!(verdict(&counters.replace("assert i <= n", "assert i < n")), "safe");
}
