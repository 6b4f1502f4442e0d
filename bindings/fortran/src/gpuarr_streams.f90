!> Streams, in which work runs in order, and events, which mark points in them.
module gpuarr_streams
  use, intrinsic :: iso_c_binding
  use gpuarr_c
  use gpuarr_devices
  use gpuarr_errors
  use gpuarr_tasks
  implicit none
  private
  public :: gpuarr_stream, gpuarr_event, stream_handle, check_stream

  !> A queue of work on one device. An assignment makes another reference to the same stream. Where
  !> a procedure takes an optional `stream`, the calling thread's current one serves without it.
  type :: gpuarr_stream
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: create => stream_create
    procedure :: borrow => stream_borrow
    procedure :: current => stream_current
    procedure :: set_current => stream_set_current
    procedure :: release => stream_release
    procedure :: is_set => stream_is_set
    procedure :: device => stream_device
    procedure :: priority => stream_priority
    procedure :: native => stream_native
    procedure :: synchronize => stream_synchronize
    procedure :: query => stream_query
    procedure :: wait => stream_wait
    procedure :: host_function => stream_host_function
    procedure :: c_handle => stream_c_handle
    procedure :: adopt => stream_adopt
    procedure, private :: stream_assign
    generic :: assignment(=) => stream_assign
    final :: stream_final
  end type

  !> A point in a stream. An assignment makes another reference to the same event.
  type :: gpuarr_event
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: create => event_create
    procedure :: release => event_release
    procedure :: is_set => event_is_set
    procedure :: record => event_record
    procedure :: synchronize => event_synchronize
    procedure :: query => event_is_reached
    procedure :: elapsed => event_elapsed
    procedure :: c_handle => event_c_handle
    procedure :: adopt => event_adopt
    procedure, private :: event_assign
    generic :: assignment(=) => event_assign
    final :: event_final
  end type

