!> What is called for each block: procedures, kernels, expressions.
module test_block_work
  use, intrinsic :: iso_c_binding
  use gpuarr
  implicit none

  !> Scales what it is given, and counts the blocks.
  type, extends(gpuarr_block_work) :: scaling
    real(c_double) :: factor = 1
    integer :: blocks = 0
    integer :: fails_at = -1
  contains
    procedure :: run => scale
  end type

contains

  subroutine scale(self, block, outs, ins, stat)
    class(scaling), intent(inout) :: self
    type(gpuarr_block), intent(in) :: block
    type(gpuarr_array), intent(inout) :: outs(:)
    type(gpuarr_array), intent(in) :: ins(:)
    integer, intent(inout) :: stat
    type(gpuarr_array) :: none
    self%blocks = self%blocks + 1
    if (block%number() == self%fails_at) then
      call none%copy(outs(1), stat=stat)
    else
      outs(1) = self%factor * ins(1)
    end if
  end subroutine

  !> Writes where a block is: 1000 location + first index, along each dim.
  subroutine tell(block, outs, ins, stat)
    type(gpuarr_block), intent(in) :: block
    type(gpuarr_array), intent(inout) :: outs(:)
    type(gpuarr_array), intent(in) :: ins(:)
    integer, intent(inout) :: stat
    type(gpuarr_stream) :: stream
    integer :: k
    call block%stream(stream)
    do k = 1, size(outs)
      call outs(k)%fill(1000 * block%location(k) + block%first(k), stream, stat)
    end do
    if (size(ins) > 0 .or. block%last(1) - block%first(1) + 1 /= outs(1)%size(1)) stat = 1
    if (block%first(0) /= 0 .or. block%location(9) /= 0 .or. block%last(0) /= -1) stat = 2
    if (block%place() < 0) stat = 3
  end subroutine

  !> The sum of the four neighbours, of a block with a frame of ghost cells.
  subroutine add_neighbours(block, outs, ins, stat)
    type(gpuarr_block), intent(in) :: block
    type(gpuarr_array), intent(inout) :: outs(:)
    type(gpuarr_array), intent(in) :: ins(:)
    integer, intent(inout) :: stat
    real(c_double), allocatable :: a(:, :)
    integer :: m, n
    call ins(1)%to_allocatable(a, stat=stat)
    m = size(a, 1)
    n = size(a, 2)
    if (block%number() < 1) stat = 1
    call outs(1)%write(a(1:m - 2, 2:n - 1) + a(3:, 2:n - 1) + a(2:m - 1, 1:n - 2) + &
        a(2:m - 1, 3:))
  end subroutine

  !> Fails by what this layer refuses, and for a reason of its own.
  subroutine cut(block, outs, ins, stat)
    type(gpuarr_block), intent(in) :: block
    type(gpuarr_array), intent(inout) :: outs(:)
    type(gpuarr_array), intent(in) :: ins(:)
    integer, intent(inout) :: stat
    type(gpuarr_array) :: part
    call ins(1)%slice(part, size(outs) + 1, stat=stat)
    if (block%number() < 1) stat = 1
  end subroutine

  subroutine give_up(block, outs, ins, stat)
    type(gpuarr_block), intent(in) :: block
    type(gpuarr_array), intent(inout) :: outs(:)
    type(gpuarr_array), intent(in) :: ins(:)
    integer, intent(inout) :: stat
    if (block%number() /= 2 .or. size(outs) /= size(ins)) return
    call gpuarr_set_last_error("the plate has melted  ")
    stat = 77
  end subroutine

  subroutine go_on(block, outs, ins, stat)
    type(gpuarr_block), intent(in) :: block
    type(gpuarr_array), intent(inout) :: outs(:)
    type(gpuarr_array), intent(in) :: ins(:)
    integer, intent(inout) :: stat
    stat = block%number() * min(size(outs), size(ins)) * 0
  end subroutine

end module

program test_block_maps
  use, intrinsic :: iso_c_binding
  use gpuarr
  use checks
  use test_block_work
  implicit none
  call start()
  call procedures()
  call stencils()
  call elementwise()
  call raw()
  call blocks_reduced()
  call texts()
  call refused()
  call told_why()
  call finish()

