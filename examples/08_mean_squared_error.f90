! A reduction: the mean of (x - y)^2 over all elements, in one pass over memory.
program mean_squared_error
  use gpuarr
  use gpuarr_intrinsics
  implicit none
  integer, parameter :: number = 1000003
  integer, parameter :: double = kind(1d0)
  call main()

contains

  subroutine main()
    real, allocatable :: x(:), y(:)
    real(double) :: mse, wanted
    type(gpuarr_device) :: device
    type(gpuarr_array) :: x_array, y_array
    type(gpuarr_expr) :: error
    integer :: i
    allocate(x(number), y(number))
    do i = 1, number
      x(i) = real(sin(real(i - 1, double)))
      y(i) = real(cos(0.5d0 * (i - 1)))
    end do
    wanted = sum((real(x, double) - y)**2) / number

    ! What is written here is computed where its value is wanted: x and y are read once, and
    ! squares are added up as float64, so that a million float32 values lose nothing on the way.
    call device%open()
    call x_array%from_host(x)
    call y_array%from_host(y)
    error = sum((real(x_array, double) - y_array)**2) / number
    if (index(gpuarr_explain(error), new_line("a") // "1 kernels move") == 0) &
      error stop "it is not one kernel"
    mse = error
    if (abs(mse - wanted) > 1d-6 * wanted) error stop "the mean squared error is wrong"
    print "(a, i0, a, f8.6, 2a)", "ok: the mean squared error of ", number, " numbers is ", mse, &
        " on ", device%name()
  end subroutine

end program
