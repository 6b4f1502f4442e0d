//! Running results, sorted elements, bins and quantiles, against plain loops.
use gpuarr::{args, Along, Array, Between, Element, Result, Scan, Side, SortAxis, Status, Stream};

use crate::support::{device, refused, Random};

crate::tests! {
    running_results exclusive_ones scans_of_your_own sorted extremes different_ones bins quantiles
    refused_ones
}

fn all<T: Element>(array: Result<Array<T>>) -> Vec<T> {
    array.unwrap().to_vec().unwrap()
}

fn running_results() {
    let x = device().array(&[3i32, 1, 2, 5, -4, 6], [2, 3]).unwrap();
    assert_eq!(all(x.cumsum(1)), [3i64, 4, 6, 5, 1, 7]);
    assert_eq!(all(x.cummin(1)), [3, 1, 1, 5, -4, -4]);
    assert_eq!(all(x.cummax(1)), [3, 3, 3, 5, 5, 6]);
    assert_eq!(all(x.diff(1, 1)), [-2, 1, -9, 10]);
    assert_eq!(x.diff(5, 1).unwrap().shape(), [2, 0]);
}

fn exclusive_ones() {
    let x = device().array(&[3u8, 1, 2], 3).unwrap();
    assert_eq!(all(x.cumsum(Along::exclusive(0))), [0u64, 3, 4]);
    assert_eq!(all(x.cummax(Along::exclusive(-1))), [0, 3, 3]);
}

fn scans_of_your_own() {
    let last = Scan::new("T x, T mark", "T y", "x", "b == mark ? a : b", "y = a", Some("mark"));
    let last = last.unwrap();
    let x = device().array(&[-1, 4, -1, -1, 7, -1], 6).unwrap();
    let filled: Array<i32> = last.call(args![&x, -1], 0).unwrap();
    assert_eq!(filled.to_vec().unwrap(), [-1, 4, 4, 4, 7, 7]);
    let stream = Stream::new(device()).unwrap();
    let mut y = x.copy().unwrap();
    device().synchronize().unwrap();
    last.on(&stream).call_into(args![&x, -1], Along::exclusive(0), &mut y).unwrap();
    stream.synchronize().unwrap();
    assert_eq!(y.to_vec().unwrap(), [-1, -1, 4, 4, 4, 7]);
    assert!(last.source(args![&x, -1], 0, &mut y).unwrap().contains("mark"));
    let sum = Scan::new("T x", "T y", "x", "a + b", "y = a", None).unwrap();
    let failed = sum.call::<Array<i32>>(args![&x], Along::exclusive(0));
    refused(failed, Status::ARGUMENT, &["gpuarr_scan_call", "identity"]);
    refused(Scan::new("T x,", "T y", "", "", "", None), Status::SYNTAX, &["in_params"]);
}

fn sorted() {
    let mut random = Random::new(12);
    let values: Vec<i32> = (0..200).map(|_| random.between(-50, 50) as i32).collect();
    let x = device().array(&values, [4, 50]).unwrap();
    let rows = || values.chunks(50);
    let wanted: Vec<i32> = rows()
        .flat_map(|row| {
            let mut row = row.to_vec();
            row.sort_unstable();
            row
        })
        .collect();
    assert_eq!(all(x.sort(1)), wanted);
    let places = x.argsort(1).unwrap();
    assert_eq!(all(x.take_along_axis(&places, 1)), wanted);
    let down = all(x.sort(SortAxis::descending(-1)));
    assert_eq!(down, all(x.sort(1).unwrap().flip(1)));
    let wanted: Vec<i64> = rows()
        .flat_map(|row| {
            let mut places: Vec<i64> = (0..50).collect();
            places.sort_by_key(|k| -row[*k as usize]);
            places // equals keep their order
        })
        .collect();
    assert_eq!(all(x.argsort(SortAxis::descending(1))), wanted);
    let middle = x.partition(25, 1).unwrap().select(1, 25).unwrap();
    assert_eq!(all(Ok(middle)), all(x.sort(1).unwrap().select(1, 25)));
}

fn extremes() {
    let x = device().array(&[3, 9, -1, 9], 4).unwrap();
    let most = x.topk(3, 0).unwrap();
    assert_eq!(all(Ok(most.values)), [9, 9, 3]);
    assert_eq!(all(Ok(most.indices)), [1, 3, 0]);
    let least = x.bottomk(2, 0).unwrap();
    assert_eq!((all(Ok(least.values)), all(Ok(least.indices))), (vec![-1, 3], vec![2, 0]));
}

