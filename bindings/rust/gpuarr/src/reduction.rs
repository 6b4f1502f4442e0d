//! Reduction kernels: map every element, combine the results, post-process.
use std::ffi::CString;
use std::os::raw::c_char;
use std::ptr::{self, NonNull};

use gpuarr_sys as sys;

use crate::arg::Arg;
use crate::call::Call;
use crate::error::{c_text, check, object, Result};
use crate::handle::{handle, shared_handle};
use crate::options::Options;
use crate::outputs::{Outputs, Results};
use crate::shape::Axes;
use crate::stream::Stream;

handle!(
    /// A reduction kernel: `post(reduce(map(x0), map(x1), ...))` along any axes, in one launch.
    ///
    /// `map` is an expression of the inputs' elements, `reduce` one of two partial results `a` and
    /// `b`, and `post` sets the outputs from `a`. All three see scalars, raw inputs and `n`, the
    /// number of elements. Partial results have the type of the first output (`float32` for 16-bit
    /// floats) unless [`Options::reduce_type`] says otherwise. The same call gives the same bits.
    /// `gpuarr/reduction.h` has all of it.
    ///
    /// ```
    /// use gpuarr::{args, Array, Reduction, ALL};
    /// # fn main() -> gpuarr::Result<()> {
    /// let mse = Reduction::new(
    ///     "T x, T y", "float64 mse", "(x - y) * (x - y)", "a + b", "mse = a / n", None)?;
    /// let x = Array::from_slice(&[1.0f32, 2.0, 3.0, 4.0], 4)?;
    /// let result: Array<f64> = mse.call(args![&x, 2.0f32], ALL)?;
    /// assert_eq!(result.item()?, 1.5);
    /// # Ok(())
    /// # }
    /// ```
    Reduction,
    gpuarr_reduction,
    gpuarr_reduction_release
);
shared_handle!(Reduction, gpuarr_reduction_retain);

// reduction.h: "reference-counted, immutable", and every function is "@threadsafe", but for the
// arrays, which are borrowed.
unsafe impl Send for Reduction {}
unsafe impl Sync for Reduction {}

/// What makes a reduction or a scan in C.
type Creator<K> = unsafe extern "C" fn(
    *mut *mut K,
    *const c_char,
    *const c_char,
    *const c_char,
    *const c_char,
    *const c_char,
    *const c_char,
    *const sys::gpuarr_kernel_options,
) -> sys::gpuarr_status;

/// Makes it. `texts`: in_params, out_params, map, reduce, post.
pub(crate) fn create<K>(
    creator: Creator<K>,
    texts: [&str; 5],
    identity: Option<&str>,
    options: &Options,
) -> Result<NonNull<K>> {
    let names = ["in_params", "out_params", "map", "reduce", "post"];
    let texts = names.iter().zip(texts).map(|(name, text)| c_text(name, text));
    let texts = texts.collect::<Result<Vec<CString>>>()?;
    let identity = identity.map(|text| c_text("identity", text)).transpose()?;
    let options = options.build()?;
    object(|out| unsafe {
        creator(
            out,
            texts[0].as_ptr(),
            texts[1].as_ptr(),
            texts[2].as_ptr(),
            texts[3].as_ptr(),
            texts[4].as_ptr(),
            identity.as_ref().map_or(ptr::null(), |text| text.as_ptr()),
            options.as_ptr(),
        )
    })
}

impl Reduction {
    /// Creates a kernel. `identity` is an expression that enters each result once; without one, a
    /// reduction of no elements is an error.
    ///
    /// # Errors
    /// `SYNTAX`, `TYPE`; `ARGUMENT` for a NUL in a text. The texts are first compiled when the
    /// kernel is called.
    pub fn new(
        in_params: &str,
        out_params: &str,
        map: &str,
        reduce: &str,
        post: &str,
        identity: Option<&str>,
    ) -> Result<Reduction> {
        let options = Options::new();
        Self::with_options(in_params, out_params, map, reduce, post, identity, &options)
    }

    /// Creates a kernel with a name, a preamble, a type of partial results.
    ///
    /// # Errors
    /// As [`Reduction::new`], and `ARGUMENT` for options that cannot be.
    pub fn with_options(
        in_params: &str,
        out_params: &str,
        map: &str,
        reduce: &str,
        post: &str,
        identity: Option<&str>,
        options: &Options,
    ) -> Result<Reduction> {
        let texts = [in_params, out_params, map, reduce, post];
        create(sys::gpuarr_reduction_create, texts, identity, options).map(Reduction::own)
    }

