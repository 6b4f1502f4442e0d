//! Bad input: each failure has its status, and a message that names what is wrong.
use gpuarr::{
    args, AnyArray, Array, DType, Device, Elementwise, Module, Options, Order, Reduction,
};
use gpuarr::{Status, ALL};

use crate::support::{device, refused};

crate::tests! {
    shapes_and_ranks dtypes_and_values texts_that_do_not_compile texts_with_a_nul
    results_of_another_type overlaps devices_that_are_none errors_as_values too_many_axes
}

fn shapes_and_ranks() {
    let texts = ["data has 5 elements", "[2, 3]", "takes 6"];
    refused(device().array(&[0; 5], [2, 3]), Status::SHAPE, &texts);
    refused(device().array(&[0], [i64::MAX, 8]), Status::SHAPE, &["too many"]);
    refused(device().zeros::<f32>([2, -1]), Status::SHAPE, &["gpuarr_array_zeros", "-1"]);
    refused(device().zeros::<f32>(usize::MAX), Status::SHAPE, &["gpuarr_array_zeros"]);
    refused(device().eye::<f32>(3, 0), Status::SHAPE, &["two axes", "[3]"]);
    let mut x = device().zeros::<f32>([2, 3]).unwrap();
    refused(x.reshape([4, 2]), Status::SHAPE, &["(2, 3)", "(4, 2)"]);
    refused(x.transpose().unwrap().reshape(6), Status::SHAPE, &["gpuarr_array_reshape"]);
    refused(x.slice(2, ..), Status::AXIS, &["gpuarr_array_slice", "2"]);
    refused(x.slice(0, gpuarr::Slice::step(.., 0)), Status::ARGUMENT, &["step"]);
    refused(x.select(0, 5), Status::AXIS, &["5"]);
    refused(x.squeeze(0), Status::SHAPE, &["gpuarr_array_squeeze"]);
    refused(x.sum([0, 0]).eval(), Status::AXIS, &["sum"]);
    refused(x.item(), Status::SHAPE, &["one element", "[2, 3]"]);
    refused(x.copy_from_slice(&[0.0]), Status::SHAPE, &["1 elements", "takes 6"]);
    refused(x.copy_to_slice(&mut [0.0; 7]), Status::SHAPE, &["7 elements"]);
    let other = device().zeros::<f32>(4).unwrap();
    refused(x.assign(&other), Status::BROADCAST, &["gpuarr_array_assign", "(4,)"]);
    let add = Elementwise::new("T x, T y", "T z", "z = x + y;").unwrap();
    let failed = add.call::<Array<f32>>(args![&x, &other]);
    refused(failed, Status::BROADCAST, &["(2, 3)", "(4,)"]);
    refused(
        add.call_into(args![&x, &x], &mut other.clone()),
        Status::BROADCAST,
        &["(4,)", "(2, 3)"],
    );
    refused(add.call::<Array<f32>>(args![&x]), Status::ARGUMENT, &["gpuarr_elementwise_call"]);
    refused(add.call::<()>(args![&x, &x]), Status::ARGUMENT, &["output"]);
    refused(add.size(3).call::<Array<f32>>(args![&x, &x]), Status::ARGUMENT, &["size"]);
    let empty = device().zeros::<f32>(0).unwrap();
    refused(empty.max(ALL).eval(), Status::EMPTY, &["max"]);
    let sum = Reduction::new("T x", "T y", "x", "a + b", "y = a", None).unwrap();
    refused(sum.call::<Array<f32>>(args![&empty], 0), Status::EMPTY, &["identity"]);
    refused(sum.call::<Array<f32>>(args![&x], 2), Status::AXIS, &["2"]);
}

fn dtypes_and_values() {
    let add = Elementwise::new("T x, T y", "T z", "z = x + y;").unwrap();
    let (x, y) = (device().zeros::<f32>(3).unwrap(), device().zeros::<f64>(3).unwrap());
    let failed = add.call::<AnyArray>(args![&x, &y]);
    refused(failed, Status::DTYPE, &["float32", "float64"]);
    refused(add.call_into(args![&x, &x], &mut y.clone()), Status::DTYPE, &["float64"]);
    refused(device().full::<u8>(3, -1), Status::DTYPE, &["gpuarr_array_full", "-1"]);
    refused(device().full::<i32>(3, 0.5), Status::DTYPE, &["0.5"]);
    refused(DType::from_name("float31"), Status::TYPE, &["float31"]);
    refused(Elementwise::new("T x,", "T y", "y = x;"), Status::SYNTAX, &["in_params"]);
    refused(Elementwise::new("flot x", "T y", "y = x;"), Status::TYPE, &["flot"]);
    refused(y.dot(&device().zeros(4).unwrap()), Status::SHAPE, &["gpuarr_dot"]);
    let complex = device().zeros::<gpuarr::num_complex::Complex<f32>>(2).unwrap();
    refused(complex.logsumexp(0).eval(), Status::DTYPE, &["complex64"]);
}

