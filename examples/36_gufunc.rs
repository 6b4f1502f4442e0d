//! Kernels of rows and small matrices: the principal stresses of many stress tensors, by one thread
//! each, and running means of rows, by whatever the rows' length suits.
use gpuarr::{args, Array, Device, Group, Gufunc, Options, Order, Result};

const POINTS: usize = 20000;
const ROWS: usize = 50;
const COLUMNS: usize = 2000;
const WIDTH: usize = 7;

/// Eigenvalues of a symmetric matrix, by the angle that its characteristic polynomial gives.
const EIGENVALUES: &str = "
    const T q = (a(0, 0) + a(1, 1) + a(2, 2)) / 3;
    const T d0 = a(0, 0) - q, d1 = a(1, 1) - q, d2 = a(2, 2) - q;
    const T s = a(0, 1), t = a(0, 2), u = a(1, 2);
    const T p = sqrt((d0 * d0 + d1 * d1 + d2 * d2 + 2 * (s * s + t * t + u * u)) / 6);
    const T det = d0 * (d1 * d2 - u * u) - s * (s * d2 - u * t) + t * (s * u - d1 * t);
    const T r = p > 0 ? det / (2 * p * p * p) : 0;
    const T angle = acos(r > 1 ? T(1) : r < -1 ? T(-1) : r) / 3;
    w(2) = q + 2 * p * cos(angle);
    w(0) = q + 2 * p * cos(angle + T(2.0943951023931954923)); // 2/3 pi
    w(1) = 3 * q - w(0) - w(2);";

/// Each thread of the group has some of a row's elements.
const RUNNING_MEAN: &str = "
    for (int j = group.rank(); j < n; j += group.size()) {
      const int first = j < width ? 0 : j - width + 1;
      T sum = 0;
      for (int k = first; k <= j; ++k) sum += x(k);
      y(j) = sum / (j - first + 1);
    }";

fn characteristic(a: &[f64], w: f64) -> f64 {
    let (x, y, z) = (a[0] - w, a[4] - w, a[8] - w);
    x * (y * z - a[5] * a[7]) - a[1] * (a[3] * z - a[5] * a[6]) + a[2] * (a[3] * a[7] - y * a[6])
}

fn main() -> Result<()> {
    let mut stress = vec![0.0f64; POINTS * 9];
    for (at, element) in stress.iter_mut().enumerate() {
        let (k, i, j) = (at / 9, at % 9 / 3, at % 3);
        let (low, high) = (i.min(j), i.max(j));
        *element = ((k + 3 * high + low) as f64).sin() + if i == j { 2.0 } else { 0.0 };
    }
    let series: Vec<f32> = (0..ROWS * COLUMNS).map(|k| (k * 7 % 31) as f32).collect();
    let a = Array::from_slice(&stress, [POINTS, 3, 3])?;
    let x = Array::from_slice(&series, [ROWS, COLUMNS])?;

    let (group, order) = (Group::Thread, Order::C);
    let options = Options::new().name("eigenvalues");
    let cores = "(3,3)->(3)";
    let eigen = Gufunc::with_options(cores, "T a", "T w", EIGENVALUES, group, order, &options)?;
    let mean = Gufunc::new("(n),()->(n)", "T x, int32 width", "T y", RUNNING_MEAN)?;
    let w: Array<f64> = eigen.call(args![&a])?;
    let y: Array<f32> = mean.call(args![&x, WIDTH as i32])?;

    let (principal, means) = (w.to_vec()?, y.to_vec()?);
    for (k, w) in principal.iter().enumerate() {
        let left = characteristic(&stress[k / 3 * 9..], *w);
        assert!(left.abs() <= 1e-10, "{}: {}", k, left);
    }
    for (k, mean) in means.iter().enumerate() {
        let count = WIDTH.min(k % COLUMNS + 1);
        let sum: f32 = series[k + 1 - count..=k].iter().sum();
        assert!((mean - sum / count as f32).abs() <= 1e-4, "{}: {} {}", k, mean, sum);
    }
    println!("the first: {:.4} {:.4} {:.4}", principal[0], principal[1], principal[2]);
    let made = "principal stresses of 20000 tensors and running means of 50 series";
    println!("ok: {} on {}", made, Device::default()?);
    Ok(())
}
