//! The tests of what is public, in one program that is linked once: `it [PART_OF_A_NAME]`. They run
//! one after another on `$GPUARR_TEST_DEVICE` (`host` unless set), and none may leave an object.
mod arrays;
mod blocked;
mod blocked_compute;
mod blocked_files;
mod closures;
mod conformance;
mod elementwise;
mod exprs;
mod files;
mod functions;
mod fused;
mod gufuncs;
mod interop;
mod kernels;
mod kernels_together;
#[macro_use]
mod language;
mod language_calls;
mod language_syntax;
mod language_types;
mod linalg;
mod map_blocks;
mod memory;
mod moving;
#[cfg(feature = "ndarray")]
mod nd;
mod operators;
mod ordered;
mod randoms;
mod raw;
mod reductions;
mod refused;
mod streams;
mod support;
mod teams;
mod threads;
mod tools;
mod views;

use std::panic::catch_unwind;

/// A test and its name.
type Test = (&'static str, fn());

/// The names and functions of a module's tests.
#[macro_export]
macro_rules! tests {
    ($($name:ident)*) => {
        pub const TESTS: &[$crate::Test] =
            &[$((concat!(module_path!(), "::", stringify!($name)), $name as fn())),*];
    };
}

fn run((name, test): Test) -> bool {
    let passed = catch_unwind(test).is_ok();
    let left = gpuarr::live_objects() - gpuarr::kernel::kept_objects();
    if left != 0 {
        println!("test {} left {} objects:\n{}", name, left, gpuarr::objects_report());
    }
    println!("test {} ... {}", name, if passed && left == 0 { "ok" } else { "FAILED" });
    passed && left == 0
}

fn main() {
    // What takes the default device is tested on the same one.
    std::env::set_var("GPUARR_DEVICE", support::device_name());
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let all = [
        arrays::TESTS,
        views::TESTS,
        elementwise::TESTS,
        reductions::TESTS,
        functions::TESTS,
        gufuncs::TESTS,
        operators::TESTS,
        exprs::TESTS,
        fused::TESTS,
        linalg::TESTS,
        moving::TESTS,
        ordered::TESTS,
        randoms::TESTS,
        raw::TESTS,
        kernels::TESTS,
        kernels_together::TESTS,
        closures::TESTS,
        language::TESTS,
        language_calls::TESTS,
        language_syntax::TESTS,
        language_types::TESTS,
        conformance::TESTS,
        streams::TESTS,
        threads::TESTS,
        memory::TESTS,
        teams::TESTS,
        blocked::TESTS,
        blocked_compute::TESTS,
        blocked_files::TESTS,
        map_blocks::TESTS,
        refused::TESTS,
        interop::TESTS,
        files::TESTS,
        tools::TESTS,
        #[cfg(feature = "ndarray")]
        nd::TESTS,
    ]
    .concat();
    let chosen =
        all.into_iter().filter(|(name, _)| wanted.as_ref().map_or(true, |w| name.contains(w)));
    let (passed, failed): (Vec<bool>, Vec<bool>) = chosen.map(run).partition(|passed| *passed);
    println!("\n{} passed, {} failed", passed.len(), failed.len());
    std::process::exit(if failed.is_empty() && !passed.is_empty() { 0 } else { 1 });
}
