//! Events, which mark points in streams.
use std::ffi::c_void;
use std::ptr;

use gpuarr_sys as sys;

use crate::device::Device;
use crate::error::{check, number, object, Result};
use crate::handle::handle;
use crate::stream::Stream;

handle!(
    /// A point in a stream, that other streams and the host can wait for.
    Event,
    gpuarr_event,
    gpuarr_event_release
);

// stream.h: all of its functions are "@threadsafe" but gpuarr_event_record, "@externalsync calls
// that record the same event", which takes &mut self. For the same reason an event is no Clone.
unsafe impl Send for Event {}
unsafe impl Sync for Event {}

impl Event {
    /// Creates an event, for streams of one device, that records when its point was reached.
    ///
    /// # Errors
    /// `DRIVER`.
    pub fn new(device: Device) -> Result<Event> {
        object(|out| unsafe { sys::gpuarr_event_create(out, device.as_ptr(), 0) }).map(Event::own)
    }

    /// Creates an event that records no time, which costs less.
    ///
    /// # Errors
    /// `DRIVER`.
    pub fn untimed(device: Device) -> Result<Event> {
        let flags = sys::GPUARR_EVENT_NO_TIMING;
        object(|out| unsafe { sys::gpuarr_event_create(out, device.as_ptr(), flags) })
            .map(Event::own)
    }

    /// Marks the end of all work given so far to the thread's current stream of the event's device.
    /// A point that it marked before is forgotten.
    ///
    /// # Errors
    /// `DRIVER`.
    pub fn record(&mut self) -> Result<()> {
        check(unsafe { sys::gpuarr_event_record(self.as_ptr(), ptr::null_mut()) })
    }

    /// Marks the end of all work given to a stream so far.
    ///
    /// # Errors
    /// `DEVICE`, `DRIVER`.
    pub fn record_on(&mut self, stream: &Stream) -> Result<()> {
        check(unsafe { sys::gpuarr_event_record(self.as_ptr(), stream.as_ptr()) })
    }

    /// The device of the streams that it is recorded in.
    pub fn device(&self) -> Device {
        let raw = unsafe { sys::gpuarr_event_device(self.as_ptr()) };
        // NULL is for a NULL event only.
        Device::from_ptr(raw).unwrap_or_else(|| unreachable!("an event has a device"))
    }

    /// The device's own handle: a `CUevent`; null on the CPU device. Valid as long as the event.
    pub fn native(&self) -> *mut c_void {
        unsafe { sys::gpuarr_event_native(self.as_ptr()) }
    }

    /// Waits until its point is reached; not at all if it was never recorded.
    ///
    /// # Errors
    /// `DRIVER`, `FAULT`, `ASSERT`.
    pub fn synchronize(&self) -> Result<()> {
        check(unsafe { sys::gpuarr_event_synchronize(self.as_ptr()) })
    }

    /// Whether its point is reached, or it was never recorded.
    ///
    /// # Errors
    /// `DRIVER`.
    pub fn is_done(&self) -> Result<bool> {
        Ok(number(|out| unsafe { sys::gpuarr_event_query(out, self.as_ptr()) })? != 0)
    }

    /// Microseconds from an earlier event to this one, both recorded and reached.
    ///
    /// # Errors
    /// `ARGUMENT` (not recorded, not reached, made without timing), `DEVICE`, `DRIVER`.
    pub fn microseconds_since(&self, start: &Event) -> Result<f64> {
        number(|out| unsafe { sys::gpuarr_event_elapsed(out, start.as_ptr(), self.as_ptr()) })
    }
}
