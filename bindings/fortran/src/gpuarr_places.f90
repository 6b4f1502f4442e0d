!> Where the least and the greatest elements are. Arguments and errors are those of gpuarr_reduce.
module gpuarr_places
  use, intrinsic :: iso_c_binding
  use gpuarr_arguments
  use gpuarr_arrays
  use gpuarr_c
  use gpuarr_errors
  use gpuarr_streams
  implicit none
  private
  public :: gpuarr_argmin, gpuarr_argmax

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

  !> Where the least element is, from 1, as int64: the index along one dim; along several its place
  !> among the elements of these dims in Fortran's order. Of equal elements it is the first; NaN
  !> counts as less than all else. Kernels, where indices count from 0, have to take 1 off.
  subroutine gpuarr_argmin(out, x, dim, dims, keepdims, stream, stat, errmsg)
    type(gpuarr_array), intent(inout) :: out
    class(gpuarr_operand), intent(in) :: x
    integer, intent(in), optional :: dim, dims(:)
    logical, intent(in), optional :: keepdims
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    call reduce_to_place(gpuarr_argmin_c, out, x, dim, dims, keepdims, stream, state)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Where the greatest element is, otherwise as gpuarr_argmin; NaN counts as greater than all else.
  subroutine gpuarr_argmax(out, x, dim, dims, keepdims, stream, stat, errmsg)
    type(gpuarr_array), intent(inout) :: out
    class(gpuarr_operand), intent(in) :: x
    integer, intent(in), optional :: dim, dims(:)
    logical, intent(in), optional :: keepdims
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    call reduce_to_place(gpuarr_argmax_c, out, x, dim, dims, keepdims, stream, state)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> C counts places in C order, which is Fortran's where the dims are reversed, and from 0.
  subroutine reduce_to_place(reduction, out, x, dim, dims, keepdims, stream, state)
    procedure(reduction_of_c) :: reduction
    type(gpuarr_array), intent(inout) :: out
    class(gpuarr_operand), intent(in) :: x
    integer, intent(in), optional :: dim, dims(:)
    logical, intent(in), optional :: keepdims
    type(gpuarr_stream), intent(in), optional :: stream
    type(call_state), intent(inout) :: state
    integer(c_int32_t) :: axes(GPUARR_MAX_NDIM), count, rank
    type(c_ptr) :: x_reversed, out_reversed, made
    call check_stream(stream, state)
    call axes_of(axes, count, dim, dims, state)
    rank = gpuarr_array_ndim_c(x%c_handle())
    where (axes < rank) axes = rank - 1 - axes  ! others stay too large
    out_reversed = c_null_ptr
    made = c_null_ptr
    if (is_ok(state)) state%status = gpuarr_array_transpose_c(x_reversed, x%c_handle(), 0)
    if (is_ok(state) .and. out%is_set()) &
      state%status = gpuarr_array_transpose_c(out_reversed, out%c_handle(), 0)
    if (is_ok(state)) state%status = reduction(out_reversed, x_reversed, axes, count, &
        flag(keepdims), stream_handle(stream))
    if (is_ok(state)) state%status = add_one(out_reversed, stream_handle(stream))
    if (is_ok(state)) state%status = gpuarr_array_transpose_c(made, out_reversed, 0)
    if (out%is_set()) then
      call gpuarr_array_release_c(made)
    else
      call out%adopt(made)
    end if
    call gpuarr_array_release_c(out_reversed)
    call gpuarr_array_release_c(x_reversed)
    call let_go(x)
  end subroutine

  !> Returns a status.
  function add_one(array, stream) result(status)
    type(c_ptr), intent(in) :: array, stream
    integer(c_int32_t) :: status
    type(gpuarr_arg_c) :: input(1)
    type(c_ptr) :: kernel, outputs(1)
    input(1)%array = array
    outputs(1) = array
    status = gpuarr_elementwise_create_c(kernel, c_text("int64 place"), c_text("int64 place"), &
        c_text("place += 1;"), c_null_ptr)
    if (status == GPUARR_OK) status = gpuarr_elementwise_call_c(kernel, outputs, 1, input, 1, &
        GPUARR_NO_SIZE, stream)
    call gpuarr_elementwise_release_c(kernel)
  end function

end module
