//! Ctrl-C, and other requests to end: the first asks for the partial answer, the second ends at once. While a program that we
//! started has the terminal, they are for that program.

use std::io::{self, IsTerminal};
use std::process::Child;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicI32, Ordering};

use engine::Cancel;
use rustix::process::{Pid, Signal, kill_process};

use crate::failure::UNDECIDED;
use crate::output;

/// The request. There is one handler for all of the process.
static REQUEST: OnceLock<Cancel> = OnceLock::new();

/// The program that requests are for; 0 if they are for us.
static PROGRAM: AtomicI32 = AtomicI32::new(0);

/// A request that Ctrl-C makes.
pub(crate) fn on_interrupt() -> Cancel {
    let listen = || {
        let cancel = Cancel::default();
        let request = cancel.clone();
        // Without a handler Ctrl-C still ends the program; only the partial answer is lost.
        if let Err(error) = ctrlc::set_handler(move || requested(&request)) {
            output::error(&format!("warning: Ctrl-C will give no partial answer: {error}"));
        }
        cancel
    };
    REQUEST.get_or_init(listen).clone()
}

/// From now on, Ctrl-C is for a program that was started; we go on when it has ended.
pub(crate) fn leave_to(child: &Child) {
    PROGRAM.store(i32::try_from(child.id()).unwrap_or(0), Ordering::Relaxed);
    on_interrupt();
}

fn requested(request: &Cancel) {
    match Pid::from_raw(PROGRAM.load(Ordering::Relaxed)) {
        // A terminal tells all that were started from it.
        Some(_) if io::stdin().is_terminal() => {}
        // If it has ended, there is nobody to be told.
        Some(program) => drop(kill_process(program, Signal::TERM)),
        None if request.is_cancelled() => std::process::exit(i32::from(UNDECIDED)),
        None => request.cancel(),
    }
}
