! A reduction: the mean of (x - y)^2 over all elements, in one pass over memory.
program mean_squared_error
  use gpuarr
  implicit none
  integer, parameter :: count = 1000003
  integer, parameter :: double = kind(1d0)
  call main()

contains

  subroutine main()
    real, allocatable :: x(:), y(:)
    real(double) :: mse, wanted
    type(gpuarr_reduction) :: kernel
    type(gpuarr_device) :: device
    type(gpuarr_array) :: x_array, y_array, mse_array
    integer :: i
    allocate(x(count), y(count))
    do i = 1, count
      x(i) = real(sin(real(i - 1, double)))
      y(i) = real(cos(0.5d0 * (i - 1)))
    end do
    wanted = sum((real(x, double) - y)**2) / count

    ! map turns an element of each input into a value, reduce combines two of those, and post makes
    ! the output of what is left; n is the number of elements. Partial results have the output's
    ! type, here float64, so that a million float32 values lose nothing on the way.
    call kernel%create("T x, T y", "float64 mse", map="(x - y) * (x - y)", reduce="a + b", &
        post="mse = a / n")

    ! Reduced along all dims, the result is an array without dims: one number.
    call device%open()
    call x_array%from_host(x)
    call y_array%from_host(y)
    call kernel%call(mse_array, x_array, y_array)
    call mse_array%to_host(mse)
    if (abs(mse - wanted) > 1d-6 * wanted) error stop "the mean squared error is wrong"
    print "(a, i0, a, f8.6, 2a)", "ok: the mean squared error of ", count, " numbers is ", mse, &
        " on ", device%name()
  end subroutine

end program
