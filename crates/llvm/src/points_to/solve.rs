//! The solver: sets of targets per node, edges along which they flow, and constraints that make new edges.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{PointsTo, Target};
use crate::module::{Const, ConstId, ConstKind, FuncId, Module, Op, Operand, TypeId, TypeKind, ValueId};
use crate::objects::{Findings, ObjectId, ObjectKind, Objects, Site};
use crate::patience::{OutOfTime, Patience};

/// After so many steps the clock is looked at.
const LOOK_EVERY: u64 = 1024;

/// Something that can hold pointers: a value, a constant, a cell, what a function returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct NodeId(pub(super) u32);

/// A constraint on all that a node points to.
#[derive(Clone, Debug)]
pub(super) enum Complex {
    Load {
        to: NodeId,
        ty: TypeId,
    },
    Store {
        from: NodeId,
        ty: TypeId,
    },
    StorePointer {
        from: NodeId,
    },
    Gep {
        to: NodeId,
        bytes: i64,
        /// Those of computed indices, and the bytes of the arrays that they are for.
        strides: Vec<(u64, Option<u64>)>,
        element: TypeId,
        /// Whether it moves to another element.
        walks: bool,
    },
    /// Any place in the same object.
    Somewhere {
        to: NodeId,
    },
    /// All elements of the arrays there are gone through.
    Swept,
    /// So many bytes are written or read.
    Written {
        bytes: u64,
    },
    /// The function is called with the values of keys when threads end.
    Destroy,
    /// The object's size changes.
    Resized,
    /// Bytes are copied from there, in this copying of a block.
    CopiedFrom(usize),
    /// Bytes are copied to there.
    CopiedTo(usize),
    Call {
        func: FuncId,
        site: Site,
        args: Vec<NodeId>,
        result: Option<NodeId>,
    },
    Start {
        func: FuncId,
        site: Site,
        argument: NodeId,
    },
}

#[derive(Clone, Debug, Default)]
pub(super) struct Node {
    /// Numbers of targets.
    known: Bits,
    /// Those of them that have not been propagated.
    new: Bits,
    copies: Vec<NodeId>,
    complex: Vec<Complex>,
}

/// Memory that is copied from many places to many: what is at a distance from where it begins is joined, so that there are as many edges as
/// places, and not as pairs of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Block {
    /// How many bytes, if that is known.
    pub(super) bytes: Option<u64>,
    /// By distances.
    pub(super) joined: BTreeMap<i64, NodeId>,
    /// Where it is copied to.
    pub(super) destinations: Vec<Target>,
}

/// A set of small numbers.
#[derive(Clone, Debug, Default)]
struct Bits(Vec<u64>);

impl Bits {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn word(&mut self, word: usize) -> &mut u64 {
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        &mut self.0[word]
    }

    /// The numbers, in order.
    fn numbers(&self) -> impl Iterator<Item = usize> {
        self.0.iter().enumerate().flat_map(|(word, &bits)| {
            let rests = std::iter::successors(Some(bits), |rest| Some(rest & rest.checked_sub(1)?));
            rests.take_while(|rest| *rest != 0).map(move |rest| 64 * word + rest.trailing_zeros() as usize)
        })
    }

    /// The numbers that are not in another set.
    fn without(&self, others: &Bits) -> Bits {
        let others = others.0.iter().copied().chain(std::iter::repeat(0));
        Bits(self.0.iter().zip(others).map(|(bits, others)| bits & !others).collect())
    }
}

/// What a node stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Key {
    Value(FuncId, ValueId),
    Const(ConstId),
    Cell(ObjectId, u64),
    Returned(FuncId),
    /// What callers give for a parameter that is passed by value.
    Incoming(FuncId, ValueId),
    ThreadResult,
    /// The values of thread-specific keys.
    Specific,
    Temporary(u32),
}

