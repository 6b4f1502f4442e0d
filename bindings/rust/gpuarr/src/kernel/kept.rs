//! Kernels that were made once for each set of types, and are found again without a lock.
use std::any::TypeId;
use std::fmt;
use std::ptr;
use std::sync::atomic::{AtomicI64, AtomicPtr, Ordering};
use std::sync::Mutex;

use crate::error::Result;

struct Entry<H> {
    id: TypeId,
    handle: H,
    next: *mut Entry<H>,
}

/// The kernels of one function of the program, which stay as long as that. A static variable of a
/// generic function is one for all its types, hence the list.
#[doc(hidden)]
pub struct Kept<H: 'static> {
    first: AtomicPtr<Entry<H>>,
}

// Entries are never changed or freed once they are in the list.
unsafe impl<H: Sync> Sync for Kept<H> {}

static MAKING: Mutex<()> = Mutex::new(());
static COUNT: AtomicI64 = AtomicI64::new(0);

/// How many objects of the library are kept in this way.
#[doc(hidden)]
pub fn kept_objects() -> i64 {
    COUNT.load(Ordering::Relaxed)
}

#[doc(hidden)]
impl<H: Sync> Kept<H> {
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Kept<H> {
        Kept { first: AtomicPtr::new(ptr::null_mut()) }
    }

    #[inline]
    fn find(&self, id: TypeId) -> Option<&'static H> {
        let mut at = self.first.load(Ordering::Acquire);
        while !at.is_null() {
            let entry: &'static Entry<H> = unsafe { &*at };
            if entry.id == id {
                return Some(&entry.handle);
            }
            at = entry.next;
        }
        None
    }

    /// The kernel of a type, made at the first call.
    #[inline]
    pub fn get<K: 'static>(&self, make: impl FnOnce() -> Result<H>) -> Result<&'static H> {
        match self.find(TypeId::of::<K>()) {
            Some(found) => Ok(found),
            None => self.add(TypeId::of::<K>(), make),
        }
    }

    #[cold]
    fn add(&self, id: TypeId, make: impl FnOnce() -> Result<H>) -> Result<&'static H> {
        let _alone = MAKING.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(found) = self.find(id) {
            return Ok(found);
        }
        let next = self.first.load(Ordering::Relaxed);
        let entry = Box::leak(Box::new(Entry { id, handle: make()?, next }));
        self.first.store(entry, Ordering::Release);
        COUNT.fetch_add(1, Ordering::Relaxed);
        Ok(&entry.handle)
    }
}

impl<H> fmt::Debug for Kept<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Kept")
    }
}
