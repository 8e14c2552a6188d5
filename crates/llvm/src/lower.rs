//! From an LLVM module to an IR program.
//!
//! Memory becomes variables (`memory`), pointers become numbers (`address`), each load and store one step (`access`), and
//! library functions what they mean. Values that are only computed are expressions.

mod access;
mod address;
mod bits;
mod blocks_of_memory;
mod call;
mod context;
mod control;
mod destructors;
mod dynamic_cast;
mod freed;
mod function;
mod image;
mod indices;
mod instr;
mod intrinsics;
mod library_calls;
mod memory;
mod names;
mod placement;
mod recorded_calls;
mod representatives;
mod synchronization;
mod threads;

use ir::{OpRef, Program, Rule};
use rustc_hash::{FxHashMap, FxHashSet};
use source::{Diagnostic, Span};

use crate::activations::Activations;
use crate::module::{FuncId, Module, Origin, TypeKind};
use crate::patience::{OutOfTime, Patience};
use crate::points_to;

pub use recorded_calls::INPUT;

/// What the user can say about the lowering.
#[derive(Clone, Debug)]
pub struct Options {
    /// The function that the program starts with; `main` unless told.
    pub entry: Option<String>,
    /// Whether a wait on a condition variable may end without a signal.
    pub spurious_wakeups: bool,
    /// Whether an allocation gets the memory that was freed last, from the same place in the program, if there is any.
    pub reuse: bool,
    /// Whether what `raddle.h` marks as atomic is only marked: a transaction that others can divide, and not an atomic section.
    pub transactions: bool,
    /// Whether to record what the program prints, in the globals `$output` and `$output.count`.
    pub record_output: bool,
}

/// A program, and what there is to say about it.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The program.
    pub program: Program,
    /// What was simplified, and where.
    pub warnings: Vec<Diagnostic>,
    /// With [`Options::record_output`]: every call in the program that prints, by the number that it records.
    pub outputs: Vec<OutputSite>,
    /// Which instruction of the program each op comes from. Ops that only the lowering needs have none.
    pub origins: FxHashMap<OpRef, Origin>,
    /// The sites of calls that give an arbitrary value: `__VERIFIER_nondet_...`, `rand`, what prints.
    pub inputs: FxHashSet<u32>,
    /// With [`Options::transactions`]: opaque ops of which a recorded run tells all that they did.
    pub recorded: FxHashSet<OpRef>,
}

/// A call that prints. It appends its number and then its arguments, each as a bit vector of 64 bits, to `$output`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputSite {
    /// `printf`, `puts`, `putchar`.
    pub function: String,
    /// The format or text, without the zero at its end.
    pub format: Vec<u8>,
    /// For each argument after the format: the text it points to, if that is a constant.
    pub texts: Vec<Option<Vec<u8>>>,
}

/// Why a module was not lowered.
#[derive(Clone, Debug)]
pub enum LowerError {
    /// It has something that cannot be lowered; each with its line.
    Refused(Vec<Diagnostic>),
    /// The time was over before.
    OutOfTime,
}

impl From<OutOfTime> for LowerError {
    fn from(_: OutOfTime) -> Self {
        LowerError::OutOfTime
    }
}

/// Lowers a module. What cannot be lowered is refused, with its line.
///
/// # Errors
/// When something is refused, or the time is over.
pub fn lower(module: &Module, options: &Options, patience: Patience<'_>) -> Result<Lowered, LowerError> {
    let entry = entry(module, options).map_err(|error| LowerError::Refused(vec![error]))?;
    if let Some(bits) = too_wide(module) {
        let message = format!("integers of {bits} bits are not supported; the widest have {WIDEST}");
        return Err(LowerError::Refused(vec![Diagnostic::error(Span::NONE, message)]));
    }
    let mut roots: Vec<FuncId> =
        module.constructors.iter().copied().filter(|func| !module.funcs[*func].is_declaration()).collect();
    roots.push(entry);
    let points_to = points_to::analyse(module, &roots, patience)?;
    let activations = Activations::new(module, &points_to, &roots);
    let mut cx = context::Context::new(module, options, &points_to, &activations, &roots);
    for &func in &points_to.reachable {
        patience.check()?;
        function::FunctionLowering::new(&mut cx, func).run();
    }
    if !cx.errors.is_empty() {
        return Err(LowerError::Refused(cx.errors));
    }
    cx.program.presentation.regions = cx.regions();
    cx.program.threads = vec![cx.signatures[&entry].proc];
    // Where atomic sections begin and end is up to the user.
    let sections = |broken: &&ir::Broken| matches!(broken.rule, Rule::AtomicBalance | Rule::AtomicReturn);
    if let Err(broken) = ir::validate(&cx.program)
        && broken.iter().any(|broken| sections(&broken))
    {
        let told = broken.iter().filter(sections).map(|broken| {
            Diagnostic::error(broken.span, broken.detail.clone())
                .help("begin and end an atomic section in one function, on the same ways")
        });
        return Err(LowerError::Refused(told.collect()));
    }
    // What throws and catches does so with what its thread alone has: no instruction of the compiled program stands for it.
    let unwinds = |func: &FuncId| crate::exceptions::unwinds(&module.funcs[*func].name);
    let unseen: FxHashSet<ir::ProcId> =
        cx.signatures.iter().filter(|(func, _)| unwinds(func)).map(|(_, signature)| signature.proc).collect();
    cx.origins.retain(|op, _| !unseen.contains(&op.proc));
    Ok(Lowered {
        program: cx.program,
        warnings: cx.warnings,
        outputs: cx.outputs,
        origins: cx.origins,
        inputs: cx.inputs,
        recorded: cx.recorded,
    })
}

/// The widest integers that there are in the IR.
const WIDEST: u32 = 65536;

/// The width of an integer that is wider.
fn too_wide(module: &Module) -> Option<u32> {
    module.types.values().find_map(|ty| match ty.kind {
        TypeKind::Int(bits) if bits > WIDEST => Some(bits),
        _ => None,
    })
}

/// The function that the program starts with.
fn entry(module: &Module, options: &Options) -> Result<FuncId, Diagnostic> {
    let name = options.entry.as_deref().unwrap_or("main");
    let named = |func: &FuncId| module.funcs[*func].name == name || module.funcs[*func].source_name == name;
    let found = module.funcs.keys().filter(named).find(|func| !module.funcs[*func].is_declaration());
    found.ok_or_else(|| {
        let bodies = module.funcs.values().filter(|func| !func.is_declaration());
        let names: Vec<&str> = bodies.map(|func| func.source_name.as_str()).take(20).collect();
        let problem = Diagnostic::error(Span::NONE, format!("there is no function `{name}` to start with"));
        match names.as_slice() {
            [] => problem.help("the program has no functions"),
            names => problem.help(format!("name one with --entry; the program has: {}", names.join(", "))),
        }
    })
}
