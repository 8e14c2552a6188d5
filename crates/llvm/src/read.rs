//! From LLVM to plain data: the only place that touches LLVM.
//!
//! A module is parsed, several are linked, and exactly the passes `sroa` and `mem2reg` are run: they turn local variables
//! whose address does not escape into values, and do not merge or drop accesses to memory that others see. In between,
//! functions that ask for it are put in the place of their calls (`always-inline`), and so are library functions of our own.

mod arguments;
mod bounds;
mod constant;
mod debug;
mod floats;
mod folding;
mod format;
mod function;
mod instruction;
mod padding;
mod place;

mod special;
mod statement;
mod types;
mod variadic;

pub use arguments::give_arguments;

use std::ffi::CStr;
use std::fmt;
use std::path::{Path, PathBuf};

use cranelift_entity::SecondaryMap;
use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use rustc_hash::FxHashMap;
use source::SourceMap;

use crate::module::{FuncId, Global, Module, Variable};
use crate::patience::{OutOfTime, Patience};
use crate::{library, raw, site};

pub(crate) use function::is_left_out;

/// When functions are put in the place of their calls, arguments are values already: branches on constant ones go away.
const PASSES: [&CStr; 3] = [c"function(sroa,mem2reg)", c"always-inline", c"function(sroa,mem2reg)"];

/// Why a module could not be read.
#[derive(Debug)]
pub enum ReadError {
    /// The file could not be read.
    Io(PathBuf, std::io::Error),
    /// The file is no LLVM module; with LLVM's message.
    NotAModule(PathBuf, String),
    /// The modules do not fit together; with LLVM's message.
    Link(PathBuf, String),
    /// LLVM's own checks find the module wrong; with its message.
    Invalid(String),
    /// There is nothing to read.
    Nothing,
    /// The time was over before.
    OutOfTime,
}

impl From<OutOfTime> for ReadError {
    fn from(_: OutOfTime) -> Self {
        ReadError::OutOfTime
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Io(path, error) => write!(f, "cannot read `{}`: {error}", path.display()),
            ReadError::NotAModule(path, message) => {
                write!(f, "`{}` is not a module that LLVM 19 can read: {message}", path.display())
            }
            ReadError::Link(path, message) => {
                write!(f, "`{}` cannot be linked with the other files: {message}", path.display())
            }
            ReadError::Invalid(message) => write!(f, "the LLVM module is not valid: {message}"),
            ReadError::Nothing => f.write_str("there is no file to read"),
            ReadError::OutOfTime => f.write_str("the time was over before the program was read"),
        }
    }
}

impl std::error::Error for ReadError {}

/// Reads modules, as bitcode or text, and links them. The files that their debug information names are added to `map`.
///
/// # Errors
/// When a file cannot be read, is no module, or does not fit with the others.
pub fn read(paths: &[impl AsRef<Path>], map: &mut SourceMap) -> Result<Module, ReadError> {
    read_with(paths, map, Patience::default(), |_| Ok(Vec::new()))
}

/// A module of library functions.
pub(crate) struct Library {
    /// Where it is.
    pub(crate) path: PathBuf,
    /// Whether its functions are put in the place of their calls.
    pub(crate) inlined: bool,
    /// Whether the program is made to run with it, too.
    pub(crate) runs: bool,
}

/// Reads modules, and links what they use of libraries. `library` is told what is used and not defined; it is asked until it
/// has nothing to add, since libraries use others.
pub(crate) fn read_with<E: From<ReadError>>(
    paths: &[impl AsRef<Path>],
    map: &mut SourceMap,
    patience: Patience<'_>,
    mut library: impl FnMut(&[String]) -> Result<Vec<Library>, E>,
) -> Result<Module, E> {
    let context = Context::create();
    raw::be_quiet(&context);
    let mut whole: Option<inkwell::module::Module<'_>> = None;
    let mut sites = 0;
    for path in paths {
        let module = parse(&context, path.as_ref())?;
        sites += site::number(&module, sites)?.count;
        match &whole {
            None => whole = Some(module),
            Some(whole) => link(whole, module, path.as_ref())?,
        }
    }
    let module = whole.ok_or(ReadError::Nothing)?;
    format::expand(&module);
    floats::expand(&module);
    // Libraries that are a part of the program when it is made to run have sites of their own, wherever they are linked again.
    let mut bases: FxHashMap<PathBuf, u32> = FxHashMap::default();
    loop {
        let added = library(&raw::undefined(&module))?;
        patience.check().map_err(ReadError::from)?;
        if added.is_empty() {
            break;
        }
        for Library { path, inlined, runs } in added {
            let library = parse(&context, &path)?;
            if runs {
                let base = *bases.entry(path.clone()).or_insert(sites);
                sites = sites.max(base + site::number(&library, base)?.count);
            }
            floats::expand(&library);
            raw::link_on_demand(&library, inlined);
            link(&module, library, &path)?;
        }
    }
    raw::be_quiet(&context);
    raw::forget_weak(&module, library::is_of_verifiers);
    prepare(&module)?;
    patience.check().map_err(ReadError::from)?;
    raw::show_debug_records(&module);
    // Elsewhere variable arguments are passed in other ways.
    let known_arguments = module.get_triple().as_str().to_str().is_ok_and(|triple| {
        triple.starts_with("x86_64") && !triple.contains("windows") && !triple.contains("x32")
    });
    let mut module = Reader::new(&module, map).module();
    if known_arguments {
        variadic::make_plain(&mut module);
    }
    Ok(module)
}

