//! Types of elements by number, for what is only known when the program runs.
use std::fmt;

use gpuarr_sys as sys;

use crate::error::{c_text, number, static_text, Result};

/// Type of an array's elements.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct DType(pub(crate) i32);

macro_rules! dtypes {
    ($($name:ident = $code:ident, $meaning:literal;)*) => {
        impl DType {
            $(#[doc = $meaning] pub const $name: DType = DType(sys::$code);)*
        }
    };
}

dtypes! {
    BOOL = GPUARR_BOOL, "`bool`: one byte, 0 or 1.";
    I8 = GPUARR_I8, "`int8`.";
    I16 = GPUARR_I16, "`int16`.";
    I32 = GPUARR_I32, "`int32`.";
    I64 = GPUARR_I64, "`int64`.";
    U8 = GPUARR_U8, "`uint8`.";
    U16 = GPUARR_U16, "`uint16`.";
    U32 = GPUARR_U32, "`uint32`.";
    U64 = GPUARR_U64, "`uint64`.";
    F16 = GPUARR_F16, "`float16`: IEEE binary16.";
    BF16 = GPUARR_BF16, "`bfloat16`: the upper half of a `float32`.";
    F32 = GPUARR_F32, "`float32`.";
    F64 = GPUARR_F64, "`float64`.";
    C64 = GPUARR_C64, "`complex64`: two `float32`.";
    C128 = GPUARR_C128, "`complex128`: two `float64`.";
}

impl DType {
    /// Finds a dtype by NumPy's name, `"float32"`, or the short one, `"f32"`.
    ///
    /// # Errors
    /// `TYPE` for a name that is none.
    pub fn from_name(name: &str) -> Result<DType> {
        let name = c_text("name", name)?;
        number(|out| unsafe { sys::gpuarr_dtype_from_name(out, name.as_ptr()) }).map(DType)
    }

    /// Its name, as kernels' parameter lists spell it: `"float32"`.
    pub fn name(self) -> &'static str {
        static_text(unsafe { sys::gpuarr_dtype_name(self.0) })
    }

    /// Bytes of an element.
    pub fn size(self) -> usize {
        unsafe { sys::gpuarr_dtype_size(self.0) as usize }
    }

    /// The library's number of it.
    pub const fn code(self) -> i32 {
        self.0
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
