!> Benchmarks: how long work takes, on the CPU's clock and by events in a stream.
module gpuarr_benchmarks
  use, intrinsic :: iso_c_binding
  use, intrinsic :: ieee_arithmetic, only: ieee_value, ieee_positive_inf
  use gpuarr_c
  use gpuarr_devices
  use gpuarr_errors
  use gpuarr_scalars
  use gpuarr_streams
  implicit none
  private
  public :: gpuarr_benchmark, gpuarr_work

  !> The times of repeated work. An assignment makes another reference to the same times.
  type :: gpuarr_benchmark
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: run => benchmark_run
    procedure :: statistic => benchmark_statistic
    procedure :: samples => benchmark_samples
    procedure :: report => benchmark_report
    procedure :: release => benchmark_release
    procedure :: is_set => benchmark_is_set
    procedure :: c_handle => benchmark_c_handle
    procedure :: adopt => benchmark_adopt
    procedure, private :: benchmark_assign
    generic :: assignment(=) => benchmark_assign
    final :: benchmark_final
  end type

  !> How work is found again from an address that goes through C.
  type :: work_place
    class(gpuarr_work), pointer :: work => null()
  end type

  !> Work to be timed: extend it with what it needs, and give it `run`.
  type, abstract :: gpuarr_work
    type(work_place), private :: place
  contains
    procedure(work_run), deferred :: run
  end type

  abstract interface
    !> Does the work once, on the thread that runs the benchmark.
    !> @param stat  0, or what the benchmark is to fail with: hand it on to what may fail
    subroutine work_run(self, stat)
      import gpuarr_work
      class(gpuarr_work), intent(inout) :: self
      integer, intent(out) :: stat
    end subroutine
  end interface