/// Runs the passes that make local variables values.
pub(crate) fn prepare(module: &inkwell::module::Module<'_>) -> Result<(), ReadError> {
    raw::allow_passes(module);
    for passes in PASSES {
        bounds::keep_functions(module);
        raw::run_passes(module, passes).map_err(ReadError::Invalid)?;
    }
    Ok(())
}

pub(crate) fn link<'c>(
    whole: &inkwell::module::Module<'c>,
    part: inkwell::module::Module<'c>,
    path: &Path,
) -> Result<(), ReadError> {
    whole.link_in_module(part).map_err(|message| ReadError::Link(path.to_path_buf(), message.to_string()))
}

pub(crate) fn parse<'c>(context: &'c Context, path: &Path) -> Result<inkwell::module::Module<'c>, ReadError> {
    let bytes = std::fs::read(path).map_err(|error| ReadError::Io(path.to_path_buf(), error))?;
    // A name with a zero byte cannot be passed on, and is only for messages.
    let name = path.to_string_lossy().replace('\0', "");
    let buffer = MemoryBuffer::create_from_memory_range_copy(&bytes, &name);
    let not_a_module =
        |message: String| ReadError::NotAModule(path.to_path_buf(), message.trim_end().to_string());
    let module =
        context.create_module_from_ir(buffer).map_err(|message| not_a_module(message.to_string()))?;
    module.verify().map_err(|message| not_a_module(message.to_string()))?;
    Ok(module)
}

/// A module being read.
struct Reader<'m, 's> {
    source: raw::Source<'m>,
    module: Module,
    types: types::Types<'m>,
    constants: constant::Constants<'m>,
    debug_types: debug::DebugTypes<'m>,
    places: place::Places<'m, 's>,
    /// Functions that do nothing, calls of which are left out.
    left_out: SecondaryMap<FuncId, bool>,
    /// The kind of metadata that has numbers.
    sites: u32,
}

impl<'m, 's> Reader<'m, 's> {
    fn new(module: &'m inkwell::module::Module<'_>, map: &'s mut SourceMap) -> Self {
        let source = raw::Source::of(module);
        Reader {
            source,
            module: Module::default(),
            types: types::Types::new(source),
            constants: constant::Constants::new(),
            debug_types: debug::DebugTypes::new(raw::Expressions::new(module)),
            places: place::Places::new(map),
            left_out: SecondaryMap::new(),
            sites: site::kind(module),
        }
    }

    /// Functions and globals refer to each other, so all have their ids before initial values and bodies are read.
    fn module(mut self) -> Module {
        for global in self.source.globals() {
            let made = self.global(global);
            let id = self.module.globals.push(made);
            self.constants.globals.insert(global, id);
        }
        for function in self.source.functions() {
            let head = self.head(function);
            let left_out = function::is_left_out(&head.name);
            let id = self.module.funcs.push(head);
            self.left_out[id] = left_out;
            self.constants.funcs.insert(function, id);
        }
        for (global, id) in self.source.globals().zip(self.module.globals.keys()) {
            self.module.globals[id].init =
                global.initializer().map(|value| self.constants.id(&mut self.module, &mut self.types, value));
        }
        for (function, id) in self.source.functions().zip(self.module.funcs.keys()) {
            self.body(function, id);
        }
        special::constructors(&mut self.module);
        self.module.padded = padding::padded(&self.module);
        special::annotations(&mut self.module);
        arguments::add(&mut self.module);
        self.module
    }

    fn global(&mut self, global: raw::Value<'m>) -> Global {
        let ty = global.value_type().unwrap_or_else(|| global.ty());
        let variable = self.source.global_variable(global).map(|variable| {
            let name = debug::variable_name(variable);
            let ty = debug::variable_type(variable).and_then(|ty| self.debug_types.id(&mut self.module, ty));
            let span = self.places.of_variable(variable, &name, 0);
            Variable { name, ty, span }
        });
        Global {
            name: global.name(),
            variable,
            ty: {
                let ty = self.types.id(&mut self.module, ty);
                types::declared(&mut self.module, ty)
            },
            init: None,
            constant: global.is_constant(),
            thread_local: global.is_thread_local(),
        }
    }
}

#[cfg(test)]
mod tests;
