//! A fit by least squares: a straight line and an oscillation through noisy measurements, with an
//! error bar for each of its numbers.
use gpuarr::{Device, Lstsq, Result};

const POINTS: usize = 400;
const TRUTH: [f64; 4] = [1.5, -0.8, 2.0, 0.6];
const NAMES: [&str; 4] = ["offset", "slope ", "sine  ", "cosine"];
const DEVIATION: f64 = 0.3;

/// Numbers of no apparent order with mean 0 and deviation 1: sums of twelve uniform ones.
fn noise(state: &mut u32) -> f64 {
    let mut uniform = || {
        *state = state.wrapping_mul(1664525).wrapping_add(1013904223);
        f64::from(*state) / 4294967296.0
    };
    (0..12).fold(-6.0, |sum, _| sum + uniform())
}

fn main() -> Result<()> {
    let times = (0..POINTS).map(|i| 10.0 * i as f64 / POINTS as f64);
    let rows: Vec<[f64; 4]> = times.map(|t| [1.0, t, (3.0 * t).sin(), (3.0 * t).cos()]).collect();
    let mut state = 1;
    let measured: Vec<f64> = rows
        .iter()
        .map(|row| {
            let start = DEVIATION * noise(&mut state);
            row.iter().zip(TRUTH).fold(start, |sum, (x, truth)| sum + truth * x)
        })
        .collect();

    let device = Device::default()?;
    let a = device.array(&rows.concat(), [POINTS, TRUTH.len()])?;
    let b = device.array(&measured, POINTS)?;
    let Lstsq { x, residuals, rank, .. } = a.lstsq(&b, None)?;

    // The inverse of a^T a, times the variance of the residuals, has the variances of the fit on
    // its diagonal. With a = q r it is r^-1 (r^-1)^T.
    let lengths = a.qr_r()?.inv()?.norm(2.0, 1);
    let spread = (residuals.item()? / (POINTS - TRUTH.len()) as f64).sqrt();
    let bars = (spread * lengths).to_vec()?;
    for (k, found) in x.to_vec()?.into_iter().enumerate() {
        println!("{}: {:8.4} +- {:.4}, true {}", NAMES[k], found, bars[k], TRUTH[k]);
        assert!((found - TRUTH[k]).abs() <= 4.0 * bars[k], "{}", NAMES[k]);
    }
    assert!((spread - DEVIATION).abs() <= 0.05, "the deviation of the noise is {}", spread);
    assert_eq!(rank.item()?, TRUTH.len() as i64);

    // What is left is orthogonal to the columns of the model.
    let rest = (&b - a.matmul(&x)?).eval()?;
    assert!(a.transpose()?.matmul(&rest)?.abs().max(0).item()? <= 1e-9);
    println!("ok: a fit to {} points, on {}", POINTS, device);
    Ok(())
}
