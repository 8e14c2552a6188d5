//! Random statements. Loops have bounds that are known, and what a statement runs is counted before it is written.

use super::Generator;
use super::scope::{INTS, Scope};

/// How deep statements are nested.
const DEEPEST: usize = 4;

impl Generator {
    /// One statement that is run `times` times and adds what it runs to `work`.
    pub(super) fn statement(&mut self, scope: &Scope, depth: usize, times: u64, work: &mut u64, most: u64) {
        *work += times;
        let compound = depth < DEEPEST && *work + 4 * times < most;
        match self.rng.u32(0..16) {
            0 | 1 if compound => self.condition(scope, depth, times, work, most),
            2 | 3 if compound => self.counted_loop(scope, depth, times, work, most),
            4 if compound => self.switch(scope, depth, times, work, most),
            5 | 6 => self.call(scope, depth, times, work, most),
            7 if !scope.structs.is_empty() => self.copy(scope, depth),
            8 if !scope.pointers.is_empty() => self.retarget(scope, depth),
            9 if !scope.sum.is_empty() => {
                let value = self.expr(scope, 3).text;
                self.line(depth, &format!("mix(&{}, (unsigned long long){value});", scope.sum));
            }
            10 => self.step(scope, depth),
            _ => self.assignment(scope, depth),
        }
    }

    /// Something that can be assigned.
    fn target(&mut self, scope: &Scope) -> Option<String> {
        if !scope.arrays.is_empty() && (scope.scalars.is_empty() || self.rng.u32(0..3) == 0) {
            return Some(self.element(scope, 1).0);
        }
        if scope.scalars.is_empty() { None } else { Some(self.pick(&scope.scalars).0.clone()) }
    }

    fn assignment(&mut self, scope: &Scope, depth: usize) {
        let Some(target) = self.target(scope) else { return };
        let value = self.expr(scope, 3).text;
        let op = match self.rng.u32(0..8) {
            0 => "+=",
            1 => "-=",
            2 => "^=",
            3 => "*=",
            _ => "=",
        };
        self.line(depth, &format!("{target} {op} {value};"));
    }

    fn step(&mut self, scope: &Scope, depth: usize) {
        let Some(target) = self.target(scope) else { return };
        let op = self.pick(&["++", "--"]);
        self.line(depth, &format!("{target}{op};"));
    }

    fn condition(&mut self, scope: &Scope, depth: usize, times: u64, work: &mut u64, most: u64) {
        let cond = self.expr(scope, 2).text;
        self.line(depth, &format!("if ({cond}) {{"));
        self.statement(scope, depth + 1, times, work, most);
        if self.rng.bool() {
            self.line(depth, "} else {");
            self.statement(scope, depth + 1, times, work, most);
        }
        self.line(depth, "}");
    }

    fn counted_loop(&mut self, scope: &Scope, depth: usize, times: u64, work: &mut u64, most: u64) {
        self.names += 1;
        let counter = format!("i{}", self.names);
        let rounds = self.rng.u64(1..5);
        let until = self.rng.u32(0..3) == 0;
        let ty = *self.pick(&INTS[1..]);
        if until {
            self.line(depth, &format!("{} {counter} = {rounds};", ty.name));
            self.line(depth, "do {");
        } else {
            let name = ty.name;
            self.line(depth, &format!("for ({name} {counter} = 0; {counter} < {rounds}; {counter}++) {{"));
        }
        // The counter can be read, and only the loop assigns it.
        let bound = format!("k{}", self.names);
        self.line(depth + 1, &format!("{} {bound} = {counter};", ty.name));
        let mut inside = scope.clone();
        inside.add_scalar(&bound, ty);
        for _ in 0..self.rng.usize(1..3) {
            self.statement(&inside, depth + 1, times * rounds, work, most);
        }
        if self.rng.u32(0..3) == 0 {
            let (cond, how) = (self.expr(&inside, 2).text, *self.pick(&["break", "continue"]));
            // In a do-while loop `continue` goes to the test, which counts.
            self.line(depth + 1, &format!("if ({cond}) {{ {how}; }}"));
            self.statement(&inside, depth + 1, times * rounds, work, most);
        }
        self.line(depth, &if until { format!("}} while (--{counter} > 0);") } else { "}".to_owned() });
    }

    fn switch(&mut self, scope: &Scope, depth: usize, times: u64, work: &mut u64, most: u64) {
        let on = self.expr(scope, 2).text;
        self.line(depth, &format!("switch ((int)({on} & 7)) {{"));
        let mut cases: Vec<u32> = (0..8).collect();
        self.rng.shuffle(&mut cases);
        for case in cases.into_iter().take(self.rng.usize(1..4)) {
            self.line(depth, &format!("case {case}:"));
            self.statement(scope, depth + 1, times, work, most);
            if self.rng.u32(0..4) != 0 {
                self.line(depth + 1, "break;");
            }
        }
        if self.rng.bool() {
            self.line(depth, "default:");
            self.statement(scope, depth + 1, times, work, most);
        }
        self.line(depth + 1, ";");
        self.line(depth, "}");
    }

    /// A call of a function that is there, if it does not run for too long.
    fn call(&mut self, scope: &Scope, depth: usize, times: u64, work: &mut u64, most: u64) {
        let short = |work: u64, of: u64| work + times * of < most;
        let known: Vec<_> = self.functions.iter().filter(|f| short(*work, f.work)).cloned().collect();
        let (Some(target), false) = (self.target(scope), known.is_empty()) else {
            return self.assignment(scope, depth);
        };
        let function = self.pick(&known).clone();
        *work += times * function.work;
        let arguments: Vec<String> =
            function.params.iter().map(|ty| format!("({}){}", ty.name, self.expr(scope, 2).text)).collect();
        let result = function.result.name;
        self.line(depth, &format!("{target} = ({result}){}({});", function.name, arguments.join(", ")));
    }

    /// A struct is copied, or a pointer is given another one.
    fn copy(&mut self, scope: &Scope, depth: usize) {
        let (x, y, pointer) = self.pick(&scope.structs).clone();
        let cond = self.expr(scope, 1).text;
        let text = match self.rng.u32(0..4) {
            0 => format!("{x} = {y};"),
            1 => format!("{y} = *{pointer};"),
            2 => format!("*{pointer} = {x};"),
            _ => format!("{pointer} = {cond} ? &{x} : &{y};"),
        };
        self.line(depth, &text);
    }

    /// A pointer is given the address of another variable of its type.
    fn retarget(&mut self, scope: &Scope, depth: usize) {
        let (pointer, ty) = self.pick(&scope.pointers).clone();
        let mut targets: Vec<String> =
            scope.addresses.iter().filter(|(_, other)| *other == ty).map(|(text, _)| text.clone()).collect();
        for (name, other, length) in scope.arrays.iter().filter(|(name, ..)| name.contains('_')) {
            if *other == ty {
                targets.push(format!("&{name}[{}]", length - 1));
            }
        }
        if !targets.is_empty() {
            let target = self.pick(&targets).clone();
            self.line(depth, &format!("{pointer} = {target};"));
        }
    }
}
