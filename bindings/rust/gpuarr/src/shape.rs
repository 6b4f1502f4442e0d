//! How shapes, axes and slices are given: by numbers of any integer type, in arrays and slices.
use std::ops::{Range, RangeFrom, RangeFull, RangeInclusive, RangeTo};

use gpuarr_sys as sys;

use crate::error::{Error, Result, Status};

/// The most axes that an array has.
pub const MAX_NDIM: usize = sys::GPUARR_MAX_NDIM as usize;

mod private {
    /// An integer that extents and indices are given as; what is too large stays too large.
    pub trait Int: Copy {
        fn wide(self) -> i64;
    }
}

use private::Int;

macro_rules! ints {
    ($($type:ty)*) => {$(
        impl Int for $type {
            fn wide(self) -> i64 {
                i64::try_from(self).unwrap_or(i64::MAX)
            }
        }
    )*};
}

ints! { i32 i64 isize u32 u64 usize }

/// Order of an array's elements in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// The last axis varies fastest, as in C and Rust.
    C,
    /// The first axis varies fastest, as in Fortran and Julia.
    F,
    /// Like the array that it is made from; for a new array, as `C`.
    K,
}

impl Order {
    pub(crate) fn code(self) -> i32 {
        match self {
            Order::C => sys::GPUARR_ORDER_C,
            Order::F => sys::GPUARR_ORDER_F,
            Order::K => sys::GPUARR_ORDER_K,
        }
    }
}

/// Numbers, as many as an array has axes, without a heap.
#[derive(Clone, Copy, Debug)]
struct Numbers<N> {
    values: [N; MAX_NDIM],
    count: usize,
}

impl<N: Copy + Default> Numbers<N> {
    fn collect(values: impl ExactSizeIterator<Item = N>) -> Self {
        let mut numbers = Numbers { values: [N::default(); MAX_NDIM], count: values.len() };
        for (place, value) in numbers.values.iter_mut().zip(values) {
            *place = value;
        }
        numbers
    }

    fn checked(&self, what: &str, status: Status) -> Result<&[N]> {
        self.values.get(..self.count).ok_or_else(|| {
            let message = format!("{} of {} axes; {} at most", what, self.count, MAX_NDIM);
            Error::new(status, message)
        })
    }
}

/// Extents of an array's axes: `[2, 3]`, `&[2usize, 3][..]`, `&vec`, `7` for one axis, `()` for
/// none. Elements lie, or are given, in C order unless [`Shape::column_major`] says otherwise.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    extents: Numbers<i64>,
    order: Order,
}

impl Shape {
    /// The same extents with the first axis varying fastest.
    pub fn column_major(extents: impl Into<Shape>) -> Shape {
        Shape { order: Order::F, ..extents.into() }
    }

    fn of<I: Int>(extents: &[I]) -> Shape {
        Shape { extents: Numbers::collect(extents.iter().map(|n| n.wide())), order: Order::C }
    }

    pub(crate) fn extents(&self) -> Result<&[i64]> {
        self.extents.checked("a shape", Status::SHAPE)
    }

    /// The extents of a matrix.
    pub(crate) fn matrix(&self) -> Result<(i64, i64)> {
        match *self.extents()? {
            [rows, columns] => Ok((rows, columns)),
            ref other => {
                let message = format!("a matrix has two axes, and the shape is {:?}", other);
                Err(Error::new(Status::SHAPE, message))
            }
        }
    }

    pub(crate) fn order(&self) -> Order {
        self.order
    }

    /// Strides in elements of what lies in this order without gaps; `None` for C order.
    pub(crate) fn strides(&self) -> Option<[i64; MAX_NDIM]> {
        if self.order != Order::F {
            return None;
        }
        let mut strides = [0; MAX_NDIM];
        let mut next = 1i64;
        for (stride, extent) in strides.iter_mut().zip(&self.extents.values[..]) {
            *stride = next;
            next = next.saturating_mul((*extent).max(1));
        }
        Some(strides)
    }
}

impl From<()> for Shape {
    fn from((): ()) -> Shape {
        Shape::of::<i64>(&[])
    }
}

impl<I: Int> From<I> for Shape {
    fn from(extent: I) -> Shape {
        Shape::of(&[extent])
    }
}

impl<I: Int, const N: usize> From<[I; N]> for Shape {
    fn from(extents: [I; N]) -> Shape {
        Shape::of(&extents)
    }
}

