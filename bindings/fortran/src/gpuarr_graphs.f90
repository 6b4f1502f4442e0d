!> Graphs: work of a stream, noted once and launched again and again.
module gpuarr_graphs
  use, intrinsic :: iso_c_binding
  use gpuarr_c
  use gpuarr_errors
  use gpuarr_streams
  implicit none
  private
  public :: gpuarr_graph, gpuarr_graph_exec

  !> Work that was captured in a stream. It keeps the memory and the code that it uses. An
  !> assignment makes another reference to the same graph.
  type :: gpuarr_graph
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure, nopass :: begin_capture => graph_begin_capture
    procedure :: end_capture => graph_end_capture
    procedure, nopass :: is_capturing => graph_is_capturing
    procedure :: nodes => graph_nodes
    procedure :: instantiate => graph_instantiate
    procedure :: release => graph_release
    procedure :: is_set => graph_is_set
    procedure :: c_handle => graph_c_handle
    procedure :: adopt => graph_adopt
    procedure, private :: graph_assign
    generic :: assignment(=) => graph_assign
    final :: graph_final
  end type

  !> A graph made ready to be launched; it does not need the graph any more. An assignment makes
  !> another reference to the same one.
  type :: gpuarr_graph_exec
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: launch => exec_launch
    procedure :: update => exec_update
    procedure :: release => exec_release
    procedure :: is_set => exec_is_set
    procedure :: c_handle => exec_c_handle
    procedure :: adopt => exec_adopt
    procedure, private :: exec_assign
    generic :: assignment(=) => exec_assign
    final :: exec_final
  end type

