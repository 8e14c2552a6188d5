//! Trees as text.
//!
//! ```text
//! n0 main:entry.0 | worker:entry.0 { x == 0, 0.t == 0 }
//!   0: main:entry.0 main:entry.1 -> n1
//! n1 main:entry.2 | done worker { x == 1 }
//!   cover n0
//! ```
//! A node has where its threads are (frames separated by `>`) and its label: equations and inequalities of globals, locals
//! (`thread.local` for the first frame, `thread/frame.local` for others) and numbers. Below it are its edges, by thread, with
//! the ops that are run, or the node that covers it, and in whose places the threads are there if they are renamed.

use interp::{Checks, SwitchAt};
use ir::{OpRef, Program};
use schedule::{Art, Choice, Claim, Edge, Location, Node, NodeId, Question, ThreadAt, Variable};
use smt::{TermId, TermPool, Z3};

/// Reads a program.
pub(crate) fn program(text: &str) -> Program {
    let mut map = source::SourceMap::default();
    let file = map.add("test.ir", text.to_owned());
    ir::text::parse(&map, file).expect("the program is well-formed")
}

/// A tree whose text is that.
pub(crate) fn tree(program: &Program, text: &str) -> Art {
    let program = ir::expand(program).program;
    let pool = TermPool::default();
    let mut art = Art { pool, variables: indexmap::IndexMap::new(), nodes: Default::default() };
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if line.starts_with('n') {
            let (place, label) = line.split_once('{').expect("a label");
            let (name, place) = place.split_once(' ').expect("a location");
            let threads = place.split('|').map(str::trim).filter(|t| !t.is_empty());
            let location = Location { threads: threads.map(|t| thread(&program, t)).collect() };
            let label = formula(&program, &mut art, &location, label.trim_end_matches('}'));
            let id = art.nodes.push(Node {
                location,
                label,
                choices: Vec::new(),
                cover: None,
                renaming: Vec::new(),
            });
            assert_eq!(id.to_string(), name);
            continue;
        }
        let last = NodeId::from_u32(u32::try_from(art.nodes.len() - 1).expect("few nodes"));
        let current = &mut art.nodes[last];
        if let Some(by) = line.strip_prefix("cover ") {
            // `cover n0 as 1 0`: the first thread is in the place of the second.
            let (by, renaming) = by.split_once(" as ").unwrap_or((by, ""));
            current.cover = Some(node(by));
            current.renaming =
                renaming.split_whitespace().map(|thread| thread.parse().expect("a thread")).collect();
            continue;
        }
        let (who, edge) = line.split_once(':').expect("a thread");
        let thread: u32 = who.parse().expect("a thread");
        let (ops, target) = edge.split_once("->").expect("a target");
        // `@2` is the handle of thread 2.
        let handle = |word: &str| word.strip_prefix('@').map(|thread| thread.parse().expect("a thread"));
        let handles = ops.split_whitespace().filter_map(handle).collect();
        let words = ops.split_whitespace().filter(|word| !word.starts_with('@'));
        let ops = words.map(|at| op(&program, at)).collect();
        let edge = Edge { ops, handles, target: node(target.trim()) };
        match current.choices.last_mut() {
            Some(choice) if choice.thread == thread => choice.edges.push(edge),
            _ => current.choices.push(Choice { thread, edges: vec![edge] }),
        }
    }
    art
}

fn node(name: &str) -> NodeId {
    NodeId::from_u32(name.trim_start_matches('n').parse().expect("a node"))
}

fn op(program: &Program, text: &str) -> OpRef {
    let (proc, place) = text.split_once(':').expect("a procedure");
    let (block, index) = place.split_once('.').expect("an index");
    let proc = program.proc_named(proc).expect("a procedure");
    let mut blocks = program.procs[proc].blocks.iter();
    let block = blocks.find(|(_, b)| b.name == block).expect("a block").0;
    OpRef { proc, block, index: index.parse().expect("an index") }
}

fn thread(program: &Program, text: &str) -> ThreadAt {
    match text.strip_prefix("done ") {
        Some(proc) => ThreadAt::Completed(program.proc_named(proc).expect("a procedure")),
        None => ThreadAt::Running(text.split('>').map(|at| op(program, at.trim())).collect()),
    }
}

