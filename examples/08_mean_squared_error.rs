//! A reduction: the mean of (x - y)^2 over all elements, in one pass over memory.
use gpuarr::{args, Array, Device, Reduction, Result, ALL};

const COUNT: usize = 1000003;

fn main() -> Result<()> {
    let x: Vec<f32> = (0..COUNT).map(|i| (i as f64).sin() as f32).collect();
    let y: Vec<f32> = (0..COUNT).map(|i| (0.5 * i as f64).cos() as f32).collect();
    let square = |(x, y): (&f32, &f32)| (f64::from(*x) - f64::from(*y)).powi(2);
    let wanted = x.iter().zip(&y).map(square).sum::<f64>() / COUNT as f64;

    // map turns an element of each input into a value, reduce combines two of those, and post makes
    // the output of what is left; n is the number of elements. Partial results have the output's
    // type, here float64, so that a million float32 values lose nothing on the way.
    let (map, reduce, post) = ("(x - y) * (x - y)", "a + b", "mse = a / n");
    let kernel = Reduction::new("T x, T y", "float64 mse", map, reduce, post, None)?;

    let x = Array::from_slice(&x, COUNT)?;
    let y = Array::from_slice(&y, COUNT)?;

    // Reduced along all axes, the result is an array without axes: one number.
    let mse: Array<f64> = kernel.call(args![&x, &y], ALL)?;
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
