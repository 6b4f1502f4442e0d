! Reductions along one dim: the Euclidean norm of every row and of every column of a matrix.
program l2_norm_along_axis
  use gpuarr
  use gpuarr_intrinsics
  implicit none
  integer, parameter :: rows = 1000, columns = 257
  call main()

contains

  subroutine main()
    real, allocatable :: matrix(:, :)
    type(gpuarr_device) :: device
    type(gpuarr_array) :: x, of_columns, of_rows, again
    integer :: i, j
    allocate(matrix(rows, columns))
    do j = 1, columns
      matrix(:, j) = [(mod(7 * (i - 1) + 3 * (j - 1), 23) - 11, i = 1, rows)]
    end do
    call device%open()
    call x%from_host(matrix)
    if (index(gpuarr_explain(sqrt(sum(x**2, 1))), new_line("a") // "1 kernels move") == 0) &
      error stop "it is not one kernel"
    of_columns = sqrt(sum(x**2, 1))
    of_rows = norm2(x, 2)  ! which is the same
    call check(of_columns, norm2(real(matrix, kind(1d0)), 1))
    call check(of_rows, norm2(real(matrix, kind(1d0)), 2))

    ! A view is as good as an array, and as fast: the transpose's first dim is the matrix' last.
    again = norm2(transpose(x), 1)
    call check(again, norm2(real(matrix, kind(1d0)), 2))
    print "(a, i0, a, i0, 2a)", "ok: norms of ", rows, " rows and ", columns, " columns on ", &
        device%name()
  end subroutine

  subroutine check(array, wanted)
    type(gpuarr_array), intent(in) :: array
    double precision, intent(in) :: wanted(:)
    real, allocatable :: norms(:)
    call array%to_allocatable(norms)
    if (any(abs(norms - wanted) > 1d-5 * wanted)) error stop "a norm is wrong"
  end subroutine

end program
