//! Types and functions of the program that kernels do not know: each line with a mark has an error.
#![allow(unused)]
use gpuarr::{thread, Array};

#[derive(Clone, Copy)]
struct Own {
    x: f32,
}

#[derive(Clone, Copy, gpuarr::Device)]
#[repr(C)]
struct Outer {
    own: Own, //~ the trait bound `Own: Plain` is not satisfied
}

#[gpuarr::kernel]
fn by_value(own: Own, x: &mut [f32]) { //~ the trait bound `Own:
    x[0] = own.x;
}

#[gpuarr::kernel]
fn locals(x: &mut [f32]) {
    let all = x; //~ the trait bound `&mut [f32]: Value` is not satisfied
    all[0] = 1.0;
}

fn unmarked(x: f32) -> f32 {
    x
}

#[gpuarr::kernel]
fn calls(x: &mut [f32]) {
    x[0] = unmarked(1.0); //~ unmarked
}

fn captures(by: f32) {
    let scale = gpuarr::elementwise!(|x: f32| -> f32 { x * by }); //~ can't capture dynamic
}

fn main() {}
