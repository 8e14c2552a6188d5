use std::path::{Path, PathBuf};

use source::SourceMap;
use tempfile::TempDir;

use super::*;
use crate::module::{Callee, Module, Op};
use crate::{Inputs, load, read};

fn loaded(text: &str, name: &str) -> (Module, SourceMap) {
    let folder = tempfile::tempdir().unwrap();
    let scratch = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(name), text).unwrap();
    let files = [PathBuf::from(name)];
    let inputs = Inputs {
        files: &files,
        flags: &[],
        folder: Some(folder.path()),
        clang: None,
        scratch: scratch.path(),
        recorded: false,
        patience: crate::Patience::default(),
    };
    let mut map = SourceMap::default();
    let module = load(inputs, &mut map).unwrap().module;
    (module, map)
}

/// The names of functions that are called and have no body.
fn missing(module: &Module) -> Vec<&str> {
    let ops = module.funcs.values().flat_map(|func| func.blocks.values()).flat_map(|block| &block.instrs);
    let mut names: Vec<&str> = ops
        .filter_map(|instr| match &instr.op {
            Op::Call { callee: Callee::Func(func), .. } | Op::Invoke { callee: Callee::Func(func), .. } => {
                Some(&module.funcs[*func])
            }
            _ => None,
        })
        .filter(|func| func.is_declaration())
        .map(|func| func.name.as_str())
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

fn compile(folder: &TempDir, model: &Model) -> PathBuf {
    let file = folder.path().join(model.name);
    std::fs::write(&file, model.text()).unwrap();
    let module = folder.path().join(format!("{}.bc", model.name));
    let status = std::process::Command::new("clang-19")
        .args(["-Wall", "-Wno-pragma-pack", "-Werror", "-emit-llvm", "-c", "-o"])
        .args([Path::new(&module), Path::new(&file)])
        .status()
        .unwrap();
    assert!(status.success(), "{}", model.name);
    module
}

#[test]
fn tables_say_what_files_define() {
    let folder = tempfile::tempdir().unwrap();
    for model in MODELS {
        let module = read(&[compile(&folder, model)], &mut SourceMap::default()).unwrap();
        let funcs =
            module.funcs.values().filter(|func| !func.is_declaration()).map(|func| func.name.as_str());
        let globals = module.globals.values().filter(|global| global.init.is_some());
        let defined: Vec<&str> = funcs.chain(globals.map(|global| global.name.as_str())).collect();
        for symbol in model.defines {
            let found = match symbol.strip_suffix('*') {
                Some(start) => defined.iter().any(|name| name.starts_with(start)),
                None => defined.contains(symbol),
            };
            assert!(found, "{} does not define {symbol}", model.name);
        }
        assert!(model.defines.is_sorted(), "{}", model.name);
    }
}

#[test]
fn only_what_is_used_is_linked() {
    let (module, _) = loaded("int main(void) { return 0; }", "p.c");
    assert_eq!(module.funcs.len(), 1);
    let text = "#include <string.h>\nint main(int n, char **a) { return strlen(a[0]) + strcmp(a[0], a[1]); }";
    let (module, _) = loaded(text, "p.c");
    let bodies: Vec<&str> =
        module.funcs.values().filter(|func| !func.is_declaration()).map(|func| func.name.as_str()).collect();
    assert_eq!(bodies, ["main"], "calls are replaced by what they do");
    assert_eq!(missing(&module), Vec::<&str>::new());
}

#[test]
fn models_use_models() {
    let text = "#include <mutex>\n#include <thread>\nstd::once_flag f;\nvoid g() {}\n\
                int main() { std::thread t([] { std::call_once(f, g); }); t.join(); }";
    let (module, map) = loaded(text, "p.cpp");
    let left: Vec<String> = missing(&module).into_iter().map(str::to_owned).collect();
    assert!(left.iter().any(|name| name == "pthread_create"), "{left:?}");
    assert!(defining(&left).next().is_none(), "{left:?}");
    let thread = module.funcs.values().find(|func| func.name == "_ZL6threadPv").unwrap();
    assert_eq!(map.file_of(thread.span).unwrap().name(), "<raddle>/thread.cpp");
}

#[test]
fn steps_have_the_lines_of_calls() {
    let text = "#include <string.h>\nchar a[9];\nvoid f(const char *text) {\n  strcpy(a, text);\n}";
    let (module, map) = loaded(text, "p.c");
    let f = module.funcs.values().find(|func| func.name == "f").unwrap();
    let stores: Vec<usize> = f
        .blocks
        .values()
        .flat_map(|block| &block.instrs)
        .filter(|instr| matches!(instr.op, Op::Store { .. }))
        .map(|instr| {
            assert_eq!(map.file_of(instr.span).unwrap().name(), "p.c");
            map.position(instr.span).unwrap().line
        })
        .collect();
    assert_eq!(stores, [4]);
}

#[test]
fn constant_sizes_choose_how_elements_are_moved() {
    let text = "#include <stdlib.h>\nint a[9];\nint order(const void *x, const void *y) { return *(int *)x - *(int *)y; }\n\
                int main(void) { qsort(a, 9, sizeof *a, order); return 0; }";
    let (module, _) = loaded(text, "p.c");
    let main = module.funcs.values().find(|func| func.name == "main").unwrap();
    let stores = main
        .blocks
        .values()
        .flat_map(|block| &block.instrs)
        .filter(|instr| matches!(instr.op, Op::Store { .. }))
        .count();
    assert_eq!(stores, 2);
    assert_eq!(missing(&module), Vec::<&str>::new());
}
