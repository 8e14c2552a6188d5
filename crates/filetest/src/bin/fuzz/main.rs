//! The fuzzer: `fuzz TARGET --seconds N --seed S`. To add a target, add a row to [`TARGETS`].
//!
//! The engine runs in a child process, with limited memory, which writes each input down before it tries it. So the input
//! is known even when the child dies or hangs, and it can be made smaller by trying parts of it in further children.

mod words;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Parser;
use filetest::Suite;
use filetest::differential::Compared;
use filetest::fuzz::{self, Inputs, Limits};
use rustix::process::{Resource, Rlimit, setrlimit};
use source::SourceMap;
use wait_timeout::ChildExt;
use walkdir::WalkDir;

/// Something to fuzz.
struct Target {
    name: &'static str,
    /// What it tries, for the list of targets.
    about: &'static str,
    run: Run,
    /// How long one input may take.
    per_input: Duration,
    /// Whether it is run only if it is named: because it needs a program that not everybody has.
    only_if_named: bool,
}

impl Target {
    /// A target like most.
    const fn new(name: &'static str, about: &'static str, run: Run) -> Target {
        Target { name, about, run, per_input: PER_INPUT, only_if_named: false }
    }
}

/// What a target does with an input. It fails by panicking, or by taking too long.
enum Run {
    /// Gets mutations of known inputs.
    Bytes { corpus: fn() -> Vec<Vec<u8>>, dictionary: &'static [&'static str], run: fn(&[u8]) },
    /// Gets random numbers, and makes its own inputs from them.
    Seed { run: fn(u64) },
}

const TARGETS: &[Target] = &[
    Target::new(
        "boogie",
        "the Boogie frontend, up to the IR, and its messages",
        Run::Bytes { corpus: || files(&["bpl"]), dictionary: words::BOOGIE, run: boogie },
    ),
    Target::new(
        "ir",
        "the text format of the IR; what it reads, it prints and reads again",
        Run::Bytes { corpus: ir_texts, dictionary: words::IR, run: ir_text },
    ),
    Target::new(
        "witness",
        "reading witness files, and replaying what is read",
        Run::Bytes { corpus: witnesses, dictionary: words::WITNESS, run: witness },
    ),
    Target::new(
        "programs",
        "random programs: the reduction changes nothing, both renderings agree, and violations replay",
        Run::Seed { run: programs },
    ),
    Target::new(
        "c",
        "random C programs: the interpreter prints what the compiled program prints",
        Run::Seed { run: c_programs },
    ),
    Target::new(
        "directives",
        "reading the directives of test files",
        Run::Bytes {
            corpus: || files(&["ir", "bpl", "c", "cli"]),
            dictionary: words::DIRECTIVE,
            run: directives,
        },
    ),
    Target {
        per_input: Duration::from_secs(60),
        only_if_named: true,
        ..Target::new(
            "csmith",
            "C programs made by csmith: the interpreter prints what the compiled program prints",
            Run::Seed { run: csmith_programs },
        )
    },
];

fn boogie(input: &[u8]) {
    let mut map = SourceMap::default();
    let file = map.add("input.bpl", String::from_utf8_lossy(input));
    match boogie::load(&map, file, None) {
        Ok(loaded) => {
            if let Err(broken) = ir::validate(&loaded.program) {
                panic!("the program that comes out is not valid: {broken:?}");
            }
            read_again(&ir::text::print(&loaded.program));
        }
        Err(diagnostics) => {
            assert!(!diagnostics.is_empty(), "refused without a reason");
            assert!(!source::render_all(&map, &diagnostics, false).is_empty());
        }
    }
}

fn ir_text(input: &[u8]) {
    let mut map = SourceMap::default();
    let file = map.add("input.ir", String::from_utf8_lossy(input));
    match ir::text::parse(&map, file) {
        Ok(program) => read_again(&ir::text::print(&program)),
        Err(diagnostics) => {
            assert!(!diagnostics.is_empty(), "refused without a reason");
            assert!(!source::render_all(&map, &diagnostics, false).is_empty());
        }
    }
}

/// What was printed is read, and printed the same.
fn read_again(printed: &str) {
    let mut map = SourceMap::default();
    let file = map.add("printed.ir", printed);
    match ir::text::parse(&map, file) {
        Ok(program) => assert_eq!(ir::text::print(&program), printed, "printed differently the second time"),
        Err(diagnostics) => {
            panic!("what was printed cannot be read:\n{}", source::render_all(&map, &diagnostics, false))
        }
    }
}

