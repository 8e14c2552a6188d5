//! Time, memory, Ctrl-C and readers that go away: the partial answer, and exit code 3.

use std::fs::Permissions;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use crate::programs::{HUGE, LOST_UPDATE};
use crate::sandbox::{Answer, Sandbox};

#[test]
fn time_runs_out() {
    let sandbox = Sandbox::with("p.bpl", HUGE);
    // A machine that is busy with other things gets further in more time.
    let got_far = [1, 10, 100].iter().any(|seconds| {
        let arguments = format!("explore p.bpl --int-range -100..100 --timeout {seconds}");
        let result = sandbox.json(3, &arguments);
        assert_eq!(result["verdict"], "unknown");
        assert_eq!(result["reason"]["kind"], "time");
        result["statistics"]["states"].as_u64().is_some_and(|states| states > 1000)
    });
    assert!(got_far, "the states so far are counted");
}

#[test]
fn time_runs_out_in_one_huge_step() {
    let sandbox = Sandbox::with("p.bpl", HUGE);
    let result = sandbox.json(3, "explore p.bpl --int-range 0..2000000000 --timeout 1");
    assert_eq!(result["reason"]["kind"], "time");
}

/// It takes far longer to read such a program.
#[test]
fn time_runs_out_while_a_program_is_read() {
    let mut long = String::new();
    for n in 0..200_000 {
        long.push_str(&format!(
            "var x{n}: int;\nprocedure p{n}() modifies x{n}; {{ x{n} := x{n} + {n}; }}\n"
        ));
    }
    long.push_str("procedure main() { }\n");
    let sandbox = Sandbox::with("p.bpl", &long);
    let result = sandbox.json(3, "explore p.bpl --timeout 0.05");
    assert_eq!(result["reason"]["kind"], "time");
    assert!(result["statistics"]["states"].is_null(), "{result}");
}

/// Neither the values of four variables nor a tower of functions are gone through to the end.
#[test]
fn a_single_step_is_bounded() {
    let quantifier =
        "procedure main() { assert (forall i, j, k, l: bv8 :: i == i && j == j && k == l ==> l == k); }";
    let mut tower = "function f0(x: int): int { x }\n".to_owned();
    for n in 1..60 {
        let below = n - 1;
        tower.push_str(&format!("function f{n}(x: int): int {{ f{below}(x) + f{below}(x) }}\n"));
    }
    tower.push_str("procedure main() { assert f59(0) == 0; }\n");
    for program in [quantifier, &tower] {
        let sandbox = Sandbox::with("p.bpl", program);
        let result = sandbox.json(3, "explore p.bpl");
        assert_eq!(result["reason"]["kind"], "cut");
    }
}

#[test]
fn memory_runs_out() {
    let sandbox = Sandbox::with("p.bpl", HUGE);
    let result = sandbox.json(3, "explore p.bpl --int-range -100..100 --memory 0.05");
    assert_eq!(result["reason"]["kind"], "memory");
    assert!(result["statistics"]["peak_memory"].as_u64().unwrap() < 500_000_000, "{result}");
}

#[test]
fn an_interrupt_gives_the_partial_answer() {
    let sandbox = Sandbox::with("p.bpl", HUGE);
    let child = sandbox
        .command("explore p.bpl --int-range -100..100")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_for_handler(&child);
    interrupt(&child);
    let answer = Answer::of(&child.wait_with_output().unwrap());
    assert_eq!(answer.code, 3, "{}{}", answer.stdout, answer.stderr);
    assert!(answer.stdout.starts_with("unknown: it was interrupted"), "{}", answer.stdout);
    assert!(answer.stdout.contains("Nothing wrong was found until then. Let it run for longer."));
    assert!(answer.stdout.contains("Explored: "), "{}", answer.stdout);
}

/// A server runs until somebody ends it.
#[test]
fn a_recorded_program_that_is_ended_leaves_its_trace() {
    let server = "#include <stdio.h>\n#include <unistd.h>\n\
                  int main(void) { puts(\"ready\"); fflush(stdout); for (;;) pause(); }\n";
    let sandbox = Sandbox::with("server.c", server);
    let mut child = sandbox
        .command("record server.c -o run.trace")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = [0; 6];
    child.stdout.as_mut().unwrap().read_exact(&mut said).unwrap();
    assert_eq!(&said, b"ready\n");
    wait_for_handler(&child);
    interrupt(&child);
    let answer = Answer::of(&child.wait_with_output().unwrap());
    assert_eq!(answer.code, 128 + Signal::TERM.as_raw(), "{}", answer.stderr);
    assert!(answer.stderr.starts_with("raddle: recorded "), "{}", answer.stderr);
    let trace = sandbox.run("trace run.trace");
    assert!(trace.stdout.contains("thread 0"), "{}{}", trace.stdout, trace.stderr);
}

