//! Reductions of blocked arrays: partial results of blocks, combined in the order of the blocks.
use std::ptr::{self, NonNull};

use gpuarr_sys as sys;

use crate::block_arg::BlockArg;
use crate::blocked::Blocked;
use crate::element::Content;
use crate::error::{c_text, check, Error, Result, Status};
use crate::map_blocks::BlockedOutputs;
use crate::reduction::Reduction;
use crate::shape::Axes;

/// How copies of a replicated array are combined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Combine {
    /// Sums; integers wrap around.
    Sum,
    /// Products.
    Prod,
    /// Minima.
    Min,
    /// Maxima.
    Max,
}

impl<T> Blocked<T> {
    /// Combines the copies that places have of a replicated array, element by element, so that each
    /// has the result: `MPI_Allreduce` in place. Collective.
    ///
    /// # Errors
    /// `ARGUMENT` if it is not replicated, `DTYPE` for minima of complex numbers, `OUT_OF_MEMORY`,
    /// `PEER`, `TIMEOUT`, `MISMATCH`, `DRIVER`.
    pub fn all_reduce(&mut self, combine: Combine) -> Result<()> {
        let how = match combine {
            Combine::Sum => sys::GPUARR_COMBINE_SUM,
            Combine::Prod => sys::GPUARR_COMBINE_PROD,
            Combine::Min => sys::GPUARR_COMBINE_MIN,
            Combine::Max => sys::GPUARR_COMBINE_MAX,
        };
        check(unsafe { sys::gpuarr_all_reduce(self.as_ptr(), how) })
    }

    /// The array for reductions whose partial results may be combined by the devices' own
    /// all-reduce, in an order of its own: sums, products, extremes and means of large results
    /// between GPUs. Elsewhere it changes nothing.
    pub fn fast(&self) -> BlockedReduce<'_, T> {
        BlockedReduce { x: self, flags: sys::GPUARR_REDUCE_FAST }
    }

    fn exact(&self) -> BlockedReduce<'_, T> {
        BlockedReduce { x: self, flags: 0 }
    }

    /// As [`BlockedReduce::reduce_into`].
    ///
    /// # Errors
    /// As [`BlockedReduce::reduce_into`].
    pub fn reduce_into<R>(
        &self,
        name: &str,
        axes: impl Into<Axes>,
        out: &mut Blocked<R>,
    ) -> Result<()> {
        self.exact().reduce_into(name, axes, out)
    }
}

/// An array that is to be reduced in a way: see [`Blocked::fast`].
#[derive(Debug)]
#[must_use = "nothing is reduced yet"]
pub struct BlockedReduce<'a, T> {
    x: &'a Blocked<T>,
    flags: i32,
}

impl<T> BlockedReduce<'_, T> {
    /// Reduces by a name: `"sum"`, `"norm_2"` and all that are methods here. The result goes to an
    /// array of its shape and type, in any blocks. Collective.
    ///
    /// # Errors
    /// As [`Blocked::sum`], `ARGUMENT` for a name that there is not, `SHAPE` and `DTYPE` for
    /// another result.
    pub fn reduce_into<R>(
        &self,
        name: &str,
        axes: impl Into<Axes>,
        out: &mut Blocked<R>,
    ) -> Result<()> {
        self.run(&mut out.as_ptr(), name, 0.0, axes.into())
    }

    fn run(
        &self,
        out: *mut *mut sys::gpuarr_blocked,
        name: &str,
        ddof: f64,
        axes: Axes,
    ) -> Result<()> {
        let name = c_text("name", name)?;
        let (axes, count, keepdims) = axes.parts()?;
        let (x, flags) = (self.x.as_ptr(), self.flags);
        check(unsafe {
            sys::gpuarr_blocked_reduce(out, name.as_ptr(), x, axes, count, keepdims, ddof, flags)
        })
    }

    fn made<R: Content>(&self, name: &str, ddof: f64, axes: Axes) -> Result<Blocked<R>> {
        let mut out = ptr::null_mut();
        self.run(&mut out, name, ddof, axes)?;
        made(out)
    }
}

