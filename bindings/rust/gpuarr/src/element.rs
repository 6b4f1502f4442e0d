//! Which Rust types elements have, and what reductions and functions make of them.
use crate::dtype::DType;
use crate::promote::Join;

mod private {
    pub trait Sealed {}
}

/// What an [`Array`](crate::Array) holds: a type of elements, or [`Any`]. Its types say what the
/// ready-made reductions and functions give.
pub trait Content: private::Sealed + 'static {
    /// Of `sum`, `prod`, `nansum` and `dot`: 64 bits for integers, else the same.
    type Sum: Content;
    /// Of `mean`: `f64` for integers, else the same.
    type Mean: Content;
    /// Of `var`, `std`, `norm` and `logsumexp`: `f64` for integers, the real type of a complex
    /// one, else the same.
    type Real: Content;
    /// Of `argmin`, `argmax` and `count_nonzero`: `i64`.
    type Index: Content;
    /// Of `any` and `all`: `bool`.
    type Truth: Content;
    /// Of `exp`, `sin` and their like: the smallest float that holds all of them, which is `f16`
    /// for 8 bits, `f32` for 16, `f64` for more; floats and complex numbers stay.
    type Float: Content;
    /// Of `power`, `floor_divide` and their like: `i8` for `bool`, else the same.
    type Number: Content;
    /// Of `abs` and `real`: the real type of a complex one, else the same.
    type Part: Content;
    /// Of `complex` and of eigenvalues: `Complex<f32>` for what `f32` holds, else `Complex<f64>`.
    type Complex: Content;
    /// Of `float_power`: `f64`, or `Complex<f64>`.
    type Double: Content;
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
    type Float = Any;
    type Number = Any;
    type Part = Any;
    type Complex = Any;
    type Double = Any;
    const WANTED: Option<DType> = None;
}

/// A Rust type that elements have: `bool`, integers of 8 to 64 bits, `f32`, `f64`, `half::f16`,
/// `half::bf16`, `num_complex::Complex<f32>` and `Complex<f64>`. It cannot be implemented outside
/// of this crate.
///
/// # Safety
/// A value lies in memory as `DTYPE` says, without padding.
pub unsafe trait Element:
    Content
    + crate::kernel::Plain
    + crate::kernel::Scalar
    + Join<Self, Output = Self>
    + Copy
    + Send
    + Sync
    + PartialEq
    + std::fmt::Debug
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

// What a crate has that the features leave out, nothing tells the type of.
#[cfg(feature = "half")]
type Half = half::f16;
#[cfg(not(feature = "half"))]
type Half = Any;
#[cfg(feature = "num-complex")]
type C64 = num_complex::Complex<f32>;
#[cfg(not(feature = "num-complex"))]
type C64 = Any;
#[cfg(feature = "num-complex")]
type C128 = num_complex::Complex<f64>;
#[cfg(not(feature = "num-complex"))]
type C128 = Any;

macro_rules! content {
    ($($type:ty: $dtype:ident, $sum:ty, $mean:ty, $real:ty, $float:ty, $number:ty, $part:ty,
       $complex:ty, $double:ty;)*) => {$(
        impl private::Sealed for $type {}
        impl Content for $type {
            type Sum = $sum;
            type Mean = $mean;
            type Real = $real;
            type Index = i64;
            type Truth = bool;
            type Float = $float;
            type Number = $number;
            type Part = $part;
            type Complex = $complex;
            type Double = $double;
            const WANTED: Option<DType> = Some(DType::$dtype);
        }
    )*};
}

macro_rules! element {
    ($($type:ty: $dtype:ident, $sum:ty, $mean:ty, $real:ty, $float:ty, $part:ty, $complex:ty,
       $double:ty;)*) => {$(
        content! { $type: $dtype, $sum, $mean, $real, $float, $type, $part, $complex, $double; }
        unsafe impl Element for $type {
            const DTYPE: DType = DType::$dtype;
        }
    )*};
}

element! {
    i8: I8, i64, f64, f64, Half, i8, C64, f64;
    i16: I16, i64, f64, f64, f32, i16, C64, f64;
    i32: I32, i64, f64, f64, f64, i32, C128, f64;
    i64: I64, i64, f64, f64, f64, i64, C128, f64;
    u8: U8, u64, f64, f64, Half, u8, C64, f64;
    u16: U16, u64, f64, f64, f32, u16, C64, f64;
    u32: U32, u64, f64, f64, f64, u32, C128, f64;
    u64: U64, u64, f64, f64, f64, u64, C128, f64;
    f32: F32, f32, f32, f32, f32, f32, C64, f64;
    f64: F64, f64, f64, f64, f64, f64, C128, f64;
}

#[cfg(feature = "half")]
element! {
    half::f16: F16, Self, Self, Self, Self, Self, C64, f64;
    half::bf16: BF16, Self, Self, Self, Self, Self, C64, f64;
}

#[cfg(feature = "num-complex")]
element! {
    C64: C64, C64, C64, f32, C64, f32, C64, C128;
    C128: C128, C128, C128, f64, C128, f64, C128, C128;
}

content! { bool: BOOL, i64, f64, f64, Half, i8, bool, C64, f64; }

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
