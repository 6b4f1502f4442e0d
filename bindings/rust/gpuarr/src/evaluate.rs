//! Several expressions, computed together.
use std::ptr;

use gpuarr_sys as sys;

use crate::array::Array;
use crate::element::{Any, Content};
use crate::error::{check, string, Error, Result, Status};
use crate::expr::Expr;
use crate::join::several;
use crate::node::Node;
use crate::outputs::{Outputs, Results};

mod private {
    pub trait Sealed {}
}

/// What a formula is made of beside scalars: an array or an expression, borrowed or not.
pub trait Formula: private::Sealed {
    /// What its elements are.
    type Content: Content;

    /// It as an expression, typed by who asks.
    #[doc(hidden)]
    #[track_caller]
    fn node(self) -> Node;
}

macro_rules! formula {
    ($($type:ty: |$self:ident| $node:expr;)*) => {$(
        impl<T> private::Sealed for $type {}
        impl<T: Content> Formula for $type {
            type Content = T;

            #[inline]
            #[track_caller]
            fn node($self) -> Node {
                $node
            }
        }
    )*};
}

formula! {
    Array<T>: |self| Node::array(&self);
    &Array<T>: |self| Node::array(self);
    Expr<T>: |self| self.node;
    &Expr<T>: |self| self.node.clone();
}

/// Expressions to compute together: `x` or `&x`, a tuple of up to eight arrays and expressions, as
/// `(&x, y, &a)`, or a slice of expressions.
pub trait Exprs: private::Sealed {
    /// What they become: arrays, as many as they are.
    type Arrays;

    /// Calls C with the expressions.
    #[doc(hidden)]
    fn give<R>(self, call: impl FnOnce(List<'_>) -> Result<R>) -> Result<R>;

    /// The arrays of so many.
    #[doc(hidden)]
    fn made(list: List<'_>) -> Result<Self::Arrays>;
}

/// C's expressions.
type List<'a> = &'a [*const sys::gpuarr_expr];

/// C's status, of entries that hold arrays or NULL.
fn run(outputs: *mut *mut sys::gpuarr_array, list: List<'_>) -> i32 {
    let count = i32::try_from(list.len()).unwrap_or(i32::MAX);
    unsafe { sys::gpuarr_evaluate(outputs, list.as_ptr(), count, ptr::null_mut()) }
}

impl<T> private::Sealed for &[Expr<T>] {}
impl<T: Content> Exprs for &[Expr<T>] {
    type Arrays = Vec<Array<T>>;

    fn give<R>(self, call: impl FnOnce(List<'_>) -> Result<R>) -> Result<R> {
        let list: Result<Vec<_>> = self.iter().map(|x| Ok(x.as_ptr()? as *const _)).collect();
        call(&list?)
    }

    fn made(list: List<'_>) -> Result<Vec<Array<T>>> {
        let arrays = several::<Any>(list.len(), |outputs| run(outputs, list))?;
        arrays.into_iter().map(Array::downcast).collect()
    }
}

impl<T: Content> Exprs for &Expr<T> {
    type Arrays = Array<T>;

    fn give<R>(self, call: impl FnOnce(List<'_>) -> Result<R>) -> Result<R> {
        call(&[self.as_ptr()?])
    }

    fn made(list: List<'_>) -> Result<Array<T>> {
        Results::make(|outputs, _| run(outputs, list))
    }
}

impl<T: Content> Exprs for Expr<T> {
    type Arrays = Array<T>;

    fn give<R>(self, call: impl FnOnce(List<'_>) -> Result<R>) -> Result<R> {
        Exprs::give(&self, call)
    }

    fn made(list: List<'_>) -> Result<Array<T>> {
        <&Expr<T>>::made(list)
    }
}

macro_rules! tuple {
    ($($type:ident $place:tt)*) => {
        impl<$($type),*> private::Sealed for ($($type,)*) {}
        impl<$($type: Formula),*> Exprs for ($($type,)*) {
            type Arrays = ($(Array<$type::Content>,)*);

            #[track_caller]
            fn give<R>(self, call: impl FnOnce(List<'_>) -> Result<R>) -> Result<R> {
                let nodes = ($(self.$place.node(),)*);
                call(&[$(nodes.$place.get()?),*])
            }

            fn made(list: List<'_>) -> Result<Self::Arrays> {
                Results::make(|outputs, _| run(outputs, list))
            }
        }
    };
}

tuple! { A 0 }
tuple! { A 0 B 1 }
tuple! { A 0 B 1 C 2 }
tuple! { A 0 B 1 C 2 D 3 }
tuple! { A 0 B 1 C 2 D 3 E 4 }
tuple! { A 0 B 1 C 2 D 3 E 4 F 5 }
tuple! { A 0 B 1 C 2 D 3 E 4 F 5 G 6 }
tuple! { A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 }

/// Computes expressions together, in the thread's current stream: what they have in common is
/// computed once.
///
/// # Errors
/// As [`Expr::eval`]; `DEVICE` for arrays of several devices.
///
/// ```
/// use gpuarr::{evaluate, explain, Array, ALL};
/// # fn main() -> gpuarr::Result<()> {
/// let x = Array::from_slice(&[1.0, 2.0, 3.0, 6.0], 4)?;
/// let both = (x.mean(ALL), x.max(ALL));
/// let (mean, most) = evaluate(both.clone())?;
/// assert_eq!((mean.item()?, most.item()?), (3.0, 6.0));
/// assert!(explain(both)?.contains("\n1 kernels"));
/// # Ok(())
/// # }
/// ```
pub fn evaluate<E: Exprs>(exprs: E) -> Result<E::Arrays> {
    exprs.give(E::made)
}

/// Computes expressions together into given arrays, as [`Expr::eval_into`]. All of what they read
/// is read before one of them is written.
///
/// # Errors
/// As [`evaluate`]; `ARGUMENT` unless there is an array for each, `SHAPE`, `DTYPE`, `OVERLAP`.
///
/// ```
/// use gpuarr::{evaluate_into, Array};
/// # fn main() -> gpuarr::Result<()> {
/// let (mut x, mut y) = (Array::from_slice(&[1, 2], 2)?, Array::from_slice(&[3, 4], 2)?);
/// evaluate_into((&y.clone(), &x.clone()), (&mut x, &mut y))?;
/// assert_eq!((x.to_vec()?, y.to_vec()?), (vec![3, 4], vec![1, 2]));
/// # Ok(())
/// # }
/// ```
pub fn evaluate_into(exprs: impl Exprs, outputs: impl Outputs) -> Result<()> {
    exprs.give(|list| {
        outputs.give(|arrays, count| match count as usize == list.len() {
            true => check(run(arrays, list)),
            false => {
                let message = format!("{} arrays for {} expressions", count, list.len());
                Err(Error::new(Status::ARGUMENT, message))
            }
        })
    })
}

/// Tells which kernels expressions become: for each what it reads and writes, and why each value
/// that it stores is stored; last how many there are.
///
/// # Errors
/// As [`evaluate`].
pub fn explain(exprs: impl Exprs) -> Result<String> {
    exprs.give(|list| {
        let count = i32::try_from(list.len()).unwrap_or(i32::MAX);
        string(|out| unsafe { sys::gpuarr_expr_explain(out, list.as_ptr(), count) })
    })
}
