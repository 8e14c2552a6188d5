//! One window: its questions, the orders that answer them, and the runs that show that the answers are right.

use engine::{Claim, Disagreement, Finding, ViolationKind, confirm};
use interp::{Config, Fairness, Run};
use ir::Program;
use rustc_hash::FxHashMap;

use crate::ctp::Ev;
use crate::encode::{Encoding, Model, Undecided};
use crate::outcome::Found;
use crate::pins::Pins;
use crate::record::Recording;
use crate::witness::{self, Script};

/// What questions are asked about.
pub(crate) struct Search<'s, 'e, 'p, 'a> {
    pub(crate) encoding: Encoding<'e, 'p, 'a>,
    pub(crate) program: &'s Program,
    pub(crate) config: &'s Config,
    pub(crate) recording: &'s Recording,
    pub(crate) pins: &'s Pins,
    /// The step with which the window begins.
    pub(crate) start: usize,
    pub(crate) found: &'s mut Found,
}

impl Search<'_, '_, '_, '_> {
    /// The run that has the events of a model in order, and then perhaps a step of a thread that fails.
    pub(crate) fn run(&self, model: &Model, fails: Option<usize>) -> Result<Run, String> {
        let events = &self.encoding.ctp.events;
        let mut steps: Vec<usize> = (0..self.start).collect();
        steps.extend(model.order.iter().map(|event| events[*event].step));
        let chosen: FxHashMap<usize, i64> =
            model.chosen.iter().map(|(event, value)| (events[*event].step, *value)).collect();
        let script = Script {
            steps,
            fails,
            chosen,
            subject: self.encoding.executor.subject,
            recording: self.recording,
            pins: self.pins,
        };
        witness::run(self.program, self.config, &script).map_err(|error| error.to_string())
    }

    /// Shows that a run ends in a violation, and keeps it.
    pub(crate) fn show(&mut self, kind: ViolationKind, run: Result<Run, String>) {
        let claim = Claim { kind, fairness: Fairness::None, at: None };
        let confirmed = run.and_then(|run| {
            confirm(self.program, self.config, &run, claim).map_err(|error: Disagreement| error.to_string())
        });
        self.keep(confirmed);
    }

    pub(crate) fn keep(&mut self, confirmed: Result<Finding, String>) {
        match confirmed {
            Ok(finding) => self.found.add(finding),
            Err(why) => self.found.unconfirmed.push(why),
        }
    }

    /// Notes that a question has no answer; returns whether it is to be asked again when it may be more work. What the watch stops ends
    /// the search.
    pub(crate) fn undecided(&mut self, why: Undecided) -> Result<bool, Undecided> {
        match why {
            Undecided::Stopped => Err(why),
            Undecided::Effort => Ok(true),
            Undecided::Solver(_) => {
                self.found.undecided.get_or_insert(why);
                Ok(false)
            }
        }
    }

    pub(crate) fn position(model: &Model) -> FxHashMap<Ev, usize> {
        model.order.iter().enumerate().map(|(at, event)| (*event, at)).collect()
    }
}
