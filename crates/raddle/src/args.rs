//! The arguments.

mod values;

use std::path::PathBuf;

use clap::{ArgAction, Args, Parser, Subcommand};
use engine::IntRange;

use crate::failure::Failure;
use crate::program::ProgramOptions;
use crate::settings::{self, Misread};
use crate::solver::SolverOptions;
pub(crate) use values::*;

/// Finds concurrency bugs, explains them and replays them
#[derive(Debug, Parser)]
#[command(name = "raddle", version, max_term_width = 100)]
#[command(
    after_help = "Exit codes: 0 nothing wrong found, 1 a violation was found, 2 the input or the command \
                        is wrong, 3 undecided."
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Arguments {
    /// A command line that was made here.
    pub(crate) fn of(words: Vec<std::ffi::OsString>) -> Result<Self, Failure> {
        settings::parse(words).map_err(|misread| match misread {
            Misread::Arguments(error) => Failure::Input(error.to_string()),
            Misread::Settings(failure) => failure,
        })
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run every analysis that applies, and tell on one page what is wrong
    Check(Box<CheckOptions>),
    /// Explore every state of a small finite program
    Explore(Box<ExploreOptions>),
    /// Search a few unusual orders of tasks: delay-bounded, with an SMT solver
    Async(Box<AsyncOptions>),
    /// Search for executions that go on for ever under a fair scheduler
    Live(Box<LiveOptions>),
    /// Find schedules that are proven safe, and whether all are
    Verify(Box<VerifyOptions>),
    /// Run a program in C or C++ and keep it on a safe schedule
    Run(Box<RunOptions>),
    /// Run a program in C or C++, or one that `raddle cc` built, and record what happens
    Record(Box<RecordOptions>),
    /// Show what is in a recorded run
    Trace(TraceOptions),
    /// Compile C as clang does, so that the program can be recorded: CC="raddle cc" make
    #[command(disable_help_flag = true)]
    Cc(CompilerOptions),
    /// Compile C++ as clang++ does, so that the program can be recorded
    #[command(name = "c++", disable_help_flag = true)]
    Cxx(CompilerOptions),
    /// Look for violations in other orders of the events of one run
    Predict(Box<PredictOptions>),
    /// Turn a program into a sequential one, for verifiers that know no tasks
    Sequentialize(Box<SequentializeOptions>),
    /// Show a violation again that was kept in a witness file, or repeat a recorded run
    Replay(ReplayOptions),
    /// Make a page for browsers from the JSON result of any analysis
    Report(ReportOptions),
    /// Explain a kind of violation, or a verdict
    Explain(ExplainOptions),
    /// Write what a shell needs to complete commands and options
    Completions(CompletionsOptions),
    /// Write the manual pages into a folder
    Man(ManOptions),
}

#[derive(Debug, Args)]
pub(crate) struct CheckOptions {
    #[command(flatten)]
    pub(crate) program: ProgramOptions,
    /// What to look for [default: all there is; memory and race in C and C++ only]
    #[arg(long, value_name = "KINDS", value_delimiter = ',')]
    pub(crate) check: Vec<CheckKind>,
    /// Procedures whose bodies are meant to be indivisible
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) atomic: Vec<String>,
    /// Keep what is found in this folder: runs for `raddle replay`, schedules for `raddle run`
    #[arg(long, value_name = "DIR")]
    pub(crate) keep: Option<PathBuf>,
    /// Do not run the compiled program: neither to predict from a run of it, nor to try violations on it
    #[arg(long)]
    pub(crate) no_run: bool,
    /// How many analyses run at once [default: as many as there are cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=64))]
    pub(crate) jobs: Option<u64>,
    #[command(flatten)]
    pub(crate) budget: BudgetOptions,
    #[command(flatten)]
    pub(crate) output: OutputOptions,
}

