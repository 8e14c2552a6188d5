//! Why a search has no answer.

use engine::Disagreement;
use source::Span;

/// Why there is no answer.
#[derive(Clone, Debug)]
pub enum Failure {
    /// The program has something that cannot be searched this way.
    Unsupported {
        /// In words.
        what: String,
        /// Where, if that is known.
        span: Option<Span>,
    },
    /// A violation was found that the interpreter does not have: a bug in the search.
    Disagreement(Disagreement),
    /// The solver failed.
    Solver(smt::Error),
}
