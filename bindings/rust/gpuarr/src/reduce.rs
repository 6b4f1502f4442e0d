//! Ready-made reductions.
use std::ptr;

use gpuarr_sys as sys;

use crate::array::Array;
use crate::element::Content;
use crate::error::{object, Error, Result, Status};
use crate::evaluate::Formula;
use crate::expr::{formulas, Expr};
use crate::node::{name, Node};
use crate::shape::Axes;

macro_rules! reductions {
    ($($name:ident -> $result:ty, $meaning:literal;)*) => {
        formulas! {
            /// Reductions along axes, with NumPy's rules: `x.sum(0)`, `x.sum([0, -1])`,
            /// `x.sum(ALL)`, `x.sum(Axes::keepdims(1))`. They give the same bits for the same
            /// formula. They are `AXIS` for an axis that there is not, and `DTYPE` for the
            /// `logsumexp` of complex numbers.
            {$(#[doc = $meaning]
            #[track_caller]
            pub fn $name(&self, axes: impl Into<Axes>) -> Expr<$result> {
                Expr::of(self.node().reduce(name!($name), axes.into(), 0.0))
            })*}
        }
    };
}

reductions! {
    sum -> T::Sum, "Sums. Whole numbers are added in 64 bits, modulo 2^64; 16-bit floats \
        are added as `f32` and rounded once.";
    prod -> T::Sum, "Products, with the types of [`Array::sum`].";
    nansum -> T::Sum, "Sums in which a NaN counts as 0.";
    mean -> T::Mean, "Means; NaN of no elements.";
    logsumexp -> T::Real, "`log(sum(exp(x)))` in one pass and without overflow; \
        minus infinity of no elements.";
    argmin -> T::Index, "Where the least element is: its number in C order along the \
        axes. The first of equal ones; NaN counts as less than all else. `EMPTY` of no elements.";
    argmax -> T::Index, "Where the greatest element is, otherwise as \
        [`Array::argmin`].";
    count_nonzero -> T::Index, "How many elements are not 0; NaN is not.";
    any -> T::Truth, "Whether any element is not 0; NaN is not. False of no elements.";
    all -> T::Truth, "Whether no element is 0; NaN is not. True of no elements.";
    min -> T, "The minima; NaN if there is one. `EMPTY` of no elements.";
    max -> T, "The maxima; NaN if there is one. `EMPTY` of no elements.";
    nanmin -> T, "The least elements that are no NaN; NaN where all are. `EMPTY` of no elements.";
    nanmax -> T, "The greatest elements that are no NaN; NaN where all are. `EMPTY` of no \
        elements.";
}

formulas! {
    /// Reductions with a number of their own.
    {
        /// Variances: the sum of squared distances from the mean over the number of elements less
        /// `ddof`, which is 1 for the unbiased estimate from a sample. `ARGUMENT` for one that is
        /// not finite.
        #[track_caller]
        pub fn var(&self, ddof: f64, axes: impl Into<Axes>) -> Expr<T::Real> {
            Expr::of(self.node().reduce(name!(var), axes.into(), ddof))
        }

        /// Standard deviations: the roots of variances.
        #[track_caller]
        pub fn std(&self, ddof: f64, axes: impl Into<Axes>) -> Expr<T::Real> {
            Expr::of(self.node().reduce(name!(std), axes.into(), ddof))
        }

        /// Norms: `ord` is 1 for the sum of absolute values, 2 for the root of the sum of their
        /// squares, `f64::INFINITY` for the largest, else `ARGUMENT`. Squares are not scaled.
        #[track_caller]
        pub fn norm(&self, ord: f64, axes: impl Into<Axes>) -> Expr<T::Real> {
            Expr::of(norm(self.node(), ord, axes.into()))
        }
    }
}

#[track_caller]
fn norm(x: Node, ord: f64, axes: Axes) -> Node {
    let name = match ord {
        _ if ord == 1.0 => name!(norm_1),
        _ if ord == 2.0 => name!(norm_2),
        _ if ord == f64::INFINITY => name!(norm_inf),
        _ => {
            let message = format!("norm: ord is {}; give 1, 2 or f64::INFINITY", ord);
            return x.or_failed(Error::new(Status::ARGUMENT, message));
        }
    };
    x.reduce(name, axes, 0.0)
}

impl<T: Content> Array<T> {
    /// The sum of the products with another array's elements, at once, as an array without axes.
    /// Nothing is conjugated.
    ///
    /// # Errors
    /// `SHAPE` or `DTYPE` if the other one's is not the same; `OUT_OF_MEMORY`, `DRIVER`, and
    /// compile errors.
    pub fn dot(&self, other: &Array<T>) -> Result<Array<T::Sum>> {
        object(|out| unsafe {
            sys::gpuarr_dot(out, self.as_ptr(), other.as_ptr(), ptr::null_mut())
        })
        .map(Array::own)
    }
}
