//! Types as text.

use std::fmt::Write;

use super::name::{is_type_word, write_name};
use crate::{Program, SyncType, Type};

/// A type as it is written.
pub(crate) fn type_text(program: &Program, ty: &Type) -> String {
    let mut out = String::new();
    write_type(&mut out, program, ty);
    out
}

pub(super) fn write_type(out: &mut String, program: &Program, ty: &Type) {
    match ty {
        Type::Bool => out.push_str("bool"),
        Type::Int => out.push_str("int"),
        Type::Bv(width) => {
            let _ = write!(out, "bv{width}");
        }
        Type::Task => out.push_str("task"),
        Type::Sort(id) => match program.sorts.get(*id) {
            Some(sort) => write_name(out, &sort.name, is_type_word),
            None => {
                let _ = write!(out, "?{id}");
            }
        },
        Type::Map(map) => {
            out.push('[');
            for (index, arg) in map.args.iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                write_type(out, program, arg);
            }
            out.push(']');
            write_type(out, program, &map.result);
        }
        Type::Sync(sync) => {
            out.push_str(sync.name());
            if let SyncType::Key(value) = sync {
                out.push('(');
                write_type(out, program, value);
                out.push(')');
            }
        }
    }
}
