//! Calls of functions without a body: what is known about them by name.

use ir::{AccessOrder, AssertKind, BinaryOp, ExprId, ExprNode, Op, Place, Type};
use source::Span;

use super::OutputSite;
use super::address::POINTER_BITS;
use super::bits::Bits;
use super::function::FunctionLowering;
use crate::library::is_stream_output;
use crate::module::{ConstKind, IntPredicate, Operand, ValueId, is_outside};

impl FunctionLowering<'_, '_> {
    pub(super) fn library_call(&mut self, result: Option<ValueId>, name: &str, args: &[Operand]) {
        let done = self.synchronization_call(result, name, args)
            || self.thread_call(result, name, args)
            || self.memory_call(result, name, args)
            || self.control_call(result, name, args)
            || self.dynamic_cast(result, name, args)
            || self.output_call(result, name, args)
            || self.intrinsic(result, name, args)
            || self.recorded_call(result, name, &unknown(name), args)
            || self.harmless_call(result, name);
        if !done {
            // What the compiler adds for a variable is nowhere in the source, but the variable is.
            if self.span == Span::NONE {
                self.span = args.iter().find_map(|arg| self.declared_at(*arg)).unwrap_or(Span::NONE);
            }
            self.refuse_call(result, &unknown(name));
        }
    }

    /// Where the variable is declared whose address is given.
    fn declared_at(&self, operand: Operand) -> Option<Span> {
        let Operand::Const(constant) = operand else { return None };
        let ConstKind::Global(global) = self.cx.module.consts[constant].kind else { return None };
        Some(self.cx.module.globals[global].variable.as_ref()?.span)
    }

    /// Ends, checks, assumptions, arbitrary values, atomic blocks.
    fn control_call(&mut self, result: Option<ValueId>, name: &str, args: &[Operand]) -> bool {
        match name {
            "exit" => {
                let code = args.first().map(|&code| self.scalar(code));
                self.exit(code);
            }
            "abort" | "_exit" | "_Exit" | "quick_exit" | "__VERIFIER_silent_exit" | "llvm.trap" => {
                self.push(Op::Exit);
            }
            _ if throws(name) => {
                if self.cx.module.catches {
                    self.unsupported("throwing an exception in a program that catches some");
                }
                self.push(Op::Exit);
            }
            "__assert_fail" | "__assert" | "__assert_perror_fail" => {
                let text = args.first().and_then(|&text| self.text(text));
                let text = text.map(|text| String::from_utf8_lossy(&text).into_owned());
                let message = match text {
                    Some(text) => format!("assertion does not hold: {text}"),
                    None => "assertion does not hold".to_owned(),
                };
                self.fail(&message);
            }
            "reach_error" | "__VERIFIER_error" => self.fail(&format!("`{name}` is called")),
            "__VERIFIER_assume" | "llvm.assume" => {
                if let Some(&cond) = args.first() {
                    let cond = self.truth(cond);
                    self.push(Op::Assume(cond));
                }
            }
            "__VERIFIER_assert" => {
                if let Some(&cond) = args.first() {
                    let cond = self.truth(cond);
                    let message = "assertion does not hold".to_owned();
                    self.push(Op::Assert { cond, kind: AssertKind::Assertion, message });
                }
            }
            "raddle_atomic_begin" if self.cx.options.transactions => self.push(Op::TransactionBegin),
            "raddle_atomic_end" if self.cx.options.transactions => self.push(Op::TransactionEnd),
            "__VERIFIER_atomic_begin" | "raddle_atomic_begin" => self.push(Op::AtomicBegin),
            "__VERIFIER_atomic_end" | "raddle_atomic_end" => self.push(Op::AtomicEnd),
            "raddle_progress" => self.push(Op::Progress),
            "sched_yield" | "pthread_yield" | "thrd_yield" | "usleep" | "sleep" | "nanosleep"
            | "thrd_sleep" | "clock_nanosleep" => {
                self.push(Op::Yield);
                self.returned_number(result, 0);
            }
            "__VERIFIER_await" => {
                if let Some(&cond) = args.first() {
                    let guard = self.truth(cond);
                    self.push(Op::Await { guard, targets: Vec::new(), values: Vec::new() });
                }
            }
            // A prediction leaves out what runs after `main`.
            "atexit" | "__cxa_atexit" | "__cxa_thread_atexit" if self.cx.options.transactions => {
                self.returned_number(result, 0);
            }
            // To ignore a signal, or to let it end the program, is no handler.
            "signal" if self.is_default_handler(args.get(1)) => {
                self.arbitrary_result(result.filter(|result| self.is_used(*result)));
            }
            // It takes its time, so others may run meanwhile.
            _ if is_outside(name) => {
                self.push(Op::Yield);
                self.arbitrary_result(result.filter(|result| self.is_used(*result)));
            }
            _ if name.starts_with("__VERIFIER_nondet_") => self.arbitrary_result(result),
            _ => return false,
        }
        true
    }

