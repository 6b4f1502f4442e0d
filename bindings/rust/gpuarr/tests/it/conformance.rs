//! Operators, casts and methods of numbers in kernels, against rustc's own on the same values.
#![allow(clippy::all)] // it says things in unusual ways
use gpuarr::thread;

use crate::support::{device, keep_text};

crate::tests! { signed_integers unsigned_integers floats functions_of_floats }

/// A kernel over pairs of values, with a result for each of the expressions.
macro_rules! table {
    ($kernel:ident($a:ident: $first:ident, $b:ident: $second:ident) { $($value:expr),* $(,)? }) => {
        #[gpuarr::kernel]
        #[allow(unused, clippy::all)]
        fn $kernel(x: &[$first], y: &[$second], out: &mut [u64]) {
            let i = thread::index();
            if i < x.len() {
                let ($a, $b, n) = (x[i], y[i], x.len());
                let mut at = i;
                $(
                    out[at] = ($value) as u64;
                    at += n;
                )*
            }
        }

        impl $kernel {
            #[allow(dead_code)]
            const RESULTS: &'static [&'static str] = &[$(stringify!($value)),*];
        }
    };
}

/// Runs it on a device and on the host, over all pairs of some values.
macro_rules! compare {
    ($kernel:ident, $x:expr, $y:expr, $same:expr) => {{
        keep_text(stringify!($kernel), $kernel::source());
        let (x, y): (Vec<_>, Vec<_>) =
            $x.iter().flat_map(|a| $y.iter().map(move |b| (*a, *b))).unzip();
        let mut host = vec![0; x.len() * $kernel::RESULTS.len()];
        $kernel::on_host(x.len(), &x, &y, &mut host);
        let mut out = device().zeros::<u64>(host.len()).unwrap();
        let (a, b) = (device().array(&x, x.len()).unwrap(), device().array(&y, y.len()).unwrap());
        unsafe { $kernel(&a, &b, &mut out).elements(x.len()).launch() }.unwrap();
        for (k, (got, wanted)) in out.to_vec().unwrap().into_iter().zip(host).enumerate() {
            let (at, of) = (k / x.len(), k % x.len());
            assert!(
                $same(got, wanted),
                "{}: {} of {:?}, {:?} is {:#x}, not {:#x}",
                stringify!($kernel),
                $kernel::RESULTS[at],
                x[of],
                y[of],
                got,
                wanted
            );
        }
    }};
}

fn equal(a: u64, b: u64) -> bool {
    a == b
}

macro_rules! integers {
    ($($type:ident $bits:ident $both:ident $wrapped:ident;)*) => {$(
        table! { $bits(v: $type, by: u32) {
            v.wrapping_neg(), v.count_ones(), v.count_zeros(), v.leading_zeros(),
            v.leading_ones(), v.trailing_zeros(), v.trailing_ones(), v.swap_bytes(),
            v.reverse_bits(), v.rotate_left(by), v.rotate_right(by), v.wrapping_shl(by),
            v.wrapping_shr(by), v.wrapping_pow(by), !v, v << (by % $type::BITS),
            v >> (by % $type::BITS), v == 0, v.clamp(2, 100), v as i8, v as i16, v as i32, v as i64,
            v as isize, v as u8, v as u16, v as u32, v as u64, v as usize, (v as f32).to_bits(),
            (v as f64).to_bits(), (v % 3).pow(by % 4),
        } }
        table! { $both(a: $type, b: $type) {
            a.wrapping_add(b), a.wrapping_sub(b), a.wrapping_mul(b), a.saturating_add(b),
            a.saturating_sub(b), a.saturating_mul(b), a.abs_diff(b), a.max(b), a.min(b),
            a & b, a | b, a ^ b, a == b, a != b, a < b, a <= b, a > b, a >= b,
            if b != 0 { a.wrapping_div(b) } else { 0 }, if b != 0 { a.wrapping_rem(b) } else { 0 },
            if b > 0 { a / b } else { 0 }, if b > 0 { a % b } else { 0 },
            if b != 0 && a != $type::MIN { a.div_euclid(b) } else { 0 },
            if b != 0 && a != $type::MIN { a.rem_euclid(b) } else { 0 },
            if b != 0 && a != $type::MIN { a / b } else { 0 },
            if b != 0 && a != $type::MIN { a % b } else { 0 },
            a.wrapping_add(b).wrapping_sub(b).wrapping_mul(a),
        } }
        // What panics in a debug build on the host wraps around in a kernel.
        table! { $wrapped(a: $type, b: $type) { a + b, a - b, a * b, 0 - a } }
    )*};
}

integers! {
    i8 bits_i8 both_i8 wrapped_i8;
    i16 bits_i16 both_i16 wrapped_i16;
    i32 bits_i32 both_i32 wrapped_i32;
    i64 bits_i64 both_i64 wrapped_i64;
    u8 bits_u8 both_u8 wrapped_u8;
    u16 bits_u16 both_u16 wrapped_u16;
    u32 bits_u32 both_u32 wrapped_u32;
    u64 bits_u64 both_u64 wrapped_u64;
}

