//! The solver that the user wants.

use std::path::PathBuf;

use clap::Args;
use smt::{Logged, SmtLib, Solver, SolverCommand, Z3};

use crate::failure::Failure;

#[derive(Clone, Debug, Args)]
pub(crate) struct SolverOptions {
    /// The solver: the name or path of one that reads SMT-LIB 2, such as cvc5 [default: Z3, built in]
    #[arg(long, value_name = "SOLVER")]
    solver: Option<String>,
    /// Write every question to the solver into this folder, as SMT-LIB 2
    #[arg(long, value_name = "DIR")]
    dump_smt: Option<PathBuf>,
}

impl SolverOptions {
    /// Makes the folder for questions.
    pub(crate) fn prepare(&self) -> Result<(), Failure> {
        let Some(folder) = &self.dump_smt else { return Ok(()) };
        std::fs::create_dir_all(folder).map_err(|error| {
            Failure::Input(format!("error: cannot make the folder `{}`: {error}", folder.display()))
        })
    }

    /// A solver; the files with its questions start with the prefix.
    pub(crate) fn make(&self, prefix: &str) -> Box<dyn Solver> {
        let solver: Box<dyn Solver> = match &self.solver {
            None => Box::new(Z3::new()),
            Some(name) => Box::new(SmtLib::new(SolverCommand::for_solver(name))),
        };
        match &self.dump_smt {
            None => solver,
            Some(folder) => Box::new(Logged::new(solver, folder, prefix)),
        }
    }
}
