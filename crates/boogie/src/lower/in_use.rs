//! Forks whose id may be in use.
//!
//! Two threads of one id at the same time: a join may then wait for either, which one map of handles cannot tell.
//! Rather than miss a run, a fork that meets a handle in its cell stops at an op that no engine follows. Engines that
//! look at the whole program refuse it for such an op, so there is none where an id is surely free. It is if all forks
//! that may have the same id are in one procedure, which runs at most once, and no way leads from one of them to the
//! fork without a join of that id. Forks have different ids if some part of these is a literal in all forks of the
//! map, or a unique constant, and differs.

use indexmap::IndexMap;
use ir::{BlockId, ExprId, ExprNode, GlobalId, Op, OpRef, Place, PlaceBase, Proc, ProcId, Program, Stmt};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::lower::{Lowering, layout};

const SECOND: &str = "a second thread with an id that is in use and is joined";

/// The op that keeps the handle of a forked thread.
#[derive(Clone, Debug)]
struct Fork {
    at: OpRef,
    map: GlobalId,
    ids: Vec<ExprId>,
}

impl Lowering<'_> {
    /// Makes forks stop where their id may be in use.
    pub(super) fn guard_forks(&mut self) {
        let uses = Uses::of(&self.program, &self.joined_maps());
        let mut guarded: IndexMap<ProcId, Vec<Fork>> = IndexMap::new();
        for fork in that_may_be_in_use(&self.program, uses) {
            guarded.entry(fork.at.proc).or_default().push(fork);
        }
        for (id, mut forks) in guarded {
            forks.sort_by_key(|fork| (fork.at.block, fork.at.index));
            let names = names(&self.program.procs[id], forks.len());
            // From the end, so that the places of those before stay what they are.
            for (fork, names) in forks.iter().zip(names).rev() {
                self.guard(fork, names);
            }
            let proc = &mut self.program.procs[id];
            *proc = layout::tidy(proc.clone());
        }
    }

    /// Puts the ops that start a thread into an atomic section, which first looks whether the id is in use.
    fn guard(&mut self, fork: &Fork, [second, first]: [String; 2]) {
        let exprs = &mut self.program.exprs;
        let map = exprs.add(ExprNode::Global(fork.map, self.program.globals[fork.map].ty.clone()));
        let cell = exprs.select(map, fork.ids.clone());
        let nil = exprs.add(ExprNode::Nil);
        let cond = exprs.binary(ir::BinaryOp::Ne, cell, nil);

        let proc = &mut self.program.procs[fork.at.proc];
        let stmts = &mut proc.blocks[fork.at.block].stmts;
        let (from, to) = steps(stmts, fork.at.index);
        let span = stmts[from].span;
        let mut rest = stmts.split_off(from);
        rest.insert(to - from, Stmt { op: Op::AtomicEnd, span });
        let first = proc.blocks.push(ir::Block { name: first, stmts: rest });
        let stop = Op::Opaque { targets: Vec::new(), what: SECOND.to_owned() };
        let stops = [stop, Op::Goto(first)].map(|op| Stmt { op, span }).to_vec();
        let second = proc.blocks.push(ir::Block { name: second, stmts: stops });
        let stmts = &mut proc.blocks[fork.at.block].stmts;
        stmts.push(Stmt { op: Op::AtomicBegin, span });
        stmts.push(Stmt { op: Op::Branch { cond, then: second, otherwise: first }, span });
    }
}

/// The cell of a map of handles that a place is.
fn cell(place: &Place, maps: &FxHashSet<GlobalId>) -> Option<(GlobalId, Vec<ExprId>)> {
    match place.base {
        PlaceBase::Global(map) if maps.contains(&map) => Some((map, place.path.concat())),
        _ => None,
    }
}

/// The ops that use the maps.
#[derive(Debug, Default)]
struct Uses {
    forks: Vec<Fork>,
    /// The ends of joins, by the id.
    joins: FxHashMap<(GlobalId, Vec<ExprId>), Vec<OpRef>>,
}

