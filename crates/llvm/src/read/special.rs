//! Global variables that mean something to LLVM: functions to run before `main`, and annotations.

use crate::module::{ConstId, ConstKind, FuncId, Module};

/// Finds the functions that run before `main`, and whether some run after it: `llvm.global_ctors` has a priority, a function and what it belongs to.
pub(super) fn constructors(module: &mut Module) {
    let mut found: Vec<(u32, FuncId)> = Vec::new();
    for entry in entries(module, "llvm.global_ctors") {
        let ConstKind::Aggregate(parts) = &module.consts[entry].kind else { continue };
        let [priority, function, ..] = **parts else { continue };
        let ConstKind::Int(priority) = &module.consts[priority].kind else { continue };
        if let Some(function) = function_of(module, function) {
            found.push((u32::try_from(priority).unwrap_or(u32::MAX), function));
        }
    }
    found.sort_by_key(|&(priority, _)| priority);
    module.constructors = found.into_iter().map(|(_, function)| function).collect();
    module.has_destructors = !entries(module, "llvm.global_dtors").is_empty();
}

/// Finds what the user wrote as `__attribute__((annotate("...")))`: `llvm.global.annotations` has a function or variable,
/// and the text.
pub(super) fn annotations(module: &mut Module) {
    for entry in entries(module, "llvm.global.annotations") {
        let ConstKind::Aggregate(parts) = &module.consts[entry].kind else { continue };
        let [function, text, ..] = **parts else { continue };
        if let Some((function, text)) = function_of(module, function).zip(text_of(module, text)) {
            module.funcs[function].annotations.push(text);
        }
    }
}

/// The elements of the initial value of a global.
fn entries(module: &Module, name: &str) -> Vec<ConstId> {
    let init = module.globals.values().find(|global| global.name == name).and_then(|global| global.init);
    match init.map(|init| &module.consts[init].kind) {
        Some(ConstKind::Aggregate(entries)) => entries.clone(),
        _ => Vec::new(),
    }
}

fn function_of(module: &Module, constant: ConstId) -> Option<FuncId> {
    match module.consts[constant].kind {
        ConstKind::Func(function) => Some(function),
        _ => None,
    }
}

fn text_of(module: &Module, constant: ConstId) -> Option<String> {
    let ConstKind::Global(global) = module.consts[constant].kind else { return None };
    match &module.consts[module.globals[global].init?].kind {
        ConstKind::Bytes(bytes) => Some(String::from_utf8_lossy(bytes).trim_end_matches('\0').to_string()),
        _ => None,
    }
}
