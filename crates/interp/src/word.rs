//! Values are words: a truth value is 0 or 1, an integer is its two's complement, a bit vector its unsigned
//! value, a sort's element its number, a task handle its thread's position plus one (nil is 0), a map its number
//! in the [`MapStore`](crate::map_store::MapStore).

use ir::Type;

/// A value of any type.
pub(crate) type Word = u64;

/// The word of a variable or map cell whose value has not been chosen yet.
///
/// Arbitrary values are chosen when they are first read, so that what nobody reads does not multiply states. No
/// computation may yield this word: one that would is cut with [`Cut::Range`](crate::Cut), so an odd constant
/// that programs do not use is as good as a separate flag.
pub(crate) const UNSET: Word = 0xA5F3_9C1E_7B2D_4E69;

/// What an arbitrary value is chosen from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Domain {
    /// The alternatives `0..n` of a nondeterministic branch.
    Branch(u32),
    /// Truth values.
    Bool,
    /// Integers; the explorer chooses from its range.
    Int,
    /// Bit vectors of a width up to 64.
    Bv(u32),
    /// The elements `0..n` of a sort.
    Sort(u32),
    /// The handles `1..=n` of the tasks there are.
    Task(u32),
}

/// The value of a signed bit vector.
pub(crate) fn sign_extend(value: Word, width: u32) -> i64 {
    let shift = 64 - width.clamp(1, 64);
    (value.cast_signed() << shift) >> shift
}

/// Keeps the lowest bits.
pub(crate) fn truncate(value: Word, width: u32) -> Word {
    if width >= 64 { value } else { value & ((1 << width) - 1) }
}

/// The types whose values fit a word.
pub(crate) fn fits_word(ty: &Type) -> bool {
    match ty {
        Type::Bv(width) => *width <= 64,
        Type::Map(map) => map.args.iter().all(fits_word) && fits_word(&map.result),
        Type::Bool | Type::Int | Type::Sort(_) | Type::Task | Type::Sync(_) => true,
    }
}