/// Ctrl-C goes to the linker, too. What was found by then is told.
#[test]
fn an_interrupt_while_the_program_is_linked_takes_nothing_away() {
    let sandbox = Sandbox::with("p.c", "#include <assert.h>\nint main(void) { assert(0); }\n");
    sandbox.write("clang-19", "#!/bin/sh\nexec clang-19 \"$@\"\n");
    sandbox.write("clang++-19", "#!/bin/sh\nkill -INT $$\n");
    for name in ["clang-19", "clang++-19"] {
        std::fs::set_permissions(sandbox.path(name), Permissions::from_mode(0o755)).unwrap();
    }
    let run = |arguments: &str| {
        let mut command = sandbox.command(arguments);
        Answer::of(&command.env("RADDLE_CLANG", sandbox.path("clang-19")).output().unwrap())
    };
    let answer = run("check p.c");
    assert_eq!(answer.code, 1, "{}", answer.stderr);
    assert!(answer.stdout.contains("not reproduced: it was interrupted"), "{}", answer.stdout);
    let answer = run("predict p.c");
    assert_eq!(answer.code, 3, "{}", answer.stderr);
    assert!(answer.stderr.contains("it was interrupted while clang was at work"), "{}", answer.stderr);
}

/// Of a program that is not whole, there is no executable. It can still be analysed.
#[test]
fn what_cannot_be_linked_can_be_checked() {
    let program = "#include <assert.h>\nvoid elsewhere(void);\nint main(int n, char **words) { assert(n != 1); elsewhere(); }\n";
    let sandbox = Sandbox::with("p.c", program);
    // Long lines are broken.
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let answer = sandbox.run("check p.c --keep found");
    assert_eq!(answer.code, 1, "{}", answer.stderr);
    let expected = "not reproduced: the program cannot be linked: undefined reference to `elsewhere'";
    assert!(words(&answer.stdout).contains(expected), "{}", answer.stdout);
    let answer = sandbox.run("replay found/finding-1.json");
    assert_eq!(answer.code, 1, "{}", answer.stderr);
    assert!(words(&answer.stdout).contains(expected), "{}", answer.stdout);
    let answer = sandbox.run("predict p.c");
    assert_eq!(answer.code, 2, "{}", answer.stdout);
    let first = "error: the program cannot be linked: undefined reference to `elsewhere'\n";
    assert!(answer.stderr.contains(first), "{}", answer.stderr);
    assert!(
        answer.stderr.contains("help: to run a program, all its files and libraries are needed"),
        "{}",
        answer.stderr
    );
}

/// Then the interpreter makes the run that is predicted from.
#[test]
fn what_cannot_be_linked_can_be_predicted_from() {
    let program = "#include <pthread.h>\nvoid elsewhere(void);\nstatic int n;\n\
                   static void *add(void *unused) { n = n + 1; return unused; }\n\
                   int main(void) {\n  pthread_t a, b;\n  pthread_create(&a, 0, add, 0);\n  pthread_create(&b, 0, add, 0);\n\
                   \x20 pthread_join(a, 0);\n  pthread_join(b, 0);\n  elsewhere();\n}\n";
    let sandbox = Sandbox::with("p.c", program);
    let answer = sandbox.run("check p.c");
    assert_eq!(answer.code, 1, "{}", answer.stderr);
    assert!(answer.stdout.contains("Found by explore, predict"), "{}", answer.stdout);
}

/// What takes long is shown on a terminal, and nowhere else.
#[test]
fn on_a_terminal_long_work_says_what_it_is() {
    let program = "#include <assert.h>\nint main(int count, char **words) { assert(count == 1); }\n";
    let sandbox = Sandbox::with("p.c", program);
    sandbox.write("q.bpl", "procedure main() { assert true; }");
    let words = [
        ("record p.c -o run.trace", vec!["compiling", "building the program", "packing the trace"]),
        ("replay run.trace", vec!["reading the trace"]),
        ("run p.c", vec!["reading what was compiled", "looking for a safe schedule", "building the program"]),
        ("sequentialize q.bpl --scheduler dfw -o o.bpl", vec!["reading the program"]),
    ];
    for (arguments, shown) in words {
        let raddle = env!("CARGO_BIN_EXE_raddle");
        let mut terminal = Command::new("script");
        terminal.current_dir(sandbox.dir()).args(["-qec", &format!("'{raddle}' {arguments}"), "/dev/null"]);
        let output = terminal.stdin(Stdio::null()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(shown.iter().all(|words| said.contains(words)), "{arguments}: {said}");
        let piped = sandbox.run(arguments);
        assert!(shown.iter().all(|words| !piped.stderr.contains(words)), "{arguments}: {}", piped.stderr);
    }
}

fn interrupt(child: &Child) {
    let pid = Pid::from_raw(child.id().cast_signed()).unwrap();
    kill_process(pid, Signal::INT).unwrap();
}

/// Waits until the child handles SIGINT: without its handler the signal would end it.
fn wait_for_handler(child: &Child) {
    for _ in 0..20_000 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap().trim();
        if u64::from_str_radix(caught, 16).unwrap() & (1 << (Signal::INT.as_raw() - 1)) != 0 {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("the child never handled SIGINT");
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let sandbox = Sandbox::with("p.bpl", LOST_UPDATE);
    for arguments in ["explore p.bpl", "explore p.bpl --format json", "--help", "explore --help"] {
        let mut child =
            sandbox.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let mut stderr = String::new();
        child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        let code = child.wait().unwrap().code();
        assert_eq!(code, Some(i32::from(!arguments.contains("help"))), "{arguments}: {stderr}");
        assert!(stderr.is_empty(), "{arguments}: {stderr}");
    }
}
