//! Elementwise kernels: a body of CUDA C++, run for every element.
use std::ptr;

use gpuarr_sys as sys;

use crate::arg::Arg;
use crate::call::Call;
use crate::error::{c_text, check, object, string, Result};
use crate::handle::{handle, shared_handle};
use crate::options::Options;
use crate::outputs::{Outputs, Results};
use crate::stream::Stream;

handle!(
    /// An elementwise kernel: a body of CUDA C++ that runs for every element, at any time and on
    /// any device. It is compiled when it is first called with a combination of dtypes and layouts.
    ///
    /// A parameter list is `"TYPE NAME, TYPE NAME, ..."`, each with `raw` or `const` before it if
    /// wanted. A TYPE of one letter is a placeholder: the same letter is the same type. In the body
    /// each parameter is the current element, `i` is its number in C order and `n` their number; a
    /// `raw` parameter is the whole array, as `x[k]` or `x(i, j)`. `gpuarr/elementwise.h` has the
    /// whole grammar.
    ///
    /// The body is code, and trusted as code: what it does outside of its elements, by indices of
    /// `raw` arrays or pointers, is not checked.
    ///
    /// ```
    /// use gpuarr::{args, Array, Elementwise};
    /// # fn main() -> gpuarr::Result<()> {
    /// let squared = Elementwise::new("T x, T y", "T z", "z = (x - y) * (x - y);")?;
    /// let x = Array::from_slice(&[1.0f32, 2.0, 3.0, 4.0], [2, 2])?;
    /// let mut z: Array<f32> = squared.call(args![&x, 1.0f32])?; // makes z
    /// assert_eq!(z.to_vec()?, [0.0, 1.0, 4.0, 9.0]);
    /// squared.call_into(args![&x, &x], &mut z)?; // writes to it
    /// squared.call_into(args![&z, 2.0f32], &mut z.clone())?; // works in place
    /// assert_eq!(z.to_vec()?, [4.0; 4]);
    /// # Ok(())
    /// # }
    /// ```
    Elementwise,
    gpuarr_elementwise,
    gpuarr_elementwise_release
);
shared_handle!(Elementwise, gpuarr_elementwise_retain);

// elementwise.h: "reference-counted, immutable", and every function is "@threadsafe", but for the
// arrays, which are borrowed.
unsafe impl Send for Elementwise {}
unsafe impl Sync for Elementwise {}

impl Elementwise {
    /// Creates a kernel; `""` is a list of no parameters.
    ///
    /// # Errors
    /// `SYNTAX`, `TYPE`; `ARGUMENT` for a NUL in a text. The body is first compiled when the kernel
    /// is called.
    pub fn new(in_params: &str, out_params: &str, body: &str) -> Result<Elementwise> {
        Self::with_options(in_params, out_params, body, &Options::new())
    }

    /// Creates a kernel with a name, a preamble, options of the compiler.
    ///
    /// # Errors
    /// As [`Elementwise::new`], and `ARGUMENT` for options that cannot be.
    pub fn with_options(
        in_params: &str,
        out_params: &str,
        body: &str,
        options: &Options,
    ) -> Result<Elementwise> {
        let inputs = c_text("in_params", in_params)?;
        let outputs = c_text("out_params", out_params)?;
        let (body, options) = (c_text("body", body)?, options.build()?);
        object(|out| unsafe {
            let (inputs, outputs) = (inputs.as_ptr(), outputs.as_ptr());
            sys::gpuarr_elementwise_create(out, inputs, outputs, body.as_ptr(), options.as_ptr())
        })
        .map(Elementwise::own)
    }

