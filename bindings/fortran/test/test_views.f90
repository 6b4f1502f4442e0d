!> Views, against what Fortran's sections, transpose, reshape and spread give.
program test_views
  use, intrinsic :: iso_c_binding
  use gpuarr
  use checks
  implicit none
  call start()
  call slices()
  call selections()
  call orders()
  call shapes()
  call broadcasts()
  call chains()
  call refused()
  call finish()

contains

  subroutine slices()
    type(gpuarr_array) :: a, v
    real(c_double) :: x(7, 5)
    real(c_double), allocatable :: y(:, :)
    integer :: round, first, last, step
    call random_number(x)
    call a%from_host(x)
    do round = 1, 100
      first = random_int(1, 7)
      last = random_int(1, 7)
      step = random_int(1, 4) * merge(1, -1, random_int(0, 1) == 1)
      call a%slice(v, 1, first, last, step)
      call v%to_allocatable(y)
      call expect(all(shape(y) == shape(x(first:last:step, :))), "shape of a slice")
      call expect(all(y == x(first:last:step, :)), "a slice")
    end do
    call a%slice(v, 2, last=3)
    call v%to_allocatable(y)
    call expect(all(y == x(:, :3)), "without a first")
    call a%slice(v, 2, first=4_c_int64_t)
    call v%to_allocatable(y)
    call expect(all(y == x(:, 4:)), "without a last")
    call a%slice(v, 1, step=-1)
    call v%to_allocatable(y)
    call expect(all(y == x(7:1:-1, :)), "backwards")
    call a%slice(v, 1, step=3)
    call v%to_allocatable(y)
    call expect(all(y == x(::3, :)), "every third")
    call a%slice(v, 1, 2, 9, 5)  ! 9 itself is not reached
    call v%to_allocatable(y)
    call expect(all(y == x([2, 7], :)), "a last that is not reached")
    call a%slice(v, 1, 20, 10)
    call expect(v%shape(), [0, 5], "an empty slice, wherever")
  end subroutine

  subroutine selections()
    type(gpuarr_array) :: a, v
    integer(c_int32_t) :: x(4, 3), column(4), row(3), diagonal(2)
    integer :: k
    x = reshape([(k, k = 1, 12)], [4, 3])
    call a%from_host(x)
    call a%select(v, 2, 3)
    call v%to_host(column)
    call expect(all(column == x(:, 3)), "a column")
    call a%select(v, 1, 4_c_int64_t)
    call v%to_host(row)
    call expect(all(row == x(4, :)), "a row")
    call a%diagonal(v)
    call v%to_host(row)
    call expect(all(row == [(x(k, k), k = 1, 3)]), "the diagonal")
    call a%diagonal(v, offset=1)
    call v%to_host(diagonal)
    call expect(all(diagonal == [(x(k, k + 1), k = 1, 2)]), "the diagonal above")
    call a%diagonal(v, -2, dim1=1, dim2=2)
    call v%to_host(diagonal)
    call expect(all(diagonal == [(x(k + 2, k), k = 1, 2)]), "a diagonal below")
  end subroutine

  subroutine orders()
    type(gpuarr_array) :: a, v
    real(c_float) :: x(2, 3, 4), y(4, 2, 3), z(4, 3, 2)
    integer :: i, j, k
    logical :: same
    call random_number(x)
    call a%from_host(x)
    call a%transpose(v)
    call v%to_host(z)
    same = .true.
    do k = 1, 4
      do j = 1, 3
        do i = 1, 2
          same = same .and. z(k, j, i) == x(i, j, k)
        end do
      end do
    end do
    call expect(same, "dims in the opposite order")
    call a%permute(v, [3, 1, 2])
    call v%to_host(y)
    same = .true.
    do k = 1, 4
      do j = 1, 3
        do i = 1, 2
          same = same .and. y(k, i, j) == x(i, j, k)
        end do
      end do
    end do
    call expect(same, "dims in another order")
  end subroutine

  subroutine shapes()
    type(gpuarr_array) :: a, v
    integer(c_int32_t) :: x(4, 6), y(3, 2, 4)
    integer(c_int32_t), allocatable :: flat(:)
    integer :: k, stat
    character(:), allocatable :: message
    x = reshape([(k, k = 1, 24)], [4, 6])
    call a%from_host(x)
    call a%reshape(v, [3, 2, 4])
    call v%to_host(y)
    call expect(all(y == reshape(x, [3, 2, 4])), "reshape is Fortran's")
    call a%reshape(v, [-1_c_int64_t])
    call v%to_allocatable(flat)
    call expect(all(flat == [(k, k = 1, 24)]), "all in a row")
    call v%reshape(v, [3, -1, 4])
    call v%to_host(y)
    call expect(all(y == reshape(x, [3, 2, 4])), "an extent that is worked out")
    call a%slice(v, 1, last=3)
    call v%reshape(v, [18], stat, message)
    call expect_error(stat, message, GPUARR_ERR_SHAPE, "an array of shape (3, 6) and strides " // &
        "(1, 4) cannot be seen as one of shape (18,)")
    call v%contiguous(v)
    call v%reshape(v, [18])
    call v%to_allocatable(flat)
    call expect(all(flat == reshape(x(:3, :), [18])), "reshape of a copy")
    call a%reshape(v, [5, 5], stat, message)
    call expect_error(stat, message, GPUARR_ERR_SHAPE, "the sizes must be equal")
    call a%expand(v, 2)
    call expect(v%shape(), [4, 1, 6], "a dim more")
    call v%expand(v, 4)
    call expect(v%shape(), [4, 1, 6, 1], "a dim behind")
    call v%squeeze(a, [2])
    call expect(a%shape(), [4, 6, 1], "a dim less")
    call v%squeeze(a)
    call expect(a%shape(), [4, 6], "all dims of extent 1")
  end subroutine

  subroutine broadcasts()
    type(gpuarr_array) :: a, v
    real(c_float) :: x(3), y(2, 3), column(3, 1), z(3, 4)
    call random_number(x)
    call a%from_host(x)
    call a%broadcast(v, [2, 3])
    call v%to_host(y)
    call expect(all(y == spread(x, 1, 2)), "broadcast to rows")
    column(:, 1) = x
    call a%from_host(column)
    call a%broadcast(v, [3_c_int64_t, 4_c_int64_t])
    call v%to_host(z)
    call expect(all(z == spread(x, 2, 4)), "broadcast to columns")
  end subroutine

  !> Views of views, of the variable itself, and written through.
  subroutine chains()
    type(gpuarr_array) :: a, v
    real(c_double) :: x(6, 8), y(6, 8)
    call random_number(x)
    y = x
    call a%from_host(x)
    v = a
    call v%slice(v, 1, 2, 6, 2)
    call v%slice(v, 2, 7, 1, -3)
    call v%transpose(v)
    call v%fill(-1)
    x(2:6:2, 7:1:-3) = -1
    call a%to_host(y)
    call expect(all(x == y), "a view of a view is the array's memory")
  end subroutine

  subroutine refused()
    type(gpuarr_array) :: a, v
    integer :: stat
    character(:), allocatable :: message
    call a%zeros([4, 6], GPUARR_F32)
    v = a
    call a%slice(v, 0, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_AXIS, &
        "gpuarr_array%slice: dim 0 of an array of shape (4, 6); dims count from 1 to 2")
    call a%slice(v, 3, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_AXIS, "dim 3")
    call a%slice(v, 1, 0, 3, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_AXIS, &
        "elements 0 to 3 of dim 1, which has the elements 1 to 4")
    call a%slice(v, 2, 2, 7, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_AXIS, "elements 2 to 7 of dim 2")
    call a%slice(v, 1, step=0, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "step")
    call a%slice(v, 1, 1.5, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "first is no integer")
    call a%select(v, 2, 7, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_AXIS, "element 7 of dim 2")
    call a%permute(v, [1, 1], stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_AXIS, "count from 0")
    call a%permute(v, [1], stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_AXIS, "gpuarr_array_transpose")
    call a%squeeze(v, [1], stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_SHAPE, "gpuarr_array_squeeze")
    call a%expand(v, 4, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_AXIS, "dims count from 1 to 3")
    call a%diagonal(v, dim2=3, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_AXIS, "dim 3")
    call a%broadcast(v, [4, 7], stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_BROADCAST, "gpuarr_array_broadcast")
    call expect(v%shape(), [4, 6], "after a failure a view is as it was")
    call a%release()
    call a%slice(v, 1, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "gpuarr_array_slice: array is NULL")
    call a%reshape(v, [3], stat, message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "NULL")
  end subroutine

end program
