!> Blocked arrays in files: whole and in parts, in every format, by any grid.
program test_blocked_files
  use, intrinsic :: iso_c_binding
  use gpuarr
  use checks
  implicit none
  character(*), parameter :: folder = "fortran_blocked_files"
  call start()
  call execute_command_line("rm -rf " // folder // " && mkdir " // folder)
  call there_and_back()
  call layouts()
  call parts()
  call refused()
  call refused_parts()
  call execute_command_line("rm -r " // folder)
  call finish()

contains

  function path_of(format) result(path)
    integer, intent(in) :: format
    character(:), allocatable :: path
    path = folder // "/x.zarr"
    if (format == GPUARR_FILE_NPY) path = folder // "/x.npy"
  end function

  !> With the file's own blocks, with others, and as an undivided array that NumPy's format is.
  subroutine there_and_back()
    type(gpuarr_team) :: team
    type(gpuarr_blocked) :: x, y
    type(gpuarr_array) :: whole
    integer(c_int32_t), allocatable :: a(:, :, :), b(:, :, :)
    integer :: round, format, k, n(3), chunk(3)
    character(:), allocatable :: path
    do round = 1, 20
      format = random_int(GPUARR_FILE_NPY, GPUARR_FILE_ZARR3)
      path = path_of(format)
      n = [(random_int(1, 9), k = 1, 3)]
      chunk = [(random_int(1, n(k)), k = 1, 3)]
      call make_local_team(team, random_int(1, 6))
      call x%empty(team, n, GPUARR_I32, chunk=chunk, halo=[random_int(0, 2)], &
          order=random_int(GPUARR_ORDER_C, GPUARR_ORDER_F))
      a = reshape([(random_int(-99, 99), k = 1, product(n))], n)
      call x%write(a)
      call x%save(path, format)
      call y%load(team, path)
      call y%to_allocatable(b)
      call expect(all(a == b), "saved and loaded")
      if (format /= GPUARR_FILE_NPY) call expect(y%blocks(), x%blocks(), "chunks are blocks")
      chunk = [(random_int(1, n(k)), k = 1, 3)]
      call y%load(team, path, chunk=chunk, halo=[1], placement=GPUARR_PLACEMENT_CYCLIC)
      call y%to_allocatable(b)
      call expect(all(a == b), "and in other blocks")
      call expect(y%blocks(2), (n(2) - 1) / chunk(2) + 1, "as many as were asked for")
      if (format /= GPUARR_FILE_NPY) cycle
      call whole%load(path)
      call whole%to_allocatable(b)
      call expect(all(a == b), "as one array")
    end do
  end subroutine

  !> What a block's memory and its ghost cells are.
  subroutine layouts()
    type(gpuarr_team) :: team
    type(gpuarr_blocked) :: x, y
    type(gpuarr_array) :: block
    integer(c_int32_t) :: order
    call make_local_team(team, 2)
    do order = GPUARR_ORDER_C, GPUARR_ORDER_F
      call x%empty(team, [6, 8], GPUARR_F64, chunk=[3, 4], order=order)
      call x%arange(1)
      call x%save(folder // "/layout.npy", GPUARR_FILE_NPY)
      call y%load(team, folder // "/layout.npy", chunk=[3, 4])
      call y%local(block, 1)
      call expect(block%is_contiguous(order), "the order of the file")
      call y%load(team, folder // "/layout.npy", chunk=[3, 4], placement=GPUARR_PLACEMENT_CYCLIC)
      call y%local(block, 1)
      call expect(block%is_contiguous(GPUARR_ORDER_F), "Fortran's order")
      call y%load(team, folder // "/layout.npy", order=1 - order)
      call y%local(block, 1)
      call expect(block%is_contiguous(1 - order), "the other order")
      call expect(y%blocks(1) == 2 .and. y%blocks(2) == 1, "the first dim is divided")
    end do
    call y%load(team, folder // "/layout.npy", low=[1, 0], high=[0, 2], owners=[1, 0], &
        boundary=[GPUARR_BOUNDARY_PERIODIC, GPUARR_BOUNDARY_PERIODIC])
    call y%local(block, 1, halo=.true.)
    call expect(block%shape(), [4, 10], "ghost cells along each dim")
    call expect(y%owner(1), 1, "a block's place")
  end subroutine

  !> An array that is written in slabs, read in others.
  subroutine parts()
    type(gpuarr_team) :: team
    type(gpuarr_blocked) :: slab, window
    integer(c_int64_t) :: a(6, 20), b(5, 8)
    integer :: format, k, i, j
    character(:), allocatable :: path
    do format = GPUARR_FILE_NPY, GPUARR_FILE_ZARR3
      path = path_of(format)
      call make_local_team(team, format)
      call gpuarr_file_create(team, path, format, [6, 20], GPUARR_I64, chunk=[3, 2])
      call slab%empty(team, [6, 4], GPUARR_I64, chunk=[3, 2])
      a = 0
      do k = 1, 13, 4  ! the last columns are left out
        call slab%arange(6 * (k - 1) + 1)
        call slab%save_part(path, first=[1, k])
        a(:, k:k + 3) = reshape([(6 * (k - 1) + i, i = 1, 24)], [6, 4])
      end do
      call window%empty(team, [5, 8], GPUARR_I64, chunk=[2, 5], halo=[1])
      do k = 1, 5
        i = random_int(1, 2)
        j = random_int(1, 13)
        call window%load_part(path, [int(i, c_int64_t), int(j, c_int64_t)])
        call window%to_host(b)
        call expect(all(b == a(i:i + 4, j:j + 7)), "a part of a file")
      end do
      call slab%load_part(path)
      call slab%to_host(b(1:3, 1:4), last=[3, 4])
      call expect(all(b(1:3, 1:4) == a(1:3, 1:4)), "the first part")
    end do
    call make_local_team(team, 1)
    call gpuarr_file_create(team, path_of(GPUARR_FILE_NPY), GPUARR_FILE_NPY, [2_c_int64_t], &
        GPUARR_F32)
    call window%load(team, path_of(GPUARR_FILE_NPY))
    call expect(window%size(), 2_c_int64_t, "a .npy file needs no chunk")
  end subroutine

  subroutine refused()
    type(gpuarr_team) :: team, no_team
    type(gpuarr_blocked) :: x, y, none
    character(*), parameter :: file = folder // "/refused.npy"
    integer :: stat
    character(:), allocatable :: message
    call make_local_team(team, 2)
    call x%empty(team, [5, 4], GPUARR_F64, chunk=[5, 2])
    call x%save("", GPUARR_FILE_NPY, stat, message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, 'gpuarr_blocked_save: path is ""')
    call x%save(file, 9, stat, message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "format is 9")
    call none%save(file, GPUARR_FILE_NPY, stat, message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "blocked is NULL")
    call x%fill(1)
    call x%save(file, GPUARR_FILE_NPY)
    call y%load(no_team, file, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "gpuarr_blocked_load: team is NULL")
    call y%load(team, "no such file.npy", stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_IO, "no such file.npy")
    call y%load(team, file, chunk=[1.5, 2.5], stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, &
        "gpuarr_blocked%load: chunk has no integers of 32 or 64 bits")
    call y%load(team, file, chunk=[3], stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_SHAPE, "ndim is 1, but the array in the file")
    call y%load(team, file, chunk=[3, 2, 1], stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_SHAPE, &
        "ndim is 3, but the array in the file has shape (5, 4)")
    call y%load(team, file, placement=1, owners=[0, 1], stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "placement and owners are both given")
    call y%load(team, file, chunk=[5, 2], halo=[1, 1, 1], stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_SHAPE, "halo has 3 numbers")
    call y%load(team, file, halo=[1], stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_SHAPE, "gpuarr_blocked_load")
    call expect(.not. y%is_set(), "no array of nothing")
  end subroutine

  subroutine refused_parts()
    type(gpuarr_team) :: team
    type(gpuarr_blocked) :: x, y, none
    character(*), parameter :: file = folder // "/refused.zarr"
    integer :: stat
    character(:), allocatable :: message
    call make_local_team(team, 2)
    call x%empty(team, [5, 4], GPUARR_F64, chunk=[5, 2])
    call x%fill(1)
    call gpuarr_file_create(team, file, GPUARR_FILE_ZARR, [5, 9], GPUARR_F64, chunk=[5], &
        stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_SHAPE, &
        "gpuarr_file_create: chunk has 1 extents, but shape has 2")
    call gpuarr_file_create(team, file, GPUARR_FILE_ZARR, [.true.], GPUARR_F64, stat=stat, &
        errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, &
        "gpuarr_file_create: shape has no integers")
    call gpuarr_file_create(team, file, GPUARR_FILE_ZARR, [5, 9], GPUARR_F64, stat=stat, &
        errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "chunk is NULL")
    call gpuarr_file_create(team, file, GPUARR_FILE_ZARR, [5, 9], GPUARR_F64, chunk=[5, 2])
    call x%save_part(file, first=[1], stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_SHAPE, &
        "gpuarr_blocked%save_part: first has 1 indices, but the array has 2 dims")
    call x%save_part(file, first=[1, 2], stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_LAYOUT, "gpuarr_blocked_save_part")
    call x%save_part(file, first=[1, 7], stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_SHAPE, "start[1] is 6, but there axis 1 of " // &
        "the file, of extent 9, has no 4 elements (in this message axis 0 is dim 1, and " // &
        "start[0] is first(1) - 1)")
    call x%load_part(file, first=[0, 1], stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_SHAPE, "start[0] is -1")
    call x%load_part(file, first=["a", "b"], stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "gpuarr_blocked%load_part: first has no")
    call none%load_part(file, first=[1], stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_ARGUMENT, "blocked is NULL")
    call y%empty_like(x, GPUARR_F32)
    call y%load_part(file, stat=stat, errmsg=message)
    call expect_error(stat, message, GPUARR_ERR_DTYPE, "float32")
  end subroutine

end program
