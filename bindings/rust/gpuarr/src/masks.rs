//! Elements by masks.
use std::ptr;

use gpuarr_sys as sys;

use crate::arg::Arg;
use crate::array::Array;
use crate::element::Content;
use crate::error::{check, Result};
use crate::join::several;
use crate::outputs::Results;

/// Elements that a mask selects, which is an array of `bool` of the same shape. Where the number of
/// results depends on elements, calls wait for it. All fail with `SHAPE`, `DEVICE`,
/// `OUT_OF_MEMORY`, `DRIVER`, compile errors, and with `UNSUPPORTED` in a stream that is
/// captured, but for what does not wait.
impl<T: Content> Array<T> {
    /// The elements that a mask chooses, in C order, as an array of one axis: `x[mask]` in NumPy.
    ///
    /// # Errors
    /// As all of these.
    pub fn masked(&self, mask: &Array<bool>) -> Result<Array<T>> {
        Results::make(|out, _| unsafe {
            sys::gpuarr_select(out, self.as_ptr(), mask.as_ptr(), ptr::null_mut())
        })
    }

    /// The elements that a mask chooses into the front of an array of one axis, without waiting.
    /// What it returns holds their number, also of those that were left out for want of room.
    ///
    /// # Errors
    /// As all of these.
    pub fn masked_into(&self, mask: &Array<bool>, out: &mut Array<T>) -> Result<Array<i64>> {
        Results::make(|count, _| unsafe {
            let (x, mask) = (self.as_ptr(), mask.as_ptr());
            sys::gpuarr_select_into(out.as_ptr(), count, x, mask, ptr::null_mut())
        })
    }

    /// The numbers in C order of the elements that are not 0; NaN is not.
    ///
    /// # Errors
    /// As all of these.
    pub fn flatnonzero(&self) -> Result<Array<i64>> {
        Results::make(|out, _| unsafe {
            sys::gpuarr_flatnonzero(out, self.as_ptr(), ptr::null_mut())
        })
    }

    /// The indices of the elements that are not 0: an array for each axis.
    ///
    /// # Errors
    /// As all of these; `ARGUMENT` for an array without axes.
    pub fn nonzero(&self) -> Result<Vec<Array<i64>>> {
        several(self.ndim(), |out| unsafe {
            sys::gpuarr_nonzero(out, self.ndim() as i32, self.as_ptr(), ptr::null_mut())
        })
    }

    /// Writes to the elements that a mask chooses: a scalar to all of them, or the elements of an
    /// array in C order, from its first again where it has fewer. It does not wait.
    ///
    /// # Errors
    /// As all of these; `DTYPE` for a scalar that the type cannot hold.
    pub fn place<'a>(&mut self, mask: &Array<bool>, values: impl Into<Arg<'a>>) -> Result<()> {
        let values = values.into().raw();
        check(unsafe { sys::gpuarr_place(self.as_ptr(), mask.as_ptr(), values, ptr::null_mut()) })
    }
}
