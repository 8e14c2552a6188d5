//! A process that is asked and answers, and that is ended when nobody needs it any more.
//!
//! One thread writes to it, one reads what it says, one what it complains about. So nothing that the process does or
//! does not do can block the caller beyond its time.

use std::io::{Read, Write};
use std::os::unix::process::CommandExt as _;
use std::process::{self, Stdio};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Resource, Rlimit, Signal, getrlimit, kill_process_group, prlimit};

use super::{SolverCommand, tells_of_memory};
use crate::{Limits, Reason};

/// How often a waiting caller looks whether it shall stop.
const POLL: Duration = Duration::from_millis(10);
/// How much the process may say to one question.
const MAX_ANSWER: usize = 1 << 28;
/// How much of its complaints is kept.
const MAX_COMPLAINT: usize = 2000;
/// How many unread pieces of output may wait.
const BACKLOG: usize = 64;

pub(super) struct Child {
    process: process::Child,
    input: Sender<String>,
    output: Receiver<Vec<u8>>,
    complaints: Arc<Mutex<String>>,
    /// Whoever gathers the complaints; ends when there can be no more.
    listener: Option<JoinHandle<()>>,
    questions: u64,
}

impl Child {
    pub(super) fn spawn(command: &SolverCommand) -> Result<Self, String> {
        let mut process = process::Command::new(&command.program)
            .args(&command.args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // A group of its own, so that what it starts ends with it, and Ctrl-C reaches only us.
            .process_group(0)
            .spawn()
            .map_err(|error| format!("cannot start `{}`: {error}", command.program))?;
        let (input, commands) = mpsc::channel::<String>();
        if let Some(mut stdin) = process.stdin.take() {
            thread::spawn(move || {
                for text in commands {
                    if stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                        break;
                    }
                }
            });
        }
        let (said, output) = mpsc::sync_channel(BACKLOG);
        if let Some(stdout) = process.stdout.take() {
            thread::spawn(move || for_each_piece(stdout, |piece| said.send(piece.to_vec()).is_ok()));
        }
        let complaints = Arc::new(Mutex::new(String::new()));
        let listener = process.stderr.take().map(|stderr| {
            let complaints = Arc::clone(&complaints);
            thread::spawn(move || {
                for_each_piece(stderr, |piece| {
                    let mut text = complaints.lock().unwrap_or_else(PoisonError::into_inner);
                    if text.len() < MAX_COMPLAINT {
                        text.push_str(&String::from_utf8_lossy(piece));
                    }
                    true
                });
            })
        });
        Ok(Child { process, input, output, complaints, listener, questions: 0 })
    }

    /// Sends commands and returns all that is said up to their end.
    pub(super) fn ask(
        &mut self,
        text: &str,
        deadline: Option<Instant>,
        limits: &Limits,
    ) -> Result<String, Reason> {
        self.limit_memory(limits);
        // The marker tells where the answer ends, whatever the answer is.
        self.questions += 1;
        let marker = format!("end-of-answer-{}", self.questions);
        // If the process is gone, reading finds out.
        let _ = self.input.send(format!("{text}(echo \"{marker}\")\n"));
        let mut said: Vec<u8> = Vec::new();
        loop {
            let now = Instant::now();
            if limits.cancel.as_ref().is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
                return Err(Reason::Cancelled);
            }
            if deadline.is_some_and(|deadline| now >= deadline) {
                return Err(Reason::Timeout);
            }
            let wait = deadline.map_or(POLL, |deadline| POLL.min(deadline - now));
            match self.output.recv_timeout(wait) {
                Ok(piece) => {
                    let from = said.len().saturating_sub(marker.len() + 2);
                    said.extend_from_slice(&piece);
                    if let Some(end) = answer_end(&said, from, marker.as_bytes()) {
                        said.truncate(end);
                        return Ok(String::from_utf8_lossy(&said).into_owned());
                    }
                    if said.len() > MAX_ANSWER {
                        return Err(Reason::Garbled("more output than any answer has".to_owned()));
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(self.post_mortem(&said)),
            }
        }
    }

    fn limit_memory(&self, limits: &Limits) {
        // What this process may use was given to the solver, too, and stays the most.
        let own = getrlimit(Resource::As);
        let current = [limits.memory, own.current].into_iter().flatten().min();
        let limit = Rlimit { current, maximum: own.maximum };
        if let Some(pid) = self.pid() {
            // If it cannot be set, the process runs without, as it would on a system that has no such limit.
            let _ = prlimit(Some(pid), Resource::As, limit);
        }
    }

    fn pid(&self) -> Option<Pid> {
        Pid::from_raw(i32::try_from(self.process.id()).ok()?)
    }

    /// Why the process ended by itself.
    fn post_mortem(&mut self, said: &[u8]) -> Reason {
        // Its output is closed; it has a moment to end, and its last words to arrive, before it is made to.
        let started = Instant::now();
        let mut status = None;
        while started.elapsed() < Duration::from_millis(500) {
            if status.is_none() {
                status = self.process.try_wait().ok().flatten();
            }
            if status.is_some() && self.listener.as_ref().is_none_or(JoinHandle::is_finished) {
                break;
            }
            thread::sleep(Duration::from_millis(1));
        }
        let complaints = self.complaints.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let said = String::from_utf8_lossy(said);
        if tells_of_memory(&said) || tells_of_memory(&complaints) {
            return Reason::Memory;
        }
        let status = status.map_or_else(|| "it closed its output".to_owned(), |status| status.to_string());
        let last_words = if complaints.trim().is_empty() { said.trim() } else { complaints.trim() };
        let last_words: String = last_words.chars().take(300).collect();
        Reason::Crashed(if last_words.is_empty() { status } else { format!("{status}: {last_words}") })
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        if let Some(pid) = self.pid() {
            let _ = kill_process_group(pid, Signal::KILL);
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Where the answer ends, if the line with the marker is complete.
fn answer_end(said: &[u8], from: usize, marker: &[u8]) -> Option<usize> {
    let at = from + said[from..].windows(marker.len()).position(|window| window == marker)?;
    let after = &said[at + marker.len()..];
    if !after.contains(&b'\n') {
        return None;
    }
    // Some solvers echo the quotes too.
    Some(if at > 0 && said[at - 1] == b'"' { at - 1 } else { at })
}

/// Reads until the end, as long as `take` wants more.
fn for_each_piece(mut from: impl Read, mut take: impl FnMut(&[u8]) -> bool) {
    let mut buffer = vec![0; 1 << 16];
    loop {
        match from.read(&mut buffer) {
            Ok(0) => break,
            Ok(length) => {
                if !take(&buffer[..length]) {
                    break;
                }
            }
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
}
