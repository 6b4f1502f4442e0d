!> Streams, events, tasks, graphs, benchmarks.
module test_streams_tasks
  use gpuarr
  implicit none

  !> Counts how often it was run.
  type, extends(gpuarr_task) :: counting
    integer :: runs = 0
    type(gpuarr_array) :: kept  !< released by the task
  contains
    procedure :: run
  end type

  !> Adds one to an array, and fails when it has done so often enough.
  type, extends(gpuarr_work) :: adding
    type(gpuarr_array) :: x
    type(gpuarr_elementwise) :: kernel
    integer :: left = huge(0)
  contains
    procedure :: run => add
  end type

contains

  subroutine add(self, stat)
    class(adding), intent(inout) :: self
    integer, intent(out) :: stat
    type(gpuarr_array) :: none
    self%left = self%left - 1
    if (self%left >= 0) then
      call self%kernel%call(self%x, self%x, stat=stat)
    else
      call none%copy(self%x, stat=stat)
    end if
  end subroutine

  subroutine run(self)
    class(counting), intent(inout) :: self
    self%runs = self%runs + 1
    call self%kept%release()
  end subroutine

end module

program test_streams
  use, intrinsic :: iso_c_binding
  use gpuarr
  use checks
  use test_streams_tasks
  implicit none
  call start()
  call streams()
  call events()
  call tasks()
  call graphs()
  call benchmarks()
  call refused()
  call finish()

