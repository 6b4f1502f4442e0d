//! Expressions: what they are worth, how many kernels they become, where they go, what they refuse.
use std::thread;

use gpuarr::{
    evaluate, evaluate_into, explain, Any, Array, Axes, DType, Device, Element, Expr, Exprs, Slice,
    Status, Tolerance, ALL,
};

use crate::support::{device, device_name, refused};

crate::tests! {
    formulas choices reductions of_rows products places casts views own_what_they_refer_to deep
    together given_arrays into_operands without_elements known_at_run_time refused_ones
    refused_views refused_together first_errors_stay other_devices threads raw_ones
}

fn array<T: Element>(data: &[T]) -> Array<T> {
    device().array(data, data.len()).unwrap()
}

/// How many kernels they become.
#[track_caller]
fn kernels(exprs: impl Exprs) -> usize {
    let text = explain(exprs).unwrap();
    let last = text.lines().last().unwrap();
    last.split(' ').next().unwrap().parse().unwrap()
}

fn formulas() {
    let (a, b) = ([7.0f64, -3.0, 0.5, 12.0], [2.0f64, 3.0, 4.0, 1.0]);
    let (x, y) = (array(&a), array(&b));
    let wanted =
        |f: fn(f64, f64) -> f64| a.iter().zip(&b).map(|(x, y)| f(*x, *y)).collect::<Vec<_>>();
    let e = (&x - &y) * (&x - &y) / (1.0 + &y);
    assert_eq!(kernels(&e), 1);
    assert_eq!(e.to_vec().unwrap(), wanted(|x, y| (x - y) * (x - y) / (1.0 + y)));
    let e = (x.abs().sqrt() + y.ln().exp()).hypot(-&x).maximum(2.0 * &y);
    assert_eq!(kernels(&e), 1);
    let host = wanted(|x, y| (x.abs().sqrt() + y.ln().exp()).hypot(-x).max(2.0 * y));
    let close = e.isclose(array(&host), Tolerance { relative: 1e-14, ..Tolerance::default() });
    assert!(close.all(ALL).item().unwrap());
    let (quotient, rest) = (&x * 2.0).divmod(&y);
    assert_eq!(kernels((&quotient, &rest)), 1);
    assert_eq!((quotient * &y + rest).to_vec().unwrap(), wanted(|x, _| 2.0 * x));
    let (x, y) = (array(&[1.0f32, 2.0, 3.0]), device().array(&[10i16, 20], [2, 1]).unwrap());
    assert_eq!((&x + &y).to_vec().unwrap(), [11.0, 12.0, 13.0, 21.0, 22.0, 23.0]);
    assert_eq!((&x + &y).shape().unwrap(), [2, 3]);
}

fn choices() {
    let x = array(&[0.25f32, 4.0, f32::NAN]);
    let chosen = (&x + 1.0).greater(2.0).where_(&x * 2.0, 0.0);
    assert_eq!(kernels(&chosen), 1);
    assert_eq!(chosen.to_vec().unwrap(), [0.0, 8.0, 0.0]);
    let chosen: Expr<f64> = x.is_nan().where_(array(&[1i64, 2, 3]), &x); // of two types
    assert_eq!(chosen.to_vec().unwrap(), [0.25, 4.0, 3.0]);
    assert_eq!((&x * 2.0).clip(1.0, 2.0).to_vec().unwrap()[..2], [1.0, 2.0]);
    let (mantissa, exponent) = x.frexp();
    assert_eq!(mantissa.ldexp(exponent).to_vec().unwrap()[..2], [0.25, 4.0]);
    assert_eq!(((&x + 0.01f32) * 1.0).round(1).to_vec().unwrap()[..2], [0.3, 4.0]);
}

fn reductions() {
    let x = device().array(&[1.0f32, 2.0, 3.0, 4.0, 5.0, 9.0], [2, 3]).unwrap();
    let squares = (&x - 1.0).square().sum(ALL);
    assert_eq!((kernels(&squares), squares.item().unwrap()), (1, 94.0));
    assert_eq!((-&x).max(0).to_vec().unwrap(), [-1.0, -2.0, -3.0]);
    assert_eq!((&x * &x).argmax(-1).to_vec().unwrap(), [2, 2]);
    assert_eq!((&x + 1.0).var(1.0, 1).to_vec().unwrap(), [1.0, 7.0]);
    assert_eq!((&x + 1.0).std(0.0, 0).to_vec().unwrap(), [1.5, 1.5, 3.0]);
    assert_eq!((-&x).norm(f64::INFINITY, 1).to_vec().unwrap(), [3.0, 9.0]);
    assert_eq!((-&x).norm(1.0, [0, 1]).item().unwrap(), 24.0);
    assert!(x.greater(8.0).any(ALL).item().unwrap() && !x.greater(8.0).all(ALL).item().unwrap());
}

