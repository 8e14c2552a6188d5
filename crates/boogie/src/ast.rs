//! The syntax tree: plain data, a span on everything.
//!
//! Nothing here is resolved: names are text, and whether `mutex` is the built-in type or a user's own is decided
//! by the checker. Operator chains (`a + b + c`), if-then-else chains and else-if chains are flat lists, so that
//! the depth of a tree is the depth of its brackets and not the length of its lines.

use std::sync::Arc;

use num_bigint::BigUint;
use source::Span;

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

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `!`
    Not,
    /// `-`
    Neg,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is the operator of its name")]
pub enum BinaryOp {
    Iff,
    Implies,
    /// `a <== b`
    Explies,
    And,
    Or,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    /// `<:`, the partial order on constants.
    Below,
    Concat,
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    /// `/`: on reals; on integers the same as `div`, as old tools mean it.
    Slash,
    Pow,
}

/// Which binder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binder {
    /// `forall`
    Forall,
    /// `exists`
    Exists,
    /// `lambda`
    Lambda,
}

/// A name with a type, and perhaps a `where` clause.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub ident: Ident,
    /// Its type.
    pub ty: Type,
    /// What is assumed of it wherever it becomes arbitrary.
    pub condition: Option<Arc<Expr>>,
    /// Its attributes.
    pub attributes: Vec<Attribute>,
}

/// A further operand of a chain.
#[derive(Clone, Debug)]
pub struct Link {
    /// The operator before it.
    pub op: BinaryOp,
    /// Where the operator stands.
    pub op_span: Span,
    /// The chain up to and including this link has an id of its own, for its type.
    pub id: ExprId,
    /// The operand.
    pub operand: Expr,
}

/// One arm of an if-then-else chain.
#[derive(Clone, Debug)]
pub struct Arm {
    /// The condition.
    pub condition: Expr,
    /// The value if it holds.
    pub value: Expr,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Its number.
    pub id: ExprId,
    /// Where it stands.
    pub span: Span,
    /// What it is.
    pub kind: ExprKind,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// `true`, `false`
    Bool(bool),
    /// `12`
    Int(BigUint),
    /// `12bv8`
    Bv {
        /// Below 2^width.
        value: BigUint,
        /// Number of bits.
        width: u32,
    },
    /// `1.5`, `1e3`
    Real,
    /// `0x1.8e2f24e8`: widths of significand and exponent.
    Float(u32, u32),
    /// A variable or constant.
    Name(Name),
    /// A function applied.
    Apply {
        /// The function.
        function: Ident,
        /// Its arguments.
        args: Vec<Expr>,
    },
    /// `int(e)` or `real(e)`.
    Convert {
        /// To `real` and not to `int`.
        to_real: bool,
        /// What is converted.
        operand: Box<Expr>,
    },
    /// `old(e)`
    Old(Box<Expr>),
    /// `!e`, `-e`
    Unary(UnaryOp, Box<Expr>),
    /// Operators of one precedence level, applied from the left.
    Chain {
        /// The leftmost operand.
        first: Box<Expr>,
        /// The others.
        rest: Vec<Link>,
    },
    /// `a ==> b ==> c`, which groups to the right; at least two operands.
    Implies(Vec<Expr>),
    /// `if a then b else if c then d else e`
    If {
        /// The arms, in order; at least one.
        arms: Vec<Arm>,
        /// The value if none holds.
        otherwise: Box<Expr>,
    },
    /// `m[i, j]`
    Select {
        /// The map.
        map: Box<Expr>,
        /// The indices.
        indices: Vec<Expr>,
    },
    /// `m[i, j := e]`
    Store {
        /// The map.
        map: Box<Expr>,
        /// The indices.
        indices: Vec<Expr>,
        /// The new value.
        value: Box<Expr>,
    },
    /// `e[hi:lo]`
    Extract {
        /// The bit vector.
        operand: Box<Expr>,
        /// One past the highest bit.
        hi: u32,
        /// The lowest bit.
        lo: u32,
    },
    /// A quantifier or lambda.
    Bind {
        /// Which one.
        binder: Binder,
        /// Its type variables.
        params: Vec<Ident>,
        /// Its variables.
        vars: Vec<Variable>,
        /// Its triggers.
        triggers: Vec<Vec<Expr>>,
        /// Its body.
        body: Box<Expr>,
    },
    /// `(var x := e; body)`
    Let {
        /// Names and values.
        bindings: Vec<(Ident, Expr)>,
        /// Where they hold.
        body: Box<Expr>,
    },
    /// `e : T`, which only helps type inference.
    Coerce(Box<Expr>, Type),
    /// `|{ ... return e; }|`
    Code(Box<Body>),
}

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
    /// How many [`ExprId`]s there are.
    pub expr_count: u32,
}

impl ExprKind {
    /// Calls `visit` with each direct operand, from left to right. The statements of a code expression are not
    /// operands.
    pub fn for_each_child<'a>(&'a self, mut visit: impl FnMut(&'a Expr)) {
        match self {
            ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::Bv { .. }
            | ExprKind::Real
            | ExprKind::Float(..)
            | ExprKind::Name(_)
            | ExprKind::Code(_) => {}
            ExprKind::Apply { args, .. } | ExprKind::Implies(args) => args.iter().for_each(visit),
            ExprKind::Convert { operand, .. }
            | ExprKind::Old(operand)
            | ExprKind::Unary(_, operand)
            | ExprKind::Extract { operand, .. }
            | ExprKind::Coerce(operand, _) => visit(operand),
            ExprKind::Chain { first, rest } => {
                visit(first);
                rest.iter().for_each(|link| visit(&link.operand));
            }
            ExprKind::If { arms, otherwise } => {
                for arm in arms {
                    visit(&arm.condition);
                    visit(&arm.value);
                }
                visit(otherwise);
            }
            ExprKind::Select { map, indices } => {
                visit(map);
                indices.iter().for_each(visit);
            }
            ExprKind::Store { map, indices, value } => {
                visit(map);
                indices.iter().for_each(&mut visit);
                visit(value);
            }
            ExprKind::Bind { vars, triggers, body, .. } => {
                vars.iter().filter_map(|v| v.condition.as_deref()).for_each(&mut visit);
                triggers.iter().flatten().for_each(&mut visit);
                visit(body);
            }
            ExprKind::Let { bindings, body } => {
                bindings.iter().for_each(|(_, value)| visit(value));
                visit(body);
            }
        }
    }
}
