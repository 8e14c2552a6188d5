//! How often functions are called, and by how many threads: where one variable is enough for what is on the stack or
//! comes from an allocator, and where there must be one per thread or per call.

use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::module::{BlockId, FuncId, Module};
use crate::objects::{ObjectKind, Site};
use crate::points_to::PointsTo;

/// How often something happens in a run, at most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Times {
    #[default]
    Never,
    Once,
    Many,
}

impl Times {
    fn and(self, other: Times) -> Times {
        match (self, other) {
            (Times::Never, times) | (times, Times::Never) => times,
            _ => Times::Many,
        }
    }
}

/// How the instances of an object are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Instances {
    /// There is only one at a time.
    One,
    /// There is one per thread, with the thread's number.
    Thread,
    /// They are counted as they come.
    Counted,
}

/// What is known about calls.
#[derive(Clone, Debug, Default)]
pub(crate) struct Activations {
    times: FxHashMap<FuncId, Times>,
    recursive: FxHashSet<FuncId>,
    /// Functions that several threads can be in at the same time.
    concurrent: FxHashSet<FuncId>,
    cyclic: FxHashSet<(FuncId, BlockId)>,
}

/// A call or start: by whom, where, of whom.
struct Edge {
    from: FuncId,
    block: BlockId,
    to: FuncId,
    starts: bool,
}

impl Activations {
    /// Analyses a program that starts with `roots`, one after the other.
    pub(crate) fn new(module: &Module, points_to: &PointsTo, roots: &[FuncId]) -> Activations {
        let mut result = Activations::default();
        let edges = edges(points_to);
        result.find_cycles(module, points_to);
        result.find_recursion(points_to, &edges);
        result.count(roots, &edges);
        result.find_concurrent(roots, &edges);
        result
    }

    fn find_cycles(&mut self, module: &Module, points_to: &PointsTo) {
        for &func in &points_to.reachable {
            let mut graph: DiGraphMap<BlockId, ()> = DiGraphMap::new();
            for (block, body) in &module.funcs[func].blocks {
                graph.add_node(block);
                for next in body.instrs.last().map(|last| last.op.successors()).unwrap_or_default() {
                    graph.add_edge(block, next, ());
                }
            }
            for component in tarjan_scc(&graph) {
                if component.len() > 1 || graph.contains_edge(component[0], component[0]) {
                    self.cyclic.extend(component.into_iter().map(|block| (func, block)));
                }
            }
        }
    }

    fn find_recursion(&mut self, points_to: &PointsTo, edges: &[Edge]) {
        let mut graph: DiGraphMap<FuncId, ()> = DiGraphMap::new();
        points_to.reachable.iter().for_each(|&func| {
            graph.add_node(func);
        });
        for edge in edges.iter().filter(|edge| !edge.starts) {
            graph.add_edge(edge.from, edge.to, ());
        }
        for component in tarjan_scc(&graph) {
            if component.len() > 1 || graph.contains_edge(component[0], component[0]) {
                self.recursive.extend(component);
            }
        }
    }

    fn count(&mut self, roots: &[FuncId], edges: &[Edge]) {
        loop {
            let mut times: FxHashMap<FuncId, Times> = FxHashMap::default();
            for &root in roots {
                let entry = times.entry(root).or_default();
                *entry = entry.and(Times::Once);
            }
            for edge in edges {
                let by = self.site(edge.from, edge.block);
                let entry = times.entry(edge.to).or_default();
                *entry = entry.and(by);
            }
            for &func in &self.recursive {
                times.insert(func, Times::Many);
            }
            // Numbers only grow, so this ends.
            for (func, now) in &mut times {
                *now = (*now).max(self.times(*func));
            }
            if times == self.times {
                return;
            }
            self.times = times;
        }
    }

    fn find_concurrent(&mut self, roots: &[FuncId], edges: &[Edge]) {
        // Threads: the first one, and each function that is started; two of those that are started often.
        let mut threads: Vec<Vec<FuncId>> = vec![roots.to_vec()];
        let started: FxHashSet<FuncId> =
            edges.iter().filter(|edge| edge.starts).map(|edge| edge.to).collect();
        for func in started {
            let times: Vec<&Edge> = edges.iter().filter(|edge| edge.starts && edge.to == func).collect();
            let often =
                times.len() > 1 || times.iter().any(|edge| self.site(edge.from, edge.block) == Times::Many);
            threads.push(vec![func]);
            if often {
                threads.push(vec![func]);
            }
        }
        let mut seen: FxHashSet<FuncId> = FxHashSet::default();
        for roots in threads {
            let mut reached: FxHashSet<FuncId> = roots.iter().copied().collect();
            let mut work = roots;
            while let Some(func) = work.pop() {
                for edge in edges.iter().filter(|edge| edge.from == func && !edge.starts) {
                    if reached.insert(edge.to) {
                        work.push(edge.to);
                    }
                }
            }
            for func in reached {
                if !seen.insert(func) {
                    self.concurrent.insert(func);
                }
            }
        }
    }

    fn times(&self, func: FuncId) -> Times {
        self.times.get(&func).copied().unwrap_or_default()
    }

    /// How often a block is run.
    pub(crate) fn site(&self, func: FuncId, block: BlockId) -> Times {
        let times = self.times(func);
        if times != Times::Never && self.cyclic.contains(&(func, block)) { Times::Many } else { times }
    }

    /// How often a function is called.
    pub(crate) fn calls(&self, func: FuncId) -> Times {
        self.times(func)
    }

    /// How the instances of an object are told apart.
    pub(crate) fn instances(&self, module: &Module, kind: ObjectKind) -> Instances {
        match kind {
            ObjectKind::Global(global) if module.globals[global].thread_local => Instances::Thread,
            ObjectKind::Global(_) | ObjectKind::Func(_) => Instances::One,
            ObjectKind::Heap(func, (block, _)) => match self.site(func, block) {
                Times::Never | Times::Once => Instances::One,
                Times::Many => Instances::Counted,
            },
            ObjectKind::Stack(func, value) => {
                let block = defining_block(module, func, value);
                if self.recursive.contains(&func) || self.cyclic.contains(&(func, block)) {
                    Instances::Counted
                } else if self.concurrent.contains(&func) {
                    Instances::Thread
                } else {
                    Instances::One
                }
            }
        }
    }
}

fn defining_block(module: &Module, func: FuncId, value: crate::module::ValueId) -> BlockId {
    let blocks = &module.funcs[func].blocks;
    let holds = |block: &BlockId| blocks[*block].instrs.iter().any(|instr| instr.result == Some(value));
    // Nearly always the first.
    blocks.keys().find(holds).unwrap_or_else(|| BlockId::from_u32(0))
}

fn edges(points_to: &PointsTo) -> Vec<Edge> {
    let make = |starts: bool| {
        move |(&(from, (block, _)), to): (&(FuncId, Site), &Vec<FuncId>)| {
            to.iter().map(move |&to| Edge { from, block, to, starts }).collect::<Vec<_>>()
        }
    };
    let mut edges: Vec<Edge> = points_to.callees.iter().flat_map(make(false)).collect();
    edges.extend(points_to.starts.iter().flat_map(make(true)));
    // Threads that end call destructors, any number of times.
    for started in points_to.starts.values().flatten() {
        for &to in &points_to.destructors {
            let block = BlockId::from_u32(0);
            edges.extend([0; 2].map(|_| Edge { from: *started, block, to, starts: false }));
        }
    }
    edges.sort_by_key(|edge| (edge.from, edge.block, edge.to, edge.starts));
    edges
}
