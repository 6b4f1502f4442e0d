//! Streams, in which work runs in order.
use std::ffi::c_void;
use std::marker::PhantomData;
use std::ptr;
use std::sync::{Arc, Mutex};

use gpuarr_sys as sys;

use crate::callback::{caught, Registry};
use crate::device::Device;
use crate::error::{check, number, object, Error, Result, Status};
use crate::event::Event;
use crate::graph::Graph;
use crate::handle::{handle, shared_handle};

handle!(
    /// A queue of work on one device. Functions that take no stream work in the calling thread's
    /// current one, which [`Stream::enter`] sets; each device has one of its own to begin with.
    ///
    /// ```
    /// use gpuarr::{Array, Device, Stream, ALL};
    /// # fn main() -> gpuarr::Result<()> {
    /// let stream = Stream::new(Device::default()?)?;
    /// let total = {
    ///     let _current = stream.enter()?;
    ///     Array::<f32>::ones([100, 100])?.sum(ALL).eval()? // all of it in the stream
    /// };
    /// stream.synchronize()?;
    /// assert_eq!(total.item()?, 10000.0);
    /// # Ok(())
    /// # }
    /// ```
    Stream,
    gpuarr_stream,
    gpuarr_stream_release
);
shared_handle!(Stream, gpuarr_stream_retain);

// Every function of stream.h is "@threadsafe". Beginning and ending a capture is "@externalsync
// calls that use the same stream": what is captured is then anybody's guess, as the page says.
unsafe impl Send for Stream {}
unsafe impl Sync for Stream {}

type HostFunction = Mutex<Option<Box<dyn FnOnce() + Send>>>;
static HOST_FUNCTIONS: Registry<HostFunction> = Registry::new();

unsafe extern "C" fn run_host_function(user: *mut c_void) {
    let _ = caught(|| {
        let function = HOST_FUNCTIONS.remove(user);
        let function = function.and_then(|function| function.lock().ok()?.take());
        if let Some(function) = function {
            function();
        }
    });
}

impl Stream {
    /// Creates a stream of ordinary priority.
    ///
    /// # Errors
    /// `DRIVER`.
    pub fn new(device: Device) -> Result<Stream> {
        Self::with_priority(device, 0)
    }

    /// Creates a stream; 0 is normal, smaller numbers are more urgent, within the device's range.
    ///
    /// # Errors
    /// `DRIVER`.
    pub fn with_priority(device: Device, priority: i32) -> Result<Stream> {
        object(|out| unsafe { sys::gpuarr_stream_create(out, device.as_ptr(), priority, 0) })
            .map(Stream::own)
    }

    /// Creates a stream that waits for CUDA's legacy default stream, in which other libraries work
    /// unless told otherwise, and that one waits for it.
    ///
    /// # Errors
    /// `DRIVER`.
    pub fn blocking(device: Device) -> Result<Stream> {
        let flags = sys::GPUARR_STREAM_BLOCKING;
        object(|out| unsafe { sys::gpuarr_stream_create(out, device.as_ptr(), 0, flags) })
            .map(Stream::own)
    }

    /// Uses a stream that another library created.
    ///
    /// # Safety
    /// `native` is a live `CUstream` of the device (null is CUDA's legacy default one), and stays
    /// one until all references to this stream are gone, those of threads whose current stream it
    /// is among them; on the CPU device what [`Stream::native`] says of a live one, or null.
    ///
    /// # Errors
    /// `ARGUMENT`, `DEVICE`, `DRIVER`.
    pub unsafe fn borrow_native(device: Device, native: *mut c_void) -> Result<Stream> {
        object(|out| sys::gpuarr_stream_borrow(out, device.as_ptr(), native)).map(Stream::own)
    }

    /// The calling thread's current stream of a device.
    ///
    /// # Errors
    /// `DRIVER`.
    pub fn current(device: Device) -> Result<Stream> {
        object(|out| unsafe { sys::gpuarr_stream_current(out, device.as_ptr()) }).map(Stream::own)
    }

    /// Makes this the calling thread's current stream of its device, until what it returns is
    /// dropped; then the one before is it again.
    ///
    /// # Errors
    /// `DRIVER`.
    pub fn enter(&self) -> Result<Current> {
        let device = self.device();
        let before = Stream::current(device)?;
        check(unsafe { sys::gpuarr_stream_set_current(device.as_ptr(), self.as_ptr()) })?;
        Ok(Current { before, on_this_thread: PhantomData })
    }

    /// The device of the stream.
    pub fn device(&self) -> Device {
        let raw = unsafe { sys::gpuarr_stream_device(self.as_ptr()) };
        // NULL is for a NULL stream only.
        Device::from_ptr(raw).unwrap_or_else(|| unreachable!("a stream has a device"))
    }

    /// The priority that it got.
    pub fn priority(&self) -> i32 {
        unsafe { sys::gpuarr_stream_priority(self.as_ptr()) }
    }

