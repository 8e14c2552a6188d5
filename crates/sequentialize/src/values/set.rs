//! Sets of integers; truth values are 0 and 1.

use std::collections::BTreeSet;

use ir::{GlobalId, LocalId, ProcId};

/// More numbers than this are not followed.
pub(crate) const MOST: i64 = 10;

/// A variable that nobody has assigned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Origin {
    /// A global, or a cell of it.
    Global(GlobalId),
    /// A local.
    Local(ProcId, LocalId),
    /// What tasks return at a position. It holds what others leave in it, and nothing of its own.
    Result(usize),
}

/// Some integers, or any; and what unassigned variables hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Set {
    /// The integers; nothing if they are not known.
    pub(crate) numbers: Option<BTreeSet<i64>>,
    pub(crate) origins: BTreeSet<Origin>,
}

impl Default for Set {
    fn default() -> Self {
        Set { numbers: Some(BTreeSet::new()), origins: BTreeSet::new() }
    }
}

impl Set {
    pub(crate) fn any() -> Self {
        Set { numbers: None, origins: BTreeSet::new() }
    }

    pub(crate) fn of(numbers: impl IntoIterator<Item = i64>) -> Self {
        let mut set = Set::default();
        set.add_numbers(&Set { numbers: Some(numbers.into_iter().collect()), origins: BTreeSet::new() });
        set
    }

    pub(crate) fn unassigned(origin: Origin) -> Self {
        Set { origins: BTreeSet::from([origin]), ..Set::default() }
    }

    pub(crate) fn truth(value: bool) -> Self {
        Set::of([i64::from(value)])
    }

    pub(crate) fn contains(&self, number: i64) -> bool {
        self.numbers.as_ref().is_none_or(|numbers| numbers.contains(&number))
    }

    /// Adds the integers of another set; whether there was a new one.
    pub(crate) fn add_numbers(&mut self, other: &Set) -> bool {
        let Some(numbers) = &mut self.numbers else { return false };
        let before = numbers.len();
        match &other.numbers {
            Some(others) => numbers.extend(others),
            None => {
                self.numbers = None;
                return true;
            }
        }
        let grew = numbers.len() != before;
        if i64::try_from(numbers.len()).unwrap_or(i64::MAX) > MOST {
            self.numbers = None;
        }
        grew
    }

    /// Adds another set; whether anything was new.
    pub(crate) fn add(&mut self, other: &Set) -> bool {
        let before = self.origins.len();
        self.origins.extend(&other.origins);
        let grew = self.add_numbers(other);
        grew || self.origins.len() != before
    }

    /// What a function makes of the integers of two sets.
    pub(crate) fn combine(&self, other: &Set, op: impl Fn(i64, i64) -> Option<i64>) -> Set {
        let (Some(a), Some(b)) = (&self.numbers, &other.numbers) else { return Set::any() };
        let mut results = BTreeSet::new();
        for &x in a {
            for &y in b {
                match op(x, y) {
                    Some(result) => drop(results.insert(result)),
                    None => return Set::any(),
                }
            }
        }
        Set::of(results)
    }
}
