//! Elements in order, and what is read off from that: extremes, different ones, bins, quantiles.
use std::ptr;

use gpuarr_sys as sys;

use crate::array::Array;
use crate::element::Content;
use crate::error::Result;
use crate::outputs::{two, Results};

/// The axis that elements are sorted along, from 0, or from the last as -1: `x.sort(-1)`,
/// `x.sort(SortAxis::descending(0))`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SortAxis {
    pub(crate) axis: i32,
    pub(crate) descending: i32,
}

impl SortAxis {
    /// The axis, with the greatest elements first.
    pub fn descending(axis: i32) -> SortAxis {
        SortAxis { axis, descending: 1 }
    }
}

impl From<i32> for SortAxis {
    fn from(axis: i32) -> SortAxis {
        SortAxis { axis, descending: 0 }
    }
}

/// Result of [`Array::topk`].
#[derive(Clone, Debug)]
pub struct TopK<T: Content> {
    /// The elements, the most extreme first.
    pub values: Array<T>,
    /// Their indices along the axis.
    pub indices: Array<i64>,
}

/// Result of [`Array::unique_all`].
#[derive(Clone, Debug)]
pub struct Unique<T: Content> {
    /// The different elements, in order.
    pub values: Array<T>,
    /// The number in C order of the first of each.
    pub indices: Array<i64>,
    /// Which of the values each element is, in the shape of the array.
    pub inverse: Array<i64>,
    /// How many there are of each.
    pub counts: Array<i64>,
}

/// Result of [`Array::histogram`].
#[derive(Clone, Debug)]
pub struct Histogram {
    /// How many elements are in each bin.
    pub counts: Array<i64>,
    /// The bins' edges, one more than there are bins.
    pub edges: Array<f64>,
}

/// Where [`Array::searchsorted`] puts elements among equals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// Before them.
    Left,
    /// Behind them.
    Right,
}

/// How [`Array::quantile`] reads a place between two elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Between {
    /// On the line from one to the other.
    Linear,
    /// The lesser.
    Lower,
    /// The greater.
    Higher,
    /// The nearer; of two as near the one with the even index.
    Nearest,
    /// The mean of both.
    Midpoint,
}

impl Between {
    fn code(self) -> i32 {
        match self {
            Between::Linear => sys::GPUARR_QUANTILE_LINEAR,
            Between::Lower => sys::GPUARR_QUANTILE_LOWER,
            Between::Higher => sys::GPUARR_QUANTILE_HIGHER,
            Between::Nearest => sys::GPUARR_QUANTILE_NEAREST,
            Between::Midpoint => sys::GPUARR_QUANTILE_MIDPOINT,
        }
    }
}

/// What sorts along an axis is in C.
type Sorter = unsafe extern "C" fn(
    *mut *mut sys::gpuarr_array,
    *const sys::gpuarr_array,
    i32,
    i32,
    *mut sys::gpuarr_stream,
) -> i32;

/// Elements in order along an axis. Sorting is stable, and NaN comes last, in either direction. All
/// fail with `AXIS`, `OUT_OF_MEMORY`, `DRIVER`, and compile errors.
impl<T: Content> Array<T> {
    fn sorted<R: Content>(&self, sorter: Sorter, by: impl Into<SortAxis>) -> Result<Array<R>> {
        let SortAxis { axis, descending } = by.into();
        Results::make(|out, _| unsafe {
            sorter(out, self.as_ptr(), axis, descending, ptr::null_mut())
        })
    }

    /// The elements, sorted.
    ///
    /// # Errors
    /// As all of these.
    pub fn sort(&self, by: impl Into<SortAxis>) -> Result<Array<T>> {
        self.sorted(sys::gpuarr_sort, by)
    }

    /// The indices that sort the elements: [`Array::take_along_axis`] takes them.
    ///
    /// # Errors
    /// As all of these.
    pub fn argsort(&self, by: impl Into<SortAxis>) -> Result<Array<i64>> {
        self.sorted(sys::gpuarr_argsort, by)
    }

