! What codes consist of that were written before there were kernels: names and kinds of other
! modules, small vectors, tables, structs that each iteration fills.
module practice_units
  implicit none
  integer, parameter :: wp = kind(1d0)
  real(wp), parameter :: pi = 3.14159265358979_wp, turn = 2 * pi
  real(wp), parameter :: gravity = 9.81_wp
  integer :: cells = 7
end module

module practice_types
  use practice_units, only: wp
  implicit none
  real(wp), parameter :: gravity = 1.62_wp, start = 0.25_wp
  integer :: cells = 3
  enum, bind(c)
    enumerator :: solid = 1, fluid, gas = 7
    enumerator :: plasma
  end enum
  type :: vec
    real(wp) :: x = start, y
  end type
  type :: body
    type(vec) :: at
    integer :: kind_of = fluid
    real(wp) :: mass
  end type
  type(vec), parameter :: up = vec(0, 1)
  type :: wave
    integer(1) :: order
    complex(wp) :: amplitude
    logical :: decays
  end type
  type :: packet
    real :: x
    type(wave) :: first
    complex :: phase
    integer(2) :: many
  end type
contains
  elemental type(vec) function plus(a, b)
    type(vec), intent(in) :: a, b
    plus = vec(a%x + b%x, a%y + b%y)
  end function

  pure function scaled(a, by) result(c)
    type(vec), intent(in) :: a
    real(wp), intent(in) :: by
    type(vec) :: c
    c%x = a%x * by
    c%y = a%y * by
  end function

  pure subroutine make(b, mass)
    type(body), intent(out) :: b
    real(wp), intent(in) :: mass
    b%at%y = mass
    b%mass = mass
  end subroutine
end module

module practice
  use practice_units, only: wp, earth => gravity, nx => cells
  use practice_types, moon => gravity, ny => cells, enlarged => scaled
  use practice_units, only: other_turn => turn
  implicit none
  private
  public :: normalize, shorter, lights, hashed, push, filled, stages, kinds_inside, tables, &
      phases, leaves, named_as_c, advance, step_up, per_cell, kilo, &
      waves, exchange, roots
  integer, parameter :: order = 3, offsets(*) = [1, 0, -1, 0], from_zero(0:*) = [5, 6]
  real(wp), parameter :: weights(order) = [1 / 3._wp, 15 / 16._wp, sqrt(0.6_wp)]
  real(wp), parameter :: turns(2) = [other_turn, -other_turn]
  integer, parameter :: sobel(-1:1, 3) = reshape([-1, 0, 1, -2, 0, 2, -1, 0, 1], [3, 3])
  integer :: k_
  real, parameter :: ramp(5) = [(0.5 * k_, k_ = 1, 5)], halves_of(2) = 0.5
  real(wp), parameter :: typed(2) = [real(wp) :: 1, 2.5]
  interface step_up
    module procedure step_integer
    module procedure step_real
  end interface
