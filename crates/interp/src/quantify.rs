//! Quantifiers: the values that matter are tried, one after the other.
//!
//! A variable of a finite type has all its values tried. Integers are infinitely many, but conditions as in
//! `(forall i: int :: 0 <= i && i < n ==> a[i] > 0)` decide the formula for all but some of them: an instance that breaks it
//! has an `i` from 0 to n - 1. These bounds are computed from the formula with the values of the state, functions with bodies included;
//! then only what is between them is tried. So the answer is exact. If no bounds are found the formula cannot be evaluated.

use crate::Cut;
use crate::code::{Ex, Expr, QuantExpr};
use crate::eval::{Eval, Words, int};
use crate::machine::Machine;
use crate::word::{UNSET, Word};

/// The integers from the first to the second, both included; any if there is no bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Bounds(Option<i64>, Option<i64>);

impl Bounds {
    const ALL: Bounds = Bounds(None, None);
    const NONE: Bounds = Bounds(Some(1), Some(0));

    fn is_empty(self) -> bool {
        matches!(self, Bounds(Some(low), Some(high)) if low > high)
    }

    /// The integers in both.
    fn meet(self, other: Bounds) -> Bounds {
        let pick = |a: Option<i64>, b: Option<i64>, pick: fn(i64, i64) -> i64| {
            a.zip(b).map(|(a, b)| pick(a, b)).or(a).or(b)
        };
        Bounds(pick(self.0, other.0, i64::max), pick(self.1, other.1, i64::min))
    }

    /// At least the integers in one of them.
    fn join(self, other: Bounds) -> Bounds {
        if self.is_empty() {
            return other;
        }
        if other.is_empty() {
            return self;
        }
        let (low, high) = (self.0.zip(other.0), self.1.zip(other.1));
        Bounds(low.map(|(a, b)| a.min(b)), high.map(|(a, b)| a.max(b)))
    }
}

/// Where in the environment a variable without a value is.
#[derive(Clone, Copy)]
struct Place {
    at: usize,
    variable: usize,
}

/// Whose bounds are looked for, and what is known.
#[derive(Clone, Copy)]
struct Scope<'a> {
    variable: usize,
    places: &'a [Place],
    bounds: &'a [Bounds],
}

