//! Which handlers take which exceptions: by type, as the descriptions of types that compilers write for it say (Itanium C++ ABI, 2.9.5).

use num_traits::ToPrimitive as _;

use crate::module::{ConstId, ConstKind, GlobalId, Module, Op, Operand};

/// The base class of a class of the library, whose description is not in the program. None if it has none.
fn base_in_library(name: &str) -> Option<Option<&'static str>> {
    Some(match name {
        "_ZTISt9exception" => None,
        "_ZTISt11logic_error"
        | "_ZTISt13runtime_error"
        | "_ZTISt9bad_alloc"
        | "_ZTISt8bad_cast"
        | "_ZTISt10bad_typeid"
        | "_ZTISt13bad_exception"
        | "_ZTISt17bad_function_call"
        | "_ZTISt12bad_weak_ptr" => Some("_ZTISt9exception"),
        "_ZTISt12domain_error"
        | "_ZTISt12length_error"
        | "_ZTISt12out_of_range"
        | "_ZTISt16invalid_argument"
        | "_ZTISt12future_error" => Some("_ZTISt11logic_error"),
        "_ZTISt11range_error"
        | "_ZTISt14overflow_error"
        | "_ZTISt15underflow_error"
        | "_ZTISt12system_error" => Some("_ZTISt13runtime_error"),
        _ => return None,
    })
}

/// What a description describes.
enum Described<'m> {
    /// A number, a truth value, an enumeration: nothing is like it.
    Plain,
    Pointer,
    /// A class, with its bases.
    Class(Vec<Base<'m>>),
    Unknown,
}

/// A base of a class.
struct Base<'m> {
    /// The name of its description.
    name: &'m str,
    /// Where it is in the class; none if that is not known.
    at: Option<u64>,
    public: bool,
}

/// Whether a thrown pointer is thrown, by the name of the description of its type.
pub(super) fn is_pointer(name: &str) -> bool {
    name.starts_with("_ZTIP") || name == "_ZTIDn"
}

/// Whether a handler of a type takes what is thrown, and gets it as it is; none if that is not known.
pub(super) fn takes(module: &Module, thrown: &str, handler: &str) -> Option<bool> {
    if thrown == handler {
        return Some(true);
    }
    match (describe(module, thrown), describe(module, handler)) {
        (Described::Plain, _) | (_, Described::Plain) => Some(false),
        (Described::Unknown, _) | (Described::Pointer, Described::Pointer) => None,
        (Described::Pointer, _) | (_, Described::Pointer) => Some(false),
        (Described::Class(bases), _) => {
            let mut known = true;
            for base in bases.iter().filter(|base| base.public) {
                match takes(module, base.name, handler) {
                    Some(true) if base.at == Some(0) => return Some(true),
                    Some(true) | None => known = false,
                    Some(false) => {}
                }
            }
            known.then_some(false)
        }
    }
}

/// Where an object of a class is one of another: there itself, or there as a base. None in it if nowhere; none if that is not known, or depends
/// on where one looks from, as with bases that are virtual, not public, or there more than once.
pub(crate) fn base_at(module: &Module, class: &str, wanted: &str) -> Option<Option<u64>> {
    if class == wanted {
        return Some(Some(0));
    }
    let Described::Class(bases) = describe(module, class) else { return None };
    let mut found = None;
    for base in bases {
        let at = base.at.filter(|_| base.public)?;
        if let Some(inner) = base_at(module, base.name, wanted)? {
            if found.is_some() {
                return None;
            }
            found = Some(at + inner);
        }
    }
    Some(found)
}

fn describe<'m>(module: &'m Module, name: &'m str) -> Described<'m> {
    let Some(rest) = name.strip_prefix("_ZTI") else { return Described::Unknown };
    if is_pointer(name) {
        return Described::Pointer;
    }
    // Those of builtin types are one or two letters. Those of classes begin with how long they are.
    if rest.len() <= 2 && !rest.starts_with(|first: char| first.is_ascii_digit()) {
        return Described::Plain;
    }
    if let Some(base) = base_in_library(name) {
        let base = base.map(|name| Base { name, at: Some(0), public: true });
        return Described::Class(base.into_iter().collect());
    }
    let described = module.globals.values().find(|global| global.name == name);
    let Some(init) = described.and_then(|global| global.init) else {
        // What nobody else throws, and what has no bases that a program could name.
        let alone = matches!(name, "_ZTIN10__cxxabiv115__forced_unwindE");
        return if alone { Described::Class(Vec::new()) } else { Described::Unknown };
    };
    let ConstKind::Aggregate(fields) = &module.consts[init].kind else { return Described::Unknown };
    let Some(kind) = fields.first().and_then(|&table| global_in(module, table)) else {
        return Described::Unknown;
    };
    let base = |field: ConstId| global_in(module, field).map(|base| module.globals[base].name.as_str());
    match (module.globals[kind].name.as_str(), fields.as_slice()) {
        ("_ZTVN10__cxxabiv117__class_type_infoE", _) => Described::Class(Vec::new()),
        ("_ZTVN10__cxxabiv116__enum_type_infoE", _) => Described::Plain,
        ("_ZTVN10__cxxabiv120__si_class_type_infoE", &[_, _, of]) => match base(of) {
            Some(name) => Described::Class(vec![Base { name, at: Some(0), public: true }]),
            None => Described::Unknown,
        },
        ("_ZTVN10__cxxabiv121__vmi_class_type_infoE", [_, _, _, _, rest @ ..]) => {
            let mut bases = Vec::new();
            for pair in rest.chunks(2) {
                let &[of, flags] = pair else { return Described::Unknown };
                let (Some(name), ConstKind::Int(flags)) = (base(of), &module.consts[flags].kind) else {
                    return Described::Unknown;
                };
                let Some(flags) = flags.to_u64() else { return Described::Unknown };
                let (is_virtual, public) = (flags & 1 != 0, flags & 2 != 0);
                bases.push(Base { name, at: (!is_virtual).then_some(flags >> 8), public });
            }
            Described::Class(bases)
        }
        _ => Described::Unknown,
    }
}

