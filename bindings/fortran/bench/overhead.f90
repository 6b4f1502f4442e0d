!> What a repeated elementwise call costs over the call of C: z = x * y + 2 on 16 numbers, the two
!> in turn, the median of many rounds of each.
program overhead
  use, intrinsic :: iso_c_binding
  use gpuarr
  use gpuarr_c, only: gpuarr_arg_c, gpuarr_arg_array_c, gpuarr_arg_f32_c, gpuarr_elementwise_call_c
  implicit none
  integer, parameter :: rounds = 201, calls = 5000
  call main()

contains

  subroutine main()
    type(gpuarr_stream) :: stream
    type(gpuarr_array) :: x, y, z
    type(gpuarr_elementwise) :: kernel
    type(gpuarr_arg_c) :: inputs(3)
    type(c_ptr) :: outputs(1)
    real(c_double) :: raw(rounds), idiomatic(rounds), listed(rounds), start
    real :: numbers(16)
    integer :: round, call, status
    numbers = 1
    call stream%current()
    call x%from_host(numbers)
    call y%from_host(numbers)
    call kernel%create("T x, T y, T s", "T z", "z = x * y + s;")
    call kernel%call(z, x, y, 2.0)
    inputs = [gpuarr_arg_array_c(x%c_handle()), gpuarr_arg_array_c(y%c_handle()), &
              gpuarr_arg_f32_c(2.0)]
    outputs(1) = z%c_handle()
    do round = 1, rounds
      start = now()
      do call = 1, calls
        status = gpuarr_elementwise_call_c(kernel%c_handle(), outputs, 1, inputs, 3, &
            GPUARR_NO_SIZE, c_null_ptr)
        if (status /= GPUARR_OK) error stop "the call of C failed"
      end do
      raw(round) = now() - start
      start = now()
      do call = 1, calls
        call kernel%call(z, x, y, 2.0)
      end do
      idiomatic(round) = now() - start
      start = now()
      do call = 1, calls
        call kernel%call(z, [arg(x), arg(y), arg(2.0)])
      end do
      listed(round) = now() - start
      call stream%synchronize()  ! no queue grows long
    end do
    call report("fortran", idiomatic, raw)
    call report("fortran, inputs in a list", listed, raw)
  end subroutine

  subroutine report(name, idiomatic, raw)
    character(*), intent(in) :: name
    real(c_double), intent(in) :: idiomatic(:), raw(:)
    print "(2a, 3(i0, a))", name, ": raw ", nanoseconds(raw), " ns, idiomatic ", &
        nanoseconds(idiomatic), " ns, overhead ", nanoseconds(idiomatic) - nanoseconds(raw), " ns"
  end subroutine

  !> The median of the rounds' seconds, for a call.
  integer function nanoseconds(seconds)
    real(c_double), intent(in) :: seconds(:)
    real(c_double) :: sorted(size(seconds)), moved
    integer :: i, k
    sorted = seconds
    do i = 2, size(sorted)
      moved = sorted(i)
      k = i
      do while (k > 1)
        if (sorted(k - 1) <= moved) exit
        sorted(k) = sorted(k - 1)
        k = k - 1
      end do
      sorted(k) = moved
    end do
    nanoseconds = nint(1d9 * sorted((size(sorted) + 1) / 2) / calls)
  end function

  real(c_double) function now()
    integer(c_int64_t) :: count, rate
    call system_clock(count, rate)
    now = real(count, c_double) / rate
  end function

end program
