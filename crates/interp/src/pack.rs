//! States as bytes, and the set of all states seen.

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use std::hash::BuildHasher;

use crate::word::{UNSET, Word};

/// The first byte of a word is its value, for the small numbers that most words are, or says what follows.
const DIRECT: u8 = 246;
const IS_UNSET: u8 = 255;

/// The bytes of a state, in a buffer that can be used again.
pub(crate) fn pack<'a>(words: &[Word], bytes: &'a mut Vec<u8>) -> &'a [u8] {
    const LONGEST: usize = 9;
    // Room for the worst case, so that the loop below only stores; the buffer is used again and keeps its size.
    if bytes.len() < words.len() * LONGEST {
        bytes.resize(words.len() * LONGEST, 0);
    }
    let mut at = 0;
    for &word in words {
        let folded = fold(word);
        if folded <= u64::from(DIRECT) {
            bytes[at] = folded.to_le_bytes()[0];
            at += 1;
        } else if word == UNSET {
            bytes[at] = IS_UNSET;
            at += 1;
        } else {
            let used = 8 - folded.leading_zeros() as usize / 8;
            bytes[at] = DIRECT + used.to_le_bytes()[0];
            bytes[at + 1..at + LONGEST].copy_from_slice(&folded.to_le_bytes());
            at += 1 + used;
        }
    }
    &bytes[..at]
}

/// The state of packed bytes.
pub(crate) fn unpack(bytes: &[u8], words: &mut Vec<Word>) {
    words.clear();
    let mut rest = bytes;
    while let Some((&first, tail)) = rest.split_first() {
        rest = tail;
        if first <= DIRECT {
            words.push(unfold(u64::from(first)));
        } else if first == IS_UNSET {
            words.push(UNSET);
        } else {
            let used = usize::from(first - DIRECT);
            let (now, later) = rest.split_at(used.min(rest.len()));
            let mut all = [0; 8];
            all[..now.len()].copy_from_slice(now);
            words.push(unfold(u64::from_le_bytes(all)));
            rest = later;
        }
    }
}

/// Makes numbers near zero small, whatever their sign.
fn fold(word: Word) -> u64 {
    (word << 1) ^ (word.cast_signed() >> 63).cast_unsigned()
}

fn unfold(folded: u64) -> Word {
    (folded >> 1) ^ (folded & 1).wrapping_neg()
}

/// Names a stored state.
pub(crate) type StateId = u32;

/// All states seen, each stored once as bytes in one long vector.
pub(crate) struct StateSet {
    bytes: Vec<u8>,
    /// Where each state starts, and where the last ends.
    starts: Vec<u64>,
    table: HashTable<StateId>,
    hasher: FixedState,
}

impl StateSet {
    pub(crate) fn new() -> Self {
        let hasher = FixedState::with_seed(0x5eed);
        StateSet { bytes: Vec::new(), starts: vec![0], table: HashTable::new(), hasher }
    }

    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The id of a state and whether it is new.
    pub(crate) fn insert(&mut self, state: &[u8]) -> (StateId, bool) {
        let hash = self.hasher.hash_one(state);
        let (bytes, starts) = (&self.bytes, &self.starts);
        if let Some(&id) = self.table.find(hash, |&id| slice(bytes, starts, id) == state) {
            return (id, false);
        }
        let id = StateId::try_from(self.len()).unwrap_or(StateId::MAX);
        self.bytes.extend_from_slice(state);
        self.starts.push(self.bytes.len() as u64);
        let (bytes, starts, hasher) = (&self.bytes, &self.starts, &self.hasher);
        self.table.insert_unique(hash, id, |&id| hasher.hash_one(slice(bytes, starts, id)));
        (id, true)
    }

    /// The id of a state that was stored.
    pub(crate) fn find(&self, state: &[u8]) -> Option<StateId> {
        let hash = self.hasher.hash_one(state);
        self.table.find(hash, |&id| slice(&self.bytes, &self.starts, id) == state).copied()
    }

    pub(crate) fn get(&self, id: StateId) -> &[u8] {
        slice(&self.bytes, &self.starts, id)
    }

    /// How many bytes the set takes, table included; what growing vectors hold in reserve is not counted.
    pub(crate) fn memory(&self) -> usize {
        self.bytes.len() + self.starts.len() * 8 + self.table.capacity() * 8 / 7 * 5
    }
}

fn slice<'a>(bytes: &'a [u8], starts: &[u64], id: StateId) -> &'a [u8] {
    let at = id as usize;
    let index = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
    &bytes[index(starts[at])..index(starts[at + 1])]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_survives_packing() {
        let words = [0, 1, 123, 124, 200, 255, 256, u64::MAX, i64::MIN.cast_unsigned(), UNSET, 1 << 40, 77];
        let mut buffer = Vec::new();
        let mut again = Vec::new();
        unpack(pack(&words, &mut buffer), &mut again);
        assert_eq!(again, words);
        assert_eq!(pack(&[0, 5, (-3i64).cast_unsigned(), UNSET], &mut buffer).len(), 4);
    }

    #[test]
    fn states_are_stored_once() {
        let mut set = StateSet::new();
        assert_eq!(set.insert(b"a"), (0, true));
        assert_eq!(set.insert(b"bc"), (1, true));
        assert_eq!(set.insert(b"a"), (0, false));
        assert_eq!(set.get(1), b"bc");
        assert_eq!(set.find(b"x"), None);
    }
}
