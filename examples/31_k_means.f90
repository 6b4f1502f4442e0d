! Lloyd's algorithm: points go to the nearest center, centers to the middle of their points. The
! distances are a reduction of one's own, which broadcasts; all else is ready-made.
program k_means
  use gpuarr
  use gpuarr_intrinsics
  implicit none
  integer, parameter :: points = 20000, clusters = 4, rounds = 15
  integer, parameter :: double = kind(1d0)
  real, parameter :: truth(2, clusters) = reshape([0, 0, 6, 1, -2, 5, 4, 7], [2, clusters])
  real, parameter :: first(2, clusters) = reshape([1, 1, 5, 0, 0, 5, 5, 5], [2, clusters])
  call main()

contains

  !> Points around the true centers, the same ones on every device.
  subroutine make_points(x)
    type(gpuarr_array), intent(inout) :: x
    type(gpuarr_generator) :: generator
    type(gpuarr_array) :: labels, noise, centers
    call generator%create(7)
    call generator%integers(labels, 1, clusters, [points])
    call generator%normal(noise, [2, points])
    call centers%from_host(truth)
    call gpuarr_take(x, centers, labels, dim=2)
    x = x + noise
  end subroutine

  !> One round: `centers` are moved.
  subroutine move_centers(centers, x, squared)
    type(gpuarr_array), intent(inout) :: centers
    type(gpuarr_array), intent(in) :: x
    type(gpuarr_reduction), intent(in) :: squared
    type(gpuarr_array) :: distances, labels, numbers, members, each_point, each_center
    call x%expand(each_point, 2)
    call centers%expand(each_center, 3)
    call squared%call(distances, each_point, each_center, dim=1)
    call gpuarr_argmin(labels, distances, dim=1, keepdims=.true.)

    ! A matrix that is true where a point belongs to a cluster: the product of the points with it
    ! adds them up by cluster.
    call numbers%arange(1, clusters + 1)
    call numbers%expand(numbers, 2)
    members = labels == numbers
    call gpuarr_divide(centers, matmul(x, transpose(members)), count(members, 2))
  end subroutine

  !> The same by plain loops.
  subroutine move_by_loops(centers, x)
    real(double), intent(inout) :: centers(2, clusters)
    real, intent(in) :: x(2, points)
    real(double) :: sums(2, clusters)
    integer :: counts(clusters), i, c, nearest
    sums = 0
    counts = 0
    do i = 1, points
      nearest = minloc([(sum((x(:, i) - centers(:, c))**2), c = 1, clusters)], 1)
      sums(:, nearest) = sums(:, nearest) + x(:, i)
      counts(nearest) = counts(nearest) + 1
    end do
    do c = 1, clusters
      centers(:, c) = sums(:, c) / counts(c)
    end do
  end subroutine

  subroutine main()
    type(gpuarr_device) :: device
    type(gpuarr_reduction) :: squared
    type(gpuarr_array) :: x, centers
    real, allocatable :: host_points(:, :), found(:, :)
    real(double) :: wanted(2, clusters)
    character(8) :: texts(2)
    integer :: c, round
    call device%open()
    call squared%create("T x, T y", "T z", "(x - y) * (x - y)", "a + b", "z = a", "0")
    call make_points(x)
    call centers%from_host(first)
    wanted = first
    call x%to_allocatable(host_points)
    do round = 1, rounds
      call move_centers(centers, x, squared)
      call move_by_loops(wanted, host_points)
    end do

    call centers%to_allocatable(found)
    if (any(abs(found - wanted) > 2d-3)) error stop "a center is wrong"  ! points may be halfway
    if (any(abs(found - truth) > 0.1)) error stop "a center is far from the true one"
    do c = 1, clusters
      write (texts, "(f8.2)") found(:, c)
      print "(a, i0, 4a)", "center ", c - 1, ": ", trim(adjustl(texts(1))), " ", &
          trim(adjustl(texts(2)))
    end do
    print "(2(a, i0), 2a)", "ok: ", clusters, " clusters of ", points, " points on ", device%name()
  end subroutine

end program
