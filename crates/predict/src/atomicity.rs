//! Which potential violations of atomicity are real (`Phi_AV`), with guarded independence: accesses to different cells, or that
//! leave everything as it is, do not depend on each other.
//!
//! Values take pi-functions of their own, so they are brought in only if an order without them turns out to show nothing.

use std::collections::VecDeque;

use engine::{Atomicity, confirm_atomicity, is_stale, is_unserializable, unserializable};
use interp::{Event, Replay, Run};
use rustc_hash::FxHashSet;
use smt::{Term, TermId};

use crate::ctp::{Access, Block, Ctp, Ev, Origin};
use crate::encode::{Model, Undecided};
use crate::outcome::{Kind, Likeness, Place};
use crate::pattern::{Triple, accesses_to};
use crate::search::Search;

/// With more potential violations than this in a window, one of each kind is enough; with more kinds, one of each three procedures.
pub(crate) const MANY: usize = 500;

/// What makes two violations the same for whoever reads about them.
pub(crate) fn kind_of(ctp: &Ctp, triple: &Triple) -> Kind {
    let op = |event: Ev| ctp.events[event].op;
    (op(triple.first), op(triple.middle), op(triple.last), triple.global)
}

/// Which violations are so much alike that one is enough.
fn likeness(ctp: &Ctp, triple: &Triple, by_procedure: bool) -> Likeness {
    let events = [triple.first, triple.middle, triple.last];
    (events.map(|event| Place::new(ctp.events[event].op, by_procedure)), triple.global)
}

impl Search<'_, '_, '_, '_> {
    /// Decides the open ones of potential violations, or looks for one of each kind. What is real is noted by position. Returns those to
    /// be asked for again.
    pub(crate) fn atomicity(
        &mut self,
        triples: &[Triple],
        mut open: VecDeque<usize>,
        blocks: &[Block],
        one_of_each: bool,
        real: &mut FxHashSet<usize>,
    ) -> Result<VecDeque<usize>, Undecided> {
        let ctp = self.encoding.ctp;
        let mut later = VecDeque::new();
        let all: FxHashSet<Kind> = triples.iter().map(|triple| kind_of(ctp, triple)).collect();
        let by_procedure = all.len() > MANY;
        let one_of_each = one_of_each || triples.len() > MANY;
        while let Some(next) = open.pop_front() {
            let triple = &triples[next];
            if one_of_each && self.found.alike.contains(&likeness(ctp, triple, by_procedure)) {
                self.found.skipped += 1;
                continue;
            }
            for with_values in [false, true] {
                let literals = self.literals(triple, with_values);
                let model = match self.encoding.ask(&literals) {
                    Ok(Some(model)) => model,
                    Ok(None) => break,
                    Err(why) => {
                        later.extend(self.undecided(why)?.then_some(next));
                        break;
                    }
                };
                let shown = self.shown(&model, triple);
                let Some((run, replay)) = shown else {
                    if with_values {
                        self.found.unconfirmed.push("an order of events does not replay".to_owned());
                    }
                    continue;
                };
                // The run may show others as well.
                real.insert(next);
                self.found.alike.insert(likeness(ctp, triple, by_procedure));
                let mut is_open = |other: &usize| {
                    let triple = &triples[*other];
                    let shows = self.shows(&model, &replay, triple);
                    if shows {
                        real.insert(*other);
                        let is_new = self.found.alike.insert(likeness(ctp, triple, by_procedure));
                        if is_new || !by_procedure {
                            self.tell(&model, &run, triple, blocks);
                        }
                    }
                    !shows
                };
                open.retain(&mut is_open);
                later.retain(&mut is_open);
                self.tell(&model, &run, triple, blocks);
                break;
            }
        }
        Ok(later)
    }

    /// The order of the accesses, and that they depend on each other.
    fn literals(&mut self, triple: &Triple, with_values: bool) -> Vec<TermId> {
        let Triple { first, middle, last, .. } = *triple;
        let mut literals = vec![
            self.encoding.inside[middle],
            self.encoding.inside[last],
            self.encoding.before(first, middle),
            self.encoding.before(middle, last),
        ];
        literals.push(self.dependent(triple, with_values));
        literals
    }

    fn dependent(&mut self, triple: &Triple, with_values: bool) -> TermId {
        let ctp = self.encoding.ctp;
        let Triple { first, middle, last, global, .. } = *triple;
        let mut ways = Vec::new();
        for a in accesses_to(ctp, first, global).filter(|a| triple.counts_as_first(a.write)) {
            for b in accesses_to(ctp, middle, global).filter(|b| triple.counts_as_middle(b.write)) {
                for c in accesses_to(ctp, last, global) {
                    if !is_unserializable([a.write, b.write, c.write]) {
                        continue;
                    }
                    let mut needs = vec![a.when, b.when, c.when];
                    needs.push(self.encoding.executor.same_index(&a.index, &b.index));
                    needs.push(self.encoding.executor.same_index(&b.index, &c.index));
                    if with_values {
                        needs.push(self.values_matter((first, a), (middle, b)));
                        if !is_stale([a.write, b.write, c.write]) {
                            needs.push(self.values_matter((middle, b), (last, c)));
                        }
                    }
                    ways.push(self.encoding.pool().and(needs));
                }
            }
        }
        self.encoding.pool().or(ways)
    }