/// The global variable that a constant is an address in.
pub(crate) fn global_in(module: &Module, constant: ConstId) -> Option<GlobalId> {
    match &module.consts[constant].kind {
        ConstKind::Global(global) => Some(*global),
        ConstKind::Expr(op) => match **op {
            Op::Gep { base: Operand::Const(base), .. } | Op::Cast(_, Operand::Const(base)) => {
                global_in(module, base)
            }
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::module::{Const, Global, Type, TypeId, TypeKind};

    /// A module with descriptions of classes: their names, and those of their only bases.
    fn classes(names: &[(&str, Option<&str>)]) -> Module {
        let mut module = Module::default();
        let ty: TypeId = module.types.push(Type { kind: TypeKind::Ptr, size: 8 });
        let global = |module: &mut Module, name: &str, fields: Option<Vec<ConstId>>| {
            let init =
                fields.map(|fields| module.consts.push(Const { ty, kind: ConstKind::Aggregate(fields) }));
            let name = name.to_owned();
            let global = Global { name, variable: None, ty, init, constant: true, thread_local: false };
            let id = module.globals.push(global);
            module.consts.push(Const { ty, kind: ConstKind::Global(id) })
        };
        let alone = global(&mut module, "_ZTVN10__cxxabiv117__class_type_infoE", None);
        let single = global(&mut module, "_ZTVN10__cxxabiv120__si_class_type_infoE", None);
        let mut known: Vec<(&str, ConstId)> = Vec::new();
        for (name, base) in names {
            let base = base.and_then(|base| known.iter().find(|(name, _)| *name == base));
            let fields = match base {
                Some((_, base)) => vec![single, single, *base],
                None => vec![alone, alone],
            };
            let made = global(&mut module, name, Some(fields));
            known.push((name, made));
        }
        module
    }

    #[test]
    fn handlers_take_what_is_derived() {
        let module = classes(&[("_ZTI1A", None), ("_ZTI1B", Some("_ZTI1A")), ("_ZTI5Other", None)]);
        assert_eq!(takes(&module, "_ZTI1B", "_ZTI1A"), Some(true));
        assert_eq!(takes(&module, "_ZTI1A", "_ZTI1B"), Some(false));
        assert_eq!(takes(&module, "_ZTI1B", "_ZTI5Other"), Some(false));
        assert_eq!(takes(&module, "_ZTISt12out_of_range", "_ZTISt9exception"), Some(true));
        assert_eq!(takes(&module, "_ZTISt12out_of_range", "_ZTISt13runtime_error"), Some(false));
        assert_eq!(takes(&module, "_ZTIi", "_ZTIl"), Some(false));
        assert_eq!(takes(&module, "_ZTIPKc", "_ZTIPKc"), Some(true));
    }

    #[test]
    fn casts_find_bases() {
        let module = classes(&[("_ZTI1A", None), ("_ZTI1B", Some("_ZTI1A")), ("_ZTI5Other", None)]);
        assert_eq!(base_at(&module, "_ZTI1B", "_ZTI1A"), Some(Some(0)));
        assert_eq!(base_at(&module, "_ZTI1A", "_ZTI1B"), Some(None));
        assert_eq!(base_at(&module, "_ZTI7Missing", "_ZTI1A"), None);
    }

    #[test]
    fn what_is_not_known_is_not_decided() {
        let module = classes(&[("_ZTI1A", None)]);
        assert_eq!(takes(&module, "_ZTI7Missing", "_ZTI1A"), None);
        assert_eq!(takes(&module, "_ZTIPc", "_ZTIPKc"), None);
        assert_eq!(takes(&module, "_ZTIi", "_ZTI1A"), Some(false));
    }
}
