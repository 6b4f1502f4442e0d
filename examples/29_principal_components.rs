//! Principal components of a picture: each of its rows is a point, and a few singular vectors say
//! nearly all of them. 29_principal_components [FILE.pgm]
use gpuarr::{Array, Device, Result, Svd, ALL};

const HEIGHT: usize = 80;
const WIDTH: usize = 120;
const KEPT: usize = 12;

/// An 8-bit PGM file: <https://netpbm.sourceforge.net/doc/pgm.html>
const PICTURE: &[u8] = include_bytes!("mandelbrot.pgm");

fn pixels() -> Vec<f32> {
    let (head, pixels) = PICTURE.split_at(PICTURE.len() - WIDTH * HEIGHT);
    assert_eq!(head, format!("P5\n{} {}\n255\n", WIDTH, HEIGHT).as_bytes());
    pixels.iter().map(|pixel| f32::from(*pixel)).collect()
}

/// Half of the numbers or fewer, as a picture again.
fn write_picture(path: &str, picture: &Array<f32>) -> Result<()> {
    let mut file = format!("P5\n{} {}\n255\n", WIDTH, HEIGHT).into_bytes();
    file.extend((picture + 0.5).clip(0.0, 255.0).astype::<u8>().to_vec()?);
    std::fs::write(path, file).unwrap_or_else(|error| panic!("{}: {}", path, error));
    Ok(())
}

fn main() -> Result<()> {
    let device = Device::default()?;
    let picture = device.array(&pixels(), [HEIGHT, WIDTH])?;

    // The mean row is taken away; what is left is u diag(s) vh, with the greatest values first.
    let mean = picture.mean(0).eval()?;
    let Svd { u, s, vh } = (&picture - &mean).eval()?.svd()?;

    // The first components alone: columns of u, each times its value, by rows of vh.
    let first = (u.slice(1, ..KEPT)?, s.slice(0, ..KEPT)?, vh.slice(0, ..KEPT)?);
    let back = ((first.0 * first.1).eval()?.matmul(&first.2)? + mean).eval()?;

    // The squares of the values that were left out are the squares of all errors.
    let squares = s.astype::<f64>()?.square();
    let (all, left_out) = (squares.sum(ALL).item()?, squares.slice(0, KEPT..).sum(ALL).item()?);
    let errors = (&back - &picture).astype::<f64>().square().sum(ALL).item()?;
    assert!((errors - left_out).abs() <= 1e-4 * left_out, "{} and {}", errors, left_out);
    assert!(left_out / all <= 0.05, "{} of {}", left_out, all);

    if let Some(path) = std::env::args().nth(1) {
        write_picture(&path, &back)?;
    }
    println!(
        "{} of {} components: {:.2} % of the variance, {:.1} grey levels off, {} of {} numbers",
        KEPT,
        HEIGHT,
        100.0 * (1.0 - left_out / all),
        (errors / (HEIGHT * WIDTH) as f64).sqrt(),
        KEPT * (HEIGHT + WIDTH + 1) + WIDTH,
        HEIGHT * WIDTH
    );
    println!("ok: principal components of a picture, on {}", device);
    Ok(())
}
