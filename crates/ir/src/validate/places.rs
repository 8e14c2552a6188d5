//! What ops assign.

use rustc_hash::FxHashSet;

use super::expressions::Usage;
use super::{Checker, Rule, Site};
use crate::{ExprId, Place, PlaceBase, ProcId, Type};

impl<'a> Checker<'a> {
    /// Checks a place and its indices; its type, if it can be told.
    pub(super) fn place(&mut self, place: &Place, proc: ProcId, site: Site) -> Option<&'a Type> {
        let program = self.program;
        for &index in place.path.iter().flatten() {
            self.expr(index, Usage::Procedure(proc), site);
        }
        let mut ty = match place.base {
            PlaceBase::Global(id) => match program.globals.get(id) {
                Some(global) => &global.ty,
                None => {
                    self.report(Rule::IdInRange, site, format!("there is no {id}"));
                    return None;
                }
            },
            PlaceBase::Local(id) => match program.procs[proc].locals.get(id) {
                Some(local) => &local.ty,
                None => {
                    self.report(Rule::LocalScope, site, format!("there is no {id} in the procedure"));
                    return None;
                }
            },
        };
        for indices in &place.path {
            ty = self.indices(ty, indices, Rule::OperandType, site)?;
        }
        Some(ty)
    }

    /// Checks places that an op other than a synchronization op assigns; their types, as far as they can be told.
    pub(super) fn targets(&mut self, targets: &[Place], proc: ProcId, site: Site) -> Vec<Option<&'a Type>> {
        let types = targets.iter().map(|target| self.target(target, proc, site)).collect();
        // Equal indices are equal ids, so two places surely overlap exactly if one path begins the other.
        let mut whole: FxHashSet<(PlaceBase, &[Vec<ExprId>])> = FxHashSet::default();
        let mut twice = targets.iter().any(|target| !whole.insert((target.base, &target.path)));
        twice |= targets
            .iter()
            .any(|target| (0..target.path.len()).any(|n| whole.contains(&(target.base, &target.path[..n]))));
        if twice {
            self.report(Rule::AssignTwice, site, "a variable or cell is assigned twice".to_owned());
        }
        types
    }

    pub(super) fn target(&mut self, target: &Place, proc: ProcId, site: Site) -> Option<&'a Type> {
        let ty = self.place(target, proc, site)?;
        if ty.sync_inside().is_some() {
            self.report(Rule::SyncValue, site, "a synchronization object is assigned".to_owned());
            return None;
        }
        Some(ty)
    }
}
