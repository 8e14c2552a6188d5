//! From an LLVM module to an IR program.

use ir::Program;
use source::{Diagnostic, Span};

use crate::module::Module;

/// What the user can say about the lowering.
#[derive(Clone, Debug)]
pub struct Options {
    /// The function that the program starts with; `main` unless told.
    pub entry: Option<String>,
    /// The most threads that are there at a time, the first included.
    pub max_threads: u32,
    /// Whether a wait on a condition variable may end without a signal.
    pub spurious_wakeups: bool,
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

/// Lowers a module. What cannot be lowered is refused, with its line.
pub fn lower(module: &Module, options: &Options) -> Result<Lowered, Vec<Diagnostic>> {
    let _ = (module, options);
    Err(vec![Diagnostic::error(Span::NONE, "C and C++ programs are not supported yet")])
}
