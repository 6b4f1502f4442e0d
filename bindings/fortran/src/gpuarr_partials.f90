!> What the blocks of a folding kernel leave, combined on the host.
module gpuarr_partials
  use, intrinsic :: iso_c_binding
  use gpuarr_c
  use gpuarr_errors
  implicit none
  private
  public :: combine, most_folds

  integer, parameter :: most_folds = 8  !< scalars that one loop may fold
  integer, parameter, public :: most_partials = 1024  !< blocks of a launch

contains

  !> Read an array of one dim, and combine all of its elements.
  !> @param partials  the array, of most_partials elements at most; nothing is done without one
  !> @param operator  "+", "max" and so on
  !> @param whole     where the result goes: a scalar of the array's type
  subroutine combine(partials, operator, whole, stream, state)
    type(c_ptr), intent(in) :: partials, stream
    character(*), intent(in) :: operator
    class(*), intent(inout) :: whole
    type(call_state), intent(inout) :: state
    integer(c_int64_t), target :: room(2 * most_partials)
    integer(c_int64_t) :: count
    if (.not. c_associated(partials)) return
    count = gpuarr_array_size_c(partials)
    state%status = gpuarr_array_read_c(c_loc(room), &
        count * gpuarr_dtype_size_c(gpuarr_array_dtype_c(partials)), array=partials, stream=stream)
    if (is_ok(state)) call fold(c_loc(room), count, operator, whole)
  end subroutine

  !> Integers wrap around, whatever their kind: what is low of a sum or product is so in long ones.
  subroutine fold(address, count, operator, whole)
    type(c_ptr), intent(in) :: address
    integer(c_int64_t), intent(in) :: count
    character(*), intent(in) :: operator
    class(*), intent(inout) :: whole
    integer(c_int8_t), pointer, contiguous :: int8s(:)
    integer(c_int16_t), pointer, contiguous :: int16s(:)
    integer(c_int32_t), pointer, contiguous :: int32s(:)
    integer(c_int64_t), pointer, contiguous :: int64s(:)
    real(c_float), pointer, contiguous :: real32s(:)
    real(c_double), pointer, contiguous :: real64s(:)
    complex(c_float_complex), pointer, contiguous :: complex32s(:)
    complex(c_double_complex), pointer, contiguous :: complex64s(:)
    logical(c_bool), pointer, contiguous :: logicals(:)
    select type (whole)
    type is (integer(c_int8_t))
      call c_f_pointer(address, int8s, [count])
      whole = transfer(fold_integers(int(int8s, c_int64_t), operator), whole)
    type is (integer(c_int16_t))
      call c_f_pointer(address, int16s, [count])
      whole = transfer(fold_integers(int(int16s, c_int64_t), operator), whole)
    type is (integer(c_int32_t))
      call c_f_pointer(address, int32s, [count])
      whole = transfer(fold_integers(int(int32s, c_int64_t), operator), whole)
    type is (integer(c_int64_t))
      call c_f_pointer(address, int64s, [count])
      whole = fold_integers(int64s, operator)
    type is (real(c_float))
      call c_f_pointer(address, real32s, [count])
      whole = real(fold_reals(real(real32s, c_double), operator), c_float)
    type is (real(c_double))
      call c_f_pointer(address, real64s, [count])
      whole = fold_reals(real64s, operator)
    type is (complex(c_float_complex))
      call c_f_pointer(address, complex32s, [count])
      whole = cmplx(fold_complex(cmplx(complex32s, kind=c_double), operator), kind=c_float)
    type is (complex(c_double_complex))
      call c_f_pointer(address, complex64s, [count])
      whole = fold_complex(complex64s, operator)
    type is (logical(c_bool))
      call c_f_pointer(address, logicals, [count])
      whole = merge(all(logicals), any(logicals), operator == ".and.")
    end select
  end subroutine

  pure function fold_integers(values, operator) result(whole)
    integer(c_int64_t), intent(in) :: values(:)
    character(*), intent(in) :: operator
    integer(c_int64_t) :: whole
    select case (operator)
    case ("+")
      whole = sum(values)
    case ("*")
      whole = product(values)
    case ("max")
      whole = maxval(values)
    case ("min")
      whole = minval(values)
    case ("iand")
      whole = iall(values)
    case ("ior")
      whole = iany(values)
    case default
      whole = iparity(values)
    end select
  end function

  !> Halves go into each other: that is more accurate than one after another, and a processor does
  !> not wait for each addition.
  pure function fold_reals(values, operator) result(whole)
    real(c_double), intent(in) :: values(:)
    character(*), intent(in) :: operator
    real(c_double) :: whole, work(size(values))
    integer :: count, half
    work = values
    count = size(values)
    do while (count > 1)
      half = (count + 1) / 2
      call join(work(:count - half), work(half + 1:count), operator)
      count = half
    end do
    whole = work(1)
  end function

  pure subroutine join(a, b, operator)
    real(c_double), contiguous, intent(inout) :: a(:)
    real(c_double), contiguous, intent(in) :: b(:)
    character(*), intent(in) :: operator
    select case (operator)
    case ("+")
      a = a + b
    case ("*")
      a = a * b
    case ("max")
      a = max(a, b)
    case default
      a = min(a, b)
    end select
  end subroutine

  pure function fold_complex(values, operator) result(whole)
    complex(c_double_complex), intent(in) :: values(:)
    character(*), intent(in) :: operator
    complex(c_double_complex) :: whole
    select case (operator)
    case ("+")
      whole = sum(values)
    case default
      whole = product(values)
    end select
  end function

end module
