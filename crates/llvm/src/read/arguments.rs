//! What `main` is called with. Nobody gives the program arguments: the vector has its name, and null.

use super::types::type_id;
use crate::module::{
    Arguments, Const, ConstId, ConstKind, Global, GlobalId, Module, TypeId, TypeKind, ValueId,
};

/// What the program is called.
const NAME: &[u8] = b"program\0";

/// Adds the vector of arguments, if `main` looks at its parameters.
pub(super) fn add(module: &mut Module) {
    let mut mains = module.funcs.iter().filter(|(_, func)| func.name == "main" && !func.is_declaration());
    let Some((func, body)) = mains.next() else { return };
    let is = |at: usize, wanted: &dyn Fn(&TypeKind) -> bool| {
        let param: Option<&ValueId> = body.params.get(at);
        param.is_none_or(|param| wanted(&module.types[body.values[*param].ty].kind))
    };
    let pointer = |kind: &TypeKind| matches!(kind, TypeKind::Ptr);
    if body.params.is_empty()
        || !is(0, &|kind| matches!(kind, TypeKind::Int(32)))
        || !is(1, &pointer)
        || !is(2, &pointer)
    {
        return;
    }
    let byte = type_id(module, TypeKind::Int(8), 1);
    let length = NAME.len() as u64;
    let text = type_id(module, TypeKind::Array { element: byte, count: length }, length);
    let pointer = type_id(module, TypeKind::Ptr, 8);
    let vector = type_id(module, TypeKind::Array { element: pointer, count: 2 }, 16);
    let bytes = module.consts.push(Const { ty: text, kind: ConstKind::Bytes(NAME.to_vec()) });
    let name = global(module, "argv[0]", text, bytes);
    let name = module.consts.push(Const { ty: pointer, kind: ConstKind::Global(name) });
    let null = module.consts.push(Const { ty: pointer, kind: ConstKind::Null });
    let both = module.consts.push(Const { ty: vector, kind: ConstKind::Aggregate(vec![name, null]) });
    let vector = global(module, "argv", vector, both);
    module.arguments = Some(Arguments { func, vector });
}

fn global(module: &mut Module, name: &str, ty: TypeId, init: ConstId) -> GlobalId {
    let name = name.to_owned();
    module.globals.push(Global {
        name,
        variable: None,
        ty,
        init: Some(init),
        constant: false,
        thread_local: false,
    })
}
