//! Arrays: what they are, and what can be asked of them.
use std::ffi::c_void;
use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ptr::NonNull;
use std::slice;

use gpuarr_sys as sys;

use crate::device::Device;
use crate::dtype::DType;
use crate::element::{Any, Content};
use crate::error::{Error, Result, Status};
use crate::shape::Order;
use crate::stream::Stream;

/// An N-dimensional array on a device, whose elements are `T`.
///
/// It is a handle: clones and views look at the same memory, which lives as long as one of them
/// does, and as long as work that uses it is still to come. So an array may be dropped right after
/// the call that it was given to. Memory goes back to the pool without waiting.
///
/// What writes takes `&mut`, so that one handle is not read and written at the same time. Work
/// through two handles of the same memory is in order where it is in one stream; in two streams it
/// is for the program to order, by events, as on every GPU.
///
/// ```
/// use gpuarr::Array;
/// # fn main() -> gpuarr::Result<()> {
/// let x = Array::from_slice(&[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], [2, 3])?;
/// let first_column = x.select(1, 0)?; // a view: nothing is copied
/// assert_eq!(x.shape(), [2, 3]);
/// assert_eq!(first_column.to_vec()?, [1.0, 4.0]);
/// assert_eq!(x.sum(0).to_vec()?, [5.0, 7.0, 9.0]);
/// # Ok(())
/// # }
/// ```
///
/// What C calls a second release, or a use after the last one, does not compile:
///
/// ```compile_fail,E0382
/// let x = gpuarr::Array::<f32>::zeros([3]).unwrap();
/// drop(x);
/// x.to_vec().unwrap(); // use of moved value
/// ```
///
/// ```compile_fail,E0502
/// let mut x = gpuarr::Array::<f32>::zeros([3]).unwrap();
/// let shape = x.shape(); // borrowed from x
/// x.fill(1.0f32).unwrap(); // cannot borrow as mutable
/// println!("{:?}", shape);
/// ```
#[repr(transparent)]
pub struct Array<T> {
    raw: NonNull<sys::gpuarr_array>,
    elements: PhantomData<fn() -> T>,
}

/// An array whose elements' type is known when the program runs. [`AnyArray::downcast`] makes it
/// one of a type, [`Array::into_any`] is the way back.
pub type AnyArray = Array<Any>;

// arg.h: "Arrays are not locked: calls that touch one array from several threads need the caller's
// care, except retain and release." Send: every function of array.h, view.h and transfer.h may be
// called from any thread. Sync: what only reads is "@threadsafe" and takes &self; what is
// "@externalsync the array" (write, fill, assign) takes &mut self, which is the caller's care. No
// reference to elements is ever given out.
unsafe impl<T> Send for Array<T> {}
unsafe impl<T> Sync for Array<T> {}

impl<T> Drop for Array<T> {
    fn drop(&mut self) {
        unsafe { sys::gpuarr_array_release(self.as_ptr()) }
    }
}

impl<T> Clone for Array<T> {
    /// Another handle of the same elements; [`Array::copy`] copies them.
    fn clone(&self) -> Self {
        unsafe { sys::gpuarr_array_retain(self.as_ptr()) };
        Self::own(self.raw)
    }
}

impl<T> Array<T> {
    pub(crate) fn own(raw: NonNull<sys::gpuarr_array>) -> Self {
        Array { raw, elements: PhantomData }
    }

    /// C's array, valid as long as `self`.
    #[inline]
    pub fn as_ptr(&self) -> *mut sys::gpuarr_array {
        self.raw.as_ptr()
    }

    /// Hands the reference to the caller, who has to release it.
    pub fn into_raw(self) -> NonNull<sys::gpuarr_array> {
        ManuallyDrop::new(self).raw
    }

    /// Extents of the axes.
    pub fn shape(&self) -> &[i64] {
        self.numbers(unsafe { sys::gpuarr_array_shape(self.as_ptr()) })
    }

