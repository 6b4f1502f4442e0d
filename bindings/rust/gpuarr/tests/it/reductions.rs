//! Reductions, against plain loops.
use gpuarr::{args, Array, Axes, Expr, Options, Reduction, Stream, ALL};

use crate::support::{device, indices, place, Random, Seen};

crate::tests! {
    random_sums ready_made types_of_results kernels_of_your_own several_results prepared
    arrays_of_any_type
}

/// The sums of an array along some axes, by a plain loop, and their shape.
fn plain_sum(x: &Seen<i64>, axes: &[i32]) -> (Vec<i64>, Vec<i64>) {
    let reduced =
        |axis: usize| axes.iter().any(|a| a.rem_euclid(x.shape.len() as i32) == axis as i32);
    let kept = |numbers: &[i64]| -> Vec<i64> {
        numbers.iter().enumerate().filter(|(axis, _)| !reduced(*axis)).map(|(_, n)| *n).collect()
    };
    let shape = kept(&x.shape);
    let mut sums = vec![0; shape.iter().product::<i64>() as usize];
    for index in indices(&x.shape) {
        sums[place(&shape, &kept(&index))] += x.values[place(&x.shape, &index)];
    }
    (shape, sums)
}

fn random_sums() {
    let mut random = Random::new(3);
    for _ in 0..6 {
        let shape: Vec<i64> = (0..3).map(|_| random.between(1, 7)).collect();
        let values = (0..shape.iter().product()).map(|_| random.between(-99, 99)).collect();
        let x = Seen::new(&shape, values).random_view(&mut random);
        for axes in [&[0][..], &[-1], &[0, 2], &[0, 1, -1], &[]] {
            let (shape, sums) = plain_sum(&x, axes);
            let result = x.array.sum(axes).eval().unwrap();
            assert_eq!((result.shape(), result.to_vec().unwrap()), (&shape[..], sums));
        }
    }
}

fn ready_made() {
    let x = device().array(&[3.0f64, -1.0, f64::NAN, 4.0, 0.5, -2.0], [2, 3]).unwrap();
    let y = x.slice(1, ..2).unwrap(); // without the NaN
    let all = |result: Expr<f64>| result.to_vec().unwrap();
    assert_eq!(all(y.sum(0)), [7.0, -0.5]);
    assert_eq!(all(y.prod(1)), [-3.0, 2.0]);
    assert_eq!(all(y.min(0)), [3.0, -1.0]);
    assert_eq!(all(y.max(1)), [3.0, 4.0]);
    assert!(x.max(ALL).item().unwrap().is_nan());
    assert_eq!(all(x.nanmax(1)), [3.0, 4.0]);
    assert_eq!(all(x.nanmin(1)), [-1.0, -2.0]);
    assert_eq!(all(x.nansum(1)), [2.0, 2.5]);
    assert_eq!(all(y.mean(Axes::keepdims(1))), [1.0, 2.25]);
    assert_eq!(y.mean(Axes::keepdims(1)).shape().unwrap(), [2, 1]);
    assert_eq!(all(y.var(0.0, 0)), [0.25, 0.5625]);
    assert_eq!(all(y.std(1.0, 0))[0], 0.5f64.sqrt());
    assert_eq!(all(y.norm(2.0, 0))[0], 5.0);
    assert_eq!(all(y.norm(f64::INFINITY, ALL)), [4.0]);
    assert_eq!(y.argmax(ALL).item().unwrap(), 2);
    assert_eq!(y.argmin(1).to_vec().unwrap(), [1, 1]);
    assert_eq!(x.count_nonzero(ALL).item().unwrap(), 6);
    assert_eq!(y.any(0).to_vec().unwrap(), [true, true]);
    assert!(y.all([0, 1]).item().unwrap());
    assert_eq!(y.dot(&y).unwrap().item().unwrap(), 26.25);
    let log = device().array(&[1000.0f32, 1000.0], 2).unwrap().logsumexp(0).eval().unwrap();
    assert!((log.item().unwrap() - 1000.693).abs() < 1e-2);
}

