//! Types.

use super::{Parsed, Parser};
use crate::text::lex::Kind;
use crate::text::name::{is_type_word, width_word};
use crate::{MutexKind, SyncType, Type};

impl Parser<'_> {
    pub(super) fn ty(&mut self) -> Parsed<Type> {
        self.cursor.nest()?;
        let ty = self.ty_inside();
        self.cursor.leave();
        ty
    }

    fn ty_inside(&mut self) -> Parsed<Type> {
        if self.cursor.take("[") {
            let mut args = vec![self.ty()?];
            while self.cursor.take(",") {
                args.push(self.ty()?);
            }
            self.cursor.expect("]")?;
            let result = self.ty()?;
            return Ok(Type::map(args, result));
        }
        let span = self.cursor.span();
        if let Kind::Word(word) = self.cursor.kind()
            && is_type_word(word)
        {
            self.cursor.skip();
            if let Some(digits) = width_word(word) {
                let too_wide = |_| self.cursor.error(span, format!("`{word}` is too wide"));
                return digits.parse().map(Type::Bv).map_err(too_wide);
            }
            return Ok(match *word {
                "bool" => Type::Bool,
                "int" => Type::Int,
                "task" => Type::Task,
                "mutex" => Type::Sync(SyncType::Mutex(MutexKind::Plain)),
                "mutex.recursive" => Type::Sync(SyncType::Mutex(MutexKind::Recursive)),
                "mutex.errorcheck" => Type::Sync(SyncType::Mutex(MutexKind::ErrorChecking)),
                "rwlock" => Type::Sync(SyncType::RwLock),
                "condvar" => Type::Sync(SyncType::Condvar),
                "barrier" => Type::Sync(SyncType::Barrier),
                "semaphore" => Type::Sync(SyncType::Semaphore),
                "once" => Type::Sync(SyncType::Once),
                _ => {
                    self.cursor.expect("(")?;
                    let value = self.ty()?;
                    self.cursor.expect(")")?;
                    Type::Sync(SyncType::Key(Box::new(value)))
                }
            });
        }
        let name = self.cursor.name("a type")?;
        match self.names.sorts.get(&name) {
            Some(sort) => Ok(Type::Sort(sort)),
            None => Err(self.cursor.error(span, format!("unknown type `{name}`"))),
        }
    }
}
