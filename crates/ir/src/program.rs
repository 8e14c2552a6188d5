//! Programs: declarations, procedures, blocks.

use cranelift_entity::PrimaryMap;
use source::Span;

use crate::{ExprId, ExprPool, Presentation, Stmt, Type};

/// Declares typed ids for the tables of `cranelift_entity`, each with the prefix of its display.
#[macro_export]
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident = $display:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(u32);
        $crate::entity_impl!($name, $display);
    )*};
}

crate::ids! {
    /// Names an uninterpreted sort.
    SortId = "sort";
    /// Names a symbolic constant.
    ConstId = "const";
    /// Names a function.
    FuncId = "func";
    /// Names a global variable.
    GlobalId = "global";
    /// Names a procedure.
    ProcId = "proc";
    /// Names a local variable of one procedure.
    LocalId = "local";
    /// Names a block of one procedure.
    BlockId = "block";
}

/// An uninterpreted sort.
#[derive(Clone, Debug)]
pub struct Sort {
    /// Its name.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
}

/// A symbolic constant: one arbitrary value per run that satisfies the axioms.
#[derive(Clone, Debug)]
pub struct Const {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Different from every other unique constant of its type.
    pub unique: bool,
    /// Where it is declared.
    pub span: Span,
}

/// A function; without a body it is uninterpreted.
#[derive(Clone, Debug)]
pub struct Func {
    /// Its name.
    pub name: String,
    /// Names and types of the parameters; the body uses them as bound variables 0, 1, ...
    pub params: Vec<(String, Type)>,
    /// Type of the result.
    pub result: Type,
    /// Its value; a function must not be recursive.
    pub body: Option<ExprId>,
    /// Where it is declared.
    pub span: Span,
}

/// A closed formula that constants and functions satisfy.
#[derive(Clone, Debug)]
pub struct Axiom {
    /// The formula.
    pub formula: ExprId,
    /// Where it stands.
    pub span: Span,
}

/// A global variable.
#[derive(Clone, Debug)]
pub struct Global {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Its initial value, an expression over constants. Without one it is arbitrary, except that task handles
    /// start as nil and synchronization objects start free, empty, or zero.
    pub init: Option<ExprId>,
    /// Where it is declared.
    pub span: Span,
}

/// A local variable (parameters and results included).
#[derive(Clone, Debug)]
pub struct Local {
    /// Its name.
    pub name: String,
    /// Its type; never a synchronization type. Locals that are no parameters start arbitrary, task handles nil.
    pub ty: Type,
    /// Where it is declared.
    pub span: Span,
}

/// A straight sequence of ops; the last, and only the last, says where control goes.
#[derive(Clone, Debug)]
pub struct Block {
    /// Its label.
    pub name: String,
    /// Its ops.
    pub stmts: Vec<Stmt>,
}

/// A procedure.
#[derive(Clone, Debug)]
pub struct Proc {
    /// Its name.
    pub name: String,
    /// Which locals are parameters, in order.
    pub params: Vec<LocalId>,
    /// Which locals are results, in order.
    pub results: Vec<LocalId>,
    /// All local variables.
    pub locals: PrimaryMap<LocalId, Local>,
    /// All blocks.
    pub blocks: PrimaryMap<BlockId, Block>,
    /// Where it starts.
    pub entry: BlockId,
    /// Where it is declared.
    pub span: Span,
}

/// A whole program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Uninterpreted sorts.
    pub sorts: PrimaryMap<SortId, Sort>,
    /// Symbolic constants.
    pub consts: PrimaryMap<ConstId, Const>,
    /// Functions.
    pub funcs: PrimaryMap<FuncId, Func>,
    /// Axioms.
    pub axioms: Vec<Axiom>,
    /// Global variables.
    pub globals: PrimaryMap<GlobalId, Global>,
    /// Procedures.
    pub procs: PrimaryMap<ProcId, Proc>,
    /// The procedures whose tasks are there from the start, in order: one for a program with an entry procedure.
    /// Their parameters are arbitrary.
    pub threads: Vec<ProcId>,
    /// All expressions.
    pub exprs: ExprPool,
    /// How variables are shown to people.
    pub presentation: Presentation,
}

impl Program {
    /// The procedure of a name.
    #[must_use]
    pub fn proc_named(&self, name: &str) -> Option<ProcId> {
        self.procs.iter().find(|(_, p)| p.name == name).map(|(id, _)| id)
    }

    /// The global of a name.
    #[must_use]
    pub fn global_named(&self, name: &str) -> Option<GlobalId> {
        self.globals.iter().find(|(_, g)| g.name == name).map(|(id, _)| id)
    }
}

impl Proc {
    /// All ops with their place in the procedure.
    pub fn stmts(&self) -> impl Iterator<Item = (BlockId, usize, &Stmt)> {
        self.blocks
            .iter()
            .flat_map(|(id, block)| block.stmts.iter().enumerate().map(move |(at, s)| (id, at, s)))
    }
}
