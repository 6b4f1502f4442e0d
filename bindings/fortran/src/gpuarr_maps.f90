!> Elemental procedures that `gpuarr fortran` made kernels of: functions are parts of expressions,
!> subroutines are called.
module gpuarr_maps
  use, intrinsic :: iso_c_binding
  use gpuarr_arguments
  use gpuarr_arrays
  use gpuarr_c
  use gpuarr_errors
  use gpuarr_expressions
  use gpuarr_locks
  use gpuarr_options
  use gpuarr_streams
  implicit none
  private
  public :: gpuarr_map, gpuarr_map_call

  integer, parameter :: most_inputs = 32, most_outputs = 16

  !> An elementwise kernel, and the texts that it is made of when it is first used. A variable of a
  !> module, which several threads may call.
  type :: gpuarr_map
    private
    type(c_ptr) :: kernel = c_null_ptr
  contains
    procedure :: of => kernel_of
  end type

  !> A call that is being put together: the inputs in their order, and the outputs.
  type :: gpuarr_map_call
    private
    type(call_state), public :: state
    type(c_ptr) :: device = c_null_ptr
    integer :: inputs = 0, outputs = 0
    type(c_ptr) :: nodes(most_inputs)
    type(gpuarr_arg_c) :: arguments(most_inputs)
    type(c_ptr) :: arrays(most_outputs)
  contains
    procedure :: operand => add_operand
    procedure :: input => add_input
    procedure :: output => add_output
    procedure :: build
    procedure :: run
    procedure :: keep_output
  end type

contains

  !> The kernel, made where it is not there yet.
  subroutine kernel_of(self, kernel, inputs, outputs, body, preamble, name, state)
    class(gpuarr_map), intent(inout) :: self
    type(c_ptr), intent(out) :: kernel
    character(*), intent(in) :: inputs, outputs, body, preamble, name
    type(call_state), intent(inout) :: state
    type(c_ptr) :: options, made
    kernel = self%kernel
    if (c_associated(kernel) .or. .not. is_ok(state)) return
    made = c_null_ptr
    state%status = make_options(options, name=name, preamble=preamble)
    if (is_ok(state)) state%status = gpuarr_elementwise_create_c(made, c_text(inputs), &
        c_text(outputs), c_text(body), options)
    call gpuarr_kernel_options_release_c(options)
    if (.not. is_ok(state)) return
    call publish(self%kernel, made, kernel)
    if (.not. c_associated(kernel, made)) call gpuarr_elementwise_release_c(made)
  end subroutine

  ! Functions: nodes of an expression.

  !> Add an array, an expression or a scalar, which is an input.
  subroutine add_operand(self, value)
    class(gpuarr_map_call), intent(inout) :: self
    class(*), intent(in) :: value
    self%inputs = self%inputs + 1
    call hold(self%nodes(self%inputs), self%device, value, self%state)
    call let_go(value)
  end subroutine

  !> Make an expression of the kernel; a failure is an error stop.
  subroutine build(self, made, kernel)
    class(gpuarr_map_call), intent(inout) :: self
    type(gpuarr_result), intent(out) :: made
    type(c_ptr), intent(in) :: kernel
    type(c_ptr) :: outs(1)
    integer :: k
    outs = c_null_ptr
    if (is_ok(self%state)) self%state%status = gpuarr_expr_elementwise_c(outs, 1, kernel, &
        self%nodes, int(self%inputs, c_int32_t))
    do k = 1, self%inputs
      call gpuarr_expr_release_c(self%nodes(k))
    end do
    call finish(self%state)
    made = make_formula(outs(1), self%device)
  end subroutine

  ! Subroutines: calls.

  !> Add an input: an array, an expression, which is computed, or a scalar.
  subroutine add_input(self, value)
    class(gpuarr_map_call), intent(inout) :: self
    class(*), intent(in) :: value
    self%inputs = self%inputs + 1
    self%arguments(self%inputs) = argument_of(value)
  end subroutine

  !> Add an output, which is made where it is not set.
  subroutine add_output(self, array)
    class(gpuarr_map_call), intent(inout) :: self
    type(gpuarr_array), intent(in) :: array
    self%outputs = self%outputs + 1
    self%arrays(self%outputs) = array%c_handle()
  end subroutine

  !> Run the kernel.
  subroutine run(self, kernel, stream)
    class(gpuarr_map_call), intent(inout) :: self
    type(c_ptr), intent(in) :: kernel
    type(gpuarr_stream), intent(in), optional :: stream
    call check_stream(stream, self%state)
    if (is_ok(self%state)) self%state%status = gpuarr_elementwise_call_c(kernel, self%arrays, &
        int(self%outputs, c_int32_t), self%arguments, int(self%inputs, c_int32_t), &
        GPUARR_NO_SIZE, stream_handle(stream))
  end subroutine

  !> Take over output k, where the call made it.
  subroutine keep_output(self, k, array)
    class(gpuarr_map_call), intent(inout) :: self
    integer, intent(in) :: k
    type(gpuarr_array), intent(inout) :: array
    call keep(array, self%arrays(k))
  end subroutine

end module
