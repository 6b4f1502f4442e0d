//! A device's memory: its limit, its numbers, and what is called when it is short.
use std::cell::RefCell;
use std::ffi::c_void;
use std::fmt;
use std::sync::Arc;

use gpuarr_sys as sys;

use crate::callback::{caught, Registry};
use crate::device::Device;
use crate::error::{check, number, Result};

/// The memory of a device, of which arrays come: see [`Device::memory`].
#[derive(Clone, Copy)]
pub struct Memory {
    device: Device,
}

impl Device {
    /// The device's memory: limit and numbers.
    pub fn memory(&self) -> Memory {
        Memory { device: *self }
    }
}

/// Numbers of a device's allocator at a time, in bytes where nothing else is said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct MemoryStatistics {
    /// In live arrays, each rounded up to 512.
    pub used: i64,
    /// Held but unused.
    pub cached: i64,
    /// `used` + `cached`.
    pub total: i64,
    /// The most that was used since the start or the last reset.
    pub peak: i64,
    /// How many pieces are in use.
    pub blocks: i64,
    /// How many requests there were so far.
    pub allocations: i64,
    /// How many of them made no call to the device.
    pub hits: i64,
    /// How often the device was asked for memory, or given some back.
    pub device_calls: i64,
    /// How many pieces another stream took over after an event.
    pub transfers: i64,
    /// How often the whole device was waited for.
    pub waits: i64,
    /// What all allocators of the device together may hold; 0 for as much as there is.
    pub limit: i64,
}

impl Memory {
    fn raw(&self) -> *mut sys::gpuarr_device {
        self.device.as_ptr()
    }

    /// The numbers of the device's current allocator.
    ///
    /// # Errors
    /// None that is known.
    pub fn statistics(&self) -> Result<MemoryStatistics> {
        let read =
            |which| number(|out| unsafe { sys::gpuarr_memory_statistic(out, self.raw(), which) });
        Ok(MemoryStatistics {
            used: read(sys::GPUARR_MEMORY_USED)?,
            cached: read(sys::GPUARR_MEMORY_CACHED)?,
            total: read(sys::GPUARR_MEMORY_TOTAL)?,
            peak: read(sys::GPUARR_MEMORY_PEAK)?,
            blocks: read(sys::GPUARR_MEMORY_BLOCKS)?,
            allocations: read(sys::GPUARR_MEMORY_ALLOCATIONS)?,
            hits: read(sys::GPUARR_MEMORY_HITS)?,
            device_calls: read(sys::GPUARR_MEMORY_DEVICE_CALLS)?,
            transfers: read(sys::GPUARR_MEMORY_TRANSFERS)?,
            waits: read(sys::GPUARR_MEMORY_WAITS)?,
            limit: read(sys::GPUARR_MEMORY_LIMIT)?,
        })
    }

    /// Resets the peak to what is used now.
    ///
    /// # Errors
    /// None that is known.
    pub fn reset_peak(&self) -> Result<()> {
        check(unsafe { sys::gpuarr_memory_reset_peak(self.raw()) })
    }

    /// Gives cached memory back to the device. Waits for the device's work.
    ///
    /// # Errors
    /// `DRIVER`.
    pub fn trim(&self) -> Result<()> {
        check(unsafe { sys::gpuarr_memory_trim(self.raw()) })
    }

    /// Limits what the library holds of the device's memory, used or cached; 0 is no limit. What
    /// is held already stays.
    ///
    /// # Errors
    /// `ARGUMENT`.
    pub fn set_limit(&self, bytes: i64) -> Result<()> {
        check(unsafe { sys::gpuarr_memory_set_limit(self.raw(), bytes) })
    }

    /// The same as a part of all memory that the device has: above 0, at most 1.
    ///
    /// # Errors
    /// `ARGUMENT`, `DRIVER`.
    pub fn set_limit_fraction(&self, fraction: f64) -> Result<()> {
        check(unsafe { sys::gpuarr_memory_set_limit_fraction(self.raw(), fraction) })
    }
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Memory(of {})", self.device)
    }
}

type ReclaimFunction = dyn Fn(Device, i64) -> bool + Send + Sync;
static RECLAIMERS: Registry<ReclaimFunction> = Registry::new();

thread_local! {
    /// The text of a panic in a reclaim function, for the error of the allocation.
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// The text of a panic in a reclaim function on this thread that no error told of yet.
pub(crate) fn take_panic() -> Option<String> {
    PANIC.try_with(|panic| panic.borrow_mut().take()).ok().flatten()
}

unsafe extern "C" fn run_reclaim(
    device: *mut sys::gpuarr_device,
    bytes: i64,
    user: *mut c_void,
) -> i32 {
    let called = caught(|| match (RECLAIMERS.get(user), Device::from_ptr(device)) {
        (Some(function), Some(device)) => function(device, bytes),
        _ => false,
    });
    let released = called.unwrap_or_else(|text| {
        // A thread that ends has no place for it any more.
        let _ = PANIC.try_with(|panic| *panic.borrow_mut() = Some(text));
        false
    });
    released as i32
}

/// A function that is called before an allocation fails for want of memory, until this is dropped.
///
/// ```
/// # fn main() -> gpuarr::Result<()> {
/// use std::sync::Mutex;
/// static CACHE: Mutex<Vec<gpuarr::AnyArray>> = Mutex::new(Vec::new());
///
/// let _reclaim = gpuarr::Reclaim::new(|_device, _bytes| match CACHE.try_lock() {
///     Ok(mut cache) => cache.pop().is_some(), // true: something was released, try again
///     Err(_) => false,
/// })?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[must_use = "the function is called until this is dropped"]
pub struct Reclaim {
    number: i64,
    user: *mut c_void,
}

// Two numbers; gpuarr_memory_remove_reclaim is "@threadsafe".
unsafe impl Send for Reclaim {}
unsafe impl Sync for Reclaim {}

impl Reclaim {
    /// Has `function` called when memory of any device is short, with what was asked for in bytes,
    /// on the thread that asked and without a lock held. It returns whether something was released,
    /// or may be by now; as long as that brings used memory down it is called again. It may use the
    /// library. A panic in it counts as `false`, and the error of the allocation tells of it.
    ///
    /// # Errors
    /// None that is known.
    pub fn new(function: impl Fn(Device, i64) -> bool + Send + Sync + 'static) -> Result<Reclaim> {
        let user = RECLAIMERS.add(Arc::new(function));
        let added =
            number(|out| unsafe { sys::gpuarr_memory_add_reclaim(out, Some(run_reclaim), user) });
        if added.is_err() {
            RECLAIMERS.remove(user);
        }
        Ok(Reclaim { number: added?, user })
    }
}

impl Drop for Reclaim {
    fn drop(&mut self) {
        unsafe { sys::gpuarr_memory_remove_reclaim(self.number) };
        RECLAIMERS.remove(self.user);
    }
}
