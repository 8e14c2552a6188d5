//! A schedule in a line: who runs after whom.

use ir::Program;
use rustc_hash::FxHashMap;

use crate::{Art, Location, NodeId, ThreadAt};

/// The most threads that are listed.
const MOST: usize = 16;

/// The order in which threads run on one way through a schedule: where several may run the first, where a step can go
/// several ways the first.
#[must_use]
pub fn summary(program: &Program, art: &Art) -> String {
    let mut names = Names::default();
    let mut order: Vec<(String, usize)> = Vec::new();
    let mut seen: FxHashMap<NodeId, usize> = FxHashMap::default();
    let mut node = art.resolve(Art::ROOT);
    let mut steps = 0;
    let end = loop {
        names.learn(program, &art.nodes[node].location);
        if let Some(&since) = seen.get(&node) {
            break Some(since);
        }
        seen.insert(node, steps);
        let choices = &art.nodes[node].choices;
        let Some((thread, edge)) =
            choices.iter().find_map(|choice| Some((choice.thread, choice.edges.first()?)))
        else {
            break None;
        };
        let name = names.of(thread);
        if order.last().is_none_or(|(last, _)| *last != name) {
            order.push((name, steps));
        }
        steps += 1;
        node = art.resolve(edge.target);
    };
    let again = end.and_then(|since| order.iter().rposition(|(_, at)| *at <= since));
    let repeats = again.map(|at| &order[at..]).unwrap_or_default();
    let list = |part: &[(String, usize)]| {
        let names: Vec<&str> = part.iter().take(MOST).map(|(name, _)| name.as_str()).collect();
        let more = if part.len() > MOST { ", ..." } else { "" };
        format!("{}{more}", names.join(", "))
    };
    match again {
        Some(0) => format!("{}, again and again", list(repeats)),
        Some(at) => format!("{}, then {}, again and again", list(&order[..at]), list(repeats)),
        None if order.is_empty() => "nobody runs".to_owned(),
        None => list(&order),
    }
}

/// What threads are called: after the procedure that they run, with a number if there are several.
#[derive(Default)]
struct Names {
    names: Vec<String>,
    used: FxHashMap<String, usize>,
}

impl Names {
    fn learn(&mut self, program: &Program, location: &Location) {
        for at in location.threads.iter().skip(self.names.len()) {
            let proc = match at {
                ThreadAt::Running(frames) => frames.first().map(|op| op.proc),
                ThreadAt::Completed(proc) => Some(*proc),
            };
            let name = proc.map_or_else(String::new, |proc| program.procs[proc].name.clone());
            let used = self.used.entry(name.clone()).or_default();
            *used += 1;
            self.names.push(if *used == 1 { name } else { format!("{name}#{used}") });
        }
    }

    fn of(&self, thread: u32) -> String {
        self.names.get(thread as usize).cloned().unwrap_or_else(|| format!("thread {thread}"))
    }
}
