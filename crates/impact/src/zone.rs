//! Bounds of numbers and of their differences: difference-bound matrices.
//!
//! Number 0 is zero, so that a bound on a number is one on its difference from number 0. Matrices are kept closed: no bound
//! follows from others that is smaller than the one written down. (Miné, "A new numerical abstract domain based on
//! difference-bound matrices", PADO 2001.)

use std::collections::BTreeSet;

/// No bound.
pub(crate) const NONE: i128 = i128::MAX;

/// What is known of some numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Zone {
    size: usize,
    /// At `i * size + j`, the most that number `i` minus number `j` can be.
    bounds: Vec<i128>,
}

/// What a term is, in terms of the numbers of a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// A number plus something; number 0 plus something is a constant.
    Sum(usize, i128),
    /// Something between two bounds; `NONE` is none, and the first is that of the negated term.
    Between(i128, i128),
}

/// A sum of bounds.
pub(crate) fn plus(a: i128, b: i128) -> i128 {
    if a == NONE || b == NONE { NONE } else { a.saturating_add(b) }
}

impl Zone {
    /// Nothing is known of any number but number 0.
    pub(crate) fn new(size: usize) -> Self {
        let mut zone = Zone { size, bounds: vec![NONE; size * size] };
        for i in 0..size {
            zone.bounds[i * size + i] = 0;
        }
        zone
    }

    /// How many numbers there are.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// The most that a number minus another can be.
    pub(crate) fn bound(&self, i: usize, j: usize) -> i128 {
        self.bounds[i * self.size + j]
    }

    /// Learns that a number minus another is at most something. Whether that is possible.
    pub(crate) fn require(&mut self, i: usize, j: usize, most: i128) -> bool {
        if most == NONE || self.bound(i, j) <= most {
            return true;
        }
        if i == j || plus(self.bound(j, i), most) < 0 {
            return false;
        }
        for a in 0..self.size {
            let before = plus(self.bound(a, i), most);
            if before == NONE {
                continue;
            }
            for b in 0..self.size {
                let through = plus(before, self.bound(j, b));
                let known = &mut self.bounds[a * self.size + b];
                *known = through.min(*known);
            }
        }
        true
    }

    /// Learns that a number minus another is not something: that matters if it is the most or the least.
    pub(crate) fn differ(&mut self, i: usize, j: usize, by: i128) -> bool {
        (self.bound(i, j) != by || self.require(i, j, by - 1))
            && (self.bound(j, i) != -by || self.require(j, i, -by - 1))
    }

    /// The bounds of a value: of the negated value, and of the value.
    pub(crate) fn between(&self, value: Value) -> (i128, i128) {
        match value {
            Value::Sum(at, by) => (plus(self.bound(0, at), -by), plus(self.bound(at, 0), by)),
            Value::Between(negated, most) => (negated, most),
        }
    }

    /// What is known of some values.
    pub(crate) fn of_values(&self, values: &[Value]) -> Zone {
        let mut zone = Zone::new(values.len());
        for (a, &x) in values.iter().enumerate() {
            for (b, &y) in values.iter().enumerate().filter(|(b, _)| *b != a) {
                let apart = plus(self.between(x).1, self.between(y).0);
                zone.bounds[a * values.len() + b] = match (x, y) {
                    (Value::Sum(i, c), Value::Sum(j, d)) => plus(self.bound(i, j), c - d).min(apart),
                    _ => apart,
                };
            }
        }
        zone
    }

    /// Weakens the bounds so that they hold of another zone, too. Bounds that have to go up go to the next of some stops, if
    /// there are any. Whether anything changed.
    pub(crate) fn join(&mut self, other: &Zone, stops: Option<&BTreeSet<i128>>) -> bool {
        let mut changed = false;
        for (known, &new) in self.bounds.iter_mut().zip(&other.bounds) {
            if new <= *known {
                continue;
            }
            changed = true;
            *known = match stops {
                Some(stops) if new != NONE => stops.range(new..).next().copied().unwrap_or(NONE),
                _ => new,
            };
        }
        changed
    }

    /// Writes down what follows. The bounds do not contradict each other.
    pub(crate) fn close(&mut self) {
        for through in 0..self.size {
            for a in 0..self.size {
                let before = self.bound(a, through);
                if before == NONE {
                    continue;
                }
                for b in 0..self.size {
                    let way = plus(before, self.bound(through, b));
                    let known = &mut self.bounds[a * self.size + b];
                    *known = way.min(*known);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_of_differences_are_combined() {
        let mut zone = Zone::new(3);
        assert!(zone.require(1, 0, 10) && zone.require(0, 1, 0) && zone.require(2, 1, -1));
        assert_eq!(zone.bound(2, 0), 9);
        assert!(!zone.clone().require(0, 2, -10));
        assert!(zone.differ(2, 0, 9));
        assert_eq!((zone.bound(2, 0), zone.bound(1, 0)), (8, 10));
    }

    #[test]
    fn assignments_keep_differences() {
        let mut zone = Zone::new(2);
        assert!(zone.require(1, 0, 10) && zone.require(0, 1, 0));
        let after =
            zone.of_values(&[Value::Sum(0, 0), Value::Sum(1, 0), Value::Sum(1, 1), Value::Between(NONE, 5)]);
        assert_eq!((after.bound(2, 1), after.bound(1, 2), after.bound(2, 0)), (1, -1, 11));
        assert_eq!((after.bound(3, 0), after.bound(0, 3), after.bound(3, 2)), (5, NONE, 4));
    }

    #[test]
    fn a_bound_that_grows_goes_to_the_next_stop() {
        let (mut zone, mut other) = (Zone::new(2), Zone::new(2));
        assert!(zone.require(1, 0, 1) && other.require(1, 0, 2));
        let stops = BTreeSet::from([0, 1000]);
        assert!(zone.join(&other, Some(&stops)) && zone.bound(1, 0) == 1000);
        assert!(!zone.join(&other, Some(&stops)));
    }
}
