//! Statements.

use source::Span;

use crate::ast::{Attribute, Expr, Ident, Variable};

/// A place on the left of `:=`.
#[derive(Clone, Debug)]
pub struct Target {
    /// The variable.
    pub ident: Ident,
    /// The indices of each map on the way to the cell.
    pub path: Vec<Vec<Expr>>,
    /// Where the whole place stands.
    pub span: Span,
}

/// A call of a procedure, in whatever form.
#[derive(Clone, Debug)]
pub struct Call {
    /// Where it stands.
    pub span: Span,
    /// Its attributes.
    pub attributes: Vec<Attribute>,
    /// `async call` or `call {:async}`.
    pub is_async: bool,
    /// Who gets the results.
    pub results: Vec<Ident>,
    /// Who is called.
    pub procedure: Ident,
    /// The arguments; `None` is the wildcard `*`.
    pub args: Vec<Option<Expr>>,
}

/// The condition of an `if` or `while`.
#[derive(Clone, Debug)]
pub enum Guard {
    /// `(*)`; with `{:fair}` the choice that makes progress may not be refused forever.
    Any {
        /// `{:fair}` stands before it.
        fair: bool,
    },
    /// `(e)`
    Expr(Expr),
}

/// One arm of an `if` statement.
#[derive(Clone, Debug)]
pub struct IfArm {
    /// Its condition.
    pub guard: Guard,
    /// What it does.
    pub body: Block,
    /// The `if` and its condition.
    pub span: Span,
}

/// A loop invariant.
#[derive(Clone, Debug)]
pub struct Invariant {
    /// Assumed and not checked.
    pub free: bool,
    /// Its attributes.
    pub attributes: Vec<Attribute>,
    /// The formula.
    pub condition: Expr,
}

/// Statements in braces.
#[derive(Clone, Debug)]
pub struct Block {
    /// The statements.
    pub stmts: Vec<Stmt>,
    /// From brace to brace.
    pub span: Span,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// Where it stands.
    pub span: Span,
    /// What it is.
    pub kind: StmtKind,
}

/// What a statement is.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `L:`
    Label(Ident),
    /// `x, m[i] := e, f;`
    Assign(Vec<Target>, Vec<Expr>),
    /// `havoc x, y;`
    Havoc(Vec<Ident>),
    /// `assert e;`
    Assert(Vec<Attribute>, Expr),
    /// `assume e;`
    Assume(Vec<Attribute>, Expr),
    /// `call x := p(e);`, `async call p(e);`
    Call(Call),
    /// `call p() | q();`
    ParallelCall(Vec<Call>),
    /// `call forall p(*);`
    CallForall(Call),
    /// `if (e) { } else if (f) { } else { }`
    If {
        /// The arms, in order; at least one.
        arms: Vec<IfArm>,
        /// The final `else`.
        otherwise: Option<Block>,
    },
    /// `while (e) invariant f; { }`
    While {
        /// Its condition.
        guard: Guard,
        /// Its invariants.
        invariants: Vec<Invariant>,
        /// Its body.
        body: Block,
        /// The `while` and its condition.
        head: Span,
    },
    /// `break;`, `break L;`
    Break(Option<Ident>),
    /// `goto L, M;`
    Goto(Vec<Ident>),
    /// `return;`
    Return,
    /// `return e;`, in code expressions only.
    ReturnValue(Expr),
    /// `yield;`
    Yield,
    /// `x := wait t;`, `wait t;`
    Wait {
        /// Who gets the results.
        results: Vec<Target>,
        /// The task.
        task: Expr,
    },
    /// `fork i, j p(e);`
    Fork {
        /// The thread's id.
        ids: Vec<Expr>,
        /// What it runs.
        procedure: Ident,
        /// The arguments.
        args: Vec<Expr>,
    },
    /// `join i, j assign x;`
    Join {
        /// The thread's id.
        ids: Vec<Expr>,
        /// Who gets the results.
        results: Vec<Target>,
    },
    /// `atomic { }`
    Atomic(Block),
    /// `acquire m;`
    Acquire(Target),
    /// `release m;`
    Release(Target),
    /// `b := tryacquire m;`
    TryAcquire {
        /// Who gets the answer.
        result: Target,
        /// The lock.
        lock: Target,
    },
}

/// Local variables and statements.
#[derive(Clone, Debug)]
pub struct Body {
    /// The locals.
    pub locals: Vec<Variable>,
    /// The statements.
    pub block: Block,
}
