//! Closures that the library calls. A panic in one never crosses C.
use std::any::Any;
use std::ffi::CString;
use std::os::raw::c_void;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::sync::{Arc, Mutex, MutexGuard};

use gpuarr_sys as sys;

use crate::error::{Error, Result};

/// What a panic was given.
fn panic_text(payload: &(dyn Any + Send)) -> String {
    match (payload.downcast_ref::<&str>(), payload.downcast_ref::<String>()) {
        (Some(text), _) => text.to_string(),
        (_, Some(text)) => text.clone(),
        _ => "(no text)".to_string(),
    }
}

/// Runs `body`; the text of a panic in it is the error. The panic hook has told of it by then.
pub(crate) fn caught<R>(body: impl FnOnce() -> R) -> std::result::Result<R, String> {
    catch_unwind(AssertUnwindSafe(body)).map_err(|payload| {
        let text = panic_text(&*payload);
        // A payload's own Drop may panic too.
        std::mem::forget(catch_unwind(AssertUnwindSafe(|| drop(payload))));
        text
    })
}

/// Functions by number. C gets the number: it may call a function a moment after that was taken
/// away, and then finds nothing.
pub(crate) struct Registry<F: ?Sized> {
    entries: Mutex<Entries<F>>,
}

struct Entries<F: ?Sized> {
    last: usize,
    functions: Vec<(usize, Arc<F>)>,
}

impl<F: ?Sized> Registry<F> {
    pub(crate) const fn new() -> Self {
        Registry { entries: Mutex::new(Entries { last: 0, functions: Vec::new() }) }
    }

    fn lock(&self) -> MutexGuard<'_, Entries<F>> {
        // No function of a user's runs under the lock, so what a panic left behind is whole.
        self.entries.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Adds a function and gives what C has to hand back, which is never null.
    pub(crate) fn add(&self, function: Arc<F>) -> *mut c_void {
        let mut entries = self.lock();
        entries.last += 1;
        let number = entries.last;
        entries.functions.push((number, function));
        number as *mut c_void
    }

    /// The function of a number, if it is still there.
    pub(crate) fn get(&self, user: *mut c_void) -> Option<Arc<F>> {
        let entries = self.lock();
        let found = entries.functions.iter().find(|(number, _)| *number == user as usize);
        found.map(|(_, function)| Arc::clone(function))
    }

    /// Takes a function away.
    pub(crate) fn remove(&self, user: *mut c_void) -> Option<Arc<F>> {
        let mut entries = self.lock();
        let at = entries.functions.iter().position(|(number, _)| *number == user as usize)?;
        Some(entries.functions.swap_remove(at).1)
    }
}

/// Lets C tell others, on other places too, why a closure failed.
fn set_last_error(message: &str) {
    let text = CString::new(message.replace('\0', " ")).unwrap_or_default();
    unsafe { sys::gpuarr_set_last_error(text.as_ptr()) }
}

/// What a closure that C calls on this thread left behind: its error, or its panic.
#[derive(Default)]
pub(crate) struct Kept {
    pub(crate) error: Option<Error>,
    pub(crate) panic: Option<Box<dyn Any + Send>>,
}

impl Kept {
    /// Calls it for C, and gives a status.
    pub(crate) fn call(&mut self, body: impl FnOnce() -> Result<()>) -> i32 {
        match catch_unwind(AssertUnwindSafe(body)) {
            Ok(Ok(())) => sys::GPUARR_OK,
            Ok(Err(error)) => {
                let code = error.status.code();
                set_last_error(&error.message);
                self.error = Some(error);
                code
            }
            Err(panic) => {
                set_last_error(&format!("a panic: {}", panic_text(&*panic)));
                self.panic = Some(panic);
                sys::GPUARR_ERR_ARGUMENT
            }
        }
    }

    /// What the call that ran it came to, after C's frames are left.
    pub(crate) fn result<T>(self, result: Result<T>) -> Result<T> {
        match (self.panic, self.error) {
            (Some(panic), _) => resume_unwind(panic),
            (_, Some(error)) => Err(error),
            _ => result,
        }
    }
}
