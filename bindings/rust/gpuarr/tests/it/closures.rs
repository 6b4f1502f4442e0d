//! `elementwise!` and `reduction!`: kernels of closures.
use gpuarr::half::f16;
use gpuarr::num_complex::{Complex, Complex32};
use gpuarr::{elementwise, reduction, Array, Axes, Float, Number, Status, ALL};

use crate::support::{device, refused};

crate::tests! { elementwise_kernels kernels_over_all_types several_outputs reductions
reductions_of_tuples names_of_parameters complex_and_half vectors }

fn elementwise_kernels() {
    let squared = elementwise!(|x: f32, y: f32| -> f32 { (x - y) * (x - y) });
    let x = device().arange::<f32>(0, 6, 1).unwrap().reshape([2, 3]).unwrap();
    let row = device().ones::<f32>(3).unwrap();
    let z = squared.call(&x, &row).unwrap();
    let wanted: Vec<f32> = (0..6).map(|k| squared.host(k as f32, 1.0)).collect();
    assert_eq!(z.shape(), [2, 3]);
    assert_eq!(z.to_vec().unwrap(), wanted);
    let mut z = device().zeros::<f32>([2, 3]).unwrap();
    squared.call_into(&x, 2.0, &mut z).unwrap();
    assert_eq!(z.to_vec().unwrap(), [4.0, 1.0, 0.0, 1.0, 4.0, 9.0]);
    let text = squared.text().unwrap();
    assert!(text.contains("return (x_1 - y_2) * (x_1 - y_2);"), "{}", text);
    assert!(text.contains("closures.rs\""), "{}", text);
    let columns = device().ones::<f32>(4).unwrap();
    refused(squared.call(&x, &columns), Status::BROADCAST, &["(2, 3)", "(4,)"]);
}

fn kernels_over_all_types() {
    let larger = elementwise!(|x: T, y: T| -> T {
        let sum = x + y;
        if sum > T::of(10.0) {
            sum
        } else {
            x * y
        }
    });
    let x = Array::from_slice(&[1u8, 5, 200], 3).unwrap();
    let z = larger.call(&x, 6).unwrap();
    assert_eq!(z.to_vec().unwrap(), [6, 11, 206]);
    let x = Array::from_slice(&[1.5, 5.0], 2).unwrap();
    assert_eq!(larger.call(&x, 6.0).unwrap().to_vec().unwrap(), [9.0, 11.0]);
    assert_eq!(larger.host(1i64, 2), 2);
    let wave = elementwise!(|x: T| -> T where T: Float { x.sin().mul_add(x, T::of(1.0)).sqrt() });
    for value in wave.call(&Array::<f32>::ones(3).unwrap()).unwrap().to_vec().unwrap() {
        assert!((value - wave.host(1f32)).abs() < 1e-6);
    }
    for value in wave.call(&Array::<f64>::ones(3).unwrap()).unwrap().to_vec().unwrap() {
        assert!((value - wave.host(1f64)).abs() < 1e-14);
    }
}

fn several_outputs() {
    let polar =
        elementwise!(|x: f64, y: f64| -> (f64, f64, bool) { (x.hypot(y), y.atan2(x), x > y) });
    let x = Array::from_slice(&[3.0, -1.0], 2).unwrap();
    let (radius, angle, is_more) = polar.call(&x, 4.0).unwrap();
    for k in 0..2 {
        let (r, a, m) = polar.host(x.to_vec().unwrap()[k], 4.0);
        assert!((radius.to_vec().unwrap()[k] - r).abs() < 1e-14);
        assert!((angle.to_vec().unwrap()[k] - a).abs() < 1e-14);
        assert_eq!(is_more.to_vec().unwrap()[k], m);
    }
}

