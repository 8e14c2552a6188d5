//! Constants: numbers, and arrays of them.

use std::ffi::c_uint;

use inkwell::llvm_sys::core::{
    LLVMConstIntGetSExtValue, LLVMConstIntGetZExtValue, LLVMConstRealGetDouble, LLVMGetAggregateElement,
    LLVMGetAsString,
};

use super::{Value, ValueKind};

impl<'m> Value<'m> {
    /// An integer of at most 64 bits.
    pub(crate) fn small_int(self) -> Option<u64> {
        if self.kind() != ValueKind::LLVMConstantIntValueKind || self.ty().int_width() > 64 {
            return None;
        }
        // SAFETY: it is an integer that fits.
        Some(unsafe { LLVMConstIntGetZExtValue(self.0) })
    }

    /// The same with its sign.
    pub(crate) fn small_signed(self) -> Option<i64> {
        self.small_int()?;
        // SAFETY: it is an integer that fits.
        Some(unsafe { LLVMConstIntGetSExtValue(self.0) })
    }

    pub(crate) fn double(self) -> Option<f64> {
        if self.kind() != ValueKind::LLVMConstantFPValueKind {
            return None;
        }
        let mut loses = 0;
        // SAFETY: it is a floating point number.
        Some(unsafe { LLVMConstRealGetDouble(self.0, &raw mut loses) })
    }

    /// The elements of an array of bytes.
    pub(crate) fn bytes(self) -> Option<Vec<u8>> {
        let is_bytes = self.kind() == ValueKind::LLVMConstantDataArrayValueKind
            && self.ty().element().is_some_and(|element| element.int_width() == 8);
        if !is_bytes {
            return None;
        }
        let mut length = 0;
        // SAFETY: it is a constant array of bytes, which LLVM calls a string, and has as many as LLVM says.
        unsafe {
            let start = LLVMGetAsString(self.0, &raw mut length);
            Some(std::slice::from_raw_parts(start.cast::<u8>(), length).to_vec())
        }
    }

    /// The elements of an array or vector of numbers.
    pub(crate) fn data(self) -> Vec<Value<'m>> {
        let is_data = matches!(
            self.kind(),
            ValueKind::LLVMConstantDataArrayValueKind | ValueKind::LLVMConstantDataVectorValueKind
        );
        let count = if is_data { c_uint::try_from(self.ty().count()).unwrap_or(0) } else { 0 };
        // SAFETY: it has so many elements.
        (0..count).filter_map(|at| Value::new(unsafe { LLVMGetAggregateElement(self.0, at) })).collect()
    }
}
