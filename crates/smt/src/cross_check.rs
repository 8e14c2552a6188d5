//! Two solvers that watch each other.

use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::{Duration, Instant};

use crate::evaluate::Evaluation;
use crate::log::keep;
use crate::scope::ScopedSet;
use crate::{Answer, Error, Limits, Reason, Solver, TermId, TermPool, Value, script};

/// How many times as long as the first solver the second may take, and for how long at least.
const PATIENCE: u32 = 20;
const LEAST: Duration = Duration::from_secs(10);

/// What came out of asking twice, shared by all solvers that are watched together.
#[derive(Clone, Debug)]
pub struct Watched {
    folder: PathBuf,
    found: Rc<RefCell<Found>>,
}

#[derive(Debug, Default)]
struct Found {
    questions: u64,
    answered_by_both: u64,
    evaluated: u64,
    contradiction: Option<Error>,
}

impl Watched {
    /// Nothing yet. A question that solvers contradict each other about is kept in the folder, which has to exist.
    #[must_use]
    pub fn new(folder: PathBuf) -> Self {
        Watched { folder, found: Rc::default() }
    }

    /// How many questions there were.
    #[must_use]
    pub fn questions(&self) -> u64 {
        self.found.borrow().questions
    }

    /// How many of them both solvers answered.
    #[must_use]
    pub fn answered_by_both(&self) -> u64 {
        self.found.borrow().answered_by_both
    }

    /// How many models were found to be right by evaluation.
    #[must_use]
    pub fn evaluated(&self) -> u64 {
        self.found.borrow().evaluated
    }

    /// The first contradiction. Nothing that was found out since can be relied on.
    #[must_use]
    pub fn contradiction(&self) -> Option<Error> {
        self.found.borrow().contradiction.clone()
    }
}

/// Asks two solvers the same. If they contradict each other, or a model does not satisfy what was asked, that is an error,
/// now and for every question that follows; if one cannot tell, the other's answer counts.
pub struct CrossCheck<A, B> {
    first: A,
    second: B,
    limits: Limits,
    asserted: ScopedSet<TermId>,
    watched: Watched,
    /// Whether models and cores come from the second solver.
    from_second: bool,
}

impl<A: Solver, B: Solver> CrossCheck<A, B> {
    /// Two solvers with nothing asserted. Models and cores come from the first where it has an answer.
    pub fn new(first: A, second: B, watched: &Watched) -> Self {
        let (limits, asserted, watched) = (Limits::default(), ScopedSet::default(), watched.clone());
        CrossCheck { first, second, limits, asserted, watched, from_second: false }
    }

    /// Asks the second solver, for a few times as long as the first took: if it took all the time that is left, the search would
    /// end for the sake of one question that is answered already. What is too hard for the work allowed is asked again by
    /// who allowed no more; the second counts no work.
    fn ask_second(
        &mut self,
        pool: &TermPool,
        assumptions: &[TermId],
        first: &Answer,
        started: Instant,
    ) -> Result<Answer, Error> {
        if matches!(first, Answer::Unknown(Reason::Effort | Reason::Cancelled)) {
            return Ok(first.clone());
        }
        let took = started.elapsed();
        let patience = match first {
            Answer::Sat | Answer::Unsat => took.saturating_mul(PATIENCE).max(LEAST),
            Answer::Unknown(_) => Duration::MAX,
        };
        let left = self.limits.time.map_or(Duration::MAX, |time| time.saturating_sub(took));
        if left.is_zero() {
            return Ok(Answer::Unknown(Reason::Timeout));
        }
        let time = Some(left.min(patience)).filter(|time| *time < Duration::MAX);
        self.second.set_limits(Limits { time, ..self.limits.clone() });
        self.second.check_sat(pool, assumptions)
    }

    /// Whether the model satisfies everything that was asked; nothing if that cannot be told.
    fn is_model(&mut self, pool: &TermPool, assumptions: &[TermId]) -> Option<bool> {
        let solver: &mut dyn Solver = if self.from_second { &mut self.second } else { &mut self.first };
        let mut look_up = |term| solver.value(pool, term).ok();
        let mut evaluation = Evaluation::new(pool, &mut look_up);
        let mut result = Some(true);
        for formula in self.asserted.iter().chain(assumptions) {
            match evaluation.holds(*formula) {
                Some(true) => {}
                Some(false) => return Some(false),
                None => result = None,
            }
        }
        result
    }

