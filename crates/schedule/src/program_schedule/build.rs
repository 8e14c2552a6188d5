//! From a tree to a program schedule.

use std::fmt;

use cranelift_entity::PrimaryMap;
use interp::SwitchAt;
use ir::{Op, OpRef, Program};
use smt::TermId;

use super::{After, Event, EventEnd, Level, Point, PointId, ProgramSchedule, Section};
use crate::lateness::{Lateness, Outline};
use crate::omission::Omission;
use crate::order::{Clock, Independence, KnownTouch, Step, clocks, reduce};
use crate::section::{Leg, SectionPath, sections};
use crate::symbolic::{End, Symbolic, Touched, leads_to};
use crate::{Art, NodeId, ThreadAt};

/// How often a section that repeats is replicated, as in the paper.
const REPLICAS: usize = 8;
/// Unless it gets longer than this.
const LONGEST: usize = 4096;

/// Why a tree has no program schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildError {
    /// Where.
    pub node: NodeId,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "node {}: {}", self.node, self.what)
    }
}

impl std::error::Error for BuildError {}

/// What happens along one edge of the tree.
#[derive(Clone)]
struct Occurrence {
    event: Event,
    step: Step,
}

struct Builder<'a> {
    program: &'a Program,
    art: &'a Art,
    expanded: &'a ir::Expanded,
    symbolic: Symbolic<'a>,
    omission: Omission,
    level: Level,
}

impl ProgramSchedule {
    /// The program schedule of a tree that was accepted as a schedule of a program.
    ///
    /// # Errors
    /// When the tree is none of the program.
    pub fn new(
        program: &Program,
        art: &Art,
        switch_at: SwitchAt,
        level: Level,
        fingerprint: &str,
    ) -> Result<Self, BuildError> {
        let root = |what: String| BuildError { node: Art::ROOT, what };
        let expanded = ir::expand(program);
        let mut symbolic = Symbolic::new(&expanded.program, art, switch_at).map_err(root)?;
        symbolic.declare().map_err(|unsupported| root(unsupported.what))?;
        let omission = match level {
            Level::Sequential => Omission::default(),
            Level::Relaxed | Level::Replicated => Omission::of(program, &expanded),
        };
        let mut builder = Builder { program, art, expanded: &expanded, symbolic, omission, level };
        let paths = sections(art);
        let mut made = Vec::new();
        for (at, paths) in paths.iter().enumerate() {
            let mut sections = Vec::new();
            for path in paths {
                let repeats = paths.len() == 1 && path.next == at;
                sections.push(builder.occurrences(path, repeats)?);
            }
            made.push(sections);
        }
        let lateness = builder.lateness(&paths, &made);
        let mut points: PrimaryMap<PointId, Point> = PrimaryMap::new();
        for (paths, made) in paths.iter().zip(&made) {
            let mut point = Point::default();
            for (path, occurrences) in paths.iter().zip(made) {
                point.sections.push(builder.section(path, occurrences, paths.len() > 1, lateness.as_ref()));
            }
            points.push(point);
        }
        let fingerprint = fingerprint.to_owned();
        Ok(ProgramSchedule {
            fingerprint,
            level,
            omitted: builder.omission.ops.into_iter().collect(),
            points,
        })
    }
}

