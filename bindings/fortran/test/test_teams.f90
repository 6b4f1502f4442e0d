!> Teams and blocked arrays, in one process: how they are made and asked.
module test_teams_progress
  use, intrinsic :: iso_c_binding
  use gpuarr
  implicit none

  !> Remembers what it was told.
  type, extends(gpuarr_progress) :: listener
    character(:), allocatable :: operation
    integer(c_int64_t) :: done = 0, total = 0
    integer :: times = 0
  contains
    procedure :: tell
  end type

contains

  subroutine tell(self, operation, done, total)
    class(listener), intent(inout) :: self
    character(*), intent(in) :: operation
    integer(c_int64_t), intent(in) :: done, total
    self%operation = operation
    self%done = done
    self%total = total
    self%times = self%times + 1
  end subroutine

end module

program test_teams
  use, intrinsic :: iso_c_binding
  use gpuarr
  use checks
  use test_teams_progress
  implicit none
  call start()
  call teams()
  call progress()
  call asked()
  call orders()
  call refused_teams()
  call refused_arrays()
  call finish()

contains

  subroutine teams()
    type(gpuarr_team) :: team, same, none
    type(gpuarr_device) :: device, found
    type(gpuarr_stream) :: stream
    type(gpuarr_blocked) :: x
    type(gpuarr_elementwise) :: add_one
    character(:), allocatable :: report
    call device%open()
    call make_local_team(team, 3)
    same = team
    call team%release()
    call expect(same%is_set() .and. .not. team%is_set(), "a team has two references")
    call expect(same%size(), 3, "places")
    call expect(same%first(), 0, "the first place")
    call expect(same%local_count(), 3, "places of this process")
    found = same%device(2)
    call expect_text(found%name(), device%name())
    found = same%device(3)
    call expect(.not. found%is_open(), "a place that there is not")
    call same%stream(stream, 1)
    call expect(stream%is_set(), "a place's stream")
    call expect_text(same%describe(), "3 places")
    call expect(len(none%describe()), 0, "what is no team")
    call expect(none%size(), 0, "places of no team")
    call expect(same%mpi(), -1, "no communicator of MPI")
    call expect(.not. c_associated(none%nccl(0)), "no communicator of NCCL")
    call same%set_timeout(10d0, GPUARR_TIMEOUT_RETURN)
    call same%synchronize()
    call gpuarr_profile_start()
    call x%empty(same, [4], GPUARR_F32)
    call add_one%create("T x", "T y", "y = x + 1;", name="add_one")
    call gpuarr_map_blocks(add_one, x, x)
    call same%profile(report)
    call gpuarr_profile_stop()
    call gpuarr_profile_reset()
    call expect_text(report, "add_one")
    call team%local(2)
    call expect(team%size(), 2, "places of any devices")
    call team%world()
    call expect(team%size(), 1, "a process that was started alone")
  end subroutine

  subroutine progress()
    type(gpuarr_team) :: team
    type(gpuarr_blocked) :: x
    type(listener), target :: heard
    call make_local_team(team, 2)
    call x%empty(team, [10, 6], GPUARR_F32, chunk=[5, 2])
    call team%set_progress(heard, 0d0)
    call x%fill(1)
    call expect_text(heard%operation, "gpuarr_blocked_fill")
    call expect(heard%done, 6_c_int64_t, "blocks that are done")
    call expect(heard%total, 6_c_int64_t, "of all")
    call expect(heard%times >= 6, "each block is told of")
    call team%set_progress()
    heard%times = 0
    call x%fill(2)
    call expect(heard%times, 0, "and no more")
  end subroutine

  subroutine asked()
    type(gpuarr_team) :: team
    type(gpuarr_blocked) :: x, y, none
    type(gpuarr_array) :: block
    call make_local_team(team, 2)
    call x%empty(team, [1000, 300], GPUARR_F32, chunk=[400_c_int64_t, 100_c_int64_t], &
        placement=GPUARR_PLACEMENT_CYCLIC)
    call expect(x%shape(), [1000, 300], "a shape")
    call expect(x%size(), 300000_c_int64_t, "a size")
    call expect(x%size(2), 300_c_int64_t, "an extent")
    call expect(x%size(3), 0_c_int64_t, "of no dim")
    call expect(x%size(0), 0_c_int64_t, "of dim 0")
    call expect(x%rank(), 2, "a rank")
    call expect(x%dtype() == GPUARR_F32, "a dtype")
    call expect(x%blocks(), 9, "blocks")
    call expect(x%blocks(2), 3, "blocks along a dim")
    call expect(x%first(8, 1), 801_c_int64_t, "first row of a block")
    call expect(x%last(8, 1), 1000_c_int64_t, "last row of a block")
    call expect(x%first(8, 2), 101_c_int64_t, "its first column")
    call expect(x%last(8, 2), 200_c_int64_t, "its last column")
    call expect(x%first(10, 1), 0_c_int64_t, "no such block")
    call expect(x%last(10, 1), -1_c_int64_t, "no such block")
    call expect(x%owner(8), 1, "a block's place")
    call expect(x%owner(10), -1, "no block's place")
    call expect(x%local_count(), 9, "blocks of this process")
    call expect(x%local_number(6), 2, "by places, then by numbers")
    call expect(x%local_number(10), 0, "no block")
    call expect(x%local_place(6), 1, "a block's place")
    call x%local(block, 9)
    call expect(block%shape(), [200, 100], "a block")
    call expect(block%is_contiguous(), "in Fortran's order")
    call y%empty_like(x, GPUARR_I32)
    call expect(y%dtype() == GPUARR_I32 .and. y%blocks() == 9, "an array like another")
    call y%empty(team, [4, 6], GPUARR_F64)
    call expect(y%blocks(2), 2, "the last dim is divided")
    call expect(y%blocks(1), 1, "and no other")
    call y%empty(team, [4, 6], GPUARR_F64, order=GPUARR_ORDER_C)
    call expect(y%blocks(1), 2, "in C order the first dim is")
    call y%empty(team, [7, 3], GPUARR_F64, chunk=[2, 3], owners=[1, 0, 0, 1])
    call expect(y%owner(4), 1, "owners one by one")
    call y%empty(team, [3], GPUARR_F64, placement=GPUARR_PLACEMENT_REPLICATED)
    call expect(y%local_count(), 4, "everywhere")
    call expect(none%rank() == 0 .and. none%size() == 0 .and. none%blocks() == 0, "no array")
  end subroutine

  !> Elements are counted in Fortran's order, whatever the blocks are.
  subroutine orders()
    type(gpuarr_team) :: team
    type(gpuarr_blocked) :: x
    integer(c_int64_t) :: got(5, 4)
    integer :: k
    call make_local_team(team, 3)
    call x%empty(team, [5, 4], GPUARR_I64, chunk=[2, 3])
    call x%arange(10, 2)
    call x%to_host(got)
    call expect(all(reshape(got, [20]) == [(10 + 2 * k, k = 0, 19)]), "a count in Fortran's order")
    call x%arange(1)
    call x%to_host(got)
    call expect(all(reshape(got, [20]) == [(k, k = 1, 20)]), "from one by one")
    call x%fill(7)
    call x%to_host(got)
    call expect(all(got == 7), "a value")
  end subroutine

  subroutine refused_teams()
    type(gpuarr_team) :: team, none
    type(gpuarr_device) :: closed
    type(gpuarr_stream) :: stream
    type(listener), target :: heard
    integer :: stat
    character(:), allocatable :: message, report
    call team%local(-3, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "-3")
    call team%local(3, [closed], stat, message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "count is 3, but there are 1 devices")
    call team%local(devices=[closed], stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "devices[0]")
    call team%world(closed, stat, message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "device was never opened")
    call team%from_mpi(0, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_NO_LIBRARY, "gpuarr_team_from_mpi_f")
    call expect(.not. team%is_set(), "no team of nothing")
    call make_local_team(team, 2)
    call team%stream(stream, 2, stat, message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "place is 2")
    call team%set_timeout(-1d0, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "seconds is -1")
    call team%set_timeout(1d0, 7, stat, message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "action is 7")
    call team%set_progress(heard, -2d0, stat, message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "seconds is -2")
    call none%profile(report, stat, message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "gpuarr_team_profile: team is NULL")
    call expect(len(report), 0, "no report of no team")
    call none%synchronize(stat, message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "gpuarr_team_synchronize: team is NULL")
  end subroutine

  subroutine refused_arrays()
    type(gpuarr_team) :: team, none
    type(gpuarr_blocked) :: x, y
    type(gpuarr_array) :: block
    integer :: stat
    character(:), allocatable :: message
    call make_local_team(team, 2)
    call x%empty(none, [2], GPUARR_F32, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "team is NULL")
    call x%empty(team, [2.0], GPUARR_F32, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "shape has no integers of 32 or 64 bits")
    call x%empty(team, [2, 3], GPUARR_F32, chunk=[2], stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_SHAPE, "chunk has 1 extents, but shape has 2")
    call x%empty(team, [2, 3], GPUARR_F32, chunk=[2, 0], stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_SHAPE, "chunk[1] is 0")
    call x%empty(team, [2, 3], 99, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_DTYPE, "99")
    call x%empty(team, [2, 3], GPUARR_F32, halo=[1, 1, 1], stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_SHAPE, &
        "halo has 3 numbers; give one for all dims, or one for each of 2")
    call x%empty(team, [2, 3], GPUARR_F32, halo=[1], low=[1], stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "halo is given together with low or high")
    call x%empty(team, [2, 3], GPUARR_F32, owners=[0, 1], placement=1, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "placement and owners are both given")
    call x%empty(team, [2, 3], GPUARR_F32, boundary=[9], stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "boundary[0] is 9")
    call x%empty(team, [2, 3], GPUARR_F32, order=5, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "order is 5")
    call expect(.not. x%is_set(), "no array of nothing")
    call x%empty(team, [2, 3], GPUARR_I32)
    call x%fill(0.5, stat, message)
    call expect_error(stat, message, GPUARR_ERR_DTYPE, "0.5")
    call x%local(block, 0, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, &
        "k is 0, but this process has 2 blocks, from 1")
    call x%permute(y, [1, 3], stat, message)
    call expect_error(stat, message, GPUARR_ERR_AXIS, "dim 3 of a blocked array of shape (2, 3)")
    call x%all_reduce(GPUARR_COMBINE_MAX, stat, message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "gpuarr_all_reduce")
    call y%empty(team, [3, 2], GPUARR_I32)
    call gpuarr_redistribute(y, x, stat, message)
    call expect_error(stat, message, GPUARR_ERR_SHAPE, "target has shape (3, 2)")
    call y%release()
    call y%halo_exchange(stat, message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "gpuarr_halo_exchange: blocked is NULL")
    call y%arange(0, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "blocked is NULL")
  end subroutine

end program