fn made<R: Content>(raw: *mut sys::gpuarr_blocked) -> Result<Blocked<R>> {
    let raw = NonNull::new(raw).ok_or_else(|| {
        Error::new(Status::INTERNAL, "a reduction succeeded and left out an output")
    })?;
    unsafe { Blocked::from_raw(raw) } // it is the caller's
}

macro_rules! reductions {
    ($($name:ident -> $result:ty, $meaning:literal;)*) => {
        /// Reductions along axes, as those of arrays: `x.sum(0)`, `x.max(ALL)`,
        /// `x.mean(Axes::keepdims(1))`. The result is replicated, in one block on every place. Its
        /// bits depend on the grid of blocks, and neither on the number of places nor on who has
        /// which block. Collective; they fail with `AXIS`, `EMPTY` (no elements), `DTYPE`,
        /// `OUT_OF_MEMORY`, `PEER`, `TIMEOUT`, `MISMATCH`, `DRIVER` and compile errors.
        ///
        /// ```
        /// use gpuarr::{Blocks, Team, ALL};
        /// # fn main() -> gpuarr::Result<()> {
        /// let x = Team::world(None)?.arange::<f32>(&Blocks::new([5, 4]).chunk([2, 4]), 0, 1)?;
        /// assert_eq!(x.mean(0)?.to_vec()?, [8.0, 9.0, 10.0, 11.0]);
        /// assert_eq!(x.argmax(ALL)?.item()?, 19);
        /// # Ok(())
        /// # }
        /// ```
        impl<T: Content> Blocked<T> {
            $(#[doc = $meaning]
            ///
            /// # Errors
            /// As all of these.
            pub fn $name(&self, axes: impl Into<Axes>) -> Result<Blocked<$result>> {
                self.exact().$name(axes)
            })*
        }

        /// As the methods of [`Blocked`].
        impl<T: Content> BlockedReduce<'_, T> {
            $(#[doc = $meaning]
            ///
            /// # Errors
            /// As [`Blocked::sum`].
            pub fn $name(&self, axes: impl Into<Axes>) -> Result<Blocked<$result>> {
                self.made(stringify!($name), 0.0, axes.into())
            })*
        }
    };
}

reductions! {
    sum -> T::Sum, "Sums, with the types of [`Array::sum`](crate::Array::sum).";
    prod -> T::Sum, "Products.";
    nansum -> T::Sum, "Sums in which a NaN counts as 0.";
    mean -> T::Mean, "Means.";
    logsumexp -> T::Real, "`log(sum(exp(x)))` without overflow.";
    argmin -> T::Index, "Where the least element is: its number in C order along the axes.";
    argmax -> T::Index, "Where the greatest element is.";
    count_nonzero -> T::Index, "How many elements are not 0.";
    any -> T::Truth, "Whether any element is not 0.";
    all -> T::Truth, "Whether no element is 0.";
    min -> T, "The minima; NaN if there is one.";
    max -> T, "The maxima; NaN if there is one.";
    nanmin -> T, "The least elements that are no NaN.";
    nanmax -> T, "The greatest elements that are no NaN.";
    norm_1 -> T::Real, "Sums of absolute values.";
    norm_2 -> T::Real, "Roots of the sums of squares.";
    norm_inf -> T::Real, "Largest absolute values.";
}

impl<T: Content> Blocked<T> {
    /// Variances; `ddof` is taken off the number of elements.
    ///
    /// # Errors
    /// As all of these, and `ARGUMENT` for one that is not finite.
    pub fn var(&self, ddof: f64, axes: impl Into<Axes>) -> Result<Blocked<T::Real>> {
        self.exact().made("var", ddof, axes.into())
    }

    /// Standard deviations.
    ///
    /// # Errors
    /// As [`Blocked::var`].
    pub fn std(&self, ddof: f64, axes: impl Into<Axes>) -> Result<Blocked<T::Real>> {
        self.exact().made("std", ddof, axes.into())
    }
}

mod private {
    pub trait Sealed {}
}