    fn plain(&self) -> ElementwiseCall<'_> {
        ElementwiseCall { kernel: self, size: sys::GPUARR_NO_SIZE, stream: None }
    }

    /// The kernel for calls over so many elements, which is needed if and only if all arrays are
    /// raw or there is none.
    pub fn size(&self, size: usize) -> ElementwiseCall<'_> {
        self.plain().size(size)
    }

    /// The kernel for calls in a stream other than the thread's current one.
    pub fn on<'a>(&'a self, stream: &'a Stream) -> ElementwiseCall<'a> {
        self.plain().on(stream)
    }

    /// As [`ElementwiseCall::call`].
    ///
    /// # Errors
    /// As [`ElementwiseCall::call`].
    pub fn call<R: Results>(&self, inputs: &[Arg<'_>]) -> Result<R> {
        self.plain().call(inputs)
    }

    /// As [`ElementwiseCall::call_into`].
    ///
    /// # Errors
    /// As [`ElementwiseCall::call`].
    #[inline]
    pub fn call_into(&self, inputs: &[Arg<'_>], outputs: impl Outputs) -> Result<()> {
        self.plain().call_into(inputs, outputs)
    }

    /// As [`ElementwiseCall::prepare`].
    ///
    /// # Errors
    /// As [`ElementwiseCall::prepare`].
    pub fn prepare(&self, inputs: &[Arg<'_>], outputs: impl Outputs) -> Result<Call> {
        self.plain().prepare(inputs, outputs)
    }

    /// As [`ElementwiseCall::source`].
    ///
    /// # Errors
    /// As [`ElementwiseCall::call`].
    pub fn source(&self, inputs: &[Arg<'_>], outputs: impl Outputs) -> Result<String> {
        self.plain().source(inputs, outputs)
    }
}

/// An elementwise kernel with a size and a stream, from [`Elementwise::size`] or
/// [`Elementwise::on`].
#[derive(Clone, Copy, Debug)]
#[must_use = "nothing is launched yet"]
pub struct ElementwiseCall<'a> {
    kernel: &'a Elementwise,
    size: i64,
    stream: Option<&'a Stream>,
}

impl<'a> ElementwiseCall<'a> {
    /// The same over so many elements.
    pub fn size(self, size: usize) -> ElementwiseCall<'a> {
        ElementwiseCall { size: i64::try_from(size).unwrap_or(i64::MAX), ..self }
    }

    /// The same in a stream.
    pub fn on(self, stream: &'a Stream) -> ElementwiseCall<'a> {
        ElementwiseCall { stream: Some(stream), ..self }
    }

    /// Runs the kernel over arrays and makes the outputs, in the memory order of the inputs, which
    /// broadcast together by NumPy's rules. Scalars are converted if the type can hold them; arrays
    /// never are.
    ///
    /// # Errors
    /// `ARGUMENT` (counts, size), `DTYPE`, `TYPE`, `SHAPE`, `BROADCAST`, `DEVICE`, `OVERLAP`,
    /// `OUT_OF_MEMORY`, `COMPILE`, `NO_COMPILER`, `LOAD`, `NO_LIBRARY`, `DRIVER`, `FORKED`.
    pub fn call<R: Results>(&self, inputs: &[Arg<'_>]) -> Result<R> {
        R::make(|outputs, count| self.run(inputs, outputs, count))
    }

    /// Runs the kernel over arrays and writes to given ones, which must have just the shape of the
    /// loop. To work in place, give the same array as an input and its clone as the output: where
    /// the two overlap otherwise, the result is as if they did not.
    ///
    /// # Errors
    /// As [`ElementwiseCall::call`].
    #[inline]
    pub fn call_into(&self, inputs: &[Arg<'_>], outputs: impl Outputs) -> Result<()> {
        check(outputs.give(|outputs, count| self.run(inputs, outputs, count)))
    }

    #[inline]
    fn run(
        &self,
        inputs: &[Arg<'_>],
        outputs: *mut *mut sys::gpuarr_array,
        output_count: i32,
    ) -> i32 {
        let (list, count) = Arg::list(inputs);
        let (kernel, size) = (self.kernel.as_ptr(), self.size);
        let stream = self.stream.map_or(ptr::null_mut(), Stream::as_ptr);
        unsafe {
            sys::gpuarr_elementwise_call(kernel, outputs, output_count, list, count, size, stream)
        }
    }

    /// Prepares a call: checks it, compiles what it needs, and keeps it, with its arrays, for
    /// launching many times. The stream is that of the launch.
    ///
    /// # Errors
    /// As [`ElementwiseCall::call`], and `OVERLAP` for an output that overlaps an input but at the
    /// same place.
    pub fn prepare(&self, inputs: &[Arg<'_>], outputs: impl Outputs) -> Result<Call> {
        let (list, count) = Arg::list(inputs);
        outputs
            .give(|outputs, output_count| {
                object(|out| unsafe {
                    let kernel = self.kernel.as_ptr();
                    sys::gpuarr_elementwise_prepare(
                        out,
                        kernel,
                        outputs,
                        output_count,
                        list,
                        count,
                        self.size,
                    )
                })
            })
            .map(Call::own)
    }

    /// The source that would be compiled for a call, without running it.
    ///
    /// # Errors
    /// As [`ElementwiseCall::call`].
    pub fn source(&self, inputs: &[Arg<'_>], outputs: impl Outputs) -> Result<String> {
        let (list, count) = Arg::list(inputs);
        outputs.give(|outputs, output_count| {
            string(|out| unsafe {
                let kernel = self.kernel.as_ptr();
                sys::gpuarr_elementwise_source(
                    out,
                    kernel,
                    outputs,
                    output_count,
                    list,
                    count,
                    self.size,
                )
            })
        })
    }
}
