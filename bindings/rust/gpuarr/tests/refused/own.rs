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

#[derive(Clone, Copy, PartialEq, gpuarr::Device)]
#[repr(C)]
struct Point {
    x: f32,
}

impl std::ops::Add for Point {
    type Output = Point;
    fn add(self, other: Point) -> Point {
        Point { x: self.x + other.x }
    }
}

#[gpuarr::kernel]
fn operators(p: Point, x: &mut [f32]) {
    let sum = p + p; //~ the trait bound `Point: Scalar` is not satisfied
    let same = (1, 2) == (1, 2); //~ Scalar` is not satisfied
    x[0] = sum.x;
}

#[derive(Clone, Copy)]
enum Mode {
    One = 1,
}

#[gpuarr::kernel]
fn choices(x: &mut [f32]) {
    x[0] = Mode::One as i32 as f32; //~ the trait bound `Mode: Value` is not satisfied
    let wide = 1u128; //~ the trait bound `u128: Value` is not satisfied
}

#[allow(non_upper_case_globals)]
const five: i32 = 5;

#[gpuarr::kernel]
fn small_constant(n: i32, x: &mut [f32]) {
    match n {
        five => x[0] = 1.0, //~ match bindings cannot shadow constants
        _ => {}
    }
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
