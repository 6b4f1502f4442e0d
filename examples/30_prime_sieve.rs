//! The sieve of Eratosthenes with a mask: all multiples of a prime are struck out by one fill of a
//! view, and what is left is found by a compaction. No kernel is written.
use gpuarr::{Array, Device, Result, Slice};

const N: i64 = 1000000;

/// The primes below n, as an array. To strike out, primes below the root of n are enough, which are
/// found the same way.
fn primes_below(device: Device, n: i64) -> Result<Array<i64>> {
    let mask = device.ones::<bool>(n)?;
    mask.slice(0, ..2)?.fill(false)?; // 0 and 1
    if n > 4 {
        for p in primes_below(device, ((n - 1) as f64).sqrt() as i64 + 1)?.to_vec()? {
            mask.slice(0, Slice::step(p * p.., p))?.fill(false)?;
        }
    }
    mask.flatnonzero()
}

fn main() -> Result<()> {
    let device = Device::default()?;
    let primes = primes_below(device, N)?.to_vec()?;

    let mut struck = vec![false; N as usize];
    let mut wanted = Vec::new();
    for p in 2..N {
        if !struck[p as usize] {
            (p * p..N).step_by(p as usize).for_each(|k| struck[k as usize] = true);
            wanted.push(p);
        }
    }
    assert_eq!(primes, wanted);

    println!(
        "ok: {} primes below {}, the last one {}, on {}",
        primes.len(),
        N,
        primes[primes.len() - 1],
        device
    );
    Ok(())
}
