//! Blocked arrays: what they are, what can be asked of them, and what moves their elements.
use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ptr::{self, NonNull};

use gpuarr_sys as sys;

use crate::arg::Arg;
use crate::array::Array;
use crate::dtype::DType;
use crate::element::{Any, Content, Element};
use crate::error::{check, object, Error, Result, Status};
use crate::shape::Axes;

/// An array of `T` that is divided into a grid of blocks, each of which is an ordinary [`Array`] on
/// one place of a [`Team`](crate::Team).
///
/// It is a handle: clones and views look at the same memory. What writes takes `&mut`. Methods that
/// work on elements are collective: all processes of the team call them, in the same order.
///
/// ```
/// use gpuarr::{Blocks, Team};
/// # fn main() -> gpuarr::Result<()> {
/// let team = Team::world(None)?;
/// let mut x = team.arange::<i64>(&Blocks::new([1000, 300]).chunk([400, 100]), 0, 1)?;
/// assert_eq!((x.shape(), x.grid()), (vec![1000, 300], vec![3, 3]));
/// x.write((5..6, ..3), &[-1, -2, -3])?; // x[5:6, :3], from all processes alike
/// assert_eq!(x.read((4..6, 2..4))?, [1202, 1203, -3, 1503]); // to all of them
/// # Ok(())
/// # }
/// ```
#[repr(transparent)]
pub struct Blocked<T> {
    raw: NonNull<sys::gpuarr_blocked>,
    elements: PhantomData<fn() -> T>,
}

/// A blocked array whose elements' type is known when the program runs.
pub type AnyBlocked = Blocked<Any>;

// team.h: "One thread at a time uses a team and its blocked arrays." Two handles of one team share
// what it knows of messages under way, as two Rc share a count: neither Send nor Sync, which the
// pointer makes sure of.

impl<T> Drop for Blocked<T> {
    fn drop(&mut self) {
        unsafe { sys::gpuarr_blocked_release(self.as_ptr()) }
    }
}

impl<T> Clone for Blocked<T> {
    /// Another handle of the same elements.
    fn clone(&self) -> Self {
        unsafe { sys::gpuarr_blocked_retain(self.as_ptr()) };
        Self::own(self.raw)
    }
}

impl<T> Blocked<T> {
    pub(crate) fn own(raw: NonNull<sys::gpuarr_blocked>) -> Self {
        Blocked { raw, elements: PhantomData }
    }

    /// C's array, valid as long as `self`.
    #[inline]
    pub fn as_ptr(&self) -> *mut sys::gpuarr_blocked {
        self.raw.as_ptr()
    }

    /// Hands the reference to the caller, who has to release it.
    pub fn into_raw(self) -> NonNull<sys::gpuarr_blocked> {
        ManuallyDrop::new(self).raw
    }

    /// The same array, with the type of its elements known only when the program runs.
    pub fn into_any(self) -> AnyBlocked {
        Blocked::own(self.into_raw())
    }

    /// Type of the elements.
    pub fn dtype(&self) -> DType {
        DType(unsafe { sys::gpuarr_blocked_dtype(self.as_ptr()) })
    }

    /// Number of axes.
    pub fn ndim(&self) -> usize {
        unsafe { sys::gpuarr_blocked_ndim(self.as_ptr()) as usize }
    }

    fn of_axes(&self, number: impl Fn(i32) -> i64) -> Vec<i64> {
        (0..self.ndim() as i32).map(number).collect()
    }

    /// Extents of the whole.
    pub fn shape(&self) -> Vec<i64> {
        self.of_axes(|axis| unsafe { sys::gpuarr_blocked_extent(self.as_ptr(), axis) })
    }

