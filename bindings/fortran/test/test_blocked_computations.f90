!> Products of blocked matrices, sorting, cumulative sums and random numbers: against the undivided
!> array.
program test_blocked_computations
  use, intrinsic :: iso_c_binding
  use gpuarr
  use checks
  implicit none
  call start()
  call products()
  call orders()
  call scans()
  call draws()
  call refused()
  call finish()

contains

  !> Elements in random blocks on random places.
  subroutine divide(x, team, a)
    type(gpuarr_blocked), intent(inout) :: x
    type(gpuarr_team), intent(in) :: team
    real(c_double), intent(in) :: a(:, :)
    call x%empty(team, shape(a), GPUARR_F64, chunk=[random_int(1, size(a, 1)), &
        random_int(1, size(a, 2))], placement=random_int(GPUARR_PLACEMENT_BALANCED, &
        GPUARR_PLACEMENT_REPLICATED))
    call x%write(a)
  end subroutine

  !> Whole numbers, whose products are exact.
  subroutine products()
    type(gpuarr_team) :: team
    type(gpuarr_blocked) :: x, y, z, v, given
    real(c_double), allocatable :: a(:, :), b(:, :), c(:, :)
    integer :: round, m, n, k, i
    do round = 1, 10
      m = random_int(1, 9)
      n = random_int(1, 9)
      k = random_int(1, 9)
      call make_local_team(team, random_int(1, 6))
      a = reshape([(real(random_int(-9, 9), c_double), i = 1, m * k)], [m, k])
      b = reshape([(real(random_int(-9, 9), c_double), i = 1, k * n)], [k, n])
      call divide(x, team, a)
      call divide(y, team, b)
      call z%release()
      call gpuarr_blocked_matmul(z, x, y)
      call z%to_allocatable(c)
      call expect(all(c == matmul(a, b)), "a product")
      call expect(z%blocks(1) == x%blocks(1) .and. z%blocks(2) == y%blocks(2), "its blocks")
      call divide(given, team, 0 * c)
      call gpuarr_blocked_matmul(given, x, y)
      call given%to_host(c)
      call expect(all(c == matmul(a, b)), "into blocks that are there")
      call v%empty(team, [k], GPUARR_F64, chunk=[2])
      call v%write(b(:, 1))
      call z%release()
      call gpuarr_blocked_matmul(z, x, v)
      call z%to_host(c(:, 1))
      call expect(all(c(:, 1) == matmul(a, b(:, 1))), "with a vector")
    end do
  end subroutine

  subroutine orders()
    type(gpuarr_team) :: team
    type(gpuarr_blocked) :: x, y
    integer(c_int32_t), allocatable :: a(:), b(:)
    integer :: round, n, k
    do round = 1, 10
      n = random_int(1, 200)
      call make_local_team(team, random_int(1, 6))
      a = [(random_int(-50, 50), k = 1, n)]
      call x%empty(team, [n], GPUARR_I32, chunk=[random_int(1, n)])
      call x%write(a)
      call y%release()
      call gpuarr_blocked_sort(y, x)
      call y%to_allocatable(b)
      call expect(all(b(2:) >= b(:n - 1)), "in order")
      call expect(all([(count(a == k) == count(b == k), k = -50, 50)]), "the same elements")
      call gpuarr_blocked_sort(x, x, descending=.true.)
      call x%to_host(a)
      call expect(all(a == b(n:1:-1)), "the largest first, in place")
    end do
  end subroutine

  subroutine scans()
    type(gpuarr_team) :: team
    type(gpuarr_blocked) :: x, y
    real(c_double) :: a(7, 6), wanted(7, 6), got(7, 6)
    integer :: round, k
    do round = 1, 5, 2
      call make_local_team(team, round)
      a = reshape([(real(random_int(-9, 9), c_double), k = 1, size(a))], shape(a))
      call divide(x, team, a)
      call y%release()
      call gpuarr_blocked_scan(y, "cumsum", x)
      wanted = a
      do k = 2, 7
        wanted(k, :) = wanted(k - 1, :) + a(k, :)
      end do
      call y%to_host(got)
      call expect(all(got == wanted), "sums along dim 1")
      call gpuarr_blocked_scan(y, "cummax", x, dim=2)
      wanted = a
      do k = 2, 6
        wanted(:, k) = max(wanted(:, k - 1), a(:, k))
      end do
      call y%to_host(got)
      call expect(all(got == wanted), "greatest along dim 2, into what is there")
      call gpuarr_blocked_scan(x, "cumsum", x, 2, exclusive=.true.)
      wanted(:, 1) = 0
      do k = 2, 6
        wanted(:, k) = wanted(:, k - 1) + a(:, k - 1)
      end do
      call x%to_host(got)
      call expect(all(got == wanted), "without their own elements, in place")
    end do
  end subroutine

  !> The same numbers as of an undivided array, and the generators end at the same position.
  subroutine draws()
    type(gpuarr_team) :: team
    type(gpuarr_blocked) :: x, dice
    type(gpuarr_array) :: whole
    type(gpuarr_generator) :: one, other
    real(c_double) :: a(9, 5), b(9, 5)
    integer(c_int64_t) :: numbers(9, 5), others(9, 5)
    integer :: round
    call one%create(7)
    call other%create(7)
    do round = 1, 5, 2
      call make_local_team(team, round)
      b = 0
      call divide(x, team, b)
      call gpuarr_blocked_random(x, other, "normal", 3, 0.5)
      call one%normal(whole, [9, 5], mean=3, std=0.5, dtype=GPUARR_F64)
      call whole%to_host(a)
      call x%to_host(b)
      call expect(all(a == b), "normal numbers")
      call gpuarr_blocked_random(x, other, "exponential", 2)
      call one%exponential(whole, scale=2)
      call whole%to_host(a)
      call x%to_host(b)
      call expect(all(a == b), "a distribution of one parameter")
      call dice%empty_like(x, GPUARR_I64)
      call gpuarr_blocked_random(dice, other, "integers", 1, 6)
      call whole%release()
      call one%integers(whole, 1, 6, [9, 5], GPUARR_I64)
      call whole%to_host(numbers)
      call dice%to_host(others)
      call expect(all(numbers == others), "integers, of which the last is among them")
      call gpuarr_blocked_random(dice, other, "integers", 0, huge(0_c_int64_t))
      call expect(other%position() > one%position(), "all integers from 0")
      call other%set_position(one%position())
      call whole%release()
    end do
  end subroutine

  subroutine refused()
    type(gpuarr_team) :: team
    type(gpuarr_blocked) :: x, v, y, none
    type(gpuarr_generator) :: generator, no_generator
    integer :: stat
    character(:), allocatable :: message
    call make_local_team(team, 2)
    call generator%create(1)
    call x%empty(team, [3, 4], GPUARR_F64)
    call v%empty(team, [3], GPUARR_F32)
    call gpuarr_blocked_matmul(y, x, v, stat, message)
    call expect_error(stat, message, GPUARR_ERR_SHAPE, "gpuarr_blocked_matmul: x has shape (3, 4)")
    call gpuarr_blocked_matmul(y, x, none, stat, message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "y is NULL")
    call gpuarr_blocked_sort(y, x, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_SHAPE, "gpuarr_blocked_sort: x has 2 axes")
    call gpuarr_blocked_scan(y, "cumrest", x, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "cumrest")
    call gpuarr_blocked_scan(y, "cumsum", x, 0, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_AXIS, "dim 0; dims count from 1")
    call gpuarr_blocked_scan(y, "cumsum", x, 3, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_AXIS, "axis 0 is dim 1")
    call expect(.not. y%is_set(), "no result of a failure")
    call gpuarr_blocked_scan(v, "cumsum", x, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_DTYPE, "out is float32")
    call gpuarr_blocked_random(x, generator, "abnormal", 0, 1, stat, message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, 'distribution is "abnormal"')
    call gpuarr_blocked_random(x, generator, "normal", 0, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "count is 1, but normal numbers have 2")
    call gpuarr_blocked_random(x, generator, "integers", 0, 1.5, stat, message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, &
        "gpuarr_blocked_random: b, the last integer, is no integer")
    call gpuarr_blocked_random(x, no_generator, "normal", 0, 1, stat, message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "generator is NULL")
    call gpuarr_blocked_random(none, generator, "normal", 0, 1, stat, message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "blocked is NULL")
  end subroutine

end program
