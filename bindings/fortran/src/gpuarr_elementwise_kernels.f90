!> Elementwise kernels: a body of CUDA C++, run for every element.
module gpuarr_elementwise_kernels
  use, intrinsic :: iso_c_binding
  use gpuarr_arguments
  use gpuarr_arrays
  use gpuarr_c
  use gpuarr_calls
  use gpuarr_errors
  use gpuarr_options
  use gpuarr_scalars
  use gpuarr_streams
  implicit none
  private
  public :: gpuarr_elementwise

  !> An elementwise kernel, immutable: it is compiled when it is first called with a combination of
  !> dtypes and layouts. An assignment makes another reference to the same kernel.
  type :: gpuarr_elementwise
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: create => elementwise_create
    procedure, private :: call_each, call_0, call_1, call_2, call_3, call_4, call_all
    !> Run the kernel over arrays: `call kernel%call(z, x, y, 2.0)`.
    generic :: call => call_each, call_0, call_1, call_2, call_3, call_4, call_all
    procedure, private :: prepare_each, prepare_1, prepare_all
    !> Check and lay out a call, to be launched many times.
    generic :: prepare => prepare_each, prepare_1, prepare_all
    procedure :: release => elementwise_release
    procedure :: is_set => elementwise_is_set
    procedure :: c_handle => elementwise_c_handle
    procedure :: adopt => elementwise_adopt
    procedure, private :: elementwise_assign
    generic :: assignment(=) => elementwise_assign
    final :: elementwise_final
  end type

