//! Arrays.

use crate::{SortId, Term, TermId, TermPool};

/// How many writes a read looks through; without a limit, many reads of a long chain would take quadratic time.
const LOOK_THROUGH: usize = 1000;

impl TermPool {
    /// The cell of an array.
    pub fn select(&mut self, array: TermId, at: TermId) -> TermId {
        let mut base = array;
        for _ in 0..LOOK_THROUGH {
            match *self.term(base) {
                Term::Store(_, written, value) if written == at => return value,
                Term::Store(inner, written, _) if self.definitely_differ(written, at) => base = inner,
                Term::ConstArray(_, value) => return value,
                _ => break,
            }
        }
        self.intern(Term::Select(base, at))
    }

    /// The array with one cell changed.
    pub fn store(&mut self, array: TermId, at: TermId, value: TermId) -> TermId {
        match *self.term(value) {
            Term::Select(from, index) if from == array && index == at => return array,
            _ => {}
        }
        match *self.term(array) {
            Term::Store(inner, written, _) if written == at => self.store_over(inner, at, value),
            _ => self.store_over(array, at, value),
        }
    }

    fn store_over(&mut self, array: TermId, at: TermId, value: TermId) -> TermId {
        match *self.term(array) {
            Term::ConstArray(_, default) if default == value => array,
            _ => self.intern(Term::Store(array, at, value)),
        }
    }

    /// The array of a sort whose cells all have one value.
    pub fn const_array(&mut self, sort: SortId, value: TermId) -> TermId {
        self.intern(Term::ConstArray(sort, value))
    }

    /// The cell of a curried array with several indices.
    pub fn select_at(&mut self, array: TermId, indices: &[TermId]) -> TermId {
        indices.iter().fold(array, |array, at| self.select(array, *at))
    }

    /// A curried array with one cell changed.
    ///
    /// # Panics
    /// If there are no indices.
    pub fn store_at(&mut self, array: TermId, indices: &[TermId], value: TermId) -> TermId {
        assert!(!indices.is_empty(), "a cell has at least one index");
        // The array, its row at the first index, the row's row at the second, and so on.
        let mut rows = vec![array];
        for at in &indices[..indices.len() - 1] {
            let row = rows[rows.len() - 1];
            rows.push(self.select(row, *at));
        }
        rows.iter().zip(indices).rev().fold(value, |value, (row, at)| self.store(*row, *at, value))
    }
}
