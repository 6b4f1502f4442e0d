! Kernels of rows and small matrices: the principal stresses of many stress tensors, by one thread
! each, and running means of columns, by whatever their length suits. Cores are the first dims.
program gufunc
  use gpuarr
  implicit none
  integer, parameter :: double = kind(1d0), points = 20000, rows = 2000, columns = 50, width = 7
  character, parameter :: lf = new_line("a")

  ! Eigenvalues of a symmetric matrix, by the angle that its characteristic polynomial gives.
  character(*), parameter :: eigenvalues = &
      "const T q = (a(0, 0) + a(1, 1) + a(2, 2)) / 3;" // lf // &
      "const T d0 = a(0, 0) - q, d1 = a(1, 1) - q, d2 = a(2, 2) - q;" // lf // &
      "const T s = a(0, 1), t = a(0, 2), u = a(1, 2);" // lf // &
      "const T p2 = (d0 * d0 + d1 * d1 + d2 * d2 + 2 * (s * s + t * t + u * u)) / 6;" // lf // &
      "const T p = sqrt(p2);" // lf // &
      "const T det = d0 * (d1 * d2 - u * u) - s * (s * d2 - u * t)" // lf // &
      "            + t * (s * u - d1 * t);" // lf // &
      "const T r = p > 0 ? det / (2 * p * p * p) : 0;" // lf // &
      "const T angle = acos(r > 1 ? T(1) : r < -1 ? T(-1) : r) / 3;" // lf // &
      "w(2) = q + 2 * p * cos(angle);" // lf // &
      "w(0) = q + 2 * p * cos(angle + T(2.0943951023931954923)); // 2/3 pi" // lf // &
      "w(1) = 3 * q - w(0) - w(2);"

  ! Each thread of the group has some of a column's elements.
  character(*), parameter :: running_mean = &
      "for (int j = group.rank(); j < n; j += group.size()) {" // lf // &
      "  const int first = j < width ? 0 : j - width + 1;" // lf // &
      "  T sum = 0;" // lf // &
      "  for (int k = first; k <= j; ++k) sum += x(k);" // lf // &
      "  y(j) = sum / (j - first + 1);" // lf // &
      "}"
  call main()

contains

  subroutine main()
    real(double), allocatable :: stress(:, :, :), principal(:, :)
    real, allocatable :: series(:, :), means(:, :)
    type(gpuarr_device) :: device
    type(gpuarr_gufunc) :: eigen, mean
    type(gpuarr_array) :: a, x, w, y
    integer :: i, j, k
    allocate(stress(3, 3, points), series(rows, columns))
    do k = 1, points
      do j = 1, 3
        do i = j, 3
          stress(i, j, k) = sin(real(k - 1 + 3 * (i - 1) + j - 1, double)) + merge(2, 0, i == j)
          stress(j, i, k) = stress(i, j, k)
        end do
      end do
    end do
    series = reshape([(real(mod(7 * k, 31)), k = 1, rows * columns)], [rows, columns])
    call device%open()
    call a%from_host(stress)
    call x%from_host(series)

    call eigen%create("(3,3)->(3)", "T a", "T w", eigenvalues, group=GPUARR_GROUP_THREAD)
    call mean%create("(n),()->(n)", "T x, int32 width", "T y", running_mean)
    call eigen%call(w, a)
    call mean%call(y, x, width)

    call w%to_allocatable(principal)
    call y%to_allocatable(means)
    call check(stress, principal, series, means)
    print "(a, 3(1x, f6.4))", "the first:", principal(:, 1)
    print "(2(a, i0), 2a)", "ok: principal stresses of ", points, &
        " tensors and running means of ", columns, " series on ", device%name()
  end subroutine

  subroutine check(stress, principal, series, means)
    real(double), intent(in) :: stress(:, :, :), principal(:, :)
    real, intent(in) :: series(:, :), means(:, :)
    real(double) :: m(3, 3)
    integer :: i, j, k, first
    do k = 1, points
      do i = 1, 3
        m = stress(:, :, k)
        do j = 1, 3
          m(j, j) = m(j, j) - principal(i, k)
        end do
        if (abs(m(1, 1) * (m(2, 2) * m(3, 3) - m(2, 3) * m(3, 2)) &
                - m(1, 2) * (m(2, 1) * m(3, 3) - m(2, 3) * m(3, 1)) &
                + m(1, 3) * (m(2, 1) * m(3, 2) - m(2, 2) * m(3, 1))) > 1d-10) &
          error stop "a principal stress is no root of the characteristic polynomial"
      end do
    end do
    do j = 1, rows
      first = max(1, j - width + 1)
      if (any(abs(means(j, :) - sum(series(first:j, :), 1) / (j - first + 1)) > 1e-4)) &
        error stop "a running mean is wrong"
    end do
  end subroutine

end program
