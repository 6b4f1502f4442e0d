//! Limits, reclaim functions, page-locked memory.
use std::sync::{Arc, Mutex};

use gpuarr::{AnyArray, Array, Pinned, Reclaim, Status};

use crate::support::{device, refused, Quiet};

crate::tests! {
    statistics out_of_memory reclaimed a_panic_in_a_reclaim_function pinned_copies
    pinned_memory_that_is_dropped
}

const MIB: usize = 1 << 20;

/// Sets a limit until the end of a test.
struct Limit;

impl Limit {
    fn new(bytes: usize) -> Limit {
        device().memory().trim().unwrap();
        device().memory().set_limit(bytes as i64).unwrap();
        Limit
    }
}

impl Drop for Limit {
    fn drop(&mut self) {
        device().memory().set_limit(0).unwrap();
    }
}

fn statistics() {
    let memory = device().memory();
    memory.reset_peak().unwrap();
    let before = memory.statistics().unwrap();
    let x = device().zeros::<u8>(3 * MIB).unwrap();
    let after = memory.statistics().unwrap();
    assert_eq!(after.used - before.used, 3 * MIB as i64);
    assert_eq!((after.blocks - before.blocks, after.total), (1, after.used + after.cached));
    assert!(after.peak >= after.used - MIB as i64 && after.allocations > before.allocations);
    drop(x);
    memory.trim().unwrap();
    assert_eq!(memory.statistics().unwrap().used, before.used);
    memory.set_limit_fraction(0.5).unwrap();
    assert!(memory.statistics().unwrap().limit > 0);
    memory.set_limit(0).unwrap();
    refused(memory.set_limit_fraction(2.0), Status::ARGUMENT, &["fraction"]);
}

fn out_of_memory() {
    let _limit = Limit::new(32 * MIB);
    let kept: Array<u8> = device().zeros(8 * MIB).unwrap();
    let texts = ["gpuarr_array_zeros", "limit"];
    refused(device().zeros::<f64>(8 * MIB), Status::OUT_OF_MEMORY, &texts);
    assert_eq!(kept.slice(0, 7..9).unwrap().to_vec().unwrap(), [0, 0]);
    drop(kept);
    device().zeros::<u8>(16 * MIB).unwrap();
}

fn reclaimed() {
    let _limit = Limit::new(32 * MIB);
    let cache: Arc<Mutex<Vec<AnyArray>>> = Arc::default();
    for _ in 0..3 {
        cache.lock().unwrap().push(device().zeros::<u8>(8 * MIB).unwrap().into_any());
    }
    let (from, calls) = (Arc::clone(&cache), Arc::new(Mutex::new(Vec::new())));
    let told = Arc::clone(&calls);
    let reclaim = Reclaim::new(move |device, bytes| {
        told.lock().unwrap().push((device, bytes));
        from.lock().unwrap().pop().is_some()
    });
    let big = device().zeros::<u8>(24 * MIB).unwrap();
    assert_eq!(big.len(), 24 * MIB);
    let seen = calls.lock().unwrap().clone();
    assert!(!seen.is_empty() && seen.iter().all(|call| *call == (device(), 24 * MIB as i64)));
    drop((big, reclaim));
    cache.lock().unwrap().clear();
    refused(device().zeros::<u8>(64 * MIB), Status::OUT_OF_MEMORY, &[]);
    assert_eq!(calls.lock().unwrap().len(), seen.len(), "it was taken away");
    assert_eq!(Arc::strong_count(&cache), 1, "the closure is still there");
}

fn a_panic_in_a_reclaim_function() {
    let _limit = Limit::new(8 * MIB);
    let _reclaim = Reclaim::new(|_, _| panic!("no {} left to give", "cache")).unwrap();
    let quiet = Quiet::new();
    let failed = device().zeros::<u8>(16 * MIB);
    drop(quiet);
    refused(failed, Status::OUT_OF_MEMORY, &["gpuarr_array_zeros", "panicked: no cache left"]);
    let other = refused(device().arange::<i8>(0, 1, 0), Status::ARGUMENT, &["step"]);
    assert!(!other.message.contains("panicked"), "{}", other);
}

fn pinned_copies() {
    let mut memory = Pinned::<i32>::zeros(device(), 6).unwrap();
    assert_eq!(&memory[..], [0; 6]);
    memory.copy_from_slice(&[1, 2, 3, 4, 5, 6]);
    let mut x = device().zeros::<i32>([2, 3]).unwrap();
    let memory = x.copy_from_pinned(memory).unwrap().wait().unwrap();
    let y = x.transpose().unwrap();
    let pending = y.copy_to_pinned(memory).unwrap();
    let _ = pending.is_done().unwrap();
    assert_eq!(&pending.wait().unwrap()[..], [1, 4, 2, 5, 3, 6]);
    let none = Pinned::<f32>::zeros(device(), 0).unwrap();
    assert!(none.is_empty());
    let few = Pinned::<i32>::zeros(device(), 5).unwrap();
    refused(x.copy_from_pinned(few), Status::SHAPE, &["5 elements", "[2, 3]"]);
    assert_eq!(format!("{:?}", Pinned::<u8>::zeros(device(), 2).unwrap()), "[0, 0]");
}

fn pinned_memory_that_is_dropped() {
    let mut x: Array<u8> = device().zeros(4 * MIB).unwrap();
    for round in 1..=8u8 {
        let mut memory = Pinned::zeros(device(), 4 * MIB).unwrap();
        memory.iter_mut().for_each(|byte| *byte = round);
        drop(x.copy_from_pinned(memory).unwrap());
    }
    assert_eq!(x.min(0).item().unwrap(), 8);
}
