!> Expressions: what they are worth beside Fortran's own, how many kernels they become, when arrays
!> are read, what is refused, and that nothing is left.
module test_fusion_functions
  use gpuarr
  use gpuarr_intrinsics
  implicit none

contains

  !> A function of a user's that needs its argument twice.
  function softplus(x) result(y)
    class(gpuarr_operand), intent(in) :: x
    type(gpuarr_result) :: y
    type(gpuarr_expr) :: given
    given = x
    y = max(given, 0) + log(1 + exp(-abs(given)))
  end function

end module

program test_fusion
  use, intrinsic :: ieee_arithmetic
  use, intrinsic :: iso_c_binding
  use gpuarr
  use gpuarr_intrinsics
  use checks
  use test_fusion_functions
  implicit none
  integer(c_int64_t) :: before
  real(c_double), parameter :: near = 1d-13
  call start()
  before = gpuarr_live_objects()
  call formulas()
  call expect(gpuarr_live_objects(), before, "left by formulas")
  call reductions()
  call expect(gpuarr_live_objects(), before, "left by reductions")
  call integers()
  call expect(gpuarr_live_objects(), before, "left by integers")
  call host_arrays()
  call expect(gpuarr_live_objects(), before, "left by Fortran's arrays")
  call views()
  call expect(gpuarr_live_objects(), before, "left by views")
  call names()
  call expect(gpuarr_live_objects(), before, "left by names")
  call together()
  call expect(gpuarr_live_objects(), before, "left by several results")
  call arguments()
  call expect(gpuarr_live_objects(), before, "left by arguments")
  call products()
  call expect(gpuarr_live_objects(), before, "left by products of matrices")
  call places()
  call expect(gpuarr_live_objects(), before, "left by places")
  call deep()
  call expect(gpuarr_live_objects(), before, "left by what is deep")
  call nothing()
  call expect(gpuarr_live_objects(), before, "left by arrays without elements")
  call explained()
  call finish()

