//! Programs that do by hand what instrumentation will do are run and recorded, and their traces read and judged.

mod support;

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::Stdio;
use std::time::{Duration, Instant};

use support::{PATIENCE, Program, count, run};
use trace::{Ending, Event, Op, Problem, Reader, WRAPPED};

#[test]
fn counting_under_a_mutex() {
    let program = Program::build("counter.c");
    let run = program.run(&["4", "500"]);
    assert!(run.status.success(), "{}", run.errors);
    let records = program.records();
    assert_eq!(count(&records, "update"), 2000);
    assert_eq!(count(&records, "write"), 2000);
    assert_eq!(count(&records, "end"), 4);
    assert_eq!(count(&records, "lost"), 0);
    assert!(
        matches!(&records[2].event, Event::Module(module) if module.base == 0 && module.sites == 1_000_000 && module.hash[..4] == [1, 2, 3, 0])
    );
    let header = program.header();
    assert_eq!(header.ending, Ending::Exit(0));
    assert_eq!(&header.command[1..], ["4", "500"]);
    assert!(header.executable.ends_with("/program"), "{header:?}");
}

#[test]
fn without_a_request_nothing_is_recorded() {
    let program = Program::build("counter.c");
    let run = run(program.command(&[]).env_remove("RADDLE_RECORD"));
    assert!(run.status.success(), "{}", run.errors);
    assert!(!program.trace().exists());
}

#[test]
fn every_read_sees_the_last_write() {
    let program = Program::build("racy.c");
    for threads in ["2", "5", "16"] {
        assert!(program.run(&[threads, "20000"]).status.success());
        let records = program.records();
        let (summary, problem) = trace::summary(Reader::open(&program.trace()).unwrap());
        assert!(problem.is_none());
        assert_eq!(summary.lost, 0);
        assert_eq!(summary.events, records.len() as u64);
        assert!(summary.switches > 0 && summary.shared > 0, "{summary:?}");
    }
}

#[test]
fn one_of_each_kind_of_synchronization() {
    let program = Program::build("zoo.c");
    let plain = run(program.command(&[]).env_remove("RADDLE_RECORD"));
    assert!(plain.status.success(), "{:?}", plain.status);
    let run = program.run(&[]);
    assert!(run.status.success(), "{:?} {}", run.status, run.errors);
    let records = program.records();
    for op in [
        Op::MutexLock,
        Op::CondWait,
        Op::CondTimedWait,
        Op::RwlockRead,
        Op::RwlockWrite,
        Op::SpinLock,
        Op::SemWait,
        Op::BarrierWait,
        Op::Once,
        Op::Join,
    ] {
        let done = |event: &Event| matches!(event, Event::Sync { op: found, .. } if *found == op);
        assert!(records.iter().any(|record| done(&record.event)), "{}", op.name());
    }
    for kind in ["alloc", "free", "atomic-begin", "atomic-end", "progress", "nondet"] {
        assert!(count(&records, kind) > 0, "{kind}");
    }
}

#[test]
fn killed_at_any_moment() {
    let program = Program::build("endless.c");
    let mut random = fastrand::Rng::with_seed(7);
    for _ in 0..12 {
        // A file from before is no sign of life.
        let _ = fs::remove_file(program.trace());
        let mut child = program.command(&[]).stdout(Stdio::null()).spawn().unwrap();
        // The header, a chunk of each thread, and one at least that is full.
        let size = u64::from(random.u32(4..60)) << 16;
        let begin = Instant::now();
        while fs::metadata(program.trace()).map_or(0, |data| data.len()) < size && begin.elapsed() < PATIENCE
        {
            std::thread::sleep(Duration::from_micros(100));
        }
        std::thread::sleep(Duration::from_micros(random.u64(0..3000)));
        child.kill().unwrap();
        child.wait().unwrap();
        let records = program.records();
        assert!(records.len() > 1000);
        assert_eq!(program.header().ending, Ending::Unknown);
    }
}

