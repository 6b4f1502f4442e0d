//! Elements in other places: joined, cut, repeated, taken by indices and by masks.
use gpuarr::{broadcast_arrays, concatenate, meshgrid, stack, Array, Element, Indexing, Pad};
use gpuarr::{Result, Status, ALL};

use crate::support::{device, indices, refused, Random, Seen};

crate::tests! {
    joined cut grids repeated shifted framed triangles taken put_back chosen_by_masks
    places_of_what_is_not_0 refused_ones
}

fn all<T: Element>(array: Result<Array<T>>) -> Vec<T> {
    array.unwrap().to_vec().unwrap()
}

/// 0 to the number of elements, less one.
fn counted(shape: &[i64]) -> Array<i32> {
    let count: i64 = shape.iter().product();
    device().arange(0, count, 1).unwrap().reshape(shape).unwrap()
}

fn joined() {
    let (x, y) = (counted(&[2, 2]), counted(&[1, 2]));
    assert_eq!(all(concatenate(&[&x, &y, &x], 0)), [0, 1, 2, 3, 0, 1, 0, 1, 2, 3]);
    assert_eq!(all(concatenate(&[&x, &x], -1)), [0, 1, 0, 1, 2, 3, 2, 3]);
    let stacked = stack(&[&x, &x], 1).unwrap();
    assert_eq!(stacked.shape(), [2, 2, 2]);
    assert_eq!(all(stacked.select(1, 1)), [0, 1, 2, 3]);
    let other = device().array(&[0.5f32], [1, 1]).unwrap().broadcast([1, 2]).unwrap();
    let mixed = concatenate(&[x.as_any(), other.as_any()], 0).unwrap();
    assert_eq!(all(mixed.downcast::<f64>()), [0.0, 1.0, 2.0, 3.0, 0.5, 0.5]);
}

fn cut() {
    let x = counted(&[6]);
    let parts = x.split(3, 0).unwrap();
    assert_eq!(parts.len(), 3);
    assert_eq!(parts[2].to_vec().unwrap(), [4, 5]);
    let mut parts = x.split_at(&[1, -2], 0).unwrap();
    assert_eq!(parts[1].to_vec().unwrap(), [1, 2, 3]);
    parts[1].fill(7).unwrap(); // they are views
    assert_eq!(x.to_vec().unwrap(), [0, 7, 7, 7, 4, 5]);
    assert_eq!(x.split_at(&[], 0).unwrap().len(), 1);
}

fn grids() {
    let (x, y) = (counted(&[3]), counted(&[2, 1]));
    let both = broadcast_arrays(&[&x, &y]).unwrap();
    assert_eq!(both[1].to_vec().unwrap(), [0, 0, 0, 1, 1, 1]);
    let y = counted(&[2]);
    assert_eq!(meshgrid(&[&x, &y], Indexing::Xy).unwrap()[0].to_vec().unwrap(), [0, 1, 2, 0, 1, 2]);
    assert_eq!(meshgrid(&[&x, &y], Indexing::Ij).unwrap()[0].to_vec().unwrap(), [0, 0, 1, 1, 2, 2]);
}

fn repeated() {
    let x = counted(&[2, 2]);
    let tiled = x.tile([2, 1, 2]).unwrap();
    assert_eq!(tiled.shape(), [2, 2, 4]);
    assert_eq!(tiled.select(0, 1).unwrap().to_vec().unwrap(), [0, 1, 0, 1, 2, 3, 2, 3]);
    assert_eq!(all(x.repeat(2, 0)), [0, 1, 0, 1, 2, 3, 2, 3]);
    let counts = device().array(&[0u8, 3], 2).unwrap();
    assert_eq!(all(x.repeat_each(&counts, 1)), [1, 1, 1, 3, 3, 3]);
}

fn shifted() {
    let x = counted(&[2, 3]);
    assert_eq!(all(x.roll(1, 1)), [2, 0, 1, 5, 3, 4]);
    assert_eq!(all(x.roll([1, -1], [0, 1])), [4, 5, 3, 1, 2, 0]);
    assert_eq!(all(x.flip(0)), [3, 4, 5, 0, 1, 2]);
    assert_eq!(all(x.flip(ALL)), [5, 4, 3, 2, 1, 0]);
    assert_eq!(all(x.rot90(1, 0, 1)), [2, 5, 1, 4, 0, 3]);
    assert_eq!(all(x.rot90(-1, 0, 1)), [3, 0, 4, 1, 5, 2]);
}

fn framed() {
    let x = counted(&[3]);
    assert_eq!(all(x.pad(&[(1, 2)], Pad::Constant(9.into()))), [9, 0, 1, 2, 9, 9]);
    assert_eq!(all(x.pad(&[(1, 2)], Pad::Edge)), [0, 0, 1, 2, 2, 2]);
    assert_eq!(all(x.pad(&[(1, 2)], Pad::Reflect)), [1, 0, 1, 2, 1, 0]);
    assert_eq!(all(x.pad(&[(1, 2)], Pad::Symmetric)), [0, 0, 1, 2, 2, 1]);
    assert_eq!(all(x.pad(&[(1, 2)], Pad::Wrap)), [2, 0, 1, 2, 0, 1]);
    refused(x.pad(&[], Pad::Edge), Status::ARGUMENT, &["0 pairs", "1 axes"]);
}

