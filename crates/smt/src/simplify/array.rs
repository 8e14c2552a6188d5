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

    /// Equality of arrays that were made of the same one by writing cells with known indices: a matter of these cells.
    pub(crate) fn eq_of_writes(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let (of_a, of_b) = (self.writes(a), self.writes(b));
        if of_a.len() + of_b.len() == 2 {
            return None;
        }
        let origin = of_a.iter().find(|(array, _)| of_b.iter().any(|(other, _)| other == array))?.0;
        let written = |chain: &[(TermId, Option<TermId>)]| {
            chain
                .iter()
                .take_while(|(array, _)| *array != origin)
                .filter_map(|(_, at)| *at)
                .collect::<Vec<_>>()
        };
        let mut indices = written(&of_a);
        indices.extend(written(&of_b));
        indices.sort_unstable();
        indices.dedup();
        let mut equal = Vec::new();
        for at in indices {
            let (x, y) = (self.select(a, at), self.select(b, at));
            equal.push(self.eq(x, y));
        }
        Some(self.and(equal))
    }

    /// An array and those that it was made of by writing a cell with a known index, with that index.
    fn writes(&self, array: TermId) -> Vec<(TermId, Option<TermId>)> {
        let mut chain = Vec::new();
        let mut at = array;
        while let Term::Store(inner, index, _) = *self.term(at)
            && self.term(index).is_literal_value()
            && chain.len() < LOOK_THROUGH
        {
            chain.push((at, Some(index)));
            at = inner;
        }
        chain.push((at, None));
        chain
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
