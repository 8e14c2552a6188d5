//! `raddle trace`: what is in a recorded run.

use std::io::Write;
use std::path::Path;

use llvm::SiteInfo;
use trace::{Ending, Event, Module, Reader, Record};

use crate::args::TraceOptions;
use crate::failure::Failure;
use crate::record::{FLAGS, MODULE};

/// Shows a trace: a summary, and with `--events` what happened. A reader that goes away early (`| head`) has read enough.
pub(crate) fn run(options: &TraceOptions) -> Result<u8, Failure> {
    match show(options) {
        Err(Failure::Output(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(0),
        shown => shown,
    }
}

fn show(options: &TraceOptions) -> Result<u8, Failure> {
    let shown = options.trace.display().to_string();
    let wrong = |error: trace::Error| Failure::Input(format!("error: cannot read `{shown}`: {error}"));
    std::fs::metadata(&options.trace).map_err(|error| Failure::unreadable(&options.trace, &error))?;
    let mut out = anstream::stdout().lock();
    let reader = Reader::open(&options.trace).map_err(wrong)?;
    let header = reader.header().clone();
    let built = reader.sections().any(|name| name == FLAGS);
    writeln!(out, "command  {}", command(&header.command, built.then(|| modules(&options.trace))))?;
    writeln!(out, "ended    {}", ending(header.ending))?;
    let (summary, problem) = trace::summary(reader);
    writeln!(out, "events   {}, {} switches of threads", summary.events, summary.switches)?;
    writeln!(
        out,
        "memory   {} addresses, {} of them used by several threads",
        summary.addresses, summary.shared
    )?;
    for (thread, counts) in &summary.threads {
        let counts: Vec<String> = counts.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        writeln!(out, "{:<8} {}", format!("thread {thread}"), counts.join(", "))?;
    }
    if summary.lost > 0 {
        writeln!(out, "lost     {} events could not be recorded", summary.lost)?;
    }
    if options.events {
        writeln!(out)?;
        events(options, &mut out)?;
    }
    match problem {
        Some(error) => Err(wrong(error)),
        None => Ok(0),
    }
}

/// The command line of a run. A program that was built for the run was somewhere in a temporary folder, and is known by its
/// source.
fn command(words: &[String], built_from: Option<Vec<String>>) -> String {
    match (built_from, words) {
        (Some(files), [_, arguments @ ..]) if !files.is_empty() => {
            [files.as_slice(), arguments].concat().join(" ")
        }
        _ => words.join(" "),
    }
}

/// The names of the modules of a run. They come first in a trace.
fn modules(trace: &Path) -> Vec<String> {
    const FIRST: usize = 1000;
    let Ok(reader) = Reader::open(trace) else { return Vec::new() };
    let records = reader.take(FIRST).filter_map(Result::ok);
    let names = records.filter_map(|record| match record.event {
        Event::Module(module) => Some(module.name),
        _ => None,
    });
    names.collect()
}

/// How a run ended, after "ended".
pub(crate) fn ending(ending: Ending) -> String {
    match ending {
        Ending::Unknown => "nobody knows: it was killed, became another program, or still runs".to_owned(),
        Ending::Exit(status) => format!("with exit code {status}"),
        Ending::Signal(number) => format!("by signal {number}"),
        Ending::Stopped(error) => {
            let why = std::io::Error::from_raw_os_error(error.cast_signed());
            format!("recording stopped ({why}); the program went on")
        }
    }
}

/// The sites of the modules of a run.
pub(crate) struct Places {
    modules: Vec<(Module, Vec<SiteInfo>)>,
}

impl Places {
    pub(crate) fn new() -> Self {
        Places { modules: Vec::new() }
    }

    /// A module is known from now on, if the trace has it.
    pub(crate) fn add<R: std::io::Read + std::io::Seek>(&mut self, module: &Module, reader: &mut Reader<R>) {
        let hash: String = module.hash.iter().map(|byte| format!("{byte:02x}")).collect();
        let section = reader.section(&format!("{MODULE}{hash}")).ok().flatten();
        let table = section.and_then(|section| sites(&section.bytes)).unwrap_or_default();
        self.modules.push((module.clone(), table));
    }

    /// Where a site is.
    pub(crate) fn of(&self, site: u32) -> String {
        let found =
            self.modules.iter().find(|(module, _)| site > module.base && site <= module.base + module.sites);
        let Some((module, table)) = found else { return String::new() };
        match table.get((site - module.base) as usize) {
            Some(info) if info.line > 0 => {
                format!("{}:{}:{} {}", info.file, info.line, info.column, info.function)
            }
            Some(info) => info.function.clone(),
            None => format!("{} site {}", module.name, site - module.base),
        }
    }
}

fn sites(bitcode: &[u8]) -> Option<Vec<SiteInfo>> {
    let scratch = tempfile::tempdir().ok()?;
    let path = scratch.path().join("module.bc");
    std::fs::write(&path, bitcode).ok()?;
    llvm::site_table(Path::new(&path)).ok()
}

fn events(options: &TraceOptions, out: &mut impl Write) -> Result<(), Failure> {
    let shown = options.trace.display().to_string();
    let wrong = |error: trace::Error| Failure::Input(format!("error: cannot read `{shown}`: {error}"));
    let mut reader = Reader::open(&options.trace).map_err(wrong)?;
    let mut places = Places::new();
    let mut left = options.limit.unwrap_or(u64::MAX);
    while let Some(record) = reader.next() {
        let record = record.map_err(wrong)?;
        if let Event::Module(module) = &record.event {
            places.add(module, &mut reader);
        }
        if options.thread.is_some_and(|thread| thread != record.thread) || matches!(record.event, Event::Turn)
        {
            continue;
        }
        if left == 0 {
            break;
        }
        left -= 1;
        writeln!(out, "{}", line(&record, &places).trim_end())?;
    }
    Ok(())
}

fn line(record: &Record, places: &Places) -> String {
    let (site, what) = described(&record.event);
    let place = if site == 0 { String::new() } else { places.of(site) };
    format!("{:>3}  {:<48} {place}", record.thread, format!("{} {what}", record.event.kind()))
}

/// The site of an event, and its other parts.
fn described(event: &Event) -> (u32, String) {
    match event {
        Event::Read { site, at, size, value } | Event::Write { site, at, size, value } => {
            (*site, format!("{value:#x} at {at:#x} ({size})"))
        }
        Event::Update { site, at, size, old, new } => {
            (*site, format!("{old:#x} to {new:#x} at {at:#x} ({size})"))
        }
        Event::Copy { site, to, from, bytes } => (*site, format!("{bytes} bytes from {from:#x} to {to:#x}")),
        Event::Fill { site, to, byte, bytes } => (*site, format!("{bytes} bytes {byte:#x} at {to:#x}")),
        Event::Branch { site, successor } => (*site, format!("{successor}")),
        Event::Enter { site }
        | Event::Leave { site }
        | Event::Call { site }
        | Event::Abort { site }
        | Event::AtomicBegin { site }
        | Event::AtomicEnd { site }
        | Event::Progress { site }
        | Event::Exec { site } => (*site, String::new()),
        Event::Back { site, result } => (*site, format!("{result:#x}")),
        Event::Input { site, at, bytes } => (*site, format!("{} bytes at {at:#x}", bytes.len())),
        Event::Waits { site, op, object, .. } => (*site, format!("{op:?} {object:#x}")),
        Event::Sync { site, op, object, result, .. } => (*site, format!("{op:?} {object:#x} = {result}")),
        Event::Create { site, thread, result, .. } => (*site, format!("thread {thread} = {result}")),
        Event::Alloc { site, at, size } => (*site, format!("{size} bytes at {at:#x}")),
        Event::Free { site, at } => (*site, format!("{at:#x}")),
        Event::Failed { site, text, .. } => (*site, text.clone()),
        Event::Exit { site, status } => (*site, format!("{status}")),
        Event::Nondet { site, value } => (*site, format!("{value}")),
        Event::Assume { site, holds } => (*site, format!("{holds}")),
        Event::Fork { site, result } => (*site, format!("{result}")),
        Event::Lost { events } => (0, format!("{events}")),
        Event::Module(module) => (0, format!("{} ({} sites)", module.name, module.sites)),
        Event::Signal { number } => (0, format!("{number}")),
        Event::Stopped { error } => (0, format!("{error}")),
        Event::Turn | Event::Start | Event::End | Event::Forget => (0, String::new()),
    }
}
