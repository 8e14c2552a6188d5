//! Terms as SMT-LIB 2 text.
//!
//! Shared parts are written once and named: with `let` in a term that stands alone, with `define-fun` in a script (see
//! [`script`](crate::script)). Both write through [`write_term`], which replaces named parts by their names.

use std::fmt::Write as _;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{BinaryOp, BoundVar, Quantified, Quantifier, Sort, SortId, Term, TermId, TermPool, UnaryOp};

/// The sort in SMT-LIB.
#[must_use]
pub fn sort_to_string(pool: &TermPool, sort: SortId) -> String {
    enum Item {
        Sort(SortId),
        Text(&'static str),
    }
    let mut out = String::new();
    let mut work = vec![Item::Sort(sort)];
    while let Some(item) = work.pop() {
        match item {
            Item::Text(text) => out.push_str(text),
            Item::Sort(id) => match pool.sort(id) {
                Sort::Bool => out.push_str("Bool"),
                Sort::Int => out.push_str("Int"),
                Sort::Bv(width) => push(&mut out, format_args!("(_ BitVec {width})")),
                Sort::Array(index, element) => {
                    out.push_str("(Array ");
                    work.extend([Item::Text(")"), Item::Sort(*element), Item::Text(" "), Item::Sort(*index)]);
                }
                Sort::Uninterpreted(_) => out.push_str(pool.sort_symbol(id)),
            },
        }
    }
    out
}

/// The term in SMT-LIB, with a `let` for each part that is used more than once.
#[must_use]
pub fn term_to_string(pool: &TermPool, root: TermId) -> String {
    let mut order = Vec::new();
    let mut uses: FxHashMap<TermId, u32> = FxHashMap::default();
    pool.for_each_in(&[root], |id, term| {
        order.push(id);
        term.for_each_operand(|operand| *uses.entry(operand).or_default() += 1);
    });
    let shared = |id: &TermId| uses.get(id).is_some_and(|uses| *uses > 1) && worth_a_name(pool, *id);
    let names: FxHashMap<TermId, String> =
        order.iter().filter(|id| shared(id)).map(|id| (*id, format!("?{}", id.index()))).collect();
    // A name can be used only below the `let` that binds it: those that need no other name come first.
    let mut depth: FxHashMap<TermId, usize> = FxHashMap::default();
    let mut layers: Vec<Vec<TermId>> = Vec::new();
    for id in &order {
        let mut deepest = 0;
        pool.term(*id).for_each_operand(|operand| {
            deepest = deepest.max(depth[&operand] + usize::from(names.contains_key(&operand)));
        });
        depth.insert(*id, deepest);
        if names.contains_key(id) {
            if layers.len() <= deepest {
                layers.resize_with(deepest + 1, Vec::new);
            }
            layers[deepest].push(*id);
        }
    }
    let mut out = String::new();
    for layer in &layers {
        out.push_str("(let (");
        for (i, id) in layer.iter().enumerate() {
            push(&mut out, format_args!("{}({} ", if i == 0 { "" } else { " " }, names[id]));
            write_term(&mut out, pool, *id, &names);
            out.push(')');
        }
        out.push_str(") ");
    }
    match names.get(&root) {
        Some(name) => out.push_str(name),
        None => write_term(&mut out, pool, root, &names),
    }
    out.push_str(&")".repeat(layers.len()));
    out
}

/// Whether a name for the term would save anything and is possible: a name stands outside of all quantifiers.
pub(crate) fn worth_a_name(pool: &TermPool, id: TermId) -> bool {
    let small = match pool.term(id) {
        Term::Bool(_) | Term::Int(_) | Term::Bv(..) | Term::Bound(_) => true,
        Term::Apply(_, args) => args.is_empty(),
        _ => false,
    };
    !small && !pool.is_open(id)
}

enum Item<'a> {
    Term(TermId),
    /// The term that a name is about to stand for.
    Definition(TermId),
    /// From here on, the term has a name in the current scope.
    Name(TermId),
    /// The body of a quantifier, in which parts that mention its variables may be shared too.
    Body(TermId),
    Text(&'a str),
    Owned(String),
    /// The start of a scope without names for open terms.
    Enter,
    /// Its end: the names of the scope around it hold again.
    Leave,
}

/// Writes a term; what has a name in `names` is written as that name, except for the term itself.
pub(crate) fn write_term(out: &mut String, pool: &TermPool, root: TermId, names: &FxHashMap<TermId, String>) {
    // The open terms with a name, per quantifier around.
    let mut scopes: Vec<FxHashSet<TermId>> = vec![FxHashSet::default()];
    let mut work = vec![Item::Definition(root)];
    while let Some(item) = work.pop() {
        match item {
            Item::Text(text) => out.push_str(text),
            Item::Owned(text) => out.push_str(&text),
            Item::Enter => scopes.push(FxHashSet::default()),
            Item::Leave => {
                scopes.pop();
            }
            Item::Name(id) => {
                if let Some(scope) = scopes.last_mut() {
                    scope.insert(id);
                }
            }
            Item::Definition(id) => write_node(out, pool, id, &mut work),
            Item::Term(id) => match names.get(&id) {
                Some(name) => out.push_str(name),
                None if scopes.last().is_some_and(|scope| scope.contains(&id)) => {
                    push(out, format_args!("?{}", id.index()));
                }
                None => write_node(out, pool, id, &mut work),
            },
            Item::Body(id) => {
                let shared = shared_in_body(pool, id);
                let first = work.len();
                work.push(Item::Enter);
                for open in &shared {
                    work.push(Item::Owned(format!("(let ((?{} ", open.index())));
                    work.extend([Item::Definition(*open), Item::Text(")) "), Item::Name(*open)]);
                }
                work.extend([Item::Term(id), Item::Owned(")".repeat(shared.len())), Item::Leave]);
                work[first..].reverse();
            }
        }
    }
}

/// The open terms that a quantifier's body uses more than once, operands first; those that contain quantifiers and
/// those inside inner quantifiers are left alone, for there the same variable may mean another one.
fn shared_in_body(pool: &TermPool, body: TermId) -> Vec<TermId> {
    let mut uses: FxHashMap<TermId, u32> = FxHashMap::default();
    let mut has_quantifier: FxHashMap<TermId, bool> = FxHashMap::default();
    let mut order = Vec::new();
    let mut work = vec![(body, false)];
    while let Some((id, operands_done)) = work.pop() {
        if operands_done {
            let mut quantified = false;
            pool.term(id)
                .for_each_operand(|operand| quantified |= has_quantifier.get(&operand) == Some(&true));
            has_quantifier.insert(id, quantified);
            order.push(id);
            continue;
        }
        if !pool.is_open(id) || has_quantifier.contains_key(&id) {
            continue;
        }
        if matches!(pool.term(id), Term::Quant(_)) {
            has_quantifier.insert(id, true);
            continue;
        }
        has_quantifier.insert(id, false);
        work.push((id, true));
        pool.term(id).for_each_operand(|operand| {
            *uses.entry(operand).or_default() += 1;
            work.push((operand, false));
        });
    }
    order.retain(|id| {
        uses.get(id).is_some_and(|uses| *uses > 1)
            && !has_quantifier[id]
            && !matches!(pool.term(*id), Term::Bound(_))
    });
    order
}

/// Writes the start of a term and leaves the rest in `work`, last part first.
fn write_node<'a>(out: &mut String, pool: &'a TermPool, id: TermId, work: &mut Vec<Item<'a>>) {
    match pool.term(id) {
        Term::Bool(value) => push(out, format_args!("{value}")),
        Term::Int(value) => {
            if value.sign() == num_bigint::Sign::Minus {
                push(out, format_args!("(- {})", value.magnitude()));
            } else {
                push(out, format_args!("{value}"));
            }
        }
        Term::Bv(width, value) => push(out, format_args!("(_ bv{value} {width})")),
        Term::Bound(var) => out.push_str(&variable(*var)),
        Term::Apply(function, args) if args.is_empty() => out.push_str(pool.symbol(*function)),
        Term::Apply(function, args) => operands(out, work, pool.symbol(*function), args),
        Term::Not(a) => operands(out, work, "not", &[*a]),
        Term::And(args) => operands(out, work, "and", args),
        Term::Or(args) => operands(out, work, "or", args),
        Term::Distinct(args) => operands(out, work, "distinct", args),
        Term::Unary(op, a) => operands(out, work, &unary_symbol(pool, *op, *a), &[*a]),
        Term::Binary(op, a, b) => operands(out, work, binary_symbol(*op), &[*a, *b]),
        Term::Ite(a, b, c) => operands(out, work, "ite", &[*a, *b, *c]),
        Term::Select(a, b) => operands(out, work, "select", &[*a, *b]),
        Term::Store(a, b, c) => operands(out, work, "store", &[*a, *b, *c]),
        Term::ConstArray(sort, a) => {
            operands(out, work, &format!("(as const {})", sort_to_string(pool, *sort)), &[*a]);
        }
        Term::Quant(quant) => write_quantified(out, pool, quant, work),
    }
}

