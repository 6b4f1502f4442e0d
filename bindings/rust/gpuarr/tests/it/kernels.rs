//! Kernels that are written in Rust: launches, arguments, checks.
use gpuarr::kernel::Records;
use gpuarr::{block, grid, thread, Array, Element, Number, Status, Stream};

use crate::support::{device, keep_text, refused};

crate::tests! {
    saxpy_by_elements_and_grid prepared_and_in_streams generic_kernels numbers_by_value structs
    slices_are_contiguous places_of_threads halves recursion names
    repeated_launches_share_a_kernel checks prints_and_assertions texts
}

#[gpuarr::kernel]
fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
    let i = thread::index();
    if i < x.len() {
        y[i] += a * x[i];
    }
}

fn saxpy_by_elements_and_grid() {
    let x = device().arange::<f32>(0, 100, 1).unwrap();
    let mut y = device().ones::<f32>(100).unwrap();
    unsafe { saxpy(2.0, &x, &mut y).elements(100).launch() }.unwrap();
    unsafe { saxpy(1.0, &x, &mut y).grid(4).block(32).launch() }.unwrap();
    unsafe { saxpy(1.0, &x, &mut y).elements(100).block(7).launch() }.unwrap();
    unsafe { saxpy(1.0, &x, &mut y).grid(0).block(32).launch() }.unwrap();
    let mut host = vec![1.0; 100];
    saxpy::on_host(100, 4.0, &x.to_vec().unwrap(), &mut host);
    assert_eq!(y.to_vec().unwrap(), host);
    saxpy::thread(1.0, &[5.0], &mut host);
    assert_eq!(host[0], 6.0);
    let text = saxpy::source().unwrap();
    assert!(text.contains("extern \"C\" __global__ void saxpy(const float a_1,"), "{}", text);
    assert!(text.contains("\n    y_3[i_4] += a_1 * x_2[i_4];\n"), "{}", text);
    assert!(text.contains("tests/it/kernels.rs\""), "{}", text);
}

fn prepared_and_in_streams() {
    let x = device().ones::<f32>(300).unwrap();
    let mut y = device().zeros::<f32>(300).unwrap();
    let stream = Stream::new(device()).unwrap();
    device().synchronize().unwrap();
    unsafe { saxpy(1.0, &x, &mut y).elements(300).on(&stream).launch() }.unwrap();
    let call = unsafe { saxpy(2.0, &x, &mut y).elements(300).prepare() }.unwrap();
    call.launch_on(&stream).unwrap();
    unsafe { call.set_scalar(0, 3.0f32) }.unwrap();
    call.launch_on(&stream).unwrap();
    stream.synchronize().unwrap();
    assert_eq!(y.to_vec().unwrap(), [6.0; 300]);
    assert!(saxpy(1.0, &x, &mut y).kernel().unwrap().signature(device()).is_ok());
}

#[gpuarr::device]
fn twice<T: Number>(x: T) -> T {
    x + x
}

#[gpuarr::kernel]
fn double_all<T: Number, const N: usize>(x: &mut [T]) {
    let i = thread::index();
    if i < x.len() {
        for _ in 0..N {
            x[i] = twice(x[i]);
        }
    }
}

#[gpuarr::kernel]
fn copy_all<T: Element>(x: &[T], y: &mut [T]) {
    let i = thread::index();
    if i < x.len() {
        y[i] = x[i];
    }
}

fn generic_kernels() {
    let mut x = device().ones::<f64>(10).unwrap();
    unsafe { double_all::<f64, 3>(&mut x).elements(10).launch() }.unwrap();
    assert_eq!(x.to_vec().unwrap(), [8.0; 10]);
    let mut x = device().ones::<u8>(10).unwrap();
    unsafe { double_all::<u8, 2>(&mut x).elements(10).launch() }.unwrap();
    assert_eq!(x.to_vec().unwrap(), [4u8; 10]);
    let flags = Array::from_slice(&[true, false], 2).unwrap();
    let mut copied = Array::from_slice(&[false, true], 2).unwrap();
    unsafe { copy_all(&flags, &mut copied).elements(2).launch() }.unwrap();
    assert_eq!(copied.to_vec().unwrap(), [true, false]);
}

