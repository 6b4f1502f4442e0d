//! Matrix factorisations: Cholesky, LU, QR, singular values, eigenvalues.
use std::ptr;

use gpuarr_sys as sys;

use crate::array::Array;
use crate::element::Content;
use crate::error::Result;
use crate::outputs::{two, Results};

/// Which triangle of a matrix is read, or is what it has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Triangle {
    /// The diagonal and what is below it.
    Lower,
    /// The diagonal and what is above it.
    Upper,
}

impl Triangle {
    pub(crate) fn upper(self) -> i32 {
        (self == Triangle::Upper) as i32
    }
}

/// Result of [`Array::cholesky`].
#[derive(Clone, Debug)]
pub struct Cholesky<M: Content> {
    /// `l` of `a = l l^H`, or `u` of `a = u^H u`.
    pub factor: Array<M>,
    /// Which of the two it is.
    pub triangle: Triangle,
}

/// Result of [`Array::lu`]: `a[i] = (l u)[p[i]]`.
#[derive(Clone, Debug)]
pub struct Lu<M: Content> {
    /// Which row of `l u` each row is.
    pub p: Array<i64>,
    /// Lower triangles with ones on the diagonal.
    pub l: Array<M>,
    /// Upper triangles.
    pub u: Array<M>,
}

/// Result of [`Array::lu_factor`], to solve equations with.
#[derive(Clone, Debug)]
pub struct LuFactor<M: Content> {
    /// Both triangles in one matrix, the lower one without its ones.
    pub lu: Array<M>,
    /// Row `k` was exchanged with row `pivots[k]`, one after the other.
    pub pivots: Array<i32>,
}

/// Result of [`Array::qr`]: `a = q r`.
#[derive(Clone, Debug)]
pub struct Qr<M: Content> {
    /// Orthonormal columns.
    pub q: Array<M>,
    /// Upper triangles.
    pub r: Array<M>,
}

/// Result of [`Array::svd`]: `a = u diag(s) vh`.
#[derive(Clone, Debug)]
pub struct Svd<M: Content> {
    /// Left singular vectors, in columns.
    pub u: Array<M>,
    /// Singular values in descending order.
    pub s: Array<M::Real>,
    /// Right singular vectors, conjugated, in rows.
    pub vh: Array<M>,
}

/// Result of [`Array::eigh`]: `a v = v diag(w)`.
#[derive(Clone, Debug)]
pub struct Eigh<M: Content> {
    /// Eigenvalues in ascending order.
    pub w: Array<M::Real>,
    /// Eigenvectors, in columns.
    pub v: Array<M>,
}

/// Result of [`Array::eig`]: `a v = v diag(w)`.
#[derive(Clone, Debug)]
pub struct Eig<M: Content> {
    /// Eigenvalues, in LAPACK's order.
    pub w: Array<M::Complex>,
    /// Eigenvectors of length 1, in columns.
    pub v: Array<M::Complex>,
}

/// No codes are requested: calls wait for their work, and fail if a matrix cannot be
/// apart.
const NO_INFO: *mut *mut sys::gpuarr_array = ptr::null_mut();

/// Matrix factorisations. They are in the last two axes, in any layout; those before them are a
/// stack's, of which each is. Elements are `f32`, `f64` or complex; integers are computed in
/// `f64`, and 16-bit floats are refused (`DTYPE`). The work is LAPACK's on the CPU and cuSOLVER's
/// on a GPU (`NO_LIBRARY` where that is missing), which the calls wait for, but those of LU and QR.
/// All fail with `SHAPE` (fewer than two axes; not square where they must be), `OUT_OF_MEMORY`,
/// `DRIVER`, and compile errors.
impl<T: Content> Array<T> {
    /// Factorises positive definite matrices, of which one triangle is read.
    ///
    /// # Errors
    /// As all of these; `NOT_POSITIVE_DEFINITE`, with the minor that is not.
    pub fn cholesky(&self, triangle: Triangle) -> Result<Cholesky<T::Mean>> {
        let factor = Results::make(|out, _| unsafe {
            let (a, stream) = (self.as_ptr(), ptr::null_mut());
            sys::gpuarr_cholesky(out, a, triangle.upper(), NO_INFO, stream)
        })?;
        Ok(Cholesky { factor, triangle })
    }

    /// Factorises matrices with rows exchanged so that elements of `l` are small. A singular matrix
    /// is no error: it has zeros on the diagonal of `u`.
    ///
    /// # Errors
    /// As all of these.
    pub fn lu(&self) -> Result<Lu<T::Mean>> {
        let (p, l, u) = Results::make(|out, _| {
            let ((p, l), u) = (two(out), out.wrapping_add(2));
            unsafe { sys::gpuarr_lu(p, l, u, self.as_ptr(), ptr::null_mut()) }
        })?;
        Ok(Lu { p, l, u })
    }

