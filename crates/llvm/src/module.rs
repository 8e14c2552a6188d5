//! An LLVM module as plain data: what `read` makes of one, and all that the lowering ever sees.
//!
//! Only the reader touches LLVM itself. What it does not understand becomes an `Other`, with LLVM's own text: whether
//! that matters is for the lowering to say, which refuses it with its source line if it can be reached.

use cranelift_entity::{PrimaryMap, SecondaryMap};
use num_bigint::BigUint;
use rustc_hash::FxHashSet;
use source::Span;

ir::ids! {
    /// Names a type of the module.
    TypeId = "type";
    /// Names a constant of the module.
    ConstId = "const";
    /// Names a global variable of the module.
    GlobalId = "global";
    /// Names a function of the module.
    FuncId = "func";
    /// Names a type as the debug information tells it.
    DebugTypeId = "debug";
    /// Names a parameter or the result of an instruction, in one function.
    ValueId = "value";
    /// Names a basic block of one function.
    BlockId = "block";
}

/// A whole module.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// Types; equal types have equal ids (structs are equal by name).
    pub types: PrimaryMap<TypeId, Type>,
    /// Constants; equal constants have equal ids.
    pub consts: PrimaryMap<ConstId, Const>,
    /// Global variables, in order.
    pub globals: PrimaryMap<GlobalId, Global>,
    /// Functions, in order, declarations included.
    pub funcs: PrimaryMap<FuncId, Func>,
    /// Types of the debug information.
    pub debug_types: PrimaryMap<DebugTypeId, DebugType>,
    /// Structs whose last field is padding.
    pub padded: FxHashSet<TypeId>,
    /// Functions that run before `main`, by priority (`llvm.global_ctors`).
    pub constructors: Vec<FuncId>,
    /// Whether functions run after `main` (`llvm.global_dtors`).
    pub has_destructors: bool,
    /// The function that calls the destructors of static variables in the end, if there are any.
    pub at_exit: Option<FuncId>,
    /// Whether the program catches exceptions.
    pub catches: bool,
    /// What `main` is called with, if it has parameters.
    pub arguments: Option<Arguments>,
}

impl Module {
    /// The type of a kind.
    pub(crate) fn type_of_kind(&mut self, kind: TypeKind, size: u64) -> TypeId {
        let found = self.types.iter().find(|(_, ty)| ty.kind == kind).map(|(id, _)| id);
        found.unwrap_or_else(|| self.types.push(Type { kind, size }))
    }

    /// A constant of a type.
    pub(crate) fn constant(&mut self, ty: TypeId, kind: ConstKind) -> Operand {
        let wanted = Const { ty, kind };
        let found = self.consts.iter().find(|(_, constant)| **constant == wanted).map(|(id, _)| id);
        Operand::Const(found.unwrap_or_else(|| self.consts.push(wanted)))
    }
}

/// What `main` is called with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arguments {
    /// The function.
    pub func: FuncId,
    /// The vector: the name of the program, the other arguments, and null.
    pub vector: GlobalId,
    /// How many they are, with the name and without null.
    pub count: u32,
}

/// A type and its size in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Type {
    /// What it is.
    pub kind: TypeKind,
    /// Bytes from one element of an array of it to the next; zero where there is no such thing.
    pub size: u64,
}

/// What a type is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeKind {
    /// No value.
    Void,
    /// An integer of so many bits.
    Int(u32),
    /// A floating point number of so many bits (80 for `x86_fp80`).
    Float(u32),
    /// A pointer.
    Ptr,
    /// An array.
    Array {
        /// Of what.
        element: TypeId,
        /// How many.
        count: u64,
    },
    /// A struct.
    Struct {
        /// `struct.node`, if it has a name.
        name: Option<String>,
        /// Byte offset and type of each field.
        fields: Vec<(u64, TypeId)>,
    },
    /// A vector of fixed length.
    Vector {
        /// Of what.
        element: TypeId,
        /// How many.
        count: u64,
    },
    /// A function; never the type of a value.
    Function,
    /// Anything else, with LLVM's name for it.
    Other(String),
}

