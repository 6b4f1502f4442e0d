//! Which Rust types elements have, and what reductions make of them.
use crate::dtype::DType;

mod private {
    pub trait Sealed {}
}

/// What an [`Array`](crate::Array) holds: a type of elements, or [`Any`]. Its types say what the
/// ready-made reductions give.
pub trait Content: private::Sealed + 'static {
    /// Of `sum`, `prod`, `nansum` and `dot`: 64 bits for whole numbers, else the same.
    type Sum: Content;
    /// Of `mean`: `f64` for whole numbers, else the same.
    type Mean: Content;
    /// Of `var`, `std`, `norm` and `logsumexp`: `f64` for whole numbers, the real type of a complex
    /// one, else the same.
    type Real: Content;
    /// Of `argmin`, `argmax` and `count_nonzero`: `i64`.
    type Index: Content;
    /// Of `any` and `all`: `bool`.
    type Truth: Content;
    /// The dtype of the elements, if the type tells it.
    const WANTED: Option<DType>;
}

/// Elements of a type that is known when the program runs: see [`AnyArray`](crate::AnyArray).
#[derive(Clone, Copy, Debug)]
pub enum Any {}

impl private::Sealed for Any {}
impl Content for Any {
    type Sum = Any;
    type Mean = Any;
    type Real = Any;
    type Index = Any;
    type Truth = Any;
    const WANTED: Option<DType> = None;
}

/// A Rust type that elements have: `bool`, integers of 8 to 64 bits, `f32`, `f64`, `half::f16`,
/// `half::bf16`, `num_complex::Complex<f32>` and `Complex<f64>`. It cannot be implemented outside
/// of this crate.
///
/// # Safety
/// A value lies in memory as `DTYPE` says, without padding.
pub unsafe trait Element:
    Content + Copy + Send + Sync + PartialEq + std::fmt::Debug
{
    /// The dtype of such elements.
    const DTYPE: DType;

    /// Makes values of bytes that came from a device.
    ///
    /// # Safety
    /// `count` elements at `first` may be written, and hold some bytes.
    #[doc(hidden)]
    unsafe fn make_valid(_first: *mut Self, _count: usize) {}
}

macro_rules! element {
    ($($type:ty: $dtype:ident, $sum:ty, $mean:ty, $real:ty;)*) => {$(
        impl private::Sealed for $type {}
        impl Content for $type {
            type Sum = $sum;
            type Mean = $mean;
            type Real = $real;
            type Index = i64;
            type Truth = bool;
            const WANTED: Option<DType> = Some(DType::$dtype);
        }
        unsafe impl Element for $type {
            const DTYPE: DType = DType::$dtype;
        }
    )*};
}

element! {
    i8: I8, i64, f64, f64;
    i16: I16, i64, f64, f64;
    i32: I32, i64, f64, f64;
    i64: I64, i64, f64, f64;
    u8: U8, u64, f64, f64;
    u16: U16, u64, f64, f64;
    u32: U32, u64, f64, f64;
    u64: U64, u64, f64, f64;
    f32: F32, f32, f32, f32;
    f64: F64, f64, f64, f64;
}

#[cfg(feature = "half")]
element! {
    half::f16: F16, half::f16, half::f16, half::f16;
    half::bf16: BF16, half::bf16, half::bf16, half::bf16;
}

#[cfg(feature = "num-complex")]
element! {
    num_complex::Complex<f32>: C64, num_complex::Complex<f32>, num_complex::Complex<f32>, f32;
    num_complex::Complex<f64>: C128, num_complex::Complex<f64>, num_complex::Complex<f64>, f64;
}

impl private::Sealed for bool {}
impl Content for bool {
    type Sum = i64;
    type Mean = f64;
    type Real = f64;
    type Index = i64;
    type Truth = bool;
    const WANTED: Option<DType> = Some(DType::BOOL);
}

unsafe impl Element for bool {
    const DTYPE: DType = DType::BOOL;

    // A file, a tensor or a raw kernel can have put any byte there, and Rust takes 0 and 1 only.
    unsafe fn make_valid(first: *mut bool, count: usize) {
        let first = first.cast::<u8>();
        for at in 0..count {
            let byte = first.add(at);
            *byte = (*byte != 0) as u8;
        }
    }
}
