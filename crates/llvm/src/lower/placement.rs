//! Where objects are in the space of addresses.
//!
//! Each object has a range of its own, whose size is a power of two and which starts at a multiple of that. So which
//! object a pointer points into, which instance of it, and where in that, are bits of the pointer. Ranges follow each
//! other from low addresses on: programs that take addresses above 32 bits for errors are right about most of them.

use crate::activations::{Activations, Instances};
use crate::module::{FuncId, GlobalId, Module};
use crate::objects::{Object, ObjectId, ObjectKind, Objects};

/// The range of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Placement {
    /// How the instances are told apart.
    pub(super) instances: Instances,
    /// The address of the first byte of the first instance.
    pub(super) start: u64,
    /// Bits of the offset in an instance.
    pub(super) offset_bits: u32,
    /// Bits of the number of an instance; none if there is only one.
    pub(super) instance_bits: u32,
}

impl Placement {
    /// The bits of a pointer that do not tell the object.
    pub(super) fn bits(self) -> u32 {
        self.offset_bits + self.instance_bits
    }

    /// The most bytes of an instance: behind its end there is an address that belongs to nothing.
    pub(super) fn most_bytes(self) -> u64 {
        (1 << self.offset_bits) - GAP
    }

    /// The most instances.
    pub(super) fn most_instances(self) -> u64 {
        1 << self.instance_bits
    }
}

/// Where the first object is: what is below is never valid.
const FIRST: u64 = 0x1_0000;
/// Bytes after the end of an object that belong to nothing else.
const GAP: u64 = 16;
/// Bits of the offset where the size is known only when the program runs.
const UNKNOWN_SIZE: u32 = 20;

/// The places of all objects.
#[derive(Clone, Debug)]
pub(super) struct Placements {
    all: Vec<Placement>,
    globals: Vec<u64>,
    funcs: Vec<u64>,
}

impl Placements {
    pub(super) fn new(module: &Module, objects: &Objects, activations: &Activations) -> Placements {
        let mut result = Placements { all: Vec::new(), globals: Vec::new(), funcs: Vec::new() };
        let mut next = FIRST;
        for object in objects.all.values() {
            let mut placement = shape(object, activations.instances(module, object.kind));
            let extent = 1_u64 << placement.bits();
            placement.start = next.next_multiple_of(extent);
            next = placement.start + extent;
            match object.kind {
                // Objects are in the order of globals, and of functions.
                ObjectKind::Global(_) => result.globals.push(placement.start),
                ObjectKind::Func(_) => result.funcs.push(placement.start),
                ObjectKind::Stack(..) | ObjectKind::Heap(..) => {}
            }
            result.all.push(placement);
        }
        result
    }

    /// The place of an object.
    pub(super) fn of(&self, object: ObjectId) -> Placement {
        self.all[object.as_u32() as usize]
    }

    /// The address of a global variable.
    pub(super) fn global(&self, id: GlobalId) -> u64 {
        self.globals[id.as_u32() as usize]
    }

    /// The address of a function.
    pub(super) fn func(&self, id: FuncId) -> u64 {
        self.funcs[id.as_u32() as usize]
    }

    /// The object in whose range an address is, and how far from its start.
    pub(super) fn at(&self, address: u64) -> Option<(ObjectId, u64)> {
        let at = self.all.partition_point(|placement| placement.start <= address).checked_sub(1)?;
        let inside = address - self.all[at].start;
        (inside < 1 << self.all[at].bits())
            .then(|| (ObjectId::from_u32(u32::try_from(at).unwrap_or(0)), inside))
    }
}

/// How much room an object needs.
fn shape(object: &Object, instances: Instances) -> Placement {
    let size = object.layout.size;
    let offset_bits = size.map_or(UNKNOWN_SIZE, |size| {
        (size.saturating_add(GAP)).checked_next_power_of_two().map_or(40, u64::trailing_zeros).clamp(6, 40)
    });
    let instance_bits = match instances {
        Instances::One => 0,
        Instances::Thread => 8,
        // A few large ones, many small ones.
        Instances::Counted => {
            if offset_bits <= 10 {
                16
            } else {
                10
            }
        }
    };
    Placement { instances, start: 0, offset_bits, instance_bits }
}
