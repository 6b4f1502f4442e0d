! A reduction of your own over all places: the largest element and where it is, in one pass. Blocks
! are combined in their order, so that the result is the same for any number of places. The same
! program runs by itself, by `gpuarr run -n 4`, and by mpirun.
program reduction_over_places
  use, intrinsic :: iso_fortran_env
  use gpuarr
  implicit none
  integer, parameter :: rows = 1000, columns = 700
  call main()

contains

  subroutine main()
    type(gpuarr_team) :: team
    type(gpuarr_blocked) :: x, y, largest, at, mean
    type(gpuarr_reduction) :: farthest
    real(real64) :: distance, means(columns)
    integer(int64) :: place
    integer :: j
    call team%world()
    call x%empty(team, [rows, columns], GPUARR_F64, chunk=[rows, 210])
    call y%empty_like(x)
    call x%arange(0)
    call y%fill(400000)

    ! i is an element's index in the whole array. Outputs are made: one number on every place.
    call farthest%create("float64 x, float64 y", "float64 largest, int64 at", &
        "found{(x - y) * (x - y), (long long)i}", &
        "a.value > b.value || (a.value == b.value && a.at < b.at) ? a : b", &
        "largest = sqrt(a.value); at = a.at;", &
        preamble="struct found { double value; long long at; };", reduce_type="found")
    call gpuarr_blocked_reduce(largest, at, farthest, [arg(x), arg(y)])
    call largest%to_host(distance)
    call at%to_host(place)
    if (distance /= 400000 .or. place /= 0) error stop "the largest difference is wrong"

    call gpuarr_blocked_reduce(mean, "mean", x, dim=1)  ! ready-made ones go by name
    call mean%to_host(means)
    do j = 1, columns
      if (abs(means(j) - ((rows - 1) / 2d0 + (j - 1) * rows)) > 1e-9) error stop "a mean is wrong"
    end do
    if (team%first() == 0) print "(a, i0, a, i0)", "largest difference ", nint(distance), &
        ", at element ", place
  end subroutine

end program