contains

  !> Do work again and again, and time it each time twice: until it returns, and until what it gave
  !> to the stream is done, which is waited for.
  !> @param name     of what is timed, copied
  !> @param work     a target; it works in `stream`
  !> @param warmups  times beforehand that do not count, 0 or more: an integer of any kind; 1
  !>                 without it
  !> @param repeats  times that count, 1 or more; 10 without it
  !> @param seconds  none begins this long after the first; no such limit without it
  !> @param device   the default one without it
  !> @param stream   stream of the device; the current one without it
  !> Fails with GPUARR_ERR_ARGUMENT, GPUARR_ERR_DEVICE, and what the work came to, with its message.
  !> Thread-safe as far as the work is.
  subroutine benchmark_run(self, name, work, warmups, repeats, seconds, device, stream, stat, &
                           errmsg)
    class(gpuarr_benchmark), intent(inout) :: self
    character(*), intent(in) :: name
    class(gpuarr_work), target, intent(inout) :: work
    class(*), intent(in), optional :: warmups, repeats
    real(c_double), intent(in), optional :: seconds
    type(gpuarr_device), intent(in), optional :: device
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: place
    integer(c_int64_t) :: before, counted
    real(c_double) :: longest
    longest = ieee_value(longest, ieee_positive_inf)
    if (present(seconds)) longest = seconds
    work%place%work => work
    call self%release()
    call check_stream(stream, state)
    call whole(before, warmups, 1_c_int64_t, "gpuarr_benchmark%run: warmups", state)
    call whole(counted, repeats, 10_c_int64_t, "gpuarr_benchmark%run: repeats", state)
    if (is_ok(state)) state%status = locate(place, device)
    if (is_ok(state)) state%status = gpuarr_benchmark_run_c(self%handle, c_text(name), &
        c_funloc(run_work), c_loc(work%place), before, counted, longest, place, &
        stream_handle(stream))
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  function run_work(user) bind(c, name="") result(status)
    type(c_ptr), value :: user
    integer(c_int32_t) :: status
    type(work_place), pointer :: place
    integer :: stat
    call c_f_pointer(user, place)
    call place%work%run(stat)
    status = stat
  end function

  !> Read one of the numbers.
  !> @param microseconds  the number; 0 on failure
  !> @param clock         GPUARR_CLOCK_CPU or GPUARR_CLOCK_DEVICE
  !> @param statistic     GPUARR_SAMPLES_MEDIAN, ..._MEAN and others
  !> Fails with GPUARR_ERR_ARGUMENT. Thread-safe.
  subroutine benchmark_statistic(self, microseconds, clock, statistic, stat, errmsg)
    class(gpuarr_benchmark), intent(in) :: self
    real(c_double), intent(out) :: microseconds
    integer, intent(in) :: clock, statistic
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    state%status = gpuarr_benchmark_statistic_c(microseconds, self%handle, int(clock, c_int32_t), &
        int(statistic, c_int32_t))
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Copy the samples, in the order that they were taken.
  !> @param microseconds  allocated for all of them
  !> @param clock         GPUARR_CLOCK_CPU or GPUARR_CLOCK_DEVICE
  !> Fails with GPUARR_ERR_ARGUMENT. Thread-safe.
  subroutine benchmark_samples(self, microseconds, clock, stat, errmsg)
    class(gpuarr_benchmark), intent(in) :: self
    real(c_double), allocatable, intent(out) :: microseconds(:)
    integer, intent(in) :: clock
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    integer(c_int64_t) :: count
    state%status = gpuarr_benchmark_samples_c(count, capacity=0_c_int64_t, benchmark=self%handle, &
        clock=int(clock, c_int32_t))
    allocate(microseconds(count))
    if (is_ok(state)) state%status = gpuarr_benchmark_samples_c(count, microseconds, count, &
        self%handle, int(clock, c_int32_t))
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Write the times down.
  !> @param text    one line, or JSON with all samples; "" on failure
  !> @param format  GPUARR_REPORT_TEXT, also without it, or GPUARR_REPORT_JSON
  !> Fails with GPUARR_ERR_ARGUMENT. Thread-safe.
  subroutine benchmark_report(self, text, format, stat, errmsg)
    class(gpuarr_benchmark), intent(in) :: self
    character(:), allocatable, intent(out) :: text
    integer, intent(in), optional :: format
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: written
    integer(c_int32_t) :: form
    form = GPUARR_REPORT_TEXT
    if (present(format)) form = format
    state%status = gpuarr_benchmark_report_c(written, self%handle, form)
    text = f_text(written)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Drop the reference. More than once is fine. Thread-safe.
  impure elemental subroutine benchmark_release(self)
    class(gpuarr_benchmark), intent(inout) :: self
    if (c_associated(self%handle)) call gpuarr_benchmark_release_c(self%handle)
    self%handle = c_null_ptr
  end subroutine

  !> Whether this holds times. Thread-safe.
  elemental logical function benchmark_is_set(self)
    class(gpuarr_benchmark), intent(in) :: self
    benchmark_is_set = c_associated(self%handle)
  end function

  !> The gpuarr_benchmark* for calls of gpuarr_c, borrowed. Thread-safe.
  pure function benchmark_c_handle(self) result(handle)
    class(gpuarr_benchmark), intent(in) :: self
    type(c_ptr) :: handle
    handle = self%handle
  end function

  !> Take over a reference to a gpuarr_benchmark* that a call of gpuarr_c made.
  subroutine benchmark_adopt(self, handle)
    class(gpuarr_benchmark), intent(inout) :: self
    type(c_ptr), intent(in) :: handle
    call self%release()
    self%handle = handle
  end subroutine

  impure elemental subroutine benchmark_assign(self, other)
    class(gpuarr_benchmark), intent(inout) :: self
    type(gpuarr_benchmark), intent(in) :: other
    type(c_ptr) :: held
    held = gpuarr_benchmark_retain_c(other%handle)
    call self%release()
    self%handle = held
  end subroutine

  impure elemental subroutine benchmark_final(self)
    type(gpuarr_benchmark), intent(inout) :: self
    call self%release()
  end subroutine

end module
