//! The response property that comes with a program.

use ir::Response;

use crate::lower::{Env, Lowering};

impl Lowering<'_> {
    /// The property, if there is one and it can be expressed.
    pub(super) fn lower_response(&mut self) -> Option<Response> {
        let [request, answer] = self.ast.response.as_ref()?;
        let mut lowered = Vec::new();
        for side in [request, answer] {
            self.env = Env::default();
            let Ok(condition) = self.expr(side) else { continue };
            lowered.push(condition);
            if let Some(problem) = Response::own_to_a_thread(&self.program, condition, side.span) {
                self.problems.push(problem);
            }
        }
        self.env = Env::default();
        let &[request, answer] = lowered.as_slice() else { return None };
        Some(Response { request, answer })
    }
}
