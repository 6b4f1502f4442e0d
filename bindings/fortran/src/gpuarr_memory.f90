!> Memory of a device: limit, numbers, functions that make room, pinned memory.
module gpuarr_memory
  use, intrinsic :: iso_c_binding
  use gpuarr_c
  use gpuarr_devices
  use gpuarr_errors
  use gpuarr_scalars
  implicit none
  private
  public :: gpuarr_memory_statistic, gpuarr_memory_reset_peak, gpuarr_memory_trim
  public :: gpuarr_memory_set_limit, gpuarr_memory_set_limit_fraction
  public :: gpuarr_reclaimer, gpuarr_pinned_allocate, gpuarr_pinned_free

  !> How a reclaimer is found again from an address that goes through C.
  type :: reclaimer_place
    class(gpuarr_reclaimer), pointer :: reclaimer => null()
    integer(c_int64_t) :: number = 0
  contains
    final :: place_final
  end type

  !> Something that can make room when memory is short, such as a cache of arrays: extend it with
  !> what it holds, and give it `reclaim`.
  type, abstract :: gpuarr_reclaimer
    type(reclaimer_place), private :: place
  contains
    procedure(reclaimer_reclaim), deferred :: reclaim
    procedure :: add => reclaimer_add
    procedure :: remove => reclaimer_remove
  end type

  abstract interface
    !> Is called on the thread that asked for memory. It may call the library, release arrays and
    !> make some; what fails in it is its own affair, so that it should ask for `stat`.
    !> @param device  whose memory is short
    !> @param bytes   what was asked for
    !> @return .true. if something was released, or may be by now: it is tried again, and this is
    !>         called again as long as that brings used memory down
    logical function reclaimer_reclaim(self, device, bytes)
      import gpuarr_reclaimer, gpuarr_device, c_int64_t
      class(gpuarr_reclaimer), intent(inout) :: self
      type(gpuarr_device), intent(in) :: device
      integer(c_int64_t), intent(in) :: bytes
    end function
  end interface

contains

  !> Read one of the numbers of a device's current allocator.
  !> @param value      the number; 0 on failure
  !> @param device     whose allocator
  !> @param statistic  GPUARR_MEMORY_USED, ..._CACHED, ..._PEAK and others
  !> Fails with GPUARR_ERR_ARGUMENT. Thread-safe.
  subroutine gpuarr_memory_statistic(value, device, statistic, stat, errmsg)
    integer(c_int64_t), intent(out) :: value
    type(gpuarr_device), intent(in) :: device
    integer, intent(in) :: statistic
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    state%status = gpuarr_memory_statistic_c(value, device%c_handle(), int(statistic, c_int32_t))
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Let GPUARR_MEMORY_PEAK begin anew, at what is used now.
  !> Fails with GPUARR_ERR_ARGUMENT. Thread-safe.
  subroutine gpuarr_memory_reset_peak(device, stat, errmsg)
    type(gpuarr_device), intent(in) :: device
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    state%status = gpuarr_memory_reset_peak_c(device%c_handle())
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Give the unused cached memory back to the device; waits for its work.
  !> Fails with GPUARR_ERR_ARGUMENT, GPUARR_ERR_DRIVER. Thread-safe.
  subroutine gpuarr_memory_trim(device, stat, errmsg)
    type(gpuarr_device), intent(in) :: device
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    state%status = gpuarr_memory_trim_c(device%c_handle())
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Limit what the library holds of a device's memory, used or cached.
  !> @param device  whose memory
  !> @param bytes   the most, an integer of any kind; 0 for no limit
  !> Fails with GPUARR_ERR_ARGUMENT. Thread-safe.
  subroutine gpuarr_memory_set_limit(device, bytes, stat, errmsg)
    type(gpuarr_device), intent(in) :: device
    class(*), intent(in) :: bytes
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    integer(c_int64_t) :: most
    call whole(most, bytes, 0_c_int64_t, "gpuarr_memory_set_limit: bytes", state)
    if (is_ok(state)) state%status = gpuarr_memory_set_limit_c(device%c_handle(), most)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> The same as a part of all memory that the device has, above 0, at most 1.
  !> Fails with GPUARR_ERR_ARGUMENT, GPUARR_ERR_DRIVER. Thread-safe.
  subroutine gpuarr_memory_set_limit_fraction(device, fraction, stat, errmsg)
    type(gpuarr_device), intent(in) :: device
    real(c_double), intent(in) :: fraction
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    state%status = gpuarr_memory_set_limit_fraction_c(device%c_handle(), fraction)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Have the reclaimer called before an allocation fails for want of memory, on any device. It must
  !> be a target, and stay where it is until it is removed, or ends.
  !> Fails with GPUARR_ERR_ARGUMENT. Thread-safe.
  subroutine reclaimer_add(self, stat, errmsg)
    class(gpuarr_reclaimer), target, intent(inout) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    call self%remove()
    self%place%reclaimer => self
    state%status = gpuarr_memory_add_reclaim_c(self%place%number, c_funloc(call_reclaim), &
        c_loc(self%place))
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Have it called no more; more than once is fine. One that is running on another thread runs to
  !> its end. Thread-safe.
  subroutine reclaimer_remove(self)
    class(gpuarr_reclaimer), intent(inout) :: self
    call place_final(self%place)
  end subroutine

  impure elemental subroutine place_final(place)
    type(reclaimer_place), intent(inout) :: place
    integer(c_int32_t) :: ignored
    if (place%number /= 0) ignored = gpuarr_memory_remove_reclaim_c(place%number)
    place%number = 0
  end subroutine

  function call_reclaim(device, bytes, user) bind(c, name="") result(freed)
    type(c_ptr), value :: device, user
    integer(c_int64_t), value :: bytes
    integer(c_int32_t) :: freed
    type(reclaimer_place), pointer :: place
    call c_f_pointer(user, place)
    freed = merge(1, 0, place%reclaimer%reclaim(device_from_c(device), bytes))
  end function

  !> Get pinned (page-locked) host memory, from and to which a GPU copies on its own: make arrays of
  !> it with c_f_pointer, and give them to `write` and `to_host` with async=.true.
  !> @param address  a multiple of 512; c_null_ptr on failure, and for 0 bytes
  !> @param device   in whose pool it is kept; it is for all devices of its kind
  !> @param bytes    an integer of any kind
  !> Fails with GPUARR_ERR_ARGUMENT, GPUARR_ERR_OUT_OF_MEMORY, GPUARR_ERR_DRIVER. Thread-safe.
  subroutine gpuarr_pinned_allocate(address, device, bytes, stat, errmsg)
    type(c_ptr), intent(out) :: address
    type(gpuarr_device), intent(in) :: device
    class(*), intent(in) :: bytes
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    integer(c_int64_t) :: count
    address = c_null_ptr
    call whole(count, bytes, 0_c_int64_t, "gpuarr_pinned_allocate: bytes", state)
    if (is_ok(state)) state%status = gpuarr_pinned_allocate_c(address, device%c_handle(), count)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Give pinned memory back; copies with it may still run.
  !> @param device   the one that it was asked for from
  !> @param address  its address; nothing happens for c_null_ptr
  !> Fails with GPUARR_ERR_ARGUMENT. Thread-safe.
  subroutine gpuarr_pinned_free(device, address, stat, errmsg)
    type(gpuarr_device), intent(in) :: device
    type(c_ptr), intent(in) :: address
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    state%status = gpuarr_pinned_free_c(device%c_handle(), address)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

end module
