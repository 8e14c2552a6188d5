//! Maps, hash-consed: equal maps are one number, so a state stores a word per map.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::word::{UNSET, Word};

/// A map: the value of most cells and the cells that differ, sorted by key. A key of `n` indices and its value
/// take `n + 1` words; `n` follows from the type, so it is not stored.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct MapValue {
    default: Word,
    cells: Box<[Word]>,
    arity: u32,
}

/// All maps of an exploration. A word that is [`UNSET`] stands for the map none of whose cells is chosen.
#[derive(Clone, Debug, Default)]
pub(crate) struct MapStore {
    maps: IndexSet<MapValue, FxBuildHasher>,
    /// Whether every cell has a value, for each map; of maps of maps, every cell at every depth.
    total: Vec<bool>,
    scratch: Vec<Word>,
    bytes: usize,
}

impl MapStore {
    /// The map with one value in every cell. `nested` says that the cells are maps themselves.
    pub(crate) fn constant(&mut self, arity: usize, value: Word, nested: bool) -> Word {
        self.intern(arity, value, &[], nested)
    }

    /// The value of a cell.
    pub(crate) fn get(&self, map: Word, key: &[Word]) -> Word {
        if map == UNSET {
            return UNSET;
        }
        let value = self.value(map);
        match find(&value.cells, key) {
            Ok(at) => value.cells[at + key.len()],
            Err(_) => value.default,
        }
    }

    /// The map with one cell changed.
    pub(crate) fn set(&mut self, map: Word, key: &[Word], new: Word, nested: bool) -> Word {
        let mut cells = std::mem::take(&mut self.scratch);
        cells.clear();
        let default = if map == UNSET {
            UNSET
        } else {
            let value = self.value(map);
            cells.extend_from_slice(&value.cells);
            value.default
        };
        match find(&cells, key) {
            Ok(at) if new == default => {
                cells.drain(at..=at + key.len());
            }
            Ok(at) => cells[at + key.len()] = new,
            Err(_) if new == default => {}
            Err(at) => {
                cells.splice(at..at, key.iter().copied().chain([new]));
            }
        }
        let id = self.intern(key.len(), default, &cells, nested);
        self.scratch = cells;
        id
    }

    /// Whether every cell of a map has a value.
    pub(crate) fn is_total(&self, map: Word) -> bool {
        map != UNSET && self.total[usize::try_from(map).unwrap_or(usize::MAX)]
    }

    /// The value of most cells, and the other cells as keys and values.
    pub(crate) fn contents(&self, map: Word) -> (Word, Vec<(&[Word], Word)>) {
        if map == UNSET {
            return (UNSET, Vec::new());
        }
        let value = self.value(map);
        let arity = value.arity as usize;
        let cells = value.cells.chunks_exact(arity + 1).map(|cell| (&cell[..arity], cell[arity])).collect();
        (value.default, cells)
    }

    fn value(&self, map: Word) -> &MapValue {
        &self.maps[usize::try_from(map).unwrap_or(usize::MAX)]
    }

    fn intern(&mut self, arity: usize, default: Word, cells: &[Word], nested: bool) -> Word {
        let value =
            MapValue { default, cells: cells.into(), arity: u32::try_from(arity).unwrap_or(u32::MAX) };
        if let Some(index) = self.maps.get_index_of(&value) {
            return index as Word;
        }
        let set = |store: &MapStore, word: Word| word != UNSET && (!nested || store.is_total(word));
        let total = set(self, default) && cells.chunks_exact(arity + 1).all(|cell| set(self, cell[arity]));
        self.total.push(total);
        self.bytes += cells.len() * 8 + 48;
        self.maps.insert_full(value).0 as Word
    }

    /// About how many bytes all maps take.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }
}

/// The offset of a key's cell, or where it would go.
fn find(cells: &[Word], key: &[Word]) -> Result<usize, usize> {
    let stride = key.len() + 1;
    let (mut low, mut high) = (0, cells.len() / stride);
    while low < high {
        let middle = usize::midpoint(low, high);
        match cells[middle * stride..middle * stride + key.len()].cmp(key) {
            std::cmp::Ordering::Equal => return Ok(middle * stride),
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Greater => high = middle,
        }
    }
    Err(low * stride)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_maps_are_one_number_however_they_came_about() {
        let mut store = MapStore::default();
        let zero = store.constant(1, 0, false);
        let a = store.set(zero, &[3], 7, false);
        let b = store.set(a, &[1], 5, false);
        let c = store.set(zero, &[1], 5, false);
        let d = store.set(c, &[3], 7, false);
        assert_eq!(b, d);
        assert_eq!(store.set(b, &[3], 0, false), c);
        assert_eq!((store.get(b, &[1]), store.get(b, &[2]), store.get(b, &[3])), (5, 0, 7));
        assert!(store.is_total(b));
        let partial = store.set(UNSET, &[0], 1, false);
        assert!(!store.is_total(partial));
        assert_eq!(store.get(partial, &[9]), UNSET);
    }
}
