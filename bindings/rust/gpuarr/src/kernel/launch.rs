//! Launches of kernels that were written in Rust.
use std::fmt;
use std::ptr;

use gpuarr_sys as sys;

use crate::arg::Arg;
use crate::error::{check, Error, Result, Status};
use crate::options::{checks, Options};
use crate::raw::{Dims, RawCall, RawKernel};
use crate::stream::Stream;

use super::plain::Sliced;
use super::writer::{Code, Writer};

/// Arguments of a launch with so much dynamic shared memory, which are laid out when it comes.
pub trait Arguments: Fn(i64, &mut dyn FnMut(&[Arg<'_>])) {}
impl<F: Fn(i64, &mut dyn FnMut(&[Arg<'_>]))> Arguments for F {}

/// Whether what runs now is to be checked, as the library reads it.
fn is_checked_by_environment() -> bool {
    let wanted = std::env::var("GPUARR_CHECK").unwrap_or_default();
    wanted.split(',').any(|one| one.trim() == "memory")
}

/// The text of a kernel.
#[doc(hidden)]
pub fn source<K: Code>() -> Result<String> {
    let mut writer = Writer::new(is_checked_by_environment());
    writer.kernel::<K>();
    writer.finish()
}

/// Makes a kernel of a function.
#[doc(hidden)]
pub fn raw<K: Code>(is_checked: bool) -> Result<RawKernel> {
    let mut writer = Writer::new(is_checked || is_checked_by_environment());
    let name = writer.kernel::<K>();
    let options = match is_checked {
        true => Options::new().check(checks::MEMORY),
        false => Options::new(),
    };
    RawKernel::with_options(&writer.finish()?, &name, &options)
}

/// A slice's length as a parameter.
#[inline]
#[doc(hidden)]
pub fn length<S: Sliced>(slice: &S) -> Arg<'_> {
    Arg::scalar(slice.count() as u64)
}

/// The first array that is no slice.
#[inline]
#[doc(hidden)]
pub fn strided(slices: &[(&'static str, bool)]) -> Option<&'static str> {
    slices.iter().find(|(_, is_plain)| !is_plain).map(|(name, _)| *name)
}

/// A kernel with its arguments, to be launched over elements or with a grid.
#[must_use = "nothing is launched yet"]
pub struct Ready<A> {
    kernel: Result<&'static RawKernel>,
    strided: Option<&'static str>,
    arguments: A,
}

/// A launch in the making: see [`Ready::elements`] and [`Ready::grid`].
#[must_use = "nothing is launched yet"]
pub struct Launch<'a, A> {
    ready: Ready<A>,
    extent: Extent,
    block: Option<Dims>,
    shared_bytes: i64,
    stream: Option<&'a Stream>,
}

#[derive(Clone, Copy)]
enum Extent {
    Elements(usize),
    Blocks(Dims),
}

impl<A: Arguments> Ready<A> {
    #[inline]
    #[doc(hidden)]
    pub fn new(
        kernel: Result<&'static RawKernel>,
        strided: Option<&'static str>,
        arguments: A,
    ) -> Ready<A> {
        Ready { kernel, strided, arguments }
    }

    /// The kernel, for its attributes.
    ///
    /// # Errors
    /// `UNSUPPORTED` for what only shows when all types are known, such as recursion by way of
    /// others.
    pub fn kernel(self) -> Result<&'static RawKernel> {
        self.kernel
    }

    /// At least one thread for each of `count` elements, along x. Threads past the last element
    /// have to do nothing.
    #[inline]
    pub fn elements(self, count: usize) -> Launch<'static, A> {
        self.over(Extent::Elements(count))
    }

    /// So many blocks; a 0 launches nothing.
    #[inline]
    pub fn grid(self, blocks: impl Into<Dims>) -> Launch<'static, A> {
        self.over(Extent::Blocks(blocks.into()))
    }

    #[inline]
    fn over(self, extent: Extent) -> Launch<'static, A> {
        Launch { ready: self, extent, block: None, shared_bytes: 0, stream: None }
    }
}

impl<'a, A: Arguments> Launch<'a, A> {
    /// Threads of a block: those that suit the device, or one with a grid, unless said.
    #[inline]
    pub fn block(self, threads: impl Into<Dims>) -> Launch<'a, A> {
        Launch { block: Some(threads.into()), ..self }
    }

    /// Dynamic shared memory of a block, for a kernel with `#[shared] let x: &mut [f32];`.
    #[inline]
    pub fn shared_bytes(self, bytes: i64) -> Launch<'a, A> {
        Launch { shared_bytes: bytes, ..self }
    }

    /// The stream to work in; the thread's current one unless said.
    #[inline]
    pub fn on(self, stream: &Stream) -> Launch<'_, A> {
        let Launch { ready, extent, block, shared_bytes, .. } = self;
        Launch { ready, extent, block, shared_bytes, stream: Some(stream) }
    }

    /// Launches the kernel. The arrays are kept until it is done.
    ///
    /// # Safety
    /// With these arguments, no thread's index is out of range, and no two threads use an element
    /// that one of them writes, but by [`atomic`](crate::atomic) functions or with a barrier
    /// between.
    ///
    /// # Errors
    /// As [`RawLaunch::launch`](crate::RawLaunch::launch), and `ARGUMENT` for an array that is not
    /// contiguous in C order.
    #[inline]
    pub unsafe fn launch(self) -> Result<()> {
        let kernel = self.checked()?;
        let stream = self.stream.map_or(ptr::null_mut(), Stream::as_ptr);
        let mut status = sys::GPUARR_OK;
        (self.ready.arguments)(self.shared_bytes, &mut |args| {
            let (list, count) = Arg::list(args);
            let raw = kernel.as_ptr();
            status = match (self.extent, self.block) {
                (Extent::Elements(n), None) => {
                    let n = i64::try_from(n).unwrap_or(i64::MAX);
                    sys::gpuarr_raw_launch_1d(raw, n, list, count, stream)
                }
                (extent, block) => {
                    let (grid, block) = sizes(extent, block);
                    let (grid, block) = (grid.0.as_ptr(), block.0.as_ptr());
                    sys::gpuarr_raw_launch(raw, grid, block, self.shared_bytes, list, count, stream)
                }
            };
        });
        check(status)
    }

    /// Prepares a launch: checks it, compiles what it needs, and keeps it, with its arrays, for
    /// launching many times. Blocks are of 256 threads unless said; the stream is that of the
    /// launch.
    ///
    /// # Safety
    /// What [`Launch::launch`] asks for holds at every launch of the call.
    ///
    /// # Errors
    /// As [`Launch::launch`].
    pub unsafe fn prepare(self) -> Result<RawCall> {
        let kernel = self.checked()?;
        let (grid, block) = sizes(self.extent, self.block);
        let launch = kernel.grid(grid).block(block).shared_bytes(self.shared_bytes);
        let mut call = None;
        (self.ready.arguments)(self.shared_bytes, &mut |args| {
            call = Some(match self.stream {
                Some(stream) => launch.on(stream).prepare(args),
                None => launch.prepare(args),
            });
        });
        call.unwrap_or_else(|| unreachable!("arguments call what they are given"))
    }

    #[inline]
    fn checked(&self) -> Result<&'static RawKernel> {
        match (&self.ready.kernel, self.ready.strided) {
            (Ok(kernel), None) => Ok(kernel),
            (Ok(_), Some(name)) => Err(not_contiguous(name)),
            (Err(error), _) => Err(error.clone()),
        }
    }
}

fn sizes(extent: Extent, block: Option<Dims>) -> (Dims, Dims) {
    match extent {
        Extent::Blocks(grid) => (grid, block.unwrap_or_else(|| Dims::from(1))),
        Extent::Elements(n) => {
            let block = block.unwrap_or_else(|| Dims::from(256));
            let n = i64::try_from(n).unwrap_or(i64::MAX);
            let threads = block.0[0].max(1);
            (Dims::from(n / threads + i64::from(n % threads != 0)), block)
        }
    }
}

#[cold]
fn not_contiguous(name: &str) -> Error {
    let message =
        format!("{} is a slice, and this array is not contiguous in C order: give a copy()", name);
    Error::new(Status::ARGUMENT, message)
}

impl<A> fmt::Debug for Ready<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Ready({:?})", self.kernel)
    }
}

impl<A> fmt::Debug for Launch<'_, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Launch({:?})", self.ready)
    }
}