contains

  ! An array is assigned what is folded over it: as it was before.
  subroutine normalize(y)
    real(wp), intent(inout) :: y(:, :)
    real(wp) :: z(3)
    integer :: i
    !$gpuarr kernel private(z)
    do i = 1, size(y, 2)
      z = y(1:3, i)
      z = z / norm2(z)
      z = z - sum(z) / length(z, 3)
      if (z(1) < z(2)) z = z - z(1)
      z(2:) = z(2:) * z(2)
      z = [z(3), z(1), z(2)] + z * [1, 2, 3]
      z = 2 * maxval(z)
      y(:, i) = y(:, i) / (1 + maxval(abs(y(:, i)))) + z(2)
    end do
  end subroutine

  ! An array has as many elements as it is declared with, of which more may be given.
  pure real(wp) function length(v, n)
    integer, intent(in) :: n
    real(wp), intent(in) :: v(n)
    length = sqrt(sum(v**2)) + size(v)
  end function

  subroutine shorter(a, b)
    real(wp), intent(in) :: a(:, :)
    real(wp), intent(inout) :: b(:)
    real(wp) :: w(8)
    integer :: j
    !$gpuarr kernel private(w)
    do j = 1, size(b)
      w = a(1:8, j)
      call clear(w, 3)
      b(j) = length(w, 5) + length(a(:, j), 2) + length(a(2:, j), 4)
    end do
  end subroutine

  pure subroutine clear(v, n)
    integer, intent(in) :: n
    real(wp), intent(inout) :: v(0:n)
    v = 0
    v(n - 1:) = 1
  end subroutine

  ! Logicals of one byte; the kind of a size.
  integer(8) function lights(on, k)
    logical(1), intent(in) :: on(:)
    integer, intent(in) :: k(:)
    integer :: i
    lights = size(on, kind=8)
    do concurrent (i = 1:min(size(on), size(k)))
      if (on(i) .and. k(i) > 0) lights = lights + 1 + size(on, dim=1, kind=8)
    end do
  end function

  ! Numbers of bits.
  elemental integer(8) function hashed(k)
    integer(8), intent(in) :: k
    hashed = ieor(k, ishft(k, -33)) + iand(k, z'0F0F')
    hashed = ieor(hashed, int(z'9E3779B97F4A7C15', 8)) + int(b'101')
    if (hashed == int(z'8000000000000000', 8)) hashed = 0
  end function

  ! A struct that each iteration fills, part by part; x is a component, a keyword and a variable.
  subroutine push(x, y, b)
    real(wp), intent(inout) :: x(:), y(:)
    type(body), intent(in) :: b
    type(vec) :: p
    type(body) :: c
    real(wp) :: s, mass
    integer :: i, k
    do concurrent (i = 1:size(x))
      p%x = x(i)
      p%y = y(i)
      c%at = plus(p, enlarged(b%at, 0.5_wp))
      call make(b=c, mass=2 * p%x)
      mass = c%mass
      c%at = plus(b=up, a=vec(y=c%at%y, x=mass))
      k = i
      s = c%at%x
      call step_up(k)
      call step_up(s)
      x(i) = s + c%at%y + c%kind_of
      y(i) = k + up%y
    end do
  end subroutine

  pure subroutine step_integer(k)
    integer, intent(inout) :: k
    k = k + 1
  end subroutine

  pure subroutine step_real(x)
    real(wp), intent(inout) :: x
    x = x + 0.5_wp
  end subroutine

  ! Components with values from the beginning.
  elemental real(wp) function filled(x) result(r)
    real(wp), intent(in) :: x
    type(body) :: b, c
    b%at%y = x
    call make(c, x)
    r = b%at%x * b%at%y + b%kind_of + c%at%x + c%mass
    b%at = vec(y=3 * x)
    r = r + b%at%x + b%at%y
  end function

  ! The host's loops with constants that are private, and sizes of the device's arrays.
  subroutine stages(u, du, n)
    real(wp), intent(inout) :: u(:), du(:)
    integer, intent(in) :: n
    real(wp) :: pi
    integer :: i, k, t
    pi = turns(1) / other_turn * earth
    do t = 1, min(size(u), order)
      each: do k = 1, size(weights)
        if (weights(k) > 0.9_wp .and. t == 2) cycle each
        !$gpuarr kernel
        do i = lbound(u, 1), ubound(u, 1)
          du(i) = weights(k) * du(i) + moon + pi
        end do
      end do each
    end do
    !$gpuarr kernel
    do i = 1, min(size(u), nx)
      u(i) = u(i) + du(i) + ny + n
    end do
  end subroutine

  ! Kinds, constants and variables that are used in the procedure only.
  subroutine kinds_inside(a)
    use practice_units, only: rk => wp, turn, inner => cells
    real(rk), intent(inout) :: a(:)
    real(rk) :: pi, scale
    integer :: i
    pi = 0.5_rk
    scale = turn * pi
    do concurrent (i = 1:inner)
      a(i) = a(i) * scale + turn * pi
    end do
  end subroutine

  real(rk) elemental function per_cell(x)
    use practice_units, only: rk => wp
    real(rk), intent(in) :: x
    per_cell = x / 2
  end function

  ! Tables of all forms, and two constants of one name.
  subroutine tables(a)
    real(wp), intent(inout) :: a(:)
    real(wp) :: w(4)
    integer :: i, p
    !$gpuarr kernel private(w)
    do i = 1, size(a)
      w = [(real(p, wp), p = 4, 1, -1)]
      p = mod(i, 3)
      a(i) = a(i) + offsets(p + 1) + from_zero(mod(i, 2)) + weights(p + 1)
      a(i) = a(i) + w(p + 1) + ramp(p + 2) + halves_of(1) + typed(2) + turns(2)
      a(i) = a(i) + sobel(p - 1, 2) + sum(w(1:size(offsets)))
      block
        real(wp), parameter :: q = 2, moon = 5
        a(i) = a(i) * q + moon
      end block
      block
        real(wp), parameter :: q = 3
        a(i) = a(i) * q + moon
      end block
    end do
  end subroutine

  ! Enumerators, cases within cases, constructs that are left.
  subroutine phases(k, flags, a)
    integer, intent(in) :: k(:)
    logical, intent(in) :: flags(:)
    integer, intent(inout) :: a(:)
    integer :: i, q
    !$gpuarr kernel
    do i = 1, size(k)
      select case (mod(k(i), 9))
      case (solid, fluid)
        select case (flags(i))
        case (.true.); a(i) = 10
        case (.false.); a(i) = 20
        end select
      case (gas:plasma)
        a(i) = 30
      end select
      within: block
        do q = 1, 3
          if (a(i) > 8) exit within
          a(i) = a(i) + q
        end do
        a(i) = a(i) + 1000
      end block within
      short: associate (z => a(i), w => 2 * k(i))
        if (w > 8) exit short
        z = w + z
      end associate short
    end do
  end subroutine

  ! Parts of complex numbers.
  subroutine leaves(z)
    complex(wp), intent(inout) :: z(:)
    complex(wp) :: w
    integer :: i
    do concurrent (i = 1:size(z))
      w = z(i)
      w%im = w%im + w%re
      z(i) = w
    end do
  end subroutine

  ! Names of functions that C++ calls for what Fortran calls otherwise.
  subroutine named_as_c(pow, a, conj, errno)
    real(wp), intent(in) :: pow(:)
    real(wp), intent(inout) :: a(:)
    complex(wp), intent(inout) :: conj(:)
    integer, intent(in) :: errno
    real(wp) :: fabs, trunc, round, imag
    integer :: i
    do concurrent (i = 1:size(a))
      fabs = abs(pow(i))**1.5_wp
      trunc = aint(fabs)
      round = anint(fabs) + errno
      imag = aimag(conj(i))
      conj(i) = conjg(conj(i))
      a(i) = fabs + trunc + round + imag
    end do
  end subroutine

  ! Structs with complex numbers, whose addresses C++ aligns to their size.
  subroutine waves(z, p, w, n)
    complex(wp), intent(inout) :: z(:)
    type(packet), intent(in) :: p
    type(wave), intent(in) :: w
    integer, intent(in) :: n
    integer :: i
    do concurrent (i = 1:size(z))
      z(i) = z(i) + w%amplitude * p%phase + p%first%amplitude * p%many + p%x + n
      if (w%decays .and. p%first%decays) z(i) = z(i) / (2 + w%order)
    end do
  end subroutine

  ! Rows and parts of an array go to others of it; what an endless loop assigns.
  subroutine exchange(a)
    real(wp), intent(inout) :: a(:, :)
    real(wp) :: m(4, 4), row(4)
    integer :: i, j
    !$gpuarr kernel private(m, row)
    do i = 1, size(a, 2)
      do j = 1, 4
        m(:, j) = a(1:4, i) + j
      end do
      row = m(1, :)
      m(1, :) = m(2, :)
      m(2, :) = row
      j = 2
      m(j:, 1) = m(j:, 1) - m(j:, 4) / 2
      row(2:) = row(4:j:-1)
      a(1:4, i) = m(:, 1) + row
    end do
  end subroutine

  subroutine roots(c, root)
    real(wp), intent(in) :: c(:)
    real(wp), intent(inout) :: root(:)
    real(wp) :: low, middle
    integer :: i
    do concurrent (i = 1:size(c))
      low = 0
      do
        middle = low + 0.125_wp
        if (middle**3 > abs(c(i))) exit
        low = middle
      end do
      root(i) = middle
    end do
  end subroutine

  ! Pure, not elemental.
  pure subroutine advance(seed, x)
    integer(8), intent(inout) :: seed
    real(wp), intent(out) :: x
    seed = modulo(seed * 1103515245_8 + 12345, 2_8**31)
    x = real(seed, wp) / 2_8**31
  end subroutine

  elemental logical(1) function kilo(x, flag)
    real(wp), intent(in) :: x
    logical(1), intent(in) :: flag
    kilo = x > 0 .and. flag
  end function

end module
