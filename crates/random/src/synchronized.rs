//! Random programs in which threads meet at all sorts of synchronization objects: mutexes with condition variables, read-write locks,
//! semaphores and barriers. They are small, so that all orders can be enumerated.

use std::fmt::Write as _;

use crate::seed::Seed;

/// What a thread does in one go.
#[derive(Clone, Copy)]
enum Piece {
    Update,
    Copy,
    Locked,
    Reading,
    Writing,
    Up,
    Down,
    TryDown,
    Meet,
    Sleep,
    SleepUnlessSet,
    Signal,
    Broadcast,
    Check,
}

const PIECES: [Piece; 14] = [
    Piece::Update,
    Piece::Copy,
    Piece::Locked,
    Piece::Reading,
    Piece::Writing,
    Piece::Up,
    Piece::Down,
    Piece::TryDown,
    Piece::Meet,
    Piece::Sleep,
    Piece::SleepUnlessSet,
    Piece::Signal,
    Piece::Broadcast,
    Piece::Check,
];

/// A program in the text of the IR.
#[must_use]
pub fn synchronized(number: u64) -> String {
    let mut seed = Seed::new(number);
    let mut text = String::from(
        "program;\nvar x: int = 0;\nvar y: int = 1;\nvar m: mutex;\nvar c: condvar;\nvar l: rwlock;\nvar s: semaphore;\nvar b: barrier;\n\
         thread main;\n\nproc main() {\n",
    );
    let threads = 2 + seed.below(2);
    for thread in 0..threads {
        let _ = writeln!(text, "  local t{thread}: task;");
    }
    let _ = writeln!(text, "entry:\n  init s {};\n  init b 2;", seed.below(2));
    for thread in 0..threads {
        let _ = writeln!(text, "  t{thread} := spawn p{thread}();");
    }
    text.push_str("  return;\n}\n");
    for thread in 0..threads {
        let _ = writeln!(text, "\nproc p{thread}() {{\n  local a: int;\n  local d: bool;\nentry:");
        let pieces = 1 + seed.below(if threads == 2 { 3 } else { 2 });
        for piece in 0..pieces {
            let which = PIECES[seed.below(PIECES.len())];
            write_piece(&mut text, which, piece);
        }
        text.push_str("  return;\n}\n");
    }
    text
}

fn write_piece(text: &mut String, piece: Piece, number: usize) {
    let lines: &[&str] = match piece {
        Piece::Update => &["a := x;", "x := a + 1;"],
        Piece::Copy => &["y := x;"],
        Piece::Locked => &["acquire m;", "a := x;", "x := a + y;", "release m;"],
        Piece::Reading => &["acquire.read l;", "a := x;", "release l;"],
        Piece::Writing => &["acquire.write l;", "x := x + 1;", "release l;"],
        Piece::Up => &["up s;"],
        Piece::Down => &["down s;", "x := x + 1;"],
        Piece::TryDown => {
            &["d := trydown s;", "branch d then yes# else on#;", "yes#:", "y := 2;", "goto on#;", "on#:"]
        }
        Piece::Meet => &["d := barrierwait b;"],
        Piece::Sleep => &["acquire m;", "condwait c m;", "release m;"],
        Piece::SleepUnlessSet => &[
            "acquire m;",
            "branch y > 1 then set# else sleep#;",
            "sleep#:",
            "condwait c m;",
            "goto set#;",
            "set#:",
            "x := y;",
            "release m;",
        ],
        Piece::Signal => &["acquire m;", "y := y + 1;", "signal c;", "release m;"],
        Piece::Broadcast => &["broadcast c;"],
        Piece::Check => &["assert x < 2 \"x is small\";"],
    };
    for line in lines {
        let indent = if line.ends_with(':') { "" } else { "  " };
        let _ = writeln!(text, "{indent}{}", line.replace('#', &number.to_string()));
    }
}
