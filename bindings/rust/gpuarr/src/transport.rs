//! Messages between the processes of a team by code of your own.
use std::ffi::c_void;
use std::ptr::{self, NonNull};
use std::slice;

use gpuarr_sys as sys;

use crate::callback::caught;
use crate::device::Device;
use crate::error::{c_text, check, object, Result};
use crate::team::{pointer, Team};

/// What messages of a team go by, for an MPI that the library does not know, another library, a
/// simulator. Every process has one, and all make the same teams of them in the same order.
///
/// No method waits for another process. Errors are codes of your own, other than 0: the call that
/// needed the message fails with `PEER` and that code as [`Error::native`](crate::Error::native). A
/// panic is an error as well. Messages of one tag between two processes arrive in the order in
/// which they were sent.
pub trait Transport: Send + Sync + 'static {
    /// A message under way.
    type Request: 'static;

    /// Number of this process, from 0.
    fn rank(&self) -> usize;

    /// Number of processes.
    fn size(&self) -> usize;

    /// Its name in messages and descriptions.
    fn name(&self) -> String;

    /// Begins to send a message to a process, which may be this one. The tag is from 0 to 32767.
    ///
    /// # Errors
    /// A code of your own.
    fn send(
        &self,
        message: Vec<u8>,
        to: usize,
        tag: i32,
    ) -> std::result::Result<Self::Request, i32>;

    /// Begins to receive the next message of a tag from a process, which has so many bytes.
    ///
    /// # Errors
    /// A code of your own.
    fn receive(
        &self,
        bytes: usize,
        from: usize,
        tag: i32,
    ) -> std::result::Result<Self::Request, i32>;

    /// Asks whether a message is sent, which gives an empty vector, or received; `None`: not yet.
    /// It lets others make progress, and is not called again for a message that is over.
    ///
    /// # Errors
    /// A code of your own.
    fn test(&self, request: &mut Self::Request) -> std::result::Result<Option<Vec<u8>>, i32>;

    /// The process whose message of a tag waits to be received, if there is one. Without this, what
    /// goes wrong in one process is noticed by others where they next agree.
    ///
    /// # Errors
    /// A code of your own.
    fn probe(&self, tag: i32) -> std::result::Result<Option<usize>, i32> {
        let _ = tag;
        Ok(None)
    }

    /// Ends all processes, as `MPI_Abort` does; unless it is there this process ends alone.
    fn abort(&self, code: i32) {
        std::process::exit(code);
    }
}

/// A message under way, and where what is received goes.
struct Under<R> {
    request: R,
    into: *mut u8,
    bytes: usize,
}

/// What stands for a panic, and for a message of another length.
const BROKEN: i32 = -1;

/// Runs a method for C; its code, or 0.
fn code(body: impl FnOnce() -> std::result::Result<(), i32>) -> i32 {
    match caught(body) {
        Ok(Ok(())) => 0,
        Ok(Err(0)) | Err(_) => BROKEN,
        Ok(Err(code)) => code,
    }
}

unsafe extern "C" fn send<T: Transport>(
    out: *mut *mut c_void,
    data: *const c_void,
    bytes: i64,
    to: i32,
    tag: i32,
    user: *mut c_void,
) -> i32 {
    code(|| {
        let message = match bytes {
            0 => Vec::new(),
            _ => slice::from_raw_parts(data.cast::<u8>(), bytes as usize).to_vec(),
        };
        let request = (*user.cast::<T>()).send(message, to as usize, tag)?;
        let under = Under { request, into: ptr::null_mut(), bytes: 0 };
        *out = Box::into_raw(Box::new(under)).cast();
        Ok(())
    })
}

unsafe extern "C" fn receive<T: Transport>(
    out: *mut *mut c_void,
    data: *mut c_void,
    bytes: i64,
    from: i32,
    tag: i32,
    user: *mut c_void,
) -> i32 {
    code(|| {
        let bytes = bytes as usize;
        let request = (*user.cast::<T>()).receive(bytes, from as usize, tag)?;
        *out = Box::into_raw(Box::new(Under { request, into: data.cast::<u8>(), bytes })).cast();
        Ok(())
    })
}

unsafe extern "C" fn test<T: Transport>(
    out: *mut i32,
    request: *mut c_void,
    user: *mut c_void,
) -> i32 {
    code(|| {
        let under = request.cast::<Under<T::Request>>();
        *out = 0;
        if let Some(message) = (*user.cast::<T>()).test(&mut (*under).request)? {
            let under = Box::from_raw(under);
            *out = 1;
            if message.len() != under.bytes {
                return Err(BROKEN);
            }
            if under.bytes > 0 {
                ptr::copy_nonoverlapping(message.as_ptr(), under.into, under.bytes);
            }
        }
        Ok(())
    })
}

unsafe extern "C" fn probe<T: Transport>(out: *mut i32, tag: i32, user: *mut c_void) -> i32 {
    code(|| {
        let from = (*user.cast::<T>()).probe(tag)?;
        *out = from.map_or(-1, |from| from as i32);
        Ok(())
    })
}

unsafe extern "C" fn abort<T: Transport>(code: i32, user: *mut c_void) {
    let _ = caught(|| (*user.cast::<T>()).abort(code));
}

unsafe extern "C" fn release<T: Transport>(user: *mut c_void) {
    let _ = caught(|| drop(Box::from_raw(user.cast::<T>())));
}

/// C's transport; a team of it has another reference.
struct Built {
    raw: NonNull<sys::gpuarr_transport>,
}

impl Drop for Built {
    fn drop(&mut self) {
        unsafe { sys::gpuarr_transport_release(self.raw.as_ptr()) }
    }
}

impl Built {
    fn new<T: Transport>(transport: T) -> Result<Built> {
        let name = c_text("the transport's name", &transport.name())?;
        let (rank, size) = (transport.rank() as i32, transport.size() as i32);
        let user = Box::new(transport);
        let at = (&*user as *const T) as *mut c_void;
        let (send, receive, test) =
            (Some(send::<T> as _), Some(receive::<T> as _), Some(test::<T> as _));
        let raw = object(|out| unsafe {
            sys::gpuarr_transport_create(out, rank, size, send, receive, test, at)
        })?;
        let built = Built { raw };
        unsafe {
            check(sys::gpuarr_transport_set_release(raw.as_ptr(), Some(release::<T>)))?;
            let _ = Box::into_raw(user); // released by C from now on
            check(sys::gpuarr_transport_set_probe(raw.as_ptr(), Some(probe::<T>)))?;
            check(sys::gpuarr_transport_set_abort(raw.as_ptr(), Some(abort::<T>)))?;
            check(sys::gpuarr_transport_set_name(raw.as_ptr(), name.as_ptr()))?;
        }
        Ok(built)
    }
}

impl Team {
    /// A team of the processes of a transport, each with one place. Collective.
    ///
    /// # Errors
    /// `ARGUMENT`, `PEER`, `TIMEOUT`, `DRIVER`, `OUT_OF_MEMORY`.
    pub fn from_transport(transport: impl Transport, device: Option<Device>) -> Result<Team> {
        let built = Built::new(transport)?;
        object(|out| unsafe {
            sys::gpuarr_team_from_transport(out, built.raw.as_ptr(), pointer(device))
        })
        .map(Team::own)
    }
}
