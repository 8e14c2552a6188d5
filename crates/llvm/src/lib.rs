//! C and C++ programs: clang makes an LLVM module of them, and this crate an IR program of that.
//!
//! [`module`] is an LLVM module as plain data. Everything that can be said about a program is said on it, in safe code.

pub mod module;

mod activations;
mod gep;
mod layout;
mod library;
mod lower;
mod objects;
mod points_to;

pub use lower::{Lowered, Options, OutputSite, lower};
