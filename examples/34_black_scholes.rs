//! Prices of options by Black and Scholes: calls and puts of a whole market by one kernel.
use gpuarr::{evaluate, explain, Array, Device, Expr, Result};

const COUNT: usize = 100000;
const RATE: f64 = 0.03;
const VOLATILITY: f64 = 0.25;

/// The normal distribution's share below x.
fn below(x: &Expr<f64>) -> Expr<f64> {
    0.5 * (-x / 2f64.sqrt()).erfc()
}

/// The same by another way, which has no error function: Simpson's rule from 0.
fn share_below(x: f64) -> f64 {
    const PARTS: usize = 1000;
    let step = x / PARTS as f64;
    let weight = |k| match k {
        0 | PARTS => 1.0,
        _ => 2.0 + 2.0 * (k % 2) as f64,
    };
    let density = |k: usize| (-(step * k as f64).powi(2) / 2.0).exp();
    let sum: f64 = (0..=PARTS).map(|k| weight(k) * density(k)).sum();
    0.5 + sum * step / 3.0 / std::f64::consts::TAU.sqrt()
}

fn main() -> Result<()> {
    let spot: Vec<f64> = (0..COUNT).map(|k| 50.0 + (k % 101) as f64).collect();
    let strike: Vec<f64> = (0..COUNT).map(|k| 60.0 + (k % 89) as f64).collect();
    let years: Vec<f64> = (0..COUNT).map(|k| 0.1 + (k % 37) as f64 / 12.0).collect();
    let s = Array::from_slice(&spot, COUNT)?;
    let x = Array::from_slice(&strike, COUNT)?;
    let t = Array::from_slice(&years, COUNT)?;

    let spread = VOLATILITY * t.sqrt();
    let value = &x * (-RATE * &t).exp(); // of the strike, today
    let d1 = ((&s / &x).ln() + (RATE + VOLATILITY * VOLATILITY / 2.0) * &t) / &spread;
    let d2 = &d1 - &spread;
    let call = &s * below(&d1) - &value * below(&d2);
    let put = &value * below(&-&d2) - &s * below(&-&d1);
    let both = (call, put);
    assert!(explain(both.clone())?.contains("\n1 kernels "));
    let (calls, puts) = evaluate(both)?; // together: what they share is computed once

    let (calls, puts) = (calls.to_vec()?, puts.to_vec()?);
    for k in (0..COUNT).step_by(97) {
        let deviation = VOLATILITY * years[k].sqrt();
        let now = strike[k] * (-RATE * years[k]).exp();
        let a = (spot[k] / now).ln() / deviation + deviation / 2.0;
        let b = a - deviation;
        let call = spot[k] * share_below(a) - now * share_below(b);
        let put = now * share_below(-b) - spot[k] * share_below(-a);
        assert!((calls[k] - call).abs() <= 1e-7, "{}: {} {}", k, calls[k], call);
        assert!((puts[k] - put).abs() <= 1e-7, "{}: {} {}", k, puts[k], put);
    }
    println!("the first: call {:.4}, put {:.4}", calls[0], puts[0]);
    println!("ok: prices of {} calls and puts in one kernel on {}", COUNT, Device::default()?);
    Ok(())
}
