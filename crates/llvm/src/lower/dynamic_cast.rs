//! `dynamic_cast`: the class of an object is that of the table of virtual functions that it points to first. All tables of a program are
//! constants (Itanium C++ ABI, 2.5.2), so what a cast gives is known for each of them.

use ir::{ExprId, Type};

use super::address::{POINTER_BITS, Pointer};
use super::bits::Bits as _;
use super::function::FunctionLowering;
use crate::exceptions::{base_at, global_in};
use crate::module::{ConstId, ConstKind, GlobalId, Operand, TypeKind, ValueId};
use crate::objects::signed_constant;

/// Where objects of a class point to.
struct Table {
    /// The table, and where in it.
    global: GlobalId,
    at: u64,
    /// How far the beginning of the whole object is from where it points there.
    to_top: i64,
    /// The description of the class.
    class: GlobalId,
}

impl FunctionLowering<'_, '_> {
    /// Lowers a call of what compilers make of `dynamic_cast`; returns whether it is one.
    pub(super) fn dynamic_cast(&mut self, result: Option<ValueId>, name: &str, args: &[Operand]) -> bool {
        // What a recorded run reads there is not in its record.
        if name != "__dynamic_cast" || self.cx.options.transactions {
            return false;
        }
        let (Some(result), Some(&from), Some(&Operand::Const(wanted))) = (result, args.first(), args.get(2))
        else {
            return false;
        };
        let Some(wanted) = global_in(self.cx.module, wanted) else { return false };
        let table = self.temporary("$table", Type::Bv(POINTER_BITS));
        self.load(table, Pointer::from(from), &Type::Bv(POINTER_BITS), u64::from(POINTER_BITS / 8), false);
        let table = self.local_expr(table);
        let start = self.scalar(from);
        let mut known = self.cx.program.exprs.bool(false);
        let mut found = self.cx.program.exprs.bv(POINTER_BITS, 0);
        for each in self.tables() {
            let module = self.cx.module;
            let names = (&module.globals[each.class].name, &module.globals[wanted].name);
            let Some(base) = base_at(module, names.0, names.1) else { continue };
            let address = self.cx.placements.global(each.global) + each.at;
            let exprs = &mut self.cx.program.exprs;
            let address = exprs.bv(POINTER_BITS, address);
            let same = exprs.equal(table, address);
            known = exprs.binary(ir::BinaryOp::Or, known, same);
            if let Some(at) = base.and_then(|at| i64::try_from(at).ok()) {
                let distance = exprs.big(POINTER_BITS, &(each.to_top + at).into());
                let there: ExprId = exprs.binary(ir::BinaryOp::BvAdd, start, distance);
                found = exprs.choose(same, there, found);
            }
        }
        self.only_if(known, "a `dynamic_cast` of an object of this class");
        self.define(result, vec![found]);
        true
    }

    /// All tables of virtual functions.
    fn tables(&self) -> Vec<Table> {
        let module = self.cx.module;
        let mut found = Vec::new();
        for (global, table) in module.globals.iter().filter(|(_, global)| global.name.starts_with("_ZTV")) {
            let Some(init) = table.init else { continue };
            let ConstKind::Aggregate(parts) = &module.consts[init].kind else { continue };
            let TypeKind::Struct { fields, .. } = &module.types[module.consts[init].ty].kind else {
                continue;
            };
            for (&part, &(offset, _)) in parts.iter().zip(fields) {
                found.extend(self.table(global, part, offset));
            }
        }
        found
    }

    /// The table that a part of a table is: the distance to the top, the description, and functions. There are other numbers before those if
    /// there are virtual bases: then it is not known.
    fn table(&self, global: GlobalId, part: ConstId, offset: u64) -> Option<Table> {
        const WORD: u64 = 8;
        let module = self.cx.module;
        let ConstKind::Aggregate(entries) = &module.consts[part].kind else { return None };
        let &[top, class, ..] = entries.as_slice() else { return None };
        // An integer is written as a pointer.
        let to_top = match &module.consts[top].kind {
            ConstKind::Expr(op) => match **op {
                crate::module::Op::Cast(_, number) => signed_constant(module, number)?,
                _ => return None,
            },
            _ => signed_constant(module, Operand::Const(top))?,
        };
        let class = global_in(module, class)?;
        module.globals[class].name.starts_with("_ZTI").then_some(Table {
            global,
            at: offset + 2 * WORD,
            to_top,
            class,
        })
    }
}
