//! Exchange with other libraries, without a copy: arrays around their memory, and DLPack.
use std::ffi::c_void;
use std::ptr::{self, NonNull};

use gpuarr_sys as sys;

use crate::array::{AnyArray, Array};
use crate::callback::caught;
use crate::device::Device;
use crate::element::{Content, Element};
use crate::error::{object, Result};
use crate::shape::Shape;
use crate::stream::Stream;

type Deleter = Box<dyn FnOnce() + Send>;

unsafe extern "C" fn run_deleter(user: *mut c_void) {
    let deleter = *Box::from_raw(user.cast::<Deleter>());
    let _ = caught(deleter);
}

impl<T: Element> Array<T> {
    /// Creates an array around memory that another library or the program owns. `give_back` is
    /// called once, on any thread: when the last view is dropped and the library's work with the
    /// memory is done, which that drop waits for. A panic in it is caught. If this fails, it is
    /// dropped without being called.
    ///
    /// # Safety
    /// `first` is the element with all indices 0, aligned, of memory that the device can use: on
    /// the CPU any, on a GPU its own, managed or registered memory. All elements of that shape and
    /// those strides (in elements, any; `None` for the shape's own order) lie in it, and it stays
    /// until `give_back` is called. Others touch it in the order of streams only.
    ///
    /// # Errors
    /// `ARGUMENT` (null, alignment), `SHAPE`, `DEVICE` (memory that the device cannot use),
    /// `DRIVER`.
    pub unsafe fn wrap(
        device: Device,
        first: *mut T,
        shape: impl Into<Shape>,
        strides: Option<&[i64]>,
        give_back: impl FnOnce() + Send + 'static,
    ) -> Result<Array<T>> {
        let shape = shape.into();
        let (extents, own) = (shape.extents()?, shape.strides());
        let strides = strides.or(own.as_ref().map(|own| &own[..extents.len()]));
        if let Some(strides) = strides {
            crate::create::check_count("strides", strides.len(), &[extents.len() as i64])?;
        }
        let deleter: Deleter = Box::new(give_back);
        let user = Box::into_raw(Box::new(deleter));
        let array = object(|out| {
            sys::gpuarr_array_wrap(
                out,
                device.as_ptr(),
                T::DTYPE.code(),
                extents.len() as i32,
                extents.as_ptr(),
                strides.map_or(ptr::null(), |strides| strides.as_ptr()),
                first.cast(),
                0,
                Some(run_deleter),
                user.cast(),
            )
        });
        if array.is_err() {
            drop(Box::from_raw(user));
        }
        array.map(Array::own)
    }
}

impl<T: Content> Array<T> {
    /// Hands the array to another library as a DLPack tensor of version 1: the same memory, which
    /// stays until the tensor's `deleter` is called, by who takes it. `consumer`, the stream that
    /// will use it, or the current one, waits for the work that the library was given with the
    /// array.
    ///
    /// # Errors
    /// `DEVICE`, `OUT_OF_MEMORY`, `DRIVER`.
    pub fn to_dlpack(
        &self,
        consumer: Option<&Stream>,
    ) -> Result<NonNull<sys::DLManagedTensorVersioned>> {
        let consumer = consumer.map_or(ptr::null_mut(), Stream::as_ptr);
        object(|out| unsafe { sys::gpuarr_array_to_dlpack(out, self.as_ptr(), consumer) })
    }

    /// Creates an array of a DLPack tensor, around the same memory, on the device that the tensor
    /// names; its deleter is called when the last view is gone. `producer` is a stream in which the
    /// elements are still computed. On failure the tensor is still the caller's.
    ///
    /// # Safety
    /// `tensor` is a live tensor, as its fields say, that has no other owner; its memory is written
    /// by others in the order of streams only.
    ///
    /// # Errors
    /// `DTYPE` if its elements are no `T`, or of a type that arrays have not; `ARGUMENT`, `SHAPE`,
    /// `DEVICE`, `UNSUPPORTED` (the version), `NO_DEVICE`, `NO_DRIVER`, `DRIVER`.
    pub unsafe fn from_dlpack(
        tensor: NonNull<sys::DLManagedTensorVersioned>,
        producer: Option<&Stream>,
    ) -> Result<Array<T>> {
        let producer = producer.map_or(ptr::null_mut(), Stream::as_ptr);
        let array = object(|out| {
            sys::gpuarr_array_from_dlpack(out, tensor.as_ptr(), ptr::null_mut(), producer)
        })?;
        AnyArray::own(array).downcast()
    }
}
