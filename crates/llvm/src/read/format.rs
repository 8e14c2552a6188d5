//! Formatted texts: calls of `snprintf` and `sprintf` with a constant format become calls for each part of it.
//!
//! What a function with any number of arguments does with them cannot be said in C without knowing them. Here they are known, so
//! each conversion has a function of its own, in `models/format.c`. Formats with a conversion that is not known there, such as
//! those of floating point numbers, are left as they are, and refused later.

use inkwell::builder::Builder;
use inkwell::module::Module;
use inkwell::types::{BasicMetadataTypeEnum, BasicType};
use inkwell::values::{
    BasicMetadataValueEnum, BasicValueEnum, CallSiteValue, InstructionOpcode, InstructionValue, IntValue,
    PointerValue,
};

/// A part of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// Bytes of the format, from here to there.
    Text(usize, usize),
    Char(Shape),
    /// With the most bytes; negative if all.
    String(Shape, i64),
    Signed(Shape),
    /// With its base, and whether digits are capital letters.
    Unsigned(Shape, u64, bool),
}

/// How a part is put into its width.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Shape {
    width: u64,
    /// As in the model.
    flags: u64,
}

/// Wider parts than this are for nobody to read.
const WIDEST: u64 = 4096;

/// The parts of a format; none if it has one that is not known.
fn parts(format: &[u8]) -> Option<Vec<Part>> {
    let mut parts = Vec::new();
    let mut at = 0;
    while let Some(&byte) = format.get(at) {
        let start = at;
        if byte != b'%' {
            at += format[at..].iter().take_while(|byte| **byte != b'%').count();
            parts.push(Part::Text(start, at));
            continue;
        }
        at += 1;
        if format.get(at) == Some(&b'%') {
            at += 1;
            parts.push(Part::Text(start, start + 1));
            continue;
        }
        let mut shape = Shape::default();
        while let Some(flag) = format.get(at).and_then(|byte| b"-0+ ".iter().position(|flag| flag == byte)) {
            shape.flags |= 1 << flag;
            at += 1;
        }
        shape.width = number(format, &mut at)?.unwrap_or(0);
        let mut precision = None;
        if format.get(at) == Some(&b'.') {
            at += 1;
            precision = Some(number(format, &mut at)?.unwrap_or(0));
        }
        let long = format[at..].iter().take_while(|byte| b"lzjt".contains(byte)).count();
        at += long;
        let conversion = *format.get(at)?;
        at += 1;
        parts.push(match (conversion, precision) {
            // Wide characters.
            (b's' | b'c', _) if long > 0 => return None,
            (b's', most) => Part::String(shape, most.map_or(Some(-1), |most| i64::try_from(most).ok())?),
            (b'c', None) => Part::Char(shape),
            (b'd' | b'i', None) => Part::Signed(shape),
            (b'u', None) => Part::Unsigned(shape, 10, false),
            (b'x', None) => Part::Unsigned(shape, 16, false),
            (b'X', None) => Part::Unsigned(shape, 16, true),
            (b'o', None) => Part::Unsigned(shape, 8, false),
            _ => return None,
        });
    }
    Some(parts)
}

