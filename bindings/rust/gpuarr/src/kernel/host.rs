//! Kernels on the host: one thread of them after another.
use std::cell::Cell;

use crate::raw::Dims;

/// Where a thread is: along x, y and z.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub thread: [usize; 3],
    pub block: [usize; 3],
    pub threads: [usize; 3],
    pub blocks: [usize; 3],
}

thread_local! {
    static PLACE: Cell<Place> = const {
        Cell::new(Place { thread: [0; 3], block: [0; 3], threads: [1; 3], blocks: [1; 3] })
    };
}

impl Place {
    /// Of the thread that runs; that of a launch of one thread, outside of [`on_host`].
    pub fn current() -> Place {
        PLACE.with(Cell::get)
    }
}

/// How many threads run: a number, for as many as a launch over so many elements has at least, or a
/// grid and a block: `([4, 2], [16, 16])`.
#[derive(Clone, Copy, Debug)]
pub struct Threads {
    blocks: [usize; 3],
    threads: [usize; 3],
}

/// As a launch over elements, in blocks of 256, so that a kernel that does not look whether its
/// index is in range is found out.
impl From<usize> for Threads {
    fn from(elements: usize) -> Threads {
        Threads { blocks: [(elements + 255) / 256, 1, 1], threads: [256, 1, 1] }
    }
}

impl<G: Into<Dims>, B: Into<Dims>> From<(G, B)> for Threads {
    fn from((grid, block): (G, B)) -> Threads {
        let sizes = |dims: Dims| dims.0.map(|n| usize::try_from(n).unwrap_or(0));
        Threads { blocks: sizes(grid.into()), threads: sizes(block.into()) }
    }
}

fn each([x, y, z]: [usize; 3]) -> impl Iterator<Item = [usize; 3]> {
    (0..z).flat_map(move |k| (0..y).flat_map(move |j| (0..x).map(move |i| [i, j, k])))
}

/// Runs a function for each thread, one after another.
#[doc(hidden)]
pub fn on_host(threads: Threads, mut thread: impl FnMut()) {
    struct Back(Place);
    impl Drop for Back {
        fn drop(&mut self) {
            PLACE.with(|place| place.set(self.0));
        }
    }
    let _back = Back(Place::current());
    for block in each(threads.blocks) {
        for index in each(threads.threads) {
            let Threads { blocks, threads } = threads;
            PLACE.with(|place| place.set(Place { thread: index, block, threads, blocks }));
            thread();
        }
    }
}
