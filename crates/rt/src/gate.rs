//! Enforcing schedules. This build cannot do it: nothing waits.

use crate::message;

/// Reads the schedule in `path` and gets ready to enforce it; whether that worked.
pub(crate) fn start(path: &[u8]) -> bool {
    message::line(&[
        b"cannot enforce the schedule `",
        path,
        b"`: this build only records; the program runs freely",
    ]);
    false
}

/// Waits until the schedule lets this thread do what is at `site`.
pub(crate) fn before(site: u32) {
    let _ = site;
}

/// What is at `site` has been done.
pub(crate) fn after(site: u32) {
    let _ = site;
}
