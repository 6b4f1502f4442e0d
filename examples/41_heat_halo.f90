! A stencil over blocks: heat in a plate with cold edges. Each block has a frame of ghost cells,
! which neighbours fill while it works on its inner part. The same program runs by itself, by
! `gpuarr run -n 4`, and by mpirun.
program heat_halo
  use gpuarr
  implicit none
  integer, parameter :: width = 320, height = 200, steps = 50
  real, parameter :: rate = 0.2
  character, parameter :: lf = new_line("a")

  ! `now` has ghost cells, so cell (x, y) of the block is at (x + 1, y + 1) there.
  character(*), parameter :: source = &
      "#include <gpuarr.cuh>" // lf // &
      "__global__ void spread(gpuarr_view<const float, 2> now," // lf // &
      "                       gpuarr_view<float, 2> next, float rate, int border) {" // lf // &
      "  int x = blockIdx.x * blockDim.x + threadIdx.x;" // lf // &
      "  int y = blockIdx.y * blockDim.y + threadIdx.y;" // lf // &
      "  int width = next.shape()[0], height = next.shape()[1];" // lf // &
      "  if (x >= width || y >= height) return;" // lf // &
      "  bool at_border = x == 0 || y == 0 || x == width - 1 || y == height - 1;" // lf // &
      "  if (at_border != (border != 0)) return;" // lf // &
      "  float around = now(x + 1, y) + now(x + 1, y + 2) + now(x, y + 1) + now(x + 2, y + 1);" // &
      lf // &
      "  next(x, y) = now(x + 1, y + 1) + rate * (around - 4 * now(x + 1, y + 1));" // lf // &
      "}"
  call main()

contains

  subroutine step(spread, from, to)
    type(gpuarr_raw), intent(in) :: spread
    type(gpuarr_blocked), intent(in) :: from, to
    call from%halo_begin()  ! ghost cells are under way ...
    call gpuarr_map_blocks(spread, to, arg_halo_view(from), arg_view(to), rate, 0, block=[32, 8])
    call from%halo_end()  ! ... and there
    call gpuarr_map_blocks(spread, to, arg_halo_view(from), arg_view(to), rate, 1, block=[32, 8])
  end subroutine

  !> The same in plain Fortran.
  subroutine plain_step(u)
    real, intent(inout) :: u(0:width + 1, 0:height + 1)
    u(1:width, 1:height) = u(1:width, 1:height) + rate * (u(1:width, 0:height - 1) + &
        u(1:width, 2:) + u(:width - 1, 1:height) + u(2:, 1:height) - 4 * u(1:width, 1:height))
  end subroutine

  subroutine main()
    type(gpuarr_team) :: team
    type(gpuarr_blocked) :: plates(0:1)
    type(gpuarr_raw) :: spread
    real, allocatable :: u(:, :), plate(:, :)
    integer :: k
    call team%world()
    do k = 0, 1
      call plates(k)%empty(team, [width, height], GPUARR_F32, chunk=[160, 100], halo=[1], &
          boundary=[GPUARR_BOUNDARY_CONSTANT])
    end do
    call spread%create(source, "spread")

    allocate(u(0:width + 1, 0:height + 1))  ! a hot square in the middle, where four blocks meet
    u = 0
    u(131:190, 81:120) = 1
    call plates(0)%write(u(1:width, 1:height))
    do k = 1, steps  ! an even number, so that the result is in plates(0)
      call step(spread, plates(mod(k + 1, 2)), plates(mod(k, 2)))
      call plain_step(u)
    end do
    call plates(0)%to_allocatable(plate)

    if (any(abs(plate - u(1:width, 1:height)) > 1e-5)) error stop "the heat is wrong"
    if (team%first() == 0) print "(a, i0, a, f6.4, a)", "after ", steps, &
        " steps the middle has ", plate(161, 101), " of its heat"
  end subroutine

end program