contains

  !> Make a stream; what was held before is released.
  !> @param device    where it runs; the default device without it
  !> @param priority  0 is normal, a smaller number more urgent; clamped to the device's range
  !> @param flags     0 or GPUARR_STREAM_BLOCKING
  !> Fails with GPUARR_ERR_ARGUMENT, GPUARR_ERR_DRIVER. Thread-safe.
  subroutine stream_create(self, device, priority, flags, stat, errmsg)
    class(gpuarr_stream), intent(inout) :: self
    type(gpuarr_device), intent(in), optional :: device
    integer, intent(in), optional :: priority, flags
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: place
    integer(c_int32_t) :: urgency, kind
    urgency = 0
    kind = 0
    if (present(priority)) urgency = priority
    if (present(flags)) kind = flags
    call self%release()
    state%status = locate(place, device)
    if (is_ok(state)) state%status = gpuarr_stream_create_c(self%handle, place, urgency, kind)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Use a stream that another library created, until its owner destroys it.
  !> @param device  the device that it was made for
  !> @param native  a CUstream; on the CPU what `native` says of a live stream; c_null_ptr for
  !>                CUDA's legacy default stream, or the CPU's own one
  !> Fails with GPUARR_ERR_ARGUMENT, GPUARR_ERR_DEVICE, GPUARR_ERR_DRIVER. Thread-safe.
  subroutine stream_borrow(self, device, native, stat, errmsg)
    class(gpuarr_stream), intent(inout) :: self
    type(gpuarr_device), intent(in) :: device
    type(c_ptr), intent(in) :: native
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    call self%release()
    state%status = gpuarr_stream_borrow_c(self%handle, device%c_handle(), native)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Take the calling thread's current stream of a device, the default device without one.
  !> Fails with GPUARR_ERR_ARGUMENT, GPUARR_ERR_DRIVER. Thread-safe.
  subroutine stream_current(self, device, stat, errmsg)
    class(gpuarr_stream), intent(inout) :: self
    type(gpuarr_device), intent(in), optional :: device
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: place
    call self%release()
    state%status = locate(place, device)
    if (is_ok(state)) state%status = gpuarr_stream_current_c(self%handle, place)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Make this the calling thread's current stream of its device; the thread holds a reference,
  !> until another one is set.
  !> Fails with GPUARR_ERR_ARGUMENT, GPUARR_ERR_DEVICE. Thread-safe.
  subroutine stream_set_current(self, stat, errmsg)
    class(gpuarr_stream), intent(in) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    call check_stream(self, state)
    if (is_ok(state)) state%status = gpuarr_stream_set_current_c( &
        gpuarr_stream_device_c(self%handle), self%handle)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Drop the reference. Work that was given to the stream is still done. More than once is fine.
  !> Thread-safe.
  impure elemental subroutine stream_release(self)
    class(gpuarr_stream), intent(inout) :: self
    if (c_associated(self%handle)) call gpuarr_stream_release_c(self%handle)
    self%handle = c_null_ptr
  end subroutine

  !> Whether this holds a stream. Thread-safe.
  elemental logical function stream_is_set(self)
    class(gpuarr_stream), intent(in) :: self
    stream_is_set = c_associated(self%handle)
  end function

  !> The stream's device. Thread-safe.
  function stream_device(self) result(device)
    class(gpuarr_stream), intent(in) :: self
    type(gpuarr_device) :: device
    device = device_from_c(gpuarr_stream_device_c(self%handle))
  end function

  !> Priority that the stream got. Thread-safe.
  integer function stream_priority(self)
    class(gpuarr_stream), intent(in) :: self
    stream_priority = gpuarr_stream_priority_c(self%handle)
  end function

  !> The device's own handle of the stream, a CUstream, for other libraries. Thread-safe.
  function stream_native(self) result(native)
    class(gpuarr_stream), intent(in) :: self
    type(c_ptr) :: native
    native = gpuarr_stream_native_c(self%handle)
  end function

  !> Wait until the work in the stream is done, and report what went wrong in it.
  !> Fails with GPUARR_ERR_ARGUMENT, GPUARR_ERR_DRIVER. Thread-safe.
  subroutine stream_synchronize(self, stat, errmsg)
    class(gpuarr_stream), intent(in) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    state%status = gpuarr_stream_synchronize_c(self%handle)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Ask whether the work in the stream is done.
  !> @param done  the answer
  !> Fails with GPUARR_ERR_ARGUMENT, GPUARR_ERR_DRIVER. Thread-safe.
  subroutine stream_query(self, done, stat, errmsg)
    class(gpuarr_stream), intent(in) :: self
    logical, intent(out) :: done
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    integer(c_int32_t) :: answer
    state%status = gpuarr_stream_query_c(answer, self%handle)
    done = answer /= 0
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Let the stream wait for an event: what it is given from now on runs after the event's point.
  !> The event may be of another device; one that was never recorded is not waited for.
  !> Fails with GPUARR_ERR_ARGUMENT, GPUARR_ERR_DEVICE, GPUARR_ERR_DRIVER. Thread-safe.
  subroutine stream_wait(self, event, stat, errmsg)
    class(gpuarr_stream), intent(in) :: self
    type(gpuarr_event), intent(in) :: event
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    state%status = gpuarr_stream_wait_c(self%handle, event%handle)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Run a task when the work that was given to the stream so far is done; what is given later
  !> waits for its return.
  !> @param task  a target that must stay, and is not given to a stream again, until it was run: on
  !>              a thread of the driver's, on the CPU maybe on this one before the call returns
  !> Fails with GPUARR_ERR_ARGUMENT, GPUARR_ERR_DRIVER. Thread-safe.
  subroutine stream_host_function(self, task, stat, errmsg)
    class(gpuarr_stream), intent(in) :: self
    class(gpuarr_task), target, intent(inout) :: task
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    state%status = gpuarr_stream_host_function_c(self%handle, c_funloc(run_task), place_of(task))
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> The gpuarr_stream* for calls of gpuarr_c, borrowed. Thread-safe.
  pure function stream_c_handle(self) result(handle)
    class(gpuarr_stream), intent(in) :: self
    type(c_ptr) :: handle
    handle = self%handle
  end function

  !> Take over a reference to a gpuarr_stream* that a call of gpuarr_c made.
  subroutine stream_adopt(self, handle)
    class(gpuarr_stream), intent(inout) :: self
    type(c_ptr), intent(in) :: handle
    call self%release()
    self%handle = handle
  end subroutine

  impure elemental subroutine stream_assign(self, other)
    class(gpuarr_stream), intent(inout) :: self
    type(gpuarr_stream), intent(in) :: other
    type(c_ptr) :: held
    held = gpuarr_stream_retain_c(other%handle)
    call self%release()
    self%handle = held
  end subroutine

  impure elemental subroutine stream_final(self)
    type(gpuarr_stream), intent(inout) :: self
    call self%release()
  end subroutine

  !> The handle of a stream that may be left out, c_null_ptr without it.
  pure function stream_handle(stream) result(handle)
    type(gpuarr_stream), intent(in), optional :: stream
    type(c_ptr) :: handle
    handle = c_null_ptr
    if (present(stream)) handle = stream%handle
  end function

  !> Refuse a stream that was given and holds none: it must not pass for the current one.
  subroutine check_stream(stream, state)
    class(gpuarr_stream), intent(in), optional :: stream
    type(call_state), intent(inout) :: state
    if (.not. present(stream)) return
    if (.not. c_associated(stream%handle)) call refuse(state, GPUARR_ERR_ARGUMENT, &
        "stream was released or never created; create it, or leave it out for the current one")
  end subroutine

  !> Make an event; what was held before is released.
  !> @param device  the device of the streams that it will be recorded in; the default without it
  !> @param flags   0 or GPUARR_EVENT_NO_TIMING
  !> Fails with GPUARR_ERR_ARGUMENT, GPUARR_ERR_DRIVER. Thread-safe.
  subroutine event_create(self, device, flags, stat, errmsg)
    class(gpuarr_event), intent(inout) :: self
    type(gpuarr_device), intent(in), optional :: device
    integer, intent(in), optional :: flags
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: place
    integer(c_int32_t) :: kind
    kind = 0
    if (present(flags)) kind = flags
    call self%release()
    state%status = locate(place, device)
    if (is_ok(state)) state%status = gpuarr_event_create_c(self%handle, place, kind)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Drop the reference. More than once is fine. Thread-safe.
  impure elemental subroutine event_release(self)
    class(gpuarr_event), intent(inout) :: self
    if (c_associated(self%handle)) call gpuarr_event_release_c(self%handle)
    self%handle = c_null_ptr
  end subroutine

  !> Whether this holds an event. Thread-safe.
  elemental logical function event_is_set(self)
    class(gpuarr_event), intent(in) :: self
    event_is_set = c_associated(self%handle)
  end function

  !> Mark the end of all work that a stream was given so far.
  !> @param stream  a stream of the event's device; the current one without it
  !> Fails with GPUARR_ERR_ARGUMENT, GPUARR_ERR_DEVICE, GPUARR_ERR_DRIVER. Not two at a time on the
  !> same event.
  subroutine event_record(self, stream, stat, errmsg)
    class(gpuarr_event), intent(in) :: self
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    call check_stream(stream, state)
    if (is_ok(state)) state%status = gpuarr_event_record_c(self%handle, stream_handle(stream))
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Wait until the event's point is reached; at once if it was never recorded.
  !> Fails with GPUARR_ERR_ARGUMENT, GPUARR_ERR_DRIVER. Thread-safe.
  subroutine event_synchronize(self, stat, errmsg)
    class(gpuarr_event), intent(in) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    state%status = gpuarr_event_synchronize_c(self%handle)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Ask whether the event's point is reached.
  !> @param done  the answer; .true. if it was never recorded
  !> Fails with GPUARR_ERR_ARGUMENT, GPUARR_ERR_DRIVER. Thread-safe.
  subroutine event_is_reached(self, done, stat, errmsg)
    class(gpuarr_event), intent(in) :: self
    logical, intent(out) :: done
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    integer(c_int32_t) :: answer
    state%status = gpuarr_event_query_c(answer, self%handle)
    done = answer /= 0
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Time from an earlier event to this one, both recorded and reached, on one device.
  !> @param microseconds  the time; 0 on failure
  !> @param start         the earlier event
  !> Fails with GPUARR_ERR_ARGUMENT (not recorded, not reached, or made without timing),
  !> GPUARR_ERR_DEVICE, GPUARR_ERR_DRIVER. Thread-safe.
  subroutine event_elapsed(self, microseconds, start, stat, errmsg)
    class(gpuarr_event), intent(in) :: self
    real(c_double), intent(out) :: microseconds
    type(gpuarr_event), intent(in) :: start
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    state%status = gpuarr_event_elapsed_c(microseconds, start%handle, self%handle)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> The gpuarr_event* for calls of gpuarr_c, borrowed. Thread-safe.
  pure function event_c_handle(self) result(handle)
    class(gpuarr_event), intent(in) :: self
    type(c_ptr) :: handle
    handle = self%handle
  end function

  !> Take over a reference to a gpuarr_event* that a call of gpuarr_c made.
  subroutine event_adopt(self, handle)
    class(gpuarr_event), intent(inout) :: self
    type(c_ptr), intent(in) :: handle
    call self%release()
    self%handle = handle
  end subroutine

  impure elemental subroutine event_assign(self, other)
    class(gpuarr_event), intent(inout) :: self
    type(gpuarr_event), intent(in) :: other
    type(c_ptr) :: held
    held = gpuarr_event_retain_c(other%handle)
    call self%release()
    self%handle = held
  end subroutine

  impure elemental subroutine event_final(self)
    type(gpuarr_event), intent(inout) :: self
    call self%release()
  end subroutine

end module
