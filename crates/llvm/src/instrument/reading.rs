//! Loops that do nothing but read, at addresses that grow by the same in each round.
//!
//! What such a loop reads is told when it is through, all at once: it runs as fast as it would otherwise, and the run-time library
//! compares what is in memory with what is known of it, which is faster than to do so access by access. The thread has the turn all the
//! time, so memory does not change in between, and as nothing is written, what is told after the loop is what it has read. How
//! often it went round is counted, and where it was in the last rounds is kept: there is no need to know before how long it takes.
//!
//! A loop of this kind is a chain of blocks that is left at one place. At least one of its addresses changes by a number that is known, so it
//! comes to an end: a loop that waits until somebody else writes something is not of this kind.

use inkwell::llvm_sys::LLVMAtomicOrdering;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::raw::{Block, Opcode, Source, TypeKind, Value, ValueKind};

/// More reads than this are told one by one: `rt` has no more room.
const MOST: usize = 8;

/// A loop that does nothing but read.
pub(super) struct Reading<'m> {
    /// The block before it, its first and its last one, and the one after it.
    pub(super) before: Block<'m>,
    pub(super) header: Block<'m>,
    pub(super) latch: Block<'m>,
    pub(super) after: Block<'m>,
    /// The loads, in order.
    pub(super) loads: Vec<Value<'m>>,
    /// How many of them come before the place where the loop is left: they are executed once more.
    pub(super) again: usize,
}

/// Finds such loops in a function. `seen` says whether others see what a pointer points to, `happens` whether something is recorded at an
/// instruction.
pub(super) fn find<'m>(
    function: Value<'m>,
    source: Source<'m>,
    seen: &dyn Fn(Value<'m>) -> bool,
    happens: &dyn Fn(Value<'m>) -> bool,
) -> Vec<Reading<'m>> {
    let mut ways_in: FxHashMap<Block<'m>, Vec<Block<'m>>> = FxHashMap::default();
    for block in function.blocks() {
        for to in successors(block) {
            ways_in.entry(to).or_default().push(block);
        }
    }
    let none = Vec::new();
    let from = |block: Block<'m>| ways_in.get(&block).unwrap_or(&none);
    let mut found = Vec::new();
    for header in function.blocks() {
        let &[one, other] = from(header).as_slice() else { continue };
        for (before, latch) in [(one, other), (other, one)] {
            if let Some(chain) = chain(header, latch, &from)
                && successors(before).len() == 1
                && let Some(reading) = reading(before, &chain, &from, source, seen, happens)
            {
                found.push(reading);
                break;
            }
        }
    }
    found
}

