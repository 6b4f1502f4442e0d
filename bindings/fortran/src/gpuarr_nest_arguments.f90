!> What the kernel of a loop nest is given: arguments in its order, as C has them.
module gpuarr_nest_arguments
  use, intrinsic :: iso_c_binding
  use gpuarr_arrays
  use gpuarr_c
  use gpuarr_long_integers
  implicit none
  private
  public :: nest_arguments

  integer, parameter, public :: most_arguments = 64

  !> No component has a default: gfortran would set all of them, 2 KB for each launch.
  type :: nest_arguments
    integer :: count  !< of those that were added; beyond most_arguments they are only counted
    logical :: has_unit_strides  !< whether elements of all arrays are neighbours along dim 1
    integer(c_int64_t) :: words(4, most_arguments)
  contains
    procedure :: clear
    procedure :: array => add_array
    procedure :: bytes => add_bytes
    procedure :: partials => add_partials
    procedure, private :: add_int8, add_int16, add_int32, add_int64, add_real32, add_real64
    procedure, private :: add_complex32, add_complex64, add_logical
    generic :: scalar => add_int8, add_int16, add_int32, add_int64, add_real32, add_real64, &
        add_complex32, add_complex64, add_logical
  end type

contains

  !> Forget what was added. Comes before all else.
  subroutine clear(self)
    class(nest_arguments), intent(inout) :: self
    self%count = 0
    self%has_unit_strides = .true.
  end subroutine

  !> Add an array.
  subroutine add_array(self, array)
    class(nest_arguments), intent(inout) :: self
    type(gpuarr_array), intent(in) :: array
    type(c_ptr) :: handle, strides
    integer(c_int64_t), pointer :: first
    handle = array%c_handle()
    call add(self, transfer(handle, 0_c_int64_t), &
        shiftl(int(GPUARR_ARG_VIEW, c_int64_t), 32), 0_c_int64_t, 0_c_int64_t)
    strides = gpuarr_array_strides_c(handle)
    if (.not. c_associated(strides)) return
    call c_f_pointer(strides, first)
    if (first /= 1) self%has_unit_strides = .false.
  end subroutine

  !> Add a struct: `bytes` bytes at an address, which stay until the launch.
  subroutine add_bytes(self, address, bytes)
    class(nest_arguments), intent(inout) :: self
    type(c_ptr), intent(in) :: address
    integer(c_size_t), intent(in) :: bytes
    call add(self, 0_c_int64_t, shiftl(int(GPUARR_ARG_BYTES, c_int64_t), 32), &
        transfer(address, 0_c_int64_t), int(bytes, c_int64_t))
  end subroutine

  !> Add the partial results of a fold, whose elements are of this dtype and which are put in by
  !> the launch.
  subroutine add_partials(self, dtype)
    class(nest_arguments), intent(inout) :: self
    integer(c_int32_t), intent(in) :: dtype
    call add(self, 0_c_int64_t, int(dtype, c_int64_t), 0_c_int64_t, 0_c_int64_t)
  end subroutine

  subroutine add(self, handle, kind, low, high)
    class(nest_arguments), intent(inout) :: self
    integer(c_int64_t), intent(in) :: handle, kind, low, high
    self%count = self%count + 1
    if (self%count > most_arguments) return
    self%words(1, self%count) = handle
    self%words(2, self%count) = kind
    self%words(3, self%count) = low
    self%words(4, self%count) = high
  end subroutine

  ! Scalars, each as its dtype lies in memory.

  subroutine add_bits(self, dtype, low)
    class(nest_arguments), intent(inout) :: self
    integer(c_int32_t), intent(in) :: dtype
    integer(c_int64_t), intent(in) :: low
    call add(self, 0_c_int64_t, int(dtype, c_int64_t), low, 0_c_int64_t)
  end subroutine

  subroutine add_int8(self, x)
    class(nest_arguments), intent(inout) :: self
    integer(c_int8_t), intent(in) :: x
    call add_bits(self, GPUARR_I8, iand(int(x, c_int64_t), 255_c_int64_t))
  end subroutine

  subroutine add_int16(self, x)
    class(nest_arguments), intent(inout) :: self
    integer(c_int16_t), intent(in) :: x
    call add_bits(self, GPUARR_I16, iand(int(x, c_int64_t), 65535_c_int64_t))
  end subroutine

  subroutine add_int32(self, x)
    class(nest_arguments), intent(inout) :: self
    integer(c_int32_t), intent(in) :: x
    call add_bits(self, GPUARR_I32, low_half(x))
  end subroutine

  subroutine add_int64(self, x)
    class(nest_arguments), intent(inout) :: self
    integer(c_int64_t), intent(in) :: x
    call add_bits(self, GPUARR_I64, x)
  end subroutine

  subroutine add_real32(self, x)
    class(nest_arguments), intent(inout) :: self
    real(c_float), intent(in) :: x
    call add_bits(self, GPUARR_F32, low_half(transfer(x, 0_c_int32_t)))
  end subroutine

  subroutine add_real64(self, x)
    class(nest_arguments), intent(inout) :: self
    real(c_double), intent(in) :: x
    call add_bits(self, GPUARR_F64, transfer(x, 0_c_int64_t))
  end subroutine

  subroutine add_complex32(self, x)
    class(nest_arguments), intent(inout) :: self
    complex(c_float_complex), intent(in) :: x
    call add_bits(self, GPUARR_C64, transfer(x, 0_c_int64_t))
  end subroutine

  subroutine add_complex64(self, x)
    class(nest_arguments), intent(inout) :: self
    complex(c_double_complex), intent(in) :: x
    call add(self, 0_c_int64_t, int(GPUARR_C128, c_int64_t), transfer(real(x), 0_c_int64_t), &
        transfer(aimag(x), 0_c_int64_t))
  end subroutine

  subroutine add_logical(self, x)
    class(nest_arguments), intent(inout) :: self
    logical, intent(in) :: x
    call add_bits(self, GPUARR_BOOL, merge(1_c_int64_t, 0_c_int64_t, x))
  end subroutine

end module
