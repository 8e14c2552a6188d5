//! The constants that stand for the variables of a state.
//!
//! Labels mention those of [`Art::variables`]; for the other variables there are new ones. A variable of a frame that is gone
//! keeps its last value until there is such a frame again: that restricts no run.

use std::rc::Rc;

use cranelift_entity::PrimaryMap;
use formula::{Translator, Unsupported};
use ir::{GlobalId, LocalId, ProcId, Program, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{SortId, Term, TermId};

use crate::{Art, Variable};

/// The constants of a tree and of the checker.
pub(crate) struct Variables {
    known: FxHashMap<(Variable, SortId), TermId>,
    /// Those of the tree.
    labelled: FxHashMap<TermId, Variable>,
    pub(crate) globals: PrimaryMap<GlobalId, TermId>,
    frames: FxHashMap<(u32, u32, ProcId), Rc<[TermId]>>,
    fresh: u32,
}

impl Variables {
    /// Takes those of a tree. The error says what is wrong with them.
    pub(crate) fn new(art: &Art, program: &Program) -> Result<Self, String> {
        let mut taken: FxHashSet<String> = program.consts.values().map(|c| c.name.clone()).collect();
        taken.extend(program.funcs.values().map(|function| format!("{}()", function.name)));
        let mut known = FxHashMap::default();
        let mut labelled = FxHashMap::default();
        for (variable, &term) in &art.variables {
            if term.index() >= art.pool.len() {
                return Err(format!("{variable:?} stands for no term"));
            }
            let name = match art.pool.term(term) {
                Term::Apply(function, args) if args.is_empty() => &art.pool.signature(*function).name,
                _ => return Err(format!("{variable:?} stands for a term that is no constant")),
            };
            if taken.contains(name) {
                return Err(format!("the constant `{name}` of the program stands for {variable:?}, too"));
            }
            if labelled.insert(term, *variable).is_some() {
                return Err(format!("the constant `{name}` stands for two variables"));
            }
            known.insert((*variable, art.pool.sort_of(term)), term);
        }
        Ok(Variables { known, labelled, globals: PrimaryMap::new(), frames: FxHashMap::default(), fresh: 0 })
    }

    /// Whether a term is the constant of a variable that labels may mention.
    pub(crate) fn has(&self, term: TermId) -> bool {
        self.labelled.contains_key(&term)
    }

    /// The variable that a constant of the tree is said to stand for.
    pub(crate) fn labelled(&self, term: TermId) -> Option<Variable> {
        self.labelled.get(&term).copied()
    }

    /// All that there are, as a tree has them.
    #[cfg(test)]
    pub(crate) fn all(&self) -> indexmap::IndexMap<Variable, TermId> {
        let mut all: Vec<_> = self.known.iter().map(|((variable, _), term)| (*variable, *term)).collect();
        all.sort_unstable();
        all.into_iter().collect()
    }

    /// Finds or makes those of the globals.
    pub(crate) fn declare_globals(&mut self, formulas: &mut Translator<'_>) -> Result<(), Unsupported> {
        let program = formulas.program;
        for (id, global) in &program.globals {
            let sort = formulas.sort(&global.ty).map_err(|error| error.at(global.span))?;
            let term = self.constant(formulas, Variable::Global(id), sort, &global.name);
            self.globals.push(term);
        }
        Ok(())
    }

    fn constant(
        &mut self,
        formulas: &mut Translator<'_>,
        variable: Variable,
        sort: SortId,
        name: &str,
    ) -> TermId {
        if let Some(&term) = self.known.get(&(variable, sort)) {
            return term;
        }
        let term = self.fresh(formulas, name, sort);
        self.known.insert((variable, sort), term);
        term
    }

    /// A constant that no term mentions yet.
    pub(crate) fn fresh(&mut self, formulas: &mut Translator<'_>, name: &str, sort: SortId) -> TermId {
        loop {
            self.fresh += 1;
            let known = formulas.pool.len();
            let term = formulas.pool.constant(&format!("{name}?{}", self.fresh), sort);
            if term.index() >= known {
                return term;
            }
        }
    }

    /// Those of the locals of a frame.
    pub(crate) fn frame(
        &mut self,
        formulas: &mut Translator<'_>,
        thread: u32,
        frame: u32,
        proc: ProcId,
    ) -> Result<Rc<[TermId]>, Unsupported> {
        if let Some(known) = self.frames.get(&(thread, frame, proc)) {
            return Ok(Rc::clone(known));
        }
        let mut terms = Vec::new();
        let program = formulas.program;
        for (local, info) in &program.procs[proc].locals {
            let sort = formulas.sort(&info.ty).map_err(|error| error.at(info.span))?;
            let variable = Variable::Local { thread, frame, proc, local };
            terms.push(self.constant(formulas, variable, sort, &info.name));
        }
        let terms: Rc<[TermId]> = terms.into();
        self.frames.insert((thread, frame, proc), Rc::clone(&terms));
        Ok(terms)
    }

    /// That of a result of a completed thread.
    pub(crate) fn result(
        &mut self,
        formulas: &mut Translator<'_>,
        thread: u32,
        proc: ProcId,
        position: usize,
    ) -> Result<TermId, Unsupported> {
        let info = &formulas.program.procs[proc];
        let local = &info.locals[info.results[position]];
        let sort = formulas.sort(&local.ty)?;
        let index = u32::try_from(position).unwrap_or(u32::MAX);
        Ok(self.constant(formulas, Variable::Result { thread, proc, index }, sort, &local.name))
    }
}

/// The value with which a variable of a type starts, unless that is arbitrary: handles are nil, also in maps.
pub(crate) fn nil(formulas: &mut Translator<'_>, ty: &Type) -> Result<Option<TermId>, Unsupported> {
    let (mut cell, mut maps) = (ty, Vec::new());
    while let Some(map) = cell.as_map() {
        maps.push(cell);
        cell = &map.result;
    }
    if *cell != Type::Task {
        return Ok(None);
    }
    let mut term = formulas.pool.int(0);
    for ty in maps.into_iter().rev() {
        let args = ty.as_map().map(|map| map.args.clone()).unwrap_or_default();
        for arg in args.iter().rev() {
            let (index, element) = (formulas.sort(arg)?, formulas.pool.sort_of(term));
            let sort = formulas.pool.array_sort(&[index], element);
            term = formulas.pool.const_array(sort, term);
        }
    }
    Ok(Some(term))
}

/// The position of a local in its frame.
pub(crate) fn position(local: LocalId) -> usize {
    local.as_u32() as usize
}
