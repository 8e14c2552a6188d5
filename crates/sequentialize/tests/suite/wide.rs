//! Random programs with what those of the crate `random` do not have: bit vectors, sorts, maps of maps, synchronization
//! objects of all kinds, `exit`, recursion through tasks, and handles that are passed and returned.
//!
//! All procedures have one interface, so that every wait fits every handle: fuel for further calls, a truth value and a
//! handle; a truth value and a handle. They are written as text, so that a failing one can be read.

use std::fmt::Write;

use fastrand::Rng;

/// A kind of global, and statements that need it.
struct Feature {
    globals: &'static str,
    statements: &'static [&'static str],
    conditions: &'static [&'static str],
}

/// Statements may have `COND` for a condition. They are in blocks of their own if they are conditional.
const FEATURES: &[Feature] = &[
    Feature {
        globals: "var g: bool;",
        statements: &[
            "g := COND;",
            "g := !g;",
            "havoc g;",
            "await g then g := COND;",
            "await COND then g := !g;",
        ],
        conditions: &["g", "g", "!g"],
    },
    Feature {
        globals: "var v: bv2 = 0bv2;",
        statements: &["v := bvadd(v, 1bv2);", "v := lv;", "lv := v;", "havoc v;", "lv := bvadd(lv, v);"],
        conditions: &["v == 1bv2", "bvult(lv, v)", "bvult(v, 2bv2)"],
    },
    Feature {
        globals: "var r: ref;",
        statements: &["r := A;", "r := B;", "r := lr;", "lr := r;", "havoc r;", "havoc lr;"],
        conditions: &["r == A", "lr == r", "r != B"],
    },
    Feature {
        globals: "var mm: [bool][bool]bool;",
        statements: &["mm[COND][COND] := COND;", "havoc mm;", "havoc mm[COND];", "havoc mm[COND][true];"],
        conditions: &["mm[b][true]", "mm[true][false]", "mm[y][b]"],
    },
    Feature {
        globals: "var tw: [bool, bv2]bool = const([bool, bv2]bool, false);",
        statements: &["tw[COND, lv] := COND;", "havoc tw[b, 1bv2];", "havoc tw;"],
        conditions: &["tw[b, 1bv2]", "tw[true, lv]"],
    },
    Feature {
        globals: "var rw: rwlock;\nvar q: bool = false;",
        statements: &[
            "acquire.read rw;",
            "acquire.write rw;",
            "release rw;",
            "y := tryacquire.write rw;",
            "b := tryacquire.read rw;",
            "q := !q;",
        ],
        conditions: &["q"],
    },
    Feature {
        globals: "var s: semaphore;\nvar w: bool = false;",
        statements: &["up s;", "down s;", "b := trydown s;", "y := trydown s;", "w := COND;", "init s 1;"],
        conditions: &["w", "!w"],
    },
    Feature {
        globals: "var o: once;\nvar oz: bool = false;",
        statements: &["b := once.begin o;", "once.end o;", "oz := !oz;"],
        conditions: &["oz"],
    },
    Feature {
        globals: "var k: key(bool);",
        statements: &["key.set k COND;", "b := key.get k;", "y := key.get k;"],
        conditions: &["b"],
    },
    Feature {
        globals: "var m: mutex.recursive;\nvar c: bool = false;",
        statements: &["acquire m;", "release m;", "b := tryacquire m;", "c := !c;", "c := COND;"],
        conditions: &["c"],
    },
    Feature {
        globals: "var e: mutex.errorcheck;\nvar d: bool = false;",
        statements: &["b := acquire e;", "b := release e;", "y := tryacquire e;", "d := COND;"],
        conditions: &["d"],
    },
    Feature {
        globals: "var cm: mutex;\nvar cv: condvar;\nvar f: bool = false;",
        statements: &[
            "acquire cm;",
            "condwait cv cm;",
            "signal cv;",
            "broadcast cv;",
            "release cm;",
            "f := !f;",
        ],
        conditions: &["f"],
    },
    Feature {
        globals: "var br: barrier;\nvar h: bool = false;",
        statements: &["barrierwait br;", "b := barrierwait br;", "init br 2;", "h := COND;"],
        conditions: &["h"],
    },
];

/// Statements of all programs.
const STATEMENTS: &[&str] = &[
    "b := COND;",
    "y := COND;",
    "assume COND;",
    "await COND;",
    "havoc b;",
    "havoc lv;",
    "z := t;",
    "t := z;",
    "b := u == t;",
    "b := self != t;",
    "wait u;",
    "wait z;",
    "y, u := wait u;",
    "b, z := wait t;",
];
const CONDITIONS: &[&str] = &["b", "y", "!b", "true", "u == nil", "t == z", "lv == 1bv2", "lr == A"];
const STARTS: &[&str] = &[
    "u := spawn PROC(n - 1, COND, u);",
    "spawn PROC(n - 1, COND, z);",
    "t := spawn PROC(n - 1, COND, t);",
    "call y, z := PROC(n - 1, COND, u);",
    "call b, t := PROC(n - 1, COND, z);",
];

/// In some programs handles come from anywhere, so that DFW has no sequential program if they are waited for.
const ANYWHERE: &[&str] = &["z := self;", "gt := u;", "z := gt;", "u := gt;", "t := self;"];

struct Generator {
    rng: Rng,
    features: Vec<&'static Feature>,
    text: String,
    labels: usize,
    asserts: usize,
    procs: usize,
    /// Whether a start may take results to globals, and which.
    result: Option<&'static str>,
    anywhere: bool,
}

