//! Random small concurrent programs, with shrinking.
//!
//! [`program`] makes a program from a seed; it has finite data and few threads, so that an explorer can exhaust it.
//! [`to_boogie`] and [`to_ir`] render it, independently of each other: as text for a frontend, and directly. When
//! a check fails on a program, [`shrink`] makes it smaller as long as the check still fails. [`synchronized`] makes programs of
//! another sort, in which threads meet at condition variables, barriers, semaphores and read-write locks.

mod ast;
mod boogie_text;
mod generate;
mod lower;
mod seed;
mod shrink;
mod synchronized;

pub use ast::{Cond, Entry, Expr, Global, GlobalKind, Local, Lock, Place, Proc, Program, Stmt, Type, Var};
pub use boogie_text::to_boogie;
pub use generate::{Style, program};
pub use lower::to_ir;
pub use shrink::shrink;
pub use synchronized::synchronized;
