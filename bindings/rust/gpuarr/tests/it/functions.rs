//! Functions of elements: what they compute, in which types, and how they fail.
use gpuarr::half::{bf16, f16};
use gpuarr::num_complex::Complex;
use gpuarr::{
    args, evaluate, result_type, Array, Content, DType, Element, Expr, Exprs, Function, Join,
    Operand, Status, Stream, Tolerance,
};

use crate::support::{device, refused};

crate::tests! {
    names of_one_array of_two_arrays with_numbers_of_their_own comparisons types_of_one types_of_two
    types_joined by_name given_outputs refused_ones
}

/// To compile each of a hundred kernels just to see that it is the right one would take too long.
fn names() {
    let text = include_str!("../../src/functions.rs");
    for gpuarr::Description { name, .. } in Function::all().unwrap() {
        let (row, called) = (format!(" = {} ->", name), format!("name!({})", name));
        assert!(text.contains(&row) || text.contains(&called), "{}", name);
    }
}

const X: [f64; 5] = [-2.5, -0.5, 0.25, 0.75, 3.0];
const Y: [f64; 5] = [0.5, -2.0, 1.5, 0.75, 2.0];

/// That results are those of a function of the host's for each element, NaN included.
#[track_caller]
fn are(result: Expr<f64>, wanted: impl Iterator<Item = f64>) {
    for (got, wanted) in result.to_vec().unwrap().into_iter().zip(wanted) {
        let close = (got - wanted).abs() <= 1e-12 * wanted.abs().max(1e-3);
        assert!(close || got.is_nan() && wanted.is_nan() || got == wanted, "{} {}", got, wanted);
    }
}

fn of_one_array() {
    let x = device().array(&X, 5).unwrap();
    macro_rules! as_those_of_f64 {
        ($($name:ident)*) => { $(are(x.$name(), X.iter().map(|x| x.$name()));)* };
    }
    as_those_of_f64! {
        exp_m1 ln to_degrees
    }
    are(x.rint(), [-2.0, -0.0, 0.0, 1.0, 3.0].into_iter());
    let z = device().array(&[Complex::new(3.0, 4.0), Complex::new(0.0, -2.0)], 2).unwrap();
    assert_eq!(z.abs().to_vec().unwrap(), [5.0, 2.0]);
    assert_eq!(z.angle().to_vec().unwrap()[1], -std::f64::consts::FRAC_PI_2);
}

fn of_two_arrays() {
    let (x, y) = (device().array(&X, 5).unwrap(), device().array(&Y, 5).unwrap());
    let pairs = || X.into_iter().zip(Y);
    macro_rules! are_those_of {
        ($($name:ident: |$x:ident, $y:ident| $wanted:expr;)*) => {
            $(are(x.$name(&y), pairs().map(|($x, $y): (f64, f64)| $wanted));)*
        };
    }
    are_those_of! {
        remainder: |x, y| x - (x / y).floor() * y;
        power: |x, y| x.powf(y);
        atan2: |x, y| x.atan2(y);
    }
    let (quotient, rest) = x.divmod(&y);
    are(quotient, pairs().map(|(x, y)| (x / y).floor()));
    are(rest, pairs().map(|(x, y)| x - (x / y).floor() * y));
    let next = x.nextafter(f64::INFINITY).to_vec().unwrap();
    assert_eq!(next[4], 3.0 + 2.0 * f64::EPSILON);
    assert_eq!(x.complex(&y).to_vec().unwrap()[0], Complex::new(-2.5, 0.5));
    let n = device().array(&[12i32, -18, 7], 3).unwrap();
    assert_eq!(n.gcd(8).to_vec().unwrap(), [4, 2, 1]);
}

