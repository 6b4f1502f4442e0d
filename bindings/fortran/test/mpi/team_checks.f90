!> What a team of several processes is tried with, however it is made.
module team_checks
  use, intrinsic :: iso_c_binding
  use gpuarr
  use checks
  implicit none
  private
  public :: check_teams

  integer :: failing_place = -1

  abstract interface
    subroutine make_team(team)
      import gpuarr_team
      type(gpuarr_team), intent(inout) :: team
    end subroutine
  end interface

contains

  !> @param make    makes a team of all processes
  !> @param places  how many they are
  subroutine check_teams(make, places)
    procedure(make_team) :: make
    integer, intent(in) :: places
    type(gpuarr_team) :: team
    call make(team)
    call team%set_timeout(60d0, GPUARR_TIMEOUT_RETURN)
    call expect(team%size(), places, "places")
    call expect(team%local_count(), 1, "one of this process")
    call ghost_cells(team)
    call own_boundaries(team, GPUARR_ORDER_C)
    call own_boundaries(team, GPUARR_ORDER_F)
    call elements(team)
    call reductions(team)
    call computations(team)
    call files(team)
    call different_arrays(team)
    call make(team)
    call team%set_timeout(60d0, GPUARR_TIMEOUT_RETURN)
    call failing_on_one(team)
  end subroutine

  !> A code with MPI: each process has nx columns, in a ring.
  subroutine ghost_cells(team)
    type(gpuarr_team), intent(in) :: team
    integer, parameter :: nx = 5, ny = 4
    real(c_double), target :: u(0:nx + 1, 0:ny + 1)
    type(gpuarr_blocked) :: field
    integer :: i, j, me, n
    me = team%first()
    n = team%size()
    u = -1
    u(1:nx, 1:ny) = value_of(nx, ny, me)
    call field%from_local(team, u, [1, n], halo=[1], boundary=[GPUARR_BOUNDARY_PERIODIC])
    call expect(field%shape(), [nx, n * ny], "the shape of the whole")
    call field%halo_begin()
    call field%halo_end()
    call team%synchronize()
    do j = 0, ny + 1
      do i = 0, nx + 1
        call expect(u(i, j), real(100 * modulo(me * ny + j - 1, n * ny) + modulo(i - 1, nx), &
            c_double), 0d0, "a cell of a ring")
      end do
    end do
  end subroutine

  !> Elements 100 * column + row, from 0, of a process's part.
  function value_of(nx, ny, me) result(u)
    integer, intent(in) :: nx, ny, me
    real(c_double) :: u(nx, ny)
    integer :: i, j
    u = reshape([((100 * (me * ny + j) + i, i = 0, nx - 1), j = 0, ny - 1)], [nx, ny])
  end function

  !> The cells beyond the ends are the program's own, and stay.
  subroutine own_boundaries(team, order)
    type(gpuarr_team), intent(in) :: team
    integer(c_int32_t), intent(in) :: order
    integer, parameter :: nx = 3, ny = 2
    real(c_double), target :: u(0:nx + 1, 0:ny + 1)
    type(gpuarr_blocked) :: field
    integer :: me, n
    me = team%first()
    n = team%size()
    u = -7
    u(1:nx, 1:ny) = value_of(nx, ny, me)
    call field%from_local(team, u, [1, n], halo=[1], place_order=order)
    call field%halo_exchange()
    call team%synchronize()
    call expect(all(u([0, nx + 1], :) == -7), "rows of the program's own")
    if (me == 0) call expect(all(u(:, 0) == -7), "its first column")
    if (me > 0) call expect(all(u(1:nx, 0) == u(1:nx, 1) - 100), "a neighbour's column")
    if (me == n - 1) call expect(all(u(:, ny + 1) == -7), "its last column")
    if (me < n - 1) call expect(all(u(1:nx, ny + 1) == u(1:nx, ny) + 100), "the other neighbour's")
    u(1:nx, 1:ny) = 1 + me
    call gpuarr_map_blocks(double, field, field)
    call team%synchronize()
    call expect(all(u(1:nx, 1:ny) == 2 + 2 * me), "a procedure for each block")
  end subroutine

  subroutine double(block, outs, ins, stat)
    type(gpuarr_block), intent(in) :: block
    type(gpuarr_array), intent(inout) :: outs(:)
    type(gpuarr_array), intent(in) :: ins(:)
    integer, intent(inout) :: stat
    outs(1) = 2 * ins(1)
    if (block%number() /= block%place() + 1) stat = 1
  end subroutine

  !> One process has them, and another one gets them.
  subroutine elements(team)
    type(gpuarr_team), intent(in) :: team
    type(gpuarr_blocked) :: x, y
    real(c_float), allocatable :: a(:, :), b(:, :)
    real(c_float) :: whole(6, 8), part(2, 3)
    integer :: k, last
    last = team%size() - 1
    whole = reshape([(real(k), k = 1, 48)], [6, 8])
    allocate(a(0, 0), b(0, 0))
    if (team%first() == last) a = whole
    if (team%first() == 0) b = 0 * whole
    call x%empty(team, shape(whole), GPUARR_F32, chunk=[4, 3], placement=GPUARR_PLACEMENT_CYCLIC)
    call y%empty(team, shape(whole), GPUARR_F32)
    call x%write(a, place=last)
    call gpuarr_redistribute(y, x)
    call y%to_host(b, place=0)
    if (team%first() == 0) call expect(all(b == whole), "from one process to another")
    call y%to_host(part, first=[5, 3], last=[6, 5])
    call expect(all(part == whole(5:6, 3:5)), "a part for all")
  end subroutine

  subroutine reductions(team)
    type(gpuarr_team), intent(in) :: team
    type(gpuarr_blocked) :: x, total, copies
    real(c_double) :: a(40, 12), sums(40), number
    integer :: k
    a = reshape([(1 / real(k, c_double), k = 1, 480)], shape(a))
    call x%empty(team, shape(a), GPUARR_F64, chunk=[9, 5])
    call x%write(a)
    call gpuarr_blocked_reduce(total, "sum", x, dim=2)
    call total%to_host(sums)
    call expect(maxval(abs(sums - sum(a, 2))), 0d0, 1d-12, "sums over places")
    call copies%empty(team, [1], GPUARR_F64, placement=GPUARR_PLACEMENT_REPLICATED)
    call copies%fill(team%first() + 1)
    call copies%all_reduce(GPUARR_COMBINE_SUM)
    call copies%to_host(number)
    call expect(number, team%size() * (team%size() + 1) / 2d0, 0d0, "the sum of copies")
    call team%synchronize()
  end subroutine

  subroutine computations(team)
    type(gpuarr_team), intent(in) :: team
    type(gpuarr_blocked) :: x, y, z
    type(gpuarr_generator) :: generator
    real(c_double) :: a(60), b(60), squares(6, 6), all_of_it(6, 10)
    call generator%create(3)
    call x%empty(team, [60], GPUARR_F64, chunk=[7])
    call gpuarr_blocked_random(x, generator, "uniform", -1, 1)
    call x%to_host(a)
    call gpuarr_blocked_scan(y, "cumsum", x)
    call y%to_host(b)
    call expect(b(60), sum(a), 1d-12, "a sum over places")
    call gpuarr_blocked_sort(x, x)
    call x%to_host(b)
    call expect(all(b(2:) >= b(:59)) .and. abs(sum(a) - sum(b)) < 1d-12, "in order over places")
    call x%empty(team, [6, 10], GPUARR_F64, chunk=[2, 3])
    call x%arange(1)
    call x%to_host(all_of_it)
    call x%transpose(y)
    call gpuarr_blocked_matmul(z, x, y)
    call z%to_host(squares)
    call expect(all(squares == matmul(all_of_it, transpose(all_of_it))), "a product over places")
  end subroutine

  !> In a directory of its own for each launch: the processes of one have one parent.
  subroutine files(team)
    type(gpuarr_team), intent(in) :: team
    type(gpuarr_blocked) :: x, y
    real(c_float) :: a(6, 8), b(6, 8)
    character(40) :: path
    integer :: k
    interface
      function c_getppid() bind(c, name="getppid") result(parent)
        import
        integer(c_int) :: parent
      end function
    end interface
    write (path, "(a, i0, a)") "fortran_teams_", c_getppid(), ".zarr"
    a = reshape([(real(k), k = 1, 48)], shape(a))
    call x%empty(team, shape(a), GPUARR_F32, chunk=[4, 3], placement=GPUARR_PLACEMENT_CYCLIC)
    call x%write(a)
    call x%save(path, GPUARR_FILE_ZARR3)
    call y%load(team, path, chunk=[6, 2])
    call y%to_host(b)
    call expect(all(a == b), "saved and loaded by all")
    call x%fill(0)
    call x%save_part(path)
    call y%load_part(path)
    call y%to_host(b)
    call expect(all(b == 0), "written in parts by all")
    call team%synchronize()
    if (team%first() == 0) call execute_command_line("rm -r " // trim(path))
    call team%synchronize()
  end subroutine

  !> What makes no grid is an error everywhere: its own, or told by who saw it first.
  subroutine different_arrays(team)
    type(gpuarr_team), intent(in) :: team
    type(gpuarr_blocked) :: field
    real(c_double), target :: u(3 + team%first(), 2)
    integer :: stat
    character(:), allocatable :: message
    u = 0
    call field%from_local(team, u, [1, team%size()], stat=stat, errmsg=message)
    if (team%size() == 1) return
    call expect(stat == GPUARR_ERR_SHAPE .or. stat == GPUARR_ERR_PEER, "arrays that make no grid")
    call expect_text(message, "place ")
    call expect(.not. field%is_set(), "no field of these")
  end subroutine

  !> What goes wrong in one process is an error in all: its own cause, or that it is gone where it
  !> ended before that was read.
  subroutine failing_on_one(team)
    type(gpuarr_team), intent(in) :: team
    type(gpuarr_blocked) :: x
    integer :: stat
    character(:), allocatable :: message
    failing_place = team%size() - 1
    call x%empty(team, [2, 3 * team%size()], GPUARR_F64, stat=stat, errmsg=message)
    if (stat == GPUARR_OK) call gpuarr_map_blocks(fail_at_last, x, stat=stat, errmsg=message)
    if (team%first() == failing_place) then
      call expect(stat, 77, "the status of a procedure")
      call expect_text(message, "the last one has had enough")
    else
      if (stat == GPUARR_OK) call team%synchronize(stat, message)
      call expect_error(stat, message, GPUARR_ERR_PEER, "gpuarr_")
    end if
  end subroutine

  subroutine fail_at_last(block, outs, ins, stat)
    type(gpuarr_block), intent(in) :: block
    type(gpuarr_array), intent(inout) :: outs(:)
    type(gpuarr_array), intent(in) :: ins(:)
    integer, intent(inout) :: stat
    call outs(1)%fill(size(ins), stat=stat)
    if (block%place() /= failing_place) return
    call gpuarr_set_last_error("the last one has had enough")
    stat = 77
  end subroutine

end module
