!> Arrays joined, cut, brought to one shape and turned round. Cutting and turning makes views:
!> nothing is copied. Dims count from 1; errors are those of the C functions of the same names, in
!> gpuarr/join.h and gpuarr/rearrange.h.
module gpuarr_joins
  use, intrinsic :: iso_c_binding
  use gpuarr_arguments
  use gpuarr_arrays
  use gpuarr_c
  use gpuarr_devices
  use gpuarr_errors
  use gpuarr_expressions
  use gpuarr_scalars
  use gpuarr_streams
  implicit none
  private
  public :: gpuarr_concatenate, gpuarr_stack, gpuarr_split, gpuarr_split_at
  public :: gpuarr_broadcast_arrays, gpuarr_meshgrid, gpuarr_flip, gpuarr_rot90, gpuarr_tri

  !> Join arrays one behind the other along a dim that they have, the first without `dim`:
  !> `call gpuarr_concatenate(z, x, y)`, or an array of arrays, `call gpuarr_concatenate(z, many)`.
  interface gpuarr_concatenate
    module procedure concatenate_each, concatenate_list
  end interface

  !> Join arrays of one shape along a new dim, which is the first without `dim`.
  interface gpuarr_stack
    module procedure stack_each, stack_list
  end interface

  abstract interface
    function join_of_c(out, arrays, count, axis, stream) bind(c) result(status)
      import
      type(c_ptr), intent(inout) :: out
      type(c_ptr), intent(in) :: arrays(*)
      integer(c_int32_t), value :: count
      integer(c_int32_t), value :: axis
      type(c_ptr), value :: stream
      integer(c_int32_t) :: status
    end function
  end interface