#[test]
fn ends_of_all_kinds() {
    let program = Program::build("ends.c");
    let signal = |how: &str| program.run(&[how]).status.signal();
    let code = |how: &str| program.run(&[how]).status.code();
    let last = || program.records().pop().unwrap();

    assert_eq!(code("exit"), Some(3));
    assert_eq!(program.header().ending, Ending::Exit(3));
    let records = program.records();
    assert!(records.iter().any(|r| r.thread == 1 && matches!(r.event, Event::Exit { status: 3, .. })));
    assert!(records.iter().any(|r| matches!(r.event, Event::Write { value: 77, .. })), "functions at exit");

    assert_eq!(code("_exit"), Some(4));
    assert_eq!(program.header().ending, Ending::Exit(4));
    assert!(matches!(last().event, Event::Exit { status: 4, .. }));

    assert_eq!(code("return"), Some(9));
    assert_eq!(program.header().ending, Ending::Exit(9));
    program.records();

    assert_eq!(signal("abort"), Some(libc::SIGABRT));
    assert_eq!(program.header().ending, Ending::Signal(libc::SIGABRT as u32));
    assert_eq!(count(&program.records(), "abort"), 1);

    let asserted = program.run(&["assert"]);
    assert_eq!(asserted.status.signal(), Some(libc::SIGABRT));
    assert!(asserted.errors.contains("Assertion `x == 2' failed"), "{}", asserted.errors);
    assert!(program.records().iter().any(|record| matches!(
        &record.event,
        Event::Failed { line: 12, text, file, function, .. }
            if text == "x == 2" && file == "ends.c" && function == "finish"
    )));

    assert_eq!(signal("segv"), Some(libc::SIGSEGV));
    assert_eq!(program.header().ending, Ending::Signal(libc::SIGSEGV as u32));
    assert_eq!(last().event, Event::Signal { number: libc::SIGSEGV as u32 });

    assert_eq!(code("handled"), Some(5), "the program's own handler");
    program.records();

    assert_eq!(signal("raise"), Some(libc::SIGFPE));
    assert_eq!(program.header().ending, Ending::Signal(libc::SIGFPE as u32));
    program.records();

    assert_eq!(signal("term"), Some(libc::SIGTERM));
    assert_eq!(program.header().ending, Ending::Unknown);
    program.records();

    let assumed = program.run(&["assume"]);
    assert_eq!(assumed.status.code(), Some(0));
    assert_eq!(assumed.errors, "raddle: an assumption does not hold; the run ends here\n");
    assert_eq!(count(&program.records(), "assume"), 1);
}

#[test]
fn a_full_disk_stops_recording_only() {
    let program = Program::build("full.c");
    for blocks in [1, 300, 1000, 2000] {
        let run = program.run_limited(&format!("ulimit -f {blocks}"));
        assert!(run.status.success(), "{:?} {}", run.status, run.errors);
        assert_eq!(run.errors.lines().count(), 1, "{}", run.errors);
        assert!(run.errors.starts_with("raddle: "), "{}", run.errors);
        if blocks >= 1000 {
            assert!(run.errors.contains("File too large"), "{}", run.errors);
            assert_eq!(program.header().ending, Ending::Stopped(libc::EFBIG as u32));
            assert!(program.records().len() > 100);
        }
    }
}

#[test]
fn no_memory_stops_recording_only() {
    let program = Program::build("nomemory.c");
    let run = program.run(&[]);
    assert!(run.status.success(), "{:?} {}", run.status, run.errors);
    assert!(run.errors.contains("raddle: recording stopped"), "{}", run.errors);
    assert_eq!(program.header().ending, Ending::Stopped(libc::ENOMEM as u32));
    program.records();
}

