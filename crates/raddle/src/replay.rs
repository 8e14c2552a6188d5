//! `raddle replay`.

use std::path::PathBuf;
use std::time::Duration;

use engine::{
    Bounds, Checks, Observer, Verdict, ViolationKind, Witness, confirm, confirm_atomicity, location_of,
};
use report::{Cost, Report, Wakeups};

use crate::args::ReplayOptions;
use crate::failure::{Failure, VIOLATION};
use crate::forced::{Force, Forced};
use crate::interrupt::on_interrupt;
use crate::load::{Building, Loaded, Sources, load};
use crate::outside::{Outside, peak_memory};
use crate::{output, repeated, witness_file};

/// How many seconds a compiled program may take, if nothing else is said.
const PATIENCE: f64 = 10.0;

/// How often a compiled program goes round what is repeated, if nothing else is said.
const ROUNDS: u32 = 10;

/// Replays a witness and shows the violation again.
pub(crate) fn run(options: &ReplayOptions, outside: &Outside) -> Result<u8, Failure> {
    if repeated::is_trace(&options.witness) {
        return repeated::run(options);
    }
    if let Some(path) = &options.program {
        let text = format!(
            "error: a witness names its program\nhelp: --program is for traces; leave out `{}`",
            path.display()
        );
        return Err(Failure::Input(text));
    }
    if !options.arguments.is_empty() {
        let text = "error: a witness names the arguments of its program\nhelp: arguments after `--` are for traces; leave them out";
        return Err(Failure::Input(text.to_owned()));
    }
    output::check_folder(&options.output)?;
    let witness = witness_file::read(&options.witness)?;
    let shown = options.witness.display();
    let program = Program::find(&witness, options)?;
    let building = program.building(&witness);
    let sources = Sources {
        files: &program.files,
        entry: witness.entry.as_deref(),
        responds: witness.responds.as_deref(),
        building,
    };
    let mut loaded = load(sources, options.output.color, options.output.quiet)?;
    if building.transactions {
        // What the analysis does not know has, in what is predicted from a run, the results of that run.
        loaded.program = predict::observed(&loaded.program).0;
    }
    let load_time = outside.now();
    if loaded.sha256 != program.sha256 && !options.force {
        return Err(Failure::Input(format!(
            "error: `{}` is not the program that `{shown}` was made for: its content has changed\nhelp: explore it \
             again for a new witness, or try this one anyway with --force",
            sources.shown()
        )));
    }
    if options.gdb && loaded.compiled.is_none() {
        let text = "error: only programs in C and C++ can be run under gdb\nhelp: leave out --gdb";
        return Err(Failure::Input(text.to_owned()));
    }
    let config = witness.config(loaded.response);
    let misfit =
        |what: String| Failure::Input(format!("error: `{shown}` does not fit `{}`: {what}", sources.shown()));
    let confirmed = match &witness.violation.atomicity {
        Some(claim) => confirm_atomicity(&loaded.program, &config, &witness.run, claim),
        None => confirm(&loaded.program, &config, &witness.run, witness.violation.claim()),
    };
    let finding = confirmed.map_err(|disagreement| misfit(disagreement.to_string()))?;
    if !options.force {
        check_claim(&witness, &finding, &loaded).map_err(misfit)?;
    }
    let forced = match &loaded.compiled {
        Some(compiled) if !options.no_run => {
            let cancel = on_interrupt();
            let force = Force {
                names: &program.files,
                flags: building.flags,
                arguments: building.arguments,
                rounds: options.lasso_rounds.unwrap_or(ROUNDS),
                patience: Duration::from_secs_f64(options.timeout.unwrap_or(PATIENCE)),
                deadline: None,
                gdb: options.gdb,
                silent: false,
                progress: !options.output.quiet,
                cancel: Some(&cancel),
            };
            Some(force.run(&loaded, compiled, &finding)?)
        }
        _ => None,
    };
    let mut bounds = Bounds::of(&config, false, &[]);
    // A run either exists or not: nothing that was not explored can change that.
    bounds.touched.clear();
    let kind = finding.kind();
    let verdict = Verdict::Unsafe(vec![finding]);
    let input = sources.shown();
    let report = Report {
        command: "replay",
        input: &input,
        program: &loaded.program,
        map: &loaded.map,
        verdict: &verdict,
        bounds: &bounds,
        checks: Checks {
            assertions: kind == ViolationKind::Assertion,
            memory: kind == ViolationKind::Memory,
            deadlocks: kind == ViolationKind::Deadlock,
            races: kind == ViolationKind::DataRace,
            non_termination: (kind == ViolationKind::NonTermination).then_some(witness.violation.fairness),
            response: loaded.response,
            atomicity: kind == ViolationKind::Atomicity,
        },
        incomplete: None,
        valuations: None,
        figures: None,
        attempts: &[],
        schedules: &[],
        tree: None,
        proof: None,
        predicted: None,
        cost: Cost {
            total: outside.now(),
            load: load_time,
            frontend: loaded.compiled.as_ref().map(|compiled| compiled.cost),
            peak_memory: peak_memory(),
        },
        wakeups: Wakeups::AsRead,
        witnesses: &[],
        compiled: forced.as_ref().map(Forced::told),
    };
    output::write(&report, &options.output)?;
    Ok(VIOLATION)
}