fn write_quantified<'a>(out: &mut String, pool: &TermPool, quant: &Quantified, work: &mut Vec<Item<'a>>) {
    let binder = |var: &BoundVar| format!("({} {})", variable(*var), sort_to_string(pool, var.sort));
    let binders: Vec<String> = quant.vars.iter().map(binder).collect();
    let close = match quant.kind {
        Quantifier::Forall | Quantifier::Exists => {
            let kind = if quant.kind == Quantifier::Forall { "forall" } else { "exists" };
            push(out, format_args!("({kind} ({}) ", binders.join(" ")));
            ")".to_owned()
        }
        Quantifier::Lambda => {
            binders.iter().for_each(|binder| push(out, format_args!("(lambda ({binder}) ")));
            ")".repeat(binders.len())
        }
    };
    work.push(Item::Owned(close));
    if quant.triggers.is_empty() {
        work.push(Item::Body(quant.body));
        return;
    }
    out.push_str("(! ");
    work.extend([Item::Text(")"), Item::Leave]);
    for trigger in quant.triggers.iter().rev() {
        work.push(Item::Text(")"));
        for (i, term) in trigger.iter().enumerate().rev() {
            work.push(Item::Term(*term));
            work.push(Item::Text(if i == 0 { "" } else { " " }));
        }
        work.push(Item::Text(" :pattern ("));
    }
    work.extend([Item::Enter, Item::Body(quant.body)]);
}