pub(super) struct Solver<'a> {
    pub(super) module: &'a Module,
    pub(super) objects: &'a Objects,
    pub(super) nodes: Vec<Node>,
    targets: Vec<Target>,
    target_numbers: FxHashMap<Target, usize>,
    edges: FxHashSet<(NodeId, NodeId)>,
    pub(super) keys: Vec<Key>,
    by_key: FxHashMap<Key, NodeId>,
    work: Vec<NodeId>,
    reached: FxHashSet<FuncId>,
    to_add: Vec<FuncId>,
    pub(super) arguments: FxHashSet<NodeId>,
    /// Where pointers to anywhere in an object go.
    pub(super) somewhere: FxHashSet<(NodeId, ObjectId)>,
    /// Blocks of memory that are copied.
    pub(super) blocks: Vec<Block>,
    /// The nodes that point to where and from where, and how many bytes.
    copied: FxHashSet<(NodeId, NodeId, Option<u64>)>,
    pub(super) findings: Findings,
    pub(super) result: PointsTo,
}

pub(super) const POINTER_BYTES: u64 = 8;

/// Blocks of memory of at most so many bytes are not taken for arrays that are gone through.
const SMALL: u64 = 64;

/// Looks at the clock now and then.
fn look(patience: Patience<'_>, done: &mut u64) -> Result<(), OutOfTime> {
    *done += 1;
    if *done % LOOK_EVERY == 1 { patience.check() } else { Ok(()) }
}

/// How many bytes a store of a type writes.
pub(super) fn stored_bytes(module: &Module, ty: TypeId) -> u64 {
    match module.types[ty].kind {
        TypeKind::Int(bits) => u64::from(bits.div_ceil(8)),
        _ => module.types[ty].size,
    }
}

impl<'a> Solver<'a> {
    pub(super) fn new(module: &'a Module, objects: &'a Objects) -> Self {
        let mut solver = Solver {
            module,
            objects,
            nodes: Vec::new(),
            targets: Vec::new(),
            target_numbers: FxHashMap::default(),
            edges: FxHashSet::default(),
            keys: Vec::new(),
            by_key: FxHashMap::default(),
            work: Vec::new(),
            reached: FxHashSet::default(),
            to_add: Vec::new(),
            arguments: FxHashSet::default(),
            somewhere: FxHashSet::default(),
            blocks: Vec::new(),
            copied: FxHashSet::default(),
            findings: Findings::default(),
            result: PointsTo::default(),
        };
        for (id, global) in &module.globals {
            if let (Some(init), Some(object)) = (global.init, objects.of(ObjectKind::Global(id))) {
                solver.add_initializer(object, 0, init);
            }
        }
        solver
    }

    pub(super) fn node(&mut self, key: Key) -> NodeId {
        if let Some(&id) = self.by_key.get(&key) {
            return id;
        }
        let id = NodeId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        self.nodes.push(Node::default());
        self.keys.push(key);
        self.by_key.insert(key, id);
        if let Key::Const(constant) = key {
            self.add_constant(id, constant);
        }
        id
    }

    pub(super) fn value(&mut self, func: FuncId, value: ValueId) -> NodeId {
        self.node(Key::Value(func, value))
    }

    pub(super) fn operand(&mut self, func: FuncId, operand: Operand) -> NodeId {
        match operand {
            Operand::Value(value) => self.value(func, value),
            Operand::Const(id) => self.node(Key::Const(id)),
        }
    }

    pub(super) fn returned(&mut self, func: FuncId) -> NodeId {
        self.node(Key::Returned(func))
    }

    pub(super) fn thread_result(&mut self) -> NodeId {
        self.node(Key::ThreadResult)
    }

    pub(super) fn key_value(&mut self) -> NodeId {
        self.node(Key::Specific)
    }

