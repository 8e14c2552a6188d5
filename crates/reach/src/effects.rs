//! What running a procedure can change, whether it can fail, and how large it is when all its calls are inlined.

use cranelift_entity::SecondaryMap;
use ir::{BlockId, GlobalId, LocalId, Op, PlaceBase, ProcId, Program};
use petgraph::graphmap::DiGraphMap;

/// Effects of all procedures.
#[derive(Debug)]
pub(crate) struct Effects {
    procs: SecondaryMap<ProcId, Effect>,
}

#[derive(Clone, Debug, Default)]
struct Effect {
    /// The globals that it or a callee may assign, sorted.
    globals: Vec<GlobalId>,
    may_fail: bool,
    /// Ops, those of callees included each time they are called; nothing for a recursive procedure.
    size: Option<usize>,
    /// How deep calls nest.
    height: usize,
    /// How many calls of it there are in the program.
    calls: usize,
}

impl Effects {
    /// Computes them.
    pub(crate) fn new(program: &Program) -> Self {
        let mut calls: DiGraphMap<u32, ()> = DiGraphMap::new();
        for (id, proc) in &program.procs {
            calls.add_node(id.as_u32());
            for (_, _, stmt) in proc.stmts() {
                if let Op::Call { proc: callee, .. } = &stmt.op {
                    calls.add_edge(id.as_u32(), callee.as_u32(), ());
                }
            }
        }
        let mut effects = Effects { procs: SecondaryMap::new() };
        let mut count: SecondaryMap<ProcId, usize> = SecondaryMap::new();
        for (.., stmt) in program.procs.values().flat_map(ir::Proc::stmts) {
            if let Op::Call { proc: callee, .. } = &stmt.op {
                count[*callee] += 1;
            }
        }
        // Callees first; the procedures of one component have the same effects.
        for component in petgraph::algo::kosaraju_scc(&calls) {
            let recursive = component.len() > 1 || calls.contains_edge(component[0], component[0]);
            let mut joint = Effect { size: (!recursive).then_some(0), ..Effect::default() };
            for &id in &component {
                effects.collect(program, ProcId::from_u32(id), &mut joint);
            }
            joint.globals.sort_unstable();
            joint.globals.dedup();
            for &id in &component {
                let id = ProcId::from_u32(id);
                effects.procs[id] = Effect { calls: count[id], ..joint.clone() };
            }
        }
        effects
    }

    fn collect(&self, program: &Program, proc: ProcId, joint: &mut Effect) {
        for (_, _, stmt) in program.procs[proc].stmts() {
            joint.size = joint.size.map(|size| size.saturating_add(1));
            stmt.op.for_each_target(|place| {
                if let PlaceBase::Global(global) = place.base {
                    joint.globals.push(global);
                }
            });
            match &stmt.op {
                Op::Assert { .. } => joint.may_fail = true,
                Op::Call { proc: callee, .. } => {
                    let callee = &self.procs[*callee];
                    joint.globals.extend(&callee.globals);
                    joint.may_fail |= callee.may_fail;
                    joint.height = joint.height.max(callee.height + 1);
                    joint.size = joint.size.zip(callee.size).map(|(size, more)| size.saturating_add(more));
                }
                _ => {}
            }
        }
    }

    /// The globals that the procedure or a callee may assign.
    pub(crate) fn globals(&self, proc: ProcId) -> &[GlobalId] {
        &self.procs[proc].globals
    }

    /// Whether an assertion in the procedure or a callee may fail.
    pub(crate) fn may_fail(&self, proc: ProcId) -> bool {
        self.procs[proc].may_fail
    }

    /// Whether the procedure is better inlined at once: it has, with all its callees, at most some number of ops, or it
    /// is called only here; and calls do not nest deeper than some number.
    pub(crate) fn is_inlined(&self, proc: ProcId, most_ops: usize, most_height: usize) -> bool {
        let effect = &self.procs[proc];
        let is_small = effect.size.is_some_and(|size| size <= most_ops || effect.calls == 1);
        is_small && effect.height <= most_height
    }

    /// What some blocks of a procedure may assign.
    pub(crate) fn of_blocks(
        &self,
        program: &Program,
        proc: ProcId,
        blocks: &[BlockId],
    ) -> (Vec<GlobalId>, Vec<LocalId>) {
        let (mut globals, mut locals) = (Vec::new(), Vec::new());
        for stmt in blocks.iter().flat_map(|block| &program.procs[proc].blocks[*block].stmts) {
            stmt.op.for_each_target(|place| match place.base {
                PlaceBase::Global(global) => globals.push(global),
                PlaceBase::Local(local) => locals.push(local),
            });
            if let Op::Call { proc, .. } = &stmt.op {
                globals.extend(self.globals(*proc));
            }
        }
        globals.sort_unstable();
        globals.dedup();
        locals.sort_unstable();
        locals.dedup();
        (globals, locals)
    }
}