    /// The elements, with the one at a place that sorting would put there, the lesser before it and
    /// the greater behind it.
    ///
    /// # Errors
    /// As all of these; `ARGUMENT` for a place that there is not.
    pub fn partition(&self, kth: i64, axis: i32) -> Result<Array<T>> {
        Results::make(|out, _| unsafe {
            sys::gpuarr_partition(out, self.as_ptr(), kth, axis, ptr::null_mut())
        })
    }

    fn extremes(&self, k: i64, axis: i32, largest: i32) -> Result<TopK<T>> {
        let (values, indices) = Results::make(|out, _| {
            let (values, indices) = two(out);
            let (x, stream) = (self.as_ptr(), ptr::null_mut());
            unsafe { sys::gpuarr_topk(values, indices, x, k, axis, largest, stream) }
        })?;
        Ok(TopK { values, indices })
    }

    /// The greatest `k` elements, the greatest first, and where they are. Of equals those that come
    /// first are taken.
    ///
    /// # Errors
    /// As all of these; `ARGUMENT` for a `k` of more than there are.
    pub fn topk(&self, k: i64, axis: i32) -> Result<TopK<T>> {
        self.extremes(k, axis, 1)
    }

    /// The least `k` elements, otherwise as [`Array::topk`].
    ///
    /// # Errors
    /// As [`Array::topk`].
    pub fn bottomk(&self, k: i64, axis: i32) -> Result<TopK<T>> {
        self.extremes(k, axis, 0)
    }

    /// The elements that differ from each other, in order. It waits.
    ///
    /// # Errors
    /// As all of these; `UNSUPPORTED` in a stream that is captured.
    pub fn unique(&self) -> Result<Array<T>> {
        let none = ptr::null_mut();
        Results::make(|out, _| unsafe {
            sys::gpuarr_unique(out, none, none, none, self.as_ptr(), ptr::null_mut())
        })
    }

    /// As [`Array::unique`], with where they are and how many there are of each.
    ///
    /// # Errors
    /// As [`Array::unique`].
    pub fn unique_all(&self) -> Result<Unique<T>> {
        let (values, indices, inverse, counts) = Results::make(|out, _| {
            let ((values, indices), (inverse, counts)) = (two(out), two(out.wrapping_add(2)));
            let (x, stream) = (self.as_ptr(), ptr::null_mut());
            unsafe { sys::gpuarr_unique(values, indices, inverse, counts, x, stream) }
        })?;
        Ok(Unique { values, indices, inverse, counts })
    }

    /// Where elements would have to be put in among those of this array, which are in order along
    /// its one axis. Whether they are is not checked.
    ///
    /// # Errors
    /// As all of these; `SHAPE` for several axes.
    pub fn searchsorted(&self, x: &Array<T>, side: Side) -> Result<Array<i64>> {
        let right = (side == Side::Right) as i32;
        Results::make(|out, _| unsafe {
            sys::gpuarr_searchsorted(out, self.as_ptr(), x.as_ptr(), right, ptr::null_mut())
        })
    }
}

/// Elements counted in bins, and what lies in the middle of them. No complex numbers (`DTYPE`).
impl<T: Content> Array<T> {
    /// How many elements are in each of so many bins of one width, between two numbers, or from the
    /// least element to the greatest. A bin has its lower edge, the last one both.
    ///
    /// # Errors
    /// As [`Array::sort`]; `ARGUMENT` for no bins, and for a range that is not one.
    pub fn histogram(&self, bins: i64, range: impl Into<Option<(f64, f64)>>) -> Result<Histogram> {
        let range = range.into().map(|(low, high)| [low, high]);
        let range = range.as_ref().map_or(ptr::null(), |range| range.as_ptr());
        let (counts, edges) = Results::make(|out, _| {
            let (counts, edges) = two(out);
            let (x, stream) = (self.as_ptr(), ptr::null_mut());
            unsafe { sys::gpuarr_histogram(counts, edges, x, bins, range, stream) }
        })?;
        Ok(Histogram { counts, edges })
    }

