//! Names that Boogie can read: each the one of the IR as far as that is possible.

use cranelift_entity::SecondaryMap;
use ir::{BlockId, ConstId, FuncId, GlobalId, LocalId, ProcId, Program, SortId};
use rustc_hash::FxHashSet;

/// Words that Boogie never takes for a name, unless a backslash stands before them.
const RESERVED: &[&str] = &[
    "assert",
    "assume",
    "async",
    "axiom",
    "bool",
    "break",
    "call",
    "complete",
    "const",
    "div",
    "else",
    "ensures",
    "exists",
    "extends",
    "false",
    "finite",
    "forall",
    "free",
    "function",
    "goto",
    "havoc",
    "if",
    "implementation",
    "int",
    "invariant",
    "lambda",
    "mod",
    "modifies",
    "old",
    "par",
    "procedure",
    "real",
    "requires",
    "return",
    "returns",
    "then",
    "true",
    "type",
    "unique",
    "var",
    "where",
    "while",
    "yield",
    // Rounding modes, and types of later versions.
    "rmode",
    "RNE",
    "RNA",
    "RTP",
    "RTN",
    "RTZ",
    "roundNearestTiesToEven",
    "roundNearestTiesToAway",
    "roundTowardPositive",
    "roundTowardNegative",
    "roundTowardZero",
    "string",
    "regex",
];

/// Names that are taken; each is given once.
#[derive(Clone, Debug, Default)]
pub(super) struct Taken(FxHashSet<String>);

impl Taken {
    /// A name like this one that is not taken.
    pub(super) fn give(&mut self, wanted: &str) -> String {
        let mut name = legal(wanted);
        while !self.0.insert(name.clone()) {
            name.push('\'');
        }
        name
    }

    /// A name like this one that is not taken and not among the others; it is not taken afterwards.
    pub(super) fn like(&self, wanted: &str, others: &[&[String]]) -> String {
        let mut name = legal(wanted);
        while self.0.contains(&name) || others.iter().any(|names| names.contains(&name)) {
            name.push('\'');
        }
        name
    }
}

/// The names of everything.
#[derive(Clone, Debug)]
pub(super) struct Names {
    pub(super) sorts: SecondaryMap<SortId, String>,
    pub(super) consts: SecondaryMap<ConstId, String>,
    pub(super) globals: SecondaryMap<GlobalId, String>,
    pub(super) funcs: SecondaryMap<FuncId, String>,
    pub(super) procs: SecondaryMap<ProcId, String>,
    pub(super) locals: SecondaryMap<ProcId, SecondaryMap<LocalId, String>>,
    pub(super) blocks: SecondaryMap<ProcId, SecondaryMap<BlockId, String>>,
    /// The names of variables and constants outside procedures.
    pub(super) outer: Taken,
    /// These and those of a procedure.
    pub(super) inner: SecondaryMap<ProcId, Taken>,
    /// The names of blocks of a procedure.
    pub(super) labels: SecondaryMap<ProcId, Taken>,
    /// The names of functions and procedures.
    pub(super) callable: Taken,
}

impl Names {
    pub(super) fn new(program: &Program) -> Names {
        let (mut types, mut outer, mut callable) = (Taken::default(), Taken::default(), Taken::default());
        let mut names = Names {
            sorts: SecondaryMap::new(),
            consts: SecondaryMap::new(),
            globals: SecondaryMap::new(),
            funcs: SecondaryMap::new(),
            procs: SecondaryMap::new(),
            locals: SecondaryMap::new(),
            blocks: SecondaryMap::new(),
            outer: Taken::default(),
            inner: SecondaryMap::new(),
            labels: SecondaryMap::new(),
            callable: Taken::default(),
        };
        for (id, sort) in &program.sorts {
            // `bv8` and `float24e8` are types of their own, whatever is declared.
            let digits = |prefix| {
                sort.name
                    .strip_prefix(prefix)
                    .is_some_and(|n: &str| n.starts_with(|c: char| c.is_ascii_digit()))
            };
            let own = digits("bv") || digits("float");
            names.sorts[id] = types.give(&if own { format!("{}'", sort.name) } else { sort.name.clone() });
        }
        for (id, global) in &program.globals {
            names.globals[id] = outer.give(&global.name);
        }
        for (id, constant) in &program.consts {
            names.consts[id] = outer.give(&constant.name);
        }
        for (id, proc) in &program.procs {
            names.procs[id] = callable.give(&proc.name);
            let (mut inner, mut labels) = (outer.clone(), Taken::default());
            for (local, data) in &proc.locals {
                names.locals[id][local] = inner.give(&data.name);
            }
            for (block, data) in &proc.blocks {
                names.blocks[id][block] = labels.give(&data.name);
            }
            names.inner[id] = inner;
            names.labels[id] = labels;
        }
        for (id, func) in &program.funcs {
            names.funcs[id] = callable.give(&func.name);
        }
        Names { outer, callable, ..names }
    }
}

/// A name like this one that Boogie can read.
fn legal(name: &str) -> String {
    if RESERVED.contains(&name) {
        return format!("\\{name}");
    }
    let fits = |c: char| c.is_ascii_alphanumeric() || "'~#$^_.?`".contains(c);
    let mut legal: String = name.chars().map(|c| if fits(c) { c } else { '_' }).collect();
    if legal.starts_with(|c: char| c.is_ascii_digit()) || legal.is_empty() {
        legal.insert(0, '_');
    }
    legal
}
