//! What kernels write to: arrays that are given, or that a call makes.
use std::ptr::{self, NonNull};

use gpuarr_sys as sys;

use crate::array::{AnyArray, Array};
use crate::element::Content;
use crate::error::{check, Error, Result, Status};

mod private {
    pub trait Sealed {}
}

/// Arrays for a kernel's outputs: `&mut z`, `(&mut s, &mut c)`, a slice of
/// [`AnyArray`], or `()` for none.
pub trait Outputs: private::Sealed {
    /// Calls C with the arrays.
    #[doc(hidden)]
    fn give<R>(self, call: impl FnOnce(*mut *mut sys::gpuarr_array, i32) -> R) -> R;
}

impl<T> private::Sealed for &mut Array<T> {}
impl<T> Outputs for &mut Array<T> {
    #[inline]
    fn give<R>(self, call: impl FnOnce(*mut *mut sys::gpuarr_array, i32) -> R) -> R {
        call(&mut self.as_ptr(), 1)
    }
}

impl private::Sealed for &mut [AnyArray] {}
impl Outputs for &mut [AnyArray] {
    fn give<R>(self, call: impl FnOnce(*mut *mut sys::gpuarr_array, i32) -> R) -> R {
        // An Array is a pointer (repr(transparent)); C writes to entries that are NULL only.
        call(self.as_mut_ptr().cast(), self.len() as i32)
    }
}

/// What a kernel's outputs become when the call makes them: an [`Array`], a tuple of them, or `()`
/// for none. Arrays of a type are checked to be of that type.
pub trait Results: private::Sealed + Sized {
    /// Calls C, which fills in as many arrays as there are.
    #[doc(hidden)]
    fn make(call: impl FnOnce(*mut *mut sys::gpuarr_array, i32) -> i32) -> Result<Self>;
}

/// One after the other, for functions with two results.
pub(crate) fn two<T>(out: *mut *mut T) -> (*mut *mut T, *mut *mut T) {
    // There is room for both, and nothing is read.
    (out, out.wrapping_add(1))
}

fn made(raw: *mut sys::gpuarr_array) -> Result<AnyArray> {
    let raw = NonNull::new(raw).ok_or_else(|| {
        Error::new(Status::INTERNAL, "a kernel's call succeeded and left out an output")
    })?;
    Ok(Array::own(raw))
}

impl<T> private::Sealed for Array<T> {}
impl<T: Content> Results for Array<T> {
    #[inline]
    fn make(call: impl FnOnce(*mut *mut sys::gpuarr_array, i32) -> i32) -> Result<Self> {
        let mut out = ptr::null_mut();
        check(call(&mut out, 1))?;
        made(out)?.downcast()
    }
}

macro_rules! tuple {
    ($count:literal: $($type:ident $place:tt)*) => {
        impl<$($type),*> private::Sealed for ($(&mut Array<$type>,)*) {}
        impl<$($type),*> Outputs for ($(&mut Array<$type>,)*) {
            fn give<R>(self, call: impl FnOnce(*mut *mut sys::gpuarr_array, i32) -> R) -> R {
                let mut arrays: [*mut sys::gpuarr_array; $count] = [$(self.$place.as_ptr()),*];
                call(arrays.as_mut_ptr(), $count)
            }
        }

        impl<$($type),*> private::Sealed for ($(Array<$type>,)*) {}
        impl<$($type: Content),*> Results for ($(Array<$type>,)*) {
            fn make(call: impl FnOnce(*mut *mut sys::gpuarr_array, i32) -> i32) -> Result<Self> {
                let mut out = [ptr::null_mut(); $count];
                check(call(out.as_mut_ptr(), $count))?;
                // All of them have an owner before one of them may be refused.
                let arrays = ($(made(out[$place]),)*);
                Ok(($(arrays.$place?.downcast::<$type>()?,)*))
            }
        }
    };
}

tuple! { 1: A 0 }
tuple! { 2: A 0 B 1 }
tuple! { 3: A 0 B 1 C 2 }
tuple! { 4: A 0 B 1 C 2 D 3 }
tuple! { 5: A 0 B 1 C 2 D 3 E 4 }
tuple! { 6: A 0 B 1 C 2 D 3 E 4 F 5 }
tuple! { 7: A 0 B 1 C 2 D 3 E 4 F 5 G 6 }
tuple! { 8: A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 }

impl private::Sealed for () {}
impl Outputs for () {
    fn give<R>(self, call: impl FnOnce(*mut *mut sys::gpuarr_array, i32) -> R) -> R {
        call(ptr::null_mut(), 0)
    }
}
impl Results for () {
    fn make(call: impl FnOnce(*mut *mut sys::gpuarr_array, i32) -> i32) -> Result<Self> {
        check(call(ptr::null_mut(), 0))
    }
}
