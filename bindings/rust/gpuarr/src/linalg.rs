//! Products of matrices and vectors, traces, norms.
use std::ptr;

use gpuarr_sys as sys;

use crate::array::Array;
use crate::element::Content;
use crate::error::{c_text, check, Result};
use crate::evaluate::Formula;
use crate::expr::Expr;
use crate::outputs::Results;
use crate::promote::Join;
use crate::shape::{Axes, ALL};
use crate::stream::Stream;

/// Which norm of matrices [`Array::matrix_norm`] computes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MatrixNorm {
    /// Root of the sum of the squares of all elements.
    Frobenius,
    /// Largest sum of absolute values of a column.
    One,
    /// Smallest of these.
    MinusOne,
    /// Greatest singular value.
    Two,
    /// Least singular value.
    MinusTwo,
    /// Sum of the singular values.
    Nuclear,
    /// Largest sum of absolute values of a row.
    Infinity,
    /// Smallest of these.
    MinusInfinity,
}

impl MatrixNorm {
    fn code(self) -> i32 {
        match self {
            MatrixNorm::Frobenius => sys::GPUARR_NORM_FRO,
            MatrixNorm::One => sys::GPUARR_NORM_1,
            MatrixNorm::MinusOne => sys::GPUARR_NORM_MINUS_1,
            MatrixNorm::Two => sys::GPUARR_NORM_2,
            MatrixNorm::MinusTwo => sys::GPUARR_NORM_MINUS_2,
            MatrixNorm::Nuclear => sys::GPUARR_NORM_NUC,
            MatrixNorm::Infinity => sys::GPUARR_NORM_INF,
            MatrixNorm::MinusInfinity => sys::GPUARR_NORM_MINUS_INF,
        }
    }
}

/// Pairs of axes that [`Array::tensordot`] adds up along: a number, of the last axes of the left
/// array and the first of the right one, or a list for each: `([0, 1], [1, 0])`.
#[derive(Clone, Copy, Debug)]
pub struct Pairs {
    count: i32,
    lists: Option<(Axes, Axes)>,
}

impl From<i32> for Pairs {
    fn from(count: i32) -> Pairs {
        Pairs { count, lists: None }
    }
}

impl<const N: usize> From<([i32; N], [i32; N])> for Pairs {
    fn from((x, y): ([i32; N], [i32; N])) -> Pairs {
        Pairs { count: N as i32, lists: Some((x.into(), y.into())) }
    }
}

/// How products are computed, where the methods of [`Array`] of the same names do not say it all:
/// in a stream, with less precision, into a given array.
#[derive(Clone, Copy, Debug, Default)]
#[must_use = "nothing is computed yet"]
pub struct Product<'a> {
    flags: i32,
    stream: Option<&'a Stream>,
}

