!> References: assignments, ends of scopes, releases, and arrays that go while kernels use them.
module test_lifetime_types
  use gpuarr
  implicit none

  !> Assigned as a whole by a procedure of its own: gfortran 12 ends a copy that it makes otherwise.
  type :: field
    type(gpuarr_array) :: values, mask
    character(20) :: name = ""
  contains
    procedure, private :: field_assign
    generic :: assignment(=) => field_assign
  end type

contains

  subroutine field_assign(self, other)
    class(field), intent(inout) :: self
    type(field), intent(in) :: other
    self%values = other%values
    self%mask = other%mask
    self%name = other%name
  end subroutine

end module

program test_lifetime
  use, intrinsic :: iso_c_binding
  use gpuarr
  use checks
  use test_lifetime_types
  implicit none
  integer(c_int64_t) :: before
  call start()
  before = gpuarr_live_objects()
  call assignments()
  call expect(gpuarr_live_objects(), before, "left by assignments")
  call arrays_of_arrays()
  call expect(gpuarr_live_objects(), before, "left by arrays of arrays")
  call components()
  call expect(gpuarr_live_objects(), before, "left by components")
  call kinds_of_objects()
  call expect(gpuarr_live_objects(), before, "left by all kinds of objects")
  call blocks()
  call expect(gpuarr_live_objects(), before, "left by blocks")
  call released()
  call expect(gpuarr_live_objects(), before, "left by releases")
  call handles()
  call expect(gpuarr_live_objects(), before, "left by handles of C")
  call dropped_while_used()
  call expect(gpuarr_live_objects(), before, "left by running kernels")
  call tracked()
  call finish()

