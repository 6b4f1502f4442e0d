!> Reductions, custom and ready-made, along any dims, against Fortran's own.
program test_reductions
  use, intrinsic :: iso_c_binding
  use, intrinsic :: ieee_arithmetic
  use gpuarr
  use checks
  implicit none
  call start()
  call custom()
  call ready_made()
  call places()
  call several_dims()
  call numbers()
  call prepared()
  call refused()
  call finish()

contains

  subroutine custom()
    type(gpuarr_reduction) :: mse, extremes, matrix
    type(gpuarr_array) :: x, y, z, low, high, outs(2)
    real(c_float) :: a(50, 7), b(50, 7), along(7), across(50), kept(1, 7)
    real(c_double) :: error
    integer(c_int32_t) :: k(4)
    call random_number(a)
    call random_number(b)
    call x%from_host(a)
    call y%from_host(b)
    call mse%create("T x, T y", "float64 mse", "(x - y) * (x - y)", "a + b", "mse = a / n")
    call mse%call(z, x, y)
    call z%to_host(error)
    call expect(error, sum((real(a, c_double) - b)**2) / 350, 1d-6, "mean squared error")
    call z%release()
    call mse%create("T x, T s", "T z", "x * s", "a + b", "z = a", "0", name="scaled_sum")
    call mse%call(z, x, 2.0, dim=1)
    call z%to_host(along)
    call expect(maxval(abs(along - 2 * sum(a, 1))) < 1e-4, "along the first dim")
    call z%release()
    call mse%call(z, [arg(x), arg(2)], dims=[1], keepdims=.true.)
    call expect(z%shape(), [1, 7], "dims that are kept")
    call z%to_host(kept)
    call expect(maxval(abs(kept(1, :) - 2 * sum(a, 1))) < 1e-4, "along a list of dims")
    call z%zeros([50], GPUARR_F32)
    call mse%call(z, x, 1, dim=2)
    call z%to_host(across)
    call expect(maxval(abs(across - sum(a, 2))) < 1e-5, "into an output that is there")
    call extremes%create("T x", "T low, T high", "range<T>{x, x}", "merged(a, b)", &
        "low = a.low; high = a.high", reduce_type="range<T>", &
        preamble="template <class T> struct range { T low, high; };" // new_line("a") // &
        "template <class T> __device__ range<T> merged(range<T> a, range<T> b) {" // &
        " return {a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high}; }")
    call extremes%call(low, high, [arg(x)], dim=1)
    call low%to_host(along)
    call expect(all(along == minval(a, 1)), "the first of two outputs")
    call high%to_host(along)
    call expect(all(along == maxval(a, 1)), "the second of two outputs")
    call extremes%call(outs, [arg(x)], dim=2)
    call outs(2)%to_host(across)
    call expect(all(across == maxval(a, 2)), "outputs in an array")
    call matrix%create("int32 x", "int32 first, int32 last", "last_two{x, x}", &
        "last_two{a.first, b.last}", "first = a.first; last = a.last", reduce_type="last_two", &
        preamble="struct last_two { int first, last; };", commutative=.false.)
    k = [5, 6, 7, 8]
    call x%from_host(k)
    call low%release()
    call high%release()
    call matrix%call(low, high, [arg(x)])
    call low%to_host(k(1))
    call high%to_host(k(4))
    call expect(k(1) == 5 .and. k(4) == 8, "an operator that keeps its order")
  end subroutine

  subroutine ready_made()
    type(gpuarr_array) :: x, y
    real(c_double) :: a(6, 5), rows(6), columns(5), one
    integer(c_int64_t) :: count
    logical(c_bool) :: flags(5), flag
    real(c_double) :: mean
    call random_number(a)
    a = a - 0.5d0
    a(2, 3) = 0
    call x%from_host(a)
    call gpuarr_sum(y, x)
    call y%to_host(one)
    call expect(one, sum(a), 1d-12, "sum")
    call y%release()
    call gpuarr_sum(y, x, dim=2)
    call y%to_host(rows)
    call expect(maxval(abs(rows - sum(a, 2))) < 1d-12, "sum along a dim")
    call gpuarr_prod(y, x, dim=2)
    call y%to_host(rows)
    call expect(maxval(abs(rows - product(a, 2))) < 1d-12, "prod")
    call gpuarr_mean(y, x, dim=2)
    call y%to_host(rows)
    call expect(maxval(abs(rows - sum(a, 2) / 5)) < 1d-12, "mean")
    call y%release()
    call gpuarr_min(y, x, dim=1)
    call y%to_host(columns)
    call expect(all(columns == minval(a, 1)), "min")
    call gpuarr_max(y, x, dim=1)
    call y%to_host(columns)
    call expect(all(columns == maxval(a, 1)), "max")
    call gpuarr_logsumexp(y, x, dim=1)
    call y%to_host(columns)
    call expect(maxval(abs(columns - log(sum(exp(a), 1)))) < 1d-12, "logsumexp")
    call gpuarr_norm(y, x, dim=1)
    call y%to_host(columns)
    call expect(maxval(abs(columns - norm2(a, 1))) < 1d-12, "norm")
    call gpuarr_norm(y, x, 1d0, dim=1)
    call y%to_host(columns)
    call expect(maxval(abs(columns - sum(abs(a), 1))) < 1d-12, "norm of order 1")
    call gpuarr_norm(y, x, ieee_value(1d0, ieee_positive_inf), dim=1)
    call y%to_host(columns)
    call expect(all(columns == maxval(abs(a), 1)), "norm of infinite order")
    call y%release()
    call gpuarr_var(y, x)
    call y%to_host(one)
    mean = sum(a) / 30
    call expect(one, sum((a - mean)**2) / 30, 1d-12, "var")
    call gpuarr_std(y, x, ddof=1d0)
    call y%to_host(one)
    call expect(one, sqrt(sum((a - mean)**2) / 29), 1d-12, "std")
    call gpuarr_dot(y, x, x)
    call y%to_host(one)
    call expect(one, sum(a * a), 1d-12, "dot")
    call y%release()
    call gpuarr_count_nonzero(y, x)
    call y%to_host(count)
    call expect(count, 29_c_int64_t, "count_nonzero")
    call y%release()
    call gpuarr_all(y, x, dim=1)
    call y%to_host(flags)
    call expect(count_true(flags) == 4 .and. .not. flags(3), "all")
    call y%release()
    call gpuarr_any(y, x)
    call y%to_host(flag)
    call expect(logical(flag), "any")
  end subroutine

  integer function count_true(flags)
    logical(c_bool), intent(in) :: flags(:)
    count_true = count(logical(flags))
  end function

  !> As minloc and maxloc, from 1.
  subroutine places()
    type(gpuarr_array) :: x, y
    integer(c_int32_t) :: a(4, 7), b(3, 4, 2), k
    integer(c_int64_t) :: rows(4), columns(7), kept(1, 7), one, middle(4)
    integer :: j
    a = reshape([(mod(37 * k, 29), k = 1, 28)], [4, 7])
    call x%from_host(a)
    call gpuarr_argmin(y, x, dim=2)
    call y%to_host(rows)
    call expect(all(rows == minloc(a, 2)), "argmin along a dim")
    call gpuarr_argmax(y, x, dim=2)  ! into the same array
    call y%to_host(rows)
    call expect(all(rows == maxloc(a, 2)), "argmax into an output that is there")
    call y%release()
    call gpuarr_argmax(y, x, dim=1, keepdims=.true.)
    call y%to_host(kept)
    columns = maxloc(a, 1)
    call expect(all(kept(1, :) == columns), "argmax with dims that are kept")
    call y%release()
    call gpuarr_argmax(y, x)
    call y%to_host(one)
    call expect(one, int(maxloc(reshape(a, [28]), 1), c_int64_t), "argmax of all")
    b = reshape([(mod(37 * k, 25), k = 1, 24)], [3, 4, 2])
    call x%from_host(b)
    call y%release()
    call gpuarr_argmin(y, x, dims=[1, 3])
    call y%to_host(middle)
    do j = 1, 4
      call expect(middle(j), int(minloc(reshape(b(:, j, :), [6]), 1), c_int64_t), &
          "argmin along two dims, in Fortran's order")
    end do
  end subroutine

  subroutine several_dims()
    type(gpuarr_array) :: x, y
    integer(c_int32_t) :: a(2, 3, 4), k
    integer(c_int64_t) :: middle(3), outer(2, 4), same(2, 3, 4)
    integer :: none(0)
    a = reshape([(k * k, k = 1, 24)], [2, 3, 4])
    call x%from_host(a)
    call gpuarr_sum(y, x, dims=[3, 1])
    call y%to_host(middle)
    call expect(all(middle == sum(sum(a, 3), 1)), "along two dims")
    call y%release()
    call gpuarr_sum(y, x, dim=2)
    call expect(y%strides(), [1, 2], "results are in Fortran's order")
    call y%to_host(outer)
    call expect(all(outer == sum(a, 2)), "along the dim between")
    call y%release()
    call gpuarr_sum(y, x, dims=none)
    call y%to_host(same)
    call expect(all(same == a), "along none")
  end subroutine

  subroutine numbers()
    type(gpuarr_array) :: x, y
    real(c_double) :: a(4), one
    a = [1d0, ieee_value(1d0, ieee_quiet_nan), 3d0, 2d0]
    call x%from_host(a)
    call gpuarr_nansum(y, x)
    call y%to_host(one)
    call expect(one, 6d0, 0d0, "nansum")
    call gpuarr_nanmin(y, x)
    call y%to_host(one)
    call expect(one, 1d0, 0d0, "nanmin")
    call gpuarr_nanmax(y, x)
    call y%to_host(one)
    call expect(one, 3d0, 0d0, "nanmax")
    call gpuarr_max(y, x)
    call y%to_host(one)
    call expect(ieee_is_nan(one), "max of a NaN")
    call x%empty([0], GPUARR_F64)
    call gpuarr_sum(y, x)
    call y%to_host(one)
    call expect(one, 0d0, 0d0, "sum of no elements")
  end subroutine

  subroutine prepared()
    type(gpuarr_reduction) :: total
    type(gpuarr_call) :: call, list
    type(gpuarr_array) :: x, y, outs(1)
    type(gpuarr_stream) :: stream
    real(c_double) :: a(3, 2), got(2)
    a = 1
    call x%from_host(a)
    call y%zeros([2], GPUARR_F64)
    call total%create("T x, T s", "T y", "x * s", "a + b", "y = a")
    call total%prepare(call, y, x, 2, dim=1)
    call call%launch()
    call y%to_host(got)
    call expect(all(got == 6), "a prepared reduction")
    call call%set_scalar(2, 3)
    call stream%create()
    call call%launch(stream)
    call y%to_host(got, stream)
    call expect(all(got == 9), "with another scalar, in a stream")
    call total%prepare(list, y, [arg(x), arg(4)], dims=[1])
    call list%launch()
    call y%to_host(got)
    call expect(all(got == 12), "prepared with a list")
    outs(1) = y
    call total%prepare(list, outs, [arg(x), arg(5)], dims=[1])
    call list%launch()
    call y%to_host(got)
    call expect(all(got == 15), "prepared with lists")
  end subroutine

  subroutine refused()
    type(gpuarr_reduction) :: kernel, none
    type(gpuarr_array) :: x, y, nothing
    integer :: stat
    character(:), allocatable :: message
    call x%zeros([3, 4], GPUARR_F32)
    call gpuarr_sum(y, x, dim=0, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_AXIS, "dim 0; dims count from 1")
    call gpuarr_sum(y, x, dim=3, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_AXIS, "axis 0 is dim 1")
    call gpuarr_sum(y, x, dims=[1, 1], stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_AXIS, "gpuarr_sum")
    call gpuarr_sum(y, x, dim=1, dims=[1], stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "dim and dims are both given")
    call gpuarr_argmax(y, x, dim=3, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_AXIS, "gpuarr_argmax")
    call gpuarr_sum(y, nothing, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "gpuarr_sum: x is NULL")
    call gpuarr_argmin(y, nothing, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "NULL")
    call gpuarr_norm(y, x, 3d0, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "gpuarr_norm")
    call expect(.not. y%is_set(), "nothing was made")
    call nothing%empty([0, 4], GPUARR_F32)
    call gpuarr_min(y, nothing, dim=1, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_EMPTY, "gpuarr_min")
    call y%zeros([7], GPUARR_F32)
    call gpuarr_sum(y, x, dim=1, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_SHAPE, "(7,)")
    call none%call(y, x, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "gpuarr_reduction_call: kernel is NULL")
    call kernel%create("T x", "T y", "x +", "a + b", "y = a")
    call y%release()
    call kernel%call(y, x, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_COMPILE, "x +")
    call kernel%create("T x", "T y", "x", "a + b", "y = a", stat=stat)
    call kernel%call(y, x, dim=-1, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_AXIS, "dim -1; dims count from 1")
  end subroutine

end program
