//! Layer norm with weight and bias, as it is written down, and as one kernel: each row is read
//! once, and written once.
use gpuarr::{Array, Axes, Device, Expr, Result};

const ROWS: usize = 500;
const COLUMNS: usize = 768;
const EPSILON: f32 = 1e-5;

fn layer_norm(x: &Array<f32>, weight: &Array<f32>, bias: &Array<f32>) -> Expr<f32> {
    let rows = Axes::keepdims(-1);
    let centered = x - x.mean(rows);
    &centered / (centered.square().mean(rows) + EPSILON).sqrt() * weight + bias
}

fn main() -> Result<()> {
    let number = |k| ((k * k % 1009) as f32 - 504.0) / 100.0;
    let x: Vec<f32> = (0..ROWS * COLUMNS).map(number).collect();
    let weight: Vec<f32> = (0..COLUMNS).map(|j| 1.0 + (j % 5) as f32 / 4.0).collect();
    let bias: Vec<f32> = (0..COLUMNS).map(|j| (j % 3) as f32).collect();

    // Nothing is computed until an array is wanted; explain tells how it would be.
    let normal = layer_norm(
        &Array::from_slice(&x, [ROWS, COLUMNS])?,
        &Array::from_slice(&weight, COLUMNS)?,
        &Array::from_slice(&bias, COLUMNS)?,
    );
    assert!(normal.explain()?.contains("\n1 kernels "));
    let found = normal.to_vec()?;

    for (row, found) in x.chunks(COLUMNS).zip(found.chunks(COLUMNS)) {
        let mean = row.iter().copied().map(f64::from).sum::<f64>() / COLUMNS as f64;
        let square = |x: &f32| (f64::from(*x) - mean).powi(2) / COLUMNS as f64;
        let root = (row.iter().map(square).sum::<f64>() + f64::from(EPSILON)).sqrt();
        for (j, found) in found.iter().enumerate() {
            let normal = (f64::from(row[j]) - mean) / root;
            let wanted = normal * f64::from(weight[j]) + f64::from(bias[j]);
            assert!((f64::from(*found) - wanted).abs() <= 1e-4, "{}: {} {}", j, found, wanted);
        }
    }
    println!(
        "ok: layer norm of {} rows of {} in one kernel on {}",
        ROWS,
        COLUMNS,
        Device::default()?
    );
    Ok(())
}
