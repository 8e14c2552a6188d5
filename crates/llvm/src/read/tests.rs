use std::process::Command;

use super::*;
use crate::module::*;

/// A module made by clang of one file, and the source map.
struct Compiled {
    module: Module,
    map: SourceMap,
    _folder: tempfile::TempDir,
}

fn compile_as(name: &str, text: impl AsRef<[u8]>) -> Compiled {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(name), text).unwrap();
    let output = Command::new("clang-19")
        .args(["-O0", "-g", "-Xclang", "-disable-O0-optnone", "-fno-discard-value-names", "-emit-llvm", "-c"])
        .args(["-pthread", "-o", "out.bc", name])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut map = SourceMap::default();
    let module = read(&[folder.path().join("out.bc")], &mut map).unwrap();
    Compiled { module, map, _folder: folder }
}

fn compile(text: &str) -> Compiled {
    compile_as("p.c", text)
}

fn read_text(text: &str) -> Result<Module, ReadError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p.ll");
    std::fs::write(&path, text).unwrap();
    read(&[path], &mut SourceMap::default())
}

impl Compiled {
    fn func(&self, name: &str) -> &Func {
        self.module.funcs.values().find(|func| func.source_name == name).unwrap()
    }

    fn global(&self, name: &str) -> &Global {
        self.module.globals.values().find(|global| global.name == name).unwrap()
    }

    fn debug_type(&self, variable: Option<&Variable>) -> &DebugType {
        &self.module.debug_types[variable.unwrap().ty.unwrap()]
    }

    fn init(&self, name: &str) -> &ConstKind {
        &self.module.consts[self.global(name).init.unwrap()].kind
    }
}

fn ops(func: &Func) -> impl Iterator<Item = &Op> {
    instrs(func).map(|instr| &instr.op)
}

fn instrs(func: &Func) -> impl Iterator<Item = &Instr> {
    func.blocks.values().flat_map(|block| &block.instrs)
}

#[test]
fn locals_become_values_and_keep_their_names() {
    let c = compile("int g;\nint f(int a) {\n  int b = a + g;\n  int *p = &b;\n  g = b;\n  return *p;\n}\n");
    let f = c.func("f");
    assert!(!ops(f).any(|op| matches!(op, Op::Alloca { .. })));
    let names: Vec<&str> =
        f.values.keys().filter_map(|value| Some(f.variables[value].as_ref()?.name.as_str())).collect();
    assert_eq!(names, ["a", "b"]);
    assert_eq!(c.map.text(f.variables[f.params[0]].as_ref().unwrap().span), "a");
    let store = instrs(f).find(|instr| matches!(instr.op, Op::Store { .. })).unwrap();
    assert_eq!(c.map.text(store.span), "g = b");
    assert_eq!(c.map.position(store.span).unwrap().line, 5);
    assert_eq!(c.map.file_of(store.span).unwrap().name(), "p.c");
    assert_eq!(c.map.text(f.span), "int f(int a)");
}

#[test]
fn an_address_that_escapes_keeps_its_variable_in_memory() {
    let c = compile("void use(int *);\nvoid f(void) { int shared = 1; use(&shared); }\n");
    let f = c.func("f");
    let alloca = instrs(f).find(|instr| matches!(instr.op, Op::Alloca { .. })).unwrap();
    let variable = f.variables[alloca.result.unwrap()].as_ref().unwrap();
    assert_eq!(variable.name, "shared");
    assert!(matches!(c.debug_type(Some(variable)), DebugType::Basic { shown: Shown::Signed, .. }));
    assert!(c.func("use").is_declaration());
}

#[test]
fn parts_of_split_structs_have_their_own_names() {
    let c = compile(
        "struct p { int x; struct { long y; } in; };\nlong f(int a) { struct p p = {a, {a + 1}}; return p.x + p.in.y; }\n",
    );
    let f = c.func("f");
    let names: Vec<&str> =
        f.values.keys().filter_map(|value| Some(f.variables[value].as_ref()?.name.as_str())).collect();
    assert!(names.contains(&"p.in.y"), "{names:?}");
}

#[test]
fn types_have_sizes_and_offsets() {
    let c = compile("struct s { char c; int i; char t[3]; } s; _Bool flag; long double ld;");
    let ty = &c.module.types[c.global("s").ty];
    assert_eq!(ty.size, 12);
    let TypeKind::Struct { name, fields } = &ty.kind else { panic!("{ty:?}") };
    assert_eq!(name.as_deref(), Some("struct.s"));
    assert_eq!(fields.iter().map(|field| field.0).collect::<Vec<_>>(), [0, 4, 8]);
    assert_eq!(c.module.types[c.global("ld").ty], Type { kind: TypeKind::Float(80), size: 16 });
    assert_eq!(c.module.types[c.global("flag").ty].size, 1);
}

