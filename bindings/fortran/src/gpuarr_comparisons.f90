!> What programs consist of that `gpuarr fortran --test` writes: random values, and comparisons.
module gpuarr_comparisons
  use, intrinsic :: iso_fortran_env
  use, intrinsic :: iso_c_binding, only: c_bool
  implicit none
  private
  public :: draw, differ, report, end_comparisons

  integer :: failures = 0, comparisons = 0

  !> Give a variable, or each element of an array, a random value: reals from 0 to 1, integers from
  !> 1 to `most`.
  interface draw
    procedure :: draw_int8, draw_int16, draw_int32, draw_int64, draw_real32, draw_real64, &
        draw_complex32, draw_complex64, draw_logical
  end interface

  !> Whether two values differ: reals by more than rounding in a different order can do, beside
  !> `scale`, the greatest of them; two NaNs do not.
  interface differ
    procedure :: differ_int8, differ_int16, differ_int32, differ_int64, differ_real32, &
        differ_real64, differ_complex32, differ_complex64, differ_logical, differ_bools
  end interface

contains

  impure elemental real(real64) function uniform()
    call random_number(uniform)
  end function

  impure elemental subroutine draw_int8(x, most)
    integer(int8), intent(out) :: x
    integer, intent(in) :: most
    x = int(1 + int(uniform() * most), int8)
  end subroutine

  impure elemental subroutine draw_int16(x, most)
    integer(int16), intent(out) :: x
    integer, intent(in) :: most
    x = int(1 + int(uniform() * most), int16)
  end subroutine

  impure elemental subroutine draw_int32(x, most)
    integer(int32), intent(out) :: x
    integer, intent(in) :: most
    x = 1 + int(uniform() * most)
  end subroutine

  impure elemental subroutine draw_int64(x, most)
    integer(int64), intent(out) :: x
    integer, intent(in) :: most
    x = 1 + int(uniform() * most)
  end subroutine

  impure elemental subroutine draw_real32(x, most)
    real(real32), intent(out) :: x
    integer, intent(in) :: most
    x = real(uniform(), real32)
    if (most < 1) x = 0
  end subroutine

  impure elemental subroutine draw_real64(x, most)
    real(real64), intent(out) :: x
    integer, intent(in) :: most
    x = uniform()
    if (most < 1) x = 0
  end subroutine

  impure elemental subroutine draw_complex32(x, most)
    complex(real32), intent(out) :: x
    integer, intent(in) :: most
    real(real32) :: a, b
    call draw(a, most)
    call draw(b, most)
    x = cmplx(a, b, real32)
  end subroutine

  impure elemental subroutine draw_complex64(x, most)
    complex(real64), intent(out) :: x
    integer, intent(in) :: most
    real(real64) :: a, b
    call draw(a, most)
    call draw(b, most)
    x = cmplx(a, b, real64)
  end subroutine

  impure elemental subroutine draw_logical(x, most)
    logical, intent(out) :: x
    integer, intent(in) :: most
    x = uniform() < 0.5_real64 .and. most > 0
  end subroutine

  elemental logical function differ_int8(a, b, scale)
    integer(int8), intent(in) :: a, b
    real(real64), intent(in) :: scale
    differ_int8 = a /= b .or. scale < 0
  end function

  elemental logical function differ_int16(a, b, scale)
    integer(int16), intent(in) :: a, b
    real(real64), intent(in) :: scale
    differ_int16 = a /= b .or. scale < 0
  end function

  elemental logical function differ_int32(a, b, scale)
    integer(int32), intent(in) :: a, b
    real(real64), intent(in) :: scale
    differ_int32 = a /= b .or. scale < 0
  end function

  elemental logical function differ_int64(a, b, scale)
    integer(int64), intent(in) :: a, b
    real(real64), intent(in) :: scale
    differ_int64 = a /= b .or. scale < 0
  end function

  elemental logical function differ_real32(a, b, scale)
    real(real32), intent(in) :: a, b
    real(real64), intent(in) :: scale
    differ_real32 = .not. (abs(a - b) <= 1000 * epsilon(a) * scale .or. a == b .or. &
        (a /= a .and. b /= b))
  end function

  elemental logical function differ_real64(a, b, scale)
    real(real64), intent(in) :: a, b
    real(real64), intent(in) :: scale
    differ_real64 = .not. (abs(a - b) <= 1000 * epsilon(a) * scale .or. a == b .or. &
        (a /= a .and. b /= b))
  end function

  elemental logical function differ_complex32(a, b, scale)
    complex(real32), intent(in) :: a, b
    real(real64), intent(in) :: scale
    differ_complex32 = differ(real(a), real(b), scale) .or. differ(aimag(a), aimag(b), scale)
  end function

  elemental logical function differ_complex64(a, b, scale)
    complex(real64), intent(in) :: a, b
    real(real64), intent(in) :: scale
    differ_complex64 = differ(real(a), real(b), scale) .or. differ(aimag(a), aimag(b), scale)
  end function

  elemental logical function differ_logical(a, b, scale)
    logical, intent(in) :: a, b
    real(real64), intent(in) :: scale
    differ_logical = (a .neqv. b) .or. scale < 0
  end function

  elemental logical function differ_bools(a, b, scale)
    logical, intent(in) :: a
    logical(c_bool), intent(in) :: b
    real(real64), intent(in) :: scale
    differ_bools = (a .neqv. logical(b)) .or. scale < 0
  end function

  !> Say how one result compares.
  !> @param name   "step: v"
  !> @param wrong  how many of its elements differ
  !> @param all    how many there are
  subroutine report(name, wrong, all)
    character(*), intent(in) :: name
    integer, intent(in) :: wrong, all
    comparisons = comparisons + 1
    if (wrong == 0) then
      print "(2a)", name, ": ok"
    else
      failures = failures + 1
      print "(2a, i0, a, i0, a)", name, ": ", wrong, " of ", all, " differ from the procedure's own"
    end if
  end subroutine

  !> End the program: with an error stop where something differed.
  subroutine end_comparisons()
    if (failures > 0) error stop "kernels differ from the procedures that they come from"
    print "(i0, a)", comparisons, " results of kernels are those of the procedures"
  end subroutine

end module
