//! Views, against plain loops.
use gpuarr::{Order, Slice};

use crate::support::{device, Random, Seen};

crate::tests! { random_views ranges axes reshaped broadcast }

fn random_views() {
    let mut random = Random::new(1);
    for _ in 0..200 {
        let shape: Vec<i64> = (0..random.between(1, 4)).map(|_| random.between(0, 5)).collect();
        let values = (0..shape.iter().product::<i64>()).collect();
        let seen = Seen::new(&shape, values).random_view(&mut random);
        seen.check();
        if seen.shape[0] > 0 {
            seen.selected(0, random.between(0, seen.shape[0] - 1)).check();
        }
        let copy = seen.array.copy_in(Order::C).unwrap();
        assert_eq!(copy.to_vec().unwrap(), seen.values);
    }
}

fn ranges() {
    let x = device().arange::<i32>(0, 6, 1).unwrap();
    let take = |slice: Slice| x.slice(0, slice).unwrap().to_vec().unwrap();
    assert_eq!(take((1..3).into()), [1, 2]);
    assert_eq!(take((1..=3).into()), [1, 2, 3]);
    assert_eq!(take((4..).into()), [4, 5]);
    assert_eq!(take((-2..).into()), [4, 5]);
    assert_eq!(take((..-4).into()), [0, 1]);
    let last = -1;
    assert_eq!(take((3..=last).into()), [3, 4, 5]);
    assert_eq!(take(Slice::between(1, -1)), [1, 2, 3, 4]);
    assert_eq!(take((..).into()), [0, 1, 2, 3, 4, 5]);
    assert_eq!(take((2..100usize).into()), [2, 3, 4, 5]);
    assert_eq!(take(Slice::between(4, 2)), []);
    assert_eq!(take(Slice::step(.., -2)), [5, 3, 1]);
    assert_eq!(take(Slice::step(Slice::between(4, 1), -1)), [4, 3, 2]);
}

fn axes() {
    let x = device().arange::<i32>(0, 24, 1).unwrap().reshape([2, 3, 4]).unwrap();
    assert_eq!(x.transpose().unwrap().shape(), [4, 3, 2]);
    let permuted = x.permute([1, -1, 0]).unwrap();
    assert_eq!((permuted.shape(), permuted.strides()), (&[3i64, 4, 2][..], &[4i64, 1, 12][..]));
    assert_eq!(x.expand(-1).unwrap().shape(), [2, 3, 4, 1]);
    let wide = x.reshape([1, 2, 1, 12]).unwrap();
    assert_eq!(wide.squeeze(0).unwrap().shape(), [2, 1, 12]);
    assert_eq!(wide.squeeze([0, 2]).unwrap().shape(), [2, 12]);
    assert_eq!(wide.squeeze(&[] as &[i32]).unwrap().ndim(), 4);
    assert_eq!(wide.squeeze(gpuarr::ALL).unwrap().shape(), [2, 12]);
    assert_eq!(x.select(-1, -1).unwrap().to_vec().unwrap(), [3, 7, 11, 15, 19, 23]);
    let diagonal = x.select(0, 0).unwrap().diagonal(1, 0, 1).unwrap();
    assert_eq!(diagonal.to_vec().unwrap(), [1, 6, 11]);
}

fn reshaped() {
    let x = device().arange::<i32>(0, 12, 1).unwrap();
    assert_eq!(x.reshape([3, -1]).unwrap().shape(), [3, 4]);
    assert_eq!(x.reshape([2usize, 6]).unwrap().data_ptr(), x.data_ptr());
    // A view is written through.
    let mut half = x.slice(0, ..6).unwrap();
    half.fill(-1).unwrap();
    assert_eq!(x.select(0, 5).unwrap().item().unwrap(), -1);
}

fn broadcast() {
    let row = device().array(&[1, 2, 3], 3).unwrap().broadcast([2, 3]).unwrap();
    assert_eq!(row.strides(), [0, 1]);
    assert_eq!(row.to_vec().unwrap(), [1, 2, 3, 1, 2, 3]);
}
