//! Results for people and machines.
//!
//! A [`Report`] is everything there is to tell about one run of a command. It renders as text for people
//! ([`human`]), as JSON in the schema `raddle-result/1` ([`json`]), as SARIF ([`sarif()`]), as JUnit's XML ([`junit()`]) and in
//! lines as compilers write them ([`short()`]). A page for browsers is made from the JSON of one or several ([`html`]). Nothing
//! is printed here: all of them are strings.

mod blocked;
mod check;
mod ending;
mod explanations;
mod graph;
mod html;
mod human;
mod json;
mod junit;
mod lasso;
mod paint;
mod places;
mod repeated;
mod sarif;
mod short;
mod steps;
mod story;
mod sv_witness;
mod table;
mod words;

use std::time::Duration;

use engine::{Attempt, Bounds, Checks, Figures, Reason, Valuation, Verdict};
use ir::Program;
use source::SourceMap;

pub use check::{Analysis, CheckVerdict, Checked, Outcome, Problem, Refuge};
pub use explanations::{KINDS, explanation};
pub use graph::{EdgeKind, Graph, GraphEdge, GraphKind, GraphNode, NodeKind};
pub use html::{PageError, html};
pub use human::{Detail, Style, human, human_check};
pub use json::{RESULT_SCHEMA, json, json_check};
pub use junit::{junit, junit_check};
pub use repeated::{Repeated, repeated_json};
pub use sarif::{sarif, sarif_check};
pub use short::{short, short_check};
pub use story::one_line;
pub use sv_witness::{Inexpressible, Origin, sv_witness};
pub use words::{attempt_line, reason_sentence};

/// What a command did, to be told in any format.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// The command: `explore`.
    pub command: &'a str,
    /// The program's file as the user named it.
    pub input: &'a str,
    /// The program.
    pub program: &'a Program,
    /// Its source.
    pub map: &'a SourceMap,
    /// The answer.
    pub verdict: &'a Verdict,
    /// The bounds it was sought in.
    pub bounds: &'a Bounds,
    /// What was looked for.
    pub checks: Checks,
    /// Why not everything was explored although violations were found, if so.
    pub incomplete: Option<&'a Reason>,
    /// Final valuations of the globals, if asked for.
    pub valuations: Option<&'a [Valuation]>,
    /// What the exploration took, if there was one.
    pub figures: Option<Figures>,
    /// The searches made, each within larger bounds than the one before, if there were several.
    pub attempts: &'a [Attempt],
    /// Safe schedules, in the order in which they were found.
    pub schedules: &'a [Scheduled],
    /// What a search for schedules took, if there was one.
    pub tree: Option<TreeFigures>,
    /// The tree that proves that every schedule is safe, if it was found and is to be drawn.
    pub proof: Option<&'a Graph>,
    /// What a prediction looked at, if there was one.
    pub predicted: Option<&'a Predicted>,
    /// What the whole command took.
    pub cost: Cost,
    /// Whether waits on condition variables that end without a signal were looked at.
    pub wakeups: Wakeups,
    /// The witness file of each violation, as far as they were written.
    pub witnesses: &'a [String],
    /// What the compiled program did when the run was forced on it.
    pub compiled: Option<Compiled<'a>>,
}

/// Whether a program has a wait for a condition variable that nothing but a signal ends. C allows more, and so may what is safe here go
/// wrong there.
#[must_use]
pub fn waits_for_signals(program: &ir::Program) -> bool {
    let mut stmts = program.procs.values().flat_map(ir::Proc::stmts);
    stmts.any(|(_, _, stmt)| matches!(&stmt.op, ir::Op::Sync(sync) if sync.kind == ir::SyncKind::CondWait))
}

/// Whether waits on condition variables that end without a signal were looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wakeups {
    /// Only what the program, as it was read, says.
    #[default]
    AsRead,
    /// Safe both with and without them.
    Both,
    /// Safe without them; what is told is about the program with them.
    With,
}

