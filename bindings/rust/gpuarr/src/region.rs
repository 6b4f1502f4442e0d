//! Parts of blocked arrays, from and to memory of the program.
use std::mem;
use std::ops::{Range, RangeFrom, RangeFull, RangeInclusive, RangeTo};
use std::ptr;

use gpuarr_sys as sys;

use crate::blocked::Blocked;
use crate::element::Element;
use crate::error::{check, Error, Result, Status};
use crate::shape::Slice;
use crate::team::Team;

/// Which elements of a blocked array are read or written, and whose memory they are in: `..` for
/// all of them, `3..5` of the first axis, `(3..5, ..)` or `[0..2, 4..6]` of several. Negative
/// numbers count from the end; what lies beyond the ends is an error. Axes that are left out are
/// whole.
///
/// ```
/// use gpuarr::{Blocks, Region, Team};
/// # fn main() -> gpuarr::Result<()> {
/// let team = Team::world(None)?;
/// let x = team.arange::<i32>(&Blocks::new([4, 3]), 0, 1)?;
/// assert_eq!(x.read((-1.., ..2))?, [9, 10]); // every process gets them
/// let all = x.read(Region::all().on(&team, 0))?; // the process of place 0 does
/// assert_eq!(all.len(), if team.first() == 0 { 12 } else { 0 });
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Region {
    slices: Vec<Slice>,
    place: i32,
    is_here: bool,
}

impl Region {
    fn of(slices: Vec<Slice>) -> Region {
        Region { slices, place: -1, is_here: true }
    }

    /// All elements.
    pub fn all() -> Region {
        Region::of(Vec::new())
    }

    /// The same in the memory of the process that has a place of the array's team; of others
    /// nothing is read or written. Unless said, all processes write alike, and all get what is
    /// read.
    pub fn on(self, team: &Team, place: usize) -> Region {
        let is_here = team.device(place).is_some();
        Region { place: i32::try_from(place).unwrap_or(i32::MAX), is_here, ..self }
    }

    /// First indices, and those behind the last, for an array of a shape.
    fn bounds(&self, shape: &[i64]) -> Result<(Vec<i64>, Vec<i64>)> {
        if self.slices.len() > shape.len() {
            let message =
                format!("a region of {} axes, and the array has {:?}", self.slices.len(), shape);
            return Err(Error::new(Status::AXIS, message));
        }
        let (mut starts, mut stops) = (vec![0; shape.len()], shape.to_vec());
        for (axis, slice) in self.slices.iter().enumerate() {
            if slice.step != 1 {
                let message =
                    format!("the step of axis {} is {}; it has to be 1", axis, slice.step);
                return Err(Error::new(Status::ARGUMENT, message));
            }
            let at = |index: i64| if index < 0 { index + shape[axis] } else { index };
            if slice.start != sys::GPUARR_NONE {
                starts[axis] = at(slice.start);
            }
            if slice.stop != sys::GPUARR_NONE {
                stops[axis] = at(slice.stop);
            }
        }
        Ok((starts, stops))
    }
}

impl From<RangeFull> for Region {
    fn from(_: RangeFull) -> Region {
        Region::all()
    }
}

macro_rules! first_axis {
    ($($range:ty)*) => {$(
        impl<I> From<$range> for Region
        where
            Slice: From<$range>,
        {
            fn from(range: $range) -> Region {
                Region::of(vec![range.into()])
            }
        }
    )*};
}

first_axis! { Range<I> RangeFrom<I> RangeTo<I> RangeInclusive<I> }

impl<S: Into<Slice>, const N: usize> From<[S; N]> for Region {
    fn from(slices: [S; N]) -> Region {
        Region::of(slices.into_iter().map(Into::into).collect())
    }
}

impl From<&[Slice]> for Region {
    fn from(slices: &[Slice]) -> Region {
        Region::of(slices.to_vec())
    }
}

macro_rules! axes {
    ($($type:ident $place:tt)*) => {
        impl<$($type: Into<Slice>),*> From<($($type,)*)> for Region {
            fn from(slices: ($($type,)*)) -> Region {
                Region::of(vec![$(slices.$place.into()),*])
            }
        }
    };
}

axes! { A 0 }
axes! { A 0 B 1 }
axes! { A 0 B 1 C 2 }
axes! { A 0 B 1 C 2 D 3 }