fn reductions() {
    let mse = reduction! {
        map: |x: f32, y: f32| -> f64 { ((x - y) * (x - y)) as f64 },
        reduce: |a, b| a + b,
        post: |a, n| a / n as f64,
    };
    let x = device().arange::<f32>(0, 12, 1).unwrap().reshape([3, 4]).unwrap();
    let m = mse.call(&x, 2.0, 1).unwrap();
    assert_eq!(m.shape(), [3]);
    let values = x.to_vec().unwrap();
    for (row, m) in m.to_vec().unwrap().into_iter().enumerate() {
        assert_eq!(Some(m), mse.host(&values[4 * row..4 * row + 4], &[2.0; 4]));
    }
    assert_eq!(mse.call(&x, 2.0, Axes::keepdims(0)).unwrap().shape(), [1, 4]);
    assert_eq!(mse.host(&[], &[]), None);
    let mut all = device().zeros::<f64>([0i32; 0]).unwrap();
    mse.call_into(&x, &x, ALL, &mut all).unwrap();
    assert_eq!(all.item().unwrap(), 0.0);

    let longest = reduction! {
        map: |x: T| if x < T::default() { T::default() } else { x },
        reduce: |a, b| if a > b { a } else { b },
        identity: T::of(3.0),
    };
    let x = Array::from_slice(&[1i16, -5, 7], 3).unwrap();
    assert_eq!(longest.call(&x, ALL).unwrap().item().unwrap(), 7);
    assert_eq!(longest.host(&[1i16, -5, 7]), Some(7));
    assert_eq!(longest.host::<f32>(&[]), Some(3.0));
    let none = device().zeros::<f32>(0).unwrap();
    assert_eq!(longest.call(&none, ALL).unwrap().item().unwrap(), 3.0);
}

fn reductions_of_tuples() {
    let range = reduction! {
        map: |x: f64| -> (f64, f64) { (x, x) },
        reduce: |a, b| (a.0.min(b.0), a.1.max(b.1)),
        post: |a| -> f64 { a.1 - a.0 },
    };
    let x = [3.0, -2.5, 8.0, 1.0];
    let array = Array::from_slice(&x, 4).unwrap();
    assert_eq!(range.call(&array, ALL).unwrap().item().unwrap(), 10.5);
    assert_eq!(range.host(&x), Some(10.5));
}

fn names_of_parameters() {
    let odd = elementwise!(|i: i32, n: i32, int: i32| -> i32 { i + 10 * n + 100 * int });
    let x = Array::from_slice(&[1, 2], 2).unwrap();
    assert_eq!(odd.call(&x, &x, 3).unwrap().to_vec().unwrap(), [311, 322]);
    let more = elementwise!(|größe: u8, r#type: u8| -> u8 { größe.saturating_add(r#type) });
    let bytes = Array::from_slice(&[1u8, 250], 2).unwrap();
    assert_eq!(more.call(&bytes, 9).unwrap().to_vec().unwrap(), [10, 255]);
    fn twice(number: i32) -> i32 {
        elementwise!(|x: i32| -> i32 { 2 * x }).host(number)
    }
    assert_eq!(twice(4), 8);
}

/// Types that only a header has in a kernel are there in an elementwise one.
fn complex_and_half() {
    let size = elementwise!(|z: Complex32| -> f32 { z.norm_sqr() + z.re });
    let z = Array::from_slice(&[Complex32::new(1.0, 2.0)], 1).unwrap();
    assert_eq!(size.call(&z).unwrap().to_vec().unwrap(), [6.0]);
    let inside = elementwise!(|x: f64| -> f64 {
        let z = Complex::new(x, 2.0);
        (z * z).im
    });
    let x = Array::from_slice(&[1.5], 1).unwrap();
    assert_eq!(inside.call(&x).unwrap().to_vec().unwrap(), [6.0]);
    let twice = elementwise!(|x: f16| -> f16 { f16::from_f32(x.to_f32() * 2.0) });
    let x = Array::from_slice(&[f16::from_f32(1.5)], 1).unwrap();
    assert_eq!(twice.call(&x).unwrap().to_vec().unwrap(), [f16::from_f32(3.0)]);
    let product = reduction! {
        map: |x: f32| -> Complex32 { Complex32::new(x, 1.0) },
        reduce: |a, b| a * b,
        post: |a| -> f32 { a.im },
    };
    let x = Array::from_slice(&[1.0, 2.0], 2).unwrap();
    assert_eq!(Some(product.call(&x, ALL).unwrap().item().unwrap()), product.host(&[1.0, 2.0]));
}

#[gpuarr::device]
fn wrapped<T: Number>(x: T, by: T) -> T {
    x % by
}

fn vectors() {
    let f = elementwise!(|x: i32| -> i32 { wrapped(x, 7) });
    let x: Array<i32> = device().arange(-50, 1000, 1).unwrap();
    let wanted: Vec<i32> = (-50..1000).map(|x| f.host(x)).collect();
    assert_eq!(f.call(&x).unwrap().to_vec().unwrap(), wanted);
}
