//! Making arrays, asking them, copying them to and from the host.
use gpuarr::half::{bf16, f16};
use gpuarr::num_complex::Complex;
use gpuarr::{AnyArray, Array, DType, Device, DeviceKind, Element, Order, Shape};

use crate::support::device;

crate::tests! {
    every_type_there_and_back made_on_the_device orders metadata conversions no_axes no_elements
    any_arrays bytes_that_are_no_bool devices dtypes
}

fn there_and_back<T: Element>(values: &[T], name: &str) {
    let array = device().array(values, values.len()).unwrap();
    assert_eq!(array.dtype(), T::DTYPE);
    assert_eq!(array.dtype().name(), name);
    assert_eq!(array.dtype().size(), std::mem::size_of::<T>());
    assert_eq!(array.to_vec().unwrap(), values);
    let mut filled = device().zeros::<T>(3).unwrap();
    filled.fill(values[1]).unwrap();
    assert_eq!(filled.to_vec().unwrap(), [values[1]; 3]);
    let one = device().full::<T>((), values[1]).unwrap();
    assert_eq!(one.item().unwrap(), values[1]);
}

fn every_type_there_and_back() {
    there_and_back(&[false, true, true], "bool");
    there_and_back(&[i8::MIN, -1, i8::MAX], "int8");
    there_and_back(&[i16::MIN, -1, i16::MAX], "int16");
    there_and_back(&[i32::MIN, -1, i32::MAX], "int32");
    there_and_back(&[i64::MIN, -1, i64::MAX], "int64");
    there_and_back(&[0, 7, u8::MAX], "uint8");
    there_and_back(&[0, 7, u16::MAX], "uint16");
    there_and_back(&[0, 7, u32::MAX], "uint32");
    there_and_back(&[0, 7, u64::MAX], "uint64");
    there_and_back(&[f16::from_f32(0.1), f16::from_f32(-65504.0)], "float16");
    there_and_back(&[bf16::from_f32(0.1), bf16::from_f32(-3e38)], "bfloat16");
    there_and_back(&[f32::MIN_POSITIVE, -1.5, f32::INFINITY], "float32");
    there_and_back(&[f64::MIN_POSITIVE, -1.5, f64::MAX], "float64");
    there_and_back(&[Complex::new(1.5f32, -2.0), Complex::new(0.0, 3.0)], "complex64");
    there_and_back(&[Complex::new(1.5f64, -2.0), Complex::new(0.0, 3.0)], "complex128");
}

fn made_on_the_device() {
    let device = device();
    assert_eq!(device.zeros::<i32>([2, 2]).unwrap().to_vec().unwrap(), [0; 4]);
    assert_eq!(device.ones::<f64>([2, 2]).unwrap().to_vec().unwrap(), [1.0; 4]);
    assert_eq!(device.full::<u8>(2, 7).unwrap().to_vec().unwrap(), [7, 7]);
    assert_eq!(device.arange::<i32>(5, -1, -2).unwrap().to_vec().unwrap(), [5, 3, 1]);
    assert_eq!(device.linspace::<f64>(0.0, 1.0, 5).unwrap().to_vec().unwrap()[4], 1.0);
    let eye = device.eye::<i8>([2, 3], 1).unwrap();
    assert_eq!(eye.to_vec().unwrap(), [0, 1, 0, 0, 0, 1]);
    let empty = device.empty::<f32>([4, 5]).unwrap();
    assert_eq!((empty.len(), empty.device()), (20, device));
    // The same on the default device, which is this one here.
    assert_eq!(Array::<i16>::zeros(2).unwrap().to_vec().unwrap(), [0, 0]);
    assert_eq!(Array::<i16>::ones(2).unwrap().device(), device);
    assert_eq!(Array::<i16>::empty(2).unwrap().len(), 2);
    assert_eq!(Array::from_slice(&[1u8, 2], 2).unwrap().to_vec().unwrap(), [1, 2]);
}

fn orders() {
    let columns = [1, 2, 3, 4, 5, 6]; // of a matrix of 2 rows
    let x = device().array(&columns, Shape::column_major([2, 3])).unwrap();
    assert_eq!(x.strides(), [1, 2]);
    assert_eq!(x.to_vec().unwrap(), [1, 3, 5, 2, 4, 6]);
    assert!(x.is_contiguous(Order::F) && x.is_contiguous(Order::K) && !x.is_contiguous(Order::C));
    assert_eq!(x.copy().unwrap().strides(), [1, 2]);
    assert_eq!(x.copy_in(Order::C).unwrap().strides(), [3, 1]);
    let c = x.contiguous(Order::C).unwrap();
    assert_eq!(c.to_vec().unwrap(), x.to_vec().unwrap());
    assert_eq!(c.contiguous(Order::C).unwrap().data_ptr(), c.data_ptr());
    let made = device().zeros::<f32>(Shape::column_major(&[4usize, 5][..])).unwrap();
    assert_eq!(made.strides(), [1, 4]);
}

fn metadata() {
    let vec = vec![2u64, 3, 4];
    let x = device().ones::<f32>(&vec).unwrap();
    assert_eq!((x.shape(), x.strides(), x.ndim()), (&[2i64, 3, 4][..], &[12i64, 4, 1][..], 3));
    assert_eq!((x.len(), x.is_empty(), x.is_read_only()), (24, false, false));
    assert!(!x.data_ptr().is_null());
    assert_eq!(format!("{:?}", x), format!("Array(float32, [2, 3, 4], on {})", device()));
    let same = x.clone();
    assert_eq!(same.data_ptr(), x.data_ptr());
    drop(x);
    assert_eq!(same.sum(gpuarr::ALL).item().unwrap(), 24.0);
    let current = gpuarr::Stream::current(device()).unwrap();
    assert_eq!(same.stream().unwrap().unwrap().native(), current.native());
}

