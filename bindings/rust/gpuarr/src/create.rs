//! New arrays.
use gpuarr_sys as sys;

use crate::arg::Arg;
use crate::array::{AnyArray, Array};
use crate::device::Device;
use crate::dtype::DType;
use crate::element::Element;
use crate::error::{object, Error, Result, Status};
use crate::shape::{Order, Shape};

/// Arrays on a device of choice. Memory is in the order of the thread's current stream of the
/// device. All of these fail with `SHAPE`, `OUT_OF_MEMORY` or `DRIVER`, and with `DTYPE` for a
/// value that the type cannot hold.
impl Device {
    /// An array of elements of the host: `data` has as many as `shape` says, in the shape's order,
    /// and is read before the call returns.
    ///
    /// # Errors
    /// `SHAPE` if the number of elements is another.
    pub fn array<T: Element>(&self, data: &[T], shape: impl Into<Shape>) -> Result<Array<T>> {
        let shape = shape.into();
        check_count("data", data.len(), shape.extents()?)?;
        let strides = shape.strides();
        let strides = strides.as_ref().map(|s| &s[..]);
        unsafe { self.upload(data.as_ptr(), std::mem::size_of_val(data), shape, strides) }
    }

    /// # Safety
    /// The elements of that shape and those strides lie in memory of that many bytes that may be
    /// read.
    pub(crate) unsafe fn upload<T: Element>(
        &self,
        first: *const T,
        bytes: usize,
        shape: Shape,
        strides: Option<&[i64]>,
    ) -> Result<Array<T>> {
        let extents = shape.extents()?;
        let strides = strides.map_or(std::ptr::null(), |strides| strides.as_ptr());
        object(|out| {
            sys::gpuarr_array_from_host(
                out,
                self.as_ptr(),
                T::DTYPE.code(),
                extents.len() as i32,
                extents.as_ptr(),
                strides,
                first.cast(),
                bytes as i64,
                std::ptr::null_mut(),
            )
        })
        .map(Array::own)
    }

    /// An array whose elements are whatever was in memory.
    ///
    /// # Errors
    /// As all of these.
    pub fn empty<T: Element>(&self, shape: impl Into<Shape>) -> Result<Array<T>> {
        Ok(self.made(sys::gpuarr_array_empty, T::DTYPE, shape.into())?.typed())
    }

    /// An array of zeros.
    ///
    /// # Errors
    /// As all of these.
    pub fn zeros<T: Element>(&self, shape: impl Into<Shape>) -> Result<Array<T>> {
        Ok(self.made(sys::gpuarr_array_zeros, T::DTYPE, shape.into())?.typed())
    }

    /// An array of ones.
    ///
    /// # Errors
    /// As all of these.
    pub fn ones<T: Element>(&self, shape: impl Into<Shape>) -> Result<Array<T>> {
        Ok(self.made(sys::gpuarr_array_ones, T::DTYPE, shape.into())?.typed())
    }

    /// An array of zeros whose type is known when the program runs.
    ///
    /// # Errors
    /// As all of these, and `DTYPE`.
    pub fn zeros_of(&self, dtype: DType, shape: impl Into<Shape>) -> Result<AnyArray> {
        self.made(sys::gpuarr_array_zeros, dtype, shape.into())
    }

    fn made(
        &self,
        make: unsafe extern "C" fn(
            *mut *mut sys::gpuarr_array,
            *mut sys::gpuarr_device,
            i32,
            i32,
            *const i64,
            i32,
            *mut sys::gpuarr_stream,
        ) -> i32,
        dtype: DType,
        shape: Shape,
    ) -> Result<AnyArray> {
        let extents = shape.extents()?;
        let (ndim, order) = (extents.len() as i32, new_order(&shape));
        let stream = std::ptr::null_mut();
        object(|out| unsafe {
            make(out, self.as_ptr(), dtype.code(), ndim, extents.as_ptr(), order, stream)
        })
        .map(Array::own)
    }

