//! Expressions where they are used: each is typed once, and its variables are looked up in each procedure and
//! scope. Depth is handled by work lists, never by recursion.

use rustc_hash::FxHashSet;

use super::facts::{Fact, facts};
use super::scope::{ScopeId, Scopes};
use super::{Checker, Rule, Site};
use crate::{ExprId, ExprNode, ProcId, Program, Type};

/// What an expression may use.
#[derive(Clone, Copy, Debug)]
pub(super) enum Usage {
    /// Globals, and the locals of the procedure.
    Procedure(ProcId),
    /// Constants and the variables of the scope only.
    Closed(ScopeId),
}

/// What is known about the expressions of the program so far.
pub(super) struct Expressions {
    facts: Vec<Fact>,
    typed: Vec<bool>,
    /// Expressions whose locals are known to be those of `locals_of`.
    locals_checked: FxHashSet<ExprId>,
    locals_of: Option<ProcId>,
    pub(super) scopes: Scopes,
    scoped: FxHashSet<(ExprId, ScopeId)>,
}

impl Expressions {
    pub(super) fn new(program: &Program) -> Self {
        Expressions {
            facts: facts(&program.exprs),
            typed: vec![false; program.exprs.len()],
            locals_checked: FxHashSet::default(),
            locals_of: None,
            scopes: Scopes::new(),
            scoped: FxHashSet::default(),
        }
    }

    /// Whether an expression reads a global.
    pub(super) fn reads_global(&self, root: ExprId) -> bool {
        self.facts.get(root.index()).is_some_and(|fact| fact.global)
    }

    /// Whether an expression and all below it are in the pool, operands first.
    pub(super) fn is_sound(&self, root: ExprId) -> bool {
        self.facts.get(root.index()).is_some_and(|fact| !fact.astray)
    }
}

impl<'a> Checker<'a> {
    /// Checks a use of an expression; its type, if it can be told.
    pub(super) fn expr(&mut self, root: ExprId, usage: Usage, site: Site) -> Option<&'a Type> {
        let program = self.program;
        let Some(&fact) = self.expressions.facts.get(root.index()) else {
            self.report(Rule::IdInRange, site, format!("there is no expression {}", root.index()));
            return None;
        };
        if fact.astray {
            self.report(Rule::IdInRange, site, "an operand is not an earlier expression".to_owned());
            return None;
        }
        self.type_all(root, site);
        let scope = match usage {
            Usage::Procedure(proc) => {
                self.locals_of(root, proc, site);
                Scopes::OUTERMOST
            }
            Usage::Closed(scope) => {
                if fact.global || fact.local || fact.self_task {
                    self.report(Rule::Closed, site, "a variable or `self` is used here".to_owned());
                }
                scope
            }
        };
        self.bound_in(root, scope, site);
        Some(program.exprs.ty(root))
    }

    /// Checks a use as a condition.
    pub(super) fn condition(&mut self, root: ExprId, usage: Usage, site: Site) {
        if let Some(ty) = self.expr(root, usage, site)
            && *ty != Type::Bool
        {
            let detail = format!("the condition is of type {}, expected bool", self.show(ty));
            self.report(Rule::ConditionBool, site, detail);
        }
    }

    fn type_all(&mut self, root: ExprId, site: Site) {
        let mut work = vec![root];
        while let Some(top) = work.pop() {
            if std::mem::replace(&mut self.expressions.typed[top.index()], true) {
                continue;
            }
            self.node(top, site);
            self.program.exprs.node(top).for_each_operand(|e| work.push(e));
        }
    }

    fn locals_of(&mut self, root: ExprId, proc: ProcId, site: Site) {
        let program = self.program;
        if self.expressions.locals_of != Some(proc) {
            self.expressions.locals_of = Some(proc);
            self.expressions.locals_checked.clear();
        }
        let mut work = vec![root];
        while let Some(top) = work.pop() {
            let known = &mut self.expressions;
            if !known.facts[top.index()].local || !known.locals_checked.insert(top) {
                continue;
            }
            let node = program.exprs.node(top);
            if let ExprNode::Local(id, noted) = node {
                match program.procs[proc].locals.get(*id) {
                    None => self.report(Rule::LocalScope, site, format!("there is no {id} in the procedure")),
                    Some(local) => self.agrees(&local.name, noted, &local.ty, site),
                }
            }
            node.for_each_operand(|e| work.push(e));
        }
    }

    fn bound_in(&mut self, root: ExprId, outermost: ScopeId, site: Site) {
        let program = self.program;
        let mut work = vec![(root, outermost)];
        while let Some((top, scope)) = work.pop() {
            let known = &mut self.expressions;
            if !known.facts[top.index()].binder || !known.scoped.insert((top, scope)) {
                continue;
            }
            let node = program.exprs.node(top);
            let mut inner = scope;
            match node {
                ExprNode::Bound(level, noted) => match known.scopes.get(scope, *level).cloned() {
                    Some(ty) if ty == *noted => {}
                    Some(ty) => {
                        let (noted, ty) = (self.show(noted), self.show(&ty));
                        let detail =
                            format!("bound variable {level} is noted as {noted} but is of type {ty}");
                        self.report(Rule::BoundScope, site, detail);
                    }
                    None => {
                        self.report(
                            Rule::BoundScope,
                            site,
                            format!("bound variable {level} is not bound here"),
                        );
                    }
                },
                ExprNode::Quant { vars, first, .. } => {
                    let depth = known.scopes.depth(scope);
                    inner = known.scopes.enter(scope, vars.iter().map(|v| v.ty.clone()).collect());
                    if *first != depth {
                        let detail = format!("a quantifier's first level is {first}, expected {depth}");
                        self.report(Rule::BoundScope, site, detail);
                    }
                }
                _ => {}
            }
            node.for_each_operand(|e| work.push((e, inner)));
        }
    }

    /// Checks the type noted at a use against the declaration.
    pub(super) fn agrees(&mut self, name: &str, noted: &Type, declared: &Type, site: Site) {
        if noted != declared {
            let (noted, declared) = (self.show(noted), self.show(declared));
            let detail = format!("`{name}` is noted as {noted} but declared as {declared}");
            self.report(Rule::DeclaredType, site, detail);
        }
    }
}