    /// The kernel for calls in a stream other than the thread's current one.
    pub fn on<'a>(&'a self, stream: &'a Stream) -> ReductionCall<'a> {
        ReductionCall { kernel: self, stream: Some(stream) }
    }

    fn plain(&self) -> ReductionCall<'_> {
        ReductionCall { kernel: self, stream: None }
    }

    /// As [`ReductionCall::call`].
    ///
    /// # Errors
    /// As [`ReductionCall::call`].
    pub fn call<R: Results>(&self, inputs: &[Arg<'_>], axes: impl Into<Axes>) -> Result<R> {
        self.plain().call(inputs, axes)
    }

    /// As [`ReductionCall::call_into`].
    ///
    /// # Errors
    /// As [`ReductionCall::call`].
    pub fn call_into(
        &self,
        inputs: &[Arg<'_>],
        axes: impl Into<Axes>,
        outputs: impl Outputs,
    ) -> Result<()> {
        self.plain().call_into(inputs, axes, outputs)
    }

    /// Prepares a call: checks it, compiles what it needs, and keeps it, with its arrays and memory
    /// of its own, for launching many times.
    ///
    /// # Errors
    /// As [`ReductionCall::call`].
    pub fn prepare(
        &self,
        inputs: &[Arg<'_>],
        axes: impl Into<Axes>,
        outputs: impl Outputs,
    ) -> Result<Call> {
        let axes = axes.into();
        let (axis_list, axis_count, keepdims) = axes.parts()?;
        let (list, count) = Arg::list(inputs);
        outputs
            .give(|outputs, output_count| {
                object(|out| unsafe {
                    sys::gpuarr_reduction_prepare(
                        out,
                        self.as_ptr(),
                        outputs,
                        output_count,
                        list,
                        count,
                        axis_list,
                        axis_count,
                        keepdims,
                    )
                })
            })
            .map(Call::own)
    }
}

/// A reduction kernel with a stream, from [`Reduction::on`].
#[derive(Clone, Copy, Debug)]
#[must_use = "nothing is launched yet"]
pub struct ReductionCall<'a> {
    kernel: &'a Reduction,
    stream: Option<&'a Stream>,
}

impl ReductionCall<'_> {
    /// Reduces arrays along axes of the shape that they broadcast to, and makes the outputs: of
    /// that shape without the axes, or with extent 1 there after [`Axes::keepdims`].
    ///
    /// # Errors
    /// `ARGUMENT` (counts), `AXIS`, `EMPTY` (no elements and no identity), `SHAPE`, `OVERLAP` (an
    /// output shares memory with an input), `DTYPE`, `TYPE`, `BROADCAST`, `DEVICE`,
    /// `OUT_OF_MEMORY`, `COMPILE`, `NO_COMPILER`, `LOAD`, `NO_LIBRARY`, `DRIVER`, `FORKED`,
    /// `UNSUPPORTED`.
    pub fn call<R: Results>(&self, inputs: &[Arg<'_>], axes: impl Into<Axes>) -> Result<R> {
        let axes = axes.into();
        let axes = axes.parts()?;
        R::make(|outputs, count| self.run(inputs, axes, outputs, count))
    }

    /// Reduces arrays and writes to given ones, which must have just the results' shape.
    ///
    /// # Errors
    /// As [`ReductionCall::call`].
    pub fn call_into(
        &self,
        inputs: &[Arg<'_>],
        axes: impl Into<Axes>,
        outputs: impl Outputs,
    ) -> Result<()> {
        let axes = axes.into();
        let axes = axes.parts()?;
        check(outputs.give(|outputs, count| self.run(inputs, axes, outputs, count)))
    }

    fn run(
        &self,
        inputs: &[Arg<'_>],
        (axes, axis_count, keepdims): (*const i32, i32, i32),
        outputs: *mut *mut sys::gpuarr_array,
        output_count: i32,
    ) -> i32 {
        let (list, count) = Arg::list(inputs);
        let stream = self.stream.map_or(ptr::null_mut(), Stream::as_ptr);
        let kernel = self.kernel.as_ptr();
        unsafe {
            sys::gpuarr_reduction_call(
                kernel,
                outputs,
                output_count,
                list,
                count,
                axes,
                axis_count,
                keepdims,
                stream,
            )
        }
    }
}
