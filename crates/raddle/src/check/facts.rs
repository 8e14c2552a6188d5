//! What kind of program it is, which decides what there is to ask.

use ir::{BlockId, Op, ProcId, Program};
use petgraph::algo::is_cyclic_directed;
use petgraph::graphmap::DiGraphMap;
use petgraph::visit::Dfs;

/// What kind of program it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Facts {
    /// Whether several threads or tasks can run.
    pub(crate) is_concurrent: bool,
    /// Whether a run can come to the same place again: loops, recursion.
    pub(crate) can_repeat: bool,
}

impl Facts {
    pub(crate) fn of(program: &Program) -> Self {
        type Node = (ProcId, BlockId);
        let start = |proc: ProcId| program.procs[proc].blocks.keys().next().map(|block| (proc, block));
        let mut graph: DiGraphMap<Node, ()> = DiGraphMap::new();
        let mut spawns = Vec::new();
        for (id, proc) in &program.procs {
            for (block, body) in &proc.blocks {
                for stmt in &body.stmts {
                    match &stmt.op {
                        Op::Call { proc: callee, .. } | Op::Spawn { proc: callee, .. } => {
                            if matches!(stmt.op, Op::Spawn { .. }) {
                                spawns.push((id, block));
                            }
                            if let Some(entry) = start(*callee) {
                                graph.add_edge((id, block), entry, ());
                            }
                        }
                        op => {
                            for next in op.successors() {
                                graph.add_edge((id, block), (id, next), ());
                            }
                        }
                    }
                }
            }
        }
        // What is not called does not matter.
        let mut reached: DiGraphMap<Node, ()> = DiGraphMap::new();
        let mut dfs = Dfs::empty(&graph);
        for entry in program.threads.iter().filter_map(|proc| start(*proc)) {
            reached.add_node(entry);
            dfs.move_to(entry);
            while let Some(node) = dfs.next(&graph) {
                reached.add_node(node);
                for next in graph.neighbors(node) {
                    reached.add_edge(node, next, ());
                }
            }
        }
        Facts {
            is_concurrent: program.threads.len() > 1
                || spawns.iter().any(|node| reached.contains_node(*node)),
            can_repeat: is_cyclic_directed(&reached),
        }
    }
}

#[cfg(test)]
mod tests {
    use source::SourceMap;

    use super::*;

    fn facts(text: &str) -> Facts {
        let mut map = SourceMap::default();
        let file = map.add("t.bpl", text);
        Facts::of(&boogie::load(&map, file, None).expect("a program").program)
    }

    #[test]
    fn threads_and_loops_are_seen_where_they_are_reached() {
        let unused = "procedure unused() { while (true) { async call unused(); } }";
        let plain = facts(&format!("{unused} procedure main() {{ }}"));
        assert_eq!(plain, Facts { is_concurrent: false, can_repeat: false });
        let task = facts("procedure p() { } procedure main() { async call p(); }");
        assert_eq!(task, Facts { is_concurrent: true, can_repeat: false });
        let loops = facts("var x: int; procedure main() { while (x > 0) { x := x - 1; } }");
        assert_eq!(loops, Facts { is_concurrent: false, can_repeat: true });
        let recursion = facts("procedure p() { if (*) { call p(); } } procedure main() { call p(); }");
        assert_eq!(recursion, Facts { is_concurrent: false, can_repeat: true });
    }
}
