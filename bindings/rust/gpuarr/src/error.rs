//! What went wrong: a status, the library's whole message, the driver's code.
use std::ffi::{CStr, CString};
use std::fmt;
use std::path::Path;
use std::ptr::{self, NonNull};

use gpuarr_sys as sys;

use crate::memory;

/// A result whose error is an [`Error`].
pub type Result<T> = std::result::Result<T, Error>;

/// What a call came to. The set is open: a newer library may have values that are not named here.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Status(i32);

macro_rules! statuses {
    ($($name:ident = $code:ident, $meaning:literal;)*) => {
        impl Status {
            $(#[doc = $meaning] pub const $name: Status = Status(sys::$code);)*
        }
    };
}

statuses! {
    ARGUMENT = GPUARR_ERR_ARGUMENT, "An invalid value, count or flag.";
    SHAPE = GPUARR_ERR_SHAPE, "A shape, stride or size that is invalid or does not match.";
    DTYPE = GPUARR_ERR_DTYPE, "A dtype that does not match, or a value that it cannot hold.";
    AXIS = GPUARR_ERR_AXIS, "An axis or index out of range, or given twice.";
    INDEX = GPUARR_ERR_INDEX, "An index out of range in an array of indices.";
    BROADCAST = GPUARR_ERR_BROADCAST, "Shapes that do not broadcast together.";
    SYNTAX = GPUARR_ERR_SYNTAX, "A parameter list with a syntax error.";
    TYPE = GPUARR_ERR_TYPE, "An unknown type name, or a placeholder that no argument binds.";
    DEVICE = GPUARR_ERR_DEVICE, "Arrays, streams or events of different devices.";
    OVERLAP = GPUARR_ERR_OVERLAP, "Outputs whose elements share memory.";
    EMPTY = GPUARR_ERR_EMPTY, "A reduction of no elements and without an identity.";
    NOT_FOUND = GPUARR_ERR_NOT_FOUND, "No kernel or variable of that name in a module.";
    LAYOUT = GPUARR_ERR_LAYOUT, "Blocked arrays of other blocks or places: redistribute one.";
    OUT_OF_MEMORY = GPUARR_ERR_OUT_OF_MEMORY, "Not enough memory, or a limit was reached.";
    COMPILE = GPUARR_ERR_COMPILE, "A text that does not compile; the message shows where.";
    NO_COMPILER = GPUARR_ERR_NO_COMPILER, "No C++ compiler for the CPU device.";
    LOAD = GPUARR_ERR_LOAD, "Compiled code that cannot be loaded.";
    NO_DEVICE = GPUARR_ERR_NO_DEVICE, "No device of that name.";
    NO_DRIVER = GPUARR_ERR_NO_DRIVER, "No CUDA driver on this machine.";
    DRIVER_TOO_OLD = GPUARR_ERR_DRIVER_TOO_OLD, "A CUDA driver older than the library needs.";
    DRIVER = GPUARR_ERR_DRIVER, "A call of the driver failed; see [`Error::native`].";
    FORKED = GPUARR_ERR_FORKED, "A GPU used in a forked child of the process that opened it.";
    FAULT = GPUARR_ERR_FAULT, "A kernel accessed invalid memory, or faulted otherwise.";
    ASSERT = GPUARR_ERR_ASSERT, "An `assert()` in a kernel failed.";
    RACE = GPUARR_ERR_RACE, "A data race between threads of a kernel.";
    SYNC = GPUARR_ERR_SYNC, "A barrier that not all threads of a block reached.";
    UNSUPPORTED = GPUARR_ERR_UNSUPPORTED, "Not supported by this device or build.";
    NO_LIBRARY = GPUARR_ERR_NO_LIBRARY, "A library that is loaded at run time was not found.";
    IO = GPUARR_ERR_IO, "A file that cannot be opened, read or written.";
    FORMAT = GPUARR_ERR_FORMAT, "A file whose contents are not in the expected format.";
    SINGULAR = GPUARR_ERR_SINGULAR, "A matrix without an inverse.";
    NOT_POSITIVE_DEFINITE = GPUARR_ERR_NOT_POSITIVE_DEFINITE, "Not a positive definite matrix.";
    NO_CONVERGENCE = GPUARR_ERR_NO_CONVERGENCE, "An iteration that did not converge.";
    NOT_FINITE = GPUARR_ERR_NOT_FINITE, "An infinity or a NaN where finite values are needed.";
    PEER = GPUARR_ERR_PEER, "A call failed on another place, or a process is gone.";
    TIMEOUT = GPUARR_ERR_TIMEOUT, "No answer of other places within the deadline.";
    MISMATCH = GPUARR_ERR_MISMATCH, "Places made different calls at the same time.";
    INTERNAL = GPUARR_ERR_INTERNAL, "A bug of the library: please report it.";
}

impl Status {
    /// The number that C functions return, never 0.
    pub const fn code(self) -> i32 {
        self.0
    }

    /// C's name of it, `"GPUARR_ERR_SHAPE"`; `"GPUARR_ERR_UNKNOWN"` for one that the library does
    /// not know.
    pub fn name(self) -> &'static str {
        static_text(unsafe { sys::gpuarr_status_name(self.0) })
    }
}

