//! The solver that the user wants.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use smt::{
    Answer, Cached, CrossCheck, Limits, Logged, Reason, SmtLib, Solver, SolverCommand, TermPool, Watched, Z3,
};

use crate::failure::Failure;
use crate::output;

/// A solver that takes longer to say that nothing contradicts itself does not understand what it is asked.
const FIRST_ANSWER: Duration = Duration::from_secs(10);

#[derive(Clone, Debug, Args)]
pub(crate) struct SolverOptions {
    /// The solver: the name or path of one that reads SMT-LIB 2, such as cvc5 [default: Z3, built in]
    #[arg(long, value_name = "SOLVER")]
    solver: Option<String>,
    /// Ask a second solver every question, too: the name or path of one that reads SMT-LIB 2, such as cvc5
    #[arg(long, value_name = "SOLVER")]
    cross_check: Option<String>,
    /// Write every question to the solver into this folder, as SMT-LIB 2
    #[arg(long, value_name = "DIR")]
    dump_smt: Option<PathBuf>,
}

/// Makes the solvers of one command.
pub(crate) struct Solvers<'a> {
    options: &'a SolverOptions,
    watched: Watched,
}

impl SolverOptions {
    /// Makes the folder for questions, and sees whether the named solvers can be asked at all.
    pub(crate) fn prepare(&self) -> Result<Solvers<'_>, Failure> {
        if let Some(folder) = &self.dump_smt {
            std::fs::create_dir_all(folder).map_err(|error| {
                Failure::Input(format!("error: cannot make the folder `{}`: {error}", folder.display()))
            })?;
        }
        for name in [&self.solver, &self.cross_check].into_iter().flatten() {
            can_be_asked(name)?;
        }
        let folder = self.dump_smt.clone().unwrap_or_else(std::env::temp_dir);
        Ok(Solvers { options: self, watched: Watched::new(folder) })
    }
}

impl Solvers<'_> {
    /// A solver; the files with its questions start with the prefix.
    pub(crate) fn make(&self, prefix: &str) -> Box<dyn Solver> {
        let mut solver: Box<dyn Solver> = match &self.options.solver {
            None => Box::new(Z3::new()),
            Some(name) => Box::new(process(name)),
        };
        if let Some(second) = &self.options.cross_check {
            solver = Box::new(CrossCheck::new(solver, process(second), &self.watched));
        }
        match &self.options.dump_smt {
            None => solver,
            Some(folder) => Box::new(Logged::new(solver, folder, prefix)),
        }
    }

    /// The same, for an engine that asks some questions again: it gets the answer that it got before.
    pub(crate) fn remembering(&self, prefix: &str) -> Box<dyn Solver> {
        Box::new(Cached::new(self.make(prefix)))
    }

    /// Whether what was found out can be relied on: not if two solvers contradicted each other, whatever the engine made of
    /// it. Says how much was looked at twice, unless nobody wants to know.
    pub(crate) fn agree(&self, quiet: bool) -> Result<(), Failure> {
        if let Some(contradiction) = self.watched.contradiction() {
            return Err(Failure::Solvers(contradiction.to_string()));
        }
        if let (Some(second), false) = (&self.options.cross_check, quiet) {
            let (questions, both) = (self.watched.questions(), self.watched.answered_by_both());
            let models = self.watched.evaluated();
            output::error(&format!(
                "note: cross-check: {second} agrees on {both} of {questions} questions; models found right by evaluation: {models}"
            ));
        }
        Ok(())
    }
}

/// Asks the simplest question; that a solver does not know is an answer.
fn can_be_asked(name: &str) -> Result<(), Failure> {
    let mut solver = process(name);
    solver.set_limits(Limits { time: Some(FIRST_ANSWER), ..Limits::default() });
    let why = match solver.check_sat(&TermPool::default(), &[]) {
        Ok(Answer::Unknown(Reason::Timeout)) => {
            format!("no answer to the simplest question in {} s", FIRST_ANSWER.as_secs())
        }
        Ok(Answer::Unknown(reason @ (Reason::Crashed(_) | Reason::Garbled(_)))) => reason.to_string(),
        _ => return Ok(()),
    };
    Err(Failure::Input(format!(
        "error: the solver `{name}` cannot be asked: {why}\n\
         help: name a solver that reads SMT-LIB 2 from its standard input, such as cvc5"
    )))
}

fn process(name: &str) -> SmtLib {
    SmtLib::new(SolverCommand::for_solver(name))
}
