//! Copies: from and to the host, between dtypes, orders, arrays and devices.
use std::mem;
use std::ptr;

use gpuarr_sys as sys;

use crate::arg::Arg;
use crate::array::{AnyArray, Array};
use crate::create::check_count;
use crate::device::Device;
use crate::dtype::DType;
use crate::element::Element;
use crate::error::{check, object, Error, Result, Status};
use crate::shape::Order;

/// Copies on devices. They work in the thread's current stream, and fail with `OUT_OF_MEMORY`,
/// `DRIVER`, and on a GPU with compile errors.
impl<T> Array<T> {
    /// The elements in memory of their own, in the order that they lie in now.
    ///
    /// # Errors
    /// As all of these.
    pub fn copy(&self) -> Result<Array<T>> {
        self.copy_in(Order::K)
    }

    /// The elements in memory of their own, in an order.
    ///
    /// # Errors
    /// As all of these.
    pub fn copy_in(&self, order: Order) -> Result<Array<T>> {
        object(|out| unsafe {
            sys::gpuarr_array_copy(out, self.as_ptr(), order.code(), ptr::null_mut())
        })
        .map(Array::own)
    }

    /// An array whose elements lie in an order: another handle of this one where they do, else a
    /// copy.
    ///
    /// # Errors
    /// As all of these.
    pub fn contiguous(&self, order: Order) -> Result<Array<T>> {
        object(|out| unsafe {
            sys::gpuarr_array_contiguous(out, self.as_ptr(), order.code(), ptr::null_mut())
        })
        .map(Array::own)
    }

    /// A copy in another type, by C's rules of conversion, which are those of `as` but that a float
    /// outside of an integer's range has no defined value, and that complex to real drops the
    /// imaginary part.
    ///
    /// # Errors
    /// As all of these.
    pub fn astype<U: Element>(&self) -> Result<Array<U>> {
        Ok(Array::own(self.astype_of(U::DTYPE)?.into_raw()))
    }

    /// As [`Array::astype`], to a type that is known when the program runs.
    ///
    /// # Errors
    /// As all of these, and `DTYPE`.
    pub fn astype_of(&self, dtype: DType) -> Result<AnyArray> {
        object(|out| unsafe {
            sys::gpuarr_array_astype(out, self.as_ptr(), dtype.code(), ptr::null_mut())
        })
        .map(Array::own)
    }

    /// Copies the elements of another array, broadcast to this one's shape and converted to its
    /// dtype. The two may be on different devices, and may share memory.
    ///
    /// # Errors
    /// As all of these, `BROADCAST`, and `OVERLAP` for a target that is broadcast itself.
    pub fn assign<U>(&mut self, source: &Array<U>) -> Result<()> {
        check(unsafe { sys::gpuarr_array_assign(self.as_ptr(), source.as_ptr(), ptr::null_mut()) })
    }

    /// Sets all elements to a scalar.
    ///
    /// # Errors
    /// As all of these, `DTYPE` if the type cannot hold it, and `OVERLAP` for an array that is
    /// broadcast.
    pub fn fill<'a>(&mut self, value: impl Into<Arg<'a>>) -> Result<()> {
        let value = value.into().raw();
        check(unsafe { sys::gpuarr_array_fill(self.as_ptr(), value, ptr::null_mut()) })
    }

    /// A copy on a device, in the same order; on its own device it is a copy too.
    ///
    /// # Errors
    /// As all of these.
    pub fn to_device(&self, device: Device) -> Result<Array<T>> {
        object(|out| unsafe {
            let stream = ptr::null_mut();
            sys::gpuarr_array_to_device(out, self.as_ptr(), device.as_ptr(), stream)
        })
        .map(Array::own)
    }
}

/// To and from the host. The copies are done when the calls return, after the work that the
/// thread's current stream was given before; [`Pinned`](crate::Pinned) is for copies that go on.
impl<T: Element> Array<T> {
    /// The elements in C order of their indices.
    ///
    /// # Errors
    /// `DRIVER`, and what work before it in the stream came to: `FAULT`, `ASSERT`.
    pub fn to_vec(&self) -> Result<Vec<T>> {
        let count = self.len();
        let mut elements = Vec::with_capacity(count);
        unsafe {
            self.read(elements.as_mut_ptr())?;
            elements.set_len(count);
        }
        Ok(elements)
    }

    /// The element of an array that has just one.
    ///
    /// # Errors
    /// As [`Array::to_vec`], and `SHAPE` for another number of elements.
    pub fn item(&self) -> Result<T> {
        if self.len() != 1 {
            let message = format!("one element is asked for, and the shape is {:?}", self.shape());
            return Err(Error::new(Status::SHAPE, message));
        }
        let mut element = mem::MaybeUninit::uninit();
        unsafe {
            self.read(element.as_mut_ptr())?;
            Ok(element.assume_init())
        }
    }

    /// Copies the elements, in C order of their indices, to a slice that has just as many.
    ///
    /// # Errors
    /// As [`Array::to_vec`], and `SHAPE` for a slice of another length.
    pub fn copy_to_slice(&self, to: &mut [T]) -> Result<()> {
        check_count("the slice", to.len(), self.shape())?;
        unsafe { self.read(to.as_mut_ptr()) }
    }

    /// Copies elements from a slice that has just as many, in C order of their indices.
    ///
    /// # Errors
    /// `SHAPE` for a slice of another length, `OVERLAP` for an array that is broadcast,
    /// `OUT_OF_MEMORY`, `DRIVER`.
    pub fn copy_from_slice(&mut self, from: &[T]) -> Result<()> {
        check_count("the slice", from.len(), self.shape())?;
        check(unsafe {
            let (data, bytes) = (from.as_ptr().cast(), mem::size_of_val(from) as i64);
            sys::gpuarr_array_write(self.as_ptr(), ptr::null(), data, bytes, ptr::null_mut())
        })
    }

    /// # Safety
    /// As many elements as there are may be written at `first`.
    unsafe fn read(&self, first: *mut T) -> Result<()> {
        let (data, bytes) = (first.cast(), (self.len() * mem::size_of::<T>()) as i64);
        check(sys::gpuarr_array_read(data, bytes, ptr::null(), self.as_ptr(), ptr::null_mut()))?;
        T::make_valid(first, self.len());
        Ok(())
    }
}
