!> What functions and ready-made operations share: their arguments as C has them, what they are,
!> indices from 1 and from 0, single elements.
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
  public :: argument_of, given, handle_of, run_text, to_axis, check_dims, check_sizes
  public :: dtype_of, rank_of, extent_of, is_integer, count_from_zero, count_from_one
  public :: read_element, reversed, int_or, real_or, flag_or

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

  !> Type of an operand's elements.
  integer(c_int32_t) function dtype_of(x)
    class(gpuarr_operand), intent(in) :: x
    type(formula), pointer :: f
    f => formula_of(x)
    if (associated(f)) then
      dtype_of = gpuarr_expr_dtype_c(f%expr)
    else
      dtype_of = gpuarr_array_dtype_c(x%c_handle())
    end if
  end function

  integer function rank_of(x)
    class(gpuarr_operand), intent(in) :: x
    type(formula), pointer :: f
    f => formula_of(x)
    if (associated(f)) then
      rank_of = gpuarr_expr_ndim_c(f%expr)
    else
      rank_of = gpuarr_array_ndim_c(x%c_handle())
    end if
  end function

  !> Extent of an axis of C; 0 for one that is not there.
  integer(c_int64_t) function extent_of(x, axis)
    class(gpuarr_operand), intent(in) :: x
    integer(c_int32_t), intent(in) :: axis
    type(formula), pointer :: f
    type(c_ptr) :: extents
    integer(c_int64_t), pointer :: shape(:)
    integer :: rank
    extent_of = 0
    rank = rank_of(x)
    if (axis < 0 .or. axis >= rank) return
    f => formula_of(x)
    if (associated(f)) then
      extents = gpuarr_expr_shape_c(f%expr)
    else
      extents = gpuarr_array_shape_c(x%c_handle())
    end if
    call c_f_pointer(extents, shape, [rank])
    extent_of = shape(axis + 1)
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
    type(formula), pointer :: f
    type(c_ptr) :: made(1), converted(1)
    integer(c_int64_t) :: size
    integer(c_int32_t) :: axis
    made = c_null_ptr
    converted = c_null_ptr
    size = 1
    do axis = 0, rank_of(x) - 1
      size = size * extent_of(x, axis)
    end do
    f => formula_of(x)
    if (size /= 1) then
      call refuse(state, GPUARR_ERR_SHAPE, "a scalar is set to an array of " // text_of(size) // &
          " elements; it takes just one")
    else if (associated(f)) then
      state%status = gpuarr_expr_astype_c(converted(1), f%expr, dtype)
      if (is_ok(state)) state%status = gpuarr_evaluate_c(made, converted, 1, c_null_ptr)
      call gpuarr_expr_release_c(converted(1))
    else
      state%status = gpuarr_array_astype_c(made(1), x%c_handle(), dtype, c_null_ptr)
    end if
    if (is_ok(state)) state%status = gpuarr_array_read_c(address, &
        int(gpuarr_dtype_size_c(dtype), c_int64_t), array=made(1), stream=c_null_ptr)
    call gpuarr_array_release_c(made(1))
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
