//! Ctrl-C: the first asks for the partial answer, the second ends at once.

use engine::Cancel;

use crate::failure::UNDECIDED;
use crate::output;

/// A request that Ctrl-C makes.
pub(crate) fn on_interrupt() -> Cancel {
    let cancel = Cancel::default();
    let request = cancel.clone();
    let handler = move || {
        if request.is_cancelled() {
            std::process::exit(i32::from(UNDECIDED));
        }
        request.cancel();
    };
    // Without a handler Ctrl-C still ends the program; only the partial answer is lost.
    if let Err(error) = ctrlc::set_handler(handler) {
        output::error(&format!("warning: Ctrl-C will give no partial answer: {error}"));
    }
    cancel
}
