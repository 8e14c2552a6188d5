//! Whether a tree shows what is claimed of it.
//!
//! The checker decides by itself, with its own symbolic steps, and shares no code with the engines that make trees:
//! - the root is where the program starts, and its label follows from the initial state (`initial`);
//! - for each thread with a choice, every way in which it can step is impossible, or has an edge to a node whose label
//!   follows, and no checked assertion fails (`consecution`);
//! - a covered node is at the location of the node that covers it, and the label of that one follows (`covering`), if need be
//!   with the threads renamed (`symmetry`).
//!
//! Of a schedule it further asks that those who may run can run (`deadlock`) and that nobody is left out for ever
//! (`fairness`); of a proof of safety, that nobody who can run is missing, except for a partial-order reduction
//! (`expansion`), and that there is no deadlock. Only nodes that are reached from the root count.

mod ask;
mod consecution;
mod covering;
mod deadlock;
mod expansion;
mod fairness;
mod initial;
mod race;
mod refusal;
mod symmetry;

use std::collections::VecDeque;
use std::rc::Rc;

use formula::Unsupported;
use interp::{Checks, SwitchAt};
use ir::{OpRef, Program};
use rustc_hash::FxHashMap;
use smt::{Limits, Solver, TermId};

pub use refusal::{Defect, Refusal};

use crate::symbolic::{Facts, Steps, Symbolic};
use crate::{Art, Node, NodeId, ThreadAt};

/// What a tree is said to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// As a schedule it is safe, free of deadlocks and fair (Definition 5 of the paper).
    Schedule,
    /// Every schedule is safe.
    Safe,
}

/// What to check.
#[derive(Clone, Copy, Debug)]
pub struct Question {
    /// What the tree is said to show.
    pub claim: Claim,
    /// What counts as a violation. Schedules are free of deadlocks in any case, and infinite executions never count.
    pub checks: Checks,
    /// Where threads can be switched.
    pub switch_at: SwitchAt,
}

/// What a successful check took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Nodes that are reached from the root.
    pub nodes: usize,
    /// Ways of steps that were compared with edges.
    pub steps: u64,
    /// Questions to the solver.
    pub questions: u64,
}

/// The state of a check.
struct Checker<'a> {
    program: &'a Program,
    art: &'a Art,
    question: Question,
    symbolic: Symbolic<'a>,
    answers: ask::Answers,
    has_axioms: bool,
    /// Whether the program treats all threads alike, once that was asked.
    symmetric: Option<bool>,
    solver: &'a mut dyn Solver,
    watch: &'a dyn Fn() -> Option<Limits>,
    /// The node that is looked at.
    node: NodeId,
    checked: Checked,
}

/// What is known of a node once it has been looked at.
#[derive(Debug, Default)]
struct Seen {
    /// Where the steps of threads lead: to nodes that are not covered.
    steps: Vec<(u32, NodeId)>,
    /// Whether some threads have no choice though they can run.
    reduced: bool,
}

/// Checks a tree for a valid program, as the frontend made it. `watch` is asked again and again what the next question to the
/// solver may use, or nothing to stop. The solver is left as it was, but for that.
///
/// # Errors
/// When the tree does not show what is claimed, or that could not be decided.
pub fn check(
    program: &Program,
    art: &Art,
    question: &Question,
    solver: &mut dyn Solver,
    watch: &dyn Fn() -> Option<Limits>,
) -> Result<Checked, Refusal> {
    let expanded = ir::expand(program).program;
    let malformed = |what: String| Refusal::Defect { node: Art::ROOT, defect: Defect::Malformed(what) };
    if !art.nodes.is_valid(Art::ROOT) {
        return Err(malformed("it has no nodes".to_owned()));
    }
    let symbolic = Symbolic::new(&expanded, art, question.switch_at).map_err(malformed)?;
    solver.push();
    let mut checker = Checker {
        program: &expanded,
        art,
        question: *question,
        symbolic,
        answers: ask::Answers::default(),
        has_axioms: false,
        symmetric: None,
        solver,
        watch,
        node: Art::ROOT,
        checked: Checked::default(),
    };
    let result = checker.check();
    let checked = checker.checked;
    solver.pop(1);
    result.map(|()| checked)
}

