!> Kernels that are made on first use by whichever thread comes first.
module gpuarr_locks
  use, intrinsic :: iso_c_binding
  implicit none
  private
  public :: publish

  ! A mutex that is not locked is zeros: PTHREAD_MUTEX_INITIALIZER of Linux. Fortran has no locks
  ! but those of images.
  integer(c_int64_t), target, save :: mutex(16) = 0

  interface
    function lock(mutex) bind(c, name="pthread_mutex_lock") result(status)
      import
      type(c_ptr), value :: mutex
      integer(c_int) :: status
    end function
    function unlock(mutex) bind(c, name="pthread_mutex_unlock") result(status)
      import
      type(c_ptr), value :: mutex
      integer(c_int) :: status
    end function
  end interface

contains

  !> Put an object where others look for it without a lock, unless one is there.
  !> @param place  where it is looked for; c_null_ptr until then
  !> @param made   the object
  !> @param found  what is there now
  subroutine publish(place, made, found)
    type(c_ptr), volatile, intent(inout) :: place
    type(c_ptr), intent(in) :: made
    type(c_ptr), intent(out) :: found
    integer(c_int) :: ignored
    ! The first pair makes all that the object consists of visible before the place shows it.
    ignored = lock(c_loc(mutex))
    ignored = unlock(c_loc(mutex))
    ignored = lock(c_loc(mutex))
    if (.not. c_associated(place)) place = made
    found = place
    ignored = unlock(c_loc(mutex))
  end subroutine

end module
