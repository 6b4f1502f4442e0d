//! Raw kernels: `__global__` functions as you wrote them.
use std::ptr;

use gpuarr_sys as sys;

use crate::arg::Arg;
use crate::call::Call;
use crate::device::Device;
use crate::error::{c_text, check, number, object, string, Result};
use crate::handle::{handle, shared_handle};
use crate::options::Options;
use crate::stream::Stream;

handle!(
    /// A kernel of a module: a `__global__` function, launched with a grid, a block and arguments
    /// whose number, sizes and types are checked as far as the compiled kernel tells them.
    ///
    /// ```
    /// use gpuarr::{args, Array, RawKernel};
    /// # fn main() -> gpuarr::Result<()> {
    /// let add = RawKernel::new(
    ///     "__global__ void add(const float* x, float* y, int n) {
    ///        int i = blockIdx.x * blockDim.x + threadIdx.x;
    ///        if (i < n) y[i] += x[i];
    ///      }", "add")?;
    /// let x = Array::from_slice(&[1.0f32, 2.0, 3.0], 3)?;
    /// let mut y = Array::<f32>::ones(3)?;
    /// // Both arrays are contiguous and have the n elements that the kernel touches.
    /// unsafe { add.grid(1).block(32).launch(args![&x, &mut y, 3])? };
    /// assert_eq!(y.to_vec()?, [2.0, 3.0, 4.0]);
    /// # Ok(())
    /// # }
    /// ```
    RawKernel,
    gpuarr_raw,
    gpuarr_raw_release
);
shared_handle!(RawKernel, gpuarr_raw_retain);

// Every function of raw.h is "@threadsafe", the launches "as far as the arrays allow": these are
// the caller's to think of, who says `unsafe`.
unsafe impl Send for RawKernel {}
unsafe impl Sync for RawKernel {}

/// What can be read of a kernel, and set where it says so: `GPUARR_ATTRIBUTE_...` of `raw.h`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Attribute(i32);

