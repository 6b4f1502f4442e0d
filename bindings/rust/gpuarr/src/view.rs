//! Views: arrays that look at another array's memory. Nothing here copies.
use gpuarr_sys as sys;

use crate::array::Array;
use crate::error::{object, Result};
use crate::expr::Expr;
use crate::shape::{Axes, Shape, Slice};

impl<T> Array<T> {
    /// Some indices of one axis, by Python's rules: `x.slice(0, 2..5)`, `x.slice(-1, ..-1)`,
    /// `x.slice(1, Slice::step(.., 2))`.
    ///
    /// # Errors
    /// `AXIS`; `ARGUMENT` for a step of 0.
    ///
    /// ```
    /// use gpuarr::{Array, Slice};
    /// # fn main() -> gpuarr::Result<()> {
    /// let x = Array::from_slice(&[0, 1, 2, 3, 4, 5], 6)?;
    /// assert_eq!(x.slice(0, 1..3)?.to_vec()?, [1, 2]);
    /// assert_eq!(x.slice(0, Slice::step(.., -2))?.to_vec()?, [5, 3, 1]);
    /// assert_eq!(x.reshape([2, -1])?.transpose()?.shape(), [3, 2]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn slice(&self, axis: i32, range: impl Into<Slice>) -> Result<Array<T>> {
        let Slice { start, stop, step } = range.into();
        object(|out| unsafe {
            sys::gpuarr_array_slice(out, self.as_ptr(), axis, start, stop, step)
        })
        .map(Array::own)
    }

    /// One index of an axis, which goes away; a negative one counts from the end.
    ///
    /// # Errors
    /// `AXIS` if the axis or the index is out of range.
    pub fn select(&self, axis: i32, index: i64) -> Result<Array<T>> {
        object(|out| unsafe { sys::gpuarr_array_select(out, self.as_ptr(), axis, index) })
            .map(Array::own)
    }

    /// All axes in reverse.
    ///
    /// # Errors
    /// None that is known.
    pub fn transpose(&self) -> Result<Array<T>> {
        self.permute(crate::ALL)
    }

    /// The axes in another order: axis `i` of the view is axis `axes[i]` of the array.
    ///
    /// # Errors
    /// `AXIS`, `ARGUMENT` unless each axis is there once.
    pub fn permute(&self, axes: impl Into<Axes>) -> Result<Array<T>> {
        let axes = axes.into();
        let (list, count, _) = axes.parts()?;
        object(|out| unsafe { sys::gpuarr_array_transpose(out, self.as_ptr(), count.max(0), list) })
            .map(Array::own)
    }

    /// The elements, in C order of their indices, through another shape, of which one extent may be
    /// -1 and is worked out.
    ///
    /// # Errors
    /// `SHAPE` if the size is another, or the strides allow no such view: [`Array::copy`] it first.
    pub fn reshape(&self, shape: impl Into<Shape>) -> Result<Array<T>> {
        let shape = shape.into();
        let extents = shape.extents()?;
        object(|out| unsafe {
            let ndim = extents.len() as i32;
            sys::gpuarr_array_reshape(out, self.as_ptr(), ndim, extents.as_ptr())
        })
        .map(Array::own)
    }

    /// The array repeated along new axes, which come first, and axes of extent 1, with stride 0. It
    /// cannot be written to.
    ///
    /// # Errors
    /// `BROADCAST`, `SHAPE`.
    pub fn broadcast(&self, shape: impl Into<Shape>) -> Result<Array<T>> {
        let shape = shape.into();
        let extents = shape.extents()?;
        object(|out| unsafe {
            let ndim = extents.len() as i32;
            sys::gpuarr_array_broadcast(out, self.as_ptr(), ndim, extents.as_ptr())
        })
        .map(Array::own)
    }

    /// The array without some axes of extent 1; [`ALL`](crate::ALL) is all of that extent.
    ///
    /// # Errors
    /// `AXIS`; `SHAPE` if the extent is not 1.
    pub fn squeeze(&self, axes: impl Into<Axes>) -> Result<Array<T>> {
        let axes = axes.into();
        let (list, count, _) = axes.parts()?;
        object(|out| unsafe { sys::gpuarr_array_squeeze(out, self.as_ptr(), count.max(0), list) })
            .map(Array::own)
    }

    /// The array with a new axis of extent 1 at a place.
    ///
    /// # Errors
    /// `AXIS`; `SHAPE` for too many axes.
    pub fn expand(&self, axis: i32) -> Result<Array<T>> {
        object(|out| unsafe { sys::gpuarr_array_expand(out, self.as_ptr(), axis) }).map(Array::own)
    }

    /// The diagonal of two axes, which go away; the diagonal becomes the last axis. `offset` 0 is
    /// the main one, above it positive.
    ///
    /// # Errors
    /// `AXIS`.
    pub fn diagonal(&self, offset: i64, axis1: i32, axis2: i32) -> Result<Array<T>> {
        object(|out| unsafe {
            sys::gpuarr_array_diagonal(out, self.as_ptr(), offset, axis1, axis2)
        })
        .map(Array::own)
    }
}

