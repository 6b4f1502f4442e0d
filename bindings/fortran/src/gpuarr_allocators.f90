!> Where arrays' memory comes from: pools, the driver, the device itself.
module gpuarr_allocators
  use, intrinsic :: iso_c_binding
  use gpuarr_c
  use gpuarr_devices
  use gpuarr_errors
  use gpuarr_scalars
  use gpuarr_streams
  implicit none
  private
  public :: gpuarr_allocator

  !> A source of a device's memory, which memory that came from it keeps alive. An assignment makes
  !> another reference to the same allocator.
  type :: gpuarr_allocator
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: create => allocator_create
    procedure :: current => allocator_current
    procedure :: set_current => allocator_set_current
    procedure :: set_for_stream => allocator_set_for_stream
    procedure :: device => allocator_device
    procedure :: statistic => allocator_statistic
    procedure :: trim => allocator_trim
    procedure :: allocate => allocator_allocate
    procedure :: free => allocator_free
    procedure :: release => allocator_release
    procedure :: is_set => allocator_is_set
    procedure :: c_handle => allocator_c_handle
    procedure :: adopt => allocator_adopt
    procedure, private :: allocator_assign
    generic :: assignment(=) => allocator_assign
    final :: allocator_final
  end type

contains

  !> Make an allocator; what was held before is released.
  !> @param kind    GPUARR_ALLOCATOR_POOL, ..._DRIVER, ..._MANAGED or ..._DIRECT
  !> @param device  whose memory; the default one without it
  !> Fails with GPUARR_ERR_ARGUMENT, GPUARR_ERR_OUT_OF_MEMORY. Thread-safe.
  subroutine allocator_create(self, kind, device, stat, errmsg)
    class(gpuarr_allocator), intent(inout) :: self
    integer, intent(in) :: kind
    type(gpuarr_device), intent(in), optional :: device
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: place
    call self%release()
    state%status = locate(place, device)
    if (is_ok(state)) state%status = gpuarr_allocator_create_c(self%handle, place, &
        int(kind, c_int32_t))
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Take the allocator that an array made in a stream would come from now.
  !> @param device  the default one without it
  !> @param stream  a stream of the device; the current one without it
  !> Fails with GPUARR_ERR_ARGUMENT, GPUARR_ERR_DEVICE. Thread-safe.
  subroutine allocator_current(self, device, stream, stat, errmsg)
    class(gpuarr_allocator), intent(inout) :: self
    type(gpuarr_device), intent(in), optional :: device
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: place
    call self%release()
    call check_stream(stream, state)
    if (is_ok(state)) state%status = locate(place, device)
    if (is_ok(state)) state%status = gpuarr_allocator_current_c(self%handle, place, &
        stream_handle(stream))
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Let its device's new arrays come from the allocator, in streams that have none of their own.
  !> Fails with GPUARR_ERR_ARGUMENT. Thread-safe.
  subroutine allocator_set_current(self, stat, errmsg)
    class(gpuarr_allocator), intent(in) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    state%status = gpuarr_allocator_set_current_c(gpuarr_allocator_device_c(self%handle), &
        self%handle)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Let arrays that are made in a stream from now on come from the allocator.
  !> Fails with GPUARR_ERR_ARGUMENT, GPUARR_ERR_DEVICE. Thread-safe.
  subroutine allocator_set_for_stream(self, stream, stat, errmsg)
    class(gpuarr_allocator), intent(in) :: self
    type(gpuarr_stream), intent(in) :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    call check_allocator(self, state)
    if (is_ok(state)) state%status = gpuarr_allocator_set_for_stream_c(stream%c_handle(), &
        self%handle)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> The allocator's device. Thread-safe.
  function allocator_device(self) result(device)
    class(gpuarr_allocator), intent(in) :: self
    type(gpuarr_device) :: device
    device = device_from_c(gpuarr_allocator_device_c(self%handle))
  end function

  !> Read one of the allocator's numbers.
  !> @param value      the number; 0 on failure
  !> @param statistic  GPUARR_MEMORY_USED, ..._CACHED, ..._PEAK and others
  !> Fails with GPUARR_ERR_ARGUMENT. Thread-safe.
  subroutine allocator_statistic(self, value, statistic, stat, errmsg)
    class(gpuarr_allocator), intent(in) :: self
    integer(c_int64_t), intent(out) :: value
    integer, intent(in) :: statistic
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    state%status = gpuarr_allocator_statistic_c(value, self%handle, int(statistic, c_int32_t))
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Give the allocator's cached memory back to the device; waits for its work.
  !> Fails with GPUARR_ERR_ARGUMENT, GPUARR_ERR_DRIVER. Thread-safe.
  subroutine allocator_trim(self, stat, errmsg)
    class(gpuarr_allocator), intent(in) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    state%status = gpuarr_allocator_trim_c(self%handle)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Get memory that is no array's, for another library to work in, say.
  !> @param address  on the device, a multiple of 16; c_null_ptr on failure, and for 0 bytes
  !> @param bytes    an integer of any kind
  !> @param stream   work in this stream may use it at once; the current one without it
  !> Fails with GPUARR_ERR_ARGUMENT, GPUARR_ERR_OUT_OF_MEMORY, GPUARR_ERR_DRIVER. Thread-safe.
  subroutine allocator_allocate(self, address, bytes, stream, stat, errmsg)
    class(gpuarr_allocator), intent(in) :: self
    type(c_ptr), intent(out) :: address
    class(*), intent(in) :: bytes
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    integer(c_int64_t) :: count
    address = c_null_ptr
    call whole(count, bytes, 0_c_int64_t, "gpuarr_allocator%allocate: bytes", state)
    call check_stream(stream, state)
    if (is_ok(state)) state%status = gpuarr_allocator_allocate_c(address, self%handle, count, &
        stream_handle(stream))
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Give such memory back, before the allocator's last reference is dropped.
  !> @param address  where it is; nothing happens for c_null_ptr
  !> @param stream   the stream that used it last; the current one without it
  !> Fails with GPUARR_ERR_ARGUMENT. Thread-safe.
  subroutine allocator_free(self, address, stream, stat, errmsg)
    class(gpuarr_allocator), intent(in) :: self
    type(c_ptr), intent(in) :: address
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    call check_stream(stream, state)
    if (is_ok(state)) state%status = gpuarr_allocator_free_c(self%handle, address, &
        stream_handle(stream))
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Refuse an allocator that is none: it must not pass for the device's own.
  subroutine check_allocator(self, state)
    class(gpuarr_allocator), intent(in) :: self
    type(call_state), intent(inout) :: state
    if (.not. self%is_set()) call refuse(state, GPUARR_ERR_ARGUMENT, &
        "allocator was released or never created; create it")
  end subroutine

  !> Drop the reference. More than once is fine. Thread-safe.
  impure elemental subroutine allocator_release(self)
    class(gpuarr_allocator), intent(inout) :: self
    if (c_associated(self%handle)) call gpuarr_allocator_release_c(self%handle)
    self%handle = c_null_ptr
  end subroutine

  !> Whether this holds an allocator. Thread-safe.
  elemental logical function allocator_is_set(self)
    class(gpuarr_allocator), intent(in) :: self
    allocator_is_set = c_associated(self%handle)
  end function

  !> The gpuarr_allocator* for calls of gpuarr_c, borrowed. Thread-safe.
  pure function allocator_c_handle(self) result(handle)
    class(gpuarr_allocator), intent(in) :: self
    type(c_ptr) :: handle
    handle = self%handle
  end function

  !> Take over a reference to a gpuarr_allocator* that a call of gpuarr_c made.
  subroutine allocator_adopt(self, handle)
    class(gpuarr_allocator), intent(inout) :: self
    type(c_ptr), intent(in) :: handle
    call self%release()
    self%handle = handle
  end subroutine

  impure elemental subroutine allocator_assign(self, other)
    class(gpuarr_allocator), intent(inout) :: self
    type(gpuarr_allocator), intent(in) :: other
    type(c_ptr) :: held
    held = gpuarr_allocator_retain_c(other%handle)
    call self%release()
    self%handle = held
  end subroutine

  impure elemental subroutine allocator_final(self)
    type(gpuarr_allocator), intent(inout) :: self
    call self%release()
  end subroutine

end module
