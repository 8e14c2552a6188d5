//! Program schedules as text. `docs/schedules.md` describes the format.

mod name;
mod parse;
mod write;

pub use parse::parse;
pub use write::write;

/// The version of the format.
const VERSION: u32 = 1;
