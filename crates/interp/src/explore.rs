//! The explicit-state explorer.
//!
//! States are stored as bytes in a hash set. Each is expanded once: every enabled thread takes a step with every
//! sequence of choices. Runs are not stored; they are found again from the states' parents when needed.

mod expand;
mod trace;

use std::collections::BTreeSet;

use ir::{OpRef, Program};
use source::Span;

use crate::code::{Code, Pc};
use crate::compile::compile;
use crate::delay::Delaying;
use crate::graph::Graph;
use crate::machine::Machine;
use crate::pack::{StateId, StateSet, pack, unpack};
use crate::response::{Moment, Waiting, Watched};
use crate::run::{Config, Cut, Limits, Run, Scheduler, SearchOrder, ViolationKind};
use crate::step::Outcome;
use crate::word::Word;

/// How far an exploration is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// States stored.
    pub states: usize,
    /// States that are still to be expanded.
    pub pending: usize,
    /// Steps taken.
    pub transitions: u64,
    /// Bytes that the states take.
    pub memory: usize,
}

/// Whether to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// Go on.
    Continue,
    /// Stop with what there is.
    Stop,
}

/// What an exploration did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistics {
    /// States stored.
    pub states: usize,
    /// Steps taken.
    pub transitions: u64,
    /// Bytes per state, the hash table included.
    pub bytes_per_state: f64,
}

/// A violation and the run that shows it.
#[derive(Clone, Debug)]
pub struct Violation {
    /// What is wrong.
    pub kind: ViolationKind,
    /// In words.
    pub message: String,
    /// The op it is about.
    pub at: OpRef,
    /// Its source.
    pub span: Span,
    /// The other access of a data race.
    pub other: Option<(OpRef, Span)>,
    /// The run that shows it.
    pub run: Run,
}

/// The values of the globals in a state in which all threads have completed, by name; `*` is any value.
pub type Valuation = Vec<(String, String)>;

/// What came out.
#[derive(Clone, Debug)]
pub struct Exploration {
    /// Violations, in the order in which they were found.
    pub violations: Vec<Violation>,
    /// Whether every state was expanded (or the search ended at a violation).
    pub finished: bool,
    /// Runs that could not be followed, each with an op at which that happened.
    pub cuts: Vec<(Cut, Option<OpRef>, Span)>,
    /// Whether some choice was from a part of its type only: integers from the range, elements of sorts.
    pub limited: bool,
    /// Whether the reduction was applied.
    pub reduced: bool,
    /// Final valuations, if asked for.
    pub valuations: Vec<Valuation>,
    /// Figures.
    pub statistics: Statistics,
}

/// Explores a valid program. `control` is called every so often and can stop the exploration.
pub fn explore(
    program: &Program,
    config: &Config,
    control: &mut dyn FnMut(&Progress) -> Flow,
) -> Exploration {
    let code = compile(program, config.switch_at);
    let mut explorer = Explorer::new(&code, *config, control);
    explorer.add_initial_states();
    let finished = explorer.search();
    explorer.finish(finished)
}

/// How often `control` is called, in words of states that steps were tried on. A single state can have millions of successors,
/// so counting states would not do; and a step costs as much as its state is large.
const REPORT_EVERY: u64 = 1 << 20;
/// What a step costs besides, in words.
const STEP_COST: u64 = 64;

pub(crate) struct Explorer<'c> {
    code: &'c Code,
    config: Config,
    control: &'c mut dyn FnMut(&Progress) -> Flow,
    /// Whether `control` has said stop.
    stopped: bool,
    /// Work done since `control` was called, in words.
    work: u64,
    /// States expanded.
    done: usize,
    delaying: Option<(Delaying, u32)>,
    reduced: bool,
    machine: Machine<'c>,
    pub(crate) states: StateSet,
    /// For each state, one from which a step leads to it; itself for initial states.
    parents: Vec<StateId>,
    expanded: Vec<bool>,
    /// States to expand, in depth-first order; breadth-first order is that of the ids.
    stack: Vec<StateId>,
    transitions: u64,
    violations: Vec<Violation>,
    /// Violations seen, so that each is reported once.
    seen: BTreeSet<(ViolationKind, Pc)>,
    cuts: BTreeSet<(Cut, Option<Pc>)>,
    valuations: BTreeSet<Vec<Word>>,
    /// The state graph, if anybody needs it.
    pub(crate) graph: Option<Graph>,
    /// The state being expanded.
    base: Vec<Word>,
    packed: Vec<u8>,
}

impl<'c> Explorer<'c> {
    pub(crate) fn new(code: &'c Code, config: Config, control: &'c mut dyn FnMut(&Progress) -> Flow) -> Self {
        let delaying = match config.scheduler {
            Scheduler::All => None,
            Scheduler::Df(most) => Some((Delaying::Df, most)),
            Scheduler::Dfw(most) => Some((Delaying::Dfw, most)),
        };
        let checks = config.checks;
        let mut limits = config.limits;
        if delaying.is_none() || checks.non_termination.is_some() {
            // Who can step is a set of threads.
            limits.threads = limits.threads.min(Limits::MOST_EXPLORED);
        }
        let reduced =
            config.reduction && delaying.is_none() && !checks.races && checks.non_termination.is_none();
        let mut machine = Machine::new(code, config.int_range, limits, delaying.is_some());
        machine.watched = checks.response.map(Watched::new);
        Explorer {
            code,
            config,
            control,
            stopped: false,
            work: 0,
            done: 0,
            delaying,
            reduced,
            machine,
            states: StateSet::new(),
            parents: Vec::new(),
            expanded: Vec::new(),
            stack: Vec::new(),
            transitions: 0,
            violations: Vec::new(),
            seen: BTreeSet::new(),
            cuts: BTreeSet::new(),
            valuations: BTreeSet::new(),
            graph: checks.non_termination.map(|_| Graph::default()),
            base: Vec::new(),
            packed: Vec::new(),
        }
    }