    /// The device's own handle of the stream, for other libraries: a `CUstream`. Valid as long as
    /// the stream.
    pub fn native(&self) -> *mut c_void {
        unsafe { sys::gpuarr_stream_native(self.as_ptr()) }
    }

    /// Waits until the work in the stream is done, and returns its error if it failed.
    ///
    /// # Errors
    /// `DRIVER`, `FAULT`, `ASSERT`; `UNSUPPORTED` while it is captured.
    pub fn synchronize(&self) -> Result<()> {
        check(unsafe { sys::gpuarr_stream_synchronize(self.as_ptr()) })
    }

    /// Whether the work in the stream is done.
    ///
    /// # Errors
    /// `DRIVER`.
    pub fn is_done(&self) -> Result<bool> {
        Ok(number(|out| unsafe { sys::gpuarr_stream_query(out, self.as_ptr()) })? != 0)
    }

    /// Lets what is given to the stream from now on run after an event's point, which may be of
    /// another device. One that was never recorded is not waited for.
    ///
    /// # Errors
    /// `DRIVER`.
    pub fn wait(&self, event: &Event) -> Result<()> {
        check(unsafe { sys::gpuarr_stream_wait(self.as_ptr(), event.as_ptr()) })
    }

    /// Calls a function once, when the work given to the stream so far is done; what is given later
    /// waits for its return. It runs on a thread of the driver's, or on the CPU device where the
    /// stream's work is done, which may be this thread and before the call returns.
    ///
    /// It can neither use a GPU nor wait for work; it may drop arrays, but not the last view of
    /// imported memory. A panic in it is caught, and told by the panic hook alone. It is not called
    /// if the device is lost before.
    ///
    /// # Errors
    /// `DRIVER`; `UNSUPPORTED` while the stream is captured: a graph would call it at each launch.
    pub fn host_function(&self, function: impl FnOnce() + Send + 'static) -> Result<()> {
        if self.is_capturing()? {
            let message = "host_function: the stream is being captured, and a graph calls its \
                functions at each launch; this one may be called once";
            return Err(Error::new(Status::UNSUPPORTED, message));
        }
        let user = HOST_FUNCTIONS.add(Arc::new(Mutex::new(Some(Box::new(function)))));
        let given = check(unsafe {
            sys::gpuarr_stream_host_function(self.as_ptr(), Some(run_host_function), user)
        });
        if given.is_err() {
            HOST_FUNCTIONS.remove(user);
        }
        given
    }

    /// Notes what `work` gives to the stream, which is the thread's current one meanwhile, and does
    /// none of it: the graph does, whenever it is launched. Arrays that are made in it have memory
    /// of the graph's own. Streams that wait for an event out of it join it. What has to wait for
    /// work, such as [`Array::to_vec`](crate::Array::to_vec), fails with `UNSUPPORTED`; kernels may
    /// be compiled meanwhile. No other thread should use the stream until it returns.
    ///
    /// # Errors
    /// What `work` returns; `ARGUMENT`, `UNSUPPORTED`, `OUT_OF_MEMORY`, `DRIVER`. The stream does
    /// its work at once again, whatever this returns, also after a panic.
    pub fn capture(&self, work: impl FnOnce() -> Result<()>) -> Result<Graph> {
        check(unsafe { sys::gpuarr_stream_begin_capture(self.as_ptr()) })?;
        let capturing = Capturing { stream: self };
        {
            let _current = self.enter()?;
            work()?;
        }
        capturing.end()
    }

    /// Whether the stream is being captured, by this library or another.
    ///
    /// # Errors
    /// `DRIVER`.
    pub fn is_capturing(&self) -> Result<bool> {
        Ok(number(|out| unsafe { sys::gpuarr_stream_is_capturing(out, self.as_ptr()) })? != 0)
    }
}

/// The time for which a stream is a thread's current one: see [`Stream::enter`].
#[derive(Debug)]
#[must_use = "the stream is current until this is dropped"]
pub struct Current {
    before: Stream,
    // A thread's current stream is its own: this does not go to another one.
    on_this_thread: PhantomData<*const ()>,
}

impl Drop for Current {
    fn drop(&mut self) {
        let device = self.before.device();
        unsafe { sys::gpuarr_stream_set_current(device.as_ptr(), self.before.as_ptr()) };
    }
}

/// A capture that has begun, and ends however its work does.
struct Capturing<'a> {
    stream: &'a Stream,
}

impl Capturing<'_> {
    fn end(self) -> Result<Graph> {
        let stream = self.stream;
        std::mem::forget(self);
        object(|out| unsafe { sys::gpuarr_stream_end_capture(out, stream.as_ptr()) })
            .map(Graph::own)
    }
}

impl Drop for Capturing<'_> {
    fn drop(&mut self) {
        let mut graph = ptr::null_mut();
        unsafe {
            sys::gpuarr_stream_end_capture(&mut graph, self.stream.as_ptr());
            sys::gpuarr_graph_release(graph);
        }
    }
}
