//! Random numbers: where they begin, where they lie, and which there are.
use gpuarr::random::{self, Generator};
use gpuarr::{Array, Status, ALL};

use crate::support::{device, refused};

crate::tests! { generators positions distributions names given_arrays orders choices refused_ones }

fn generator() -> Generator {
    Generator::new(device(), 20261122).unwrap()
}

fn generators() {
    let other = Generator::with_stream(device(), 7, 3).unwrap();
    assert_eq!((other.seed(), other.stream(), other.position()), (7, 3, 0));
    let draw = |from: &Generator| from.uniform::<f64>(0, 1, 4).unwrap().to_vec().unwrap();
    assert_eq!(draw(&generator()), draw(&generator()));
    assert_ne!(draw(&generator()), draw(&other));
    assert_ne!(random::seed().unwrap(), random::seed().unwrap());
}

fn positions() {
    let first = generator();
    let whole = first.integers::<u32>(0, 1u64 << 32, 16).unwrap().to_vec().unwrap();
    assert_eq!(first.position(), 4);
    let clone = first.clone(); // the same generator
    clone.set_position(1).unwrap();
    first.advance(1).unwrap();
    let part = clone.integers::<u32>(0, 1u64 << 32, 8).unwrap().to_vec().unwrap();
    assert_eq!(part, whole[8..]);
}

/// Means and deviations of many numbers, to 5 times what they scatter.
fn distributions() {
    const COUNT: usize = 40000;
    #[track_caller]
    fn like(x: Array<f64>, mean: f64, std: f64) {
        assert_eq!(x.len(), COUNT);
        let found = (x.mean(ALL).item().unwrap(), x.std(0.0, ALL).item().unwrap());
        let scatter = 5.0 * std / (COUNT as f64).sqrt();
        assert!((found.0 - mean).abs() < scatter, "{:?}", found);
        assert!((found.1 - std).abs() < 3.0 * scatter, "{:?}", found);
    }
    let from = generator();
    like(from.normal(5, 2, [COUNT, 1]).unwrap(), 5.0, 2.0);
    like(from.gamma(4, 0.5, COUNT).unwrap(), 2.0, 1.0);
    like(from.binomial(100, 0.2, COUNT).unwrap().astype().unwrap(), 20.0, 4.0);
}

/// The others are said to be C's of the same names, and checked there.
fn names() {
    let lines = include_str!("../../src/random.rs").lines();
    let table: Vec<_> = lines.filter_map(|line| line.split_once(" = gpuarr_random_")).collect();
    assert_eq!(table.len(), 9);
    for (names, function) in table {
        let wanted = function.split_once('(').unwrap().0;
        let (name, fill) = names.trim().split_once(" fill_").unwrap();
        assert_eq!((name, fill.split_once('<').unwrap().0), (wanted, wanted));
    }
}

fn given_arrays() {
    let mut x = device().zeros::<f32>([2, 3]).unwrap();
    let low = device().array(&[0.0, 10.0], [2, 1]).unwrap();
    let high = device().array(&[1.0, 11.0], [2, 1]).unwrap();
    generator()
        .fill_uniform(&mut x.transpose().unwrap().transpose().unwrap(), &low, &high)
        .unwrap();
    let rows: Vec<f32> = x.to_vec().unwrap().iter().map(|x| x.floor()).collect();
    assert_eq!(rows, [0.0, 0.0, 0.0, 10.0, 10.0, 10.0]);
    let mut counts = device().zeros::<i64>(1000).unwrap();
    generator().fill_poisson(&mut counts, 2.5).unwrap();
    assert_eq!(counts.to_vec().unwrap(), generator().poisson(2.5, 1000).unwrap().to_vec().unwrap());
    generator().fill_normal(&mut x, 0, 0).unwrap();
    assert_eq!(x.to_vec().unwrap(), [0.0; 6]);
}

fn orders() {
    let order = generator().permutation(100).unwrap().to_vec().unwrap();
    let mut sorted = order.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, (0..100).collect::<Vec<_>>());
    assert_ne!(sorted, order);
    let mut x = device().arange::<i64>(0, 100, 1).unwrap();
    assert_eq!(generator().shuffle(&x, 0).unwrap().to_vec().unwrap(), order);
    generator().shuffle_in_place(&mut x, 0).unwrap();
    assert_eq!(x.to_vec().unwrap(), order);
}

fn choices() {
    let from = generator();
    let mut different = from.choice(10, false, [2, 5]).unwrap().to_vec().unwrap();
    different.sort_unstable();
    assert_eq!(different, (0..10).collect::<Vec<_>>());
    let again = from.choice(3, true, 100).unwrap().to_vec().unwrap();
    assert!(again.iter().all(|k| (0..3).contains(k)));
    let weights = device().array(&[0.0f32, 1.0, 0.0, 3.0], 4).unwrap();
    let chosen = from.weighted_choice(&weights, true, 4000).unwrap().to_vec().unwrap();
    let count = |number| chosen.iter().filter(|k| **k == number).count();
    assert_eq!(count(1) + count(3), 4000);
    assert!((2850..3150).contains(&count(3)), "{}", count(3));
}

fn refused_ones() {
    let from = generator();
    refused(from.uniform::<f32>(1, 0, 3), Status::ARGUMENT, &["gpuarr_random_uniform"]);
    refused(from.uniform::<i32>(0, 1, 3), Status::DTYPE, &["gpuarr_random_uniform", "int32"]);
    refused(from.integers::<u8>(0, 257, 3), Status::DTYPE, &["gpuarr_random_integers", "256"]);
    refused(from.normal::<f32>(0, -1, 3), Status::ARGUMENT, &["gpuarr_random_normal", "-1"]);
    refused(from.choice(2, false, 3), Status::ARGUMENT, &["gpuarr_random_choice", "3", "2"]);
    refused(from.choice(0, true, 3), Status::EMPTY, &["gpuarr_random_choice"]);
    refused(Generator::with_stream(device(), 0, 1 << 48), Status::ARGUMENT, &["stream"]);
    from.set_position(u64::MAX).unwrap();
    refused(from.advance(1), Status::ARGUMENT, &["gpuarr_generator_advance"]);
    assert_eq!(from.position(), u64::MAX);
}