impl<I: Int, const N: usize> From<&[I; N]> for Shape {
    fn from(extents: &[I; N]) -> Shape {
        Shape::of(extents)
    }
}

impl<I: Int> From<&[I]> for Shape {
    fn from(extents: &[I]) -> Shape {
        Shape::of(extents)
    }
}

impl<I: Int> From<&Vec<I>> for Shape {
    fn from(extents: &Vec<I>) -> Shape {
        Shape::of(extents)
    }
}

/// Axes, from 0, or from the last as -1: `0`, `[0, -1]`, `&[0, 2][..]`, or [`ALL`].
#[derive(Clone, Copy, Debug)]
pub struct Axes {
    axes: Option<Numbers<i32>>,
    keepdims: bool,
}

/// All axes of an array, however many.
pub const ALL: Axes = Axes { axes: None, keepdims: false };

impl Axes {
    /// The same axes, which a reduction keeps with extent 1.
    pub fn keepdims(axes: impl Into<Axes>) -> Axes {
        Axes { keepdims: true, ..axes.into() }
    }

    fn of(axes: &[i32]) -> Axes {
        Axes { axes: Some(Numbers::collect(axes.iter().copied())), keepdims: false }
    }

    /// C's list, its length and keepdims; null and `GPUARR_ALL_AXES` for all.
    pub(crate) fn parts(&self) -> Result<(*const i32, i32, i32)> {
        let keepdims = self.keepdims as i32;
        match &self.axes {
            None => Ok((std::ptr::null(), sys::GPUARR_ALL_AXES, keepdims)),
            Some(axes) => {
                let axes = axes.checked("a list", Status::AXIS)?;
                Ok((axes.as_ptr(), axes.len() as i32, keepdims))
            }
        }
    }
}

impl From<i32> for Axes {
    fn from(axis: i32) -> Axes {
        Axes::of(&[axis])
    }
}

impl<const N: usize> From<[i32; N]> for Axes {
    fn from(axes: [i32; N]) -> Axes {
        Axes::of(&axes)
    }
}

impl<const N: usize> From<&[i32; N]> for Axes {
    fn from(axes: &[i32; N]) -> Axes {
        Axes::of(axes)
    }
}

impl From<&[i32]> for Axes {
    fn from(axes: &[i32]) -> Axes {
        Axes::of(axes)
    }
}

/// Which indices of an axis, by Python's rules: `2..5`, `..-1`, `3..`, `..`, or one of these with
/// [`Slice::step`]. Negative numbers count from the end, and what lies beyond the ends is clipped.
/// Clippy takes `1..-1` for an empty range; [`Slice::between`] says the same.
#[derive(Clone, Copy, Debug)]
pub struct Slice {
    pub(crate) start: i64,
    pub(crate) stop: i64,
    pub(crate) step: i64,
}

impl Slice {
    /// Every `step`-th index of a range, from its end if `step` is negative, as `range[::step]`.
    pub fn step(range: impl Into<Slice>, step: i64) -> Slice {
        Slice { step, ..range.into() }
    }

    /// The indices from `start` to just before `stop`.
    pub fn between(start: i64, stop: i64) -> Slice {
        Slice { start, stop, step: 1 }
    }
}

impl From<RangeFull> for Slice {
    fn from(_: RangeFull) -> Slice {
        Slice::between(sys::GPUARR_NONE, sys::GPUARR_NONE)
    }
}

impl<I: Int> From<Range<I>> for Slice {
    fn from(range: Range<I>) -> Slice {
        Slice::between(range.start.wide(), range.end.wide())
    }
}

impl<I: Int> From<RangeFrom<I>> for Slice {
    fn from(range: RangeFrom<I>) -> Slice {
        Slice::between(range.start.wide(), sys::GPUARR_NONE)
    }
}

impl<I: Int> From<RangeTo<I>> for Slice {
    fn from(range: RangeTo<I>) -> Slice {
        Slice::between(sys::GPUARR_NONE, range.end.wide())
    }
}

impl<I: Int> From<RangeInclusive<I>> for Slice {
    fn from(range: RangeInclusive<I>) -> Slice {
        // The index behind -1 is the end, and not 0.
        let stop = match range.end().wide() {
            -1 => sys::GPUARR_NONE,
            last => last.saturating_add(1),
        };
        Slice::between(range.start().wide(), stop)
    }
}
