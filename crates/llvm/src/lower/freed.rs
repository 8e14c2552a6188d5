//! Freed objects that are given out again.
//!
//! In an execution that allocates and frees memory for ever no state comes twice if every allocation gives a new object.
//! But states may differ only in which object is which. With [`Options::reuse`](crate::Options::reuse) an allocation gets
//! the object that was freed last, as allocators do, and objects have the same names each time around. The freed objects
//! of a place in the program are a list: the first one, and for each the next. Objects have their number plus one in it;
//! zero is the end.

use ir::{BinaryOp, ExprId, ExprNode, Global, GlobalId, Place, Type};

use super::address::INSTANCE_BITS;
use super::bits::Bits;
use super::context::Context;
use super::function::FunctionLowering;
use crate::objects::{ObjectId, ObjectKind};

/// The globals that hold the list of the freed objects of one place in the program.
#[derive(Clone, Copy, Debug)]
pub(super) struct FreedList {
    first: GlobalId,
    next: GlobalId,
}

impl Context<'_> {
    /// Whether freed instances of an object are given out again.
    pub(super) fn is_reused(&self, object: ObjectId) -> bool {
        let heap = matches!(self.points_to.objects.all[object].kind, ObjectKind::Heap(..));
        self.options.reuse && heap && self.memory.freed.contains(&object) && self.many(object)
    }

    /// The list of the freed instances of an object, if they are given out again.
    pub(super) fn freed_list(&mut self, object: ObjectId) -> Option<FreedList> {
        if !self.is_reused(object) {
            return None;
        }
        if let Some(&list) = self.memory.freed_lists.get(&object) {
            return Some(list);
        }
        let (number, each) = (Type::Bv(INSTANCE_BITS), self.keyed(object, 0, Type::Bv(INSTANCE_BITS)));
        let end = self.program.exprs.bv(INSTANCE_BITS, 0);
        let ends = self.program.exprs.add(ExprNode::ConstMap(each.clone(), end));
        let span = self.object_span(object);
        let (of, context) = (self.object_name(object), self);
        let mut declare = |what: &str, ty: Type, init: ExprId| {
            let name = context.memory.unique(format!("${what}.{of}"));
            context.program.globals.push(Global { name, ty, init: Some(init), span })
        };
        let list =
            FreedList { first: declare("freed", number, end), next: declare("freed_before", each, ends) };
        context.memory.freed_lists.insert(object, list);
        context.program.presentation.reused.insert(list.first);
        Some(list)
    }
}

impl FunctionLowering<'_, '_> {
    /// The number of a new object, if so many were given out and there would be `next` with it; how many there are then;
    /// and what becomes of the list, whose first object is taken if there is one.
    pub(super) fn take_freed(
        &mut self,
        list: FreedList,
        count: ExprId,
        next: ExprId,
    ) -> (ExprId, ExprId, [(Place, ExprId); 2]) {
        let first = self.cx.of_instance(list.first, None);
        let exprs = &mut self.cx.program.exprs;
        let (end, one) = (exprs.bv(INSTANCE_BITS, 0), exprs.bv(INSTANCE_BITS, 1));
        let empty = exprs.equal(first, end);
        let freed = exprs.operate(BinaryOp::BvSub, first, one);
        let after = self.cx.of_instance(list.next, Some(freed));
        let exprs = &mut self.cx.program.exprs;
        let (number, count) = (exprs.choose(empty, count, freed), exprs.choose(empty, next, count));
        let rest = (Place::global(list.first), exprs.choose(empty, end, after));
        // If the list is empty, this is the cell of a number that nothing has.
        let taken = (Place::global(list.next).at(vec![freed]), end);
        (number, count, [rest, taken])
    }

    /// Makes an assignment one that also puts an object at the beginning of a list.
    pub(super) fn give_back(
        &mut self,
        list: FreedList,
        instance: ExprId,
        targets: &mut Vec<Place>,
        values: &mut Vec<ExprId>,
    ) {
        let first = self.cx.of_instance(list.first, None);
        let exprs = &mut self.cx.program.exprs;
        let one = exprs.bv(INSTANCE_BITS, 1);
        targets.extend([Place::global(list.next).at(vec![instance]), Place::global(list.first)]);
        values.extend([first, exprs.operate(BinaryOp::BvAdd, instance, one)]);
    }
}