fn formula(program: &Program, art: &mut Art, location: &Location, text: &str) -> TermId {
    let mut parts = Vec::new();
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let words: Vec<&str> = part.split_whitespace().collect();
        let [a, relation, b] = words.as_slice() else { panic!("`{part}` is no formula") };
        let (a, b) = (operand(program, art, location, a), operand(program, art, location, b));
        let pool = &mut art.pool;
        parts.push(match *relation {
            "==" => pool.eq(a, b),
            "!=" => pool.ne(a, b),
            "<=" => pool.binary(smt::BinaryOp::Le, a, b),
            "<" => pool.binary(smt::BinaryOp::Lt, a, b),
            other => panic!("`{other}` is no relation"),
        });
    }
    art.pool.and(parts)
}

fn operand(program: &Program, art: &mut Art, location: &Location, text: &str) -> TermId {
    if let Ok(number) = text.parse::<i64>() {
        return art.pool.int(number);
    }
    if let Ok(value) = text.parse::<bool>() {
        return art.pool.bool(value);
    }
    if let Some(global) = program.global_named(text) {
        return variable(art, Variable::Global(global), &program.globals[global].ty, text);
    }
    let Some((place, name)) = text.split_once('.') else {
        let declared = program.consts.values().find(|c| c.name == text).expect("a constant");
        let sort = sort(&mut art.pool, &declared.ty);
        return art.pool.constant(text, sort);
    };
    let (thread, frame) = place.split_once('/').unwrap_or((place, "0"));
    let (thread, frame): (u32, u32) = (thread.parse().expect("a thread"), frame.parse().expect("a frame"));
    match &location.threads[thread as usize] {
        ThreadAt::Running(frames) => {
            let proc = frames[frame as usize].proc;
            let mut locals = program.procs[proc].locals.iter();
            let (local, info) = locals.find(|(_, info)| info.name == name).expect("a local");
            variable(art, Variable::Local { thread, frame, proc, local }, &info.ty, text)
        }
        ThreadAt::Completed(proc) => {
            let info = &program.procs[*proc];
            let index = info.results.iter().position(|r| info.locals[*r].name == name).expect("a result");
            let ty = &info.locals[info.results[index]].ty;
            let index = u32::try_from(index).expect("few results");
            variable(art, Variable::Result { thread, proc: *proc, index }, ty, &format!("{text}'"))
        }
    }
}

fn variable(art: &mut Art, variable: Variable, ty: &ir::Type, name: &str) -> TermId {
    let sort = sort(&mut art.pool, ty);
    let pool = &mut art.pool;
    *art.variables.entry(variable).or_insert_with(|| pool.constant(&format!("{name}@"), sort))
}

fn sort(pool: &mut TermPool, ty: &ir::Type) -> smt::SortId {
    match ty {
        ir::Type::Bool => smt::SortId::BOOL,
        ir::Type::Int | ir::Type::Task => smt::SortId::INT,
        ir::Type::Bv(width) => pool.bv_sort(*width),
        other => panic!("no variable of type {other:?} in labels"),
    }
}

/// What the checker says of a tree.
pub(crate) fn verdict(source: &str, claim: Claim, text: &str) -> Result<usize, String> {
    verdict_with(source, claim, Checks::default(), text)
}

/// The same with other checks.
pub(crate) fn verdict_with(source: &str, claim: Claim, checks: Checks, text: &str) -> Result<usize, String> {
    ask(source, &Question { claim, checks, switch_at: SwitchAt::Visible }, text)
}

/// What the checker answers to a question about a tree.
pub(crate) fn ask(source: &str, question: &Question, text: &str) -> Result<usize, String> {
    let program = program(source);
    let art = tree(&program, text);
    let mut solver = Z3::new();
    let result = schedule::check(&program, &art, question, &mut solver, &|| Some(smt::Limits::default()));
    result.map(|checked| checked.nodes).map_err(|refusal| refusal.to_string())
}

/// That a tree is accepted.
pub(crate) fn accepts(source: &str, claim: Claim, text: &str) {
    verdict(source, claim, text).expect("the tree is right");
}

/// That a tree is refused, and with which words.
pub(crate) fn refuses(source: &str, claim: Claim, text: &str, message: &str) {
    let refusal = verdict(source, claim, text).expect_err("the tree is wrong");
    assert_eq!(refusal, message);
}
