//! What others have to know of the reference semantics to take the same steps: where threads can be switched, and which
//! globals ops touch.

use ir::{OpRef, Program};
use rustc_hash::FxHashMap;

use crate::access::Access;
use crate::compile::compile;
use crate::points::SwitchAt;

/// What is known of one op.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OutlineOf {
    /// Whether other threads may run before it. A return is a scheduling point, too, if it completes its task or assigns
    /// globals of the caller.
    pub point: bool,
    /// Whether its accesses can be part of a data race.
    pub plain: bool,
    /// What the op itself touches of the globals.
    pub own: Access,
    /// What the step that starts here touches: of an atomic section, all of it.
    pub step: Access,
    /// What may be touched from here to the end of the procedure, callees and started tasks included.
    pub future: Access,
}

/// What is known of the ops of a program.
#[derive(Clone, Debug)]
pub struct Outline {
    ops: FxHashMap<OpRef, OutlineOf>,
    /// Where threads can be switched.
    pub switch_at: SwitchAt,
}

impl Outline {
    /// Looks at a valid program whose synchronization is expanded (see [`ir::expand`]).
    #[must_use]
    pub fn new(expanded: &Program, switch_at: SwitchAt) -> Self {
        let code = compile(expanded, switch_at);
        let outline = |instr: &crate::code::Instr| OutlineOf {
            point: instr.point,
            plain: instr.plain,
            own: instr.own,
            step: instr.step,
            future: instr.future,
        };
        let ops = code.instrs.iter().map(|instr| (instr.origin, outline(instr))).collect();
        Outline { ops, switch_at }
    }

    /// What is known of an op.
    #[must_use]
    pub fn of(&self, op: OpRef) -> OutlineOf {
        self.ops.get(&op).copied().unwrap_or_default()
    }
}