impl Checker<'_> {
    fn check(&mut self) -> Result<(), Refusal> {
        let axioms = self.symbolic.declare();
        for axiom in axioms.map_err(|what| Refusal::Unsupported { node: None, what })? {
            if self.symbolic.formulas.pool.as_bool(axiom) != Some(true) {
                self.has_axioms = true;
                self.solver.assert(&self.symbolic.formulas.pool, axiom);
            }
        }
        self.check_label(Art::ROOT)?;
        self.check_root()?;
        let seen = self.check_nodes()?;
        match self.question.claim {
            Claim::Schedule => self.check_fairness(&seen),
            Claim::Safe => self.check_cycles(&seen),
        }
    }

    /// Looks at all nodes that are reached from the root. A node comes to be looked at only after its location was found to
    /// be right.
    fn check_nodes(&mut self) -> Result<FxHashMap<NodeId, Seen>, Refusal> {
        let mut seen: FxHashMap<NodeId, Seen> = FxHashMap::default();
        let mut work = VecDeque::from([Art::ROOT]);
        while let Some(id) = work.pop_front() {
            if seen.contains_key(&id) {
                continue;
            }
            self.may_go_on()?;
            self.node = id;
            self.checked.nodes += 1;
            let art = self.art;
            let node = &art.nodes[id];
            let facts = self.symbolic.facts(node.label);
            let mut here = Seen::default();
            if let Some(by) = node.cover {
                self.check_cover(node, &facts, by)?;
                work.push_back(by);
            } else {
                self.check_choices(node, &facts, &mut here, &mut work)?;
                if !facts.impossible {
                    match self.question.claim {
                        Claim::Schedule => self.check_permitted(node, &facts)?,
                        Claim::Safe => here.reduced = self.check_expansion(node, &facts)?,
                    }
                    if self.question.checks.races {
                        self.check_races(node, &facts)?;
                    }
                }
            }
            seen.insert(id, here);
        }
        Ok(seen)
    }

    /// What a question may use, unless it is time to stop.
    fn may_go_on(&self) -> Result<Limits, Refusal> {
        (self.watch)().ok_or(Refusal::Stopped)
    }

    /// That a node is there, and its label is a formula.
    fn check_label(&self, id: NodeId) -> Result<(), Refusal> {
        let Some(node) = self.art.nodes.get(id) else {
            return self.defect(Defect::Malformed(format!("it leads to {id}, which is not there")));
        };
        let pool = &self.art.pool;
        let label = node.label;
        let is_formula =
            label.index() < pool.len() && pool.sort_of(label) == smt::SortId::BOOL && !pool.is_open(label);
        if is_formula {
            Ok(())
        } else {
            self.defect(Defect::Malformed(format!("the label of {id} is no formula")))
        }
    }

    fn defect<T>(&self, defect: Defect) -> Result<T, Refusal> {
        Err(Refusal::Defect { node: self.node, defect })
    }

    fn unsupported(&self, what: Unsupported) -> Refusal {
        Refusal::Unsupported { node: Some(self.node), what }
    }

    /// The steps of a thread that is running at a node.
    fn steps_at(&mut self, node: &Node, thread: u32) -> Result<Option<Rc<Steps>>, Refusal> {
        self.symbolic.steps(&node.location, thread).map_err(|what| self.unsupported(what))
    }

    /// The threads that are running at a node, with their steps.
    fn running(&mut self, node: &Node) -> Result<Vec<(u32, Rc<Steps>)>, Refusal> {
        let mut running = Vec::new();
        for thread in 0..u32::try_from(node.location.threads.len()).unwrap_or(u32::MAX) {
            if let Some(steps) = self.steps_at(node, thread)? {
                running.push((thread, steps));
            }
        }
        Ok(running)
    }

    /// Whether a formula over the state holds wherever a label holds.
    fn follows(&mut self, facts: &Facts, formula: TermId) -> Result<bool, Refusal> {
        let formula = self.symbolic.substitute(formula, &facts.values);
        let otherwise = self.symbolic.formulas.pool.not(formula);
        self.is_impossible(facts, &[otherwise])
    }

    /// Whether a formula over the state can hold where a label holds.
    fn is_possible(&mut self, facts: &Facts, formula: TermId) -> Result<bool, Refusal> {
        let formula = self.symbolic.substitute(formula, &facts.values);
        Ok(!self.is_impossible(facts, &[formula])?)
    }

    /// An op as text.
    fn show(&self, op: OpRef) -> String {
        let Some(stmt) = self
            .program
            .procs
            .get(op.proc)
            .and_then(|proc| proc.blocks.get(op.block))
            .and_then(|block| block.stmts.get(op.index))
        else {
            return "?".to_owned();
        };
        let text = ir::text::Printer::new(self.program).op(op.proc, &stmt.op);
        text.trim_end().trim_end_matches(';').to_owned()
    }

    /// A formula as text.
    fn show_term(&self, term: TermId) -> String {
        smt::term_to_string(&self.symbolic.formulas.pool, term)
    }
}

/// The op that a running thread comes to next.
fn next_op(node: &Node, thread: u32) -> Option<OpRef> {
    match node.location.threads.get(thread as usize)? {
        ThreadAt::Running(frames) => frames.last().copied(),
        ThreadAt::Completed(_) => None,
    }
}
