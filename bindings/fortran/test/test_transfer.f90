!> Elements on their way in and out: sections of any steps, layouts that no strides describe, no
!> elements, wrapped memory, shapes and types that do not fit.
program test_transfer
  use, intrinsic :: iso_c_binding
  use gpuarr
  use checks
  implicit none
  call start()
  call sections()
  call components()
  call parts_of_complex_numbers()
  call no_elements()
  call allocatables()
  call wrapped()
  call wrapped_parts()
  call page_locked()
  call streams()
  call refused()
  call finish()

contains

  subroutine sections()
    real(c_double), target :: x(9, 11), back(9, 11), wanted(9, 11)
    type(gpuarr_array) :: a
    integer :: round, f1, l1, s1, f2, l2, s2
    do round = 1, 50
      call random_number(x)
      back = -1
      wanted = -1
      s1 = random_int(1, 3)
      s2 = random_int(1, 3)
      f1 = random_int(1, 9)
      l1 = random_int(1, 9)
      f2 = random_int(1, 11)
      l2 = random_int(1, 11)
      if (random_int(0, 1) == 1) s1 = -s1
      if (random_int(0, 1) == 1) s2 = -s2
      call a%from_host(x(f1:l1:s1, f2:l2:s2))
      call expect(a%shape(), shape(x(f1:l1:s1, f2:l2:s2)), "shape of a section")
      call a%to_host(back(f1:l1:s1, f2:l2:s2))
      wanted(f1:l1:s1, f2:l2:s2) = x(f1:l1:s1, f2:l2:s2)
      call expect(all(back == wanted), "a section there and back")
      if (size(x(f1:l1:s1, f2:l2:s2)) > 0) &
        call expect(a%is_contiguous(GPUARR_ORDER_K), "a section is packed on the device")
    end do
    call a%from_host(x)
    call expect(a%is_contiguous(), "a whole array is in Fortran's order")
    call expect(a%strides(), [1, 9], "strides of a whole array")
    call a%from_host(x([2, 5, 3], 4:6))  ! the compiler makes a copy
    call a%to_host(back(1:3, 1:3))
    call expect(all(back(1:3, 1:3) == x([2, 5, 3], 4:6)), "a vector subscript")
    call a%from_host(2 * x)
    call a%to_host(back)
    call expect(all(back == 2 * x), "an expression")
  end subroutine

  !> 20 bytes between elements of 8 that are whole numbers of 4.
  subroutine components()
    type, bind(c) :: particle
      complex(c_float_complex) :: z
      integer(c_int32_t) :: id(3)
    end type
    type(particle) :: particles(4, 5)
    complex(c_float_complex) :: z(4, 5), other(2, 5)
    type(gpuarr_array) :: a
    integer :: k
    z = reshape([(cmplx(k, -k, c_float_complex), k = 1, 20)], [4, 5])
    other = 0
    particles%z = z
    particles%id(1) = 7
    call a%from_host(particles(::3, :)%z)
    call a%to_host(other)
    call expect(all(other == z(::3, :)), "components out of structs")
    call a%write(particles(2:3, 5:1:-1)%z)
    call a%to_host(particles(1:2, :)%z)
    call expect(all(particles(1:2, :)%z == z(2:3, 5:1:-1)), "components into structs")
    call expect(all(particles(3:4, :)%z == z(3:4, :)), "components beside")
    call expect(all(particles%id(1) == 7), "what is between components")
  end subroutine

  subroutine parts_of_complex_numbers()
    complex(c_double_complex), target :: z(6)
    real(c_double) :: part(6)
    type(gpuarr_array) :: a
    integer :: k
    z = [(cmplx(k, 10 * k, c_double), k = 1, 6)]
    call a%from_host(z%im)
    call a%to_host(part)
    call expect(all(part == aimag(z)), "imaginary parts")
    call a%to_host(z%re)
    call expect(all(real(z) == aimag(z)), "into real parts")
  end subroutine

  subroutine no_elements()
    real(c_float), target :: x(4, 0), y(4, 0), scalar
    real(c_float), allocatable :: z(:, :)
    type(gpuarr_array) :: a
    call a%from_host(x)
    call expect(a%shape(), [4, 0], "shape of an empty array")
    call expect(a%size(), 0_c_int64_t, "size of an empty array")
    call a%to_host(y)
    call a%write(y)
    call a%to_allocatable(z)
    call expect(size(z, 1) == 4 .and. size(z, 2) == 0, "an empty allocatable")
    call a%wrap(x)
    call expect(a%shape(), [4, 0], "shape of a wrapped empty array")
    call a%from_host(3.5)
    call expect(a%shape(), [integer ::], "shape of a scalar")
    call expect(a%size(), 1_c_int64_t, "size of a scalar")
    call a%to_host(scalar)
    call expect(scalar == 3.5, "a scalar there and back")
  end subroutine

  subroutine allocatables()
    integer(c_int16_t), allocatable :: x(:, :), y(:, :)
    type(gpuarr_array) :: a
    integer :: k
    x = reshape([(int(k, c_int16_t), k = 1, 6)], [2, 3])
    call a%from_host(x)
    call a%to_allocatable(y)
    call expect(all(y == x), "an allocatable that is allocated")
    deallocate(x)
    allocate(x(7, 7))
    call a%to_allocatable(x)
    call expect(size(x, 1) == 2 .and. all(x == y), "an allocatable that is allocated anew")
  end subroutine

  subroutine wrapped()
    real(c_double), allocatable, target :: x(:, :)
    real(c_double), target :: y(4)
    type(gpuarr_device) :: host
    type(gpuarr_array) :: a
    type(gpuarr_elementwise) :: double
    integer :: stat
    character(:), allocatable :: message
    call host%open("host")
    allocate(x(6, 4))
    call random_number(x)
    y = x(3, :)
    call double%create("float64 x", "float64 x", "x *= 2;")
    call a%wrap(x(3, :))
    call double%call(a, a)
    call host%synchronize()
    call expect(all(x(3, :) == 2 * y), "a kernel works in wrapped memory")
    call a%wrap(x(3, :), read_only=.true.)
    call expect(a%is_read_only(), "memory that is wrapped to be read")
    call double%call(a, a, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "read-only")
    call a%release()
  end subroutine

  !> What pointers to components and to parts of numbers point to. (Without a pointer gfortran 12
  !> begins at the first component.)
  subroutine wrapped_parts()
    type :: odd
      complex(c_double_complex) :: z
      real(c_double) :: x
    end type
    type(odd), target :: odds(4)
    complex(c_double_complex), target :: z(4)
    complex(c_double_complex), pointer :: numbers(:)
    real(c_double), pointer :: parts(:)
    type(gpuarr_array) :: a
    integer :: stat
    character(:), allocatable :: message
    z = (1, 2)
    parts => z%im
    call a%wrap(parts)
    call a%fill(5)
    call expect(all(z == (1, 5)), "imaginary parts")
    odds%z = (1, 2)
    odds%x = 3
    parts => odds%x
    call a%wrap(parts)
    call a%fill(5)
    call expect(all(odds%x == 5) .and. all(odds%z == (1, 2)), "components")
    numbers => odds%z
    call a%wrap(numbers, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "not a whole number of elements apart")
  end subroutine

  subroutine page_locked()
    type(gpuarr_device) :: device
    type(gpuarr_stream) :: stream
    type(gpuarr_array) :: a
    type(c_ptr) :: address
    real(c_float), pointer :: x(:, :)
    integer :: k, stat
    character(:), allocatable :: message
    call device%open()
    call stream%create()
    call gpuarr_pinned_allocate(address, device, 2 * 12 * 4)
    call c_f_pointer(address, x, [12, 2])
    x(:, 1) = [(real(k), k = 1, 12)]
    x(:, 2) = 0
    call a%empty([12], GPUARR_F32, stream=stream)
    call a%write(x(:, 1), stream, async=.true.)
    call a%to_host(x(:, 2), stream, async=.true.)
    call stream%synchronize()
    call expect(all(x(:, 1) == x(:, 2)), "page-locked memory there and back")
    call a%empty([6], GPUARR_F32)
    call a%write(x(::2, 1), async=.true., stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_UNSUPPORTED, "gpuarr_array_write_async")
    call gpuarr_pinned_free(device, address)
  end subroutine

  subroutine streams()
    type(gpuarr_device) :: device
    type(gpuarr_stream) :: stream
    type(gpuarr_array) :: a
    real(c_double) :: x(100), y(100)
    call device%open()
    call stream%create(device)
    call random_number(x)
    call a%from_host(x, stream=stream)
    call a%to_host(y, stream)
    call expect(all(x == y), "by way of a stream")
    call a%from_host(x, device, stream)
    call a%to_host(y, stream)
    call expect(all(x == y), "by way of a device and a stream")
  end subroutine

  subroutine refused()
    real(c_double) :: x(3, 4), flat(12)
    real(c_float) :: single(3, 4)
    real(c_double), allocatable :: y(:)
    type(gpuarr_array) :: a
    integer :: stat
    character(:), allocatable :: message
    x = 1
    call a%from_host(x)
    call a%to_host(single, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_DTYPE, "gpuarr_array%to_host: the array is " // &
        "float64 of shape (3, 4), but x is float32 of shape (3, 4); convert one of them")
    call a%to_host(x(:, :3), stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_SHAPE, "x is float64 of shape (3, 3)")
    call a%to_host(flat, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_SHAPE, "x is float64 of shape (12,)")
    call a%write(transpose(x), stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_SHAPE, "gpuarr_array%write")
    call a%to_allocatable(y, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_SHAPE, "but x is of rank 1")
    call expect(.not. allocated(y), "nothing was allocated")
    call a%release()
    call a%to_allocatable(y, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "released or never made")
    call a%to_host(x, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "gpuarr_array_read")
  end subroutine

end program