/// A constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Const {
    /// Its type.
    pub ty: TypeId,
    /// What it is.
    pub kind: ConstKind,
}

/// What a constant is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConstKind {
    /// An integer, unsigned.
    Int(BigUint),
    /// A floating point number, by its value as a double.
    Float(u64),
    /// The null pointer.
    Null,
    /// All zero.
    Zero,
    /// Undefined or poison.
    Undef,
    /// The address of a global variable.
    Global(GlobalId),
    /// The address of a function.
    Func(FuncId),
    /// One constant per field or element.
    Aggregate(Vec<ConstId>),
    /// The elements of an array of `i8`.
    Bytes(Vec<u8>),
    /// A computation on constants: a GEP, a cast, an operator.
    Expr(Box<Op>),
    /// Anything else, as LLVM prints it.
    Other(String),
}

/// A global variable.
#[derive(Clone, Debug)]
pub struct Global {
    /// Its name in LLVM.
    pub name: String,
    /// Its name in the source, and how it is declared there, if the debug information knows.
    pub variable: Option<Variable>,
    /// The type of what it holds.
    pub ty: TypeId,
    /// Its initial value; none for a declaration.
    pub init: Option<ConstId>,
    /// Whether it is never written.
    pub constant: bool,
    /// Whether each thread has its own.
    pub thread_local: bool,
}

/// A variable of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its type, if known.
    pub ty: Option<DebugTypeId>,
    /// Where it is declared.
    pub span: Span,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Func {
    /// Its name in LLVM.
    pub name: String,
    /// Its name in the source: for C++, readable and with its scope (`Queue::push`).
    pub source_name: String,
    /// Parameters.
    pub params: Vec<ValueId>,
    /// For each parameter that is a pointer to a copy, which belongs to the called function alone: the type of the copy.
    pub by_value: Vec<Option<TypeId>>,
    /// Type of the result, or void.
    pub result: TypeId,
    /// Whether it takes more arguments than its parameters.
    pub variadic: bool,
    /// Attributes of the function that the user wrote as `__attribute__((annotate("...")))`.
    pub annotations: Vec<String>,
    /// All values: parameters first, then results of instructions.
    pub values: PrimaryMap<ValueId, Value>,
    /// Blocks; the first is the entry. None for a declaration.
    pub blocks: PrimaryMap<BlockId, Block>,
    /// The variable of the source that a value is the value of, as far as known: for an `alloca`, the variable that it
    /// holds.
    pub variables: SecondaryMap<ValueId, Option<Variable>>,
    /// Where it is defined.
    pub span: Span,
}

/// A parameter or result of an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// Its name in LLVM; may be empty.
    pub name: String,
    /// Its type.
    pub ty: TypeId,
}

/// A basic block. The last instruction is a terminator.
#[derive(Clone, Debug)]
pub struct Block {
    /// Its label; may be empty.
    pub name: String,
    /// Its instructions; intrinsics about debug information and lifetimes are left out.
    pub instrs: Vec<Instr>,
}

/// An instruction.
#[derive(Clone, Debug)]
pub struct Instr {
    /// What it does.
    pub op: Op,
    /// Its result; none if it is void.
    pub result: Option<ValueId>,
    /// The statement of the source it belongs to, from its first character; nowhere if not known.
    pub span: Span,
    /// The instruction of the program that it comes from.
    pub origin: Origin,
}

/// Which numbered instruction of a program something comes from. Library functions of our own have no numbers: what they
/// do belongs to their call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Origin {
    /// The number; 0 if it comes from none.
    pub site: u32,
    /// Whether it is the first that comes from it, so that the instruction begins here.
    pub fresh: bool,
}

/// An operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    /// A value of the same function.
    Value(ValueId),
    /// A constant.
    Const(ConstId),
}

