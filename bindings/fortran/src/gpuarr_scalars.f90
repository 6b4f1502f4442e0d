!> Scalars as arguments of kernels, and integers of any kind.
module gpuarr_scalars
  use, intrinsic :: iso_c_binding
  use gpuarr_c
  use gpuarr_errors
  implicit none
  private
  public :: gpuarr_arg, arg, scalar_arg, set_scalar, whole, arg_pointer, arg_bytes

  !> An argument of a kernel by value: a scalar, or a borrowed array. Make it with `arg`.
  type :: gpuarr_arg
    type(gpuarr_arg_c) :: c = gpuarr_arg_c()  !< as C has it
  end type

  !> Make an argument of a scalar, of its kind; for arrays see gpuarr_arguments. Elementwise kernels
  !> and reductions convert it to their parameter's type if that can hold it; raw kernels take it as
  !> it is. Thread-safe.
  interface arg
    module procedure arg_int8, arg_int16, arg_int32, arg_int64, arg_real32, arg_real64, &
        arg_complex32, arg_complex64, arg_c_bool, arg_logical
  end interface

  integer, parameter :: default_logical = kind(.true.)

contains

  function arg_int8(value) result(a)
    integer(c_int8_t), intent(in) :: value
    type(gpuarr_arg) :: a
    call set_scalar(a%c, value)
  end function

  function arg_int16(value) result(a)
    integer(c_int16_t), intent(in) :: value
    type(gpuarr_arg) :: a
    call set_scalar(a%c, value)
  end function

  function arg_int32(value) result(a)
    integer(c_int32_t), intent(in) :: value
    type(gpuarr_arg) :: a
    call set_scalar(a%c, value)
  end function

  function arg_int64(value) result(a)
    integer(c_int64_t), intent(in) :: value
    type(gpuarr_arg) :: a
    call set_scalar(a%c, value)
  end function

  function arg_real32(value) result(a)
    real(c_float), intent(in) :: value
    type(gpuarr_arg) :: a
    call set_scalar(a%c, value)
  end function

  function arg_real64(value) result(a)
    real(c_double), intent(in) :: value
    type(gpuarr_arg) :: a
    call set_scalar(a%c, value)
  end function

  function arg_complex32(value) result(a)
    complex(c_float_complex), intent(in) :: value
    type(gpuarr_arg) :: a
    call set_scalar(a%c, value)
  end function

  function arg_complex64(value) result(a)
    complex(c_double_complex), intent(in) :: value
    type(gpuarr_arg) :: a
    call set_scalar(a%c, value)
  end function

  function arg_c_bool(value) result(a)
    logical(c_bool), intent(in) :: value
    type(gpuarr_arg) :: a
    call set_scalar(a%c, value)
  end function

  function arg_logical(value) result(a)
    logical, intent(in) :: value
    type(gpuarr_arg) :: a
    call set_scalar(a%c, value)
  end function

  !> An address for a raw kernel's pointer: c_null_ptr, or memory of the device that is no array of
  !> this library, whose lifetime is the caller's to see to. Thread-safe.
  function arg_pointer(address) result(a)
    type(c_ptr), intent(in) :: address
    type(gpuarr_arg) :: a
    a%c = gpuarr_arg_pointer_c(address)
  end function

  !> A struct by value for a raw kernel: `bytes` bytes at c_loc of a bind(c) variable, which is read
  !> during the call that gets the argument. Thread-safe.
  function arg_bytes(address, bytes) result(a)
    type(c_ptr), intent(in) :: address
    integer(c_size_t), intent(in) :: bytes
    type(gpuarr_arg) :: a
    a%c = gpuarr_arg_bytes_c(address, int(bytes, c_int64_t))
  end function

  !> What `arg` gives, of a scalar whose type is known when the program runs. What is no scalar
  !> becomes an argument that C refuses.
  function scalar_arg(value) result(a)
    class(*), intent(in) :: value
    type(gpuarr_arg) :: a
    call set_scalar(a%c, value)
  end function

  !> The same, where an argument is. Each member is set alone: a copy of the whole waits until the
  !> members are in the cache.
  subroutine set_scalar(a, value)
    type(gpuarr_arg_c), intent(inout) :: a
    class(*), intent(in) :: value
    a%array = c_null_ptr
    a%flags = 0
    a%value = 0
    select type (value)
    type is (real(c_float))
      a%dtype = GPUARR_F32
      a%value(:4) = transfer(value, a%value, 4)
    type is (real(c_double))
      a%dtype = GPUARR_F64
      a%value(:8) = transfer(value, a%value, 8)
    type is (integer(c_int32_t))
      a%dtype = GPUARR_I32
      a%value(:4) = transfer(value, a%value, 4)
    type is (integer(c_int64_t))
      a%dtype = GPUARR_I64
      a%value(:8) = transfer(value, a%value, 8)
    type is (integer(c_int8_t))
      a%dtype = GPUARR_I8
      a%value(1) = value
    type is (integer(c_int16_t))
      a%dtype = GPUARR_I16
      a%value(:2) = transfer(value, a%value, 2)
    type is (complex(c_float_complex))
      a%dtype = GPUARR_C64
      a%value(:8) = transfer(value, a%value, 8)
    type is (complex(c_double_complex))
      a%dtype = GPUARR_C128
      a%value = transfer(value, a%value, 16)
    type is (logical(c_bool))
      a%dtype = GPUARR_BOOL
      a%value(1) = merge(1_c_int8_t, 0_c_int8_t, value)
    type is (logical(default_logical))
      a%dtype = GPUARR_BOOL
      a%value(1) = merge(1_c_int8_t, 0_c_int8_t, value)
    type is (gpuarr_arg)
      a = value%c
    class default
      a%dtype = -1
    end select
  end subroutine

  !> The value of an integer of any kind, `default` without one. What is no integer is refused in
  !> the name of `who`.
  subroutine whole(number, value, default, who, state)
    integer(c_int64_t), intent(out) :: number
    class(*), intent(in), optional :: value
    integer(c_int64_t), intent(in) :: default
    character(*), intent(in) :: who
    type(call_state), intent(inout) :: state
    number = default
    if (.not. present(value)) return
    select type (value)
    type is (integer(c_int32_t))
      number = value
    type is (integer(c_int64_t))
      number = value
    type is (integer(c_int8_t))
      number = value
    type is (integer(c_int16_t))
      number = value
    class default
      call refuse(state, GPUARR_ERR_ARGUMENT, who // " is no integer of 8, 16, 32 or 64 bits")
    end select
  end subroutine

end module