impl<'a> Product<'a> {
    /// Products with full precision, in the thread's current stream.
    pub fn new() -> Product<'a> {
        Product::default()
    }

    /// The same, where `f32` and `Complex<f32>` may be rounded to 10 bits of fraction before they
    /// are multiplied, if the GPU is faster for it.
    pub fn tf32(self) -> Product<'a> {
        Product { flags: self.flags | sys::GPUARR_MATMUL_TF32, ..self }
    }

    /// The same in a stream.
    pub fn on(self, stream: &'a Stream) -> Product<'a> {
        Product { stream: Some(stream), ..self }
    }

    fn stream(&self) -> *mut sys::gpuarr_stream {
        self.stream.map_or(ptr::null_mut(), Stream::as_ptr)
    }

    /// As [`Array::matmul`].
    ///
    /// # Errors
    /// As [`Array::matmul`].
    pub fn matmul<T: Join<U>, U: Content>(
        &self,
        x: &Array<T>,
        y: &Array<U>,
    ) -> Result<Array<T::Output>> {
        Results::make(|out, _| unsafe {
            sys::gpuarr_matmul(out, x.as_ptr(), y.as_ptr(), self.flags, self.stream())
        })
    }

    /// As [`Array::matmul`], into an array of the result's shape and type, which may share memory
    /// with the others.
    ///
    /// # Errors
    /// As [`Array::matmul`].
    pub fn matmul_into<T: Join<U>, U: Content>(
        &self,
        x: &Array<T>,
        y: &Array<U>,
        out: &mut Array<T::Output>,
    ) -> Result<()> {
        let (x, y, flags) = (x.as_ptr(), y.as_ptr(), self.flags);
        check(unsafe { sys::gpuarr_matmul(&mut out.as_ptr(), x, y, flags, self.stream()) })
    }

    /// As [`Array::inner`].
    ///
    /// # Errors
    /// As [`Array::tensordot`].
    pub fn inner<T: Join<U>, U: Content>(
        &self,
        x: &Array<T>,
        y: &Array<U>,
    ) -> Result<Array<T::Output>> {
        Results::make(|out, _| unsafe {
            sys::gpuarr_inner(out, x.as_ptr(), y.as_ptr(), self.flags, self.stream())
        })
    }

    /// As [`Array::tensordot`].
    ///
    /// # Errors
    /// As [`Array::tensordot`].
    pub fn tensordot<T: Join<U>, U: Content>(
        &self,
        x: &Array<T>,
        y: &Array<U>,
        pairs: impl Into<Pairs>,
    ) -> Result<Array<T::Output>> {
        let Pairs { count, lists } = pairs.into();
        let (x_axes, y_axes) = lists.unwrap_or((ALL, ALL)); // for which parts() gives null
        let ((x_axes, ..), (y_axes, ..)) = (x_axes.parts()?, y_axes.parts()?);
        Results::make(|out, _| unsafe {
            let (x, y) = (x.as_ptr(), y.as_ptr());
            sys::gpuarr_tensordot(out, x, y, x_axes, y_axes, count, self.flags, self.stream())
        })
    }

    /// As [`einsum`].
    ///
    /// # Errors
    /// As [`einsum`].
    pub fn einsum<T: Join<U>, U: Content>(
        &self,
        subscripts: &str,
        x: &Array<T>,
        y: &Array<U>,
    ) -> Result<Array<T::Output>> {
        let text = c_text("subscripts", subscripts)?;
        Results::make(|out, _| unsafe {
            let (x, y) = (x.as_ptr(), y.as_ptr());
            sys::gpuarr_einsum(out, text.as_ptr(), x, y, self.flags, self.stream())
        })
    }

    /// As [`Array::matrix_power`].
    ///
    /// # Errors
    /// As [`Array::matrix_power`].
    pub fn matrix_power<T: Content>(&self, x: &Array<T>, n: i64) -> Result<Array<T>> {
        Results::make(|out, _| unsafe {
            sys::gpuarr_matrix_power(out, x.as_ptr(), n, self.flags, self.stream())
        })
    }
}

/// Adds up products along axes that are named by letters: `einsum("ij,jk->ik", &x, &y)` is the
/// product of matrices, `"...i,...i"` a product along the last axis. Letters that the result does
/// not have are added up; without `->` it has those that are there once, in the alphabet's order.
///
/// # Errors
/// As [`Array::tensordot`], and `SYNTAX` with the place.
pub fn einsum<T: Join<U>, U: Content>(
    subscripts: &str,
    x: &Array<T>,
    y: &Array<U>,
) -> Result<Array<T::Output>> {
    Product::new().einsum(subscripts, x, y)
}

/// As [`einsum`], of one array: `"ii->i"` is a diagonal, `"ij->j"` the sums along axis 0, in the
/// elements' own type.
///
/// # Errors
/// As [`einsum`].
pub fn einsum_of<T: Content>(subscripts: &str, x: &Array<T>) -> Result<Array<T>> {
    let text = c_text("subscripts", subscripts)?;
    Results::make(|out, _| unsafe {
        let none = ptr::null_mut();
        sys::gpuarr_einsum(out, text.as_ptr(), x.as_ptr(), none, 0, ptr::null_mut())
    })
}

impl<T: Content> Expr<T> {
    /// The product of matrices, as [`Array::matmul`], in an expression: what is multiplied is
    /// computed before, unless it is an array or a view of one, and what is made of the product is
    /// another kernel. `Expr::from(&x).matmul(&w)` is that of arrays.
    #[track_caller]
    pub fn matmul<F: Formula>(&self, y: F) -> Expr<<T as Join<F::Content>>::Output>
    where
        T: Join<F::Content>,
    {
        Expr::of(self.node.clone().matmul(y.node()))
    }
}

