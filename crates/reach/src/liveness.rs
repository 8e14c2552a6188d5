//! Which variables matter later: those that are read, and not only to compute what does not matter itself.
//!
//! Only these are merged where paths join, only these come out of a call or a loop, and an assignment to any other is
//! passed over. The analysis covers the whole program but not who calls whom: after its return, a procedure's globals
//! matter if they matter after any call of it.

use cranelift_entity::{EntitySet, SecondaryMap};
use ir::{BlockId, ExprId, ExprNode, GlobalId, LocalId, Op, OpRef, Place, PlaceBase, ProcId, Program};
use rustc_hash::FxHashMap;

/// A set of variables.
#[derive(Clone, Debug, Default)]
struct Variables {
    globals: EntitySet<GlobalId>,
    locals: EntitySet<LocalId>,
}

impl Variables {
    fn contains(&self, base: PlaceBase) -> bool {
        match base {
            PlaceBase::Global(id) => self.globals.contains(id),
            PlaceBase::Local(id) => self.locals.contains(id),
        }
    }

    fn remove(&mut self, base: PlaceBase) {
        match base {
            PlaceBase::Global(id) => self.globals.remove(id),
            PlaceBase::Local(id) => self.locals.remove(id),
        };
    }
}

/// What matters where.
#[derive(Debug)]
pub(crate) struct Liveness {
    /// After the start of each block.
    blocks: FxHashMap<(ProcId, BlockId), Variables>,
    /// After the return of each procedure.
    returns: SecondaryMap<ProcId, EntitySet<GlobalId>>,
    /// For ops that assign something that does not matter: whether each target does.
    targets: FxHashMap<OpRef, Vec<bool>>,
}

impl Liveness {
    /// Computes it; some globals matter everywhere.
    pub(crate) fn new(program: &Program, observed: &[GlobalId]) -> Self {
        let mut analysis = Analysis::new(program, observed);
        analysis.run();
        let mut targets = FxHashMap::default();
        for (proc, body) in &program.procs {
            for (block, stmts) in &body.blocks {
                let mut now = analysis.nothing();
                for (index, stmt) in stmts.stmts.iter().enumerate().rev() {
                    let places = assigned(&stmt.op);
                    let matter: Vec<bool> = places.iter().map(|place| now.contains(place.base)).collect();
                    if matter.contains(&false) {
                        targets.insert(OpRef { proc, block, index }, matter);
                    }
                    analysis.transfer(proc, &stmt.op, &mut now);
                }
            }
        }
        Liveness { blocks: analysis.blocks, returns: analysis.returns, targets }
    }

    /// Whether a local matters after the start of a block.
    pub(crate) fn local(&self, proc: ProcId, block: BlockId, local: LocalId) -> bool {
        self.blocks.get(&(proc, block)).is_some_and(|live| live.locals.contains(local))
    }

    /// Whether a global matters after the start of a block.
    pub(crate) fn global(&self, proc: ProcId, block: BlockId, global: GlobalId) -> bool {
        self.blocks.get(&(proc, block)).is_some_and(|live| live.globals.contains(global))
    }

    /// Whether a global matters after a procedure has returned.
    pub(crate) fn after_return(&self, proc: ProcId, global: GlobalId) -> bool {
        self.returns[proc].contains(global)
    }

    /// Whether a target of an op matters, by its position.
    pub(crate) fn target(&self, at: OpRef, position: usize) -> bool {
        self.targets.get(&at).is_none_or(|matter| matter[position])
    }
}

struct Analysis<'p> {
    program: &'p Program,
    /// What matters everywhere.
    observed: &'p [GlobalId],
    blocks: FxHashMap<(ProcId, BlockId), Variables>,
    returns: SecondaryMap<ProcId, EntitySet<GlobalId>>,
    callers: SecondaryMap<ProcId, Vec<ProcId>>,
    /// Procedures to look at (again).
    work: Vec<ProcId>,
}

impl<'p> Analysis<'p> {
    fn new(program: &'p Program, observed: &'p [GlobalId]) -> Self {
        let mut callers: SecondaryMap<ProcId, Vec<ProcId>> = SecondaryMap::new();
        for (proc, body) in &program.procs {
            for (_, _, stmt) in body.stmts() {
                if let Op::Call { proc: callee, .. } = &stmt.op
                    && callers[*callee].last() != Some(&proc)
                {
                    callers[*callee].push(proc);
                }
            }
        }
        Analysis {
            program,
            observed,
            blocks: FxHashMap::default(),
            returns: SecondaryMap::with_default(EntitySet::new()),
            callers,
            work: program.procs.keys().collect(),
        }
    }

    /// What matters where nothing is read any more.
    fn nothing(&self) -> Variables {
        let mut nothing = Variables::default();
        nothing.globals.extend(self.observed.iter().copied());
        nothing
    }

    fn run(&mut self) {
        while let Some(proc) = self.work.pop() {
            self.proc(proc);
        }
    }

