//! What each kind of violation is: pages of the documentation, which reports carry along.

use engine::ViolationKind;

/// All kinds.
pub const KINDS: [ViolationKind; 6] = [
    ViolationKind::Assertion,
    ViolationKind::Deadlock,
    ViolationKind::DataRace,
    ViolationKind::Atomicity,
    ViolationKind::NonTermination,
    ViolationKind::Memory,
];

/// The page about a kind, in Markdown. It starts with the kind's name as its title.
#[must_use]
pub fn explanation(kind: ViolationKind) -> &'static str {
    match kind {
        ViolationKind::Assertion => include_str!("../../../docs/explain/assertion.md"),
        ViolationKind::Deadlock => include_str!("../../../docs/explain/deadlock.md"),
        ViolationKind::DataRace => include_str!("../../../docs/explain/data-race.md"),
        ViolationKind::Atomicity => include_str!("../../../docs/explain/atomicity.md"),
        ViolationKind::NonTermination => include_str!("../../../docs/explain/non-termination.md"),
        ViolationKind::Memory => include_str!("../../../docs/explain/memory.md"),
    }
}

/// What a kind is, in the words with which its page begins.
pub(crate) fn summary(kind: ViolationKind) -> String {
    let page = explanation(kind);
    let text = page.split_once("\n\n").map_or(page, |(_, text)| text);
    let paragraph = text.split("\n\n").next().unwrap_or_default();
    paragraph.split_whitespace().collect::<Vec<_>>().join(" ")
}
