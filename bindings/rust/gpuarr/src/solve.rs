//! Systems of linear equations, inverses, determinants.
use std::ptr;

use gpuarr_sys as sys;

use crate::array::Array;
use crate::decompose::{Cholesky, LuFactor, Triangle};
use crate::element::Content;
use crate::error::Result;
use crate::outputs::{two, Results};
use crate::promote::Join;

/// The type that equations with arrays of two types are solved in.
type Solved<T, U> = <<T as Join<U>>::Output as Content>::Mean;

/// How [`Array::solve_triangular`] reads a matrix.
#[derive(Clone, Copy, Debug)]
#[must_use = "equations are solved with it"]
pub struct Triangular {
    triangle: Triangle,
    op: i32,
    unit_diagonal: bool,
}

impl Triangular {
    /// One triangle of it, as it is.
    pub fn new(triangle: Triangle) -> Triangular {
        Triangular { triangle, op: sys::GPUARR_MATRIX_AS_IT_IS, unit_diagonal: false }
    }

    /// The same, transposed before equations are solved.
    pub fn transposed(self) -> Triangular {
        Triangular { op: sys::GPUARR_MATRIX_TRANSPOSED, ..self }
    }

    /// The same, transposed and conjugated before equations are solved.
    pub fn conjugate_transposed(self) -> Triangular {
        Triangular { op: sys::GPUARR_MATRIX_CONJUGATE_TRANSPOSED, ..self }
    }

    /// The same with ones for the diagonal, which is not read.
    pub fn unit_diagonal(self) -> Triangular {
        Triangular { unit_diagonal: true, ..self }
    }
}

/// Result of [`Array::lstsq`].
#[derive(Clone, Debug)]
pub struct Lstsq<M: Content> {
    /// The `x` that makes the norm of `b - a x` least, and of several the least.
    pub x: Array<M>,
    /// Squares of the norms of `b - a x`, whatever the rank is.
    pub residuals: Array<M::Real>,
    /// How many singular values count.
    pub rank: Array<i64>,
    /// Singular values.
    pub s: Array<M::Real>,
}

/// Result of [`Array::slogdet`]: the determinant is `sign * exp(logdet)`.
#[derive(Clone, Debug)]
pub struct Slogdet<M: Content> {
    /// 1, -1, 0, or a complex number of modulus 1.
    pub sign: Array<M>,
    /// Logarithm of the absolute value; minus infinity of 0.
    pub logdet: Array<M::Real>,
}

/// No codes are requested, as in `decompose`.
const NO_INFO: *mut *mut sys::gpuarr_array = ptr::null_mut();

impl<M: Content> Cholesky<M> {
    /// Solves `a x = b` with what `a` was taken apart into; `b` is as for [`Array::solve`].
    ///
    /// # Errors
    /// As [`Array::solve`], but `SINGULAR`.
    pub fn solve<U: Content>(&self, b: &Array<U>) -> Result<Array<Solved<M, U>>>
    where
        M: Join<U>,
    {
        Results::make(|out, _| unsafe {
            let (factor, stream) = (self.factor.as_ptr(), ptr::null_mut());
            sys::gpuarr_cholesky_solve(out, factor, b.as_ptr(), self.triangle.upper(), stream)
        })
    }
}

impl<M: Content> LuFactor<M> {
    fn solve_by<U: Content>(&self, b: &Array<U>, op: i32) -> Result<Array<Solved<M, U>>>
    where
        M: Join<U>,
    {
        Results::make(|out, _| unsafe {
            let (lu, pivots) = (self.lu.as_ptr(), self.pivots.as_ptr());
            sys::gpuarr_lu_solve(out, lu, pivots, b.as_ptr(), op, ptr::null_mut())
        })
    }

    /// Solves `a x = b` with what `a` was taken apart into; `b` is as for [`Array::solve`].
    ///
    /// # Errors
    /// As [`Array::solve`], but `SINGULAR`; `INDEX` for a pivot that is no row.
    pub fn solve<U: Content>(&self, b: &Array<U>) -> Result<Array<Solved<M, U>>>
    where
        M: Join<U>,
    {
        self.solve_by(b, sys::GPUARR_MATRIX_AS_IT_IS)
    }

    /// The same with `a` transposed.
    ///
    /// # Errors
    /// As [`LuFactor::solve`].
    pub fn solve_transposed<U: Content>(&self, b: &Array<U>) -> Result<Array<Solved<M, U>>>
    where
        M: Join<U>,
    {
        self.solve_by(b, sys::GPUARR_MATRIX_TRANSPOSED)
    }

    /// The same with `a` transposed and conjugated.
    ///
    /// # Errors
    /// As [`LuFactor::solve`].
    pub fn solve_conjugate_transposed<U: Content>(
        &self,
        b: &Array<U>,
    ) -> Result<Array<Solved<M, U>>>
    where
        M: Join<U>,
    {
        self.solve_by(b, sys::GPUARR_MATRIX_CONJUGATE_TRANSPOSED)
    }
}

