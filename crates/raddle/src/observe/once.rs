//! Functions that are called once. Who comes there says so before it is known whether it calls the function, waits for the thread that
//! does, or finds that it was called. Who does nothing until it goes on did not call it, and that is one step; this step comes after
//! the end of the function, though the thread that called it may tell of that later.

use std::collections::BTreeMap;

use trace::{Event, Op};

use super::What;

/// Who is in which of these functions.
#[derive(Debug, Default)]
pub(super) struct Once {
    /// Threads that have come and done nothing since: the site, and the object.
    came: BTreeMap<u32, (u32, u64)>,
    /// The thread that calls the function and its site, by the object.
    inside: BTreeMap<u64, (u32, u32)>,
}

impl Once {
    /// What has happened before an event without having been told, in order.
    pub(super) fn before(&mut self, thread: u32, event: &Event) -> Vec<(u32, What)> {
        if matches!(event, Event::Turn) {
            return Vec::new();
        }
        let Some((site, object)) = self.came.remove(&thread) else { return Vec::new() };
        let at = (thread, What::At(site, None));
        if matches!(*event, Event::Sync { op: Op::Once, object: of, .. } if of == object) {
            let ended = self.inside.remove(&object).map(|(other, site)| (other, What::Perhaps(site)));
            // If nothing is known of the function, it may have been this thread that called it.
            self.inside.insert(object, (thread, site));
            return ended.into_iter().chain([at]).collect();
        }
        self.inside.insert(object, (thread, site));
        vec![at]
    }

    /// What an event means itself, if without this it means `what`.
    pub(super) fn own(&mut self, thread: u32, event: &Event, what: Option<What>) -> Option<What> {
        match (event, what) {
            (Event::Waits { op: Op::Once, object, .. }, Some(What::At(site, _))) => {
                self.came.insert(thread, (site, *object));
                None
            }
            (Event::Sync { op: Op::Once, object, .. }, what) => {
                let calls = self.inside.get(object).is_some_and(|(other, _)| *other == thread);
                if calls {
                    self.inside.remove(object);
                }
                what.filter(|_| calls)
            }
            (_, what) => what,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMES: Event = Event::Waits { site: 1, op: Op::Once, object: 5, other: 0 };
    const GOES_ON: Event = Event::Sync { site: 1, op: Op::Once, object: 5, other: 0, result: 0 };

    /// The entries of some events, all at the same site.
    fn entries(events: &[(u32, Event)]) -> Vec<(u32, What)> {
        let mut once = Once::default();
        let mut entries = Vec::new();
        for (thread, event) in events {
            entries.extend(once.before(*thread, event));
            let what = super::super::what(event, &|site| site);
            entries.extend(once.own(*thread, event, what).map(|what| (*thread, what)));
        }
        entries
    }

    #[test]
    fn who_waits_for_another_has_one_step_after_it() {
        let (at, perhaps) = (What::At(1, None), What::Perhaps(1));
        let inside = Event::Enter { site: 2 };
        let expected = [(1, at), (1, perhaps), (2, at), (2, perhaps)];
        // It comes before or after the one that calls the function, and goes on before or after it.
        for events in [
            [(1, COMES), (1, inside.clone()), (2, COMES), (1, GOES_ON), (2, GOES_ON)],
            [(2, COMES), (1, COMES), (1, inside.clone()), (1, GOES_ON), (2, GOES_ON)],
            [(1, COMES), (2, COMES), (1, inside.clone()), (2, GOES_ON), (1, GOES_ON)],
        ] {
            assert_eq!(entries(&events), expected, "{events:?}");
        }
    }

    #[test]
    fn a_function_that_tells_nothing_may_have_been_called() {
        let events = [(1, COMES), (1, Event::Turn), (1, GOES_ON)];
        assert_eq!(entries(&events), [(1, What::At(1, None)), (1, What::Perhaps(1))]);
    }
}