#[derive(Debug, Args)]
pub(crate) struct ExplainOptions {
    /// A kind of violation, or a verdict; without one, all are listed
    #[arg(ignore_case = true, value_parser = crate::explain::words())]
    pub(crate) what: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct CompletionsOptions {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub(crate) struct ManOptions {
    /// The folder
    pub(crate) folder: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct ExploreOptions {
    #[command(flatten)]
    pub(crate) program: ProgramOptions,
    /// What to look for; default: assertion,deadlock, and memory in C and C++ (no deadlock under a delay-bounding scheduler)
    #[arg(long, value_name = "KINDS", value_delimiter = ',')]
    pub(crate) check: Vec<Kind>,
    /// Look for infinite executions of this fairness [default with --check non-termination: strong]
    #[arg(long)]
    pub(crate) fairness: Option<FairnessName>,
    /// Look for infinite executions in which P holds and Q never does from then on
    #[arg(long, value_name = "P ~> Q")]
    pub(crate) responds: Option<String>,
    /// What nondeterministic integers are chosen from [default: -4..4]
    #[arg(long, value_name = "LO..HI", allow_hyphen_values = true)]
    #[arg(value_parser = int_range)]
    pub(crate) int_range: Option<IntRange>,
    /// Which schedules to explore
    #[arg(long, default_value = "all")]
    pub(crate) scheduler: SchedulerName,
    /// How many delays df and dfw may use [default: 2]
    #[arg(long, value_name = "K")]
    pub(crate) delays: Option<u32>,
    /// Where threads can be switched: before every step that others can see, or at yield only
    #[arg(long, default_value = "visible")]
    pub(crate) switch_at: SwitchName,
    /// Explore every order of independent steps
    #[arg(long)]
    pub(crate) no_reduction: bool,
    /// Shortest counterexamples (bfs), or deep states first (dfs)
    #[arg(long, default_value = "bfs")]
    pub(crate) search: SearchName,
    /// List the values that the globals can have when all threads have completed
    #[arg(long)]
    pub(crate) values: bool,
    /// Stop after this many violations
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) violations: u64,
    /// Most threads at once [default: 32]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=63))]
    pub(crate) max_threads: Option<u64>,
    /// Most nested procedure calls of a thread
    #[arg(long, value_name = "N", default_value_t = 256)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(crate) max_frames: u64,
    #[command(flatten)]
    pub(crate) budget: BudgetOptions,
    /// Write the violation to a file that `raddle replay` shows again
    #[arg(long, value_name = "FILE")]
    pub(crate) witness: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputOptions,
}

#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct BudgetOptions {
    /// Stop after this many seconds with what there is
    #[arg(long, value_name = "S", value_parser = positive, allow_negative_numbers = true)]
    pub(crate) timeout: Option<f64>,
    /// Stop when this much memory is used [default: 4, or half of the machine's if that is less]
    #[arg(long, value_name = "GB", value_parser = positive, allow_negative_numbers = true)]
    pub(crate) memory: Option<f64>,
}

#[derive(Debug, Args)]
pub(crate) struct AsyncOptions {
    #[command(flatten)]
    pub(crate) program: ProgramOptions,
    /// Which schedules to search
    #[arg(long, default_value = "dfw")]
    pub(crate) scheduler: DelayingName,
    /// The most delays: 0, 1, ... K are tried one after the other
    #[arg(long, value_name = "K", default_value_t = 2, value_parser = clap::value_parser!(u32).range(0..=100))]
    pub(crate) delays: u32,
    /// Where tasks can be switched: before every step that others can see, or at yield only
    #[arg(long, default_value = "visible")]
    pub(crate) switch_at: SwitchName,
    /// Search under both schedulers and compare them
    #[arg(long, conflicts_with = "scheduler")]
    pub(crate) compare: bool,
    /// How often a run may go round a loop, or call a procedure inside itself
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(0..=100_000))]
    pub(crate) unroll: u32,
    /// Where a question is hard for the solver, look at up to so many states of the program first; 0 never does
    #[arg(long, value_name = "N", default_value_t = 500_000)]
    pub(crate) states: u64,
    #[command(flatten)]
    pub(crate) solver: SolverOptions,
    /// Most threads at once when a violation is replayed [default: 100000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(crate) max_threads: Option<u64>,
    /// Most nested procedure calls of a thread when a violation is replayed
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(crate) max_frames: u64,
    #[command(flatten)]
    pub(crate) budget: BudgetOptions,
    /// Write the violation to a file that `raddle replay` shows again
    #[arg(long, value_name = "FILE")]
    pub(crate) witness: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputOptions,
}

