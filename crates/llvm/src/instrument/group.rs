//! Accesses that are told together.
//!
//! Between two calls, or in a block without any, a thread does nothing but compute and access memory. Nobody else has the turn
//! meanwhile, so what it did there can be told at the end, in order: whether anybody listens is asked once, and so is all else that does
//! not differ from one event to the next. How a branch goes at the end of the block is the last one of them. What comes before an access
//! that may be the program's last, through a pointer that was not used before, is told before it.
//!
//! For each sequence of kinds that a module has, there is a function (`text`), made of those in `inline.ll`.

use std::fmt::Write as _;

use inkwell::llvm_sys::LLVMAtomicOrdering;
use rustc_hash::FxHashMap;

use super::reading::is_harmless;
use super::{accessed, escape};
use crate::raw::{Block, Opcode, Source, Value, ValueKind};
use crate::site;

/// No more than this are told together: what is to be told is kept in registers up to then.
const MOST: usize = 8;

/// What is told of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// With how many bytes: 1, 2, 4 or 8.
    Read(u32),
    Write(u32),
    Branch,
}

impl Kind {
    fn code(self) -> String {
        match self {
            Kind::Read(size) => format!("r{size}"),
            Kind::Write(size) => format!("w{size}"),
            Kind::Branch => "b".to_owned(),
        }
    }
}

/// Something that is told together with others.
#[derive(Clone, Copy)]
pub(super) struct Member<'m> {
    pub(super) kind: Kind,
    pub(super) site: u32,
    pub(super) instruction: Value<'m>,
}

/// What is told together, before some instruction.
pub(super) type Groups<'m> = FxHashMap<Value<'m>, Vec<Member<'m>>>;

/// What is to be told in a function.
pub(super) struct Seen<'m, 'a> {
    pub(super) source: Source<'m>,
    /// The kind of metadata with which sites are numbered.
    pub(super) sites: u32,
    /// Whether an access is to be told here.
    pub(super) access: &'a dyn Fn(Value<'m>) -> bool,
    /// Whether a branch is.
    pub(super) branch: &'a dyn Fn(Value<'m>) -> bool,
}

impl<'m> Seen<'m, '_> {
    /// The groups of a function.
    pub(super) fn groups(&self, function: Value<'m>) -> Groups<'m> {
        let mut groups = Groups::default();
        for block in function.blocks() {
            self.groups_of(block, &mut groups);
        }
        groups
    }

    fn groups_of(&self, block: Block<'m>, groups: &mut Groups<'m>) {
        let last = block.instructions().last();
        let mut open: Vec<Member<'m>> = Vec::new();
        for instruction in block.instructions() {
            let member = self.member(instruction);
            let is_access = member.is_some_and(|member| member.kind != Kind::Branch);
            if !is_access {
                open.extend(member);
            }
            let ends = if is_access {
                open.len() == MOST || !cannot_fail(instruction, &open)
            } else {
                last == Some(instruction) || self.ends(instruction)
            };
            if ends && !open.is_empty() {
                groups.insert(instruction, std::mem::take(&mut open));
            }
            if is_access {
                open.extend(member);
            }
        }
    }

    /// What is told of an instruction, if that can be told together with others.
    fn member(&self, instruction: Value<'m>) -> Option<Member<'m>> {
        let site = site::of(self.sites, instruction)?;
        let kind = match instruction.opcode()? {
            Opcode::LLVMLoad if (self.access)(instruction) => {
                Kind::Read(self.size(instruction, instruction)?)
            }
            Opcode::LLVMStore if (self.access)(instruction) => {
                Kind::Write(self.size(instruction, *instruction.operands().first()?)?)
            }
            Opcode::LLVMBr | Opcode::LLVMSwitch if (self.branch)(instruction) => Kind::Branch,
            _ => return None,
        };
        Some(Member { kind, site, instruction })
    }

    fn size(&self, access: Value<'m>, value: Value<'m>) -> Option<u32> {
        let size = value.store_size(self.source);
        let plain = access.ordering() == Some(LLVMAtomicOrdering::LLVMAtomicOrderingNotAtomic);
        (plain && matches!(size, 1 | 2 | 4 | 8)).then_some(size)
    }

    /// Whether what was done before an instruction that is no member has to be told before it: it may do something that is told,
    /// or not go on.
    fn ends(&self, instruction: Value<'m>) -> bool {
        match instruction.opcode() {
            Some(Opcode::LLVMCall) => !is_harmless(instruction),
            Some(Opcode::LLVMLoad | Opcode::LLVMStore) => (self.access)(instruction),
            // By zero, it is the program's last.
            Some(Opcode::LLVMUDiv | Opcode::LLVMSDiv | Opcode::LLVMURem | Opcode::LLVMSRem) => {
                let divisor = instruction.operands().get(1).copied();
                divisor.and_then(Value::small_int).is_none_or(|divisor| divisor == 0)
            }
            Some(
                Opcode::LLVMAtomicRMW
                | Opcode::LLVMAtomicCmpXchg
                | Opcode::LLVMFence
                | Opcode::LLVMVAArg
                | Opcode::LLVMLandingPad,
            )
            | None => true,
            Some(_) => false,
        }
    }
}

/// Whether an access goes to a variable, or to where one of these accesses has gone. Any other one may be the program's last, and then
/// what was done before it has to be in the trace.
fn cannot_fail<'m>(access: Value<'m>, before: &[Member<'m>]) -> bool {
    let of = |access| accessed(access).map(escape::base);
    let known = |base: Value<'m>| {
        base.kind() == ValueKind::LLVMGlobalVariableValueKind
            || base.opcode() == Some(Opcode::LLVMAlloca)
            || before.iter().any(|member| of(member.instruction) == Some(base))
    };
    of(access).is_some_and(known)
}

