//! Initial states: initial values, axioms, the first threads.

use crate::guided::Unset;
use crate::machine::Machine;
use crate::step::Outcome;
use crate::word::{UNSET, Word};

impl Machine<'_> {
    /// Sets up an initial state with the choices of the oracle. It is `Blocked` if the choices break an axiom.
    pub(crate) fn initialise(&mut self) -> Outcome {
        self.clear();
        match self.try_initialise() {
            Ok(true) => Outcome::Moved,
            Ok(false) => Outcome::Blocked,
            Err(cut) => Outcome::Cut(cut),
        }
    }

    fn try_initialise(&mut self) -> Result<bool, Box<crate::Cut>> {
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
        for &(formula, _) in &code.axioms {
            if self.eval(formula)? == 0 {
                return Ok(false);
            }
        }
        for &proc in &code.threads {
            self.spawn(proc, &[], 0)?;
        }
        self.settle()?;
        Ok(true)
    }

    fn constant(&mut self, global: u32) -> Result<Word, Box<crate::Cut>> {
        let code = self.code;
        if self.words[global as usize] == UNSET {
            let ty = &code.globals[global as usize].ty;
            self.words[global as usize] = self.choose_value(ty, Unset::Global(global))?;
        }
        Ok(self.words[global as usize])
    }
}
