//! What rustc itself finds wrong with kernels and launches: each line with a mark has its error.
#![allow(unused)]
use gpuarr::{thread, Array};

#[gpuarr::kernel]
fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
    let i = thread::index();
    if i < x.len() {
        y[i] += a * x[i];
    }
}

fn launches(x: &Array<f32>, y: &mut Array<f32>, z: &Array<f64>) {
    saxpy(1.0, x, y);
    saxpy(1.0f64, x, y); //~ mismatched types
    saxpy(1.0, z, y); //~ mismatched types
    saxpy(1.0, x); //~ this function takes 3 arguments but 2 arguments were supplied
    saxpy(1.0, x, x); //~ mismatched types
}

#[gpuarr::kernel]
fn wrong_types(x: &mut [f32], n: i32) {
    let i = thread::index();
    x[i] = n; //~ mismatched types
    let y = 1.5 + n; //~ cannot add `i32` to `{float}`
    x[i].leading_zeros(); //~ no method named `leading_zeros` found for type `f32`
    let t = x[n]; //~ cannot be indexed by `i32`
    let unknown = y_of(x); //~ cannot find function `y_of` in this scope
}

fn main() {}
