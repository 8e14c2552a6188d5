//! SMT-LIB 2 commands: declarations, definitions of shared parts, assertions.

use std::fmt::Write as _;

use rustc_hash::FxHashMap;

use crate::print::{sort_to_string, worth_a_name, write_term};
use crate::scope::ScopedSet;
use crate::{FunctionId, Sort, SortId, Term, TermId, TermPool};

/// A term this deep gets a definition even if it is not shared: parsers of solvers may recurse.
const DEEP: usize = 64;

/// A complete script that asks whether the assertions, together with the assumptions, can be true.
#[must_use]
pub fn script(
    pool: &TermPool,
    assertions: impl IntoIterator<Item = TermId>,
    assumptions: &[TermId],
    status: Option<&str>,
) -> String {
    let mut out = String::new();
    if let Some(status) = status {
        push(&mut out, format_args!("(set-info :status {status})\n"));
    }
    out.push_str("(set-option :produce-models true)\n(set-option :produce-unsat-assumptions true)\n");
    out.push_str("(set-logic ALL)\n");
    let mut emitter = Emitter::default();
    for term in assertions {
        emitter.assert(&mut out, pool, term);
    }
    check_sat(&mut out, &mut emitter, pool, assumptions);
    out
}

/// Writes the query itself.
pub(crate) fn check_sat(out: &mut String, emitter: &mut Emitter, pool: &TermPool, assumptions: &[TermId]) {
    if assumptions.is_empty() {
        out.push_str("(check-sat)\n");
        return;
    }
    let proxies: Vec<String> = assumptions.iter().map(|term| emitter.proxy(out, pool, *term)).collect();
    push(out, format_args!("(check-sat-assuming ({}))\n", proxies.join(" ")));
}

/// The name of the constant that stands for an assumption.
pub(crate) fn proxy_name(term: TermId) -> String {
    format!("?a{}", term.index())
}

fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("writing to a string succeeds");
}

/// Remembers what a solver has been told, so that everything is declared and defined once, and again when a `pop` made
/// the solver forget it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Emitter {
    sorts: ScopedSet<SortId>,
    functions: ScopedSet<FunctionId>,
    defined: ScopedSet<TermId>,
    proxies: ScopedSet<TermId>,
}

impl Emitter {
    pub(crate) fn push(&mut self) {
        self.sorts.push();
        self.functions.push();
        self.defined.push();
        self.proxies.push();
    }

    pub(crate) fn pop(&mut self, levels: usize) {
        self.sorts.pop(levels);
        self.functions.pop(levels);
        self.defined.pop(levels);
        self.proxies.pop(levels);
    }

    pub(crate) fn clear(&mut self) {
        self.sorts.clear();
        self.functions.clear();
        self.defined.clear();
        self.proxies.clear();
    }

    pub(crate) fn assert(&mut self, out: &mut String, pool: &TermPool, term: TermId) {
        let text = self.define(out, pool, term);
        push(out, format_args!("(assert {text})\n"));
    }

    /// The constant that implies the assumption.
    pub(crate) fn proxy(&mut self, out: &mut String, pool: &TermPool, term: TermId) -> String {
        let name = proxy_name(term);
        if !self.proxies.contains(&term) {
            let text = self.define(out, pool, term);
            push(out, format_args!("(declare-fun {name} () Bool)\n(assert (=> {name} {text}))\n"));
            self.proxies.insert(term);
        }
        name
    }

    /// Declares and defines what the term needs; the term's own text is the result.
    pub(crate) fn define(&mut self, out: &mut String, pool: &TermPool, root: TermId) -> String {
        let order = self.undefined_parts(pool, root);
        let mut uses: FxHashMap<TermId, u32> = FxHashMap::default();
        for id in &order {
            pool.term(*id).for_each_operand(|operand| *uses.entry(operand).or_default() += 1);
            self.declare(out, pool, *id);
        }
        let mut names: FxHashMap<TermId, String> = FxHashMap::default();
        let mut depths: FxHashMap<TermId, usize> = FxHashMap::default();
        for id in order {
            if self.defined.contains(&id) {
                names.insert(id, format!("?{}", id.index()));
                continue;
            }
            let mut depth = 0;
            pool.term(id).for_each_operand(|operand| {
                depth = depth.max(depths.get(&operand).map_or(0, |depth| depth + 1));
            });
            let shared = uses.get(&id).is_some_and(|uses| *uses > 1);
            if id != root && (shared || depth >= DEEP) && worth_a_name(pool, id) {
                let sort = sort_to_string(pool, pool.sort_of(id));
                push(out, format_args!("(define-fun ?{} () {sort} ", id.index()));
                write_term(out, pool, id, &names);
                out.push_str(")\n");
                self.defined.insert(id);
                names.insert(id, format!("?{}", id.index()));
            } else {
                depths.insert(id, depth);
            }
        }
        if let Some(name) = names.get(&root) {
            return name.clone();
        }
        let mut text = String::new();
        write_term(&mut text, pool, root, &names);
        text
    }

    /// Declares what the term mentions, down to parts that are defined.
    pub(crate) fn declare_all(&mut self, out: &mut String, pool: &TermPool, root: TermId) {
        for id in self.undefined_parts(pool, root) {
            self.declare(out, pool, id);
        }
    }

    /// The parts of a term, operands first, down to those that are defined already.
    fn undefined_parts(&self, pool: &TermPool, root: TermId) -> Vec<TermId> {
        let mut order = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        let mut work = vec![(root, false)];
        while let Some((id, operands_done)) = work.pop() {
            if operands_done {
                order.push(id);
            } else if seen.insert(id) {
                work.push((id, true));
                if !self.defined.contains(&id) {
                    let first = work.len();
                    pool.term(id).for_each_operand(|operand| work.push((operand, false)));
                    work[first..].reverse();
                }
            }
        }
        order
    }

    /// Declares the function, and the sorts, that a node itself mentions.
    fn declare(&mut self, out: &mut String, pool: &TermPool, id: TermId) {
        match pool.term(id) {
            Term::Apply(function, _) if !self.functions.contains(function) => {
                let signature = pool.signature(*function);
                for sort in signature.params.iter().chain([&signature.result]) {
                    self.declare_sort(out, pool, *sort);
                }
                let params: Vec<String> =
                    signature.params.iter().map(|sort| sort_to_string(pool, *sort)).collect();
                let (symbol, result) = (pool.symbol(*function), sort_to_string(pool, signature.result));
                push(out, format_args!("(declare-fun {symbol} ({}) {result})\n", params.join(" ")));
                self.functions.insert(*function);
            }
            Term::Bound(_) | Term::ConstArray(..) => self.declare_sort(out, pool, pool.sort_of(id)),
            Term::Quant(quant) => {
                quant.vars.iter().for_each(|var| self.declare_sort(out, pool, var.sort));
            }
            _ => {}
        }
    }

    fn declare_sort(&mut self, out: &mut String, pool: &TermPool, sort: SortId) {
        let mut work = vec![sort];
        while let Some(sort) = work.pop() {
            match pool.sort(sort) {
                Sort::Bool | Sort::Int | Sort::Bv(_) => {}
                Sort::Array(index, element) => work.extend([*element, *index]),
                Sort::Uninterpreted(_) => {
                    if self.sorts.insert(sort) {
                        push(out, format_args!("(declare-sort {} 0)\n", pool.sort_symbol(sort)));
                    }
                }
            }
        }
    }
}
