//! Maps of which only a few cells matter, as vectors of cells.
//!
//! Such a map is made of one and the same array by writing these cells, in the order of their indices. So the solver
//! never has to do with arrays: a cell is found in the term, two such maps are the same if their cells are, and where
//! ways join they are merged cell by cell. An index that is not known is compared with those of all cells.

use engine::Domain;
use ir::Type;
use smt::{Sort, Term, TermId};

use crate::Translator;
use crate::Unsupported;

/// The cells of a vector by index.
pub(crate) type Cells = Vec<(TermId, TermId)>;

impl Translator<'_> {
    /// An arbitrary value of a type, within a domain.
    pub fn within(&mut self, name: &str, ty: &Type, domain: &Domain) -> Result<TermId, Unsupported> {
        match (domain, ty) {
            (Domain::Numbers(numbers), Type::Int | Type::Task) => {
                let numbers: Vec<TermId> = numbers.iter().map(|number| self.pool.int(*number)).collect();
                match self.one_of(&numbers) {
                    Some(term) => Ok(term),
                    None => self.arbitrary(name, ty),
                }
            }
            (Domain::Cells { indices, cell }, Type::Map(map)) if map.args.len() == 1 => {
                let mut cells = Cells::new();
                for &index in indices {
                    cells.push((self.pool.int(index), self.within(name, &map.result, cell)?));
                }
                self.vector(ty, cells)
            }
            _ => self.arbitrary(name, ty),
        }
    }

    /// A map as a vector, if its domain says so.
    pub fn as_vector(&mut self, ty: &Type, map: TermId, domain: &Domain) -> Result<TermId, Unsupported> {
        let Domain::Cells { indices, .. } = domain else { return Ok(map) };
        let mut cells = Cells::new();
        for &index in indices {
            let index = self.pool.int(index);
            cells.push((index, self.pool.select(map, index)));
        }
        self.vector(ty, cells)
    }

    fn vector(&mut self, ty: &Type, cells: Cells) -> Result<TermId, Unsupported> {
        let sort = self.sort(ty)?;
        let base = match self.bases.get(&sort) {
            Some(base) => *base,
            None => {
                let base = self.fresh("elsewhere", sort);
                self.bases.insert(sort, base);
                base
            }
        };
        Ok(self.write(base, cells))
    }

    fn write(&mut self, base: TermId, mut cells: Cells) -> TermId {
        cells.sort_unstable();
        cells.into_iter().fold(base, |map, (index, value)| self.pool.store(map, index, value))
    }

    /// The cells of a vector, and what they are written over.
    pub(crate) fn cells(&self, map: TermId) -> Option<(TermId, Cells)> {
        let base = *self.bases.get(&self.pool.sort_of(map))?;
        let mut cells = Cells::new();
        let mut at = map;
        while let Term::Store(inner, index, value) = *self.pool.term(at) {
            if !self.pool.term(index).is_literal_value() {
                return None;
            }
            cells.push((index, value));
            at = inner;
        }
        (at == base).then_some((base, cells))
    }

    /// A cell at any index.
    pub(crate) fn cell(&mut self, map: TermId, index: TermId) -> TermId {
        if self.pool.term(index).is_literal_value() {
            return self.pool.select(map, index);
        }
        let Some((base, cells)) = self.cells(map) else { return self.pool.select(map, index) };
        let mut result = self.pool.select(base, index);
        for (at, value) in cells {
            let here = self.same(index, at);
            result = self.ite(here, value, result);
        }
        result
    }

    /// The map with a cell changed.
    pub fn set_cell(&mut self, map: TermId, index: TermId, value: TermId) -> TermId {
        let Some((base, mut cells)) = self.cells(map) else { return self.pool.store(map, index, value) };
        if self.pool.term(index).is_literal_value() {
            match cells.iter_mut().find(|(at, _)| *at == index) {
                Some((_, cell)) => *cell = value,
                None => cells.push((index, value)),
            }
            return self.write(base, cells);
        }
        for (at, cell) in &mut cells {
            let here = self.same(index, *at);
            *cell = self.ite(here, value, *cell);
        }
        self.write(base, cells)
    }

    /// Whether two vectors are the same.
    pub(crate) fn equal_vectors(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let (of_a, of_b) = self.both(a, b)?;
        let mut equal = Vec::new();
        for ((_, x), (_, y)) in of_a.into_iter().zip(of_b) {
            equal.push(self.same(x, y));
        }
        Some(self.pool.and(equal))
    }

    /// One vector or the other.
    pub(crate) fn ite_of_vectors(&mut self, condition: TermId, a: TermId, b: TermId) -> Option<TermId> {
        if a == b || self.pool.as_bool(condition).is_some() {
            return None;
        }
        let (of_a, of_b) = self.both(a, b)?;
        let base = *self.bases.get(&self.pool.sort_of(a))?;
        let mut cells = Cells::new();
        for ((index, x), (_, y)) in of_a.into_iter().zip(of_b) {
            cells.push((index, self.ite(condition, x, y)));
        }
        Some(self.write(base, cells))
    }

    /// The cells of two vectors with the same indices.
    fn both(&self, a: TermId, b: TermId) -> Option<(Cells, Cells)> {
        if self.bases.is_empty() || !matches!(self.pool.sort(self.pool.sort_of(a)), Sort::Array(..)) {
            return None;
        }
        let ((_, of_a), (_, of_b)) = (self.cells(a)?, self.cells(b)?);
        let same = of_a.len() == of_b.len() && of_a.iter().zip(&of_b).all(|((x, _), (y, _))| x == y);
        same.then_some((of_a, of_b))
    }
}
