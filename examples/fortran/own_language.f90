! Six kernels in Fortran: elemental functions, and loops that are marked or do concurrent.
module own_language
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
contains

  elemental integer function prime_factor_sum(number) result(total)
    integer, intent(in) :: number
    integer :: rest, divisor
    rest = number
    total = 0
    divisor = 2
    do while (divisor * divisor <= rest)
      do while (mod(rest, divisor) == 0)
        total = total + divisor
        rest = rest / divisor
      end do
      divisor = divisor + 1
    end do
    if (rest > 1) total = total + rest
  end function

  ! How often z = z**2 + c is computed until z is far away, for the points of a picture.
  subroutine mandelbrot(steps, most)
    integer, intent(inout) :: steps(0:, 0:)
    integer, intent(in) :: most
    complex(real64) :: c, z
    integer :: i, j, k
    !$gpuarr kernel private(c, z)
    do j = 0, ubound(steps, 2)
      do i = 0, ubound(steps, 1)
        c = cmplx(-2 + 3.0_real64 * i / size(steps, 1), -1.5 + 3.0_real64 * j / size(steps, 2), &
            real64)
        z = 0
        do k = 0, most - 1
          if (real(z)**2 + aimag(z)**2 > 4) exit
          z = z * z + c
        end do
        steps(i, j) = k
      end do
    end do
  end subroutine

  subroutine heat(now, next, rate)
    real, intent(in) :: now(:, :), rate
    real, intent(inout) :: next(:, :)
    integer :: i, j
    do concurrent (j = 1:size(now, 2), i = 1:size(now, 1))
      next(i, j) = now(i, j)
      if (i == 1 .or. j == 1 .or. i == size(now, 1) .or. j == size(now, 2)) cycle
      next(i, j) = now(i, j) + rate * (now(i - 1, j) + now(i + 1, j) + now(i, j - 1) + &
          now(i, j + 1) - 4 * now(i, j))
    end do
  end subroutine

  ! The price of a call by Black and Scholes.
  elemental function call_price(spot, strike, years, rate, volatility) result(price)
    real(real64), intent(in) :: spot, strike, years, rate, volatility
    real(real64) :: price, spread, today, a, b
    spread = volatility * sqrt(years)
    today = strike * exp(-rate * years)
    a = log(spot / today) / spread + spread / 2
    b = a - spread
    price = 0.5_real64 * (spot * erfc(-a / sqrt(2.0_real64)) - today * erfc(-b / sqrt(2.0_real64)))
  end function

  ! c = a * b. Each iteration makes a tile of four by four elements, of which each operand is loaded
  ! once for four products.
  subroutine multiply(a, b, c)
    real, intent(in) :: a(:, :), b(:, :)
    real, intent(inout) :: c(:, :)
    real :: tile(4, 4)
    integer :: i, j, k, x, y
    !$gpuarr kernel private(tile) collapse(2)
    do j = 1, size(c, 2), 4
      do i = 1, size(c, 1), 4
        tile = 0
        do k = 1, size(a, 2)
          do y = 1, 4
            do x = 1, 4
              tile(x, y) = tile(x, y) + a(i + x - 1, k) * b(k, j + y - 1)
            end do
          end do
        end do
        do y = 1, 4
          do x = 1, 4
            c(i + x - 1, j + y - 1) = tile(x, y)
          end do
        end do
      end do
    end do
  end subroutine

  ! Each thread sums a part, and what they have is added in pairs.
  real(real64) function total(x)
    real(real64), intent(in) :: x(:)
    integer :: k
    total = 0
    !$gpuarr kernel reduce(+: total)
    do k = 1, size(x)
      total = total + x(k)
    end do
  end function

end module
