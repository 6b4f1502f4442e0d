//! Patterns, names, literals and macros in kernels.
#![allow(clippy::all, non_snake_case, non_upper_case_globals)] // it says things in unusual ways
use gpuarr::kernel::Records;
use gpuarr::num_complex::{Complex, Complex32};
use gpuarr::{thread, Status};

use crate::language::PER_THREAD;
use crate::support::{device, keep_text, refused};

crate::tests! {
    patterns names_of_all_kinds literals_and_casts complex_numbers macros_of_rust panics
}

#[derive(Clone, Copy, gpuarr::Device)]
#[repr(C)]
struct Cell {
    x: f64,
    r#type: u8,
    größe: i64,
    on: bool,
}

#[derive(Clone, Copy, gpuarr::Device)]
#[repr(C)]
struct Pair(i64, f32);

impl Cell {
    const UNIT: Cell = Cell { x: 1.5, r#type: 3, größe: 4, on: true };
}

const N: i32 = 5;
const M: i32 = -7;
const five: i32 = 5;

#[gpuarr::kernel]
fn patterned(x: &[i32], out: &mut [i64]) {
    const LARGE: i64 = 1000;
    static TABLE: [i64; 2] = [100, 200];
    let i = thread::index();
    if i < x.len() {
        let (n, at) = (x[i], i * PER_THREAD);
        out[at] = match n {
            N => LARGE,
            M => TABLE[i % 2],
            _ => 1,
        };
        out[at + 1] = match n {
            ..=-5 => 1,
            -4..=4 => 2,
            5..10 => 3,
            10.. => 4,
        };
        out[at + 2] = match (n, n % 2 == 0) {
            (..=0, _) => 1,
            (1.., true) => 2,
            (k, false) => k as i64,
        };
        let cell = Cell { größe: n as i64, ..Cell::UNIT };
        let Cell { größe, r#type, .. } = cell;
        let Pair(a, b) = Pair(größe, 2.5);
        out[at + 3] = r#type as i64 + a + (b * 2.0) as i64 + cell.on as i64;
        out[at + 4] = match Pair(a % 3, b) {
            Pair(0, _) => 10,
            Pair(k, b) if b > 2.0 => k,
            _ => 0,
        };
        out[at + 5] = if n == five { 1 } else { 2 };
    }
}

fn patterns() {
    same!(patterned);
}

/// Variables of capitals, of words of C++, of CUDA's names, of letters that C++ has not.
#[gpuarr::kernel]
fn named(x: &[i32], out: &mut [i64]) {
    let threadIdx = thread::index();
    if threadIdx < x.len() {
        let DX = x[threadIdx] as i64;
        let (A, mut B2) = (DX % 7, DX);
        B2 += 1;
        for KK in 0..3 {
            B2 += KK;
        }
        let (float, template, new, class) = (A, B2, 1, 2);
        let (y0, __x, r#match, größe, ß) = (float - 1, template * 2, new + 1, class + 1, 5);
        let (value_3, rs, printf, blockDim) = (1, 2, 3, 4);
        let (t3, f2, to) = (5, 6, 7);
        out[threadIdx * PER_THREAD] = y0 + __x + r#match + größe + ß;
        out[threadIdx * PER_THREAD + 1] = value_3 + rs * printf + blockDim * t3 - f2 * to;
    }
}

#[gpuarr::kernel]
fn y0(x: &mut [i32]) {
    x[0] += 1;
}

#[gpuarr::kernel]
fn r#template(x: &mut [i32]) {
    x[0] += 1;
}

#[gpuarr::kernel]
fn größer(x: &mut [i32]) {
    x[0] += 1;
}

#[gpuarr::kernel]
fn threadIdx(x: &mut [i32]) {
    x[0] += 1;
}

fn names_of_all_kinds() {
    same!(named);
    let mut x = device().zeros::<i32>(1).unwrap();
    unsafe { y0(&mut x).grid(1).block(1).launch() }.unwrap();
    unsafe { template(&mut x).grid(1).block(1).launch() }.unwrap();
    unsafe { größer(&mut x).grid(1).block(1).launch() }.unwrap();
    unsafe { threadIdx(&mut x).grid(1).block(1).launch() }.unwrap();
    assert_eq!(x.item().unwrap(), 4);
    keep_text("y0", y0::source());
    keep_text("umlaut", größer::source());
}

type Real = f32;

/// rustc lets a literal have the type that it is cast to.
#[gpuarr::kernel]
fn literals(x: &[i32], out: &mut [i64]) {
    let i = thread::index();
    if i < x.len() {
        let (n, at) = (x[i], i * PER_THREAD);
        out[at] = 3000000000 as i64 + n as i64;
        out[at + 1] = (0xffff_ffff_ffff as u64 >> 1) as i64 - (-3_000_000_000 as i64);
        out[at + 2] = 200 as u8 as i8 as i64 + -1 as i64 + (7 as f64 / 2.0) as i64;
        out[at + 3] = Real::sqrt(16.0) as i64 + Real::from(7u8) as i64 + Real::MAX.log2() as i64;
        out[at + 4] = std::cmp::max(n, 3) as i64 - core::cmp::min(n as u8, 9) as i64;
    }
}

fn literals_and_casts() {
    same!(literals);
}

#[gpuarr::kernel]
fn complex(x: &[i32], out: &mut [i64]) {
    let i = thread::index();
    if i < x.len() {
        let (n, at) = ((x[i] % 1000) as f64, i * PER_THREAD);
        let mut z = Complex::new(1.0, n);
        z.re += 2.0;
        z.im *= 0.5;
        let w = z * Complex { re: 0.5, im: -1.0 } + z.conj() - Complex::<f64>::new(1.0, 1.0);
        out[at] = (w.re * 4.0) as i64;
        out[at + 1] = (w.im * 4.0) as i64;
        out[at + 2] = w.norm_sqr() as i64;
        let half = Complex32::new(n as f32, 1.0) / Complex32::new(2.0, 0.0);
        out[at + 3] = (half.re * 2.0) as i64 + (-half == half) as i64;
    }
}

#[derive(Clone, Copy, gpuarr::Device)]
#[repr(C)]
struct Wave {
    phase: f64,
    z: Complex32,
}

/// It is as large and as aligned in C++ as in Rust, and `z` lies elsewhere.
#[derive(Clone, Copy, gpuarr::Device)]
#[repr(C)]
struct Shifted {
    weight: f32,
    z: Complex32,
    phase: f64,
}

#[gpuarr::kernel]
fn waves(by: Wave, all: &mut [Wave]) {
    all[0].z.re += by.z.im;
}

#[gpuarr::kernel]
fn shifted(one: Shifted, x: &mut [f32]) {
    x[0] = one.z.re;
}

fn complex_numbers() {
    same!(complex);
    let wave = Wave { phase: 0.5, z: Complex32::new(1.0, 2.0) };
    let mut all = Records::on(device(), &[wave]).unwrap();
    unsafe { waves(wave, &mut all).grid(1).block(1).launch() }.unwrap();
    let first = all.to_vec().unwrap()[0];
    assert_eq!((first.phase, first.z), (0.5, Complex32::new(3.0, 2.0)));
    refused(shifted::source(), Status::UNSUPPORTED, &["Shifted", "z lies otherwise", "complex64"]);
    let _ = |s: Shifted| (s.weight, s.phase);
}

#[gpuarr::kernel]
fn macros(x: &[i32], out: &mut [i64]) {
    let i = thread::index();
    if i < x.len() {
        let (n, at) = (x[i], i * PER_THREAD);
        assert!(n < 40 || n > 1000, "{} is \"large\": 100%", n);
        assert_eq!(n, x[i]);
        debug_assert_ne!(n, n.wrapping_add(1), "\\");
        out[at] = matches!(n, 1 | 3 | 10..=20) as i64;
        out[at + 1] = if matches!(n, -5..=5 if n != 0) { 1 } else { 2 };
        out[at + 2] = if cfg!(debug_assertions) { 1 } else { 2 };
        out[at + 3] = match n % 3 {
            0 => 5,
            1 | -1 => 6,
            2 | -2 => 7,
            _ => unreachable!("a rest of {}", n % 3),
        };
        let sign = if n < 0 {
            -1
        } else if n >= 0 {
            1
        } else {
            panic!()
        };
        out[at + 4] = sign;
    }
}

fn macros_of_rust() {
    same!(macros);
}

#[gpuarr::kernel]
fn failing(n: i32, x: &mut [i32]) {
    match n {
        0 => panic!("a \"zero\", 100%"),
        1 => assert_eq!(x[0], 4, "not four"),
        2 => assert!(x[0] > 2, "is small"),
        3 => debug_assert!(x[0] > 2),
        _ => unreachable!(),
    }
    x[0] = 1;
}

fn panics() {
    keep_text("failing", failing::source());
    if device().name() != "host" {
        return; // a failed assertion loses a GPU to the process
    }
    for (n, text) in [(0, "zero"), (1, "not four"), (2, "is small"), (3, "> 2"), (4, "unreachable")]
    {
        let mut x = device().zeros::<i32>(1).unwrap();
        let launched = unsafe { failing(n, &mut x).grid(1).block(1).launch() };
        let launched = launched.and_then(|()| device().synchronize());
        refused(launched, Status::ASSERT, &["failing", "language_syntax.rs", text]);
        assert_eq!(x.item().unwrap(), 0);
    }
}