/// Products of matrices, which are in the last two axes; those before them are a stack's. Types
/// join as for [`Operand`](crate::Operand). They use the system's BLAS on the CPU and cuBLAS on a
/// GPU, and fail with `SHAPE`, `BROADCAST`, `DEVICE`, `OUT_OF_MEMORY`, `DRIVER`, and with
/// `NO_LIBRARY` where that is missing. [`Product`] has more ways to compute them.
impl<T: Content> Array<T> {
    /// The product of matrices, or of stacks of them that broadcast together, `x @ y` in Python. An
    /// array of one axis is a row on the left and a column on the right. 16-bit floats are added up
    /// as `f32`; integers wrap around.
    ///
    /// # Errors
    /// As all of these.
    pub fn matmul<U: Content>(&self, y: &Array<U>) -> Result<Array<T::Output>>
    where
        T: Join<U>,
    {
        Product::new().matmul(self, y)
    }

    /// The sum of the products with another array's elements, where those of this one are
    /// conjugated. It needs no BLAS.
    ///
    /// # Errors
    /// As [`Array::dot`], which conjugates nothing.
    pub fn vdot<U: Content>(&self, y: &Array<U>) -> Result<Array<T::Output>>
    where
        T: Join<U>,
    {
        Results::make(|out, _| unsafe {
            sys::gpuarr_vdot(out, self.as_ptr(), y.as_ptr(), ptr::null_mut())
        })
    }

    /// Sums of products along the last axis of both. The result has the other axes of this one,
    /// then those of the other.
    ///
    /// # Errors
    /// As all of these.
    pub fn inner<U: Content>(&self, y: &Array<U>) -> Result<Array<T::Output>>
    where
        T: Join<U>,
    {
        Product::new().inner(self, y)
    }

    /// The product of every element of this array with every one of another, as a matrix.
    ///
    /// # Errors
    /// As [`Array::multiply`].
    pub fn outer<U: Content>(&self, y: &Array<U>) -> Result<Array<T::Output>>
    where
        T: Join<U>,
    {
        Results::make(|out, _| unsafe {
            sys::gpuarr_outer(out, self.as_ptr(), y.as_ptr(), ptr::null_mut())
        })
    }

    /// The Kronecker product: a block, another array times an element, in the place of each.
    ///
    /// # Errors
    /// As [`Array::multiply`]; `SHAPE` for more than 16 axes.
    pub fn kron<U: Content>(&self, y: &Array<U>) -> Result<Array<T::Output>>
    where
        T: Join<U>,
    {
        Results::make(|out, _| unsafe {
            sys::gpuarr_kron(out, self.as_ptr(), y.as_ptr(), ptr::null_mut())
        })
    }

    /// Sums of products along pairs of axes: `x.tensordot(&y, 2)`, or `x.tensordot(&y, ([0],
    /// [1]))`. The result has the axes of this array that are left, then those of the other.
    ///
    /// # Errors
    /// As all of these, and `AXIS`.
    pub fn tensordot<U: Content>(
        &self,
        y: &Array<U>,
        pairs: impl Into<Pairs>,
    ) -> Result<Array<T::Output>>
    where
        T: Join<U>,
    {
        Product::new().tensordot(self, y, pairs)
    }

    /// Square matrices multiplied by themselves `n` times; 0 gives the identity. Below 0 it is the
    /// inverse that is multiplied, and the call waits; integers have to be made `f64` before.
    ///
    /// # Errors
    /// As all of these, and `SINGULAR`.
    pub fn matrix_power(&self, n: i64) -> Result<Array<T>> {
        Product::new().matrix_power(self, n)
    }

    /// Sums of a diagonal of the first two axes: 0 is the main one, above it positive. Of other
    /// axes, [`Array::diagonal`] has a diagonal to add up.
    ///
    /// # Errors
    /// As [`Array::sum`].
    pub fn trace(&self, offset: i64) -> Result<Array<T::Sum>> {
        Results::make(|out, _| unsafe {
            sys::gpuarr_trace(out, self.as_ptr(), offset, 0, 1, ptr::null_mut())
        })
    }

    /// Norms of the matrices in the last two axes.
    ///
    /// # Errors
    /// As [`Array::min`]; for those by singular values as [`Array::svdvals`].
    pub fn matrix_norm(&self, norm: MatrixNorm) -> Result<Array<T::Real>> {
        Results::make(|out, _| unsafe {
            sys::gpuarr_matrix_norm(out, self.as_ptr(), norm.code(), 0, ptr::null_mut())
        })
    }
}
