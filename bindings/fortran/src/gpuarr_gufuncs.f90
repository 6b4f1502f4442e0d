!> Gufuncs: a body of CUDA C++ for each place of the outer dims, with cores of the arrays there.
module gpuarr_gufuncs
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
  public :: gpuarr_gufunc

  !> A gufunc, immutable: it is compiled when it is first called with a combination of dtypes,
  !> layouts and small core sizes. An assignment makes another reference to the same gufunc.
  type :: gpuarr_gufunc
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: create => gufunc_create
    procedure, private :: call_each, call_1, call_2, call_all
    !> Run the gufunc over arrays: `call f%call(z, x, y, 2.0)`.
    generic :: call => call_each, call_1, call_2, call_all
    procedure, private :: prepare_each, prepare_all
    !> Check and lay out a call, to be launched many times.
    generic :: prepare => prepare_each, prepare_all
    procedure :: release => gufunc_release
    procedure :: is_set => gufunc_is_set
    procedure :: c_handle => gufunc_c_handle
    procedure :: adopt => gufunc_adopt
    procedure, private :: gufunc_assign
    generic :: assignment(=) => gufunc_assign
    final :: gufunc_final
  end type

contains

  !> Make a gufunc. The grammar is in gpuarr/gufunc.h; indices in the body count from 0, and
  !> x(i, j) there is element (i+1, j+1) of a core. Cores are the first dims of arrays, in the
  !> signature's order: "(m,k),(k,n)->(m,n)" is for x(m, k, ...) and y(k, n, ...). The dims behind
  !> them broadcast from the first of these on.
  !> @param signature   cores of the inputs and outputs, "(n),(n)->()"
  !> @param in_params   the inputs, "T x, float64 a"; "" for none
  !> @param out_params  the outputs, "T z"; "" for none
  !> @param body        CUDA C++ statements
  !> @param group       GPUARR_GROUP_AUTO (the default), GPUARR_GROUP_THREAD, GPUARR_GROUP_WARP,
  !>                    GPUARR_GROUP_BLOCK, or the threads of a block
  !> @param name        the gufunc's name, for messages and profilers
  !> @param preamble    text that stands before the kernel: functions, types, constants
  !> @param options     options of the compiler, ["-DN=4"]
  !> Texts are copied; trailing blanks do not count. Fails with GPUARR_ERR_ARGUMENT,
  !> GPUARR_ERR_SYNTAX, GPUARR_ERR_TYPE; a body that does not compile fails when it is called.
  !> Thread-safe.
  subroutine gufunc_create(self, signature, in_params, out_params, body, group, name, preamble, &
                           options, stat, errmsg)
    class(gpuarr_gufunc), intent(inout) :: self
    character(*), intent(in) :: signature, in_params, out_params, body
    integer, intent(in), optional :: group
    character(*), intent(in), optional :: name, preamble, options(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: made
    integer(c_int32_t) :: threads
    call self%release()
    threads = GPUARR_GROUP_AUTO
    if (present(group)) threads = int(group, c_int32_t)
    state%status = make_options(made, name, preamble, options=options)
    if (is_ok(state)) state%status = gpuarr_gufunc_create_c(self%handle, c_text(signature), &
        c_text(in_params), c_text(out_params), c_text(body), threads, GPUARR_ORDER_F, made)
    call gpuarr_kernel_options_release_c(made)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Run the gufunc, with inputs one by one.
  !> @param out     the output; one that is not set is made, if the inputs tell the size of its core
  !> @param a1 ...  arrays, scalars of any kind, results of `arg`: an input for each parameter.
  !>                Arrays must have their parameter's type, scalars are converted
  !> @param stream  stream to work in; the current one of the arrays' device without it
  !> Fails with GPUARR_ERR_ARGUMENT (counts, an array that is not set), GPUARR_ERR_DTYPE,
  !> GPUARR_ERR_SHAPE, GPUARR_ERR_BROADCAST, GPUARR_ERR_COMPILE and others of gpuarr_gufunc_call.
  !> Thread-safe as far as the arrays allow.
  subroutine call_each(self, out, a1, a2, a3, a4, a5, a6, a7, a8, stream, stat, errmsg)
    class(gpuarr_gufunc), intent(in) :: self
    type(gpuarr_array), intent(inout) :: out
    class(*), intent(in), optional :: a1, a2, a3, a4, a5, a6, a7, a8
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
    call run_plain(self, 1, outputs, count, inputs, stream, state)
    if (.not. c_associated(given)) call out%adopt(outputs(1))
    if (results) call let_go_each(a1, a2, a3, a4, a5, a6, a7, a8)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Run a gufunc with one output; `inputs` are of `arg`: [arg(x), arg(2.0)].
  subroutine call_1(self, out, inputs, stream, stat, errmsg)
    class(gpuarr_gufunc), intent(in) :: self
    type(gpuarr_array), intent(inout) :: out
    type(gpuarr_arg), intent(in) :: inputs(:)
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: outputs(1)
    outputs = [out%c_handle()]
    call run(self, 1, outputs, inputs, stream, state)
    call keep(out, outputs(1))
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Run a gufunc with two outputs.
  subroutine call_2(self, out1, out2, inputs, stream, stat, errmsg)
    class(gpuarr_gufunc), intent(in) :: self
    type(gpuarr_array), intent(inout) :: out1, out2
    type(gpuarr_arg), intent(in) :: inputs(:)
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: outputs(2)
    outputs = [out1%c_handle(), out2%c_handle()]
    call run(self, 2, outputs, inputs, stream, state)
    call keep(out1, outputs(1))
    call keep(out2, outputs(2))
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Run a gufunc with its outputs in an array of arrays.
  subroutine call_all(self, outs, inputs, stream, stat, errmsg)
    class(gpuarr_gufunc), intent(in) :: self
    type(gpuarr_array), intent(inout) :: outs(:)
    type(gpuarr_arg), intent(in) :: inputs(:)
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: outputs(ubound(outs, 1))
    integer :: k
    outputs = [(outs(k)%c_handle(), k = 1, ubound(outs, 1))]
    call run(self, ubound(outs, 1), outputs, inputs, stream, state)
    do k = 1, ubound(outs, 1)
      call keep(outs(k), outputs(k))
    end do
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  subroutine run(self, output_count, outputs, inputs, stream, state)
    type(gpuarr_gufunc), intent(in) :: self
    integer(c_int32_t), intent(in) :: output_count
    type(c_ptr), intent(inout) :: outputs(output_count)
    type(gpuarr_arg), intent(in) :: inputs(:)
    type(gpuarr_stream), intent(in), optional :: stream
    type(call_state), intent(inout) :: state
    integer(c_int64_t), target :: room(argument_words)
    type(gpuarr_arg_c), pointer, contiguous :: plain(:)
    call copy_arguments(plain, room, inputs)
    call run_plain(self, output_count, outputs, ubound(inputs, 1), plain, stream, state)
  end subroutine

  subroutine run_plain(self, output_count, outputs, input_count, inputs, stream, state)
    type(gpuarr_gufunc), intent(in) :: self
    integer(c_int32_t), intent(in) :: output_count, input_count
    type(c_ptr), intent(inout) :: outputs(output_count)
    type(gpuarr_arg_c), intent(in) :: inputs(input_count)
    type(gpuarr_stream), intent(in), optional :: stream
    type(call_state), intent(inout) :: state
    type(c_ptr) :: queue
    queue = c_null_ptr
    if (present(stream)) then
      call check_stream(stream, state)
      queue = stream%c_handle()
    end if
    if (state%status == GPUARR_OK) state%status = gpuarr_gufunc_call_c(self%handle, outputs, &
        output_count, inputs, input_count, queue)
  end subroutine

  !> Check and lay out a call, and compile what it needs.
  !> @param prepared  the call
  !> @param out       the output, which must be set, and must not overlap an input but where both
  !>                  have core () and lie at the same place (GPUARR_ERR_OVERLAP)
  !> Other arguments and errors as `call`. Thread-safe.
  subroutine prepare_each(self, prepared, out, a1, a2, a3, a4, a5, a6, a7, a8, stat, errmsg)
    class(gpuarr_gufunc), intent(in) :: self
    type(gpuarr_call), intent(inout) :: prepared
    type(gpuarr_array), intent(in) :: out
    class(*), intent(in), optional :: a1, a2, a3, a4, a5, a6, a7, a8
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    integer(c_int64_t), target :: room(argument_words)
    type(gpuarr_arg_c), pointer, contiguous :: inputs(:)
    integer(c_int32_t) :: count
    logical :: results
    call gather(inputs, room, count, results, a1, a2, a3, a4, a5, a6, a7, a8)
    call lay_out(self, prepared, [out%c_handle()], inputs(:count), state)
    if (results) call let_go_each(a1, a2, a3, a4, a5, a6, a7, a8)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> The same with any number of outputs.
  subroutine prepare_all(self, prepared, outs, inputs, stat, errmsg)
    class(gpuarr_gufunc), intent(in) :: self
    type(gpuarr_call), intent(inout) :: prepared
    type(gpuarr_array), intent(in) :: outs(:)
    type(gpuarr_arg), intent(in) :: inputs(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    integer :: k
    call lay_out(self, prepared, [(outs(k)%c_handle(), k = 1, ubound(outs, 1))], inputs%c, state)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  subroutine lay_out(self, prepared, outputs, inputs, state)
    type(gpuarr_gufunc), intent(in) :: self
    type(gpuarr_call), intent(inout) :: prepared
    type(c_ptr), intent(in) :: outputs(:)
    type(gpuarr_arg_c), intent(in) :: inputs(:)
    type(call_state), intent(inout) :: state
    type(c_ptr) :: made
    made = c_null_ptr
    state%status = gpuarr_gufunc_prepare_c(made, self%handle, outputs, &
        size(outputs, kind=c_int32_t), inputs, size(inputs, kind=c_int32_t))
    call prepared%adopt(made)
  end subroutine

  !> Drop the reference. More than once is fine. Thread-safe.
  impure elemental subroutine gufunc_release(self)
    class(gpuarr_gufunc), intent(inout) :: self
    if (c_associated(self%handle)) call gpuarr_gufunc_release_c(self%handle)
    self%handle = c_null_ptr
  end subroutine

  !> Whether this holds a gufunc. Thread-safe.
  elemental logical function gufunc_is_set(self)
    class(gpuarr_gufunc), intent(in) :: self
    gufunc_is_set = c_associated(self%handle)
  end function

  !> The gpuarr_gufunc* for calls of gpuarr_c, borrowed. Thread-safe.
  pure function gufunc_c_handle(self) result(handle)
    class(gpuarr_gufunc), intent(in) :: self
    type(c_ptr) :: handle
    handle = self%handle
  end function

  !> Take over a reference to a gpuarr_gufunc* that a call of gpuarr_c made.
  subroutine gufunc_adopt(self, handle)
    class(gpuarr_gufunc), intent(inout) :: self
    type(c_ptr), intent(in) :: handle
    call self%release()
    self%handle = handle
  end subroutine

  impure elemental subroutine gufunc_assign(self, other)
    class(gpuarr_gufunc), intent(inout) :: self
    type(gpuarr_gufunc), intent(in) :: other
    type(c_ptr) :: held
    held = gpuarr_gufunc_retain_c(other%handle)
    call self%release()
    self%handle = held
  end subroutine

  impure elemental subroutine gufunc_final(self)
    type(gpuarr_gufunc), intent(inout) :: self
    call self%release()
  end subroutine

end module
