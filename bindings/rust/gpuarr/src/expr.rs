//! Expressions: formulas of arrays, which are computed as a whole.
use std::fmt;
use std::marker::PhantomData;
use std::ptr::{self, NonNull};
use std::slice;

use gpuarr_sys as sys;

use crate::array::Array;
use crate::dtype::DType;
use crate::element::{Any, Content, Element};
use crate::error::{check, Error, Result, Status};
use crate::evaluate::explain;
use crate::node::Node;
use crate::outputs::Results;

/// Methods that arrays and expressions have.
macro_rules! formulas {
    ($(#[$about:meta])* {$($methods:tt)*}) => {
        $(#[$about])*
        impl<T: Content> Array<T> {
            $($methods)*
        }

        $(#[$about])*
        impl<T: Content> Expr<T> {
            $($methods)*
        }
    };
}
pub(crate) use formulas;

/// A formula of arrays, whose elements would be `T`: what operators, functions of elements and
/// reductions give. Nothing is computed until [`Expr::eval`], which makes as few passes over memory
/// as it can: what is written here is one kernel, that reads `x` once.
///
/// ```
/// use gpuarr::{Array, Axes};
/// # fn main() -> gpuarr::Result<()> {
/// let x = Array::<f32>::ones([100, 64])?;
/// let centered = &x - x.mean(Axes::keepdims(-1));
/// let normal = &centered / centered.square().mean(Axes::keepdims(-1)).sqrt();
/// assert!(normal.explain()?.contains("\n1 kernels"));
/// let z = normal.eval()?;
/// # assert_eq!(z.shape(), x.shape());
/// # Ok(())
/// # }
/// ```
///
/// It keeps alive what it is made of, and a clone is another reference. An array in it counts as it
/// is when the expression is evaluated, which is done anew each time: keep the array of what is
/// used twice. [`evaluate`](crate::evaluate) computes several together, and what they have in
/// common once.
///
/// Making one cannot fail. The first error on the way, with the operation and its place in the
/// program, is kept, and is that of all that is made of it:
///
/// ```
/// # fn main() -> gpuarr::Result<()> {
/// let (x, y) = (gpuarr::Array::<f32>::ones(2)?, gpuarr::Array::<f32>::ones(3)?);
/// let error = ((&x - &y) * 2.0).eval().unwrap_err();
/// assert!(error.message.contains("in subtract(float32 (2,), float32 (3,)), at "));
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is computed yet"]
pub struct Expr<T> {
    pub(crate) node: Node,
    elements: PhantomData<fn() -> T>,
}

impl<T> Clone for Expr<T> {
    /// Another reference to the same expression.
    fn clone(&self) -> Self {
        Expr::of(self.node.clone())
    }
}

impl<T> From<&Array<T>> for Expr<T> {
    /// The array's elements, as they are when the expression is evaluated.
    #[track_caller]
    fn from(array: &Array<T>) -> Expr<T> {
        Expr::of(Node::array(array))
    }
}

impl<T> From<Array<T>> for Expr<T> {
    /// As of a borrowed one.
    #[track_caller]
    fn from(array: Array<T>) -> Expr<T> {
        Expr::from(&array)
    }
}

impl<T> From<&Expr<T>> for Expr<T> {
    /// A clone.
    fn from(expr: &Expr<T>) -> Expr<T> {
        expr.clone()
    }
}

impl<T> Expr<T> {
    /// Of elements that are `T`: this is checked of results.
    #[inline]
    pub(crate) fn of(node: Node) -> Expr<T> {
        Expr { node, elements: PhantomData }
    }

    /// C's expression, valid as long as `self`.
    ///
    /// # Errors
    /// The first one on the way to it.
    pub fn as_ptr(&self) -> Result<*mut sys::gpuarr_expr> {
        self.node.get()
    }

    /// Hands the reference to the caller, who has to release it.
    ///
    /// # Errors
    /// As [`Expr::as_ptr`].
    pub fn into_raw(self) -> Result<NonNull<sys::gpuarr_expr>> {
        self.node.into_raw()
    }

    /// Type of the elements.
    ///
    /// # Errors
    /// As [`Expr::as_ptr`].
    pub fn dtype(&self) -> Result<DType> {
        self.node.get().map(|expr| DType(unsafe { sys::gpuarr_expr_dtype(expr) }))
    }

    /// Extents of the axes.
    ///
    /// # Errors
    /// As [`Expr::as_ptr`].
    pub fn shape(&self) -> Result<&[i64]> {
        // "gpuarr_expr_ndim() values, owned by the expression", which never changes.
        self.node.get().map(|expr| unsafe {
            match sys::gpuarr_expr_ndim(expr) {
                0 => &[][..],
                ndim => slice::from_raw_parts(sys::gpuarr_expr_shape(expr), ndim as usize),
            }
        })
    }

    /// Computes it into an array of its shape, in the thread's current stream: `z = (x - y) * 2` is
    /// `((x - y) * 2.0).eval_into(&mut z)`. The array may be an operand, which is read before it is
    /// written. It may have another type that is not of a lower kind: bool, unsigned, signed,
    /// float, complex.
    ///
    /// # Errors
    /// As [`Expr::eval`], and `OVERLAP`.
    #[inline]
    pub fn eval_into<U>(&self, out: &mut Array<U>) -> Result<()> {
        let expr: *const _ = self.node.get()?;
        check(unsafe { sys::gpuarr_evaluate(&mut out.as_ptr(), &expr, 1, ptr::null_mut()) })
    }

    /// The same, with the type of its elements known only when the program runs.
    pub fn into_any(self) -> Expr<Any> {
        Expr::of(self.node)
    }

    /// Its elements as another type.
    #[track_caller]
    pub fn astype<U: Element>(&self) -> Expr<U> {
        Expr::of(self.as_dtype(U::DTYPE))
    }

    /// As [`Expr::astype`], to a type that is known when the program runs.
    #[track_caller]
    pub fn astype_of(&self, dtype: DType) -> Expr<Any> {
        Expr::of(self.as_dtype(dtype))
    }

    #[track_caller]
    fn as_dtype(&self, dtype: DType) -> Node {
        let code = dtype.code();
        self.node.clone().then(|out, x| unsafe { sys::gpuarr_expr_astype(out, x, code) })
    }
}

impl<T: Content> Expr<T> {
    /// Takes over a reference of C's. What it holds is checked when it is evaluated.
    ///
    /// # Safety
    /// `raw` is a live expression, and the caller owns the reference.
    pub unsafe fn from_raw(raw: NonNull<sys::gpuarr_expr>) -> Expr<T> {
        Expr::of(Node::from_raw(raw))
    }

    /// Computes it into a new array, in the thread's current stream.
    ///
    /// # Errors
    /// The first one on the way to it, whose place is in the message; `DEVICE`, `OUT_OF_MEMORY`,
    /// `DRIVER`, and compile errors.
    #[inline]
    pub fn eval(&self) -> Result<Array<T>> {
        let expr: *const _ = self.node.get()?;
        Results::make(|out, count| unsafe {
            sys::gpuarr_evaluate(out, &expr, count, ptr::null_mut())
        })
    }

    /// As [`explain`], of this one.
    ///
    /// # Errors
    /// As [`explain`].
    pub fn explain(&self) -> Result<String> {
        explain(self)
    }
}

impl Expr<Any> {
    /// The expression as one of a type; [`Expr::astype`] converts elements. It is `DTYPE` if its
    /// elements are not of that type.
    #[track_caller]
    pub fn downcast<T: Content>(self) -> Expr<T> {
        match (T::WANTED, self.dtype()) {
            (Some(wanted), Ok(dtype)) if wanted != dtype => Expr::of(Node::failed(Error::new(
                Status::DTYPE,
                format!("an expression of {} is wanted here, and this one is {}", wanted, dtype),
            ))),
            _ => Expr::of(self.node),
        }
    }
}

impl<T: Element> Expr<T> {
    /// As [`Array::to_vec`], of the result.
    ///
    /// # Errors
    /// As [`Expr::eval`] and [`Array::to_vec`].
    pub fn to_vec(&self) -> Result<Vec<T>> {
        self.eval()?.to_vec()
    }

    /// As [`Array::item`], of the result.
    ///
    /// # Errors
    /// As [`Expr::eval`] and [`Array::item`].
    pub fn item(&self) -> Result<T> {
        self.eval()?.item()
    }
}

/// Type and shape, or the error.
impl<T> fmt::Debug for Expr<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.dtype(), self.shape()) {
            (Ok(dtype), Ok(shape)) => write!(f, "Expr({}, {:?})", dtype, shape),
            (Err(error), _) | (_, Err(error)) => write!(f, "Expr({:?})", error),
        }
    }
}