/// To and from memory of the program, in C order. All of these are collective, and done when they
/// return. They fail with `AXIS` for indices out of range, `ARGUMENT` for a place that there is
/// not, `OUT_OF_MEMORY`, `PEER`, `TIMEOUT`, `MISMATCH`, `DRIVER`.
impl<T: Element> Blocked<T> {
    /// All elements.
    ///
    /// # Errors
    /// As all of these.
    pub fn to_vec(&self) -> Result<Vec<T>> {
        self.read(..)
    }

    /// The element of an array that has just one, as reductions along all axes have.
    ///
    /// # Errors
    /// As all of these, and `SHAPE` for another number of elements.
    pub fn item(&self) -> Result<T> {
        match self.len() {
            1 => Ok(self.to_vec()?[0]),
            _ => {
                let message =
                    format!("one element is asked for, and the shape is {:?}", self.shape());
                Err(Error::new(Status::SHAPE, message))
            }
        }
    }

    /// The elements of a region, and none for a process that is not to get them.
    ///
    /// # Errors
    /// As all of these.
    pub fn read(&self, region: impl Into<Region>) -> Result<Vec<T>> {
        let part = Part::of(self, region.into())?;
        // Zeros are valid elements, and stay where the region was told of another team's place.
        let mut elements = vec![unsafe { mem::zeroed::<T>() }; part.len];
        unsafe { part.read(elements.as_mut_ptr()) }?;
        Ok(elements)
    }

    /// Copies the elements of a region to a slice of just as many, which is left alone in a process
    /// that is not to get them.
    ///
    /// # Errors
    /// As all of these, and `SHAPE` for a slice of another length.
    pub fn read_into(&self, region: impl Into<Region>, to: &mut [T]) -> Result<()> {
        let part = Part::of(self, region.into())?;
        part.check_count(to.len())?;
        unsafe { part.read(to.as_mut_ptr()) }
    }

    /// Copies elements to a region, from a slice of just as many; it may be `&[]` in a process
    /// whose memory is not asked for.
    ///
    /// # Errors
    /// As all of these, and `SHAPE` for a slice of another length.
    pub fn write(&mut self, region: impl Into<Region>, from: &[T]) -> Result<()> {
        let part = Part::of(self, region.into())?;
        part.check_count(from.len())?;
        let (start, stop) = (part.starts.as_ptr(), part.stops.as_ptr());
        let (data, bytes) = (from.as_ptr().cast(), mem::size_of_val(from) as i64);
        check(unsafe {
            let (raw, place) = (self.as_ptr(), part.place);
            sys::gpuarr_blocked_write(raw, start, stop, place, data, bytes, ptr::null())
        })
    }
}

/// A region of an array, and how many elements of it are in this process's memory.
struct Part<'a, T> {
    blocked: &'a Blocked<T>,
    starts: Vec<i64>,
    stops: Vec<i64>,
    place: i32,
    is_here: bool,
    len: usize,
}

impl<'a, T: Element> Part<'a, T> {
    fn of(blocked: &'a Blocked<T>, region: Region) -> Result<Part<'a, T>> {
        let (shape, place, is_here) = (blocked.shape(), region.place, region.is_here);
        let (starts, stops) = region.bounds(&shape)?;
        // What is out of range C refuses, and nothing is made for it.
        let ranges = starts.iter().zip(&stops).zip(&shape);
        let is_inside =
            ranges.clone().all(|((low, high), n)| 0 <= *low && low <= high && high <= n);
        let extents = ranges.map(|((low, high), _)| high - low);
        let len = if is_here && is_inside { extents.product::<i64>() as usize } else { 0 };
        Ok(Part { blocked, starts, stops, place, is_here, len })
    }

    fn check_count(&self, count: usize) -> Result<()> {
        if !self.is_here || count == self.len {
            return Ok(());
        }
        let message = format!(
            "the slice has {} elements, and the region from {:?} to {:?} takes {}",
            count, self.starts, self.stops, self.len
        );
        Err(Error::new(Status::SHAPE, message))
    }

    /// # Safety
    /// As many elements as there are may be written at `first`.
    unsafe fn read(&self, first: *mut T) -> Result<()> {
        let (data, bytes) = (first.cast(), (self.len * mem::size_of::<T>()) as i64);
        let (start, stop) = (self.starts.as_ptr(), self.stops.as_ptr());
        let (raw, place) = (self.blocked.as_ptr(), self.place);
        check(sys::gpuarr_blocked_read(data, bytes, ptr::null(), raw, start, stop, place))?;
        T::make_valid(first, self.len);
        Ok(())
    }
}
