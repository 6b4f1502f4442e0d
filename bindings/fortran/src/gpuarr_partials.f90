!> What the threads of a folding kernel leave, combined by a reduction of the library.
module gpuarr_partials
  use, intrinsic :: iso_c_binding
  use gpuarr_c
  use gpuarr_errors
  use gpuarr_locks
  implicit none
  private
  public :: combine, most_folds

  !> As many scalars as one loop may fold.
  integer, parameter :: most_folds = 8

  integer, parameter :: count = 9
  character(*), parameter :: names(count) = [character(5) :: "+", "*", "max", "min", "iand", &
      "ior", "ieor", ".and.", ".or."]
  character(*), parameter :: texts(count) = [character(13) :: "a + b", "a * b", "b > a ? b : a", &
      "b < a ? b : a", "a & b", "a | b", "a ^ b", "a && b", "a || b"]
  type(c_ptr), save :: reductions(count) = c_null_ptr

contains

  !> Combine all elements of an array of one dim, and read the result.
  !> @param partials  the array; nothing is done without one
  !> @param operator  "+", "max" and so on
  !> @param address   where the result goes
  subroutine combine(partials, operator, address, stream, state)
    type(c_ptr), intent(in) :: partials, address, stream
    character(*), intent(in) :: operator
    type(call_state), intent(inout) :: state
    type(gpuarr_arg_c) :: input(1)
    type(c_ptr) :: reduction, out(1)
    integer :: which
    if (.not. c_associated(partials)) return
    do which = 1, count
      if (names(which) == operator) exit
    end do
    call reduction_of(reduction, which, state)
    input%array = partials
    out = c_null_ptr
    if (is_ok(state)) state%status = gpuarr_reduction_call_c(reduction, out, 1, input, 1, &
        axis_count=GPUARR_ALL_AXES, keepdims=0, stream=stream)
    if (is_ok(state)) state%status = gpuarr_array_read_c(address, int(gpuarr_dtype_size_c( &
        gpuarr_array_dtype_c(out(1))), c_int64_t), array=out(1), stream=stream)
    call gpuarr_array_release_c(out(1))
  end subroutine

  subroutine reduction_of(reduction, which, state)
    type(c_ptr), intent(out) :: reduction
    integer, intent(in) :: which
    type(call_state), intent(inout) :: state
    type(c_ptr) :: made
    reduction = reductions(which)
    if (c_associated(reduction)) return
    made = c_null_ptr
    state%status = gpuarr_reduction_create_c(made, c_text("T x"), c_text("T y"), c_text("x"), &
        c_text(texts(which)), c_text("y = a"), options=c_null_ptr)
    if (.not. is_ok(state)) return
    call publish(reductions(which), made, reduction)
    if (.not. c_associated(reduction, made)) call gpuarr_reduction_release_c(made)
  end subroutine

end module
