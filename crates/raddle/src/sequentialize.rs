//! `raddle sequentialize`.

use ir::{Op, OpRef};
use sequentialize::Sequential;
use source::{Diagnostic, Span};

use crate::args::{FairnessName, SequentialName, SequentializeOptions, SwitchName};
use crate::failure::{Failure, NOTHING_WRONG};
use crate::load::{Loaded, load, rendered};
use crate::{output, whole_file};

/// How much of a statement a comment shows.
const LONGEST: usize = 100;

/// Writes the sequential program of a program.
pub(crate) fn run(options: &SequentializeOptions) -> Result<u8, Failure> {
    let flags = options.program.flags();
    let sources = options.program.sources(&flags, None);
    let loaded = load(sources, options.color, options.quiet)?;
    let (delays, switch_at) = (options.delays, options.switch_at.into());
    let sequential = match options.scheduler {
        SequentialName::Dfw => sequentialize::dfw(&loaded.program, delays, switch_at),
        SequentialName::Df => sequentialize::df(&loaded.program, delays, switch_at),
        SequentialName::Lasso if options.switch_at == SwitchName::Yield => {
            let message = "error: `--switch-at yield` cannot be used with `--scheduler lasso`";
            return Err(Failure::Input(message.to_owned()));
        }
        SequentialName::Lasso => {
            let fairness = options.fairness.into();
            sequentialize::lasso(&loaded.program, options.stem, options.lasso, fairness, None)
                .map(sequentialize::Lasso::into_sequential)
        }
    };
    let refused = |span: Span, what: &str, loaded: &Loaded| {
        let problem = Diagnostic::error(span, format!("cannot be sequentialized: {what}"));
        Failure::Input(rendered(&loaded.map, &[problem], options.color))
    };
    let sequential = sequential.map_err(|e| refused(e.span, &e.what, &loaded))?;
    let note = |op: OpRef| note(&loaded, &sequential, op);
    let program = boogie::print(&sequential.program, &note).map_err(|e| refused(e.span, &e.what, &loaded))?;
    let text = format!("{}\n{program}", head(options, &sources.shown()));
    match &options.output {
        Some(path) => whole_file::write(path, &text)
            .map_err(|error| Failure::Input(format!("error: cannot write `{}`: {error}", path.display())))?,
        None => output::print(&text)?,
    }
    Ok(NOTHING_WRONG)
}

/// What the file is, in comments.
fn head(options: &SequentializeOptions, input: &str) -> String {
    let file = one_line(input);
    let check = "// To find out:\n//   boogie /stratifiedInline:1 /extractLoops /recursionBound:10 /useArrayTheory FILE\n";
    let scheduler = match options.scheduler {
        SequentialName::Dfw => "DFW",
        SequentialName::Df => "DF",
        SequentialName::Lasso => {
            let fairness = match options.fairness {
                FairnessName::Strong => "a strongly fair",
                FairnessName::Weak => "a weakly fair",
                FairnessName::None => "an",
            };
            return format!(
                "// The sequential program of `{file}` for a stem of {} and a lasso of {} rounds, by raddle \
                 sequentialize.\n// It fails an assertion if the program has {fairness} infinite execution with so many \
                 rounds. {}",
                options.stem,
                options.lasso,
                &check[3..]
            );
        }
    };
    let switches = match options.switch_at {
        SwitchName::Visible => "",
        SwitchName::Yield => " that switches at yields only",
    };
    format!(
        "// The sequential program of `{file}` under the scheduler {scheduler}({}){switches}, by raddle sequentialize.\n\
         // It fails an assertion if and only if the program does so under that scheduler. {}",
        options.delays,
        &check[3..]
    )
}

/// The place and the text of what the user wrote that an op stands for.
fn note(loaded: &Loaded, sequential: &Sequential, op: OpRef) -> Option<String> {
    let old = sequential.back.get(op)?;
    let stmt = &loaded.program.procs[old.proc].blocks[old.block].stmts[old.index];
    let (file, position) = (loaded.map.file_of(stmt.span)?, loaded.map.position(stmt.span)?);
    let text = loaded.map.text(stmt.span);
    // The end of a block leads on without a word: all there is to show is the block.
    if matches!(stmt.op, Op::Goto(_)) && text.contains('\n') {
        return None;
    }
    Some(format!("{}:{}: {}", file.name(), position.line, one_line(text)))
}

/// A text in one line, and not too long.
fn one_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((cut, _)) => format!("{}...", &line[..cut]),
        None => line,
    }
}