contains

  subroutine procedures()
    type(gpuarr_team) :: team
    type(gpuarr_blocked) :: x, y, z
    type(scaling), target :: work
    integer(c_int64_t) :: a(7, 5), b(7, 5)
    real(c_double) :: got(7, 5)
    integer :: i, j
    call make_local_team(team, 3)
    call x%empty(team, [7, 5], GPUARR_I64, chunk=[3, 2])
    call y%empty_like(x)
    call gpuarr_map_blocks(tell, [arg(x), arg(y)], [gpuarr_arg ::])
    call x%to_host(a)
    call y%to_host(b)
    call expect(all(a == reshape([((1000 * ((i - 1) / 3 + 1) + (i - 1) / 3 * 3 + 1, i = 1, 7), &
        j = 1, 5)], [7, 5])), "where blocks are along dim 1")
    call expect(all(b == reshape([((1000 * ((j - 1) / 2 + 1) + (j - 1) / 2 * 2 + 1, i = 1, 7), &
        j = 1, 5)], [7, 5])), "where blocks are along dim 2")
    call gpuarr_map_blocks(tell, x)
    call y%empty_like(x, GPUARR_F64)
    call z%empty_like(y)
    call y%arange(1)
    work%factor = 3
    call gpuarr_map_blocks(work, z, y)
    call expect(work%blocks, 9, "work is done on all blocks")
    call gpuarr_map_blocks(work, [arg(z)], [arg(z)])
    call z%to_host(got)
    call expect(all(got == reshape([(9d0 * i, i = 1, 35)], [7, 5])), "an assignment in place")
  end subroutine

  subroutine stencils()
    type(gpuarr_team) :: team
    type(gpuarr_blocked) :: x, y
    type(scaling), target :: work
    real(c_double) :: a(8, 6), got(8, 6)
    integer :: k
    call make_local_team(team, 2)
    a = reshape([(real(k * k, c_double), k = 1, 48)], [8, 6])
    call x%empty(team, shape(a), GPUARR_F64, chunk=[4, 3], halo=[1], &
        boundary=[GPUARR_BOUNDARY_PERIODIC])
    call y%empty(team, shape(a), GPUARR_F64, chunk=[4, 3])
    call x%write(a)
    call gpuarr_map_overlap(add_neighbours, y, x)
    call y%to_host(got)
    call expect(all(got == cshift(a, 1, 1) + cshift(a, -1, 1) + cshift(a, 1, 2) + &
        cshift(a, -1, 2)), "a stencil")
    call y%fill(0)
    call gpuarr_map_overlap(add_neighbours, [arg(y)], [arg(x)])
    call y%to_host(got)
    call expect(got(8, 6), a(1, 6) + a(7, 6) + a(8, 1) + a(8, 5), 0d0, "by a list")
    call y%fill(0)
    call gpuarr_map_blocks(add_neighbours, y, x, halo=.true.)
    call y%to_host(got)
    call expect(got(8, 6), a(1, 6) + a(7, 6) + a(8, 1) + a(8, 5), 0d0, "of ghost cells as they are")
    call x%empty(team, shape(a), GPUARR_F64, chunk=[4, 3])
    call x%fill(2)
    call gpuarr_map_overlap(work, y, x)
    call gpuarr_map_overlap(work, [arg(y)], [arg(x)])
    call y%to_host(got)
    call expect(all(got == 2) .and. work%blocks == 8, "work without ghost cells")
  end subroutine

  subroutine elementwise()
    type(gpuarr_team) :: team
    type(gpuarr_blocked) :: x, y, z, s
    type(gpuarr_elementwise) :: axpy, both, place
    real(c_float) :: a(6, 4), row(4), got(6, 4)
    integer :: i, j
    call make_local_team(team, 2)
    a = reshape([(real(i), i = 1, 24)], [6, 4])
    row = [10, 20, 30, 40]
    call x%empty(team, shape(a), GPUARR_F32, chunk=[4, 2])
    call x%write(a)
    call y%empty(team, shape(row), GPUARR_F32, chunk=[2], placement=GPUARR_PLACEMENT_REPLICATED)
    call y%write(row)
    call z%empty_like(x)
    call s%empty_like(x)
    call axpy%create("T a, T x, T y", "T z", "z = a * x + y;")
    call gpuarr_map_blocks(axpy, z, 2, x, y)
    call z%to_host(got)
    call expect(all(got == 2 * a + spread(row, 1, 6)), "a kernel with a row for each block")
    call both%create("T x", "T p, T q", "p = x + 1; q = -x;")
    call gpuarr_map_blocks(both, [arg(z), arg(s)], [arg(x)])
    call s%to_host(got)
    call expect(all(got == -a), "a kernel with two outputs")
    call place%create("int64 row, int64 column, int64 height, int64 width, int64 size", &
        "float32 z", "z = size == height * width ? 100 * row + column : -1;")
    call gpuarr_map_blocks(place, z, arg_block_start(1), arg_block_start(2), arg_block_extent(1), &
        arg_block_extent(2), arg_block_size())
    call z%to_host(got)
    call expect(all(got == reshape([((100. * ((i - 1) / 4) * 4 + (j - 1) / 2 * 2, i = 1, 6), &
        j = 1, 4)], [6, 4])), "numbers that say where a block is")
  end subroutine

  !> Each element becomes its index in Fortran's order; x runs along dim 1.
  subroutine raw()
    type(gpuarr_team) :: team
    type(gpuarr_blocked) :: z
    type(gpuarr_raw) :: number, double
    integer(c_int64_t) :: got(37, 41)
    integer :: round, k
    call number%create("#include <gpuarr.cuh>" // new_line("a") // &
        "__global__ void number(gpuarr_view<long long, 2> z, long long row, long long column," // &
        "                       int height) {" // &
        "  long long i = blockIdx.x * blockDim.x + threadIdx.x;" // &
        "  long long j = blockIdx.y * blockDim.y + threadIdx.y;" // &
        "  if (i < z.shape()[0] && j < z.shape()[1])" // &
        "    z(i, j) = row + i + (column + j) * height + 1;" // &
        "}", "number")
    call double%create("extern ""C"" __global__ void twice(long long* z, long long n) {" // &
        "long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; if (i < n) z[i] *= 2; }", &
        "twice")
    do round = 1, 10
      call make_local_team(team, random_int(1, 4))
      call z%empty(team, shape(got), GPUARR_I64, chunk=[random_int(5, 37), random_int(5, 41)])
      call gpuarr_map_blocks(number, z, arg_view(z), arg_block_start(1), arg_block_start(2), 37, &
          block=[16, 2])
      call gpuarr_map_blocks(double, z, [arg(z), arg_block_size()])
      call z%to_host(got)
      call expect(all(reshape(got, [37 * 41]) == [(2 * k, k = 1, 37 * 41)]), "raw kernels")
    end do
    call z%empty(team, shape(got), GPUARR_I64, chunk=[20, 30], halo=[1], &
        boundary=[GPUARR_BOUNDARY_CONSTANT], fill=7)
    call z%fill(1)
    call z%halo_exchange()
    call number%create("#include <gpuarr.cuh>" // new_line("a") // &
        "__global__ void corner(gpuarr_view<const long long, 2> whole, gpuarr_view<long long, 2> " &
        // "z) { z(0, 0) = whole(0, 0); }", "corner")
    call gpuarr_map_blocks(number, z, arg_halo_view(z), arg_view(z), block=[1000])
    call z%to_host(got)
    call expect(got(1, 1), 7_c_int64_t, "a ghost cell at a corner")
    call expect(got(21, 31), 1_c_int64_t, "and one from a neighbour")
  end subroutine

  subroutine blocks_reduced()
    type(gpuarr_team) :: team
    type(gpuarr_blocked) :: x, y
    type(gpuarr_reduction) :: sums
    real(c_double) :: a(6, 4), got(2, 4)
    integer :: k
    call make_local_team(team, 2)
    a = reshape([(real(k, c_double), k = 1, 24)], [6, 4])
    call x%empty(team, shape(a), GPUARR_F64, chunk=[3, 2])
    call x%write(a)
    call y%empty(team, shape(got), GPUARR_F64, chunk=[1, 2])
    call sums%create("T x", "T y", "x", "a + b", "y = a", "0")
    call gpuarr_map_blocks(sums, y, x, dim=1)
    call y%to_host(got)
    call expect(all(got(1, :) == sum(a(:3, :), 1)) .and. all(got(2, :) == sum(a(4:, :), 1)), &
        "each block by itself")
    call y%fill(0)
    call gpuarr_map_blocks(sums, [arg(y)], [arg(x)], dims=[1])
    call y%to_host(got)
    call expect(all(got(2, :) == sum(a(4:, :), 1)), "by a list")
  end subroutine

  subroutine texts()
    type(gpuarr_team) :: team
    type(gpuarr_blocked) :: x, y, z
    real(c_double) :: a(5, 3), got(5, 3)
    integer :: k
    call make_local_team(team, 2)
    a = reshape([(real(k, c_double), k = 1, 15)], [5, 3])
    call x%empty(team, shape(a), GPUARR_F64, chunk=[2, 2])
    call y%empty_like(x)
    call z%empty_like(x)
    call x%write(a)
    call gpuarr_map_blocks("2 * first + k", y, ["first", "k    "], [arg(x), arg(3d0)])
    call y%to_host(got)
    call expect(all(got == 2 * a + 3), "a text")
    call gpuarr_map_blocks("t = x * x; y = t + 1; z = t - 1; y, z", [arg(y), arg(z)], &
        ["x"], [arg(x)])
    call z%to_host(got)
    call expect(all(got == a * a - 1), "a text with two results")
  end subroutine

  subroutine refused()
    type(gpuarr_team) :: team
    type(gpuarr_blocked) :: x, y, none
    type(gpuarr_elementwise) :: kernel
    type(gpuarr_reduction) :: sums
    type(gpuarr_raw) :: raw_kernel
    type(scaling), target :: work
    integer :: stat
    character(:), allocatable :: message
    call make_local_team(team, 2)
    call x%empty(team, [6], GPUARR_F64, chunk=[2])
    call y%empty(team, [6], GPUARR_F64, chunk=[3])
    call gpuarr_map_blocks(go_on, x, y, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_LAYOUT, "gpuarr_map_blocks")
    call gpuarr_map_blocks(go_on, none, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "outputs[0]")
    call gpuarr_map_blocks(go_on, [arg(1)], [gpuarr_arg ::], stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "outs(1) is no blocked array")
    call kernel%create("T x", "T y", "y = x;")
    call gpuarr_map_blocks(kernel, x, y, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_LAYOUT, "gpuarr_map_blocks_elementwise")
    call gpuarr_map_blocks(kernel, x, arg_block_start(0), stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_AXIS, "axis")
    call sums%create("T x", "T y", "x", "a + b", "y = a", "0")
    call gpuarr_map_blocks(sums, x, x, dim=0, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_AXIS, "dims count from 1")
    call raw_kernel%create("__global__ void none() {}", "none")
    call gpuarr_map_blocks(raw_kernel, x, block=[1, 1, 1, 1], stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "block has 4 numbers; give one to three")
    call gpuarr_map_blocks("x + y", x, ["x", "y"], [arg(x)], stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "there are 2 names and 1 inputs")
    work%fails_at = 2
    call gpuarr_map_blocks(work, x, x, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "gpuarr_array_copy")
    call expect(work%blocks <= 3, "a failure ends the call")
  end subroutine

  !> Why a procedure failed is in the call's message.
  subroutine told_why()
    type(gpuarr_team) :: team
    type(gpuarr_blocked) :: x
    integer :: stat
    character(:), allocatable :: message
    call make_local_team(team, 2)
    call x%empty(team, [6], GPUARR_F64, chunk=[2])
    call gpuarr_map_blocks(give_up, x, x, stat=stat, errmsg=message)
    call expect(stat, 77, "a procedure's own status")
    call expect_text(message, "77")
    call expect_text(message, "the plate has melted")
    call make_local_team(team, 2)
    call x%empty(team, [6], GPUARR_F64, chunk=[2])
    call gpuarr_map_blocks(cut, x, x, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_AXIS, "gpuarr_array%slice")
  end subroutine

end program
