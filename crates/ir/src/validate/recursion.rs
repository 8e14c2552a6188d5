//! Functions must not be defined by themselves, be it through others.

use cranelift_entity::SecondaryMap;

use super::{Checker, Rule, Site};
use crate::{ExprNode, FuncId};

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Mark {
    #[default]
    New,
    Open,
    Done,
}

impl Checker<'_> {
    pub(super) fn recursion(&mut self) {
        let program = self.program;
        let mut marks: SecondaryMap<FuncId, Mark> = SecondaryMap::new();
        for start in program.funcs.keys() {
            let mut path: Vec<(FuncId, Vec<FuncId>)> = Vec::new();
            let enter = |id: FuncId, marks: &mut SecondaryMap<FuncId, Mark>| {
                marks[id] = Mark::Open;
                (id, self.uses(id))
            };
            if marks[start] == Mark::New {
                path.push(enter(start, &mut marks));
            }
            let mut found = Vec::new();
            while let Some((id, rest)) = path.last_mut() {
                let id = *id;
                match rest.pop() {
                    None => {
                        marks[id] = Mark::Done;
                        path.pop();
                    }
                    Some(next) => match marks[next] {
                        Mark::New => path.push(enter(next, &mut marks)),
                        Mark::Open => found.push((id, next)),
                        Mark::Done => {}
                    },
                }
            }
            for (id, next) in found {
                let name = &program.funcs[next].name;
                let detail = format!("its body leads back to `{name}`");
                self.report(Rule::FunctionRecursive, Site::Func(id), detail);
            }
        }
    }

    fn uses(&self, id: FuncId) -> Vec<FuncId> {
        let pool = &self.program.exprs;
        let mut uses = Vec::new();
        if let Some(body) = self.program.funcs[id].body
            && self.expressions.is_sound(body)
        {
            pool.for_each_in(body, |_, node| {
                if let ExprNode::Apply(callee, ..) = node
                    && self.program.funcs.is_valid(*callee)
                {
                    uses.push(*callee);
                }
            });
        }
        uses
    }
}
