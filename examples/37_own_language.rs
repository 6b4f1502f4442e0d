//! Kernels written in Rust: six of them, each against the same on the host.
use gpuarr::{atomic, block, sync_threads, thread, Array, Result};

/// The sum of a number's prime factors: 12 is 2 * 2 * 3, so 7.
#[gpuarr::kernel]
fn factor_sums(first: u32, sums: &mut [u32]) {
    let i = thread::index();
    if i < sums.len() {
        let mut rest = first + i as u32;
        let (mut sum, mut factor) = (0, 2);
        while factor * factor <= rest {
            if rest % factor == 0 {
                rest /= factor;
                sum += factor;
            } else {
                factor += 1;
            }
        }
        sums[i] = if rest > 1 { sum + rest } else { sum };
    }
}

/// After how many steps each point of the plane leaves the circle of radius 2.
#[gpuarr::kernel]
fn mandelbrot(width: usize, scale: f32, limit: u32, steps: &mut [u32]) {
    let i = thread::index();
    if i >= steps.len() {
        return;
    }
    let (x, y) = ((i % width) as f32 * scale - 2.0, (i / width) as f32 * scale - 1.0);
    let (mut re, mut im) = (0.0, 0.0);
    let mut count = 0;
    while count < limit && re * re + im * im <= 4.0 {
        (re, im) = (re * re - im * im + x, 2.0 * re * im + y);
        count += 1;
    }
    steps[i] = count;
}

#[derive(Clone, Copy, gpuarr::Device)]
#[repr(C)]
struct Plate {
    rows: usize,
    columns: usize,
    rate: f64,
}

/// A step of heat spreading over a plate whose edge stays as it is.
#[gpuarr::kernel]
fn heat(plate: Plate, old: &[f64], new: &mut [f64]) {
    let (row, column) = (thread::index_y(), thread::index());
    if row < plate.rows && column < plate.columns {
        let width = plate.columns;
        let at = row * width + column;
        let is_inside = row > 0 && column > 0 && row + 1 < plate.rows && column + 1 < plate.columns;
        new[at] = old[at];
        if is_inside {
            let around = old[at - 1] + old[at + 1] + old[at - width] + old[at + width];
            new[at] += plate.rate * (around - 4.0 * old[at]);
        }
    }
}

/// The normal distribution's share below x, by Abramowitz and Stegun's formula 26.2.17.
#[gpuarr::device]
fn share_below(x: f64) -> f64 {
    let k = 1.0 / (1.0 + 0.2316419 * x.abs());
    let sum = 1.781477937 + k * (-1.821255978 + k * 1.330274429);
    let sum = k * (0.319381530 + k * (-0.356563782 + k * sum));
    let tail = (-0.5 * x * x).exp() / std::f64::consts::TAU.sqrt() * sum;
    if x < 0.0 {
        tail
    } else {
        1.0 - tail
    }
}

#[derive(Clone, Copy, gpuarr::Device)]
#[repr(C)]
struct Market {
    rate: f64,
    volatility: f64,
}

/// Prices of calls and puts by Black and Scholes.
#[gpuarr::kernel]
fn black_scholes(
    market: Market,
    spot: &[f64],
    strike: &[f64],
    years: &[f64],
    calls: &mut [f64],
    puts: &mut [f64],
) {
    let i = thread::index();
    if i < spot.len() {
        let Market { rate, volatility } = market;
        let spread = volatility * years[i].sqrt();
        let value = strike[i] * (-rate * years[i]).exp();
        let d1 = (spot[i] / value).ln() / spread + 0.5 * spread;
        let d2 = d1 - spread;
        calls[i] = spot[i] * share_below(d1) - value * share_below(d2);
        puts[i] = value * share_below(-d2) - spot[i] * share_below(-d1);
    }
}

const TILE: usize = 16;

/// A matrix product by tiles in shared memory.
#[gpuarr::kernel]
fn product(rows: usize, inner: usize, columns: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
    #[shared]
    let left: [[f32; TILE]; TILE];
    #[shared]
    let right: [[f32; TILE]; TILE];
    let (x, y) = (thread::x(), thread::y());
    let (row, column) = (block::y() * TILE + y, block::x() * TILE + x);
    let mut sum = 0.0;
    for first in (0..inner).step_by(TILE) {
        let is_left = row < rows && first + x < inner;
        let is_right = column < columns && first + y < inner;
        left[y][x] = if is_left { a[row * inner + first + x] } else { 0.0 };
        right[y][x] = if is_right { b[(first + y) * columns + column] } else { 0.0 };
        sync_threads();
        for k in 0..TILE {
            sum += left[y][k] * right[k][x];
        }
        sync_threads();
    }
    if row < rows && column < columns {
        c[row * columns + column] = sum;
    }
}

const BLOCK: usize = 256;

/// A sum by a tree in shared memory, and one addition for each block.
#[gpuarr::kernel]
fn tree_sum(x: &[u64], total: &mut [u64]) {
    #[shared]
    let parts: [u64; BLOCK];
    let t = thread::x();
    let mut sum = 0;
    for i in (thread::index()..x.len()).step_by(thread::count()) {
        sum += x[i];
    }
    parts[t] = sum;
    sync_threads();
    let mut half = BLOCK / 2;
    while half > 0 {
        if t < half {
            parts[t] += parts[t + half];
        }
        sync_threads();
        half /= 2;
    }
    if t == 0 {
        atomic::add(&mut total[0], parts[0]);
    }
}