contains

  !> Make an elementwise kernel. The grammar is in gpuarr/elementwise.h; indices in the body count
  !> from 0, and x(i, j) there is element (i+1, j+1) here.
  !> @param in_params   the inputs, "T x, float64 a"; "" for none
  !> @param out_params  the outputs, "T z"; "" for none
  !> @param body        CUDA C++ statements, "z = a * x;"
  !> @param name        the kernel's name, for messages and profilers
  !> @param preamble    text that stands before the kernel: functions, types, constants
  !> @param loop_prep   statements before a thread's first element
  !> @param after_loop  statements after its last one
  !> @param options     options of the compiler, ["-DN=4"]
  !> Texts are copied; trailing blanks do not count. Fails with GPUARR_ERR_ARGUMENT,
  !> GPUARR_ERR_SYNTAX, GPUARR_ERR_TYPE; a body that does not compile fails when it is called.
  !> Thread-safe.
  subroutine elementwise_create(self, in_params, out_params, body, name, preamble, loop_prep, &
                                after_loop, options, stat, errmsg)
    class(gpuarr_elementwise), intent(inout) :: self
    character(*), intent(in) :: in_params, out_params, body
    character(*), intent(in), optional :: name, preamble, loop_prep, after_loop, options(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: made
    call self%release()
    state%status = make_options(made, name, preamble, loop_prep, after_loop, options=options)
    if (is_ok(state)) state%status = gpuarr_elementwise_create_c(self%handle, c_text(in_params), &
        c_text(out_params), c_text(body), made)
    call gpuarr_kernel_options_release_c(made)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Run the kernel, with inputs one by one.
  !> @param out     the output; one that is not set is made, in the memory order of the inputs
  !> @param a1 ...  arrays, scalars of any kind, results of `arg`: an input for each parameter.
  !>                Arrays must have their parameter's type, scalars are converted. They broadcast
  !>                together from the last dim on, as in NumPy
  !> @param size    number of elements, an integer: needed if and only if all arrays are raw
  !> @param stream  stream to work in; the current one of the arrays' device without it
  !> Fails with GPUARR_ERR_ARGUMENT (counts, an array that is not set), GPUARR_ERR_DTYPE,
  !> GPUARR_ERR_SHAPE, GPUARR_ERR_BROADCAST, GPUARR_ERR_COMPILE and others of
  !> gpuarr_elementwise_call. Thread-safe as far as the arrays allow.
  subroutine call_each(self, out, a1, a2, a3, a4, a5, a6, a7, a8, size, stream, stat, errmsg)
    class(gpuarr_elementwise), intent(in) :: self
    type(gpuarr_array), intent(inout) :: out
    class(*), intent(in), optional :: a1, a2, a3, a4, a5, a6, a7, a8, size
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    integer(c_int64_t), target :: room(argument_words)
    type(gpuarr_arg_c), pointer, contiguous :: inputs(:)
    type(c_ptr) :: given, outputs(1)
    integer(c_int32_t) :: count
    logical :: results
    call gather(inputs, room, count, results, a1, a2, a3, a4, a5, a6, a7, a8)
    given = out%c_handle()
    outputs(1) = given
    call run_plain(self, 1, outputs, count, inputs, size, stream, state)
    if (.not. c_associated(given)) call out%adopt(outputs(1))
    if (results) call let_go_each(a1, a2, a3, a4, a5, a6, a7, a8)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Run a kernel without outputs.
  subroutine call_0(self, inputs, size, stream, stat, errmsg)
    class(gpuarr_elementwise), intent(in) :: self
    type(gpuarr_arg), intent(in) :: inputs(:)
    class(*), intent(in), optional :: size
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: outputs(0)
    call run(self, 0, outputs, inputs, size, stream, state)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Run a kernel with one output; `inputs` are of `arg`: [arg(x), arg(2.0)].
  subroutine call_1(self, out, inputs, size, stream, stat, errmsg)
    class(gpuarr_elementwise), intent(in) :: self
    type(gpuarr_array), intent(inout) :: out
    type(gpuarr_arg), intent(in) :: inputs(:)
    class(*), intent(in), optional :: size
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    integer(c_int64_t), target :: room(argument_words)
    type(gpuarr_arg_c), pointer, contiguous :: plain(:)
    type(c_ptr) :: given, outputs(1)
    call copy_arguments(plain, room, inputs)
    given = out%c_handle()
    outputs(1) = given
    call run_plain(self, 1, outputs, ubound(inputs, 1), plain, size, stream, state)
    if (.not. c_associated(given)) call out%adopt(outputs(1))
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Run a kernel with two outputs.
  subroutine call_2(self, out1, out2, inputs, size, stream, stat, errmsg)
    class(gpuarr_elementwise), intent(in) :: self
    type(gpuarr_array), intent(inout) :: out1, out2
    type(gpuarr_arg), intent(in) :: inputs(:)
    class(*), intent(in), optional :: size
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: outputs(2)
    outputs = [out1%c_handle(), out2%c_handle()]
    call run(self, 2, outputs, inputs, size, stream, state)
    call keep(out1, outputs(1))
    call keep(out2, outputs(2))
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Run a kernel with three outputs.
  subroutine call_3(self, out1, out2, out3, inputs, size, stream, stat, errmsg)
    class(gpuarr_elementwise), intent(in) :: self
    type(gpuarr_array), intent(inout) :: out1, out2, out3
    type(gpuarr_arg), intent(in) :: inputs(:)
    class(*), intent(in), optional :: size
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: outputs(3)
    outputs = [out1%c_handle(), out2%c_handle(), out3%c_handle()]
    call run(self, 3, outputs, inputs, size, stream, state)
    call keep(out1, outputs(1))
    call keep(out2, outputs(2))
    call keep(out3, outputs(3))
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Run a kernel with four outputs.
  subroutine call_4(self, out1, out2, out3, out4, inputs, size, stream, stat, errmsg)
    class(gpuarr_elementwise), intent(in) :: self
    type(gpuarr_array), intent(inout) :: out1, out2, out3, out4
    type(gpuarr_arg), intent(in) :: inputs(:)
    class(*), intent(in), optional :: size
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: outputs(4)
    outputs = [out1%c_handle(), out2%c_handle(), out3%c_handle(), out4%c_handle()]
    call run(self, 4, outputs, inputs, size, stream, state)
    call keep(out1, outputs(1))
    call keep(out2, outputs(2))
    call keep(out3, outputs(3))
    call keep(out4, outputs(4))
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Run a kernel with its outputs in an array of arrays.
  subroutine call_all(self, outs, inputs, size, stream, stat, errmsg)
    class(gpuarr_elementwise), intent(in) :: self
    type(gpuarr_array), intent(inout) :: outs(:)
    type(gpuarr_arg), intent(in) :: inputs(:)
    class(*), intent(in), optional :: size
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: outputs(ubound(outs, 1))
    integer :: k
    outputs = [(outs(k)%c_handle(), k = 1, ubound(outs, 1))]
    call run(self, ubound(outs, 1), outputs, inputs, size, stream, state)
    do k = 1, ubound(outs, 1)
      call keep(outs(k), outputs(k))
    end do
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  subroutine run(self, output_count, outputs, inputs, size, stream, state)
    type(gpuarr_elementwise), intent(in) :: self
    integer(c_int32_t), intent(in) :: output_count
    type(c_ptr), intent(inout) :: outputs(output_count)
    type(gpuarr_arg), intent(in) :: inputs(:)
    class(*), intent(in), optional :: size
    type(gpuarr_stream), intent(in), optional :: stream
    type(call_state), intent(inout) :: state
    integer(c_int64_t), target :: room(argument_words)
    type(gpuarr_arg_c), pointer, contiguous :: plain(:)
    call copy_arguments(plain, room, inputs)
    call run_plain(self, output_count, outputs, ubound(inputs, 1), plain, size, stream, state)
  end subroutine

  !> This is called again and again: what is not there is passed by without a call.
  subroutine run_plain(self, output_count, outputs, input_count, inputs, size, stream, state)
    type(gpuarr_elementwise), intent(in) :: self
    integer(c_int32_t), intent(in) :: output_count, input_count
    type(c_ptr), intent(inout) :: outputs(output_count)
    type(gpuarr_arg_c), intent(in) :: inputs(input_count)
    class(*), intent(in), optional :: size
    type(gpuarr_stream), intent(in), optional :: stream
    type(call_state), intent(inout) :: state
    type(c_ptr) :: queue
    integer(c_int64_t) :: n
    n = GPUARR_NO_SIZE
    queue = c_null_ptr
    if (present(size)) &
      call whole(n, size, GPUARR_NO_SIZE, "gpuarr_elementwise%call: size", state)
    if (present(stream)) then
      call check_stream(stream, state)
      queue = stream%c_handle()
    end if
    if (state%status == GPUARR_OK) state%status = gpuarr_elementwise_call_c(self%handle, outputs, &
        output_count, inputs, input_count, n, queue)
  end subroutine

  !> Check and lay out a call, and compile what it needs.
  !> @param prepared  the call
  !> @param out       the output, which must be set and must not overlap an input elsewhere than at
  !>                  the same place (GPUARR_ERR_OVERLAP)
  !> Other arguments and errors as `call`. Thread-safe.
  subroutine prepare_each(self, prepared, out, a1, a2, a3, a4, a5, a6, a7, a8, size, stat, errmsg)
    class(gpuarr_elementwise), intent(in) :: self
    type(gpuarr_call), intent(inout) :: prepared
    type(gpuarr_array), intent(in) :: out
    class(*), intent(in), optional :: a1, a2, a3, a4, a5, a6, a7, a8, size
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    integer(c_int64_t), target :: room(argument_words)
    type(gpuarr_arg_c), pointer, contiguous :: inputs(:)
    integer(c_int32_t) :: count
    logical :: results
    call gather(inputs, room, count, results, a1, a2, a3, a4, a5, a6, a7, a8)
    call lay_out(self, prepared, [out%c_handle()], inputs(:count), size, state)
    if (results) call let_go_each(a1, a2, a3, a4, a5, a6, a7, a8)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> The same with inputs of `arg`.
  subroutine prepare_1(self, prepared, out, inputs, size, stat, errmsg)
    class(gpuarr_elementwise), intent(in) :: self
    type(gpuarr_call), intent(inout) :: prepared
    type(gpuarr_array), intent(in) :: out
    type(gpuarr_arg), intent(in) :: inputs(:)
    class(*), intent(in), optional :: size
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    call lay_out(self, prepared, [out%c_handle()], inputs%c, size, state)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> The same with any number of outputs.
  subroutine prepare_all(self, prepared, outs, inputs, size, stat, errmsg)
    class(gpuarr_elementwise), intent(in) :: self
    type(gpuarr_call), intent(inout) :: prepared
    type(gpuarr_array), intent(in) :: outs(:)
    type(gpuarr_arg), intent(in) :: inputs(:)
    class(*), intent(in), optional :: size
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    integer :: k
    call lay_out(self, prepared, [(outs(k)%c_handle(), k = 1, ubound(outs, 1))], inputs%c, size, &
        state)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  subroutine lay_out(self, prepared, outputs, inputs, size_given, state)
    type(gpuarr_elementwise), intent(in) :: self
    type(gpuarr_call), intent(inout) :: prepared
    type(c_ptr), intent(in) :: outputs(:)
    type(gpuarr_arg_c), intent(in) :: inputs(:)
    class(*), intent(in), optional :: size_given
    type(call_state), intent(inout) :: state
    type(c_ptr) :: made
    integer(c_int64_t) :: n
    made = c_null_ptr
    call whole(n, size_given, GPUARR_NO_SIZE, "gpuarr_elementwise%prepare: size", state)
    if (is_ok(state)) state%status = gpuarr_elementwise_prepare_c(made, self%handle, outputs, &
        size(outputs, kind=c_int32_t), inputs, size(inputs, kind=c_int32_t), n)
    call prepared%adopt(made)
  end subroutine

  !> Drop the reference. More than once is fine. Thread-safe.
  impure elemental subroutine elementwise_release(self)
    class(gpuarr_elementwise), intent(inout) :: self
    if (c_associated(self%handle)) call gpuarr_elementwise_release_c(self%handle)
    self%handle = c_null_ptr
  end subroutine

  !> Whether this holds a kernel. Thread-safe.
  elemental logical function elementwise_is_set(self)
    class(gpuarr_elementwise), intent(in) :: self
    elementwise_is_set = c_associated(self%handle)
  end function

  !> The gpuarr_elementwise* for calls of gpuarr_c, borrowed. Thread-safe.
  pure function elementwise_c_handle(self) result(handle)
    class(gpuarr_elementwise), intent(in) :: self
    type(c_ptr) :: handle
    handle = self%handle
  end function

  !> Take over a reference to a gpuarr_elementwise* that a call of gpuarr_c made.
  subroutine elementwise_adopt(self, handle)
    class(gpuarr_elementwise), intent(inout) :: self
    type(c_ptr), intent(in) :: handle
    call self%release()
    self%handle = handle
  end subroutine

  impure elemental subroutine elementwise_assign(self, other)
    class(gpuarr_elementwise), intent(inout) :: self
    type(gpuarr_elementwise), intent(in) :: other
    type(c_ptr) :: held
    held = gpuarr_elementwise_retain_c(other%handle)
    call self%release()
    self%handle = held
  end subroutine

  impure elemental subroutine elementwise_final(self)
    type(gpuarr_elementwise), intent(inout) :: self
    call self%release()
  end subroutine

end module
