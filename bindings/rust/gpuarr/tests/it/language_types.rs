//! What Rust's types mean in kernels: structs, arrays, tuples, references, constants, generics.
#![allow(clippy::all)] // it says things in unusual ways
use gpuarr::{thread, Number};

use crate::language::PER_THREAD;

crate::tests! { records arrays_and_tuples references_and_slices constants later_types generics }

#[derive(Clone, Copy, gpuarr::Device)]
#[repr(C)]
struct Point<T> {
    x: T,
    y: T,
}

#[derive(Clone, Copy, gpuarr::Device)]
#[repr(C)]
struct Line {
    ends: [Point<i64>; 2],
    weight: i32,
}

#[derive(Clone, Copy, gpuarr::Device)]
#[repr(C)]
struct Scale(i64, i64);

const UNIT: Point<i64> = Point { x: 1, y: -1 };

#[gpuarr::device]
fn moved(mut point: Point<i64>, by: i64) -> Point<i64> {
    point.x += by;
    Point { y: point.y - by, x: point.x }
}

#[gpuarr::device]
fn length(line: &Line) -> i64 {
    let [first, Point { x, y }] = line.ends;
    (x - first.x).abs() + (y - first.y).abs()
}

#[gpuarr::kernel]
fn structures(x: &[i32], out: &mut [i64]) {
    let i = thread::index();
    if i < x.len() {
        let (n, at) = (x[i] as i64, i * PER_THREAD);
        let start = Point { x: n, y: -n };
        let mut line = Line { ends: [start, moved(start, 3)], weight: 2 };
        out[at] = line.ends[1].x + 10 * line.ends[1].y;
        out[at + 1] = length(&line);
        line.ends[0].y += 5;
        line = Line { weight: 4, ..line };
        out[at + 2] = length(&line) * line.weight as i64;
        let Point { x: px, y: py } = line.ends[0];
        out[at + 3] = px - 2 * py;
        let scale = Scale(2, n);
        out[at + 4] = scale.0 + scale.1 + UNIT.y;
        let wide = Point { x: n as f64 * 0.5, y: 1.5 };
        out[at + 5] = (wide.x + wide.y) as i64;
        let mut p = Point { x: 1, y: 2 };
        p = Point { x: p.y, y: p.x + n };
        out[at + 6] = p.x * 1000 + p.y;
    }
}

fn records() {
    same!(structures);
}

#[gpuarr::device]
fn sum(values: &[i64]) -> i64 {
    let mut sum = 0;
    for k in 0..values.len() {
        sum += values[k];
    }
    sum
}

#[gpuarr::device]
fn sorted(mut values: [i64; 4]) -> [i64; 4] {
    for a in 1..values.len() {
        let mut b = a;
        while b > 0 && values[b - 1] > values[b] {
            values.swap(b - 1, b);
            b -= 1;
        }
    }
    values
}

#[gpuarr::device]
fn divided(a: i64, b: i64) -> (i64, i64) {
    (a / b, a % b)
}

#[gpuarr::kernel]
fn composed(x: &[i32], out: &mut [i64]) {
    let i = thread::index();
    if i < x.len() {
        let (n, at) = (x[i] as i64, i * PER_THREAD);
        let values = [n, 3, n % 5, -2];
        out[at] = sum(&values);
        let [a, b, c, d] = sorted(values);
        out[at + 1] = a + 2 * b % 100 + 3 * c % 1000 + 4 * (d % 1000);
        let (quotient, rest) = divided(n, 7);
        out[at + 2] = quotient * 10 + rest;
        let pair = (n, (n as f32 * 0.5, n > 0));
        out[at + 3] = pair.0 + pair.1 .0 as i64 + if pair.1 .1 { 1 } else { 0 };
        let mut table = [[0; 3]; 2];
        for row in 0..2 {
            for column in 0..3 {
                table[row][column] = n % 10 + (row * 3 + column) as i64;
            }
        }
        table[1][2] -= table[0][1];
        let mut copy = table;
        copy[0] = table[1];
        out[at + 4] = copy[0][2] + table[0][2] + table.len() as i64 + copy[0].len() as i64;
        let (mut low, mut high) = (0i64, 1);
        for _ in 0..10 {
            (low, high) = (high, (low + high + n) % 1000);
        }
        out[at + 5] = low;
        let mut order = [0u8; 4];
        (order[0], order[3]) = (order[3] + 1, order[0] + 2);
        out[at + 6] = order[0] as i64 * 10 + order[3] as i64;
        let mut whole = (1i64, 2u8);
        whole.0 += n;
        whole = (whole.0 * 2, whole.1 + 1);
        out[at + 7] = whole.0 + whole.1 as i64;
    }
}

fn arrays_and_tuples() {
    same!(composed);
}

#[gpuarr::device]
fn raise(place: &mut i64, by: &i64) {
    *place += *by;
}

#[gpuarr::device]
fn fill(values: &mut [i64], from: usize, value: i64) {
    for k in from..values.len() {
        values[k] = value;
    }
}

#[gpuarr::device]
fn last(values: &[i32]) -> i32 {
    if values.is_empty() {
        return -1;
    }
    values[values.len() - 1]
}