#[test]
fn recursive_debug_types_and_enumerations() {
    let c = compile(
        "enum color { RED, BLUE = -7 };\ntypedef const struct node { struct node *next; volatile unsigned value : 3; \
         enum color color; union { char c; float f; } u; int m[2][3]; } node_t;\nnode_t *head; node_t first;\n",
    );
    let DebugType::Pointer(Some(node)) = c.debug_type(c.global("head").variable.as_ref()) else { panic!() };
    assert_eq!(c.global("first").variable.as_ref().unwrap().ty, Some(*node));
    let DebugType::Struct { name, union: false, members } = &c.module.debug_types[*node] else { panic!() };
    assert_eq!(name, "node");
    let shape: Vec<_> =
        members.iter().map(|member| (member.name.as_str(), member.offset, member.size)).collect();
    assert_eq!(
        shape,
        [("next", 0, 64), ("value", 64, 3), ("color", 96, 32), ("u", 128, 32), ("m", 160, 192)]
    );
    assert_eq!(c.module.debug_types[members[0].ty], DebugType::Pointer(Some(*node)));
    assert!(matches!(c.module.debug_types[members[1].ty], DebugType::Basic { shown: Shown::Unsigned, .. }));
    let DebugType::Enum(_, values) = &c.module.debug_types[members[2].ty] else { panic!() };
    assert_eq!(*values, [(0, "RED".to_string()), (-7, "BLUE".to_string())]);
    assert!(matches!(c.module.debug_types[members[3].ty], DebugType::Struct { union: true, .. }));
    assert!(matches!(&c.module.debug_types[members[4].ty], DebugType::Array(_, counts) if *counts == [2, 3]));
}

#[test]
fn initial_values() {
    let c = compile(
        "int a[4] = {1, 2, 3, 4}; int zero[100]; char text[] = \"hi\"; int *p = &a[2]; void f(void); \
         void (*fp)(void) = f; __int128 wide = -5; _Thread_local int local = 3; extern int other; int *q = &other;",
    );
    let ConstKind::Aggregate(elements) = c.init("a") else { panic!() };
    let numbers: Vec<_> = elements.iter().map(|&id| c.module.consts[id].kind.clone()).collect();
    assert_eq!(numbers, [1u32, 2, 3, 4].map(|n| ConstKind::Int(n.into())));
    assert_eq!(*c.init("zero"), ConstKind::Zero);
    assert_eq!(*c.init("text"), ConstKind::Bytes(b"hi\0".to_vec()));
    let ConstKind::Expr(op) = c.init("p") else { panic!() };
    assert!(matches!(**op, Op::Gep { base: Operand::Const(_), .. }), "{op:?}");
    assert!(matches!(c.init("fp"), ConstKind::Func(_)));
    let wide = (num_bigint::BigUint::from(1u32) << 128) - 5u32;
    assert_eq!(*c.init("wide"), ConstKind::Int(wide));
    assert!(c.global("local").thread_local);
    assert!(c.global("other").init.is_none());
}

#[test]
fn atomics_have_their_orders() {
    let c = compile(
        "#include <stdatomic.h>\natomic_int x;\nint f(int e) {\n atomic_store_explicit(&x, 1, memory_order_release);\n \
         atomic_thread_fence(memory_order_acquire); atomic_thread_fence(memory_order_release);\n \
         atomic_fetch_xor_explicit(&x, 2, memory_order_relaxed);\n \
         atomic_compare_exchange_weak(&x, &e, 3);\n return atomic_load_explicit(&x, memory_order_acquire); }",
    );
    let f = c.func("f");
    let found: Vec<String> = ops(f)
        .filter_map(|op| match op {
            Op::Store { atomic: Some(order), .. } => Some(format!("store {order:?}")),
            Op::Load { atomic: Some(order), .. } => Some(format!("load {order:?}")),
            Op::Fence(order) => Some(format!("fence {order:?}")),
            Op::AtomicRmw { op, order, .. } => Some(format!("{op:?} {order:?}")),
            Op::CmpXchg { weak, order, .. } => Some(format!("cmpxchg {weak} {order:?}")),
            _ => None,
        })
        .collect();
    assert_eq!(
        found,
        [
            "store Release",
            "fence Acquire",
            "fence Release",
            "Xor Monotonic",
            "cmpxchg true SeqCst",
            "load Acquire"
        ]
    );
}

