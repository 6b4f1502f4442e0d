//! Changes of an element that other threads may change too. Each gives the value that was there.
//!
//! ```
//! #[gpuarr::kernel]
//! fn count(x: &[u8], counts: &mut [u32]) {
//!     let i = gpuarr::thread::index();
//!     if i < x.len() {
//!         gpuarr::atomic::add(&mut counts[x[i] as usize], 1);
//!     }
//! }
//!
//! let mut counts = [0; 256];
//! count::on_host(3, &[7, 7, 1], &mut counts);
//! assert_eq!(counts[7], 2);
//! ```

mod private {
    pub trait Sealed {}
}

/// Numbers of 4 and 8 bytes.
pub trait Atomic: Copy + PartialEq + private::Sealed {
    #[doc(hidden)]
    fn plus(self, other: Self) -> Self;
    #[doc(hidden)]
    fn minus(self, other: Self) -> Self;
}

/// Integers of 4 and 8 bytes.
pub trait AtomicInteger:
    Atomic
    + Ord
    + std::ops::BitAnd<Output = Self>
    + std::ops::BitOr<Output = Self>
    + std::ops::BitXor<Output = Self>
{
}

macro_rules! integers {
    ($($type:ty)*) => {$(
        impl private::Sealed for $type {}
        impl Atomic for $type {
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            fn minus(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
        }
        impl AtomicInteger for $type {}
    )*};
}

macro_rules! floats {
    ($($type:ty)*) => {$(
        impl private::Sealed for $type {}
        impl Atomic for $type {
            fn plus(self, other: Self) -> Self {
                self + other
            }
            fn minus(self, other: Self) -> Self {
                self - other
            }
        }
    )*};
}

integers! { i32 i64 isize u32 u64 usize }
floats! { f32 f64 }

fn changed<T: Copy>(place: &mut T, change: impl FnOnce(T) -> T) -> T {
    let old = *place;
    *place = change(old);
    old
}

/// Adds.
pub fn add<T: Atomic>(place: &mut T, value: T) -> T {
    changed(place, |old| old.plus(value))
}

/// Subtracts.
pub fn sub<T: Atomic>(place: &mut T, value: T) -> T {
    changed(place, |old| old.minus(value))
}

/// Keeps the lesser one.
pub fn min<T: AtomicInteger>(place: &mut T, value: T) -> T {
    changed(place, |old| old.min(value))
}

/// Keeps the greater one.
pub fn max<T: AtomicInteger>(place: &mut T, value: T) -> T {
    changed(place, |old| old.max(value))
}

/// Keeps the bits that both have.
pub fn and<T: AtomicInteger>(place: &mut T, value: T) -> T {
    changed(place, |old| old & value)
}

/// Adds bits.
pub fn or<T: AtomicInteger>(place: &mut T, value: T) -> T {
    changed(place, |old| old | value)
}

/// Flips bits.
pub fn xor<T: AtomicInteger>(place: &mut T, value: T) -> T {
    changed(place, |old| old ^ value)
}

/// Replaces it.
pub fn exchange<T: Atomic>(place: &mut T, value: T) -> T {
    changed(place, |_| value)
}

/// Replaces it if it is `wanted`.
pub fn compare_exchange<T: AtomicInteger>(place: &mut T, wanted: T, value: T) -> T {
    changed(place, |old| if old == wanted { value } else { old })
}
