!> What operators, functions and ready-made operations share: their arguments as C has them,
!> results, indices from 1 and from 0, single elements.
module gpuarr_expressions
  use, intrinsic :: iso_c_binding
  use gpuarr_arguments
  use gpuarr_arrays
  use gpuarr_c
  use gpuarr_errors
  use gpuarr_scalars
  use gpuarr_streams
  implicit none
  private
  public :: argument_of, given, handle_of, compute, divide, give_sign, apply, reduced, run_text
  public :: to_axis, check_dims, check_sizes, rank_of, extent_of, count_from_zero, count_from_one
  public :: read_element, reversed, int_or, real_or, flag_or

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
  end interface

contains

  !> An array, a result or a scalar as C takes it: `default` without one. What is none becomes an
  !> argument that C refuses.
  recursive function argument_of(value, default) result(a)
    class(*), intent(in), optional :: value, default
    type(gpuarr_arg_c) :: a
    if (.not. present(value)) then
      if (present(default)) a = argument_of(default)
      return
    end if
    select type (value)
    class is (gpuarr_operand)
      a%array = value%c_handle()
    class default
      call set_scalar(a, value)
    end select
  end function

  !> What may be left out, as an argument that is there.
  function given(value, default) result(a)
    class(*), intent(in), optional :: value, default
    type(gpuarr_arg) :: a
    a%c = argument_of(value, default)
  end function

  !> The handle of an operand that may be left out; NULL without it.
  function handle_of(x) result(handle)
    class(gpuarr_operand), intent(in), optional :: x
    type(c_ptr) :: handle
    handle = c_null_ptr
    if (present(x)) handle = x%c_handle()
  end function

  !> Evaluate a function of gpuarr_apply in an expression, where a failure is an error stop.
  subroutine compute(made, name, x, y, z)
    type(gpuarr_result), intent(out) :: made
    character(*), intent(in) :: name
    class(*), intent(in) :: x
    class(*), intent(in), optional :: y, z
    type(call_state) :: state
    type(c_ptr) :: outs(1)
    outs = c_null_ptr
    call apply(state, outs, name, x, y, z)
    call finish(state)
    made = make_result(outs(1))
  end subroutine

  !> Divide as Fortran does: the quotient of integers is cut at the point.
  subroutine divide(made, x, y)
    type(gpuarr_result), intent(out) :: made
    class(*), intent(in) :: x, y
    type(call_state) :: state
    type(gpuarr_result) :: rest, whole_part
    type(gpuarr_arg_c) :: both(2)
    integer(c_int32_t) :: dtype
    both = [argument_of(x), argument_of(y)]
    dtype = 0
    if (gpuarr_result_type_c(dtype, both, 2) /= GPUARR_OK .or. .not. is_integer(dtype)) then
      call compute(made, "divide", x, y)
      return
    end if
    call apply_kept(state, rest, "fmod", x, y)
    if (is_ok(state)) call apply_kept(state, whole_part, "subtract", x, rest)
    call let_go(rest)
    if (is_ok(state)) call apply_kept(state, made, "floor_divide", whole_part, y)
    call let_go(whole_part)
    call let_go(x)
    call let_go(y)
    call finish(state)
  end subroutine

  !> Give the absolute value of x the sign of y, integers kept.
  subroutine give_sign(made, x, y)
    type(gpuarr_result), intent(out) :: made
    class(*), intent(in) :: x, y
    type(call_state) :: state
    type(gpuarr_arg_c) :: both(2)
    type(c_ptr) :: out
    integer(c_int32_t) :: dtype
    both = [argument_of(x), argument_of(y)]
    dtype = 0
    if (gpuarr_result_type_c(dtype, both, 2) /= GPUARR_OK .or. .not. is_integer(dtype)) then
      call compute(made, "copysign", x, y)
      return
    end if
    out = c_null_ptr
    state%status = run_text(out, "X x, Y y", f_text(gpuarr_dtype_name_c(dtype)) // " z", &
        "z = x; if ((x < 0) != (y < 0)) z = 0 - z;", both, c_null_ptr)
    call let_go(x)
    call let_go(y)
    call finish(state)
    made = make_result(out)
  end subroutine

  !> Evaluate a function of two arguments, which are not used up.
  subroutine apply_kept(state, made, name, x, y)
    type(call_state), intent(inout) :: state
    type(gpuarr_result), intent(out) :: made
    character(*), intent(in) :: name
    class(*), intent(in) :: x, y
    type(c_ptr) :: outs(1)
    outs = c_null_ptr
    state%status = gpuarr_apply_c(outs, 1, c_text(name), [argument_of(x), argument_of(y)], 2, &
        c_null_ptr, c_null_ptr)
    call rename(state, name)
    made = make_result(outs(1))
  end subroutine

  !> Run a function of gpuarr_apply, and use up the arguments that are results.
  subroutine apply(state, outs, name, x, y, z, v, w, where, stream)
    type(call_state), intent(inout) :: state
    type(c_ptr), intent(inout) :: outs(:)
    character(*), intent(in) :: name
    class(*), intent(in), optional :: x, y, z, v, w
    class(gpuarr_operand), intent(in), optional :: where
    type(gpuarr_stream), intent(in), optional :: stream
    type(gpuarr_arg_c) :: inputs(5)
    call check_stream(stream, state)
    inputs = [argument_of(x), argument_of(y), argument_of(z), argument_of(v), argument_of(w)]
    if (is_ok(state)) state%status = gpuarr_apply_c(outs, size(outs, kind=c_int32_t), &
        c_text(name), inputs, count([present(x), present(y), present(z), present(v), present(w)], &
        kind=c_int32_t), handle_of(where), stream_handle(stream))
    call rename(state, name)
    call let_go(x)
    call let_go(y)
    call let_go(z)
    call let_go(v)
    call let_go(w)
    call let_go(where)
  end subroutine

  !> Let the message of a failure begin with the function's own name.
  subroutine rename(state, name)
    type(call_state), intent(inout) :: state
    character(*), intent(in) :: name
    character(*), parameter :: general = "gpuarr_apply:"
    character(:), allocatable :: message
    if (is_ok(state) .or. allocated(state%message)) return
    message = f_text(gpuarr_last_error_c())
    if (index(message, general) == 1) call refuse(state, state%status, "gpuarr_" // name // ":" // &
        message(len(general) + 1:))
  end subroutine

  !> Reduce in an expression, along a dim or all.
  subroutine reduced(made, reduction, x, dim)
    type(gpuarr_result), intent(out) :: made
    procedure(reduction_of_c) :: reduction
    class(gpuarr_operand), intent(in) :: x
    integer, intent(in), optional :: dim
    type(call_state) :: state
    integer(c_int32_t) :: axes(GPUARR_MAX_NDIM), count
    type(c_ptr) :: out
    out = c_null_ptr
    call axes_of(axes, count, dim, state=state)
    if (is_ok(state)) state%status = reduction(out, x%c_handle(), axes, count, 0, c_null_ptr)
    call let_go(x)
    call finish(state)
    made = make_result(out)
  end subroutine

  !> Run an elementwise kernel of texts. Returns a status.
  function run_text(out, in_params, out_params, body, inputs, stream) result(status)
    type(c_ptr), intent(inout) :: out
    character(*), intent(in) :: in_params, out_params, body
    type(gpuarr_arg_c), intent(in) :: inputs(:)
    type(c_ptr), intent(in) :: stream
    integer(c_int32_t) :: status
    type(c_ptr) :: kernel, outs(1)
    outs(1) = out
    status = gpuarr_elementwise_create_c(kernel, c_text(in_params), c_text(out_params), &
        c_text(body), c_null_ptr)
    if (status == GPUARR_OK) status = gpuarr_elementwise_call_c(kernel, outs, 1, inputs, &
        size(inputs, kind=c_int32_t), GPUARR_NO_SIZE, stream)
    call gpuarr_elementwise_release_c(kernel)
    out = outs(1)
  end function

  !> The axis of C for a dim, or for the default one. What is no dim of any array is refused.
  subroutine to_axis(axis, default, dim, state)
    integer(c_int32_t), intent(out) :: axis
    integer, intent(in) :: default
    integer, intent(in), optional :: dim
    type(call_state), intent(inout) :: state
    axis = int_or(default, dim) - 1
    if (axis < 0) call refuse(state, GPUARR_ERR_AXIS, "dim " // text_of(axis + 1) // &
        "; dims count from 1")
  end subroutine

  !> Refuse dims that are no array's.
  subroutine check_dims(dims, state)
    integer, intent(in) :: dims(:)
    type(call_state), intent(inout) :: state
    if (any(dims < 1)) call refuse(state, GPUARR_ERR_AXIS, "dim " // text_of(minval(dims)) // &
        "; dims count from 1")
  end subroutine

  !> Refuse lists that are not of one size.
  subroutine check_sizes(who, sizes, state)
    character(*), intent(in) :: who
    integer, intent(in) :: sizes(:)
    type(call_state), intent(inout) :: state
    if (any(sizes /= sizes(1))) call refuse(state, GPUARR_ERR_ARGUMENT, who // &
        " must have equal sizes; they are " // dims_text(int(sizes, c_int64_t)))
  end subroutine

  integer function rank_of(x)
    class(gpuarr_operand), intent(in) :: x
    rank_of = gpuarr_array_ndim_c(x%c_handle())
  end function

  !> Indices as C has them, in a new array. Those below 1 are moved to before the first element, as
  !> else they would count from the last one; what is no integer C refuses.
  subroutine count_from_zero(moved, indices, extent, state, stream)
    type(c_ptr), intent(out) :: moved
    class(gpuarr_operand), intent(in) :: indices
    integer(c_int64_t), intent(in) :: extent
    type(call_state), intent(inout) :: state
    type(gpuarr_stream), intent(in), optional :: stream
    moved = c_null_ptr
    if (.not. is_ok(state)) return
    if (.not. is_integer(gpuarr_array_dtype_c(indices%c_handle()))) then
      moved = gpuarr_array_retain_c(indices%c_handle())
    else
      state%status = run_text(moved, "T k, int64 extent", "int64 j", &
          "j = k > 0 ? (long long)k - 1 : (long long)k - 1 - extent;", &
          [argument_of(indices), argument_of(extent)], stream_handle(stream))
    end if
  end subroutine

  !> Add 1 to the indices that a call has written.
  subroutine count_from_one(indices, state, stream)
    type(c_ptr), intent(in) :: indices
    type(call_state), intent(inout) :: state
    type(gpuarr_stream), intent(in), optional :: stream
    type(gpuarr_arg_c) :: array
    type(c_ptr) :: out
    if (.not. is_ok(state)) return
    array%array = indices
    out = indices
    state%status = gpuarr_add_c(out, array, argument_of(1), stream_handle(stream))
  end subroutine

  !> Extent of an axis of C; 0 for one that is not there.
  integer(c_int64_t) function extent_of(x, axis)
    class(gpuarr_operand), intent(in) :: x
    integer(c_int32_t), intent(in) :: axis
    integer(c_int64_t), pointer :: shape(:)
    integer(c_int32_t) :: rank
    rank = gpuarr_array_ndim_c(x%c_handle())
    extent_of = 0
    if (axis < 0 .or. axis >= rank) return
    call c_f_pointer(gpuarr_array_shape_c(x%c_handle()), shape, [rank])
    extent_of = shape(axis + 1)
  end function

  !> A view with the dims in the opposite order, whose C order is Fortran's of the array; NULL of
  !> NULL. Returns a status.
  function reversed(view, array) result(status)
    type(c_ptr), intent(out) :: view
    type(c_ptr), intent(in) :: array
    integer(c_int32_t) :: status
    view = c_null_ptr
    status = GPUARR_OK
    if (c_associated(array)) status = gpuarr_array_transpose_c(view, array, 0)
  end function

  !> Read the one element that there is, converted to a dtype, to an address.
  subroutine read_element(address, dtype, x)
    type(c_ptr), intent(in) :: address
    integer(c_int32_t), intent(in) :: dtype
    class(gpuarr_operand), intent(in) :: x
    type(call_state) :: state
    type(c_ptr) :: converted
    integer(c_int64_t) :: size
    converted = c_null_ptr
    size = 1  ! where there is no array C says so
    if (c_associated(x%c_handle())) size = gpuarr_array_size_c(x%c_handle())
    if (size /= 1) call refuse(state, GPUARR_ERR_SHAPE, "a scalar is set to an array of " // &
        text_of(size) // " elements; it takes just one")
    if (is_ok(state)) &
      state%status = gpuarr_array_astype_c(converted, x%c_handle(), dtype, c_null_ptr)
    if (is_ok(state)) state%status = gpuarr_array_read_c(address, &
        int(gpuarr_dtype_size_c(dtype), c_int64_t), array=converted, stream=c_null_ptr)
    call gpuarr_array_release_c(converted)
    call let_go(x)
    call finish(state)
  end subroutine

  pure logical function is_integer(dtype)
    integer(c_int32_t), intent(in) :: dtype
    is_integer = any(dtype == [GPUARR_I8, GPUARR_I16, GPUARR_I32, GPUARR_I64, GPUARR_U8, &
        GPUARR_U16, GPUARR_U32, GPUARR_U64])
  end function

  pure integer(c_int32_t) function int_or(default, value)
    integer, intent(in) :: default
    integer, intent(in), optional :: value
    int_or = default
    if (present(value)) int_or = value
  end function

  pure real(c_double) function real_or(default, value)
    real(c_double), intent(in) :: default
    real(c_double), intent(in), optional :: value
    real_or = default
    if (present(value)) real_or = value
  end function

  pure integer(c_int32_t) function flag_or(default, value)
    logical, intent(in) :: default
    logical, intent(in), optional :: value
    flag_or = merge(1, 0, default)
    if (present(value)) flag_or = merge(1, 0, value)
  end function

end module
