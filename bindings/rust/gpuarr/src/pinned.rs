//! Page-locked memory of the host, and copies that go on after the call.
use std::ffi::c_void;
use std::fmt;
use std::mem;
use std::ops::{Deref, DerefMut};
use std::ptr::{self, NonNull};
use std::slice;

use gpuarr_sys as sys;

use crate::array::Array;
use crate::create::check_count;
use crate::device::Device;
use crate::element::Element;
use crate::error::{check, Error, Result, Status};
use crate::event::Event;
use crate::stream::Stream;

/// Elements in pinned (page-locked) host memory, which a device copies from and to on its own: a
/// slice, from a pool of the device's. On the CPU device it is ordinary memory.
pub struct Pinned<T: Element> {
    first: NonNull<T>,
    count: usize,
    device: Device,
}

// It owns its elements as a Vec does; pinned.h is "@threadsafe".
unsafe impl<T: Element> Send for Pinned<T> {}
unsafe impl<T: Element> Sync for Pinned<T> {}

impl<T: Element> Pinned<T> {
    /// So many zeros. Such memory is slow to make, and kept when it is given back.
    ///
    /// # Errors
    /// `OUT_OF_MEMORY`, `DRIVER`.
    pub fn zeros(device: Device, count: usize) -> Result<Pinned<T>> {
        let bytes = i64::try_from(count)
            .ok()
            .and_then(|count| count.checked_mul(mem::size_of::<T>() as i64))
            .unwrap_or(i64::MAX);
        let mut out: *mut c_void = ptr::null_mut();
        check(unsafe { sys::gpuarr_pinned_allocate(&mut out, device.as_ptr(), bytes) })?;
        // "its address, a multiple of 512; NULL ... for 0 bytes". All zeros is a value of every T.
        let (first, count) = match NonNull::new(out.cast::<T>()) {
            Some(first) => (first, count),
            None => (NonNull::dangling(), 0),
        };
        unsafe { first.as_ptr().write_bytes(0, count) };
        Ok(Pinned { first, count, device })
    }

    /// That a copy of an array's elements can be given to the device, once, with this memory.
    fn check_copy(&self, array: &Array<T>) -> Result<()> {
        check_count("the memory", self.count, array.shape())?;
        let device = array.device();
        // "It is for all devices of the device's kind": others would not keep it for their copies.
        if device.kind() != self.device.kind() {
            let message = format!("memory of {}, an array on {}", self.device, device);
            return Err(Error::new(Status::DEVICE, message));
        }
        if Stream::current(device)?.is_capturing()? {
            let message = "a copy of page-locked memory is asked for in a capture: a graph would \
                do it at each launch, when the memory is whoever's";
            return Err(Error::new(Status::UNSUPPORTED, message));
        }
        Ok(())
    }
}

impl<T: Element> Deref for Pinned<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        unsafe { slice::from_raw_parts(self.first.as_ptr(), self.count) }
    }
}

impl<T: Element> DerefMut for Pinned<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        unsafe { slice::from_raw_parts_mut(self.first.as_ptr(), self.count) }
    }
}

impl<T: Element> Drop for Pinned<T> {
    fn drop(&mut self) {
        if self.count > 0 {
            // Never waits: copies may still run, and it is handed out again when they are done.
            unsafe { sys::gpuarr_pinned_free(self.device.as_ptr(), self.first.as_ptr().cast()) };
        }
    }
}

impl<T: Element> fmt::Debug for Pinned<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

/// Page-locked memory that a copy still uses. To drop it is fine: the library keeps the memory
/// until the copy is done.
#[derive(Debug)]
#[must_use = "the memory comes back by wait()"]
pub struct Pending<T: Element> {
    memory: Pinned<T>,
    copied: Event,
}

impl<T: Element> Pending<T> {
    /// Waits for the copy, and gives the memory back.
    ///
    /// # Errors
    /// `DRIVER`, and what work before it in the stream came to: `FAULT`, `ASSERT`.
    pub fn wait(self) -> Result<Pinned<T>> {
        let Pending { memory, copied } = self;
        copied.synchronize()?;
        unsafe { T::make_valid(memory.first.as_ptr(), memory.count) };
        Ok(memory)
    }

    /// Whether the copy is done.
    ///
    /// # Errors
    /// `DRIVER`.
    pub fn is_done(&self) -> Result<bool> {
        self.copied.is_done()
    }
}

impl<T: Element> Array<T> {
    /// Copies elements from pinned memory, in C order of their indices and in the order of the
    /// thread's current stream, and returns before that is done.
    ///
    /// # Errors
    /// `SHAPE` for another number of elements, `DEVICE` for memory of another kind of device,
    /// `UNSUPPORTED` in a capture, `OVERLAP`, `OUT_OF_MEMORY`, `DRIVER`.
    pub fn copy_from_pinned(&mut self, from: Pinned<T>) -> Result<Pending<T>> {
        from.check_copy(self)?;
        let mut copied = Event::untimed(self.device())?;
        check(unsafe {
            let (data, stream) = (from.first.as_ptr().cast(), ptr::null_mut());
            let bytes = (from.count * mem::size_of::<T>()) as i64;
            sys::gpuarr_array_write_async(self.as_ptr(), ptr::null(), data, bytes, stream)
        })?;
        copied.record()?;
        Ok(Pending { memory: from, copied })
    }

    /// Copies the elements to pinned memory, in C order of their indices and in the order of
    /// the thread's current stream, and returns before that is done.
    ///
    /// # Errors
    /// As [`Array::copy_from_pinned`].
    pub fn copy_to_pinned(&self, to: Pinned<T>) -> Result<Pending<T>> {
        to.check_copy(self)?;
        let mut copied = Event::untimed(self.device())?;
        check(unsafe {
            let (data, stream) = (to.first.as_ptr().cast(), ptr::null_mut());
            let bytes = (to.count * mem::size_of::<T>()) as i64;
            sys::gpuarr_array_read_async(data, bytes, ptr::null(), self.as_ptr(), stream)
        })?;
        copied.record()?;
        Ok(Pending { memory: to, copied })
    }
}
