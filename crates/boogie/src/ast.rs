//! The syntax tree: plain data, a span on everything.
//!
//! Nothing here is resolved: names are text, and whether `mutex` is the built-in type or a user's own is decided
//! by the checker. Operator chains (`a + b + c`), if-then-else chains and else-if chains are flat lists, so that
//! the depth of a tree is the depth of its brackets and not the length of its lines.

mod decl;
mod expr;
mod stmt;
mod walk;

use std::sync::Arc;

use source::Span;

pub use decl::*;
pub use expr::*;
pub use stmt::*;

/// A name; cheap to copy.
pub type Name = Arc<str>;

/// A name where it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ident {
    /// The text.
    pub name: Name,
    /// Where it stands.
    pub span: Span,
}

/// Names one expression of a [`Program`]; the checker's tables are indexed by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(pub u32);

impl ExprId {
    /// Position in tables.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An attribute `{:name args}`.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// What follows the colon.
    pub name: Ident,
    /// Its arguments.
    pub args: Vec<AttributeArg>,
}

/// An argument of an attribute. Attributes are never resolved: tools put names in them that exist nowhere.
#[derive(Clone, Debug)]
pub enum AttributeArg {
    /// A string, without its quotes.
    String(String),
    /// An expression.
    Expr(Expr),
}

/// Finds an attribute by name.
#[must_use]
pub fn attribute<'a>(attributes: &'a [Attribute], name: &str) -> Option<&'a Attribute> {
    attributes.iter().find(|a| &*a.name.name == name)
}

/// A type as written.
#[derive(Clone, Debug)]
pub struct Type {
    /// Where it stands.
    pub span: Span,
    /// What it is.
    pub kind: TypeKind,
}

/// What a written type is.
#[derive(Clone, Debug)]
pub enum TypeKind {
    /// A name with arguments: built-in, declared, or a type variable.
    Named(Ident, Vec<Type>),
    /// `<a>[domain]range`.
    Map {
        /// Type variables bound by the map type.
        params: Vec<Ident>,
        /// Types of the indices.
        domain: Vec<Type>,
        /// Type of the cells.
        range: Box<Type>,
    },
}