fn products() {
    let (x, b) = (device().array(&[1, 2, 3, 4], [2, 2]).unwrap(), array(&[-12, 0]));
    let relu = (Expr::from(&x).matmul(&x) + &b).maximum(0);
    assert_eq!((kernels(&relu), relu.to_vec().unwrap()), (2, vec![0, 10, 3, 22]));
    let wide: Expr<i64> = (&x + 1).matmul(array(&[1i64, 2]) * 2);
    assert_eq!(wide.to_vec().unwrap(), [16, 28]);
    let wrong = (&x + 1).matmul(array(&[1, 2, 3]));
    refused(wrong.eval(), Status::SHAPE, &["in matmul(add(...): int32 (2, 2), int32 (3,)), at "]);
    let first = (&x + array(&[1, 2, 3])).matmul(&x);
    refused(first.eval(), Status::BROADCAST, &["in add(int32 (2, 2), int32 (3,)), at "]);
    let second = (&x + 1).matmul(&x + array(&[1, 2, 3])) + 1;
    refused(second.eval(), Status::BROADCAST, &["in add(int32 (2, 2), int32 (3,)), at "]);
}

fn places() {
    let x = device().array(&[5.0f64, 6.0, 7.0], 3).unwrap();
    let at = Expr::from(&x).indices(0);
    assert_eq!((kernels(&at), at.to_vec().unwrap()), (1, vec![0i64, 1, 2]));
    let weighed = (&x * at.astype::<f64>()).sum(ALL);
    assert_eq!((kernels(&weighed), weighed.item().unwrap()), (1, 20.0));
    let wide = (&x + 1.0).broadcast([2, 3]).indices(-2);
    assert_eq!(wide.to_vec().unwrap(), [0, 0, 0, 1, 1, 1]);
    refused((&x + 1.0).indices(1).eval(), Status::AXIS, &["in indices(", "), at "]);
}

/// What reduces rows and goes on with them is one kernel where rows are not short.
fn of_rows() {
    let data: Vec<f32> = (0..120).map(|k| (k * k % 37) as f32 / 8.0).collect();
    let x = device().array(&data, [3, 40]).unwrap();
    let rows = Axes::keepdims(-1);
    let e = (&x - x.max(rows)).exp();
    let softmax = &e / e.sum(rows);
    assert_eq!((kernels(&softmax), softmax.shape().unwrap()), (1, &[3i64, 40][..]));
    let normal = (&x - x.mean(rows)) / x.std(0.0, rows);
    assert_eq!(kernels(&normal), 1);
    let (shares, normal) = (softmax.to_vec().unwrap(), normal.to_vec().unwrap());
    for (row, data) in data.chunks(40).enumerate() {
        let mean = data.iter().sum::<f32>() / 40.0;
        let deviation = (data.iter().map(|x| (x - mean).powi(2)).sum::<f32>() / 40.0).sqrt();
        let exponentials: f32 = data.iter().map(|x| x.exp()).sum();
        for (x, at) in data.iter().zip(40 * row..) {
            assert!((shares[at] - x.exp() / exponentials).abs() < 1e-6);
            assert!((normal[at] - (x - mean) / deviation).abs() < 1e-5);
        }
    }
}

fn casts() {
    let x = array(&[1.75f32, -2.5]);
    let whole: Expr<i64> = (&x * 2.0).astype();
    assert_eq!(kernels((&whole + 1,)), 1);
    assert_eq!((&whole + 1).to_vec().unwrap(), [4, -4]);
    let any: Expr<Any> = (&x * 2.0).astype_of(DType::F64);
    assert_eq!(any.downcast::<f64>().to_vec().unwrap(), [3.5, -5.0]);
    assert_eq!(x.greater(0.0).astype::<u8>().sum(ALL).item().unwrap(), 1u64);
}

