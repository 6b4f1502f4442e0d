//! Arguments of kernels.
use std::ffi::c_void;
use std::fmt;
use std::marker::PhantomData;
use std::mem;

use gpuarr_sys as sys;

use crate::array::Array;
use crate::element::Element;

/// An argument of a kernel: an array, borrowed until the call returns, or a scalar with its type.
/// Made by `from`, or many at once by [`args!`](crate::args).
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct Arg<'a> {
    raw: sys::gpuarr_arg,
    borrowed: PhantomData<&'a ()>,
}

// The array is borrowed as `&Array`, which is Sync; see there. The rest is numbers, and addresses
// that only `unsafe` calls look behind.
unsafe impl Send for Arg<'_> {}
unsafe impl Sync for Arg<'_> {}

/// Arguments for a kernel: `args![&x, &y, 2.0f32]` is `&[Arg::from(&x), Arg::from(&y),
/// Arg::from(2.0f32)]`.
#[macro_export]
macro_rules! args {
    ($($value:expr),* $(,)?) => {
        &[$($crate::Arg::from($value)),*]
    };
}

impl<'a> Arg<'a> {
    /// Scalars of all types lie in these bytes; those that are not used are 0.
    const EMPTY: sys::gpuarr_arg =
        sys::gpuarr_arg { array: std::ptr::null(), dtype: 0, flags: 0, value: [0; 16] };

    /// A scalar. A call converts it if the parameter's type can hold it; raw kernels convert none.
    #[inline]
    pub fn scalar<T: Element>(value: T) -> Arg<'a> {
        let mut raw = sys::gpuarr_arg { dtype: T::DTYPE.code(), ..Self::EMPTY };
        debug_assert!(mem::size_of::<T>() <= raw.value.len());
        // No element is larger than 16 bytes, and none has padding (Element).
        unsafe { raw.value.as_mut_ptr().cast::<T>().write_unaligned(value) };
        Arg { raw, borrowed: PhantomData }
    }

    /// An array for a raw kernel's parameter of type `gpuarr_view<T, NDIM>`, which has the shape
    /// and the strides as well.
    pub fn view<T>(array: &'a Array<T>) -> Arg<'a> {
        let raw =
            sys::gpuarr_arg { array: array.as_ptr(), flags: sys::GPUARR_ARG_VIEW, ..Self::EMPTY };
        Arg { raw, borrowed: PhantomData }
    }

    /// A struct by value for a raw kernel, which has to lay it out in the same way: `repr(C)`.
    pub fn bytes<T: Copy>(value: &'a T) -> Arg<'a> {
        let mut raw = sys::gpuarr_arg { flags: sys::GPUARR_ARG_BYTES, ..Self::EMPTY };
        let address = value as *const T as u64;
        raw.value[..8].copy_from_slice(&address.to_ne_bytes());
        raw.value[8..].copy_from_slice(&(mem::size_of::<T>() as u64).to_ne_bytes());
        Arg { raw, borrowed: PhantomData }
    }

    /// An address in the device's memory, or null, for a raw kernel's pointer. The caller of the
    /// launch sees to its lifetime and to the order of work.
    pub fn pointer(address: *const c_void) -> Arg<'a> {
        let mut raw = sys::gpuarr_arg { flags: sys::GPUARR_ARG_POINTER, ..Self::EMPTY };
        raw.value[..8].copy_from_slice(&(address as u64).to_ne_bytes());
        Arg { raw, borrowed: PhantomData }
    }

    /// C's argument.
    #[inline]
    pub(crate) fn raw(self) -> sys::gpuarr_arg {
        self.raw
    }

    /// C's list of arguments; the number of what a slice holds fits.
    #[inline]
    pub(crate) fn list(args: &[Arg<'_>]) -> (*const sys::gpuarr_arg, i32) {
        (args.as_ptr().cast(), args.len() as i32)
    }
}

impl fmt::Debug for Arg<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let raw = &self.raw;
        match (raw.array.is_null(), raw.dtype) {
            (false, _) => write!(f, "Arg(array at {:p})", raw.array),
            (true, 0) => write!(f, "Arg(flags {}, {:?})", raw.flags, raw.value),
            (true, dtype) => write!(f, "Arg({}, {:?})", crate::DType(dtype), raw.value),
        }
    }
}

impl<'a, T> From<&'a Array<T>> for Arg<'a> {
    #[inline]
    fn from(array: &'a Array<T>) -> Arg<'a> {
        let raw = sys::gpuarr_arg { array: array.as_ptr(), ..Self::EMPTY };
        Arg { raw, borrowed: PhantomData }
    }
}

/// For arrays that a raw kernel writes.
impl<'a, T> From<&'a mut Array<T>> for Arg<'a> {
    #[inline]
    fn from(array: &'a mut Array<T>) -> Arg<'a> {
        Arg::from(&*array)
    }
}

impl<T: Element> From<T> for Arg<'_> {
    #[inline]
    fn from(value: T) -> Self {
        Arg::scalar(value)
    }
}
