//! Steps of the optimiser Adam: parameters and both moments in place, by one kernel a step, which
//! reads four arrays and writes three.
use gpuarr::{evaluate_into, explain, Array, Device, Result};

const COUNT: usize = 10000;
const STEPS: i32 = 200;
const RATE: f32 = 0.05;
const KEEP: f32 = 0.9;
const KEEP_SQUARES: f32 = 0.999;
const EPSILON: f32 = 1e-8;

/// The same by a plain loop.
fn by_loops(target: f64) -> f64 {
    let (keep, keep_squares) = (f64::from(KEEP), f64::from(KEEP_SQUARES));
    let (mut p, mut m, mut v) = (0.0, 0.0, 0.0);
    for step in 1..=STEPS {
        let gradient: f64 = p - target;
        m = keep * m + (1.0 - keep) * gradient;
        v = keep_squares * v + (1.0 - keep_squares) * gradient * gradient;
        let root = (v / (1.0 - keep_squares.powi(step))).sqrt() + f64::from(EPSILON);
        p -= f64::from(RATE) / (1.0 - keep.powi(step)) * m / root;
    }
    p
}

fn main() -> Result<()> {
    let wanted: Vec<f32> = (0..COUNT).map(|k| (k as f64).sin() as f32).collect();
    let target = Array::from_slice(&wanted, COUNT)?;
    let mut p = Array::<f32>::zeros(COUNT)?;
    let (mut m, mut v) = (p.copy()?, p.copy()?);

    // What is to become least is the sum of (p - target)^2 / 2.
    for step in 1..=STEPS {
        let gradient = &p - &target;
        let m1 = KEEP * &m + (1.0 - KEEP) * &gradient;
        let v1 = KEEP_SQUARES * &v + (1.0 - KEEP_SQUARES) * gradient.square();
        let root = (&v1 / (1.0 - KEEP_SQUARES.powi(step))).sqrt() + EPSILON;
        let p1 = &p - RATE / (1.0 - KEEP.powi(step)) * &m1 / root;
        let all = (p1, m1, v1);
        assert!(explain(all.clone())?.contains("\n1 kernels "));
        evaluate_into(all, (&mut p, &mut m, &mut v))?; // all are read before one is written
    }

    for (found, target) in p.to_vec()?.into_iter().zip(wanted) {
        let wanted = by_loops(f64::from(target));
        assert!((f64::from(found) - wanted).abs() <= 1e-3, "{} {}", found, wanted);
        assert!((found - target).abs() <= 0.05, "{} is far from {}", found, target);
    }
    println!(
        "ok: {} steps of Adam with {} parameters, one kernel each, on {}",
        STEPS,
        COUNT,
        Device::default()?
    );
    Ok(())
}
