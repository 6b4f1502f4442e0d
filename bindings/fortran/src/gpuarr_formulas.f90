!> What operators, functions and reductions build expressions with. Names of C's functions end with
!> c_null_char here, so that none is copied.
module gpuarr_formulas
  use, intrinsic :: iso_c_binding
  use gpuarr_arguments
  use gpuarr_arrays
  use gpuarr_c
  use gpuarr_errors
  use gpuarr_expressions
  use gpuarr_streams
  implicit none
  private
  public :: compute, divide, give_sign, convert, multiply_matrices, count_along, reduced
  public :: build_reduction, apply, compute_into

contains

  !> Build a function of gpuarr_expr_apply in an expression, where a failure is an error stop.
  subroutine compute(made, name, x, y, z)
    type(gpuarr_result), intent(out) :: made
    character(*), intent(in) :: name
    class(*), intent(in) :: x
    class(*), intent(in), optional :: y, z
    type(call_state) :: state
    type(c_ptr) :: operands(3), outs(1), device
    integer(c_int32_t) :: count
    device = c_null_ptr
    count = 0
    call add_operand(operands, count, device, x, state)
    if (present(y)) call add_operand(operands, count, device, y, state)
    if (present(z)) call add_operand(operands, count, device, z, state)
    call build(outs, name, operands(:count), state)
    call release(operands(:count))
    call let_go(x)
    call let_go(y)
    call let_go(z)
    call finish(state)
    made = make_formula(outs(1), device)
  end subroutine

  subroutine add_operand(operands, count, device, value, state)
    type(c_ptr), intent(inout) :: operands(:), device
    integer(c_int32_t), intent(inout) :: count
    class(*), intent(in) :: value
    type(call_state), intent(inout) :: state
    count = count + 1
    call hold(operands(count), device, value, state)
  end subroutine

  !> Divide as Fortran does: the quotient of integers is cut at the point.
  subroutine divide(made, x, y)
    type(gpuarr_result), intent(out) :: made
    class(*), intent(in) :: x, y
    type(call_state) :: state
    type(c_ptr) :: both(2), device, out, rest, whole
    integer(c_int32_t) :: dtype
    call begin(both, device, dtype, x, y, state)
    if (is_integer(dtype)) then
      rest = node("fmod", both, state)
      whole = node("subtract", [both(1), rest], state)
      out = node("floor_divide", [whole, both(2)], state)
      call release([rest, whole])
    else
      out = node("divide", both, state)
    end if
    call end_with(made, out, both, device, x, y, state)
  end subroutine

  !> Give the absolute value of x the sign of y, integers kept.
  subroutine give_sign(made, x, y)
    type(gpuarr_result), intent(out) :: made
    class(*), intent(in) :: x, y
    type(call_state) :: state
    type(c_ptr) :: both(2), device, out, sum, size, sign, null, negative(2), differ, opposite
    integer(c_int32_t) :: dtype
    call begin(both, device, dtype, x, y, state)
    if (is_integer(dtype)) then
      sum = node("add", both, state)
      size = node("subtract", [sum, both(2)], state)  ! x and y, of the dtype that both have
      sign = node("subtract", [sum, both(1)], state)
      call hold(null, device, 0, state)
      negative = [node("less", [size, null], state), node("less", [sign, null], state)]
      differ = node("not_equal", negative, state)
      opposite = node("negative", [size], state)
      out = node("where", [differ, opposite, size], state)
      call release([sum, size, sign, null, negative, differ, opposite])
    else
      out = node("copysign", both, state)
    end if
    call end_with(made, out, both, device, x, y, state)
  end subroutine

  !> Hold two operands, and find what dtype they are computed in together: 0 where they are no
  !> integers.
  subroutine begin(both, device, dtype, x, y, state)
    type(c_ptr), intent(out) :: both(2), device
    integer(c_int32_t), intent(out) :: dtype
    class(*), intent(in) :: x, y
    type(call_state), intent(inout) :: state
    type(c_ptr) :: sum
    type(call_state) :: other
    device = c_null_ptr
    dtype = 0
    call hold(both(1), device, x, state)
    call hold(both(2), device, y, state)
    if (.not. is_ok(state)) return
    if (.not. all(is_whole([gpuarr_expr_dtype_c(both(1)), gpuarr_expr_dtype_c(both(2))]))) return
    sum = node("add", both, other)
    dtype = gpuarr_expr_dtype_c(sum)
    call gpuarr_expr_release_c(sum)
  end subroutine

  elemental logical function is_whole(dtype)
    integer(c_int32_t), intent(in) :: dtype
    is_whole = is_integer(dtype) .or. dtype == GPUARR_BOOL
  end function

  subroutine end_with(made, out, both, device, x, y, state)
    type(gpuarr_result), intent(out) :: made
    type(c_ptr), intent(in) :: out, both(2), device
    class(*), intent(in) :: x, y
    type(call_state), intent(inout) :: state
    call release(both)
    call let_go(x)
    call let_go(y)
    call finish(state)
    made = make_formula(out, device)
  end subroutine

  !> Elements as another dtype.
  subroutine convert(made, x, dtype)
    type(gpuarr_result), intent(out) :: made
    class(gpuarr_operand), intent(in) :: x
    integer(c_int32_t), intent(in) :: dtype
    type(call_state) :: state
    type(c_ptr) :: expr, out, device
    device = c_null_ptr
    out = c_null_ptr
    call hold(expr, device, x, state)
    if (is_ok(state)) state%status = gpuarr_expr_astype_c(out, expr, dtype)
    call gpuarr_expr_release_c(expr)
    call let_go(x)
    call finish(state)
    made = make_formula(out, device)
  end subroutine

  !> The product of matrices.
  subroutine multiply_matrices(made, x, y)
    type(gpuarr_result), intent(out) :: made
    class(gpuarr_operand), intent(in) :: x, y
    type(call_state) :: state
    type(c_ptr) :: both(2), out, device
    device = c_null_ptr
    out = c_null_ptr
    call hold(both(1), device, x, state)
    call hold(both(2), device, y, state)
    if (is_ok(state)) state%status = gpuarr_expr_matmul_c(out, both(1), both(2))
    call rename(state, "gpuarr_expr_matmul:", "matmul" // c_null_char)
    call end_with(made, out, both, device, x, y, state)
  end subroutine

  !> The index of each element along a dim, from 1.
  subroutine count_along(made, x, dim)
    type(gpuarr_result), intent(out) :: made
    class(gpuarr_operand), intent(in) :: x
    integer, intent(in) :: dim
    type(gpuarr_result) :: from_zero
    type(call_state) :: state
    integer(c_int32_t) :: axes(GPUARR_MAX_NDIM), count
    type(c_ptr) :: expr, out, device
    device = c_null_ptr
    out = c_null_ptr
    expr = c_null_ptr
    call axes_of(axes, count, dim, state=state)
    if (is_ok(state)) call hold(expr, device, x, state)
    if (is_ok(state)) state%status = gpuarr_expr_indices_c(out, expr, axes(1))
    call rename(state, "gpuarr_expr_indices:", "indices" // c_null_char)
    call gpuarr_expr_release_c(expr)
    call let_go(x)
    call finish(state)
    from_zero = make_formula(out, device)
    call compute(made, "add" // c_null_char, from_zero, 1)
  end subroutine

  !> Build a reduction in an expression, along a dim, several or all.
  !> @param name  a reduction of gpuarr_expr_reduce
  subroutine reduced(made, name, x, dim, dims, keepdims, ddof)
    type(gpuarr_result), intent(out) :: made
    character(*), intent(in) :: name
    class(gpuarr_operand), intent(in) :: x
    integer, intent(in), optional :: dim, dims(:)
    logical, intent(in), optional :: keepdims
    real(c_double), intent(in), optional :: ddof
    type(call_state) :: state
    integer(c_int32_t) :: axes(GPUARR_MAX_NDIM), count
    type(c_ptr) :: out, device
    call axes_of(axes, count, dim, dims, state)
    call build_reduction(out, device, name, x, axes, count, keepdims, ddof, state)
    call let_go(x)
    call finish(state)
    made = make_formula(out, device)
  end subroutine

  subroutine build_reduction(out, device, name, x, axes, count, keepdims, ddof, state)
    type(c_ptr), intent(out) :: out, device
    character(*), intent(in) :: name
    class(gpuarr_operand), intent(in) :: x
    integer(c_int32_t), intent(in) :: axes(GPUARR_MAX_NDIM), count
    logical, intent(in), optional :: keepdims
    real(c_double), intent(in), optional :: ddof
    type(call_state), intent(inout) :: state
    type(c_ptr) :: expr
    device = c_null_ptr
    out = c_null_ptr
    call hold(expr, device, x, state)
    if (is_ok(state)) then
      state%status = gpuarr_expr_reduce_c(out, name, expr, axes, count, flag(keepdims), &
          real_or(0.0_c_double, ddof))
      call rename(state, "gpuarr_expr_reduce:", name)
    end if
    call gpuarr_expr_release_c(expr)
  end subroutine

  !> Run a function of gpuarr_apply, and use up the arguments that are results. Those that are
  !> expressions are computed with it.
  subroutine apply(state, outs, name, x, y, z, v, w, where, stream)
    type(call_state), intent(inout) :: state
    type(c_ptr), intent(inout) :: outs(:)
    character(*), intent(in) :: name
    class(*), intent(in), optional :: x, y, z, v, w
    class(gpuarr_operand), intent(in), optional :: where
    type(gpuarr_stream), intent(in), optional :: stream
    type(gpuarr_arg_c) :: inputs(5)
    integer(c_int32_t) :: given
    given = count([present(x), present(y), present(z), present(v), present(w)], kind=c_int32_t)
    call check_stream(stream, state)
    if (present(where) .or. .not. any([is_formula(x), is_formula(y), is_formula(z), &
        is_formula(v), is_formula(w)])) then
      inputs = [argument_of(x), argument_of(y), argument_of(z), argument_of(v), argument_of(w)]
      if (is_ok(state)) state%status = gpuarr_apply_c(outs, size(outs, kind=c_int32_t), &
          c_text(name), inputs, given, handle_of(where), stream_handle(stream))
      call rename(state, "gpuarr_apply:", c_text(name))
    else
      call apply_with(state, outs, c_text(name), given, x, y, z, v, w, stream)
    end if
    call let_go_each(x, y, z, v, w)
    call let_go(where)
  end subroutine

  !> The same with expressions among the arguments.
  subroutine apply_with(state, outs, name, given, x, y, z, v, w, stream)
    type(call_state), intent(inout) :: state
    type(c_ptr), intent(inout) :: outs(:)
    character(*), intent(in) :: name
    integer(c_int32_t), intent(in) :: given
    class(*), intent(in), optional :: x, y, z, v, w
    type(gpuarr_stream), intent(in), optional :: stream
    type(c_ptr) :: operands(5), exprs(size(outs)), device
    integer(c_int32_t) :: count
    device = c_null_ptr
    count = 0
    if (present(x)) call add_operand(operands, count, device, x, state)
    if (present(y)) call add_operand(operands, count, device, y, state)
    if (present(z)) call add_operand(operands, count, device, z, state)
    if (present(v)) call add_operand(operands, count, device, v, state)
    if (present(w)) call add_operand(operands, count, device, w, state)
    call build(exprs, name, operands(:given), state)
    call compute_into(outs, exprs, stream, state)
    call release(operands(:given))
  end subroutine

  !> Compute expressions, which are used up, into arrays that are made where they are NULL.
  subroutine compute_into(outs, exprs, stream, state)
    type(c_ptr), intent(inout) :: outs(:)
    type(c_ptr), intent(in) :: exprs(:)
    type(gpuarr_stream), intent(in), optional :: stream
    type(call_state), intent(inout) :: state
    if (is_ok(state)) state%status = gpuarr_evaluate_c(outs, exprs, size(exprs, kind=c_int32_t), &
        stream_handle(stream))
    call release(exprs)
  end subroutine

  logical function is_formula(value)
    class(*), intent(in), optional :: value
    is_formula = .false.
    if (present(value)) is_formula = associated(formula_of(value))
  end function

  !> One function in an expression, by its name.
  function node(name, operands, state) result(out)
    character(*), intent(in) :: name
    type(c_ptr), intent(in) :: operands(:)
    type(call_state), intent(inout) :: state
    type(c_ptr) :: out, outs(1)
    call build(outs, c_text(name), operands, state)
    out = outs(1)
  end function

  subroutine build(outs, name, operands, state)
    type(c_ptr), intent(out) :: outs(:)
    character(*), intent(in) :: name
    type(c_ptr), intent(in) :: operands(:)
    type(call_state), intent(inout) :: state
    outs = c_null_ptr
    if (.not. is_ok(state)) return
    state%status = gpuarr_expr_apply_c(outs, size(outs, kind=c_int32_t), name, operands, &
        size(operands, kind=c_int32_t))
    call rename(state, "gpuarr_expr_apply:", name)
  end subroutine

  subroutine release(exprs)
    type(c_ptr), intent(in) :: exprs(:)
    integer :: k
    do k = 1, size(exprs)
      call gpuarr_expr_release_c(exprs(k))
    end do
  end subroutine

  !> Let the message of a failure begin with the function's own name.
  subroutine rename(state, general, name)
    type(call_state), intent(inout) :: state
    character(*), intent(in) :: general, name
    character(:), allocatable :: message
    if (is_ok(state) .or. allocated(state%message)) return
    message = last_message(state%status)
    if (index(message, general) == 1) call refuse(state, state%status, "gpuarr_" // &
        name(:len(name) - 1) // ":" // message(len(general) + 1:))
  end subroutine

end module
