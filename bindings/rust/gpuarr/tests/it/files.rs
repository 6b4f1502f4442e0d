//! Files of NumPy's.
use gpuarr::half::bf16;
use gpuarr::{npy, Order, Shape, Status};

use crate::support::{device, refused};

crate::tests! { saved_and_loaded }

fn saved_and_loaded() {
    let path = std::env::temp_dir().join(format!("gpuarr-rust-{}-é.npy", std::process::id()));
    let x = device().array(&[1.5f64, 2.5, 3.5, 4.5], Shape::column_major([2, 2])).unwrap();
    npy::save(&path, &x).unwrap();
    let y = npy::load(&path, device()).unwrap().downcast::<f64>().unwrap();
    assert_eq!(y.to_vec().unwrap(), x.to_vec().unwrap());
    assert!(y.is_contiguous(Order::F));
    let none = device().zeros::<bf16>(1).unwrap();
    refused(npy::save(&path, &none), Status::DTYPE, &["bfloat16"]);
    std::fs::write(&path, "no array").unwrap();
    refused(npy::load(&path, device()), Status::FORMAT, &["é.npy"]);
    std::fs::remove_file(&path).unwrap();
    refused(npy::load(&path, device()), Status::IO, &["é.npy"]);
}
