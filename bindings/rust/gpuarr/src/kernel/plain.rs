//! What can lie in a device's memory: elements, and structs of them.
use crate::arg::Arg;
use crate::array::Array;
use crate::shape::Order;

use super::types::Value;

/// A type whose values lie in a device's memory as in the host's: elements of arrays, `usize`,
/// arrays of such types, structs with `#[derive(gpuarr::Device)]`. Tuples do not: rustc lays them
/// out as it likes.
///
/// # Safety
/// A value is laid out as C++ lays out the type of its name.
pub unsafe trait Plain: Value {
    /// What a slice of them is given as.
    type Array;

    /// A parameter by value.
    #[doc(hidden)]
    fn arg(&self) -> Arg<'_>;
}

macro_rules! elements {
    ($($type:ty)*) => {$(
        unsafe impl Plain for $type {
            type Array = Array<$type>;

            #[inline]
            fn arg(&self) -> Arg<'_> {
                Arg::scalar(*self)
            }
        }
    )*};
}

elements! { bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 }

#[cfg(feature = "half")]
elements! { half::f16 half::bf16 }

#[cfg(feature = "num-complex")]
elements! { num_complex::Complex<f32> num_complex::Complex<f64> }

unsafe impl Plain for usize {
    type Array = Array<u64>;

    #[inline]
    fn arg(&self) -> Arg<'_> {
        Arg::scalar(*self as u64)
    }
}

unsafe impl Plain for isize {
    type Array = Array<i64>;

    #[inline]
    fn arg(&self) -> Arg<'_> {
        Arg::scalar(*self as i64)
    }
}

unsafe impl<T: Plain, const N: usize> Plain for [T; N] {
    type Array = super::Records<[T; N]>;

    #[inline]
    fn arg(&self) -> Arg<'_> {
        Arg::bytes(self)
    }
}

/// What a kernel takes for a slice.
pub trait Sliced {
    #[doc(hidden)]
    fn arg(&self) -> Arg<'_>;
    #[doc(hidden)]
    fn count(&self) -> usize;
    /// Whether its elements lie one after another in C order.
    #[doc(hidden)]
    fn is_plain(&self) -> bool;
}

impl<T> Sliced for Array<T> {
    #[inline]
    fn arg(&self) -> Arg<'_> {
        Arg::from(self)
    }

    #[inline]
    fn count(&self) -> usize {
        self.len()
    }

    #[inline]
    fn is_plain(&self) -> bool {
        self.is_contiguous(Order::C)
    }
}
