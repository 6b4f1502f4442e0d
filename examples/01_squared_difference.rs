//! A kernel of your own: z = (x - y)^2, with broadcasting, and for any type.
use gpuarr::{args, Array, Device, Element, Elementwise, Result};

const ROWS: usize = 2;
const COLUMNS: usize = 5;

/// float32 only: the types are written out.
fn with_fixed_types() -> Result<()> {
    let x: Vec<f32> = (0..ROWS * COLUMNS).map(|i| i as f32).collect();
    let y: Vec<f32> = (0..COLUMNS).map(|j| j as f32).collect();

    let body = "z = (x - y) * (x - y);";
    let kernel = Elementwise::new("float32 x, float32 y", "float32 z", body)?;

    // y has one axis and is used for every row of x. The output is made by the call.
    let x_array = Array::from_slice(&x, [ROWS, COLUMNS])?;
    let y_array = Array::from_slice(&y, COLUMNS)?;
    let z: Array<f32> = kernel.call(args![&x_array, &y_array])?;

    for (i, z) in z.to_vec()?.into_iter().enumerate() {
        let difference = x[i] - y[i % COLUMNS];
        assert_eq!(z, difference * difference, "z, element {}", i);
    }
    Ok(())
}

/// T is a placeholder: one kernel object, compiled once for each type that it meets.
fn with_any_type<T: Element>(kernel: &Elementwise) -> Result<()> {
    let x: Array<T> = Device::default()?.arange(0, COLUMNS as i64, 1)?;
    let z: Array<T> = kernel.call(args![&x, 3])?; // a scalar broadcasts too
    for (i, z) in z.astype::<f64>()?.to_vec()?.into_iter().enumerate() {
        assert_eq!(z, (i as f64 - 3.0).powi(2), "z, element {}", i);
    }
    Ok(())
}

fn main() -> Result<()> {
    with_fixed_types()?;
    let kernel = Elementwise::new("T x, T y", "T z", "z = (x - y) * (x - y);")?;
    with_any_type::<i32>(&kernel)?;
    with_any_type::<f64>(&kernel)?;
    println!(
        "ok: (x - y)^2 of shapes (2, 5) and (5), and of int32 and float64, on {}",
        Device::default()?
    );
    Ok(())
}
