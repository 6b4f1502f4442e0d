//! What may go to other threads: as much as the headers promise, and not more.
use gpuarr::random::Generator;
use gpuarr::{args, AnyArray, Arg, Array, Call, Current, Device, Elementwise, Error, Event, Graph};
use gpuarr::{
    Blocked, Blocks, Function, GraphExec, Halo, MapBlocks, Memory, Module, Options, Pending,
    Pinned, RawKernel, Reclaim, Reduction, Region, Scan, Stream, Team,
};

use crate::support::device;

crate::tests! { one_kernel_for_all made_here_dropped_there one_generator_for_all }

fn send<T: Send>() {}
fn sync<T: Sync>() {}

/// Fails to compile if a type has a trait: then two implementations would do.
macro_rules! assert_not {
    ($($type:ty: $trait:ident),* $(,)?) => {$(
        const _: fn() = || {
            trait Either<A> {
                fn one() {}
            }
            impl<T: ?Sized> Either<()> for T {}
            #[allow(dead_code)]
            struct Other;
            impl<T: ?Sized + $trait> Either<Other> for T {}
            let _ = <$type as Either<_>>::one;
        };
    )*};
}

// "@externalsync" of one object in kernel.h and graph.h; a thread's own in stream.h; by team.h one
// thread uses a team and its arrays.
assert_not! {
    Call: Sync, gpuarr::RawCall: Sync, Graph: Sync, GraphExec: Sync, Current: Send, Current: Sync,
    gpuarr::profile::Range: Send, Team: Send, Team: Sync, Blocked<f32>: Send, Blocked<f32>: Sync,
    gpuarr::BlockArg<'static>: Send, gpuarr::BlockArg<'static>: Sync,
    gpuarr::HaloExchange<'static, f32>: Send, gpuarr::Block<'static>: Send, Call: Clone,
    Graph: Clone, GraphExec: Clone, Event: Clone,
}

#[allow(dead_code)]
fn promised() {
    send::<(Array<f32>, AnyArray, Call, Device, Elementwise, Error, Event, Graph, GraphExec)>();
    send::<(Memory, Module, Options, Pending<f64>, Pinned<f64>, RawKernel, Reclaim, Reduction)>();
    send::<(Stream, Arg<'_>, gpuarr::profile::Times, Function, Generator, Scan)>();
    sync::<(Array<f32>, AnyArray, Device, Elementwise, Error, Event, Memory, Module, Options)>();
    sync::<(Pinned<f64>, RawKernel, Reclaim, Reduction, Stream, Arg<'_>)>();
    sync::<(Function, Generator, Scan)>();
    send::<(Blocks, Halo, Region, MapBlocks)>();
}

fn one_kernel_for_all() {
    let kernel = Elementwise::new("T x, T y", "T z", "z = x + y;").unwrap();
    let x = device().arange::<i64>(0, 1000, 1).unwrap();
    device().synchronize().unwrap(); // for all streams
    std::thread::scope(|scope| {
        for thread in 0..4i64 {
            let (kernel, x) = (&kernel, &x);
            scope.spawn(move || {
                let stream = Stream::new(x.device()).unwrap();
                for _ in 0..50 {
                    let z: Array<i64> = kernel.on(&stream).call(args![x, thread]).unwrap();
                    stream.synchronize().unwrap();
                    assert_eq!(
                        z.slice(0, 10..12).unwrap().to_vec().unwrap(),
                        [10 + thread, 11 + thread]
                    );
                }
            });
        }
    });
}

fn made_here_dropped_there() {
    let arrays: Vec<Array<f32>> = (0..100).map(|n| device().ones(n).unwrap()).collect();
    let views: Vec<_> = arrays.iter().map(|array| array.expand(0).unwrap()).collect();
    std::thread::spawn(move || drop(arrays)).join().unwrap();
    let left = std::thread::spawn(move || views.iter().map(|view| view.len()).sum::<usize>());
    assert_eq!(left.join().unwrap(), 4950);
}

/// Which thread gets which numbers is a matter of luck, but all of them are there once.
fn one_generator_for_all() {
    let generator = Generator::new(device(), 5).unwrap();
    let draw = |from: &Generator| from.integers::<u64>(0, 1u64 << 62, 2).unwrap().to_vec().unwrap();
    let mut drawn: Vec<u64> = std::thread::scope(|scope| {
        let threads: Vec<_> =
            (0..4).map(|_| scope.spawn(|| [draw(&generator), draw(&generator)].concat())).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    generator.set_position(0).unwrap();
    let mut alone: Vec<u64> = (0..8).flat_map(|_| draw(&generator)).collect();
    drawn.sort_unstable();
    alone.sort_unstable();
    assert_eq!(drawn, alone);
}
