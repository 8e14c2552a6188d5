//! C and C++ programs: clang makes an LLVM module of them, and this crate an IR program of that.
//!
//! [`read`] turns what clang made into [`module`], which is an LLVM module as plain data. Everything that can be said about a program is said on it, in safe code.

pub mod module;

mod activations;
mod at_exit;
mod clang;
mod embedded;
mod exceptions;
mod gep;
mod input;
mod instrument;
mod layout;
mod library;
mod lower;
mod models;
mod objects;
mod patience;
mod points_to;
mod raw;
mod read;
mod site;

pub use clang::{
    HEADER, Inputs, LoadError, Loaded, compile, cxx, dangerous_flag, find as find_clang, is_input,
    kept_folder, link, load,
};
pub use embedded::{Embedded, embedded};
pub use instrument::{Plan, instrument};
pub use lower::{INPUT, LowerError, Lowered, Options, OutputSite, lower};
pub use patience::{OutOfTime, Patience};
pub use read::{ReadError, give_arguments, read};
pub use site::{SiteInfo, site_table};
