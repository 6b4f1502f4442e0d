! The sieve of Eratosthenes with a mask: all multiples of a prime are struck out by one fill of a
! view, and what is left is found by a compaction. No kernel is written.
program prime_sieve
  use gpuarr
  implicit none
  integer, parameter :: n = 1000000
  integer, parameter :: long = selected_int_kind(18)
  call main()

contains

  !> The primes below n. To strike out, primes below the root of n are enough, which are found the
  !> same way.
  recursive subroutine primes_below(primes, n)
    type(gpuarr_array), intent(inout) :: primes
    integer, intent(in) :: n
    type(gpuarr_array) :: mask, multiples
    integer(long), allocatable :: divisors(:)
    integer :: k
    call mask%ones([n - 1], GPUARR_BOOL)
    call mask%slice(multiples, 1, last=1)
    call multiples%fill(.false.)
    if (n > 4) then
      call primes_below(primes, int(sqrt(real(n - 1))) + 1)
      call primes%to_allocatable(divisors)
      do k = 1, size(divisors)
        call mask%slice(multiples, 1, first=divisors(k)**2, step=divisors(k))
        call multiples%fill(.false.)
      end do
    end if
    call gpuarr_flatnonzero(primes, mask)
  end subroutine

  subroutine main()
    type(gpuarr_device) :: device
    type(gpuarr_array) :: array
    integer(long), allocatable :: primes(:)
    logical, allocatable :: is_prime(:)
    integer :: p
    call device%open()
    call primes_below(array, n)
    call array%to_allocatable(primes)

    allocate(is_prime(n - 1), source=.true.)
    is_prime(1) = .false.
    do p = 2, int(sqrt(real(n)))
      if (is_prime(p)) is_prime(p * p::p) = .false.
    end do
    if (size(primes) /= count(is_prime)) error stop "their number is wrong"
    if (any(primes /= pack([(p, p = 1, n - 1)], is_prime))) error stop "a prime is wrong"
    print "(3(a, i0), 2a)", "ok: ", size(primes), " primes below ", n, ", the last one ", &
        primes(size(primes)), ", on ", device%name()
  end subroutine

end program
