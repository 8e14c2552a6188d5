//! The intermediate representation that every frontend produces and every engine consumes.
//!
//! A [`Program`] is a set of procedures made of basic blocks over typed variables. There is one [`Op`]; ids are
//! typed; expressions are hash-consed in one [`ExprPool`], so that equal expressions are equal ids. Every
//! synchronization op has one definition as a guarded atomic assignment over plain variables ([`expand`]).
//! `docs/ir.md` gives the text format and the meaning of every op.

mod back_map;
mod builder;
mod expr;
mod op;
mod place;
mod presentation;
mod program;
mod response;
mod sync;
pub mod text;
mod ty;
mod validate;

pub use back_map::{BackMap, OpRef};
pub use builder::ProcBuilder;
#[doc(hidden)]
pub use cranelift_entity::entity_impl;
pub use expr::{BinaryOp, BoundVar, ExprId, ExprNode, ExprPool, QuantKind, UnaryOp};
pub use op::{AccessOrder, AssertKind, Op, Stmt};
pub use place::{Place, PlaceBase};
pub use presentation::{Look, Part, Presentation, Region, Shown, shown_name};
pub use program::{
    Axiom, Block, BlockId, Const, ConstId, Func, FuncId, Global, GlobalId, Local, LocalId, Proc, ProcId,
    Program, Sort, SortId,
};
pub use response::{Response, sides};
pub use sync::{Component, Expanded, MutexKind, SyncKind, SyncOp, SyncType, expand};
pub use ty::{MapType, Type};
pub use validate::{Broken, Rule, validate};
