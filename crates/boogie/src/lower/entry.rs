//! Which procedures run from the start.

use source::{Diagnostic, Span};

use crate::ast::{Name, attribute};
use crate::check::{BodyRef, Checked, nearest};

/// Names tried in this order when nothing is marked.
const USUAL: &[&str] = &["main", "Main", "ULTIMATE.start"];

/// The entry procedure, or all `{:thread}` procedures.
pub(super) fn find(
    checked: &Checked<'_>,
    wanted: Option<&str>,
    file_span: Span,
) -> Result<Vec<Name>, Diagnostic> {
    let procedures = &checked.symbols.procedures;
    let threads = match wanted {
        Some(wanted) => {
            let Some((name, _)) = procedures.get_key_value(wanted) else {
                let problem =
                    Diagnostic::error(file_span, format!("there is no procedure `{wanted}` to start with"));
                return Err(match nearest(wanted, procedures.keys().map(|n| &**n)) {
                    Some(near) => problem.help(format!("did you mean `{near}`?")),
                    None => problem,
                });
            };
            vec![name.clone()]
        }
        None => marked(checked, "entrypoint")
            .into_iter()
            .next()
            .or_else(|| USUAL.iter().find_map(|n| procedures.get_key_value(*n)).map(|(name, _)| name.clone()))
            .map_or_else(|| marked(checked, "thread"), |name| vec![name]),
    };
    if threads.is_empty() {
        return Err(Diagnostic::error(file_span, "there is no procedure to start with").help(
            "call it `main`, mark it `procedure {:entrypoint} p()`, mark threads `procedure {:thread} p()`, \
             or name one on the command line",
        ));
    }
    for name in &threads {
        if let Some(symbol) = procedures.get(name)
            && symbol.body == BodyRef::None
        {
            let span = checked.program.procedures[symbol.index].ident.span;
            return Err(Diagnostic::error(
                span,
                format!("procedure `{name}` is where the program starts, but has no body"),
            ));
        }
    }
    Ok(threads)
}

/// Procedures that carry an attribute, themselves or on their implementation.
fn marked(checked: &Checked<'_>, name: &str) -> Vec<Name> {
    let program = checked.program;
    let on_implementation = |procedure: &Name| {
        program
            .implementations
            .iter()
            .any(|i| i.ident.name == *procedure && attribute(&i.attributes, name).is_some())
    };
    program
        .procedures
        .iter()
        .filter(|p| attribute(&p.attributes, name).is_some() || on_implementation(&p.ident.name))
        .map(|p| p.ident.name.clone())
        .collect()
}