/// What an instruction does. In constants, operands are constants.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is the instruction of its name in LLVM's language reference")]
pub enum Op {
    Binary(Binary, Operand, Operand),
    FNeg(Operand),
    ICmp(IntPredicate, Operand, Operand),
    /// The predicate by its name in LLVM (`olt`).
    FCmp(&'static str, Operand, Operand),
    /// The type of the result is that of the value, or for a constant that of the constant.
    Cast(Cast, Operand),
    Select(Operand, Operand, Operand),
    Freeze(Operand),
    Alloca {
        ty: TypeId,
        count: Operand,
    },
    Load {
        ptr: Operand,
        ty: TypeId,
        atomic: Option<Ordering>,
        volatile: bool,
    },
    Store {
        value: Operand,
        ptr: Operand,
        atomic: Option<Ordering>,
        volatile: bool,
    },
    Gep {
        base: Operand,
        element: TypeId,
        indices: Vec<Operand>,
    },
    AtomicRmw {
        op: Rmw,
        ptr: Operand,
        value: Operand,
        order: Ordering,
    },
    CmpXchg {
        ptr: Operand,
        expected: Operand,
        new: Operand,
        weak: bool,
        order: Ordering,
    },
    Fence(Ordering),
    Phi(Vec<(BlockId, Operand)>),
    Call {
        callee: Callee,
        args: Vec<Operand>,
    },
    ExtractValue(Operand, Vec<u32>),
    InsertValue(Operand, Operand, Vec<u32>),
    ExtractElement(Operand, Operand),
    InsertElement(Operand, Operand, Operand),
    /// The lanes that are taken, of the first and then the second operand; none for an undefined one.
    ShuffleVector(Operand, Operand, Vec<Option<u32>>),

    // Terminators.
    Br(BlockId),
    CondBr(Operand, BlockId, BlockId),
    Switch {
        on: Operand,
        default: BlockId,
        cases: Vec<(BigUint, BlockId)>,
    },
    /// A call that goes on at `normal`, or at `unwind` if it throws.
    Invoke {
        callee: Callee,
        args: Vec<Operand>,
        normal: BlockId,
        unwind: BlockId,
    },
    Ret(Option<Operand>),
    Unreachable,

    /// Where exceptions lead to: the descriptions of the types that are caught, or none for any.
    LandingPad(Vec<Option<ConstId>>),
    /// Anything else: its name, its operands, and for a terminator its successors.
    Other {
        name: String,
        operands: Vec<Operand>,
        successors: Vec<BlockId>,
    },
}

/// What is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Callee {
    /// A function by its name.
    Func(FuncId),
    /// What a pointer points to.
    Ptr(Operand),
    /// Assembler text.
    Asm(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each is the instruction of its name in LLVM's language reference")]
pub enum Binary {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
    FAdd,
    FSub,
    FMul,
    FDiv,
    FRem,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each is the predicate of its name in LLVM's language reference")]
pub enum IntPredicate {
    Eq,
    Ne,
    Ugt,
    Uge,
    Ult,
    Ule,
    Sgt,
    Sge,
    Slt,
    Sle,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each is the instruction of its name in LLVM's language reference")]
pub enum Cast {
    Trunc,
    ZExt,
    SExt,
    PtrToInt,
    IntToPtr,
    BitCast,
    AddrSpaceCast,
    FpToUi,
    FpToSi,
    UiToFp,
    SiToFp,
    FpTrunc,
    FpExt,
}

/// Memory order of an atomic instruction, from weak to strong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "each is the order of its name in LLVM's language reference")]
pub enum Ordering {
    Unordered,
    Monotonic,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each is the operation of its name in LLVM's language reference")]
pub enum Rmw {
    Xchg,
    Add,
    Sub,
    And,
    Nand,
    Or,
    Xor,
    Max,
    Min,
    UMax,
    UMin,
    /// Anything else: on floating point numbers, or with wrapping.
    Other,
}

/// A type as the debug information tells it; typedefs and qualifiers are looked through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DebugType {
    /// A number, character or truth value.
    Basic {
        /// `unsigned int`.
        name: String,
        /// How its values are to be shown.
        shown: Shown,
    },
    /// A pointer or reference.
    Pointer(Option<DebugTypeId>),
    /// A struct, class or union.
    Struct {
        /// Its name; empty if it has none.
        name: String,
        /// Whether all members are in the same place.
        union: bool,
        /// Members (base classes included), in order.
        members: Vec<Member>,
    },
    /// An array: the counts of its dimensions, outermost first; zero if not known.
    Array(DebugTypeId, Vec<u64>),
    /// An enumeration: names of its values.
    Enum(String, Vec<(i64, String)>),
    /// Anything else.
    Other,
}

/// How the values of a basic type are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the name says it")]
pub enum Shown {
    Signed,
    Unsigned,
    Bool,
    Char,
    Float,
}

/// A member of a struct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its name; empty for an anonymous struct or union, or a base class.
    pub name: String,
    /// Where it starts, in bits.
    pub offset: u64,
    /// How large it is, in bits.
    pub size: u64,
    /// Its type.
    pub ty: DebugTypeId,
}

/// Whether a function is not looked at, by its name: the program promises that it does nothing that other threads could see.
#[must_use]
pub fn is_outside(name: &str) -> bool {
    name.starts_with("raddle_outside_")
}

impl Func {
    /// Whether there is only a declaration.
    #[must_use]
    pub fn is_declaration(&self) -> bool {
        self.blocks.is_empty()
    }
}

impl Op {
    /// The blocks control may go to.
    #[must_use]
    pub fn successors(&self) -> Vec<BlockId> {
        match self {
            Op::Br(block) => vec![*block],
            Op::CondBr(_, then, otherwise) => vec![*then, *otherwise],
            Op::Switch { default, cases, .. } => {
                std::iter::once(*default).chain(cases.iter().map(|(_, block)| *block)).collect()
            }
            Op::Invoke { normal, unwind, .. } => vec![*normal, *unwind],
            Op::Other { successors, .. } => successors.clone(),
            _ => Vec::new(),
        }
    }
}

impl Op {
    /// Calls `visit` with each operand.
    pub fn for_each_operand(&self, mut visit: impl FnMut(Operand)) {
        match self {
            Op::Binary(_, a, b)
            | Op::ICmp(_, a, b)
            | Op::FCmp(_, a, b)
            | Op::InsertValue(a, b, _)
            | Op::ExtractElement(a, b)
            | Op::ShuffleVector(a, b, _)
            | Op::Store { value: a, ptr: b, .. }
            | Op::AtomicRmw { ptr: a, value: b, .. } => {
                visit(*a);
                visit(*b);
            }
            Op::FNeg(a)
            | Op::Cast(_, a)
            | Op::Freeze(a)
            | Op::Alloca { count: a, .. }
            | Op::Load { ptr: a, .. }
            | Op::ExtractValue(a, _)
            | Op::CondBr(a, ..)
            | Op::Switch { on: a, .. }
            | Op::Ret(Some(a)) => visit(*a),
            Op::Select(a, b, c)
            | Op::InsertElement(a, b, c)
            | Op::CmpXchg { ptr: a, expected: b, new: c, .. } => {
                visit(*a);
                visit(*b);
                visit(*c);
            }
            Op::Gep { base, indices, .. } => {
                visit(*base);
                indices.iter().copied().for_each(visit);
            }
            Op::Phi(incoming) => incoming.iter().for_each(|(_, operand)| visit(*operand)),
            Op::Call { callee, args } | Op::Invoke { callee, args, .. } => {
                if let Callee::Ptr(pointer) = callee {
                    visit(*pointer);
                }
                args.iter().copied().for_each(visit);
            }
            Op::Other { operands, .. } => operands.iter().copied().for_each(visit),
            Op::Fence(_) | Op::Br(_) | Op::Ret(None) | Op::Unreachable | Op::LandingPad(_) => {}
        }
    }
}
