//! What a repeated call costs over C's: `cargo bench` prints "rust: raw X ns, idiomatic Y ns,
//! overhead Z ns". The two take turns, and the medians are of many batches. The lines after that
//! are of an expression of ten nodes: kept and evaluated again, and made anew each time.
use std::ptr;
use std::time::Instant;

use gpuarr::{args, sys, Array, Elementwise, Expr, Result};

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

/// Compares two ways of the same; the first one returns C's status.
fn compare(
    what: &str,
    device: gpuarr::Device,
    mut by_c: impl FnMut() -> i32,
    mut by_rust: impl FnMut() -> Result<()>,
) -> Result<()> {
    let (mut status, mut result) = (sys::GPUARR_OK, Ok(()));
    let (mut raw, mut idiomatic) = (Vec::new(), Vec::new());
    for _ in 0..BATCHES {
        raw.push(batch(|| status |= by_c()));
        device.synchronize()?;
        idiomatic.push(batch(|| {
            if result.is_ok() {
                result = by_rust();
            }
        }));
        device.synchronize()?;
    }
    result?;
    assert_eq!(status, sys::GPUARR_OK);
    let (raw, idiomatic) = (median(raw), median(idiomatic));
    println!(
        "{}: raw {:.1} ns, idiomatic {:.1} ns, overhead {:.1} ns",
        what,
        raw,
        idiomatic,
        idiomatic - raw
    );
    Ok(())
}

/// C's function by its name, of expressions that it releases.
unsafe fn apply<const N: usize>(
    name: &'static str,
    operands: [*mut sys::gpuarr_expr; N],
) -> *mut sys::gpuarr_expr {
    let mut out = ptr::null_mut();
    let list = operands.map(|operand| operand as *const sys::gpuarr_expr);
    sys::gpuarr_expr_apply(&mut out, 1, name.as_ptr().cast(), list.as_ptr(), N as i32);
    operands.iter().for_each(|operand| sys::gpuarr_expr_release(*operand));
    out
}

/// ((x - y) * (x - y) + 2).sqrt() by C: ten nodes, arrays and numbers among them.
unsafe fn formula_by_c(x: &Array<f32>, y: &Array<f32>) -> *mut sys::gpuarr_expr {
    let array = |x: &Array<f32>| {
        let mut out = ptr::null_mut();
        sys::gpuarr_expr_array(&mut out, x.as_ptr());
        out
    };
    let mut two = ptr::null_mut();
    sys::gpuarr_expr_scalar(&mut two, sys::gpuarr_arg_f32(2.0));
    let left = apply("subtract\0", [array(x), array(y)]);
    let right = apply("subtract\0", [array(x), array(y)]);
    apply("sqrt\0", [apply("add\0", [apply("multiply\0", [left, right]), two])])
}

fn formula(x: &Array<f32>, y: &Array<f32>) -> Expr<f32> {
    ((x - y) * (x - y) + 2.0).sqrt()
}

unsafe fn evaluate_by_c(expr: *mut sys::gpuarr_expr, out: &Array<f32>) -> i32 {
    sys::gpuarr_evaluate(&mut out.as_ptr(), &(expr as *const _), 1, ptr::null_mut())
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
    let by_c = || unsafe {
        let (out, inputs, none) = (outputs.as_mut_ptr(), inputs.as_ptr(), ptr::null_mut());
        let size = sys::GPUARR_NO_SIZE;
        sys::gpuarr_elementwise_call(kernel.as_ptr(), out, 1, inputs, 3, size, none)
    };
    compare("rust", device, by_c, || kernel.call_into(args![&x, &y, 2.0f32], &mut z))?;
    assert_eq!(z.to_vec()?, [3.0; 16]);

    let given = z.clone();
    let kept = formula(&x, &y);
    let raw = kept.as_ptr()?;
    let by_c = || unsafe { evaluate_by_c(raw, &given) };
    compare("kept expression", device, by_c, || kept.eval_into(&mut z))?;
    let by_c = || unsafe {
        let expr = formula_by_c(&x, &y);
        let status = evaluate_by_c(expr, &given);
        sys::gpuarr_expr_release(expr);
        status
    };
    compare("made expression", device, by_c, || formula(&x, &y).eval_into(&mut z))?;
    assert_eq!(z.to_vec()?, [2f32.sqrt(); 16]);
    Ok(())
}
