//! Formulas and the solvers that decide them.
//!
//! A [`TermPool`] owns hash-consed terms as plain data: equal terms have equal ids, every term has a sort, and the
//! constructors simplify lightly. Nothing here recurses over terms, so chains of any length work.
//!
//! A [`Solver`] decides sets of terms: [`Z3`] in-process, or [`SmtLib`], any SMT-LIB 2 solver as a child process.
//! The decorators [`Logged`], [`Cached`] and [`CrossCheck`] are solvers around solvers. That a solver ran out of time
//! or memory, crashed or said nothing sensible is an [`Answer`], not a failure.

mod arithmetic;
mod cache;
mod cross_check;
mod evaluate;
mod log;
mod name;
mod pool;
mod print;
mod process;
mod scope;
mod script;
mod sexpr;
mod simplify;
mod solver;
mod sort;
mod term;
mod value;
mod z3;

pub use cache::Cached;
pub use cross_check::{CrossCheck, Watched};
pub use log::Logged;
pub use pool::{Function, TermPool};
pub use print::{sort_to_string, term_to_string};
pub use process::{SmtLib, SolverCommand};
pub use script::script;
pub use solver::{Answer, Error, Limits, Reason, Solver};
pub use sort::{Sort, SortId};
pub use term::{BinaryOp, BoundVar, FunctionId, Quantified, Quantifier, Term, TermId, UnaryOp};
pub use value::{ArrayValue, Value};
pub use z3::Z3;
