!> Elements on their way in and out: kinds, ranks, sections, shapes that do not fit.
program test_transfer
  use, intrinsic :: iso_c_binding
  use gpuarr
  use checks
  implicit none
  call start()
  call sections()
  call finish()

contains

  !> Sections with any steps, in and out again, beside what was not asked for.
  subroutine sections()
    real(c_double), target :: x(9, 11), back(9, 11), wanted(9, 11)
    type(gpuarr_array) :: a
    integer :: round, f1, l1, s1, f2, l2, s2
    do round = 1, 50
      call random_number(x)
      back = -1
      wanted = -1
      s1 = random_int(1, 3)
      s2 = random_int(1, 3)
      f1 = random_int(1, 9)
      l1 = random_int(1, 9)
      f2 = random_int(1, 11)
      l2 = random_int(1, 11)
      if (random_int(0, 1) == 1) s1 = -s1
      if (random_int(0, 1) == 1) s2 = -s2
      call a%from_host(x(f1:l1:s1, f2:l2:s2))
      call expect(a%shape(), shape(x(f1:l1:s1, f2:l2:s2)), "shape of a section")
      call a%to_host(back(f1:l1:s1, f2:l2:s2))
      wanted(f1:l1:s1, f2:l2:s2) = x(f1:l1:s1, f2:l2:s2)
      call expect(all(back == wanted), "a section there and back")
    end do
  end subroutine

end program
