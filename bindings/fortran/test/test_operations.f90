!> Ready-made operations that move and order elements: results, indices from 1, failures.
program test_operations
  use, intrinsic :: iso_c_binding
  use gpuarr
  use checks
  implicit none
  integer(c_int64_t) :: before
  call start()
  before = gpuarr_live_objects()
  call elementwise()
  call expect(gpuarr_live_objects(), before, "left by elementwise functions")
  call ordered()
  call expect(gpuarr_live_objects(), before, "left by what orders")
  call counted()
  call expect(gpuarr_live_objects(), before, "left by counts")
  call indexed()
  call expect(gpuarr_live_objects(), before, "left by indices")
  call masked()
  call expect(gpuarr_live_objects(), before, "left by masks")
  call repeated()
  call expect(gpuarr_live_objects(), before, "left by repeated elements")
  call joined()
  call expect(gpuarr_live_objects(), before, "left by joined arrays")
  call scanned()
  call expect(gpuarr_live_objects(), before, "left by scans")
  call refused()
  call finish()

contains

  !> An array has these elements in Fortran's order, of int64 ...
  subroutine expect_whole(got, wanted, what)
    use gpuarr_intrinsics, only: reshape
    type(gpuarr_array), intent(in) :: got
    integer, intent(in) :: wanted(:)
    character(*), intent(in) :: what
    type(gpuarr_array) :: flat
    integer(c_int64_t), allocatable :: values(:)
    flat = reshape(got, [-1])
    call flat%to_allocatable(values)
    call expect(values, wanted, what)
  end subroutine

  !> ... or of float64.
  subroutine expect_near(got, wanted, what)
    use gpuarr_intrinsics, only: reshape
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

  subroutine elementwise()
    type(gpuarr_array) :: x, y, z, rest, both(2)
    real(c_double) :: a(4) = [1.5d0, -2d0, 0.25d0, 7d0]
    logical :: same
    character(:), allocatable :: name, about
    integer :: inputs, dtype
    call x%from_host(a)
    call gpuarr_add(z, x, 1)
    call expect_near(z, a + 1, "add")
    call gpuarr_add(z, x, x + 1, where=x > 0)
    call expect_near(z, merge(2 * a + 1, a + 1, a > 0), "where a mask is true")
    call gpuarr_clip(y, x, high=2)
    call expect_near(y, min(a, 2d0), "clip without a lower bound")
    call gpuarr_divmod(y, rest, x, 2)
    call expect_near(y, [0d0, -1d0, 0d0, 3d0], "the first of two outputs")
    call expect_near(rest, modulo(a, 2d0), "the second of two outputs")
    call expect_near(gpuarr_applied("minimum", x, 2), min(a, 2d0), "by name, in an expression")
    call gpuarr_apply(both, "divmod", x, 2)
    call expect_near(both(2), modulo(a, 2d0), "by name, with two outputs")
    call gpuarr_apply_describe(gpuarr_apply_count(), name, about, inputs)
    call expect(len(name) > 0 .and. len(about) > 0 .and. inputs > 0, "what there is")
    call gpuarr_result_type(dtype, [arg(x), arg((1.0, 0.0))])
    call expect(dtype, GPUARR_C128, "result_type")
    call gpuarr_array_equal(same, x, y)
    call expect(.not. same, "array_equal")
  end subroutine

  subroutine ordered()
    type(gpuarr_array) :: x, y, z, first, which, many
    integer(c_int64_t) :: a(4, 2) = reshape([3, 1, 2, 2, 9, 8, 7, 9], [4, 2])
    call x%from_host(a)
    call gpuarr_argsort(z, x)
    call expect_whole(z, [2, 3, 4, 1, 3, 2, 1, 4], "argsort")
    call z%release()
    call gpuarr_topk(y, z, x, 2)
    call expect_whole(y, [3, 2, 9, 9], "the greatest")
    call expect_whole(z, [1, 3, 1, 4], "and where they are")
    call y%release()
    call gpuarr_partition(y, x, 2)
    call y%select(y, 1, 2)
    call expect_whole(y, [2, 8], "partition")
    call y%release()
    call gpuarr_unique(y, x, first, which, many)
    call expect_whole(y, [1, 2, 3, 7, 8, 9], "unique")
    call expect_whole(first, [2, 3, 1, 7, 6, 5], "places of the first ones")
    call expect_whole(which, [3, 1, 2, 2, 6, 5, 4, 6], "which of them each element is")
    call expect_whole(many, [1, 2, 1, 1, 1, 2], "how many")
    call gpuarr_unique(y, x, inverse=which)
    call expect_whole(which, [3, 1, 2, 2, 6, 5, 4, 6], "into an array that is there")
  end subroutine

  subroutine counted()
    type(gpuarr_array) :: x, y, z, edges
    call x%from_host([3_c_int64_t, 1_c_int64_t, 2_c_int64_t, 2_c_int64_t])
    call gpuarr_bincount(y, x, minlength=6)
    call expect_whole(y, [0, 1, 2, 1, 0, 0], "bincount")
    call x%from_host([3d0, 1d0, 2d0, 2d0])
    call y%release()
    call gpuarr_histogram(y, edges, x, bins=2)
    call expect_whole(y, [1, 3], "histogram")
    call expect_near(edges, [1d0, 2d0, 3d0], "its edges")
    call edges%from_host([0d0, 2.5d0, 4d0])
    call gpuarr_histogram_between(y, x, edges)
    call expect_whole(y, [3, 1], "histogram between edges")
    call gpuarr_searchsorted(z, edges, x)
    call expect_whole(z, [3, 2, 2, 2], "searchsorted")
  end subroutine

  subroutine indexed()
    type(gpuarr_array) :: x, y, at
    integer :: k
    call x%from_host(reshape([(real(k, c_double), k = 1, 6)], [3, 2]))
    call at%from_host([3, 1])
    call gpuarr_take(y, x, at)
    call expect_near(y, [3d0, 1d0, 6d0, 4d0], "take")
    call at%from_host(reshape([2, 3], [1, 2]))
    call y%release()
    call gpuarr_take_along_axis(y, x, at)
    call expect_near(y, [2d0, 6d0], "take_along_axis")
    call gpuarr_put_along_axis(x, at, 0)
    call expect_near(x, [1d0, 0d0, 3d0, 4d0, 5d0, 0d0], "put_along_axis")
    call at%from_host([1, 1])
    call gpuarr_put_add(x, at, 1.5)
    call expect_near(x, [4d0, 0d0, 3d0, 7d0, 5d0, 0d0], "put_add")
    call at%from_host([2])
    call gpuarr_put(x, at, x, dim=2, stat=k)
    call expect(k, GPUARR_ERR_BROADCAST, "values of another shape")
    call gpuarr_put(x, at, 7, dim=2)
    call expect_near(x, [4d0, 0d0, 3d0, 7d0, 7d0, 7d0], "put")
  end subroutine

  subroutine masked()
    type(gpuarr_array) :: x, y, count, indices(2)
    call x%from_host(reshape([1d0, 0d0, 3d0, 0d0, 2d0, 0d0], [3, 2]))
    call gpuarr_select(y, x, x > 1)
    call expect_near(y, [3d0, 2d0], "select")
    call y%zeros([4], GPUARR_F64)
    call gpuarr_select_into(y, count, x, x > 0)
    call expect_near(y, [1d0, 3d0, 2d0, 0d0], "select_into")
    call expect_whole(count, [3], "how many were chosen")
    call gpuarr_nonzero(indices, x)
    call expect_whole(indices(1), [1, 3, 2], "rows of what is not 0")
    call expect_whole(indices(2), [1, 1, 2], "columns of what is not 0")
    call gpuarr_flatnonzero(count, x)
    call expect_whole(count, [1, 3, 5], "places of what is not 0")
    call gpuarr_place(x, x > 0, y)
    call expect_near(x, [1d0, 0d0, 3d0, 0d0, 2d0, 0d0], "place")
    call gpuarr_place(x, x > 1, 9)
    call expect_near(x, [1d0, 0d0, 9d0, 0d0, 9d0, 0d0], "place of a scalar")
  end subroutine

  subroutine repeated()
    type(gpuarr_array) :: x, y, counts
    call x%from_host([1d0, 2d0, 3d0])
    call gpuarr_tile(y, x, [2, 1])
    call expect_near(y, [1d0, 1d0, 2d0, 2d0, 3d0, 3d0], "tile")
    call y%release()
    call gpuarr_repeat(y, x, 2)
    call expect_near(y, [1d0, 1d0, 2d0, 2d0, 3d0, 3d0], "repeat")
    call counts%from_host([1, 0, 2])
    call y%release()
    call gpuarr_repeat_each(y, x, counts)
    call expect_near(y, [1d0, 3d0, 3d0], "repeat_each")
    call gpuarr_roll(y, x, [1], [1])
    call expect_near(y, [3d0, 1d0, 2d0], "roll")
    call y%release()
    call gpuarr_pad(y, x, [1], [2], value=7)
    call expect_near(y, [7d0, 1d0, 2d0, 3d0, 7d0, 7d0], "pad")
    call y%release()
    call gpuarr_diag(y, x, k=1)
    call expect_near(y, [0d0, 0d0, 0d0, 0d0, 1d0, 0d0, 0d0, 0d0, 0d0, 2d0, 0d0, 0d0, 0d0, 0d0, &
        3d0, 0d0], "diag")
    call gpuarr_tri(y, 2, 2, GPUARR_F64)
    call expect_near(y, [1d0, 1d0, 0d0, 1d0], "tri")
  end subroutine

  subroutine joined()
    type(gpuarr_array) :: x, y, z, parts(2), both(2)
    call x%from_host(reshape([1d0, 2d0, 3d0, 4d0], [2, 2]))
    call gpuarr_concatenate(z, x, x + 4)
    call expect_near(z, [1d0, 2d0, 5d0, 6d0, 3d0, 4d0, 7d0, 8d0], "concatenate")
    call gpuarr_split(parts, z)
    call expect_near(parts(2), [5d0, 6d0, 7d0, 8d0], "split")
    call gpuarr_split_at(parts, z, [2])
    call expect_near(parts(1), [1d0, 3d0], "split before an index")
    call parts(1)%from_host([1d0, 2d0])
    call parts(2)%from_host([3d0, 4d0])
    call z%release()
    call gpuarr_stack(z, parts, dim=2)
    call expect_near(z, [1d0, 2d0, 3d0, 4d0], "stack")
    call y%release()
    call gpuarr_stack(y, parts(1), parts(2))
    call expect_near(y, [1d0, 3d0, 2d0, 4d0], "stack along a new first dim")
    call gpuarr_meshgrid(both, parts)
    call expect_near(both(2), [3d0, 3d0, 4d0, 4d0], "meshgrid")
    parts(1) = z
    call gpuarr_broadcast_arrays(both, parts)
    call expect_near(both(2), [3d0, 3d0, 4d0, 4d0], "broadcast_arrays")
    call gpuarr_flip(y, z, [1])
    call expect_near(y, [2d0, 1d0, 4d0, 3d0], "flip")
    call gpuarr_flip(y, z)
    call expect_near(y, [4d0, 3d0, 2d0, 1d0], "flip all dims")
    call gpuarr_rot90(y, z)
    call expect_near(y, [3d0, 1d0, 4d0, 2d0], "rot90")
  end subroutine

  subroutine scanned()
    type(gpuarr_array) :: x, y, outs(1)
    type(gpuarr_scan) :: scan, same
    call x%from_host(reshape([1d0, 2d0, 3d0, 4d0], [2, 2]))
    call gpuarr_cumsum(y, x, dim=2)
    call expect_near(y, [1d0, 2d0, 4d0, 6d0], "cumsum")
    call scan%create("T x, T s", "T y", "x * s", "a > b ? a : b", "y = a", "0")
    same = scan
    call scan%release()
    call y%release()
    call same%call(y, -x, 2, dim=2)
    call expect_near(y, [-2d0, -4d0, -2d0, -4d0], "a scan of one's own")
    call same%call(outs, [arg(x), arg(2)], exclusive=.true.)
    call expect_near(outs(1), [0d0, 2d0, 0d0, 6d0], "with a list of inputs")
  end subroutine

  subroutine refused()
    type(gpuarr_array) :: x, y, at, nothing, three(3)
    type(gpuarr_scan) :: scan
    integer :: stat
    character(:), allocatable :: message, name, about
    call x%from_host(reshape([1d0, 2d0, 3d0, 4d0], [2, 2]))
    call gpuarr_add(y, nothing, x, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "gpuarr_add")
    call gpuarr_add(y, x, "text", stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_DTYPE, "gpuarr_add")
    call gpuarr_add(y, x, 1, where=x > 1, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "where")
    call gpuarr_apply(three(:1), "no such", x, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "no such")
    call gpuarr_apply_describe(0, name, about, stat=stat)
    call expect(stat, GPUARR_ERR_ARGUMENT, "no function before the first")
    call gpuarr_sort(y, x, dim=0, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_AXIS, "dim 0; dims count from 1")
    call gpuarr_sort(y, x * 2, dim=3, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_AXIS, "axis 0 is dim 1")
    call gpuarr_topk(y, at, x, 1.5, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "gpuarr_topk: k is no integer")
    call gpuarr_roll(y, x, [1, 2], [1], stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, &
        "shifts and dims must have equal sizes; they are (2, 1)")
    call gpuarr_roll(y, x, [1], [0], stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_AXIS, "dim 0")
    call gpuarr_pad(y, x, [1], [1], stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "they are (1, 1, 2)")
    call gpuarr_split_at(three, x, [1], stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "they are (3, 2)")
    call gpuarr_split_at(three, x, [0, 1], stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "index 0; indices count from 1")
    call gpuarr_quantile(y, x, [0.5d0, 2d0], dim=2, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "q[1] is 2")
    call at%from_host([3])
    call gpuarr_take(y, x, at, stat=stat, errmsg=message)
    call expect_index_error(stat, message, "index 2, which is element 0")
    call y%release()  ! a GPU made it
    call gpuarr_take(y, x, at - 3, stat=stat, errmsg=message)
    call expect_index_error(stat, message, "index 0 is element 1")
    call y%release()
    call gpuarr_take(y, x, x, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_DTYPE, "indices")
    call scan%call(y, x, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "scan is NULL")
    call scan%create("T x", "T y", "x", "a + b", "y = a")
    call scan%call(y, x, exclusive=.true., stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "identity")
    call expect(.not. y%is_set(), "nothing was made")
  end subroutine

  !> A GPU looks at indices later: the call that waits tells of them.
  subroutine expect_index_error(stat, message, text)
    integer, intent(inout) :: stat
    character(:), allocatable, intent(inout) :: message
    character(*), intent(in) :: text
    type(gpuarr_stream) :: stream
    call stream%current()
    if (stat == GPUARR_OK) call stream%synchronize(stat, message)
    call expect_error(stat, message, GPUARR_ERR_INDEX, text)
  end subroutine

end program
