!> Teams: several devices, in one process or in many, that work on the blocks of blocked arrays.
!> gpuarr/team.h says what calls are collective and how failures are told.
module gpuarr_teams
  use, intrinsic :: iso_c_binding
  use gpuarr_c
  use gpuarr_devices
  use gpuarr_errors
  use gpuarr_streams
  implicit none
  private
  public :: gpuarr_team, gpuarr_progress

  !> A team: places in an order, each a device of a process. All processes make the same calls on it
  !> and on its blocked arrays, in the same order. Places count from 0, as MPI's ranks do. An
  !> assignment makes another reference to the same team; one thread at a time uses it.
  type :: gpuarr_team
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: world => team_world
    procedure :: from_mpi => team_from_mpi
    procedure :: local => team_local
    procedure :: size => team_size
    procedure :: first => team_first
    procedure :: local_count => team_local_count
    procedure :: device => team_device
    procedure :: stream => team_stream
    procedure :: describe => team_describe
    procedure :: set_timeout => team_set_timeout
    procedure :: set_progress => team_set_progress
    procedure :: synchronize => team_synchronize
    procedure :: profile => team_profile
    procedure :: nccl => team_nccl
    procedure :: mpi => team_mpi
    procedure :: release => team_release
    procedure :: is_set => team_is_set
    procedure :: c_handle => team_c_handle
    procedure :: adopt => team_adopt
    procedure, private :: team_assign
    generic :: assignment(=) => team_assign
    final :: team_final
  end type

  !> How one is found again from an address that goes through C.
  type :: progress_place
    class(gpuarr_progress), pointer :: progress => null()
  end type

  !> What is told how far calls have come: extend it with what it needs, and give it `tell`.
  type, abstract :: gpuarr_progress
    type(progress_place), private :: place
  contains
    procedure(progress_tell), deferred :: tell
  end type

  abstract interface
    !> Is called on the thread that makes the collective call, between blocks.
    !> @param operation  name of the C function
    !> @param done       blocks of this process that are done
    !> @param total      blocks of this process
    subroutine progress_tell(self, operation, done, total)
      import gpuarr_progress, c_int64_t
      class(gpuarr_progress), intent(inout) :: self
      character(*), intent(in) :: operation
      integer(c_int64_t), intent(in) :: done, total
    end subroutine
  end interface

  ! What a team is does not change: these are known to have no effects, other than in gpuarr_c.
  interface
    pure function c_size(team) bind(c, name="gpuarr_team_size") result(size)
      import
      type(c_ptr), value :: team
      integer(c_int32_t) :: size
    end function
    pure function c_first(team) bind(c, name="gpuarr_team_first") result(first)
      import
      type(c_ptr), value :: team
      integer(c_int32_t) :: first
    end function
    pure function c_local_count(team) bind(c, name="gpuarr_team_local_count") result(count)
      import
      type(c_ptr), value :: team
      integer(c_int32_t) :: count
    end function
  end interface

