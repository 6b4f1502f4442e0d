!> Limits, numbers, memory that is out, and what makes room before it is.
module test_memory_caches
  use, intrinsic :: iso_c_binding
  use gpuarr
  implicit none

  !> Holds an array that it can do without.
  type, extends(gpuarr_reclaimer) :: cache
    type(gpuarr_array) :: spare
    integer :: calls = 0
    integer(c_int64_t) :: asked_for = 0
  contains
    procedure :: reclaim => drop_spare
  end type

  !> Fails in what it does itself.
  type, extends(gpuarr_reclaimer) :: clumsy
    integer :: calls = 0, status = 0
    character(:), allocatable :: message
  contains
    procedure :: reclaim => stumble
  end type

contains

  logical function drop_spare(self, device, bytes) result(freed)
    class(cache), intent(inout) :: self
    type(gpuarr_device), intent(in) :: device
    integer(c_int64_t), intent(in) :: bytes
    self%calls = self%calls + 1
    self%asked_for = bytes
    freed = self%spare%is_set() .and. device%is_open()
    call self%spare%release()
  end function

  logical function stumble(self, device, bytes) result(freed)
    class(clumsy), intent(inout) :: self
    type(gpuarr_device), intent(in) :: device
    integer(c_int64_t), intent(in) :: bytes
    type(gpuarr_array) :: none, copy
    self%calls = self%calls + 1
    call none%copy(copy, stat=self%status, errmsg=self%message)
    freed = .not. device%is_open() .or. bytes == 0
  end function

end module

program test_memory
  use, intrinsic :: iso_c_binding
  use gpuarr
  use checks
  use test_memory_caches
  implicit none
  integer, parameter :: mebibyte = 2**20
  type(gpuarr_device) :: device
  call start()
  call device%open()
  call numbers()
  call out_of_memory()
  call reclaimers()
  call errors_in_reclaimers()
  call allocators()
  call finish()