    pub(crate) fn add_initial_states(&mut self) {
        self.machine.oracle.reset();
        loop {
            match self.machine.initialise() {
                Outcome::Moved => {
                    let (id, new) = self.store();
                    if new {
                        self.parents[id as usize] = id;
                    }
                }
                Outcome::Cut(cut) => {
                    self.cuts.insert((*cut, None));
                }
                Outcome::Blocked | Outcome::Failed(_) => {}
            }
            if self.should_stop() || !self.machine.oracle.advance() {
                return;
            }
        }
    }

    /// Counts a step; whether `control` has said stop.
    fn should_stop(&mut self) -> bool {
        self.work += self.machine.words.len() as u64 + STEP_COST;
        if self.work >= REPORT_EVERY && !self.stopped {
            self.work = 0;
            let progress = self.progress();
            self.stopped = (self.control)(&progress) == Flow::Stop;
        }
        self.stopped
    }

    /// Stores the machine's state.
    fn store(&mut self) -> (StateId, bool) {
        let (id, new) = self.states.insert(pack(&self.machine.words, &mut self.packed));
        if new {
            self.parents.push(id);
            self.expanded.push(false);
            if self.config.order == SearchOrder::DepthFirst {
                self.stack.push(id);
            }
        }
        (id, new)
    }

    /// Keeps the state graph.
    pub(crate) fn keep_graph(&mut self) {
        self.graph = Some(Graph::default());
    }

    /// Expands states until there are none left, enough violations are found, or `control` says stop. Whether
    /// it came to its own end.
    pub(crate) fn search(&mut self) -> bool {
        let mut next = 0;
        while !self.stopped {
            let id = match self.config.order {
                SearchOrder::BreadthFirst if next < self.states.len() => {
                    next += 1;
                    StateId::try_from(next - 1).unwrap_or(StateId::MAX)
                }
                SearchOrder::BreadthFirst => break,
                SearchOrder::DepthFirst => match self.stack.pop() {
                    Some(id) => id,
                    None => break,
                },
            };
            self.expand(id);
            self.done += 1;
            if self.violations.len() >= self.config.most_violations {
                return true;
            }
        }
        if self.stopped {
            return false;
        }
        if let Some(fairness) = self.config.checks.non_termination
            && let Some(graph) = self.graph.take()
        {
            let progress = self.progress();
            let moments = self.moments();
            let waiting = moments.map(|moments| Waiting::new(&graph, &moments));
            let states = waiting.as_ref().map_or_else(|| graph.states(), Waiting::states);
            let found = graph.fair_cycle(states, fairness, &mut || (self.control)(&progress) == Flow::Stop);
            match found {
                Ok(None) => {}
                Ok(Some(cycle)) => self.report_lasso(&cycle, waiting.as_ref()),
                Err(crate::fair_cycle::Stopped) => return false,
            }
        }
        true
    }

    /// What holds in each state, if there is a response property. All that matters of a state was chosen before it was
    /// stored.
    fn moments(&mut self) -> Option<Vec<Moment>> {
        self.config.checks.response?;
        let nothing = Moment { request: false, answer: false };
        let states = 0..StateId::try_from(self.states.len()).unwrap_or(StateId::MAX);
        let moments = states.map(|id| {
            self.load_base(id);
            self.machine.load(&self.base);
            self.machine.moment().ok().flatten().unwrap_or(nothing)
        });
        Some(moments.collect())
    }

    fn progress(&self) -> Progress {
        Progress {
            states: self.states.len(),
            pending: self.states.len() - self.done,
            transitions: self.transitions,
            memory: self.memory(),
        }
    }

    fn memory(&self) -> usize {
        let graph = self.graph.as_ref().map_or(0, Graph::memory);
        self.states.memory() + self.parents.len() * 5 + self.machine.maps.bytes() + graph
    }

    fn load_base(&mut self, id: StateId) {
        unpack(self.states.get(id), &mut self.base);
    }

    pub(crate) fn finish(mut self, finished: bool) -> Exploration {
        let states = self.states.len();
        #[expect(clippy::cast_precision_loss, reason = "a figure for people")]
        let bytes_per_state = self.memory() as f64 / states.max(1) as f64;
        let code = self.code;
        let cuts = self.cuts.iter().map(|(cut, pc)| {
            let instr = pc.map(|pc| code.instr(pc));
            (cut.clone(), instr.map(|i| i.origin), instr.map_or(Span::NONE, |i| i.span))
        });
        let cuts = cuts.collect();
        let valuations = self.valuations.iter().map(|words| self.show_valuation(words)).collect();
        // Millions of maps take seconds to free, and nobody has to wait for that. If there is no thread for it, it is done here.
        let maps = std::mem::take(&mut self.machine.maps);
        let _ = std::thread::Builder::new().spawn(move || drop(maps));
        Exploration {
            finished,
            cuts,
            limited: self.machine.oracle.limited,
            reduced: self.reduced,
            valuations,
            statistics: Statistics { states, transitions: self.transitions, bytes_per_state },
            violations: self.violations,
        }
    }

    fn show_valuation(&self, words: &[Word]) -> Valuation {
        let variables = self.code.globals.iter().filter(|g| g.is_variable);
        variables.zip(words).map(|(g, &word)| (g.name.clone(), self.machine.show(word, &g.ty))).collect()
    }
}
