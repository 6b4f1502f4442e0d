! What marked loops may consist of; the generated test compares each with gfortran's own loops.
module construct_kinds
  use, intrinsic :: iso_fortran_env, only: int64, real32
  implicit none
  private
  integer, parameter, public :: wp = selected_real_kind(12), long = int64, single = kind(1.0)
  integer, parameter, public :: halo = 2
  real(wp), parameter, public :: weights(-1:1) = [0.25_wp, 0.5_wp, 0.25_wp]
  type, public :: grid
    integer :: nx, ny
    real(wp) :: dx
    logical :: wraps
  end type
  type, public :: model
    type(grid) :: inner
    real(real32) :: factor
  end type
end module

module constructs
  use construct_kinds
  implicit none
  real(wp) :: gravity = 9.81_wp
contains

  ! Bounds other than 1, a derived type, a private scalar, cycle, powers.
  subroutine stencil(g, u, v)
    type(grid), intent(in) :: g
    real(wp), intent(in) :: u(0:, 0:)
    real(wp), intent(inout) :: v(0:, 0:)
    integer :: i, j
    real(wp) :: t
    !$gpuarr kernel
    do j = 1, g%ny
      do i = 1, g%nx
        t = u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1) - 4 * u(i, j)
        if (t > 0.5_wp .and. g%wraps) cycle
        v(i, j) = u(i, j) + t * g%dx**2 - (-t)**3 / 2**2
      end do
    end do
  end subroutine

  ! Explicit shapes, a negative step, another step, a loop of the thread's own with exit and cycle.
  subroutine steps(n, m, a, b)
    integer, intent(in) :: n, m
    real(single), intent(in) :: a(n, -m:m)
    real(single), intent(inout) :: b(n, -m:m)
    integer :: i, j, k
    !$gpuarr kernel
    do j = m, -m, -1
      do i = 1, n, 2
        b(i, j) = 0
        do k = n, 1, -3
          if (k == i) cycle
          if (a(k, j) > 0.98) exit
          b(i, j) = b(i, j) + a(k, j)
        end do
        if (k < 5) b(i, j) = -b(i, j)
      end do
    end do
  end subroutine

  ! do concurrent needs no mark; a mask, three indices, a step that is not constant.
  subroutine boxes(n, by, a)
    integer, intent(in) :: n, by
    integer(long), intent(inout) :: a(n, n, n)
    integer :: i, j, k
    do concurrent (k = 1:n, j = 1:n:max(1, by / 8), i = n:1:-1, i + j > k)
      a(i, j, k) = int(i, long) * 10000 + j * 100_long + k
    end do
  end subroutine

  ! Four loops, which share the grid's axes.
  subroutine four(a, b)
    real(single), intent(in) :: a(:, :)
    real(single), intent(inout) :: b(:, :)
    integer :: i, j, k, l
    !$gpuarr kernel
    do l = 1, 2
      do k = 1, 3
        do j = 1, 5
          do i = 1, 4
            b(i + 4 * (k - 1), j + 5 * (l - 1)) = a(i, j) + k - l
          end do
        end do
      end do
    end do
  end subroutine

  ! Folds, marked and by their form alone; what was in the scalar counts.
  subroutine folds(n, a, k, total, most, product_of, bits, any_big, number)
    integer, intent(in) :: n, k(n)
    real(wp), intent(in) :: a(n)
    real(wp), intent(inout) :: total, most, product_of
    integer, intent(inout) :: bits
    logical, intent(inout) :: any_big
    integer, intent(out) :: number
    integer :: i
    number = 3
    !$gpuarr kernel reduce(+: total)
    do i = 1, n
      total = total + a(i) * i
      most = max(most, a(i))
      product_of = product_of * (1 + a(i) / 16)
      bits = ieor(bits, k(i))
      any_big = any_big .or. a(i) > 2
      number = number + 1
    end do
  end subroutine

  ! Folds of scalars of all kinds, by all operators.
  subroutine folds_of_kinds(n, k, a, bytes, shorts, words, longs, bits, least, by, waves, turned, &
      holds)
    integer, intent(in) :: n, k(n)
    real(wp), intent(in) :: a(n)
    integer(1), intent(inout) :: bytes
    integer(2), intent(inout) :: shorts
    integer, intent(inout) :: words, bits
    integer(long), intent(inout) :: longs
    real(single), intent(inout) :: least, by
    complex(single), intent(inout) :: waves
    complex(wp), intent(inout) :: turned
    logical, intent(inout) :: holds
    integer :: i
    !$gpuarr kernel
    do i = 1, n
      bytes = bytes + int(k(i), 1)
      shorts = min(shorts, int(k(i), 2))
      words = iand(words, k(i))
    end do
    !$gpuarr kernel
    do i = 1, n
      longs = longs * (2 * k(i) + 1)
      bits = ior(bits, k(i))
      least = min(least, real(a(i), single))
    end do
    !$gpuarr kernel
    do i = 1, n
      by = by * (1 + real(a(i), single) / n)
      waves = waves + cmplx(a(i), k(i), single)
      turned = turned * cmplx(1, a(i) / n, wp)
      holds = holds .and. a(i) > -2
    end do
  end subroutine

  ! A loop of more passes than an integer of 4 bytes counts.
  function passes_of(weights, first, last) result(passes)
    integer, intent(in) :: weights(:)
    integer(long), intent(in) :: first, last
    integer(long) :: i, passes
    passes = 0
    !$gpuarr kernel
    do i = first, last
      passes = passes + weights(1)
    end do
  end function

  ! A function with a fold over two loops, and a module's variable.
  function energy(u) result(e)
    real(wp), intent(in) :: u(:, :)
    real(wp) :: e
    integer :: i, j
    e = 0
    do concurrent (j = 2:size(u, 2) - 1, i = 1:ubound(u, 1))
      e = e + gravity * u(i, j)**2 - 0.5_wp
    end do
  end function

  ! A product of matrices: the innermost loop is the thread's own, as it writes one element again.
  subroutine multiply(a, b, c)
    real(single), intent(in) :: a(:, :), b(:, :)
    real(single), intent(inout) :: c(:, :)
    integer :: i, j, k
    !$gpuarr kernel
    do j = 1, size(c, 2)
      do i = 1, size(c, 1)
        do k = 1, size(a, 2)
          c(i, j) = c(i, j) + a(i, k) * b(k, j)
        end do
      end do
    end do
  end subroutine

  ! A sweep along i, which each thread does for its j.
  subroutine sweep(n, a)
    integer, intent(in) :: n
    real(wp), intent(inout) :: a(n, n)
    integer :: i, j
    !$gpuarr kernel
    do j = 1, n
      do i = 2, n
        a(i, j) = a(i, j) + 0.5_wp * a(i - 1, j)
      end do
    end do
  end subroutine

  ! select case of ranges, labels, nested exits, do while, an endless loop.
  subroutine branches(n, a, b)
    integer, intent(in) :: n
    integer, intent(in) :: a(:)
    integer, intent(inout) :: b(:)
    integer :: i, j, k, s
    !$gpuarr kernel private(s)
    each: do i = 1, n
      select case (a(i))
      case (:3)
        s = 1
      case (4, 7:9)
        s = 2
      case (20:)
        cycle each
      case default
        s = 3
      end select
      outer: do j = 1, 10
        do k = 1, 10
          if (j * k > a(i)) exit outer
          if (mod(j + k, 3) == 0) cycle outer
          s = s + k
        end do
        s = s + 100
      end do outer
      do while (s > 1000)
        s = s / 2
      end do
      do
        s = s + 1
        if (mod(s, 7) == 0) exit
      end do
      b(i) = s
    end do each
  end subroutine

  ! A thread's own array, a block, associate, array constructors, sections, folds of sections.
  subroutine pieces(a, b)
    real(wp), intent(in) :: a(:, :)
    real(wp), intent(inout) :: b(:, :)
    real(wp) :: w(-1:1), x(3, 2)
    integer :: i, j
    !$gpuarr kernel private(w, x)
    do j = 2, size(a, 2) - 1
      w = weights
      w(0:1) = w(0:1) * 2
      if (a(1, j) > 2) w = [1.0_wp, 2.0_wp, 3.0_wp]
      x(:, 1) = [1.0_wp, 2.0_wp, 3.0_wp]
      x(:, 2) = 2 * a(3:1:-1, j)
      block
        real(wp) :: s
        integer :: m
        s = sum(a(:, j)) + dot_product(a(2:3, j), x(1:2, 2)) + maxval(x(:, 2))
        m = count(a(:, j) > 0.5_wp)
        associate (first => b(1, j), half => s / 2, only_read => a(2, j))
          first = half + m + sum(w * a(j - 1:j + 1, j)) + only_read
        end associate
      end block
      b(2:, j) = a(2:, j) - a(1, j)
      do i = 2, 3
        b(i, j) = b(i, j) + norm2(a(:, j))
      end do
      b(1, j) = b(1, j) + maxloc(a(:, j), 1) - 10 * minloc(a(size(a, 1):1:-1, j) * x(1, 1), dim=1)
      b(1, j) = b(1, j) + 100 * minloc(sqrt(a(:, j) - 0.5_wp), 1)  ! some are NaN
      if (all(a(:, j) < 2) .and. .not. any(a(:, j) < 0)) b(4, j) = minval(a(:, j))
    end do
  end subroutine

  ! Calls of pure procedures, elemental and with arrays, of another module's types.
  pure subroutine smooth(x, y, r)
    real(wp), intent(in) :: x(:)
    real(wp), intent(out) :: y
    real(wp), intent(inout) :: r
    integer :: k
    y = 0
    do k = 1, size(x)
      y = y + weights(mod(k, 3) - 1) * x(k)
      if (y > 100) return
    end do
    r = r + y
  end subroutine

  elemental function limited(x, m) result(y)
    real(wp), intent(in) :: x
    type(model), intent(in) :: m
    real(wp) :: y
    y = min(max(x, -1.0_wp), real(m%factor, wp)) * m%inner%dx
    if (m%inner%wraps) then
      y = y + 1
    else if (y < 0) then
      y = -y
    end if
  end function

  subroutine calls(m, a, b)
    type(model), intent(in) :: m
    real(wp), intent(in) :: a(:, :)
    real(wp), intent(inout) :: b(:)
    real(wp) :: s, r
    integer :: j
    do concurrent (j = 1:size(a, 2))
      r = limited(a(1, j), m)
      call smooth(a(:, j), s, r)
      b(j) = limited(s, m=m) + r + twice(a(2, j))
    end do
  contains
    pure real(wp) function twice(x)
      real(wp), intent(in) :: x
      twice = 2 * x
    end function
  end subroutine

  ! Several loops with statements of the host between them, and a work array.
  subroutine several(n, dt, u)
    integer, intent(in) :: n
    real(wp), intent(in) :: dt
    real(wp), intent(inout) :: u(n)
    real(wp) :: work(0:n + 1), c, s
    integer :: i, step
    c = dt / 2
    do step = 1, 3
      if (mod(step, 2) == 0) c = c * 0.75_wp
      !$gpuarr kernel
      do i = 1, n
        work(i) = u(i) * c
      end do
      work_ends: do concurrent (i = 0:n + 1:n + 1)
        work(i) = 0
      end do work_ends
      !$gpuarr kernel
      do i = 1, n
        s = work(i - 1) + work(i + 1)
        u(i) = u(i) - s
      end do
    end do
    if (n < 0) return
    call clear_ends(n, u)
  end subroutine

  subroutine clear_ends(n, u)
    integer, intent(in) :: n
    real(wp), intent(inout) :: u(n)
    integer :: i
    !$gpuarr kernel
    do i = 1, n, n - 1
      u(i) = 0
    end do
  end subroutine

  ! Logical arrays and scalars, complex numbers.
  subroutine masks(flags, z, w, flip, all_of_z)
    logical, intent(inout) :: flags(:)
    complex(wp), intent(in) :: z(:)
    complex(single), intent(inout) :: w(:)
    logical, intent(in) :: flip
    complex(wp), intent(inout) :: all_of_z
    integer :: i
    !$gpuarr kernel reduce(+: all_of_z)
    do i = 1, size(flags)
      flags(i) = (flags(i) .neqv. flip) .or. abs(z(i)) > 0.9_wp .eqv. real(z(i)) > aimag(z(i))
      w(i) = cmplx(z(i) * conjg(z(i)) + (0.5, -0.5), kind=single) ** 2 / w(i)
      if (.not. flags(i)) w(i) = exp(w(i))
      all_of_z = all_of_z + z(i)
    end do
  end subroutine

  ! Integers of one and two bytes, and names that mean something in C++.
  subroutine small(int, float, new)
    integer(1), intent(in) :: int(:)
    integer(2), intent(inout) :: float(:)
    integer, intent(inout) :: new(:)
    integer :: class, template
    do concurrent (class = 1:size(new))
      template = int(class) * 3
      float(class) = int(class) * float(class) - int(class) / 2_1
      new(class) = template + ishft(new(class), 3) - not(template)
    end do
  end subroutine

  elemental subroutine divide(x, by, whole, rest)
    real(single), intent(in) :: x
    integer, intent(in) :: by
    integer, intent(out) :: whole
    real(single), intent(inout) :: rest
    whole = int(x * 100) / by
    rest = rest + modulo(x * 100, real(by))
  end subroutine

  elemental complex(wp) function turned(z, by) result(w)
    complex(wp), intent(in) :: z
    real(wp), intent(in) :: by
    w = z * exp(cmplx(0, by, wp)) + conjg(z)**2
    if (aimag(w) < 0) w = sqrt(w)
  end function

  pure logical function is_odd(k, flag)
    integer, intent(in) :: k
    logical, intent(in) :: flag
    is_odd = mod(k, 2) == 1 .neqv. flag
  end function

end module
