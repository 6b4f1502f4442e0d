!> Reductions over all blocks of a blocked array.
program test_blocked_reductions
  use, intrinsic :: iso_c_binding
  use gpuarr
  use checks
  implicit none
  call start()
  call reductions()
  call places()
  call refused()
  call finish()

contains

  subroutine reductions()
    type(gpuarr_team) :: team
    type(gpuarr_blocked) :: x, y, out, other, outs(2)
    type(gpuarr_reduction) :: distance, ends
    real(c_double) :: a(9, 7), columns(7), rows(9, 1), number
    real(c_double), allocatable :: got(:)
    integer :: k
    call make_local_team(team, 3)
    a = reshape([(sin(real(k, c_double)), k = 1, 63)], [9, 7])
    call x%empty(team, shape(a), GPUARR_F64, chunk=[4, 3])
    call y%empty_like(x)
    call x%write(a)
    call y%fill(0.5)
    call gpuarr_blocked_reduce(out, "sum", x, dim=1)
    call out%to_allocatable(got)
    call expect(maxval(abs(got - sum(a, 1))), 0d0, 1d-12, "sums of columns")
    call other%empty(team, [9, 1], GPUARR_F64, chunk=[5, 1])
    call gpuarr_blocked_reduce(other, "max", x, dims=[2], keepdims=.true., fast=.true.)
    call other%to_host(rows)
    call expect(all(rows(:, 1) == maxval(a, 2)), "greatest of rows, in other blocks")
    call out%release()
    call gpuarr_blocked_reduce(out, "var", x, ddof=1d0)
    call out%to_host(number)
    call expect(number, sum((a - sum(a) / 63)**2) / 62, 1d-12, "a variance")
    call distance%create("float64 x, float64 y", "float64 z", "(x - y) * (x - y)", "a + b", &
        "z = sqrt(a)", "0")
    call out%release()
    call gpuarr_blocked_reduce(out, distance, x, y, dim=1)
    call out%to_host(columns)
    call expect(maxval(abs(columns - sqrt(sum((a - 0.5)**2, 1)))), 0d0, 1d-12, "a kernel")
    call gpuarr_blocked_reduce(out, distance, [arg(x), arg(0.5d0)], dim=1)
    call out%to_host(columns)
    call expect(maxval(abs(columns - sqrt(sum((a - 0.5)**2, 1)))), 0d0, 1d-12, "by a list")
    call ends%create("float64 x", "float64 least, float64 most", "double2{x, x}", &
        "double2{min(a.x, b.x), max(a.y, b.y)}", "least = a.x; most = a.y;", reduce_type="double2")
    call out%release()
    call other%release()
    call gpuarr_blocked_reduce(out, other, ends, [arg(x)])
    call out%to_host(number)
    call expect(number, minval(a), 0d0, "two outputs: the least")
    call other%to_host(number)
    call expect(number, maxval(a), 0d0, "and the greatest")
    call gpuarr_blocked_reduce(outs, ends, [arg(x)])
    call outs(2)%to_host(number, place=2)
    call expect(number, maxval(a), 0d0, "outputs in an array")
  end subroutine

  !> In Fortran's order, from 1; of equal ones the first.
  subroutine places()
    type(gpuarr_team) :: team
    type(gpuarr_blocked) :: x, out, given
    integer(c_int32_t) :: a(5, 4)
    integer(c_int64_t) :: place, columns(4)
    integer :: round, k
    do round = 1, 5
      call make_local_team(team, round)
      a = reshape([(random_int(1, 6), k = 1, 20)], [5, 4])
      call x%empty(team, shape(a), GPUARR_I32, chunk=[random_int(1, 5), random_int(1, 4)])
      call x%write(a)
      call out%release()
      call gpuarr_blocked_reduce(out, "argmax", x)
      call out%to_host(place)
      call expect(place, int(maxloc(reshape(a, [20]), 1), c_int64_t), "the greatest of all")
      call out%release()
      call gpuarr_blocked_reduce(out, "argmin", x, dim=1)
      call out%to_host(columns)
      call expect(columns, minloc(a, 1), "the least of columns")
      call given%empty(team, [4], GPUARR_I64, chunk=[3])
      call gpuarr_blocked_reduce(given, "argmin", x, dim=1)
      call given%to_host(columns)
      call expect(columns, minloc(a, 1), "into an array that is there")
    end do
  end subroutine

  subroutine refused()
    type(gpuarr_team) :: team
    type(gpuarr_blocked) :: x, y, none
    type(gpuarr_reduction) :: sums
    integer :: stat
    character(:), allocatable :: message
    call make_local_team(team, 2)
    call x%empty(team, [6], GPUARR_F64, chunk=[2])
    call y%empty(team, [6], GPUARR_F64, chunk=[3])
    call sums%create("T x", "T y", "x", "a + b", "y = a", "0")
    call gpuarr_blocked_reduce(none, "most", x, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "most")
    call gpuarr_blocked_reduce(none, "argmin", x, dim=2, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_AXIS, "gpuarr_blocked_reduce")
    call gpuarr_blocked_reduce(none, sums, y, dims=[1, 0], stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_AXIS, "dims count from 1")
    call expect(.not. none%is_set(), "no result of a failure")
  end subroutine

end program
