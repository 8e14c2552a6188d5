//! Calls of library functions of which a recorded run tells what they did (see [`crate::input`]). They are opaque: only a run that was
//! recorded can be followed beyond them. What such a function returned is what the op assigns. What it wrote is stored piece by piece
//! behind that, each piece from a local that is arbitrary in the program, and that has the next bytes of what was written in the run.

use ir::{BinaryOp, ExprId, LocalId, Op, Place, Type};

use super::address::{POINTER_BITS, Pointer};
use super::bits::Bits;
use super::blocks_of_memory::MOST_CELLS;
use super::function::FunctionLowering;
use crate::input::{Input, Length, input, only_returns};
use crate::module::{IntPredicate, Operand, ValueId};
use crate::objects::constant;

/// How locals begin that have the next bytes which a library function wrote in the run.
pub const INPUT: &str = "$input";

impl FunctionLowering<'_, '_> {
    /// Lowers a call of such a function; returns whether it is one.
    pub(super) fn recorded_call(
        &mut self,
        result: Option<ValueId>,
        name: &str,
        what: &str,
        args: &[Operand],
    ) -> bool {
        let written = input(name);
        if !self.cx.options.transactions || (written.is_none() && !only_returns(name)) {
            return false;
        }
        let locals = result.map(|result| self.declare(result)).unwrap_or_default();
        let targets = locals.iter().map(|&local| Place::local(local)).collect();
        // What may write is a step, also if it writes nothing this time: then recorded and forced runs have it, too.
        if written.is_some() {
            self.push(Op::AtomicBegin);
        }
        self.note_recorded();
        self.push(Op::Opaque { targets, what: what.to_owned() });
        if written.is_some() {
            self.push(Op::AtomicEnd);
        }
        let to = written.and_then(|input| args.get(input.to).copied());
        if let (Some(input), Some(to), [returned]) = (written, to, locals.as_slice()) {
            self.take_input(input, to, *returned, args);
        }
        true
    }

    /// The op that comes next does what the run tells, and nothing else.
    fn note_recorded(&mut self) {
        let block = self.builder.current();
        let index = self.builder.proc().blocks[block].stmts.len();
        let proc = self.cx.signatures[&self.func].proc;
        self.cx.recorded.insert(ir::OpRef { proc, block, index });
    }

    fn take_input(&mut self, input: Input, to: Operand, returned: LocalId, args: &[Operand]) {
        let address = self.scalar(to);
        let result = self.local_expr(returned);
        let exprs = &mut self.cx.program.exprs;
        let width = exprs.width(result);
        let (zero, null) = (exprs.bv(width, 0), exprs.bv(POINTER_BITS, 0));
        let wrote = match input.length {
            Length::Result => exprs.compare(IntPredicate::Sgt, result, zero),
            Length::IfZero(_) => exprs.compare(IntPredicate::Eq, result, zero),
            Length::Items { .. } | Length::Text | Length::IfNot(_) => {
                exprs.compare(IntPredicate::Ne, result, zero)
            }
        };
        let somewhere = exprs.compare(IntPredicate::Ne, address, null);
        let wrote = exprs.both(wrote, somewhere);
        if exprs.literal_bool(wrote) == Some(false) {
            return;
        }
        let after = self.branch(wrote);
        match input.length {
            Length::Result => {
                let length = self.cx.program.exprs.zero_extend(result, POINTER_BITS);
                let most = args.get(input.to + 1).and_then(|&most| constant(self.cx.module, most));
                self.take_some(to, length, most);
            }
            Length::Items { size } => {
                let each = args.get(size).map(|&each| (self.scalar(each), constant(self.cx.module, each)));
                let count = args.get(size + 1).and_then(|&count| constant(self.cx.module, count));
                if let Some((each, known)) = each {
                    let exprs = &mut self.cx.program.exprs;
                    let result = exprs.zero_extend(result, POINTER_BITS);
                    let each = exprs.zero_extend(each, POINTER_BITS);
                    let length = exprs.operate(BinaryOp::BvMul, result, each);
                    let most = known.zip(count).and_then(|(each, count)| each.checked_mul(count));
                    self.take_some(to, length, most);
                }
            }
            Length::Text => self.take_text(to),
            Length::IfZero(size) | Length::IfNot(size) => self.take_all(to, u64::from(size)),
        }
        // An address that is returned is the one that was given.
        if self.builder.proc().locals[returned].ty == Type::Bv(POINTER_BITS) && gives_back(input) {
            self.assign(returned, address);
        }
        self.push(Op::Goto(after));
        self.builder.switch_to(after);
    }