#[test]
fn control_flow_and_calls() {
    let c = compile(
        "int g(int, ...);\nint f(int n, int (*h)(int)) {\n switch (n) { case 1: return g(1, 2); case -1: return h(n); }\n \
         __asm__ volatile (\"nop\");\n for (int i = 0; i < n; i++) n--;\n return n ? 1 : 0; }",
    );
    let f = c.func("f");
    let Some(Op::Switch { cases, .. }) = ops(f).find(|op| matches!(op, Op::Switch { .. })) else { panic!() };
    assert_eq!(
        cases.iter().map(|case| u64::try_from(&case.0).unwrap()).collect::<Vec<_>>(),
        [1, 0xffff_ffff]
    );
    let callees: Vec<&Callee> = ops(f)
        .filter_map(|op| match op {
            Op::Call { callee, .. } => Some(callee),
            _ => None,
        })
        .collect();
    assert!(
        matches!(callees[..], [Callee::Func(_), Callee::Ptr(Operand::Value(_)), Callee::Asm(_)]),
        "{callees:?}"
    );
    assert!(ops(f).any(|op| matches!(op, Op::Phi(_))));
    let texts: Vec<&str> = instrs(f).map(|instr| c.map.text(instr.span)).collect();
    for expected in ["switch (n)", "return g(1, 2)", "i < n", "i++", "n--", "return n ? 1 : 0"] {
        assert!(texts.contains(&expected), "{expected}: {texts:?}");
    }
    assert!(c.func("g").variadic);
    for block in f.blocks.values() {
        let (last, others) = block.instrs.split_last().unwrap();
        assert!(others.iter().all(|instr| instr.op.successors().is_empty()));
        assert!(!last.op.successors().is_empty() || matches!(last.op, Op::Ret(_) | Op::Unreachable));
    }
}

#[test]
fn structs_that_are_passed_as_copies() {
    let c = compile("struct big { long a[9]; };\nlong f(int n, struct big b) { b.a[0] = n; return b.a[1]; }");
    let by_value = &c.func("f").by_value;
    assert_eq!(by_value[0], None);
    assert_eq!(c.module.types[by_value[1].unwrap()].size, 72);
}

#[test]
fn constructors_and_annotations() {
    let c = compile(
        "__attribute__((constructor(200))) void late(void) {}\n__attribute__((constructor(101))) void early(void) {}\n\
         __attribute__((annotate(\"raddle.atomic\"))) void f(void) {}",
    );
    let names: Vec<&str> =
        c.module.constructors.iter().map(|&func| c.module.funcs[func].name.as_str()).collect();
    assert_eq!(names, ["early", "late"]);
    assert_eq!(c.func("f").annotations, ["raddle.atomic"]);
}

#[test]
fn names_of_cpp() {
    let c = compile_as(
        "p.cpp",
        "namespace n { struct Queue { int size; static int all; void push(int x) { size += x; } }; }\n\
         void may_throw();\n\
         int main() { n::Queue q{}; try { q.push(1); may_throw(); } catch (int) { return 1; } return q.size; }",
    );
    let push = c.func("n::Queue::push");
    let DebugType::Pointer(Some(queue)) = c.debug_type(push.variables[push.params[0]].as_ref()) else {
        panic!()
    };
    let DebugType::Struct { members, .. } = &c.module.debug_types[*queue] else { panic!() };
    assert_eq!(members.iter().map(|member| member.name.as_str()).collect::<Vec<_>>(), ["size"]);
    let main = c.func("main");
    assert!(ops(main).any(|op| matches!(op, Op::Invoke { .. })));
    assert!(ops(main).any(|op| matches!(op, Op::LandingPad(_))));
}

#[test]
fn modules_are_linked() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let one = write(
        "one.ll",
        "@x = global i32 1\ndeclare void @f()\ndefine void @main() {\n call void @f()\n ret void\n}",
    );
    let two =
        write("two.ll", "@x = external global i32\ndefine void @f() {\n store i32 2, ptr @x\n ret void\n}");
    let module = read(&[&one, &two], &mut SourceMap::default()).unwrap();
    assert!(module.funcs.values().all(|func| !func.is_declaration() || func.name.starts_with("llvm.")));
    assert_eq!(module.globals.len(), 1);
    let again = write("again.ll", "define void @f() {\n ret void\n}");
    let error = read(&[&one, &two, &again], &mut SourceMap::default()).unwrap_err();
    assert!(matches!(error, ReadError::Link(..)), "{error}");
}

#[test]
fn what_is_not_a_module_is_refused() {
    for text in
        ["", "int main() {}", "define void @f() {\n %x = add i32 %y, 1\n ret void\n}", "BC\u{c0}\u{de}"]
    {
        match read_text(text) {
            Ok(module) => assert!(text.is_empty() && module.funcs.is_empty()),
            Err(error) => assert!(matches!(error, ReadError::NotAModule(..)), "{error}"),
        }
    }
}

