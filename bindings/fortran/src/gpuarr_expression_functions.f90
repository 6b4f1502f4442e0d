!> Functions: expressions of inputs, made once and called with arrays, also for each block of
!> blocked ones.
module gpuarr_expression_functions
  use, intrinsic :: iso_c_binding
  use gpuarr_arguments
  use gpuarr_arrays
  use gpuarr_c
  use gpuarr_errors
  use gpuarr_evaluation, only: gather_exprs, most_together
  use gpuarr_scalars
  use gpuarr_streams
  implicit none
  private
  public :: gpuarr_function, gpuarr_input

  !> A function, immutable: it is planned for each combination of dtypes and shapes that it is
  !> called with. An assignment makes another reference to the same function.
  type :: gpuarr_function
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: create => function_create
    procedure, private :: call_each, call_all
    !> Compute the outputs of arrays and scalars: `call softmax%call(y, x)`.
    generic :: call => call_each, call_all
    procedure :: release => function_release
    procedure :: is_set => function_is_set
    procedure :: c_handle => function_c_handle
    procedure :: adopt => function_adopt
    procedure, private :: function_assign
    generic :: assignment(=) => function_assign
    final :: function_final
  end type

contains

  !> An input of a function to be made, in its expressions: `x = gpuarr_input(1)`, where x is a
  !> gpuarr_expr. Until the function is called it has neither dtype nor shape; so the quotient of
  !> two is not cut where they are integers, and what asks for either (`reshape`, `cshift`, `pack`
  !> ...) cannot be computed of it. A failure is an error stop.
  !> @param number  which input, from 1
  function gpuarr_input(number) result(made)
    integer, intent(in) :: number
    type(gpuarr_result) :: made
    type(call_state) :: state
    type(c_ptr) :: expr
    expr = c_null_ptr
    state%status = gpuarr_expr_input_c(expr, int(number - 1, c_int32_t))
    if (.not. is_ok(state)) call refuse(state, state%status, "gpuarr_input: number is " // &
        text_of(number) // "; inputs count from 1, to 1024")
    call finish(state)
    made = make_formula(expr, c_null_ptr)
  end function

  !> Make a function.
  !> @param x1 ...  an expression of inputs for each output: `call f%create(x / sum(x, 1))`
  !> Fails with GPUARR_ERR_ARGUMENT; what is wrong with dtypes and shapes is found when it is
  !> called. Thread-safe.
  subroutine function_create(self, x1, x2, x3, x4, x5, x6, x7, x8, stat, errmsg)
    class(gpuarr_function), intent(inout) :: self
    class(gpuarr_operand), intent(in) :: x1
    class(gpuarr_operand), intent(in), optional :: x2, x3, x4, x5, x6, x7, x8
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: exprs(most_together)
    integer :: count, k
    call self%release()
    call gather_exprs(exprs, count, state, x1, x2, x3, x4, x5, x6, x7, x8)
    if (is_ok(state)) &
      state%status = gpuarr_function_create_c(self%handle, exprs, int(count, c_int32_t))
    do k = 1, count
      call gpuarr_expr_release_c(exprs(k))
    end do
    call let_go_each(x1, x2, x3, x4, x5, x6, x7, x8)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> @param out     the output; one that is not set is made
  !> @param a1 ...  an array or a scalar for each input
  !> @param stream  stream to work in; the current one of the arrays' device without it
  !> Fails with what expressions fail with. Thread-safe as far as the arrays allow.
  subroutine call_each(self, out, a1, a2, a3, a4, a5, a6, a7, a8, stream, stat, errmsg)
    class(gpuarr_function), intent(in) :: self
    type(gpuarr_array), intent(inout) :: out
    class(*), intent(in), optional :: a1, a2, a3, a4, a5, a6, a7, a8
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
    call run(self, outputs, inputs(:count), stream, state)
    call keep(out, outputs(1))
    if (results) call let_go_each(a1, a2, a3, a4, a5, a6, a7, a8)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> The same with any number of outputs, and inputs of `arg`.
  subroutine call_all(self, outs, inputs, stream, stat, errmsg)
    class(gpuarr_function), intent(in) :: self
    type(gpuarr_array), intent(inout) :: outs(:)
    type(gpuarr_arg), intent(in) :: inputs(:)
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: outputs(size(outs))
    integer :: k
    outputs = [(outs(k)%c_handle(), k = 1, size(outs))]
    call run(self, outputs, inputs%c, stream, state)
    do k = 1, size(outs)
      call keep(outs(k), outputs(k))
    end do
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  subroutine run(self, outputs, inputs, stream, state)
    type(gpuarr_function), intent(in) :: self
    type(c_ptr), intent(inout) :: outputs(:)
    type(gpuarr_arg_c), intent(in) :: inputs(:)
    type(gpuarr_stream), intent(in), optional :: stream
    type(call_state), intent(inout) :: state
    call check_stream(stream, state)
    if (is_ok(state)) state%status = gpuarr_function_call_c(self%handle, outputs, &
        size(outputs, kind=c_int32_t), inputs, size(inputs, kind=c_int32_t), &
        stream_handle(stream))
  end subroutine

  !> Drop the reference. More than once is fine. Thread-safe.
  impure elemental subroutine function_release(self)
    class(gpuarr_function), intent(inout) :: self
    if (c_associated(self%handle)) call gpuarr_function_release_c(self%handle)
    self%handle = c_null_ptr
  end subroutine

  !> Whether this holds a function. Thread-safe.
  elemental logical function function_is_set(self)
    class(gpuarr_function), intent(in) :: self
    function_is_set = c_associated(self%handle)
  end function

  !> The gpuarr_function* for calls of gpuarr_c, borrowed. Thread-safe.
  pure function function_c_handle(self) result(handle)
    class(gpuarr_function), intent(in) :: self
    type(c_ptr) :: handle
    handle = self%handle
  end function

  !> Take over a reference to a gpuarr_function* that a call of gpuarr_c made.
  subroutine function_adopt(self, handle)
    class(gpuarr_function), intent(inout) :: self
    type(c_ptr), intent(in) :: handle
    call self%release()
    self%handle = handle
  end subroutine

  impure elemental subroutine function_assign(self, other)
    class(gpuarr_function), intent(inout) :: self
    type(gpuarr_function), intent(in) :: other
    type(c_ptr) :: held
    held = gpuarr_function_retain_c(other%handle)
    call self%release()
    self%handle = held
  end subroutine

  impure elemental subroutine function_final(self)
    type(gpuarr_function), intent(inout) :: self
    call self%release()
  end subroutine

end module
