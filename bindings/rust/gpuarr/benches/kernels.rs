//! Kernels written in Rust beside the same written as CUDA C++ (kernels.cu): a line for each with
//! both times, in turns on `$GPUARR_DEVICE`, and what a launch costs beside a raw one by hand.
use std::time::Instant;

use gpuarr::{args, block, sync_threads, thread, Device, Module, Result};

const TEXT: &str = include_str!("kernels.cu");
const TILE: usize = 16;
const BLOCK: usize = 256;

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

#[gpuarr::kernel]
fn heat(rows: usize, columns: usize, rate: f64, old: &[f64], new: &mut [f64]) {
    let (row, column) = (thread::index_y(), thread::index());
    if row < rows && column < columns {
        let at = row * columns + column;
        new[at] = old[at];
        if row > 0 && column > 0 && row + 1 < rows && column + 1 < columns {
            let around = old[at - 1] + old[at + 1] + old[at - columns] + old[at + columns];
            new[at] += rate * (around - 4.0 * old[at]);
        }
    }
}

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

#[gpuarr::kernel]
fn black_scholes(
    rate: f64,
    volatility: f64,
    spot: &[f64],
    strike: &[f64],
    years: &[f64],
    calls: &mut [f64],
    puts: &mut [f64],
) {
    let i = thread::index();
    if i < spot.len() {
        let spread = volatility * years[i].sqrt();
        let value = strike[i] * (-rate * years[i]).exp();
        let d1 = (spot[i] / value).ln() / spread + 0.5 * spread;
        let d2 = d1 - spread;
        calls[i] = spot[i] * share_below(d1) - value * share_below(d2);
        puts[i] = value * share_below(-d2) - spot[i] * share_below(-d1);
    }
}

#[gpuarr::kernel]
fn product(n: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
    #[shared]
    let left: [[f32; TILE]; TILE];
    #[shared]
    let right: [[f32; TILE]; TILE];
    let (x, y) = (thread::x(), thread::y());
    let (row, column) = (block::y() * TILE + y, block::x() * TILE + x);
    let mut sum = 0.0;
    for first in (0..n).step_by(TILE) {
        left[y][x] = if row < n && first + x < n { a[row * n + first + x] } else { 0.0 };
        right[y][x] = if column < n && first + y < n { b[(first + y) * n + column] } else { 0.0 };
        sync_threads();
        for k in 0..TILE {
            sum += left[y][k] * right[k][x];
        }
        sync_threads();
    }
    if row < n && column < n {
        c[row * n + column] = sum;
    }
}

#[gpuarr::kernel]
fn tree_sum(x: &[u64], sums: &mut [u64]) {
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
        sums[block::x()] = parts[0];
    }
}

/// Milliseconds of the fastest of many turns, for each of two.
fn fastest(
    turns: usize,
    calls: u32,
    device: Device,
    mut both: [&mut dyn FnMut() -> Result<()>; 2],
) -> Result<[f64; 2]> {
    let mut best = [f64::INFINITY; 2];
    for turn in 0..turns + 2 {
        for (best, call) in best.iter_mut().zip(&mut both) {
            device.synchronize()?;
            let start = Instant::now();
            for _ in 0..calls {
                call()?;
            }
            device.synchronize()?;
            if turn >= 2 {
                *best = best.min(start.elapsed().as_secs_f64() * 1e3 / f64::from(calls));
            }
        }
    }
    Ok(best)
}

fn compare(
    what: &str,
    device: Device,
    mut by_text: impl FnMut() -> Result<()>,
    mut by_rust: impl FnMut() -> Result<()>,
) -> Result<()> {
    let [text, rust] = fastest(15, 1, device, [&mut by_text, &mut by_rust])?;
    let ratio = text / rust;
    println!("{:18} text {:9.3} ms, Rust {:9.3} ms, {:.2} times as fast", what, text, rust, ratio);
    Ok(())
}

// SAFETY of all launches: arrays and sizes go together as the kernels have it.
fn loops(device: Device, texts: &Module) -> Result<()> {
    const COUNT: usize = 1 << 20;
    let (mut a, mut b) = (device.zeros::<u32>(COUNT)?, device.zeros::<u32>(COUNT)?);
    let kernel = texts.kernel("factor_sums")?;
    let by_text = || unsafe { kernel.launch_1d(COUNT, args![2u32, &a, COUNT as i64]) };
    let by_rust = || unsafe { factor_sums(2, &mut b).elements(COUNT).launch() };
    compare("prime factor sums", device, by_text, by_rust)?;
    assert_eq!(a.to_vec()?, b.to_vec()?);

    let kernel = texts.kernel("mandelbrot")?;
    let scale = 3.0 / 1024.0;
    let arguments = args![1024i64, scale, 200u32, &mut a, COUNT as i64];
    let by_text = || unsafe { kernel.launch_1d(COUNT, arguments) };
    let by_rust = || unsafe { mandelbrot(1024, scale, 200, &mut b).elements(COUNT).launch() };
    compare("Mandelbrot", device, by_text, by_rust)?;
    assert_eq!(a.to_vec()?, b.to_vec()?);
    Ok(())
}