    /// Any time. Some functions of libstdc++ make a deadline of it for a wait, which does not look at it; others only compare it with one.
    fn look_at_clock(&mut self, result: Option<ValueId>) {
        let Some(result) = result.filter(|result| self.is_used(*result)) else { return };
        match ClockUse::of(&self.cx.module.funcs[self.func].name) {
            ClockUse::Deadline => self.returned_number(Some(result), 0),
            ClockUse::Compared => {
                self.cx.inputs.insert(self.origin.site);
                self.choose_among(result, 64, &[1 << 63, i64::MAX.cast_unsigned()]);
            }
            ClockUse::Any => self.arbitrary_result(Some(result)),
        }
    }

    /// Whether what is given to `signal` is `SIG_DFL` or `SIG_IGN`.
    fn is_default_handler(&mut self, handler: Option<&Operand>) -> bool {
        let Some(&handler) = handler else { return false };
        let number = self.scalar(handler);
        self.cx.program.exprs.literal_u64(number).is_some_and(|number| number <= 1)
    }

    /// Fails the run here.
    fn fail(&mut self, message: &str) {
        let cond = self.cx.program.exprs.bool(false);
        let kind = AssertKind::Assertion;
        self.push(Op::Assert { cond, kind, message: message.to_owned() });
        self.push(Op::Exit);
    }

    /// Whether an operand is not zero.
    fn truth(&mut self, operand: Operand) -> ExprId {
        let value = self.scalar(operand);
        let exprs = &mut self.cx.program.exprs;
        if *exprs.ty(value) == Type::Bool {
            return value;
        }
        let width = exprs.width(value);
        let zero = exprs.bv(width, 0);
        exprs.compare(IntPredicate::Ne, value, zero)
    }

    fn arbitrary_result(&mut self, result: Option<ValueId>) {
        let Some(result) = result else { return };
        self.cx.inputs.insert(self.origin.site);
        // What is predicted from a run has the values of that run.
        if !self.cx.options.transactions && self.choose_representative(result) {
            return;
        }
        let locals = self.declare(result);
        if !locals.is_empty() {
            self.push(Op::Havoc { targets: locals.into_iter().map(Place::local).collect() });
        }
    }

    /// Functions that print. What they return is arbitrary.
    fn output_call(&mut self, result: Option<ValueId>, name: &str, args: &[Operand]) -> bool {
        if is_stream_output(name) {
            if let (Some(result), Some(&stream)) = (result, args.first()) {
                let parts = self.parts(stream);
                self.define(result, parts);
            }
            return true;
        }
        let format = match name {
            "printf" | "puts" | "putchar" => 0,
            "fprintf" | "fputs" | "fputc" | "putc" | "perror" | "psignal" | "fflush" | "vprintf"
            | "vfprintf" | "dprintf" | "vdprintf" | "fwrite" | "setbuf" | "setbuffer" | "setlinebuf"
            | "setvbuf" | "puts_unlocked" | "putchar_unlocked" | "fputs_unlocked" | "fputc_unlocked"
            | "putc_unlocked" | "fwrite_unlocked" | "fflush_unlocked" | "_IO_putc" | "__printf_chk"
            | "__fprintf_chk" | "__vprintf_chk" | "__vfprintf_chk" | "__dprintf_chk" | "openlog"
            | "closelog" | "syslog" | "vsyslog" | "warn" | "warnx" | "vwarn" | "vwarnx" | "flockfile"
            | "funlockfile" => {
                self.arbitrary_result(result.filter(|result| self.is_used(*result)));
                return true;
            }
            _ => return false,
        };
        if self.cx.options.record_output {
            self.record_output(name, args, format);
        }
        match result {
            Some(result) if self.is_used(result) => self.arbitrary_result(Some(result)),
            _ => {}
        }
        true
    }

    /// Appends the number of this call and its arguments to `$output`, in one step.
    fn record_output(&mut self, name: &str, args: &[Operand], format: usize) {
        let text = args.get(format).and_then(|&format| self.text(format)).unwrap_or_default();
        let rest = if name == "printf" { &args[1..] } else { args };
        let texts = rest.iter().map(|&arg| self.text(arg)).collect();
        let site = self.cx.outputs.len() as u64;
        self.cx.outputs.push(OutputSite { function: name.to_owned(), format: text, texts });
        let mut values = vec![self.cx.program.exprs.bv(POINTER_BITS, site)];
        if name != "puts" {
            for &arg in rest {
                let value = self.scalar(arg);
                values.push(self.fitted(Some(value), &Type::Bv(POINTER_BITS)));
            }
        }
        let (output, count) = (self.cx.special("$output"), self.cx.special("$output.count"));
        let exprs = &mut self.cx.program.exprs;
        let start = exprs.add(ExprNode::Global(count, Type::Int));
        let mut targets = Vec::new();
        for at in 0..values.len() {
            let by = exprs.int(at);
            let index = exprs.pool().binary(BinaryOp::Add, start, by);
            targets.push(Place::global(output).at(vec![index]));
        }
        let by = exprs.int(values.len());
        values.push(exprs.pool().binary(BinaryOp::Add, start, by));
        targets.push(Place::global(count));
        self.push(Op::Assign { targets, values, order: AccessOrder::Atomic });
    }