#[gpuarr::kernel]
#[allow(clippy::too_many_arguments)]
fn sums(a: u8, b: i16, c: u32, d: i64, e: usize, f: f64, g: bool, h: isize, y: &mut [f64]) {
    y[0] = a as f64 + b as f64 + c as f64 + d as f64 + e as f64 + f;
    y[0] += if g { h as f64 } else { 0.0 };
}

fn numbers_by_value() {
    let mut y = device().zeros::<f64>(1).unwrap();
    let launch = sums(1, -20, 300, -4000, 50000, 0.5, true, -7, &mut y);
    unsafe { launch.grid(1).launch() }.unwrap();
    assert_eq!(y.item().unwrap(), 46274.5);
}

#[derive(Clone, Copy, PartialEq, Debug, gpuarr::Device)]
#[repr(C)]
struct Inner {
    tag: u8,
    weights: [f64; 2],
}

#[derive(Clone, Copy, PartialEq, Debug, gpuarr::Device)]
#[repr(C)]
struct Outer<T> {
    class: i16,
    inner: Inner,
    value: T,
}

#[derive(Clone, Copy, gpuarr::Device)]
#[repr(C)]
struct Pair(u32, f32);

#[gpuarr::kernel]
fn records(by: Pair, outer: &mut [Outer<f32>], y: &mut [f64]) {
    let i = thread::index();
    if i < outer.len() {
        let mut one = outer[i];
        one.class += 1;
        one.inner.weights[1] *= by.1 as f64;
        one = Outer { value: one.value + by.0 as f32, ..one };
        outer[i] = one;
        y[i] = outer[i].inner.weights[0] + outer[i].inner.tag as f64;
    }
}

fn structs() {
    let inner = Inner { tag: 3, weights: [0.25, 2.0] };
    let given = [Outer { class: -1, inner, value: 1.5 }, Outer { class: 6, inner, value: -1.0 }];
    let mut outer = Records::on(device(), &given).unwrap();
    let mut y = device().zeros::<f64>(2).unwrap();
    unsafe { records(Pair(10, 0.5), &mut outer, &mut y).elements(2).launch() }.unwrap();
    let (mut host, mut host_y) = (given, [0.0; 2]);
    records::on_host(2, Pair(10, 0.5), &mut host, &mut host_y);
    assert_eq!(outer.to_vec().unwrap(), host);
    assert_eq!(host[1].inner.weights, [0.25, 1.0]);
    assert_eq!(y.to_vec().unwrap(), host_y);
    let text = records::source().unwrap();
    assert!(text.contains("static_assert(sizeof(Outer_2) == 40 &&"), "{}", text);
}

fn slices_are_contiguous() {
    let x = device().ones::<f32>([3, 2]).unwrap();
    let mut y = device().ones::<f32>(6).unwrap();
    unsafe { saxpy(1.0, &x, &mut y).elements(6).launch() }.unwrap();
    let x = x.transpose().unwrap();
    let launched = unsafe { saxpy(1.0, &x, &mut y).elements(6).launch() };
    refused(launched, Status::ARGUMENT, &["x is a slice", "not contiguous in C order"]);
    assert_eq!(y.to_vec().unwrap(), [2.0; 6]);
}

#[gpuarr::kernel]
fn places(out: &mut [usize]) {
    let row = thread::index_y() + thread::index_z() * thread::count_y();
    let at = (row * thread::count() + thread::index()) * 6;
    out[at] = thread::x() + 10 * thread::y() + 100 * thread::z();
    out[at + 1] = block::x() + 10 * block::y() + 100 * block::z();
    out[at + 2] = block::size_x() + 10 * block::size_y() + 100 * block::size_z();
    out[at + 3] = grid::size_x() + 10 * grid::size_y() + 100 * grid::size_z();
    out[at + 4] = thread::count_z();
    out[at + 5] = gpuarr::thread::index_z();
}