/// Programs in the text format: those of the repository, and what the Boogie frontend makes of its Boogie programs.
fn ir_texts() -> Vec<Vec<u8>> {
    let mut texts = files(&["ir"]);
    for program in files(&["bpl"]) {
        let mut map = SourceMap::default();
        let file = map.add("input.bpl", String::from_utf8_lossy(&program));
        if let Ok(loaded) = boogie::load(&map, file, None) {
            texts.push(ir::text::print(&loaded.program).into_bytes());
        }
    }
    texts
}

/// A program that fails, for witnesses to be about.
fn failing_program() -> ir::Program {
    let mut map = SourceMap::default();
    let file = map.add("lost_update.bpl", include_str!("../../../../../examples/lost_update.bpl"));
    boogie::load(&map, file, None).expect("the example is right").program
}

fn witnesses() -> Vec<Vec<u8>> {
    let program = failing_program();
    let map = SourceMap::default();
    let schedulers = [engine::Scheduler::All, engine::Scheduler::Dfw(1), engine::Scheduler::Df(3)];
    let witness = |scheduler| {
        let config = engine::Config { scheduler, ..engine::Config::default() };
        let (budget, cancel) = (engine::Budget::default(), engine::Cancel::default());
        let outcome = engine::explore(&program, &config, &budget, &cancel, &mut Unobserved);
        let outcome = outcome.expect("what is found is replayed");
        let finding = outcome.verdict.findings().first().expect("the example fails");
        let input = engine::Input { file: String::new(), sha256: String::new(), compiled: None };
        let witness = engine::Witness::new(String::new(), input, None, &config, finding, &map);
        witness.to_json().into_bytes()
    };
    schedulers.into_iter().map(witness).collect()
}

/// Nobody watches, and time stands still.
struct Unobserved;

impl engine::Observer for Unobserved {
    fn now(&self) -> Duration {
        Duration::ZERO
    }

    fn memory(&self) -> Option<u64> {
        None
    }
}

fn witness(input: &[u8]) {
    static PROGRAM: std::sync::LazyLock<ir::Program> = std::sync::LazyLock::new(failing_program);
    if let Ok(witness) = engine::Witness::parse(input) {
        assert_eq!(engine::Witness::parse(witness.to_json().as_bytes()), Ok(witness.clone()));
        // Whether it fits does not matter here; not answering does.
        let _ = engine::confirm(&PROGRAM, &witness.config(None), &witness.run, witness.violation.claim());
    }
}

fn programs(seed: u64) {
    let style = [random::Style::Threads, random::Style::Tasks, random::Style::Mixed][(seed % 3) as usize];
    let program = random::program(seed, style);
    let text = random::to_boogie(&program);
    let mut map = SourceMap::default();
    let file = map.add("random.bpl", text.clone());
    let loaded = boogie::load(&map, file, None).unwrap_or_else(|_| panic!("is refused:\n{text}"));
    let outcome = |program: &ir::Program, reduction| {
        let config = engine::Config { reduction, ..engine::Config::default() };
        // A number of states, not a time: the same program gives the same answer on any machine.
        let (budget, cancel) = (engine::Budget::default(), engine::Cancel::default());
        let mut few = AtMost { states: 100_000, cancel: cancel.clone() };
        let outcome = engine::explore(program, &config, &budget, &cancel, &mut few);
        let outcome = outcome.unwrap_or_else(|error| panic!("{error}:\n{text}"));
        match outcome.verdict {
            engine::Verdict::Safe(_) | engine::Verdict::SafeWithin(..) => Some("safe"),
            engine::Verdict::Unsafe(_)
            | engine::Verdict::PartiallySafe(_)
            | engine::Verdict::Violated(..) => Some("unsafe"),
            engine::Verdict::Unknown(_) => None,
        }
    };
    let direct = random::to_ir(&program);
    let answers = [
        outcome(&direct, true),
        outcome(&direct, false),
        outcome(&loaded.program, true),
        outcome(&loaded.program, false),
    ];
    let mut decided = answers.iter().flatten();
    let first = decided.next();
    assert!(decided.all(|answer| Some(answer) == first), "{answers:?}:\n{text}");
}

fn c_programs(seed: u64) {
    if let Err(problem) = filetest::differential::compare_random(seed) {
        panic!("{problem}");
    }
}