    /// Functions that change nothing that the program can see, and return anything.
    fn harmless_call(&mut self, result: Option<ValueId>, name: &str) -> bool {
        if matches!(name, "_ZNSt6chrono3_V212system_clock3nowEv" | "_ZNSt6chrono3_V212steady_clock3nowEv") {
            self.look_at_clock(result);
            return true;
        }
        let known = matches!(
            name,
            "rand"
                | "random"
                | "rand_r"
                | "lrand48"
                | "clock"
                | "getpid"
                | "getppid"
                | "srand"
                | "srandom"
                | "srand48"
                | "getenv"
                | "pthread_setcancelstate"
                | "pthread_setcanceltype"
                | "pthread_testcancel"
                | "pthread_getconcurrency"
                | "sysconf"
                | "get_nprocs"
                | "getchar"
                | "getuid"
                | "geteuid"
                | "getgid"
                | "getegid"
                | "gettid"
                | "isatty"
                | "umask"
                | "_ZNSt8ios_base4InitC1Ev"
                | "_ZNSt8ios_base4InitD1Ev"
                | "_ZNSt8ios_base15sync_with_stdioEb"
                | "pthread_attr_getstacksize"
                | "pthread_setschedparam"
                | "sched_getcpu"
                | "errno"
        );
        if known {
            self.arbitrary_result(result.filter(|result| self.is_used(*result)));
        }
        known
    }
}

/// What the functions of libstdc++ that look at a clock do with the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ClockUse {
    /// They add how long to wait, and wait until then.
    Deadline,
    /// They compare it.
    Compared,
    /// Anything.
    Any,
}

impl ClockUse {
    /// By the name of the function.
    fn of(name: &str) -> Self {
        const DEADLINES: &[&str] = &[
            "_ZNSt13__future_base13_State_baseV28wait_forI",
            "_ZNSt18condition_variable8wait_forI",
            "_ZNSt18shared_timed_mutex12try_lock_forI",
            "_ZNSt18shared_timed_mutex19try_lock_shared_forI",
            "_ZNSt3_V222condition_variable_any8wait_forI",
        ];
        if name.starts_with("_ZNSt18condition_variable17__wait_until_implI") {
            return ClockUse::Compared;
        }
        let timed_mutex =
            name.starts_with("_ZNSt18__timed_mutex_implI") && name.contains("15_M_try_lock_forI");
        if timed_mutex || DEADLINES.iter().any(|begin| name.starts_with(begin)) {
            return ClockUse::Deadline;
        }
        ClockUse::Any
    }
}

/// What is said about a call of a function that has neither a body nor a meaning here.
fn unknown(name: &str) -> String {
    let plain = name.strip_prefix("llvm.").unwrap_or(name);
    match plain.trim_start_matches('_') {
        "pthread_cancel" => "cancelling a thread (`pthread_cancel`)".to_owned(),
        "setjmp" | "sigsetjmp" => "`setjmp`".to_owned(),
        "longjmp" | "siglongjmp" => "`longjmp`".to_owned(),
        "fork" | "vfork" | "clone" | "system" | "popen" | "posix_spawn" | "posix_spawnp" | "execl"
        | "execlp" | "execle" | "execv" | "execvp" | "execve" => format!("starting a process (`{plain}`)"),
        "signal" | "sigaction" | "raise" | "kill" | "pthread_kill" | "sigwait" => {
            format!("signals (`{plain}`)")
        }
        "atexit" | "at_quick_exit" => format!("a function that runs after `main` (`{plain}`)"),
        "cxa_atexit" => "the destructor of a static variable that is made when this one is".to_owned(),
        "cxa_thread_atexit" => "a thread-local variable with a destructor".to_owned(),
        start if start.starts_with("va_") => "a function with a variable number of arguments".to_owned(),
        _ => format!("a call of `{plain}`, of which only the declaration is known,"),
    }
}

/// Whether a function throws an exception: what `throw` becomes, and functions of the library that only do that.
fn throws(name: &str) -> bool {
    matches!(name, "__cxa_throw" | "__cxa_rethrow" | "__cxa_bad_cast" | "__cxa_throw_bad_array_new_length")
        || (name.starts_with("_ZSt") && name.contains("__throw_"))
}