#[test]
fn a_program_that_runs_out_of_memory_is_recorded_to_its_end() {
    let program = Program::build("hungry.c");
    let run = program.run(&[]);
    assert!(run.status.success(), "{:?} {}", run.status, run.errors);
    assert_eq!(run.errors, "");
    let records = program.records();
    let refused = records.iter().filter(|record| matches!(record.event, Event::Alloc { at: 0, .. })).count();
    assert_eq!(refused, 2);
    assert_eq!(count(&records, "lost"), 0);
    assert_eq!(program.header().ending, Ending::Exit(0));
}

#[test]
fn a_trace_that_cannot_be_written() {
    let program = Program::build("counter.c");
    for path in ["/", "/nowhere/trace", "/dev/full"] {
        let run = run(program.command(&[]).env("RADDLE_RECORD", path));
        assert!(run.status.success(), "{:?} {}", run.status, run.errors);
        assert!(run.errors.starts_with("raddle: cannot record: "), "{}", run.errors);
        assert_eq!(run.errors.lines().count(), 1);
    }
}

#[test]
fn without_its_schedule_a_program_does_not_run() {
    let program = Program::build("counter.c");
    let run = run(program.command(&[]).env("RADDLE_SCHEDULE", "some.schedule"));
    assert_eq!(run.status.code(), Some(112), "{}", run.errors);
    assert_eq!(run.errors, "raddle: cannot read the schedule `some.schedule`; the program is not run\n");
}

#[test]
fn forks_and_other_programs() {
    let program = Program::build("fork.c");
    let run = program.run(&[]);
    assert_eq!(run.status.code(), Some(6), "{}", run.errors);
    let records = program.records();
    let forks = records.iter().filter(|r| matches!(r.event, Event::Fork { result: 1.., .. })).count();
    assert_eq!(forks, 1);
    assert!(matches!(records.last().unwrap().event, Event::Exec { .. }));
    assert_eq!(count(&records, "end"), 1, "the child's thread is not there");
}

#[test]
fn a_storm_of_signals() {
    let program = Program::build("storm.c");
    for _ in 0..3 {
        let run = program.run(&[]);
        assert!(run.status.success(), "{:?} {} {}", run.status, run.output, run.errors);
        let records = program.records();
        assert!(count(&records, "write") > 300_000, "{}", run.output);
    }
}

#[test]
fn cancelled_threads_do_not_keep_the_turn() {
    let program = Program::build("cancel.c");
    let run = program.run(&[]);
    assert!(run.status.success(), "{:?} {}", run.status, run.errors);
    assert_eq!(count(&program.records(), "end"), 64);
}

#[test]
fn five_hundred_threads() {
    let program = Program::build("threads.c");
    let run = program.run(&["500"]);
    assert!(run.status.success(), "{:?} {}", run.status, run.errors);
    let records = program.records();
    assert_eq!(count(&records, "create"), 900);
    let ended = count(&records, "end");
    // Detached threads may still be ending.
    assert!((700..=900).contains(&ended), "{ended}");
    // Destructors of thread-local data belong to the run.
    assert!(count(&records, "read") > 600);
}

#[test]
fn jumps_out_of_callbacks() {
    let program = Program::build("jump.c");
    let run = program.run(&[]);
    assert!(run.status.success(), "{:?} {}", run.status, run.errors);
    assert_eq!(count(&program.records(), "lost"), 0);
}

#[test]
fn spinning_does_not_keep_the_turn() {
    let program = Program::build("spin.c");
    let run = program.run(&[]);
    assert!(run.status.success(), "{:?} {}", run.status, run.errors);
    program.records();
}

#[test]
fn atomic_sections_are_not_interrupted() {
    let program = Program::build("atomic.c");
    assert!(program.run(&[]).status.success());
    let records = program.records();
    let mut inside = None;
    for record in &records {
        assert!(inside.is_none_or(|thread| thread == record.thread), "{record:?}");
        match record.event {
            Event::AtomicBegin { .. } => inside = Some(record.thread),
            Event::AtomicEnd { .. } => inside = None,
            _ => {}
        }
    }
    let (summary, _) = trace::summary(Reader::open(&program.trace()).unwrap());
    assert!(summary.switches >= 4, "others have the turn in between: {summary:?}");
}

