//! What `main` is called with. Unless somebody gives the program arguments, the vector has its name, and null.

use source::Span;

use super::types::type_id;
use crate::module::{
    Arguments, Const, ConstId, ConstKind, DebugType, Global, GlobalId, Module, Shown, TypeId, TypeKind,
    ValueId, Variable,
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
    let name = argument(module, 0, NAME);
    let (ty, init) = vector(module, vec![name]);
    let shown = shown_vector(module, 1);
    let vector = global(module, shown, ty, init);
    module.arguments = Some(Arguments { func, vector, count: 1 });
}

/// Gives the program arguments, besides its name. A program that does not look at them has none.
pub fn give_arguments(module: &mut Module, given: &[String]) {
    let Some(Arguments { func, vector: known, .. }) = module.arguments else { return };
    let Some(init) = module.globals[known].init else { return };
    let ConstKind::Aggregate(parts) = &module.consts[init].kind else { return };
    let mut texts: Vec<ConstId> = parts.first().copied().into_iter().collect();
    for text in given {
        let bytes = [text.as_bytes(), &[0]].concat();
        texts.push(argument(module, texts.len(), &bytes));
    }
    let count = u32::try_from(texts.len()).unwrap_or(u32::MAX);
    let (ty, init) = vector(module, texts);
    module.globals[known].variable = Some(shown_vector(module, count));
    module.globals[known].ty = ty;
    module.globals[known].init = Some(init);
    module.arguments = Some(Arguments { func, vector: known, count });
}

/// The address of a text that ends with a zero byte.
fn argument(module: &mut Module, at: usize, text: &[u8]) -> ConstId {
    let byte = type_id(module, TypeKind::Int(8), 1);
    let length = text.len() as u64;
    let ty = type_id(module, TypeKind::Array { element: byte, count: length }, length);
    let pointer = type_id(module, TypeKind::Ptr, 8);
    let bytes = module.consts.push(Const { ty, kind: ConstKind::Bytes(text.to_vec()) });
    let element = DebugType::Basic { name: "char".to_owned(), shown: Shown::Char };
    let shown = array(module, format!("argv[{at}]"), element, length);
    let text = global(module, shown, ty, bytes);
    module.consts.push(Const { ty: pointer, kind: ConstKind::Global(text) })
}

/// Addresses, and null behind them.
fn vector(module: &mut Module, mut parts: Vec<ConstId>) -> (TypeId, ConstId) {
    let pointer = type_id(module, TypeKind::Ptr, 8);
    parts.push(module.consts.push(Const { ty: pointer, kind: ConstKind::Null }));
    let count = parts.len() as u64;
    let ty = type_id(module, TypeKind::Array { element: pointer, count }, 8 * count);
    (ty, module.consts.push(Const { ty, kind: ConstKind::Aggregate(parts) }))
}

/// How the vector is shown, with null behind so many texts.
fn shown_vector(module: &mut Module, count: u32) -> Variable {
    array(module, "argv".to_owned(), DebugType::Pointer(None), u64::from(count) + 1)
}

fn global(module: &mut Module, variable: Variable, ty: TypeId, init: ConstId) -> GlobalId {
    module.globals.push(Global {
        name: variable.name.clone(),
        variable: Some(variable),
        ty,
        init: Some(init),
        constant: false,
        thread_local: false,
    })
}

/// How an array is shown.
fn array(module: &mut Module, name: String, element: DebugType, count: u64) -> Variable {
    let element = module.debug_types.push(element);
    let ty = Some(module.debug_types.push(DebugType::Array(element, vec![count])));
    Variable { name, ty, span: Span::NONE }
}
