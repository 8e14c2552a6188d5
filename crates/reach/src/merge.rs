//! What a variable is where ways join.
//!
//! In general a new constant, which on each way is the value there. An integer that is one of a few numbers on every way
//! stays one of a few numbers. A map that differs only in cells with known indices is merged cell by cell, since solvers
//! find it hard to compare maps.

use ir::Type;
use smt::{Term, TermId};

use crate::Unsupported;
use crate::encode::Encoder;

/// How far back the common origin of maps is looked for.
const MOST_WRITES: usize = 64;

/// The cells that were written, by index, and what was written last.
type Cells = Vec<(TermId, TermId)>;

impl Encoder<'_> {
    /// A term that is each of the values if the literal beside it holds.
    pub(crate) fn merge(
        &mut self,
        name: &str,
        ty: &Type,
        values: &[(TermId, TermId)],
    ) -> Result<TermId, Unsupported> {
        let Some(&(_, first)) = values.first() else { return self.translator.arbitrary(name, ty) };
        if values.iter().all(|(_, value)| *value == first) {
            return Ok(first);
        }
        if let Type::Map(map) = ty
            && map.args.len() == 1
            && let Some((origin, cells)) = self.common_origin(values)
        {
            return self.merge_cells(name, &map.result, values, origin, &cells);
        }
        if matches!(ty, Type::Int | Type::Task)
            && let Some(merged) = self.merge_numbers(values)
        {
            return Ok(merged);
        }
        let merged = self.translator.arbitrary(name, ty)?;
        for &(on, value) in values {
            let equal = self.translator.pool.eq(merged, value);
            self.imply(on, equal);
        }
        Ok(merged)
    }

    fn merge_numbers(&mut self, values: &[(TermId, TermId)]) -> Option<TermId> {
        let translator = &mut self.translator;
        let all: Vec<TermId> = values.iter().map(|(_, value)| *value).collect();
        let merged = translator.merged(&all)?;
        for &(on, value) in values {
            let right = self.translator.cases.equal(&mut self.translator.pool, merged, value)?;
            right.into_iter().for_each(|right| self.imply(on, right));
        }
        Some(merged)
    }

    /// The map that all of the maps come from, and for each the cells that were written since.
    fn common_origin(&self, values: &[(TermId, TermId)]) -> Option<(TermId, Vec<Cells>)> {
        let chains: Vec<Vec<TermId>> = values.iter().map(|(_, value)| self.chain(*value)).collect();
        let (first, others) = chains.split_first()?;
        let origin = *first.iter().find(|map| others.iter().all(|chain| chain.contains(map)))?;
        let cells = chains.iter().map(|chain| self.written(chain, origin)).collect();
        Some((origin, cells))
    }

    /// A map and those that it was made of by writing a cell with a known index.
    fn chain(&self, map: TermId) -> Vec<TermId> {
        let pool = &self.translator.pool;
        let mut chain = vec![map];
        let mut at = map;
        while let Term::Store(inner, index, _) = pool.term(at)
            && pool.term(*index).is_literal_value()
            && chain.len() < MOST_WRITES
        {
            at = *inner;
            chain.push(at);
        }
        chain
    }

    fn written(&self, chain: &[TermId], origin: TermId) -> Cells {
        let mut cells = Cells::new();
        for map in chain.iter().take_while(|map| **map != origin) {
            if let Term::Store(_, index, value) = *self.translator.pool.term(*map)
                && !cells.iter().any(|(known, _)| *known == index)
            {
                cells.push((index, value));
            }
        }
        cells
    }

    fn merge_cells(
        &mut self,
        name: &str,
        ty: &Type,
        values: &[(TermId, TermId)],
        origin: TermId,
        cells: &[Cells],
    ) -> Result<TermId, Unsupported> {
        let mut indices: Vec<TermId> = cells.iter().flatten().map(|(index, _)| *index).collect();
        indices.sort_unstable();
        indices.dedup();
        let mut merged = origin;
        for index in indices {
            let unwritten = self.translator.pool.select(origin, index);
            let here: Vec<(TermId, TermId)> = values
                .iter()
                .zip(cells)
                .map(|((on, _), cells)| {
                    let cell = cells.iter().find(|(known, _)| *known == index);
                    (*on, cell.map_or(unwritten, |(_, value)| *value))
                })
                .collect();
            let value = self.merge(name, ty, &here)?;
            merged = self.translator.set_cell(merged, index, value);
        }
        Ok(merged)
    }
}
