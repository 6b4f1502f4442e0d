! Prices of options by Black and Scholes: calls and puts of a whole market by one kernel.
program black_scholes
  use gpuarr
  use gpuarr_intrinsics
  implicit none
  integer, parameter :: number = 100000
  integer, parameter :: double = kind(1d0)
  real(double), parameter :: rate = 0.03d0, volatility = 0.25d0, root_of_2 = sqrt(2d0)

  !> The normal distribution's share below x.
  interface below
    procedure share_below, number_below
  end interface
  call main()

contains

  function share_below(x) result(made)
    class(gpuarr_operand), intent(in) :: x
    type(gpuarr_result) :: made
    made = 0.5d0 * erfc(-x / root_of_2)
  end function

  elemental real(double) function number_below(x)
    real(double), intent(in) :: x
    number_below = 0.5d0 * erfc(-x / root_of_2)
  end function

  subroutine main()
    real(double), allocatable :: spot(:), strike(:), years(:), call_prices(:), put_prices(:)
    type(gpuarr_device) :: device
    type(gpuarr_array) :: s, x, t, calls, puts
    type(gpuarr_expr) :: deviation, now, d1, d2, price_of_call, price_of_put
    integer :: k
    allocate(spot(number), strike(number), years(number))
    do k = 0, number - 1
      spot(k + 1) = 50 + mod(k, 101)
      strike(k + 1) = 60 + mod(k, 89)
      years(k + 1) = 0.1d0 + mod(k, 37) / 12d0
    end do
    call device%open()
    call s%from_host(spot)
    call x%from_host(strike)
    call t%from_host(years)

    deviation = volatility * sqrt(t)
    now = x * exp(-rate * t)  ! the strike, today
    d1 = (log(s / x) + (rate + volatility**2 / 2) * t) / deviation
    d2 = d1 - deviation
    price_of_call = s * below(d1) - now * below(d2)
    price_of_put = now * below(-d2) - s * below(-d1)
    if (index(gpuarr_explain(price_of_call, price_of_put), new_line("a") // "1 kernels") == 0) &
      error stop "it is not one kernel"
    call gpuarr_evaluate(calls, price_of_call, puts, price_of_put)  ! what they share, once

    call calls%to_allocatable(call_prices)
    call puts%to_allocatable(put_prices)
    call check(call_prices, put_prices, spot, strike * exp(-rate * years), &
        volatility * sqrt(years))
    print "(2(a, f6.4))", "the first: call ", call_prices(1), ", put ", put_prices(1)
    print "(a, i0, 2a)", "ok: prices of ", number, " calls and puts in one kernel on ", &
        device%name()
  end subroutine

  !> @param now  the strikes, today
  subroutine check(calls, puts, spot, now, deviation)
    real(double), intent(in) :: calls(:), puts(:), spot(:), now(:), deviation(:)
    real(double) :: d1(size(spot)), d2(size(spot))
    d1 = log(spot / now) / deviation + deviation / 2
    d2 = d1 - deviation
    if (any(abs(calls - (spot * below(d1) - now * below(d2))) > 1d-10)) &
      error stop "the price of a call is wrong"
    if (any(abs(puts - (now * below(-d2) - spot * below(-d1))) > 1d-10)) &
      error stop "the price of a put is wrong"
  end subroutine

end program