    pub(super) fn temporary(&mut self) -> NodeId {
        self.node(Key::Temporary(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX)))
    }

    fn add_constant(&mut self, node: NodeId, id: ConstId) {
        let module = self.module;
        let constant = |solver: &mut Self, operand: Operand| match operand {
            Operand::Const(id) => Some(solver.node(Key::Const(id))),
            Operand::Value(_) => None,
        };
        match &module.consts[id].kind {
            ConstKind::Global(global) => {
                if let Some(object) = self.objects.of(ObjectKind::Global(*global)) {
                    self.add_target(node, object, 0);
                }
            }
            ConstKind::Func(func) => {
                if let Some(object) = self.objects.of(ObjectKind::Func(*func)) {
                    self.add_target(node, object, 0);
                }
            }
            ConstKind::Aggregate(parts) => {
                for &part in parts {
                    let part = self.node(Key::Const(part));
                    self.copy(part, node);
                }
            }
            ConstKind::Expr(op) => match op.as_ref() {
                Op::Gep { base, element, indices } => {
                    if let Some(base) = constant(self, *base) {
                        self.add_gep(base, node, *element, indices);
                    }
                }
                Op::Cast(_, from) => {
                    if let Some(from) = constant(self, *from) {
                        self.copy(from, node);
                    }
                }
                Op::Binary(_, a, b) => {
                    for operand in [*a, *b] {
                        if let Some(from) = constant(self, operand) {
                            self.complex(from, Complex::Somewhere { to: node });
                        }
                    }
                }
                _ => {}
            },
            ConstKind::Int(_)
            | ConstKind::Float(_)
            | ConstKind::Null
            | ConstKind::Zero
            | ConstKind::Undef
            | ConstKind::Bytes(_)
            | ConstKind::Other(_) => {}
        }
    }

    fn add_initializer(&mut self, object: ObjectId, offset: u64, id: ConstId) {
        let module = self.module;
        let Const { ty, kind } = &module.consts[id];
        match kind {
            ConstKind::Aggregate(parts) => {
                for (number, &part) in parts.iter().enumerate() {
                    let at = match &module.types[*ty].kind {
                        TypeKind::Struct { fields, .. } => fields.get(number).map_or(0, |(at, _)| *at),
                        TypeKind::Array { element, .. } | TypeKind::Vector { element, .. } => {
                            module.types[*element].size * number as u64
                        }
                        _ => 0,
                    };
                    self.add_initializer(object, offset + at, part);
                }
            }
            ConstKind::Global(_) | ConstKind::Func(_) | ConstKind::Expr(_) => {
                let from = self.node(Key::Const(id));
                let offset = i64::try_from(offset).ok();
                let at = offset.and_then(|offset| self.objects.all[object].layout.canonical(offset));
                if let Some(at) = at {
                    self.store(from, Target { object, offset: at }, POINTER_BYTES);
                }
            }
            _ => {}
        }
    }

    pub(super) fn add_target(&mut self, node: NodeId, object: ObjectId, offset: u64) {
        let target = Target { object, offset };
        let number = *self.target_numbers.entry(target).or_insert_with(|| {
            self.targets.push(target);
            self.targets.len() - 1
        });
        self.add(node, number / 64, 1 << (number % 64));
    }

    /// Adds the targets of a word of bits.
    fn add(&mut self, node: NodeId, word: usize, bits: u64) {
        let data = &mut self.nodes[node.0 as usize];
        let known = data.known.word(word);
        let new = bits & !*known;
        if new != 0 {
            *known |= new;
            if data.new.is_empty() {
                self.work.push(node);
            }
            *data.new.word(word) |= new;
        }
    }

    fn add_all(&mut self, node: NodeId, targets: &Bits) {
        for (word, &bits) in targets.0.iter().enumerate() {
            if bits != 0 {
                self.add(node, word, bits);
            }
        }
    }

    /// The targets of a node that have been propagated.
    fn done(&self, node: NodeId) -> Bits {
        let data = &self.nodes[node.0 as usize];
        data.known.without(&data.new)
    }

    pub(super) fn copy(&mut self, from: NodeId, to: NodeId) {
        if from == to || !self.edges.insert((from, to)) {
            return;
        }
        self.nodes[from.0 as usize].copies.push(to);
        let done = self.done(from);
        self.add_all(to, &done);
    }

    /// A block of memory that is gone through element by element, unless it is small.
    pub(super) fn sweep(&mut self, from: NodeId, size: Option<NodeId>) {
        match size.and_then(|size| self.constant(size)) {
            Some(bytes) if bytes <= SMALL => self.complex(from, Complex::Written { bytes }),
            _ => self.complex(from, Complex::Swept),
        }
    }

    /// The number that a node is, if it is a constant.
    pub(super) fn constant(&self, node: NodeId) -> Option<u64> {
        match self.keys[node.0 as usize] {
            Key::Const(id) => crate::objects::constant(self.module, Operand::Const(id)),
            _ => None,
        }
    }

    /// Copies a block of memory, of so many bytes if that is known, to where one node points from where another does.
    pub(super) fn copy_block(&mut self, to: NodeId, from: NodeId, bytes: Option<u64>) {
        if !self.copied.insert((to, from, bytes)) {
            return;
        }
        let block = self.blocks.len();
        self.blocks.push(Block { bytes, ..Block::default() });
        self.complex(from, Complex::CopiedFrom(block));
        self.complex(to, Complex::CopiedTo(block));
    }

    pub(super) fn complex(&mut self, node: NodeId, constraint: Complex) {
        for target in self.done(node).numbers() {
            self.apply(self.targets[target], &constraint);
        }
        self.nodes[node.0 as usize].complex.push(constraint);
    }

    /// Notes that a function can be called.
    pub(super) fn reach(&mut self, func: FuncId) {
        if self.reached.insert(func) {
            self.result.reachable.push(func);
            self.to_add.push(func);
        }
    }

    pub(super) fn call(
        &mut self,
        func: FuncId,
        site: Site,
        callee: FuncId,
        args: &[NodeId],
        result: Option<NodeId>,
    ) {
        let module = self.module;
        let body = &module.funcs[callee];
        if body.is_declaration() {
            self.add_library_call(func, site, &body.name, args, result);
            return;
        }
        let callees = self.result.callees.entry((func, site)).or_default();
        if !callees.contains(&callee) {
            callees.push(callee);
        }
        self.reach(callee);
        for (number, (&param, &arg)) in body.params.iter().zip(args).enumerate() {
            let node = self.value(callee, param);
            let own = self.objects.of(ObjectKind::Stack(callee, param));
            let by_value = body.by_value.get(number).copied().flatten();
            match own.zip(by_value) {
                Some((own, ty)) => {
                    let size = Some(module.types[ty].size);
                    let incoming = self.node(Key::Incoming(callee, param));
                    self.copy(arg, incoming);
                    self.add_target(node, own, 0);
                    self.copy_block(node, incoming, size);
                }
                None => self.copy(arg, node),
            }
        }
        if let Some(result) = result {
            let returned = self.returned(callee);
            self.copy(returned, result);
        }
    }

    pub(super) fn run(&mut self, patience: Patience<'_>) -> Result<(), OutOfTime> {
        let mut done = 0_u64;
        loop {
            look(patience, &mut done)?;
            if let Some(func) = self.to_add.pop() {
                self.add_function(func);
                continue;
            }
            let Some(node) = self.work.pop() else { break };
            let data = &mut self.nodes[node.0 as usize];
            let new = std::mem::take(&mut data.new);
            let (copies, complex) = (data.copies.clone(), data.complex.clone());
            for copy in copies {
                self.add_all(copy, &new);
            }
            for constraint in &complex {
                for target in new.numbers() {
                    look(patience, &mut done)?;
                    self.apply(self.targets[target], constraint);
                }
            }
        }
        Ok(())
    }

    pub(super) fn finish(mut self) -> (Findings, PointsTo) {
        for (key, node) in self.keys.iter().zip(&self.nodes) {
            let mut targets: Vec<Target> = node.known.numbers().map(|target| self.targets[target]).collect();
            targets.sort_unstable();
            match *key {
                Key::Value(func, value) => {
                    self.result.values.insert((func, value), targets);
                }
                Key::Const(id) => {
                    self.result.consts.insert(id, targets);
                }
                Key::Cell(..) | Key::Returned(_) | Key::ThreadResult | Key::Specific => {
                    self.result.stored.extend(targets.iter().map(|target| target.object));
                }
                Key::Incoming(func, param) => {
                    self.result.incoming.insert((func, param), targets);
                }
                Key::Temporary(_) => {}
            }
        }
        for node in &self.arguments {
            let targets = self.nodes[node.0 as usize].known.numbers();
            self.result.stored.extend(targets.map(|target| self.targets[target].object));
        }
        (self.findings, self.result)
    }
}
