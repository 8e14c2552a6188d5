//! How variables and values are shown to people, where a frontend knows better than the IR's own names and types.
//!
//! It means nothing for what a program does. What comes after `#` in a name, and names that start with `$`, are not the
//! user's; they are never shown.

use rustc_hash::{FxHashMap, FxHashSet};
use source::{FileId, Span};

use crate::{GlobalId, LocalId, ProcId};

/// How things are shown; empty for frontends whose users write the IR's own types.
#[derive(Clone, Debug, Default)]
pub struct Presentation {
    /// Globals that are shown in another way.
    pub globals: FxHashMap<GlobalId, Look>,
    /// Locals that are shown in another way.
    pub locals: FxHashMap<(ProcId, LocalId), Look>,
    /// What numbers that are addresses point to, by their start.
    pub regions: Vec<Region>,
    /// Globals that hold which freed object is given out next. A state comes again after an allocation only because of them.
    pub reused: FxHashSet<GlobalId>,
    /// Files that the user did not write: what happens in them is told as a part of the statement that leads there.
    pub libraries: FxHashSet<FileId>,
}

/// How a variable is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    /// Its name, with `{}` where the indices of a map go: `nodes[{}].next`; `{_}` stands for one that is not shown.
    pub name: String,
    /// Its values.
    pub value: Shown,
}

/// How a bit vector is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// With its sign.
    Signed,
    /// Without a sign.
    Unsigned,
    /// As true or false.
    Bool,
    /// As a character where it is one that can be printed.
    Char,
    /// As what it points to.
    Address,
}

/// A range of addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// The first address.
    pub start: u64,
    /// One past the last.
    pub end: u64,
    /// How far instances are apart.
    pub instance: u64,
    /// The name of an instance, with `{}` for its number if there are several.
    pub name: String,
    /// What is in an instance.
    pub parts: Vec<Part>,
}

/// A place in a region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its offset, in the first element of every array around it.
    pub offset: u64,
    /// Start and stride of the arrays around it, outermost first.
    pub arrays: Vec<(u64, u64)>,
    /// Its name, with `{}` for the instance and the indices.
    pub name: String,
}

impl Look {
    /// The name with indices.
    #[must_use]
    pub fn named(&self, keys: &[String]) -> String {
        if keys.is_empty() {
            // The whole.
            return fill(&self.name.replace("[{}]", "").replace("#{}", ""), keys);
        }
        fill(&self.name, keys)
    }
}

/// A name without what only tells it apart from others.
#[must_use]
pub fn shown_name(name: &str) -> &str {
    name.split_once('#').map_or(name, |(before, _)| before)
}

/// Puts keys where the braces are, or nothing for `{_}`; keys that are left over are indices.
fn fill(name: &str, keys: &[String]) -> String {
    let mut text = String::new();
    let mut keys = keys.iter();
    let mut rest = name;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((hole, after)) = after.split_once('}') else { break };
        text.push_str(before);
        let key = keys.next().filter(|_| hole.is_empty());
        text.push_str(key.map_or("", String::as_str));
        rest = after;
    }
    text.push_str(rest);
    let left: Vec<&str> = keys.map(String::as_str).collect();
    if left.is_empty() { text } else { format!("{text}[{}]", left.join(", ")) }
}

impl Presentation {
    /// Whether something is in a file that the user did not write.
    #[must_use]
    pub fn is_library(&self, span: Span) -> bool {
        span.file().is_some_and(|file| self.libraries.contains(&file))
    }

    /// What an address points to, if it is one.
    #[must_use]
    pub fn address(&self, value: u64) -> Option<String> {
        let at = self.regions.partition_point(|region| region.start <= value).checked_sub(1)?;
        let region = self.regions.get(at).filter(|region| value < region.end)?;
        let inside = value - region.start;
        let (instance, offset) = (inside / region.instance, inside % region.instance);
        let number = instance.to_string();
        let own: &[String] = if region.name.contains('{') { std::slice::from_ref(&number) } else { &[] };
        // A text of the program stands for itself.
        if offset == 0 && region.name.starts_with('"') {
            return Some(region.name.clone());
        }
        // The first element of an array, or the whole.
        let element = format!("{}[", region.name);
        let is_array =
            |part: &Part| part.name.starts_with(&element) && part.name.find(']') == Some(part.name.len() - 1);
        if offset == 0 && !region.parts.iter().any(|part| part.offset == 0 && is_array(part)) {
            return Some(format!("&{}", fill(&region.name, own)));
        }
        let found = region.parts.iter().find_map(|part| {
            let mut keys = own.to_vec();
            let mut at = offset;
            for &(start, stride) in &part.arrays {
                let relative = at.checked_sub(start)?;
                keys.push((relative / stride).to_string());
                at = start + relative % stride;
            }
            (at == part.offset).then(|| fill(&part.name, &keys))
        });
        let shown = found.unwrap_or_else(|| format!("{} + {offset}", fill(&region.name, own)));
        Some(format!("&{shown}"))
    }

    /// A bit vector as a person reads it.
    #[must_use]
    pub fn number(&self, shown: Shown, width: u32, value: u64) -> String {
        match shown {
            Shown::Bool if value <= 1 => (value == 1).to_string(),
            Shown::Char => match u8::try_from(value).ok().filter(|byte| (0x20..0x7f).contains(byte)) {
                Some(byte) => format!("'{}'", char::from(byte)),
                None => self.number(Shown::Signed, width, value),
            },
            Shown::Address if value == 0 => "NULL".to_owned(),
            Shown::Address => self.address(value).unwrap_or_else(|| format!("{value:#x}")),
            Shown::Signed => {
                let unused = 64 - width.clamp(1, 64);
                ((value << unused).cast_signed() >> unused).to_string()
            }
            Shown::Unsigned | Shown::Bool => value.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_numbers_are_shown_as_written() {
        let region = Region {
            start: 1 << 48,
            end: 2 << 48,
            instance: 1 << 32,
            name: "node#{}".to_owned(),
            parts: vec![Part { offset: 8, arrays: vec![(8, 4)], name: "node#{}.v[{}]".to_owned() }],
        };
        let looks = Presentation { regions: vec![region], ..Presentation::default() };
        let plain = Region {
            start: 2 << 48,
            end: 3 << 48,
            instance: 1 << 32,
            name: "table".to_owned(),
            parts: Vec::new(),
        };
        let looks = Presentation { regions: vec![looks.regions[0].clone(), plain], ..looks };
        assert_eq!(looks.address(2 << 48).as_deref(), Some("&table"));
        let at = (1 << 48) + (3 << 32);
        assert_eq!(looks.address(at).as_deref(), Some("&node#3"));
        assert_eq!(looks.address(at + 16).as_deref(), Some("&node#3.v[2]"));
        assert_eq!(looks.address(at + 2).as_deref(), Some("&node#3 + 2"));
        assert_eq!(looks.address(7), None);
        assert_eq!(looks.number(Shown::Signed, 32, 0xffff_ffff), "-1");
        assert_eq!(looks.number(Shown::Unsigned, 32, 0xffff_ffff), "4294967295");
        assert_eq!(looks.number(Shown::Char, 8, 65), "'A'");
        assert_eq!(looks.number(Shown::Address, 64, 0), "NULL");
        let look = Look { name: "buf[{}].next".to_owned(), value: Shown::Address };
        assert_eq!(look.named(&["2".to_owned()]), "buf[2].next");
        assert_eq!(shown_name("i#3"), "i");
    }
}
