!> Calls with their arguments, made ready in advance, to be launched many times.
module gpuarr_calls
  use, intrinsic :: iso_c_binding
  use gpuarr_c
  use gpuarr_errors
  use gpuarr_scalars
  use gpuarr_streams
  implicit none
  private
  public :: gpuarr_call

  !> A call that `prepare` of a kernel made. It keeps its kernel and arrays alive. An assignment
  !> makes another reference to the same call.
  type :: gpuarr_call
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: launch => call_launch
    procedure :: set_scalar => call_set_scalar
    procedure :: release => call_release
    procedure :: is_set => call_is_set
    procedure :: c_handle => call_c_handle
    procedure :: adopt => call_adopt
    procedure, private :: call_assign
    generic :: assignment(=) => call_assign
    final :: call_final
  end type

contains

  !> Launch the call.
  !> @param stream  stream of its device; the current one without it
  !> Fails with GPUARR_ERR_ARGUMENT, GPUARR_ERR_DEVICE, GPUARR_ERR_DRIVER, GPUARR_ERR_FAULT, and of
  !> a raw kernel as its `launch`. Thread-safe as far as the arrays allow.
  subroutine call_launch(self, stream, stat, errmsg)
    class(gpuarr_call), intent(in) :: self
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    call check_stream(stream, state)
    if (is_ok(state)) state%status = gpuarr_call_launch_c(self%handle, stream_handle(stream))
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Replace a scalar input.
  !> @param input  which input of the kernel, from 1; it was given as a scalar
  !> @param value  a scalar that the parameter's type can hold, or a result of `arg`
  !> Fails with GPUARR_ERR_ARGUMENT, GPUARR_ERR_DTYPE. Not two at a time on the same call.
  subroutine call_set_scalar(self, input, value, stat, errmsg)
    class(gpuarr_call), intent(in) :: self
    integer, intent(in) :: input
    class(*), intent(in) :: value
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(gpuarr_arg) :: a
    a = scalar_arg(value)
    state%status = gpuarr_call_set_scalar_c(self%handle, int(input - 1, c_int32_t), a%c)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Drop the reference. More than once is fine. Thread-safe.
  impure elemental subroutine call_release(self)
    class(gpuarr_call), intent(inout) :: self
    if (c_associated(self%handle)) call gpuarr_call_release_c(self%handle)
    self%handle = c_null_ptr
  end subroutine

  !> Whether this holds a call. Thread-safe.
  elemental logical function call_is_set(self)
    class(gpuarr_call), intent(in) :: self
    call_is_set = c_associated(self%handle)
  end function

  !> The gpuarr_call* for calls of gpuarr_c, borrowed. Thread-safe.
  pure function call_c_handle(self) result(handle)
    class(gpuarr_call), intent(in) :: self
    type(c_ptr) :: handle
    handle = self%handle
  end function

  !> Take over a reference to a gpuarr_call* that a call of gpuarr_c made.
  subroutine call_adopt(self, handle)
    class(gpuarr_call), intent(inout) :: self
    type(c_ptr), intent(in) :: handle
    call self%release()
    self%handle = handle
  end subroutine

  impure elemental subroutine call_assign(self, other)
    class(gpuarr_call), intent(inout) :: self
    type(gpuarr_call), intent(in) :: other
    type(c_ptr) :: held
    held = gpuarr_call_retain_c(other%handle)
    call self%release()
    self%handle = held
  end subroutine

  impure elemental subroutine call_final(self)
    type(gpuarr_call), intent(inout) :: self
    call self%release()
  end subroutine

end module
