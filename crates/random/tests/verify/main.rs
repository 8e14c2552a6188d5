//! Engines that say whether all schedules are safe, and which are, against explicit states.

mod agreement;
mod bounded;
mod engine;
mod explicit;
mod tree;

use random::Style;

use agreement::{Comparison, check_all, check_range, scaled};
use explicit::{careless, explicit, hasty};

/// What is asked of an engine that knows nearly everything.
fn all_known(style: Style, programs: u64) {
    check_all(&Comparison { engine: &explicit, style, programs: scaled(programs), most_unknown: 1 });
}

#[test]
fn explicit_states_agree_on_threads() {
    all_known(Style::Threads, 300);
}

#[test]
fn explicit_states_agree_on_mixed_programs() {
    all_known(Style::Mixed, 300);
}

/// The comparison finds out about an engine that says that all is well.
#[test]
#[should_panic(expected = "the engine says Safe")]
fn a_hasty_engine_is_found_out() {
    check_all(&Comparison { engine: &hasty, style: Style::Threads, programs: 300, most_unknown: 0 });
}

#[test]
fn impact_agrees_on_threads() {
    check_all(&Comparison {
        engine: &engine::impact,
        style: Style::Threads,
        programs: scaled(200),
        most_unknown: 10,
    });
}

#[test]
fn impact_agrees_on_mixed_programs() {
    check_all(&Comparison {
        engine: &engine::impact,
        style: Style::Mixed,
        programs: scaled(200),
        most_unknown: 10,
    });
}

/// And about one whose schedules are not safe.
#[test]
#[should_panic(expected = "schedule 0: Violation")]
fn a_careless_engine_is_found_out() {
    check_all(&Comparison { engine: &careless, style: Style::Mixed, programs: 300, most_unknown: 1 });
}

#[test]
fn integers_that_are_not_tried_do_not_matter() {
    for style in [Style::Threads, Style::Mixed] {
        check_range(style, scaled(150));
    }
}
