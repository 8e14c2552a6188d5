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
    check_all(&Comparison {
        engine: &explicit,
        style,
        twins: false,
        programs: scaled(programs),
        most_unknown: 1,
    });
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
    check_all(&Comparison {
        engine: &hasty,
        style: Style::Threads,
        twins: false,
        programs: 300,
        most_unknown: 0,
    });
}

#[test]
fn impact_agrees_on_threads() {
    check_all(&Comparison {
        engine: &engine::impact,
        style: Style::Threads,
        twins: false,
        programs: scaled(200),
        most_unknown: 10,
    });
}

#[test]
fn impact_agrees_on_mixed_programs() {
    check_all(&Comparison {
        engine: &engine::impact,
        style: Style::Mixed,
        twins: false,
        programs: scaled(200),
        most_unknown: 10,
    });
}

/// Its schedules are followed on explicit states, however long threads go on in them.
#[test]
fn impact_agrees_at_a_long_pace() {
    for style in [Style::Threads, Style::Mixed] {
        let programs = scaled(20);
        let engine = &engine::impact_at_length;
        check_all(&Comparison { engine, style, twins: false, programs, most_unknown: 10 });
    }
}

/// Threads that run the same code may change places in proofs.
#[test]
fn impact_agrees_on_twins() {
    for style in [Style::Threads, Style::Mixed] {
        let programs = scaled(150);
        check_all(&Comparison { engine: &engine::impact, style, twins: true, programs, most_unknown: 15 });
    }
}

/// And about one whose schedules are not safe.
#[test]
#[should_panic(expected = "schedule 0: Violation")]
fn a_careless_engine_is_found_out() {
    check_all(&Comparison {
        engine: &careless,
        style: Style::Mixed,
        twins: false,
        programs: 300,
        most_unknown: 1,
    });
}

#[test]
fn integers_that_are_not_tried_do_not_matter() {
    for style in [Style::Threads, Style::Mixed] {
        check_range(style, scaled(150));
    }
}