fn places_of_threads() {
    let (blocks, threads) = ([2, 3, 2], [4, 2, 3]);
    let mut host = vec![0; 6 * 12 * 24];
    places::on_host((blocks, threads), &mut host);
    let mut out = device().zeros::<u64>(host.len()).unwrap();
    unsafe { places(&mut out).grid(blocks).block(threads).launch() }.unwrap();
    let got: Vec<usize> = out.to_vec().unwrap().into_iter().map(|v| v as usize).collect();
    assert_eq!(got, host);
}

#[cfg(feature = "half")]
fn halves() {
    use gpuarr::half::f16;

    #[gpuarr::kernel]
    fn grown(by: f16, x: &mut [f16]) {
        let i = thread::index();
        if i < x.len() {
            x[i] = f16::from_f32(x[i].to_f32() * by.to_f32() + 0.25);
        }
    }

    let x = [1.5, -2.0, 1000.0].map(f16::from_f32);
    let mut host = x;
    grown::on_host(3, f16::from_f32(2.0), &mut host);
    let mut array = device().array(&x, 3).unwrap();
    unsafe { grown(f16::from_f32(2.0), &mut array).elements(3).launch() }.unwrap();
    assert_eq!(array.to_vec().unwrap(), host);
    keep_text("grown", grown::source());
}

#[cfg(not(feature = "half"))]
fn halves() {}

#[gpuarr::device]
fn is_even(n: u32) -> bool {
    if n == 0 {
        true
    } else {
        is_odd(n - 1)
    }
}

#[gpuarr::device]
fn is_odd(n: u32) -> bool {
    if n == 0 {
        false
    } else {
        is_even(n - 1)
    }
}

#[gpuarr::kernel]
fn parity(x: &mut [u32]) {
    x[0] = if is_even(x[0]) { 1 } else { 0 };
}

fn recursion() {
    let mut x = device().ones::<u32>(1).unwrap();
    let launched = unsafe { parity(&mut x).elements(1).launch() };
    let texts = ["is_even calls itself by way of others: kernels have no recursion"];
    refused(launched, Status::UNSUPPORTED, &texts);
}

/// Names that C++ or CUDA have too, and some of the text's own.
#[gpuarr::kernel]
fn exp(int: i32, r#type: i32, float: &mut [f32]) {
    let double = float[0];
    let (new, delete, x_1, thread_idx, rs) = (1.0f32, 2.0, 3.0, 4.0, 5.0);
    let class = double + new + delete + x_1 + thread_idx + rs;
    float[0] = class.max(int as f32) + r#type as f32;
}

#[gpuarr::device]
fn register(sin: f32) -> f32 {
    sin.sin() + 1.0
}

#[gpuarr::kernel]
fn double(namespace: &mut [f32]) {
    namespace[0] = register(0.0);
}

fn names() {
    let mut x = device().ones::<f32>(1).unwrap();
    unsafe { exp(2, 100, &mut x).grid(1).launch() }.unwrap();
    assert_eq!(x.item().unwrap(), 116.0);
    unsafe { double(&mut x).grid(1).launch() }.unwrap();
    assert_eq!(x.item().unwrap(), 1.0);
}

fn repeated_launches_share_a_kernel() {
    let x = device().ones::<f32>(4).unwrap();
    let mut y = device().ones::<f32>(4).unwrap();
    unsafe { saxpy(1.0, &x, &mut y).elements(4).launch() }.unwrap();
    let kept = gpuarr::kernel::kept_objects();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let x = device().ones::<i16>(4).unwrap();
                let mut y = device().zeros::<i16>(4).unwrap();
                unsafe { copy_all(&x, &mut y).elements(4).launch() }.unwrap();
                assert_eq!(y.to_vec().unwrap(), [1; 4]);
            });
        }
    });
    unsafe { saxpy(1.0, &x, &mut y).elements(4).launch() }.unwrap();
    assert_eq!(gpuarr::kernel::kept_objects(), kept + 1);
}

