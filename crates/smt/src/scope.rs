//! Sets that forget, on `pop`, what was added since the matching `push`.

use std::hash::Hash;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

/// An insertion-ordered set with backtracking points.
#[derive(Clone, Debug)]
pub(crate) struct ScopedSet<T> {
    items: IndexSet<T, FxBuildHasher>,
    marks: Vec<usize>,
}

impl<T> Default for ScopedSet<T> {
    fn default() -> Self {
        ScopedSet { items: IndexSet::default(), marks: Vec::new() }
    }
}

impl<T: Hash + Eq> ScopedSet<T> {
    /// Whether the item is new.
    pub(crate) fn insert(&mut self, item: T) -> bool {
        self.items.insert(item)
    }

    pub(crate) fn contains(&self, item: &T) -> bool {
        self.items.contains(item)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.items.iter()
    }

    /// Each level's items, from the outside in; there is one level more than backtracking points.
    pub(crate) fn levels(&self) -> impl Iterator<Item = impl Iterator<Item = &T>> {
        (0..=self.marks.len()).map(|level| {
            let from = if level == 0 { 0 } else { self.marks[level - 1] };
            let to = self.marks.get(level).copied().unwrap_or(self.items.len());
            self.items[from..to].iter()
        })
    }

    /// Makes a backtracking point.
    pub(crate) fn push(&mut self) {
        self.marks.push(self.items.len());
    }

    /// Goes back over some backtracking points.
    ///
    /// # Panics
    /// If there are not as many.
    pub(crate) fn pop(&mut self, levels: usize) {
        assert!(levels <= self.marks.len(), "pop of {levels} levels where {} are open", self.marks.len());
        let keep = self.marks.len() - levels;
        if let Some(&length) = self.marks.get(keep) {
            self.items.truncate(length);
            self.marks.truncate(keep);
        }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.items.clear();
        self.marks.clear();
    }
}
