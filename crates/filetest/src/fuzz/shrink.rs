//! Making a failing input smaller (delta debugging; Zeller and Hildebrandt, TSE 2002): leave out parts, large ones first,
//! for as long as what remains still fails.

use std::time::{Duration, Instant};

/// The smallest input found in the given time that still fails.
#[must_use]
pub fn shrink(mut input: Vec<u8>, time: Duration, fails: &mut dyn FnMut(&[u8]) -> bool) -> Vec<u8> {
    let start = Instant::now();
    let mut size = input.len();
    while size > 0 {
        let mut progress = false;
        let mut at = 0;
        while at < input.len() {
            if start.elapsed() > time {
                return input;
            }
            let end = (at + size).min(input.len());
            let without = [&input[..at], &input[end..]].concat();
            if fails(&without) {
                input = without;
                progress = true;
            } else {
                at = end;
            }
        }
        // Parts of one byte are tried again until none can go; each success may allow another.
        size = if size == 1 && progress { 1 } else { size / 2 };
    }
    input
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_matters_remains() {
        let input = b"a lot of text ( and more [ of it".to_vec();
        let small =
            shrink(input, Duration::from_secs(10), &mut |part| part.contains(&b'(') && part.contains(&b'['));
        assert_eq!(small, b"([");
    }

    #[test]
    fn without_time_nothing_changes() {
        assert_eq!(shrink(b"abc".to_vec(), Duration::ZERO, &mut |_| false), b"abc");
    }
}
