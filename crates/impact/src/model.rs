//! A program as the engine sees it: variables as constants of formulas, locations, and where steps end.

use std::rc::Rc;

use cranelift_entity::EntityRef;
use formula::{Translator, Unsupported};
use indexmap::{IndexMap, IndexSet};
use interp::{Outline, SwitchAt};
use ir::{Op, OpRef, Program, Type};
use rustc_hash::FxHashMap;
use schedule::{Location, ThreadAt, Variable};
use smt::{Term, TermId};

use crate::liveness::Liveness;
use crate::step::{Path, StepKey};

ir::ids! {
    /// A variable of a state.
    VarId = "v";
    /// A location of all threads.
    LocId = "l";
}

/// A location and the variables that matter there.
pub(crate) struct LocInfo {
    pub(crate) location: Location,
    /// Sorted.
    pub(crate) vars: Vec<VarId>,
}

/// The constants that stand for variables.
#[derive(Default)]
pub(crate) struct Vars {
    terms: IndexMap<Variable, TermId>,
    by_term: FxHashMap<TermId, VarId>,
}

impl Vars {
    /// The id of a variable that has one, and its constant.
    pub(crate) fn find(&self, variable: Variable) -> Option<(VarId, TermId)> {
        self.terms.get_full(&variable).map(|(at, _, &term)| (VarId::new(at), term))
    }

    /// The variable that a constant stands for.
    pub(crate) fn of_term(&self, term: TermId) -> Option<VarId> {
        self.by_term.get(&term).copied()
    }
}

/// A program with its synchronization expanded, and all terms.
pub(crate) struct Model<'p> {
    pub(crate) program: &'p Program,
    pub(crate) translator: Translator<'p>,
    pub(crate) outline: Outline,
    pub(crate) liveness: Liveness,
    pub(crate) most_threads: usize,
    pub(crate) most_frames: usize,
    pub(crate) vars: Vars,
    locations: IndexSet<Location>,
    infos: Vec<Rc<LocInfo>>,
    pub(crate) steps: FxHashMap<StepKey, Rc<[Rc<Path>]>>,
    ground: FxHashMap<TermId, bool>,
    /// What is known of a map for certain, by its own name and its value.
    pub(crate) facts: FxHashMap<(TermId, TermId), TermId>,
}

impl<'p> Model<'p> {
    pub(crate) fn new(program: &'p Program, limits: interp::Limits) -> Self {
        Model {
            program,
            translator: Translator::new(program),
            outline: Outline::new(program, SwitchAt::Visible),
            liveness: Liveness::new(program),
            most_threads: limits.threads,
            most_frames: limits.frames,
            vars: Vars::default(),
            locations: IndexSet::new(),
            infos: Vec::new(),
            steps: FxHashMap::default(),
            ground: FxHashMap::default(),
            facts: FxHashMap::default(),
        }
    }

    pub(crate) fn op(&self, at: OpRef) -> &'p Op {
        &self.program.procs[at.proc].blocks[at.block].stmts[at.index].op
    }

    pub(crate) fn variables(&self) -> &IndexMap<Variable, TermId> {
        &self.vars.terms
    }

    pub(crate) fn variable(&self, id: VarId) -> Variable {
        self.vars
            .terms
            .get_index(id.index())
            .map_or_else(|| unreachable!("ids are positions in the table"), |(variable, _)| *variable)
    }

    /// The constant that stands for a variable.
    pub(crate) fn term_of(&self, id: VarId) -> TermId {
        self.vars.terms[id.index()]
    }

    /// Whether a variable is the handle of a task, which is nil until it is assigned.
    pub(crate) fn is_handle(&self, variable: Variable) -> bool {
        *self.type_of(variable) == Type::Task
    }

    /// Whether a constant was made here, and does not stand for a constant of the program.
    pub(crate) fn is_own_symbol(&self, term: TermId) -> bool {
        match self.translator.pool.term(term) {
            Term::Apply(function, _) => {
                let name = &self.translator.pool.signature(*function).name;
                name.contains('!') || name.starts_with('$')
            }
            _ => false,
        }
    }

    fn type_of(&self, variable: Variable) -> &'p Type {
        match variable {
            Variable::Global(id) => &self.program.globals[id].ty,
            Variable::Local { proc, local, .. } => &self.program.procs[proc].locals[local].ty,
            Variable::Result { proc, index, .. } => {
                let proc = &self.program.procs[proc];
                &proc.locals[proc.results[index as usize]].ty
            }
        }
    }

    /// The id of a variable.
    pub(crate) fn var(&mut self, variable: Variable) -> Result<VarId, Unsupported> {
        if let Some((id, _)) = self.vars.find(variable) {
            return Ok(id);
        }
        let sort = self.translator.sort(self.type_of(variable))?;
        let name = match variable {
            Variable::Global(id) => self.program.globals[id].name.clone(),
            Variable::Local { thread, frame, proc, local } => {
                let proc = &self.program.procs[proc];
                format!("{thread}.{frame}.{}.{}#{}", proc.name, proc.locals[local].name, local.as_u32())
            }
            Variable::Result { thread, proc, index } => {
                format!("{thread}.{}.result.{index}", self.program.procs[proc].name)
            }
        };
        let term = self.translator.pool.constant(&format!("${name}"), sort);
        let id = VarId::new(self.vars.terms.len());
        self.vars.terms.insert(variable, term);
        self.vars.by_term.insert(term, id);
        Ok(id)
    }

    /// The id of a location.
    pub(crate) fn location(&mut self, location: Location) -> Result<LocId, Unsupported> {
        if let Some(at) = self.locations.get_index_of(&location) {
            return Ok(LocId::new(at));
        }
        let mut vars = Vec::new();
        for id in self.program.globals.keys() {
            vars.push(self.var(Variable::Global(id))?);
        }
        for (thread, at) in (0u32..).zip(&location.threads) {
            match at {
                ThreadAt::Running(frames) => {
                    for (frame, op) in (0u32..).zip(frames) {
                        let newest = frame as usize + 1 == frames.len();
                        let locals = &self.program.procs[op.proc].locals;
                        for local in locals.keys() {
                            if self.liveness.is_live(self.program, *op, newest, local) {
                                vars.push(self.var(Variable::Local {
                                    thread,
                                    frame,
                                    proc: op.proc,
                                    local,
                                })?);
                            }
                        }
                    }
                }
                ThreadAt::Completed(proc) => {
                    for (index, _) in (0u32..).zip(&self.program.procs[*proc].results) {
                        vars.push(self.var(Variable::Result { thread, proc: *proc, index })?);
                    }
                }
            }
        }
        vars.sort_unstable();
        let id = LocId::new(self.infos.len());
        self.locations.insert(location.clone());
        self.infos.push(Rc::new(LocInfo { location, vars }));
        Ok(id)
    }

    pub(crate) fn info(&self, id: LocId) -> &Rc<LocInfo> {
        &self.infos[id.index()]
    }

    /// Whether a term mentions nothing that can have different values.
    pub(crate) fn is_ground(&mut self, term: TermId) -> bool {
        self.translator.pool.remembered(term, &mut self.ground, |node, ground| {
            let mut all = !matches!(node, Term::Apply(..) | Term::Bound(_) | Term::Quant(_));
            node.for_each_operand(|operand| all &= ground[&operand]);
            all
        })
    }
}
