//! `raddle cc` in place of clang: what builds ask of a compiler.

use std::path::Path;
use std::process::{Command, Output};

/// A folder with a program of two files.
struct Build(tempfile::TempDir);

impl Build {
    fn new() -> Self {
        let build = Build(tempfile::tempdir().expect("a temporary folder"));
        build.write(
            "main.c",
            "#include \"sum.h\"\n#include <stdio.h>\nint main(void) { printf(\"%d\\n\", sum(40)); }\n",
        );
        build.write("sum.h", "int sum(int x);\n");
        build.write(
            "sum.c",
            "#include \"sum.h\"\nint total;\nint sum(int x) { total += x; return total + 2; }\n",
        );
        build
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.path().join(name), text).expect("a file");
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.path().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn run(&self, program: &str, arguments: &str) -> Output {
        let mut command = Command::new(program);
        command.current_dir(self.path()).args(arguments.split_whitespace()).output().expect("it runs")
    }

    fn raddle(&self, arguments: &str) -> Output {
        self.run(env!("CARGO_BIN_EXE_raddle"), arguments)
    }

    /// Compiles, which has to work.
    fn cc(&self, arguments: &str) -> String {
        let output = self.raddle(&format!("cc {arguments}"));
        assert!(output.status.success(), "cc {arguments}: {}", said(&output));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Runs and records a program, which says the same both times; what the trace tells.
    fn recorded(&self, program: &str) -> String {
        let plain = self.run(&self.path().join(program).display().to_string(), "");
        assert_eq!(String::from_utf8_lossy(&plain.stdout), "42\n", "{}", said(&plain));
        let recorded = self.raddle(&format!("record {program} -o a.trace"));
        assert_eq!(recorded.stdout, plain.stdout, "{}", said(&recorded));
        let listed = self.raddle("trace a.trace --events");
        String::from_utf8_lossy(&listed.stdout).into_owned()
    }
}

fn said(output: &Output) -> String {
    let (out, error) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    format!("{}\n{out}{error}", output.status)
}

#[test]
fn objects_and_a_static_library() {
    let build = Build::new();
    build.cc("-O2 -c sum.c -o sum.o");
    assert!(build.run("ar", "rcs libsum.a sum.o").status.success());
    build.cc("-O2 main.c -L. -lsum -o program");
    let trace = build.recorded("program");
    assert!(trace.contains("sum.c:3:24 sum"), "{trace}");
}

#[test]
fn places_in_a_shared_library_are_known() {
    let build = Build::new();
    build.cc("-shared -fPIC sum.c -o libsum.so");
    build.cc(&format!("main.c -L. -lsum -Wl,-rpath,{} -o program", build.path().display()));
    let trace = build.recorded("program");
    assert!(trace.contains("sum.c:3:24 sum"), "{trace}");
    let repeated = build.raddle("replay a.trace");
    assert!(said(&repeated).contains("reproduced: the run was repeated"), "{}", said(&repeated));
}

/// A program that loads the library `libsum.so`, and one that is linked with it.
fn write_users(build: &Build) {
    build.write(
        "load.c",
        "#include <dlfcn.h>\n#include <stdio.h>\nint main(void) {
  void *library = dlopen(\"./libsum.so\", RTLD_NOW);
  if (!library) return puts(dlerror());
  printf(\"%d\\n\", ((int (*)(int))dlsym(library, \"sum\"))(40));
}\n",
    );
    // Library functions that are wrapped, one that may not return to where it was called, and one that only the tool has.
    build.write(
        "sum.c",
        "#include \"raddle.h\"\n#include <pthread.h>\n#include <stdlib.h>\n#include <sys/wait.h>\n#include <unistd.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int total;
static void *add(void *x) { pthread_mutex_lock(&mutex); total += *(int *)x; pthread_mutex_unlock(&mutex); return x; }
int sum(int x) {
  int *copy = malloc(sizeof *copy);
  *copy = x;
  pthread_t thread;
  if (pthread_create(&thread, 0, add, copy) || pthread_join(thread, 0)) return 0;
  free(copy);
  raddle_progress();
  if (vfork() == 0) _exit(2);
  int status;
  wait(&status);
  return total + WEXITSTATUS(status);
}\n",
    );
}

#[test]
fn a_shared_library_is_complete_and_needs_no_program_of_ours() {
    let build = Build::new();
    write_users(&build);
    build.write("version", "{ global: sum; local: *; };\n");
    for options in [
        "-Wl,-z,defs",
        "-O2 -Wl,--no-undefined",
        "-Wl,--version-script=version -Wl,-z,defs",
        "-Wl,-Bsymbolic-functions",
        "-flto -Wl,-z,defs",
    ] {
        build.cc(&format!("-shared -fPIC {options} sum.c -o libsum.so"));
        for (source, linked) in [("main.c", "-L. -lsum -Wl,-rpath,."), ("load.c", "")] {
            let compiled = build.run("clang-19", &format!("{source} {linked} -o theirs"));
            assert!(compiled.status.success(), "{}", said(&compiled));
            let theirs = build.run(&build.path().join("theirs").display().to_string(), "");
            assert_eq!(
                String::from_utf8_lossy(&theirs.stdout),
                "42\n",
                "{options} {source}: {}",
                said(&theirs)
            );
            build.cc(&format!("{source} {linked} -o ours"));
            let trace = build.recorded("ours");
            // Where places are in a library that is only loaded later, is not known.
            let place = if linked.is_empty() { "sum.c site" } else { "sum.c:8:63 add" };
            assert!(trace.contains(place) && trace.contains("MutexLock"), "{options} {source}: {trace}");
        }
    }
}

#[test]
fn all_ways_to_a_program_lead_to_one_that_is_recorded() {
    for steps in [
        &["-flto main.c sum.c -o program"][..],
        &["-flto=thin -O2 -c main.c sum.c", "-flto=thin -O2 main.o sum.o -o program"],
        &["-save-temps main.c sum.c -o program"],
        &["-emit-llvm -c sum.c", "main.c sum.bc -o program"],
        &["-S sum.c", "-c sum.s", "main.c sum.o -o program"],
        &["-fno-integrated-as main.c sum.c -o program"],
        &["-r main.c sum.c -o both.o", "both.o -o program"],
        &["-no-pie main.c sum.c -o program"],
        &["-fno-pic -no-pie -O2 main.c sum.c -o program"],
        &["-fPIC -g1 main.c sum.c -o program"],
        &["-E sum.c -o sum.i", "-c sum.i", "main.c sum.o -o program"],
        &["-xc main.c sum.c -o program"],
        &["sum.h -o sum.h.pch", "-include-pch sum.h.pch -Winvalid-pch main.c sum.c -o program"],
        &["--coverage main.c sum.c -o program"],
        &["-MJ program.json -B . main.c sum.c --output program"],
    ] {
        let build = Build::new();
        for step in steps {
            build.cc(step);
        }
        let trace = build.recorded("program");
        assert!(trace.contains("sum.c:3:24 sum"), "{steps:?}: {trace}");
    }
}

#[test]
fn programs_without_the_library_run_unrecorded() {
    let build = Build::new();
    build.write(
        "start.c",
        "int count;\nint step(int *by) { return count += *by; }
void _start(void) { __asm__ volatile(\"mov $60, %eax; mov $7, %edi; syscall\"); }\n",
    );
    for options in ["", "-static", "-no-pie -fno-pic", "-static-pie"] {
        build.cc(&format!("-nostdlib {options} start.c -o program"));
        let ended = build.run(&build.path().join("program").display().to_string(), "");
        assert_eq!(ended.status.code(), Some(7), "{options}: {}", said(&ended));
    }
    // Who links with another compiler has a program all the same.
    build.cc("-O2 -c main.c sum.c");
    let linked = build.run("clang-19", "main.o sum.o -o program");
    assert!(linked.status.success(), "{}", said(&linked));
    let ran = build.run(&build.path().join("program").display().to_string(), "");
    assert_eq!(String::from_utf8_lossy(&ran.stdout), "42\n", "{}", said(&ran));
}

#[test]
fn what_cannot_be_instrumented_is_compiled_as_it_is() {
    let build = Build::new();
    let output = build.raddle("cc -m32 -c sum.c");
    assert!(output.status.success(), "{}", said(&output));
    assert!(
        said(&output).contains("warning: `sum.c` is compiled as it is, and is not recorded"),
        "{}",
        said(&output)
    );
    assert!(build.path().join("sum.o").exists());
}

#[test]
fn the_same_source_gives_the_same_object() {
    let build = Build::new();
    build.cc("-O2 -c sum.c -o first.o");
    build.cc("-O2 -c sum.c -o second.o");
    let object = |name: &str| std::fs::read(build.path().join(name)).expect("an object");
    assert!(object("first.o") == object("second.o"));
}

#[test]
fn dependencies_are_written_where_clang_writes_them() {
    for (arguments, file, expected) in [
        ("-MMD -c main.c", "main.d", "main.o: main.c sum.h\n"),
        ("-MMD -c main.c -o other.o", "other.d", "other.o: main.c sum.h\n"),
        ("-MMD -MP -MF deps -MT target -c main.c", "deps", "target: main.c sum.h\nsum.h:\n"),
        ("-Wp,-MMD,deps -c main.c -o other.o", "deps", "other.o: main.c sum.h\n"),
        ("-MMD -shared -fPIC sum.c -o libsum.so", "libsum.d", "libsum.so: sum.c sum.h\n"),
        ("-MM main.c -o deps", "deps", "main.o: main.c sum.h\n"),
    ] {
        let build = Build::new();
        build.cc(arguments);
        assert_eq!(build.read(file), expected, "{arguments}");
    }
    let build = Build::new();
    build.cc("-MMD main.c sum.c");
    assert_eq!(
        (build.read("main.d").as_str(), build.read("sum.d").as_str()),
        ("main.o: main.c sum.h\n", "sum.o: sum.c sum.h\n")
    );
}

#[test]
fn arguments_in_files() {
    let build = Build::new();
    build.write("arguments", "-O2 main.c\n'sum.c' @more");
    build.write("more", "-o program");
    build.cc("@arguments");
    let trace = build.recorded("program");
    assert!(trace.contains("sum.c:3:24 sum"), "{trace}");
}

#[test]
fn options_with_values_of_their_own() {
    let build = Build::new();
    build.cc("-O1 -mllvm -inline-threshold=5 -Xclang -Wall -include sum.h main.c sum.c -o program");
    build.recorded("program");
}

#[test]
fn preprocessing_assembler_and_questions_are_left_to_clang() {
    let build = Build::new();
    assert!(build.cc("-E sum.c").contains("int total;"));
    build.cc("-S -O1 sum.c");
    assert!(build.read("sum.s").contains("sum:"));
    build.cc("main.c sum.s -o program");
    build.recorded("program");
    assert!(build.cc("--version").contains("clang"));
    assert!(!build.cc("-dumpmachine").is_empty());
    assert!(!build.cc("-print-search-dirs").is_empty());
}

#[test]
fn what_clang_refuses_is_refused_with_its_words() {
    let build = Build::new();
    build.write("bad.c", "int f( {\n");
    for (arguments, expected) in [
        ("-c bad.c", "bad.c:1:8: error: expected parameter declarator"),
        ("missing.c", "no such file or directory: 'missing.c'"),
        ("main.c -o program", "undefined reference to `sum'"),
        ("", "no input files"),
    ] {
        let output = build.raddle(&format!("cc {arguments}"));
        assert!(
            !output.status.success() && said(&output).contains(expected),
            "{arguments}: {}",
            said(&output)
        );
    }
}

#[test]
fn cpp_with_exceptions_and_libraries() {
    let build = Build::new();
    build.write(
        "main.cpp",
        "#include <cstdio>\n#include <stdexcept>\n#include <thread>\nextern \"C\" {\n#include \"sum.h\"\n}
int main() {
  int value = 0;
  std::thread thread([&] { try { throw std::runtime_error(\"x\"); } catch (std::exception &) { value = sum(40); } });
  thread.join();
  std::printf(\"%d\\n\", value);
}\n",
    );
    build.cc("-O2 -c sum.c");
    let output = build.raddle("c++ -std=c++17 -O2 main.cpp sum.o -o program");
    assert!(output.status.success(), "{}", said(&output));
    let trace = build.recorded("program");
    assert!(trace.contains("create thread 1 = 0"), "{trace}");
}
