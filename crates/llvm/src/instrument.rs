//! Instrumentation: a module that tells the run-time library what it does, and waits where that says so.
//!
//! Sites are numbered as for the analysis (`site`), and the same passes run, so both mean the same instructions. After each of
//! those that others may see, or before and after it in a module that is kept on a schedule, there are calls of small functions
//! (`inline.ll`, `step.ll`), which are inlined and call the run-time library only while it listens. What a trace need not have,
//! since it can be computed again, is left out (`unknown`, `quiet`). Calls of library functions that the run-time library knows go to it, with the site in
//! front. Everything else stays as it is: what is not understood simply runs.

mod calls;
mod escape;
mod group;
mod process;
mod quick;
mod quiet;
mod reading;
mod unknown;

use std::collections::BTreeMap;
use std::path::Path;

use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;
use rustc_hash::FxHashSet;

use crate::embedded;
use crate::raw::{self, Editor, Opcode, Source, Value, ValueKind};
use crate::read::{ReadError, link, parse, prepare};
use crate::site::{self, Sites};
use escape::Private;
use group::{Groups, Kind, Member, Seen};
use quiet::Loops;
use reading::Reading;
use unknown::Unknown;

const INLINE: &str = include_str!("instrument/inline.ll");
/// What differs between modules that are a part of a program, and those that can be one of a shared library.
const PROGRAM: &str = include_str!("instrument/program.ll");
/// See there.
const LIBRARY: &str = include_str!("instrument/library.ll");
/// What is put in besides if there are sites at which to wait.
const STEP: &str = include_str!("instrument/step.ll");
/// What starts the names of what we put in.
const PREFIX: &str = "__raddle_";

/// What is to be put in.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'a> {
    /// The library functions whose calls go to the run-time library, and what is put before their names.
    pub wrapped: &'a [&'a str],
    /// See there.
    pub prefix: &'a str,
    /// The sites, counted in this module, at which to wait for a turn; all accesses that others may see if not said. With
    /// sites, nothing is put in that only recording needs.
    pub only: Option<&'a FxHashSet<u32>>,
    /// The sites of calls that may give anything, and are told by the run-time library what.
    pub given: Option<&'a FxHashSet<u32>>,
    /// A name for the module: its source file.
    pub name: &'a str,
    /// A fingerprint of the module.
    pub hash: [u8; 32],
    /// Whether the module carries itself, as it was, for the analysis.
    pub embed: bool,
}

/// Instruments modules, which are linked as for the analysis: of functions that several have, both take the same one. Writes what
/// comes out, and returns how many sites it has. What a module carries of itself is the first.
///
/// # Errors
/// When a module cannot be read or linked, or the other one not be written.
pub fn instrument(inputs: &[impl AsRef<Path>], output: &Path, plan: Plan<'_>) -> Result<u32, ReadError> {
    let context = Context::create();
    raw::be_quiet(&context);
    let (input, others) = inputs.split_first().ok_or(ReadError::Nothing)?;
    let input = input.as_ref();
    let bytes = std::fs::read(input).map_err(|error| ReadError::Io(input.to_path_buf(), error))?;
    let module = parse(&context, input)?;
    let mut sites = site::number(&module, 0)?;
    for path in others {
        let other = parse(&context, path.as_ref())?;
        let more = site::number(&other, sites.count)?;
        sites.count += more.count;
        sites.functions.extend(more.functions);
        link(&module, other, path.as_ref())?;
    }
    prepare(&module)?;
    if plan.only.is_none() {
        // So that there is a block before each loop, and one behind it, that belong to nothing else.
        raw::run_passes(&module, c"function(loop-simplify)").map_err(ReadError::Invalid)?;
    }
    let mut work = Work {
        source: Source::of(&module),
        editor: Editor::new(&module),
        kind: site::kind(&module),
        sites: &sites,
        plan,
    };
    let functions: Vec<Value<'_>> = work
        .source
        .functions()
        .filter(|function| function.is_defined_here() && !function.has_attribute("naked"))
        .collect();
    let facts = work.facts(&functions);
    let place = if is_shared(&module) { LIBRARY } else { PROGRAM };
    let triple = module.get_triple();
    let text = inline_text(plan, place, sites.count, &triple.as_str().to_string_lossy(), &facts);
    let buffer = MemoryBuffer::create_from_memory_range_copy(text.as_bytes(), "inline.ll");
    let inline = context
        .create_module_from_ir(buffer)
        .map_err(|message| ReadError::Invalid(format!("inline.ll: {message}")))?;
    inline.set_triple(&module.get_triple());
    inline.set_data_layout(&module.get_data_layout());
    module.link_in_module(inline).map_err(|message| ReadError::Invalid(format!("inline.ll: {message}")))?;
    for function in work.source.functions() {
        if function.is_defined_here() && function.name().starts_with(PREFIX) {
            function.make_internal();
        }
    }
    if plan.only.is_none() {
        work.editor.weaken(PREFIX);
    }
    for (at, function) in functions.iter().enumerate() {
        work.function(*function, &facts, at);
    }
    if plan.embed {
        // Fields of `__raddle_this`: where the bitcode is, and how long.
        let kept = embedded::entry(&plan.hash, &bytes);
        work.editor.keep("__raddle_this", [5, 6], embedded::SECTION, &kept);
    }
    module.verify().map_err(|message| ReadError::Invalid(message.to_string()))?;
    work.editor.write(output).map_err(|error| ReadError::Io(output.to_path_buf(), error))?;
    Ok(sites.count)
}

