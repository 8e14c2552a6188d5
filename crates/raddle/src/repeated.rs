//! `raddle replay TRACE`: a recorded run, repeated on the real program.
//!
//! The run-time library hands the turn from thread to thread as the trace says, and compares. Nothing is analysed, so this works
//! for every program that can be recorded.

use std::ffi::OsString;
use std::fs::File;
use std::io::{BufWriter, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

use report::Left;
use trace::{Ending, Event, Reader, Repeated};
use wait_timeout::ChildExt;

use crate::args::{Format, ReplayOptions};
use crate::debugger::{crash, debug, debugger};
use crate::executable;
use crate::failure::Failure;
use crate::interrupt::leave_to;
use crate::output;
use crate::outside::while_doing;
use crate::record::{FLAGS, MODULE, modules_of};
use crate::run::exit_code;
use crate::trace_command::{Places, ending};

/// The exit code when the program has left the run.
const LEFT: u8 = 112;

/// How often it is looked whether the run stands still.
const LOOK: Duration = Duration::from_secs(1);

/// Whether a file is a trace; otherwise it is a witness.
pub(crate) fn is_trace(path: &Path) -> bool {
    let mut start = [0; 8];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && [trace::layout::RAW, trace::layout::PACKED].contains(&start)
}

/// What came of a run that was to be repeated.
struct Outcome {
    reproduced: bool,
    /// In words.
    what: String,
    /// How many events and switches were repeated, as far as that was told.
    events: Option<u32>,
    switches: Option<u32>,
    /// The exit code of the program, if it ended by itself.
    ended: Option<u8>,
    left: Option<Left>,
}

impl Outcome {
    fn not(what: String) -> Self {
        Outcome { reproduced: false, what, events: None, switches: None, ended: None, left: None }
    }

    /// Tells it. The exit code is that of the program, or 112 if it has left the run.
    fn tell(self, options: &ReplayOptions, program: &Path, whole: bool) -> Result<u8, Failure> {
        let word = if self.reproduced { "reproduced" } else { "not reproduced" };
        if matches!(options.output.format, Format::Json) {
            output::print(&report::repeated_json(&report::Repeated {
                input: &options.witness.display().to_string(),
                program: &program.display().to_string(),
                reproduced: self.reproduced,
                message: &self.what,
                complete: whole,
                events: self.events,
                switches: self.switches,
                exit_code: self.ended,
                left: self.left.as_ref(),
            }))?;
        } else if !self.reproduced || !options.output.quiet {
            output::error(&format!("raddle: {word}: {}", self.what));
        }
        Ok(if self.reproduced { self.ended.unwrap_or(0) } else { LEFT })
    }
}

/// What means something for witnesses only.
fn refuse(options: &ReplayOptions) -> Result<(), Failure> {
    let output = &options.output;
    let text = if output.html.is_some() {
        "error: a repeated run is not analysed, so there is no page to make of it\nhelp: leave out --html, or use `raddle predict` on \
         the trace"
    } else if !matches!(output.format, Format::Human | Format::Json) {
        "error: a repeated run is not analysed, so there is no result in this format\nhelp: use `--format json`, or `raddle predict` \
         on the trace"
    } else if options.no_run {
        "error: to repeat a recorded run is to run the program\nhelp: leave out --no-run; `raddle trace` shows what is in a trace"
    } else if options.lasso_rounds.is_some() {
        "error: a recorded run has nothing that is repeated for ever\nhelp: --lasso-rounds is for witnesses; leave it out"
    } else {
        return Ok(());
    };
    Err(Failure::Input(text.to_owned()))
}

/// Repeats a run.
pub(crate) fn run(options: &ReplayOptions) -> Result<u8, Failure> {
    refuse(options)?;
    let shown = options.witness.display().to_string();
    let wrong = |error: trace::Error| Failure::Input(format!("error: cannot read `{shown}`: {error}"));
    let scratch = tempfile::tempdir()
        .map_err(|error| Failure::Input(format!("error: cannot make a temporary folder: {error}")))?;
    let mut reader = Reader::open(&options.witness).map_err(wrong)?;
    let header = reader.header().clone();
    let file = scratch.path().join("run");
    let prepare = || {
        let program = find_program(options, &mut reader, scratch.path())?;
        let repeated = trace::write_repeat(&mut reader, &mut BufWriter::new(File::create(&file)?))?;
        Ok::<_, Failure>((program, repeated))
    };
    let (program, repeated) = while_doing("reading the trace", options.output.quiet, prepare)?;
    tell_problems(options, &repeated);
    let status = scratch.path().join("status");
    let recorded: Vec<OsString> = header.command.iter().skip(1).map(OsString::from).collect();
    let arguments = if options.arguments.is_empty() { &recorded } else { &options.arguments };
    let told = |lines| Told { options, lines, whole: repeated.problem.is_none() };
    let lines = || std::fs::read_to_string(&status).unwrap_or_default();
    let whole = repeated.problem.is_none();
    if options.gdb {
        let mut command = debugger(&program, "run", scratch.path())?;
        command.args(arguments).env("RADDLE_REPLAY", &file).env("RADDLE_STATUS", &status);
        debug(command)?;
        return told(lines()).judge(header.ending, None)?.tell(options, &program, whole);
    }
    let mut command = Command::new(&program);
    if matches!(options.output.format, Format::Json) {
        command.stdout(std::io::stderr());
    }
    // Some programs go another way under another name: a link to the program, or the folder that it was started from.
    if let Some(name) = header.command.first() {
        command.arg0(name);
    }
    let mut child =
        command.args(arguments).env("RADDLE_REPLAY", &file).env("RADDLE_STATUS", &status).spawn().map_err(
            |error| Failure::Input(format!("error: `{}` cannot be started: {error}", program.display())),
        )?;
    leave_to(&child);
    let Some(ended) = wait_for(&mut child, options, &status)? else {
        child.kill()?;
        child.wait()?;
        let what = "the program did not come to its end in the time it may take";
        return Outcome::not(what.to_owned()).tell(options, &program, whole);
    };
    told(lines()).judge(header.ending, Some(ended))?.tell(options, &program, whole)
}

/// Waits until the program ends; nothing if it takes longer than it may. Says for whom the run waits if it stands still.
fn wait_for(
    child: &mut Child,
    options: &ReplayOptions,
    status: &Path,
) -> Result<Option<ExitStatus>, Failure> {
    let limit = options.timeout.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let end = limit.and_then(|limit| Instant::now().checked_add(limit));
    let mut is_told = options.output.quiet;
    loop {
        let left = end.map(|end| end.saturating_duration_since(Instant::now()));
        let pause = match (left, is_told) {
            (None, true) => return Ok(Some(child.wait()?)),
            (Some(left), true) => left,
            (left, false) => left.map_or(LOOK, |left| left.min(LOOK)),
        };
        if let Some(ended) = child.wait_timeout(pause)? {
            return Ok(Some(ended));
        }
        if left.is_some_and(|left| left <= pause) {
            return Ok(None);
        }
        let lines = std::fs::read_to_string(status).unwrap_or_default();
        let told = Told { options, lines, whole: true };
        if !is_told && let Some(&[thread, expected]) = told.numbers("still").as_deref() {
            is_told = true;
            // The program goes on whatever can be said of it.
            let place = places(&options.witness).map(|places| places.of(expected)).unwrap_or_default();
            let to = if expected == 0 || place.is_empty() {
                "go on".to_owned()
            } else {
                format!("come to {place}")
            };
            output::error(&format!(
                "raddle: the run stands still: thread {thread} does not {to}; maybe it waits for a signal, or for input \
                 (Ctrl-C ends it)"
            ));
        }
    }
}

fn tell_problems(options: &ReplayOptions, repeated: &Repeated) {
    if options.output.quiet {
        return;
    }
    if let Some(problem) = &repeated.problem {
        output::error(&format!("raddle: the trace is damaged ({problem}); the run is repeated up to there"));
    }
    if repeated.lost > 0 {
        let events = repeated.lost;
        output::error(&format!(
            "raddle: {events} events are missing in the trace; the program may leave the run there"
        ));
    }
}

/// The program of a trace: the one that is named, the one that was recorded, or built again from what the trace carries.
fn find_program<R: std::io::Read + std::io::Seek>(
    options: &ReplayOptions,
    reader: &mut Reader<R>,
    scratch: &Path,
) -> Result<PathBuf, Failure> {
    let shown = options.witness.display();
    let mut wanted: Vec<String> =
        reader.sections().filter_map(|name| name.strip_prefix(MODULE)).map(str::to_owned).collect();
    let flags = reader
        .section(FLAGS)
        .map_err(|error| Failure::Input(format!("error: cannot read `{shown}`: {error}")))?;
    if let (None, Some(flags)) = (&options.program, flags) {
        return rebuild(options, reader, &wanted, &flags.bytes, scratch);
    }
    let path = match &options.program {
        Some(path) => path.clone(),
        None => PathBuf::from(&reader.header().executable),
    };
    if !path.is_file() {
        return Err(Failure::Input(format!(
            "error: the program of `{shown}` is missing: there is no file `{}`\nhelp: say where it is with --program",
            path.display()
        )));
    }
    let path = std::path::absolute(path)?;
    let hex = |hash: &[u8; 32]| hash.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let mut found: Vec<String> = modules_of(&path)?.iter().map(|module| hex(&module.hash)).collect();
    wanted.sort();
    found.sort();
    // A raw trace does not say.
    if !wanted.is_empty() && wanted != found && !options.force {
        return Err(Failure::Input(format!(
            "error: `{}` is not the program that `{shown}` was recorded from: it was built anew, or changed\nhelp: record it \
             again, or try anyway with --force",
            path.display()
        )));
    }
    Ok(path)
}

/// Builds the program again from its modules.
fn rebuild<R: std::io::Read + std::io::Seek>(
    options: &ReplayOptions,
    reader: &mut Reader<R>,
    modules: &[String],
    flags: &[u8],
    scratch: &Path,
) -> Result<PathBuf, Failure> {
    let shown = options.witness.display();
    let wrong = |error: trace::Error| Failure::Input(format!("error: cannot read `{shown}`: {error}"));
    let text = String::from_utf8_lossy(flags);
    let flags: Vec<String> = text.split_terminator('\0').map(str::to_owned).collect();
    if let Some(flag) = llvm::dangerous_flag(&flags).filter(|_| !options.force) {
        return Err(Failure::Input(format!(
            "error: `{shown}` has clang run with `{flag}`, which may do more than compile\nhelp: if you know where the trace \
             comes from, use --force"
        )));
    }
    let mut files = Vec::new();
    for (number, hash) in modules.iter().enumerate() {
        let Some(section) = reader.section(&format!("{MODULE}{hash}")).map_err(wrong)? else { continue };
        let file = scratch.join(format!("{number}.bc"));
        std::fs::write(&file, section.bytes)?;
        files.push(file);
    }
    Ok(executable::build(scratch, &files, &[], &flags, None)?.path)
}

/// What the program said about its run.
struct Told<'a> {
    options: &'a ReplayOptions,
    lines: String,
    /// Whether all of the trace could be read.
    whole: bool,
}

