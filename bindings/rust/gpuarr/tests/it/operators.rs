//! Operators, which give expressions.
use gpuarr::half::{bf16, f16};
use gpuarr::num_complex::Complex;
use gpuarr::{Content, DType, Element, Expr, Operand, Status};

use crate::support::{device, refused};

crate::tests! {
    arithmetic scalars_on_the_left literals bits of_every_kind changed_names in_place mixed_types
    panic_never
}

fn all<T: Element>(x: Expr<T>) -> Vec<T> {
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
    assert_eq!(all((2.0 * &x + 1.0).sqrt().square().rint()), [2.0, 3.0]);
    let any = x.as_any() * 2.0;
    assert_eq!(any.dtype().unwrap(), DType::F32);
    assert_eq!((1.0f64 / any.clone()).dtype().unwrap(), DType::F32);
    assert_eq!(all(any.downcast::<f32>()), [1.0, 2.0]);
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

/// All elements have operators, with arrays and expressions on either side.
fn of_every_kind() {
    fn of<T: Element + Operand<T, Joined = T>>(one: T, two: T) {
        let x = device().array(&[one], 1).unwrap();
        let e = &x * one;
        let sums = [&x + &x, &e + &x, &x + &e, &e + &e, &e + one, x.clone() + e.clone()];
        let sums = sums.into_iter().chain([e.clone() + x.clone(), e.clone() + one]);
        for sum in sums {
            assert_eq!(sum.dtype().unwrap(), T::DTYPE);
            let quotient = &sum / one;
            assert_eq!(Some(quotient.dtype().unwrap()), T::Mean::WANTED);
            let same: Expr<T> = sum.clone() * &x;
            assert_eq!(gpuarr::evaluate((same,)).unwrap().0.to_vec().unwrap(), [two]);
        }
    }
    of(true, true);
    of(1i8, 2);
    of(1i16, 2);
    of(1i32, 2);
    of(1i64, 2);
    of(1u8, 2);
    of(1u16, 2);
    of(1u32, 2);
    of(1u64, 2);
    of(f16::from_f32(1.0), f16::from_f32(2.0));
    of(bf16::from_f32(1.0), bf16::from_f32(2.0));
    of(1f32, 2.0);
    of(1f64, 2.0);
    of(Complex::new(1f32, 0.0), Complex::new(2.0, 0.0));
    of(Complex::new(1f64, 0.0), Complex::new(2.0, 0.0));
}

fn changed_names() {
    let x = device().array(&[6i64, 7], 2).unwrap();
    let mut e = &x + 0;
    let before = e.clone();
    e += &x;
    e *= 3;
    e -= 1;
    e <<= &x * 0;
    assert_eq!(all(e), [35, 41]);
    assert_eq!(all(before), [6, 7]);
    let mut half = &device().array(&[3.0f32], 1).unwrap() - 1.0;
    half /= 4.0;
    assert_eq!(all(half), [0.5]);
}

fn in_place() {
    let mut x = device().array(&[1.0f32, 2.0, 3.0], 3).unwrap();
    let view = x.slice(0, 1..).unwrap();
    ((&x * &x - 0.5) / 0.5).eval_into(&mut x).unwrap();
    assert_eq!(x.to_vec().unwrap(), [1.0, 7.0, 17.0]);
    assert_eq!(view.to_vec().unwrap(), [7.0, 17.0]); // the memory is the same
    let mut y = device().array(&[0.5f64], 1).unwrap();
    (view.select(0, 0).unwrap() + &y).eval_into(&mut y).unwrap();
    assert_eq!(y.to_vec().unwrap(), [7.5]);
}

fn mixed_types() {
    let (x, y) = (device().array(&[1i32, 2], 2).unwrap(), device().array(&[0.5f32], 1).unwrap());
    let sum: Expr<f64> = &x + &y; // as NumPy has it
    assert_eq!(all(sum), [1.5, 2.5]);
    let chosen: Expr<f32> = &y * x.greater(1);
    assert_eq!(all(chosen), [0.0, 0.5]);
}

fn panic_never() {
    let (x, y) = (device().zeros::<i32>(3).unwrap(), device().zeros::<i32>(4).unwrap());
    let texts = ["in add(int32 (3,), int32 (4,)), at ", "operators.rs:"];
    let error = refused((&x + &y).eval(), Status::BROADCAST, &texts);
    let of_it = (2 * (1 - (&x + &y)) % &x).astype::<f32>() / 0.5;
    assert!(refused(of_it.eval(), Status::BROADCAST, &texts)
        .message
        .starts_with(&error.message[..90]));
    let float = y.as_any() * 0.5;
    refused((1i32 << &float).eval(), Status::DTYPE, &["left_shift", "float64"]);
    refused((!(-&float)).eval(), Status::DTYPE, &["invert"]);
    refused((-device().zeros::<bool>(1).unwrap()).eval(), Status::DTYPE, &["negative", "bool"]);
    let mut wrong = &x + &y;
    wrong += 1;
    refused(wrong.to_vec(), Status::BROADCAST, &texts);
    refused((&x / 2).eval_into(&mut x.clone()), Status::DTYPE, &["float64", "int32"]);
}
