//! Random C programs that print what they compute.
//!
//! Every program is well-defined if signed arithmetic wraps (`-fwrapv`), comes to an end soon, and prints the same along every
//! schedule: threads have data of their own, and what they share are sums, under a mutex or atomic, that are looked at
//! when all are done. Seeds below are fixed in tests, so a failing one can be run again.

mod exprs;
mod scope;
mod stmts;

use fastrand::Rng;

use scope::{Function, INTS, Int, Scope};

/// The program of a seed.
#[must_use]
pub fn program(seed: u64) -> String {
    let mut generator = Generator::new(seed);
    if seed % 4 == 3 { generator.with_threads() } else { generator.alone() }
}

/// Statements that the whole program, and one call of one function, may run.
const MOST_WORK: u64 = 600;
const MOST_WORK_IN_CALL: u64 = 60;

/// What the parts of a program share while it is made.
struct Generator {
    rng: Rng,
    /// Declarations and functions so far.
    text: String,
    functions: Vec<Function>,
    /// The sorts of structs there are: the fields of each, as declared and with their types.
    structs: Vec<Vec<Field>>,
    /// How many names were given.
    names: usize,
}

/// A member of a struct.
#[derive(Clone)]
struct Field {
    name: String,
    ty: Int,
    /// A bit-field has so many bits.
    bits: Option<u32>,
}

impl Generator {
    fn new(seed: u64) -> Self {
        let text = "#include <pthread.h>\n#include <stdatomic.h>\n#include <stdio.h>\n\n\
                    static void mix(unsigned long long *sum, unsigned long long x) {\n    \
                    *sum = (*sum ^ x) * 1099511628211ULL;\n}\n\n"
            .to_owned();
        let rng = Rng::with_seed(seed);
        Generator { rng, text, functions: Vec::new(), structs: Vec::new(), names: 0 }
    }

    /// A program without threads: functions see all globals.
    fn alone(&mut self) -> String {
        self.text = self.text.replace("#include <pthread.h>\n#include <stdatomic.h>\n", "");
        self.declare_structs();
        let mut scope = self.globals("");
        for _ in 0..self.rng.usize(1..4) {
            self.function(&scope);
        }
        self.text += "int main(void) {\n";
        self.locals(&mut scope, 1);
        let mut work = 0;
        for _ in 0..self.rng.usize(6..14) {
            self.statement(&scope, 1, 1, &mut work, MOST_WORK);
        }
        self.show(&scope);
        self.text += "    return 0;\n}\n";
        std::mem::take(&mut self.text)
    }

    /// A program with threads: functions see their parameters only, and each thread its own globals.
    fn with_threads(&mut self) -> String {
        self.declare_structs();
        for _ in 0..self.rng.usize(1..3) {
            self.function(&Scope::default());
        }
        self.text += "static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;\n\
                      static unsigned long long shared;\nstatic _Atomic unsigned count;\n\n";
        let threads = self.rng.usize(2..4);
        let scopes: Vec<Scope> = (0..threads).map(|thread| self.worker(thread)).collect();
        self.text += &format!("int main(void) {{\n    pthread_t threads[{threads}];\n");
        for thread in 0..threads {
            self.text += &format!(
                "    pthread_create(&threads[{thread}], NULL, worker{thread}, (void *){}L);\n",
                self.rng.u8(..)
            );
        }
        self.text += &format!(
            "    for (int i = 0; i < {threads}; i++) {{\n        void *result;\n        \
             pthread_join(threads[i], &result);\n        printf(\"%ld\\n\", (long)result);\n    }}\n"
        );
        for scope in &scopes {
            self.show(scope);
        }
        self.text += "    printf(\"%llu %u\\n\", shared, count);\n    return 0;\n}\n";
        std::mem::take(&mut self.text)
    }

    fn worker(&mut self, thread: usize) -> Scope {
        let mut scope = self.globals(&thread.to_string());
        let globals = scope.clone();
        self.text += &format!("static void *worker{thread}(void *arg) {{\n    long given = (long)arg;\n");
        scope.add_scalar("given", Int::LONG);
        self.locals(&mut scope, 1);
        let mut work = 0;
        for _ in 0..self.rng.usize(2..5) {
            self.statement(&scope, 1, 1, &mut work, MOST_WORK / 6);
            if self.rng.bool() {
                let value = self.expr(&scope, 2).text;
                self.text += &format!(
                    "    pthread_mutex_lock(&lock);\n    shared += (unsigned long long){value};\n    \
                     pthread_mutex_unlock(&lock);\n"
                );
            } else {
                let value = self.expr(&scope, 1).text;
                self.text += &format!("    atomic_fetch_add(&count, (unsigned){value});\n");
            }
        }
        let result = self.expr(&scope, 2).text;
        self.text += &format!("    return (void *)(long){result};\n}}\n\n");
        // Its locals are gone when it is done.
        globals
    }

    fn declare_structs(&mut self) {
        for at in 0..self.rng.usize(1..3) {
            let mut fields = Vec::new();
            self.text += &format!("struct s{at} {{\n");
            for field in 0..self.rng.usize(2..5) {
                let name = format!("f{field}");
                let bits = self.rng.u32(0..4) == 0;
                let ty = if bits { *self.pick(&[Int::INT, Int::UNSIGNED]) } else { *self.pick(INTS) };
                let bits = bits.then(|| self.rng.u32(2..20));
                let width = bits.map_or(String::new(), |bits| format!(" : {bits}"));
                self.text += &format!("    {} {name}{width};\n", ty.name);
                fields.push(Field { name, ty, bits });
            }
            self.text += "};\n\n";
            self.structs.push(fields);
        }
    }