fn views() {
    let x = device().array(&[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], [2, 3]).unwrap();
    let all = |e: Expr<f32>| e.to_vec().unwrap();
    let twice = &x * 2.0;
    assert_eq!(all(twice.slice(1, Slice::step(.., 2))), [2.0, 6.0, 8.0, 12.0]);
    assert_eq!(all(twice.select(0, -1)), [8.0, 10.0, 12.0]);
    assert_eq!(all(twice.transpose()), [2.0, 8.0, 4.0, 10.0, 6.0, 12.0]);
    assert_eq!(all(twice.permute([0, 1])), all(twice.clone()));
    assert_eq!(twice.reshape(-1).shape().unwrap(), [6]);
    assert_eq!(all(x.sum(0).broadcast([2, 3])), [5.0, 7.0, 9.0, 5.0, 7.0, 9.0]);
    assert_eq!(twice.expand(1).shape().unwrap(), [2, 1, 3]);
    assert_eq!(all(twice.flip(ALL)), [12.0, 10.0, 8.0, 6.0, 4.0, 2.0]);
    assert_eq!(all(twice.flip(1)), [6.0, 4.0, 2.0, 12.0, 10.0, 8.0]);
    let e = Expr::from(&x);
    let steps = e.slice(1, 1..) - e.slice(1, ..2);
    assert_eq!((kernels(&steps), all(steps)), (1, vec![1.0; 4]));
}

fn own_what_they_refer_to() {
    let made_elsewhere = || {
        let (x, y) = (array(&[1.0f32, 2.0]), array(&[10.0f32, 20.0]));
        2.0 * (&x + &y)
    };
    assert_eq!(made_elsewhere().to_vec().unwrap(), [22.0, 44.0]);
    let mut x = array(&[1, 2]);
    let e = &x + 1;
    let again = e.clone();
    drop(e);
    x.fill(5).unwrap(); // an array counts as it is when it is evaluated
    assert_eq!(again.to_vec().unwrap(), [6, 6]);
    let before = gpuarr::live_objects();
    assert!((&again - array(&[1, 2, 3])).eval().is_err());
    assert_eq!(gpuarr::live_objects(), before);
    drop(x);
    assert_eq!(again.to_vec().unwrap(), [6, 6]);
}

fn deep() {
    let x = array(&[1i64, 2]);
    let mut e = Expr::from(&x);
    for k in 0..10000 {
        e += k;
    }
    assert!(kernels(&e) > 1);
    assert_eq!(e.to_vec().unwrap(), [49995001, 49995002]);
    let mut wrong = &x + array(&[1i64, 2, 3]);
    for k in 0..10000 {
        wrong = (wrong * k).abs();
    }
    refused(wrong.eval(), Status::BROADCAST, &["in add("]);
}

fn together() {
    let x = array(&[1.0f32, 2.0, 3.0, 6.0]);
    assert_eq!(kernels((x.sum(ALL), (&x * &x).sum(ALL), x.min(ALL), x.max(ALL))), 1);
    let four = (x.mean(ALL), x.var(0.0, ALL), x.min(ALL), x.argmax(ALL));
    let (mean, var, least, place) = evaluate(four).unwrap();
    assert_eq!((mean.item().unwrap(), var.item().unwrap()), (3.0, 3.5));
    assert_eq!((least.item().unwrap(), place.item().unwrap()), (1.0, 3));
    let (same, plus) = evaluate((&x, &x + 1.0)).unwrap(); // a copy
    assert_ne!(same.data_ptr(), x.data_ptr());
    assert_eq!(plus.to_vec().unwrap(), [2.0, 3.0, 4.0, 7.0]);
    let list: Vec<Expr<f32>> = (0..20).map(|k| &x * k as f32).collect();
    let arrays = evaluate(&list[..]).unwrap();
    assert_eq!((kernels(&list[..]), arrays.len()), (2, 20)); // for their arrays and numbers
    assert_eq!(arrays[19].to_vec().unwrap(), [19.0, 38.0, 57.0, 114.0]);
    let multiples: Vec<Expr<f32>> = (0..40).map(|k| x.sum(ALL) * k as f32).collect();
    assert_eq!(evaluate(&multiples[..]).unwrap()[39].item().unwrap(), 39.0 * 12.0);
    assert_eq!(evaluate(&list[1]).unwrap().to_vec().unwrap(), x.to_vec().unwrap());
}

fn given_arrays() {
    let (mut x, mut y) = (array(&[1.0f32, 2.0]), array(&[5.0f32, 6.0]));
    let mut z = device().zeros::<f64>(2).unwrap();
    let address = x.data_ptr();
    let all = (Expr::from(&y), Expr::from(&x), &x * &y);
    evaluate_into(all, (&mut x, &mut y, &mut z)).unwrap(); // all are read before one is written
    assert_eq!((x.to_vec().unwrap(), y.to_vec().unwrap()), (vec![5.0, 6.0], vec![1.0, 2.0]));
    assert_eq!(z.to_vec().unwrap(), [5.0, 12.0]);
    assert_eq!(x.data_ptr(), address);
    let stream = gpuarr::Stream::new(device()).unwrap();
    device().synchronize().unwrap();
    {
        let _current = stream.enter().unwrap();
        (&x + &y).eval_into(&mut z).unwrap();
    }
    stream.synchronize().unwrap();
    assert_eq!(z.to_vec().unwrap(), [6.0, 8.0]);
}