contains

  subroutine assignments()
    type(gpuarr_array) :: x, y
    integer(c_int32_t) :: got(3)
    call x%from_host([1, 2, 3])
    y = x
    call expect(c_associated(x%data(), y%data()), "an assignment is a reference")
    x = x
    call expect(x%is_set(), "assigned to itself")
    call x%release()
    call y%to_host(got)
    call expect(all(got == [1, 2, 3]), "the other reference stays")
    call x%from_host([4, 5, 6])
    y = x  ! lets go of what it held
    call expect(gpuarr_live_objects(), before + 1, "one array is left")
    y = y
    x = y
    call expect(gpuarr_live_objects(), before + 1, "and stays")
    call y%from_host([1.0])  ! does not change x
    call x%to_host(got)
    call expect(all(got == [4, 5, 6]), "a reference of something that was made anew")
  end subroutine

  subroutine arrays_of_arrays()
    type(gpuarr_array) :: x, many(4)
    type(gpuarr_array), allocatable :: list(:), moved(:), scalar
    integer :: k
    call x%from_host([1, 2])
    many = x
    call expect(all(many%is_set()), "all of an array of arrays")
    allocate(list(3))
    do k = 1, 3
      list(k) = many(k)
    end do
    call move_alloc(list, moved)
    call moved(2)%release()
    call expect(count(moved%is_set()), 2, "moved, and one of them released")
    deallocate(moved)
    call many%release()
    call expect(.not. any(many%is_set()), "released all at once")
    allocate(scalar)
    scalar = x
    deallocate(scalar)
    call expect(x%is_set(), "an allocatable that ended")
    call expect(gpuarr_live_objects(), before + 1, "one array is left")
  end subroutine

  subroutine components()
    type(field) :: a, b, fields(2)
    call a%values%from_host([1, 2, 3])
    call a%mask%from_host([.true._c_bool])
    b = a
    fields(1) = b
    call a%values%release()
    call expect(b%values%is_set() .and. fields(1)%mask%is_set(), "references in components")
    call expect(gpuarr_live_objects(), before + 2, "two arrays")
  end subroutine

  subroutine kinds_of_objects()
    type(gpuarr_elementwise) :: e, e2
    type(gpuarr_reduction) :: r, r2
    type(gpuarr_raw) :: w, w2
    type(gpuarr_module) :: m, m2
    type(gpuarr_stream) :: s, s2
    type(gpuarr_event) :: v, v2
    call e%create("T x", "T z", "z = x;")
    e2 = e
    e2 = e2
    call r%create("T x", "T z", "x", "a + b", "z = a")
    r2 = r
    call w%create("__global__ void f() {}", "f")
    w2 = w
    call m%create("__global__ void f() {}")
    m2 = m
    call s%create()
    s2 = s
    call v%create()
    v2 = v
    call expect(e2%is_set() .and. r2%is_set() .and. w2%is_set(), "references to kernels")
    call expect(m2%is_set() .and. s2%is_set() .and. v2%is_set(), "references to other objects")
  end subroutine

  subroutine blocks()
    integer :: k
    do k = 1, 3
      block
        type(gpuarr_array) :: x
        call expect(.not. x%is_set(), "a new variable of a block")
        call x%zeros([4], GPUARR_F32)
      end block
      call expect(gpuarr_live_objects(), before, "after a block")
    end do
    call early_return(.true.)
  end subroutine

  subroutine early_return(now)
    logical, intent(in) :: now
    type(gpuarr_array) :: x
    call x%zeros([4], GPUARR_F32)
    if (now) return
    call expect(.false., "not reached")
  end subroutine

  subroutine released()
    type(gpuarr_array) :: x, y
    real(c_float) :: got(4)
    integer :: stat
    character(:), allocatable :: message
    call x%zeros([4], GPUARR_F32)
    call x%release()
    call x%release()
    call expect(.not. x%is_set(), "released twice")
    call x%to_host(got, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "gpuarr_array_read: array is NULL")
    call x%copy(y, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "NULL")
    call x%assign(y, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "NULL")
    call x%zeros([4], GPUARR_F32)
    call x%zeros([8], GPUARR_F32)
    call expect(x%size(), 8_c_int64_t, "made once more")
  end subroutine

  subroutine handles()
    use gpuarr_c, only: gpuarr_array_retain_c
    type(gpuarr_array) :: x, y
    call x%zeros([4], GPUARR_F32)
    call y%adopt(gpuarr_array_retain_c(x%c_handle()))
    call x%release()
    call expect(y%size(), 4_c_int64_t, "a handle that came from C")
  end subroutine

  !> On a GPU the kernels run when their arrays are long released, and the memory asked for again.
  subroutine dropped_while_used()
    type(gpuarr_stream) :: stream
    type(gpuarr_elementwise) :: slow
    type(gpuarr_array) :: sum
    real(c_double), allocatable :: got(:)
    integer :: round
    call stream%create()
    call slow%create("T x", "T y", &
        "T z = x; for (int k = 0; k < 100; ++k) z = z * z - z; y += z + x;")
    call sum%zeros([100000], GPUARR_F64, stream=stream)
    do round = 1, 10
      block
        type(gpuarr_array) :: x
        call x%full([100000], real(merge(1, 2, mod(round, 2) == 1), c_double), stream=stream)
        call x%fill(1d0, stream)
        call slow%call(sum, x, stream=stream)
      end block
    end do
    call slow%release()
    call sum%to_allocatable(got, stream)
    call expect(all(got == 10), "arrays that were dropped while their kernels ran")
  end subroutine

  !> What is copied behind the library's back is found where objects are tracked.
  subroutine tracked()
    type(gpuarr_array) :: x
    integer :: stat
    character(:), allocatable :: message, report
    call gpuarr_objects_track(.true.)
    call x%zeros([4], GPUARR_F32)
    report = gpuarr_objects_report()
    call expect_text(report, "float32, (4,)")
    call x%release()
    call gpuarr_objects_track(.false.)
    call gpuarr_log_set("no such topic", stat, message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "no such topic")
  end subroutine

end program