fn successors(block: Block<'_>) -> Vec<Block<'_>> {
    block.instructions().last().map(Value::successors).unwrap_or_default()
}

/// The blocks from the first one of a loop to its last one, if there is one way only.
fn chain<'m, 'f>(
    header: Block<'m>,
    latch: Block<'m>,
    from: &dyn Fn(Block<'m>) -> &'f Vec<Block<'m>>,
) -> Option<Vec<Block<'m>>>
where
    'm: 'f,
{
    let mut blocks = vec![latch];
    let mut at = latch;
    while at != header {
        let &[before] = from(at).as_slice() else { return None };
        // A circle that does not come to the header.
        if blocks.contains(&before) {
            return None;
        }
        blocks.push(before);
        at = before;
    }
    blocks.reverse();
    Some(blocks)
}

fn reading<'m, 'f>(
    before: Block<'m>,
    chain: &[Block<'m>],
    from: &dyn Fn(Block<'m>) -> &'f Vec<Block<'m>>,
    source: Source<'m>,
    seen: &dyn Fn(Value<'m>) -> bool,
    happens: &dyn Fn(Value<'m>) -> bool,
) -> Option<Reading<'m>>
where
    'm: 'f,
{
    let (&header, &latch) = (chain.first()?, chain.last()?);
    let inside: FxHashSet<Value<'m>> = chain.iter().flat_map(|block| block.instructions()).collect();
    let writes = inside.iter().any(|at| at.opcode() == Some(Opcode::LLVMStore));
    let lines = Lines { inside: &inside, header, latch, writes };
    let (mut loads, mut again, mut after, mut moves) = (Vec::new(), 0, None, false);
    for (index, block) in chain.iter().enumerate() {
        for at in block.instructions() {
            match at.opcode()? {
                Opcode::LLVMLoad => {
                    let pointer = *at.operands().first()?;
                    if seen(pointer) {
                        let line = lines.line(pointer)?;
                        moves |= line == Line::Moves;
                        if loads.len() == MOST || !is_plain(at, source) {
                            return None;
                        }
                        loads.push(at);
                    }
                }
                Opcode::LLVMCall if !is_harmless(at) => return None,
                Opcode::LLVMBr | Opcode::LLVMPHI | Opcode::LLVMCall => {}
                _ if at.successors().is_empty() && !happens(at) => {}
                _ => return None,
            }
            if at.opcode() == Some(Opcode::LLVMBr) && happens(at) {
                return None;
            }
        }
        let next = chain.get(index + 1).copied().unwrap_or(header);
        match successors(*block).as_slice() {
            [to] if *to == next => {}
            [one, other] if (*one == next) != (*other == next) && after.is_none() => {
                after = Some(if *one == next { *other } else { *one });
                again = loads.len();
            }
            _ => return None,
        }
    }
    let after = after.filter(|after| from(*after).len() == 1 && !chain.contains(after))?;
    // Without an address that moves, the loop may wait for somebody else.
    (moves && !loads.is_empty()).then_some(Reading { before, header, latch, after, loads, again })
}

/// A call of an intrinsic that is gone when the program runs, or only computes.
pub(super) fn is_harmless(call: Value<'_>) -> bool {
    let is_function = |callee: &Value<'_>| callee.kind() == ValueKind::LLVMFunctionValueKind;
    let name = call.callee().filter(is_function).map(Value::name).unwrap_or_default();
    ["dbg.", "fmuladd.", "fabs.", "abs.", "smax.", "smin.", "umax.", "umin.", "assume", "expect."]
        .iter()
        .any(|known| name.strip_prefix("llvm.").is_some_and(|name| name.starts_with(known)))
}

/// Whether a load reads 1, 2, 4 or 8 bytes, all of which are the value, and is nothing special.
fn is_plain<'m>(load: Value<'m>, source: Source<'m>) -> bool {
    let size = load.store_size(source);
    let fits = match load.ty().kind() {
        TypeKind::LLVMIntegerTypeKind => load.ty().int_width() == size.saturating_mul(8),
        TypeKind::LLVMPointerTypeKind | TypeKind::LLVMDoubleTypeKind | TypeKind::LLVMFloatTypeKind => true,
        _ => false,
    };
    fits && matches!(size, 1 | 2 | 4 | 8)
        && !load.is_volatile()
        && load.ordering() == Some(LLVMAtomicOrdering::LLVMAtomicOrderingNotAtomic)
}

/// What becomes of a value from round to round.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Line {
    /// It stays as it is.
    Stays,
    /// It grows by the same in each round, which is not zero.
    Moves,
    /// The same, but it may begin anew at its smallest number when it has come to its largest one.
    Wraps,
}

/// The values of a loop that grow by the same in each round.
struct Lines<'m, 'a> {
    inside: &'a FxHashSet<Value<'m>>,
    header: Block<'m>,
    latch: Block<'m>,
    /// Whether anything is written in the loop, even if nobody else sees it.
    writes: bool,
}

impl<'m> Lines<'m, '_> {
    /// What becomes of a value; nothing if that is not known.
    fn line(&self, value: Value<'m>) -> Option<Line> {
        self.line_within(value, 16)
    }

    fn line_within(&self, value: Value<'m>, depth: u32) -> Option<Line> {
        if !self.inside.contains(&value) {
            return Some(Line::Stays);
        }
        let depth = depth.checked_sub(1)?;
        let operands = value.operands();
        let line = |index: usize| self.line_within(*operands.get(index)?, depth);
        let whole = is_whole(value);
        match value.opcode()? {
            Opcode::LLVMPHI => self.counter(value),
            // Nobody writes while the loop runs.
            Opcode::LLVMLoad => (!self.writes && line(0)? == Line::Stays).then_some(Line::Stays),
            Opcode::LLVMAdd | Opcode::LLVMSub => {
                let both = [line(0)?, line(1)?];
                match both.iter().filter(|line| **line != Line::Stays).count() {
                    0 => Some(Line::Stays),
                    // Two might make it stay where it is.
                    1 if whole || value.has_no_signed_wrap() && !both.contains(&Line::Wraps) => {
                        Some(Line::Moves)
                    }
                    1 => Some(Line::Wraps),
                    _ => None,
                }
            }
            Opcode::LLVMMul | Opcode::LLVMShl => match (line(0)?, line(1)?) {
                (Line::Stays, Line::Stays) => Some(Line::Stays),
                (moves, Line::Stays) if operands.get(1)?.small_int().is_some_and(|by| by != 0) => {
                    let exact = whole || value.has_no_signed_wrap() && moves == Line::Moves;
                    exact.then_some(Line::Moves)
                }
                _ => None,
            },
            Opcode::LLVMSExt => match line(0)? {
                Line::Wraps => None,
                line => Some(line),
            },
            Opcode::LLVMZExt | Opcode::LLVMTrunc => (line(0)? == Line::Stays).then_some(Line::Stays),
            Opcode::LLVMGetElementPtr => {
                let mut moving = 0;
                for (index, operand) in operands.iter().enumerate() {
                    match line(index)? {
                        Line::Stays => {}
                        Line::Wraps if !is_whole(*operand) => return None,
                        _ => moving += 1,
                    }
                }
                match moving {
                    0 => Some(Line::Stays),
                    1 => Some(Line::Moves),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// A variable that is counted up or down by a constant, or a pointer that is moved by one.
    fn counter(&self, phi: Value<'m>) -> Option<Line> {
        if !self.header.instructions().any(|at| at == phi) {
            return None;
        }
        let incoming = phi.incoming();
        let (_, next) = incoming.iter().find(|(block, _)| *block == self.latch)?;
        let operands = next.operands();
        let &[from, by] = operands.as_slice() else { return None };
        if from != phi || !self.inside.contains(next) || by.small_int().is_none_or(|by| by == 0) {
            return None;
        }
        match next.opcode()? {
            Opcode::LLVMAdd | Opcode::LLVMSub if is_whole(phi) || next.has_no_signed_wrap() => {
                Some(Line::Moves)
            }
            Opcode::LLVMAdd | Opcode::LLVMSub => Some(Line::Wraps),
            Opcode::LLVMGetElementPtr => Some(Line::Moves),
            _ => None,
        }
    }
}

/// Whether a value is an address, or a number that is as large as one: all sums go round where addresses do.
fn is_whole(value: Value<'_>) -> bool {
    value.ty().kind() == TypeKind::LLVMPointerTypeKind || value.ty().int_width() == 64
}
