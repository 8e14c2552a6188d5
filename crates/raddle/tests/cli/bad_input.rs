//! Whatever the file is: a clear message, exit code 2, nothing on standard output.

use crate::sandbox::Sandbox;

/// The message about a file, which must name it.
fn message(sandbox: &Sandbox, name: &str) -> String {
    let answer = sandbox.run(&format!("explore {name}"));
    assert_eq!(answer.code, 2, "{name}: {}{}", answer.stdout, answer.stderr);
    assert!(answer.stdout.is_empty(), "{name}: {}", answer.stdout);
    assert!(answer.stderr.contains(name), "{name}: {}", answer.stderr);
    answer.stderr
}

#[test]
fn files_that_are_no_programs() {
    let sandbox = Sandbox::new();
    sandbox.write("folder.bpl/file", "");
    sandbox.write("noise.bpl", (0..=255u8).cycle().take(10_000).collect::<Vec<u8>>());
    sandbox.write("program.c", "int main(void) { return x; }");
    sandbox.write("noextension", "");
    assert!(message(&sandbox, "missing.bpl").contains("there is no file"));
    assert!(message(&sandbox, "folder.bpl").contains("is a directory"));
    assert!(message(&sandbox, "noise.bpl").contains("is not a text file"));
    assert!(message(&sandbox, "program.c").contains("program.c:1:25: error: use of undeclared identifier"));
    assert!(message(&sandbox, "noextension").contains(".bpl"));
}

#[test]
fn what_was_compiled_is_no_source() {
    let sandbox = Sandbox::new();
    sandbox.write("program.c", b"\x7fELF\x02\x01\x01\0\0\0".repeat(300));
    assert!(
        message(&sandbox, "program.c").contains("is not a text file: byte 7 is zero\nhelp: give the source")
    );
    let answer = sandbox.run("record program.c -o run.trace");
    assert_eq!(answer.code, 2);
    assert!(answer.stderr.contains("is not a text file"), "{}", answer.stderr);
}

#[test]
fn a_program_without_functions() {
    let answer = Sandbox::with("empty.c", "").run("explore empty.c");
    assert_eq!(answer.code, 2);
    let expected = ["there is no function `main` to start with", "help: the program has no functions"];
    assert!(expected.iter().all(|words| answer.stderr.contains(words)), "{}", answer.stderr);
}

/// A name that could be an option, or that has more than one line.
#[test]
fn odd_names() {
    let program = "#include <assert.h>\nint main(void) { assert(0); }\n";
    for name in ["-x.c", "a b.c", "two\nlines.c", "-x.bpl"] {
        let text = if name.ends_with(".c") { program } else { "procedure main() { assert false; }" };
        let sandbox = Sandbox::with(name, text);
        // After a file, `--` begins the arguments of the program.
        let checked = format!("./{name}");
        for (command, name) in [
            ("explore --format short --", name),
            ("check --format short --no-run --", name),
            ("check --format short --no-run", &checked),
        ] {
            let output = sandbox.command(command).arg(name).output().unwrap();
            let said = String::from_utf8(output.stdout).unwrap();
            assert_eq!(output.status.code(), Some(1), "{name}: {}", String::from_utf8_lossy(&output.stderr));
            assert_eq!(said.lines().count(), 1, "{name}: {said}");
            assert!(said.contains(&name.replace('\n', " ")), "{name}: {said}");
        }
    }
}

#[test]
fn programs_that_are_wrong() {
    let sandbox = Sandbox::new();
    sandbox.write("empty.bpl", "");
    sandbox.write("syntax.bpl", "procedure main() { x := ; }");
    sandbox.write("names.bpl", "procedure main() { x := y; }");
    sandbox.write("types.bpl", "var x: int; procedure main() modifies x; { x := true; }");
    sandbox.write("empty.ir", "");
    sandbox
        .write("rules.ir", "program;\nthread main;\n\nproc main() {\nentry:\n  atomic end;\n  return;\n}\n");
    for name in ["empty.bpl", "syntax.bpl", "names.bpl", "types.bpl", "empty.ir", "rules.ir"] {
        assert!(message(&sandbox, name).contains("error"), "{name}");
    }
}

#[test]
fn large_and_deep_inputs() {
    let sandbox = Sandbox::new();
    sandbox.write("line.bpl", "x".repeat(10_000_000));
    sandbox.write("deep.bpl", format!("procedure main() {{ assert {}; }}", "(".repeat(100_000)));
    sandbox.write("deep.ir", format!("program;\nvar g: int = {};\n", "(".repeat(100_000)));
    for name in ["line.bpl", "deep.bpl", "deep.ir"] {
        assert!(message(&sandbox, name).len() < 20_000, "{name}");
    }
}

#[test]
fn many_errors_are_cut_short() {
    let program = format!("procedure main() {{ {} }}", "x := 1; ".repeat(5_000));
    let sandbox = Sandbox::with("many.bpl", &program);
    assert!(message(&sandbox, "many.bpl").len() < 50_000);
}

#[cfg(unix)]
#[test]
fn unreadable_files() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = Sandbox::with("secret.bpl", "procedure main() {}");
    let permissions = std::fs::Permissions::from_mode(0o000);
    std::fs::set_permissions(sandbox.path("secret.bpl"), permissions).unwrap();
    // Root can read everything.
    if std::fs::read(sandbox.path("secret.bpl")).is_err() {
        assert!(message(&sandbox, "secret.bpl").contains("cannot read"));
    }
}
