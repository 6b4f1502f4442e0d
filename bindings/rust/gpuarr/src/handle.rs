//! What owns a reference to one of the library's objects.

/// Makes `$name` the owner of a reference. `Drop` drops it: "Release takes NULL, from any thread"
/// (gpuarr.h), and cannot fail.
macro_rules! handle {
    ($(#[$attribute:meta])* $name:ident, $raw:ident, $release:ident) => {
        $(#[$attribute])*
        pub struct $name {
            raw: std::ptr::NonNull<gpuarr_sys::$raw>,
        }

        impl $name {
            pub(crate) fn own(raw: std::ptr::NonNull<gpuarr_sys::$raw>) -> Self {
                $name { raw }
            }

            /// Takes over a reference of C's.
            ///
            /// # Safety
            /// `raw` is a live object of that type, and the caller owns the reference.
            pub unsafe fn from_raw(raw: std::ptr::NonNull<gpuarr_sys::$raw>) -> Self {
                Self::own(raw)
            }

            /// The C object, valid as long as `self`.
            #[inline]
            pub fn as_ptr(&self) -> *mut gpuarr_sys::$raw {
                self.raw.as_ptr()
            }

            /// Hands the reference to the caller, who has to release it.
            pub fn into_raw(self) -> std::ptr::NonNull<gpuarr_sys::$raw> {
                std::mem::ManuallyDrop::new(self).raw
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{}({:p})", stringify!($name), self.raw)
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                unsafe { gpuarr_sys::$release(self.as_ptr()) }
            }
        }
    };
}

/// Lets a clone be another reference to the same object.
macro_rules! shared_handle {
    ($name:ident, $retain:ident) => {
        impl Clone for $name {
            /// Another reference to the same object.
            fn clone(&self) -> Self {
                unsafe { gpuarr_sys::$retain(self.as_ptr()) };
                $name { raw: self.raw }
            }
        }
    };
}

pub(crate) use {handle, shared_handle};
