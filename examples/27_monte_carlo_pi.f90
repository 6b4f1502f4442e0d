! Pi by Monte Carlo, with an error bar: how many points of a square fall into a quarter of a circle.
! The random numbers are the same on every device, and so is the answer, to the last digit.
program monte_carlo_pi
  use gpuarr
  implicit none
  integer, parameter :: rounds = 16, points = 2**20
  integer, parameter :: double = kind(1d0), long = selected_int_kind(18)
  real(double), parameter :: pi = acos(-1d0)
  call main()

contains

  subroutine main()
    type(gpuarr_device) :: device
    type(gpuarr_generator) :: generator
    type(gpuarr_reduction) :: inside
    type(gpuarr_array) :: pairs, x, y, hits
    real(double) :: found, total, squares, mean, error
    integer(long) :: count
    integer :: round
    call device%open()
    call generator%create(20261122)
    ! 24 bits of each coordinate: as doubles, squares and their sum are exact.
    call inside%create("float32 x, float32 y", "int64 hits", &
        map="(double)x * x + (double)y * y < 1", reduce="a + b", post="hits = a", identity="0")

    ! A column of x and a column of y in each round, in the same memory.
    total = 0
    squares = 0
    do round = 1, rounds
      call generator%uniform(pairs, [points, 2])
      call pairs%select(x, 2, 1)
      call pairs%select(y, 2, 2)
      call inside%call(hits, x, y)
      count = hits
      found = 4 * real(count, double) / points
      total = total + found
      squares = squares + found * found
    end do

    ! The rounds are independent: their scatter says how far their mean may be off.
    mean = total / rounds
    error = sqrt((squares / rounds - mean * mean) / (rounds - 1))
    print "(2(a, f8.6), a, i0, a)", "pi is ", mean, " +- ", error, ", by ", rounds * points, &
        " points"
    if (abs(mean - pi) > 4 * error .or. error > 0.001) error stop "this is not pi"
    print "(a, f3.1, 2a)", "ok: pi within ", abs(mean - pi) / error, " standard errors on ", &
        device%name()
  end subroutine

end program
