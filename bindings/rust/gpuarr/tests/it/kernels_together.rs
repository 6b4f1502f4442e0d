//! Kernels that are written in Rust, in which threads need one another.
use gpuarr::{atomic, block, sync_threads, thread, warp, Number};

use crate::support::{device, keep_text};

crate::tests! { shared_memory dynamic_shared_memory warps atomics texts }

#[gpuarr::kernel]
fn transposed<T: Number>(rows: usize, columns: usize, x: &[T], y: &mut [T]) {
    #[shared]
    let tile: [[T; 17]; 16];
    let (tx, ty) = (thread::x(), thread::y());
    let (row, column) = (block::y() * 16 + ty, block::x() * 16 + tx);
    if row < rows && column < columns {
        tile[ty][tx] = x[row * columns + column];
    }
    sync_threads();
    let (row, column) = (block::x() * 16 + ty, block::y() * 16 + tx);
    if row < columns && column < rows {
        y[row * rows + column] = tile[tx][ty];
    }
}

fn shared_memory() {
    let x = device().arange::<f64>(0, 30 * 50, 1).unwrap().reshape([30, 50]).unwrap();
    let mut y = device().zeros::<f64>([50, 30]).unwrap();
    let ready = transposed(30, 50, &x, &mut y);
    unsafe { ready.grid([4, 2]).block([16, 16]).launch() }.unwrap();
    assert_eq!(y.to_vec().unwrap(), x.transpose().unwrap().to_vec().unwrap());
}

#[gpuarr::kernel]
fn reversed(x: &mut [i32]) {
    #[shared]
    let buffer: &mut [i32];
    let t = thread::x();
    buffer[t] = x[t];
    sync_threads();
    x[t] = buffer[buffer.len() - 1 - t];
}

fn dynamic_shared_memory() {
    let mut x = device().arange::<i32>(0, 64, 1).unwrap();
    unsafe { reversed(&mut x).grid(1).block(64).shared_bytes(64 * 4).launch() }.unwrap();
    assert_eq!(x.to_vec().unwrap(), (0..64).rev().collect::<Vec<i32>>());
}

#[gpuarr::kernel]
fn by_warps(x: &[f32], sums: &mut [f32], bits: &mut [u32]) {
    let i = thread::index();
    let mut sum = x[i];
    let mut by = 16;
    while by > 0 {
        sum += warp::shuffle_down(sum, by);
        by /= 2;
    }
    let neighbour = warp::shuffle_xor(x[i], 1) + warp::shuffle_up(x[i], 1) + warp::shuffle(x[i], 3);
    warp::sync();
    let odd = warp::ballot(i % 2 == 1);
    if warp::lane() == 0 {
        sums[i / 32] = sum;
        bits[i / 32] = odd;
    } else if warp::lane() == 5 {
        bits[2 + i / 32] = neighbour as u32;
        bits[4 + i / 32] = warp::SIZE;
    }
    let (any, all) = (warp::any(x[i] == 40.0), warp::all(x[i] >= 32.0));
    if i % 32 == 0 {
        bits[6 + i / 32] = if any { 1 } else { 0 } + if all { 2 } else { 0 };
    }
}

fn warps() {
    let x = device().arange::<f32>(0, 64, 1).unwrap();
    let mut sums = device().zeros::<f32>(2).unwrap();
    let mut bits = device().zeros::<u32>(8).unwrap();
    unsafe { by_warps(&x, &mut sums, &mut bits).grid(1).block(64).launch() }.unwrap();
    assert_eq!(sums.to_vec().unwrap(), [496.0, 1520.0]);
    let odd = 0xaaaaaaaa;
    // 4, 4 and 3; 36, 36 and 35
    assert_eq!(bits.to_vec().unwrap(), [odd, odd, 11, 107, 32, 32, 0, 3]);
}

macro_rules! atomics {
    ($kernel:ident, $type:ty) => {
        #[gpuarr::kernel]
        fn $kernel(x: &[$type], out: &mut [$type]) {
            let i = thread::index();
            if i < x.len() {
                atomic::add(&mut out[0], x[i]);
                atomic::sub(&mut out[1], x[i]);
                atomic::min(&mut out[2], x[i]);
                atomic::max(&mut out[3], x[i]);
                atomic::and(&mut out[4], x[i]);
                atomic::or(&mut out[5], x[i]);
                atomic::xor(&mut out[6], x[i]);
                let mut seen = out[7];
                loop {
                    let old = atomic::compare_exchange(&mut out[7], seen, seen + 2 * x[i]);
                    if old == seen {
                        break;
                    }
                    seen = old;
                }
                let old = atomic::exchange(&mut out[8 + i], x[i]);
                atomic::add(&mut out[8 + i], old);
            }
        }
    };
}

atomics! { atomics_i32, i32 }
atomics! { atomics_u32, u32 }
atomics! { atomics_i64, i64 }
atomics! { atomics_u64, u64 }

#[gpuarr::kernel]
fn atomics_f32(x: &[f32], out: &mut [f32], wide: &mut [f64]) {
    let i = thread::index();
    if i < x.len() {
        atomic::add(&mut out[0], x[i]);
        atomic::sub(&mut wide[0], x[i] as f64);
        let old = atomic::exchange(&mut out[1 + i], 2.5);
        wide[1 + i] = old as f64;
    }
}

fn atomics() {
    macro_rules! compare {
        ($kernel:ident, $type:ty) => {
            let x: Vec<$type> = (1..=100).map(|k| k * 37 % 64).collect();
            let mut host = vec![63 as $type; 108];
            $kernel::on_host(100, &x, &mut host);
            let mut out = device().array(&[63 as $type; 108], 108).unwrap();
            let x = device().array(&x, 100).unwrap();
            unsafe { $kernel(&x, &mut out).elements(100).launch() }.unwrap();
            assert_eq!(out.to_vec().unwrap(), host);
        };
    }
    compare! { atomics_i32, i32 }
    compare! { atomics_u32, u32 }
    compare! { atomics_i64, i64 }
    compare! { atomics_u64, u64 }
    let x = device().arange::<f32>(0, 10, 1).unwrap();
    let mut out = device().ones::<f32>(11).unwrap();
    let mut wide = device().zeros::<f64>(11).unwrap();
    unsafe { atomics_f32(&x, &mut out, &mut wide).elements(10).launch() }.unwrap();
    assert_eq!(out.to_vec().unwrap()[..2], [46.0, 2.5]);
    assert_eq!(wide.to_vec().unwrap()[..2], [-45.0, 1.0]);
}

fn texts() {
    keep_text("transposed", transposed::<i16>::source());
    keep_text("reversed", reversed::source());
    keep_text("by_warps", by_warps::source());
    keep_text("atomics_i32", atomics_i32::source());
    keep_text("atomics_u32", atomics_u32::source());
    keep_text("atomics_i64", atomics_i64::source());
    keep_text("atomics_u64", atomics_u64::source());
    keep_text("atomics_f32", atomics_f32::source());
}