/// Whether a module can become a part of a shared library: its code may be anywhere, and is not said to be a program's.
fn is_shared(module: &Module<'_>) -> bool {
    module.get_flag("PIC Level").is_some() && module.get_flag("PIE Level").is_none()
}

fn inline_text(plan: Plan<'_>, place: &str, sites: u32, triple: &str, facts: &Facts<'_>) -> String {
    let escaped = |bytes: &[u8]| bytes.iter().map(|byte| format!("\\{byte:02X}")).collect::<String>();
    let mut name = plan.name.as_bytes().to_vec();
    name.retain(|byte| *byte != 0);
    name.push(0);
    let step = if plan.only.is_some() { STEP } else { "" };
    let groups = facts.groups.iter().flat_map(Groups::values);
    let groups: BTreeMap<String, String> =
        groups.map(|members| (group::name(members), group::text(members))).collect();
    let groups: String = groups.into_values().collect();
    format!("{INLINE}\n{place}\n{step}\n{groups}")
        .replace("@NAME_LENGTH@", &name.len().to_string())
        .replace("@NAME@", &escaped(&name))
        .replace("@SITES@", &sites.to_string())
        .replace("@HASH@", &escaped(&plan.hash))
        .replace("@STACK@", if triple.starts_with("x86_64") { "rsp" } else { "sp" })
}

/// A module that is being instrumented.
struct Work<'m, 'a> {
    source: Source<'m>,
    editor: Editor<'m>,
    kind: u32,
    sites: &'a Sites,
    plan: Plan<'a>,
}

/// What is known of a module before it is changed.
struct Facts<'m> {
    private: Private<'m>,
    /// Nothing is to be known of these where only schedules matter.
    unknown: Option<Unknown<'m>>,
    quiet: FxHashSet<Value<'m>>,
    /// For each function.
    loops: Vec<Loops<'m>>,
    readings: Vec<Vec<Reading<'m>>>,
    groups: Vec<Groups<'m>>,
}

