!> Linear algebra by its own names, and random numbers.
program test_matrices
  use, intrinsic :: iso_c_binding
  use gpuarr
  use gpuarr_intrinsics
  use checks
  implicit none
  integer(c_int64_t) :: before
  real(c_double), parameter :: matrix(3, 3) = &
      reshape([4d0, 1d0, 2d0, 1d0, 5d0, 3d0, 2d0, 3d0, 6d0], [3, 3])
  call start()
  before = gpuarr_live_objects()
  call equations()
  call expect(gpuarr_live_objects(), before, "left by equations")
  call factors()
  call expect(gpuarr_live_objects(), before, "left by factors")
  call products()
  call expect(gpuarr_live_objects(), before, "left by products")
  call random()
  call expect(gpuarr_live_objects(), before, "left by random numbers")
  call distributions()
  call expect(gpuarr_live_objects(), before, "left by distributions")
  call libraries()
  call refused()
  call finish()

contains

  subroutine expect_near(got, wanted, what)
    class(gpuarr_operand), intent(in) :: got
    real(c_double), intent(in) :: wanted(:)
    character(*), intent(in) :: what
    type(gpuarr_array) :: flat
    real(c_double), allocatable :: values(:)
    flat = reshape(got, [-1])
    call flat%to_allocatable(values)
    call expect(size(values), size(wanted), what // ": size")
    if (size(values) == size(wanted)) call expect(maxval(abs(values - wanted)), 0d0, 1d-12, what)
  end subroutine

  !> The elements of a vector or a matrix, as a matrix.
  function host(x) result(values)
    type(gpuarr_array), intent(in) :: x
    real(c_double), allocatable :: values(:, :)
    type(gpuarr_array) :: wide
    wide = x
    if (x%rank() == 1) call x%expand(wide, 2)
    call wide%to_allocatable(values)
  end function

  logical function alike(x, y)
    real(c_double), intent(in) :: x(:, :), y(:, :)
    alike = all(shape(x) == shape(y))
    if (alike) alike = maxval(abs(x - y)) < 1d-12
  end function

  subroutine equations()
    type(gpuarr_array) :: a, b, x, l, u, p, lu, pivots, info, rest, rank
    real(c_double), parameter :: right(3) = [1d0, 2d0, 3d0]
    integer :: whole
    integer(c_int64_t), allocatable :: rows(:)
    real(c_double) :: one
    call a%from_host(matrix)
    call b%from_host(right)
    call gpuarr_solve(x, a, b)
    call expect(alike(matmul(matrix, host(x)), host(b)), "solve")
    call gpuarr_cholesky(l, a)
    call gpuarr_cholesky_solve(u, l, b)
    call expect(alike(host(u), host(x)), "cholesky_solve")
    call gpuarr_solve_triangular(u, l, b, info=info)
    call expect(alike(matmul(host(l), host(u)), host(b)), "solve_triangular")
    whole = info
    call expect(whole, 0, "info")
    call gpuarr_lu_factor(lu, pivots, transpose(a))
    call gpuarr_lu_solve(u, lu, pivots, b)
    call expect(alike(host(u), host(x)), "lu_solve")
    call a%from_host(reshape([0d0, 2d0, 3d0, 0d0], [2, 2]))
    call u%release()
    call l%release()
    call gpuarr_lu(p, l, u, a)
    call p%to_allocatable(rows)
    call expect(rows, [2, 1], "rows of lu")
    call x%release()
    call gpuarr_inv(x, a)
    call expect_near(x, [0d0, 1 / 3d0, 0.5d0, 0d0], "inv")
    call x%release()
    call gpuarr_det(x, a)
    one = x
    call expect(one, -6d0, 1d-12, "det")
    call x%release()
    call a%from_host(reshape([1d0, 1d0, 1d0, 0d0, 1d0, 2d0], [3, 2]))
    call gpuarr_lstsq(x, rest, rank, a=a, b=b)
    call expect_near(x, [1d0, 1d0], "lstsq")
    one = rest
    call expect(one, 0d0, 1d-12, "what is left")
    whole = rank
    call expect(whole, 2, "the rank")
    call gpuarr_pinv(u, a, stat=whole)
    call expect(whole, GPUARR_ERR_SHAPE, "an output of another shape")
    call gpuarr_matrix_rank(rank, a)
    whole = rank
    call expect(whole, 2, "matrix_rank")
  end subroutine

  subroutine factors()
    type(gpuarr_array) :: a, q, r, u, s, vh, w, v
    complex(c_double), allocatable :: values(:)
    call a%from_host(matrix)
    call gpuarr_qr(q, r, a)
    call expect(alike(matmul(host(q), host(r)), matrix), "qr")
    call v%zeros([3, 3], GPUARR_F64)
    call gpuarr_qr(r=v, a=a)
    call expect(alike(host(v), host(r)), "r alone, into an array that is there")
    call gpuarr_svd(u, s, vh, a)
    call expect(alike(matmul(host(u), scaled(host(s), host(vh))), matrix), "svd")
    call w%zeros([3], GPUARR_F64)
    call gpuarr_svd(s=w, a=a)
    call expect(alike(host(w), host(s)), "singular values alone")
    call gpuarr_eigh(w, v, a)
    call expect(alike(matmul(host(v), scaled(host(w), transpose(host(v)))), matrix), "eigh")
    call gpuarr_eigvalsh(s, a)
    call expect(alike(host(w), host(s)), "eigvalsh")
    call w%release()
    call v%release()
    call gpuarr_eig(w, v, a)
    call w%to_allocatable(values)
    call expect(abs(sum(values)), 15d0, 1d-12, "eig")
  end subroutine

  !> The rows of a matrix, each times its number.
  function scaled(numbers, m)
    real(c_double), intent(in) :: numbers(:, :), m(:, :)
    real(c_double) :: scaled(size(m, 1), size(m, 2))
    scaled = spread(numbers(:, 1), 2, size(m, 2)) * m
  end function

  subroutine products()
    type(gpuarr_array) :: a, b, z
    real(c_double) :: one
    real(c_double), parameter :: m(2, 2) = reshape([1d0, 2d0, 3d0, 4d0], [2, 2])
    call a%from_host(m)
    call b%from_host([1d0, 10d0])
    call gpuarr_matmul(z, a, b)
    call expect_near(z, [31d0, 42d0], "matmul")
    call gpuarr_einsum(z, "ij,j->i", a, b)
    call expect_near(z, [31d0, 42d0], "einsum")
    call gpuarr_tensordot(z, a, b, [1], [1])
    call expect_near(z, [21d0, 43d0], "tensordot")
    call z%release()
    call gpuarr_outer(z, b, b)
    call expect_near(z, [1d0, 10d0, 10d0, 100d0], "outer")
    call z%release()
    call gpuarr_kron(z, b, b)
    call expect_near(z, [1d0, 10d0, 10d0, 100d0], "kron")
    call z%release()
    call gpuarr_matrix_power(z, a, 2)
    call expect_near(z, reshape(matmul(m, m), [4]), "matrix_power")
    call z%release()
    call gpuarr_trace(z, a)
    one = z
    call expect(one, 5d0, 0d0, "trace")
    call gpuarr_vdot(z, b, b)
    one = z
    call expect(one, 101d0, 0d0, "vdot")
    call gpuarr_matrix_norm(z, a)
    one = z
    call expect(one, sqrt(30d0), 1d-12, "matrix_norm")
  end subroutine

  subroutine random()
    type(gpuarr_generator) :: g, h
    type(gpuarr_array) :: x, y, z, p
    real(c_float) :: a(3, 2), b(6)
    integer(c_int32_t) :: dice(200)
    integer(c_int64_t), allocatable :: numbers(:)
    integer(c_int64_t) :: at, seed
    integer :: k
    call g%create(7, stream=3)
    call g%uniform(x, [3, 2])
    call x%to_host(a)
    call expect(all(a >= 0 .and. a < 1), "uniform")
    call expect(g%position(), 2_c_int64_t, "four numbers in each step")
    call g%set_position(0)
    call g%uniform(y, [6_c_int64_t])
    call y%to_host(b)
    call expect(all(b == reshape(a, [6])), "numbers are in Fortran's order")
    h = g
    call h%advance(5)
    call expect(g%position(), 7_c_int64_t, "another reference has the same position")
    call expect(g%seed() == 7 .and. g%stream() == 3, "seed and stream")
    call y%from_host([0d0, 1000d0])
    call z%release()
    call g%normal(z, [3, 2], mean=y, std=1, dtype=GPUARR_F32)
    call z%to_host(a)
    call expect(all(abs(a(:, 1)) < 10 .and. abs(a(:, 2) - 1000) < 10), "a mean for each column")
    call g%integers(p, 1, 6, [200])
    call p%to_host(dice)
    call expect(minval(dice) == 1 .and. maxval(dice) == 6, "integers, the last included")
    call p%release()
    call g%permutation(p, 9)
    call p%to_allocatable(numbers)
    call expect(all([(count(numbers == k), k = 1, 9)] == 1), "permutation")
    call z%from_host([1d0, 2d0, 3d0, 4d0])
    call y%release()
    call g%shuffle(y, z)
    call expect(all([(count(nint(host(y)) == k), k = 1, 4)] == 1), "shuffle")
    call p%release()
    call g%choice(p, 4, [4], replace=.false.)
    call p%to_allocatable(numbers)
    call expect(all([(count(numbers == k), k = 1, 4)] == 1), "choice")
    call gpuarr_random_seed(seed)
    call gpuarr_random_seed(at)
    call expect(seed /= at, "seeds that nobody foresees")
  end subroutine

  !> That each gets its parameters in order: those that fix the result.
  subroutine distributions()
    type(gpuarr_generator) :: g
    type(gpuarr_array) :: x, none
    integer :: stat
    character(:), allocatable :: message
    call g%create(1)
    call g%binomial(x, 10, 2, [3], stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "p is 2")
    call g%lognormal(none, [0])
    call g%exponential(none, [0], scale=2)
    call expect(none%dtype(), GPUARR_F32, "an array that is set is filled")
    call none%release()
    call g%gamma(none, 2.5, [0, 2], dtype=GPUARR_F64)
    call expect(none%shape(), [0, 2], "gamma")
    call none%release()
    call g%poisson(none, 4, [0])
    call expect(none%dtype(), GPUARR_I64, "poisson")
    call none%release()
    call g%bernoulli(none, 0.5, [0])
    call expect(none%dtype(), GPUARR_BOOL, "bernoulli")
  end subroutine

  !> A machine that has got so far has both libraries.
  subroutine libraries()
    type(gpuarr_device) :: device
    character(:), allocatable :: text
    call device%open()
    call device%blas(text)
    call expect(index(text, "(") > 1, "the library for products: " // text)
    call device%solver(text)
    call expect(index(text, "(") > 1, "the library for factors: " // text)
  end subroutine

  subroutine refused()
    type(gpuarr_array) :: a, b, x, y
    type(gpuarr_generator) :: g, none
    type(gpuarr_device) :: closed
    integer :: stat
    character(:), allocatable :: message, text
    call a%from_host(reshape([1d0, 2d0, 2d0, 4d0], [2, 2]))
    call b%from_host([1d0, 2d0])
    call gpuarr_solve(x, a, b, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_SINGULAR, "gpuarr_solve")
    call b%from_host(reshape([1d0, 2d0, 2d0, 1d0], [2, 2]))
    call gpuarr_cholesky(x, b, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_NOT_POSITIVE_DEFINITE, "gpuarr_cholesky")
    call gpuarr_einsum(x, "ij,ijk->", a, b, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_SYNTAX, "gpuarr_einsum")
    call gpuarr_tensordot(x, a, a, [1, 2], [1], stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "x_dims and y_dims")
    call g%create(1.5, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "seed is no integer")
    call g%create(1)
    call g%uniform(x, [-1], stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_SHAPE, "gpuarr_random_uniform")
    call g%uniform(x, [1.0], stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "shape has no integers")
    call g%uniform(x, [4], low=2, high=1, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "gpuarr_random_uniform")
    call g%normal(x, [4], mean=y, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_DTYPE, "gpuarr_random_normal")
    call g%uniform(b, [4], stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_SHAPE, "shape is (4,), but *out has (2, 2)")
    call g%uniform(b, dtype=GPUARR_F32, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_DTYPE, "dtype is float32, but *out is float64")
    call g%uniform(b, [2, 2], stat=stat, errmsg=message)
    call expect(stat, GPUARR_OK, "a shape that is the array's")
    call g%integers(x, 1, 300, [4], dtype=GPUARR_I8, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_DTYPE, "gpuarr_random_integers")
    call g%choice(x, 0, [4], stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_EMPTY, "gpuarr_random_choice")
    call none%uniform(x, [4], stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "generator is NULL")
    call closed%blas(text, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "gpuarr_device_blas")
    call expect(.not. x%is_set(), "nothing was made")
  end subroutine

end program