fn triangles() {
    let x = counted(&[2, 2]);
    assert_eq!(all(x.triu(1)), [0, 1, 0, 0]);
    assert_eq!(all(x.tril(0)), [0, 0, 2, 3]);
    assert_eq!(all(counted(&[2]).diag(-1)), [0, 0, 0, 0, 0, 0, 0, 1, 0]);
    assert_eq!(all(device().tri::<u8>([2, 3], 0)), [1, 0, 0, 1, 1, 0]);
    refused(device().tri::<u8>(3, 0), Status::SHAPE, &["two axes", "[3]"]);
}

fn taken() {
    let mut random = Random::new(11);
    let values = (0..60).map(|_| random.between(-99, 99)).collect();
    let x = Seen::<i64>::new(&[3, 4, 5], values).random_view(&mut random);
    let at: Vec<i32> = (0..6).map(|_| random.between(-x.shape[1], x.shape[1] - 1) as i32).collect();
    let places = device().array(&at, 6).unwrap();
    let mut shape = x.shape.clone();
    shape[1] = 6;
    let element = |index: &[i64]| {
        let k = i64::from(at[index[1] as usize]);
        let k = if k < 0 { k + x.shape[1] } else { k };
        x.values[((index[0] * x.shape[1] + k) * x.shape[2] + index[2]) as usize]
    };
    let wanted: Vec<i64> = indices(&shape).iter().map(|index| element(index)).collect();
    let result = x.array.take(&places, 1).unwrap();
    assert_eq!(result.shape(), shape);
    assert_eq!(result.to_vec().unwrap(), wanted);
    let each = places.reshape([1, -1, 1]).unwrap();
    assert_eq!(all(x.array.take_along_axis(&each, 1)), wanted);
}

fn put_back() {
    let at = device().array(&[2i64, 0, 2], 3).unwrap();
    let mut x = counted(&[4]);
    x.put(&at, -1, 0).unwrap();
    assert_eq!(x.to_vec().unwrap(), [-1, 1, -1, 3]);
    x.put_add(&at, &counted(&[3]), 0).unwrap();
    assert_eq!(x.to_vec().unwrap(), [0, 1, 1, 3]);
    let mut x = counted(&[2, 2]);
    let at = device().array(&[1i8, 0], [2, 1]).unwrap();
    x.put_along_axis(&at, &device().array(&[7.0, 8.0], [2, 1]).unwrap(), 1).unwrap();
    assert_eq!(x.to_vec().unwrap(), [0, 7, 8, 3]);
}

fn chosen_by_masks() {
    let mut x = counted(&[2, 3]);
    let odd = (&x % 2).equal(1).eval().unwrap();
    assert_eq!(all(x.masked(&odd)), [1, 3, 5]);
    let mut front = device().zeros::<i32>(2).unwrap();
    let count = x.masked_into(&odd, &mut front).unwrap();
    assert_eq!((front.to_vec().unwrap(), count.item().unwrap()), (vec![1, 3], 3));
    x.place(&odd, &device().array(&[10, 20], 2).unwrap()).unwrap();
    assert_eq!(x.to_vec().unwrap(), [0, 10, 2, 20, 4, 10]);
    x.place(&odd, 0).unwrap();
    assert_eq!(x.sum(ALL).item().unwrap(), 6);
}

fn places_of_what_is_not_0() {
    let x = device().array(&[0.0, 2.0, f64::NAN, 0.0, 0.0, 1.0], [2, 3]).unwrap();
    assert_eq!(all(x.flatnonzero()), [1, 2, 5]);
    let places = x.nonzero().unwrap();
    assert_eq!(places[0].to_vec().unwrap(), [0, 0, 1]);
    assert_eq!(places[1].to_vec().unwrap(), [1, 2, 2]);
}

fn refused_ones() {
    let x = counted(&[2, 3]);
    refused(concatenate::<f32>(&[], 0), Status::ARGUMENT, &["gpuarr_concatenate"]);
    refused(concatenate(&[&x, &counted(&[2, 2])], 0), Status::SHAPE, &["(2, 3)", "(2, 2)"]);
    refused(x.split(2, 1), Status::SHAPE, &["gpuarr_split", "3", "2"]);
    refused(x.split(usize::MAX, 1), Status::SHAPE, &["sections", "longest axis has 3"]);
    refused(x.roll([1, 2], 0), Status::ARGUMENT, &["2 shifts"]);
    refused(x.tile([-1, 2]), Status::ARGUMENT, &["gpuarr_tile", "-1"]);
    let mask = device().ones::<bool>(3).unwrap();
    refused(x.masked(&mask), Status::SHAPE, &["gpuarr_select", "(3,)", "(2, 3)"]);
    let mut y = x.copy().unwrap();
    let far = device().array(&[0, 5], 2).unwrap();
    let texts = ["index 5", "axis 0", "2"];
    // The call fails, or what waits for its work.
    refused(x.take(&far, 0).and_then(|result| result.to_vec()), Status::INDEX, &texts);
    refused(y.put(&far, 0, 0).and_then(|()| device().synchronize()), Status::INDEX, &texts);
    refused(y.put(&mask, 0, 0), Status::DTYPE, &["gpuarr_put", "bool"]);
    refused(x.select(0, 0).unwrap().sum(0).eval().unwrap().nonzero(), Status::SHAPE, &["nonzero"]);
}
