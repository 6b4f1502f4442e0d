//! The machine's devices: its CPU and its GPUs.
use std::fmt;
use std::ptr::{self, NonNull};

use gpuarr_sys as sys;

use crate::error::{c_text, check, number, object, static_text, Result};

/// A device: the CPU or a GPU. There is one for each and for the whole process, which is never
/// freed: this is a pointer to it, to be copied.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Device {
    raw: NonNull<sys::gpuarr_device>,
}

// "There is one object for each device and process; it is never freed", and every function of
// device.h is "@threadsafe".
unsafe impl Send for Device {}
unsafe impl Sync for Device {}

/// A kind of device.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DeviceKind {
    /// The CPU.
    Host,
    /// An NVIDIA GPU.
    Cuda,
}

macro_rules! attributes {
    ($($name:ident = $code:ident, $meaning:literal;)*) => {
        impl Device {
            $(#[doc = $meaning]
            pub fn $name(&self) -> Result<i64> {
                number(|out| unsafe {
                    sys::gpuarr_device_attribute(out, self.as_ptr(), sys::$code)
                })
            })*
        }
    };
}

attributes! {
    processors = GPUARR_DEVICE_PROCESSORS, "Threads of the CPU device, multiprocessors of a GPU.";
    compute_capability = GPUARR_DEVICE_COMPUTE_CAPABILITY, "90 for 9.0; 0 on the CPU device.";
    l2_bytes = GPUARR_DEVICE_L2_BYTES, "Bytes of the last cache; 0 where unknown.";
    lowest_priority = GPUARR_DEVICE_LOWEST_PRIORITY,
        "The largest number that a stream's priority may be.";
    highest_priority = GPUARR_DEVICE_HIGHEST_PRIORITY, "The smallest, negative or 0.";
}

impl Device {
    /// Opens a device: `"host"`, `"cuda"` (the first GPU) or `"cuda:N"`.
    ///
    /// # Errors
    /// `NO_DEVICE`, `NO_DRIVER`, `DRIVER_TOO_OLD`, `DRIVER`, `FORKED`; `UNSUPPORTED` for a GPU in a
    /// build without CUDA.
    pub fn open(name: &str) -> Result<Device> {
        let name = c_text("name", name)?;
        let raw = object(|out| unsafe { sys::gpuarr_device_open(out, name.as_ptr()) })?;
        Ok(Device { raw })
    }

    /// Opens the default device: `$GPUARR_DEVICE` if that is set, else the first GPU, else the CPU.
    ///
    /// # Errors
    /// As [`Device::open`].
    #[allow(clippy::should_implement_trait)] // it can fail
    pub fn default() -> Result<Device> {
        let raw = object(|out| unsafe { sys::gpuarr_device_open(out, ptr::null()) })?;
        Ok(Device { raw })
    }

    /// Counts the devices of a kind; no GPUs where there is no driver, which is not an error.
    ///
    /// # Errors
    /// None that is known.
    pub fn count(kind: DeviceKind) -> Result<usize> {
        let kind = match kind {
            DeviceKind::Host => sys::GPUARR_DEVICE_HOST,
            DeviceKind::Cuda => sys::GPUARR_DEVICE_CUDA,
        };
        Ok(number(|out| unsafe { sys::gpuarr_device_count(out, kind) })? as usize)
    }

    /// C's device, of the library's [`crate::sys`].
    #[inline]
    pub fn as_ptr(&self) -> *mut sys::gpuarr_device {
        self.raw.as_ptr()
    }

    /// A device that C gave.
    pub(crate) fn from_ptr(raw: *mut sys::gpuarr_device) -> Option<Device> {
        NonNull::new(raw).map(|raw| Device { raw })
    }

    /// Name by which it opens: `"host"` or `"cuda:N"`.
    pub fn name(&self) -> &'static str {
        static_text(unsafe { sys::gpuarr_device_name(self.as_ptr()) })
    }

    /// What its maker calls it: `"NVIDIA H200"`.
    pub fn description(&self) -> &'static str {
        static_text(unsafe { sys::gpuarr_device_description(self.as_ptr()) })
    }

    /// Whether it is the CPU or a GPU.
    pub fn kind(&self) -> DeviceKind {
        match unsafe { sys::gpuarr_device_kind(self.as_ptr()) } {
            sys::GPUARR_DEVICE_HOST => DeviceKind::Host,
            _ => DeviceKind::Cuda,
        }
    }

    /// Bytes of its memory: those that no process has taken, and all.
    ///
    /// # Errors
    /// `DRIVER`.
    pub fn free_and_total_bytes(&self) -> Result<(i64, i64)> {
        let mut free = 0;
        let total =
            number(|out| unsafe { sys::gpuarr_device_memory(&mut free, out, self.as_ptr()) })?;
        Ok((free, total))
    }

    /// Name, version and path of the compiler that kernels go through.
    ///
    /// # Errors
    /// `NO_COMPILER`, `NO_LIBRARY`.
    pub fn compiler(&self) -> Result<String> {
        crate::error::string(|out| unsafe { sys::gpuarr_device_compiler(out, self.as_ptr()) })
    }

    /// Name, version and path of the BLAS library, which this loads.
    ///
    /// # Errors
    /// `NO_LIBRARY`.
    pub fn blas(&self) -> Result<String> {
        crate::error::string(|out| unsafe { sys::gpuarr_device_blas(out, self.as_ptr()) })
    }

    /// The same of the library that takes matrices apart: cuSOLVER, or a LAPACK.
    ///
    /// # Errors
    /// `NO_LIBRARY`.
    pub fn solver(&self) -> Result<String> {
        crate::error::string(|out| unsafe { sys::gpuarr_device_solver(out, self.as_ptr()) })
    }

    /// Name, version and path of the driver; `""` on the CPU device.
    ///
    /// # Errors
    /// None that is known.
    pub fn driver(&self) -> Result<String> {
        crate::error::string(|out| unsafe { sys::gpuarr_device_driver(out, self.as_ptr()) })
    }

    /// Whether kernels of this device could read and write the memory of another.
    ///
    /// # Errors
    /// `DRIVER`.
    pub fn can_access(&self, peer: Device) -> Result<bool> {
        let can = number(|out| unsafe {
            sys::gpuarr_device_can_access_peer(out, self.as_ptr(), peer.as_ptr())
        })?;
        Ok(can != 0)
    }

    /// Lets kernels of this device use the memory of another by its addresses, until the process
    /// ends. Copies of arrays do not need it, but are faster with it.
    ///
    /// # Errors
    /// `UNSUPPORTED`, `DRIVER`.
    pub fn enable_access(&self, peer: Device) -> Result<()> {
        check(unsafe { sys::gpuarr_device_enable_peer(self.as_ptr(), peer.as_ptr()) })
    }

    /// Waits until all work given to the device is done, and returns its error if it failed.
    ///
    /// # Errors
    /// `DRIVER`, `FAULT`, `ASSERT`.
    pub fn synchronize(&self) -> Result<()> {
        check(unsafe { sys::gpuarr_device_synchronize(self.as_ptr()) })
    }
}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Device({})", self.name())
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
