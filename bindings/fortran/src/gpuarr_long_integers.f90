!> Integers of any kind as 64 bits.
module gpuarr_long_integers
  use, intrinsic :: iso_c_binding
  implicit none
  private
  public :: gpuarr_long, low_half

  !> The same number.
  interface gpuarr_long
    procedure :: long_int8, long_int16, long_int32, long_int64
  end interface

contains

  elemental integer(c_int64_t) function long_int8(x)
    integer(c_int8_t), intent(in) :: x
    long_int8 = x
  end function

  elemental integer(c_int64_t) function long_int16(x)
    integer(c_int16_t), intent(in) :: x
    long_int16 = x
  end function

  elemental integer(c_int64_t) function long_int32(x)
    integer(c_int32_t), intent(in) :: x
    long_int32 = x
  end function

  elemental integer(c_int64_t) function long_int64(x)
    integer(c_int64_t), intent(in) :: x
    long_int64 = x
  end function

  !> The bits of 32, with zeros before them.
  pure integer(c_int64_t) function low_half(x)
    integer(c_int32_t), intent(in) :: x
    low_half = iand(int(x, c_int64_t), 4294967295_c_int64_t)
  end function

end module
