//! Gufuncs: a body of CUDA C++ for each place of the outer axes, with cores of the arrays there.
use std::ptr;

use gpuarr_sys as sys;

use crate::arg::Arg;
use crate::call::Call;
use crate::error::{c_text, check, object, string, Result};
use crate::handle::{handle, shared_handle};
use crate::options::Options;
use crate::outputs::{Outputs, Results};
use crate::shape::Order;
use crate::stream::Stream;

/// Who runs a gufunc's body for a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    /// One thread, or what suits the cores' size if the body names `group`.
    Auto,
    /// One thread.
    Thread,
    /// 32 threads in step.
    Warp,
    /// A block of threads, as many as suit the largest core.
    Block,
    /// So many threads: a block's, a multiple of 32 from 64 to 1024; 1 and 32 are `Thread` and
    /// `Warp`.
    Threads(u16),
}

impl Group {
    fn number(self) -> i32 {
        match self {
            Group::Auto => sys::GPUARR_GROUP_AUTO,
            Group::Thread => sys::GPUARR_GROUP_THREAD,
            Group::Warp => sys::GPUARR_GROUP_WARP,
            Group::Block => sys::GPUARR_GROUP_BLOCK,
            Group::Threads(count) => i32::from(count),
        }
    }
}

handle!(
    /// A generalized universal function: a body of CUDA C++ that runs for each place of the outer
    /// axes, and sees a small array of each operand there, its core. It is compiled when it is
    /// first called with a combination of dtypes, layouts and small core sizes.
    ///
    /// The signature is NumPy's: `"(m,k),(k,n)->(m,n)"` has a core for each input and output, of
    /// the arrays' last axes; `"(3),(3)->(3)"` has fixed sizes, and `n?` may be missing. The other
    /// axes broadcast. Parameter lists are those of [`Elementwise`](crate::Elementwise), without
    /// `raw`. In the body `x(i, j)` is an element of a core, `x.shape()[0]` its extent, `n` the
    /// size of that name; an operand with core `()` is a variable. A body that names `group` may
    /// be run by several threads: `group.rank()` of `group.size()`, `group.sync()`,
    /// `group.sum(x)`. `gpuarr/gufunc.h` has the whole.
    ///
    /// ```
    /// use gpuarr::{args, Array, Gufunc};
    /// # fn main() -> gpuarr::Result<()> {
    /// let body = "T s = 0; for (int j = 0; j < n; ++j) s += x(j) * y(j); z = s;";
    /// let dot = Gufunc::new("(n),(n)->()", "T x, T y", "T z", body)?;
    /// let x = Array::from_slice(&[1.0f32, 2.0, 3.0, 4.0], [2, 2])?;
    /// let y = Array::from_slice(&[10.0f32, 1.0], 2)?;
    /// let z: Array<f32> = dot.call(args![&x, &y])?;
    /// assert_eq!(z.to_vec()?, [12.0, 34.0]);
    /// # Ok(())
    /// # }
    /// ```
    Gufunc,
    gpuarr_gufunc,
    gpuarr_gufunc_release
);
shared_handle!(Gufunc, gpuarr_gufunc_retain);

// gufunc.h: "reference-counted, immutable", and every function is "@threadsafe", but for the
// arrays, which are borrowed.
unsafe impl Send for Gufunc {}
unsafe impl Sync for Gufunc {}

impl Gufunc {
    /// Creates a gufunc whose group is [`Group::Auto`], with cores of the last axes.
    ///
    /// # Errors
    /// `SYNTAX`, `TYPE`; `ARGUMENT` for a NUL in a text. The body is first compiled when the gufunc
    /// is called.
    pub fn new(signature: &str, in_params: &str, out_params: &str, body: &str) -> Result<Gufunc> {
        let options = Options::new();
        Self::with_options(signature, in_params, out_params, body, Group::Auto, Order::C, &options)
    }

