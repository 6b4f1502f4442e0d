//! Products, sorting, running results and random numbers of blocked arrays, against undivided ones.
use gpuarr::random::Generator;
use gpuarr::{Along, Array, Blocked, Blocks, SortAxis, Status, Team};

use crate::support::{device, refused, Random};

crate::tests! { products products_refused sorted running_results draws refused_ones }

fn team(places: usize) -> Team {
    Team::local(&vec![device(); places]).unwrap()
}

/// Blocks of a random chunk, somewhere.
fn random_blocks(random: &mut Random, shape: &[i64]) -> Blocks {
    let chunk: Vec<i64> = shape.iter().map(|n| random.between(1, *n)).collect();
    let blocks = Blocks::new(shape).chunk(&chunk);
    match random.between(0, 2) {
        0 => blocks.cyclic(),
        1 => blocks.replicated(),
        _ => blocks,
    }
}

fn random_numbers(random: &mut Random, count: i64) -> Vec<i64> {
    (0..count).map(|_| random.between(-9, 9)).collect()
}

fn products() {
    let mut random = Random::new(64);
    for _ in 0..12 {
        let team = team(random.between(1, 5) as usize);
        let [m, k, n] = [(); 3].map(|()| random.between(1, 12));
        let (x, y) = (random_numbers(&mut random, m * k), random_numbers(&mut random, k * n));
        let term = |z: i64, p| x[(z / n * k + p) as usize] * y[(p * n + z % n) as usize];
        let wanted: Vec<i64> = (0..m * n).map(|z| (0..k).map(|p| term(z, p)).sum()).collect();
        let a = team.array(&x, &random_blocks(&mut random, &[m, k])).unwrap();
        let b = team.array(&y, &random_blocks(&mut random, &[k, n])).unwrap();
        assert_eq!(a.matmul(&b).unwrap().to_vec().unwrap(), wanted);
        let mut z = team.empty(&random_blocks(&mut random, &[m, n])).unwrap();
        a.matmul_into(&b, &mut z).unwrap();
        assert_eq!(z.to_vec().unwrap(), wanted);
        let turned = b.transpose().unwrap().matmul(&a.transpose().unwrap()).unwrap();
        assert_eq!(turned.transpose().unwrap().to_vec().unwrap(), wanted);
    }
    let team = team(3);
    let x = team.arange::<f32>(&Blocks::new([4, 2]).chunk([1, 2]), 0, 1).unwrap();
    let mixed: Blocked<f64> = x.matmul(&team.full(&Blocks::new(2), 0.5f64).unwrap()).unwrap();
    assert_eq!(mixed.to_vec().unwrap(), [0.5, 2.5, 4.5, 6.5]);
    let any = x.clone().into_any().matmul(&x.transpose().unwrap().into_any()).unwrap();
    assert_eq!(any.downcast::<f32>().unwrap().read((1.., ..1)).unwrap(), [3.0, 5.0, 7.0]);
}

fn products_refused() {
    let team = team(2);
    let x = team.full(&Blocks::new([4, 3]), 1.0f32).unwrap();
    refused(x.matmul(&x), Status::SHAPE, &["gpuarr_blocked_matmul", "(4, 3)"]);
    let cube = team.full(&Blocks::new([3, 3, 3]), 1.0f32).unwrap();
    refused(x.matmul(&cube), Status::SHAPE, &["y has 3 axes"]);
    let other = Team::local(&[device()]).unwrap().full(&Blocks::new([3, 2]), 1.0f32).unwrap();
    refused(x.matmul(&other), Status::ARGUMENT, &["different teams"]);
    let mut narrow = team.full(&Blocks::new([4, 3]), 1.0f32).unwrap();
    let failed = x.matmul_into(&x.transpose().unwrap(), &mut narrow);
    refused(failed, Status::SHAPE, &["(4, 4)", "(4, 3)"]);
}

fn sorted() {
    let mut random = Random::new(7);
    for _ in 0..12 {
        let team = team(random.between(1, 5) as usize);
        let count = random.between(1, 60);
        let data = random_numbers(&mut random, count);
        let x = team.array(&data, &random_blocks(&mut random, &[count])).unwrap();
        let mut wanted = data.clone();
        wanted.sort_unstable();
        let up = x.sort(0).unwrap();
        assert_eq!((up.to_vec().unwrap(), up.grid()), (wanted.clone(), x.grid()));
        let mut other = team.empty(&random_blocks(&mut random, &[count])).unwrap();
        x.sort_into(-1, &mut other).unwrap();
        assert_eq!(other.to_vec().unwrap(), wanted);
        wanted.reverse();
        assert_eq!(x.to_vec().unwrap(), data);
        x.sort_into(SortAxis::descending(0), &mut x.clone()).unwrap();
        assert_eq!(x.to_vec().unwrap(), wanted);
        assert_eq!(x.sort(SortAxis::descending(-1)).unwrap().to_vec().unwrap(), wanted);
    }
}

/// What a plain loop makes of a line: results with their own element, and without.
fn plain_scan(line: &[i64], first: i64, step: impl Fn(i64, i64) -> i64) -> (Vec<i64>, Vec<i64>) {
    let (mut now, mut with, mut without) = (first, Vec::new(), Vec::new());
    for x in line {
        without.push(now);
        now = step(now, *x);
        with.push(now);
    }
    (with, without)
}

