//! Running other programs, with errors that name the command that failed.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};

/// The command as a person would type it.
pub(crate) fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or(command.get_program());
    let words = std::iter::once(program).chain(command.get_args());
    words.map(quoted).collect::<Vec<_>>().join(" ")
}

fn quoted(word: &OsStr) -> String {
    let word = word.to_string_lossy();
    if word.contains([' ', '$', '(', ')', '&', '|']) { format!("'{word}'") } else { word.into_owned() }
}

/// Runs a command whose output goes straight to the user; a non-zero exit code is an error.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| cannot_start(command))?;
    expect_success(command, status)
}

/// Runs a command and returns its standard output; a non-zero exit code is an error that shows standard error.
pub(crate) fn capture(command: &mut Command) -> Result<String> {
    let output = command.stdin(Stdio::null()).output().with_context(|| cannot_start(command))?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        let stdout = String::from_utf8_lossy(&output.stdout);
        bail!("`{}` failed ({}):\n{}{}", shown(command), output.status, stdout, stderr);
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Which of the two output channels to read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Channel {
    Stdout,
    Stderr,
}

/// Runs a command, shows all its output, and gives every line of one channel to `see`.
pub(crate) fn run_seeing(command: &mut Command, channel: Channel, mut see: impl FnMut(&str)) -> Result<()> {
    match channel {
        Channel::Stdout => command.stdout(Stdio::piped()),
        Channel::Stderr => command.stderr(Stdio::piped()),
    };
    let mut child = command.spawn().with_context(|| cannot_start(command))?;
    let stream: Option<Box<dyn Read>> = match channel {
        Channel::Stdout => child.stdout.take().map(|stream| Box::new(stream) as Box<dyn Read>),
        Channel::Stderr => child.stderr.take().map(|stream| Box::new(stream) as Box<dyn Read>),
    };
    for line in stream.into_iter().flat_map(|stream| BufReader::new(stream).split(b'\n')) {
        let line = line.context("cannot read the output of a command")?;
        let line = String::from_utf8_lossy(&line);
        match channel {
            Channel::Stdout => println!("{line}"),
            Channel::Stderr => eprintln!("{line}"),
        }
        see(&line);
    }
    let status = child.wait().with_context(|| cannot_start(command))?;
    expect_success(command, status)
}

/// What a command did within its time.
#[derive(Debug)]
pub(crate) struct Timed {
    /// From its start to its end, by the clock on the wall.
    pub(crate) seconds: f64,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    /// The exit code; nothing when the time was over.
    pub(crate) code: Option<i32>,
}

/// The exit code of `timeout` when the time is over, and when the command had to be killed for it.
const TIME_OVER: [i32; 2] = [124, 137];

/// Runs a command for at most some seconds. Any exit code is an answer; death by a signal is an error.
pub(crate) fn timed(command: &Command, limit: f64) -> Result<Timed> {
    // `timeout` ends whatever the command has started too, such as a solver.
    let mut limited = Command::new("timeout");
    limited.args(["--kill-after=5", &format!("{limit:.3}")]).arg(command.get_program());
    limited.args(command.get_args()).stdin(Stdio::null());
    if let Some(folder) = command.get_current_dir() {
        limited.current_dir(folder);
    }
    let start = Instant::now();
    let output = limited.output().with_context(|| cannot_start(command))?;
    let seconds = start.elapsed().as_secs_f64();
    let Some(code) = output.status.code() else { bail!("`{}` died ({})", shown(command), output.status) };
    Ok(Timed {
        seconds,
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        code: (!TIME_OVER.contains(&code)).then_some(code),
    })
}

/// The seconds of computing that the programs took which this one has started and waited for.
pub(crate) fn computing() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // Ticks of a hundredth of a second, whatever the machine; the name in parentheses may have spaces in it.
    let fields = stat.rsplit(") ").next().unwrap_or_default();
    let ticks = fields.split(' ').skip(13).take(2).filter_map(|text| text.parse::<f64>().ok());
    ticks.sum::<f64>() / 100.0
}

/// Where a program is on the search path, if anywhere.
pub(crate) fn find_program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|dir| dir.join(name)).find(|file| file.is_file())
}

fn cannot_start(command: &Command) -> String {
    format!("cannot run `{}`", shown(command))
}

fn expect_success(command: &Command, status: ExitStatus) -> Result<()> {
    if !status.success() {
        bail!("`{}` failed ({status})", shown(command));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_a_command_as_typed() {
        let mut command = Command::new("/usr/bin/echo");
        command.args(["a", "b c"]);
        assert_eq!(shown(&command), "echo a 'b c'");
    }

    #[test]
    fn a_failing_command_is_named() {
        let error = capture(Command::new("sh").args(["-c", "echo no >&2; exit 3"])).unwrap_err().to_string();
        assert!(error.contains("`sh -c 'echo no >&2; exit 3'` failed (exit status: 3)"), "{error}");
        assert!(error.contains("no\n"), "{error}");
    }

    #[test]
    fn a_command_with_a_time_limit_answers_or_ends() {
        let sh = |script: &str, limit| {
            let mut command = Command::new("sh");
            command.args(["-c", script]);
            timed(&command, limit).unwrap()
        };
        let done = sh("echo out; echo err >&2; exit 3", 10.0);
        assert_eq!((done.code, done.stdout.as_str(), done.stderr.as_str()), (Some(3), "out\n", "err\n"));
        assert_eq!(sh("sleep 100", 0.1).code, None);
    }

    #[test]
    fn computing_counts() {
        let before = computing();
        let script = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";
        assert!(Command::new("sh").args(["-c", script]).status().unwrap().success());
        assert!(computing() > before);
    }

    #[test]
    fn lines_are_seen_once_each() {
        let mut lines = Vec::new();
        let mut command = Command::new("sh");
        command.args(["-c", "echo one; echo two"]);
        run_seeing(&mut command, Channel::Stdout, |line| lines.push(line.to_owned())).unwrap();
        assert_eq!(lines, ["one", "two"]);
    }
}
