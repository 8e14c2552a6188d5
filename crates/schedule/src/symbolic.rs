//! Programs on formulas: labels, and the steps of threads.
//!
//! A state is a value for each variable; a constant stands for each of them. A step says how they change. Nothing here asks a
//! solver.

mod initial;
mod label;
mod step;
mod variables;

use std::rc::Rc;

use formula::{Translator, Unsupported};
use interp::{Outline, SwitchAt};
use ir::Program;
use rustc_hash::FxHashMap;
use smt::TermId;

pub(crate) use label::Facts;
pub(crate) use step::{End, Path, Steps, Touch, Touched, leads_to};

use crate::Art;
use step::Situation;
use variables::Variables;

/// The terms of a tree and of its program, whose synchronization is expanded.
pub(crate) struct Symbolic<'a> {
    pub(crate) program: &'a Program,
    pub(crate) outline: Outline,
    pub(crate) formulas: Translator<'a>,
    pub(crate) variables: Variables,
    steps: FxHashMap<Situation, Rc<Steps>>,
    mentions: FxHashMap<TermId, Rc<[TermId]>>,
    parts: FxHashMap<TermId, Rc<[TermId]>>,
    /// Whether the parts of maps are values.
    values: FxHashMap<TermId, bool>,
    reads: FxHashMap<ir::ExprId, Rc<[step::Read]>>,
}

impl<'a> Symbolic<'a> {
    /// Takes the terms of a tree. The error says what is wrong with them.
    pub(crate) fn new(program: &'a Program, art: &Art, switch_at: SwitchAt) -> Result<Self, String> {
        Ok(Symbolic {
            program,
            outline: Outline::new(program, switch_at),
            formulas: Translator::with_pool(program, art.pool.clone()),
            variables: Variables::new(art, program)?,
            steps: FxHashMap::default(),
            mentions: FxHashMap::default(),
            parts: FxHashMap::default(),
            values: FxHashMap::default(),
            reads: FxHashMap::default(),
        })
    }

    /// The constant that stands for a variable of the program.
    pub(crate) fn constant_of(&mut self, variable: crate::Variable) -> Result<TermId, Unsupported> {
        use crate::Variable::{Global, Local, Result};
        Ok(match variable {
            Global(id) => self.variables.globals[id],
            Local { thread, frame, proc, local } => {
                self.variables.frame(&mut self.formulas, thread, frame, proc)?[variables::position(local)]
            }
            Result { thread, proc, index } => {
                self.variables.result(&mut self.formulas, thread, proc, index as usize)?
            }
        })
    }

    /// Makes the constants of the globals, and gives the axioms.
    pub(crate) fn declare(&mut self) -> Result<Vec<TermId>, Unsupported> {
        self.variables.declare_globals(&mut self.formulas)?;
        self.formulas.axioms()
    }
}