fn operands(out: &mut String, work: &mut Vec<Item<'_>>, symbol: &str, args: &[TermId]) {
    push(out, format_args!("({symbol}"));
    work.push(Item::Text(")"));
    for arg in args.iter().rev() {
        work.push(Item::Term(*arg));
        work.push(Item::Text(" "));
    }
}

/// How a bound variable is called. No function is called so: see `name`.
pub(crate) fn variable(var: BoundVar) -> String {
    format!("?b{}.{}", var.level, var.sort.index())
}

fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("writing to a string succeeds");
}

fn unary_symbol(pool: &TermPool, op: UnaryOp, a: TermId) -> String {
    match op {
        UnaryOp::Neg => "-".to_owned(),
        UnaryOp::BvNeg => "bvneg".to_owned(),
        UnaryOp::BvNot => "bvnot".to_owned(),
        UnaryOp::Extract { hi, lo } => format!("(_ extract {} {lo})", hi - 1),
        UnaryOp::ZeroExtend(width) => format!("(_ zero_extend {})", width - pool.width(a)),
        UnaryOp::SignExtend(width) => format!("(_ sign_extend {})", width - pool.width(a)),
        UnaryOp::IntToBv(width) => format!("(_ int2bv {width})"),
        UnaryOp::BvToInt => "bv2nat".to_owned(),
    }
}

fn binary_symbol(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Eq => "=",
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "div",
        BinaryOp::Mod => "mod",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::BvAdd => "bvadd",
        BinaryOp::BvSub => "bvsub",
        BinaryOp::BvMul => "bvmul",
        BinaryOp::BvUdiv => "bvudiv",
        BinaryOp::BvSdiv => "bvsdiv",
        BinaryOp::BvUrem => "bvurem",
        BinaryOp::BvSrem => "bvsrem",
        BinaryOp::BvSmod => "bvsmod",
        BinaryOp::BvShl => "bvshl",
        BinaryOp::BvLshr => "bvlshr",
        BinaryOp::BvAshr => "bvashr",
        BinaryOp::BvAnd => "bvand",
        BinaryOp::BvOr => "bvor",
        BinaryOp::BvXor => "bvxor",
        BinaryOp::BvUlt => "bvult",
        BinaryOp::BvUle => "bvule",
        BinaryOp::BvSlt => "bvslt",
        BinaryOp::BvSle => "bvsle",
        BinaryOp::Concat => "concat",
    }
}
