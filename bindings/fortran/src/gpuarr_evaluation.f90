!> Expressions computed together, and what kernels they become.
module gpuarr_evaluation
  use, intrinsic :: iso_c_binding
  use gpuarr_arguments
  use gpuarr_arrays
  use gpuarr_c
  use gpuarr_errors
  use gpuarr_formulas
  use gpuarr_streams
  implicit none
  private
  public :: gpuarr_evaluate, gpuarr_explain, gather_exprs, most_together

  !> As many expressions as can be computed together.
  integer, parameter :: most_together = 8

contains

  !> Compute expressions together, what they have in common once: `call gpuarr_evaluate(s, x + y,
  !> d, x - y)`. All are computed from the arrays as they were before, which may be among the
  !> results.
  !> @param out1 ...  the results: one that is set has its expression's shape and a dtype that this
  !>                  converts to, and is written to; others are made
  !> @param x1 ...    an expression for each
  !> @param stream    stream to work in; the current one of the arrays' device without it
  !> Fails with GPUARR_ERR_ARGUMENT, GPUARR_ERR_SHAPE, GPUARR_ERR_DTYPE and others of
  !> gpuarr_evaluate in gpuarr/expr.h. Thread-safe as far as the arrays allow.
  subroutine gpuarr_evaluate(out1, x1, out2, x2, out3, x3, out4, x4, out5, x5, out6, x6, out7, x7, &
                             out8, x8, stream, stat, errmsg)
    type(gpuarr_array), intent(inout) :: out1
    class(gpuarr_operand), intent(in) :: x1
    type(gpuarr_array), intent(inout), optional :: out2, out3, out4, out5, out6, out7, out8
    class(gpuarr_operand), intent(in), optional :: x2, x3, x4, x5, x6, x7, x8
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: outs(most_together), exprs(most_together)
    integer :: count
    call check_stream(stream, state)
    outs = [handle(out1), handle(out2), handle(out3), handle(out4), handle(out5), handle(out6), &
        handle(out7), handle(out8)]
    call gather_exprs(exprs, count, state, x1, x2, x3, x4, x5, x6, x7, x8)
    if (is_ok(state) .and. any([present(out2), present(out3), present(out4), present(out5), &
        present(out6), present(out7), present(out8)] .neqv. [present(x2), present(x3), &
        present(x4), present(x5), present(x6), present(x7), present(x8)])) &
      call refuse(state, GPUARR_ERR_ARGUMENT, &
          "gpuarr_evaluate: give an array and an expression in turn")
    call compute_into(outs(:count), exprs(:count), stream, state)
    call let_go_each(x1, x2, x3, x4, x5, x6, x7, x8)
    call take(out1, outs(1))
    call take(out2, outs(2))
    call take(out3, outs(3))
    call take(out4, outs(4))
    call take(out5, outs(5))
    call take(out6, outs(6))
    call take(out7, outs(7))
    call take(out8, outs(8))
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  function handle(out)
    type(gpuarr_array), intent(in), optional :: out
    type(c_ptr) :: handle
    handle = c_null_ptr
    if (present(out)) handle = out%c_handle()
  end function

  subroutine take(out, made)
    type(gpuarr_array), intent(inout), optional :: out
    type(c_ptr), intent(in) :: made
    if (present(out)) call keep(out, made)
  end subroutine

  !> Tell which kernels expressions become, what each reads and writes, and why each result is
  !> stored. A failure is an error stop.
  function gpuarr_explain(x1, x2, x3, x4, x5, x6, x7, x8) result(text)
    class(gpuarr_operand), intent(in) :: x1
    class(gpuarr_operand), intent(in), optional :: x2, x3, x4, x5, x6, x7, x8
    character(:), allocatable :: text
    type(call_state) :: state
    type(c_ptr) :: exprs(most_together), lent
    integer :: count, k
    lent = c_null_ptr
    call gather_exprs(exprs, count, state, x1, x2, x3, x4, x5, x6, x7, x8)
    if (is_ok(state)) state%status = gpuarr_expr_explain_c(lent, exprs, int(count, c_int32_t))
    text = f_text(lent)
    do k = 1, count
      call gpuarr_expr_release_c(exprs(k))
    end do
    call let_go_each(x1, x2, x3, x4, x5, x6, x7, x8)
    call finish(state)
  end function

  !> Take references to the expressions of operands.
  subroutine gather_exprs(exprs, count, state, x1, x2, x3, x4, x5, x6, x7, x8)
    type(c_ptr), intent(out) :: exprs(most_together)
    integer, intent(out) :: count
    type(call_state), intent(inout) :: state
    class(gpuarr_operand), intent(in), optional :: x1, x2, x3, x4, x5, x6, x7, x8
    count = 0
    call put(x1)
    call put(x2)
    call put(x3)
    call put(x4)
    call put(x5)
    call put(x6)
    call put(x7)
    call put(x8)

  contains

    subroutine put(x)
      class(gpuarr_operand), intent(in), optional :: x
      type(c_ptr) :: device
      if (.not. present(x)) return
      count = count + 1
      call hold(exprs(count), device, x, state)
    end subroutine

  end subroutine

end module
