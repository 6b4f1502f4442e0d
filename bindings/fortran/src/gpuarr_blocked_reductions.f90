!> Reductions of blocked arrays: ready-made ones and kernels of your own, along any dims. The bits
!> of a result depend on the grid of blocks, but neither on the number of places nor on who has
!> which block.
module gpuarr_blocked_reductions
  use, intrinsic :: iso_c_binding
  use gpuarr_arguments
  use gpuarr_block_kernels, only: gather_blocked
  use gpuarr_blocked_arrays
  use gpuarr_c
  use gpuarr_errors
  use gpuarr_reduction_kernels
  use gpuarr_scalars, only: gpuarr_arg
  implicit none
  private
  public :: gpuarr_blocked_reduce

  !> Reduce blocked arrays: `call gpuarr_blocked_reduce(y, "mean", x, dim=1)`. Collective.
  interface gpuarr_blocked_reduce
    module procedure reduce_named, reduce_each, reduce_list, reduce_2, reduce_all
  end interface

contains

  !> @param out       the result: one that is set has its shape and dtype, in any blocks; else it is
  !>                  made, replicated, in one block on every place
  !> @param name      sum, prod, min, max, argmin, argmax, any, all, count_nonzero, mean, var, std,
  !>                  norm_1, norm_2, norm_inf, nansum, nanmin, nanmax or logsumexp; argmin and
  !>                  argmax as gpuarr_argmin: from 1, along several dims in Fortran's order
  !> @param x         the elements
  !> @param dim       the dim to reduce along, from 1
  !> @param dims      several dims; with neither it is all, to one result
  !> @param keepdims  .true. to keep reduced dims, with extent 1
  !> @param ddof      of var and std: the divisor is the number of elements minus this; 0 without it
  !> @param fast      .true. if partial results may be combined by the devices' own all-reduce, in
  !>                  an order of its own
  !> Fails with what gpuarr_sum fails with, and GPUARR_ERR_PEER and others of gpuarr_blocked_reduce.
  subroutine reduce_named(out, name, x, dim, dims, keepdims, ddof, fast, stat, errmsg)
    type(gpuarr_blocked), intent(inout) :: out
    character(*), intent(in) :: name
    type(gpuarr_blocked), intent(in) :: x
    integer, intent(in), optional :: dim, dims(:)
    logical, intent(in), optional :: keepdims
    real(c_double), intent(in), optional :: ddof
    logical, intent(in), optional :: fast
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    integer(c_int32_t) :: axes(GPUARR_MAX_NDIM), count
    real(c_double) :: less
    type(c_ptr) :: made
    less = 0
    if (present(ddof)) less = ddof
    made = out%c_handle()
    call axes_of(axes, count, dim, dims, state)
    if (is_ok(state) .and. (name == "argmin" .or. name == "argmax")) then
      call reduce_to_place(made, name, x, axes, count, flag(keepdims), state)
    else if (is_ok(state)) then
      state%status = gpuarr_blocked_reduce_c(made, c_text(name), x%c_handle(), axes, count, &
          flag(keepdims), less, GPUARR_REDUCE_FAST * flag(fast))
    end if
    call keep_blocked(out, made, x)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> C counts places in C order, which is Fortran's where the dims are reversed, and from 0.
  subroutine reduce_to_place(out, name, x, axes, count, keepdims, state)
    type(c_ptr), intent(inout) :: out
    character(*), intent(in) :: name
    type(gpuarr_blocked), intent(in) :: x
    integer(c_int32_t), intent(inout) :: axes(:)
    integer(c_int32_t), intent(in) :: count, keepdims
    type(call_state), intent(inout) :: state
    type(c_ptr) :: x_reversed, out_reversed, made
    integer(c_int32_t) :: rank
    x_reversed = c_null_ptr
    out_reversed = c_null_ptr
    made = c_null_ptr
    rank = x%rank()
    where (axes < rank) axes = rank - 1 - axes  ! others stay too large
    state%status = gpuarr_blocked_transpose_c(x_reversed, x%c_handle(), 0)
    if (is_ok(state) .and. c_associated(out)) &
      state%status = gpuarr_blocked_transpose_c(out_reversed, out, 0)
    if (is_ok(state)) state%status = gpuarr_blocked_reduce_c(out_reversed, c_text(name), &
        x_reversed, axes, count, keepdims, 0d0, 0_c_int32_t)
    if (is_ok(state)) state%status = add_one(out_reversed)
    if (is_ok(state) .and. .not. c_associated(out)) then
      state%status = gpuarr_blocked_transpose_c(made, out_reversed, 0)
      out = made
    end if
    call gpuarr_blocked_release_c(out_reversed)
    call gpuarr_blocked_release_c(x_reversed)
  end subroutine

  !> Returns a status.
  function add_one(blocked) result(status)
    type(c_ptr), intent(in) :: blocked
    integer(c_int32_t) :: status
    type(gpuarr_arg_c) :: input(1)
    type(c_ptr) :: kernel
    kernel = c_null_ptr
    input(1) = gpuarr_arg_blocked_c(blocked, GPUARR_ARG_BLOCKED)
    status = gpuarr_elementwise_create_c(kernel, c_text("int64 place"), c_text("int64 place"), &
        c_text("place += 1;"), c_null_ptr)
    if (status == GPUARR_OK) &
      status = gpuarr_map_blocks_elementwise_c(kernel, [blocked], 1, input, 1)
    call gpuarr_elementwise_release_c(kernel)
  end function

  !> @param out     the output, as above
  !> @param kernel  a reduction kernel; i, _J, n and the indices in it count in the whole
  !> @param a1 ...  an input for each parameter: blocked arrays that go together as those of
  !>                gpuarr_map_blocks, scalars, and arrays for raw parameters, equal on all places
  !> Other arguments as above. Fails with what gpuarr_reduction%call fails with; GPUARR_ERR_LAYOUT
  !> also for an operator that is not commutative and blocks that do not follow each other in order.
  subroutine reduce_each(out, kernel, a1, a2, a3, a4, a5, a6, a7, a8, dim, dims, keepdims, stat, &
                         errmsg)
    type(gpuarr_blocked), intent(inout) :: out
    type(gpuarr_reduction), intent(in) :: kernel
    class(*), intent(in), optional :: a1, a2, a3, a4, a5, a6, a7, a8
    integer, intent(in), optional :: dim, dims(:)
    logical, intent(in), optional :: keepdims
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    integer(c_int64_t), target :: room(argument_words)
    type(gpuarr_arg_c), pointer, contiguous :: inputs(:)
    type(c_ptr) :: outputs(1)
    integer(c_int32_t) :: count
    logical :: results
    call gather_blocked(inputs, room, count, results, a1, a2, a3, a4, a5, a6, a7, a8)
    outputs(1) = out%c_handle()
    call run(state, kernel, outputs, inputs(:count), dim, dims, keepdims)
    call keep_blocked(out, outputs(1))
    if (results) call let_go_each(a1, a2, a3, a4, a5, a6, a7, a8)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> The same with inputs of `arg`.
  subroutine reduce_list(out, kernel, inputs, dim, dims, keepdims, stat, errmsg)
    type(gpuarr_blocked), intent(inout) :: out
    type(gpuarr_reduction), intent(in) :: kernel
    type(gpuarr_arg), intent(in) :: inputs(:)
    integer, intent(in), optional :: dim, dims(:)
    logical, intent(in), optional :: keepdims
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: outputs(1)
    outputs(1) = out%c_handle()
    call run(state, kernel, outputs, inputs%c, dim, dims, keepdims)
    call keep_blocked(out, outputs(1))
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> The same to two outputs.
  subroutine reduce_2(out1, out2, kernel, inputs, dim, dims, keepdims, stat, errmsg)
    type(gpuarr_blocked), intent(inout) :: out1, out2
    type(gpuarr_reduction), intent(in) :: kernel
    type(gpuarr_arg), intent(in) :: inputs(:)
    integer, intent(in), optional :: dim, dims(:)
    logical, intent(in), optional :: keepdims
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: outputs(2)
    outputs = [out1%c_handle(), out2%c_handle()]
    call run(state, kernel, outputs, inputs%c, dim, dims, keepdims)
    call keep_blocked(out1, outputs(1))
    call keep_blocked(out2, outputs(2))
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> The same to outputs in an array.
  subroutine reduce_all(outs, kernel, inputs, dim, dims, keepdims, stat, errmsg)
    type(gpuarr_blocked), intent(inout) :: outs(:)
    type(gpuarr_reduction), intent(in) :: kernel
    type(gpuarr_arg), intent(in) :: inputs(:)
    integer, intent(in), optional :: dim, dims(:)
    logical, intent(in), optional :: keepdims
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: outputs(size(outs))
    integer :: k
    outputs = [(outs(k)%c_handle(), k = 1, size(outs))]
    call run(state, kernel, outputs, inputs%c, dim, dims, keepdims)
    do k = 1, size(outs)
      call keep_blocked(outs(k), outputs(k))
    end do
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  subroutine run(state, kernel, outputs, inputs, dim, dims, keepdims)
    type(call_state), intent(inout) :: state
    type(gpuarr_reduction), intent(in) :: kernel
    type(c_ptr), intent(inout) :: outputs(:)
    type(gpuarr_arg_c), intent(in) :: inputs(:)
    integer, intent(in), optional :: dim, dims(:)
    logical, intent(in), optional :: keepdims
    integer(c_int32_t) :: axes(GPUARR_MAX_NDIM), count
    call axes_of(axes, count, dim, dims, state)
    if (is_ok(state)) state%status = gpuarr_blocked_reduction_c(kernel%c_handle(), outputs, &
        size(outputs, kind=c_int32_t), inputs, size(inputs, kind=c_int32_t), axes, count, &
        flag(keepdims))
  end subroutine

end module