#[derive(Debug, Args)]
pub(crate) struct LiveOptions {
    #[command(flatten)]
    pub(crate) program: ProgramOptions,
    /// The most rounds before what is repeated; in a round, each thread runs once
    #[arg(long, value_name = "K1", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(crate) stem: u32,
    /// The most rounds in what is repeated
    #[arg(long, value_name = "K2", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(crate) lasso: u32,
    /// Which infinite executions count
    #[arg(long, default_value = "strong")]
    pub(crate) fairness: FairnessName,
    /// Only those count in which P holds and Q never does from then on
    #[arg(long, value_name = "P ~> Q")]
    pub(crate) responds: Option<String>,
    /// How often a run may go round a loop, or call a procedure inside itself, until it repeats
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(0..=100_000))]
    pub(crate) unroll: u32,
    /// Where a question is hard for the solver, look at up to so many states of the program first; 0 never does
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub(crate) states: u64,
    #[command(flatten)]
    pub(crate) solver: SolverOptions,
    /// Most threads at once when an execution is replayed [default: 63]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=63))]
    pub(crate) max_threads: Option<u64>,
    /// Most nested procedure calls of a thread when an execution is replayed
    #[arg(long, value_name = "N", default_value_t = 1000)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(crate) max_frames: u64,
    #[command(flatten)]
    pub(crate) budget: BudgetOptions,
    /// Write the execution to a file that `raddle replay` shows again
    #[arg(long, value_name = "FILE")]
    pub(crate) witness: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputOptions,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyOptions {
    #[command(flatten)]
    pub(crate) program: ProgramOptions,
    /// What must not happen; default: assertion,deadlock, and memory in C and C++
    #[arg(long, value_name = "KINDS", value_delimiter = ',')]
    pub(crate) check: Vec<Kind>,
    /// Write each safe schedule to this folder as soon as it is found, and violations as `raddle replay` shows them
    #[arg(long, value_name = "DIR")]
    pub(crate) schedules: Option<PathBuf>,
    /// How much the schedules that are written are optimised: 0 as found, 1 relaxed, 2 replicated
    #[arg(long, value_name = "LEVEL", default_value_t = 1, value_parser = clap::value_parser!(u8).range(0..=2))]
    pub(crate) opt: u8,
    /// Stop when the verdict is known, at the first safe schedule, or when all schedules were looked at
    #[arg(long, default_value = "complete")]
    pub(crate) until: UntilName,
    /// The most schedules to find one after the other, before all are looked at at once
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_schedules: u64,
    /// Draw each schedule and the tree that proves it into this folder, with graphviz
    #[arg(long, value_name = "DIR")]
    pub(crate) dot: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) solver: SolverOptions,
    /// Most threads ever started [default: 32]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=63))]
    pub(crate) max_threads: Option<u64>,
    /// Most nested procedure calls of a thread
    #[arg(long, value_name = "N", default_value_t = 256)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(crate) max_frames: u64,
    #[command(flatten)]
    pub(crate) budget: BudgetOptions,
    /// Write the violation to a file that `raddle replay` shows again
    #[arg(long, value_name = "FILE")]
    pub(crate) witness: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputOptions,
}

#[derive(Debug, Args)]
pub(crate) struct RunOptions {
    #[command(flatten)]
    pub(crate) program: ProgramOptions,
    /// The schedule, as `raddle verify --schedules DIR` writes them [default: the first that is found]
    #[arg(long, value_name = "FILE")]
    pub(crate) schedule: Option<PathBuf>,
    /// How much a schedule that is found is optimised: 0 as found, 1 relaxed, 2 replicated [default: 2, or 0 if
    /// the program may go on without it]
    #[arg(long, value_name = "LEVEL", value_parser = clap::value_parser!(u8).range(0..=2))]
    #[arg(conflicts_with = "schedule")]
    pub(crate) opt: Option<u8>,
    /// What to do if the program leaves its schedule: stop it (exit code 112), or let it go on without. For that it has to take all
    /// of its locks, as at level 0
    #[arg(long, default_value = "abort")]
    pub(crate) on_divergence: OnDivergence,
    /// Stop the program when it has passed this many progress marks (raddle_progress)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) progress: Option<u64>,
    /// Keep the instrumented program in this file, and what it needs to know of its schedule in FILE.schedule: then
    /// RADDLE_SCHEDULE=FILE.schedule FILE runs it again
    #[arg(long, value_name = "FILE")]
    pub(crate) keep: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) solver: SolverOptions,
    #[command(flatten)]
    pub(crate) budget: BudgetOptions,
    /// Say nothing but what the program says
    #[arg(short, long)]
    pub(crate) quiet: bool,
    /// Whether to use colours
    #[arg(long, default_value = "auto", value_name = "WHEN")]
    pub(crate) color: ColorName,
}

