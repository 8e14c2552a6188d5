//! What is compared of an event.

use trace::encode::Usual;
use trace::layout::tag;
use trace::repeat::Step;

/// Of a usual one.
pub(super) fn usual(event: Usual) -> Step {
    let step = Step { tag: event.tag(), site: event.site(), what: 0, result: 0 };
    match event.tag() {
        tag::READ..tag::WRITE => Step { tag: tag::READ, ..step },
        tag::WRITE..tag::UPDATE => Step { tag: tag::WRITE, ..step },
        tag::UPDATE..tag::BRANCH => Step { tag: tag::UPDATE, ..step },
        tag::BRANCH => Step { what: u64::from(event.number() as u32), ..step },
        _ => step,
    }
}

/// Of any other, by its numbers.
pub(super) fn numbers(tag: u8, numbers: &[u64]) -> Step {
    let number = |index: usize| numbers.get(index).copied().unwrap_or(0);
    let step = Step { tag, site: number(0) as u32, what: 0, result: 0 };
    match tag {
        tag::WAITS | tag::NONDET => Step { what: number(1), ..step },
        tag::SYNC => Step { what: number(1), result: number(4) as i32, ..step },
        _ => step,
    }
}
