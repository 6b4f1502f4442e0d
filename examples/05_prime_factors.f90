! A body with a loop: the sum of the prime factors of every number from 2 to a million.
program prime_factors
  use gpuarr
  implicit none
  integer, parameter :: first = 2, last = 1000000
  character(*), parameter :: nl = new_line("a")

  ! A function for the body to use goes into the preamble.
  character(*), parameter :: preamble = &
      "__device__ int sum_of_prime_factors(int number) {" // nl // &
      "  int sum = 0;" // nl // &
      "  for (int divisor = 2; divisor * divisor <= number; ++divisor)" // nl // &
      "    for (; number % divisor == 0; number /= divisor) sum += divisor;" // nl // &
      "  return number > 1 ? sum + number : sum;" // nl // &
      "}"
  call main()

contains

  subroutine main()
    type(gpuarr_device) :: device
    type(gpuarr_elementwise) :: kernel
    type(gpuarr_array) :: array
    integer, allocatable :: sums(:)
    call device%open()
    call kernel%create("", "int32 sum", "sum = sum_of_prime_factors((int)i + 2);", &
        name="prime_factors", preamble=preamble)

    ! No array says how many elements there are, so the call does; i is the element's index.
    call kernel%call(array, size=last - first + 1)
    call array%to_allocatable(sums)
    call check_with_sieve(sums)
    print "(3a, 3(1x, i0), a, 3(1x, i0))", "ok: sums of prime factors of 2 ... 1000000 on ", &
        device%name(), ":", sums(:3), " ...", sums(size(sums) - 2:)
  end subroutine

  ! The same with a sieve: smallest(m) is the smallest prime factor of m.
  subroutine check_with_sieve(sums)
    integer, intent(in) :: sums(:)
    integer, allocatable :: smallest(:)
    integer :: p, m, number, rest, wanted
    allocate(smallest(last), source=0)
    do p = 2, last
      if (smallest(p) /= 0) cycle
      do m = p, last, p
        if (smallest(m) == 0) smallest(m) = p
      end do
    end do
    do number = first, last
      wanted = 0
      rest = number
      do while (rest > 1)
        wanted = wanted + smallest(rest)
        rest = rest / smallest(rest)
      end do
      if (sums(number - first + 1) /= wanted) error stop "a sum is wrong"
    end do
  end subroutine

end program
