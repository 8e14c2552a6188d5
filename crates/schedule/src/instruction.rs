//! Which instruction of the compiled program an op belongs to.
//!
//! Most instructions that others see are one step each, and some are several: the start of a thread also stores the handle. Library
//! functions of our own have no instructions: they belong to who calls them. What is added to a function, or around one (the arguments
//! of a call with `...`, what runs when a thread ends), belongs to no instruction: the compiled program does it in its own way, and
//! nobody can wait for it there.

use std::collections::{BTreeMap, BTreeSet};

use ir::{ExprNode, Op, OpRef, PlaceBase, ProcId, Program, SyncKind};

/// Where an op comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The site of the instruction.
    pub site: u32,
    /// Whether it is the first op of the instruction.
    pub fresh: bool,
}

/// Says where ops come from.
pub type Origins<'a> = dyn Fn(OpRef) -> Option<Origin> + 'a;

/// What a step is, as far as the compiled program has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstructionKind {
    /// An instruction begins that others see, or the second half of one in two steps.
    Instruction(u32),
    /// A further part of the instruction before.
    Part,
    /// Nothing that anybody sees.
    Silent,
}

/// The instruction that a thread is in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Within {
    /// Its site.
    pub site: u32,
    /// Whether a step of it has happened that others see.
    pub begun: bool,
    /// Whether it is between the two steps of an op that has two.
    pub half: bool,
}

/// Follows threads from op to op.
pub struct Follower<'a> {
    program: &'a Program,
    origins: &'a Origins<'a>,
    /// The procedures that have instructions, and those that belong to who calls them.
    compiled: BTreeSet<ProcId>,
    belonging: BTreeSet<ProcId>,
    /// Those of the latter in which nothing happens that others see, as arithmetic of floating-point numbers.
    quiet: BTreeSet<ProcId>,
}

impl<'a> Follower<'a> {
    /// Follows threads of a program.
    #[must_use]
    pub fn new(program: &'a Program, origins: &'a Origins<'a>) -> Self {
        let (mut compiled, mut belonging) = (BTreeSet::new(), BTreeSet::new());
        for (proc, body) in &program.procs {
            let sites = || {
                let ops = body.stmts();
                ops.filter_map(|(block, index, _)| Some(origins(OpRef { proc, block, index })?.site))
            };
            if sites().any(|site| site != 0) {
                compiled.insert(proc);
            } else if sites().next().is_some() {
                belonging.insert(proc);
            }
        }
        let mut follower = Follower { program, origins, compiled, belonging, quiet: BTreeSet::new() };
        follower.quiet = follower.find_quiet();
        follower
    }

    fn find_quiet(&self) -> BTreeSet<ProcId> {
        let mut quiet = self.belonging.clone();
        let mut callers: BTreeMap<ProcId, Vec<ProcId>> = BTreeMap::new();
        let mut loud = Vec::new();
        for &proc in &self.belonging {
            for (.., stmt) in self.program.procs[proc].stmts() {
                match &stmt.op {
                    Op::Call { proc: callee, .. } if self.belonging.contains(callee) => {
                        callers.entry(*callee).or_default().push(proc);
                    }
                    Op::Call { .. } => loud.push(proc),
                    op if self.is_visible(op) => loud.push(proc),
                    _ => {}
                }
            }
        }
        while let Some(proc) = loud.pop() {
            if quiet.remove(&proc) {
                loud.extend(callers.get(&proc).into_iter().flatten());
            }
        }
        quiet
    }

    /// Whether nothing that others see happens in a procedure that belongs to who calls it.
    pub(crate) fn is_quiet(&self, proc: ProcId) -> bool {
        self.quiet.contains(&proc)
    }

    /// Whether a procedure has no instructions, and belongs to who calls it.
    pub(crate) fn belongs_to_caller(&self, proc: ProcId) -> bool {
        self.belonging.contains(&proc)
    }

    /// Whether an op belongs to no instruction.
    fn is_added(&self, op: OpRef) -> bool {
        (self.origins)(op).is_none_or(|origin| origin.site == 0 && self.compiled.contains(&op.proc))
    }

    fn op(&self, at: OpRef) -> &'a Op {
        &self.program.procs[at.proc].blocks[at.block].stmts[at.index].op
    }

    /// Whether an op is the first of an instruction, if its thread is within another.
    #[must_use]
    pub fn begins(&self, op: OpRef, within: u32) -> bool {
        let origin = (self.origins)(op);
        origin.is_some_and(|origin| origin.site != 0 && (origin.fresh || origin.site != within))
    }

    /// A thread comes to an op.
    pub fn follow(&self, op: OpRef, within: &mut Within) {
        if let Some(origin) = (self.origins)(op)
            && self.begins(op, within.site)
        {
            *within = Within { site: origin.site, ..Within::default() };
        }
        // What is called from there belongs to nobody, either.
        if let Op::Call { proc, .. } = self.op(op)
            && !self.compiled.contains(proc)
            && !self.belongs_to_caller(*proc)
        {
            *within = Within::default();
        }
    }

    /// A thread has executed a step that starts with an op, or the first half of it if the op takes two.
    pub fn executed(&self, at: OpRef, within: &mut Within) {
        if self.is_added(at) {
            return;
        }
        let op = self.op(at);
        within.begun |= self.is_visible(op);
        within.half = !within.half && is_in_two_steps(op);
    }

    /// What a step is that starts with an op, if its thread is within an instruction.
    #[must_use]
    pub fn kind(&self, at: OpRef, mut within: Within) -> InstructionKind {
        self.follow(at, &mut within);
        let op = self.op(at);
        if !self.is_visible(op) || self.is_added(at) || within.site == 0 {
            InstructionKind::Silent
        } else if within.half && is_in_two_steps(op) || !within.begun {
            InstructionKind::Instruction(within.site)
        } else {
            InstructionKind::Part
        }
    }

    /// Whether an op does something that other threads can see or that depends on them.
    #[must_use]
    pub fn is_visible(&self, op: &Op) -> bool {
        if matches!(
            op,
            Op::Sync(_) | Op::Spawn { .. } | Op::Wait { .. } | Op::Await { .. } | Op::AtomicBegin | Op::Exit
        ) {
            return true;
        }
        let mut visible = false;
        op.for_each_target(|place| visible |= matches!(place.base, PlaceBase::Global(_)));
        op.for_each_operand(|expr| {
            self.program.exprs.for_each_in(expr, |_, node| visible |= matches!(node, ExprNode::Global(..)));
        });
        visible
    }
}

/// Whether an op takes two steps, each with an instant of its own.
fn is_in_two_steps(op: &Op) -> bool {
    match op {
        Op::Sync(sync) => {
            matches!(sync.kind, SyncKind::CondWait | SyncKind::CondTimedWait | SyncKind::BarrierWait)
        }
        _ => false,
    }
}
