//! Scans: results along an axis that each have all elements before them in it.
use std::ptr;

use gpuarr_sys as sys;

use crate::arg::Arg;
use crate::array::Array;
use crate::element::Content;
use crate::error::{check, string, Result};
use crate::handle::{handle, shared_handle};
use crate::options::Options;
use crate::outputs::{Outputs, Results};
use crate::reduction::create;
use crate::stream::Stream;

/// The axis that a scan goes along, from 0, or from the last as -1: `x.cumsum(0)`,
/// `x.cumsum(Along::exclusive(-1))`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Along {
    pub(crate) axis: i32,
    pub(crate) exclusive: i32,
}

impl Along {
    /// The same, where results leave their own element out: the first is that of no elements.
    pub fn exclusive(axis: i32) -> Along {
        Along { axis, exclusive: 1 }
    }
}

impl From<i32> for Along {
    fn from(axis: i32) -> Along {
        Along { axis, exclusive: 0 }
    }
}

/// What a ready-made scan is in C.
type Scanner = unsafe extern "C" fn(
    *mut *mut sys::gpuarr_array,
    *const sys::gpuarr_array,
    i32,
    i32,
    *mut sys::gpuarr_stream,
) -> i32;

/// Running results along an axis, of which each has the elements up to its own in it. They work in
/// the thread's current stream and give the same bits for the same call. All fail with `AXIS`,
/// `DTYPE`, `OUT_OF_MEMORY`, `DRIVER`, and compile errors.
impl<T: Content> Array<T> {
    fn scanned<R: Content>(&self, scanner: Scanner, along: impl Into<Along>) -> Result<Array<R>> {
        let Along { axis, exclusive } = along.into();
        Results::make(|out, _| unsafe {
            scanner(out, self.as_ptr(), axis, exclusive, ptr::null_mut())
        })
    }

    /// Cumulative sums, with the types of [`Array::sum`].
    ///
    /// # Errors
    /// As all of these.
    pub fn cumsum(&self, along: impl Into<Along>) -> Result<Array<T::Sum>> {
        self.scanned(sys::gpuarr_cumsum, along)
    }

    /// Running products, with the types of [`Array::sum`].
    ///
    /// # Errors
    /// As all of these.
    pub fn cumprod(&self, along: impl Into<Along>) -> Result<Array<T::Sum>> {
        self.scanned(sys::gpuarr_cumprod, along)
    }

    /// The least element so far; NaN from the first one on. Complex numbers by parts.
    ///
    /// # Errors
    /// As all of these.
    pub fn cummin(&self, along: impl Into<Along>) -> Result<Array<T>> {
        self.scanned(sys::gpuarr_cummin, along)
    }

    /// The greatest element so far; NaN from the first one on. Complex numbers by parts.
    ///
    /// # Errors
    /// As all of these.
    pub fn cummax(&self, along: impl Into<Along>) -> Result<Array<T>> {
        self.scanned(sys::gpuarr_cummax, along)
    }

    /// Differences between neighbours, `order` times, which are fewer by so many. Of bools, whether
    /// they differ.
    ///
    /// # Errors
    /// As all of these; `ARGUMENT` for a negative order.
    pub fn diff(&self, order: i32, axis: i32) -> Result<Array<T>> {
        Results::make(|out, _| unsafe {
            sys::gpuarr_diff(out, self.as_ptr(), order, axis, ptr::null_mut())
        })
    }
}

handle!(
    /// A scan with an operator of your own: result `k` along an axis is
    /// `post(reduce(map(x0), map(x1), ... map(xk)))`.
    ///
    /// The texts are those of [`Reduction`](crate::Reduction), but that no parameter may be raw,
    /// and that `map` sees `_J`, the element's index along the axis. `reduce` must be associative,
    /// and need not be commutative: `a` is what lies before `b`. `gpuarr/scan.h` has all of it.
    Scan,
    gpuarr_scan,
    gpuarr_scan_release
);
shared_handle!(Scan, gpuarr_scan_retain);

// scan.h: "reference-counted, immutable", and every function is "@threadsafe", but for the arrays,
// which are borrowed.
unsafe impl Send for Scan {}
unsafe impl Sync for Scan {}

