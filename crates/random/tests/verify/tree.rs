//! Trees as schedules that can be followed.

use interp::{Constraints, Standing, StepTaken};
use schedule::{Art, Location, NodeId, ThreadAt};

/// A tree that is followed.
pub(crate) struct Followable<'a>(pub(crate) &'a Art);

impl Constraints for Followable<'_> {
    fn root(&mut self) -> u32 {
        Art::ROOT.as_u32()
    }

    fn permitted(&mut self, node: u32) -> Vec<u32> {
        let node = self.0.resolve(NodeId::from_u32(node));
        self.0.nodes[node].choices.iter().map(|choice| choice.thread).collect()
    }

    fn next(&mut self, node: u32, step: &StepTaken<'_>) -> Option<u32> {
        let node = self.0.resolve(NodeId::from_u32(node));
        let choice = self.0.nodes[node].choices.iter().find(|choice| choice.thread == step.thread)?;
        let leads = |target: NodeId| is_at(&self.0.nodes[target].location, step.location);
        let edge = choice.edges.iter().find(|edge| edge.ops == step.ops && leads(edge.target))?;
        Some(edge.target.as_u32())
    }
}

fn is_at(location: &Location, standings: &[Standing]) -> bool {
    let same = |(thread, standing): (&ThreadAt, &Standing)| match (thread, standing) {
        (ThreadAt::Running(ops), Standing::Running(at)) => ops == at,
        (ThreadAt::Completed(proc), Standing::Completed(ran)) => proc == ran,
        _ => false,
    };
    location.threads.len() == standings.len() && location.threads.iter().zip(standings).all(same)
}
