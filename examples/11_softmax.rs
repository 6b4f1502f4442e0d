//! Reductions and elementwise functions together: softmax along the last axis, which turns each row
//! of scores into probabilities, exp(x) / sum(exp(x)), as one kernel.
use gpuarr::{Array, Axes, Device, Result};

const ROWS: usize = 100;
const CLASSES: usize = 1000;

fn main() -> Result<()> {
    let score = |k: usize| 1000.0 + 5.0 * ((k / CLASSES) as f64 + 0.1 * (k % CLASSES) as f64).sin();
    let scores: Vec<f32> = (0..ROWS * CLASSES).map(|k| score(k) as f32).collect();
    let x = Array::from_slice(&scores, [ROWS, CLASSES])?;

    // exp(1000) is too large for any float, so each row's largest score is taken off first, which
    // changes no quotient. With keepdims, results have shape [100, 1], which broadcasts with the
    // scores' shape. What is written here is computed by eval: each row is read once, and the steps
    // between are not in memory.
    let rows = Axes::keepdims(-1);
    let e = (&x - x.max(rows)).exp();
    let softmax = &e / e.sum(rows);
    assert!(softmax.explain()?.contains("\n1 kernels "));

    for (row, found) in scores.chunks(CLASSES).zip(softmax.to_vec()?.chunks(CLASSES)) {
        let exponentials = |x: &f32| (f64::from(*x) - 1000.0).exp();
        let sum: f64 = row.iter().map(exponentials).sum();
        for (score, found) in row.iter().zip(found) {
            let wanted = exponentials(score) / sum;
            assert!((f64::from(*found) - wanted).abs() <= 1e-5 * wanted, "{} {}", found, wanted);
        }
        let all: f64 = found.iter().copied().map(f64::from).sum();
        assert!((all - 1.0).abs() <= 1e-5, "{}", all);
    }

    println!("ok: softmax of {} rows of {} scores on {}", ROWS, CLASSES, Device::default()?);
    Ok(())
}
