//! The values that expressions can have.

use ir::{BinaryOp, ConstId, ExprId, ExprNode, GlobalId, LocalId, Program, UnaryOp};
use rustc_hash::FxHashMap;

use super::assigned::Assigned;
use super::{Origin, Set, Values};

/// Functions that apply others deeper than this are not looked into.
const MOST_NESTED: u32 = 8;

/// What the variables in an expression are.
#[derive(Clone, Copy)]
pub(super) struct Env<'a> {
    /// The locals of the procedure, and what is assigned.
    locals: &'a [Set],
    assigned: &'a Assigned,
    /// One of them, and what it is taken to be instead.
    fixed: Option<(LocalId, i64)>,
    params: &'a [Set],
    nested: u32,
}

impl<'a> Env<'a> {
    pub(super) fn new(locals: &'a [Set], assigned: &'a Assigned) -> Self {
        Env { locals, assigned, fixed: None, params: &[], nested: 0 }
    }

    /// The same, with one local taken to be a number.
    pub(super) fn with(self, local: LocalId, number: i64) -> Self {
        Env { fixed: Some((local, number)), ..self }
    }

    pub(super) fn local(&self, id: LocalId) -> Set {
        match self.fixed {
            Some((fixed, value)) if fixed == id => Set::of([value]),
            _ => self.locals[id.as_u32() as usize].clone(),
        }
    }
}

impl Values<'_> {
    /// What an expression can be that is only copied.
    pub(super) fn copied(&mut self, root: ExprId, env: Env<'_>) -> Set {
        let program = self.program;
        match program.exprs.node(root) {
            ExprNode::Global(id, _) => self.read(*id, None, env),
            ExprNode::Local(id, _) => env.local(*id),
            ExprNode::Select(map, indices) => match (program.exprs.node(*map), &indices[..]) {
                (ExprNode::Global(id, _), [index]) if self.is_vector(*id) => {
                    let index = self.value(*index, env);
                    self.touch(*id, &index);
                    self.read(*id, Some(&index), env)
                }
                _ => self.value(root, env),
            },
            _ => self.value(root, env),
        }
    }

    /// What an expression can be that somebody looks at.
    pub(super) fn value(&mut self, root: ExprId, env: Env<'_>) -> Set {
        let program = self.program;
        let mut parts = Vec::new();
        program.exprs.for_each_in(root, |id, _| parts.push(id));
        // Operands have smaller numbers.
        parts.sort_unstable();
        let mut done: FxHashMap<ExprId, Set> = FxHashMap::default();
        for part in parts {
            let set = self.node(part, env, &done);
            done.insert(part, set);
        }
        done.remove(&root).unwrap_or_else(Set::any)
    }

    /// A global, or cells of one.
    fn read(&self, id: GlobalId, index: Option<&Set>, env: Env<'_>) -> Set {
        let mut set = self.globals[id.as_u32() as usize].clone();
        if self.starts_arbitrary(id) && !env.assigned.has(id, index) {
            set.add(&self.initial(Origin::Global(id)));
        }
        set
    }

    /// Notes that cells of a map are looked at or changed.
    pub(super) fn touch(&mut self, id: GlobalId, index: &Set) {
        self.changed |= self.indices[id.as_u32() as usize].add(index);
    }

    /// A value that is looked at: what nobody has assigned is arbitrary.
    fn look(&mut self, set: Set) -> Set {
        if set.origins.is_empty() {
            return set;
        }
        for origin in &set.origins {
            self.changed |= self.inspected.insert(*origin);
        }
        Set::any()
    }

    /// What a variable holds that nobody has assigned.
    pub(super) fn initial(&self, origin: Origin) -> Set {
        if self.inspected.contains(&origin) { Set::any() } else { Set::unassigned(origin) }
    }

    fn node(&mut self, id: ExprId, env: Env<'_>, done: &FxHashMap<ExprId, Set>) -> Set {
        let program = self.program;
        let of = |e: &ExprId| done.get(e).cloned().unwrap_or_else(Set::any);
        match program.exprs.node(id) {
            ExprNode::Bool(value) => Set::truth(*value),
            ExprNode::Int(value) => {
                i64::try_from(value).map_or_else(|_| Set::any(), |value| Set::of([value]))
            }
            ExprNode::Nil => Set::of([0]),
            ExprNode::SelfTask => self.tasks.map_or_else(Set::any, |tasks| Set::of(1..=tasks)),
            // The cells of a map are looked at where they are read.
            ExprNode::Global(id, ty) if ty.as_map().is_some() => self.globals[id.as_u32() as usize].clone(),
            ExprNode::Global(id, _) => {
                let set = self.read(*id, None, env);
                self.look(set)
            }
            ExprNode::Local(id, _) => self.look(env.local(*id)),
            ExprNode::Const(id, _) => self.consts.get(id).map_or_else(Set::any, |value| Set::of([*value])),
            ExprNode::Bound(level, _) => env.params.get(*level as usize).cloned().unwrap_or_else(Set::any),
            ExprNode::Unary(UnaryOp::Not, a) => of(a).combine(&Set::of([0]), |x, _| Some(1 - x)),
            ExprNode::Unary(UnaryOp::Neg, a) => of(a).combine(&Set::of([0]), |x, _| x.checked_neg()),
            ExprNode::Binary(op, a, b) => binary(*op, &of(a), &of(b)),
            ExprNode::Ite(condition, a, b) => {
                let condition = of(condition);
                let mut set = Set::default();
                for (value, branch) in [(1, a), (0, b)] {
                    if condition.contains(value) {
                        set.add(&of(branch));
                    }
                }
                set
            }
            ExprNode::Select(map, indices) => match (program.exprs.node(*map), &indices[..]) {
                (ExprNode::Global(global, _), [index]) if self.is_vector(*global) => {
                    let index = of(index);
                    self.touch(*global, &index);
                    let set = self.read(*global, Some(&index), env);
                    self.look(set)
                }
                _ => Set::any(),
            },
            ExprNode::Apply(func, args, _) => match program.funcs[*func].body {
                Some(body) if env.nested < MOST_NESTED => {
                    let params: Vec<Set> = args.iter().map(of).collect();
                    self.value(body, Env { params: &params, nested: env.nested + 1, ..env })
                }
                _ => Set::any(),
            },
            ExprNode::ConstMap(_, cell) => of(cell),
            _ => Set::any(),
        }
    }
}

