!> Fortran's intrinsic functions for arrays of a device, by their own names: `y = exp(x) * sum(a)`.
!> It is for who asks for it, since `count`, `sum` and so on are then no names of variables where
!> this module is in use. Results are expressions or arrays, for other functions and operators, or
!> for an assignment, which computes them; that of all elements can also be assigned to a scalar.
!> What holds for the operators of gpuarr_operators holds here: a failure is an error stop, and
!> gpuarr_exp, gpuarr_sum and the like have `stat`, `stream` and `where`.
!>
!> Arguments and results are as in the standard, but that sums of integers are int64, that dtypes of
!> several arguments are promoted, and that maxloc and minloc have no `mask`.
module gpuarr_intrinsics
  use, intrinsic :: ieee_arithmetic
  use, intrinsic :: iso_c_binding
  use gpuarr_arrays
  use gpuarr_c
  use gpuarr_elemental_intrinsics
  use gpuarr_errors
  use gpuarr_expressions
  use gpuarr_formulas
  use gpuarr_operators
  use gpuarr_scalars
  implicit none
  private
  public :: abs, acos, acosh, aimag, aint, asin, asinh, atan, atan2, atanh, cmplx, conjg, cos, cosh
  public :: erf, erfc, exp, gamma, hypot, iand, ieor, ior, log, log10, log_gamma, max, merge, min
  public :: mod, modulo, not, shifta, shiftl, sign, sin, sinh, sqrt, tan, tanh
  public :: sum, product, maxval, minval, maxloc, minloc, any, all, count, norm2
  public :: matmul, dot_product, transpose, reshape, spread, cshift, eoshift, pack, unpack
  public :: real, int, floor, ceiling, anint, nint

  interface sum
    module procedure sum_of, sum_along
  end interface
  interface product
    module procedure product_of, product_along
  end interface
  interface maxval
    module procedure maxval_of, maxval_along
  end interface
  interface minval
    module procedure minval_of, minval_along
  end interface
  interface maxloc
    module procedure maxloc_of
  end interface
  interface minloc
    module procedure minloc_of
  end interface
  interface any
    module procedure any_of
  end interface
  interface all
    module procedure all_of
  end interface
  interface count
    module procedure count_of
  end interface
  interface norm2
    module procedure norm2_of
  end interface
  interface matmul
    module procedure matmul_of
  end interface
  interface dot_product
    module procedure dot_product_of
  end interface
  interface transpose
    module procedure transpose_of
  end interface
  interface reshape
    module procedure reshape_int32, reshape_int64
  end interface
  interface spread
    module procedure spread_of
  end interface
  interface cshift
    module procedure cshift_of
  end interface
  interface eoshift
    module procedure eoshift_of
  end interface
  interface pack
    module procedure pack_of
  end interface
  interface unpack
    module procedure unpack_of
  end interface
  interface real
    module procedure real_of
  end interface
  interface int
    module procedure int_of
  end interface
  interface floor
    module procedure floor_of
  end interface
  interface ceiling
    module procedure ceiling_of
  end interface
  interface anint
    module procedure anint_of
  end interface
  interface nint
    module procedure nint_of
  end interface