fn with_numbers_of_their_own() {
    let x = device().array(&X, 5).unwrap();
    are(x.round(1), [-2.5, -0.5, 0.2, 0.8, 3.0].into_iter());
    are(x.clip(-1.0, 1.0), X.iter().map(|x| x.clamp(-1.0, 1.0)));
    are(x.ldexp(3), X.iter().map(|x| 8.0 * x));
    let (mantissa, exponent) = x.frexp();
    assert_eq!(mantissa.to_vec().unwrap(), [-0.625, -0.5, 0.5, 0.75, 0.75]);
    assert_eq!(exponent.to_vec().unwrap(), [2, 0, -1, 0, 2]);
    let (fraction, whole) = x.modf();
    are(fraction, X.iter().map(|x| x.fract()));
    are(whole, X.iter().map(|x| x.trunc()));
    let near = Tolerance { absolute: 0.3, ..Tolerance::default() };
    assert_eq!(x.isclose(0.5, near).to_vec().unwrap(), [false, false, true, true, false]);
    assert!(!x.allclose(&x.slice(0, 2..3).unwrap(), near).unwrap());
    assert!(x.allclose(&x, Tolerance::default()).unwrap());
    assert!(x.array_equal(&x.copy().unwrap()).unwrap());
    assert!(!x.array_equal(&x.expand(0).unwrap()).unwrap());
}

fn comparisons() {
    let x = device().array(&[1.0, 2.0, f64::NAN], 3).unwrap();
    let all = |result: Expr<bool>| result.to_vec().unwrap();
    assert_eq!(all(x.less(2.0)), [true, false, false]);
    let (p, q) = (x.less(2.0), x.is_nan());
    assert_eq!(all(p.logical_or(&q)), [true, false, true]);
    assert_eq!(all(x.is_infinite()), [false; 3]);
    assert_eq!(q.where_(x.negative(), 7.0).to_vec().unwrap()[..2], [7.0, 7.0]);
}

/// A type that a function does not take is refused by it; all others give the type they promise,
/// or the binding would refuse the result.
fn promised<E: Exprs>(results: E) {
    if let Err(error) = evaluate(results) {
        assert_eq!(error.status, Status::DTYPE, "{}", error);
        assert!(error.message.starts_with("gpuarr_"), "{}", error);
    }
}

fn types_of_one() {
    fn of<T: Element>() {
        let x = device().empty::<T>(0).unwrap();
        macro_rules! all {
            ($($name:ident)*) => { $(promised((x.$name(),));)* };
        }
        all! { negative positive abs sign square recip rint floor real imag conj angle exp sinh cbrt
        is_nan is_sign_negative logical_not invert }
        promised(x.modf());
        promised(x.frexp());
        promised((x.round(1),));
        promised((x.ldexp(1),));
        promised((x.complex(&x),));
        promised(x.divmod(&x));
        promised((x.float_power(&x),));
        let _same: Expr<T> = x.clip(&x, &x);
    }
    of::<bool>();
    of::<i8>();
    of::<i16>();
    of::<i32>();
    of::<i64>();
    of::<u8>();
    of::<u16>();
    of::<u32>();
    of::<u64>();
    of::<f16>();
    of::<bf16>();
    of::<f32>();
    of::<f64>();
    of::<Complex<f32>>();
    of::<Complex<f64>>();
}

fn types_of_two() {
    fn of<T: Element + Join<U>, U: Element>() {
        let (x, y) = (device().empty::<T>(0).unwrap(), device().empty::<U>(0).unwrap());
        let wanted = result_type(args![&x, &y]).unwrap();
        assert_eq!(<T as Join<U>>::Output::WANTED, Some(wanted), "{} {}", T::DTYPE, U::DTYPE);
    }
    fn with_all<T>()
    where
        T: Element + Join<bool> + Join<i8> + Join<i16> + Join<i32> + Join<i64> + Join<u8>,
        T: Join<u16> + Join<u32> + Join<u64> + Join<f16> + Join<bf16> + Join<f32> + Join<f64>,
        T: Join<Complex<f32>> + Join<Complex<f64>>,
    {
        of::<T, bool>();
        of::<T, i8>();
        of::<T, i16>();
        of::<T, i32>();
        of::<T, i64>();
        of::<T, u8>();
        of::<T, u16>();
        of::<T, u32>();
        of::<T, u64>();
        of::<T, f16>();
        of::<T, bf16>();
        of::<T, f32>();
        of::<T, f64>();
        of::<T, Complex<f32>>();
        of::<T, Complex<f64>>();
    }
    with_all::<bool>();
    with_all::<i8>();
    with_all::<i16>();
    with_all::<i32>();
    with_all::<i64>();
    with_all::<u8>();
    with_all::<u16>();
    with_all::<u32>();
    with_all::<u64>();
    with_all::<f16>();
    with_all::<bf16>();
    with_all::<f32>();
    with_all::<f64>();
    with_all::<Complex<f32>>();
    with_all::<Complex<f64>>();
}

