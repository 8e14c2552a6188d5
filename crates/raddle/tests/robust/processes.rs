//! Programs that make other processes, or become another program.

use crate::{Program, check, check_that_may_leave, said};

#[test]
fn becoming_another_program_is_in_the_trace() {
    let program = Program::build("exec.c", &[]);
    for how in ["execl", "execlp", "execle", "execv", "execve", "execvp", "execvpe", "fexecve", "execveat"] {
        let variable =
            if ["execle", "execve", "execvpe", "fexecve", "execveat"].contains(&how) { " e" } else { "" };
        let recorded = program.record(&[how], &format!("new{variable}\n"), 7);
        recorded.has(" 1 exec");
        recorded.says("the trace ends where the program became another one (`exec`)");
    }
    program.repeat("a.trace");
    program.record(&["fails"], "-1\n", 4).has(" 1 exec");
    program.repeat("a.trace");
}

#[test]
fn a_thread_becomes_another_program() {
    let program = Program::build("exec_in_thread.c", &[]);
    program.record(&[], "became\n", 0).says("became another one (`exec`)");
    program.repeat("a.trace");
}

#[test]
fn all_child_processes_are_told() {
    let program = Program::build("children.c", &[]);
    let expected = "system 2\npopen hi\nspawn 3\nspawnp 3\nvfork 4\nclone 5\nfork 6\n_Fork 6\n";
    let recorded = program.record(&[], expected, 0);
    recorded.says("raddle: 8 child processes are not in the trace");
    recorded.has("ended    with exit code 0");
    program.repeat("a.trace");
}

#[test]
fn a_process_that_shares_all_memory_ends_the_trace() {
    let program = Program::build("clone.c", &[]);
    program
        .record(&[], "clone 5 1000\nclone 5 2000\n", 0)
        .says("raddle: recording stopped: `clone` makes a process");
    program.repeat("a.trace");
}

#[test]
fn forks_among_threads() {
    let program = Program::build("fork.c", &[]);
    program.record(&[], "5 5 0\n", 0).says("raddle: 5 child processes are not in the trace");
    program.repeat("a.trace");
}

#[test]
fn forks_in_signal_handlers() {
    check_that_may_leave("fork_in_handler.c", "5 0\n");
}

#[test]
fn memory_that_processes_share() {
    check_that_may_leave("shared.c", "400\n");
    check_that_may_leave("robust.c", "owner died: 1\n1000\n");
}

#[test]
fn a_daemon_goes_on_unrecorded() {
    let program = Program::build("daemon.c", &[]);
    let file = program.path().join("written");
    let recorded = program.record(&[&file.display().to_string()], "", 0);
    recorded.says("or went on as its own child (`fork`, `daemon`)");
    let begin = std::time::Instant::now();
    while std::fs::read(&file).is_ok_and(|text| text != b"daemon\n") || !file.exists() {
        assert!(begin.elapsed().as_secs() < 60, "{}", said(&recorded.output));
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

#[test]
fn libraries_come_and_go() {
    let program = Program::build("loads.c", &["-ldl"]);
    let source = crate::source("plugin.c");
    let built = program.raddle(&["cc", "-shared", "-fPIC", "-O1", &source, "-o", "plugin.so"]);
    assert!(built.status.success(), "{}", said(&built));
    // The library is another one each time it comes.
    program.record(&["./plugin.so"], "33000\n", 0).has(" 10 module");
    program.repeat("a.trace");
}

#[test]
fn files_that_the_program_closes_are_opened_again() {
    check("closes.c", &[], "ok\n", 2);
}
