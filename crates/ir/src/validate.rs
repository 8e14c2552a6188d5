//! What every program must satisfy, whoever made it. Engines rely on these rules and do not check them again.
//!
//! Declarations:
//! - `id-in-range`: every id names something that is declared.
//! - `name-empty`: no name is empty (variables that a quantifier binds included).
//! - `name-unique`: no two sorts, constants, functions, globals or procedures, and within a procedure no two locals
//!   or blocks, have one name. A local may have the name of a global.
//! - `threads`: there is at least one thread.
//! - `type-formed`: bit vectors have 1 to 65536 bits, maps have an index, types nest at most 64 deep.
//! - `sync-placement`: only globals and the cells of global maps are synchronization objects.
//! - `sync-init`: a synchronization object has no initial value.
//! - `closed`: function bodies, axioms and initial values use no variable and not `self`.
//! - `function-body`: the body of a function has the type of its result.
//! - `function-recursive`: no function is defined by itself.
//! - `init-type`: an initial value has the type of its global.
//! - `parameters`: parameters and results are different locals.
//!
//! Expressions:
//! - `sync-value`: only synchronization ops touch synchronization objects.
//! - `literal-range`: the value of a bit vector literal fits its width.
//! - `operand-type`: each operand has the type that its operator needs.
//! - `declared-type`: the type noted at a use is the type of the declaration.
//! - `apply-arity`: a function is applied to one argument per parameter.
//! - `map-arity`: a map is indexed by one index per argument of its type.
//! - `bit-range`: extracted bits exist, and an extension does not shorten.
//! - `bound-scope`: a bound variable is bound around its use, at its level and with its type; levels count all
//!   variables bound around a place, from the outside in.
//! - `local-scope`: a local is one of the procedure that it is used in.
//!
//! Ops:
//! - `block-end`: a block ends with a terminator and has no other.
//! - `condition-bool`: axioms and the conditions of ops are of type bool.
//! - `assign-count`: an assignment has one value per target.
//! - `assign-type`: what is assigned has the type of its target.
//! - `assign-twice`: one op does not assign a variable or cell twice (as far as equal indices show).
//! - `call-arity`: a call or spawn has one argument per parameter, and all results or none.
//! - `call-type`: arguments have the types of parameters; results have the types of their targets.
//! - `wait-task`: a wait is for a task, and a spawn gives one.
//! - `choose-targets`: a choice has a target, and its fair target is one of them.
//! - `sync-type`: a synchronization op suits the type of its object.
//! - `sync-operands`: a synchronization op has the value, mutex and result of its kind.
//! - `sync-stable`: the object of an op of two steps (`condwait`, `barrierwait`) is the same in both: its indices,
//!   and those of the mutex, read no global and no result of the op.
//! - `atomic-balance`: each way to a block is in equally many atomic sections; none ends unbegun.
//! - `atomic-return`: no procedure returns inside an atomic section. The program may exit anywhere.
//!
//! The time is linear in the size of the program; the depth of expressions does not use the stack.

mod atomic;
mod declarations;
mod expressions;
mod facts;
mod ops;
mod places;
mod recursion;
mod rule;
mod scope;
mod site;
mod typing;

use source::{Diagnostic, Span};

use crate::Program;
use crate::text::type_text;
use expressions::Expressions;
use site::Site;

pub use rule::Rule;

/// One place where a rule is broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The rule.
    pub rule: Rule,
    /// The declaration, or procedure, block and position of the op.
    pub at: String,
    /// The nearest source.
    pub span: Span,
    /// What is wrong, as a lower-case fragment.
    pub detail: String,
}

impl std::fmt::Display for Broken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {} ({})", self.at, self.detail, self.rule)
    }
}

impl From<&Broken> for Diagnostic {
    fn from(broken: &Broken) -> Diagnostic {
        Diagnostic::error(broken.span, format!("{} ({})", broken.detail, broken.at)).help(format!(
            "{}: {}",
            broken.rule,
            broken.rule.sentence()
        ))
    }
}

/// Checks all rules.
///
/// # Errors
/// Every place where a rule is broken, in the order of the program.
pub fn validate(program: &Program) -> Result<(), Vec<Broken>> {
    let mut checker = Checker { program, broken: Vec::new(), expressions: Expressions::new(program) };
    checker.declarations();
    checker.recursion();
    for id in program.procs.keys() {
        checker.procedure(id);
    }
    if checker.broken.is_empty() { Ok(()) } else { Err(checker.broken) }
}

struct Checker<'a> {
    program: &'a Program,
    broken: Vec<Broken>,
    expressions: Expressions,
}

impl Checker<'_> {
    fn report(&mut self, rule: Rule, site: Site, detail: String) {
        let broken = Broken { rule, at: site.describe(self.program), span: site.span(self.program), detail };
        self.broken.push(broken);
    }

    fn show(&self, ty: &crate::Type) -> String {
        type_text(self.program, ty)
    }
}

#[cfg(test)]
mod tests;
