!> How calls end: with a status and a message for who asks for them, else in an error stop.
module gpuarr_errors
  use, intrinsic :: iso_c_binding
  use gpuarr_c
  implicit none
  private
  public :: call_state, is_ok, refuse, tell, finish, last_message, c_text, f_text, text_of
  public :: dims_text
  public :: gpuarr_last_native_error, gpuarr_set_last_error, gpuarr_status_name

  !> What a call has come to so far. Its message goes to `errmsg` in the procedure that has this
  !> argument: gfortran before 13 loses the length of one that is passed on as an optional argument
  !> (https://gcc.gnu.org/PR93762).
  type :: call_state
    integer(c_int32_t) :: status = GPUARR_OK
    character(:), allocatable :: message  !< of a failure; not allocated where C has it
  end type

  !> A whole number as text.
  interface text_of
    module procedure text_of_int, text_of_int64
  end interface

  interface
    function c_strlen(text) bind(c, name="strlen") result(length)
      import
      type(c_ptr), value :: text
      integer(c_size_t) :: length
    end function
  end interface

contains

  !> Whether nothing has failed so far.
  pure logical function is_ok(state)
    type(call_state), intent(in) :: state
    is_ok = state%status == GPUARR_OK
  end function

  !> Fail for a reason of this layer's own.
  subroutine refuse(state, status, message)
    type(call_state), intent(inout) :: state
    integer(c_int32_t), intent(in) :: status
    character(*), intent(in) :: message
    state%status = status
    state%message = message
  end subroutine

  !> Give the message of a failure to who asked for it; that of a success stays what it was.
  subroutine tell(state, errmsg)
    type(call_state), intent(in) :: state
    character(:), allocatable, intent(inout) :: errmsg
    if (state%status /= GPUARR_OK) errmsg = message_of(state)
  end subroutine

  !> End a call: a failure without stat is an error stop that says everything. Otherwise C has its
  !> message too, for whoever is told that a procedure that C called has failed.
  subroutine finish(state, stat)
    type(call_state), intent(in) :: state
    integer, intent(out), optional :: stat
    character(:), allocatable :: message
    if (present(stat)) then
      stat = state%status
      if (allocated(state%message)) call gpuarr_set_last_error(state%message)
    else if (state%status /= GPUARR_OK) then
      message = message_of(state)
      error stop message
    end if
  end subroutine

  !> The message of a failure: this layer's own, or that of the C call that failed last on this
  !> thread.
  function message_of(state) result(message)
    type(call_state), intent(in) :: state
    character(:), allocatable :: message
    if (allocated(state%message)) then
      message = state%message
    else
      message = last_message(state%status)
    end if
  end function

  !> What C says of a failure, and how its numbers are Fortran's.
  function last_message(status) result(message)
    integer(c_int32_t), intent(in) :: status
    character(:), allocatable :: message
    message = f_text(gpuarr_last_error_c())
    if (status == GPUARR_ERR_AXIS) message = message // &
        " (axes and indices in this message count from 0: axis 0 is dim 1)"
    if (status == GPUARR_ERR_INDEX) message = message // &
        " (in this message index 0 is element 1, and index -1 - extent is 0)"
  end function

  !> Text for C: without trailing blanks, with a NUL behind it.
  pure function c_text(text)
    character(*), intent(in) :: text
    character(len_trim(text) + 1, c_char) :: c_text
    c_text = trim(text) // c_null_char
  end function

  !> Text of C, copied; "" for NULL.
  function f_text(text)
    type(c_ptr), intent(in) :: text
    character(:), allocatable :: f_text
    character(kind=c_char), pointer :: bytes(:)
    integer :: k
    if (.not. c_associated(text)) then
      f_text = ""
      return
    end if
    call c_f_pointer(text, bytes, [c_strlen(text)])
    allocate(character(size(bytes)) :: f_text)
    do k = 1, size(bytes)
      f_text(k:k) = bytes(k)
    end do
  end function

  pure function text_of_int64(number) result(text)
    integer(c_int64_t), intent(in) :: number
    character(:), allocatable :: text
    character(20) :: digits
    write (digits, "(i0)") number
    text = trim(digits)
  end function

  pure function text_of_int(number) result(text)
    integer(c_int32_t), intent(in) :: number
    character(:), allocatable :: text
    text = text_of(int(number, c_int64_t))
  end function

  !> Extents as the library writes them: "(2, 3)", "(5,)", "()".
  pure function dims_text(shape) result(text)
    integer(c_int64_t), intent(in) :: shape(:)
    character(:), allocatable :: text
    integer :: k
    text = "("
    do k = 1, size(shape)
      if (k > 1) text = text // ", "
      text = text // text_of(shape(k))
    end do
    if (size(shape) == 1) text = text // ","
    text = text // ")"
  end function

  !> Code of the driver or of the operating system (a CUresult, an errno) behind the last failure on
  !> this thread; 0 where there was none. Thread-safe.
  function gpuarr_last_native_error() result(code)
    integer :: code
    code = gpuarr_last_native_error_c()
  end function

  !> Say why a procedure of yours fails that the library calls, as gpuarr_map_blocks does: it is in
  !> the message of the call that ran it, and other places of a team are told. Thread-safe.
  subroutine gpuarr_set_last_error(message)
    character(*), intent(in) :: message
    call gpuarr_set_last_error_c(c_text(message))
  end subroutine

  !> Name of a status, "GPUARR_ERR_SHAPE"; "GPUARR_ERR_UNKNOWN" for one that is not known.
  !> Thread-safe.
  function gpuarr_status_name(status) result(name)
    integer, intent(in) :: status
    character(:), allocatable :: name
    name = f_text(gpuarr_status_name_c(int(status, c_int32_t)))
  end function

end module