    /// The next bytes that were written in the run.
    fn next_input(&mut self, bytes: u64) -> ExprId {
        let local = self.temporary(INPUT, Type::Bv(super::access::bits(bytes)));
        self.push(Op::Havoc { targets: vec![Place::local(local)] });
        self.local_expr(local)
    }

    /// Stores all of a block of a size that is known.
    fn take_all(&mut self, to: Operand, bytes: u64) {
        let chunks = self.chunks(to, bytes);
        if chunks.len() > MOST_CELLS || chunks.iter().any(|(_, bytes)| *bytes > 8) {
            self.unsupported("a large block that a library function writes");
            return;
        }
        let mut done = 0;
        for (at, bytes) in chunks {
            // What lies between the cells was written, too.
            if at > done {
                self.next_input(at - done);
            }
            let value = self.next_input(bytes);
            self.store(Pointer::from(to).plus(at), value, bytes, false);
            done = at + bytes;
        }
    }

    /// Stores as much as the run says; at most `most` bytes, if that is known.
    fn take_some(&mut self, to: Operand, length: ExprId, most: Option<u64>) {
        let each = self.element(to).filter(|each| *each <= 8);
        match (each, most) {
            (Some(each), _) => {
                let (count, rest) = self.elements(length, each);
                self.repeat(count, &mut |lowering, index| {
                    let wide = lowering.cx.program.exprs.zero_extend(index, POINTER_BITS);
                    let value = lowering.next_input(each);
                    lowering.store(Pointer::from(to).at(wide, each), value, each, false);
                });
                let end = self.cx.program.exprs.zero_extend(count, POINTER_BITS);
                self.for_rest(rest, each, &mut |lowering, bytes| {
                    let value = lowering.next_input(bytes);
                    lowering.store(Pointer::from(to).at(end, each), value, bytes, false);
                });
            }
            (None, Some(most)) => {
                let exprs = &mut self.cx.program.exprs;
                let most_expr = exprs.bv(POINTER_BITS, most);
                let all = exprs.equal(length, most_expr);
                self.only_if(all, "a library function that writes a part of a struct");
                self.take_all(to, most);
            }
            (None, None) => self.unsupported("a library function that writes memory of many types"),
        }
    }

    /// Stores a text with the zero at its end.
    fn take_text(&mut self, to: Operand) {
        if self.element(to) != Some(1) {
            self.unsupported("a library function that writes a text where there is no array of characters");
            return;
        }
        let at = self.temporary("$index", Type::Bv(POINTER_BITS));
        let zero = self.cx.program.exprs.bv(POINTER_BITS, 0);
        self.assign(at, zero);
        let head = self.block("head");
        self.push(Op::Goto(head));
        self.builder.switch_to(head);
        let index = self.local_expr(at);
        let value = self.next_input(1);
        self.store(Pointer::from(to).at(index, 1), value, 1, false);
        let exprs = &mut self.cx.program.exprs;
        let (one, nothing) = (exprs.bv(POINTER_BITS, 1), exprs.bv(8, 0));
        let next = exprs.sum(index, one);
        let more = exprs.compare(IntPredicate::Ne, value, nothing);
        self.assign(at, next);
        let end = self.branch(more);
        self.push(Op::Goto(head));
        self.builder.switch_to(end);
    }
}

/// Whether a function returns where it wrote.
fn gives_back(input: Input) -> bool {
    match input.length {
        Length::Text => true,
        // `localtime_r`, and not `time`.
        Length::IfNot(_) => input.to > 0,
        Length::Result | Length::Items { .. } | Length::IfZero(_) => false,
    }
}
