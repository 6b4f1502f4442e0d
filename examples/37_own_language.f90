! Kernels in Fortran itself, checked by gfortran: fortran/own_language.f90. The module that is used
! here is what `gpuarr fortran` makes of it; its procedures take arrays of the host and of a device.
program own_language_37
  use, intrinsic :: iso_fortran_env, only: real64
  use gpuarr
  use own_language_kernels
  implicit none
  integer, parameter :: count = 100000, extent = 128, matrix = 100
  call main()

contains

  subroutine main()
    type(gpuarr_device) :: device
    call device%open()
    call try_prime_factors()
    call try_mandelbrot()
    call try_heat()
    call try_black_scholes()
    call try_product()
    call try_total()
    print "(2a)", "ok: six kernels on ", device%name()
  end subroutine

  subroutine try_prime_factors()
    type(gpuarr_array) :: numbers, sums
    integer, allocatable :: found(:)
    integer :: k
    call numbers%from_host([(k, k = 1, count)])
    sums = prime_factor_sum(numbers)
    call sums%to_allocatable(found)
    call expect(all(found == prime_factor_sum([(k, k = 1, count)])), "prime factor sums")
  end subroutine

  subroutine try_mandelbrot()
    type(gpuarr_array) :: steps
    integer, allocatable :: found(:, :), wanted(:, :)
    allocate(wanted(extent, extent))
    call steps%empty(shape(wanted), GPUARR_I32)
    call mandelbrot(steps, 200)
    call mandelbrot(wanted, 200)
    call steps%to_allocatable(found)
    call expect(sum(merge(1, 0, found /= wanted)) <= extent / 4, "Mandelbrot")
  end subroutine

  subroutine try_heat()
    type(gpuarr_array) :: now, next
    real, allocatable :: plate(:, :), wanted(:, :), found(:, :)
    integer :: k
    plate = reshape([(real(mod(k, 37)), k = 1, extent**2)], [extent, extent])
    allocate(wanted, mold=plate)
    call now%from_host(plate)
    call next%empty(shape(plate), GPUARR_F32)
    call heat(now, next, 0.2)
    call heat(plate, wanted, 0.2)
    call next%to_allocatable(found)
    call expect(all(abs(found - wanted) < 1e-4), "heat")
  end subroutine

  subroutine try_black_scholes()
    type(gpuarr_array) :: s, k, t, prices
    real(real64), allocatable :: spot(:), strike(:), years(:), found(:)
    integer :: i
    spot = [(50 + mod(i, 101), i = 1, count)]
    strike = [(60 + mod(i, 89), i = 1, count)]
    years = [(0.1_real64 + mod(i, 37) / 12.0_real64, i = 1, count)]
    call s%from_host(spot)
    call k%from_host(strike)
    call t%from_host(years)
    prices = call_price(s, k, t, 0.03_real64, 0.25_real64)
    call prices%to_allocatable(found)
    call expect(all(abs(found - call_price(spot, strike, years, 0.03_real64, 0.25_real64)) &
        < 1e-10), "Black-Scholes")
  end subroutine

  subroutine try_product()
    type(gpuarr_array) :: a, b, c
    real :: x(matrix, matrix), y(matrix, matrix)
    real, allocatable :: found(:, :)
    integer :: i, j
    do j = 1, matrix
      x(:, j) = [(mod(i, 5) - mod(j, 3), i = 1, matrix)]
      y(:, j) = [(mod(j, 7) - mod(i, 2), i = 1, matrix)]
    end do
    call a%from_host(x)
    call b%from_host(y)
    call c%empty([matrix, matrix], GPUARR_F32)
    call multiply(a, b, c)
    call c%to_allocatable(found)
    call expect(all(found == matmul(x, y)), "tiled product")  ! small integers: exact
  end subroutine

  subroutine try_total()
    type(gpuarr_array) :: array
    real(real64), allocatable :: x(:)
    integer :: k
    x = [(real(mod(k, 1000), real64), k = 1, count)]
    call array%from_host(x)
    call expect(total(array) == total(x), "tree reduction")
  end subroutine

  subroutine expect(is_right, what)
    logical, intent(in) :: is_right
    character(*), intent(in) :: what
    if (.not. is_right) then
      print "(2a)", what, ": wrong"
      error stop 1
    end if
    print "(2a)", what, ": ok"
  end subroutine

end program