impl fmt::Debug for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.name(), self.0)
    }
}

/// A call that failed. It displays as the message, which names the function, the argument and the
/// value, and for a text that does not compile shows your own lines.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Error {
    /// What kind of failure it is.
    pub status: Status,
    /// The library's message, in full.
    pub message: String,
    /// The code of the driver or the operating system behind it; 0 where there is none.
    pub native: i32,
}

impl Error {
    /// An error of your own, for closures that return one.
    pub fn new(status: Status, message: impl Into<String>) -> Error {
        Error { status, message: message.into(), native: 0 }
    }

    /// This thread's last error as one of ours.
    #[cold]
    fn last(status: i32) -> Error {
        let mut message = text(unsafe { sys::gpuarr_last_error() });
        let status = Status(status);
        if let (Status::OUT_OF_MEMORY, Some(panic)) = (status, memory::take_panic()) {
            message += &format!("; a reclaim function panicked: {}", panic);
        }
        let native = unsafe { sys::gpuarr_last_native_error() };
        Error { status, message, native }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// As it reads best where `main` returns it: the message in its own lines.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.status)?;
        if self.native != 0 {
            write!(f, ", native {}", self.native)?;
        }
        write!(f, ": {}", self.message)
    }
}

impl std::error::Error for Error {}

/// A status as a result.
#[inline]
pub(crate) fn check(status: i32) -> Result<()> {
    match status {
        sys::GPUARR_OK => Ok(()),
        _ => Err(Error::last(status)),
    }
}

/// The object that a call makes.
pub(crate) fn object<T>(call: impl FnOnce(*mut *mut T) -> i32) -> Result<NonNull<T>> {
    let mut out = ptr::null_mut();
    check(call(&mut out))?;
    NonNull::new(out)
        .ok_or_else(|| Error::new(Status::INTERNAL, "a call succeeded and gave no object"))
}

/// The number that a call gives.
pub(crate) fn number<T: Default>(call: impl FnOnce(*mut T) -> i32) -> Result<T> {
    let mut out = T::default();
    check(call(&mut out))?;
    Ok(out)
}

/// The text that a call gives, copied before another call can replace it.
pub(crate) fn string(call: impl FnOnce(*mut *const std::os::raw::c_char) -> i32) -> Result<String> {
    let mut out = ptr::null();
    check(call(&mut out))?;
    Ok(text(out))
}

/// Copies one of C's texts.
pub(crate) fn text(from: *const std::os::raw::c_char) -> String {
    if from.is_null() {
        return String::new();
    }
    unsafe { CStr::from_ptr(from) }.to_string_lossy().into_owned()
}

/// One of C's texts that lasts as long as the process.
pub(crate) fn static_text(from: *const std::os::raw::c_char) -> &'static str {
    if from.is_null() {
        return "";
    }
    unsafe { CStr::from_ptr::<'static>(from) }.to_str().unwrap_or("")
}

/// A text for C, where a NUL would end it.
pub(crate) fn c_text(what: &str, from: &str) -> Result<CString> {
    CString::new(from).map_err(|error| {
        let at = error.nul_position();
        let line = from.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count() + 1;
        Error::new(
            Status::ARGUMENT,
            format!("{} has a NUL in line {} (byte {}); give a text without one", what, line, at),
        )
    })
}

/// A path for C.
pub(crate) fn c_path(from: &Path) -> Result<CString> {
    use std::os::unix::ffi::OsStrExt;
    CString::new(from.as_os_str().as_bytes()).map_err(|_| {
        Error::new(Status::ARGUMENT, format!("path is {:?}, which has a NUL in it", from))
    })
}
