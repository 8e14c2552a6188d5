//! Calls: of library functions that the run-time library knows, of others that are not instrumented, and of intrinsics.

use super::{Work, process, quick};
use crate::input::{Input, Length, given, input};
use crate::raw::{Instead, TypeKind, Value, ValueKind};

impl Instead {
    /// What happens in place of a wrapped function where there is no run-time library.
    fn of(name: &str) -> Instead {
        match name {
            "reach_error" | "__VERIFIER_error" => Instead::Trap,
            // Only the run-time library has these.
            _ if name.starts_with("raddle_") || name.starts_with("__VERIFIER_") => Instead::Nothing,
            // Whoever shares its stack with its child could not return from where it is called then.
            "vfork" => Instead::Other("fork"),
            _ => Instead::Same,
        }
    }
}

impl<'m> Work<'m, '_> {
    /// Puts in what belongs to a call.
    pub(super) fn call(&mut self, call: Value<'m>, site: Option<u32>) {
        let Some(site) = site else { return };
        let Some(callee) = call.callee() else { return };
        let name =
            if callee.kind() == ValueKind::LLVMFunctionValueKind { callee.name() } else { String::new() };
        let wrapped = self.plan.wrapped.contains(&name.as_str());
        if !wrapped && self.plan.given.is_some_and(|given| given.contains(&site)) {
            self.give(call, site, &name);
        }
        // On a schedule, a call of such a function is the error, whatever the function does: the analysis has it so.
        let is_error =
            self.plan.only.is_some() && matches!(name.as_str(), "reach_error" | "__VERIFIER_error");
        let outside = is_error || callee.blocks().next().is_none();
        if name.starts_with("llvm.") {
            self.intrinsic(call, site, &name);
        } else if outside && wrapped {
            self.editor.before(call);
            let number = self.editor.int32(site);
            if let Some(at) = self.editor.call("__raddle_site", &[number]) {
                let to = format!("{}{name}", self.plan.prefix);
                let instead = self.plan.only.is_none().then(|| Instead::of(&name));
                self.editor.redirect(call, &to, at, instead);
            }
        } else if self.is_gate(site) {
            self.editor.before(call);
            self.mark("begin", site);
            if self.editor.after(call) {
                self.mark("after", site);
            }
        } else if self.plan.only.is_none() && outside && !call.must_be_tail() && call.asm().is_none() {
            self.process(call, site, &name);
            self.outside(call, site, &name);
        }
    }

    /// What a call gave that may give anything is what the run-time library says. What was put in behind the call stays there.
    fn give(&mut self, call: Value<'m>, site: u32, name: &str) {
        // What is told about variables has the site of a call, too.
        if name.starts_with("llvm.") || call.ty().is_void() || call.must_be_tail() {
            return;
        }
        let Some(given) = given(name) else { return };
        let to = given.to.and_then(|to| call.operands().get(to).copied());
        let users: Vec<Value<'m>> = call.users().collect();
        if !self.editor.after(call) {
            return;
        }
        let result = self.editor.word(call);
        let (number, count) = (self.editor.int32(site), self.editor.int32(given.words));
        let to = to.unwrap_or_else(|| self.editor.nowhere());
        let Some(word) = self.editor.call("__raddle_do_given", &[number, result, to, count]) else { return };
        if given.result
            && let Some(value) = self.editor.narrow(word, call.ty())
        {
            self.editor.exchange(&users, call, value);
        }
    }

    /// A call of what is not instrumented, or may not be.
    fn outside(&mut self, call: Value<'m>, site: u32, name: &str) {
        // Without a place after it nobody could take the turn again.
        if !self.editor.after(call) {
            return;
        }
        let result = (!call.ty().is_void()).then_some(call);
        self.back(site, result);
        if let Some(input) = input(name) {
            self.input(call, site, input);
        }
        if !quick::is(name) {
            self.editor.before(call);
            self.mark("call", site);
        }
    }

    /// A call of a function that may make a process, or another program of this one.
    fn process(&mut self, call: Value<'m>, site: u32, name: &str) {
        let operands = call.operands();
        if process::is_exec(name) {
            self.editor.before(call);
            self.mark("exec", site);
        }
        if let ("clone", Some(&flags)) = (name, operands.get(2)) {
            self.editor.before(call);
            let (site, flags) = (self.editor.int32(site), self.editor.word(flags));
            self.editor.call("__raddle_do_clone", &[site, flags]);
        }
        // With a null pointer, `system` only says whether there is a shell.
        let asks = name == "system"
            && operands.first().is_none_or(|text| text.kind() == ValueKind::LLVMConstantPointerNullValueKind);
        if let Some(number) = process::number_of_child(name)
            && !asks
            && !call.ty().is_void()
            && self.editor.after(call)
        {
            let result = self.editor.word(call);
            if let Some(number) = self.editor.call(number, &[result]) {
                let site = self.editor.int32(site);
                self.editor.call("__raddle_do_child", &[site, number]);
            }
        }
    }

    /// Records what a library function wrote.
    fn input(&mut self, call: Value<'m>, site: u32, input: Input) {
        let operands = call.operands();
        let Some(&to) = operands.get(input.to).filter(|to| to.ty().kind() == TypeKind::LLVMPointerTypeKind)
        else {
            return;
        };
        let size = match input.length {
            Length::Result | Length::Text => self.zero(),
            Length::Items { size } => match operands.get(size) {
                Some(&size) => self.editor.word(size),
                None => return,
            },
            Length::IfZero(size) | Length::IfNot(size) => {
                let size = self.editor.int32(size);
                self.editor.word(size)
            }
        };
        let result = self.editor.word(call);
        if let Some(length) = self.editor.call(input.length.computed_by(), &[result, size]) {
            let number = self.editor.int32(site);
            self.editor.call("__raddle_do_input", &[number, to, length]);
        }
    }

    fn intrinsic(&mut self, call: Value<'m>, site: u32, name: &str) {
        let is = |start: &str| name.starts_with(start);
        let operands = call.operands();
        let [to, from, length, ..] = *operands.as_slice() else { return };
        let Some(only) = self.plan.only else {
            let known = is("llvm.memcpy.") || is("llvm.memmove.") || is("llvm.memset.");
            if known && self.editor.after(call) {
                let number = self.editor.int32(site);
                let length = self.editor.word(length);
                let what = if is("llvm.memset.") { "__raddle_do_fill" } else { "__raddle_do_copy" };
                self.editor.call(what, &[number, to, from, length]);
            }
            return;
        };
        if only.contains(&site) {
            self.editor.before(call);
            self.wait(site);
            if self.editor.after(call) {
                self.waited(site);
            }
        }
    }
}
