!> How kernels are built: the optional arguments of their `create`, as C has them.
module gpuarr_options
  use, intrinsic :: iso_c_binding
  use gpuarr_c
  use gpuarr_errors
  implicit none
  private
  public :: make_options

contains

  !> Make options of those that are given; they are to be released. Returns a status.
  function make_options(made, name, preamble, loop_prep, after_loop, reduce_type, commutative, &
                        options, kernels, checks) result(status)
    type(c_ptr), intent(out) :: made
    character(*), intent(in), optional :: name, preamble, loop_prep, after_loop, reduce_type
    logical, intent(in), optional :: commutative
    character(*), intent(in), optional :: options(:), kernels(:)
    integer, intent(in), optional :: checks
    integer(c_int32_t) :: status
    integer :: k
    made = c_null_ptr
    status = gpuarr_kernel_options_create_c(made)
    if (present(name)) call next(gpuarr_kernel_options_set_name_c(made, c_text(name)))
    if (present(preamble)) call next(gpuarr_kernel_options_set_preamble_c(made, c_text(preamble)))
    if (present(loop_prep)) &
      call next(gpuarr_kernel_options_set_loop_prep_c(made, c_text(loop_prep)))
    if (present(after_loop)) &
      call next(gpuarr_kernel_options_set_after_loop_c(made, c_text(after_loop)))
    if (present(reduce_type)) &
      call next(gpuarr_kernel_options_set_reduce_type_c(made, c_text(reduce_type)))
    if (present(commutative)) &
      call next(gpuarr_kernel_options_set_commutative_c(made, merge(1, 0, commutative)))
    if (present(options)) then
      do k = 1, size(options)
        call next(gpuarr_kernel_options_add_c(made, c_text(options(k))))
      end do
    end if
    if (present(kernels)) then
      do k = 1, size(kernels)
        call next(gpuarr_kernel_options_add_kernel_c(made, c_text(kernels(k))))
      end do
    end if
    if (present(checks)) &
      call next(gpuarr_kernel_options_set_check_c(made, int(checks, c_int32_t)))

  contains

    subroutine next(result)
      integer(c_int32_t), intent(in) :: result
      if (result /= GPUARR_OK) status = result
    end subroutine

  end function

end module
