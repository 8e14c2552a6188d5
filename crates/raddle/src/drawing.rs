//! Trees and program schedules as graphs for reports.

use std::collections::VecDeque;

use engine::location_of;
use ir::text::Printer;
use ir::{Op, OpRef, Program, Type};
use report::{EdgeKind, Graph, GraphEdge, GraphKind, GraphNode, NodeKind, one_line};
use rustc_hash::{FxHashMap, FxHashSet};
use schedule::{Art, Event, Location, NodeId, ProgramSchedule, Section, ThreadAt, Variable};
use smt::{BinaryOp, Term, TermId, TermPool};
use source::{SourceMap, Span};

/// A graph has at most this many nodes: more are of no use to anybody.
const MOST_NODES: usize = 400;
/// Of what holds at a node, so many facts are told, and each is at most this long.
const MOST_FACTS: usize = 40;
const LONGEST: usize = 200;

/// A tree, from its root on as far as there is room.
pub(crate) fn tree(program: &Program, map: &SourceMap, art: &Art) -> Graph {
    let expanded = ir::expand(program).program;
    let texts = Texts { program: &expanded, map, printer: Printer::new(&expanded) };
    let threads = schedule::thread_names(program, art);
    let labels = Labels { pool: &art.pool, handles: handles(&expanded, art), threads: &threads };
    let mut order = vec![(Art::ROOT, None)];
    let mut position = FxHashMap::from_iter([(Art::ROOT, 0)]);
    let mut waiting = VecDeque::from([Art::ROOT]);
    let mut edges = Vec::new();
    while let Some(id) = waiting.pop_front() {
        for choice in &art.nodes[id].choices {
            for edge in &choice.edges {
                if order.len() >= MOST_NODES || position.contains_key(&edge.target) {
                    continue;
                }
                let (from, to) = (position[&id], order.len());
                edges.push(GraphEdge { from, to, kind: EdgeKind::Step, text: String::new() });
                position.insert(edge.target, to);
                order.push((edge.target, Some((choice.thread, edge.ops.as_slice()))));
                waiting.push_back(edge.target);
            }
        }
    }
    for (from, (id, _)) in order.iter().enumerate() {
        if let Some(&to) = art.nodes[*id].cover.and_then(|by| position.get(&by)) {
            edges.push(GraphEdge { from, to, kind: EdgeKind::Cover, text: String::new() });
        }
    }
    let node = |&(id, step): &(NodeId, Option<(u32, &[OpRef])>)| {
        let node = &art.nodes[id];
        let (text, location) = step.map(|(_, ops)| texts.step(ops)).unwrap_or_default();
        GraphNode {
            id: id.to_string(),
            kind: match (node.cover, node.choices.is_empty()) {
                (Some(_), _) => NodeKind::Covered,
                (None, true) => NodeKind::End,
                (None, false) => NodeKind::State,
            },
            thread: step.map(|(thread, _)| thread as usize),
            text,
            location,
            places: texts.places(&threads, &node.location),
            facts: labels.facts(node.label),
            section: None,
        }
    };
    let nodes: Vec<GraphNode> = order.iter().map(node).collect();
    let left_out = art.nodes.len() - order.len();
    Graph { kind: GraphKind::Tree, threads, nodes, edges, left_out }
}

/// A program schedule, from its start on as far as there is room.
pub(crate) fn schedule(
    program: &Program,
    map: &SourceMap,
    threads: Vec<String>,
    schedule: &ProgramSchedule,
) -> Graph {
    let texts = Texts { program, map, printer: Printer::new(program) };
    let mut graph =
        Graph { kind: GraphKind::Schedule, threads, nodes: Vec::new(), edges: Vec::new(), left_out: 0 };
    for (id, point) in &schedule.points {
        let end = point.sections.is_empty();
        let kind = if end { NodeKind::End } else { NodeKind::Point };
        graph.nodes.push(GraphNode {
            id: id.to_string(),
            kind,
            thread: None,
            text: String::new(),
            location: None,
            places: Vec::new(),
            facts: Vec::new(),
            section: None,
        });
    }
    let mut number = 0;
    for (at, point) in schedule.points.values().enumerate() {
        for section in &point.sections {
            if graph.nodes.len() + section.events.len() > MOST_NODES {
                graph.left_out += section.events.len();
            } else {
                let next = schedule.points.keys().position(|id| id == section.next).unwrap_or(at);
                add_section(&mut graph, &texts, number, (at, next), section);
            }
            number += 1;
        }
    }
    graph
}

