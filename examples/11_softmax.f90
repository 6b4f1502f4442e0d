! Reductions and functions of elements together: softmax along the first dim, which turns each
! column of scores into probabilities, exp(x) / sum(exp(x)), as one kernel.
program softmax_of_columns
  use gpuarr
  use gpuarr_intrinsics
  implicit none
  integer, parameter :: classes = 1000, columns = 100
  integer, parameter :: double = kind(1d0)
  call main()

contains

  subroutine main()
    real, allocatable :: scores(:, :), probabilities(:, :)
    type(gpuarr_device) :: device
    type(gpuarr_array) :: x, y
    type(gpuarr_expr) :: e, softmax
    integer :: i, j
    allocate(scores(classes, columns))
    do j = 1, columns
      scores(:, j) = [(real(1000 + 5 * sin(j - 1 + 0.1d0 * (i - 1))), i = 1, classes)]
    end do
    call device%open()
    call x%from_host(scores)

    ! exp(1000) is too large for any float, so each column's largest score is taken off first, which
    ! changes no quotient. A column's result broadcasts with its elements. What has a name here is
    ! computed where an array is wanted: each column is read once, and the steps between are not in
    ! memory.
    e = exp(x - maxval(x, 1))
    softmax = e / sum(e, 1)
    if (index(gpuarr_explain(softmax), new_line("a") // "1 kernels move") == 0) &
      error stop "it is not one kernel"
    y = softmax

    call y%to_allocatable(probabilities)
    do j = 1, columns
      call check(probabilities(:, j), real(scores(:, j), double))
    end do
    print "(a, i0, a, i0, 2a)", "ok: softmax of ", columns, " rows of ", classes, " scores on ", &
        device%name()
  end subroutine

  subroutine check(got, scores)
    real, intent(in) :: got(:)
    real(double), intent(in) :: scores(:)
    real(double) :: wanted(size(scores))
    wanted = exp(scores - 1000)
    wanted = wanted / sum(wanted)
    if (any(abs(got - wanted) > 1d-5 * wanted)) error stop "a probability is wrong"
    if (abs(sum(got) - 1) > 1e-5) error stop "the sum of probabilities is wrong"
  end subroutine

end program
