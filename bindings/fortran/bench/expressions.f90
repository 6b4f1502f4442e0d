!> What a repeated expression of ten nodes (two arrays, two numbers, six operations), as benchmarks
!> in C++ have it, costs over the call of a kernel of the same formula on 16 numbers: built and
!> computed, only computed, and built by C's functions; the median of many rounds of each, in turn.
program expressions
  use, intrinsic :: iso_c_binding
  use gpuarr
  use gpuarr_c
  use gpuarr_intrinsics
  implicit none
  integer, parameter :: rounds = 101, calls = 2000
  call main()

contains

  subroutine main()
    type(gpuarr_stream) :: stream
    type(gpuarr_array) :: x, y, z
    type(gpuarr_expr) :: e
    type(gpuarr_elementwise) :: kernel
    real(c_double) :: seconds(rounds, 4), start
    real :: numbers(16)
    integer :: round, call
    numbers = 1
    call stream%current()
    call x%from_host(numbers)
    call y%from_host(numbers)
    call kernel%create("T x, T y", "T z", "z = 2 * ((x - y) * (x + y)) + x + 1;")
    call kernel%call(z, x, y)
    e = 2 * ((x - y) * (x + y)) + x + 1
    do round = 1, rounds
      start = now()
      do call = 1, calls
        call kernel%call(z, x, y)
      end do
      seconds(round, 1) = now() - start
      start = now()
      do call = 1, calls
        z = 2 * ((x - y) * (x + y)) + x + 1
      end do
      seconds(round, 2) = now() - start
      start = now()
      do call = 1, calls
        call gpuarr_evaluate(z, e)
      end do
      seconds(round, 3) = now() - start
      start = now()
      do call = 1, calls
        call by_c(z, x, y)
      end do
      seconds(round, 4) = now() - start
      call stream%synchronize()  ! no queue grows long
    end do
    call report("a kernel", seconds(:, 1))
    call report("an expression, built and computed", seconds(:, 2))
    call report("an expression, computed", seconds(:, 3))
    call report("an expression of C, built and computed", seconds(:, 4))
  end subroutine

  subroutine by_c(z, x, y)
    type(gpuarr_array), intent(in) :: z, x, y
    type(c_ptr) :: n(0:9), outs(1)
    integer :: status, k
    status = gpuarr_expr_array_c(n(0), x%c_handle()) + gpuarr_expr_array_c(n(1), y%c_handle())
    status = status + gpuarr_expr_scalar_c(n(2), gpuarr_arg_i32_c(2))
    status = status + gpuarr_expr_scalar_c(n(3), gpuarr_arg_i32_c(1))
    call apply(n(4), "subtract" // c_null_char, [n(0), n(1)])
    call apply(n(5), "add" // c_null_char, [n(0), n(1)])
    call apply(n(6), "multiply" // c_null_char, [n(4), n(5)])
    call apply(n(7), "multiply" // c_null_char, [n(2), n(6)])
    call apply(n(8), "add" // c_null_char, [n(7), n(0)])
    call apply(n(9), "add" // c_null_char, [n(8), n(3)])
    outs = z%c_handle()
    status = status + gpuarr_evaluate_c(outs, n(9:9), 1, c_null_ptr)
    if (status /= GPUARR_OK) error stop "C failed"
    do k = 0, 9
      call gpuarr_expr_release_c(n(k))
    end do
  end subroutine

  subroutine apply(out, name, operands)
    type(c_ptr), intent(out) :: out
    character(*), intent(in) :: name
    type(c_ptr), intent(in) :: operands(:)
    type(c_ptr) :: outs(1)
    if (gpuarr_expr_apply_c(outs, 1, name, operands, size(operands)) /= GPUARR_OK) &
      error stop "C failed"
    out = outs(1)
  end subroutine

  !> The median of the rounds, for one call.
  subroutine report(name, seconds)
    character(*), intent(in) :: name
    real(c_double), intent(in) :: seconds(:)
    integer :: k
    do k = 1, size(seconds)
      if (count(seconds < seconds(k)) <= size(seconds) / 2 .and. &
          count(seconds <= seconds(k)) > size(seconds) / 2) exit
    end do
    print "(2a, i0, a)", name, ": ", nint(1d9 * seconds(k) / calls), " ns"
  end subroutine

  real(c_double) function now()
    integer(c_int64_t) :: ticks, rate
    call system_clock(ticks, rate)
    now = real(ticks, c_double) / rate
  end function

end program