fn add_section(
    graph: &mut Graph,
    texts: &Texts<'_>,
    number: usize,
    (from, to): (usize, usize),
    section: &Section,
) {
    let base = graph.nodes.len();
    let mut counted: Vec<(u32, usize)> = Vec::new();
    let edge = |from, to, kind| GraphEdge { from, to, kind, text: String::new() };
    let mut follows = vec![false; section.events.len()];
    for (at, event) in section.events.iter().enumerate() {
        let (text, location) = texts.step(&event.ops);
        graph.nodes.push(GraphNode {
            id: format!("s{number}.{at}"),
            kind: if event.omitted { NodeKind::Omitted } else { NodeKind::Event },
            thread: Some(event.thread as usize),
            text,
            location,
            places: Vec::new(),
            facts: Vec::new(),
            section: Some(number),
        });
        let of_same = |other: &Event| other.thread == event.thread;
        let mut first = true;
        if let Some(before) = section.events[..at].iter().rposition(of_same) {
            graph.edges.push(edge(base + before, base + at, EdgeKind::Step));
            (follows[before], first) = (true, false);
        }
        for after in &event.after {
            let mut of = counted.iter().filter(|(thread, _)| *thread == after.thread);
            if let Some(&(_, before)) = of.nth(after.count.saturating_sub(1) as usize) {
                graph.edges.push(edge(base + before, base + at, EdgeKind::After));
                (follows[before], first) = (true, false);
            }
        }
        if first {
            let guard = section.guard.as_deref().filter(|_| at == 0).map(one_line).unwrap_or_default();
            graph.edges.push(GraphEdge {
                from,
                to: base + at,
                kind: EdgeKind::Next,
                text: shortened(&guard),
            });
        }
        if !event.omitted {
            counted.push((event.thread, at));
        }
    }
    for (at, _) in follows.iter().enumerate().filter(|(_, follows)| !**follows) {
        graph.edges.push(edge(base + at, to, EdgeKind::Next));
    }
}

/// Ops in the words of the source.
struct Texts<'a> {
    program: &'a Program,
    map: &'a SourceMap,
    printer: Printer<'a>,
}

impl Texts<'_> {
    /// What a step runs, each statement once in a row, and where it starts.
    fn step(&self, ops: &[OpRef]) -> (String, Option<engine::Location>) {
        let is_control = |at: &&OpRef| {
            matches!(self.op(**at), Op::Goto(_) | Op::Branch { .. } | Op::AtomicBegin | Op::AtomicEnd)
        };
        let mut shown: Vec<&OpRef> = ops.iter().filter(|at| !is_control(at)).collect();
        if shown.is_empty() {
            shown.extend(ops.first());
        }
        let mut statements: Vec<String> = Vec::new();
        for at in &shown {
            let source = one_line(self.map.text(self.span(**at)));
            let text = match source.is_empty() {
                true => one_line(&self.printer.op(at.proc, self.op(**at))),
                false => source,
            };
            if statements.last() != Some(&text) {
                statements.push(text);
            }
        }
        let location = shown.iter().find_map(|at| location_of(self.map, self.span(**at)));
        let mut text = String::new();
        for statement in &statements {
            if !text.is_empty() {
                text.push_str(if text.ends_with([';', '}']) { " " } else { "; " });
            }
            text.push_str(statement);
        }
        (shortened(&text), location)
    }

    /// Where each thread is.
    fn places(&self, names: &[String], location: &Location) -> Vec<String> {
        let place = |at: &ThreadAt| match at {
            ThreadAt::Completed(_) => "completed".to_owned(),
            ThreadAt::Running(frames) => match frames.last() {
                Some(op) => match location_of(self.map, self.span(*op)) {
                    Some(location) => format!("line {}", location.line),
                    None => {
                        let proc = &self.program.procs[op.proc];
                        format!("{}:{}.{}", proc.name, proc.blocks[op.block].name, op.index)
                    }
                },
                None => String::new(),
            },
        };
        let threads = location.threads.iter().enumerate();
        threads
            .map(|(at, thread)| format!("{}: {}", names.get(at).map_or("?", String::as_str), place(thread)))
            .collect()
    }

    fn op(&self, at: OpRef) -> &Op {
        &self.program.procs[at.proc].blocks[at.block].stmts[at.index].op
    }

    fn span(&self, at: OpRef) -> Span {
        self.program.procs[at.proc].blocks[at.block].stmts[at.index].span
    }
}

