!> Raw kernels: __global__ functions, launched with arguments that are checked.
module gpuarr_raw_kernels
  use, intrinsic :: iso_c_binding
  use gpuarr_arguments
  use gpuarr_c
  use gpuarr_calls
  use gpuarr_devices
  use gpuarr_errors
  use gpuarr_options
  use gpuarr_scalars
  use gpuarr_streams
  implicit none
  private
  public :: gpuarr_raw

  !> A kernel of a module. Arrays go to it as pointers to their first element: in Fortran's order
  !> element (i, j) of an array with m rows is x[(i-1) + (j-1)*m] there. An assignment makes another
  !> reference to the same kernel.
  type :: gpuarr_raw
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: create => raw_create
    procedure, private :: launch_each, launch_list, launch_1d_each, launch_1d_list
    !> Launch the kernel: `call kernel%launch([n / 256], [256], x, y, n)`.
    generic :: launch => launch_each, launch_list
    !> Launch a thread for each of n elements: `call kernel%launch_1d(n, x, y, n)`.
    generic :: launch_1d => launch_1d_each, launch_1d_list
    procedure, private :: prepare_each, prepare_list
    !> Check and lay out a launch, to be done many times.
    generic :: prepare => prepare_each, prepare_list
    procedure :: signature => raw_signature
    procedure :: attribute => raw_attribute
    procedure :: set_attribute => raw_set_attribute
    procedure :: occupancy => raw_occupancy
    procedure :: best_block => raw_best_block
    procedure :: release => raw_release
    procedure :: is_set => raw_is_set
    procedure :: c_handle => raw_c_handle
    procedure :: adopt => raw_adopt
    procedure, private :: raw_assign
    generic :: assignment(=) => raw_assign
    final :: raw_final
  end type

