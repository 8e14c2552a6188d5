//! Functions and loops in which nothing happens that is recorded.
//!
//! A quiet function is neither entered nor left, as far as a trace knows. A quiet loop can take any time, and its thread may have the
//! turn: it looks whether somebody else wants it, lets it go then, and takes it again behind the loop. So threads that compute something
//! on their own run in parallel while they are recorded.

use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::raw::{Block, Value};

/// The quiet functions among those of a module: `happens` says whether an instruction is recorded, or calls something that is not
/// known. Calls of other functions of the module are told apart by what these do.
pub(super) fn functions<'m>(
    functions: &[Value<'m>],
    happens: &dyn Fn(Value<'m>) -> bool,
) -> FxHashSet<Value<'m>> {
    let known: FxHashSet<Value<'m>> = functions.iter().copied().collect();
    let mut callers: FxHashMap<Value<'m>, Vec<Value<'m>>> = FxHashMap::default();
    let mut loud = Vec::new();
    for &function in functions {
        let mut instructions = function.blocks().flat_map(Block::instructions);
        if instructions.any(|instruction| called(instruction, &known).is_none() && happens(instruction)) {
            loud.push(function);
        }
        for callee in function.blocks().flat_map(Block::instructions).filter_map(|at| called(at, &known)) {
            callers.entry(callee).or_default().push(function);
        }
    }
    let mut quiet = known;
    while let Some(function) = loud.pop() {
        if quiet.remove(&function) {
            loud.extend(callers.get(&function).into_iter().flatten());
        }
    }
    quiet
}

/// The function of the module that an instruction calls.
fn called<'m>(instruction: Value<'m>, known: &FxHashSet<Value<'m>>) -> Option<Value<'m>> {
    instruction.callee().filter(|callee| known.contains(callee))
}

/// Where the quiet loops of a function go round, and where they are left.
#[derive(Default)]
pub(super) struct Loops<'m> {
    /// The last instructions of blocks from which they go round.
    pub(super) rounds: Vec<Value<'m>>,
    /// The blocks to which they are left.
    pub(super) exits: Vec<Block<'m>>,
}

/// Finds the quiet loops of a function; `happens` says whether an instruction is recorded, or calls what is not quiet.
pub(super) fn loops<'m>(function: Value<'m>, happens: &dyn Fn(Value<'m>) -> bool) -> Loops<'m> {
    let blocks: Vec<Block<'m>> = function.blocks().collect();
    let numbers: FxHashMap<Block<'m>, usize> = blocks.iter().copied().zip(0..).collect();
    let mut graph: DiGraphMap<usize, ()> = DiGraphMap::new();
    let ends: Vec<Option<Value<'m>>> = blocks.iter().map(|block| block.instructions().last()).collect();
    let quiet: Vec<bool> = blocks.iter().map(|block| !block.instructions().any(happens)).collect();
    let next = |at: usize| -> Vec<usize> {
        let ways = ends[at].map(Value::successors).unwrap_or_default();
        ways.iter().filter_map(|block| numbers.get(block).copied()).collect()
    };
    for at in (0..blocks.len()).filter(|at| quiet[*at]) {
        graph.add_node(at);
        for to in next(at).into_iter().filter(|to| quiet[*to]) {
            graph.add_edge(at, to, ());
        }
    }
    let mut loops = Loops::default();
    let mut exits: FxHashSet<usize> = FxHashSet::default();
    for part in tarjan_scc(&graph) {
        let inside: FxHashSet<usize> = part.iter().copied().collect();
        if part.len() == 1 && !graph.contains_edge(part[0], part[0]) {
            continue;
        }
        for &at in &part {
            // Numbers do not only grow on the way round.
            if next(at).iter().any(|to| inside.contains(to) && *to <= at) {
                loops.rounds.extend(ends[at]);
            }
            for to in next(at).into_iter().filter(|to| !inside.contains(to)) {
                if exits.insert(to) {
                    loops.exits.push(blocks[to]);
                }
            }
        }
    }
    loops
}