    /// How many elements are in the bins between given edges. It waits, to check them.
    ///
    /// # Errors
    /// As [`Array::sort`]; `ARGUMENT` for edges that are not in order.
    pub fn histogram_between<U>(&self, edges: &Array<U>) -> Result<Array<i64>> {
        Results::make(|out, _| unsafe {
            let (x, edges) = (self.as_ptr(), edges.as_ptr());
            sys::gpuarr_histogram_between(out, x, edges, ptr::null_mut())
        })
    }

    /// How often each whole number occurs, from 0 to the greatest, and for `minlength` numbers at
    /// least. It waits.
    ///
    /// # Errors
    /// As [`Array::sort`]; `ARGUMENT` for a negative element.
    pub fn bincount(&self, minlength: i64) -> Result<Array<i64>> {
        Results::make(|out, _| unsafe {
            let (x, none) = (self.as_ptr(), ptr::null_mut());
            sys::gpuarr_bincount(out, x, none, minlength, ptr::null_mut())
        })
    }

    /// The sums of the weights of each whole number, otherwise as [`Array::bincount`]. Their order
    /// does not matter: the same call gives the same bits.
    ///
    /// # Errors
    /// As [`Array::bincount`]; `SHAPE` for weights of another shape.
    pub fn bincount_of<U>(&self, weights: &Array<U>, minlength: i64) -> Result<Array<f64>> {
        Results::make(|out, _| unsafe {
            let (x, weights) = (self.as_ptr(), weights.as_ptr());
            sys::gpuarr_bincount(out, x, weights, minlength, ptr::null_mut())
        })
    }

    /// Medians along an axis; NaN if there is one.
    ///
    /// # Errors
    /// As [`Array::sort`]; `EMPTY` of no elements.
    pub fn median(&self, axis: i32) -> Result<Array<T::Mean>> {
        Results::make(|out, _| unsafe {
            sys::gpuarr_median(out, self.as_ptr(), axis, ptr::null_mut())
        })
    }

    /// Medians of the elements that are no NaN; NaN where all are.
    ///
    /// # Errors
    /// As [`Array::median`].
    pub fn nanmedian(&self, axis: i32) -> Result<Array<T::Mean>> {
        Results::make(|out, _| unsafe {
            sys::gpuarr_nanmedian(out, self.as_ptr(), axis, ptr::null_mut())
        })
    }

    /// Quantiles along an axis, for numbers from 0 to 1: an array with an axis for these, and then
    /// the others. NaN if there is one.
    ///
    /// # Errors
    /// As [`Array::median`]; `ARGUMENT` for other numbers, or none.
    pub fn quantile(&self, q: &[f64], axis: i32, between: Between) -> Result<Array<T::Mean>> {
        let (count, between) = (q.len() as i32, between.code());
        Results::make(|out, _| unsafe {
            let (x, stream) = (self.as_ptr(), ptr::null_mut());
            sys::gpuarr_quantile(out, x, q.as_ptr(), count, axis, between, stream)
        })
    }

    /// Quantiles of the elements that are no NaN, otherwise as [`Array::quantile`].
    ///
    /// # Errors
    /// As [`Array::quantile`].
    pub fn nanquantile(&self, q: &[f64], axis: i32, between: Between) -> Result<Array<T::Mean>> {
        let (count, between) = (q.len() as i32, between.code());
        Results::make(|out, _| unsafe {
            let (x, stream) = (self.as_ptr(), ptr::null_mut());
            sys::gpuarr_nanquantile(out, x, q.as_ptr(), count, axis, between, stream)
        })
    }
}