fn csmith_programs(seed: u64) {
    match filetest::differential::compare_csmith(seed) {
        Ok(Compared::Same) => {}
        Ok(Compared::TooLong) => eprintln!("fuzz: csmith: {seed} takes too long"),
        Ok(Compared::NotFollowed(why)) => eprintln!("fuzz: csmith: {seed} {why}"),
        Err(problem) => panic!("{problem}"),
    }
}

/// Cancels an exploration that gets large.
struct AtMost {
    states: usize,
    cancel: engine::Cancel,
}

impl engine::Observer for AtMost {
    fn now(&self) -> Duration {
        Duration::ZERO
    }

    fn memory(&self) -> Option<u64> {
        None
    }

    fn progress(&mut self, phase: engine::Phase) {
        if matches!(phase, engine::Phase::Explore(progress) if progress.states > self.states) {
            self.cancel.cancel();
        }
    }

    fn attempted(&mut self, _: &engine::Attempt) {}
}

fn directives(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    for suite in [Suite::Boogie, Suite::Scripts] {
        // Any answer will do; not answering will not.
        let _ = filetest::check_syntax(suite, &text);
    }
}

/// One input may take this long, unless its target says otherwise.
const PER_INPUT: Duration = Duration::from_secs(5);

/// Making a failing input smaller may take this long.
const SHRINKING: Duration = Duration::from_secs(20);

/// A child that needs more memory dies.
const MOST_MEMORY: u64 = 4 << 30;

/// Feeds parsers and engines with random input.
#[derive(Parser)]
struct Arguments {
    /// What to fuzz; everything in turn when left out, but what needs more programs
    target: Option<String>,
    /// How long, for all targets together
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// Seed of the random numbers
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Try only the input in this file
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,
    /// Run the engine in this process, and write each input into this folder before it is tried
    #[arg(long, value_name = "DIR", hide = true)]
    child: Option<PathBuf>,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// Returns whether everything went well.
fn run(arguments: &Arguments) -> Result<bool> {
    let targets = match &arguments.target {
        None => TARGETS.iter().filter(|target| !target.only_if_named).collect(),
        Some(name) => match TARGETS.iter().find(|target| target.name == name) {
            Some(target) => vec![target],
            None => bail!("there is no target `{name}`; there are:\n{}", list()),
        },
    };
    if let Some(dir) = &arguments.child {
        let Some(target) = targets.first() else { bail!("a child needs a target") };
        return in_child(target, arguments, dir);
    }
    let mut good = true;
    let total = Duration::from_secs(arguments.seconds) / u32::try_from(targets.len()).unwrap_or(1).max(1);
    for target in targets {
        good &= supervise(target, arguments, total)?;
    }
    Ok(good)
}

fn list() -> String {
    TARGETS.iter().map(|target| format!("  {}: {}", target.name, target.about)).collect::<Vec<_>>().join("\n")
}

/// Runs one target in a child and reports what it finds.
fn supervise(target: &Target, arguments: &Arguments, total: Duration) -> Result<bool> {
    println!("fuzz: {} ({}), seed {}", target.name, target.about, arguments.seed);
    let dir = scratch()?;
    let mut command = child(target, dir.path())?;
    command.args(["--seconds", &total.as_secs().max(1).to_string(), "--seed", &arguments.seed.to_string()]);
    command.args(arguments.input.iter().flat_map(|file| [Path::new("--input"), file]));
    let ending = wait(command.spawn()?, total + target.per_input + SHRINKING)?;
    let current = dir.path().join("current");
    let failure = match &ending {
        Ending::Good => return Ok(true),
        Ending::Found => fs::read_to_string(dir.path().join("failure"))?,
        Ending::Broken(what) => what.clone(),
    };
    let input = fs::read(&current).context("the child failed before its first input")?;
    let input = match (&target.run, &ending) {
        (Run::Bytes { .. }, Ending::Broken(_)) => fuzz::shrink(input, SHRINKING, &mut |part| {
            tried_in_child(target, part).is_ok_and(|ending| matches!(ending, Ending::Broken(_)))
        }),
        _ => input,
    };
    let (_, kept) = tempfile::Builder::new()
        .prefix(&format!("raddle-fuzz-{}-", target.name))
        .suffix(".input")
        .tempfile()?
        .keep()?;
    fs::write(&kept, &input)?;
    println!("fuzz: {}: {failure}", target.name);
    println!("fuzz: the input has {} bytes and is in {}", input.len(), kept.display());
    println!("fuzz: to try it again: cargo xtask fuzz {} --input {}", target.name, kept.display());
    Ok(false)
}

/// How a child ended.
enum Ending {
    Good,
    /// It found a failing input and wrote it down, made smaller.
    Found,
    /// It died or hung; the last input it wrote down is to blame.
    Broken(String),
}

fn wait(mut child: Child, limit: Duration) -> Result<Ending> {
    let Some(status) = child.wait_timeout(limit)? else {
        child.kill()?;
        child.wait()?;
        return Ok(Ending::Broken("it does not come to an end".to_owned()));
    };
    Ok(match status.code() {
        Some(0) => Ending::Good,
        Some(1) => Ending::Found,
        Some(2) => bail!("the child process could not do its work"),
        _ => Ending::Broken(format!("the process died: {status}")),
    })
}

/// Tries one input in a child of its own.
fn tried_in_child(target: &Target, input: &[u8]) -> Result<Ending> {
    let dir = scratch()?;
    let file = dir.path().join("part");
    fs::write(&file, input)?;
    wait(
        child(target, dir.path())?.arg("--input").arg(file).stderr(Stdio::null()).spawn()?,
        target.per_input * 2,
    )
}

/// A folder for inputs on their way, in memory where the machine offers that: it is written to thousands of times a second.
fn scratch() -> Result<tempfile::TempDir> {
    let memory = Path::new("/dev/shm");
    Ok(if memory.is_dir() { tempfile::tempdir_in(memory)? } else { tempfile::tempdir()? })
}

fn child(target: &Target, dir: &Path) -> Result<Command> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg(target.name).arg("--child").arg(dir);
    Ok(command)
}

