//! Damaged and forged witnesses: refused with a message, or replayed if they are right by chance; never a panic.

use serde_json::{Value, json};

use crate::programs::{LIVELOCK, LOST_UPDATE};
use crate::sandbox::Sandbox;

/// Replays a witness; it is either right or wrong.
fn try_replay(sandbox: &Sandbox, witness: impl AsRef<[u8]>) {
    sandbox.write("t.json", &witness);
    let answer = sandbox.run("replay t.json --format json");
    let shown = String::from_utf8_lossy(witness.as_ref()).into_owned();
    assert!([1, 2].contains(&answer.code), "exit code {}: {}\n{shown}", answer.code, answer.stderr);
    assert_eq!(answer.code == 2, answer.stdout.is_empty(), "{shown}");
    assert_eq!(answer.code == 2, !answer.stderr.is_empty(), "{shown}");
}

fn sandbox(program: &str, arguments: &str) -> Sandbox {
    let sandbox = Sandbox::with("p.bpl", program);
    assert_eq!(sandbox.run(&format!("explore p.bpl {arguments} --witness w.json")).code, 1);
    sandbox
}

#[test]
fn damaged_bytes() {
    let sandbox = sandbox(LOST_UPDATE, "");
    let witness = sandbox.read("w.json").into_bytes();
    let mut random = fastrand::Rng::with_seed(1);
    for _ in 0..150 {
        let mut bytes = witness.clone();
        for _ in 0..random.usize(1..4) {
            let at = random.usize(..bytes.len());
            match random.u8(..4) {
                0 => bytes[at] = random.u8(..),
                1 => bytes.truncate(at.max(1)),
                2 => drop(bytes.remove(at)),
                _ => bytes.insert(at, b"0123456789-[]{}\","[random.usize(..17)]),
            }
        }
        try_replay(&sandbox, bytes);
    }
}

#[test]
fn forged_values() {
    for (program, arguments, seed) in [(LOST_UPDATE, "", 2), (LIVELOCK, "--fairness weak", 3)] {
        let sandbox = sandbox(program, arguments);
        let witness: Value = serde_json::from_str(&sandbox.read("w.json")).unwrap();
        let mut random = fastrand::Rng::with_seed(seed);
        for _ in 0..150 {
            let mut forged = witness.clone();
            for _ in 0..random.usize(1..4) {
                forge(&mut forged, &mut random);
            }
            try_replay(&sandbox, forged.to_string());
        }
    }
}

/// Changes one value somewhere below.
fn forge(value: &mut Value, random: &mut fastrand::Rng) {
    let deeper = match value {
        Value::Array(items) if !items.is_empty() && random.u8(..8) > 0 => {
            let at = random.usize(..items.len());
            if random.u8(..6) == 0 {
                let copy = items[at].clone();
                items.insert(at, copy);
                return;
            }
            items.get_mut(at)
        }
        Value::Object(fields) if !fields.is_empty() && random.u8(..20) > 0 => {
            let at = random.usize(..fields.len());
            // The program stays the same: what it is checked by is not what is tried here.
            fields
                .iter_mut()
                .filter(|(name, _)| *name != "input" && *name != "schema")
                .map(|(_, v)| v)
                .nth(at)
        }
        _ => None,
    };
    match deeper {
        Some(deeper) => forge(deeper, random),
        None => {
            *value = match random.u8(..9) {
                0 => json!(0),
                1 => json!(1),
                2 => json!(2),
                3 => json!(-1),
                4 => json!(u64::MAX),
                5 => json!(i64::MIN),
                6 => json!("x"),
                7 => json!([1, 2, 3]),
                _ => Value::Null,
            }
        }
    }
}

#[test]
fn strange_files() {
    let sandbox = sandbox(LOST_UPDATE, "");
    try_replay(&sandbox, "");
    try_replay(&sandbox, "null");
    try_replay(&sandbox, "[".repeat(1_000_000));
    try_replay(&sandbox, "{\"schema\": \"raddle-witness/99\"}");
    try_replay(&sandbox, "{\"schema\": \"raddle-witness/1\"}");
    try_replay(&sandbox, "\u{1b}[31m".repeat(1000));
    try_replay(&sandbox, sandbox.read("w.json").replace("counter == 2", "something else"));
}
