//! Where the order of a blocked array's elements counts: sorting, running results.
use gpuarr_sys as sys;

use crate::blocked::Blocked;
use crate::element::Content;
use crate::error::{c_text, check, object, Error, Result, Status};
use crate::scan::Along;
use crate::sort::SortAxis;

/// Sorted elements of a vector: those of [`Array::sort`](crate::Array::sort), bit for bit.
/// Collective; they fail with `SHAPE` (other than one axis), `OUT_OF_MEMORY`, `PEER`, `TIMEOUT`,
/// `MISMATCH`, `DRIVER` and compile errors.
impl<T> Blocked<T> {
    /// The elements, sorted, in the same blocks: `x.sort(0)`, `x.sort(SortAxis::descending(0))`.
    ///
    /// ```
    /// use gpuarr::{Blocks, SortAxis, Team};
    /// # fn main() -> gpuarr::Result<()> {
    /// let x = Team::local_of(2)?.array(&[3, 1, 2, 5, 4], &Blocks::new(5).chunk(2))?;
    /// assert_eq!(x.sort(0)?.to_vec()?, [1, 2, 3, 4, 5]);
    /// x.sort_into(SortAxis::descending(0), &mut x.clone())?; // in place
    /// assert_eq!(x.to_vec()?, [5, 4, 3, 2, 1]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As all of these; `AXIS`.
    pub fn sort(&self, by: impl Into<SortAxis>) -> Result<Blocked<T>> {
        let descending = self.direction(by.into())?;
        object(|out| unsafe { sys::gpuarr_blocked_sort(out, self.as_ptr(), descending) })
            .map(Blocked::own)
    }

    /// The elements, sorted, in an array of the same shape, in any blocks; a clone of this one is
    /// this one.
    ///
    /// # Errors
    /// As [`Blocked::sort`].
    pub fn sort_into(&self, by: impl Into<SortAxis>, out: &mut Blocked<T>) -> Result<()> {
        let descending = self.direction(by.into())?;
        let x = self.as_ptr();
        check(unsafe { sys::gpuarr_blocked_sort(&mut out.as_ptr(), x, descending) })
    }

    /// C sorts vectors, and asks for no axis.
    fn direction(&self, SortAxis { axis, descending }: SortAxis) -> Result<i32> {
        if self.ndim() == 1 && !(-1..=0).contains(&axis) {
            let message = format!("axis is {}; the array has 1 axis, so it may be -1 or 0", axis);
            return Err(Error::new(Status::AXIS, message));
        }
        Ok(descending)
    }

    /// Computes a scan by its name, `"cumsum"`, `"cumprod"`, `"cummin"` or `"cummax"`, into an
    /// array of the same shape and of the results' type, in any blocks; a clone of this one is this
    /// one.
    ///
    /// # Errors
    /// As [`Blocked::cumsum`]; `ARGUMENT` for a name that there is not, `SHAPE` and `DTYPE` for
    /// another result.
    pub fn scan_into<R>(
        &self,
        name: &str,
        along: impl Into<Along>,
        out: &mut Blocked<R>,
    ) -> Result<()> {
        let name = c_text("name", name)?;
        let (Along { axis, exclusive }, x) = (along.into(), self.as_ptr());
        check(unsafe {
            sys::gpuarr_blocked_scan(&mut out.as_ptr(), name.as_ptr(), x, axis, exclusive)
        })
    }
}

macro_rules! scans {
    ($($name:ident -> $result:ty, $meaning:literal;)*) => {
        /// Running results along an axis, as those of arrays, in the same blocks: `x.cumsum(0)`,
        /// `x.cumsum(Along::exclusive(-1))`. Bits depend on the grid, and not on the number of
        /// places; only blocks' totals are sent. Collective; they fail with `AXIS`, `DTYPE`,
        /// `OUT_OF_MEMORY`, `PEER`, `TIMEOUT`, `MISMATCH`, `DRIVER` and compile errors.
        ///
        /// ```
        /// use gpuarr::{Along, Blocks, Team};
        /// # fn main() -> gpuarr::Result<()> {
        /// let x = Team::world(None)?.arange::<i64>(&Blocks::new(6).chunk(4), 1, 1)?;
        /// assert_eq!(x.cumsum(0)?.to_vec()?, [1, 3, 6, 10, 15, 21]);
        /// assert_eq!(x.cumprod(Along::exclusive(0))?.to_vec()?, [1, 1, 2, 6, 24, 120]);
        /// # Ok(())
        /// # }
        /// ```
        impl<T: Content> Blocked<T> {
            $(#[doc = $meaning]
            ///
            /// # Errors
            /// As all of these.
            pub fn $name(&self, along: impl Into<Along>) -> Result<Blocked<$result>> {
                let (Along { axis, exclusive }, x) = (along.into(), self.as_ptr());
                let name = concat!(stringify!($name), "\0").as_ptr().cast();
                let made = object(|out| unsafe {
                    sys::gpuarr_blocked_scan(out, name, x, axis, exclusive) // the caller's
                })?;
                unsafe { Blocked::from_raw(made) }
            })*
        }
    };
}

scans! {
    cumsum -> T::Sum, "Cumulative sums, with the types of [`Array::sum`](crate::Array::sum).";
    cumprod -> T::Sum, "Running products.";
    cummin -> T, "The least element so far; NaN from the first one on.";
    cummax -> T, "The greatest element so far; NaN from the first one on.";
}