macro_rules! check_integers {
    ($($type:ident $bits:ident $both:ident $wrapped:ident;)*) => {$({
        const MIDDLE: $type = $type::MAX / 2 + 3;
        let x = [0, 1, 2, 3, 7, 10, 16, 100, MIDDLE, $type::MAX - 1, $type::MAX, $type::MIN,
            $type::MIN + 1, $type::MIN / 2, (0 as $type).wrapping_sub(1),
            (0 as $type).wrapping_sub(7)];
        compare!($bits, x, [0u32, 1, 3, 7, 8, 31, 33, 64, 1000], equal);
        compare!($both, x, x, equal);
        keep_text(stringify!($wrapped), $wrapped::source());
        let (a, b): (Vec<_>, Vec<_>) = x.iter().flat_map(|a| x.map(|b| (*a, b))).unzip();
        let mut out = device().zeros::<u64>(4 * a.len()).unwrap();
        let (first, second) =
            (device().array(&a, a.len()).unwrap(), device().array(&b, b.len()).unwrap());
        unsafe { $wrapped(&first, &second, &mut out).elements(a.len()).launch() }.unwrap();
        let out = out.to_vec().unwrap();
        for (k, (a, b)) in a.iter().zip(&b).enumerate() {
            let wanted =
                [a.wrapping_add(*b), a.wrapping_sub(*b), a.wrapping_mul(*b), a.wrapping_neg()];
            for (at, wanted) in wanted.into_iter().enumerate() {
                let got = out[at * first.len() + k] as $type;
                assert_eq!(got, wanted, "{}: {} of {}, {}", stringify!($type), at, a, b);
            }
        }
    })*};
}

table! { signs_i8(v: i8, _w: u8) {
    v.signum(), v.wrapping_abs(), v.unsigned_abs(), v.is_negative(), v.is_positive(),
    if v != i8::MIN { v.abs() } else { 0 }, if v != i8::MIN { -v } else { 0 },
} }
table! { signs_i32(v: i32, _w: u8) {
    v.signum(), v.wrapping_abs(), v.unsigned_abs(), v.is_negative(), v.is_positive(),
    if v != i32::MIN { v.abs() } else { 0 }, if v != i32::MIN { -v } else { 0 },
} }
table! { signs_i64(v: i64, _w: u8) {
    v.signum(), v.wrapping_abs(), v.unsigned_abs(), v.is_negative(), v.is_positive(),
    if v != i64::MIN { v.abs() } else { 0 }, if v != i64::MIN { -v } else { 0 },
} }
table! { powers_u8(v: u8, _w: u8) {
    v.is_power_of_two(), if v <= 128 { v.next_power_of_two() } else { 0 },
} }
table! { powers_u64(v: u64, _w: u8) {
    v.is_power_of_two(), if v <= 1 << 63 { v.next_power_of_two() } else { 0 },
} }
table! { truths(a: bool, b: bool) {
    a & b, a | b, a ^ b, !a, a == b, a != b, a && b, a || b, a as u8, (a as i32 + b as i32) as f32,
    if a < b { 1 } else { 2 },
} }

fn signed_integers() {
    check_integers! {
        i8 bits_i8 both_i8 wrapped_i8;
        i16 bits_i16 both_i16 wrapped_i16;
        i32 bits_i32 both_i32 wrapped_i32;
        i64 bits_i64 both_i64 wrapped_i64;
    }
    compare!(signs_i8, [0i8, 1, -1, 5, i8::MAX, i8::MIN, -127], [0u8], equal);
    compare!(signs_i32, [0i32, 1, -1, 5, i32::MAX, i32::MIN], [0u8], equal);
    compare!(signs_i64, [0i64, 1, -1, 5, i64::MAX, i64::MIN], [0u8], equal);
    compare!(truths, [false, true], [false, true], equal);
}

fn unsigned_integers() {
    check_integers! {
        u8 bits_u8 both_u8 wrapped_u8;
        u16 bits_u16 both_u16 wrapped_u16;
        u32 bits_u32 both_u32 wrapped_u32;
        u64 bits_u64 both_u64 wrapped_u64;
    }
    compare!(powers_u8, [0u8, 1, 2, 3, 64, 65, 128, 255], [0u8], equal);
    compare!(powers_u64, [0u64, 1, 2, 3, 1 << 62, (1 << 62) + 1, 1 << 63, u64::MAX], [0u8], equal);
}

