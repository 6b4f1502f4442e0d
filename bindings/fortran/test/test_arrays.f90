!> Arrays made, asked, copied, converted, saved: against what Fortran's own arrays do.
program test_arrays
  use, intrinsic :: iso_c_binding
  use gpuarr
  use checks
  implicit none
  call start()
  call made()
  call numbers()
  call asked()
  call copied()
  call files()
  call tensors()
  call devices()
  call tools()
  call refused()
  call finish()

contains

  subroutine made()
    type(gpuarr_array) :: a
    real(c_float), allocatable :: x(:, :)
    integer(c_int64_t), allocatable :: k(:)
    complex(c_double_complex) :: z(2)
    logical(c_bool) :: flags(3)
    call a%zeros([2, 3], GPUARR_F32)
    call expect(a%strides(), [1, 2], "Fortran's order")
    call a%to_allocatable(x)
    call expect(all(shape(x) == [2, 3]) .and. all(x == 0), "zeros")
    call a%ones([2_c_int64_t, 3_c_int64_t], GPUARR_F32, order=GPUARR_ORDER_C)
    call expect(a%strides(), [3, 1], "C order")
    call a%to_allocatable(x)
    call expect(all(shape(x) == [2, 3]) .and. all(x == 1), "ones")
    call a%full([4], 7, GPUARR_I64)
    call a%to_allocatable(k)
    call expect(all(k == 7) .and. size(k) == 4, "full")
    call a%full([2], (1.5d0, -2d0))
    call expect(a%dtype(), GPUARR_C128, "the value's own dtype")
    call a%to_host(z)
    call expect(all(z == (1.5d0, -2d0)), "full of complex numbers")
    call a%full([3_c_int64_t], .true.)
    call a%to_host(flags)
    call expect(a%dtype() == GPUARR_BOOL .and. all(flags), "full of truth")
    call a%empty([integer ::], GPUARR_F64)
    call expect(a%size(), 1_c_int64_t, "an array without dims")
    call a%empty([0, 5], GPUARR_F64)
    call expect(a%size(), 0_c_int64_t, "an array without elements")
  end subroutine

  subroutine numbers()
    type(gpuarr_array) :: a
    real(c_double) :: x(5)
    real(c_float) :: y(4)
    integer(c_int32_t), allocatable :: k(:)
    integer(c_int8_t) :: m(3, 3)
    integer :: i, j
    call a%arange(3, 11, 2)
    call a%to_allocatable(k)
    call expect(all(k == [(i, i = 3, 10, 2)]), "arange")
    call a%arange(0, 4, dtype=GPUARR_F32)
    call a%to_host(y)
    call expect(all(y == [(real(i), i = 0, 3)]), "arange of reals")
    call a%arange(1d0, -1.5d0, -0.5d0)
    call a%to_host(x)
    call expect(all(x == [(1 - 0.5d0 * i, i = 0, 4)]), "arange down")
    call a%linspace(0d0, 1d0, 5)
    call a%to_host(x)
    call expect(all(x == [(0.25d0 * i, i = 0, 4)]), "linspace")
    call a%linspace(1.0, 3.0, 4_c_int64_t, endpoint=.false.)
    call a%to_host(y)
    call expect(all(y == [(1 + 0.5 * i, i = 0, 3)]), "linspace without its end")
    call a%eye(3, GPUARR_I8, k=1)
    call a%to_host(m)
    do j = 1, 3
      do i = 1, 3
        call expect(int(m(i, j)), merge(1, 0, j == i + 1), "eye")
      end do
    end do
    call a%eye(2, GPUARR_I8, columns=5_c_int64_t)
    call expect(a%shape(), [2, 5], "shape of a wide eye")
  end subroutine

  subroutine asked()
    type(gpuarr_array) :: a
    type(gpuarr_device) :: device
    call expect(.not. a%is_set(), "no array yet")
    call expect(a%rank(), 0, "rank of none")
    call expect(a%dtype(), 0, "dtype of none")
    call expect(a%shape(), [integer ::], "shape of none")
    call a%zeros([3, 4, 5], GPUARR_U8)
    device = a%device()
    call expect(a%is_set(), "an array")
    call expect(a%rank(), 3, "rank")
    call expect(a%size(), 60_c_int64_t, "size")
    call expect(a%size(2), 4_c_int64_t, "extent of a dim")
    call expect(a%size(4), 0_c_int64_t, "extent of no dim")
    call expect(a%is_contiguous(), "contiguous in Fortran's order")
    call expect(.not. a%is_contiguous(GPUARR_ORDER_C), "and not in C order")
    call expect(.not. a%is_read_only(), "not read-only")
    call expect(c_associated(a%data()), "an address")
    call expect(device%is_open(), "a device")
    call expect_text(gpuarr_dtype_name(a%dtype()), "uint8")
    call expect(gpuarr_dtype_size(GPUARR_C64), 8_c_int64_t, "bytes of complex64")
  end subroutine

  subroutine copied()
    type(gpuarr_array) :: a, b
    type(gpuarr_device) :: device
    real(c_double) :: x(3, 4), y(3, 4), column(3)
    integer(c_int32_t) :: k(3, 4)
    call random_number(x)
    x = 10 * x - 5
    call a%from_host(x)
    call a%copy(b)
    call a%fill(2)
    call b%to_host(y)
    call expect(all(x == y), "a copy has memory of its own")
    call a%to_host(y)
    call expect(all(y == 2), "fill")
    call b%copy(a, order=GPUARR_ORDER_C)
    call expect(a%is_contiguous(GPUARR_ORDER_C), "a copy in another order")
    call a%to_host(y)
    call expect(all(x == y), "its elements stay where they are")
    call a%contiguous(a)
    call expect(a%is_contiguous(), "made contiguous")
    call b%astype(b, GPUARR_I32)
    call b%to_host(k)
    call expect(all(k == int(x)), "conversion truncates")
    call a%assign(b)
    call a%to_host(y)
    call expect(all(y == int(x)), "assign converts")
    column = x(:, 1)
    call b%from_host(column)
    call b%expand(b, 2)
    call a%assign(b)
    call a%to_host(y)
    call expect(all(y == spread(column, 2, 4)), "assign broadcasts")
    call device%open()
    call a%to_device(b, device)
    call a%fill(0)
    call b%to_host(y)
    call expect(all(y == spread(column, 2, 4)), "a copy on a device")
  end subroutine

  subroutine files()
    type(gpuarr_array) :: a, b
    real(c_float) :: x(3, 2), y(3, 2)
    character(40) :: path  ! with trailing blanks
    integer :: unit
    call random_number(x)
    path = "test_arrays_" // trim(gpuarr_version()) // ".npy"
    call a%from_host(x)
    call a%save(path)
    call b%load(path)
    call b%to_host(y)
    call expect(all(x == y), "saved and loaded")
    call expect(b%is_contiguous(), "in Fortran's order")
    open (newunit=unit, file=path)
    close (unit, status="delete")
  end subroutine

  subroutine tensors()
    type(gpuarr_array) :: a, b
    type(c_ptr) :: tensor
    real(c_float) :: x(3, 2), y(3, 2)
    call random_number(x)
    call a%from_host(x)
    call a%to_dlpack(tensor)
    call b%from_dlpack(tensor)
    call expect(b%strides(), [1, 3], "strides of a tensor")
    call a%fill(4)
    call a%release()
    call b%to_host(y)
    call expect(all(y == 4), "a tensor is the same memory")
  end subroutine

  subroutine devices()
    type(gpuarr_device) :: device, host
    integer(c_int64_t) :: free, total, processors
    integer :: count
    logical :: answer
    character(:), allocatable :: text
    call device%open()
    call host%open("host   ")
    call expect(host%kind(), GPUARR_DEVICE_HOST, "kind of the CPU")
    call expect_text(host%name(), "host")
    call expect(len(host%description()) > 0, "a description")
    call gpuarr_device_count(count, GPUARR_DEVICE_HOST)
    call expect(count, 1, "CPUs")
    call device%memory(free, total)
    call expect(free > 0 .and. total >= free, "memory")
    call device%attribute(processors, GPUARR_DEVICE_PROCESSORS)
    call expect(processors > 0, "processors")
    call device%compiler(text)
    call expect(len(text) > 0, "a compiler")
    call host%driver(text)
    call expect(len(text), 0, "no driver on the CPU")
    call device%can_access_peer(answer, device)
    call expect(answer, "a device reads its own memory")
    call device%synchronize()
  end subroutine

  subroutine tools()
    integer(c_int64_t) :: compiles
    character(:), allocatable :: text
    integer(c_int32_t) :: dtype
    call expect(index(gpuarr_version(), ".") > 0, "a version")
    call expect(len(gpuarr_cache_directory()) > 0, "a cache")
    call expect(len(gpuarr_cache_problem()), 0, "no problem with it")
    call gpuarr_cache_statistic(compiles, GPUARR_CACHE_COMPILES)
    call gpuarr_profile_start()
    call gpuarr_profile_push("tools")
    call gpuarr_profile_pop()
    call gpuarr_profile_stop()
    call gpuarr_profile_report(text, GPUARR_REPORT_JSON)
    call expect_text(text, "{")
    call gpuarr_profile_reset()
    call gpuarr_log_set("")
    call gpuarr_dtype_from_name(dtype, "f16")
    call expect(dtype, GPUARR_F16, "dtype by name")
  end subroutine

  subroutine refused()
    type(gpuarr_array) :: a, none
    type(gpuarr_device) :: device, closed
    integer(c_int64_t) :: number
    integer :: stat
    character(:), allocatable :: message
    call closed%open("toaster", stat, message)
    call expect_error(stat, message, GPUARR_ERR_NO_DEVICE, "toaster")
    call device%open()
    call a%zeros([2, -3], GPUARR_F32, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_SHAPE, "-3")
    call expect(.not. a%is_set(), "nothing was made")
    call a%zeros([2], 99, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_DTYPE, "99")
    call a%zeros([2], GPUARR_F32, device=closed, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "device")
    call a%full([2], 300, GPUARR_U8, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_DTYPE, "300")
    call a%full([2], "text", GPUARR_F32, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_DTYPE, "gpuarr_array_full")
    call a%arange(0, 10, 0, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "step")
    call a%linspace(0.0, 1.0, 2.5, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "linspace: count is no integer")
    call a%load("no such file.npy", stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_IO, "no such file.npy")
    call none%copy(a, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "gpuarr_array_copy: array is NULL")
    call none%fill(1, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "gpuarr_array_fill")
    call device%attribute(number, 99, stat, message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "99")
    call a%zeros([2], GPUARR_F32, stat=stat, errmsg=message)
    call expect(stat, 0, "success after failures")
    call expect(.not. allocated(message), "no message of success")
  end subroutine

end program