impl<'m> Work<'m, '_> {
    fn facts(&self, functions: &[Value<'m>]) -> Facts<'m> {
        let private = Private::new(functions);
        let mut facts = Facts {
            private,
            unknown: None,
            quiet: FxHashSet::default(),
            loops: functions.iter().map(|_| Loops::default()).collect(),
            readings: functions.iter().map(|_| Vec::new()).collect(),
            groups: functions.iter().map(|_| Groups::default()).collect(),
        };
        if self.plan.only.is_none() {
            facts.unknown = Some(Unknown::new(functions, &facts.private, self.plan.wrapped));
            facts.quiet = quiet::functions(functions, &|at| self.happens(at, &facts));
            let loops = functions
                .iter()
                .map(|function| quiet::loops(*function, &|at| self.happens(at, &facts)))
                .collect();
            facts.loops = loops;
            let seen = |pointer| is_seen(pointer, &facts.private);
            let readings = functions
                .iter()
                .map(|function| reading::find(*function, self.source, &seen, &|at| self.happens(at, &facts)))
                .collect();
            facts.readings = readings;
            let groups =
                functions.iter().enumerate().map(|(at, function)| self.groups(*function, &facts, at));
            facts.groups = groups.collect();
        }
        facts
    }

    /// What is told together in a function.
    fn groups(&self, function: Value<'m>, facts: &Facts<'m>, at: usize) -> Groups<'m> {
        let later = told_later(&facts.readings[at]);
        let access = |at: Value<'m>| {
            !later.contains(&at) && accessed(at).is_some_and(|pointer| is_seen(pointer, &facts.private))
        };
        let branch = |at| is_recorded_branch(at, facts);
        Seen { source: self.source, sites: self.kind, access: &access, branch: &branch }.groups(function)
    }

    /// Whether something is recorded at an instruction, or may be while it is executed.
    fn happens(&self, instruction: Value<'m>, facts: &Facts<'m>) -> bool {
        match instruction.opcode() {
            Some(Opcode::LLVMCall | Opcode::LLVMInvoke) => {
                let Some(callee) = instruction.callee() else { return true };
                let name = if callee.kind() == ValueKind::LLVMFunctionValueKind {
                    callee.name()
                } else {
                    String::new()
                };
                match name.strip_prefix("llvm.") {
                    Some(intrinsic) => intrinsic.starts_with("mem"),
                    None => !facts.quiet.contains(&callee),
                }
            }
            Some(Opcode::LLVMLandingPad | Opcode::LLVMCallBr) => true,
            Some(Opcode::LLVMBr | Opcode::LLVMSwitch) => is_recorded_branch(instruction, facts),
            _ => accessed(instruction).is_some_and(|pointer| is_seen(pointer, &facts.private)),
        }
    }

    fn function(&mut self, function: Value<'m>, facts: &Facts<'m>, at: usize) {
        let readings = &facts.readings[at];
        let groups = &facts.groups[at];
        let mut told = told_later(readings);
        told.extend(groups.values().flatten().map(|member| member.instruction));
        let instructions: Vec<Value<'m>> = function.blocks().flat_map(raw::Block::instructions).collect();
        let quiet = self.plan.only.is_some() || facts.quiet.contains(&function);
        let entered = if quiet { None } else { self.enter(function) };
        for instruction in instructions {
            let site = site::of(self.kind, instruction);
            if let Some(members) = groups.get(&instruction) {
                self.group(members, instruction);
            }
            match instruction.opcode() {
                Some(Opcode::LLVMCall | Opcode::LLVMInvoke) => self.call(instruction, site),
                Some(Opcode::LLVMLandingPad) if self.plan.only.is_none() => {
                    if self.editor.after(instruction) {
                        self.back(0, None);
                    }
                }
                Some(Opcode::LLVMRet | Opcode::LLVMResume) => {
                    if let Some(site) = site.filter(|site| self.is_gate(*site)) {
                        self.editor.before(instruction);
                        self.wait(site);
                        self.waited(site);
                    }
                    if let Some((site, token)) = entered {
                        // A call that must be the last thing stays it.
                        let last = instruction.previous();
                        self.editor.before(last.filter(|last| last.must_be_tail()).unwrap_or(instruction));
                        let site = self.editor.int32(site);
                        self.editor.call("__raddle_do_leave", &[site, token]);
                    }
                }
                _ => {
                    if let Some(site) = site.filter(|_| !told.contains(&instruction)) {
                        self.access(instruction, site, &facts.private);
                    }
                }
            }
        }
        self.loops(function, &facts.loops[at]);
        for reading in readings {
            self.reading(function, reading);
        }
    }

    /// A loop that does nothing but read tells what it has read when it is through.
    fn reading(&mut self, function: Value<'m>, reading: &Reading<'m>) -> Option<()> {
        let Reading { before, header, latch, after, .. } = *reading;
        let line = *reading.loads.first()?;
        // For each read: its site and size, its address in the last round, and the one before.
        let room = self.editor.words(function, 3 * reading.loads.len())?;
        self.editor.before(before.instructions().last()?);
        self.editor.belongs_to(line);
        let token = self.editor.call("__raddle_do_reading", &[])?;
        let none = self.editor.int64(0);
        let rounds = self.editor.joined(header, none, before)?;
        self.editor.before(latch.instructions().last()?);
        let more = self.editor.successor(rounds);
        self.editor.join(rounds, more, latch);
        let mut told = Vec::new();
        for (index, load) in reading.loads.iter().enumerate() {
            let address = *load.operands().first()?;
            let (nowhere, mut last) = (self.editor.nowhere(), address);
            let mut kept = || -> Option<Value<'m>> {
                let kept = self.editor.joined(header, nowhere, before)?;
                self.editor.join(kept, last, latch);
                last = kept;
                Some(kept)
            };
            let first = kept()?;
            // What is behind the place where the loop is left was not executed in the last round.
            let addresses = if index < reading.again { (address, first) } else { (first, kept()?) };
            let number = u64::from(site::of(self.kind, *load)?);
            let size = u64::from(load.store_size(self.source));
            told.push((number | size << 32, addresses));
        }
        let first = after.instructions().find(|at| at.opcode() != Some(Opcode::LLVMPHI))?;
        self.editor.before(first);
        self.editor.belongs_to(line);
        for (index, (what, (last, previous))) in told.into_iter().enumerate() {
            let what = self.editor.int64(what);
            self.editor.put(room, 3 * index, what);
            self.editor.put(room, 3 * index + 1, last);
            self.editor.put(room, 3 * index + 2, previous);
        }
        let count = self.editor.int32(reading.loads.len() as u32);
        let again = self.editor.int32(reading.again as u32);
        self.editor.call("__raddle_do_have_read", &[token, room, count, again, rounds])?;
        Some(())
    }

    /// Quiet loops let the turn go if others want it.
    fn loops(&mut self, function: Value<'m>, loops: &Loops<'m>) {
        if loops.rounds.is_empty() {
            return;
        }
        let Some(away) = self.editor.byte(function) else { return };
        for round in &loops.rounds {
            self.editor.before(*round);
            self.editor.call("__raddle_do_round", &[away]);
        }
        for exit in &loops.exits {
            let first = exit
                .instructions()
                .find(|at| !matches!(at.opcode(), Some(Opcode::LLVMPHI | Opcode::LLVMLandingPad)));
            if let Some(first) = first {
                self.editor.before(first);
                self.editor.call("__raddle_do_again", &[away]);
            }
        }
    }

    /// Whether there is to be a turn of its own for a site, if only some have one.
    fn is_gate(&self, site: u32) -> bool {
        self.plan.only.is_some_and(|only| only.contains(&site))
    }

    fn mark(&mut self, what: &str, site: u32) {
        let site = self.editor.int32(site);
        self.editor.call(&format!("__raddle_do_{what}"), &[site]);
    }

    /// An instruction waits for its turn. The usual one is counted on the spot.
    fn wait(&mut self, site: u32) {
        self.mark("step", site);
    }

    fn waited(&mut self, site: u32) {
        self.mark("stepped", site);
    }

    fn back(&mut self, site: u32, result: Option<Value<'m>>) {
        let result = match result {
            Some(result) => self.editor.word(result),
            None => self.zero(),
        };
        let site = self.editor.int32(site);
        self.editor.call("__raddle_do_back", &[site, result]);
    }

    fn zero(&mut self) -> Value<'m> {
        let zero = self.editor.int32(0);
        self.editor.word(zero)
    }

    fn enter(&mut self, function: Value<'m>) -> Option<(u32, Value<'m>)> {
        let site = *self.sites.functions.get(&function.name())?;
        self.editor.before(function.insertion_point()?);
        let number = self.editor.int32(site);
        let token = self.editor.call("__raddle_do_enter", &[number])?;
        Some((site, token))
    }

    /// Tells of several accesses, and of the way that a branch takes.
    fn group(&mut self, members: &[Member<'m>], before: Value<'m>) -> Option<()> {
        self.editor.before(before);
        let mut told = Vec::new();
        for member in members {
            let operands = member.instruction.operands();
            told.push(self.editor.int32(member.site));
            let value = match member.kind {
                Kind::Read(_) => {
                    told.push(*operands.first()?);
                    member.instruction
                }
                Kind::Write(_) => {
                    told.push(*operands.last()?);
                    *operands.first()?
                }
                Kind::Branch => *operands.first()?,
            };
            told.push(self.editor.word(value));
        }
        self.editor.call(&group::name(members), &told).map(|_| ())
    }

    /// A load, store or atomic instruction; or anything else that has a turn of its own.
    fn access(&mut self, instruction: Value<'m>, site: u32, private: &Private<'m>) {
        let pointer = accessed(instruction);
        let Some(only) = self.plan.only else {
            if let Some(pointer) = pointer.filter(|pointer| is_seen(*pointer, private))
                && self.editor.after(instruction)
            {
                self.tell_access(instruction, site, pointer, &instruction.operands());
            }
            return;
        };
        if !only.contains(&site) {
            return;
        }
        self.editor.before(instruction);
        self.wait(site);
        if !self.editor.after(instruction) {
            // The end of a block: there is no place after it.
            self.editor.before(instruction);
            self.waited(site);
            return;
        }
        self.waited(site);
    }

    fn tell_access(&mut self, instruction: Value<'m>, site: u32, pointer: Value<'m>, operands: &[Value<'m>]) {
        let number = self.editor.int32(site);
        match instruction.opcode() {
            Some(Opcode::LLVMLoad) => {
                let size = self.editor.int32(instruction.store_size(self.source));
                let value = self.editor.word(instruction);
                self.editor.call("__raddle_do_read", &[number, pointer, value, size]);
            }
            Some(Opcode::LLVMStore) => {
                let size = self.editor.int32(operands[0].store_size(self.source));
                let value = self.editor.word(operands[0]);
                self.editor.call("__raddle_do_write", &[number, pointer, value, size]);
            }
            Some(Opcode::LLVMAtomicRMW) => {
                let size = self.editor.int32(instruction.store_size(self.source));
                let old = self.editor.word(instruction);
                self.editor.call("__raddle_do_update", &[number, pointer, old, size]);
            }
            Some(Opcode::LLVMAtomicCmpXchg) => {
                let old = self.editor.first_part(instruction);
                let size = self.editor.int32(old.store_size(self.source));
                let old = self.editor.word(old);
                self.editor.call("__raddle_do_update", &[number, pointer, old, size]);
            }
            _ => {}
        }
    }
}

/// Reads that loops tell of when they are through.
fn told_later<'m>(readings: &[Reading<'m>]) -> FxHashSet<Value<'m>> {
    readings.iter().flat_map(|reading| reading.loads.iter().copied()).collect()
}

/// The memory that a load, store or atomic instruction is about.
fn accessed(instruction: Value<'_>) -> Option<Value<'_>> {
    let operands = instruction.operands();
    match instruction.opcode() {
        Some(Opcode::LLVMLoad | Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg) => {
            operands.first().copied()
        }
        Some(Opcode::LLVMStore) => operands.last().copied(),
        _ => None,
    }
}

/// Whether others may see what a pointer points to, and somebody change it.
fn is_seen<'m>(pointer: Value<'m>, private: &Private<'m>) -> bool {
    !private.is(pointer) && !is_fixed(pointer)
}

/// Whether a branch is recorded: whether its way cannot be computed again.
fn is_recorded_branch<'m>(branch: Value<'m>, facts: &Facts<'m>) -> bool {
    let unknown = |value: &Value<'m>| facts.unknown.as_ref().is_some_and(|unknown| unknown.is(*value));
    branch.successors().len() > 1 && branch.operands().first().is_some_and(unknown)
}

/// Whether what a pointer points to never changes.
fn is_fixed(pointer: Value<'_>) -> bool {
    escape::base(pointer).is_constant()
}