contains

  function statistic(which) result(value)
    integer, intent(in) :: which
    integer(c_int64_t) :: value
    call gpuarr_memory_statistic(value, device, which)
  end function

  subroutine numbers()
    type(gpuarr_array) :: x
    integer(c_int64_t) :: before
    integer :: stat
    character(:), allocatable :: message
    before = statistic(GPUARR_MEMORY_USED)
    call x%empty([mebibyte], GPUARR_I8)
    call expect(statistic(GPUARR_MEMORY_USED), before + mebibyte, "used")
    call x%release()
    call expect(statistic(GPUARR_MEMORY_USED), before, "used after a release")
    call gpuarr_memory_trim(device)
    call expect(statistic(GPUARR_MEMORY_CACHED), 0_c_int64_t, "cached after trimming")
    call gpuarr_memory_reset_peak(device)
    call expect(statistic(GPUARR_MEMORY_PEAK) >= before, "a peak")
    call gpuarr_memory_statistic(before, device, 99, stat, message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "99")
    call gpuarr_memory_set_limit(device, "much", stat, message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "bytes is no integer")
    call gpuarr_memory_set_limit(device, -1, stat, message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "-1")
    call gpuarr_memory_set_limit_fraction(device, 2d0, stat, message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "2")
  end subroutine

  subroutine out_of_memory()
    type(gpuarr_array) :: x, y
    integer :: stat
    character(:), allocatable :: message
    call gpuarr_memory_set_limit(device, 64 * mebibyte)
    call expect(statistic(GPUARR_MEMORY_LIMIT), 64_c_int64_t * mebibyte, "the limit")
    call x%empty([48 * mebibyte], GPUARR_I8)
    call y%empty([48_c_int64_t * mebibyte], GPUARR_I8, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_OUT_OF_MEMORY, "limit")
    call expect(.not. y%is_set(), "an array that was not made")
    call x%copy(y, stat=stat)
    call expect(stat, GPUARR_ERR_OUT_OF_MEMORY, "no room for a copy")
    call x%release()
    call y%empty([48 * mebibyte], GPUARR_I8, stat=stat)
    call expect(stat, 0, "there is room again")
    call gpuarr_memory_set_limit(device, 0)
    call gpuarr_memory_set_limit_fraction(device, 1d0)
    call gpuarr_memory_set_limit(device, 0_c_int64_t)
  end subroutine

  subroutine reclaimers()
    type(cache), target :: kept
    type(gpuarr_array) :: x
    integer :: stat
    call gpuarr_memory_set_limit(device, 64 * mebibyte)
    call kept%spare%empty([48 * mebibyte], GPUARR_I8)
    call kept%add()
    call x%empty([40 * mebibyte], GPUARR_I8)
    call expect(kept%calls > 0, "a cache was asked to make room")
    call expect(kept%asked_for, 40_c_int64_t * mebibyte, "how much")
    call expect(.not. kept%spare%is_set(), "and did")
    kept%calls = 0
    call kept%remove()
    call kept%remove()
    call kept%spare%empty([40 * mebibyte], GPUARR_I8, stat=stat)
    call expect(stat == GPUARR_ERR_OUT_OF_MEMORY .and. kept%calls == 0, "one that was removed")
    call scoped(x)
    call x%release()
    call kept%spare%empty([65 * mebibyte], GPUARR_I8, stat=stat)
    call expect(stat == GPUARR_ERR_OUT_OF_MEMORY, "one that is gone is not called")
    call gpuarr_memory_set_limit(device, 0)
  end subroutine

  !> A reclaimer that ends while it is added is called no more.
  subroutine scoped(full)
    type(gpuarr_array), intent(in) :: full
    type(cache), target :: kept
    type(gpuarr_array) :: x
    integer :: stat
    call kept%add()
    call x%empty([40 * mebibyte], GPUARR_I8, stat=stat)
    call expect(kept%calls > 0 .and. full%is_set(), "one of a scope")
  end subroutine

  subroutine errors_in_reclaimers()
    type(clumsy), target :: other
    type(gpuarr_array) :: x
    integer :: stat
    character(:), allocatable :: message
    call gpuarr_memory_set_limit(device, mebibyte)
    call other%add()
    call x%empty([2 * mebibyte], GPUARR_I8, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_OUT_OF_MEMORY, "gpuarr_array_empty")
    call expect(other%calls > 0, "the reclaimer was called")
    call expect_error(other%status, other%message, GPUARR_ERR_ARGUMENT, "gpuarr_array_copy")
    call gpuarr_memory_set_limit(device, 0)
  end subroutine

  subroutine allocators()
    type(gpuarr_allocator) :: pool, own, other, none
    type(gpuarr_stream) :: stream
    type(gpuarr_array) :: x, y
    type(c_ptr) :: address
    integer(c_int64_t) :: used
    integer :: stat
    character(:), allocatable :: message
    call own%current()
    call pool%create(GPUARR_ALLOCATOR_POOL, device)
    call stream%create()
    call pool%set_for_stream(stream)
    call x%empty([mebibyte], GPUARR_I8, stream=stream)
    call pool%statistic(used, GPUARR_MEMORY_USED)
    call expect(used, int(mebibyte, c_int64_t), "memory of a stream's own pool")
    call pool%set_current()
    call other%current(device)
    call other%statistic(used, GPUARR_MEMORY_USED)
    call expect(used, int(mebibyte, c_int64_t), "memory of the current allocator")
    call own%set_current()
    call y%empty([mebibyte], GPUARR_I8)
    call pool%statistic(used, GPUARR_MEMORY_USED)
    call expect(used, int(mebibyte, c_int64_t), "memory of the device's own pool")
    call pool%allocate(address, 1000, stream)
    call expect(c_associated(address), "memory that is no array's")
    call pool%free(address, stream)
    call pool%free(address, stream, stat, message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "gpuarr_allocator_free")
    call pool%trim()
    other = pool
    call pool%release()
    call x%release()
    call stream%release()
    call other%statistic(used, GPUARR_MEMORY_USED)
    call expect(used, 0_c_int64_t, "nothing is used")
    call none%set_for_stream(stream, stat, message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "allocator was released or never created")
    call none%set_current(stat, message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "gpuarr_allocator_set_current")
    call none%create(77, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "77")
  end subroutine

end program
