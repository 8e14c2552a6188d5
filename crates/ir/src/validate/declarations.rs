//! Names, types, functions, axioms, initial values, threads.

use rustc_hash::{FxHashMap, FxHashSet};

use super::expressions::Usage;
use super::scope::Scopes;
use super::{Checker, Rule, Site};
use crate::{ProcId, Type};

/// The widest bit vector: no program that a person or tool wrote comes near it, and engines may allocate it.
const WIDEST: u32 = 1 << 16;

/// How deep types nest: engines treat types recursively.
const DEEPEST: u32 = 64;

impl Checker<'_> {
    pub(super) fn declarations(&mut self) {
        let program = self.program;
        self.names("sort", program.sorts.iter().map(|(id, d)| (d.name.as_str(), Site::Sort(id))));
        self.names("constant", program.consts.iter().map(|(id, d)| (d.name.as_str(), Site::Const(id))));
        self.names("function", program.funcs.iter().map(|(id, d)| (d.name.as_str(), Site::Func(id))));
        self.names("global", program.globals.iter().map(|(id, d)| (d.name.as_str(), Site::Global(id))));
        self.names("procedure", program.procs.iter().map(|(id, d)| (d.name.as_str(), Site::Proc(id))));
        for (id, constant) in &program.consts {
            self.formed(&constant.ty, false, Site::Const(id));
        }
        self.functions();
        for (index, axiom) in program.axioms.iter().enumerate() {
            self.condition(axiom.formula, Usage::Closed(Scopes::OUTERMOST), Site::Axiom(index));
        }
        self.globals();
        if program.threads.is_empty() {
            self.report(Rule::Threads, Site::Program, "no procedure runs from the start".to_owned());
        }
        for &thread in &program.threads {
            if !program.procs.is_valid(thread) {
                self.report(Rule::IdInRange, Site::Program, format!("there is no {thread} to run"));
            }
        }
    }

    fn functions(&mut self) {
        let program = self.program;
        for (id, func) in &program.funcs {
            let site = Site::Func(id);
            self.names("parameter", func.params.iter().map(|(name, _)| (name.as_str(), site)));
            for (_, ty) in &func.params {
                self.formed(ty, false, site);
            }
            self.formed(&func.result, false, site);
            let Some(body) = func.body else { continue };
            let types = func.params.iter().map(|(_, ty)| ty.clone()).collect();
            let scope = self.expressions.scopes.enter(Scopes::OUTERMOST, types);
            if let Some(ty) = self.expr(body, Usage::Closed(scope), site)
                && *ty != func.result
            {
                let (is, should) = (self.show(ty), self.show(&func.result));
                let detail = format!("the body is of type {is}, expected {should}");
                self.report(Rule::FunctionBody, site, detail);
            }
        }
    }

    fn globals(&mut self) {
        let program = self.program;
        for (id, global) in &program.globals {
            let site = Site::Global(id);
            self.formed(&global.ty, true, site);
            let Some(init) = global.init else { continue };
            if global.ty.sync_inside().is_some() {
                let detail = "a synchronization object is given an initial value".to_owned();
                self.report(Rule::SyncInit, site, detail);
                continue;
            }
            if let Some(ty) = self.expr(init, Usage::Closed(Scopes::OUTERMOST), site)
                && *ty != global.ty
            {
                let (is, should) = (self.show(ty), self.show(&global.ty));
                let detail = format!("the initial value is of type {is}, expected {should}");
                self.report(Rule::InitType, site, detail);
            }
        }
    }

    /// Names, types and roles of the locals of a procedure, and names of its blocks.
    pub(super) fn signature(&mut self, id: ProcId) {
        let program = self.program;
        let proc = &program.procs[id];
        self.names("local", proc.locals.iter().map(|(l, d)| (d.name.as_str(), Site::Local(id, l))));
        self.names("block", proc.blocks.iter().map(|(b, d)| (d.name.as_str(), Site::Block(id, b))));
        for (local, declaration) in &proc.locals {
            self.formed(&declaration.ty, false, Site::Local(id, local));
        }
        let mut roles = FxHashSet::default();
        for &local in proc.params.iter().chain(&proc.results) {
            if !proc.locals.is_valid(local) {
                self.report(Rule::IdInRange, Site::Proc(id), format!("there is no {local}"));
            } else if !roles.insert(local) {
                let detail = format!("`{}` is a parameter or result twice", proc.locals[local].name);
                self.report(Rule::Parameters, Site::Proc(id), detail);
            }
        }
        if !proc.blocks.is_valid(proc.entry) {
            self.report(Rule::IdInRange, Site::Proc(id), format!("there is no {} to start at", proc.entry));
        }
    }

    fn names<'n>(&mut self, kind: &str, names: impl Iterator<Item = (&'n str, Site)>) {
        let mut known = FxHashSet::default();
        for (name, site) in names {
            if name.is_empty() {
                self.report(Rule::NameEmpty, site, format!("a {kind} has no name"));
            } else if !known.insert(name) {
                self.report(Rule::NameUnique, site, format!("there are two {kind}s named `{name}`"));
            }
        }
    }

    /// Checks that a type is well formed; `sync` says whether it may be or hold a synchronization object.
    pub(super) fn formed(&mut self, ty: &Type, sync: bool, site: Site) {
        // A map type may be shared many times over; it is looked at again only if it is found deeper inside.
        let mut seen: FxHashMap<(*const crate::MapType, bool), u32> = FxHashMap::default();
        let mut work = vec![(ty, sync, 0)];
        while let Some((ty, sync, depth)) = work.pop() {
            if depth > DEEPEST {
                self.report(Rule::TypeFormed, site, format!("a type nests more than {DEEPEST} deep"));
                return;
            }
            match ty {
                Type::Bool | Type::Int | Type::Task => {}
                Type::Bv(width) => {
                    if !(1..=WIDEST).contains(width) {
                        let detail = format!("bv{width} has no width from 1 to {WIDEST}");
                        self.report(Rule::TypeFormed, site, detail);
                    }
                }
                Type::Sort(id) => {
                    if !self.program.sorts.is_valid(*id) {
                        self.report(Rule::IdInRange, site, format!("there is no {id}"));
                    }
                }
                Type::Map(map) => {
                    if map.args.is_empty() {
                        self.report(Rule::TypeFormed, site, "a map type has no index".to_owned());
                    }
                    let key = (std::sync::Arc::as_ptr(map), sync);
                    if seen.get(&key).is_some_and(|&known| known >= depth) {
                        continue;
                    }
                    seen.insert(key, depth);
                    work.extend(map.args.iter().map(|arg| (arg, false, depth + 1)));
                    work.push((&map.result, sync, depth + 1));
                }
                Type::Sync(object) => {
                    if !sync {
                        let detail = format!("{} is not allowed here", object.name());
                        self.report(Rule::SyncPlacement, site, detail);
                    }
                    if let crate::SyncType::Key(value) = object {
                        work.push((value, false, depth + 1));
                    }
                }
            }
        }
    }
}
