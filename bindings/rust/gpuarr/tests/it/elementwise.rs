//! Elementwise kernels, against plain loops.
use gpuarr::half::f16;
use gpuarr::num_complex::Complex;
use gpuarr::{args, AnyArray, Arg, Array, Element, Elementwise, Options, Stream};

use crate::support::{device, indices, place, Random, Seen};

crate::tests! {
    random_operands halves_and_complex several_outputs in_place sizes prepared texts nothing_to_do
    options_of_kernels arguments
}

/// z = x * y + s on views, into a view, which must leave alone what it does not show.
fn random_call<T: Element>(random: &mut Random, from: impl Fn(i64) -> T, to: impl Fn(T) -> i64) {
    let kernel = Elementwise::new("T x, T y, T s", "T z", "z = x * y + s;").unwrap();
    let shape: Vec<i64> = (0..random.between(1, 3)).map(|_| random.between(1, 9)).collect();
    let operand = |shape: &[i64], random: &mut Random| {
        let count = shape.iter().product::<i64>();
        let values = (0..count).map(|_| from(random.between(0, 9))).collect();
        Seen::new(shape, values)
    };
    let x = operand(&shape, random).random_view(random);
    // y broadcasts along some axes, and lacks the first if it may.
    let narrow: Vec<i64> =
        x.shape.iter().map(|n| if random.between(0, 2) == 0 { 1 } else { *n }).collect();
    let y = operand(&narrow, random);
    let y = if narrow[0] == 1 && narrow.len() > 1 { y.selected(0, 0) } else { y };
    let y_at = |index: &[i64]| {
        let own = &index[index.len() - y.shape.len()..];
        let own: Vec<i64> = own.iter().zip(&y.shape).map(|(i, n)| i % n).collect();
        y.values[place(&y.shape, &own)]
    };
    let s = from(2);
    let all = indices(&x.shape);
    let wanted: Vec<i64> =
        x.values.iter().zip(&all).map(|(x, index)| to(*x) * to(y_at(index)) + 2).collect();
    let made: Array<T> = kernel.call(args![&x.array, &y.array, s]).unwrap();
    assert_eq!(made.shape(), &x.shape[..]);
    assert_eq!(made.to_vec().unwrap().into_iter().map(&to).collect::<Vec<_>>(), wanted);

    let mut room: Vec<i64> = x.shape.clone();
    room.push(2);
    let whole = device().full::<T>(&room, from(7)).unwrap();
    let mut z = whole.select(-1, 1).unwrap();
    kernel.call_into(args![&x.array, &y.array, s], &mut z).unwrap();
    for (at, value) in whole.to_vec().unwrap().into_iter().map(&to).enumerate() {
        assert_eq!(value, if at % 2 == 1 { wanted[at / 2] } else { 7 });
    }
}

fn random_operands() {
    let mut random = Random::new(2);
    for _ in 0..6 {
        random_call(&mut random, |n| n as i32, |v| v as i64);
        random_call(&mut random, |n| n as f32, |v| v as i64);
    }
    random_call(&mut random, |n| n as u8, |v| v as i64);
}

fn halves_and_complex() {
    let square = Elementwise::new("T x", "T y", "y = x * x;").unwrap();
    let halves = [f16::from_f32(1.5), f16::from_f32(-3.0)];
    let y: Array<f16> = square.call(args![&device().array(&halves, 2).unwrap()]).unwrap();
    assert_eq!(y.to_vec().unwrap(), [f16::from_f32(2.25), f16::from_f32(9.0)]);
    let z = device().array(&[Complex::new(1.0f64, 2.0)], 1).unwrap();
    let y: Array<Complex<f64>> = square.call(args![&z]).unwrap();
    assert_eq!(y.item().unwrap(), Complex::new(-3.0, 4.0));
}

fn several_outputs() {
    let kernel =
        Elementwise::new("T x", "T d, float64 h, bool p", "d = 2 * x; h = x / 2.0; p = x > 2;")
            .unwrap();
    let x = device().array(&[1, 2, 3], 3).unwrap();
    let (d, h, p): (Array<i32>, Array<f64>, Array<bool>) = kernel.call(args![&x]).unwrap();
    assert_eq!(d.to_vec().unwrap(), [2, 4, 6]);
    assert_eq!(h.to_vec().unwrap(), [0.5, 1.0, 1.5]);
    assert_eq!(p.to_vec().unwrap(), [false, false, true]);
    let (mut d, mut h, mut p) = (d, h, p);
    kernel.call_into(args![&d.copy().unwrap()], (&mut d, &mut h, &mut p)).unwrap();
    assert_eq!(p.to_vec().unwrap(), [false, true, true]);
    let mut all: Vec<AnyArray> = vec![d.into_any(), h.into_any(), p.into_any()];
    kernel.call_into(args![&x], &mut all[..]).unwrap();
    let any = all.remove(2).downcast::<bool>().unwrap();
    assert_eq!(any.to_vec().unwrap(), [false, false, true]);
}

