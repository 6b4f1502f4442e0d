!> What kernels are called with: arrays and scalars, dims to reduce along, grids and blocks.
module gpuarr_arguments
  use, intrinsic :: iso_c_binding
  use gpuarr_arrays
  use gpuarr_c
  use gpuarr_errors
  use gpuarr_scalars
  implicit none
  private
  public :: gather, let_go_each, copy_arguments, argument_words, axes_of, flag, keep
  public :: three, check_three, bytes_of

  !> As many arguments as a call takes one by one; more go in an array of `arg`.
  integer, parameter :: most_arguments = 8

  !> As many parameters as an elementwise or reduction kernel may have, and room for them.
  integer, parameter :: most_parameters = 32
  integer, parameter :: argument_words = most_parameters * c_sizeof(gpuarr_arg_c()) / 8

contains

  !> Make arguments of arrays, scalars and results of `arg`, as many as there are.
  !> @param arguments  point to them
  !> @param room       where they are: plain memory, since arguments of their own type would all be
  !>                   set to 0 first, which takes as long as all the rest
  subroutine gather(arguments, room, count, results, a1, a2, a3, a4, a5, a6, a7, a8)
    type(gpuarr_arg_c), pointer, contiguous, intent(out) :: arguments(:)
    integer(c_int64_t), target, intent(inout) :: room(argument_words)
    integer(c_int32_t), intent(out) :: count
    logical, intent(out) :: results
    class(*), intent(in), optional :: a1, a2, a3, a4, a5, a6, a7, a8
    call c_f_pointer(c_loc(room), arguments, [most_arguments])
    count = 0
    results = .false.
    if (present(a1)) call put(arguments(1), count, results, a1)
    if (present(a2)) call put(arguments(2), count, results, a2)
    if (present(a3)) call put(arguments(3), count, results, a3)
    if (present(a4)) call put(arguments(4), count, results, a4)
    if (present(a5)) call put(arguments(5), count, results, a5)
    if (present(a6)) call put(arguments(6), count, results, a6)
    if (present(a7)) call put(arguments(7), count, results, a7)
    if (present(a8)) call put(arguments(8), count, results, a8)
  end subroutine

  !> Copy arguments as C has them into such room. Of more than a kernel can have C sees the count
  !> only.
  subroutine copy_arguments(arguments, room, given)
    type(gpuarr_arg_c), pointer, contiguous, intent(out) :: arguments(:)
    integer(c_int64_t), target, intent(inout) :: room(argument_words)
    type(gpuarr_arg), intent(in) :: given(:)
    integer :: k
    call c_f_pointer(c_loc(room), arguments, [most_parameters])
    do k = 1, min(size(given), most_parameters)
      arguments(k) = given(k)%c
    end do
  end subroutine

  subroutine put(a, count, results, value)
    type(gpuarr_arg_c), intent(inout) :: a
    integer(c_int32_t), intent(inout) :: count
    logical, intent(inout) :: results
    class(*), intent(in) :: value
    count = count + 1
    select type (value)
    type is (gpuarr_array)
      a%array = value%c_handle()
      a%dtype = 0
      a%flags = 0
    class is (gpuarr_operand)  ! a result or an expression
      results = .true.
      a%array = value%c_handle()
      a%dtype = 0
      a%flags = 0
    class default
      call set_scalar(a, value)
    end select
  end subroutine

  !> Use up those arguments of a call that are results.
  subroutine let_go_each(a1, a2, a3, a4, a5, a6, a7, a8)
    class(*), intent(in), optional :: a1, a2, a3, a4, a5, a6, a7, a8
    if (present(a1)) call let_go(a1)
    if (present(a2)) call let_go(a2)
    if (present(a3)) call let_go(a3)
    if (present(a4)) call let_go(a4)
    if (present(a5)) call let_go(a5)
    if (present(a6)) call let_go(a6)
    if (present(a7)) call let_go(a7)
    if (present(a8)) call let_go(a8)
  end subroutine

  !> Axes of C for the dims to reduce along: those of `dim` or `dims`, all if neither is there. What
  !> is no dim of any array is refused.
  subroutine axes_of(axes, count, dim, dims, state)
    integer(c_int32_t), intent(out) :: axes(GPUARR_MAX_NDIM), count
    integer, intent(in), optional :: dim, dims(:)
    type(call_state), intent(inout) :: state
    integer :: k
    axes = 0
    count = GPUARR_ALL_AXES
    if (present(dim)) then
      count = 1
      axes(1) = dim - 1
    end if
    if (present(dims)) then
      count = size(dims)
      do k = 1, min(size(dims), size(axes))
        axes(k) = dims(k) - 1
      end do
    end if
    if (present(dim) .and. present(dims)) then
      call refuse(state, GPUARR_ERR_ARGUMENT, "dim and dims are both given; give one of them")
    else if (count > size(axes)) then
      call refuse(state, GPUARR_ERR_AXIS, "dims has " // text_of(count) // &
          " entries; no array has more than " // text_of(GPUARR_MAX_NDIM) // " dims")
    else if (any(axes < 0)) then
      call refuse(state, GPUARR_ERR_AXIS, "dim " // text_of(minval(axes) + 1) // &
          "; dims count from 1")
    end if
  end subroutine

  !> An optional truth value as C has it; 0 without it.
  pure integer(c_int32_t) function flag(value)
    logical, intent(in), optional :: value
    flag = 0
    if (present(value)) flag = merge(1, 0, value)
  end function

  !> Take over an output that a call made.
  subroutine keep(out, made)
    type(gpuarr_array), intent(inout) :: out
    type(c_ptr), intent(in) :: made
    if (.not. out%is_set()) call out%adopt(made)
  end subroutine

  !> Three numbers of one to three: those that are left out are 1.
  pure function three(numbers)
    integer, intent(in) :: numbers(:)
    integer(c_int64_t) :: three(3)
    integer :: k
    three = 1
    do k = 1, min(size(numbers), 3)
      three(k) = numbers(k)
    end do
  end function

  !> Refuse a grid or block of no numbers or more than three.
  subroutine check_three(procedure, grid, block, state)
    character(*), intent(in) :: procedure
    integer, intent(in) :: grid(:), block(:)
    type(call_state), intent(inout) :: state
    if (min(size(grid), size(block)) < 1 .or. max(size(grid), size(block)) > 3) &
      call refuse(state, GPUARR_ERR_ARGUMENT, "gpuarr_raw%" // procedure // ": grid has " // &
          text_of(size(grid)) // " and block " // text_of(size(block)) // &
          " numbers; give one to three of each")
  end subroutine

  !> Bytes of shared memory that may be left out, 0 without them.
  pure integer(c_int64_t) function bytes_of(shared_bytes)
    integer, intent(in), optional :: shared_bytes
    bytes_of = 0
    if (present(shared_bytes)) bytes_of = shared_bytes
  end function

end module
