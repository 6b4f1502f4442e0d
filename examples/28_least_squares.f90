! A fit by least squares: a straight line and an oscillation through noisy measurements, with an
! error bar for each of its numbers.
program least_squares
  use gpuarr
  use gpuarr_intrinsics
  implicit none
  integer, parameter :: points = 400, numbers = 4
  integer, parameter :: double = kind(1d0), long = selected_int_kind(18)
  character(6), parameter :: names(numbers) = ["offset", "slope ", "sine  ", "cosine"]
  character(4) :: texts(numbers) = ["1.5 ", "-0.8", "2   ", "0.6 "]
  integer(long) :: random_state = 1
  call main()

contains

  !> Numbers of no apparent order with mean 0 and deviation 1: sums of twelve uniform ones.
  real(double) function noise()
    integer :: k
    noise = -6
    do k = 1, 12
      random_state = modulo(random_state * 1664525 + 1013904223, 2_long**32)
      noise = noise + random_state / 2d0**32
    end do
  end function

  subroutine main()
    real(double) :: model(points, numbers), measured(points), truth(numbers)
    real(double) :: squares, spread
    real(double), allocatable :: found(:), bars(:)
    type(gpuarr_device) :: device
    type(gpuarr_array) :: a, b, fit, left_over, rank, r, inverse, lengths
    integer :: i, k, independent
    read (texts, *) truth
    do i = 1, points
      associate (t => 10d0 * (i - 1) / points)
        model(i, :) = [1d0, t, sin(3 * t), cos(3 * t)]
      end associate
      measured(i) = 0.3d0 * noise() + dot_product(model(i, :), truth)
    end do
    call device%open()
    call a%from_host(model)
    call b%from_host(measured)
    call gpuarr_lstsq(fit, left_over, rank, a=a, b=b)

    ! The inverse of a^T a, times the variance of the residuals, has the variances of the fit on its
    ! diagonal. With a = q r it is r^-1 (r^-1)^T.
    call gpuarr_qr(r=r, a=a)
    call gpuarr_inv(inverse, r)
    lengths = norm2(inverse, 2)

    call fit%to_allocatable(found)
    call lengths%to_allocatable(bars)
    squares = left_over
    independent = rank
    spread = sqrt(squares / (points - numbers))
    bars = spread * bars
    do k = 1, numbers
      print "(2a, f8.4, a, f6.4, 2a)", names(k), ": ", found(k), " +- ", bars(k), ", true ", &
          trim(texts(k))
    end do
    if (any(abs(found - truth) > 4 * bars)) error stop "the fit is wrong"
    if (abs(spread - 0.3d0) > 0.05d0) error stop "the deviation of the noise is wrong"
    if (independent /= numbers) error stop "the rank is wrong"

    ! What is left is orthogonal to the columns of the model.
    b = matmul(transpose(a), b - matmul(a, fit))
    squares = norm2(b)
    if (squares > 1d-9) error stop "the residuals are not orthogonal"
    print "(a, i0, 2a)", "ok: a fit to ", points, " points, on ", device%name()
  end subroutine

end program
