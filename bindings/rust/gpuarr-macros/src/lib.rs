//! Kernels written in Rust, for the crate `gpuarr`, which re-exports all of this.
//!
//! A function becomes two things: itself, compiled by rustc, which checks types and borrows and is
//! the reference on the host; and CUDA C++ text, made when it is first launched with some types.
#![deny(missing_docs)]

mod closures;
mod code;
mod device;
mod errors;
mod kernel;
mod known;
mod probe;
mod read;
mod record;
mod text;
mod tree;

use proc_macro::TokenStream;

/// Makes a kernel of a function: see `gpuarr::kernel`.
#[proc_macro_attribute]
pub fn kernel(attribute: TokenStream, item: TokenStream) -> TokenStream {
    kernel::expand(attribute.into(), item.into()).into()
}

/// Makes a function one that kernels can call: see `gpuarr::kernel`.
#[proc_macro_attribute]
pub fn device(_attribute: TokenStream, item: TokenStream) -> TokenStream {
    device::expand(item.into()).into()
}

/// Lets values of a struct go to a device: see `gpuarr::kernel`.
#[proc_macro_derive(Device)]
pub fn derive_device(item: TokenStream) -> TokenStream {
    record::expand(item.into()).into()
}

/// Makes an elementwise kernel of a closure: see `gpuarr::kernel`.
#[proc_macro]
pub fn elementwise(input: TokenStream) -> TokenStream {
    closures::elementwise(input.into()).into()
}

/// Makes a reduction of closures: see `gpuarr::kernel`.
#[proc_macro]
pub fn reduction(input: TokenStream) -> TokenStream {
    closures::reduction(input.into()).into()
}
