//! Prepared calls.
use gpuarr_sys as sys;

use crate::arg::Arg;
use crate::error::{check, Result};
use crate::handle::handle;
use crate::stream::Stream;

handle!(
    /// A call of a kernel with its arguments, checked and laid out in advance, to be launched many
    /// times, one after another. It keeps its kernel and its arrays alive, and writes to its
    /// outputs at each launch, whoever has handles of them.
    ///
    /// ```
    /// use gpuarr::{args, Array, Elementwise};
    /// # fn main() -> gpuarr::Result<()> {
    /// let mut x = Array::<f64>::ones(3)?;
    /// let grow = Elementwise::new("T x, T by", "T x", "x *= by;")?;
    /// let call = grow.prepare(args![&x.clone(), 2.0], &mut x)?;
    /// call.launch()?;
    /// call.set_scalar(1, 5.0)?;
    /// call.launch()?;
    /// assert_eq!(x.to_vec()?, [10.0; 3]);
    /// # Ok(())
    /// # }
    /// ```
    Call,
    gpuarr_call,
    gpuarr_call_release
);

// kernel.h: gpuarr_call_launch is "@threadsafe as far as the arrays allow", and a call's arrays are
// always the same; gpuarr_call_set_scalar is "@externalsync call". So it may go to another thread,
// and is not for two at a time: not Sync.
unsafe impl Send for Call {}

impl Call {
    /// Launches it in the thread's current stream of its device.
    ///
    /// # Errors
    /// `DRIVER`, `FAULT`, `FORKED`.
    #[inline]
    pub fn launch(&self) -> Result<()> {
        check(unsafe { sys::gpuarr_call_launch(self.as_ptr(), std::ptr::null_mut()) })
    }

    /// Launches it in a stream of its device.
    ///
    /// # Errors
    /// As [`Call::launch`], and `DEVICE`.
    #[inline]
    pub fn launch_on(&self, stream: &Stream) -> Result<()> {
        check(unsafe { sys::gpuarr_call_launch(self.as_ptr(), stream.as_ptr()) })
    }

    /// Replaces an input that was given as a scalar, counted from 0.
    ///
    /// # Errors
    /// `ARGUMENT` for an input that is none; `DTYPE` if the parameter's type cannot hold the value.
    pub fn set_scalar<'a>(&self, input: usize, value: impl Into<Arg<'a>>) -> Result<()> {
        let input = i32::try_from(input).unwrap_or(i32::MAX);
        let value = value.into().raw();
        check(unsafe { sys::gpuarr_call_set_scalar(self.as_ptr(), input, value) })
    }
}