contains

  !> Make a raw kernel from its text.
  !> @param source    CUDA C++, copied
  !> @param name      the kernel's name, or a template expression, "scale<float, 4>"
  !> @param params    what the parameters are, to be checked at each launch: "const float* x, int n"
  !> @param preamble  text that stands before the source
  !> @param options   options of the compiler, ["-DN=4"]
  !> @param checks    GPUARR_CHECK_MEMORY, ..._RACE, ..._SYNC added up: what is checked as it runs
  !> Fails with GPUARR_ERR_ARGUMENT, GPUARR_ERR_SYNTAX; a text that does not compile fails when it
  !> is used. Thread-safe.
  subroutine raw_create(self, source, name, params, preamble, options, checks, stat, errmsg)
    class(gpuarr_raw), intent(inout) :: self
    character(*), intent(in) :: source, name
    character(*), intent(in), optional :: params, preamble, options(:)
    integer, intent(in), optional :: checks
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    character(:), allocatable :: declared  ! left out where it is not allocated
    type(c_ptr) :: made
    call self%release()
    if (present(params)) declared = c_text(params)
    state%status = make_options(made, preamble=preamble, options=options, checks=checks)
    if (is_ok(state)) state%status = gpuarr_raw_create_c(self%handle, c_text(source), &
        c_text(name), declared, made)
    call gpuarr_kernel_options_release_c(made)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Launch the kernel, with arguments one by one.
  !> @param grid          blocks along x, y, z: one to three numbers
  !> @param block         threads of a block along x, y, z: one to three numbers
  !> @param a1 ...        arrays, scalars of just the parameter's kind, results of `arg`,
  !>                      `arg_view`, `arg_bytes`, `arg_pointer`: one for each parameter
  !> @param shared_bytes  dynamic shared memory of a block; 0 without it
  !> @param stream        stream to work in; the current one of the arrays' device without it
  !> Fails with GPUARR_ERR_ARGUMENT (counts, sizes, grid, block), GPUARR_ERR_DTYPE,
  !> GPUARR_ERR_COMPILE, GPUARR_ERR_NOT_FOUND and others of gpuarr_raw_launch. On the CPU what the
  !> kernel did wrong is the status; on a GPU it shows at a later call. Thread-safe as far as the
  !> arrays allow.
  subroutine launch_each(self, grid, block, a1, a2, a3, a4, a5, a6, a7, a8, shared_bytes, stream, &
                         stat, errmsg)
    class(gpuarr_raw), intent(in) :: self
    integer, intent(in) :: grid(:), block(:)
    class(*), intent(in), optional :: a1, a2, a3, a4, a5, a6, a7, a8
    integer, intent(in), optional :: shared_bytes
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    integer(c_int64_t), target :: room(argument_words)
    type(gpuarr_arg_c), pointer, contiguous :: arguments(:)
    integer(c_int32_t) :: count
    logical :: results
    call gather(arguments, room, count, results, a1, a2, a3, a4, a5, a6, a7, a8)
    call run(self, grid, block, arguments(:count), shared_bytes, stream, state)
    if (results) call let_go_each(a1, a2, a3, a4, a5, a6, a7, a8)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> The same with arguments of `arg`, any number of them.
  subroutine launch_list(self, grid, block, arguments, shared_bytes, stream, stat, errmsg)
    class(gpuarr_raw), intent(in) :: self
    integer, intent(in) :: grid(:), block(:)
    type(gpuarr_arg), intent(in) :: arguments(:)
    integer, intent(in), optional :: shared_bytes
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    call run(self, grid, block, arguments%c, shared_bytes, stream, state)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  subroutine run(self, grid, block, arguments, shared_bytes, stream, state)
    type(gpuarr_raw), intent(in) :: self
    integer, intent(in) :: grid(:), block(:)
    type(gpuarr_arg_c), intent(in) :: arguments(:)
    integer, intent(in), optional :: shared_bytes
    type(gpuarr_stream), intent(in), optional :: stream
    type(call_state), intent(inout) :: state
    call check_stream(stream, state)
    call check_three("launch", grid, block, state)
    if (is_ok(state)) state%status = gpuarr_raw_launch_c(self%handle, three(grid), three(block), &
        bytes_of(shared_bytes), arguments, size(arguments, kind=c_int32_t), &
        stream_handle(stream))
  end subroutine

  !> Launch at least one thread for each of n elements, in blocks as occupancy advises. Threads past
  !> the last element have to return.
  !> @param n  number of elements, an integer of any kind
  !> Other arguments and errors as `launch`.
  subroutine launch_1d_each(self, n, a1, a2, a3, a4, a5, a6, a7, a8, stream, stat, errmsg)
    class(gpuarr_raw), intent(in) :: self
    class(*), intent(in) :: n
    class(*), intent(in), optional :: a1, a2, a3, a4, a5, a6, a7, a8
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    integer(c_int64_t), target :: room(argument_words)
    type(gpuarr_arg_c), pointer, contiguous :: arguments(:)
    integer(c_int32_t) :: count
    logical :: results
    call gather(arguments, room, count, results, a1, a2, a3, a4, a5, a6, a7, a8)
    call run_1d(self, n, arguments(:count), stream, state)
    if (results) call let_go_each(a1, a2, a3, a4, a5, a6, a7, a8)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> The same with arguments of `arg`, any number of them.
  subroutine launch_1d_list(self, n, arguments, stream, stat, errmsg)
    class(gpuarr_raw), intent(in) :: self
    class(*), intent(in) :: n
    type(gpuarr_arg), intent(in) :: arguments(:)
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    call run_1d(self, n, arguments%c, stream, state)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  subroutine run_1d(self, n, arguments, stream, state)
    type(gpuarr_raw), intent(in) :: self
    class(*), intent(in) :: n
    type(gpuarr_arg_c), intent(in) :: arguments(:)
    type(gpuarr_stream), intent(in), optional :: stream
    type(call_state), intent(inout) :: state
    integer(c_int64_t) :: elements
    call check_stream(stream, state)
    call whole(elements, n, 0_c_int64_t, "gpuarr_raw%launch_1d: n", state)
    if (is_ok(state)) state%status = gpuarr_raw_launch_1d_c(self%handle, elements, arguments, &
        size(arguments, kind=c_int32_t), stream_handle(stream))
  end subroutine

  !> Check and lay out a launch, and compile what it needs.
  !> @param prepared  the call; its set_scalar counts the kernel's parameters as inputs
  !> @param device    the device; that of the arrays without it, or the default one
  !> Other arguments and errors as `launch`. Thread-safe.
  subroutine prepare_each(self, prepared, grid, block, a1, a2, a3, a4, a5, a6, a7, a8, &
                          shared_bytes, device, stat, errmsg)
    class(gpuarr_raw), intent(in) :: self
    type(gpuarr_call), intent(inout) :: prepared
    integer, intent(in) :: grid(:), block(:)
    class(*), intent(in), optional :: a1, a2, a3, a4, a5, a6, a7, a8
    integer, intent(in), optional :: shared_bytes
    type(gpuarr_device), intent(in), optional :: device
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    integer(c_int64_t), target :: room(argument_words)
    type(gpuarr_arg_c), pointer, contiguous :: arguments(:)
    integer(c_int32_t) :: count
    logical :: results
    call gather(arguments, room, count, results, a1, a2, a3, a4, a5, a6, a7, a8)
    call lay_out(self, prepared, grid, block, arguments(:count), shared_bytes, device, state)
    if (results) call let_go_each(a1, a2, a3, a4, a5, a6, a7, a8)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> The same with arguments of `arg`, any number of them.
  subroutine prepare_list(self, prepared, grid, block, arguments, shared_bytes, device, stat, &
                          errmsg)
    class(gpuarr_raw), intent(in) :: self
    type(gpuarr_call), intent(inout) :: prepared
    integer, intent(in) :: grid(:), block(:)
    type(gpuarr_arg), intent(in) :: arguments(:)
    integer, intent(in), optional :: shared_bytes
    type(gpuarr_device), intent(in), optional :: device
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    call lay_out(self, prepared, grid, block, arguments%c, shared_bytes, device, state)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  subroutine lay_out(self, prepared, grid, block, arguments, shared_bytes, device, state)
    type(gpuarr_raw), intent(in) :: self
    type(gpuarr_call), intent(inout) :: prepared
    integer, intent(in) :: grid(:), block(:)
    type(gpuarr_arg_c), intent(in) :: arguments(:)
    integer, intent(in), optional :: shared_bytes
    type(gpuarr_device), intent(in), optional :: device
    type(call_state), intent(inout) :: state
    type(c_ptr) :: made
    made = c_null_ptr
    call check_device(device, state)
    call check_three("prepare", grid, block, state)
    if (is_ok(state)) state%status = gpuarr_raw_prepare_c(made, self%handle, three(grid), &
        three(block), bytes_of(shared_bytes), arguments, size(arguments, kind=c_int32_t), &
        device_handle(device))
    call prepared%adopt(made)
  end subroutine

  !> Show what is known of the kernel's parameters.
  !> @param text    "saxpy(float a, const float* x, float* y, int n)"; "" on failure
  !> @param device  the default one without it
  !> Fails as gpuarr_module%build, and with GPUARR_ERR_NOT_FOUND, GPUARR_ERR_ARGUMENT. Thread-safe.
  subroutine raw_signature(self, text, device, stat, errmsg)
    class(gpuarr_raw), intent(in) :: self
    character(:), allocatable, intent(out) :: text
    type(gpuarr_device), intent(in), optional :: device
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: shown
    shown = c_null_ptr
    text = ""
    call check_device(device, state)
    if (is_ok(state)) state%status = gpuarr_raw_signature_c(shown, self%handle, &
        device_handle(device))
    text = f_text(shown)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Read an attribute of the kernel.
  !> @param value      the value; 0 on failure
  !> @param attribute  GPUARR_ATTRIBUTE_MAX_THREADS, ...
  !> @param device     the default one without it
  !> Fails as `signature`, and with GPUARR_ERR_UNSUPPORTED. Thread-safe.
  subroutine raw_attribute(self, value, attribute, device, stat, errmsg)
    class(gpuarr_raw), intent(in) :: self
    integer(c_int64_t), intent(out) :: value
    integer, intent(in) :: attribute
    type(gpuarr_device), intent(in), optional :: device
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    value = 0
    call check_device(device, state)
    if (is_ok(state)) state%status = gpuarr_raw_attribute_c(value, self%handle, int(attribute, &
        c_int32_t), &
        device_handle(device))
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Set an attribute of the kernel, for the launches that follow.
  !> @param attribute  GPUARR_ATTRIBUTE_COOPERATIVE or another that is settable
  !> @param value      the value
  !> Fails with GPUARR_ERR_ARGUMENT; whether a device can do it shows at the next call for it.
  !> Thread-safe.
  subroutine raw_set_attribute(self, attribute, value, stat, errmsg)
    class(gpuarr_raw), intent(in) :: self
    integer, intent(in) :: attribute, value
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    state%status = gpuarr_raw_set_attribute_c(self%handle, int(attribute, c_int32_t), &
        int(value, c_int64_t))
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> How many blocks a processor of the device runs at the same time.
  !> @param blocks   the number; 0 on failure
  !> @param threads  of a block
  !> Other arguments as `launch`; fails as `signature`. Thread-safe.
  subroutine raw_occupancy(self, blocks, threads, shared_bytes, device, stat, errmsg)
    class(gpuarr_raw), intent(in) :: self
    integer(c_int32_t), intent(out) :: blocks
    integer, intent(in) :: threads
    integer, intent(in), optional :: shared_bytes
    type(gpuarr_device), intent(in), optional :: device
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    blocks = 0
    call check_device(device, state)
    if (is_ok(state)) state%status = gpuarr_raw_occupancy_c(blocks, self%handle, int(threads, &
        c_int32_t), &
        bytes_of(shared_bytes), device_handle(device))
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> How many threads in a block fill the device best.
  !> @param threads  the number; 0 on failure
  !> Other arguments as `launch`; fails as `signature`. Thread-safe.
  subroutine raw_best_block(self, threads, shared_bytes, device, stat, errmsg)
    class(gpuarr_raw), intent(in) :: self
    integer(c_int32_t), intent(out) :: threads
    integer, intent(in), optional :: shared_bytes
    type(gpuarr_device), intent(in), optional :: device
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    threads = 0
    call check_device(device, state)
    if (is_ok(state)) state%status = gpuarr_raw_best_block_c(threads, self%handle, &
        bytes_of(shared_bytes), &
        device_handle(device))
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Drop the reference. More than once is fine. Thread-safe.
  impure elemental subroutine raw_release(self)
    class(gpuarr_raw), intent(inout) :: self
    if (c_associated(self%handle)) call gpuarr_raw_release_c(self%handle)
    self%handle = c_null_ptr
  end subroutine

  !> Whether this holds a kernel. Thread-safe.
  elemental logical function raw_is_set(self)
    class(gpuarr_raw), intent(in) :: self
    raw_is_set = c_associated(self%handle)
  end function

  !> The gpuarr_raw* for calls of gpuarr_c, borrowed. Thread-safe.
  pure function raw_c_handle(self) result(handle)
    class(gpuarr_raw), intent(in) :: self
    type(c_ptr) :: handle
    handle = self%handle
  end function

  !> Take over a reference to a gpuarr_raw* that a call of gpuarr_c made.
  subroutine raw_adopt(self, handle)
    class(gpuarr_raw), intent(inout) :: self
    type(c_ptr), intent(in) :: handle
    call self%release()
    self%handle = handle
  end subroutine

  impure elemental subroutine raw_assign(self, other)
    class(gpuarr_raw), intent(inout) :: self
    type(gpuarr_raw), intent(in) :: other
    type(c_ptr) :: held
    held = gpuarr_raw_retain_c(other%handle)
    call self%release()
    self%handle = held
  end subroutine

  impure elemental subroutine raw_final(self)
    type(gpuarr_raw), intent(inout) :: self
    call self%release()
  end subroutine

end module