macro_rules! attributes {
    ($($name:ident = $code:ident, $meaning:literal;)*) => {
        impl Attribute {
            $(#[doc = $meaning] pub const $name: Attribute = Attribute(sys::$code);)*
        }
    };
}

attributes! {
    MAX_THREADS = GPUARR_ATTRIBUTE_MAX_THREADS, "Threads that a block may have at most.";
    SHARED_BYTES = GPUARR_ATTRIBUTE_SHARED_BYTES, "Static shared memory of a block.";
    CONSTANT_BYTES = GPUARR_ATTRIBUTE_CONSTANT_BYTES, "Constant memory.";
    LOCAL_BYTES = GPUARR_ATTRIBUTE_LOCAL_BYTES, "Local memory of a thread.";
    REGISTERS = GPUARR_ATTRIBUTE_REGISTERS, "Registers of a thread.";
    PTX_VERSION = GPUARR_ATTRIBUTE_PTX_VERSION, "90 for 9.0.";
    BINARY_VERSION = GPUARR_ATTRIBUTE_BINARY_VERSION, "90 for sm_90.";
    CACHE_CA = GPUARR_ATTRIBUTE_CACHE_CA, "1 if it was compiled with `-Xptxas -dlcm=ca`.";
    MAX_DYNAMIC_SHARED_BYTES = GPUARR_ATTRIBUTE_MAX_DYNAMIC_SHARED_BYTES,
        "Dynamic shared memory that a block may have at most. Settable.";
    SHARED_CARVEOUT = GPUARR_ATTRIBUTE_SHARED_CARVEOUT,
        "Per cent of the on-chip memory for shared memory, -1 for the driver's choice. Settable.";
    CLUSTER_MUST_BE_SET = GPUARR_ATTRIBUTE_CLUSTER_MUST_BE_SET,
        "1 if it can only be launched in clusters.";
    REQUIRED_CLUSTER_X = GPUARR_ATTRIBUTE_REQUIRED_CLUSTER_X, "From `__cluster_dims__`.";
    REQUIRED_CLUSTER_Y = GPUARR_ATTRIBUTE_REQUIRED_CLUSTER_Y, "From `__cluster_dims__`.";
    REQUIRED_CLUSTER_Z = GPUARR_ATTRIBUTE_REQUIRED_CLUSTER_Z, "From `__cluster_dims__`.";
    NON_PORTABLE_CLUSTER = GPUARR_ATTRIBUTE_NON_PORTABLE_CLUSTER,
        "1 for more than 8 blocks in a cluster. Settable.";
    CLUSTER_POLICY = GPUARR_ATTRIBUTE_CLUSTER_POLICY,
        "0 default, 1 spread, 2 load balancing. Settable.";
    COOPERATIVE = GPUARR_ATTRIBUTE_COOPERATIVE,
        "1: all blocks run at the same time and may wait for each other. Settable.";
    CLUSTER_X = GPUARR_ATTRIBUTE_CLUSTER_X, "Blocks of a cluster at launch. Settable.";
    CLUSTER_Y = GPUARR_ATTRIBUTE_CLUSTER_Y, "Blocks of a cluster at launch. Settable.";
    CLUSTER_Z = GPUARR_ATTRIBUTE_CLUSTER_Z, "Blocks of a cluster at launch. Settable.";
}

/// Numbers along x, y and z; those left out are 1: `256`, `[16, 16]`, `[4, 4, 2]`.
#[derive(Clone, Copy, Debug)]
pub struct Dims(pub(crate) [i64; 3]);

macro_rules! dims {
    ($($type:ty)*) => {$(
        impl From<$type> for Dims {
            fn from(x: $type) -> Dims {
                Dims::from([x])
            }
        }
        impl From<[$type; 1]> for Dims {
            fn from([x]: [$type; 1]) -> Dims {
                Dims([i64::try_from(x).unwrap_or(i64::MAX), 1, 1])
            }
        }
        impl From<[$type; 2]> for Dims {
            fn from([x, y]: [$type; 2]) -> Dims {
                Dims([Dims::from(x).0[0], Dims::from(y).0[0], 1])
            }
        }
        impl From<[$type; 3]> for Dims {
            fn from([x, y, z]: [$type; 3]) -> Dims {
                Dims([Dims::from(x).0[0], Dims::from(y).0[0], Dims::from(z).0[0]])
            }
        }
    )*};
}

dims! { i32 i64 u32 u64 usize }

impl RawKernel {
    /// Creates a kernel from its text; `name` is as for [`Module::kernel`].
    ///
    /// # Errors
    /// As [`Module::new`] and [`Module::kernel`].
    ///
    /// [`Module::new`]: crate::Module::new
    /// [`Module::kernel`]: crate::Module::kernel
    pub fn new(source: &str, name: &str) -> Result<RawKernel> {
        Self::with_options(source, name, &Options::new())
    }

    /// Creates a kernel from its text, with options of the compiler and checks.
    ///
    /// # Errors
    /// As [`RawKernel::new`].
    pub fn with_options(source: &str, name: &str, options: &Options) -> Result<RawKernel> {
        let (source, name) = (c_text("source", source)?, c_text("name", name)?);
        let options = options.build()?;
        object(|out| unsafe {
            let (source, name) = (source.as_ptr(), name.as_ptr());
            sys::gpuarr_raw_create(out, source, name, ptr::null(), options.as_ptr())
        })
        .map(RawKernel::own)
    }

    /// Begins a launch with so many blocks; a 0 launches nothing.
    pub fn grid(&self, blocks: impl Into<Dims>) -> RawLaunch<'_> {
        let block = Dims::from(1);
        RawLaunch { kernel: self, grid: blocks.into(), block, shared_bytes: 0, stream: None }
    }

    /// Launches at least one thread for each of `n` elements, along x, in blocks that suit the
    /// device. Threads past the last element have to return.
    ///
    /// # Safety
    /// As [`RawLaunch::launch`].
    ///
    /// # Errors
    /// As [`RawLaunch::launch`].
    pub unsafe fn launch_1d(&self, n: usize, args: &[Arg<'_>]) -> Result<()> {
        let n = i64::try_from(n).unwrap_or(i64::MAX);
        let (list, count) = Arg::list(args);
        check(sys::gpuarr_raw_launch_1d(self.as_ptr(), n, list, count, ptr::null_mut()))
    }

    /// What is known of the kernel's parameters on a device: `"saxpy(float a, const float* x)"`.
    ///
    /// # Errors
    /// What building the module for the device returns, `NOT_FOUND`, `ARGUMENT`.
    pub fn signature(&self, device: Device) -> Result<String> {
        string(|out| unsafe { sys::gpuarr_raw_signature(out, self.as_ptr(), device.as_ptr()) })
    }

    /// Reads an attribute; what the CPU device has nothing like is 0 there.
    ///
    /// # Errors
    /// As [`RawKernel::signature`], and `UNSUPPORTED` where the driver does not know it.
    pub fn attribute(&self, attribute: Attribute, device: Device) -> Result<i64> {
        number(|out| unsafe {
            sys::gpuarr_raw_attribute(out, self.as_ptr(), attribute.0, device.as_ptr())
        })
    }

    /// Sets an attribute for the launches that follow, on every device.
    ///
    /// # Errors
    /// `ARGUMENT` for one that is not settable. Whether a device can do it shows at a launch.
    pub fn set_attribute(&self, attribute: Attribute, value: i64) -> Result<()> {
        check(unsafe { sys::gpuarr_raw_set_attribute(self.as_ptr(), attribute.0, value) })
    }

    /// How many blocks of so many threads and so much dynamic shared memory a processor of the
    /// device runs at the same time.
    ///
    /// # Errors
    /// As [`RawKernel::signature`].
    pub fn occupancy(&self, threads: i32, shared_bytes: i64, device: Device) -> Result<i32> {
        number(|out| unsafe {
            let device = device.as_ptr();
            sys::gpuarr_raw_occupancy(out, self.as_ptr(), threads, shared_bytes, device)
        })
    }

    /// How many threads in a block fill the device best.
    ///
    /// # Errors
    /// As [`RawKernel::signature`].
    pub fn best_block(&self, shared_bytes: i64, device: Device) -> Result<i32> {
        number(|out| unsafe {
            sys::gpuarr_raw_best_block(out, self.as_ptr(), shared_bytes, device.as_ptr())
        })
    }
}

/// A launch in the making: see [`RawKernel::grid`].
#[derive(Clone, Copy, Debug)]
#[must_use = "nothing is launched yet"]
pub struct RawLaunch<'a> {
    kernel: &'a RawKernel,
    grid: Dims,
    block: Dims,
    shared_bytes: i64,
    stream: Option<&'a Stream>,
}

