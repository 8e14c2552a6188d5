//! Programs that come to limits: memory, threads, stacks, files, disks.

use std::process::Command;

use crate::{Program, check, said};

#[test]
fn five_hundred_threads() {
    check("five_hundred.c", &[], "124750\n", 0);
    check("five_hundred.cpp", &[], "124750\n", 0);
}

#[test]
fn no_memory() {
    check("no_memory.c", &[], "1 1 1 1\n", 0);
}

#[test]
fn no_more_threads() {
    // Limits are not for root, so the program becomes another user; whoever is none cannot.
    check("no_threads.c", &[], "1 1\n", 0);
}

#[test]
fn threads_with_the_smallest_stack() {
    check("small_stack.c", &[], "0\n", 0);
}

/// Runs `raddle record` in a shell, in which `before` is run first.
fn limited(program: &Program, before: &str, folder: &str) -> std::process::Output {
    let raddle = env!("CARGO_BIN_EXE_raddle");
    let at = program.path().display();
    let script = format!(
        "{before} && cd {folder} && {raddle} record {at}/program -o a.trace; code=$?; cp a.trace* {at}; exit $code"
    );
    let mut shell = Command::new("timeout");
    shell.args(["--signal=KILL", crate::PATIENCE, "unshare", "-m", "sh", "-c", &script]);
    shell.current_dir(program.path()).output().expect("a shell")
}

/// Whether file systems can be mounted that only one process sees.
fn can_mount() -> bool {
    let mount = "mount -t tmpfs -o size=64k none /mnt";
    let tried = Command::new("unshare").args(["-m", "sh", "-c", mount]).output();
    tried.is_ok_and(|output| output.status.success())
}

#[test]
fn a_full_disk_or_a_limit_of_files() {
    let program = Program::build("long.c", &[]);
    let stopped = "raddle: recording stopped: no more room for the trace: ";
    if !can_mount() {
        // Then a limit has to do, which stops recording in the same way.
        let script =
            format!("ulimit -f 3000; exec {} record ./program -o a.trace", env!("CARGO_BIN_EXE_raddle"));
        let output =
            Command::new("sh").args(["-c", &script]).current_dir(program.path()).output().expect("a shell");
        assert_eq!(String::from_utf8_lossy(&output.stdout), "through\n", "{}", said(&output));
        assert!(said(&output).contains(stopped), "{}", said(&output));
        return;
    }
    let mounted = |size: &str| format!("mkdir small && mount -t tmpfs -o size={size} none small");
    // Room for the header and a chunk of each thread, and more.
    for size in ["700k", "3m"] {
        let output = limited(&program, &mounted(size), "small");
        let text = said(&output);
        assert_eq!(String::from_utf8_lossy(&output.stdout), "through\n", "{text}");
        assert!(
            text.contains(&format!(
                "{stopped}No space left on device; the program goes on, the trace ends here"
            )),
            "{text}"
        );
        // There is no room for the packed one, either. The raw one is as good.
        assert!(text.contains("help: what was recorded is in `a.trace.raw`"), "{text}");
        assert!(program.read("a.trace.raw").contains("recording stopped (No space left on device"));
        program.repeat("a.trace.raw");
        std::fs::remove_dir(program.path().join("small")).expect("it is empty outside");
    }
    // Large enough for the raw one only: nothing of the run is lost.
    let output = limited(&program, &mounted("15m"), "small");
    let text = said(&output);
    assert!(!text.contains(stopped) && text.contains("error: the trace cannot be packed: "), "{text}");
    assert!(program.read("a.trace.raw").contains("ended    with exit code 3"));
    program.repeat("a.trace.raw");
}

#[test]
fn a_limit_of_files_in_the_middle() {
    let program = Program::build("long.c", &["-DLIMIT"]);
    let recorded = program.record(&[], "through\n", 3);
    recorded
        .says("raddle: recording stopped: no more room for the trace: File too large; the program goes on");
    recorded.has("ended    recording stopped (File too large");
    program.repeat("a.trace");
}