fn grids(device: Device, texts: &Module) -> Result<()> {
    const SIZE: usize = 1024;
    let old = device.arange::<f64>(0, (SIZE * SIZE) as i64, 1)?;
    let (mut a, mut b) = (old.copy()?, old.copy()?);
    let (grid, block) = ([SIZE / 32, SIZE / 8], [32, 8]);
    let kernel = texts.kernel("heat")?;
    let arguments = args![SIZE as i64, SIZE as i64, 0.2, &old, &mut a];
    let by_text = || unsafe { kernel.grid(grid).block(block).launch(arguments) };
    let by_rust =
        || unsafe { heat(SIZE, SIZE, 0.2, &old, &mut b).grid(grid).block(block).launch() };
    compare("heat step", device, by_text, by_rust)?;
    assert_eq!(a.to_vec()?, b.to_vec()?);

    let strike = device.full::<f64>(SIZE * SIZE, 1000.0)?;
    let years = device.full::<f64>(SIZE * SIZE, 0.5)?;
    let (mut c, mut d) = (old.copy()?, old.copy()?);
    let n = SIZE * SIZE;
    let kernel = texts.kernel("black_scholes")?;
    let arguments = args![0.03, 0.25, &old, &strike, &years, &mut a, &mut c, n as i64];
    let by_text = || unsafe { kernel.launch_1d(n, arguments) };
    let by_rust = || unsafe {
        black_scholes(0.03, 0.25, &old, &strike, &years, &mut b, &mut d).elements(n).launch()
    };
    compare("Black-Scholes", device, by_text, by_rust)?;
    assert_eq!(a.to_vec()?[1..], b.to_vec()?[1..]);
    Ok(())
}

fn together(device: Device, texts: &Module) -> Result<()> {
    const SIZE: usize = 512;
    let x = device.arange::<f32>(0, (SIZE * SIZE) as i64, 1)?;
    let (mut a, mut b) = (x.copy()?, x.copy()?);
    let (grid, block) = ([SIZE / TILE, SIZE / TILE], [TILE, TILE]);
    let kernel = texts.kernel("product")?;
    let arguments = args![SIZE as i64, &x, &x, &mut a];
    let by_text = || unsafe { kernel.grid(grid).block(block).launch(arguments) };
    let by_rust = || unsafe { product(SIZE, &x, &x, &mut b).grid(grid).block(block).launch() };
    compare("tiled product", device, by_text, by_rust)?;
    assert_eq!(a.to_vec()?, b.to_vec()?);

    const COUNT: usize = 1 << 22;
    let x = device.arange::<u64>(0, COUNT as u64, 1)?;
    let (mut a, mut b) = (device.zeros::<u64>(512)?, device.zeros::<u64>(512)?);
    let kernel = texts.kernel("tree_sum")?;
    let arguments = args![&x, &mut a, COUNT as i64];
    let by_text = || unsafe { kernel.grid(512).block(BLOCK).launch(arguments) };
    let by_rust = || unsafe { tree_sum(&x, &mut b).grid(512).block(BLOCK).launch() };
    compare("tree reduction", device, by_text, by_rust)?;
    assert_eq!(a.to_vec()?, b.to_vec()?);
    Ok(())
}

fn launches(device: Device) -> Result<()> {
    let (old, mut new) = (device.ones::<f64>(16)?, device.ones::<f64>(16)?);
    let other = new.clone();
    let kernel = heat(4, 4, 0.2, &old, &mut new).kernel()?;
    let mut by_text = || {
        let lengths = (old.len() as u64, other.len() as u64);
        let arguments = args![4u64, 4u64, 0.2, &old, lengths.0, &other, lengths.1];
        unsafe { kernel.grid(1).block(16).launch(arguments) }
    };
    let mut by_rust = || unsafe { heat(4, 4, 0.2, &old, &mut new).grid(1).block(16).launch() };
    let [text, rust] = fastest(400, 100, device, [&mut by_text, &mut by_rust])?;
    let (text, rust) = (text * 1e6, rust * 1e6);
    println!("launch: raw {:.1} ns, typed {:.1} ns, overhead {:.1} ns", text, rust, rust - text);
    let start = Instant::now();
    for _ in 0..100 {
        heat::source()?;
    }
    println!("text of heat: {:.1} us", start.elapsed().as_secs_f64() * 1e4);
    Ok(())
}

fn main() -> Result<()> {
    let device = Device::default()?;
    let texts = Module::new(TEXT)?;
    loops(device, &texts)?;
    grids(device, &texts)?;
    together(device, &texts)?;
    launches(device)
}
