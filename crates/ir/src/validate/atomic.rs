//! Atomic sections: how many are open is the same on each way to a block.

use cranelift_entity::SecondaryMap;

use super::{Checker, Rule, Site};
use crate::{Op, ProcId};

impl Checker<'_> {
    /// Follows control flow from the entry; blocks that it does not reach are never run and may be anything.
    pub(super) fn atomic_sections(&mut self, id: ProcId) {
        let proc = &self.program.procs[id];
        if !proc.blocks.is_valid(proc.entry) {
            return;
        }
        let mut at_entry: SecondaryMap<_, Option<u32>> = SecondaryMap::new();
        at_entry[proc.entry] = Some(0);
        let mut work = vec![proc.entry];
        while let Some(block) = work.pop() {
            let mut depth = at_entry[block].unwrap_or(0);
            for (index, stmt) in proc.blocks[block].stmts.iter().enumerate() {
                let site = Site::Op(id, block, index);
                match &stmt.op {
                    Op::AtomicBegin => depth += 1,
                    Op::AtomicEnd if depth == 0 => {
                        self.report(Rule::AtomicBalance, site, "no atomic section is open here".to_owned());
                    }
                    Op::AtomicEnd => depth -= 1,
                    Op::Return if depth > 0 => {
                        let detail = format!("a return inside {depth} atomic sections");
                        self.report(Rule::AtomicReturn, site, detail);
                    }
                    _ => {}
                }
                for next in stmt.op.successors() {
                    if !proc.blocks.is_valid(next) {
                        continue;
                    }
                    match at_entry[next] {
                        None => {
                            at_entry[next] = Some(depth);
                            work.push(next);
                        }
                        Some(other) if other != depth => {
                            let detail = format!(
                                "`{}` is reached inside {depth} atomic sections here, inside {other} elsewhere",
                                proc.blocks[next].name
                            );
                            self.report(Rule::AtomicBalance, site, detail);
                        }
                        Some(_) => {}
                    }
                }
            }
        }
    }
}
