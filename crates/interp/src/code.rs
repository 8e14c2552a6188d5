//! Programs as the machine runs them: flat code, variables by number, expressions as compact trees.

use cranelift_entity::PrimaryMap;
use ir::{AssertKind, BinaryOp, OpRef, Presentation, ProcId, Type};
use rustc_hash::FxHashMap;
use source::Span;

use crate::access::Access;
use crate::guard::Guard;
use crate::points::SwitchAt;
use crate::word::Word;

/// Position in [`Code::instrs`].
pub(crate) type Pc = u32;
/// Position in [`Code::exprs`].
pub(crate) type Ex = u32;

/// An expression.
#[derive(Clone, Debug)]
pub(crate) enum Expr {
    Const(Word),
    Global(u32),
    Local(u32),
    /// A whole map variable or map-valued cell, or a cell: see [`Cell`].
    Cell(u32),
    Bound(u32),
    SelfTask,
    Not(Ex),
    Neg(Ex),
    And(Ex, Ex),
    Or(Ex, Ex),
    Implies(Ex, Ex),
    /// Equality on words, which is equality on values: maps are hash-consed. `true` negates.
    Equal(Ex, Ex, bool),
    Add(Ex, Ex),
    Sub(Ex, Ex),
    Mul(Ex, Ex),
    Div(Ex, Ex),
    Mod(Ex, Ex),
    Less(Ex, Ex),
    LessEq(Ex, Ex),
    Ite(Ex, Ex, Ex),
    Store(Box<StoreExpr>),
    ConstMap {
        value: Ex,
        arity: u32,
        nested: bool,
    },
    Bv(BvExpr),
    Apply {
        body: Ex,
        args: Box<[Ex]>,
    },
    /// A quantifier over finite types and integers.
    Quant(Box<QuantExpr>),
    /// What the explorer cannot evaluate, and why.
    Unsupported(Box<str>),
}

impl Expr {
    /// Calls `visit` with each operand, the body of an applied function included.
    pub(crate) fn for_each_operand(&self, cells: &[Cell], mut visit: impl FnMut(Ex)) {
        match self {
            Expr::Const(_)
            | Expr::Global(_)
            | Expr::Local(_)
            | Expr::Bound(_)
            | Expr::SelfTask
            | Expr::Unsupported(_) => {}
            Expr::Cell(cell) => {
                let cell = &cells[*cell as usize];
                if let Base::Value(map) = cell.base {
                    visit(map);
                }
                cell.path.iter().flatten().copied().for_each(visit);
            }
            Expr::Not(a) | Expr::Neg(a) | Expr::ConstMap { value: a, .. } => visit(*a),
            Expr::And(a, b)
            | Expr::Or(a, b)
            | Expr::Implies(a, b)
            | Expr::Equal(a, b, _)
            | Expr::Add(a, b)
            | Expr::Sub(a, b)
            | Expr::Mul(a, b)
            | Expr::Div(a, b)
            | Expr::Mod(a, b)
            | Expr::Less(a, b)
            | Expr::LessEq(a, b) => {
                visit(*a);
                visit(*b);
            }
            Expr::Ite(a, b, c) => {
                visit(*a);
                visit(*b);
                visit(*c);
            }
            Expr::Store(store) => {
                visit(store.map);
                store.key.iter().copied().for_each(&mut visit);
                visit(store.value);
            }
            Expr::Bv(bv) => bv.operands().into_iter().flatten().for_each(visit),
            Expr::Apply { body, args } => {
                args.iter().copied().for_each(&mut visit);
                visit(*body);
            }
            Expr::Quant(quant) => visit(quant.body),
        }
    }
}

/// Bit-vector operations and conversions.
#[derive(Clone, Copy, Debug)]
pub(crate) enum BvExpr {
    Binary { op: BinaryOp, a: Ex, b: Ex, width: u32 },
    Concat { a: Ex, b: Ex, low_width: u32 },
    Neg { a: Ex, width: u32 },
    Not { a: Ex, width: u32 },
    Extract { a: Ex, lo: u32, width: u32 },
    ZeroExtend(Ex),
    SignExtend { a: Ex, from: u32, to: u32 },
    FromInt { a: Ex, width: u32 },
    ToInt(Ex),
    ToSignedInt { a: Ex, width: u32 },
}