    /// The negation of the guard under which two accesses in this order are independent.
    fn values_matter(&mut self, first: (Ev, &Access), second: (Ev, &Access)) -> TermId {
        if first.1.index.len() != second.1.index.len() {
            return self.encoding.pool().bool(true);
        }
        let values = match (first.1.write, second.1.write) {
            (true, true) => self.after(first).zip(self.after(second)),
            (true, false) => self.at(first).zip(self.after(first)),
            (false, true) => self.at(first).zip(self.after(second)),
            (false, false) => return self.encoding.pool().bool(false),
        };
        match values {
            Some((a, b)) => {
                let same = self.encoding.executor.translator.same(a, b);
                self.encoding.pool().not(same)
            }
            None => self.encoding.pool().bool(true),
        }
    }

    /// What the accessed cell holds when the event begins.
    fn at(&mut self, (event, access): (Ev, &Access)) -> Option<TermId> {
        let executor = &mut self.encoding.executor;
        if executor.subject.whole.contains(&access.global) {
            let map = executor.use_of(event, access.global, &[]).ok()?;
            let pool = &mut executor.translator.pool;
            return Some(if access.index.is_empty() { map } else { pool.select_at(map, &access.index) });
        }
        executor.use_of(event, access.global, &access.index).ok()
    }

    /// What the accessed cell holds after the event.
    fn after(&mut self, (event, access): (Ev, &Access)) -> Option<TermId> {
        let mut value = self.at((event, access))?;
        let executor = &mut self.encoding.executor;
        for definition in &self.encoding.ctp.events[event].definitions {
            if definition.global != access.global {
                continue;
            }
            let pool = &mut executor.translator.pool;
            value = if definition.index.is_empty() && !access.index.is_empty() {
                pool.select_at(definition.value, &access.index)
            } else {
                let same = executor.same_index(&definition.index, &access.index);
                executor.translator.pool.ite(same, definition.value, value)
            };
        }
        Some(value)
    }

    /// The run of a model, if it shows a violation.
    fn shown(&mut self, model: &Model, triple: &Triple) -> Option<(Run, Replay)> {
        let run = self.run(model, None).ok()?;
        let replay = interp::replay(self.program, self.config, &run).ok()?;
        self.shows(model, &replay, triple).then_some((run, replay))
    }

    /// Whether the interpreter saw three accesses in an order that no serial one has.
    fn shows(&self, model: &Model, replay: &Replay, triple: &Triple) -> bool {
        let at = |event: Ev| model.order.iter().position(|other| *other == event);
        let (Some(first), Some(middle), Some(last)) = (at(triple.first), at(triple.middle), at(triple.last))
        else {
            return false;
        };
        if !(first < middle && middle < last) {
            return false;
        }
        let event = |at: usize| {
            let event = replay.events.get(self.start + at)?;
            Some(self.settled(model, at, triple.global, event))
        };
        match (event(first), event(middle), event(last)) {
            (Some(mut first), Some(mut middle), Some(last)) => {
                first.accesses.retain(|access| triple.counts_as_first(access.write));
                middle.accesses.retain(|access| triple.counts_as_middle(access.write));
                unserializable([&first, &middle, &last]).is_some()
            }
            _ => false,
        }
    }

    /// The accesses of an event to a global. Where the interpreter has not yet had to choose a value, it is the one that it
    /// would choose: the interpreter itself takes it for different from all others.
    fn settled(&self, model: &Model, at: usize, global: ir::GlobalId, event: &Event) -> Event {
        let accesses = event.accesses.iter().filter(|access| access.global == global).cloned();
        let mut settled = Event { accesses: accesses.collect(), ..event.clone() };
        for access in settled.accesses.iter_mut().filter(|access| access.key.is_empty()) {
            if access.before.is_none() {
                access.before = self.left_by(&model.order[..at], global);
            }
            if access.after.is_none() {
                access.after = self.left_by(&model.order[..=at], global);
            }
        }
        settled
    }

    /// What some events leave in a global, if that is known without a model.
    fn left_by(&self, order: &[Ev], global: ir::GlobalId) -> Option<u64> {
        let executor = &self.encoding.executor;
        let defined = order.iter().rev().find_map(|event| {
            let mut definitions = self.encoding.ctp.events[*event].definitions.iter().rev();
            definitions.find(|definition| definition.global == global).map(|definition| definition.value)
        });
        let value = defined.or_else(|| executor.beginning.get(&global).map(|held| held.rest))?;
        match executor.translator.pool.term(value) {
            Term::Bool(value) => Some(u64::from(*value)),
            Term::Int(value) => i64::try_from(value).ok().map(i64::cast_unsigned),
            Term::Bv(_, value) => u64::try_from(value).ok(),
            _ => None,
        }
    }

    /// Keeps a violation: the run up to its last access.
    fn tell(&mut self, model: &Model, run: &Run, triple: &Triple, blocks: &[Block]) {
        let positions = Self::position(model);
        let step = |event: Ev| self.start + positions.get(&event).copied().unwrap_or(0);
        let steps = [step(triple.first), step(triple.middle), step(triple.last)];
        let kind = kind_of(self.encoding.ctp, triple);
        if self.found.count_again(kind) {
            return;
        }
        let block = &blocks[triple.block];
        let inferred = matches!(block.origin, Origin::Body | Origin::Update);
        let name = if inferred { format!("{} (inferred)", block.name) } else { block.name.clone() };
        let short =
            Run { initial: run.initial.clone(), steps: run.steps[..=steps[2]].to_vec(), lasso_start: None };
        let claim = Atomicity { steps, block: name };
        let confirmed = confirm_atomicity(self.program, self.config, &short, &claim);
        match confirmed {
            Ok(finding) => self.found.add_kind(kind, finding),
            Err(error) => self.found.unconfirmed.push(error.to_string()),
        }
    }
}