/// The program of a witness, found again.
struct Program {
    files: Vec<PathBuf>,
    /// Their fingerprints, as the witness has them.
    sha256: Vec<String>,
    /// Where the compiler ran, if it did.
    folder: Option<PathBuf>,
}

impl Program {
    fn find(witness: &Witness, options: &ReplayOptions) -> Result<Self, Failure> {
        let shown = options.witness.display();
        let missing = |name: &str| {
            Failure::Input(format!(
                "error: the program of `{shown}` is missing: there is no file `{name}`\nhelp: put it where it was, seen \
                 from the witness"
            ))
        };
        let Some(compiled) = &witness.input.compiled else {
            let name = &witness.input.file;
            let file = witness_file::find_program(&options.witness, name).ok_or_else(|| missing(name))?;
            return Ok(Program {
                files: vec![file],
                sha256: vec![witness.input.sha256.clone()],
                folder: None,
            });
        };
        if let Some(flag) = llvm::dangerous_flag(&compiled.flags).filter(|_| !options.force) {
            return Err(Failure::Input(format!(
                "error: `{shown}` has clang run with `{flag}`, which may do more than compile\nhelp: if you know where the \
                 witness comes from, use --force"
            )));
        }
        let folder = witness_file::find_folder(&options.witness, &compiled.folder);
        if let Some(gone) = compiled.files.iter().find(|file| !folder.join(&file.file).is_file()) {
            return Err(missing(&gone.file));
        }
        Ok(Program {
            files: compiled.files.iter().map(|file| PathBuf::from(&file.file)).collect(),
            sha256: compiled.files.iter().map(|file| file.sha256.clone()).collect(),
            folder: Some(folder),
        })
    }

    fn building<'a>(&'a self, witness: &'a Witness) -> Building<'a> {
        match &witness.input.compiled {
            None => Building::default(),
            Some(compiled) => Building {
                flags: &compiled.flags,
                folder: self.folder.as_deref(),
                spurious_wakeups: compiled.spurious_wakeups,
                reuse: compiled.reuse,
                transactions: compiled.transactions,
                arguments: &compiled.arguments,
                patience: llvm::Patience::default(),
            },
        }
    }
}

/// Whether the violation is the one that the witness tells about.
fn check_claim(witness: &Witness, finding: &engine::Finding, loaded: &Loaded) -> Result<(), String> {
    let claimed = &witness.violation;
    let found = location_of(&loaded.map, finding.access().span);
    let place = |location: &Option<engine::Location>| location.as_ref().map(|l| (l.line, l.column));
    if place(&found) != place(&claimed.location) {
        return Err("the violation comes out at another place than the witness says".to_owned());
    }
    if finding.message() != claimed.message {
        return Err(format!(
            "the violation comes out as \"{}\", but the witness says \"{}\"",
            finding.message(),
            claimed.message
        ));
    }
    Ok(())
}
