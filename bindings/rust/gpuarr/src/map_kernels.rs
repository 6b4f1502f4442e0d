//! Kernels and expressions that run for each block of blocked arrays.
use std::ffi::CString;
use std::ptr;

use gpuarr_sys as sys;

use crate::block_arg::BlockArg;
use crate::blocked::Blocked;
use crate::elementwise::Elementwise;
use crate::error::{c_text, check, Result};
use crate::map_blocks::BlockedOutputs;
use crate::raw::{Dims, RawKernel};
use crate::reduction::Reduction;
use crate::shape::Axes;

impl Elementwise {
    /// Runs the kernel for each block. The result is that of the undivided arrays, but `i`, `n` and
    /// `raw` arrays count within a block. Collective.
    ///
    /// ```
    /// use gpuarr::{block_args, Blocks, Elementwise, Team};
    /// # fn main() -> gpuarr::Result<()> {
    /// let x = Team::world(None)?.arange::<i32>(&Blocks::new([4, 6]).chunk([3, 4]), 0, 1)?;
    /// let mut z = x.empty_like()?;
    /// let scale = Elementwise::new("T x, T by", "T z", "z = by * x;")?;
    /// scale.map_blocks(block_args![&x, 3], &mut z)?;
    /// assert_eq!(z.read((3.., 4..))?, [66, 69]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`map_blocks`](crate::map_blocks()) and [`Elementwise::call`].
    pub fn map_blocks(&self, inputs: &[BlockArg<'_>], outputs: impl BlockedOutputs) -> Result<()> {
        let (list, count) = BlockArg::list(inputs);
        check(outputs.give(|(first, made)| unsafe {
            sys::gpuarr_map_blocks_elementwise(self.as_ptr(), first, made, list, count)
        }))
    }
}

impl Reduction {
    /// Reduces each block by itself; [`Reduction::reduce`] reduces the whole. Outputs have as many
    /// axes as the inputs, and along a reduced one as many blocks, each of extent 1. Collective.
    ///
    /// # Errors
    /// As [`map_blocks`](crate::map_blocks()) and [`Reduction::call`].
    pub fn map_blocks(
        &self,
        inputs: &[BlockArg<'_>],
        axes: impl Into<Axes>,
        outputs: impl BlockedOutputs,
    ) -> Result<()> {
        let axes = axes.into();
        let (axes, axis_count, _) = axes.parts()?;
        let (list, count) = BlockArg::list(inputs);
        check(outputs.give(|(first, made)| unsafe {
            let kernel = self.as_ptr();
            sys::gpuarr_map_blocks_reduction(kernel, first, made, list, count, axes, axis_count)
        }))
    }
}

impl RawKernel {
    /// Launches the kernel for each block of `over`, with at least one thread for each element:
    /// along x in blocks that suit the device, where `threads` is `None`, otherwise in blocks of so
    /// many threads that cover the last axis by x, the one before by y, all others by z.
    /// Collective.
    ///
    /// ```
    /// use gpuarr::{block_args, BlockArg, Blocks, RawKernel, Team};
    /// # fn main() -> gpuarr::Result<()> {
    /// let scale = RawKernel::new(
    ///     "__global__ void scale(float* x, float by, long long n) {
    ///        long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    ///        if (i < n) x[i] *= by;
    ///      }", "scale")?;
    /// let x = Team::world(None)?.arange::<f32>(&Blocks::new(1000).chunk(300), 0, 1)?;
    /// // Blocks without ghost cells are contiguous, and have the n elements that are touched.
    /// unsafe { scale.map_blocks(&x, None, block_args![&x, 2.0f32, BlockArg::size()]) }?;
    /// assert_eq!(x.read(998..)?, [1996.0, 1998.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Safety
    /// As of [`RawLaunch::launch`](crate::RawLaunch::launch), for each block.
    ///
    /// # Errors
    /// As [`map_blocks`](crate::map_blocks()) and [`RawLaunch::launch`](crate::RawLaunch::launch).
    pub unsafe fn map_blocks<T>(
        &self,
        over: &Blocked<T>,
        threads: Option<Dims>,
        args: &[BlockArg<'_>],
    ) -> Result<()> {
        let (list, count) = BlockArg::list(args);
        let threads = threads.as_ref().map_or(ptr::null(), |threads| threads.0.as_ptr());
        check(sys::gpuarr_map_blocks_raw(self.as_ptr(), over.as_ptr(), threads, list, count))
    }
}

/// Computes an expression from its text for each block, with a blocked array, an array or a scalar
/// for each of its names: operators, functions and views as in Python with NumPy. What it reduces
/// or indexes, it does within a block. Collective.
///
/// ```
/// use gpuarr::{map_blocks_eval, Blocks, Team};
/// # fn main() -> gpuarr::Result<()> {
/// let x = Team::world(None)?.arange::<f64>(&Blocks::new([4, 6]).chunk([3, 4]), 0, 1)?;
/// let mut z = x.empty_like()?;
/// map_blocks_eval("a * x ** 2 + 1", &[("a", 0.5.into()), ("x", (&x).into())], &mut z)?;
/// assert_eq!(z.read((.., -1..))?, [13.5, 61.5, 145.5, 265.5]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`map_blocks`](crate::map_blocks()); `SYNTAX`, `NOT_FOUND`, `DTYPE`, `BROADCAST`, and compile
/// errors.
pub fn map_blocks_eval(
    text: &str,
    names: &[(&str, BlockArg<'_>)],
    outputs: impl BlockedOutputs,
) -> Result<()> {
    let text = c_text("text", text)?;
    let (names, args): (Vec<&str>, Vec<BlockArg<'_>>) = names.iter().copied().unzip();
    let names: Result<Vec<CString>> = names.iter().map(|name| c_text("a name", name)).collect();
    let names = names?;
    let pointers: Vec<_> = names.iter().map(|name| name.as_ptr()).collect();
    let (list, count) = BlockArg::list(&args);
    check(outputs.give(|(first, made)| unsafe {
        let (text, names) = (text.as_ptr(), pointers.as_ptr());
        sys::gpuarr_map_blocks_eval(first, made, text, names, list, count)
    }))
}
