!> Operators, and intrinsic functions by their own names, beside Fortran's on its own arrays.
module test_expressions_functions
  use gpuarr
  use gpuarr_intrinsics
  implicit none

contains

  !> A function of a user's, of an expression.
  function softplus(x) result(y)
    type(gpuarr_array), intent(in) :: x
    type(gpuarr_result) :: y
    y = log(1 + exp(x))
  end function

end module

program test_expressions
  use, intrinsic :: iso_c_binding
  use gpuarr
  use gpuarr_intrinsics
  use checks
  use test_expressions_functions
  implicit none
  integer(c_int64_t) :: before
  call start()
  before = gpuarr_live_objects()
  call arithmetic()
  call expect(gpuarr_live_objects(), before, "left by arithmetic")
  call arguments()
  call expect(gpuarr_live_objects(), before, "left by arguments")
  call integers()
  call expect(gpuarr_live_objects(), before, "left by integers")
  call logic()
  call expect(gpuarr_live_objects(), before, "left by logic")
  call functions()
  call expect(gpuarr_live_objects(), before, "left by functions")
  call reductions()
  call expect(gpuarr_live_objects(), before, "left by reductions")
  call matrices()
  call expect(gpuarr_live_objects(), before, "left by matrices")
  call moving()
  call expect(gpuarr_live_objects(), before, "left by what moves")
  call finish()