impl BvExpr {
    fn operands(self) -> [Option<Ex>; 2] {
        match self {
            BvExpr::Binary { a, b, .. } | BvExpr::Concat { a, b, .. } => [Some(a), Some(b)],
            BvExpr::Neg { a, .. }
            | BvExpr::Not { a, .. }
            | BvExpr::Extract { a, .. }
            | BvExpr::ZeroExtend(a)
            | BvExpr::SignExtend { a, .. }
            | BvExpr::FromInt { a, .. }
            | BvExpr::ToInt(a)
            | BvExpr::ToSignedInt { a, .. } => [Some(a), None],
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct StoreExpr {
    pub(crate) map: Ex,
    pub(crate) key: Box<[Ex]>,
    pub(crate) value: Ex,
    pub(crate) nested: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct QuantExpr {
    pub(crate) forall: bool,
    /// How many values each variable has; none for integers.
    pub(crate) sizes: Box<[Option<u64>]>,
    pub(crate) first: u32,
    pub(crate) body: Ex,
}

/// Where a cell is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Base {
    Global(u32),
    Local(u32),
    /// In the map that an expression yields.
    Value(Ex),
}

/// A variable or a map cell, to be read or assigned.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    pub(crate) base: Base,
    /// The indices on the way, one list per map.
    pub(crate) path: Box<[Box<[Ex]>]>,
    /// The type of what is there.
    pub(crate) ty: Type,
}

/// What one instruction does.
#[derive(Clone, Debug)]
pub(crate) enum Action {
    Assign {
        targets: Box<[Cell]>,
        values: Box<[Ex]>,
    },
    /// `variable := value`, the most frequent assignment.
    Set {
        target: Base,
        value: Ex,
    },
    Havoc(Box<[Cell]>),
    Assume(Ex),
    Await {
        guard: Ex,
        targets: Box<[Cell]>,
        values: Box<[Ex]>,
    },
    Assert {
        cond: Ex,
        kind: AssertKind,
        message: Box<str>,
    },
    Call {
        proc: ProcId,
        args: Box<[Ex]>,
        results: Box<[Cell]>,
    },
    Spawn {
        proc: ProcId,
        args: Box<[Ex]>,
        handle: Option<Cell>,
    },
    Wait {
        task: Ex,
        results: Box<[Cell]>,
    },
    AtomicBegin,
    AtomicEnd,
    Yield,
    Progress,
    /// A mark that only others read.
    Nothing,
    Opaque(Box<str>),
    Goto(Pc),
    Branch {
        cond: Ex,
        then: Pc,
        otherwise: Pc,
    },
    Choose {
        targets: Box<[Pc]>,
        fair: Option<u32>,
    },
    Return,
    Exit,
}

/// One instruction with what is known about it.
#[derive(Clone, Debug)]
pub(crate) struct Instr {
    pub(crate) action: Action,
    /// Whether other threads may run before it: see [`crate::points`].
    pub(crate) point: bool,
    /// Whether its accesses can be part of a data race.
    pub(crate) plain: bool,
    /// What the instruction itself touches of the globals.
    pub(crate) own: Access,
    /// What the step that starts here touches.
    pub(crate) step: Access,
    /// What may be touched from here to the end of the procedure, callees and started tasks included.
    pub(crate) future: Access,
    /// The variables that decide whether it can run: see [`crate::guard`].
    pub(crate) guard: Guard,
    pub(crate) proc: ProcId,
    /// The op of the program that the user's frontend made.
    pub(crate) origin: OpRef,
    pub(crate) span: Span,
}

/// A procedure's entry and the shape of its frames.
#[derive(Clone, Debug)]
pub(crate) struct ProcCode {
    pub(crate) name: String,
    pub(crate) entry: Pc,
    pub(crate) locals: Vec<(String, Type)>,
    pub(crate) params: Vec<u32>,
    pub(crate) results: Vec<u32>,
    /// Locals that may hold task handles.
    pub(crate) handles: Vec<u32>,
}

/// A global variable, a constant or an uninterpreted function.
#[derive(Clone, Debug)]
pub(crate) struct GlobalCode {
    pub(crate) name: String,
    pub(crate) ty: Type,
    pub(crate) init: Option<Ex>,
    /// Whether the user declared it as a variable.
    pub(crate) is_variable: bool,
}

/// A program ready to run.
#[derive(Clone, Debug)]
pub(crate) struct Code {
    pub(crate) instrs: Vec<Instr>,
    pub(crate) exprs: Vec<Expr>,
    pub(crate) cells: Vec<Cell>,
    pub(crate) procs: PrimaryMap<ProcId, ProcCode>,
    pub(crate) globals: Vec<GlobalCode>,
    /// Globals that may hold task handles.
    pub(crate) handles: Vec<u32>,
    /// Formulas that hold from the start.
    pub(crate) axioms: Vec<(Ex, Span)>,
    /// Pairs of globals (constants) that differ.
    pub(crate) distinct: Vec<(u32, u32)>,
    pub(crate) threads: Vec<ProcId>,
    /// How values are shown.
    pub(crate) presentation: Presentation,
    /// Where threads can be switched.
    pub(crate) switch_at: SwitchAt,
    /// How many elements each sort has here.
    pub(crate) sort_sizes: Vec<u32>,
    /// How many a recorded run may use: any number, unless a quantifier tries all.
    pub(crate) most_elements: Vec<u32>,
    /// The assumes that leave the only integer in them a range of values, by their conditions.
    pub(crate) bounded: FxHashMap<Ex, (i64, i64)>,
    /// Whether any guard depends on what may be arbitrary.
    pub(crate) guarded: bool,
    /// The global maps whose cells guards read, or nothing if guards read local maps too.
    pub(crate) guard_maps: Option<Vec<u32>>,
}

impl Code {
    pub(crate) fn instr(&self, pc: Pc) -> &Instr {
        &self.instrs[pc as usize]
    }
}