#[test]
fn anything_that_llvm_accepts_is_read() {
    let module = read_text(
        "target datalayout = \"e-m:e-i64:64-n8:16:32:64-S128\"\n%self = type { i32, [2 x %opaque*] }\n\
         %opaque = type opaque\n%scalable = type { <vscale x 4 x i32>, <vscale x 4 x i32> }\n\
         @a = global i32 1\n@alias = alias i32, ptr @a\n@addr = global ptr blockaddress(@f, %b)\n\
         @v = global <2 x i16> <i16 1, i16 2>\n@far = external global %opaque\n@diff = global i64 sub (i64 ptrtoint (ptr @a to i64), i64 7)\n\
         @falias = alias void (i32, ptr), ptr @f\n\
         define void @f(i32 %n, ptr %p) optnone noinline {\n indirectbr ptr %p, [label %b, label %c]\n\
         b:\n %x = load <4 x float>, ptr %p\n %y = shufflevector <4 x float> %x, <4 x float> poison, <2 x i32> <i32 1, i32 poison>\n\
         %z = extractelement <2 x float> %y, i32 0\n %s = alloca %scalable\n %k = fcmp olt float %z, 1.5\n\
         %w = va_arg ptr %p, i32\n store i32 5, ptr @alias\n call void @falias(i32 1, ptr null)\n\
         br i1 %k, label %c, label %d\nc:\n fence syncscope(\"singlethread\") acq_rel\n ret void\nd:\n unreachable\n}\n",
    )
    .unwrap();
    let f = module.funcs.values().next().unwrap();
    let all: Vec<&Op> = ops(f).collect();
    assert!(
        matches!(all[0], Op::Other { name, successors, operands } if name == "indirectbr" && successors.len() == 2 && operands.len() == 1)
    );
    assert!(
        all.iter().any(
            |op| matches!(op, Op::Other { name, operands, .. } if name == "va_arg" && operands.len() == 1)
        )
    );
    assert!(all.iter().any(|op| matches!(op, Op::ShuffleVector(_, _, lanes) if *lanes == [Some(1), None])));
    assert!(all.iter().any(|op| matches!(op, Op::Call { callee: Callee::Func(_), .. })));
    assert!(all.iter().any(|op| matches!(op, Op::Fence(Ordering::AcqRel))));
    let alias = all.iter().find_map(|op| match op {
        Op::Store { ptr: Operand::Const(ptr), .. } => Some(*ptr),
        _ => None,
    });
    assert!(matches!(module.consts[alias.unwrap()].kind, ConstKind::Global(_)));
}

#[test]
fn a_long_function_is_read() {
    use std::fmt::Write as _;
    let mut text = String::from("int x;\nint main(void) {\n");
    for n in 0..10_000 {
        writeln!(text, "  if (x > {n}) x += {n};").unwrap();
    }
    text.push_str("}\n");
    let c = compile(&text);
    assert!(instrs(c.func("main")).count() > 40_000);
}

#[test]
fn a_file_that_is_no_utf8_keeps_its_columns() {
    let c = compile_as("p.c", b"int x;\nvoid f(void) { /* \xe4\xf6\xfc */ x = 1; x = 2; }\n");
    let texts: Vec<&str> = instrs(c.func("f")).map(|instr| c.map.text(instr.span)).collect();
    assert_eq!(texts, ["x = 1", "x = 2", "}"]);
}

#[test]
fn a_file_that_is_gone_has_no_spans() {
    let c = compile("#line 7 \"gone.c\"\nint x;\nvoid f(void) { x = 1; }\n");
    let f = c.func("f");
    assert_eq!(f.span, source::Span::NONE);
    assert!(instrs(f).all(|instr| instr.span == source::Span::NONE));
    assert_eq!(c.global("x").variable.as_ref().unwrap().name, "x");
}

#[test]
fn a_macro_is_quoted_where_it_is_used() {
    let c = compile("int x;\n#define INC(v) do { v = v + 1; } while (0)\nvoid f(void) {\n  INC(x);\n}\n");
    let store = instrs(c.func("f")).find(|instr| matches!(instr.op, Op::Store { .. })).unwrap();
    assert_eq!(c.map.text(store.span), "INC(x)");
    assert_eq!(c.map.position(store.span).unwrap().line, 4);
}

#[test]
fn globals_point_to_their_names() {
    let c = compile("static int xy, x = 1;\nint f(void) { static int x; return x++ + xy; }\n");
    let names: Vec<(&str, usize)> = c
        .module
        .globals
        .values()
        .filter_map(|global| global.variable.as_ref())
        .map(|variable| (c.map.text(variable.span), c.map.position(variable.span).unwrap().line))
        .collect();
    assert!(names.contains(&("x", 2)) && names.contains(&("xy", 1)), "{names:?}");
}
