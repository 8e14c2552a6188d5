//! Variables that share the values that nobody has assigned.
//!
//! A variable that nobody has assigned, and that nobody looks at, may be taken to hold any value, but a lasso compares what
//! is copied of it with what else its copies hold, in the state where it begins and in the one where it ends. So all
//! variables between which such values are copied have the same domain: what any of them is assigned. A value outside of
//! it can be replaced by one of it everywhere: what was equal is equal then.

use std::collections::{BTreeMap, BTreeSet};

use super::{Origin, Set};

/// The classes of variables, and the numbers that those of each class are assigned.
#[derive(Debug, Default)]
pub(super) struct Classes {
    class_of: BTreeMap<Origin, usize>,
    /// Those that became part of another class are left empty.
    numbers: Vec<Set>,
}

impl Classes {
    /// Notes what a variable can hold.
    pub(super) fn add(&mut self, variable: Origin, set: &Set) {
        let class = self.numbers.len();
        let members = || std::iter::once(&variable).chain(&set.origins).copied();
        let joined: BTreeSet<usize> =
            members().filter_map(|member| self.class_of.get(&member).copied()).collect();
        let mut numbers = Set { numbers: set.numbers.clone(), ..Set::default() };
        for &other in &joined {
            numbers.add_numbers(&std::mem::take(&mut self.numbers[other]));
        }
        for of in self.class_of.values_mut().filter(|of| joined.contains(of)) {
            *of = class;
        }
        self.class_of.extend(members().map(|member| (member, class)));
        self.numbers.push(numbers);
    }

    /// All variables that are in some class.
    pub(super) fn members(&self) -> Vec<Origin> {
        self.class_of.keys().copied().collect()
    }

    /// The numbers of the class of a variable.
    pub(super) fn of(&self, variable: Origin) -> Option<&Set> {
        self.class_of.get(&variable).map(|class| &self.numbers[*class])
    }
}