fn in_place() {
    let add = Elementwise::new("T x, T v", "T x", "x += v;").unwrap();
    let x = device().arange::<i64>(0, 5, 1).unwrap();
    add.call_into(args![&x, 10i64], &mut x.clone()).unwrap();
    assert_eq!(x.to_vec().unwrap(), [10, 11, 12, 13, 14]);
    // As if the two did not overlap: each element gets its neighbour's old value.
    let copy = Elementwise::new("T x", "T y", "y = x;").unwrap();
    let neighbours = x.slice(0, ..-1).unwrap();
    copy.call_into(args![&neighbours], &mut x.slice(0, 1..).unwrap()).unwrap();
    assert_eq!(x.to_vec().unwrap(), [10, 10, 11, 12, 13]);
}

fn sizes() {
    let count = Elementwise::new("", "int64 y", "y = i * i;").unwrap();
    let y: Array<i64> = count.size(5).call(args![]).unwrap();
    assert_eq!(y.to_vec().unwrap(), [0, 1, 4, 9, 16]);
    let stream = Stream::new(device()).unwrap();
    let reverse = Elementwise::new("raw T x", "T y", "y = x[n - 1 - i];").unwrap();
    let mut back = device().zeros::<i64>(5).unwrap();
    device().synchronize().unwrap();
    reverse.on(&stream).call_into(args![&y], &mut back).unwrap();
    stream.synchronize().unwrap();
    assert_eq!(back.to_vec().unwrap(), [16, 9, 4, 1, 0]);
    // Without outputs, by side effect.
    let scatter = Elementwise::new("raw T y, int32 k", "raw T z", "z[i] = y[i] + k;").unwrap();
    let z: Array<i64> = scatter.size(2).call(args![&y, 7]).unwrap();
    assert_eq!(z.to_vec().unwrap(), [7, 8]);
}

fn prepared() {
    let scale = Elementwise::new("T x, T by", "T y", "y = x * by;").unwrap();
    let x = device().array(&[1.0f32, 2.0], 2).unwrap();
    let mut y = device().zeros::<f32>(2).unwrap();
    let call = scale.prepare(args![&x, 3.0f32], &mut y).unwrap();
    drop((x, scale)); // the call keeps them
    call.launch().unwrap();
    assert_eq!(y.to_vec().unwrap(), [3.0, 6.0]);
    call.set_scalar(1, -1).unwrap();
    let stream = Stream::new(device()).unwrap();
    call.launch_on(&stream).unwrap();
    stream.synchronize().unwrap();
    assert_eq!(y.to_vec().unwrap(), [-1.0, -2.0]);
}

/// Texts go through as they are: other alphabets, quotes, backslashes, lines.
fn texts() {
    let body = "// größer als \"π\", '☃'\nconst char* text = \"\\\"é\\n\"; y = x + text[0];";
    let kernel = Elementwise::new("int32 x", "int32 y", body).unwrap();
    let options = Options::new().name("quoted").preamble("// ¿\"\u{1f600}\"?");
    let other = Elementwise::with_options("int32 x", "int32 y", "y = 'a' + x;", &options).unwrap();
    let x = device().array(&[0, 1], 2).unwrap();
    let y: Array<i32> = kernel.call(args![&x]).unwrap();
    assert_eq!(y.to_vec().unwrap(), [34, 35]);
    let y: Array<i32> = other.call(args![&x]).unwrap();
    assert_eq!(y.to_vec().unwrap(), [97, 98]);
    let mut y = y;
    assert!(other.source(args![&x], &mut y).unwrap().contains("¿\"\u{1f600}\"?"));
}

fn nothing_to_do() {
    let kernel = Elementwise::new("T x", "T y", "y = x;").unwrap();
    let y: Array<f32> = kernel.call(args![&device().zeros::<f32>([0, 3]).unwrap()]).unwrap();
    assert_eq!(y.shape(), [0, 3]);
    let y: Array<f32> = kernel.call(args![&device().ones::<f32>(()).unwrap()]).unwrap();
    assert_eq!((y.ndim(), y.item().unwrap()), (0, 1.0));
}

fn options_of_kernels() {
    let options = Options::new()
        .name("counted")
        .preamble("__device__ int twice(int k) { return 2 * k; }")
        .option("-DSTEP=3")
        .loop_prep("int base = twice(STEP);")
        .after_loop("(void)base;");
    let kernel = Elementwise::with_options("", "int32 y", "y = base + i;", &options).unwrap();
    let y: Array<i32> = kernel.size(3).call(args![]).unwrap();
    assert_eq!(y.to_vec().unwrap(), [6, 7, 8]);
}

fn arguments() {
    let x = device().zeros::<f32>(1).unwrap();
    assert_eq!(format!("{:?}", Arg::from(true)).split(',').next(), Some("Arg(bool"));
    assert!(format!("{:?}", Arg::from(&x)).contains("array at"));
    assert_eq!(std::mem::size_of::<Arg<'_>>(), 32);
    let kernel = Elementwise::new("bool a, uint8 b, float16 c", "float64 y", "y = a + b + c;");
    let y: Array<f64> = kernel.unwrap().size(1).call(args![true, 2u8, 0.5f64]).unwrap();
    assert_eq!(y.item().unwrap(), 3.5);
}