    /// Strides of the axes, in elements; they may be negative or 0.
    pub fn strides(&self) -> &[i64] {
        self.numbers(unsafe { sys::gpuarr_array_strides(self.as_ptr()) })
    }

    // "gpuarr_array_ndim values, borrowed from the array": they never change.
    fn numbers(&self, first: *const i64) -> &[i64] {
        match self.ndim() {
            0 => &[],
            count => unsafe { slice::from_raw_parts(first, count) },
        }
    }

    /// Number of axes.
    pub fn ndim(&self) -> usize {
        unsafe { sys::gpuarr_array_ndim(self.as_ptr()) as usize }
    }

    /// Number of elements: the product of the extents.
    pub fn len(&self) -> usize {
        unsafe { sys::gpuarr_array_size(self.as_ptr()) as usize }
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Type of the elements.
    pub fn dtype(&self) -> DType {
        DType(unsafe { sys::gpuarr_array_dtype(self.as_ptr()) })
    }

    /// The device that it is on.
    pub fn device(&self) -> Device {
        let raw = unsafe { sys::gpuarr_array_device(self.as_ptr()) };
        // NULL is for a NULL array only.
        Device::from_ptr(raw).unwrap_or_else(|| unreachable!("an array has a device"))
    }

    /// Address of the element with all indices 0, on the array's device; null if there are no
    /// elements. Work in streams may still be writing there.
    pub fn data_ptr(&self) -> *mut c_void {
        unsafe { sys::gpuarr_array_data(self.as_ptr()) }
    }

    /// Whether the elements lie one after the other in an order; [`Order::K`] is any order of axes.
    pub fn is_contiguous(&self, order: Order) -> bool {
        unsafe { sys::gpuarr_array_is_contiguous(self.as_ptr(), order.code()) != 0 }
    }

    /// Whether the library refuses to write to it: an imported array whose owner said so, or a view
    /// of one.
    pub fn is_read_only(&self) -> bool {
        unsafe { sys::gpuarr_array_is_read_only(self.as_ptr()) != 0 }
    }

    /// The stream in whose order its memory is; `None` for memory that is in no stream's order.
    ///
    /// # Errors
    /// `OUT_OF_MEMORY`.
    pub fn stream(&self) -> Result<Option<Stream>> {
        let mut out = std::ptr::null_mut();
        crate::error::check(unsafe { sys::gpuarr_array_stream(&mut out, self.as_ptr()) })?;
        Ok(NonNull::new(out).map(Stream::own))
    }

    /// The same array, with the type of its elements known only when the program runs.
    pub fn into_any(self) -> AnyArray {
        Array::own(self.into_raw())
    }

    /// As [`Array::into_any`], of a borrowed array.
    pub fn as_any(&self) -> &AnyArray {
        // repr(transparent), with the same content but for the name of a type.
        unsafe { &*(self as *const Array<T> as *const AnyArray) }
    }
}

impl<T: Content> Array<T> {
    /// Takes over a reference of C's.
    ///
    /// # Safety
    /// `raw` is a live array, and the caller owns the reference.
    ///
    /// # Errors
    /// `DTYPE` if its elements are no `T`; the reference is released then.
    pub unsafe fn from_raw(raw: NonNull<sys::gpuarr_array>) -> Result<Array<T>> {
        AnyArray::own(raw).downcast()
    }
}

impl AnyArray {
    /// The array as one of a type; [`Array::astype`] converts elements.
    ///
    /// # Errors
    /// `DTYPE` if its elements are not of that type.
    pub fn downcast<T: Content>(self) -> Result<Array<T>> {
        match T::WANTED {
            Some(wanted) if wanted != self.dtype() => Err(Error::new(
                Status::DTYPE,
                format!("an array of {} is wanted here, and this one is {}", wanted, self.dtype()),
            )),
            _ => Ok(Array::own(self.into_raw())),
        }
    }
}

/// Type, shape and device: elements would have to be waited for.
impl<T> fmt::Debug for Array<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Array({}, {:?}, on {})", self.dtype(), self.shape(), self.device())
    }
}
