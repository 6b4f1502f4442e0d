!> Gufuncs: results that are made and given, groups, what broadcasts, prepared calls, errors.
program test_gufuncs
  use, intrinsic :: iso_c_binding
  use gpuarr
  use checks
  implicit none
  call start()
  call crosses()
  call products()
  call groups()
  call several()
  call refused()
  call finish()

contains

  subroutine crosses()
    type(gpuarr_gufunc) :: cross
    type(gpuarr_array) :: x, y, z
    type(gpuarr_stream) :: stream
    real(c_double) :: a(3, 5, 7), b(3, 5), c(3, 5, 7), wanted(3, 5, 7)
    integer :: i, j, k, l
    call random_number(a)
    call random_number(b)
    call x%from_host(a)
    call y%from_host(b)
    do l = 1, 7
      do i = 1, 3
        j = mod(i, 3) + 1
        k = mod(i + 1, 3) + 1
        wanted(i, :, l) = a(j, :, l) * b(k, :) - a(k, :, l) * b(j, :)
      end do
    end do
    call cross%create("(3),(3)->(3)", "T a, T b", "T c", "for (int j = 0; j < 3; ++j) " // &
        "c(j) = a((j + 1) % 3) * b((j + 2) % 3) - a((j + 2) % 3) * b((j + 1) % 3);")
    call cross%call(z, x, y)
    call expect(z%is_contiguous(), "a missing output is made in Fortran's order")
    call z%to_host(c)
    call expect(maxval(abs(c - wanted)) <= 1e-14, "cores first, the others from the first on")
    call stream%create()
    call cross%call(z, [arg(x), arg(y)], stream=stream)
    call z%to_host(c, stream)
    call expect(maxval(abs(c - wanted)) <= 1e-14, "an output that is there, in a stream")
  end subroutine

  !> The signature's order is that of the dims.
  subroutine products()
    type(gpuarr_gufunc) :: product
    type(gpuarr_array) :: x, y, z
    real(c_float) :: a(2, 3, 4), b(3, 5, 4), c(2, 5, 4), v(3), d(2, 4)
    integer :: k
    call random_number(a)
    call random_number(b)
    call random_number(v)
    call x%from_host(a)
    call y%from_host(b)
    call product%create("(m,k),(k,n?)->(m,n?)", "T a, T b", "T c", &
        "for (int e = group.rank(); e < m * n; e += group.size()) {" // new_line("a") // &
        "  T s = 0;" // new_line("a") // &
        "  for (int l = 0; l < k; ++l) s += a(e % m, l) * b(l, e / m);" // new_line("a") // &
        "  c(e % m, e / m) = s;" // new_line("a") // "}", group=GPUARR_GROUP_BLOCK)
    call product%call(z, x, y)
    call z%to_host(c)
    do k = 1, 4
      call expect(maxval(abs(c(:, :, k) - matmul(a(:, :, k), b(:, :, k)))) <= 1e-5, "products")
    end do
    call y%from_host(v)
    call z%release()
    call product%call(z, x, y)
    call z%to_host(d)
    do k = 1, 4
      call expect(maxval(abs(d(:, k) - matmul(a(:, :, k), v))) <= 1e-5, "a dim that is missing")
    end do
  end subroutine

  subroutine groups()
    type(gpuarr_gufunc) :: total, other
    type(gpuarr_array) :: x, y
    type(gpuarr_call) :: prepared
    integer(c_int32_t) :: a(70, 3), b(3)
    integer :: all_groups(5), k
    a = reshape([(mod(k * k, 17), k = 1, 210)], [70, 3])
    call x%from_host(a)
    all_groups = [GPUARR_GROUP_AUTO, GPUARR_GROUP_THREAD, GPUARR_GROUP_WARP, GPUARR_GROUP_BLOCK, 64]
    do k = 1, 5
      call total%create("(n),()->()", "T x, T by", "T y", &
          "T s = 0; for (int j = group.rank(); j < n; j += group.size()) s += x(j);" // &
          "y = by * group.sum(s);", all_groups(k), name="total")
      call total%call(y, x, 2)
      call y%to_host(b)
      call expect(all(b == 2 * sum(a, 1)), "sums by a group")
      call total%prepare(prepared, y, x, 3)
      call prepared%launch()
      call y%to_host(b)
      call expect(all(b == 3 * sum(a, 1)), "a prepared call")
      call total%prepare(prepared, [y], [arg(x), arg(-1)])
      call prepared%launch()
      call y%to_host(b)
      call expect(all(b == -sum(a, 1)), "a prepared call of lists")
    end do
    other = total
    call total%release()
    call expect(other%is_set() .and. .not. total%is_set(), "another reference")
  end subroutine

  subroutine several()
    type(gpuarr_gufunc) :: ends
    type(gpuarr_array) :: x, low, high, both(2)
    real(c_double) :: a(4, 2), b(2)
    a = reshape([1, 2, 3, 4, 5, 6, 7, 8], [4, 2])
    call x%from_host(a)
    call ends%create("(n)->(),()", "T x", "T low, T high", "low = x(0); high = x(n - 1);")
    call ends%call(low, high, [arg(x)])
    call high%to_host(b)
    call expect(all(b == a(4, :)), "the second of two outputs")
    call ends%call(both, [arg(x)])
    call both(1)%to_host(b)
    call expect(all(b == a(1, :)), "outputs in an array")
  end subroutine

  subroutine refused()
    type(gpuarr_gufunc) :: f
    type(gpuarr_array) :: x, y
    integer :: stat
    character(:), allocatable :: message
    call f%create("(n->()", "T x", "T y", "", stat=stat, errmsg=message)
    call expect(stat, GPUARR_ERR_SYNTAX, "a signature outside of the grammar")
    call expect(index(message, "at character 3") > 0, "its place")
    call expect(.not. f%is_set(), "no gufunc")
    call f%create("()->()", "T x", "T y", "", group=7, stat=stat, errmsg=message)
    call expect(stat, GPUARR_ERR_ARGUMENT, "a group that there is not")
    call f%create("(4)->()", "T x", "T y", "y = x(0);")
    call x%from_host([1.0, 2.0, 3.0])
    call f%call(y, x, stat=stat, errmsg=message)
    call expect(stat, GPUARR_ERR_SHAPE, "a core of another size")
    call expect(index(message, "with 3 where its core (4) says 4") > 0, "which")
  end subroutine

end program
