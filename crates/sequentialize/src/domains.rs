//! What the variables of the sequential program can be where they are arbitrary: what those of the original can be that
//! they stand for.

use engine::{Domain, Domains};
use ir::{GlobalId, ProcId, Response, Type};

use crate::context::Context;
use crate::values::Values;

pub(crate) fn domains(cx: &Context<'_>, reachable: &[ProcId], response: Option<Response>) -> Domains {
    let values = Values::new(cx.old, reachable, response);
    let mut domains = Domains::default();
    let mut global = |id: GlobalId, domain: &Domain| {
        if *domain != Domain::Any {
            domains.globals.insert(id, domain.clone());
        }
    };
    let old = |id: GlobalId| if cx.old.globals.is_valid(id) { values.global(id) } else { Domain::Any };
    for id in cx.old.globals.keys() {
        global(id, &old(id));
    }
    for shared in &cx.state.shared {
        let domain = old(shared.current);
        shared.g.iter().chain(&shared.guess).chain(&shared.next).for_each(|id| global(*id, &domain));
    }
    if let Some(tasks) = values.tasks() {
        let per_task = |cell: Domain| Domain::Cells { indices: tasks.clone(), cell: Box::new(cell) };
        if let Some(completed) = cx.state.completed {
            // The round in which a task completes, one after the last if it never does, and -1 if that is not known.
            let rounds = (-1..=i64::from(cx.bound) + 1).collect();
            global(completed, &per_task(Domain::Numbers(rounds)));
        }
        for (position, ty, map) in &cx.state.results {
            if ty.as_map().is_none() {
                global(*map, &per_task(values.task_result(*position, ty)));
            }
        }
    }
    for (proc, snapshot) in cx.lasso.iter().flat_map(|form| &form.snapshots) {
        // In programs with recursion these are maps.
        for (local, id) in &snapshot.locals {
            if matches!(cx.new.globals[*id].ty, Type::Int) {
                global(*id, &values.local(*proc, *local));
            }
        }
    }
    for (id, places) in &cx.places {
        if cx.new.globals[*id].ty == Type::Int {
            global(*id, &Domain::Numbers(places.iter().copied().collect()));
        }
    }
    for watch in cx.lasso.iter().flat_map(|form| &form.watches) {
        for slot in &watch.slots {
            slot.locals.iter().for_each(|(local, id)| global(*id, &values.local(watch.op.proc, *local)));
            if let (Some(id), Some(tasks)) = (slot.task, values.tasks()) {
                global(id, &Domain::Numbers(tasks));
            }
        }
    }
    for (&(proc, _), &body) in &cx.bodies {
        for (local, declared) in &cx.old.procs[proc].locals {
            let domain = values.unassigned(proc, local);
            if !cx.old.procs[proc].params.contains(&local)
                && declared.ty == Type::Int
                && domain != Domain::Any
            {
                domains.locals.insert((body, local), domain);
            }
        }
    }
    for &(local, shared) in &cx.guesses {
        let domain = old(shared);
        if domain != Domain::Any {
            domains.locals.insert(local, domain);
        }
    }
    domains
}
