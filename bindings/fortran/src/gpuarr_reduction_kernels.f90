!> Reduction kernels: map every element, combine the results, post-process.
module gpuarr_reduction_kernels
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
  public :: gpuarr_reduction

  !> A reduction kernel, immutable: it is compiled when it is first called with a combination of
  !> dtypes and layouts. An assignment makes another reference to the same kernel.
  type :: gpuarr_reduction
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: create => reduction_create
    procedure, private :: call_each, call_1, call_2, call_3, call_all
    !> Reduce arrays: `call kernel%call(y, x, dim=1)`.
    generic :: call => call_each, call_1, call_2, call_3, call_all
    procedure, private :: prepare_each, prepare_1, prepare_all
    !> Check and lay out a call, to be launched many times.
    generic :: prepare => prepare_each, prepare_1, prepare_all
    procedure :: release => reduction_release
    procedure :: is_set => reduction_is_set
    procedure :: c_handle => reduction_c_handle
    procedure :: adopt => reduction_adopt
    procedure, private :: reduction_assign
    generic :: assignment(=) => reduction_assign
    final :: reduction_final
  end type

contains

  !> Make a reduction kernel: post(reduce(map(x0), map(x1), ...)). The texts are described in
  !> gpuarr/reduction.h; indices in them count from 0.
  !> @param in_params    the inputs, "T x, T y"; one at least is not raw
  !> @param out_params   the outputs, "float64 mse"; at least one
  !> @param map          an expression of the inputs, "(x - y) * (x - y)"
  !> @param reduce       an expression of a and b, "a + b"
  !> @param post         statements that set the outputs from a, "mse = a / n"
  !> @param identity     an expression; without it a reduction of no elements fails
  !> @param name         the kernel's name, for messages and profilers
  !> @param preamble     text that stands before the kernel: functions, types, constants
  !> @param reduce_type  type of the partial results
  !> @param commutative  .false. for an operator that has to keep its order
  !> @param options      options of the compiler, ["-DN=4"]
  !> Texts are copied; trailing blanks do not count. Fails with GPUARR_ERR_ARGUMENT,
  !> GPUARR_ERR_SYNTAX, GPUARR_ERR_TYPE; texts that do not compile fail when it is called.
  !> Thread-safe.
  subroutine reduction_create(self, in_params, out_params, map, reduce, post, identity, name, &
                              preamble, reduce_type, commutative, options, stat, errmsg)
    class(gpuarr_reduction), intent(inout) :: self
    character(*), intent(in) :: in_params, out_params, map, reduce, post
    character(*), intent(in), optional :: identity, name, preamble, reduce_type
    logical, intent(in), optional :: commutative
    character(*), intent(in), optional :: options(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    character(:), allocatable :: first  ! left out where it is not allocated
    type(c_ptr) :: made
    call self%release()
    if (present(identity)) first = c_text(identity)
    state%status = make_options(made, name, preamble, reduce_type=reduce_type, &
        commutative=commutative, &
        options=options)
    if (is_ok(state)) state%status = gpuarr_reduction_create_c(self%handle, c_text(in_params), &
        c_text(out_params), c_text(map), c_text(reduce), c_text(post), first, made)
    call gpuarr_kernel_options_release_c(made)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Reduce, with inputs one by one.
  !> @param out       the output; one that is not set is made, in the memory order of the inputs
  !> @param a1 ...    arrays, scalars of any kind, results of `arg`: an input for each parameter.
  !>                  Arrays must have their parameter's type, scalars are converted. They broadcast
  !>                  together from the last dim on, as in NumPy
  !> @param dim       the dim to reduce along, from 1
  !> @param dims      several dims; with neither it is all, to one result
  !> @param keepdims  .true. to keep reduced dims, with extent 1
  !> @param stream    stream to work in; the current one of the arrays' device without it
  !> Fails with GPUARR_ERR_ARGUMENT, GPUARR_ERR_AXIS, GPUARR_ERR_EMPTY (no elements and no
  !> identity), GPUARR_ERR_OVERLAP, GPUARR_ERR_COMPILE and others of gpuarr_reduction_call.
  !> Thread-safe as far as the arrays allow.
  subroutine call_each(self, out, a1, a2, a3, a4, a5, a6, a7, a8, dim, dims, keepdims, stream, &
                       stat, errmsg)
    class(gpuarr_reduction), intent(in) :: self
    type(gpuarr_array), intent(inout) :: out
    class(*), intent(in), optional :: a1, a2, a3, a4, a5, a6, a7, a8
    integer, intent(in), optional :: dim, dims(:)
    logical, intent(in), optional :: keepdims
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    integer(c_int64_t), target :: room(argument_words)
    type(gpuarr_arg_c), pointer, contiguous :: inputs(:)
    type(c_ptr) :: outputs(1)
    integer(c_int32_t) :: count
    logical :: results
    call gather(inputs, room, count, results, a1, a2, a3, a4, a5, a6, a7, a8)
    outputs(1) = out%c_handle()
    call run(self, 1, outputs, count, inputs, dim, dims, keepdims, stream, state)
    call keep(out, outputs(1))
    if (results) call let_go_each(a1, a2, a3, a4, a5, a6, a7, a8)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Reduce to one output; `inputs` are of `arg`: [arg(x), arg(2.0)].
  subroutine call_1(self, out, inputs, dim, dims, keepdims, stream, stat, errmsg)
    class(gpuarr_reduction), intent(in) :: self
    type(gpuarr_array), intent(inout) :: out
    type(gpuarr_arg), intent(in) :: inputs(:)
    integer, intent(in), optional :: dim, dims(:)
    logical, intent(in), optional :: keepdims
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(gpuarr_array) :: outs(1)
    outs(1) = out
    call run_all(self, outs, inputs, dim, dims, keepdims, stream, state)
    out = outs(1)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Reduce to two outputs.
  subroutine call_2(self, out1, out2, inputs, dim, dims, keepdims, stream, stat, errmsg)
    class(gpuarr_reduction), intent(in) :: self
    type(gpuarr_array), intent(inout) :: out1, out2
    type(gpuarr_arg), intent(in) :: inputs(:)
    integer, intent(in), optional :: dim, dims(:)
    logical, intent(in), optional :: keepdims
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(gpuarr_array) :: outs(2)
    outs(1) = out1
    outs(2) = out2
    call run_all(self, outs, inputs, dim, dims, keepdims, stream, state)
    out1 = outs(1)
    out2 = outs(2)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Reduce to three outputs.
  subroutine call_3(self, out1, out2, out3, inputs, dim, dims, keepdims, stream, stat, errmsg)
    class(gpuarr_reduction), intent(in) :: self
    type(gpuarr_array), intent(inout) :: out1, out2, out3
    type(gpuarr_arg), intent(in) :: inputs(:)
    integer, intent(in), optional :: dim, dims(:)
    logical, intent(in), optional :: keepdims
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(gpuarr_array) :: outs(3)
    outs(1) = out1
    outs(2) = out2
    outs(3) = out3
    call run_all(self, outs, inputs, dim, dims, keepdims, stream, state)
    out1 = outs(1)
    out2 = outs(2)
    out3 = outs(3)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Reduce to the outputs in an array of arrays.
  subroutine call_all(self, outs, inputs, dim, dims, keepdims, stream, stat, errmsg)
    class(gpuarr_reduction), intent(in) :: self
    type(gpuarr_array), intent(inout) :: outs(:)
    type(gpuarr_arg), intent(in) :: inputs(:)
    integer, intent(in), optional :: dim, dims(:)
    logical, intent(in), optional :: keepdims
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    call run_all(self, outs, inputs, dim, dims, keepdims, stream, state)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  subroutine run_all(self, outs, inputs, dim, dims, keepdims, stream, state)
    type(gpuarr_reduction), intent(in) :: self
    type(gpuarr_array), intent(inout) :: outs(:)
    type(gpuarr_arg), intent(in) :: inputs(:)
    integer, intent(in), optional :: dim, dims(:)
    logical, intent(in), optional :: keepdims
    type(gpuarr_stream), intent(in), optional :: stream
    type(call_state), intent(inout) :: state
    integer(c_int64_t), target :: room(argument_words)
    type(gpuarr_arg_c), pointer, contiguous :: plain(:)
    type(c_ptr) :: outputs(ubound(outs, 1))
    integer :: k
    call copy_arguments(plain, room, inputs)
    outputs = [(outs(k)%c_handle(), k = 1, ubound(outs, 1))]
    call run(self, ubound(outs, 1), outputs, ubound(inputs, 1), plain, dim, dims, keepdims, &
             stream, state)
    do k = 1, ubound(outs, 1)
      call keep(outs(k), outputs(k))
    end do
  end subroutine

  subroutine run(self, output_count, outputs, input_count, inputs, dim, dims, keepdims, stream, &
                 state)
    type(gpuarr_reduction), intent(in) :: self
    integer(c_int32_t), intent(in) :: output_count, input_count
    type(c_ptr), intent(inout) :: outputs(output_count)
    type(gpuarr_arg_c), intent(in) :: inputs(input_count)
    integer, intent(in), optional :: dim, dims(:)
    logical, intent(in), optional :: keepdims
    type(gpuarr_stream), intent(in), optional :: stream
    type(call_state), intent(inout) :: state
    integer(c_int32_t) :: axes(GPUARR_MAX_NDIM), count
    call check_stream(stream, state)
    call axes_of(axes, count, dim, dims, state)
    if (is_ok(state)) state%status = gpuarr_reduction_call_c(self%handle, outputs, output_count, &
        inputs, input_count, axes, count, flag(keepdims), stream_handle(stream))
  end subroutine

  !> Check and lay out a call, and compile what it needs; it brings memory of its own.
  !> @param prepared  the call
  !> @param out       the output, which must be set
  !> Other arguments and errors as `call`. Thread-safe.
  subroutine prepare_each(self, prepared, out, a1, a2, a3, a4, a5, a6, a7, a8, dim, dims, &
                          keepdims, stat, errmsg)
    class(gpuarr_reduction), intent(in) :: self
    type(gpuarr_call), intent(inout) :: prepared
    type(gpuarr_array), intent(in) :: out
    class(*), intent(in), optional :: a1, a2, a3, a4, a5, a6, a7, a8
    integer, intent(in), optional :: dim, dims(:)
    logical, intent(in), optional :: keepdims
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    integer(c_int64_t), target :: room(argument_words)
    type(gpuarr_arg_c), pointer, contiguous :: inputs(:)
    integer(c_int32_t) :: count
    logical :: results
    call gather(inputs, room, count, results, a1, a2, a3, a4, a5, a6, a7, a8)
    call lay_out(self, prepared, [out%c_handle()], inputs(:count), dim, dims, keepdims, state)
    if (results) call let_go_each(a1, a2, a3, a4, a5, a6, a7, a8)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> The same with inputs of `arg`.
  subroutine prepare_1(self, prepared, out, inputs, dim, dims, keepdims, stat, errmsg)
    class(gpuarr_reduction), intent(in) :: self
    type(gpuarr_call), intent(inout) :: prepared
    type(gpuarr_array), intent(in) :: out
    type(gpuarr_arg), intent(in) :: inputs(:)
    integer, intent(in), optional :: dim, dims(:)
    logical, intent(in), optional :: keepdims
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    call lay_out(self, prepared, [out%c_handle()], inputs%c, dim, dims, keepdims, state)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> The same with any number of outputs.
  subroutine prepare_all(self, prepared, outs, inputs, dim, dims, keepdims, stat, errmsg)
    class(gpuarr_reduction), intent(in) :: self
    type(gpuarr_call), intent(inout) :: prepared
    type(gpuarr_array), intent(in) :: outs(:)
    type(gpuarr_arg), intent(in) :: inputs(:)
    integer, intent(in), optional :: dim, dims(:)
    logical, intent(in), optional :: keepdims
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    integer :: k
    call lay_out(self, prepared, [(outs(k)%c_handle(), k = 1, ubound(outs, 1))], inputs%c, dim, &
                 dims, keepdims, state)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  subroutine lay_out(self, prepared, outputs, inputs, dim, dims, keepdims, state)
    type(gpuarr_reduction), intent(in) :: self
    type(gpuarr_call), intent(inout) :: prepared
    type(c_ptr), intent(in) :: outputs(:)
    type(gpuarr_arg_c), intent(in) :: inputs(:)
    integer, intent(in), optional :: dim, dims(:)
    logical, intent(in), optional :: keepdims
    type(call_state), intent(inout) :: state
    integer(c_int32_t) :: axes(GPUARR_MAX_NDIM), count
    type(c_ptr) :: made
    made = c_null_ptr
    call axes_of(axes, count, dim, dims, state)
    if (is_ok(state)) state%status = gpuarr_reduction_prepare_c(made, self%handle, outputs, &
        size(outputs, kind=c_int32_t), &
        inputs, size(inputs, kind=c_int32_t), axes, count, flag(keepdims))
    call prepared%adopt(made)
  end subroutine

  !> Drop the reference. More than once is fine. Thread-safe.
  impure elemental subroutine reduction_release(self)
    class(gpuarr_reduction), intent(inout) :: self
    if (c_associated(self%handle)) call gpuarr_reduction_release_c(self%handle)
    self%handle = c_null_ptr
  end subroutine

  !> Whether this holds a kernel. Thread-safe.
  elemental logical function reduction_is_set(self)
    class(gpuarr_reduction), intent(in) :: self
    reduction_is_set = c_associated(self%handle)
  end function

  !> The gpuarr_reduction* for calls of gpuarr_c, borrowed. Thread-safe.
  pure function reduction_c_handle(self) result(handle)
    class(gpuarr_reduction), intent(in) :: self
    type(c_ptr) :: handle
    handle = self%handle
  end function

  !> Take over a reference to a gpuarr_reduction* that a call of gpuarr_c made.
  subroutine reduction_adopt(self, handle)
    class(gpuarr_reduction), intent(inout) :: self
    type(c_ptr), intent(in) :: handle
    call self%release()
    self%handle = handle
  end subroutine

  impure elemental subroutine reduction_assign(self, other)
    class(gpuarr_reduction), intent(inout) :: self
    type(gpuarr_reduction), intent(in) :: other
    type(c_ptr) :: held
    held = gpuarr_reduction_retain_c(other%handle)
    call self%release()
    self%handle = held
  end subroutine

  impure elemental subroutine reduction_final(self)
    type(gpuarr_reduction), intent(inout) :: self
    call self%release()
  end subroutine

end module