fn binary(op: BinaryOp, a: &Set, b: &Set) -> Set {
    let truth = |holds: bool| Some(i64::from(holds));
    let decides =
        |set: &Set, value: i64| set.numbers.as_ref().is_some_and(|n| n.len() == 1 && n.contains(&value));
    // One operand may be enough.
    match op {
        BinaryOp::And if decides(a, 0) || decides(b, 0) => return Set::of([0]),
        BinaryOp::Or if decides(a, 1) || decides(b, 1) => return Set::of([1]),
        BinaryOp::Implies if decides(a, 0) || decides(b, 1) => return Set::of([1]),
        _ => {}
    }
    match op {
        BinaryOp::And => a.combine(b, |x, y| Some(x & y)),
        BinaryOp::Or => a.combine(b, |x, y| Some(x | y)),
        BinaryOp::Implies => a.combine(b, |x, y| Some((1 - x) | y)),
        BinaryOp::Iff | BinaryOp::Eq => a.combine(b, |x, y| truth(x == y)),
        BinaryOp::Ne => a.combine(b, |x, y| truth(x != y)),
        BinaryOp::Lt => a.combine(b, |x, y| truth(x < y)),
        BinaryOp::Le => a.combine(b, |x, y| truth(x <= y)),
        BinaryOp::Gt => a.combine(b, |x, y| truth(x > y)),
        BinaryOp::Ge => a.combine(b, |x, y| truth(x >= y)),
        BinaryOp::Add => a.combine(b, i64::checked_add),
        BinaryOp::Sub => a.combine(b, i64::checked_sub),
        BinaryOp::Mul => a.combine(b, i64::checked_mul),
        BinaryOp::Div => a.combine(b, i64::checked_div_euclid),
        BinaryOp::Mod => a.combine(b, i64::checked_rem_euclid),
        _ => Set::any(),
    }
}

/// The constants that axioms of the form `c == 4` give a number.
pub(super) fn constants(program: &Program) -> FxHashMap<ConstId, i64> {
    let mut constants = FxHashMap::default();
    for axiom in &program.axioms {
        let ExprNode::Binary(BinaryOp::Eq, a, b) = program.exprs.node(axiom.formula) else { continue };
        for (name, value) in [(a, b), (b, a)] {
            if let (ExprNode::Const(id, _), ExprNode::Int(value)) =
                (program.exprs.node(*name), program.exprs.node(*value))
                && let Ok(value) = i64::try_from(value)
            {
                constants.entry(*id).or_insert(value);
            }
        }
    }
    constants
}
