//! Integer types, and the names that a part of a random program can use.

use fastrand::Rng;

/// An integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Int {
    pub(super) name: &'static str,
    pub(super) bits: u32,
    pub(super) signed: bool,
}

const fn int(name: &'static str, bits: u32, signed: bool) -> Int {
    Int { name, bits, signed }
}

/// All integer types.
pub(super) const INTS: &[Int] = &[
    int("_Bool", 1, false),
    int("signed char", 8, true),
    int("unsigned char", 8, false),
    int("short", 16, true),
    int("unsigned short", 16, false),
    Int::INT,
    Int::UNSIGNED,
    Int::LONG,
    int("unsigned long", 64, false),
    int("long long", 64, true),
    int("unsigned long long", 64, false),
];

impl Int {
    pub(super) const INT: Int = int("int", 32, true);
    pub(super) const UNSIGNED: Int = int("unsigned", 32, false);
    pub(super) const LONG: Int = int("long", 64, true);

    /// The type in which it is computed.
    pub(super) fn promoted(self) -> Int {
        if self.bits < 32 { Int::INT } else { self }
    }

    /// The type in which two are computed. That `long` and `long long` differ does not matter here.
    pub(super) fn common(self, other: Int) -> Int {
        let (a, b) = (self.promoted(), other.promoted());
        match a.bits.cmp(&b.bits) {
            std::cmp::Ordering::Less => b,
            std::cmp::Ordering::Equal if a.signed => b,
            std::cmp::Ordering::Equal | std::cmp::Ordering::Greater => a,
        }
    }

    /// How `printf` prints it.
    pub(super) fn format(self, rng: &mut Rng) -> &'static str {
        let signed = self.signed || self.bits < 32;
        match self.name {
            "long long" => "%lld",
            "unsigned long long" => "%llu",
            "unsigned long" if rng.bool() => "%lx",
            "unsigned long" => "%lu",
            "unsigned" if rng.bool() => "%x",
            "long" => "%ld",
            "short" => "%hd",
            "signed char" => "%hhd",
            _ if signed => "%d",
            _ => "%u",
        }
    }
}

/// A function that can be called.
#[derive(Clone)]
pub(super) struct Function {
    pub(super) name: String,
    pub(super) params: Vec<Int>,
    pub(super) result: Int,
    /// Statements that a call runs.
    pub(super) work: u64,
}

/// What a statement can use.
#[derive(Clone, Default)]
pub(super) struct Scope {
    /// Everything of an integer type that can be read and assigned: variables, members, what pointers point to.
    pub(super) scalars: Vec<(String, Int)>,
    /// Arrays, with a power of two of elements.
    pub(super) arrays: Vec<(String, Int, u64)>,
    /// Pointers to integers.
    pub(super) pointers: Vec<(String, Int)>,
    /// Addresses that pointers can be given.
    pub(super) addresses: Vec<(String, Int)>,
    /// Two variables of one struct and a pointer to such.
    pub(super) structs: Vec<(String, String, String)>,
    /// The checksum; empty if there is none in sight.
    pub(super) sum: String,
}

impl Scope {
    pub(super) fn add_scalar(&mut self, text: &str, ty: Int) {
        self.scalars.push((text.to_owned(), ty));
    }
}