fn into_operands() {
    let mut y = array(&[1i64, 2, 3, 4]);
    (&y * &y).eval_into(&mut y).unwrap();
    assert_eq!(y.to_vec().unwrap(), [1, 4, 9, 16]);
    let mut end = y.slice(0, 1..).unwrap(); // a view, which overlaps
    (&end + y.slice(0, ..3).unwrap()).eval_into(&mut end).unwrap();
    assert_eq!(y.to_vec().unwrap(), [1, 5, 13, 25]);
    (&y - y.min(ALL)).eval_into(&mut y).unwrap();
    (Expr::from(&y).flip(ALL)).eval_into(&mut y).unwrap();
    assert_eq!(y.to_vec().unwrap(), [24, 12, 4, 0]);
}

fn without_elements() {
    let x = device().zeros::<f32>([0, 3]).unwrap();
    assert_eq!((&x + 1.0).exp().to_vec().unwrap(), []);
    assert_eq!((&x + 1.0).sum(0).to_vec().unwrap(), [0.0; 3]);
    assert!(x.mean(ALL).item().unwrap().is_nan());
    refused((&x + 1.0).max(0).eval(), Status::EMPTY, &["in max(add(...): float32 (0, 3))", "at "]);
    (&x * 2.0).eval_into(&mut x.clone()).unwrap();
    let (a, b) = evaluate((&x - 1.0, x.prod(ALL))).unwrap();
    assert_eq!((a.len(), b.item().unwrap()), (0, 1.0));
}

fn known_at_run_time() {
    let x = array(&[1i32, 2]);
    let any = x.as_any() * 0.5 + &x;
    assert_eq!(any.dtype().unwrap(), DType::F64);
    assert_eq!(format!("{:?}", any), "Expr(float64, [2])");
    refused(any.clone().downcast::<f32>().eval(), Status::DTYPE, &["float32 is wanted", "at "]);
    assert_eq!(any.downcast::<f64>().to_vec().unwrap(), [1.5, 3.0]);
    assert_eq!((&x + 1).into_any().eval().unwrap().dtype(), DType::I32);
}

fn refused_ones() {
    let (x, y) = (array(&[1.0f32, 2.0]), array(&[1.0f32, 2.0, 3.0]));
    let text = "in subtract(float32 (2,), float32 (3,)), at ";
    let line = format!("exprs.rs:{}:", line!() + 1);
    refused((&x - &y).eval(), Status::BROADCAST, &[text, &line]);
    let text = "in add(multiply(...): float32 (2,), float32 (3,)), at ";
    let line = format!("exprs.rs:{}:", line!() + 1);
    refused((&x * &x).add(&y).eval(), Status::BROADCAST, &[text, &line]);
    let line = format!("exprs.rs:{}:", line!() + 1);
    refused((&x + 1.0).mean(1).eval(), Status::AXIS, &["in mean(add(...): float32 (2,))", &line]);
    refused(x.sum([0, 0]).eval(), Status::AXIS, &["sum"]);
    refused(x.norm(3.0, ALL).eval(), Status::ARGUMENT, &["ord is 3", "exprs.rs"]);
    refused(x.var(f64::NAN, ALL).eval(), Status::ARGUMENT, &["ddof"]);
    refused(x.sum([0; 40]).eval(), Status::AXIS, &["a list of 40 axes", "exprs.rs"]);
    refused(x.equal(1.0).negative().eval(), Status::DTYPE, &["bool"]);
    refused((-x.equal(&y)).item(), Status::BROADCAST, &["equal"]);
    refused(x.where_(&x, &y).shape().map(|_| ()), Status::BROADCAST, &["where"]);
    refused(x.complex(&x).floor().dtype(), Status::DTYPE, &["complex64"]);
    let (fraction, whole) = x.complex(&x).modf();
    refused(fraction.eval(), Status::DTYPE, &["modf"]);
    refused(whole.eval(), Status::DTYPE, &["modf"]);
    assert!(format!("{:?}", &x - &y).starts_with("Expr(GPUARR_ERR_BROADCAST"));
}

