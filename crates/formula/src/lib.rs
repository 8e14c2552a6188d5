//! Expressions of programs as terms that solvers understand.
//!
//! A [`Translator`] owns the terms of one program. What variables stand for is up to the engine: it gives their
//! [`Values`].

mod cases;
mod definitions;
mod translate;

pub use cases::Cases;
pub use translate::Translator;

use ir::{GlobalId, LocalId};
use smt::TermId;
use source::Span;

/// What the variables in an expression stand for.
pub trait Values {
    /// The value of a global.
    fn global(&self, id: GlobalId) -> TermId;

    /// The value of a local of the running procedure, unless nobody reads it any more.
    fn local(&self, id: LocalId) -> Option<TermId>;

    /// The handle of the running task.
    fn task(&self) -> u32;
}

/// No variables: for axioms and the like.
pub struct Nothing;

impl Values for Nothing {
    fn global(&self, _: GlobalId) -> TermId {
        unreachable!("the validator lets no global into an expression over constants")
    }

    fn local(&self, _: LocalId) -> Option<TermId> {
        None
    }

    fn task(&self) -> u32 {
        0
    }
}

/// Something that formulas cannot express.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// In words.
    pub what: String,
    /// Where, if that is known.
    pub span: Option<Span>,
}

impl Unsupported {
    /// Without a place.
    #[must_use]
    pub fn new(what: &str) -> Self {
        Unsupported { what: what.to_owned(), span: None }
    }

    /// The same at a place, unless a place is known.
    #[must_use]
    pub fn at(self, span: Span) -> Self {
        Unsupported { span: self.span.or(Some(span)), ..self }
    }
}