contains

  !> Results are used up by kernels and ready-made reductions too.
  subroutine arguments()
    type(gpuarr_elementwise) :: kernel
    type(gpuarr_reduction) :: total
    type(gpuarr_array) :: x, y
    real(c_double) :: one
    call x%from_host([1d0, 2d0])
    call kernel%create("T x, T y", "T z", "z = x - y;")
    call kernel%call(y, x + 1, 2)
    call expect(gpuarr_live_objects(), before + 3, "left by a kernel's argument")
    call total%create("T x", "T y", "x", "a + b", "y = a")
    call y%release()
    call total%call(y, x + 1, dim=1)
    call y%release()
    call gpuarr_sum(y, x + 1)
    call expect(gpuarr_live_objects(), before + 4, "left by the argument of a reduction")
    one = y
    call expect(one, 5d0, 0d0, "a reduction of a result")
  end subroutine

  !> An array has the elements of a host array, which are let go of.
  subroutine expect_array(got, wanted, tolerance, what)
    class(gpuarr_operand), intent(in) :: got
    real(c_double), intent(in) :: wanted(:, :), tolerance
    character(*), intent(in) :: what
    type(gpuarr_array) :: array
    real(c_double), allocatable :: values(:, :)
    array = transpose(transpose(got))
    call array%to_allocatable(values)
    call expect(all(shape(values) == shape(wanted)), what // ": shape")
    if (size(values) == size(wanted)) &
      call expect(maxval(abs(values - wanted)), 0d0, tolerance, what)
  end subroutine

  subroutine arithmetic()
    type(gpuarr_array) :: x, y, z, row, list(2)
    real(c_double) :: a(3, 4), b(3, 4), total
    real :: single(2) = [1.5, 2.5]
    call random_number(a)
    call random_number(b)
    call x%from_host(a)
    call y%from_host(b)
    call row%from_host(b(1, :))
    z = 2 * x + y**2 - x / (y + 1.0)
    call expect_array(z, 2 * a + b**2 - a / (b + 1), 1d-14, "arithmetic")
    list(2) = -x + row
    call expect_array(list(2), -a + spread(b(1, :), 1, 3), 1d-14, "a row for each")
    z = softplus(x)
    call expect_array(z, log(1 + exp(a)), 1d-14, "a function of one's own")
    total = sum(x * y)
    call expect(total, sum(a * b), 1d-13, "a scalar of an expression")
    call z%from_host(single)
    z = z * 2d0
    call expect(z%dtype(), GPUARR_F32, "a scalar does not widen an array")
  end subroutine

  subroutine integers()
    type(gpuarr_array) :: x, y, z
    integer(c_int32_t) :: a(6) = [7, -7, 7, -7, 9, 0], b(6) = [2, 2, -2, -2, 3, 5], got(6)
    integer(c_int8_t) :: small
    call x%from_host(a)
    call y%from_host(b)
    z = x / y
    call z%to_host(got)
    call expect(all(got == a / b), "a quotient of integers")
    z = mod(x, y)
    call z%to_host(got)
    call expect(all(got == mod(a, b)), "mod")
    z = modulo(x, y)
    call z%to_host(got)
    call expect(all(got == modulo(a, b)), "modulo")
    z = sign(x, y)
    call z%to_host(got)
    call expect(all(got == sign(a, b)), "sign of integers")
    z = iand(x, y)
    call z%to_host(got)
    call expect(all(got == iand(a, b)), "bits")
    small = minval(x, x > 0)
    call expect(int(small), minval(a, a > 0), "an extreme of some integers")
    small = sum(x)
    call expect(int(small), sum(a), "converted as Fortran does")
  end subroutine

  subroutine logic()
    type(gpuarr_array) :: x, y, mask
    real(c_double) :: a(3, 4), b(3, 4)
    logical :: truth
    logical(c_bool) :: flag
    integer :: number
    call random_number(a)
    call random_number(b)
    b(2, :) = a(2, :)
    call x%from_host(a)
    call y%from_host(b)
    number = count(x < y .or. .not. x <= y)
    call expect(number, 8, "< .or. .not. <=")
    number = count(x > y .and. x >= y .and. .true.)
    call expect(number, count(a > b), "> .and. >=")
    number = count((x == y) .eqv. (x /= y))
    call expect(number, 0, "== .eqv. /=")
    flag = all((x == y) .neqv. (x /= y))
    call expect(logical(flag), "== .neqv. /=")
    truth = any(2 < x)
    call expect(.not. truth, "a scalar on the left")
    mask = x > 0.5
    call expect_array(merge(1, y, mask), merge(1d0, b, a > 0.5), 0d0, "merge")
    call expect_array(max(x, y) + min(0.5, x), max(a, b) + min(0.5d0, a), 1d-14, "max and min")
  end subroutine

  subroutine functions()
    type(gpuarr_array) :: x, z
    real(c_double) :: a(3, 2) = reshape([0.3d0, -0.7d0, 0.5d0, -0.5d0, 0.99d0, 0.1d0], [3, 2])
    complex(c_double) :: c(2), got(2)
    integer :: k
    real(c_double), parameter :: halves(5) = [2.5d0, -2.5d0, 0.49999999999999994d0, 3.2d0, -1d0]
    integer :: nearest(5)
    call x%from_host(a)
    call expect_array(acos(x), acos(a), 1d-14, "acos")
    call expect_array(atan2(x, abs(x)), atan2(a, abs(a)), 1d-14, "atan2")
    call expect_array(sign(log_gamma(abs(x)), x), sign(log_gamma(abs(a)), a), 1d-12, &
        "log_gamma and sign")
    call expect_array(real(floor(x), c_double), real(floor(a), c_double), 0d0, "floor")
    call x%from_host(halves)
    z = nint(x)
    call z%to_host(nearest)
    call expect(all(nearest == nint(halves)), "nint goes away from 0")
    z = int(x, c_int64_t)
    call expect(z%dtype(), GPUARR_I64, "int of a kind")
    c = [(cmplx(k, 2 - k, c_double), k = 1, 2)]
    call x%from_host(c)
    z = cmplx(real(x), aimag(x))
    call z%to_host(got)
    call expect(all(got == c), "parts of complex numbers")
  end subroutine

  subroutine reductions()
    type(gpuarr_array) :: x, z
    real(c_double) :: a(4, 3), rows(4), one
    integer(c_int64_t) :: place(2), places(3)
    call random_number(a)
    call x%from_host(a)
    z = sum(x, 2)
    call z%to_host(rows)
    call expect(maxval(abs(rows - sum(a, 2))), 0d0, 1d-14, "sum along a dim")
    one = norm2(x)
    call expect(one, norm2(a), 1d-14, "norm2")
    one = maxval(x, mask=x < 0.5)
    call expect(one, maxval(a, mask=a < 0.5), 0d0, "maxval of some")
    z = sum(x, 2, x < 0.5)
    call z%to_host(rows)
    call expect(maxval(abs(rows - sum(a, 2, a < 0.5))), 0d0, 1d-14, "sum of some along a dim")
    z = maxloc(x)
    call z%to_host(place)
    call expect(place, maxloc(a), "maxloc of all")
    z = minloc(x, dim=1)
    call z%to_host(places)
    call expect(places, minloc(a, 1), "minloc along a dim")
  end subroutine

  subroutine matrices()
    type(gpuarr_array) :: x, y, z
    real(c_double) :: a(3, 4), b(3, 4), one
    call random_number(a)
    call random_number(b)
    call x%from_host(a)
    call y%from_host(b)
    z = transpose(y)
    call z%fill(0)
    call expect_array(y, b, 0d0, "a transposed array that was assigned is another one")
    call expect_array(matmul(x, transpose(y)), matmul(a, transpose(b)), 1d-14, "matmul")
    z = reshape(x, [12])
    one = dot_product(z, reshape(y, [12]))
    call expect(one, sum(a * b), 1d-14, "dot_product")
    call expect_array(reshape(x + y, [2, 6]), reshape(a + b, [2, 6]), 0d0, "reshape")
    call expect_array(reshape(transpose(x), [2, -1]), reshape(transpose(a), [2, 6]), 0d0, &
        "reshape of what lies otherwise")
  end subroutine

  subroutine moving()
    type(gpuarr_array) :: x, z, mask
    real(c_double) :: a(3, 4)
    real(c_double), allocatable :: packed(:), cube(:, :, :)
    call random_number(a)
    call x%from_host(a)
    mask = x > 0.5
    z = pack(x, mask)
    call z%to_allocatable(packed)
    call expect(all(packed == pack(a, a > 0.5)), "pack")
    call expect_array(unpack(-z, mask, x), merge(-a, a, a > 0.5), 0d0, "unpack")
    call expect_array(unpack(z, mask, 7), merge(a, 7d0, a > 0.5), 0d0, "unpack into a scalar")
    z = spread(x, 2, 5)
    call z%to_allocatable(cube)
    call expect(all(cube == spread(a, 2, 5)), "spread")
    call expect_array(cshift(x, 1, 2), cshift(a, 1, 2), 0d0, "cshift")
    call expect_array(eoshift(x, -2, 3d0), eoshift(a, -2, 3d0), 0d0, "eoshift")
  end subroutine

end program
