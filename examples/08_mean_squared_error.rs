//! A reduction: the mean of (x - y)^2 over all elements, in one pass over memory.
use gpuarr::{Array, Device, Expr, Result, ALL};

const COUNT: usize = 1000003;

fn main() -> Result<()> {
    let x: Vec<f32> = (0..COUNT).map(|i| (i as f64).sin() as f32).collect();
    let y: Vec<f32> = (0..COUNT).map(|i| (0.5 * i as f64).cos() as f32).collect();
    let square = |(x, y): (&f32, &f32)| (f64::from(*x) - f64::from(*y)).powi(2);
    let wanted = x.iter().zip(&y).map(square).sum::<f64>() / COUNT as f64;

    let x = Array::from_slice(&x, COUNT)?;
    let y = Array::from_slice(&y, COUNT)?;

    // Nothing is computed until the number is asked for, and then in one pass: explain tells. In
    // f64 a million numbers lose nothing on the way. Along all axes, the mean is one number.
    let mse = (Expr::from(&x).astype::<f64>() - &y).square().mean(ALL);
    assert!(mse.explain()?.contains("\n1 kernels "));
    let mse = mse.item()?;
    assert!((mse - wanted).abs() <= 1e-6 * wanted, "{} is not {}", mse, wanted);

    println!(
        "ok: the mean squared error of {} numbers is {:.6} on {}",
        COUNT,
        mse,
        Device::default()?
    );
    Ok(())
}
