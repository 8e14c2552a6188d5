//! New inputs from known ones: bytes flipped, parts left out, repeated, or taken from another input, words inserted.

use fastrand::Rng;

/// No input is larger, except where a known one is.
const MOST_BYTES: usize = 64 << 10;

/// Numbers at the edge of something.
const NUMBERS: &[&str] =
    &["0", "-1", "127", "128", "255", "65536", "2147483648", "18446744073709551616", "1e309"];

/// Makes inputs from a corpus and a dictionary.
pub(crate) struct Mutator<'a> {
    pub(crate) corpus: &'a [Vec<u8>],
    pub(crate) dictionary: &'a [&'a str],
    pub(crate) random: &'a mut Rng,
}

impl Mutator<'_> {
    /// A known input after one to eight mutations.
    pub(crate) fn input(&mut self) -> Vec<u8> {
        let mut input = self.random.choice(self.corpus).cloned().unwrap_or_default();
        for _ in 0..self.random.usize(1..=8) {
            self.mutate(&mut input);
        }
        input
    }

    fn mutate(&mut self, input: &mut Vec<u8>) {
        let most = input.len().max(MOST_BYTES);
        match self.random.u32(0..8) {
            0 => {
                let bit = self.random.u32(0..8);
                if let Some(byte) = self.byte(input) {
                    *byte ^= 1 << bit;
                }
            }
            1 => {
                let value = self.random.u8(..);
                if let Some(byte) = self.byte(input) {
                    *byte = value;
                }
            }
            2 => {
                let part = self.part(input.len());
                input.drain(part);
            }
            3 => {
                // Many copies now and then: deep nesting and long lists come from here.
                let times = if self.random.u32(0..16) == 0 { self.random.usize(1..2000) } else { 1 };
                let part = self.part(input.len());
                let copies = input[part.clone()].repeat(times);
                input.splice(part.end..part.end, copies);
            }
            4 => {
                if let Some(other) = self.random.choice(self.corpus) {
                    let taken = other[self.part(other.len())].to_vec();
                    let replaced = self.part(input.len());
                    input.splice(replaced, taken);
                }
            }
            5 => {
                let word = self.random.choice(self.dictionary).copied().unwrap_or_default();
                let at = self.random.usize(..=input.len());
                input.splice(at..at, word.bytes());
            }
            6 => {
                let word = self.random.choice(self.dictionary).copied().unwrap_or_default();
                let part = self.part(input.len());
                input.splice(part, word.bytes());
            }
            _ => {
                let number = self.random.choice(NUMBERS).copied().unwrap_or_default();
                let at = self.random.usize(..=input.len());
                input.splice(at..at, number.bytes());
            }
        }
        input.truncate(most);
    }

    fn byte<'input>(&mut self, input: &'input mut [u8]) -> Option<&'input mut u8> {
        self.random.choice(input)
    }

    /// A part of something of this length; short parts are more likely.
    fn part(&mut self, length: usize) -> std::ops::Range<usize> {
        let start = self.random.usize(..=length);
        let longest = if self.random.bool() { 16 } else { length };
        let end = start + self.random.usize(..=longest.min(length - start));
        start..end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_vary_and_stay_small() {
        let corpus = [b"var x: int;".to_vec(), Vec::new()];
        let mut random = Rng::with_seed(1);
        let mut mutator = Mutator { corpus: &corpus, dictionary: &["async"], random: &mut random };
        let inputs: std::collections::BTreeSet<Vec<u8>> = (0..1000).map(|_| mutator.input()).collect();
        assert!(inputs.len() > 800, "{}", inputs.len());
        assert!(inputs.iter().all(|input| input.len() <= MOST_BYTES));
    }

    #[test]
    fn nothing_to_start_from_is_fine() {
        let mut random = Rng::with_seed(1);
        let mut mutator = Mutator { corpus: &[], dictionary: &[], random: &mut random };
        for _ in 0..1000 {
            mutator.input();
        }
    }
}
