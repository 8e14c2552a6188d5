//! Sites: numbers for the instructions of a module, the same wherever it is read.
//!
//! A module is analysed and instrumented, each on its own copy. So that both mean the same instruction, instructions are
//! numbered before anything is changed, and carry their numbers as metadata through passes. Calls of functions that are not in
//! the module are marked once more, by a call of an intrinsic that does nothing: where such a function is put in the place of
//! its call, the mark stays.

use rustc_hash::FxHashMap;

use crate::raw::{self, Opcode, Source, Value};

/// What the metadata is called.
const KIND: &str = "raddle.site";

/// The numbers of a module.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sites {
    /// How many there are; the first is one more than where they start.
    pub(crate) count: u32,
    /// The numbers of functions, by their names.
    pub(crate) functions: FxHashMap<String, u32>,
}

/// Numbers the functions and instructions of a module, from `base + 1`.
pub(crate) fn number(module: &inkwell::module::Module<'_>, base: u32) -> Sites {
    let kind = raw::metadata_kind(module, KIND);
    let mut sites = Sites::default();
    let mut marked = Vec::new();
    for function in Source::of(module).functions() {
        let mut blocks = function.blocks().peekable();
        if blocks.peek().is_none() {
            continue;
        }
        sites.count += 1;
        sites.functions.insert(function.name(), base + sites.count);
        for instruction in blocks.flat_map(raw::Block::instructions) {
            if !is_numbered(instruction) {
                continue;
            }
            sites.count += 1;
            raw::set_number(module, instruction, kind, base + sites.count);
            if calls_elsewhere(instruction) {
                marked.push((instruction, base + sites.count));
            }
        }
    }
    raw::mark_before(module, &marked, kind);
    sites
}

/// Phis are no steps. Where a variable on the stack begins to live may be one.
fn is_numbered(instruction: Value<'_>) -> bool {
    match instruction.opcode() {
        None | Some(Opcode::LLVMPHI) => false,
        Some(Opcode::LLVMCall) => !instruction.callee().is_some_and(|callee| is_silent(&callee.name())),
        Some(_) => true,
    }
}

fn is_silent(name: &str) -> bool {
    crate::read::is_left_out(name)
}

fn calls_elsewhere(instruction: Value<'_>) -> bool {
    matches!(instruction.opcode(), Some(Opcode::LLVMCall | Opcode::LLVMInvoke))
        && instruction
            .callee()
            .is_some_and(|callee| callee.blocks().next().is_none() && !callee.name().starts_with("llvm."))
}

/// The numbers of instructions that copy memory, by their places in the source.
pub(crate) fn copies<'m>(module: &'m inkwell::module::Module<'_>) -> FxHashMap<raw::Metadata<'m>, u32> {
    let (source, kind) = (Source::of(module), kind(module));
    let instructions = source.functions().flat_map(raw::Value::blocks).flat_map(raw::Block::instructions);
    let copies = instructions.filter(|instruction| {
        let callee = instruction.callee().map(|callee| callee.name());
        callee.is_some_and(|name| name.starts_with("llvm.memcpy.") || name.starts_with("llvm.memmove."))
    });
    copies.filter_map(|copy| Some((source.location(copy)?, of(kind, copy)?))).collect()
}

/// Passes put a load or a store in the place of a copy from or to a variable that becomes a value. Such an instruction has the place of
/// the copy and no number: it gets that of the copy.
pub(crate) fn number_parts(module: &inkwell::module::Module<'_>, copies: &FxHashMap<raw::Metadata<'_>, u32>) {
    let (source, kind) = (Source::of(module), kind(module));
    for instruction in source.functions().flat_map(raw::Value::blocks).flat_map(raw::Block::instructions) {
        if matches!(instruction.opcode(), Some(Opcode::LLVMLoad | Opcode::LLVMStore))
            && of(kind, instruction).is_none()
            && let Some(number) = source.location(instruction).and_then(|location| copies.get(&location))
        {
            raw::set_number(module, instruction, kind, *number);
        }
    }
}

/// The number of an instruction, if it has one.
pub(crate) fn of(kind: u32, instruction: Value<'_>) -> Option<u32> {
    instruction.number(kind)
}

/// The kind of the metadata, in the module's context.
pub(crate) fn kind(module: &inkwell::module::Module<'_>) -> u32 {
    raw::metadata_kind(module, KIND)
}

/// What a site is, for people.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SiteInfo {
    /// The function that it is in, as the linker calls it.
    pub function: String,
    /// The source file, line and column; empty and zero if not known.
    pub file: String,
    /// See there.
    pub line: u32,
    /// See there.
    pub column: u32,
}

fn name_of(file: raw::Metadata<'_>) -> Option<String> {
    file.path().map(|(_, name)| name)
}

/// The sites of a module, by their numbers; number 0 is none.
///
/// # Errors
/// When it is no module.
pub fn site_table(path: &std::path::Path) -> Result<Vec<SiteInfo>, crate::ReadError> {
    let context = inkwell::context::Context::create();
    raw::be_quiet(&context);
    let module = crate::read::parse(&context, path)?;
    let source = Source::of(&module);
    let mut table = vec![SiteInfo::default()];
    for function in source.functions() {
        let mut blocks = function.blocks().peekable();
        if blocks.peek().is_none() {
            continue;
        }
        let name = function.name();
        let subprogram = source.subprogram(function);
        let file = subprogram.and_then(raw::Metadata::file).and_then(name_of).unwrap_or_default();
        let line = subprogram.map_or(0, raw::Metadata::line);
        table.push(SiteInfo { function: name.clone(), file: file.clone(), line, column: 0 });
        for instruction in blocks.flat_map(raw::Block::instructions) {
            if !is_numbered(instruction) {
                continue;
            }
            let location = source.location(instruction);
            let scope = location.and_then(raw::Metadata::scope);
            let own = scope.and_then(raw::Metadata::file).and_then(name_of);
            table.push(SiteInfo {
                function: name.clone(),
                file: own.unwrap_or_else(|| file.clone()),
                line: location.map_or(0, raw::Metadata::line),
                column: location.map_or(0, raw::Metadata::column),
            });
        }
    }
    Ok(table)
}