#[gpuarr::device]
fn store(out: &mut [i64], at: usize, value: i64) {
    raise(&mut out[at], &value);
}

#[gpuarr::kernel]
fn references(x: &[i32], out: &mut [i64]) {
    let i = thread::index();
    if i < x.len() {
        let (n, at) = (x[i] as i64, i * PER_THREAD);
        let mut value = n;
        raise(&mut value, &2);
        out[at] = value;
        store(out, at + 1, value * 2);
        let mut values = [1; 5];
        fill(&mut values, 2, n);
        out[at + 2] = sum(&values);
        let place = &mut out[at + 3];
        *place += 4;
        *place *= 3;
        let seen = &value;
        out[at + 4] = *seen + last(x) as i64;
        out[at + 5] = x[0] as i64 + x.len() as i64;
        let copy = values.clone();
        out[at + 6] = copy[4];
    }
}

fn references_and_slices() {
    same!(references);
}

const HALF: f32 = 0.5;
const LIST: [i64; 3] = [4, 5, 6];
const NEGATIVE: i64 = -0x1234_5678_9abc;
const NO_NUMBER: f64 = f64::NAN;
static TABLE: [u8; 4] = [1, 2, 4, 8];

mod inner {
    pub const DEEP: u16 = 65535;

    #[gpuarr::device]
    pub fn deep(x: i64) -> i64 {
        x % 3 + DEEP as i64
    }
}

#[gpuarr::kernel]
fn constants_of(x: &[i32], out: &mut [i64]) {
    let i = thread::index();
    if i < x.len() {
        let (n, at) = (x[i] as i64, i * PER_THREAD);
        out[at] = (n as f32 * HALF) as i64 + LIST[i % 3] + TABLE[i % 4] as i64;
        out[at + 1] = NEGATIVE + inner::DEEP as i64 + inner::deep(n);
        out[at + 2] = i64::MAX / 3 + i64::MIN / 3 + u8::MAX as i64 + i32::MIN as i64;
        out[at + 3] = (std::f64::consts::PI * 1e6) as i64 + (f32::EPSILON * 1e9) as i64;
        out[at + 4] = if NO_NUMBER > 1.0 || f32::INFINITY < 2.0 { 1 } else { 2 };
        out[at + 5] = 0xff_i64 + 0b1011 + 0o17 + 1_000_000 + 1e3 as i64 + b'A' as i64;
        out[at + 6] =
            -9223372036854775807 - (-2147483648i32) as i64 + 18446744073709551615u64 as i64;
        out[at + 7] = (1.5e-3f64 * 1e4) as i64 + (2f32 * 1.25) as i64 - (-3);
    }
}

fn constants() {
    same!(constants_of);
}

#[gpuarr::kernel]
fn inferred(x: &[i32], out: &mut [i64]) {
    let i = thread::index();
    if i < x.len() {
        let at = i * PER_THREAD;
        let mut n = 0; // a u8, as the next line but one says
        let k = x[i] as u8;
        n += k;
        n = n.wrapping_mul(3);
        out[at] = n as i64;
        let mut sum = 0.0; // an f32
        let quarter = 0.25f32;
        sum += quarter * 3.0;
        out[at + 1] = (sum * 16777217.0) as i64;
        let later: u16;
        if x[i] > 3 {
            later = 65535;
        } else {
            later = 1;
        }
        out[at + 2] = later.wrapping_add(1) as i64;
        let list = [0; 2]; // of i16
        let item: i16 = list[0];
        out[at + 3] = (item - 1) as i64;
        let typed: (u8, _) = (255, -1i8);
        out[at + 4] = typed.0 as i64 + typed.1 as i64;
    }
}

fn later_types() {
    same!(inferred);
}

#[gpuarr::device]
fn power<T: Number, const N: usize>(x: T) -> T {
    let mut result = T::of(1.0);
    for _ in 0..N {
        result *= x;
    }
    result
}

#[gpuarr::device]
fn larger<T>(a: T, b: T) -> T
where
    T: Number,
{
    if a > b {
        a
    } else {
        b + T::default()
    }
}

#[gpuarr::kernel]
fn generic(x: &[i32], out: &mut [i64]) {
    let i = thread::index();
    if i < x.len() {
        let (n, at) = (x[i] % 50, i * PER_THREAD);
        out[at] = power::<i64, 3>(n as i64) + power::<_, 2>(n) as i64;
        out[at + 1] = (power::<f32, 2>(n as f32) * 2.0) as i64;
        out[at + 2] = larger(n, 7) as i64 + larger(n as f64, 0.5) as i64 + larger(1u8, 3) as i64;
        out[at + 3] = i32::max(n, 3) as i64 + i64::from(n) + f64::from(n as f32).sqrt() as i64;
        out[at + 4] = f32::from_bits(f32::to_bits(n as f32)) as i64 + f32::powi(n as f32, 2) as i64;
        out[at + 5] = bool::from(n > 3) as i64 + u64::from(n > 4) as i64;
    }
}

fn generics() {
    same!(generic);
}