    /// Keeps the question and remembers that nothing holds any more.
    fn contradiction(
        &self,
        pool: &TermPool,
        assumptions: &[TermId],
        says: &str,
        make: impl FnOnce(PathBuf) -> Error,
    ) -> Error {
        let text = format!("; {says}\n{}", script(pool, self.asserted.iter().copied(), assumptions, None));
        let error =
            keep(&self.watched.folder, "raddle-contradiction-", &text).map_or_else(|error| error, make);
        self.watched.found.borrow_mut().contradiction = Some(error.clone());
        error
    }

    fn compare(
        &mut self,
        pool: &TermPool,
        assumptions: &[TermId],
        first: Answer,
        second: Answer,
    ) -> Result<Answer, Error> {
        self.from_second = matches!(first, Answer::Unknown(_)) && !matches!(second, Answer::Unknown(_));
        match (&first, &second) {
            (Answer::Sat, Answer::Unsat) | (Answer::Unsat, Answer::Sat) => {
                self.from_second = second == Answer::Sat;
                let evaluated = self.is_model(pool, assumptions);
                let (mut sat, mut unsat) = (self.first.name(), self.second.name());
                if self.from_second {
                    std::mem::swap(&mut sat, &mut unsat);
                }
                let says = format!("{sat} says sat, {unsat} says unsat");
                Err(self.contradiction(pool, assumptions, &says, |file| Error::Disagreement {
                    sat,
                    unsat,
                    evaluated,
                    file,
                }))
            }
            (Answer::Sat, _) | (_, Answer::Sat) => match self.is_model(pool, assumptions) {
                Some(false) => {
                    let solver = if self.from_second { self.second.name() } else { self.first.name() };
                    let says = format!("{solver} says sat, with a model that does not satisfy this");
                    Err(self
                        .contradiction(pool, assumptions, &says, |file| Error::WrongModel { solver, file }))
                }
                evaluated => {
                    self.watched.found.borrow_mut().evaluated += u64::from(evaluated == Some(true));
                    Ok(Answer::Sat)
                }
            },
            _ => Ok(if self.from_second { second } else { first }),
        }
    }
}

impl<A: Solver, B: Solver> Solver for CrossCheck<A, B> {
    fn name(&self) -> String {
        format!("{} against {}", self.first.name(), self.second.name())
    }

    fn set_limits(&mut self, limits: Limits) {
        self.first.set_limits(limits.clone());
        self.limits = limits;
    }

    fn push(&mut self) {
        self.asserted.push();
        self.first.push();
        self.second.push();
    }

    fn pop(&mut self, levels: usize) {
        self.asserted.pop(levels);
        self.first.pop(levels);
        self.second.pop(levels);
    }

    fn assert(&mut self, pool: &TermPool, term: TermId) {
        self.asserted.insert(term);
        self.first.assert(pool, term);
        self.second.assert(pool, term);
    }

    fn check_sat(&mut self, pool: &TermPool, assumptions: &[TermId]) -> Result<Answer, Error> {
        if let Some(error) = self.watched.contradiction() {
            return Err(error);
        }
        let started = Instant::now();
        let first = self.first.check_sat(pool, assumptions)?;
        let second = self.ask_second(pool, assumptions, &first, started)?;
        {
            let mut found = self.watched.found.borrow_mut();
            found.questions += 1;
            let known = |answer: &Answer| !matches!(answer, Answer::Unknown(_));
            found.answered_by_both += u64::from(known(&first) && known(&second));
        }
        self.compare(pool, assumptions, first, second)
    }

    fn unsat_core(&mut self, pool: &TermPool) -> Result<Vec<TermId>, Error> {
        if self.from_second { self.second.unsat_core(pool) } else { self.first.unsat_core(pool) }
    }

    fn value(&mut self, pool: &TermPool, term: TermId) -> Result<Value, Error> {
        if self.from_second { self.second.value(pool, term) } else { self.first.value(pool, term) }
    }
}