/// The program of a seed.
pub(crate) fn text(seed: u64) -> String {
    let mut rng = Rng::with_seed(seed);
    let count = rng.usize(1..=2);
    let features: Vec<&Feature> = rng.choose_multiple(FEATURES, count);
    let procs = rng.usize(1..=2);
    let mut text = String::from("program;\nsort ref;\nconst unique A: ref;\nconst unique B: ref;\n");
    for feature in &features {
        let _ = writeln!(text, "{}", feature.globals);
    }
    let result = features.iter().any(|feature| feature.globals.starts_with("var g:")).then_some("g");
    let anywhere = rng.u8(0..6) == 0;
    if anywhere {
        text += "var gt: task;\n";
    }
    let mut generator = Generator { rng, features, text, labels: 0, asserts: 0, procs, result, anywhere };
    generator.text += "thread main;\n";
    if generator.rng.u8(0..4) == 0 {
        generator.text += "thread p0;\n";
    }
    generator.proc("main", 3..=6);
    for at in 0..procs {
        generator.proc(&format!("p{at}"), 1..=4);
    }
    generator.text
}

impl Generator {
    fn pick(&mut self, items: &[&'static str]) -> &'static str {
        self.rng.choice(items.iter().copied()).unwrap_or("true")
    }

    fn condition(&mut self) -> String {
        let feature = self.rng.choice(self.features.clone()).filter(|_| self.rng.u8(0..3) > 0);
        let first = self.pick(feature.map_or(CONDITIONS, |feature| feature.conditions));
        match self.rng.u8(0..6) {
            0 => format!("(!({first}))"),
            1 => format!("({first} && {})", self.pick(CONDITIONS)),
            _ => format!("({first})"),
        }
    }

    fn line(&mut self, pattern: &str) {
        let mut line = pattern.to_owned();
        while line.contains("COND") {
            let condition = self.condition();
            line = line.replacen("COND", &condition, 1);
        }
        let _ = writeln!(self.text, "  {line}");
    }

    fn proc(&mut self, name: &str, length: std::ops::RangeInclusive<usize>) {
        let interface = "(n: int, b: bool, t: task) returns (y: bool, u: task)";
        let _ = writeln!(
            self.text,
            "proc {name}{interface} {{\n  local lv: bv2;\n  local lr: ref;\n  local z: task;\nentry:"
        );
        // What runs from the start has arbitrary fuel.
        if name == "main" {
            let fuel = self.rng.usize(1..=2);
            let _ = writeln!(self.text, "  n := {fuel};");
        } else {
            self.text += "  assume n < 2;\n";
        }
        for _ in 0..self.rng.usize(length) {
            self.stmt(2);
        }
        self.text += "  return;\n}\n";
    }

    fn label(&mut self) -> usize {
        self.labels += 1;
        self.labels
    }

    fn stmt(&mut self, depth: usize) {
        let feature = self.rng.choice(self.features.clone()).map_or(STATEMENTS, |feature| feature.statements);
        match self.rng.u8(0..20) {
            0..=7 => {
                let pattern = self.pick(feature);
                self.line(pattern);
            }
            8 if self.anywhere => {
                let pattern = self.pick(ANYWHERE);
                self.line(pattern);
            }
            8..=11 => {
                let pattern = self.pick(STATEMENTS);
                self.line(pattern);
            }
            12..=14 => self.start(),
            15 => {
                let number = self.asserts;
                self.asserts += 1;
                self.line(&format!("assert COND \"a{number}\";"));
            }
            16 if depth == 2 => {
                self.text += "  begin atomic;\n";
                for _ in 0..self.rng.usize(1..=2) {
                    let items = if self.rng.bool() { feature } else { STATEMENTS };
                    let pattern = self.pick(items);
                    self.line(pattern);
                }
                self.text += "  end atomic;\n";
            }
            17 if self.rng.u8(0..4) == 0 => self.branch("branch COND then LEFT else RIGHT;", depth, true),
            17 | 18 => self.branch("branch COND then LEFT else RIGHT;", depth, false),
            _ => self.branch("choose LEFT, RIGHT;", depth, false),
        }
    }

    /// Starts or calls something if there is fuel.
    fn start(&mut self) {
        let (go, on) = (self.label(), self.label());
        let _ = writeln!(self.text, "  branch n > 0 then l{go} else l{on};\nl{go}:");
        let proc = format!("p{}", self.rng.usize(0..self.procs));
        let mut pattern = self.pick(STARTS).replace("PROC", &proc);
        if let (Some(global), 0) = (self.result, self.rng.u8(0..2)) {
            pattern = pattern.replace("call y,", &format!("call {global},"));
        }
        self.line(&pattern);
        let _ = writeln!(self.text, "  n := n - 1;\n  goto l{on};\nl{on}:");
    }

    fn branch(&mut self, pattern: &str, depth: usize, exits: bool) {
        let (left, right, on) = (self.label(), self.label(), self.label());
        let line = pattern.replace("LEFT", &format!("l{left}")).replace("RIGHT", &format!("l{right}"));
        self.line(&line);
        let _ = writeln!(self.text, "l{left}:");
        if exits {
            self.text += "  exit;\n";
        } else {
            if depth > 0 {
                self.stmt(depth - 1);
            }
            let _ = writeln!(self.text, "  goto l{on};");
        }
        let _ = writeln!(self.text, "l{right}:");
        if depth > 0 && self.rng.bool() {
            self.stmt(depth - 1);
        }
        let _ = writeln!(self.text, "  goto l{on};\nl{on}:");
    }
}
