!> Reductions that are ready-made: sums, extremes, means, norms. All take the result first, which is
!> made if it is not set, else must have the results' shape and dtype and share no memory with x.
!>
!> @param out       the results, in the memory order of x
!> @param x         the elements: any shape, any layout; an array or what an expression makes
!> @param dim       the dim to reduce along, from 1
!> @param dims      several dims; with neither it is all, to one result without dims
!> @param keepdims  .true. to keep reduced dims, with extent 1
!> @param stream    stream to work in; the current one of the array's device without it
!>
!> They fail with GPUARR_ERR_ARGUMENT, GPUARR_ERR_AXIS, GPUARR_ERR_DTYPE, GPUARR_ERR_SHAPE and
!> others of gpuarr_sum in gpuarr/reduce.h, and are thread-safe as far as the arrays allow.
module gpuarr_reduce
  use, intrinsic :: iso_c_binding
  use gpuarr_arguments
  use gpuarr_arrays
  use gpuarr_c
  use gpuarr_errors
  use gpuarr_expressions
  use gpuarr_formulas
  use gpuarr_streams
  implicit none
  private
  public :: gpuarr_sum, gpuarr_prod, gpuarr_min, gpuarr_max
  public :: gpuarr_any, gpuarr_all, gpuarr_count_nonzero, gpuarr_mean, gpuarr_var, gpuarr_std
  public :: gpuarr_norm, gpuarr_dot, gpuarr_nansum, gpuarr_nanmin, gpuarr_nanmax, gpuarr_logsumexp

  abstract interface
    function reduction_of_c(out, x, axes, axis_count, keepdims, stream) bind(c) result(status)
      import
      type(c_ptr), intent(inout) :: out
      type(c_ptr), value :: x
      integer(c_int32_t), intent(in), optional :: axes(*)
      integer(c_int32_t), value :: axis_count
      integer(c_int32_t), value :: keepdims
      type(c_ptr), value :: stream
      integer(c_int32_t) :: status
    end function
    function reduction_with_number_of_c(out, x, number, axes, axis_count, keepdims, stream) &
        bind(c) result(status)
      import
      type(c_ptr), intent(inout) :: out
      type(c_ptr), value :: x
      real(c_double), value :: number
      integer(c_int32_t), intent(in), optional :: axes(*)
      integer(c_int32_t), value :: axis_count
      integer(c_int32_t), value :: keepdims
      type(c_ptr), value :: stream
      integer(c_int32_t) :: status
    end function
  end interface