fn types_of_results() {
    let x = device().array(&[200u8, 100], 2).unwrap();
    let (sum, mean, var): (u64, f64, f64) =
        (x.sum(0).item().unwrap(), x.mean(0).item().unwrap(), x.var(0.0, 0).item().unwrap());
    assert_eq!((sum, mean, var), (300, 150.0, 2500.0));
    let most: u8 = x.max(0).item().unwrap();
    assert_eq!(most, 200);
    let truths = device().array(&[true, true, false], 3).unwrap();
    assert_eq!(truths.sum(0).item().unwrap(), 2i64);
    let z = gpuarr::num_complex::Complex::new(3.0f32, 4.0);
    let norm: f32 = device().array(&[z], 1).unwrap().norm(2.0, 0).item().unwrap();
    assert_eq!(norm, 5.0);
}

fn kernels_of_your_own() {
    let mse = ("(x - y) * (x - y)", "a + b", "m = a / n");
    let mse = Reduction::new("T x, T y", "float64 m", mse.0, mse.1, mse.2, None).unwrap();
    let mut random = Random::new(4);
    let mut draw = |_| random.between(-9, 9) as f32;
    let (x, y): (Vec<f32>, Vec<f32>) =
        ((0..1000).map(&mut draw).collect(), (0..1000).map(&mut draw).collect());
    let wanted: f64 = x.iter().zip(&y).map(|(x, y)| f64::from((x - y) * (x - y))).sum();
    let (x, y) = (device().array(&x, 1000).unwrap(), device().array(&y, 1000).unwrap());
    let result: Array<f64> = mse.call(args![&x, &y], ALL).unwrap();
    assert_eq!(result.item().unwrap(), wanted / 1000.0);
    let mut again = device().zeros::<f64>(()).unwrap();
    device().synchronize().unwrap();
    let stream = Stream::new(device()).unwrap();
    mse.on(&stream).call_into(args![&x, &y], ALL, &mut again).unwrap();
    stream.synchronize().unwrap();
    assert_eq!(again.item().unwrap(), wanted / 1000.0);
}

fn several_results() {
    let options = Options::new().preamble("struct Both { int low, high; };").reduce_type("Both");
    let range = Reduction::with_options(
        "int32 x",
        "int32 low, int32 high",
        "Both{x, x}",
        "Both{a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high}",
        "low = a.low; high = a.high",
        None,
        &options,
    );
    let x = device().array(&[3, -7, 5, 9, 0, 2], [2, 3]).unwrap();
    let (low, high): (Array<i32>, Array<i32>) = range.unwrap().call(args![&x], 1).unwrap();
    assert_eq!(low.to_vec().unwrap(), [-7, 0]);
    assert_eq!(high.to_vec().unwrap(), [5, 9]);
}

fn prepared() {
    let sum = Reduction::new("T x, T by", "T y", "x * by", "a + b", "y = a", Some("0")).unwrap();
    let x = device().array(&[1i64, 2, 3, 4], [2, 2]).unwrap();
    let mut y = device().zeros::<i64>([1, 2]).unwrap();
    let call = sum.prepare(args![&x, 1], Axes::keepdims(0), &mut y).unwrap();
    call.launch().unwrap();
    assert_eq!(y.to_vec().unwrap(), [4, 6]);
    call.set_scalar(1, 10).unwrap();
    call.launch().unwrap();
    assert_eq!(y.to_vec().unwrap(), [40, 60]);
}

fn arrays_of_any_type() {
    let x = device().array(&[1.5f32, 2.5], 2).unwrap().into_any();
    assert_eq!(x.mean(ALL).downcast::<f32>().item().unwrap(), 2.0);
    assert_eq!(x.any(ALL).dtype().unwrap(), gpuarr::DType::BOOL);
}