contains

  subroutine concatenate_each(out, x1, x2, x3, x4, x5, x6, x7, x8, dim, stream, stat, errmsg)
    type(gpuarr_array), intent(inout) :: out
    class(gpuarr_operand), intent(in) :: x1, x2
    class(gpuarr_operand), intent(in), optional :: x3, x4, x5, x6, x7, x8
    integer, intent(in), optional :: dim
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    call join_each(gpuarr_concatenate_c, out, x1, x2, x3, x4, x5, x6, x7, x8, dim, stream, state)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  subroutine concatenate_list(out, arrays, dim, stream, stat, errmsg)
    type(gpuarr_array), intent(inout) :: out
    type(gpuarr_array), intent(in) :: arrays(:)
    integer, intent(in), optional :: dim
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    call join(gpuarr_concatenate_c, out, handles_of(arrays), dim, stream, state)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  subroutine stack_each(out, x1, x2, x3, x4, x5, x6, x7, x8, dim, stream, stat, errmsg)
    type(gpuarr_array), intent(inout) :: out
    class(gpuarr_operand), intent(in) :: x1, x2
    class(gpuarr_operand), intent(in), optional :: x3, x4, x5, x6, x7, x8
    integer, intent(in), optional :: dim
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    call join_each(gpuarr_stack_c, out, x1, x2, x3, x4, x5, x6, x7, x8, dim, stream, state)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  subroutine stack_list(out, arrays, dim, stream, stat, errmsg)
    type(gpuarr_array), intent(inout) :: out
    type(gpuarr_array), intent(in) :: arrays(:)
    integer, intent(in), optional :: dim
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    call join(gpuarr_stack_c, out, handles_of(arrays), dim, stream, state)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  subroutine join_each(joining, out, x1, x2, x3, x4, x5, x6, x7, x8, dim, stream, state)
    procedure(join_of_c) :: joining
    type(gpuarr_array), intent(inout) :: out
    class(gpuarr_operand), intent(in) :: x1, x2
    class(gpuarr_operand), intent(in), optional :: x3, x4, x5, x6, x7, x8
    integer, intent(in), optional :: dim
    type(gpuarr_stream), intent(in), optional :: stream
    type(call_state), intent(inout) :: state
    type(c_ptr) :: handles(8)
    integer :: count
    count = 0
    call add(x1)
    call add(x2)
    call add(x3)
    call add(x4)
    call add(x5)
    call add(x6)
    call add(x7)
    call add(x8)
    call join(joining, out, handles(:count), dim, stream, state)
    call let_go(x1)
    call let_go(x2)
    call let_go(x3)
    call let_go(x4)
    call let_go(x5)
    call let_go(x6)
    call let_go(x7)
    call let_go(x8)

  contains

    subroutine add(x)
      class(gpuarr_operand), intent(in), optional :: x
      if (.not. present(x)) return
      count = count + 1
      handles(count) = x%c_handle()
    end subroutine

  end subroutine

  subroutine join(joining, out, handles, dim, stream, state)
    procedure(join_of_c) :: joining
    type(gpuarr_array), intent(inout) :: out
    type(c_ptr), intent(in) :: handles(:)
    integer, intent(in), optional :: dim
    type(gpuarr_stream), intent(in), optional :: stream
    type(call_state), intent(inout) :: state
    type(c_ptr) :: made
    integer(c_int32_t) :: axis
    call check_stream(stream, state)
    call to_axis(axis, 1, dim, state)
    made = out%c_handle()
    if (is_ok(state)) state%status = joining(made, handles, size(handles, kind=c_int32_t), axis, &
        stream_handle(stream))
    call keep(out, made)
  end subroutine

  !> Cut an array along a dim, the first without `dim`, into equal sections: as many as `outs` are.
  subroutine gpuarr_split(outs, x, dim, stat, errmsg)
    type(gpuarr_array), intent(inout) :: outs(:)
    class(gpuarr_operand), intent(in) :: x
    integer, intent(in), optional :: dim
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: made(size(outs))
    integer(c_int32_t) :: axis
    call to_axis(axis, 1, dim, state)
    if (is_ok(state)) state%status = gpuarr_split_c(made, size(outs, kind=c_int32_t), &
        x%c_handle(), axis)
    call let_go(x)
    call give_all(outs, made, state)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Cut an array along a dim, the first without `dim`, before given indices, from 1. There is one
  !> array more in `outs` than there are indices.
  subroutine gpuarr_split_at(outs, x, indices, dim, stat, errmsg)
    type(gpuarr_array), intent(inout) :: outs(:)
    class(gpuarr_operand), intent(in) :: x
    integer, intent(in) :: indices(:)
    integer, intent(in), optional :: dim
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: made(size(outs))
    integer(c_int32_t) :: axis
    call to_axis(axis, 1, dim, state)
    call check_sizes("gpuarr_split_at: outs, and indices with one more,", &
        [size(outs), size(indices) + 1], state)
    if (any(indices < 1)) call refuse(state, GPUARR_ERR_ARGUMENT, "gpuarr_split_at: index " // &
        text_of(minval(indices)) // "; indices count from 1")
    if (is_ok(state)) state%status = gpuarr_split_at_c(made, size(indices, kind=c_int32_t), &
        int(indices, c_int64_t) - 1, x%c_handle(), axis)
    call let_go(x)
    call give_all(outs, made, state)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Bring arrays to the one shape that they broadcast to.
  subroutine gpuarr_broadcast_arrays(outs, arrays, stat, errmsg)
    type(gpuarr_array), intent(inout) :: outs(:)
    type(gpuarr_array), intent(in) :: arrays(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: made(size(outs))
    call check_sizes("gpuarr_broadcast_arrays: outs and arrays", [size(outs), size(arrays)], state)
    if (is_ok(state)) state%status = gpuarr_broadcast_arrays_c(made, handles_of(arrays), &
        size(arrays, kind=c_int32_t))
    call give_all(outs, made, state)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Make the coordinates of a grid's points: each array lies along the dim of its number, or with
  !> GPUARR_INDEXING_XY the first two the other way round.
  subroutine gpuarr_meshgrid(outs, arrays, indexing, stat, errmsg)
    type(gpuarr_array), intent(inout) :: outs(:)
    type(gpuarr_array), intent(in) :: arrays(:)
    integer, intent(in), optional :: indexing
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: made(size(outs))
    call check_sizes("gpuarr_meshgrid: outs and arrays", [size(outs), size(arrays)], state)
    if (is_ok(state)) state%status = gpuarr_meshgrid_c(made, handles_of(arrays), &
        size(arrays, kind=c_int32_t), int_or(GPUARR_INDEXING_IJ, indexing))
    call give_all(outs, made, state)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Walk dims from their other end, all without `dims`.
  subroutine gpuarr_flip(out, x, dims, stat, errmsg)
    type(gpuarr_array), intent(inout) :: out
    class(gpuarr_operand), intent(in) :: x
    integer, intent(in), optional :: dims(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: made
    if (present(dims)) then
      call check_dims(dims, state)
      if (is_ok(state)) state%status = gpuarr_flip_c(made, x%c_handle(), &
          size(dims, kind=c_int32_t), dims - 1)
    else
      state%status = gpuarr_flip_c(made, x%c_handle(), 0)
    end if
    call let_go(x)
    call give(out, made, state)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Turn the plane of two dims by quarters, one without `turns`, from the first dim to the second.
  subroutine gpuarr_rot90(out, x, turns, dim1, dim2, stat, errmsg)
    type(gpuarr_array), intent(inout) :: out
    class(gpuarr_operand), intent(in) :: x
    integer, intent(in), optional :: turns, dim1, dim2
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: made
    integer(c_int32_t) :: axis1, axis2
    call to_axis(axis1, 1, dim1, state)
    call to_axis(axis2, 2, dim2, state)
    if (is_ok(state)) state%status = gpuarr_rot90_c(made, x%c_handle(), int_or(1, turns), axis1, &
        axis2)
    call let_go(x)
    call give(out, made, state)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Make a matrix of ones on and below diagonal k, 0 without it, and of zeros above it.
  subroutine gpuarr_tri(out, rows, columns, dtype, k, order, device, stream, stat, errmsg)
    type(gpuarr_array), intent(inout) :: out
    class(*), intent(in) :: rows, columns
    integer(c_int32_t), intent(in) :: dtype
    class(*), intent(in), optional :: k
    integer(c_int32_t), intent(in), optional :: order
    type(gpuarr_device), intent(in), optional :: device
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: place, made
    integer(c_int64_t) :: height, width, offset
    call check_stream(stream, state)
    call whole(height, rows, 0_c_int64_t, "gpuarr_tri: rows", state)
    call whole(width, columns, 0_c_int64_t, "gpuarr_tri: columns", state)
    call whole(offset, k, 0_c_int64_t, "gpuarr_tri: k", state)
    place = c_null_ptr
    if (present(stream) .and. .not. present(device)) then
      if (is_ok(state)) state%status = locate(place, stream%device())
    else
      if (is_ok(state)) state%status = locate(place, device)
    end if
    if (is_ok(state)) state%status = gpuarr_tri_c(made, place, dtype, height, width, offset, &
        int_or(GPUARR_ORDER_F, order), stream_handle(stream))
    call give(out, made, state)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  function handles_of(arrays) result(handles)
    type(gpuarr_array), intent(in) :: arrays(:)
    type(c_ptr) :: handles(size(arrays))
    integer :: k
    do k = 1, size(arrays)
      handles(k) = arrays(k)%c_handle()
    end do
  end function

  subroutine give_all(outs, made, state)
    type(gpuarr_array), intent(inout) :: outs(:)
    type(c_ptr), intent(in) :: made(:)
    type(call_state), intent(in) :: state
    integer :: k
    do k = 1, size(outs)
      call give(outs(k), made(k), state)
    end do
  end subroutine

end module
