//! A solver that writes down what it is asked.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::scope::ScopedSet;
use crate::{Answer, Error, Limits, Solver, TermId, TermPool, Value, script};

/// Writes each query as a complete `.smt2` file, numbered, into a folder. The file is there before the solver starts,
/// so that a query that kills everything can be replayed; once the answer is known, the file says so.
pub struct Logged<S> {
    inner: S,
    folder: PathBuf,
    prefix: String,
    count: u64,
    asserted: ScopedSet<TermId>,
}

impl<S: Solver> Logged<S> {
    /// A log in a folder that exists. The prefix keeps the files of several solvers apart.
    pub fn new(inner: S, folder: &Path, prefix: &str) -> Self {
        let (folder, prefix) = (folder.to_owned(), prefix.to_owned());
        Logged { inner, folder, prefix, count: 0, asserted: ScopedSet::default() }
    }

    fn write(&self, pool: &TermPool, assumptions: &[TermId], status: Option<&str>) -> Result<(), Error> {
        let text = script(pool, self.asserted.iter().copied(), assumptions, status);
        let path = self.folder.join(format!("{}{:06}.smt2", self.prefix, self.count));
        write_whole(&self.folder, &path, &text)
            .map_err(|error| Error::Log(format!("`{}`: {error}", path.display())))
    }
}

/// Under a temporary name first, so that nobody ever sees half a file.
fn write_whole(folder: &Path, path: &Path, text: &str) -> io::Result<()> {
    let mut file = NamedTempFile::new_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.persist(path)?;
    Ok(())
}

/// Writes a file that nobody else has, with a name that starts with the prefix, and says where it is.
pub(crate) fn keep(folder: &Path, prefix: &str, text: &str) -> Result<PathBuf, Error> {
    let write = || -> io::Result<PathBuf> {
        let mut file = tempfile::Builder::new().prefix(prefix).suffix(".smt2").tempfile_in(folder)?;
        file.write_all(text.as_bytes())?;
        Ok(file.keep()?.1)
    };
    write().map_err(|error| Error::Log(format!("in `{}`: {error}", folder.display())))
}

impl<S: Solver> Solver for Logged<S> {
    fn name(&self) -> String {
        self.inner.name()
    }

    fn set_limits(&mut self, limits: Limits) {
        self.inner.set_limits(limits);
    }

    fn push(&mut self) {
        self.asserted.push();
        self.inner.push();
    }

    fn pop(&mut self, levels: usize) {
        self.asserted.pop(levels);
        self.inner.pop(levels);
    }

    fn assert(&mut self, pool: &TermPool, term: TermId) {
        self.asserted.insert(term);
        self.inner.assert(pool, term);
    }

    fn check_sat(&mut self, pool: &TermPool, assumptions: &[TermId]) -> Result<Answer, Error> {
        self.count += 1;
        self.write(pool, assumptions, None)?;
        let answer = self.inner.check_sat(pool, assumptions)?;
        match answer {
            Answer::Sat => self.write(pool, assumptions, Some("sat"))?,
            Answer::Unsat => self.write(pool, assumptions, Some("unsat"))?,
            Answer::Unknown(_) => {}
        }
        Ok(answer)
    }

    fn unsat_core(&mut self, pool: &TermPool) -> Result<Vec<TermId>, Error> {
        self.inner.unsat_core(pool)
    }

    fn value(&mut self, pool: &TermPool, term: TermId) -> Result<Value, Error> {
        self.inner.value(pool, term)
    }
}