    /// Creates a gufunc with a group, with cores of the last axes ([`Order::C`]) or of the first
    /// ones ([`Order::F`], where the others broadcast from the first on), and with a name, a
    /// preamble, options of the compiler.
    ///
    /// # Errors
    /// As [`Gufunc::new`], and `ARGUMENT` for a group, an order or options that cannot be.
    pub fn with_options(
        signature: &str,
        in_params: &str,
        out_params: &str,
        body: &str,
        group: Group,
        order: Order,
        options: &Options,
    ) -> Result<Gufunc> {
        let signature = c_text("signature", signature)?;
        let inputs = c_text("in_params", in_params)?;
        let outputs = c_text("out_params", out_params)?;
        let (body, options) = (c_text("body", body)?, options.build()?);
        object(|out| unsafe {
            sys::gpuarr_gufunc_create(
                out,
                signature.as_ptr(),
                inputs.as_ptr(),
                outputs.as_ptr(),
                body.as_ptr(),
                group.number(),
                order.code(),
                options.as_ptr(),
            )
        })
        .map(Gufunc::own)
    }

    /// The gufunc for calls in a stream other than the thread's current one.
    pub fn on<'a>(&'a self, stream: &'a Stream) -> GufuncCall<'a> {
        GufuncCall { gufunc: self, stream: Some(stream) }
    }

    fn plain(&self) -> GufuncCall<'_> {
        GufuncCall { gufunc: self, stream: None }
    }

    /// As [`GufuncCall::call`].
    ///
    /// # Errors
    /// As [`GufuncCall::call`].
    pub fn call<R: Results>(&self, inputs: &[Arg<'_>]) -> Result<R> {
        self.plain().call(inputs)
    }

    /// As [`GufuncCall::call_into`].
    ///
    /// # Errors
    /// As [`GufuncCall::call`].
    #[inline]
    pub fn call_into(&self, inputs: &[Arg<'_>], outputs: impl Outputs) -> Result<()> {
        self.plain().call_into(inputs, outputs)
    }

    /// Prepares a call: checks it, compiles what it needs, and keeps it, with its arrays, for
    /// launching many times. The stream is that of the launch.
    ///
    /// # Errors
    /// As [`GufuncCall::call`], and `OVERLAP` for an output that overlaps an input, but where both
    /// have core `()` and lie at the same place.
    pub fn prepare(&self, inputs: &[Arg<'_>], outputs: impl Outputs) -> Result<Call> {
        let (list, count) = Arg::list(inputs);
        outputs
            .give(|outputs, output_count| {
                object(|out| unsafe {
                    let gufunc = self.as_ptr();
                    sys::gpuarr_gufunc_prepare(out, gufunc, outputs, output_count, list, count)
                })
            })
            .map(Call::own)
    }

    /// The source that would be compiled for a call, without running it.
    ///
    /// # Errors
    /// As [`GufuncCall::call`].
    pub fn source(&self, inputs: &[Arg<'_>], outputs: impl Outputs) -> Result<String> {
        let (list, count) = Arg::list(inputs);
        outputs.give(|outputs, output_count| {
            string(|out| unsafe {
                let gufunc = self.as_ptr();
                sys::gpuarr_gufunc_source(out, gufunc, outputs, output_count, list, count)
            })
        })
    }
}

/// A gufunc with a stream, from [`Gufunc::on`].
#[derive(Clone, Copy, Debug)]
#[must_use = "nothing is launched yet"]
pub struct GufuncCall<'a> {
    gufunc: &'a Gufunc,
    stream: Option<&'a Stream>,
}

impl GufuncCall<'_> {
    /// Runs the gufunc over arrays and makes the outputs: the elements of their cores lie together,
    /// and outer axes as those of the inputs. Scalars stand for cores `()`, and are converted if
    /// the type can hold them; arrays never are.
    ///
    /// # Errors
    /// `ARGUMENT` (counts), `DTYPE`, `TYPE`, `SHAPE`, `BROADCAST`, `DEVICE`, `OVERLAP`,
    /// `OUT_OF_MEMORY`, `COMPILE`, `NO_COMPILER`, `LOAD`, `NO_LIBRARY`, `DRIVER`, `FORKED`.
    pub fn call<R: Results>(&self, inputs: &[Arg<'_>]) -> Result<R> {
        R::make(|outputs, count| self.run(inputs, outputs, count))
    }

    /// Runs the gufunc over arrays and writes to given ones, which must have just the loop's outer
    /// shape and their core's. One that overlaps an input is written as if it did not.
    ///
    /// # Errors
    /// As [`GufuncCall::call`].
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
        let gufunc = self.gufunc.as_ptr();
        let stream = self.stream.map_or(ptr::null_mut(), Stream::as_ptr);
        unsafe { sys::gpuarr_gufunc_call(gufunc, outputs, output_count, list, count, stream) }
    }
}