contains

  !> How many kernels gpuarr_explain says that there are, in its last line.
  integer function kernels(text)
    character(*), intent(in) :: text
    integer :: last
    last = index(text(:len(text) - 1), new_line("a"), back=.true.)
    read (text(last + 1:), *) kernels
  end function

  subroutine expect_values(got, wanted, tolerance, what)
    class(gpuarr_operand), intent(in) :: got
    real(c_double), intent(in) :: wanted(:), tolerance
    character(*), intent(in) :: what
    type(gpuarr_expr) :: flat
    type(gpuarr_array) :: array
    real(c_double), allocatable :: values(:)
    flat = reshape(got, [-1])
    array = real(flat, c_double)
    call array%to_allocatable(values)
    call expect(size(values), size(wanted), what // ": size")
    if (size(values) == size(wanted)) &
      call expect(maxval([0d0, abs(values - wanted)]), 0d0, tolerance, what)
  end subroutine

  subroutine formulas()
    type(gpuarr_array) :: x, y, z
    real(c_double) :: a(3, 4), b(3, 4)
    call random_number(a)
    call random_number(b)
    call x%from_host(a)
    call y%from_host(b)
    call expect(kernels(gpuarr_explain((x - y) * (x - y))), 1, "kernels of (x - y)*(x - y)")
    z = 2 * sin(x) + x**2
    call expect_values(z, [2 * sin(a) + a**2], near, "2*sin(x) + x**2")
    call expect(kernels(gpuarr_explain(2 * sin(x) + x**2)), 1, "kernels of 2*sin(x) + x**2")
    call expect_values(softplus(x - y), [max(a - b, 0d0) + log(1 + exp(-abs(a - b)))], near, &
        "a function that uses its argument twice")
    call expect(kernels(gpuarr_explain(softplus(x - y))), 1, "kernels of such a function")
    z = merge(x + y, 0.5, x > y .and. .not. y < 0.25)
    call expect_values(z, [merge(a + b, 0.5d0, a > b .and. .not. b < 0.25)], 0d0, "merge")
    call expect_values(anint(4 * x - 2), [anint(4 * a - 2)], 0d0, "anint")
    call expect_values(gpuarr_applied("log1p", x), [log(1 + a)], near, "a function by its name")
    x = x + 1
    call expect_values(x, [a + 1], 0d0, "an array from itself")
    z = x
    z = z**3 / (y + 1) - sqrt(z)
    call expect_values(z, [(a + 1)**3 / (b + 1) - sqrt(a + 1)], near, "powers and quotients")
  end subroutine

  subroutine reductions()
    type(gpuarr_array) :: x, y, z
    type(gpuarr_expr) :: e
    real(c_double) :: a(5, 4), b(5, 4), one
    real :: single
    integer :: number
    logical :: truth
    call random_number(a)
    call random_number(b)
    call x%from_host(a)
    call y%from_host(b)
    e = sum((x - y)**2)
    call expect(kernels(gpuarr_explain(e)), 1, "kernels of sum((x - y)**2)")
    one = e
    call expect(one, sum((a - b)**2), near, "sum((x - y)**2)")
    single = sum(x * y)
    call expect(real(single, c_double), sum(a * b), 1d-6, "into a scalar of another kind")
    number = count(x > y)
    call expect(number, count(a > b), "count")
    truth = any(x + y > 1.5)
    call expect(truth .eqv. any(a + b > 1.5), "any")
    one = maxval(x - y, mask=x < 0.5)
    call expect(one, maxval(a - b, mask=a < 0.5), 0d0, "maxval of some")
    call expect_values(sum(x * y, 2, x < y), sum(a * b, 2, a < b), near, "sum of some along a dim")
    call expect(kernels(gpuarr_explain(sum(x * y, 2, x < y))), 1, "kernels of that")
    call expect_values(minloc(x + y, 1), real(minloc(a + b, 1), c_double), 0d0, "minloc")
    call expect_values(maxloc(x + y), real(maxloc(a + b), c_double), 0d0, "maxloc of all")
    call expect_values(norm2(2 * x, 1), norm2(2 * a, 1), near, "norm2")
    one = product(x + 1)
    call expect(one, product(a + 1), 1d-12 * product(a + 1), "product")
    one = gpuarr_reduced("var", x + y, ddof=1d0)
    call expect(one, sum((a + b - sum(a + b) / 20)**2) / 19, near, "by its name")
    e = x - gpuarr_reduced("mean", x, dim=2, keepdims=.true.)
    call expect_values(e, [a - spread(sum(a, 2) / 4, 2, 4)], near, "with the dims kept")
    call gpuarr_mean(z, (x - y)**2, dim=1)
    call expect_values(z, sum((a - b)**2, 1) / 5, near, "a mean, into an array")
    call gpuarr_norm(z, x - y, dim=1, ord=1d0)
    call expect_values(z, sum(abs(a - b), 1), near, "a norm, into an array")
    call gpuarr_norm(z, x - y, dim=1, ord=ieee_value(1d0, ieee_positive_inf))
    call expect_values(z, maxval(abs(a - b), 1), 0d0, "the norm of the largest")
  end subroutine

  subroutine integers()
    type(gpuarr_array) :: x, y
    integer(c_int32_t) :: a(6) = [7, -7, 7, -7, 9, 0], b(6) = [2, 2, -2, -2, 3, 5]
    call x%from_host(a)
    call y%from_host(int(b, c_int8_t))
    call expect_values((x + 1) / y, real((a + 1) / b, c_double), 0d0, "a quotient")
    call expect(kernels(gpuarr_explain((x + 1) / y)), 1, "kernels of a quotient")
    call expect_values(100 / y, real(100 / b, c_double), 0d0, "of a scalar")
    call expect_values(x / 2.0, a / 2d0, 0d0, "by a real")
    call expect_values(sign(x, y - 1), real(sign(a, b - 1), c_double), 0d0, "sign")
    call expect_values(sign(3, y), real(sign(3, b), c_double), 0d0, "sign of a scalar")
    call expect_values(mod(x, y) + modulo(x, y), real(mod(a, b) + modulo(a, b), c_double), 0d0, &
        "mod and modulo")
    call expect_values(real(int(x / 2.0)), real(int(a / 2.0), c_double), 0d0, "int")
  end subroutine

  !> Fortran's arrays beside a device's.
  subroutine host_arrays()
    type(gpuarr_array) :: x, z
    type(gpuarr_expr) :: e
    real(c_double) :: a(3, 4), b(6, 4)
    real(c_double), allocatable :: c(:, :)
    integer(c_int16_t) :: n(4) = [1_c_int16_t, 2_c_int16_t, 3_c_int16_t, 4_c_int16_t]
    logical(c_bool) :: mask(3, 4)
    real :: cube(2, 3, 4)
    call random_number(a)
    call random_number(b)
    call random_number(cube)
    call x%from_host(a)
    c = b(::2, :)
    mask = a > 0.5
    z = x + c
    call expect_values(z, [a + c], 0d0, "on the right")
    z = b(2::2, :) / x - x * b(::2, 4:1:-1)
    call expect_values(z, [b(2::2, :) / a - a * b(::2, 4:1:-1)], near, "sections on both sides")
    z = (x + 1)**n
    call expect_values(z, [(a + 1)**spread(n, 1, 3)], near, "one that broadcasts")
    z = x * cube
    call expect_values(z, [spread(a, 1, 2) * cube], 1d-7, "of more dims")
    call expect_values(merge(b(:3, :), x, x > 0.25), [merge(b(:3, :), a, a > 0.25)], 0d0, "merge")
    number: block
      integer :: some
      some = count(mask .and. x < b(:3, :))
      call expect(some, count(mask .and. a < b(:3, :)), "logicals")
    end block number
    call expect_values(max(x, c), [max(a, c)], 0d0, "max")
    e = x + c
    c = 0  ! the elements have been copied
    call expect_values(e, [a + b(::2, :)], 0d0, "copied when it is built")
    call expect(kernels(gpuarr_explain(e * e)), 1, "kernels with a Fortran array")
  end subroutine

  subroutine views()
    type(gpuarr_array) :: x, z
    type(gpuarr_expr) :: e, s
    real(c_double) :: a(3, 4)
    integer :: k
    call random_number(a)
    call x%from_host(a)
    e = 2 * x
    z = transpose(e + 1)
    call expect_values(z, [transpose(2 * a + 1)], 0d0, "transpose")
    call expect(kernels(gpuarr_explain(transpose(e) + transpose(x))), 1, "kernels with transposed")
    call expect_values(reshape(e, [6, -1]), [2 * a], 0d0, "reshape")
    call expect(kernels(gpuarr_explain(reshape(e, [12]) * 3)), 1, "kernels of what is reshaped")
    call expect_values(spread(e, 2, 5), [spread(2 * a, 2, 5)], 0d0, "spread")
    s = e - spread(sum(e, 2), 2, 1)
    call expect_values(s, [2 * a - spread(sum(2 * a, 2), 2, 4)], near, "spread of a reduction")
    call expect_values(cshift(e, 1), [cshift(2 * a, 1)], 0d0, "cshift")
    call expect_values(pack(e, e > 1), pack(2 * a, 2 * a > 1), 0d0, "pack")
    z = e
    call z%fill(0)
    call expect_values(x, [a], 0d0, "what is assigned is another array")
    z = transpose(transpose(x))
    call z%fill(0)
    call expect_values(x, [a], 0d0, "also of views")
    call x%from_host(reshape([(0.25d0 * k, k = 1, 200)], [100, 2]))
    e = exp(x - maxval(x, 1))
    call expect(kernels(gpuarr_explain(e / sum(e, 1))), 1, "kernels of softmax")
    call expect_values(sum(e / sum(e, 1), 1), [1d0, 1d0], near, "softmax")
  end subroutine

  !> Expressions that have names are computed by the elements that arrays have then.
  subroutine names()
    type(gpuarr_array) :: x, y, other
    type(gpuarr_expr) :: e, same, unset
    real(c_double) :: one
    call x%from_host([1d0, 2d0])
    e = x + 1
    same = e
    e = 2 * e
    call x%fill(5)
    call expect_values(same, [6d0, 6d0], 0d0, "elements when it is computed")
    call expect_values(e, [12d0, 12d0], 0d0, "an expression of itself")
    other = x
    x = x - 5  ! another array, not that of the expression
    call expect_values(e, [12d0, 12d0], 0d0, "the array when it is built")
    call x%release()
    call other%fill(1)
    y = e
    call expect_values(y, [4d0, 4d0], 0d0, "an array that was released")
    e = y
    call expect(e%is_set() .and. e%rank() == 1, "an array as an expression")
    call expect(e%shape(), [2], "shape")
    call expect(e%dtype(), GPUARR_F64, "dtype")
    one = sum(e)
    call expect(one, 8d0, 0d0, "sum of it")
    e = e
    call e%release()
    call e%release()
    call expect(.not. e%is_set() .and. e%rank() == 0 .and. e%dtype() == 0, "released")
    call expect(.not. unset%is_set() .and. size(unset%shape()) == 0, "never set")
  end subroutine

  subroutine together()
    type(gpuarr_array) :: x, y, z, least, most
    type(gpuarr_stream) :: stream
    type(c_ptr) :: place
    integer :: stat
    character(:), allocatable :: message
    call x%from_host([1d0, 2d0, 3d0, 4d0])
    call y%from_host([5d0, 6d0, 7d0, 8d0])
    call expect(kernels(gpuarr_explain(sum(x), sum(x * x), minval(x), maxval(x))), 1, &
        "kernels of four reductions")
    call gpuarr_evaluate(least, minval(x * y), most, maxval(x * y), stat=stat, errmsg=message)
    call expect(stat, GPUARR_OK, "status")
    call expect_values(least, [5d0], 0d0, "the least")
    call expect_values(most, [32d0], 0d0, "the greatest")
    place = x%data()
    call gpuarr_evaluate(x, 1 * y, y, 1 * x, z, x * y)  ! all are read before one is written
    call expect_values(x, [5d0, 6d0, 7d0, 8d0], 0d0, "exchanged")
    call expect_values(y, [1d0, 2d0, 3d0, 4d0], 0d0, "exchanged, the other")
    call expect_values(z, [5d0, 12d0, 21d0, 32d0], 0d0, "made")
    call expect(c_associated(place, x%data()), "written where it was")
    call stream%create()
    call gpuarr_evaluate(x, x / sum(x), stream=stream)
    call stream%synchronize()
    call expect_values(26 * x, [5d0, 6d0, 7d0, 8d0], near, "in a stream, in place")
    call z%assign(10 * y)
    call expect_values(z, [10d0, 20d0, 30d0, 40d0], 0d0, "assigned to")
    call z%assign(sum(y))
    call expect_values(z, [10d0, 10d0, 10d0, 10d0], 0d0, "assigned to, and broadcast")
  end subroutine

  !> What takes arrays takes expressions, and lets go of what was computed for it.
  subroutine arguments()
    type(gpuarr_elementwise) :: kernel
    type(gpuarr_array) :: x, z, rest
    type(gpuarr_expr) :: e
    logical :: same
    call x%from_host([3d0, 1d0, 2d0])
    e = 2 * x
    call kernel%create("T x, T y", "T z", "z = x - y;")
    call kernel%call(z, e, x + 1)
    call expect_values(z, [2d0, 0d0, 1d0], 0d0, "by a kernel")
    call x%fill(1)
    call z%release()
    call kernel%call(z, e, e * 2)
    call expect_values(z, [-2d0, -2d0, -2d0], 0d0, "by a kernel again")
    call x%write([3d0, 1d0, 2d0])
    call gpuarr_sort(z, e)
    call expect_values(z, [2d0, 4d0, 6d0], 0d0, "sorted")
    call gpuarr_allclose(same, e, x + x)
    call expect(same, "close")
    call gpuarr_divmod(z, rest, e, 4)
    call expect_values(rest, [2d0, 2d0, 0d0], 0d0, "the second output of a function")
    call gpuarr_add(z, e, 1, where=e > 3)
    call expect_values(z, [7d0, 0d0, 5d0], 0d0, "where")
    call gpuarr_clip(z, e, high=3)
    call expect_values(z, [3d0, 2d0, 3d0], 0d0, "with an argument left out")
    call expect_values(matmul(reshape(e, [1, 3]), reshape(x + 1, [3, 1])), [40d0], 0d0, "matmul")
  end subroutine

  !> Axes are the arrays' own; what lies as Fortran has it is multiplied as it lies, and so are its
  !> columns reduced.
  subroutine products()
    type(gpuarr_array) :: x, w, b
    type(gpuarr_expr) :: p, e
    real(c_double) :: a(40, 3), m(3, 5), r(5), host(40, 5)
    call random_number(a)
    call random_number(m)
    call random_number(r)
    call x%from_host(a)
    call w%from_host(m)
    call b%from_host(r)
    host = max(matmul(a, m) - spread(r, 1, 40), 0d0)
    e = max(matmul(x, w) - b, 0)
    call expect(kernels(gpuarr_explain(e)), 2, "kernels of max(matmul(x, w) - b, 0)")
    call expect_values(e, [host], near, "max(matmul(x, w) - b, 0)")
    call expect_values(matmul(matmul(x + 1, w), transpose(w)), [matmul(matmul(a + 1, m), &
        transpose(m))], near, "a product of a product")
    p = matmul(x, w)
    e = exp(p - maxval(p, 1))
    e = e / sum(e, 1)
    call expect(kernels(gpuarr_explain(e)), 2, "kernels of softmax of a product's columns")
    host = exp(matmul(a, m))
    call expect_values(e, [host / spread(sum(host, 1), 1, 40)], near, "softmax of its columns")
  end subroutine

  !> Places count from 1, along dims of Fortran's.
  subroutine places()
    type(gpuarr_array) :: x, v
    type(gpuarr_expr) :: e
    real(c_double) :: a(4, 3), b(5)
    call random_number(a)
    call random_number(b)
    call x%from_host(a)
    call v%from_host(b)
    e = sum(v * gpuarr_indices(v, 1))
    call expect(kernels(gpuarr_explain(e)), 1, "kernels of a sum by places")
    call expect_values(e, [sum(b * [1, 2, 3, 4, 5])], near, "a sum by places")
    call expect_values(x * gpuarr_indices(x, 1), [a * spread([1, 2, 3, 4], 2, 3)], near, "rows")
    call expect_values(x * gpuarr_indices(x + 1, 2), [a * spread([1, 2, 3], 1, 4)], near, "columns")
  end subroutine

  subroutine deep()
    type(gpuarr_array) :: x
    type(gpuarr_expr) :: z
    integer, parameter :: steps = 10000
    integer :: k
    call x%from_host([1d0, 2d0])
    z = x
    do k = 1, steps
      z = z + x
    end do
    call expect(kernels(gpuarr_explain(z)) < steps / 100, "few kernels")
    call expect_values(z, (steps + 1) * [1d0, 2d0], 0d0, "10 000 sums")
  end subroutine

  subroutine nothing()
    type(gpuarr_array) :: x, y
    real(c_double) :: none(0), one
    call x%from_host(none)
    y = 2 * x + none
    call expect(y%size() == 0, "no elements")
    one = sum(x**2)
    call expect(one, 0d0, 0d0, "the sum of none")
  end subroutine

  subroutine explained()
    type(gpuarr_array) :: x
    call x%ones([16, 8], GPUARR_F32)
    call expect_text(gpuarr_explain(gpuarr_reduced("mean", x**2)), &
        "kernel 1: reduction of (16, 8) over axes (0, 1): mean; 1 operations; reads 1 arrays, 512")
  end subroutine

end program
