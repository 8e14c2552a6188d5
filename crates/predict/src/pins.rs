//! Arbitrary values keep what was observed: whoever reads a variable that nobody assigned, or that a `havoc` assigned, reads
//! what was read in the run. What nobody looked at in the run is zero; that is a possible value as well.

use ir::{ConstId, FuncId, GlobalId};
use rustc_hash::FxHashMap;
use smt::TermId;

use crate::record::{Choice, What};

/// What left a global arbitrary: the initial state, or the op of a step, by their positions.
pub(crate) type Source = Option<(usize, usize)>;

/// Values of a variable, or of cells of it by their indices.
pub(crate) type Values = Vec<(Vec<i64>, i64)>;

/// What left cells arbitrary, or all of them.
type Left = Vec<(Option<Vec<TermId>>, Source)>;

/// The values that were observed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pins {
    /// Of globals and their cells.
    pub(crate) globals: FxHashMap<(GlobalId, Source), Values>,
    pub(crate) consts: FxHashMap<(ConstId, Vec<i64>), i64>,
    pub(crate) funcs: Vec<((FuncId, Vec<i64>), i64)>,
}

/// What left globals arbitrary so far, the newest last: all of one, or a cell.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sources {
    last: FxHashMap<GlobalId, Left>,
}

impl Sources {
    pub(crate) fn note(&mut self, global: GlobalId, index: &[TermId], source: Source) {
        let known = self.last.entry(global).or_default();
        if index.is_empty() {
            known.clear();
            known.push((None, source));
        } else {
            known.push((Some(index.to_vec()), source));
        }
    }

    pub(crate) fn of(&self, global: GlobalId, index: &[TermId]) -> Source {
        let known = self.last.get(&global).map(Vec::as_slice).unwrap_or_default();
        let found = known.iter().rev().find(|(of, _)| of.as_ref().is_none_or(|of| of == index));
        found.and_then(|(_, source)| *source)
    }
}

impl Pins {
    /// Keeps the value of a constant or function, if it is one.
    pub(crate) fn note(&mut self, choice: &Choice) {
        match &choice.what {
            What::Const(id, key) => {
                self.consts.insert((*id, key.clone()), choice.value);
            }
            What::Func(id, key) => self.funcs.push(((*id, key.clone()), choice.value)),
            What::Global(..)
            | What::Target
            | What::Handle(_)
            | What::Local(..)
            | What::Result(..)
            | What::Nameless => {}
        }
    }

    /// The values of a global, or of its cells, that something left arbitrary.
    pub(crate) fn of(&self, global: GlobalId, source: Source) -> &[(Vec<i64>, i64)] {
        self.globals.get(&(global, source)).map(Vec::as_slice).unwrap_or_default()
    }
}
