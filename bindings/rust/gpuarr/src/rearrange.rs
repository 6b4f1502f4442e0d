//! Elements repeated, shifted, framed, and kept in triangles.
use std::ptr;

use gpuarr_sys as sys;

use crate::arg::Arg;
use crate::array::Array;
use crate::create::new_order;
use crate::device::Device;
use crate::element::{Content, Element};
use crate::error::{object, Error, Result, Status};
use crate::outputs::Results;
use crate::shape::{Axes, Shape};

/// What [`Array::pad`] puts around an array.
#[derive(Clone, Copy, Debug)]
pub enum Pad<'a> {
    /// A value: `Pad::Constant(0.into())`.
    Constant(Arg<'a>),
    /// The nearest element.
    Edge,
    /// The elements mirrored, with the last one as the mirror.
    Reflect,
    /// The elements mirrored, the last one included.
    Symmetric,
    /// The elements from the other end.
    Wrap,
}

/// Copies with elements in other places. They work in the thread's current stream, and fail with
/// `SHAPE`, `ARGUMENT` for what is negative and must not be, `AXIS`, `OUT_OF_MEMORY`, `DRIVER`, and
/// compile errors.
impl<T: Content> Array<T> {
    /// The array as a whole, so many times along each axis: `x.tile([2, 3])`.
    ///
    /// # Errors
    /// As all of these.
    pub fn tile(&self, times: impl Into<Shape>) -> Result<Array<T>> {
        let times = times.into();
        let times = times.extents()?;
        let count = times.len() as i32;
        Results::make(|out, _| unsafe {
            sys::gpuarr_tile(out, self.as_ptr(), count, times.as_ptr(), ptr::null_mut())
        })
    }

    /// Each index of an axis so many times, one behind the other.
    ///
    /// # Errors
    /// As all of these.
    pub fn repeat(&self, count: i64, axis: i32) -> Result<Array<T>> {
        Results::make(|out, _| unsafe {
            sys::gpuarr_repeat(out, self.as_ptr(), count, axis, ptr::null_mut())
        })
    }

    /// Each index of an axis as often as an array says: a count for each, or one for all. It waits,
    /// since the shape depends on the counts.
    ///
    /// # Errors
    /// As all of these; `UNSUPPORTED` in a stream that is captured.
    pub fn repeat_each<I>(&self, counts: &Array<I>, axis: i32) -> Result<Array<T>> {
        Results::make(|out, _| unsafe {
            let (x, counts) = (self.as_ptr(), counts.as_ptr());
            sys::gpuarr_repeat_each(out, x, counts, axis, ptr::null_mut())
        })
    }

    /// Elements shifted along axes; those that leave at one end come in at the other:
    /// `x.roll(1, 0)`, `x.roll([1, -2], [0, 1])`.
    ///
    /// # Errors
    /// As all of these; `ARGUMENT` unless there is a shift for each axis.
    pub fn roll(&self, shifts: impl Into<Shape>, axes: impl Into<Axes>) -> Result<Array<T>> {
        let (shifts, axes) = (shifts.into(), axes.into());
        let (shifts, (axes, count, _)) = (shifts.extents()?, axes.parts()?);
        if shifts.len() as i32 != count {
            let message = format!("{} shifts; one for each axis of the list", shifts.len());
            return Err(Error::new(Status::ARGUMENT, message));
        }
        Results::make(|out, _| unsafe {
            let (x, shifts) = (self.as_ptr(), shifts.as_ptr());
            sys::gpuarr_roll(out, x, count, shifts, axes, ptr::null_mut())
        })
    }

    /// A border, so wide before and behind each axis: `x.pad(&[(1, 1), (0, 2)], Pad::Edge)`.
    ///
    /// # Errors
    /// As all of these; `ARGUMENT` unless there is a pair for each axis; `DTYPE` for a value that
    /// the type cannot hold.
    pub fn pad(&self, widths: &[(i64, i64)], with: Pad<'_>) -> Result<Array<T>> {
        if widths.len() != self.ndim() {
            let message = format!("{} pairs of widths for {} axes", widths.len(), self.ndim());
            return Err(Error::new(Status::ARGUMENT, message));
        }
        let (before, after): (Vec<i64>, Vec<i64>) = widths.iter().copied().unzip();
        let (mode, value) = match with {
            Pad::Constant(value) => (sys::GPUARR_PAD_CONSTANT, value),
            Pad::Edge => (sys::GPUARR_PAD_EDGE, Arg::scalar(false)),
            Pad::Reflect => (sys::GPUARR_PAD_REFLECT, Arg::scalar(false)),
            Pad::Symmetric => (sys::GPUARR_PAD_SYMMETRIC, Arg::scalar(false)),
            Pad::Wrap => (sys::GPUARR_PAD_WRAP, Arg::scalar(false)),
        };
        Results::make(|out, _| unsafe {
            let (x, before, after) = (self.as_ptr(), before.as_ptr(), after.as_ptr());
            sys::gpuarr_pad(out, x, before, after, mode, value.raw(), ptr::null_mut())
        })
    }

    /// The elements on and above a diagonal of the last two axes, and 0 below it.
    ///
    /// # Errors
    /// As all of these.
    pub fn triu(&self, k: i64) -> Result<Array<T>> {
        Results::make(|out, _| unsafe { sys::gpuarr_triu(out, self.as_ptr(), k, ptr::null_mut()) })
    }

    /// The elements on and below a diagonal of the last two axes, and 0 above it.
    ///
    /// # Errors
    /// As all of these.
    pub fn tril(&self, k: i64) -> Result<Array<T>> {
        Results::make(|out, _| unsafe { sys::gpuarr_tril(out, self.as_ptr(), k, ptr::null_mut()) })
    }

    /// A square matrix with the elements of an axis on a diagonal, and 0 elsewhere. The other way,
    /// [`Array::diagonal`] is a view.
    ///
    /// # Errors
    /// As all of these.
    pub fn diag(&self, k: i64) -> Result<Array<T>> {
        Results::make(|out, _| unsafe { sys::gpuarr_diag(out, self.as_ptr(), k, ptr::null_mut()) })
    }
}

/// Views from another side. Nothing is copied.
impl<T> Array<T> {
    /// Axes from their other end; [`ALL`](crate::ALL) for all of them.
    ///
    /// # Errors
    /// `AXIS`.
    pub fn flip(&self, axes: impl Into<Axes>) -> Result<Array<T>> {
        let axes = axes.into();
        let (list, count, _) = axes.parts()?;
        object(|out| unsafe { sys::gpuarr_flip(out, self.as_ptr(), count.max(0), list) })
            .map(Array::own)
    }

    /// The plane of two axes turned by quarters, from the first axis towards the second.
    ///
    /// # Errors
    /// `AXIS`.
    pub fn rot90(&self, turns: i32, axis1: i32, axis2: i32) -> Result<Array<T>> {
        object(|out| unsafe { sys::gpuarr_rot90(out, self.as_ptr(), turns, axis1, axis2) })
            .map(Array::own)
    }
}

impl Device {
    /// A matrix of ones on and below diagonal `k`, and zeros above it.
    ///
    /// # Errors
    /// As [`Device::eye`].
    pub fn tri<T: Element>(&self, shape: impl Into<Shape>, k: i64) -> Result<Array<T>> {
        let shape = shape.into();
        let ((rows, columns), order) = (shape.matrix()?, new_order(&shape));
        let (dtype, stream) = (T::DTYPE.code(), ptr::null_mut());
        Results::make(|out, _| unsafe {
            sys::gpuarr_tri(out, self.as_ptr(), dtype, rows, columns, k, order, stream)
        })
    }
}
