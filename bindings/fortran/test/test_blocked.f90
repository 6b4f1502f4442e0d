!> Blocked arrays in one process: copied, viewed, joined of what there is, and their ghost cells.
program test_blocked
  use, intrinsic :: iso_c_binding
  use gpuarr
  use checks
  implicit none
  call start()
  call copies()
  call parts()
  call random_grids()
  call views()
  call halos()
  call joined()
  call joined_with_frame()
  call joined_arrays()
  call refused_parts()
  call refused_joins()
  call finish()

contains

  !> Whether the test's device is the CPU, whose places can have Fortran's own arrays.
  logical function is_host()
    type(gpuarr_device) :: device
    call device%open()
    is_host = device%kind() == GPUARR_DEVICE_HOST
  end function

  subroutine copies()
    type(gpuarr_team) :: team
    type(gpuarr_blocked) :: x, y
    real(c_float) :: a(6, 7), b(6, 7), wide(12, 21)
    complex(c_double_complex) :: c(2, 3, 2), d(2, 3, 2)
    real(c_double) :: number
    real(c_float), allocatable :: all_of_it(:, :)
    integer :: k
    call make_local_team(team, 4)
    a = reshape([(real(k), k = 1, 42)], [6, 7])
    call x%empty(team, shape(a), GPUARR_F32, chunk=[4, 2])
    call x%write(a)
    call x%to_host(b)
    call expect(all(a == b), "there and back")
    call x%to_allocatable(all_of_it)
    call expect(all(a == all_of_it), "into an allocatable")
    wide = 0
    wide(2:12:2, 21:1:-3) = a
    call x%fill(0)
    call x%write(wide(2:12:2, 21:1:-3), place=1)
    wide = 0
    call x%to_host(wide(12:2:-2, 1:21:3), place=3)
    call expect(all(wide(12:2:-2, 1:21:3) == a), "sections")
    call expect(real(sum(wide), c_double), real(sum(a), c_double), 0d0, "and nothing else")
    call y%empty(team, shape(a), GPUARR_F32, chunk=[6, 3], order=GPUARR_ORDER_C)
    call gpuarr_redistribute(y, x)
    b = 0
    call y%to_host(b)
    call expect(all(a == b), "other blocks, in another order")
    c = reshape([(cmplx(k, -k, c_double), k = 1, 12)], [2, 3, 2])
    call x%empty(team, shape(c), GPUARR_C128)
    call x%write(c)
    call x%to_host(d)
    call expect(all(c == d), "complex numbers of three dims")
    call x%empty(team, [integer ::], GPUARR_F64)
    call x%write(3d0)
    call x%to_host(number)
    call expect(number, 3d0, 0d0, "one number")
    call x%empty(team, [2], GPUARR_F64, placement=GPUARR_PLACEMENT_REPLICATED)
    call x%fill(3)
    call x%all_reduce(GPUARR_COMBINE_SUM)
    call x%to_host(number, first=[2])
    call expect(number, 12d0, 0d0, "the sum over places")
  end subroutine

  subroutine parts()
    type(gpuarr_team) :: team
    type(gpuarr_blocked) :: x
    integer(c_int32_t) :: a(6, 7), b(2, 3), row(7), column(3)
    integer :: k
    call make_local_team(team, 3)
    a = reshape([(k, k = 1, 42)], [6, 7])
    call x%empty(team, shape(a), GPUARR_I32, chunk=[4, 2])
    call x%write(a)
    call x%to_host(b, first=[3, 2], last=[4, 4])
    call expect(all(b == a(3:4, 2:4)), "a part")
    call x%to_host(row, first=[5, 1], last=[5, 7])
    call expect(all(row == a(5, :)), "a row")
    call x%to_host(column, first=[4_c_int64_t, 6_c_int64_t], last=[6, 6])
    call expect(all(column == a(4:6, 6)), "of a column")
    a(3:4, 2:4) = -b
    call x%write(-b, first=[3, 2], last=[4, 4])
    a(6, :) = 2 * row
    call x%write(2 * row, first=[6, 1])
    call x%to_host(row, first=[4, 1], last=[4, 7])
    call expect(all(row == a(4, :)), "parts that were written")
    call x%to_host(row, first=[6, 1])
    call expect(all(row == a(6, :)), "a row that was written")
    call x%to_host(b(:, 1:0), first=[3, 2], last=[4, 1])  ! nothing
  end subroutine

  !> Any shape, blocks and places against the array itself.
  subroutine random_grids()
    type(gpuarr_team) :: team
    type(gpuarr_blocked) :: x, y
    integer :: round, k, n(3), chunk(3)
    integer(c_int32_t), allocatable :: a(:, :, :), b(:, :, :)
    do round = 1, 20
      n = [(random_int(1, 9), k = 1, 3)]
      chunk = [(random_int(1, n(k)), k = 1, 3)]
      call make_local_team(team, random_int(1, 8))
      call x%empty(team, n, GPUARR_I32, chunk=chunk, halo=[random_int(0, 2)], &
          placement=random_int(GPUARR_PLACEMENT_BALANCED, GPUARR_PLACEMENT_REPLICATED))
      a = reshape([(k, k = 1, product(n))], n)
      call x%write(a)
      call x%empty_like(x)
      call x%write(a, place=random_int(0, team%size() - 1))
      call y%empty(team, n, GPUARR_I32)
      call gpuarr_redistribute(y, x)
      call x%to_allocatable(b)
      call expect(all(a == b), "any blocks")
      call y%to_allocatable(b)
      call expect(all(a == b), "and redistributed")
    end do
  end subroutine

  subroutine views()
    type(gpuarr_team) :: team
    type(gpuarr_blocked) :: x, y
    integer(c_int32_t) :: a(4, 3, 2), b(3, 2, 4), c(2, 3, 4)
    integer :: k
    call make_local_team(team, 2)
    a = reshape([(k, k = 1, 24)], shape(a))
    call x%empty(team, shape(a), GPUARR_I32, chunk=[2, 2, 2])
    call x%write(a)
    call x%permute(y, [2, 3, 1])
    call y%to_host(b)
    call expect(all(b == reshape(a, [3, 2, 4], order=[3, 1, 2])), "dims in another order")
    call x%transpose(x)
    call x%to_host(c)
    call expect(all(c == reshape(a, [2, 3, 4], order=[3, 2, 1])), "in the opposite order")
    call y%fill(5)
    call x%to_host(c)
    call expect(all(c == 5), "over the same memory")
  end subroutine

  subroutine halos()
    type(gpuarr_team) :: team
    type(gpuarr_blocked) :: x
    type(gpuarr_array) :: block
    integer(c_int32_t), allocatable :: got(:, :)
    integer(c_int32_t) :: a(4, 6)
    integer :: k
    call make_local_team(team, 2)
    a = reshape([(k, k = 1, 24)], shape(a))
    call x%empty(team, shape(a), GPUARR_I32, chunk=[4, 3], low=[1, 2], high=[0, 1], &
        boundary=[GPUARR_BOUNDARY_CONSTANT, GPUARR_BOUNDARY_PERIODIC], fill=-1)
    call x%write(a)
    call x%halo_exchange()
    call x%local(block, 2, halo=.true.)
    call block%to_allocatable(got)
    call expect(all(got(1, :) == -1), "ghost cells of a value")
    call expect(all(got(2:, :) == a(:, [2, 3, 4, 5, 6, 1])), "and of neighbours all around")
    call x%write(-a)
    call x%halo_begin()
    call x%halo_end()
    call block%to_allocatable(got)
    call expect(all(got(2:, :) == -a(:, [2, 3, 4, 5, 6, 1])), "in two steps")
    call x%empty(team, shape(a), GPUARR_I32, chunk=[4, 3], halo=[1], &
        boundary=[GPUARR_BOUNDARY_NEAREST])
    call x%write(a)
    call x%halo_exchange()
    call x%local(block, 1, halo=.true.)
    call block%to_allocatable(got)
    call expect(all(got == a([1, 1, 2, 3, 4, 4], [1, 1, 2, 3, 4])), "the nearest, one for all dims")
  end subroutine

  !> What a code with MPI has, of places of one process: periodic, with corners.
  subroutine joined()
    type(gpuarr_team) :: team
    type(gpuarr_blocked) :: x
    integer, parameter :: nx = 4, ny = 3
    real(c_double), target :: u(0:nx + 1, 0:ny + 1)
    integer :: i, j
    if (.not. is_host()) return
    call make_local_team(team, 1)
    u = -1
    u(1:nx, 1:ny) = reshape([((10 * i + j, i = 1, nx), j = 1, ny)], [nx, ny])
    call x%from_local(team, u, [1, 1], halo=[1], boundary=[GPUARR_BOUNDARY_PERIODIC])
    call expect(x%shape(), [nx, ny], "the shape without ghost cells")
    call x%halo_exchange()
    call team%synchronize()
    call expect(all(u == reshape([((10 * (modulo(i - 1, nx) + 1) + modulo(j - 1, ny) + 1, &
        i = 0, nx + 1), j = 0, ny + 1)], shape(u))), "ghost cells in the program's own array")
    call x%fill(2)
    call team%synchronize()
    call expect(sum(u(1:nx, 1:ny)), 2d0 * nx * ny, 0d0, "the same memory")
  end subroutine

  !> Cells beyond the ends stay the program's own, and places go over the grid in either order.
  subroutine joined_with_frame()
    type(gpuarr_team) :: team
    type(gpuarr_blocked) :: x
    type(gpuarr_array) :: parts(6)
    real(c_float), target :: u(0:3, 0:4, 6)
    real(c_float), pointer :: part(:, :)
    real(c_float) :: whole(4, 9), wanted(0:5, 0:10)
    integer :: place, i, j, order
    if (.not. is_host()) return
    call make_local_team(team, 6)
    do order = 1, 2
      u = 99
      whole = reshape([((10 * i + j, i = 1, 4), j = 1, 9)], shape(whole))
      wanted = 99
      wanted(1:4, 1:9) = whole
      do place = 0, 5
        call locate(place, order, i, j)
        u(1:2, 1:3, place + 1) = whole(2 * i + 1:2 * i + 2, 3 * j + 1:3 * j + 3)
        part => u(:, :, place + 1)
        call parts(place + 1)%wrap(part)
      end do
      call x%from_local(team, parts, [2, 3], halo=[1], &
          place_order=merge(GPUARR_ORDER_C, GPUARR_ORDER_F, order == 1))
      call expect(x%shape(), [4, 9], "the shape of the whole")
      call x%halo_exchange()
      call team%synchronize()
      do place = 0, 5
        call locate(place, order, i, j)
        call expect(all(u(:, :, place + 1) == wanted(2 * i:2 * i + 3, 3 * j:3 * j + 4)), &
            "neighbours' cells, and the program's own")
      end do
      whole = 0
      call x%to_host(whole)
      call expect(all(whole == wanted(1:4, 1:9)), "the whole")
    end do
  end subroutine

  !> Where a place is in a grid of 2 by 3, from 0.
  subroutine locate(place, order, i, j)
    integer, intent(in) :: place, order
    integer, intent(out) :: i, j
    i = merge(place / 3, mod(place, 2), order == 1)
    j = merge(mod(place, 3), place / 2, order == 1)
  end subroutine

  !> Arrays of the device; without a frame those at the ends are smaller.
  subroutine joined_arrays()
    type(gpuarr_team) :: team
    type(gpuarr_blocked) :: x
    type(gpuarr_array) :: parts(2), one
    integer(c_int32_t), allocatable :: got(:, :)
    call make_local_team(team, 2)
    call parts(1)%full([3, 4], 1, GPUARR_I32)
    call parts(2)%full([3, 6], 2, GPUARR_I32)
    call x%from_local(team, parts, [1, 2], low=[0, 1], high=[0, 1], frame=.false.)
    call expect(x%shape(), [3, 8], "arrays without a frame")
    call x%halo_exchange()
    call parts(2)%to_allocatable(got)
    call expect(all(got(:, 1) == 1) .and. all(got(:, 2:) == 2), "ghost cells at one side")
    call make_local_team(team, 1)
    call one%zeros([5], GPUARR_F64)
    call x%from_local(team, one, [1])
    call expect(x%shape(), [5], "one array without ghost cells")
  end subroutine

  subroutine refused_parts()
    type(gpuarr_team) :: team
    type(gpuarr_blocked) :: x, none
    integer(c_int32_t) :: a(2, 3), b(3)
    real(c_double) :: wrong(2, 3)
    real(c_double), allocatable :: wrong_kind(:, :)
    integer(c_int32_t), allocatable :: wrong_rank(:)
    integer :: stat
    character(:), allocatable :: message
    call make_local_team(team, 2)
    call x%empty(team, [2, 3], GPUARR_I32)
    a = 1
    b = 1
    wrong = 1
    call x%write(wrong, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_DTYPE, "gpuarr_blocked%write: the elements " // &
        "are int32 of shape (2, 3), but x is float64 of shape (2, 3)")
    call x%to_host(b, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_SHAPE, "gpuarr_blocked%to_host: the elements " // &
        "are int32 of shape (2, 3), but x is int32 of shape (3,)")
    call x%write(a, first=[1], stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_SHAPE, "first has 1 indices, but the array has 2")
    call x%write(a, last=[2, 4], stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_AXIS, &
        "elements 1 to 4 of dim 2, which has the elements 1 to 3")
    call x%write(a, first=[0, 1], stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_AXIS, "elements 0 to 2 of dim 1")
    call x%write(a, first=["a", "b"], stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "first has no integers")
    call x%write(a, place=2, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "place is 2")
    call x%to_allocatable(wrong_kind, stat, message)
    call expect_error(stat, message, GPUARR_ERR_DTYPE, "the array is int32, but x is float64")
    call x%to_allocatable(wrong_rank, stat, message)
    call expect_error(stat, message, GPUARR_ERR_SHAPE, "of shape (2, 3), but x is of rank 1")
    call none%to_allocatable(wrong_rank, stat, message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "released or never made")
    call none%write(a, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "blocked is NULL")
    call none%to_host(a, first=[1], stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "blocked is NULL")
  end subroutine

  subroutine refused_joins()
    type :: odd
      complex(c_double_complex) :: value
      real(c_double) :: other
    end type
    type(gpuarr_team) :: team
    type(gpuarr_blocked) :: x
    real(c_double), target :: u(4, 4)
    type(odd), target :: odds(4)
    complex(c_double_complex), pointer :: values(:)
    integer :: stat
    character(:), allocatable :: message
    if (.not. is_host()) return
    call make_local_team(team, 2)
    call x%from_local(team, u, [2, 1], stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "count is 1")
    call make_local_team(team, 1)
    call x%from_local(team, u, [1], stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_SHAPE, "grid has 1 numbers, but x is of rank 2")
    call make_local_team(team, 1)
    call x%from_local(team, u, [1, 0], stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "grid[1] is 0")
    call make_local_team(team, 1)
    call x%from_local(team, u, [1, 1], place_order=7, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "place_order is 7")
    values => odds%value
    call make_local_team(team, 1)
    call x%from_local(team, values, [1], stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "not a whole number of elements apart")
    call expect(.not. x%is_set(), "no array of nothing")
  end subroutine

end program