contains

  !> Begin to capture a stream: what it is given from now on is not done but noted. What has to wait
  !> for work, such as to_host and from_host, fails meanwhile with GPUARR_ERR_UNSUPPORTED.
  !> @param stream  the stream; end the capture before it is released
  !> Fails with GPUARR_ERR_ARGUMENT (it is being captured), GPUARR_ERR_UNSUPPORTED and others of
  !> gpuarr_stream_begin_capture. Not beside other calls that use the stream.
  subroutine graph_begin_capture(stream, stat, errmsg)
    type(gpuarr_stream), intent(in) :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    state%status = gpuarr_stream_begin_capture_c(stream%c_handle())
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> End a capture: this becomes the graph of what was noted.
  !> @param stream  the stream that the capture began in, after it waited for all that joined
  !> Fails with GPUARR_ERR_ARGUMENT, GPUARR_ERR_UNSUPPORTED, GPUARR_ERR_DRIVER; the graph is not set
  !> then. Not beside other calls that use the stream.
  subroutine graph_end_capture(self, stream, stat, errmsg)
    class(gpuarr_graph), intent(inout) :: self
    type(gpuarr_stream), intent(in) :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    call self%release()
    state%status = gpuarr_stream_end_capture_c(self%handle, stream%c_handle())
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Ask whether a stream is being captured.
  !> @param answer  .true. if it is, by this library or another
  !> Fails with GPUARR_ERR_ARGUMENT, GPUARR_ERR_DRIVER. Thread-safe.
  subroutine graph_is_capturing(answer, stream, stat, errmsg)
    logical, intent(out) :: answer
    type(gpuarr_stream), intent(in) :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    integer(c_int32_t) :: found
    state%status = gpuarr_stream_is_capturing_c(found, stream%c_handle())
    answer = found /= 0
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Count the nodes: kernels, copies, fills, functions. Devices may count differently.
  !> @param count  the number; 0 on failure
  !> Fails with GPUARR_ERR_ARGUMENT, GPUARR_ERR_DRIVER. Not two at a time on the same graph.
  subroutine graph_nodes(self, count, stat, errmsg)
    class(gpuarr_graph), intent(in) :: self
    integer(c_int64_t), intent(out) :: count
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    state%status = gpuarr_graph_nodes_c(count, self%handle)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Make the graph ready to be launched.
  !> @param exec  what can be launched
  !> Fails with GPUARR_ERR_ARGUMENT, GPUARR_ERR_DRIVER. Not two at a time on the same graph.
  subroutine graph_instantiate(self, exec, stat, errmsg)
    class(gpuarr_graph), intent(in) :: self
    type(gpuarr_graph_exec), intent(inout) :: exec
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    call exec%release()
    state%status = gpuarr_graph_instantiate_c(exec%handle, self%handle)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Drop the reference. More than once is fine. Thread-safe.
  impure elemental subroutine graph_release(self)
    class(gpuarr_graph), intent(inout) :: self
    if (c_associated(self%handle)) call gpuarr_graph_release_c(self%handle)
    self%handle = c_null_ptr
  end subroutine

  !> Whether this holds a graph. Thread-safe.
  elemental logical function graph_is_set(self)
    class(gpuarr_graph), intent(in) :: self
    graph_is_set = c_associated(self%handle)
  end function

  !> The gpuarr_graph* for calls of gpuarr_c, borrowed. Thread-safe.
  pure function graph_c_handle(self) result(handle)
    class(gpuarr_graph), intent(in) :: self
    type(c_ptr) :: handle
    handle = self%handle
  end function

  !> Take over a reference to a gpuarr_graph* that a call of gpuarr_c made.
  subroutine graph_adopt(self, handle)
    class(gpuarr_graph), intent(inout) :: self
    type(c_ptr), intent(in) :: handle
    call self%release()
    self%handle = handle
  end subroutine

  impure elemental subroutine graph_assign(self, other)
    class(gpuarr_graph), intent(inout) :: self
    type(gpuarr_graph), intent(in) :: other
    type(c_ptr) :: held
    held = gpuarr_graph_retain_c(other%handle)
    call self%release()
    self%handle = held
  end subroutine

  impure elemental subroutine graph_final(self)
    type(gpuarr_graph), intent(inout) :: self
    call self%release()
  end subroutine

  !> Do the graph's work once more, after the stream's earlier work and earlier launches of this.
  !> @param stream  a stream of the graph's device; the current one without it
  !> Fails with GPUARR_ERR_ARGUMENT, GPUARR_ERR_DEVICE, GPUARR_ERR_DRIVER. Not two at a time on the
  !> same one.
  subroutine exec_launch(self, stream, stat, errmsg)
    class(gpuarr_graph_exec), intent(in) :: self
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    call check_stream(stream, state)
    if (is_ok(state)) state%status = gpuarr_graph_exec_launch_c(self%handle, stream_handle(stream))
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Take another graph's arrays and numbers for later launches: cheaper than another instantiate.
  !> @param graph  of the same calls in the same order, maybe with other arguments
  !> Fails with GPUARR_ERR_ARGUMENT (the graph is another one; this is as it was),
  !> GPUARR_ERR_DEVICE, GPUARR_ERR_DRIVER. Not two at a time on the same one.
  subroutine exec_update(self, graph, stat, errmsg)
    class(gpuarr_graph_exec), intent(in) :: self
    type(gpuarr_graph), intent(in) :: graph
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    state%status = gpuarr_graph_exec_update_c(self%handle, graph%handle)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Drop the reference; launches that are under way are still done. More than once is fine.
  !> Thread-safe.
  impure elemental subroutine exec_release(self)
    class(gpuarr_graph_exec), intent(inout) :: self
    if (c_associated(self%handle)) call gpuarr_graph_exec_release_c(self%handle)
    self%handle = c_null_ptr
  end subroutine

  !> Whether this holds one. Thread-safe.
  elemental logical function exec_is_set(self)
    class(gpuarr_graph_exec), intent(in) :: self
    exec_is_set = c_associated(self%handle)
  end function

  !> The gpuarr_graph_exec* for calls of gpuarr_c, borrowed. Thread-safe.
  pure function exec_c_handle(self) result(handle)
    class(gpuarr_graph_exec), intent(in) :: self
    type(c_ptr) :: handle
    handle = self%handle
  end function

  !> Take over a reference to a gpuarr_graph_exec* that a call of gpuarr_c made.
  subroutine exec_adopt(self, handle)
    class(gpuarr_graph_exec), intent(inout) :: self
    type(c_ptr), intent(in) :: handle
    call self%release()
    self%handle = handle
  end subroutine

  impure elemental subroutine exec_assign(self, other)
    class(gpuarr_graph_exec), intent(inout) :: self
    type(gpuarr_graph_exec), intent(in) :: other
    type(c_ptr) :: held
    held = gpuarr_graph_exec_retain_c(other%handle)
    call self%release()
    self%handle = held
  end subroutine

  impure elemental subroutine exec_final(self)
    type(gpuarr_graph_exec), intent(inout) :: self
    call self%release()
  end subroutine

end module
