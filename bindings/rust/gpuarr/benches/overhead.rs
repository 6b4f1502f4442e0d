//! What a repeated call costs over C's: `cargo bench` prints "rust: raw X ns, idiomatic Y ns,
//! overhead Z ns". The two take turns, and the medians are of many batches.
use std::ptr;
use std::time::Instant;

use gpuarr::{args, sys, Array, Elementwise, Result};

const BATCHES: usize = 4001;
const CALLS: u32 = 100;

/// Nanoseconds of a call, of a batch of them.
fn batch(mut call: impl FnMut()) -> f64 {
    let start = Instant::now();
    for _ in 0..CALLS {
        call();
    }
    start.elapsed().as_nanos() as f64 / f64::from(CALLS)
}

fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
}

fn main() -> Result<()> {
    let kernel = Elementwise::new("T x, T y, T s", "T z", "z = x * y + s;")?;
    let x = Array::<f32>::ones(16)?;
    let y = Array::<f32>::ones(16)?;
    let mut z = Array::<f32>::zeros(16)?;
    let device = z.device();

    // What C has to be given is made once, before the clock runs.
    let inputs = unsafe {
        [
            sys::gpuarr_arg_array(x.as_ptr()),
            sys::gpuarr_arg_array(y.as_ptr()),
            sys::gpuarr_arg_f32(2.0),
        ]
    };
    let mut outputs = [z.as_ptr()];
    let mut status = sys::GPUARR_OK;
    let mut result = Ok(());
    let (mut raw, mut idiomatic) = (Vec::new(), Vec::new());
    for _ in 0..BATCHES {
        raw.push(batch(|| unsafe {
            status |= sys::gpuarr_elementwise_call(
                kernel.as_ptr(),
                outputs.as_mut_ptr(),
                1,
                inputs.as_ptr(),
                3,
                sys::GPUARR_NO_SIZE,
                ptr::null_mut(),
            );
        }));
        device.synchronize()?;
        idiomatic.push(batch(|| {
            if result.is_ok() {
                result = kernel.call_into(args![&x, &y, 2.0f32], &mut z);
            }
        }));
        device.synchronize()?;
    }
    result?;
    assert_eq!(status, sys::GPUARR_OK);
    assert_eq!(z.to_vec()?, [3.0; 16]);
    let (raw, idiomatic) = (median(raw), median(idiomatic));
    println!(
        "rust: raw {:.1} ns, idiomatic {:.1} ns, overhead {:.1} ns",
        raw,
        idiomatic,
        idiomatic - raw
    );
    Ok(())
}