contains

  !> Make a team of all processes that this one was started with, by `gpuarr run` or by a launcher
  !> of MPI, which is initialized if nobody has done it. A process that was started alone is a team
  !> of one. Collective.
  !> @param device  this process's device; without it a GPU that no other process of the machine
  !>                has, as far as there are as many, or the CPU where there is none
  !> Fails as `from_mpi`; the team is not set then.
  subroutine team_world(self, device, stat, errmsg)
    class(gpuarr_team), intent(inout) :: self
    type(gpuarr_device), intent(in), optional :: device
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    call self%release()
    call check_device(device, state)
    if (is_ok(state)) state%status = gpuarr_team_world_c(self%handle, device_handle(device))
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Make a team of the processes of an MPI communicator, each with one place. Collective. Messages
  !> go through a duplicate of it. After MPI_Finalize the team can only be released.
  !> @param comm    a communicator of mpif.h or the module mpi; of mpi_f08 its comm%MPI_VAL
  !> @param device  as in `world`
  !> Fails with GPUARR_ERR_ARGUMENT (also: no communicator of the MPI that is loaded),
  !> GPUARR_ERR_NO_LIBRARY, GPUARR_ERR_UNSUPPORTED, GPUARR_ERR_PEER and others of
  !> gpuarr_team_from_mpi; the team is not set then.
  subroutine team_from_mpi(self, comm, device, stat, errmsg)
    class(gpuarr_team), intent(inout) :: self
    integer, intent(in) :: comm
    type(gpuarr_device), intent(in), optional :: device
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    call self%release()
    call check_device(device, state)
    if (is_ok(state)) state%status = gpuarr_team_from_mpi_f_c(self%handle, int(comm, c_int32_t), &
        device_handle(device))
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Make a team of devices of this process alone.
  !> @param count    number of places; 0, or left out without `devices`: one for each GPU, or one on
  !>                 the CPU
  !> @param devices  a device for each place; one may be there several times. Without them GPUs
  !>                 where there are as many, otherwise the CPU `count` times
  !> Fails with GPUARR_ERR_ARGUMENT, GPUARR_ERR_DRIVER; the team is not set then. Thread-safe.
  subroutine team_local(self, count, devices, stat, errmsg)
    class(gpuarr_team), intent(inout) :: self
    integer, intent(in), optional :: count
    type(gpuarr_device), intent(in), optional :: devices(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr), allocatable :: handles(:)  ! left out where it is not allocated
    integer(c_int32_t) :: places
    integer :: k
    call self%release()
    places = 0
    if (present(devices)) then
      places = size(devices)
      handles = [(devices(k)%c_handle(), k = 1, size(devices))]
    end if
    if (present(count) .and. present(devices)) then
      if (count /= places) call refuse(state, GPUARR_ERR_ARGUMENT, "gpuarr_team%local: count is " &
          // text_of(count) // ", but there are " // text_of(places) // " devices; leave it out")
    else if (present(count)) then
      places = count
    end if
    if (is_ok(state)) state%status = gpuarr_team_local_c(self%handle, handles, places)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Number of places. Thread-safe, as all that asks is.
  pure integer function team_size(self)
    class(gpuarr_team), intent(in) :: self
    team_size = c_size(self%handle)
  end function

  !> Number of the first place of this process, from 0: its rank where each has one.
  pure integer function team_first(self)
    class(gpuarr_team), intent(in) :: self
    team_first = c_first(self%handle)
  end function

  !> Number of places of this process, which follow each other.
  pure integer function team_local_count(self)
    class(gpuarr_team), intent(in) :: self
    team_local_count = c_local_count(self%handle)
  end function

  !> Device of a place of this process; one that is not open for a place of another.
  function team_device(self, place) result(device)
    class(gpuarr_team), intent(in) :: self
    integer, intent(in) :: place
    type(gpuarr_device) :: device
    device = device_from_c(gpuarr_team_device_c(self%handle, int(place, c_int32_t)))
  end function

  !> Take the stream in which a place works on its blocks.
  !> @param out    the stream
  !> @param place  a place of this process, from 0
  !> Fails with GPUARR_ERR_ARGUMENT; `out` is as it was then. Thread-safe.
  subroutine team_stream(self, out, place, stat, errmsg)
    class(gpuarr_team), intent(in) :: self
    type(gpuarr_stream), intent(inout) :: out
    integer, intent(in) :: place
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: made
    made = c_null_ptr
    state%status = gpuarr_team_stream_c(made, self%handle, int(place, c_int32_t))
    if (is_ok(state)) call out%adopt(made)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Describe the team: places, processes, machines, devices, and what messages go by, with
  !> versions. "" if there is no team.
  function team_describe(self) result(text)
    class(gpuarr_team), intent(in) :: self
    character(:), allocatable :: text
    type(c_ptr) :: lent
    integer(c_int32_t) :: ignored
    lent = c_null_ptr
    ignored = gpuarr_team_describe_c(lent, self%handle)
    text = f_text(lent)
  end function

  !> Set how long calls wait for other places, and what happens then.
  !> @param seconds  the deadline of each wait, 0 for none; $GPUARR_TIMEOUT or 300 unless set
  !> @param action   GPUARR_TIMEOUT_ABORT, also without it, or GPUARR_TIMEOUT_RETURN
  !> Fails with GPUARR_ERR_ARGUMENT.
  subroutine team_set_timeout(self, seconds, action, stat, errmsg)
    class(gpuarr_team), intent(in) :: self
    real(c_double), intent(in) :: seconds
    integer, intent(in), optional :: action
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    integer(c_int32_t) :: what
    what = GPUARR_TIMEOUT_ABORT
    if (present(action)) what = action
    state%status = gpuarr_team_set_timeout_c(self%handle, seconds, what)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Set what is told how far calls have come.
  !> @param progress  a target that must stay as long as the team, or until this is called again;
  !>                  without it nothing is told
  !> @param seconds   it is told at most once in this time, and at a call's end if it was told
  !>                  before; 1 without it
  !> Fails with GPUARR_ERR_ARGUMENT.
  subroutine team_set_progress(self, progress, seconds, stat, errmsg)
    class(gpuarr_team), intent(in) :: self
    class(gpuarr_progress), target, intent(inout), optional :: progress
    real(c_double), intent(in), optional :: seconds
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    real(c_double) :: between
    between = 1
    if (present(seconds)) between = seconds
    if (present(progress)) then
      progress%place%progress => progress
      state%status = gpuarr_team_set_progress_c(self%handle, c_funloc(tell_progress), &
          c_loc(progress%place), between)
    else
      state%status = gpuarr_team_set_progress_c(self%handle, c_null_funptr, c_null_ptr, between)
    end if
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  subroutine tell_progress(operation, done, total, user) bind(c, name="")
    type(c_ptr), value :: operation, user
    integer(c_int64_t), value :: done, total
    type(progress_place), pointer :: place
    call c_f_pointer(user, place)
    call place%progress%tell(f_text(operation), done, total)
  end subroutine

  !> Wait until all places have done all work that they were given, and learn whether any failed.
  !> Collective.
  !> Fails with GPUARR_ERR_PEER, GPUARR_ERR_TIMEOUT, GPUARR_ERR_MISMATCH and others of
  !> gpuarr_team_synchronize.
  subroutine team_synchronize(self, stat, errmsg)
    class(gpuarr_team), intent(in) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    state%status = gpuarr_team_synchronize_c(self%handle)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Write down what the profile of each process counted, by place: gpuarr_profile_report's text.
  !> Collective.
  !> @param text  the report; "" on failure
  !> Fails as `synchronize`.
  subroutine team_profile(self, text, stat, errmsg)
    class(gpuarr_team), intent(in) :: self
    character(:), allocatable, intent(out) :: text
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: lent
    lent = c_null_ptr
    state%status = gpuarr_team_profile_c(lent, self%handle)
    text = f_text(lent)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> NCCL's communicator of a place of this process, an ncclComm_t, for libraries that take one;
  !> c_null_ptr where the team does not use NCCL.
  function team_nccl(self, place) result(communicator)
    class(gpuarr_team), intent(in) :: self
    integer, intent(in) :: place
    type(c_ptr) :: communicator
    communicator = gpuarr_team_nccl_c(self%handle, int(place, c_int32_t))
  end function

  !> The communicator that the team was made of, for libraries that take one: as mpif.h and the
  !> module mpi have it, or MPI_VAL of mpi_f08. -1 where the team does not use MPI, and after the
  !> communicator was freed.
  integer function team_mpi(self)
    class(gpuarr_team), intent(in) :: self
    team_mpi = gpuarr_team_mpi_f_c(self%handle)
  end function

  !> Drop the reference. No other place is waited for. More than once is fine. Thread-safe.
  impure elemental subroutine team_release(self)
    class(gpuarr_team), intent(inout) :: self
    if (c_associated(self%handle)) call gpuarr_team_release_c(self%handle)
    self%handle = c_null_ptr
  end subroutine

  !> Whether this holds a team.
  elemental logical function team_is_set(self)
    class(gpuarr_team), intent(in) :: self
    team_is_set = c_associated(self%handle)
  end function

  !> The gpuarr_team* for calls of gpuarr_c, borrowed.
  pure function team_c_handle(self) result(handle)
    class(gpuarr_team), intent(in) :: self
    type(c_ptr) :: handle
    handle = self%handle
  end function

  !> Take over a reference to a gpuarr_team* that a call of gpuarr_c made.
  subroutine team_adopt(self, handle)
    class(gpuarr_team), intent(inout) :: self
    type(c_ptr), intent(in) :: handle
    call self%release()
    self%handle = handle
  end subroutine

  impure elemental subroutine team_assign(self, other)
    class(gpuarr_team), intent(inout) :: self
    type(gpuarr_team), intent(in) :: other
    type(c_ptr) :: held
    held = gpuarr_team_retain_c(other%handle)
    call self%release()
    self%handle = held
  end subroutine

  impure elemental subroutine team_final(self)
    type(gpuarr_team), intent(inout) :: self
    call self%release()
  end subroutine

end module
