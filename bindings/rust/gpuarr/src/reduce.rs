//! Ready-made reductions.
use std::ptr;

use gpuarr_sys as sys;

use crate::array::Array;
use crate::element::Content;
use crate::error::{object, Result};
use crate::shape::Axes;

/// What a reduction without further arguments is in C.
type Reducer = unsafe extern "C" fn(
    *mut *mut sys::gpuarr_array,
    *const sys::gpuarr_array,
    *const i32,
    i32,
    i32,
    *mut sys::gpuarr_stream,
) -> i32;

/// One with a number, as `var` has it.
type NumberReducer = unsafe extern "C" fn(
    *mut *mut sys::gpuarr_array,
    *const sys::gpuarr_array,
    f64,
    *const i32,
    i32,
    i32,
    *mut sys::gpuarr_stream,
) -> i32;

impl<T> Array<T> {
    fn reduced<R>(&self, reducer: Reducer, axes: impl Into<Axes>) -> Result<Array<R>> {
        let axes = axes.into();
        let (list, count, keepdims) = axes.parts()?;
        object(|out| unsafe { reducer(out, self.as_ptr(), list, count, keepdims, ptr::null_mut()) })
            .map(Array::own)
    }

    fn reduced_by<R>(
        &self,
        reducer: NumberReducer,
        by: f64,
        axes: impl Into<Axes>,
    ) -> Result<Array<R>> {
        let axes = axes.into();
        let (list, count, keepdims) = axes.parts()?;
        object(|out| unsafe {
            reducer(out, self.as_ptr(), by, list, count, keepdims, ptr::null_mut())
        })
        .map(Array::own)
    }
}

macro_rules! reductions {
    ($($name:ident = $function:ident -> $result:ident, $meaning:literal;)*) => {
        /// Reductions along axes, with NumPy's rules: `x.sum(0)`, `x.sum([0, -1])`, `x.sum(ALL)`,
        /// `x.sum(Axes::keepdims(1))`. They work in the thread's current stream, give the same bits
        /// for the same call, and compile when first called with a dtype and a kind of layout. All
        /// fail with `AXIS`, `SHAPE`, `OUT_OF_MEMORY`, `DRIVER` and compile errors, and
        /// with `DTYPE` for the `logsumexp` of complex numbers.
        impl<T: Content> Array<T> {
            $(#[doc = $meaning]
            ///
            /// # Errors
            /// As all of these.
            pub fn $name(&self, axes: impl Into<Axes>) -> Result<Array<T::$result>> {
                self.reduced(sys::$function, axes)
            })*
        }
    };
}

reductions! {
    sum = gpuarr_sum -> Sum, "Sums. Whole numbers are added in 64 bits, modulo 2^64; 16-bit floats \
        are added as `f32` and rounded once.";
    prod = gpuarr_prod -> Sum, "Products, with the types of [`Array::sum`].";
    nansum = gpuarr_nansum -> Sum, "Sums in which a NaN counts as 0.";
    mean = gpuarr_mean -> Mean, "Means; NaN of no elements.";
    logsumexp = gpuarr_logsumexp -> Real, "`log(sum(exp(x)))` in one pass and without overflow; \
        minus infinity of no elements.";
    argmin = gpuarr_argmin -> Index, "Where the least element is: its number in C order along the \
        axes. The first of equal ones; NaN counts as less than all else. `EMPTY` of no elements.";
    argmax = gpuarr_argmax -> Index, "Where the greatest element is, otherwise as \
        [`Array::argmin`].";
    count_nonzero = gpuarr_count_nonzero -> Index, "How many elements are not 0; NaN is not.";
    any = gpuarr_any -> Truth, "Whether any element is not 0; NaN is not. False of no elements.";
    all = gpuarr_all -> Truth, "Whether no element is 0; NaN is not. True of no elements.";
}

/// Reductions that keep the type, and such with a number of their own.
impl<T: Content> Array<T> {
    /// The minima; NaN if there is one.
    ///
    /// # Errors
    /// As [`Array::sum`]; `EMPTY` of no elements.
    pub fn min(&self, axes: impl Into<Axes>) -> Result<Array<T>> {
        self.reduced(sys::gpuarr_min, axes)
    }

    /// The maxima; NaN if there is one.
    ///
    /// # Errors
    /// As [`Array::min`].
    pub fn max(&self, axes: impl Into<Axes>) -> Result<Array<T>> {
        self.reduced(sys::gpuarr_max, axes)
    }

    /// The least elements that are no NaN; NaN where all are.
    ///
    /// # Errors
    /// As [`Array::min`].
    pub fn nanmin(&self, axes: impl Into<Axes>) -> Result<Array<T>> {
        self.reduced(sys::gpuarr_nanmin, axes)
    }

    /// The greatest elements that are no NaN; NaN where all are.
    ///
    /// # Errors
    /// As [`Array::min`].
    pub fn nanmax(&self, axes: impl Into<Axes>) -> Result<Array<T>> {
        self.reduced(sys::gpuarr_nanmax, axes)
    }

    /// Variances: the sum of squared distances from the mean over the number of elements less
    /// `ddof`, which is 1 for the unbiased estimate from a sample.
    ///
    /// # Errors
    /// As [`Array::sum`]; `ARGUMENT` for a `ddof` that is not finite.
    pub fn var(&self, ddof: f64, axes: impl Into<Axes>) -> Result<Array<T::Real>> {
        self.reduced_by(sys::gpuarr_var, ddof, axes)
    }

    /// Standard deviations: the roots of [`Array::var`].
    ///
    /// # Errors
    /// As [`Array::var`].
    pub fn std(&self, ddof: f64, axes: impl Into<Axes>) -> Result<Array<T::Real>> {
        self.reduced_by(sys::gpuarr_std, ddof, axes)
    }

    /// Norms: `ord` is 1 for the sum of absolute values, 2 for the root of the sum of their
    /// squares, `f64::INFINITY` for the largest. Squares are not scaled.
    ///
    /// # Errors
    /// As [`Array::sum`]; `ARGUMENT` for another `ord`.
    pub fn norm(&self, ord: f64, axes: impl Into<Axes>) -> Result<Array<T::Real>> {
        self.reduced_by(sys::gpuarr_norm, ord, axes)
    }

    /// The sum of the products with another array's elements, as an array without axes. Nothing is
    /// conjugated.
    ///
    /// # Errors
    /// As [`Array::sum`]; `SHAPE` or `DTYPE` if the other one's is not the same.
    pub fn dot(&self, other: &Array<T>) -> Result<Array<T::Sum>> {
        object(|out| unsafe {
            sys::gpuarr_dot(out, self.as_ptr(), other.as_ptr(), ptr::null_mut())
        })
        .map(Array::own)
    }
}
