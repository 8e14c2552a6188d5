//! Response properties: whenever one condition holds, another one does then or later. In temporal logic: always, if P then
//! eventually Q; written `P ~> Q`.

use source::{Diagnostic, FileId, SourceMap, Span};

use crate::{ExprId, ExprNode, Program};

/// Two truth values over the globals of a program, in its pool of expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Response {
    /// What asks for an answer.
    pub request: ExprId,
    /// What it asks for.
    pub answer: ExprId,
}

impl Response {
    /// What is wrong with a condition at a place, if it means something else for each thread.
    #[must_use]
    pub fn own_to_a_thread(program: &Program, condition: ExprId, span: Span) -> Option<Diagnostic> {
        let mut own = false;
        program.exprs.for_each_in(condition, |_, node| own |= matches!(node, ExprNode::SelfTask));
        let problem = || Diagnostic::error(span, "a response property cannot speak of a thread's own values");
        own.then(|| problem().label("differs from thread to thread"))
    }
}

/// The texts of both sides of `P ~> Q`. Each is where it is in the file, with blanks before it, so that spans are right.
///
/// # Errors
/// When there is no `~>`.
pub fn sides(map: &SourceMap, file: FileId) -> Result<[String; 2], Diagnostic> {
    const ARROW: &str = "~>";
    let text = map.file(file).text();
    let Some((request, answer)) = text.split_once(ARROW) else {
        let whole = Span::new(file, 0, text.len());
        let problem = Diagnostic::error(whole, "a response property needs `~>`");
        return Err(problem.help("write `P ~> Q`: whenever P holds, Q does then or later"));
    };
    let blanks = " ".repeat(request.len() + ARROW.len());
    Ok([request.to_owned(), format!("{blanks}{answer}")])
}