impl Builder<'_> {
    /// What happens in a section.
    fn occurrences(&mut self, path: &SectionPath<'_>, repeats: bool) -> Result<Vec<Occurrence>, BuildError> {
        let mut occurrences = Vec::new();
        for leg in &path.legs {
            occurrences.push(self.occurrence(leg)?);
        }
        let times = match self.level {
            Level::Replicated if repeats => REPLICAS.min(LONGEST / path.legs.len().max(1)).max(1),
            _ => 1,
        };
        let all = occurrences.len() * times;
        Ok(occurrences.into_iter().cycle().take(all).collect())
    }

    /// What threads have to themselves, at the level that tells it.
    fn lateness(&self, paths: &[Vec<SectionPath<'_>>], made: &[Vec<Vec<Occurrence>>]) -> Option<Lateness> {
        if self.level != Level::Replicated {
            return None;
        }
        let mut points: Vec<Vec<Outline<'_>>> = Vec::new();
        for (paths, made) in paths.iter().zip(made) {
            let sections = paths.iter().zip(made);
            points.push(sections.map(|(path, occurrences)| outline(path, occurrences)).collect());
        }
        Some(Lateness::of(&points, Independence::Cells))
    }

    fn section(
        &self,
        path: &SectionPath<'_>,
        occurrences: &[Occurrence],
        branches: bool,
        lateness: Option<&Lateness>,
    ) -> Section {
        let outline = outline(path, occurrences);
        let order = self.order(&outline.steps);
        let late = lateness.map_or_else(|| vec![false; order.len()], |lateness| lateness.late(&outline));
        let mut events: Vec<Event> = occurrences.iter().map(|occurrence| occurrence.event.clone()).collect();
        let counted = events.iter_mut().filter(|event| !event.omitted);
        for ((event, clock), late) in counted.zip(order).zip(late) {
            event.after = clock.into_iter().map(|(thread, count)| After { thread, count }).collect();
            event.late = late;
        }
        let guard = if branches { path.legs.first().map(|leg| self.guard(leg)) } else { None };
        let next = PointId::from_u32(u32::try_from(path.next).unwrap_or(u32::MAX));
        Section { guard, events, next }
    }

    fn order(&self, steps: &[&Step]) -> Vec<Clock> {
        let threads: Vec<u32> = steps.iter().map(|step| step.thread).collect();
        match self.level {
            // One after the other: each waits for the one before.
            Level::Sequential => reduce(&threads, &clocks(steps, Independence::None)),
            Level::Relaxed => clocks(steps, Independence::Variables),
            Level::Replicated => reduce(&threads, &clocks(steps, Independence::Cells)),
        }
    }

    /// What happens along an edge.
    fn occurrence(&mut self, leg: &Leg<'_>) -> Result<Occurrence, BuildError> {
        let Leg { node, thread, edge } = *leg;
        let art = self.art;
        let error = |what: &str| BuildError { node, what: what.to_owned() };
        let (from, to) = (&art.nodes[node].location, &art.nodes[edge.target].location);
        let steps = self.symbolic.steps(from, thread).map_err(|unsupported| error(&unsupported.what))?;
        let Some(steps) = steps else { return Err(error("a thread runs that is not there")) };
        let facts = self.symbolic.facts(art.nodes[node].label);
        let (mut touches, mut starts, mut end) = (Vec::new(), Vec::new(), None);
        for path in steps.paths.iter().filter(|path| path.ops == edge.ops && path.handles == edge.handles) {
            if !leads_to(from, thread, &path.end, to) {
                continue;
            }
            end = Some(path.end.clone());
            for touch in &path.touches {
                let mut touch = touch.clone();
                for index in &mut touch.indices {
                    *index = self.symbolic.substitute(*index, &facts.values);
                }
                let is_value = touch.indices.iter().map(|index| self.is_value(*index)).collect();
                let known = KnownTouch { touch, is_value };
                if !touches.contains(&known) {
                    touches.push(known);
                }
            }
        }
        let end = match end {
            Some(End::Moved { thread: at, started }) => {
                let first = from.threads.len();
                starts.extend((first..first + started.len()).filter_map(|number| u32::try_from(number).ok()));
                match at {
                    ThreadAt::Running(frames) => {
                        let next = frames.last().ok_or_else(|| error("a thread without frames"))?;
                        EventEnd::Before(self.original(*next))
                    }
                    ThreadAt::Completed(_) => EventEnd::Completed,
                }
            }
            Some(End::Exited) => EventEnd::Exited,
            _ => return Err(error("an edge that is none of the thread's steps")),
        };
        let ops = self.originals(&edge.ops);
        touches.retain(|known| !matches!(known.touch.what, Touched::Global(id) if self.omission.has(id)));
        // What is omitted within an atomic block is not all that there is of the block.
        let omitted = touches.is_empty() && ops.first().is_some_and(|op| self.omission.ops.contains(op));
        let event = Event { thread, ops, end, after: Vec::new(), omitted, late: false };
        Ok(Occurrence { event, step: Step { thread, touches, starts } })
    }

    fn is_value(&self, term: TermId) -> bool {
        self.symbolic.formulas.pool.term(term).is_literal_value()
    }

    /// The op of the program before expansion that an op stands for.
    fn original(&self, op: OpRef) -> OpRef {
        self.expanded.back.get(op).unwrap_or(op)
    }

    fn originals(&self, ops: &[OpRef]) -> Vec<OpRef> {
        let mut originals: Vec<OpRef> = ops.iter().map(|op| self.original(*op)).collect();
        originals.dedup();
        originals
    }

    /// The conditions that a step meets on its way.
    fn guard(&self, leg: &Leg<'_>) -> String {
        let printer = ir::text::Printer::new(self.program);
        let to = match self.art.nodes[leg.edge.target].location.threads.get(leg.thread as usize) {
            Some(ThreadAt::Running(frames)) => frames.last().map(|op| self.original(*op)),
            _ => None,
        };
        let ops = self.originals(&leg.edge.ops);
        let mut conditions = Vec::new();
        for (at, op) in ops.iter().enumerate() {
            let next = ops.get(at + 1).copied().or(to);
            let block = |target| self.program.procs[op.proc].blocks[target].name.clone();
            match &self.program.procs[op.proc].blocks[op.block].stmts[op.index].op {
                Op::Branch { cond, then, otherwise } if then != otherwise => {
                    let text = printer.expr(Some(op.proc), *cond);
                    let taken = next.is_some_and(|next| next.block == *then && next.index == 0);
                    conditions.push(if taken { text } else { format!("!({text})") });
                }
                Op::Choose { .. } => {
                    conditions.extend(next.map(|next| format!("goes to {}", block(next.block))));
                }
                Op::Assume(cond) => conditions.push(printer.expr(Some(op.proc), *cond)),
                _ => {}
            }
        }
        // A step can also end before an assume or assertion that does not hold.
        if let Some(stopped) = to
            && let Op::Assume(cond) | Op::Assert { cond, .. } =
                &self.program.procs[stopped.proc].blocks[stopped.block].stmts[stopped.index].op
            && !self.symbolic.outline.of(stopped_in(leg, self.art)).point
        {
            conditions.push(format!("!({})", printer.expr(Some(stopped.proc), *cond)));
        }
        if conditions.is_empty() { "otherwise".to_owned() } else { conditions.join(" && ") }
    }
}

/// What counts in a section.
fn outline<'o>(path: &SectionPath<'_>, occurrences: &'o [Occurrence]) -> Outline<'o> {
    let counted = occurrences.iter().filter(|occurrence| !occurrence.event.omitted);
    Outline { steps: counted.map(|occurrence| &occurrence.step).collect(), next: path.next }
}

/// Where the thread of a leg is afterwards, in the expanded program.
fn stopped_in(leg: &Leg<'_>, art: &Art) -> OpRef {
    match art.nodes[leg.edge.target].location.threads.get(leg.thread as usize) {
        Some(ThreadAt::Running(frames)) => frames.last().copied().unwrap_or(leg.edge.ops[0]),
        _ => leg.edge.ops[0],
    }
}
