!> What the tests share: expectations that are counted, the device, random numbers, an end.
module checks
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: error_unit
  use gpuarr
  implicit none
  private
  public :: expect, expect_error, expect_text, start, finish, random_int, make_local_team

  integer :: expected = 0, wrong = 0

  interface expect
    module procedure expect_true, expect_int, expect_int64, expect_ints, expect_real
  end interface

contains

  !> Begin: on $GPUARR_TEST_DEVICE, with the seed of $GPUARR_TEST_SEED.
  subroutine start()
    character(64) :: text
    integer :: length, seed, count
    type(gpuarr_device) :: device
    type(gpuarr_stream) :: current
    call get_environment_variable("GPUARR_TEST_SEED", text, length)
    seed = 1
    if (length > 0) read (text, *) seed
    call random_seed(size=count)
    call random_seed(put=[(seed + 7919 * length, length=1, count)])
    call get_environment_variable("GPUARR_TEST_DEVICE", text, length)
    if (length == 0) text = "host"
    call set_environment("GPUARR_DEVICE", text)
    call device%open()
    call current%current(device)  ! what the device itself keeps is made now
    print "(3a, i0)", "on ", device%name(), ", seed ", seed
  end subroutine

  !> End: nothing may be left, and the status is 1 if an expectation was wrong.
  subroutine finish()
    call expect_int64(gpuarr_live_objects(), 0_c_int64_t, "live objects")
    print "(i0, a, i0, a)", expected, " expectations, ", wrong, " wrong"
    if (wrong > 0 .or. expected == 0) error stop 1
  end subroutine

  subroutine expect_true(condition, what)
    logical, intent(in) :: condition
    character(*), intent(in) :: what
    expected = expected + 1
    if (condition) return
    wrong = wrong + 1
    write (error_unit, "(2a)") "wrong: ", what
  end subroutine

  subroutine expect_int(got, wanted, what)
    integer, intent(in) :: got, wanted
    character(*), intent(in) :: what
    call expect_int64(int(got, c_int64_t), int(wanted, c_int64_t), what)
  end subroutine

  subroutine expect_int64(got, wanted, what)
    integer(c_int64_t), intent(in) :: got, wanted
    character(*), intent(in) :: what
    character(100) :: detail
    write (detail, "(a, i0, a, i0)") ": got ", got, ", wanted ", wanted
    call expect_true(got == wanted, what // trim(detail))
  end subroutine

  subroutine expect_ints(got, wanted, what)
    integer(c_int64_t), intent(in) :: got(:)
    integer, intent(in) :: wanted(:)
    character(*), intent(in) :: what
    character(400) :: detail
    logical :: same
    same = size(got) == size(wanted)
    if (same) same = all(got == wanted)
    write (detail, "(a, 10(i0, :, ' '))") ": got ", got
    call expect_true(same, what // trim(detail))
  end subroutine

  !> @param tolerance  how far off it may be
  subroutine expect_real(got, wanted, tolerance, what)
    real(c_double), intent(in) :: got, wanted, tolerance
    character(*), intent(in) :: what
    character(100) :: detail
    write (detail, "(a, g0, a, g0)") ": got ", got, ", wanted ", wanted
    call expect_true(abs(got - wanted) <= tolerance, what // trim(detail))
  end subroutine

  !> A call failed with a status, and its message has a text in it.
  subroutine expect_error(stat, errmsg, status, text)
    integer, intent(in) :: stat, status
    character(:), allocatable, intent(inout) :: errmsg
    character(*), intent(in) :: text
    call expect_text(gpuarr_status_name(stat), gpuarr_status_name(status))
    if (.not. allocated(errmsg)) errmsg = "(no message)"
    call expect_text(errmsg, text)
    deallocate(errmsg)
  end subroutine

  !> A text has another one in it.
  subroutine expect_text(whole, part)
    character(*), intent(in) :: whole, part
    call expect_true(index(whole, part) > 0, '"' // part // '" in "' // whole // '"')
  end subroutine

  !> A number from `low` to `high`.
  integer function random_int(low, high)
    integer, intent(in) :: low, high
    real :: r
    call random_number(r)
    random_int = low + min(int(r * (high - low + 1)), high - low)
  end function

  !> A team of so many places, all on the test's device.
  subroutine make_local_team(team, places)
    type(gpuarr_team), intent(inout) :: team
    integer, intent(in) :: places
    type(gpuarr_device) :: devices(places)
    integer :: k
    do k = 1, places
      call devices(k)%open()
    end do
    call team%local(devices=devices)
  end subroutine

  subroutine set_environment(name, value)
    character(*), intent(in) :: name, value
    interface
      function c_setenv(name, value, overwrite) bind(c, name="setenv") result(failed)
        import
        character(kind=c_char), intent(in) :: name(*), value(*)
        integer(c_int), value :: overwrite
        integer(c_int) :: failed
      end function
    end interface
    if (c_setenv(trim(name) // c_null_char, trim(value) // c_null_char, 1) /= 0) error stop "setenv"
  end subroutine

end module
