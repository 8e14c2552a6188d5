//! Values as a person reads them.

use ir::{Look, Type};

use crate::machine::Machine;
use crate::word::{UNSET, Word};

impl Machine<'_> {
    /// A value; `*` is one that is still arbitrary.
    pub(crate) fn show(&self, word: Word, ty: &Type) -> String {
        self.show_as(word, ty, None)
    }

    /// A value of a variable that may be shown in a way of its own.
    pub(crate) fn show_as(&self, word: Word, ty: &Type, look: Option<&Look>) -> String {
        match (ty, look) {
            (Type::Map(map), _) => self.show_map(word, map, look),
            _ if word == UNSET => "*".to_owned(),
            (Type::Bv(width), Some(look)) => self.code.presentation.number(look.value, *width, word),
            _ => self.show_plain(word, ty),
        }
    }

    fn show_plain(&self, word: Word, ty: &Type) -> String {
        match ty {
            Type::Map(map) => self.show_map(word, map, None),
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

    fn show_map(&self, word: Word, map: &ir::MapType, look: Option<&Look>) -> String {
        let (default, cells) = self.maps.contents(word);
        let mut parts: Vec<String> = cells
            .into_iter()
            .map(|(key, value)| {
                let key = self.show_keys(key, &map.args, look).join(", ");
                let sign = if look.is_some() { ":" } else { " :=" };
                format!("{key}{sign} {}", self.show_as(value, &map.result, look))
            })
            .collect();
        let other = (default != UNSET).then(|| self.show_as(default, &map.result, look));
        match (look, &other) {
            (Some(_), Some(other)) if parts.is_empty() => return format!("all {other}"),
            (Some(_), Some(other)) => parts.push(format!("others {other}")),
            (None, Some(other)) => parts.push(format!("else {other}")),
            (_, None) => {}
        }
        if parts.is_empty() { "*".to_owned() } else { format!("[{}]", parts.join(", ")) }
    }

    /// Indices; those of a variable with a look of its own are plain numbers.
    pub(crate) fn show_keys(&self, key: &[Word], types: &[Type], look: Option<&Look>) -> Vec<String> {
        let show = |(&word, ty): (&Word, &Type)| match (ty, look) {
            (Type::Bv(_), Some(_)) if word != UNSET => word.to_string(),
            _ => self.show(word, ty),
        };
        key.iter().zip(types).map(show).collect()
    }
}