    /// An array whose elements all have one value.
    ///
    /// # Errors
    /// As all of these.
    pub fn full<'a, T: Element>(
        &self,
        shape: impl Into<Shape>,
        value: impl Into<Arg<'a>>,
    ) -> Result<Array<T>> {
        let (shape, value) = (shape.into(), value.into().raw());
        let extents = shape.extents()?;
        let (ndim, order) = (extents.len() as i32, new_order(&shape));
        let (dtype, stream) = (T::DTYPE.code(), std::ptr::null_mut());
        object(|out| unsafe {
            let shape = extents.as_ptr();
            sys::gpuarr_array_full(out, self.as_ptr(), dtype, ndim, shape, order, value, stream)
        })
        .map(Array::own)
    }

    /// The values `start`, `start + step`, `start + 2 step`, ... that lie before `stop`. Integers
    /// are computed as integers when all three are.
    ///
    /// # Errors
    /// As all of these, and `ARGUMENT` for a step of 0 or a number that is not finite.
    pub fn arange<'a, T: Element>(
        &self,
        start: impl Into<Arg<'a>>,
        stop: impl Into<Arg<'a>>,
        step: impl Into<Arg<'a>>,
    ) -> Result<Array<T>> {
        let (start, stop, step) = (start.into().raw(), stop.into().raw(), step.into().raw());
        let (dtype, stream) = (T::DTYPE.code(), std::ptr::null_mut());
        object(|out| unsafe {
            sys::gpuarr_array_arange(out, self.as_ptr(), dtype, start, stop, step, stream)
        })
        .map(Array::own)
    }

    /// `count` evenly spaced values from `start` to `stop`, both included.
    ///
    /// # Errors
    /// As all of these; `DTYPE` for integers.
    pub fn linspace<T: Element>(&self, start: f64, stop: f64, count: usize) -> Result<Array<T>> {
        let count = i64::try_from(count).unwrap_or(i64::MAX);
        let (dtype, stream) = (T::DTYPE.code(), std::ptr::null_mut());
        object(|out| unsafe {
            sys::gpuarr_array_linspace(out, self.as_ptr(), dtype, start, stop, count, 1, stream)
        })
        .map(Array::own)
    }

    /// A matrix of zeros with ones on diagonal `k`: 0 is the main one, above it positive.
    ///
    /// # Errors
    /// As all of these; `SHAPE` unless the shape has two axes.
    pub fn eye<T: Element>(&self, shape: impl Into<Shape>, k: i64) -> Result<Array<T>> {
        let shape = shape.into();
        let (dtype, order) = (T::DTYPE.code(), new_order(&shape));
        let stream = std::ptr::null_mut();
        let (rows, columns) = shape.matrix()?;
        object(|out| unsafe {
            sys::gpuarr_array_eye(out, self.as_ptr(), dtype, rows, columns, k, order, stream)
        })
        .map(Array::own)
    }
}

/// Arrays on the default device; [`Device`] has the same functions, and more, for any device.
impl<T: Element> Array<T> {
    /// As [`Device::array`].
    ///
    /// # Errors
    /// As [`Device::array`] and [`Device::default`].
    pub fn from_slice(data: &[T], shape: impl Into<Shape>) -> Result<Array<T>> {
        Device::default()?.array(data, shape)
    }

    /// As [`Device::empty`].
    ///
    /// # Errors
    /// As [`Device::empty`] and [`Device::default`].
    pub fn empty(shape: impl Into<Shape>) -> Result<Array<T>> {
        Device::default()?.empty(shape)
    }

    /// As [`Device::zeros`].
    ///
    /// # Errors
    /// As [`Device::zeros`] and [`Device::default`].
    pub fn zeros(shape: impl Into<Shape>) -> Result<Array<T>> {
        Device::default()?.zeros(shape)
    }

    /// As [`Device::ones`].
    ///
    /// # Errors
    /// As [`Device::ones`] and [`Device::default`].
    pub fn ones(shape: impl Into<Shape>) -> Result<Array<T>> {
        Device::default()?.ones(shape)
    }
}

impl AnyArray {
    /// As one of a type that it was just made with.
    fn typed<T: Element>(self) -> Array<T> {
        Array::own(self.into_raw())
    }
}

pub(crate) fn new_order(shape: &Shape) -> i32 {
    match shape.order() {
        Order::F => sys::GPUARR_ORDER_F,
        _ => sys::GPUARR_ORDER_C,
    }
}

/// That a slice of `count` elements is what a shape needs.
pub(crate) fn check_count(what: &str, count: usize, extents: &[i64]) -> Result<()> {
    let needed = extents.iter().try_fold(1i64, |product, extent| product.checked_mul(*extent));
    if needed == i64::try_from(count).ok() {
        return Ok(());
    }
    Err(Error::new(
        Status::SHAPE,
        format!(
            "{} has {} elements, and the shape {:?} takes {}",
            what,
            count,
            extents,
            needed.map_or("too many".to_string(), |needed| needed.to_string())
        ),
    ))
}
