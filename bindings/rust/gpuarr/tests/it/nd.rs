//! Arrays of the crate `ndarray`.
use gpuarr::ndarray::{arr0, s, Array2, ShapeBuilder};
use gpuarr::{Array, Blocks, Status, Team};

use crate::support::{device, refused};

crate::tests! { there_and_back divided }

fn there_and_back() {
    let host = Array2::from_shape_fn((4, 6).f(), |(i, j)| (10 * i + j) as i32);
    let x = device().array_from(&host).unwrap();
    assert_eq!((x.shape(), x.strides()), (&[4i64, 6][..], &[1i64, 4][..]));
    assert_eq!(x.to_ndarray().unwrap(), host.clone().into_dyn());
    let section = host.slice(s![..;-1, 1..;2]);
    let y = Array::from_ndarray(&section).unwrap();
    assert_eq!(y.to_ndarray().unwrap(), section.to_owned().into_dyn());
    assert_eq!(y.transpose().unwrap().to_ndarray().unwrap(), section.t().to_owned().into_dyn());
    assert_eq!(Array::from_ndarray(&arr0(7.5f32)).unwrap().item().unwrap(), 7.5);
    let none = Array::from_ndarray(&Array2::<f64>::zeros((0, 3))).unwrap();
    assert_eq!(none.to_ndarray().unwrap().shape(), [0, 3]);
}

fn divided() {
    let team = Team::local(&[device(); 2]).unwrap();
    let mut x = team.empty::<i32>(&Blocks::new([4, 6]).chunk([3, 4])).unwrap();
    let host = Array2::from_shape_fn((4, 6).f(), |(i, j)| (10 * i + j) as i32);
    x.write_ndarray(&host).unwrap();
    assert_eq!(x.read((1..2, 4..)).unwrap(), [14, 15]);
    assert_eq!(x.to_ndarray().unwrap(), host.clone().into_dyn());
    refused(x.write_ndarray(&host.t()), Status::SHAPE, &["[6, 4]", "[4, 6]"]);
}
