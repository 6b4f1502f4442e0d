!> Elementwise functions by name: those of gpuarr_functions, also in expressions, and what there is.
module gpuarr_named
  use, intrinsic :: iso_c_binding
  use gpuarr_arguments
  use gpuarr_arrays
  use gpuarr_c
  use gpuarr_errors
  use gpuarr_formulas
  use gpuarr_scalars
  use gpuarr_streams
  implicit none
  private
  public :: gpuarr_apply, gpuarr_applied, gpuarr_reduced, gpuarr_indices, gpuarr_apply_count
  public :: gpuarr_apply_describe, gpuarr_result_type

contains

  !> Run a function by its name, "add" for gpuarr_add.
  !> @param outs    as many as the function has; those that are not set are made
  !> @param name    the function
  !> @param x ...   arrays, results or scalars, as many as it takes
  !> @param where   bools: outputs, which must be set, change where it is true
  !> @param stream  stream to work in; the current one of the arrays' device without it
  !> Fails as the function, and with GPUARR_ERR_ARGUMENT for a name that there is not.
  subroutine gpuarr_apply(outs, name, x, y, z, v, w, where, stream, stat, errmsg)
    type(gpuarr_array), intent(inout) :: outs(:)
    character(*), intent(in) :: name
    class(*), intent(in) :: x
    class(*), intent(in), optional :: y, z, v, w
    class(gpuarr_operand), intent(in), optional :: where
    type(gpuarr_stream), intent(in), optional :: stream
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: made(size(outs))
    integer :: k
    do k = 1, size(outs)
      made(k) = outs(k)%c_handle()
    end do
    call apply(state, made, name, x, y, z, v, w, where, stream)
    do k = 1, size(outs)
      call keep(outs(k), made(k))
    end do
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> A function by its name in an expression, for those that Fortran has no name for:
  !> `y = 2 * gpuarr_applied("log1p", x)`. A failure is an error stop.
  function gpuarr_applied(name, x, y, z) result(made)
    character(*), intent(in) :: name
    class(*), intent(in) :: x
    class(*), intent(in), optional :: y, z
    type(gpuarr_result) :: made
    call compute(made, c_text(name), x, y, z)
  end function

  !> A reduction by its name in an expression: `y = x - gpuarr_reduced("mean", x)`. A failure is an
  !> error stop.
  !> @param name  "sum", "prod", "min", "max", "argmin", "argmax", "any", "all", "count_nonzero",
  !>              "mean", "var", "std", "norm_1", "norm_2", "norm_inf", "nansum", "nanmin", "nanmax"
  !>              or "logsumexp". Places of "argmin" and "argmax" are C's: from 0, and of all
  !>              elements in C's order (maxloc's are Fortran's)
  !> @param dim, dims, keepdims  as of gpuarr_sum
  !> @param ddof  as of gpuarr_var
  function gpuarr_reduced(name, x, dim, dims, keepdims, ddof) result(made)
    character(*), intent(in) :: name
    class(gpuarr_operand), intent(in) :: x
    integer, intent(in), optional :: dim, dims(:)
    logical, intent(in), optional :: keepdims
    real(c_double), intent(in), optional :: ddof
    type(gpuarr_result) :: made
    call reduced(made, c_text(name), x, dim, dims, keepdims, ddof)
  end function

  !> The index of each element along a dim, from 1, in an expression. Only the shape of x counts. A
  !> failure is an error stop.
  function gpuarr_indices(x, dim) result(made)
    class(gpuarr_operand), intent(in) :: x
    integer, intent(in) :: dim
    type(gpuarr_result) :: made
    call count_along(made, x, dim)
  end function

  !> Number of the functions that there are. Thread-safe.
  integer function gpuarr_apply_count()
    gpuarr_apply_count = gpuarr_apply_count_c()
  end function

  !> Describe a function: its name, what it computes, its numbers of inputs and outputs.
  !> @param index  which, 1 to gpuarr_apply_count()
  !> Fails with GPUARR_ERR_ARGUMENT. Thread-safe.
  subroutine gpuarr_apply_describe(index, name, about, inputs, outputs, stat, errmsg)
    integer, intent(in) :: index
    character(:), allocatable, intent(out) :: name, about
    integer, intent(out), optional :: inputs, outputs
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    type(c_ptr) :: c_name, c_about
    integer(c_int32_t) :: input_count, output_count
    state%status = gpuarr_apply_describe_c(c_name, c_about, input_count, output_count, index - 1)
    name = f_text(c_name)
    about = f_text(c_about)
    if (present(inputs)) inputs = input_count
    if (present(outputs)) outputs = output_count
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

  !> Tell which dtype arguments, of `arg`, are computed in together.
  !> Fails with GPUARR_ERR_ARGUMENT, when it is 0. Thread-safe.
  subroutine gpuarr_result_type(dtype, arguments, stat, errmsg)
    integer(c_int32_t), intent(out) :: dtype
    type(gpuarr_arg), intent(in) :: arguments(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(call_state) :: state
    state%status = gpuarr_result_type_c(dtype, arguments%c, size(arguments, kind=c_int32_t))
    if (present(errmsg)) call tell(state, errmsg)
    call finish(state, stat)
  end subroutine

end module
