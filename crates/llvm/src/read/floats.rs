//! Floating point numbers: what is computed with them becomes calls of functions on their bits, in `models/float.c`.
//!
//! In memory and in variables such a number is its bits anyway. So nothing after this knows of floating point numbers, and every engine
//! computes exactly what a machine does. Numbers of other sizes than 32 and 64 bits, vectors of numbers, and remainders are left as
//! they are, and refused later.

use inkwell::FloatPredicate;
use inkwell::builder::Builder;
use inkwell::module::Module;
use inkwell::types::{BasicMetadataTypeEnum, BasicTypeEnum, IntType};
use inkwell::values::{
    BasicValueEnum, CallSiteValue, FloatValue, InstructionOpcode, InstructionValue, IntValue,
};

/// Replaces all operations that are known.
pub(super) fn expand(module: &Module<'_>) {
    let operations: Vec<InstructionValue<'_>> = module
        .get_functions()
        .flat_map(inkwell::values::FunctionValue::get_basic_block_iter)
        .flat_map(inkwell::basic_block::BasicBlock::get_instructions)
        .filter(|instruction| is_operation(*instruction))
        .collect();
    for operation in operations {
        // One that is not replaced stays as it is.
        let _ = replace(module, operation);
    }
}

fn is_operation(instruction: InstructionValue<'_>) -> bool {
    use InstructionOpcode as I;
    match instruction.get_opcode() {
        I::FAdd
        | I::FSub
        | I::FMul
        | I::FDiv
        | I::FNeg
        | I::FCmp
        | I::FPToSI
        | I::FPToUI
        | I::SIToFP
        | I::UIToFP
        | I::FPExt
        | I::FPTrunc => true,
        I::Call => intrinsic(instruction).is_some(),
        _ => false,
    }
}

/// The name of an intrinsic on numbers of 32 or 64 bits that is called, without their size.
fn intrinsic(instruction: InstructionValue<'_>) -> Option<String> {
    let called = CallSiteValue::try_from(instruction).ok()?.get_called_fn_value()?;
    let name = called.get_name().to_str().ok()?.strip_prefix("llvm.")?;
    let (name, size) = name.rsplit_once('.')?;
    let known =
        matches!(name, "fmuladd" | "fabs" | "copysign" | "floor" | "ceil" | "trunc" | "round" | "sqrt")
            && matches!(size, "f32" | "f64");
    known.then(|| name.to_owned())
}

