//! The answer of an analysis, with everything that there is to tell about it.

use engine::{
    Attempt, Bounds, Budget, Cancel, Checks, Exhausted, Figures, Observer, Reason, Scheduler, SwitchAt,
    Valuation, Verdict,
};
use ir::Program;
use llvm::Patience;
use report::{Cost, Graph, Predicted, Report, Scheduled, TreeFigures, Wakeups};
use source::SourceMap;

use crate::args::OutputOptions;
use crate::failure::{Failure, exit_code};
use crate::forced::Forced;
use crate::load::{Loaded, Sources, load};
use crate::output;
use crate::outside::{Outside, peak_memory};

/// The answer of an analysis.
pub(crate) struct Answer {
    /// The command that it answers.
    pub(crate) command: &'static str,
    /// The program as the user named it.
    pub(crate) input: String,
    pub(crate) loaded: Loaded,
    pub(crate) verdict: Verdict,
    pub(crate) bounds: Bounds,
    pub(crate) checks: Checks,
    /// Why not everything was looked at although violations were found, if so.
    pub(crate) incomplete: Option<Reason>,
    pub(crate) valuations: Option<Vec<Valuation>>,
    pub(crate) figures: Option<Figures>,
    pub(crate) attempts: Vec<Attempt>,
    pub(crate) schedules: Vec<Scheduled>,
    pub(crate) tree: Option<TreeFigures>,
    /// The tree that proves that every schedule is safe, if it was found and is to be drawn.
    pub(crate) proof: Option<Graph>,
    pub(crate) predicted: Option<Predicted>,
    pub(crate) cost: Cost,
    /// Whether waits on condition variables that end without a signal were looked at.
    pub(crate) wakeups: Wakeups,
    /// The witness file of each violation, as far as they were written.
    pub(crate) witnesses: Vec<String>,
    /// For each violation, what the compiled program did when it was forced on it, as far as that was tried.
    pub(crate) forced: Vec<Option<Forced>>,
}

/// What an analysis says about its program before it has read it.
pub(crate) struct Reading<'a> {
    /// The command.
    pub(crate) command: &'static str,
    pub(crate) checks: Checks,
    pub(crate) output: &'a OutputOptions,
    pub(crate) budget: &'a Budget,
    pub(crate) cancel: &'a Cancel,
}

impl Reading<'_> {
    /// Reads the program, and shows progress from then on. If the budget is used up before, there is nothing to do but to answer
    /// that. What was told when the program was read before is not told `again`.
    pub(crate) fn of(
        &self,
        sources: Sources<'_>,
        again: bool,
        outside: &mut Outside,
    ) -> Result<Result<Loaded, Box<Answer>>, Failure> {
        let is_over = outside.is_over(*self.budget, self.cancel);
        let mut sources = sources;
        sources.building.patience = Patience::until(&is_over);
        let loaded = match load(sources, self.output.color, self.output.quiet || again) {
            Err(Failure::Unread) => {
                let why = outside.exhausted(self.budget, self.cancel);
                let answer = Answer::unread(self.command, sources.shown(), self.checks, why);
                return Ok(Err(Box::new(answer.took(outside, outside.now()))));
            }
            loaded => loaded?,
        };
        if !self.output.quiet {
            outside.show_progress();
        }
        Ok(Ok(loaded))
    }
}

impl Answer {
    /// An answer of which nothing more is known than this.
    pub(crate) fn new(
        command: &'static str,
        input: String,
        loaded: Loaded,
        checks: Checks,
        verdict: Verdict,
        bounds: Bounds,
    ) -> Self {
        Answer {
            command,
            input,
            loaded,
            verdict,
            bounds,
            checks,
            incomplete: None,
            valuations: None,
            figures: None,
            attempts: Vec::new(),
            schedules: Vec::new(),
            tree: None,
            proof: None,
            predicted: None,
            cost: Cost::default(),
            wakeups: Wakeups::AsRead,
            witnesses: Vec::new(),
            forced: Vec::new(),
        }
    }

    /// The answer if the budget was used up before the program was read.
    fn unread(command: &'static str, input: String, checks: Checks, why: Exhausted) -> Self {
        let loaded = Loaded {
            map: SourceMap::default(),
            program: Program::default(),
            response: None,
            sha256: Vec::new(),
            arguments: Vec::new(),
            compiled: None,
        };
        let bounds = Bounds {
            int_range: None,
            limits: None,
            unroll: None,
            scheduler: Scheduler::All,
            rounds: None,
            switch_at: SwitchAt::Visible,
            touched: Vec::new(),
        };
        Answer::new(command, input, loaded, checks, Verdict::Unknown(Reason::Exhausted(why)), bounds)
    }

    /// The same, with what it took until now; reading the program took `load`.
    pub(crate) fn took(mut self, outside: &Outside, load: std::time::Duration) -> Self {
        let frontend = self.loaded.compiled.as_ref().map(|compiled| compiled.cost);
        self.cost = Cost { total: outside.now(), load, frontend, peak_memory: peak_memory() };
        self
    }

    /// What there is to tell.
    pub(crate) fn report(&self) -> Report<'_> {
        Report {
            command: self.command,
            input: &self.input,
            program: &self.loaded.program,
            map: &self.loaded.map,
            verdict: &self.verdict,
            bounds: &self.bounds,
            checks: self.checks,
            incomplete: self.incomplete.as_ref(),
            valuations: self.valuations.as_deref(),
            figures: self.figures,
            attempts: &self.attempts,
            schedules: &self.schedules,
            tree: self.tree,
            proof: self.proof.as_ref(),
            predicted: self.predicted.as_ref(),
            cost: self.cost,
            wakeups: self.wakeups,
            witnesses: &self.witnesses,
            compiled: None,
        }
    }

    /// Tells it, and gives its exit code.
    pub(crate) fn tell(&self, options: &OutputOptions) -> Result<u8, Failure> {
        output::write(&self.report(), options)?;
        Ok(exit_code(&self.verdict))
    }
}