impl<'a> RawLaunch<'a> {
    /// Threads of a block; 1 unless said.
    pub fn block(self, threads: impl Into<Dims>) -> RawLaunch<'a> {
        RawLaunch { block: threads.into(), ..self }
    }

    /// Dynamic shared memory of a block.
    pub fn shared_bytes(self, bytes: i64) -> RawLaunch<'a> {
        RawLaunch { shared_bytes: bytes, ..self }
    }

    /// The stream to work in; the thread's current one unless said.
    pub fn on(self, stream: &'a Stream) -> RawLaunch<'a> {
        RawLaunch { stream: Some(stream), ..self }
    }

    /// Launches the kernel, in the current stream of the arrays' device unless one was given. The
    /// arrays are kept until it is done.
    ///
    /// # Safety
    /// The kernel touches, with these arguments, grid and block, only memory that it may: elements
    /// of the arrays, of which those that it writes are not used by others meanwhile, and what
    /// pointers that are given lead to. Arrays go in as the address of the element with all
    /// indices 0, so strides are for the caller to think of.
    ///
    /// # Errors
    /// `ARGUMENT` (counts, sizes, grid, block, shared memory), `DTYPE`, `DEVICE`, what
    /// [`Module::build`](crate::Module::build) returns, `NOT_FOUND`, `UNSUPPORTED`,
    /// `OUT_OF_MEMORY`, `FAULT`, `ASSERT`, `RACE`, `SYNC`.
    pub unsafe fn launch(&self, args: &[Arg<'_>]) -> Result<()> {
        let (list, count) = Arg::list(args);
        check(sys::gpuarr_raw_launch(
            self.kernel.as_ptr(),
            self.grid.0.as_ptr(),
            self.block.0.as_ptr(),
            self.shared_bytes,
            list,
            count,
            self.stream.map_or(ptr::null_mut(), Stream::as_ptr),
        ))
    }

    /// Prepares a launch: checks it, compiles what it needs, and keeps it, with its arrays, for
    /// launching many times. The stream is that of the launch; structs are copied.
    ///
    /// # Safety
    /// What [`RawLaunch::launch`] asks for holds at every launch of the call.
    ///
    /// # Errors
    /// As [`RawLaunch::launch`].
    pub unsafe fn prepare(&self, args: &[Arg<'_>]) -> Result<RawCall> {
        let (list, count) = Arg::list(args);
        let device = self.stream.map_or(ptr::null_mut(), |stream| stream.device().as_ptr());
        object(|out| {
            sys::gpuarr_raw_prepare(
                out,
                self.kernel.as_ptr(),
                self.grid.0.as_ptr(),
                self.block.0.as_ptr(),
                self.shared_bytes,
                list,
                count,
                device,
            )
        })
        .map(|call| RawCall { call: Call::own(call) })
    }
}

/// A launch of a raw kernel with its arguments, checked and laid out in advance, as [`Call`] is one
/// of the other kernels.
#[derive(Debug)]
pub struct RawCall {
    call: Call,
}

impl RawCall {
    /// Launches it in the thread's current stream of its device.
    ///
    /// # Errors
    /// As [`RawLaunch::launch`].
    pub fn launch(&self) -> Result<()> {
        self.call.launch()
    }

    /// Launches it in a stream of its device.
    ///
    /// # Errors
    /// As [`RawLaunch::launch`].
    pub fn launch_on(&self, stream: &Stream) -> Result<()> {
        self.call.launch_on(stream)
    }

    /// Replaces a parameter that was given as a scalar, counted from 0.
    ///
    /// # Safety
    /// What [`RawLaunch::launch`] asks for holds at every launch with the new value too.
    ///
    /// # Errors
    /// As [`Call::set_scalar`].
    pub unsafe fn set_scalar<'a>(&self, parameter: usize, value: impl Into<Arg<'a>>) -> Result<()> {
        self.call.set_scalar(parameter, value)
    }
}
