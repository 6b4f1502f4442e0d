//! Elements by their indices.
use std::ptr;

use gpuarr_sys as sys;

use crate::arg::Arg;
use crate::array::Array;
use crate::element::Content;
use crate::error::{check, Result};
use crate::outputs::Results;

/// What writes by indices is in C.
type Putter = unsafe extern "C" fn(
    *mut sys::gpuarr_array,
    *const sys::gpuarr_array,
    sys::gpuarr_arg,
    i32,
    *mut sys::gpuarr_stream,
) -> i32;

/// Elements by arrays of indices, of any integer type, which count from 0, or from the end as -1.
/// One that is out of range is an error (`INDEX`) that says which and where: on the CPU of the
/// call, on a GPU of the next one that waits for the stream. Results of such indices are 0, and
/// nothing outside of the arrays is touched. All fail with `AXIS`, `SHAPE`, `DTYPE`, `DEVICE`,
/// `OUT_OF_MEMORY`, `DRIVER`, and compile errors.
impl<T: Content> Array<T> {
    /// Slices along an axis by their indices: `out[a, i, b] = x[a, indices[i], b]`, where `a`, `i`
    /// and `b` stand for any number of indices.
    ///
    /// # Errors
    /// As all of these.
    pub fn take<I>(&self, indices: &Array<I>, axis: i32) -> Result<Array<T>> {
        Results::make(|out, _| unsafe {
            sys::gpuarr_take(out, self.as_ptr(), indices.as_ptr(), axis, ptr::null_mut())
        })
    }

    /// An element for each index: `out[a, i, b] = x[a, indices[a, i, b], b]`.
    ///
    /// # Errors
    /// As all of these, and `BROADCAST`.
    pub fn take_along_axis<I>(&self, indices: &Array<I>, axis: i32) -> Result<Array<T>> {
        Results::make(|out, _| unsafe {
            let (x, indices) = (self.as_ptr(), indices.as_ptr());
            sys::gpuarr_take_along_axis(out, x, indices, axis, ptr::null_mut())
        })
    }

    fn putting<I>(
        &mut self,
        put: Putter,
        indices: &Array<I>,
        values: Arg<'_>,
        axis: i32,
    ) -> Result<()> {
        let (x, indices) = (self.as_ptr(), indices.as_ptr());
        check(unsafe { put(x, indices, values.raw(), axis, ptr::null_mut()) })
    }

    /// Puts values at indices along an axis: `x[a, indices[i], b] = values[a, i, b]`. Values are an
    /// array, which is broadcast and converted as by [`Array::assign`], or a scalar. Of equal
    /// indices one is kept, and which one is not said.
    ///
    /// # Errors
    /// As all of these, and `BROADCAST`.
    pub fn put<'a, I>(
        &mut self,
        indices: &Array<I>,
        values: impl Into<Arg<'a>>,
        axis: i32,
    ) -> Result<()> {
        self.putting(sys::gpuarr_put, indices, values.into(), axis)
    }

    /// Adds values at indices along an axis, all of them where several indices are equal. The order
    /// differs from call to call, and with it how sums of floats are rounded. Elements have 2 bytes
    /// or more.
    ///
    /// # Errors
    /// As [`Array::put`].
    pub fn put_add<'a, I>(
        &mut self,
        indices: &Array<I>,
        values: impl Into<Arg<'a>>,
        axis: i32,
    ) -> Result<()> {
        self.putting(sys::gpuarr_put_add, indices, values.into(), axis)
    }

    /// Puts a value at each index: `x[a, indices[a, i, b], b] = values[a, i, b]`.
    ///
    /// # Errors
    /// As [`Array::put`].
    pub fn put_along_axis<'a, I>(
        &mut self,
        indices: &Array<I>,
        values: impl Into<Arg<'a>>,
        axis: i32,
    ) -> Result<()> {
        self.putting(sys::gpuarr_put_along_axis, indices, values.into(), axis)
    }
}
