//! Constants. Equal constants are one value in LLVM, and so they have one id here.

use cranelift_entity::EntityRef as _;
use num_bigint::{BigInt, BigUint};
use rustc_hash::FxHashMap;

use super::folding;
use super::instruction::{self, Parts};
use super::types::Types;
use crate::module::{BlockId, Const, ConstId, ConstKind, FuncId, GlobalId, Module, Op, Operand, TypeId};
use crate::raw::{Block, Type, Value, ValueKind};

/// The constants of a module that were met so far.
pub(super) struct Constants<'m> {
    known: FxHashMap<Value<'m>, ConstId>,
    pub(super) globals: FxHashMap<Value<'m>, GlobalId>,
    pub(super) funcs: FxHashMap<Value<'m>, FuncId>,
}

impl<'m> Constants<'m> {
    pub(super) fn new() -> Self {
        Constants { known: FxHashMap::default(), globals: FxHashMap::default(), funcs: FxHashMap::default() }
    }

    /// The id of a constant. Those it is made of come first; an initialiser is no part of the address of its global, so
    /// there are no cycles.
    pub(super) fn id(&mut self, module: &mut Module, types: &mut Types<'m>, constant: Value<'m>) -> ConstId {
        if let Some(&id) = self.known.get(&constant) {
            return id;
        }
        let mut open = vec![constant];
        while let Some(&top) = open.last() {
            let before = open.len();
            if !self.known.contains_key(&top) {
                open.extend(parts(top).into_iter().filter(|part| !self.known.contains_key(part)));
            }
            if open.len() > before {
                continue;
            }
            open.pop();
            if self.known.contains_key(&top) {
                continue;
            }
            let id = match top.aliasee().and_then(|aliasee| self.known.get(&aliasee)) {
                Some(&id) => id,
                None => {
                    let ty = types.id(module, top.ty());
                    let kind = self.make(module, types, top);
                    module.consts.push(Const { ty, kind })
                }
            };
            self.known.insert(top, id);
        }
        self.known[&constant]
    }

    /// The constant, of parts that are known.
    fn make(&self, module: &mut Module, types: &mut Types<'m>, value: Value<'m>) -> ConstKind {
        match value.kind() {
            ValueKind::LLVMConstantIntValueKind => int(value).map(ConstKind::Int),
            ValueKind::LLVMConstantFPValueKind => {
                value.double().map(|number| ConstKind::Float(number.to_bits()))
            }
            ValueKind::LLVMConstantPointerNullValueKind => Some(ConstKind::Null),
            ValueKind::LLVMConstantAggregateZeroValueKind => Some(ConstKind::Zero),
            ValueKind::LLVMUndefValueValueKind | ValueKind::LLVMPoisonValueKind => Some(ConstKind::Undef),
            ValueKind::LLVMGlobalVariableValueKind => {
                self.globals.get(&value).map(|&id| ConstKind::Global(id))
            }
            ValueKind::LLVMFunctionValueKind => self.funcs.get(&value).map(|&id| ConstKind::Func(id)),
            ValueKind::LLVMConstantArrayValueKind
            | ValueKind::LLVMConstantStructValueKind
            | ValueKind::LLVMConstantVectorValueKind => self.aggregate(&value.operands()),
            ValueKind::LLVMConstantDataArrayValueKind | ValueKind::LLVMConstantDataVectorValueKind => {
                value.bytes().map(ConstKind::Bytes).or_else(|| self.aggregate(&value.data()))
            }
            ValueKind::LLVMConstantExprValueKind => self.expression(module, types, value),
            _ => None,
        }
        .unwrap_or_else(|| ConstKind::Other(value.print()))
    }

    fn aggregate(&self, parts: &[Value<'m>]) -> Option<ConstKind> {
        parts
            .iter()
            .map(|part| self.known.get(part).copied())
            .collect::<Option<_>>()
            .map(ConstKind::Aggregate)
    }

    fn expression(&self, module: &mut Module, types: &mut Types<'m>, value: Value<'m>) -> Option<ConstKind> {
        let mut parts = ConstantParts { module, types, known: &self.known };
        let op = instruction::op(&mut parts, value);
        let ty = types.id(module, value.ty());
        if let Some(number) = folding::fold(module, ty, &op) {
            return Some(ConstKind::Int(number));
        }
        (!matches!(op, Op::Other { .. })).then(|| ConstKind::Expr(Box::new(op)))
    }
}

/// What a constant is made of.
fn parts(value: Value<'_>) -> Vec<Value<'_>> {
    match value.kind() {
        ValueKind::LLVMConstantArrayValueKind
        | ValueKind::LLVMConstantStructValueKind
        | ValueKind::LLVMConstantVectorValueKind
        | ValueKind::LLVMConstantExprValueKind => value.operands(),
        ValueKind::LLVMConstantDataArrayValueKind if value.bytes().is_some() => Vec::new(),
        ValueKind::LLVMConstantDataArrayValueKind | ValueKind::LLVMConstantDataVectorValueKind => {
            value.data()
        }
        ValueKind::LLVMGlobalAliasValueKind => value.aliasee().into_iter().collect(),
        _ => Vec::new(),
    }
}

/// The value of an integer, unsigned.
pub(super) fn int(value: Value<'_>) -> Option<BigUint> {
    if let Some(small) = value.small_int() {
        return Some(BigUint::from(small));
    }
    // There is no way to get at the words of a wide one, but LLVM prints it: `i128 -5`.
    let number: BigInt = value.print().rsplit(' ').next()?.parse().ok()?;
    let modulus = BigInt::from(1) << value.ty().int_width();
    (((number % &modulus) + &modulus) % modulus).to_biguint()
}

/// How an expression finds its parts: all are constants that are known.
struct ConstantParts<'a, 'm> {
    module: &'a mut Module,
    types: &'a mut Types<'m>,
    known: &'a FxHashMap<Value<'m>, ConstId>,
}

impl<'m> Parts<'m> for ConstantParts<'_, 'm> {
    fn operand(&mut self, value: Value<'m>) -> Operand {
        Operand::Const(self.known[&value])
    }

    fn ty(&mut self, ty: Type<'m>) -> TypeId {
        self.types.id(self.module, ty)
    }

    fn block(&self, _: Block<'m>) -> BlockId {
        BlockId::new(0)
    }

    fn func(&self, _: Value<'m>) -> Option<FuncId> {
        None
    }
}
