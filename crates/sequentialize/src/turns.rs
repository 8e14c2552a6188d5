//! Who runs when in a stem and a lasso: round by round, in each round the tasks by their numbers.

use crate::Lasso;
use crate::script::Script;

/// A place in the schedule.
pub(crate) struct Turns {
    /// The rounds before the lasso, and all rounds.
    stem: u64,
    rounds: u64,
    /// For each task, by its number less one, the act with which it begins the lasso; past the last one if it has none.
    lasso: Vec<usize>,
    /// Which tasks are started in the lasso.
    transient: Vec<bool>,
    round: u64,
    number: usize,
}

impl Turns {
    pub(crate) fn new(lasso: &Lasso, script: &Script<'_>) -> Turns {
        let stem = u64::from(lasso.stem);
        let first = |number: usize| {
            let acts = script.acts(number);
            acts.iter().position(|act| act.round >= stem).unwrap_or(acts.len())
        };
        Turns {
            stem,
            rounds: stem + u64::from(lasso.lasso),
            lasso: (1..=script.tasks.len()).map(first).collect(),
            transient: script.tasks.iter().map(|task| task.begins_in >= stem).collect(),
            round: 0,
            number: 1,
        }
    }

    /// The act with which a task begins the lasso.
    pub(crate) fn first(&self, number: usize) -> usize {
        number.checked_sub(1).and_then(|at| self.lasso.get(at)).copied().unwrap_or(usize::MAX)
    }

    /// The number of the task that runs next, or nothing where the lasso begins, once or again. `begun` says how many
    /// acts of each task, by its number, are done.
    pub(crate) fn next(&mut self, script: &Script<'_>, begun: &mut [usize]) -> Result<Option<usize>, String> {
        loop {
            if self.number <= script.tasks.len() {
                let act = script.acts(self.number).get(begun[self.number]);
                if act.is_some_and(|act| act.round == self.round) {
                    return Ok(Some(self.number));
                }
                self.number += 1;
                continue;
            }
            self.number = 1;
            self.round += 1;
            if self.round == self.rounds {
                self.round = self.stem;
                self.rewind(script, begun)?;
                return Ok(None);
            }
            if self.round == self.stem {
                return Ok(None);
            }
        }
    }

    fn rewind(&self, script: &Script<'_>, begun: &mut [usize]) -> Result<(), String> {
        for (number, begun) in begun.iter_mut().enumerate().skip(1) {
            if *begun != script.acts(number).len() {
                return Err(format!("task {number} does not come to the end of the lasso"));
            }
            *begun = if self.transient[number - 1] { 0 } else { self.lasso[number - 1] };
        }
        Ok(())
    }
}
