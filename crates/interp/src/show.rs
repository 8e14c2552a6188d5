//! Values as a person reads them.

use ir::Type;

use crate::machine::Machine;
use crate::word::{UNSET, Word};

impl Machine<'_> {
    /// A value; `*` is one that is still arbitrary.
    pub(crate) fn show(&self, word: Word, ty: &Type) -> String {
        match ty {
            Type::Map(map) => self.show_map(word, map),
            _ if word == UNSET => "*".to_owned(),
            Type::Bool => if word == 0 { "false" } else { "true" }.to_owned(),
            Type::Int => word.cast_signed().to_string(),
            Type::Bv(width) => format!("{word}bv{width}"),
            Type::Sort(_) => format!("element {word}"),
            Type::Task if word == 0 => "nil".to_owned(),
            Type::Task => self.task_name(word),
            Type::Sync(_) => word.to_string(),
        }
    }

    fn task_name(&self, word: Word) -> String {
        let name = word.checked_sub(1).and_then(|at| self.names.get(crate::machine::as_index(at)));
        name.cloned().unwrap_or_else(|| format!("task {word}"))
    }

    fn show_map(&self, word: Word, map: &ir::MapType) -> String {
        let (default, cells) = self.maps.contents(word);
        let mut parts: Vec<String> = cells
            .into_iter()
            .map(|(key, value)| {
                format!("{} := {}", self.show_key(key, &map.args), self.show(value, &map.result))
            })
            .collect();
        if default != UNSET {
            parts.push(format!("else {}", self.show(default, &map.result)));
        }
        if parts.is_empty() { "*".to_owned() } else { format!("[{}]", parts.join(", ")) }
    }

    pub(crate) fn show_key(&self, key: &[Word], types: &[Type]) -> String {
        let parts: Vec<String> = key.iter().zip(types).map(|(&word, ty)| self.show(word, ty)).collect();
        parts.join(", ")
    }
}