/// What a reduction kernel's outputs become when the call makes them: a [`Blocked`], or a tuple.
pub trait BlockedResults: private::Sealed + Sized {
    /// Calls C, which fills in as many arrays as there are.
    #[doc(hidden)]
    fn make(call: impl FnOnce(*mut *mut sys::gpuarr_blocked, i32) -> i32) -> Result<Self>;
}

impl<T> private::Sealed for Blocked<T> {}
impl<T: Content> BlockedResults for Blocked<T> {
    fn make(call: impl FnOnce(*mut *mut sys::gpuarr_blocked, i32) -> i32) -> Result<Self> {
        let mut out = ptr::null_mut();
        check(call(&mut out, 1))?;
        made(out)
    }
}

macro_rules! tuple {
    ($count:literal: $($type:ident $place:tt)*) => {
        impl<$($type),*> private::Sealed for ($(Blocked<$type>,)*) {}
        impl<$($type: Content),*> BlockedResults for ($(Blocked<$type>,)*) {
            fn make(call: impl FnOnce(*mut *mut sys::gpuarr_blocked, i32) -> i32) -> Result<Self> {
                let mut out = [ptr::null_mut(); $count];
                check(call(out.as_mut_ptr(), $count))?;
                // All of them have an owner before one of them may be refused.
                let arrays = ($(made::<$type>(out[$place]),)*);
                Ok(($(arrays.$place?,)*))
            }
        }
    };
}

tuple! { 1: A 0 }
tuple! { 2: A 0 B 1 }
tuple! { 3: A 0 B 1 C 2 }
tuple! { 4: A 0 B 1 C 2 D 3 }

impl Reduction {
    /// Reduces blocked arrays, of which the result is that of the undivided ones: `i`, `_J` and `n`
    /// count in the whole. Results are replicated, in one block on every place. Collective.
    ///
    /// ```
    /// use gpuarr::{block_args, Blocked, Blocks, Reduction, Team, ALL};
    /// # fn main() -> gpuarr::Result<()> {
    /// let team = Team::world(None)?;
    /// let x = team.arange::<f64>(&Blocks::new([5, 4]).chunk([2, 4]), 0, 1)?;
    /// let mse = Reduction::new(
    ///     "T x, T y", "T mse", "(x - y) * (x - y)", "a + b", "mse = a / n", None)?;
    /// let result: Blocked<f64> = mse.reduce(block_args![&x, 2.0], ALL)?;
    /// assert_eq!(result.item()?, 89.5); // mean of (k - 2)^2 for k below 20
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`map_blocks`](crate::map_blocks()) and [`Reduction::call`]; `LAYOUT` also for an
    /// operator that is not commutative and blocks that do not follow each other in order.
    pub fn reduce<R: BlockedResults>(
        &self,
        inputs: &[BlockArg<'_>],
        axes: impl Into<Axes>,
    ) -> Result<R> {
        let axes = axes.into();
        let axes = axes.parts()?;
        R::make(|outputs, count| self.run_blocked(inputs, axes, outputs, count))
    }

    /// Reduces blocked arrays into given ones, in any blocks. Collective.
    ///
    /// # Errors
    /// As [`Reduction::reduce`].
    pub fn reduce_into(
        &self,
        inputs: &[BlockArg<'_>],
        axes: impl Into<Axes>,
        outputs: impl BlockedOutputs,
    ) -> Result<()> {
        let axes = axes.into();
        let axes = axes.parts()?;
        check(outputs.give(|(outputs, count)| self.run_blocked(inputs, axes, outputs, count)))
    }

    fn run_blocked(
        &self,
        inputs: &[BlockArg<'_>],
        (axes, axis_count, keepdims): (*const i32, i32, i32),
        outputs: *mut *mut sys::gpuarr_blocked,
        output_count: i32,
    ) -> i32 {
        let (list, count) = BlockArg::list(inputs);
        let kernel = self.as_ptr();
        unsafe {
            sys::gpuarr_blocked_reduction(
                kernel,
                outputs,
                output_count,
                list,
                count,
                axes,
                axis_count,
                keepdims,
            )
        }
    }
}
