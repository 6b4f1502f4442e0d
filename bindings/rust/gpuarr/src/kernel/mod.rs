//! Kernels written in Rust: what the macros of this crate stand on.
//!
//! [`#[gpuarr::kernel]`](macro@crate::kernel) makes a kernel of a function. rustc checks the
//! function as any other, and it becomes CUDA C++ text when it is first launched with some types:
//!
//! ```
//! use gpuarr::{thread, Array};
//!
//! #[gpuarr::kernel]
//! fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
//!     let i = thread::index();
//!     if i < x.len() {
//!         y[i] += a * x[i];
//!     }
//! }
//!
//! # fn main() -> gpuarr::Result<()> {
//! let x = Array::from_slice(&[1.0f32, 2.0, 3.0], 3)?;
//! let mut y = Array::<f32>::ones(3)?;
//! // SAFETY: y is as long as x, and each thread writes its own element.
//! unsafe { saxpy(2.0, &x, &mut y).elements(3).launch() }?;
//! assert_eq!(y.to_vec()?, [3.0, 5.0, 7.0]);
//!
//! let mut host = [1.0f32; 3];
//! saxpy::on_host(3, 2.0, &[1.0, 2.0, 3.0], &mut host); // the same function, without a device
//! assert_eq!(host, [3.0, 5.0, 7.0]);
//! # Ok(())
//! # }
//! ```
//!
//! Slices are contiguous arrays, `&Array<T>` and `&mut Array<T>`, and bring their lengths along;
//! other parameters are numbers and structs by value. What Rust has and kernels have not is an
//! error at its place when the program is compiled: `docs/kernels-in-rust.md` has the list.
mod closures;
mod host;
mod kept;
mod launch;
mod numbers;
mod plain;
mod records;
mod template;
mod types;
mod writer;

pub use closures::{elementwise, Input, ReductionParts, Same};
pub use host::{on_host, Threads};
pub use kept::{kept_objects, Kept};
pub use launch::{length, raw, source, strided, Arguments, Launch, Ready};
pub use numbers::{Float, Number};
pub use plain::{Plain, Sliced};
pub use records::{offset, Fields, Records};
pub use template::Parts;
pub use types::{shared, Class, Scalar, Slot, Type, Value};
pub use writer::{Code, Writer};

pub(crate) use host::Place;
