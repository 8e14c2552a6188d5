//! Prints a trace, event by event, and how much of what is in it: `cargo run -p trace --example list -- TRACE`.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(path) = std::env::args_os().nth(1) else {
        eprintln!("usage: list TRACE");
        return ExitCode::from(2);
    };
    match list(Path::new(&path)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn list(path: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let reader = trace::Reader::open(path)?;
    writeln!(out, "{:?}", reader.header())?;
    for record in reader {
        let record = record?;
        writeln!(out, "{:6} {:4} {:?}", record.turn, record.thread, record.event)?;
    }
    let (summary, _) = trace::summary(trace::Reader::open(path)?);
    writeln!(out, "{summary:#?}")?;
    Ok(())
}
