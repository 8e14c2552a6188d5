//! Whether the axioms of a program can hold at all.
//!
//! Preludes that other tools write are long, and some of them contradict themselves, as `(forall a, b: int :: q(a, b) * b <= a && a <
//! (q(a, b) + 1) * b)` does where `b` is 0. Then no run is a run of the program, and "nothing is wrong" would be true of
//! every program. Who relies on instances by triggers may never notice.

use std::time::Duration;

use formula::Translator;
use smt::{Answer, Limits, Solver, Term};
use source::Span;

use crate::{Error, Statistics};

/// What the question may take, in the solver's own units: less than a second.
const EFFORT: u32 = 500_000;
/// The same for solvers that do not count.
const TIME: Duration = Duration::from_secs(1);

/// Looks for a contradiction. That none is found does not mean that there is none.
pub(crate) fn consistent(
    translator: &mut Translator<'_>,
    solver: &mut dyn Solver,
    watch: &mut dyn FnMut(&Statistics) -> Option<Limits>,
) -> Result<(), Error> {
    let axioms = translator.stated()?;
    let pool = &translator.pool;
    let mut quantified = false;
    let terms: Vec<_> = axioms.iter().map(|(term, _)| *term).collect();
    pool.for_each_in(&terms, |_, term| quantified |= matches!(term, Term::Quant(_)));
    if !quantified {
        return Ok(());
    }
    let Some(limits) = watch(&Statistics::default()) else { return Ok(()) };
    let time = limits.time.map_or(TIME, |time| time.min(TIME));
    solver.set_limits(Limits { time: Some(time), effort: Some(EFFORT), ..limits });
    solver.push();
    let answer = solver.check_sat(pool, &terms)?;
    let mut result = Ok(());
    if answer == Answer::Unsat {
        let core = solver.unsat_core(pool)?;
        let one = axioms.iter().find(|(term, _)| core.contains(term)).or(axioms.first());
        result = Err(Error::Contradiction(one.map_or(Span::NONE, |(_, span)| *span)));
    }
    solver.pop(1);
    result
}
