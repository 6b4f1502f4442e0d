//! What the library does behind the calls, line by line.
use std::ffi::c_void;
use std::os::raw::c_char;
use std::sync::Arc;
use std::sync::Mutex;

use gpuarr_sys as sys;

use crate::callback::{caught, Registry};
use crate::error::{c_text, check, text, Result};

/// What a line is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Topic {
    /// Libraries opened at run time, and those that were not found.
    Library,
    /// Kernels compiled, and how long it took.
    Compile,
    /// Compiled kernels found, stored and refused.
    Cache,
    /// Memory allocated from devices and freed.
    Memory,
    /// Expressions planned, and their kernels.
    Fuse,
    /// What this version of the crate does not know.
    Other,
}

type Receiver = dyn Fn(Topic, &str) + Send + Sync;
static RECEIVERS: Registry<Receiver> = Registry::new();
/// The number of the receiver that lines go to.
static CURRENT: Mutex<Option<usize>> = Mutex::new(None);

unsafe extern "C" fn receive(user: *mut c_void, topic: i32, line: *const c_char) {
    let topic = match topic {
        sys::GPUARR_LOG_LIBRARY => Topic::Library,
        sys::GPUARR_LOG_COMPILE => Topic::Compile,
        sys::GPUARR_LOG_CACHE => Topic::Cache,
        sys::GPUARR_LOG_MEMORY => Topic::Memory,
        sys::GPUARR_LOG_FUSE => Topic::Fuse,
        _ => Topic::Other,
    };
    let _ = caught(|| {
        if let Some(receiver) = RECEIVERS.get(user) {
            receiver(topic, &text(line));
        }
    });
}

/// Chooses what is told, in place of `$GPUARR_LOG`: `"all"`, `"compile,cache"`, `"all:FILE"`; `""`
/// for nothing.
///
/// # Errors
/// `ARGUMENT` for a word that is no topic, `IO` for a file that does not open.
pub fn set(setting: &str) -> Result<()> {
    let setting = c_text("setting", setting)?;
    check(unsafe { sys::gpuarr_log_set(setting.as_ptr()) })
}

/// Sends lines to a function, and no longer to standard error or a file. It is called by whatever
/// thread does the work, even while the library holds a lock: it must neither wait nor call the
/// library, which includes the release of arrays. A panic in it is caught.
///
/// # Errors
/// None that is known.
pub fn set_receiver(receiver: impl Fn(Topic, &str) + Send + Sync + 'static) -> Result<()> {
    replace(Some(Arc::new(receiver)))
}

/// Sends lines to standard error or the file again.
///
/// # Errors
/// None that is known.
pub fn reset_receiver() -> Result<()> {
    replace(None)
}

fn replace(receiver: Option<Arc<Receiver>>) -> Result<()> {
    let mut current = CURRENT.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let user = receiver.map_or(std::ptr::null_mut(), |receiver| RECEIVERS.add(receiver));
    let function: sys::gpuarr_log_receiver = if user.is_null() { None } else { Some(receive) };
    check(unsafe { sys::gpuarr_log_set_receiver(function, user) })?;
    // "One that is replaced may be called a moment longer": it finds nothing then.
    if let Some(before) = current.take() {
        RECEIVERS.remove(before as *mut c_void);
    }
    *current = if user.is_null() { None } else { Some(user as usize) };
    Ok(())
}
