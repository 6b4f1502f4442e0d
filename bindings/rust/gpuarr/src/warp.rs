//! What the 32 threads of a warp do together, all of them at once. On the host these panic: there
//! threads run one after another.
use crate::kernel::Number;

/// Threads of a warp.
pub const SIZE: u32 = 32;

fn only_on_a_device() -> ! {
    panic!("warps are there on a device only")
}

/// Waits until all threads of the warp are here.
pub fn sync() {
    only_on_a_device()
}

/// The thread's number in its warp.
pub fn lane() -> u32 {
    only_on_a_device()
}

/// The value of the thread `lane`.
pub fn shuffle<T: Number>(_value: T, _lane: u32) -> T {
    only_on_a_device()
}

/// The value of the thread so many below; its own where there is none.
pub fn shuffle_up<T: Number>(_value: T, _by: u32) -> T {
    only_on_a_device()
}

/// The value of the thread so many above; its own where there is none.
pub fn shuffle_down<T: Number>(_value: T, _by: u32) -> T {
    only_on_a_device()
}

/// The value of the thread whose number differs in these bits.
pub fn shuffle_xor<T: Number>(_value: T, _bits: u32) -> T {
    only_on_a_device()
}

/// Whether it holds for one of them.
pub fn any(_condition: bool) -> bool {
    only_on_a_device()
}

/// Whether it holds for all of them.
pub fn all(_condition: bool) -> bool {
    only_on_a_device()
}

/// For which of them it holds: a bit for each.
pub fn ballot(_condition: bool) -> u32 {
    only_on_a_device()
}
