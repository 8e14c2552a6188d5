//! What came of a recorded run that was repeated on the real program, for programs.

use serde::Serialize;

use crate::Left;
use crate::json::{PRODUCER, pretty};

/// What came of a recorded run that was to be repeated.
#[derive(Clone, Debug, Serialize)]
pub struct Repeated<'a> {
    /// The trace.
    pub input: &'a str,
    /// The program.
    pub program: &'a str,
    /// Whether it was repeated.
    pub reproduced: bool,
    /// In words.
    pub message: &'a str,
    /// Whether all of the trace could be read.
    pub complete: bool,
    /// How many events were repeated, if it came to its end.
    pub events: Option<u32>,
    /// The same for switches between threads.
    pub switches: Option<u32>,
    /// How the program ended, as a shell says it; nothing if it was stopped.
    pub exit_code: Option<u8>,
    /// Where it left the run, if it did.
    pub left: Option<&'a Left>,
}

#[derive(Serialize)]
struct File<'a> {
    schema: &'static str,
    producer: &'static str,
    command: &'static str,
    #[serde(flatten)]
    repeated: &'a Repeated<'a>,
}

/// It as JSON.
#[must_use]
pub fn repeated_json(repeated: &Repeated<'_>) -> String {
    pretty(&File { schema: "raddle-repeated/1", producer: PRODUCER, command: "replay", repeated })
}
