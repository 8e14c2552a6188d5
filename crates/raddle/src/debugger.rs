//! Programs under gdb, which stops where a run has come to its end.

use std::path::Path;
use std::process::Command;

use crate::failure::Failure;
use crate::interrupt::leave_to;

/// The signal with which a program stops that has come to a breakpoint.
const TRAP: u32 = 5;

/// What gdb is told. The run-time library calls a function at the end of a run. A program that crashes before stops there, and only gdb
/// knows it; so it tells, in the file in which the library tells.
const SCRIPT: &str = r#"set breakpoint pending on
break __raddle_reached
@RUN@
if $_isvoid($_exitcode) && $_isvoid($_exitsignal)
  eval "shell echo stopped %d >> \"$RADDLE_STATUS\"", $_siginfo.si_signo
  thread apply all backtrace 6
end
"#;

/// A program under gdb; its arguments are to be added. `run` says how gdb starts it.
pub(crate) fn debugger(program: &Path, run: &str, scratch: &Path) -> Result<Command, Failure> {
    let script = scratch.join("replay.gdb");
    std::fs::write(&script, SCRIPT.replace("@RUN@", run))?;
    let mut command = Command::new("gdb");
    command.arg("-q").arg("-x").arg(&script).arg("--args").arg(program);
    Ok(command)
}

/// Runs gdb until the user has seen enough.
pub(crate) fn debug(mut command: Command) -> Result<(), Failure> {
    // What is seen in gdb is no part of the result.
    command.stdout(std::io::stderr());
    let mut gdb = command.spawn().map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => {
            Failure::Input("error: there is no gdb\nhelp: install it, or leave out --gdb".to_owned())
        }
        _ => Failure::Input(format!("error: gdb cannot be started: {error}")),
    })?;
    leave_to(&gdb);
    gdb.wait()?;
    Ok(())
}

/// The signal by which a program crashed under gdb, from what was told.
pub(crate) fn crash(lines: &str) -> Option<u32> {
    let signals = lines.lines().filter_map(|line| line.strip_prefix("stopped ")?.parse().ok());
    signals.into_iter().find(|signal| *signal != TRAP)
}
