//! The engine of the fuzzer: feeds a closure with mutated inputs, or with seeds, until it fails or the time is over.
//!
//! An input fails when the closure panics or takes too long. A failing input is made smaller, by leaving out parts for as
//! long as it still fails in the same way. What kills the whole process (a stack overflow, memory, an endless loop) is
//! not seen here: the `fuzz` binary runs the engine in a child process for that.

mod mutate;
mod shrink;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use mutate::Mutator;
pub use shrink::shrink;

/// How inputs are made.
#[derive(Clone, Copy, Debug)]
pub enum Inputs<'a> {
    /// Mutations of known inputs, with words of the language mixed in.
    Mutated {
        /// Known inputs.
        corpus: &'a [Vec<u8>],
        /// Words of the language.
        dictionary: &'a [&'a str],
    },
    /// Random numbers in decimal, for what generates its own input from a seed. They cannot be made smaller.
    Seeds,
}

/// How much time there is.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// For all inputs together, apart from making a failing one smaller.
    pub total: Duration,
    /// For one input.
    pub per_input: Duration,
    /// For making a failing input smaller.
    pub shrinking: Duration,
}

/// How an input fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// With this message.
    Panic(String),
    /// It took this long.
    Slow(Duration),
}

impl Failure {
    /// Whether both are of one sort, whatever the message or the time.
    #[must_use]
    pub fn is_like(&self, other: &Failure) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::Panic(message) => write!(f, "panic: {message}"),
            Failure::Slow(time) => write!(f, "too slow: {:.1} s", time.as_secs_f64()),
        }
    }
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// How many inputs were tried.
    pub tried: u64,
    /// The first failing input, made smaller, and how it fails.
    pub finding: Option<(Vec<u8>, Failure)>,
}

/// Runs `run` on inputs made from `seed`. Every input is given to `before` first, which may write it down.
pub fn fuzz(
    inputs: Inputs<'_>,
    seed: u64,
    limits: &Limits,
    before: &mut dyn FnMut(&[u8]),
    run: &dyn Fn(&[u8]),
) -> Outcome {
    let start = Instant::now();
    let mut random = fastrand::Rng::with_seed(seed);
    let mut tried = 0;
    let mut known = match inputs {
        Inputs::Mutated { corpus, .. } => corpus.iter(),
        Inputs::Seeds => [].iter(),
    };
    while start.elapsed() < limits.total {
        let input = match (known.next(), inputs) {
            (Some(known), _) => known.clone(),
            (None, Inputs::Mutated { corpus, dictionary }) => {
                Mutator { corpus, dictionary, random: &mut random }.input()
            }
            (None, Inputs::Seeds) => random.u64(..).to_string().into_bytes(),
        };
        before(&input);
        tried += 1;
        if let Some(failure) = attempt(run, &input, limits.per_input) {
            let small = match inputs {
                Inputs::Seeds => input,
                Inputs::Mutated { .. } => shrink(input, limits.shrinking, &mut |part| {
                    before(part);
                    attempt(run, part, limits.per_input).is_some_and(|other| other.is_like(&failure))
                }),
            };
            return Outcome { tried, finding: Some((small, failure)) };
        }
    }
    Outcome { tried, finding: None }
}

/// Runs one input and says how it failed, if it did.
#[must_use]
pub fn attempt(run: &dyn Fn(&[u8]), input: &[u8], limit: Duration) -> Option<Failure> {
    let start = Instant::now();
    let result = catch_unwind(AssertUnwindSafe(|| run(input)));
    let elapsed = start.elapsed();
    match result {
        Err(payload) => {
            let text = payload.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
            Some(Failure::Panic(text.unwrap_or("a value that is no text").to_owned()))
        }
        Ok(()) if elapsed > limit => Some(Failure::Slow(elapsed)),
        Ok(()) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits {
        total: Duration::from_secs(20),
        per_input: Duration::from_secs(5),
        shrinking: Duration::from_secs(5),
    };

    /// Panics on any input that holds both words.
    fn fragile(input: &[u8]) {
        let text = String::from_utf8_lossy(input);
        assert!(!(text.contains("wait") && text.contains("atomic")), "both words");
    }

    #[test]
    fn a_bug_behind_two_words_is_found_and_made_small() {
        let corpus = [b"procedure main() { atomic { x := 1; } }".to_vec(), b"x := 2;".to_vec()];
        let inputs = Inputs::Mutated { corpus: &corpus, dictionary: &["wait", "async"] };
        let outcome = fuzz(inputs, 1, &LIMITS, &mut |_| {}, &fragile);
        let (input, failure) = outcome.finding.unwrap();
        assert_eq!(failure, Failure::Panic("both words".to_owned()));
        assert_eq!(input.len(), "waitatomic".len(), "{}", String::from_utf8_lossy(&input));
    }

    #[test]
    fn the_same_seed_finds_the_same() {
        let corpus = [b"atomic".to_vec()];
        let run = || {
            let inputs = Inputs::Mutated { corpus: &corpus, dictionary: &["wait"] };
            fuzz(inputs, 7, &LIMITS, &mut |_| {}, &fragile)
        };
        assert_eq!(run(), run());
    }

    #[test]
    fn known_inputs_come_first() {
        let corpus = [b"one".to_vec(), b"two".to_vec()];
        let mut seen = Vec::new();
        let inputs = Inputs::Mutated { corpus: &corpus, dictionary: &[] };
        let limits = Limits { total: Duration::from_millis(5), ..LIMITS };
        let outcome = fuzz(inputs, 1, &limits, &mut |input| seen.push(input.to_vec()), &|_| {});
        assert_eq!(outcome.finding, None);
        assert_eq!(outcome.tried, seen.len() as u64);
        assert_eq!(seen[..2], corpus);
    }

    #[test]
    fn a_slow_input_is_a_failure() {
        let limits =
            Limits { per_input: Duration::from_millis(1), shrinking: Duration::from_millis(50), ..LIMITS };
        let inputs = Inputs::Mutated { corpus: &[b"slow".to_vec()], dictionary: &[] };
        let outcome =
            fuzz(inputs, 1, &limits, &mut |_| {}, &|_| std::thread::sleep(Duration::from_millis(3)));
        assert!(matches!(outcome.finding, Some((_, Failure::Slow(_)))));
    }

    #[test]
    fn a_failing_seed_is_kept_whole() {
        let odd = |input: &[u8]| {
            let seed: u64 = std::str::from_utf8(input).unwrap().parse().unwrap();
            assert!(seed.is_multiple_of(2), "odd");
        };
        let (input, _) = fuzz(Inputs::Seeds, 3, &LIMITS, &mut |_| {}, &odd).finding.unwrap();
        assert!(attempt(&odd, &input, LIMITS.per_input).is_some());
    }
}
