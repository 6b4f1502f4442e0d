//! Raw kernels and modules.
use gpuarr::{
    args, checks, Arg, Array, Attribute, Listing, Module, Options, RawKernel, Status, Stream,
};

use crate::support::{device, refused};

crate::tests! {
    launches kinds_of_arguments prepared modules attributes files faults_that_checks_find
}

const SAXPY: &str = "
__global__ void saxpy(float a, const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}";

fn launches() {
    let saxpy = RawKernel::new(SAXPY, "saxpy").unwrap();
    let x = device().arange::<f32>(0, 100, 1).unwrap();
    let mut y = device().ones::<f32>(100).unwrap();
    unsafe { saxpy.grid([4, 1, 1]).block(32).launch(args![2.0f32, &x, &mut y, 100]) }.unwrap();
    unsafe { saxpy.launch_1d(100, args![1.0f32, &x, &mut y, 100]) }.unwrap();
    unsafe { saxpy.grid(0).block(32).launch(args![1.0f32, &x, &mut y, 100]) }.unwrap();
    let stream = Stream::new(device()).unwrap();
    device().synchronize().unwrap();
    let launch = saxpy.grid(4usize).block([32u32, 1]).shared_bytes(16).on(&stream);
    unsafe { launch.launch(args![1.0f32, &x, &mut y, 100]) }.unwrap();
    stream.synchronize().unwrap();
    for (i, value) in y.to_vec().unwrap().into_iter().enumerate() {
        assert_eq!(value, 1.0 + 4.0 * i as f32);
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
struct Line {
    slope: f64,
    offset: i32,
    filler: [u8; 8],
}

fn kinds_of_arguments() {
    let source = "#include <gpuarr.cuh>
struct Line { double slope; int offset; unsigned char filler[8]; };
__global__ void fill(gpuarr_view<double, 2> y, Line line, const int* none) {
  for (int i = 0; i < y.shape()[0]; ++i)
    for (int j = 0; j < y.shape()[1]; ++j)
      y(i, j) = line.slope * (10 * i + j) + line.offset + line.filler[7] + (none != nullptr);
}";
    let fill = RawKernel::new(source, "fill").unwrap();
    let whole = device().zeros::<f64>([3, 2]).unwrap();
    let y = whole.transpose().unwrap();
    let mut line = Line { slope: 0.5, offset: 3, filler: [0; 8] };
    line.filler[7] = 4;
    let arguments = [Arg::view(&y), Arg::bytes(&line), Arg::pointer(std::ptr::null())];
    unsafe { fill.grid(1).launch(&arguments) }.unwrap();
    assert_eq!(whole.to_vec().unwrap(), [7.0, 12.0, 7.5, 12.5, 8.0, 13.0]);
    let message = ["gpuarr_raw_launch", "fill"];
    refused(unsafe { fill.grid(1).launch(args![&y, 1]) }, Status::ARGUMENT, &message);
}

fn prepared() {
    let saxpy = RawKernel::new(SAXPY, "saxpy").unwrap();
    let x = device().ones::<f32>(3).unwrap();
    let y = device().zeros::<f32>(3).unwrap();
    let call = unsafe { saxpy.grid(1).block(3).prepare(args![2.0f32, &x, &y, 3]) }.unwrap();
    drop((saxpy, x));
    call.launch().unwrap();
    unsafe { call.set_scalar(0, 5.0f32) }.unwrap();
    let stream = Stream::new(device()).unwrap();
    device().synchronize().unwrap();
    call.launch_on(&stream).unwrap();
    stream.synchronize().unwrap();
    let failed = unsafe { call.set_scalar(1, 5.0f32) }; // it was given as an array
    refused(failed, Status::ARGUMENT, &["gpuarr_call_set_scalar"]);
    assert_eq!(y.to_vec().unwrap(), [7.0; 3]);
}

fn modules() {
    let source = "
__constant__ float weights[3];
__device__ int calls = 0;
template <class T, int N> __global__ void times(T* x) { x[threadIdx.x] *= N; }
__global__ void weigh(float* x) { x[threadIdx.x] *= weights[threadIdx.x]; ++calls; }";
    let module = Module::new(source).unwrap();
    let times = module.kernel("times<double, 4>").unwrap();
    module.build(device()).unwrap();
    let names = module.kernel_names(device()).unwrap();
    assert!(names.iter().any(|name| name == "weigh"), "{:?}", names);
    let mut weights: Array<f32> = module.global("weights", device()).unwrap();
    weights.copy_from_slice(&[1.0, 2.0, 3.0]).unwrap();
    let weigh = module.kernel_with_params("weigh", "float* x").unwrap();
    drop((module, weights));
    let x = device().ones::<f32>(3).unwrap();
    unsafe { weigh.grid(1).block(3).launch(args![&x]) }.unwrap();
    assert_eq!(x.to_vec().unwrap(), [1.0, 2.0, 3.0]);
    let wrong = device().ones::<f64>(3).unwrap();
    let texts = ["float64", "float* x"];
    refused(unsafe { weigh.grid(1).launch(args![&wrong]) }, Status::DTYPE, &texts);
    unsafe { times.grid(1).block(3).launch(args![&wrong]) }.unwrap();
    assert_eq!(wrong.to_vec().unwrap(), [4.0; 3]);
}

fn attributes() {
    let saxpy = RawKernel::new(SAXPY, "saxpy").unwrap();
    let signature = saxpy.signature(device()).unwrap();
    assert!(signature.starts_with("saxpy(float"), "{}", signature);
    assert!(saxpy.attribute(Attribute::MAX_THREADS, device()).unwrap() >= 256);
    saxpy.set_attribute(Attribute::SHARED_CARVEOUT, 50).unwrap();
    refused(saxpy.set_attribute(Attribute::REGISTERS, 1), Status::ARGUMENT, &["attribute"]);
    assert!(saxpy.occupancy(128, 0, device()).unwrap() >= 1);
    assert!(saxpy.best_block(0, device()).unwrap() >= 32);
}

fn files() {
    let folder = std::env::temp_dir().join(format!("gpuarr-rust-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("saxpy ☃.cu");
    std::fs::write(&path, SAXPY).unwrap();
    let module = Module::open(&path, &Options::new()).unwrap();
    match module.listing(Listing::Assembly, device()) {
        Ok(listing) => assert!(listing.contains("saxpy")),
        Err(error) => assert_eq!(error.status, Status::NO_LIBRARY, "{}", error),
    }
    std::fs::remove_dir_all(&folder).unwrap();
    refused(Module::open(&path, &Options::new()), Status::IO, &["saxpy ☃.cu"]);
    refused(Module::load(b"neither PTX nor a cubin"), Status::FORMAT, &["gpuarr_module_load"]);
    refused(module.kernel("daxpy"), Status::NOT_FOUND, &["daxpy", "saxpy"]);
}

fn faults_that_checks_find() {
    if device().name() != "host" {
        return; // a fault loses a GPU to the process
    }
    let options = Options::new().check(checks::MEMORY);
    let saxpy = RawKernel::with_options(SAXPY, "saxpy", &options).unwrap();
    let (x, y) = (device().ones::<f32>(3).unwrap(), device().ones::<f32>(4).unwrap());
    let launched = unsafe { saxpy.grid(1).block(4).launch(args![1.0f32, &x, &y, 4]) };
    match launched.and_then(|()| device().synchronize()) {
        Err(error) if error.status == Status::UNSUPPORTED => {} // it takes g++
        other => {
            refused(other, Status::FAULT, &["x[3]", "thread (3,0,0)", "1 element behind its end"]);
        }
    }
}