contains

  !> The sum. Bools and signed integers give int64; others keep their dtype, and 16-bit floats are
  !> added as float32.
  subroutine gpuarr_sum(out, x, dim, dims, keepdims, stream, stat, errmsg)
    type(gpuarr_array), intent(inout) :: out
    class(gpuarr_operand), intent(in) :: x
    integer, intent(in), optional :: dim, dims(:)
    logical, intent(in), optional :: keepdims
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    call reduce(gpuarr_sum_c, "sum", out, x, dim, dims, keepdims, stream, state)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> The product; dtypes are as for gpuarr_sum.
  subroutine gpuarr_prod(out, x, dim, dims, keepdims, stream, stat, errmsg)
    type(gpuarr_array), intent(inout) :: out
    class(gpuarr_operand), intent(in) :: x
    integer, intent(in), optional :: dim, dims(:)
    logical, intent(in), optional :: keepdims
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    call reduce(gpuarr_prod_c, "prod", out, x, dim, dims, keepdims, stream, state)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> The least element, NaN if there is a NaN; some element there must be (GPUARR_ERR_EMPTY).
  subroutine gpuarr_min(out, x, dim, dims, keepdims, stream, stat, errmsg)
    type(gpuarr_array), intent(inout) :: out
    class(gpuarr_operand), intent(in) :: x
    integer, intent(in), optional :: dim, dims(:)
    logical, intent(in), optional :: keepdims
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    call reduce(gpuarr_min_c, "min", out, x, dim, dims, keepdims, stream, state)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> The greatest element, otherwise as gpuarr_min.
  subroutine gpuarr_max(out, x, dim, dims, keepdims, stream, stat, errmsg)
    type(gpuarr_array), intent(inout) :: out
    class(gpuarr_operand), intent(in) :: x
    integer, intent(in), optional :: dim, dims(:)
    logical, intent(in), optional :: keepdims
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    call reduce(gpuarr_max_c, "max", out, x, dim, dims, keepdims, stream, state)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Whether any element is not 0, as bool; NaN is not.
  subroutine gpuarr_any(out, x, dim, dims, keepdims, stream, stat, errmsg)
    type(gpuarr_array), intent(inout) :: out
    class(gpuarr_operand), intent(in) :: x
    integer, intent(in), optional :: dim, dims(:)
    logical, intent(in), optional :: keepdims
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    call reduce(gpuarr_any_c, "any", out, x, dim, dims, keepdims, stream, state)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Whether no element is 0, as bool; NaN is not.
  subroutine gpuarr_all(out, x, dim, dims, keepdims, stream, stat, errmsg)
    type(gpuarr_array), intent(inout) :: out
    class(gpuarr_operand), intent(in) :: x
    integer, intent(in), optional :: dim, dims(:)
    logical, intent(in), optional :: keepdims
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    call reduce(gpuarr_all_c, "all", out, x, dim, dims, keepdims, stream, state)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> How many elements are not 0, as int64; NaN is not.
  subroutine gpuarr_count_nonzero(out, x, dim, dims, keepdims, stream, stat, errmsg)
    type(gpuarr_array), intent(inout) :: out
    class(gpuarr_operand), intent(in) :: x
    integer, intent(in), optional :: dim, dims(:)
    logical, intent(in), optional :: keepdims
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    call reduce(gpuarr_count_nonzero_c, "count_nonzero", out, x, dim, dims, keepdims, stream, state)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> The mean. Integers and bools give float64; others keep their dtype.
  subroutine gpuarr_mean(out, x, dim, dims, keepdims, stream, stat, errmsg)
    type(gpuarr_array), intent(inout) :: out
    class(gpuarr_operand), intent(in) :: x
    integer, intent(in), optional :: dim, dims(:)
    logical, intent(in), optional :: keepdims
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    call reduce(gpuarr_mean_c, "mean", out, x, dim, dims, keepdims, stream, state)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> The sum, a NaN as 0; otherwise as gpuarr_sum.
  subroutine gpuarr_nansum(out, x, dim, dims, keepdims, stream, stat, errmsg)
    type(gpuarr_array), intent(inout) :: out
    class(gpuarr_operand), intent(in) :: x
    integer, intent(in), optional :: dim, dims(:)
    logical, intent(in), optional :: keepdims
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    call reduce(gpuarr_nansum_c, "nansum", out, x, dim, dims, keepdims, stream, state)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> The least element that is no NaN; NaN where all are. Otherwise as gpuarr_min.
  subroutine gpuarr_nanmin(out, x, dim, dims, keepdims, stream, stat, errmsg)
    type(gpuarr_array), intent(inout) :: out
    class(gpuarr_operand), intent(in) :: x
    integer, intent(in), optional :: dim, dims(:)
    logical, intent(in), optional :: keepdims
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    call reduce(gpuarr_nanmin_c, "nanmin", out, x, dim, dims, keepdims, stream, state)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> The greatest element that is no NaN; NaN where all are. Otherwise as gpuarr_min.
  subroutine gpuarr_nanmax(out, x, dim, dims, keepdims, stream, stat, errmsg)
    type(gpuarr_array), intent(inout) :: out
    class(gpuarr_operand), intent(in) :: x
    integer, intent(in), optional :: dim, dims(:)
    logical, intent(in), optional :: keepdims
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    call reduce(gpuarr_nanmax_c, "nanmax", out, x, dim, dims, keepdims, stream, state)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> log(sum(exp(x))), in one pass and without overflow. Integers and bools give float64.
  subroutine gpuarr_logsumexp(out, x, dim, dims, keepdims, stream, stat, errmsg)
    type(gpuarr_array), intent(inout) :: out
    class(gpuarr_operand), intent(in) :: x
    integer, intent(in), optional :: dim, dims(:)
    logical, intent(in), optional :: keepdims
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    call reduce(gpuarr_logsumexp_c, "logsumexp", out, x, dim, dims, keepdims, stream, state)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> The variance: the sum of squared distances from the mean over their number less ddof, which is
  !> 0 if it is not given. Integers and bools give float64.
  subroutine gpuarr_var(out, x, ddof, dim, dims, keepdims, stream, stat, errmsg)
    type(gpuarr_array), intent(inout) :: out
    class(gpuarr_operand), intent(in) :: x
    real(c_double), intent(in), optional :: ddof
    integer, intent(in), optional :: dim, dims(:)
    logical, intent(in), optional :: keepdims
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    call reduce_with_number(gpuarr_var_c, "var", 0.0_c_double, out, x, ddof, dim, dims, &
        keepdims, stream, state)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> The standard deviation: the root of the variance.
  subroutine gpuarr_std(out, x, ddof, dim, dims, keepdims, stream, stat, errmsg)
    type(gpuarr_array), intent(inout) :: out
    class(gpuarr_operand), intent(in) :: x
    real(c_double), intent(in), optional :: ddof
    integer, intent(in), optional :: dim, dims(:)
    logical, intent(in), optional :: keepdims
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    call reduce_with_number(gpuarr_std_c, "std", 0.0_c_double, out, x, ddof, dim, dims, &
        keepdims, stream, state)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> The norm of vectors: ord 1 for the sum of absolute values, 2, also without it, for the root of
  !> the sum of squares, infinity (of ieee_arithmetic) for the largest. Along several dims the
  !> elements together are a vector.
  subroutine gpuarr_norm(out, x, ord, dim, dims, keepdims, stream, stat, errmsg)
    type(gpuarr_array), intent(inout) :: out
    class(gpuarr_operand), intent(in) :: x
    real(c_double), intent(in), optional :: ord
    integer, intent(in), optional :: dim, dims(:)
    logical, intent(in), optional :: keepdims
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    call reduce_with_number(gpuarr_norm_c, norm_name(ord), 2.0_c_double, out, x, ord, dim, dims, &
        keepdims, stream, state)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> The sum of the products of elements of two arrays of one shape and dtype; no complex number is
  !> conjugated.
  subroutine gpuarr_dot(out, x, y, stream, stat, errmsg)
    type(gpuarr_array), intent(inout) :: out
    class(gpuarr_operand), intent(in) :: x, y
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: made
    call check_stream(stream, state)
    made = out%c_handle()
    if (is_ok(state)) state%status = gpuarr_dot_c(made, x%c_handle(), y%c_handle(), &
        stream_handle(stream))
    call let_go(x)
    call let_go(y)
    call keep(out, made)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  subroutine reduce(reduction, name, out, x, dim, dims, keepdims, stream, state)
    procedure(reduction_of_c) :: reduction
    character(*), intent(in) :: name
    type(gpuarr_array), intent(inout) :: out
    class(gpuarr_operand), intent(in) :: x
    integer, intent(in), optional :: dim, dims(:)
    logical, intent(in), optional :: keepdims
    type(gpuarr_stream), intent(in), optional :: stream
    type(call_state), intent(inout) :: state
    integer(c_int32_t) :: axes(GPUARR_MAX_NDIM), count
    type(c_ptr) :: made
    call check_stream(stream, state)
    call axes_of(axes, count, dim, dims, state)
    made = out%c_handle()
    if (associated(formula_of(x))) then
      call reduce_formula(made, name, x, axes, count, keepdims, 0.0_c_double, stream, state)
    else if (is_ok(state)) then
      state%status = reduction(made, x%c_handle(), axes, count, flag(keepdims), &
          stream_handle(stream))
    end if
    call let_go(x)
    call keep(out, made)
  end subroutine

  !> Reduce an expression, as one.
  subroutine reduce_formula(out, name, x, axes, count, keepdims, ddof, stream, state)
    type(c_ptr), intent(inout) :: out
    character(*), intent(in) :: name
    class(gpuarr_operand), intent(in) :: x
    integer(c_int32_t), intent(in) :: axes(GPUARR_MAX_NDIM), count
    logical, intent(in), optional :: keepdims
    real(c_double), intent(in) :: ddof
    type(gpuarr_stream), intent(in), optional :: stream
    type(call_state), intent(inout) :: state
    type(c_ptr) :: outs(1), exprs(1), device
    outs(1) = out
    call build_reduction(exprs(1), device, c_text(name), x, axes, count, keepdims, ddof, state)
    call compute_into(outs, exprs, stream, state)
    out = outs(1)
  end subroutine

  !> A norm in expressions; "" for one that there is not.
  function norm_name(ord) result(name)
    real(c_double), intent(in), optional :: ord
    character(:), allocatable :: name
    name = ""
    if (real_or(2.0_c_double, ord) == 1) name = "norm_1"
    if (real_or(2.0_c_double, ord) == 2) name = "norm_2"
    if (real_or(2.0_c_double, ord) > huge(1.0_c_double)) name = "norm_inf"
  end function

  !> @param name  in expressions; "" if it is not in them
  subroutine reduce_with_number(reduction, name, default, out, x, number, dim, dims, keepdims, &
                                stream, state)
    procedure(reduction_with_number_of_c) :: reduction
    character(*), intent(in) :: name
    real(c_double), intent(in) :: default
    type(gpuarr_array), intent(inout) :: out
    class(gpuarr_operand), intent(in) :: x
    real(c_double), intent(in), optional :: number
    integer, intent(in), optional :: dim, dims(:)
    logical, intent(in), optional :: keepdims
    type(gpuarr_stream), intent(in), optional :: stream
    type(call_state), intent(inout) :: state
    integer(c_int32_t) :: axes(GPUARR_MAX_NDIM), count
    type(c_ptr) :: made
    call check_stream(stream, state)
    call axes_of(axes, count, dim, dims, state)
    made = out%c_handle()
    if (name /= "" .and. associated(formula_of(x))) then
      call reduce_formula(made, name, x, axes, count, keepdims, &
          merge(0.0_c_double, real_or(default, number), index(name, "norm") == 1), stream, state)
    else if (is_ok(state)) then
      state%status = reduction(made, x%c_handle(), real_or(default, number), axes, count, &
          flag(keepdims), stream_handle(stream))
    end if
    call let_go(x)
    call keep(out, made)
  end subroutine

end module
