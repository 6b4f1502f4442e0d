!> Kernels and expressions that are called for each block of blocked arrays, and the arguments that
!> stand for something else in each call.
module gpuarr_block_kernels
  use, intrinsic :: iso_c_binding
  use gpuarr_arguments
  use gpuarr_blocked_arrays
  use gpuarr_block_maps
  use gpuarr_c
  use gpuarr_elementwise_kernels
  use gpuarr_errors
  use gpuarr_expression_functions
  use gpuarr_raw_kernels
  use gpuarr_reduction_kernels
  use gpuarr_scalars, only: gpuarr_arg
  implicit none
  private
  public :: gpuarr_map_blocks, gather_blocked

  !> Call a kernel for each block: `call gpuarr_map_blocks(kernel, z, x, 2.0)`. Collective.
  interface gpuarr_map_blocks
    module procedure map_elementwise, map_elementwise_list, map_reduction, map_reduction_list, &
        map_raw, map_raw_list, map_text, map_text_list, map_function, map_function_list
  end interface

contains

  !> @param kernel  an elementwise kernel: i, n and _ind count within a block
  !> @param out     the output
  !> @param a1 ...  an input for each parameter: blocked arrays, arrays that every block gets,
  !>                scalars of any kind, results of `arg`, `arg_halo`, `arg_block_start` and others
  !> Fails with what gpuarr_map_blocks of a procedure fails with, and gpuarr_elementwise%call.
  subroutine map_elementwise(kernel, out, a1, a2, a3, a4, a5, a6, a7, a8, stat, errmsg)
    type(gpuarr_elementwise), intent(in) :: kernel
    type(gpuarr_blocked), intent(in) :: out
    class(*), intent(in), optional :: a1, a2, a3, a4, a5, a6, a7, a8
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    integer(c_int64_t), target :: room(argument_words)
    type(gpuarr_arg_c), pointer, contiguous :: inputs(:)
    integer(c_int32_t) :: count
    logical :: results
    call gather_blocked(inputs, room, count, results, a1, a2, a3, a4, a5, a6, a7, a8)
    state%status = gpuarr_map_blocks_elementwise_c(kernel%c_handle(), [out%c_handle()], 1, &
        inputs, count)
    if (results) call let_go_each(a1, a2, a3, a4, a5, a6, a7, a8)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> The same with outputs and inputs of `arg`.
  subroutine map_elementwise_list(kernel, outs, inputs, stat, errmsg)
    type(gpuarr_elementwise), intent(in) :: kernel
    type(gpuarr_arg), intent(in) :: outs(:), inputs(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: outputs(size(outs))
    call outputs_of(outputs, outs, "outs", state)
    if (is_ok(state)) state%status = gpuarr_map_blocks_elementwise_c(kernel%c_handle(), outputs, &
        size(outs, kind=c_int32_t), inputs%c, size(inputs, kind=c_int32_t))
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> @param kernel  a reduction kernel, which reduces each block by itself, unlike
  !>                gpuarr_blocked_reduce
  !> @param out     of as many dims as the inputs: along a reduced one it has as many blocks as they
  !>                have, each of extent 1
  !> @param dim     the dim to reduce along, from 1
  !> @param dims    several dims; with neither it is all
  !> Other arguments as for elementwise kernels. Fails with GPUARR_ERR_AXIS too.
  subroutine map_reduction(kernel, out, a1, a2, a3, a4, a5, a6, a7, a8, dim, dims, stat, errmsg)
    type(gpuarr_reduction), intent(in) :: kernel
    type(gpuarr_blocked), intent(in) :: out
    class(*), intent(in), optional :: a1, a2, a3, a4, a5, a6, a7, a8
    integer, intent(in), optional :: dim, dims(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    integer(c_int64_t), target :: room(argument_words)
    type(gpuarr_arg_c), pointer, contiguous :: inputs(:)
    integer(c_int32_t) :: count
    logical :: results
    call gather_blocked(inputs, room, count, results, a1, a2, a3, a4, a5, a6, a7, a8)
    call reduce_blocks(state, kernel, [out%c_handle()], inputs(:count), dim, dims)
    if (results) call let_go_each(a1, a2, a3, a4, a5, a6, a7, a8)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> The same with outputs and inputs of `arg`.
  subroutine map_reduction_list(kernel, outs, inputs, dim, dims, stat, errmsg)
    type(gpuarr_reduction), intent(in) :: kernel
    type(gpuarr_arg), intent(in) :: outs(:), inputs(:)
    integer, intent(in), optional :: dim, dims(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: outputs(size(outs))
    call outputs_of(outputs, outs, "outs", state)
    call reduce_blocks(state, kernel, outputs, inputs%c, dim, dims)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  subroutine reduce_blocks(state, kernel, outputs, inputs, dim, dims)
    type(call_state), intent(inout) :: state
    type(gpuarr_reduction), intent(in) :: kernel
    type(c_ptr), intent(in) :: outputs(:)
    type(gpuarr_arg_c), intent(in) :: inputs(:)
    integer, intent(in), optional :: dim, dims(:)
    integer(c_int32_t) :: axes(GPUARR_MAX_NDIM), count
    call axes_of(axes, count, dim, dims, state)
    if (is_ok(state)) state%status = gpuarr_map_blocks_reduction_c(kernel%c_handle(), outputs, &
        size(outputs, kind=c_int32_t), inputs, size(inputs, kind=c_int32_t), axes, count)
  end subroutine

  !> @param kernel  a raw kernel
  !> @param over    the array for whose blocks it is launched; its blocks decide the grid
  !> @param a1 ...  an argument for each parameter, as for gpuarr_raw%launch: blocked arrays too,
  !>                and results of `arg_view`, `arg_halo_view` and `arg_block_start` and the others
  !> @param block   threads of a block along x, y, z, one to three numbers. There are as many blocks
  !>                of threads as cover the first dim of `over` by x, the second by y and all others
  !>                together by z (of GPUARR_ORDER_C: the last by x, and so on). Without it there is
  !>                a thread for each element, in one dimension
  !> Fails with what gpuarr_map_blocks of a procedure fails with, and gpuarr_raw%launch.
  subroutine map_raw(kernel, over, a1, a2, a3, a4, a5, a6, a7, a8, block, stat, errmsg)
    type(gpuarr_raw), intent(in) :: kernel
    type(gpuarr_blocked), intent(in) :: over
    class(*), intent(in), optional :: a1, a2, a3, a4, a5, a6, a7, a8
    integer, intent(in), optional :: block(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    integer(c_int64_t), target :: room(argument_words)
    type(gpuarr_arg_c), pointer, contiguous :: arguments(:)
    integer(c_int32_t) :: count
    logical :: results
    call gather_blocked(arguments, room, count, results, a1, a2, a3, a4, a5, a6, a7, a8)
    call launch(state, kernel, over, arguments(:count), block)
    if (results) call let_go_each(a1, a2, a3, a4, a5, a6, a7, a8)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> The same with arguments of `arg`, any number of them.
  subroutine map_raw_list(kernel, over, arguments, block, stat, errmsg)
    type(gpuarr_raw), intent(in) :: kernel
    type(gpuarr_blocked), intent(in) :: over
    type(gpuarr_arg), intent(in) :: arguments(:)
    integer, intent(in), optional :: block(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    call launch(state, kernel, over, arguments%c, block)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  subroutine launch(state, kernel, over, arguments, block)
    type(call_state), intent(inout) :: state
    type(gpuarr_raw), intent(in) :: kernel
    type(gpuarr_blocked), intent(in) :: over
    type(gpuarr_arg_c), intent(in) :: arguments(:)
    integer, intent(in), optional :: block(:)
    integer(c_int64_t), allocatable :: threads(:)  ! left out where it is not allocated
    if (present(block)) then
      threads = three(block)
      if (size(block) < 1 .or. size(block) > 3) call refuse(state, GPUARR_ERR_ARGUMENT, &
          "gpuarr_map_blocks: block has " // text_of(size(block)) // &
          " numbers; give one to three")
    end if
    if (is_ok(state)) state%status = gpuarr_map_blocks_raw_c(kernel%c_handle(), over%c_handle(), &
        threads, arguments, size(arguments, kind=c_int32_t))
  end subroutine

  !> Compute an expression from its text for each block: `call gpuarr_map_blocks("2 * x + y", z,
  !> ["x", "y"], [arg(x), arg(y)])`. What it reduces or indexes, it does within a block.
  !> @param text    as gpuarr_eval in gpuarr/eval.h takes it
  !> @param out     the result
  !> @param names   of the inputs
  !> @param inputs  of `arg`: one for each name
  !> Fails with what gpuarr_map_blocks of a procedure fails with, and gpuarr_eval.
  subroutine map_text(text, out, names, inputs, stat, errmsg)
    character(*), intent(in) :: text, names(:)
    type(gpuarr_blocked), intent(in) :: out
    type(gpuarr_arg), intent(in) :: inputs(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    call evaluate(state, text, [out%c_handle()], names, inputs)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> The same of a text with several results.
  subroutine map_text_list(text, outs, names, inputs, stat, errmsg)
    character(*), intent(in) :: text, names(:)
    type(gpuarr_arg), intent(in) :: outs(:), inputs(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: outputs(size(outs))
    call outputs_of(outputs, outs, "outs", state)
    call evaluate(state, text, outputs, names, inputs)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  subroutine evaluate(state, text, outputs, names, inputs)
    type(call_state), intent(inout) :: state
    character(*), intent(in) :: text, names(:)
    type(c_ptr), intent(in) :: outputs(:)
    type(gpuarr_arg), intent(in) :: inputs(:)
    character(len(names) + 1, c_char), target :: texts(size(names))
    type(c_ptr) :: places(size(names))
    integer :: k
    do k = 1, size(names)
      texts(k) = trim(names(k)) // c_null_char
      places(k) = c_loc(texts(k))
    end do
    if (size(names) /= size(inputs)) call refuse(state, GPUARR_ERR_ARGUMENT, &
        "gpuarr_map_blocks: there are " // text_of(size(names)) // " names and " // &
        text_of(size(inputs)) // " inputs; give one for each name")
    if (is_ok(state)) state%status = gpuarr_map_blocks_eval_c(outputs, &
        size(outputs, kind=c_int32_t), c_text(text), places, inputs%c, &
        size(inputs, kind=c_int32_t))
  end subroutine

  !> @param kernel  a function of expressions: what it reduces or indexes, it does within a block
  !> Other arguments as for elementwise kernels. Fails with what gpuarr_map_blocks of a procedure
  !> fails with, and gpuarr_function%call.
  subroutine map_function(kernel, out, a1, a2, a3, a4, a5, a6, a7, a8, stat, errmsg)
    type(gpuarr_function), intent(in) :: kernel
    type(gpuarr_blocked), intent(in) :: out
    class(*), intent(in), optional :: a1, a2, a3, a4, a5, a6, a7, a8
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    integer(c_int64_t), target :: room(argument_words)
    type(gpuarr_arg_c), pointer, contiguous :: inputs(:)
    integer(c_int32_t) :: count
    logical :: results
    call gather_blocked(inputs, room, count, results, a1, a2, a3, a4, a5, a6, a7, a8)
    state%status = gpuarr_map_blocks_function_c(kernel%c_handle(), [out%c_handle()], 1, inputs, &
        count)
    if (results) call let_go_each(a1, a2, a3, a4, a5, a6, a7, a8)
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> The same with outputs and inputs of `arg`.
  subroutine map_function_list(kernel, outs, inputs, stat, errmsg)
    type(gpuarr_function), intent(in) :: kernel
    type(gpuarr_arg), intent(in) :: outs(:), inputs(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: outputs(size(outs))
    call outputs_of(outputs, outs, "outs", state)
    if (is_ok(state)) state%status = gpuarr_map_blocks_function_c(kernel%c_handle(), outputs, &
        size(outs, kind=c_int32_t), inputs%c, size(inputs, kind=c_int32_t))
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> The same as `gather`, of blocked arrays too.
  subroutine gather_blocked(arguments, room, count, results, a1, a2, a3, a4, a5, a6, a7, a8)
    type(gpuarr_arg_c), pointer, contiguous, intent(out) :: arguments(:)
    integer(c_int64_t), target, intent(inout) :: room(argument_words)
    integer(c_int32_t), intent(out) :: count
    logical, intent(out) :: results
    class(*), intent(in), optional :: a1, a2, a3, a4, a5, a6, a7, a8
    integer :: at
    call gather(arguments, room, count, results, a1, a2, a3, a4, a5, a6, a7, a8)
    at = 0
    if (present(a1)) call put(a1)
    if (present(a2)) call put(a2)
    if (present(a3)) call put(a3)
    if (present(a4)) call put(a4)
    if (present(a5)) call put(a5)
    if (present(a6)) call put(a6)
    if (present(a7)) call put(a7)
    if (present(a8)) call put(a8)

  contains

    subroutine put(value)
      class(*), intent(in) :: value
      at = at + 1
      select type (value)
      type is (gpuarr_blocked)
        arguments(at) = gpuarr_arg_blocked_c(value%c_handle(), GPUARR_ARG_BLOCKED)
      end select
    end subroutine

  end subroutine

end module