#[test]
fn threads_that_a_library_starts() {
    let program = Program::build("cpp.cpp");
    let run = program.run(&[]);
    assert!(run.status.success(), "{:?} {}", run.status, run.errors);
    let records = program.records();
    assert_eq!(count(&records, "create"), 6);
    assert_eq!(count(&records, "end"), 6);
    assert_eq!(count(&records, "lost"), 0);
}

#[test]
fn packed_traces_have_the_same_events() {
    let program = Program::build("racy.c");
    assert!(program.run(&["6", "20000"]).status.success());
    let packed = program.trace().with_extension("packed");
    let section = trace::Section { name: "module".into(), bytes: vec![7; 3_000_000] };
    let counted = trace::pack(&program.trace(), &packed, std::slice::from_ref(&section)).unwrap();
    let mut reader = Reader::open(&packed).unwrap();
    assert_eq!(reader.header(), &program.header());
    assert_eq!(reader.sections().collect::<Vec<_>>(), ["module"]);
    assert_eq!(reader.section("module").unwrap().unwrap(), section);
    assert!(reader.section("other").unwrap().is_none());
    let records: Vec<_> = reader.map(Result::unwrap).collect();
    assert!(records == program.records());
    assert_eq!(counted, trace::Packed { threads: 7, events: records.len() as u64, lost: 0, children: 0 });
    let (raw, small) = (fs::metadata(program.trace()).unwrap().len(), fs::metadata(&packed).unwrap().len());
    assert!(small < raw, "{small} of {raw}");
}

#[test]
fn damaged_traces_are_read_without_panic() {
    let program = Program::build("racy.c");
    assert!(program.run(&["3", "5000"]).status.success());
    let packed = program.trace().with_extension("packed");
    trace::pack(&program.trace(), &packed, &[]).unwrap();
    let mut random = fastrand::Rng::with_seed(1);
    for original in [fs::read(program.trace()).unwrap(), fs::read(&packed).unwrap()] {
        for _ in 0..300 {
            let mut bytes = original.clone();
            match random.u32(0..4) {
                0 => bytes.truncate(random.usize(0..bytes.len())),
                1 => {
                    // Where much is: headers and beginnings of chunks.
                    let at = (random.usize(0..bytes.len()) & !0xffff) + random.usize(0..64);
                    let end = bytes.len() - 1;
                    bytes[at.min(end)] = random.u8(..);
                }
                _ => {
                    for _ in 0..random.u32(1..20) {
                        let at = random.usize(0..bytes.len());
                        bytes[at] = random.u8(..);
                    }
                }
            }
            let size = bytes.len() as u64;
            let Ok(reader) = Reader::new(std::io::Cursor::new(bytes)) else { continue };
            for record in reader {
                if let Err(error) = record {
                    assert!(error.offset <= size, "{error}");
                    assert!(!matches!(error.problem, Problem::Io(_)), "{error}");
                }
            }
        }
    }
}

#[test]
fn every_wrapped_function_has_a_wrapper() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("all.c");
    let declared: String = WRAPPED.iter().map(|name| format!("void __raddle_{name}(void);\n")).collect();
    let used: String = WRAPPED.iter().map(|name| format!("(void *)__raddle_{name},\n")).collect();
    let main = "int main(void) { for (unsigned i = 0; i < sizeof all / sizeof *all; i++) if (!all[i]) return 1; return 0; }";
    fs::write(&source, format!("{declared}void *all[] = {{\n{used}}};\n{main}\n")).unwrap();
    assert!(Program::build_file(&source, &[]).run(&[]).status.success());
}