    /// Number of elements of the whole.
    pub fn len(&self) -> usize {
        self.shape().iter().product::<i64>() as usize
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Numbers of blocks along the axes.
    pub fn grid(&self) -> Vec<i64> {
        self.of_axes(|axis| unsafe { sys::gpuarr_blocked_count(self.as_ptr(), axis) })
    }

    /// First indices of a block along the axes; -1 for a block that there is not.
    pub fn start(&self, block: usize) -> Vec<i64> {
        let (raw, block) = (self.as_ptr(), wide(block));
        self.of_axes(|axis| unsafe { sys::gpuarr_blocked_start(raw, block, axis) })
    }

    /// Indices behind the last ones of a block along the axes; -1 for a block that there is not.
    pub fn stop(&self, block: usize) -> Vec<i64> {
        let (raw, block) = (self.as_ptr(), wide(block));
        self.of_axes(|axis| unsafe { sys::gpuarr_blocked_stop(raw, block, axis) })
    }

    /// Place that has a block; the first one of this process where all have it.
    pub fn owner(&self, block: usize) -> Option<usize> {
        let owner = unsafe { sys::gpuarr_blocked_owner(self.as_ptr(), wide(block)) };
        usize::try_from(owner).ok()
    }

    /// Number of blocks on places of this process.
    pub fn local_count(&self) -> usize {
        unsafe { sys::gpuarr_blocked_local_count(self.as_ptr()) as usize }
    }

    /// Number in the grid of this process's block `index`, by places, then by numbers.
    pub fn local_number(&self, index: usize) -> Option<usize> {
        let number = unsafe { sys::gpuarr_blocked_local_number(self.as_ptr(), wide(index)) };
        usize::try_from(number).ok()
    }

    /// Place of this process's block `index`.
    pub fn local_place(&self, index: usize) -> Option<usize> {
        let place = unsafe { sys::gpuarr_blocked_local_place(self.as_ptr(), wide(index)) };
        usize::try_from(place).ok()
    }

    /// This process's block `index`, over the same memory. Work on it belongs in the place's
    /// [stream](crate::Team::stream).
    ///
    /// # Errors
    /// `ARGUMENT` for an index that is too large.
    pub fn local(&self, index: usize) -> Result<Array<T>> {
        self.block(index, 0)
    }

    /// The same with its ghost cells.
    ///
    /// # Errors
    /// As [`Blocked::local`].
    pub fn local_with_halo(&self, index: usize) -> Result<Array<T>> {
        self.block(index, 1)
    }

    fn block(&self, index: usize, halo: i32) -> Result<Array<T>> {
        object(|out| unsafe { sys::gpuarr_blocked_local(out, self.as_ptr(), wide(index), halo) })
            .map(Array::own)
    }

    /// An array with the same blocks, places and halo, uninitialized. Collective.
    ///
    /// # Errors
    /// `OUT_OF_MEMORY`, `PEER`, `TIMEOUT`, `MISMATCH`.
    pub fn empty_like(&self) -> Result<Blocked<T>> {
        object(|out| unsafe { sys::gpuarr_blocked_empty_like(out, self.as_ptr(), 0) })
            .map(Blocked::own)
    }

    /// The same for elements of another type. Collective.
    ///
    /// # Errors
    /// As [`Blocked::empty_like`].
    pub fn empty_like_of<U: Element>(&self) -> Result<Blocked<U>> {
        let dtype = U::DTYPE.code();
        object(|out| unsafe { sys::gpuarr_blocked_empty_like(out, self.as_ptr(), dtype) })
            .map(Blocked::own)
    }

    /// Sets all elements to a scalar. Collective; nothing is sent.
    ///
    /// # Errors
    /// `DTYPE` if the type cannot hold it; `PEER`, `MISMATCH`, and on a GPU compile errors.
    pub fn fill(&mut self, value: impl Into<Arg<'static>>) -> Result<()> {
        check(unsafe { sys::gpuarr_blocked_fill(self.as_ptr(), value.into().raw()) })
    }

    /// Sets element k, in C order of the whole, to start + step * k. Collective; nothing is sent.
    ///
    /// # Errors
    /// As [`Blocked::fill`].
    pub fn arange(
        &mut self,
        start: impl Into<Arg<'static>>,
        step: impl Into<Arg<'static>>,
    ) -> Result<()> {
        let (start, step) = (start.into().raw(), step.into().raw());
        check(unsafe { sys::gpuarr_blocked_arange(self.as_ptr(), start, step) })
    }

    /// Copies all elements of an array in other blocks, on other places: any grid to any grid.
    /// Collective.
    ///
    /// # Errors
    /// `SHAPE`, `ARGUMENT` (another team), `OUT_OF_MEMORY`, `PEER`, `TIMEOUT`, `MISMATCH`,
    /// `DRIVER`.
    pub fn redistribute_from(&mut self, source: &Blocked<T>) -> Result<()> {
        check(unsafe { sys::gpuarr_redistribute(self.as_ptr(), source.as_ptr()) })
    }

    /// A view with the axes reversed, over the same memory: the same blocks on the same places.
    ///
    /// # Errors
    /// None that is known.
    pub fn transpose(&self) -> Result<Blocked<T>> {
        object(|out| unsafe { sys::gpuarr_blocked_transpose(out, self.as_ptr(), 0, ptr::null()) })
            .map(Blocked::own)
    }

    /// A view whose axis i is axis `axes[i]` of this array.
    ///
    /// # Errors
    /// `ARGUMENT` for another number of axes, `AXIS`.
    pub fn permute(&self, axes: impl Into<Axes>) -> Result<Blocked<T>> {
        let axes = axes.into();
        let (list, count, _) = axes.parts()?;
        let count = count.max(0); // of all of them there is no list
        object(|out| unsafe { sys::gpuarr_blocked_transpose(out, self.as_ptr(), count, list) })
            .map(Blocked::own)
    }

    /// Brings the ghost cells of all blocks up to date, corners too. Collective.
    ///
    /// # Errors
    /// `OUT_OF_MEMORY`, `PEER`, `TIMEOUT`, `MISMATCH`, `DRIVER`.
    pub fn exchange_halo(&mut self) -> Result<()> {
        check(unsafe { sys::gpuarr_halo_exchange(self.as_ptr()) })
    }

    /// Begins the same, and lets the places go on meanwhile: work may read the blocks, and neither
    /// write them nor touch ghost cells. Collective; so is the end.
    ///
    /// ```
    /// use gpuarr::{Blocks, Boundary, Halo, Team};
    /// # fn main() -> gpuarr::Result<()> {
    /// let halo = Halo::new(1).boundary(Boundary::Periodic);
    /// let x = Team::local_of(2)?.arange::<i32>(&Blocks::new(8).chunk(4).halo(halo), 0, 1)?;
    /// let exchange = x.begin_halo()?;
    /// // work on what needs no ghost cells
    /// exchange.end()?; // or drop it
    /// assert_eq!(x.local_with_halo(0)?.to_vec()?, [7, 0, 1, 2, 3, 4]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Blocked::exchange_halo`].
    pub fn begin_halo(&self) -> Result<HaloExchange<'_, T>> {
        check(unsafe { sys::gpuarr_halo_begin(self.as_ptr()) })?;
        Ok(HaloExchange { blocked: self })
    }
}

