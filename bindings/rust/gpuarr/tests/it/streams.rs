//! Streams, events and graphs, and arrays that are dropped while work uses them.
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{mpsc, Arc};

use gpuarr::{args, Array, Elementwise, Event, Status, Stream};

use crate::support::{device, refused};

crate::tests! {
    current ordered_by_events timed host_functions a_panic_in_a_host_function graphs
    captures_that_fail dropped_while_the_kernel_runs borrowed
}

fn current() {
    let before = Stream::current(device()).unwrap();
    let stream = Stream::with_priority(device(), 0).unwrap();
    assert_eq!((stream.device(), stream.priority()), (device(), 0));
    {
        let _current = stream.enter().unwrap();
        assert_eq!(Stream::current(device()).unwrap().native(), stream.native());
        let inner = Stream::blocking(device()).unwrap();
        let _inner = inner.enter().unwrap();
        assert_eq!(Stream::current(device()).unwrap().native(), inner.native());
    }
    assert_eq!(Stream::current(device()).unwrap().native(), before.native());
    stream.synchronize().unwrap();
    assert!(stream.is_done().unwrap());
}

fn ordered_by_events() {
    let add = Elementwise::new("T x, T v", "T x", "x += v;").unwrap();
    let (first, second) = (Stream::new(device()).unwrap(), Stream::new(device()).unwrap());
    let x = device().zeros::<i32>(100_000).unwrap();
    let mut done = Event::untimed(device()).unwrap();
    done.record().unwrap();
    for round in 0..20 {
        let stream = if round % 2 == 0 { &first } else { &second };
        stream.wait(&done).unwrap();
        add.on(stream).call_into(args![&x, round], &mut x.clone()).unwrap();
        done.record_on(stream).unwrap();
    }
    done.synchronize().unwrap();
    assert!(done.is_done().unwrap());
    assert!(x.to_vec().unwrap().iter().all(|value| *value == 190));
}

fn timed() {
    let (mut start, mut end) = (Event::new(device()).unwrap(), Event::new(device()).unwrap());
    assert_eq!(start.device(), device());
    start.record().unwrap();
    device().ones::<f32>(1000).unwrap();
    end.record().unwrap();
    end.synchronize().unwrap();
    assert!(end.microseconds_since(&start).unwrap() >= 0.0);
    assert_eq!(end.native().is_null(), device().name() == "host");
}

fn host_functions() {
    let stream = Stream::new(device()).unwrap();
    let (sender, receiver) = mpsc::channel();
    let array = device().ones::<f32>(10).unwrap();
    stream
        .host_function(move || {
            drop(array); // it may release objects
            sender.send(7).unwrap();
        })
        .unwrap();
    stream.synchronize().unwrap();
    assert_eq!(receiver.recv(), Ok(7));
    assert!(receiver.recv().is_err(), "the function is still there");
}

fn a_panic_in_a_host_function() {
    let stream = Stream::new(device()).unwrap();
    let quiet = crate::support::Quiet::new();
    stream.host_function(|| panic!("never mind")).unwrap();
    stream.synchronize().unwrap();
    drop(quiet);
    let x = device().zeros::<i8>(1).unwrap();
    assert_eq!(x.item().unwrap(), 0);
    let other = refused(x.reshape(2), Status::SHAPE, &[]);
    assert!(!other.message.contains("never mind"), "{}", other);
}

fn graphs() {
    let add = Elementwise::new("T x, T v", "T x", "x += v;").unwrap();
    let stream = Stream::new(device()).unwrap();
    let mut x = device().zeros::<i32>(3).unwrap();
    device().synchronize().unwrap();
    let noted = |by: i32| {
        stream.capture(|| {
            assert!(stream.is_capturing()?);
            let y: Array<i32> = add.call(args![&x, by])?; // memory of the graph's own
            add.call_into(args![&x, &y], &mut x.clone())
        })
    };
    let (graph, other) = (noted(1).unwrap(), noted(2).unwrap());
    assert!(!stream.is_capturing().unwrap());
    assert!(graph.nodes().unwrap() >= 2);
    let exec = graph.instantiate().unwrap();
    drop(graph);
    exec.launch_on(&stream).unwrap(); // x = 2 x + 1
    exec.launch_on(&stream).unwrap();
    stream.synchronize().unwrap();
    assert_eq!(x.to_vec().unwrap(), [3; 3]);
    exec.update(&other).unwrap();
    drop((other, add));
    x.fill(0).unwrap();
    exec.launch().unwrap();
    assert_eq!(x.to_vec().unwrap(), [2; 3]);
}

fn captures_that_fail() {
    let stream = Stream::new(device()).unwrap();
    let x = device().zeros::<i32>(3).unwrap();
    let texts = ["capture"];
    refused(stream.capture(|| x.to_vec().map(|_| ())), Status::UNSUPPORTED, &texts);
    refused(stream.capture(|| x.clone().copy_from_slice(&[1; 3])), Status::UNSUPPORTED, &texts);
    refused(stream.capture(|| stream.host_function(|| ())), Status::UNSUPPORTED, &texts);
    let pinned = gpuarr::Pinned::<i32>::zeros(device(), 3).unwrap();
    let copy = || x.copy_to_pinned(pinned).map(|_| ());
    refused(stream.capture(copy), Status::UNSUPPORTED, &texts);
    let quiet = crate::support::Quiet::new();
    let panicked = std::panic::catch_unwind(|| stream.capture(|| panic!("in a capture")));
    drop(quiet);
    assert!(panicked.is_err());
    assert!(!stream.is_capturing().unwrap());
    stream.synchronize().unwrap();
    let before = Stream::current(device()).unwrap();
    assert_ne!(before.native(), stream.native());
}

/// All handles go while the kernels that use the memory are still to run, and new arrays that want
/// memory come at once.
fn dropped_while_the_kernel_runs() {
    let slow = "for (int k = 0; k < 2000; ++k) y += x; y -= 1999 * x;";
    let slow = Elementwise::new("int64 x", "int64 y", slow).unwrap();
    let streams = [Stream::new(device()).unwrap(), Stream::new(device()).unwrap()];
    let mut kept = Vec::new();
    for round in 0..20i64 {
        let stream = &streams[round as usize % 2];
        let _current = stream.enter().unwrap();
        let x = device().full::<i64>(3000, round).unwrap();
        let mut y = device().zeros::<i64>(3000).unwrap();
        slow.call_into(args![&x], &mut y).unwrap();
        drop(x);
        kept.push(y.slice(0, 1000..2000).unwrap());
        drop(y);
        drop(device().full::<i64>(3000, -1).unwrap());
    }
    drop(slow);
    for stream in &streams {
        stream.synchronize().unwrap();
    }
    for (round, y) in kept.iter().enumerate() {
        assert_eq!(y.to_vec().unwrap(), [round as i64; 1000]);
    }
}

fn borrowed() {
    let stream = Stream::new(device()).unwrap();
    let again = unsafe { Stream::borrow_native(device(), stream.native()) }.unwrap();
    assert_eq!(again.native(), stream.native());
    let calls = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&calls);
    again
        .host_function(move || {
            count.fetch_add(1, Ordering::SeqCst);
        })
        .unwrap();
    stream.synchronize().unwrap();
    assert_eq!(calls.load(Ordering::SeqCst), 1);
}
