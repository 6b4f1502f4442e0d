!> Scans: running results along a dim, with an operator of your own.
module gpuarr_scans
  use, intrinsic :: iso_c_binding
  use gpuarr_arguments
  use gpuarr_arrays
  use gpuarr_c
  use gpuarr_errors
  use gpuarr_expressions
  use gpuarr_options
  use gpuarr_scalars
  use gpuarr_streams
  implicit none
  private
  public :: gpuarr_scan

  !> A scan, immutable: it is compiled when it is first called with a combination of dtypes and
  !> layouts. An assignment makes another reference to the same scan.
  type :: gpuarr_scan
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: create => scan_create
    procedure, private :: call_each, call_all
    !> Scan arrays along a dim: `call scan%call(y, x, dim=1)`.
    generic :: call => call_each, call_all
    procedure :: release => scan_release
    procedure :: is_set => scan_is_set
    procedure :: c_handle => scan_c_handle
    procedure :: adopt => scan_adopt
    procedure, private :: scan_assign
    generic :: assignment(=) => scan_assign
    final :: scan_final
  end type

contains

  !> Make a scan: along a dim, result k is post(reduce(map(x1), map(x2), ... map(xk))). The texts
  !> are described in gpuarr/scan.h; indices in them count from 0.
  !> @param in_params    the inputs, "T x"
  !> @param out_params   the outputs, "T y"
  !> @param map          an expression of the inputs
  !> @param reduce       an expression of a, which lies before b, and of b
  !> @param post         statements that set the outputs from a
  !> @param identity     an expression; without it there are no exclusive scans
  !> @param name         the kernel's name, for messages and profilers
  !> @param preamble     text that stands before the kernel: functions, types, constants
  !> @param reduce_type  type of what is scanned
  !> @param options      options of the compiler, ["-DN=4"]
  !> Fails with GPUARR_ERR_ARGUMENT, GPUARR_ERR_SYNTAX, GPUARR_ERR_TYPE; texts that do not compile
  !> fail when it is called. Thread-safe.
  subroutine scan_create(self, in_params, out_params, map, reduce, post, identity, name, preamble, &
                         reduce_type, options, stat, errmsg)
    class(gpuarr_scan), intent(inout) :: self
    character(*), intent(in) :: in_params, out_params, map, reduce, post
    character(*), intent(in), optional :: identity, name, preamble, reduce_type, options(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    character(:), allocatable :: first  ! left out where it is not allocated
    type(c_ptr) :: made
    call self%release()
    if (present(identity)) first = c_text(identity)
    state%status = make_options(made, name, preamble, reduce_type=reduce_type, options=options)
    if (is_ok(state)) state%status = gpuarr_scan_create_c(self%handle, c_text(in_params), &
        c_text(out_params), c_text(map), c_text(reduce), c_text(post), first, made)
    call gpuarr_kernel_options_release_c(made)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Scan, with inputs one by one.
  !> @param out        the output; one that is not set is made, in the memory order of the inputs
  !> @param a1 ...     arrays, results, scalars: an input for each parameter
  !> @param dim        the dim to scan along, the first without it
  !> @param exclusive  .true. for results without their own element
  !> @param stream     stream to work in; the current one of the arrays' device without it
  !> Fails with what gpuarr_scan_call fails with.
  subroutine call_each(self, out, a1, a2, a3, a4, dim, exclusive, stream, stat, errmsg)
    class(gpuarr_scan), intent(in) :: self
    type(gpuarr_array), intent(inout) :: out
    class(*), intent(in) :: a1
    class(*), intent(in), optional :: a2, a3, a4
    integer, intent(in), optional :: dim
    logical, intent(in), optional :: exclusive
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(gpuarr_arg_c) :: inputs(4)
    type(c_ptr) :: made(1)
    made(1) = out%c_handle()
    inputs = [argument_of(a1), argument_of(a2), argument_of(a3), argument_of(a4)]
    call run(self, made, inputs(:count([.true., present(a2), present(a3), present(a4)])), dim, &
             exclusive, stream, state)
    call let_go(a1)
    call let_go(a2)
    call let_go(a3)
    call let_go(a4)
    call keep(out, made(1))
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Scan with any number of outputs, and inputs of `arg`.
  subroutine call_all(self, outs, inputs, dim, exclusive, stream, stat, errmsg)
    class(gpuarr_scan), intent(in) :: self
    type(gpuarr_array), intent(inout) :: outs(:)
    type(gpuarr_arg), intent(in) :: inputs(:)
    integer, intent(in), optional :: dim
    logical, intent(in), optional :: exclusive
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: made(size(outs))
    integer :: k
    do k = 1, size(outs)
      made(k) = outs(k)%c_handle()
    end do
    call run(self, made, inputs%c, dim, exclusive, stream, state)
    do k = 1, size(outs)
      call keep(outs(k), made(k))
    end do
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  subroutine run(self, outputs, inputs, dim, exclusive, stream, state)
    type(gpuarr_scan), intent(in) :: self
    type(c_ptr), intent(inout) :: outputs(:)
    type(gpuarr_arg_c), intent(in) :: inputs(:)
    integer, intent(in), optional :: dim
    logical, intent(in), optional :: exclusive
    type(gpuarr_stream), intent(in), optional :: stream
    type(call_state), intent(inout) :: state
    integer(c_int32_t) :: axis
    call check_stream(stream, state)
    call to_axis(axis, 1, dim, state)
    if (is_ok(state)) state%status = gpuarr_scan_call_c(self%handle, outputs, &
        size(outputs, kind=c_int32_t), inputs, size(inputs, kind=c_int32_t), axis, &
        flag(exclusive), stream_handle(stream))
  end subroutine

  !> Drop the reference. More than once is fine. Thread-safe.
  impure elemental subroutine scan_release(self)
    class(gpuarr_scan), intent(inout) :: self
    if (c_associated(self%handle)) call gpuarr_scan_release_c(self%handle)
    self%handle = c_null_ptr
  end subroutine

  !> Whether this holds a scan. Thread-safe.
  elemental logical function scan_is_set(self)
    class(gpuarr_scan), intent(in) :: self
    scan_is_set = c_associated(self%handle)
  end function

  !> The gpuarr_scan* for calls of gpuarr_c, borrowed. Thread-safe.
  pure function scan_c_handle(self) result(handle)
    class(gpuarr_scan), intent(in) :: self
    type(c_ptr) :: handle
    handle = self%handle
  end function

  !> Take over a reference to a gpuarr_scan* that a call of gpuarr_c made.
  subroutine scan_adopt(self, handle)
    class(gpuarr_scan), intent(inout) :: self
    type(c_ptr), intent(in) :: handle
    call self%release()
    self%handle = handle
  end subroutine

  impure elemental subroutine scan_assign(self, other)
    class(gpuarr_scan), intent(inout) :: self
    type(gpuarr_scan), intent(in) :: other
    type(c_ptr) :: held
    held = gpuarr_scan_retain_c(other%handle)
    call self%release()
    self%handle = held
  end subroutine

  impure elemental subroutine scan_final(self)
    type(gpuarr_scan), intent(inout) :: self
    call self%release()
  end subroutine

end module
