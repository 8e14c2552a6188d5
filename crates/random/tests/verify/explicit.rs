//! Engines that the comparison is tested with.

use interp::{Conduct, Config, Constraints, Flow, Standing, StepTaken};
use schedule::{Art, Choice, Edge, Location, Node, NodeId, ThreadAt};

use crate::agreement::Verdict;

/// Knows what the game on explicit states says. Where all is well whoever runs, and every infinite run is fair, it gives
/// the schedule with all threads at all locations.
pub(crate) fn explicit(program: &ir::Program, config: &Config) -> (Verdict, Vec<Art>) {
    let game = interp::game(program, config, &mut |_| Flow::Continue);
    let verdict = match (game.bad, game.schedulable) {
        (_, None) => Verdict::Unknown,
        (false, _) => Verdict::Safe,
        (true, Some(true)) => Verdict::PartiallySafe,
        (true, Some(false)) => Verdict::Unsafe,
    };
    let mut locations = Locations::new(program);
    let followed = interp::follow(program, config, &mut locations, &mut |_| Flow::Continue);
    let fine = followed.conduct == Conduct::Fine;
    (verdict, fine.then_some(locations.art).into_iter().collect())
}

/// Says that everything is safe.
pub(crate) fn hasty(_: &ir::Program, _: &Config) -> (Verdict, Vec<Art>) {
    (Verdict::Safe, Vec::new())
}

/// Writes down, while it is followed, the tree with one node for each location and all threads at each.
struct Locations {
    art: Art,
}

impl Locations {
    fn new(program: &ir::Program) -> Self {
        let expanded = ir::expand(program).program;
        let first = |proc: &ir::ProcId| {
            let block = expanded.procs[*proc].entry;
            ThreadAt::Running(vec![ir::OpRef { proc: *proc, block, index: 0 }])
        };
        let location = Location { threads: expanded.threads.iter().map(first).collect() };
        let mut art =
            Art { pool: Default::default(), variables: Default::default(), nodes: Default::default() };
        add(&mut art, location);
        Locations { art }
    }
}

fn add(art: &mut Art, location: Location) -> NodeId {
    let threads = (0..).zip(&location.threads).filter(|(_, at)| matches!(at, ThreadAt::Running(_)));
    let choices = threads.map(|(thread, _)| Choice { thread, edges: Vec::new() }).collect();
    let label = art.pool.bool(true);
    art.nodes.push(Node { location, label, choices, cover: None })
}

impl Constraints for Locations {
    fn root(&mut self) -> u32 {
        Art::ROOT.as_u32()
    }

    fn permitted(&mut self, node: u32) -> Vec<u32> {
        self.art.nodes[NodeId::from_u32(node)].choices.iter().map(|choice| choice.thread).collect()
    }

    fn next(&mut self, node: u32, step: &StepTaken<'_>) -> Option<u32> {
        let thread_at = |standing: &Standing| match standing {
            Standing::Running(ops) => ThreadAt::Running(ops.clone()),
            Standing::Completed(proc) => ThreadAt::Completed(*proc),
        };
        let location = Location { threads: step.location.iter().map(thread_at).collect() };
        let known = self.art.nodes.iter().find(|(_, node)| node.location == location).map(|(id, _)| id);
        let target = known.unwrap_or_else(|| add(&mut self.art, location));
        let choices = &mut self.art.nodes[NodeId::from_u32(node)].choices;
        let choice = choices.iter_mut().find(|choice| choice.thread == step.thread)?;
        let edge = Edge { ops: step.ops.to_vec(), target };
        if !choice.edges.contains(&edge) {
            choice.edges.push(edge);
        }
        Some(target.as_u32())
    }
}
