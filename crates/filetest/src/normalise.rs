//! Replaces what differs from run to run or from machine to machine by placeholders.

use std::path::Path;

use regex_lite::{Captures, Regex};

/// What to replace: pattern, and replacement. The order matters: rates hold times.
const RULES: &[(&str, &str)] = &[
    // Fields of JSON that measure.
    (
        r#"("(?:\w*_)?(?:seconds|bytes|memory|bytes_per_state|states_per_second)": )[0-9.eE+-]+"#,
        "${1}<measured>",
    ),
    (r"\b[0-9][0-9,]*(?:\.[0-9]+)?(?: ?[kMG])? ([a-z]+)/s\b", "<rate> ${1}/s"),
    (r"\b[0-9][0-9,]*(?:\.[0-9]+)? ?(?:B|kB|KB|MB|GB|KiB|MiB|GiB)\b", "<memory>"),
    (r"\b[0-9][0-9,]*(?:\.[0-9]+)? ?(?:ns|us|µs|ms|s|min|h)\b", "<time>"),
    // In a column of times, how much space there is depends on them.
    (r" +<time>", " <time>"),
];

/// Normalises one channel of output. `dir` is the folder that the program ran in.
pub(crate) fn normalise(text: &str, dir: &Path) -> String {
    let mut text = text.replace("\r\n", "\n");
    let real = dir.canonicalize().unwrap_or_else(|_| dir.to_owned());
    for folder in [real.as_path(), dir] {
        text = text.replace(&format!("{}/", folder.display()), "");
        text = text.replace(&*folder.to_string_lossy(), "<dir>");
    }
    for (pattern, replacement) in RULES {
        // The patterns are constants that the tests below compile.
        let Ok(pattern) = Regex::new(pattern) else { continue };
        text = pattern
            .replace_all(&text, |captures: &Captures<'_>| {
                let mut replaced = String::new();
                captures.expand(replacement, &mut replaced);
                replaced
            })
            .into_owned();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_patterns_compile() {
        for (pattern, _) in RULES {
            assert!(Regex::new(pattern).is_ok(), "{pattern}");
        }
    }

    #[test]
    fn measures_become_placeholders_and_the_rest_stays() {
        let check = |text: &str, expected: &str| assert_eq!(normalise(text, Path::new("/tmp/t1")), expected);
        check("safe: 12 states, 0.03 s, 12.5 MiB", "safe: 12 states, <time>, <memory>");
        check("1,234 states at 3.5 M states/s", "1,234 states at <rate> states/s");
        check("took 3ms", "took <time>");
        check("   3 ms     0.25 s", " <time> <time>");
        check(r#""seconds": 0.01, "states": 12"#, r#""seconds": <measured>, "states": 12"#);
        check("/tmp/t1/a.bpl:3:1: error in /tmp/t1", "a.bpl:3:1: error in <dir>");
        check("bv32 x1s 2 steps", "bv32 x1s 2 steps");
    }
}
