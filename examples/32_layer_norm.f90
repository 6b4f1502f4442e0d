! Layer norm with weight and bias, as it is written down, and as one kernel: each column is read
! once, and written once.
program layer_norm
  use gpuarr
  use gpuarr_intrinsics
  implicit none
  integer, parameter :: features = 768, columns = 500
  integer, parameter :: double = kind(1d0)
  real(double), parameter :: epsilon = 1d-5
  call main()

contains

  function norm(x, weight, bias) result(made)
    class(gpuarr_operand), intent(in) :: x, weight, bias
    type(gpuarr_result) :: made
    type(gpuarr_expr) :: given, centered
    given = x
    centered = given - mean(given)
    made = centered / sqrt(mean(centered**2) + epsilon) * column(weight) + column(bias)
  end function

  !> The mean of each column, which broadcasts with its elements.
  function mean(x) result(made)
    class(gpuarr_operand), intent(in) :: x
    type(gpuarr_result) :: made
    made = gpuarr_reduced("mean", x, dim=1)
  end function

  !> A vector for each column.
  function column(x) result(made)
    class(gpuarr_operand), intent(in) :: x
    type(gpuarr_result) :: made
    made = spread(x, 2, 1)
  end function

  subroutine main()
    real, allocatable :: x(:, :), got(:, :)
    real :: weight(features), bias(features)
    type(gpuarr_device) :: device
    type(gpuarr_array) :: scores, w, b, y
    type(gpuarr_expr) :: normal
    integer :: i, j
    allocate(x(features, columns))
    do j = 1, columns
      x(:, j) = [(number((j - 1) * features + i - 1), i = 1, features)]
    end do
    weight = [(1 + mod(i - 1, 5) / 4.0, i = 1, features)]
    bias = [(mod(i - 1, 3), i = 1, features)]
    call device%open()
    call scores%from_host(x)
    call w%from_host(weight)
    call b%from_host(bias)

    ! Nothing is computed until an array is wanted; gpuarr_explain tells how it would be.
    normal = norm(scores, w, b)
    if (index(gpuarr_explain(normal), new_line("a") // "1 kernels move") == 0) &
      error stop "it is not one kernel"
    y = normal

    call y%to_allocatable(got)
    do j = 1, columns
      call check(got(:, j), real(x(:, j), double), weight, bias)
    end do
    print "(a, i0, a, i0, 2a)", "ok: layer norm of ", columns, " rows of ", features, &
        " in one kernel on ", device%name()
  end subroutine

  real function number(k)
    integer, intent(in) :: k
    integer, parameter :: long = selected_int_kind(18)
    number = real(mod(int(k, long)**2, 1009_long) - 504) / 100
  end function

  subroutine check(got, x, weight, bias)
    real, intent(in) :: got(:), weight(:), bias(:)
    real(double), intent(in) :: x(:)
    real(double) :: centered(size(x)), wanted(size(x))
    centered = x - sum(x) / size(x)
    wanted = centered / sqrt(sum(centered**2) / size(x) + epsilon) * weight + bias
    if (any(abs(got - wanted) > 1d-4)) error stop "a norm is wrong"
  end subroutine

end program
