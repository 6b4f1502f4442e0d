//! Elementwise functions by name: with given outputs, a mask, a stream.
use std::ffi::CString;
use std::ptr;

use gpuarr_sys as sys;

use crate::arg::Arg;
use crate::array::Array;
use crate::dtype::DType;
use crate::error::{c_text, check, number, static_text, Result};
use crate::outputs::{Outputs, Results};
use crate::stream::Stream;

/// An elementwise function by its name in C: `"add"` is `gpuarr_add`. As methods of [`Array`] and
/// [`Expr`](crate::Expr) they are parts of formulas; here they are computed at once, into given
/// arrays too, under a mask, in another stream.
///
/// ```
/// use gpuarr::{args, Array, Function};
/// # fn main() -> gpuarr::Result<()> {
/// let mut x = Array::from_slice(&[4.0, -9.0, 16.0], 3)?;
/// let positive = x.greater(0.0).eval()?;
/// Function::new("sqrt")?.only_where(&positive).call_into(args![&x.clone()], &mut x)?;
/// assert_eq!(x.to_vec()?, [2.0, -9.0, 4.0]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Function {
    name: CString,
}

/// What a function is, for lists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Description {
    /// Its name.
    pub name: &'static str,
    /// What it computes, in one line.
    pub about: &'static str,
    /// How many inputs it has.
    pub inputs: usize,
    /// How many outputs.
    pub outputs: usize,
}

impl Function {
    /// A function by its name, which is looked up when it is called.
    ///
    /// # Errors
    /// `ARGUMENT` for a NUL in the name.
    pub fn new(name: &str) -> Result<Function> {
        Ok(Function { name: c_text("name", name)? })
    }

    /// All functions that there are.
    ///
    /// # Errors
    /// None that is known.
    pub fn all() -> Result<Vec<Description>> {
        (0..unsafe { sys::gpuarr_apply_count() }).map(described).collect()
    }

    fn plain(&self) -> FunctionCall<'_> {
        FunctionCall { function: self, mask: None, stream: None }
    }

    /// The function for calls in a stream other than the thread's current one.
    pub fn on<'a>(&'a self, stream: &'a Stream) -> FunctionCall<'a> {
        self.plain().on(stream)
    }

    /// The function for calls that write only where a mask is true.
    pub fn only_where<'a>(&'a self, mask: &'a Array<bool>) -> FunctionCall<'a> {
        self.plain().only_where(mask)
    }

    /// As [`FunctionCall::call`].
    ///
    /// # Errors
    /// As [`FunctionCall::call`].
    pub fn call<R: Results>(&self, inputs: &[Arg<'_>]) -> Result<R> {
        self.plain().call(inputs)
    }

    /// As [`FunctionCall::call_into`].
    ///
    /// # Errors
    /// As [`FunctionCall::call`].
    pub fn call_into(&self, inputs: &[Arg<'_>], outputs: impl Outputs) -> Result<()> {
        self.plain().call_into(inputs, outputs)
    }
}

fn described(index: i32) -> Result<Description> {
    let (mut name, mut about) = (ptr::null(), ptr::null());
    let (mut inputs, mut outputs) = (0, 0);
    check(unsafe {
        sys::gpuarr_apply_describe(&mut name, &mut about, &mut inputs, &mut outputs, index)
    })?;
    let (name, about) = (static_text(name), static_text(about));
    Ok(Description { name, about, inputs: inputs as usize, outputs: outputs as usize })
}

/// A function with a mask and a stream, from [`Function::only_where`] or [`Function::on`].
#[derive(Clone, Copy, Debug)]
#[must_use = "nothing is computed yet"]
pub struct FunctionCall<'a> {
    function: &'a Function,
    mask: Option<&'a Array<bool>>,
    stream: Option<&'a Stream>,
}

impl<'a> FunctionCall<'a> {
    /// The same in a stream.
    pub fn on(self, stream: &'a Stream) -> FunctionCall<'a> {
        FunctionCall { stream: Some(stream), ..self }
    }

    /// The same where a mask is true: outputs, which must be given, keep their elements elsewhere.
    pub fn only_where(self, mask: &'a Array<bool>) -> FunctionCall<'a> {
        FunctionCall { mask: Some(mask), ..self }
    }

    /// Computes the function and makes its results. Numbers that are parameters in C are scalars
    /// here: `"round"` takes `x` and the decimals.
    ///
    /// # Errors
    /// `ARGUMENT` (a name that there is not, counts, a mask), `DTYPE`, `BROADCAST`, `SHAPE`,
    /// `DEVICE`, `OVERLAP`, `OUT_OF_MEMORY`, `DRIVER`, and compile errors.
    pub fn call<R: Results>(&self, inputs: &[Arg<'_>]) -> Result<R> {
        R::make(|outputs, count| self.run(inputs, outputs, count))
    }

    /// Computes the function and writes to given arrays, which may be inputs. A result may go into
    /// another type that is not of a lower kind: bool, unsigned, signed, float, complex.
    ///
    /// # Errors
    /// As [`FunctionCall::call`].
    pub fn call_into(&self, inputs: &[Arg<'_>], outputs: impl Outputs) -> Result<()> {
        check(outputs.give(|outputs, count| self.run(inputs, outputs, count)))
    }

    fn run(&self, inputs: &[Arg<'_>], outputs: *mut *mut sys::gpuarr_array, made: i32) -> i32 {
        let (list, count) = Arg::list(inputs);
        let mask = self.mask.map_or(ptr::null_mut(), Array::as_ptr);
        let stream = self.stream.map_or(ptr::null_mut(), Stream::as_ptr);
        let name = self.function.name.as_ptr();
        unsafe { sys::gpuarr_apply(outputs, made, name, list, count, mask, stream) }
    }
}

/// The type that arguments are computed in together. A scalar is weak: only its kind counts.
///
/// # Errors
/// `ARGUMENT` for no arguments.
pub fn result_type(inputs: &[Arg<'_>]) -> Result<DType> {
    let (list, count) = Arg::list(inputs);
    number(|out| unsafe { sys::gpuarr_result_type(out, list, count) }).map(DType)
}