fn conversions() {
    let x = device().array(&[0.0f64, 1.75, -2.5, 300.0], 4).unwrap();
    assert_eq!(x.astype::<i32>().unwrap().to_vec().unwrap(), [0, 1, -2, 300]);
    assert_eq!(x.astype::<bool>().unwrap().to_vec().unwrap(), [false, true, true, true]);
    assert_eq!(x.astype_of(DType::F16).unwrap().dtype(), DType::F16);
    let mut target = device().zeros::<i16>([2, 4]).unwrap();
    target.assign(&x).unwrap(); // converted and broadcast
    assert_eq!(target.to_vec().unwrap(), [0, 1, -2, 300, 0, 1, -2, 300]);
    target.copy_from_slice(&[8, 7, 6, 5, 4, 3, 2, 1]).unwrap();
    let mut back = [0i16; 8];
    target.to_device(device()).unwrap().copy_to_slice(&mut back).unwrap();
    assert_eq!(back, [8, 7, 6, 5, 4, 3, 2, 1]);
    let host = Device::open("host").unwrap();
    assert_eq!(target.to_device(host).unwrap().to_vec().unwrap(), back);
}

fn no_axes() {
    let x = device().array(&[42.5f64], ()).unwrap();
    assert_eq!((x.shape(), x.strides(), x.len(), x.ndim()), (&[][..], &[][..], 1, 0));
    assert_eq!(x.to_vec().unwrap(), [42.5]);
    assert_eq!(x.item().unwrap(), 42.5);
    assert_eq!(x.expand(0).unwrap().shape(), [1]);
    assert_eq!(x.reshape([1, 1]).unwrap().squeeze(gpuarr::ALL).unwrap().ndim(), 0);
}

fn no_elements() {
    let x = device().array(&[] as &[f32], [3, 0, 2]).unwrap();
    assert!(x.is_empty() && x.data_ptr().is_null());
    assert_eq!(x.to_vec().unwrap(), []);
    assert_eq!(x.copy().unwrap().shape(), [3, 0, 2]);
    assert_eq!(x.sum(1).to_vec().unwrap(), [0.0; 6]);
    let mut y = x.astype::<i64>().unwrap();
    y.fill(1).unwrap();
    y.copy_from_slice(&[]).unwrap();
    y.copy_to_slice(&mut []).unwrap();
}

fn any_arrays() {
    let any: AnyArray = device().array(&[1i32, 2, 3], 3).unwrap().into_any();
    assert_eq!((any.dtype(), any.shape()), (DType::I32, &[3i64][..]));
    let sum = any.sum(0);
    assert_eq!(sum.dtype().unwrap(), DType::I64);
    assert_eq!(sum.downcast::<i64>().item().unwrap(), 6);
    let mut zeros = device().zeros_of(DType::U16, [2, 2]).unwrap();
    zeros.fill(9).unwrap();
    assert_eq!(zeros.astype::<f32>().unwrap().to_vec().unwrap(), [9.0; 4]);
    let typed: Array<i32> = any.slice(0, 1..).unwrap().downcast().unwrap();
    assert_eq!(typed.as_any().dtype(), DType::I32);
    assert_eq!(typed.to_vec().unwrap(), [2, 3]);
}

/// Rust's bools are 0 or 1, whatever a kernel, a file or another library wrote.
fn bytes_that_are_no_bool() {
    let mut bytes = vec![0u8, 1, 2, 255];
    let (host, first) = (Device::open("host").unwrap(), bytes.as_mut_ptr().cast::<bool>());
    let bools = unsafe { Array::wrap(host, first, 4, None, || ()) }.unwrap();
    assert_eq!(bools.to_vec().unwrap(), [false, true, true, true]);
}

fn devices() {
    let device = device();
    assert_eq!(device.name(), crate::support::device_name());
    assert_eq!(Device::default().unwrap(), device);
    assert_eq!(Device::count(DeviceKind::Host).unwrap(), 1);
    let host = device.name() == "host";
    assert_eq!(device.kind(), if host { DeviceKind::Host } else { DeviceKind::Cuda });
    assert!(!device.description().is_empty());
    assert!(device.processors().unwrap() >= 1);
    assert_eq!(device.compute_capability().unwrap() == 0, host);
    let (free, total) = device.free_and_total_bytes().unwrap();
    assert!(0 < free && free <= total);
    assert!(!device.compiler().unwrap().is_empty());
    assert_eq!(device.driver().unwrap().is_empty(), host);
    assert_eq!(device.blas().unwrap().contains("cuBLAS"), !host);
    assert_eq!(device.solver().unwrap().contains("cuSOLVER"), !host);
    assert!(device.can_access(device).unwrap());
    assert!(device.highest_priority().unwrap() <= device.lowest_priority().unwrap());
    device.l2_bytes().unwrap();
    device.synchronize().unwrap();
}

fn dtypes() {
    assert_eq!(DType::from_name("float32").unwrap(), DType::F32);
    assert_eq!(DType::from_name("c64").unwrap(), DType::C64);
    assert_eq!(format!("{} {:?}", DType::BF16, DType::BOOL), "bfloat16 bool");
    assert_eq!((DType::C128.size(), DType::F32.code()), (16, gpuarr::sys::GPUARR_F32));
}
