!> The loops of a nest as a grid of threads: x is the fastest loop, y the next, z all others.
module gpuarr_nest_loops
  use, intrinsic :: iso_c_binding
  use gpuarr_partials
  implicit none
  private
  public :: nest_loops, share_on_host, share_on_gpu

  integer, parameter :: most_loops = 8, threads_of_block = 256
  integer(c_int64_t), parameter, public :: most_blocks = 65535  !< of a grid along y and z
  integer(c_int64_t), parameter :: most_elements = 2_c_int64_t**30

  !> One loop, and where its numbers are among the kernel's arguments.
  type, public :: nest_loop
    integer(c_int64_t) :: first, count, step
    integer :: at
  end type

  !> All of a nest, the fastest first.
  type :: nest_loops
    integer :: count = 0
    integer(c_int64_t) :: points(3) = 1  !< of each axis; the loops from the third on are one axis
    type(nest_loop) :: list(most_loops)
  contains
    procedure :: add
    procedure :: clear
    procedure :: block_of
    procedure :: part_of
    procedure :: next_part
  end type

contains

  !> Add the next loop outwards.
  subroutine add(self, loop)
    class(nest_loops), intent(inout) :: self
    type(nest_loop), intent(in) :: loop
    self%count = self%count + 1
    self%list(self%count) = loop
    associate (points => self%points(min(self%count, 3)))
      points = points * loop%count
    end associate
  end subroutine

  subroutine clear(self)
    class(nest_loops), intent(inout) :: self
    self%count = 0
    self%points = 1
  end subroutine

  !> A block is a row of 256 threads; of short rows there are several in it.
  pure function block_of(self) result(block)
    class(nest_loops), intent(in) :: self
    integer(c_int64_t) :: block(3)
    block = 1
    block(1) = min(int(threads_of_block, c_int64_t), (self%points(1) + 31) / 32 * 32)
    if (self%count > 1) block(2) = min(threads_of_block / block(1), self%points(2))
  end function

  !> How many points of each axis one launch does. Of more than three loops those that share the
  !> third axis are never cut: a grid has room for 65535 of their points.
  pure function part_of(self, block, first) result(part)
    class(nest_loops), intent(in) :: self
    integer(c_int64_t), intent(in) :: block(3), first(3)
    integer(c_int64_t) :: part(3)
    part = self%points - first
    part(1) = min(part(1), most_elements)
    part(2) = min(part(2), most_blocks * block(2))
    if (self%count <= 3) part(3) = min(part(3), most_blocks)
  end function

  !> Go on to the next part: along x, then y, then z.
  logical function next_part(self, first, part)
    class(nest_loops), intent(in) :: self
    integer(c_int64_t), intent(inout) :: first(3)
    integer(c_int64_t), intent(in) :: part(3)
    integer :: axis
    next_part = .true.
    do axis = 1, min(3, self%count)
      first(axis) = first(axis) + part(axis)
      if (first(axis) < self%points(axis)) return
      first(axis) = 0
    end do
    next_part = .false.
  end function

  !> Blocks of the CPU are threads of it, each with a part of the slowest axes: 64, and up to 256
  !> of them if they have 32768 points each; none for less than 2048.
  pure subroutine share_on_host(grid, block, part)
    integer(c_int64_t), intent(out) :: grid(3), block(3)
    integer(c_int64_t), intent(in) :: part(3)
    integer(c_int64_t) :: most
    most = max(1_c_int64_t, min(64_c_int64_t, product(part) / 2048), &
        min(256_c_int64_t, product(part) / 32768))
    block = 1
    grid(3) = min(part(3), most)
    grid(2) = min(part(2), most / grid(3))
    grid(1) = min((part(1) + 2047) / 2048, most / (grid(2) * grid(3)))
    grid = max(grid, 1_c_int64_t)
  end subroutine

  !> Blocks have as many of the slowest axes each, and along x what is left: the longer a thread
  !> goes along x, the more of its loads are under way at once.
  pure subroutine share_on_gpu(grid, block, part)
    integer(c_int64_t), intent(out) :: grid(3)
    integer(c_int64_t), intent(in) :: block(3), part(3)
    integer(c_int64_t) :: blocks, most
    integer :: axis
    most = most_partials
    do axis = 3, 1, -1
      blocks = ceiling_of(part(axis), block(axis))
      grid(axis) = ceiling_of(blocks, ceiling_of(blocks, most))
      most = max(1_c_int64_t, most / grid(axis))
    end do
  end subroutine

  elemental integer(c_int64_t) function ceiling_of(a, b)
    integer(c_int64_t), intent(in) :: a, b
    ceiling_of = (a + b - 1) / b
  end function

end module
