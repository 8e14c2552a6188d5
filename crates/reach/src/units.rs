//! Procedures and loops as units without cycles.
//!
//! A unit is what is inlined at once: the blocks of a procedure, or those of a loop. Inside a unit, a loop is a single
//! node that is entered and left like a call, and the jump back to the head of a loop enters the loop once more. So
//! recursion is the only way to run for long, and one bound covers both. A loop with several entries (`goto` can do
//! that) becomes one unit per entry, each with that entry as its head.

use cranelift_entity::{PrimaryMap, entity_impl};
use ir::{BlockId, Op, ProcId, Program};
use petgraph::graphmap::DiGraphMap;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::effects::Effects;

/// Names a unit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct UnitId(u32);
entity_impl!(UnitId, "unit");

/// How a unit is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// The procedure returns.
    Return,
    /// An assertion fails.
    Fail,
    /// A loop is left for this block.
    To(BlockId),
}

/// Where control can go inside a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Target {
    /// To a block, which may be the head of an inner loop.
    Block(BlockId),
    /// To the head of the loop that the unit is, again.
    Again,
    /// Out of the unit.
    Exit(Exit),
}

/// What stands at a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Node {
    /// The ops of a block.
    Block(BlockId),
    /// A loop that is entered here.
    Loop(UnitId),
}

/// A unit.
#[derive(Debug)]
pub(crate) struct Unit {
    pub(crate) proc: ProcId,
    pub(crate) entry: BlockId,
    pub(crate) is_loop: bool,
    /// The targets inside, each before those it leads to.
    pub(crate) order: Vec<(Target, Node)>,
    /// The ways out.
    pub(crate) exits: Vec<Exit>,
    /// The blocks it covers, sorted.
    pub(crate) blocks: Vec<BlockId>,
}

impl Unit {
    /// What it means to go to a block.
    pub(crate) fn target(&self, to: BlockId) -> Target {
        if self.is_loop && to == self.entry {
            Target::Again
        } else if self.blocks.binary_search(&to).is_ok() {
            Target::Block(to)
        } else {
            Target::Exit(Exit::To(to))
        }
    }
}

/// All units of a program.
#[derive(Debug, Default)]
pub(crate) struct Units {
    pub(crate) units: PrimaryMap<UnitId, Unit>,
    of_proc: FxHashMap<ProcId, UnitId>,
    known: FxHashMap<(ProcId, BlockId, Vec<BlockId>), UnitId>,
}

impl Units {
    /// The units of all procedures.
    pub(crate) fn new(program: &Program, effects: &Effects) -> Self {
        let mut units = Units::default();
        for proc in program.procs.keys() {
            let unit =
                units.add(program, effects, proc, program.procs[proc].entry, reachable(program, proc), false);
            units.of_proc.insert(proc, unit);
        }
        units
    }

    /// The unit of a procedure.
    pub(crate) fn of_proc(&self, proc: ProcId) -> UnitId {
        self.of_proc[&proc]
    }

    /// Makes a unit and the loops in it. Loops nest as deep as the source does; parsers bound that.
    fn add(
        &mut self,
        program: &Program,
        effects: &Effects,
        proc: ProcId,
        entry: BlockId,
        blocks: Vec<BlockId>,
        is_loop: bool,
    ) -> UnitId {
        let body = &program.procs[proc].blocks;
        let inside: FxHashSet<BlockId> = blocks.iter().copied().collect();
        let back = |to: BlockId| is_loop && to == entry;
        let mut graph: DiGraphMap<u32, ()> = DiGraphMap::new();
        for &block in &blocks {
            graph.add_node(block.as_u32());
            for to in successors(program, proc, block) {
                if inside.contains(&to) && !back(to) {
                    graph.add_edge(block.as_u32(), to.as_u32(), ());
                }
            }
        }
        let mut order = Vec::new();
        let mut components = petgraph::algo::kosaraju_scc(&graph);
        components.reverse();
        for mut component in components {
            let first = component[0];
            if component.len() == 1 && !graph.contains_edge(first, first) {
                let block = BlockId::from_u32(first);
                order.push((Target::Block(block), Node::Block(block)));
                continue;
            }
            component.sort_unstable();
            let members: Vec<BlockId> = component.iter().map(|&b| BlockId::from_u32(b)).collect();
            let heads = members.iter().filter(|&&block| {
                let mut from = graph.neighbors_directed(block.as_u32(), petgraph::Direction::Incoming);
                block == entry || from.any(|from| component.binary_search(&from).is_err())
            });
            for &head in heads {
                let key = (proc, head, members.clone());
                let unit = match self.known.get(&key) {
                    Some(&unit) => unit,
                    None => {
                        let unit = self.add(program, effects, proc, head, members.clone(), true);
                        self.known.insert(key, unit);
                        unit
                    }
                };
                order.push((Target::Block(head), Node::Loop(unit)));
            }
        }
        let mut exits: Vec<Exit> = Vec::new();
        for &block in &blocks {
            exits.extend(
                successors(program, proc, block).into_iter().filter(|to| !inside.contains(to)).map(Exit::To),
            );
            for stmt in &body[block].stmts {
                match &stmt.op {
                    Op::Return => exits.push(Exit::Return),
                    Op::Assert { .. } => exits.push(Exit::Fail),
                    Op::Call { proc, .. } if effects.may_fail(*proc) => exits.push(Exit::Fail),
                    _ => {}
                }
            }
        }
        exits.sort_unstable();
        exits.dedup();
        let unit = self.units.next_key();
        if is_loop {
            order.push((Target::Again, Node::Loop(unit)));
        }
        self.units.push(Unit { proc, entry, is_loop, order, exits, blocks })
    }
}

/// The blocks that control can come to, sorted.
fn reachable(program: &Program, proc: ProcId) -> Vec<BlockId> {
    let mut seen = FxHashSet::default();
    let mut work = vec![program.procs[proc].entry];
    while let Some(block) = work.pop() {
        if seen.insert(block) {
            work.extend(successors(program, proc, block));
        }
    }
    let mut blocks: Vec<BlockId> = seen.into_iter().collect();
    blocks.sort_unstable();
    blocks
}

fn successors(program: &Program, proc: ProcId, block: BlockId) -> Vec<BlockId> {
    program.procs[proc].blocks[block].stmts.last().map(|stmt| stmt.op.successors()).unwrap_or_default()
}