contains

  function sum_of(array, mask) result(made)
    class(gpuarr_operand), intent(in) :: array
    class(gpuarr_operand), intent(in), optional :: mask
    type(gpuarr_result) :: made
    call reduce_where(made, "sum" // c_null_char, array, arg(0), mask=mask)
  end function

  function sum_along(array, dim, mask) result(made)
    class(gpuarr_operand), intent(in) :: array
    integer, intent(in) :: dim
    class(gpuarr_operand), intent(in), optional :: mask
    type(gpuarr_result) :: made
    call reduce_where(made, "sum" // c_null_char, array, arg(0), dim, mask)
  end function

  function product_of(array, mask) result(made)
    class(gpuarr_operand), intent(in) :: array
    class(gpuarr_operand), intent(in), optional :: mask
    type(gpuarr_result) :: made
    call reduce_where(made, "prod" // c_null_char, array, arg(1), mask=mask)
  end function

  function product_along(array, dim, mask) result(made)
    class(gpuarr_operand), intent(in) :: array
    integer, intent(in) :: dim
    class(gpuarr_operand), intent(in), optional :: mask
    type(gpuarr_result) :: made
    call reduce_where(made, "prod" // c_null_char, array, arg(1), dim, mask)
  end function

  function maxval_of(array, mask) result(made)
    class(gpuarr_operand), intent(in) :: array
    class(gpuarr_operand), intent(in), optional :: mask
    type(gpuarr_result) :: made
    call reduce_where(made, "max" // c_null_char, array, extreme(array, greatest=.false.), &
        mask=mask)
  end function

  function maxval_along(array, dim, mask) result(made)
    class(gpuarr_operand), intent(in) :: array
    integer, intent(in) :: dim
    class(gpuarr_operand), intent(in), optional :: mask
    type(gpuarr_result) :: made
    call reduce_where(made, "max" // c_null_char, array, extreme(array, greatest=.false.), &
        dim, mask)
  end function

  function minval_of(array, mask) result(made)
    class(gpuarr_operand), intent(in) :: array
    class(gpuarr_operand), intent(in), optional :: mask
    type(gpuarr_result) :: made
    call reduce_where(made, "min" // c_null_char, array, extreme(array, greatest=.true.), &
        mask=mask)
  end function

  function minval_along(array, dim, mask) result(made)
    class(gpuarr_operand), intent(in) :: array
    integer, intent(in) :: dim
    class(gpuarr_operand), intent(in), optional :: mask
    type(gpuarr_result) :: made
    call reduce_where(made, "min" // c_null_char, array, extreme(array, greatest=.true.), &
        dim, mask)
  end function

  !> Reduce where a mask is true, everywhere without one.
  !> @param neutral  what an element counts as where it is false
  subroutine reduce_where(made, reduction, array, neutral, dim, mask)
    type(gpuarr_result), intent(out) :: made
    character(*), intent(in) :: reduction
    class(gpuarr_operand), intent(in) :: array
    type(gpuarr_arg), intent(in) :: neutral
    integer, intent(in), optional :: dim
    class(gpuarr_operand), intent(in), optional :: mask
    type(gpuarr_result) :: chosen
    if (present(mask)) then
      call compute(chosen, "where" // c_null_char, mask, array, neutral)
      call reduced(made, reduction, chosen, dim)
    else
      call reduced(made, reduction, array, dim)
    end if
  end subroutine

  !> The greatest or the least number of an array's dtype, infinity of a float.
  function extreme(array, greatest) result(a)
    class(gpuarr_operand), intent(in) :: array
    logical, intent(in) :: greatest
    type(gpuarr_arg) :: a
    integer(c_int32_t) :: dtype, rest
    integer(c_int64_t) :: most
    dtype = dtype_of(array)
    rest = int(64 - 8 * gpuarr_dtype_size_c(dtype), c_int32_t)
    if (any(dtype == [GPUARR_I8, GPUARR_I16, GPUARR_I32, GPUARR_I64])) then
      most = shiftr(huge(most), rest)
      a = arg(merge(most, -most - 1, greatest))
    else if (any(dtype == [GPUARR_U8, GPUARR_U16, GPUARR_U32, GPUARR_U64])) then
      a%c = gpuarr_arg_u64_c(merge(shiftr(-1_c_int64_t, rest), 0_c_int64_t, greatest))
    else if (dtype == GPUARR_BOOL) then
      a = arg(greatest)
    else
      a = arg(merge(1, -1, greatest) * ieee_value(1.0, ieee_positive_inf))
    end if
  end function

  function any_of(mask, dim) result(made)
    class(gpuarr_operand), intent(in) :: mask
    integer, intent(in), optional :: dim
    type(gpuarr_result) :: made
    call reduced(made, "any" // c_null_char, mask, dim)
  end function

  function all_of(mask, dim) result(made)
    class(gpuarr_operand), intent(in) :: mask
    integer, intent(in), optional :: dim
    type(gpuarr_result) :: made
    call reduced(made, "all" // c_null_char, mask, dim)
  end function

  function count_of(mask, dim) result(made)
    class(gpuarr_operand), intent(in) :: mask
    integer, intent(in), optional :: dim
    type(gpuarr_result) :: made
    call reduced(made, "count_nonzero" // c_null_char, mask, dim)
  end function

  !> Root of the sum of squares, also of complex numbers.
  function norm2_of(x, dim) result(made)
    class(gpuarr_operand), intent(in) :: x
    integer, intent(in), optional :: dim
    type(gpuarr_result) :: made
    call reduced(made, "norm_2" // c_null_char, x, dim)
  end function

  !> Where the greatest element is: an index for each dim, or along a dim the one there; from 1.
  function maxloc_of(x, dim) result(made)
    class(gpuarr_operand), intent(in) :: x
    integer, intent(in), optional :: dim
    type(gpuarr_result) :: made
    if (present(dim)) then
      call place_along(made, "argmax" // c_null_char, x, dim)
    else
      call place_of_all(made, gpuarr_argmax_c, x)
    end if
  end function

  !> Where the least element is, otherwise as maxloc.
  function minloc_of(x, dim) result(made)
    class(gpuarr_operand), intent(in) :: x
    integer, intent(in), optional :: dim
    type(gpuarr_result) :: made
    if (present(dim)) then
      call place_along(made, "argmin" // c_null_char, x, dim)
    else
      call place_of_all(made, gpuarr_argmin_c, x)
    end if
  end function

  function matmul_of(x, y) result(made)
    class(gpuarr_operand), intent(in) :: x, y
    type(gpuarr_result) :: made
    call multiply_matrices(made, x, y)
  end function

  !> The sum of conjg(x) * y.
  function dot_product_of(x, y) result(made)
    class(gpuarr_operand), intent(in) :: x, y
    type(gpuarr_result) :: made
    type(call_state) :: state
    type(c_ptr) :: out
    out = c_null_ptr
    state%status = gpuarr_vdot_c(out, x%c_handle(), y%c_handle(), c_null_ptr)
    call let_go(x)
    call let_go(y)
    call finish(state)
    made = make_result(out)
  end function

  include "gpuarr_intrinsics_views.inc"
  include "gpuarr_intrinsics_moving.inc"
  include "gpuarr_intrinsics_kinds.inc"

end module
