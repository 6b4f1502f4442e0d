//! Memory of others, DLPack, and what C is handed.
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;

use gpuarr::{args, Array, Device, Elementwise, Shape, Status};

use crate::support::{device, refused, Quiet};

crate::tests! { wrapped a_panic_in_a_deleter tensors references }

fn wrapped() {
    let host = Device::open("host").unwrap();
    let mut memory = vec![0.0f32, 1.0, 2.0, 3.0, 4.0, 5.0];
    let first = memory.as_mut_ptr();
    let calls = Arc::new(AtomicUsize::new(0));
    let give_back = |calls: &Arc<AtomicUsize>| {
        let (calls, memory) = (Arc::clone(calls), std::mem::take(&mut memory));
        move || {
            drop(memory);
            calls.fetch_add(1, Ordering::SeqCst);
        }
    };
    let give_back = { give_back }(&calls);
    let x = unsafe { Array::wrap(host, first, [2, 3], None, give_back) }.unwrap();
    let row = host.array(&[6.0f64, 8.0, 10.0], 3).unwrap();
    x.select(0, 1).unwrap().assign(&row).unwrap();
    assert_eq!(x.to_vec().unwrap(), [0.0, 1.0, 2.0, 6.0, 8.0, 10.0]);
    let view = x.select(0, 1).unwrap();
    drop(x);
    assert_eq!(calls.load(Ordering::SeqCst), 0);
    assert_eq!(view.to_vec().unwrap(), [6.0, 8.0, 10.0]);
    drop(view);
    assert_eq!(calls.load(Ordering::SeqCst), 1);

    let mut small = [1i16, 2, 3, 4];
    let columns = Shape::column_major([2, 2]);
    let y = unsafe { Array::wrap(host, small.as_mut_ptr(), columns, None, || ()) }.unwrap();
    assert_eq!(y.to_vec().unwrap(), [1, 3, 2, 4]);
    let first = small.as_mut_ptr();
    let z = unsafe { Array::wrap(host, first.add(3), 4, Some(&[-1]), || ()) }.unwrap();
    assert_eq!(z.to_vec().unwrap(), [4, 3, 2, 1]);
    let failed = unsafe { Array::wrap(host, first, [2, 2], Some(&[1]), || ()) };
    refused(failed, Status::SHAPE, &["strides has 1 elements"]);
    let alive = Arc::clone(&calls);
    let null = std::ptr::null_mut::<f64>();
    let failed = unsafe { Array::wrap(host, null, 3, None, move || drop(alive)) };
    refused(failed, Status::ARGUMENT, &["gpuarr_array_wrap"]);
    assert_eq!(Arc::strong_count(&calls), 1);
}

fn a_panic_in_a_deleter() {
    let host = Device::open("host").unwrap();
    let mut memory = [1u8; 4];
    let x = unsafe { Array::wrap(host, memory.as_mut_ptr(), 4, None, || panic!("gone")) }.unwrap();
    let quiet = Quiet::new();
    drop(x);
    drop(quiet);
}

fn tensors() {
    let x = device().arange::<f32>(0, 6, 1).unwrap().reshape([2, 3]).unwrap();
    let tensor = x.transpose().unwrap().to_dlpack(None).unwrap();
    let data = x.data_ptr();
    drop(x);
    let y = unsafe { Array::<f32>::from_dlpack(tensor, None) }.unwrap();
    assert_eq!((y.shape(), y.data_ptr()), (&[3i64, 2][..], data));
    assert_eq!(y.to_vec().unwrap(), [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]);
    let stream = gpuarr::Stream::new(device()).unwrap();
    let tensor = y.to_dlpack(Some(&stream)).unwrap();
    let failed = unsafe { Array::<f64>::from_dlpack(tensor, Some(&stream)) };
    refused(failed, Status::DTYPE, &["float64 is wanted", "is float32"]);
}

fn references() {
    let x = device().ones::<i32>(3).unwrap();
    let raw = x.into_raw();
    let x = unsafe { Array::<i32>::from_raw(raw) }.unwrap();
    assert_eq!(x.as_ptr(), raw.as_ptr());
    let kernel = Elementwise::new("T x", "T y", "y = x;").unwrap();
    let kernel = unsafe { Elementwise::from_raw(kernel.into_raw()) };
    let y: Array<i32> = kernel.clone().call(args![&x]).unwrap();
    assert_eq!(y.to_vec().unwrap(), [1; 3]);
}
