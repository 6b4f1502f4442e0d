//! Expressions without a type: C's object, or the error that there is none for.
use std::panic::Location;
use std::ptr::{self, NonNull};
use std::sync::Arc;

use gpuarr_sys as sys;

use crate::arg::Arg;
use crate::array::Array;
use crate::element::Element;
use crate::error::{check, object, Error, Result};
use crate::handle::{handle, shared_handle};
use crate::shape::Axes;

handle!(
    /// C's expression.
    Handle,
    gpuarr_expr,
    gpuarr_expr_release
);
shared_handle!(Handle, gpuarr_expr_retain);

// expr.h: "Expressions are immutable", and every function of it is "@threadsafe".
unsafe impl Send for Handle {}
unsafe impl Sync for Handle {}

/// An expression, or the first error on the way to it.
#[derive(Clone, Debug)]
pub struct Node(std::result::Result<Handle, Arc<Error>>);

/// The name of a C function's operation, as C takes it.
macro_rules! name {
    ($name:ident) => {
        concat!(stringify!($name), "\0")
    };
}
pub(crate) use name;

impl Node {
    /// # Safety
    /// `raw` is a live expression, and the caller owns the reference.
    pub(crate) unsafe fn from_raw(raw: NonNull<sys::gpuarr_expr>) -> Node {
        Node(Ok(Handle::from_raw(raw)))
    }

    pub(crate) fn into_raw(self) -> Result<NonNull<sys::gpuarr_expr>> {
        self.0.map(Handle::into_raw).map_err(|error| (*error).clone())
    }

    /// What a program did wrong, and where.
    #[cold]
    #[track_caller]
    pub(crate) fn failed(mut error: Error) -> Node {
        error.message += &format!(", at {}", Location::caller());
        Node(Err(Arc::new(error)))
    }

    /// Takes over a reference that C gave.
    fn own(raw: *mut sys::gpuarr_expr) -> Node {
        Node::made(|out| unsafe {
            *out = raw;
            sys::GPUARR_OK
        })
    }

    #[inline]
    #[track_caller]
    fn made(call: impl FnOnce(*mut *mut sys::gpuarr_expr) -> i32) -> Node {
        match object(call) {
            Ok(raw) => Node(Ok(Handle::own(raw))),
            Err(error) => Node::failed(error),
        }
    }

    #[inline]
    #[track_caller]
    pub(crate) fn array<T>(array: &Array<T>) -> Node {
        Node::made(|out| unsafe { sys::gpuarr_expr_array(out, array.as_ptr()) })
    }

    #[inline]
    #[track_caller]
    pub(crate) fn scalar<T: Element>(value: T) -> Node {
        Node::made(|out| unsafe { sys::gpuarr_expr_scalar(out, Arg::scalar(value).raw()) })
    }

    /// What an array or a scalar will stand for.
    #[track_caller]
    pub(crate) fn input(number: i32) -> Node {
        Node::made(|out| unsafe { sys::gpuarr_expr_input(out, number) })
    }

    /// C's expression, valid as long as `self`.
    #[inline]
    pub(crate) fn get(&self) -> Result<*mut sys::gpuarr_expr> {
        match &self.0 {
            Ok(handle) => Ok(handle.as_ptr()),
            Err(error) => Err((**error).clone()),
        }
    }

    /// Another expression of this one, unless there is none.
    #[inline]
    #[track_caller]
    pub(crate) fn then(
        self,
        call: impl FnOnce(*mut *mut sys::gpuarr_expr, *const sys::gpuarr_expr) -> i32,
    ) -> Node {
        match &self.0 {
            Ok(x) => Node::made(|out| call(out, x.as_ptr())),
            Err(_) => self,
        }
    }

    /// A function of the catalogue; `name` comes from [`name!`].
    #[inline]
    #[track_caller]
    pub(crate) fn apply<const N: usize>(name: &'static str, operands: [Node; N]) -> Node {
        let [result] = Node::apply_all(name, operands);
        result
    }

    /// One with several results.
    #[track_caller]
    pub(crate) fn apply_all<const N: usize, const M: usize>(
        name: &'static str,
        operands: [Node; N],
    ) -> [Node; M] {
        let mut list = [ptr::null(); N];
        for (place, operand) in list.iter_mut().zip(&operands) {
            match &operand.0 {
                Ok(x) => *place = x.as_ptr() as *const sys::gpuarr_expr,
                Err(_) => return [(); M].map(|()| operand.clone()),
            }
        }
        let mut out = [ptr::null_mut(); M];
        let (inputs, outputs, name) = (N as i32, M as i32, name.as_ptr().cast());
        let status = unsafe {
            sys::gpuarr_expr_apply(out.as_mut_ptr(), outputs, name, list.as_ptr(), inputs)
        };
        match check(status) {
            Ok(()) => out.map(Node::own),
            Err(error) => {
                let failed = Node::failed(error);
                [(); M].map(|()| failed.clone())
            }
        }
    }

    /// This one's own error, else that of what was given with it.
    #[track_caller]
    pub(crate) fn or_failed(self, error: Error) -> Node {
        match self.0 {
            Ok(_) => Node::failed(error),
            Err(_) => self,
        }
    }

    /// Another expression of this one, by numbers that are there or not.
    #[track_caller]
    pub(crate) fn then_by<P>(
        self,
        numbers: Result<P>,
        call: impl FnOnce(*mut *mut sys::gpuarr_expr, *const sys::gpuarr_expr, P) -> i32,
    ) -> Node {
        match numbers {
            Ok(numbers) => self.then(|out, x| call(out, x, numbers)),
            Err(error) => self.or_failed(error),
        }
    }

    /// The product of matrices.
    #[track_caller]
    pub(crate) fn matmul(self, y: Node) -> Node {
        match (self.get(), y.get()) {
            (Ok(x), Ok(y)) => Node::made(|out| unsafe { sys::gpuarr_expr_matmul(out, x, y) }),
            (Err(_), _) => self,
            _ => y,
        }
    }

    /// A ready-made reduction; `name` comes from [`name!`].
    #[track_caller]
    pub(crate) fn reduce(self, name: &'static str, axes: Axes, ddof: f64) -> Node {
        self.then_by(axes.parts(), |out, x, (list, count, keepdims)| unsafe {
            sys::gpuarr_expr_reduce(out, name.as_ptr().cast(), x, list, count, keepdims, ddof)
        })
    }
}
