//! The command line of Raddle.
//!
//! This crate is the only one that sees arguments, the clock, the terminal, signals and exit codes. Exit codes are a
//! contract: 0 nothing wrong found, 1 a violation was found, 2 the input or the command is wrong, 3 undecided.

mod answer;
mod args;
mod asynchronous;
mod cc;
mod check;
mod debugger;
mod drawing;
mod executable;
mod explain;
mod explore;
mod failure;
mod forced;
mod interrupt;
mod live;
mod load;
mod manual;
mod observe;
mod output;
mod outside;
mod predict;
mod program;
mod record;
mod repeated;
mod replay;
mod report_command;
mod run;
mod sequentialize;
mod settings;
mod solver;
mod trace_command;
mod verify;
mod wakeups;
mod whole_file;
mod witness_file;

use std::process::ExitCode;

use crate::args::Command;
use crate::failure::{Failure, INPUT_IS_WRONG, UNDECIDED};
use crate::outside::Outside;
use crate::settings::Misread;

/// Programs may nest deeply, and what walks them is recursive in places. The memory is reserved, not used.
const STACK: usize = 512 << 20;

fn main() -> ExitCode {
    let outside = Outside::start();
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(|l| format!(" at {}:{}", l.file(), l.line())).unwrap_or_default();
        let message = panic.payload_as_str().unwrap_or("panic");
        output::error(&format!("internal error: {message}{place}; this is a bug in raddle"));
    }));
    let work = std::thread::Builder::new().stack_size(STACK).spawn(move || run(outside));
    match work.map(std::thread::JoinHandle::join) {
        Ok(Ok(code)) => ExitCode::from(code),
        // The hook has told about it.
        Ok(Err(_)) => ExitCode::from(UNDECIDED),
        Err(error) => {
            output::error(&format!("error: cannot start a thread with a stack of {STACK} bytes: {error}"));
            ExitCode::from(UNDECIDED)
        }
    }
}

fn run(outside: Outside) -> u8 {
    // The command line of a compiler is not ours.
    let mut words = std::env::args_os().skip(1);
    let first = words.next();
    let cxx = first.as_deref() == Some("c++".as_ref());
    if cxx || first.as_deref() == Some("cc".as_ref()) {
        return ended(cc::run(&words.collect::<Vec<_>>(), cxx));
    }
    let arguments = match settings::parse(program::pass_through(std::env::args_os())) {
        Ok(arguments) => arguments,
        Err(Misread::Settings(failure)) => return ended(Err(failure)),
        Err(Misread::Arguments(message)) => {
            // Help and version are no errors. If nobody listens there is nothing to be done about it.
            let code = if message.use_stderr() { INPUT_IS_WRONG } else { 0 };
            let _ = message.print();
            return code;
        }
    };
    let result = match &arguments.command {
        Command::Check(options) => check::run(options, &outside),
        Command::Explore(options) => explore::run(options, outside),
        Command::Async(options) => asynchronous::run(options, outside),
        Command::Live(options) => live::run(options, outside),
        Command::Verify(options) => verify::run(options, outside),
        Command::Run(options) => run::run(options, &outside),
        Command::Record(options) => record::run(options),
        Command::Trace(options) => trace_command::run(options),
        Command::Cc(options) => cc::run(&options.arguments, false),
        Command::Cxx(options) => cc::run(&options.arguments, true),
        Command::Predict(options) => predict::run(options, outside),
        Command::Sequentialize(options) => sequentialize::run(options),
        Command::Replay(options) => replay::run(options, &outside),
        Command::Explain(options) => explain::run(options),
        Command::Completions(options) => manual::completions(options),
        Command::Man(options) => manual::pages(options),
        Command::Report(options) => report_command::run(options),
    };
    ended(result)
}

fn ended(result: Result<u8, Failure>) -> u8 {
    match result {
        Ok(code) => code,
        Err(failure) => {
            output::error(&failure.to_string());
            failure.exit_code()
        }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Failure::Output(error)
    }
}
