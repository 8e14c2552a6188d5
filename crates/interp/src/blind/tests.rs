//! Small programs whose answer is plain. Each schedule is followed.

use source::SourceMap;

use super::{Blind, blind};
use crate::explore::Flow;
use crate::follow::{Conduct, follow};
use crate::game::game;
use crate::run::Config;

/// Whether there is a schedule for a scheduler that sees states, and one for a scheduler that does not.
fn answer(text: &str) -> (Option<bool>, Option<bool>) {
    let mut map = SourceMap::default();
    let file = map.add("text.ir", format!("program;{text}"));
    let program = ir::text::parse(&map, file).unwrap_or_else(|problems| panic!("{problems:?}"));
    assert_eq!(ir::validate(&program), Ok(()));
    let config = Config::default();
    let seeing = game(&program, &config, &mut |_| Flow::Continue);
    let Blind { schedulable, timetable, finished, .. } = blind(&program, &config, &mut |_| Flow::Continue);
    assert!(finished);
    assert_eq!(timetable.is_some(), schedulable == Some(true));
    if let Some(mut timetable) = timetable {
        let followed = follow(&program, &config, &mut timetable, &mut |_| Flow::Continue);
        assert_eq!(followed.conduct, Conduct::Fine, "{timetable:#?}");
    }
    (seeing.schedulable, schedulable)
}

const BOTH: (Option<bool>, Option<bool>) = (Some(true), Some(true));
const NONE: (Option<bool>, Option<bool>) = (Some(false), Some(false));
const SEEING: (Option<bool>, Option<bool>) = (Some(true), Some(false));

#[test]
fn where_values_are_known_there_is_no_need_to_see_them() {
    let locks = "var m: mutex; var n: mutex; thread a; thread b;
        proc a() { l: acquire m; acquire n; release n; release m; goto l; }
        proc b() { l: acquire n; acquire m; release m; release n; goto l; }";
    assert_eq!(answer(locks), BOTH);
    let counted = "var count: int = 0; thread a; thread b;
        proc a() { l: assert count < 2; count := count + 1; goto l; }
        proc b() { l: assert count > 0; count := count - 1; goto l; }";
    assert_eq!(answer(counted), BOTH);
    assert_eq!(answer("thread a; proc a() { e: assert false; return; }"), NONE);
    let unfair = "var x: int = 0; thread a; thread b;
        proc a() { l: x := 1 - x; goto l; }
        proc b() { e: assert x > 1; return; }";
    assert_eq!(answer(unfair), NONE);
}

#[test]
fn a_branch_shows_a_value() {
    let rest = "thread a; thread b; thread c; var x: bool; var told: bool = false; var done: bool = false;
        proc b() { e: await told; assert x || done; done := true; return; }
        proc c() { e: await told; assert !x || done; done := true; return; }";
    let shown = "proc a() { e: branch x then t else f; t: told := true; return; f: told := true; return; }";
    assert_eq!(answer(&format!("{rest} {shown}")), BOTH);
    let hidden = "var y: bool; proc a() { e: y := !x; told := true; return; }";
    assert_eq!(answer(&format!("{rest} {hidden}")), SEEING);
}

#[test]
fn who_can_step_is_seen_when_somebody_does() {
    // Whoever can step may step first.
    let text = "var x: bool; var n: int = 0; thread a; thread b;
        proc a() { e: await x; n := n + 1; x := false; return; }
        proc b() { e: await !x; n := n + 1; x := true; assert n <= 2; return; }";
    assert_eq!(answer(text), BOTH);
    // If both can, one must not, and which one that is depends on the value.
    let text = "var x: bool; thread a; thread b;
        proc a() { e: await x; return; }
        proc b() { e: x := !x; return; }";
    assert_eq!(answer(text), SEEING);
}

#[test]
fn nothing_to_do_is_done_well() {
    assert_eq!(answer("thread a; proc a() { e: return; }"), BOTH);
    assert_eq!(answer("var x: int = 0; thread a; proc a() { l: x := 1 - x; goto l; }"), BOTH);
}

#[test]
fn threads_that_are_started_are_scheduled() {
    let text = "var x: int = 0; thread main;
        proc main() { local t: task; l: t := spawn p(); assert x == 0; wait t; assert x == 1; x := 0; return; }
        proc p() { e: x := 1; return; }";
    assert_eq!(answer(text), BOTH);
}