impl Told<'_> {
    /// The numbers after the first line that starts with a word.
    fn numbers(&self, word: &str) -> Option<Vec<u32>> {
        let mut lines = self.lines.lines().map(|line| line.split(' ').collect::<Vec<_>>());
        let words = lines.find(|words| words.first() == Some(&word))?;
        Some(words[1..].iter().map(|word| word.parse().unwrap_or(0)).collect())
    }

    /// What came of it; how the program ended, unless it ran under gdb.
    fn judge(&self, recorded: Ending, ended: Option<ExitStatus>) -> Result<Outcome, Failure> {
        let code = ended.map(exit_code);
        if let Some(&[thread, site, expected]) = self.numbers("left").as_deref() {
            return self.left(thread, site, expected);
        }
        let crashed = crash(&self.lines).map(Ending::Signal);
        let Some(&[events, switches, how, status]) = self.numbers("repeated").as_deref() else {
            if let Some(signal) = ended.and_then(|ended| ended.signal()) {
                return Ok(Outcome::not(format!(
                    "the program was killed, by signal {signal}, before it came to the end of the run"
                )));
            }
            return match (code, crashed) {
                (Some(code), _) => Err(Failure::Input(format!(
                    "error: the program ended with exit code {code}, and did not repeat the run\nhelp: is it instrumented? build \
                     it with `raddle cc` or `raddle c++`"
                ))),
                (None, Some(crashed)) if crashed == recorded => Ok(Outcome {
                    reproduced: true,
                    what: format!("the program ended {}, as it did when it was recorded", ending(crashed)),
                    ..Outcome::not(String::new())
                }),
                (None, _) => Ok(Outcome::not("gdb was left before the run came to its end".to_owned())),
            };
        };
        let ended = match (how, code) {
            (trace::layout::ending::EXIT, None) => u8::try_from(status & 0xff).ok(),
            (trace::layout::ending::SIGNAL, None) => u8::try_from(status + 128).ok(),
            (_, code) => code,
        };
        let now = match how {
            trace::layout::ending::EXIT => Ending::Exit(status.cast_signed()),
            trace::layout::ending::SIGNAL => Ending::Signal(status),
            _ => recorded,
        };
        if now != recorded {
            let (now, recorded) = (ending(now), ending(recorded));
            let what = format!("the program ended {now}, the recorded run {recorded}");
            return Ok(Outcome { ended, ..Outcome::not(what) });
        }
        let end = if self.whole { "its end" } else { "where the trace is damaged" };
        Ok(Outcome {
            reproduced: true,
            what: format!("the run was repeated to {end} ({events} events, {switches} switches)"),
            events: Some(events),
            switches: Some(switches),
            ended,
            left: None,
        })
    }

    /// Where the run was left, for people.
    fn left(&self, thread: u32, site: u32, expected: u32) -> Result<Outcome, Failure> {
        let places = places(&self.options.witness)?;
        let place = |site: u32| match places.of(site) {
            place if site == 0 || place.is_empty() => None,
            place => Some(place),
        };
        let thread = format!("thread {thread}");
        let (at, expected) = (place(site), place(expected));
        let what = match (&at, &expected) {
            (Some(at), Some(wanted)) if at == wanted => {
                format!("{thread} left the run at {at}: it went another way")
            }
            (Some(at), Some(wanted)) => {
                format!("{thread} left the run at {at}: in the trace it is at {wanted}")
            }
            (Some(at), None) => {
                format!("{thread} left the run at {at}: in the trace it has nothing more to do")
            }
            (None, Some(wanted)) => {
                format!("{thread} left the run: it does not come to {wanted}, where it is in the trace")
            }
            (None, None) => format!("{thread} left the run at its end"),
        };
        Ok(Outcome { left: Some(Left { thread, at, expected }), ..Outcome::not(what) })
    }
}

/// Where sites of a trace are.
fn places(path: &Path) -> Result<Places, Failure> {
    let wrong =
        |error: trace::Error| Failure::Input(format!("error: cannot read `{}`: {error}", path.display()));
    let mut reader = Reader::open(path).map_err(wrong)?;
    let mut places = Places::new();
    while let Some(record) = reader.next() {
        // What could be read was repeated.
        let Ok(record) = record else { break };
        if let Event::Module(module) = &record.event {
            places.add(module, &mut reader);
        }
    }
    Ok(places)
}
