//! Boogie, the verifier, on sequential programs that we print.
//!
//! Its stratified inlining runs procedures and loops to a bound. So it answers the question of a delay-bounding analysis:
//! does an assertion fail?

use std::path::Path;
use std::time::Duration;

use crate::process;

/// All programs together take less, on a slow machine too.
const TIME_LIMIT: Duration = Duration::from_secs(600);

/// What Boogie says of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// No assertion fails.
    Verified {
        /// Recursion or a loop went on beyond the bound, which was not followed.
        bound_reached: bool,
    },
    /// An assertion fails, with this message.
    Fails(String),
}

/// Asks Boogie about programs, which is much quicker for several at once. Recursion and loops go on for `bound` rounds.
///
/// # Errors
/// When Boogie does not accept a program, or gives no answer.
pub fn verify(programs: &[String], bound: u32) -> Result<Vec<Answer>, String> {
    let folder = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    let mut arguments = vec![
        "/stratifiedInline:1".to_owned(),
        "/extractLoops".to_owned(),
        format!("/recursionBound:{bound}"),
        "/useArrayTheory".to_owned(),
        "/verifySeparately".to_owned(),
    ];
    for (number, text) in programs.iter().enumerate() {
        let name = format!("{number}.bpl");
        std::fs::write(folder.path().join(&name), text).map_err(|error| format!("{name}: {error}"))?;
        arguments.push(name);
    }
    let output = process::run_as("boogie", Path::new("boogie"), &arguments, folder.path(), TIME_LIMIT)?;
    answers(&output.stdout, programs.len())
        .ok_or_else(|| format!("boogie gave no answer for each program:\n{}{}", output.stdout, output.stderr))
}

fn answers(output: &str, programs: usize) -> Option<Vec<Answer>> {
    let mut answers = Vec::new();
    let (mut touched, mut message, mut last) = (false, String::new(), "");
    for line in output.lines() {
        if let Some(result) = line.strip_prefix("Boogie program verifier finished with ") {
            answers.push(match result {
                "1 verified, 0 errors" => Answer::Verified { bound_reached: touched },
                "0 verified, 1 error" => Answer::Fails(std::mem::take(&mut message)),
                _ => return None,
            });
            touched = false;
        }
        touched |= line.starts_with("Stratified Inlining: Reached recursion bound");
        if line == "Execution trace:" {
            last.clone_into(&mut message);
        }
        // It asks for an option that newer solvers do not have, and goes on.
        if line.starts_with("Prover error") && !line.contains("'model_compress'") {
            return None;
        }
        last = line;
    }
    (answers.len() == programs).then_some(answers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read() {
        let output = "Boogie program verifier version 2.4.1\n\nBoogie program verifier finished with 1 verified, 0 errors\n\
            Stratified Inlining: Reached recursion bound of 3\n\nBoogie program verifier finished with 1 verified, 0 errors\n\
            a.bpl(3,4): Error BP5001: This assertion might not hold.\nExecution trace:\n    a.bpl(1,1): start\n\n\
            Boogie program verifier finished with 0 verified, 1 error\n";
        let fails = Answer::Fails("a.bpl(3,4): Error BP5001: This assertion might not hold.".to_owned());
        let (all, some) =
            (Answer::Verified { bound_reached: false }, Answer::Verified { bound_reached: true });
        assert_eq!(answers(output, 3), Some(vec![all, some, fails]));
        assert_eq!(answers(output, 2), None);
        assert_eq!(answers("2 type checking errors detected in a.bpl\n", 1), None);
    }
}
