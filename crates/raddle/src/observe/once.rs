//! Functions that are called once. Who comes while another thread is in such a function waits until that is over, and its own call is one
//! step then; the trace has it when it comes, too.

use std::collections::{BTreeMap, BTreeSet};

use trace::{Event, Op};

use super::What;

/// Who is in which of these functions.
#[derive(Debug, Default)]
pub(super) struct Once {
    /// The thread that calls the function, by its object.
    inside: BTreeMap<u64, u32>,
    /// The threads that wait for another one to be done.
    waiting: BTreeSet<u32>,
}

impl Once {
    /// What an event means, if without this it means `what`.
    pub(super) fn entry(&mut self, thread: u32, event: &Event, what: Option<What>) -> Option<What> {
        match *event {
            Event::Waits { op: Op::Once, object, .. } => {
                if *self.inside.entry(object).or_insert(thread) != thread {
                    self.waiting.insert(thread);
                    return None;
                }
                what
            }
            Event::Sync { op: Op::Once, object, .. } => {
                if self.inside.get(&object) == Some(&thread) {
                    self.inside.remove(&object);
                }
                match what {
                    Some(What::Perhaps(site)) if self.waiting.remove(&thread) => Some(What::At(site, None)),
                    what => what,
                }
            }
            _ => what,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_waits_for_another_has_one_step() {
        let mut once = Once::default();
        let begin = Event::Waits { site: 1, op: Op::Once, object: 5, other: 0 };
        let end = Event::Sync { site: 1, op: Op::Once, object: 5, other: 0, result: 0 };
        let (at, perhaps) = (Some(What::At(1, None)), Some(What::Perhaps(1)));
        assert_eq!(once.entry(1, &begin, at), at);
        assert_eq!(once.entry(2, &begin, at), None);
        assert_eq!(once.entry(1, &end, perhaps), perhaps);
        assert_eq!(once.entry(2, &end, perhaps), at);
    }
}
