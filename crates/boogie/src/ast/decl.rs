//! Declarations.

use source::Span;

use crate::ast::{Attribute, Body, Expr, Ident, Type, Variable};

/// `requires` or `ensures`.
#[derive(Clone, Debug)]
pub struct Condition {
    /// Assumed and not checked.
    pub free: bool,
    /// Its attributes.
    pub attributes: Vec<Attribute>,
    /// The formula.
    pub formula: Expr,
    /// The whole clause.
    pub span: Span,
}

/// What a procedure promises.
#[derive(Clone, Debug, Default)]
pub struct Specification {
    /// Preconditions.
    pub requires: Vec<Condition>,
    /// Globals it may change.
    pub modifies: Vec<Ident>,
    /// Postconditions.
    pub ensures: Vec<Condition>,
}

/// Type variables, parameters and results of a procedure or implementation.
#[derive(Clone, Debug)]
pub struct Signature {
    /// Its type variables.
    pub type_params: Vec<Ident>,
    /// Its parameters.
    pub params: Vec<Variable>,
    /// Its results.
    pub results: Vec<Variable>,
}

/// `procedure`
#[derive(Clone, Debug)]
pub struct Procedure {
    /// Its name.
    pub ident: Ident,
    /// Its attributes.
    pub attributes: Vec<Attribute>,
    /// Its parameters.
    pub signature: Signature,
    /// What it promises.
    pub spec: Specification,
    /// What it does, if it is given here.
    pub body: Option<Body>,
}

/// `implementation`
#[derive(Clone, Debug)]
pub struct Implementation {
    /// The procedure it implements.
    pub ident: Ident,
    /// Its attributes.
    pub attributes: Vec<Attribute>,
    /// Its parameters; the names may differ from the procedure's.
    pub signature: Signature,
    /// What it does.
    pub body: Body,
}

/// `type`
#[derive(Clone, Debug)]
pub struct TypeDecl {
    /// Its name.
    pub ident: Ident,
    /// Its attributes.
    pub attributes: Vec<Attribute>,
    /// Its parameters.
    pub params: Vec<Ident>,
    /// What it stands for, if it is a synonym.
    pub synonym: Option<Type>,
}

/// `const`
#[derive(Clone, Debug)]
pub struct ConstDecl {
    /// Its name.
    pub ident: Ident,
    /// Its attributes.
    pub attributes: Vec<Attribute>,
    /// Different from every other unique constant of its type.
    pub unique: bool,
    /// Its type.
    pub ty: Type,
    /// Constants it is said to extend.
    pub parents: Vec<Ident>,
}

/// A parameter of a function.
#[derive(Clone, Debug)]
pub struct FunctionParam {
    /// Its name, if it has one.
    pub ident: Option<Ident>,
    /// Its type.
    pub ty: Type,
}

/// `function`
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub ident: Ident,
    /// Its attributes.
    pub attributes: Vec<Attribute>,
    /// Its type variables.
    pub type_params: Vec<Ident>,
    /// Its parameters.
    pub params: Vec<FunctionParam>,
    /// Type of its result.
    pub result: Type,
    /// Its value, if given.
    pub body: Option<Expr>,
}

/// `axiom`
#[derive(Clone, Debug)]
pub struct Axiom {
    /// Its attributes.
    pub attributes: Vec<Attribute>,
    /// The formula.
    pub formula: Expr,
    /// Where it stands.
    pub span: Span,
}

/// A whole file.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Types and synonyms.
    pub types: Vec<TypeDecl>,
    /// Constants.
    pub consts: Vec<ConstDecl>,
    /// Functions.
    pub functions: Vec<Function>,
    /// Axioms.
    pub axioms: Vec<Axiom>,
    /// Global variables.
    pub globals: Vec<Variable>,
    /// Procedures.
    pub procedures: Vec<Procedure>,
    /// Implementations.
    pub implementations: Vec<Implementation>,
    /// Both sides of a response property, if one came with the program.
    pub response: Option<[Expr; 2]>,
    /// How many [`ExprId`]s there are.
    pub expr_count: u32,
}