/// What an index is for C, where one that is too large is no index either.
fn wide(index: usize) -> i64 {
    i64::try_from(index).unwrap_or(i64::MAX)
}

impl<T: Content> Blocked<T> {
    /// Takes over a reference of C's.
    ///
    /// # Safety
    /// `raw` is a live blocked array of a team that this thread uses, and the caller owns the
    /// reference.
    ///
    /// # Errors
    /// `DTYPE` if its elements are no `T`; the reference is released then.
    pub unsafe fn from_raw(raw: NonNull<sys::gpuarr_blocked>) -> Result<Blocked<T>> {
        AnyBlocked::own(raw).downcast()
    }
}

impl AnyBlocked {
    /// The array as one of a type.
    ///
    /// # Errors
    /// `DTYPE` if its elements are not of that type.
    pub fn downcast<T: Content>(self) -> Result<Blocked<T>> {
        match T::WANTED {
            Some(wanted) if wanted != self.dtype() => Err(Error::new(
                Status::DTYPE,
                format!("an array of {} is wanted here, and this one is {}", wanted, self.dtype()),
            )),
            _ => Ok(self.typed()),
        }
    }

    /// The same as an array of the type that it is known to be of.
    pub(crate) fn typed<T>(self) -> Blocked<T> {
        Blocked::own(self.into_raw())
    }
}

/// An exchange of ghost cells under way: see [`Blocked::begin_halo`]. It ends when this is dropped,
/// at the latest, and the error of that is lost.
#[derive(Debug)]
#[must_use = "the exchange ends when this is dropped"]
pub struct HaloExchange<'a, T> {
    blocked: &'a Blocked<T>,
}

impl<T> HaloExchange<'_, T> {
    /// Ends it: work that is given to the places from now on sees the ghost cells. Collective.
    ///
    /// # Errors
    /// As [`Blocked::exchange_halo`].
    pub fn end(self) -> Result<()> {
        let blocked = ManuallyDrop::new(self).blocked;
        check(unsafe { sys::gpuarr_halo_end(blocked.as_ptr()) })
    }
}

impl<T> Drop for HaloExchange<'_, T> {
    fn drop(&mut self) {
        unsafe { sys::gpuarr_halo_end(self.blocked.as_ptr()) };
    }
}

/// Type, shape and grid: elements would have to be waited for.
impl<T> fmt::Debug for Blocked<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Blocked({}, {:?} in {:?} blocks)", self.dtype(), self.shape(), self.grid())
    }
}