    /// Looks at a procedure until nothing changes in it.
    fn proc(&mut self, id: ProcId) {
        let proc = &self.program.procs[id];
        let mut predecessors: SecondaryMap<BlockId, Vec<BlockId>> = SecondaryMap::new();
        for (from, block) in &proc.blocks {
            for to in block.stmts.last().map(|stmt| stmt.op.successors()).unwrap_or_default() {
                predecessors[to].push(from);
            }
        }
        let mut work: Vec<BlockId> = proc.blocks.keys().collect();
        while let Some(block) = work.pop() {
            let mut now = self.nothing();
            for stmt in proc.blocks[block].stmts.iter().rev() {
                if let Op::Call { proc: callee, results, .. } = &stmt.op {
                    self.returns_to(*callee, results, &now);
                }
                self.transfer(id, &stmt.op, &mut now);
            }
            let old = self.blocks.entry((id, block)).or_default();
            let grows = proc
                .locals
                .keys()
                .any(|local| now.locals.contains(local) && !old.locals.contains(local))
                || self.program.globals.keys().any(|g| now.globals.contains(g) && !old.globals.contains(g));
            if grows {
                *old = now;
                work.extend(&predecessors[block]);
                if block == proc.entry {
                    self.work.extend(&self.callers[id]);
                }
            }
        }
    }

    /// What matters after one of its calls matters after a procedure's return.
    fn returns_to(&mut self, callee: ProcId, results: &[Place], after: &Variables) {
        let mut grows = false;
        for global in self.program.globals.keys() {
            let is_result = results.iter().any(|r| r.base == PlaceBase::Global(global) && r.path.is_empty());
            if after.globals.contains(global) && !is_result {
                grows |= self.returns[callee].insert(global);
            }
        }
        if grows {
            self.work.push(callee);
        }
    }

    /// From what matters after an op to what matters before it.
    fn transfer(&self, id: ProcId, op: &Op, now: &mut Variables) {
        let proc = &self.program.procs[id];
        for to in op.successors() {
            if let Some(live) = self.blocks.get(&(id, to)) {
                now.locals.extend(proc.locals.keys().filter(|local| live.locals.contains(*local)));
                now.globals.extend(self.program.globals.keys().filter(|g| live.globals.contains(*g)));
            }
        }
        match op {
            Op::Assign { targets, values, .. } => self.assign(targets, values, now),
            Op::Await { guard, targets, values } => {
                self.assign(targets, values, now);
                self.reads(&[*guard], now);
            }
            Op::Havoc { targets } | Op::Opaque { targets, .. } => self.assign(targets, &[], now),
            Op::Call { proc: callee, args, results } => {
                // The results go where they go whether that matters or not.
                for place in results {
                    if place.path.is_empty() {
                        now.remove(place.base);
                    }
                    self.reads(&place.path.concat(), now);
                }
                let entry = self.blocks.get(&(*callee, self.program.procs[*callee].entry));
                if let Some(entry) = entry {
                    now.globals.extend(self.program.globals.keys().filter(|g| entry.globals.contains(*g)));
                    for (param, arg) in self.program.procs[*callee].params.iter().zip(args) {
                        if entry.locals.contains(*param) {
                            self.reads(&[*arg], now);
                        }
                    }
                }
            }
            Op::Return => {
                now.locals.extend(proc.results.iter().copied());
                let after = &self.returns[id];
                now.globals.extend(self.program.globals.keys().filter(|g| after.contains(*g)));
            }
            other => {
                let mut roots = Vec::new();
                other.for_each_operand(|e| roots.push(e));
                self.reads(&roots, now);
            }
        }
        now.globals.extend(self.observed.iter().copied());
    }

    fn assign(&self, targets: &[Place], values: &[ExprId], now: &mut Variables) {
        let matter: Vec<bool> = targets.iter().map(|place| now.contains(place.base)).collect();
        for place in targets.iter().filter(|place| place.path.is_empty()) {
            now.remove(place.base);
        }
        for (at, place) in targets.iter().enumerate().filter(|(at, _)| matter[*at]) {
            self.reads(&place.path.concat(), now);
            if let Some(value) = values.get(at) {
                self.reads(&[*value], now);
            }
        }
    }

    fn reads(&self, roots: &[ExprId], now: &mut Variables) {
        for &root in roots {
            self.program.exprs.for_each_in(root, |_, node| match node {
                ExprNode::Global(id, _) => {
                    now.globals.insert(*id);
                }
                ExprNode::Local(id, _) => {
                    now.locals.insert(*id);
                }
                _ => {}
            });
        }
    }
}

/// What an op assigns, as far as it may be left out.
fn assigned(op: &Op) -> &[Place] {
    match op {
        Op::Assign { targets, .. } | Op::Await { targets, .. } | Op::Havoc { targets } => targets,
        _ => &[],
    }
}

/// Calls `visit` with the variables in the expressions of an op.
pub(crate) fn for_each_variable_read(program: &Program, op: &Op, mut visit: impl FnMut(&ExprNode)) {
    let mut roots: Vec<ExprId> = Vec::new();
    op.for_each_operand(|e| roots.push(e));
    for root in roots {
        program.exprs.for_each_in(root, |_, node| {
            if matches!(node, ExprNode::Local(..) | ExprNode::Global(..)) {
                visit(node);
            }
        });
    }
}
