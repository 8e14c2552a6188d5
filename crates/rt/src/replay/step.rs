//! What is compared of an event, from the bytes that recording would write.

use trace::encode::{Context, Room};
use trace::layout::tag;
use trace::repeat::Step;

/// What is compared of an event.
pub(super) fn decoded(room: &Room, context: &Context) -> Step {
    let tag = room[0] & !tag::FLAGS;
    let step = Step { tag, site: context.site, what: 0, result: 0 };
    match tag {
        tag::READ..tag::WRITE => Step { tag: tag::READ, ..step },
        tag::WRITE..tag::UPDATE => Step { tag: tag::WRITE, ..step },
        tag::UPDATE..tag::BRANCH => Step { tag: tag::UPDATE, ..step },
        tag::BRANCH => {
            // Lengths of the site and of the way, and then these.
            let site = [0, 1, 2, 4][usize::from(room[1] & 3)];
            let mut way = [0; 8];
            way.copy_from_slice(&room[2 + site..10 + site]);
            Step { what: u64::from(u64::from_le_bytes(way) as u32), ..step }
        }
        tag::ENTER..=tag::BACK => step,
        _ => {
            let mut at = 1;
            let mut numbers = [0_u64; 5];
            for number in &mut numbers {
                let mut shift = 0;
                while let Some(&byte) = room.get(at) {
                    *number |= u64::from(byte & 0x7f) << shift;
                    (at, shift) = (at + 1, (shift + 7).min(63));
                    if byte & 0x80 == 0 {
                        break;
                    }
                }
            }
            let [site, second, _, _, fifth] = numbers;
            let step = Step { site: site as u32, ..step };
            match tag {
                tag::WAITS | tag::NONDET => Step { what: second, ..step },
                tag::SYNC => Step { what: second, result: fifth as i32, ..step },
                _ => step,
            }
        }
    }
}
