! Loops of older Fortran: they end at labels, some at the same.
module labels
contains

  subroutine relax(a, b, n, m)
    implicit none
    integer n, m
    double precision a(n, m), b(n, m)
    intent(in) n, m, a
    intent(inout) b
    integer i, j
!$gpuarr kernel
    do 10 j = 2, m - 1
    do 10 i = 2, n - 1
      b(i, j) = 0.25d0 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1))
10  continue
!$gpuarr kernel
    do 30 j = 1, m
      b(1, j) = 0
      do 20 i = 1, n, 2
20      b(i, j) = b(i, j) / 2
30  continue
  end subroutine

  subroutine halves(x, n)
    implicit none
    integer n
    double precision x(n)
    intent(in) n
    intent(inout) x
    integer i
!$gpuarr kernel
    do 40 i = 1, n
40    x(i) = x(i) / 2
  end subroutine

end module