macro_rules! float_tables {
    ($type:ident $casts:ident $exact:ident $near:ident) => {
        table! { $casts(a: $type, b: $type) {
            a as i8, a as i16, a as i32, a as i64, a as isize, a as u8, a as u16, a as u32,
            a as u64, a as usize, a == b, a != b, a < b, a <= b, a > b, a >= b, a.is_nan(),
            a.is_infinite(),
            a.is_finite(), a.is_normal(), a.is_sign_negative(), a.is_sign_positive(),
        } }
        table! { $exact(a: $type, b: $type) {
            (a + b).to_bits(), (a - b).to_bits(), (a * b).to_bits(), (a / b).to_bits(),
            (a % b).to_bits(), (-a).to_bits(), a.mul_add(b, a).to_bits(), a.sqrt().to_bits(),
            a.floor().to_bits(), a.ceil().to_bits(), a.round().to_bits(), a.trunc().to_bits(),
            a.fract().to_bits(), a.abs().to_bits(), a.signum().to_bits(), a.copysign(b).to_bits(),
            a.min(b).to_bits(), a.max(b).to_bits(), a.clamp(-1.0, 2.0).to_bits(),
            a.rem_euclid(b).to_bits(), a.div_euclid(b).to_bits(), a.recip().to_bits(),
            a.to_degrees().to_bits(), a.to_radians().to_bits(),
            $type::from_bits(a.to_bits()).to_bits(),
            (a as f32).to_bits(), (a as f64).to_bits(),
        } }
        table! { $near(a: $type, b: $type) {
            a.acos().to_bits(), a.acosh().to_bits(), a.asin().to_bits(), a.asinh().to_bits(),
            a.atan().to_bits(), a.atan2(b).to_bits(), a.atanh().to_bits(), a.cbrt().to_bits(),
            a.cos().to_bits(), a.cosh().to_bits(), a.exp().to_bits(), a.exp2().to_bits(),
            a.exp_m1().to_bits(), a.hypot(b).to_bits(), a.ln().to_bits(), a.ln_1p().to_bits(),
            a.log(b).to_bits(), a.log10().to_bits(), a.log2().to_bits(), a.powf(b).to_bits(),
            a.powi(b as i32).to_bits(), a.sin().to_bits(), a.sin_cos().0.to_bits(),
            a.sin_cos().1.to_bits(), a.sinh().to_bits(), a.tan().to_bits(), a.tanh().to_bits(),
        } }
    };
}

float_tables! { f32 casts_f32 exact_f32 near_f32 }
float_tables! { f64 casts_f64 exact_f64 near_f64 }

/// Equal, both no number, or zeros, whose sign `min` and `max` may choose.
fn same_f32(a: u64, b: u64) -> bool {
    let (x, y) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
    a == b || x.is_nan() && y.is_nan() || x == 0.0 && y == 0.0 || is_wide_nan(a) && is_wide_nan(b)
}

/// The one result of that table that is an `f64`.
fn is_wide_nan(a: u64) -> bool {
    f64::from_bits(a).is_nan()
}

fn same_f64(a: u64, b: u64) -> bool {
    let (x, y) = (f64::from_bits(a), f64::from_bits(b));
    let is_narrow_nan = |a: u64| a >> 32 == 0 && f32::from_bits(a as u32).is_nan();
    a == b
        || x.is_nan() && y.is_nan()
        || x == 0.0 && y == 0.0
        || is_narrow_nan(a) && is_narrow_nan(b)
}

/// To some units in the last place.
fn near_as_f32(a: u64, b: u64) -> bool {
    let (x, y) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
    same_f32(a, b) || (x - y).abs() <= 1e-5 * y.abs() + 1e-40
}

fn near_as_f64(a: u64, b: u64) -> bool {
    let (x, y) = (f64::from_bits(a), f64::from_bits(b));
    same_f64(a, b) || (x - y).abs() <= 1e-13 * y.abs() + 1e-310
}

macro_rules! edges {
    ($type:ident) => {
        [
            0.0,
            -0.0,
            0.5,
            -0.5,
            1.0,
            -1.0,
            1.5,
            -1.5,
            2.5,
            -2.5,
            0.1,
            3.7,
            -3.7,
            127.5,
            255.0,
            -129.0,
            32768.0,
            65535.5,
            2147483648.0,
            -2147483648.0,
            4294967296.0,
            9223372036854775808.0,
            -9223372036854775808.0,
            18446744073709551616.0,
            1e30,
            -1e30,
            8388609.0,
            0.49999997,
            $type::MAX,
            $type::MIN,
            $type::MIN_POSITIVE,
            $type::MIN_POSITIVE / 4.0,
            $type::EPSILON,
            $type::INFINITY,
            $type::NEG_INFINITY,
            $type::NAN,
        ]
    };
}

fn floats() {
    compare!(casts_f32, edges!(f32), edges!(f32), equal);
    compare!(casts_f64, edges!(f64), edges!(f64), equal);
    compare!(exact_f32, edges!(f32), edges!(f32), same_f32);
    compare!(exact_f64, edges!(f64), edges!(f64), same_f64);
}

fn functions_of_floats() {
    let x = [0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 0.1, 1.7, -3.7, 20.0, 0.999, 1e-20, 1e5];
    let narrow = x.map(|x: f64| x as f32);
    let edge = [f32::INFINITY, f32::NEG_INFINITY, f32::NAN];
    compare!(near_f32, narrow, [2.0f32, -3.0, 0.5, 7.0, 0.0], near_as_f32);
    compare!(near_f32, edge, [2.0f32, -3.0], near_as_f32);
    compare!(near_f64, x, [2.0, -3.0, 0.5, 7.0, 0.0], near_as_f64);
    compare!(near_f64, edge.map(f64::from), [2.0, -3.0], near_as_f64);
}