fn different_ones() {
    let x = device().array(&[5, 2, 5, 9, 2, 5], [2, 3]).unwrap();
    assert_eq!(all(x.unique()), [2, 5, 9]);
    let parts = x.unique_all().unwrap();
    assert_eq!(all(Ok(parts.counts)), [2, 3, 1]);
    assert_eq!(all(Ok(parts.indices)), [1, 0, 3]);
    assert_eq!(parts.inverse.shape(), [2, 3]);
    assert_eq!(all(parts.values.take(&parts.inverse, 0)), x.to_vec().unwrap());
    let some = device().array(&[5, 3], 2).unwrap();
    assert_eq!(all(parts.values.searchsorted(&some, Side::Left)), [1, 1]);
    assert_eq!(all(parts.values.searchsorted(&some, Side::Right)), [2, 1]);
}

fn bins() {
    let x = device().array(&[0u8, 3, 1, 3, 4, 3], 6).unwrap();
    let histogram = x.histogram(2, None).unwrap();
    assert_eq!(all(Ok(histogram.counts)), [2, 4]);
    assert_eq!(all(Ok(histogram.edges)), [0.0, 2.0, 4.0]);
    assert_eq!(all(Ok(x.histogram(2, (1.0, 3.0)).unwrap().counts)), [1, 3]);
    let edges = device().array(&[0.0, 3.0, 3.5], 3).unwrap();
    assert_eq!(all(x.histogram_between(&edges)), [2, 3]);
    assert_eq!(all(x.bincount(6)), [1, 1, 0, 3, 1, 0]);
    let weights = device().array(&[1.0, 2.0, 4.0, 8.0, 16.0, 0.5], 6).unwrap();
    assert_eq!(all(x.bincount_of(&weights, 0)), [1.0, 4.0, 0.0, 10.5, 16.0]);
}

fn quantiles() {
    let x = device().array(&[4.0f64, 1.0, 3.0, 2.0, f64::NAN, 7.0], [3, 2]).unwrap();
    assert_eq!(all(x.slice(0, ..2).unwrap().median(0)), [3.5, 1.5]);
    assert_eq!(all(x.nanmedian(0)), [3.5, 2.0]);
    assert!(all(x.median(0))[0].is_nan());
    let whole = device().array(&[1i32, 2, 4, 8], 4).unwrap();
    let at = |q: f64, between| all(whole.quantile(&[q], 0, between))[0];
    assert_eq!(at(0.5, Between::Linear), 3.0f64);
    assert_eq!(at(0.25, Between::Linear), 1.75);
    assert_eq!(at(0.25, Between::Lower), 1.0);
    assert_eq!(at(0.25, Between::Higher), 2.0);
    assert_eq!(at(0.25, Between::Nearest), 2.0);
    assert_eq!(at(0.25, Between::Midpoint), 1.5);
    let several = x.nanquantile(&[0.0, 1.0], 0, Between::Linear).unwrap();
    assert_eq!(several.shape(), [2, 2]);
    assert_eq!(all(Ok(several)), [3.0, 1.0, 4.0, 7.0]);
}

fn refused_ones() {
    let x = device().array(&[3i32, -1], 2).unwrap();
    refused(x.cumsum(1), Status::AXIS, &["gpuarr_cumsum", "1"]);
    refused(x.topk(3, 0), Status::ARGUMENT, &["gpuarr_topk", "3", "2"]);
    refused(x.partition(2, 0), Status::ARGUMENT, &["gpuarr_partition", "2"]);
    refused(x.bincount(0), Status::ARGUMENT, &["gpuarr_bincount", "-1"]);
    refused(x.histogram(0, None), Status::ARGUMENT, &["gpuarr_histogram", "0"]);
    refused(x.histogram(2, (1.0, 0.0)), Status::ARGUMENT, &["gpuarr_histogram"]);
    refused(x.quantile(&[1.5], 0, Between::Linear), Status::ARGUMENT, &["gpuarr_quantile", "1.5"]);
    refused(x.slice(0, ..0).unwrap().median(0), Status::EMPTY, &["gpuarr_median"]);
    refused(x.diff(-1, 0), Status::ARGUMENT, &["gpuarr_diff", "-1"]);
    let z = device().zeros::<gpuarr::num_complex::Complex<f32>>(2).unwrap();
    refused(z.histogram(2, None), Status::DTYPE, &["gpuarr_histogram", "complex64"]);
}
