!> What is computed of whole blocked arrays: products of matrices, sorting, cumulative sums, random
!> numbers.
module gpuarr_blocked_computations
  use, intrinsic :: iso_c_binding
  use gpuarr_arguments
  use gpuarr_blocked_arrays
  use gpuarr_c
  use gpuarr_errors
  use gpuarr_expressions
  use gpuarr_random
  use gpuarr_scalars
  implicit none
  private
  public :: gpuarr_blocked_matmul, gpuarr_blocked_sort, gpuarr_blocked_scan, gpuarr_blocked_random

contains

  !> Multiply blocked matrices, or vectors, in any grids on any places. Collective.
  !> @param out  the product: one that is set has its shape and dtype, in any blocks; else it is
  !>             made with the rows of x's blocks and the columns of y's
  !> @param x    of shape (m, k) or (k)
  !> @param y    of shape (k, n) or (k)
  !> The bits depend on the grids, not on the number of places. Fails with GPUARR_ERR_ARGUMENT
  !> (another team), GPUARR_ERR_SHAPE, GPUARR_ERR_DTYPE, GPUARR_ERR_NO_LIBRARY (BLAS),
  !> GPUARR_ERR_PEER and others of gpuarr_blocked_matmul.
  subroutine gpuarr_blocked_matmul(out, x, y, stat, errmsg)
    type(gpuarr_blocked), intent(inout) :: out
    type(gpuarr_blocked), intent(in) :: x, y
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: made
    made = out%c_handle()
    state%status = gpuarr_blocked_matmul_c(made, x%c_handle(), y%c_handle())
    call keep_blocked(out, made, x)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Sort a blocked vector, with the same result in any grid on any number of places. Collective.
  !> @param out         the vector in order: one that is set is of x's size and dtype, in any
  !>                    blocks, and may be x; else it is made with the blocks and places of x
  !> @param x           of one dim
  !> @param descending  .true. for the largest first
  !> Fails with GPUARR_ERR_ARGUMENT, GPUARR_ERR_SHAPE, GPUARR_ERR_DTYPE, GPUARR_ERR_PEER and others
  !> of gpuarr_blocked_sort.
  subroutine gpuarr_blocked_sort(out, x, descending, stat, errmsg)
    type(gpuarr_blocked), intent(inout) :: out
    type(gpuarr_blocked), intent(in) :: x
    logical, intent(in), optional :: descending
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: made
    made = out%c_handle()
    state%status = gpuarr_blocked_sort_c(made, x%c_handle(), flag(descending))
    call keep_blocked(out, made, x)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Compute cumulative sums, products, minima or maxima along a dim: `call
  !> gpuarr_blocked_scan(y, "cumsum", x, dim=2)`. Collective.
  !> @param out        the results: one that is set is of x's shape and of their dtype, in any
  !>                   blocks, and may be x; else it is made with the blocks and places of x
  !> @param name       cumsum, cumprod, cummin or cummax
  !> @param x          the elements
  !> @param dim        the dim, from 1; the first without it
  !> @param exclusive  .true. for results without their own element
  !> The bits depend on the grid, not on the number of places. Fails with GPUARR_ERR_ARGUMENT (no
  !> such scan), GPUARR_ERR_AXIS, GPUARR_ERR_SHAPE, GPUARR_ERR_DTYPE, GPUARR_ERR_PEER and others of
  !> gpuarr_blocked_scan.
  subroutine gpuarr_blocked_scan(out, name, x, dim, exclusive, stat, errmsg)
    type(gpuarr_blocked), intent(inout) :: out
    character(*), intent(in) :: name
    type(gpuarr_blocked), intent(in) :: x
    integer, intent(in), optional :: dim
    logical, intent(in), optional :: exclusive
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: made
    integer(c_int32_t) :: axis
    made = out%c_handle()
    call to_axis(axis, 1, dim, state)
    if (is_ok(state)) state%status = gpuarr_blocked_scan_c(made, c_text(name), x%c_handle(), axis, &
        flag(exclusive))
    call keep_blocked(out, made, x)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Fill a blocked array with random numbers, those that the generator's own procedures give an
  !> undivided array of its shape: `call gpuarr_blocked_random(x, generator, "normal", 0, 1)`. They
  !> are the same in any grid on any number of places. Collective, but nothing is sent.
  !> @param x             the array, of a dtype that the distribution gives
  !> @param generator     where the numbers come from, alike in all processes; it is advanced
  !> @param distribution  uniform (low, high), normal (mean, std), lognormal (mean, std),
  !>                      exponential (scale), gamma (k, scale), poisson (lam), binomial (trials,
  !>                      p), bernoulli (p) or integers (first, last), of which the last is among
  !>                      them
  !> @param a, b          the distribution's parameters, scalars
  !> Fails with GPUARR_ERR_ARGUMENT (also: a number of parameters, one that is out of range),
  !> GPUARR_ERR_DTYPE, GPUARR_ERR_PEER and others of gpuarr_blocked_random.
  subroutine gpuarr_blocked_random(x, generator, distribution, a, b, stat, errmsg)
    type(gpuarr_blocked), intent(in) :: x
    type(gpuarr_generator), intent(in) :: generator
    character(*), intent(in) :: distribution
    class(*), intent(in) :: a
    class(*), intent(in), optional :: b
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(gpuarr_arg_c) :: parameters(2)
    type(c_ptr) :: reversed  ! C counts in C order, which is Fortran's where the dims are reversed
    reversed = c_null_ptr
    parameters = [argument_of(a), argument_of(b)]
    if (distribution == "integers" .and. present(b)) call set_end(parameters(2), b, state)
    if (is_ok(state)) state%status = gpuarr_blocked_transpose_c(reversed, x%c_handle(), 0)
    if (is_ok(state)) state%status = gpuarr_blocked_random_c(reversed, generator%c_handle(), &
        c_text(distribution), parameters, merge(2_c_int32_t, 1_c_int32_t, present(b)))
    call gpuarr_blocked_release_c(reversed)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> C's end of an interval of integers is behind its last one.
  subroutine set_end(parameter, last, state)
    type(gpuarr_arg_c), intent(inout) :: parameter
    class(*), intent(in) :: last
    type(call_state), intent(inout) :: state
    integer(c_int64_t) :: number
    call whole(number, last, 0_c_int64_t, "gpuarr_blocked_random: b, the last integer,", state)
    if (number == huge(number)) then
      call set_scalar(parameter, 2d0**63)
    else
      call set_scalar(parameter, number + 1)
    end if
  end subroutine

end module