/// A number in a format, if there is one; nothing at all if it is too large.
fn number(format: &[u8], at: &mut usize) -> Option<Option<u64>> {
    let digits = format[*at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let text = std::str::from_utf8(&format[*at..*at + digits]).ok()?;
    *at += digits;
    if text.is_empty() {
        return Some(None);
    }
    text.parse().ok().filter(|number| *number <= WIDEST).map(Some)
}

/// Takes calls of formatting functions apart.
pub(super) fn expand(module: &Module<'_>) {
    let calls: Vec<InstructionValue<'_>> = module
        .get_functions()
        .flat_map(inkwell::values::FunctionValue::get_basic_block_iter)
        .flat_map(inkwell::basic_block::BasicBlock::get_instructions)
        .filter(|instruction| instruction.get_opcode() == InstructionOpcode::Call)
        .collect();
    for call in calls {
        // A call that is not taken apart stays as it is.
        let _ = take_apart(module, call);
    }
}

/// Takes one call apart, if it is of a formatting function and its format is known.
fn take_apart<'c>(module: &Module<'c>, call: InstructionValue<'c>) -> Option<()> {
    let site = CallSiteValue::try_from(call).ok()?;
    let name = site.get_called_fn_value()?.get_name().to_str().ok()?.to_owned();
    // Where the format and what is formatted are among the arguments.
    let first = match name.as_str() {
        "sprintf" => 1,
        "snprintf" => 2,
        "__sprintf_chk" => 3,
        "__snprintf_chk" => 4,
        _ => return None,
    };
    let argument = |at: u32| call.get_operand(at)?.value();
    let count = site.count_arguments();
    let BasicValueEnum::PointerValue(to) = argument(0)? else { return None };
    let BasicValueEnum::PointerValue(format) = argument(first)? else { return None };
    let mut text = constant_text(module, format)?;
    text.truncate(text.iter().position(|byte| *byte == 0)?);
    let parts = parts(&text)?;
    let values: Option<Vec<_>> = (first + 1..count).map(argument).collect();
    let values = values?;
    let wanted = parts.iter().filter(|part| !matches!(part, Part::Text(..)));
    let fits = |(part, value): (&Part, &BasicValueEnum<'_>)| match part {
        Part::String(..) => value.is_pointer_value(),
        _ => value.is_int_value(),
    };
    if wanted.clone().count() > values.len() || !wanted.zip(&values).all(fits) {
        return None;
    }
    let context = module.get_context();
    let long = context.i64_type();
    let size = match (name.as_str(), argument(1)) {
        ("snprintf" | "__snprintf_chk", Some(BasicValueEnum::IntValue(size))) => size,
        ("snprintf" | "__snprintf_chk", _) => return None,
        // As much as there is room for: what has no room is an access out of bounds.
        _ => long.const_int(u64::MAX >> 1, false),
    };
    let builder = context.create_builder();
    builder.position_before(&call);
    if let Some(location) = call.get_debug_location() {
        builder.set_current_debug_location(location);
    }
    let writer = Writer { module, builder, to, size };
    let mut at = long.const_zero();
    let mut values = values.into_iter();
    for part in parts {
        let shape = |shape: Shape| [writer.int(shape.width), writer.int(shape.flags)];
        at = match part {
            Part::Text(from, end) => {
                let bounds = [from, end].map(|bound| long.const_int(bound as u64, false).into());
                writer.call("part", at, &[&[format.into()], &bounds[..]].concat())?
            }
            Part::Char(how) => {
                let byte = writer.as_int(values.next()?)?;
                writer.call("char", at, &[&[byte], &shape(how)[..]].concat())?
            }
            Part::String(how, most) => {
                let most = context.i32_type().const_int(most.cast_unsigned(), true).into();
                let [width, flags] = shape(how);
                writer.call("text", at, &[values.next()?.into(), width, most, flags])?
            }
            Part::Signed(how) => {
                let value = writer.as_long(values.next()?, true)?;
                writer.call("signed", at, &[&[value], &shape(how)[..]].concat())?
            }
            Part::Unsigned(how, base, upper) => {
                let value = writer.as_long(values.next()?, false)?;
                let [width, flags] = shape(how);
                writer.call(
                    "unsigned",
                    at,
                    &[value, writer.int(base), writer.int(upper.into()), width, flags],
                )?
            }
        };
    }
    let length = writer.call_giving("end", context.i32_type(), at, &[])?;
    if let Some(length) = length.as_instruction() {
        call.replace_all_uses_with(&length);
        call.erase_from_basic_block();
    }
    Some(())
}