impl<T> Expr<T> {
    /// The index of each element along an axis, from 0; only the shape of the expression counts.
    #[track_caller]
    pub fn indices(&self, axis: i32) -> Expr<i64> {
        Expr::of(self.node.clone().then(|out, x| unsafe { sys::gpuarr_expr_indices(out, x, axis) }))
    }
}

/// Views of expressions. Those of arrays and of functions of elements cost nothing; that of a
/// reduction's result reads it as it was stored.
impl<T> Expr<T> {
    /// As [`Array::slice`].
    #[track_caller]
    pub fn slice(&self, axis: i32, range: impl Into<Slice>) -> Expr<T> {
        let Slice { start, stop, step } = range.into();
        Expr::of(
            self.node
                .clone()
                .then(|out, x| unsafe { sys::gpuarr_expr_slice(out, x, axis, start, stop, step) }),
        )
    }

    /// As [`Array::select`].
    #[track_caller]
    pub fn select(&self, axis: i32, index: i64) -> Expr<T> {
        let node = self.node.clone();
        Expr::of(node.then(|out, x| unsafe { sys::gpuarr_expr_index(out, x, axis, index) }))
    }

    /// As [`Array::transpose`].
    #[track_caller]
    pub fn transpose(&self) -> Expr<T> {
        self.permute(crate::ALL)
    }

    /// As [`Array::permute`].
    #[track_caller]
    pub fn permute(&self, axes: impl Into<Axes>) -> Expr<T> {
        Expr::of(self.node.clone().then_by(
            axes.into().parts(),
            |out, x, (list, count, _)| unsafe {
                sys::gpuarr_expr_transpose(out, x, count.max(0), list)
            },
        ))
    }

    /// As [`Array::reshape`]. Where no view of the arrays is that, the elements are stored before.
    #[track_caller]
    pub fn reshape(&self, shape: impl Into<Shape>) -> Expr<T> {
        Expr::of(self.node.clone().then_by(shape.into().extents(), |out, x, extents| unsafe {
            sys::gpuarr_expr_reshape(out, x, extents.len() as i32, extents.as_ptr())
        }))
    }

    /// As [`Array::broadcast`].
    #[track_caller]
    pub fn broadcast(&self, shape: impl Into<Shape>) -> Expr<T> {
        Expr::of(self.node.clone().then_by(shape.into().extents(), |out, x, extents| unsafe {
            sys::gpuarr_expr_broadcast(out, x, extents.len() as i32, extents.as_ptr())
        }))
    }

    /// As [`Array::expand`].
    #[track_caller]
    pub fn expand(&self, axis: i32) -> Expr<T> {
        Expr::of(self.node.clone().then(|out, x| unsafe { sys::gpuarr_expr_expand(out, x, axis) }))
    }

    /// As [`Array::flip`].
    #[track_caller]
    pub fn flip(&self, axes: impl Into<Axes>) -> Expr<T> {
        Expr::of(
            self.node.clone().then_by(axes.into().parts(), |out, x, (list, count, _)| unsafe {
                sys::gpuarr_expr_flip(out, x, count.max(0), list)
            }),
        )
    }
}
