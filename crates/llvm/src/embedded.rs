//! Modules that a program carries with it, as they were before they were instrumented: what the analysis needs of it.

use object::{Object, ObjectSection};

/// The section of an object file, and of a program, that they are in, one after the other.
pub(crate) const SECTION: &str = "raddle_bitcode";

/// What each of them starts with, and how long that is with fingerprint and size.
const MAGIC: &[u8; 8] = b"RADDLEBC";
const START: usize = 8 + 8 + 32;
/// They begin at multiples of this.
const ALIGNMENT: usize = 16;

/// A module that a program carries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Embedded {
    /// Its fingerprint.
    pub hash: [u8; 32],
    /// Its bitcode.
    pub bitcode: Vec<u8>,
}

/// The bytes of a module in the section.
pub(crate) fn entry(hash: &[u8; 32], bitcode: &[u8]) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend((bitcode.len() as u64).to_le_bytes());
    bytes.extend(hash);
    bytes.extend(bitcode);
    bytes
}

/// The modules in an object file or program; none if it is not one, or was not built by us.
#[must_use]
pub fn embedded(file: &[u8]) -> Vec<Embedded> {
    let Ok(object) = object::File::parse(file) else { return Vec::new() };
    let Some(section) = object.section_by_name(SECTION) else { return Vec::new() };
    section.uncompressed_data().map(|data| entries(&data)).unwrap_or_default()
}

fn entries(mut data: &[u8]) -> Vec<Embedded> {
    let mut found = Vec::new();
    while let Some((start, rest)) = data.split_at_checked(START) {
        let (magic, start) = start.split_at(8);
        let (size, hash) = start.split_at(8);
        // What is between two of them is zeros.
        if magic != MAGIC {
            data = &data[ALIGNMENT..];
            continue;
        }
        let size = size.try_into().map(u64::from_le_bytes).ok().and_then(|size| usize::try_from(size).ok());
        let (Some((bitcode, _)), Ok(hash)) =
            (size.and_then(|size| rest.split_at_checked(size)), hash.try_into())
        else {
            break;
        };
        found.push(Embedded { hash, bitcode: bitcode.to_vec() });
        let whole = (START + bitcode.len()).next_multiple_of(ALIGNMENT);
        data = data.get(whole..).unwrap_or_default();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_found_one_after_the_other() {
        let mut data = entry(&[1; 32], b"first");
        data.resize(data.len().next_multiple_of(64), 0);
        data.extend(entry(&[2; 32], b"second one"));
        let found = entries(&data);
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].hash, found[0].bitcode.as_slice()), ([1; 32], b"first".as_slice()));
        assert_eq!((found[1].hash, found[1].bitcode.as_slice()), ([2; 32], b"second one".as_slice()));
    }

    #[test]
    fn a_size_beyond_the_end_is_not_believed() {
        let mut data = entry(&[1; 32], b"first");
        data[8..16].copy_from_slice(&u64::MAX.to_le_bytes());
        assert_eq!(entries(&data), Vec::new());
        assert_eq!(entries(&data[..20]), Vec::new());
    }
}