fn texts_that_do_not_compile() {
    let options = Options::new().name("broken_thing");
    let body = "// größer: ☃, \"quoted\"\nz = x + undeclared;";
    let broken = Elementwise::with_options("T x", "T z", body, &options).unwrap();
    let x = device().zeros::<f32>(3).unwrap();
    let texts = ["broken_thing", "body, line 2, column 9", "undeclared", "2 | z = x + undeclared;"];
    refused(broken.call::<Array<f32>>(args![&x]), Status::COMPILE, &texts);
    let sum = Reduction::new("T x", "T y", "x", "a + ", "y = a", None).unwrap();
    refused(sum.call::<Array<f32>>(args![&x], 0), Status::COMPILE, &["reduce"]);
    let module = Module::new("__global__ void k() { nothing_of_that_name(); }").unwrap();
    refused(module.build(device()), Status::COMPILE, &["nothing_of_that_name"]);
}

fn texts_with_a_nul() {
    let texts = ["body has a NUL in line 2 (byte 9)"];
    refused(Elementwise::new("T x", "T y", "y = x;\n//\0"), Status::ARGUMENT, &texts);
    refused(Elementwise::new("T \0x", "T y", ""), Status::ARGUMENT, &["in_params"]);
    refused(Module::new("\0"), Status::ARGUMENT, &["source has a NUL in line 1 (byte 0)"]);
    let options = Options::new().preamble("\0");
    let failed = Elementwise::with_options("T x", "T y", "y = x;", &options);
    refused(failed, Status::ARGUMENT, &["preamble"]);
    refused(Device::open("ho\0st"), Status::ARGUMENT, &["name"]);
    refused(gpuarr::npy::load("a\0b.npy", device()), Status::ARGUMENT, &["path", "a\\0b.npy"]);
}

fn results_of_another_type() {
    let kernel = Elementwise::new("T x", "float64 y, T z", "y = x; z = x;").unwrap();
    let x = device().zeros::<i32>(3).unwrap();
    let failed = kernel.call::<(Array<f64>, Array<f32>)>(args![&x]);
    refused(failed, Status::DTYPE, &["float32 is wanted", "is int32"]);
    refused(x.into_any().downcast::<u32>(), Status::DTYPE, &["uint32 is wanted", "is int32"]);
}

fn overlaps() {
    let copy = Elementwise::new("T x", "T y", "y = x;").unwrap();
    let x = device().zeros::<i32>(3).unwrap();
    let mut all = x.broadcast([2, 3]).unwrap();
    refused(all.fill(1), Status::OVERLAP, &["gpuarr_array_fill"]);
    refused(copy.call_into(args![&x], &mut all), Status::OVERLAP, &["gpuarr_elementwise_call"]);
    let mut shifted = x.slice(0, 1..).unwrap();
    let inputs = x.slice(0, ..2).unwrap();
    refused(copy.prepare(args![&inputs], &mut shifted), Status::OVERLAP, &["prepare"]);
}

fn devices_that_are_none() {
    refused(Device::open("gpu"), Status::NO_DEVICE, &["\"gpu\"", "\"cuda:N\""]);
    assert!(Device::open("cuda:99").is_err());
}

fn errors_as_values() {
    let error = refused(Device::open("gpu"), Status::NO_DEVICE, &[]);
    assert_eq!(error.status.name(), "GPUARR_ERR_NO_DEVICE");
    assert_eq!(error.status.code(), gpuarr::sys::GPUARR_ERR_NO_DEVICE);
    assert_eq!(format!("{}", error), error.message);
    let start = "GPUARR_ERR_NO_DEVICE (401): gpuarr_device_open";
    assert!(format!("{:?}", error).starts_with(start), "{:?}", error);
    let boxed: Box<dyn std::error::Error + Send + Sync> = error.clone().into();
    assert_eq!(boxed.to_string(), error.message);
    // An earlier error is not the next one's.
    let next = refused(device().zeros::<f32>(-1), Status::SHAPE, &[]);
    assert_ne!(next, error);
}

fn too_many_axes() {
    let texts = ["a shape of 33 axes", "32 at most"];
    refused(device().zeros::<f32>([1; 33]), Status::SHAPE, &texts);
    let most = device().zeros::<f32>([1; 32]).unwrap();
    assert_eq!((most.ndim(), most.is_contiguous(Order::C)), (32, true));
    refused(most.expand(0), Status::SHAPE, &["gpuarr_array_expand"]);
    refused(most.sum([0; 40]).eval(), Status::AXIS, &["a list of 40 axes"]);
}
