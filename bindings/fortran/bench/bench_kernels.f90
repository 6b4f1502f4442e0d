! Kernels for bench/kernels.f90, which compares them with the same in CUDA C++ and with gfortran's.
module bench_kernels
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
contains

  subroutine saxpy(a, x, y)
    real, intent(in) :: a, x(:)
    real, intent(inout) :: y(:)
    integer :: i
    do concurrent (i = 1:size(x))
      y(i) = y(i) + a * x(i)
    end do
  end subroutine

  subroutine heat(u, v, c)
    real, intent(in) :: u(0:, 0:), c
    real, intent(inout) :: v(0:, 0:)
    integer :: i, j
    !$gpuarr kernel
    do j = 1, ubound(u, 2) - 1
      do i = 1, ubound(u, 1) - 1
        v(i, j) = u(i, j) + c * (u(i-1, j) + u(i+1, j) + u(i, j-1) + u(i, j+1) - 4 * u(i, j))
      end do
    end do
  end subroutine

  subroutine mandelbrot(steps, most)
    integer, intent(inout) :: steps(0:, 0:)
    integer, intent(in) :: most
    real :: x, y, next, re, im
    integer :: i, j, k
    !$gpuarr kernel
    do j = 0, ubound(steps, 2)
      do i = 0, ubound(steps, 1)
        re = -2 + 3.0 * i / size(steps, 1)
        im = -1.5 + 3.0 * j / size(steps, 2)
        x = 0
        y = 0
        do k = 0, most - 1
          if (x * x + y * y > 4) exit
          next = x * x - y * y + re
          y = 2 * x * y + im
          x = next
        end do
        steps(i, j) = k
      end do
    end do
  end subroutine

  real function total(x)
    real, intent(in) :: x(:, :)
    integer :: i, j
    total = 0
    do concurrent (j = 1:size(x, 2), i = 1:size(x, 1))
      total = total + x(i, j) * x(i, j)
    end do
  end function

  elemental function call_price(spot, strike, years, rate, volatility) result(price)
    real, intent(in) :: spot, strike, years, rate, volatility
    real :: price, spread, today, a, b
    spread = volatility * sqrt(years)
    today = strike * exp(-rate * years)
    a = log(spot / today) / spread + spread / 2
    b = a - spread
    price = 0.5 * (spot * erfc(-a / sqrt(2.0)) - today * erfc(-b / sqrt(2.0)))
  end function

end module
