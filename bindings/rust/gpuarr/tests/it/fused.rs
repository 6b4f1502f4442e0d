//! Functions of expressions.
use gpuarr::{args, Array, Fused, Status, ALL};

use crate::support::{device, refused};

crate::tests! { calls several_results arrays_inside prepared refusals }

fn calls() {
    let distance = Fused::new(|[x, y]| (x - y).square().sum(-1).sqrt()).unwrap();
    assert_eq!((distance.inputs(), distance.outputs()), (2, 1));
    for rows in 1..4i64 {
        let x = device().arange::<f64>(0, 2 * rows, 1).unwrap().reshape([rows, 2]).unwrap();
        let z: Array<f64> = distance.call(args![&x, 1.0]).unwrap();
        let wanted = (0..rows).map(|k| {
            let (a, b) = ((2 * k - 1) as f64, (2 * k) as f64);
            (a * a + b * b).sqrt()
        });
        assert_eq!(z.to_vec().unwrap(), wanted.collect::<Vec<f64>>());
    }
    let x = device().array(&[3i8, 4], 2).unwrap();
    let float: Array<f64> = distance.call(args![&x, 0]).unwrap(); // of sums in 64 bits
    assert_eq!(float.item().unwrap(), 5.0);
    assert!(distance.explain(args![&x, 0]).unwrap().contains("\n1 kernels"));
}

fn several_results() {
    let mut x = device().array(&[1.0f32, 2.0, 3.0, 6.0], 4).unwrap();
    let both = Fused::new(|[x]| (x.mean(ALL), &x + 1.0f32)).unwrap();
    let (mean, more): (Array<f32>, Array<f32>) = both.clone().call(args![&x]).unwrap();
    assert_eq!((mean.item().unwrap(), more.to_vec().unwrap()), (3.0, vec![2.0, 3.0, 4.0, 7.0]));
    let mut mean = device().zeros::<f64>(()).unwrap();
    both.call_into(args![&x.clone()], (&mut mean, &mut x)).unwrap(); // in place
    assert_eq!((mean.item().unwrap(), x.to_vec().unwrap()), (3.0, vec![2.0, 3.0, 4.0, 7.0]));
}

fn arrays_inside() {
    let mut weights = device().array(&[1, 10], 2).unwrap();
    let weighted = Fused::new(|[x]| x * &weights).unwrap();
    let x = device().array(&[5, 7], 2).unwrap();
    weights.fill(2).unwrap();
    drop(weights);
    let z: Array<i32> = weighted.call(args![&x]).unwrap();
    assert_eq!(z.to_vec().unwrap(), [10, 14]);
    let typed = Fused::new(|[x]| x.astype::<f32>() + 0.5).unwrap();
    let z: Array<f32> = typed.call(args![&x]).unwrap();
    assert_eq!(z.to_vec().unwrap(), [5.5, 7.5]);
}

fn prepared() {
    let axpy = Fused::new(|[a, x, y]| a * x + y).unwrap();
    let x = device().array(&[1.0f64, 2.0], 2).unwrap();
    let mut y = device().array(&[0.5f64, 0.5], 2).unwrap();
    let call = axpy.prepare(args![2.0, &x, &y.clone()], &mut y).unwrap();
    call.launch().unwrap();
    call.set_scalar(0, 10.0).unwrap();
    call.launch().unwrap();
    assert_eq!(y.to_vec().unwrap(), [12.5, 24.5]);
}

fn refusals() {
    let add = Fused::new(|[x, y]| x + y).unwrap();
    let x = device().array(&[1.0f32, 2.0], 2).unwrap();
    let one = add.call::<Array<f32>>(args![&x]);
    refused(one, Status::ARGUMENT, &["input_count is 1", "2 inputs"]);
    let two = add.call::<(Array<f32>, Array<f32>)>(args![&x, &x]);
    refused(two, Status::ARGUMENT, &["output_count is 2", "1 output"]);
    refused(add.call::<Array<f64>>(args![&x, &x]), Status::DTYPE, &["float32", "float64"]);
    let longer = device().zeros::<f32>(3).unwrap();
    refused(add.call::<Array<f32>>(args![&x, &longer]), Status::BROADCAST, &["(2,)", "(3,)"]);
    let broken = Fused::new(|[_]| device().zeros::<f32>(2).unwrap() + &longer);
    refused(broken, Status::BROADCAST, &["fused.rs"]);
    let many = Fused::new(|inputs: [gpuarr::Expr<gpuarr::Any>; 1025]| &inputs[1024] + 1.0);
    refused(many, Status::ARGUMENT, &["number is 1024"]);
}
