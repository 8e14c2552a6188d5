//! Directives: what a test file says about itself, in comments.
//!
//! - `//@ run: explore --fairness weak` runs `raddle` with these arguments and the file. `FILE` among the arguments
//!   stands for the file; without it the file comes last. `//@ run(NAME): ...` gives the run a name.
//! - `//@ verdict: unsafe`, `//@ kind: deadlock`, `//@ exit: 1` say what to expect of every run;
//!   `//@ verdict(explore): unsafe` only of those whose command or name is `explore`.
//! - `//~ assertion`, or `//~(explore) assertion`, at the end of a source line: a violation of that kind is reported
//!   there.

/// Everything that a file says, in the order of lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Directives {
    pub(crate) runs: Vec<Run>,
    pub(crate) expectations: Vec<Expectation>,
}

/// One run of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) name: Option<String>,
    pub(crate) arguments: Vec<String>,
}

impl Run {
    /// Whether a directive with this scope speaks of this run.
    pub(crate) fn is_in(&self, scope: Option<&str>) -> bool {
        scope.is_none_or(|scope| {
            self.name.as_deref() == Some(scope)
                || self.arguments.first().is_some_and(|command| command == scope)
        })
    }
}

/// Something that must hold of the runs in its scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Expectation {
    /// The line it is written in, from 1.
    pub(crate) line: usize,
    /// A command or the name of a run; every run when there is none.
    pub(crate) scope: Option<String>,
    pub(crate) expected: Expected,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Expected {
    Verdict(String),
    /// A violation of this kind, anywhere.
    Kind(String),
    /// A violation of this kind, in the line of the directive.
    KindHere(String),
    Exit(i32),
}

/// Reads the directives of a file; the error names the line.
pub(crate) fn parse(text: &str) -> Result<Directives, String> {
    let mut directives = Directives::default();
    for (index, line) in text.lines().enumerate() {
        let at = index + 1;
        parse_line(line, at, &mut directives).map_err(|problem| format!("line {at}: {problem}"))?;
    }
    if directives.runs.is_empty() {
        return Err("no directive `//@ run: ...`; say how to run this test".to_owned());
    }
    for Expectation { line, scope, .. } in &directives.expectations {
        if !directives.runs.iter().any(|run| run.is_in(scope.as_deref())) {
            let scope = scope.as_deref().unwrap_or_default();
            return Err(format!("line {line}: no run has the command or the name `{scope}`"));
        }
    }
    Ok(directives)
}

fn parse_line(line: &str, at: usize, directives: &mut Directives) -> Result<(), String> {
    if let Some(rest) = line.trim_start().strip_prefix("//@") {
        let (head, value) = rest.split_once(':').ok_or("a directive is `//@ key: value`")?;
        let (key, scope) = split_scope(head.trim())?;
        let value = value.trim();
        if value.is_empty() {
            return Err(format!("directive `{key}` has no value"));
        }
        let expected = match key {
            "run" => {
                let arguments =
                    shlex::split(value).ok_or_else(|| format!("a quote is not closed in `{value}`"))?;
                directives.runs.push(Run { name: scope, arguments });
                return Ok(());
            }
            "verdict" => Expected::Verdict(value.to_owned()),
            "kind" => Expected::Kind(value.to_owned()),
            "exit" => Expected::Exit(value.parse().map_err(|_| format!("`{value}` is no exit code"))?),
            _ => return Err(format!("unknown directive `{key}`; known are run, verdict, kind, exit")),
        };
        directives.expectations.push(Expectation { line: at, scope, expected });
    } else if let Some((_, rest)) = line.split_once("//~") {
        let (scope, kind) = match rest.strip_prefix('(') {
            Some(scoped) => {
                let (scope, kind) = scoped.split_once(')').ok_or("`(` is not closed")?;
                (Some(scope.trim().to_owned()), kind.trim())
            }
            None => (None, rest.trim()),
        };
        if kind.is_empty() || kind.contains(char::is_whitespace) {
            return Err(format!("`//~` takes one kind of violation, not `{kind}`"));
        }
        directives.expectations.push(Expectation {
            line: at,
            scope,
            expected: Expected::KindHere(kind.to_owned()),
        });
    }
    Ok(())
}

/// Splits `key(scope)`.
fn split_scope(head: &str) -> Result<(&str, Option<String>), String> {
    match head.split_once('(') {
        None => Ok((head, None)),
        Some((key, rest)) => match rest.strip_suffix(')') {
            Some(scope) if !scope.trim().is_empty() => Ok((key.trim(), Some(scope.trim().to_owned()))),
            _ => Err(format!("`{head}` is not `key(scope)`")),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_read() {
        let text = "//@ run: explore --check 'a b'\n//@ run(weak): explore --fairness weak\n\
                    //@ verdict(weak): safe\n  //@ exit: 1\n//@ kind(explore): deadlock\n\
                    assert x; //~ assertion\nassert y; //~(weak) assertion\n";
        let directives = parse(text).unwrap();
        assert_eq!(directives.runs[0].arguments, ["explore", "--check", "a b"]);
        assert_eq!(directives.runs[1].name.as_deref(), Some("weak"));
        let read: Vec<_> = directives
            .expectations
            .iter()
            .map(|e| (e.line, e.scope.as_deref(), e.expected.clone()))
            .collect();
        assert_eq!(
            read,
            [
                (3, Some("weak"), Expected::Verdict("safe".to_owned())),
                (4, None, Expected::Exit(1)),
                (5, Some("explore"), Expected::Kind("deadlock".to_owned())),
                (6, None, Expected::KindHere("assertion".to_owned())),
                (7, Some("weak"), Expected::KindHere("assertion".to_owned())),
            ]
        );
        assert!(directives.runs[0].is_in(Some("explore")) && !directives.runs[0].is_in(Some("weak")));
        assert!(directives.runs[1].is_in(Some("explore")) && directives.runs[1].is_in(Some("weak")));
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        let problem = |text: &str| parse(text).unwrap_err();
        assert_eq!(problem("x := 1;"), "no directive `//@ run: ...`; say how to run this test");
        assert_eq!(
            problem("//@ run: explore\n//@ colour: red"),
            "line 2: unknown directive `colour`; known are run, verdict, kind, exit"
        );
        assert_eq!(
            problem("//@ run: explore\n//@ verdict(live): safe"),
            "line 2: no run has the command or the name `live`"
        );
        assert_eq!(problem("//@ run"), "line 1: a directive is `//@ key: value`");
        assert_eq!(problem("//@ run:"), "line 1: directive `run` has no value");
        assert_eq!(problem("//@ run: 'x"), "line 1: a quote is not closed in `'x`");
        assert_eq!(problem("//@ exit: one"), "line 1: `one` is no exit code");
        assert_eq!(problem("//@ run(: x"), "line 1: `run(` is not `key(scope)`");
        assert_eq!(problem("x //~"), "line 1: `//~` takes one kind of violation, not ``");
    }
}
