!> What tells about the library itself: version, objects, cache, log, profile.
module gpuarr_tools
  use, intrinsic :: iso_c_binding
  use gpuarr_c
  use gpuarr_errors
  implicit none
  private
  public :: gpuarr_version, gpuarr_live_objects, gpuarr_objects_track, gpuarr_objects_report
  public :: gpuarr_cache_directory, gpuarr_cache_problem, gpuarr_cache_statistic
  public :: gpuarr_cache_clear, gpuarr_log_set
  public :: gpuarr_profile_start, gpuarr_profile_stop, gpuarr_profile_reset
  public :: gpuarr_profile_report, gpuarr_profile_push, gpuarr_profile_pop

contains

  !> Version of the linked library, "0.1.0". Thread-safe, as all here.
  function gpuarr_version() result(version)
    character(:), allocatable :: version
    version = f_text(gpuarr_version_c())
  end function

  !> Number of objects that were made and not yet released; 0 means no leak.
  integer(c_int64_t) function gpuarr_live_objects()
    gpuarr_live_objects = gpuarr_live_objects_c()
  end function

  !> Start (.true.) or stop to remember where each object is made and released, so that second
  !> releases and uses after the last one are found, also where references were copied behind the
  !> library's back. It takes time.
  subroutine gpuarr_objects_track(on, stat, errmsg)
    logical, intent(in) :: on
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    state%status = gpuarr_objects_track_c(merge(1_c_int32_t, 0_c_int32_t, on))
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> List the live objects, a line for each; "" if nothing lives.
  function gpuarr_objects_report() result(text)
    character(:), allocatable :: text
    character(kind=c_char), allocatable :: bytes(:)
    integer(c_int64_t) :: length, copied, k
    length = gpuarr_objects_report_c(capacity=0_c_int64_t)
    allocate(bytes(length + 1))
    copied = min(length, gpuarr_objects_report_c(bytes, length + 1))
    allocate(character(copied) :: text)
    do k = 1, copied
      text(k:k) = bytes(k)
    end do
  end function

  !> Where the cache of compiled kernels lies on disk; "" if none is used.
  function gpuarr_cache_directory() result(directory)
    character(:), allocatable :: directory
    directory = f_text(gpuarr_cache_directory_c())
  end function

  !> Why the cache on disk is not used, or not written; "" if all is well.
  function gpuarr_cache_problem() result(problem)
    character(:), allocatable :: problem
    problem = f_text(gpuarr_cache_problem_c())
  end function

  !> Read one of the cache's numbers, GPUARR_CACHE_COMPILES and so on.
  !> Fails with GPUARR_ERR_ARGUMENT, when `value` is 0.
  subroutine gpuarr_cache_statistic(value, statistic, stat, errmsg)
    integer(c_int64_t), intent(out) :: value
    integer, intent(in) :: statistic
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    state%status = gpuarr_cache_statistic_c(value, int(statistic, c_int32_t))
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Remove all entries of the cache from the disk; kernels in memory stay.
  !> Fails with GPUARR_ERR_IO.
  subroutine gpuarr_cache_clear(stat, errmsg)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    state%status = gpuarr_cache_clear_c()
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Choose what is told on standard error, or in a file: "all", "compile,cache:FILE", "".
  !> Fails with GPUARR_ERR_ARGUMENT, GPUARR_ERR_IO.
  subroutine gpuarr_log_set(setting, stat, errmsg)
    character(*), intent(in) :: setting
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    state%status = gpuarr_log_set_c(c_text(setting))
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Begin to count compilations and launches of kernels, and to time the launches.
  subroutine gpuarr_profile_start(stat, errmsg)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    state%status = gpuarr_profile_start_c()
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Count no more.
  subroutine gpuarr_profile_stop(stat, errmsg)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    state%status = gpuarr_profile_stop_c()
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Forget what was counted.
  subroutine gpuarr_profile_reset(stat, errmsg)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    state%status = gpuarr_profile_reset_c()
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Write down what was counted, for each kernel; waits for the launches that are not done.
  !> @param text    the report; "" on failure
  !> @param format  GPUARR_REPORT_TEXT, also without it, or GPUARR_REPORT_JSON
  !> Fails with GPUARR_ERR_ARGUMENT.
  subroutine gpuarr_profile_report(text, format, stat, errmsg)
    character(:), allocatable, intent(out) :: text
    integer, intent(in), optional :: format
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: written
    integer(c_int32_t) :: form
    form = GPUARR_REPORT_TEXT
    if (present(format)) form = format
    state%status = gpuarr_profile_report_c(written, form)
    text = f_text(written)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Begin a named range of this thread's time, which profilers show.
  subroutine gpuarr_profile_push(name, stat, errmsg)
    character(*), intent(in) :: name
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    state%status = gpuarr_profile_push_c(c_text(name))
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> End this thread's range that was begun last.
  subroutine gpuarr_profile_pop(stat, errmsg)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    state%status = gpuarr_profile_pop_c()
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

end module