/// The child: tries inputs, writes down each before it is tried, and the failing one, with its failure, last.
fn in_child(target: &Target, arguments: &Arguments, dir: &Path) -> Result<bool> {
    setrlimit(Resource::As, Rlimit { current: Some(MOST_MEMORY), maximum: Some(MOST_MEMORY) })
        .context("cannot limit the memory")?;
    // Panics are findings here; each is reported once, by the parent.
    std::panic::set_hook(Box::new(|_| {}));
    let current = dir.join("current");
    let on_input = |input: &[u8]| match target.run {
        Run::Bytes { run, .. } => run(input),
        Run::Seed { run } => match std::str::from_utf8(input).map(|text| text.trim().parse()) {
            Ok(Ok(seed)) => run(seed),
            _ => eprintln!("fuzz: an input of this target is a number"),
        },
    };
    let finding = if let Some(file) = &arguments.input {
        let input = fs::read(file).with_context(|| format!("cannot read `{}`", file.display()))?;
        fs::write(&current, &input)?;
        fuzz::attempt(&on_input, &input, target.per_input).map(|failure| (input, failure))
    } else {
        let corpus = match target.run {
            Run::Bytes { corpus, .. } => corpus(),
            Run::Seed { .. } => Vec::new(),
        };
        let inputs = match target.run {
            Run::Bytes { dictionary, .. } => Inputs::Mutated { corpus: &corpus, dictionary },
            Run::Seed { .. } => Inputs::Seeds,
        };
        let limits = Limits {
            total: Duration::from_secs(arguments.seconds),
            per_input: target.per_input,
            shrinking: SHRINKING,
        };
        let mut lost = false;
        let mut before = |input: &[u8]| lost |= fs::write(&current, input).is_err();
        let outcome = fuzz::fuzz(inputs, arguments.seed, &limits, &mut before, &on_input);
        println!("fuzz: {}: {} inputs from {} files", target.name, outcome.tried, corpus.len());
        if lost {
            bail!("cannot write inputs to `{}`", dir.display());
        }
        outcome.finding
    };
    let Some((input, failure)) = finding else { return Ok(true) };
    fs::write(&current, input)?;
    fs::write(dir.join("failure"), failure.to_string())?;
    Ok(false)
}

/// The repository's own files with these extensions, in a fixed order.
fn files(extensions: &[&str]) -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = ["tests", "examples", "bench"].map(|folder| root.join(folder));
    let files = folders.iter().flat_map(|folder| WalkDir::new(folder).sort_by_file_name());
    files
        .filter_map(Result::ok)
        .filter(|file| file.path().extension().is_some_and(|e| extensions.iter().any(|known| e == *known)))
        .filter_map(|file| fs::read(file.path()).ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn target_names_are_distinct() {
        for (index, target) in TARGETS.iter().enumerate() {
            assert!(TARGETS[..index].iter().all(|other| other.name != target.name), "{}", target.name);
        }
    }

    #[test]
    fn there_is_a_corpus() {
        assert!(!files(&["bpl"]).is_empty());
    }
}
