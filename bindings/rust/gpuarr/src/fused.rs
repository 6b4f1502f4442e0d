//! Formulas of inputs: made once, and called with arrays.
use std::ptr;

use gpuarr_sys as sys;

use crate::arg::Arg;
use crate::block_arg::BlockArg;
use crate::call::Call;
use crate::element::Any;
use crate::error::{check, object, string, Result};
use crate::evaluate::Exprs;
use crate::expr::Expr;
use crate::handle::{handle, shared_handle};
use crate::map_blocks::BlockedOutputs;
use crate::node::Node;
use crate::outputs::{Outputs, Results};

handle!(
    /// A function of expressions, as CuPy's `fuse` makes: where an [`Expr`] is of arrays, this
    /// takes them when it is called. It is planned for each combination of types, shapes and
    /// strides that it is called with; later calls with such arrays build nothing.
    ///
    /// ```
    /// use gpuarr::{args, Array, Fused};
    /// # fn main() -> gpuarr::Result<()> {
    /// let distance = Fused::new(|[x, y]| (x - y).square().sum(-1).sqrt())?;
    /// let x = Array::from_slice(&[3.0, 4.0, 6.0, 8.0], [2, 2])?;
    /// let z: Array<f64> = distance.call(args![&x, 0.0])?; // one kernel
    /// assert_eq!(z.to_vec()?, [5.0, 10.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// Types and shapes of inputs are known in a call only, so that is where what is wrong with
    /// them is found.
    Fused,
    gpuarr_function,
    gpuarr_function_release
);
shared_handle!(Fused, gpuarr_function_retain);

// function.h: "reference-counted, immutable", and every function is "@threadsafe", but for the
// arrays, which are borrowed.
unsafe impl Send for Fused {}
unsafe impl Sync for Fused {}

impl Fused {
    /// Makes a function of what a closure makes of its inputs, which are as many as the pattern of
    /// its parameter has: an expression, or a tuple of them for several results. It has to use the
    /// last input. Arrays in it are kept alive, and count as they are when it is called.
    ///
    /// # Errors
    /// The first one on the way to an expression; `ARGUMENT` for more than 1024 inputs.
    pub fn new<const N: usize, E: Exprs>(make: impl FnOnce([Expr<Any>; N]) -> E) -> Result<Fused> {
        let mut number = 0;
        let inputs = [(); N].map(|()| {
            number += 1;
            Expr::of(Node::input(number - 1))
        });
        make(inputs)
            .give(|list| {
                let count = i32::try_from(list.len()).unwrap_or(i32::MAX);
                object(|out| unsafe { sys::gpuarr_function_create(out, list.as_ptr(), count) })
            })
            .map(Fused::own)
    }

    /// Number of inputs.
    pub fn inputs(&self) -> usize {
        unsafe { sys::gpuarr_function_input_count(self.as_ptr()) as usize }
    }

    /// Number of results.
    pub fn outputs(&self) -> usize {
        unsafe { sys::gpuarr_function_output_count(self.as_ptr()) as usize }
    }

    /// Computes it of arrays and scalars, in the thread's current stream. A scalar is weak: only
    /// its kind counts.
    ///
    /// # Errors
    /// As [`Expr::eval`]; `ARGUMENT` for another number of inputs or results, `DTYPE`, `AXIS`,
    /// `BROADCAST`.
    pub fn call<R: Results>(&self, inputs: &[Arg<'_>]) -> Result<R> {
        R::make(|outputs, count| self.run(inputs, outputs, count))
    }

    /// The same into given arrays, which may be inputs.
    ///
    /// # Errors
    /// As [`Fused::call`] and [`Expr::eval_into`].
    pub fn call_into(&self, inputs: &[Arg<'_>], outputs: impl Outputs) -> Result<()> {
        check(outputs.give(|outputs, count| self.run(inputs, outputs, count)))
    }

    fn run(&self, inputs: &[Arg<'_>], outputs: *mut *mut sys::gpuarr_array, made: i32) -> i32 {
        let ((list, count), function) = (Arg::list(inputs), self.as_ptr());
        unsafe { sys::gpuarr_function_call(function, outputs, made, list, count, ptr::null_mut()) }
    }

    /// Prepares a call, with its kernels and the memory for what they store on the way, for
    /// launching many times.
    ///
    /// # Errors
    /// As [`Fused::call_into`]; `OVERLAP` for an output of one of several kernels that shares
    /// memory with inputs, `UNSUPPORTED` for scans and products of matrices.
    pub fn prepare(&self, inputs: &[Arg<'_>], outputs: impl Outputs) -> Result<Call> {
        let ((list, count), function) = (Arg::list(inputs), self.as_ptr());
        outputs
            .give(|outputs, made| {
                object(|out| unsafe {
                    sys::gpuarr_function_prepare(out, function, outputs, made, list, count)
                })
            })
            .map(Call::own)
    }

    /// Tells which kernels a call becomes, as [`explain`](crate::explain).
    ///
    /// # Errors
    /// As [`Fused::call`].
    pub fn explain(&self, inputs: &[Arg<'_>]) -> Result<String> {
        let (list, count) = Arg::list(inputs);
        string(|out| unsafe { sys::gpuarr_function_explain(out, self.as_ptr(), list, count) })
    }

    /// Computes it for each block of blocked arrays; what it reduces or indexes, it does within a
    /// block. Collective.
    ///
    /// ```
    /// use gpuarr::{block_args, Blocks, Fused, Team, ALL};
    /// # fn main() -> gpuarr::Result<()> {
    /// let x = Team::world(None)?.arange::<f64>(&Blocks::new([4, 6]).chunk([2, 6]), 0, 1)?;
    /// let (mut high, mut low) = (x.empty_like()?, x.empty_like()?);
    /// let both = Fused::new(|[x, by]| (&x - x.min(ALL), &x * &by))?;
    /// both.map_blocks(block_args![&x, 0.5], (&mut high, &mut low))?;
    /// assert_eq!(high.read((3.., 4..))?, [10.0, 11.0]); // above the least of its block
    /// assert_eq!(low.read((3.., 4..))?, [11.0, 11.5]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`map_blocks`](crate::map_blocks()) and [`Fused::call`].
    pub fn map_blocks(&self, inputs: &[BlockArg<'_>], outputs: impl BlockedOutputs) -> Result<()> {
        let (list, count) = BlockArg::list(inputs);
        check(outputs.give(|(first, made)| unsafe {
            sys::gpuarr_map_blocks_function(self.as_ptr(), first, made, list, count)
        }))
    }
}
