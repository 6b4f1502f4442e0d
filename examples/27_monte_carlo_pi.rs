//! Pi by Monte Carlo, with an error bar: how many points of a square fall into a quarter of a
//! circle. The random numbers are the same on every device, and so is the answer, to the last
//! digit.
use gpuarr::{args, random::Generator, Array, Device, Reduction, Result, ALL};

const ROUNDS: usize = 16;
const POINTS: usize = 1 << 20;

fn main() -> Result<()> {
    let device = Device::default()?;
    let random = Generator::new(device, 20261122)?;
    // 24 bits of each coordinate: as doubles, squares and their sum are exact.
    let (map, reduce, post) = ("(double)x * x + (double)y * y < 1", "a + b", "hits = a");
    let inside =
        Reduction::new("float32 x, float32 y", "int64 hits", map, reduce, post, Some("0"))?;

    // A row of x and a row of y in each round, in the same memory.
    let mut points: Array<f32> = device.empty([2, POINTS])?;
    let (x, y) = (points.select(0, 0)?, points.select(0, 1)?);
    let mut found = Vec::with_capacity(ROUNDS);
    for _ in 0..ROUNDS {
        random.fill_uniform(&mut points, 0, 1)?;
        let hits: Array<i64> = inside.call(args![&x, &y], ALL)?;
        found.push(4.0 * hits.item()? as f64 / POINTS as f64);
    }

    // The rounds are independent: their scatter says how far their mean may be off.
    let mean = found.iter().sum::<f64>() / ROUNDS as f64;
    let squares = found.iter().map(|found| found * found).sum::<f64>() / ROUNDS as f64;
    let error = ((squares - mean * mean) / (ROUNDS - 1) as f64).sqrt();
    println!("pi is {:.6} +- {:.6}, by {} points", mean, error, ROUNDS * POINTS);

    let off = (mean - std::f64::consts::PI).abs();
    assert!(off <= 4.0 * error && error <= 0.001, "{} off, {} expected", off, error);
    println!("ok: pi within {:.1} standard errors on {}", off / error, device);
    Ok(())
}