/// The bytes of a constant that a pointer is to the beginning of.
fn constant_text(module: &Module<'_>, pointer: PointerValue<'_>) -> Option<Vec<u8>> {
    let global = module.get_global(pointer.get_name().to_str().ok()?)?;
    if !global.is_constant() || global.as_pointer_value() != pointer {
        return None;
    }
    let BasicValueEnum::ArrayValue(bytes) = global.get_initializer()? else { return None };
    bytes.is_const_string().then(|| bytes.as_const_string().map(<[u8]>::to_vec))?
}

/// Puts calls before the one that is taken apart.
struct Writer<'m, 'c> {
    module: &'m Module<'c>,
    builder: Builder<'c>,
    to: PointerValue<'c>,
    size: IntValue<'c>,
}

impl<'c> Writer<'_, 'c> {
    fn int(&self, value: u64) -> BasicMetadataValueEnum<'c> {
        self.module.get_context().i32_type().const_int(value, false).into()
    }

    fn as_int(&self, value: BasicValueEnum<'c>) -> Option<BasicMetadataValueEnum<'c>> {
        let BasicValueEnum::IntValue(value) = value else { return None };
        let ty = self.module.get_context().i32_type();
        self.builder.build_int_cast_sign_flag(value, ty, true, "").ok().map(Into::into)
    }

    fn as_long(&self, value: BasicValueEnum<'c>, signed: bool) -> Option<BasicMetadataValueEnum<'c>> {
        let BasicValueEnum::IntValue(value) = value else { return None };
        let ty = self.module.get_context().i64_type();
        self.builder.build_int_cast_sign_flag(value, ty, signed, "").ok().map(Into::into)
    }

    /// Calls the function of a part, which gives how many bytes there are then.
    fn call(
        &self,
        part: &str,
        at: IntValue<'c>,
        arguments: &[BasicMetadataValueEnum<'c>],
    ) -> Option<IntValue<'c>> {
        self.call_giving(part, self.module.get_context().i64_type(), at, arguments)
    }

    fn call_giving(
        &self,
        part: &str,
        gives: inkwell::types::IntType<'c>,
        at: IntValue<'c>,
        arguments: &[BasicMetadataValueEnum<'c>],
    ) -> Option<IntValue<'c>> {
        let name = format!("__raddle_format_{part}");
        let arguments = [&[self.to.into(), self.size.into(), at.into()], arguments].concat();
        let types: Option<Vec<BasicMetadataTypeEnum<'c>>> = arguments
            .iter()
            .map(|argument| match argument {
                BasicMetadataValueEnum::IntValue(value) => Some(value.get_type().as_basic_type_enum().into()),
                BasicMetadataValueEnum::PointerValue(value) => {
                    Some(value.get_type().as_basic_type_enum().into())
                }
                _ => None,
            })
            .collect();
        let types = types?;
        let function = self
            .module
            .get_function(&name)
            .unwrap_or_else(|| self.module.add_function(&name, gives.fn_type(&types, false), None));
        let call = self.builder.build_call(function, &arguments, "").ok()?;
        match call.try_as_basic_value().basic()? {
            BasicValueEnum::IntValue(value) => Some(value),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_taken_apart() {
        let shape = |width, flags| Shape { width, flags };
        assert_eq!(
            parts(b"a %d%%%-4s|%05lu"),
            Some(vec![
                Part::Text(0, 2),
                Part::Signed(shape(0, 0)),
                Part::Text(4, 5),
                Part::String(shape(4, 1), -1),
                Part::Text(10, 11),
                Part::Unsigned(shape(5, 2), 10, false),
            ])
        );
        assert_eq!(parts(b"%.3s"), Some(vec![Part::String(shape(0, 0), 3)]));
        for unknown in
            [&b"%f"[..], b"%p", b"%*d", b"%", b"%5", b"%.2d", b"%99999d", b"%n", b"%#x", b"%hd", b"%ls"]
        {
            assert_eq!(parts(unknown), None);
        }
    }
}