impl Uses {
    fn of(program: &Program, maps: &FxHashSet<GlobalId>) -> Self {
        let mut uses = Uses::default();
        for (id, proc) in &program.procs {
            for (block, index, stmt) in proc.stmts() {
                let at = OpRef { proc: id, block, index };
                stmt.op.for_each_target(|place| match cell(place, maps) {
                    Some((map, ids)) if frees(program, &stmt.op) => {
                        uses.joins.entry((map, ids)).or_default().push(at);
                    }
                    Some((map, ids)) => uses.forks.push(Fork { at, map, ids }),
                    None => {}
                });
            }
        }
        uses
    }
}

/// Whether an op, which assigns to a cell, is the end of a join.
fn frees(program: &Program, op: &Op) -> bool {
    match op {
        Op::Assign { values, .. } => values.iter().all(|&e| matches!(program.exprs.node(e), ExprNode::Nil)),
        _ => false,
    }
}

/// The ops that start the thread whose handle is kept at a position: themselves an atomic section if the thread gets
/// a number.
fn steps(stmts: &[Stmt], index: usize) -> (usize, usize) {
    if matches!(stmts[index].op, Op::Spawn { .. }) {
        return (index, index + 1);
    }
    let begin = stmts[..index].iter().rposition(|stmt| stmt.op == Op::AtomicBegin);
    let end = stmts[index..].iter().position(|stmt| stmt.op == Op::AtomicEnd);
    (begin.unwrap_or(index), index + end.unwrap_or(0) + 1)
}

/// Names of new blocks, a pair for each fork.
fn names(proc: &Proc, count: usize) -> Vec<[String; 2]> {
    let mut used: FxHashSet<String> = proc.blocks.values().map(|block| block.name.clone()).collect();
    let mut number = 0;
    let mut fresh = || loop {
        number += 1;
        let suffix = if number == 1 { String::new() } else { format!(".{number}") };
        let pair = ["fork.second", "fork"].map(|name| format!("{name}{suffix}"));
        if pair.iter().all(|name| !used.contains(name)) {
            used.extend(pair.clone());
            return pair;
        }
    };
    (0..count).map(|_| fresh()).collect()
}

fn that_may_be_in_use(program: &Program, uses: Uses) -> Vec<Fork> {
    let once = Once::of(program);
    let mut guarded = Vec::new();
    for alike in that_may_have_one_id(program, uses.forks) {
        let Fork { at, map, ids } = &alike[0];
        if alike.iter().any(|fork| fork.at.proc != at.proc) || !once.runs_once(at.proc) {
            guarded.extend(alike);
            continue;
        }
        let one_id = ids.iter().all(|&id| is_constant(program, id)) && alike.iter().all(|f| f.ids == *ids);
        let joins = uses.joins.get(&(*map, ids.clone())).filter(|_| one_id).into_iter().flatten().copied();
        let stops = Stops::new(alike.iter().map(|fork| fork.at).chain(joins.filter(|j| j.proc == at.proc)));
        let proc = &program.procs[at.proc];
        let met: FxHashSet<OpRef> = alike.iter().flat_map(|fork| stops.met_from(proc, fork.at)).collect();
        guarded.extend(alike.into_iter().filter(|fork| met.contains(&fork.at)));
    }
    guarded
}

/// Forks in groups: those of different groups have different ids.
fn that_may_have_one_id(program: &Program, forks: Vec<Fork>) -> Vec<Vec<Fork>> {
    let mut by_map: IndexMap<GlobalId, Vec<Fork>> = IndexMap::new();
    for fork in forks {
        by_map.entry(fork.map).or_default().push(fork);
    }
    let mut groups = Vec::new();
    for forks in by_map.into_values() {
        let tells = |part: usize| {
            let all = |is: fn(&Program, ExprId) -> bool| forks.iter().all(|fork| is(program, fork.ids[part]));
            all(is_literal) || all(is_unique)
        };
        let telling: Vec<usize> = (0..forks[0].ids.len()).filter(|&part| tells(part)).collect();
        let mut by_id: IndexMap<Vec<ExprId>, Vec<Fork>> = IndexMap::new();
        for fork in forks {
            let id = telling.iter().map(|&part| fork.ids[part]).collect();
            by_id.entry(id).or_default().push(fork);
        }
        groups.extend(by_id.into_values());
    }
    groups
}

