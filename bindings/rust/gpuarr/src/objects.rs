//! The library's version, and its objects that live.
use gpuarr_sys as sys;

use crate::error::{check, static_text, Result};

/// Version of the linked library: `"0.1.0"`.
pub fn version() -> &'static str {
    static_text(unsafe { sys::gpuarr_version() })
}

/// How many objects of the library were made and not yet released; 0 means no leak.
pub fn live_objects() -> i64 {
    unsafe { sys::gpuarr_live_objects() }
}

/// Starts or stops to remember where each object is made, as `GPUARR_OBJECTS=track` does.
///
/// # Errors
/// None that is known.
pub fn track_objects(on: bool) -> Result<()> {
    check(unsafe { sys::gpuarr_objects_track(on as i32) })
}

/// Lists the live objects that were made while they were tracked, a line for each.
pub fn objects_report() -> String {
    let capacity = unsafe { sys::gpuarr_objects_report(std::ptr::null_mut(), 0) } + 1;
    let mut list = vec![0u8; capacity as usize];
    let length = unsafe { sys::gpuarr_objects_report(list.as_mut_ptr().cast(), capacity) };
    // It may have grown or shrunk in between.
    list.truncate(length.min(capacity - 1) as usize);
    String::from_utf8_lossy(&list).into_owned()
}
