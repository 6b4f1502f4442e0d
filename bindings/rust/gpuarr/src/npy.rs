//! NumPy's files: `.npy`.
use std::path::Path;

use gpuarr_sys as sys;

use crate::array::{AnyArray, Array};
use crate::device::Device;
use crate::error::{c_path, check, object, Result};

/// Loads an array, in the file's memory order; [`AnyArray::downcast`] makes it one of a type.
///
/// # Errors
/// `IO`, `FORMAT`, `DTYPE` (one that the library lacks), `SHAPE`, `OUT_OF_MEMORY`, `DRIVER`.
pub fn load(path: impl AsRef<Path>, device: Device) -> Result<AnyArray> {
    let path = c_path(path.as_ref())?;
    object(|out| unsafe {
        sys::gpuarr_npy_load(out, device.as_ptr(), path.as_ptr(), std::ptr::null_mut())
    })
    .map(Array::own)
}

/// Saves an array, in Fortran order if it is, else in C order. It is written beside its place and
/// renamed, so that a call that fails leaves what was there before.
///
/// # Errors
/// `IO`, `DTYPE` (bfloat16, which NumPy lacks), `OUT_OF_MEMORY`, `DRIVER`.
pub fn save<T>(path: impl AsRef<Path>, array: &Array<T>) -> Result<()> {
    let path = c_path(path.as_ref())?;
    check(unsafe { sys::gpuarr_npy_save(path.as_ptr(), array.as_ptr(), std::ptr::null_mut()) })
}