fn types_joined() {
    fn half<T: Content>(x: &Array<T>, by: impl Operand<T, Joined = T>) -> DType {
        x.multiply(by).dtype().unwrap()
    }
    let empty = device().empty::<f16>(0).unwrap();
    assert_eq!(half(&empty, f16::from_f32(0.5)), DType::F16);
    assert_eq!(half(&empty, 0.5f32), DType::F16);
    assert_eq!(half(&device().empty::<Complex<f32>>(0).unwrap(), 0.5f32), DType::C64);
    assert_eq!(half(&empty.as_any().clone(), 0.5), DType::F16);
    assert_eq!(half(&empty.as_any().clone(), &empty), DType::F16);
    let truths = device().empty::<bool>(0).unwrap();
    let sums: Array<f32> = truths.add(device().empty::<f32>(0).unwrap()).eval().unwrap();
    assert_eq!(sums.dtype(), DType::F32);
}

fn by_name() {
    let all = Function::all().unwrap();
    let divmod = all.iter().find(|function| function.name == "divmod").unwrap();
    assert_eq!((divmod.inputs, divmod.outputs), (2, 2));
    assert_eq!(divmod.about, "floor_divide and remainder");
    let x = device().array(&[7i64, -7], 2).unwrap();
    let divmod = Function::new("divmod").unwrap();
    let (quotient, rest): (Array<i64>, Array<i64>) = divmod.call(args![&x, 4]).unwrap();
    assert_eq!(quotient.to_vec().unwrap(), [1, -2]);
    assert_eq!(rest.to_vec().unwrap(), [3, 1]);
    refused(Function::new("sum").unwrap().call::<()>(&[]), Status::ARGUMENT, &["\"sum\""]);
    refused(Function::new("a\0b"), Status::ARGUMENT, &["name has a NUL"]);
}

fn given_outputs() {
    let x = device().array(&[1i32, -2, 3], 3).unwrap();
    let mut y = device().zeros::<f64>(3).unwrap();
    device().synchronize().unwrap();
    let stream = Stream::new(device()).unwrap();
    let negative = Function::new("negative").unwrap();
    negative.on(&stream).call_into(args![&x], &mut y).unwrap();
    stream.synchronize().unwrap();
    assert_eq!(y.to_vec().unwrap(), [-1.0, 2.0, -3.0]);
    let odd = device().array(&[true, false, true], 3).unwrap();
    negative.only_where(&odd).call_into(args![&y.clone()], &mut y).unwrap();
    assert_eq!(y.to_vec().unwrap(), [1.0, 2.0, 3.0]);
    refused(
        negative.only_where(&odd).call::<Array<i32>>(args![&x]),
        Status::ARGUMENT,
        &["gpuarr_apply", "where"],
    );
}

fn refused_ones() {
    let (x, y) = (device().zeros::<i32>(3).unwrap(), device().zeros::<f32>(4).unwrap());
    refused(x.add(&y).eval(), Status::BROADCAST, &["add", "(3,)", "(4,)"]);
    refused(x.power(-2).eval(), Status::ARGUMENT, &["power", "-2"]);
    refused(y.invert().eval(), Status::DTYPE, &["invert", "float32"]);
    refused(x.equal(1).negative().eval(), Status::DTYPE, &["negative", "bool"]);
    let z = device().zeros::<Complex<f64>>(3).unwrap();
    refused(z.floor().eval(), Status::DTYPE, &["floor", "complex128"]);
    refused(x.as_any().add(0.5).downcast::<i32>().eval(), Status::DTYPE, &["float64"]);
}
