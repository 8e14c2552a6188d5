//! What clang made of a program, for all who read it in this process: `raddle check` asks many questions about one program, and one
//! that waits for condition variables is read twice. To compile takes longer than all else with most programs, above all in C++.
//!
//! Invariant: nothing but clang writes into the folder, so that those who read the program at once do not meet there.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use llvm::{Inputs, LoadError, Loaded};
use source::SourceMap;
use tempfile::TempDir;

/// The program that was compiled last, as long as somebody has it.
static LATEST: Mutex<Weak<Built>> = Mutex::new(Weak::new());

/// A program as clang made it. Its folder goes away with it.
#[derive(Debug)]
pub(crate) struct Built {
    folder: TempDir,
    files: Vec<PathBuf>,
    flags: Vec<String>,
    /// Where clang ran.
    from: Option<PathBuf>,
    /// One module for each file, once there are any.
    modules: Mutex<Option<Vec<PathBuf>>>,
}

impl Built {
    /// A place for a program; that of another reader if it is the same program.
    pub(super) fn of(inputs: Inputs<'_>) -> std::io::Result<Arc<Self>> {
        let mut latest = LATEST.lock().unwrap_or_else(PoisonError::into_inner);
        let is_same = |built: &Arc<Built>| {
            (&*built.files, &*built.flags, built.from.as_deref())
                == (inputs.files, inputs.flags, inputs.folder)
        };
        if let Some(built) = latest.upgrade().filter(is_same) {
            return Ok(built);
        }
        let built = Arc::new(Built {
            folder: tempfile::tempdir()?,
            files: inputs.files.to_vec(),
            flags: inputs.flags.to_vec(),
            from: inputs.folder.map(PathBuf::from),
            modules: Mutex::new(None),
        });
        *latest = Arc::downgrade(&built);
        Ok(built)
    }

    /// The modules, one for each file, with what clang says if it is asked: who comes first has it compile the program.
    pub(super) fn compile(&self, inputs: Inputs<'_>) -> Result<(Vec<PathBuf>, String), LoadError> {
        let mut modules = self.modules.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(modules) = &*modules {
            return Ok((modules.clone(), String::new()));
        }
        let (made, messages) = llvm::compile(Inputs { scratch: self.folder.path(), ..inputs })?;
        *modules = Some(made.clone());
        Ok((made, messages))
    }

    /// Reads the program from its modules.
    pub(super) fn load(
        &self,
        modules: &[PathBuf],
        inputs: Inputs<'_>,
        map: &mut SourceMap,
    ) -> Result<Loaded, LoadError> {
        let inputs = Inputs { files: modules, folder: None, scratch: self.folder.path(), ..inputs };
        llvm::load(inputs, map).map_err(|error| error.about(modules, &self.files))
    }
}
