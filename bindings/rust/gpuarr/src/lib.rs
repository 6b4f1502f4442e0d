//! Arrays and kernels of your own, on NVIDIA GPUs and on the CPU.
//!
//! You write the body of a kernel as CUDA C++ text and hand it N-dimensional arrays. It is compiled
//! when it is first called, kept in a cache, and run over every element: on a GPU by NVRTC, and on
//! a machine that has none by the system's C++ compiler, from the same text.
//!
//! ```
//! use gpuarr::{args, Array, Elementwise};
//!
//! fn main() -> gpuarr::Result<()> {
//!     let squared = Elementwise::new("T x, T y", "T z", "z = (x - y) * (x - y);")?;
//!     let x = Array::from_slice(&[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], [2, 3])?;
//!     let y = Array::from_slice(&[1.0f32, 1.0, 2.0], 3)?; // for each row of x
//!     let z: Array<f32> = squared.call(args![&x, &y])?;
//!     assert_eq!(z.to_vec()?, [0.0, 1.0, 1.0, 9.0, 16.0, 16.0]);
//!     Ok(())
//! }
//! ```
//!
//! * [`Array`] and [`AnyArray`], of a type and of one that is known when the program runs: made on
//!   a [`Device`](struct@Device), with views, copies, ready-made reductions.
//! * [`Elementwise`], [`Reduction`], [`Gufunc`] and [`RawKernel`] are kernels, [`Module`] a text
//!   with several; [`Call`] and [`RawCall`] are prepared calls.
//! * Operators, functions of elements and ready-made reductions give an [`Expr`], which computes a
//!   whole formula at once; [`evaluate`] computes several, and [`Fused`] is one of inputs.
//!   [`Function`] is an elementwise function by its name. Products of matrices, systems of
//!   equations, sorting and more are methods of arrays.
//! * [`Stream`], [`Event`] and [`Graph`] are about the order of work. Calls return before their
//!   work is done, except those that give elements to the host.
//! * A [`Team`] has places, which are devices of this process or of many; [`Blocked`] arrays are
//!   divided among them. [`map_blocks`](map_blocks()) and kernels work on each block.
//! * [`random`] is about random numbers; [`Memory`], [`Reclaim`], [`Pinned`]; [`profile`] and
//!   [`log`]; [`npy`]; [`sys`] is C's layer.
//!
//! Every failure is an [`Error`] with the library's whole message. Nothing panics but closures of
//! your own.
//!
//! Features: `macros`, on, brings kernels that are written in Rust ([`kernel`](mod@kernel)); `half`
//! and `num-complex`, both on, bring elements of these crates; `ndarray` brings
//! `Array::from_ndarray` and `Array::to_ndarray`; `doc-only` compiles without the library.
#![deny(missing_docs, missing_debug_implementations)]

mod apply;
mod arg;
mod array;
pub mod atomic;
mod block_arg;
mod blocked;
mod blocked_files;
mod blocked_linalg;
mod blocked_order;
mod blocked_reduce;
mod blocks;
mod call;
mod callback;
mod create;
mod decompose;
mod device;
mod dtype;
mod element;
mod elementwise;
mod error;
mod evaluate;
mod event;
mod expr;
mod functions;
mod fused;
mod graph;
mod gufunc;
mod handle;
mod index;
mod interop;
mod join;
pub mod kernel;
mod linalg;
pub mod log;
mod map_blocks;
mod map_kernels;
mod masks;
mod memory;
mod module;
mod node;
pub mod npy;
mod objects;
mod operators;
mod options;
mod outputs;
mod pinned;
pub mod profile;
mod promote;
pub mod random;
mod raw;
mod rearrange;
mod reduce;
mod reduction;
mod region;
mod scan;
mod shape;
mod solve;
mod sort;
mod stream;
mod team;
pub mod thread;
mod transfer;
mod transport;
mod view;
pub mod warp;
#[cfg(feature = "ndarray")]
mod with_ndarray;

#[cfg(feature = "macros")]
pub use gpuarr_macros::{device, elementwise, kernel, reduction, Device};
pub use gpuarr_sys as sys;
#[cfg(feature = "half")]
pub use half;
#[cfg(feature = "ndarray")]
pub use ndarray;
#[cfg(feature = "num-complex")]
pub use num_complex;

pub use apply::{result_type, Description, Function, FunctionCall};
pub use arg::Arg;
pub use array::{AnyArray, Array};
pub use block_arg::BlockArg;
pub use blocked::{AnyBlocked, Blocked, HaloExchange};
pub use blocked_files::FileFormat;
pub use blocked_reduce::{BlockedReduce, BlockedResults, Combine};
pub use blocks::{Blocks, Boundary, Halo};
pub use call::Call;
pub use decompose::{Cholesky, Eig, Eigh, Lu, LuFactor, Qr, Svd, Triangle};
pub use device::{Device, DeviceKind};
pub use dtype::DType;
pub use element::{Any, Content, Element};
pub use elementwise::{Elementwise, ElementwiseCall};
pub use error::{Error, Result, Status};
pub use evaluate::{evaluate, evaluate_into, explain, Exprs, Formula};
pub use event::Event;
pub use expr::Expr;
pub use functions::Tolerance;
pub use fused::Fused;
pub use graph::{Graph, GraphExec};
pub use gufunc::{Group, Gufunc, GufuncCall};
pub use join::{broadcast_arrays, concatenate, meshgrid, stack, Indexing};
pub use kernel::{Float, Number};
pub use linalg::{einsum, einsum_of, MatrixNorm, Pairs, Product};
pub use map_blocks::{
    map_blocks, map_overlap, Block, BlockedInputs, BlockedList, BlockedOutputs, MapBlocks,
};
pub use map_kernels::map_blocks_eval;
pub use memory::{Memory, MemoryStatistics, Reclaim};
pub use module::{Listing, Module};
pub use objects::{live_objects, objects_report, track_objects, version};
pub use options::{checks, Options};
pub use outputs::{Outputs, Results};
pub use pinned::{Pending, Pinned};
pub use promote::{Join, Operand};
pub use raw::{Attribute, Dims, RawCall, RawKernel, RawLaunch};
pub use rearrange::Pad;
pub use reduction::{Reduction, ReductionCall};
pub use region::Region;
pub use scan::{Along, Scan, ScanCall};
pub use shape::{Axes, Order, Shape, Slice, ALL, MAX_NDIM};
pub use solve::{Lstsq, Slogdet, Triangular};
pub use sort::{Between, Histogram, Side, SortAxis, TopK, Unique};
pub use stream::{Current, Stream};
pub use team::{OnTimeout, Team};
pub use thread::{block, grid, sync_threads};
pub use transport::Transport;