/// The variables that hold handles of threads.
fn handles(program: &Program, art: &Art) -> FxHashSet<TermId> {
    let is_handle = |variable: &Variable| match *variable {
        Variable::Global(global) => program.globals[global].ty == Type::Task,
        Variable::Local { proc, local, .. } => program.procs[proc].locals[local].ty == Type::Task,
        Variable::Result { .. } => false,
    };
    art.variables.iter().filter(|(variable, _)| is_handle(variable)).map(|(_, term)| *term).collect()
}

/// Labels in words.
struct Labels<'a> {
    pool: &'a TermPool,
    handles: FxHashSet<TermId>,
    threads: &'a [String],
}

impl Labels<'_> {
    /// What a label says, one fact each.
    fn facts(&self, label: TermId) -> Vec<String> {
        let all: &[TermId] = match self.pool.term(label) {
            Term::Bool(true) => &[],
            Term::And(conjuncts) => conjuncts,
            _ => &[label],
        };
        let facts = all.iter().take(MOST_FACTS).map(|&fact| shortened(&self.infix(fact)));
        let more = all.len().checked_sub(MOST_FACTS + 1).map(|more| format!("and {} more", more + 1));
        facts.chain(more).collect()
    }

    /// The usual facts as people write them, the others as solvers do.
    fn infix(&self, term: TermId) -> String {
        let text = match self.pool.term(term) {
            Term::Binary(BinaryOp::Eq, a, b) if self.pool.term(*a).is_literal_value() => {
                self.both(*b, "==", *a)
            }
            Term::Binary(BinaryOp::Eq, a, b) => self.both(*a, "==", *b),
            Term::Binary(BinaryOp::Lt | BinaryOp::BvSlt | BinaryOp::BvUlt, a, b) => self.both(*a, "<", *b),
            Term::Binary(BinaryOp::Le | BinaryOp::BvSle | BinaryOp::BvUle, a, b) => self.both(*a, "<=", *b),
            Term::Not(inner) => match self.pool.term(*inner) {
                Term::Binary(BinaryOp::Eq, a, b) => self.both(*a, "!=", *b),
                _ => self.leaf(*inner).map(|inner| format!("!{inner}")),
            },
            _ => None,
        };
        text.unwrap_or_else(|| self.plain(term))
    }

    fn both(&self, a: TermId, sign: &str, b: TermId) -> Option<String> {
        let of_handles = self.handles.contains(&a) || self.handles.contains(&b);
        let side = |term: TermId| match self.pool.term(term) {
            Term::Int(number) if of_handles => Some(self.thread(number)),
            _ => self.leaf(term),
        };
        Some(format!("{} {sign} {}", side(a)?, side(b)?))
    }

    fn leaf(&self, term: TermId) -> Option<String> {
        match self.pool.term(term) {
            Term::Apply(..) | Term::Bool(_) | Term::Int(_) | Term::Bv(..) => Some(self.plain(term)),
            Term::Select(map, index) => Some(format!("{}[{}]", self.leaf(*map)?, self.leaf(*index)?)),
            _ => None,
        }
    }

    /// A handle is the number of its thread plus one.
    fn thread(&self, handle: &impl std::fmt::Display) -> String {
        let handle = handle.to_string();
        match handle.parse::<usize>() {
            Ok(0) => "nil".to_owned(),
            Ok(number) => self.threads.get(number - 1).cloned().unwrap_or(handle),
            Err(_) => handle,
        }
    }

    /// A term without the marks that keep names apart.
    fn plain(&self, term: TermId) -> String {
        match self.pool.term(term) {
            Term::Int(value) | Term::Bv(_, value) => value.to_string(),
            _ => one_line(&smt::term_to_string(self.pool, term)).replace(['$', '|'], ""),
        }
    }
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}
