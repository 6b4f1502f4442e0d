!> Elements by a mask or by what they are: chosen, found, written to, compared as a whole. Where
!> elements have an order it is Fortran's, and their places count from 1. Errors are those of the C
!> functions of the same names, in gpuarr/select.h, gpuarr/order.h and gpuarr/logic.h.
module gpuarr_masks
  use, intrinsic :: iso_c_binding
  use gpuarr_arguments
  use gpuarr_arrays
  use gpuarr_c
  use gpuarr_errors
  use gpuarr_expressions
  use gpuarr_streams
  implicit none
  private
  public :: gpuarr_select, gpuarr_select_into, gpuarr_place, gpuarr_flatnonzero, gpuarr_nonzero
  public :: gpuarr_unique, gpuarr_allclose, gpuarr_array_equal

contains

  !> Take the elements where the mask is true: pack(x, mask). It waits, to know how many they are.
  subroutine gpuarr_select(out, x, mask, stream, stat, errmsg)
    type(gpuarr_array), intent(inout) :: out
    class(gpuarr_operand), intent(in) :: x, mask
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: made, view, mask_view
    call look(state, view, mask_view, x%c_handle(), mask%c_handle(), stream)
    made = out%c_handle()
    if (is_ok(state)) state%status = gpuarr_select_c(made, view, mask_view, stream_handle(stream))
    call gpuarr_array_release_c(mask_view)
    call gpuarr_array_release_c(view)
    call let_go(x)
    call let_go(mask)
    call keep(out, made)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Take them into the front of a vector, without waiting; `count` gets their number, as int64.
  subroutine gpuarr_select_into(out, count, x, mask, stream, stat, errmsg)
    type(gpuarr_array), intent(in) :: out
    type(gpuarr_array), intent(inout) :: count
    class(gpuarr_operand), intent(in) :: x, mask
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: made(1), view, mask_view
    call look(state, view, mask_view, x%c_handle(), mask%c_handle(), stream)
    made(1) = count%c_handle()
    if (is_ok(state)) state%status = gpuarr_select_into_c(out%c_handle(), made, view, mask_view, &
        stream_handle(stream))
    call gpuarr_array_release_c(mask_view)
    call gpuarr_array_release_c(view)
    call let_go(x)
    call let_go(mask)
    call keep(count, made(1))
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Write to the elements where the mask is true: a scalar, or the elements of an array one after
  !> the other, from the first again where it has fewer.
  subroutine gpuarr_place(x, mask, values, stream, stat, errmsg)
    type(gpuarr_array), intent(in) :: x
    class(gpuarr_operand), intent(in) :: mask
    class(*), intent(in) :: values
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: view, mask_view, values_view
    type(gpuarr_arg_c) :: given
    call look(state, view, mask_view, x%c_handle(), mask%c_handle(), stream)
    given = argument_of(values)
    values_view = c_null_ptr
    if (is_ok(state)) state%status = reversed(values_view, given%array)
    if (c_associated(values_view)) given%array = values_view
    if (is_ok(state)) state%status = gpuarr_place_c(view, mask_view, given, stream_handle(stream))
    call gpuarr_array_release_c(values_view)
    call gpuarr_array_release_c(mask_view)
    call gpuarr_array_release_c(view)
    call let_go(mask)
    call let_go(values)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Places of the elements that are not 0 among all, from 1, as int64. It waits.
  subroutine gpuarr_flatnonzero(out, x, stream, stat, errmsg)
    type(gpuarr_array), intent(inout) :: out
    class(gpuarr_operand), intent(in) :: x
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: made, view
    call check_stream(stream, state)
    made = c_null_ptr
    view = c_null_ptr
    if (is_ok(state)) state%status = reversed(view, x%c_handle())
    if (is_ok(state)) state%status = gpuarr_flatnonzero_c(made, view, stream_handle(stream))
    call count_from_one(made, state, stream)
    call gpuarr_array_release_c(view)
    call let_go(x)
    call give(out, made, state)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Indices of the elements that are not 0, from 1, as int64: a vector for each dim. It waits.
  subroutine gpuarr_nonzero(indices, x, stream, stat, errmsg)
    type(gpuarr_array), intent(inout) :: indices(:)
    class(gpuarr_operand), intent(in) :: x
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: made(size(indices)), view
    integer :: k
    call check_stream(stream, state)
    made = c_null_ptr
    view = c_null_ptr
    if (is_ok(state)) state%status = reversed(view, x%c_handle())
    if (is_ok(state)) state%status = gpuarr_nonzero_c(made, size(indices, kind=c_int32_t), view, &
        stream_handle(stream))
    do k = 1, size(indices)
      call count_from_one(made(k), state, stream)
    end do
    call gpuarr_array_release_c(view)
    call let_go(x)
    do k = 1, size(indices)
      call give(indices(size(indices) + 1 - k), made(k), state)
    end do
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> The elements that differ, in order; for each the place of its first, from 1, and how many there
  !> are; and for each element of x which of the values it is, from 1. It waits.
  subroutine gpuarr_unique(values, x, indices, inverse, counts, stream, stat, errmsg)
    type(gpuarr_array), intent(inout) :: values
    class(gpuarr_operand), intent(in) :: x
    type(gpuarr_array), intent(inout), optional :: indices, inverse, counts
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: made(1), view, numbers
    type(c_ptr), allocatable :: first(:), which(:), many(:)
    call check_stream(stream, state)
    view = c_null_ptr
    numbers = c_null_ptr
    made = [values%c_handle()]
    if (present(indices)) first = [indices%c_handle()]
    if (present(counts)) many = [counts%c_handle()]
    if (is_ok(state)) state%status = reversed(view, x%c_handle())
    if (present(inverse)) then
      if (is_ok(state)) state%status = reversed(numbers, inverse%c_handle())
      which = [numbers]
      numbers = c_null_ptr
    end if
    if (is_ok(state)) state%status = gpuarr_unique_c(made, first, which, many, view, &
        stream_handle(stream))
    call keep(values, made(1))
    if (present(counts)) call keep(counts, many(1))
    if (present(indices)) then
      call count_from_one(first(1), state, stream)
      call keep(indices, first(1))
    end if
    if (present(inverse)) then
      call count_from_one(which(1), state, stream)
      if (is_ok(state)) state%status = reversed(numbers, which(1))
      call gpuarr_array_release_c(which(1))
      if (inverse%is_set()) then
        call gpuarr_array_release_c(numbers)
      else
        call inverse%adopt(numbers)
      end if
    end if
    call gpuarr_array_release_c(view)
    call let_go(x)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Find out whether all elements are close, as gpuarr_isclose says. It waits.
  subroutine gpuarr_allclose(same, x, y, rtol, atol, equal_nan, stream, stat, errmsg)
    logical, intent(out) :: same
    class(gpuarr_operand), intent(in) :: x, y
    real(c_double), intent(in), optional :: rtol, atol
    logical, intent(in), optional :: equal_nan
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    integer(c_int32_t) :: found
    call check_stream(stream, state)
    found = 0
    if (is_ok(state)) state%status = gpuarr_allclose_c(found, x%c_handle(), y%c_handle(), &
        real_or(1e-5_c_double, rtol), real_or(1e-8_c_double, atol), flag_or(.false., equal_nan), &
        stream_handle(stream))
    same = found == 1
    call let_go(x)
    call let_go(y)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Find out whether two arrays have one shape and equal elements. It waits.
  subroutine gpuarr_array_equal(same, x, y, stream, stat, errmsg)
    logical, intent(out) :: same
    class(gpuarr_operand), intent(in) :: x, y
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    integer(c_int32_t) :: found
    call check_stream(stream, state)
    found = 0
    if (is_ok(state)) state%status = gpuarr_array_equal_c(found, x%c_handle(), y%c_handle(), &
        stream_handle(stream))
    same = found == 1
    call let_go(x)
    call let_go(y)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> See two arrays with their dims reversed, as C's order is Fortran's then.
  subroutine look(state, view, mask_view, x, mask, stream)
    type(call_state), intent(inout) :: state
    type(c_ptr), intent(out) :: view, mask_view
    type(c_ptr), intent(in) :: x, mask
    type(gpuarr_stream), intent(in), optional :: stream
    view = c_null_ptr
    mask_view = c_null_ptr
    call check_stream(stream, state)
    if (is_ok(state)) state%status = reversed(view, x)
    if (is_ok(state)) state%status = reversed(mask_view, mask)
  end subroutine

end module
