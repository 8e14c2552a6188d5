//! Waits on condition variables that end without a signal.
//!
//! POSIX and C++ allow them, so a program that is safe only as long as there are none is not safe. On the other hand, such a
//! wake-up must not save a program from a deadlock: nobody can rely on one. So a program is read twice. First every wait needs
//! its signal. If nothing goes wrong then, any wait may end at any time; what goes wrong now is possible, too. A deadlock of the
//! second reading is one of locks and joins, as threads that wait for a signal are never stuck in it.

use engine::{Config, Verdict};
use report::{Wakeups, waits_for_signals};

use crate::answer::Answer;
use crate::failure::Failure;
use crate::load::Sources;
use crate::program::ProgramOptions;

/// The answer of an analysis for both readings; `analyse` is told how to read the program, and whether it was read before.
pub(crate) fn answer(
    program: &ProgramOptions,
    mut sources: Sources<'_>,
    mut config: Config,
    mut analyse: impl FnMut(Sources<'_>, Config, bool) -> Result<Answer, Failure>,
) -> Result<Answer, Failure> {
    let mut signalled = analyse(sources, config, false)?;
    let safe = matches!(signalled.verdict, Verdict::Safe(_) | Verdict::SafeWithin(..));
    if !safe || !program.wakeups_are_open() || !waits_for_signals(&signalled.loaded.program) {
        return Ok(signalled);
    }
    sources.building.spurious_wakeups = true;
    // Nobody has to wake without a signal again and again.
    config.checks.non_termination = None;
    let mut woken = analyse(sources, config, true)?;
    if matches!(woken.verdict, Verdict::Safe(_) | Verdict::SafeWithin(..)) {
        signalled.wakeups = Wakeups::Both;
        signalled.cost.total = woken.cost.total;
        signalled.cost.peak_memory = woken.cost.peak_memory;
        return Ok(signalled);
    }
    woken.wakeups = Wakeups::With;
    Ok(woken)
}
