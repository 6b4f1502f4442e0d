! A kernel of your own: z = (x - y)^2, with broadcasting, and for any type.
program squared_difference
  use gpuarr
  implicit none
  integer, parameter :: rows = 2, columns = 5
  type(gpuarr_device) :: device
  call device%open()
  call with_fixed_types()
  call with_any_type()
  print "(2a)", "ok: (x - y)^2 of shapes (2, 5) and (5), and of int32 and float64, on ", &
      device%name()

contains

  ! float32 only: the types are written out.
  subroutine with_fixed_types()
    real :: x(rows, columns), y(columns), z(rows, columns)
    type(gpuarr_elementwise) :: kernel
    type(gpuarr_array) :: x_array, y_array, z_array
    integer :: j
    do j = 1, columns
      x(:, j) = [j - 1, columns + j - 1]
      y(j) = j - 1
    end do
    call kernel%create("float32 x, float32 y", "float32 z", "z = (x - y) * (x - y);")

    ! y has one dim and is used for every row of x. The missing output is made by the call.
    call x_array%from_host(x)
    call y_array%from_host(y)
    call kernel%call(z_array, x_array, y_array)
    call z_array%to_host(z)
    if (any(z /= (x - spread(y, 1, rows))**2)) error stop "z is wrong"
  end subroutine

  ! T is a placeholder: one kernel object, compiled once for each type that it meets.
  subroutine with_any_type()
    type(gpuarr_elementwise) :: kernel
    type(gpuarr_array) :: x, z
    double precision :: numbers(columns)
    integer :: dtypes(2), d, i
    call kernel%create("T x, T y", "T z", "z = (x - y) * (x - y);")
    dtypes = [GPUARR_I32, GPUARR_F64]
    do d = 1, 2
      call x%arange(0, columns, dtype=dtypes(d))
      call z%release()  ! another one is made, of the next type
      call kernel%call(z, x, 3)  ! a scalar broadcasts too
      call z%astype(z, GPUARR_F64)
      call z%to_host(numbers)
      if (any(numbers /= [((i - 3)**2, i = 0, columns - 1)])) error stop "z is wrong"
    end do
  end subroutine

end program
