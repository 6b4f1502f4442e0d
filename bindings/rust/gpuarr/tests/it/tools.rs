//! Benchmarks, the profile, the log, lists of objects.
use std::panic::catch_unwind;
use std::sync::{Arc, Mutex};

use gpuarr::profile::{self, Benchmark, Clock, Range, Report};
use gpuarr::{args, log, Array, Elementwise, Status};

use crate::support::{device, refused, Quiet};

crate::tests! { benchmarks functions_that_fail profiles lines objects }

fn benchmarks() {
    let mut calls = 0;
    let times = Benchmark::new("nothing", device())
        .warmups(3)
        .repeats(7)
        .seconds(f64::INFINITY)
        .run(|| {
            calls += 1;
            device().zeros::<f32>(10).map(|_| ())
        })
        .unwrap();
    assert_eq!(calls, 10);
    assert_eq!(times.samples(Clock::Device).unwrap().len(), 7);
    let (least, most) = (times.min(Clock::Cpu).unwrap(), times.max(Clock::Cpu).unwrap());
    let (mean, median) = (times.mean(Clock::Cpu).unwrap(), times.median(Clock::Cpu).unwrap());
    assert!(0.0 < least && least <= median && median <= most && least <= mean && mean <= most);
    assert!(times.deviation(Clock::Cpu).unwrap() >= 0.0);
    assert!(times.report(Report::Text).unwrap().contains("nothing"));
    assert!(times.report(Report::Json).unwrap().starts_with('{'));
}

fn functions_that_fail() {
    let benchmark = Benchmark::new("failing", device()).warmups(0);
    let mut left = 3;
    let failed = benchmark.run(|| {
        left -= 1;
        device().zeros::<f32>(if left > 0 { 1 } else { -1 }).map(|_| ())
    });
    refused(failed, Status::SHAPE, &["gpuarr_array_zeros", "-1"]);
    let quiet = Quiet::new();
    let panicked = catch_unwind(|| benchmark.run(|| panic!("out of here")));
    drop(quiet);
    let panic = panicked.expect_err("the panic goes on");
    assert_eq!(panic.downcast_ref::<&str>(), Some(&"out of here"));
    refused(benchmark.repeats(0).run(|| Ok(())), Status::ARGUMENT, &["repeats"]);
}

fn profiles() {
    let _range = Range::new("a part").unwrap();
    let options = gpuarr::Options::new().name("profiled_kernel");
    let kernel = Elementwise::with_options("T x", "T y", "y = x;", &options).unwrap();
    let x = device().zeros::<f32>(10).unwrap();
    profile::reset().unwrap();
    profile::start().unwrap();
    let _y: Array<f32> = kernel.call(args![&x]).unwrap();
    profile::stop().unwrap();
    assert!(profile::report(Report::Text).unwrap().contains("profiled_kernel"));
    profile::reset().unwrap();
    assert!(!profile::report(Report::Json).unwrap().contains("profiled_kernel"));
}

fn lines() {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let to = Arc::clone(&lines);
    log::set_receiver(move |topic, line| to.lock().unwrap().push((topic, line.to_string())))
        .unwrap();
    log::set("memory").unwrap();
    let grow = || {
        device().memory().trim().unwrap();
        drop(device().zeros::<u8>(64 << 20).unwrap());
    };
    grow();
    let told = lines.lock().unwrap().clone();
    assert!(told
        .iter()
        .any(|(topic, line)| *topic == log::Topic::Memory && line.contains("gpuarr memory")));
    log::set_receiver(|_, _| panic!("in a receiver")).unwrap();
    assert_eq!(Arc::strong_count(&lines), 1, "the closure is still there");
    let quiet = Quiet::new();
    grow();
    drop(quiet);
    log::set("").unwrap();
    log::reset_receiver().unwrap();
    device().memory().trim().unwrap();
    refused(log::set("weather"), Status::ARGUMENT, &["weather"]);
}

fn objects() {
    assert_eq!(gpuarr::version(), env!("CARGO_PKG_VERSION"));
    gpuarr::track_objects(true).unwrap();
    let _x = device().zeros::<f32>([7, 9]).unwrap();
    assert_eq!(gpuarr::live_objects() - gpuarr::kernel::kept_objects(), 1);
    let list = gpuarr::objects_report();
    assert!(list.contains("(7, 9)") && list.contains("gpuarr_array_zeros"), "{}", list);
    gpuarr::track_objects(false).unwrap();
}
