//! Reductions along one axis: the Euclidean norm of every row and of every column of a matrix.
use gpuarr::{Array, Device, Result};

const ROWS: usize = 1000;
const COLUMNS: usize = 257;

/// The same by plain loops: of the columns for axis 0, of the rows for axis 1.
fn check_norms(norms: &Array<f32>, matrix: &[f32], axis: usize) -> Result<()> {
    let mut wanted = vec![0.0; if axis == 0 { COLUMNS } else { ROWS }];
    for (k, x) in matrix.iter().enumerate() {
        wanted[if axis == 0 { k % COLUMNS } else { k / COLUMNS }] += f64::from(x * x);
    }
    let norms = norms.to_vec()?;
    assert_eq!(norms.len(), wanted.len());
    for (k, (norm, wanted)) in norms.into_iter().zip(wanted).enumerate() {
        let wanted = wanted.sqrt();
        assert!((f64::from(norm) - wanted).abs() <= 1e-5 * wanted, "{}: {} {}", k, norm, wanted);
    }
    Ok(())
}

fn main() -> Result<()> {
    let value = |k| ((7 * (k / COLUMNS) + 3 * (k % COLUMNS)) % 23) as f32 - 11.0;
    let matrix: Vec<f32> = (0..ROWS * COLUMNS).map(value).collect();

    let x = Array::from_slice(&matrix, [ROWS, COLUMNS])?;

    let norm = |x: &Array<f32>, axis| x.square().sum(axis).sqrt(); // which is x.norm(2.0, axis)
    let (of_columns, of_rows) = (norm(&x, 0), norm(&x, -1));
    for norms in [&of_columns, &of_rows] {
        assert!(norms.explain()?.contains("\n1 kernels "));
    }
    check_norms(&of_columns.eval()?, &matrix, 0)?;
    check_norms(&of_rows.eval()?, &matrix, 1)?;

    // A view is as good as an array, and as fast: the transpose's first axis is the matrix' last.
    check_norms(&norm(&x.transpose()?, 0).eval()?, &matrix, 1)?;

    println!("ok: norms of {} rows and {} columns on {}", ROWS, COLUMNS, Device::default()?);
    Ok(())
}
