//! Engines that the comparison is tested with.

use interp::{Conduct, Config, Constraints, Flow, Progress, Standing, StepTaken, Timetable};
use rustc_hash::FxHashMap;
use schedule::{Art, Choice, Edge, Location, Node, NodeId, ThreadAt};

use crate::agreement::Verdict;

const MOST_STATES: usize = 4_000;

/// Knows what the games on explicit states say, and gives the schedule of the one in which values are not seen. Where all is
/// well whoever runs, and every infinite run is fair, it gives the schedule with all threads at all locations, too.
pub(crate) fn explicit(program: &ir::Program, config: &Config) -> (Verdict, Vec<Art>) {
    let mut control =
        |progress: &Progress| if progress.states > MOST_STATES { Flow::Stop } else { Flow::Continue };
    let game = interp::game(program, config, &mut control);
    let blind = interp::blind(program, config, &mut control);
    let verdict = match (game.bad, blind.schedulable) {
        (false, _) => Verdict::Safe,
        (true, Some(true)) => Verdict::PartiallySafe,
        (true, Some(false)) => Verdict::Unsafe,
        (true, None) => Verdict::Unknown,
    };
    let mut arts: Vec<Art> = blind.timetable.iter().map(tree).collect();
    let mut locations = Locations::new(program);
    if interp::follow(program, config, &mut locations, &mut control).conduct == Conduct::Fine {
        arts.push(locations.art);
    }
    (verdict, arts)
}

/// The tree of a timetable.
fn tree(timetable: &Timetable) -> Art {
    let mut art = empty();
    for row in &timetable.rows {
        let choice = |&thread: &u32| {
            let ways = row.ways.iter().filter(|way| way.thread == thread);
            let edges = ways.map(|way| Edge {
                ops: way.ops.clone(),
                handles: Vec::new(),
                target: NodeId::from_u32(way.target),
            });
            Choice { thread, edges: edges.collect() }
        };
        let label = art.pool.bool(true);
        let choices = row.permitted.iter().map(choice).collect();
        art.nodes.push(Node {
            location: location(&row.location),
            label,
            choices,
            cover: None,
            renaming: Vec::new(),
        });
    }
    art
}

fn empty() -> Art {
    Art { pool: Default::default(), variables: Default::default(), nodes: Default::default() }
}

fn location(standings: &[Standing]) -> Location {
    let thread_at = |standing: &Standing| match standing {
        Standing::Running(ops) => ThreadAt::Running(ops.clone()),
        Standing::Completed(proc) => ThreadAt::Completed(*proc),
    };
    Location { threads: standings.iter().map(thread_at).collect() }
}

/// Says that everything is safe.
pub(crate) fn hasty(_: &ir::Program, _: &Config) -> (Verdict, Vec<Art>) {
    (Verdict::Safe, Vec::new())
}

/// Knows the verdict, and lets everybody run.
pub(crate) fn careless(program: &ir::Program, config: &Config) -> (Verdict, Vec<Art>) {
    let (verdict, _) = explicit(program, config);
    let mut locations = Locations::new(program);
    interp::follow(program, config, &mut locations, &mut |_| Flow::Continue);
    (verdict, vec![locations.art])
}

/// Writes down, while it is followed, the tree with one node for each location and all threads at each.
struct Locations {
    art: Art,
    known: FxHashMap<Location, NodeId>,
}

impl Locations {
    fn new(program: &ir::Program) -> Self {
        let expanded = ir::expand(program).program;
        let first = |proc: &ir::ProcId| {
            let block = expanded.procs[*proc].entry;
            ThreadAt::Running(vec![ir::OpRef { proc: *proc, block, index: 0 }])
        };
        let location = Location { threads: expanded.threads.iter().map(first).collect() };
        let mut art = empty();
        let root = add(&mut art, location.clone());
        Locations { art, known: FxHashMap::from_iter([(location, root)]) }
    }
}

fn add(art: &mut Art, location: Location) -> NodeId {
    let threads = (0..).zip(&location.threads).filter(|(_, at)| matches!(at, ThreadAt::Running(_)));
    let choices = threads.map(|(thread, _)| Choice { thread, edges: Vec::new() }).collect();
    let label = art.pool.bool(true);
    art.nodes.push(Node { location, label, choices, cover: None, renaming: Vec::new() })
}

impl Constraints for Locations {
    fn root(&mut self) -> u32 {
        Art::ROOT.as_u32()
    }

    fn permitted(&mut self, node: u32) -> Vec<u32> {
        self.art.nodes[NodeId::from_u32(node)].choices.iter().map(|choice| choice.thread).collect()
    }

    fn next(&mut self, node: u32, step: &StepTaken<'_>) -> Option<u32> {
        let location = location(step.location);
        let art = &mut self.art;
        let target = *self.known.entry(location).or_insert_with_key(|location| add(art, location.clone()));
        let choices = &mut self.art.nodes[NodeId::from_u32(node)].choices;
        let choice = choices.iter_mut().find(|choice| choice.thread == step.thread)?;
        let edge = Edge { ops: step.ops.to_vec(), handles: Vec::new(), target };
        if !choice.edges.contains(&edge) {
            choice.edges.push(edge);
        }
        Some(target.as_u32())
    }
}