/// Replaces one operation.
fn replace<'c>(module: &Module<'c>, operation: InstructionValue<'c>) -> Option<()> {
    use InstructionOpcode as I;
    let context = module.get_context();
    let (int, long) = (context.i32_type(), context.i64_type());
    let builder = context.create_builder();
    builder.position_before(&operation);
    if let Some(location) = operation.get_debug_location() {
        builder.set_current_debug_location(location);
    }
    let writer = Writer { module, builder };
    let operand = |at: u32| operation.get_operand(at)?.value();
    let ty = BasicTypeEnum::try_from(operation.get_type()).ok()?;
    let opcode = operation.get_opcode();
    let made: BasicValueEnum<'c> = match opcode {
        I::FAdd | I::FSub | I::FMul | I::FDiv => {
            let name = match opcode {
                I::FAdd => "add",
                I::FSub => "subtract",
                I::FMul => "multiply",
                _ => "divide",
            };
            let (a, b) = (writer.wide(operand(0)?)?, writer.wide(operand(1)?)?);
            let result = writer.call(name, long, &[a, b])?;
            writer.number(result, ty)?
        }
        I::FNeg => {
            let bits = writer.bits(operand(0)?)?;
            let sign = writer.sign(bits.get_type());
            writer.of_bits(writer.builder.build_xor(bits, sign, "").ok()?, ty)?
        }
        I::FCmp => {
            let (a, b) = (writer.wide(operand(0)?)?, writer.wide(operand(1)?)?);
            let order = writer.call("compare", int, &[a, b])?;
            let wanted = int.const_int(orders(operation.get_fcmp_predicate()?), false);
            let matching = writer.builder.build_and(order, wanted, "").ok()?;
            let compared =
                writer.builder.build_int_compare(inkwell::IntPredicate::NE, matching, int.const_zero(), "");
            compared.ok()?.into()
        }
        I::FPToSI | I::FPToUI => {
            let BasicTypeEnum::IntType(to) = ty else { return None };
            if to.get_bit_width() > 64 {
                return None;
            }
            let name = if opcode == I::FPToSI { "to_signed" } else { "to_unsigned" };
            let given = writer.wide(operand(0)?)?;
            let number = writer.call(name, long, &[given])?;
            writer.builder.build_int_cast_sign_flag(number, to, false, "").ok()?.into()
        }
        I::SIToFP | I::UIToFP => {
            let BasicValueEnum::IntValue(number) = operand(0)? else { return None };
            if number.get_type().get_bit_width() > 64 {
                return None;
            }
            let signed = opcode == I::SIToFP;
            let number = writer.builder.build_int_cast_sign_flag(number, long, signed, "").ok()?;
            let bits = match (width(ty)?, signed) {
                (64, true) => writer.call("from_signed", long, &[number])?,
                (64, false) => writer.call("from_unsigned", long, &[number])?,
                (_, true) => writer.call("narrow_from_signed", int, &[number])?,
                (_, false) => writer.call("narrow_from_unsigned", int, &[number])?,
            };
            writer.of_bits(bits, ty)?
        }
        I::FPExt | I::FPTrunc => {
            let wide = writer.wide(operand(0)?)?;
            writer.number(wide, ty)?
        }
        _ => match intrinsic(operation)?.as_str() {
            // Without an instruction that does both at once, which machines need not have, it is two.
            "fmuladd" => {
                let (a, b) = (writer.wide(operand(0)?)?, writer.wide(operand(1)?)?);
                let product = writer.call("multiply", long, &[a, b])?;
                let product = writer.number(product, ty)?;
                let (product, c) = (writer.wide(product)?, writer.wide(operand(2)?)?);
                let sum = writer.call("add", long, &[product, c])?;
                writer.number(sum, ty)?
            }
            "fabs" => {
                let bits = writer.bits(operand(0)?)?;
                let rest = writer.sign(bits.get_type()).const_not();
                writer.of_bits(writer.builder.build_and(bits, rest, "").ok()?, ty)?
            }
            // A root that is rounded twice is the same as one that is rounded once, as quotients are.
            name @ ("floor" | "ceil" | "trunc" | "round" | "sqrt") => {
                let given = writer.wide(operand(0)?)?;
                let result = writer.call(name, long, &[given])?;
                writer.number(result, ty)?
            }
            _ => {
                let (bits, other) = (writer.bits(operand(0)?)?, writer.bits(operand(1)?)?);
                let sign = writer.sign(bits.get_type());
                let rest = writer.builder.build_and(bits, sign.const_not(), "").ok()?;
                let sign = writer.builder.build_and(other, sign, "").ok()?;
                writer.of_bits(writer.builder.build_or(rest, sign, "").ok()?, ty)?
            }
        },
    };
    match made {
        BasicValueEnum::FloatValue(made) => {
            FloatValue::try_from(operation).ok()?.replace_all_uses_with(made);
        }
        BasicValueEnum::IntValue(made) => IntValue::try_from(operation).ok()?.replace_all_uses_with(made),
        _ => return None,
    }
    operation.erase_from_basic_block();
    Some(())
}