fn close(got: &[f64], wanted: &[f64], tolerance: f64) -> bool {
    got.len() == wanted.len() && got.iter().zip(wanted).all(|(a, b)| (a - b).abs() <= tolerance)
}

fn numbers() -> Result<()> {
    const COUNT: usize = 20000;
    let mut sums = Array::<u32>::zeros(COUNT)?;
    let mut host = vec![0; COUNT];
    // SAFETY, here and below: each thread writes elements of its own, which it looks to be there.
    unsafe { factor_sums(2, &mut sums).elements(COUNT).launch() }?;
    factor_sums::on_host(COUNT, 2, &mut host);
    assert_eq!(sums.to_vec()?, host);
    println!("prime factor sums: ok");

    const WIDTH: usize = 300;
    let scale = 3.0 / WIDTH as f32;
    let mut steps = Array::<u32>::zeros(WIDTH * 200)?;
    let mut host = vec![0; WIDTH * 200];
    unsafe { mandelbrot(WIDTH, scale, 100, &mut steps).elements(WIDTH * 200).launch() }?;
    mandelbrot::on_host(WIDTH * 200, WIDTH, scale, 100, &mut host);
    // A point at the edge may leave a step earlier where a product and a sum are rounded once.
    let differ = steps.to_vec()?.iter().zip(&host).filter(|(a, b)| a != b).count();
    assert!(differ <= host.len() / 200, "{} points differ", differ);
    println!("Mandelbrot: ok");
    Ok(())
}

fn heat_steps() -> Result<()> {
    let plate = Plate { rows: 50, columns: 70, rate: 0.2 };
    let start: Vec<f64> = (0..50 * 70).map(|at| ((at * 37) % 101) as f64).collect();
    let (mut old, mut new) = (Array::from_slice(&start, [50, 70])?, Array::<f64>::zeros([50, 70])?);
    let (mut host_old, mut host_new) = (start.clone(), vec![0.0; start.len()]);
    for _ in 0..10 {
        unsafe { heat(plate, &old, &mut new).grid([5, 4]).block([16, 16]).launch() }?;
        heat::on_host(([5, 4], [16, 16]), plate, &host_old, &mut host_new);
        std::mem::swap(&mut old, &mut new);
        std::mem::swap(&mut host_old, &mut host_new);
    }
    assert!(close(&old.to_vec()?, &host_old, 1e-10));
    println!("heat: ok");
    Ok(())
}

fn prices() -> Result<()> {
    const COUNT: usize = 10000;
    let market = Market { rate: 0.03, volatility: 0.25 };
    let spot: Vec<f64> = (0..COUNT).map(|k| 50.0 + (k % 101) as f64).collect();
    let strike: Vec<f64> = (0..COUNT).map(|k| 60.0 + (k % 89) as f64).collect();
    let years: Vec<f64> = (0..COUNT).map(|k| 0.1 + (k % 37) as f64 / 12.0).collect();
    let (mut host_calls, mut host_puts) = (vec![0.0; COUNT], vec![0.0; COUNT]);
    black_scholes::on_host(COUNT, market, &spot, &strike, &years, &mut host_calls, &mut host_puts);
    let array = |x: &[f64]| Array::from_slice(x, COUNT);
    let (spot, strike, years) = (array(&spot)?, array(&strike)?, array(&years)?);
    let (mut calls, mut puts) = (Array::<f64>::zeros(COUNT)?, Array::<f64>::zeros(COUNT)?);
    let ready = black_scholes(market, &spot, &strike, &years, &mut calls, &mut puts);
    unsafe { ready.elements(COUNT).launch() }?;
    assert!(close(&calls.to_vec()?, &host_calls, 1e-10));
    assert!(close(&puts.to_vec()?, &host_puts, 1e-10));
    println!("Black-Scholes: ok");
    Ok(())
}

fn together() -> Result<()> {
    let (rows, inner, columns) = (70, 90, 50);
    let a: Vec<f32> = (0..rows * inner).map(|at| (at * 7 % 11) as f32 - 5.0).collect();
    let b: Vec<f32> = (0..inner * columns).map(|at| (at * 5 % 13) as f32 - 6.0).collect();
    let mut c = Array::<f32>::zeros([rows, columns])?;
    let (left, right) =
        (Array::from_slice(&a, [rows, inner])?, Array::from_slice(&b, [inner, columns])?);
    let grid = [(columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE];
    let ready = product(rows, inner, columns, &left, &right, &mut c);
    unsafe { ready.grid(grid).block([TILE, TILE]).launch() }?;
    for (at, value) in c.to_vec()?.into_iter().enumerate() {
        let (i, j) = (at / columns, at % columns);
        let wanted: f32 = (0..inner).map(|k| a[i * inner + k] * b[k * columns + j]).sum();
        assert_eq!(value, wanted, "product, element {}", at); // small integers: exact
    }
    println!("tiled product: ok");

    let x: Vec<u64> = (0..100000).map(|k| k * k % 1009).collect();
    let array = Array::from_slice(&x, x.len())?;
    let mut total = Array::<u64>::zeros(1)?;
    unsafe { tree_sum(&array, &mut total).grid(20).block(BLOCK).launch() }?;
    assert_eq!(total.to_vec()?, [x.iter().sum::<u64>()]);
    println!("tree reduction: ok");
    Ok(())
}

fn main() -> Result<()> {
    numbers()?;
    heat_steps()?;
    prices()?;
    together()?;
    println!("ok: six kernels on {}", gpuarr::Device::default()?);
    Ok(())
}