fn is_literal(program: &Program, e: ExprId) -> bool {
    matches!(program.exprs.node(e), ExprNode::Bool(_) | ExprNode::Int(_) | ExprNode::Bv(..))
}

fn is_unique(program: &Program, e: ExprId) -> bool {
    matches!(program.exprs.node(e), ExprNode::Const(id, _) if program.consts[*id].unique)
}

/// Whether an expression has the same value wherever and whenever it is evaluated.
fn is_constant(program: &Program, e: ExprId) -> bool {
    let mut constant = true;
    program.exprs.for_each_in(e, |_, node| {
        constant &= !matches!(node, ExprNode::Global(..) | ExprNode::Local(..) | ExprNode::SelfTask);
    });
    constant
}

/// Some ops of one procedure, by their blocks.
struct Stops(FxHashMap<BlockId, Vec<OpRef>>);

impl Stops {
    fn new(ops: impl Iterator<Item = OpRef>) -> Self {
        let mut by_block: FxHashMap<BlockId, Vec<OpRef>> = FxHashMap::default();
        for at in ops {
            by_block.entry(at.block).or_default().push(at);
        }
        by_block.values_mut().for_each(|ops| ops.sort_by_key(|at| at.index));
        Stops(by_block)
    }

    /// The first of these ops on each way from an op, which may be that op itself, again.
    fn met_from(&self, proc: &Proc, from: OpRef) -> Vec<OpRef> {
        let mut met = Vec::new();
        let mut seen: FxHashSet<BlockId> = FxHashSet::default();
        let mut work = vec![(from.block, from.index + 1)];
        while let Some((block, first)) = work.pop() {
            let stops = self.0.get(&block).map_or(&[][..], Vec::as_slice);
            match stops.get(stops.partition_point(|at| at.index < first)) {
                Some(stop) => met.push(*stop),
                None => {
                    let last = proc.blocks[block].stmts.last();
                    let next = last.map(|stmt| stmt.op.successors()).unwrap_or_default();
                    work.extend(next.into_iter().filter(|&next| seen.insert(next)).map(|next| (next, 0)));
                }
            }
        }
        met
    }
}

/// From where procedures are called or started.
struct Once<'p> {
    program: &'p Program,
    from: FxHashMap<ProcId, Vec<OpRef>>,
}

impl<'p> Once<'p> {
    fn of(program: &'p Program) -> Self {
        let mut from: FxHashMap<ProcId, Vec<OpRef>> = FxHashMap::default();
        for (id, proc) in &program.procs {
            for (block, index, stmt) in proc.stmts() {
                if let Op::Call { proc, .. } | Op::Spawn { proc, .. } = stmt.op {
                    from.entry(proc).or_default().push(OpRef { proc: id, block, index });
                }
            }
        }
        Once { program, from }
    }

    /// Whether a procedure surely runs at most once.
    fn runs_once(&self, mut proc: ProcId) -> bool {
        // As many steps as there are procedures lead to the start, or round in a circle.
        for _ in 0..=self.program.procs.len() {
            let starts = self.program.threads.iter().filter(|&&thread| thread == proc).count();
            match (starts, self.from.get(&proc).map_or(&[][..], Vec::as_slice)) {
                (1, []) => return true,
                (0, [from]) if !self.comes_back(*from) => proc = from.proc,
                _ => return false,
            }
        }
        false
    }

    /// Whether an op is in a loop.
    fn comes_back(&self, at: OpRef) -> bool {
        !Stops::new(std::iter::once(at)).met_from(&self.program.procs[at.proc], at).is_empty()
    }
}
