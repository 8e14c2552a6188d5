//! What terms are worth when all that was read is known. Values are terms, too: literals, or maps without anything unknown.

use std::collections::BTreeMap;

use ir::GlobalId;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{SortId, Term, TermId, TermPool};

use super::GivenUp;
use crate::ctp::Free;
use crate::execute::Executor;

/// The values of constants, by constant.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Environment {
    known: Vec<(TermId, TermId)>,
}

impl Environment {
    pub(super) fn set(&mut self, term: TermId, value: TermId) {
        match self.known.binary_search_by_key(&term, |(term, _)| *term) {
            Ok(at) => self.known[at].1 = value,
            Err(at) => self.known.insert(at, (term, value)),
        }
    }

    pub(super) fn add(&mut self, other: &Environment) {
        for &(term, value) in &other.known {
            self.set(term, value);
        }
    }

    pub(super) fn retain(&mut self, mut is_needed: impl FnMut(TermId) -> bool) {
        self.known.retain(|(term, _)| is_needed(*term));
    }

    fn get(&self, term: TermId) -> Option<TermId> {
        let at = self.known.binary_search_by_key(&term, |(term, _)| *term).ok()?;
        Some(self.known[at].1)
    }
}

/// A map with all that was stored in it in the order of the indices, so that equal ones look the same.
fn in_order(pool: &mut TermPool, map: TermId) -> TermId {
    let mut stored: BTreeMap<TermId, TermId> = BTreeMap::new();
    let mut base = map;
    while let Term::Store(inner, index, value) = *pool.term(base) {
        if !pool.term(index).is_literal_value() {
            return map;
        }
        stored.entry(index).or_insert(value);
        base = inner;
    }
    if let Term::ConstArray(_, all) = *pool.term(base) {
        stored.retain(|_, value| *value != all);
    }
    stored.into_iter().fold(base, |map, (index, value)| pool.store(map, index, value))
}

/// Finds out values, each once.
pub(super) struct Valuation<'x, 'p, 'a> {
    executor: &'x mut Executor<'p, 'a>,
    /// The numbers of cells, and what they held at the beginning.
    cells: FxHashMap<(GlobalId, Vec<TermId>), usize>,
    beginning: Vec<TermId>,
    /// The constants in terms whose values differ from state to state.
    constants: FxHashMap<TermId, Vec<TermId>>,
    /// Terms that can be chosen.
    free: FxHashSet<TermId>,
    known: FxHashMap<(TermId, Vec<TermId>), TermId>,
    numbers: Vec<TermId>,
    booleans: [TermId; 2],
}

impl<'x, 'p, 'a> Valuation<'x, 'p, 'a> {
    pub(super) fn new(executor: &'x mut Executor<'p, 'a>, free: impl Iterator<Item = Free>) -> Self {
        let threads = executor.recording.threads;
        let pool = &mut executor.translator.pool;
        let numbers = (0..=threads).map(|number| pool.int(i64::try_from(number).unwrap_or(0))).collect();
        let booleans = [pool.bool(false), pool.bool(true)];
        let free = free.map(|free| {
            let (Free::Woken(term) | Free::Late(term)) = free;
            term
        });
        Valuation {
            free: free.collect(),
            executor,
            cells: FxHashMap::default(),
            beginning: Vec::new(),
            constants: FxHashMap::default(),
            known: FxHashMap::default(),
            numbers,
            booleans,
        }
    }

    pub(super) fn number(&self, number: usize) -> Result<TermId, GivenUp> {
        self.numbers.get(number).copied().ok_or(GivenUp::Unclear)
    }

    pub(super) fn boolean(&self, value: bool) -> TermId {
        self.booleans[usize::from(value)]
    }

    /// The value of a term.
    pub(super) fn of(&mut self, term: TermId, read: &Environment) -> Result<TermId, GivenUp> {
        let executor = &mut *self.executor;
        if executor.translator.pool.term(term).is_literal_value() {
            return Ok(term);
        }
        let free = &self.free;
        let constants = self.constants.entry(term).or_insert_with(|| {
            let mut found = Vec::new();
            executor.translator.pool.for_each_in(&[term], |id, _| {
                if executor.use_terms.contains_key(&id) || free.contains(&id) {
                    found.push(id);
                }
            });
            found
        });
        let values = constants.iter().map(|constant| read.get(*constant).ok_or(GivenUp::Unclear));
        let key = (term, values.collect::<Result<Vec<TermId>, GivenUp>>()?);
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        let pool = &mut executor.translator.pool;
        let value = pool.rewrite(term, |_, leaf| read.get(leaf).unwrap_or(leaf));
        // Maps are known by what was stored in them. All else has to be a number or a truth value.
        let is_map = matches!(pool.sort(pool.sort_of(value)), smt::Sort::Array(..));
        let value = match pool.term(value) {
            Term::Bool(_) | Term::Int(_) | Term::Bv(..) => value,
            _ if is_map => in_order(pool, value),
            _ => return Err(GivenUp::Unclear),
        };
        self.known.insert(key, value);
        Ok(value)
    }

    pub(super) fn truth(&mut self, term: TermId, read: &Environment) -> Result<bool, GivenUp> {
        debug_assert_eq!(self.executor.translator.pool.sort_of(term), SortId::BOOL);
        let value = self.of(term, read)?;
        self.executor.translator.pool.as_bool(value).ok_or(GivenUp::Unclear)
    }

    pub(super) fn all(&mut self, terms: &[TermId], read: &Environment) -> Result<Vec<TermId>, GivenUp> {
        terms.iter().map(|term| self.of(*term, read)).collect()
    }

    /// The number of a cell.
    fn cell(&mut self, global: GlobalId, index: Vec<TermId>) -> Result<usize, GivenUp> {
        let key = (global, index);
        if let Some(&cell) = self.cells.get(&key) {
            return Ok(cell);
        }
        let beginning = self.executor.at_beginning(global, &key.1).ok_or(GivenUp::Unclear)?;
        let beginning = self.of(beginning, &Environment::default())?;
        let cell = self.beginning.len();
        self.beginning.push(beginning);
        self.cells.insert(key, cell);
        Ok(cell)
    }

    /// Reads what a use stands for.
    pub(super) fn read(
        &mut self,
        of: usize,
        cells: &[TermId],
        read: &mut Environment,
    ) -> Result<(), GivenUp> {
        let (term, global) = (self.executor.uses[of].term, self.executor.uses[of].global);
        let index = self.executor.uses[of].index.clone();
        let index = self.all(&index, read)?;
        let cell = self.cell(global, index)?;
        let value = cells.get(cell).copied().unwrap_or(self.beginning[cell]);
        read.set(term, value);
        Ok(())
    }

    /// Assigns a cell.
    pub(super) fn assign(
        &mut self,
        global: GlobalId,
        index: Vec<TermId>,
        value: TermId,
        cells: &mut Vec<TermId>,
    ) -> Result<(), GivenUp> {
        let cell = self.cell(global, index)?;
        if cells.len() <= cell {
            cells.extend_from_slice(&self.beginning[cells.len()..=cell]);
        }
        cells[cell] = value;
        Ok(())
    }

    /// Forgets the last cells while they hold what they held at the beginning, so that equal states look the same.
    pub(super) fn trim(&self, cells: &mut Vec<TermId>) {
        while let Some(last) = cells.last()
            && self.beginning[cells.len() - 1] == *last
        {
            cells.pop();
        }
    }
}