/// What a compiled program did when a run was forced on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compiled<'a> {
    /// Whether it was what the run says.
    pub reproduced: bool,
    /// In words.
    pub what: &'a str,
    /// Where it left the run, if it did.
    pub left: Option<&'a Left>,
}

/// Where a compiled program left a run.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Left {
    /// The thread.
    pub thread: String,
    /// Where it is; nothing at its end.
    pub at: Option<String>,
    /// Where the run has it; nothing if that does not have it do anything more there.
    pub expected: Option<String>,
}

/// A safe schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scheduled {
    /// Counted from 1.
    pub number: usize,
    /// The order of threads.
    pub order: String,
    /// What it permits beyond the one before, if there is one.
    pub added: Option<String>,
    /// How many nodes it has.
    pub nodes: usize,
    /// How long it took to find it.
    pub time: Duration,
    /// The file that it was written to.
    pub file: Option<String>,
    /// The program schedule, if it is to be drawn.
    pub graph: Option<Graph>,
    /// The tree that proves it, if it is to be drawn.
    pub tree: Option<Graph>,
}

impl Scheduled {
    /// Its drawings.
    fn graphs(&self) -> impl Iterator<Item = &Graph> {
        self.graph.iter().chain(&self.tree)
    }
}

/// What a search for schedules took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TreeFigures {
    /// Nodes of all trees.
    pub nodes: u64,
    /// Questions to the solver.
    pub queries: u64,
}

/// What a prediction looked at: the figures of Table 1 of the paper.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Predicted {
    /// Where the run came from.
    pub run: String,
    /// Threads of it.
    pub threads: usize,
    /// Variables that are shared.
    pub shared: usize,
    /// Ops of the run.
    pub ops: usize,
    /// Events of it: steps that others can see.
    pub events: usize,
    /// Events that are left after simplification.
    pub simplified: usize,
    /// Transactions.
    pub regions: usize,
    /// Potential violations of atomicity.
    pub potential: usize,
    /// Those left after what must happen before what.
    pub after_happens_before: usize,
    /// Those left after locks.
    pub after_locksets: usize,
    /// Those that are real; nothing if that was not asked.
    pub real: Option<usize>,
    /// Questions to the solver.
    pub queries: u64,
    /// Windows.
    pub windows: usize,
    /// Whether the first violation is that of the run itself.
    pub is_own: bool,
    /// What was taken for a transaction: why, in words, and how often.
    pub transactions: Vec<Transaction>,
    /// What else there is to say.
    pub notes: Vec<String>,
}

/// Code that was taken for a transaction.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Transaction {
    /// Which.
    pub block: String,
    /// Whether nobody said so.
    pub inferred: bool,
    /// How often it was executed.
    pub count: usize,
}

/// What a command took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    /// Time from start to end.
    pub total: Duration,
    /// Time for reading the program.
    pub load: Duration,
    /// What of that went where, if the program is C or C++.
    pub frontend: Option<FrontendCost>,
    /// The most bytes of memory that the process had at once, if known.
    pub peak_memory: Option<u64>,
}

/// What it took to read a program in C or C++.
#[derive(Clone, Copy, Debug, Default)]
pub struct FrontendCost {
    /// Time for clang, with the files of the program.
    pub compile: Duration,
    /// Time for the rest: to read what clang made, with library functions, and to make a program of ours of it.
    pub lower: Duration,
}

/// Whether something is a text of the program, or a character of one: it never changes.
fn is_text(name: &str) -> bool {
    name.starts_with('"')
}

/// Whether a name is that of a variable of the program, and not of a part of a synchronization object.
fn is_own_global(program: &Program, name: &str) -> bool {
    let looks = &program.presentation;
    let own = |span| looks.libraries.is_empty() || !looks.is_library(span);
    let made_up =
        |name: &str| ["_Z", "__raddle_", "agg.tmp", "ref.tmp"].iter().any(|begin| name.starts_with(begin));
    program.globals.values().any(|global| {
        global.name == name && global.ty.sync_inside().is_none() && own(global.span) && !made_up(name)
    })
}
