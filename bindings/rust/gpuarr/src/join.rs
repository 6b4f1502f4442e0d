//! Arrays joined, cut, and brought to one shape.
use std::ptr::{self, NonNull};

use gpuarr_sys as sys;

use crate::array::Array;
use crate::element::Content;
use crate::error::{check, Error, Result, Status};
use crate::outputs::Results;

/// C's list of arrays; an [`Array`] is a pointer, and so a list of them could be one. Of references
/// it has to be made.
fn list<T>(arrays: &[&Array<T>]) -> Vec<*const sys::gpuarr_array> {
    arrays.iter().map(|array| array.as_ptr() as *const _).collect()
}

/// How many there are, in C.
fn length<T>(slice: &[T]) -> i32 {
    i32::try_from(slice.len()).unwrap_or(i32::MAX)
}

/// The arrays that a call makes, so many of them.
pub(crate) fn several<T>(
    count: usize,
    call: impl FnOnce(*mut *mut sys::gpuarr_array) -> i32,
) -> Result<Vec<Array<T>>> {
    let mut out = vec![ptr::null_mut(); count];
    check(call(out.as_mut_ptr()))?;
    let arrays: Option<Vec<_>> =
        out.into_iter().map(|raw| NonNull::new(raw).map(Array::own)).collect();
    arrays.ok_or_else(|| Error::new(Status::INTERNAL, "a call succeeded and left out an array"))
}

/// Which axis the first two arrays of [`meshgrid`] lie along.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Indexing {
    /// The first along axis 1, the second along axis 0, as in pictures.
    Xy,
    /// Each along the axis of its number, as in matrices.
    Ij,
}

/// Joins arrays one behind the other along an axis that they have: `concatenate(&[&x, &y], 0)`.
///
/// # Errors
/// `ARGUMENT` for no arrays, `AXIS`, `SHAPE`, `DEVICE`, `OUT_OF_MEMORY`, `DRIVER`, and what
/// compiling may give.
pub fn concatenate<T: Content>(arrays: &[&Array<T>], axis: i32) -> Result<Array<T>> {
    let (list, count) = (list(arrays), length(arrays));
    Results::make(|out, _| unsafe {
        sys::gpuarr_concatenate(out, list.as_ptr(), count, axis, ptr::null_mut())
    })
}

/// Joins arrays of one shape along a new axis, whose place in the result is given.
///
/// # Errors
/// As [`concatenate`].
pub fn stack<T: Content>(arrays: &[&Array<T>], axis: i32) -> Result<Array<T>> {
    let (list, count) = (list(arrays), length(arrays));
    Results::make(|out, _| unsafe {
        sys::gpuarr_stack(out, list.as_ptr(), count, axis, ptr::null_mut())
    })
}

/// Views of arrays with the one shape that they broadcast to.
///
/// # Errors
/// `BROADCAST`, `SHAPE`.
pub fn broadcast_arrays<T>(arrays: &[&Array<T>]) -> Result<Vec<Array<T>>> {
    let (list, count) = (list(arrays), length(arrays));
    several(arrays.len(), |out| unsafe { sys::gpuarr_broadcast_arrays(out, list.as_ptr(), count) })
}

/// The coordinates of a grid's points, by views that repeat those along each axis.
///
/// # Errors
/// `SHAPE` for arrays of more than one axis, `ARGUMENT` for too many.
pub fn meshgrid<T>(arrays: &[&Array<T>], indexing: Indexing) -> Result<Vec<Array<T>>> {
    let (list, count) = (list(arrays), length(arrays));
    let indexing = match indexing {
        Indexing::Xy => sys::GPUARR_INDEXING_XY,
        Indexing::Ij => sys::GPUARR_INDEXING_IJ,
    };
    several(arrays.len(), |out| unsafe {
        sys::gpuarr_meshgrid(out, list.as_ptr(), count, indexing)
    })
}

/// Arrays cut into views.
impl<T> Array<T> {
    /// Equal sections along an axis.
    ///
    /// # Errors
    /// `AXIS`; `SHAPE` if the extent does not divide by their number, `ARGUMENT` for none.
    pub fn split(&self, sections: usize, axis: i32) -> Result<Vec<Array<T>>> {
        let most = self.shape().iter().copied().max().unwrap_or(0).max(1) as usize;
        if sections > most {
            let message = format!("{} sections; the longest axis has {}", sections, most);
            return Err(Error::new(Status::SHAPE, message));
        }
        let count = i32::try_from(sections).unwrap_or(i32::MAX);
        several(count as usize, |out| unsafe { sys::gpuarr_split(out, count, self.as_ptr(), axis) })
    }

    /// The sections along an axis that begin at indices, and the one before the first of these.
    ///
    /// # Errors
    /// `AXIS`.
    pub fn split_at(&self, indices: &[i64], axis: i32) -> Result<Vec<Array<T>>> {
        let count = length(indices);
        several(indices.len() + 1, |out| unsafe {
            sys::gpuarr_split_at(out, count, indices.as_ptr(), self.as_ptr(), axis)
        })
    }
}