fn refused_views() {
    let x = array(&[1.0f32, 2.0]) + 1.0;
    refused(x.slice(1, ..).eval(), Status::AXIS, &["axis is 1", "exprs.rs"]);
    refused(x.slice(0, Slice::step(.., 0)).eval(), Status::ARGUMENT, &["step"]);
    refused(x.select(0, 2).eval(), Status::AXIS, &["2"]);
    refused(x.permute([0, 0]).eval(), Status::AXIS, &["count is 2", "exprs.rs"]);
    refused(x.reshape([3]).eval(), Status::SHAPE, &["(3,)"]);
    refused(x.reshape([1; 33]).eval(), Status::SHAPE, &["a shape of 33 axes", "exprs.rs"]);
    refused(x.broadcast(3).eval(), Status::BROADCAST, &["(3,)"]);
    refused(x.expand(3).eval(), Status::AXIS, &["3"]);
    refused(x.flip(1).eval(), Status::AXIS, &["1"]);
}

fn refused_together() {
    let (x, y) = (array(&[1.0f32, 2.0]), array(&[1.0f32, 2.0, 3.0]));
    let mut z = array(&[7i32, 7]);
    refused(evaluate((&x, &x - &y)), Status::BROADCAST, &["subtract"]);
    refused(explain((&x, &x - &y)), Status::BROADCAST, &["subtract"]);
    refused(evaluate(&[][..] as &[Expr<f32>]), Status::ARGUMENT, &["count is 0"]);
    refused(evaluate_into((&x, &x), &mut z), Status::ARGUMENT, &["1 arrays for 2 expressions"]);
    refused((&x * 0.5).eval_into(&mut z), Status::DTYPE, &["outputs[0] is int32"]);
    refused((&y * 0.5).eval_into(&mut x.clone()), Status::SHAPE, &["outputs[0] has shape (2,)"]);
    let same = (&mut z.clone(), &mut z.clone());
    refused(evaluate_into((&z + 1, &z + 2), same), Status::OVERLAP, &["share memory"]);
    refused((&x - &y).eval_into(&mut z), Status::BROADCAST, &["subtract"]);
    assert_eq!(z.to_vec().unwrap(), [7, 7]);
}

/// The first error on the way is that of all that is made of it, and no call is made after it.
fn first_errors_stay() {
    let (x, y) = (array(&[1.0f32, 2.0]), array(&[1.0f32, 2.0, 3.0]));
    let wrong = &x - &y;
    let first = wrong.eval().unwrap_err();
    let second = x.sum(7);
    let kept = [
        &wrong + &second,
        (1.0 - &wrong) * 2.0,
        wrong.sum([0; 40]),
        wrong.norm(5.0, 0),
        wrong.slice(9, ..).reshape([1; 33]).flip([1; 33]),
        wrong.astype::<f64>().astype(),
        x.greater(0.0).where_(&wrong, &second),
        wrong.divmod(&second).1,
        wrong.clone().into_any().downcast(),
    ];
    for expr in kept {
        assert_eq!(expr.eval().unwrap_err(), first);
    }
    assert_eq!((second + wrong).eval().unwrap_err().status, Status::AXIS);
}

fn other_devices() {
    if device_name() == "host" {
        return; // a machine without a GPU has no other
    }
    let other = Device::open("host").unwrap().array(&[1.0f32, 2.0], 2).unwrap();
    refused((array(&[1.0f32, 2.0]) + &other).eval(), Status::DEVICE, &["add"]);
}

fn threads() {
    let e = array(&[1.0f64, 2.0]) * 3.0;
    let wrong = &e + array(&[1.0, 2.0, 3.0]);
    let moved = e.clone();
    let sums = thread::scope(|scope| {
        let threads = [0.0, 1.0, 2.0].map(|k| {
            let (e, wrong) = (&e, &wrong);
            scope.spawn(move || (wrong.eval().is_err(), (e + k).sum(ALL).item().unwrap()))
        });
        threads.map(|thread| thread.join().unwrap())
    });
    assert_eq!(sums, [(true, 9.0), (true, 11.0), (true, 13.0)]);
    thread::spawn(move || drop(moved)).join().unwrap();
}

fn raw_ones() {
    let e = array(&[1.0f32, 2.0]) * 2.0;
    let raw = e.clone().into_raw().unwrap();
    assert_eq!(raw.as_ptr(), e.as_ptr().unwrap());
    let again = unsafe { Expr::<f32>::from_raw(raw) };
    assert_eq!(again.to_vec().unwrap(), [2.0, 4.0]);
    // What is no T is found when it is evaluated.
    let wrong = unsafe { Expr::<i32>::from_raw(e.into_raw().unwrap()) };
    refused(wrong.eval(), Status::DTYPE, &["int32 is wanted"]);
    refused((&wrong + &wrong).to_vec(), Status::DTYPE, &["int32 is wanted"]);
}
