//! Initial states: initial values, axioms, the first threads.

use crate::Cut;
use crate::guided::Unset;
use crate::machine::Machine;
use crate::step::Outcome;
use crate::word::{UNSET, Word};

impl Machine<'_> {
    /// Sets up an initial state with the choices of the oracle. It is `Blocked` if the choices break an axiom.
    pub(crate) fn initialise(&mut self) -> Outcome {
        self.clear();
        self.assumed.clear();
        match self.try_initialise() {
            Ok(true) => Outcome::Moved,
            Ok(false) => Outcome::Blocked,
            Err(cut) => Outcome::Cut(cut),
        }
    }

    fn try_initialise(&mut self) -> Result<bool, Box<Cut>> {
        let code = self.code;
        for (at, global) in code.globals.iter().enumerate() {
            if let Some(init) = global.init {
                self.words[at] = self.eval(init)?;
            }
        }
        for &(a, b) in &code.distinct {
            if self.constant(a)? == self.constant(b)? {
                return Ok(false);
            }
        }
        for &(formula, span) in &code.axioms {
            match self.eval(formula) {
                Ok(0) => return Ok(false),
                Ok(_) => {}
                // Whoever recorded the run says that it holds.
                Err(cut) if self.recording && matches!(*cut, Cut::Unsupported(_)) => self.assumed.push(span),
                Err(cut) => return Err(cut),
            }
        }
        for &proc in &code.threads {
            self.spawn(proc, &[], 0)?;
        }
        self.settle()?;
        self.moment()?;
        Ok(true)
    }

    fn constant(&mut self, global: u32) -> Result<Word, Box<Cut>> {
        let code = self.code;
        if self.words[global as usize] == UNSET {
            let ty = &code.globals[global as usize].ty;
            self.words[global as usize] = self.choose_value(ty, Unset::Global(global))?;
        }
        Ok(self.words[global as usize])
    }
}
