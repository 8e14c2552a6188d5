//! The search: which sites to inline, and when to stop.

use cranelift_entity::EntityRef;
use ir::Program;
use rustc_hash::FxHashSet;
use smt::{Answer, Reason, Solver, TermId};

use crate::axioms;
use crate::encode::Encoder;
use crate::graph::SiteId;
use crate::path::{Model, trace, way};
use crate::{Error, Options, Outcome, Statistics, Watch};
use formula::Translator;

struct Search<'a, 'p> {
    encoder: Encoder<'p>,
    solver: &'a mut dyn Solver,
    watch: Watch<'a>,
    statistics: Statistics,
    /// The sites that are not inlined.
    open: Vec<SiteId>,
    /// How many sites of the graph were seen.
    seen: usize,
}

pub(crate) fn search<'a>(
    program: &'a Program,
    mut solver: &'a mut dyn Solver,
    options: &Options<'a>,
    mut watch: Watch<'a>,
) -> Result<(Outcome, Statistics), Error> {
    let mut translator = Translator::new(program);
    if options.doubt_axioms {
        axioms::consistent(&mut translator, solver, watch)?;
    }
    let mut statistics = Statistics { unroll: options.unroll.min(1), ..Statistics::default() };
    // With a larger bound the formulas are made anew: most loops are then gone round without being asked for, and
    // what they do need not be told through constants that stand for it.
    loop {
        let encoder = Encoder::new(translator, options, statistics.unroll);
        let mut search = Search { encoder, solver, watch, statistics, open: Vec::new(), seen: 0 };
        search.solver.push();
        let outcome = match search.run(program, options) {
            // It had a model and could not show it in time: an answer, too.
            Err(Error::Solver(smt::Error::GaveUp(reason))) => Some(Outcome::Unknown(reason)),
            other => other?,
        };
        statistics = search.statistics;
        let bound = statistics.unroll;
        match outcome {
            Some(outcome) => return Ok((outcome, statistics)),
            None if bound >= options.unroll => {
                return Ok((Outcome::SafeWithin { unroll: bound }, statistics));
            }
            None => {}
        }
        search.solver.pop(1);
        Search { encoder: Encoder { translator, .. }, solver, watch, .. } = search;
        statistics.unroll = bound.saturating_mul(2).max(1).min(options.unroll);
    }
}

impl Search<'_, '_> {
    /// Searches within the bound; nothing if there is no run within it, but there may be others.
    fn run(&mut self, program: &Program, options: &Options<'_>) -> Result<Option<Outcome>, Error> {
        let (root, goal) = self.encoder.start()?;
        if self.encoder.stopped {
            return Ok(Some(Outcome::Unknown(Reason::Cancelled)));
        }
        let Some(goal) = goal else { return self.touched() };
        loop {
            self.update();
            // Under-approximation: nothing that is not inlined can be passed.
            let mut assumed = vec![goal];
            assumed.extend(self.closed());
            match self.check(&assumed)? {
                Answer::Sat => {
                    let mut model = Model::new(self.solver, &self.encoder.translator.pool);
                    let way = way(&self.encoder, root, &mut model)?;
                    let trace = trace(program, &self.encoder, &way, options, &mut model)?;
                    return Ok(Some(Outcome::Violated(trace)));
                }
                Answer::Unknown(reason) => return Ok(Some(Outcome::Unknown(reason))),
                Answer::Unsat => {}
            }
            if self.open.is_empty() || self.core()?.iter().all(|term| *term == goal) {
                break;
            }
            // Over-approximation: what is not inlined does anything.
            match self.check(&[goal])? {
                Answer::Sat => self.expand_on_way(root)?,
                Answer::Unsat => break,
                Answer::Unknown(reason) => return Ok(Some(Outcome::Unknown(reason))),
            }
            if self.encoder.stopped {
                return Ok(Some(Outcome::Unknown(Reason::Cancelled)));
            }
        }
        self.touched()
    }

    /// There is no run within the bound: was that touched?
    fn touched(&mut self) -> Result<Option<Outcome>, Error> {
        let Some(beyond) = self.encoder.beyond_bound() else { return Ok(Some(Outcome::Safe)) };
        self.update();
        match self.check(&[beyond])? {
            Answer::Sat => Ok(None),
            Answer::Unknown(reason) => Ok(Some(Outcome::Unknown(reason))),
            Answer::Unsat => Ok(Some(Outcome::Safe)),
        }
    }

    /// Tells the solver what is new.
    fn update(&mut self) {
        for formula in self.encoder.take_formulas() {
            self.solver.assert(&self.encoder.translator.pool, formula);
            self.statistics.formulas += 1;
        }
        let sites = self.encoder.graph.sites.len();
        self.open.extend((self.seen..sites).map(SiteId::new));
        self.seen = sites;
    }

    /// That no open site is passed.
    fn closed(&mut self) -> Vec<TermId> {
        let encoder = &mut self.encoder;
        let goals = self.open.iter().flat_map(|site| &encoder.graph.sites[*site].goals);
        let pool = &mut encoder.translator.pool;
        goals.map(|goal| pool.not(*goal)).collect()
    }

    fn check(&mut self, assumptions: &[TermId]) -> Result<Answer, Error> {
        let Some(limits) = (self.watch)(&self.statistics) else {
            return Ok(Answer::Unknown(Reason::Cancelled));
        };
        self.statistics.queries += 1;
        self.solver.set_limits(limits);
        Ok(self.solver.check_sat(&self.encoder.translator.pool, assumptions)?)
    }

    fn core(&mut self) -> Result<Vec<TermId>, Error> {
        Ok(self.solver.unsat_core(&self.encoder.translator.pool)?)
    }

    /// Inlines the sites on the way that the last model takes.
    fn expand_on_way(&mut self, root: crate::graph::InstanceId) -> Result<(), Error> {
        let mut model = Model::new(self.solver, &self.encoder.translator.pool);
        let passed: FxHashSet<SiteId> = way(&self.encoder, root, &mut model)?.open.into_iter().collect();
        let mut wanted = Vec::new();
        self.open.retain(|site| {
            let expand = passed.contains(site);
            if expand {
                wanted.push(*site);
            }
            !expand
        });
        for site in wanted {
            self.encoder.expand(site)?;
            self.statistics.inlined += 1;
        }
        Ok(())
    }
}
