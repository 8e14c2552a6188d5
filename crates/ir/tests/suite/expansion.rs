//! The definitions of synchronization ops.

use ir::text::print;
use ir::{Op, SyncKind, SyncOp, SyncType, expand};
use source::Span;

use super::generator::all_sync_types;
use super::{assert_valid, program, valid};

/// A program with an object of a type, alone or in maps.
fn with_object(ty: &str, object: &str) -> ir::Program {
    let text = format!(
        "program;
        sort ref;
        const r: ref;
        var m: {ty};
        var mutex: mutex.recursive;
        var m.owner: int;
        var m.owner': int;
        thread main;
        proc main() {{
          local $woken: int; local $woken': int;
          local bool: bool; local int: int; local ref: ref; local map: [int]ref;
        entry: havoc {object}; return; }}"
    );
    program(&text)
}

#[test]
fn every_op_on_every_object_expands_to_a_valid_program() {
    let mut seen = std::collections::BTreeSet::new();
    let values = ["int", "bool", "ref", "task", "bv8", "[int]ref"];
    let keys = values.iter().map(|value| format!("key({value})"));
    let types = (0..9).map(all_sync_types).filter(|ty| !matches!(ty, SyncType::Key(_)));
    for ty in types.map(|ty| ty.name().to_owned()).chain(keys) {
        for (ty, object) in [
            (ty.clone(), "m"),
            (format!("[int]{ty}"), "m[int]"),
            (format!("[int][bool, ref]{ty}"), "m[1][bool, r]"),
        ] {
            for kind in SyncKind::ALL {
                for with_result in [false, true] {
                    let mut p = with_object(&ty, object);
                    if expand_one(&mut p, kind, with_result) {
                        seen.insert(kind.keyword());
                    }
                }
            }
        }
    }
    assert_eq!(seen.len(), SyncKind::ALL.len());
}

/// Replaces the first op, which names the object, by a synchronization op, if that is possible.
fn expand_one(p: &mut ir::Program, kind: SyncKind, with_result: bool) -> bool {
    let main = p.threads[0];
    let entry = p.procs[main].entry;
    let Op::Havoc { targets } = p.procs[main].blocks[entry].stmts[0].op.clone() else { panic!("a havoc") };
    let object = targets[0].clone();
    let ty = p.globals[p.global_named("m").unwrap()].ty.sync_inside().unwrap().clone();
    if !kind.applies_to(&ty) {
        return false;
    }
    let mutex = p.global_named("mutex").map(ir::Place::global).filter(|_| kind.takes_mutex());
    let value = kind.value_type(&ty).map(|ty| {
        let proc = &mut p.procs[main];
        let id = proc.locals.push(ir::Local { name: "given".to_owned(), ty: ty.clone(), span: Span::NONE });
        p.exprs.add(ir::ExprNode::Local(id, ty))
    });
    let mut result = None;
    if with_result {
        let Some(ty) = kind.result_type(&ty) else { return false };
        let proc = &mut p.procs[main];
        let id = proc.locals.push(ir::Local { name: "got".to_owned(), ty, span: Span::NONE });
        result = Some(ir::Place::local(id));
    }
    let op = Op::Sync(SyncOp { kind, object, mutex, value, result });
    p.procs[main].blocks[entry].stmts[0].op = op;
    assert_valid(p);
    let expanded = expand(p);
    assert_valid(&expanded.program);
    let text = print(&expanded.program);
    assert_eq!(print(&valid(&text)), text);
    for (block, index, _) in expanded.program.procs[main].stmts() {
        let old = expanded.back.get(ir::OpRef { proc: main, block, index }).expect("an op it stands for");
        assert!(old.index < 2);
    }
    true
}

/// The ops that a synchronization op stands for.
fn definition(ty: &str, op: &str) -> String {
    let text = format!(
        "program; var m: mutex; var o: {ty}; thread p;
        proc p() {{ local r: bool; local i: int; entry: {op}; return; }}"
    );
    let text = print(&expand(&valid(&text)).program);
    let body = text.split("entry:\n").nth(1).unwrap();
    body.lines().map(str::trim).filter(|l| *l != "return;" && *l != "}").collect::<Vec<_>>().join("\n")
}

#[test]
fn definitions_read_as_documented() {
    assert_eq!(definition("mutex", "acquire o"), "await o.owner == nil then o.owner := self;");
    assert_eq!(
        definition("mutex", "r := release o"),
        "begin atomic;
assert o.owner == self \"`o` is released by a thread that does not hold it\";
await true then o.owner, r := nil, true;
end atomic;"
    );
    assert_eq!(definition("semaphore", "down o"), "await o.value > 0 then o.value := o.value - 1;");
    assert_eq!(
        definition("condvar", "condwait o m"),
        "begin atomic;
assert m.owner == self \"a wait on `o` without holding `m` once\";
await true then m.owner, o.waiting[self], o.waiters := nil, true, o.waiters + 1;
end atomic;
await !o.waiting[self] && m.owner == nil then m.owner := self;"
    );
}

#[test]
fn names_of_components_are_new() {
    let p = expand(&with_object("mutex", "m.owner")).program;
    assert_eq!(p.globals[ir::GlobalId::from_u32(0)].name, "m.owner''");
    assert_valid(&p);
}
