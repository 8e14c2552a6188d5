//! The text format: a readable form of whole programs, described in `docs/ir.md`.

pub(crate) mod operator;
mod types;

pub(crate) use types::type_text;
