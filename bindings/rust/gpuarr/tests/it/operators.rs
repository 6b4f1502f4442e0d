//! Operators, which panic where methods return an error.
use std::panic::{catch_unwind, AssertUnwindSafe};

use gpuarr::num_complex::Complex;
use gpuarr::{Array, DType};

use crate::support::{device, Quiet};

crate::tests! { arithmetic scalars_on_the_left literals bits in_place mixed_types panics }

fn all<T: gpuarr::Element>(x: Array<T>) -> Vec<T> {
    x.to_vec().unwrap()
}

fn arithmetic() {
    let x = device().array(&[5.0, -7.0], 2).unwrap();
    let y = device().array(&[2.0, 3.0], [2, 1]).unwrap();
    assert_eq!(all(&x - &y), [3.0, -9.0, 2.0, -10.0]);
    assert_eq!(all(&x % &y), [5.0 % 2.0, -7.0 % 2.0, 5.0 % 3.0, -7.0 % 3.0]);
    assert_eq!(all(-&x), [-5.0, 7.0]);
    // Owned ones on either side, and chains of temporaries.
    assert_eq!(all(x.clone() + y.select(1, 0).unwrap() * 10.0 - 1.0), [24.0, 22.0]);
    assert_eq!(all(-(x.clone() + &x)), [-10.0, 14.0]);
    let whole = device().array(&[7, -7], 2).unwrap();
    assert_eq!(all(&whole / 2), [3.5, -3.5]); // f64
}

fn scalars_on_the_left() {
    let x = device().array(&[2.0f32, 4.0], 2).unwrap();
    assert_eq!(all(1.0 - &x), [-1.0, -3.0]);
    assert_eq!(all(1.0 / x.clone()), [0.5, 0.25]);
    let n = device().array(&[1i64, 2], 2).unwrap();
    assert_eq!(all(1 << &n), [2, 4]);
    assert_eq!(all(6 & &n), [0, 2]);
    assert_eq!(all(3 ^ n), [2, 1]);
    let z = device().array(&[Complex::new(0.0, 1.0)], 1).unwrap();
    assert_eq!(all(2.0 * &z), [Complex::new(0.0, 2.0)]);
    assert_eq!(all(Complex::new(0.0, 1.0) * &z * 3.0), [Complex::new(-3.0, 0.0)]);
}

/// Literals without suffix have the array's type at once, so that methods can follow.
fn literals() {
    let x = device().array(&[0.5f32, 1.0], 2).unwrap();
    assert_eq!(all((2.0 * &x + 1.0).sqrt().unwrap().square().unwrap().rint().unwrap()), [2.0, 3.0]);
    let any = x.as_any() * 2.0;
    assert_eq!(any.dtype(), DType::F32);
    assert_eq!((1.0f64 / any.clone()).dtype(), DType::F32);
    assert_eq!(all(any.downcast::<f32>().unwrap()), [1.0, 2.0]);
}

fn bits() {
    let x = device().array(&[0b1100u8, 0b1010], 2).unwrap();
    assert_eq!(all(&x & 0b0110), [0b0100, 0b0010]);
    assert_eq!(all(&x | &device().array(&[1u8, 2], 2).unwrap()), [0b1101, 0b1010]);
    assert_eq!(all(!&x), [0xf3, 0xf5]);
    assert_eq!(all(&x >> 2), [3, 2]);
    let truths = device().array(&[true, false], 2).unwrap();
    assert_eq!(all(!(&truths & true)), [false, true]);
}

fn in_place() {
    let mut x = device().array(&[1.0f32, 2.0, 3.0], 3).unwrap();
    let view = x.slice(0, 1..).unwrap();
    x *= &x.clone();
    x -= device().array(&[0.5f64], 1).unwrap(); // rounded to f32
    x /= 0.5;
    assert_eq!(all(x), [1.0, 7.0, 17.0]);
    assert_eq!(all(view), [7.0, 17.0]); // the memory is the same
    let mut n = device().array(&[6i16, 5], 2).unwrap();
    n &= 5;
    n <<= 2;
    assert_eq!(all(n), [16, 20]);
}

fn mixed_types() {
    let (x, y) = (device().array(&[1i32, 2], 2).unwrap(), device().array(&[0.5f32], 1).unwrap());
    let sum: Array<f64> = &x + &y; // as NumPy has it
    assert_eq!(all(sum), [1.5, 2.5]);
    let chosen: Array<f32> = &y * x.greater(1).unwrap();
    assert_eq!(all(chosen), [0.0, 0.5]);
}

fn panics() {
    let (mut x, y) = (device().zeros::<i32>(3).unwrap(), device().zeros::<i32>(4).unwrap());
    let text = |body: &mut dyn FnMut()| {
        let quiet = Quiet::new();
        let payload = catch_unwind(AssertUnwindSafe(body)).unwrap_err();
        drop(quiet);
        payload.downcast_ref::<String>().unwrap().clone()
    };
    let message = text(&mut || drop(&x + &y));
    assert_eq!(message, x.add(&y).unwrap_err().message);
    let message = text(&mut || x /= 2);
    assert!(message.contains("gpuarr_divide") && message.contains("float64"), "{}", message);
    let message = text(&mut || drop(1 << &y.as_any().astype::<f32>().unwrap().into_any()));
    assert!(message.contains("gpuarr_left_shift"), "{}", message);
}