impl Machine<'_> {
    pub(crate) fn quantified(&mut self, quant: &QuantExpr) -> Eval {
        let length = self.env.len();
        let start = self.env_base + quant.first as usize;
        let end = start + quant.sizes.len();
        self.env.resize(end, UNSET);
        self.env[start..end].fill(UNSET);
        let result = self.instances(quant, start);
        self.env.truncate(length);
        result
    }

    /// Tries the values of the variables that have none yet, from the last on, but those with bounds first.
    fn instances(&mut self, quant: &QuantExpr, start: usize) -> Eval {
        let open: Vec<usize> =
            (0..quant.sizes.len()).filter(|variable| self.env[start + variable] == UNSET).collect();
        if open.is_empty() {
            return self.eval(quant.body);
        }
        let bounds = self.all_bounds(quant, start, &open);
        if open.iter().any(|variable| bounds[*variable].is_empty()) {
            return Ok(Word::from(quant.forall));
        }
        let bounded = open.into_iter().rev().find_map(|variable| match bounds[variable] {
            Bounds(Some(low), Some(high)) => Some((start + variable, low, high)),
            _ => None,
        });
        let Some((at, low, high)) = bounded else {
            let what = "a quantifier over integers without bounds".to_owned();
            return Err(Box::new(Cut::Unsupported(what)));
        };
        for value in low..=high {
            self.count_effort()?;
            self.env[at] = int(Some(value))?;
            let holds = self.instances(quant, start)?;
            if (holds != 0) != quant.forall {
                self.env[at] = UNSET;
                return Ok(holds);
            }
        }
        self.env[at] = UNSET;
        Ok(Word::from(quant.forall))
    }

    /// The bounds of all variables. Those of one may follow from those of another; so they are computed several times.
    fn all_bounds(&mut self, quant: &QuantExpr, start: usize, open: &[usize]) -> Vec<Bounds> {
        let finite = |size: &Option<u64>| size.map(|size| Bounds(Some(0), Some(size.cast_signed() - 1)));
        let mut bounds: Vec<Bounds> =
            quant.sizes.iter().map(|size| finite(size).unwrap_or(Bounds::ALL)).collect();
        let integers: Vec<usize> =
            open.iter().copied().filter(|variable| quant.sizes[*variable].is_none()).collect();
        let places: Vec<Place> =
            integers.iter().map(|&variable| Place { at: start + variable, variable }).collect();
        for _ in &integers {
            for &variable in &integers {
                let scope = Scope { variable, places: &places, bounds: &bounds };
                let found = self.bounds(quant.body, !quant.forall, scope);
                bounds[variable] = bounds[variable].meet(found);
            }
        }
        bounds
    }

    /// Outside of these the condition is not as wanted, whatever other variables without a value are.
    fn bounds(&mut self, condition: Ex, wanted: bool, scope: Scope<'_>) -> Bounds {
        if self.count_effort().is_err() {
            return Bounds::ALL;
        }
        let code = self.code;
        let (first, second, both) = match &code.exprs[condition as usize] {
            Expr::Const(word) => return if (*word != 0) == wanted { Bounds::ALL } else { Bounds::NONE },
            Expr::Not(a) => return self.bounds(*a, !wanted, scope),
            Expr::And(a, b) => ((*a, wanted), (*b, wanted), wanted),
            Expr::Or(a, b) => ((*a, wanted), (*b, wanted), !wanted),
            Expr::Implies(a, b) => ((*a, !wanted), (*b, wanted), !wanted),
            Expr::Less(a, b) if wanted => return self.ordered(*a, *b, 1, scope),
            Expr::Less(a, b) => return self.ordered(*b, *a, 0, scope),
            Expr::LessEq(a, b) if wanted => return self.ordered(*a, *b, 0, scope),
            Expr::LessEq(a, b) => return self.ordered(*b, *a, 1, scope),
            Expr::Equal(a, b, negate) if *negate != wanted => {
                return self.ordered(*a, *b, 0, scope).meet(self.ordered(*b, *a, 0, scope));
            }
            Expr::Apply { body, args } => return self.bounds_in(*body, args, wanted, scope),
            _ => return Bounds::ALL,
        };
        let first = self.bounds(first.0, first.1, scope);
        let second = self.bounds(second.0, second.1, scope);
        if both { first.meet(second) } else { first.join(second) }
    }

    /// What is left to the variable if one value is less than the other, by so much at least.
    fn ordered(&mut self, less: Ex, greater: Ex, by: i64, scope: Scope<'_>) -> Bounds {
        let (less, more) = self.sum(less, scope);
        let (greater, fewer) = self.sum(greater, scope);
        let Some(by) = by.checked_add(more).and_then(|by| by.checked_sub(fewer)) else { return Bounds::ALL };
        if self.variable(less, scope) == Some(scope.variable) {
            Bounds(None, self.limits_of(greater, scope).1.and_then(|most| most.checked_sub(by)))
        } else if self.variable(greater, scope) == Some(scope.variable) {
            Bounds(self.limits_of(less, scope).0.and_then(|least| least.checked_add(by)), None)
        } else {
            Bounds::ALL
        }
    }

    /// A variable and what is added to it; of anything else, all and nothing.
    fn sum(&mut self, e: Ex, scope: Scope<'_>) -> (Ex, i64) {
        let (a, b, sign) = match &self.code.exprs[e as usize] {
            Expr::Add(a, b) if self.variable(*a, scope).is_some() => (*a, *b, 1),
            Expr::Add(a, b) if self.variable(*b, scope).is_some() => (*b, *a, 1),
            Expr::Sub(a, b) if self.variable(*a, scope).is_some() => (*a, *b, -1),
            _ => return (e, 0),
        };
        let added = self.eval(b).ok().and_then(|word| word.cast_signed().checked_mul(sign));
        added.map_or((e, 0), |added| (a, added))
    }

    /// What a number can be, as far as that is known.
    fn limits_of(&mut self, e: Ex, scope: Scope<'_>) -> Bounds {
        if let Some(variable) = self.variable(e, scope) {
            return scope.bounds[variable];
        }
        let value = self.eval(e).ok().map(Word::cast_signed);
        Bounds(value, value)
    }

    /// The bounds that follow from what a function says of its arguments.
    fn bounds_in(&mut self, body: Ex, args: &[Ex], wanted: bool, scope: Scope<'_>) -> Bounds {
        let (base, length) = (self.env_base, self.env.len());
        let mut places = Vec::new();
        let mut values = Words::new();
        for (index, &arg) in args.iter().enumerate() {
            let variable = self.variable(arg, scope);
            places.extend(variable.map(|variable| Place { at: length + index, variable }));
            values.push(if variable.is_some() { UNSET } else { self.eval(arg).unwrap_or(UNSET) });
        }
        self.env.extend_from_slice(&values);
        self.env_base = length;
        let bounds = self.bounds(body, wanted, Scope { places: &places, ..scope });
        self.env.truncate(length);
        self.env_base = base;
        bounds
    }

    /// The variable without a value that an expression is.
    fn variable(&self, e: Ex, scope: Scope<'_>) -> Option<usize> {
        let Expr::Bound(level) = self.code.exprs[e as usize] else { return None };
        let at = self.env_base + level as usize;
        scope.places.iter().find(|place| place.at == at).map(|place| place.variable)
    }
}
