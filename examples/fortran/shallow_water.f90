! Shallow water in a basin: a code as it was written for OpenMP. The lines `!$gpuarr kernel` are all
! that was added; do concurrent needs none.
module basin_types
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  private
  integer, parameter, public :: wp = real64

  ! A grid of nx times ny cells, with a row of cells around it for the walls.
  type, public :: basin
    integer :: nx, ny
    real(wp) :: dx, dy, gravity, drag
  end type

  ! What is kept in a cell: the water's height, and its momentum in both directions.
  type, public :: state
    real(wp) :: h, hu, hv
  end type
end module

module shallow_water
  use basin_types
  implicit none
  private
  public :: basin, state, wp, fill, reflect, fastest_wave, advance, mass, energy, run
  real(wp), parameter :: half = 0.5_wp, dry = 1e-8_wp

contains

  ! A hill of water in a lake at rest.
  subroutine fill(b, h, hu, hv)
    type(basin), intent(in) :: b
    real(wp), intent(inout), dimension(0:, 0:) :: h, hu, hv
    real(wp) :: x, y
    integer :: i, j
    !$omp parallel do private(x, y)
    !$gpuarr kernel
    do j = 0, b%ny + 1
      do i = 0, b%nx + 1
        x = (i - half) / b%nx - 0.35_wp
        y = (j - half) / b%ny - 0.6_wp
        h(i, j) = 1 + half * exp(-50 * (x**2 + y**2))
        hu(i, j) = 0
        hv(i, j) = 0
      end do
    end do
  end subroutine

  ! Walls: the cells around mirror those within, and what flows against a wall is turned around.
  subroutine reflect(b, h, hu, hv)
    type(basin), intent(in) :: b
    real(wp), intent(inout), dimension(0:, 0:) :: h, hu, hv
    integer :: i, j, side, inside, outside
    do concurrent (side = 0:1, j = 1:b%ny)
      outside = merge(0, b%nx + 1, side == 0)
      inside = merge(1, b%nx, side == 0)
      h(outside, j) = h(inside, j)
      hu(outside, j) = -hu(inside, j)
      hv(outside, j) = hv(inside, j)
    end do
    !$omp parallel do
    !$gpuarr kernel
    do i = 0, b%nx + 1
      h(i, 0) = h(i, 1)
      hu(i, 0) = hu(i, 1)
      hv(i, 0) = -hv(i, 1)
      h(i, b%ny + 1) = h(i, b%ny)
      hu(i, b%ny + 1) = hu(i, b%ny)
      hv(i, b%ny + 1) = -hv(i, b%ny)
    end do
  end subroutine

  pure real(wp) function speed(b, s, velocity)
    type(basin), intent(in) :: b
    type(state), intent(in) :: s
    real(wp), intent(in) :: velocity
    speed = abs(velocity) + sqrt(b%gravity * s%h)
  end function

  pure real(wp) function velocity(momentum, h)
    real(wp), intent(in) :: momentum, h
    velocity = 0
    if (h > dry) velocity = momentum / h
  end function

  ! What flows through the side between two cells, along x; along y the momenta change places.
  pure function flow(b, left, right) result(f)
    type(basin), intent(in) :: b
    type(state), intent(in) :: left, right
    type(state) :: f
    real(wp) :: u, v, c
    u = velocity(left%hu, left%h)
    v = velocity(right%hu, right%h)
    c = max(speed(b, left, u), speed(b, right, v))
    f%h = half * (left%hu + right%hu - c * (right%h - left%h))
    f%hu = half * (left%hu * u + right%hu * v + half * b%gravity * (left%h**2 + right%h**2) &
        - c * (right%hu - left%hu))
    f%hv = half * (left%hv * u + right%hv * v - c * (right%hv - left%hv))
  end function

  ! The speed of the fastest wave, which limits the time step.
  real(wp) function fastest_wave(b, h, hu, hv) result(most)
    type(basin), intent(in) :: b
    real(wp), intent(in), dimension(0:, 0:) :: h, hu, hv
    real(wp) :: wave
    integer :: i, j
    most = 0
    !$omp parallel do private(wave) reduction(max: most)
    !$gpuarr kernel private(wave) reduce(max: most)
    do j = 1, b%ny
      do i = 1, b%nx
        wave = sqrt(b%gravity * h(i, j))
        most = max(most, wave + max(abs(velocity(hu(i, j), h(i, j))), &
            abs(velocity(hv(i, j), h(i, j)))))
      end do
    end do
  end function

  ! One step in time, from the old state to the new one.
  subroutine advance(b, dt, h, hu, hv, h_new, hu_new, hv_new)
    type(basin), intent(in) :: b
    real(wp), intent(in) :: dt
    real(wp), intent(in), dimension(0:, 0:) :: h, hu, hv
    real(wp), intent(inout), dimension(0:, 0:) :: h_new, hu_new, hv_new
    type(state) :: cell, west, east, south, north
    real(wp) :: ax, ay, friction
    integer :: i, j
    ax = dt / b%dx
    ay = dt / b%dy
    !$omp parallel do private(cell, west, east, south, north, friction)
    !$gpuarr kernel
    do j = 1, b%ny
      do i = 1, b%nx
        cell = state(h(i, j), hu(i, j), hv(i, j))
        west = flow(b, state(h(i-1, j), hu(i-1, j), hv(i-1, j)), cell)
        east = flow(b, cell, state(h(i+1, j), hu(i+1, j), hv(i+1, j)))
        south = flow(b, state(h(i, j-1), hv(i, j-1), hu(i, j-1)), state(cell%h, cell%hv, cell%hu))
        north = flow(b, state(cell%h, cell%hv, cell%hu), state(h(i, j+1), hv(i, j+1), hu(i, j+1)))
        friction = 1 / (1 + dt * b%drag * abs(velocity(cell%hu, cell%h)))
        h_new(i, j) = max(cell%h - ax * (east%h - west%h) - ay * (north%h - south%h), 0.0_wp)
        hu_new(i, j) = friction * (cell%hu - ax * (east%hu - west%hu) - ay * (north%hv - south%hv))
        hv_new(i, j) = friction * (cell%hv - ax * (east%hv - west%hv) - ay * (north%hu - south%hu))
      end do
    end do
  end subroutine

  real(wp) function mass(b, h) result(m)
    type(basin), intent(in) :: b
    real(wp), intent(in) :: h(0:, 0:)
    integer :: i, j
    m = 0
    do concurrent (j = 1:b%ny, i = 1:b%nx)
      m = m + h(i, j) * b%dx * b%dy
    end do
  end function

  real(wp) function energy(b, h, hu, hv) result(e)
    type(basin), intent(in) :: b
    real(wp), intent(in), dimension(0:, 0:) :: h, hu, hv
    integer :: i, j
    e = 0
    do concurrent (j = 1:b%ny, i = 1:b%nx, h(i, j) > dry)
      e = e + half * (b%gravity * h(i, j)**2 + (hu(i, j)**2 + hv(i, j)**2) / h(i, j))
    end do
  end function

  ! Steps, two at a time, so that the state ends where it began. It has no loops over cells itself,
  ! and is marked as a whole: its arrays are the device's too.
  !$gpuarr kernel
  subroutine run(b, steps, h, hu, hv, time)
    type(basin), intent(in) :: b
    integer, intent(in) :: steps
    real(wp), intent(inout), dimension(0:b%nx + 1, 0:b%ny + 1) :: h, hu, hv
    real(wp), intent(out) :: time
    real(wp), dimension(0:b%nx + 1, 0:b%ny + 1) :: h_new, hu_new, hv_new
    real(wp) :: dt
    integer :: step
    time = 0
    do step = 1, steps, 2
      dt = 0.4_wp * min(b%dx, b%dy) / fastest_wave(b, h, hu, hv)
      call reflect(b, h, hu, hv)
      call advance(b, dt, h, hu, hv, h_new, hu_new, hv_new)
      call reflect(b, h_new, hu_new, hv_new)
      call advance(b, dt, h_new, hu_new, hv_new, h, hu, hv)
      time = time + 2 * dt
    end do
  end subroutine

end module