/// Equations of matrices, with the rules of [`Array::svd`] and the like. A right side `b` is one
/// vector, or matrices with a right side in each column.
impl<T: Content> Array<T> {
    /// Solves `a x = b`.
    ///
    /// # Errors
    /// As all of these; `BROADCAST`; `SINGULAR`, with the place on the diagonal that is 0.
    pub fn solve<U: Content>(&self, b: &Array<U>) -> Result<Array<Solved<T, U>>>
    where
        T: Join<U>,
    {
        Results::make(|out, _| unsafe {
            sys::gpuarr_solve(out, self.as_ptr(), b.as_ptr(), NO_INFO, ptr::null_mut())
        })
    }

    /// Solves `a x = b` where `a` is a triangle.
    ///
    /// # Errors
    /// As [`Array::solve`].
    pub fn solve_triangular<U: Content>(
        &self,
        b: &Array<U>,
        how: Triangular,
    ) -> Result<Array<Solved<T, U>>>
    where
        T: Join<U>,
    {
        let (upper, unit) = (how.triangle.upper(), how.unit_diagonal as i32);
        Results::make(|out, _| unsafe {
            let (a, b, stream) = (self.as_ptr(), b.as_ptr(), ptr::null_mut());
            sys::gpuarr_solve_triangular(out, a, b, upper, how.op, unit, NO_INFO, stream)
        })
    }

    /// Finds the `x` that makes the norm of `b - a x` least. Singular values of at most `rcond` of
    /// the greatest count as 0; `None` is the larger extent times the type's precision.
    ///
    /// # Errors
    /// As [`Array::svd`]; `BROADCAST`; `ARGUMENT` for an `rcond` that is NaN.
    pub fn lstsq<U: Content>(
        &self,
        b: &Array<U>,
        rcond: impl Into<Option<f64>>,
    ) -> Result<Lstsq<Solved<T, U>>>
    where
        T: Join<U>,
    {
        let rcond = rcond.into().unwrap_or(-1.0);
        let (x, residuals, rank, s) = Results::make(|out, _| {
            let ((x, residuals), (rank, s)) = (two(out), two(out.wrapping_add(2)));
            let (a, b, stream) = (self.as_ptr(), b.as_ptr(), ptr::null_mut());
            unsafe { sys::gpuarr_lstsq(x, residuals, rank, s, a, b, rcond, NO_INFO, stream) }
        })?;
        Ok(Lstsq { x, residuals, rank, s })
    }

    /// Inverses of square matrices.
    ///
    /// # Errors
    /// As [`Array::solve`].
    pub fn inv(&self) -> Result<Array<T::Mean>> {
        Results::make(|out, _| unsafe {
            sys::gpuarr_inv(out, self.as_ptr(), NO_INFO, ptr::null_mut())
        })
    }

    /// Pseudoinverses, by singular values, with `rcond` as for [`Array::lstsq`].
    ///
    /// # Errors
    /// As [`Array::svd`]; `ARGUMENT` for an `rcond` that is NaN.
    pub fn pinv(&self, rcond: impl Into<Option<f64>>) -> Result<Array<T::Mean>> {
        let rcond = rcond.into().unwrap_or(-1.0);
        Results::make(|out, _| unsafe {
            sys::gpuarr_pinv(out, self.as_ptr(), rcond, NO_INFO, ptr::null_mut())
        })
    }

    /// Determinants. It does not wait, and overflows only if the result does.
    ///
    /// # Errors
    /// As all of these.
    pub fn det(&self) -> Result<Array<T::Mean>> {
        Results::make(|out, _| unsafe { sys::gpuarr_det(out, self.as_ptr(), ptr::null_mut()) })
    }

    /// Signs of determinants, and logarithms of their absolute values. It does not wait.
    ///
    /// # Errors
    /// As all of these.
    pub fn slogdet(&self) -> Result<Slogdet<T::Mean>> {
        let (sign, logdet) = Results::make(|out, _| {
            let (sign, logdet) = two(out);
            unsafe { sys::gpuarr_slogdet(sign, logdet, self.as_ptr(), ptr::null_mut()) }
        })?;
        Ok(Slogdet { sign, logdet })
    }

    /// How many singular values are above a threshold; `None` is the greatest one times the larger
    /// extent times the type's precision.
    ///
    /// # Errors
    /// As [`Array::svd`]; `ARGUMENT` for a threshold that is NaN.
    pub fn matrix_rank(&self, threshold: impl Into<Option<f64>>) -> Result<Array<i64>> {
        let threshold = threshold.into().unwrap_or(-1.0);
        Results::make(|out, _| unsafe {
            sys::gpuarr_matrix_rank(out, self.as_ptr(), threshold, NO_INFO, ptr::null_mut())
        })
    }
}
