//! Where a thread of a kernel is in its launch. On the host these tell what
//! [`on_host`](mod@crate::kernel) runs at the moment.
use crate::kernel::Place;

macro_rules! places {
    ($($name:ident $axis:literal, $formula:expr, $meaning:literal;)*) => {$(
        #[doc = $meaning]
        #[inline]
        pub fn $name() -> usize {
            let formula: fn(Place, usize) -> usize = $formula;
            formula(Place::current(), $axis)
        }
    )*};
}

places! {
    index 0, |p, a| p.block[a] * p.threads[a] + p.thread[a], "Its number in the launch, along x.";
    index_y 1, |p, a| p.block[a] * p.threads[a] + p.thread[a], "Its number along y.";
    index_z 2, |p, a| p.block[a] * p.threads[a] + p.thread[a], "Its number along z.";
    count 0, |p, a| p.blocks[a] * p.threads[a], "Threads of the launch, along x.";
    count_y 1, |p, a| p.blocks[a] * p.threads[a], "Threads of the launch along y.";
    count_z 2, |p, a| p.blocks[a] * p.threads[a], "Threads of the launch along z.";
    x 0, |p, a| p.thread[a], "Its number in its block, along x.";
    y 1, |p, a| p.thread[a], "Its number in its block along y.";
    z 2, |p, a| p.thread[a], "Its number in its block along z.";
}

/// Waits until all threads of the block are here. On the host it panics: there threads run one
/// after another.
pub fn sync_threads() {
    panic!("threads wait for one another on a device only");
}

/// A thread's block.
pub mod block {
    use crate::kernel::Place;

    places! {
        x 0, |p, a| p.block[a], "Its number in the grid, along x.";
        y 1, |p, a| p.block[a], "Its number in the grid along y.";
        z 2, |p, a| p.block[a], "Its number in the grid along z.";
        size_x 0, |p, a| p.threads[a], "Its threads along x.";
        size_y 1, |p, a| p.threads[a], "Its threads along y.";
        size_z 2, |p, a| p.threads[a], "Its threads along z.";
    }
}

/// The blocks of a launch.
pub mod grid {
    use crate::kernel::Place;

    places! {
        size_x 0, |p, a| p.blocks[a], "Blocks along x.";
        size_y 1, |p, a| p.blocks[a], "Blocks along y.";
        size_z 2, |p, a| p.blocks[a], "Blocks along z.";
    }
}
