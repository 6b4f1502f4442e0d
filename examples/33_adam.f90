! Steps of the optimiser Adam: parameters and both moments in place, by one kernel a step, which
! reads four arrays and writes three.
program adam
  use gpuarr
  use gpuarr_intrinsics
  implicit none
  integer, parameter :: number = 10000, steps = 200
  integer, parameter :: double = kind(1d0)
  real(double), parameter :: rate = 0.05d0, keep = 0.9d0, keep_squares = 0.999d0, epsilon = 1d-8
  call main()

contains

  subroutine main()
    real(double), allocatable :: wanted(:)
    real, allocatable :: got(:)
    type(gpuarr_device) :: device
    type(gpuarr_array) :: target, gradient, p, m, v
    type(gpuarr_expr) :: p1, m1, v1
    integer :: k, step
    wanted = [(sin(real(k - 1, double)), k = 1, number)]
    call device%open()
    call target%from_host(real(wanted))
    call p%zeros([number], GPUARR_F32)
    call m%zeros([number], GPUARR_F32)
    call v%zeros([number], GPUARR_F32)

    ! What is to become least is the sum of (p - target)^2 / 2.
    do step = 1, steps
      gradient = p - target
      m1 = keep * m + (1 - keep) * gradient
      v1 = keep_squares * v + (1 - keep_squares) * gradient**2
      p1 = p - rate / (1 - keep**step) * m1 / (sqrt(v1 / (1 - keep_squares**step)) + epsilon)
      if (index(gpuarr_explain(p1, m1, v1), new_line("a") // "1 kernels move") == 0) &
        error stop "it is not one kernel"
      call gpuarr_evaluate(p, p1, m, m1, v, v1)  ! all are read before one is written
    end do

    call p%to_allocatable(got)
    do k = 1, number
      if (abs(got(k) - by_loop(wanted(k))) > 1d-3) error stop "a parameter is wrong"
    end do
    if (any(abs(got - wanted) > 0.05d0)) error stop "a parameter is far from its target"
    print "(a, i0, a, i0, 2a)", "ok: ", steps, " steps of Adam with ", number, &
        " parameters, one kernel each, on ", device%name()
  end subroutine

  !> The same for one parameter, by a plain loop.
  real(double) function by_loop(wanted) result(x)
    real(double), intent(in) :: wanted
    real(double) :: first, second
    integer :: step
    x = 0
    first = 0
    second = 0
    do step = 1, steps
      first = keep * first + (1 - keep) * (x - wanted)
      second = keep_squares * second + (1 - keep_squares) * (x - wanted)**2
      x = x - rate / (1 - keep**step) * first / &
          (sqrt(second / (1 - keep_squares**step)) + epsilon)
    end do
  end function

end program