/// Which results of the comparison a predicate holds for, as the model numbers them.
fn orders(predicate: FloatPredicate) -> u64 {
    const EQUAL: u64 = 1;
    const GREATER: u64 = 2;
    const LESS: u64 = 4;
    const UNORDERED: u64 = 8;
    match predicate {
        FloatPredicate::PredicateFalse => 0,
        FloatPredicate::OEQ => EQUAL,
        FloatPredicate::OGT => GREATER,
        FloatPredicate::OGE => GREATER | EQUAL,
        FloatPredicate::OLT => LESS,
        FloatPredicate::OLE => LESS | EQUAL,
        FloatPredicate::ONE => LESS | GREATER,
        FloatPredicate::ORD => LESS | GREATER | EQUAL,
        FloatPredicate::UNO => UNORDERED,
        FloatPredicate::UEQ => UNORDERED | EQUAL,
        FloatPredicate::UGT => UNORDERED | GREATER,
        FloatPredicate::UGE => UNORDERED | GREATER | EQUAL,
        FloatPredicate::ULT => UNORDERED | LESS,
        FloatPredicate::ULE => UNORDERED | LESS | EQUAL,
        FloatPredicate::UNE => UNORDERED | LESS | GREATER,
        FloatPredicate::PredicateTrue => UNORDERED | LESS | GREATER | EQUAL,
    }
}

/// The bits of a type of numbers: 32 or 64.
fn width(ty: BasicTypeEnum<'_>) -> Option<u32> {
    let BasicTypeEnum::FloatType(ty) = ty else { return None };
    let context = ty.get_context();
    if ty == context.f64_type() {
        return Some(64);
    }
    (ty == context.f32_type()).then_some(32)
}

/// Puts what stands for an operation before it.
struct Writer<'m, 'c> {
    module: &'m Module<'c>,
    builder: Builder<'c>,
}

impl<'c> Writer<'_, 'c> {
    fn sign(&self, ty: IntType<'c>) -> IntValue<'c> {
        ty.const_int(1 << (ty.get_bit_width() - 1), false)
    }

    /// The bits of a number.
    fn bits(&self, value: BasicValueEnum<'c>) -> Option<IntValue<'c>> {
        let context = self.module.get_context();
        let ty = if width(value.get_type())? == 64 { context.i64_type() } else { context.i32_type() };
        match self.builder.build_bit_cast(value, ty, "").ok()? {
            BasicValueEnum::IntValue(bits) => Some(bits),
            _ => None,
        }
    }

    /// The bits of a number, as one of 64 bits.
    fn wide(&self, value: BasicValueEnum<'c>) -> Option<IntValue<'c>> {
        let bits = self.bits(value)?;
        if bits.get_type().get_bit_width() == 64 {
            return Some(bits);
        }
        self.call("widened", self.module.get_context().i64_type(), &[bits])
    }

    /// The number of a type that has these bits.
    fn of_bits(&self, bits: IntValue<'c>, ty: BasicTypeEnum<'c>) -> Option<BasicValueEnum<'c>> {
        width(ty).filter(|width| *width == bits.get_type().get_bit_width())?;
        self.builder.build_bit_cast(bits, ty, "").ok()
    }

    /// The number of a type that is nearest to one of 64 bits.
    fn number(&self, wide: IntValue<'c>, ty: BasicTypeEnum<'c>) -> Option<BasicValueEnum<'c>> {
        let bits = match width(ty)? {
            64 => wide,
            _ => self.call("narrowed", self.module.get_context().i32_type(), &[wide])?,
        };
        self.of_bits(bits, ty)
    }

    /// Calls a function of the model.
    fn call(&self, name: &str, gives: IntType<'c>, arguments: &[IntValue<'c>]) -> Option<IntValue<'c>> {
        let name = format!("__raddle_float_{name}");
        let types: Vec<BasicMetadataTypeEnum<'c>> =
            arguments.iter().map(|argument| argument.get_type().into()).collect();
        let function = self
            .module
            .get_function(&name)
            .unwrap_or_else(|| self.module.add_function(&name, gives.fn_type(&types, false), None));
        let arguments: Vec<_> = arguments.iter().map(|argument| (*argument).into()).collect();
        match self.builder.build_call(function, &arguments, "").ok()?.try_as_basic_value().basic()? {
            BasicValueEnum::IntValue(value) => Some(value),
            _ => None,
        }
    }
}
