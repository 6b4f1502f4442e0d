//! Raw bindings of [libgpuarr](https://docs.rs/gpuarr): its C functions, constants and types under
//! their C names, made from the headers. The crate `gpuarr` is what programs want.
//!
//! The library is looked for in `$GPUARR_DIR`, else by pkg-config, and linked as an archive where
//! there is one, unless `$GPUARR_DYNAMIC` is set. `$GPUARR_NO_PKG_CONFIG` turns the search by
//! pkg-config off, and the feature `doc-only` all of it, for what is compiled but never linked.
#![allow(non_camel_case_types)]

mod bindings {
    #![allow(clippy::all, rustdoc::all)]
    use std::os::raw::{c_char, c_void};

    include!("bindings.rs");
}

pub use bindings::*;