impl Scan {
    /// Creates a scan. `identity` is an expression for the first value of exclusive scans, which
    /// need it.
    ///
    /// # Errors
    /// `SYNTAX`, `TYPE`; `ARGUMENT` for a NUL in a text. The texts are first compiled when the scan
    /// is called.
    pub fn new(
        in_params: &str,
        out_params: &str,
        map: &str,
        reduce: &str,
        post: &str,
        identity: Option<&str>,
    ) -> Result<Scan> {
        let options = Options::new();
        Self::with_options(in_params, out_params, map, reduce, post, identity, &options)
    }

    /// Creates a scan with a name, a preamble, a type of partial results.
    ///
    /// # Errors
    /// As [`Scan::new`], and `ARGUMENT` for options that cannot be.
    pub fn with_options(
        in_params: &str,
        out_params: &str,
        map: &str,
        reduce: &str,
        post: &str,
        identity: Option<&str>,
        options: &Options,
    ) -> Result<Scan> {
        let texts = [in_params, out_params, map, reduce, post];
        create(sys::gpuarr_scan_create, texts, identity, options).map(Scan::own)
    }

    /// The scan for calls in a stream other than the thread's current one.
    pub fn on<'a>(&'a self, stream: &'a Stream) -> ScanCall<'a> {
        ScanCall { scan: self, stream: Some(stream) }
    }

    fn plain(&self) -> ScanCall<'_> {
        ScanCall { scan: self, stream: None }
    }

    /// As [`ScanCall::call`].
    ///
    /// # Errors
    /// As [`ScanCall::call`].
    pub fn call<R: Results>(&self, inputs: &[Arg<'_>], along: impl Into<Along>) -> Result<R> {
        self.plain().call(inputs, along)
    }

    /// As [`ScanCall::call_into`].
    ///
    /// # Errors
    /// As [`ScanCall::call`].
    pub fn call_into(
        &self,
        inputs: &[Arg<'_>],
        along: impl Into<Along>,
        outputs: impl Outputs,
    ) -> Result<()> {
        self.plain().call_into(inputs, along, outputs)
    }

    /// The source that would be compiled for a call, without running it.
    ///
    /// # Errors
    /// As [`ScanCall::call`].
    pub fn source(
        &self,
        inputs: &[Arg<'_>],
        along: impl Into<Along>,
        outputs: impl Outputs,
    ) -> Result<String> {
        let (list, count) = Arg::list(inputs);
        let Along { axis, exclusive } = along.into();
        outputs.give(|outputs, made| {
            string(|out| unsafe {
                let scan = self.as_ptr();
                sys::gpuarr_scan_source(out, scan, outputs, made, list, count, axis, exclusive)
            })
        })
    }
}

/// A scan with a stream, from [`Scan::on`].
#[derive(Clone, Copy, Debug)]
#[must_use = "nothing is launched yet"]
pub struct ScanCall<'a> {
    scan: &'a Scan,
    stream: Option<&'a Stream>,
}

impl ScanCall<'_> {
    /// Scans arrays, broadcast together, and makes the outputs, of the same shape.
    ///
    /// # Errors
    /// `ARGUMENT` (counts; an exclusive scan without an identity), `AXIS`, `TYPE`, `DTYPE`,
    /// `SHAPE`, `BROADCAST`, `DEVICE`, `OVERLAP`, `OUT_OF_MEMORY`, `DRIVER`, `FORKED`, and what
    /// compiling may give.
    pub fn call<R: Results>(&self, inputs: &[Arg<'_>], along: impl Into<Along>) -> Result<R> {
        let along = along.into();
        R::make(|outputs, count| self.run(inputs, along, outputs, count))
    }

    /// Scans arrays and writes to given ones, which may be inputs.
    ///
    /// # Errors
    /// As [`ScanCall::call`].
    pub fn call_into(
        &self,
        inputs: &[Arg<'_>],
        along: impl Into<Along>,
        outputs: impl Outputs,
    ) -> Result<()> {
        let along = along.into();
        check(outputs.give(|outputs, count| self.run(inputs, along, outputs, count)))
    }

    fn run(
        &self,
        inputs: &[Arg<'_>],
        Along { axis, exclusive }: Along,
        outputs: *mut *mut sys::gpuarr_array,
        made: i32,
    ) -> i32 {
        let (list, count) = Arg::list(inputs);
        let stream = self.stream.map_or(ptr::null_mut(), Stream::as_ptr);
        let scan = self.scan.as_ptr();
        unsafe { sys::gpuarr_scan_call(scan, outputs, made, list, count, axis, exclusive, stream) }
    }
}