#[gpuarr::kernel(checked)]
fn careless(n: i32, x: &[i32], y: &mut [i32]) {
    let i = thread::index();
    let mut table = [0u8; 4];
    if n == 1 {
        y[i] = x[i + 1];
    } else if n == 2 {
        y[i] = x[i] + i32::MAX;
    } else if n == 3 {
        y[i] = x[i] / (n - 3);
    } else if n == 4 {
        table[i + 3] = 1;
        y[i] = table[3] as i32;
    } else if n == 5 {
        y[i] = 1 << (n + 27);
    } else if n == 6 {
        y[i - 1] = 0;
    } else if n == 7 {
        y[i] = (x[i] - 3).pow(40);
    } else if n == 8 {
        let mut large = i32::MAX;

        // What changes a variable has its own line, whatever stands before.
        large += x[i];
        y[i] = large;
    } else if n == 9 {
        table.swap(i, i + 3);
        y[i] = table[0] as i32;
    } else if n == 10 {
        for k in (0..3).step_by(n as usize - 10) {
            y[i] += k;
        }
    } else {
        y[i] = (x[i] as u8 - 1) as i32 + (-128i8).abs() as i32;
    }
}

/// What is wrong comes with the line of this file, on every device.
fn checks() {
    let first =
        1 + include_str!("kernels.rs").lines().position(|l| l.contains("x[i + 1]")).unwrap();
    let x = device().ones::<i32>(3).unwrap();
    let mut y = device().zeros::<i32>(3).unwrap();
    let mut fails = |n: i32, line: usize, text: &str| {
        let launched = unsafe { careless(n, &x, &mut y).grid(1).block(3).launch() };
        match launched.and_then(|()| device().synchronize()) {
            Err(error) if error.status == Status::UNSUPPORTED => {} // it takes g++
            other => {
                let place = format!("kernels.rs:{}", first + line);
                let error = refused(other, error_of(text), &[text, "careless", &place]);
                assert!(error.message.contains("thread ("), "{}", error);
            }
        }
    };
    fails(1, 0, "index 3 of x is outside of 0..2");
    fails(2, 2, "integer overflow in +");
    fails(3, 4, "division by zero");
    fails(4, 6, "index 4 of array is outside of 0..3");
    fails(5, 9, "shift past the width in <<");
    fails(6, 11, "integer overflow in -");
    fails(7, 13, "integer overflow in pow");
    fails(8, 18, "integer overflow in +");
    fails(9, 21, "index 4 of array is outside of 0..3");
    fails(10, 24, "a step of zero in step_by");
    fails(11, 28, "integer overflow in abs");
}

/// An index out of range is a fault, the rest is an assertion that failed.
fn error_of(text: &str) -> Status {
    if text.starts_with("index") {
        Status::FAULT
    } else {
        Status::ASSERT
    }
}

#[gpuarr::kernel]
fn telling(x: &[f32], counts: &mut [u64]) {
    let i = thread::index();
    if i < x.len() {
        assert!(x[i] < 3.0);
        if i == 1 {
            print!("{} {} {}; ", -1i8, 7u32, -8i64);
            println!("100% of \"x\": {} at {}, {}", x[i], i, x[i] > 0.5);
        }
        counts[i] += 1;
    }
}

fn prints_and_assertions() {
    let x = device().ones::<f32>(3).unwrap();
    let mut counts = device().zeros::<u64>(3).unwrap();
    let text = telling::source().unwrap();
    assert!(text.contains(r#"printf("100%% of \"x\": %g at %llu, %d\n", x_1"#), "{}", text);
    unsafe { telling(&x, &mut counts).elements(3).launch() }.unwrap();
    device().synchronize().unwrap();
    assert_eq!(counts.to_vec().unwrap(), [1; 3]);
    if device().name() == "host" {
        // A failed assertion loses a GPU to the process.
        let x = Array::from_slice(&[1.0f32, 4.0], 2).unwrap();
        let launched = unsafe { telling(&x, &mut counts).elements(2).launch() };
        let launched = launched.and_then(|()| device().synchronize());
        refused(launched, Status::ASSERT, &["telling", "kernels.rs"]);
    }
}

fn texts() {
    macro_rules! keep {
        ($($kernel:ident $(<$($ty:ty),*>)?),*) => {
            $(keep_text(stringify!($kernel), <$kernel$(<$($ty),*>)?>::source());)*
        };
    }
    keep! {
        saxpy, sums, records, places, exp, double, careless, telling, copy_all<f64>
    }
}