contains

  subroutine streams()
    type(gpuarr_stream) :: stream, other, own, borrowed
    type(gpuarr_device) :: device, found
    type(gpuarr_array) :: x, y
    type(gpuarr_elementwise) :: add_one
    real(c_double) :: got(1000)
    logical :: done
    integer :: k
    call device%open()
    call stream%create(priority=-1, flags=GPUARR_STREAM_BLOCKING)
    call other%create(device)
    found = stream%device()
    call expect_text(found%name(), device%name())
    call expect(stream%priority() <= 0, "a priority")
    call expect(c_associated(stream%native()), "a native handle")
    call borrowed%borrow(device, other%native())
    call x%zeros([1000], GPUARR_F64, stream=stream)
    call add_one%create("T x", "T x", "x += 1;")
    do k = 1, 10
      call add_one%call(x, x, stream=stream)
    end do
    call stream%synchronize()
    call stream%query(done)
    call expect(done, "nothing is left to do")
    call x%to_host(got, stream)
    call expect(all(got == 10), "work in a stream, in order")
    call own%current()
    call other%set_current()
    call add_one%call(x, x)
    call x%copy(y)
    call own%set_current()
    call borrowed%synchronize()
    call y%to_host(got, other)
    call expect(all(got == 11), "work in the current stream")
  end subroutine

  subroutine events()
    type(gpuarr_stream) :: first, second
    type(gpuarr_event) :: begin, end, plain, same
    type(gpuarr_array) :: x, y
    type(gpuarr_elementwise) :: add
    real(c_float) :: got(100)
    real(c_double) :: microseconds
    logical :: done
    integer :: stat
    character(:), allocatable :: message
    call first%create()
    call second%create()
    call begin%create()
    call end%create()
    call plain%create(flags=GPUARR_EVENT_NO_TIMING)
    call x%zeros([100], GPUARR_F32, stream=first)
    call add%create("T x, T s", "T z", "z = x + s;")
    call begin%record(first)
    call add%call(x, x, 5.0, stream=first)
    call end%record(first)
    same = end
    call second%wait(same)
    call add%call(y, x, 1.0, stream=second)
    call y%to_host(got, second)
    call expect(all(got == 6), "one stream waits for another")
    call end%synchronize()
    call end%query(done)
    call expect(done, "a point that was reached")
    call end%elapsed(microseconds, begin)
    call expect(microseconds >= 0, "time between events")
    call plain%record()
    call plain%synchronize()
    call plain%elapsed(microseconds, begin, stat, message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "gpuarr_event_elapsed")
  end subroutine

  subroutine tasks()
    type(gpuarr_stream) :: stream
    type(counting), target :: task
    call stream%create()
    call task%kept%zeros([10], GPUARR_F32)
    call stream%host_function(task)
    call stream%synchronize()
    call expect(task%runs, 1, "a task was run")
    call expect(.not. task%kept%is_set(), "and released an array")
    call stream%host_function(task)
    call stream%synchronize()
    call expect(task%runs, 2, "and run again")
  end subroutine

  subroutine graphs()
    type(gpuarr_stream) :: stream
    type(gpuarr_graph) :: graph, other
    type(gpuarr_graph_exec) :: exec, same
    type(gpuarr_elementwise) :: add
    type(gpuarr_array) :: x
    real(c_float) :: got(8)
    integer(c_int64_t) :: nodes
    logical :: capturing
    integer :: stat
    character(:), allocatable :: message
    call stream%create()
    call add%create("T x, T s", "T x", "x += s;")
    call x%zeros([8], GPUARR_F32, stream=stream)
    call graph%begin_capture(stream)
    call graph%is_capturing(capturing, stream)
    call expect(capturing, "a stream that is captured")
    call add%call(x, x, 1.0, stream=stream)
    call add%call(x, x, 2.0, stream=stream)
    call x%to_host(got, stream, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_UNSUPPORTED, "captured")
    call graph%end_capture(stream)
    call graph%nodes(nodes)
    call expect(nodes >= 2, "nodes of a graph")
    call graph%instantiate(exec)
    call graph%begin_capture(stream)
    call add%call(x, x, 10.0, stream=stream)
    call add%call(x, x, 20.0, stream=stream)
    call other%end_capture(stream)
    graph = other
    same = exec
    call exec%release()
    call same%launch(stream)
    call same%launch(stream)
    call same%update(graph)
    call same%launch(stream)
    call x%to_host(got, stream)
    call expect(all(got == 36), "a graph launched twice, and with other numbers")
    call graph%end_capture(stream, stat, message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "gpuarr_stream_end_capture")
    call expect(.not. graph%is_set(), "no graph of no capture")
    call exec%launch(stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "gpuarr_graph_exec_launch")
  end subroutine

  subroutine benchmarks()
    type(gpuarr_benchmark) :: times, same
    type(adding), target :: work
    real(c_double) :: median, got(3)
    real(c_double), allocatable :: samples(:)
    character(:), allocatable :: text, message
    integer :: stat
    call work%x%zeros([3], GPUARR_F64)
    call work%kernel%create("T x", "T x", "x += 1;")
    call times%run("adding", work, warmups=2, repeats=5_c_int64_t)
    call work%x%to_host(got)
    call expect(all(got == 7), "work that was done seven times")
    same = times
    call times%release()
    call same%samples(samples, GPUARR_CLOCK_CPU)
    call expect(size(samples), 5, "samples")
    call same%statistic(median, GPUARR_CLOCK_DEVICE, GPUARR_SAMPLES_MEDIAN)
    call expect(median >= 0, "a median")
    call same%report(text)
    call expect_text(text, "adding")
    work%left = 3
    call times%run("failing", work, warmups=0, seconds=60d0, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "gpuarr_array_copy")
    call times%run("none", work, repeats=0, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "gpuarr_benchmark_run")
    call times%statistic(median, GPUARR_CLOCK_CPU, GPUARR_SAMPLES_MIN, stat, message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "NULL")
  end subroutine

  subroutine refused()
    type(gpuarr_stream) :: stream
    type(gpuarr_event) :: event
    type(gpuarr_device) :: closed
    integer :: stat
    character(:), allocatable :: message
    call stream%create(closed, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "gpuarr_stream_create")
    call stream%create(flags=77, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "77")
    call stream%synchronize(stat, message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "gpuarr_stream_synchronize")
    call stream%set_current(stat, message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "stream was released or never created")
    call event%record(stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "gpuarr_event_record")
  end subroutine

end program
