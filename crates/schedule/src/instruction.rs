//! Which instruction of the compiled program an op belongs to.
//!
//! Most instructions that others see are one step each, and some are several: the start of a thread also stores the handle. Library
//! functions of our own have no instructions: they belong to who calls them.

use ir::{ExprNode, Op, OpRef, PlaceBase, Program, SyncKind};

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
#[derive(Clone, Copy)]
pub struct Follower<'a> {
    program: &'a Program,
    origins: &'a Origins<'a>,
}

impl<'a> Follower<'a> {
    /// Follows threads of a program.
    #[must_use]
    pub fn new(program: &'a Program, origins: &'a Origins<'a>) -> Self {
        Follower { program, origins }
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
    }

    /// A thread has executed a step that starts with an op, or the first half of it if the op takes two.
    pub fn executed(&self, at: OpRef, within: &mut Within) {
        let op = &self.program.procs[at.proc].blocks[at.block].stmts[at.index].op;
        within.begun |= self.is_visible(op);
        within.half = !within.half && is_in_two_steps(op);
    }

    /// What a step is that starts with an op, if its thread is within an instruction.
    #[must_use]
    pub fn kind(&self, op: OpRef, mut within: Within) -> InstructionKind {
        self.follow(op, &mut within);
        let op = &self.program.procs[op.proc].blocks[op.block].stmts[op.index].op;
        if !self.is_visible(op) {
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