    /// As [`Array::lu`], in a form that solves equations: [`LuFactor::solve`].
    ///
    /// # Errors
    /// As all of these; `SINGULAR`.
    pub fn lu_factor(&self) -> Result<LuFactor<T::Mean>> {
        let (lu, pivots) = Results::make(|out, _| {
            let (lu, pivots) = two(out);
            let (a, stream) = (self.as_ptr(), ptr::null_mut());
            unsafe { sys::gpuarr_lu_factor(lu, pivots, a, NO_INFO, stream) }
        })?;
        Ok(LuFactor { lu, pivots })
    }

    fn qr_of(&self, complete: i32) -> Result<Qr<T::Mean>> {
        let (q, r) = Results::make(|out, _| {
            let (q, r) = two(out);
            unsafe { sys::gpuarr_qr(q, r, self.as_ptr(), complete, ptr::null_mut()) }
        })?;
        Ok(Qr { q, r })
    }

    /// Factorises matrices of shape (m, n) as `q` of shape (m, k) and `r` of shape (k, n), where k
    /// is the lesser of the two. Elements on the diagonal of `r` may be negative.
    ///
    /// # Errors
    /// As all of these.
    pub fn qr(&self) -> Result<Qr<T::Mean>> {
        self.qr_of(0)
    }

    /// As [`Array::qr`], with a square `q`.
    ///
    /// # Errors
    /// As all of these.
    pub fn qr_complete(&self) -> Result<Qr<T::Mean>> {
        self.qr_of(1)
    }

    /// `r` of [`Array::qr`] alone, which is less work.
    ///
    /// # Errors
    /// As all of these.
    pub fn qr_r(&self) -> Result<Array<T::Mean>> {
        Results::make(|out, _| unsafe {
            sys::gpuarr_qr(ptr::null_mut(), out, self.as_ptr(), 0, ptr::null_mut())
        })
    }

    fn svd_of(&self, full: i32) -> Result<Svd<T::Mean>> {
        let (u, s, vh) = Results::make(|out, _| {
            let ((u, s), vh) = (two(out), out.wrapping_add(2));
            unsafe { sys::gpuarr_svd(u, s, vh, self.as_ptr(), full, NO_INFO, ptr::null_mut()) }
        })?;
        Ok(Svd { u, s, vh })
    }

    /// Singular values and vectors: of matrices of shape (m, n), `u` of shape (m, k) and `vh` of
    /// shape (k, n), where k is the lesser of the two.
    ///
    /// # Errors
    /// As all of these; `NOT_FINITE` for an infinity or a NaN, `NO_CONVERGENCE`.
    pub fn svd(&self) -> Result<Svd<T::Mean>> {
        self.svd_of(0)
    }

    /// As [`Array::svd`], with square `u` and `vh`.
    ///
    /// # Errors
    /// As [`Array::svd`].
    pub fn svd_full(&self) -> Result<Svd<T::Mean>> {
        self.svd_of(1)
    }

    /// Singular values alone, in descending order.
    ///
    /// # Errors
    /// As [`Array::svd`].
    pub fn svdvals(&self) -> Result<Array<T::Real>> {
        Results::make(|out, _| unsafe {
            sys::gpuarr_svdvals(out, self.as_ptr(), NO_INFO, ptr::null_mut())
        })
    }

    /// Eigenvalues and eigenvectors of symmetric or Hermitian matrices, of which one triangle is
    /// read.
    ///
    /// # Errors
    /// As [`Array::svd`].
    pub fn eigh(&self, triangle: Triangle) -> Result<Eigh<T::Mean>> {
        let (w, v) = Results::make(|out, _| {
            let (w, v) = two(out);
            let (a, stream) = (self.as_ptr(), ptr::null_mut());
            unsafe { sys::gpuarr_eigh(w, v, a, triangle.upper(), NO_INFO, stream) }
        })?;
        Ok(Eigh { w, v })
    }

    /// The eigenvalues of [`Array::eigh`] alone.
    ///
    /// # Errors
    /// As [`Array::svd`].
    pub fn eigvalsh(&self, triangle: Triangle) -> Result<Array<T::Real>> {
        Results::make(|out, _| unsafe {
            let (a, stream) = (self.as_ptr(), ptr::null_mut());
            sys::gpuarr_eigvalsh(out, a, triangle.upper(), NO_INFO, stream)
        })
    }

    /// Eigenvalues and right eigenvectors of any square matrices, complex also where all are real.
    ///
    /// # Errors
    /// As [`Array::svd`]; on a GPU `NO_LIBRARY` before CUDA 12.6.
    pub fn eig(&self) -> Result<Eig<T::Mean>> {
        let (w, v) = Results::make(|out, _| {
            let (w, v) = two(out);
            unsafe { sys::gpuarr_eig(w, v, self.as_ptr(), NO_INFO, ptr::null_mut()) }
        })?;
        Ok(Eig { w, v })
    }

    /// The eigenvalues of [`Array::eig`] alone.
    ///
    /// # Errors
    /// As [`Array::eig`].
    pub fn eigvals(&self) -> Result<Array<<T::Mean as Content>::Complex>> {
        Results::make(|out, _| unsafe {
            sys::gpuarr_eigvals(out, self.as_ptr(), NO_INFO, ptr::null_mut())
        })
    }
}