fn running_results() {
    let mut random = Random::new(15);
    for _ in 0..8 {
        let team = team(random.between(1, 5) as usize);
        let (rows, columns) = (random.between(1, 9), random.between(1, 9));
        let data = random_numbers(&mut random, rows * columns);
        let x = team.array(&data, &random_blocks(&mut random, &[rows, columns])).unwrap();
        let lines = |first: i64, step: fn(i64, i64) -> i64| -> (Vec<i64>, Vec<i64>) {
            let of_row = |row: &[i64]| plain_scan(row, first, step);
            let (with, without): (Vec<_>, Vec<_>) =
                data.chunks(columns as usize).map(of_row).unzip();
            (with.concat(), without.concat())
        };
        macro_rules! same {
            ($($name:ident $first:expr, $step:expr;)*) => {$(
                let (with, without) = lines($first, $step);
                assert_eq!(x.$name(1).unwrap().to_vec().unwrap(), with, stringify!($name));
                let exclusive = x.$name(Along::exclusive(-1)).unwrap();
                assert_eq!(exclusive.to_vec().unwrap(), without, stringify!($name));
                assert_eq!(exclusive.grid(), x.grid());
                let other = random_blocks(&mut random, &[rows, columns]);
                let mut out = team.empty::<i64>(&other).unwrap();
                x.scan_into(stringify!($name), 1, &mut out).unwrap();
                assert_eq!(out.to_vec().unwrap(), with, stringify!($name));
            )*};
        }
        same! {
            cumsum 0, |a, b| a + b;
            cumprod 1, i64::wrapping_mul;
            cummin i64::MAX, i64::min;
            cummax i64::MIN, i64::max;
        }
        let down = x.transpose().unwrap().cumsum(0).unwrap().transpose().unwrap();
        assert_eq!(down.to_vec().unwrap(), x.cumsum(1).unwrap().to_vec().unwrap());
        x.scan_into("cumsum", 1, &mut x.clone()).unwrap();
        assert_eq!(x.to_vec().unwrap(), down.to_vec().unwrap());
    }
    let bytes = team(2).full(&Blocks::new(300), 1u8).unwrap();
    let sums: Blocked<u64> = bytes.cumsum(0).unwrap();
    assert_eq!(sums.read(299..).unwrap(), [300]);
}

/// The numbers of an undivided array, whatever the grid, and where the next draw begins.
fn draws() {
    let mut random = Random::new(3);
    for _ in 0..4 {
        let team = team(random.between(1, 5) as usize);
        let shape = [random.between(1, 40), random.between(1, 9)];
        let blocks = random_blocks(&mut random, &shape);
        let [here, whole] = [(); 2].map(|()| Generator::new(device(), 5).unwrap());
        macro_rules! same {
            ($($name:ident $fill:ident: $type:ty, ($($of:expr),*);)*) => {$(
                let mut x = team.empty::<$type>(&blocks).unwrap();
                here.$fill(&mut x, $($of),*).unwrap();
                let wanted: Array<$type> = whole.$name($($of),*, shape).unwrap();
                assert_eq!(x.to_vec().unwrap(), wanted.to_vec().unwrap(), stringify!($name));
                assert_eq!(here.position(), whole.position());
            )*};
        }
        same! {
            uniform fill_uniform: f32, (-1, 1);
            normal fill_normal: f64, (5, 0.5);
            lognormal fill_lognormal: f32, (0, 1);
            exponential fill_exponential: f64, (2);
            gamma fill_gamma: f64, (4, 0.5);
            integers fill_integers: u8, (0, 100);
            poisson fill_poisson: i64, (3);
            binomial fill_binomial: i64, (20, 0.25);
            bernoulli fill_bernoulli: bool, (0.5);
        }
        let mut any = team.full(&blocks, 0f32).unwrap().into_any();
        here.set_position(0).unwrap();
        here.fill_uniform(&mut any, -1, 1).unwrap();
        whole.set_position(0).unwrap();
        let wanted: Array<f32> = whole.uniform(-1, 1, shape).unwrap();
        let any = any.downcast::<f32>().unwrap();
        assert_eq!(any.to_vec().unwrap(), wanted.to_vec().unwrap());
    }
}

fn refused_ones() {
    let team = team(2);
    let mut x = team.arange::<i32>(&Blocks::new([4, 3]), 0, 1).unwrap();
    refused(x.sort(0), Status::SHAPE, &["gpuarr_blocked_sort", "x has 2 axes"]);
    let line = team.full(&Blocks::new(4), 1i32).unwrap();
    refused(line.sort(1), Status::AXIS, &["axis is 1", "-1 or 0"]);
    let mut short = team.full(&Blocks::new(3), 1i32).unwrap();
    refused(line.sort_into(0, &mut short), Status::SHAPE, &["(3,)", "(4,)"]);
    refused(x.cumsum(2), Status::AXIS, &["gpuarr_blocked_scan", "axis is 2"]);
    refused(x.scan_into("median", 0, &mut x.clone()), Status::ARGUMENT, &["median", "cumsum"]);
    refused(x.scan_into("cum\0", 0, &mut x.clone()), Status::ARGUMENT, &["NUL"]);
    refused(x.scan_into("cumsum", 0, &mut x.clone()), Status::DTYPE, &["int32", "int64"]);

    let from = Generator::new(device(), 1).unwrap();
    refused(from.fill_normal(&mut x, 0, 1), Status::DTYPE, &["gpuarr_blocked_random", "int32"]);
    let mut x = team.empty::<f32>(&Blocks::new(4)).unwrap();
    let mean = device().array(&[1.0f32; 4], 4).unwrap();
    let failed = from.fill_normal(&mut x, &mean, 1);
    refused(failed, Status::ARGUMENT, &["parameters[0], mean, is an array"]);
    refused(from.fill_normal(&mut x, 0, -1), Status::ARGUMENT, &["std", "-1"]);
    assert_eq!(from.position(), 0);
}