#[derive(Debug, Args)]
pub(crate) struct RecordOptions {
    #[command(flatten)]
    pub(crate) program: ProgramOptions,
    /// The file to write the trace to
    #[arg(short, long, value_name = "TRACE")]
    pub(crate) output: PathBuf,
    /// Say nothing but what the program says
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CompilerOptions {
    /// What clang takes: files and options
    #[arg(value_name = "CLANG'S", trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) arguments: Vec<std::ffi::OsString>,
}

#[derive(Debug, Args)]
pub(crate) struct TraceOptions {
    /// The file that `raddle record` wrote
    pub(crate) trace: PathBuf,
    /// Show every event, too
    #[arg(long)]
    pub(crate) events: bool,
    /// Show at most this many events
    #[arg(long, value_name = "N", requires = "events")]
    pub(crate) limit: Option<u64>,
    /// Show only the events of this thread
    #[arg(long, value_name = "T", requires = "events")]
    pub(crate) thread: Option<u32>,
}

#[derive(Debug, Args)]
pub(crate) struct PredictOptions {
    #[command(flatten)]
    pub(crate) program: ProgramOptions,
    /// What to look for; default: atomicity,race,deadlock,assertion, and memory in C and C++ (race only in C and C++)
    #[arg(long, value_name = "KINDS", value_delimiter = ',')]
    pub(crate) check: Vec<PredictKind>,
    /// Procedures whose bodies are meant to be indivisible
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) atomic: Vec<String>,
    /// How potential violations of atomicity are decided
    #[arg(long, default_value = "symbolic")]
    pub(crate) method: MethodName,
    /// Let the interpreter make the run, even if the program can be compiled and run: each thread runs until it is blocked
    #[arg(long)]
    pub(crate) simulate: bool,
    /// Let the interpreter make the run with a random scheduler
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Do not try violations on the compiled program
    #[arg(long)]
    pub(crate) no_run: bool,
    /// The most steps of the run
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_steps: u64,
    /// How many steps of the run are looked at together
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(2..))]
    pub(crate) window: u64,
    #[command(flatten)]
    pub(crate) solver: SolverOptions,
    /// Most threads at once [default: 1000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(crate) max_threads: Option<u64>,
    /// Most nested procedure calls of a thread
    #[arg(long, value_name = "N", default_value_t = 1000)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(crate) max_frames: u64,
    #[command(flatten)]
    pub(crate) budget: BudgetOptions,
    /// Write the violation to a file that `raddle replay` shows again
    #[arg(long, value_name = "FILE")]
    pub(crate) witness: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputOptions,
}

#[derive(Debug, Args)]
pub(crate) struct SequentializeOptions {
    #[command(flatten)]
    pub(crate) program: ProgramOptions,
    /// Write the sequential program, in Boogie, to this file [default: standard output]
    #[arg(short, long, value_name = "OUT.bpl")]
    pub(crate) output: Option<PathBuf>,
    /// The schedules that the sequential program has
    #[arg(long, default_value = "dfw")]
    pub(crate) scheduler: SequentialName,
    /// How many delays df and dfw may use
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u32).range(0..=100))]
    pub(crate) delays: u32,
    /// With lasso: the most rounds before what is repeated
    #[arg(long, value_name = "K1", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(crate) stem: u32,
    /// With lasso: the most rounds in what is repeated
    #[arg(long, value_name = "K2", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(crate) lasso: u32,
    /// With lasso: which infinite executions count
    #[arg(long, default_value = "strong")]
    pub(crate) fairness: FairnessName,
    /// Where tasks can be switched: before every step that others can see, or at yield only
    #[arg(long, default_value = "visible")]
    pub(crate) switch_at: SwitchName,
    /// No warnings
    #[arg(short, long)]
    pub(crate) quiet: bool,
    /// Whether to use colours
    #[arg(long, default_value = "auto", value_name = "WHEN")]
    pub(crate) color: ColorName,
}

#[derive(Debug, Args)]
pub(crate) struct ReplayOptions {
    /// The file that `--witness` or `raddle record` wrote
    #[arg(value_name = "FILE")]
    pub(crate) witness: PathBuf,
    /// Try it even if the program has changed since
    #[arg(long)]
    pub(crate) force: bool,
    /// Of a witness of a program in C or C++: only show it, and do not force it on the compiled program
    #[arg(long)]
    pub(crate) no_run: bool,
    /// Of a witness: how often the compiled program goes round what is repeated [default: 10]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) lasso_rounds: Option<u32>,
    /// How many seconds the compiled program may take [default: 10 for a witness, as long as it likes for a trace]
    #[arg(long, value_name = "S", value_parser = positive)]
    pub(crate) timeout: Option<f64>,
    /// Run the compiled program under gdb, which stops where the run ends
    #[arg(long, conflicts_with_all = ["no_run", "timeout"])]
    pub(crate) gdb: bool,
    /// Of a trace: the program, if it is not where it was
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) program: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputOptions,
    /// Of a trace: other arguments for the program than it had
    #[arg(last = true, value_name = "ARGS")]
    pub(crate) arguments: Vec<std::ffi::OsString>,
}

#[derive(Debug, Args)]
pub(crate) struct ReportOptions {
    /// What an analysis wrote with `--format json`; several results become one page
    #[arg(value_name = "RESULT.json", required = true)]
    pub(crate) results: Vec<PathBuf>,
    /// The page to write
    #[arg(short, long, value_name = "REPORT.html")]
    pub(crate) output: PathBuf,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct OutputOptions {
    /// Write the result as a page for browsers, too: one file, with everything in it
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// For people, or for programs
    #[arg(long, default_value = "human")]
    pub(crate) format: Format,
    /// The verdict only
    #[arg(short, long, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Every step and every value
    #[arg(short, long, action = ArgAction::SetTrue)]
    pub(crate) verbose: bool,
    /// Whether to use colours
    #[arg(long, default_value = "auto", value_name = "WHEN")]
    pub(crate) color: ColorName,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        Arguments::command().debug_assert();
    }
}