/// The name of the function that tells of such a sequence.
pub(super) fn name(members: &[Member<'_>]) -> String {
    let codes: String = members.iter().map(|member| member.kind.code()).collect();
    format!("__raddle_do_{codes}")
}

/// That function: for each member, it has the number of its site, the address, and the value; for a branch, the number and the way.
pub(super) fn text(members: &[Member<'_>]) -> String {
    let mut text = String::new();
    let parameters: Vec<String> = (0..members.len())
        .map(|at| match members[at].kind {
            Kind::Branch => format!("i32 %n{at}, i64 %v{at}"),
            Kind::Read(_) | Kind::Write(_) => format!("i32 %n{at}, ptr %a{at}, i64 %v{at}"),
        })
        .collect();
    let mut line = |line: std::fmt::Arguments<'_>| {
        // To write to a text never fails.
        let _ = text.write_fmt(line);
        text.push('\n');
    };
    let (name, parameters) = (name(members), parameters.join(", "));
    line(format_args!("define void @{name}({parameters}) alwaysinline nounwind {{"));
    line(format_args!("  %on = call i1 @__raddle_listens(i8 1)\n  br i1 %on, label %yes, label %no\nyes:"));
    line(format_args!("  %s0 = call %__raddle.state @__raddle_open()"));
    for (at, member) in members.iter().enumerate() {
        let state = format!("%s{} = call %__raddle.state", at + 1);
        let given = format!("%__raddle.state %s{at}, i32 %n{at}");
        match member.kind {
            Kind::Read(size) => {
                line(format_args!("  {state} @__raddle_tell_read_{size}({given}, ptr %a{at}, i64 %v{at})"));
            }
            Kind::Write(size) => {
                line(format_args!("  {state} @__raddle_tell_write_{size}({given}, ptr %a{at}, i64 %v{at})"));
            }
            Kind::Branch => line(format_args!("  {state} @__raddle_tell_way({given}, i64 %v{at})")),
        }
    }
    line(format_args!("  call void @__raddle_close(%__raddle.state %s{})", members.len()));
    line(format_args!("  br label %no\nno:\n  ret void\n}}"));
    text
}