    /// Global variables of all sorts; their names end with `suffix`.
    fn globals(&mut self, suffix: &str) -> Scope {
        let mut scope = Scope { sum: format!("sum{suffix}"), ..Scope::default() };
        self.text += &format!("static unsigned long long sum{suffix} = 14695981039346656037ULL;\n");
        for at in 0..self.rng.usize(2..5) {
            let (ty, name) = (*self.pick(INTS), format!("g{at}_{suffix}"));
            let value = self.literal(ty);
            self.text += &format!("static {} {name} = {value};\n", ty.name);
            scope.add_scalar(&name, ty);
            scope.addresses.push((format!("&{name}"), ty));
        }
        for at in 0..self.rng.usize(1..3) {
            let (ty, name) = (*self.pick(INTS), format!("a{at}_{suffix}"));
            let length = *self.pick(&[2u64, 4, 8]);
            let first = self.literal(ty);
            self.text += &format!("static {} {name}[{length}] = {{{first}, 1}};\n", ty.name);
            scope.arrays.push((name, ty, length));
        }
        for at in 0..self.structs.len() {
            self.struct_globals(at, suffix, &mut scope);
        }
        let addresses = scope.addresses.clone();
        for (at, (address, ty)) in addresses.into_iter().take(2).enumerate() {
            let name = format!("p{at}_{suffix}");
            self.text += &format!("static {} *{name} = {address};\n", ty.name);
            scope.add_scalar(&format!("(*{name})"), ty);
            scope.pointers.push((name, ty));
        }
        self.text += "\n";
        scope
    }

    /// Two variables of a struct, and a pointer to one of them.
    fn struct_globals(&mut self, at: usize, suffix: &str, scope: &mut Scope) {
        let fields = self.structs[at].clone();
        let first = self.rng.u32(0..100);
        let names = ["x", "y"].map(|name| format!("{name}{at}_{suffix}"));
        let pointer = format!("q{at}_{suffix}");
        self.text += &format!("static struct s{at} {} = {{{first} % 2}}, {};\n", names[0], names[1]);
        self.text += &format!("static struct s{at} *{pointer} = &{};\n", names[1]);
        for field in &fields {
            for name in &names {
                scope.add_scalar(&format!("{name}.{}", field.name), field.read_as());
                if field.bits.is_none() {
                    scope.addresses.push((format!("&{name}.{}", field.name), field.ty));
                }
            }
            scope.add_scalar(&format!("{pointer}->{}", field.name), field.read_as());
        }
        let [x, y] = names;
        scope.structs.push((x, y, pointer));
    }

    /// A function of numbers, which sees the globals of a scope.
    fn function(&mut self, globals: &Scope) {
        let name = format!("fn{}", self.functions.len());
        let result = *self.pick(INTS);
        let mut scope = globals.clone();
        let mut params = Vec::new();
        for at in 0..self.rng.usize(1..4) {
            let ty = *self.pick(INTS);
            params.push(ty);
            scope.add_scalar(&format!("n{at}"), ty);
        }
        let list = params.iter().enumerate().map(|(at, ty)| format!("{} n{at}", ty.name));
        let list = list.collect::<Vec<_>>().join(", ");
        self.text += &format!("static {} {name}({list}) {{\n", result.name);
        self.locals(&mut scope, 1);
        let mut work = 1;
        for _ in 0..self.rng.usize(1..4) {
            self.statement(&scope, 1, 1, &mut work, MOST_WORK_IN_CALL);
        }
        let value = self.expr(&scope, 3).text;
        self.text += &format!("    return ({}){value};\n}}\n\n", result.name);
        self.functions.push(Function { name, params, result, work });
    }

    fn locals(&mut self, scope: &mut Scope, depth: usize) {
        for at in 0..self.rng.usize(1..4) {
            let (ty, name) = (*self.pick(INTS), format!("v{at}"));
            let value = self.expr(scope, 1).text;
            self.line(depth, &format!("{} {name} = ({}){value};", ty.name, ty.name));
            scope.add_scalar(&name, ty);
        }
        if self.rng.bool() {
            let (ty, value) = (*self.pick(INTS), self.expr(scope, 1).text);
            self.line(depth, &format!("{} w[4] = {{({}){value}, 2}};", ty.name, ty.name));
            scope.arrays.push(("w".to_owned(), ty, 4));
        }
    }

    /// Prints all globals of a scope.
    fn show(&mut self, scope: &Scope) {
        for (text, ty) in &scope.scalars {
            if text.contains('_') {
                let format = ty.format(&mut self.rng);
                self.text += &format!("    printf(\"{text} = {format}\\n\", {text});\n");
            }
        }
        for (name, ty, length) in scope.arrays.iter().filter(|(name, ..)| name.contains('_')) {
            let format = ty.format(&mut self.rng);
            self.text += &format!(
                "    for (int i = 0; i < {length}; i++) {{\n        \
                 printf(\"{name} %d {format}\\n\", i, {name}[i]);\n    }}\n"
            );
        }
        self.text += &format!("    printf(\"%llx\\n\", {});\n", scope.sum);
    }

    fn line(&mut self, depth: usize, text: &str) {
        self.text += &format!("{}{text}\n", "    ".repeat(depth));
    }

    fn pick<'i, T>(&mut self, items: &'i [T]) -> &'i T {
        &items[self.rng.usize(..items.len())]
    }
}

impl Field {
    /// The type of what is read: a bit-field of fewer bits than an int has becomes one.
    fn read_as(&self) -> Int {
        if self.bits.is_some() { Int::INT } else { self.ty }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_makes_the_same_program_again() {
        for seed in 0..20 {
            assert_eq!(program(seed), program(seed));
        }
        assert_ne!(program(1), program(2));
        assert!(program(3).contains("pthread_create"));
    }
}
