!> Expressions that are refused: what stat and errmsg say, and that nothing is left.
program test_fusion_refused
  use, intrinsic :: iso_c_binding
  use gpuarr
  use gpuarr_intrinsics
  use checks
  implicit none
  integer(c_int64_t) :: before
  call start()
  before = gpuarr_live_objects()
  call refused()
  call expect(gpuarr_live_objects(), before, "left by what is refused")
  call finish()

contains

  subroutine refused()
    type(gpuarr_array) :: x, y, z, bools
    type(gpuarr_expr) :: e, unset
    integer :: stat
    character(:), allocatable :: message
    call x%from_host([1.0, 2.0])
    call y%from_host([1.0, 2.0, 3.0])
    bools = x > 1
    e = x + 1
    call gpuarr_subtract(z, e, y, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_BROADCAST, "gpuarr_subtract: y has shape (3,)" // &
        ", which does not broadcast with (2,); in subtract(add(...): float32 (2,), float32 (3,))")
    call gpuarr_subtract(z, x > 1, bools, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_DTYPE, "bool")
    call gpuarr_sum(z, e, dim=2, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_AXIS, "axis 0 is dim 1")
    call gpuarr_sum(z, e, dim=0, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_AXIS, "dims count from 1")
    call gpuarr_evaluate(y, e, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_SHAPE, "outputs[0] has shape (3,)")
    call gpuarr_evaluate(bools, e, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_DTYPE, "outputs[0] is bool")
    call gpuarr_evaluate(x, e, x, e, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_OVERLAP, "share memory")
    call gpuarr_evaluate(z, e, y, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "an array and an expression in turn")
    call gpuarr_evaluate(z, unset, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "gpuarr_expr that is not set")
    call gpuarr_add(z, e, unset, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "not set")
    call x%assign(e * y%rank() + spread(e, 1, 1), stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_BROADCAST, "(1, 2)")
    call expect(.not. z%is_set(), "nothing was made")
  end subroutine

end program
